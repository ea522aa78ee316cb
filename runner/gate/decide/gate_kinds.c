// SPDX-License-Identifier: Apache-2.0
/* The kinds of reasons: their words and classes, and the section and the order in which each reason is listed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/gate/decide/gate.h"
#include "runner/gate/decide/gate_parts.h"

static const struct {
    const char *word, *meaning;
    enum gate_class of;
} kinds[GATE_KIND_COUNT] = {
#define GATE_KIND_ROW(name, word, class, meaning) {word, meaning, class},
    GATE_KIND_LIST(GATE_KIND_ROW)
#undef GATE_KIND_ROW
};

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

bool gate_kind_is_of_behaviour(enum gate_kind kind)
{
    return kinds[kind].of == GATE_BEHAVIOUR || kind == GATE_UNCONFIRMED || kind == GATE_OTHER_KERNEL ||
           kind == GATE_FEW_DECIDED;
}

/* A reason by its place among the cases as they were added. */
struct reason_position {
    enum gate_section section;
    enum gate_kind kind;
    size_t of, reason;
};

bool gate_is_one_sided(const struct finding *finding)
{
    return finding && finding->kind != FINDING_VOIDS &&
           (finding->spread[SIDE_A].seen_in == 0) != (finding->spread[SIDE_B].seen_in == 0);
}

static enum gate_section choose_section(const struct gate_case *of, const struct gate_reason *reason)
{
    static const enum gate_section of_class[GATE_CLASS_COUNT] = {[GATE_SOUNDNESS] = GATE_IN_SOUNDNESS,
                                                                 [GATE_BEHAVIOUR] = GATE_IN_BEHAVIOUR,
                                                                 [GATE_DOUBT] = GATE_IN_DOUBTS,
                                                                 [GATE_NOTE] = GATE_IN_NOTES};
    const enum gate_class class = gate_kind_class(reason->kind);
    if (of->skipped || reason->expected)
        return GATE_IN_EXCUSED;
    return class == GATE_NOTE && gate_is_one_sided(reason->finding) ? GATE_IN_ONE_SIDED : of_class[class];
}

static int compare_numbers(size_t a, size_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_places(const void *left, const void *right)
{
    const struct reason_position *a = left, *b = right;
    int order = compare_numbers(a->section, b->section);
    order = order ? order : compare_numbers(a->kind, b->kind);
    order = order ? order : compare_numbers(a->of, b->of);
    return order ? order : compare_numbers(a->reason, b->reason);
}

static struct reason_position *make_places(struct gate *gate, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < gate->case_count; i++)
        *count += gate->cases[i].reason_count;
    struct reason_position *places = arena_take(&gate->arena, *count, sizeof *places);
    for (size_t i = 0, at = 0; i < gate->case_count; i++) {
        const struct gate_case *of = &gate->cases[i];
        for (size_t r = 0; r < of->reason_count; r++)
            places[at++] = (struct reason_position){choose_section(of, &of->reasons[r]), of->reasons[r].kind, i, r};
    }
    if (*count > 0)
        qsort(places, *count, sizeof *places, compare_places);
    return places;
}

static void count_entry(struct gate_counts *counts, const struct gate_entry *entry)
{
    const enum gate_kind kind = entry->reason->kind;
    const bool is_undecided = kind == GATE_NEW_UNDECIDED || kind == GATE_LOST_UNDECIDED || kind == GATE_UNDECIDED;
    if (gate_is_one_sided(entry->reason->finding) && gate_kind_class(kind) != GATE_SOUNDNESS)
        counts->seen_in[entry->reason->finding->spread[SIDE_B].seen_in > 0 ? SIDE_B : SIDE_A]++;
    if (entry->section == GATE_IN_EXCUSED) {
        counts->expected++;
        return;
    }
    counts->of_class[gate_kind_class(kind)]++;
    counts->of_kind[kind]++;
    counts->undecided += is_undecided;
}

void gate_order(struct gate *gate)
{
    struct arena *arena = &gate->arena;
    const size_t none = gate->case_count;
    size_t count, ordered = 0;
    const struct reason_position *places = make_places(gate, &count);
    struct gate_case *cases = arena_take(arena, gate->case_count, sizeof *cases);
    size_t *moved_to = arena_take(arena, gate->case_count, sizeof *moved_to);
    gate->entries = arena_take(arena, count, sizeof *gate->entries);
    for (size_t i = 0; i < gate->case_count; i++)
        moved_to[i] = none;
    /* A case is sorted by its first reason; cases without reasons come last. */
    for (size_t i = 0; i < count + gate->case_count; i++) {
        const size_t from = i < count ? places[i].of : i - count;
        if (moved_to[from] != none)
            continue;
        moved_to[from] = ordered;
        cases[ordered] = gate->cases[from];
        cases[ordered].reason_count = 0;
        cases[ordered++].reasons = arena_take(arena, gate->cases[from].reason_count, sizeof *cases->reasons);
    }
    for (size_t i = 0; i < count; i++) {
        struct gate_case *of = &cases[moved_to[places[i].of]];
        struct gate_reason *reason = &of->reasons[of->reason_count++];
        *reason = gate->cases[places[i].of].reasons[places[i].reason];
        gate->entries[i] = (struct gate_entry){of, reason, places[i].section};
        count_entry(&gate->counts, &gate->entries[i]);
    }
    gate->entry_count = count;
    gate->cases = cases;
}

size_t gate_section_size(const struct gate *gate, enum gate_section section)
{
    size_t count = 0;
    for (size_t i = 0; i < gate->entry_count; i++)
        count += gate->entries[i].section == section;
    return count;
}
