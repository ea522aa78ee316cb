// SPDX-License-Identifier: Apache-2.0
/* A history for people, in lines of its reader's width. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/history/history.h"
#include "analysis/words/words.h"
#include "base/quantity.h"
#include "base/terminal/table.h"
#include "base/terminal/terminal.h"

enum { SHOWN_MOVES = 12, SHOWN_RUNS = 60, SHOWN_SCORES = 12, NAME_WIDTH = 32 };

/* ---- lines ---- */

/* Adds a sentence in lines that fit; all but the first begin with as many blanks as `indent`. */
static void add_wrapped(struct text *text, const char *first, size_t indent, const char *sentence)
{
    text_add(text, "%s", first);
    terminal_fill(text, sentence, strlen(first), indent);
    text_add(text, "\n");
}

/* ---- a series in a line ---- */

/* Eight heights: blocks, or letters where the terminal has no Unicode. */
static const char *height_of(double share)
{
    static const char *const blocks[] = {"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
                                         "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
    static const char *const letters[] = {"_", ".", ",", "-", "~", "=", "^", "#"};
    const size_t height = (size_t)fmax(0, fmin(7, floor(8 * share)));
    return terminal_has_unicode() ? blocks[height] : letters[height];
}

static double history_text_log_rate(const struct history_point *point)
{
    return log(((double)point->count + 0.5) / (double)point->counted);
}

/* A height for each run, from the lowest to the highest rate on a logarithmic scale; a blank if it has no counts. A bar
 * precedes the step. */
static void add_heights(const struct history_device *device, const struct history_series *series, size_t step,
                        struct text *text)
{
    double low = INFINITY, high = -INFINITY;
    const size_t room = terminal_fill_width(text) - 8, shown = room < SHOWN_RUNS ? room : SHOWN_RUNS;
    const size_t first = device->run_count > shown ? device->run_count - shown : 0;
    for (size_t i = 0; i < series->segment->run_count; i++) {
        low = fmin(low, history_text_log_rate(&series->points[i]));
        high = fmax(high, history_text_log_rate(&series->points[i]));
    }
    for (size_t device_run = first, i = 0; device_run < device->run_count; device_run++) {
        while (i < series->segment->run_count && series->points[i].device_run < device_run)
            i++;
        text_add(text, "%s", device_run == step && device_run > first ? "|" : "");
        const bool counted = i < series->segment->run_count && series->points[i].device_run == device_run;
        const double share =
            counted && high > low ? (history_text_log_rate(&series->points[i]) - low) / (high - low) : 0.5;
        text_add(text, "%s", counted ? height_of(share) : " ");
    }
}

/* ---- a step ---- */

static void history_text_add_rates(const struct history_move *move, struct text *text)
{
    for (int side = 0; side < 2; side++) {
        text_add(text, "%s", side == 0 ? "" : " -> ");
        if (move->count[side] == 0)
            text_add(text, "0 of %s", QUANTITY_COUNT(move->counted[side]));
        else
            text_add(text, "%#.3g", (double)move->count[side] / (double)move->counted[side]);
    }
}

/* "x1/3.06 (x1/3.2 to x1/2.9)", "x1/3.06 in 1 draw" */
static void add_interval(const struct statistics_ratio *ratio, struct text *text)
{
    history_add_measured(ratio, text);
    if (!statistics_has_interval(ratio))
        return;
    text_add(text, " (");
    history_add_ratio(ratio->interval.low, text);
    text_add(text, " to ");
    history_add_ratio(ratio->interval.high, text);
    text_add(text, ")");
}

static void print_move(const struct history_move *move, struct text *text)
{
    struct text name = {0}, figures = {0};
    history_add_series(move->series, &name);
    if (move->count[0] > 0 && move->count[1] > 0)
        add_interval(&move->ratio, &figures);
    else
        history_add_factor(move, &figures);
    text_add(&figures, "  ");
    history_text_add_rates(move, &figures);
    const size_t width = terminal_columns(text_string(&name));
    text_add(text, "     %s", text_string(&name));
    if (width > NAME_WIDTH || 5 + NAME_WIDTH + 1 + figures.size > terminal_fill_width(text))
        text_add(text, "\n         %s\n", text_string(&figures));
    else
        text_add(text, "%*s %s\n", (int)(NAME_WIDTH - width), "", text_string(&figures));
    text_release(&name);
    text_release(&figures);
}

static void history_text_print_step(const struct history *history, const struct history_device *device,
                                    const struct history_step *step, size_t number, struct text *text)
{
    struct text sentence = {0};
    char first[32];
    history_add_title(history, device, step, &sentence);
    (void)snprintf(first, sizeof first, "%2zu. ", number);
    text_add(text, "\n");
    add_wrapped(text, first, 4, text_string(&sentence));
    text_clear(&sentence);
    history_add_place(history, device, step, &sentence);
    text_add(&sentence, " ");
    history_add_cause(history, device, step, &sentence);
    add_wrapped(text, "    ", 4, text_string(&sentence));
    text_clear(&sentence);
    if (step->shared) {
        text_add(&sentence, "All weak rates by one factor: ");
        add_interval(&step->ratio, &sentence);
        text_add(&sentence, ". ");
    }
    words_add(&sentence, "What moved ($ $, 95 % intervals; rates per instance):", QUANTITY_COUNT(step->test_count),
              step->test_count == 1 ? "test" : "tests");
    add_wrapped(text, "    ", 4, text_string(&sentence));
    text_release(&sentence);
    for (size_t i = 0; i < step->move_count && i < SHOWN_MOVES; i++)
        print_move(&step->moves[i], text);
    if (step->move_count > SHOWN_MOVES)
        text_add(text, "     and %s more: --json and --page have them\n",
                 QUANTITY_COUNT(step->move_count - SHOWN_MOVES));
    text_add(text, "    The first of them by run (log scale, | before the change):\n     ");
    add_heights(device, step->moves->series, step->device_run, text);
    text_add(text, "\n");
}

/* ---- the rest ---- */

static void history_text_print_drivers(const struct history *history, const struct history_device *device,
                                       struct text *text)
{
    struct text sentence = {0};
    words_add(&sentence, "$ ($): $ $, $ series", device->device, device->backend, QUANTITY_COUNT(device->run_count),
              device->run_count == 1 ? "run" : "runs", QUANTITY_COUNT(device->searched_count));
    for (size_t device_run = 0; device_run < device->run_count; device_run++) {
        const char *driver = device->runs[device_run].facts[HISTORY_DRIVER];
        if (device_run > 0 && strcmp(driver, device->runs[device_run - 1].facts[HISTORY_DRIVER]) == 0)
            continue;
        words_add(&sentence, device_run == 0 ? "; driver $" : ", $", *driver ? driver : "(unknown)");
        text_add(&sentence, " from run ");
        history_add_run(history, device, device_run, &sentence);
    }
    text_add(&sentence, ".");
    add_wrapped(text, "", 2, text_string(&sentence));
    text_release(&sentence);
}

static void print_alarms(const struct history *history, struct text *text)
{
    struct text sentence = {0};
    if (history->alarm_count > 0)
        text_add(text, "\nMust never appear:\n");
    for (size_t i = 0; i < history->alarm_count && i < SHOWN_MOVES; i++) {
        history_add_alarm(history, &history->alarms[i], &sentence);
        add_wrapped(text, "  - ", 4, text_string(&sentence));
        text_clear(&sentence);
    }
    if (history->alarm_count > SHOWN_MOVES)
        text_add(text, "    and %s more: --json has them\n", QUANTITY_COUNT(history->alarm_count - SHOWN_MOVES));
    text_release(&sentence);
}

static bool are_of_one_series(const struct history_scored *a, const struct history_scored *b)
{
    return a->device == b->device && strcmp(a->score->dialect, b->score->dialect) == 0;
}

/* The last runs of a device and dialect, of `count`. */
static void add_scores(const struct history *history, const struct history_scored *list, size_t count,
                       struct table *table)
{
    const size_t first = count > SHOWN_SCORES ? count - SHOWN_SCORES : 0;
    table_add_heading(table, "%s (%s), %s", list->device->device, list->device->backend, list->score->dialect);
    if (first > 0)
        table_add_heading(table, "  %s earlier runs: --json and --page have them", QUANTITY_COUNT(first));
    for (size_t i = first; i < count; i++) {
        const struct mutation_score *score = &list[i].score->score;
        struct text run = {0};
        char rate[QUANTITY_SIZE];
        history_add_run(history, list[i].device, list[i].device_run, &run);
        table_add(table, "  %s", text_string(&run));
        table_add(table, "%s", list[i].device->runs[list[i].device_run].facts[HISTORY_DRIVER]);
        table_add(table, "%s", list[i].score->profile);
        table_add(table, "%s of %s", QUANTITY_COUNT(score->killed), QUANTITY_COUNT(score->mutants));
        table_add(table, "%.1f %%", 100 * mutation_score_share(score));
        table_add(table, "%s", quantity_short(mutation_score_death_rate(score), rate));
        text_release(&run);
    }
}

static void print_scores(const struct history *history, struct text *text)
{
    size_t count;
    struct history_scored *list = history_list_scores(history, &count);
    struct table table = {0};
    table_columns(&table, "Run|<Driver|Profile|>Mutants killed|>Score|>Kills per s");
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && are_of_one_series(&list[first], &list[end]);)
            end++;
        add_scores(history, &list[first], end - first, &table);
    }
    if (count > 0) {
        text_add(text, "\nMutation score, the share of the mutants whose witness was seen:\n");
        table_add_to(&table, text, terminal_fill_width(text), false, 2);
    }
    table_release(&table);
    free(list);
}

void history_print_text(const struct history *history, struct text *text)
{
    struct text sentence = {0};
    history_add_answer(history, &sentence);
    add_wrapped(text, "", 0, text_string(&sentence));
    text_release(&sentence);
    if (history->unread_count > 0)
        text_add(text, "%zu %s could not be read; standard error says why.\n", history->unread_count,
                 history->unread_count == 1 ? "database" : "databases");
    print_alarms(history, text);
    size_t number = 0;
    for (size_t i = 0; i < history->device_count; i++)
        for (size_t s = 0; s < history->devices[i]->step_count; s++)
            history_text_print_step(history, history->devices[i], &history->devices[i]->steps[s], ++number, text);
    text_add(text, "\n");
    for (size_t i = 0; i < history->device_count; i++)
        history_text_print_drivers(history, history->devices[i], text);
    print_scores(history, text);
    if (history->limit_count > 0)
        text_add(text, "\nWhat this cannot say:\n");
    for (size_t i = 0; i < history->limit_count; i++)
        add_wrapped(text, "  - ", 4, history->limits[i]);
    if (history->questions > 0) {
        struct text level = {0};
        text_add(&level, "At most %.3g %% of histories without a step have one named: ", 100 * history->options.alpha);
        words_add(&level, "t tests over runs, corrected for $ series and splits (Bonferroni); changes within x",
                  QUANTITY_COUNT(history->questions));
        text_add(&level, "%.3g do not count.", history->options.tolerance);
        text_add(text, "\n");
        add_wrapped(text, "", 0, text_string(&level));
        text_release(&level);
    }
}
