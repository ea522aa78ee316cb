// SPDX-License-Identifier: Apache-2.0
/* Reasons in short lines: the outcome with its figures, the evidence, and the command that repeats it. The kinds of
 * reasons, and their order. */
#include "analysis/words/words.h"
#include "gate/decide/gate_parts.h"

/* ---- names ---- */

/* Adds the test's name with what distinguishes it from others of the gate: the dialect, the test that it controls, the
 * device. */
static void gate_add_name(const struct gate *gate, const struct sample *sample, struct text *text)
{
    words_add(text, "$", sample->row.test);
    if (*sample->row.controls)
        words_add(text, " (control of $)", sample->row.controls);
    if (*store_requested_lowering(&sample->row))
        words_add(text, " by $", store_requested_lowering(&sample->row));
    if (gate->several_dialects)
        words_add(text, " [$]", sample->row.dialect);
    if (gate->several_devices) {
        words_add(text, " on $ ", sample->row.backend);
        words_add_device(text, sample);
    }
}

/* ---- lines ---- */

const struct comparison *gate_pass_of(const struct gate *gate, const struct finding *finding)
{
    const struct comparison *const passes[] = {gate->passes.first, gate->passes.again, gate->passes.other};
    for (size_t i = 0; i < COUNT(passes); i++)
        if (passes[i] && finding >= passes[i]->findings && finding < passes[i]->findings + passes[i]->finding_count)
            return passes[i];
    return gate->passes.first; /* the gate's own finding, on a rate of the first pass */
}

static void add_plain_line(const struct gate *gate, const struct gate_case *of, const struct gate_reason *reason,
                           struct text *text)
{
    const struct sample *sample = of->sample;
    gate_add_name(gate, sample, text);
    text_add(text, "  ");
    switch (reason->kind) {
    case GATE_FAULT:
    case GATE_REFUSED:
    case GATE_CUT_SHORT:
        text_add(text, "ended as %s%s", job_state_word(reason->state), reason->was_rerun ? " in a rerun" : "");
        if (*sample->row.reason && sample->row.state == reason->state)
            words_add(text, ": $", sample->row.reason);
        break;
    case GATE_INVALID: /* the state's reason has the number */
        if (*sample->row.reason && sample->row.state == JOB_INVALID)
            words_add(text, "$", sample->row.reason);
        else
            text_add(text, "%s invalid batch%s", QUANTITY_COUNT(sample->row.invalid_batches),
                     sample->row.invalid_batches == 1 ? "" : "es");
        break;
    default:
        text_add(text, "%s", reason->line ? reason->line : gate_kinds[reason->kind].meaning);
    }
    if (reason->suffices > 0)
        text_add(text, "; %s of it would do", QUANTITY_SECONDS(reason->suffices));
}

/* ---- evidence ---- */

/* How many runs of B lie beyond all runs of A, on B's side. */
static void count_beyond(const struct finding *finding, size_t *beyond, size_t *runs)
{
    const struct sample *a = finding->sample[SIDE_A], *b = finding->sample[SIDE_B];
    const struct sample_outcome *as = finding->outcome;
    const bool rose = (double)finding->count[SIDE_B] * (double)sample_size(a, as->of) >
                      (double)finding->count[SIDE_A] * (double)sample_size(b, as->of);
    double low, high, rate;
    (void)compare_range(a, as, &low, &high);
    *beyond = *runs = 0;
    for (size_t i = 0; i < b->run_count; i++) {
        if (!compare_run_rate(b, as, i, &rate))
            continue;
        *beyond += rose ? rate > high : rate < low;
        ++*runs;
    }
}

/* Whether reruns disagree: the rates of some are nearer to the first run's, those of others to the baseline's. */
static bool are_divided(const struct finding *reruns, const struct rate *first)
{
    const double before = (double)first->count[SIDE_A] / (double)first->counted[SIDE_A],
                 then = (double)first->count[SIDE_B] / (double)first->counted[SIDE_B];
    bool yes = false, no = false;
    double rate;
    for (size_t i = 0; i < reruns->sample[SIDE_B]->run_count; i++) {
        if (!compare_run_rate(reruns->sample[SIDE_B], reruns->outcome, i, &rate))
            continue;
        const bool is_like_first = then > before ? rate * rate > before * then : rate * rate <= before * then;
        yes |= is_like_first;
        no |= !is_like_first;
    }
    return yes && no;
}

/* Whether a first run shows a change that chance hardly explains. */
static bool shows_change(const struct rate *first)
{
    return first->result == RATE_CHANGED || first->result == RATE_NEW || first->result == RATE_LOST ||
           first->result == RATE_NEW_UNCONFIRMED || first->result == RATE_LOST_UNCONFIRMED;
}

bool gate_is_flaky(const struct gate_reason *reason)
{
    const struct finding *finding = reason->finding;
    if (reason->kind == GATE_NOT_CONFIRMED)
        return finding->rate ? shows_change(finding->rate) : finding->standing == STANDING_SURE;
    const bool is_open = reason->kind == GATE_UNCONFIRMED || reason->kind == GATE_NEW_UNDECIDED ||
                         reason->kind == GATE_LOST_UNDECIDED || reason->kind == GATE_UNDECIDED;
    return is_open && reason->was_rerun && reason->first && shows_change(reason->first) &&
           are_divided(finding, reason->first);
}

static void add_evidence(const struct gate *gate, const struct gate_reason *reason, struct text *text)
{
    const struct finding *finding = reason->finding;
    if (!finding)
        return;
    compare_details(gate_pass_of(gate, finding), finding, text);
    if (reason->was_rerun && finding->rate) {
        size_t beyond, runs;
        const struct rate *again = reason->again;
        if (reason->kind == GATE_NOT_CONFIRMED && !again) {
            text_add(text, "; reruns saw none");
        } else if (reason->kind == GATE_NOT_CONFIRMED) {
            text_add(text, "; reruns ");
            compare_add_factor(text, &again->ratio);
        } else if (again) {
            count_beyond(reason->finding, &beyond, &runs);
            text_add(text, "; reruns %zu of %zu", beyond, runs);
        }
    }
    if (reason->exceeds && !reason->expected) {
        words_add(text, "; $", gate->expectations->path);
        text_add(text, ":%d expects x%.3g", reason->exceeds->line, reason->exceeds->size.low);
        if (reason->exceeds->size.high > reason->exceeds->size.low)
            text_add(text, " to x%.3g", reason->exceeds->size.high);
    }
    if (reason->was_rerun_otherwise && gate_is_one_sided(finding)) {
        const uint64_t seen = reason->other ? reason->other->count[SIDE_B] : 0;
        text_add(text, "; with other draws: seen %s time%s", QUANTITY_COUNT(seen), seen == 1 ? "" : "s");
    }
}

/* ---- commands ---- */

/* As it was named on the command line, or as any machine knows it. */
static void add_device(const struct gate *gate, const struct sample *sample, struct text *text)
{
    const char *chosen = gate->several_devices ? NULL : gate->options->commands.device;
    text_add_option(text, "device", chosen);
    if (!chosen)
        words_add_device_option(text, sample);
}

void gate_add_baseline(const struct gate *gate, const struct sample *sample, const char *out, struct text *text)
{
    const struct gate_commands *commands = &gate->options->commands;
    text_add(text, "%s", commands->baseline);
    if (!out)
        text_add(text, " --runs %zu", commands->runs);
    if (sample)
        add_device(gate, sample, text);
    else
        text_add(text, " --device all");
    text_add_option(text, "db", commands->database ? commands->database : "whole.db");
    text_add_option(text, "out", out ? out : "more.db");
}

void gate_add_test(const struct sample *sample, struct text *text)
{
    LOCAL(text) word = {0};
    for (const char *c = sample->row.dialect; *c; c++)
        text_add(&word, "%c", tolower((unsigned char)*c));
    words_add(&word, ":$", *sample->row.controls ? sample->row.controls : sample->row.test);
    text_add(text, " ");
    text_add_shell_word(text, text_string(&word));
}

/* Whether to run the test again would help. */
static bool has_command(enum gate_kind kind)
{
    return gate_kinds[kind].of != GATE_NOTE && kind != GATE_MISSING && kind != GATE_NO_BASELINE &&
           kind != GATE_OTHER_KERNEL && kind != GATE_NOT_INSPECTED;
}

/* The gate that runs and judges the test again: of a farm, against the device's own baseline. */
static void add_repeat(const struct gate_commands *commands, const struct gate_case *of, struct text *text)
{
    const char *own = commands->database || !of->side[SIDE_A] ? NULL : of->side[SIDE_A]->database;
    text_add(text, "orchil gate%s", own ? "" : commands->from);
    text_add_option(text, "baseline", own);
    text_add(text, "%s", commands->repeat);
}

static void add_command(const struct gate *gate, const struct gate_case *of, const struct gate_reason *reason,
                        struct text *text)
{
    const struct gate_commands *commands = &gate->options->commands;
    const bool wants_runs =
        reason->kind == GATE_UNCONFIRMED && gate->comparison->runs[SIDE_A] < gate->comparison->options.fewest_runs;
    const char *command = wants_runs ? commands->baseline : commands->repeat;
    if (!command || !has_command(reason->kind))
        return;
    text_add(text, "%s", wants_runs || reason->kind == GATE_UNCONFIRMED ? "confirm: " : "repeat: ");
    if (!wants_runs)
        add_repeat(commands, of, text);
    if (reason->kind == GATE_UNSEEN && reason->suffices > 0 && !commands->has_length)
        text_add(text, " --time %.0f", ceil(reason->suffices));
    if (wants_runs) {
        gate_add_baseline(gate, of->sample, NULL, text);
    } else {
        add_device(gate, of->sample, text);
        text_add_option(text, "db", commands->database ? commands->database : "repeat.db");
    }
    if (!reason->finding || reason->finding->kind != FINDING_SHIFT) /* which takes all tests */
        gate_add_test(of->sample, text);
}

void gate_add_sentence(const struct gate_reason *reason, struct text *text)
{
    text_add(text, "%s%s%s%s", reason->line, *reason->evidence ? "; " : "", reason->evidence, reason->decision);
}

void gate_add_lines(struct gate *gate, const struct gate_case *of, struct gate_reason *reason)
{
    struct text text = {0};
    if (reason->finding)
        compare_line(gate_pass_of(gate, reason->finding), reason->finding, &text);
    else
        add_plain_line(gate, of, reason, &text);
    reason->line = arena_keep(&gate->arena, &text);
    if (reason->known)
        text_add(&text, "known since the baseline%s", reason->finding ? "; " : "");
    add_evidence(gate, reason, &text);
    reason->evidence = arena_keep(&gate->arena, &text);
    if (reason->finding)
        compare_add_decision(gate_pass_of(gate, reason->finding), reason->finding, &text);
    reason->decision = arena_keep(&gate->arena, &text);
    add_command(gate, of, reason, &text);
    reason->command = arena_keep(&gate->arena, &text);
}

/* ---- the kinds of reasons: their words and classes, and the section and order in which each is listed ---- */

const struct gate_kind_row gate_kinds[GATE_KIND_COUNT] = {
#define GATE_KIND_ROW(name, word, class, meaning) {word, meaning, class},
    GATE_KIND_LIST(GATE_KIND_ROW)};

enum gate_kind gate_kind_of_finding(enum finding_kind kind)
{
    static const enum gate_kind of[FINDING_KIND_COUNT] = {
        [FINDING_FORBIDDEN] = GATE_FORBIDDEN, [FINDING_CONTROL] = GATE_CONTROL, [FINDING_CLAIM] = GATE_CLAIM,
        [FINDING_SHIFT] = GATE_SHIFT,         [FINDING_NEW] = GATE_NEW,         [FINDING_LOST] = GATE_LOST,
        [FINDING_RATE] = GATE_RATE,           [FINDING_VOIDS] = GATE_VOIDS,     [FINDING_TIME] = GATE_TIME};
    return of[kind];
}

WORDS_OF(gate_class_name, enum gate_class, "soundness", "behaviour", "doubt", "note")

bool gate_kind_is_of_behaviour(enum gate_kind kind)
{
    return gate_kinds[kind].of == GATE_BEHAVIOUR || kind == GATE_UNCONFIRMED || kind == GATE_OTHER_KERNEL ||
           kind == GATE_FEW_DECIDED;
}

const struct gate_verdict_row gate_verdicts[] = {
    [GATE_PASSED] = {"passed", "PASSED", TERMINAL_GOOD, 0, 3},
    [GATE_FAILED] = {"failed", "FAILED", TERMINAL_BAD, 1, 0},
    [GATE_CHANGED] = {"changed", "CHANGED", TERMINAL_WARNING, 5, 1},
    [GATE_INCONCLUSIVE] = {"inconclusive", "INCONCLUSIVE", TERMINAL_WARNING, 3, 2},
    [GATE_INTERRUPTED] = {"interrupted", "INTERRUPTED", TERMINAL_BAD, 0, 0}};

const char *gate_verdict_name(enum gate_verdict verdict)
{
    return gate_verdicts[verdict].word;
}

enum gate_verdict gate_judge(const size_t of_class[GATE_CLASS_COUNT])
{
    return of_class[GATE_SOUNDNESS] > 0   ? GATE_FAILED
           : of_class[GATE_BEHAVIOUR] > 0 ? GATE_CHANGED
           : of_class[GATE_DOUBT] > 0     ? GATE_INCONCLUSIVE
                                          : GATE_PASSED;
}

int gate_exit_code(const struct gate *gate, const struct gate_counts *counts)
{
    size_t counting[GATE_CLASS_COUNT];
    memcpy(counting, counts->of_class, sizeof counting);
    if (gate->options->fail_on == GATE_FAIL_ON_SOUNDNESS) {
        counting[GATE_BEHAVIOUR] = 0;
        for (enum gate_kind kind = 0; kind < GATE_KIND_COUNT; kind++)
            if (gate_kinds[kind].of == GATE_DOUBT && gate_kind_is_of_behaviour(kind))
                counting[GATE_DOUBT] -= counts->of_kind[kind];
    }
    const enum gate_verdict judged = gate_judge(counting);
    const bool is_blind = judged == GATE_INCONCLUSIVE && gate->options->fail_on == GATE_FAIL_ON_INCONCLUSIVE;
    return gate_verdicts[is_blind ? GATE_FAILED : judged].exit_code;
}

void gate_add_broken(struct gate *gate, enum gate_kind kind, const struct gate_device *device, struct text *line,
                     struct text *command)
{
    ARENA_ADD(&gate->arena, gate->broken, gate->broken_count) =
        (struct gate_reason){.kind = kind,
                             .device = device,
                             .line = arena_keep(&gate->arena, line),
                             .evidence = "",
                             .decision = "",
                             .command = arena_keep(&gate->arena, command)};
    gate->counts.of_class[gate_kinds[kind].of]++;
    gate->counts.of_kind[kind]++;
}

/* A reason by its place among the cases as they were added, and what it is sorted by. */
enum { BY_SECTION, BY_AGE, BY_KIND, BY_CASE, BY_REASON, POSITION_KEYS };
struct reason_position {
    size_t keys[POSITION_KEYS];
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
    const enum gate_class class = gate_kinds[reason->kind].of;
    if (of->skipped || reason->expected)
        return GATE_IN_EXCUSED;
    if (reason->is_told)
        return GATE_IN_NONE;
    return class == GATE_NOTE && gate_is_one_sided(reason->finding) ? GATE_IN_ONE_SIDED : of_class[class];
}

static int compare_places(const void *left, const void *right)
{
    const struct reason_position *a = left, *b = right;
    for (int key = 0; key < POSITION_KEYS; key++)
        if (a->keys[key] != b->keys[key])
            return a->keys[key] < b->keys[key] ? -1 : 1;
    return 0;
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
            places[at++] = (struct reason_position){
                {choose_section(of, &of->reasons[r]), of->reasons[r].known, of->reasons[r].kind, i, r}};
    }
    SORT(places, *count, compare_places);
    return places;
}

static void count_entry(struct gate_counts *counts, const struct gate_entry *entry)
{
    const enum gate_kind kind = entry->reason->kind;
    const bool is_undecided = kind == GATE_NEW_UNDECIDED || kind == GATE_LOST_UNDECIDED || kind == GATE_UNDECIDED;
    if (gate_is_one_sided(entry->reason->finding) && gate_kinds[kind].of != GATE_SOUNDNESS)
        counts->seen_in[entry->reason->finding->spread[SIDE_B].seen_in > 0 ? SIDE_B : SIDE_A]++;
    if (entry->section == GATE_IN_EXCUSED) {
        counts->expected++;
        return;
    }
    if (entry->section == GATE_IN_NONE)
        return;
    counts->known += entry->reason->known;
    counts->of_class[gate_kinds[kind].of]++;
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
        const size_t from = i < count ? places[i].keys[BY_CASE] : i - count;
        if (moved_to[from] != none)
            continue;
        moved_to[from] = ordered;
        cases[ordered] = gate->cases[from];
        cases[ordered].reason_count = 0;
        cases[ordered++].reasons = arena_take(arena, gate->cases[from].reason_count, sizeof *cases->reasons);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t *place = places[i].keys;
        struct gate_case *of = &cases[moved_to[place[BY_CASE]]];
        struct gate_reason *reason = &of->reasons[of->reason_count++];
        *reason = gate->cases[place[BY_CASE]].reasons[place[BY_REASON]];
        gate->entries[i] = (struct gate_entry){of, reason, (enum gate_section)place[BY_SECTION]};
        count_entry(&gate->counts, &gate->entries[i]);
        count_entry(&gate->devices[of->device].counts, &gate->entries[i]);
    }
    gate->entry_count = count;
    gate->cases = cases;
}

size_t gate_section_size(const struct gate *gate, enum gate_section section)
{
    return SUM_OF(size_t, entry, gate->entries, gate->entry_count, entry->section == section);
}
