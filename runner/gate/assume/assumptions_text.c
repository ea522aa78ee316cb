// SPDX-License-Identifier: Apache-2.0
/* Assumptions on a page of text, for a terminal and for an issue. */
#include <inttypes.h>
#include <string.h>

#include "base/quantity.h"
#include "base/terminal/table.h"
#include "runner/gate/assume/assumptions.h"

static enum terminal_style style_of(enum assumption_answer answer)
{
    static const enum terminal_style styles[] = {[ASSUMPTION_BROKEN] = TERMINAL_BAD,
                                                 [ASSUMPTION_FAILED] = TERMINAL_BAD,
                                                 [ASSUMPTION_UNKNOWN] = TERMINAL_WARNING,
                                                 [ASSUMPTION_UNSUPPORTED] = TERMINAL_PLAIN,
                                                 [ASSUMPTION_HOLDS] = TERMINAL_GOOD};
    return styles[answer];
}

static void add_head(const struct assumptions *of, struct text *text)
{
    terminal_add(text, "%s on %s (%s:%u%s%s)\n", of->tool, of->device, of->backend, of->index,
                 of->architecture[0] ? ", " : "", of->architecture);
    terminal_add(text, "driver %s%s%s%s%s, %s\n", of->driver, of->compiler[0] ? ", compiler " : "", of->compiler,
                 of->platform[0] ? ", " : "", of->platform, of->when);
    terminal_add(text, "%zu assumption%s, %s each, profile %s, seed %" PRIu64 "\n", of->count,
                 of->count == 1 ? "" : "s", QUANTITY_SECONDS(of->seconds), of->profile, of->seed);
}

static void add_row(const struct assumption *assumption, struct table *table)
{
    const enum assumption_answer answer = assumption_answer(assumption);
    const struct assumption_job *itself = &assumption->itself;
    char instances[QUANTITY_SIZE];
    table_add_styled(table, style_of(answer), "%s", assumption_word(answer));
    table_add(table, "%s", itself->test);
    if (itself->witnesses > 0)
        table_add(table, "%s", QUANTITY_COUNT(itself->witnesses));
    else if (answer == ASSUMPTION_HOLDS)
        table_add(table, "< %.1e", assumption_bound(assumption));
    else
        table_add(table, "%s", itself->instances > 0 ? "0" : "");
    table_add(table, "%s", itself->instances > 0 ? quantity_short((double)itself->instances, instances) : "");
    if (assumption->planted.witnesses > 0)
        table_add(table, "in %s", QUANTITY_SECONDS(assumption->planted.seconds));
    else
        table_add(table, "%s", assumption->planted.instances > 0 ? "NOT SEEN" : "-");
}

static void add_table(const struct assumptions *of, size_t width, bool colours, struct text *text)
{
    struct table table = {0};
    table_columns(&table, "answer|assumption|>seen|>instances|planted seen");
    for (size_t i = 0; i < of->count; i++)
        add_row(&of->list[i], &table);
    terminal_add(text, "\n");
    table_add_to(&table, text, width, colours, 0);
    table_release(&table);
}

enum { INDENT = 4 }; /* of the pieces that a line of details is broken into */

static void add_line(struct text *text, size_t width, const char *title, const char *words)
{
    struct text line = {0};
    if (!words[0])
        return;
    terminal_add(&line, "  %s %s", title, words);
    terminal_wrap_line(text, text_string(&line), line.size, width, INDENT);
    text_add(text, "\n");
    text_release(&line);
}

static void add_details(const struct assumption *assumption, size_t width, bool colours, struct text *text)
{
    const enum assumption_answer answer = assumption_answer(assumption);
    struct text figures = {0}, planted = {0};
    assumption_add_figures(assumption, &figures);
    assumption_add_planted(assumption, &planted);
    terminal_add(text, "\n%s: %s%s%s\n", assumption->itself.test, terminal_style(colours, style_of(answer)),
                 assumption_word(answer), terminal_style(colours, TERMINAL_PLAIN));
    add_line(text, width, "Assumed:", assumption->assumes);
    add_line(text, width, "Found:", text_string(&figures));
    if (answer != ASSUMPTION_UNSUPPORTED && assumption->planted.witnesses == 0)
        add_line(text, width, "Planted violation:", text_string(&planted));
    add_line(text, width, "Relied on by:", assumption->relies);
    add_line(text, width, assumption->promised ? "Promised:" : "Not promised:", assumption->promises);
    add_line(text, width, "Promised instead:", assumption->instead);
    text_release(&figures);
    text_release(&planted);
}

/* Unsupported assumptions in one line for each reason: nothing was found out about them. */
static void add_unsupported(const struct assumptions *of, size_t width, struct text *text)
{
    for (size_t i = 0; i < of->count; i++) {
        const char *reason = of->list[i].itself.reason;
        size_t alike = 0, before = 0;
        for (size_t j = 0; j < of->count; j++)
            if (assumption_answer(&of->list[j]) == ASSUMPTION_UNSUPPORTED &&
                strcmp(of->list[j].itself.reason, reason) == 0) {
                alike++;
                before += j < i;
            }
        if (assumption_answer(&of->list[i]) != ASSUMPTION_UNSUPPORTED || before > 0)
            continue;
        struct text line = {0};
        terminal_add(&line, "%zu of the %zu assumptions cannot run on this device: %s", alike, of->count, reason);
        text_add(text, "\n");
        terminal_wrap_line(text, text_string(&line), line.size, width, 2);
        text_add(text, "\n");
        text_release(&line);
    }
}

void assumptions_print_text(const struct assumptions *assumptions, bool colours, size_t width, struct text *text)
{
    struct text sum = {0};
    assumptions_add_sum(assumptions, &sum);
    add_head(assumptions, text);
    terminal_add(text, "%s%s%s%s\n", terminal_style(colours, TERMINAL_STRONG), text_string(&sum),
                 assumptions->signal > 0 ? "; interrupted" : "", terminal_style(colours, TERMINAL_PLAIN));
    add_table(assumptions, width, colours, text);
    add_unsupported(assumptions, width, text);
    for (size_t i = 0; i < assumptions->count; i++)
        if (assumption_answer(&assumptions->list[i]) != ASSUMPTION_UNSUPPORTED)
            add_details(&assumptions->list[i], width, colours, text);
    terminal_add(text, "\n\"Holds so far\" promises nothing: it is what was seen here, in this time.\n");
    terminal_add(text, "Stored in %s: run %" PRId64 ", planted violations run %" PRId64 "\n", assumptions->database,
                 assumptions->run, assumptions->planted_run);
    text_release(&sum);
}
