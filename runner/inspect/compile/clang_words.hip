// SPDX-License-Identifier: Apache-2.0
//
// The words of the kernel skeleton and of CUDA tests in HIP C++, for clang without HIP's headers. What each word of the skeleton
// means stands at the head of the OpenCL prelude. cuda::atomic_ref and CUDA's atomic functions are clang's __hip_atomic_*, fences
// are __builtin_amdgcn_fence, barriers are what HIP's headers make of them. A thread is one of a wavefront, a block a work-group, a
// device an agent.

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
#define DEVICE __attribute__((device))
#define WORD DEVICE inline __attribute__((always_inline, nodebug))
#define FUNCTION static WORD
#define ENTRY(draw, memory, scratch, counters, local_memory)                                                           \
    extern __attribute__((shared)) u32 local_memory[];                                                                 \
    extern "C" __attribute__((global, amdgpu_flat_work_group_size(1, 1024))) void orchil(                              \
        const u32 *__restrict__ draw, u32 *memory, u32 *scratch, u32 *counters)
#define MEMORY_PARAMETERS const u32 *draw, u32 *memory, u32 *scratch, u32 *counters, u32 *local_memory
#define MEMORY_ARGUMENTS draw, memory, scratch, counters, local_memory
#define AT(array, start, k) ((array) + (start))[k]
#define CELL(array, index) ((array) + (index))
#define COMPUTED(addresses)

#define GROUP ((u32)__builtin_amdgcn_workgroup_id_x())
#define LANE ((u32)__builtin_amdgcn_workitem_id_x())
#define GROUP_SIZE ((u32)__builtin_amdgcn_workgroup_size_x())

#define cluster_groups() 1u
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

// ---- conversions ----

FUNCTION float __uint_as_float(u32 bits)
{
    return __builtin_bit_cast(float, bits);
}

FUNCTION u32 __float_as_uint(float value)
{
    return __builtin_bit_cast(u32, value);
}

FUNCTION double __longlong_as_double(LONG bits)
{
    return __builtin_bit_cast(double, bits);
}

FUNCTION LONG __double_as_longlong(double value)
{
    return __builtin_bit_cast(LONG, value);
}

// ---- fences and barriers ----

// The builtin takes literals only. scope: __HIP_MEMORY_SCOPE_*.
#define FENCE_AT(order, number)                                                                                        \
    if (number == __HIP_MEMORY_SCOPE_WAVEFRONT)                                                                        \
        __builtin_amdgcn_fence(order, "wavefront");                                                                    \
    else if (number == __HIP_MEMORY_SCOPE_WORKGROUP)                                                                   \
        __builtin_amdgcn_fence(order, "workgroup");                                                                    \
    else if (number == __HIP_MEMORY_SCOPE_AGENT)                                                                       \
        __builtin_amdgcn_fence(order, "agent");                                                                        \
    else if (number == __HIP_MEMORY_SCOPE_SYSTEM)                                                                      \
        __builtin_amdgcn_fence(order, "");

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

#define ATOMIC_OF_SCOPE(name, operation, sign, result, scope)                                                          \
    template <class T> WORD T name(T *p, T value)                                                                      \
    {                                                                                                                  \
        return result(__hip_atomic_##operation(p, sign value, __ATOMIC_RELAXED, scope));                               \
    }
#define ATOMIC(name, operation, sign, result)                                                                          \
    ATOMIC_OF_SCOPE(name##_block, operation, sign, result, __HIP_MEMORY_SCOPE_WORKGROUP)                               \
    ATOMIC_OF_SCOPE(name, operation, sign, result, __HIP_MEMORY_SCOPE_AGENT)                                           \
    ATOMIC_OF_SCOPE(name##_system, operation, sign, result, __HIP_MEMORY_SCOPE_SYSTEM)

ATOMIC(atomicAdd, fetch_add, , )
ATOMIC(atomicSub, fetch_add, -, )
ATOMIC(atomicExch, exchange, , used)
ATOMIC(atomicAnd, fetch_and, , )
ATOMIC(atomicOr, fetch_or, , )
ATOMIC(atomicXor, fetch_xor, , )
ATOMIC(atomicMin, fetch_min, , )
ATOMIC(atomicMax, fetch_max, , )

#define ATOMIC_COMPARE(name, scope)                                                                                    \
    template <class T> WORD T name(T *p, T expected, T value)                                                          \
    {                                                                                                                  \
        __hip_atomic_compare_exchange_strong(p, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope);          \
        return expected;                                                                                               \
    }
ATOMIC_COMPARE(atomicCAS_block, __HIP_MEMORY_SCOPE_WORKGROUP)
ATOMIC_COMPARE(atomicCAS, __HIP_MEMORY_SCOPE_AGENT)
ATOMIC_COMPARE(atomicCAS_system, __HIP_MEMORY_SCOPE_SYSTEM)

#define NO_ATOMIC(name)                                                                                                \
    template <class T> DEVICE T name(T *p, T value) __attribute__((unavailable("clang has no builtin for it in HIP")));
NO_ATOMIC(atomicInc_block)
NO_ATOMIC(atomicInc)
NO_ATOMIC(atomicInc_system)
NO_ATOMIC(atomicDec_block)
NO_ATOMIC(atomicDec)
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

FUNCTION void rest(u32 nanoseconds)
{
    for (u32 k = 0u; k < nanoseconds / 64u; k++)
        __builtin_amdgcn_s_sleep(1);
}
