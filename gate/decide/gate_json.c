// SPDX-License-Identifier: Apache-2.0
/* A gate's decision as JSON, in which figures are numbers and unknown ones null: each list of members is an object
 * (base/field.h). */
#include "analysis/words/words.h"
#include "base/field.h"
#include "gate/decide/gate_parts.h"

FIELD_WORDS(effect, "known", "flaky", "skip")
#define EXPECTATION_MEMBERS(X)                                                                                         \
    X("effect", effect, "what it does", entry->effect)                                                                 \
    X("test", text, "the test that it names", entry->test)                                                             \
    X("why", text, "its reason", entry->why)                                                                           \
    X("line", count, "its line in the file", (uint64_t)entry->line)
FIELD_OR_NULL(expectation, EXPECTATION_MEMBERS, entry != NULL, const struct expectation *entry)
FIELD_LIST(stale, expectation, (const struct gate *gate), gate->stale_count, gate->stale[i])

/* ---- figures ---- */

#define CHANGE_MEMBERS(X)                                                                                              \
    X("ratio", number_or_null, "the rate of B over the rate of A", ratio->ratio)                                       \
    X("kind", ratio_kind, NULL, ratio->kind)                                                                           \
    X("low", number_or_null, "its interval; null unless it is measured", known ? ratio->interval.low : NAN)            \
    X("high", number_or_null, "its interval; null unless it is measured", known ? ratio->interval.high : NAN)
FIELD_RECORD(gate_change, CHANGE_MEMBERS, const struct statistics_ratio *ratio, bool known)

/* The decision on a question, and how it was made. */
#define RATE_MEMBERS(X)                                                                                                \
    X("count", pair, "as in `figures`", rate->count)                                                                   \
    X("counted", pair, "as in `figures`", rate->counted)                                                               \
    X("runs", pair, "as in `figures`", FIELD_PAIR(rate->spread[SIDE_A].runs, rate->spread[SIDE_B].runs))               \
    X("seen_in_runs", pair, "as in `figures`",                                                                         \
      FIELD_PAIR(rate->spread[SIDE_A].seen_in_runs, rate->spread[SIDE_B].seen_in_runs))                                \
    X("by_runs", boolean, "whether runs decide, else batches", rate->by_runs)                                          \
    X("change", gate_change, "the change", &rate->ratio, statistics_has_interval(&rate->ratio))                        \
    X("p", probability, "of the test that decides", rate->by_runs ? rate->adjusted : rate->within_adjusted)            \
    X("degrees_of_freedom", number_or_null, "of the test over runs", rate->by_runs ? rate->decision.freedom : NAN)     \
    X("baseline_span", number_or_null, "the ratio of the largest to the smallest rate among the baseline's runs",      \
      rate->measure.runs[STATISTICS_A] > 1 ? rate->measure.span[STATISTICS_A] : NAN)
FIELD_OR_NULL(gate_rate, RATE_MEMBERS, rate != NULL, const struct rate *rate)

static uint64_t counted_on(const struct finding *finding, int side)
{
    return finding->sample[side] ? sample_size(finding->sample[side], finding->outcome->of) : 0;
}

/* The figures of a line, A first; null if a reason is not about an outcome. */
#define FIGURES_MEMBERS(X)                                                                                             \
    X("outcome", outcome, NULL, finding->outcome->label)                                                               \
    X("count", pair, "how often it was seen", finding->count)                                                          \
    X("counted", pair, "instances without void ones",                                                                  \
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
    X("kind", text, "such as `forbidden`; the guide explains the kinds", gate_kinds[reason->kind].word)                \
    X("class", gate_class, "the class of the kind", gate_kinds[reason->kind].of)                                       \
    X("line", text, "in words", reason->line)                                                                          \
    X("evidence", nonempty_or_null, "in words", reason->evidence)                                                      \
    X("sentence", made_text, "the line, the evidence, and what decided", FIELD_WRITTEN(gate_add_sentence, reason))     \
    X("figures", gate_figures, "the numbers, if the reason is about an outcome", reason->finding)                      \
    X("reruns", gate_rate, "what the reruns showed", reason->again)                                                    \
    X("other_draws", gate_rate, "what the rerun with other draws showed", reason->other)                               \
    X("seconds_needed", duration_or_null, "seconds of this test that would settle it", reason->suffices)               \
    X("command", text_or_null, "the command that repeats or confirms it", command_of(reason->command))                 \
    X("known", boolean, "whether it is unsound, and the baseline showed the same", reason->known)                      \
    X("flaky", boolean, "whether it comes and goes: its reruns did not confirm it, or disagreed",                      \
      gate_is_flaky(reason))                                                                                           \
    X("expected", expectation, "the expectation for which it does not count", reason->expected)
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
    X("compared", boolean, "whether it has a match", of->compared)                                                     \
    X("verdict", gate_verdict, "of this test", of->verdict)                                                            \
    X("known", boolean, "whether it failed, by what the baseline showed too", is_known_case(of))                       \
    X("seconds", duration_or_null, "how long its first run took", row->seconds)                                        \
    X("skipped", expectation, "the expectation that skips it", of->skipped)                                            \
    X("reasons", gate_reasons, "why the case has its verdict", of)
FIELD_RECORD(gate_case, CASE_MEMBERS, const struct gate_case *of, const struct store_job_row *row)
FIELD_LIST(gate_cases, gate_case, (const struct gate *gate), gate->case_count, &gate->cases[i],
           &gate->cases[i].sample->row)

/* ---- devices ---- */

#define DEVICE_MEMBERS(X)                                                                                              \
    X("backend", backend, NULL, row->backend)                                                                          \
    X("device", device, NULL, row->device)                                                                             \
    X("device_uuid", device_uuid, NULL, row->device_uuid)                                                              \
    X("apart", nonempty_or_null, "what tells it from others of its name without a UUID: the machine, the hardware",    \
      device->sample->apart ? device->sample->apart : "")                                                              \
    X("verdict", gate_verdict, "of this device, by its own reasons", device->verdict)                                  \
    X("exit_code", count, "of a gate that had judged it alone, by these reasons", (uint64_t)device->exit_code)         \
    X("driver_a", text_or_null, "its drivers in the baseline, or null", device->driver[SIDE_A])                        \
    X("driver_b", text_or_null, "its drivers that were judged, or null", device->driver[SIDE_B])                       \
    X("tests", count, "its cases", device->tests)                                                                      \
    X("compared", count, "of these, those of which both sides counted instances", device->compared)                    \
    X("soundness", count, "reasons of this class", device->counts.of_class[GATE_SOUNDNESS])                            \
    X("behaviour", count, "reasons of this class", device->counts.of_class[GATE_BEHAVIOUR])                            \
    X("doubts", count, "reasons of this class", device->counts.of_class[GATE_DOUBT])                                   \
    X("expected", count, "reasons that do not count because they are expected", device->counts.expected)
FIELD_RECORD(gate_device, DEVICE_MEMBERS, const struct gate_device *device, const struct store_job_row *row)
FIELD_LIST(gate_devices, gate_device, (const struct gate *gate), gate->device_count, gate->by_verdict[i],
           &gate->by_verdict[i]->sample->row)

/* ---- sums, needs and differences ---- */

FIELD_MAP(gate_kinds, count, (const struct gate_counts *counts), GATE_KIND_COUNT, gate_kinds[i].word,
          counts->of_kind[i])

#define COUNTS_MEMBERS(X)                                                                                              \
    X("soundness", count, "reasons of this class", counts->of_class[GATE_SOUNDNESS])                                   \
    X("soundness_new", count, "of these, new since the baseline", counts->of_class[GATE_SOUNDNESS] - counts->known)    \
    X("soundness_known", count, "of these, known since the baseline", counts->known)                                   \
    X("behaviour", count, "reasons of this class", counts->of_class[GATE_BEHAVIOUR])                                   \
    X("doubts", count, "reasons of this class", counts->of_class[GATE_DOUBT])                                          \
    X("undecided", count, "undecided rates", counts->undecided)                                                        \
    X("unsupported", count, "unsupported tests", counts->unsupported)                                                  \
    X("expected", count, "reasons that do not count because they are expected", counts->expected)                      \
    X("new", count, "outcomes that only one side saw", counts->seen_in[SIDE_B])                                        \
    X("lost", count, "outcomes that only one side saw", counts->seen_in[SIDE_A])                                       \
    X("mutants", count, "mutants, and those that were seen", mutants->of)                                              \
    X("mutants_seen", count, "mutants, and those that were seen", mutants->have)                                       \
    X("kinds", gate_kinds, "the number of reasons of each kind", counts)
FIELD_RECORD(gate_counts, COUNTS_MEMBERS, const struct gate_counts *counts, const struct gate_supply *mutants)

#define NEED_MEMBERS(X)                                                                                                \
    X("need", text, "the need", gate_need_rows[need].word)                                                             \
    X("have", count, "how many are there", supply->have)                                                               \
    X("of", count, "of how many", supply->of)                                                                          \
    X("met", boolean, "whether that is enough", supply->met)
FIELD_RECORD(gate_need, NEED_MEMBERS, enum gate_need need, const struct gate_supply *supply)
FIELD_LIST(gate_needs, gate_need, (const struct gate *gate), GATE_NEED_COUNT, (enum gate_need)i, &gate->needs[i])

#define BROKEN_MEMBERS(X)                                                                                              \
    X("kind", text, "the kind of the doubt", gate_kinds[broken->kind].word)                                            \
    X("sentence", text, "what is missing", broken->line)                                                               \
    X("command", text_or_null, "a command that would help", command_of(broken->command))                               \
    X("device", text_or_null, "the device that it is about; null if it is about the gate",                             \
      broken->device ? broken->device->sample->row.device : NULL)
FIELD_RECORD(gate_doubt, BROKEN_MEMBERS, const struct gate_reason *broken)
FIELD_LIST(gate_broken, gate_doubt, (const struct gate *gate), gate->broken_count, &gate->broken[i])

#define REMARK_MEMBERS(X)                                                                                              \
    X("what", text, "the circumstance", remark->what)                                                                  \
    X("a", text_or_null, "its value", remark->value[SIDE_A])                                                           \
    X("b", text_or_null, "its value", remark->value[SIDE_B])                                                           \
    X("tests", count, "the number of tests", remark->tests)
FIELD_RECORD(gate_remark, REMARK_MEMBERS, const struct remark *remark)
FIELD_LIST(gate_remarks, gate_remark, (const struct comparison *comparison), comparison->remark_count,
           &comparison->remarks[i])

#define RUNS_MEMBERS(X)                                                                                                \
    X("baseline", count, "the number of runs", gate->comparison->runs[SIDE_A])                                         \
    X("judged", count, "the number of runs", gate->comparison->runs[SIDE_B])                                           \
    X("reruns", count, "the number of runs", gate->reruns)                                                             \
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
    X("counts!", gate_counts, "numbers", &gate->counts, &gate->needs[GATE_NEED_MUTANTS])                               \
    X("a!", text, "the title of the baseline, and of what was judged", comparison->side[SIDE_A]->title)                \
    X("b!", text, "the title of the baseline, and of what was judged", comparison->side[SIDE_B]->title)                \
    X("models_changed!", models_changed_of_sides, NULL, comparison->side)                                              \
    X("unread!", unread_of_sides, NULL, comparison->side)                                                              \
    X("needs!", gate_needs, "what a gate needs before it may say passed, and how far each need is met", gate)          \
    X("broken!", gate_broken, "the needs that are not met, and doubts about devices: doubts of no test", gate)         \
    X("compared!", count, "the number of tests that were compared", gate->needs[GATE_NEED_DRAWS].of)                   \
    X("draw_by_draw!", count, "of these, draw by draw", gate->needs[GATE_NEED_DRAWS].have)                             \
    X("runs!", gate_runs, "runs", gate)                                                                                \
    X("differs!", gate_remarks, "circumstances that differ", comparison)                                               \
    X("seconds_needed!", duration_or_null, "seconds per test that would settle all doubts of known size",              \
      gate->suffices)                                                                                                  \
    X("devices!", gate_devices, "each device, the worst verdicts first", gate)                                         \
    X("cases!", gate_cases, "each test on each device", gate)                                                          \
    X("baseline_unsound!", gate_flaws, "unsound results of the baseline itself, other than expected ones", gate)       \
    X("strict_expectations!", boolean, "whether a stale expectation fails", gate->options->strict_expectations)        \
    X("stale!", stale, "expectations of tests that ran and did not show what is expected", gate)
#define ERROR_MEMBER(X) X("error?", text, "why nothing was decided", stopped->why)

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
