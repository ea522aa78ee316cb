// SPDX-License-Identifier: Apache-2.0
/* A document as Markdown, for a summary or a comment. */
#include "base/document/document.h"
#include "base/escape/escape.h"

#define markdown_add(text, ...) escape_format(text, ESCAPE_MARKDOWN, __VA_ARGS__)

enum { MAXIMUM_ROWS = 500 }; /* of a section: a summary holds 1 MiB */

static void print_finding(const struct document_finding *finding, struct text *text)
{
    markdown_add(text, "| $ | ", finding->kind);
    if (!*finding->test && finding->row > 0) {
        markdown_add(text, "$, ", finding->file);
        text_add(text, "line %u: ", finding->row);
    }
    if (*finding->excuse)
        markdown_add(text, "$: $: ", finding->excused_as, finding->excuse);
    /* Names, which end with two blanks each, as code; the rest as text. */
    const char *rest = finding->line, *end;
    for (unsigned names = finding->names; names > 0 && (end = strstr(rest, "  ")) != NULL; names--) {
        LOCAL(text) name = {0};
        text_add_bytes(&name, rest, (size_t)(end - rest));
        escape_add_span(text, text_string(&name));
        text_add(text, " ");
        rest = end + 2;
    }
    markdown_add(text, "$", rest);
    markdown_add(text, " | $ | ", finding->evidence);
    if (!*finding->excuse) {
        /* A command to copy, as code after the word that says what it does. */
        const char *colon = strstr(finding->command, ": "), *command = colon ? colon + 2 : finding->command;
        text_add_bytes(text, finding->command, (size_t)(command - finding->command));
        escape_add_span(text, command);
    }
    text_add(text, " |\n");
}

static void document_markdown_print_block(const struct document_block *block, size_t row, struct text *text)
{
    switch (block->kind) {
    case DOCUMENT_LINE:
        /* A line with a label is a line of its own in its paragraph. */
        if (*block->label)
            markdown_add(text, "$$  \n", block->label, block->text);
        else
            markdown_add(text, "\n$\n", block->text);
        break;
    case DOCUMENT_SECTION:
        if (*block->text)
            markdown_add(text, "\n### $\n\n", block->text);
        break;
    case DOCUMENT_TABLE:
        text_add(text, "\n");
        for (size_t i = 0; i < block->table->count; i++) {
            const size_t column = i % block->table->columns;
            markdown_add(text, "| $ ", block->table->cells[i].text);
            text_add(text, "%s", column + 1 == block->table->columns ? "|\n" : "");
            for (size_t c = 0; i + 1 == block->table->columns && c < block->table->columns; c++)
                text_add(text, "%s%s", block->table->column[c].right ? "| ---: " : "| --- ", c == column ? "|\n" : "");
        }
        break;
    case DOCUMENT_FINDING:
        if (row == 1)
            text_add(text, "| reason | what was seen | evidence | command |\n| --- | --- | --- | --- |\n");
        if (row <= MAXIMUM_ROWS)
            print_finding(block->finding, text);
        break;
    }
}

void document_print_markdown(const struct document *document, struct text *text)
{
    size_t row = 0;
    markdown_add(text, "## $: $\n", document->title, document->answer);
    if (document->page)
        markdown_add(text, "\n[Page with all rates]($)\n", document->page);
    if (!document->stopped)
        text_add(text, "\n");
    for (size_t i = 0; i < document->block_count && !document->stopped; i++) {
        const struct document_block *block = &document->blocks[i];
        const bool last = i + 1 == document->block_count || block[1].kind != DOCUMENT_FINDING;
        row = block->kind == DOCUMENT_FINDING ? row + 1 : 0;
        document_markdown_print_block(block, row, text);
        if (last && row > MAXIMUM_ROWS)
            text_add(text, "\n%zu more are not shown.\n", row - MAXIMUM_ROWS);
    }
}
