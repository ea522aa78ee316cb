// SPDX-License-Identifier: Apache-2.0
// A wait with a time limit splits a warp, ptxas takes the warp for whole, and it then arrives twice at the next barrier.
//
// A thread asks an mbarrier whether a phase has ended, writes the number of the round, meets the other warp at a barrier, and
// reads what its partner there wrote:
//
//     p = mbarrier.try_wait mbarrier, phase, 1000
//     stage[t] = round
//     barrier.sync 0
//     seen if stage[t ^ 32] is not yet this round
//
// Nobody arrives at the mbarrier. Some threads ask for the phase before the first, which has ended; the others for the first, and
// sleep until the time limit. No branch depends on the answer: all threads execute the same instructions.
#include <cstdio>
#include <cstdlib>

enum { BLOCKS = 132 * 8, THREADS = 64, ROUNDS = 2000, LAUNCHES = 4 };

// Asks for the phase with this parity. LIMIT is the text of a time limit, in nanoseconds, or empty.
#define TRY_WAIT(LIMIT) \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2" LIMIT ";\n\tselp.u32 %0, 1, 0, p;\n\t}" \
                 : "=r"(ended) : "r"(mbarrier), "r"(state >> 31) : "memory")

enum meeting { BARRIER_SYNC, WARP_THEN_BAR_SYNC, BAR_SYNC };

template <meeting MEETING> __device__ void meet(unsigned warp)
{
    if (MEETING == BARRIER_SYNC)
        asm volatile("barrier.sync 0;" ::: "memory");
    if (MEETING == WARP_THEN_BAR_SYNC)
        asm volatile("bar.warp.sync %0;\n\tbar.sync 0;" ::"r"(warp) : "memory");
    if (MEETING == BAR_SYNC)
        asm volatile("bar.sync 0;" ::: "memory");
}

template <meeting MEETING, bool LIMIT> __global__ void play(unsigned warp, unsigned seed, unsigned long long *counts)
{
    __shared__ alignas(8) unsigned long long never[THREADS];
    __shared__ volatile unsigned stage[THREADS];
    const unsigned mbarrier = (unsigned)__cvta_generic_to_shared(&never[threadIdx.x]);
    unsigned state = seed * 2654435761u + blockIdx.x * 40503u + threadIdx.x * 9176u + 1;
    unsigned answers = 0;
    unsigned long long asked = 0, seen = 0;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(mbarrier) : "memory");
    stage[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned round = 1; round <= ROUNDS; round++) {
        unsigned ended;
        state = state * 1664525u + 1013904223u;
        if (LIMIT)
            TRY_WAIT(", 1000");
        else
            TRY_WAIT("");
        stage[threadIdx.x] = round;
        meet<MEETING>(warp);
        asked++;
        seen += stage[threadIdx.x ^ 32] < round;
        answers += ended;
        meet<MEETING>(warp);
    }
    atomicAdd(counts, seen);
    atomicAdd(counts + 1, asked);
    atomicAdd(counts + 2, (unsigned long long)answers);
}

template <meeting MEETING, bool LIMIT> static unsigned long long count(const char *what, unsigned seed)
{
    unsigned long long *counts, host[3];
    if (cudaMalloc(&counts, sizeof host) || cudaMemset(counts, 0, sizeof host))
        exit(2);
    for (unsigned launch = 0; launch < LAUNCHES; launch++)
        play<MEETING, LIMIT><<<BLOCKS, THREADS>>>(~0u, seed * LAUNCHES + launch, counts);
    if (cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost)) {
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
        exit(2);
    }
    printf("%s: seen %llu of %llu (%llu answers were yes)\n", what, host[0], host[1], host[2]);
    return host[0];
}

int main(int count_of_arguments, char **arguments)
{
    const unsigned seed = count_of_arguments > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    const unsigned long long seen = count<BARRIER_SYNC, true>("barrier.sync", seed);
    count<WARP_THEN_BAR_SYNC, true>("bar.warp.sync; bar.sync", seed);
    const unsigned long long bar = count<BAR_SYNC, true>("bar.sync (control)", seed);
    const unsigned long long plain = count<BARRIER_SYNC, false>("barrier.sync after a wait without a time limit (control)", seed);
    return seen > 0 && bar == 0 && plain == 0 ? 0 : 1;
}
