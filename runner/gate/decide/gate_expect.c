// SPDX-License-Identifier: Apache-2.0
/* Compares expectations with the reasons found. */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "runner/gate/decide/gate_parts.h"

bool gate_speaks_of(const struct expectation *entry, const struct sample *sample)
{
    return fnmatch(entry->test, sample->row.test, 0) == 0 &&
           (!entry->device || strcasestr(sample->row.device, entry->device)) &&
           (!entry->driver || strstr(sample->row.driver, entry->driver)) &&
           (!entry->backend || strcmp(sample->row.backend, entry->backend) == 0);
}

enum gate_kind gate_kind_if_sure(const struct gate_reason *reason)
{
    const bool unsure = reason->kind == GATE_NEW_UNDECIDED || reason->kind == GATE_LOST_UNDECIDED ||
                        reason->kind == GATE_UNCONFIRMED || reason->kind == GATE_NOT_CONFIRMED;
    const enum gate_kind sure = reason->finding ? gate_kind_of_finding(reason->finding->kind) : GATE_FORBIDDEN;
    return unsure && sure != GATE_FORBIDDEN ? sure : reason->kind;
}

struct statistics_ratio gate_ratio(const struct gate *gate, const struct gate_reason *reason)
{
    const struct finding *finding = reason->finding;
    if (!finding || (finding->kind != FINDING_RATE && finding->kind != FINDING_TIME && finding->kind != FINDING_SHIFT))
        return (struct statistics_ratio){.ratio = 0};
    if (finding->rate)
        return finding->rate->ratio;
    return shift_ratio(&gate_pass_of(gate, finding)->shift);
}

static bool is_of_kind(const struct expectation *entry, const struct gate_reason *reason)
{
    return !entry->kind || strcmp(entry->kind, gate_kind_name(reason->kind)) == 0 ||
           strcmp(entry->kind, gate_kind_name(gate_kind_if_sure(reason))) == 0;
}

/* Whether a change may be as small as the entry says: its interval is not beyond. */
static bool is_within(const struct gate *gate, const struct expectation *entry, const struct gate_reason *reason)
{
    const struct statistics_ratio found = gate_ratio(gate, reason);
    const double tolerance = gate->comparison->options.tolerance;
    return entry->size.high <= 0 || found.ratio <= 0 ||
           (found.interval.low <= entry->size.high * tolerance && found.interval.high >= entry->size.low / tolerance);
}

bool gate_excuses(const struct gate *gate, const struct expectation *entry, const struct gate_reason *reason)
{
    return is_of_kind(entry, reason) && is_within(gate, entry, reason);
}

void gate_find_excuse(const struct gate_deciding *deciding, const struct sample *sample, struct gate_reason *reason)
{
    const struct expectations *expectations = deciding->gate->expectations;
    for (size_t i = 0; expectations && i < expectations->count; i++) {
        const struct expectation *entry = &expectations->entries[i];
        if (entry->effect == EXPECT_SKIP || !gate_speaks_of(entry, sample) || !is_of_kind(entry, reason))
            continue;
        deciding->met[i] = true;
        if (is_within(deciding->gate, entry, reason))
            reason->expected = reason->expected ? reason->expected : entry;
        else
            reason->exceeds = reason->exceeds ? reason->exceeds : entry;
    }
}

const struct expectation *gate_find_skip(const struct gate_deciding *deciding, const struct sample *sample)
{
    const struct expectations *expectations = deciding->gate->expectations;
    const struct expectation *first = NULL;
    for (size_t i = 0; expectations && i < expectations->count; i++) {
        if (!gate_speaks_of(&expectations->entries[i], sample))
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

bool gate_is_shielded(const struct gate *gate, const struct sample *sample)
{
    for (size_t i = 0; gate->expectations && i < gate->expectations->count; i++) {
        const struct expectation *entry = &gate->expectations->entries[i];
        bool of_soundness = !entry->kind;
        for (enum gate_kind kind = 0; entry->kind && kind < GATE_KIND_COUNT; kind++)
            of_soundness |= gate_kind_class(kind) == GATE_SOUNDNESS && strcmp(entry->kind, gate_kind_name(kind)) == 0;
        if (of_soundness && gate_speaks_of(entry, sample))
            return true;
    }
    return false;
}

void gate_find_stale(struct gate_deciding *deciding)
{
    struct gate *gate = deciding->gate;
    const size_t count = gate->expectations ? gate->expectations->count : 0;
    gate->stale = arena_take(&gate->arena, count, sizeof *gate->stale);
    for (size_t i = 0; i < count; i++) {
        const struct expectation *entry = &gate->expectations->entries[i];
        bool spoken_of = false;
        for (size_t c = 0; c < gate->case_count; c++)
            spoken_of |= gate_speaks_of(entry, gate->cases[c].sample);
        if (!spoken_of || (entry->effect == EXPECT_KNOWN && !deciding->met[i] && deciding->live[i]))
            gate->stale[gate->stale_count++] = entry;
    }
}
