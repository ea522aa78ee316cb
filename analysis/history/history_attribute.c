// SPDX-License-Identifier: Apache-2.0
/* What changed at a step: the driver, something else, both, or nothing recorded. */
#include "analysis/history/history.h"

static const struct {
    const char *member, *words;
    bool suspect;
} facts[HISTORY_FACT_COUNT] = {
#define HISTORY_FACT_ROW(name, member, words, suspect) [HISTORY_##name] = {member, words, suspect},
    HISTORY_FACT_LIST(HISTORY_FACT_ROW)};

/* A number has changed if the runs next to the step are separated: all on one side are above all on the other, and
 * their medians differ by a factor and by a difference. Temperature and power follow from the rest. */
static const struct {
    const char *words, *unit;
    double factor, difference;
    bool suspect;
} numbers[CIRCUMSTANCE_COUNT] = {
    [CIRCUMSTANCE_SM_CLOCK] = {"SM clock", " MHz", 1.03, 0, true},
    [CIRCUMSTANCE_MEMORY_CLOCK] = {"memory clock", " MHz", 1.03, 0, true},
    [CIRCUMSTANCE_TEMPERATURE] = {"temperature", " °C", 1, 5, false},
    [CIRCUMSTANCE_POWER] = {"power", " W", 1.1, 0, false},
    [CIRCUMSTANCE_OTHER_PROCESSES] = {"other processes on the device", "", 1, 1, true},
    [CIRCUMSTANCE_HOST_LOAD] = {"load of the host", "", 2, 0.5, true},
    [CIRCUMSTANCE_CPU_CLOCK] = {"CPU clock", " MHz", 1.03, 0, true},
};

/* ---- words ---- */

/* The compiler of OpenCL is a part of the driver. */
static bool is_suspect(const struct history_device *device, enum history_fact fact)
{
    return facts[fact].suspect && !(fact == HISTORY_COMPILER && strcmp(device->backend, "opencl") == 0);
}

static bool history_attribute_differs(const struct history_device *device, enum history_fact fact, size_t device_run)
{
    return device_run > 0 &&
           strcmp(device->runs[device_run - 1].facts[fact], device->runs[device_run].facts[fact]) != 0;
}

/* ---- numbers ---- */

enum { NEAR = 5 }; /* runs next to a step that are looked at */

struct level_range {
    double low, high, middle;
    size_t count;
};

static void add_level(struct level_range *level, double number)
{
    if (isnan(number))
        return;
    level->low = level->count == 0 ? number : fmin(level->low, number);
    level->high = level->count == 0 ? number : fmax(level->high, number);
    level->middle += (number - level->middle) / (double)(level->count + 1);
    level->count++;
}

static bool lie_apart(const struct level_range *before, const struct level_range *after, size_t which)
{
    const double larger = fmax(before->middle, after->middle), smaller = fmin(before->middle, after->middle);
    return before->count > 0 && after->count > 0 && (before->high < after->low || after->high < before->low) &&
           larger >= smaller * numbers[which].factor && larger - smaller >= numbers[which].difference;
}

static void find_numbers(struct history *history, const struct history_device *device, size_t before, size_t after,
                         struct history_step *step)
{
    struct arena *arena = &history->arena;
    for (size_t which = 0; which < CIRCUMSTANCE_COUNT; which++) {
        struct level_range left = {.count = 0}, right = {.count = 0};
        for (size_t i = 0; i < NEAR && step->device_run - i > before; i++)
            add_level(&left, device->runs[step->device_run - 1 - i].numbers[which]);
        for (size_t i = 0; i < NEAR && step->device_run + i < after; i++)
            add_level(&right, device->runs[step->device_run + i].numbers[which]);
        if (!lie_apart(&left, &right, which))
            continue;
        ARENA_ADD(arena, step->changes, step->change_count) =
            (struct history_change){.member = circumstance_member((enum circumstance)which),
                                    .words = numbers[which].words,
                                    .suspect = numbers[which].suspect,
                                    .device_run = step->device_run,
                                    .probability = step->probability,
                                    .before = arena_print(arena, "%.4g%s", left.middle, numbers[which].unit),
                                    .after = arena_print(arena, "%.4g%s", right.middle, numbers[which].unit)};
    }
}

/* ---- kernels ---- */

/* Only replayed kernels differ within a series. The kernels of the surest move are compared. */
static void find_kernel(struct history *history, struct history_step *step)
{
    const struct history_segment *segment = step->moves->series->segment;
    size_t after = INDEX_OF(one, segment->device_runs, segment->run_count, *one >= step->device_run);
    if (after == 0 || after == segment->run_count || strcmp(segment->kernels[after - 1], segment->kernels[after]) == 0)
        return;
    struct arena *arena = &history->arena;
    ARENA_ADD(arena, step->changes, step->change_count) =
        (struct history_change){.member = "kernel_hash",
                                .words = "replayed kernel",
                                .suspect = true,
                                .device_run = step->device_run,
                                .probability = step->probability,
                                .before = arena_print(arena, "%.8s", segment->kernels[after - 1]),
                                .after = arena_print(arena, "%.8s", segment->kernels[after])};
}

/* ---- the cause ---- */

static enum history_cause find_cause(const struct history_options *options, const struct history_step *step)
{
    size_t drivers = 0, others = 0;
    double probability = 0;
    for (size_t i = 0; i < step->change_count; i++) {
        drivers += step->changes[i].is_driver;
        others += step->changes[i].suspect && !step->changes[i].is_driver;
        if (step->changes[i].is_driver)
            probability = fmax(probability, step->changes[i].probability);
    }
    if (drivers == 0)
        return others > 0 ? HISTORY_BY_OTHER : HISTORY_BY_NOTHING;
    return others == 0 && probability >= options->confidence ? HISTORY_BY_DRIVER : HISTORY_UNCLEAR;
}

static void put_suspects_first(struct history_step *step)
{
    for (size_t i = 1; i < step->change_count; i++)
        for (size_t k = i; k > 0 && step->changes[k].suspect && !step->changes[k - 1].suspect; k--) {
            const struct history_change other = step->changes[k];
            step->changes[k] = step->changes[k - 1];
            step->changes[k - 1] = other;
        }
}

void history_attribute(struct history *history, const struct history_device *device, size_t before, size_t after,
                       struct history_step *step)
{
    for (enum history_fact fact = 0; fact < HISTORY_FACT_COUNT; fact++)
        for (size_t device_run = step->first; device_run <= step->last; device_run++)
            if (history_attribute_differs(device, fact, device_run))
                ARENA_ADD(&history->arena, step->changes, step->change_count) =
                    (struct history_change){.member = facts[fact].member,
                                            .words = facts[fact].words,
                                            .is_driver = fact == HISTORY_DRIVER,
                                            .suspect = is_suspect(device, fact),
                                            .device_run = device_run,
                                            .probability = step->posterior[device_run],
                                            .before = device->runs[device_run - 1].facts[fact],
                                            .after = device->runs[device_run].facts[fact]};
    find_numbers(history, device, before, after, step);
    find_kernel(history, step);
    put_suspects_first(step);
    step->cause = find_cause(&history->options, step);
    size_t nearest = SIZE_MAX;
    for (size_t device_run = 1; device_run < device->run_count; device_run++) {
        const size_t distance =
            device_run > step->device_run ? device_run - step->device_run : step->device_run - device_run;
        if ((device_run >= step->first && device_run <= step->last) ||
            !history_attribute_differs(device, HISTORY_DRIVER, device_run) || distance >= nearest)
            continue;
        nearest = distance;
        step->driver_changed = device_run;
    }
}
