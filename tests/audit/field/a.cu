// SPDX-License-Identifier: Apache-2.0
// Bugs of programs for NVIDIA's GPUs, each cut down to a kernel: as it was, and NAME_fixed as it was mended.
#include <cstdint>

#define KERNEL(name) extern "C" __global__ void __launch_bounds__(256) name
#define SMALL_KERNEL(name, threads) extern "C" __global__ void __launch_bounds__(threads) name

// Macros, so that each use has its own line.
#define SHARED_ADDRESS(p) ((uint32_t)__cvta_generic_to_shared(p))
#define LOAD_ACQUIRE_SYSTEM(to, p) asm volatile("ld.acquire.sys.global.s32 %0, [%1];" : "=r"(to) : "l"(p) : "memory")
#define LOAD_RELAXED(to, p) asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(to) : "l"(p) : "memory")
#define STORE_RELAXED(p, value) asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory")
#define STORE_RELEASE_SYSTEM(p, v) asm volatile("st.release.sys.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE_PROXY() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define NAMED_BARRIER(name, threads) asm volatile("bar.sync %0, %1;" ::"n"(name), "n"(threads) : "memory")
#define COMMIT_COPIES() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_FOR_COPIES() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define WAIT_FOR_LAUNCH() asm volatile("griddepcontrol.wait;" ::: "memory")
#define TRIGGER_LAUNCH() asm volatile("griddepcontrol.launch_dependents;" ::: "memory")

// ---- shared memory: a barrier of the block is missing ----

// cutlass-2835: with no tile, no barrier is between the warp that stores the address and the one that frees by it
template <bool FIXED>
__device__ static void free_by_address(const int *in, int *out, int *freed, int tiles)
{
    __shared__ int address, tile[256];
    if (threadIdx.x == 0)
        address = in[0];
    if (FIXED)
        __syncthreads();
    for (int i = 0; i < tiles; i++) {
        tile[threadIdx.x] = in[i * 256 + threadIdx.x];
        __syncthreads();
        out[i * 256 + threadIdx.x] = tile[255 - threadIdx.x];
        __syncthreads();
    }
    if (threadIdx.x == 32)
        freed[blockIdx.x] = address;
}
KERNEL(cutlass_2835)(const int *in, int *out, int *freed, int tiles) { free_by_address<false>(in, out, freed, tiles); }
KERNEL(cutlass_2835_fixed)(const int *in, int *out, int *freed, int tiles)
{
    free_by_address<true>(in, out, freed, tiles);
}

// flash-attention-1344: the output is stored to shared memory and copied out from there without a barrier
template <bool FIXED>
__device__ static void write_output(const float *sums, float scale, float *out, int rows)
{
    __shared__ float tile[32 * 32];
    int row = threadIdx.x % 32, column = threadIdx.x / 32 * 4;
    for (int i = 0; i < 4; i++)
        tile[row * 32 + (column + i ^ row)] = sums[threadIdx.x * 4 + i] * scale;
    if (FIXED)
        __syncthreads();
    for (int i = 0; i < 4; i++) {
        row = i * 8 + threadIdx.x / 32, column = threadIdx.x % 32;
        if (row < rows)
            out[row * 32 + column] = tile[row * 32 + (column ^ row)];
    }
}
KERNEL(flash_attention_1344)(const float *sums, float scale, float *out, int rows)
{
    write_output<false>(sums, scale, out, rows);
}
KERNEL(flash_attention_1344_fixed)(const float *sums, float scale, float *out, int rows)
{
    write_output<true>(sums, scale, out, rows);
}

// hecbench-253: the next round fills the tile while slow threads still read it
struct surfel {
    float x, y, z, radius;
};
template <bool FIXED>
__device__ static void add_surfels(const surfel *in, int count, float *out)
{
    __shared__ surfel tile[256];
    float sum = 0, x = out[blockIdx.x * 256 + threadIdx.x];
    for (int base = 0; base < count; base += 256) {
        tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 256; i++)
            sum += (tile[i].x - x) * tile[i].radius;
        if (FIXED)
            __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
KERNEL(hecbench_253)(const surfel *in, int count, float *out) { add_surfels<false>(in, count, out); }
KERNEL(hecbench_253_fixed)(const surfel *in, int count, float *out) { add_surfels<true>(in, count, out); }

// hecbench-254: thread 0 stores two sums for the whole block, which reads them without a barrier
template <bool FIXED>
__device__ static void share_sums(int *counts, const int *mine, int *out)
{
    __shared__ int vertices, cubes;
    if (threadIdx.x == 0) {
        vertices = atomicAdd(counts, 3);
        cubes = atomicAdd(counts + 1, 1);
    }
    if (FIXED)
        __syncthreads();
    out[vertices + mine[threadIdx.x]] = cubes + threadIdx.x;
}
SMALL_KERNEL(hecbench_254, 128)(int *counts, const int *mine, int *out) { share_sums<false>(counts, mine, out); }
SMALL_KERNEL(hecbench_254_fixed, 128)(int *counts, const int *mine, int *out) { share_sums<true>(counts, mine, out); }

// popsift-82: what all have stored to shared memory is sorted without a barrier
template <bool FIXED>
__device__ static void find_peaks(const float *angles, float *out)
{
    __shared__ float smooth[64], sorted[64];
    int t = threadIdx.x;
    smooth[t] = angles[t] * 0.5f;
    if (FIXED)
        __syncthreads();
    sorted[t] = fmaxf(smooth[t], smooth[t ^ 32]);
    __syncthreads();
    out[t] = sorted[63 - t];
}
SMALL_KERNEL(popsift_82, 64)(const float *angles, float *out) { find_peaks<false>(angles, out); }
SMALL_KERNEL(popsift_82_fixed, 64)(const float *angles, float *out) { find_peaks<true>(angles, out); }

// sppark-24: warp 0 reads counters which the other warps may already overwrite for the next digit
template <bool FIXED>
__device__ static void count_digits(const int *in, int *out, int rounds)
{
    __shared__ int counters[256];
    for (int round = 0; round < rounds; round++) {
        int sum = 0;
        counters[threadIdx.x] = in[round * 256 + threadIdx.x];
        __syncthreads();
        if (threadIdx.x < 32)
            for (int warp = 0; warp < 8; warp++)
                sum += counters[warp * 32 + threadIdx.x];
        if (FIXED)
            __syncthreads();
        if (threadIdx.x < 32)
            out[round * 32 + threadIdx.x] = sum;
    }
}
KERNEL(sppark_24)(const int *in, int *out, int rounds) { count_digits<false>(in, out, rounds); }
KERNEL(sppark_24_fixed)(const int *in, int *out, int rounds) { count_digits<true>(in, out, rounds); }

// llamacpp-28475: lanes store records, and others read them after shuffles, without a barrier of the warp
template <bool FIXED>
__device__ static void compact(const int *in, int *out)
{
    __shared__ int records[64];
    int lane = threadIdx.x, value = in[lane];
    records[lane] = value;
    records[lane + 32] = in[lane + 32];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffff, value, step);
    if (FIXED)
        __syncwarp();
    out[lane] = records[63 - lane] + value;
}
SMALL_KERNEL(llamacpp_28475, 32)(const int *in, int *out) { compact<false>(in, out); }
SMALL_KERNEL(llamacpp_28475_fixed, 32)(const int *in, int *out) { compact<true>(in, out); }

// ---- flags, counters and locks ----

// kokkos-2681: the last block of a scan reads the totals of the others, and nothing orders them around the counter.
// The project added the fence before the counter alone, which the model does not take for enough.
template <bool FIXED>
__device__ static void scan_totals(const float *in, float *totals, unsigned *count, float *out)
{
    __shared__ float sums[256];
    bool waits = false;
    sums[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 4)
        totals[blockIdx.x * 4 + threadIdx.x] = sums[255 - threadIdx.x];
    if (FIXED)
        __syncthreads();
    if (threadIdx.x == 0) {
        if (FIXED)
            __threadfence();
        waits = 1 + atomicInc(count, gridDim.x - 1) < gridDim.x;
        if (FIXED)
            __threadfence();
    }
    if (!__syncthreads_or(waits)) {
        float sum = 0;
        for (int block = 0; block < gridDim.x; block++)
            sum += totals[block * 4 + threadIdx.x % 4];
        out[threadIdx.x] = sum;
    }
}
KERNEL(kokkos_2681)(const float *in, float *totals, unsigned *count, float *out)
{
    scan_totals<false>(in, totals, count, out);
}
KERNEL(kokkos_2681_fixed)(const float *in, float *totals, unsigned *count, float *out)
{
    scan_totals<true>(in, totals, count, out);
}

// kokkos-3038: lanes take turns with a lock, and no fence is after it is taken and before it is given back
struct complex_number {
    double real, imaginary;
};
template <bool FIXED>
__device__ static void add_under_lock(int *lock, volatile complex_number *sum, double real, double imaginary)
{
    bool done = false;
    unsigned active = __activemask(), done_active = 0;
    while (active != done_active) {
        if (!done && atomicCAS(lock, 0, 1) == 0) {
            if (FIXED)
                __threadfence();
            sum->real = sum->real + real;
            sum->imaginary = sum->imaginary + imaginary;
            if (FIXED)
                __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
        done_active = __ballot_sync(active, done);
    }
}
KERNEL(kokkos_3038)(int *lock, volatile complex_number *sum, double real, double imaginary)
{
    add_under_lock<false>(lock, sum, real, imaginary);
}
KERNEL(kokkos_3038_fixed)(int *lock, volatile complex_number *sum, double real, double imaginary)
{
    add_under_lock<true>(lock, sum, real, imaginary);
}

// mscclpp-497: the flag of a barrier of the grid is stored and polled relaxed, without fences
struct grid_barrier {
    unsigned flag, count;
};
template <bool FIXED>
__device__ static void meet_and_read(grid_barrier *barrier, int *data, int *out)
{
    data[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned last = gridDim.x - 1, before, now;
        LOAD_RELAXED(before, &barrier->flag);
        __threadfence();
        if (atomicInc(&barrier->count, last) == last) {
            if (FIXED)
                __threadfence();
            STORE_RELAXED(&barrier->flag, before ^ 1);
        } else {
            do
                LOAD_RELAXED(now, &barrier->flag);
            while (now == before);
            if (FIXED)
                __threadfence();
        }
    }
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = data[(blockIdx.x + 1) % gridDim.x * 256 + threadIdx.x];
}
KERNEL(mscclpp_497)(grid_barrier *barrier, int *data, int *out) { meet_and_read<false>(barrier, data, out); }
KERNEL(mscclpp_497_fixed)(grid_barrier *barrier, int *data, int *out) { meet_and_read<true>(barrier, data, out); }

// deepep-136: what another block has sent is read by a load that is not coherent
template <bool FIXED>
__device__ static void send_and_receive(void **buffers, int rank, const int *in, int *out)
{
    const bool sends = blockIdx.x % 2 == 0;
    const int other = blockIdx.x / 2;
    int *tail = (int *)buffers[sends ? other : rank] + (sends ? rank : other) * 1024, *data = tail + 4, seen = 0, value;
    if (sends) {
        data[threadIdx.x] = in[other * 256 + threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0)
            STORE_RELEASE_SYSTEM(tail, 1);
        return;
    }
    while (threadIdx.x == 0 && seen == 0)
        LOAD_ACQUIRE_SYSTEM(seen, tail);
    __syncthreads();
    if (FIXED)
        value = ((volatile int *)data)[threadIdx.x];
    else
        asm volatile("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r"(value) : "l"(data + threadIdx.x));
    out[other * 256 + threadIdx.x] = value;
}
KERNEL(deepep_136)(void **buffers, int rank, const int *in, int *out)
{
    send_and_receive<false>(buffers, rank, in, out);
}
KERNEL(deepep_136_fixed)(void **buffers, int rank, const int *in, int *out)
{
    send_and_receive<true>(buffers, rank, in, out);
}

// ---- asynchronous copies and multiplications: a fence of the proxy is missing ----

// cudnn-frontend-784: a tile is stored to shared memory, and a tensor copy takes it after a named barrier
template <bool FIXED>
__device__ static void write_tile(const float *in, const void *map)
{
    __shared__ alignas(128) float tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    if (FIXED)
        FENCE_PROXY();
    NAMED_BARRIER(1, 256);
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %1}], [%2];" ::"l"(map),
                     "r"(0), "r"(SHARED_ADDRESS(tile))
                     : "memory");
        COMMIT_COPIES();
        WAIT_FOR_COPIES();
    }
}
KERNEL(cudnn_frontend_784)(const float *in, const __grid_constant__ uint4 map) { write_tile<false>(in, &map); }
KERNEL(cudnn_frontend_784_fixed)(const float *in, const __grid_constant__ uint4 map) { write_tile<true>(in, &map); }

// flashkda-24: all threads store to shared memory, and a thread of the warp that stores copies it out after a barrier
template <bool FIXED>
__device__ static void write_state(const float *in, float *out)
{
    __shared__ alignas(128) float state[256];
    state[threadIdx.x] = in[threadIdx.x] * 2;
    if (FIXED)
        FENCE_PROXY();
    __syncthreads();
    if (threadIdx.x == 224) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out),
                     "r"(SHARED_ADDRESS(state))
                     : "memory");
        COMMIT_COPIES();
        WAIT_FOR_COPIES();
    }
}
KERNEL(flashkda_24)(const float *in, float *out) { write_state<false>(in, out); }
KERNEL(flashkda_24_fixed)(const float *in, float *out) { write_state<true>(in, out); }

// flashmla-etap-3: a tile is stored to shared memory and multiplied at once, without a fence and without a barrier
#define MATRIX(p) ((uint64_t)(SHARED_ADDRESS(p) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62)
template <bool FIXED>
__device__ static void multiply(const float *in, float *out)
{
    __shared__ alignas(1024) float left[512], right[64];
    float sum[4] = {0, 0, 0, 0};
    for (int i = threadIdx.x; i < 512; i += 128)
        left[i] = in[i];
    if (threadIdx.x < 64)
        right[threadIdx.x] = in[512 + threadIdx.x];
    if (FIXED) {
        FENCE_PROXY();
        NAMED_BARRIER(1, 128);
    }
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, 0, 1, 1;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "l"(MATRIX(left)), "l"(MATRIX(right))
                 : "memory");
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; i++)
        out[threadIdx.x * 4 + i] = sum[i];
}
SMALL_KERNEL(flashmla_etap_3, 128)(const float *in, float *out) { multiply<false>(in, out); }
SMALL_KERNEL(flashmla_etap_3_fixed, 128)(const float *in, float *out) { multiply<true>(in, out); }

// ---- programmatic launches: memory is read before the wait for the kernel before ----

// cccl-5456: the bounds of a part of a merge sort are read before the wait for the kernel that computes them
template <bool FIXED>
__device__ static void merge(const int *bounds, const int *in, int *out)
{
    if (FIXED)
        WAIT_FOR_LAUNCH();
    int begin = bounds[blockIdx.x], end = bounds[blockIdx.x + 1];
    if (!FIXED)
        WAIT_FOR_LAUNCH();
    for (int i = begin + threadIdx.x; i < end; i += 256)
        out[i] = in[i];
}
KERNEL(cccl_5456)(const int *bounds, const int *in, int *out) { merge<false>(bounds, in, out); }
KERNEL(cccl_5456_fixed)(const int *bounds, const int *in, int *out) { merge<true>(bounds, in, out); }

// cutlass-2962: the scheduler reads the first problem's shape when it is constructed, which is before the wait
struct shape {
    int m, n, k;
};
struct problems {
    const shape *shapes;
    float *out;
};
struct scheduler {
    int tiles;
    __device__ scheduler(const problems &all) { tiles = all.shapes[0].m / 128 * (all.shapes[0].n / 128); }
};
template <bool FIXED>
__device__ static void run_tiles(const problems &all)
{
    if (FIXED)
        WAIT_FOR_LAUNCH();
    scheduler tile(all);
    if (!FIXED)
        WAIT_FOR_LAUNCH();
    for (int i = blockIdx.x; i < tile.tiles; i += gridDim.x)
        all.out[i * 256 + threadIdx.x] = i;
}
KERNEL(cutlass_2962)(const __grid_constant__ problems all) { run_tiles<false>(all); }
KERNEL(cutlass_2962_fixed)(const __grid_constant__ problems all) { run_tiles<true>(all); }

// flashinfer-5081: the residual is read when an object is constructed, before the wait for the kernel that writes it
struct reduction {
    const float *in, *residual;
    float *out;
};
struct fused_norm {
    const reduction &all;
    float residual;
    __device__ fused_norm(const reduction &given, int i) : all(given), residual(given.residual[i]) {}
    __device__ void apply(int i) const { all.out[i] = all.in[i] + residual; }
};
template <bool FIXED>
__device__ static void add_residual(const reduction &all)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (FIXED)
        WAIT_FOR_LAUNCH();
    fused_norm norm(all, i);
    if (!FIXED)
        WAIT_FOR_LAUNCH();
    norm.apply(i);
    TRIGGER_LAUNCH();
}
KERNEL(flashinfer_5081)(const __grid_constant__ reduction all) { add_residual<false>(all); }
KERNEL(flashinfer_5081_fixed)(const __grid_constant__ reduction all) { add_residual<true>(all); }

// sglang-38290: the bias is read before the wait, but the kernel before may have converted or filled it
template <bool FIXED>
__device__ static void route(const float *scores, const float *bias, float *out)
{
    if (FIXED)
        WAIT_FOR_LAUNCH();
    float own = bias[threadIdx.x];
    if (!FIXED)
        WAIT_FOR_LAUNCH();
    out[blockIdx.x * 256 + threadIdx.x] = own + scores[blockIdx.x * 256 + threadIdx.x];
    TRIGGER_LAUNCH();
}
KERNEL(sglang_38290)(const float *scores, const float *bias, float *out) { route<false>(scores, bias, out); }
KERNEL(sglang_38290_fixed)(const float *scores, const float *bias, float *out) { route<true>(scores, bias, out); }

// sglang-38409: the place in the cache is read before the wait for the kernel that computes it
struct cache_update {
    const int *places;
    const float *in;
    float *cache;
};
template <bool FIXED>
__device__ static void update_cache(const cache_update &all)
{
    if (FIXED)
        WAIT_FOR_LAUNCH();
    int place = all.places[blockIdx.x];
    if (!FIXED)
        WAIT_FOR_LAUNCH();
    all.cache[place * 256 + threadIdx.x] = all.in[blockIdx.x * 256 + threadIdx.x];
}
KERNEL(sglang_38409)(const __grid_constant__ cache_update all) { update_cache<false>(all); }
KERNEL(sglang_38409_fixed)(const __grid_constant__ cache_update all) { update_cache<true>(all); }

// tensorrt-llm-17842: the length of a sequence is read before the wait, and what is stored after it depends on it
template <bool FIXED>
__device__ static void decode(const int *lengths, const float *in, float *out)
{
    if (FIXED)
        WAIT_FOR_LAUNCH();
    int length = lengths[blockIdx.y];
    if (!FIXED)
        WAIT_FOR_LAUNCH();
    for (int i = threadIdx.x; i < length; i += 256)
        out[blockIdx.y * 4096 + i] = in[i];
}
KERNEL(tensorrt_llm_17842)(const int *lengths, const float *in, float *out) { decode<false>(lengths, in, out); }
KERNEL(tensorrt_llm_17842_fixed)(const int *lengths, const float *in, float *out) { decode<true>(lengths, in, out); }
