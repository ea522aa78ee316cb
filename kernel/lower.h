// SPDX-License-Identifier: Apache-2.0
/*
 * Lowerings turn the accesses, fences and barriers of a test into kernel text. A lowering is one file and one row in
 * the table of generate.c.
 *
 * Each distinct access of a test becomes one helper function of the kernel; the bodies call it. So bodies are the same
 * under every lowering; only the helpers at the top of the kernel differ.
 */
#pragma once

#include "kernel/kernel.h"
#include "kernel/map.h"
#include "litmus/language/ptx_instructions.h"

/* An access without its operands: what its helper depends on. */
struct access_shape {
    enum litmus_operation operation;
    enum litmus_type type;
    LITMUS_ORDERED;
    enum litmus_order failure;
    enum litmus_region region;
    enum litmus_proxy proxy; /* not GENERIC: the helper has the parameters that path_parameters gives */
    /* As the test wrote it, if the lowering writes it so; its order and scope are explicit if there is no other way to
     * write it, and it is the library's only if there is another. */
    struct litmus_spelling spelling;
    bool is_volatile;
    bool constant; /* in constant memory; region is then global */
    bool generic;  /* through a pointer without an address space */
    bool no_result;
    bool remote; /* local memory of another work-group of the cluster */
    bool single; /* LITMUS_ARRIVE with one arrival, which needs no operand */
    enum litmus_cache cache, prefetch;
    bool read_only; /* as in struct litmus_access; its helper takes a pointer, whatever its proxy */
    bool mmio;      /* as in struct litmus_access */
    unsigned lanes; /* of a vector access, whose words the other fields describe; else 0 */
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
    struct ptx_meaning meaning; /* PTX_MULTICAST: its helper has the mask of several work-groups */
    bool remote;                /* `to` and the mbarrier lie in the memory of another work-group of the cluster */
};

/* What stands before and after a helper's value, which is bits, to make it one of the type, `in`, and back, `out`:
 * "as_float(", "as_uint(", ")". */
struct value_conversion {
    const char *type, *in, *out, *close;
};

struct lowering {
    const char *name;                             /* "c11", "ptx", "opencl1", "source", "glsl", "wgsl" */
    const struct syntax *syntax;                  /* of the kernel's text */
    unsigned takes;                               /* the BACKEND_TAKES_* bit that a device needs */
    bool asked;                                   /* where the device takes PTX: used only when requested by name */
    bool one_spelling;                            /* equal meanings have equal text */
    bool separate;                                /* only the end of a launch orders what work-groups do */
    bool is_cuda;                                 /* its helpers are CUDA C++ without inline PTX */
    bool is_opencl;                               /* the device promises only what it declares */
    bool is_user;                                 /* functions of the user's header come first: lower_user.c */
    bool (*applies)(enum litmus_dialect dialect); /* whether it lowers the dialect's instructions */
    /* How a number of the type goes into a call of the language and comes out. NULL: no user's header has its words. */
    struct value_conversion (*conversion)(enum litmus_type type);

    /* Appends the statements between the braces of a helper. Its parameters are `p`, `value`, `expected`; T is the
     * type's kernel name, under which a float is its bits. UNSUPPORTED, with a text that names the instruction, if
     * there is no such instruction. */
    enum status (*access)(const struct access_shape *shape, struct text *text, struct error *error);
    enum status (*fence)(const struct litmus_fence *fence, enum litmus_dialect dialect, struct text *text,
                         struct error *error);
    enum status (*barrier)(const struct litmus_barrier *barrier, enum litmus_dialect dialect, struct text *text,
                           struct error *error);
    /* The same for an asynchronous copy, whose helper has the parameters `to`, `from` or `value`, and `mbarrier`; and
     * for an operation on a thread's groups of copies, with the parameter `mbarrier`. NULL if the lowering's dialects
     * have no such copies. */
    void (*copy)(const struct copy_shape *shape, struct text *text);
    void (*group)(const struct litmus_group *group, struct text *text);
    /* The same for a function of several lanes: the statements that set `result`, an unsigned number, from `value`, the
     * mask `called` and the lane `from`. NULL if the lowering has none. */
    enum status (*collective)(const struct litmus_collective *collective, struct text *text, struct error *error);
    /* The same for a vector access. The parameters of its helper are `p`; pointers r0, r1, ... to where each word read
     * goes; the expected values e0, e1, ... of a compare-and-swap; the stored values v0, v1, .... NULL if the lowering
     * has no vectors. */
    enum status (*vector)(const struct access_shape *shape, struct text *text, struct error *error);
    /* The same for a helper that uses `value`, of 4 or 8 bytes, so that the compiler keeps all words of the vector
     * read. NULL if the language lets the compiler drop unused values. */
    void (*use)(unsigned bytes, struct text *text);
};

extern const struct lowering lowering_c11;
extern const struct lowering lowering_ptx;
extern const struct lowering lowering_opencl1;
extern const struct lowering lowering_source;
extern const struct lowering lowering_glsl;
extern const struct lowering lowering_wgsl;

/* ---- a user's header (user_atomics.h) ---- */

/* The lowering that calls the header's functions first, and else what this one has; this one if there is no header, or
 * none in its language. Its name is "ptx+my.h:1a2b3c4d5e". */
const struct lowering *lower_user_of(const struct lowering *lowering);

/* As the lowering's own functions. *called becomes true if the text calls a function of the user's. */
enum status lower_access(const struct lowering *lowering, const struct access_shape *shape, struct text *text,
                         bool *called, struct error *error);
enum status lower_fence(const struct lowering *lowering, const struct litmus_fence *fence, enum litmus_dialect dialect,
                        struct text *text, bool *called, struct error *error);
enum status lower_barrier(const struct lowering *lowering, const struct litmus_barrier *barrier,
                          enum litmus_dialect dialect, struct text *text, bool *called, struct error *error);

/* Appends the special name of the function that the step calls, without the prefix: "load_acquire_device". False if it
 * calls none. */
bool lower_user_name(const struct kernel_step *step, enum litmus_dialect dialect, struct text *name);

/* Orders to which C11 gives no meaning (C11 7.17.7) are UNSUPPORTED, because compilers treat them differently. */
enum status lower_c11_check_orders(const struct access_shape *shape, struct error *error);

/* The shape in the words that a mapping gives its access. */
enum status lower_mapped(const struct mapping *mapping, const struct access_shape *shape, struct access_shape *mapped,
                         struct mapped_fences *fences, struct error *error);

/* The kernel's name of a type: "s8", "int", "u32", "LONG", "u64". A float or a double is kept as its bits, u32 or
 * u64. */
const char *lower_type(enum litmus_type type);

/* That of CUDA C++. */
struct value_conversion lower_cuda_conversion(enum litmus_type type);

/* Whether the device declares the order and scope for atomic operations or, if `fence`, for fences. */
bool lower_declared(const struct backend_device *device, enum litmus_order order, enum litmus_scope scope, bool fence);

/* ---- the syntaxes of kernel text ---- */

/* That of OpenCL C and CUDA C++, and that of GLSL, which has neither pointers nor casts nor jumps, and whose conditions
 * are not numbers. GLSL addresses a word by its index in its array. Text for WGSL has the same syntax, with two arrays
 * for each kind of memory; backends/webgpu/ translates the rest. */

/* What is written before an expression, with a type in the middle, and after it. */
struct syntax_around {
    const char *before, *type, *after; /* type: what follows the type; NULL: no type is written */
};

/* Where a location's cells are: global, the same in 64 bits, local; and both kinds of memory for plain locations. */
enum syntax_place { SYNTAX_GLOBAL, SYNTAX_LONG, SYNTAX_LOCAL, SYNTAX_PLAIN, SYNTAX_PLAIN_LOCAL, SYNTAX_PLACE_COUNT };

struct syntax {
    bool jumps;                 /* it has goto */
    bool converts;              /* a number becomes one of another type by itself where it is assigned or passed */
    const char *global, *local; /* the type of a place */
    struct syntax_around place; /* the global place of a word, given by its index */
    const char *address;        /* the type of a number in which a place fits */
    struct syntax_around cast;  /* a number as one of the type */
    /* What is at a place, and the same to be assigned; by enum syntax_place. */
    struct syntax_around read[SYNTAX_PLACE_COUNT], set[SYNTAX_PLACE_COUNT];
    bool parts_plain;        /* a location is accessed plainly or atomically, never both, and each kind has an array */
    const char *long_suffix; /* after a number that may need 64 bits */
    struct syntax_around reference; /* around a parameter's name: the function assigns it */
    const char *refer;              /* before the argument for such a parameter */
    const char *drop;               /* before a call whose result is not used */
    struct syntax_around condition; /* a number as a condition */
    struct syntax_around number;    /* a condition as a number */
    /* What a kernel says before it uses numbers of 64, 16 and 8 bits; NULL if the language has them all. */
    const char *longs, *shorts, *chars;
};

extern const struct syntax syntax_c, syntax_glsl, syntax_wgsl;

/* Appends what is before the expression. */
void syntax_open(const struct syntax_around *around, const char *type, struct text *text);
