// SPDX-License-Identifier: Apache-2.0
/*
 * desul (github.com/desul/desul), the atomics of Kokkos and RAJA, for --atomics. DESUL is the folder of an installed
 * desul, whose CMake makes desul/atomics/Config.hpp; nvrtc/ has what NVRTC lacks of C++'s own headers.
 *
 *     orchil inspect --atomics desul.cuh --atomics-include DESUL/include --atomics-include nvrtc cuda:MP+rel+acq
 *     orchil run --device cuda --atomics desul.cuh --atomics-include DESUL/include --atomics-include nvrtc \
 *         --time 1 cuda:MP+rel+acq cuda:SB+sc
 *
 * desul's orders and scopes are types. Orders and scopes that kernels pass are constants, so templates can choose.
 */
#define DESUL_ATOMICS_ENABLE_CUDA
#ifdef __CUDACC_RTC__
/* NVRTC has no host: without the word, and without the locks, which are the host's to make and which only objects of
 * more than 8 bytes need. */
#define __host__
#define DESUL_ATOMICS_LOCK_ARRAY_CUDA_HPP_
namespace desul
{
namespace Impl
{
template <class Scope> __device__ bool lock_address_cuda(void *, Scope);
template <class Scope> __device__ void unlock_address_cuda(void *, Scope);
inline void init_lock_arrays_cuda() {}
inline void finalize_lock_arrays_cuda() {}
inline void ensure_cuda_lock_arrays_on_device() {}
}
}
#endif
#include <desul/atomics.hpp>

template <int order> struct desul_order { typedef desul::MemoryOrderSeqCst type; };
template <> struct desul_order<orchil_relaxed> { typedef desul::MemoryOrderRelaxed type; };
template <> struct desul_order<orchil_acquire> { typedef desul::MemoryOrderAcquire type; };
template <> struct desul_order<orchil_release> { typedef desul::MemoryOrderRelease type; };
template <> struct desul_order<orchil_acq_rel> { typedef desul::MemoryOrderAcqRel type; };

/* A core of desul is a streaming multiprocessor, its node is the machine. */
template <int scope> struct desul_scope { typedef desul::MemoryScopeCore type; };
template <> struct desul_scope<orchil_cluster> { typedef desul::MemoryScopeDevice type; };
template <> struct desul_scope<orchil_device> { typedef desul::MemoryScopeDevice type; };
template <> struct desul_scope<orchil_all_devices> { typedef desul::MemoryScopeNode type; };

#define DESUL_TAGS(order, scope) desul_order<order>::type(), desul_scope<scope>::type()

#define orchil_load(p, order, scope) desul::atomic_load(p, DESUL_TAGS(order, scope))
#define orchil_store(p, v, order, scope) desul::atomic_store(p, v, DESUL_TAGS(order, scope))
#define orchil_exchange(p, v, order, scope) desul::atomic_exchange(p, v, DESUL_TAGS(order, scope))
#define orchil_fetch_add(p, v, order, scope) desul::atomic_fetch_add(p, v, DESUL_TAGS(order, scope))
#define orchil_fetch_sub(p, v, order, scope) desul::atomic_fetch_sub(p, v, DESUL_TAGS(order, scope))
#define orchil_fetch_and(p, v, order, scope) desul::atomic_fetch_and(p, v, DESUL_TAGS(order, scope))
#define orchil_fetch_or(p, v, order, scope) desul::atomic_fetch_or(p, v, DESUL_TAGS(order, scope))
#define orchil_fetch_xor(p, v, order, scope) desul::atomic_fetch_xor(p, v, DESUL_TAGS(order, scope))
#define orchil_fetch_min(p, v, order, scope) desul::atomic_fetch_min(p, v, DESUL_TAGS(order, scope))
#define orchil_fetch_max(p, v, order, scope) desul::atomic_fetch_max(p, v, DESUL_TAGS(order, scope))

/* desul's returns the old value, and has one order. */
template <typename Order, typename Scope, typename T>
__device__ bool desul_compare_exchange(T *p, T *expected, T desired)
{
    const T wanted = *expected;
    *expected = desul::atomic_compare_exchange(p, wanted, desired, Order(), Scope());
    return *expected == wanted;
}

#define orchil_compare_exchange_strong(p, expected, desired, success, failure, scope)                                  \
    desul_compare_exchange<desul_order<success>::type, desul_scope<scope>::type>(p, expected, desired)
#define orchil_compare_exchange_weak(p, expected, desired, success, failure, scope)                                    \
    orchil_compare_exchange_strong(p, expected, desired, success, failure, scope)

#define orchil_fence(memories, order, scope) desul::atomic_thread_fence(DESUL_TAGS(order, scope))
