// SPDX-License-Identifier: Apache-2.0
/* A comparison as JSON: each list of members is an object (base/field.h). */
#include "analysis/compare/compare_parts.h"
#include "analysis/words/words.h"
#include "base/field.h"

/* ---- a sample: what one side has of a test on a device ---- */

#define SAMPLE_MEMBERS(X)                                                                                              \
    X("test", test, NULL, sample->row.test)                                                                            \
    X("dialect", dialect, NULL, sample->row.dialect)                                                                   \
    X("test_hash", hash, "the hash of the test's content", sample->row.test_hash)                                      \
    X("control_of", control_of, NULL, sample->row.controls)                                                            \
    X("lowering", lowering, NULL, sample->row.lowering)                                                                \
    X("backend", backend, NULL, sample->row.backend)                                                                   \
    X("device", device, NULL, sample->row.device)                                                                      \
    X("device_uuid", device_uuid, NULL, sample->row.device_uuid)                                                       \
    X("driver", driver, NULL, sample->row.driver)                                                                      \
    X("compiler", compiler, NULL, sample->row.compiler)                                                                \
    X("environment_hash", hash, "the hash of the environment", sample->row.environment_hash)                           \
    X("state", state, NULL, job_state_word(sample->row.state))                                                         \
    X("jobs", count, "the number of jobs", sample->jobs)                                                               \
    X("batches", count, "the number of valid batches", sample_spread(sample, NULL).batches)                            \
    X("counted", count, "the number of instances that are not void", sample->counted)                                  \
    X("void", count, "the number of void instances", sample->row.voids)                                                \
    X("invalid_batches", count, "the number of invalid batches", sample->row.invalid_batches)                          \
    X("kept", kept, NULL, sample->row.built ? kept_word(sample->row.kept) : NULL)                                      \
    X("kept_reason", kept_reason, NULL, sample->row.built ? sample->row.kept_reason : NULL)
static FIELD_NAMED_TYPE(sample, FIELD_IS_OBJECT | FIELD_IS_NULL, SAMPLE_MEMBERS,
                        "the results of one side for a test on a device; null if there are none")
    FIELD_FUNCTION(static, sample, SAMPLE_MEMBERS, sample != NULL, const struct sample *sample)

    /* ---- rates ---- */

    FIELD_NAMES(rate_result, enum rate_result, RATE_RESULT_COUNT, rate_result_name)

    /* How sure a change is; null if nothing changed or nothing was compared. */
    static const char *const standing_words[] = {"sure", "unconfirmed", "undecided", NULL};
static const struct field_type field_result_standing_type = {.shape = FIELD_IS_TEXT | FIELD_IS_NULL,
                                                             .words = standing_words};
static json_t *field_result_standing(enum rate_result result)
{
    const struct rate_result_row *row = &rate_results[result];
    return json_text(row->decides ? standing_words[row->standing] : NULL);
}

static const struct field_type field_rate_intervals_type = {.shape = FIELD_IS_PAIR, .of = &field_interval_type};
static json_t *field_rate_intervals(const struct sample_pair *pair, const char *label, double confidence)
{
    json_t *array = json_array();
    for (int side = 0; side < SIDES; side++)
        json_append(array, field_interval(compare_rate_over_runs(pair->sample[side], label, confidence).interval));
    return array;
}

/* The runs' measure and decision, and the test over batches. p and its correction come from the test that decides. */
#define RATE_MEMBERS(X)                                                                                                \
    X("outcome", outcome, NULL, rate->outcome->label)                                                                  \
    X("verdict", verdict_or_null, NULL, verdict_word(sample_verdict(rate->outcome)))                                   \
    X("witness", witness, NULL, rate->outcome->witness)                                                                \
    X("result", rate_result, "how the rate of the outcome changed", rate->result)                                      \
    X("standing", result_standing, "how certain the change is; null if nothing changed", rate->result)                 \
    X("count", pair, "how often the outcome was seen", rate->count)                                                    \
    X("counted", pair, "the number of instances that are not void", rate->counted)                                     \
    SPREAD_MEMBERS(X, a, b)                                                                                            \
    X("expected", number_or_null, "the sightings to expect on a side without any, at the rate of the other side",      \
      rate->expected)                                                                                                  \
    X("rate_interval", rate_intervals, "the interval of each side's rate; taken over runs if there are several runs",  \
      pair, rate->outcome->label, confidence)                                                                          \
    X("ratio", number_or_null, "the rate of side B divided by the rate of side A", rate->ratio.ratio)                  \
    X("ratio_kind", ratio_kind, NULL, rate->ratio.kind)                                                                \
    X("ratio_draws", positive_or_null, "the number of draws behind a ratio of the kind `in-draws`",                    \
      rate->ratio.kind == STATISTICS_RATIO_IN_DRAWS ? rate->ratio.draws : 0)                                           \
    X("ratio_interval", interval_or_null, "the interval of the ratio; null unless the ratio is measured",              \
      words_shown_interval(&rate->ratio))                                                                              \
    X("by_runs", boolean, "whether the test over runs decides, rather than the test over batches", rate->by_runs)      \
    X("log_ratio", number_or_null, "the logarithm of the ratio, estimated over runs", measure->log_ratio)              \
    X("error", number_or_null, "the standard error of `log_ratio`", rate->decision.error)                              \
    X("degrees_of_freedom", number_or_null, "the degrees of freedom of the test over runs", rate->decision.freedom)    \
    X("dispersion", number_or_null, "the dispersion of sightings", measure->dispersion)                                \
    X("lag", number_or_null, "the correlation of successive batches", measure->lag)                                    \
    X("runs_used", pair, "runs used", FIELD_PAIR(measure->runs[SIDE_A], measure->runs[SIDE_B]))                        \
    X("span", pair_of_numbers, "the ratio between the largest and the smallest rate of a side's runs", measure->span)  \
    X("method", text_or_null, "the statistical test that decides",                                                     \
      rate->by_runs ? "moderated t over runs" : statistics_method_name(rate->within.method))                           \
    X("p", probability, "the p-value of the test that decides", rate->by_runs ? rate->decision.p : rate->within.p)     \
    X("p_adjusted", probability, "the p-value, corrected for all questions",                                           \
      rate->by_runs ? rate->adjusted : rate->within_adjusted)                                                          \
    X("smallest_p", probability, "the smallest p-value possible over batches", rate->within.smallest_p)                \
    X("batches_method", text_or_null, "the statistical test over batches",                                             \
      statistics_method_name(rate->within.method))                                                                     \
    X("batches_p", probability, "the p-value of the test over batches within single runs", rate->within.p)             \
    X("batches_p_adjusted", probability, "`batches_p`, corrected for all questions", rate->within_adjusted)
FIELD_RECORD(compared_rate, RATE_MEMBERS, const struct sample_pair *pair, const struct rate *rate, double confidence,
             const struct statistics_measure *measure, const struct sample_spread *a, const struct sample_spread *b)
FIELD_LIST(compared_rates, compared_rate, (const struct sample_pair *pair, double confidence), pair->rate_count, pair,
           &pair->rates[i], confidence, &pair->rates[i].measure, &pair->rates[i].spread[SIDE_A],
           &pair->rates[i].spread[SIDE_B])

/* void: of launched instances; time: their nanoseconds. */
FIELD_WORDS(share_measure, "void", "time")
#define SHARE_MEMBERS(X)                                                                                               \
    X("measure", share_measure, "what the share measures", is_time)                                                    \
    X("reason", text_or_null, "why the instances are void; null for the time",                                         \
      is_time ? NULL : rate->outcome->label + strlen(SAMPLE_VOID_LABEL))                                               \
    X("result", rate_result, "how the share changed", rate->result)                                                    \
    X("standing", result_standing, "how certain the change is; null if nothing changed", rate->result)                 \
    X("count", pair, "void instances, or time in ns, at least 1 ms for each batch", rate->count)                       \
    X("launched", pair, "the number of instances, including void ones", rate->counted)                                 \
    X("ratio", number_or_null, "the share of side B divided by the share of side A", rate->ratio.ratio)                \
    X("ratio_interval", interval, "the interval of the ratio", rate->ratio.interval)                                   \
    X("by_runs", boolean, "whether the test over runs decides, rather than the test over batches", rate->by_runs)      \
    X("degrees_of_freedom", number_or_null, "the degrees of freedom of the test over runs", rate->decision.freedom)    \
    X("runs_used", pair, "runs used", FIELD_PAIR(rate->measure.runs[SIDE_A], rate->measure.runs[SIDE_B]))              \
    X("p", probability, "the p-value of the test that decides", rate->by_runs ? rate->decision.p : rate->within.p)     \
    X("p_adjusted", probability, "the p-value, corrected for all questions",                                           \
      rate->by_runs ? rate->adjusted : rate->within_adjusted)
FIELD_RECORD(compared_share, SHARE_MEMBERS, const struct rate *rate, bool is_time)
FIELD_LIST(compared_shares, compared_share, (const struct sample_pair *pair), pair->question_count - pair->rate_count,
           &pair->rates[pair->rate_count + i], pair->rates[pair->rate_count + i].outcome->of == SAMPLE_TIME)

FIELD_WORDS(kernels, [KERNELS_EQUAL] = "equal", [KERNELS_OF_DEVICES] = "of-devices", [KERNELS_REPLAYED] = "replayed",
            [KERNELS_DIFFER] = "differ")
#define PAIR_MEMBERS(X)                                                                                                \
    X("a", sample, "the sample of this side", pair->sample[SIDE_A])                                                    \
    X("b", sample, "the sample of this side", pair->sample[SIDE_B])                                                    \
    X("kernels", kernels, "how the kernels of the sides differ", pair->kernels)                                        \
    X("equal_draws", count, "the number of draws that both sides made", pair->equal_draws)                             \
    X("paired", boolean, "whether the tests over batches compare draw by draw", pair->paired)                          \
    X("batch_size_ratio", number_or_null, "the ratio between the batch sizes of the sides", pair->size_ratio)          \
    X("rates", compared_rates, "the comparison of each outcome", pair, confidence)                                     \
    X("shares", compared_shares, "the comparison of void instances, by reason, and of the time per instance", pair)
FIELD_RECORD(compared_pair, PAIR_MEMBERS, const struct sample_pair *pair, double confidence)
FIELD_LIST(compared_pairs, compared_pair, (const struct comparison *comparison), comparison->pair_count,
           &comparison->pairs[i], comparison->options.confidence)

/* ---- findings ---- */

FIELD_NAMES(finding_kind, enum finding_kind, FINDING_KIND_COUNT, finding_kind_name)
FIELD_WORDS(finding_standing, [STANDING_SURE] = "sure", [STANDING_UNCONFIRMED] = "unconfirmed",
            [STANDING_UNDECIDED] = "undecided")
#define FINDING_MEMBERS(X)                                                                                             \
    X("kind", finding_kind, "what was found", finding->kind)                                                           \
    X("standing", finding_standing, "how certain the finding is", finding->standing)                                   \
    X("severity", text, "the severity, as in the text output", compare_severity(finding))                              \
    X("line", made_text, "what happened", FIELD_WRITTEN(compare_line, comparison, finding))                            \
    X("details", made_text, "how strong the evidence is", FIELD_WRITTEN(compare_details, comparison, finding))         \
    X("sentence", made_text, "`line`, `details` and what decided, in one sentence",                                    \
      FIELD_WRITTEN(compare_describe, comparison, finding))                                                            \
    X("test", text_or_null, "the test; null for a shift", finding->kind == FINDING_SHIFT ? NULL : sample->row.test)    \
    X("backend", backend, NULL, sample->row.backend)                                                                   \
    X("device", device, NULL, sample->row.device)                                                                      \
    X("outcome", text_or_null, "the outcome, or the quantity counted; null if the finding concerns neither",           \
      finding->outcome ? finding->outcome->label : NULL)                                                               \
    X("count", pair, "how often the outcome was seen", finding->count)                                                 \
    SPREAD_MEMBERS(X, a, b)                                                                                            \
    X("sure", boolean, "whether the finding is certain", finding->standing == STANDING_SURE)                           \
    X("excused", boolean,                                                                                              \
      "whether a forbidden outcome does not count because the device does not declare what the test uses",             \
      finding->excused)
FIELD_RECORD(compare_finding, FINDING_MEMBERS, const struct comparison *comparison, const struct finding *finding,
             const struct sample *sample, const struct sample_spread *a, const struct sample_spread *b)
FIELD_LIST(compare_findings, compare_finding, (const struct comparison *comparison, const struct finding *findings),
           comparison->finding_count, comparison, &findings[i],
           findings[i].sample[findings[i].sample[SIDE_B] ? SIDE_B : SIDE_A], &findings[i].spread[SIDE_A],
           &findings[i].spread[SIDE_B])

/* ---- what is on one side only, and what else differs ---- */

FIELD_WORDS(lone_side, [SIDE_A] = "a", [SIDE_B] = "b")
#define UNMATCHED_MEMBERS(X)                                                                                           \
    X("side", lone_side, "the side that has the sample", (size_t)lone->side)                                           \
    X("reason", text, "why the sample has no match", lone->reason)                                                     \
    X("sample", sample, NULL, lone->sample)
FIELD_RECORD(unmatched_sample, UNMATCHED_MEMBERS, const struct unmatched *lone)
FIELD_LIST(unmatched_samples, unmatched_sample, (const struct comparison *comparison), comparison->unmatched_count,
           &comparison->unmatched[i])

#define REMARK_MEMBERS(X)                                                                                              \
    X("differs", text, "the circumstance that differs", remark->what)                                                  \
    X("a", text_or_null, "the value on this side", remark->value[SIDE_A])                                              \
    X("b", text_or_null, "the value on this side", remark->value[SIDE_B])                                              \
    X("tests", count, "the number of tests affected", remark->tests)                                                   \
    X("confounds", boolean, "whether the difference could explain a change of rates", remark->confounds)               \
    X("so", text_or_null, "what follows from the difference", remark->so)
FIELD_RECORD(compare_remark, REMARK_MEMBERS, const struct remark *remark)
FIELD_LIST(compare_remarks, compare_remark, (const struct comparison *comparison), comparison->remark_count,
           &comparison->remarks[i])

static const char *const dimension_words[] = {"backend", "device", "driver", NULL};
static const struct field_type field_dimensions_type = {.shape = FIELD_IS_ARRAY, .words = dimension_words};
static json_t *field_dimensions(unsigned dimensions)
{
    json_t *array = json_array();
    for (int i = 0; dimension_words[i]; i++)
        if (dimensions >> i & 1)
            json_append(array, json_string(dimension_words[i]));
    return array;
}

/* ---- how much runs differ, and whether all of B moved: variances are of logarithms ---- */

#define SUITE_MEMBERS(X)                                                                                               \
    X("variance", number_or_null, "the variance of the logarithms of rates between runs", suite->variance)             \
    X("freedom", number_or_null, "the degrees of freedom of the variance", suite->freedom)                             \
    X("shift", number_or_null, "the variance of the shift of whole runs", suite->shift)                                \
    X("shift_freedom", number_or_null, "the degrees of freedom of the variance", suite->shift_freedom)                 \
    X("rates", count, "the number of rates used", suite->questions)
FIELD_RECORD(compare_suite, SUITE_MEMBERS, const struct statistics_suite *suite)
#define SUITES_MEMBERS(X)                                                                                              \
    X("weak", compare_suite, "how much the rates of weak outcomes differ between runs", &suites[COMPARE_WEAK])         \
    X("other", compare_suite, "how much the rates of other outcomes differ between runs", &suites[COMPARE_OTHER])      \
    X("voids", compare_suite, "how much the shares of void instances differ between runs", &suites[COMPARE_VOIDS])     \
    X("times", compare_suite, "how much the time per instance differs between runs", &suites[COMPARE_TIMES])
FIELD_RECORD(compare_suites, SUITES_MEMBERS, const struct statistics_suite *suites)

static struct interval shift_interval(const struct shift *shift)
{
    const struct statistics_ratio ratio = shift_ratio(shift);
    return words_shown_interval(&ratio);
}

#define SHIFT_MEMBERS(X)                                                                                               \
    X("found", boolean, "whether all weak rates of side B moved by one factor", shift->found)                          \
    X("log_ratio", number_or_null, "the logarithm of this factor", shift->log_ratio)                                   \
    X("ratio_interval", interval_or_null, "the interval of the factor; null if there are too few draws",               \
      shift_interval(shift))                                                                                           \
    X("error", number_or_null, "the standard error of `log_ratio`", shift->decision.error)                             \
    X("degrees_of_freedom", number_or_null, "the degrees of freedom of the standard error", shift->decision.freedom)   \
    X("p", probability, "the p-value of the test for a shift", shift->decision.p)                                      \
    X("p_adjusted", probability, "the p-value, corrected for all questions", shift->adjusted)                          \
    X("rates_moved", count, "the number of rates that moved", shift->moved)
FIELD_RECORD(compare_shift, SHIFT_MEMBERS, const struct shift *shift)

/* ---- the whole ---- */

#define EXTENT_MEMBERS(X)                                                                                              \
    X("compared", count, "the number of tests that were compared", extent.compared)                                    \
    X("unsupported", count, "the number of tests that a side does not support", extent.unsupported)                    \
    X("without_data", count, "the number of tests without results", extent.without_data)                               \
    X("other_kernels", count, "the number of tests not compared because their kernels differ", extent.other_kernels)   \
    X("without_a_match", count, "the number of tests that only one side has", unmatched)
FIELD_RECORD(compare_tests, EXTENT_MEMBERS, struct compare_extent extent, size_t unmatched)

#define OPTIONS_MEMBERS(X)                                                                                             \
    X("alpha", number, "the value of the option", options->alpha)                                                      \
    X("confidence", number, "the value of the option", options->confidence)                                            \
    X("tolerance", number, "the value of the option", options->tolerance)                                              \
    X("time_tolerance", number, "the tolerance of the time per instance", options->time_tolerance)                     \
    X("detect", number, "a rate is known well enough if the interval of its ratio lies within this factor",            \
      options->detect)                                                                                                 \
    X("fewest_runs", count, "the number of runs that a side needs for a decision", options->fewest_runs)
FIELD_RECORD(compare_options, OPTIONS_MEMBERS, const struct compare_options *options)

#define COMPARE_MEMBERS(X)                                                                                             \
    X("a", text, "the title of the side", comparison->side[SIDE_A]->title)                                             \
    X("b", text, "the title of the side", comparison->side[SIDE_B]->title)                                             \
    X("answer", made_text, "the first line of the text output", FIELD_WRITTEN(compare_print_answer, comparison))       \
    X("tests", compare_tests, "how many tests were compared, or why not", compare_extent(comparison),                  \
      comparison->unmatched_count)                                                                                     \
    X("compared_across", dimensions, "what the sides differ in", comparison->dimensions)                               \
    X("jobs_on_both_sides", count, "the number of jobs that belong to both sides", comparison->shared_jobs)            \
    X("options", compare_options, "the options of the comparison", &comparison->options)                               \
    X("findings", compare_findings, "the findings, most severe first", comparison, comparison->findings)               \
    X("pairs", compared_pairs, "pairs of matching samples", comparison)                                                \
    X("runs", pair, "the number of runs", FIELD_PAIR(comparison->runs[SIDE_A], comparison->runs[SIDE_B]))              \
    X("suite", compare_suites, "how much rates differ between runs", comparison->suites)                               \
    X("shift", compare_shift, "whether all weak rates of side B moved by one factor", &comparison->shift)              \
    X("models_changed", models_changed_of_sides, NULL, comparison->side)                                               \
    X("unread", unread_of_sides, NULL, comparison->side)                                                               \
    X("unmatched", unmatched_samples, "samples that only one side has", comparison)                                    \
    X("differences", compare_remarks, "circumstances that differ between the sides", comparison)
FIELD_DOCUMENT(document_compare, COMPARE_MEMBERS, const struct comparison *comparison)

void compare_print_json(const struct comparison *comparison, struct text *text)
{
    json_add_document(JSON_COMPARE, field_document_compare(comparison), text);
}
