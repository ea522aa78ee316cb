// SPDX-License-Identifier: Apache-2.0
/* A history as a document. */
#include "analysis/compare/compare.h"
#include "analysis/history/history.h"
#include "analysis/words/words.h"

enum { SHOWN_MOVES = 12, SHOWN_RUNS = 60, SHOWN_SCORES = 12, INDENT = 4 };

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

/* A height for each run, from the lowest to the highest rate on a logarithmic scale; a blank if it has no counts. A bar
 * precedes the step. */
static void add_heights(const struct history_device *device, const struct history_series *series, size_t step,
                        struct text *text)
{
    double low = INFINITY, high = -INFINITY;
    const size_t room = terminal_fill_width(text) - 8, shown = room < SHOWN_RUNS ? room : SHOWN_RUNS;
    const size_t first = device->run_count > shown ? device->run_count - shown : 0;
    for (size_t i = 0; i < series->segment->run_count; i++) {
        low = fmin(low, history_log_rate(&series->points[i]));
        high = fmax(high, history_log_rate(&series->points[i]));
    }
    for (size_t device_run = first, i = 0; device_run < device->run_count; device_run++) {
        while (i < series->segment->run_count && series->points[i].device_run < device_run)
            i++;
        text_add(text, "%s", device_run == step && device_run > first ? "|" : "");
        const bool counted = i < series->segment->run_count && series->points[i].device_run == device_run;
        const double share = counted && high > low ? (history_log_rate(&series->points[i]) - low) / (high - low) : 0.5;
        text_add(text, "%s", counted ? height_of(share) : " ");
    }
}

/* ---- a step ---- */

static void add_move(const struct history_move *move, struct table *table)
{
    LOCAL(text) cell = {0};
    history_add_series(move->series, &cell);
    table_add(table, "%s", text_string(&cell));
    text_clear(&cell);
    if (move->count[0] > 0 && move->count[1] > 0)
        compare_add_factor(&cell, &move->ratio);
    else
        history_add_factor(move, &cell);
    table_add(table, "%s", text_string(&cell));
    text_clear(&cell);
    for (int side = 0; side < 2; side++) {
        text_add(&cell, "%s", side == 0 ? "" : " -> ");
        if (move->count[side] == 0)
            text_add(&cell, "0 of %s", QUANTITY_COUNT(move->counted[side]));
        else
            text_add(&cell, "%#.3g", (double)move->count[side] / (double)move->counted[side]);
    }
    table_add(table, "%s", text_string(&cell));
}

static void history_document_add_step(struct document *document, const struct history *history,
                                      const struct history_device *device, const struct history_step *step,
                                      size_t number)
{
    struct text *line = &document->line;
    document_section(document, "");
    history_add_title(history, device, step, line);
    document_line(document, arena_print(&document->arena, "%2zu. ", number), INDENT);
    history_add_place(history, device, step, line);
    text_add(line, " ");
    history_add_cause(history, device, step, line);
    document_line(document, "    ", INDENT);
    if (step->shared) {
        text_add(line, "All weak rates by one factor: ");
        compare_add_factor(line, &step->ratio);
        text_add(line, ". ");
    }
    words_add(line,
              "What moved ($, 95 % intervals; rates per instance):", WORDS_COUNTED(step->test_count, "test", "tests"));
    document_line(document, "    ", INDENT);
    struct table *table = document_table(document, "||", 5);
    for (size_t i = 0; i < step->move_count && i < SHOWN_MOVES; i++)
        add_move(&step->moves[i], table);
    if (step->move_count > SHOWN_MOVES)
        text_add(line, "and %s more: --json and --page have them\n", QUANTITY_COUNT(step->move_count - SHOWN_MOVES));
    document_line(document, "     ", DOCUMENT_RAW);
    text_add(line, "The first of them by run (log scale, | before the change):\n ");
    add_heights(device, step->moves->series, step->device_run, line);
    document_line(document, "    ", DOCUMENT_RAW);
}

/* ---- the rest ---- */

static void add_drivers(const struct history *history, const struct history_device *device, struct text *text)
{
    words_add(text, "$ ($): $ $, $ series", device->device, device->backend, QUANTITY_COUNT(device->run_count),
              device->run_count == 1 ? "run" : "runs", QUANTITY_COUNT(device->searched_count));
    for (size_t device_run = 0; device_run < device->run_count; device_run++) {
        const char *driver = device->runs[device_run].facts[HISTORY_DRIVER];
        if (device_run > 0 && strcmp(driver, device->runs[device_run - 1].facts[HISTORY_DRIVER]) == 0)
            continue;
        words_add(text, device_run == 0 ? "; driver $" : ", $", *driver ? driver : "(unknown)");
        text_add(text, " from run ");
        history_add_run(history, device, device_run, text);
    }
    text_add(text, ".");
}

static void history_document_add_alarms(struct document *document, const struct history *history)
{
    if (history->alarm_count > 0)
        document_section(document, "Must never appear");
    for (size_t i = 0; i < history->alarm_count && i < SHOWN_MOVES; i++) {
        history_add_alarm(history, &history->alarms[i], &document->line);
        document_line(document, "  - ", INDENT);
    }
    if (history->alarm_count > SHOWN_MOVES)
        text_add(&document->line, "and %s more: --json has them", QUANTITY_COUNT(history->alarm_count - SHOWN_MOVES));
    document_line(document, "    ", INDENT);
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
        LOCAL(text) run = {0};
        history_add_run(history, list[i].device, list[i].device_run, &run);
        table_add(table, "  %s", text_string(&run));
        table_add(table, "%s", list[i].device->runs[list[i].device_run].facts[HISTORY_DRIVER]);
        table_add(table, "%s", list[i].score->profile);
        table_add(table, "%s of %s", QUANTITY_COUNT(score->killed), QUANTITY_COUNT(score->mutants));
        table_add(table, "%.1f %%", 100 * mutation_score_share(score));
        table_add(table, "%s", QUANTITY_SHORT(mutation_score_death_rate(score)));
    }
}

static void add_table_of_scores(struct document *document, const struct history *history)
{
    size_t count;
    FREED struct history_scored *list = history_list_scores(history, &count);
    struct table *table = NULL;
    if (count > 0) {
        document_section(document, "Mutation score, the share of the mutants whose witness was seen");
        table = document_table(document, "Run|<Driver|Profile|>Mutants killed|>Score|>Kills per s", 2);
    }
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && are_of_one_series(&list[first], &list[end]);)
            end++;
        add_scores(history, &list[first], end - first, table);
    }
}

void history_document(const struct history *history, size_t width, struct document *document)
{
    *document = (struct document){.title = "orchil history", .line = {.width = width}};
    struct text *line = &document->line;
    history_add_answer(history, line);
    document_answer(document, history->alarm_count > 0     ? TERMINAL_BAD
                              : history_steps(history) > 0 ? TERMINAL_WARNING
                                                           : TERMINAL_GOOD);
    if (history->unread_count > 0)
        text_add(line, "%zu %s could not be read; standard error says why.", history->unread_count,
                 history->unread_count == 1 ? "database" : "databases");
    document_line(document, "", INDENT);
    history_document_add_alarms(document, history);
    size_t number = 0;
    for (size_t i = 0; i < history->device_count; i++)
        for (size_t s = 0; s < history->devices[i]->step_count; s++)
            history_document_add_step(document, history, history->devices[i], &history->devices[i]->steps[s], ++number);
    document_section(document, "");
    for (size_t i = 0; i < history->device_count; i++) {
        add_drivers(history, history->devices[i], line);
        document_line(document, "", 2);
    }
    add_table_of_scores(document, history);
    if (history->limit_count > 0)
        document_section(document, "What this cannot say");
    for (size_t i = 0; i < history->limit_count; i++) {
        text_add(line, "%s", history->limits[i]);
        document_line(document, "  - ", INDENT);
    }
    if (history->questions > 0) {
        document_section(document, "");
        text_add(line, "A history without a change is reported as changed in at most %.3g %% of cases ",
                 100 * history->options.alpha);
        words_add(line, "(t tests over runs, corrected for $ series and splits by Bonferroni). ",
                  QUANTITY_COUNT(history->questions));
        text_add(line, "Changes within a factor of %.3g do not count.", history->options.tolerance);
    }
    document_line(document, "", 0);
}
