// SPDX-License-Identifier: Apache-2.0
/* Rates and counts for dashboards. */
#include "cli/print/metrics.h"

#include "analysis/history/history.h"
#include "analysis/statistics/statistics.h"
#include "base/escape/escape.h"
#include "base/json.h"
#include "cli/output.h"
#include "gate/decide/gate.h"

/* A rate and its labels, in the order of label_names. */
enum { LABELS = 11 };
static const char *const label_names[LABELS] = {"test",        "dialect", "backend",  "device",
                                                "device_uuid", "driver",  "lowering", "environment",
                                                "control_of",  "outcome", "verdict"};

struct metric_rate {
    const char *labels[LABELS]; /* NULL is written as "" */
    uint64_t count, counted;
    double confidence;
    bool desired; /* its witness is allowed, so that a test is better if it is seen more often */
};

struct metrics {
    struct text counts, instances, rates, lows, highs, others;
    json_t *benchmarks;
};

static void add_sample(const char *name, const struct metric_rate *measured, double value, struct text *text)
{
    text_add(text, "%s{", name);
    for (int i = 0; i < LABELS; i++) {
        /* OpenMetrics 1.0, "escaped-string"; a plain text has no line ends. */
        LOCAL(text) plain = {0};
        escape_format(&plain, ESCAPE_PLAIN, "$", measured->labels[i] ? measured->labels[i] : "");
        text_add(text, "%s%s=\"", (i == 0) ? "" : ",", label_names[i]);
        for (const char *at = text_string(&plain); *at; at++)
            text_add(text, "%s%c", strchr("\\\"", *at) ? "\\" : "", *at);
        text_add(text, "\"");
    }
    text_add(text, "} %.17g\n", value);
}

static void add_rate(struct metrics *metrics, const struct metric_rate *measured)
{
    if (measured->counted == 0)
        return;
    const double rate = (double)measured->count / (double)measured->counted;
    const struct interval interval = statistics_binomial(measured->count, measured->counted, measured->confidence);
    add_sample("orchil_sightings", measured, (double)measured->count, &metrics->counts);
    add_sample("orchil_instances", measured, (double)measured->counted, &metrics->instances);
    add_sample("orchil_rate", measured, rate, &metrics->rates);
    add_sample("orchil_rate_low", measured, interval.low, &metrics->lows);
    add_sample("orchil_rate_high", measured, interval.high, &metrics->highs);
    if (measured->desired) {
        const char *const *labels = measured->labels;
        LOCAL(text) name = {0}, range = {0};
        text_add(&name, "%s:%s %s (%s, %s)", labels[1], labels[0], labels[9], labels[2], labels[3]);
        text_add(&range, "%.3g to %.3g", interval.low, interval.high);
        json_append(metrics->benchmarks,
                    json_pack("{so ss so so}", "name", json_text(text_string(&name)), "unit", "per instance", "value",
                              json_number(rate), "range", json_text(text_string(&range))));
    }
}

/* ---- the file ---- */

static void add_head(const char *name, const char *help, struct text *text)
{
    text_add(text, "# TYPE %s gauge\n# HELP %s %s\n", name, name, help);
}

static void add_family(const char *name, const char *help, const struct text *samples, struct text *text)
{
    add_head(name, help, text);
    text_add_bytes(text, text_string(samples), samples->size);
}

static enum status metrics_write(struct metrics *metrics, const char *path, struct error *error)
{
    struct text text = {0};
    const size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".json") == 0) {
        json_add_foreign(json_incref(metrics->benchmarks), &text);
    } else {
        add_family("orchil_sightings", "how often an outcome was seen", &metrics->counts, &text);
        add_family("orchil_instances", "instances of the test, without void ones", &metrics->instances, &text);
        add_family("orchil_rate", "sightings per instance", &metrics->rates, &text);
        add_family("orchil_rate_low", "the lower end of the interval of the rate", &metrics->lows, &text);
        add_family("orchil_rate_high", "the upper end of the interval of the rate", &metrics->highs, &text);
        text_add(&text, "%s# EOF\n", text_string(&metrics->others));
    }
    const enum status status = page_file_write(path, &text, error);
    struct text *const parts[] = {&text,          &metrics->counts, &metrics->instances, &metrics->rates,
                                  &metrics->lows, &metrics->highs,  &metrics->others};
    for (size_t i = 0; i < COUNT(parts); i++)
        text_release(parts[i]);
    json_decref(metrics->benchmarks);
    return status;
}

static void metrics_add_number(const char *name, const char *help, size_t number, struct text *text)
{
    add_head(name, help, text);
    text_add(text, "%s %zu\n", name, number);
}

static bool is_desired(bool witness, enum verdict verdict)
{
    return witness && (verdict == VERDICT_SC || verdict == VERDICT_WEAK);
}

/* ---- a gate ---- */

static void metrics_add_pair(struct metrics *metrics, const struct comparison *comparison,
                             const struct sample_pair *pair)
{
    const struct store_job_row *row = &pair->sample[SIDE_B]->row;
    FOR_EACH(const struct rate, rate, pair->rates, pair->rate_count) {
        const enum verdict verdict = sample_verdict(rate->outcome);
        if (verdict == VERDICT_SC && !rate->outcome->witness)
            continue; /* that the threads ran in turns tells nothing */
        add_rate(metrics,
                 &(struct metric_rate){.labels = {row->test, row->dialect, row->backend, row->device, row->device_uuid,
                                                  row->driver, row->lowering, row->environment_hash, row->controls,
                                                  rate->outcome->label, verdict_word(verdict)},
                                       .count = rate->count[SIDE_B],
                                       .counted = rate->counted[SIDE_B],
                                       .confidence = comparison->options.confidence,
                                       .desired = is_desired(rate->outcome->witness, verdict)});
    }
}

static void add_gate(struct metrics *metrics, const struct gate *gate)
{
    struct text *others = &metrics->others;
    for (size_t i = 0; i < gate->comparison->pair_count; i++)
        metrics_add_pair(metrics, gate->comparison, &gate->comparison->pairs[i]);
    add_head("orchil_gate_findings", "findings that count", others);
    for (enum gate_class of = 0; of < GATE_CLASS_COUNT; of++)
        if (of != GATE_NOTE)
            text_add(others, "orchil_gate_findings{class=\"%s\"} %zu\n", gate_class_name(of),
                     gate->counts.of_class[of]);
    metrics_add_number("orchil_gate_tests", "tests that were compared", gate->needs[GATE_NEED_COMPARED].have, others);
    add_head("orchil_gate_needs", "how far each need of a gate is met", others);
    for (enum gate_need need = 0; need < GATE_NEED_COUNT; need++)
        if (gate->needs[need].of > 0)
            text_add(others, "orchil_gate_needs{need=\"%s\"} %.4f\n", gate_need_rows[need].word,
                     (double)gate->needs[need].have / (double)gate->needs[need].of);
}

enum status metrics_write_gate(const struct gate *gate, int exit_code, const char *path, struct error *error)
{
    struct metrics metrics = {.benchmarks = json_array()};
    if (gate)
        add_gate(&metrics, gate);
    metrics_add_number("orchil_gate_exit_code",
                       "the exit code: 0 passed, 1 failed, 3 inconclusive, 4 nothing was decided, 5 changed",
                       (size_t)exit_code, &metrics.others);
    return metrics_write(&metrics, path, error);
}

/* ---- a history ---- */

/* A later segment of the same environment has the present rates. */
static bool is_replaced(const struct history_test *test, size_t segment)
{
    return ANY_NUMBER(size_t, i, segment + 1, test->segment_count,
                      strcmp(test->segments[i]->environment_hash, test->segments[segment]->environment_hash) == 0);
}

static void add_segment(struct metrics *metrics, const struct history *history, const struct history_device *device,
                        const struct history_segment *segment)
{
    const struct history_test *test = segment->test;
    for (size_t i = 0; i < segment->series_count && segment->run_count > 0; i++) {
        const struct history_series *series = &segment->series[i];
        const struct history_point *point = &series->points[segment->run_count - 1];
        if (series->verdict == VERDICT_SC && !series->witness)
            continue;
        add_rate(metrics,
                 &(struct metric_rate){.labels = {test->name, test->dialect, device->backend, device->device,
                                                  device->uuid, device->runs[point->device_run].facts[HISTORY_DRIVER],
                                                  test->lowering, segment->environment_hash, test->controls,
                                                  series->label, verdict_word(series->verdict)},
                                       .count = point->count,
                                       .counted = point->counted,
                                       .confidence = history->options.confidence,
                                       .desired = is_desired(series->witness, series->verdict)});
    }
}

enum status metrics_write_history(const struct history *history, const char *path, struct error *error)
{
    struct metrics metrics = {.benchmarks = json_array()};
    for (size_t d = 0; d < history->device_count; d++) {
        const struct history_device *device = history->devices[d];
        for (size_t t = 0; t < device->test_count; t++)
            for (size_t s = 0; s < device->tests[t]->segment_count; s++)
                if (!is_replaced(device->tests[t], s))
                    add_segment(&metrics, history, device, device->tests[t]->segments[s]);
    }
    metrics_add_number("orchil_history_steps", "steps that were found", history_steps(history), &metrics.others);
    metrics_add_number("orchil_history_alarms", "outcomes that were seen and must never appear", history->alarm_count,
                       &metrics.others);
    return metrics_write(&metrics, path, error);
}
