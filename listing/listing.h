// SPDX-License-Identifier: Apache-2.0
/*
 * A compiled kernel, instruction by instruction: machine code that a disassembler printed (SASS, AMDGCN), PTX, or
 * SPIR-V. Each instruction has the lines of the kernel's text that it was made from, so that a thread's instructions
 * can be found after inlining, and the instructions that may run next, so that order means control flow, not the order
 * of the text.
 *
 * A reader is one file (read_NAME.c). It knows the syntax and what each opcode does to memory, but nothing about litmus
 * tests.
 */
#pragma once

#include "litmus/litmus.h"

/* What an instruction does to memory. */
enum machine_effect {
    MACHINE_NOTHING, /* arithmetic, control flow, memory that is not a test's (constant banks, the stack) */
    MACHINE_LOAD,
    MACHINE_STORE,
    MACHINE_UPDATE,      /* a read-modify-write, atomic as a whole */
    MACHINE_ASYNC,       /* starts an operation that is performed later: a copy, an update, an arrival */
    MACHINE_COMMIT,      /* ends a group of the item's operations */
    MACHINE_WAIT,        /* waits until at most `pending` groups are in flight */
    MACHINE_FENCE,       /* orders the accesses before and after it, and accesses nothing */
    MACHINE_INVALIDATE,  /* invalidates a cache, so that later loads do not read older values (SASS: CCTL.IVALL) */
    MACHINE_BARRIER,     /* items meet */
    MACHINE_GRID_WAIT,   /* waits for the launches before (LITMUS_GRID_WAIT) */
    MACHINE_GRID_TRIGGER /* lets the next launch begin (LITMUS_GRID_TRIGGER) */
};

/* Whether it is what LITMUS_FENCE becomes. */
static inline bool machine_is_fence(enum machine_effect effect)
{
    return effect == MACHINE_FENCE || effect == MACHINE_GRID_WAIT || effect == MACHINE_GRID_TRIGGER;
}

enum { MACHINE_NO_NEXT = -1, MACHINE_MAXIMUM_LINES = 8 };

/* Cache hints of an access; and MMIO, which is neither merged nor split. */
enum {
    MACHINE_HINT_EVICT_FIRST = 1 << 0,
    MACHINE_HINT_EVICT_LAST = 1 << 1,
    MACHINE_HINT_EVICT_UNCHANGED = 1 << 2,
    MACHINE_HINT_LAST_USE = 1 << 3,
    MACHINE_HINT_NO_ALLOCATE = 1 << 4,
    MACHINE_HINT_PREFETCH = 1 << 5, /* of any size: ptxas takes fewer bytes on some architectures */
    MACHINE_HINT_MMIO = 1 << 6,
    MACHINE_HINT_VOLATILE = 1 << 7, /* SPIR-V's Volatile: neither merged nor left out */
    MACHINE_HINT_WORDS = 8          /* PTX says an enum litmus_cache in this bit and those after it */
};

static inline unsigned machine_cache_hint(enum litmus_cache cache)
{
    return cache == LITMUS_CACHE_NONE ? 0 : 1u << (MACHINE_HINT_WORDS + (unsigned)cache);
}

/* What SPIR-V says of an instruction, and a step needs, in VULKAN's words (litmus.h). Empty on other machines. */
struct machine_vulkan {
    enum litmus_scope meeting;      /* of a barrier: which items meet */
    struct litmus_ordering failure; /* of a compare-and-swap that fails, and so only reads; without a scope */
    bool is_signed;                 /* a minimum or maximum of signed numbers */
};

/* What an instruction does to predicates: to = left OP right, from their values before it. */
enum machine_mask_operation {
    MACHINE_MASK_NONE,
    MACHINE_MASK_MOVE, /* left */
    MACHINE_MASK_NOT,  /* not left */
    MACHINE_MASK_AND,
    MACHINE_MASK_OR,
    MACHINE_MASK_XOR,
    MACHINE_MASK_AND_NOT, /* left and not right */
    MACHINE_MASK_OR_NOT   /* left or not right */
};

/* The predicate "the last compare-and-swap succeeded", if code tests it (swap_loops.h). */
enum { MACHINE_MASK_SUCCESS = 64 };

/* Instead of the number of a predicate. */
enum { MACHINE_MASK_TRUE = 65, MACHINE_MASK_FALSE, MACHINE_MASK_UNKNOWN };

struct machine_mask {
    enum machine_mask_operation operation;
    unsigned char to, left, right;
};

struct machine_instruction {
    const char *text;    /* as printed, without its address; the listing's */
    unsigned long place; /* its address in the function or, in SPIR-V, in the module; or its line in PTX text */
    /* Lines of the kernel's text, from 1: its own, the call of its function, and so on outwards. */
    unsigned lines[MACHINE_MAXIMUM_LINES];
    unsigned line_count; /* 0: the compiler does not say */

    enum machine_effect effect;
    unsigned bytes;            /* moved by a load, a store, an update or a copy; else 0 */
    unsigned lanes;            /* elements of a vector access; else 1. bytes counts all of them */
    unsigned element;          /* bytes of each element of an asynchronous update; else 0 */
    bool multicast;            /* an asynchronous copy to several work-groups of a cluster */
    unsigned pending;          /* of a wait */
    bool read_only;            /* ld.global.nc, whose proxy is the texture proxy */
    unsigned hints;            /* MACHINE_HINT_*, of an access */
    enum litmus_region region; /* local if the instruction says so; global also if generic */
    enum litmus_region from;   /* the memory that an asynchronous copy reads; region is what it writes */
    enum litmus_proxy proxy;   /* of an access; of a fence, the proxy that it is for, and region is the memory */
    /* The operation on memory, if the instruction gives it: STORE for a copy, a read-modify-write for an asynchronous
     * update and in PTX and SPIR-V, ARRIVE to TRY_WAIT for an mbarrier or a cluster barrier. LOAD: not given. */
    enum litmus_operation operation;
    bool no_result; /* PTX's red, of which nobody gets what it read */
    bool swaps;     /* a compare-and-swap that a loop may repeat; tested: code after it depends on its success */
    bool tested;
    bool writes_same; /* a read-modify-write that writes what it read, such as an addition of 0 (PTX) */
    /* LITMUS_PLAIN: other threads need not see it in any order (ld.weak, LDG.E). Otherwise the order of the instruction
     * itself, without separate fences: RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST. PTX's volatile is VOLATILE. The
     * scope is of an access that is not plain, a fence, an invalidation; else LITMUS_SCOPE_NONE. */
    LITMUS_ORDERED;
    bool predicated; /* it may have no effect */
    /* Why the instruction is not in the machine's manual although assemblers may take it; it then orders nothing. NULL:
     * it is in the manual. */
    const char *flaw;
    const char *unread; /* what the code lacks for judging the step: "its size"; NULL: nothing */
    /* The predicate that it depends on, from 1, and the value with which it runs or, for a branch, jumps; 0: none, or
     * unknown. writes: bit p - 1 for each predicate p that it may change. These exclude paths on which a predicate
     * would have both values. */
    unsigned guard;
    bool guard_value;
    uint64_t writes;
    struct machine_vulkan vulkan;
    unsigned guard_within; /* of a branch: the guard tells only if this predicate is true; 0: always */
    struct machine_mask masks[2];

    long loc;                /* PTX: index in the listing's locs, or -1 */
    unsigned scope_of_names; /* PTX: index in the listing's scopes */

    long next,
        branch; /* indexes of the instructions that may run next: in sequence, and by a jump; or MACHINE_NO_NEXT */
};

/* A .loc directive of PTX: a place in a file, by the file's number, and the place where its function was inlined. */
struct listing_loc {
    unsigned file, line, column;
    long parent; /* index of that loc, or -1 */
};

/* A register of PTX that is declared in braces within a kernel's body. */
struct listing_name {
    unsigned scope;
    const char *name;
};

/* A name in the code of the instruction after it. */
struct listing_label {
    const char *name;
    size_t length, index;
};

struct listing {
    struct arena arena; /* the texts and the labels */
    struct machine_instruction *instructions;
    size_t count, room;
    struct listing_label *labels;
    size_t label_count;
    struct listing_loc *locs; /* of PTX */
    size_t loc_count;
    unsigned *scopes; /* of PTX: braces in the body, each with the index of those around it; the body's own are 0 */
    size_t scope_count;
    struct listing_name *names; /* that are declared in scopes other than 0 */
    size_t name_count;
    unsigned active;       /* the predicate "this item takes part", always known; 0: none */
    char architecture[48]; /* "sm_90", "gfx90a", or empty */
};

/* Reads a module of PTX with one kernel and .loc directives. listing_release frees *listing whatever the result.
 * SYNTAX, with the line, if the text is malformed or truncated. */
enum status listing_read_ptx(const char *text, struct listing *listing, struct error *error);
/* SYNTAX, with its line, if an instruction that accesses memory in a way that a listing cannot express (mbarrier) comes
 * from lines first up to end of the kernel's text, or from an unknown line. The code around a test may have such
 * instructions. */
enum status listing_refuse_ptx(const struct listing *listing, unsigned first, unsigned end, struct error *error);
void listing_release(struct listing *listing);

/* Gives the next instruction that is added a label. Returns its name, which is the listing's. */
const char *listing_add_label(struct listing *listing, const char *name, size_t length);

/* The index of the instruction with that label, the last one if several have it; MACHINE_NO_NEXT if none has. */
long listing_find_label(const struct listing *listing, const char *name, size_t length);

/* Whether the instruction may have the line of the code around the access rather than the access's own: ptxas gives
 * texture and surface accesses the line of the code that computed their place, which may be the next line. */
bool listing_is_placed(const struct machine_instruction *instruction);

/* Whether the text of an instruction or of a line starts so. */
bool listing_text_starts(const char *text, const char *start);
