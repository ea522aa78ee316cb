// SPDX-License-Identifier: Apache-2.0
/* Shared by the parsers of C statements, expressions and calls; private to parse_c*.c. */
#pragma once

#include "litmus/language/c_functions.h"
#include "litmus/parse/parser.h"

/* Functions that no test has, by how their names begin, and why or what to write instead. */
struct c_foreign {
    const char *start, *nearest;
};

/* The differences between the dialects. Statements and expressions are the same in all of them. */
struct c_language {
    const char *page;                /* of docs/reference, which lists the functions */
    const struct c_foreign *foreign; /* ends with a row without a start; or NULL */
    unsigned functions;              /* its set of them */
    /* A class whose object refers to a location, as "cuda::atomic_ref<int, cuda::thread_scope_device>(*x)" does; NULL
     * if the dialect has none. */
    const char *reference;
    const char *object; /* a class whose object is such a location itself: cuda::atomic; or NULL */
    const struct word *orders, *scopes, *regions;
    const char *an_order, *a_scope, *a_parameter; /* what errors say was expected */
    bool atomic_types;                            /* may a parameter point to atomic_int */
    bool generic_pointers;                        /* whether a parameter without a region points to any of them */
    bool images;                                  /* may a parameter be an image */
    bool fixed_places;                            /* each thread is a work-group of its own, on device 0 */
    bool notes_form;             /* whether a test records if a call wrote an order and a scope (explicit_order) */
    bool finds_locations;        /* threads have no parameters: a name that is not a register is a location */
    bool volatile_accesses;      /* is an access volatile, and not the location */
    bool failure_never_releases; /* C++ forbids release and acq_rel to a compare_exchange that fails */
};

/* Where the jumps without a label go: the ends of the thread, of the innermost loop and of its round. */
struct c_labels {
    unsigned goals; /* bits: those that exist here */
    unsigned numbers[3];
    unsigned used[3]; /* by so many jumps */
};

struct c_body {
    struct parser *parser;
    struct draft *draft;
    const struct c_language *language;
    /* The block for side effects that C has inside an expression and a test has before it: "(r0 = e)", "++r0",
     * __syncthreads_or(e). NULL: not allowed, because the current operand may not be evaluated. */
    struct litmus_block *before;
    unsigned moved;       /* side effects in the current expression, at most one */
    int moved_target;     /* the register that it sets, or LITMUS_NONE */
    bool moved_reads;     /* it left a load in its place */
    bool cast_volatile;   /* the pointer at hand is cast to a volatile type */
    unsigned temporaries; /* registers for values of the current expression */
    struct c_labels labels;
    unsigned loops;                 /* entered so far, which numbers labels */
    struct c_reference *references; /* those that have names here */
    size_t reference_count;
};

/* An object that refers to a location, such as "cuda::atomic_ref<int> s(*x)". */
struct c_reference {
    char *name;                        /* NULL: it has none */
    struct litmus_expression *address; /* of the location; with a name, its index is constant */
    enum litmus_scope scope;
    bool scoped; /* it names a scope */
};

/* A type as a declaration or a cast has it, with the words const, register and restrict, which say nothing here. */
struct c_declared {
    bool found, atomic, truth; /* truth: bool */
    bool deduced;              /* auto: that of the value */
    enum litmus_type type;
};

/* The result of parsing a call: an access, or a separate statement. */
struct c_call {
    const struct c_function *function;
    struct litmus_statement statement;   /* a PERFORM, FENCE or BARRIER */
    struct litmus_expression *predicate; /* of a barrier such as __syncthreads_or(e), which combines it; or NULL */
};

enum status parse_c_expression(struct c_body *body, struct litmus_expression **result);

/* The same up to the | that ends a cell: operators of that precedence or lower must be in parentheses. */
enum status parse_c_cell_value(struct c_body *body, struct litmus_expression **result);

/* A whole expression, or an assignment without parentheses around it; its side effects go to `before`. */
enum status parse_c_full_expression(struct c_body *body, struct litmus_block *before,
                                    struct litmus_expression **result);

/* Skips const, restrict and their like; whether there were any. */
bool skip_c_silent_words(struct parser *parser);

/* Nothing is consumed if no type is at hand. */
enum status parse_c_type(struct c_body *body, struct c_declared *declared);

/* By C's usual conversions, apart from the promotion of a value that stands alone. */
enum litmus_type c_type_of(const struct c_body *body, const struct litmus_expression *value);

/* A constant, or a register of the thread by its number. */
struct litmus_expression *make_c_constant(const struct c_body *body, int64_t value, struct litmus_place place);
struct litmus_expression *make_c_register(const struct c_body *body, int index, struct litmus_place place);

/* ---- assignments ---- */

/* The left side of an assignment. */
struct c_target {
    int index;                         /* of a register, or LITMUS_NONE */
    struct litmus_expression *address; /* of a location if it is none */
    bool is_volatile;
    struct litmus_place place;
};

/* Whether the current token is "=", "+=", "++" or another such mark. */
bool at_c_update(const struct parser *parser);

/* "= e", "+= e" or "++", with the target already read; the statement is appended to the block. */
enum status parse_c_update(struct c_body *body, struct litmus_block *block, const struct c_target *target);

enum status parse_c_simple(struct c_body *body, struct litmus_block *block);
enum status parse_c_named_target(struct c_body *body, const struct token *name, struct c_target *target);

/* target = value, for a register. */
enum status add_c_assignment(struct c_body *body, struct litmus_block *block, int target,
                             struct litmus_expression *value, struct litmus_place place);
enum status add_c_access(struct c_body *body, struct litmus_block *block, struct litmus_expression *access);

/* The value in a register of its own. */
enum status make_c_temporary(struct c_body *body, struct litmus_block *block, struct litmus_expression *value,
                             struct litmus_expression **result);

/* Computes a value for what it reads of memory. */
enum status add_c_dropped(struct c_body *body, struct litmus_block *block, struct litmus_expression *value);

/* Appends a statement that sets no register itself. */
enum status add_c_statement(struct c_body *body, struct litmus_block *block, struct litmus_statement added);

/* Records that the current expression has a side effect, which sets a register or none (LITMUS_NONE). An error if the
 * expression may not be evaluated, or has a second one. */
enum status note_c_moved(struct c_body *body, int target);

/* A register for a value that is computed before the expression. */
enum status take_c_register(struct c_body *body, const char *name, enum litmus_type type, bool truth,
                            struct litmus_place place, struct litmus_expression **result);

/* ---- functions of several lanes (parse_c_lanes.c) ---- */

/* Arguments: a lane's value; the number of a lane; a mask, with which a barrier becomes one of these lanes. */
enum status parse_c_lane_value(struct c_body *body, struct c_call *call);
enum status parse_c_lane(struct c_body *body, struct c_call *call);
enum status parse_c_mask(struct c_body *body, struct c_call *call);

/* Adds the call before the expression that has its result. */
enum status add_c_collective(struct c_body *body, const struct litmus_statement *call, const struct token *name,
                             struct litmus_expression **result);

/* Lets the call that is the block's last statement set the target instead of its own register, if the value is that
 * register. */
bool set_c_from_lanes(struct c_body *body, struct litmus_block *block, int target,
                      const struct litmus_expression *value);

/* The statements of a barrier that combines a predicate over its threads; *result: its value. */
enum status add_c_reduction(struct c_body *body, struct litmus_block *block, const struct c_call *call,
                            struct litmus_place place, struct litmus_expression **result);

/* ---- pointers and accesses (parse_c_pointer.c) ---- */

/* A parameter, as an address, or a register, as its value, with the name already read. */
enum status parse_c_variable(struct c_body *body, const struct token *name, struct litmus_expression **result);

/* The operand of '*', with the star already read: x, (x + e), a pointer-valued register.
 * *is_volatile: it is cast to a volatile type, "(volatile int*)x". */
enum status parse_c_pointee(struct c_body *body, struct litmus_expression **result, bool *is_volatile);

/* x[e] with the name taken and '[' at hand. */
enum status parse_c_element(struct c_body *body, const struct token *name, struct litmus_expression **result);

/* A pointer argument: x, x + e, &x[e], a pointer-valued register. */
enum status parse_c_pointer(struct c_body *body, struct litmus_expression **result);

/* A plain or volatile access of the address: a load, or a store of operand if that is not NULL. */
enum status make_c_access(struct c_body *body, struct litmus_expression *address, struct litmus_expression *operand,
                          bool is_volatile, struct litmus_expression **result);

/* The location of the address, or LITMUS_NONE if a register holds an unknown address. */
int c_location_of(const struct c_body *body, const struct litmus_expression *address);

/* ---- vectors (parse_c_vector.c) ---- */

/* A statement of OPENCL that declares, loads or stores a vector; *found is false and nothing is consumed if there is
 * none. */
enum status parse_c_vector(struct c_body *body, struct litmus_block *block, bool *found);

/* The number of components of the vector register of that name; 0: none. */
unsigned c_lanes_of(const struct parser *parser, const struct draft *draft, const struct token *name);

/* ---- the words for a thread's place (parse_c_places.c) ---- */

/* With '{' at hand and its next token not read: makes the registers for those that the body uses. */
enum status add_c_places(struct c_body *body);

/* With the name taken: is it such a word? Then its value. */
bool is_c_place(const struct c_body *body, const struct token *name);
enum status parse_c_place(struct c_body *body, const struct token *name, struct litmus_expression **result);

/* ---- jumps (parse_c_jumps.c) ---- */

/* Where a jump without a label goes: the end of the thread, of the innermost loop, or of its round. */
enum { TO_END_OF_THREAD, TO_END_OF_LOOP, TO_END_OF_ROUND };

/* Enters a loop, or a switch, which has no rounds. Returns the labels around it, for add_c_loop. */
struct c_labels c_enter_loop(struct c_body *body, bool rounds);

/* The label where the jumps to the goal end, if there are any. */
enum status add_c_goal(struct c_body *body, struct litmus_block *block, unsigned goal);

/* That label itself, and a jump to one; a label of a switch. */
enum status name_c_goal(struct c_body *body, unsigned goal, bool define, struct litmus_place place, int *label);
enum status add_c_jump(struct c_body *body, struct litmus_block *block, int label, struct litmus_place place);
enum status add_c_new_label(struct c_body *body, struct litmus_block *block, struct litmus_place place, int *label);

/* Back to the labels around a loop or a switch. */
void c_leave_loop(struct c_body *body, const struct c_labels *around);

/* The loop, and the label where it ends. */
enum status add_c_loop(struct c_body *body, struct litmus_block *block, struct litmus_statement loop,
                       const struct c_labels *around);

/* "break;", "continue;", "return;" or "goto L;"; *found is false and nothing is consumed if there is none. */
enum status parse_c_jump(struct c_body *body, struct litmus_block *block, struct litmus_place place, bool *found);

/* Of the whole thread: refuses jumps into a block, and numbers the labels as its text has them. */
enum status finish_c_jumps(struct c_body *body);

/* ---- inline PTX (parse_c_asm.c) ---- */

/* A statement "asm volatile(...);" of CUDA; *found is false and nothing is consumed if there is none. */
enum status parse_c_asm(struct c_body *body, struct litmus_block *block, bool *found);

/* ---- names and calls ---- */

/* A name, or several joined as in cuda::memory_order_relaxed; what: the expectation for error messages. */
enum status parse_c_name(struct c_body *body, const char *what, struct token *name);

/* With the name taken: is it the class of such objects, or the name of one? */
bool is_c_reference(const struct c_body *body, const struct token *name);

/* With the class taken: "<int, cuda::thread_scope_device>". */
enum status parse_c_class(struct c_body *body, struct c_reference *reference, enum litmus_type *type,
                          struct token *type_name);

/* With the class taken: "<int> s(*x), t(*y);"; *found is false and nothing is consumed if no name follows. A name lasts
 * to the end of its block. */
enum status parse_c_references(struct c_body *body, const struct token *class, bool *found);

/* With the name taken: is this a call? */
bool is_c_call(const struct c_body *body, const struct token *name);

/* A call with the name taken. */
enum status parse_c_call(struct c_body *body, const struct token *name, struct c_call *call);
