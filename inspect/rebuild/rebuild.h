// SPDX-License-Identifier: Apache-2.0
/* A compiled test while it is made from its source and its code. */
#ifndef ORCHIL_INSPECT_REBUILD_REBUILD_H
#define ORCHIL_INSPECT_REBUILD_REBUILD_H

#include "inspect/rebuild/compiled_step.h"
#include "inspect/rebuild/rebuild_test.h"

struct rebuild {
    struct compiled_code code;
    struct compiled_test *compiled;
    struct litmus_thread *thread; /* of the copy, whose number is body */
    unsigned body;
    struct compiled_step *steps; /* of the kernel's, in their order */
    struct error *error;
};

/* A list of statements that grows in the arena of the compiled test. */
struct statement_list {
    struct litmus_statement *statements;
    size_t count;
};

void rebuild_add(struct rebuild *rebuild, struct statement_list *list, struct litmus_statement statement);
void rebuild_add_list(struct rebuild *rebuild, struct statement_list *list, const struct statement_list *more);

/* The code of an access, a fence or a barrier of the source; NULL if the kernel has no such
 * step. */
const struct compiled_step *rebuild_find_step(const struct rebuild *rebuild, const void *of);

/* Whether an access reads constant memory, which is never written, so the code may have no
 * instruction for it. */
bool rebuild_reads_constant(const struct rebuild *rebuild, const struct litmus_access *access);

/* Gives an access of the copy the operation, order and scope of its instruction. dropped: nothing
 * reads its result. UNSUPPORTED, with the reason, if the instruction does something else. */
enum status rebuild_access(struct rebuild *rebuild, struct litmus_access *access, const struct compiled_step *step,
                           bool dropped);

/* Appends the fences among a step's instructions [from, to). */
void rebuild_add_fences(struct rebuild *rebuild, const struct compiled_step *step, size_t from, size_t to,
                        struct statement_list *list);

/* Whether an access of an expression of the source has fences in the code. */
bool rebuild_has_fences(const struct rebuild *rebuild, const struct litmus_expression *expression);

/* Adds a register to the thread of the copy. UNSUPPORTED if it has too many. */
enum status rebuild_add_register(struct rebuild *rebuild, enum litmus_type type, int *index);
enum litmus_type rebuild_result_type(const struct litmus_access *access);

/* Gives an expression of the copy (`to`) the accesses of the code. apart: each access becomes a statement of the list, and a
 * register takes its place. */
enum status rebuild_expression(struct rebuild *rebuild, const struct litmus_expression *from,
                               struct litmus_expression *to, bool apart, struct statement_list *list);
enum status rebuild_operands(struct rebuild *rebuild, const struct litmus_access *from, struct litmus_access *to,
                             bool apart, struct statement_list *list);

/* Appends a statement that is an access, with a register for its result if the instruction has one. */
enum status rebuild_add_access(struct rebuild *rebuild, struct litmus_statement statement, struct statement_list *list);
void rebuild_set_barrier(struct litmus_barrier *barrier, const struct machine_instruction *made);

enum status rebuild_block(struct rebuild *rebuild, const struct litmus_block *from, struct litmus_block *to);
enum status rebuild_thread(struct rebuild *rebuild, const struct litmus_block *from, struct litmus_block *to,
                           const struct inspection *inspection);

#endif
