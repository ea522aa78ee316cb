// SPDX-License-Identifier: Apache-2.0
/* A gate's decision as JSON, in which figures are numbers and unknown ones null: each list of members is an object
 * (base/field.h). */
#include "analysis/words/words.h"
#include "base/field.h"
#include "gate/decide/gate_parts.h"

FIELD_WORDS(effect, "known", "flaky", "skip")
#define EXPECTATION_MEMBERS(X)                                                                                         \
    X("effect", effect, "the effect of the expectation", entry->effect)                                                \
    X("test", text, "the test that the expectation names", entry->test)                                                \
    X("why", text, "the reason given for the expectation", entry->why)                                                 \
    X("line", count, "the line of the expectation in the file", (uint64_t)entry->line)
FIELD_OR_NULL(expectation, EXPECTATION_MEMBERS, entry != NULL, const struct expectation *entry)
FIELD_LIST(stale, expectation, (const struct gate *gate), gate->stale_count, gate->stale[i])

/* ---- figures ---- */

#define CHANGE_MEMBERS(X)                                                                                              \
    X("ratio", number_or_null, "the rate of side B divided by the rate of side A", ratio->ratio)                       \
    X("kind", ratio_kind, NULL, ratio->kind)                                                                           \
    X("low", number_or_null, "the lower end of the interval; null unless measured", known ? ratio->interval.low : NAN) \
    X("high", number_or_null, "the upper end of the interval; null unless measured", known ? ratio->interval.high : NAN)
FIELD_RECORD(gate_change, CHANGE_MEMBERS, const struct statistics_ratio *ratio, bool known)

/* The decision on a question, and how it was made. */
#define RATE_MEMBERS(X)                                                                                                \
    X("count", pair, "how often the outcome was seen", rate->count)                                                    \
    X("counted", pair, "the number of instances that are not void", rate->counted)                                     \
    X("runs", pair, "the number of runs", FIELD_PAIR(rate->spread[SIDE_A].runs, rate->spread[SIDE_B].runs))            \
    X("seen_in_runs", pair, "the number of runs in which the outcome was seen",                                        \
      FIELD_PAIR(rate->spread[SIDE_A].seen_in_runs, rate->spread[SIDE_B].seen_in_runs))                                \
    X("by_runs", boolean, "whether the test over runs decides, rather than the test over batches", rate->by_runs)      \
    X("change", gate_change, "how the rate changed", &rate->ratio, statistics_has_interval(&rate->ratio))              \
    X("p", probability, "the p-value of the test that decides",                                                        \
      rate->by_runs ? rate->adjusted : rate->within_adjusted)                                                          \
    X("degrees_of_freedom", number_or_null, "the degrees of freedom over runs",                                        \
      rate->by_runs ? rate->decision.freedom : NAN)                                                                    \
    X("baseline_span", number_or_null, "the ratio of the largest to the smallest rate among the runs of the baseline", \
      rate->measure.runs[STATISTICS_A] > 1 ? rate->measure.span[STATISTICS_A] : NAN)
FIELD_OR_NULL(gate_rate, RATE_MEMBERS, rate != NULL, const struct rate *rate)

static uint64_t counted_on(const struct finding *finding, int side)
{
    return finding->sample[side] ? sample_size(finding->sample[side], finding->outcome->of) : 0;
}

/* The figures of a line, A first; null if a reason is not about an outcome. */
#define FIGURES_MEMBERS(X)                                                                                             \
    X("outcome", outcome, NULL, finding->outcome->label)                                                               \
    X("count", pair, "how often the outcome was seen", finding->count)                                                 \
    X("counted", pair, "the number of instances that are not void",                                                    \
      FIELD_PAIR(counted_on(finding, SIDE_A), counted_on(finding, SIDE_B)))                                            \
    SPREAD_MEMBERS(X, &finding->spread[SIDE_A], &finding->spread[SIDE_B])                                              \
    X("rate", gate_rate, "the decision on its rate", finding->rate)
FIELD_OR_NULL(gate_figures, FIGURES_MEMBERS, finding && finding->outcome, const struct finding *finding)

/* ---- cases ---- */

/* The command itself, without the word before it. */
static const char *command_of(const char *command)
{
    const char *colon = strstr(command, ": ");
    return colon ? colon + 2 : NULL;
}

FIELD_NAMES(gate_class, enum gate_class, GATE_CLASS_COUNT, gate_class_name)
#define REASON_MEMBERS(X)                                                                                              \
    X("kind", text, "the kind of reason, such as `forbidden`; see the guide", gate_kinds[reason->kind].word)           \
    X("class", gate_class, "the class of this kind", gate_kinds[reason->kind].of)                                      \
    X("line", text, "the reason in words", reason->line)                                                               \
    X("evidence", nonempty_or_null, "the evidence in words", reason->evidence)                                         \
    X("sentence", made_text, "the reason, its evidence and what decided", FIELD_WRITTEN(gate_add_sentence, reason))    \
    X("figures", gate_figures, "the figures, if the reason concerns an outcome", reason->finding)                      \
    X("reruns", gate_rate, "what the reruns showed", reason->again)                                                    \
    X("other_draws", gate_rate, "what the rerun with other draws showed", reason->other)                               \
    X("seconds_needed", duration_or_null, "how long this test must run to remove the doubt", reason->suffices)         \
    X("command", text_or_null, "the command that repeats or confirms the reason", command_of(reason->command))         \
    X("known", boolean, "whether the result is unsound and the baseline showed the same", reason->known)               \
    X("flaky", boolean, "whether the reruns disagreed or did not confirm the reason", gate_is_flaky(reason))           \
    X("expected", expectation, "the expectation because of which the reason does not count", reason->expected)
FIELD_RECORD(gate_reason, REASON_MEMBERS, const struct gate_reason *reason)
FIELD_LIST(gate_reasons, gate_reason, (const struct gate_case *of), of->reason_count, &of->reasons[i])

/* Whether it has failed, and by nothing that is new. */
static bool is_known_case(const struct gate_case *of)
{
    bool known = of->verdict == GATE_FAILED;
    for (size_t i = 0; i < of->reason_count; i++)
        known &=
            of->reasons[i].known || of->reasons[i].expected || gate_kinds[of->reasons[i].kind].of != GATE_SOUNDNESS;
    return known;
}

FIELD_NAMES(gate_verdict, enum gate_verdict, GATE_INCONCLUSIVE + 1, gate_verdict_name)
#define CASE_MEMBERS(X)                                                                                                \
    X("test", test, NULL, row->test)                                                                                   \
    X("dialect", dialect, NULL, row->dialect)                                                                          \
    X("backend", backend, NULL, row->backend)                                                                          \
    X("device", device, NULL, row->device)                                                                             \
    X("driver", driver, NULL, row->driver)                                                                             \
    X("control_of", control_of, NULL, row->controls)                                                                   \
    X("compared", boolean, "whether the case has a match in the baseline", of->compared)                               \
    X("verdict", gate_verdict, "the verdict on this test", of->verdict)                                                \
    X("known", boolean, "whether the test failed only with results that the baseline showed, too", is_known_case(of))  \
    X("seconds", duration_or_null, "the duration of the test's first run", row->seconds)                               \
    X("skipped", expectation, "the expectation because of which the test was skipped", of->skipped)                    \
    X("reasons", gate_reasons, "why the case has its verdict", of)
FIELD_RECORD(gate_case, CASE_MEMBERS, const struct gate_case *of, const struct store_job_row *row)
FIELD_LIST(gate_cases, gate_case, (const struct gate *gate), gate->case_count, &gate->cases[i],
           &gate->cases[i].sample->row)

/* ---- devices ---- */

#define DEVICE_MEMBERS(X)                                                                                              \
    X("backend", backend, NULL, row->backend)                                                                          \
    X("device", device, NULL, row->device)                                                                             \
    X("device_uuid", device_uuid, NULL, row->device_uuid)                                                              \
    X("apart", nonempty_or_null, "the machine or hardware, if several devices have this name and no UUID",             \
      device->sample->apart ? device->sample->apart : "")                                                              \
    X("verdict", gate_verdict, "the verdict on this device alone", device->verdict)                                    \
    X("exit_code", count, "the exit code of a gate that judges only this device", (uint64_t)device->exit_code)         \
    X("driver_a", text_or_null, "the drivers of the device in the baseline, or null", device->driver[SIDE_A])          \
    X("driver_b", text_or_null, "the drivers of the device that were judged, or null", device->driver[SIDE_B])         \
    X("tests", count, "the number of tests of the device", device->tests)                                              \
    X("compared", count, "the number of tests with counted instances on both sides", device->compared)                 \
    X("soundness", count, "the number of reasons of this class", device->counts.of_class[GATE_SOUNDNESS])              \
    X("behaviour", count, "the number of reasons of this class", device->counts.of_class[GATE_BEHAVIOUR])              \
    X("doubts", count, "the number of reasons of this class", device->counts.of_class[GATE_DOUBT])                     \
    X("expected", count, "the number of reasons that are expected and do not count", device->counts.expected)
FIELD_RECORD(gate_device, DEVICE_MEMBERS, const struct gate_device *device, const struct store_job_row *row)
FIELD_LIST(gate_devices, gate_device, (const struct gate *gate), gate->device_count, gate->by_verdict[i],
           &gate->by_verdict[i]->sample->row)

/* ---- sums, needs and differences ---- */

FIELD_MAP(gate_kinds, count, (const struct gate_counts *counts), GATE_KIND_COUNT, gate_kinds[i].word,
          counts->of_kind[i])

#define COUNTS_MEMBERS(X)                                                                                              \
    X("soundness", count, "the number of reasons of this class", counts->of_class[GATE_SOUNDNESS])                     \
    X("soundness_new", count, "soundness reasons that the baseline lacks",                                             \
      counts->of_class[GATE_SOUNDNESS] - counts->known)                                                                \
    X("soundness_known", count, "soundness reasons that the baseline has, too", counts->known)                         \
    X("behaviour", count, "the number of reasons of this class", counts->of_class[GATE_BEHAVIOUR])                     \
    X("doubts", count, "the number of reasons of this class", counts->of_class[GATE_DOUBT])                            \
    X("undecided", count, "the number of undecided rates", counts->undecided)                                          \
    X("unsupported", count, "the number of unsupported tests", counts->unsupported)                                    \
    X("expected", count, "the number of reasons that are expected and do not count", counts->expected)                 \
    X("new", count, "the number of outcomes that only the judged side saw", counts->seen_in[SIDE_B])                   \
    X("lost", count, "the number of outcomes that only the baseline saw", counts->seen_in[SIDE_A])                     \
    X("mutants", count, "the number of mutants", mutants->of)                                                          \
    X("mutants_seen", count, "the number of mutants whose outcome was seen", mutants->have)                            \
    X("kinds", gate_kinds, "the number of reasons of each kind", counts)
FIELD_RECORD(gate_counts, COUNTS_MEMBERS, const struct gate_counts *counts, const struct gate_supply *mutants)

#define NEED_MEMBERS(X)                                                                                                \
    X("need", text, "the name of the requirement", gate_need_rows[need].word)                                          \
    X("have", count, "the number that meet the requirement", supply->have)                                             \
    X("of", count, "the number that could meet the requirement", supply->of)                                           \
    X("met", boolean, "whether the requirement is met", supply->met)
FIELD_RECORD(gate_need, NEED_MEMBERS, enum gate_need need, const struct gate_supply *supply)
FIELD_LIST(gate_needs, gate_need, (const struct gate *gate), GATE_NEED_COUNT, (enum gate_need)i, &gate->needs[i])

#define BROKEN_MEMBERS(X)                                                                                              \
    X("kind", text, "the kind of the doubt", gate_kinds[broken->kind].word)                                            \
    X("sentence", text, "a sentence that says what is missing", broken->line)                                          \
    X("command", text_or_null, "a command that would help", command_of(broken->command))                               \
    X("device", text_or_null, "the device that the doubt concerns; null if it concerns the whole gate",                \
      broken->device ? broken->device->sample->row.device : NULL)
FIELD_RECORD(gate_doubt, BROKEN_MEMBERS, const struct gate_reason *broken)
FIELD_LIST(gate_broken, gate_doubt, (const struct gate *gate), gate->broken_count, &gate->broken[i])

#define REMARK_MEMBERS(X)                                                                                              \
    X("what", text, "the circumstance that differs", remark->what)                                                     \
    X("a", text_or_null, "the value on this side", remark->value[SIDE_A])                                              \
    X("b", text_or_null, "the value on this side", remark->value[SIDE_B])                                              \
    X("tests", count, "the number of tests affected", remark->tests)
FIELD_RECORD(gate_remark, REMARK_MEMBERS, const struct remark *remark)
FIELD_LIST(gate_remarks, gate_remark, (const struct comparison *comparison), comparison->remark_count,
           &comparison->remarks[i])

#define RUNS_MEMBERS(X)                                                                                                \
    X("baseline", count, "the number of runs in the baseline", gate->comparison->runs[SIDE_A])                         \
    X("judged", count, "the number of runs judged", gate->comparison->runs[SIDE_B])                                    \
    X("reruns", count, "the number of reruns", gate->reruns)                                                           \
    X("other_draws", boolean, "whether there was a rerun with other draws", gate->passes.other != NULL)
FIELD_RECORD(gate_runs, RUNS_MEMBERS, const struct gate *gate)

#define FLAW_MEMBERS(X)                                                                                                \
    X("test", test, NULL, flaw->sample->row.test)                                                                      \
    X("kind", text, "the kind of finding", gate_kinds[flaw->kind].word)
FIELD_RECORD(gate_flaw, FLAW_MEMBERS, const struct gate_flaw *flaw)
FIELD_LIST(gate_flaws, gate_flaw, (const struct gate *gate), gate->flaw_count, &gate->flaws[i])

/* ---- the whole ---- */

FIELD_NAMES(ending, enum gate_verdict, GATE_INTERRUPTED + 1, gate_verdict_name)

/* A gate that ended without a decision has only these, and why. */
#define STOPPED_MEMBERS(X, verdict, code)                                                                              \
    X("verdict", ending, "the decision", verdict)                                                                      \
    X("exit_code", count, "the exit code", (uint64_t)(code))

FIELD_WORDS(fail_on, [GATE_FAIL_ON_BEHAVIOUR] = "behaviour", [GATE_FAIL_ON_SOUNDNESS] = "soundness",
            [GATE_FAIL_ON_INCONCLUSIVE] = "inconclusive")
#define GATE_MEMBERS(X)                                                                                                \
    STOPPED_MEMBERS(X, gate->verdict, gate->exit_code)                                                                 \
    X("fail_on!", fail_on, "what makes the gate fail", gate->options->fail_on)                                         \
    X("counts!", gate_counts, "reasons, tests and outcomes, counted", &gate->counts, &gate->needs[GATE_NEED_MUTANTS])  \
    X("a!", text, "the title of the baseline", comparison->side[SIDE_A]->title)                                        \
    X("b!", text, "the title of what was judged", comparison->side[SIDE_B]->title)                                     \
    X("models_changed!", models_changed_of_sides, NULL, comparison->side)                                              \
    X("unread!", unread_of_sides, NULL, comparison->side)                                                              \
    X("needs!", gate_needs, "the requirements of the verdict `passed`, and how far each is met", gate)                 \
    X("broken!", gate_broken, "requirements that are not met, and doubts about devices", gate)                         \
    X("compared!", count, "the number of tests that were compared", gate->needs[GATE_NEED_DRAWS].of)                   \
    X("draw_by_draw!", count, "the number of tests compared draw by draw", gate->needs[GATE_NEED_DRAWS].have)          \
    X("runs!", gate_runs, "the number of runs of each kind", gate)                                                     \
    X("differs!", gate_remarks, "circumstances that differ between the sides", comparison)                             \
    X("seconds_needed!", duration_or_null, "how long each test must run to remove all doubts of known size",           \
      gate->suffices)                                                                                                  \
    X("devices!", gate_devices, "the devices, worst verdicts first", gate)                                             \
    X("cases!", gate_cases, "the result of each test on each device", gate)                                            \
    X("baseline_unsound!", gate_flaws, "unsound results of the baseline itself, except expected ones", gate)           \
    X("strict_expectations!", boolean, "whether the gate fails if an expectation is stale",                            \
      gate->options->strict_expectations)                                                                              \
    X("stale!", stale, "the expectations whose tests ran and did not show what is expected", gate)
#define ERROR_MEMBER(X) X("error?", text, "why the gate could not decide", stopped->why)

static const struct field document_gate_fields[] = {GATE_MEMBERS(FIELD_ROW) ERROR_MEMBER(FIELD_ROW){0}};
const struct field_type field_document_gate_type = {
    .shape = FIELD_IS_OBJECT, .fields = document_gate_fields, .unless = "error"};
FIELD_FUNCTION(static, gate_decision, GATE_MEMBERS, true, const struct gate *gate, const struct comparison *comparison)

#define ENDED_MEMBERS(X) STOPPED_MEMBERS(X, stopped->verdict, stopped->exit_code) ERROR_MEMBER(X)
FIELD_FUNCTION(static, gate_ended, ENDED_MEMBERS, true, const struct gate_stopped *stopped)

void gate_print_json(const struct gate *gate, struct text *text)
{
    json_add_document(JSON_GATE, field_gate_decision(gate, gate->comparison), text);
}

void gate_stopped_print_json(const struct gate_stopped *stopped, struct text *text)
{
    json_add_document(JSON_GATE, field_gate_ended(stopped), text);
}
