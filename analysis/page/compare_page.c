// SPDX-License-Identifier: Apache-2.0
/* A comparison as one HTML page. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/compare/compare.h"
#include "analysis/page/html.h"
#include "analysis/page/plot.h"
#include "analysis/words/words.h"
#include "base/quantity.h"

enum { SHOWN_FINDINGS = 200, SHOWN_INTERVALS = 60, SHOWN_RATES = 4000, SHOWN_UNMATCHED = 500 };

extern const char compare_guide[]; /* analysis/page/compare.html */

static const char side_names[SIDES][2] = {"A", "B"};

/* ---- the first screen ---- */

static const struct {
    const char *id, *tile;
    const char *class; /* of its tile if it has findings */
} sections[COMPARE_SECTIONS] = {
    [COMPARE_FORBIDDEN] = {"forbidden", NULL, "bad"}, /* two tiles of its own */
    [COMPARE_STATES] = {"states", "tests whose jobs ended differently", "doubt"},
    [COMPARE_KEPT] = {"kept", "tests that a compiler kept on one side only", "doubt"},
    [COMPARE_CHANGED] = {"changed", "changes: outcomes new or lost, rates", "doubt"},
    [COMPARE_UNCONFIRMED] = {"unconfirmed", "changes unconfirmed: too few runs to be sure", "doubt"},
    [COMPARE_UNDECIDED] = {"undecided", "undecided: chance may explain them", "doubt"},
};

static void print_alarm_tiles(const struct comparison *comparison, struct text *text)
{
    size_t of_age[FINDING_AGES] = {0};
    for (size_t i = 0; i < comparison->finding_count; i++)
        if (finding_is_alarm(&comparison->findings[i]))
            of_age[finding_age(&comparison->findings[i])]++;
    const size_t news = of_age[FINDING_NEW_IN_B], others = of_age[FINDING_IN_BOTH] + of_age[FINDING_IN_A_ALONE];
    html_add(text, "<li class=$><b>$</b>outcomes that must never be seen, new in B</li>\n", news > 0 ? "bad" : "good",
             QUANTITY_COUNT(news));
    html_add(text, "<li class=$><b>$</b>that A showed too, or A alone</li>\n", others > 0 ? "bad" : "good",
             QUANTITY_COUNT(others));
}

static void print_side(const struct comparison *comparison, int side, struct text *text)
{
    const struct side *of = comparison->side[side];
    html_add(text, "<b>$</b> is $ ($ jobs", side_names[side], of->title, QUANTITY_COUNT(of->job_count));
    bool single = of->sample_count > 0;
    for (size_t i = 1; i < of->sample_count; i++)
        single &= strcmp(of->samples[i].row.device, of->samples[0].row.device) == 0 &&
                  strcmp(of->samples[i].row.backend, of->samples[0].row.backend) == 0 &&
                  strcmp(of->samples[i].row.driver, of->samples[0].row.driver) == 0;
    if (single)
        html_add(text, "; $, $ $", of->samples[0].row.device, of->samples[0].row.backend, of->samples[0].row.driver);
    text_add(text, ")");
}

/* Whether the result is open: outcomes that one side alone has seen, or too few runs to decide any
 * rate. */
static bool is_inconclusive(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->finding_count; i++)
        if (comparison->findings[i].kind != FINDING_UNDECIDED)
            return true;
    const struct compare_extent extent = compare_extent(comparison);
    return comparison->runs[SIDE_A] < comparison->options.fewest_runs || extent.compared == 0 ||
           extent.other_kernels > 0;
}

/* The style class of the worst result. */
static const char *find_class(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->finding_count; i++)
        if (finding_fails(&comparison->findings[i]))
            return "bad";
    return is_inconclusive(comparison) ? "doubt" : "good";
}

static void print_runs(const struct comparison *comparison, struct text *text)
{
    const size_t runs = comparison->runs[SIDE_A], fewest = comparison->options.fewest_runs;
    if (runs < fewest)
        html_add(text,
                 "<p class=note>A has $ $. orchil needs $ to know how much runs of one driver vary, so it cannot "
                 "confirm any rate change here.</p>\n",
                 QUANTITY_COUNT(runs), runs == 1 ? "run" : "runs", QUANTITY_COUNT(fewest));
}

static void print_lead(const struct comparison *comparison, struct text *text)
{
    struct text answer = {0};
    compare_print_answer(comparison, &answer);
    html_add(text, "<p class=\"lead $\"><b>$</b></p>\n<p class=asked>", find_class(comparison), text_string(&answer));
    text_release(&answer);
    for (int side = 0; side < SIDES; side++) {
        print_side(comparison, side, text);
        text_add(text, ". ");
    }
    text_add(text, "</p>\n");
    print_runs(comparison, text);
    text_add(text, "<ul class=tiles>\n");
    print_alarm_tiles(comparison, text);
    for (enum compare_section i = COMPARE_FORBIDDEN + 1; i < COMPARE_SECTIONS; i++) {
        const size_t count = compare_count(comparison, i);
        const bool decided = i < COMPARE_CHANGED || comparison->runs[SIDE_A] >= comparison->options.fewest_runs;
        html_add(text, "<li class=$><b>$</b>$</li>\n",
                 count > 0 ? sections[i].class
                 : decided ? "good"
                           : "plain",
                 QUANTITY_COUNT(count), sections[i].tile);
    }
    html_add(text, "<li><b>$</b>rates similar</li>\n</ul>\n", QUANTITY_COUNT(comparison->results[RATE_SIMILAR]));
}

/* ---- findings ---- */

/* A finding as a row of a plot, its texts in the arena. If one side has seen none, the ratio has
 * only one bound. */
static struct plot_row make_row(const struct finding *finding, size_t index, struct arena *arena)
{
    const struct rate *rate = finding->rate;
    struct plot_row row = {.label =
                               arena_print(arena, "%s  %s", finding->sample[SIDE_B]->row.test, rate->outcome->label),
                           .anchor = arena_print(arena, "f%zu", index),
                           .value = rate->ratio.ratio,
                           .low = rate->ratio.interval.low,
                           .high = rate->ratio.interval.high,
                           .tone = finding->kind == FINDING_UNDECIDED   ? PLOT_PLAIN
                                   : finding->standing == STANDING_SURE ? PLOT_BAD
                                                                        : PLOT_DOUBT};
    struct text figures = {0};
    if (finding->kind == FINDING_NEW) {
        row.value = row.high = INFINITY;
        text_add(&figures, "new: x%.3g or more", row.low);
    } else if (finding->kind == FINDING_LOST) {
        row.value = row.low = 0;
        text_add(&figures, "lost: x%.3g or less", row.high);
    } else {
        compare_add_factor(&figures, row.value, rate->ratio.interval);
    }
    row.figures = arena_copy(arena, text_string(&figures));
    text_release(&figures);
    return row;
}

static size_t list_intervals(const struct comparison *comparison, enum compare_section section, struct arena *arena,
                             struct plot_row rows[SHOWN_INTERVALS])
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->finding_count && count < SHOWN_INTERVALS; i++) {
        const struct finding *finding = &comparison->findings[i];
        if (finding->rate && compare_section_of(finding) == section)
            rows[count++] = make_row(finding, i, arena);
    }
    return count;
}

static void print_intervals(const struct comparison *comparison, enum compare_section section, struct text *text)
{
    struct arena arena = {0};
    struct plot_row *rows = arena_take(&arena, SHOWN_INTERVALS, sizeof *rows);
    const double tolerance = comparison->options.tolerance;
    const struct plot_intervals plot = {.title = "B's rate to A's, with 95 % intervals; the band is the tolerance",
                                        .rows = rows,
                                        .row_count = list_intervals(comparison, section, &arena, rows),
                                        .reference = 1,
                                        .band_low = 1 / tolerance,
                                        .band_high = tolerance};
    plot_print_intervals(&plot, text);
    arena_release(&arena);
}

/* The line, its evidence, and all figures, folded. */
static void print_finding(const struct comparison *comparison, size_t index, struct text *text)
{
    const struct finding *finding = &comparison->findings[index];
    struct text line = {0}, details = {0}, sentence = {0};
    compare_line(comparison, finding, &line);
    compare_details(comparison, finding, &details);
    compare_describe(comparison, finding, &sentence);
    text_add(text, "<li id=f%zu>", index);
    html_add(text, "<details><summary>$<span class=tag>$</span> $", finding_is_alarm(finding) ? "\u2716 " : "",
             compare_severity(finding), text_string(&line));
    if (details.size > 0)
        html_add(text, "<small>$</small>", text_string(&details));
    html_add(text, "</summary><p>$</p></details></li>\n", text_string(&sentence));
    text_release(&sentence);
    text_release(&details);
    text_release(&line);
}

static void print_section(const struct comparison *comparison, enum compare_section section, struct text *text)
{
    size_t count = 0;
    if (compare_count(comparison, section) == 0)
        return;
    html_add(text, "<section id=$>\n<h2>$</h2>\n", sections[section].id, compare_titles[section]);
    print_intervals(comparison, section, text);
    text_add(text, "<ul class=findings>\n");
    for (size_t i = 0; i < comparison->finding_count; i++)
        if (compare_section_of(&comparison->findings[i]) == section && count++ < SHOWN_FINDINGS)
            print_finding(comparison, i, text);
    text_add(text, "</ul>\n");
    if (count > SHOWN_FINDINGS)
        html_add(text, "<p>And $ more: 'orchil compare --verbose' prints them all.</p>\n",
                 QUANTITY_COUNT(count - SHOWN_FINDINGS));
    text_add(text, "</section>\n");
}

/* ---- all rates ---- */

static void print_rate(const struct sample_pair *pair, const struct rate *rate, struct text *text)
{
    const struct sample *sample = pair->sample[SIDE_B];
    const enum verdict verdict = sample_verdict(rate->outcome);
    const double adjusted = rate->by_runs ? rate->adjusted : rate->within_adjusted;
    char buffer[HTML_NUMBER_SIZE], low[HTML_NUMBER_SIZE], high[HTML_NUMBER_SIZE], p[HTML_NUMBER_SIZE];
    html_add(text, "<tr><th scope=row>$<td><code>$</code>$<td>$", sample->row.test, rate->outcome->label,
             rate->outcome->witness ? " *" : "", verdict != VERDICT_NONE ? verdict_word(verdict) : "");
    for (int side = 0; side < SIDES; side++)
        html_add(text, "<td class=n>$", HTML_RATE_OF(rate->count[side], rate->counted[side]));
    (void)snprintf(buffer, sizeof buffer, "%.3g", rate->ratio.ratio);
    (void)snprintf(low, sizeof low, "%.3g", rate->ratio.interval.low);
    (void)snprintf(high, sizeof high, "%.3g", rate->ratio.interval.high);
    /* As in compare_describe.c: below it, digits mean nothing. */
    (void)snprintf(p, sizeof p, adjusted < 1e-12 ? "< %.0e" : "%.2g", fmax(adjusted, 1e-12));
    html_add(text, "<td class=n>$<td class=n>$ $ $<td class=n>$<td>$", isfinite(rate->ratio.ratio) ? buffer : "", low,
             isfinite(rate->ratio.interval.high) ? "to" : "and more", isfinite(rate->ratio.interval.high) ? high : "",
             p, rate_result_name(rate->result));
    html_add(text, "<td>$<td>$<td>$\n", sample->row.dialect, sample->row.device, sample->row.controls);
}

/* Changes come first, so a very long list leaves out only undecided or similar rates. */
static void print_rates(const struct comparison *comparison, struct text *text)
{
    static const enum rate_result order[] = {
        RATE_NEW,         RATE_LOST,     RATE_CHANGED,   RATE_NEW_UNCONFIRMED, RATE_LOST_UNCONFIRMED,
        RATE_UNCONFIRMED, RATE_NEW_RARE, RATE_LOST_RARE, RATE_UNDECIDED,       RATE_SIMILAR};
    size_t count = 0;
    char tolerance[32];
    (void)snprintf(tolerance, sizeof tolerance, "%.3g", comparison->options.tolerance);
    html_add(
        text,
        "<section id=all>\n<h2>All rates</h2>\n<p>Rates are per instance; a ratio is B's rate to A's, with its 95 % "
        "interval; p is corrected for all rates (Holm); changes within a factor of $ do not count. A star marks the "
        "witness of the test.</p>\n<div class=\"wide tall\" tabindex=0 role=region aria-label=Rates>"
        "<table class=rows>\n<thead><tr><th data-f=Family>Test<th>Outcome<th data-f=Verdict>Verdict<th data-n>A"
        "<th data-n>B<th data-n>Ratio<th data-n>Interval<th data-n>p<th data-f=Result>Result"
        "<th data-f=Dialect>Dialect<th data-f=Device>Device<th>Control of</thead>\n<tbody>\n",
        tolerance);
    for (size_t o = 0; o < sizeof order / sizeof *order; o++)
        for (size_t i = 0; i < comparison->pair_count; i++)
            for (size_t r = 0; r < comparison->pairs[i].rate_count; r++)
                if (comparison->pairs[i].rates[r].result == order[o] && count++ < SHOWN_RATES)
                    print_rate(&comparison->pairs[i], &comparison->pairs[i].rates[r], text);
    text_add(text, "</table></div>\n");
    if (count > SHOWN_RATES)
        html_add(text, "<p>And $ more, which are similar or undecided: 'orchil compare --json' has them.</p>\n",
                 QUANTITY_COUNT(count - SHOWN_RATES));
    text_add(text, "</section>\n");
}

/* ---- the rest ---- */

static void print_likeness(const struct comparison *comparison, struct text *text)
{
    char similarity[HTML_NUMBER_SIZE];
    if (comparison->fingerprint_count == 0)
        return;
    text_add(
        text,
        "<section id=likeness>\n<h2>Similarity of the weak outcomes</h2>\n<p>The cosine between the rates of all weak "
        "outcomes: 1 is equal, 0 has nothing in common.</p>\n<ul>\n");
    for (size_t i = 0; i < comparison->fingerprint_count; i++) {
        const struct fingerprint *print = &comparison->fingerprints[i];
        const struct sample *a = print->sample[SIDE_A], *b = print->sample[SIDE_B];
        (void)snprintf(similarity, sizeof similarity, "%.4f", print->similarity);
        html_add(text, "<li>$ with driver $, and $ with driver $: $, over $ tests</li>\n", a->row.device, a->row.driver,
                 b->row.device, b->row.driver,
                 isnan(print->similarity) ? "not known, a side has seen none" : similarity,
                 QUANTITY_COUNT(print->tests));
    }
    text_add(text, "</ul>\n</section>\n");
}

static void print_circumstances(const struct comparison *comparison, struct text *text)
{
    text_add(text, "<section id=circumstances>\n<h2>What else differs, and what was not compared</h2>\n");
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < comparison->side[side]->change_count; i++) {
            struct text sentence = {0};
            side_describe_change(&comparison->side[side]->changes[i], "", &sentence);
            html_add(text, "<p>Of $: $</p>\n", side_names[side], text_string(&sentence));
            text_release(&sentence);
        }
    }
    for (size_t i = 0; i < comparison->remark_count; i++) {
        const struct remark *remark = &comparison->remarks[i];
        html_add(text, "<p>The $ differs (tests: $): ", remark->what, QUANTITY_COUNT(remark->tests));
        if (remark->so)
            html_add(text, "$.</p>\n", remark->so);
        else
            html_add(text, "in A $, in B $.</p>\n", *remark->value[SIDE_A] ? remark->value[SIDE_A] : "none",
                     *remark->value[SIDE_B] ? remark->value[SIDE_B] : "none");
    }
    if (comparison->unmatched_count == 0)
        text_add(text, "<p>Every test of either side has a match.</p>\n");
    else
        html_add(text, "<p>Without a match: $.</p>\n<ul>\n", QUANTITY_COUNT(comparison->unmatched_count));
    for (size_t i = 0; i < comparison->unmatched_count && i < SHOWN_UNMATCHED; i++) {
        const struct unmatched *lone = &comparison->unmatched[i];
        struct text name = {0};
        words_add_test(&name, lone->sample);
        html_add(text, "<li>$, only in $: $</li>\n", text_string(&name), side_names[lone->side], lone->reason);
        text_release(&name);
    }
    if (comparison->unmatched_count > SHOWN_UNMATCHED)
        html_add(text, "<li>and $ more</li>\n", QUANTITY_COUNT(comparison->unmatched_count - SHOWN_UNMATCHED));
    text_add(text, "%s</section>\n", comparison->unmatched_count > 0 ? "</ul>\n" : "");
}

void compare_print_page(const struct comparison *comparison, struct text *text)
{
    html_start(text, "Litmus tests: what changed");
    text_add(text, "<header>\n<h1>Litmus tests: what changed from A to B</h1>\n");
    print_lead(comparison, text);
    text_add(text, "</header>\n<nav aria-label=\"Parts of this page\"><ul>");
    for (enum compare_section i = 0; i < COMPARE_SECTIONS; i++)
        if (compare_count(comparison, i) > 0)
            html_add(text, "<li><a href=\"#$\">$</a></li>", sections[i].id, compare_titles[i]);
    text_add(text, "<li><a href=\"#all\">All rates</a></li><li><a href=\"#circumstances\">What else differs</a></li>"
                   "<li><a href=\"#guide\">How to read this page</a></li></ul></nav>\n");
    for (enum compare_section i = 0; i < COMPARE_SECTIONS; i++)
        print_section(comparison, i, text);
    print_circumstances(comparison, text);
    print_rates(comparison, text);
    print_likeness(comparison, text);
    text_add(text, "%s", compare_guide);
    html_end(text);
}
