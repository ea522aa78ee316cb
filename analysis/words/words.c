// SPDX-License-Identifier: Apache-2.0
/* Parts of sentences: rates, ratios, devices and tests. */
#include "analysis/words/words.h"

void words_add_counts(struct text *text, const struct words_count *counts, size_t size)
{
    bool open = false;
    for (size_t i = 0; i < size; i++) {
        if (counts[i].count == 0)
            continue;
        text_add(text, "%s%zu %s", open ? ", " : " (", counts[i].count, counts[i].what);
        open = true;
    }
    text_add(text, "%s", open ? ")" : "");
}

ORDERED_BY(by_seconds, const struct words_job, ORDER(b->seconds, a->seconds))

void words_add_slowest(struct text *text, struct words_job *jobs, size_t count)
{
    enum { SHOWN = 5 };
    const double all = SUM_OF(double, job, jobs, count, job->seconds);
    SORT(jobs, count, by_seconds);
    if (count < SHOWN || jobs[0].seconds <= 1)
        return;
    for (size_t i = 0; i < SHOWN && jobs[i].seconds > 1; i++)
        words_add(text, "$ $ $", i > 0 ? "," : "Slowest:", jobs[i].name, QUANTITY_SECONDS(jobs[i].seconds));
    text_add(text, " of %s.", QUANTITY_SECONDS(all));
}

/* ---- figures and names ---- */

const char *words_counted(uint64_t count, const char *one, const char *many, char buffer[WORDS_COUNTED_SIZE])
{
    (void)snprintf(buffer, WORDS_COUNTED_SIZE, "%s %s", QUANTITY_COUNT(count), count == 1 ? one : many);
    return buffer;
}

const char *words_ratio_bound(const struct statistics_ratio *ratio)
{
    return ratio->kind == STATISTICS_RATIO_AT_LEAST  ? "at least "
           : ratio->kind == STATISTICS_RATIO_AT_MOST ? "at most "
                                                     : "";
}

void words_add_device(struct text *text, const struct sample *sample)
{
    words_add(text, "$", sample->row.device);
    if (sample->apart && *sample->apart)
        words_add(text, " ($)", sample->apart);
    else if (sample->has_namesake && *sample->row.device_uuid)
        words_add(text, " $", sample->row.device_uuid);
}

void words_add_device_option(struct text *text, const struct sample *sample)
{
    const struct store_job_row *row = &sample->row;
    LOCAL(text) spec = {0};
    if (strcmp(row->backend, "ensemble") == 0)
        return;
    if (!strchr(row->device, ',')) /* a name with a comma is found without its backend */
        text_add(&spec, "%s:", row->backend);
    words_add(&spec, "$", sample->has_namesake && *row->device_uuid ? row->device_uuid : row->device);
    text_add_option(text, "device", text_string(&spec));
}

void words_add_test(struct text *text, const struct sample *sample)
{
    words_add(text, "$ (", sample->row.test);
    if (*sample->row.controls)
        words_add(text, "control of $, ", sample->row.controls);
    words_add(text, "$ on $, ", sample->row.dialect, sample->row.backend);
    words_add_device(text, sample);
    if (*store_requested_lowering(&sample->row))
        words_add(text, ", lowering $", store_requested_lowering(&sample->row));
    text_add(text, ")");
}

void words_add_devices(struct text *text, const struct side *side)
{
    enum { MOST = 4 };
    const struct sample *shown[MOST];
    size_t count = 0;
    FOR_EACH(const struct sample, sample, side->samples, side->sample_count) {
        bool known = false;
        for (size_t at = 0; at < count && at < MOST; at++)
            known |= sample_same_device(shown[at], sample);
        if (known || count++ >= MOST)
            continue;
        shown[count - 1] = sample;
        words_add(text, "$$: ", count == 1 ? "; " : ", ", sample->row.backend);
        words_add_device(text, sample);
        words_add(text, "$$", *sample->row.driver ? " with driver " : " with a driver without a name",
                  sample->row.driver);
    }
    text_add(text, "%s", count > MOST ? " and others" : "");
}

/* ---- kinds of members of JSON objects ---- */

#define WORDS_INTERVAL(kind, is, says)                                                                                 \
    const struct field_type field_##kind##_type = {                                                                    \
        .shape = (is), .name = #kind, .meaning = (says), .of = &field_number_or_null_type};
WORDS_INTERVAL(interval, FIELD_IS_PAIR, "`[low, high]`, with 95 % confidence; null for a bound that is unknown")
WORDS_INTERVAL(interval_or_null, FIELD_IS_PAIR | FIELD_IS_NULL,
               "`[low, high]`, with 95 % confidence; null if none is known")

json_t *field_interval(struct interval interval)
{
    return json_pack("[oo]", json_number(interval.low), json_number(interval.high));
}

json_t *field_interval_or_null(struct interval interval)
{
    return isnan(interval.low) && isnan(interval.high) ? json_null() : field_interval(interval);
}

struct interval words_shown_interval(const struct statistics_ratio *ratio)
{
    return statistics_has_interval(ratio) ? ratio->interval : (struct interval){NAN, NAN};
}

static const char *words_ratio_kind(size_t kind)
{
    return kind <= STATISTICS_RATIO_IN_DRAWS ? statistics_ratio_kind_name((enum statistics_ratio_kind)kind) : NULL;
}

const struct field_type field_ratio_kind_type = {
    .shape = FIELD_IS_TEXT,
    .name = "ratio_kind",
    .word = words_ratio_kind,
    .meaning = "`measured`; `at-least` or `at-most` if one side saw nothing and the ratio is a bound; `in-draws` if "
               "there are too few draws to know how much draws differ"};
json_t *field_ratio_kind(enum statistics_ratio_kind kind)
{
    return json_text(statistics_ratio_kind_name(kind));
}

const struct field_type field_probability_type = {.shape = FIELD_IS_NUMBER | FIELD_IS_NULL | FIELD_IS_PROBABILITY,
                                                  .name = "probability",
                                                  .meaning = "a probability; null if unknown"};
json_t *field_probability(double probability)
{
    return json_number(probability);
}

const struct field_type field_rate_type = {.shape = FIELD_IS_NUMBER | FIELD_IS_NULL | FIELD_IS_PROBABILITY,
                                           .name = "rate",
                                           .meaning = "a probability per instance"};
json_t *field_rate(double rate)
{
    return json_number(rate);
}

#define UNREAD_MEMBERS(X)                                                                                              \
    X("file", text, "the database file", unread->database)                                                             \
    X("reason", text, "why the database could not be read", unread->error.text)
FIELD_RECORD(unread_file, UNREAD_MEMBERS, const struct side_unread *unread)
FIELD_SHARED_LIST_OF(unread, unread_file, "databases that could not be read",
                     (const struct side_unread *unread, size_t count), count, &unread[i])

#define UNREAD_SIDES_MEMBERS(X)                                                                                        \
    X("a", unread, NULL, side[0]->unread, side[0]->unread_count)                                                       \
    X("b", unread, NULL, side[1]->unread, side[1]->unread_count)
FIELD_SHARED(unread_of_sides, UNREAD_SIDES_MEMBERS, "for each side, the databases that could not be read",
             const struct side *const side[2])

#define CHANGED_MEMBERS(X)                                                                                             \
    X("model", text, "the name of the model", change->model)                                                           \
    X("stored_hash", text, "the hash of the model when it judged", change->stored_hash)                                \
    X("hash", nonempty_or_null, "the hash of the model now; null if the model no longer exists", change->hash)         \
    X("last_run", count, "the last run that has verdicts of the old model", (uint64_t)change->run_id)                  \
    X("judged_again", count, "the number of tests that were judged again", change->judged)                             \
    X("kept", count, "the number of tests that keep their stored verdicts", change->kept)                              \
    X("why", nonempty_or_null, "why the first such test keeps its verdicts; null if there is no such test", change->why)
FIELD_RECORD(changed_model, CHANGED_MEMBERS, const struct store_change *change)
FIELD_SHARED_LIST_OF(models_changed, changed_model, "models that have changed since they judged a test",
                     (const struct side *side), side->change_count, &side->changes[i])

#define CHANGED_SIDES_MEMBERS(X)                                                                                       \
    X("a", models_changed, NULL, side[0])                                                                              \
    X("b", models_changed, NULL, side[1])
FIELD_SHARED(models_changed_of_sides, CHANGED_SIDES_MEMBERS,
             "for each side, the models that have changed since they judged a test", const struct side *const side[2])
