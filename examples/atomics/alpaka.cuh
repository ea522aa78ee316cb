// SPDX-License-Identifier: Apache-2.0
/*
 * alpaka's atomics and fences for CUDA (github.com/alpaka-group/alpaka3), for --atomics. ALPAKA is the folder of its
 * sources; nvrtc/ comes first, and has what NVRTC lacks of C++'s own headers and a small stand-in of alpaka's own.
 *
 *     orchil inspect --atomics alpaka.cuh --atomics-include nvrtc --atomics-include ALPAKA/include \
 *         cuda:RMW-add+relaxed cuda:MP+fencear
 *
 * alpaka has no loads and stores, and its atomics have no orders, so they are the relaxed ones. All else is built in.
 */
#ifdef __CUDACC_RTC__
#define __COUNTER__ __LINE__ /* NVRTC lacks it */
#endif
#include <alpaka/api/unifiedCudaHip/atomic.hpp>

#include <alpaka/api/cuda/memFence.hpp>

template <typename Operation, typename Scope, typename T, typename... Values>
__device__ T alpaka_atomic(T *p, Values... values)
{
    namespace on = alpaka::onAcc;
    using Op = on::internalCompute::Atomic::Op<Operation, on::internal::CudaHipAtomic, T, Scope>;
    return Op::atomicOp(on::internal::CudaHipAtomic{}, p, static_cast<T>(values)...);
}

/* alpaka's compare-exchange returns the old value. */
template <typename Scope, typename T> __device__ bool alpaka_compare_exchange(T *p, T *expected, T desired)
{
    const T wanted = *expected;
    *expected = alpaka_atomic<alpaka::operation::Cas, Scope>(p, wanted, desired);
    return *expected == wanted;
}

#define ALPAKA_BLOCK alpaka::onAcc::scope::Block
#define ALPAKA_DEVICE alpaka::onAcc::scope::Device

#define orchil_exchange_relaxed_device(p, v) alpaka_atomic<alpaka::operation::Exch, ALPAKA_DEVICE>(p, v)
#define orchil_exchange_relaxed_work_group(p, v) alpaka_atomic<alpaka::operation::Exch, ALPAKA_BLOCK>(p, v)
#define orchil_fetch_add_relaxed_device(p, v) alpaka_atomic<alpaka::operation::Add, ALPAKA_DEVICE>(p, v)
#define orchil_fetch_add_relaxed_work_group(p, v) alpaka_atomic<alpaka::operation::Add, ALPAKA_BLOCK>(p, v)
#define orchil_fetch_sub_relaxed_device(p, v) alpaka_atomic<alpaka::operation::Sub, ALPAKA_DEVICE>(p, v)
#define orchil_fetch_and_relaxed_device(p, v) alpaka_atomic<alpaka::operation::And, ALPAKA_DEVICE>(p, v)
#define orchil_fetch_or_relaxed_device(p, v) alpaka_atomic<alpaka::operation::Or, ALPAKA_DEVICE>(p, v)
#define orchil_fetch_xor_relaxed_device(p, v) alpaka_atomic<alpaka::operation::Xor, ALPAKA_DEVICE>(p, v)
#define orchil_fetch_min_relaxed_device(p, v) alpaka_atomic<alpaka::operation::Min, ALPAKA_DEVICE>(p, v)
#define orchil_fetch_max_relaxed_device(p, v) alpaka_atomic<alpaka::operation::Max, ALPAKA_DEVICE>(p, v)
#define orchil_compare_exchange_strong_relaxed_relaxed_device(p, expected, desired)                                    \
    alpaka_compare_exchange<ALPAKA_DEVICE>(p, expected, desired)

#define ALPAKA_FENCE(scope, tag)                                                                                       \
    alpaka::onAcc::internalCompute::detail::cuda_mem_fence_##scope(alpaka::onAcc::order::tag{})

#define orchil_fence_acquire_device(memories) ALPAKA_FENCE(device, Acquire)
#define orchil_fence_release_device(memories) ALPAKA_FENCE(device, Release)
#define orchil_fence_acq_rel_device(memories) ALPAKA_FENCE(device, AcqRel)
#define orchil_fence_seq_cst_device(memories) ALPAKA_FENCE(device, SeqCst)
#define orchil_fence_acq_rel_work_group(memories) ALPAKA_FENCE(block, AcqRel)
#define orchil_fence_acq_rel_all_devices(memories) ALPAKA_FENCE(system, AcqRel)
#define orchil_fence_seq_cst_all_devices(memories) ALPAKA_FENCE(system, SeqCst)
