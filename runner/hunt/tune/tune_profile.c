// SPDX-License-Identifier: Apache-2.0
/* A tuned environment as an INI file. */
#include "runner/hunt/tune/tune_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "base/terminal/terminal.h"
#include "base/whole_file.h"
#include "runner/protocol/device_address.h"
#include "version.h"

/* Names are cut because the reader of profiles takes lines of 200 bytes. */
static void add_name(struct text *text, const char *name)
{
    char cut[100];
    (void)snprintf(cut, sizeof cut, "%.99s", name);
    terminal_add_safe(text, cut);
}

static void add_date(struct text *text)
{
    char day[CLOCK_DAY_SIZE];
    if (clock_today(day)[0])
        text_add(text, " on %s", day);
}

static double instances_per_second(const struct tune_rate *rate)
{
    return rate->seconds > 0 ? (double)rate->instances / rate->seconds : 0;
}

/* Adds the rate of a pair, on one side of the comparison, with its interval. */
static void add_rate(const struct tune_duel *duel, enum tune_side side, size_t pair, struct text *text)
{
    char interval[TUNE_INTERVAL_SIZE], instances[QUANTITY_SIZE];
    const double per_second = instances_per_second(&duel->sides[side].rates[pair]);
    text_add(text, "%s witnesses/s, %s instances/s", tune_repeats_print(&duel->rates[side][pair], interval),
             quantity_short(per_second, instances));
}

/* Adds a rate of an interrupted search, with the bounds from its batches. */
static void add_searched_rate(const struct tune_rate *rate, struct text *text)
{
    char value[QUANTITY_SIZE], lower[QUANTITY_SIZE], upper[QUANTITY_SIZE], instances[QUANTITY_SIZE];
    text_add(text, "%s witnesses/s", quantity_short(tune_rate_value(rate), value));
    if (rate->batches >= TUNE_LEAST_BATCHES)
        text_add(text, " (by its batches %s to %s)", quantity_short(tune_rate_lower(rate), lower),
                 quantity_short(tune_rate_upper(rate), upper));
    text_add(text, ", %s instances/s", quantity_short(instances_per_second(rate), instances));
}

static void add_devices(const struct bench *bench, struct text *text)
{
    const struct backend_device *last = NULL;
    for (size_t i = 0; i < bench->pair_count; i++) {
        const struct backend_device *device = bench->pairs[i].job->device;
        if (device == last)
            continue;
        text_add(text, "; Device %s: ", device_address(device).text);
        add_name(text, device->name);
        text_add(text, "\n;   driver ");
        add_name(text, device->driver);
        text_add(text, "\n");
        last = device;
    }
}

static void add_heading(const struct tune_origin *origin, struct text *text)
{
    const struct tune_duel *duel = origin->duel;
    if (!duel)
        text_add(text, "; Measured in an interrupted search, not compared with the profile %s:\n", origin->start);
    else if (duel->verdict == TUNE_VERDICT_ALONE)
        text_add(text, "; Measured %u times (95 %% intervals); the profile %s could not be measured:\n",
                 duel->rates[TUNE_CANDIDATE][0].count, origin->start);
    else
        text_add(text, "; Measured in turn with the profile %s, %u times each (95 %% intervals):\n", origin->start,
                 duel->ratio.count);
}

static void add_rates(const struct bench *bench, const struct trial *trial, const struct tune_origin *origin,
                      struct text *text)
{
    const struct tune_duel *duel = origin->duel;
    char interval[TUNE_INTERVAL_SIZE];
    add_heading(origin, text);
    for (size_t i = 0; i < bench->pair_count; i++) {
        const struct planned_job *job = bench->pairs[i].job;
        text_add(text, ";   ");
        add_name(text, job->test->test->name);
        text_add(text, " (%s) on %s\n;     ", litmus_dialect_name(job->test->test->dialect),
                 device_address(job->device).text);
        if (duel)
            add_rate(duel, TUNE_CANDIDATE, i, text);
        else
            add_searched_rate(&trial->rates[i], text);
        if (duel && duel->verdict == TUNE_VERDICT_BETTER) {
            text_add(text, "\n;     the profile %s: ", origin->start);
            add_rate(duel, TUNE_START, i, text);
        }
        text_add(text, "\n");
    }
    if (duel && duel->verdict == TUNE_VERDICT_BETTER)
        text_add(text, "; %s times the rate of %s.\n", tune_repeats_print(&duel->ratio, interval), origin->start);
}

static void add_controls(const struct trial *trial, struct text *text)
{
    char count[QUANTITY_SIZE];
    if (trial->control_instances > 0)
        text_add(text, "; Controls in the same environment: 0 witnesses in %s instances.\n",
                 quantity_count(trial->control_instances, count));
}

static void add_parameter(struct text *text, const char *name, struct environment_range range)
{
    text_add(text, "%s = %u", name, range.low);
    if (range.high != range.low)
        text_add(text, "..%u", range.high);
    text_add(text, "\n");
}

void tune_profile_print(const struct bench *bench, const struct trial *trial, const struct tune_origin *origin,
                        struct text *text)
{
    struct tune_origin safe = *origin;
    struct text start = {0};
    add_name(&start, origin->start); /* may be the name of a file */
    safe.start = text_string(&start);
    text_add(text, "; Made by orchil tune, orchil %s", ORCHIL_VERSION);
    add_date(text);
    text_add(text, ": candidate %" PRIu64 " of %" PRIu64 ", seed %" PRIu64 ".\n; Every trial is in run %" PRId64 " of ",
             trial->number, origin->trials, bench->seed, bench->run_id);
    add_name(text, origin->database);
    text_add(text, ".\n");
    add_devices(bench, text);
    add_rates(bench, trial, &safe, text);
    add_controls(trial, text);
    text_add(text, "[environment]\n");
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        add_parameter(text, environment_parameters[i].name, trial->environment.ranges[i]);
    if (trial->environment.homes[0] != '\0')
        text_add(text, "home = %s\n", trial->environment.homes);
    text_release(&start);
}

/* ---- the file ---- */

/* Adds what to do to an error. */
static enum status say_choose(enum status status, struct error *error)
{
    if (status == STATUS_OK)
        return status;
    const struct error told = *error;
    return error_set(error, status, "the profile %.900s; choose another with --out", told.text);
}

enum status tune_profile_check(const char *path, struct error *error)
{
    return say_choose(file_check_writable(path, error), error);
}

enum status tune_profile_write(const char *path, const struct text *text, struct error *error)
{
    return say_choose(file_write_whole(path, text_string(text), text->size, error), error);
}
