// SPDX-License-Identifier: Apache-2.0
/* Requirements of the PTX ISA on cache hints, asynchronous copies, mbarriers, cluster barriers and distributed shared
 * memory, once the types and places of all are known. */
#include "litmus/check/checker.h"
#include "litmus/language/collective.h"
#include "litmus/language/order.h"

/* ---- hints, prefetches and .mmio, which PTX has only for global memory ---- */

/* The word of the access that only global memory has, or NULL. Cache operators exist for both (PTX ISA, ld). */
static const char *global_word(const struct litmus_access *access)
{
    if (access->mmio)
        return "mmio";
    if (access->prefetch != LITMUS_CACHE_NONE)
        return litmus_cache_name(access->prefetch);
    if (access->cache == LITMUS_CACHE_NONE || litmus_cache_is_operator(access->cache))
        return NULL;
    return litmus_cache_name(access->cache);
}

static void check_cache(struct checker *checker, const struct litmus_access *access)
{
    const char *const word = global_word(access);
    if (!word || checker->status != STATUS_OK)
        return;
    const struct litmus_location *location = checker_location(checker, access->address);
    if (location && location->region != LITMUS_GLOBAL)
        checker->status = parser_fail(checker->parser, access->address->place,
                                      "expected a location in global memory for .%s, found '%s' in shared memory", word,
                                      location->name);
}

enum status parse_check_caches(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    struct checker checker = {.parser = parser};
    for (size_t i = 0; i < test->body_count && checker.status == STATUS_OK; i++) {
        checker.thread = &test->threads[i];
        for (struct litmus_walk walk = litmus_walk_block(&test->threads[i].body); litmus_walk_next(&walk);)
            if (walk.access)
                check_cache(&checker, walk.access);
    }
    return checker.status;
}

/* ---- the extent of a copy ---- */

/* The start or end of a copy in a location, in bytes. */
struct copy_extent {
    const struct litmus_location *location;
    uint32_t size; /* of an element */
    uint32_t start, left;
};

static struct copy_extent span_of(const struct checker *checker, const struct litmus_expression *address)
{
    const struct litmus_location *location = checker_location(checker, address);
    const uint32_t size = (uint32_t)litmus_type_size(location->type);
    const uint32_t start = address->left ? (uint32_t)address->left->value * size : 0;
    return (struct copy_extent){location, size, start, location->elements * size - start};
}

/* A copy of 16 bytes or more takes whole units of 16, and may go beyond a location in its last one. */
static enum status check_span(const struct checker *checker, const struct litmus_copy *copy,
                              const struct litmus_expression *address)
{
    const struct copy_extent span = span_of(checker, address);
    const uint32_t unit = copy->bytes < 16 ? copy->bytes : 16;
    const uint32_t most = unit < 16 ? span.left : (span.left + 15) / 16 * 16;
    if (span.start % unit != 0)
        return parser_fail(checker->parser, address->place,
                           "expected an element of '%s' at a multiple of %u bytes, found one at byte %u",
                           span.location->name, unit, span.start);
    if (copy->bytes > most || copy->bytes % span.size != 0)
        return parser_fail(checker->parser, address->place,
                           "expected a copy of at most %u bytes here, in whole elements of '%s', found %u bytes", most,
                           span.location->name, copy->bytes);
    return STATUS_OK;
}

static uint32_t check_ptx_smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* PTX ISA, .multicast::cluster: "the same CTA-relative offset" in each destination. */
static enum status check_same_offset(const struct checker *checker, const struct litmus_copy *copy)
{
    const struct copy_extent first = span_of(checker, copy->to);
    for (const struct litmus_expression *to = copy->to->right; to; to = to->right) {
        const struct copy_extent other = span_of(checker, to);
        if (other.location->type != first.location->type || other.location->elements != first.location->elements ||
            other.start != first.start)
            return parser_fail(checker->parser, to->place,
                               "expected destinations with the same type, size and element, found '%s' and '%s'",
                               first.location->name, other.location->name);
    }
    return STATUS_OK;
}

/* A strong copy moves 16 bytes at once, which are two elements here as in an access of 128 bits. */
static enum status check_strong(const struct checker *checker, const struct litmus_copy *copy)
{
    const struct litmus_expression *const sides[] = {copy->to, copy->from};
    if (copy->order != LITMUS_RELAXED || copy->operation != LITMUS_STORE)
        return STATUS_OK;
    for (size_t i = 0; i < COUNT(sides); i++) {
        const struct copy_extent span = span_of(checker, sides[i]);
        if (span.size != 8 || span.left < copy->bytes)
            return parser_fail(checker->parser, sides[i]->place,
                               "expected %u bytes in 64-bit elements of '%s' for a single copy of 128 bits, found "
                               "%u in elements of type %s",
                               copy->bytes, span.location->name, check_ptx_smaller(span.left, copy->bytes),
                               litmus_type_name(span.location->type));
    }
    return STATUS_OK;
}

/* Both sides of a copy have the same size, so that no element gets bytes from after the other location. */
static enum status check_both_spans(const struct checker *checker, const struct litmus_copy *copy)
{
    const struct copy_extent to = span_of(checker, copy->to), from = span_of(checker, copy->from);
    TRY(check_span(checker, copy, copy->to));
    TRY(check_span(checker, copy, copy->from));
    TRY(check_same_offset(checker, copy));
    TRY(check_strong(checker, copy));
    if (to.size != from.size || litmus_type_is_float(to.location->type) != litmus_type_is_float(from.location->type))
        return parser_fail(checker->parser, copy->from->place,
                           "expected locations of the same type, found '%s' of type %s and '%s' of type %s",
                           to.location->name, litmus_type_name(to.location->type), from.location->name,
                           litmus_type_name(from.location->type));
    if (check_ptx_smaller(to.left, copy->bytes) != check_ptx_smaller(from.left, copy->bytes))
        return parser_fail(checker->parser, copy->from->place,
                           "expected a copy between equal numbers of elements, found %u of '%s' and %u of '%s'",
                           check_ptx_smaller(to.left, copy->bytes) / to.size, to.location->name,
                           check_ptx_smaller(from.left, copy->bytes) / from.size, from.location->name);
    return STATUS_OK;
}

/* ---- types of operations ---- */

enum {
    S32 = 1 << LITMUS_INT,
    U32 = 1 << LITMUS_UINT,
    S64 = 1 << LITMUS_LONG,
    U64 = 1 << LITMUS_ULONG,
    F32 = 1 << LITMUS_FLOAT,
    F64 = 1 << LITMUS_DOUBLE,
    B32 = S32 | U32,
    B64 = S64 | U64
};

/* The types of each operation on shared and on global memory (PTX ISA, cp.reduce.async.bulk, st.async, red.async). The
 * bits of b32 and b64 are of any type of that size. */
static const struct {
    unsigned shared, global;
    const char *shared_text, *global_text;
} operation_types[LITMUS_OPERATION_COUNT] = {
    [LITMUS_STORE] = {B32 | B64 | F32 | F64, B32 | B64 | F32 | F64, "a type of 32 or 64 bits",
                      "a type of 32 or 64 bits"},
    [LITMUS_FETCH_ADD] = {B32 | U64, B32 | U64 | F32 | F64, "u32, s32 or u64", "u32, s32, u64, f32 or f64"},
    [LITMUS_FETCH_MIN] = {B32, B32 | B64, "u32 or s32", "u32, s32, u64 or s64"},
    [LITMUS_FETCH_MAX] = {B32, B32 | B64, "u32 or s32", "u32, s32, u64 or s64"},
    [LITMUS_FETCH_INC] = {U32, U32, "u32", "u32"},
    [LITMUS_FETCH_DEC] = {U32, U32, "u32", "u32"},
    [LITMUS_FETCH_AND] = {B32, B32 | B64, "b32", "b32 or b64"},
    [LITMUS_FETCH_OR] = {B32, B32 | B64, "b32", "b32 or b64"},
    [LITMUS_FETCH_XOR] = {B32, B32 | B64, "b32", "b32 or b64"},
};

static enum status check_operation(const struct checker *checker, const struct litmus_statement *statement)
{
    const struct litmus_copy *copy = &statement->copy;
    const bool global = checker_location(checker, copy->to)->region == LITMUS_GLOBAL;
    const bool adds = global && !copy->from && copy->operation == LITMUS_FETCH_ADD; /* red.async */
    const unsigned types = adds     ? B32 | B64
                           : global ? operation_types[copy->operation].global
                                    : operation_types[copy->operation].shared;
    const char *const text = adds     ? "u32, s32, u64 or s64"
                             : global ? operation_types[copy->operation].global_text
                                      : operation_types[copy->operation].shared_text;
    const char *const name = litmus_operation_name(LITMUS_PTX, copy->operation);
    if (types == 0)
        return parser_fail(checker->parser, statement->place,
                           "expected a copy with add, min, max, inc, dec, and, or or xor, found %s", name);
    if ((types & 1U << copy->type) == 0)
        return parser_fail(checker->parser, statement->place, "expected %s for %s in %s memory, found %s", text, name,
                           global ? "global" : "shared", litmus_type_name(copy->type));
    if (litmus_type_size(copy->type) != litmus_type_size(checker_location(checker, copy->to)->type) ||
        litmus_type_is_float(copy->type) != litmus_type_is_float(checker_location(checker, copy->to)->type))
        return parser_fail(checker->parser, statement->place, "expected elements of type %s in '%s', found %s",
                           litmus_type_name(copy->type), checker_location(checker, copy->to)->name,
                           litmus_type_name(checker_location(checker, copy->to)->type));
    return STATUS_OK;
}

/* ---- owners of memory ---- */

/* Is the location in the shared memory of another work-group than the thread's? */
static bool is_remote(const struct checker *checker, const struct litmus_location *location)
{
    return location->home != LITMUS_NONE && location->home != checker->thread->placement.work_group;
}

static enum status check_own(const struct checker *checker, const struct litmus_expression *address, const char *what)
{
    const struct litmus_location *location = checker_location(checker, address);
    if (!is_remote(checker, location))
        return STATUS_OK;
    return parser_fail(checker->parser, address->place,
                       "expected %s in the memory of P%u's own work-group, found '%s' in that of cta %d", what,
                       checker->thread->first, location->name, location->home);
}

/* PTX ISA: a copy from shared memory to shared memory, and red.async, go to another work-group of the cluster. */
static enum status check_away(const struct checker *checker, const struct litmus_copy *copy)
{
    const struct litmus_location *to = checker_location(checker, copy->to);
    const bool shared =
        to->region == LITMUS_LOCAL && copy->from && checker_location(checker, copy->from)->region == LITMUS_LOCAL;
    const bool red = !copy->from && copy->operation != LITMUS_STORE && to->region == LITMUS_LOCAL;
    if ((!shared && !red) || is_remote(checker, to))
        return STATUS_OK;
    return parser_fail(checker->parser, copy->to->place,
                       "expected a destination in another work-group of the cluster (such as shared d@cta 1=0), "
                       "found '%s' in P%u's own",
                       to->name, checker->thread->first);
}

static int home_of(const struct checker *checker, const struct litmus_expression *address)
{
    const int home = checker_location(checker, address)->home;
    return home == LITMUS_NONE ? checker->thread->placement.work_group : home;
}

/* ---- tensor maps ---- */

static bool is_map(const struct checker *checker, const struct litmus_expression *address)
{
    return checker_location(checker, address)->type == LITMUS_TENSORMAP;
}

/* The locations that the test's tensor maps may name. */
static void find_mapped(const struct litmus_test *test, bool mapped[LITMUS_MAXIMUM_LOCATIONS])
{
    for (size_t i = 0; i < test->location_count; i++)
        if (test->locations[i].type == LITMUS_TENSORMAP)
            mapped[test->locations[i].points_to] = true;
    for (struct litmus_walk walk = litmus_walk_test(test); litmus_walk_next(&walk);)
        if (walk.expression && walk.access && walk.access->type == LITMUS_TENSORMAP && walk.access->operand)
            mapped[walk.access->operand->index] = true;
}

/* A copy fits each location that a map may name. */
static enum status check_mapped(const struct checker *checker, const struct litmus_copy *copy)
{
    const struct litmus_test *test = checker->parser->test;
    bool mapped[LITMUS_MAXIMUM_LOCATIONS] = {false};
    find_mapped(test, mapped);
    for (size_t i = 0; i < test->location_count; i++) {
        struct litmus_copy direct = *copy;
        struct litmus_expression **const side = is_map(checker, copy->to) ? &direct.to : &direct.from;
        struct litmus_expression place = {.kind = LITMUS_EXPRESSION_ADDRESS, .place = (*side)->place, .index = (int)i};
        *side = &place;
        if (mapped[i])
            TRY(check_both_spans(checker, &direct));
    }
    return STATUS_OK;
}

static enum status check_copy(const struct checker *checker, const struct litmus_statement *statement)
{
    const struct litmus_copy *copy = &statement->copy;
    const bool reduces = copy->operation != LITMUS_STORE;
    if (!copy->cluster)
        TRY(check_own(checker, copy->to, "a destination (without .shared::cluster)"));
    TRY(check_away(checker, copy));
    /* PTX ISA: the notified mbarrier is in the memory of the copy's destination. */
    const struct litmus_expression *to = copy->to, *mbarrier = copy->mbarrier;
    for (; mbarrier; mbarrier = mbarrier->right, to = to->right)
        if (home_of(checker, to) != home_of(checker, mbarrier))
            return parser_fail(checker->parser, mbarrier->place,
                               "expected an mbarrier in the same work-group's memory as '%s', found '%s'",
                               checker_location(checker, to)->name, checker_location(checker, mbarrier)->name);
    if (reduces || copy->value)
        TRY(check_operation(checker, statement));
    if (!copy->from)
        return STATUS_OK;
    TRY(check_own(checker, copy->from, "the source of a copy"));
    return is_map(checker, copy->to) || is_map(checker, copy->from) ? check_mapped(checker, copy)
                                                                    : check_both_spans(checker, copy);
}

/* ---- barriers of clusters ---- */

/* Does a jump cross the statement, in either direction? */
static bool is_jumped(const struct litmus_block *body, size_t at)
{
    return ANY_NUMBER(size_t, i, 0, body->count,
                      body->statements[i].kind == LITMUS_GOTO &&
                          (i < at) != (litmus_find_label(body, body->statements[i].label) < at));
}

/* Arrivals and waits alternate, and the thread reaches each once. */
static enum status check_meetings(const struct checker *checker)
{
    const struct litmus_block *body = &checker->thread->body;
    const struct litmus_statement *arrival = NULL;
    for (size_t i = 0; i < body->count; i++) {
        const struct litmus_statement *statement = &body->statements[i];
        if (statement->kind != LITMUS_BARRIER || statement->barrier.scope != LITMUS_CLUSTER)
            continue;
        if (is_jumped(body, i))
            return parser_fail(checker->parser, statement->place,
                               "expected barrier.cluster outside branches and loops, found a jump over it");
        if (statement->barrier.arrive == (arrival != NULL))
            return parser_fail(checker->parser, statement->place, "expected barrier.cluster.%s here%s",
                               arrival ? "wait" : "arrive",
                               arrival ? " (the thread has arrived but not waited)" : " (the thread has not arrived)");
        arrival = statement->barrier.arrive ? statement : NULL;
    }
    return STATUS_OK;
}

/* ---- all checks ---- */

/* A thread only reaches the memory of its cluster's work-groups. */
static void check_address(struct checker *checker, const struct litmus_expression *expression)
{
    if (expression->kind != LITMUS_EXPRESSION_ADDRESS || checker->status != STATUS_OK)
        return;
    const struct litmus_location *location = checker_location(checker, expression);
    const struct litmus_test *test = checker->parser->test;
    if (location->home != LITMUS_NONE &&
        !ANY_OF(one, test->threads, test->body_count,
                one->placement.work_group == location->home &&
                    scope_includes(LITMUS_CLUSTER, &one->placement, &checker->thread->placement)))
        checker->status = parser_fail(
            checker->parser, expression->place,
            "expected a location of P%u's cluster, found '%s' in the memory of cta %d, which is not in that cluster",
            checker->thread->first, location->name, location->home);
}

static enum status check_statement(const struct checker *checker, const struct litmus_statement *statement)
{
    const struct litmus_access *access = statement->value ? statement->value->access : NULL;
    if (access && operation_is_wait(access->operation))
        TRY(check_own(checker, access->address, "an mbarrier to wait for"));
    if (access && access->operation == LITMUS_MBARRIER_INIT)
        TRY(check_own(checker, access->address, "memory for an mbarrier"));
    if (access && access->proxy == LITMUS_ASYNC)
        TRY(check_own(checker, access->address, "the matrix of wgmma.mma_async"));
    if (statement->kind == LITMUS_GROUP && statement->group.mbarrier)
        TRY(check_own(checker, statement->group.mbarrier, "an mbarrier to arrive at"));
    return statement->kind == LITMUS_COPY ? check_copy(checker, statement) : STATUS_OK;
}

static const char *object_word(const struct litmus_location *location)
{
    return location->type == LITMUS_MBARRIER    ? "an mbarrier"
           : location->type == LITMUS_TENSORMAP ? "a tensor map"
                                                : NULL;
}

static enum status check_pointed(struct parser *parser, int pointed, struct litmus_place place)
{
    const struct litmus_location *location = pointed == LITMUS_NONE ? NULL : &parser->test->locations[pointed];
    if (!location || !object_word(location))
        return STATUS_OK;
    return parser_fail(parser, place, "expected no address of %s in memory, found one of '%s'", object_word(location),
                       location->name);
}

/* An mbarrier and a tensor map are only accessed by their names. */
static enum status check_objects(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    FOR_EACH(const struct litmus_location, location, test->locations, test->location_count) {
        if (object_word(location) && (location->array || location->alias_of != LITMUS_NONE))
            return parser_fail(parser, location->place, "expected no %s of %s, found one of '%s'",
                               location->array ? "array" : "alias", object_word(location), location->name);
        TRY(check_pointed(parser, location->points_to, location->place));
        if (location->type == LITMUS_TENSORMAP &&
            (location->points_to == LITMUS_NONE || test->locations[location->points_to].region != LITMUS_GLOBAL))
            return parser_fail(parser, location->place,
                               "expected the tensor map '%s' to name a location in global memory, as in tensormap "
                               "%s=x, found none",
                               location->name, location->name);
    }
    for (size_t i = 0; i < parser->start_count; i++)
        TRY(check_pointed(parser, parser->starts[i].first.points_to, parser->starts[i].place));
    return STATUS_OK;
}

/* A mask that is a number names lanes of the test; values are integers. */
static enum status check_call_of_lanes(const struct checker *checker, unsigned body,
                                       const struct litmus_statement *statement)
{
    const struct litmus_thread *thread = checker->thread;
    const struct litmus_expression *mask = statement->collective.mask, *value = statement->value;
    const int used[] = {statement->target,
                        value && value->kind == LITMUS_EXPRESSION_REGISTER ? value->index : LITMUS_NONE};
    unsigned own;
    const unsigned lanes = litmus_lanes(checker->parser->test, body, &own);
    for (int i = 0; i < 2; i++)
        if (used[i] != LITMUS_NONE && litmus_type_is_float(thread->registers[used[i]].type))
            return parser_fail(checker->parser, statement->place,
                               "expected integers to exchange between lanes, found '%s' of type %s",
                               thread->registers[used[i]].name, litmus_type_name(thread->registers[used[i]].type));
    if (!mask || mask->kind != LITMUS_EXPRESSION_CONSTANT || mask->value == UINT32_MAX ||
        (mask->value != 0 && litmus_lanes_of_mask(mask->value, lanes) == mask->value))
        return STATUS_OK;
    return parser_fail(checker->parser, mask->place,
                       "expected a mask of lanes in the warp of P%u, where the test places %u ('P%u@warp 0, ...' "
                       "places a thread), or 0xffffffff for all lanes, found 0x%llx",
                       thread->first, lanes, thread->first, (long long)mask->value);
}

static enum status check_lanes(const struct checker *checker, unsigned body)
{
    enum status status = STATUS_OK;
    for (struct litmus_walk walk = litmus_walk_block(&checker->thread->body); litmus_walk_next(&walk);)
        if (status == STATUS_OK && walk.statement && walk.statement->kind == LITMUS_COLLECTIVE)
            status = check_call_of_lanes(checker, body, walk.statement);
    return status;
}

enum status parse_check_async(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    const bool in_ptx = test->dialect == LITMUS_PTX;
    if (in_ptx)
        TRY(check_objects(parser));
    for (size_t i = 0; i < test->body_count; i++) {
        struct checker checker = {parser, &test->threads[i], STATUS_OK};
        TRY(check_lanes(&checker, (unsigned)i));
        if (!in_ptx && test->dialect != LITMUS_CUDA)
            continue;
        if (!in_ptx) {
            TRY(check_meetings(&checker));
            continue;
        }
        for (struct litmus_walk walk = litmus_walk_block(&test->threads[i].body); litmus_walk_next(&walk);)
            if (walk.expression)
                check_address(&checker, walk.expression);
        TRY(checker.status);
        for (size_t k = 0; k < test->threads[i].body.count; k++)
            TRY(check_statement(&checker, &test->threads[i].body.statements[k]));
        TRY(check_meetings(&checker));
    }
    return STATUS_OK;
}
