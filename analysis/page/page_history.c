// SPDX-License-Identifier: Apache-2.0
/* A history as a page, and as a section of the page of a database: what must never appear first, then the strip, then steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/history/history_parts.h"
#include "analysis/page/history_plot.h"
#include "analysis/page/page_parts.h"
#include "base/memory.h"
#include "base/quantity.h"

/* ---- the mutation scores of runs, beside each other: of a database's page and of a history's ---- */

/* In full, so that a saved table has a number. */
static const char *write_rate(double rate, char buffer[QUANTITY_SIZE])
{
    if (rate >= 100)
        return quantity_count((uint64_t)llround(rate), buffer);
    (void)snprintf(buffer, QUANTITY_SIZE, "%.3g", rate);
    return buffer;
}

static void print_score(const struct history *history, const struct history_scored *of, struct text *text)
{
    const struct mutation_score *score = &of->score->score;
    struct text run = {0};
    char rate[QUANTITY_SIZE], share[16];
    history_add_run(history, of->device, of->device_run, &run);
    (void)snprintf(share, sizeof share, "%.1f %%", 100 * mutation_score_share(score));
    html_add(
        text,
        "<tr><th scope=row>$<td data-l=Device>$ ($)<td data-l=Driver>$<td data-l=Profile>$<td data-l=Dialect>$"
        "<td class=n data-l=\"Mutants killed\">$ of $<td class=n data-l=Score>$<td class=n data-l=\"Kills per second\">$\n",
        text_string(&run), of->device->device, of->device->backend,
        of->device->runs[of->device_run].facts[HISTORY_DRIVER], of->score->profile, of->score->dialect,
        QUANTITY_COUNT(score->killed), QUANTITY_COUNT(score->mutants), share,
        write_rate(mutation_score_death_rate(score), rate));
    text_release(&run);
}

void page_print_scores(const struct history *history, struct text *text)
{
    size_t count;
    struct history_scored *list = history_list_scores(history, &count);
    if (count > 0)
        text_add(
            text,
            "<section id=score>\n<h2>Mutation score</h2>\n<p>How well the stress brings out weak behaviour. A mutant is "
            "a weakened form of a forbidden test, and it is killed when its witness is seen. The score is the share of "
            "the mutants that were killed. Kills per second are the mean over all mutants, with 0 for those that were "
            "not killed.</p>\n<div class=wide><table class=\"stack data\" data-name=scores>\n<thead><tr><th>Run"
            "<th class=mid>Device<th>Driver<th>Profile<th>Dialect<th data-n>Mutants killed<th data-n>Score"
            "<th data-n>Kills per second</thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++)
        print_score(history, &list[i], text);
    if (count > 0)
        text_add(text, "</table></div>\n</section>\n");
    free(list);
}

void page_link_scores(const struct history *history, struct text *text)
{
    bool has = false;
    for (size_t d = 0; d < history->device_count; d++)
        for (size_t r = 0; r < history->devices[d]->run_count; r++)
            has |= history->devices[d]->runs[r].score_count > 0;
    text_add(text, "%s", has ? "<li><a href=\"#score\">Mutation score</a></li>" : "");
}

/* The most plots: of tests that moved in one step; of those that must never appear; of witnesses of a device that did not
 * step. */
enum { SHOWN_MOVES = 6, SHOWN_ALARMS = 40, SHOWN_OTHERS = 40 };

/* ---- which plots ---- */

static bool is_first_of_test(const struct history_step *step, size_t move)
{
    for (size_t i = 0; i < move; i++)
        if (step->moves[i].series->segment->test == step->moves[move].series->segment->test)
            return false;
    return true;
}

static bool has_moved(const struct history_device *device, const struct history_series *series)
{
    for (size_t s = 0; s < device->step_count; s++)
        for (size_t i = 0; i < device->steps[s].move_count; i++)
            if (device->steps[s].moves[i].series == series)
                return true;
    return false;
}

static void plan_moves(struct history_plots *plots, const struct history_device *device,
                       const struct history_step *step)
{
    for (size_t i = 0, shown = 0; i < step->move_count && shown < SHOWN_MOVES; i++)
        if (is_first_of_test(step, i)) {
            history_plan_plot(plots, device, step->moves[i].series);
            shown++;
        }
}

static void plan_others(struct history_plots *plots, const struct history *history, const struct history_device *device)
{
    size_t shown = 0;
    for (size_t t = 0; t < device->test_count; t++)
        for (size_t i = 0; i < device->tests[t]->segment_count; i++)
            for (size_t s = 0; s < device->tests[t]->segments[i]->series_count; s++) {
                const struct history_series *series = &device->tests[t]->segments[i]->series[s];
                if (series->witness && series->segment->run_count >= history->options.fewest_runs &&
                    !has_moved(device, series) && shown++ < SHOWN_OTHERS)
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
        for (size_t s = 0; s < history->devices[i]->step_count; s++)
            plan_moves(&plots, history->devices[i], &history->devices[i]->steps[s]);
    for (size_t i = 0; i < history->device_count; i++)
        plan_others(&plots, history, history->devices[i]);
    return plots;
}

/* ---- steps ---- */

static void print_moves(const struct history_step *step, struct text *text)
{
    text_add(text, "<details><summary>What moved</summary>\n<div class=wide tabindex=0 role=region "
                   "aria-label=\"What moved\"><table class=data data-name=moves>\n<thead><tr><th>Test and outcome"
                   "<th data-n>Before<th data-n>After<th data-n>Factor<th>95 %% interval</thead>\n<tbody>\n");
    for (size_t i = 0; i < step->move_count; i++) {
        const struct history_move *move = &step->moves[i];
        struct text name = {0}, factor = {0};
        history_add_series(move->series, &name);
        history_add_factor(move, &factor);
        html_add(text, "<tr><th scope=row>$<td class=n>$<td class=n>$<td class=n>$<td>$\n", text_string(&name),
                 HTML_RATE_OF(move->count[0], move->counted[0]), HTML_RATE_OF(move->count[1], move->counted[1]),
                 text_string(&factor),
                 statistics_has_interval(&move->ratio) ? HTML_INTERVAL(move->ratio.interval) : "");
        text_release(&name);
        text_release(&factor);
    }
    text_add(text, "</table></div></details>\n");
}

static void print_step(struct history_plots *plots, const struct history_device *device,
                       const struct history_step *step, size_t number, struct text *text)
{
    const struct history *history = plots->history;
    struct text title = {0}, where = {0};
    history_add_title(history, device, step, &title);
    history_add_place(history, device, step, &where);
    text_add(&where, " ");
    history_add_cause(history, device, step, &where);
    text_add(text, "<div id=step-%zu>\n", number);
    html_add(text, "<h3 data-link>$</h3>\n<p>$</p>\n", text_string(&title), text_string(&where));
    for (size_t i = 0, shown = 0; i < step->move_count && shown < SHOWN_MOVES; i++)
        if (is_first_of_test(step, i)) {
            history_print_plot(plots, step->moves[i].series, text);
            shown++;
        }
    print_moves(step, text);
    text_add(text, "</div>\n");
    text_release(&title);
    text_release(&where);
}

/* ---- the rest ---- */

/* What was planned for a device and is not there yet. */
static void print_others(struct history_plots *plots, const struct history_device *device, struct text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < plots->count; i++)
        count += plots->list[i].device == device && !plots->list[i].printed;
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
    struct text sentence = {0};
    history_add_alarm(plots->history, alarm, &sentence);
    text_add(text, "<div id=alarm-%zu>\n", index + 1);
    html_add(text, "<p data-link>\u2716 $$</p>\n", alarm->began ? "NEW: " : "", text_string(&sentence));
    if (alarm->began)
        history_print_plot(plots, alarm->series, text);
    text_add(text, "</div>\n");
    text_release(&sentence);
}

/* New ones with their plots; those that every run has shown are folded. They are in this order. */
static void print_alarms(struct history_plots *plots, struct text *text)
{
    const struct history *history = plots->history;
    size_t began = 0;
    if (history->alarm_count == 0)
        return;
    while (began < history->alarm_count && history->alarms[began].began)
        began++;
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

/* What must never appear is in bold, what moved follows it. */
static void print_answer(const struct history *history, struct text *text)
{
    struct text answer = {0}, alarms = {0};
    history_add_answer(history, &answer);
    history_add_alarms(history, &alarms);
    const bool open = history_steps(history) > 0 || history->questions == 0 || history->limit_count > 1;
    html_add(text, "<p class=\"lead $\"><b>$</b>$</p>\n",
             history->alarm_count > 0 ? "bad"
             : open                   ? "doubt"
                                      : "good",
             history->alarm_count > 0 ? text_string(&alarms) : text_string(&answer),
             history->alarm_count > 0 ? text_string(&answer) + alarms.size : "");
    text_release(&answer);
    text_release(&alarms);
}

static void print_legend(struct text *text)
{
    text_add(text,
             "<ul class=plegend>\n"
             "<li><svg width=14 height=18><line class=pwhisker x1=7 x2=7 y1=2 y2=16 /><circle cx=7 cy=9 r=3.5 /></svg> "
             "one run, with its 95 %% interval</li>\n"
             "<li><svg width=14 height=18><path class=pwhisker d=\"M7 2V15M3 10L7 15L11 10\"/></svg> "
             "not seen in this run: the rate is below the top of the line</li>\n"
             "<li><svg width=20 height=18><rect class=pband width=20 height=18 /></svg> "
             "95 %% prediction interval for a new run, from the runs before the first step</li>\n"
             "<li class=pbad><svg width=14 height=18><circle cx=7 cy=9 r=3.5 /></svg> outside of it</li>\n"
             "<li class=pbad><svg width=20 height=20><circle class=pring cx=10 cy=10 r=8 /></svg> "
             "a step begins, or an outcome that must never appear is first seen</li>\n"
             "<li><svg width=8 height=18><line class=pmarkline x1=4 x2=4 y1=0 y2=18 /></svg> a new driver</li>\n"
             "</ul>\n");
}

static void print_section(struct history_plots *plots, struct text *text)
{
    const struct history *history = plots->history;
    size_t number = 0;
    if (plots->count > 0)
        print_legend(text);
    print_alarms(plots, text);
    history_print_strips(plots, text);
    for (size_t i = 0; i < history->device_count; i++)
        for (size_t s = 0; s < history->devices[i]->step_count; s++)
            print_step(plots, history->devices[i], &history->devices[i]->steps[s], ++number, text);
    for (size_t i = 0; i < history->device_count; i++)
        print_others(plots, history->devices[i], text);
    print_limits(history, text);
}

static void history_print_section(const struct history *history, struct text *text)
{
    struct history_plots plots = plan_plots(history);
    struct text answer = {0}, alarms = {0};
    history_add_answer(history, &answer);
    history_add_alarms(history, &alarms);
    /* The page's first sentence has the alarms. */
    html_add(text, "<section id=history>\n<h2>Runs in order of time</h2>\n<p><b>$</b></p>\n",
             text_string(&answer) + alarms.size);
    text_release(&answer);
    text_release(&alarms);
    print_section(&plots, text);
    text_add(text, "</section>\n");
    free(plots.list);
}

/* ---- a page of its own ---- */

/* "Simulated GPU and 1 more, 30 runs, 2026-11-01 to 2026-11-30: history of litmus tests" */
static void add_title(const struct history *history, struct text *title)
{
    if (history->device_count > 0)
        text_add(title, "%s", history->devices[0]->device);
    if (history->device_count > 1)
        text_add(title, " and %zu more", history->device_count - 1);
    text_add(title, "%s%zu %s", history->device_count > 0 ? ", " : "", history->run_count,
             history->run_count == 1 ? "run" : "runs");
    if (history->run_count > 0 && *history->runs[0].started_at)
        text_add(title, ", %.10s to %.10s", history->runs[0].started_at,
                 history->runs[history->run_count - 1].started_at);
    text_add(title, ": history of litmus tests");
}

static void print_runs(const struct history *history, struct text *text)
{
    text_add(text, "<section id=runs>\n<h2>Runs</h2>\n<div class=wide><table class=\"stack data\" data-name=runs>\n"
                   "<thead><tr><th>Run<th>Started (UTC)<th>Device<th>Driver<th>orchil<th>Compiler<th>Host"
                   "<th>Throttling</thead>\n<tbody>\n");
    for (size_t d = 0; d < history->device_count; d++)
        for (size_t r = 0; r < history->devices[d]->run_count; r++) {
            const struct history_device *device = history->devices[d];
            const struct history_device_run *run = &device->runs[r];
            text_add(text, "<tr id=run-%zu-%zu>", d + 1, run->run + 1);
            html_add(text,
                     "<th scope=row>$<td data-l=Started>$<td data-l=Device>$ ($)<td data-l=Driver>$<td data-l=orchil>$"
                     "<td data-l=Compiler>$<td data-l=Host>$<td data-l=Throttling>$\n",
                     QUANTITY_COUNT(run->run + 1), history->runs[run->run].started_at, device->device, device->backend,
                     run->facts[HISTORY_DRIVER], run->facts[HISTORY_TOOL], run->facts[HISTORY_COMPILER],
                     run->facts[HISTORY_HOST], run->facts[HISTORY_THROTTLE]);
        }
    text_add(text, "</table></div>\n</section>\n");
}

void history_print_page(const struct history *history, struct text *text)
{
    struct history_plots plots = plan_plots(history);
    struct text title = {0};
    add_title(history, &title);
    plots.links_runs = true;
    html_start(text, text_string(&title));
    html_add(text,
             "<header>\n<h1>$</h1>\n</header>\n<nav aria-label=\"Parts of this page\"><ul>"
             "<li><a href=\"#history\">Runs in order of time</a></li>",
             text_string(&title));
    page_link_scores(history, text);
    text_add(text, "<li><a href=\"#runs\">Runs</a></li></ul></nav>\n<section id=history>\n");
    print_answer(history, text);
    print_section(&plots, text);
    text_add(text, "</section>\n");
    page_print_scores(history, text);
    print_runs(history, text);
    html_end(text);
    text_release(&title);
    free(plots.list);
}

/* ---- a part of a database's page ---- */

void page_make_history(struct page *page)
{
    struct side *sides = memory_take(page->source_count, sizeof *sides);
    const struct history_options options = {HISTORY_USUAL};
    for (size_t i = 0; i < page->source_count; i++)
        sides[i] = page->sources[i].side;
    struct history *history = arena_take(&page->arena, 1, sizeof *history);
    history_make(sides, page->source_count, &options, history);
    page->history = history;
    free(sides);
}

void page_print_history(const struct page *page, struct text *text)
{
    if (history_is_worth(page->history))
        history_print_section(page->history, text);
}
