// SPDX-License-Identifier: Apache-2.0
/* Any test that parses is refused with a reason or becomes a kernel, in both lowerings: its plan is within bounds,
 * every environment gives a launch whose tables lie in the draw buffer, and any values of the counters are mapped to
 * outcomes of the test whose counts add up. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_index.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernel/kernel.h"
#include "litmus/litmus.h"
#include "runner/environment/environment.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

#define DEVICE(what, groups, items, width)                                                                             \
    {                                                                                                                  \
        .backend = "opencl", .name = "fuzz", .takes = (what), .atomic_orders = BACKEND_ALL_ORDERS,                     \
        .atomic_scopes = BACKEND_ALL_SCOPES, .fence_orders = BACKEND_ALL_ORDERS, .fence_scopes = BACKEND_ALL_SCOPES,   \
        .types = BACKEND_ALL_TYPES, .paths = BACKEND_ALL_PATHS, .compute_units = (groups), .max_group_size = (items),  \
        .sub_group_size = (width), .memory_bytes = (uint64_t)1 << 32, .local_bytes = 48 * 1024,                        \
        .max_cluster_groups = 8                                                                                        \
    }

/* A GPU that takes PTX, a CPU that takes OpenCL C, and a device that is too small for most. */
static const struct backend_device devices[] = {
    DEVICE(BACKEND_TAKES_PTX, 132, 1024, 32),
    DEVICE(BACKEND_TAKES_C11, 8, 4096, 1),
    DEVICE(BACKEND_TAKES_C11 | BACKEND_TAKES_PTX, 1, 64, 8),
};

static void check_kernel(const struct litmus_test *test, const struct kernel *kernel)
{
    uint64_t outcomes = 1;
    demand(kernel->slots >= 1 && kernel->slots <= KERNEL_MAXIMUM_SLOTS && kernel->bodies == test->body_count);
    demand(kernel->width >= 1 && kernel->variables == test->variable_count && kernel->words <= KERNEL_MAXIMUM_WORDS);
    demand(kernel->outcomes <= KERNEL_MAXIMUM_OUTCOMES && kernel->histogram_words > kernel->outcomes);
    demand(kernel->counter_words >=
           COUNTER_HISTOGRAM + kernel->histogram_words + (uint64_t)kernel->table_entries * (kernel->words + 2));
    demand(kernel->body + kernel->body_size < strlen(kernel->source));
    for (unsigned body = 0; body < kernel->bodies; body++)
        demand(kernel->slot_of[body] < kernel->slots);
    for (unsigned v = 0; v < kernel->variables && kernel->outcomes > 0; v++) {
        const struct kernel_domain *domain = &kernel->domains[v];
        demand(domain->count >= 1 && domain->count <= KERNEL_MAXIMUM_DOMAIN);
        for (uint32_t i = 1; i < domain->count; i++)
            demand(domain->values[i - 1] < domain->values[i]);
        outcomes *= domain->count;
    }
    demand(kernel->outcomes == 0 || kernel->outcomes == outcomes);
}

/* ---- draws ---- */

/* A built-in environment, or one with any valid ranges. */
static void choose_environment(struct random *random, const struct backend_device *device,
                               struct environment *environment)
{
    environment_default(device, environment);
    for (int i = 0; i < PARAMETER_COUNT && random->base % 4 != 0; i++) {
        const struct environment_parameter *parameter = &environment_parameters[i];
        struct environment_range *range = &environment->ranges[i];
        range->low = random_between(random, parameter->lowest, parameter->highest);
        range->high = random_between(random, range->low, parameter->highest);
    }
}

/* A table of this many words lies in the draw buffer, after the fixed words. */
static void check_table(const struct draw *draw, enum draw_word position, size_t words)
{
    demand(draw->words[position] >= DRAW_FIXED_WORDS && draw->words[position] + words <= draw->word_count);
}

static void check_draw(const struct kernel *kernel, const struct backend_device *device, const struct draw *draw)
{
    const uint32_t *words = draw->words;
    demand(draw->group_size >= 1 && draw->group_size <= device->max_group_size);
    demand(draw->testing_groups >= 1 && draw->testing_groups <= draw->groups &&
           draw->testing_groups % kernel->slots == 0);
    demand(draw->rounds >= 1 && draw->rounds < 1 << 16);
    demand(draw->instances == (uint64_t)words[DRAW_REGIONS] * (draw->group_size / kernel->width) * draw->rounds);
    demand(draw->local_bytes <= device->local_bytes && draw->counter_words >= kernel->counter_words);
    check_table(draw, DRAW_SHUFFLE, draw->groups);
    check_table(draw, DRAW_TEAM_MAPS, 3 * (size_t)words[DRAW_TEAM_MAP_COUNT]);
    check_table(draw, DRAW_LANE_MAPS, LANE_MAP_WORDS * (size_t)kernel->bodies);
    check_table(draw, DRAW_CELL_MAPS, 3 * (size_t)kernel->locations);
    check_table(draw, DRAW_STRESS_LINES, words[DRAW_STRESS_LINE_COUNT]);
    demand(words[DRAW_REGIONS] == (uint64_t)draw->testing_groups * words[DRAW_REPEATS] && words[DRAW_REPEATS] >= 1);
    demand(words[DRAW_CELLS] +
               (uint64_t)words[DRAW_REGIONS] * (draw->group_size / kernel->width) * kernel->cell_words <=
           draw->memory_words);
    for (uint32_t i = 0; i < draw->groups; i++)
        demand(words[words[DRAW_SHUFFLE] + i] < draw->groups);
}

static void draw_batches(struct random *random, const struct kernel *kernel, const struct backend_device *device)
{
    struct environment environment;
    choose_environment(random, device, &environment);
    const uint32_t largest = random_between(random, 1, 64);
    const struct draw_limits limits = {.resident_groups = random_between(random, 1, largest),
                                       .max_group_size = device->max_group_size,
                                       .sub_group_size = device->sub_group_size,
                                       .local_bytes = device->local_bytes,
                                       .batch_instances = random_below(random, 3) * random_below(random, 100000),
                                       .remaining_instances = random_below(random, 2) * random_below(random, 1000)};
    for (uint64_t batch = 0; batch < 2; batch++) {
        struct draw draw, again;
        struct error error = {0};
        if (draw_make(&environment, kernel, &limits, random->base, 1, batch, &draw, &error) != STATUS_OK) {
            demand(error.text[0] != '\0');
            return;
        }
        check_draw(kernel, device, &draw);
        demand(draw_make(&environment, kernel, &limits, random->base, 1, batch, &again, &error) == STATUS_OK);
        demand(strcmp(text_string(&draw.json), text_string(&again.json)) == 0);
        draw_release(&again);
        draw_release(&draw);
    }
}

/* ---- counters ---- */

struct mapped {
    const struct litmus_test *test;
    uint64_t sum;
    size_t outcomes;
};

static void take_outcome(const int64_t *values, uint64_t count, void *context)
{
    struct mapped *mapped = context;
    struct text label = {0};
    mapped->sum += count;
    mapped->outcomes++;
    demand(count > 0);
    for (size_t v = 0; v < mapped->test->variable_count; v++) {
        const enum litmus_type type = litmus_variable_type(mapped->test, &mapped->test->variables[v]);
        demand(litmus_wrap(type, values[v]) == values[v]);
    }
    litmus_print_outcome(mapped->test, values, &label);
    demand(litmus_label_is_witness(mapped->test, text_string(&label)) == litmus_is_witness(mapped->test, values));
    text_release(&label);
}

/* Counts in some bins and entries, with any value, as a faulty device could leave them. */
static void map_counters(struct random *random, const struct litmus_test *test, const struct kernel *kernel)
{
    uint32_t *counters = memory_take(kernel->counter_words, sizeof *counters);
    uint32_t *table = counters + COUNTER_HISTOGRAM + kernel->histogram_words;
    struct mapped mapped = {.test = test};
    uint64_t sum = 0;
    for (unsigned i = 0; i < 8 && kernel->outcomes > 0; i++) {
        uint32_t *bin = &counters[COUNTER_HISTOGRAM + random_below(random, kernel->outcomes)];
        sum -= *bin;
        sum += *bin = (uint32_t)random_next(random) | 1;
    }
    for (unsigned i = 0; i < 8 && kernel->table_entries > 0; i++) {
        uint32_t *entry = table + (size_t)random_below(random, kernel->table_entries) * (kernel->words + 2);
        sum -= entry[1];
        sum += entry[1] = (uint32_t)random_next(random) | 1;
        entry[0] = 2;
        for (unsigned w = 0; w < kernel->words; w++)
            entry[2 + w] = i % 2 == 0 ? (uint32_t)random_next(random) : random_below(random, 2);
    }
    kernel_outcomes(test, kernel, counters, take_outcome, &mapped);
    demand(mapped.sum == sum);
    free(counters);
}

static void check_labels(const struct litmus_test *test, const struct kernel *kernel)
{
    struct backend_counter *list;
    size_t count;
    kernel_counters(test, kernel, &list, &count);
    for (size_t i = 0; i < count; i++)
        demand(list[i].label && list[i].index < kernel->counter_words);
    kernel_release_counters(list, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct litmus_test *test;
    struct error error = {0};
    if (litmus_parse("fuzz", (const char *)bytes, size, &test, &error) != STATUS_OK)
        return 0;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        struct kernel kernel;
        struct random random = random_start(hash_index_key((int)i, test->text), size, i, 0);
        if (kernel_generate(test, &devices[i], NULL, false, &kernel, &error) != STATUS_OK) {
            demand(error.text[0] != '\0' && !kernel.source);
            continue;
        }
        check_kernel(test, &kernel);
        check_labels(test, &kernel);
        draw_batches(&random, &kernel, &devices[i]);
        map_counters(&random, test, &kernel);
        kernel_release(&kernel);
    }
    litmus_release(test);
    return 0;
}
