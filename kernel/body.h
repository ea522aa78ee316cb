// SPDX-License-Identifier: Apache-2.0
/* The writers of kernel text: the threads of a slot, their accesses, results, asynchronous operations and ways to
 * cells. */
#pragma once

#include "kernel/allocation.h"

/* ---- code as data (code.c) ---- */

/*
 * The code of a test's threads as data: functions, one for each distinct instruction, and statements that call them.
 *
 * Statements are characters with pieces between them: a piece is a part whose meaning somebody reads (a call, a
 * register, a thread's budget), or that another printer writes in another way, as a reproducer does (hunt/reproduce/).
 */

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
    enum { CODE_ACCESS, CODE_THROUGH_LOCATION, CODE_FENCE, CODE_COPY, CODE_GROUP, CODE_USE, CODE_LANES } kind;
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
    CODE_NEEDS_LANES = 64, /* lanes.cl */
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
    bool user_code;     /* a function of the user's header is called */
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
 * blanks that begin a line at the writer's depth; a piece of that body; the last bracket of a call, and characters. */
void write_text(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void write_piece(struct writer *writer, enum code_kind kind, unsigned number);
void write_end(struct writer *writer, const char *after);

/* Notes a step of the test on the current line. step.line is ignored; printing sets it. */
void write_step(struct writer *writer, struct kernel_step step);
/* The same of the writer's body, and begins the call of the function that does it. */
void write_call(struct writer *writer, struct kernel_step step, unsigned function);
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

/* ---- threads (body.c) ---- */

/* Appends the code of a slot's threads, in segments separated by barriers. */
void write_threads(struct writer *writer, unsigned slot);

/* Numbers the delay sites of a slot that another agent plays, so that the kernels of all agents number their sites the
 * same way. */
void write_skip_sites(struct writer *writer, unsigned slot);

/* Appends the function that plays one slot: play_<slot>. */
void write_slot(struct writer *writer, unsigned slot);

/* A function of several lanes; and the lines that find the lanes of a slot that calls one (collective.c). */
void write_collective(struct writer *writer, const struct litmus_statement *statement);
void write_lanes(struct writer *writer, unsigned slot);

/* The lines that compute which thread of which instance an item plays, if it does not play the whole slot; the instance
 * that a body's item plays; and making the slot's first body the current one. */
void write_items(struct writer *writer);
void write_instance(const struct allocation *allocation, unsigned body, struct text *out);
void write_enter_slot(struct writer *writer, unsigned slot);

/* ---- results.c ---- */

/* The lines that declare where the results of a slot's threads lie ("p0_result"); the addresses of these results, each
 * after a |; and the lines that store them. */
void write_result_places(struct writer *writer, unsigned slot);
void write_result_addresses(const struct allocation *allocation, unsigned slot, struct text *addresses);
void write_results(struct writer *writer, unsigned slot);

/* ---- expressions, accesses, fences and barriers (access.c) ---- */

/* Each appends to writer->code, and to writer->functions what its text calls. */
void write_expression(struct writer *writer, const struct litmus_expression *expression);
/* An expression used as a value of the type: a float constant is written as its bits, an unsigned one without a
 * sign. */
void write_value(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type);
/* The same, converted to the type where the kernel's language does not do that by itself. */
void write_typed(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type);
void write_condition(struct writer *writer, const struct litmus_expression *expression);
void write_fence(struct writer *writer, const struct litmus_fence *fence,
                 struct litmus_place place);                                     /* a call and ';' */
void write_barrier(struct writer *writer, const struct litmus_barrier *barrier); /* a line that all items reach */

/* The pointer to a location's cell, advanced to the element if it has several. */
void write_pointer(struct writer *writer, const struct litmus_expression *address);

/* ---- shape.c: what the test asks of the device and its language. Each notes it in the writer ---- */

/* A type that the language may lack, in memory of the region; UNSUPPORTED if the device has no such numbers. */
void access_note_type(struct writer *writer, enum litmus_type type, enum litmus_region region);
/* The source model of an OpenCL device may rely only on what the device declares; PTX is guaranteed by the chip. */
void access_note_declared(struct writer *writer, enum litmus_order order, enum litmus_scope scope, bool fence);
/* All of these of an access and of a fence, and the library that they need. */
void access_note_shape(struct writer *writer, const struct access_shape *shape);
void access_note_fence(struct writer *writer, const struct litmus_fence *fence);

/* ---- shape.c: what a function depends on, and its name ---- */

struct access_shape access_shape_of(const struct writer *writer, const struct litmus_access *access);
/* The keys tell apart what the names do. Names live as long as the code. */
struct code_key access_key(const struct access_shape *shape);
const char *access_name(struct writer *writer, const struct access_shape *shape);
struct code_key access_fence_key(const struct writer *writer, const struct litmus_fence *fence);
const char *access_fence_name(struct writer *writer, const struct litmus_fence *fence);

/* Words in names: of an operation, and of the memory ("global", "local_as_generic"); and the address space of the
 * function's pointer: "GLOBAL", "LOCAL" or "CONSTANT". */
const char *access_operation_word(enum litmus_operation operation);
const char *access_region_word(const struct access_shape *shape);
const char *access_space_word(const struct access_shape *shape);

/* Whether the function returns nothing. */
bool access_gives_nothing(enum litmus_operation operation, bool no_result);

/* Adds the parameters that give the function of an access through a proxy its place. */
void access_place_parameters(struct writer *writer, enum litmus_proxy proxy, struct code_function *function);

/* Writes lines that add a plain read of each element of a location, through that proxy or by ld.global.nc, to `sum`.
 * They are not steps of the test. */
void write_read(struct writer *writer, unsigned l, enum litmus_proxy proxy, bool read_only);

/* Writes a vector access as a block of lines. */
void write_vector(struct writer *writer, const struct litmus_vector *vector, struct litmus_place place);

/* Before and after the statements of a segment: write_unkept declares variables for the vector elements that no
 * register keeps; write_uses uses these and the values that nobody observes. */
void write_unkept(struct writer *writer, const struct litmus_block *block);
void write_uses(struct writer *writer, const struct litmus_block *block);

/* ---- asynchronous operations, with their setup and cleanup in each slot (async.c) ---- */

/* Write a call and ";\n", then update the thread's account of the mbarrier. */
void write_copy(struct writer *writer, const struct litmus_copy *copy, struct litmus_place place);
void write_group(struct writer *writer, const struct litmus_group *group, struct litmus_place place);

/* After a statement that accesses an mbarrier, writes a line that updates the thread's account of it; otherwise writes
 * nothing. */
void write_account(struct writer *writer, const struct litmus_access *access);

/* Declares the accounts of a thread: how many arrivals it made at each mbarrier, and how many more bytes it expected
 * than its copies deliver. */
void write_accounts(struct writer *writer, unsigned body);

/* Writes a pointer to a local location of another work-group. */
void write_remote(struct writer *writer, unsigned slot, unsigned body, unsigned location);

/* Before a slot's threads, once the locals have their initial values: write_mbarrier_starts initialises the mbarriers
 * of the lane's instance, and write_async_start writes the fences that mbarriers and bulk copies need, then the
 * barrier. */
void write_mbarrier_starts(struct writer *writer, unsigned slot);
void write_async_start(struct writer *writer, bool has_locals);

/* After a slot's threads: waits until nothing is in flight, and invalidates the mbarriers. */
void write_async_end(struct writer *writer, unsigned slot);

/* ---- ways to a cell other than its address: aliases, textures, surfaces, the constant bank (results.c) ---- */

/* The module's variables that the backend fills (backends/backend.h), and the functions that compute places from them;
 * nothing for a kernel without paths. */
void write_path_words(const struct allocation *allocation, struct text *text);

/* Appends the pointer to a word of a location of an instance. offset: in the instance's cells; instance: the variable
 * that holds its number, "p0_i". */
void write_cell(const struct allocation *allocation, unsigned l, unsigned offset, const char *instance,
                struct text *out);

/* Declares the names by which a body's accesses reach a global location: p<body>_x<l>, its address; p<body>_t<l>, a
 * texture or surface, and p<body>_c<l>, the place in it; p<body>_k<l>, the place in the constant bank. */
void write_location_names(const struct allocation *allocation, unsigned body, unsigned l, struct text *out);

/* Appends "CELL(local_memory, ...)", or "(CELL(local_memory, ...) + step)", of the lane's instance. */
void write_local_cell(const struct allocation *allocation, unsigned location, uint32_t element, struct text *out);

/* ---- the parts of a test's kernel, for a program that plays the test without the skeleton (hunt/reproduce/) ---- */

/* The text uses the types and functions that a prelude declares. */
struct kernel_pieces {
    struct kernel kernel;
    struct kernel laid; /* the layout alone, to which allocation refers */
    struct allocation allocation;
    /* Its functions are those of the instructions. */
    struct writer writer;
    /* For each slot, the statements of its threads, without their declarations, with the names of the kernel's play_N:
     * p0_x1 points to the cell of location 1, p0_r2 is a register, p0_spins and p0_gave_up belong to a thread that
     * iterates, and p0_plays is used if each item plays one thread. */
    struct code threads[KERNEL_MAXIMUM_SLOTS];
};

/* Plans the test for the device and writes the parts; errors are those of kernel_generate.
 * *pieces holds pointers to itself and is released by the caller, whatever the result. */
enum status kernel_pieces_make(const struct litmus_test *test, const struct backend_device *device,
                               const char *lowering, bool delays, struct kernel_pieces *pieces, struct error *error);
void kernel_pieces_release(struct kernel_pieces *pieces);
