// SPDX-License-Identifier: Apache-2.0
/* A history as JSON: numbers are numbers, runs are counted from 1. */
#include <stdlib.h>

#include "analysis/history/history.h"
#include "analysis/words/words.h"
#include "base/json.h"

static json_t *pack_run_number(const struct history_device *device, size_t device_run)
{
    return json_count(device->runs[device_run].run + 1);
}

static json_t *pack_runs(const struct history *history)
{
    json_t *array = json_array();
    for (size_t i = 0; i < history->run_count; i++)
        json_append(array,
                    json_pack("{so so so so}", "run", json_count(i + 1), "uuid", json_text(history->runs[i].uuid),
                              "started_at", json_text(history->runs[i].started_at), "jobs",
                              json_count(history->runs[i].jobs)));
    return array;
}

static json_t *pack_device_runs(const struct history_device *device)
{
    static const char *const members[] = {
#define HISTORY_FACT_MEMBER(name, member, words, suspect) member,
        HISTORY_FACT_LIST(HISTORY_FACT_MEMBER)
#undef HISTORY_FACT_MEMBER
    };
    json_t *array = json_array();
    for (size_t i = 0; i < device->run_count; i++) {
        const struct history_device_run *device_run = &device->runs[i];
        json_t *object = json_pack("{so}", "run", pack_run_number(device, i));
        for (size_t f = 0; f < HISTORY_FACT_COUNT; f++)
            (void)json_object_set_new(object, members[f], json_text(device_run->facts[f]));
        for (size_t c = 0; c < CIRCUMSTANCE_COUNT; c++)
            (void)json_object_set_new(object, circumstance_member((enum circumstance)c),
                                      json_number(device_run->numbers[c]));
        json_append(array, object);
    }
    return array;
}

/* ---- series ---- */

static json_t *pack_name(const struct history_series *series)
{
    const struct history_test *test = series->segment->test;
    return json_pack("{so so so so so so sb so}", "test", json_text(test->name), "dialect", json_text(test->dialect),
                     "control_of", json_text(test->controls), "lowering", json_text(test->lowering), "outcome",
                     json_text(series->label), "verdict", json_text(verdict_word(series->verdict)), "witness",
                     series->witness, "environment_hash", json_text(series->segment->environment_hash));
}

static json_t *pack_series(const struct history_device *device, const struct history_series *series)
{
    json_t *object = pack_name(series), *points = json_array(), *parts = json_array();
    for (size_t i = 0; i < series->segment->run_count; i++) {
        const struct history_point *point = &series->points[i];
        json_append(points, json_pack("{so so so so so sb}", "run", pack_run_number(device, point->device_run), "count",
                                      json_count(point->count), "counted", json_count(point->counted), "rate",
                                      json_number(point->rate), "interval", words_pack_interval(point->interval),
                                      "outside", point->outside));
    }
    for (size_t i = 0; i < series->part_count; i++) {
        const struct history_part *part = &series->parts[i];
        json_append(parts, json_pack("{so so so so so}", "first_run",
                                     pack_run_number(device, series->points[part->first].device_run), "last_run",
                                     pack_run_number(device, series->points[part->first + part->count - 1].device_run),
                                     "runs", json_count(part->count), "rate", json_number(part->rate), "band",
                                     words_pack_interval(part->band)));
    }
    (void)json_object_set_new(object, "test_hash", json_text(series->segment->test_hash));
    (void)json_object_set_new(object, "kernel_hash", json_text(series->segment->kernel_hash));
    (void)json_object_set_new(object, "profile", json_text(series->segment->profile));
    (void)json_object_set_new(object, "points", points);
    (void)json_object_set_new(object, "parts", parts);
    return object;
}

/* ---- steps ---- */

static json_t *pack_moves(const struct history_step *step)
{
    json_t *array = json_array();
    for (size_t i = 0; i < step->move_count; i++) {
        const struct history_move *move = &step->moves[i];
        json_t *object = pack_name(move->series);
        (void)json_object_set_new(object, "ratio", json_number(move->ratio.ratio));
        (void)json_object_set_new(object, "ratio_kind", json_text(statistics_ratio_kind_name(move->ratio.kind)));
        (void)json_object_set_new(object, "interval", words_pack_ratio_interval(&move->ratio));
        (void)json_object_set_new(object, "p", json_number(move->p));
        (void)json_object_set_new(object, "count", words_pack_counts(move->count[0], move->count[1]));
        (void)json_object_set_new(object, "counted", words_pack_counts(move->counted[0], move->counted[1]));
        json_append(array, object);
    }
    return array;
}

static json_t *pack_changes(const struct history_device *device, const struct history_step *step)
{
    json_t *array = json_array();
    for (size_t i = 0; i < step->change_count; i++) {
        const struct history_change *change = &step->changes[i];
        json_append(array, json_pack("{so so so so sb so}", "what", json_text(change->member), "before",
                                     json_text(change->before), "after", json_text(change->after), "run",
                                     pack_run_number(device, change->device_run), "suspect", change->suspect,
                                     "probability", json_number(change->probability)));
    }
    return array;
}

static json_t *pack_posterior(const struct history_device *device, const struct history_step *step)
{
    json_t *array = json_array();
    for (size_t device_run = 1; device_run < device->run_count; device_run++)
        if (step->posterior[device_run] >= 1e-6)
            json_append(array, json_pack("{so so}", "run", pack_run_number(device, device_run), "probability",
                                         json_number(step->posterior[device_run])));
    return array;
}

static json_t *pack_step(const struct history *history, const struct history_device *device,
                         const struct history_step *step)
{
    struct text title = {0}, place = {0}, cause = {0};
    history_add_sentence(history, device, step, &title);
    history_add_place(history, device, step, &place);
    history_add_cause(history, device, step, &cause);
    json_t *object = json_pack(
        "{so so so so so so so so sb so ss so ss so so so so}", "sentence", json_text(text_string(&title)), "place",
        json_text(text_string(&place)), "attribution", json_text(text_string(&cause)), "run",
        pack_run_number(device, step->device_run), "probability", json_number(step->probability), "first_run",
        pack_run_number(device, step->first), "last_run", pack_run_number(device, step->last), "p_adjusted",
        json_number(step->p), "all_weak_rates", step->shared, "ratio", json_number(step->ratio.ratio), "ratio_kind",
        statistics_ratio_kind_name(step->ratio.kind), "interval", words_pack_ratio_interval(&step->ratio), "cause",
        history_cause_word(step->cause), "driver_changed_at_run",
        step->driver_changed > 0 ? pack_run_number(device, step->driver_changed) : json_null(), "changes",
        pack_changes(device, step), "posterior", pack_posterior(device, step), "moves", pack_moves(step));
    text_release(&title);
    text_release(&place);
    text_release(&cause);
    return object;
}

static json_t *pack_breaks(const struct history_device *device)
{
    json_t *array = json_array();
    for (size_t i = 0; i < device->break_count; i++) {
        const struct history_break *found = &device->breaks[i];
        json_append(array, json_pack("{so so so sb sb sb}", "run", pack_run_number(device, found->device_run), "tests",
                                     json_count(found->tests), "first_test", json_text(found->first->name), "test_text",
                                     found->test, "environment", found->environment, "kernel", found->kernel));
    }
    return array;
}

static json_t *pack_device(const struct history *history, const struct history_device *device)
{
    json_t *steps = json_array(), *series = json_array();
    for (size_t i = 0; i < device->step_count; i++)
        json_append(steps, pack_step(history, device, &device->steps[i]));
    for (size_t t = 0; t < device->test_count; t++)
        for (size_t i = 0; i < device->tests[t]->segment_count; i++)
            for (size_t s = 0; s < device->tests[t]->segments[i]->series_count; s++)
                json_append(series, pack_series(device, &device->tests[t]->segments[i]->series[s]));
    return json_pack("{so so so so so so so so so so}", "backend", json_text(device->backend), "device",
                     json_text(device->device), "device_uuid", json_text(device->uuid), "lag", json_number(device->lag),
                     "findable_ratio", json_number(device->findable), "too_short", json_count(device->too_short),
                     "runs", pack_device_runs(device), "steps", steps, "breaks", pack_breaks(device), "series", series);
}

static json_t *pack_alarms(const struct history *history)
{
    json_t *array = json_array();
    for (size_t i = 0; i < history->alarm_count; i++) {
        const struct history_alarm *alarm = &history->alarms[i];
        const struct history_test *test = alarm->series->segment->test;
        json_append(array,
                    json_pack("{so so so so so ss so sb so}", "test", json_text(test->name), "dialect",
                              json_text(test->dialect), "backend", json_text(alarm->device->backend), "device",
                              json_text(alarm->device->device), "outcome", json_text(alarm->series->label), "why",
                              ruling_word(alarm->kind), "first_run", pack_run_number(alarm->device, alarm->first),
                              "new", alarm->began, "count", json_count(alarm->count)));
    }
    return array;
}

static json_t *pack_scores(const struct history *history)
{
    size_t count;
    json_t *array = json_array();
    struct history_scored *list = history_list_scores(history, &count);
    for (size_t i = 0; i < count; i++) {
        const struct history_device *device = list[i].device;
        const struct history_score *of = list[i].score;
        json_append(array,
                    json_pack("{so so so so so so so so so sf sf}", "run", pack_run_number(device, list[i].device_run),
                              "backend", json_text(device->backend), "device", json_text(device->device), "device_uuid",
                              json_text(device->uuid), "driver",
                              json_text(device->runs[list[i].device_run].facts[HISTORY_DRIVER]), "profile",
                              json_text(of->profile), "dialect", json_text(of->dialect), "mutants",
                              json_count(of->score.mutants), "killed", json_count(of->score.killed), "score",
                              mutation_score_share(&of->score), "death_rate", mutation_score_death_rate(&of->score)));
    }
    free(list);
    return array;
}

void history_print_json(const struct history *history, struct text *text)
{
    struct text answer = {0};
    json_t *devices = json_array(), *limits = json_array();
    history_add_answer(history, &answer);
    for (size_t i = 0; i < history->device_count; i++)
        json_append(devices, pack_device(history, history->devices[i]));
    for (size_t i = 0; i < history->limit_count; i++)
        json_append(limits, json_text(history->limits[i]));
    json_t *document = json_pack(
        "{so so so so so so so so so so so}", "answer", json_text(text_string(&answer)), "step_count",
        json_count(history_steps(history)), "run_count", json_count(history->run_count), "alpha",
        json_number(history->options.alpha), "confidence", json_number(history->options.confidence), "tolerance",
        json_number(history->options.tolerance), "questions", json_count(history->questions), "duplicate_jobs",
        json_count(history->duplicate_jobs), "cannot_say", limits, "runs", pack_runs(history), "devices", devices);
    text_release(&answer);
    (void)json_object_set_new(document, "alarms", pack_alarms(history));
    (void)json_object_set_new(document, "mutation_score", pack_scores(history));
    (void)json_object_set_new(document, "unread", side_pack_unread(history->unread, history->unread_count));
    json_add_document(JSON_HISTORY, document, text);
}
