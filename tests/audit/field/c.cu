// SPDX-License-Identifier: Apache-2.0
// Bugs that a search brought up, each cut down to a kernel: as it was, and NAME_fixed as it was mended.

#define KERNEL(name) extern "C" __global__ void __launch_bounds__(256) name
#define WARP_KERNEL(name) extern "C" __global__ void __launch_bounds__(32) name

// zprize-msm-1: each round posts the values of all threads and reads them, with one barrier a round
template <bool FIXED>
__device__ static void mark_unique(const unsigned *in, unsigned *out, int rounds)
{
    __shared__ unsigned posted[256];
    for (int r = 0; r < rounds; r++) {
        const unsigned value = in[r * 256 + threadIdx.x];
        posted[threadIdx.x] = value;
        __syncthreads();
        unsigned same = 0;
        for (int i = 0; i < 256; i++)
            same += posted[i] == value;
        out[r * 256 + threadIdx.x] = same;
        if (FIXED)
            __syncthreads();
    }
}
KERNEL(zprize_msm_1)(const unsigned *in, unsigned *out, int rounds) { mark_unique<false>(in, out, rounds); }
KERNEL(zprize_msm_1_fixed)(const unsigned *in, unsigned *out, int rounds) { mark_unique<true>(in, out, rounds); }

// cutorch-739: the last 32 threads of a reduction go on without barriers, as if a warp ran in step
template <bool FIXED>
__device__ static void reduce_in_step(const float *in, float *out)
{
    __shared__ float sums[256];
    sums[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int step = 128; step > (FIXED ? 0 : 16); step /= 2) {
        if (threadIdx.x < step)
            sums[threadIdx.x] += sums[threadIdx.x + step];
        __syncthreads();
    }
    if (!FIXED && threadIdx.x < 16) {
        volatile float *const last = sums;
        for (int step = 16; step > 0; step /= 2)
            if (threadIdx.x < step)
                last[threadIdx.x] += last[threadIdx.x + step];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sums[0];
}
KERNEL(cutorch_739)(const float *in, float *out) { reduce_in_step<false>(in, out); }
KERNEL(cutorch_739_fixed)(const float *in, float *out) { reduce_in_step<true>(in, out); }

// hecbench-91: the additions of a warp, all lanes at once, without a barrier of the warp between read and write
template <bool FIXED>
__device__ static void add_in_warp(const float *in, float *out)
{
    __shared__ float sums[64];
    volatile float *const s = sums;
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    s[threadIdx.x + 32] = in[blockIdx.x * 64 + threadIdx.x + 32];
    __syncthreads();
    for (int step = 32; step > 0; step /= 2) {
        const float sum = s[threadIdx.x] + s[threadIdx.x + step];
        if (FIXED)
            __syncwarp();
        s[threadIdx.x] = sum;
        if (FIXED)
            __syncwarp();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}
WARP_KERNEL(hecbench_91)(const float *in, float *out) { add_in_warp<false>(in, out); }
WARP_KERNEL(hecbench_91_fixed)(const float *in, float *out) { add_in_warp<true>(in, out); }

// ccminer-75: lanes store slots to shared memory, other lanes of the warp read them, with no barrier between
template <bool FIXED>
__device__ static void walk_levels(const unsigned *slots, unsigned *out)
{
    __shared__ unsigned levels[32];
    if (threadIdx.x % 16 == 0) {
        levels[threadIdx.x] = slots[threadIdx.x];
        levels[threadIdx.x + 8] = slots[threadIdx.x + 8];
    }
    if (FIXED)
        __syncwarp();
    if (threadIdx.x % 8 == 0)
        levels[threadIdx.x + 4] = slots[levels[threadIdx.x] % 1024];
    if (FIXED)
        __syncwarp();
    if (threadIdx.x % 4 == 0)
        out[threadIdx.x] = slots[levels[threadIdx.x] % 1024];
}
WARP_KERNEL(ccminer_75)(const unsigned *slots, unsigned *out) { walk_levels<false>(slots, out); }
WARP_KERNEL(ccminer_75_fixed)(const unsigned *slots, unsigned *out) { walk_levels<true>(slots, out); }

// fuser-489: two reductions of warps and a broadcast use one place in shared memory, with no barrier at their end
template <bool FIXED>
__device__ static float reduce_rows(float value, float *place)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(~0u, value, step);
    if (threadIdx.x % 32 == 0)
        place[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 8; i++)
        sum += place[i];
    if (FIXED)
        __syncthreads();
    return sum;
}
template <bool FIXED>
__device__ static void reduce_twice(const float *a, const float *b, float *out)
{
    __shared__ float place[8];
    const float first = reduce_rows<FIXED>(a[threadIdx.x], place);
    const float second = reduce_rows<FIXED>(b[threadIdx.x], place);
    out[threadIdx.x] = first + second;
}
KERNEL(fuser_489)(const float *a, const float *b, float *out) { reduce_twice<false>(a, b, out); }
KERNEL(fuser_489_fixed)(const float *a, const float *b, float *out) { reduce_twice<true>(a, b, out); }

// tensorrt-llm-8612: behind a barrier of the block, one thread signals the next block by a relaxed addition
template <bool FIXED>
__device__ static void hand_over(const float *in, float *partial, unsigned *flag, float *out)
{
    if (blockIdx.x == 0) {
        partial[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) {
            if (FIXED)
                asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(flag) : "memory");
            else
                asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(flag) : "memory");
        }
    } else {
        if (threadIdx.x == 0) {
            unsigned seen;
            do
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
            while (seen == 0);
        }
        __syncthreads();
        out[threadIdx.x] = partial[threadIdx.x];
    }
}
KERNEL(tensorrt_llm_8612)(const float *in, float *partial, unsigned *f, float *out)
{
    hand_over<false>(in, partial, f, out);
}
KERNEL(tensorrt_llm_8612_fixed)(const float *in, float *partial, unsigned *f, float *out)
{
    hand_over<true>(in, partial, f, out);
}
