// SPDX-License-Identifier: Apache-2.0
/* A history as JSON: each list of members is an object (base/field.h). Runs are counted from 1. */
#include "analysis/history/history.h"
#include "analysis/words/words.h"
#include "base/field.h"

static uint64_t run_number(const struct history_device *device, size_t device_run)
{
    return device->runs[device_run].run + 1;
}

/* ---- runs ---- */

#define RUN_MEMBERS(X)                                                                                                 \
    X("run", count, "the number of the run, from 1", number)                                                           \
    X("uuid", text, "the UUID of the run", run->uuid)                                                                  \
    X("started_at", text, "a time of day", run->started_at)                                                            \
    X("jobs", count, "the number of jobs", run->jobs)
FIELD_RECORD(history_run, RUN_MEMBERS, const struct history_run *run, size_t number)
FIELD_LIST(history_runs, history_run, (const struct history *history), history->run_count, &history->runs[i], i + 1)

/* What a run had of each fact, and of each circumstance: a member for each row of the two lists. */
#define FACT_ROW(name, member, words, suspect) {member, &field_text_or_null_type, "what the run had; null if unknown"},
#define CIRCUMSTANCE_ROW(name, member, ...)                                                                            \
    {member, &field_number_or_null_type, "the median of the circumstance; null if unknown"},
static const struct field device_run_fields[] = {{"run", &field_count_type, "the number of the run"},
                                                 HISTORY_FACT_LIST(FACT_ROW) CIRCUMSTANCE_LIST(CIRCUMSTANCE_ROW){0}};
static const struct field_type field_device_run_type = {.shape = FIELD_IS_OBJECT, .fields = device_run_fields};
static json_t *field_device_run(const struct history_device *device, size_t number)
{
    const struct history_device_run *device_run = &device->runs[number];
    const struct field *field = device_run_fields;
    json_t *object = json_object();
    field_set(object, field->name, field->type, json_count(run_number(device, number)));
    for (size_t f = 0; f < HISTORY_FACT_COUNT; f++)
        field_set(object, field[1 + f].name, field[1 + f].type, json_text(device_run->facts[f]));
    field += 1 + HISTORY_FACT_COUNT;
    for (size_t c = 0; c < CIRCUMSTANCE_COUNT; c++)
        field_set(object, field[c].name, field[c].type, json_number(device_run->numbers[c]));
    return object;
}
FIELD_LIST(device_runs, device_run, (const struct history_device *device), device->run_count, device, i)

/* ---- series ---- */

/* The test and outcome of a series; `test` is that of its segment. */
#define NAME_MEMBERS(X)                                                                                                \
    X("test", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, test->dialect)                                                                         \
    X("control_of", control_of, NULL, test->controls)                                                                  \
    X("lowering", lowering, NULL, test->lowering)                                                                      \
    X("outcome", outcome, NULL, series->label)                                                                         \
    X("verdict", verdict_or_null, NULL, verdict_word(series->verdict))                                                 \
    X("witness", witness, NULL, series->witness)                                                                       \
    X("environment_hash", hash, "the hash of the environment", series->segment->environment_hash)

#define POINT_MEMBERS(X)                                                                                               \
    X("run", count, "the number of the run", run_number(device, point->device_run))                                    \
    X("count", count, "how often the outcome was seen", point->count)                                                  \
    X("counted", count, "the number of instances that are not void", point->counted)                                   \
    X("rate", rate, NULL, point->rate)                                                                                 \
    X("interval", interval, "the interval of the rate", point->interval)                                               \
    X("outside", boolean, "whether the rate lies outside the band", point->outside)
FIELD_RECORD(history_point, POINT_MEMBERS, const struct history_device *device, const struct history_point *point)
FIELD_LIST(history_points, history_point, (const struct history_device *device, const struct history_series *series),
           series->segment->run_count, device, &series->points[i])

#define PART_MEMBERS(X)                                                                                                \
    X("first_run", count, "the first run of the stretch", run_number(device, points[part->first].device_run))          \
    X("last_run", count, "the last run", run_number(device, points[part->first + part->count - 1].device_run))         \
    X("runs", count, "the number of runs", part->count)                                                                \
    X("rate", rate, NULL, part->rate)                                                                                  \
    X("band", interval, "the interval in which the rate of a run is expected", part->band)
FIELD_RECORD(history_part, PART_MEMBERS, const struct history_device *device, const struct history_part *part,
             const struct history_point *points)
FIELD_LIST(history_parts, history_part, (const struct history_device *device, const struct history_series *series),
           series->part_count, device, &series->parts[i], series->points)

#define SERIES_MEMBERS(X)                                                                                              \
    NAME_MEMBERS(X)                                                                                                    \
    X("test_hash", hash, "the hash of the test's content", series->segment->test_hash)                                 \
    X("kernel_hash", text, "the hash of the kernel's text", series->segment->kernel_hash)                              \
    X("profile", text, "the name of the profile", series->segment->profile)                                            \
    X("points", history_points, "the rate in each run", device, series)                                                \
    X("parts", history_parts, "the stretches between steps", device, series)
FIELD_RECORD(history_one_series, SERIES_MEMBERS, const struct history_device *device,
             const struct history_series *series, const struct history_test *test)

FIELD_LIST(history_series, history_one_series, (const struct history_device *device), device->series_count, device,
           device->series[i], device->series[i]->segment->test)

/* ---- steps ---- */

#define MOVE_MEMBERS(X)                                                                                                \
    NAME_MEMBERS(X)                                                                                                    \
    X("ratio", number_or_null, "the factor by which the rates changed", move->ratio.ratio)                             \
    X("ratio_kind", ratio_kind, NULL, move->ratio.kind)                                                                \
    X("interval", interval_or_null, "the interval of the factor; null unless measured",                                \
      words_shown_interval(&move->ratio))                                                                              \
    X("p", probability, "the p-value of the change", move->p)                                                          \
    X("count", pair, "how often the outcome was seen, before and after the step", move->count)                         \
    X("counted", pair, "the number of instances that are not void, before and after the step", move->counted)
FIELD_RECORD(history_move, MOVE_MEMBERS, const struct history_move *move, const struct history_series *series,
             const struct history_test *test)
FIELD_LIST(history_moves, history_move, (const struct history_step *step), step->move_count, &step->moves[i],
           step->moves[i].series, step->moves[i].series->segment->test)

#define CHANGE_MEMBERS(X)                                                                                              \
    X("what", text, "the circumstance that changed", change->member)                                                   \
    X("before", text_or_null, "the value before the change", change->before)                                           \
    X("after", text_or_null, "the value after the change", change->after)                                              \
    X("run", count, "the first run with the new value", run_number(device, change->device_run))                        \
    X("suspect", boolean, "whether such a change can change a rate", change->suspect)                                  \
    X("probability", probability, "the probability that the change came with the step", change->probability)
FIELD_RECORD(history_change, CHANGE_MEMBERS, const struct history_device *device, const struct history_change *change)
FIELD_LIST(history_changes, history_change, (const struct history_device *device, const struct history_step *step),
           step->change_count, device, &step->changes[i])

#define POSTERIOR_MEMBERS(X)                                                                                           \
    X("run", count, "the number of the run", run_number(device, device_run))                                           \
    X("probability", probability, "the probability that the step is just before this run", step->posterior[device_run])
FIELD_RECORD(history_likely_run, POSTERIOR_MEMBERS, const struct history_device *device,
             const struct history_step *step, size_t device_run)

static const struct field_type field_history_posterior_type = {.shape = FIELD_IS_ARRAY,
                                                               .of = &field_history_likely_run_type};
static json_t *field_history_posterior(const struct history_device *device, const struct history_step *step)
{
    json_t *array = json_array();
    for (size_t device_run = 1; device_run < device->run_count; device_run++)
        if (step->posterior[device_run] >= 1e-6)
            json_append(array, field_history_likely_run(device, step, device_run));
    return array;
}

FIELD_NAMES(history_cause, enum history_cause, HISTORY_BY_NOTHING + 1, history_cause_word)
#define STEP_MEMBERS(X)                                                                                                \
    X("sentence", made_text, "the step in words", FIELD_WRITTEN(history_add_sentence, history, device, step))          \
    X("place", made_text, "the position of the step in words",                                                         \
      FIELD_WRITTEN(history_add_place, history, device, step))                                                         \
    X("attribution", made_text, "the cause of the step in words",                                                      \
      FIELD_WRITTEN(history_add_cause, history, device, step))                                                         \
    X("run", count, "the most likely first run after the step", run_number(device, step->device_run))                  \
    X("probability", probability, "the probability that the step is just before `run`", step->probability)             \
    X("first_run", count, "the first run in the step's confidence range", run_number(device, step->first))             \
    X("last_run", count, "the last run in the step's confidence range", run_number(device, step->last))                \
    X("p_adjusted", probability, "the p-value, corrected for all series and splits", step->p)                          \
    X("all_weak_rates", boolean, "whether all weak rates moved by one factor", step->shared)                           \
    X("ratio", number_or_null, "the factor by which the rates changed", step->ratio.ratio)                             \
    X("ratio_kind", ratio_kind, NULL, step->ratio.kind)                                                                \
    X("interval", interval_or_null, "the interval of the factor; null unless measured",                                \
      words_shown_interval(&step->ratio))                                                                              \
    X("cause", history_cause, "what changed together with the rates", step->cause)                                     \
    X("driver_changed_at_run", positive_or_null, "the run where the driver changed, if not the step's run",            \
      step->driver_changed > 0 ? run_number(device, step->driver_changed) : 0)                                         \
    X("changes", history_changes, "what changed near the step", device, step)                                          \
    X("posterior", history_posterior, "the probability of each run, from 1e-6 upward", device, step)                   \
    X("moves", history_moves, "the series that moved", step)
FIELD_RECORD(history_step, STEP_MEMBERS, const struct history *history, const struct history_device *device,
             const struct history_step *step)
FIELD_LIST(history_steps, history_step, (const struct history *history, const struct history_device *device),
           device->step_count, history, device, &device->steps[i])

/* ---- devices ---- */

#define BREAK_MEMBERS(X)                                                                                               \
    X("run", count, "the first run after the break", run_number(device, found->device_run))                            \
    X("tests", count, "the number of tests", found->tests)                                                             \
    X("first_test", text, "the first test with the break", found->first->name)                                         \
    X("test_text", boolean, "whether the text of the tests changed", found->test)                                      \
    X("environment", boolean, "whether the environment changed", found->environment)                                   \
    X("kernel", boolean, "whether the kernels changed", found->kernel)
FIELD_RECORD(history_break, BREAK_MEMBERS, const struct history_device *device, const struct history_break *found)
FIELD_LIST(history_breaks, history_break, (const struct history_device *device), device->break_count, device,
           &device->breaks[i])

#define DEVICE_MEMBERS(X)                                                                                              \
    X("backend", backend, NULL, device->backend)                                                                       \
    X("device", device, NULL, device->device)                                                                          \
    X("device_uuid", device_uuid, NULL, device->uuid)                                                                  \
    X("lag", number_or_null, "the correlation between successive runs; 0 if chance explains it", device->lag)          \
    X("findable_ratio", number_or_null,                                                                                \
      "how large a step in the middle of the median series must be to be found half of the time", device->findable)    \
    X("too_short", count, "the number of tests with too few runs to be searched", device->too_short)                   \
    X("runs", device_runs, "the runs of the device", device)                                                           \
    X("steps", history_steps, "the steps, at which rates changed", history, device)                                    \
    X("breaks", history_breaks, "the runs at which series cannot be continued", device)                                \
    X("series", history_series, "the rate of each outcome over time", device)
FIELD_RECORD(history_device, DEVICE_MEMBERS, const struct history *history, const struct history_device *device)
FIELD_LIST(history_devices, history_device, (const struct history *history), history->device_count, history,
           history->devices[i])

/* ---- alarms and scores ---- */

static const char *const why_words[] = {"forbidden", "control", "claim", NULL};
static const struct field_type field_alarm_why_type = {.shape = FIELD_IS_TEXT, .words = why_words};
static json_t *field_alarm_why(enum ruling_kind kind)
{
    return json_text(ruling_word(kind));
}

#define ALARM_MEMBERS(X)                                                                                               \
    X("test", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, test->dialect)                                                                         \
    X("backend", backend, NULL, alarm->device->backend)                                                                \
    X("device", device, NULL, alarm->device->device)                                                                   \
    X("outcome", outcome, NULL, alarm->series->label)                                                                  \
    X("why", alarm_why, "why the outcome must never appear", alarm->kind)                                              \
    X("first_run", count, "the first run that saw the outcome", run_number(alarm->device, alarm->first))               \
    X("new", boolean, "whether an earlier run of the test did not see the outcome", alarm->began)                      \
    X("count", count, "how often the outcome was seen", alarm->count)
FIELD_RECORD(history_alarm, ALARM_MEMBERS, const struct history_alarm *alarm, const struct history_test *test)
FIELD_LIST(history_alarms, history_alarm, (const struct history *history), history->alarm_count, &history->alarms[i],
           history->alarms[i].series->segment->test)

#define SCORE_MEMBERS(X)                                                                                               \
    X("run", count, "the number of the run", run_number(device, scored->device_run))                                   \
    X("backend", backend, NULL, device->backend)                                                                       \
    X("device", device, NULL, device->device)                                                                          \
    X("device_uuid", device_uuid, NULL, device->uuid)                                                                  \
    X("driver", driver, NULL, device->runs[scored->device_run].facts[HISTORY_DRIVER])                                  \
    X("profile", profile, NULL, of->profile)                                                                           \
    X("dialect", dialect, NULL, of->dialect)                                                                           \
    X("mutants", mutants, NULL, of->score.mutants)                                                                     \
    X("killed", killed, NULL, of->score.killed)                                                                        \
    X("score", mutation_score, NULL, mutation_score_share(&of->score))                                                 \
    X("death_rate", death_rate, NULL, mutation_score_death_rate(&of->score))
FIELD_RECORD(history_score, SCORE_MEMBERS, const struct history_scored *scored, const struct history_device *device,
             const struct history_score *of)
static FIELD_LIST_FUNCTION(scored_runs, history_score, (const struct history_scored *list, size_t count), count,
                           &list[i], list[i].device, list[i].score)

    static const
    struct field_type field_history_scores_type = {.shape = FIELD_IS_ARRAY, .of = &field_history_score_type};
static json_t *field_history_scores(const struct history *history)
{
    size_t count;
    FREED struct history_scored *list = history_list_scores(history, &count);
    json_t *array = field_scored_runs(list, count);
    return array;
}

/* ---- the whole ---- */

FIELD_LIST(limits, text, (const struct history *history), history->limit_count, history->limits[i])

#define HISTORY_MEMBERS(X)                                                                                             \
    X("answer", made_text, "the first sentence of the text output", FIELD_WRITTEN(history_add_answer, history))        \
    X("step_count", count, "the number of steps", history_steps(history))                                              \
    X("run_count", count, "the number of runs", history->run_count)                                                    \
    X("alpha", number, "the value of the option", history->options.alpha)                                              \
    X("confidence", number, "the value of the option", history->options.confidence)                                    \
    X("tolerance", number, "the value of the option", history->options.tolerance)                                      \
    X("questions", count, "the number of series and splits that the level is corrected for", history->questions)       \
    X("duplicate_jobs", count, "jobs in more than one database, counted once", history->duplicate_jobs)                \
    X("cannot_say", limits, "what the data cannot show", history)                                                      \
    X("runs", history_runs, "the runs, in order of time", history)                                                     \
    X("devices", history_devices, "the history of each device", history)                                               \
    X("alarms", history_alarms, "outcomes that must never appear, new ones first", history)                            \
    X("mutation_score", history_scores,                                                                                \
      "the score of each run of a suite with `score = mutants`, by device and dialect; empty with `--test`", history)  \
    X("unread", unread, NULL, history->unread, history->unread_count)
FIELD_DOCUMENT(document_history, HISTORY_MEMBERS, const struct history *history)

void history_print_json(const struct history *history, struct text *text)
{
    json_add_document(JSON_HISTORY, field_document_history(history), text);
}
