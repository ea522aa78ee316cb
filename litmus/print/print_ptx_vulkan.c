// SPDX-License-Identifier: Apache-2.0
/* Threads as columns of equal width, one row per instruction: those of PTX and of VULKAN tests. */
#include "litmus/language/ptx_instructions.h"
#include "litmus/language/vulkan_instructions.h"
#include "litmus/language/walk.h"
#include "litmus/print/printer.h"

struct ptx_printer;

/* Prints an instruction that accesses or orders memory. */
typedef void print_memory_function(const struct ptx_printer *printer, const struct litmus_statement *statement);

struct ptx_printer {
    const struct litmus_test *test;
    const struct litmus_thread *thread;
    struct text *text;
    print_memory_function *print_memory;
};

/* ---- what the instructions of PTX and VULKAN share ---- */

/* A number, a register, or a location with its element. */
static void print_ptx_operand(const struct ptx_printer *printer, const struct litmus_expression *operand)
{
    switch (operand->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        text_add(printer->text, "%" PRId64, operand->value);
        break;
    case LITMUS_EXPRESSION_REGISTER:
        text_add(printer->text, "%s", printer->thread->registers[operand->index].name);
        break;
    case LITMUS_EXPRESSION_ADDRESS:
        text_add(printer->text, "%s", printer->test->locations[operand->index].name);
        if (operand->left) {
            text_add(printer->text, "[");
            print_ptx_operand(printer, operand->left);
            text_add(printer->text, "]");
        }
        break;
    case LITMUS_EXPRESSION_UNARY:
    case LITMUS_EXPRESSION_BINARY:
    case LITMUS_EXPRESSION_ACCESS:
        break; /* operands of instructions are none of these */
    }
}

/* ", operand", or nothing for NULL. */
static void print_ptx_further(const struct ptx_printer *printer, const struct litmus_expression *operand)
{
    if (!operand)
        return;
    text_add(printer->text, ", ");
    print_ptx_operand(printer, operand);
}

static void print_binary(const struct ptx_printer *printer, const struct litmus_expression *value)
{
    print_ptx_operand(printer, value->left);
    print_ptx_further(printer, value->right);
}

/* " r0, x, 1": all operands of an access. */
static void print_ptx_operands(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_access *access = statement->value->access;
    text_add(printer->text, " ");
    if (statement->kind == LITMUS_ASSIGN)
        text_add(printer->text, "%s, ", printer->thread->registers[statement->target].name);
    /* A register that holds an address, also one that always has the same, is in brackets, so that "ld r1, [r2]"
     * differs from the move "mov r1, r2". */
    const struct litmus_expression *address = access->address;
    const int64_t written = address->kind == LITMUS_EXPRESSION_REGISTER ? 1 + address->index : address->value;
    if (written > 0)
        text_add(printer->text, "[%s]", printer->thread->registers[written - 1].name);
    else
        print_ptx_operand(printer, address);
    print_ptx_further(printer, access->expected);
    print_ptx_further(printer, access->operand);
}

/* "mov r0, 1", "add r0, r1, 1", "setp.eq r0, r1, 1". */
static void print_computed(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_expression *value = statement->value;
    const char *const target = printer->thread->registers[statement->target].name;
    if (value->kind == LITMUS_EXPRESSION_BINARY) {
        const char *const comparison = ptx_comparison_name(value->op);
        text_add(printer->text, "%s%s %s, ", comparison ? "setp." : "",
                 comparison ? comparison : ptx_operator_name(PTX_COMPUTE, value->op), target);
        print_binary(printer, value);
    } else {
        text_add(printer->text, "mov %s, ", target);
        print_ptx_operand(printer, value);
    }
}

static void print_instruction(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    switch (statement->kind) {
    case LITMUS_LABEL:
        text_add(printer->text, "%s:", printer->thread->labels[statement->label]);
        break;
    case LITMUS_GOTO:
        if (statement->value) {
            text_add(printer->text, "%s ", ptx_operator_name(PTX_BRANCH, statement->value->op));
            print_binary(printer, statement->value);
            text_add(printer->text, ", ");
        } else
            text_add(printer->text, "goto ");
        text_add(printer->text, "%s", printer->thread->labels[statement->label]);
        break;
    case LITMUS_IDLE:
    case LITMUS_UNSUPPORTED:
        text_add(printer->text, "%s", statement->text);
        break;
    case LITMUS_IF:
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        break; /* no text of these dialects gives these */
    case LITMUS_ASSIGN:
        if (statement->value->kind != LITMUS_EXPRESSION_ACCESS) {
            print_computed(printer, statement);
            break;
        } /* fall through */
    default:
        printer->print_memory(printer, statement);
        break;
    }
}

/* The cell of a row, row 0 being the thread's name; empty below the thread's last instruction. */
static void print_cell(const struct ptx_printer *printer, size_t row)
{
    const struct litmus_thread *thread = printer->thread;
    if (row == 0)
        print_thread_name(printer->test, thread, printer->text);
    else if (row <= thread->body.count && thread->placement.host)
        print_host_cell(printer->test, thread, &thread->body.statements[row - 1], printer->text);
    else if (row <= thread->body.count)
        print_instruction(printer, &thread->body.statements[row - 1]);
}

static void print_columns(const struct litmus_test *test, struct text *text, print_memory_function *print_memory)
{
    size_t widths[LITMUS_MAXIMUM_BODIES] = {0};
    size_t rows = 0;
    LOCAL(text) cell = {0};
    for (size_t i = 0; i < test->body_count; i++) {
        const struct litmus_thread *thread = &test->threads[i];
        rows = thread->body.count > rows ? thread->body.count : rows;
        for (size_t row = 0; row <= thread->body.count; row++) {
            text_clear(&cell);
            print_cell(&(struct ptx_printer){test, thread, &cell, print_memory}, row);
            widths[i] = cell.size > widths[i] ? cell.size : widths[i];
        }
    }
    for (size_t row = 0; row <= rows; row++) {
        for (size_t i = 0; i < test->body_count; i++) {
            text_clear(&cell);
            print_cell(&(struct ptx_printer){test, &test->threads[i], &cell, print_memory}, row);
            text_add(text, "%s%s%*s ", i > 0 ? "| " : " ", text_string(&cell), (int)(widths[i] - cell.size), "");
        }
        text_add(text, ";\n");
    }
}

/* ---- threads of PTX tests ---- */

/* The type that an access has without a suffix. */
static enum litmus_type assumed_type(const struct ptx_printer *printer, const struct litmus_access *access)
{
    const int location = access->address->kind == LITMUS_EXPRESSION_ADDRESS
                             ? access->address->index
                             : printer->thread->registers[access->address->index].points_to;
    return location == LITMUS_NONE ? LITMUS_INT : printer->test->locations[location].type;
}

/* A suffix that the instruction may have and that is read as the type: PTX's cas has b16 only. */
static const char *type_suffix(const struct litmus_access *access)
{
    const bool bits = access->operation == LITMUS_CAS && access->type == LITMUS_SHORT;
    return bits ? "b16" : word_name(ptx_type_words, (int)access->type);
}

/* ---- vectors ---- */

static void print_values(const struct ptx_printer *printer, const struct litmus_vector *vector,
                         struct litmus_expression *const values[])
{
    for (unsigned i = 0; i < vector->lanes; i++) {
        text_add(printer->text, "%s", i == 0 ? ", {" : ", ");
        print_ptx_operand(printer, values[i]);
    }
    text_add(printer->text, "}");
}

static void print_vector(const struct ptx_printer *printer, const struct litmus_vector *vector)
{
    const struct litmus_access *access = &vector->access;
    ptx_add_access(access, NULL, printer->text);
    if (vector->whole)
        text_add(printer->text, ".b128 ");
    else
        text_add(printer->text, ".v%u.%s ", vector->lanes, word_name(ptx_type_words, (int)access->type));
    if (access->operation != LITMUS_STORE && !access->no_result) {
        for (unsigned i = 0; i < vector->lanes; i++)
            text_add(printer->text, "%s%s", i == 0 ? "{" : ", ",
                     vector->registers[i] == LITMUS_NONE ? "_" : printer->thread->registers[vector->registers[i]].name);
        text_add(printer->text, "}, ");
    }
    text_add(printer->text, "[");
    print_ptx_operand(printer, access->address);
    text_add(printer->text, "]");
    if (vector->expected[0])
        print_values(printer, vector, vector->expected);
    if (vector->values[0])
        print_values(printer, vector, vector->values);
}

/* ---- instructions that have all their words in a row of the table ---- */

/* "[x]", or "[{d, e}]" of a multicast. */
static void print_place(const struct ptx_printer *printer, const struct litmus_expression *address)
{
    const bool several = address->right != NULL;
    text_add(printer->text, several ? "[{" : "[");
    for (const struct litmus_expression *place = address; place; place = place->right) {
        text_add(printer->text, place == address ? "" : ", ");
        print_ptx_operand(printer, place);
    }
    text_add(printer->text, several ? "}]" : "]");
}

/* A bit for the work-group of each destination of a multicast. */
static unsigned mask_of(const struct ptx_printer *printer, const struct litmus_copy *copy)
{
    unsigned mask = 0;
    for (const struct litmus_expression *to = copy->to; to; to = to->right) {
        const int home = printer->test->locations[to->index].home;
        mask |= 1U << (unsigned)(home == LITMUS_NONE ? printer->thread->placement.work_group : home);
    }
    return mask;
}

/* The operand of a letter of the table. */
static void print_operand(const struct ptx_printer *printer, char letter, struct litmus_statement *statement)
{
    if (letter == 'D')
        text_add(printer->text, "%s%s", statement->collective.function == LITMUS_ELECT ? "_|" : "",
                 statement->target == LITMUS_NONE ? "_" : printer->thread->registers[statement->target].name);
    else if (letter == 'K' && statement->collective.mask->kind == LITMUS_EXPRESSION_CONSTANT)
        text_add(printer->text, "0x%" PRIx64, statement->collective.mask->value);
    else if (letter == 'C' || letter == 'O')
        text_add(printer->text, letter == 'C' ? "31" : "0");
    else if (letter == 'r')
        text_add(printer->text, "%s", printer->thread->registers[statement->target].name);
    else if (letter == '_')
        text_add(printer->text, "_");
    else if (letter == 'I' || letter == 'N')
        text_add(printer->text, "%s", statement->barrier.instance);
    else if (strchr("bnks", letter))
        text_add(printer->text, "%" PRIu32,
                 letter == 'b'   ? statement->copy.bytes
                 : letter == 'n' ? statement->group.pending
                 : letter == 'k' ? mask_of(printer, &statement->copy)
                                 : 128);
    else if (strchr("tf", letter)) {
        /* A place, or the box at the start of what a tensor map names. */
        const struct litmus_expression *address = *ptx_operand(statement, letter);
        if (printer->test->locations[address->index].type == LITMUS_TENSORMAP)
            text_add(printer->text, "[%s, {0}]", printer->test->locations[address->index].name);
        else
            print_place(printer, address);
    } else if (strchr("TmMaAd", letter))
        print_place(printer, *ptx_operand(statement, letter));
    else
        print_ptx_operand(printer, *ptx_operand(statement, letter));
}

static void print_ptx_memory(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const bool accesses = statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_PERFORM;
    const struct litmus_access *access = accesses ? statement->value->access : NULL;
    if (statement->kind == LITMUS_VECTOR)
        print_vector(printer, &statement->vector);
    else if (access && access->type != LITMUS_MBARRIER && access->type != LITMUS_TENSORMAP &&
             access->proxy != LITMUS_ASYNC) {
        ptx_add_access(access, NULL, printer->text);
        if (access->type != assumed_type(printer, access))
            text_add(printer->text, ".%s", type_suffix(access));
        print_ptx_operands(printer, statement);
    } else {
        const struct ptx_meaning meaning = ptx_meaning_of(printer->test, printer->thread, statement);
        const struct ptx_instruction *row = ptx_find_meaning(&meaning);
        struct litmus_statement read = *statement;
        ptx_add_words(&meaning, NULL, printer->text);
        for (const char *letter = row ? row->operands : ""; *letter && !strchr("Rh", *letter); letter++) {
            if (*letter == 'c' && statement->value->access->operand->value == 1)
                break;
            text_add(printer->text, letter == row->operands ? " " : ", ");
            print_operand(printer, *letter, &read);
        }
        if (statement->kind == LITMUS_BARRIER) {
            if (!statement->barrier.unaligned)
                print_ptx_further(printer, statement->barrier.resource);
            print_ptx_further(printer, statement->barrier.quorum);
        }
    }
}

void litmus_print_ptx_fence(const struct litmus_fence *fence, struct text *text)
{
    const struct litmus_statement statement = {.kind = LITMUS_FENCE, .fence = *fence};
    const struct ptx_meaning meaning = ptx_meaning_of(NULL, NULL, &statement);
    ptx_add_words(&meaning, NULL, text);
}

/* ---- instructions of PTX in the asm of a CUDA test ---- */

enum { MOST_OPERANDS = 2 * LITMUS_MAXIMUM_LANES + 2 };

/* Its operands: the registers that it sets, those that it reads, and the address. */
struct shown_assembly {
    struct arena arena;
    struct litmus_register *registers; /* of the thread; those of operands have numbers as names */
    char *operands[MOST_OPERANDS];
    unsigned count, outputs;
};

static void number_register(struct shown_assembly *assembly, int index, bool output)
{
    struct litmus_register *own = &assembly->registers[index];
    const enum litmus_type type = own->type;
    const char *const letter = type == LITMUS_FLOAT          ? "f"
                               : type == LITMUS_DOUBLE       ? "d"
                               : litmus_type_size(type) == 8 ? "l"
                                                             : "r";
    if (own->name[0] == '%') { /* it is also set */
        assembly->operands[strtoul(own->name + 1, NULL, 10)][1] = '+';
        return;
    }
    assembly->operands[assembly->count] =
        arena_print(&assembly->arena, "\"%s%s\"(%s)", output ? "=" : "", letter, own->name);
    own->name = arena_print(&assembly->arena, "%%%u", assembly->count++);
}

static void number_registers(struct shown_assembly *assembly, const struct litmus_statement *statement)
{
    const int *targets;
    for (size_t i = 0, count = litmus_statement_registers(statement, &targets); i < count; i++)
        if (targets[i] != LITMUS_NONE)
            number_register(assembly, targets[i], true);
    assembly->outputs = assembly->count;
    for (struct litmus_walk walk = litmus_walk_statement(statement); litmus_walk_next(&walk);)
        if (walk.expression && walk.expression->kind == LITMUS_EXPRESSION_REGISTER)
            number_register(assembly, walk.expression->index, false);
}

void print_assembly(const struct litmus_test *test, const struct litmus_thread *thread,
                    const struct litmus_statement *statement, const char *pointer, struct text *text)
{
    struct litmus_test shown = *test;
    struct litmus_thread as = *thread;
    struct litmus_statement own = *statement;
    struct litmus_expression address = {.kind = LITMUS_EXPRESSION_ADDRESS}, value = {0};
    struct litmus_access access = {0};
    struct shown_assembly assembly = {{0}, NULL, {NULL}, 0, 0};
    const bool vector = statement->kind == LITMUS_VECTOR;
    if (!vector) {
        value = *statement->value;
        access = *value.access;
        value.access = &access;
        own.value = &value;
    }
    (vector ? &own.vector.access : &access)->address = &address;
    as.registers = assembly.registers = arena_take(&assembly.arena, thread->register_count + 1, sizeof *as.registers);
    if (thread->register_count > 0)
        memcpy(as.registers, thread->registers, thread->register_count * sizeof *as.registers);
    number_registers(&assembly, &own);
    /* A location of no type of PTX, so that the instruction says its own. */
    struct litmus_location place = {.name = arena_print(&assembly.arena, vector ? "%%%u" : "[%%%u]", assembly.count),
                                    .type = LITMUS_FLAG};
    assembly.operands[assembly.count++] = arena_print(&assembly.arena, "\"l\"(%s)", pointer);
    shown.locations = &place;
    text_add(text, "asm volatile(\"");
    print_instruction(&(struct ptx_printer){&shown, &as, text, print_ptx_memory}, &own);
    text_add(text, ";\" :");
    for (unsigned i = 0; i < assembly.count; i++)
        text_add(text, "%s %s", i == assembly.outputs ? " :" : i > 0 ? "," : "", assembly.operands[i]);
    text_add(text, " : \"memory\")");
    arena_release(&assembly.arena);
}

void print_ptx_threads(const struct litmus_test *test, struct text *text)
{
    print_columns(test, text, print_ptx_memory);
}

/* ---- threads of VULKAN tests: the words of each instruction in Dat3M's order ---- */

void litmus_print_semantics(struct litmus_ordering ordering, struct text *text)
{
    for (enum vulkan_part part = VULKAN_OPERAND; part <= VULKAN_SEMANTICS; part++)
        vulkan_add_words(part, ordering, text);
}

/* ".av.dv.sc0", ".acq_rel.dv.semsc0", or what of it there is; in Dat3M's order. */
static void print_ordering(struct litmus_ordering ordering, struct text *text)
{
    vulkan_add_words(VULKAN_OPERAND, ordering, text);
    if (ordering.order > LITMUS_RELAXED)
        text_add(text, ".%s", vulkan_word_name(VULKAN_ORDER, ordering.order));
    if (ordering.scope != LITMUS_SCOPE_NONE)
        text_add(text, ".%s", vulkan_word_name(VULKAN_SCOPE, ordering.scope));
    vulkan_add_words(VULKAN_STORAGE, ordering, text);
    vulkan_add_words(VULKAN_SEMANTICS, ordering, text);
}

static void print_vulkan_memory(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    if (statement->kind == LITMUS_FENCE) {
        /* The same for a VULKAN fence: "membar.rel.dv.semsc0.semav", "avdevice". */
        const struct vulkan_instruction *host = vulkan_host_operation(statement->fence.ordering);
        text_add(printer->text, "%s", host ? host->name : "membar");
        print_ordering(statement->fence.ordering, printer->text);
    } else if (statement->kind == LITMUS_BARRIER) {
        text_add(printer->text, "cbar");
        print_ordering(statement->barrier.ordering, printer->text);
        text_add(printer->text, " %s", statement->barrier.instance);
        print_ptx_further(printer, statement->barrier.resource);
        print_ptx_further(printer, statement->barrier.quorum);
    } else {
        const struct litmus_access *access = statement->value->access;
        const bool atomic = access->order != LITMUS_PLAIN;
        const struct vulkan_instruction *row = vulkan_instruction_of(access->operation, atomic);
        text_add(printer->text, "%s%s", row ? row->name : "?", atomic ? ".atom" : "");
        print_ordering(access->ordering, printer->text);
        if (row && row->operation)
            text_add(printer->text, ".%s", row->operation);
        print_ptx_operands(printer, statement);
    }
}

void print_vulkan_threads(const struct litmus_test *test, struct text *text)
{
    /* "{ ssw 0 1; }", if the host orders any threads. */
    for (size_t i = 0; i < test->edge_count; i++) {
        text_add(text, i == 0 ? "{ " : " ");
        litmus_print_edge(test, &test->edges[i], text);
        text_add(text, ";");
    }
    if (test->edge_count > 0)
        text_add(text, " }\n");
    print_columns(test, text, print_vulkan_memory);
}
