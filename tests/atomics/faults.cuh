// SPDX-License-Identifier: Apache-2.0
/*
 * A right header of atomics in inline PTX, and 20 faults of it: FAULT_n is defined for the n-th. `play` reads this
 * table: number, fault, and the tests that ask for it. A test without a folder is of the catalogue.
 *
 *  1 | a fence of the block where one of the device is asked | MP+fencear
 *  2 | a relaxed store for a release store | MP+rel+acq
 *  3 | a relaxed load for an acquire load | MP+rel+acq
 *  4 | an addition as a load and a store | RMW-add+relaxed
 *  5 | a plain store for an atomic one | MP+rel+acq
 *  6 | a compare-exchange that fails without its acquire | cas-failed.litmus
 *  7 | a barrier of the warp for one of the block | MP+barrier+01
 *  8 | no fence | MP+fencear
 *  9 | read-modify-writes without their acquire | MP+ra+rmw
 * 10 | seq_cst as acquire and release | SB+sc SB+fencesc
 * 11 | the fence of a release store behind the store | MP+rel+acq
 * 12 | accesses of the block where the device is asked | MP+rel+acq
 * 13 | a store of another value | MP+rel+acq
 * 14 | an exchange as a load and a store | RMW-exch+relaxed
 * 15 | a weak compare-exchange for a strong one | cas-winner.litmus
 * 16 | a fence that the compiler may move accesses across | fence-plain.litmus
 * 17 | an or as an exchange | RMW-or+relaxed
 * 18 | a plain load for an atomic one | CoRR+relaxed
 * 19 | an addition that gives the new value | RMW-tickets+relaxed
 * 20 | a compare-exchange that fails without giving the value found | cas-old.litmus
 */

#ifdef FAULT_12
#define SCOPE "cta"
#else
#define SCOPE "gpu"
#endif

#ifdef FAULT_10
#define FENCE_SC "fence.acq_rel.gpu"
#else
#define FENCE_SC "fence.sc.gpu"
#endif

#ifdef FAULT_9
#define ATOM_ACQUIRE "relaxed"
#define ATOM_ACQ_REL "release"
#else
#define ATOM_ACQUIRE "acquire"
#define ATOM_ACQ_REL "acq_rel"
#endif

#define ANY_TYPE template <typename T> __device__ __forceinline__

/* ---- loads and stores ---- */

ANY_TYPE T orchil_load_relaxed_device(T *p)
{
#ifdef FAULT_18
    return *p;
#else
    T old;
    asm volatile("ld.relaxed." SCOPE ".b32 %0, [%1];" : "=r"(old) : "l"(p) : "memory");
    return old;
#endif
}

ANY_TYPE T orchil_load_acquire_device(T *p)
{
#ifdef FAULT_3
    return orchil_load_relaxed_device(p);
#else
    T old;
    asm volatile("ld.acquire." SCOPE ".b32 %0, [%1];" : "=r"(old) : "l"(p) : "memory");
    return old;
#endif
}

ANY_TYPE T orchil_load_seq_cst_device(T *p)
{
    asm volatile(FENCE_SC ";" ::: "memory");
    return orchil_load_acquire_device(p);
}

ANY_TYPE void orchil_store_relaxed_device(T *p, T v)
{
#ifdef FAULT_13
    v += 2;
#endif
#ifdef FAULT_5
    *p = v;
#else
    asm volatile("st.relaxed." SCOPE ".b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
#endif
}

ANY_TYPE void orchil_store_release_device(T *p, T v)
{
#if defined FAULT_2 || defined FAULT_5 || defined FAULT_11
    orchil_store_relaxed_device(p, v);
#else
    asm volatile("st.release." SCOPE ".b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
#endif
#ifdef FAULT_11
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
}

ANY_TYPE void orchil_store_seq_cst_device(T *p, T v)
{
    asm volatile(FENCE_SC ";" ::: "memory");
    orchil_store_relaxed_device(p, v);
}

/* ---- read-modify-writes ---- */

#define ATOM(instruction)                                                                                              \
    T old;                                                                                                             \
    asm volatile(instruction " %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory")

ANY_TYPE T orchil_exchange_relaxed_device(T *p, T v)
{
#ifdef FAULT_14
    const T old = orchil_load_relaxed_device(p);
    orchil_store_relaxed_device(p, v);
#else
    ATOM("atom.exch.relaxed.gpu.b32");
#endif
    return old;
}

ANY_TYPE T orchil_exchange_release_device(T *p, T v)
{
    ATOM("atom.exch.release.gpu.b32");
    return old;
}

ANY_TYPE T orchil_fetch_add_relaxed_device(T *p, T v)
{
#ifdef FAULT_4
    const T old = orchil_load_relaxed_device(p);
    orchil_store_relaxed_device(p, old + v);
#else
    ATOM("atom.add.relaxed.gpu.u32");
#endif
#ifdef FAULT_19
    return old + v;
#else
    return old;
#endif
}

ANY_TYPE T orchil_fetch_add_acquire_device(T *p, T v)
{
    ATOM("atom.add." ATOM_ACQUIRE ".gpu.u32");
    return old;
}

ANY_TYPE T orchil_fetch_or_relaxed_device(T *p, T v)
{
#ifdef FAULT_17
    ATOM("atom.exch.relaxed.gpu.b32");
#else
    ATOM("atom.or.relaxed.gpu.b32");
#endif
    return old;
}

/* A weak one fails at times, whatever it finds. */
#ifdef FAULT_15
#define COMPARE_WEAKLY                                                                                                 \
    unsigned ticks;                                                                                                    \
    asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks));                                                                \
    if (ticks % 8 == 7)                                                                                                \
        return false;
#else
#define COMPARE_WEAKLY
#endif

#ifdef FAULT_20
#define COMPARE_GIVE(expected, old)
#else
#define COMPARE_GIVE(expected, old) *expected = old;
#endif

#define COMPARE(name, order)                                                                                           \
    ANY_TYPE bool name(T *p, T *expected, T desired)                                                                   \
    {                                                                                                                  \
        const T wanted = *expected;                                                                                    \
        T old;                                                                                                         \
        COMPARE_WEAKLY                                                                                                 \
        asm volatile("atom.cas." order ".gpu.b32 %0, [%1], %2, %3;"                                                    \
                     : "=r"(old) : "l"(p), "r"(wanted), "r"(desired) : "memory");                                      \
        COMPARE_GIVE(expected, old)                                                                                    \
        return old == wanted;                                                                                          \
    }

COMPARE(orchil_compare_exchange_strong_relaxed_relaxed_device, "relaxed")
#ifdef FAULT_6
COMPARE(orchil_compare_exchange_strong_acq_rel_acquire_device, "release")
#else
COMPARE(orchil_compare_exchange_strong_acq_rel_acquire_device, ATOM_ACQ_REL)
#endif

/* ---- fences and barriers ---- */

__device__ __forceinline__ void orchil_fence_acq_rel_device(int)
{
#if defined FAULT_1
    asm volatile("fence.acq_rel.cta;" ::: "memory");
#elif defined FAULT_16
    asm volatile("fence.acq_rel.gpu;");
#elif !defined FAULT_8
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
}

__device__ __forceinline__ void orchil_fence_seq_cst_device(int)
{
    asm volatile(FENCE_SC ";" ::: "memory");
}

__device__ __forceinline__ void orchil_barrier_work_group(int)
{
#ifdef FAULT_7
    __syncwarp();
#else
    __syncthreads();
#endif
}
