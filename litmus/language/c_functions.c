// SPDX-License-Identifier: Apache-2.0
/*
 * The table of functions in C.
 *
 * OPENCL: OpenCL C 3.0, 6.15.12 and 6.15.8. 3.0 defines the functions of OpenCL C 1.x by later ones: its atomics are
 * relaxed and of work-group scope ("OpenCL C 1.x Legacy Atomics"), its fences of work-group scope ("Fences").
 *
 * CUDA: CUDA C++ Programming Guide, "Atomic Functions", "Memory Fence Functions", "Synchronization Functions"; CCCL's
 * documentation of cuda::atomic_ref and cuda::atomic_thread_fence; the Guide's "Load Functions Using Cache Hints",
 * "Store Functions Using Cache Hints", "Read-Only Data Cache Load Function" and "Built-in Atomic Functions"
 * (__nv_atomic_*). HIP's __hip_atomic_* and the builtins of GCC and clang (__atomic_*, __scoped_atomic_*,
 * __builtin_amdgcn_fence): clang's "Language Extensions". Each is read as the function of the library that means the
 * same, and printed as that.
 */
#include "litmus/language/c_functions.h"

#include "litmus/language/collective.h"
#include "litmus/language/order.h"

#define ACCESS(sets, name, operation, order, scope, arguments, ...)                                                    \
    {                                                                                                                  \
        sets, name, LITMUS_PERFORM, operation, order, scope, arguments, {__VA_ARGS__}, LITMUS_UNRESTRICTED,            \
            LITMUS_CACHE_NONE, false, 0                                                                                \
    }

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

#define NOTHING LITMUS_OPERATION_COUNT

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
#define CACHED(name, operation, arguments, hint, read_only)                                                            \
    {                                                                                                                  \
        C_CUDA, name, LITMUS_PERFORM, operation, LITMUS_PLAIN, LITMUS_SCOPE_NONE, arguments, {0}, LITMUS_UNRESTRICTED, \
            hint, read_only, 0                                                                                         \
    }

/* A function that neither accesses memory nor orders anything; "a": it evaluates its argument. */
#define IDLE(sets, name, arguments)                                                                                    \
    {                                                                                                                  \
        sets, name, LITMUS_LABEL, NOTHING, LITMUS_PLAIN, LITMUS_SCOPE_NONE, arguments, {0}, LITMUS_UNRESTRICTED,       \
            LITMUS_CACHE_NONE, false, 0                                                                                \
    }

#define FENCE(sets, name, order, scope, arguments, ...)                                                                \
    {                                                                                                                  \
        sets, name, LITMUS_FENCE, NOTHING, order, scope, arguments, {__VA_ARGS__}, LITMUS_UNRESTRICTED,                \
            LITMUS_CACHE_NONE, false, 0                                                                                \
    }

/* Of the grids before and after this one (CUDA programming guide, "Programmatic Dependent Launch"). */
#define GRID(name, restriction)                                                                                        \
    {                                                                                                                  \
        C_CUDA, name, LITMUS_FENCE, NOTHING, LITMUS_PLAIN, LITMUS_SCOPE_NONE, "", {0}, restriction, LITMUS_CACHE_NONE, \
            false, 0                                                                                                   \
    }

/* operation: of a barrier that evaluates a predicate in each thread and returns the combined results. */
#define BARRIER(sets, name, operation, scope, arguments, ...)                                                          \
    {                                                                                                                  \
        sets, name, LITMUS_BARRIER, operation, LITMUS_PLAIN, scope, arguments, {__VA_ARGS__}, LITMUS_UNRESTRICTED,     \
            LITMUS_CACHE_NONE, false, 0                                                                                \
    }

#define TOGETHER(sets, name, function, arguments)                                                                      \
    {                                                                                                                  \
        sets, name, LITMUS_COLLECTIVE, NOTHING, LITMUS_PLAIN, LITMUS_SUB_GROUP, arguments, {0}, LITMUS_UNRESTRICTED,   \
            LITMUS_CACHE_NONE, false, function                                                                         \
    }

const struct c_function c_functions[] = {
    C11(C_OPENCL | C_HERD | C_HOST, "load", LITMUS_LOAD, "p", "o"),
    C11(C_OPENCL | C_HERD | C_HOST, "store", LITMUS_STORE, "pv", "o"),
    C11(C_OPENCL | C_HERD | C_HOST, "exchange", LITMUS_EXCHANGE, "pv", "o"),
    C11(C_OPENCL | C_HERD | C_HOST, "compare_exchange_strong", LITMUS_CAS, "pev", "on"),
    C11(C_OPENCL | C_HERD | C_HOST, "compare_exchange_weak", LITMUS_CAS_WEAK, "pev", "on"),
    C11(C_OPENCL | C_HERD | C_HOST, "fetch_add", LITMUS_FETCH_ADD, "pv", "o"),
    C11(C_OPENCL | C_HERD | C_HOST, "fetch_sub", LITMUS_FETCH_SUB, "pv", "o"),
    C11(C_OPENCL | C_HERD | C_HOST, "fetch_and", LITMUS_FETCH_AND, "pv", "o"),
    C11(C_OPENCL | C_HERD | C_HOST, "fetch_or", LITMUS_FETCH_OR, "pv", "o"),
    C11(C_OPENCL | C_HERD | C_HOST, "fetch_xor", LITMUS_FETCH_XOR, "pv", "o"),
    C11(C_OPENCL | C_HERD, "flag_test_and_set", LITMUS_EXCHANGE, "m", "o"),
    C11(C_OPENCL | C_HERD, "flag_clear", LITMUS_STORE, "m", "o"),
    C11(C_OPENCL, "fetch_min", LITMUS_FETCH_MIN, "pv", "o"),
    C11(C_OPENCL, "fetch_max", LITMUS_FETCH_MAX, "pv", "o"),
    FENCE(C_HERD, "atomic_thread_fence", LITMUS_SEQ_CST, LITMUS_DEVICE, "o", 0),
    FENCE(C_HOST, "atomic_thread_fence", LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, "o", 0),
    FENCE(C_OPENCL, "atomic_work_item_fence", LITMUS_SEQ_CST, LITMUS_DEVICE, "fos", 0),
    BARRIER(C_OPENCL, "work_group_barrier", NOTHING, LITMUS_WORK_GROUP, "f?s", 0),
    BARRIER(C_OPENCL, "sub_group_barrier", NOTHING, LITMUS_SUB_GROUP, "f?s", 0),
    PIXEL("read_imagei", LITMUS_LOAD, "i"),
    PIXEL("write_imagei", LITMUS_STORE, "iw"),
    LEGACY("add", LITMUS_FETCH_ADD, "pv", false),
    LEGACY("sub", LITMUS_FETCH_SUB, "pv", false),
    LEGACY("inc", LITMUS_FETCH_ADD, "p", true),
    LEGACY("dec", LITMUS_FETCH_SUB, "p", true),
    LEGACY("xchg", LITMUS_EXCHANGE, "pv", false),
    LEGACY("cmpxchg", LITMUS_CAS, "pxv", false),
    LEGACY("min", LITMUS_FETCH_MIN, "pv", false),
    LEGACY("max", LITMUS_FETCH_MAX, "pv", false),
    LEGACY("and", LITMUS_FETCH_AND, "pv", false),
    LEGACY("or", LITMUS_FETCH_OR, "pv", false),
    LEGACY("xor", LITMUS_FETCH_XOR, "pv", false),
    FENCE(C_OPENCL, "mem_fence", LITMUS_ACQ_REL, LITMUS_WORK_GROUP, "f", .legacy = true),
    FENCE(C_OPENCL, "read_mem_fence", LITMUS_ACQUIRE, LITMUS_WORK_GROUP, "f", .legacy = true),
    FENCE(C_OPENCL, "write_mem_fence", LITMUS_RELEASE, LITMUS_WORK_GROUP, "f", .legacy = true),
    BARRIER(C_OPENCL, "barrier", NOTHING, LITMUS_WORK_GROUP, "f", .legacy = true),
    BUILT_IN("atomicAdd", LITMUS_FETCH_ADD, "pv"),
    BUILT_IN("atomicSub", LITMUS_FETCH_SUB, "pv"),
    BUILT_IN("atomicExch", LITMUS_EXCHANGE, "pv"),
    BUILT_IN("atomicMin", LITMUS_FETCH_MIN, "pv"),
    BUILT_IN("atomicMax", LITMUS_FETCH_MAX, "pv"),
    BUILT_IN("atomicInc", LITMUS_FETCH_INC, "pv"),
    BUILT_IN("atomicDec", LITMUS_FETCH_DEC, "pv"),
    BUILT_IN("atomicAnd", LITMUS_FETCH_AND, "pv"),
    BUILT_IN("atomicOr", LITMUS_FETCH_OR, "pv"),
    BUILT_IN("atomicXor", LITMUS_FETCH_XOR, "pv"),
    BUILT_IN("atomicCAS", LITMUS_CAS, "pxv"),
    FENCE(C_CUDA, "__threadfence_block", LITMUS_SEQ_CST, LITMUS_WORK_GROUP, "", 0),
    FENCE(C_CUDA, "__threadfence", LITMUS_SEQ_CST, LITMUS_DEVICE, "", 0),
    FENCE(C_CUDA, "__threadfence_system", LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, "", 0),
    FENCE(C_CUDA, "cuda::atomic_thread_fence", LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, "o?s", .library = true),
    GRID("cudaGridDependencySynchronize", LITMUS_GRID_WAIT),
    GRID("cudaTriggerProgrammaticLaunchCompletion", LITMUS_GRID_TRIGGER),
    BARRIER(C_CUDA, "__syncthreads", NOTHING, LITMUS_WORK_GROUP, "", 0),
    BARRIER(C_CUDA, "__syncwarp", NOTHING, LITMUS_SUB_GROUP, "?k", 0),
    TOGETHER(C_CUDA, "__syncwarp", LITMUS_SYNC_LANES, "k"), /* of some lanes: parse_mask */
    TOGETHER(C_CUDA, "__any_sync", LITMUS_VOTE_ANY, "kV"),
    TOGETHER(C_CUDA, "__all_sync", LITMUS_VOTE_ALL, "kV"),
    TOGETHER(C_CUDA, "__ballot_sync", LITMUS_BALLOT, "kV"),
    TOGETHER(C_CUDA, "__shfl_sync", LITMUS_SHUFFLE, "kVL"),
    TOGETHER(C_CUDA, "__shfl_xor_sync", LITMUS_SHUFFLE_XOR, "kVL"),
    TOGETHER(C_CUDA, "__match_any_sync", LITMUS_MATCH_ANY, "kV"),
    TOGETHER(C_CUDA, "__reduce_add_sync", LITMUS_REDUCE_ADD, "kV"),
    TOGETHER(C_CUDA, "__reduce_min_sync", LITMUS_REDUCE_MIN, "kV"),
    TOGETHER(C_CUDA, "__reduce_max_sync", LITMUS_REDUCE_MAX, "kV"),
    TOGETHER(C_CUDA, "__activemask", LITMUS_ACTIVE, ""),
    TOGETHER(C_OPENCL, "sub_group_any", LITMUS_VOTE_ANY, "V"),
    TOGETHER(C_OPENCL, "sub_group_all", LITMUS_VOTE_ALL, "V"),
    TOGETHER(C_OPENCL, "sub_group_broadcast", LITMUS_SHUFFLE, "VL"),
    TOGETHER(C_OPENCL, "sub_group_reduce_add", LITMUS_REDUCE_ADD, "V"),
    TOGETHER(C_OPENCL, "sub_group_reduce_min", LITMUS_REDUCE_MIN, "V"),
    TOGETHER(C_OPENCL, "sub_group_reduce_max", LITMUS_REDUCE_MAX, "V"),
    BARRIER(C_CUDA, "__syncthreads_count", LITMUS_FETCH_ADD, LITMUS_WORK_GROUP, "c", 0),
    BARRIER(C_CUDA, "__syncthreads_or", LITMUS_FETCH_OR, LITMUS_WORK_GROUP, "c", 0),
    BARRIER(C_CUDA, "__syncthreads_and", LITMUS_FETCH_AND, LITMUS_WORK_GROUP, "c", 0),
    /* Cooperative Groups: the block's barrier is __syncthreads(), and the cluster's PTX's barrier.cluster.arrive and
     * .wait. All threads of the grid meet at the grid's, which orders what they access before and after it. */
    BARRIER(C_CUDA, "__cluster_barrier_arrive", LITMUS_ARRIVE, LITMUS_CLUSTER, "", 0),
    BARRIER(C_CUDA, "__cluster_barrier_wait", LITMUS_TRY_WAIT, LITMUS_CLUSTER, "", 0),
    BARRIER(C_CUDA, "cooperative_groups::this_grid().sync", LITMUS_LOAD, LITMUS_DEVICE, "", 0),
    BARRIER(C_CUDA, "cooperative_groups::this_cluster().sync", LITMUS_EXPECT_ARRIVE, LITMUS_CLUSTER, "", 0),
    BARRIER(C_CUDA, "cooperative_groups::this_cluster().barrier_arrive", LITMUS_ARRIVE, LITMUS_CLUSTER, "", 0),
    BARRIER(C_CUDA, "cooperative_groups::this_cluster().barrier_wait", LITMUS_TRY_WAIT, LITMUS_CLUSTER, "", 0),
    BARRIER(C_CUDA, "cg::this_grid().sync", LITMUS_LOAD, LITMUS_DEVICE, "", 0),
    BARRIER(C_CUDA, "cg::this_cluster().sync", LITMUS_EXPECT_ARRIVE, LITMUS_CLUSTER, "", 0),
    BARRIER(C_CUDA, "cooperative_groups::this_thread_block().sync", NOTHING, LITMUS_WORK_GROUP, "", 0),
    BARRIER(C_CUDA, "cg::this_thread_block().sync", NOTHING, LITMUS_WORK_GROUP, "", 0),
    CACHED("__ldca", LITMUS_LOAD, "p", LITMUS_CACHE_ALL, false),
    CACHED("__ldcg", LITMUS_LOAD, "p", LITMUS_CACHE_GLOBAL, false),
    CACHED("__ldcs", LITMUS_LOAD, "p", LITMUS_CACHE_STREAMING, false),
    CACHED("__ldcv", LITMUS_LOAD, "p", LITMUS_CACHE_VOLATILE, false),
    CACHED("__ldlu", LITMUS_LOAD, "p", LITMUS_CACHE_LAST_USE, false),
    CACHED("__stwb", LITMUS_STORE, "pv", LITMUS_CACHE_WRITE_BACK, false),
    CACHED("__stcg", LITMUS_STORE, "pv", LITMUS_CACHE_GLOBAL, false),
    CACHED("__stcs", LITMUS_STORE, "pv", LITMUS_CACHE_STREAMING, false),
    CACHED("__stwt", LITMUS_STORE, "pv", LITMUS_CACHE_WRITE_THROUGH, false),
    CACHED("__ldg", LITMUS_LOAD, "p", LITMUS_CACHE_NONE, true),
    METHOD("load", LITMUS_LOAD, "?o"),
    METHOD("store", LITMUS_STORE, "v?o"),
    METHOD("exchange", LITMUS_EXCHANGE, "v?o"),
    METHOD("compare_exchange_strong", LITMUS_CAS, "rv?on"),
    METHOD("compare_exchange_weak", LITMUS_CAS_WEAK, "rv?on"),
    METHOD("fetch_add", LITMUS_FETCH_ADD, "v?o"),
    METHOD("fetch_sub", LITMUS_FETCH_SUB, "v?o"),
    METHOD("fetch_and", LITMUS_FETCH_AND, "v?o"),
    METHOD("fetch_or", LITMUS_FETCH_OR, "v?o"),
    METHOD("fetch_xor", LITMUS_FETCH_XOR, "v?o"),
    METHOD("fetch_min", LITMUS_FETCH_MIN, "v?o"),
    METHOD("fetch_max", LITMUS_FETCH_MAX, "v?o"),
    /* What other words say the same; printed by the rows above. */
    BUILTINS("__nv_atomic_", "_n", "?s"),
    BUILTIN("__nv_atomic_", "compare_exchange_n", LITMUS_CAS, "evb", "n?s"),
    FENCE(C_CUDA, "__nv_atomic_thread_fence", LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, "o?s", .library = true),
    BUILTINS("__hip_atomic_", "", "s"),
    BUILTIN("__hip_atomic_", "compare_exchange_strong", LITMUS_CAS, "ev", "ns"),
    BUILTIN("__hip_atomic_", "compare_exchange_weak", LITMUS_CAS_WEAK, "ev", "ns"),
    BUILTINS("__atomic_", "_n", ""),
    BUILTIN("__atomic_", "compare_exchange_n", LITMUS_CAS, "evb", "n"),
    FENCE(C_CUDA, "__atomic_thread_fence", LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, "o", .library = true),
    BUILTINS("__scoped_atomic_", "_n", "s"),
    BUILTIN("__scoped_atomic_", "compare_exchange_n", LITMUS_CAS, "evb", "ns"),
    FENCE(C_CUDA, "__scoped_atomic_thread_fence", LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, "os", .library = true),
    FENCE(C_CUDA, "__builtin_amdgcn_fence", LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, "oS", .library = true),
    IDLE(C_CUDA, "__nanosleep", "d"),
    IDLE(C_CUDA, "__builtin_amdgcn_s_sleep", "d"),
    IDLE(C_CUDA, "__builtin_prefetch", "l?dd"),
    IDLE(C_CUDA, "__prefetch_global_l1", "l"),
    IDLE(C_CUDA, "__prefetch_global_l2", "l"),
    IDLE(C_OPENCL, "prefetch", "ld"),
    IDLE(C_CUDA | C_OPENCL | C_HERD, "assert", "a"),
    IDLE(C_CUDA | C_OPENCL, "printf", "t"),
    {.name = NULL},
};

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
