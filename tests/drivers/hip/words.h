// SPDX-License-Identifier: Apache-2.0
/* What a kernel compiled for the host gets in place of a GPU's words: C++ that stands before it. */
#pragma once

#include <stdint.h>

/* The work-item that a thread runs. Kernels have the same struct (stub_words). */
struct stub_item {
    unsigned group, lane, size;
    uint32_t *local;
    void (*meet_group)(const struct stub_item *item);
    void (*meet_wave)(const struct stub_item *item);
};

/* There are more items than cores: one that waits lets others run. Orders are passed on as constants, so that a relaxed
 * store is one. An update is one instruction of the host, whose order is the strongest. */
static const char stub_words[] =
    "#include <sched.h>\n"
    "#include <stdlib.h>\n"
    "#include <time.h>\n"
    "struct stub_item {\n"
    "    unsigned group, lane, size;\n"
    "    unsigned *local;\n"
    "    void (*meet_group)(const stub_item *);\n"
    "    void (*meet_wave)(const stub_item *);\n"
    "};\n"
    "static thread_local const stub_item *stub_item;\n"
    "extern \"C\" void stub_enter(const struct stub_item *item) { stub_item = item; }\n"
    "#define __HIPCC_RTC__ 1\n"
    "#define __device__\n"
    "#define __global__\n"
    "#define __shared__\n"
    "enum { __HIP_MEMORY_SCOPE_SINGLETHREAD = 1, __HIP_MEMORY_SCOPE_WAVEFRONT, __HIP_MEMORY_SCOPE_WORKGROUP,\n"
    "       __HIP_MEMORY_SCOPE_AGENT, __HIP_MEMORY_SCOPE_SYSTEM };\n"
    "template <class T> struct stub_plain { typedef T type; };\n"
    "template <class T> struct stub_plain<volatile T> { typedef T type; };\n"
    "#define STUB_TYPE(p) stub_plain<__typeof__(*(p))>::type\n"
    "static thread_local unsigned stub_loads;\n"
    "#define __hip_atomic_load(p, o, s) \\\n"
    "    ({ typename STUB_TYPE(p) stub_v; if (++stub_loads % 64 == 0) sched_yield(); __atomic_load(p, &stub_v, o); stub_v; })\n"
    "#define __hip_atomic_store(p, v, o, s) ({ typename STUB_TYPE(p) stub_v = (v); __atomic_store(p, &stub_v, o); })\n"
    "template <class T, class F> static inline T stub_update(volatile T *p, F f)\n"
    "{\n"
    "    T old, made;\n"
    "    __atomic_load(p, &old, __ATOMIC_RELAXED);\n"
    "    do\n"
    "        made = f(old);\n"
    "    while (!__atomic_compare_exchange(p, &old, &made, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));\n"
    "    return old;\n"
    "}\n"
    "#define STUB_UPDATE(p, e) stub_update(p, [=](auto stub_x) { return (decltype(stub_x))(e); })\n"
    "#define __hip_atomic_exchange(p, v, o, s) STUB_UPDATE(p, v)\n"
    "#define __hip_atomic_fetch_add(p, v, o, s) STUB_UPDATE(p, stub_x + (v))\n"
    "#define __hip_atomic_fetch_and(p, v, o, s) STUB_UPDATE(p, stub_x & (v))\n"
    "#define __hip_atomic_fetch_or(p, v, o, s) STUB_UPDATE(p, stub_x | (v))\n"
    "#define __hip_atomic_fetch_xor(p, v, o, s) STUB_UPDATE(p, stub_x ^ (v))\n"
    "#define __hip_atomic_fetch_min(p, v, o, s) STUB_UPDATE(p, stub_x < (decltype(stub_x))(v) ? stub_x : (v))\n"
    "#define __hip_atomic_fetch_max(p, v, o, s) STUB_UPDATE(p, stub_x > (decltype(stub_x))(v) ? stub_x : (v))\n"
    "template <class T, class E, class D> static inline bool stub_swap(volatile T *p, E *expected, D desired)\n"
    "{\n"
    "    T old = (T)*expected, made = (T)desired;\n"
    "    const bool done = __atomic_compare_exchange(p, &old, &made, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);\n"
    "    *expected = (E)old;\n"
    "    return done;\n"
    "}\n"
    "#define __hip_atomic_compare_exchange_strong(p, e, d, o, n, s) stub_swap(p, e, d)\n"
    "#define __hip_atomic_compare_exchange_weak(p, e, d, o, n, s) stub_swap(p, e, d)\n"
    "#define __builtin_amdgcn_fence(order, scope) __atomic_thread_fence(order)\n"
    "#define __builtin_amdgcn_s_barrier() stub_item->meet_group(stub_item)\n"
    "#define __builtin_amdgcn_wave_barrier() stub_item->meet_wave(stub_item)\n"
    "#define __builtin_amdgcn_workgroup_id_x() stub_item->group\n"
    "#define __builtin_amdgcn_workitem_id_x() stub_item->lane\n"
    "#define __builtin_amdgcn_workgroup_size_x() stub_item->size\n"
    "#define __builtin_amdgcn_s_sleep(n) sched_yield()\n"
    "static inline unsigned long long stub_clock(void)\n"
    "{\n"
    "    struct timespec now;\n"
    "    clock_gettime(CLOCK_MONOTONIC, &now);\n"
    "    static const char *const apart = getenv(\"ORCHIL_HIP_APART\");\n"
    "    return (now.tv_sec * 1000000000ULL + now.tv_nsec + (apart ? atoll(apart) * stub_item->group : 0)) / 10;\n"
    "}\n"
    "#define __builtin_amdgcn_s_memrealtime() stub_clock()\n";
