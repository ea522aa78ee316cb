// SPDX-License-Identifier: Apache-2.0
/*
 * Asks about few programs of a skeleton and infers the rest: what a program allows, every weaker one
 * allows; what it forbids, every stronger one forbids. The weakest program is asked first and the strongest next, then the
 * others in an order that jumps about. From each of these the search walks to the border between what forbids an outcome and
 * what allows it, because the programs there settle most.
 */
#include "catalogue/synthesis/lattice.h"

#include <string.h>

#include "catalogue/synthesis/sketch_test.h"

/* ---- the oracle: judges sketches in this process, as tests, and remembers answers by their normal form ---- */

/* The number of a judged outcome, whose values are those of the reads and then of the locations; false if it has a value
 * that nobody writes. */
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

static bool is_allowed(const struct judged_outcome *outcome)
{
    return outcome->verdict == VERDICT_SC || outcome->verdict == VERDICT_WEAK;
}

/* Asks the model. The answer lives in the arena. */
static struct oracle_answer oracle_ask(struct oracle *oracle, const struct sketch *sketch, struct arena *arena)
{
    static const struct judge_options options = {0};
    struct oracle_answer answer = {.sketch = *sketch};
    struct judgement judgement;
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
        if (is_allowed(&judgement.outcomes[i]) && find_number(sketch, judgement.outcomes[i].values, &number))
            allowed[answer.count++] = (uint32_t)number;
    }
    answer.allowed = allowed;
    judgement_release(&judgement);
    litmus_release(test);
    return answer;
}

static uint64_t key_of(const struct sketch *sketch)
{
    uint64_t key = UINT64_C(0xcbf29ce484222325); /* 64-bit FNV-1a */
    for (size_t i = 0; i < sizeof *sketch; i++)
        key = (key ^ ((const unsigned char *)sketch)[i]) * UINT64_C(0x100000001b3);
    return key;
}

static const struct oracle_answer *recall(struct oracle *oracle, const struct sketch *sketch)
{
    const uint64_t key = key_of(sketch);
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
    const struct oracle_answer *answer = recall(oracle, &normal);
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

/* Is no level of the slot stronger? */
static bool is_top(const struct lattice_slot *slot, uint8_t level)
{
    for (size_t i = 0; i < slot->count; i++)
        if (slot->levels[i] != level && strength_is_within(level, slot->levels[i]))
            return false;
    return true;
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
    for (size_t i = 0; i < lattice->slot_count; i++) {
        const struct lattice_slot *slot = &lattice->slots[i];
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
        if (level != 0 && !is_top(&lattice->slots[i], level))
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

/* Does what a scope or an order of one guarantee also come from the other's? In an uneven model, threads that share local memory
 * may need the same scope on both sides, and a seq_cst order of less than the widest scope can undo the others. */
static bool is_alike(uint8_t low, uint8_t high)
{
    const bool scopes = low == 0 || !((low ^ high) & SKETCH_WIDE);
    return scopes && (!(high & SKETCH_IS_SC) || high & SKETCH_WIDE || low & SKETCH_IS_SC);
}

/* Does what the weaker program forbids tell what the stronger one does? */
static bool is_telling(const struct lattice *lattice, const struct sketch *weak, const struct sketch *strong)
{
    for (unsigned i = 0; lattice->row->uneven && lattice->skeleton.local != 0 && i < weak->count; i++)
        if (!is_alike(weak->strength[i], strong->strength[i]) || !is_alike(weak->fence[i], strong->fence[i]))
            return false;
    return true;
}

/* ---- asking ---- */

/* Does an outcome of the program not follow from the answers so far? What helps moves to the front, so a few answers settle most
 * programs. */
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

static const struct lattice_program *ask(struct lattice *lattice, const struct sketch *sketch)
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

static bool forbids(const struct lattice_program *program, size_t outcome)
{
    return !(program->allowed[outcome / 64] >> outcome % 64 & 1);
}

/* Asks only if it does not follow. */
static bool is_forbidden(struct lattice *lattice, const struct sketch *sketch, size_t outcome)
{
    for (size_t i = 0; i < lattice->count; i++) {
        const struct lattice_program *asked = &lattice->asked[i];
        const bool forbidden = forbids(asked, outcome);
        if (forbidden ? is_weaker(&asked->sketch, sketch) : is_weaker(sketch, &asked->sketch))
            return forbidden;
    }
    return forbids(ask(lattice, sketch), outcome);
}

/* ---- to the border ---- */

/* Makes each slot as strong as it can be while the outcome stays allowed, or as weak while it stays forbidden. Levels go from
 * weak to strong. */
static void walk(struct lattice *lattice, struct sketch sketch, size_t outcome, bool forbidden)
{
    for (size_t i = 0; i < lattice->slot_count; i++) {
        const struct lattice_slot *slot = &lattice->slots[i];
        const uint8_t present = *strength_at(&sketch, slot);
        for (size_t k = 0; k < slot->count; k++) {
            const uint8_t level = slot->levels[forbidden ? k : slot->count - 1 - k];
            struct sketch next = sketch;
            *strength_at(&next, slot) = level;
            if (level == present ||
                !(forbidden ? strength_is_within(level, present) : strength_is_within(present, level)) ||
                !is_program(lattice, &next) || is_forbidden(lattice, &next, outcome) != forbidden)
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
        const bool forbidden = forbids(&program, i);
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
            const struct lattice_program *asked = ask(lattice, &sketch);
            if (pass == ALL && !lattice->row->uneven)
                walk_both_ways(lattice, asked, open);
        }
    return true;
}

/* ---- what was found ---- */

bool lattice_is_weakest(const struct lattice *lattice, size_t at, size_t outcome)
{
    if (!forbids(&lattice->asked[at], outcome))
        return false;
    for (size_t i = 0; i < lattice->count; i++)
        if (i != at && forbids(&lattice->asked[i], outcome) &&
            is_weaker(&lattice->asked[i].sketch, &lattice->asked[at].sketch))
            return false;
    return true;
}

void lattice_release(struct lattice *lattice)
{
    arena_release(&lattice->arena);
}
