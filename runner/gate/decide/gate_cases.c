// SPDX-License-Identifier: Apache-2.0
/* A case for each test on each device: unsound results of any run, how jobs ended, missing
 * tests. */
#include <string.h>

#include "analysis/words/words.h"
#include "runner/gate/decide/gate_parts.h"

void gate_add_reason(struct gate_deciding *deciding, struct gate_case *of, struct gate_reason reason, struct text *text)
{
    struct arena *arena = &deciding->gate->arena;
    reason.sentence = arena_copy(arena, text_string(text));
    gate_find_excuse(deciding, of->sample, &reason);
    text_clear(text);
    gate_add_lines(deciding->gate, of, &reason);
    ARENA_ADD(arena, of->reasons, of->reason_count) = reason;
}

const struct sample *gate_find_rerun(const struct comparison *pass, const struct sample *sample)
{
    for (size_t i = 0; pass && i < pass->side[SIDE_B]->sample_count; i++)
        if (sample_compare(&pass->side[SIDE_B]->samples[i], sample, pass->dimensions) == 0)
            return &pass->side[SIDE_B]->samples[i];
    return NULL;
}

/* ---- what must not be seen ---- */

static bool is_reported(const struct gate_case *of, const struct finding *finding)
{
    for (size_t i = 0; i < of->reason_count; i++)
        if (of->reasons[i].finding && of->reasons[i].finding->outcome &&
            strcmp(of->reasons[i].finding->outcome->label, finding->outcome->label) == 0)
            return true;
    return false;
}

/* Outcomes that the device does not promise are not new if the baseline has them too. */
static void add_alarm(struct gate_deciding *deciding, struct gate_case *of, const struct comparison *pass,
                      const struct finding *finding, struct text *text)
{
    const bool excused = finding->excused && !deciding->options->strict;
    enum gate_kind kind = gate_kind_of_finding(finding->kind);
    if (finding->count[SIDE_B] == 0)
        kind = GATE_GONE;
    else if (excused)
        kind = GATE_UNDECLARED;
    if (is_reported(of, finding) || (gate_kind_class(kind) == GATE_NOTE && !gate_is_one_sided(finding)))
        return;
    compare_describe(pass, finding, text);
    gate_add_reason(deciding, of, (struct gate_reason){.kind = kind, .finding = finding}, text);
}

/* B's in any pass, then those that only the baseline has. Only the first pass is compared with all
 * tests of the baseline. */
static void add_alarms(struct gate_deciding *deciding, struct gate_case *of, struct text *text)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    const struct comparison *const in_order[] = {passes->first, passes->again, passes->other, passes->first};
    for (size_t p = 0; p < sizeof in_order / sizeof *in_order; p++) {
        const struct comparison *pass = in_order[p];
        for (size_t i = 0; pass && i < pass->finding_count; i++) {
            const struct finding *finding = &pass->findings[i];
            if (finding_is_alarm(finding) && finding->sample[SIDE_B] && (finding->count[SIDE_B] > 0 || p == 3) &&
                sample_compare(finding->sample[SIDE_B], of->sample, pass->dimensions) == 0)
                add_alarm(deciding, of, pass, finding, text);
        }
    }
}

/* ---- how jobs ended ---- */

static void describe_state(const struct sample *sample, enum job_state state, const char *when, struct text *text)
{
    words_add_test(text, sample);
    if (sample->jobs == 1)
        text_add(text, ": its job%s ended as %s", when, job_state_word(state));
    else
        text_add(text, ": %zu of %zu jobs%s ended as %s", (size_t)sample->states[state], (size_t)sample->jobs, when,
                 job_state_word(state));
    if (job_state_class(state) == JOB_CLASS_REFUSED)
        text_add(text, ", and the baseline's completed");
    if (*sample->row.reason && sample->row.state == state)
        words_add(text, " ($)", sample->row.reason);
}

/* A test that the baseline also refused is not new. For reruns only faults count: what they leave
 * undecided is reported separately. */
static void add_states(struct gate_deciding *deciding, struct gate_case *of, const struct sample *sample, bool was_fine,
                       struct text *text)
{
    static const enum gate_kind kind_of[] = {
        [JOB_CLASS_FAULT] = GATE_FAULT, [JOB_CLASS_REFUSED] = GATE_REFUSED, [JOB_CLASS_CUT_SHORT] = GATE_CUT_SHORT};
    const bool is_rerun = sample != of->sample;
    for (enum job_state state = 0; state < JOB_STATE_COUNT; state++) {
        const enum job_class class = job_state_class(state);
        if (sample->states[state] == 0 || class == JOB_CLASS_FINE || (class == JOB_CLASS_REFUSED && !was_fine) ||
            (is_rerun && class != JOB_CLASS_FAULT))
            continue;
        describe_state(sample, state, is_rerun ? " of a rerun" : "", text);
        const enum gate_kind kind = state == JOB_INVALID ? GATE_INVALID : kind_of[class];
        gate_add_reason(deciding, of, (struct gate_reason){.kind = kind, .state = state, .was_rerun = is_rerun}, text);
    }
}

static void add_all_states(struct gate_deciding *deciding, struct gate_case *of, const struct sample *baseline,
                           struct text *text)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    const struct sample *const samples[] = {of->sample, gate_find_rerun(passes->again, of->sample),
                                            gate_find_rerun(passes->other, of->sample)};
    const bool was_fine = baseline && job_state_class(baseline->row.state) == JOB_CLASS_FINE;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (samples[i])
            add_states(deciding, of, samples[i], was_fine, text);
    if (of->sample->row.invalid_batches > 0 && of->sample->states[JOB_INVALID] == 0) { /* else the state explains it */
        words_add_test(text, of->sample);
        text_add(text, ": %zu of its batches were invalid, and were not counted",
                 (size_t)of->sample->row.invalid_batches);
        gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_INVALID}, text);
    }
}

/* ---- whether compilers kept a test: one that is lost says nothing about the device, and fails the gate ---- */

/* Indexed by the baseline's state, then by B's. GATE_KIND_COUNT: nothing to report. */
static const enum gate_kind kinds[KEPT_COUNT][KEPT_COUNT] = {
    [TEST_KEPT] = {[TEST_KEPT] = GATE_KIND_COUNT,
                   [TEST_MERGED] = GATE_MERGED,
                   [TEST_NOT_KEPT] = GATE_NOT_KEPT,
                   [TEST_NOT_INSPECTED] = GATE_NOT_INSPECTED},
    [TEST_MERGED] = {[TEST_KEPT] = GATE_KEPT,
                     [TEST_MERGED] = GATE_KIND_COUNT,
                     [TEST_NOT_KEPT] = GATE_NOT_KEPT,
                     [TEST_NOT_INSPECTED] = GATE_NOT_INSPECTED},
    [TEST_NOT_KEPT] = {[TEST_KEPT] = GATE_KEPT,
                       [TEST_MERGED] = GATE_MERGED,
                       [TEST_NOT_KEPT] = GATE_NOT_KEPT_BEFORE,
                       [TEST_NOT_INSPECTED] = GATE_NOT_INSPECTED},
    [TEST_NOT_INSPECTED] = {[TEST_KEPT] = GATE_KIND_COUNT,
                            [TEST_MERGED] = GATE_MERGED,
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

/* ---- cases ---- */

static struct gate_case *add_case(struct gate *gate, const struct sample *sample, bool compared)
{
    ARENA_ADD(&gate->arena, gate->cases, gate->case_count) = (struct gate_case){.sample = sample, .compared = compared};
    return &gate->cases[gate->case_count - 1];
}

static void count_unsupported(struct gate *gate, const struct gate_case *of, const struct sample *baseline)
{
    const bool was_fine = baseline && job_state_class(baseline->row.state) == JOB_CLASS_FINE;
    gate->counts.unsupported += !was_fine && job_state_class(of->sample->row.state) == JOB_CLASS_REFUSED;
}

static void add_other_kernel(struct gate_deciding *deciding, struct gate_case *of, struct text *text)
{
    words_add_test(text, of->sample);
    text_add(text, ": its kernel is not the baseline's, so no rate is compared; replay the baseline's kernels "
                   "with --kernels, or make a new baseline");
    gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_OTHER_KERNEL}, text);
}

static void add_case_of_b(struct gate_deciding *deciding, const struct sample *sample, const struct sample_pair *pair,
                          struct text *text)
{
    const struct sample *baseline = pair ? pair->sample[SIDE_A] : NULL;
    struct gate_case *of = add_case(deciding->gate, sample, pair != NULL);
    add_alarms(deciding, of, text);
    add_all_states(deciding, of, baseline, text);
    gate_add_kept(deciding, of, baseline, text);
    if (pair)
        gate_add_changes(deciding, of, pair, text);
    if (pair && pair->kernels == KERNELS_DIFFER)
        add_other_kernel(deciding, of, text);
    gate_add_doubts(deciding, of, pair, text);
    count_unsupported(deciding->gate, of, baseline);
    of->skipped = gate_find_skip(deciding, of->sample);
}

static void add_missing(struct gate_deciding *deciding, const struct unmatched *lone, struct text *text)
{
    if (deciding->options->chosen && !side_find_test(deciding->gate->comparison->side[SIDE_B], lone->sample)) {
        deciding->gate->left_out++;
        return;
    }
    struct gate_case *of = add_case(deciding->gate, lone->sample, false);
    words_add_test(text, lone->sample);
    text_add(text, ": is only in the baseline: %s", lone->reason);
    gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_MISSING, .line = lone->reason}, text);
    of->skipped = gate_find_skip(deciding, of->sample);
}

static void find_variety(struct gate *gate)
{
    const struct sample *first = NULL;
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < gate->comparison->side[side]->sample_count; i++) {
            const struct sample *sample = &gate->comparison->side[side]->samples[i];
            first = first ? first : sample;
            gate->several_dialects |= strcmp(first->row.dialect, sample->row.dialect) != 0;
            gate->several_devices |= strcmp(first->row.backend, sample->row.backend) != 0 ||
                                     strcmp(first->row.device, sample->row.device) != 0 ||
                                     strcmp(first->row.device_uuid, sample->row.device_uuid) != 0;
        }
    }
}

void gate_add_cases(struct gate_deciding *deciding)
{
    const struct comparison *comparison = deciding->gate->comparison;
    struct text text = {0};
    find_variety(deciding->gate);
    for (size_t i = 0; i < comparison->pair_count; i++)
        add_case_of_b(deciding, comparison->pairs[i].sample[SIDE_B], &comparison->pairs[i], &text);
    for (size_t i = 0; i < comparison->unmatched_count; i++) {
        if (comparison->unmatched[i].side == SIDE_A)
            add_missing(deciding, &comparison->unmatched[i], &text);
        else
            add_case_of_b(deciding, comparison->unmatched[i].sample, NULL, &text);
    }
    text_release(&text);
}
