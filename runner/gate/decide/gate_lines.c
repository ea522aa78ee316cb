// SPDX-License-Identifier: Apache-2.0
/* Reasons in short lines: the outcome with its figures, the evidence, and the command that repeats
 * it. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "analysis/words/words.h"
#include "base/quantity.h"
#include "base/terminal/terminal.h"
#include "runner/gate/decide/gate_parts.h"

/* ---- names ---- */

void gate_add_name(const struct gate *gate, const struct sample *sample, struct text *text)
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

void gate_add_word(const char *word, struct text *text)
{
    static const char plain[] = "+-_.,/:@%=";
    bool is_plain = *word != '\0';
    struct text safe = {0};
    terminal_add_safe(&safe, word);
    word = text_string(&safe);
    for (const char *c = word; *c; c++)
        is_plain &= isalnum((unsigned char)*c) || strchr(plain, *c);
    text_add(text, "%s", is_plain ? "" : "'");
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            text_add(text, "'\\''");
        else
            text_add_bytes(text, c, 1);
    }
    text_add(text, "%s", is_plain ? "" : "'");
    text_release(&safe);
}

/* A control is run with its test. */
void gate_add_argument(const struct sample *sample, struct text *text)
{
    struct text word = {0};
    for (const char *c = sample->row.dialect; *c; c++)
        text_add(&word, "%c", tolower((unsigned char)*c));
    words_add(&word, ":$", *sample->row.controls ? sample->row.controls : sample->row.test);
    gate_add_word(text_string(&word), text);
    text_release(&word);
}

/* ---- lines ---- */

const struct comparison *gate_pass_of(const struct gate *gate, const struct finding *finding)
{
    const struct comparison *const passes[] = {gate->passes.first, gate->passes.again, gate->passes.other};
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
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
        text_add(text, "%s", reason->line ? reason->line : gate_kind_meaning(reason->kind));
    }
    if (reason->suffices > 0)
        text_add(text, "; %s of it would do", QUANTITY_SECONDS(reason->suffices));
}

/* ---- evidence ---- */

/* The rate of a run. False: it has no instances. */
static bool find_rate(const struct sample *sample, const struct sample_outcome *as, size_t run, double *rate)
{
    const struct sample_outcome *outcome = sample_same(sample, as);
    const uint64_t *sizes = sample_sizes(&sample->runs[run], as->of);
    const uint64_t *counts = outcome ? outcome->counts[run] : NULL;
    uint64_t seen = 0, size = 0;
    for (size_t i = 0; i < sample->runs[run].batch_count; i++) {
        seen += counts ? counts[i] : 0;
        size += sizes[i];
    }
    *rate = (double)seen / (double)size;
    return size > 0;
}

/* How many runs of B lie beyond all runs of A, on B's side. */
static void count_beyond(const struct finding *finding, size_t *beyond, size_t *runs)
{
    const struct sample *a = finding->sample[SIDE_A], *b = finding->sample[SIDE_B];
    const struct sample_outcome *as = finding->outcome;
    const bool rose = (double)finding->count[SIDE_B] * (double)sample_size(a, as->of) >
                      (double)finding->count[SIDE_A] * (double)sample_size(b, as->of);
    double low = INFINITY, high = 0, rate;
    for (size_t i = 0; i < a->run_count; i++) {
        if (!find_rate(a, as, i, &rate))
            continue;
        low = fmin(low, rate);
        high = fmax(high, rate);
    }
    *beyond = *runs = 0;
    for (size_t i = 0; i < b->run_count; i++) {
        if (!find_rate(b, as, i, &rate))
            continue;
        *beyond += rose ? rate > high : rate < low;
        ++*runs;
    }
}

static void add_reruns(const struct gate_reason *reason, struct text *text)
{
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

static void add_evidence(const struct gate *gate, const struct gate_reason *reason, struct text *text)
{
    const struct finding *finding = reason->finding;
    if (!finding)
        return;
    compare_details(gate_pass_of(gate, finding), finding, text);
    if (reason->was_rerun && finding->rate)
        add_reruns(reason, text);
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

static void add_command(const struct gate *gate, const struct gate_case *of, const struct gate_reason *reason,
                        struct text *text)
{
    const struct gate_commands *commands = &gate->options->commands;
    const bool wants_runs =
        reason->kind == GATE_UNCONFIRMED && gate->comparison->runs[SIDE_A] < gate->comparison->options.fewest_runs;
    const char *command = wants_runs ? commands->baseline : commands->repeat;
    if (!command || gate_kind_class(reason->kind) == GATE_NOTE || reason->kind == GATE_MISSING ||
        reason->kind == GATE_OTHER_KERNEL || reason->kind == GATE_NOT_INSPECTED)
        return;
    text_add(text, "%s%s", wants_runs || reason->kind == GATE_UNCONFIRMED ? "confirm: " : "repeat: ", command);
    if (reason->kind == GATE_UNSEEN && reason->suffices > 0 && !commands->has_length)
        text_add(text, " --time %.0f", ceil(reason->suffices));
    if (reason->finding && reason->finding->kind == FINDING_SHIFT)
        return; /* takes all tests */
    text_add(text, " ");
    gate_add_argument(of->sample, text);
}

void gate_add_lines(struct gate *gate, const struct gate_case *of, struct gate_reason *reason)
{
    struct text text = {0};
    if (reason->finding)
        compare_line(gate_pass_of(gate, reason->finding), reason->finding, &text);
    else
        add_plain_line(gate, of, reason, &text);
    reason->line = arena_copy(&gate->arena, text_string(&text));
    text_clear(&text);
    add_evidence(gate, reason, &text);
    reason->evidence = arena_copy(&gate->arena, text_string(&text));
    text_clear(&text);
    add_command(gate, of, reason, &text);
    reason->command = arena_copy(&gate->arena, text_string(&text));
    text_release(&text);
}
