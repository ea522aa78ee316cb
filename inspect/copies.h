// SPDX-License-Identifier: Apache-2.0
/* Registers that have a copy of a value, or something computed from it. */
#ifndef ORCHIL_INSPECT_COPIES_H
#define ORCHIL_INSPECT_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COPIES_MAXIMUM = 48, COPIES_MAXIMUM_OPERANDS = 6 };

/* What a register has, of the value that was read: its word number COPIES_RESULT, COPIES_RESULT + 1, ...; that of
 * the value which was expected; or something computed from it. */
enum { COPIES_NOTHING = -2, COPIES_COMPUTED = -1, COPIES_RESULT = 0, COPIES_EXPECTED = 16 };

/* Registers in a row: v[2:3], %rd7. count 0: not a register. changed: negated, or without its sign. */
struct register_span {
    uint64_t first; /* its name and its number */
    unsigned count;
    bool changed;
};

/* What an instruction's registers are, its result first. */
struct operand_list {
    struct register_span items[COPIES_MAXIMUM_OPERANDS];
    size_t count;
};

/* The copies of a value at a place of the code. */
struct copies {
    struct {
        uint64_t name;
        int of;
    } items[COPIES_MAXIMUM];
    size_t count;
};

/* The registers that a text begins with. */
struct register_span copies_registers(const char *text);

/* The text after a guard, or the next instruction of those that are issued together. */
const char *copies_opcode(const char *text);

/* The operands of an instruction without a guard; of those that are issued together, of the first. */
struct operand_list copies_operands(const char *text);

/* Gives the registers the words of a value, from this one. */
void copies_set(struct copies *copies, const struct register_span *registers, int of);

/* Whether the registers have all words of the value. */
bool copies_are(const struct copies *copies, const struct register_span *registers, int of);

/* How many words depend on the value that was read. */
unsigned copies_computed(const struct copies *copies, const struct register_span *registers);

/* Follows an instruction, or those that are issued together. */
void copies_pass(const char *text, struct copies *copies);

#endif
