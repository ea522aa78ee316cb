// SPDX-License-Identifier: Apache-2.0
/*
 * Inline PTX for --atomics, as libraries of communication and of matrix kernels write it: a function for each
 * instruction, with its order and its scope in the name. What is not here is the built-in access.
 *
 *     orchil inspect --atomics ptx.cuh cuda:MP+rel+acq cuda:MP+fencear
 *     orchil run --device cuda --atomics ptx.cuh --time 1 cuda:MP+rel+acq cuda:MP+fencear
 *
 * Addresses are generic, so the functions serve global and shared memory. Names of functions are written in full:
 * orchil looks for them in the text, and does not paste words.
 */

#define PTX_LOAD(name, instruction)                                                                                    \
    template <typename T> __device__ __forceinline__ T name(T *p)                                                      \
    {                                                                                                                  \
        T old;                                                                                                         \
        if constexpr (sizeof(T) == 4)                                                                                  \
            asm volatile(instruction ".b32 %0, [%1];" : "=r"(old) : "l"(p) : "memory");                                \
        else                                                                                                           \
            asm volatile(instruction ".b64 %0, [%1];" : "=l"(old) : "l"(p) : "memory");                                \
        return old;                                                                                                    \
    }

#define PTX_STORE(name, instruction)                                                                                   \
    template <typename T> __device__ __forceinline__ void name(T *p, T v)                                              \
    {                                                                                                                  \
        if constexpr (sizeof(T) == 4)                                                                                  \
            asm volatile(instruction ".b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");                                    \
        else                                                                                                           \
            asm volatile(instruction ".b64 [%0], %1;" ::"l"(p), "l"(v) : "memory");                                    \
    }

#define PTX_UPDATE(name, instruction, type)                                                                            \
    template <typename T> __device__ __forceinline__ T name(T *p, T v)                                                 \
    {                                                                                                                  \
        T old;                                                                                                         \
        if constexpr (sizeof(T) == 4)                                                                                  \
            asm volatile(instruction type "32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");                 \
        else                                                                                                           \
            asm volatile(instruction type "64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(v) : "memory");                 \
        return old;                                                                                                    \
    }

#define PTX_COMPARE(name, instruction)                                                                                 \
    template <typename T> __device__ __forceinline__ bool name(T *p, T *expected, T desired)                           \
    {                                                                                                                  \
        const T wanted = *expected;                                                                                    \
        if constexpr (sizeof(T) == 4)                                                                                  \
            asm volatile(instruction ".b32 %0, [%1], %2, %3;"                                                          \
                         : "=r"(*expected) : "l"(p), "r"(wanted), "r"(desired) : "memory");                            \
        else                                                                                                           \
            asm volatile(instruction ".b64 %0, [%1], %2, %3;"                                                          \
                         : "=l"(*expected) : "l"(p), "l"(wanted), "l"(desired) : "memory");                            \
        return *expected == wanted;                                                                                    \
    }

#define PTX_FENCE(name, instruction)                                                                                   \
    __device__ __forceinline__ void name(int)                                                                          \
    {                                                                                                                  \
        asm volatile(instruction ";" ::: "memory");                                                                    \
    }

PTX_LOAD(orchil_load_relaxed_work_group, "ld.relaxed.cta")
PTX_LOAD(orchil_load_relaxed_device, "ld.relaxed.gpu")
PTX_LOAD(orchil_load_relaxed_all_devices, "ld.relaxed.sys")
PTX_LOAD(orchil_load_acquire_work_group, "ld.acquire.cta")
PTX_LOAD(orchil_load_acquire_device, "ld.acquire.gpu")
PTX_LOAD(orchil_load_acquire_all_devices, "ld.acquire.sys")

PTX_STORE(orchil_store_relaxed_work_group, "st.relaxed.cta")
PTX_STORE(orchil_store_relaxed_device, "st.relaxed.gpu")
PTX_STORE(orchil_store_relaxed_all_devices, "st.relaxed.sys")
PTX_STORE(orchil_store_release_work_group, "st.release.cta")
PTX_STORE(orchil_store_release_device, "st.release.gpu")
PTX_STORE(orchil_store_release_all_devices, "st.release.sys")

PTX_UPDATE(orchil_exchange_relaxed_device, "atom.exch.relaxed.gpu", ".b")
PTX_UPDATE(orchil_exchange_acquire_device, "atom.exch.acquire.gpu", ".b")
PTX_UPDATE(orchil_exchange_release_device, "atom.exch.release.gpu", ".b")
PTX_UPDATE(orchil_exchange_acq_rel_device, "atom.exch.acq_rel.gpu", ".b")
PTX_UPDATE(orchil_fetch_add_relaxed_device, "atom.add.relaxed.gpu", ".u")
PTX_UPDATE(orchil_fetch_add_acquire_device, "atom.add.acquire.gpu", ".u")
PTX_UPDATE(orchil_fetch_add_release_device, "atom.add.release.gpu", ".u")
PTX_UPDATE(orchil_fetch_add_acq_rel_device, "atom.add.acq_rel.gpu", ".u")
PTX_UPDATE(orchil_fetch_add_acq_rel_all_devices, "atom.add.acq_rel.sys", ".u")
PTX_COMPARE(orchil_compare_exchange_strong_relaxed_relaxed_device, "atom.cas.relaxed.gpu")
PTX_COMPARE(orchil_compare_exchange_strong_acquire_relaxed_device, "atom.cas.acquire.gpu")
PTX_COMPARE(orchil_compare_exchange_strong_acq_rel_relaxed_device, "atom.cas.acq_rel.gpu")
PTX_COMPARE(orchil_compare_exchange_strong_acq_rel_acquire_device, "atom.cas.acq_rel.gpu")

PTX_FENCE(orchil_fence_acquire_device, "fence.acq_rel.gpu")
PTX_FENCE(orchil_fence_release_device, "fence.acq_rel.gpu")
PTX_FENCE(orchil_fence_acq_rel_work_group, "fence.acq_rel.cta")
PTX_FENCE(orchil_fence_acq_rel_device, "fence.acq_rel.gpu")
PTX_FENCE(orchil_fence_acq_rel_all_devices, "fence.acq_rel.sys")
PTX_FENCE(orchil_fence_seq_cst_device, "fence.sc.gpu")
PTX_FENCE(orchil_fence_seq_cst_all_devices, "fence.sc.sys")
