// SPDX-License-Identifier: Apache-2.0
/* A history as a page, and as a section of the page of a database: what must never appear first, then the strip, then
 * steps. With its pictures and the mutation scores. */
#include "analysis/page/page_parts.h"
#include "analysis/page/plot.h"

extern const char history_legend[], strip_legend[]; /* the files .html of these names */

/* ---- pictures ---- */

/* A strip of runs by tests, and the plot of a series, which has its runs by date, the band of what was expected, and
 * rings where something began. */

/* The plots of a page. Each is printed once; what asks for it again gets a link. The list is freed by the caller. */
struct history_plots {
    const struct history *history;
    struct history_plot {
        const struct history_device *device;
        const struct history_series *series;
        bool printed;
    } * list;
    size_t count, room;
    bool links_runs; /* the page has a table of runs with ids run-DEVICE-RUN */
};

/* ---- a strip of runs by tests: one cell for each night and test, so that a step is a column of signs ---- */

enum { MOST_RUNS = 120, MOST_TESTS = 200 };

/* What a test showed in a run of a device. */
struct cell {
    bool ran, fails;
    uint64_t count, counted;
    double ratio; /* to the rate before the first step; 0: not known */
    bool sure;    /* its interval does not include that rate */
    bool outside; /* of the band before a step */
};

static void add_series(const struct history_series *series, size_t point, struct cell *cell)
{
    const struct history_point *of = &series->points[point];
    cell->fails |= series->ruling.fails && of->count > 0;
    if (!series->witness && !(series->ruling.fails && of->count > 0))
        return;
    cell->count += of->count;
    cell->outside |= of->outside;
    if (of->count == 0 || series->part_count == 0 || !(series->parts->rate > 0))
        return;
    cell->ratio = of->rate / series->parts->rate;
    cell->sure = series->parts->rate < of->interval.low || series->parts->rate > of->interval.high;
}

static struct cell cell_of(const struct history_test *test, size_t device_run)
{
    struct cell cell = {.ran = false};
    for (size_t i = 0; i < test->segment_count; i++) {
        const struct history_segment *segment = test->segments[i];
        for (size_t r = 0; r < segment->run_count; r++) {
            if (segment->device_runs[r] != device_run)
                continue;
            cell.ran = true;
            for (size_t b = 0; b < segment->runs[r].batch_count; b++)
                cell.counted += segment->runs[r].sizes[b];
            for (size_t s = 0; s < segment->series_count; s++)
                add_series(&segment->series[s], r, &cell);
        }
    }
    return cell;
}

/* The colour: three steps up and three down, by a factor of 1.25, 2 and 4; none if counting alone explains the
 * difference. */
static size_t step_of(const struct cell *cell)
{
    const double factor = cell->sure ? fabs(log2(cell->ratio)) : 0;
    return factor > 2 ? 3 : factor > 1 ? 2 : factor > 0.32 ? 1 : 0;
}

static const char *class_of(const struct cell *cell)
{
    static const char *const up[] = {"s0", "u1", "u2", "u3"}, *const down[] = {"s0", "d1", "d2", "d3"};
    if (!cell->ran)
        return "sn";
    if (cell->fails)
        return "kx";
    if (cell->count == 0 || !(cell->ratio > 0))
        return "sz";
    return cell->ratio > 1 ? up[step_of(cell)] : down[step_of(cell)];
}

static const char *sign_of(const struct cell *cell)
{
    return cell->fails                            ? "\u2716"
           : !cell->ran                           ? ""
           : cell->count == 0                     ? "\u00b7"
           : !cell->outside || step_of(cell) == 0 ? ""
           : cell->ratio > 1                      ? "\u25b2"
                                                  : "\u25bc";
}

static void print_test(const struct history_plots *plots, const struct history_device *device,
                       const struct history_test *test, size_t first, struct text *text)
{
    const size_t plot = INDEX_OF(each, plots->list, plots->count, each->series->segment->test == test);
    text_add(text, "<tr><th scope=row>");
    if (plot < plots->count)
        html_add(text, "<a href=\"#series-$\">", HTML_NUMBER(plot + 1));
    HTML_SAY(text, history_add_test(test, text));
    text_add(text, "%s", plot < plots->count ? "</a>" : "");
    for (size_t run = first; run < device->run_count; run++) {
        const struct cell cell = cell_of(test, run);
        html_add(text, "<td class=$", class_of(&cell));
        if (cell.ran) {
            text_add(text, " title=\"run ");
            HTML_SAY(text, history_add_run(plots->history, device, run, text));
            html_add(text, ": $ per instance$\"", HTML_RATE_OF(cell.count, cell.counted),
                     cell.fails ? ", must never appear" : "");
        }
        html_add(text, ">$", sign_of(&cell));
    }
    text_add(text, "\n");
}

/* A heading for each stretch of runs with one driver. */
static void print_head(const struct history *history, const struct history_device *device, size_t first,
                       struct text *text)
{
    text_add(text, "<thead><tr><th>Test");
    for (size_t run = first, end; run < device->run_count; run = end) {
        const char *driver = device->runs[run].facts[HISTORY_DRIVER];
        for (end = run + 1; end < device->run_count && strcmp(device->runs[end].facts[HISTORY_DRIVER], driver) == 0;)
            end++;
        const char *const day = PRINTED(11, "%.10s", history->runs[device->runs[run].run].started_at);
        html_add(text, "<th class=driver colspan=$><span class=cut>$</span><small class=cut>$</small>",
                 HTML_NUMBER(end - run), driver, day);
    }
    text_add(text, "</thead>\n<tbody>\n");
}

/* For each device a table of tests by runs: whether a rate was higher or lower than at first, and what must never
 * appear. */
static void history_print_strips(const struct history_plots *plots, struct text *text)
{
    const struct history *history = plots->history;
    if (history->run_count < 2)
        return;
    for (size_t i = 0; i < history->device_count; i++) {
        const struct history_device *device = history->devices[i];
        const size_t first = device->run_count > MOST_RUNS ? device->run_count - MOST_RUNS : 0;
        html_add(text, "<h3>$ ($): $ tests in $ runs</h3>\n", device->device, device->backend,
                 QUANTITY_COUNT(device->test_count), QUANTITY_COUNT(device->run_count - first));
        html_add(text, "<div class=wide tabindex=0 role=region aria-label=\"Tests by runs on $\"><table class=strip>\n",
                 device->device);
        print_head(plots->history, device, first, text);
        for (size_t t = 0; t < device->test_count && t < MOST_TESTS; t++)
            print_test(plots, device, device->tests[t], first, text);
        text_add(text, "</table></div>\n");
        if (first > 0 || device->test_count > MOST_TESTS)
            html_add(text, "<p>'orchil history --json' has the other $ runs and $ tests.</p>\n", QUANTITY_COUNT(first),
                     QUANTITY_COUNT(device->test_count > MOST_TESTS ? device->test_count - MOST_TESTS : 0));
    }
    text_add(text, "%s", strip_legend);
}

/* A band that is wider than this factor says only that there are too few runs to expect anything. */
static const double widest_band = 30;

/* The plot of a series; their count if it has none. */
static size_t plot_of(const struct history_plots *plots, const struct history_series *series)
{
    return INDEX_OF(one, plots->list, plots->count, one->series == series);
}

/* Adds a series to the plots, unless it is one of them. */
static void history_plan_plot(struct history_plots *plots, const struct history_device *device,
                              const struct history_series *series)
{
    if (plot_of(plots, series) == plots->count)
        LIST_ADD(plots->list, plots->count, plots->room) = (struct history_plot){.device = device, .series = series};
}

/* Where a step begins in which the series moved, or where it first showed what must never appear. */
static bool is_ringed(const struct history *history, const struct history_plot *plot, size_t device_run)
{
    return ANY_OF(step, plot->device->steps, plot->device->step_count,
                  step->device_run == device_run && history_moved(step, plot->series)) ||
           ANY_OF(alarm, history->alarms, history->alarm_count,
                  alarm->series == plot->series && alarm->began && alarm->first == device_run);
}

/* The date; the time of day if all runs are of one day; the number if no time is known. */
static const char *name_point(struct arena *arena, const struct history *history, size_t run, bool is_first)
{
    const struct history_run *first = &history->runs[0], *last = &history->runs[history->run_count - 1];
    const char *started = history->runs[run].started_at;
    if (!*started)
        return arena_print(arena, "run %zu", run + 1);
    if (strncmp(first->started_at, last->started_at, 10) == 0 && strlen(started) > 16)
        return arena_print(arena, "%.5s", started + 11);
    /* The year once: dates are close to each other on a narrow screen. */
    const bool whole = is_first || strncmp(first->started_at, started, 4) != 0 || strlen(started) < 10;
    return arena_print(arena, "%.*s", whole ? 10 : 5, whole ? started : started + 5);
}

static const char *describe_point(struct arena *arena, const struct history *history,
                                  const struct history_device *device, const struct history_point *point)
{
    struct text text = {0};
    text_add(&text, "run ");
    history_add_run(history, device, point->device_run, &text);
    text_add(&text, ", driver %s: %s of %s, %s per instance", device->runs[point->device_run].facts[HISTORY_DRIVER],
             QUANTITY_COUNT(point->count), QUANTITY_COUNT(point->counted), HTML_RATE_OF(point->count, point->counted));
    return arena_keep(arena, &text);
}

static const char *link_point(struct arena *arena, const struct history *history, const struct history_device *device,
                              size_t run)
{
    size_t number = 0;
    while (history->devices[number] != device)
        number++;
    return arena_print(arena, "run-%zu-%zu", number + 1, run + 1);
}

/* Marks where the driver of the series' runs changed. */
static void add_marks(struct arena *arena, const struct history_device *device, const struct history_series *series,
                      struct plot_series *plot)
{
    struct plot_mark *marks = NULL;
    for (size_t i = 1; i < series->segment->run_count; i++) {
        const char *before = device->runs[series->points[i - 1].device_run].facts[HISTORY_DRIVER];
        const char *here = device->runs[series->points[i].device_run].facts[HISTORY_DRIVER];
        if (strcmp(before, here) != 0)
            ARENA_ADD(arena, marks, plot->mark_count) =
                (struct plot_mark){.before = i, .label = arena_print(arena, "driver %s", here)};
    }
    plot->marks = marks;
}

static void add_band(const struct history_series *series, struct plot_series *plot, struct text *title)
{
    if (series->part_count == 0 || !isfinite(series->parts->band.high))
        return;
    const struct interval band = series->parts->band;
    const uint64_t seen = SUM_OF(uint64_t, point, series->points, series->parts->count, point->count);
    if (seen == 0)
        return;
    if (band.high > widest_band * band.low) {
        text_add(title, "; too few runs, or runs that differ too much, for a band");
        return;
    }
    plot->band_low = band.low;
    plot->band_high = band.high;
}

/* A band is drawn for the runs before the first step alone: only points outside of it are marked. */
static bool is_outside(const struct plot_series *plot, const struct history_point *point)
{
    return plot->band_high == 0 || point->rate > plot->band_high || point->rate < plot->band_low;
}

static void print_new_plot(const struct history_plots *plots, size_t number, struct text *text)
{
    const struct history_plot *of = &plots->list[number];
    const struct history *history = plots->history;
    const struct history_series *series = of->series;
    LOCAL(arena) arena = {0};
    LOCAL(text) title = {0};
    const size_t count = series->segment->run_count;
    struct plot_point *points = arena_take(&arena, count, sizeof *points);
    struct plot_series plot = {.points = points, .point_count = count, .most = 1};
    history_add_series(series, &title);
    text_add(&title, " (per instance)");
    if (history->device_count > 1)
        text_add(&title, " on %s", of->device->device);
    add_band(series, &plot, &title);
    plot.title = text_string(&title);
    plot.anchor = arena_print(&arena, "series-%zu", number + 1);
    for (size_t i = 0; i < count; i++) {
        const struct history_point *point = &series->points[i];
        const size_t run = of->device->runs[point->device_run].run;
        points[i] =
            (struct plot_point){.value = point->rate,
                                .low = point->interval.low,
                                .high = point->interval.high,
                                .name = name_point(&arena, history, run, i == 0),
                                .hover = describe_point(&arena, history, of->device, point),
                                .anchor = plots->links_runs ? link_point(&arena, history, of->device, run) : NULL,
                                .outside = point->outside && is_outside(&plot, point),
                                .ringed = is_ringed(history, of, point->device_run)};
    }
    add_marks(&arena, of->device, series, &plot);
    plot_print_series(&plot, text);
}

/* Prints the plot of a series that was planned, or a link to it. */
static void history_print_plot(struct history_plots *plots, const struct history_series *series, struct text *text)
{
    const size_t number = plot_of(plots, series);
    if (number == plots->count)
        return;
    if (!plots->list[number].printed) {
        plots->list[number].printed = true;
        print_new_plot(plots, number, text);
        return;
    }
    html_add(text, "<p><a href=\"#series-$\">The plot of ", HTML_NUMBER(number + 1));
    HTML_SAY(text, history_add_series(series, text));
    text_add(text, "</a> is above.</p>\n");
}

/* ---- the mutation scores of runs, beside each other: of a database's page and of a history's ---- */

/* In full, so that a saved table has a number. */
static const char *write_rate(double rate, char buffer[QUANTITY_SIZE])
{
    if (rate >= 100)
        return quantity_count((uint64_t)llround(rate), buffer);
    (void)snprintf(buffer, QUANTITY_SIZE, "%.3g", rate);
    return buffer;
}

void page_print_scores(const struct history *history, struct text *text)
{
    size_t count;
    FREED struct history_scored *list = history_list_scores(history, &count);
    if (count > 0)
        text_add(
            text,
            "<section id=score>\n<h2>Mutation score</h2>\n<p>How well the stress brings out weak behaviour. A mutant is "
            "a weakened form of a forbidden test, and it is killed when its witness is seen. The score is the share of "
            "the mutants that were killed. Kills per second are the mean over all mutants, with 0 for those that were "
            "not killed.</p>\n<div class=wide><table class=\"stack data\" data-name=scores>\n<thead><tr><th>Run"
            "<th class=mid>Device<th>Driver<th>Profile<th>Dialect<th data-n>Mutants killed<th data-n>Score"
            "<th data-n>Kills per second</thead>\n<tbody>\n");
    FOR_EACH(const struct history_scored, of, list, count) {
        const struct mutation_score *score = &of->score->score;
        char rate[QUANTITY_SIZE];
        const char *const share = PRINTED(16, "%.1f %%", 100 * mutation_score_share(score));
        text_add(text, "<tr><th scope=row>");
        HTML_SAY(text, history_add_run(history, of->device, of->device_run, text));
        html_add(
            text,
            "<td data-l=Device>$ ($)<td data-l=Driver>$<td data-l=Profile>$<td data-l=Dialect>$"
            "<td class=n data-l=\"Mutants killed\">$ of $<td class=n data-l=Score>$<td class=n data-l=\"Kills per second\">$\n",
            of->device->device, of->device->backend, of->device->runs[of->device_run].facts[HISTORY_DRIVER],
            of->score->profile, of->score->dialect, QUANTITY_COUNT(score->killed), QUANTITY_COUNT(score->mutants),
            share, write_rate(mutation_score_death_rate(score), rate));
    }
    if (count > 0)
        text_add(text, "</table></div>\n</section>\n");
}

void page_link_scores(const struct history *history, struct text *text)
{
    bool has = false;
    for (size_t d = 0; d < history->device_count; d++)
        for (size_t r = 0; r < history->devices[d]->run_count; r++)
            has |= history->devices[d]->runs[r].score_count > 0;
    text_add(text, "%s", has ? "<li><a href=\"#score\">Mutation score</a></li>" : "");
}

/* The most plots: of tests that moved in one step; of those that must never appear; of witnesses of a device that did
 * not step. */
enum { SHOWN_MOVES = 6, SHOWN_ALARMS = 40, SHOWN_OTHERS = 40 };

/* ---- which plots ---- */

static void plan_others(struct history_plots *plots, const struct history *history, const struct history_device *device)
{
    size_t shown = 0;
    for (size_t s = 0; s < device->series_count; s++) {
        const struct history_series *series = device->series[s];
        if (series->witness && series->segment->run_count >= history->options.fewest_runs &&
            !ANY_OF(step, device->steps, device->step_count, history_moved(step, series)) && shown++ < SHOWN_OTHERS)
            history_plan_plot(plots, device, series);
    }
}

/* Everything that is drawn, each once, in the order of the page. */
static struct history_plots plan_plots(const struct history *history)
{
    struct history_plots plots = {.history = history};
    for (size_t i = 0; i < history->alarm_count && i < SHOWN_ALARMS; i++)
        history_plan_plot(&plots, history->alarms[i].device, history->alarms[i].series);
    for (size_t i = 0; i < history->device_count; i++)
        FOR_EACH(const struct history_step, step, history->devices[i]->steps, history->devices[i]->step_count)
            for (size_t m = 0, shown = 0; m < step->move_count && shown < SHOWN_MOVES; m++)
                if (!step->moves[m].follows) {
                    history_plan_plot(&plots, history->devices[i], step->moves[m].series);
                    shown++;
                }
    for (size_t i = 0; i < history->device_count; i++)
        plan_others(&plots, history, history->devices[i]);
    return plots;
}

/* ---- steps ---- */

static void print_step(struct history_plots *plots, const struct history_device *device,
                       const struct history_step *step, size_t number, struct text *text)
{
    const struct history *history = plots->history;
    html_add(text, "<div id=step-$>\n<h3 data-link>", HTML_NUMBER(number));
    HTML_SAY(text, history_add_title(history, device, step, text));
    text_add(text, "</h3>\n<p>");
    HTML_SAY(text, history_add_place(history, device, step, text));
    text_add(text, " ");
    HTML_SAY(text, history_add_cause(history, device, step, text));
    text_add(text, "</p>\n");
    for (size_t i = 0, shown = 0; i < step->move_count && shown < SHOWN_MOVES; i++)
        if (!step->moves[i].follows) {
            history_print_plot(plots, step->moves[i].series, text);
            shown++;
        }
    text_add(text, "<details><summary>What moved</summary>\n<div class=wide tabindex=0 role=region "
                   "aria-label=\"What moved\"><table class=data data-name=moves>\n<thead><tr><th>Test and outcome"
                   "<th data-n>Before<th data-n>After<th data-n>Factor<th>95 %% interval</thead>\n<tbody>\n");
    FOR_EACH(const struct history_move, move, step->moves, step->move_count) {
        text_add(text, "<tr><th scope=row>");
        HTML_SAY(text, history_add_series(move->series, text));
        html_add(text, "<td class=n>$<td class=n>$<td class=n>", HTML_RATE_OF(move->count[0], move->counted[0]),
                 HTML_RATE_OF(move->count[1], move->counted[1]));
        HTML_SAY(text, history_add_factor(move, text));
        html_add(text, "<td>$\n", statistics_has_interval(&move->ratio) ? HTML_INTERVAL(move->ratio.interval) : "");
    }
    text_add(text, "</table></div></details>\n");
    text_add(text, "</div>\n");
}

/* ---- the rest ---- */

/* What was planned for a device and is not there yet. */
static void print_others(struct history_plots *plots, const struct history_device *device, struct text *text)
{
    const size_t count = SUM_OF(size_t, one, plots->list, plots->count, one->device == device && !one->printed);
    if (count == 0)
        return;
    html_add(text, "<details$><summary>Witnesses that did not step on $ ($): $</summary>\n",
             device->step_count == 0 && count <= SHOWN_MOVES ? " open" : "", device->device, device->backend,
             QUANTITY_COUNT(count));
    for (size_t i = 0; i < plots->count; i++)
        if (plots->list[i].device == device && !plots->list[i].printed)
            history_print_plot(plots, plots->list[i].series, text);
    if (count >= SHOWN_OTHERS)
        text_add(text, "<p>'orchil history --json' has all series.</p>\n");
    text_add(text, "</details>\n");
}

static void print_limits(const struct history *history, struct text *text)
{
    if (history->limit_count == 0)
        return;
    text_add(text, "<h3>What this cannot say</h3>\n<ul>\n");
    for (size_t i = 0; i < history->limit_count; i++)
        html_add(text, "<li>$</li>\n", history->limits[i]);
    text_add(text, "</ul>\n");
}

static void print_alarm(struct history_plots *plots, size_t index, struct text *text)
{
    const struct history_alarm *alarm = &plots->history->alarms[index];
    html_add(text, "<div id=alarm-$>\n<p data-link>\u2716 $", HTML_NUMBER(index + 1), alarm->began ? "NEW: " : "");
    HTML_SAY(text, history_add_alarm(plots->history, alarm, text));
    text_add(text, "</p>\n");
    if (alarm->began)
        history_print_plot(plots, alarm->series, text);
    text_add(text, "</div>\n");
}

/* New ones with their plots; those that every run has shown are folded. They are in this order. */
static void print_alarms(struct history_plots *plots, struct text *text)
{
    const struct history *history = plots->history;
    const size_t began = INDEX_OF(alarm, history->alarms, history->alarm_count, !alarm->began);
    if (history->alarm_count == 0)
        return;
    text_add(text, "<h3>Must never appear</h3>\n");
    for (size_t i = 0; i < began && i < SHOWN_ALARMS; i++)
        print_alarm(plots, i, text);
    if (began > SHOWN_ALARMS)
        html_add(text, "<p>And $ more new ones: 'orchil history --json' has them.</p>\n",
                 QUANTITY_COUNT(began - SHOWN_ALARMS));
    if (began == history->alarm_count)
        return;
    html_add(text, "<details class=fold$><summary>Seen from the first run on: $</summary>\n", began == 0 ? " open" : "",
             QUANTITY_COUNT(history->alarm_count - began));
    for (size_t i = began; i < history->alarm_count && i < began + SHOWN_ALARMS; i++)
        print_alarm(plots, i, text);
    if (history->alarm_count - began > SHOWN_ALARMS)
        html_add(text, "<p>And $ more: 'orchil history --json' has them.</p>\n",
                 QUANTITY_COUNT(history->alarm_count - began - SHOWN_ALARMS));
    text_add(text, "</details>\n");
}

static void page_history_print_section(struct history_plots *plots, struct text *text)
{
    const struct history *history = plots->history;
    size_t number = 0;
    if (plots->count > 0)
        text_add(text, "%s", history_legend);
    print_alarms(plots, text);
    history_print_strips(plots, text);
    for (size_t i = 0; i < history->device_count; i++)
        for (size_t s = 0; s < history->devices[i]->step_count; s++)
            print_step(plots, history->devices[i], &history->devices[i]->steps[s], ++number, text);
    for (size_t i = 0; i < history->device_count; i++)
        print_others(plots, history->devices[i], text);
    print_limits(history, text);
}

/* ---- a page of its own ---- */

static void print_runs(const struct history *history, struct text *text)
{
    text_add(text, "<section id=runs>\n<h2>Runs</h2>\n<div class=wide><table class=\"stack data\" data-name=runs>\n"
                   "<thead><tr><th>Run<th>Started (UTC)<th>Device<th>Driver<th>orchil<th>Compiler<th>Host"
                   "<th>Throttling</thead>\n<tbody>\n");
    for (size_t d = 0; d < history->device_count; d++)
        for (size_t r = 0; r < history->devices[d]->run_count; r++) {
            const struct history_device *device = history->devices[d];
            const struct history_device_run *run = &device->runs[r];
            html_add(
                text,
                "<tr id=run-$-$><th scope=row>$<td data-l=Started>$<td data-l=Device>$ ($)<td data-l=Driver>$<td data-l=orchil>$"
                "<td data-l=Compiler>$<td data-l=Host>$<td data-l=Throttling>$\n",
                HTML_NUMBER(d + 1), HTML_NUMBER(run->run + 1), QUANTITY_COUNT(run->run + 1),
                history->runs[run->run].started_at, device->device, device->backend, run->facts[HISTORY_DRIVER],
                run->facts[HISTORY_TOOL], run->facts[HISTORY_COMPILER], run->facts[HISTORY_HOST],
                run->facts[HISTORY_THROTTLE]);
        }
    text_add(text, "</table></div>\n</section>\n");
}

/* What must never appear is in bold, what moved follows it. */
static void print_answer(const struct history *history, struct text *text)
{
    const bool open = history_steps(history) > 0 || history->questions == 0 || history->limit_count > 1;
    const bool bad = history->alarm_count > 0;
    html_add(text, "<p class=\"lead $\"><b>", bad ? "bad" : open ? "doubt" : "good");
    HTML_SAY(text, history_add_alarms(history, text));
    text_add(text, "%s", bad ? "</b>" : "");
    HTML_SAY(text, history_add_steps(history, text));
    text_add(text, "%s</p>\n", bad ? "" : "</b>");
}

void history_print_page(const struct history *history, struct text *text)
{
    struct history_plots plots = plan_plots(history);
    LOCAL(text) title = {0};
    /* "Simulated GPU and 1 more, 30 runs, 2026-11-01 to 2026-11-30: history of litmus tests" */
    if (history->device_count > 0)
        text_add(&title, "%s", history->devices[0]->device);
    if (history->device_count > 1)
        text_add(&title, " and %zu more", history->device_count - 1);
    text_add(&title, "%s%zu %s", history->device_count > 0 ? ", " : "", history->run_count,
             history->run_count == 1 ? "run" : "runs");
    if (history->run_count > 0 && *history->runs[0].started_at) {
        const char *last = history->runs[history->run_count - 1].started_at;
        const bool one = strncmp(history->runs[0].started_at, last, 10) == 0;
        text_add(&title, ", %.10s%s%.10s", history->runs[0].started_at, one ? "" : " to ", one ? "" : last);
    }
    text_add(&title, ": history of litmus tests");
    plots.links_runs = true;
    html_start(text, text_string(&title));
    print_answer(history, text);
    text_add(text, "</header>\n<nav aria-label=\"Parts of this page\"><ul>"
                   "<li><a href=\"#history\">Runs in order of time</a></li>");
    page_link_scores(history, text);
    text_add(text, "<li><a href=\"#runs\">Runs</a></li></ul></nav>\n<section id=history>\n");
    page_history_print_section(&plots, text);
    text_add(text, "</section>\n");
    page_print_scores(history, text);
    print_runs(history, text);
    html_end(text);
    free(plots.list);
}

/* ---- a part of a database's page ---- */

void page_make_history(struct page *page)
{
    FREED struct side *sides = memory_take(page->source_count, sizeof *sides);
    const struct history_options options = {HISTORY_USUAL};
    for (size_t i = 0; i < page->source_count; i++)
        sides[i] = page->sources[i].side;
    struct history *history = arena_take(&page->arena, 1, sizeof *history);
    history_make(sides, page->source_count, &options, history);
    page->history = history;
}

void page_print_history(const struct page *page, struct text *text)
{
    if (history_is_worth(page->history)) {
        struct history_plots plots = plan_plots(page->history);
        /* The page's first sentence has the alarms. */
        text_add(text, "<section id=history>\n<h2>Runs in order of time</h2>\n<p><b>");
        HTML_SAY(text, history_add_steps(page->history, text));
        text_add(text, "</b></p>\n");
        page_history_print_section(&plots, text);
        text_add(text, "</section>\n");
        free(plots.list);
    }
}
