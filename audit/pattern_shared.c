// SPDX-License-Identifier: Apache-2.0
/*
 * Shared memory that two threads of a block access without a barrier between: one stores and the other loads, where
 * both addresses follow from the numbers of the threads alone, or the load is in a loop over an array from a common
 * start. Each thread of the block is asked whether it executes the access and what address it has; two threads conflict
 * if their bytes overlap.
 *
 * If the kernel does not say how many threads a block has, and neither does the user, it is taken to have as many as
 * its stores have room for in their arrays, of the usual numbers; if no array has a size, the conflict has to be there
 * for 256 and for 1,024. The grade is then DEPENDS. Accesses under a condition on data are left out: 126,000 pairs of
 * them in 2,000 public kernels would need to know the data.
 */
#include "audit/pattern.h"

enum { MOST_THREADS = 1024, MOST_SUBJECTS = 300, SPAN = 1 << 16 };

/* Between which threads there is a conflict, as bits. */
enum { BETWEEN_WARPS = 1, WITHIN_WARP = 2 };

/* A load or a store of shared memory, with its address split into what all threads have and a thread's own part. */
struct subject {
    const struct access *access;
    const struct form *common, *own;
    int64_t sweep; /* of a load in a loop: the distance between its addresses in turn; 0: it has one address */
    struct value_fact facts[FACTS_MOST_AROUND];
    unsigned fact_count;
    bool bounded; /* threads beyond a bound that is not known do not execute it */
    /* Of each thread of the blocks that are tried; INT64_MIN: it does not execute the access. */
    int64_t *addresses[2];
};

struct block_shape {
    unsigned x, y, z;
};

/* Adds the parts of a form, times a number, to the two parts of an address; false if one is neither common to the block
 * nor the thread's own. A loop over an array from a common start is a sweep. */
static bool split_form(struct values *values, struct subject *subject, const struct form *form, int64_t times)
{
    for (unsigned i = 0; i < form->count; i++) {
        const struct form_term *term = form->parts[i].term;
        const int64_t factor = (int64_t)((uint64_t)form->parts[i].times * (uint64_t)times);
        const bool own = (term->depends & VALUE_THREAD) && !(term->depends & (VALUE_BLOCK | VALUE_OPAQUE)),
                   common = !(term->depends & (VALUE_THREAD | VALUE_OPAQUE));
        const bool sweeps = term->kind == TERM_JOIN && term->argument_count == 1 && term->step != 0 &&
                            subject->sweep == 0 && subject->access->kind == ACCESS_LOAD &&
                            !(term->arguments[0]->depends & (VALUE_THREAD | VALUE_OPAQUE));
        if (sweeps) {
            subject->sweep = (int64_t)((uint64_t)term->step * (uint64_t)factor);
            if (!split_form(values, subject, term->arguments[0], factor))
                return false;
        } else if (own)
            subject->own = value_add(values, subject->own, value_term(values, term), factor);
        else if (common)
            subject->common = value_add(values, subject->common, value_term(values, term), factor);
        else
            return false;
    }
    subject->own = value_add(values, subject->own, value_constant(values, form->constant), times);
    return true;
}

/* False if the address is none that this pattern follows, or in another block's memory (mapa). */
static bool split_address(struct values *values, struct subject *subject)
{
    subject->common = subject->own = values->zero;
    subject->sweep = 0;
    if (!split_form(values, subject, subject->access->address, 1) || (subject->sweep && subject->own->count > 0))
        return false;
    return ANY_OF(part, subject->common->parts, subject->common->count, part->term == subject->access->buffers[0]);
}

/* Whether the number of the thread is a part of the form. */
static bool has_thread(const struct form *form)
{
    return ANY_OF(part, form->parts, form->count,
                  part->term->kind == TERM_SPECIAL && (part->term->depends & VALUE_THREAD));
}

/* False if it depends on data whether a thread executes the access. A bound of a thread's number, as at the end of an
 * array, is taken as true. */
static bool find_subject_facts(struct audited *audited, struct subject *subject)
{
    struct value_fact facts[FACT_MOST];
    const struct flow_instruction *branch;
    unsigned block = audited->flow.instructions[subject->access->instruction].block;
    bool truth;
    while ((branch = audited_next_branch(audited, &block, &truth)))
        if (facts_of(&audited->values, branch->guard, truth, facts) == 0)
            return false;
    subject->fact_count = audited_facts(audited, subject->access->instruction, subject->facts);
    FOR_EACH(const struct value_fact, fact, subject->facts, subject->fact_count) {
        const bool bounds = fact->comparison != FACT_EQ && fact->comparison != FACT_NE && has_thread(fact->form);
        int64_t value;
        if (fact->comparison == FACT_ELECTED || ((fact->form->depends & VALUE_OPAQUE) && !bounds) ||
            (fact->comparison == FACT_EQ && (fact->form->depends & VALUE_THREAD) &&
             !value_for_thread(fact->form, &(struct value_thread){0}, &value)))
            return false; /* who executes it is not known */
        subject->bounded |= bounds && (fact->form->depends & VALUE_OPAQUE);
    }
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

static void find_addresses(struct subject *subject, const struct block_shape *shape, unsigned of)
{
    const int64_t farthest = UINT32_MAX; /* addresses of shared memory have 32 bits */
    for (unsigned i = 0; i < shape->x * shape->y * shape->z; i++) {
        const struct value_thread thread = {i % shape->x, i / shape->x % shape->y, i / shape->x / shape->y, i % 32};
        int64_t *address = &subject->addresses[of][i];
        if (!executes(subject, &thread) || !value_for_thread(subject->own, &thread, address) || *address > farthest ||
            *address < -farthest)
            *address = INT64_MIN;
    }
}

/* Between which threads the bytes of two accesses overlap, in BETWEEN_WARPS and WITHIN_WARP. marks has room for two
 * marks of each of SPAN bytes. */
static unsigned find_conflicts(const struct subject *one, const struct subject *two, unsigned of, unsigned threads,
                               short *marks)
{
    const int64_t *const ones = one->addresses[of], *const twos = two->addresses[of];
    short *const first = marks, *const last = marks + SPAN; /* of the threads of `one` with a byte; 0: none */
    int64_t low = INT64_MAX, high = INT64_MIN;
    unsigned conflicts = 0;
    for (unsigned i = 0; i < threads; i++)
        if (ones[i] != INT64_MIN) {
            low = ones[i] < low ? ones[i] : low;
            high = ones[i] > high ? ones[i] : high;
        }
    if (low > high || high - low + one->access->bytes > SPAN || two->access->bytes > SPAN)
        return 0;
    memset(first, 0, (size_t)(high - low + one->access->bytes) * sizeof *first);
    memset(last, 0, (size_t)(high - low + one->access->bytes) * sizeof *last);
    for (unsigned i = 0; i < threads; i++)
        for (unsigned j = 0; ones[i] != INT64_MIN && j < one->access->bytes; j++) {
            const int64_t at = ones[i] - low + j;
            first[at] = first[at] ? first[at] : (short)(i + 1);
            last[at] = (short)(i + 1);
        }
    /* All threads sweep the same elements: two of them stand for all. */
    const unsigned bytes = two->access->bytes, turns = two->sweep ? SPAN / bytes : 1;
    for (unsigned i = 0; i < threads; i += two->sweep && threads > 1 ? threads - 1 : 1)
        for (unsigned j = 0; twos[i] != INT64_MIN && j < turns * bytes; j++) {
            const int64_t at =
                (int64_t)((uint64_t)twos[i] - (uint64_t)low + (uint64_t)two->sweep * (j / bytes) + j % bytes);
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
    const char *at = strstr(audited->flow.kernel->head, word);
    *shape = (struct block_shape){1, 1, 1};
    if (!at)
        return false;
    (void)sscanf(at + strlen(word), " %u , %u , %u", &shape->x, &shape->y, &shape->z);
    return shape->x > 0 && shape->y > 0 && shape->z > 0 && (uint64_t)shape->x * shape->y * shape->z <= MOST_THREADS;
}

/* The bytes of the array that a store is to; 0: unknown, or it is no store. */
static unsigned long array_size(const struct audited *audited, const struct subject *subject)
{
    const struct ptx_variable *variable = ptx_find_variable(audited->flow.module, subject->access->buffers[0]->name);
    return subject->access->kind == ACCESS_STORE && variable ? variable->bytes : 0;
}

static bool is_bounded(const struct audited *audited, const struct subject *subjects, size_t count)
{
    return ANY_OF(one, subjects, count, array_size(audited, one) > 0);
}

/* Whether the stores of a block of this shape stay within the arrays that they are to. */
static bool has_room(const struct audited *audited, struct subject *subjects, size_t count,
                     const struct block_shape *shape)
{
    for (size_t i = 0; i < count; i++) {
        const struct subject *subject = &subjects[i];
        const unsigned long bytes = array_size(audited, subject);
        if (bytes == 0 || subject->common->count > 1)
            continue;
        find_addresses(&subjects[i], shape, 0);
        if (ANY_OF(address, subject->addresses[0], shape->x,
                   *address != INT64_MIN && (*address < 0 || (uint64_t)*address + subject->access->bytes > bytes)))
            return false;
    }
    return is_bounded(audited, subjects, count);
}

/* Finds the shapes of the kernel's blocks, one or two; 0: none can be tried. *known: the assumption that a shape rests
 * on, or ""; NULL: they are guesses. */
static unsigned find_shapes(const struct audit *audit, const struct audited *audited, struct subject *subjects,
                            size_t count, bool flat, struct block_shape *shapes, const char **known)
{
    enum { SMALLEST = 32, USUAL = 256 };
    const unsigned *given = audit->options.block;
    *known = "";
    if (read_shape(audited, ".reqntid", shapes))
        return 1;
    *known = "a block has the threads that --block gives";
    *shapes = (struct block_shape){given[0], given[1] ? given[1] : 1, given[2] ? given[2] : 1};
    if (given[0])
        return (uint64_t)shapes->x * shapes->y * shapes->z <= MOST_THREADS;
    *known = "a block has as many threads as the kernel's bounds allow";
    if (flat && read_shape(audited, ".maxntid", shapes)) {
        *shapes = (struct block_shape){shapes->x * shapes->y * shapes->z, 1, 1};
        return 1;
    }
    *known = NULL;
    for (*shapes = (struct block_shape){MOST_THREADS, 1, 1}; flat && shapes->x >= SMALLEST; shapes->x /= 2)
        if (has_room(audited, subjects, count, shapes))
            return 1;
    shapes[0] = (struct block_shape){USUAL, 1, 1};
    shapes[1] = (struct block_shape){MOST_THREADS, 1, 1};
    return flat && !is_bounded(audited, subjects, count) ? 2 : 0;
}

/* Whether a form asks for the thread's number in y or z. */
static bool asks_depth(const struct form *form)
{
    for (unsigned i = 0; i < form->count; i++) {
        const struct form_term *term = form->parts[i].term;
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
    struct value_fact facts[2 * FACTS_MOST_AROUND];
    struct way way = {.avoid = barriers, .facts = facts};
    way.avoid_count = gather_barriers(audited, kinds, barriers, MOST_BARRIERS);
    const struct subject *const ends[] = {from, to};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < ends[i]->fact_count; j++)
            if (!(ends[i]->facts[j].form->depends & VALUE_THREAD))
                facts[way.fact_count++] = ends[i]->facts[j];
    const unsigned first = from->access->instruction, second = to->access->instruction;
    if (audited_reaches(audited, first, second, NULL) || audited_reaches(audited, second, first, NULL))
        return audited_reaches(audited, first, second, &way);
    /* Threads of two roles: no barrier since they parted. */
    unsigned parting = audited->flow.instructions[first].block;
    while (!flow_dominates(&audited->flow, parting, audited->flow.instructions[second].block))
        parting = audited->flow.blocks[parting].dominator;
    const unsigned last = audited->flow.blocks[parting].end - 1;
    return from->access->kind == ACCESS_STORE && audited_reaches(audited, last, first, &way) &&
           audited_reaches(audited, last, second, &way);
}

static void add_pair(struct audit *audit, struct audited *audited, const struct subject *from, const struct subject *to,
                     bool warp, const char *known)
{
    static const char guessed[] =
        "a block has as many threads as its arrays have room for (--block X,Y,Z sets the number)";
    const bool stores = from->access->kind == ACCESS_STORE;
    struct outline outline = {.arena = &audit->arena};
    const char *place = warp ? "warp 0,cta 0,gpu 0" : "cta 0,gpu 0";
    outline_add(&outline, outline_column(&outline, place, false), "%s",
                stores ? outline_store(outline.arena, audited, from->access, "s")
                       : outline_load(outline.arena, audited, from->access, "r0", "s"));
    outline_add(&outline, outline_column(&outline, place, false), "%s",
                stores ? outline_load(outline.arena, audited, to->access, "r0", "s")
                       : outline_store(outline.arena, audited, to->access, "s"));
    struct audit_candidate found = {
        .pattern = AUDIT_SHARED,
        .grade = known && !from->bounded && !to->bounded ? AUDIT_ALLOWED : AUDIT_DEPENDS,
        .at = to->access->instruction,
        .other = from->access->instruction,
        .says =
            stores ? warp ? "A thread may read at %1 before another thread of its warp has written at %2: no barrier "
                            "is between them."
                          : "A thread may read at %1 before another thread of its block has written at %2: no barrier "
                            "is between them."
            : warp ? "A thread may write at %1 what another thread of its warp has not yet read at %2: no barrier is "
                     "between them."
                   : "A thread may write at %1 what another thread of its block has not yet read at %2: no barrier is "
                     "between them.",
        .test =
            outline_text(&outline, "shared memory of two threads", "{ shared s=0; }", "", stores ? "1:r0=0" : "0:r0=1"),
        .assumptions = {known && !known[0] ? NULL
                        : known            ? known
                                           : guessed}};
    if (from->bounded || to->bounded)
        found.assumptions[found.assumptions[0] != NULL] =
            "all threads of the block are within the bounds that the kernel checks";
    audit_add_candidate(audit, &found);
}

/* A store and a load in both orders; between: the threads that conflict. */
static void compare_subjects(struct audit *audit, struct audited *audited, const struct subject *store,
                             const struct subject *load, unsigned between, const char *known)
{
    /* A word that every thread stores has been stored by the thread that reads it. */
    const bool by_all =
        store->own->count == 0 && !ANY_OF(fact, store->facts, store->fact_count, fact->form->depends & VALUE_THREAD);
    for (unsigned back = by_all; between && back < 2; back++) {
        const struct subject *from = back ? load : store, *to = back ? store : load;
        audit->communications[AUDIT_SHARED]++;
        if ((between & BETWEEN_WARPS) && is_open(audited, from, to, SYNC_BLOCK))
            add_pair(audit, audited, from, to, false, known);
        else if ((between & WITHIN_WARP) &&
                 is_open(audited, from, to, SYNC_BLOCK | SYNC_WARP | (back ? SYNC_SHUFFLE : 0)))
            add_pair(audit, audited, from, to, true, known);
    }
}

/* ---- the whole ---- */

static size_t find_subjects(struct audited *audited, struct subject *subjects, bool *flat)
{
    size_t count = 0;
    for (size_t i = 0; i < audited->access_count && count < MOST_SUBJECTS && !audited_is_late(audited); i++) {
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
        for (unsigned j = 0; j < 2; j++)
            subject->addresses[j] = arena_take(&audited->arena, MOST_THREADS, sizeof *subject->addresses[j]);
        count++;
    }
    return count;
}

void pattern_shared(struct audit *audit, struct audited *audited)
{
    struct subject *subjects = arena_take(&audited->arena, MOST_SUBJECTS, sizeof *subjects);
    struct block_shape shapes[2];
    const char *known;
    bool flat = true;
    const size_t count = find_subjects(audited, subjects, &flat);
    const unsigned shape_count = count > 0 ? find_shapes(audit, audited, subjects, count, flat, shapes, &known) : 0;
    if (shape_count == 0)
        return;
    short *marks = arena_take(&audited->arena, (size_t)2 * SPAN, sizeof *marks);
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < shape_count; j++)
            find_addresses(&subjects[i], &shapes[j], j);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count && !audited_is_late(audited); j++) {
            unsigned between = BETWEEN_WARPS | WITHIN_WARP;
            if (subjects[i].access->kind != ACCESS_STORE || subjects[j].access->kind != ACCESS_LOAD ||
                subjects[i].common != subjects[j].common)
                continue;
            for (unsigned k = 0; k < shape_count; k++)
                between &=
                    find_conflicts(&subjects[i], &subjects[j], k, shapes[k].x * shapes[k].y * shapes[k].z, marks);
            compare_subjects(audit, audited, &subjects[i], &subjects[j], between, known);
        }
}
