// SPDX-License-Identifier: Apache-2.0
/* Reasons in short lines: the outcome with its figures, what to weigh them by, and the command that shows it again. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "analysis/gate/gate_parts.h"
#include "analysis/page/words.h"
#include "base/quantity.h"

/* ---- names ---- */

void gate_add_name(const struct gate *gate, const struct sample *sample, struct text *text)
{
    words_add(text, "$", sample->row.test);
    if (*sample->row.controls)
        words_add(text, " (control of $)", sample->row.controls);
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
    for (const char *c = word; *c; c++)
        is_plain &= isalnum((unsigned char)*c) || strchr(plain, *c);
    if (is_plain) {
        text_add(text, "%s", word);
        return;
    }
    text_add(text, "'");
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            text_add(text, "'\\''");
        else
            text_add_bytes(text, c, 1);
    }
    text_add(text, "'");
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

/* ---- figures ---- */

/* "1.5e-4", "0.25". */
static void add_rate(uint64_t count, uint64_t counted, struct text *text)
{
    const double rate = counted > 0 ? (double)count / (double)counted : 0;
    if (rate >= 0.01 || rate <= 0) {
        text_add(text, "%.2g", rate);
        return;
    }
    const int exponent = (int)floor(log10(rate) + 1e-9);
    const double digits = round(rate * pow(10, -exponent) * 10) / 10;
    text_add(text, "%.1fe%d", digits >= 10 ? 1.0 : digits, digits >= 10 ? exponent + 1 : exponent);
}

static void add_factor(double ratio, struct interval interval, struct text *text)
{
    text_add(text, "x%.3g ", ratio);
    if (isinf(interval.high))
        text_add(text, "(%.3g or more)", interval.low);
    else
        text_add(text, "(%.3g to %.3g)", interval.low, interval.high);
}

static void add_spread(const struct sample_spread *spread, struct text *text)
{
    text_add(text, "in %s of %s batch%s", QUANTITY_COUNT(spread->seen_in), QUANTITY_COUNT(spread->batches),
             spread->batches == 1 ? "" : "es");
    if (spread->runs > 1)
        text_add(text, " and %zu of %zu runs", spread->seen_in_runs, spread->runs);
}

static void add_sightings(const struct finding *finding, int side, struct text *text)
{
    text_add(text, "%s of %s, ", QUANTITY_COUNT(finding->count[side]),
             QUANTITY_COUNT(finding->sample[side] ? finding->sample[side]->counted : 0));
    add_spread(&finding->spread[side], text);
}

/* How many different draws a sample has: runs of equal keys and seeds repeat each other's. */
static size_t count_draws(const struct sample *sample)
{
    size_t draws = 0;
    for (size_t i = 0; i < sample->run_count; i++) {
        const struct sample_run *run = &sample->runs[i];
        size_t most = run->batch_count;
        for (size_t j = 0; j < sample->run_count; j++) {
            const struct sample_run *like = &sample->runs[j];
            if (j == i || like->key != run->key || like->row->seed != run->row->seed)
                continue;
            if (j < i)
                most = 0; /* counted with the first of them */
            else if (most > 0 && like->batch_count > most)
                most = like->batch_count;
        }
        draws += most;
    }
    return draws;
}

/* What no sighting says: a bound if all instances are alike, and one if draws are not. */
static void add_zero(const struct comparison *pass, const struct sample *sample, struct text *text)
{
    const double confidence = pass->options.confidence;
    const size_t draws = count_draws(sample);
    const double share = 1 - pow(1 - confidence, 1 / (double)draws);
    text_add(text, "none of %s (fewer than %.2g per instance if the chance is the same everywhere; 0 of %s draw%s: fewer than %.2g %% of draws show it)",
             QUANTITY_COUNT(sample->counted), statistics_zero_bound(sample->counted, confidence), QUANTITY_COUNT(draws),
             draws == 1 ? "" : "s", 100 * share);
}

/* ---- lines ---- */

static void add_alarm_line(const struct gate_reason *reason, struct text *text)
{
    const struct finding *finding = reason->finding;
    const int side = reason->kind == GATE_GONE ? SIDE_A : SIDE_B;
    if (finding->kind == FINDING_FORBIDDEN)
        words_add(text, "forbidden by $: ", finding->outcome->model);
    else
        text_add(text, "a control's witness: ");
    text_add(text, "%s", side == SIDE_A ? "in A alone, " : "");
    add_sightings(finding, side, text);
    if (finding->excused)
        text_add(text, "; not promised by this device");
}

static void add_rate_line(const struct finding *finding, struct text *text)
{
    const struct rate *rate = finding->rate;
    text_add(text, "rate ");
    add_factor(rate->ratio.ratio, rate->ratio.interval, text);
    text_add(text, "  ");
    add_rate(rate->count[SIDE_A], rate->counted[SIDE_A], text);
    text_add(text, " -> ");
    add_rate(rate->count[SIDE_B], rate->counted[SIDE_B], text);
}

static void add_finding_line(const struct gate *gate, const struct gate_reason *reason, struct text *text)
{
    const struct finding *finding = reason->finding;
    if (finding->kind == FINDING_SHIFT) {
        const struct shift *shift = &(gate->passes.again && gate->passes.again->shift.found ? gate->passes.again : gate->comparison)->shift;
        text_add(text, "all rates of weak outcomes ");
        add_factor(exp(shift->log_ratio), shift->decision.ratio, text);
        return;
    }
    words_add(text, "$  ", finding->outcome->label);
    if (finding->kind <= FINDING_CONTROL) {
        add_alarm_line(reason, text);
    } else if (finding->kind == FINDING_NEW || finding->kind == FINDING_LOST) {
        text_add(text, finding->kind == FINDING_NEW ? "new: " : "lost: A had ");
        add_sightings(finding, finding->kind == FINDING_NEW ? SIDE_B : SIDE_A, text);
    } else {
        add_rate_line(finding, text);
    }
}

static void add_plain_line(const struct gate_case *of, const struct gate_reason *reason, struct text *text)
{
    const struct sample *sample = of->sample;
    switch (reason->kind) {
    case GATE_FAULT:
    case GATE_REFUSED:
    case GATE_CUT_SHORT:
        text_add(text, "ended as %s", job_state_word(reason->state));
        if (*sample->row.reason && sample->row.state == reason->state)
            words_add(text, ": $", sample->row.reason);
        break;
    case GATE_INVALID:
        text_add(text, "%s invalid batch%s", QUANTITY_COUNT(sample->row.invalid_batches),
                 sample->row.invalid_batches == 1 ? "" : "es");
        break;
    default:
        text_add(text, "%s", gate_kind_meaning(reason->kind));
    }
    if (reason->suffices > 0)
        text_add(text, "; %s of it would do", QUANTITY_SECONDS(reason->suffices));
}

/* ---- evidence ---- */

static double rate_of_run(const struct sample *sample, const struct sample_outcome *outcome, size_t run)
{
    uint64_t seen = 0;
    for (size_t i = 0; outcome && outcome->counts[run] && i < sample->runs[run].batch_count; i++)
        seen += outcome->counts[run][i];
    return (double)seen / (double)sample->runs[run].instances;
}

/* How many runs of B lie where B does as a whole, beyond all runs of A. */
static void count_beyond(const struct finding *finding, size_t *beyond, size_t *runs)
{
    const struct sample *a = finding->sample[SIDE_A], *b = finding->sample[SIDE_B];
    const struct sample_outcome *of_a = sample_outcome(a, finding->outcome->label);
    const struct sample_outcome *of_b = sample_outcome(b, finding->outcome->label);
    const bool rose = (double)finding->count[SIDE_B] * (double)a->counted > (double)finding->count[SIDE_A] * (double)b->counted;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < a->run_count; i++) {
        if (a->runs[i].instances == 0)
            continue;
        low = fmin(low, rate_of_run(a, of_a, i));
        high = fmax(high, rate_of_run(a, of_a, i));
    }
    *beyond = *runs = 0;
    for (size_t i = 0; i < b->run_count; i++) {
        if (b->runs[i].instances == 0)
            continue;
        const double rate = rate_of_run(b, of_b, i);
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
        add_factor(again->ratio.ratio, again->ratio.interval, text);
    } else if (again) {
        count_beyond(reason->finding, &beyond, &runs);
        text_add(text, "; reruns %zu of %zu", beyond, runs);
    }
}

/* Sentences begin with "; ", which the caller takes from the first. */
static void add_evidence(const struct gate *gate, const struct gate_reason *reason, struct text *text)
{
    const struct finding *finding = reason->finding;
    const struct comparison *pass = reason->first || !finding ? gate->passes.again : gate->passes.first;
    const struct rate *rate = finding ? finding->rate : NULL;
    if (!rate || reason->kind == GATE_UNDECIDED)
        return;
    if (rate->by_runs && rate->count[SIDE_A] > 0 && rate->measure.runs[SIDE_A] > 1)
        text_add(text, "; runs of the baseline span x%.3g", rate->measure.span[STATISTICS_A]);
    if (reason->was_rerun)
        add_reruns(reason, text);
    if (reason->was_rerun_otherwise && gate_is_one_sided(finding))
        text_add(text, "; with other draws: seen %s times", QUANTITY_COUNT(reason->other ? reason->other->count[SIDE_B] : 0));
    for (int side = 0; side < SIDES && gate_is_one_sided(finding); side++) {
        if (finding->count[side] > 0)
            continue;
        text_add(text, "; %c: ", side == SIDE_A ? 'A' : 'B');
        add_zero(pass ? pass : gate->passes.first, finding->sample[side], text);
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
    if (!command || gate_kind_class(reason->kind) == GATE_NOTE || reason->kind == GATE_MISSING)
        return;
    text_add(text, "%s%s", wants_runs || reason->kind == GATE_UNCONFIRMED ? "confirm: " : "repeat: ", command);
    if (reason->kind == GATE_UNSEEN && reason->suffices > 0)
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
        add_finding_line(gate, reason, &text);
    else
        add_plain_line(of, reason, &text);
    reason->line = arena_copy(&gate->arena, text_string(&text));
    text_clear(&text);
    add_evidence(gate, reason, &text);
    reason->evidence = arena_copy(&gate->arena, text.size > 2 ? text_string(&text) + 2 : "");
    text_clear(&text);
    add_command(gate, of, reason, &text);
    reason->command = arena_copy(&gate->arena, text_string(&text));
    text_release(&text);
}
