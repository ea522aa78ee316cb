// SPDX-License-Identifier: Apache-2.0
/* A comparison as one HTML page. */
#include <math.h>

#include "analysis/compare/compare.h"
#include "analysis/page/html.h"
#include "analysis/page/plot.h"
#include "analysis/words/words.h"

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
    if (others > 0)
        html_add(text,
                 "<li class=bad><b>$</b>outcomes that must never be seen, and that A showed too, or A alone</li>\n",
                 QUANTITY_COUNT(others));
}

/* Whether all jobs of a side are of one device and driver. */
static bool compare_page_is_single(const struct side *side)
{
    for (size_t i = 1; i < side->sample_count; i++)
        if (!sample_same_device(&side->samples[i], &side->samples[0]))
            return false;
    return side->sample_count > 0;
}

/* A side is "NVIDIA H100, driver 580.1", if it has one; else its title. */
static void compare_page_add_title(const struct comparison *comparison, struct text *title)
{
    for (int side = 0; side < SIDES; side++) {
        const struct side *of = comparison->side[side];
        text_add(title, "%s", side == SIDE_A ? "Litmus tests: from " : " to ");
        if (compare_page_is_single(of))
            text_add(title, "%s, driver %s", of->samples->row.device, of->samples->row.driver);
        else
            text_add(title, "%s", of->title);
    }
}

static void compare_page_print_lead(const struct comparison *comparison, struct text *text)
{
    static const char *const classes[] = {
        [TERMINAL_BAD] = "bad", [TERMINAL_WARNING] = "doubt", [TERMINAL_GOOD] = "good"};
    struct text line = {0};
    compare_print_answer(comparison, &line);
    html_add(text, "<p class=\"lead $\"><b>$</b></p>\n<p class=asked>", classes[compare_tone(comparison)],
             text_string(&line));
    for (int side = 0; side < SIDES; side++) {
        text_clear(&line);
        compare_add_side(comparison, side, &line);
        html_add(text, "<b>$</b> is $. ", side_names[side], text_string(&line));
    }
    text_add(text, "</p>\n");
    text_clear(&line);
    compare_add_runs(comparison, &line);
    if (line.size > 0)
        html_add(text, "<p class=note>$</p>\n", text_string(&line));
    text_clear(&line);
    compare_add_runs_command(comparison, &line);
    if (line.size > 0)
        html_add(text, "<p class=note>To add them: <code>$</code></p>\n", text_string(&line));
    text_release(&line);
    text_add(text, "<ul class=tiles>\n");
    print_alarm_tiles(comparison, text);
    for (enum compare_section i = COMPARE_FORBIDDEN + 1; i < COMPARE_SECTIONS; i++) {
        /* A zero that nobody worked for is not an achievement: it has no tile. */
        const size_t count = compare_count(comparison, i);
        if (count > 0)
            html_add(text, "<li class=$><b>$</b>$</li>\n", sections[i].class, QUANTITY_COUNT(count), sections[i].tile);
    }
    html_add(text, "<li><b>$</b>rates similar: within a factor of ", QUANTITY_COUNT(comparison->results[RATE_SIMILAR]));
    text_add(text, "%g</li>\n</ul>\n", comparison->options.detect);
}

/* ---- rates ---- */

static const struct finding *find_finding(const struct comparison *comparison, const struct sample_pair *pair,
                                          const struct rate *rate)
{
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        if (finding->rate == rate ||
            (finding_is_alarm(finding) && finding->outcome && finding->sample[SIDE_A] == pair->sample[SIDE_A] &&
             finding->sample[SIDE_B] == pair->sample[SIDE_B] &&
             strcmp(finding->outcome->label, rate->outcome->label) == 0))
            return finding;
    }
    return NULL;
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
    size_t rank = 0;
    if (placed->finding && finding_is_alarm(placed->finding))
        return (size_t)finding_age(placed->finding);
    while (rank < sizeof order / sizeof *order && order[rank] != placed->rate->result)
        rank++;
    return FINDING_AGES + rank;
}

static int compare_placed(const void *left, const void *right)
{
    const struct placed_rate *a = left, *b = right;
    const size_t first = rank_of(a), second = rank_of(b);
    return first != second ? (first > second) - (first < second) : (a->number > b->number) - (a->number < b->number);
}

static struct placed_rate *list_rates(const struct comparison *comparison, size_t *count)
{
    struct placed_rate *list = NULL;
    size_t room = 0;
    *count = 0;
    for (size_t i = 0; i < comparison->pair_count; i++)
        for (size_t r = 0; r < comparison->pairs[i].rate_count; r++) {
            const struct rate *rate = &comparison->pairs[i].rates[r];
            const struct placed_rate placed = {.pair = &comparison->pairs[i],
                                               .rate = rate,
                                               .finding = find_finding(comparison, &comparison->pairs[i], rate),
                                               .number = *count};
            LIST_ADD(list, *count, room) = placed;
        }
    if (*count > 0)
        qsort(list, *count, sizeof *list, compare_placed);
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
    const bool alone = compare_page_is_single(comparison->side[SIDE_B]);
    struct plot_row row = {
        .label = arena_print(arena, "%s  %s%s%s", placed->pair->sample[SIDE_B]->row.test, rate->outcome->label,
                             alone ? "" : " on ", alone ? "" : placed->pair->sample[SIDE_B]->row.device),
        .anchor = placed->finding ? arena_print(arena, "f%zu", (size_t)(placed->finding - comparison->findings)) : NULL,
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
    struct arena arena = {0};
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
    arena_release(&arena);
}

/* All rates that differ; those that are similar are folded. */
static void print_ratios(const struct comparison *comparison, const struct placed_rate *list, size_t count,
                         struct text *text)
{
    size_t folded = 0;
    for (size_t i = 0; i < count; i++)
        folded += is_folded(&list[i]);
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

/* ---- findings ---- */

/* An outcome that must never appear and that is not a change: A showed it too, or A alone. */
static bool is_old(const struct finding *finding)
{
    return finding_is_alarm(finding) && finding_age(finding) != FINDING_NEW_IN_B;
}

/* Those of a section that are old, or the others. count: of the section's, so far. */
static void list_findings(const struct comparison *comparison, enum compare_section section, bool old, size_t *count,
                          struct text *text)
{
    text_add(text, "<ul class=findings>\n");
    for (size_t i = 0; i < comparison->finding_count; i++)
        if (compare_section_of(&comparison->findings[i]) == section && is_old(&comparison->findings[i]) == old &&
            ++*count <= SHOWN_FINDINGS) {
            /* The line, its evidence, and all figures, folded. */
            const struct finding *finding = &comparison->findings[i];
            struct text details = {0};
            html_add(text, "<li id=f$><details$><summary data-link>$<span class=tag>$</span> ", HTML_NUMBER(i),
                     i == 0 ? " open" : "", finding_is_alarm(finding) ? "\u2716 " : "", compare_severity(finding));
            HTML_SAY(text, compare_line(comparison, finding, text));
            compare_details(comparison, finding, &details);
            if (details.size > 0)
                html_add(text, "<small>$</small>", text_string(&details));
            text_add(text, "</summary><p>");
            HTML_SAY(text, compare_describe(comparison, finding, text));
            text_add(text, "</p></details></li>\n");
            text_release(&details);
        }
    text_add(text, "</ul>\n");
}

/* Old ones are folded if there are new ones above. */
static void compare_page_print_section(const struct comparison *comparison, enum compare_section section,
                                       struct text *text)
{
    const size_t all = compare_count(comparison, section);
    size_t count = 0;
    if (all == 0)
        return;
    html_add(text, "<section id=$>\n<h2>$</h2>\n", sections[section].id, compare_titles[section]);
    list_findings(comparison, section, false, &count, text);
    if (count < all) {
        html_add(text, "<details class=fold$><summary>Not new in B: $</summary>\n", count == 0 ? " open" : "",
                 QUANTITY_COUNT(all - count));
        list_findings(comparison, section, true, &count, text);
        text_add(text, "</details>\n");
    }
    if (all > SHOWN_FINDINGS)
        html_add(text, "<p>And $ more: 'orchil compare --verbose' prints them all.</p>\n",
                 QUANTITY_COUNT(all - SHOWN_FINDINGS));
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
    char p[HTML_NUMBER_SIZE];
    html_add(text, "<tr><th scope=row>$<td><code>$</code>$<td>$", sample->row.test, rate->outcome->label,
             rate->outcome->witness ? " *" : "", verdict != VERDICT_NONE ? verdict_word(verdict) : "");
    for (int side = 0; side < SIDES; side++)
        html_add(text, "<td class=n>$", HTML_RATE_OF(rate->count[side], rate->counted[side]));
    /* As in compare_describe.c: below it, digits mean nothing. */
    (void)snprintf(p, sizeof p, adjusted < 1e-12 ? "< %.0e" : "%.2g", fmax(adjusted, 1e-12));
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
    char tolerance[32];
    (void)snprintf(tolerance, sizeof tolerance, "%.3g", comparison->options.tolerance);
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

void compare_print_page(const struct comparison *comparison, const struct document *decision, struct text *text)
{
    struct text title = {0};
    size_t count;
    if (!comparison) {
        html_start(text, decision->title);
        page_print_answer(decision, text);
        text_add(text, "</header>\n");
        html_end(text);
        return;
    }
    struct placed_rate *list = list_rates(comparison, &count);
    compare_page_add_title(comparison, &title);
    html_start(text, text_string(&title));
    text_release(&title);
    if (decision)
        page_print_answer(decision, text);
    else
        compare_page_print_lead(comparison, text);
    text_add(text, "</header>\n<nav aria-label=\"Parts of this page\"><ul>");
    if (decision)
        page_print_links(decision, text);
    for (enum compare_section i = 0; i < COMPARE_SECTIONS; i++) {
        if (i == COMPARE_FORBIDDEN + 1 && count > 0)
            text_add(text, "<li><a href=\"#ratios\">Ratios</a></li>");
        if (!decision && compare_count(comparison, i) > 0)
            html_add(text, "<li><a href=\"#$\">$</a></li>", sections[i].id, compare_titles[i]);
    }
    text_add(text, "<li><a href=\"#circumstances\">What else differs</a></li><li><a href=\"#all\">All rates</a></li>"
                   "<li><a href=\"#guide\">How to read this page</a></li></ul></nav>\n");
    if (decision) {
        page_print_document(decision, text);
        text_add(text, "<p class=note>The ratios and rates below are those of the first run. A finding above has the "
                       "figures of its reruns, if there were any.</p>\n");
    } else
        compare_page_print_section(comparison, COMPARE_FORBIDDEN, text);
    print_ratios(comparison, list, count, text);
    for (enum compare_section i = COMPARE_FORBIDDEN + 1; i < COMPARE_SECTIONS && !decision; i++)
        compare_page_print_section(comparison, i, text);
    print_circumstances(comparison, text);
    print_rates(comparison, list, count, text);
    free(list);
    text_add(text, "%s", compare_guide);
    html_end(text);
}
