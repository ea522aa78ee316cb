// SPDX-License-Identifier: Apache-2.0
/* The test in a reproducer's kernel: its threads, their results, and the outcome. */
#include <stdio.h>
#include <string.h>

#include "runner/hunt/reproduce/inline.h"
#include "runner/hunt/reproduce/program.h"

static const char *arguments_of(const struct program *program, bool memory, bool results)
{
    return program->glsl       ? "" /* the arrays are known to all functions */
           : memory && results ? "memory, results, "
           : memory            ? "memory, "
           : results           ? "results, "
                               : "";
}

/* ---- the threads ---- */

/* Adds the parameters of play_N, in two forms: as declared, and as passed. */
static void add_parameters(struct program *program)
{
    struct template_values *values = &program->values;
    values_set(values, "memory_parameter", "%s", program->has_cells && !program->glsl ? "GLOBAL u32 *memory, " : "");
    values_set(values, "results_parameter", "%s",
               program->has_results && !program->glsl ? "GLOBAL u32 *results, " : "");
    values_set(values, "cells_parameter", "%s", program->has_locals && !program->glsl ? "LOCAL u32 *cells, " : "");
    values_set(values, "memory_argument", "%s", arguments_of(program, program->has_cells, false));
    values_set(values, "results_argument", "%s", arguments_of(program, false, program->has_results));
    values_set(values, "cells_argument", "%s", program->has_locals && !program->glsl ? "cells, " : "");
}

static void add_local_cell(const struct program *program, unsigned location, unsigned word, const char *instance,
                           struct text *text)
{
    text_add(text, "%s(%s * LOCAL_CELLS + %u) * LOCAL_STRIDE", program->glsl ? "" : "cells + ", instance,
             program->pieces.allocation.cell_of[location] + word);
}

/* Whether the slot has only one thread, whose instance is then an argument of play_N. */
static bool is_single(const struct program *program, unsigned slot)
{
    unsigned bodies = 0;
    for (unsigned body = 0; body < program->pieces.laid.bodies; body++)
        bodies += program->pieces.laid.slot_of[body] == slot;
    return bodies == 1 && program->pieces.laid.width == 1 && !program->has_locals;
}

/* Declares the pointers that a thread's code uses. */
static void declare_pointers(const struct program *program, unsigned slot, unsigned body, struct text *text)
{
    const struct allocation *allocation = &program->pieces.allocation;
    const struct litmus_test *test = program->test;
    const char *code = text_string(&program->pieces.threads[slot]);
    for (unsigned l = 0; l < test->location_count; l++) {
        char name[32], instance[32];
        (void)snprintf(name, sizeof name, "p%u_x%u", body, l);
        (void)snprintf(instance, sizeof instance, "p%u_i", body);
        if (!words_have(code, name))
            continue;
        if (test->locations[l].constant) {
            text_add(text, "    CONSTANT %s *%s = constant_%u;\n", lower_type(test->locations[l].type), name, l);
        } else if (test->locations[l].region == LITMUS_GLOBAL) {
            text_add(text, "    %s%s = cell(%s", program->syntax->global, name, arguments_of(program, true, false));
            program_print_place(program, l, "owner", instance, text);
            text_add(text, ", %u);\n", allocation->cell_of[l]);
        } else {
            text_add(text, "    %s%s = ", program->syntax->local, name);
            add_local_cell(program, l, 0, instance, text);
            text_add(text, ";\n");
        }
    }
}

static void print_value(enum litmus_type type, int64_t value, struct text *text)
{
    if (litmus_type_is_float(type) || litmus_type_size(type) == 8)
        text_add(text, "0x%llxu", (unsigned long long)litmus_value_bits(type, value));
    else
        text_add(text, litmus_type_is_unsigned(type) ? "%lldu" : "%lld", (long long)value);
}

/* Whether the outcome observes the body's register. */
static bool is_observed(const struct litmus_test *test, unsigned body, unsigned number)
{
    for (size_t v = 0; v < test->variable_count; v++)
        if (test->variables[v].body == (int)body && test->variables[v].index == (int)number)
            return true;
    return false;
}

/* How often a word appears in a text. */
static unsigned count_word(const char *code, const char *word)
{
    const size_t size = strlen(word);
    unsigned count = 0;
    for (const char *at = code; (at = strstr(at, word)); at += size)
        count += at[size] < '0' || at[size] > '9';
    return count;
}

/* Drops assignments to registers that nothing reads: "p0_r3 = exchange(...)" becomes
 * "exchange(...)". */
static void drop_unread(struct program *program)
{
    for (unsigned body = 0; body < program->pieces.laid.bodies; body++)
        for (unsigned r = 0; r < program->test->threads[body].register_count; r++) {
            struct text *code = &program->pieces.threads[program->pieces.laid.slot_of[body]];
            char name[32], assignment[40];
            (void)snprintf(name, sizeof name, "p%u_r%u", body, r);
            (void)snprintf(assignment, sizeof assignment, " %s = ", name);
            if (!is_observed(program->test, body, r) && count_word(text_string(code), name) == 1)
                inline_replace(code, assignment, " ");
        }
}

static void declare_registers(const struct program *program, unsigned slot, unsigned body, struct text *text)
{
    const struct litmus_thread *thread = &program->test->threads[body];
    const char *last = NULL;
    for (unsigned r = 0; r < thread->register_count; r++) {
        const char *type = lower_type(thread->registers[r].type);
        char name[32];
        (void)snprintf(name, sizeof name, "p%u_r%u", body, r);
        if (!words_have(text_string(&program->pieces.threads[slot]), name) && !is_observed(program->test, body, r))
            continue;
        if (last && strcmp(last, type) == 0)
            text_add(text, ", %s = ", name);
        else
            text_add(text, "%s    %s %s = ", last ? ";\n" : "", type, name);
        if (thread->registers[r].numbered && program->pieces.laid.width > 1)
            text_add(text, program->glsl ? "%s(thread - %uu)" : "(%s)(thread - %uu)", type,
                     program->pieces.allocation.first_thread[body]);
        else
            print_value(thread->registers[r].type, thread->registers[r].initial, text);
        last = type;
    }
    text_add(text, last ? ";\n" : "");
    if (allocation_spins(&thread->body))
        text_add(text,
                 program->glsl ? "    u32 p%u_spins = SPIN_BOUND, p%u_gave_up = 0;\n"
                               : "    u32 p%u_spins = SPIN_BOUND;\n",
                 body, body);
}

/* Declares the instance and the thread of an item, if each item plays one thread. */
static void declare_item(const struct program *program, unsigned body, struct text *text)
{
    const struct kernel *kernel = &program->pieces.laid;
    text_add(text, "    const u32 item = ");
    program_print_lane(program, body, "lane", text);
    text_add(text, ";\n");
    if (kernel->sub_groups > 0)
        text_add(text,
                 "    const u32 instance = item / %u * %u + item %% %u / %u;\n"
                 "    const u32 thread = item / %u %% %u * %u + item %% %u;\n",
                 kernel->sub_group_size * kernel->sub_groups, kernel->sub_group_size / kernel->sub_group_items,
                 kernel->sub_group_size, kernel->sub_group_items, kernel->sub_group_size, kernel->sub_groups,
                 kernel->sub_group_items, kernel->sub_group_items);
    else
        text_add(text, "    const u32 instance = item / %u, thread = item %% %u;\n", kernel->width, kernel->width);
}

static void declare_bodies(const struct program *program, unsigned slot, struct text *text)
{
    const struct kernel *kernel = &program->pieces.laid;
    for (unsigned body = 0; body < kernel->bodies; body++) {
        if (kernel->slot_of[body] != slot)
            continue;
        if (kernel->width > 1 && kernel->first_of_slot[body])
            declare_item(program, body, text);
        if (kernel->width > 1) {
            text_add(text, "    const u32 p%u_i = instance < INSTANCES ? instance : 0;\n", body);
            text_add(text, "    const u32 p%u_plays = instance < INSTANCES && thread - %uu < %uu;\n", body,
                     program->pieces.allocation.first_thread[body], program->test->threads[body].count);
        } else if (!is_single(program, slot)) {
            text_add(text, "    const u32 p%u_i = ", body);
            program_print_lane(program, body, "lane", text);
            text_add(text, ";\n");
        }
        declare_pointers(program, slot, body, text);
        declare_registers(program, slot, body, text);
    }
}

static bool has_locals(const struct program *program, unsigned slot)
{
    for (unsigned l = 0; l < program->test->location_count; l++)
        if (program->pieces.allocation.local_slot[l] == (int)slot)
            return true;
    return false;
}

static void initialise_locals(const struct program *program, unsigned slot, struct text *text)
{
    const struct litmus_test *test = program->test;
    text_add(text, "    if (lane < INSTANCES) {\n");
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        for (uint32_t e = 0; program->pieces.allocation.local_slot[l] == (int)slot && e < location->elements; e++) {
            const struct syntax_around *set = &program->syntax->set_local;
            text_add(text, "        ");
            syntax_open(set, lower_type(location->type), text);
            text_add(text, "(");
            add_local_cell(program, l, e * allocation_words(location->type), "lane", text);
            text_add(text, ")%s = ", set->after);
            print_value(location->type, location->initial[e], text);
            text_add(text, ";\n");
        }
    }
    text_add(text, "    }\n    group_barrier();\n");
}

/* Appends the store of a value, of one word or two, to the place where the owner reads it. */
static void store_result(const struct program *program, unsigned word, bool two, const char *value,
                         const char *instance, const char *indent, struct text *text)
{
    text_add(text, "%sresults[%u * ALL + owner * INSTANCES + %s] = ", indent, word, instance);
    syntax_open(&program->syntax->cast, "u32", text);
    text_add(text, "%s%s;\n", value, program->syntax->cast.after);
    if (two)
        text_add(text, "%sresults[%u * ALL + owner * INSTANCES + %s] = (u32)((u64)%s >> 32);\n", indent, word + 1,
                 instance, value);
}

static void store_register(const struct program *program, unsigned v, struct text *text)
{
    const struct allocation *allocation = &program->pieces.allocation;
    const struct litmus_variable *variable = &program->test->variables[v];
    const struct allocation_part *part = &allocation->parts[allocation->variables[v].part];
    const unsigned body = (unsigned)part->body;
    const bool one_thread = program->pieces.laid.width > 1;
    char value[32], instance[32];
    (void)snprintf(value, sizeof value, "p%u_r%d", body, variable->index);
    (void)snprintf(instance, sizeof instance, "p%u_i", body);
    if (one_thread)
        text_add(text, "    if (p%u_plays && thread == %u) {\n", body, allocation->first_thread[body] + part->thread);
    store_result(program, allocation->variables[v].word,
                 litmus_type_size(litmus_variable_type(program->test, variable)) == 8, value, instance,
                 one_thread ? "        " : "    ", text);
    if (one_thread)
        text_add(text, "    }\n");
}

static void store_local(const struct program *program, unsigned v, struct text *text)
{
    const struct allocation *allocation = &program->pieces.allocation;
    const struct litmus_variable *variable = &program->test->variables[v];
    const enum litmus_type type = program->test->locations[variable->index].type;
    struct text value = {0};
    text_add(&value, "%s", type == LITMUS_FLAG ? "!!" : "");
    syntax_open(&program->syntax->read_local, lower_type(type), &value);
    text_add(&value, "(");
    add_local_cell(program, (unsigned)variable->index, variable->element * allocation_words(type), "lane", &value);
    text_add(&value, ")%s", program->syntax->read_local.after);
    text_add(text, "    if (lane < INSTANCES) {\n");
    store_result(program, allocation->variables[v].word, litmus_type_size(type) == 8, text_string(&value), "lane",
                 "        ", text);
    text_add(text, "    }\n");
    text_release(&value);
}

static void store_results(const struct program *program, unsigned slot, struct text *text)
{
    const struct allocation *allocation = &program->pieces.allocation;
    const struct kernel *kernel = &program->pieces.laid;
    bool met = false;
    for (unsigned body = 0; body < kernel->bodies; body++)
        if (kernel->slot_of[body] == slot && allocation_spins(&program->test->threads[body].body))
            text_add(text,
                     "    if (p%u_spins == 0)\n        results[GAVE_UP_WORD * ALL + owner * INSTANCES + p%u_i] = 1;\n",
                     body, body);
    for (unsigned v = 0; v < kernel->variables; v++) {
        if (allocation->variables[v].part == LITMUS_NONE ||
            allocation->parts[allocation->variables[v].part].slot != slot)
            continue;
        const bool local = allocation->parts[allocation->variables[v].part].body == LITMUS_NONE;
        if (local && !met)
            text_add(text, "    group_barrier();\n");
        met |= local;
        (local ? store_local : store_register)(program, v, text);
    }
}

/* Appends the threads of a slot: "P0, P2 to P33". */
static void name_threads(const struct program *program, unsigned slot, struct text *text)
{
    bool first = true;
    for (unsigned body = 0; body < program->pieces.laid.bodies; body++) {
        const struct litmus_thread *thread = &program->test->threads[body];
        if (program->pieces.laid.slot_of[body] != slot)
            continue;
        text_add(text, "%sP%u", first ? "" : ", ", thread->first);
        if (thread->count > 1)
            text_add(text, " to P%u", thread->first + thread->count - 1);
        first = false;
    }
}

/* Appends a block "    { // P0\n...    }\n" without its braces, one level less indented. */
static void add_unbraced(const char *code, struct text *text)
{
    while (*code) {
        const size_t size = strcspn(code, "\n");
        const bool deep = strncmp(code, "        ", 8) == 0;
        const bool brace = !deep && (strncmp(code, "    {", 5) == 0 || strncmp(code, "    }", 5) == 0);
        if (!brace) {
            text_add_bytes(text, code + (deep ? 4 : 0), size - (deep ? 4 : 0));
            text_add(text, "\n");
        }
        code += size + (code[size] == '\n');
    }
}

/* Appends the body of play_N. */
static void write_body(const struct program *program, unsigned slot, struct text *text)
{
    declare_bodies(program, slot, text);
    if (has_locals(program, slot))
        initialise_locals(program, slot, text);
    if (is_single(program, slot))
        add_unbraced(text_string(&program->pieces.threads[slot]), text);
    else
        text_add(text, "%s", text_string(&program->pieces.threads[slot]));
    store_results(program, slot, text);
}

static unsigned body_of(const struct program *program, unsigned slot)
{
    unsigned body = 0;
    while (program->pieces.laid.slot_of[body] != slot)
        body++;
    return body;
}

/* The first result word that a slot writes; 0 if it writes none. */
static unsigned first_word(const struct program *program, unsigned slot)
{
    const struct allocation *allocation = &program->pieces.allocation;
    for (unsigned v = 0; v < program->pieces.laid.variables; v++)
        if (allocation->variables[v].part != LITMUS_NONE &&
            allocation->parts[allocation->variables[v].part].slot == slot)
            return allocation->variables[v].word;
    return 0;
}

/* Appends the body of a slot with one thread, in a form that is independent of the thread; nothing
 * for any other slot. */
static void write_neutral(const struct program *program, unsigned slot, struct text *text)
{
    const unsigned body = body_of(program, slot);
    char from[64], to[64];
    if (!is_single(program, slot))
        return;
    write_body(program, slot, text);
    (void)snprintf(from, sizeof from, "p%u_i", body);
    inline_replace(text, from, "instance");
    (void)snprintf(from, sizeof from, "p%u_", body);
    inline_replace(text, from, "p0_");
    for (unsigned word = first_word(program, slot); word < program->result_words; word++) {
        (void)snprintf(from, sizeof from, "results[%u * ALL", word);
        (void)snprintf(to, sizeof to, "results[(word + %u) * ALL", word - first_word(program, slot));
        inline_replace(text, from, to);
    }
    inline_replace(text, "(word + 0)", "word");
}

/* The first slot whose thread does the same, except for the words that it writes; if there is none,
 * the slot itself. */
static unsigned same_slot(const struct program *program, unsigned slot)
{
    struct text own = {0};
    unsigned same = slot;
    write_neutral(program, slot, &own);
    for (unsigned other = 0; other < slot && same == slot && own.size > 0; other++) {
        struct text its = {0};
        write_neutral(program, other, &its);
        if (strcmp(text_string(&own), text_string(&its)) == 0)
            same = other;
        text_release(&its);
    }
    text_release(&own);
    return same;
}

/* Whether this slot's function also plays other slots' threads. */
static bool is_shared(const struct program *program, unsigned slot)
{
    for (unsigned other = slot + 1; other < program->pieces.laid.slots; other++)
        if (same_slot(program, other) == slot)
            return true;
    return false;
}

static void write_play(struct program *program, unsigned slot, struct text *text)
{
    struct template_values *values = &program->values;
    const bool shared = is_shared(program, slot), single = is_single(program, slot);
    struct text body = {0};
    if (same_slot(program, slot) != slot)
        return;
    text_add(text, "// ");
    name_threads(program, slot, text);
    for (unsigned other = slot + 1; shared && other < program->pieces.laid.slots; other++)
        if (same_slot(program, other) == slot)
            text_add(text, ", P%u", program->test->threads[body_of(program, other)].first);
    if (shared && program->has_results)
        text_add(text, "; word: where the result goes");
    else if (!single && program->pieces.laid.width == 1)
        text_add(text, ": of different instances, so that no %s plays two threads of one",
                 program->cuda ? "thread" : "work-item");
    text_add(text, ".\nFUNCTION void play_%u(%s%s%su32 owner, u32 %s%s)\n{\n", slot,
             text_string(values_add(values, "memory_parameter")), text_string(values_add(values, "results_parameter")),
             text_string(values_add(values, "cells_parameter")), single ? "instance" : "lane",
             shared && program->has_results ? ", u32 word" : "");
    if (shared) {
        write_neutral(program, slot, &body);
    } else {
        char instance[32];
        write_body(program, slot, &body);
        (void)snprintf(instance, sizeof instance, "p%u_i", body_of(program, slot));
        if (single)
            inline_replace(&body, instance, "instance");
    }
    text_add(text, "%s}\n\n", text_string(&body));
    text_release(&body);
}

/* ---- the outcome ---- */

/* Appends the pointer to an element of global memory. */
static void add_cell(const struct program *program, unsigned location, uint32_t element, struct text *text)
{
    const struct allocation *allocation = &program->pieces.allocation;
    const unsigned step = allocation_step(allocation, location, element);
    text_add(text, "%scell(%s", step > 0 ? "(" : "", arguments_of(program, true, false));
    program_print_place(program, location, "group", "lane", text);
    text_add(text, ", %u)", allocation_cell(allocation, location, element));
    if (step > 0)
        text_add(text, " + %u)", step);
}

static void write_variable(const struct program *program, unsigned v, struct text *text)
{
    const struct allocation *allocation = &program->pieces.allocation;
    const struct litmus_variable *variable = &program->test->variables[v];
    const enum litmus_type type = litmus_variable_type(program->test, variable);
    const unsigned word = allocation->variables[v].word;
    if (allocation->variables[v].part == LITMUS_NONE) {
        syntax_open(&program->syntax->read_global, lower_type(type), text);
        add_cell(program, (unsigned)variable->index, variable->element, text);
        text_add(text, "%s%s", program->syntax->read_global.after, type == LITMUS_FLAG ? " != 0" : "");
    } else if (program->glsl) {
        text_add(text, "%s(results[result + %u * ALL])", lower_type(type), word);
    } else if (allocation_words(type) == 1) {
        text_add(text, "(%s)result[%u * ALL]", lower_type(type), word);
    } else {
        text_add(text, "(%s)(result[%u * ALL] | (u64)result[%u * ALL] << 32)", lower_type(type), word, word + 1);
    }
}

static void write_was_seen(const struct program *program, struct text *text)
{
    for (unsigned v = 0; v < program->test->variable_count; v++) {
        const enum litmus_type type = litmus_variable_type(program->test, &program->test->variables[v]);
        const bool flag = type == LITMUS_FLAG && program->pieces.allocation.variables[v].part == LITMUS_NONE;
        text_add(text, "%s%s", v > 0 ? " && " : "", flag ? "(" : "");
        write_variable(program, v, text);
        text_add(text, "%s == ", flag ? ")" : "");
        print_value(type, program->outcome[v], text);
    }
    if (program->test->variable_count == 0)
        text_add(text, "1");
}

/* Appends what the owner of an instance does before each round. */
static void write_initialise(const struct program *program, struct text *text)
{
    const struct litmus_test *test = program->test;
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        const unsigned words = allocation_words(location->type);
        for (uint32_t e = 0; location->region == LITMUS_GLOBAL && !location->constant && e < location->elements; e++) {
            const unsigned long long bits = litmus_value_bits(location->type, location->initial[e]);
            text_add(text, program->glsl ? "memory[" : words == 2 ? "*(GLOBAL u64 *)" : "*");
            add_cell(program, l, e, text);
            text_add(text, program->glsl ? "] = 0x%llxu;\n" : bits > 9 ? " = 0x%llx;\n" : " = %llu;\n", bits);
        }
    }
    if (program->spins)
        text_add(text, "results[GAVE_UP_WORD * ALL + group * INSTANCES + lane] = 0;\n");
}

/* Notes the functions of the skeleton that the threads call. */
static void note_functions(struct program *program, const char *code)
{
    static const char *const divisions[] = {"divide", "remainder_of", "divide_unsigned", "remainder_unsigned", NULL};
    values_note(&program->values, "element", words_have(code, "element"));
    for (const char *const *name = divisions; *name; name++) {
        values_note(&program->values, *name, words_have(code, *name));
        values_note(&program->values, "division", words_have(code, *name));
    }
    values_note(&program->values, "all_devices", words_have(code, "memory_scope_all_svm_devices"));
    values_note(&program->values, "seq_cst", words_have(code, "memory_order_seq_cst"));
    values_note(&program->values, "sub_group_scope", words_have(code, "memory_scope_sub_group"));
    values_note(&program->values, "sub_groups", words_have(code, "sub_group_barrier"));
}

/* Whether a register, such as p0_r1, has the type. */
static bool has_type(const char *name, const char *type, const void *context)
{
    const struct program *program = context;
    unsigned body, number;
    return sscanf(name, "p%u_r%u", &body, &number) == 2 && body < program->test->body_count &&
           number < program->test->threads[body].register_count &&
           strcmp(lower_type(program->test->threads[body].registers[number].type), type) == 0;
}

/* Appends the call that plays a slot. */
static void add_call(const struct program *program, unsigned slot, const char *owner, struct text *text)
{
    const unsigned same = same_slot(program, slot);
    text_add(text, "    play_%u(%s%s%s, ", same, arguments_of(program, program->has_cells, program->has_results),
             program->has_locals && !program->glsl ? "cells, " : "", owner);
    if (is_single(program, slot))
        program_print_lane(program, body_of(program, slot), "lane", text);
    else
        text_add(text, "lane");
    if (is_shared(program, same) && program->has_results)
        text_add(text, ", %u", first_word(program, slot));
    text_add(text, ");\n");
}

/* A thread without iterations left leaves a loop, or ends at a label. Here the count of 0 shows
 * this, instead of a variable; depth: of the indentation. */
static void shorten_budget(struct text *code, unsigned body, unsigned depth, bool label)
{
    char from[512], to[256], leave[32];
    const int in = (int)(4 * depth);
    (void)snprintf(leave, sizeof leave, label ? "goto p%u_end" : "break", body);
    (void)snprintf(from, sizeof from,
                   "\n%*sif (p%u_spins == 0) {\n%*s    p%u_gave_up = 1;\n%*s    %s;\n%*s}\n%*sp%u_spins--;\n", in, "",
                   body, in, "", body, in, "", leave, in, "", in, "", body);
    if (label)
        (void)snprintf(to, sizeof to, "\n%*sif (--p%u_spins == 0)\n%*s    %s;\n", in, "", body, in, "", leave);
    else
        (void)snprintf(to, sizeof to, "\n%*sif (p%u_spins == 0 || --p%u_spins == 0)\n%*s    %s;\n", in, "", body, body,
                       in, "", leave);
    inline_replace(code, from, to);
}

static void shorten_budgets(struct program *program)
{
    enum { DEPTH = 10 };
    for (unsigned slot = 0; slot < program->pieces.laid.slots; slot++)
        for (unsigned body = 0; body < program->pieces.laid.bodies; body++)
            for (unsigned depth = 1; depth < 2 * DEPTH; depth++)
                shorten_budget(&program->pieces.threads[slot], body, depth / 2 + 1, depth % 2);
}

static void add_play_slots(struct program *program)
{
    struct text *text = values_add(&program->values, "play_slots");
    const unsigned slots = program->pieces.laid.slots;
    for (unsigned slot = 0; slot < slots; slot++) {
        if (slot + 1 < slots)
            text_add(text, "%s (part == %u)\n", slot == 0 ? "if" : "else if", slot);
        else
            text_add(text, "else\n");
        add_call(program, slot, "owner", text);
    }
}

/* Constant memory is filled in its declaration. */
static void write_constants(const struct litmus_test *test, struct text *text)
{
    for (size_t l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        if (!location->constant)
            continue;
        text_add(text, "TABLE %s constant_%zu[%u] = {", lower_type(location->type), l, location->elements);
        for (uint32_t e = 0; e < location->elements; e++)
            text_add(text, "%s(%s)0x%llxu", e > 0 ? ", " : "", lower_type(location->type),
                     (unsigned long long)litmus_value_bits(location->type, location->initial[e]));
        text_add(text, "};\n\n");
    }
}

void program_add_test(struct program *program)
{
    const struct kernel *kernel = &program->pieces.laid;
    struct text code = {0}, *text;
    for (unsigned v = 0; v < kernel->variables; v++)
        if (program->pieces.allocation.variables[v].part != LITMUS_NONE)
            program->result_words +=
                allocation_words(litmus_variable_type(program->test, &program->test->variables[v]));
    program->spins = program->pieces.allocation.gave_up_word != LITMUS_NONE;
    program->result_words += program->spins;
    program->has_cells = kernel->cell_words > 0;
    program->has_results = program->result_words > 0;
    program->has_locals = kernel->local_cells > 0;
    add_parameters(program);
    if (!program->glsl)
        shorten_budgets(program);
    if (!program->cuda)
        drop_unread(program);
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        write_play(program, slot, &code);
    text = values_add(&program->values, "instructions");
    write_constants(program->test, text);
    if (program->glsl)
        text_add(text, "%s", text_string(&program->pieces.instructions));
    else
        inline_functions(text_string(&program->pieces.instructions), has_type, program, &code, text);
    text_add(values_add(&program->values, "plays"), "%s", text_string(&code));
    text_add(&code, "%s", text_string(text));
    note_functions(program, text_string(&code));
    write_was_seen(program, values_add(&program->values, "was_seen"));
    write_initialise(program, values_add(&program->values, "initialise"));
    add_play_slots(program);
    add_call(program, 0, "group", values_add(&program->values, "play_all"));
    values_note(&program->values, "cells", program->has_cells);
    values_note(&program->values, "results", program->has_results);
    values_note(&program->values, "locals", program->has_locals);
    values_note(&program->values, "spins", program->spins);
    values_note(&program->values, "wide", kernel->width > 1);
    values_set(&program->values, "counts", "%s", kernel->width > 1 ? "lane < INSTANCES && " : "");
    text_release(&code);
}
