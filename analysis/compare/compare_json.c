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
    X("counted", count, "instances without void ones", sample->counted)                                                \
    X("void", count, "void instances", sample->row.voids)                                                              \
    X("invalid_batches", count, "the number of invalid batches", sample->row.invalid_batches)                          \
    X("kept", kept, NULL, sample->row.built ? kept_word(sample->row.kept) : NULL)                                      \
    X("kept_reason", kept_reason, NULL, sample->row.built ? sample->row.kept_reason : NULL)
static FIELD_NAMED_TYPE(sample, FIELD_IS_OBJECT | FIELD_IS_NULL, SAMPLE_MEMBERS,
                        "what one side has of a test on a device; null if it has nothing")
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
    X("result", rate_result, "what became of its rate", rate->result)                                                  \
    X("standing", result_standing, "how sure a change is; null if nothing changed", rate->result)                      \
    X("count", pair, "how often it was seen", rate->count)                                                             \
    X("counted", pair, "instances without void ones", rate->counted)                                                   \
    SPREAD_MEMBERS(X, a, b)                                                                                            \
    X("expected", number_or_null, "if one side saw none: how many it would have seen at the other side's rate",        \
      rate->expected)                                                                                                  \
    X("rate_interval", rate_intervals, "the interval of each side's rate: over runs, if there are several", pair,      \
      rate->outcome->label, confidence)                                                                                \
    X("ratio", number_or_null, "the rate of B over the rate of A", rate->ratio.ratio)                                  \
    X("ratio_kind", ratio_kind, NULL, rate->ratio.kind)                                                                \
    X("ratio_draws", positive_or_null, "of the kind `in-draws`: how many draws",                                       \
      rate->ratio.kind == STATISTICS_RATIO_IN_DRAWS ? rate->ratio.draws : 0)                                           \
    X("ratio_interval", interval_or_null, "its interval; null unless it is measured",                                  \
      words_shown_interval(&rate->ratio))                                                                              \
    X("by_runs", boolean, "whether runs decide, else batches", rate->by_runs)                                          \
    X("log_ratio", number_or_null, "over runs: the estimate", measure->log_ratio)                                      \
    X("error", number_or_null, "over runs: its standard error", rate->decision.error)                                  \
    X("degrees_of_freedom", number_or_null, "over runs", rate->decision.freedom)                                       \
    X("dispersion", number_or_null, "the dispersion of sightings", measure->dispersion)                                \
    X("lag", number_or_null, "the correlation of successive batches", measure->lag)                                    \
    X("runs_used", pair, "the runs used", FIELD_PAIR(measure->runs[SIDE_A], measure->runs[SIDE_B]))                    \
    X("span", pair_of_numbers, "the ratio between the largest and the smallest rate of a side's runs", measure->span)  \
    X("method", text_or_null, "the statistical test that decides",                                                     \
      rate->by_runs ? "moderated t over runs" : statistics_method_name(rate->within.method))                           \
    X("p", probability, "its p", rate->by_runs ? rate->decision.p : rate->within.p)                                    \
    X("p_adjusted", probability, "corrected for all questions",                                                        \
      rate->by_runs ? rate->adjusted : rate->within_adjusted)                                                          \
    X("smallest_p", probability, "over batches: the smallest p that the test could give", rate->within.smallest_p)     \
    X("batches_method", text_or_null, "over batches: the statistical test",                                            \
      statistics_method_name(rate->within.method))                                                                     \
    X("batches_p", probability, "over batches, within single runs", rate->within.p)                                    \
    X("batches_p_adjusted", probability, "over batches, within single runs", rate->within_adjusted)
FIELD_RECORD(compared_rate, RATE_MEMBERS, const struct sample_pair *pair, const struct rate *rate, double confidence,
             const struct statistics_measure *measure, const struct sample_spread *a, const struct sample_spread *b)
FIELD_LIST(compared_rates, compared_rate, (const struct sample_pair *pair, double confidence), pair->rate_count, pair,
           &pair->rates[i], confidence, &pair->rates[i].measure, &pair->rates[i].spread[SIDE_A],
           &pair->rates[i].spread[SIDE_B])

/* void: of launched instances; time: their nanoseconds. */
FIELD_WORDS(share_measure, "void", "time")
#define SHARE_MEMBERS(X)                                                                                               \
    X("measure", share_measure, "what is counted", is_time)                                                            \
    X("reason", text_or_null, "why instances are void; null for the time",                                             \
      is_time ? NULL : rate->outcome->label + strlen(SAMPLE_VOID_LABEL))                                               \
    X("result", rate_result, "what became of it, as for a rate", rate->result)                                         \
    X("standing", result_standing, "how sure a change is; null if nothing changed", rate->result)                      \
    X("count", pair, "void instances; or nanoseconds, at least 1 ms for each batch", rate->count)                      \
    X("launched", pair, "instances with void ones", rate->counted)                                                     \
    X("ratio", number_or_null, "the share of B over the share of A", rate->ratio.ratio)                                \
    X("ratio_interval", interval, "its interval", rate->ratio.interval)                                                \
    X("by_runs", boolean, "whether runs decide, else batches", rate->by_runs)                                          \
    X("degrees_of_freedom", number_or_null, "over runs", rate->decision.freedom)                                       \
    X("runs_used", pair, "the runs used", FIELD_PAIR(rate->measure.runs[SIDE_A], rate->measure.runs[SIDE_B]))          \
    X("p", probability, "its p", rate->by_runs ? rate->decision.p : rate->within.p)                                    \
    X("p_adjusted", probability, "corrected for all questions", rate->by_runs ? rate->adjusted : rate->within_adjusted)
FIELD_RECORD(compared_share, SHARE_MEMBERS, const struct rate *rate, bool is_time)
FIELD_LIST(compared_shares, compared_share, (const struct sample_pair *pair), pair->question_count - pair->rate_count,
           &pair->rates[pair->rate_count + i], pair->rates[pair->rate_count + i].outcome->of == SAMPLE_TIME)

FIELD_WORDS(kernels, [KERNELS_EQUAL] = "equal", [KERNELS_OF_DEVICES] = "of-devices", [KERNELS_REPLAYED] = "replayed",
            [KERNELS_DIFFER] = "differ")
#define PAIR_MEMBERS(X)                                                                                                \
    X("a", sample, "the side's sample", pair->sample[SIDE_A])                                                          \
    X("b", sample, "the side's sample", pair->sample[SIDE_B])                                                          \
    X("kernels", kernels, "how the kernels of the sides differ", pair->kernels)                                        \
    X("equal_draws", count, "the number of draws that both sides have", pair->equal_draws)                             \
    X("paired", boolean, "whether the tests over batches compare draw by draw", pair->paired)                          \
    X("batch_size_ratio", number_or_null, "the ratio of the sizes of batches", pair->size_ratio)                       \
    X("rates", compared_rates, "each outcome", pair, confidence)                                                       \
    X("shares", compared_shares, "void instances by reason, and the time of an instance", pair)
FIELD_RECORD(compared_pair, PAIR_MEMBERS, const struct sample_pair *pair, double confidence)
FIELD_LIST(compared_pairs, compared_pair, (const struct comparison *comparison), comparison->pair_count,
           &comparison->pairs[i], comparison->options.confidence)

/* ---- findings ---- */

FIELD_NAMES(finding_kind, enum finding_kind, FINDING_KIND_COUNT, finding_kind_name)
FIELD_WORDS(finding_standing, [STANDING_SURE] = "sure", [STANDING_UNCONFIRMED] = "unconfirmed",
            [STANDING_UNDECIDED] = "undecided")
#define FINDING_MEMBERS(X)                                                                                             \
    X("kind", finding_kind, "what was found", finding->kind)                                                           \
    X("standing", finding_standing, "how sure it is", finding->standing)                                               \
    X("severity", text, "as in the text output", compare_severity(finding))                                            \
    X("line", made_text, "what happened", FIELD_WRITTEN(compare_line, comparison, finding))                            \
    X("details", made_text, "how strong the evidence is", FIELD_WRITTEN(compare_details, comparison, finding))         \
    X("sentence", made_text, "both, and what decided", FIELD_WRITTEN(compare_describe, comparison, finding))           \
    X("test", text_or_null, "the test; null for a shift", finding->kind == FINDING_SHIFT ? NULL : sample->row.test)    \
    X("backend", backend, NULL, sample->row.backend)                                                                   \
    X("device", device, NULL, sample->row.device)                                                                      \
    X("outcome", text_or_null, "the outcome, or what is counted; null if it is not about one",                         \
      finding->outcome ? finding->outcome->label : NULL)                                                               \
    X("count", pair, "how often it was seen", finding->count)                                                          \
    SPREAD_MEMBERS(X, a, b)                                                                                            \
    X("sure", boolean, "whether it is sure", finding->standing == STANDING_SURE)                                       \
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
    X("side", lone_side, "the side that has it", (size_t)lone->side)                                                   \
    X("reason", text, "why it has no match", lone->reason)                                                             \
    X("sample", sample, NULL, lone->sample)
FIELD_RECORD(unmatched_sample, UNMATCHED_MEMBERS, const struct unmatched *lone)
FIELD_LIST(unmatched_samples, unmatched_sample, (const struct comparison *comparison), comparison->unmatched_count,
           &comparison->unmatched[i])

#define REMARK_MEMBERS(X)                                                                                              \
    X("differs", text, "the circumstance", remark->what)                                                               \
    X("a", text_or_null, "its value", remark->value[SIDE_A])                                                           \
    X("b", text_or_null, "its value", remark->value[SIDE_B])                                                           \
    X("tests", count, "how many tests", remark->tests)                                                                 \
    X("confounds", boolean, "whether it may be why rates differ", remark->confounds)                                   \
    X("so", text_or_null, "the consequence", remark->so)
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
    X("variance", number_or_null, "the variance between runs, of logarithms", suite->variance)                         \
    X("freedom", number_or_null, "its degrees of freedom", suite->freedom)                                             \
    X("shift", number_or_null, "the variance of the shift of whole runs", suite->shift)                                \
    X("shift_freedom", number_or_null, "its degrees of freedom", suite->shift_freedom)                                 \
    X("rates", count, "the number of rates used", suite->questions)
FIELD_RECORD(compare_suite, SUITE_MEMBERS, const struct statistics_suite *suite)
#define SUITES_MEMBERS(X)                                                                                              \
    X("weak", compare_suite, "of weak outcomes, and of others", &suites[COMPARE_WEAK])                                 \
    X("other", compare_suite, "of weak outcomes, and of others", &suites[COMPARE_OTHER])                               \
    X("voids", compare_suite, "of void instances", &suites[COMPARE_VOIDS])                                             \
    X("times", compare_suite, "of the time per instance", &suites[COMPARE_TIMES])
FIELD_RECORD(compare_suites, SUITES_MEMBERS, const struct statistics_suite *suites)

static struct interval shift_interval(const struct shift *shift)
{
    const struct statistics_ratio ratio = shift_ratio(shift);
    return words_shown_interval(&ratio);
}

#define SHIFT_MEMBERS(X)                                                                                               \
    X("found", boolean, "whether they moved", shift->found)                                                            \
    X("log_ratio", number_or_null, "by how much", shift->log_ratio)                                                    \
    X("ratio_interval", interval_or_null, "the interval of the ratio; null if draws are too few",                      \
      shift_interval(shift))                                                                                           \
    X("error", number_or_null, "the standard error", shift->decision.error)                                            \
    X("degrees_of_freedom", number_or_null, "of the error", shift->decision.freedom)                                   \
    X("p", probability, "of the test; corrected for all questions", shift->decision.p)                                 \
    X("p_adjusted", probability, "of the test; corrected for all questions", shift->adjusted)                          \
    X("rates_moved", count, "the number of rates that moved", shift->moved)
FIELD_RECORD(compare_shift, SHIFT_MEMBERS, const struct shift *shift)

/* ---- the whole ---- */

#define EXTENT_MEMBERS(X)                                                                                              \
    X("compared", count, "compared", extent.compared)                                                                  \
    X("unsupported", count, "not supported by a side", extent.unsupported)                                             \
    X("without_data", count, "without results", extent.without_data)                                                   \
    X("other_kernels", count, "not compared because the kernels differ", extent.other_kernels)                         \
    X("without_a_match", count, "that only one side has", unmatched)
FIELD_RECORD(compare_tests, EXTENT_MEMBERS, struct compare_extent extent, size_t unmatched)

#define OPTIONS_MEMBERS(X)                                                                                             \
    X("alpha", number, "as given", options->alpha)                                                                     \
    X("confidence", number, "as given", options->confidence)                                                           \
    X("tolerance", number, "as given", options->tolerance)                                                             \
    X("time_tolerance", number, "the tolerance of the time per instance", options->time_tolerance)                     \
    X("detect", number, "a rate is known well enough if the interval of its ratio is within this factor",              \
      options->detect)                                                                                                 \
    X("fewest_runs", count, "the fewest runs of a side that decide a rate", options->fewest_runs)
FIELD_RECORD(compare_options, OPTIONS_MEMBERS, const struct compare_options *options)

#define COMPARE_MEMBERS(X)                                                                                             \
    X("a", text, "the title of the side", comparison->side[SIDE_A]->title)                                             \
    X("b", text, "the title of the side", comparison->side[SIDE_B]->title)                                             \
    X("answer", made_text, "the first line of the text output", FIELD_WRITTEN(compare_print_answer, comparison))       \
    X("tests", compare_tests, "numbers of tests", compare_extent(comparison), comparison->unmatched_count)             \
    X("compared_across", dimensions, "what the sides differ in", comparison->dimensions)                               \
    X("jobs_on_both_sides", count, "jobs that belong to both sides", comparison->shared_jobs)                          \
    X("options", compare_options, "the options", &comparison->options)                                                 \
    X("findings", compare_findings, "the findings, most severe first", comparison, comparison->findings)               \
    X("pairs", compared_pairs, "matched samples", comparison)                                                          \
    X("runs", pair, "the number of runs", FIELD_PAIR(comparison->runs[SIDE_A], comparison->runs[SIDE_B]))              \
    X("suite", compare_suites, "how much runs differ", comparison->suites)                                             \
    X("shift", compare_shift, "whether all weak rates of B moved", &comparison->shift)                                 \
    X("models_changed", models_changed_of_sides, NULL, comparison->side)                                               \
    X("unread", unread_of_sides, NULL, comparison->side)                                                               \
    X("unmatched", unmatched_samples, "samples that only one side has", comparison)                                    \
    X("differences", compare_remarks, "circumstances that differ", comparison)
FIELD_DOCUMENT(document_compare, COMPARE_MEMBERS, const struct comparison *comparison)

void compare_print_json(const struct comparison *comparison, struct text *text)
{
    json_add_document(JSON_COMPARE, field_document_compare(comparison), text);
}
