// SPDX-License-Identifier: Apache-2.0
//
// The words in which the kernel skeleton is written, for CUDA C++ as NVRTC compiles it (sm_70 and later). What each word
// means stands at the head of the OpenCL prelude. Orders and scopes are written as PTX, so that no header is needed and
// the instruction is the one named here.

#pragma nv_diag_suppress 177, 186, 550 // a test does not use every helper, every bin, every variable and every value

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#define LONG long long

#define GLOBAL
#define LOCAL
#define FUNCTION static __device__ __forceinline__
#define ENTRY(draw, memory, scratch, counters, local_memory)                                                           \
    extern __shared__ u32 local_memory[];                                                                              \
    extern "C" __global__ void __launch_bounds__(1024)                                                                 \
        orchil(const u32 *__restrict__ draw, u32 *memory, u32 *scratch, u32 *counters)

#define GROUP (blockIdx.x)
#define LANE (threadIdx.x)
#define GROUP_SIZE (blockDim.x)

#define group_barrier() __syncthreads()
#define unranged(n) (n)

#if __CUDA_ARCH__ >= 900
FUNCTION u32 cluster_groups()
{
    u32 n;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
    return n;
}
#else
#define cluster_groups() 1u
#endif

FUNCTION void arrive(u32 *p)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(p) : "memory");
}

FUNCTION u32 arrived(u32 *p)
{
    u32 n;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(n) : "l"(p) : "memory");
    return n;
}

FUNCTION u32 peek(u32 *p)
{
    u32 n;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(n) : "l"(p) : "memory");
    return n;
}

FUNCTION void add(u32 *p, u32 n)
{
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(p), "r"(n) : "memory");
}

FUNCTION void add_local(u32 *p, u32 n)
{
    (void)atomicAdd(p, n);
}

FUNCTION u32 claim(u32 *p, u32 expected, u32 desired)
{
    u32 old;
    asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(p), "r"(expected), "r"(desired)
                 : "memory");
    return old;
}

FUNCTION void publish(u32 *p, u32 n)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(n) : "memory");
}

FUNCTION u32 stress_load(u32 *p)
{
    return *(volatile u32 *)p;
}

FUNCTION u32 stress_load_cached(u32 *p)
{
    u32 n;
    asm volatile("ld.weak.global.ca.u32 %0, [%1];" : "=r"(n) : "l"(p) : "memory");
    return n;
}

FUNCTION void stress_store(u32 *p, u32 n)
{
    *(volatile u32 *)p = n;
}

#define GLOBAL_OPERAND "l"
#define LOCAL_OPERAND "r"
#define GENERIC_OPERAND "l"
#define global_address(p) (p)
#define local_address(p) ((u32)__cvta_generic_to_shared(p))
#define generic_address(p) (p)
