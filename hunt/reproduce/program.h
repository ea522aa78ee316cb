// SPDX-License-Identifier: Apache-2.0
/* A reproducer being written. */
#pragma once

#include "hunt/reproduce/reproduce.h"
#include "hunt/reproduce/template.h"
#include "kernel/body.h"
#include "kernel/lower.h"

struct program {
    const struct reproduce_facts *facts;
    const struct litmus_test *test;
    const int64_t *outcome; /* one value for each variable of the test */
    struct kernel_pieces pieces;
    struct draw draw;
    bool cuda, glsl;             /* else OpenCL */
    const struct syntax *syntax; /* of the kernel's text */
    unsigned result_words;
    bool has_cells, has_results, has_locals, spins;
    /* Whether names and result words are printed so that the texts of equal threads are equal. */
    bool neutral;
    unsigned same[KERNEL_MAXIMUM_SLOTS]; /* the first slot whose function also plays this one */
    bool *called; /* by number of a function of pieces.writer: printed code calls it; in the arena of pieces.kernel */
    struct template_values values;
};

/* Fill the holes of the kernel's template: from the test (program_test.c), and from the draw (program_draw.c). */
void program_add_test(struct program *program);
void program_add_draw(struct program *program);

/* Appends the expressions for the owner and the instance of a location's cell, by the draw's map of cells: "owner,
 * i". */
void program_print_place(const struct program *program, unsigned location, const char *owner, const char *instance,
                         struct text *text);

/* Appends the instance of a body that an item plays, as a function of the item's number. */
void program_print_lane(const struct program *program, unsigned body, const char *lane, struct text *text);

/* ---- program_code.c ---- */

/* Appends the code of a slot's threads, and notes in `called` what it calls. single: the slot has one thread, whose
 * block then has no braces. Then the functions that are called. */
void program_print_code(const struct program *program, const struct code *code, bool single, struct text *text);
void program_print_functions(const struct program *program, struct text *text);

/* Appends the name of a register (CODE_REGISTER) or of a pointer to a location (CODE_POINTER): P0_x for p0_x1, if x is
 * a plain name. Other names begin with p and the number of the body that program_named returns. */
void program_print_name(const struct program *program, enum code_kind kind, unsigned body, unsigned number,
                        struct text *text);
unsigned program_named(const struct program *program, unsigned body);

/* Whether a program declares the register: not if nothing reads it. */
bool program_keeps(const struct program *program, const struct code *code, unsigned body, unsigned number);

/* Appends a program's kernel in the words of its target. */
void program_reword(const struct program *program, const char *kernel, struct text *text);
