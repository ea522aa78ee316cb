// SPDX-License-Identifier: Apache-2.0
/*
 * Shared memory that two threads of a block access without a barrier between: one stores and the other loads, where both
 * addresses follow from the numbers of the threads alone. Each thread of the block is asked whether it executes the
 * access and what address it has; two threads conflict if their bytes overlap.
 *
 * If the kernel does not say how many threads a block has, and neither does the user, it is taken to have as many as
 * its stores have room for in their arrays, of the usual numbers, and the grade is DEPENDS. Accesses under a condition on data are left out: 126,000 pairs of them
 * in 2,000 public kernels would need to know the data.
 */
#include "audit/pattern.h"

enum { MOST_THREADS = 1024, MOST_SUBJECTS = 300 };

/* Between which threads there is a conflict, as bits. */
enum { BETWEEN_WARPS = 1, WITHIN_WARP = 2 };

/* A load or a store of shared memory, with its address split into what all threads have and a thread's own part. */
struct subject {
    const struct access *access;
    const struct form *common, *own;
    struct fact facts[FACTS_MOST_AROUND];
    unsigned fact_count;
    int64_t *addresses; /* of each thread of the block that is tried; INT64_MIN: it does not execute the access */
};

struct block_shape {
    unsigned x, y, z;
};

/* Splits the address; false if a part of it is neither common to the block nor the thread's own. */
static bool split_address(struct values *values, struct subject *subject)
{
    const struct form *address = subject->access->address;
    bool here = false; /* not in another block's memory (mapa) */
    subject->common = subject->own = values->zero;
    for (unsigned i = 0; i < address->count; i++) {
        const struct term *term = address->parts[i].term;
        const struct form_part *part = &address->parts[i];
        here |= term == subject->access->buffers[0];
        const bool own = (term->depends & VALUE_THREAD) && !(term->depends & (VALUE_BLOCK | VALUE_OPAQUE)),
                   common = !(term->depends & (VALUE_THREAD | VALUE_OPAQUE));
        if (!own && !common)
            return false;
        const struct form *alone = value_term(values, term);
        if (own)
            subject->own = value_add(values, subject->own, alone, part->times);
        else
            subject->common = value_add(values, subject->common, alone, part->times);
    }
    subject->own = value_add(values, subject->own, value_constant(values, address->constant), 1);
    return here;
}

/* False if it depends on data whether a thread executes the access. A comparison of a thread's number with a parameter
 * is taken as true. */
static bool find_subject_facts(struct audited *audited, struct subject *subject)
{
    struct fact facts[FACT_MOST];
    const struct program_instruction *branch;
    unsigned block = audited->program.instructions[subject->access->instruction].block;
    bool truth;
    while ((branch = audited_next_branch(audited, &block, &truth)))
        if (facts_of(&audited->values, branch->guard, truth, facts) == 0)
            return false;
    subject->fact_count = audited_facts(audited, subject->access->instruction, subject->facts);
    for (unsigned i = 0; i < subject->fact_count; i++)
        if (subject->facts[i].comparison == FACT_ELECTED || (subject->facts[i].form->depends & VALUE_OPAQUE))
            return false;
    return true;
}

static bool executes(const struct subject *subject, const struct value_thread *thread)
{
    for (unsigned i = 0; i < subject->fact_count; i++) {
        int64_t value;
        if ((subject->facts[i].form->depends & VALUE_THREAD) &&
            value_for_thread(subject->facts[i].form, thread, &value) &&
            !fact_holds(subject->facts[i].comparison, value))
            return false;
    }
    return true;
}

static void find_addresses(struct subject *subject, const struct block_shape *shape)
{
    for (unsigned i = 0; i < shape->x * shape->y * shape->z; i++) {
        const struct value_thread thread = {i % shape->x, i / shape->x % shape->y, i / shape->x / shape->y, i % 32};
        if (!executes(subject, &thread) || !value_for_thread(subject->own, &thread, &subject->addresses[i]))
            subject->addresses[i] = INT64_MIN;
    }
}

/* Between which threads the bytes of two accesses overlap, in BETWEEN_WARPS and WITHIN_WARP. */
static unsigned find_conflicts(const struct subject *one, const struct subject *two, unsigned threads)
{
    enum { SPAN = 1 << 16 };
    static _Thread_local short first[SPAN], last[SPAN]; /* of the threads of `one` with a byte; 0: none */
    int64_t low = INT64_MAX, high = INT64_MIN;
    unsigned conflicts = 0;
    for (unsigned i = 0; i < threads; i++)
        if (one->addresses[i] != INT64_MIN) {
            low = one->addresses[i] < low ? one->addresses[i] : low;
            high = one->addresses[i] > high ? one->addresses[i] : high;
        }
    if (low > high || high - low + one->access->bytes > SPAN)
        return 0;
    memset(first, 0, (size_t)(high - low + one->access->bytes) * sizeof *first);
    memset(last, 0, (size_t)(high - low + one->access->bytes) * sizeof *last);
    for (unsigned i = 0; i < threads; i++)
        for (unsigned j = 0; one->addresses[i] != INT64_MIN && j < one->access->bytes; j++) {
            const int64_t at = one->addresses[i] - low + j;
            first[at] = first[at] ? first[at] : (short)(i + 1);
            last[at] = (short)(i + 1);
        }
    for (unsigned i = 0; i < threads; i++)
        for (unsigned j = 0; two->addresses[i] != INT64_MIN && j < two->access->bytes; j++) {
            const int64_t at = two->addresses[i] - low + j;
            if (at < 0 || at >= high - low + one->access->bytes || !first[at])
                continue;
            const unsigned others[] = {(unsigned)first[at] - 1, (unsigned)last[at] - 1};
            for (unsigned k = 0; k < 2; k++)
                if (others[k] != i)
                    conflicts |= others[k] / 32 == i / 32 ? WITHIN_WARP : BETWEEN_WARPS;
        }
    return conflicts;
}

/* ---- shapes ---- */

static bool read_shape(const struct audited *audited, const char *word, struct block_shape *shape)
{
    const char *at = strstr(audited->program.kernel->head, word);
    *shape = (struct block_shape){1, 1, 1};
    if (!at)
        return false;
    (void)sscanf(at + strlen(word), " %u , %u , %u", &shape->x, &shape->y, &shape->z);
    return shape->x > 0 && shape->y > 0 && shape->z > 0 && (uint64_t)shape->x * shape->y * shape->z <= MOST_THREADS;
}

/* Whether the stores of a block of this shape stay within the arrays that they are to. */
static bool has_room(const struct audited *audited, struct subject *subjects, size_t count,
                     const struct block_shape *shape)
{
    const struct ptx_module *module = audited->program.module;
    bool bounded = false;
    for (size_t i = 0; i < count; i++) {
        const struct subject *subject = &subjects[i];
        unsigned long bytes = 0;
        for (size_t j = 0; j < module->variable_count; j++)
            if (strcmp(module->variables[j].name, subject->access->buffers[0]->name) == 0)
                bytes = module->variables[j].bytes;
        if (subject->access->kind != ACCESS_STORE || bytes == 0 || subject->common->count > 1)
            continue;
        bounded = true;
        find_addresses(&subjects[i], shape);
        for (unsigned k = 0; k < shape->x; k++)
            if (subject->addresses[k] != INT64_MIN &&
                (subject->addresses[k] < 0 || (uint64_t)subject->addresses[k] + subject->access->bytes > bytes))
                return false;
    }
    return bounded;
}

/* Finds the shape of the kernel's blocks. *known: the assumption that it rests on, or ""; NULL: the shape is a guess. */
static bool find_shape(const struct audit *audit, const struct audited *audited, struct subject *subjects, size_t count,
                       bool flat, struct block_shape *shape, const char **known)
{
    enum { SMALLEST = 32 };
    const unsigned *given = audit->options.block;
    *known = "";
    if (read_shape(audited, ".reqntid", shape))
        return true;
    *known = "a block has the threads that --block says";
    *shape = (struct block_shape){given[0], given[1] ? given[1] : 1, given[2] ? given[2] : 1};
    if (given[0])
        return (uint64_t)shape->x * shape->y * shape->z <= MOST_THREADS;
    *known = "a block has as many threads as the kernel's bounds allow";
    if (flat && read_shape(audited, ".maxntid", shape)) {
        *shape = (struct block_shape){shape->x * shape->y * shape->z, 1, 1};
        return true;
    }
    *known = NULL;
    for (shape->x = MOST_THREADS; flat && shape->x >= SMALLEST; shape->x /= 2)
        if (has_room(audited, subjects, count, shape))
            return true;
    return false;
}

/* Whether a form asks for the thread's number in y or z. */
static bool asks_depth(const struct form *form)
{
    for (unsigned i = 0; i < form->count; i++) {
        const struct term *term = form->parts[i].term;
        if (term->kind == TERM_SPECIAL && (strcmp(term->name, "%tid.y") == 0 || strcmp(term->name, "%tid.z") == 0))
            return true;
        for (unsigned j = 0; j < term->argument_count && term->kind != TERM_JOIN; j++)
            if (asks_depth(term->arguments[j]))
                return true;
    }
    return false;
}

/* ---- pairs ---- */

/* The barriers that keep two threads apart; those of warps also for threads of one. A shuffle lets no thread write
 * before others have read what they give away. */
static unsigned gather_barriers(const struct audited *audited, unsigned kinds, unsigned *barriers, unsigned most)
{
    unsigned count = 0;
    for (size_t i = 0; i < audited->sync_count && count < most; i++)
        if (audited->syncs[i].kind & kinds)
            barriers[count++] = audited->syncs[i].instruction;
    return count;
}

static bool is_open(struct audited *audited, const struct subject *from, const struct subject *to, unsigned kinds)
{
    enum { MOST_BARRIERS = 512 };
    unsigned barriers[MOST_BARRIERS];
    struct fact facts[2 * FACTS_MOST_AROUND];
    struct way way = {.avoid = barriers, .facts = facts};
    way.avoid_count = gather_barriers(audited, kinds, barriers, MOST_BARRIERS);
    const struct subject *const ends[] = {from, to};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < ends[i]->fact_count; j++)
            if (!(ends[i]->facts[j].form->depends & VALUE_THREAD))
                facts[way.fact_count++] = ends[i]->facts[j];
    return audited_reaches(audited, from->access->instruction, to->access->instruction, &way);
}

static void add_pair(struct audit *audit, struct audited *audited, const struct subject *from, const struct subject *to,
                     bool warp, const char *known)
{
    const bool stores = from->access->kind == ACCESS_STORE;
    struct draft draft = {.arena = &audit->arena};
    const char *place = warp ? "warp 0,cta 0,gpu 0" : "cta 0,gpu 0";
    draft_add(&draft, draft_column(&draft, place, false), "%s",
              stores ? draft_store(draft.arena, audited, from->access, "s")
                     : draft_load(draft.arena, audited, from->access, "r0", "s"));
    draft_add(&draft, draft_column(&draft, place, false), "%s",
              stores ? draft_load(draft.arena, audited, to->access, "r0", "s")
                     : draft_store(draft.arena, audited, to->access, "s"));
    struct candidate found = {
        .pattern = AUDIT_SHARED,
        .grade = known ? AUDIT_ALLOWED : AUDIT_DEPENDS,
        .at = to->access->instruction,
        .other = from->access->instruction,
        .says = stores ? warp ? "A thread may read at %1 before another thread of its warp has written at %2: no barrier "
                                "is between them."
                              : "A thread may read at %1 before another thread of its block has written at %2: no barrier "
                                "is between them."
                : warp ? "A thread may write at %1 what another thread of its warp has not yet read at %2: no barrier is "
                         "between them."
                       : "A thread may write at %1 what another thread of its block has not yet read at %2: no barrier is "
                         "between them.",
        .test = draft_text(&draft, "shared memory of two threads", "{ shared s=0; }", "", stores ? "1:r0=0" : "0:r0=1"),
        .assumptions = {known && known[0] ? known : "a block has as many threads as its arrays have room for (--block X,Y,Z says how many)"},
        .assumption_count = !known || known[0]};
    audit_add_candidate(audit, &found);
}

/* A store and a load in both orders. */
static void compare_subjects(struct audit *audit, struct audited *audited, const struct subject *store,
                             const struct subject *load, unsigned threads, const char *known)
{
    const unsigned between = find_conflicts(store, load, threads);
    for (unsigned back = 0; between && back < 2; back++) {
        const struct subject *from = back ? load : store, *to = back ? store : load;
        audit->communications[AUDIT_SHARED]++;
        if ((between & BETWEEN_WARPS) && is_open(audited, from, to, SYNC_BLOCK))
            add_pair(audit, audited, from, to, false, known);
        else if ((between & WITHIN_WARP) && is_open(audited, from, to, SYNC_BLOCK | SYNC_WARP | (back ? SYNC_SHUFFLE : 0)))
            add_pair(audit, audited, from, to, true, known);
    }
}

/* ---- the whole ---- */

static size_t find_subjects(struct audited *audited, struct subject *subjects, bool *flat)
{
    size_t count = 0;
    for (size_t i = 0; i < audited->access_count && count < MOST_SUBJECTS; i++) {
        const struct access *access = &audited->accesses[i];
        struct subject *subject = &subjects[count];
        *subject = (struct subject){.access = access};
        if (access->space != SPACE_SHARED || (access->kind != ACCESS_LOAD && access->kind != ACCESS_STORE) ||
            access->buffer_count != 1 || access->buffers[0]->kind != TERM_SHARED ||
            (access->order != LITMUS_PLAIN && access->order != LITMUS_VOLATILE) ||
            !split_address(&audited->values, subject) || !find_subject_facts(audited, subject))
            continue;
        *flat &= !asks_depth(subject->own);
        for (unsigned j = 0; j < subject->fact_count; j++)
            *flat &= !asks_depth(subject->facts[j].form);
        subject->addresses = arena_take(&audited->arena, MOST_THREADS, sizeof *subject->addresses);
        count++;
    }
    return count;
}

void pattern_shared(struct audit *audit, struct audited *audited)
{
    struct subject *subjects = arena_take(&audited->arena, MOST_SUBJECTS, sizeof *subjects);
    struct block_shape shape;
    const char *known;
    bool flat = true;
    const size_t count = find_subjects(audited, subjects, &flat);
    if (count == 0 || !find_shape(audit, audited, subjects, count, flat, &shape, &known))
        return;
    for (size_t i = 0; i < count; i++)
        find_addresses(&subjects[i], &shape);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count && !audited->late; j++)
            if (subjects[i].access->kind == ACCESS_STORE && subjects[j].access->kind == ACCESS_LOAD &&
                subjects[i].common == subjects[j].common)
                compare_subjects(audit, audited, &subjects[i], &subjects[j], shape.x * shape.y * shape.z, known);
}
