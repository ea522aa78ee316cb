// SPDX-License-Identifier: Apache-2.0
/*
 * OPENCL tests: OpenCL C 3.0, 6.15.12 and 6.15.8. 3.0 defines the functions of OpenCL C 1.x by
 * later ones: its atomics are relaxed and of work-group scope ("OpenCL C 1.x Legacy Atomics"), its
 * fences of work-group scope ("Fences").
 */
#include "litmus/parse/c_language.h"

/* Accesses of an image promise no more than plain ones. */
#define PIXEL(name, operation, arguments)                                                                              \
    {                                                                                                                  \
        name, LITMUS_PERFORM, operation, LITMUS_PLAIN, LITMUS_SCOPE_NONE, arguments                                    \
    }

#define ACCESS(name, operation, arguments, orders) C11_FUNCTION(name, operation, arguments, orders, "?s")
#define BARRIER(name, scope, arguments)                                                                                \
    {                                                                                                                  \
        name, LITMUS_BARRIER, LITMUS_OPERATION_COUNT, LITMUS_PLAIN, scope, arguments                                   \
    }

/* By both names that OpenCL C 1.x has for an atomic function; the 64-bit functions have only the
 * older one. */
#define LEGACY(name, operation, arguments)                                                                             \
    {"atomic_" name, LITMUS_PERFORM, operation, LITMUS_RELAXED, LITMUS_WORK_GROUP, arguments},                         \
    {                                                                                                                  \
        "atom_" name, LITMUS_PERFORM, operation, LITMUS_RELAXED, LITMUS_WORK_GROUP, arguments                          \
    }
#define LEGACY_FENCE(name, order)                                                                                      \
    {                                                                                                                  \
        name, LITMUS_FENCE, LITMUS_OPERATION_COUNT, order, LITMUS_WORK_GROUP, "f"                                      \
    }

static const struct c_function functions[] = {
    C11_FUNCTIONS(ACCESS),
    C11_FLAG_FUNCTIONS(ACCESS),
    ACCESS("fetch_min", LITMUS_FETCH_MIN, "pv", "o"),
    ACCESS("fetch_max", LITMUS_FETCH_MAX, "pv", "o"),
    {"atomic_work_item_fence", LITMUS_FENCE, LITMUS_OPERATION_COUNT, LITMUS_SEQ_CST, LITMUS_DEVICE, "fos"},
    BARRIER("work_group_barrier", LITMUS_WORK_GROUP, "f?s"),
    BARRIER("sub_group_barrier", LITMUS_SUB_GROUP, "f?s"),
    PIXEL("read_imagei", LITMUS_LOAD, "i"),
    PIXEL("write_imagei", LITMUS_STORE, "iw"),
    {.name = NULL},
};

static const struct c_function legacy[] = {
    LEGACY("add", LITMUS_FETCH_ADD, "pv"),          LEGACY("sub", LITMUS_FETCH_SUB, "pv"),
    LEGACY("inc", LITMUS_FETCH_ADD, "p"),           LEGACY("dec", LITMUS_FETCH_SUB, "p"),
    LEGACY("xchg", LITMUS_EXCHANGE, "pv"),          LEGACY("cmpxchg", LITMUS_CAS, "pxv"),
    LEGACY("min", LITMUS_FETCH_MIN, "pv"),          LEGACY("max", LITMUS_FETCH_MAX, "pv"),
    LEGACY("and", LITMUS_FETCH_AND, "pv"),          LEGACY("or", LITMUS_FETCH_OR, "pv"),
    LEGACY("xor", LITMUS_FETCH_XOR, "pv"),          LEGACY_FENCE("mem_fence", LITMUS_ACQ_REL),
    LEGACY_FENCE("read_mem_fence", LITMUS_ACQUIRE), LEGACY_FENCE("write_mem_fence", LITMUS_RELEASE),
    BARRIER("barrier", LITMUS_WORK_GROUP, "f"),     {.name = NULL},
};

const struct c_language c_language_opencl = {
    .page = "language-opencl.md",
    .functions = functions,
    .legacy = legacy,
    .orders = c_order_words,
    .scopes = c_scope_words,
    .regions = region_words,
    .an_order = "an order such as memory_order_relaxed",
    .a_scope = "a scope such as memory_scope_device",
    .a_parameter = "a pointer parameter such as global atomic_int* x",
    .atomic_types = true,
    .generic_pointers = true,
    .images = true,
    .notes_form = true,
};

static enum status check_address(struct parser *parser, int points_to, struct litmus_place place)
{
    const struct litmus_location *location = points_to == LITMUS_NONE ? NULL : &parser->test->locations[points_to];
    return location && location->region == LITMUS_IMAGE
               ? parser_fail(parser, place, STATUS_SYNTAX, "expected the address of a buffer, found the image '%s'",
                             location->name)
               : STATUS_OK;
}

/* Nothing points to an image: only its own functions access it. */
static enum status check_addresses(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    for (size_t i = 0; i < test->location_count; i++)
        TRY(check_address(parser, test->locations[i].points_to, test->locations[i].place));
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct litmus_thread *thread = &parser->drafts[i]->thread;
        for (size_t r = 0; r < thread->register_count; r++)
            TRY(check_address(parser, thread->registers[r].points_to, thread->place));
    }
    return STATUS_OK;
}

enum status parse_opencl_threads(struct parser *parser)
{
    TRY(parse_c_threads(parser, &c_language_opencl));
    return check_addresses(parser);
}
