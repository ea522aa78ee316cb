// SPDX-License-Identifier: Apache-2.0
/* Deciding. Every reason becomes part of a case; then the cases decide. */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "analysis/gate/gate_parts.h"
#include "analysis/page/words.h"

static const struct {
    const char *word, *meaning;
    enum gate_verdict verdict;
} kinds[GATE_KIND_COUNT] = {
#define GATE_KIND_ROW(name, word, verdict, meaning) {word, meaning, verdict},
    GATE_KIND_LIST(GATE_KIND_ROW)
#undef GATE_KIND_ROW
};

const char *gate_kind_name(enum gate_kind kind)
{
    return kinds[kind].word;
}

enum gate_verdict gate_kind_verdict(enum gate_kind kind)
{
    return kinds[kind].verdict;
}

const char *gate_verdict_name(enum gate_verdict verdict)
{
    static const char *const names[] = {"pass", "fail", "inconclusive"};
    return names[verdict];
}

int gate_exit_code(enum gate_verdict verdict)
{
    static const int codes[] = {[GATE_PASS] = 0, [GATE_FAIL] = 1, [GATE_INCONCLUSIVE] = 3};
    return codes[verdict];
}

/* ---- expectations ---- */

static bool speaks_of(const struct expectation *entry, const struct sample *sample)
{
    return fnmatch(entry->test, sample->row.test, 0) == 0 &&
           (!entry->device || strcasestr(sample->row.device, entry->device)) &&
           (!entry->driver || strstr(sample->row.driver, entry->driver)) &&
           (!entry->backend || strcmp(sample->row.backend, entry->backend) == 0);
}

/* What is known to be new or lost may be so while that is undecided, too. */
static bool excuses_kind(const struct expectation *entry, enum gate_kind kind)
{
    const enum gate_kind wider = kind == GATE_NEW_UNDECIDED ? GATE_NEW : kind == GATE_LOST_UNDECIDED ? GATE_LOST : kind;
    return !entry->kind || strcmp(entry->kind, gate_kind_name(kind)) == 0 ||
           strcmp(entry->kind, gate_kind_name(wider)) == 0;
}

/* The first entry that excuses a reason of this kind, all such entries being met. */
static const struct expectation *find_excuse(const struct gate_deciding *deciding, const struct sample *sample,
                                             enum gate_kind kind)
{
    const struct expectations *expectations = deciding->gate->expectations;
    const struct expectation *first = NULL;
    for (size_t i = 0; expectations && i < expectations->count; i++) {
        const struct expectation *entry = &expectations->entries[i];
        if (entry->effect == EXPECT_SKIP || !speaks_of(entry, sample) || !excuses_kind(entry, kind))
            continue;
        deciding->met[i] = true;
        if (!first)
            first = entry;
    }
    return first;
}

static const struct expectation *find_skip(const struct gate_deciding *deciding, const struct sample *sample)
{
    const struct expectations *expectations = deciding->gate->expectations;
    const struct expectation *first = NULL;
    for (size_t i = 0; expectations && i < expectations->count; i++) {
        if (!speaks_of(&expectations->entries[i], sample))
            continue;
        deciding->live[i] |= job_state_class(sample->row.state) == JOB_CLASS_FINE || deciding->met[i];
        if (expectations->entries[i].effect != EXPECT_SKIP)
            continue;
        deciding->met[i] = true;
        if (!first)
            first = &expectations->entries[i];
    }
    return first;
}

/* ---- reasons ---- */

void gate_add_reason(struct gate_deciding *deciding, struct gate_case *of, struct gate_reason reason, struct text *text)
{
    struct arena *arena = &deciding->gate->arena;
    reason.state = of->sample->row.state;
    reason.sentence = arena_copy(arena, text_string(text));
    reason.expected = find_excuse(deciding, of->sample, reason.kind);
    text_clear(text);
    ARENA_ADD(arena, of->reasons, of->reason_count) = reason;
}

/* The kind of the reason that a finding is; false where it is none. */
static bool is_reason(const struct gate_deciding *deciding, const struct finding *finding, enum gate_kind *kind)
{
    static const struct {
        bool listed;
        enum gate_kind sure, unsure;
    } of_kind[FINDING_KIND_COUNT] = {
        [FINDING_FORBIDDEN] = {true, GATE_FORBIDDEN, GATE_UNDECLARED},
        [FINDING_CONTROL] = {true, GATE_CONTROL, GATE_UNDECLARED},
        [FINDING_NEW] = {true, GATE_NEW, GATE_NEW_UNDECIDED},
        [FINDING_LOST] = {true, GATE_LOST, GATE_LOST_UNDECIDED},
        [FINDING_RATE] = {true, GATE_RATE, GATE_RATE},
    };
    const bool must_not_be_seen = finding->kind <= FINDING_CONTROL;
    const bool excused = finding->excused && !deciding->options->strict;
    *kind =
        finding->standing == STANDING_SURE && !excused ? of_kind[finding->kind].sure : of_kind[finding->kind].unsure;
    if (must_not_be_seen && finding->count[SIDE_B] == 0)
        *kind = GATE_GONE;
    const bool decides = gate_kind_verdict(*kind) != GATE_PASS;
    return of_kind[finding->kind].listed && (decides || gate_is_one_sided(finding));
}

static void add_finding(struct gate_deciding *deciding, struct gate_case *of, const struct finding *finding,
                        struct text *text)
{
    enum gate_kind kind;
    if (!is_reason(deciding, finding, &kind))
        return;
    compare_describe(deciding->gate->comparison, finding, text);
    gate_add_reason(deciding, of, (struct gate_reason){.kind = kind, .finding = finding}, text);
}

static void describe_state(const struct sample *sample, enum job_state state, struct text *text)
{
    words_add_test(text, sample);
    if (sample->jobs == 1)
        text_add(text, ": its job ended as %s", job_state_word(state));
    else
        text_add(text, ": %zu of %zu jobs ended as %s", (size_t)sample->states[state], (size_t)sample->jobs,
                 job_state_word(state));
    if (job_state_class(state) == JOB_CLASS_REFUSED)
        text_add(text, ", and the baseline's completed");
    if (*sample->row.reason && sample->row.state == state)
        words_add(text, " ($)", sample->row.reason);
}

/* How the jobs of B ended. What the baseline refused, too, is no news. */
static void add_states(struct gate_deciding *deciding, struct gate_case *of, const struct sample *baseline,
                       struct text *text)
{
    static const enum gate_kind kind_of[] = {
        [JOB_CLASS_FAULT] = GATE_FAULT, [JOB_CLASS_REFUSED] = GATE_REFUSED, [JOB_CLASS_CUT_SHORT] = GATE_CUT_SHORT};
    const struct sample *sample = of->sample;
    const bool was_fine = baseline && job_state_class(baseline->row.state) == JOB_CLASS_FINE;
    for (enum job_state state = 0; state < JOB_STATE_COUNT; state++) {
        const enum job_class class = job_state_class(state);
        if (sample->states[state] == 0 || class == JOB_CLASS_FINE || (class == JOB_CLASS_REFUSED && !was_fine))
            continue;
        describe_state(sample, state, text);
        gate_add_reason(deciding, of, (struct gate_reason){.kind = kind_of[class]}, text);
    }
    if (sample->row.invalid_batches > 0) {
        words_add_test(text, sample);
        text_add(text, ": %zu of its batches were invalid, and were not counted", (size_t)sample->row.invalid_batches);
        gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_INVALID}, text);
    }
}

/* ---- cases ---- */

static struct gate_case *add_case(struct gate *gate, const struct sample *sample, bool compared)
{
    ARENA_ADD(&gate->arena, gate->cases, gate->case_count) = (struct gate_case){.sample = sample, .compared = compared};
    return &gate->cases[gate->case_count - 1];
}

static void close_case(struct gate_deciding *deciding, struct gate_case *of)
{
    of->skipped = find_skip(deciding, of->sample);
    for (size_t i = 0; !of->skipped && i < of->reason_count; i++) {
        const struct gate_reason *reason = &of->reasons[i];
        if (reason->expected || of->verdict == GATE_FAIL || kinds[reason->kind].verdict == GATE_PASS)
            continue;
        of->verdict = kinds[reason->kind].verdict;
    }
}

static void add_case_of_b(struct gate_deciding *deciding, const struct sample *sample, const struct pair *pair,
                          struct text *text)
{
    const struct comparison *comparison = deciding->gate->comparison;
    const struct sample *baseline = pair ? pair->sample[SIDE_A] : NULL;
    struct gate_case *of = add_case(deciding->gate, sample, pair != NULL);
    for (size_t i = 0; i < comparison->finding_count; i++)
        if (comparison->findings[i].sample[SIDE_B] == sample)
            add_finding(deciding, of, &comparison->findings[i], text);
    add_states(deciding, of, baseline, text);
    gate_add_doubts(deciding, of, pair, text);
    close_case(deciding, of);
}

static void add_missing(struct gate_deciding *deciding, const struct unmatched *lone, struct text *text)
{
    if (deciding->options->chosen && !side_find_test(deciding->gate->comparison->side[SIDE_B], lone->sample))
        return;
    struct gate_case *of = add_case(deciding->gate, lone->sample, false);
    words_add_test(text, lone->sample);
    text_add(text, ": is in the baseline alone: %s", lone->reason);
    gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_MISSING}, text);
    close_case(deciding, of);
}

static void add_cases(struct gate_deciding *deciding)
{
    const struct comparison *comparison = deciding->gate->comparison;
    struct text text = {0};
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

/* ---- the decision ---- */

static void count_compared(struct gate *gate)
{
    for (size_t i = 0; i < gate->comparison->pair_count; i++) {
        const struct pair *pair = &gate->comparison->pairs[i];
        if (pair->sample[SIDE_B]->counted == 0)
            continue;
        gate->compared++;
        gate->paired += pair->paired;
        if (pair->sample[SIDE_A]->jobs > gate->baseline_runs)
            gate->baseline_runs = pair->sample[SIDE_A]->jobs;
    }
}

static void conclude_gate(struct gate *gate)
{
    count_compared(gate);
    gate->all_known = true;
    for (size_t i = 0; i < gate->case_count; i++) {
        const struct gate_case *of = &gate->cases[i];
        if (gate->verdict != GATE_FAIL && of->verdict != GATE_PASS)
            gate->verdict = of->verdict;
        for (size_t r = 0; r < of->reason_count && !of->skipped; r++) {
            const struct gate_reason *reason = &of->reasons[r];
            if (reason->expected || kinds[reason->kind].verdict != GATE_INCONCLUSIVE)
                continue;
            gate->suffices = fmax(gate->suffices, reason->suffices);
            gate->all_known &= reason->suffices > 0;
        }
    }
    if (gate->compared > 0)
        return;
    gate->all_known = false;
    gate->nothing = (struct gate_reason){.kind = GATE_NOTHING, .sentence = kinds[GATE_NOTHING].meaning};
    if (gate->verdict == GATE_PASS)
        gate->verdict = GATE_INCONCLUSIVE;
}

/* A known reason that is gone from a test that ran, and any entry that speaks of no test at all. */
static void find_stale(struct gate_deciding *deciding)
{
    struct gate *gate = deciding->gate;
    const size_t count = gate->expectations ? gate->expectations->count : 0;
    gate->stale = arena_take(&gate->arena, count, sizeof *gate->stale);
    for (size_t i = 0; i < count; i++) {
        const struct expectation *entry = &gate->expectations->entries[i];
        bool spoken_of = false;
        for (size_t c = 0; c < gate->case_count; c++)
            spoken_of |= speaks_of(entry, gate->cases[c].sample);
        if (!spoken_of || (entry->effect == EXPECT_KNOWN && !deciding->met[i] && deciding->live[i]))
            gate->stale[gate->stale_count++] = entry;
    }
}

void gate_decide(const struct comparison *comparison, const struct gate_options *options,
                 const struct expectations *expectations, struct gate *gate)
{
    struct gate_deciding deciding = {.gate = gate, .options = options};
    const size_t entries = expectations ? expectations->count : 0;
    *gate = (struct gate){.comparison = comparison, .expectations = expectations};
    deciding.met = arena_take(&gate->arena, entries, sizeof(bool));
    deciding.live = arena_take(&gate->arena, entries, sizeof(bool));
    add_cases(&deciding);
    find_stale(&deciding);
    gate_order(gate);
    conclude_gate(gate);
}

void gate_release(struct gate *gate)
{
    arena_release(&gate->arena);
    *gate = (struct gate){.cases = NULL};
}
