// SPDX-License-Identifier: Apache-2.0
/* Deciding. Every reason is added to a case; then the cases and the needs of the gate decide. */
#include "gate/decide/gate.h"

#include "analysis/words/words.h"
#include "gate/decide/gate_parts.h"

/* ---- what a gate needs before it may say PASSED, weighed in one place ---- */

const struct gate_need_row gate_need_rows[GATE_NEED_COUNT] = {
#define GATE_NEED_ROW(name, word, rule, kind, what) {word, GATE_NEEDS_##rule, GATE_##kind},
    GATE_NEED_LIST(GATE_NEED_ROW)};

/* ---- what is there: never what an expectation excuses ---- */

static const struct gate_case *case_of(const struct gate *gate, const struct sample *sample)
{
    return FIRST_OF(one, gate->cases, gate->case_count, one->sample == sample);
}

static bool is_skipped(const struct gate *gate, const struct sample *sample)
{
    const struct gate_case *of = case_of(gate, sample);
    return of && of->skipped;
}

/* For the gate, and for the device of B's sample. */
static void supply(struct gate *gate, const struct sample *sample, enum gate_need need, bool there)
{
    const struct gate_case *of = case_of(gate, sample);
    gate->needs[need].of++;
    gate->needs[need].have += there;
    if (!of)
        return;
    gate->devices[of->device].needs[need].of++;
    gate->devices[of->device].needs[need].have += there;
}

static void weigh_pair(struct gate *gate, const struct sample_pair *pair)
{
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    const bool counted = gate_is_counted(a) && gate_is_counted(b), skipped = is_skipped(gate, b);
    supply(gate, b, GATE_NEED_DEVICE,
           strcmp(a->row.hardware ? a->row.hardware : "", b->row.hardware ? b->row.hardware : "") == 0);
    if (job_state_class(a->row.state) != JOB_CLASS_REFUSED)
        supply(gate, b, GATE_NEED_COUNTED, counted);
    supply(gate, b, GATE_NEED_COMPARED, counted && sample_is_test(b) && !skipped);
    if (counted)
        supply(gate, b, GATE_NEED_DRAWS, pair->paired);
}

/* A job of the baseline that did not end, and what it counted, may not be what its driver does. */
static void weigh_wholeness(struct gate *gate, const struct sample *sample, int side, struct gate_names *not_whole)
{
    for (size_t i = 0; i < sample->run_count; i++) {
        const struct store_job_row *row = sample->runs[i].row;
        const bool cut = side == SIDE_A && job_state_class(row->state) == JOB_CLASS_CUT_SHORT;
        const bool whole = !cut && row->run_state == RUN_COMPLETED;
        supply(gate, sample, GATE_NEED_WHOLE, whole);
        if (!whole)
            gate_names_take(not_whole, sample);
    }
}

static void weigh_sample(struct gate *gate, const struct sample *sample)
{
    if (job_state_class(sample->row.state) == JOB_CLASS_REFUSED)
        return;
    if (*sample->row.controls)
        supply(gate, sample, GATE_NEED_CONTROLS,
               sample->counted > 0 && sample_is_test(sample) && !is_skipped(gate, sample));
    else if (side_is_mutant(gate->comparison->side[SIDE_B], sample, gate->comparison->dimensions))
        supply(gate, sample, GATE_NEED_MUTANTS, gate_sees_mutant(gate, sample) && !is_skipped(gate, sample));
}

static void weigh_case(struct gate *gate, const struct gate_case *of)
{
    bool excused = of->skipped || gate_is_shielded(gate, of->sample), voids = false;
    FOR_EACH(const struct gate_reason, reason, of->reasons, of->reason_count) {
        const bool is_grave = gate_kinds[reason->kind].of != GATE_NOTE && !gate_kind_is_of_behaviour(reason->kind);
        excused |= reason->expected && is_grave;
        voids |= reason->kind == GATE_VOIDS;
    }
    supply(gate, of->sample, GATE_NEED_EXCUSED, !excused);
    supply(gate, of->sample, GATE_NEED_TESTS, of->side[SIDE_B] != NULL);
    if (of->compared)
        supply(gate, of->sample, GATE_NEED_VOIDS, !voids);
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
    FOR_EACH(const struct rate, rate, pair->rates, pair->rate_count) {
        const struct rate *again =
            rate->suspect ? compare_find_rate(gate->passes.again, pair->sample[SIDE_B], rate->outcome->label) : NULL;
        if (!is_skipped(gate, pair->sample[SIDE_B]))
            supply(gate, pair->sample[SIDE_B], GATE_NEED_RATES, decides(rate) || (again && decides(again)));
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
    default:
        return true;
    }
}

static void add_broken_need(struct gate *gate, enum gate_need need, const struct gate_names *not_whole)
{
    const struct gate_supply *there = &gate->needs[need];
    const enum gate_kind kind = gate_need_rows[need].kind;
    struct text line = {0}, command = {0};
    text_add(&line, "%s (%s: %zu of %zu)", gate_kinds[kind].meaning, gate_need_rows[need].word, there->have, there->of);
    if (need == GATE_NEED_WHOLE) {
        text_add(&line, ": ");
        gate_names_add(not_whole, &line);
    }
    if (kind == GATE_FEW_DECIDED && gate->options->commands.baseline) {
        text_add(&command, "to decide them: ");
        gate_add_baseline(gate, gate->device_count == 1 ? gate->devices->sample : NULL, NULL, &command);
    }
    gate_add_broken(gate, kind, NULL, &line, &command);
}

/* Finds how far each need is met, and adds a reason for each that is not. The entries are in order. */
static void weigh_needs(struct gate *gate)
{
    const struct comparison *first = gate->comparison;
    struct gate_names not_whole = {.count = 0};
    for (size_t i = 0; i < first->pair_count; i++) {
        weigh_pair(gate, &first->pairs[i]);
        if (!is_skipped(gate, first->pairs[i].sample[SIDE_B]))
            weigh_wholeness(gate, first->pairs[i].sample[SIDE_A], SIDE_A, &not_whole);
        weigh_rates(gate, &first->pairs[i]);
    }
    for (size_t i = 0; i < first->side[SIDE_B]->sample_count; i++) {
        if (!is_skipped(gate, &first->side[SIDE_B]->samples[i]))
            weigh_wholeness(gate, &first->side[SIDE_B]->samples[i], SIDE_B, &not_whole);
        weigh_sample(gate, &first->side[SIDE_B]->samples[i]);
    }
    for (size_t i = 0; i < gate->case_count; i++)
        weigh_case(gate, &gate->cases[i]);
    if (gate->needs[GATE_NEED_COMPARED].of == 0) /* nothing at all: no need may be met by having no things */
        gate->needs[GATE_NEED_COMPARED].of = 1;
    for (enum gate_need need = 0; need < GATE_NEED_COUNT; need++) {
        gate->needs[need].met = is_met(gate_need_rows[need].rule, &gate->needs[need]);
        if (!gate->needs[need].met)
            add_broken_need(gate, need, &not_whole);
    }
    if (gate->passes.again)
        gate->reruns = gate->passes.again->runs[SIDE_B];
}

/* ---- what must not be seen ---- */

static bool is_reported(const struct gate_case *of, const struct finding *finding)
{
    return ANY_OF(reason, of->reasons, of->reason_count,
                  reason->finding && reason->finding->outcome &&
                      strcmp(reason->finding->outcome->label, finding->outcome->label) == 0);
}

/* Outcomes that the device does not promise are not new if the baseline has them too. */
static void add_alarm(struct gate_deciding *deciding, struct gate_case *of, const struct finding *finding)
{
    const bool excused = finding->excused && !deciding->options->strict;
    enum gate_kind kind = gate_kind_of_finding(finding->kind);
    if (finding->count[SIDE_B] == 0)
        kind = GATE_GONE;
    else if (excused)
        kind = GATE_UNDECLARED;
    if (is_reported(of, finding) || (gate_kinds[kind].of == GATE_NOTE && !gate_is_one_sided(finding)))
        return;
    const bool is_known = gate_kinds[kind].of == GATE_SOUNDNESS && finding_age(finding) == FINDING_IN_BOTH;
    gate_add_reason(deciding, of, (struct gate_reason){.kind = kind, .finding = finding, .known = is_known});
}

/* ---- how jobs ended ---- */

static void add_all_states(struct gate_deciding *deciding, struct gate_case *of, const struct sample *baseline)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    const struct sample *const samples[] = {of->sample, gate_find_rerun(passes->again, of->sample),
                                            gate_find_rerun(passes->other, of->sample)};
    const bool was_fine = baseline && job_state_class(baseline->row.state) == JOB_CLASS_FINE;
    for (size_t i = 0; i < COUNT(samples); i++)
        if (samples[i]) {
            /* A test that the baseline also refused is not new. For reruns only faults count: what they leave undecided
             * is reported separately. */
            static const enum gate_kind kinds[] = {[JOB_CLASS_FAULT] = GATE_FAULT,
                                                   [JOB_CLASS_REFUSED] = GATE_REFUSED,
                                                   [JOB_CLASS_CUT_SHORT] = GATE_CUT_SHORT};
            const bool is_rerun = samples[i] != of->sample;
            for (enum job_state state = 0; state < JOB_STATE_COUNT; state++) {
                const enum job_class class = job_state_class(state);
                if (samples[i]->states[state] == 0 || class == JOB_CLASS_FINE ||
                    (class == JOB_CLASS_REFUSED && !was_fine) || (is_rerun && class != JOB_CLASS_FAULT))
                    continue;
                const enum gate_kind kind = state == JOB_INVALID ? GATE_INVALID : kinds[class];
                gate_add_reason(
                    deciding, of,
                    (struct gate_reason){.kind = kind,
                                         .state = state,
                                         .was_rerun = is_rerun,
                                         .known = class == JOB_CLASS_FAULT && baseline && baseline->states[state] > 0});
            }
        }
    if (of->sample->row.invalid_batches > 0 && of->sample->states[JOB_INVALID] == 0) /* else the state explains it */
        gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_INVALID});
}

/* ---- whether compilers kept a test: one that is lost says nothing about the device, and fails the gate ---- */

/* Indexed by the baseline's state, then by B's. GATE_KIND_COUNT: nothing to report. */
static const enum gate_kind kept_kinds[KEPT_COUNT][KEPT_COUNT] = {
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
    for (size_t i = 0; i < COUNT(samples); i++)
        if (samples[i] && samples[i]->row.built && (!worst || kept_is_worse(samples[i]->row.kept, worst->kept)))
            worst = &samples[i]->row;
    return worst;
}

/* Adds whether the compiled code keeps the test, over all runs of B, if it differs from the baseline or is not the test
 * in either. baseline: NULL if the baseline has not run it. */
static void gate_add_kept(struct gate_deciding *deciding, struct gate_case *of, const struct sample *baseline)
{
    const struct store_job_row *row = find_worst(&deciding->gate->passes, of->sample);
    const enum kept before = baseline && baseline->row.built ? baseline->row.kept : TEST_NOT_INSPECTED;
    const enum gate_kind kind = row ? kept_kinds[before][row->kept] : GATE_KIND_COUNT;
    if (kind == GATE_KIND_COUNT)
        return;
    struct text line = {0};
    words_add(&line, *row->kept_reason ? "$: $" : "$", gate_kinds[kind].meaning, row->kept_reason);
    if (kind == GATE_KEPT)
        words_add(&line, " ($)", baseline->row.kept_reason);
    gate_add_reason(deciding, of,
                    (struct gate_reason){.kind = kind, .line = arena_keep(&deciding->gate->arena, &line)});
}

/* ---- cases ---- */

/* A sample of either side, or both. */
static struct gate_case *add_case(struct gate *gate, const struct sample *a, const struct sample *b)
{
    ARENA_ADD(&gate->arena, gate->cases, gate->case_count) =
        (struct gate_case){.sample = b ? b : a, .side = {a, b}, .compared = a && b};
    return &gate->cases[gate->case_count - 1];
}

/* ---- changes ---- */

static enum gate_kind undecided_kind(const struct finding *finding)
{
    return finding->kind == FINDING_NEW    ? GATE_NEW_UNDECIDED
           : finding->kind == FINDING_LOST ? GATE_LOST_UNDECIDED
                                           : GATE_UNDECIDED;
}

/* The kind of a finding of a deciding pass. */
static enum gate_kind gate_kind_of(const struct finding *finding, bool decides)
{
    switch (finding->standing) {
    case STANDING_SURE:
        return decides ? gate_kind_of_finding(finding->kind) : GATE_UNCONFIRMED;
    case STANDING_UNCONFIRMED:
        return GATE_UNCONFIRMED;
    case STANDING_UNDECIDED:
        break;
    }
    return undecided_kind(finding);
}

/* One test in one pass. */
struct view {
    const struct comparison *pass;
    const struct sample_pair *pair; /* NULL: the pass has not run it, or launched nothing */
    const struct finding **of_rate; /* per question of the pair; NULL if it is not a finding */
};

static struct view gate_look(const struct comparison *pass, const struct sample_pair *pair, struct arena *arena)
{
    struct view view = {.pass = pass, .pair = pair};
    view.of_rate = arena_take(arena, pair ? pair->question_count : 0, sizeof *view.of_rate);
    for (size_t i = 0; pair && i < pass->finding_count; i++) {
        const struct finding *finding = &pass->findings[i];
        if (finding->rate && finding->sample[SIDE_B] == pair->sample[SIDE_B])
            view.of_rate[finding->rate - pair->rates] = finding;
    }
    return view;
}

static const struct sample_pair *find_pair(const struct comparison *pass, const struct sample *sample)
{
    const struct sample_pair *pair = compare_find_pair(pass, SIDE_B, sample);
    return pair && pair->sample[SIDE_B]->launched > 0 ? pair : NULL;
}

/* A shift concerns all tests. It is reported with the first. */
static void add_shift(struct gate_deciding *deciding, struct gate_case *of)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    const struct comparison *const in_order[] = {passes->again, passes->first};
    for (size_t p = 0; p < COUNT(in_order); p++) {
        for (size_t i = 0; in_order[p] && i < in_order[p]->finding_count; i++) {
            const struct finding *finding = &in_order[p]->findings[i];
            if (finding->kind != FINDING_SHIFT)
                continue;
            const bool of_first = p == 1;
            const enum gate_kind kind = !of_first || !passes->chooses ? GATE_SHIFT
                                        : passes->again               ? GATE_NOT_CONFIRMED
                                                                      : GATE_UNCONFIRMED;
            gate_add_reason(deciding, of,
                            (struct gate_reason){.kind = kind, .finding = finding, .was_rerun = passes->again != NULL});
            return;
        }
    }
}

/* All findings on one outcome. */
struct outcome_findings {
    const char *label;
    const struct rate *first, *again;      /* NULL if neither the baseline nor those runs saw it */
    const struct finding *found, *decided; /* of first and again */
    bool was_rerun;
};

/* Whether the pass has instances that an outcome or share refers to. */
static bool has_run(const struct view *view, const struct rate *rate)
{
    return view->pair && sample_size(view->pair->sample[SIDE_B], rate->outcome->of) > 0;
}

/* A rate that was far enough off to be run again but is not a finding by itself. A rate within the tolerance would not
 * have counted, and one that moved with all others is reported with them. */
static const struct finding *suspicion(struct gate *gate, const struct sample_pair *pair, const struct rate *rate)
{
    const double tolerance = gate->comparison->options.tolerance;
    const bool is_shifted = gate->passes.again && gate->passes.again->shift.found;
    if (!rate->suspect || is_shifted || (rate->ratio.ratio <= tolerance && rate->ratio.ratio >= 1 / tolerance) ||
        (rate_is_one_sided(rate) && ruling_condemns(rate->outcome->ruling.kind)))
        return NULL;
    struct finding *finding = arena_take(&gate->arena, 1, sizeof *finding);
    *finding = finding_on(pair, rate, finding_of_measure(rate->outcome->of), STANDING_UNDECIDED);
    return finding;
}

/* Whether the first run and the reruns have seen the outcome on the same sides. */
static bool same_sides(const struct outcome_findings *question)
{
    const bool now = gate_is_one_sided(question->decided);
    return !question->found ||
           (now ? question->found->kind == question->decided->kind : !gate_is_one_sided(question->found));
}

/* Reruns decide the questions that the first run chose. Other findings of theirs are reported if only one side has seen
 * the outcome, and do not count: they were not selected.
 *
 * Returns the finding that settles the question, and its kind of reason; NULL if there is nothing to report. */
static const struct finding *gate_settle(const struct outcome_findings *question, bool chooses, enum gate_kind *kind)
{
    const struct finding *decided = question->decided;
    const bool is_suspect = question->first && question->first->suspect;
    if (decided && is_suspect && decided->standing != STANDING_UNDECIDED) {
        *kind = gate_kind_of(decided, true);
        return decided;
    }
    if (decided && same_sides(question) && (gate_is_one_sided(decided) || is_suspect)) {
        *kind = undecided_kind(decided);
        return decided;
    }
    if (!question->found)
        return NULL;
    *kind = question->was_rerun && is_suspect ? GATE_NOT_CONFIRMED : gate_kind_of(question->found, !chooses);
    return question->found;
}

static void gate_add_change(struct gate_deciding *deciding, struct gate_case *of,
                            const struct outcome_findings *question, const struct view *other)
{
    enum gate_kind kind;
    const struct finding *finding = gate_settle(question, deciding->gate->passes.chooses, &kind);
    if (!finding)
        return;
    gate_add_reason(deciding, of,
                    (struct gate_reason){.kind = kind,
                                         .finding = finding,
                                         .first = finding == question->decided ? question->first : NULL,
                                         .again = question->again,
                                         .other = compare_find_in_pair(other->pair, question->label),
                                         .was_rerun = question->was_rerun,
                                         .was_rerun_otherwise = other->pair != NULL});
}

/* Adds outcomes that only one side has seen, and changed rates, as the passes together decide. */
static void add_changes(struct gate_deciding *deciding, struct gate_case *of, const struct sample_pair *pair)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    LOCAL(arena) scratch = {0};
    const struct view first = gate_look(passes->first, pair, &scratch);
    const struct view again = gate_look(passes->again, find_pair(passes->again, of->sample), &scratch);
    const struct view other = {.pass = passes->other, .pair = find_pair(passes->other, of->sample)};
    if (pair == passes->first->pairs)
        add_shift(deciding, of);
    for (size_t i = 0; i < pair->question_count; i++) {
        const struct rate *rate = &pair->rates[i];
        struct outcome_findings question = {
            .label = rate->outcome->label, .first = rate, .was_rerun = has_run(&again, rate)};
        question.found = first.of_rate[i];
        question.again = compare_find_in_pair(again.pair, question.label);
        question.decided = question.again ? again.of_rate[question.again - again.pair->rates] : NULL;
        const bool is_unclear = !question.found || question.found->kind == FINDING_UNDECIDED;
        if (is_unclear && question.was_rerun && rate->suspect)
            question.found = suspicion(deciding->gate, pair, rate);
        gate_add_change(deciding, of, &question, &other);
    }
    for (size_t i = 0; again.pair && i < again.pair->question_count; i++) {
        const struct rate *rate = &again.pair->rates[i];
        const struct outcome_findings question = {
            .label = rate->outcome->label, .again = rate, .decided = again.of_rate[i], .was_rerun = true};
        if (!compare_find_in_pair(first.pair, question.label))
            gate_add_change(deciding, of, &question, &other);
    }
}

static void add_case_of_b(struct gate_deciding *deciding, const struct sample *sample, const struct sample_pair *pair)
{
    const struct sample *baseline = pair ? pair->sample[SIDE_A] : NULL;
    struct gate_case *of = add_case(deciding->gate, baseline, sample);
    /* B's in any pass, then those that only the baseline has. Only the first pass is compared with all tests of the
     * baseline. */
    const struct gate_passes *passes = &deciding->gate->passes;
    const struct comparison *const in_order[] = {passes->first, passes->again, passes->other, passes->first};
    for (size_t p = 0; p < COUNT(in_order); p++) {
        const struct comparison *pass = in_order[p];
        for (size_t i = 0; pass && i < pass->finding_count; i++) {
            const struct finding *finding = &pass->findings[i];
            if (finding_is_alarm(finding) && finding->sample[SIDE_B] && (finding->count[SIDE_B] > 0 || p == 3) &&
                sample_compare(finding->sample[SIDE_B], of->sample, pass->dimensions) == 0)
                add_alarm(deciding, of, finding);
        }
    }
    add_all_states(deciding, of, baseline);
    gate_add_kept(deciding, of, baseline);
    if (pair)
        add_changes(deciding, of, pair);
    if (pair && pair->kernels == KERNELS_DIFFER)
        gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_OTHER_KERNEL});
    gate_add_doubts(deciding, of, pair);
    const bool was_fine = baseline && job_state_class(baseline->row.state) == JOB_CLASS_FINE;
    deciding->gate->counts.unsupported += !was_fine && job_state_class(of->sample->row.state) == JOB_CLASS_REFUSED;
    of->skipped = gate_find_skip(deciding, of->sample);
}

static void add_missing(struct gate_deciding *deciding, const struct unmatched *lone)
{
    const struct gate *gate = deciding->gate;
    /* A gate that runs the suite runs it on this machine: it does not miss those of others. */
    const bool is_elsewhere = gate->passes.chooses && lone->sample->apart && *lone->sample->apart;
    if (is_elsewhere || (deciding->options->chosen && !side_find_test(gate->comparison->side[SIDE_B], lone->sample))) {
        deciding->gate->left_out++;
        return;
    }
    struct gate_case *of = add_case(deciding->gate, lone->sample, NULL);
    gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_MISSING, .line = lone->reason});
    of->skipped = gate_find_skip(deciding, of->sample);
}

static void find_variety(struct gate *gate)
{
    const struct sample *first = NULL;
    for (int side = 0; side < SIDES; side++) {
        FOR_EACH(const struct sample, sample, gate->comparison->side[side]->samples,
                 gate->comparison->side[side]->sample_count) {
            first = first ? first : sample;
            gate->several_dialects |= strcmp(first->row.dialect, sample->row.dialect) != 0;
            gate->several_devices |=
                sample_compare_devices(first, sample, 0) != 0 || strcmp(first->row.device, sample->row.device) != 0;
        }
    }
}

/* ---- the decision ---- */

static void conclude(struct gate *gate)
{
    gate->all_known = gate->needs[GATE_NEED_COMPARED].have > 0;
    for (size_t i = 0; i < gate->entry_count; i++) {
        if (gate->entries[i].section != GATE_IN_DOUBTS)
            continue;
        gate->suffices = fmax(gate->suffices, gate->entries[i].reason->suffices);
        gate->all_known &= gate->entries[i].reason->suffices > 0;
    }
    gate->verdict = gate_judge(gate->counts.of_class);
    gate->exit_code = gate_exit_code(gate, &gate->counts);
    if (gate->options->strict_expectations && gate->stale_count > 0) {
        gate->verdict = GATE_FAILED;
        gate->exit_code = 1;
    }
}

void gate_decide(const struct gate_passes *passes, const struct gate_options *options,
                 const struct expectations *expectations, struct gate *gate)
{
    struct gate_deciding deciding = {.gate = gate, .options = options};
    const size_t entries = expectations ? expectations->count : 0;
    *gate =
        (struct gate){.passes = *passes, .comparison = passes->first, .options = options, .expectations = expectations};
    deciding.met = arena_take(&gate->arena, entries, sizeof(bool));
    deciding.live = arena_take(&gate->arena, entries, sizeof(bool));
    const struct comparison *comparison = deciding.gate->comparison;
    find_variety(deciding.gate);
    for (size_t i = 0; i < comparison->pair_count; i++)
        add_case_of_b(&deciding, comparison->pairs[i].sample[SIDE_B], &comparison->pairs[i]);
    for (size_t i = 0; i < comparison->unmatched_count; i++) {
        if (comparison->unmatched[i].side == SIDE_A)
            add_missing(&deciding, &comparison->unmatched[i]);
        else
            add_case_of_b(&deciding, comparison->unmatched[i].sample, NULL);
    }
    gate_find_devices(&deciding);
    gate_find_stale(&deciding);
    gate_find_flaws(gate);
    FOR_EACH(struct gate_case, of, gate->cases, gate->case_count) {
        size_t of_class[GATE_CLASS_COUNT] = {0};
        for (size_t r = 0; r < of->reason_count && !of->skipped; r++)
            of_class[gate_kinds[of->reasons[r].kind].of] += !of->reasons[r].expected;
        of->verdict = gate_judge(of_class);
    }
    gate_take_lacking(gate);
    gate_order(gate);
    weigh_needs(gate);
    gate_judge_devices(gate);
    conclude(gate);
}

ARENA_RELEASES(, gate)
