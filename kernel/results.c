// SPDX-License-Identifier: Apache-2.0
/* Ways to cells, where the results of a slot's threads lie, the kernel text that stores them, and outcomes from
 * counters. */
#include "kernel/body.h"

/* ---- the ways to cells that the backend provides ---- */

extern const char kernel_paths[]; /* paths.cl, embedded by the build */

void write_path_words(const struct allocation *allocation, struct text *text)
{
    const struct kernel *kernel = allocation->kernel;
    if (!kernel_takes_paths(kernel))
        return;
    text_add(text, "// Ways to the cells, which the backend fills in.\nextern \"C\" {\n");
    if (kernel->paths & BACKEND_PATH_ALIAS)
        text_add(text, "__device__ u64 orchil_aliases[%u]; // bytes from memory to each of its other addresses\n",
                 kernel->aliases);
    if (kernel->paths & BACKEND_PATH_TEXTURE)
        text_add(text, "__device__ u64 orchil_textures[%u]; // of memory at each of its addresses\n",
                 kernel->aliases + 1);
    if (kernel->paths & BACKEND_PATH_SURFACE)
        text_add(text,
                 "__device__ u64 orchil_surfaces[%u]; // of memory at each of its addresses\n"
                 "__device__ u32 orchil_tile[%u]; // column + 65536 * row of each word of a tile\n"
                 "__device__ u32 orchil_tile_columns; // tiles side by side\n",
                 kernel->aliases + 1, (unsigned)BACKEND_TILE_WORDS);
    if (kernel->paths & BACKEND_PATH_CONSTANT)
        text_add(text, "__constant__ u32 orchil_bank[%u];\n__device__ u64 orchil_bank_address; // global\n",
                 (unsigned)BACKEND_BANK_WORDS);
    text_add(text, "}\n#define BANK_WORDS %uu\n#define BACKEND_TILE_WORDS %uu\n#define ZERO_WORD %s\n",
             kernel->bank_words, (unsigned)BACKEND_TILE_WORDS, kernel->agents > 1 ? "DRAW_CELLS" : "DRAW_RESULTS");
#define ADD_PATH(PATH) text_add(text, "#define PATH_" #PATH " %d\n", (kernel->paths & BACKEND_PATH_##PATH) != 0)
    ADD_PATH(TEXTURE), ADD_PATH(SURFACE), ADD_PATH(CONSTANT), ADD_PATH(READ_ONLY);
    text_add(text, "\n%s", kernel_paths);
}

/* "cell(MEMORY_ARGUMENTS, 0, 2, owner, p0_i, instances)" */
static void results_add_place(const struct allocation *allocation, const char *function, unsigned l, unsigned offset,
                              const char *instance, struct text *out)
{
    text_add(out, "%s(MEMORY_ARGUMENTS, %u, %u, owner, %s, instances)", function, allocation->path_of[l].storage,
             offset, instance);
}

void write_cell(const struct allocation *allocation, unsigned l, unsigned offset, const char *instance,
                struct text *out)
{
    const bool banked = allocation->path_of[l].banked;
    text_add(out, "%s", banked ? "" : "CELL(memory, ");
    results_add_place(allocation, banked ? "bank_cell" : "cell", l, offset, instance, out);
    text_add(out, "%s", banked ? "" : ")");
}

static void write_address(const struct allocation *allocation, unsigned body, unsigned l, struct text *out)
{
    const unsigned mapping = allocation->path_of[l].mapping;
    char instance[32];
    (void)snprintf(instance, sizeof instance, "p%u_i", body);
    text_add(out, "    %sp%u_x%u = ", allocation->kernel->lowering->syntax->global, body, l);
    if (mapping > 0)
        text_add(out, "(GLOBAL u32 *)((u64)");
    syntax_open(&allocation->kernel->lowering->syntax->place, "", out);
    write_cell(allocation, l, allocation->cell_of[l], instance, out);
    text_add(out, "%s", allocation->kernel->lowering->syntax->place.after);
    if (mapping > 0)
        text_add(out, " + orchil_aliases[%u])", mapping - 1);
    text_add(out, ";\n");
}

void write_location_names(const struct allocation *allocation, unsigned body, unsigned l, struct text *out)
{
    const struct allocation_path *path = &allocation->path_of[l];
    char instance[32];
    (void)snprintf(instance, sizeof instance, "p%u_i", body);
    if (allocation->test->locations[l].proxy == LITMUS_GENERIC)
        write_address(allocation, body, l, out);
    if (path->proxies & (1u << LITMUS_TEXTURE | 1u << LITMUS_SURFACE)) {
        const bool surface = path->proxies & 1u << LITMUS_SURFACE;
        text_add(out, "    const u64 p%u_t%u = orchil_%s[%u];\n    const u32 p%u_c%u = %s", body, l,
                 surface ? "surfaces" : "textures", path->mapping, body, l,
                 surface ? "surface_place(TO_U32(" : "TO_U32(");
        results_add_place(allocation, "cell", l, allocation->cell_of[l], instance, out);
        text_add(out, ")%s;\n", surface ? ")" : "");
    }
    if (path->proxies & 1u << LITMUS_CONSTANT) {
        text_add(out, "    const u32 p%u_k%u = ", body, l);
        results_add_place(allocation, "bank_place", l, allocation->cell_of[l], instance, out);
        text_add(out, ";\n");
    }
}

void write_local_cell(const struct allocation *allocation, unsigned location, uint32_t element, struct text *out)
{
    const unsigned step = allocation_step(allocation, location, element);
    text_add(out, "%sCELL(local_memory, local_cell(MEMORY_ARGUMENTS, %u, lane))", step > 0 ? "(" : "",
             allocation_cell(allocation, location, element));
    if (step > 0)
        text_add(out, " + %u)", step);
}

/* ---- results ---- */

/* The thread whose results a part holds, if each item plays all threads of its slot; else NONE. */
static int body_of_part(const struct allocation *allocation, const struct allocation_part *part, unsigned slot)
{
    return part->slot == slot && allocation->kernel->width == 1 ? part->body : LITMUS_NONE;
}

void write_result_places(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    for (unsigned p = 0; p < allocation->part_count; p++) {
        const int body = body_of_part(allocation, &allocation->parts[p], slot);
        if (body != LITMUS_NONE)
            write_text(writer, "    const u32 p%d_result = result_of(MEMORY_ARGUMENTS, owner, p%d_i, instances);\n",
                       body, body);
    }
}

/* Appends the address of a result word, after a |. */
static void add_result_address(const struct allocation *allocation, int body, unsigned word, struct text *addresses)
{
    const struct syntax_around *cast = &allocation->kernel->lowering->syntax->cast;
    text_add(addresses, " | ");
    syntax_open(cast, allocation->kernel->lowering->syntax->address, addresses);
    text_add(addresses, "(CELL(memory, p%d_result) + %uu * all)%s", body, word, cast->after);
}

void write_result_addresses(const struct allocation *allocation, unsigned slot, struct text *addresses)
{
    for (unsigned p = 0; p < allocation->part_count; p++) {
        const int body = body_of_part(allocation, &allocation->parts[p], slot);
        if (body == LITMUS_NONE)
            continue;
        for (unsigned v = 0; v < allocation->kernel->variables; v++)
            if (allocation->variables[v].part == (int)p)
                add_result_address(allocation, body, allocation->variables[v].word, addresses);
        add_result_address(allocation, body, allocation->parts[p].stamp_word, addresses);
    }
}

/* Stores a variable's value at its result word: one or two words, each for `all` instances. */
static void write_store_value(struct writer *writer, unsigned variable, const char *value, const char *place,
                              const char *padding)
{
    const struct allocation *allocation = writer->allocation;
    const unsigned word = allocation->variables[variable].word;
    const enum litmus_type type = litmus_variable_type(allocation->test, &allocation->test->variables[variable]);
    write_text(writer, "%sAT(memory, %s, %uu * all) = TO_U32(%s);\n", padding, place, word, value);
    if (litmus_type_size(type) == 8)
        write_text(writer, "%sAT(memory, %s, %uu * all) = TO_U32(TO_U64(%s) >> 32);\n", padding, place, word + 1,
                   value);
}

static void write_thread_results(struct writer *writer, const struct allocation_part *part, unsigned index)
{
    const struct allocation *allocation = writer->allocation;
    const unsigned body = (unsigned)part->body;
    const bool one_thread = allocation->kernel->width > 1;
    const char *padding = one_thread ? "        " : "    ";
    char place[32] = "result";
    if (one_thread)
        write_text(writer,
                   "    if (p%u_plays != 0u && thread == %uu) {\n"
                   "        const u32 result = result_of(MEMORY_ARGUMENTS, owner, p%u_i, instances);\n",
                   body, allocation->first_thread[body] + part->thread, body);
    else
        (void)snprintf(place, sizeof place, "p%u_result", body);
    for (unsigned v = 0; v < allocation->kernel->variables; v++) {
        char value[32];
        if (allocation->variables[v].part != (int)index)
            continue;
        (void)snprintf(value, sizeof value, "p%u_r%d", body, allocation->test->variables[v].index);
        write_store_value(writer, v, value, place, padding);
    }
    write_text(writer, "%sAT(memory, %s, %uu * all) = stamp;\n%s", padding, place, part->stamp_word,
               one_thread ? "    }\n" : "");
}

static void write_local_results(struct writer *writer, const struct allocation_part *part, unsigned index)
{
    const struct allocation *allocation = writer->allocation;
    const struct syntax *syntax = writer->lowering->syntax;
    write_text(writer, "    group_barrier();\n    if (lane < instances) {\n"
                       "        const u32 result = result_of(MEMORY_ARGUMENTS, owner, lane, instances);\n");
    for (unsigned v = 0; v < allocation->kernel->variables; v++) {
        const struct litmus_variable *variable = &allocation->test->variables[v];
        struct text value = {0};
        if (allocation->variables[v].part != (int)index)
            continue;
        const enum litmus_type type = allocation->test->locations[variable->index].type;
        text_add(&value, "%s", type == LITMUS_FLAG ? "!!" : "");
        const struct syntax_around *read = &syntax->read[allocation_place(allocation, (unsigned)variable->index)];
        syntax_open(read, lower_type(type), &value);
        write_local_cell(allocation, (unsigned)variable->index, variable->element, &value);
        text_add(&value, "%s", read->after);
        write_store_value(writer, v, text_string(&value), "result", "        ");
        text_release(&value);
    }
    write_text(writer, "        AT(memory, result, %uu * all) = stamp;\n    }\n", part->stamp_word);
}

/* Writes lines that use the registers of a slot's threads that are not variables: ptxas drops a read whose value is
 * unused, and the read would then not bring its line into a cache. */
static void write_unobserved(struct writer *writer, unsigned slot)
{
    const struct litmus_test *test = writer->allocation->test;
    for (unsigned body = 0; body < test->body_count; body++)
        for (unsigned r = 0;
             allocation_in_slot(writer->allocation, body, slot) && r < test->threads[body].register_count; r++)
            if (!allocation_observes(test, body, r))
                write_text(writer,
                           "    if ((u32)p%u_r%u == 0xdeadbeefu) // so that it is read, though nobody looks at it\n"
                           "        local_memory[LOCAL_GAVE_UP] = 1u;\n",
                           body, r);
}

void write_results(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    for (unsigned body = 0; body < allocation->kernel->bodies; body++) {
        const struct litmus_thread *thread = &allocation->test->threads[body];
        if (!allocation_in_slot(writer->allocation, body, slot) || !allocation_spins(&thread->body))
            continue;
        write_text(writer,
                   "    if (p%u_gave_up != 0u) {\n"
                   "        AT(memory, result_of(MEMORY_ARGUMENTS, owner, p%u_i, instances), %du * all) = stamp;\n"
                   "        local_memory[LOCAL_GAVE_UP] = 1u;\n"
                   "    }\n",
                   body, body, allocation->gave_up_word);
    }
    if (kernel_takes_paths(allocation->kernel))
        write_unobserved(writer, slot);
    for (unsigned p = 0; p < allocation->part_count; p++) {
        const struct allocation_part *part = &allocation->parts[p];
        if (part->slot != slot)
            continue;
        if (part->body == LITMUS_NONE)
            write_local_results(writer, part, p);
        else
            write_thread_results(writer, part, p);
    }
}

/* ---- counters back to outcomes ---- */

/* The values of a bin, whose digits are the domains; the last variable's is the lowest. */
static void values_of_bin(const struct kernel *kernel, uint32_t bin, int64_t *values)
{
    for (unsigned v = kernel->variables; v-- > 0;) {
        const struct kernel_domain *domain = &kernel->domains[v];
        values[v] = domain->values[bin % domain->count];
        bin /= domain->count;
    }
}

static void values_of_words(const struct litmus_test *test, const uint32_t *words, int64_t *values)
{
    for (size_t v = 0; v < test->variable_count; v++) {
        const enum litmus_type type = litmus_variable_type(test, &test->variables[v]);
        uint64_t value = *words++;
        if (litmus_type_size(type) == 8)
            value |= (uint64_t)*words++ << 32;
        values[v] = litmus_value_of_bits(type, value);
    }
}

static const struct {
    enum backend_counter_kind kind;
    bool result;
    const char *label;
} fixed_counters[COUNTER_HISTOGRAM] = {
#define KIND_VOID BACKEND_COUNTER_VOID, true
#define KIND_LIVENESS BACKEND_COUNTER_LIVENESS, true
#define KIND_NONE BACKEND_COUNTER_LIVENESS, false
#define COUNTER_ROW(name, kind, label) {KIND_##kind, label},
    COUNTER_LIST(COUNTER_ROW)};

void kernel_counters(const struct litmus_test *test, const struct kernel *kernel, struct backend_counter **counters,
                     size_t *count)
{
    int64_t values[LITMUS_MAXIMUM_VARIABLES];
    size_t n = 0;
    struct backend_counter *list = memory_take((size_t)COUNTER_HISTOGRAM + kernel->outcomes, sizeof *list);
    for (uint32_t i = 0; i < COUNTER_HISTOGRAM; i++)
        if (fixed_counters[i].result && (i != COUNTER_OVERLAPPED || kernel_has_launches(kernel)))
            list[n++] = (struct backend_counter){fixed_counters[i].kind, memory_copy(fixed_counters[i].label), i};
    for (uint32_t bin = 0; bin < kernel->outcomes; bin++) {
        struct text text = {0};
        values_of_bin(kernel, bin, values);
        litmus_print_outcome(test, values, &text);
        list[n++] = (struct backend_counter){BACKEND_COUNTER_OUTCOME, text_take(&text), COUNTER_HISTOGRAM + bin};
    }
    *counters = list;
    *count = n;
}

void kernel_release_counters(struct backend_counter *counters, size_t count)
{
    for (size_t i = 0; counters && i < count; i++)
        free((char *)(uintptr_t)counters[i].label);
    free(counters);
}

/* An entry of the table: state (0 free, 2 complete), count, words. */
static const uint32_t *table_entry(const struct kernel *kernel, const uint32_t *counters, uint32_t index)
{
    return counters + COUNTER_HISTOGRAM + kernel->histogram_words + (size_t)index * (kernel->words + 2);
}

/* Entries in the order of their words, so that equal ones are adjacent: two items may have claimed entries for one
 * outcome at the same moment. */
static int compare_entries(const void *a, const void *b, void *words)
{
    return memcmp(*(const uint32_t *const *)a + 2, *(const uint32_t *const *)b + 2,
                  *(const unsigned *)words * sizeof(uint32_t));
}

void kernel_outcomes(const struct litmus_test *test, const struct kernel *kernel, const uint32_t *counters,
                     void (*visit)(const int64_t *values, uint64_t count, void *context), void *context)
{
    int64_t values[LITMUS_MAXIMUM_VARIABLES];
    for (uint32_t bin = 0; bin < kernel->outcomes; bin++) {
        if (counters[COUNTER_HISTOGRAM + bin] == 0)
            continue;
        values_of_bin(kernel, bin, values);
        visit(values, counters[COUNTER_HISTOGRAM + bin], context);
    }
    uint32_t count = 0;
    unsigned words = kernel->words;
    const uint32_t **used = memory_take(kernel->table_entries, sizeof *used);
    for (uint32_t i = 0; i < kernel->table_entries; i++)
        if (table_entry(kernel, counters, i)[1] != 0)
            used[count++] = table_entry(kernel, counters, i);
    qsort_r(used, count, sizeof *used, compare_entries, &words);
    for (uint32_t i = 0; i < count;) {
        const uint32_t *first = used[i];
        uint64_t sum = 0;
        for (; i < count && compare_entries(&first, &used[i], &words) == 0; i++)
            sum += used[i][1];
        values_of_words(test, first + 2, values);
        visit(values, sum, context);
    }
    free(used);
}
