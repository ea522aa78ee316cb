// SPDX-License-Identifier: Apache-2.0
/* A comparison as JSON. */
#include <string.h>

#include "analysis/compare/compare_parts.h"
#include "analysis/words/words.h"
#include "base/json.h"
#include "base/memory.h"

static json_t *pack_draws(const struct statistics_ratio *ratio)
{
    return ratio->kind == STATISTICS_RATIO_IN_DRAWS ? json_count(ratio->draws) : json_null();
}

/* The identity of a sample, without its counts; null for no sample. */
static json_t *pack_sample(const struct sample *sample)
{
    if (!sample)
        return json_null();
    return json_pack("{so so so so so so so so so so so so so so so so so so so}", "test", json_text(sample->row.test),
                     "dialect", json_text(sample->row.dialect), "test_hash", json_text(sample->row.test_hash),
                     "control_of", json_text(sample->row.controls), "lowering", json_text(sample->row.lowering),
                     "backend", json_text(sample->row.backend), "device", json_text(sample->row.device), "device_uuid",
                     json_text(sample->row.device_uuid), "driver", json_text(sample->row.driver), "compiler",
                     json_text(sample->row.compiler), "environment_hash", json_text(sample->row.environment_hash),
                     "state", json_text(job_state_word(sample->row.state)), "jobs", json_count(sample->jobs), "batches",
                     json_count(sample_spread(sample, NULL).batches), "counted", json_count(sample->counted), "void",
                     json_count(sample->row.voids), "invalid_batches", json_count(sample->row.invalid_batches), "kept",
                     json_text(sample->row.built ? kept_word(sample->row.kept) : NULL), "kept_reason",
                     json_text(sample->row.built ? sample->row.kept_reason : NULL));
}

/* Adds the members of `more` to an object, and releases it. */
static void add_members(json_t *object, json_t *more)
{
    if (json_object_update_missing(object, more) != 0)
        memory_fail(0);
    json_decref(more);
}

/* null if nothing changed or nothing was compared. */
static json_t *pack_result_standing(enum rate_result result)
{
    static const char *const words[RATE_RESULT_COUNT] = {
        [RATE_MOVED] = "sure",
        [RATE_CHANGED] = "sure",
        [RATE_NEW] = "sure",
        [RATE_LOST] = "sure",
        [RATE_UNCONFIRMED] = "unconfirmed",
        [RATE_NEW_UNCONFIRMED] = "unconfirmed",
        [RATE_LOST_UNCONFIRMED] = "unconfirmed",
        [RATE_NEW_RARE] = "undecided",
        [RATE_LOST_RARE] = "undecided",
        [RATE_UNDECIDED] = "undecided",
        [RATE_UNGATED] = "undecided",
    };
    return json_text(words[result]);
}

static json_t *pack_side(const struct sample_pair *pair, int side, const char *label, double confidence)
{
    return words_pack_interval(compare_rate_over_runs(pair->sample[side], label, confidence).interval);
}

static json_t *pack_seen(const struct sample_pair *pair, const struct rate *rate, double confidence)
{
    return json_pack(
        "{so so sb so so so so so so so so so s[oo]}", "outcome", json_text(rate->outcome->label), "verdict",
        json_text(verdict_word(sample_verdict(rate->outcome))), "witness", rate->outcome->witness, "result",
        json_text(rate_result_name(rate->result)), "standing", pack_result_standing(rate->result), "count",
        words_pack_counts(rate->count[SIDE_A], rate->count[SIDE_B]), "counted",
        words_pack_counts(rate->counted[SIDE_A], rate->counted[SIDE_B]), "batches",
        words_pack_counts(rate->spread[SIDE_A].batches, rate->spread[SIDE_B].batches), "seen_in_batches",
        words_pack_counts(rate->spread[SIDE_A].seen_in, rate->spread[SIDE_B].seen_in), "runs",
        words_pack_counts(rate->spread[SIDE_A].runs, rate->spread[SIDE_B].runs), "seen_in_runs",
        words_pack_counts(rate->spread[SIDE_A].seen_in_runs, rate->spread[SIDE_B].seen_in_runs), "expected",
        json_number(rate->expected), "rate_interval", pack_side(pair, SIDE_A, rate->outcome->label, confidence),
        pack_side(pair, SIDE_B, rate->outcome->label, confidence));
}

/* The runs' measure and decision, and the test over batches. p and its correction come from the test that decides. */
static json_t *pack_rate(const struct sample_pair *pair, const struct rate *rate, double confidence)
{
    const struct statistics_measure *measure = &rate->measure;
    json_t *object = pack_seen(pair, rate, confidence);
    add_members(object,
                json_pack("{so ss so so sb so so so so so so s[oo]}", "ratio", json_number(rate->ratio.ratio),
                          "ratio_kind", statistics_ratio_kind_name(rate->ratio.kind), "ratio_draws",
                          pack_draws(&rate->ratio), "ratio_interval", words_pack_ratio_interval(&rate->ratio),
                          "by_runs", rate->by_runs, "log_ratio", json_number(measure->log_ratio), "error",
                          json_number(rate->decision.error), "degrees_of_freedom", json_number(rate->decision.freedom),
                          "dispersion", json_number(measure->dispersion), "lag", json_number(measure->lag), "runs_used",
                          words_pack_counts(measure->runs[SIDE_A], measure->runs[SIDE_B]), "span",
                          json_number(measure->span[SIDE_A]), json_number(measure->span[SIDE_B])));
    add_members(
        object,
        json_pack("{so so so so so so so}", "method",
                  json_text(rate->by_runs ? "moderated t over runs" : statistics_method_name(rate->within.method)), "p",
                  json_number(rate->by_runs ? rate->decision.p : rate->within.p), "p_adjusted",
                  json_number(rate->by_runs ? rate->adjusted : rate->within_adjusted), "smallest_p",
                  json_number(rate->within.smallest_p), "batches_method",
                  json_text(statistics_method_name(rate->within.method)), "batches_p", json_number(rate->within.p),
                  "batches_p_adjusted", json_number(rate->within_adjusted)));
    return object;
}

/* void: of launched instances; time: their nanoseconds. */
static json_t *pack_share(const struct rate *rate)
{
    const bool is_time = rate->outcome->of == SAMPLE_TIME;
    return json_pack("{ss so so so so so so so sb so so so so}", "measure", is_time ? "time" : "void", "reason",
                     json_text(is_time ? NULL : rate->outcome->label + strlen(SAMPLE_VOID_LABEL)), "result",
                     json_text(rate_result_name(rate->result)), "standing", pack_result_standing(rate->result), "count",
                     words_pack_counts(rate->count[SIDE_A], rate->count[SIDE_B]), "launched",
                     words_pack_counts(rate->counted[SIDE_A], rate->counted[SIDE_B]), "ratio",
                     json_number(rate->ratio.ratio), "ratio_interval", words_pack_interval(rate->ratio.interval),
                     "by_runs", rate->by_runs, "degrees_of_freedom", json_number(rate->decision.freedom), "runs_used",
                     words_pack_counts(rate->measure.runs[SIDE_A], rate->measure.runs[SIDE_B]), "p",
                     json_number(rate->by_runs ? rate->decision.p : rate->within.p), "p_adjusted",
                     json_number(rate->by_runs ? rate->adjusted : rate->within_adjusted));
}

static json_t *pack_words(const struct comparison *comparison, const struct finding *finding)
{
    static const char *const standings[] = {
        [STANDING_SURE] = "sure", [STANDING_UNCONFIRMED] = "unconfirmed", [STANDING_UNDECIDED] = "undecided"};
    struct text line = {0}, details = {0}, sentence = {0};
    compare_line(comparison, finding, &line);
    compare_details(comparison, finding, &details);
    compare_describe(comparison, finding, &sentence);
    json_t *words = json_pack("{ss so ss so so so}", "kind", finding_kind_name(finding->kind), "standing",
                              json_string(standings[finding->standing]), "severity", compare_severity(finding), "line",
                              json_text(text_string(&line)), "details", json_text(text_string(&details)), "sentence",
                              json_text(text_string(&sentence)));
    text_release(&sentence);
    text_release(&details);
    text_release(&line);
    return words;
}

static json_t *compare_json_pack_findings(const struct comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        const struct sample *sample = finding->sample[finding->sample[SIDE_B] ? SIDE_B : SIDE_A];
        const struct sample_spread *a = &finding->spread[SIDE_A], *b = &finding->spread[SIDE_B];
        const bool is_shift = finding->kind == FINDING_SHIFT; /* not about a single test */
        json_t *object = pack_words(comparison, finding);
        add_members(object,
                    json_pack("{so so so so so so so so so sb sb}", "test",
                              json_text(is_shift ? NULL : sample->row.test), "backend", json_text(sample->row.backend),
                              "device", json_text(sample->row.device), "outcome",
                              json_text(finding->outcome ? finding->outcome->label : NULL), "count",
                              words_pack_counts(finding->count[SIDE_A], finding->count[SIDE_B]), "batches",
                              words_pack_counts(a->batches, b->batches), "seen_in_batches",
                              words_pack_counts(a->seen_in, b->seen_in), "runs", words_pack_counts(a->runs, b->runs),
                              "seen_in_runs", words_pack_counts(a->seen_in_runs, b->seen_in_runs), "sure",
                              finding->standing == STANDING_SURE, "excused", finding->excused));
        json_append(array, object);
    }
    return array;
}

static json_t *pack_pairs(const struct comparison *comparison)
{
    static const char *const kernels[] = {[KERNELS_EQUAL] = "equal",
                                          [KERNELS_OF_DEVICES] = "of-devices",
                                          [KERNELS_REPLAYED] = "replayed",
                                          [KERNELS_DIFFER] = "differ"};
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct sample_pair *pair = &comparison->pairs[i];
        json_t *rates = json_array(), *shares = json_array();
        for (size_t r = 0; r < pair->rate_count; r++)
            json_append(rates, pack_rate(pair, &pair->rates[r], comparison->options.confidence));
        for (size_t r = pair->rate_count; r < pair->question_count; r++)
            json_append(shares, pack_share(&pair->rates[r]));
        json_append(array, json_pack("{so so ss si sb so so so}", "a", pack_sample(pair->sample[SIDE_A]), "b",
                                     pack_sample(pair->sample[SIDE_B]), "kernels", kernels[pair->kernels],
                                     "equal_draws", (int)pair->equal_draws, "paired", pair->paired, "batch_size_ratio",
                                     json_number(pair->size_ratio), "rates", rates, "shares", shares));
    }
    return array;
}

static json_t *pack_others(const struct comparison *comparison)
{
    json_t *unmatched = json_array(), *remarks = json_array();
    for (size_t i = 0; i < comparison->unmatched_count; i++) {
        const struct unmatched *lone = &comparison->unmatched[i];
        json_append(unmatched, json_pack("{ss so so}", "side", lone->side == SIDE_A ? "a" : "b", "reason",
                                         json_text(lone->reason), "sample", pack_sample(lone->sample)));
    }
    for (size_t i = 0; i < comparison->remark_count; i++) {
        const struct remark *remark = &comparison->remarks[i];
        json_append(remarks,
                    json_pack("{so so so so sb so}", "differs", json_text(remark->what), "a",
                              json_text(remark->value[SIDE_A]), "b", json_text(remark->value[SIDE_B]), "tests",
                              json_count(remark->tests), "confounds", remark->confounds, "so", json_text(remark->so)));
    }
    return json_pack("{so so}", "unmatched", unmatched, "differences", remarks);
}

static json_t *pack_dimensions(const struct comparison *comparison)
{
    static const char *const names[] = {"backend", "device", "driver"};
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        if (comparison->dimensions >> i & 1)
            json_append(array, json_string(names[i]));
    return array;
}

static json_t *pack_suite(const struct statistics_suite *suite)
{
    return json_pack("{so so so so so}", "variance", json_number(suite->variance), "freedom",
                     json_number(suite->freedom), "shift", json_number(suite->shift), "shift_freedom",
                     json_number(suite->shift_freedom), "rates", json_count(suite->questions));
}

/* How much runs differ, and whether all of B moved: variances are of logarithms. */
static json_t *pack_learned(const struct comparison *comparison)
{
    const struct shift *shift = &comparison->shift;
    const struct statistics_ratio ratio = shift_ratio(shift);
    return json_pack(
        "{so s{so so so so} s{sb so so so so so so so}}", "runs",
        words_pack_counts(comparison->runs[SIDE_A], comparison->runs[SIDE_B]), "suite", "weak",
        pack_suite(&comparison->suites[COMPARE_WEAK]), "other", pack_suite(&comparison->suites[COMPARE_OTHER]), "voids",
        pack_suite(&comparison->suites[COMPARE_VOIDS]), "times", pack_suite(&comparison->suites[COMPARE_TIMES]),
        "shift", "found", shift->found, "log_ratio", json_number(shift->log_ratio), "ratio_interval",
        words_pack_ratio_interval(&ratio), "error", json_number(shift->decision.error), "degrees_of_freedom",
        json_number(shift->decision.freedom), "p", json_number(shift->decision.p), "p_adjusted",
        json_number(shift->adjusted), "rates_moved", json_count(shift->moved));
}

static json_t *pack_extent(const struct comparison *comparison)
{
    const struct compare_extent extent = compare_extent(comparison);
    return json_pack("{so so so so so}", "compared", json_count(extent.compared), "unsupported",
                     json_count(extent.unsupported), "without_data", json_count(extent.without_data), "other_kernels",
                     json_count(extent.other_kernels), "without_a_match", json_count(comparison->unmatched_count));
}

void compare_print_json(const struct comparison *comparison, struct text *text)
{
    const struct compare_options *options = &comparison->options;
    struct text answer = {0};
    compare_print_answer(comparison, &answer);
    json_t *document =
        json_pack("{so so so so so so s{so so so so so so} so so}", "a", json_text(comparison->side[SIDE_A]->title),
                  "b", json_text(comparison->side[SIDE_B]->title), "answer", json_text(text_string(&answer)), "tests",
                  pack_extent(comparison), "compared_across", pack_dimensions(comparison), "jobs_on_both_sides",
                  json_count(comparison->shared_jobs), "options", "alpha", json_number(options->alpha), "confidence",
                  json_number(options->confidence), "tolerance", json_number(options->tolerance), "time_tolerance",
                  json_number(options->time_tolerance), "detect", json_number(options->detect), "fewest_runs",
                  json_count(options->fewest_runs), "findings", compare_json_pack_findings(comparison), "pairs",
                  pack_pairs(comparison));
    text_release(&answer);
    add_members(document, pack_learned(comparison));
    add_members(document, json_pack("{s{so so}}", "models_changed", "a", side_pack_changes(comparison->side[SIDE_A]),
                                    "b", side_pack_changes(comparison->side[SIDE_B])));
    const struct side *a = comparison->side[SIDE_A], *b = comparison->side[SIDE_B];
    add_members(document, json_pack("{s{so so}}", "unread", "a", side_pack_unread(a->unread, a->unread_count), "b",
                                    side_pack_unread(b->unread, b->unread_count)));
    add_members(document, pack_others(comparison));
    json_add_document(JSON_COMPARE, document, text);
}
