// SPDX-License-Identifier: Apache-2.0
// Six bugs of real programs, each cut down to one small kernel. docs/guide/from-kernel-to-test.md explains them.
// kernels.ptx comes from `nvcc -ptx -lineinfo -arch=sm_90a kernels.cu` (CUDA 13.0).
#include <cstdint>

// A lock (Kokkos, issue 3038): no fence after it is taken, and none before it is given back.
extern "C" __global__ void add_under_lock(int *lock, volatile double *sum, double value)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *sum = *sum + value;
    atomicExch(lock, 0);
}

// The last block adds up (PyTorch, pull request 128455): a fence before the count, and none after it.
extern "C" __global__ void __launch_bounds__(256) sum_of_blocks(const float *in, float *partial, int *count, float *out)
{
    __shared__ bool last;
    int i = blockIdx.x * 256 + threadIdx.x;
    partial[i] = in[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(count, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        float sum = 0;
        for (int block = 0; block < gridDim.x; block++)
            sum += partial[block * 256 + threadIdx.x];
        out[threadIdx.x] = sum;
    }
}

// The start of an all-reduce (vLLM, issue 8404): each GPU raises a volatile flag on all others, and waits for theirs.
struct peers {
    volatile int *flags[8];
    const float *data[8];
};
extern "C" __global__ void __launch_bounds__(256) add_peers(peers peer, volatile int *flags, int self, int gpus, float *out)
{
    if (threadIdx.x < gpus) {
        peer.flags[threadIdx.x][self] = 1;
        while (flags[threadIdx.x] == 0)
            ;
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < gpus; i++)
        sum += peer.data[i][threadIdx.x];
    out[threadIdx.x] = sum;
}

// A buffer between two blocks (DeepEP, issue 136): the receiver reads it through the read-only path.
extern "C" __global__ void __launch_bounds__(256) send_and_receive(const int *in, int *buffer, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        buffer[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0)
            asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        int word = 0;
        while (threadIdx.x == 0 && word == 0)
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(word) : "l"(flag) : "memory");
        __syncthreads();
        asm volatile("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r"(word) : "l"(buffer + threadIdx.x));
        out[threadIdx.x] = word;
    }
}

// A tile (FlashKDA, issue 24): threads store it to shared memory, and an asynchronous copy takes it from there.
extern "C" __global__ void __launch_bounds__(256) store_tile(const int *in, int *out)
{
    __shared__ alignas(16) int tile[256];
    tile[threadIdx.x] = in[threadIdx.x] * 2;
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t from = (uint32_t)__cvta_generic_to_shared(tile);
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out), "r"(from) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// A loop over tiles (HeCBench, issue 253): the next round fills the tile while slow threads still read it.
extern "C" __global__ void __launch_bounds__(256) sum_of_tiles(const float *in, float *out, int rounds)
{
    __shared__ float tile[256];
    float sum = 0;
    for (int i = 0; i < rounds; i++) {
        tile[threadIdx.x] = in[i * 256 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++)
            sum += tile[j];
    }
    out[threadIdx.x] = sum;
}
