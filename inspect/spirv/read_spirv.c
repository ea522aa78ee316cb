// SPDX-License-Identifier: Apache-2.0
/*
 * Reads a module of SPIR-V that glslang made with -g.
 *
 * Calls are followed as if each function were inlined where it is called: so an instruction has the
 * lines of its own function, of the call, and so on outwards, and control flow is that of one item.
 * Instructions that do nothing to memory that items share are left out, but for branches.
 *
 * The line of an instruction is that of the OpLine before it in its function. SPIR-V ends its effect
 * with the block, but glslang writes one only where the line changes.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "inspect/spirv/spirv_flags.h"
#include "inspect/spirv/spirv_opcode.h"

enum {
    MAXIMUM_DEPTH = 32,       /* of calls */
    MAXIMUM_VISITED = 1 << 22 /* words of all functions, once for each call */
};

/* The call through which the functions that are read are reached; NULL: none. */
struct spirv_call {
    unsigned line;
    unsigned depth;
    const struct spirv_call *outer;
};

/* A jump to a label whose place is not known yet. */
struct spirv_jump {
    size_t instruction;
    uint32_t label;
};

struct spirv_reader {
    struct spirv_module module;
    struct spirv_flags flags;
    struct listing *listing;
    struct error *error;
    unsigned line;  /* of the last OpLine of the function */
    size_t visited; /* words */
    long *
        labels; /* per id: the instruction at which the block of the function that is read begins; or MACHINE_NO_NEXT */
    bool *active;             /* per id: the function is being read */
    struct spirv_jump *jumps; /* of the functions that are being read */
    size_t jump_count, jump_room;
};

static struct machine_instruction *add_instruction(struct spirv_reader *reader, size_t at,
                                                   const struct spirv_call *call)
{
    struct listing *listing = reader->listing;
    struct machine_instruction *added = &LIST_ADD(listing->instructions, listing->count, listing->room);
    *added = (struct machine_instruction){
        .text = "", .place = at * 4, .lanes = 1, .next = (long)listing->count, .branch = MACHINE_NO_NEXT};
    if (reader->line > 0)
        added->lines[added->line_count++] = reader->line;
    for (; call && added->line_count < MACHINE_MAXIMUM_LINES; call = call->outer)
        if (call->line > 0)
            added->lines[added->line_count++] = call->line;
    return added;
}

/* Adds a branch to a label, which is always taken or, with `also`, after which the next instruction
 * may come. */
static struct machine_instruction *add_branch(struct spirv_reader *reader, size_t at, const struct spirv_call *call,
                                              uint32_t label, bool also)
{
    struct machine_instruction *added = add_instruction(reader, at, call);
    added->predicated = also;
    if (!also)
        added->next = MACHINE_NO_NEXT;
    LIST_ADD(reader->jumps, reader->jump_count, reader->jump_room) =
        (struct spirv_jump){reader->listing->count - 1, label};
    return added;
}

static void add_conditional(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    const struct spirv_module *module = &reader->module;
    const unsigned condition = spirv_opcode_at(module, spirv_definition(module, spirv_word(module, at, 1)));
    if (condition != SPIRV_CONSTANT_FALSE) {
        struct machine_instruction *added =
            add_branch(reader, at, call, spirv_word(module, at, 2), condition != SPIRV_CONSTANT_TRUE);
        added->guard = spirv_flags_guard(module, &reader->flags, at, &added->guard_value);
    }
    if (condition != SPIRV_CONSTANT_TRUE)
        (void)add_branch(reader, at, call, spirv_word(module, at, 3), false);
}

/* The literals are of 32 bits: orchil's kernels switch over nothing wider. */
static void add_switch(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    const struct spirv_module *module = &reader->module;
    for (size_t i = 4; i < spirv_length_at(module, at); i += 2)
        (void)add_branch(reader, at, call, spirv_word(module, at, i), true);
    (void)add_branch(reader, at, call, spirv_word(module, at, 2), false);
}

static enum status refuse(const struct spirv_reader *reader, size_t at, const char *what)
{
    return error_set(reader->error, STATUS_SYNTAX, "byte 0x%zx of the SPIR-V: %s", at * 4, what);
}

static enum status add_function(struct spirv_reader *reader, uint32_t id, size_t caller, const struct spirv_call *call);

/* After a call, the line is that of the calling function again. */
static enum status add_call(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    const unsigned line = reader->line;
    const struct spirv_call inner = {line, call ? call->depth + 1 : 1, call};
    if (inner.depth > MAXIMUM_DEPTH)
        return refuse(reader, at, "calls are nested too deeply");
    TRY(add_function(reader, spirv_word(&reader->module, at, 3), at, &inner));
    reader->line = line;
    return STATUS_OK;
}

static void add_memory(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    struct machine_instruction read = {.lanes = 1};
    struct text text = {0};
    if (spirv_opcode_read(&reader->module, at, &read, &text)) {
        struct machine_instruction *added = add_instruction(reader, at, call);
        const struct machine_instruction frame = *added;
        *added = read;
        added->text = arena_copy(&reader->listing->arena, text_string(&text));
        added->place = frame.place;
        added->next = frame.next;
        added->branch = frame.branch;
        added->line_count = frame.line_count;
        for (unsigned i = 0; i < frame.line_count; i++)
            added->lines[i] = frame.lines[i];
    }
    text_release(&text);
}

/* Whether the block of a label, or the function's end for none, comes next, so that no jump leads there. */
static bool is_next(const struct spirv_module *module, size_t at, uint32_t label)
{
    const size_t next = at + spirv_length_at(module, at);
    const unsigned opcode = spirv_opcode_at(module, next);
    return label == 0 ? opcode == SPIRV_FUNCTION_END : opcode == SPIRV_LABEL && spirv_word(module, next, 1) == label;
}

static void set_flag(struct machine_instruction *instruction, unsigned predicate, bool value)
{
    instruction->writes = UINT64_C(1) << (predicate - 1);
    instruction->masks[0] = (struct machine_mask){.operation = MACHINE_MASK_MOVE,
                                                  .to = (unsigned char)predicate,
                                                  .left = value ? MACHINE_MASK_TRUE : MACHINE_MASK_FALSE,
                                                  .right = MACHINE_MASK_UNKNOWN};
}

/* Adds what a store says of the predicates of its variable. */
static void add_flags(struct spirv_reader *reader, size_t at, const struct spirv_call *call, uint32_t variable,
                      uint32_t value)
{
    for (unsigned i = 0; i < reader->flags.count; i++)
        if (reader->flags.flags[i].variable == variable)
            set_flag(add_instruction(reader, at, call), i + 1, reader->flags.flags[i].value == value);
}

static enum status add_one(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    const struct spirv_module *module = &reader->module;
    uint32_t variable, value;
    if (spirv_flags_store(module, &reader->flags, at, &variable, &value)) {
        add_flags(reader, at, call, variable, value);
        return STATUS_OK;
    }
    switch (spirv_opcode_at(module, at)) {
    case SPIRV_LINE:
        reader->line = spirv_word(module, at, 2);
        break;
    case SPIRV_NO_LINE:
        reader->line = 0;
        break;
    case SPIRV_LABEL:
        if (spirv_word(module, at, 1) < module->bound)
            reader->labels[spirv_word(module, at, 1)] = (long)reader->listing->count;
        (void)add_instruction(reader, at, call);
        break;
    case SPIRV_BRANCH:
        if (!is_next(module, at, spirv_word(module, at, 1)))
            (void)add_branch(reader, at, call, spirv_word(module, at, 1), false);
        break;
    case SPIRV_BRANCH_CONDITIONAL:
        add_conditional(reader, at, call);
        break;
    case SPIRV_SWITCH:
        add_switch(reader, at, call);
        break;
    case SPIRV_RETURN:
    case SPIRV_RETURN_VALUE: /* to the end of the function, whose label is none */
        if (!is_next(module, at, 0))
            (void)add_branch(reader, at, call, 0, false);
        break;
    case SPIRV_KILL:
    case SPIRV_UNREACHABLE:
        add_instruction(reader, at, call)->next = MACHINE_NO_NEXT;
        break;
    case SPIRV_FUNCTION_CALL:
        return add_call(reader, at, call);
    default:
        add_memory(reader, at, call);
    }
    return STATUS_OK;
}

/* Gives the function's jumps their targets, and forgets its labels. */
static enum status join_jumps(struct spirv_reader *reader, size_t first_jump, size_t start, size_t end)
{
    const struct spirv_module *module = &reader->module;
    const long returned = (long)reader->listing->count - 1;
    for (size_t i = first_jump; i < reader->jump_count; i++) {
        const struct spirv_jump *jump = &reader->jumps[i];
        struct machine_instruction *from = &reader->listing->instructions[jump->instruction];
        from->branch = jump->label == 0              ? returned
                       : jump->label < module->bound ? reader->labels[jump->label]
                                                     : MACHINE_NO_NEXT;
        if (from->branch == MACHINE_NO_NEXT)
            return refuse(reader, from->place / 4, "a branch to a label that its function does not have");
    }
    reader->jump_count = first_jump;
    for (size_t at = start; at < end; at += spirv_length_at(module, at))
        if (spirv_opcode_at(module, at) == SPIRV_LABEL && spirv_word(module, at, 1) < module->bound)
            reader->labels[spirv_word(module, at, 1)] = MACHINE_NO_NEXT;
    return STATUS_OK;
}

/* Adds the instructions of a function, and one after them at which it returns. caller: the index of the call. */
static enum status add_function(struct spirv_reader *reader, uint32_t id, size_t caller, const struct spirv_call *call)
{
    const struct spirv_module *module = &reader->module;
    const size_t start = spirv_definition(module, id), first_jump = reader->jump_count;
    size_t at = start;
    if (spirv_opcode_at(module, start) != SPIRV_FUNCTION)
        return refuse(reader, caller, "a call of something that is no function of the module");
    if (reader->active[id])
        return refuse(reader, caller, "a function that calls itself");
    reader->active[id] = true;
    reader->line = 0;
    for (; spirv_opcode_at(module, at) != SPIRV_FUNCTION_END; at += spirv_length_at(module, at)) {
        if (at >= module->count)
            return refuse(reader, start, "a function without an end");
        reader->visited += spirv_length_at(module, at);
        if (reader->visited > MAXIMUM_VISITED)
            return refuse(reader, start, "the code is too large");
        TRY(add_one(reader, at, call));
    }
    reader->line = 0;
    (void)add_instruction(reader, at, call);
    reader->active[id] = false;
    return join_jumps(reader, first_jump, start, at);
}

static enum status read_functions(struct spirv_reader *reader)
{
    const struct spirv_module *module = &reader->module;
    spirv_flags_find(module, &reader->flags);
    reader->labels = memory_take(module->bound, sizeof *reader->labels);
    reader->active = memory_take(module->bound, sizeof *reader->active);
    for (uint32_t i = 0; i < module->bound; i++)
        reader->labels[i] = MACHINE_NO_NEXT;
    TRY(add_function(reader, module->entry, 0, NULL));
    reader->listing->instructions[reader->listing->count - 1].next = MACHINE_NO_NEXT;
    for (size_t i = 0; i < reader->listing->count; i++)
        if (reader->listing->instructions[i].line_count > 0)
            return STATUS_OK;
    return error_set(reader->error, STATUS_SYNTAX, "the SPIR-V has no line information (OpLine)");
}

enum status listing_read_spirv(const char *bytes, size_t size, struct listing *listing, struct error *error)
{
    struct spirv_reader reader = {.listing = listing, .error = error};
    *listing = (struct listing){0};
    enum status status = spirv_module_read(bytes, size, &reader.module, error);
    if (status == STATUS_OK)
        status = read_functions(&reader);
    free(reader.labels);
    free(reader.active);
    free(reader.jumps);
    spirv_flags_release(&reader.flags);
    spirv_module_release(&reader.module);
    return status;
}
