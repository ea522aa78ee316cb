// SPDX-License-Identifier: Apache-2.0
/*
 * The code of a test's threads as data: functions, one for each distinct instruction, and statements
 * that call them.
 *
 * Statements are characters with pieces between them: a piece is a part whose meaning somebody reads
 * (a call, a register, a thread's budget), or that another printer writes in another way, as a
 * reproducer does (runner/hunt/reproduce/).
 */
#ifndef ORCHIL_KERNEL_CODE_H
#define ORCHIL_KERNEL_CODE_H

#include "kernel/allocation.h"

enum code_kind {
    CODE_OWN,      /* "p1_", which begins the names of a body */
    CODE_REGISTER, /* "p1_r2" */
    CODE_TARGET,   /* "p1_r2 = ", which begins a statement */
    CODE_POINTER,  /* "p1_x0": the cell of location 0 */
    CODE_CALL,     /* "name(" of the function `number` */
    CODE_NEXT,     /* ", " between the arguments of a call */
    CODE_END,      /* ")" of a call */
    CODE_INDENT,   /* the blanks at the start of a line */
    CODE_BREAK,    /* a new line inside a statement; the blank before it is dropped */
    CODE_STEP,     /* nothing: the step `number` is on this line */
    CODE_SITE,     /* a line: the delay site `number` */
    CODE_OPEN,     /* a line: the start of a block of P`number` */
    CODE_CLOSE,    /* a line: its end */
    /* Lines that take one iteration from the budget of the body. A thread without budget gives up, and its instance
     * records this: it leaves the loop or, if `number` is CODE_LEAVES_THREAD, goes to its end. */
    CODE_BUDGET
};

enum { CODE_LEAVES_LOOP, CODE_LEAVES_THREAD };

struct code_piece {
    enum code_kind kind;
    unsigned body, number;
    unsigned columns; /* blanks at the start of the line, of pieces that begin one */
    size_t at;        /* characters before it */
};

struct code {
    struct text text; /* the characters */
    struct code_piece *pieces;
    size_t count;
};

/* What tells functions apart: the kind of instruction and what its text depends on. */
struct code_key {
    enum { CODE_ACCESS, CODE_THROUGH_LOCATION, CODE_FENCE, CODE_COPY, CODE_GROUP, CODE_USE } kind;
    struct litmus_ordering ordering;
    unsigned values[28];
};

struct code_parameter {
    const char *type, *name; /* "GLOBAL u32 *", "p"; "int ", "value" */
};

struct code_function {
    struct code_key key;
    const char *result, *name; /* "int", "load_plain_global_int" */
    struct code_parameter *parameters;
    size_t parameter_count;
    const char *body; /* its statements, which use the parameters by their names */
    unsigned calls[3];
    size_t call_count; /* of other functions, by its body */
};

/* What a kernel needs because of its instructions. */
enum {
    CODE_NEEDS_CUDA_LIBRARY = 1, /* <cuda/atomic> */
    CODE_NEEDS_ELEMENT = 2,      /* these: functions of the skeleton */
    CODE_NEEDS_DIVIDE = 4,
    CODE_NEEDS_DIVIDE_UNSIGNED = 8,
    CODE_NEEDS_REMAINDER = 16,
    CODE_NEEDS_REMAINDER_UNSIGNED = 32,
};

/* The kernel text of a test while it is written. */
struct writer {
    const struct allocation *allocation;
    const struct lowering *lowering;
    struct arena *arena; /* the kernel's; holds its steps, and pieces and functions of the code */
    struct code_function *functions;
    size_t function_count;
    struct code code; /* play_0, play_1, ... */
    struct kernel_step *steps;
    size_t step_count;
    unsigned body;      /* the body being written */
    unsigned depth;     /* of indentation */
    unsigned unkept;    /* vector words that no register keeps, written so far in this segment */
    unsigned needs;     /* CODE_NEEDS_* */
    unsigned types;     /* as in struct kernel */
    bool undeclared;    /* an order or scope was used that the device does not declare */
    enum status status; /* of the first failure; writing continues, and the code is discarded */
    struct error *error;
};

/* Finds the function with the key. If there is none, adds it, and *fresh is the function for the caller to fill, with
 * strings that outlive the code; else NULL. Returns its number. */
unsigned code_function(struct writer *writer, const struct code_key *key, struct code_function **fresh);
/* Adds a parameter to a function. */
void code_parameter(struct writer *writer, struct code_function *function, const char *type, const char *name);
/* Moves a text to the memory of the code. */
const char *code_keep(struct writer *writer, struct text *text);

/* Append to writer->code: characters, where @ stands for what begins the names of the writer's body, and a tab for the
 * blanks that begin a line at the writer's depth; a piece of that body; the last bracket of
 * a call, and characters. */
void write_text(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void write_piece(struct writer *writer, enum code_kind kind, unsigned number);
void write_end(struct writer *writer, const char *after);

/* Notes a step of the test on the current line. step.line is ignored; printing sets it. */
void write_step(struct writer *writer, struct kernel_step step);
/* Starts a new line if the current one already has a step. */
void write_new_line(struct writer *writer);

/* Records the first failure. */
void write_note(struct writer *writer, enum status status);
/* The same, UNSUPPORTED with this reason. */
void write_refuse(struct writer *writer, const char *reason);

/* Append as a kernel has it: a function, with the empty line after it; a piece; code, whose steps get their lines, from
 * 1. steps: NULL to leave them. */
void code_print_function(const struct code_function *function, struct text *text);
void code_print_piece(const struct writer *writer, const struct code_piece *piece, struct text *text);
void code_print(const struct writer *writer, struct kernel_step *steps, struct text *text);
/* The number of newlines in a text. */
unsigned code_count_lines(const char *text);

/* The arrays of constant memory, which is initialised by its declaration, as it is never written. word: "CONSTANT". */
void code_print_constants(const struct litmus_test *test, const char *word, struct text *text);

#endif
