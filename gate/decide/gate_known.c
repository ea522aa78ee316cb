// SPDX-License-Identifier: Apache-2.0
/* The unsound results of the baseline itself, and the names of tests in sentences. */
#include "analysis/words/words.h"
#include "gate/decide/gate_parts.h"

static void add_flaw(struct gate *gate, const struct sample *const sides[SIDES], enum gate_kind kind)
{
    const struct sample *sample = sides[SIDE_B] ? sides[SIDE_B] : sides[SIDE_A];
    const bool is_asked_for = sides[SIDE_B] || !gate->options->chosen;
    if (is_asked_for && !gate_would_excuse(gate, sample, kind))
        ARENA_ADD(&gate->arena, gate->flaws, gate->flaw_count) = (struct gate_flaw){sample, kind};
}

static void add_faults(struct gate *gate, const struct sample *const sides[SIDES])
{
    for (enum job_state state = 0; state < JOB_STATE_COUNT; state++)
        if (job_state_class(state) == JOB_CLASS_FAULT && sides[SIDE_A]->states[state] > 0)
            add_flaw(gate, sides, GATE_FAULT);
}

void gate_find_flaws(struct gate *gate)
{
    const struct comparison *first = gate->comparison;
    FOR_EACH(const struct finding, finding, first->findings, first->finding_count)
        if (finding_is_alarm(finding) && finding->count[SIDE_A] > 0 && (!finding->excused || gate->options->strict))
            add_flaw(gate, finding->sample, gate_kind_of_finding(finding->kind));
    for (size_t i = 0; i < first->pair_count; i++)
        add_faults(gate, first->pairs[i].sample);
    for (size_t i = 0; i < first->unmatched_count; i++)
        if (first->unmatched[i].side == SIDE_A)
            add_faults(gate, (const struct sample *const[SIDES]){[SIDE_A] = first->unmatched[i].sample});
}

void gate_names_take(struct gate_names *names, const struct sample *sample)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->tests[i], sample->row.test) == 0)
            return;
    if (names->count < GATE_NAMES)
        names->tests[names->count++] = sample->row.test;
    else
        names->more = true;
}

void gate_names_add(const struct gate_names *names, struct text *text)
{
    for (size_t i = 0; i < names->count; i++)
        words_add(text, i > 0 ? ", $" : "$", names->tests[i]);
    text_add(text, "%s", names->more ? ", ..." : "");
}
