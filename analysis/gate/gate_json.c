// SPDX-License-Identifier: Apache-2.0
/* A gate's decision as JSON. */
#include "analysis/gate/gate.h"
#include "base/json.h"

static json_t *pack_expectation(const struct expectation *entry)
{
    static const char *const effects[] = {"known", "flaky", "skip"};
    if (!entry)
        return json_null();
    return json_pack("{ss so so si}", "effect", effects[entry->effect], "test", json_text(entry->test), "why",
                     json_text(entry->why), "line", entry->line);
}

static json_t *pack_sides(uint64_t a, uint64_t b)
{
    return json_pack("[oo]", json_count(a), json_count(b));
}

static uint64_t counted_on(const struct finding *finding, int side)
{
    return finding->sample[side] ? finding->sample[side]->counted : 0;
}

/* What a sentence says in figures, A first; null where a reason is about no outcome. */
static json_t *pack_figures(const struct finding *finding)
{
    if (!finding)
        return json_null();
    const struct sample_spread *a = &finding->spread[SIDE_A], *b = &finding->spread[SIDE_B];
    return json_pack("{so so so so so}", "outcome", json_text(finding->outcome->label), "count",
                     pack_sides(finding->count[SIDE_A], finding->count[SIDE_B]), "counted",
                     pack_sides(counted_on(finding, SIDE_A), counted_on(finding, SIDE_B)), "batches",
                     pack_sides(a->batches, b->batches), "seen_in_batches", pack_sides(a->seen_in, b->seen_in));
}

static json_t *pack_reasons(const struct gate_case *of)
{
    json_t *array = json_array();
    for (size_t i = 0; i < of->reason_count; i++) {
        const struct gate_reason *reason = &of->reasons[i];
        json_append(array, json_pack("{ss so so so so}", "kind", gate_kind_name(reason->kind), "sentence",
                                     json_text(reason->sentence), "figures", pack_figures(reason->finding),
                                     "seconds_needed", reason->suffices > 0 ? json_real(reason->suffices) : json_null(),
                                     "expected", pack_expectation(reason->expected)));
    }
    return array;
}

static json_t *pack_cases(const struct gate *gate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < gate->case_count; i++) {
        const struct gate_case *of = &gate->cases[i];
        const struct sample *sample = of->sample;
        json_append(array, json_pack("{so so so so so so sb ss so so}", "test", json_text(sample->row.test), "dialect",
                                     json_text(sample->row.dialect), "backend", json_text(sample->row.backend),
                                     "device", json_text(sample->row.device), "driver", json_text(sample->row.driver),
                                     "control_of", json_text(sample->row.controls), "compared", of->compared, "verdict",
                                     gate_verdict_name(of->verdict), "skipped", pack_expectation(of->skipped),
                                     "reasons", pack_reasons(of)));
    }
    return array;
}

void gate_print_json(const struct gate *gate, struct text *text)
{
    json_t *stale = json_array();
    for (size_t i = 0; i < gate->stale_count; i++) {
        json_append(stale, pack_expectation(gate->stale[i]));
    }
    json_t *document = json_pack(
        "{ss si so so s{so so} so s{so so so so} so so so so so so}", "verdict", gate_verdict_name(gate->verdict),
        "exit_code", gate_exit_code(gate->verdict), "a", json_text(gate->comparison->side[SIDE_A]->title), "b",
        json_text(gate->comparison->side[SIDE_B]->title), "models_changed", "a",
        side_pack_changes(gate->comparison->side[SIDE_A]), "b", side_pack_changes(gate->comparison->side[SIDE_B]),
        "nothing", json_text(gate->nothing.sentence), "seen_on_one_side", "new",
        json_count(gate->one_sided.seen_in[SIDE_B]), "lost", json_count(gate->one_sided.seen_in[SIDE_A]), "undecided",
        json_count(gate->one_sided.undecided), "expected", json_count(gate->one_sided.expected), "compared",
        json_count(gate->compared), "draw_by_draw", json_count(gate->paired), "baseline_runs",
        json_count(gate->baseline_runs), "seconds_needed", gate->suffices > 0 ? json_real(gate->suffices) : json_null(),
        "cases", pack_cases(gate), "stale", stale);
    json_add_document(document, text);
}
