// SPDX-License-Identifier: Apache-2.0
/*
 * A kernel as its audit follows it: instructions with their operands and registers, blocks of instructions, which block
 * dominates which, and short loops.
 */
#pragma once

#include "base/hash_index.h"
#include "listing/read_ptx.h"

enum { FLOW_NONE = UINT_MAX };

/* A bound on what is followed: larger kernels are not judged. */
enum { FLOW_MOST_INSTRUCTIONS = 200000, FLOW_MOST_OPERANDS = 64 };

struct flow_instruction {
    const struct machine_instruction *machine;
    const char *opcode; /* with its qualifiers, without the guard */
    const char **operands;
    unsigned operand_count;
    const char *address;         /* in the brackets of the first operand that has some: "%rd1+4"; NULL: none has */
    unsigned guard;              /* the register of "@%p1"; 0: none */
    bool guard_not;              /* "@!%p1" */
    unsigned *results, *sources; /* registers that it writes; that its operands name otherwise */
    unsigned result_count, source_count;
    unsigned block;
};

struct flow_block {
    unsigned first, end;   /* instructions */
    unsigned next, branch; /* the blocks that may run next, or FLOW_NONE */
    unsigned *before;      /* the blocks that it may run after */
    unsigned before_count;
    unsigned dominator;    /* the closest other one; itself for the first block; FLOW_NONE: never reached */
    unsigned order;        /* in reverse postorder */
    unsigned enter, leave; /* in a walk of the tree of dominators: those of blocks that it dominates are between */
};

struct flow_register {
    const char *name;
    unsigned *definitions; /* instructions */
    unsigned definition_count;
    bool used; /* as an operand, other than a guard */
};

/* A loop of few instructions: the blocks that can come back to its first one. */
struct flow_loop {
    unsigned *blocks;
    unsigned block_count;
};

struct flow {
    struct arena arena;
    const struct ptx_module *module;
    const struct ptx_kernel *kernel;
    struct flow_instruction *instructions;
    unsigned count;
    struct flow_block *blocks;
    unsigned block_count;
    struct flow_register *registers; /* [0] is none */
    size_t register_count;
    struct flow_loop *loops;
    size_t loop_count;
    struct hash_index register_index; /* by scope of names and name */
};

/* False, with the reason in the program's arena, if the kernel is not followed. The caller calls flow_release
 * whatever the result. */
bool flow_read(const struct ptx_module *module, const struct ptx_kernel *kernel, struct flow *flow,
               const char **reason);
void flow_release(struct flow *flow);

/* The register of a name, as an instruction has it; 0: it is none. */
unsigned flow_register(const struct flow *flow, const struct flow_instruction *instruction, const char *name,
                       size_t size);

/* Is every way to block `of` through `block`? A block that is never reached has none. */
bool flow_dominates(const struct flow *flow, unsigned block, unsigned of);

bool flow_loop_has(const struct flow_loop *loop, unsigned block);

/* Whether the opcode begins with these words; whether it has one of the words after its first ("nc", "u64 b64"). */
bool flow_starts(const struct flow_instruction *instruction, const char *words);
bool flow_has(const struct flow_instruction *instruction, const char *words);

/* Whether it begins with an opcode of the list, which blanks separate: "st bar.sync". */
bool flow_starts_with_any(const struct flow_instruction *instruction, const char *list);

/* The bytes of a name at this place, with the suffix of a special register ("%tid.x"); 0: there is none. */
size_t flow_name_size(const char *at);
