// SPDX-License-Identifier: Apache-2.0
/* Deciding. Every reason is added to a case; then the cases decide. */
#include "runner/gate/decide/gate.h"

#include <math.h>
#include <string.h>

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

bool gate_kind_is_of_behaviour(enum gate_kind kind)
{
    return kinds[kind].of == GATE_BEHAVIOUR || kind == GATE_UNCONFIRMED || kind == GATE_OTHER_KERNEL ||
           kind == GATE_FEW_DECIDED;
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

static void find_suffices(struct gate *gate)
{
    gate->all_known = gate->needs[GATE_NEED_COMPARED].have > 0;
    for (size_t i = 0; i < gate->entry_count; i++) {
        if (gate->entries[i].section != GATE_IN_DOUBTS)
            continue;
        gate->suffices = fmax(gate->suffices, gate->entries[i].reason->suffices);
        gate->all_known &= gate->entries[i].reason->suffices > 0;
    }
}

static void conclude(struct gate *gate)
{
    find_suffices(gate);
    gate->verdict = judge(gate->counts.of_class);
    size_t counting[GATE_CLASS_COUNT];
    memcpy(counting, gate->counts.of_class, sizeof counting);
    if (gate->options->fail_on == GATE_FAIL_ON_SOUNDNESS) {
        counting[GATE_BEHAVIOUR] = 0;
        for (enum gate_kind kind = 0; kind < GATE_KIND_COUNT; kind++)
            if (kinds[kind].of == GATE_DOUBT && gate_kind_is_of_behaviour(kind))
                counting[GATE_DOUBT] -= gate->counts.of_kind[kind];
    }
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
    gate_weigh_needs(gate);
    conclude(gate);
}

void gate_release(struct gate *gate)
{
    arena_release(&gate->arena);
    *gate = (struct gate){.cases = NULL};
}
