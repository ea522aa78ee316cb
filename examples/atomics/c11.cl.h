// SPDX-License-Identifier: Apache-2.0
/*
 * OpenCL C's own atomics, written out for `orchil run --atomics`: the pattern of a library that wraps them. Needs a
 * device with OpenCL C 2.0 or later.
 *
 *     orchil run --device opencl --atomics c11.cl.h --time 1 opencl:MP+rel+acq opencl:SB+sc
 *
 * Kernels call functions with orders and a scope as arguments. All of them are constants, so compilers fold the
 * conversions below. Pointers are to the plain type, in the address space of the test.
 */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define C11_ORDER(order)                                                                                               \
    ((order) == orchil_relaxed   ? memory_order_relaxed                                                                \
     : (order) == orchil_acquire ? memory_order_acquire                                                                \
     : (order) == orchil_release ? memory_order_release                                                                \
     : (order) == orchil_acq_rel ? memory_order_acq_rel                                                                \
                                 : memory_order_seq_cst)

/* Devices of OpenCL C 3.0 choose whether they have sub-groups and the widest scope. */
#ifdef __opencl_c_subgroups
#define C11_SUB_GROUP memory_scope_sub_group
#else
#define C11_SUB_GROUP memory_scope_work_group
#endif
#ifdef __opencl_c_atomic_scope_all_devices
#define C11_ALL_DEVICES memory_scope_all_svm_devices
#else
#define C11_ALL_DEVICES memory_scope_device
#endif

/* NVIDIA's compiler has no such word. */
#ifdef __NV_CL_C_VERSION
#define C11_WORK_ITEM memory_scope_work_group
#else
#define C11_WORK_ITEM memory_scope_work_item
#endif

#define C11_SCOPE(scope)                                                                                               \
    ((scope) == orchil_work_item    ? C11_WORK_ITEM                                                                    \
     : (scope) == orchil_sub_group  ? C11_SUB_GROUP                                                                    \
     : (scope) == orchil_work_group ? memory_scope_work_group                                                          \
     : (scope) == orchil_device     ? memory_scope_device                                                              \
                                    : C11_ALL_DEVICES)

#define C11_MEMORIES(memories)                                                                                         \
    (((memories)&orchil_global ? CLK_GLOBAL_MEM_FENCE : 0) | ((memories)&orchil_local ? CLK_LOCAL_MEM_FENCE : 0))

#define C11_FUNCTION static inline __attribute__((overloadable))

/* Names of functions are written in full: orchil looks for them in the text, and does not paste words. */
#define C11_FETCH(name, builtin, space, type)                                                                          \
    C11_FUNCTION type name(space type *p, type v, int order, int scope)                                                \
    {                                                                                                                  \
        return builtin((volatile space atomic_##type *)p, v, C11_ORDER(order), C11_SCOPE(scope));                      \
    }

#define C11_COMPARE(name, builtin, space, type)                                                                        \
    C11_FUNCTION bool name(space type *p, type *expected, type desired, int success, int failure, int scope)           \
    {                                                                                                                  \
        return builtin((volatile space atomic_##type *)p, expected, desired, C11_ORDER(success), C11_ORDER(failure),   \
                       C11_SCOPE(scope));                                                                              \
    }

#define C11_FUNCTIONS(space, type)                                                                                     \
    C11_FUNCTION type orchil_load(space type *p, int order, int scope)                                                 \
    {                                                                                                                  \
        return atomic_load_explicit((volatile space atomic_##type *)p, C11_ORDER(order), C11_SCOPE(scope));            \
    }                                                                                                                  \
    C11_FUNCTION void orchil_store(space type *p, type v, int order, int scope)                                        \
    {                                                                                                                  \
        atomic_store_explicit((volatile space atomic_##type *)p, v, C11_ORDER(order), C11_SCOPE(scope));               \
    }                                                                                                                  \
    C11_FETCH(orchil_exchange, atomic_exchange_explicit, space, type)                                                  \
    C11_COMPARE(orchil_compare_exchange_strong, atomic_compare_exchange_strong_explicit, space, type)                  \
    C11_COMPARE(orchil_compare_exchange_weak, atomic_compare_exchange_weak_explicit, space, type)                      \
    C11_FETCH(orchil_fetch_add, atomic_fetch_add_explicit, space, type)                                                \
    C11_FETCH(orchil_fetch_sub, atomic_fetch_sub_explicit, space, type)                                                \
    C11_FETCH(orchil_fetch_and, atomic_fetch_and_explicit, space, type)                                                \
    C11_FETCH(orchil_fetch_or, atomic_fetch_or_explicit, space, type)                                                  \
    C11_FETCH(orchil_fetch_xor, atomic_fetch_xor_explicit, space, type)                                                \
    C11_FETCH(orchil_fetch_min, atomic_fetch_min_explicit, space, type)                                                \
    C11_FETCH(orchil_fetch_max, atomic_fetch_max_explicit, space, type)

C11_FUNCTIONS(global, int)
C11_FUNCTIONS(global, uint)
C11_FUNCTIONS(global, long)
C11_FUNCTIONS(global, ulong)
C11_FUNCTIONS(local, int)
C11_FUNCTIONS(local, uint)
C11_FUNCTIONS(local, long)
C11_FUNCTIONS(local, ulong)

static inline void orchil_fence(int memories, int order, int scope)
{
    atomic_work_item_fence(C11_MEMORIES(memories), C11_ORDER(order), C11_SCOPE(scope));
}

static inline void orchil_barrier(int memories, int scope)
{
    work_group_barrier(C11_MEMORIES(memories), C11_SCOPE(scope));
}

#ifdef __opencl_c_subgroups
static inline void orchil_sub_group_barrier(int memories, int scope)
{
    sub_group_barrier(C11_MEMORIES(memories), C11_SCOPE(scope));
}
#endif
