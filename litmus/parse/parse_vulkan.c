// SPDX-License-Identifier: Apache-2.0
/*
 * Threads of VULKAN tests, in Dat3M's words: columns of instructions that stand for those of SPIR-V.
 *
 *   st.atom.rel.dv.sc0.semsc0.semav x, 1     OpAtomicStore: Device, Release, UniformMemory, MakeAvailable
 *   ld.vis.wg.sc1 r0, y                      OpLoad: MakePointerVisible, Workgroup
 *   membar.acq_rel.dv.semsc0                 OpMemoryBarrier
 *   cbar.acq_rel.wg.semsc0 1                 OpControlBarrier, of the work-group
 *
 * What the words of one instruction may be is in the Vulkan specification, appendix Memory Model, and
 * in SPIR-V, "Memory Semantics" and "Memory Operands".
 */
#include "litmus/parse/ptx_cell.h"

enum {
    AFTER_RELEASE = 1U << LITMUS_RELEASE | 1U << LITMUS_ACQ_REL,
    AFTER_ACQUIRE = 1U << LITMUS_ACQUIRE | 1U << LITMUS_ACQ_REL,
    ANY_ORDER = AFTER_RELEASE | AFTER_ACQUIRE,
    BARRIERS = LITMUS_ON_STORAGE | LITMUS_MAKE_AVAILABLE | LITMUS_MAKE_VISIBLE
};

enum vulkan_shape { LOAD, STORE, UPDATE, MEMORY_BARRIER, CONTROL_BARRIER, DEVICE };

/* The instructions that arithmetic and jumps do not have. */
static const struct instruction {
    const char *name;
    enum vulkan_shape shape;
    unsigned orders;    /* that it may have, as bits */
    unsigned semantics; /* bits of enum litmus_semantics that it may have */
    const char *words;  /* the same, for messages */
} instructions[] = {
    {"ld", LOAD, 1U << LITMUS_ACQUIRE,
     LITMUS_OF_STORAGE | LITMUS_ON_STORAGE | LITMUS_MAKE_VISIBLE | LITMUS_VISIBLE | LITMUS_NON_PRIVATE,
     "a word of loads, once: atom, acq, vis, nonpriv, a scope, a storage class, semsc0 to semsc3 or semvis"},
    {"st", STORE, 1U << LITMUS_RELEASE,
     LITMUS_OF_STORAGE | LITMUS_ON_STORAGE | LITMUS_MAKE_AVAILABLE | LITMUS_AVAILABLE | LITMUS_NON_PRIVATE,
     "a word of stores, once: atom, rel, av, nonpriv, a scope, a storage class, semsc0 to semsc3 or semav"},
    {"rmw", UPDATE, ANY_ORDER, LITMUS_OF_STORAGE | BARRIERS,
     "a word of read-modify-writes, once: atom, an order, a scope, a storage class, semsc0 to semsc3, semav, semvis "
     "or an operation"},
    {"membar", MEMORY_BARRIER, ANY_ORDER, BARRIERS,
     "a word of barriers, once: acq, rel, acq_rel, a scope, semsc0 to semsc3, semav or semvis"},
    {"cbar", CONTROL_BARRIER, ANY_ORDER, BARRIERS,
     "a word of barriers, once: acq, rel, acq_rel, a scope, semsc0 to semsc3, semav or semvis"},
    {"avdevice", DEVICE, 0, 0, "avdevice alone"},
    {"visdevice", DEVICE, 0, 0, "visdevice alone"},
};

/* The words after an instruction's first one. LITMUS_NONE: not written. */
struct words {
    int order, scope, operation;
    bool atomic;
    unsigned semantics;
};

static const struct instruction *find_instruction(const struct token *name)
{
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (token_is(name, instructions[i].name))
            return &instructions[i];
    return NULL;
}

/* Reads one word; false if the instruction does not have it, or not twice. */
static bool take_word(const struct instruction *instruction, const struct token *part, struct words *words)
{
    const int order = word_find(vulkan_order_words, part), semantics = word_find(vulkan_semantics_words, part);
    const int operation = word_find(vulkan_operation_words, part);
    const bool accesses = instruction->shape <= UPDATE;
    if (order == LITMUS_RELAXED) {
        const bool first = accesses && !words->atomic;
        words->atomic = true;
        return first;
    }
    if (order != LITMUS_NONE)
        return (instruction->orders >> order & 1) && ptx_set_once(&words->order, order);
    if (semantics != LITMUS_NONE) {
        const bool known = (instruction->semantics & (unsigned)semantics) != 0;
        const bool again = (words->semantics & (unsigned)semantics) != 0;
        words->semantics |= (unsigned)semantics;
        return known && !again;
    }
    if (operation > LITMUS_EXCHANGE)
        return instruction->shape == UPDATE && ptx_set_once(&words->operation, operation);
    return instruction->shape != DEVICE && ptx_set_once(&words->scope, word_find(vulkan_scope_words, part));
}

static enum status read_words(struct ptx_cell *cell, const struct instruction *instruction, struct words *words)
{
    *words = (struct words){.order = LITMUS_NONE, .scope = LITMUS_NONE, .operation = LITMUS_NONE};
    cell->parser->scanner.names = instruction->shape == CONTROL_BARRIER; /* its instance comes next */
    TRY(ptx_parse_parts(cell));
    cell->parser->scanner.names = false;
    for (size_t i = 0; i < cell->part_count; i++)
        if (!take_word(instruction, &cell->parts[i], words))
            return parser_expected_not(cell->parser, &cell->parts[i], instruction->words);
    return STATUS_OK;
}

/* ---- what the words together must be ---- */

/* "All acquire/release ops have one or more semantics storage classes" (Khronos' Alloy text); SPIR-V
 * gives the flags a meaning only with the order that performs the operation. */
static enum status check_semantics(struct ptx_cell *cell, const struct words *words)
{
    const unsigned order = words->order == LITMUS_NONE ? 0 : 1U << words->order;
    const bool constrains = (words->semantics & LITMUS_ON_STORAGE) != 0;
    if (order && !constrains)
        return ptx_expected_whole(cell, "at least one of semsc0 to semsc3 with an order");
    if (constrains && !order)
        return ptx_expected_whole(cell, "an order (acq, rel or acq_rel) with semsc0 to semsc3");
    if (words->semantics & LITMUS_MAKE_AVAILABLE && !(order & AFTER_RELEASE))
        return ptx_expected_whole(cell, "rel or acq_rel with semav");
    if (words->semantics & LITMUS_MAKE_VISIBLE && !(order & AFTER_ACQUIRE))
        return ptx_expected_whole(cell, "acq or acq_rel with semvis");
    return STATUS_OK;
}

static enum status check_access(struct ptx_cell *cell, const struct instruction *instruction, const struct words *words)
{
    const unsigned storage = words->semantics & LITMUS_OF_STORAGE;
    const unsigned chained = words->semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE);
    if (storage == 0 || (storage & (storage - 1)) != 0)
        return ptx_expected_whole(cell, "one storage class: sc0, sc1, sc2 or sc3");
    if (words->atomic && (chained || words->semantics & LITMUS_NON_PRIVATE))
        return ptx_expected_whole(cell, "an atomic access without av, vis and nonpriv, which it has by itself");
    if (!words->atomic && (words->order != LITMUS_NONE || instruction->shape == UPDATE))
        return ptx_expected_whole(cell, "atom (only atomic accesses have an order or modify)");
    if (chained && words->semantics & LITMUS_NON_PRIVATE)
        return ptx_expected_whole(cell, "an access without nonpriv, which av and vis include");
    const bool scoped = words->atomic || chained;
    if (scoped != (words->scope != LITMUS_NONE))
        return ptx_expected_whole(cell, scoped ? "a scope (sg, wg, qf or dv) with atom, av or vis"
                                               : "no scope without atom, av or vis");
    return check_semantics(cell, words);
}

static enum status check_barrier(struct ptx_cell *cell, const struct instruction *instruction,
                                 const struct words *words)
{
    if (words->scope == LITMUS_NONE)
        return ptx_expected_whole(cell, "a scope: sg, wg, qf or dv");
    if (instruction->shape == MEMORY_BARRIER && words->order == LITMUS_NONE)
        return ptx_expected_whole(cell, "an order: acq, rel or acq_rel");
    return check_semantics(cell, words);
}

/* ---- instructions ---- */

static enum litmus_order order_of(const struct words *words)
{
    return words->order != LITMUS_NONE ? (enum litmus_order)words->order
           : words->atomic             ? LITMUS_RELAXED
                                       : LITMUS_PLAIN;
}

static enum litmus_scope scope_of(const struct words *words)
{
    return words->scope == LITMUS_NONE ? LITMUS_SCOPE_NONE : (enum litmus_scope)words->scope;
}

static enum status parse_access(struct ptx_cell *cell, const struct instruction *instruction, const struct words *words)
{
    const enum litmus_operation operation = instruction->shape == LOAD        ? LITMUS_LOAD
                                            : instruction->shape == STORE     ? LITMUS_STORE
                                            : words->operation == LITMUS_NONE ? LITMUS_EXCHANGE
                                                                              : (enum litmus_operation)words->operation;
    struct litmus_access *access;
    TRY(check_access(cell, instruction, words));
    TRY(ptx_parse_access(cell, operation, instruction->shape != STORE, &access));
    access->type = (enum litmus_type)PTX_NO_TYPE;
    access->order = access->failure = order_of(words);
    access->scope = scope_of(words);
    access->semantics = words->semantics;
    return STATUS_OK;
}

static enum status parse_barrier(struct ptx_cell *cell, const struct instruction *instruction,
                                 const struct words *words)
{
    struct litmus_barrier barrier = {.order = order_of(words), .scope = scope_of(words), .semantics = words->semantics};
    struct litmus_statement *statement;
    TRY(check_barrier(cell, instruction, words));
    if (instruction->shape == CONTROL_BARRIER) {
        TRY(ptx_take_instance(cell, &barrier));
        TRY(ptx_take_resource(cell, &barrier));
        TRY(ptx_add_statement(cell, LITMUS_BARRIER, &statement));
        statement->barrier = barrier;
        return STATUS_OK;
    }
    TRY(ptx_add_statement(cell, LITMUS_FENCE, &statement));
    statement->fence =
        (struct litmus_fence){.order = order_of(words), .scope = scope_of(words), .semantics = words->semantics};
    return STATUS_OK;
}

static enum status parse_device(struct ptx_cell *cell)
{
    struct litmus_statement *statement;
    TRY(ptx_add_statement(cell, LITMUS_FENCE, &statement));
    statement->fence = (struct litmus_fence){.order = LITMUS_PLAIN,
                                             .semantics = (unsigned)word_find(vulkan_semantics_words, &cell->name)};
    return STATUS_OK;
}

/* Arithmetic and jumps, which are those of PTX without types. */
static enum status parse_other(struct ptx_cell *cell)
{
    cell->instruction = ptx_find_instruction(cell);
    const enum ptx_shape shape = cell->instruction->means.shape;
    if (shape != PTX_MOVE && shape != PTX_COMPUTE && shape != PTX_BRANCH && shape != PTX_JUMP)
        return parser_expected_not(cell->parser, &cell->name, "an instruction of VULKAN, such as ld, st or rmw");
    if (parser_at(cell->parser, "."))
        return parser_expected(cell->parser, "an operand (arithmetic and jumps have no modifiers)");
    return shape == PTX_MOVE || shape == PTX_COMPUTE ? ptx_parse_compute(cell) : ptx_parse_jump(cell);
}

static enum status parse_instruction(struct parser *parser, struct draft *draft, const char *what)
{
    struct ptx_cell cell = {.parser = parser, .draft = draft, .modifiers = ptx_no_modifiers};
    TRY(parser_take_word(parser, what, &cell.name));
    const struct instruction *instruction = find_instruction(&cell.name);
    struct words words;
    if (!instruction)
        return parse_other(&cell);
    TRY(read_words(&cell, instruction, &words));
    if (instruction->shape <= UPDATE)
        return parse_access(&cell, instruction, &words);
    return instruction->shape == DEVICE ? parse_device(&cell) : parse_barrier(&cell, instruction, &words);
}

/* ---- what system-synchronises-with what ---- */

/* "0" or "P0". */
static enum status take_thread(struct parser *parser, struct token *name)
{
    unsigned number;
    *name = parser->token;
    if (!token_is_thread(name, &number))
        return parser_expected(parser, "the number of a thread");
    return parser_advance(parser);
}

enum status parse_vulkan_threads(struct parser *parser)
{
    struct ssw_line *lines = NULL;
    size_t count = 0;
    bool more;
    TRY(parser_take_if(parser, "{", &more));
    while (more && !parser_at(parser, "}")) {
        struct ssw_line *line = &ARENA_ADD(parser_arena(parser), lines, count);
        TRY(parser_take(parser, "ssw"));
        TRY(take_thread(parser, &line->earlier));
        TRY(take_thread(parser, &line->later));
        if (!parser_at(parser, "}"))
            TRY(parser_take(parser, ";"));
    }
    if (more)
        TRY(parser_advance(parser));
    TRY(parse_columns(parser, parse_instruction));
    for (size_t i = 0; i < count; i++)
        TRY(parse_ssw_edge(parser, &lines[i]));
    return STATUS_OK;
}
