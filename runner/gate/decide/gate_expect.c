// SPDX-License-Identifier: Apache-2.0
/* The reasons of a case: what excuses them, and doubts about mutants that were hardly seen. */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "analysis/words/words.h"
#include "base/quantity.h"
#include "runner/gate/decide/gate_parts.h"

static bool gate_speaks_of(const struct expectation *entry, const struct sample *sample)
{
    return fnmatch(entry->test, sample->row.test, 0) == 0 &&
           (!entry->device || strcasestr(sample->row.device, entry->device)) &&
           (!entry->driver || strstr(sample->row.driver, entry->driver)) &&
           (!entry->backend || strcmp(sample->row.backend, entry->backend) == 0);
}

/* The kind that an unsure reason would have if it were sure: an entry for `rate` also excuses an
 * unconfirmed rate. */
static enum gate_kind gate_kind_if_sure(const struct gate_reason *reason)
{
    const bool unsure = reason->kind == GATE_NEW_UNDECIDED || reason->kind == GATE_LOST_UNDECIDED ||
                        reason->kind == GATE_UNCONFIRMED || reason->kind == GATE_NOT_CONFIRMED;
    const enum gate_kind sure = reason->finding ? gate_kind_of_finding(reason->finding->kind) : GATE_FORBIDDEN;
    return unsure && sure != GATE_FORBIDDEN ? sure : reason->kind;
}

/* The ratio of the rates, or of the times, that a reason of the kind rate, time or shift is about; of others it is 0. */
static struct statistics_ratio gate_ratio(const struct gate *gate, const struct gate_reason *reason)
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

/* Whether an entry that covers the test excuses the reason, by its kind and size. */
static bool gate_excuses(const struct gate *gate, const struct expectation *entry, const struct gate_reason *reason)
{
    return is_of_kind(entry, reason) && is_within(gate, entry, reason);
}

/* Sets what excuses a reason, or what would if the change were smaller. Marks all such entries as
 * met. */
static void gate_find_excuse(const struct gate_deciding *deciding, const struct sample *sample,
                             struct gate_reason *reason)
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

void gate_add_reason(struct gate_deciding *deciding, struct gate_case *of, struct gate_reason reason)
{
    struct arena *arena = &deciding->gate->arena;
    gate_find_excuse(deciding, of->sample, &reason);
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

/* ---- doubts ---- */

/* A test with a control is relied on: seeing its witness proves that the stress works. */
bool gate_is_mutant(const struct comparison *comparison, const struct sample *sample)
{
    const struct side *side = comparison->side[SIDE_B];
    if (*sample->row.controls)
        return false;
    for (size_t i = 0; i < side->sample_count; i++)
        if (strcmp(side->samples[i].row.controls, sample->row.test) == 0 &&
            strcmp(side->samples[i].row.dialect, sample->row.dialect) == 0 &&
            strcmp(side->samples[i].row.device, sample->row.device) == 0)
            return true;
    return false;
}

/* Sightings and instances in all runs. */
struct witnesses {
    uint64_t seen, counted;
    double seconds;
    bool apart; /* launches that may run at the same time never did, in some run */
};

static void add_witnesses(const struct sample *sample, struct witnesses *sum)
{
    sum->seen += sample ? sample_shown(sample) : 0;
    sum->apart |= sample && sample->row.marks & MARK_NOT_OVERLAPPED;
    sum->counted += sample ? sample->counted : 0;
    sum->seconds += sample ? sample->row.seconds : 0;
}

/* Seconds of this test that give this many sightings on average; 0: more time would not help. */
static double seconds_for(double needed, const struct witnesses *now, const struct witnesses *before)
{
    double rate = 0;
    if (now->seen > 0)
        rate = (double)now->seen / (double)now->counted;
    else if (before->seen > 0)
        rate = (double)before->seen / (double)before->counted;
    const double speed = now->seconds > 0 ? (double)now->counted / now->seconds : 0;
    const double seconds = rate > 0 && speed > 0 ? needed / rate / speed : 0;
    return seconds <= now->seconds ? 0 : seconds;
}

static struct witnesses count_witnesses(const struct gate *gate, const struct sample *sample)
{
    struct witnesses now = {.seen = 0};
    add_witnesses(sample, &now);
    add_witnesses(gate_find_rerun(gate->passes.again, sample), &now);
    add_witnesses(gate_find_rerun(gate->passes.other, sample), &now);
    return now;
}

static double count_needed(const struct gate *gate)
{
    return ceil(statistics_count_for(gate->options->assurance));
}

bool gate_sees_mutant(const struct gate *gate, const struct sample *sample)
{
    const bool is_test = !sample->row.built || sample->row.kept != TEST_NOT_KEPT;
    return is_test && (double)count_witnesses(gate, sample).seen >= count_needed(gate);
}

void gate_add_doubts(struct gate_deciding *deciding, struct gate_case *of, const struct sample_pair *pair)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    const double needed = count_needed(deciding->gate);
    struct witnesses before = {.seen = 0};
    if (job_state_class(of->sample->row.state) != JOB_CLASS_FINE || !gate_is_mutant(passes->first, of->sample))
        return;
    const struct witnesses now = count_witnesses(deciding->gate, of->sample);
    add_witnesses(pair ? pair->sample[SIDE_A] : NULL, &before);
    if ((double)now.seen >= needed)
        return;
    struct text line = {0};
    text_add(&line, "seen %s time%s, %s in the baseline; %.0f are needed%s", QUANTITY_COUNT(now.seen),
             now.seen == 1 ? "" : "s", QUANTITY_COUNT(before.seen), needed,
             now.apart ? "; its launches never overlapped, so it was not tested here" : "");
    const bool blind = (double)before.seen < needed;
    gate_add_reason(deciding, of,
                    (struct gate_reason){.kind = blind ? GATE_BLIND : GATE_UNSEEN,
                                         .line = text_string(&line),
                                         .suffices = blind ? 0 : seconds_for(needed, &now, &before)});
    text_release(&line);
}

/* ---- drafts expectations from a decision; a person fills in the reasons ---- */

/* A glob that matches the name: characters that are special in a glob or a section become `?`. */
static void add_glob(const char *name, struct text *text)
{
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        text_add(text, "%c", *c <= ' ' || *c == 0x7F || strchr("*?[]\\;", *c) ? '?' : *c);
}

/* Values end at a comment, and blanks at their ends are dropped. */
static bool is_value(const char *value)
{
    const size_t size = strlen(value);
    if (size == 0 || size > 100 || value[0] == ' ' || value[size - 1] == ' ' || value[0] == ';')
        return false;
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F || (c > value && *c == ';' && c[-1] == ' '))
            return false;
    return true;
}

static bool is_known(const struct gate *gate, const struct expectations *known, const struct sample *sample,
                     const struct gate_reason *reason)
{
    for (size_t i = 0; i < known->count; i++)
        if (gate_speaks_of(&known->entries[i], sample) && gate_excuses(gate, &known->entries[i], reason))
            return true;
    return false;
}

static bool same_names(const struct sample *a, const struct sample *b)
{
    return strcmp(a->row.test, b->row.test) == 0 && strcmp(a->row.device, b->row.device) == 0 &&
           strcmp(a->row.backend, b->row.backend) == 0;
}

static bool is_unexpected(const struct gate_case *of, const struct gate_reason *reason)
{
    return !of->skipped && !reason->expected && gate_kind_class(reason->kind) != GATE_NOTE;
}

/* Whether an earlier case with the same names, in another dialect, has this kind. */
static bool is_drafted(const struct gate *gate, const struct gate_case *of, enum gate_kind kind)
{
    for (const struct gate_case *before = gate->cases; before < of; before++)
        for (size_t i = 0; i < before->reason_count && same_names(before->sample, of->sample); i++)
            if (is_unexpected(before, &before->reasons[i]) && gate_kind_if_sure(&before->reasons[i]) == kind)
                return true;
    return false;
}

/* The kinds of a case that count and are not expected, each once. */
static size_t list_kinds(const struct gate *gate, const struct gate_case *of, const struct expectations *known,
                         enum gate_kind kinds[GATE_KIND_COUNT])
{
    bool listed[GATE_KIND_COUNT] = {false};
    size_t count = 0;
    for (size_t i = 0; i < of->reason_count; i++) {
        const struct gate_reason *reason = &of->reasons[i];
        const enum gate_kind kind = gate_kind_if_sure(reason);
        if (!is_unexpected(of, reason) || listed[kind] || is_known(gate, known, of->sample, reason) ||
            is_drafted(gate, of, kind))
            continue;
        listed[kind] = true;
        kinds[count++] = kind;
    }
    return count;
}

/* "x2 " or "x0.5-2 ": the ratios of all reasons of a case that are of this kind; nothing if it has no size. */
static void add_size(const struct gate *gate, const struct gate_case *of, enum gate_kind kind, struct text *text)
{
    struct interval size = {INFINITY, 0};
    for (size_t i = 0; i < of->reason_count && (kind == GATE_RATE || kind == GATE_TIME || kind == GATE_SHIFT); i++) {
        const double ratio = gate_ratio(gate, &of->reasons[i]).ratio;
        if (ratio <= 0 || !is_unexpected(of, &of->reasons[i]) || gate_kind_if_sure(&of->reasons[i]) != kind)
            continue;
        size = (struct interval){fmin(size.low, ratio), fmax(size.high, ratio)};
    }
    if (size.high > size.low)
        text_add(text, "x%.3g-%.3g ", size.low, size.high);
    else if (size.high > 0)
        text_add(text, "x%.3g ", size.high);
}

size_t expectations_draft(const struct gate *gate, const struct expectations *known, struct text *text)
{
    size_t written = 0;
    for (size_t i = 0; i < gate->case_count; i++) {
        const struct gate_case *of = &gate->cases[i];
        const struct store_job_row *row = &of->sample->row;
        enum gate_kind kinds[GATE_KIND_COUNT];
        const size_t count = list_kinds(gate, of, known, kinds);
        if (count == 0)
            continue;
        text_add(text, "\n[");
        add_glob(row->test, text);
        text_add(text, "]\n");
        if (is_value(row->device))
            text_add(text, "device = %s\n", row->device);
        if (is_value(row->backend))
            text_add(text, "backend = %s\n", row->backend);
        for (size_t k = 0; k < count; k++) {
            text_add(text, "known.%s = ", gate_kind_name(kinds[k]));
            add_size(gate, of, kinds[k], text);
            text_add(text, EXPECT_DRAFT "\n");
        }
        written += count;
    }
    return written;
}
