// SPDX-License-Identifier: Apache-2.0
// Shapes of programs, each in three forms: -DFORM=0 is broken, 1 is right in the usual way, and 2 looks like the broken
// one and is right for another reason. Accesses are macros, so that their lines are those of the kernels.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_runtime.h>
#include <cstdint>
#if FORM == 0
#define PICK(broken, usual, other) broken
#elif FORM == 1
#define PICK(broken, usual, other) usual
#else
#define PICK(broken, usual, other) other
#endif
#define THREADS(n) extern "C" __global__ void __launch_bounds__(n)
#define KERNEL THREADS(256)
#define LOAD(how, to, at) asm volatile("ld." how ".global.u32 %0, [%1];" : "=r"(to) : "l"(at) : "memory")
#define STORE(how, at, what) asm volatile("st." how ".global.u32 [%0], %1;" : : "l"(at), "r"(what) : "memory")
#define ADD(how, to, at, what) asm volatile("atom." how ".global.add.u32 %0, [%1], %2;" : "=r"(to) : "l"(at), "r"(what) : "memory")
#define RED(how, at, what) asm volatile("red." how ".global.add.u32 [%0], %1;" : : "l"(at), "r"(what) : "memory")
#define POLL(how, at, until) { unsigned seen; do LOAD(how, seen, at); while (!(until)); }
#define PDL_WAIT asm volatile("griddepcontrol.wait;" : : : "memory")
#define PDL_TRIGGER asm volatile("griddepcontrol.launch_dependents;" : : : "memory")
namespace cg = cooperative_groups;

// A grid barrier with sense reversal. Other: fences around relaxed accesses.
KERNEL grid_sense(unsigned *count, unsigned *sense, int *data, int *out)
{
    data[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before, ticket;
        LOAD("relaxed.gpu", before, sense);
        PICK(, , __threadfence());
        ADD(PICK("relaxed.gpu", "acq_rel.gpu", "relaxed.gpu"), ticket, count, 1);
        if (ticket == gridDim.x - 1) {
            PICK(, , __threadfence());
            STORE("relaxed.gpu", count, 0);
            STORE(PICK("relaxed.gpu", "release.gpu", "relaxed.gpu"), sense, 1 - before);
        } else
            POLL(PICK("relaxed.gpu", "acquire.gpu", "relaxed.gpu"), sense, seen != before)
        PICK(, , __threadfence());
    }
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = data[(blockIdx.x ^ 1) * 256 + threadIdx.x];
}

// Arrival in two levels: the last block of a group counts at the root.
KERNEL two_level(unsigned *groups, unsigned *root, int *data, int *out)
{
    data[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned ticket;
        PICK(, , __threadfence());
        ADD(PICK("relaxed.gpu", "acq_rel.gpu", "relaxed.gpu"), ticket, groups + blockIdx.x / 8, 1);
        if (ticket == 7) {
            PICK(, , __threadfence());
            RED(PICK("relaxed.gpu", "release.gpu", "relaxed.gpu"), root, 1);
        }
        POLL(PICK("relaxed.gpu", "acquire.gpu", "relaxed.gpu"), root, seen >= gridDim.x / 8)
        PICK(, , __threadfence());
    }
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = data[(blockIdx.x ^ 1) * 256 + threadIdx.x];
}

// A ticket lock around an ordinary sum.
KERNEL ticket_lock(unsigned *next, unsigned *serving, int *sum)
{
    if (threadIdx.x == 0) {
        unsigned own;
        ADD("relaxed.gpu", own, next, 1);
        POLL(PICK("relaxed.gpu", "acquire.gpu", "relaxed.gpu"), serving, seen == own)
        PICK(, , __threadfence());
        sum[0] += blockIdx.x;
        PICK(, , __threadfence());
        STORE(PICK("relaxed.gpu", "release.gpu", "relaxed.gpu"), serving, own + 1);
    }
}

// Decoupled look-back. Broken: status and value are words of their own. Other: one word has both.
KERNEL lookback(unsigned *status, int *value, unsigned long long *packed, int *out)
{
    if (threadIdx.x == 0) {
        int sum = 0;
        PICK(value[blockIdx.x] = blockIdx.x; STORE("relaxed.gpu", status + blockIdx.x, 1),
             value[blockIdx.x] = blockIdx.x; STORE("release.gpu", status + blockIdx.x, 1),
             asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(packed + blockIdx.x), "l"(1ULL << 32 | blockIdx.x) : "memory"));
        for (int at = blockIdx.x - 1; at >= 0; at--) {
            PICK(POLL("relaxed.gpu", status + at, seen != 0) sum += value[at],
                 POLL("acquire.gpu", status + at, seen != 0) sum += value[at],
                 unsigned long long word; do asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(packed + at) : "memory");
                 while (word >> 32 == 0); sum += (int)word);
        }
        out[blockIdx.x] = sum;
    }
}

// Two buffers that are exchanged by pointer. Other: one barrier in a turn is enough.
KERNEL double_buffer(const int *in, int *out, int n)
{
    __shared__ int a[256], b[256];
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int *p = i & 1 ? a : b;
        p[threadIdx.x] = in[i * 256 + threadIdx.x];
        PICK(, __syncthreads(), __syncthreads());
        sum += p[255 - threadIdx.x];
        PICK(__syncthreads(), __syncthreads(), );
    }
    out[threadIdx.x] = sum;
}

// A ring with head and tail between two blocks.
KERNEL ring(unsigned *head, unsigned *tail, int *slots, const int *in, int *out, int n)
{
    if (threadIdx.x != 0)
        return;
    for (unsigned i = 0; i < (unsigned)n; i++)
        if (blockIdx.x == 0) {
            POLL(PICK("volatile", "acquire.gpu", "volatile"), tail, i - seen < 64)
            PICK(, , __threadfence());
            slots[i % 64] = in[i];
            PICK(, , __threadfence());
            STORE(PICK("volatile", "release.gpu", "volatile"), head, i + 1);
        } else {
            POLL(PICK("volatile", "acquire.gpu", "volatile"), head, seen > i)
            PICK(, , __threadfence());
            out[i] = slots[i % 64];
            PICK(, , __threadfence());
            STORE(PICK("volatile", "release.gpu", "volatile"), tail, i + 1);
        }
}

// An mbarrier between threads of a block. Broken: nobody waits. Other: a wait for its phase, by number.
KERNEL mbarrier_phase(const int *in, int *out)
{
    __shared__ uint64_t m;
    __shared__ int s[256];
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&m), done;
    uint64_t state;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 256;" : : "r"(at) : "memory");
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    PICK((void)done,
         do asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at), "l"(state) : "memory"); while (!done),
         do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at) : "memory"); while (!done));
    out[threadIdx.x] = s[255 - threadIdx.x];
}

// cp.async: waiting is for the thread's own copies. Other: each thread reads what it has copied.
KERNEL copy_async(const int *in, int *out)
{
    __shared__ int s[256];
    uint32_t at = (uint32_t)__cvta_generic_to_shared(s + threadIdx.x);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(at), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.commit_group;" : : : "memory");
    asm volatile("cp.async.wait_group 0;" : : : "memory");
    PICK(, __syncthreads(), );
    out[threadIdx.x] = s[PICK(255 - threadIdx.x, 255 - threadIdx.x, threadIdx.x)];
}

// One warp stores for the others. Other: it arrives at a named barrier, at which the others wait.
KERNEL warp_producer(const int *in, int *out)
{
    __shared__ int s[224];
    if (threadIdx.x < 32) {
        for (int i = 0; i < 7; i++)
            s[i * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];
        PICK(, asm volatile("bar.sync 1, 256;" : : : "memory"), asm volatile("bar.arrive 1, 256;" : : : "memory"));
    } else {
        PICK(, asm volatile("bar.sync 1, 256;" : : : "memory"), asm volatile("bar.sync 1, 256;" : : : "memory"));
        out[threadIdx.x - 32] = s[255 - threadIdx.x];
    }
}

// A warp writes what it has read. Other: a shuffle is between.
THREADS(32) write_after_read(const int *in, int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    int got = s[31 - threadIdx.x];
    PICK(, __syncwarp(), got += __shfl_xor_sync(~0U, got, 1));
    s[threadIdx.x] = got;
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// A reduction of the last warp by volatile shared memory. Other: by shuffles.
THREADS(64) reduce_volatile(const int *in, int *out)
{
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        int v = s[t] + s[t + 32];
        for (int step = 16; step > 0; step /= 2) {
            PICK(s[t] = v; v += s[t ^ step],
                 __syncwarp(); s[t] = v; __syncwarp(); v += s[t ^ step],
                 v += __shfl_xor_sync(~0U, v, step));
        }
        out[t] = v;
    }
}

// Cooperative groups: a tile of a warp. Other: the whole block meets.
KERNEL tile(const int *in, int *out)
{
    __shared__ int s[256];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> own = cg::tiled_partition<32>(block);
    s[threadIdx.x] = in[threadIdx.x];
    PICK((void)own, own.sync(), block.sync());
    out[threadIdx.x] = s[threadIdx.x ^ 31];
}

// Cooperative groups: the grid. Broken: only the block meets, and a counter is relaxed.
KERNEL grid_sync(unsigned *count, int *data, int *out)
{
    data[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
    PICK(__syncthreads(); if (threadIdx.x == 0) { RED("relaxed.gpu", count, 1); POLL("relaxed.gpu", count, seen >= gridDim.x) } __syncthreads(),
         cg::this_grid().sync(),
         __syncthreads(); if (threadIdx.x == 0) { __threadfence(); RED("relaxed.gpu", count, 1); POLL("relaxed.gpu", count, seen >= gridDim.x) __threadfence(); } __syncthreads());
    out[blockIdx.x * 256 + threadIdx.x] = data[(blockIdx.x ^ 1) * 256 + threadIdx.x];
}

// A grid barrier with fences. Other: all threads execute them, outside of the barriers of their block, which is wrong by
// the letter only.
KERNEL grid_fences(unsigned *count, int *data, int *out)
{
    data[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
    PICK(, , __threadfence());
    __syncthreads();
    if (threadIdx.x == 0) {
        PICK(, __threadfence(), );
        RED("relaxed.gpu", count, 1);
        POLL("relaxed.gpu", count, seen >= gridDim.x)
        PICK(, __threadfence(), );
    }
    __syncthreads();
    PICK(, , __threadfence());
    out[blockIdx.x * 256 + threadIdx.x] = data[(blockIdx.x ^ 1) * 256 + threadIdx.x];
}

// A programmatic launch: one warp waits. Other: all meet after its wait.
KERNEL pdl_warp(const int *in, int *out)
{
    PICK(if (threadIdx.x < 32) PDL_WAIT, PDL_WAIT, if (threadIdx.x < 32) PDL_WAIT);
    PICK(, , __syncthreads());
    out[threadIdx.x] = *(volatile const int *)(in + threadIdx.x);
}

// A programmatic launch that starts the next one. Other: it does so before it waits.
KERNEL pdl_trigger(const int *in, int *out)
{
    PICK(const int v = *(volatile const int *)(in + threadIdx.x); PDL_WAIT; PDL_TRIGGER,
         PDL_WAIT; const int v = *(volatile const int *)(in + threadIdx.x); PDL_TRIGGER,
         PDL_TRIGGER; PDL_WAIT; const int v = *(volatile const int *)(in + threadIdx.x));
    out[threadIdx.x] = v;
}

// A programmatic launch that reads by ld.nc. Other: only after the wait in a branch that all take.
KERNEL pdl_nc(const int *__restrict__ in, int *__restrict__ out, int early)
{
    int v = 0;
    PICK(v = __ldg(in + threadIdx.x); if (early == 0) PDL_WAIT,
         PDL_WAIT; v = __ldg(in + threadIdx.x),
         if (early == 0) { PDL_WAIT; v = __ldg(in + threadIdx.x); } else { PDL_WAIT; });
    out[threadIdx.x] = v;
}

// Stream-K: blocks of a tile add their parts in turn, as a semaphore says.
KERNEL fix_up(unsigned *semaphore, float *workspace, const float *part, float *out)
{
    if (threadIdx.x == 0) {
        POLL(PICK("relaxed.gpu", "acquire.gpu", "volatile"), semaphore + blockIdx.x, seen == blockIdx.y)
        PICK(, , __threadfence());
    }
    __syncthreads();
    const float v = workspace[blockIdx.x * 256 + threadIdx.x] + part[blockIdx.y * 256 + threadIdx.x];
    if (blockIdx.y == gridDim.y - 1)
        out[blockIdx.x * 256 + threadIdx.x] = v;
    else
        workspace[blockIdx.x * 256 + threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        PICK(, , __threadfence());
        PICK(RED("relaxed.gpu", semaphore + blockIdx.x, 1), RED("release.gpu", semaphore + blockIdx.x, 1), RED("relaxed.gpu", semaphore + blockIdx.x, 1));
    }
}

// Split-K: the last block adds. Other: a fence before counting and none after, which is wrong by the letter only.
KERNEL split_k(unsigned *count, float *part, float *out)
{
    __shared__ unsigned ticket;
    part[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
    PICK(, __threadfence(), __threadfence());
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicAdd(count, 1);
    __syncthreads();
    if (ticket == gridDim.x - 1) {
        PICK(, __threadfence(), );
        float sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += part[i * 256 + threadIdx.x];
        out[threadIdx.x] = sum;
    }
}

// An all-reduce: flags in the memory of the other GPUs.
KERNEL all_reduce(unsigned **flags, int **data, int *out, int rank)
{
    data[rank][threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 8) {
        PICK(, , __threadfence_system());
        STORE(PICK("volatile", "release.sys", "relaxed.sys"), flags[threadIdx.x] + rank, 1);
        POLL(PICK("volatile", "acquire.sys", "relaxed.sys"), flags[rank] + threadIdx.x, seen == 1)
        PICK(, , __threadfence_system());
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += data[i][threadIdx.x];
    out[threadIdx.x] = sum;
}

// cuda::atomic_ref. Other: cuda::atomic_thread_fence.
KERNEL reference(int *flag, int *data, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 1;
        PICK(, , cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device));
        f.store(1, PICK(cuda::memory_order_relaxed, cuda::memory_order_release, cuda::memory_order_relaxed));
    } else {
        while (f.load(PICK(cuda::memory_order_relaxed, cuda::memory_order_acquire, cuda::memory_order_relaxed)) == 0)
            ;
        PICK(, , cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device));
        out[0] = data[0];
    }
}

// cuda::barrier. Broken: arrivals without a wait. Other: arrival and wait apart.
KERNEL library_barrier(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ int s[256];
    if (threadIdx.x == 0)
        init(&b, 256);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    PICK((void)b.arrive(), b.arrive_and_wait(), auto token = b.arrive(); b.wait(cuda::std::move(token)));
    out[threadIdx.x] = s[255 - threadIdx.x];
}

// A wait with pauses.
KERNEL pauses(unsigned *flag, int *data, int *out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0)
            STORE("release.gpu", flag, 1);
    } else {
        if (threadIdx.x == 0) {
            unsigned seen, pause = 8;
            do {
                LOAD(PICK("volatile", "acquire.gpu", "volatile"), seen, flag);
                if (seen == 0)
                    __nanosleep(pause);
                pause = pause < 256 ? 2 * pause : pause;
            } while (seen == 0);
            PICK(, , __threadfence());
        }
        __syncthreads();
        out[threadIdx.x] = data[255 - threadIdx.x];
    }
}

// Look-back by a warp, which votes about the states that its lanes have read.
KERNEL vote(unsigned *status, int *value, int *out)
{
    const int lane = threadIdx.x;
    if (lane == 0) {
        value[blockIdx.x] = blockIdx.x;
        PICK(, , __threadfence());
        STORE(PICK("relaxed.gpu", "release.gpu", "relaxed.gpu"), status + blockIdx.x, 1);
    }
    const int at = (int)blockIdx.x - 1 - lane;
    unsigned seen = 1;
    do
        if (at >= 0)
            LOAD(PICK("relaxed.gpu", "acquire.gpu", "relaxed.gpu"), seen, status + at);
    while (__ballot_sync(~0U, seen == 0));
    PICK(, , __threadfence());
    const int got = at >= 0 ? value[at] : 0;
    const int sum = __reduce_add_sync(~0U, got);
    if (lane == 0)
        out[blockIdx.x] = sum;
}
