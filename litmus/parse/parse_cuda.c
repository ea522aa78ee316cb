// SPDX-License-Identifier: Apache-2.0
/* CUDA tests: the language of their threads. */
#include "litmus/parse/c_language.h"

static const struct word regions[] = {{"__shared__", LITMUS_LOCAL}, {NULL, 0}};

static const struct c_foreign foreign[] = {
    {"__ld", "*(volatile int*)x, or ld.cg and its like in PTX"},
    {"__st", "*(volatile int*)x = 1, or st.cg and its like in PTX"},
    {"__nv_atomic_", "cuda::atomic_ref<int>(*x).load() and its like"},
    {"atomic_", "atomicAdd or cuda::atomic_ref<int>(*x).load() and their like"},
    {NULL, NULL},
};

static const struct c_language cuda = {
    .page = "language-cuda.md",
    .foreign = foreign,
    .functions = C_CUDA,
    .reference = C_REFERENCE,
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
    return parse_c_threads(parser, &cuda);
}
