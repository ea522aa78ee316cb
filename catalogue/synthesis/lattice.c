// SPDX-License-Identifier: Apache-2.0
/* Asks about few programs of a skeleton and infers the rest: what a program allows, every weaker one allows; what it
 * forbids, every stronger one forbids. The weakest program is asked first and the strongest next, then the others in an
 * order that jumps about. From each of these the search walks to the border between what forbids an outcome and what
 * allows it, because the programs there settle most. */
#include "catalogue/synthesis/lattice.h"

/* ---- skeletons ---- */

/* Enumerated access by access: its thread, its kind, its location; barriers between them; at the end the groups and the
 * locations in local memory. */

struct skeletons {
    const struct synthesis_bound *bound;
    bool groups;
    unsigned barriers; /* work-groups that may have one */
    unsigned local;    /* locations that may be in local memory */
    bool (*take)(const struct sketch *skeleton, void *context);
    void *context;
    struct sketch sketch;
};

/* Does every location have a write and another access? A read-modify-write alone at its location stays, because a model
 * may take it as a fence; any other access alone takes part in no communication. */
static bool is_communicating(const struct sketch *sketch)
{
    for (unsigned location = 0; location < sketch->locations; location++) {
        unsigned reads = 0, writes = 0, updates = 0;
        for (unsigned i = 0; i < sketch->count; i++) {
            const bool here = sketch->location[i] == location;
            reads += here && sketch->kind[i] == SKETCH_READ;
            writes += here && sketch->kind[i] == SKETCH_WRITE;
            updates += here && sketch->kind[i] == SKETCH_UPDATE;
        }
        if (updates == 0 && (writes == 0 || reads + writes < 2))
            return false;
    }
    return true;
}

/* Are the threads joined by locations? If not, one part of them has the cycle alone. */
static bool is_connected(const struct sketch *sketch)
{
    unsigned reached = 1, before = 0;
    while (reached != before) {
        before = reached;
        for (unsigned i = 0; i < sketch->count; i++)
            for (unsigned j = 0; j < sketch->count; j++)
                if (sketch->location[i] == sketch->location[j] && sketch->kind[i] != SKETCH_BARRIER &&
                    reached >> sketch->thread[i] & 1)
                    reached |= 1u << sketch->thread[j];
    }
    return reached == (1u << sketch->threads) - 1;
}

static bool has_barrier(const struct sketch *sketch, unsigned thread)
{
    return ANY_NUMBER(unsigned, i, 0, sketch->count, sketch->thread[i] == thread && sketch->kind[i] == SKETCH_BARRIER);
}

/* Has every thread an access? */
static bool is_busy(const struct sketch *sketch)
{
    unsigned busy = 0;
    for (unsigned i = 0; i < sketch->count; i++)
        busy |= sketch->kind[i] == SKETCH_BARRIER ? 0 : 1u << sketch->thread[i];
    return busy == (1u << sketch->threads) - 1;
}

/* Is each barrier one of all threads of a group of several, in no more groups than the bound says? */
static bool has_good_barriers(const struct skeletons *all)
{
    const struct sketch *sketch = &all->sketch;
    unsigned meeting = 0, shared = 0, groups = 0;
    for (unsigned i = 0; i < sketch->threads; i++) {
        meeting |= has_barrier(sketch, i) ? 1u << sketch->group[i] : 0;
        for (unsigned j = 0; j < i; j++)
            shared |= sketch->group[i] == sketch->group[j] ? 1u << sketch->group[i] : 0;
    }
    for (unsigned group = 0; group < sketch->threads; group++)
        groups += meeting >> group & 1;
    return (meeting & ~shared) == 0 && groups <= all->barriers && sketch_meets(sketch);
}

/* The locations in local memory. Without any, all threads in one group are left out if they have no barrier. */
static bool choose_local(struct skeletons *all, unsigned groups)
{
    struct sketch *sketch = &all->sketch;
    const bool apart = groups > 1 || sketch->threads == 1 || sketch_barriers(sketch) > 0;
    const unsigned choices = all->local > 0 ? 1U << sketch->locations : 1;
    bool goes_on = true;
    for (unsigned local = apart ? 0 : 1; local < choices && goes_on; local++) {
        sketch->local = (uint8_t)local;
        if ((unsigned)__builtin_popcount(local) <= all->local && sketch_shares_local(sketch))
            goes_on =
                !has_good_barriers(all) || !sketch_is_normal(&all->sketch) || all->take(&all->sketch, all->context);
    }
    sketch->local = 0;
    return goes_on;
}

/* Group numbers of the threads from `thread` on; `used` numbers are in use. */
static bool choose_groups(struct skeletons *all, unsigned thread, unsigned used)
{
    struct sketch *sketch = &all->sketch;
    if (thread == sketch->threads)
        return choose_local(all, used);
    for (unsigned group = 0; group <= used; group++) {
        sketch->group[thread] = (uint8_t)group;
        if ((all->groups || group == used) && !choose_groups(all, thread + 1, used + (group == used)))
            return false;
    }
    sketch->group[thread] = 0;
    return true;
}

static bool choose_access(struct skeletons *all, unsigned left, unsigned updates);

static bool choose_location(struct skeletons *all, unsigned left, unsigned updates)
{
    struct sketch *sketch = &all->sketch;
    const unsigned at = sketch->count - 1u;
    const uint8_t locations = sketch->locations;
    bool goes_on = true;
    for (uint8_t location = 0; location <= locations && goes_on; location++) {
        sketch->location[at] = location;
        sketch->locations = location == locations ? locations + 1 : locations;
        goes_on = choose_access(all, left, updates);
    }
    sketch->location[at] = 0;
    sketch->locations = locations;
    return goes_on;
}

/* What is at the end so far: an access, or a barrier if its thread has none yet. */
static bool choose_kind(struct skeletons *all, unsigned left, unsigned updates)
{
    struct sketch *sketch = &all->sketch;
    const unsigned at = sketch->count - 1u, thread = sketch->thread[at];
    bool goes_on = true;
    for (uint8_t kind = SKETCH_READ; kind <= SKETCH_UPDATE && goes_on && left > 0; kind++) {
        const unsigned now = updates + (kind == SKETCH_UPDATE);
        sketch->kind[at] = kind;
        goes_on = now > all->bound->updates || choose_location(all, left - 1, now);
    }
    sketch->kind[at] = SKETCH_READ;
    if (goes_on && all->barriers > 0 && !has_barrier(sketch, thread)) {
        sketch->kind[at] = SKETCH_BARRIER;
        sketch->location[at] = SKETCH_NOWHERE;
        goes_on = choose_access(all, left, updates);
        sketch->kind[at] = sketch->location[at] = 0;
    }
    return goes_on;
}

static bool choose_access(struct skeletons *all, unsigned left, unsigned updates)
{
    struct sketch *sketch = &all->sketch;
    const unsigned at = sketch->count;
    const uint8_t threads = sketch->threads, last = at == 0 ? 0 : sketch->thread[at - 1];
    bool goes_on =
        left > 0 || !is_busy(sketch) || !is_communicating(sketch) || !is_connected(sketch) || choose_groups(all, 0, 0);
    if (left == 0 && all->barriers == 0)
        return goes_on;
    sketch->count++;
    for (uint8_t thread = last; thread <= last + (at > 0) && thread < all->bound->threads && goes_on; thread++) {
        sketch->thread[at] = thread;
        sketch->threads = thread + 1;
        goes_on = choose_kind(all, left, updates);
    }
    sketch->count--;
    sketch->thread[at] = 0;
    sketch->threads = threads;
    return goes_on;
}

void skeletons_each(unsigned accesses, const struct synthesis_bound *bound, const struct strength_row *row,
                    bool (*take)(const struct sketch *skeleton, void *context), void *context)
{
    struct skeletons all = {.bound = bound,
                            .groups = row->scopes,
                            .barriers = row->barriers ? bound->barriers : 0,
                            .local = row->regions ? bound->local : 0,
                            .take = take,
                            .context = context};
    (void)choose_access(&all, accesses, 0);
}

/* ---- the oracle: judges sketches in this process, as tests, and remembers answers by their normal form ---- */

/* The number of a judged outcome, whose values are those of the reads and then of the locations; false if it has a
 * value that nobody writes. */
static bool find_number(const struct sketch *sketch, const int64_t *values, size_t *number)
{
    size_t unit = 1;
    *number = 0;
    for (unsigned i = 0; i < sketch->count; i++) {
        const unsigned radix = sketch_write_count(sketch, sketch->location[i]) + 1;
        if (!sketch_reads(sketch, i))
            continue;
        if (*values < 0 || *values >= radix)
            return false;
        *number += unit * (size_t)*values++;
        unit *= radix;
    }
    for (unsigned i = 0; i < sketch->locations; i++) {
        const unsigned radix = sketch_write_count(sketch, i);
        if (radix < 2)
            continue;
        if (*values < 1 || *values > radix)
            return false;
        *number += unit * (size_t)(*values++ - 1);
        unit *= radix;
    }
    return true;
}

/* Asks the model. The answer lives in the arena. */
static struct oracle_answer oracle_ask(struct oracle *oracle, const struct sketch *sketch, struct arena *arena)
{
    static const struct judge_options options = {0};
    struct oracle_answer answer = {.sketch = *sketch};
    LOCAL(judgement) judgement = {0};
    struct outcome first;
    struct error error;
    outcome_of_number(sketch, 0, &first);
    struct litmus_test *test = sketch_test(oracle->dialect, sketch, &first);
    oracle->judged++;
    if (model_judge(oracle->model, test, &options, &judgement, &error) != STATUS_OK) {
        oracle->unjudged++;
        answer.any = true;
        litmus_release(test);
        return answer;
    }
    uint32_t *allowed = arena_take(arena, judgement.outcome_count + 1, sizeof *allowed);
    answer.any = judgement.racy;
    for (size_t i = 0; i < judgement.outcome_count; i++) {
        size_t number;
        if (judgement.outcomes[i].verdict == VERDICT_UNSPECIFIED)
            answer.any = true;
        if ((judgement.outcomes[i].verdict == VERDICT_SC || judgement.outcomes[i].verdict == VERDICT_WEAK) &&
            find_number(sketch, judgement.outcomes[i].values, &number))
            allowed[answer.count++] = (uint32_t)number;
    }
    answer.allowed = allowed;
    litmus_release(test);
    return answer;
}

static uint64_t lattice_key_of(const struct sketch *sketch)
{
    uint64_t key = UINT64_C(0xcbf29ce484222325); /* 64-bit FNV-1a */
    for (size_t i = 0; i < sizeof *sketch; i++)
        key = (key ^ ((const unsigned char *)sketch)[i]) * UINT64_C(0x100000001b3);
    return key;
}

static const struct oracle_answer *lattice_recall(struct oracle *oracle, const struct sketch *sketch)
{
    const uint64_t key = lattice_key_of(sketch);
    size_t step = 0, item;
    while (hash_index_next(&oracle->index, key, &step, &item))
        if (memcmp(&oracle->answers[item].sketch, sketch, sizeof *sketch) == 0)
            return &oracle->answers[item];
    const struct oracle_answer answer = oracle_ask(oracle, sketch, &oracle->arena);
    ARENA_ADD(&oracle->arena, oracle->answers, oracle->count) = answer;
    hash_index_add(&oracle->index, key, oracle->count - 1);
    return &oracle->answers[oracle->count - 1];
}

bool oracle_forbids(struct oracle *oracle, const struct sketch *sketch, const struct outcome *outcome)
{
    struct sketch normal = *sketch;
    struct outcome wanted = *outcome, found;
    if (sketch->count == 0)
        return false;
    sketch_normalise(&normal, &wanted);
    const struct oracle_answer *answer = lattice_recall(oracle, &normal);
    for (size_t i = 0; i < answer->count; i++) {
        outcome_of_number(&normal, answer->allowed[i], &found);
        if (outcome_matches(&normal, &found, &wanted))
            return false;
    }
    return !answer->any;
}

void oracle_release(struct oracle *oracle)
{
    arena_release(&oracle->arena);
    hash_index_release(&oracle->index);
}

/* ---- slots ---- */

static void find_slots(struct lattice *lattice)
{
    const struct sketch *sketch = &lattice->skeleton;
    for (unsigned i = 0; i < sketch->count; i++) {
        struct lattice_slot *slot = &lattice->slots[lattice->slot_count++];
        *slot = (struct lattice_slot){.access = i};
        slot->count = strength_of_access(lattice->row, sketch->kind[i],
                                         lattice->bound->dependencies > 0 && sketch_earlier_read(sketch, i) >= 0,
                                         lattice->bound->local > 0, slot->levels);
        if (sketch_starts(sketch, i) || lattice->bound->fences == 0)
            continue;
        slot = &lattice->slots[lattice->slot_count++];
        *slot = (struct lattice_slot){.fence = true, .access = i};
        slot->count = strength_of_fence(lattice->row, lattice->bound->local > 0, slot->levels);
    }
}

static uint8_t *strength_at(struct sketch *sketch, const struct lattice_slot *slot)
{
    return slot->fence ? &sketch->fence[slot->access] : &sketch->strength[slot->access];
}

/* ---- programs ---- */

static uint64_t product_of(const struct lattice *lattice)
{
    uint64_t product = 1;
    for (size_t i = 0; i < lattice->slot_count; i++)
        product *= lattice->slots[i].count;
    return product;
}

static struct sketch program_of(const struct lattice *lattice, uint64_t number)
{
    struct sketch sketch = lattice->skeleton;
    FOR_EACH(const struct lattice_slot, slot, lattice->slots, lattice->slot_count) {
        *strength_at(&sketch, slot) = slot->levels[number % slot->count];
        number /= slot->count;
    }
    return sketch;
}

static bool is_program(const struct lattice *lattice, const struct sketch *sketch)
{
    return sketch_fences(sketch) <= lattice->bound->fences &&
           sketch_dependencies(sketch) <= lattice->bound->dependencies && strength_fits(lattice->row, sketch);
}

/* Is each slot as strong as it can be, or empty because only so many can be used? */
static bool is_strong(const struct lattice *lattice, struct sketch *sketch)
{
    for (size_t i = 0; i < lattice->slot_count; i++) {
        const uint8_t level = *strength_at(sketch, &lattice->slots[i]);
        if (level != 0 && ANY_OF(one, lattice->slots[i].levels, lattice->slots[i].count,
                                 *one != level && strength_is_within(level, *one)))
            return false;
    }
    return sketch_fences(sketch) > 0 || lattice->bound->fences == 0 || sketch->count == sketch->threads;
}

static bool is_weaker(const struct sketch *a, const struct sketch *b)
{
    unsigned more = 0; /* than b has; the compiler makes vectors of this */
    for (unsigned i = 0; i < SKETCH_MAXIMUM_ACCESSES; i++)
        more |= (a->strength[i] & ~b->strength[i]) | (a->fence[i] & ~b->fence[i]);
    return more == 0;
}

/* Does what a scope or an order of one guarantee also come from the other's? In an uneven model, threads that share
 * local memory may need the same scope on both sides, and a seq_cst order of less than the widest scope can undo the
 * others. */
static bool lattice_is_alike(uint8_t low, uint8_t high)
{
    const bool scopes = low == 0 || !((low ^ high) & SKETCH_WIDE);
    return scopes && (!(high & SKETCH_IS_SC) || high & SKETCH_WIDE || low & SKETCH_IS_SC);
}

/* Does what the weaker program forbids tell what the stronger one does? */
static bool is_telling(const struct lattice *lattice, const struct sketch *weak, const struct sketch *strong)
{
    return !(lattice->row->uneven && lattice->skeleton.local != 0 &&
             ANY_NUMBER(unsigned, i, 0, weak->count,
                        !lattice_is_alike(weak->strength[i], strong->strength[i]) ||
                            !lattice_is_alike(weak->fence[i], strong->fence[i])));
}

/* ---- asking ---- */

/* Does an outcome of the program not follow from the answers so far? What helps moves to the front, so a few answers
 * settle most programs. */
static bool is_open(struct lattice *lattice, const struct sketch *sketch, uint64_t *open)
{
    uint64_t any = 1;
    memset(open, 0xff, lattice->words * sizeof *open);
    if (lattice->outcomes % 64)
        open[lattice->words - 1] = (UINT64_C(1) << lattice->outcomes % 64) - 1;
    for (size_t i = 0; i < lattice->count && any; i++) {
        const size_t at = lattice->order[i];
        const struct lattice_program *asked = &lattice->asked[at];
        const bool above = is_weaker(sketch, &asked->sketch) && is_telling(lattice, sketch, &asked->sketch);
        const bool below = is_weaker(&asked->sketch, sketch) && is_telling(lattice, &asked->sketch, sketch);
        if (!above && !below)
            continue;
        uint64_t settled = 0;
        any = 0;
        for (size_t word = 0; word < lattice->words; word++) {
            const uint64_t left = above && below ? 0 : above ? ~asked->allowed[word] : asked->allowed[word];
            settled |= open[word] & ~left;
            open[word] &= left;
            any |= open[word];
        }
        if (settled) {
            lattice->order[i] = lattice->order[i / 2];
            lattice->order[i / 2] = at;
        }
    }
    return any != 0;
}

static const struct lattice_program *lattice_ask(struct lattice *lattice, const struct sketch *sketch)
{
    const struct oracle_answer answer = oracle_ask(lattice->oracle, sketch, &lattice->arena);
    uint64_t *allowed = arena_take(&lattice->arena, lattice->words, sizeof *allowed);
    if (answer.any)
        memset(allowed, 0xff, lattice->words * sizeof *allowed);
    for (size_t i = 0; i < answer.count; i++)
        allowed[answer.allowed[i] / 64] |= UINT64_C(1) << answer.allowed[i] % 64;
    size_t ordered = lattice->count;
    ARENA_ADD(&lattice->arena, lattice->order, ordered) = lattice->count;
    ARENA_ADD(&lattice->arena, lattice->asked, lattice->count) =
        (struct lattice_program){.sketch = *sketch, .allowed = allowed};
    return &lattice->asked[lattice->count - 1];
}

static bool lattice_forbids(const struct lattice_program *program, size_t outcome)
{
    return !(program->allowed[outcome / 64] >> outcome % 64 & 1);
}

/* Asks only if it does not follow. */
static bool lattice_is_forbidden(struct lattice *lattice, const struct sketch *sketch, size_t outcome)
{
    FOR_EACH(const struct lattice_program, asked, lattice->asked, lattice->count) {
        const bool forbidden = lattice_forbids(asked, outcome);
        if (forbidden ? is_weaker(&asked->sketch, sketch) : is_weaker(sketch, &asked->sketch))
            return forbidden;
    }
    return lattice_forbids(lattice_ask(lattice, sketch), outcome);
}

/* ---- to the border ---- */

/* Makes each slot as strong as it can be while the outcome stays allowed, or as weak while it stays forbidden. Levels
 * go from weak to strong. */
static void walk(struct lattice *lattice, struct sketch sketch, size_t outcome, bool forbidden)
{
    FOR_EACH(const struct lattice_slot, slot, lattice->slots, lattice->slot_count) {
        const uint8_t present = *strength_at(&sketch, slot);
        for (size_t k = 0; k < slot->count; k++) {
            const uint8_t level = slot->levels[forbidden ? k : slot->count - 1 - k];
            struct sketch next = sketch;
            *strength_at(&next, slot) = level;
            if (level == present ||
                !(forbidden ? strength_is_within(level, present) : strength_is_within(present, level)) ||
                !is_program(lattice, &next) || lattice_is_forbidden(lattice, &next, outcome) != forbidden)
                continue;
            sketch = next;
            break;
        }
    }
}

/* From a program to the border, for one outcome that it allows and one that it forbids, of those that were open. */
static void walk_both_ways(struct lattice *lattice, const struct lattice_program *asked, const uint64_t *open)
{
    const struct lattice_program program = *asked; /* the list moves when it grows */
    bool walked[2] = {false, false};
    for (size_t i = 0; i < lattice->outcomes && !(walked[0] && walked[1]); i++) {
        const bool forbidden = lattice_forbids(&program, i);
        if (walked[forbidden] || !(open[i / 64] >> i % 64 & 1))
            continue;
        walked[forbidden] = true;
        walk(lattice, program.sketch, i, forbidden);
    }
}

/* A step through all numbers below `size` that comes to each once: it shares no factor with it. */
static uint64_t jump_of(uint64_t size)
{
    for (uint64_t jump = size * 5 / 8 + 1;; jump++) {
        uint64_t a = size, b = jump;
        while (b != 0) {
            const uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return jump;
    }
}

bool lattice_explore(struct lattice *lattice, bool (*stopped)(void *context), void *context)
{
    enum { WEAKEST, STRONG, ALL, PASSES };
    find_slots(lattice);
    lattice->outcomes = outcome_count(&lattice->skeleton);
    lattice->words = (lattice->outcomes + 63) / 64;
    uint64_t *open = arena_take(&lattice->arena, lattice->words, sizeof *open);
    const uint64_t product = product_of(lattice), jump = jump_of(product);
    for (int pass = WEAKEST; pass < PASSES; pass++)
        for (uint64_t i = 0, number = 0; i < (pass == WEAKEST ? 1 : product); i++, number = (number + jump) % product) {
            struct sketch sketch = program_of(lattice, number);
            if (!is_program(lattice, &sketch) || (pass == STRONG && !is_strong(lattice, &sketch)))
                continue;
            lattice->size += pass == ALL;
            if (!is_open(lattice, &sketch, open))
                continue;
            if (stopped && stopped(context))
                return false;
            const struct lattice_program *asked = lattice_ask(lattice, &sketch);
            if (pass == ALL && !lattice->row->uneven)
                walk_both_ways(lattice, asked, open);
        }
    return true;
}

/* ---- what was found ---- */

bool lattice_is_weakest(const struct lattice *lattice, size_t at, size_t outcome)
{
    if (!lattice_forbids(&lattice->asked[at], outcome))
        return false;
    return !ANY_NUMBER(size_t, i, 0, lattice->count,
                       i != at && lattice_forbids(&lattice->asked[i], outcome) &&
                           is_weaker(&lattice->asked[i].sketch, &lattice->asked[at].sketch));
}
