// SPDX-License-Identifier: Apache-2.0
/* A document for people at a terminal: lines of their width, with colours if it has them. */
#include "base/document/document.h"
#include "base/escape/escape.h"

#define plain_add(text, ...) escape_format(text, ESCAPE_PLAIN, __VA_ARGS__)

enum { HANGING = 4 }; /* of what is below a finding's first line */

static const char blanks[] = "        "; /* as many as a finding may need */
#define BLANKS(count) (blanks + sizeof blanks - 1 - (count))

static void add_line(const char *label, const char *line, size_t indent, struct text *text)
{
    text_add(text, "%s", label);
    if (indent == DOCUMENT_RAW)
        text_add(text, "%s", line);
    else
        terminal_fill(text, line, strlen(label), indent);
    text_add(text, "\n");
}

static void add_styled(enum terminal_style style, const char *from, struct text *text)
{
    text_add(text, "%s", style == TERMINAL_PLAIN ? "" : terminal_style(text->colours, style));
    plain_add(text, "$", from);
    text_add(text, "%s", style == TERMINAL_PLAIN ? "" : terminal_style(text->colours, TERMINAL_PLAIN));
}

static void print_finding(const struct document *document, const struct document_finding *finding, struct text *text)
{
    const size_t below = document->indent + HANGING;
    LOCAL(text) line = {.colours = text->colours};
    if (*finding->mark) {
        add_styled(document_severities[finding->severity].style, finding->mark, &line);
        text_add(&line, "  ");
    }
    if (!*finding->test && finding->row > 0) {
        plain_add(&line, "$:", finding->file);
        text_add(&line, "%u: ", finding->row);
    }
    if (*finding->kind && !finding->plain)
        plain_add(&line, "$: ", finding->kind);
    if (*finding->excuse)
        plain_add(&line, "$: $: ", finding->excused_as, finding->excuse);
    plain_add(&line, "$", finding->line);
    add_line(BLANKS(document->indent), text_string(&line), below, text);
    text_clear(&line);
    plain_add(&line, "$$", finding->evidence, document->verbose ? finding->decision : "");
    if (line.size > 0)
        add_line(BLANKS(below), text_string(&line), below, text);
    text_clear(&line);
    plain_add(&line, "$", *finding->excuse ? "" : finding->command);
    if (line.size > 0)
        add_line(BLANKS(below), text_string(&line), DOCUMENT_RAW, text);
}

/* Findings of one kind that are beside each other: without --verbose, those that many tests share are listed for a
 * few. */
struct document_run {
    const struct document_finding *of;
    int shown;
    size_t hidden;
};

static void end_run(const struct document *document, const struct document_run *run, struct text *text)
{
    if (run->hidden > 0)
        text_add(text, "%*s%zu%s %s (--verbose lists them): %s\n", (int)document->indent, "", run->hidden,
                 run->shown > 0 ? " more" : "", run->of->kind, run->of->meaning);
}

static void print_table(const struct document *document, const struct document_block *block, struct text *text)
{
    struct table shown = *block->table;
    const size_t most = (block->most + 1) * shown.columns; /* with the titles */
    const bool cut = !document->verbose && block->most > 0 && most < shown.count;
    shown.count = cut ? most : shown.count;
    table_add_to(&shown, text, terminal_fill_width(text), text->colours, block->indent);
    if (cut)
        text_add(text, "%*s%s\n", (int)block->indent, "", block->rest);
}

static void print_block(const struct document *document, const struct document_block *block, struct text *text)
{
    LOCAL(text) line = {0};
    switch (block->kind) {
    case DOCUMENT_LINE:
        plain_add(&line, "$", block->text);
        add_line(block->label, text_string(&line), block->indent, text);
        break;
    case DOCUMENT_SECTION:
        text_add(text, "\n");
        if (*block->text) {
            add_styled(TERMINAL_STRONG, block->text, text);
            text_add(text, ":\n");
        }
        break;
    case DOCUMENT_TABLE:
        print_table(document, block, text);
        break;
    case DOCUMENT_FINDING:
        print_finding(document, block->finding, text);
        break;
    }
}

void document_print_text(const struct document *document, struct text *text)
{
    struct document_run run = {.of = NULL};
    LOCAL(text) verdict = {0}, answer = {.colours = text->colours};
    if (document->stopped) { /* a line for logs */
        plain_add(text, "$\n", document->answer);
        return;
    }
    text_add_bytes(&verdict, document->answer, strcspn(document->answer, ":"));
    add_styled(document->tone, text_string(&verdict), &answer);
    plain_add(&answer, "$", document->answer + verdict.size);
    add_line("", text_string(&answer), document->hanging, text);
    for (size_t i = 0; i < document->block_count; i++) {
        const struct document_finding *finding = document->blocks[i].finding;
        if (!finding || !run.of || strcmp(finding->kind, run.of->kind) != 0) {
            end_run(document, &run, text);
            run = (struct document_run){.of = finding};
        }
        if (finding && !document->verbose && finding->most != 0 && run.shown >= finding->most) {
            run.hidden++;
            continue;
        }
        run.shown += finding != NULL;
        print_block(document, &document->blocks[i], text);
    }
    end_run(document, &run, text);
}
