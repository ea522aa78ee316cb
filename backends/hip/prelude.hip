// SPDX-License-Identifier: Apache-2.0
//
// The words in which the kernel skeleton is written, and those of OPENCL, C and CUDA tests, in HIP C++: for HIPRTC, whose headers
// are always there, and for clang without any. What each word of the skeleton means stands at the head of the OpenCL prelude.
//
// Atomic functions of OpenCL C, cuda::atomic_ref and CUDA's atomic functions are clang's __hip_atomic_*, fences are
// __builtin_amdgcn_fence, barriers are what HIP's headers make of them. A work-item is one thread, a sub-group or warp a wavefront,
// a block a work-group, a device an agent. Words of CUDA that HIP's headers have as well are macros here.

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#define LONG long long
#define INDEX long long

#define TO_U32(n) ((u32)(n))
#define TO_U64(n) ((u64)(n))
#define TO_LONG(n) ((LONG)(n))
#define TO_INDEX(n) ((INDEX)(n))
#define STRUCT(name) struct name
#define OUT

#define GLOBAL
#define LOCAL
#ifndef __HIPCC_RTC__ // which has these words of HIP
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#endif
#define DEVICE __device__
#define WORD DEVICE inline __attribute__((always_inline, nodebug))
#define FUNCTION static WORD
#define ENTRY(draw, memory, scratch, counters, local_memory)                                                           \
    extern __shared__ u32 local_memory[];                                                                              \
    extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(1, 1024))) void orchil(                           \
        const u32 *__restrict__ draw, u32 *memory, u32 *scratch, u32 *counters)
#define ENTRY_OF_ONE_DRAW ENTRY
#define MEMORY_PARAMETERS const u32 *draw, u32 *memory, u32 *scratch, u32 *counters, u32 *local_memory
#define MEMORY_ARGUMENTS draw, memory, scratch, counters, local_memory
#define AT(array, start, k) ((array) + (start))[k]
#define CELL(array, index) ((array) + (index))
#define COMPUTED(addresses)

#define high_product(a, b) ((u32)((u64)(a) * (b) >> 32))
#define ROLLED _Pragma("unroll 1")

#define GROUP ((u32)__builtin_amdgcn_workgroup_id_x())
#define LANE ((u32)__builtin_amdgcn_workitem_id_x())
#define GROUP_SIZE ((u32)__builtin_amdgcn_workgroup_size_x())

#define cluster_groups() 1u
#define agreed(n) (n)
#define unranged(n) (n)

// Clang 15 to 18 make a store of an exchange without a result, and lose its line. Here the result is used.
#if __clang_major__ >= 15 && __clang_major__ < 19
template <class T> FUNCTION T used(T value)
{
    __asm__ volatile("" : : "v"(value));
    return value;
}
#else
#define used(value) (value)
#endif

// Assembly without an instruction, which LLVM moves no access across. It stands after each thread, so that no instruction is of
// two threads: HIPRTC 5.2 takes the options that say so (compile.c) for one of its two stages only.
template <int slot> FUNCTION void thread_ends()
{
    __asm__ volatile("" : : "n"(slot));
}

// The same at the end of a helper, see apart_line in backend.h.
struct access_ends
{
    WORD ~access_ends()
    {
        __asm__ volatile("");
    }
};

// ---- conversions ----

// Variadic: an argument may have the comma of a template.
#define __uint_as_float(...) __builtin_bit_cast(float, (u32)(__VA_ARGS__))
#define __float_as_uint(...) __builtin_bit_cast(u32, (float)(__VA_ARGS__))
#define __longlong_as_double(...) __builtin_bit_cast(double, (LONG)(__VA_ARGS__))
#define __double_as_longlong(...) __builtin_bit_cast(LONG, (double)(__VA_ARGS__))

// ---- fences and barriers ----

// The builtin takes literals only. scope: __HIP_MEMORY_SCOPE_*.
#define FENCE_AT(order, number)                                                                                        \
    if (number == __HIP_MEMORY_SCOPE_SINGLETHREAD)                                                                     \
        __builtin_amdgcn_fence(order, "singlethread");                                                                 \
    else if (number == __HIP_MEMORY_SCOPE_WAVEFRONT)                                                                        \
        __builtin_amdgcn_fence(order, "wavefront");                                                                    \
    else if (number == __HIP_MEMORY_SCOPE_WORKGROUP)                                                                   \
        __builtin_amdgcn_fence(order, "workgroup");                                                                    \
    else if (number == __HIP_MEMORY_SCOPE_AGENT)                                                                       \
        __builtin_amdgcn_fence(order, "agent");                                                                        \
    else if (number == __HIP_MEMORY_SCOPE_SYSTEM)                                                                      \
        __builtin_amdgcn_fence(order, "");

#undef __syncthreads
#define __threadfence_block() __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup")
#define __threadfence() __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent")
#define __threadfence_system() __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "")
#define BARRIER(scope, meet)                                                                                           \
    do {                                                                                                               \
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, scope);                                                               \
        meet();                                                                                                        \
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, scope);                                                               \
    } while (0)
#define __syncthreads() BARRIER("workgroup", __builtin_amdgcn_s_barrier)
#define __syncwarp() BARRIER("wavefront", __builtin_amdgcn_wave_barrier)
#define group_barrier() __syncthreads()

// ---- cuda::atomic_ref and cuda::atomic_thread_fence ----

namespace cuda
{
// An order is a type, so that its number is a constant wherever it is used.
template <int number> struct order_constant
{
};

constexpr order_constant<__ATOMIC_RELAXED> memory_order_relaxed{};
constexpr order_constant<__ATOMIC_ACQUIRE> memory_order_acquire{};
constexpr order_constant<__ATOMIC_RELEASE> memory_order_release{};
constexpr order_constant<__ATOMIC_ACQ_REL> memory_order_acq_rel{};
constexpr order_constant<__ATOMIC_SEQ_CST> memory_order_seq_cst{};

enum thread_scope
{
    thread_scope_thread = __HIP_MEMORY_SCOPE_SINGLETHREAD,
    thread_scope_block = __HIP_MEMORY_SCOPE_WORKGROUP,
    thread_scope_device = __HIP_MEMORY_SCOPE_AGENT,
    thread_scope_system = __HIP_MEMORY_SCOPE_SYSTEM
};

// The order of a compare_exchange that fails, if none is written.
constexpr int failure_of(int order)
{
    return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

template <class T, thread_scope scope> struct atomic_ref
{
    T *p;

    WORD explicit atomic_ref(T &object) : p(&object)
    {
    }

    template <int order> WORD T load(order_constant<order>) const
    {
        return __hip_atomic_load(p, order, scope);
    }

    template <int order> WORD void store(T value, order_constant<order>) const
    {
        __hip_atomic_store(p, value, order, scope);
    }

    template <int order> WORD T exchange(T value, order_constant<order>) const
    {
        return used(__hip_atomic_exchange(p, value, order, scope));
    }

    template <int order> WORD T fetch_add(T value, order_constant<order>) const
    {
        return __hip_atomic_fetch_add(p, value, order, scope);
    }

    template <int order> WORD T fetch_sub(T value, order_constant<order>) const
    {
        return __hip_atomic_fetch_add(p, -value, order, scope);
    }

    template <int order> WORD T fetch_and(T value, order_constant<order>) const
    {
        return __hip_atomic_fetch_and(p, value, order, scope);
    }

    template <int order> WORD T fetch_or(T value, order_constant<order>) const
    {
        return __hip_atomic_fetch_or(p, value, order, scope);
    }

    template <int order> WORD T fetch_xor(T value, order_constant<order>) const
    {
        return __hip_atomic_fetch_xor(p, value, order, scope);
    }

    template <int order> WORD T fetch_min(T value, order_constant<order>) const
    {
        return __hip_atomic_fetch_min(p, value, order, scope);
    }

    template <int order> WORD T fetch_max(T value, order_constant<order>) const
    {
        return __hip_atomic_fetch_max(p, value, order, scope);
    }

    template <int order, int failure>
    WORD bool compare_exchange_strong(T &expected, T value, order_constant<order>, order_constant<failure>) const
    {
        return __hip_atomic_compare_exchange_strong(p, &expected, value, order, failure, scope);
    }

    template <int order> WORD bool compare_exchange_strong(T &expected, T value, order_constant<order>) const
    {
        return __hip_atomic_compare_exchange_strong(p, &expected, value, order, failure_of(order), scope);
    }

    template <int order, int failure>
    WORD bool compare_exchange_weak(T &expected, T value, order_constant<order>, order_constant<failure>) const
    {
        return __hip_atomic_compare_exchange_weak(p, &expected, value, order, failure, scope);
    }

    template <int order> WORD bool compare_exchange_weak(T &expected, T value, order_constant<order>) const
    {
        return __hip_atomic_compare_exchange_weak(p, &expected, value, order, failure_of(order), scope);
    }
};

WORD void atomic_thread_fence(order_constant<__ATOMIC_RELAXED>, thread_scope)
{
}

WORD void atomic_thread_fence(order_constant<__ATOMIC_ACQUIRE>, thread_scope scope)
{
    FENCE_AT(__ATOMIC_ACQUIRE, scope)
}

WORD void atomic_thread_fence(order_constant<__ATOMIC_RELEASE>, thread_scope scope)
{
    FENCE_AT(__ATOMIC_RELEASE, scope)
}

WORD void atomic_thread_fence(order_constant<__ATOMIC_ACQ_REL>, thread_scope scope)
{
    FENCE_AT(__ATOMIC_ACQ_REL, scope)
}

WORD void atomic_thread_fence(order_constant<__ATOMIC_SEQ_CST>, thread_scope scope)
{
    FENCE_AT(__ATOMIC_SEQ_CST, scope)
}
} // namespace cuda

// ---- CUDA's atomic functions: relaxed ----

// UPDATE(operation, scope, p, value): the previous value.
#define UPDATE(operation, scope, p, value)                                                                             \
    __hip_atomic_##operation(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_##scope)
#define atomicAdd_block(p, v) UPDATE(fetch_add, WORKGROUP, p, v)
#define atomicAdd(p, v) UPDATE(fetch_add, AGENT, p, v)
#define atomicAdd_system(p, v) UPDATE(fetch_add, SYSTEM, p, v)
#define atomicSub_block(p, v) UPDATE(fetch_add, WORKGROUP, p, -(v))
#define atomicSub(p, v) UPDATE(fetch_add, AGENT, p, -(v))
#define atomicSub_system(p, v) UPDATE(fetch_add, SYSTEM, p, -(v))
#define atomicExch_block(p, v) used(UPDATE(exchange, WORKGROUP, p, v))
#define atomicExch(p, v) used(UPDATE(exchange, AGENT, p, v))
#define atomicExch_system(p, v) used(UPDATE(exchange, SYSTEM, p, v))
#define atomicAnd_block(p, v) UPDATE(fetch_and, WORKGROUP, p, v)
#define atomicAnd(p, v) UPDATE(fetch_and, AGENT, p, v)
#define atomicAnd_system(p, v) UPDATE(fetch_and, SYSTEM, p, v)
#define atomicOr_block(p, v) UPDATE(fetch_or, WORKGROUP, p, v)
#define atomicOr(p, v) UPDATE(fetch_or, AGENT, p, v)
#define atomicOr_system(p, v) UPDATE(fetch_or, SYSTEM, p, v)
#define atomicXor_block(p, v) UPDATE(fetch_xor, WORKGROUP, p, v)
#define atomicXor(p, v) UPDATE(fetch_xor, AGENT, p, v)
#define atomicXor_system(p, v) UPDATE(fetch_xor, SYSTEM, p, v)
#define atomicMin_block(p, v) UPDATE(fetch_min, WORKGROUP, p, v)
#define atomicMin(p, v) UPDATE(fetch_min, AGENT, p, v)
#define atomicMin_system(p, v) UPDATE(fetch_min, SYSTEM, p, v)
#define atomicMax_block(p, v) UPDATE(fetch_max, WORKGROUP, p, v)
#define atomicMax(p, v) UPDATE(fetch_max, AGENT, p, v)
#define atomicMax_system(p, v) UPDATE(fetch_max, SYSTEM, p, v)

#define COMPARE(p, expected, value, scope)                                                                             \
    ({                                                                                                                 \
        auto old = expected;                                                                                           \
        (void)__hip_atomic_compare_exchange_strong(p, &old, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope);         \
        old;                                                                                                           \
    })
#define atomicCAS_block(p, expected, value) COMPARE(p, expected, value, __HIP_MEMORY_SCOPE_WORKGROUP)
#define atomicCAS(p, expected, value) COMPARE(p, expected, value, __HIP_MEMORY_SCOPE_AGENT)
#define atomicCAS_system(p, expected, value) COMPARE(p, expected, value, __HIP_MEMORY_SCOPE_SYSTEM)

// HIP's headers have atomicInc and atomicDec; clang's builtins in HIP C++ have no such operation.
#ifndef __HIPCC_RTC__
#define NO_ATOMIC(name)                                                                                                \
    template <class T> DEVICE T name(T *p, T value) __attribute__((unavailable("clang has no builtin for it in HIP")));
NO_ATOMIC(atomicInc)
NO_ATOMIC(atomicDec)
#else
#define NO_ATOMIC(name)                                                                                                \
    template <class T> DEVICE T name(T *p, T value) __attribute__((unavailable("HIP has it for a device only")));
#endif
NO_ATOMIC(atomicInc_block)
NO_ATOMIC(atomicInc_system)
NO_ATOMIC(atomicDec_block)
NO_ATOMIC(atomicDec_system)

// ---- the skeleton's accesses ----

#define DEVICE_WORD(array, i) cuda::atomic_ref<u32, cuda::thread_scope_device>((array)[i])
#define SYSTEM_WORD(array, i) cuda::atomic_ref<u32, cuda::thread_scope_system>((array)[i])

FUNCTION void arrive(u32 *array, u32 i)
{
    (void)DEVICE_WORD(array, i).fetch_add(1u, cuda::memory_order_release);
}

FUNCTION u32 arrived(u32 *array, u32 i)
{
    return DEVICE_WORD(array, i).load(cuda::memory_order_acquire);
}

FUNCTION u32 peek(u32 *array, u32 i)
{
    return DEVICE_WORD(array, i).load(cuda::memory_order_relaxed);
}

FUNCTION void add(u32 *array, u32 i, u32 n)
{
    (void)DEVICE_WORD(array, i).fetch_add(n, cuda::memory_order_relaxed);
}

FUNCTION void add_local(u32 *array, u32 i, u32 n)
{
    (void)cuda::atomic_ref<u32, cuda::thread_scope_block>(array[i]).fetch_add(n, cuda::memory_order_relaxed);
}

FUNCTION u32 claim(u32 *array, u32 i, u32 expected, u32 desired)
{
    (void)DEVICE_WORD(array, i).compare_exchange_strong(expected, desired, cuda::memory_order_acq_rel);
    return expected;
}

FUNCTION void publish(u32 *array, u32 i, u32 n)
{
    DEVICE_WORD(array, i).store(n, cuda::memory_order_release);
}

FUNCTION void signal(u32 *array, u32 i, u32 n)
{
    SYSTEM_WORD(array, i).store(n, cuda::memory_order_release);
}

FUNCTION u32 signalled(u32 *array, u32 i)
{
    return SYSTEM_WORD(array, i).load(cuda::memory_order_acquire);
}

FUNCTION u32 stress_load(u32 *array, u32 i)
{
    return *(volatile u32 *)(array + i);
}

FUNCTION u32 stress_load_cached(u32 *array, u32 i)
{
    return array[i];
}

FUNCTION void stress_store(u32 *array, u32 i, u32 n)
{
    *(volatile u32 *)(array + i) = n;
}

// The clock of the whole device, of 100 MHz since gfx8 (hip.c). Clang 15 has no builtin for gfx11.
#if defined(__GFX12__)
#define read_clock(counts)                                                                                             \
    __asm__ volatile("s_sendmsg_rtn_b64 %0, sendmsg(MSG_RTN_GET_REALTIME)\n\ts_wait_kmcnt 0x0" : "=s"(counts))
#elif defined(__GFX11__)
#define read_clock(counts)                                                                                             \
    __asm__ volatile("s_sendmsg_rtn_b64 %0, sendmsg(MSG_RTN_GET_REALTIME)\n\ts_waitcnt lgkmcnt(0)" : "=s"(counts))
#elif !defined(__GFX6__) && !defined(__GFX7__)
#define read_clock(counts) counts = __builtin_amdgcn_s_memrealtime()
#endif

#ifdef read_clock
#define SHARED_CLOCK
FUNCTION u32 shared_clock()
{
    u64 counts;
    read_clock(counts);
    return (u32)(counts * 10u);
}
#endif

FUNCTION void rest(u32 nanoseconds)
{
    for (u32 k = 0u; k < nanoseconds / 64u; k++)
        __builtin_amdgcn_s_sleep(1);
}

// ---- OpenCL C ----

typedef int atomic_int, atomic_flag;
typedef u32 atomic_uint;
typedef LONG atomic_long, atomic_ptrdiff_t, atomic_intptr_t;
typedef u64 atomic_ulong, atomic_size_t, atomic_uintptr_t;
typedef float atomic_float;
typedef double atomic_double;
#define CONSTANT const
#define as_float(...) __uint_as_float(__VA_ARGS__)
#define as_uint(...) __float_as_uint(__VA_ARGS__)
#define as_double(...) __longlong_as_double(__VA_ARGS__)
#define as_ulong(...) ((u64)__double_as_longlong(__VA_ARGS__))

constexpr int memory_order_relaxed = __ATOMIC_RELAXED;
constexpr int memory_order_acquire = __ATOMIC_ACQUIRE;
constexpr int memory_order_release = __ATOMIC_RELEASE;
constexpr int memory_order_acq_rel = __ATOMIC_ACQ_REL;
constexpr int memory_order_seq_cst = __ATOMIC_SEQ_CST;
constexpr int memory_scope_work_item = __HIP_MEMORY_SCOPE_SINGLETHREAD;
constexpr int memory_scope_sub_group = __HIP_MEMORY_SCOPE_WAVEFRONT;
constexpr int memory_scope_work_group = __HIP_MEMORY_SCOPE_WORKGROUP;
constexpr int memory_scope_device = __HIP_MEMORY_SCOPE_AGENT;
constexpr int memory_scope_all_svm_devices = __HIP_MEMORY_SCOPE_SYSTEM;
constexpr int memory_scope_all_devices = __HIP_MEMORY_SCOPE_SYSTEM;
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define CLK_IMAGE_MEM_FENCE 0 // locations are never in images: such a barrier orders nothing of a test
#define fetch_sub_at(p, v, o, s) __hip_atomic_fetch_add(p, -(v), o, s)

#define PICK_5(a, b, c, d, e, name, ...) name
#define PICK_7(a, b, c, d, e, f, g, name, ...) name

#define DEFAULT_ORDER memory_order_seq_cst
#define DEFAULT_SCOPE memory_scope_device

// ---- loads, stores, updates ----

#define atomic_init(p, v) (*(p) = (v))

#define LOAD_1(p) __hip_atomic_load(p, DEFAULT_ORDER, DEFAULT_SCOPE)
#define LOAD_2(p, o) __hip_atomic_load(p, o, DEFAULT_SCOPE)
#define LOAD_3(p, o, s) __hip_atomic_load(p, o, s)
#define atomic_load(p) LOAD_1(p)
#define atomic_load_explicit(...) PICK_5(__VA_ARGS__, , , LOAD_3, LOAD_2, LOAD_1, )(__VA_ARGS__)

// A store and an update have a value: 2, 3 or 4 arguments.
#define VALUE_2(f, p, v) f(p, v, DEFAULT_ORDER, DEFAULT_SCOPE)
#define VALUE_3(f, p, v, o) f(p, v, o, DEFAULT_SCOPE)
#define VALUE_4(f, p, v, o, s) f(p, v, o, s)
#define WITH_VALUE(f, ...) PICK_5(__VA_ARGS__, , VALUE_4, VALUE_3, VALUE_2, , )(f, __VA_ARGS__)
#define atomic_store(...) WITH_VALUE(__hip_atomic_store, __VA_ARGS__)
#define atomic_store_explicit(...) WITH_VALUE(__hip_atomic_store, __VA_ARGS__)
#define atomic_exchange(...) used(WITH_VALUE(__hip_atomic_exchange, __VA_ARGS__))
#define atomic_exchange_explicit(...) used(WITH_VALUE(__hip_atomic_exchange, __VA_ARGS__))
#define atomic_fetch_add(...) WITH_VALUE(__hip_atomic_fetch_add, __VA_ARGS__)
#define atomic_fetch_add_explicit(...) WITH_VALUE(__hip_atomic_fetch_add, __VA_ARGS__)
#define atomic_fetch_sub(...) WITH_VALUE(fetch_sub_at, __VA_ARGS__)
#define atomic_fetch_sub_explicit(...) WITH_VALUE(fetch_sub_at, __VA_ARGS__)
#define atomic_fetch_and(...) WITH_VALUE(__hip_atomic_fetch_and, __VA_ARGS__)
#define atomic_fetch_and_explicit(...) WITH_VALUE(__hip_atomic_fetch_and, __VA_ARGS__)
#define atomic_fetch_or(...) WITH_VALUE(__hip_atomic_fetch_or, __VA_ARGS__)
#define atomic_fetch_or_explicit(...) WITH_VALUE(__hip_atomic_fetch_or, __VA_ARGS__)
#define atomic_fetch_xor(...) WITH_VALUE(__hip_atomic_fetch_xor, __VA_ARGS__)
#define atomic_fetch_xor_explicit(...) WITH_VALUE(__hip_atomic_fetch_xor, __VA_ARGS__)
#define atomic_fetch_min(...) WITH_VALUE(__hip_atomic_fetch_min, __VA_ARGS__)
#define atomic_fetch_min_explicit(...) WITH_VALUE(__hip_atomic_fetch_min, __VA_ARGS__)
#define atomic_fetch_max(...) WITH_VALUE(__hip_atomic_fetch_max, __VA_ARGS__)
#define atomic_fetch_max_explicit(...) WITH_VALUE(__hip_atomic_fetch_max, __VA_ARGS__)

#define FLAG_SET(p, v, o, s) (used(__hip_atomic_exchange(p, v, o, s)) != 0)
#define SET_1(p) FLAG_SET(p, 1, DEFAULT_ORDER, DEFAULT_SCOPE)
#define SET_2(p, o) FLAG_SET(p, 1, o, DEFAULT_SCOPE)
#define SET_3(p, o, s) FLAG_SET(p, 1, o, s)
#define atomic_flag_test_and_set(p) SET_1(p)
#define atomic_flag_test_and_set_explicit(...) PICK_5(__VA_ARGS__, , , SET_3, SET_2, SET_1, )(__VA_ARGS__)
#define CLEAR_1(p) __hip_atomic_store(p, 0, DEFAULT_ORDER, DEFAULT_SCOPE)
#define CLEAR_2(p, o) __hip_atomic_store(p, 0, o, DEFAULT_SCOPE)
#define CLEAR_3(p, o, s) __hip_atomic_store(p, 0, o, s)
#define atomic_flag_clear(p) CLEAR_1(p)
#define atomic_flag_clear_explicit(...) PICK_5(__VA_ARGS__, , , CLEAR_3, CLEAR_2, CLEAR_1, )(__VA_ARGS__)

#define COMPARE_3(f, p, e, d) f(p, e, d, DEFAULT_ORDER, DEFAULT_ORDER, DEFAULT_SCOPE)
#define COMPARE_5(f, p, e, d, o, n) f(p, e, d, o, n, DEFAULT_SCOPE)
#define COMPARE_6(f, p, e, d, o, n, s) f(p, e, d, o, n, s)
#define WITH_EXPECTED(f, ...) PICK_7(__VA_ARGS__, , COMPARE_6, COMPARE_5, , COMPARE_3, , , )(f, __VA_ARGS__)
#define atomic_compare_exchange_strong(...) WITH_EXPECTED(__hip_atomic_compare_exchange_strong, __VA_ARGS__)
#define atomic_compare_exchange_strong_explicit(...) WITH_EXPECTED(__hip_atomic_compare_exchange_strong, __VA_ARGS__)
#define atomic_compare_exchange_weak(...) WITH_EXPECTED(__hip_atomic_compare_exchange_weak, __VA_ARGS__)
#define atomic_compare_exchange_weak_explicit(...) WITH_EXPECTED(__hip_atomic_compare_exchange_weak, __VA_ARGS__)

#define LEGACY(f, p, v) f(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define atomic_add(p, v) LEGACY(__hip_atomic_fetch_add, p, v)
#define atomic_sub(p, v) LEGACY(__hip_atomic_fetch_add, p, -(v))
#define atomic_and(p, v) LEGACY(__hip_atomic_fetch_and, p, v)
#define atomic_or(p, v) LEGACY(__hip_atomic_fetch_or, p, v)
#define atomic_xor(p, v) LEGACY(__hip_atomic_fetch_xor, p, v)
#define atomic_min(p, v) LEGACY(__hip_atomic_fetch_min, p, v)
#define atomic_max(p, v) LEGACY(__hip_atomic_fetch_max, p, v)
#define atomic_xchg(p, v) used(LEGACY(__hip_atomic_exchange, p, v))
#define atomic_inc(p) LEGACY(__hip_atomic_fetch_add, p, 1)
#define atomic_dec(p) LEGACY(__hip_atomic_fetch_add, p, -1)
#define atomic_cmpxchg(p, e, v) COMPARE(p, e, v, __HIP_MEMORY_SCOPE_AGENT)
#define atom_add atomic_add
#define atom_sub atomic_sub
#define atom_and atomic_and
#define atom_or atomic_or
#define atom_xor atomic_xor
#define atom_min atomic_min
#define atom_max atomic_max
#define atom_xchg atomic_xchg
#define atom_inc atomic_inc
#define atom_dec atomic_dec
#define atom_cmpxchg atomic_cmpxchg

// Clang has no fence of local or of global memory alone before version 19: a fence with flags is of all memory.
#define FENCE_OF(flags, order, scope)                                                                                  \
    do {                                                                                                               \
        if ((flags) != 0) {                                                                                            \
            FENCE_AT(order, scope)                                                                                     \
        }                                                                                                              \
    } while (0)
#define MEET(flags, scope, meet)                                                                                       \
    do {                                                                                                               \
        FENCE_OF(flags, __ATOMIC_RELEASE, scope);                                                                      \
        meet();                                                                                                        \
        FENCE_OF(flags, __ATOMIC_ACQUIRE, scope);                                                                      \
    } while (0)

// A relaxed fence is none.
#define FENCE_memory_order_relaxed(flags, scope) ((void)0)
#define FENCE_memory_order_acquire(flags, scope) FENCE_OF(flags, __ATOMIC_ACQUIRE, scope)
#define FENCE_memory_order_release(flags, scope) FENCE_OF(flags, __ATOMIC_RELEASE, scope)
#define FENCE_memory_order_acq_rel(flags, scope) FENCE_OF(flags, __ATOMIC_ACQ_REL, scope)
#define FENCE_memory_order_seq_cst(flags, scope) FENCE_OF(flags, __ATOMIC_SEQ_CST, scope)
#define atomic_work_item_fence(flags, order, scope) FENCE_##order(flags, scope)

#define MEET_1(flags) MEET(flags, memory_scope_work_group, __builtin_amdgcn_s_barrier)
#define MEET_2(flags, scope) MEET(flags, scope, __builtin_amdgcn_s_barrier)
#define SUB_MEET_1(flags) MEET(flags, memory_scope_sub_group, __builtin_amdgcn_wave_barrier)
#define SUB_MEET_2(flags, scope) MEET(flags, scope, __builtin_amdgcn_wave_barrier)
#define barrier(flags) MEET_1(flags)
#define work_group_barrier(...) PICK_5(__VA_ARGS__, , , , MEET_2, MEET_1, )(__VA_ARGS__)
#define sub_group_barrier(...) PICK_5(__VA_ARGS__, , , , SUB_MEET_2, SUB_MEET_1, )(__VA_ARGS__)
#define mem_fence(flags) FENCE_OF(flags, __ATOMIC_ACQ_REL, memory_scope_work_group)
#define read_mem_fence(flags) FENCE_OF(flags, __ATOMIC_ACQUIRE, memory_scope_work_group)
#define write_mem_fence(flags) FENCE_OF(flags, __ATOMIC_RELEASE, memory_scope_work_group)
