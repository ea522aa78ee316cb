// SPDX-License-Identifier: Apache-2.0
/*
 * A right header of atomics in OpenCL C, and 20 faults of it: FAULT_n is defined for the n-th. `play` reads this table:
 * number, fault, and the tests that ask for it. A test without a folder is of the catalogue.
 *
 *  1 | a fence of the work-group where one of the device is asked | MP+fencear
 *  2 | a relaxed store for a release store | MP+rel+acq
 *  3 | a relaxed load for an acquire load | MP+rel+acq
 *  4 | an addition as a load and a store | RMW-add+relaxed
 *  5 | a plain store for an atomic one | MP+rel+acq
 *  6 | a compare-exchange that fails without its acquire | cas-failed.litmus
 *  7 | a barrier for local memory where global memory is asked | MP+barrier+01
 *  8 | no fence | MP+fencear SB+fencesc
 *  9 | read-modify-writes without their acquire | MP+ra+rmw
 * 10 | seq_cst as acquire and release | SB+sc SB+fencesc
 * 11 | the fence of a release store behind the store | MP+rel+acq
 * 12 | accesses of the work-group where the device is asked | MP+rel+acq
 * 13 | a store of another value | MP+rel+acq
 * 14 | an exchange as a load and a store | RMW-exch+relaxed
 * 15 | a weak compare-exchange for a strong one | cas-winner.litmus
 * 16 | a barrier for no memory | MP+barrier+01
 * 17 | an or as an exchange | RMW-or+relaxed
 * 18 | a plain load for an atomic one | CoRR+relaxed
 * 19 | an addition that gives the new value | RMW-tickets+relaxed
 * 20 | a compare-exchange that fails without giving the value found | cas-old.litmus
 */

#ifdef FAULT_10
#define SEQ_CST memory_order_acq_rel
#define SEQ_CST_LOAD memory_order_acquire
#define SEQ_CST_STORE memory_order_release
#else
#define SEQ_CST memory_order_seq_cst
#define SEQ_CST_LOAD memory_order_seq_cst
#define SEQ_CST_STORE memory_order_seq_cst
#endif

#ifdef FAULT_9
#define ACQUIRE memory_order_relaxed
#define ACQ_REL memory_order_release
#else
#define ACQUIRE memory_order_acquire
#define ACQ_REL memory_order_acq_rel
#endif

/* Devices of OpenCL C 3.0 choose whether they have the widest scope. */
#ifdef __opencl_c_atomic_scope_all_devices
#define SYSTEM memory_scope_all_svm_devices
#else
#define SYSTEM memory_scope_device
#endif

#define SCOPE(scope)                                                                                                   \
    ((scope) == orchil_work_group ? memory_scope_work_group : (scope) == orchil_device ? memory_scope_device : SYSTEM)

#ifdef FAULT_12
#define ACCESS_SCOPE(scope) memory_scope_work_group
#else
#define ACCESS_SCOPE(scope) SCOPE(scope)
#endif

#define RMW_ORDER(order)                                                                                               \
    ((order) == orchil_relaxed   ? memory_order_relaxed                                                                \
     : (order) == orchil_acquire ? ACQUIRE                                                                             \
     : (order) == orchil_release ? memory_order_release                                                                \
     : (order) == orchil_acq_rel ? ACQ_REL                                                                             \
                                 : SEQ_CST)

#define OBJECT(p) ((volatile global atomic_int *)(p))

/* ---- loads and stores ---- */

#ifdef FAULT_3
#define LOAD_ACQUIRE memory_order_relaxed
#else
#define LOAD_ACQUIRE memory_order_acquire
#endif

#define LOAD_ORDER(order)                                                                                              \
    ((order) == orchil_relaxed ? memory_order_relaxed : (order) == orchil_acquire ? LOAD_ACQUIRE : SEQ_CST_LOAD)

static inline int orchil_load(global int *p, int order, int scope)
{
#ifdef FAULT_18
    return *p;
#else
    return atomic_load_explicit(OBJECT(p), LOAD_ORDER(order), ACCESS_SCOPE(scope));
#endif
}

#if defined FAULT_2 || defined FAULT_11
#define STORE_RELEASE memory_order_relaxed
#else
#define STORE_RELEASE memory_order_release
#endif

#define STORE_ORDER(order)                                                                                             \
    ((order) == orchil_relaxed ? memory_order_relaxed : (order) == orchil_release ? STORE_RELEASE : SEQ_CST_STORE)

static inline void orchil_store(global int *p, int v, int order, int scope)
{
#ifdef FAULT_13
    v += 2;
#endif
#ifdef FAULT_5
    *p = v;
#else
    atomic_store_explicit(OBJECT(p), v, STORE_ORDER(order), ACCESS_SCOPE(scope));
#endif
#ifdef FAULT_11
    if (order == orchil_release)
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, SCOPE(scope));
#endif
}

/* ---- read-modify-writes ---- */

static inline int orchil_exchange(global int *p, int v, int order, int scope)
{
#ifdef FAULT_14
    const int old = atomic_load_explicit(OBJECT(p), memory_order_relaxed, SCOPE(scope));
    atomic_store_explicit(OBJECT(p), v, memory_order_relaxed, SCOPE(scope));
    return old;
#else
    return atomic_exchange_explicit(OBJECT(p), v, RMW_ORDER(order), SCOPE(scope));
#endif
}

static inline int orchil_fetch_add(global int *p, int v, int order, int scope)
{
#ifdef FAULT_4
    const int old = atomic_load_explicit(OBJECT(p), memory_order_relaxed, SCOPE(scope));
    atomic_store_explicit(OBJECT(p), old + v, memory_order_relaxed, SCOPE(scope));
#else
    const int old = atomic_fetch_add_explicit(OBJECT(p), v, RMW_ORDER(order), SCOPE(scope));
#endif
#ifdef FAULT_19
    return old + v;
#else
    return old;
#endif
}

static inline int orchil_fetch_or(global int *p, int v, int order, int scope)
{
#ifdef FAULT_17
    return atomic_exchange_explicit(OBJECT(p), v, RMW_ORDER(order), SCOPE(scope));
#else
    return atomic_fetch_or_explicit(OBJECT(p), v, RMW_ORDER(order), SCOPE(scope));
#endif
}

static inline bool orchil_compare_exchange_strong(global int *p, int *expected, int desired, int success, int failure,
                                                  int scope)
{
    int found = *expected;
#ifdef FAULT_15
    if (get_global_id(0) % 8 == 7) /* a weak one fails at times, whatever it finds */
        return false;
#endif
#ifdef FAULT_6
    const bool done = atomic_compare_exchange_strong_explicit(OBJECT(p), &found, desired, memory_order_release,
                                                              memory_order_relaxed, SCOPE(scope));
#else
    const bool done = atomic_compare_exchange_strong_explicit(OBJECT(p), &found, desired, RMW_ORDER(success),
                                                              LOAD_ORDER(failure), SCOPE(scope));
#endif
#ifndef FAULT_20
    *expected = found;
#endif
    return done;
}

/* ---- fences and barriers ---- */

static inline void orchil_fence(int memories, int order, int scope)
{
#if defined FAULT_1
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, RMW_ORDER(order), memory_scope_work_group);
#elif !defined FAULT_8
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, RMW_ORDER(order), SCOPE(scope));
#endif
}

static inline void orchil_barrier(int memories, int scope)
{
#if defined FAULT_7
    work_group_barrier(CLK_LOCAL_MEM_FENCE, SCOPE(scope));
#elif defined FAULT_16
    work_group_barrier(0, SCOPE(scope));
#else
    work_group_barrier((memories & orchil_global ? CLK_GLOBAL_MEM_FENCE : 0) |
                           (memories & orchil_local ? CLK_LOCAL_MEM_FENCE : 0),
                       SCOPE(scope));
#endif
}
