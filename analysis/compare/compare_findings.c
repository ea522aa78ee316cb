// SPDX-License-Identifier: Apache-2.0
/* From pairs and rates to findings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/compare_parts.h"
#include "base/memory.h"

const char *finding_kind_name(enum finding_kind kind)
{
    static const char *const names[] = {"forbidden", "control", "claim", "state", "kept", "shift",
                                        "new",       "lost",    "rate",  "voids", "time", "undecided"};
    return names[kind];
}

const char *rate_result_name(enum rate_result result)
{
    static const char *const names[] = {
        "similar",  "changed",   "new",       "lost",         "unconfirmed", "new-unconfirmed", "lost-unconfirmed",
        "new-rare", "lost-rare", "undecided", "not-compared", "moved",       "not-gated"};
    return names[result];
}

const char *const compare_titles[COMPARE_SECTIONS] = {
    [COMPARE_FORBIDDEN] = "Outcomes that must never appear",
    [COMPARE_STATES] = "Tests that ended differently",
    [COMPARE_KEPT] = "Tests whose compiled code differs: whether it still is the test",
    [COMPARE_CHANGED] = "Changes",
    [COMPARE_UNCONFIRMED] = "Unconfirmed changes",
    [COMPARE_UNDECIDED] = "Undecided",
};

bool finding_is_alarm(const struct finding *finding)
{
    return finding->kind <= FINDING_CLAIM;
}

bool finding_fails(const struct finding *finding)
{
    return finding_is_alarm(finding) && !finding->excused;
}

enum finding_age finding_age(const struct finding *finding)
{
    return finding->count[SIDE_B] == 0   ? FINDING_IN_A_ALONE
           : finding->count[SIDE_A] == 0 ? FINDING_NEW_IN_B
                                         : FINDING_IN_BOTH;
}

enum compare_section compare_section_of(const struct finding *finding)
{
    static const enum compare_section by_standing[] = {[STANDING_SURE] = COMPARE_CHANGED,
                                                       [STANDING_UNCONFIRMED] = COMPARE_UNCONFIRMED,
                                                       [STANDING_UNDECIDED] = COMPARE_UNDECIDED};
    return finding_is_alarm(finding)        ? COMPARE_FORBIDDEN
           : finding->kind == FINDING_STATE ? COMPARE_STATES
           : finding->kind == FINDING_KEPT  ? COMPARE_KEPT
                                            : by_standing[finding->standing];
}

size_t compare_count(const struct comparison *comparison, enum compare_section section)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->finding_count; i++)
        count += compare_section_of(&comparison->findings[i]) == section;
    return count;
}

const char *compare_severity(const struct finding *finding)
{
    static const char *const words[COMPARE_SECTIONS] = {"FORBIDDEN", "STATE",       "KEPT",
                                                        "CHANGED",   "UNCONFIRMED", "UNDECIDED"};
    if (finding->excused)
        return "NOT PROMISED";
    if (finding->rate && finding->rate->result == RATE_UNGATED)
        return "NOT GATED";
    return finding->kind == FINDING_CONTROL ? "CONTROL"
           : finding->kind == FINDING_CLAIM ? "CLAIM"
                                            : words[compare_section_of(finding)];
}

enum finding_kind finding_of_measure(enum sample_measure of)
{
    static const enum finding_kind kinds[] = {
        [SAMPLE_OUTCOME] = FINDING_RATE, [SAMPLE_VOID] = FINDING_VOIDS, [SAMPLE_TIME] = FINDING_TIME};
    return kinds[of];
}

static void add_finding(struct comparison *comparison, struct finding finding)
{
    for (int side = 0; side < SIDES && finding.outcome; side++)
        if (finding.sample[side])
            finding.spread[side] =
                sample_spread(finding.sample[side], sample_same(finding.sample[side], finding.outcome));
    ARENA_ADD(&comparison->arena, comparison->findings, comparison->finding_count) = finding;
}

/* ---- what must never be seen ---- */

static enum finding_kind alarm_kind(enum ruling_kind kind)
{
    return kind == RULING_FORBIDDEN ? FINDING_FORBIDDEN : kind == RULING_CONTROL ? FINDING_CONTROL : FINDING_CLAIM;
}

static void find_alarm(struct comparison *comparison, const struct sample *a, const struct sample *b, const char *label)
{
    const struct sample *const samples[SIDES] = {a, b};
    struct finding finding = {.kind = FINDING_CLAIM, .sample = {a, b}, .excused = true};
    for (int side = 0; side < SIDES; side++) {
        const struct sample_outcome *outcome = samples[side] ? sample_outcome(samples[side], label) : NULL;
        if (!outcome || !ruling_condemns(outcome->ruling.kind))
            continue;
        const enum finding_kind kind = alarm_kind(outcome->ruling.kind);
        finding.count[side] = outcome->count;
        finding.excused = !outcome->ruling.fails; /* B, which is judged, comes last */
        if (!finding.outcome || kind <= finding.kind)
            finding.outcome = outcome;
        finding.kind = kind < finding.kind ? kind : finding.kind;
    }
    if (finding.outcome)
        add_finding(comparison, finding);
}

/* Every label of b, then the labels of a that b lacks. */
static void find_alarms(struct comparison *comparison, const struct sample *a, const struct sample *b)
{
    for (size_t i = 0; b && i < b->outcome_count; i++)
        find_alarm(comparison, a, b, b->outcomes[i].label);
    for (size_t i = 0; a && i < a->outcome_count; i++)
        if (!b || !sample_outcome(b, a->outcomes[i].label))
            find_alarm(comparison, a, b, a->outcomes[i].label);
}

/* ---- what changed ---- */

static void find_rates(struct comparison *comparison, const struct sample_pair *pair)
{
    static const struct {
        bool listed;
        enum finding_kind kind;
        enum finding_standing standing;
    } kinds[RATE_RESULT_COUNT] = {
        [RATE_CHANGED] = {true, FINDING_RATE, STANDING_SURE},
        [RATE_NEW] = {true, FINDING_NEW, STANDING_SURE},
        [RATE_LOST] = {true, FINDING_LOST, STANDING_SURE},
        [RATE_UNCONFIRMED] = {true, FINDING_RATE, STANDING_UNCONFIRMED},
        [RATE_NEW_UNCONFIRMED] = {true, FINDING_NEW, STANDING_UNCONFIRMED},
        [RATE_LOST_UNCONFIRMED] = {true, FINDING_LOST, STANDING_UNCONFIRMED},
        [RATE_NEW_RARE] = {true, FINDING_NEW, STANDING_UNDECIDED},
        [RATE_LOST_RARE] = {true, FINDING_LOST, STANDING_UNDECIDED},
        [RATE_UNDECIDED] = {true, FINDING_UNDECIDED, STANDING_UNDECIDED},
        [RATE_UNGATED] = {true, FINDING_UNDECIDED, STANDING_UNDECIDED},
    };
    for (size_t i = 0; i < pair->question_count; i++) {
        const struct rate *rate = &pair->rates[i];
        const bool is_share = rate->outcome->of != SAMPLE_OUTCOME;
        if (rate_is_one_sided(rate) && ruling_condemns(rate->outcome->ruling.kind))
            continue; /* already reported, with both counts */
        if (is_share && kinds[rate->result].standing == STANDING_UNDECIDED)
            continue;
        const struct finding finding = {.kind =
                                            is_share ? finding_of_measure(rate->outcome->of) : kinds[rate->result].kind,
                                        .sample = {pair->sample[SIDE_A], pair->sample[SIDE_B]},
                                        .pair = pair,
                                        .rate = rate,
                                        .outcome = rate->outcome,
                                        .count = {rate->count[SIDE_A], rate->count[SIDE_B]},
                                        .standing = kinds[rate->result].standing};
        if (kinds[rate->result].listed)
            add_finding(comparison, finding);
    }
}

static void find_state(struct comparison *comparison, const struct sample_pair *pair)
{
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    if (a->row.state != b->row.state)
        add_finding(comparison, (struct finding){.kind = FINDING_STATE, .sample = {a, b}});
}

static void find_kept(struct comparison *comparison, const struct sample_pair *pair)
{
    const struct store_job_row *a = &pair->sample[SIDE_A]->row, *b = &pair->sample[SIDE_B]->row;
    const bool lost = a->kept == TEST_NOT_KEPT || b->kept == TEST_NOT_KEPT; /* else a remark says who inspected */
    if (a->built && b->built && a->kept != b->kept && lost)
        add_finding(comparison,
                    (struct finding){.kind = FINDING_KEPT, .sample = {pair->sample[SIDE_A], pair->sample[SIDE_B]}});
}

/* The weight of a finding among the sure, or the unsure, findings of its kind. */
static double weight_of(const struct finding *finding)
{
    switch (finding->kind) {
    case FINDING_NEW:
        return (double)finding->count[SIDE_B];
    case FINDING_LOST:
        return finding->rate->expected;
    case FINDING_STATE:
        return finding->sample[SIDE_B]->row.state;
    case FINDING_KEPT:
        return finding->sample[SIDE_B]->row.kept == TEST_NOT_KEPT;
    case FINDING_RATE:
    case FINDING_VOIDS:
    case FINDING_TIME:
        return fabs(log(finding->rate->ratio.ratio));
    case FINDING_FORBIDDEN:
    case FINDING_CONTROL:
    case FINDING_CLAIM:
    case FINDING_SHIFT:
    case FINDING_UNDECIDED:
    case FINDING_KIND_COUNT:
        break;
    }
    return 0;
}

struct ordered_finding {
    struct finding finding;
    size_t position;
};

static int compare_order(const void *left, const void *right)
{
    const struct ordered_finding *a = left, *b = right;
    const enum compare_section section_of_a = compare_section_of(&a->finding),
                               section_of_b = compare_section_of(&b->finding);
    if (section_of_a != section_of_b)
        return section_of_a < section_of_b ? -1 : 1;
    if (a->finding.excused != b->finding.excused)
        return b->finding.excused ? -1 : 1;
    if (finding_is_alarm(&a->finding) && finding_age(&a->finding) != finding_age(&b->finding))
        return finding_age(&a->finding) < finding_age(&b->finding) ? -1 : 1;
    if (a->finding.kind != b->finding.kind)
        return a->finding.kind < b->finding.kind ? -1 : 1;
    const double of_a = weight_of(&a->finding), of_b = weight_of(&b->finding);
    if (of_a < of_b || of_a > of_b)
        return of_a > of_b ? -1 : 1;
    return a->position < b->position ? -1 : 1;
}

static void sort_findings(struct comparison *comparison)
{
    const size_t count = comparison->finding_count;
    struct ordered_finding *ordered = memory_take(count, sizeof *ordered);
    for (size_t i = 0; i < count; i++)
        ordered[i] = (struct ordered_finding){comparison->findings[i], i};
    qsort(ordered, count, sizeof *ordered, compare_order);
    for (size_t i = 0; i < count; i++)
        comparison->findings[i] = ordered[i].finding;
    free(ordered);
}

void compare_find(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct sample_pair *pair = &comparison->pairs[i];
        find_alarms(comparison, pair->sample[SIDE_A], pair->sample[SIDE_B]);
        find_state(comparison, pair);
        find_kept(comparison, pair);
        find_rates(comparison, pair);
    }
    if (comparison->shift.found)
        add_finding(comparison, (struct finding){.kind = FINDING_SHIFT,
                                                 .sample = {comparison->pairs[0].sample[SIDE_A],
                                                            comparison->pairs[0].sample[SIDE_B]}});
    for (size_t i = 0; i < comparison->unmatched_count; i++) {
        const struct unmatched *lone = &comparison->unmatched[i];
        find_alarms(comparison, lone->side == SIDE_A ? lone->sample : NULL, lone->side == SIDE_B ? lone->sample : NULL);
    }
    sort_findings(comparison);
}
