// SPDX-License-Identifier: Apache-2.0
/* The table of functions in C, which c_functions.txt lists, and the function of a meaning. */
#include "litmus/language/c_functions.h"

#include "litmus/language/c_functions_lists.h"
#include "litmus/language/collective.h"
#include "litmus/language/order.h"

#define NOTHING LITMUS_OPERATION_COUNT
#define FUNCTION(sets, name, kind, operation, order, scope, arguments, ...)                                            \
    {                                                                                                                  \
        sets, name, kind, operation, order, scope, arguments, __VA_ARGS__                                              \
    }

/* What follows the arguments of an access, a fence or a barrier is its spelling. */
#define ACCESS(sets, name, operation, order, scope, arguments, ...)                                                    \
    FUNCTION(sets, name, LITMUS_PERFORM, operation, order, scope, arguments, .spelling = {__VA_ARGS__})

/* A function of C11 without an order, which is then seq_cst, and with one; in OpenCL C also with a scope. */
#define C11(sets, name, operation, arguments, orders)                                                                  \
    ACCESS((sets) & ~C_HOST, "atomic_" name, operation, LITMUS_SEQ_CST, LITMUS_DEVICE, arguments, 0),                  \
        ACCESS((sets)&C_OPENCL, "atomic_" name "_explicit", operation, LITMUS_SEQ_CST, LITMUS_DEVICE,                  \
               arguments orders "?s", 0),                                                                              \
        ACCESS((sets)&C_HERD, "atomic_" name "_explicit", operation, LITMUS_SEQ_CST, LITMUS_DEVICE, arguments orders,  \
               0),                                                                                                     \
        ACCESS((sets)&C_HOST, "atomic_" name "_explicit", operation, LITMUS_SEQ_CST, LITMUS_ALL_DEVICES,               \
               arguments orders, 0)

/* By both names that OpenCL C 1.x has for an atomic function; the 64-bit functions have only the older one. */
#define LEGACY(name, operation, arguments, step)                                                                       \
    ACCESS(C_OPENCL, "atomic_" name, operation, LITMUS_RELAXED, LITMUS_WORK_GROUP, arguments, .legacy = true,          \
           .legacy_step = (step)),                                                                                     \
        ACCESS(C_OPENCL, "atom_" name, operation, LITMUS_RELAXED, LITMUS_WORK_GROUP, arguments, .legacy = true,        \
               .legacy_step = (step), .legacy_atom = true)

/* Accesses of an image promise no more than plain ones. */
#define PIXEL(name, operation, arguments)                                                                              \
    ACCESS(C_OPENCL, name, operation, LITMUS_PLAIN, LITMUS_SCOPE_NONE, arguments, 0)

/* A built-in function of CUDA is relaxed. Its name gives the scope: the device, with _block the block, with _system
 * everything. */
#define BUILT_IN(name, operation, arguments)                                                                           \
    ACCESS(C_CUDA, name, operation, LITMUS_RELAXED, LITMUS_DEVICE, arguments, 0),                                      \
        ACCESS(C_CUDA, name "_block", operation, LITMUS_RELAXED, LITMUS_WORK_GROUP, arguments, 0),                     \
        ACCESS(C_CUDA, name "_system", operation, LITMUS_RELAXED, LITMUS_ALL_DEVICES, arguments, 0)

#define METHOD(name, operation, arguments)                                                                             \
    ACCESS(C_CUDA, name, operation, LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, arguments, .library = true)

/* A built-in function of a compiler, with and without "_n", that means what the library's does. */
#define BUILTIN(prefix, name, operation, arguments, end)                                                               \
    ACCESS(C_CUDA, prefix name, operation, LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, "p" arguments "o" end, .library = true)
#define BUILTINS(prefix, n, end)                                                                                       \
    BUILTIN(prefix, "load" n, LITMUS_LOAD, "", end), BUILTIN(prefix, "store" n, LITMUS_STORE, "v", end),               \
        BUILTIN(prefix, "exchange" n, LITMUS_EXCHANGE, "v", end),                                                      \
        BUILTIN(prefix, "fetch_add", LITMUS_FETCH_ADD, "v", end),                                                      \
        BUILTIN(prefix, "fetch_sub", LITMUS_FETCH_SUB, "v", end),                                                      \
        BUILTIN(prefix, "fetch_and", LITMUS_FETCH_AND, "v", end),                                                      \
        BUILTIN(prefix, "fetch_or", LITMUS_FETCH_OR, "v", end),                                                        \
        BUILTIN(prefix, "fetch_xor", LITMUS_FETCH_XOR, "v", end),                                                      \
        BUILTIN(prefix, "fetch_min", LITMUS_FETCH_MIN, "v", end),                                                      \
        BUILTIN(prefix, "fetch_max", LITMUS_FETCH_MAX, "v", end)

/* Loads and stores with a cache operator: the weak ld and st of PTX with it. */
#define CACHED(name, operation, arguments, hint, is_read_only)                                                         \
    FUNCTION(C_CUDA, name, LITMUS_PERFORM, operation, LITMUS_PLAIN, LITMUS_SCOPE_NONE, arguments, .cache = hint,       \
             .read_only = is_read_only)

/* A function that neither accesses memory nor orders anything; "a": it evaluates its argument. */
#define IDLE(sets, name, arguments)                                                                                    \
    FUNCTION(sets, name, LITMUS_LABEL, NOTHING, LITMUS_PLAIN, LITMUS_SCOPE_NONE, arguments, .read_only = false)

#define FENCE(sets, name, order, scope, arguments, ...)                                                                \
    FUNCTION(sets, name, LITMUS_FENCE, NOTHING, order, scope, arguments, .spelling = {__VA_ARGS__})

/* Of the grids before and after this one (CUDA programming guide, "Programmatic Dependent Launch"). */
#define GRID(name, of_grids)                                                                                           \
    FUNCTION(C_CUDA, name, LITMUS_FENCE, NOTHING, LITMUS_PLAIN, LITMUS_SCOPE_NONE, "", .restriction = of_grids)

/* operation: of a barrier that evaluates a predicate in each thread and returns the combined results. */
#define BARRIER(sets, name, operation, scope, arguments, ...)                                                          \
    FUNCTION(sets, name, LITMUS_BARRIER, operation, LITMUS_PLAIN, scope, arguments, .spelling = {__VA_ARGS__})

#define TOGETHER(sets, name, function, arguments)                                                                      \
    FUNCTION(sets, name, LITMUS_COLLECTIVE, NOTHING, LITMUS_PLAIN, LITMUS_SUB_GROUP, arguments, .together = function)

#define ROW(meaning, ...) meaning(__VA_ARGS__),
const struct c_function c_functions[] = {C_FUNCTION_LIST(ROW){.name = NULL}};

bool c_takes(const struct c_function *function, char letter)
{
    return strchr(function->arguments, letter) != NULL;
}

bool c_is_method(const struct c_function *function)
{
    return function->kind == LITMUS_PERFORM && function->spelling.library && !c_takes(function, 'p');
}

/* ---- the function of a meaning ---- */

/* Whether the function is for what a row without a name means, but for its order and scope. Of the letters "imxo" it
 * must have exactly those of that row; a barrier is of a sub-group if that row has an 's'. */
static bool is_for(const struct c_function *function, const struct c_function *wanted)
{
    const bool orders = c_takes(wanted, 'o') || wanted->spelling.library || wanted->sets == C_HOST;
    struct litmus_spelling spelling = wanted->spelling;
    spelling.explicit_order = spelling.explicit_scope = false;
    return function->kind == wanted->kind && (function->sets & wanted->sets) != 0 && function->cache == wanted->cache &&
           function->read_only == wanted->read_only && function->operation == wanted->operation &&
           function->restriction == wanted->restriction &&
           memcmp(&function->spelling, &spelling, sizeof spelling) == 0 &&
           c_takes(function, 'i') == c_takes(wanted, 'i') && c_takes(function, 'm') == c_takes(wanted, 'm') &&
           c_takes(function, 'x') == c_takes(wanted, 'x') &&
           (function->kind != LITMUS_PERFORM || c_takes(function, 'o') == orders) &&
           (function->kind != LITMUS_BARRIER || (function->scope == LITMUS_SUB_GROUP) == c_takes(wanted, 's'));
}

/* Whether its order and scope are those, or a call can name them; a method's object names its scope. */
static bool orders_as(const struct c_function *function, const struct c_function *wanted)
{
    const bool scopes = c_takes(function, 's') || c_is_method(function) || function->spelling.legacy;
    return (c_takes(function, 'o') || function->order == wanted->order) && (scopes || function->scope == wanted->scope);
}

static const struct c_function *c_functions_find(const struct c_function *wanted, bool exact)
{
    const struct c_function *row = c_functions;
    while (row->name && !(is_for(row, wanted) && (!exact || orders_as(row, wanted))))
        row++;
    return row->name ? row : NULL;
}

/* The library has functions of orders and scopes that no built-in function has; other dialects have no library. */
static const struct c_function *find_any(const struct c_function *wanted)
{
    struct c_function other = *wanted;
    other.spelling.library = !wanted->spelling.library;
    const struct c_function *function = c_functions_find(wanted, true);
    function = function ? function : c_functions_find(&other, true);
    return function ? function : c_functions_find(wanted, false);
}

const struct c_function *c_find_access(unsigned set, const struct litmus_access *access, bool pixel)
{
    const char *const letters = PRINTED(8, "%s%s%s%s", pixel ? "i" : "", access->type == LITMUS_FLAG ? "m" : "",
                                        access->expected ? "x" : "", access->spelling.explicit_order ? "o" : "");
    return find_any(&(struct c_function){.sets = set,
                                         .kind = LITMUS_PERFORM,
                                         .operation = access->operation,
                                         .order = access->order,
                                         .scope = access->scope,
                                         .arguments = letters,
                                         .spelling = access->spelling,
                                         .cache = access->cache,
                                         .read_only = access->read_only});
}

const struct c_function *c_find_fence(unsigned set, const struct litmus_fence *fence)
{
    return find_any(&(struct c_function){.sets = set,
                                         .kind = LITMUS_FENCE,
                                         .operation = NOTHING,
                                         .order = fence->order,
                                         .scope = fence->scope,
                                         .arguments = "",
                                         .spelling = fence->spelling,
                                         .restriction = fence->restriction});
}

const struct c_function *c_find_barrier(unsigned set, const struct litmus_barrier *barrier)
{
    const bool grid = set == C_CUDA && barrier->scope == LITMUS_DEVICE;
    return find_any(&(struct c_function){.sets = set,
                                         .kind = LITMUS_BARRIER,
                                         .operation = barrier->arrive ? LITMUS_ARRIVE
                                                      : barrier->wait ? LITMUS_TRY_WAIT
                                                      : grid          ? LITMUS_LOAD
                                                                      : NOTHING,
                                         .order = barrier->order,
                                         .scope = barrier->scope,
                                         .arguments = barrier->sub_group ? "s" : "",
                                         .spelling = barrier->spelling});
}

const struct c_function *c_find_collective(unsigned set, enum litmus_collective_function function)
{
    const struct c_function *row = c_functions;
    while (row->name && !(row->kind == LITMUS_COLLECTIVE && (row->sets & set) != 0 && row->together == function))
        row++;
    return row->name ? row : NULL;
}

const char *litmus_cuda_collective(enum litmus_collective_function function)
{
    const struct c_function *const row = c_find_collective(C_CUDA, function);
    return row ? row->name : NULL;
}

const char *litmus_cuda_function(enum litmus_operation operation, enum litmus_order order, enum litmus_scope scope,
                                 bool expects_value)
{
    const struct c_function wanted = {.sets = C_CUDA,
                                      .kind = LITMUS_PERFORM,
                                      .operation = operation,
                                      .order = order,
                                      .scope = scope,
                                      .arguments = expects_value ? "x" : ""};
    const struct c_function *const function = c_functions_find(&wanted, true);
    return function ? function->name : NULL;
}

const char *litmus_cuda_cached(enum litmus_operation operation, enum litmus_cache cache, bool read_only)
{
    const struct c_function wanted = {.sets = C_CUDA,
                                      .kind = LITMUS_PERFORM,
                                      .operation = operation,
                                      .arguments = "",
                                      .cache = cache,
                                      .read_only = read_only};
    const struct c_function *const function = c_functions_find(&wanted, false);
    return function ? function->name : NULL;
}

const char *litmus_legacy_name(enum litmus_operation operation, bool step)
{
    const bool compares = operation_compares(operation);
    const struct c_function wanted = {.sets = C_OPENCL,
                                      .kind = LITMUS_PERFORM,
                                      .operation = compares ? LITMUS_CAS : operation,
                                      .arguments = compares ? "x" : "",
                                      .spelling = {.legacy = true, .legacy_step = step}};
    const struct c_function *const function = c_functions_find(&wanted, false);
    return function ? function->name + strlen("atomic_") : NULL;
}
