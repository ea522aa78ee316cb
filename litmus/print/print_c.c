// SPDX-License-Identifier: Apache-2.0
/* Threads printed as C: what all dialects that are written in C have. */
#include "litmus/print/print_c.h"

#include <inttypes.h>
#include <string.h>

#include "litmus/language/order.h"
#include "litmus/language/visit.h"
#include "litmus/language/words.h"

const char *c_register_name(const struct c_printer *printer, int index)
{
    return printer->thread->registers[index].name;
}

static void print_element(const struct c_printer *printer, const struct litmus_expression *address)
{
    text_add(printer->text, "%s[", printer->test->locations[address->index].name);
    print_c_expression(printer, address->left, 0);
    text_add(printer->text, "]");
}

void print_c_pointer(const struct c_printer *printer, const struct litmus_expression *address)
{
    if (address->kind == LITMUS_EXPRESSION_REGISTER)
        text_add(printer->text, "%s", c_register_name(printer, address->index));
    else if (!address->left)
        text_add(printer->text, "%s", printer->test->locations[address->index].name);
    else if (printer->style->sums_pointers) {
        text_add(printer->text, "%s + ", printer->test->locations[address->index].name);
        print_c_expression(printer, address->left, operator_level(LITMUS_ADD) + 1);
    } else {
        text_add(printer->text, "&");
        print_element(printer, address);
    }
}

void print_c_pointee(const struct c_printer *printer, const struct litmus_expression *address)
{
    const bool element = address->kind == LITMUS_EXPRESSION_ADDRESS && address->left;
    if (element && !printer->style->sums_pointers) {
        print_element(printer, address);
        return;
    }
    text_add(printer->text, element ? "*(" : "*");
    print_c_pointer(printer, address);
    text_add(printer->text, element ? ")" : "");
}

void print_c_plain(const struct c_printer *printer, const struct litmus_access *access)
{
    print_c_pointee(printer, access->address);
    if (access->operand) {
        text_add(printer->text, " = ");
        print_c_expression(printer, access->operand, 0);
    }
}

void print_c_call(const struct c_printer *printer, const struct litmus_access *access, bool explicit_order)
{
    const enum litmus_dialect dialect = printer->style->words;
    struct text *text = printer->text;
    const bool flag = access->type == LITMUS_FLAG;
    text_add(text, "atomic_%s%s(",
             !flag                                  ? litmus_operation_name(dialect, access->operation)
             : access->operation == LITMUS_EXCHANGE ? "flag_test_and_set"
                                                    : "flag_clear",
             explicit_order ? "_explicit" : "");
    print_c_pointer(printer, access->address);
    if (operation_compares(access->operation) && access->expected_register != LITMUS_NONE)
        text_add(text, ", &%s", c_register_name(printer, access->expected_register));
    else if (operation_compares(access->operation)) {
        text_add(text, ", ");
        print_c_pointer(printer, access->expected_address);
    }
    if (access->operand && !flag) {
        text_add(text, ", ");
        print_c_expression(printer, access->operand, 0);
    }
    if (explicit_order)
        text_add(text, ", %s", litmus_order_name(dialect, access->order));
    if (explicit_order && operation_compares(access->operation))
        text_add(text, ", %s", litmus_order_name(dialect, access->failure));
}

static void print_unary(const struct c_printer *printer, const struct litmus_expression *expression)
{
    const struct litmus_expression *operand = expression->left;
    const bool minus = (operand->kind == LITMUS_EXPRESSION_UNARY && operand->op == LITMUS_NEGATE) ||
                       (operand->kind == LITMUS_EXPRESSION_CONSTANT && operand->value < 0);
    text_add(printer->text, "%s%s", litmus_operator_name(expression->op),
             expression->op == LITMUS_NEGATE && minus ? " " : "");
    print_c_expression(printer, operand, operator_level(LITMUS_NEGATE));
}

void print_c_expression(const struct c_printer *printer, const struct litmus_expression *expression, int level)
{
    struct text *text = printer->text;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        /* The smallest number has no positive twin to put a minus before. */
        if (expression->value == INT64_MIN)
            text_add(text, "%" PRIu64, (uint64_t)expression->value);
        else
            text_add(text, "%" PRId64, expression->value);
        break;
    case LITMUS_EXPRESSION_REGISTER:
        text_add(text, "%s", c_register_name(printer, expression->index));
        break;
    case LITMUS_EXPRESSION_ADDRESS:
        print_c_pointer(printer, expression);
        break;
    case LITMUS_EXPRESSION_ACCESS:
        printer->style->access(printer, expression->access);
        break;
    case LITMUS_EXPRESSION_UNARY:
        print_unary(printer, expression);
        break;
    case LITMUS_EXPRESSION_BINARY: {
        const int own = operator_level(expression->op);
        text_add(text, "%s", own < level ? "(" : "");
        print_c_expression(printer, expression->left, own);
        text_add(text, " %s ", litmus_operator_name(expression->op));
        print_c_expression(printer, expression->right, own + 1);
        text_add(text, "%s", own < level ? ")" : "");
        break;
    }
    }
}

static void print_block(struct c_printer *printer, const struct litmus_block *block, int depth);
static void print_statement(struct c_printer *printer, const struct litmus_statement *statement, int depth);

static void indent(const struct c_printer *printer, int depth)
{
    text_add(printer->text, "%*s", depth * 2, "");
}

static void print_if(struct c_printer *printer, const struct litmus_statement *statement, int depth)
{
    text_add(printer->text, "if (");
    print_c_expression(printer, statement->value, 0);
    text_add(printer->text, ") {\n");
    print_block(printer, &statement->body, depth + 1);
    indent(printer, depth);
    const struct litmus_block *otherwise = &statement->otherwise;
    if (otherwise->count == 1 && otherwise->statements[0].kind == LITMUS_IF) {
        text_add(printer->text, "} else ");
        print_if(printer, &otherwise->statements[0], depth);
    } else if (otherwise->count > 0) {
        text_add(printer->text, "} else {\n");
        print_block(printer, otherwise, depth + 1);
        indent(printer, depth);
        text_add(printer->text, "}\n");
    } else
        text_add(printer->text, "}\n");
}

static void print_loop(struct c_printer *printer, const struct litmus_statement *statement, int depth)
{
    const bool checks_first = statement->kind == LITMUS_WHILE;
    text_add(printer->text, checks_first ? "while (" : "do {\n");
    if (checks_first) {
        print_c_expression(printer, statement->value, 0);
        text_add(printer->text, ") {\n");
    }
    print_block(printer, &statement->body, depth + 1);
    indent(printer, depth);
    text_add(printer->text, checks_first ? "}\n" : "} while (");
    if (!checks_first) {
        print_c_expression(printer, statement->value, 0);
        text_add(printer->text, ");\n");
    }
}

static void print_assignment(struct c_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_register *target = &printer->thread->registers[statement->target];
    if ((size_t)statement->target == printer->declared) {
        text_add(printer->text, "%s ", type_word(printer->test->dialect, target->type));
        printer->declared++;
    }
    text_add(printer->text, "%s = ", target->name);
    print_c_expression(printer, statement->value, 0);
    text_add(printer->text, ";\n");
}

static void print_statement(struct c_printer *printer, const struct litmus_statement *statement, int depth)
{
    indent(printer, depth);
    switch (statement->kind) {
    case LITMUS_ASSIGN:
        print_assignment(printer, statement);
        break;
    case LITMUS_PERFORM:
        print_c_expression(printer, statement->value, 0);
        text_add(printer->text, ";\n");
        break;
    case LITMUS_FENCE:
        printer->style->fence(printer->text, &statement->fence);
        break;
    case LITMUS_BARRIER:
        if (printer->style->barrier)
            printer->style->barrier(printer->text, &statement->barrier);
        break;
    case LITMUS_IF:
        print_if(printer, statement, depth);
        break;
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        print_loop(printer, statement, depth);
        break;
    case LITMUS_VECTOR:
        print_c_vector(printer, &statement->vector);
        break;
    case LITMUS_LABEL:
    case LITMUS_GOTO:
    case LITMUS_COPY:
    case LITMUS_GROUP:
    case LITMUS_UNSUPPORTED:
        break; /* no text of this dialect gives these */
    }
}

static void print_block(struct c_printer *printer, const struct litmus_block *block, int depth)
{
    for (size_t i = 0; i < block->count; i++)
        print_statement(printer, &block->statements[i], depth);
}

/* Finds which registers one statement mentions. */
struct mentions {
    size_t statement;
    size_t *first; /* by register: the first statement that mentions it */
};

static void note_index(struct mentions *mentions, int index)
{
    if (index != LITMUS_NONE && mentions->first[index] > mentions->statement)
        mentions->first[index] = mentions->statement;
}

static void note_register(const struct litmus_expression *expression, void *context)
{
    if (expression->kind == LITMUS_EXPRESSION_REGISTER)
        note_index(context, expression->index);
    if (expression->access)
        note_index(context, expression->access->expected_register);
}

static void note_target(const struct litmus_statement *statement, void *context)
{
    const int *registers;
    for (size_t i = litmus_statement_registers(statement, &registers); i-- > 0;)
        note_index(context, registers[i]);
}

static void find_positions(struct c_printer *printer)
{
    const struct litmus_thread *thread = printer->thread;
    size_t *positions = printer->positions;
    struct mentions mentions = {0, positions};
    const struct visitor visitor = {note_target, note_register, &mentions};
    for (size_t i = 0; i < thread->register_count; i++)
        positions[i] = SIZE_MAX;
    for (; mentions.statement < thread->body.count; mentions.statement++)
        litmus_visit_statement(&thread->body.statements[mentions.statement], &visitor);
    for (size_t i = thread->register_count; i-- > 1;)
        if (positions[i] < positions[i - 1])
            positions[i - 1] = positions[i];
    for (size_t i = 0; i < thread->register_count; i++)
        if (positions[i] == SIZE_MAX)
            positions[i] = i > 0 ? positions[i - 1] : 0;
}

static void note_self(const struct litmus_expression *expression, void *context)
{
    int *wanted = context;
    const int expected = expression->access ? expression->access->expected_register : LITMUS_NONE;
    if (*wanted != LITMUS_NONE &&
        ((expression->kind == LITMUS_EXPRESSION_REGISTER && expression->index == *wanted) || expected == *wanted))
        *wanted = LITMUS_NONE;
}

/* May `int r = ...` declare the register that the statement assigns? */
static bool declares_target(const struct litmus_statement *statement, int index)
{
    if (statement->kind == LITMUS_VECTOR)
        return statement->vector.registers[0] == index;
    if (statement->target != index)
        return false;
    int target = statement->target;
    const struct visitor visitor = {NULL, note_self, &target};
    if (statement->kind == LITMUS_ASSIGN)
        litmus_visit_expression(statement->value, &visitor);
    return statement->kind == LITMUS_ASSIGN && target != LITMUS_NONE;
}

/* Declares the registers of the position; the last one is left to the statement if that assigns
 * it. */
static void print_declarations(struct c_printer *printer, size_t position)
{
    const struct litmus_thread *thread = printer->thread;
    while (printer->declared < thread->register_count && printer->positions[printer->declared] <= position) {
        const size_t index = printer->declared;
        const size_t next = index + c_vector_lanes(thread, index);
        const bool last = next == thread->register_count || printer->positions[next] > position;
        if (last && position < thread->body.count && declares_target(&thread->body.statements[position], (int)index))
            return;
        text_add(printer->text, "  ");
        print_c_declared(printer, index);
        text_add(printer->text, ";\n");
        printer->declared = next;
    }
}

static void note_volatile(const struct litmus_expression *expression, void *context)
{
    struct c_printer *printer = context;
    const struct litmus_access *access = expression->access;
    if (access && access->order == LITMUS_VOLATILE && access->address->kind == LITMUS_EXPRESSION_ADDRESS)
        printer->points_to_volatile[access->address->index] = true;
}

static void note_other(const struct litmus_expression *expression, void *context)
{
    struct c_printer *printer = context;
    const struct litmus_access *access = expression->access;
    if (access && access->order != LITMUS_VOLATILE && access->address->kind == LITMUS_EXPRESSION_ADDRESS)
        printer->points_to_volatile[access->address->index] = false;
    if (access && access->expected_address && access->expected_address->kind == LITMUS_EXPRESSION_ADDRESS)
        printer->points_to_volatile[access->expected_address->index] = false;
}

static void find_volatile(struct c_printer *printer)
{
    const struct visitor first = {NULL, note_volatile, printer}, second = {NULL, note_other, printer};
    litmus_visit_block(&printer->thread->body, &first);
    litmus_visit_block(&printer->thread->body, &second);
}

static void print_parameters(const struct c_printer *printer)
{
    const char *separator = "";
    for (size_t i = 0; i < printer->test->location_count; i++) {
        /* Nothing else says that a location is an image. */
        const bool image = printer->test->locations[i].region == LITMUS_IMAGE && !test_mentions(printer->test, (int)i);
        if (!thread_mentions(printer->thread, (int)i) && !image)
            continue;
        text_add(printer->text, "%s", separator);
        printer->style->parameter(printer, (int)i);
        text_add(printer->text, " %s", printer->test->locations[i].name);
        separator = ", ";
    }
}

static void print_thread(const struct litmus_test *test, const struct litmus_thread *thread,
                         const struct c_style *style, struct text *text)
{
    struct c_printer printer = {.style = style, .test = test, .thread = thread, .text = text};
    find_positions(&printer);
    find_volatile(&printer);
    printer.declared = started_registers(test, thread);
    text_add(text, "\n");
    print_thread_name(test, thread, text);
    text_add(text, " (");
    print_parameters(&printer);
    text_add(text, ") {\n");
    for (size_t i = 0; i < thread->body.count; i++) {
        print_declarations(&printer, i);
        print_statement(&printer, &thread->body.statements[i], 1);
    }
    print_declarations(&printer, thread->body.count);
    text_add(text, "}\n");
}

void print_c_threads(const struct litmus_test *test, const struct c_style *style, struct text *text)
{
    for (size_t i = 0; i < test->body_count; i++)
        print_thread(test, &test->threads[i], style, text);
    text_add(text, "\n");
}
