// SPDX-License-Identifier: Apache-2.0
/*
 * Shared by the parsers of sections and dialects: the token at hand, errors with places, and the test under
 * construction.
 *
 * A parser looks at one token, `token`, and has consumed everything before it. Every function returns a status and
 * leaves its message in the caller's struct error. All memory is the test's.
 */
#pragma once

#include "litmus/language/words.h"
#include "litmus/parse/tokens.h"

/* The value of the row that spells the token, or LITMUS_NONE. */
int word_find(const struct word *table, const struct token *token);

/* Facts about a location that the parser needs but the test does not keep. */
struct location_note {
    bool declared;               /* by the initial state */
    bool typed;                  /* a declaration gave a type */
    bool placed;                 /* a declaration gave a region */
    struct litmus_place mixed;   /* of a declaration whose region contradicts earlier ones; line 0: none */
    bool mixed_local;            /* that declaration says local */
    bool pointed;                /* a parameter gave a region, constant or no address space */
    bool constant;               /* that region is constant */
    bool used;                   /* its name appears after the initial state: found by parse_warn */
    bool accessed;               /* PTX: by an instruction whose type is known */
    struct litmus_place *values; /* the places of the initial values, as far as they are given */
    unsigned value_count;
};

struct register_note {
    bool typed;
    bool truth;                /* declared bool: what it is set to becomes 0 or 1 */
    struct litmus_place value; /* of its initial value; line 0: none is given */
};

/* PTX: a register that stands for an address. */
struct pointer_note {
    char *name;
    int location;
    int64_t bytes; /* from the location's start */
};

struct label_note {
    struct litmus_place place; /* of the first mention */
    bool defined;
};

/* A register of the initial state, kept until its thread is parsed. */
struct register_start {
    unsigned thread;
    struct litmus_register first;
    bool typed, taken;
    struct litmus_place place, value; /* value: of the initial value; line 0: none is given */
};

/* A barrier that counts its threads' answers, as __syncthreads_or does. */
struct reduction_note {
    size_t statement; /* the barrier's, in the body */
    enum litmus_operation operation;
    struct litmus_expression *addresses[2]; /* of what holds the answers: for the thread's own, and for all of them */
    struct litmus_place place;
};

/* A register that holds the thread's place: threadIdx.x, get_global_id(0). */
struct place_note {
    int index;
    unsigned word; /* of parse_c_places.c */
    struct litmus_place place;
};

/* CUDA: of a location, whether the thread's parameter points to cuda::atomic objects of that scope. */
struct object_note {
    bool scoped;
    enum litmus_scope scope;
};

/* A thread under construction. */
struct draft {
    struct litmus_thread thread;
    bool placed; /* by its own line or by the scope tree */
    struct register_note *registers;
    size_t of_lanes; /* C: as many registers there were once the last function of several lanes got one of its own */
    struct label_note *labels;
    struct pointer_note *pointers;
    size_t pointer_count;
    bool ended;                                        /* PTX: by ret or exit */
    bool visible[LITMUS_MAXIMUM_LOCATIONS];            /* C: the locations that are its parameters */
    bool points_to_volatile[LITMUS_MAXIMUM_LOCATIONS]; /* CUDA: those of them that it declares volatile */
    bool points_to_atomic[LITMUS_MAXIMUM_LOCATIONS];   /* OPENCL, C: those of them that it declares atomic */
    bool scalars[LITMUS_MAXIMUM_LOCATIONS]; /* OPENCL, CUDA: it declares "local int s;", whose name is the value */
    struct object_note objects[LITMUS_MAXIMUM_LOCATIONS]; /* CUDA */
    struct reduction_note *reductions;                    /* CUDA */
    size_t reduction_count;
    struct place_note *places; /* OPENCL, CUDA */
    size_t place_count;
    enum litmus_type points_to[LITMUS_MAXIMUM_LOCATIONS]; /* C: their types */
    bool points_to_generic[LITMUS_MAXIMUM_LOCATIONS];     /* OPENCL: those without an address space */
};

struct parser {
    const char *file;
    struct scanner scanner;
    struct token token;
    struct token fault; /* where no token starts: the text ends there for the parser */
    struct error *error;
    struct litmus_test *test;
    struct location_note notes[LITMUS_MAXIMUM_LOCATIONS];
    struct register_start *starts;
    size_t start_count;
    struct draft *drafts[LITMUS_MAXIMUM_BODIES];
    size_t draft_count;
    size_t statement_count;     /* of all bodies */
    size_t relation_count;      /* of the condition and the filter */
    struct litmus_place *large; /* the places of numbers from 2^63 on */
    size_t large_count;
    unsigned nesting;
    bool outermost; /* no token of the present proposition is taken yet */
};

/* Threads: of the dialects in C, and of each of the others. */
enum status parse_c_threads(struct parser *parser); /* "P0@wg 0 (global int* x) {...}" */
enum status parse_ptx_threads(struct parser *parser);
/* One instruction of PTX, as in a cell; it goes to the thread's body. */
enum status parse_ptx_instruction(struct parser *parser, struct draft *draft);
enum status parse_vulkan_threads(struct parser *parser);

/* Threads as columns: their names, then rows of cells. The function reads an instruction of the dialect; `what` says
 * what is expected where it begins. */
typedef enum status parse_instruction_function(struct parser *parser, struct draft *draft, const char *what);
enum status parse_columns(struct parser *parser, parse_instruction_function *parse_instruction);

/* One statement of C without its semicolon, as in a cell of a column: a call, "r0 = e" or "*x = e". Outside parentheses
 * `e` has no operator that binds more loosely than ^, since | ends the cell. Its target need not be declared. */
enum status parse_c_cell(struct parser *parser, struct draft *draft);

/* Sections, in files of their own. Each starts at the first token of its section. */
enum status parse_initial_state(struct parser *parser);
enum status parse_scope_tree(struct parser *parser);
enum status parse_locations(struct parser *parser);
enum status parse_filter(struct parser *parser);
enum status parse_edge(struct parser *parser);
/* VULKAN's "ssw 0 1", once its threads are known. */
struct ssw_line {
    struct token earlier, later;
};
enum status parse_ssw_edge(struct parser *parser, const struct ssw_line *line);
enum status parse_condition(struct parser *parser);
/* Whether a line such as "P1 after P0 by queue" starts here. */
bool parse_at_edge(const struct parser *parser);
/* Sorts the observed variables, which the condition's sections have gathered in order of mention. */
void parse_order_variables(struct parser *parser);
/* Resolves what depends on all threads and their placements: the work-group of a location of two regions, and where
 * counting barriers count. */
enum status parse_groups(struct parser *parser);
/* Sets the registers that hold the thread's place. */
enum status settle_c_places(struct parser *parser);
/* Refuses initial values that their types cannot hold; gives the others the signs of their types. */
enum status parse_fit_initial(struct parser *parser);
/* Refuses operations that float and double do not have, and numbers that their types cannot hold. */
enum status parse_check_types(struct parser *parser);
/* Refuses vectors that do not fit their locations, or that no instruction has. */
enum status parse_check_vectors(struct parser *parser);
/* Refuses cache hints and .mmio of shared memory. */
enum status parse_check_caches(struct parser *parser);
/* Refuses operations that host threads do not have. */
enum status parse_check_hosts(struct parser *parser);
/* Refuses launches that the host cannot make. */
enum status parse_check_edges(struct parser *parser);
/* Refuses uses of asynchronous copies, mbarriers, cluster barriers and distributed shared memory that PTX does not
 * have. */
enum status parse_check_async(struct parser *parser);
/* Refuses types that Vulkan's atomics do not have. */
enum status parse_check_vulkan(struct parser *parser);
/* Warnings, which the test keeps: of an unknown key, and of the whole test. after: the end of the initial state. */
void parse_warn_of_key(struct parser *parser, struct litmus_place place, const char *key);
void parse_warn(struct parser *parser, const struct scanner *after);

/* Errors. They return the status that they set: SYNTAX, except for a limit. If the scanner has met what is no token,
 * that is the error. */
enum status parser_fail(struct parser *parser, struct litmus_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum status parser_expected(struct parser *parser, const char *what); /* ", found" the token at hand */
enum status parser_expected_not(struct parser *parser, const struct token *found, const char *what);
enum status parser_limit(struct parser *parser, unsigned limit, const char *things); /* at the token at hand */
enum status parser_finish(struct parser *parser); /* an error only if there is no token at some place */

/* A place to return to. */
struct position {
    struct scanner scanner;
    struct token token;
};
struct position parser_position(const struct parser *parser);
void parser_return(struct parser *parser, const struct position *position);

/* Tokens. */
struct token parser_next(const struct parser *parser); /* the one after the token at hand */
bool parser_next_is(const struct parser *parser, const char *text);
void parser_advance(struct parser *parser);
bool parser_at(const struct parser *parser, const char *text);    /* is the current token that word or mark? */
enum status parser_take(struct parser *parser, const char *text); /* that word or mark, or an error */
bool parser_take_if(struct parser *parser, const char *text);     /* whether it was at hand */
/* The '%' that PTX has in front of a register's name, if one is at hand. */
bool parser_take_percent(struct parser *parser);
enum status parser_take_word(struct parser *parser, const char *what, struct token *word);
/* A number with an optional minus, and its place. */
enum status parser_integer(struct parser *parser, const char *what, int64_t *value, struct litmus_place *place);
enum status parser_number(struct parser *parser, const char *what, int64_t *value); /* without one */
/* The number at that place, with a minus; refuses one below -2^63. */
enum status parser_negate(struct parser *parser, struct litmus_place place, int64_t *value);
/* Refuses the number at that place if the type cannot hold it: a number of more bits, with or without a sign, or one
 * that a float does not hold exactly. */
enum status parser_fits(struct parser *parser, enum litmus_type type, int64_t value, struct litmus_place place);
enum status parser_count(struct parser *parser, const char *what, unsigned limit, unsigned *value);
/* "P3", "T3" (herd's GPU_PTX) or, with number, "3"; the latter is a NUMBER token. */
bool token_is_thread(const struct token *token, unsigned *number);
/* A type's words, with "atomic_" or "_Atomic" noted; *found is false and nothing is consumed if there is none. */
enum status parser_type(struct parser *parser, enum litmus_type *type, bool *atomic, bool *found);

/* Depth of blocks, expressions and propositions; leave undoes a successful enter. */
enum status parser_enter(struct parser *parser);
void parser_leave(struct parser *parser);

/* The arena of the test, and a copy of a token's text in it. */
struct arena *parser_arena(const struct parser *parser);
char *parser_copy(const struct parser *parser, const struct token *token);

/* A copy of the token as a name; refuses keywords. */
enum status parser_name(struct parser *parser, const struct token *name, char **copy);

/* Locations. */
int parser_find_location(const struct parser *parser, const struct token *name);
enum status parser_location(struct parser *parser, const struct token *name, int *index); /* finds or adds */
enum status parser_type_location(struct parser *parser, int index, enum litmus_type type, struct litmus_place place);
enum status parser_place_location(struct parser *parser, int index, enum litmus_region region,
                                  struct litmus_place place);

/* Threads. */
struct token register_start_name(const struct register_start *start);         /* its name, for messages */
enum status parser_start_thread(struct parser *parser, struct draft **draft); /* "P0" or "P0..P7", and placement */
enum status parser_placement(struct parser *parser, struct draft *draft);     /* "@wg 0, dev 0", or nothing */
struct draft *parser_find_thread(const struct parser *parser, unsigned number);
int draft_find_register(const struct draft *draft, const struct token *name);
enum status draft_register(struct parser *parser, struct draft *draft, const struct token *name, int *index);
enum status draft_label(struct parser *parser, struct draft *draft, const struct token *name, bool define, int *index);
/* ".s1" or ".y" after the name of a vector register (OPENCL), if that is at hand: the name becomes the component's,
 * "r.s1". */
enum status parse_c_component(struct parser *parser, const struct draft *draft, struct token *name);
enum status draft_close(struct parser *parser, struct draft *draft); /* every label that a jump names must exist */

/* Appends an empty statement to the block and returns it through *statement, which the next addition invalidates. */
enum status parser_statement(struct parser *parser, struct litmus_block *block, enum litmus_statement_kind kind,
                             struct litmus_place place, struct litmus_statement **statement);

struct litmus_expression *parser_expression(const struct parser *parser, enum litmus_expression_kind kind,
                                            struct litmus_place place);
/* A load of the generic proxy, plain, with nothing else set. */
struct litmus_access *parser_access(const struct parser *parser);
