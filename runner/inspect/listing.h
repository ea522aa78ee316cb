// SPDX-License-Identifier: Apache-2.0
/*
 * A compiled kernel, instruction by instruction: machine code that a disassembler printed (SASS, x86-64), or
 * PTX. Each instruction knows the lines of the kernel's text that it was made from, so a thread's instructions are found
 * again whatever was inlined, and which instructions may run next, so their order is that of the control flow and not that of
 * the text.
 *
 * A reader is one file (read_NAME.c) and one row of the table in inspect.c. It knows the syntax and what each opcode does to
 * memory; it knows nothing of litmus tests.
 */
#ifndef ORCHIL_RUNNER_INSPECT_LISTING_H
#define ORCHIL_RUNNER_INSPECT_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"
#include "litmus/litmus.h"

/* What an instruction does to memory. */
enum machine_effect {
    MACHINE_NOTHING, /* arithmetic, control flow, memory that is not a test's (constant banks, the stack) */
    MACHINE_LOAD,
    MACHINE_STORE,
    MACHINE_UPDATE,     /* a read-modify-write, atomic as a whole */
    MACHINE_ASYNC,      /* begins an operation that is performed some time later: a copy, an update, an arrival */
    MACHINE_COMMIT,     /* makes a group of the item's operations so far */
    MACHINE_WAIT,       /* until no more than `pending` groups are under way */
    MACHINE_FENCE,      /* orders what is before it and what is after it, and accesses nothing */
    MACHINE_INVALIDATE, /* drops what a cache holds, so that later loads are not older than it (SASS: CCTL.IVALL) */
    MACHINE_BARRIER,    /* items meet */
};

enum { MACHINE_NO_NEXT = -1, MACHINE_MAXIMUM_LINES = 8 };

/* What an access tells the caches, and MMIO: that it is neither merged nor split. */
enum {
    MACHINE_HINT_EVICT_FIRST = 1 << 0,
    MACHINE_HINT_EVICT_LAST = 1 << 1,
    MACHINE_HINT_EVICT_UNCHANGED = 1 << 2,
    MACHINE_HINT_LAST_USE = 1 << 3,
    MACHINE_HINT_NO_ALLOCATE = 1 << 4,
    MACHINE_HINT_PREFETCH = 1 << 5, /* of however many bytes: ptxas takes fewer where an architecture has fewer */
    MACHINE_HINT_MMIO = 1 << 6
};

struct machine_instruction {
    const char *text;    /* as it is printed, without its address; the listing's */
    unsigned long place; /* its address in the function, or its line in a text of PTX */
    /* Lines of the kernel's text, from 1: where it is written, where that function was called, and so on outwards. */
    unsigned lines[MACHINE_MAXIMUM_LINES];
    unsigned line_count; /* 0: the compiler does not say where it comes from */

    enum machine_effect effect;
    unsigned bytes;            /* that a load, a store, an update or a copy moves; else 0 */
    unsigned lanes;            /* elements of a vector access; else 1. bytes counts all of them */
    unsigned element;          /* bytes of each element that an asynchronous update changes; else 0 */
    unsigned pending;          /* of a wait */
    bool folds;                /* a load that is one with what is computed of it */
    bool read_only;            /* a load of ld.global.nc, whose proxy is that of textures */
    unsigned hints;            /* MACHINE_HINT_*, of an access */
    enum litmus_region region; /* local where the instruction says so; global also where it is generic */
    enum litmus_region from;   /* the memory that an asynchronous copy reads; region is what it writes */
    enum litmus_proxy proxy;   /* by which memory is accessed; of a fence, which it is for, and region the memory */
    /* What becomes of the memory, where the instruction says it: STORE of a copy, a read-modify-write of an asynchronous update,
     * ARRIVE to TRY_WAIT of an mbarrier or of a cluster's barrier. LOAD: not said. */
    enum litmus_operation operation;
    /* LITMUS_PLAIN: no other thread need see it in any order (ld.weak, LDG.E, and any plain mov of x86-64). Else the order
     * that the instruction itself has, what comes with a fence of its own left out: RELAXED, ACQUIRE, RELEASE, ACQ_REL,
     * SEQ_CST. VOLATILE of PTX is VOLATILE. On x86-64 a load acquires, a store releases, and a locked instruction is SEQ_CST. */
    enum litmus_order order;
    enum litmus_scope
        scope;       /* how far: of an access that is not plain, a fence, an invalidation; else LITMUS_SCOPE_NONE */
    bool predicated; /* it may do nothing */
    /* Why the machine's manual has no such instruction, though assemblers may take it: it orders nothing then; NULL if it has. */
    const char *flaw;
    const char
        *unread; /* what the code does not say of it, so that the step cannot be judged: "its size"; NULL: nothing */
    /* The predicate that it depends on, from 1, and which value lets it run, or, of a branch, jump; 0: none, or not known.
     * writes: bit p - 1 for each predicate that it may change. By these a way on which one predicate is both is no way. */
    unsigned guard;
    bool guard_value;
    unsigned writes;

    long next, branch; /* indexes of what may run next: the one after it, and where it jumps; or MACHINE_NO_NEXT */
};

struct listing {
    struct arena arena; /* the texts */
    struct machine_instruction *instructions;
    size_t count, room;
    /* Where lines had to be found through a copy of the code that has them (x86_twin.h): accesses and fences of the copy that
     * the code has nothing like. Of the lines that they name nothing is known. */
    struct machine_instruction *lost;
    size_t lost_count;
    char architecture[32]; /* "sm_90", "x86-64", or empty */
};

/* Each reads a whole text and fills *listing, which listing_release frees whatever the result. SYNTAX with the line that is not
 * understood; text that was cut is not a listing. */
/* nvdisasm -c -gp, whose lines are those of the PTX that was compiled, which is read before and whose first line is ptx_line
 * there, from 1; or, with NULL, -gi. */
enum status listing_read_sass(const char *text, const struct listing *ptx, unsigned ptx_line, struct listing *listing,
                              struct error *error);
enum status listing_read_ptx(const char *text, struct listing *listing, struct error *error); /* with .loc directives */
/* SYNTAX, with its line, where an instruction that reaches memory in a way no listing can say (mbarrier) comes from these lines of
 * the kernel's text, from first up to end, or from nobody knows where. What surrounds a test may have such. */
enum status listing_refuse_ptx(const struct listing *listing, unsigned first, unsigned end, struct error *error);
/* listing_read_ptx for the lines of its instructions alone: what is refused above, since nothing is known of it, does nothing here. */
enum status listing_read_ptx_lines(const char *text, struct listing *listing, struct error *error);
enum status listing_read_x86(const char *text, struct listing *listing,
                             struct error *error); /* objdump -d -l --inlines */
void listing_release(struct listing *listing);

/* Whether its line is not that of the access but of what was written around it in the step's line. ptxas gives accesses of textures
 * and surfaces the line of what computed their place, which may be the next one; LLVM gives a load that it folds into what is
 * computed of it the line of that. */
bool listing_is_placed(const struct machine_instruction *instruction);

#endif
