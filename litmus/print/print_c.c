// SPDX-License-Identifier: Apache-2.0
/* Threads printed as C: what the dialects that are written in C have in common, and what each has of its own. */
#include "litmus/language/c_functions.h"
#include "litmus/language/order.h"
#include "litmus/language/walk.h"
#include "litmus/print/printer.h"

struct c_printer;

/* The differences between the dialects. */
struct c_style {
    enum litmus_dialect words; /* whose names orders and operations have */
    unsigned functions;        /* its set of them */
    bool sums_pointers;        /* an element is "x + 1" as a pointer, and not "&x[1]" */
    bool in_cells;             /* the | of a value outside parentheses would end the cell of a column */
    /* Appends the type of a parameter with its qualifiers: "global atomic_int*". */
    void (*parameter)(const struct c_printer *printer, int location);
};

struct c_printer {
    const struct c_style *style;
    const struct litmus_test *test;
    const struct litmus_thread *thread;
    struct text *text;
    size_t declared; /* registers below this are declared; they are declared in their order */
    /* The statement of the body before which, or by which, a register is declared: the first that mentions it or one
     * declared after it. */
    size_t positions[LITMUS_MAXIMUM_REGISTERS];
    /* Whether all of the thread's accesses of the location are volatile. */
    bool points_to_volatile[LITMUS_MAXIMUM_LOCATIONS];
};

/* An expression as an operand of an operator of precedence level; 0: no parentheses needed. */
static void print_c_expression(const struct c_printer *printer, const struct litmus_expression *expression, int level);

static const char *c_register_name(const struct c_printer *printer, int index)
{
    return printer->thread->registers[index].name;
}

static void print_element(const struct c_printer *printer, const struct litmus_expression *address)
{
    text_add(printer->text, "%s[", printer->test->locations[address->index].name);
    print_c_expression(printer, address->left, 0);
    text_add(printer->text, "]");
}

/* A pointer as functions take it: x, &x[1], r2. */
static void print_c_pointer(const struct c_printer *printer, const struct litmus_expression *address)
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

/* What a pointer points to: *x, x[1], *r2. */
static void pointee(const struct c_printer *printer, const struct litmus_expression *address)
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

/* ---- calls ---- */

/* The expected value of a compare_exchange: a register or a location, as a reference or by its address. */
static void print_expected(const struct c_printer *printer, const struct litmus_access *access, bool reference)
{
    if (access->expected_register != LITMUS_NONE)
        text_add(printer->text, "%s%s", reference ? "" : "&", c_register_name(printer, access->expected_register));
    else if (reference)
        pointee(printer, access->expected_address);
    else
        print_c_pointer(printer, access->expected_address);
}

/* "x, 1", a pixel of an image. */
static void print_pixel(const struct c_printer *printer, const struct litmus_expression *address)
{
    text_add(printer->text, "%s, ", printer->test->locations[address->index].name);
    if (address->left)
        print_c_expression(printer, address->left, 0);
    else
        text_add(printer->text, "0");
}

static void print_flags(const struct litmus_orders *orders, struct text *text)
{
    const char *const flags[] = {orders->flag_global ? "CLK_GLOBAL_MEM_FENCE" : NULL,
                                 orders->flag_local ? "CLK_LOCAL_MEM_FENCE" : NULL,
                                 orders->flag_image ? "CLK_IMAGE_MEM_FENCE" : NULL};
    const char *separator = "";
    for (size_t i = 0; i < COUNT(flags); i++) {
        if (!flags[i])
            continue;
        text_add(text, "%s%s", separator, flags[i]);
        separator = " | ";
    }
    text_add(text, "%s", *separator ? "" : "0");
}

/* access: also the order and the scope of a fence or a barrier, whose flags are in `orders`. */
static void print_argument(const struct c_printer *printer, const struct litmus_access *access,
                           const struct litmus_orders *orders, char letter)
{
    const enum litmus_dialect words = printer->style->words;
    switch (letter) {
    case 'f':
        print_flags(orders, printer->text);
        break;
    case 'i':
        print_pixel(printer, access->address);
        break;
    case 'w':
        text_add(printer->text, "(int4)(");
        print_c_expression(printer, access->operand, 0);
        text_add(printer->text, ", 0, 0, 0)");
        break;
    case 'e':
    case 'r':
        print_expected(printer, access, letter == 'r');
        break;
    case 'x':
        print_c_expression(printer, access->expected, 0);
        break;
    case 'v':
        print_c_expression(printer, access->operand, 0);
        break;
    case 'o':
        text_add(printer->text, "%s", litmus_order_name(words, access->order));
        break;
    case 'n':
        text_add(printer->text, "%s", litmus_order_name(words, access->failure));
        break;
    case 's':
        text_add(printer->text, "%s", litmus_scope_name(words, access->scope));
        break;
    default:
        print_c_pointer(printer, access->address);
    }
}

/* Whether an argument that may be left out is written. */
static bool is_written(const struct litmus_access *access, char letter)
{
    return letter == 's' ? access->spelling.explicit_scope
                         : letter != 'k' && (letter != 'n' || access->failure != order_of_read(access->order));
}

/* "(x, 1, memory_order_relaxed)". */
static void print_arguments(const struct c_printer *printer, const struct c_function *function,
                            const struct litmus_access *access, const struct litmus_orders *orders)
{
    const char *separator = "";
    bool optional = false;
    text_add(printer->text, "%s(", function->name);
    for (const char *letter = function->arguments; *letter; letter++) {
        optional |= *letter == '?';
        if (*letter == '?' || (optional && !is_written(access, *letter)))
            continue;
        text_add(printer->text, "%s", separator);
        print_argument(printer, access, orders, *letter);
        separator = ", ";
    }
    text_add(printer->text, ")");
}

/* "atomic_store_explicit(x, 1, memory_order_relaxed)"; false, with nothing printed, if the access is no call. */
static bool print_c_call(const struct c_printer *printer, const struct litmus_access *access)
{
    const struct litmus_expression *address = access->address;
    const bool pixel =
        address->kind == LITMUS_EXPRESSION_ADDRESS && printer->test->locations[address->index].region == LITMUS_IMAGE;
    const bool calls =
        pixel || order_is_atomic(access->order) || access->cache != LITMUS_CACHE_NONE || access->read_only;
    const struct c_function *const function = calls ? c_find_access(printer->style->functions, access, pixel) : NULL;
    if (!function)
        return false;
    if (c_is_method(function)) {
        text_add(printer->text, "%s<%s, %s>(", C_REFERENCE, litmus_type_word(printer->style->words, access->type),
                 litmus_scope_name(printer->style->words, access->scope));
        pointee(printer, address);
        text_add(printer->text, ").");
    }
    print_arguments(printer, function, access, NULL);
    text_add(printer->text, "%s", pixel && !access->operand ? ".x" : "");
    return true;
}

/* A value outside parentheses. */
static void print_value_of(const struct c_printer *printer, const struct litmus_expression *value)
{
    print_c_expression(printer, value, printer->style->in_cells ? operator_level(LITMUS_OR) + 1 : 0);
}

/* An access in the dialect's words: a call, or a plain or volatile one. */
static void print_c_access(const struct c_printer *printer, const struct litmus_access *access)
{
    const struct litmus_expression *address = access->address;
    /* Of a location all of whose accesses in the thread are volatile, the parameter's type says it. */
    const bool casts = access->order == LITMUS_VOLATILE &&
                       !(address->kind == LITMUS_EXPRESSION_ADDRESS && printer->points_to_volatile[address->index]);
    if (print_c_call(printer, access))
        return;
    if (casts) {
        text_add(printer->text, "*(volatile %s*)", litmus_type_word(printer->style->words, access->type));
        print_c_pointer(printer, address);
    } else
        pointee(printer, address);
    if (access->operand) {
        text_add(printer->text, " = ");
        print_value_of(printer, access->operand);
    }
}

/* "mem_fence(CLK_LOCAL_MEM_FENCE)", a call of a fence or a barrier. */
static void print_c_ordering(const struct c_function *function, enum litmus_dialect words,
                             const struct litmus_orders *orders, struct text *text)
{
    const struct c_style style = {.words = words};
    const struct c_printer printer = {.style = &style, .text = text};
    struct litmus_access access = {.order = orders->order, .scope = orders->scope, .spelling = orders->spelling};
    access.spelling.explicit_scope |= c_takes(function, 'o'); /* a fence with an order also has a scope */
    print_arguments(&printer, function, &access, orders);
}

/* A fence or a barrier, with its label. */
static void print_ordering(const struct c_printer *printer, const struct litmus_statement *statement)
{
    const bool meets = litmus_kinds[statement->kind].meets;
    const unsigned functions = printer->style->functions;
    const struct c_function *const function =
        meets ? c_find_barrier(functions, &statement->barrier) : c_find_fence(functions, &statement->fence);
    if (!function)
        return; /* no text of this dialect gives it */
    if (meets && statement->barrier.instance)
        text_add(printer->text, "%s: ", statement->barrier.instance);
    print_c_ordering(function, printer->style->words, &statement->orders, printer->text);
    text_add(printer->text, ";\n");
}

/* ---- expressions ---- */

static void print_unary(const struct c_printer *printer, const struct litmus_expression *expression)
{
    const struct litmus_expression *operand = expression->left;
    const bool minus = (operand->kind == LITMUS_EXPRESSION_UNARY && operand->op == LITMUS_NEGATE) ||
                       (operand->kind == LITMUS_EXPRESSION_CONSTANT && operand->value < 0);
    text_add(printer->text, "%s%s", litmus_operator_name(expression->op),
             expression->op == LITMUS_NEGATE && minus ? " " : "");
    print_c_expression(printer, operand, operator_level(LITMUS_NEGATE));
}

static void print_c_expression(const struct c_printer *printer, const struct litmus_expression *expression, int level)
{
    struct text *text = printer->text;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT: {
        static const char *const suffixes[LITMUS_TYPE_COUNT] = {
            [LITMUS_UINT] = "u", [LITMUS_LONG] = "l", [LITMUS_ULONG] = "ul", [LITMUS_FLOAT] = ".0f"};
        /* The smallest number has no positive twin to put a minus before. */
        if (expression->value == INT64_MIN || expression->suffix == LITMUS_ULONG)
            text_add(text, "%" PRIu64, (uint64_t)expression->value);
        else
            text_add(text, "%" PRId64, expression->value);
        text_add(text, "%s", suffixes[expression->suffix] ? suffixes[expression->suffix] : "");
        break;
    }
    case LITMUS_EXPRESSION_REGISTER:
        text_add(text, "%s", c_register_name(printer, expression->index));
        break;
    case LITMUS_EXPRESSION_ADDRESS:
        print_c_pointer(printer, expression);
        break;
    case LITMUS_EXPRESSION_ACCESS:
        print_c_access(printer, expression->access);
        break;
    case LITMUS_EXPRESSION_UNARY:
        print_unary(printer, expression);
        break;
    case LITMUS_EXPRESSION_BINARY: {
        const int own = operator_level(expression->op); /* 0: a function, min or max */
        text_add(text, "%s%s", own == 0 ? litmus_operator_name(expression->op) : "",
                 own < level || own == 0 ? "(" : "");
        print_c_expression(printer, expression->left, own);
        text_add(text, own == 0 ? ", " : " %s ", litmus_operator_name(expression->op));
        print_c_expression(printer, expression->right, own == 0 ? 0 : own + 1);
        text_add(text, "%s", own < level || own == 0 ? ")" : "");
        break;
    }
    }
}

/* ---- vectors, in the words of OPENCL and CUDA ---- */

/* The length of a first component's name without the ".s0" or, in CUDA, ".x" at its end; 0 for other names. */
static size_t stem_of(const char *name)
{
    const char *const dot = strchr(name, '.');
    return dot && (strcmp(dot, ".s0") == 0 || strcmp(dot, ".x") == 0) ? (size_t)(dot - name) : 0;
}

static bool is_component(const char *name, size_t stem, const char *first, unsigned lane)
{
    const char *const last = name + strlen(name) - 1;
    return strncmp(name, first, stem + 1) == 0 &&
           (last == name + stem + 2 ? *last == (char)('0' + lane) : *last == "xyzw????"[lane]);
}

/* The number of registers that one declaration declares: the components of a vector, the first with this index, or
 * 1. */
static unsigned c_vector_lanes(const struct litmus_thread *thread, size_t index)
{
    const size_t stem = stem_of(thread->registers[index].name);
    unsigned lanes = 1;
    while (stem > 0 && index + lanes < thread->register_count) {
        if (lanes == LITMUS_MAXIMUM_LANES ||
            !is_component(thread->registers[index + lanes].name, stem, thread->registers[index].name, lanes))
            break;
        lanes++;
    }
    return lanes;
}

/* That declaration: "int4 r". */
static void print_c_declared(const struct c_printer *printer, size_t index)
{
    const struct litmus_register *own = &printer->thread->registers[index];
    const unsigned lanes = c_vector_lanes(printer->thread, index);
    if (lanes == 1)
        text_add(printer->text, "%s %s", litmus_type_word(printer->test->dialect, own->type), own->name);
    else
        text_add(printer->text, "%s%u %.*s", litmus_type_name(own->type), lanes, (int)stem_of(own->name), own->name);
}

/* "(global int4 *)x", after the star. */
static void print_cast(const struct c_printer *printer, const struct litmus_vector *vector)
{
    const struct litmus_expression *address = vector->access.address;
    const struct litmus_location *location = &printer->test->locations[address->index];
    const bool placed = !address->generic && printer->test->dialect == LITMUS_OPENCL;
    text_add(printer->text, "*(%s%s%s%u *)", placed ? litmus_region_name(location->region) : "", placed ? " " : "",
             litmus_type_name(vector->access.type), vector->lanes);
    print_c_pointer(printer, address);
}

static void print_vector_load(struct c_printer *printer, const struct litmus_vector *vector)
{
    const size_t first = (size_t)vector->registers[0];
    const char *const name = printer->thread->registers[first].name;
    if (first == printer->declared) {
        print_c_declared(printer, first);
        printer->declared += vector->lanes;
    } else
        text_add(printer->text, "%.*s", (int)stem_of(name), name);
    text_add(printer->text, " = ");
    if (!vector->unaligned) {
        print_cast(printer, vector);
        return;
    }
    text_add(printer->text, "vload%u(0, ", vector->lanes);
    print_c_pointer(printer, vector->access.address);
    text_add(printer->text, ")");
}

/* Are the values the components of one vector register, in their order? */
static bool is_register(const struct c_printer *printer, const struct litmus_vector *vector)
{
    const int first = vector->values[0]->index;
    return !ANY_NUMBER(unsigned, i, 0, vector->lanes,
                       vector->values[i]->kind != LITMUS_EXPRESSION_REGISTER ||
                           vector->values[i]->index != first + (int)i) &&
           c_vector_lanes(printer->thread, (size_t)first) == vector->lanes;
}

static void print_values(const struct c_printer *printer, const struct litmus_vector *vector)
{
    if (is_register(printer, vector)) {
        const char *const name = c_register_name(printer, vector->values[0]->index);
        text_add(printer->text, "%.*s", (int)stem_of(name), name);
        return;
    }
    text_add(printer->text, printer->test->dialect == LITMUS_CUDA ? "make_%s%u(" : "(%s%u)(",
             litmus_type_name(vector->access.type), vector->lanes);
    for (unsigned i = 0; i < vector->lanes; i++) {
        text_add(printer->text, "%s", i > 0 ? ", " : "");
        print_c_expression(printer, vector->values[i], 0);
    }
    text_add(printer->text, ")");
}

/* A vector access as a statement, which declares the register that it sets if that is the next one. */
static void print_c_vector(struct c_printer *printer, const struct litmus_vector *vector)
{
    if (vector->access.operation == LITMUS_LOAD)
        print_vector_load(printer, vector);
    else if (vector->unaligned) {
        text_add(printer->text, "vstore%u(", vector->lanes);
        print_values(printer, vector);
        text_add(printer->text, ", 0, ");
        print_c_pointer(printer, vector->access.address);
        text_add(printer->text, ")");
    } else {
        print_cast(printer, vector);
        text_add(printer->text, " = ");
        print_values(printer, vector);
    }
    text_add(printer->text, ";\n");
}

/* ---- statements ---- */

static void print_c_block(struct c_printer *printer, const struct litmus_block *block, int depth);
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
    print_c_block(printer, &statement->body, depth + 1);
    indent(printer, depth);
    const struct litmus_block *otherwise = &statement->otherwise;
    if (otherwise->count == 1 && otherwise->statements[0].kind == LITMUS_IF) {
        text_add(printer->text, "} else ");
        print_if(printer, &otherwise->statements[0], depth);
    } else if (otherwise->count > 0) {
        text_add(printer->text, "} else {\n");
        print_c_block(printer, otherwise, depth + 1);
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
    print_c_block(printer, &statement->body, depth + 1);
    indent(printer, depth);
    text_add(printer->text, checks_first ? "}\n" : "} while (");
    if (!checks_first) {
        print_c_expression(printer, statement->value, 0);
        text_add(printer->text, ");\n");
    }
}

/* "int r0 = ", which declares the register if it is the next one. */
static void print_target(struct c_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_register *target = &printer->thread->registers[statement->target];
    if ((size_t)statement->target == printer->declared) {
        text_add(printer->text, "%s ", litmus_type_word(printer->test->dialect, target->type));
        printer->declared++;
    }
    text_add(printer->text, "%s = ", target->name);
}

static void print_assignment(struct c_printer *printer, const struct litmus_statement *statement)
{
    print_target(printer, statement);
    print_c_expression(printer, statement->value, 0);
    text_add(printer->text, ";\n");
}

static void print_collective(struct c_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_collective *collective = &statement->collective;
    const struct c_function *const function = c_find_collective(printer->style->functions, collective->function);
    if (!function)
        return; /* no text of this dialect gives it */
    if (statement->target != LITMUS_NONE)
        print_target(printer, statement);
    text_add(printer->text, "%s(", function->name);
    for (const char *letter = function->arguments; *letter; letter++) {
        const struct litmus_expression *const argument = *letter == 'k'   ? collective->mask
                                                         : *letter == 'L' ? collective->lane
                                                                          : statement->value;
        text_add(printer->text, "%s", letter == function->arguments ? "" : ", ");
        if (*letter == 'k' && argument->kind == LITMUS_EXPRESSION_CONSTANT)
            text_add(printer->text, "0x%" PRIx64, argument->value);
        else
            print_c_expression(printer, argument, 0);
    }
    text_add(printer->text, ");\n");
}

/* Its access by an instruction of PTX in asm; NULL: it has none. */
static const struct litmus_access *assembly_of(const struct litmus_statement *statement)
{
    const struct litmus_access *access = litmus_statement_access(statement);
    access = !access && statement->value ? statement->value->access : access;
    return access && access->spelling.assembly ? access : NULL;
}

static void print_c_assembly(const struct c_printer *printer, const struct litmus_statement *statement)
{
    LOCAL(text) pointer = {0};
    struct c_printer inner = *printer;
    inner.text = &pointer;
    print_c_pointer(&inner, assembly_of(statement)->address);
    print_assembly(printer->test, printer->thread, statement, text_string(&pointer), printer->text);
    text_add(printer->text, ";\n");
}

static void print_statement(struct c_printer *printer, const struct litmus_statement *statement, int depth)
{
    indent(printer, depth);
    if (assembly_of(statement)) {
        print_c_assembly(printer, statement);
        return;
    }
    if (litmus_kinds[statement->kind].orders)
        print_ordering(printer, statement);
    if (litmus_statement_access(statement))
        print_c_vector(printer, &statement->vector);
    switch (statement->kind) {
    case LITMUS_ASSIGN:
        print_assignment(printer, statement);
        break;
    case LITMUS_PERFORM:
        print_c_expression(printer, statement->value, 0);
        text_add(printer->text, ";\n");
        break;
    case LITMUS_COLLECTIVE:
        print_collective(printer, statement);
        break;
    case LITMUS_LABEL:
        text_add(printer->text, "%s: ;\n", printer->thread->labels[statement->label]);
        break;
    case LITMUS_GOTO:
        text_add(printer->text, "goto %s;\n", printer->thread->labels[statement->label]);
        break;
    case LITMUS_IF:
        print_if(printer, statement, depth);
        break;
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        print_loop(printer, statement, depth);
        break;
    default:
        break; /* printed above, or no text of this dialect gives it */
    }
}

static void print_c_block(struct c_printer *printer, const struct litmus_block *block, int depth)
{
    for (size_t i = 0; i < block->count; i++)
        print_statement(printer, &block->statements[i], depth);
}

/* Notes that the statement at this position mentions a register. */
static void note_position(size_t *positions, int index, size_t position)
{
    if (index != LITMUS_NONE && positions[index] > position)
        positions[index] = position;
}

static void find_positions(struct c_printer *printer)
{
    const struct litmus_thread *thread = printer->thread;
    size_t *positions = printer->positions;
    for (size_t i = 0; i < thread->register_count; i++)
        positions[i] = SIZE_MAX;
    for (size_t at = 0; at < thread->body.count; at++)
        for (struct litmus_walk walk = litmus_walk_statement(&thread->body.statements[at]); litmus_walk_next(&walk);) {
            const int *registers;
            const size_t count = walk.statement ? litmus_statement_registers(walk.statement, &registers) : 0;
            for (size_t i = 0; i < count; i++)
                note_position(positions, registers[i], at);
            if (walk.expression && walk.expression->kind == LITMUS_EXPRESSION_REGISTER)
                note_position(positions, walk.expression->index, at);
            if (walk.expression && walk.access)
                note_position(positions, walk.access->expected_register, at);
        }
    for (size_t i = thread->register_count; i-- > 1;)
        if (positions[i] < positions[i - 1])
            positions[i - 1] = positions[i];
    for (size_t i = 0; i < thread->register_count; i++)
        if (positions[i] == SIZE_MAX)
            positions[i] = i > 0 ? positions[i - 1] : 0;
}

/* May `int r = ...` declare the register that the statement assigns? */
static bool declares_target(const struct litmus_statement *statement, int index)
{
    const int *registers;
    if (litmus_statement_registers(statement, &registers) == 0 || registers[0] != index)
        return false;
    if (litmus_statement_access(statement))
        return !litmus_statement_access(statement)->spelling.assembly;
    if (statement->value && statement->value->access && statement->value->access->spelling.assembly)
        return false;
    bool reads_itself = false;
    for (struct litmus_walk walk = litmus_walk_statement(statement); litmus_walk_next(&walk);)
        reads_itself |= (walk.expression && walk.expression->kind == LITMUS_EXPRESSION_REGISTER &&
                         walk.expression->index == index) ||
                        (walk.access && walk.access->expected_register == index);
    return !reads_itself;
}

/* Declares the registers of the position; the last one is left to the statement if that assigns it. */
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

/* ---- the dialects ---- */

static void print_opencl_parameter(const struct c_printer *printer, int index)
{
    const struct litmus_location *location = &printer->test->locations[index];
    if (location->region == LITMUS_IMAGE) {
        text_add(printer->text, "read_write image1d_t");
        return;
    }
    text_add(printer->text, "%s%s ", location->is_volatile ? "volatile " : "",
             thread_points_generic(printer->thread, index) ? "generic"
             : location->constant                          ? "constant"
             : location->region == LITMUS_LOCAL            ? "local"
                                                           : "global");
    print_c_type(LITMUS_OPENCL, thread_points_to(printer->test, printer->thread, index), location->atomic,
                 printer->text);
    text_add(printer->text, "*");
}

static void print_cuda_parameter(const struct c_printer *printer, int index)
{
    const struct litmus_location *location = &printer->test->locations[index];
    text_add(printer->text, "%s%s%s*", location->region == LITMUS_LOCAL ? "__shared__ " : "",
             printer->points_to_volatile[index] ? "volatile " : "", litmus_type_word(LITMUS_CUDA, location->type));
}

static void print_herd_parameter(const struct c_printer *printer, int index)
{
    const struct litmus_location *location = &printer->test->locations[index];
    text_add(printer->text, "%s", location->is_volatile ? "volatile " : "");
    print_c_type(LITMUS_C, thread_points_to(printer->test, printer->thread, index), location->atomic, printer->text);
    text_add(printer->text, "*");
}

static const struct c_style styles[LITMUS_DIALECT_COUNT] = {
    [LITMUS_OPENCL] = {.words = LITMUS_OPENCL, .functions = C_OPENCL, .parameter = print_opencl_parameter},
    [LITMUS_CUDA] = {.words = LITMUS_CUDA, .functions = C_CUDA, .parameter = print_cuda_parameter},
    /* Elements are sums, as herd7 reads them. */
    [LITMUS_C] = {.words = LITMUS_C, .functions = C_HERD, .sums_pointers = true, .parameter = print_herd_parameter},
    /* Host threads: calls of C11, whose scope is always the system's. */
    [LITMUS_PTX] = {.words = LITMUS_C, .functions = C_HOST, .in_cells = true},
};

static void find_volatile(struct c_printer *printer)
{
    bool *found = printer->points_to_volatile;
    for (struct litmus_walk walk = litmus_walk_block(&printer->thread->body); litmus_walk_next(&walk);)
        if (walk.expression && walk.access && walk.access->order == LITMUS_VOLATILE &&
            !walk.access->spelling.assembly && walk.access->address->kind == LITMUS_EXPRESSION_ADDRESS)
            found[walk.access->address->index] = true;
    for (struct litmus_walk walk = litmus_walk_block(&printer->thread->body); litmus_walk_next(&walk);) {
        const struct litmus_access *access = walk.expression ? walk.access : NULL;
        if (access && access->order != LITMUS_VOLATILE && access->address->kind == LITMUS_EXPRESSION_ADDRESS)
            found[access->address->index] = false;
        if (access && access->expected_address && access->expected_address->kind == LITMUS_EXPRESSION_ADDRESS)
            found[access->expected_address->index] = false;
    }
}

static void print_thread(const struct litmus_test *test, const struct litmus_thread *thread, struct text *text)
{
    struct c_printer printer = {.style = &styles[test->dialect], .test = test, .thread = thread, .text = text};
    find_positions(&printer);
    find_volatile(&printer);
    printer.declared = started_registers(test, thread);
    text_add(text, "\n");
    print_thread_name(test, thread, text);
    text_add(text, " (");
    const char *separator = "";
    for (size_t i = 0; i < printer.test->location_count; i++) {
        /* Nothing else says that a location is an image. */
        const bool image = printer.test->locations[i].region == LITMUS_IMAGE && !test_mentions(printer.test, (int)i);
        if (!thread_mentions(printer.thread, (int)i) && !image)
            continue;
        text_add(printer.text, "%s", separator);
        printer.style->parameter(&printer, (int)i);
        text_add(printer.text, " %s", printer.test->locations[i].name);
        separator = ", ";
    }
    text_add(text, ") {\n");
    for (size_t i = 0; i < thread->body.count; i++) {
        print_declarations(&printer, i);
        print_statement(&printer, &thread->body.statements[i], 1);
    }
    print_declarations(&printer, thread->body.count);
    text_add(text, "}\n");
}

void print_c_threads(const struct litmus_test *test, struct text *text)
{
    for (size_t i = 0; i < test->body_count; i++)
        print_thread(test, &test->threads[i], text);
    text_add(text, "\n");
}

void print_host_cell(const struct litmus_test *test, const struct litmus_thread *thread,
                     const struct litmus_statement *statement, struct text *text)
{
    const struct c_printer printer = {.style = &styles[test->dialect], .test = test, .thread = thread, .text = text};
    if (statement->kind == LITMUS_FENCE) {
        text_add(text, "atomic_thread_fence(%s)", litmus_order_name(LITMUS_C, statement->fence.order));
        return;
    }
    if (statement->kind == LITMUS_ASSIGN)
        text_add(text, "%s = ", c_register_name(&printer, statement->target));
    print_value_of(&printer, statement->value);
}

void litmus_print_c_fence(enum litmus_dialect dialect, const struct litmus_fence *fence, struct text *text)
{
    const struct litmus_statement statement = {.fence = *fence};
    print_c_ordering(c_find_fence(styles[dialect].functions, fence), dialect, &statement.orders, text);
}

bool litmus_cuda_fence_is_library(const struct litmus_fence *fence)
{
    return c_find_fence(C_CUDA, fence)->spelling.library;
}

void litmus_print_opencl_barrier(const struct litmus_barrier *barrier, struct text *text)
{
    const struct litmus_statement statement = {.barrier = *barrier};
    print_c_ordering(c_find_barrier(C_OPENCL, &statement.barrier), LITMUS_OPENCL, &statement.orders, text);
}
