// SPDX-License-Identifier: Apache-2.0
/* A comparison as one HTML page. */
#include "analysis/compare/compare.h"
#include "analysis/page/html.h"
#include "analysis/page/plot.h"

enum { SHOWN_INTERVALS = 60, SHOWN_RATES = 4000, SHOWN_UNMATCHED = 500 };

extern const char compare_guide[]; /* analysis/page/compare.html */

static const char side_names[SIDES][2] = {"A", "B"};

/* ---- the title ---- */

/* Whether all jobs of a side are of one device and driver. */
static bool is_single(const struct side *side)
{
    return !ANY_NUMBER(size_t, i, 1, side->sample_count, !sample_same_device(&side->samples[i], &side->samples[0])) &&
           side->sample_count > 0;
}

/* A side is "NVIDIA H100, driver 580.1", if it has one; else its title. */
static void compare_page_add_title(const struct comparison *comparison, struct text *title)
{
    for (int side = 0; side < SIDES; side++) {
        const struct side *of = comparison->side[side];
        text_add(title, "%s", side == SIDE_A ? "Litmus tests: from " : " to ");
        if (is_single(of))
            text_add(title, "%s, driver %s", of->samples->row.device, of->samples->row.driver);
        else
            text_add(title, "%s", of->title);
    }
}

/* ---- rates ---- */

static const struct finding *find_finding(const struct comparison *comparison, const struct sample_pair *pair,
                                          const struct rate *rate)
{
    return FIRST_OF(finding, comparison->findings, comparison->finding_count,
                    finding->rate == rate || (finding_is_alarm(finding) && finding->outcome &&
                                              finding->sample[SIDE_A] == pair->sample[SIDE_A] &&
                                              finding->sample[SIDE_B] == pair->sample[SIDE_B] &&
                                              strcmp(finding->outcome->label, rate->outcome->label) == 0));
}

/* A rate with its pair and its finding, if it is one. */
struct placed_rate {
    const struct sample_pair *pair;
    const struct rate *rate;
    const struct finding *finding;
    size_t number; /* as it was found */
};

/* What must never appear first, and of it what is new in B; then from changed to similar. */
static size_t rank_of(const struct placed_rate *placed)
{
    static const enum rate_result order[] = {
        RATE_NEW,         RATE_LOST,     RATE_CHANGED,   RATE_NEW_UNCONFIRMED, RATE_LOST_UNCONFIRMED,
        RATE_UNCONFIRMED, RATE_NEW_RARE, RATE_LOST_RARE, RATE_UNDECIDED,       RATE_SIMILAR};
    if (placed->finding && finding_is_alarm(placed->finding))
        return (size_t)finding_age(placed->finding);
    return FINDING_AGES + INDEX_OF(result, order, COUNT(order), *result == placed->rate->result);
}

ORDERED_BY(compare_placed, const struct placed_rate, ORDER(rank_of(a), rank_of(b)) ?: ORDER(a->number, b->number))

static struct placed_rate *list_rates(const struct comparison *comparison, size_t *count)
{
    struct placed_rate *list = NULL;
    size_t room = 0;
    *count = 0;
    for (size_t i = 0; i < comparison->pair_count; i++)
        FOR_EACH(const struct rate, rate, comparison->pairs[i].rates, comparison->pairs[i].rate_count) {
            const struct placed_rate placed = {.pair = &comparison->pairs[i],
                                               .rate = rate,
                                               .finding = find_finding(comparison, &comparison->pairs[i], rate),
                                               .number = *count};
            LIST_ADD(list, *count, room) = placed;
        }
    SORT(list, *count, compare_placed);
    return list;
}

/* ---- the plot ---- */

static enum plot_tone tone_of(const struct placed_rate *placed)
{
    const struct finding *finding = placed->finding;
    return !finding || finding->kind == FINDING_UNDECIDED                    ? PLOT_PLAIN
           : finding_is_alarm(finding) || finding->standing == STANDING_SURE ? PLOT_BAD
                                                                             : PLOT_DOUBT;
}

/* A row of the plot, its texts in the arena. If one side has seen none, the ratio has only one bound; in few draws it
 * has none. */
static struct plot_row make_row(const struct comparison *comparison, const struct placed_rate *placed,
                                struct arena *arena)
{
    const struct rate *rate = placed->rate;
    const bool alone = is_single(comparison->side[SIDE_B]);
    const struct store_job_row *job = &placed->pair->sample[SIDE_B]->row;
    struct plot_row row = {.label = arena_print(arena, "%s (%s)  %s%s%s", job->test, job->dialect, rate->outcome->label,
                                                alone ? "" : " on ", alone ? "" : job->device),
                           .value = rate->ratio.ratio,
                           .low = rate->ratio.interval.low,
                           .high = rate->ratio.interval.high,
                           .tone = tone_of(placed)};
    struct text figures = {0};
    if (rate_is_one_sided(rate)) {
        row.value = NAN; /* a bound is no point */
        text_add(&figures, rate->count[SIDE_A] == 0 ? "new: " : "lost: ");
    } else if (rate->ratio.kind == STATISTICS_RATIO_IN_DRAWS) {
        row.low = 0;
        row.high = INFINITY;
    }
    if (statistics_has_interval(&rate->ratio) && isfinite(row.high))
        text_add(&figures, "x%s (%s)", HTML_RATE(row.value), HTML_INTERVAL(rate->ratio.interval));
    else
        compare_add_factor(&figures, &rate->ratio);
    row.figures = arena_keep(arena, &figures);
    return row;
}

/* Similar, and not a new outcome that must never appear. */
static bool is_folded(const struct placed_rate *placed)
{
    return placed->rate->result == RATE_SIMILAR && rank_of(placed) != FINDING_NEW_IN_B;
}

/* The rates that are folded, or the others: at most SHOWN_INTERVALS. */
static void print_some(const struct comparison *comparison, const struct placed_rate *list, size_t count, bool folded,
                       const char *title, struct text *text)
{
    LOCAL(arena) arena = {0};
    struct plot_row *rows = arena_take(&arena, SHOWN_INTERVALS, sizeof *rows);
    size_t shown = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_folded(&list[i]) != folded)
            continue;
        if (all++ < SHOWN_INTERVALS)
            rows[shown++] = make_row(comparison, &list[i], &arena);
    }
    plot_print_intervals(&(struct plot_intervals){.title = title,
                                                  .rows = rows,
                                                  .row_count = shown,
                                                  .reference = 1,
                                                  .band_low = 1 / comparison->options.tolerance,
                                                  .band_high = comparison->options.tolerance},
                         text);
    if (all > shown)
        html_add(text, "<p>And $ more: the table of all rates has them.</p>\n", QUANTITY_COUNT(all - shown));
}

/* All rates that differ; those that are similar are folded. */
static void print_ratios(const struct comparison *comparison, const struct placed_rate *list, size_t count,
                         struct text *text)
{
    const size_t folded = SUM_OF(size_t, one, list, count, is_folded(one));
    if (count == 0)
        return;
    text_add(text, "<section id=ratios>\n<h2>Ratios</h2>\n");
    if (folded == count)
        text_add(text, "<p>All rates are similar.</p>\n");
    print_some(comparison, list, count, false,
               "B's rate to A's where they differ, with 95 % intervals; the band is the tolerance", text);
    if (folded > 0) {
        html_add(text, "<details class=fold><summary>$ similar</summary>\n", QUANTITY_COUNT(folded));
        print_some(comparison, list, count, true, "B's rate to A's where they are similar", text);
        text_add(text, "</details>\n");
    }
    text_add(text, "</section>\n");
}

/* ---- all rates ---- */

static void print_rate(const struct placed_rate *placed, struct text *text)
{
    static const char *const ages[FINDING_AGES] = {"forbidden, new in B", "forbidden in both", "forbidden, in A alone"};
    const struct rate *rate = placed->rate;
    const struct sample *sample = placed->pair->sample[SIDE_B];
    const bool alarm = placed->finding && finding_is_alarm(placed->finding);
    const enum verdict verdict = sample_verdict(rate->outcome);
    const double adjusted = rate->by_runs ? rate->adjusted : rate->within_adjusted;
    html_add(text, "<tr><th scope=row>$<td><code>$</code>$<td>$", sample->row.test, rate->outcome->label,
             rate->outcome->witness ? " *" : "", verdict != VERDICT_NONE ? verdict_word(verdict) : "");
    for (int side = 0; side < SIDES; side++)
        html_add(text, "<td class=n>$", HTML_RATE_OF(rate->count[side], rate->counted[side]));
    /* As in compare_describe.c: below it, digits mean nothing. */
    const char *const p = PRINTED(HTML_NUMBER_SIZE, adjusted < 1e-12 ? "< %.0e" : "%.2g", fmax(adjusted, 1e-12));
    static const char *const signs[] = {[STATISTICS_RATIO_MEASURED] = "",
                                        [STATISTICS_RATIO_AT_LEAST] = "\u2265 ",
                                        [STATISTICS_RATIO_AT_MOST] = "\u2264 ",
                                        [STATISTICS_RATIO_IN_DRAWS] = ""};
    const struct interval interval = rate->ratio.interval;
    html_add(text, "<td class=n>$$<td class=n>", signs[rate->ratio.kind],
             isfinite(rate->ratio.ratio) ? HTML_RATE(rate->ratio.ratio) : "");
    if (rate->ratio.kind == STATISTICS_RATIO_IN_DRAWS)
        html_add(text, "in $", WORDS_COUNTED(rate->ratio.draws, "draw", "draws"));
    else if (statistics_has_interval(&rate->ratio))
        html_add(text, "$$", isfinite(interval.high) ? HTML_INTERVAL(interval) : HTML_RATE(interval.low),
                 isfinite(interval.high) ? "" : " and more");
    html_add(text, "<td class=n>$<td$>$", p, alarm ? " class=kx" : "",
             alarm ? ages[finding_age(placed->finding)] : rate_result_name(rate->result));
    html_add(text, "<td>$<td>$<td>$\n", sample->row.dialect, sample->row.device, sample->row.controls);
}

/* Changes come first, so a very long list leaves out only undecided or similar rates. */
static void print_rates(const struct comparison *comparison, const struct placed_rate *list, size_t count,
                        struct text *text)
{
    const char *const tolerance = PRINTED(32, "%.3g", comparison->options.tolerance);
    html_add(
        text,
        "<section id=all>\n<h2>All rates</h2>\n<p>Rates are per instance; a ratio is B's rate to A's, with its 95 % "
        "interval; p is corrected for all rates (Holm); changes within a factor of $ do not count. A star marks the "
        "witness of the test. At first only rates that differ are listed.</p>\n<div class=\"wide tall\" tabindex=0 role=region aria-label=Rates>"
        "<table class=\"rows data\" data-name=rates>\n<thead><tr><th data-f=Family>Test<th>Outcome<th data-f=Verdict>Verdict<th data-n>A"
        "<th data-n>B<th data-n>Ratio<th data-n>Interval<th data-n>p<th data-f=Result data-plain=similar>Result"
        "<th data-f=Dialect>Dialect<th data-f=Device>Device<th>Control of</thead>\n<tbody>\n",
        tolerance);
    for (size_t i = 0; i < count && i < SHOWN_RATES; i++)
        print_rate(&list[i], text);
    text_add(text, "</table></div>\n");
    if (count > SHOWN_RATES)
        html_add(text, "<p>And $ more, which are similar or undecided: 'orchil compare --json' has them.</p>\n",
                 QUANTITY_COUNT(count - SHOWN_RATES));
    text_add(text, "</section>\n");
}

/* ---- the rest ---- */

static void print_circumstances(const struct comparison *comparison, struct text *text)
{
    text_add(text, "<section id=circumstances>\n<h2>What else differs, and what was not compared</h2>\n");
    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < comparison->side[side]->change_count; i++) {
            html_add(text, "<p>Of $: ", side_names[side]);
            HTML_SAY(text, side_describe_change(&comparison->side[side]->changes[i], "", text));
            text_add(text, "</p>\n");
        }
    for (size_t i = 0; i < comparison->remark_count; i++) {
        text_add(text, "<p>");
        HTML_SAY(text, compare_add_remark(&comparison->remarks[i], text));
        text_add(text, "</p>\n");
    }
    if (comparison->unmatched_count == 0)
        text_add(text, "<p>Every test of either side has a match.</p>\n");
    else
        html_add(text, "<p>Without a match: $.</p>\n<ul>\n", QUANTITY_COUNT(comparison->unmatched_count));
    for (size_t i = 0; i < comparison->unmatched_count && i < SHOWN_UNMATCHED; i++) {
        text_add(text, "<li>");
        HTML_SAY(text, compare_add_unmatched(&comparison->unmatched[i], text));
        text_add(text, "</li>\n");
    }
    if (comparison->unmatched_count > SHOWN_UNMATCHED)
        html_add(text, "<li>and $ more</li>\n", QUANTITY_COUNT(comparison->unmatched_count - SHOWN_UNMATCHED));
    text_add(text, "%s</section>\n", comparison->unmatched_count > 0 ? "</ul>\n" : "");
}

void compare_print_page(const struct comparison *comparison, const struct document *document, const char *note,
                        struct text *text)
{
    LOCAL(text) title = {0};
    size_t count;
    if (!comparison) {
        html_start(text, document->title);
        page_print_answer(document, text);
        text_add(text, "</header>\n");
        html_end(text);
        return;
    }
    FREED struct placed_rate *list = list_rates(comparison, &count);
    compare_page_add_title(comparison, &title);
    html_start(text, text_string(&title));
    page_print_answer(document, text);
    text_add(text, "</header>\n<nav aria-label=\"Parts of this page\"><ul>");
    page_print_links(document, text);
    text_add(text,
             "%s%s<li><a href=\"#all\">All rates</a></li><li><a href=\"#guide\">How to read this page</a></li>"
             "</ul></nav>\n",
             count > 0 ? "<li><a href=\"#ratios\">Ratios</a></li>" : "",
             note ? "<li><a href=\"#circumstances\">What else differs</a></li>" : "");
    page_print_document(document, text);
    if (note)
        html_add(text, "<p class=note>$</p>\n", note);
    print_ratios(comparison, list, count, text);
    if (note)
        print_circumstances(comparison, text);
    print_rates(comparison, list, count, text);
    text_add(text, "%s", compare_guide);
    html_end(text);
}
