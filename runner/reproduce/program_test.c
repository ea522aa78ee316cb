// SPDX-License-Identifier: Apache-2.0
/* What a reproducer's kernel has of the test: its threads, their results, and the outcome. */
#include <stdio.h>
#include <string.h>

#include "runner/reproduce/program.h"

static const char *arguments_of(bool memory, bool results)
{
    return memory && results ? "memory, results, " : memory ? "memory, " : results ? "results, " : "";
}

/* ---- the threads ---- */

/* Appends the parameters of play_N, in two forms: as they are declared, and as they are given. */
static void add_parameters(struct program *program)
{
    struct values *values = &program->values;
    values_set(values, "memory_parameter", "%s", program->has_cells ? "GLOBAL u32 *memory, " : "");
    values_set(values, "results_parameter", "%s", program->has_results ? "GLOBAL u32 *results, " : "");
    values_set(values, "cells_parameter", "%s", program->has_locals ? "LOCAL u32 *cells, " : "");
    values_set(values, "memory_argument", "%s", arguments_of(program->has_cells, false));
    values_set(values, "results_argument", "%s", arguments_of(false, program->has_results));
    values_set(values, "cells_argument", "%s", program->has_locals ? "cells, " : "");
}

static void add_local_cell(const struct program *program, unsigned location, unsigned word, const char *instance,
                           struct text *text)
{
    text_add(text, "cells + (%s * LOCAL_CELLS + %u) * LOCAL_STRIDE", instance,
             program->pieces.plan.cell_of[location] + word);
}

/* The pointers of a thread, to what its code uses. */
static void declare_pointers(const struct program *program, unsigned slot, unsigned body, struct text *text)
{
    const struct plan *plan = &program->pieces.plan;
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
            text_add(text, "    GLOBAL u32 *%s = cell(memory, ", name);
            program_print_place(program, l, "owner", instance, text);
            text_add(text, ", %u);\n", plan->cell_of[l]);
        } else {
            text_add(text, "    LOCAL u32 *%s = ", name);
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

/* Whether the body's register is one of the outcome's. */
static bool is_observed(const struct litmus_test *test, unsigned body, unsigned number)
{
    for (size_t v = 0; v < test->variable_count; v++)
        if (test->variables[v].body == (int)body && test->variables[v].index == (int)number)
            return true;
    return false;
}

static void declare_registers(const struct program *program, unsigned slot, unsigned body, struct text *text)
{
    const struct litmus_thread *thread = &program->test->threads[body];
    for (unsigned r = 0; r < thread->register_count; r++) {
        char name[32];
        (void)snprintf(name, sizeof name, "p%u_r%u", body, r);
        if (!words_have(text_string(&program->pieces.threads[slot]), name) && !is_observed(program->test, body, r))
            continue;
        text_add(text, "    %s %s = ", lower_type(thread->registers[r].type), name);
        print_value(thread->registers[r].type, thread->registers[r].initial, text);
        text_add(text, ";\n");
    }
    if (plan_spins(&thread->body))
        text_add(text, "    u32 p%u_spins = SPIN_BOUND;\n    u32 p%u_gave_up = 0;\n", body, body);
}

/* Which instance and which thread an item plays, where each plays one thread. */
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
                     program->pieces.plan.first_thread[body], program->test->threads[body].count);
        } else {
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
        if (program->pieces.plan.local_slot[l] == (int)slot)
            return true;
    return false;
}

static void initialise_locals(const struct program *program, unsigned slot, struct text *text)
{
    const struct litmus_test *test = program->test;
    text_add(text, "    if (lane < INSTANCES) {\n");
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        for (uint32_t e = 0; program->pieces.plan.local_slot[l] == (int)slot && e < location->elements; e++) {
            text_add(text, "        *(LOCAL %s *)(", lower_type(location->type));
            add_local_cell(program, l, e * plan_words(location->type), "lane", text);
            text_add(text, ") = ");
            print_value(location->type, location->initial[e], text);
            text_add(text, ";\n");
        }
    }
    text_add(text, "    }\n    group_barrier();\n");
}

/* Stores a value, of one word or two, where the owner looks for it. */
static void store_result(unsigned word, bool two, const char *value, const char *instance, const char *indent,
                         struct text *text)
{
    text_add(text, "%sresults[%u * ALL + owner * INSTANCES + %s] = (u32)%s;\n", indent, word, instance, value);
    if (two)
        text_add(text, "%sresults[%u * ALL + owner * INSTANCES + %s] = (u32)((u64)%s >> 32);\n", indent, word + 1,
                 instance, value);
}

static void store_register(const struct program *program, unsigned v, struct text *text)
{
    const struct plan *plan = &program->pieces.plan;
    const struct litmus_variable *variable = &program->test->variables[v];
    const struct plan_part *part = &plan->parts[plan->variables[v].part];
    const unsigned body = (unsigned)part->body;
    const bool one_thread = program->pieces.laid.width > 1;
    char value[32], instance[32];
    (void)snprintf(value, sizeof value, "p%u_r%d", body, variable->index);
    (void)snprintf(instance, sizeof instance, "p%u_i", body);
    if (one_thread)
        text_add(text, "    if (p%u_plays && thread == %u) {\n", body, plan->first_thread[body] + part->thread);
    store_result(plan->variables[v].word, litmus_type_size(litmus_variable_type(program->test, variable)) == 8, value,
                 instance, one_thread ? "        " : "    ", text);
    if (one_thread)
        text_add(text, "    }\n");
}

static void store_local(const struct program *program, unsigned v, struct text *text)
{
    const struct plan *plan = &program->pieces.plan;
    const struct litmus_variable *variable = &program->test->variables[v];
    const enum litmus_type type = program->test->locations[variable->index].type;
    struct text value = {0};
    text_add(&value, "%s*(LOCAL %s *)(", type == LITMUS_FLAG ? "!!" : "", lower_type(type));
    add_local_cell(program, (unsigned)variable->index, variable->element * plan_words(type), "lane", &value);
    text_add(&value, ")");
    text_add(text, "    if (lane < INSTANCES) {\n");
    store_result(plan->variables[v].word, litmus_type_size(type) == 8, text_string(&value), "lane", "        ", text);
    text_add(text, "    }\n");
    text_release(&value);
}

static void store_results(const struct program *program, unsigned slot, struct text *text)
{
    const struct plan *plan = &program->pieces.plan;
    const struct kernel *kernel = &program->pieces.laid;
    bool met = false;
    for (unsigned body = 0; body < kernel->bodies; body++)
        if (kernel->slot_of[body] == slot && plan_spins(&program->test->threads[body].body))
            text_add(text,
                     "    if (p%u_gave_up)\n        results[GAVE_UP_WORD * ALL + owner * INSTANCES + p%u_i] = 1;\n",
                     body, body);
    for (unsigned v = 0; v < kernel->variables; v++) {
        if (plan->variables[v].part == LITMUS_NONE || plan->parts[plan->variables[v].part].slot != slot)
            continue;
        const bool local = plan->parts[plan->variables[v].part].body == LITMUS_NONE;
        if (local && !met)
            text_add(text, "    group_barrier();\n");
        met |= local;
        (local ? store_local : store_register)(program, v, text);
    }
}

/* "P0, P2 to P33": the threads of a slot. */
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

static void write_play(const struct program *program, unsigned slot, struct text *text)
{
    unsigned bodies = 0;
    for (unsigned body = 0; body < program->pieces.laid.bodies; body++)
        bodies += program->pieces.laid.slot_of[body] == slot;
    text_add(text, "// ");
    name_threads(program, slot, text);
    if (program->pieces.laid.width == 1 && bodies > 1)
        text_add(text, ": of different instances, so that no %s plays two threads of one",
                 program->cuda ? "thread" : "work-item");
    text_add(text, ".\nFUNCTION void play_%u(%s%s%su32 owner, u32 lane)\n{\n", slot,
             program->has_cells ? "GLOBAL u32 *memory, " : "", program->has_results ? "GLOBAL u32 *results, " : "",
             program->has_locals ? "LOCAL u32 *cells, " : "");
    declare_bodies(program, slot, text);
    if (has_locals(program, slot))
        initialise_locals(program, slot, text);
    text_add(text, "%s", text_string(&program->pieces.threads[slot]));
    store_results(program, slot, text);
    text_add(text, "}\n\n");
}

/* ---- the outcome ---- */

static void write_variable(const struct program *program, unsigned v, struct text *text)
{
    const struct plan *plan = &program->pieces.plan;
    const struct litmus_variable *variable = &program->test->variables[v];
    const enum litmus_type type = litmus_variable_type(program->test, variable);
    const unsigned word = plan->variables[v].word;
    if (plan->variables[v].part == LITMUS_NONE) {
        text_add(text, "*(GLOBAL %s *)cell(memory, ", lower_type(type));
        program_print_place(program, (unsigned)variable->index, "group", "lane", text);
        text_add(text, ", %u)%s", plan->cell_of[variable->index] + variable->element * plan_words(type),
                 type == LITMUS_FLAG ? " != 0" : "");
    } else if (plan_words(type) == 1) {
        text_add(text, "(%s)result[%u * ALL]", lower_type(type), word);
    } else {
        text_add(text, "(%s)(result[%u * ALL] | (u64)result[%u * ALL] << 32)", lower_type(type), word, word + 1);
    }
}

static void write_was_seen(const struct program *program, struct text *text)
{
    for (unsigned v = 0; v < program->test->variable_count; v++) {
        const enum litmus_type type = litmus_variable_type(program->test, &program->test->variables[v]);
        const bool flag = type == LITMUS_FLAG && program->pieces.plan.variables[v].part == LITMUS_NONE;
        text_add(text, "%s%s", v > 0 ? " && " : "", flag ? "(" : "");
        write_variable(program, v, text);
        text_add(text, "%s == ", flag ? ")" : "");
        print_value(type, program->outcome[v], text);
    }
    if (program->test->variable_count == 0)
        text_add(text, "1");
}

/* What the owner of an instance does before each round. */
static void write_initialise(const struct program *program, struct text *text)
{
    const struct litmus_test *test = program->test;
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        const unsigned words = plan_words(location->type);
        for (uint32_t e = 0; location->region == LITMUS_GLOBAL && !location->constant && e < location->elements; e++) {
            const unsigned long long bits = litmus_value_bits(location->type, location->initial[e]);
            text_add(text, words == 2 ? "*(GLOBAL u64 *)cell(memory, " : "*cell(memory, ");
            program_print_place(program, l, "group", "lane", text);
            text_add(text, bits > 9 ? ", %u) = 0x%llx;\n" : ", %u) = %llu;\n",
                     program->pieces.plan.cell_of[l] + e * words, bits);
        }
    }
    if (program->spins)
        text_add(text, "results[GAVE_UP_WORD * ALL + group * INSTANCES + lane] = 0;\n");
}

/* Functions of the skeleton that the threads may call. */
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

static void add_play_slots(struct program *program)
{
    struct text *text = values_add(&program->values, "play_slots");
    const unsigned slots = program->pieces.laid.slots;
    for (unsigned slot = 0; slot < slots; slot++) {
        if (slot + 1 < slots)
            text_add(text, "%s (part == %u)\n", slot == 0 ? "if" : "else if", slot);
        else
            text_add(text, "else\n");
        text_add(text, "    play_%u(%s%sowner, lane);\n", slot, arguments_of(program->has_cells, program->has_results),
                 program->has_locals ? "cells, " : "");
    }
}

/* Constant memory is filled where it is declared. */
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
        if (program->pieces.plan.variables[v].part != LITMUS_NONE)
            program->result_words += plan_words(litmus_variable_type(program->test, &program->test->variables[v]));
    program->spins = program->pieces.plan.gave_up_word != LITMUS_NONE;
    program->result_words += program->spins;
    program->has_cells = kernel->cell_words > 0;
    program->has_results = program->result_words > 0;
    program->has_locals = kernel->local_cells > 0;
    add_parameters(program);
    text = values_add(&program->values, "instructions");
    write_constants(program->test, text);
    text_add(text, "%s", text_string(&program->pieces.instructions));
    while (text->size > 0 && text->data[text->size - 1] == '\n')
        text->data[--text->size] = '\0';
    text_add(text, "\n\n");
    text_add(&code, "%s", text_string(text));
    text = values_add(&program->values, "plays");
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        write_play(program, slot, text);
    text_add(&code, "%s", text_string(text));
    note_functions(program, text_string(&code));
    write_was_seen(program, values_add(&program->values, "was_seen"));
    write_initialise(program, values_add(&program->values, "initialise"));
    add_play_slots(program);
    values_note(&program->values, "cells", program->has_cells);
    values_note(&program->values, "results", program->has_results);
    values_note(&program->values, "locals", program->has_locals);
    values_note(&program->values, "spins", program->spins);
    values_note(&program->values, "wide", kernel->width > 1);
    values_set(&program->values, "counts", "%s", kernel->width > 1 ? "lane < INSTANCES && " : "");
    text_release(&code);
}
