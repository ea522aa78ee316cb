// SPDX-License-Identifier: Apache-2.0
/*
 * HIP's `__hip_atomic_*` for --atomics: clang's own functions for AMD GPUs, which HIP programs and libraries call.
 *
 *     orchil inspect --compiler clang --target amdgcn:gfx90a --atomics hip_atomics.h cuda:MP+rel+acq cuda:SB+sc
 *     orchil run --device hip --atomics hip_atomics.h --time 1 cuda:MP+rel+acq cuda:SB+sc
 */
#define HIP_ORDER(order)                                                                                               \
    ((order) == orchil_relaxed   ? __ATOMIC_RELAXED                                                                    \
     : (order) == orchil_acquire ? __ATOMIC_ACQUIRE                                                                    \
     : (order) == orchil_release ? __ATOMIC_RELEASE                                                                    \
     : (order) == orchil_acq_rel ? __ATOMIC_ACQ_REL                                                                    \
                                 : __ATOMIC_SEQ_CST)

/* HIP has no scope of a cluster: the next wider one. */
#define HIP_SCOPE(scope)                                                                                               \
    ((scope) == orchil_work_item    ? __HIP_MEMORY_SCOPE_SINGLETHREAD                                                  \
     : (scope) == orchil_sub_group  ? __HIP_MEMORY_SCOPE_WAVEFRONT                                                     \
     : (scope) == orchil_work_group ? __HIP_MEMORY_SCOPE_WORKGROUP                                                     \
     : (scope) <= orchil_device     ? __HIP_MEMORY_SCOPE_AGENT                                                         \
                                    : __HIP_MEMORY_SCOPE_SYSTEM)

#define orchil_load(p, order, scope) __hip_atomic_load(p, HIP_ORDER(order), HIP_SCOPE(scope))
#define orchil_store(p, v, order, scope) __hip_atomic_store(p, v, HIP_ORDER(order), HIP_SCOPE(scope))
#define orchil_exchange(p, v, order, scope) __hip_atomic_exchange(p, v, HIP_ORDER(order), HIP_SCOPE(scope))
#define orchil_fetch_add(p, v, order, scope) __hip_atomic_fetch_add(p, v, HIP_ORDER(order), HIP_SCOPE(scope))
#define orchil_fetch_and(p, v, order, scope) __hip_atomic_fetch_and(p, v, HIP_ORDER(order), HIP_SCOPE(scope))
#define orchil_fetch_or(p, v, order, scope) __hip_atomic_fetch_or(p, v, HIP_ORDER(order), HIP_SCOPE(scope))
#define orchil_fetch_xor(p, v, order, scope) __hip_atomic_fetch_xor(p, v, HIP_ORDER(order), HIP_SCOPE(scope))
#define orchil_fetch_min(p, v, order, scope) __hip_atomic_fetch_min(p, v, HIP_ORDER(order), HIP_SCOPE(scope))
#define orchil_fetch_max(p, v, order, scope) __hip_atomic_fetch_max(p, v, HIP_ORDER(order), HIP_SCOPE(scope))
#define orchil_compare_exchange_strong(p, expected, desired, success, failure, scope)                                  \
    __hip_atomic_compare_exchange_strong(p, expected, desired, HIP_ORDER(success), HIP_ORDER(failure), HIP_SCOPE(scope))
#define orchil_compare_exchange_weak(p, expected, desired, success, failure, scope)                                    \
    __hip_atomic_compare_exchange_weak(p, expected, desired, HIP_ORDER(success), HIP_ORDER(failure), HIP_SCOPE(scope))

/* The scope of a fence is a string, so the condition is around it. */
#define orchil_fence(memories, order, scope)                                                                           \
    do {                                                                                                               \
        if ((scope) <= orchil_sub_group)                                                                               \
            __builtin_amdgcn_fence(HIP_ORDER(order), "wavefront");                                                     \
        else if ((scope) == orchil_work_group)                                                                         \
            __builtin_amdgcn_fence(HIP_ORDER(order), "workgroup");                                                     \
        else if ((scope) <= orchil_device)                                                                             \
            __builtin_amdgcn_fence(HIP_ORDER(order), "agent");                                                         \
        else                                                                                                           \
            __builtin_amdgcn_fence(HIP_ORDER(order), "");                                                              \
    } while (0)

#define orchil_barrier(memories, scope)                                                                                \
    do {                                                                                                               \
        orchil_fence(memories, orchil_release, scope);                                                                 \
        __builtin_amdgcn_s_barrier();                                                                                  \
        orchil_fence(memories, orchil_acquire, scope);                                                                 \
    } while (0)
