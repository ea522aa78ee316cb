// SPDX-License-Identifier: Apache-2.0
/* The test in a reproducer's kernel: its threads, their results, and the outcome. */
#include "hunt/reproduce/program.h"

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
static void program_test_add_parameters(struct program *program)
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
    const unsigned bodies =
        SUM_OF(unsigned, each, program->pieces.laid.slot_of, program->pieces.laid.bodies, *each == slot);
    return bodies == 1 && program->pieces.laid.width == 1 && !program->has_locals;
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
    return VALUE_OF(unsigned, variable, allocation->variables, program->pieces.laid.variables,
                    variable->part != LITMUS_NONE && allocation->parts[variable->part].slot == slot, variable->word, 0);
}

/* Whether this slot's function also plays other slots' threads. */
static bool is_shared(const struct program *program, unsigned slot)
{
    return ANY_NUMBER(unsigned, other, slot + 1, program->pieces.laid.slots, program->same[other] == slot);
}

/* The instance of a body: "instance", if the slot has only one thread. */
static const char *instance_of(struct program *program, unsigned slot, unsigned body)
{
    return is_single(program, slot) ? "instance" : arena_print(&program->pieces.kernel.arena, "p%u_i", body);
}

/* Declares the pointers that a thread's code uses. */
static void declare_pointers(struct program *program, unsigned slot, unsigned body, struct text *text)
{
    const struct allocation *allocation = &program->pieces.allocation;
    const struct litmus_test *test = program->test;
    const char *const instance = instance_of(program, slot, body);
    for (unsigned l = 0; l < test->location_count; l++) {
        const bool global = test->locations[l].region == LITMUS_GLOBAL, constant = test->locations[l].constant;
        if (!allocation_names(test, body, l))
            continue;
        if (constant)
            text_add(text, "    CONSTANT %s *", lower_type(test->locations[l].type));
        else
            text_add(text, "    %s", global ? program->syntax->global : program->syntax->local);
        program_print_name(program, CODE_POINTER, body, l, text);
        text_add(text, " = ");
        if (constant)
            text_add(text, "constant_%u", l);
        else if (!global)
            add_local_cell(program, l, 0, instance, text);
        else {
            text_add(text, "cell(%s", arguments_of(program, true, false));
            program_print_place(program, l, "owner", instance, text);
            text_add(text, ", %u)", allocation->cell_of[l]);
        }
        text_add(text, ";\n");
    }
}

static void print_value(enum litmus_type type, int64_t value, struct text *text)
{
    if (litmus_type_is_float(type) || litmus_type_size(type) == 8)
        text_add(text, "0x%llxu", (unsigned long long)litmus_value_bits(type, value));
    else
        text_add(text, litmus_type_is_unsigned(type) ? "%lldu" : "%lld", (long long)value);
}

static void declare_registers(const struct program *program, unsigned slot, unsigned body, struct text *text)
{
    const struct litmus_thread *thread = &program->test->threads[body];
    const char *last = NULL;
    for (unsigned r = 0; r < thread->register_count; r++) {
        const char *type = lower_type(thread->registers[r].type);
        if (!program_keeps(program, &program->pieces.threads[slot], body, r))
            continue;
        if (last && strcmp(last, type) == 0)
            text_add(text, ", ");
        else
            text_add(text, "%s    %s ", last ? ";\n" : "", type);
        program_print_name(program, CODE_REGISTER, body, r, text);
        text_add(text, " = ");
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
                 program_named(program, body), program_named(program, body));
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

static void initialise_locals(const struct program *program, unsigned slot, struct text *text)
{
    const struct litmus_test *test = program->test;
    text_add(text, "    if (lane < INSTANCES) {\n");
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        for (uint32_t e = 0; program->pieces.allocation.local_slot[l] == (int)slot && e < location->elements; e++) {
            const struct syntax_around *set = &program->syntax->set[SYNTAX_LOCAL];
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

/* Appends the start of the store of a result word; relative to the slot's first word, if the threads of several slots
 * are one function. */
static void start_store(const struct program *program, unsigned slot, unsigned word, const char *instance,
                        const char *indent, struct text *text)
{
    const unsigned more = word - first_word(program, slot);
    if (!program->neutral && !is_shared(program, slot))
        text_add(text, "%sresults[%u", indent, word);
    else
        text_add(text, more > 0 ? "%sresults[(word + %u)" : "%sresults[word", indent, more);
    text_add(text, " * ALL + owner * INSTANCES + %s] = ", instance);
}

/* Appends the store of a value, of one word or two, to the place where the owner reads it. */
static void store_result(const struct program *program, unsigned v, const char *value, const char *instance,
                         const char *indent, struct text *text)
{
    const struct allocation_variable *own = &program->pieces.allocation.variables[v];
    const unsigned slot = program->pieces.allocation.parts[own->part].slot;
    start_store(program, slot, own->word, instance, indent, text);
    syntax_open(&program->syntax->cast, "u32", text);
    text_add(text, "%s%s;\n", value, program->syntax->cast.after);
    if (litmus_type_size(litmus_variable_type(program->test, &program->test->variables[v])) != 8)
        return;
    start_store(program, slot, own->word + 1, instance, indent, text);
    text_add(text, "(u32)((u64)%s >> 32);\n", value);
}

static void store_register(struct program *program, unsigned v, struct text *text)
{
    const struct allocation *allocation = &program->pieces.allocation;
    const struct allocation_part *part = &allocation->parts[allocation->variables[v].part];
    const unsigned body = (unsigned)part->body;
    const bool one_thread = program->pieces.laid.width > 1;
    LOCAL(text) value = {0};
    program_print_name(program, CODE_REGISTER, body, (unsigned)program->test->variables[v].index, &value);
    if (one_thread)
        text_add(text, "    if (p%u_plays && thread == %u) {\n", body, allocation->first_thread[body] + part->thread);
    store_result(program, v, text_string(&value), instance_of(program, part->slot, body),
                 one_thread ? "        " : "    ", text);
    if (one_thread)
        text_add(text, "    }\n");
}

static void store_local(struct program *program, unsigned v, struct text *text)
{
    const struct litmus_variable *variable = &program->test->variables[v];
    const enum litmus_type type = program->test->locations[variable->index].type;
    LOCAL(text) value = {0};
    text_add(&value, "%s", type == LITMUS_FLAG ? "!!" : "");
    syntax_open(&program->syntax->read[SYNTAX_LOCAL], lower_type(type), &value);
    text_add(&value, "(");
    add_local_cell(program, (unsigned)variable->index, variable->element * allocation_words(type), "lane", &value);
    text_add(&value, ")%s", program->syntax->read[SYNTAX_LOCAL].after);
    text_add(text, "    if (lane < INSTANCES) {\n");
    store_result(program, v, text_string(&value), "lane", "        ", text);
    text_add(text, "    }\n");
}

static void store_results(struct program *program, unsigned slot, struct text *text)
{
    const struct allocation *allocation = &program->pieces.allocation;
    const struct kernel *kernel = &program->pieces.laid;
    bool met = false;
    for (unsigned body = 0; body < kernel->bodies; body++)
        if (kernel->slot_of[body] == slot && allocation_spins(&program->test->threads[body].body))
            text_add(text,
                     "    if (p%u_spins == 0)\n        results[GAVE_UP_WORD * ALL + owner * INSTANCES + %s] = 1;\n",
                     program_named(program, body), instance_of(program, slot, body));
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

/* Appends the body of play_N. */
static void write_body(struct program *program, unsigned slot, struct text *text)
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
    if (allocation_has_locals(&program->pieces.allocation, slot))
        initialise_locals(program, slot, text);
    program_print_code(program, &program->pieces.threads[slot], is_single(program, slot), text);
    store_results(program, slot, text);
}

/* The first slot whose thread does the same, except for the words that it writes; if there is none, the slot itself. */
static void find_same(struct program *program)
{
    struct text bodies[KERNEL_MAXIMUM_SLOTS] = {{0}};
    const unsigned slots = program->pieces.laid.slots;
    program->neutral = true;
    for (unsigned slot = 0; slot < slots; slot++) {
        program->same[slot] = slot;
        if (is_single(program, slot))
            write_body(program, slot, &bodies[slot]);
        for (unsigned other = slot; other-- > 0 && bodies[slot].size > 0;)
            if (strcmp(text_string(&bodies[slot]), text_string(&bodies[other])) == 0)
                program->same[slot] = other;
    }
    program->neutral = false;
    for (unsigned slot = 0; slot < slots; slot++)
        text_release(&bodies[slot]);
}

static void write_play(struct program *program, unsigned slot, struct text *text)
{
    struct template_values *values = &program->values;
    const bool shared = is_shared(program, slot), single = is_single(program, slot);
    if (program->same[slot] != slot)
        return;
    text_add(text, "// ");
    /* Appends the threads of a slot: "P0, P2 to P33". */
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
    for (unsigned other = slot + 1; shared && other < program->pieces.laid.slots; other++)
        if (program->same[other] == slot)
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
    write_body(program, slot, text);
    text_add(text, "}\n\n");
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
        syntax_open(&program->syntax->read[SYNTAX_GLOBAL], lower_type(type), text);
        add_cell(program, (unsigned)variable->index, variable->element, text);
        text_add(text, "%s%s", program->syntax->read[SYNTAX_GLOBAL].after, type == LITMUS_FLAG ? " != 0" : "");
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
    static const struct {
        const char *name;
        unsigned needs;
    } functions[] = {{"element", CODE_NEEDS_ELEMENT},
                     {"divide", CODE_NEEDS_DIVIDE},
                     {"divide_unsigned", CODE_NEEDS_DIVIDE_UNSIGNED},
                     {"remainder_of", CODE_NEEDS_REMAINDER},
                     {"remainder_unsigned", CODE_NEEDS_REMAINDER_UNSIGNED}};
    const unsigned needs = program->pieces.writer.needs;
    for (size_t i = 0; i < COUNT(functions); i++)
        values_note(&program->values, functions[i].name, needs & functions[i].needs);
    values_note(&program->values, "division", needs & ~(unsigned)(CODE_NEEDS_ELEMENT | CODE_NEEDS_CUDA_LIBRARY));
    values_note(&program->values, "all_devices", words_have(code, "memory_scope_all_svm_devices"));
    values_note(&program->values, "seq_cst", words_have(code, "memory_order_seq_cst"));
    values_note(&program->values, "sub_group_scope", words_have(code, "memory_scope_sub_group"));
    values_note(&program->values, "sub_groups", words_have(code, "sub_group_barrier"));
}

/* Appends the call that plays a slot. */
static void program_test_add_call(const struct program *program, unsigned slot, const char *owner, struct text *text)
{
    const unsigned same = program->same[slot];
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

static void add_play_slots(struct program *program)
{
    struct text *text = values_add(&program->values, "play_slots");
    const unsigned slots = program->pieces.laid.slots;
    for (unsigned slot = 0; slot < slots; slot++) {
        if (slot + 1 < slots)
            text_add(text, "%s (part == %u)\n", slot == 0 ? "if" : "else if", slot);
        else
            text_add(text, "else\n");
        program_test_add_call(program, slot, "owner", text);
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
    program_test_add_parameters(program);
    program->called =
        arena_take(&program->pieces.kernel.arena, program->pieces.writer.function_count + 1, sizeof(bool));
    find_same(program);
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        write_play(program, slot, &code);
    text = values_add(&program->values, "instructions");
    code_print_constants(program->test, "TABLE", text);
    program_print_functions(program, text);
    text_add(values_add(&program->values, "plays"), "%s", text_string(&code));
    text_add(&code, "%s", text_string(text));
    note_functions(program, text_string(&code));
    write_was_seen(program, values_add(&program->values, "was_seen"));
    write_initialise(program, values_add(&program->values, "initialise"));
    add_play_slots(program);
    program_test_add_call(program, 0, "group", values_add(&program->values, "play_all"));
    values_note(&program->values, "cells", program->has_cells);
    values_note(&program->values, "results", program->has_results);
    values_note(&program->values, "locals", program->has_locals);
    values_note(&program->values, "spins", program->spins);
    values_note(&program->values, "wide", kernel->width > 1);
    values_set(&program->values, "counts", "%s", kernel->width > 1 ? "lane < INSTANCES && " : "");
    text_release(&code);
}
