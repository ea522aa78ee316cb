// SPDX-License-Identifier: Apache-2.0
/* A gate's decision as Markdown, and as workflow commands of GitHub. */
#include <string.h>

#include "analysis/words/words.h"
#include "runner/gate/decide/gate_parts.h"

#define markdown_add(text, ...) escape_format(text, ESCAPE_MARKDOWN, __VA_ARGS__)

/* A command to copy, as code after the word that says what it does: between more backticks than it
 * has in a row. A `|` would end the cell, and cannot be escaped for a shell and for Markdown at
 * once: such a command is not code. */
static void add_code(const char *line, struct text *text)
{
    const char *colon = strstr(line, ": "), *command = colon ? colon + 2 : line;
    size_t longest = 0, length = 0;
    text_add_bytes(text, line, (size_t)(command - line));
    for (const char *c = command; *c; c++) {
        length = *c == '`' ? length + 1 : 0;
        longest = length > longest ? length : longest;
    }
    if (!*command || strchr(command, '|')) {
        markdown_add(text, "$", command);
        return;
    }
    for (size_t i = 0; i <= longest; i++)
        text_add(text, "`");
    escape_format(text, ESCAPE_PLAIN, longest > 0 ? " $ " : "$", command);
    for (size_t i = 0; i <= longest; i++)
        text_add(text, "`");
}

static void add_row(const struct gate_entry *entry, struct text *text)
{
    const struct gate_reason *reason = entry->reason;
    struct text seen = {0};
    gate_add_excuse(entry, &seen);
    text_add(&seen, "%s", reason->line);
    markdown_add(text, "| $ | $ | $ | ", gate_kind_name(reason->kind), text_string(&seen), reason->evidence);
    if (entry->section != GATE_IN_EXCUSED)
        add_code(reason->command, text);
    text_add(text, " |\n");
    text_release(&seen);
}

static void add_table(const struct gate *gate, enum gate_section section, struct text *text)
{
    enum { MAXIMUM_ROWS = 500 }; /* a summary holds 1 MiB */
    const size_t size = gate_section_size(gate, section);
    const size_t broken = section == GATE_IN_DOUBTS ? gate->broken_count : 0;
    size_t rows = 0;
    if (size + broken == 0)
        return;
    text_add(text, "\n### %s\n\n| reason | what was seen | evidence | command |\n| --- | --- | --- | --- |\n",
             gate_section_title(section));
    for (size_t i = 0; i < broken; i++) {
        markdown_add(text, "| $ | $ |  | ", gate_kind_name(gate->broken[i].kind), gate->broken[i].sentence);
        add_code(gate->broken[i].command, text);
        text_add(text, " |\n");
    }
    for (size_t i = 0; i < gate->entry_count && rows < MAXIMUM_ROWS; i++) {
        if (gate->entries[i].section != section)
            continue;
        add_row(&gate->entries[i], text);
        rows++;
    }
    if (size > rows)
        text_add(text, "\n%zu more are not shown.\n", size - rows);
}

static void add_side(const char *title, const struct side *side, struct text *text)
{
    struct text devices = {0};
    words_add_devices(&devices, side);
    text_add(text, "%s: ", title);
    markdown_add(text, "$$  \n", side->title, text_string(&devices));
    text_release(&devices);
}

static void add_paragraph(const struct gate *gate, void (*add)(const struct gate *gate, struct text *text),
                          struct text *text)
{
    struct text line = {0};
    add(gate, &line);
    if (line.size > 0)
        markdown_add(text, "\n$\n", text_string(&line));
    text_release(&line);
}

void gate_print_markdown(const struct gate *gate, struct text *text)
{
    text_add(text, "## orchil gate: ");
    gate_add_answer(gate, text);
    text_add(text, "\n\n");
    add_side("Baseline (A)", gate->comparison->side[SIDE_A], text);
    add_side("Judged (B)", gate->comparison->side[SIDE_B], text);
    add_paragraph(gate, gate_add_facts, text);
    add_paragraph(gate, gate_add_confounders, text);
    add_paragraph(gate, gate_add_advice, text);
    for (enum gate_section section = 0; section < GATE_SECTION_COUNT; section++) {
        add_table(gate, section, text);
        if (section == GATE_IN_DOUBTS)
            add_paragraph(gate, gate_add_suffices, text);
    }
    if (gate->stale_count > 0)
        text_add(text, "\n### Expectations without an effect\n\n");
    for (size_t i = 0; i < gate->stale_count; i++) {
        markdown_add(text, "- $", gate->expectations->path);
        text_add(text, ", line %d: ", gate->stale[i]->line);
        markdown_add(text, "$\n", gate->stale[i]->test);
    }
}

/* ---- GitHub ---- */

static void add_annotation(const struct gate_entry *entry, const char *command, struct text *text)
{
    const struct gate_reason *reason = entry->reason;
    text_add(text, "::%s title=", command);
    escape_format(text, ESCAPE_PROPERTY, "$ $::", entry->of->sample->row.test, gate_kind_name(reason->kind));
    escape_format(text, ESCAPE_COMMAND, "$", reason->line);
    if (*reason->evidence)
        escape_format(text, ESCAPE_COMMAND, "; $", reason->evidence);
    if (*reason->command)
        escape_format(text, ESCAPE_COMMAND, "; $", reason->command);
    text_add(text, "\n");
}

void gate_print_github(const struct gate *gate, struct text *text)
{
    enum { ERRORS, WARNINGS, NOTICES, COMMANDS, MAXIMUM_OF_A_KIND = 10 }; /* more are dropped by GitHub, silently */
    static const char *const commands[COMMANDS] = {"error", "warning", "notice"};
    static const int command_of[GATE_SECTION_COUNT] = {
        [GATE_IN_SOUNDNESS] = ERRORS,  [GATE_IN_BEHAVIOUR] = ERRORS, [GATE_IN_DOUBTS] = WARNINGS,
        [GATE_IN_ONE_SIDED] = NOTICES, [GATE_IN_NOTES] = COMMANDS,   [GATE_IN_EXCUSED] = COMMANDS};
    size_t counts[COMMANDS + 1] = {0};
    for (size_t i = 0; i < gate->broken_count && ++counts[WARNINGS] <= MAXIMUM_OF_A_KIND; i++)
        text_add(text, "::warning title=orchil::%s\n", gate->broken[i].sentence);
    for (size_t i = 0; i < gate->entry_count; i++) {
        const enum gate_section section = gate->entries[i].section;
        const bool counts_not = section == GATE_IN_BEHAVIOUR && gate->options->fail_on == GATE_FAIL_ON_SOUNDNESS;
        const int command = counts_not ? WARNINGS : command_of[section];
        if (command != COMMANDS && ++counts[command] <= MAXIMUM_OF_A_KIND)
            add_annotation(&gate->entries[i], commands[command], text);
    }
    for (size_t i = 0; i < gate->stale_count && ++counts[WARNINGS] <= MAXIMUM_OF_A_KIND; i++) {
        escape_format(text, ESCAPE_PROPERTY, "::warning file=$", gate->expectations->path);
        text_add(text, ",line=%d::", gate->stale[i]->line);
        escape_format(text, ESCAPE_COMMAND, "this expectation of $ has no effect\n", gate->stale[i]->test);
    }
}
