// SPDX-License-Identifier: Apache-2.0
/* Deciding. Every reason is added to a case; then the cases decide. */
#include "runner/gate/decide/gate.h"

#include <math.h>

#include "runner/gate/decide/gate_parts.h"

static const struct {
    const char *word, *meaning;
    enum gate_class of;
} kinds[GATE_KIND_COUNT] = {
#define GATE_KIND_ROW(name, word, class, meaning) {word, meaning, class},
    GATE_KIND_LIST(GATE_KIND_ROW)
#undef GATE_KIND_ROW
};

static const struct {
    const char *word;
    int exit_code;
} verdicts[] = {[GATE_PASSED] = {"passed", 0},
                [GATE_FAILED] = {"failed", 1},
                [GATE_CHANGED] = {"changed", 5},
                [GATE_INCONCLUSIVE] = {"inconclusive", 3}};

enum gate_kind gate_kind_of_finding(enum finding_kind kind)
{
    static const enum gate_kind of[FINDING_KIND_COUNT] = {
        [FINDING_FORBIDDEN] = GATE_FORBIDDEN, [FINDING_CONTROL] = GATE_CONTROL, [FINDING_CLAIM] = GATE_CLAIM,
        [FINDING_SHIFT] = GATE_SHIFT,         [FINDING_NEW] = GATE_NEW,         [FINDING_LOST] = GATE_LOST,
        [FINDING_RATE] = GATE_RATE,           [FINDING_VOIDS] = GATE_VOIDS,     [FINDING_TIME] = GATE_TIME};
    return of[kind];
}

const char *gate_kind_name(enum gate_kind kind)
{
    return kinds[kind].word;
}

const char *gate_kind_meaning(enum gate_kind kind)
{
    return kinds[kind].meaning;
}

enum gate_class gate_kind_class(enum gate_kind kind)
{
    return kinds[kind].of;
}

const char *gate_class_name(enum gate_class of)
{
    static const char *const names[GATE_CLASS_COUNT] = {"soundness", "behaviour", "doubt", "note"};
    return names[of];
}

const char *gate_verdict_name(enum gate_verdict verdict)
{
    return verdicts[verdict].word;
}

/* The verdict for these numbers of reasons. */
static enum gate_verdict judge(const size_t of_class[GATE_CLASS_COUNT])
{
    return of_class[GATE_SOUNDNESS] > 0   ? GATE_FAILED
           : of_class[GATE_BEHAVIOUR] > 0 ? GATE_CHANGED
           : of_class[GATE_DOUBT] > 0     ? GATE_INCONCLUSIVE
                                          : GATE_PASSED;
}

static void judge_cases(struct gate *gate)
{
    for (size_t i = 0; i < gate->case_count; i++) {
        struct gate_case *of = &gate->cases[i];
        size_t of_class[GATE_CLASS_COUNT] = {0};
        for (size_t r = 0; r < of->reason_count && !of->skipped; r++)
            of_class[kinds[of->reasons[r].kind].of] += !of->reasons[r].expected;
        of->verdict = judge(of_class);
    }
}

static void count_compared(struct gate *gate)
{
    for (size_t i = 0; i < gate->comparison->pair_count; i++) {
        const struct sample_pair *pair = &gate->comparison->pairs[i];
        gate->compared += pair->sample[SIDE_B]->counted > 0;
        gate->paired += pair->sample[SIDE_B]->counted > 0 && pair->paired;
    }
    if (gate->passes.again)
        gate->reruns = gate->passes.again->runs[SIDE_B];
}

static void find_suffices(struct gate *gate)
{
    gate->all_known = gate->compared > 0;
    for (size_t i = 0; i < gate->entry_count; i++) {
        if (gate->entries[i].section != GATE_IN_DOUBTS)
            continue;
        gate->suffices = fmax(gate->suffices, gate->entries[i].reason->suffices);
        gate->all_known &= gate->entries[i].reason->suffices > 0;
    }
}

static void add_nothing(struct gate *gate, enum gate_kind kind)
{
    gate->nothing = (struct gate_reason){.kind = kind, .sentence = kinds[kind].meaning};
    gate->counts.of_class[GATE_DOUBT]++;
    gate->counts.of_kind[kind]++;
}

static void conclude(struct gate *gate)
{
    count_compared(gate);
    find_suffices(gate);
    const struct gate_counts *counts = &gate->counts;
    if (gate->compared == 0)
        add_nothing(gate, GATE_NOTHING);
    else if (counts->mutants > 0 && counts->of_kind[GATE_BLIND] == counts->mutants)
        add_nothing(gate, GATE_ALL_BLIND);
    gate->verdict = judge(gate->counts.of_class);
    size_t counting[GATE_CLASS_COUNT];
    for (int of = 0; of < GATE_CLASS_COUNT; of++)
        counting[of] =
            of == GATE_BEHAVIOUR && gate->options->fail_on == GATE_FAIL_ON_SOUNDNESS ? 0 : gate->counts.of_class[of];
    gate->exit_code = verdicts[judge(counting)].exit_code;
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
    gate_add_cases(&deciding);
    gate_find_stale(&deciding);
    judge_cases(gate);
    gate_order(gate);
    conclude(gate);
}

void gate_release(struct gate *gate)
{
    arena_release(&gate->arena);
    *gate = (struct gate){.cases = NULL};
}
