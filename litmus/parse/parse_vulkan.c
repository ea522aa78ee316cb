// SPDX-License-Identifier: Apache-2.0
/*
 * Threads of VULKAN tests, in Dat3M's words: columns of instructions that stand for those of SPIR-V.
 *
 *   st.atom.rel.dv.sc0.semsc0.semav x, 1     OpAtomicStore: Device, Release, UniformMemory, MakeAvailable
 *   ld.vis.wg.sc1 r0, y                      OpLoad: MakePointerVisible, Workgroup
 *   membar.acq_rel.dv.semsc0                 OpMemoryBarrier
 *   cbar.acq_rel.wg.semsc0 1                 OpControlBarrier, of the work-group
 *
 * What the words of one instruction may be is in the Vulkan specification, appendix Memory Model, and in SPIR-V,
 * "Memory Semantics" and "Memory Operands".
 */
#include "litmus/language/order.h"
#include "litmus/language/vulkan_instructions.h"
#include "litmus/parse/ptx_cell.h"

/* What may follow the names of instructions, for messages. */
static const char *const expected_words[] = {
    [VULKAN_LOAD] =
        "a word of loads, once: atom, acq, vis, nonpriv, a scope, a storage class, semsc0 to semsc3 or semvis",
    [VULKAN_STORE] =
        "a word of stores, once: atom, rel, av, nonpriv, a scope, a storage class, semsc0 to semsc3 or semav",
    [VULKAN_UPDATE] =
        "a word of read-modify-writes, once: atom, an order, a scope, a storage class, semsc0 to semsc3, semav, semvis "
        "or an operation",
    [VULKAN_FENCE] = "a word of barriers, once: acq, rel, acq_rel, a scope, semsc0 to semsc3, semav or semvis",
    [VULKAN_BARRIER] = "a word of barriers, once: acq, rel, acq_rel, a scope, semsc0 to semsc3, semav or semvis",
    [VULKAN_HOST] = " alone",
};

/* The words after an instruction's first one, as they are read. */
struct words {
    const struct vulkan_instruction *update; /* NULL: no operation is written */
    unsigned parts;                          /* bit of enum vulkan_part for each one of which there is only one */
    bool atomic;
    struct litmus_ordering ordering; /* PLAIN: no order is written */
};

/* Reads the operation of a read-modify-write; false if it is none, or not the first. */
static bool take_operation(enum vulkan_shape shape, const struct token *part, struct words *words)
{
    const bool again = words->update != NULL;
    words->update = vulkan_find_update(part->text, part->size);
    return shape == VULKAN_UPDATE && words->update && !again;
}

/* Reads one word; false if the instruction does not have it, or not twice. */
static bool parse_vulkan_take_word(enum vulkan_shape shape, const struct token *part, struct words *words)
{
    const struct vulkan_word *word = vulkan_find_word(part->text, part->size);
    if (!word)
        return take_operation(shape, part, words);
    bool again;
    if (word->value == LITMUS_RELAXED && word->part == VULKAN_ORDER) {
        again = words->atomic;
        words->atomic = true;
    } else if (word->part == VULKAN_ORDER || word->part == VULKAN_SCOPE) {
        again = words->parts >> word->part & 1;
        words->parts |= 1U << word->part;
        if (word->part == VULKAN_ORDER)
            words->ordering.order = (enum litmus_order)word->value;
        else
            words->ordering.scope = (enum litmus_scope)word->value;
    } else {
        again = (words->ordering.semantics & word->value) != 0;
        words->ordering.semantics |= word->value;
    }
    return !again && (word->on >> shape & 1);
}

static enum status parse_vulkan_read_words(struct ptx_cell *cell, const struct vulkan_instruction *instruction,
                                           struct words *words)
{
    *words = (struct words){.ordering.semantics = instruction->host};
    cell->parser->scanner.names = instruction->shape == VULKAN_BARRIER; /* its instance comes next */
    TRY(ptx_parse_parts(cell));
    cell->parser->scanner.names = false;
    for (size_t i = 0; i < cell->part_count; i++)
        if (!parse_vulkan_take_word(instruction->shape, &cell->parts[i], words)) {
            LOCAL(text) expected = {0};
            text_add(&expected, "%s%s", instruction->shape == VULKAN_HOST ? instruction->name : "",
                     expected_words[instruction->shape]);
            return parser_expected_not(cell->parser, &cell->parts[i], text_string(&expected));
        }
    if (words->atomic && words->ordering.order == LITMUS_PLAIN)
        words->ordering.order = LITMUS_RELAXED;
    return STATUS_OK;
}

/* "All acquire/release ops have one or more semantics storage classes" (Khronos' Alloy text); SPIR-V gives the flags a
 * meaning only with the order that performs the operation. */
static enum status check_semantics(struct ptx_cell *cell, const struct litmus_ordering *ordering)
{
    const bool constrains = (ordering->semantics & LITMUS_ON_STORAGE) != 0, orders = ordering->order > LITMUS_RELAXED;
    if (orders && !constrains)
        return ptx_expected_whole(cell, "at least one of semsc0 to semsc3 with an order");
    if (constrains && !orders)
        return ptx_expected_whole(cell, "an order (acq, rel or acq_rel) with semsc0 to semsc3");
    if (ordering->semantics & LITMUS_MAKE_AVAILABLE && !order_releases(ordering->order))
        return ptx_expected_whole(cell, "rel or acq_rel with semav");
    if (ordering->semantics & LITMUS_MAKE_VISIBLE && !order_acquires(ordering->order))
        return ptx_expected_whole(cell, "acq or acq_rel with semvis");
    return STATUS_OK;
}

/* ---- instructions ---- */

static enum status parse_access(struct ptx_cell *cell, const struct vulkan_instruction *instruction,
                                const struct words *words)
{
    const enum litmus_operation operation = words->update ? words->update->means : instruction->means;
    struct litmus_access *access;
    const struct litmus_ordering *const ordering = &words->ordering;
    const unsigned storage = ordering_storage(*ordering);
    const bool chained = ordering->semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE);
    const bool non_private = ordering->semantics & LITMUS_NON_PRIVATE;
    if (storage == 0 || (storage & (storage - 1)) != 0)
        return ptx_expected_whole(cell, "one storage class: sc0, sc1, sc2 or sc3");
    if (words->atomic && (chained || non_private))
        return ptx_expected_whole(cell, "an atomic access without av, vis and nonpriv, which are implied");
    if (!words->atomic && (ordering->order != LITMUS_PLAIN || instruction->shape == VULKAN_UPDATE))
        return ptx_expected_whole(cell, "atom (only atomic accesses have an order or an operation)");
    if (chained && non_private)
        return ptx_expected_whole(cell, "an access without nonpriv, which av and vis imply");
    const bool scoped = words->atomic || chained;
    if (scoped != (ordering->scope != LITMUS_SCOPE_NONE))
        return ptx_expected_whole(cell, scoped ? "a scope (sg, wg, qf or dv) with atom, av or vis"
                                               : "no scope without atom, av or vis");
    TRY(check_semantics(cell, ordering));
    TRY(ptx_parse_access(cell, operation, instruction->shape != VULKAN_STORE, &access));
    access->type = (enum litmus_type)PTX_NO_TYPE;
    access->ordering = words->ordering;
    access->failure = access->order;
    return STATUS_OK;
}

static enum status parse_barrier(struct ptx_cell *cell, const struct vulkan_instruction *instruction,
                                 const struct litmus_ordering *ordering)
{
    struct litmus_barrier barrier = {.ordering = *ordering};
    struct litmus_statement *statement;
    if (instruction->shape != VULKAN_HOST) {
        if (ordering->scope == LITMUS_SCOPE_NONE)
            return ptx_expected_whole(cell, "a scope: sg, wg, qf or dv");
        if (instruction->shape == VULKAN_FENCE && ordering->order == LITMUS_PLAIN)
            return ptx_expected_whole(cell, "an order: acq, rel or acq_rel");
        TRY(check_semantics(cell, ordering));
    }
    if (instruction->shape != VULKAN_BARRIER) {
        TRY(ptx_add_statement(cell, LITMUS_FENCE, &statement));
        statement->fence = (struct litmus_fence){.ordering = *ordering};
        return STATUS_OK;
    }
    TRY(ptx_take_instance(cell, &barrier));
    TRY(ptx_take_resource(cell, &barrier));
    TRY(ptx_add_statement(cell, LITMUS_BARRIER, &statement));
    statement->barrier = barrier;
    return STATUS_OK;
}

static enum status parse_instruction(struct parser *parser, struct draft *draft, const char *what)
{
    struct ptx_cell cell = {.parser = parser, .draft = draft, .modifiers = ptx_no_modifiers};
    TRY(parser_take_word(parser, what, &cell.name));
    const struct vulkan_instruction *instruction = vulkan_find_name(cell.name.text, cell.name.size);
    struct words words;
    if (!instruction) {
        /* Arithmetic and jumps, which are those of PTX without types. */
        cell.instruction = ptx_find_instruction(&cell);
        const enum ptx_shape shape = cell.instruction->means.shape;
        if (shape != PTX_MOVE && shape != PTX_COMPUTE && shape != PTX_BRANCH && shape != PTX_JUMP)
            return parser_expected_not(cell.parser, &cell.name, "an instruction of VULKAN, such as ld, st or rmw");
        if (parser_at(cell.parser, "."))
            return parser_expected(cell.parser, "an operand (arithmetic and jumps have no modifiers)");
        return shape == PTX_MOVE || shape == PTX_COMPUTE ? ptx_parse_compute(&cell) : ptx_parse_jump(&cell);
    }
    TRY(parse_vulkan_read_words(&cell, instruction, &words));
    return instruction->shape <= VULKAN_UPDATE ? parse_access(&cell, instruction, &words)
                                               : parse_barrier(&cell, instruction, &words.ordering);
}

/* ---- what system-synchronises-with what ---- */

/* "0" or "P0". */
static enum status take_thread(struct parser *parser, struct token *name)
{
    unsigned number;
    *name = parser->token;
    if (!token_is_thread(name, &number))
        return parser_expected(parser, "the number of a thread");
    parser_advance(parser);
    return STATUS_OK;
}

enum status parse_vulkan_threads(struct parser *parser)
{
    struct ssw_line *lines = NULL;
    size_t count = 0;
    const bool ordered = parser_take_if(parser, "{");
    while (ordered && !parser_take_if(parser, "}")) {
        struct ssw_line *line = &ARENA_ADD(parser_arena(parser), lines, count);
        TRY(parser_take(parser, "ssw"));
        TRY(take_thread(parser, &line->earlier));
        TRY(take_thread(parser, &line->later));
        if (!parser_at(parser, "}"))
            TRY(parser_take(parser, ";"));
    }
    TRY(parse_columns(parser, parse_instruction));
    for (size_t i = 0; i < count; i++)
        TRY(parse_ssw_edge(parser, &lines[i]));
    return STATUS_OK;
}
