// SPDX-License-Identifier: Apache-2.0
/* A document as a part of a page: its answer for the header, and what is below it. */
#include "analysis/page/html.h"

enum { SHOWN_DOCUMENT_FINDINGS = 500 }; /* of a section */

void page_print_answer(const struct document *document, struct text *text)
{
    static const char *const classes[] = {
        [TERMINAL_BAD] = "bad", [TERMINAL_WARNING] = "doubt", [TERMINAL_GOOD] = "good"};
    html_add(text, "<p class=\"lead $\"><b>$</b></p>\n", classes[document->tone] ? classes[document->tone] : "",
             document->answer);
}

void page_print_links(const struct document *document, struct text *text)
{
    for (size_t i = 0; i < document->block_count; i++)
        if (document->blocks[i].kind == DOCUMENT_SECTION && *document->blocks[i].text) {
            text_add(text, "<li><a href=\"#part-%zu\">", i);
            html_add(text, "$</a></li>", document->blocks[i].text);
        }
}

static void print_document_finding(const struct document_finding *finding, struct text *text)
{
    text_add(text, "<li>");
    if (*finding->mark)
        html_add(text, "<b>$</b> ", finding->mark);
    if (!finding->plain && *finding->kind)
        html_add(text, "$: ", finding->kind);
    html_add(text, "$", finding->line);
    if (*finding->evidence)
        html_add(text, "<small>$$</small>", finding->evidence, finding->decision);
    if (*finding->excuse)
        html_add(text, "<small>$: $</small>", finding->excused_as, finding->excuse);
    const char *colon = strstr(finding->command, ": ");
    if (colon) {
        text_add(text, "<small>");
        text_add_bytes(text, finding->command, (size_t)(colon + 2 - finding->command));
        html_add(text, "<code>$</code></small>", colon + 2);
    }
    text_add(text, "</li>\n");
}

static void print_document_table(const struct table *table, struct text *text)
{
    text_add(text, "<div class=\"wide tall\" tabindex=0 role=region aria-label=Table><table class=rows>\n<thead>");
    for (size_t i = 0; i < table->count; i++) {
        const size_t column = i % table->columns;
        const char *cell = i < table->columns ? "th" : "td";
        text_add(text, "%s<%s%s>", column == 0 ? "<tr>" : "", cell, table->column[column].right ? " class=n" : "");
        html_add(text, "$", table->cells[i].text);
        if (column + 1 == table->columns)
            text_add(text, i < table->columns ? "</thead>\n" : "\n");
    }
    text_add(text, "</table></div>\n");
}

void page_print_document(const struct document *document, struct text *text)
{
    size_t findings = 0;
    bool open = false;
    for (size_t i = 0; i < document->block_count; i++) {
        const struct document_block *block = &document->blocks[i];
        const bool is_finding = block->kind == DOCUMENT_FINDING;
        const bool last = is_finding && (i + 1 == document->block_count || block[1].kind != DOCUMENT_FINDING);
        text_add(text, "%s", is_finding && findings == 0 ? "<ul class=findings>\n" : "");
        findings = is_finding ? findings + 1 : 0;
        if (block->kind == DOCUMENT_LINE)
            html_add(text, "<p class=asked>$$</p>\n", block->label, block->text);
        else if (block->kind == DOCUMENT_TABLE)
            print_document_table(block->table, text);
        else if (is_finding && findings <= SHOWN_DOCUMENT_FINDINGS)
            print_document_finding(block->finding, text);
        else if (block->kind == DOCUMENT_SECTION && *block->text) {
            text_add(text, "%s<section>\n", open ? "</section>\n" : "");
            text_add(text, "<h2 id=\"part-%zu\">", i);
            html_add(text, "$</h2>\n", block->text);
            open = true;
        }
        if (last && findings > SHOWN_DOCUMENT_FINDINGS)
            html_add(text, "<li>and $ more</li>\n", QUANTITY_COUNT(findings - SHOWN_DOCUMENT_FINDINGS));
        text_add(text, "%s", last ? "</ul>\n" : "");
    }
    text_add(text, "%s", open ? "</section>\n" : "");
}
