// SPDX-License-Identifier: Apache-2.0
/*
 * CUDA tests: the built-in functions of CUDA C++, and libcu++'s cuda::atomic_ref. Sources: CUDA C++
 * Programming Guide, "Atomic Functions", "Memory Fence Functions", "Synchronization Functions";
 * CCCL's documentation of cuda::atomic_ref and cuda::atomic_thread_fence.
 */
#include "litmus/parse/c_language.h"

/* A built-in function is relaxed. Its name gives the scope: the device, with _block the block, with
 * _system everything. */
#define BUILT_IN(name, operation, arguments)                                                                           \
    {name, LITMUS_PERFORM, operation, LITMUS_RELAXED, LITMUS_DEVICE, arguments},                                       \
        {name "_block", LITMUS_PERFORM, operation, LITMUS_RELAXED, LITMUS_WORK_GROUP, arguments},                      \
    {                                                                                                                  \
        name "_system", LITMUS_PERFORM, operation, LITMUS_RELAXED, LITMUS_ALL_DEVICES, arguments                       \
    }
#define FENCE(name, scope, arguments)                                                                                  \
    {                                                                                                                  \
        name, LITMUS_FENCE, LITMUS_OPERATION_COUNT, LITMUS_SEQ_CST, scope, arguments                                   \
    }
#define BARRIER(name, scope)                                                                                           \
    {                                                                                                                  \
        name, LITMUS_BARRIER, LITMUS_OPERATION_COUNT, LITMUS_PLAIN, scope, ""                                          \
    }

/* A barrier that evaluates a predicate in each thread and returns the combined results. */
#define COUNTS(name, operation)                                                                                        \
    {                                                                                                                  \
        name, LITMUS_BARRIER, operation, LITMUS_PLAIN, LITMUS_WORK_GROUP, "c"                                          \
    }

static const struct c_function functions[] = {
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
    FENCE("__threadfence_block", LITMUS_WORK_GROUP, ""),
    FENCE("__threadfence", LITMUS_DEVICE, ""),
    FENCE("__threadfence_system", LITMUS_ALL_DEVICES, ""),
    FENCE("cuda::atomic_thread_fence", LITMUS_ALL_DEVICES, "o?s"),
    BARRIER("__syncthreads", LITMUS_WORK_GROUP),
    BARRIER("__syncwarp", LITMUS_SUB_GROUP),
    COUNTS("__syncthreads_count", LITMUS_FETCH_ADD),
    COUNTS("__syncthreads_or", LITMUS_FETCH_OR),
    COUNTS("__syncthreads_and", LITMUS_FETCH_AND),
    {.name = NULL},
};

#define METHOD(name, operation, arguments)                                                                             \
    {                                                                                                                  \
        name, LITMUS_PERFORM, operation, LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, arguments                                 \
    }

static const struct c_function methods[] = {
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
    {.name = NULL},
};

static const struct word regions[] = {{"__shared__", LITMUS_LOCAL}, {NULL, 0}};

static const struct c_foreign foreign[] = {
    {"__ld", "*(volatile int*)x, or ld.cg and its like in PTX"},
    {"__st", "*(volatile int*)x = 1, or st.cg and its like in PTX"},
    {"__nv_atomic_", "cuda::atomic_ref<int>(*x).load() and its like"},
    {"atomic_", "atomicAdd or cuda::atomic_ref<int>(*x).load() and their like"},
    {NULL, NULL},
};

const struct c_language c_language_cuda = {
    .page = "language-cuda.md",
    .foreign = foreign,
    .functions = functions,
    .reference = "cuda::atomic_ref",
    .methods = methods,
    .orders = cuda_order_words,
    .scopes = cuda_scope_words,
    .regions = regions,
    .an_order = "an order such as cuda::memory_order_relaxed",
    .a_scope = "a scope such as cuda::thread_scope_device",
    .a_parameter = "a pointer parameter such as int* x or __shared__ int* x",
    .volatile_accesses = true,
    .failure_never_releases = true,
};

enum status parse_cuda_threads(struct parser *parser)
{
    return parse_c_threads(parser, &c_language_cuda);
}
