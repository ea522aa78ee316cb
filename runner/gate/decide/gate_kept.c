// SPDX-License-Identifier: Apache-2.0
/* Whether compilers kept a test: a compiler that loses a test that it kept fails the gate, since
 * the test then says nothing about the device. */
#include "analysis/words/words.h"
#include "runner/gate/decide/gate_parts.h"

/* Indexed by the baseline's state, then by B's. GATE_KIND_COUNT: nothing to report. */
static const enum gate_kind kinds[KEPT_COUNT][KEPT_COUNT] = {
    [TEST_KEPT] =
        {[TEST_KEPT] = GATE_KIND_COUNT, [TEST_NOT_KEPT] = GATE_NOT_KEPT, [TEST_NOT_INSPECTED] = GATE_NOT_INSPECTED},
    [TEST_NOT_KEPT] =
        {[TEST_KEPT] = GATE_KEPT, [TEST_NOT_KEPT] = GATE_NOT_KEPT_BEFORE, [TEST_NOT_INSPECTED] = GATE_NOT_INSPECTED},
    [TEST_NOT_INSPECTED] = {[TEST_KEPT] = GATE_KIND_COUNT,
                            [TEST_NOT_KEPT] = GATE_NOT_KEPT_UNKNOWN,
                            [TEST_NOT_INSPECTED] = GATE_KIND_COUNT},
};

/* The run of B with the worst code; NULL if none has code. */
static const struct store_job_row *find_worst(const struct gate_passes *passes, const struct sample *sample)
{
    const struct sample *const samples[] = {sample, gate_find_rerun(passes->again, sample),
                                            gate_find_rerun(passes->other, sample)};
    const struct store_job_row *worst = NULL;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (samples[i] && samples[i]->row.built && (!worst || kept_is_worse(samples[i]->row.kept, worst->kept)))
            worst = &samples[i]->row;
    return worst;
}

static void describe(enum gate_kind kind, const struct store_job_row *row, const struct sample *baseline,
                     struct text *text)
{
    text_add(text, "%s", gate_kind_meaning(kind));
    if (*row->kept_reason)
        words_add(text, ": $", row->kept_reason);
    if (kind == GATE_KEPT)
        words_add(text, " ($)", baseline->row.kept_reason);
}

void gate_add_kept(struct gate_deciding *deciding, struct gate_case *of, const struct sample *baseline,
                   struct text *text)
{
    const struct store_job_row *row = find_worst(&deciding->gate->passes, of->sample);
    const enum kept before = baseline && baseline->row.built ? baseline->row.kept : TEST_NOT_INSPECTED;
    const enum gate_kind kind = row ? kinds[before][row->kept] : GATE_KIND_COUNT;
    if (kind == GATE_KIND_COUNT)
        return;
    describe(kind, row, baseline, text);
    const char *line = arena_copy(&deciding->gate->arena, text_string(text));
    text_clear(text);
    words_add_test(text, of->sample);
    text_add(text, ": %s", line);
    gate_add_reason(deciding, of, (struct gate_reason){.kind = kind, .line = line}, text);
}
