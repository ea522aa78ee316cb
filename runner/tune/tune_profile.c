// SPDX-License-Identifier: Apache-2.0
/* A tuned environment as an INI file. */
#include "runner/tune/tune_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/quantity.h"
#include "base/terminal/terminal.h"
#include "base/whole_file.h"
#include "version.h"

/* Names are cut: the reader of profiles takes lines of 200 bytes. */
static void add_name(struct text *text, const char *name)
{
    char cut[100];
    (void)snprintf(cut, sizeof cut, "%.99s", name);
    terminal_add_safe(text, cut);
}

static void add_date(struct text *text)
{
    const time_t now = time(NULL);
    struct tm parts;
    char date[32];
    if (gmtime_r(&now, &parts) && strftime(date, sizeof date, "%Y-%m-%d", &parts) > 0)
        text_add(text, " on %s", date);
}

static void add_rate(const struct tune_rate *rate, struct text *text)
{
    char witnesses[QUANTITY_SIZE], instances[QUANTITY_SIZE];
    const double per_second = rate->seconds > 0 ? (double)rate->instances / rate->seconds : 0;
    text_add(text, "%s witnesses/s, %s instances/s", quantity_short(tune_rate_value(rate), witnesses),
             quantity_short(per_second, instances));
}

static void add_devices(const struct bench *bench, struct text *text)
{
    const struct backend_device *last = NULL;
    for (size_t i = 0; i < bench->pair_count; i++) {
        const struct backend_device *device = bench->pairs[i].job->device;
        if (device == last)
            continue;
        text_add(text, "; Device %s:%u: ", device->backend, device->index);
        add_name(text, device->name);
        text_add(text, "\n;   driver ");
        add_name(text, device->driver);
        text_add(text, "\n");
        last = device;
    }
}

static void add_rates(const struct bench *bench, const struct trial *trial, const struct tune_origin *origin,
                      struct text *text)
{
    char count[QUANTITY_SIZE];
    text_add(text, "; %s\n", origin->again ? "Measured again after the search:" : "Measured in an interrupted search:");
    for (size_t i = 0; i < bench->pair_count; i++) {
        const struct planned_job *job = bench->pairs[i].job;
        text_add(text, ";   ");
        add_name(text, job->test->test->name);
        text_add(text, " (%s) on %s:%u\n;     ", litmus_dialect_name(job->test->test->dialect), job->device->backend,
                 job->device->index);
        add_rate(&trial->rates[i], text);
        if (origin->reference && origin->reference != trial) {
            text_add(text, "\n;     the profile %s: ", origin->start);
            add_rate(&origin->reference->rates[i], text);
        }
        text_add(text, "\n");
    }
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
    text_add(text, "; Made by orchil tune, orchil %s", ORCHIL_VERSION);
    add_date(text);
    text_add(text, ": candidate %" PRIu64 " of %" PRIu64 ", seed %" PRIu64 ".\n; Every trial is in run %" PRId64 " of ",
             trial->number, origin->trials, bench->seed, bench->run_id);
    add_name(text, origin->database);
    text_add(text, ".\n");
    add_devices(bench, text);
    add_rates(bench, trial, origin, text);
    text_add(text, "[environment]\n");
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        add_parameter(text, environment_parameters[i].name, environment_range_in(&trial->environment, i));
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
