// SPDX-License-Identifier: Apache-2.0
/* Counters back to outcomes. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/kernel.h"

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
    COUNTER_LIST(COUNTER_ROW)
#undef COUNTER_ROW
#undef KIND_VOID
#undef KIND_LIVENESS
#undef KIND_NONE
};

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

/* Entries in the order of their words, so that equal ones are adjacent: two items may have claimed
 * entries for one outcome at the same moment. */
struct entry_order {
    const struct kernel *kernel;
    const uint32_t *counters;
};

static int compare_entries(const void *a, const void *b, void *context)
{
    const struct entry_order *order = context;
    return memcmp(table_entry(order->kernel, order->counters, *(const uint32_t *)a) + 2,
                  table_entry(order->kernel, order->counters, *(const uint32_t *)b) + 2,
                  order->kernel->words * sizeof(uint32_t));
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
    uint32_t *used = memory_take(kernel->table_entries, sizeof *used);
    for (uint32_t i = 0; i < kernel->table_entries; i++)
        if (table_entry(kernel, counters, i)[1] != 0)
            used[count++] = i;
    struct entry_order order = {kernel, counters};
    qsort_r(used, count, sizeof *used, compare_entries, &order);
    for (uint32_t i = 0; i < count;) {
        const uint32_t first = used[i];
        uint64_t sum = 0;
        for (; i < count && compare_entries(&first, &used[i], &order) == 0; i++)
            sum += table_entry(kernel, counters, used[i])[1];
        values_of_words(test, table_entry(kernel, counters, first) + 2, values);
        visit(values, sum, context);
    }
    free(used);
}
