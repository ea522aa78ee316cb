// SPDX-License-Identifier: Apache-2.0
/* A reproducer in the making. Private to this folder. */
#ifndef ORCHIL_RUNNER_REPRODUCE_PROGRAM_H
#define ORCHIL_RUNNER_REPRODUCE_PROGRAM_H

#include "runner/kernel/pieces.h"
#include "runner/reproduce/reproduce.h"
#include "runner/reproduce/template.h"

struct program {
    const struct reproduce_facts *facts;
    const struct litmus_test *test;
    const int64_t *outcome; /* one value per variable of the test */
    struct kernel_pieces pieces;
    struct draw draw;
    bool cuda; /* else OpenCL */
    unsigned result_words;
    bool has_cells, has_results, has_locals, spins;
    struct values values;
};

/* Gives values to the holes of the kernel's template: what follows from the test (program_test.c), and from the draw
 * (program_draw.c). */
void program_add_test(struct program *program);
void program_add_draw(struct program *program);

/* program_delays.c: leaves of the sites of delays those that the draw chose. Before what reads the threads' text. */
void program_settle_delays(struct program *program);

/* Appends the expressions for the owner and the instance under which a location's cell lies, by the draw's map of cells:
 * "owner, i". */
void program_print_place(const struct program *program, unsigned location, const char *owner, const char *instance,
                         struct text *text);

/* Appends the instance that an item plays of a body, as a function of its number. */
void program_print_lane(const struct program *program, unsigned body, const char *lane, struct text *text);

/* Appends a program's kernel with the words of its target, and with names that the test has: P0_x for p0_x1. */
void program_reword(const struct program *program, const char *kernel, struct text *text);

#endif
