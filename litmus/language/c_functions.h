// SPDX-License-Identifier: Apache-2.0
/* The functions of the dialects in C, one row each: the name, what a call means, and the arguments. The parser and the
 * printer take all three from here. */
#pragma once

#include "litmus/litmus.h"

/* Who has a function: tests of OPENCL, C and CUDA, and the cells of host threads of PTX tests. */
enum { C_OPENCL = 1 << 0, C_HERD = 1 << 1, C_CUDA = 1 << 2, C_HOST = 1 << 3 };

struct c_function {
    unsigned sets; /* who has it */
    const char *name;
    /* PERFORM, which is an access; FENCE, BARRIER or COLLECTIVE; LABEL: it does nothing */
    enum litmus_statement_kind kind;
    /* Of an access, or of a barrier that counts. Of a cluster's barrier ARRIVE, TRY_WAIT, or EXPECT_ARRIVE for both;
     * LOAD is the grid's. */
    enum litmus_operation operation;
    enum litmus_order order; /* of an access or a fence whose call names none */
    enum litmus_scope scope; /* of a call that names none; of a barrier, the threads that meet */
    /*
     * A letter for each argument, in order; what follows a '?' may be left out:
     *   p  pointer to the location          v  value to store, to add, ...
     *   m  pointer to the atomic_flag       (which is exchanged for 1, or is stored 0)
     *   e  pointer to the expected value: a location, or "&r0"
     *   r  reference to the expected value: "*y", or "r0"
     *   x  expected value
     *   o  order                            n  order of a compare_exchange that fails
     *   s  scope                            f  flags, such as CLK_GLOBAL_MEM_FENCE
     *   c  the predicate of a barrier, combined over threads by its operation
     *   b  whether it may fail, as compare_exchange_weak
     *   S  scope in quotes, "agent"         k  mask of the lanes
     *   V  value of a lane                 L  number of a lane
     *   d  value without a meaning here     l  pointer without one
     *   a  value that is computed and dropped
     *   t  text in quotes, and values that are not read from memory
     *   i  image and coordinate, "x, 0"     w  value to write to a pixel, "1" or "(int4)(1, 0, 0, 0)"
     */
    const char *arguments;
    struct litmus_spelling spelling;          /* of a call, before its arguments are read */
    enum litmus_restriction restriction;      /* of a fence */
    enum litmus_cache cache;                  /* of a load or a store with a cache operator */
    bool read_only;                           /* __ldg: ld.global.nc */
    enum litmus_collective_function together; /* of a COLLECTIVE */
};

/* The class whose object refers to a location and has methods: "cuda::atomic_ref<int>(*x).load()". */
#define C_REFERENCE "cuda::atomic_ref"
/* The class whose object is the location and has the same methods: "cuda::atomic<int>* x", "x->load()". */
#define C_OBJECT "cuda::atomic"

extern const struct c_function c_functions[]; /* ends with a row without a name */

/* Whether it is one of an object that refers to a location, such as cuda::atomic_ref. */
bool c_is_method(const struct c_function *function);

/* Whether it has an argument of the letter. */
bool c_takes(const struct c_function *function, char letter);

/* The function of that set by which an access, a fence or a barrier is written;
 * NULL if the set has none. pixel: the access is of an image. */
const struct c_function *c_find_access(unsigned set, const struct litmus_access *access, bool pixel);
const struct c_function *c_find_fence(unsigned set, const struct litmus_fence *fence);
const struct c_function *c_find_barrier(unsigned set, const struct litmus_barrier *barrier);
const struct c_function *c_find_collective(unsigned set, enum litmus_collective_function function);
