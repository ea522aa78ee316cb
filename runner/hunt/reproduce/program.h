// SPDX-License-Identifier: Apache-2.0
/* A reproducer being written. Private to this folder. */
#ifndef ORCHIL_RUNNER_HUNT_REPRODUCE_PROGRAM_H
#define ORCHIL_RUNNER_HUNT_REPRODUCE_PROGRAM_H

#include "kernel/pieces.h"
#include "kernel/syntax.h"
#include "runner/hunt/reproduce/reproduce.h"
#include "runner/hunt/reproduce/template.h"

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
    struct template_values values;
};

/* Fill the holes of the kernel's template: from the test (program_test.c), and from the draw
 * (program_draw.c). */
void program_add_test(struct program *program);
void program_add_draw(struct program *program);

/* program_delays.c: keeps only the sites of delays that the draw chose. Call before the threads'
 * text is read. */
void program_settle_delays(struct program *program);

/* Appends the expressions for the owner and the instance of a location's cell, by the draw's map of
 * cells: "owner, i". */
void program_print_place(const struct program *program, unsigned location, const char *owner, const char *instance,
                         struct text *text);

/* Appends the instance of a body that an item plays, as a function of the item's number. */
void program_print_lane(const struct program *program, unsigned body, const char *lane, struct text *text);

/* Appends a program's kernel in the words of its target, with the test's names: P0_x for p0_x1. */
void program_reword(const struct program *program, const char *kernel, struct text *text);

#endif
