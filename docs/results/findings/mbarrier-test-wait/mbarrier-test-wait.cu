// SPDX-License-Identifier: Apache-2.0
// mbarrier.test_wait.acquire returns true, and the load after it is from before: message passing in one block of two warps.
//
//     warp 0                                  warp 1
//     st.weak.shared x, n                     p = mbarrier.test_wait.acquire.cta m, phase n
//     mbarrier.arrive.release.cta m           b = ld.weak.shared x
//
// Every lane has an mbarrier and an x of its own. Seen: p, and b is older than n. There is no asynchronous copy, and no branch.
// In the machine code nothing makes the load wait for the answer. The controls make it wait: a branch on p, or an address that
// is calculated from p.
#include <cstdio>
#include <cstdlib>

enum { BLOCKS = 132 * 8, THREADS = 64, ROUNDS = 20000, LAUNCHES = 4 };
enum reader { STRAIGHT, BRANCH, ADDRESS };

template <reader READER> __global__ void play(unsigned zero, unsigned seed, unsigned long long *counts)
{
    __shared__ alignas(8) unsigned long long ends[32];
    __shared__ unsigned data[32 * 9];
    const unsigned lane = threadIdx.x % 32;
    const unsigned end = (unsigned)__cvta_generic_to_shared(&ends[lane]), x = (unsigned)__cvta_generic_to_shared(&data[lane * 9]);
    unsigned state = seed * 2654435761u + blockIdx.x * 40503u + threadIdx.x / 32 * 9176u + 1;
    unsigned long long asked = 0, yes = 0, seen = 0;
    if (threadIdx.x < 32) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(end) : "memory");
        data[lane * 9] = 0;
    }
    __syncthreads();
    for (unsigned round = 1; round <= ROUNDS; round++) {
        state = state * 1664525u + 1013904223u;
        for (unsigned i = (state >> 16) % 8; i > 0; i--) // one number for the whole warp
            asm volatile("" ::: "memory");
        if (threadIdx.x < 32) {
            asm volatile("{\n\t.reg .b64 token;\n\tst.weak.shared::cta.u32 [%0], %1;\n\t"
                         "mbarrier.arrive.release.cta.shared::cta.b64 token, [%2];\n\t}"
                         ::"r"(x), "r"(round), "r"(end) : "memory");
        } else {
            unsigned p, b = round;
            asm volatile("{\n\t.reg .pred q;\n\tmbarrier.test_wait.parity.acquire.cta.shared::cta.b64 q, [%1], %2;\n\tselp.u32 %0, 1, 0, q;\n\t}"
                         : "=r"(p) : "r"(end), "r"((round - 1) % 2) : "memory");
            if (READER != BRANCH || p)
                asm volatile("ld.weak.shared::cta.u32 %0, [%1];" : "=r"(b) : "r"(READER == ADDRESS ? x + (p & zero) : x) : "memory");
            asked++;
            yes += p;
            seen += p && b < round;
        }
        __syncthreads();
    }
    atomicAdd(counts, seen);
    atomicAdd(counts + 1, yes);
    atomicAdd(counts + 2, asked);
}

template <reader READER> static unsigned long long count(const char *what, unsigned seed)
{
    unsigned long long *counts, host[3];
    if (cudaMalloc(&counts, sizeof host) || cudaMemset(counts, 0, sizeof host))
        exit(2);
    for (unsigned launch = 0; launch < LAUNCHES; launch++)
        play<READER><<<BLOCKS, THREADS>>>(0, seed * LAUNCHES + launch, counts);
    if (cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost)) {
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
        exit(2);
    }
    printf("%s: seen %llu of %llu (%llu answers were yes)\n", what, host[0], host[2], host[1]);
    return host[0];
}

int main(int count_of_arguments, char **arguments)
{
    const unsigned seed = count_of_arguments > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    const unsigned long long seen = count<STRAIGHT>("test_wait, then the load", seed);
    const unsigned long long branch = count<BRANCH>("with a branch on the answer (control)", seed);
    const unsigned long long address = count<ADDRESS>("with an address that depends on the answer (control)", seed);
    return seen > 0 && branch == 0 && address == 0 ? 0 : 1;
}
