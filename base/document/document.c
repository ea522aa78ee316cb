// SPDX-License-Identifier: Apache-2.0
/* Filling a document, and the tables of severities and printers. */
#include "base/document/document.h"

const struct document_severity_row document_severities[] = {
#define DOCUMENT_SEVERITY_ROW(name, style, junit, sarif, github) {style, junit, sarif, github},
    DOCUMENT_SEVERITY_LIST(DOCUMENT_SEVERITY_ROW)};

const struct document_printer document_printers[DOCUMENT_PRINTER_COUNT] = {
#define DOCUMENT_PRINTER_ROW(name, word, meaning) {#word, meaning, document_print_##word},
    DOCUMENT_PRINTER_LIST(DOCUMENT_PRINTER_ROW)};

static const char *take_line(struct document *document)
{
    const char *taken = arena_copy(&document->arena, text_string(&document->line));
    text_clear(&document->line);
    return taken;
}

static struct document_block *document_add(struct document *document, enum document_kind kind)
{
    struct document_block *block = &ARENA_ADD(&document->arena, document->blocks, document->block_count);
    *block = (struct document_block){.kind = kind};
    return block;
}

void document_answer(struct document *document, enum terminal_style tone)
{
    const char *line = take_line(document);
    const size_t size = strcspn(line, "\n");
    document->answer = arena_copy_part(&document->arena, line, size);
    document->tone = tone;
    text_add(&document->line, "%s", line[size] ? line + size + 1 : "");
}

void document_line(struct document *document, const char *label, unsigned indent)
{
    const char *line = take_line(document);
    for (size_t size; *line; line += size + (line[size] != '\0')) {
        size = strcspn(line, "\n");
        struct document_block *block = document_add(document, DOCUMENT_LINE);
        block->label = label;
        block->indent = indent;
        block->text = arena_copy_part(&document->arena, line, size);
    }
}

void document_section(struct document *document, const char *title)
{
    document_add(document, DOCUMENT_SECTION)->text = arena_copy(&document->arena, title);
}

struct document_case *document_add_case(struct document *document, const struct document_case *of)
{
    struct arena *arena = &document->arena;
    struct document_case *added = arena_take(arena, 1, sizeof *added);
    *added = (struct document_case){.suite = arena_copy(arena, of->suite),
                                    .group = arena_copy(arena, of->group),
                                    .name = arena_copy(arena, of->name),
                                    .skipped = of->skipped ? arena_copy(arena, of->skipped) : NULL,
                                    .seconds = of->seconds};
    return ARENA_ADD(arena, document->cases, document->case_count) = added;
}

void document_find(struct document *document, const struct document_finding *finding)
{
    struct document_finding *added = arena_take(&document->arena, 1, sizeof *added);
    *added = *finding;
#define DOCUMENT_WORD_COPY(name, meaning)                                                                              \
    added->name = finding->name ? arena_copy(&document->arena, finding->name) : "";
    DOCUMENT_WORD_LIST(DOCUMENT_WORD_COPY)
    document_add(document, DOCUMENT_FINDING)->finding = added;
    struct document_case *of = finding->of;
    if (!of)
        return;
    if (of->last)
        of->last->next = added;
    else
        of->first = added;
    of->last = added;
}

struct table *document_table(struct document *document, const char *titles, unsigned indent)
{
    struct document_block *block = document_add(document, DOCUMENT_TABLE);
    block->indent = indent;
    block->table = arena_take(&document->arena, 1, sizeof *block->table);
    table_columns(block->table, titles);
    return block->table;
}

void document_release(struct document *document)
{
    for (size_t i = 0; i < document->block_count; i++)
        if (document->blocks[i].table)
            table_release(document->blocks[i].table);
    text_release(&document->line);
    arena_release(&document->arena);
}

void document_add_sentence(const struct document_finding *finding, struct text *text)
{
    const size_t size = strlen(finding->line);
    const char *between = size > 0 && finding->line[size - 1] == '.' ? " " : "; "; /* a sentence has its end */
    text_add(text, "%s%s%s%s", finding->line, *finding->evidence ? between : "", finding->evidence, finding->decision);
}
