// SPDX-License-Identifier: Apache-2.0
/* The rates of all tests at a glance: a dot plot with a row for each test and a lane for each device and driver, and a
 * heat map. */
#include "analysis/page/page_parts.h"
#include "analysis/page/plot.h"

/* Whether the page has another test of this name, in another dialect. Tests are sorted by name, so it is adjacent. */
static bool has_namesake(const struct page *page, const struct page_test *test)
{
    const size_t at = (size_t)(test - page->tests);
    return (at > 0 && strcmp(test[-1].name, test->name) == 0) ||
           (at + 1 < page->test_count && strcmp(test[1].name, test->name) == 0);
}

/* Open: what fits on a screen. In all: enough for a family, so that a page of thousands of tests stays small. */
enum { OPEN_ROWS = 16, MOST_ROWS = 120 };

/* What a lane shows of a test: the runs of its gravest parts, added up. */
struct lane_sum {
    enum page_mark mark;
    struct page_run_counts runs;
    uint64_t counted;
};

static struct lane_sum sum_lane(const struct page_test *test, size_t column)
{
    struct lane_sum sum = {.mark = page_sum_of(test, column).mark};
    for (size_t p = 0; p < test->part_count; p++) {
        /* A run that did not show what the gravest part shows is a run of the same kind. */
        struct page_part part = test->parts[p];
        if (part.column != column || !page_ran(part.mark))
            continue;
        part.mark = sum.mark;
        page_add_run_counts(&part, NULL, &sum.runs);
    }
    for (size_t i = 0; i < sum.runs.count; i++)
        sum.counted += sum.runs.counts[i].n;
    return sum;
}

static const char *page_rates_describe(const char *name, const struct lane_sum *sum,
                                       const struct statistics_run_rate *rate, struct arena *arena)
{
    const struct page_mark_words *words = &page_marks[sum->mark];
    struct text figures = {0};
    text_add(&figures, "%s: ", name);
    if (*words->glyph)
        text_add(&figures, "%s, ", words->result);
    if (rate->rate > 0)
        text_add(&figures, "%s per instance (%s), %zu %s", HTML_RATE(rate->rate), HTML_INTERVAL(rate->interval),
                 rate->runs, rate->runs == 1 ? "run" : "runs");
    else
        text_add(&figures, "not seen, %s per instance", HTML_RATE_OF(0, sum->counted));
    return arena_keep(arena, &figures);
}

static struct plot_lane make_lane(const struct page_test *test, size_t column, const char *name, struct arena *arena)
{
    struct lane_sum sum = sum_lane(test, column);
    struct statistics_run_rate rate;
    statistics_rate_over_runs(sum.runs.counts, sum.runs.count, STATISTICS_CONFIDENCE, &rate);
    double *values = arena_take(arena, sum.runs.count, sizeof *values);
    for (size_t i = 0; i < sum.runs.count; i++)
        values[i] = (double)sum.runs.counts[i].count / (double)sum.runs.counts[i].n;
    const struct plot_lane lane = {
        .runs = values,
        .run_count = sum.runs.count,
        .value = rate.rate,
        .low = rate.interval.low,
        .high = rate.rate > 0 ? rate.interval.high : statistics_zero_bound(sum.counted, STATISTICS_CONFIDENCE),
        .tone = sum.mark <= PAGE_CLAIM                                                                 ? PLOT_BAD
                : sum.mark == PAGE_UNPROMISED || sum.mark == PAGE_NOT_KEPT || sum.mark == PAGE_GAVE_UP ? PLOT_DOUBT
                                                                                                       : PLOT_PLAIN,
        .figures = page_rates_describe(name, &sum, &rate, arena)};
    page_release_run_counts(&sum.runs);
    return lane;
}

/* A row for each of the tests with counts and a witness, in the page's order: bad results first. */
static void make_rows(const struct page *page, struct plot_dots *plot, struct plot_dots_row *rows, struct arena *arena)
{
    for (size_t i = 0; i < page->ran_count && plot->row_count < MOST_ROWS; i++) {
        const struct page_test *test = page->by_gravity[i];
        struct plot_lane *row = arena_take(arena, plot->lane_count, sizeof *row);
        bool shown = false;
        for (size_t lane = 0; lane < plot->lane_count && *test->condition; lane++) {
            row[lane] = make_lane(test, lane, plot->lane_names[lane], arena);
            shown |= row[lane].run_count > 0;
        }
        if (shown)
            rows[plot->row_count++] = (struct plot_dots_row){
                .label =
                    has_namesake(page, test) ? arena_print(arena, "%s (%s)", test->name, test->dialect) : test->name,
                .anchor = test->anchor,
                .lanes = row};
    }
}

void page_print_rates(const struct page *page, struct text *text)
{
    LOCAL(arena) arena = {0};
    struct plot_dots_row *rows = arena_take(&arena, MOST_ROWS, sizeof *rows);
    const char **names = arena_take(&arena, page->column_count, sizeof *names);
    struct plot_dots plot = {.title = "How often each device and driver showed the outcome that a test asks for, per "
                                      "instance",
                             .lane_names = names,
                             .lane_count = page->column_count,
                             .rows = rows,
                             .open_rows = OPEN_ROWS};
    for (size_t i = 0; i < page->column_count; i++) {
        struct text name = {0};
        page_name_column(page, i, &name);
        names[i] = arena_keep(&arena, &name);
    }
    make_rows(page, &plot, rows, &arena);
    if (plot.row_count > 0) {
        text_add(text, "<section id=rates>\n<h2>Rates by test</h2>\n");
        plot_print_dots(&plot, text);
        text_add(
            text,
            "<p class=dim>The axis is logarithmic and ends at 1. A filled sign is the rate of a typical run, the "
            "line its 95 %% interval, and a faint dot one run. With one run, the sign has a hole: the interval is "
            "from counting alone, and the spread between runs is unknown. An empty sign with an arrow: not seen, so "
            "the rate is below it.</p>\n");
        if (plot.row_count == MOST_ROWS && page->ran_count > MOST_ROWS)
            text_add(text, "<p>The heat map has all %zu tests.</p>\n", page->ran_count);
        text_add(text, "</section>\n");
    }
}

/* ---- the heat map: a row for each test, a column for each device and driver, rates of witnesses in cells ---- */

/* Colours follow powers of ten: k7 from 0.1 up, k6 from 0.01, ..., k1 below 1e-6. */
static int step_of(double rate)
{
    const int step = 8 + (int)floor(log10(rate));
    return step < 1 ? 1 : step > 7 ? 7 : step;
}

/* ---- legend ---- */

struct silence_words {
    const char *class, *glyph, *meaning;
};
static const struct silence_words silences[] = {
    [PAGE_SILENCE_NONE] = {"kz", "", "not seen; rarer than this, if the chance is the same everywhere"},
    [PAGE_SILENCE_LITTLE] = {"kq", "? ", "forbidden and not seen, but no mutant was seen either: says little"},
    [PAGE_SILENCE_TELLS] = {"kg", "\u2713 ", "forbidden and not seen, while a mutant was: the silence means something"},
};

static void print_silences(const struct page *page, struct text *text)
{
    bool used[COUNT(silences)] = {false};
    for (size_t i = 0; i < page->ran_count; i++)
        for (size_t column = 0; column < page->column_count; column++)
            if (page_sum_of(page->by_gravity[i], column).mark == PAGE_UNSEEN)
                used[page_silence_of(page, page->by_gravity[i], column)] = true;
    for (size_t i = COUNT(silences); i-- > 0;)
        if (used[i])
            html_add(text, "<li class=$>$&lt; 3.0e-6: $</li>\n", silences[i].class, silences[i].glyph,
                     silences[i].meaning);
}

static void print_legend(const struct page *page, struct text *text)
{
    static const char *const steps[] = {"below 1e-6", "1e-6", "1e-5", "1e-4", "1e-3", "0.01", "from 0.1 up"};
    bool used[PAGE_MARK_COUNT] = {false};
    for (size_t i = 0; i < page->test_count; i++)
        for (size_t p = 0; p < page->tests[i].part_count; p++)
            used[page->tests[i].parts[p].mark] = true;
    text_add(text, "<ul class=legend aria-label=\"Signs and colours\">\n");
    for (int mark = 0; mark < PAGE_MARK_COUNT; mark++) {
        const struct page_mark_words *words = &page_marks[mark];
        if (used[mark] && *words->glyph)
            html_add(text, "<li class=$>$$: $</li>\n", words->class, words->glyph, words->result, words->meaning);
    }
    print_silences(page, text);
    for (int step = 0; step < 7; step++)
        html_add(text, "<li class=\"k$\">$</li>\n", HTML_NUMBER(step + 1), steps[step]);
    text_add(text, "</ul>\n");
}

/* ---- cells ---- */

static void page_rates_print_cell(const struct page *page, const struct page_test *test, size_t column,
                                  struct text *text)
{
    const struct page_sum sum = page_sum_of(test, column);
    const struct page_mark_words *words = &page_marks[sum.mark];
    const bool plain = sum.mark == PAGE_SEEN;
    if (sum.parts == 0) {
        text_add(text, "<td>");
        return;
    }
    const struct statistics_run_rate rate = page_rate_in(test, column);
    const uint64_t n = sum.counted + (sum.mark == PAGE_GAVE_UP ? sum.voids : 0);
    const char *const class = PRINTED(8, "k%d", plain ? step_of(rate.rate) : 0);
    const struct silence_words *silence = &silences[page_silence_of(page, test, column)];
    const bool unseen = sum.mark == PAGE_UNSEEN;
    const bool silent = sum.mark == PAGE_FAULT || sum.mark == PAGE_CUT || n == 0;
    html_add(text, "<td class=\"n $\">$$",
             plain    ? class
             : unseen ? silence->class
                      : words->class,
             unseen ? silence->glyph : words->glyph,
             silent          ? words->result
             : rate.rate > 0 ? HTML_RATE(rate.rate)
                             : HTML_RATE_OF(0, n));
}

static void print_row(const struct page *page, const struct page_test *test, struct text *text)
{
    text_add(text, "<tr><th scope=row>");
    page_add_link(test, text);
    if (has_namesake(page, test))
        html_add(text, " <small>$</small>", test->dialect);
    for (size_t column = 0; column < page->column_count; column++)
        page_rates_print_cell(page, test, column, text);
    html_add(text, "<td>$<td>$", test->claim, page_marks[test->mark].result);
    /* The line below the result: the controls of an allowed test, the mutants of a forbidden one. */
    const struct page_control control = page_control_of(page, test, SIZE_MAX);
    const struct page_mutants mutants = page_mutants_of(page, test, SIZE_MAX);
    text_add(text, "<td class=n>");
    if (control.counted > 0)
        html_add(text, "$control $", control.witnesses > 0 ? page_marks[PAGE_CONTROL].glyph : "",
                 HTML_RATE_OF(control.witnesses, control.counted));
    else if (mutants.run > 0)
        html_add(text, "mutant $", HTML_RATE_OF(mutants.witnesses, mutants.counted));
    html_add(text, "<td>$<td class=n>$", test->dialect, QUANTITY_COUNT(page_sum_of(test, SIZE_MAX).counted));
    /* The first line of the test's explanation. */
    char line[240];
    size_t length = strcspn(test->doc, "\n");
    if (length >= sizeof line)
        for (length = sizeof line - 1; length > 0 && ((unsigned char)test->doc[length] & 0xc0U) == 0x80;)
            length--; /* do not cut a character in half */
    (void)snprintf(line, sizeof line, "%.*s", (int)length, test->doc);
    html_add(text, "<td>$\n", line);
}

static bool has_one_device(const struct page_column *a, const struct page_column *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->device_uuid, b->device_uuid) == 0 &&
           strcmp(a->machine, b->machine) == 0;
}

/* The headings of two rows: the device above, the driver below it; the rest of a name only where columns would be alike
 * without it. Those with rowspan come before and after the devices. */
static void print_head(const struct page *page, struct text *text)
{
    text_add(text, "<thead><tr><th data-f=Family rowspan=2>Test");
    for (size_t i = 0, end; i < page->column_count; i = end) {
        for (end = i + 1; end < page->column_count && has_one_device(&page->columns[end], &page->columns[i]);)
            end++;
        html_add(text, "<th class=device colspan=$><span class=cut>$</span>", HTML_NUMBER(end - i),
                 page->columns[i].device);
    }
    text_add(text, "<th data-f=\"The model says\" rowspan=2>The model says<th data-f=Result rowspan=2>Result"
                   "<th data-n rowspan=2>Control or mutant<th data-f=Dialect rowspan=2>Dialect"
                   "<th data-n rowspan=2>Instances<th rowspan=2>What it asks<tr>");
    for (size_t i = 0; i < page->column_count; i++) {
        text_add(text, "<th data-n class=col data-name=\"");
        page_add_column(page, i, text);
        text_add(text, "\" title=\"");
        page_add_column(page, i, text);
        html_add(text, "\"><span class=cut>$ $</span>", page->columns[i].backend, page->columns[i].driver);
    }
    text_add(text, "</thead>\n<tbody>\n");
}

/* Tests that ran nowhere: names only. The reason is above the map and in their cards. */
static void print_others(const struct page *page, struct text *text)
{
    const size_t count = page->test_count - page->ran_count;
    if (count == 0)
        return;
    html_add(text, "<details class=fold><summary>$ unsupported here, or counted nothing</summary>\n<p>",
             WORDS_COUNTED(count, "test is", "tests are"));
    for (size_t i = page->ran_count; i < page->test_count; i++) {
        text_add(text, "%s", i > page->ran_count ? ", " : "");
        page_add_link(page->by_gravity[i], text);
    }
    text_add(text, "</p></details>\n");
}

void page_print_map(const struct page *page, struct text *text)
{
    text_add(text, "<section id=map>\n<h2>Heat map: tests by device and driver</h2>\n");
    if (page->ran_count > 0) {
        text_add(
            text,
            "<p class=hint>The table scrolls sideways.</p>\n"
            "<div class=\"wide tall\" tabindex=0 role=region aria-label=\"Heat map\"><table class=\"rows data\" data-name=rates>\n");
        print_head(page, text);
        for (size_t i = 0; i < page->ran_count; i++)
            print_row(page, page->by_gravity[i], text);
        text_add(text, "</table></div>\n");
        print_legend(page, text);
        text_add(text, "<p class=dim>A cell is the rate of the test's witness per instance in a typical run (the "
                       "geometric mean of the runs). A "
                       "cell with a sign is the rate of what the sign says. A test's name leads to its text, its "
                       "outcomes and where they come from.</p>\n");
    }
    print_others(page, text);
    text_add(text, "</section>\n");
}
