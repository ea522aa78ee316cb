// SPDX-License-Identifier: Apache-2.0
/*
 * Lowerings: how an access, a fence and a barrier of a test become kernel text. A lowering is one file and one row in
 * the table of generate.c. Private to this folder.
 *
 * Each distinct access of a test becomes one helper function of the kernel; the bodies call it. So a body reads the
 * same under every lowering, and the lowering is what the reader finds at the top of the kernel.
 */
#ifndef ORCHIL_RUNNER_LOWER_H
#define ORCHIL_RUNNER_LOWER_H

#include "backends/backend.h"
#include "base/status.h"
#include "base/text.h"
#include "litmus/litmus.h"

/* An access without its operands: what its helper depends on. */
struct access_shape {
    enum litmus_operation operation;
    enum litmus_type type;
    enum litmus_order order, failure;
    enum litmus_scope scope;
    enum litmus_region region;
    enum litmus_proxy
        proxy; /* GENERIC, or whose instruction it is: then the helper's parameters are those of path_parameters */
    bool explicit_order, explicit_scope; /* are they written in the call; both in what has no other spelling */
    bool is_volatile;
    bool legacy, legacy_atom, legacy_step; /* as in struct litmus_access */
    bool library;                          /* as in struct litmus_access; false where only the library has it */
    bool constant;                         /* in constant memory; region is then global */
    bool generic;                          /* through a pointer without an address space */
    bool no_result;
    bool remote; /* local memory of another work-group of the cluster */
    bool single; /* LITMUS_ARRIVE of one arrival, which needs no operand */
    enum litmus_cache cache, prefetch;
    bool read_only; /* as in struct litmus_access; its helper takes a pointer, whatever its proxy */
    bool mmio;      /* as there */
    unsigned lanes; /* of a vector access, of whose words all else speaks; else 0 */
    bool whole, unaligned;
    enum {
        EXPECTED_NONE,
        EXPECTED_VALUE,   /* of PTX's cas and CUDA's atomicCAS: the helper gives the old value */
        EXPECTED_REGISTER /* of any other CAS: the helper gives success */
    } expected;
};

/* An asynchronous copy without its operands: what its helper depends on. */
struct copy_shape {
    const struct litmus_copy *copy;
    enum litmus_region to, from; /* from: of a copy of memory */
    bool remote;                 /* `to` and the mbarrier lie in the memory of another work-group of the cluster */
};

struct lowering {
    const char *name;                             /* "c11", "ptx", "opencl1", "source" */
    unsigned takes;                               /* the BACKEND_TAKES_* bit that a device needs */
    bool asked;                                   /* only where it is asked for by its name */
    bool one_spelling;                            /* what means the same is written the same */
    bool is_cuda;                                 /* its helpers are CUDA C++ without inline PTX */
    bool is_opencl;                               /* what the device does not declare, it does not promise */
    bool (*applies)(enum litmus_dialect dialect); /* can the dialect's instructions be lowered so? */

    /* Appends the statements between the braces of a helper. Its parameters are `p`, `value`, `expected`; T is the
     * type's kernel name, by which the values of a float are its bits. UNSUPPORTED, with a text that names the instruction, where there is no such instruction. */
    enum status (*access)(const struct access_shape *shape, struct text *text, struct error *error);
    enum status (*fence)(const struct litmus_fence *fence, enum litmus_dialect dialect, struct text *text,
                         struct error *error);
    enum status (*barrier)(const struct litmus_barrier *barrier, enum litmus_dialect dialect, struct text *text,
                           struct error *error);
    /* The same of an asynchronous copy, whose helper has the parameters `to`, `from` or `value`, and `mbarrier`; and of what a
     * thread does with its groups of them, with the parameter `mbarrier`. NULL where the lowering is for dialects without them. */
    void (*copy)(const struct copy_shape *shape, struct text *text);
    void (*group)(const struct litmus_group *group, struct text *text);
    /* The same of a vector access. The parameters of its helper are `p`; a pointer r0, r1, ... to what is read of each word;
     * e0, e1, ... that a compare-and-swap expects; v0, v1, ... that are stored. NULL where the lowering has no vectors. */
    enum status (*vector)(const struct access_shape *shape, struct text *text, struct error *error);
    /* The same of a helper that uses `value`, of 4 or 8 bytes, so that the compiler keeps all words of the vector that it was read
     * with. NULL where the language lets the compiler drop what nobody looks at. */
    void (*use)(unsigned bytes, struct text *text);
};

extern const struct lowering lowering_c11;
extern const struct lowering lowering_ptx;
extern const struct lowering lowering_opencl1;
extern const struct lowering lowering_source;

/* A plain access of OpenCL C: a plain C access, volatile where the location is. */
enum status lower_c11_plain(const struct access_shape *shape, struct text *text, struct error *error);

/* The orders that C11 gives no meaning (C11 7.17.7): UNSUPPORTED, because compilers differ in what they do. */
enum status lower_c11_check_orders(const struct access_shape *shape, struct error *error);

/* A read-modify-write that an OPENCL test writes in a function of OpenCL C 1.x, as it writes it. */
void lower_legacy_access(const struct access_shape *shape, struct text *text);

/* Vector accesses in OpenCL C: vload, vstore, and accesses of vector types. */
enum status lower_opencl_vector(const struct access_shape *shape, struct text *text, struct error *error);

/* lower_ptx.c: "ld.relaxed.gpu.global.L1::no_allocate" of the mnemonic "ld"; the operand of an access's address. */
void lower_ptx_mnemonic(const struct access_shape *shape, const char *mnemonic, struct text *text);
const char *lower_ptx_address(const struct access_shape *shape);

/* Of a load or a store: UNSUPPORTED where it can have no such order. */
enum status lower_ptx_check_order(const struct access_shape *shape, struct error *error);

/* PTX's word for moving a type ("b32"), and the kernel's type of the variable that a load fills. */
const char *lower_ptx_moved(enum litmus_type type);
const char *lower_ptx_loaded(enum litmus_type type);

/* lower_ptx_vector.c: lowering_ptx's vector accesses. */
void lower_ptx_use(unsigned bytes, struct text *text);
enum status lower_ptx_vector(const struct access_shape *shape, struct text *text, struct error *error);

/* What an access through the texture, surface or constant proxy becomes. */
enum status lower_ptx_proxy(const struct access_shape *shape, struct text *text, struct error *error);

/* The order of the one PTX instruction that a compare_exchange with these two orders becomes: their join. */
enum litmus_order lower_ptx_join(enum litmus_order order, enum litmus_order failure);

/* The order that a seq_cst access keeps after its fence.sc. The fence releases, so the access itself only acquires. */
enum litmus_order lower_ptx_seq_cst(enum litmus_operation operation);

/* Does an OPENCL barrier order more than those who meet at it see of each other? PTX then has a fence on either side. */
bool lower_ptx_is_wide(enum litmus_dialect dialect, const struct litmus_barrier *barrier);

/* PTX's words: of an order, of a scope (NULL: it has none), of a read-modify-write ("add"), of the type that it then names
 * ("u32"), and of an operand's constraint. NULL where there is none. */
const char *lower_ptx_order(enum litmus_order order);
const char *lower_ptx_scope(enum litmus_scope scope);
const char *lower_ptx_word(enum litmus_operation operation);
const char *lower_ptx_type(enum litmus_operation operation, enum litmus_type type);
const char *lower_ptx_constraint(enum litmus_type type);

/* Whether the operation is one of an mbarrier; whether it then gives a result. */
bool lower_is_mbarrier(enum litmus_operation operation);
bool lower_is_wait(enum litmus_operation operation);

/* lower_ptx_async.c: what lowering_ptx has of asynchronous copies, mbarriers, proxies and clusters. */
void lower_ptx_copy(const struct copy_shape *shape, struct text *text);
void lower_ptx_group(const struct litmus_group *group, struct text *text);
void lower_ptx_mbarrier(const struct access_shape *shape, struct text *text);
void lower_ptx_async_fence(const struct litmus_fence *fence, struct text *text);
void lower_ptx_cluster_barrier(const struct litmus_barrier *barrier, struct text *text);

/* The kernel's name of a type: "s8", "int", "u32", "LONG", "u64". A float or a double is its bits, u32 or u64. */
const char *lower_type(enum litmus_type type);

/* Does the device declare the order and scope for atomic operations, or for fences? */
bool lower_declared(const struct backend_device *device, enum litmus_order order, enum litmus_scope scope, bool fence);

#endif
