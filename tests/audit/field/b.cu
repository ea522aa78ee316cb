// SPDX-License-Identifier: Apache-2.0
// Kernels that compilers for NVIDIA GPUs made with bugs, or tests had, in the words of this project; NAME_fixed is the mended one.
#include <cstdint>

#define KERNEL extern "C" __global__ void __launch_bounds__(256)
#define WAIT_FOR_KERNEL_BEFORE() asm volatile("griddepcontrol.wait;" ::: "memory")

// triton-11905: the first load of a pipelined loop is moved before the wait for the kernel before
template <bool fixed> __device__ void add_up(const int *in, int *out, int count)
{
    int sum = 0;
    if (fixed)
        WAIT_FOR_KERNEL_BEFORE();
    int next = *(volatile const int *)&in[threadIdx.x];
    for (int i = 1; i < count; i++) {
        if (!fixed)
            WAIT_FOR_KERNEL_BEFORE();
        sum += next;
        next = in[i * 256 + threadIdx.x];
    }
    out[threadIdx.x] = sum + next;
}
KERNEL triton_11905(const int *in, int *out, int count) { add_up<false>(in, out, count); }
KERNEL triton_11905_fixed(const int *in, int *out, int count) { add_up<true>(in, out, count); }

// triton-10922: an arrival at another block's mbarrier, and the wait there, without the scope of the cluster
template <bool fixed> __device__ void arrive_remotely(int *out)
{
    __shared__ uint64_t barrier;
    __shared__ int data;
    const uint32_t own_barrier = (uint32_t)__cvta_generic_to_shared(&barrier), own_data = (uint32_t)__cvta_generic_to_shared(&data);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(own_barrier) : "memory");
    asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (rank == 1 && threadIdx.x == 0) {
        uint32_t far_barrier, far_data;
        asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(far_barrier) : "r"(own_barrier));
        asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(far_data) : "r"(own_data));
        asm volatile("st.shared::cluster.u32 [%0], 1;" ::"r"(far_data) : "memory");
        if (fixed)
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(far_barrier) : "memory");
        else
            asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(far_barrier) : "memory");
    }
    if (rank == 0 && threadIdx.x == 0) {
        for (int done = 0; !done;)
            if (fixed)
                asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                             : "=r"(done) : "r"(own_barrier) : "memory");
            else
                asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                             : "=r"(done) : "r"(own_barrier) : "memory");
        out[0] = *(volatile int *)&data;
    }
}
KERNEL __cluster_dims__(2) triton_10922(int *out) { arrive_remotely<false>(out); }
KERNEL __cluster_dims__(2) triton_10922_fixed(int *out) { arrive_remotely<true>(out); }
