// SPDX-License-Identifier: Apache-2.0
/* A gate's decision as JSON, in which figures are numbers and unknown ones null. */
#include <string.h>

#include "analysis/words/words.h"
#include "base/json.h"
#include "base/text.h"
#include "gate/decide/gate_parts.h"

static json_t *gate_json_pack_text(const char *text)
{
    return text && *text ? json_text(text) : json_null();
}

static json_t *pack_expectation(const struct expectation *entry)
{
    static const char *const effects[] = {"known", "flaky", "skip"};
    if (!entry)
        return json_null();
    return json_pack("{ss so so si}", "effect", effects[entry->effect], "test", json_text(entry->test), "why",
                     json_text(entry->why), "line", entry->line);
}

static uint64_t counted_on(const struct finding *finding, int side)
{
    return finding->sample[side] ? sample_size(finding->sample[side], finding->outcome->of) : 0;
}

static json_t *pack_ratio(const struct statistics_ratio *ratio)
{
    const bool known = statistics_has_interval(ratio);
    return json_pack("{so ss so so}", "ratio", json_number(ratio->ratio), "kind",
                     statistics_ratio_kind_name(ratio->kind), "low",
                     known ? json_number(ratio->interval.low) : json_null(), "high",
                     known ? json_number(ratio->interval.high) : json_null());
}

/* The decision on a question, and how it was made. */
static json_t *pack_rate(const struct rate *rate)
{
    if (!rate)
        return json_null();
    return json_pack(
        "{so so so so sb so so so so}", "count", words_pack_counts(rate->count[SIDE_A], rate->count[SIDE_B]), "counted",
        words_pack_counts(rate->counted[SIDE_A], rate->counted[SIDE_B]), "runs",
        words_pack_counts(rate->spread[SIDE_A].runs, rate->spread[SIDE_B].runs), "seen_in_runs",
        words_pack_counts(rate->spread[SIDE_A].seen_in_runs, rate->spread[SIDE_B].seen_in_runs), "by_runs",
        rate->by_runs, "change", pack_ratio(&rate->ratio), "p",
        json_number(rate->by_runs ? rate->adjusted : rate->within_adjusted), "degrees_of_freedom",
        rate->by_runs ? json_number(rate->decision.freedom) : json_null(), "baseline_span",
        rate->measure.runs[STATISTICS_A] > 1 ? json_number(rate->measure.span[STATISTICS_A]) : json_null());
}

/* The figures of a line, A first; null if a reason is not about an outcome. */
static json_t *pack_figures(const struct finding *finding)
{
    if (!finding || !finding->outcome)
        return json_null();
    const struct sample_spread *a = &finding->spread[SIDE_A], *b = &finding->spread[SIDE_B];
    return json_pack("{so so so so so so so so}", "outcome", json_text(finding->outcome->label), "count",
                     words_pack_counts(finding->count[SIDE_A], finding->count[SIDE_B]), "counted",
                     words_pack_counts(counted_on(finding, SIDE_A), counted_on(finding, SIDE_B)), "batches",
                     words_pack_counts(a->batches, b->batches), "seen_in_batches",
                     words_pack_counts(a->seen_in, b->seen_in), "runs", words_pack_counts(a->runs, b->runs),
                     "seen_in_runs", words_pack_counts(a->seen_in_runs, b->seen_in_runs), "rate",
                     pack_rate(finding->rate));
}

/* The command itself, without the word before it. */
static json_t *pack_command(const char *command)
{
    const char *colon = strstr(command, ": ");
    return colon ? json_text(colon + 2) : json_null();
}

static json_t *pack_reason(const struct gate_reason *reason)
{
    struct text sentence = {0};
    gate_add_sentence(reason, &sentence);
    json_t *object = json_pack("{ss ss so so so so so so so so so}", "kind", gate_kind_name(reason->kind), "class",
                               gate_class_name(gate_kind_class(reason->kind)), "line", json_text(reason->line),
                               "evidence", gate_json_pack_text(reason->evidence), "sentence",
                               json_text(text_string(&sentence)), "figures", pack_figures(reason->finding), "reruns",
                               pack_rate(reason->again), "other_draws", pack_rate(reason->other), "seconds_needed",
                               reason->suffices > 0 ? json_real(reason->suffices) : json_null(), "command",
                               pack_command(reason->command), "expected", pack_expectation(reason->expected));
    text_release(&sentence);
    return object;
}

static json_t *pack_cases(const struct gate *gate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < gate->case_count; i++) {
        const struct gate_case *of = &gate->cases[i];
        const struct sample *sample = of->sample;
        json_t *reasons = json_array();
        for (size_t r = 0; r < of->reason_count; r++)
            json_append(reasons, pack_reason(&of->reasons[r]));
        json_append(array, json_pack("{so so so so so so sb ss so so}", "test", json_text(sample->row.test), "dialect",
                                     json_text(sample->row.dialect), "backend", json_text(sample->row.backend),
                                     "device", json_text(sample->row.device), "driver", json_text(sample->row.driver),
                                     "control_of", json_text(sample->row.controls), "compared", of->compared, "verdict",
                                     gate_verdict_name(of->verdict), "skipped", pack_expectation(of->skipped),
                                     "reasons", reasons));
    }
    return array;
}

static json_t *pack_counts(const struct gate *gate)
{
    const struct gate_counts *counts = &gate->counts;
    json_t *kinds = json_object();
    for (enum gate_kind kind = 0; kind < GATE_KIND_COUNT; kind++)
        (void)json_object_set_new(kinds, gate_kind_name(kind), json_count(counts->of_kind[kind]));
    return json_pack("{so so so so so so so so so so so}", "soundness", json_count(counts->of_class[GATE_SOUNDNESS]),
                     "behaviour", json_count(counts->of_class[GATE_BEHAVIOUR]), "doubts",
                     json_count(counts->of_class[GATE_DOUBT]), "undecided", json_count(counts->undecided),
                     "unsupported", json_count(counts->unsupported), "expected", json_count(counts->expected), "new",
                     json_count(counts->seen_in[SIDE_B]), "lost", json_count(counts->seen_in[SIDE_A]), "mutants",
                     json_count(gate->needs[GATE_NEED_MUTANTS].of), "mutants_seen",
                     json_count(gate->needs[GATE_NEED_MUTANTS].have), "kinds", kinds);
}

static json_t *pack_needs(const struct gate *gate)
{
    json_t *array = json_array();
    for (enum gate_need need = 0; need < GATE_NEED_COUNT; need++)
        json_append(array,
                    json_pack("{ss so so sb}", "need", gate_need_name(need), "have", json_count(gate->needs[need].have),
                              "of", json_count(gate->needs[need].of), "met", gate->needs[need].met));
    return array;
}

static json_t *pack_broken(const struct gate *gate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < gate->broken_count; i++)
        json_append(array,
                    json_pack("{ss so so}", "kind", gate_kind_name(gate->broken[i].kind), "sentence",
                              json_text(gate->broken[i].line), "command", pack_command(gate->broken[i].command)));
    return array;
}

static json_t *pack_remarks(const struct gate *gate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < gate->comparison->remark_count; i++) {
        const struct remark *remark = &gate->comparison->remarks[i];
        json_append(array, json_pack("{ss so so so}", "what", remark->what, "a", json_text(remark->value[SIDE_A]), "b",
                                     json_text(remark->value[SIDE_B]), "tests", json_count(remark->tests)));
    }
    return array;
}

static json_t *pack_runs(const struct gate *gate)
{
    return json_pack("{so so so sb}", "baseline", json_count(gate->comparison->runs[SIDE_A]), "judged",
                     json_count(gate->comparison->runs[SIDE_B]), "reruns", json_count(gate->reruns), "other_draws",
                     gate->passes.other != NULL);
}

void gate_print_json(const struct gate *gate, struct text *text)
{
    const struct side *a = gate->comparison->side[SIDE_A], *b = gate->comparison->side[SIDE_B];
    json_t *stale = json_array();
    for (size_t i = 0; i < gate->stale_count; i++)
        json_append(stale, pack_expectation(gate->stale[i]));
    json_t *document = json_pack(
        "{ss si ss so so so s{so so} s{so so} so so so so so so so so so}", "verdict", gate_verdict_name(gate->verdict),
        "exit_code", gate->exit_code, "fail_on",
        gate->options->fail_on == GATE_FAIL_ON_SOUNDNESS ? "soundness" : "behaviour", "counts", pack_counts(gate), "a",
        json_text(a->title), "b", json_text(b->title), "models_changed", "a", side_pack_changes(a), "b",
        side_pack_changes(b), "unread", "a", side_pack_unread(a->unread, a->unread_count), "b",
        side_pack_unread(b->unread, b->unread_count), "needs", pack_needs(gate), "broken", pack_broken(gate),
        "compared", json_count(gate->needs[GATE_NEED_DRAWS].of), "draw_by_draw",
        json_count(gate->needs[GATE_NEED_DRAWS].have), "runs", pack_runs(gate), "differs", pack_remarks(gate),
        "seconds_needed", gate->suffices > 0 ? json_real(gate->suffices) : json_null(), "cases", pack_cases(gate),
        "stale", stale);
    json_add_document(JSON_GATE, document, text);
}

void gate_stopped_print_json(const struct gate_stopped *stopped, struct text *text)
{
    json_add_document(JSON_GATE,
                      json_pack("{ss si so}", "verdict", stopped->interrupted ? "interrupted" : "failed", "exit_code",
                                stopped->exit_code, "error", json_text(stopped->why)),
                      text);
}
