// SPDX-License-Identifier: Apache-2.0
/* A document for people at a terminal: lines of their width, with colours if it has them. */
#include <string.h>

#include "base/document/document.h"
#include "base/terminal/terminal.h"

enum { HANGING = 4 }; /* of what is below a finding's first line */

static const char blanks[] = "        "; /* as many as a finding may need */
#define BLANKS(count) (blanks + sizeof blanks - 1 - (count))

static void document_text_add_line(const char *label, const char *line, size_t indent, struct text *text)
{
    text_add(text, "%s", label);
    if (indent == DOCUMENT_RAW)
        text_add(text, "%s", line);
    else
        terminal_fill(text, line, strlen(label), indent);
    text_add(text, "\n");
}

/* Adds the first `size` bytes of a text in a style. */
static void add_styled(enum terminal_style style, const char *from, size_t size, struct text *text)
{
    text_add(text, "%s%.*s%s", style == TERMINAL_PLAIN ? "" : terminal_style(text->colours, style), (int)size, from,
             style == TERMINAL_PLAIN ? "" : terminal_style(text->colours, TERMINAL_PLAIN));
}

static void document_text_print_finding(const struct document *document, const struct document_finding *finding,
                                        struct text *text)
{
    const size_t below = document->indent + HANGING;
    struct text line = {.colours = text->colours};
    if (*finding->mark) {
        add_styled(document_severities[finding->severity].style, finding->mark, strlen(finding->mark), &line);
        text_add(&line, "  ");
    }
    if (!*finding->test && finding->row > 0)
        text_add(&line, "%s:%u: ", finding->file, finding->row);
    if (*finding->kind && !finding->plain)
        text_add(&line, "%s: ", finding->kind);
    if (*finding->excuse)
        text_add(&line, "%s: %s: ", finding->excused_as, finding->excuse);
    text_add(&line, "%s", finding->line);
    document_text_add_line(BLANKS(document->indent), text_string(&line), below, text);
    text_clear(&line);
    text_add(&line, "%s%s", finding->evidence, document->verbose ? finding->decision : "");
    if (line.size > 0)
        document_text_add_line(BLANKS(below), text_string(&line), below, text);
    if (*finding->command && !*finding->excuse)
        document_text_add_line(BLANKS(below), finding->command, DOCUMENT_RAW, text);
    text_release(&line);
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

static void print_block(const struct document *document, const struct document_block *block, struct text *text)
{
    switch (block->kind) {
    case DOCUMENT_LINE:
        document_text_add_line(block->label, block->text, block->indent, text);
        break;
    case DOCUMENT_SECTION:
        text_add(text, "\n");
        if (*block->text) {
            add_styled(TERMINAL_STRONG, block->text, strlen(block->text), text);
            text_add(text, ":\n");
        }
        break;
    case DOCUMENT_TABLE:
        table_add_to(block->table, text, terminal_fill_width(text), text->colours, block->indent);
        break;
    case DOCUMENT_FINDING:
        document_text_print_finding(document, block->finding, text);
        break;
    }
}

void document_print_text(const struct document *document, struct text *text)
{
    struct document_run run = {.of = NULL};
    struct text answer = {.colours = text->colours};
    if (document->stopped) { /* a line for logs */
        text_add(text, "%s\n", document->answer);
        return;
    }
    const size_t verdict = strcspn(document->answer, ":");
    add_styled(document->tone, document->answer, verdict, &answer);
    text_add(&answer, "%s", document->answer + verdict);
    document_text_add_line("", text_string(&answer), document->hanging, text);
    text_release(&answer);
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
