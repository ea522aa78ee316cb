// SPDX-License-Identifier: Apache-2.0
/*
 * `cuda::atomic_ref` of libcu++ for --atomics: tests the library itself. Needs its headers, which come with the CUDA
 * Toolkit.
 *
 *     orchil inspect --atomics atomic_ref.cuh cuda:MP+rel+acq cuda:SB+sc
 *     orchil run --device cuda --atomics atomic_ref.cuh --time 1 cuda:MP+rel+acq cuda:SB+sc
 *
 * Orders and scopes that kernels pass are constants, so a macro can make them arguments of templates.
 */
#include <cuda/atomic>

constexpr __device__ cuda::memory_order ref_order(int order)
{
    return order == orchil_relaxed   ? cuda::memory_order_relaxed
           : order == orchil_acquire ? cuda::memory_order_acquire
           : order == orchil_release ? cuda::memory_order_release
           : order == orchil_acq_rel ? cuda::memory_order_acq_rel
                                     : cuda::memory_order_seq_cst;
}

/* libcu++ has no scope of a warp and none of a cluster: the next wider one. */
constexpr __device__ cuda::thread_scope ref_scope(int scope)
{
    return scope == orchil_work_item    ? cuda::thread_scope_thread
           : scope <= orchil_work_group ? cuda::thread_scope_block
           : scope <= orchil_device     ? cuda::thread_scope_device
                                        : cuda::thread_scope_system;
}

template <int scope, typename T> __device__ cuda::atomic_ref<T, ref_scope(scope)> ref_to(T *p)
{
    return cuda::atomic_ref<T, ref_scope(scope)>(*p);
}

#define orchil_load(p, order, scope) ref_to<scope>(p).load(ref_order(order))
#define orchil_store(p, v, order, scope) ref_to<scope>(p).store(v, ref_order(order))
#define orchil_exchange(p, v, order, scope) ref_to<scope>(p).exchange(v, ref_order(order))
#define orchil_fetch_add(p, v, order, scope) ref_to<scope>(p).fetch_add(v, ref_order(order))
#define orchil_fetch_sub(p, v, order, scope) ref_to<scope>(p).fetch_sub(v, ref_order(order))
#define orchil_fetch_and(p, v, order, scope) ref_to<scope>(p).fetch_and(v, ref_order(order))
#define orchil_fetch_or(p, v, order, scope) ref_to<scope>(p).fetch_or(v, ref_order(order))
#define orchil_fetch_xor(p, v, order, scope) ref_to<scope>(p).fetch_xor(v, ref_order(order))
#define orchil_fetch_min(p, v, order, scope) ref_to<scope>(p).fetch_min(v, ref_order(order))
#define orchil_fetch_max(p, v, order, scope) ref_to<scope>(p).fetch_max(v, ref_order(order))
#define orchil_compare_exchange_strong(p, expected, desired, success, failure, scope)                                  \
    ref_to<scope>(p).compare_exchange_strong(*(expected), desired, ref_order(success), ref_order(failure))
#define orchil_compare_exchange_weak(p, expected, desired, success, failure, scope)                                    \
    ref_to<scope>(p).compare_exchange_weak(*(expected), desired, ref_order(success), ref_order(failure))

#define orchil_fence(memories, order, scope) cuda::atomic_thread_fence(ref_order(order), ref_scope(scope))
#define orchil_barrier(memories, scope) __syncthreads()
#define orchil_sub_group_barrier(memories, scope) __syncwarp()
