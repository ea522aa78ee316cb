// SPDX-License-Identifier: Apache-2.0
/* A finding in words: a short line says what happened, a second one how strong the evidence is, and a sentence both. */
#include "analysis/compare/compare_parts.h"
#include "analysis/words/words.h"

/* ---- figures ---- */

/* 610M, 1.2G; whole numbers below ten thousand. */
static void add_amount(struct text *text, uint64_t amount)
{
    char buffer[QUANTITY_SIZE];
    if (amount < 10000) {
        text_add(text, "%s", QUANTITY_COUNT(amount));
        return;
    }
    for (const char *at = quantity_short((double)amount, buffer); *at; at++)
        if (*at != ' ')
            text_add(text, "%c", *at);
}

/* Adds a number without zeros before the exponent: 1.5e-5; a large one in full. zeros: at the end too, as in 0.0100. */
static void add_number(struct text *text, double number, int digits, bool zeros)
{
    char buffer[32];
    (void)snprintf(buffer, sizeof buffer, zeros ? "%#.*g" : "%.*g", digits, number);
    char *exponent = strchr(buffer, 'e');
    if (exponent && exponent[1] == '+' && number < 1e12) {
        (void)snprintf(buffer, sizeof buffer, "%.0f", strtod(buffer, NULL));
    } else if (exponent) {
        char *power = exponent + 2;
        const size_t leading = strspn(power, "0");
        memmove(power, power + leading, strlen(power + leading) + 1);
    }
    text_add(text, "%s", buffer);
}

void compare_add_factor(struct text *text, const struct statistics_ratio *ratio)
{
    static const double visible = 0.005; /* of three digits */
    enum { DIGITS = 3 };
    const struct interval interval = ratio->interval;
    text_add(text, "%sx", words_ratio_bound(ratio));
    add_number(text, ratio->ratio, DIGITS, false);
    if (ratio->kind == STATISTICS_RATIO_IN_DRAWS)
        text_add(text, " in %zu draw%s", ratio->draws, ratio->draws == 1 ? "" : "s");
    if (!statistics_has_interval(ratio) || (interval.low > 0 && log(interval.high / interval.low) < visible))
        return; /* the bounds would be printed as the ratio */
    if (interval.low > 0 || isfinite(interval.high)) {
        text_add(text, " (");
        add_number(text, interval.low, DIGITS, false);
        text_add(text, " %s", isfinite(interval.high) ? "to " : "or more)");
    }
    if (isfinite(interval.high)) {
        add_number(text, interval.high, DIGITS, false);
        text_add(text, ")");
    } else if (!(interval.low > 0))
        text_add(text, " (may be anything)");
}

static void add_of(struct text *text, size_t part, size_t all, const char *what)
{
    text_add(text, "%s of %s %s%s", QUANTITY_COUNT(part), QUANTITY_COUNT(all), what, all == 1 ? "" : "s");
}

static void add_sightings(const struct finding *finding, int side, struct text *text)
{
    const struct sample_draws draws = compare_count_draws(finding->sample[side], finding->outcome->label);
    text_add(text, "%s in ", QUANTITY_COUNT(finding->count[side]));
    add_of(text, draws.seen_in, draws.count, "draw");
    text_add(text, ", ");
    add_of(text, finding->spread[side].seen_in_runs, finding->spread[side].runs, "run");
}

static void add_side(const struct finding *finding, int side, struct text *text)
{
    text_add(text, "%s ", side_names[side]);
    if (!finding->sample[side])
        text_add(text, "did not run it");
    else if (finding->count[side] == 0)
        text_add(text, "none of ");
    else
        text_add(text, "%s of ", QUANTITY_COUNT(finding->count[side]));
    if (finding->sample[side])
        add_amount(text, finding->sample[side]->counted);
}

/* ---- names ---- */

void compare_add_test(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    const int side = finding->sample[SIDE_B] ? SIDE_B : SIDE_A;
    const struct sample *sample = finding->sample[side];
    const struct side *of = comparison->side[side];
    bool dialect = false, device = false, control = false, lowering = false;
    FOR_EACH(const struct sample, other, of->samples, of->sample_count) {
        if (sample == other || strcmp(sample->row.test, other->row.test) != 0)
            continue;
        dialect |= strcmp(sample->row.dialect, other->row.dialect) != 0;
        device |= !sample_same_device(sample, other);
        control |= strcmp(sample->row.controls, other->row.controls) != 0;
        lowering |= strcmp(store_requested_lowering(&sample->row), store_requested_lowering(&other->row)) != 0;
    }
    words_add(text, "$", sample->row.test);
    if (control && *sample->row.controls)
        words_add(text, " of $", sample->row.controls);
    if (dialect)
        words_add(text, " in $", sample->row.dialect);
    if (lowering)
        words_add(text, " by $", sample->row.lowering);
    if (device) {
        words_add(text, " on $, ", sample->row.backend);
        words_add_device(text, sample);
    }
    text_add(text, "  ");
}

/* ---- the line ---- */

void compare_add_reproach(const struct finding *finding, struct text *text)
{
    if (finding->kind == FINDING_CONTROL) {
        const struct sample *sample = finding->sample[finding->sample[SIDE_B] ? SIDE_B : SIDE_A];
        words_add(text, "seen in the control of $", sample->row.controls);
    } else if (finding->kind == FINDING_CLAIM) {
        text_add(text, "must never appear, says the test's file");
    } else {
        const struct sample_opinion *by = sample_deciding(finding->outcome);
        words_add(text, "forbidden by $ ($)", by->model, by->axiom);
    }
}

static void add_alarm(const struct finding *finding, struct text *text)
{
    compare_add_reproach(finding, text);
    text_add(text, ": ");
    const int first = finding->count[SIDE_B] > 0 ? SIDE_B : SIDE_A;
    add_side(finding, first, text);
    if (finding->sample[1 - first]) {
        text_add(text, "; ");
        add_side(finding, 1 - first, text);
    }
}

static void add_presence(const struct finding *finding, struct text *text)
{
    const int seen = finding->kind == FINDING_NEW ? SIDE_B : SIDE_A;
    text_add(text, seen == SIDE_B ? "new: " : "lost: ");
    add_sightings(finding, seen, text);
    text_add(text, "; ");
    add_side(finding, 1 - seen, text);
}

/* The rate of the batches that the ratio is computed from. */
static double rate_used(const struct rate *rate, int side)
{
    const bool used = rate->measure.size[side] > 0;
    return (double)(used ? rate->measure.count[side] : rate->count[side]) /
           (used ? rate->measure.size[side] : (double)rate->counted[side]);
}

/* The rates of the batches that the ratio is computed from. */
static void add_rates(const struct rate *rate, double confidence, struct text *text)
{
    text_add(text, "rate ");
    compare_add_factor(text, &rate->ratio);
    for (int side = 0; side < SIDES; side++) {
        const bool used = rate->measure.size[side] > 0 && !rate_is_one_sided(rate);
        const uint64_t count = used ? rate->measure.count[side] : rate->count[side];
        const double counted = used ? rate->measure.size[side] : (double)rate->counted[side];
        text_add(text, "%s%s", side == SIDE_A ? "  " : " -> ", count > 0 ? "" : "< ");
        add_number(text, count > 0 ? (double)count / counted : statistics_zero_bound((uint64_t)counted, confidence), 3,
                   true);
    }
}

static void add_percent(struct text *text, double share)
{
    text_add(text, "%.*g%s", share > 0.99 ? 6 : 3, 100 * share, share > 0 ? " %" : ""); /* 99.999 is not 100 */
}

static void add_time(struct text *text, double nanoseconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    for (; nanoseconds >= 999.5 && unit + 1 < COUNT(units); unit++)
        nanoseconds /= 1000;
    text_add(text, "%.3g %s", nanoseconds, units[unit]);
}

/* Adds the value of a share on a side: "90 %", "0.05 ns". */
static void compare_add_share(struct text *text, const struct rate *rate, int side)
{
    (rate->outcome->of == SAMPLE_TIME ? add_time : add_percent)(text, rate_used(rate, side));
}

static void add_shares(const struct rate *rate, struct text *text)
{
    if (rate->outcome->of == SAMPLE_TIME) {
        text_add(text, "%s ", rate->outcome->label);
        compare_add_factor(text, &rate->ratio);
        text_add(text, "  ");
    } else
        words_add(text, "void instances ($): ", rate->outcome->label + strlen(SAMPLE_VOID_LABEL));
    compare_add_share(text, rate, SIDE_A);
    text_add(text, " -> ");
    compare_add_share(text, rate, SIDE_B);
}

struct statistics_ratio shift_ratio(const struct shift *shift)
{
    return statistics_decided_ratio(shift->log_ratio, &shift->decision);
}

void compare_line(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    const struct statistics_ratio shifted = shift_ratio(&comparison->shift);
    if (finding->kind != FINDING_SHIFT)
        compare_add_test(comparison, finding, text);
    if (finding->outcome && finding->outcome->of == SAMPLE_OUTCOME)
        words_add(text, "$  ", finding->outcome->label);
    switch (finding->kind) {
    case FINDING_FORBIDDEN:
    case FINDING_CONTROL:
    case FINDING_CLAIM:
        add_alarm(finding, text);
        break;
    case FINDING_STATE:
        text_add(text, "%s (A %s)", job_state_word(finding->sample[SIDE_B]->row.state),
                 job_state_word(finding->sample[SIDE_A]->row.state));
        break;
    case FINDING_KEPT:
        text_add(text, "%s (A %s)", kept_word(finding->sample[SIDE_B]->row.kept),
                 kept_word(finding->sample[SIDE_A]->row.kept));
        break;
    case FINDING_SHIFT:
        text_add(text, "all weak rates ");
        compare_add_factor(text, &shifted);
        break;
    case FINDING_NEW:
    case FINDING_LOST:
        add_presence(finding, text);
        break;
    case FINDING_RATE:
    case FINDING_UNDECIDED:
        add_rates(finding->rate, comparison->options.confidence, text);
        break;
    case FINDING_VOIDS:
    case FINDING_TIME:
        add_shares(finding->rate, text);
        break;
    case FINDING_KIND_COUNT:
        break;
    }
}

/* ---- the second line ---- */

/* The text, in which another part of the line that began at `start` begins. */
static struct text *add_part(struct text *text, size_t start)
{
    text_add(text, "%s", text->size > start ? "; " : "");
    return text;
}

static void detail_runs(const struct finding *finding, size_t start, struct text *text)
{
    static const double notable = 1.05; /* below it runs are similar */
    const struct statistics_measure *measure = &finding->rate->measure;
    const bool on_both = finding->count[SIDE_A] > 0 && finding->count[SIDE_B] > 0;
    for (int side = 0; side < SIDES && on_both; side++) {
        if (measure->runs[side] < 2 || !(measure->span[side] >= notable) || isinf(measure->span[side]))
            continue;
        text_add(add_part(text, start), "runs of %s differ by up to x%.2g", side_names[side], measure->span[side]);
    }
    text_add(add_part(text, start), "%zu against %zu run%s%s", measure->runs[SIDE_A], measure->runs[SIDE_B],
             measure->runs[SIDE_B] == 1 ? "" : "s", measure->paired ? ", draw by draw" : "");
}

/* Adds the bounds of an outcome that was not seen: "B below 2.5e-9 per instance if the chance is the same everywhere;
 * none of 60 draws showed it, so fewer than 5 % do". There are two, because the chance may be much larger in draws that
 * were not tried. */
static void detail_silence(const struct comparison *comparison, const struct finding *finding, size_t start,
                           struct text *text)
{
    const int silent = finding->kind == FINDING_NEW ? SIDE_A : SIDE_B;
    text_add(add_part(text, start), "%s below ", side_names[silent]);
    const struct sample_draws draws = compare_count_draws(finding->sample[silent], finding->outcome->label);
    const double share = fmin(100, 100 * statistics_zero_bound(draws.count, comparison->options.confidence));
    add_number(text, statistics_zero_bound(finding->sample[silent]->counted, comparison->options.confidence), 2, false);
    text_add(text, " per instance if the chance is the same everywhere; none of %s showed it",
             WORDS_COUNTED(draws.count, "draw", "draws"));
    if (draws.count > 1)
        text_add(text, ", so fewer than %.2g %% do", share);
}

static double home_rate(const struct sample_home *home)
{
    return home->counted > 0 ? (double)home->witnesses / (double)home->counted : 0;
}

/* For witnesses of a test that several devices play: the places of its locations with the most sightings, on each
 * side. */
static void detail_homes(const struct finding *finding, size_t start, struct text *text)
{
    for (int side = 0; side < SIDES; side++) {
        const struct sample *sample = finding->sample[side];
        const struct sample_home *most = NULL;
        for (size_t i = 0; sample && i < sample->home_count; i++)
            if (!most || home_rate(&sample->homes[i]) > home_rate(most))
                most = &sample->homes[i];
        if (!most || !finding->outcome || !finding->outcome->witness || most->witnesses == 0)
            continue;
        words_add(add_part(text, start), "most of $ at $: ", side_names[side], most->homes);
        add_number(text, home_rate(most), 2, false);
    }
}

static void detail_rate(const struct comparison *comparison, const struct finding *finding, size_t start,
                        struct text *text)
{
    static const double notable_lag = 0.2;
    const struct rate *rate = finding->rate;
    if (finding->standing == STANDING_UNCONFIRMED) {
        /* Why the runs do not decide. */
        const size_t runs = rate->measure.runs[SIDE_A], fewest = comparison->options.fewest_runs;
        if (finding->pair && finding->pair->load > 0)
            text_add(text, "unconfirmed: other programs kept the processor busy (load %.1f)", finding->pair->load);
        else if (runs < fewest)
            text_add(text, "unconfirmed: A has %zu run%s, needs %zu", runs, runs == 1 ? "" : "s", fewest);
        else if (rate->by_runs)
            text_add(text, "unconfirmed: likely, but more runs are needed to be sure");
        else
            text_add(text, "unconfirmed: too few runs with equal draws to know how much runs differ");
    } else if (finding->standing == STANDING_UNDECIDED)
        text_add(text, "%s", finding->pair->kernels == KERNELS_DIFFER ? "the kernel differs" : "chance may explain it");
    if (finding->standing != STANDING_UNCONFIRMED || rate->by_runs)
        detail_runs(finding, start, text);
    if (rate->measure.lag >= notable_lag)
        text_add(add_part(text, start), "successive batches are correlated (%.2g)", rate->measure.lag);
    if (finding->kind == FINDING_NEW || finding->kind == FINDING_LOST)
        detail_silence(comparison, finding, start, text);
    detail_homes(finding, start, text);
}

/* How the alarm is to be taken. */
static void qualify_alarm(const struct finding *finding, size_t start, struct text *text)
{
    if (finding->excused)
        text_add(add_part(text, start), "not promised by this device");
    detail_homes(finding, start, text);
    const struct store_job_row *row = &finding->sample[finding->count[SIDE_B] > 0 ? SIDE_B : SIDE_A]->row;
    if (row->kept == TEST_NOT_KEPT)
        words_add(add_part(text, start), "suspect the compiler first: the compiled code is not the test: $",
                  row->kept_reason);
}

static void detail_alarm(const struct finding *finding, size_t start, struct text *text)
{
    for (int side = SIDES - 1; side >= 0; side--) {
        if (finding->count[side] == 0)
            continue;
        text_add(add_part(text, start), "%s ", side_names[side]);
        add_sightings(finding, side, text);
    }
    qualify_alarm(finding, start, text);
}

/* Why the jobs ended as they did, or why their code is not the test. */
static void detail_reasons(const struct finding *finding, size_t start, struct text *text)
{
    for (int side = SIDES - 1; side >= 0; side--) {
        const struct store_job_row *row = &finding->sample[side]->row;
        const char *reason = finding->kind == FINDING_KEPT ? row->kept_reason : row->reason;
        if (*reason)
            words_add(add_part(text, start), "$: $", side_names[side], reason);
    }
}

void compare_details(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    const size_t start = text->size;
    if (finding->rate)
        detail_rate(comparison, finding, start, text);
    else if (finding->kind == FINDING_SHIFT) {
        const struct shift *shift = &comparison->shift;
        text_add(text, "%zu against %zu run%s", comparison->runs[SIDE_A], comparison->runs[SIDE_B],
                 comparison->runs[SIDE_B] == 1 ? "" : "s");
        text_add(add_part(text, start), "%zu rate%s moved with %s", shift->moved, shift->moved == 1 ? "" : "s",
                 shift->moved == 1 ? "it" : "them");
    } else if (finding->kind == FINDING_STATE || finding->kind == FINDING_KEPT)
        detail_reasons(finding, start, text);
    else if (finding->outcome)
        detail_alarm(finding, start, text);
}

void compare_reservations(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    if (finding_is_alarm(finding))
        qualify_alarm(finding, text->size, text);
    else
        compare_details(comparison, finding, text);
}

/* ---- the sentence ---- */

void compare_add_decision(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    if (finding->kind == FINDING_NEW || finding->kind == FINDING_LOST)
        text_add(text, "; at %s's rate %s would have seen it %.3g times", finding->kind == FINDING_NEW ? "B" : "A",
                 finding->kind == FINDING_NEW ? "A" : "B", finding->rate->expected);
    if (finding->rate && finding->kind != FINDING_UNDECIDED) {
        static const double least = 1e-12; /* below it the digits of an approximation mean nothing */
        const double p = finding->rate->by_runs ? finding->rate->adjusted : finding->rate->within_adjusted;
        text_add(text, p < least ? "; p below %.0e" : "; p = %.2g", fmax(p, least));
        if (finding->rate->by_runs)
            text_add(text, " after correction (t over runs, %.3g degrees of freedom)", finding->rate->decision.freedom);
        else
            text_add(text, " after correction (%s)", statistics_method_name(finding->rate->within.method));
    } else if (finding->kind == FINDING_SHIFT)
        text_add(text, "; p = %.2g after correction", comparison->shift.adjusted);
}

void compare_describe(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    LOCAL(text) details = {0};
    compare_line(comparison, finding, text);
    compare_details(comparison, finding, &details);
    text_add(text, "%s%s", details.size > 0 ? "; " : "", text_string(&details));
    compare_add_decision(comparison, finding, text);
}
