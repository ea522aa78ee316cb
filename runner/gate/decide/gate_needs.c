// SPDX-License-Identifier: Apache-2.0
/* What a gate needs before it may say PASSED, weighed in one place. */
#include <string.h>

#include "runner/gate/decide/gate_parts.h"

static const struct {
    const char *word;
    enum gate_need_rule rule;
    enum gate_kind kind;
} needs[GATE_NEED_COUNT] = {
#define GATE_NEED_ROW(name, word, rule, kind, what) {word, GATE_NEEDS_##rule, GATE_##kind},
    GATE_NEED_LIST(GATE_NEED_ROW)
#undef GATE_NEED_ROW
};

const char *gate_need_name(enum gate_need need)
{
    return needs[need].word;
}

static void supply(struct gate *gate, enum gate_need need, bool there)
{
    gate->needs[need].of++;
    gate->needs[need].have += there;
}

/* ---- what is there: never what an expectation excuses ---- */

/* Whether it ran to its end and counted something, or asks how often it gives up. */
static bool is_counted(const struct sample *sample)
{
    return sample->counted > 0 || (sample->row.state == JOB_COMPLETED && sample->row.instances > 0);
}

static bool is_test(const struct sample *sample)
{
    return !sample->row.built || sample->row.kept != TEST_NOT_KEPT;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static const struct gate_case *case_of(const struct gate *gate, const struct sample *sample)
{
    for (size_t i = 0; i < gate->case_count; i++)
        if (gate->cases[i].sample == sample)
            return &gate->cases[i];
    return NULL;
}

static bool is_skipped(const struct gate *gate, const struct sample *sample)
{
    const struct gate_case *of = case_of(gate, sample);
    return of && of->skipped;
}

static void weigh_pair(struct gate *gate, const struct sample_pair *pair)
{
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    const bool counted = is_counted(a) && is_counted(b), skipped = is_skipped(gate, b);
    supply(gate, GATE_NEED_DEVICE, same_text(a->row.hardware, b->row.hardware));
    if (job_state_class(a->row.state) != JOB_CLASS_REFUSED)
        supply(gate, GATE_NEED_COUNTED, counted);
    supply(gate, GATE_NEED_COMPARED, counted && is_test(b) && !skipped);
    if (counted)
        supply(gate, GATE_NEED_DRAWS, pair->paired);
}

/* A job of the baseline that did not end, and what it counted, may not be what its driver does. */
static void weigh_wholeness(struct gate *gate, const struct sample *sample, int side)
{
    for (size_t i = 0; i < sample->run_count; i++) {
        const struct store_job_row *row = sample->runs[i].row;
        const bool cut = side == SIDE_A && job_state_class(row->state) == JOB_CLASS_CUT_SHORT;
        supply(gate, GATE_NEED_WHOLE, !cut && row->run_state == RUN_COMPLETED);
    }
}

static void weigh_sample(struct gate *gate, const struct sample *sample)
{
    if (job_state_class(sample->row.state) == JOB_CLASS_REFUSED)
        return;
    if (*sample->row.controls)
        supply(gate, GATE_NEED_CONTROLS, sample->counted > 0 && is_test(sample) && !is_skipped(gate, sample));
    else if (gate_is_mutant(gate->comparison, sample))
        supply(gate, GATE_NEED_MUTANTS, gate_sees_mutant(gate, sample) && !is_skipped(gate, sample));
}

static void weigh_case(struct gate *gate, const struct gate_case *of)
{
    bool excused = of->skipped || gate_is_shielded(gate, of->sample), missing = false, voids = false;
    for (size_t i = 0; i < of->reason_count; i++) {
        const struct gate_reason *reason = &of->reasons[i];
        const bool is_grave = gate_kind_class(reason->kind) != GATE_NOTE && !gate_kind_is_of_behaviour(reason->kind);
        excused |= reason->expected && is_grave;
        missing |= reason->kind == GATE_MISSING;
        voids |= reason->kind == GATE_VOIDS;
    }
    supply(gate, GATE_NEED_EXCUSED, !excused);
    supply(gate, GATE_NEED_TESTS, !missing);
    if (of->compared)
        supply(gate, GATE_NEED_VOIDS, !voids);
}

/* ---- rates ---- */

static bool decides(const struct rate *rate)
{
    switch (rate->result) {
    case RATE_SIMILAR:
    case RATE_CHANGED:
    case RATE_NEW:
    case RATE_LOST:
    case RATE_MOVED:
        return rate->by_runs;
    default:
        return false;
    }
}

/* Reruns decide what the first run chose, also that nothing has changed. */
static void weigh_rates(struct gate *gate, const struct sample_pair *pair)
{
    for (size_t i = 0; i < pair->rate_count; i++) {
        const struct rate *rate = &pair->rates[i];
        const struct rate *again =
            gate->passes.again && rate->suspect
                ? compare_find_rate(gate->passes.again, pair->sample[SIDE_B], rate->outcome->label)
                : NULL;
        if (rate->result != RATE_UNGATED && !is_skipped(gate, pair->sample[SIDE_B]))
            supply(gate, GATE_NEED_RATES, decides(rate) || (again && decides(again)));
    }
}

/* ---- together ---- */

static bool is_met(enum gate_need_rule rule, const struct gate_supply *there)
{
    switch (rule) {
    case GATE_NEEDS_ALL:
        return there->have == there->of;
    case GATE_NEEDS_HALF:
        return 2 * there->have >= there->of;
    case GATE_NEEDS_SOME:
        return there->have > 0 || there->of == 0;
    case GATE_NEEDS_EACH:
    case GATE_NEEDS_FACT:
        break;
    }
    return true;
}

static void add_broken(struct gate *gate, enum gate_need need)
{
    const struct gate_supply *there = &gate->needs[need];
    const enum gate_kind kind = needs[need].kind;
    const char *command = kind == GATE_FEW_DECIDED ? gate->options->commands.baseline : NULL;
    const char *sentence = arena_print(&gate->arena, "%s (%s: %zu of %zu)", gate_kind_meaning(kind), needs[need].word,
                                       there->have, there->of);
    ARENA_ADD(&gate->arena, gate->broken, gate->broken_count) =
        (struct gate_reason){.kind = kind,
                             .line = sentence,
                             .evidence = "",
                             .sentence = sentence,
                             .command = command ? arena_print(&gate->arena, "to decide them: %s", command) : ""};
    gate->counts.of_class[gate_kind_class(kind)]++;
    gate->counts.of_kind[kind]++;
}

void gate_weigh_needs(struct gate *gate)
{
    const struct comparison *first = gate->comparison;
    for (size_t i = 0; i < first->pair_count; i++) {
        weigh_pair(gate, &first->pairs[i]);
        if (!is_skipped(gate, first->pairs[i].sample[SIDE_B]))
            weigh_wholeness(gate, first->pairs[i].sample[SIDE_A], SIDE_A);
        weigh_rates(gate, &first->pairs[i]);
    }
    for (size_t i = 0; i < first->side[SIDE_B]->sample_count; i++) {
        if (!is_skipped(gate, &first->side[SIDE_B]->samples[i]))
            weigh_wholeness(gate, &first->side[SIDE_B]->samples[i], SIDE_B);
        weigh_sample(gate, &first->side[SIDE_B]->samples[i]);
    }
    for (size_t i = 0; i < gate->case_count; i++)
        weigh_case(gate, &gate->cases[i]);
    if (gate->needs[GATE_NEED_COMPARED].of == 0) /* nothing at all: no need may be met by having no things */
        gate->needs[GATE_NEED_COMPARED].of = 1;
    for (enum gate_need need = 0; need < GATE_NEED_COUNT; need++) {
        gate->needs[need].met = is_met(needs[need].rule, &gate->needs[need]);
        if (!gate->needs[need].met)
            add_broken(gate, need);
    }
    if (gate->passes.again)
        gate->reruns = gate->passes.again->runs[SIDE_B];
}
