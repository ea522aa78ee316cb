// SPDX-License-Identifier: Apache-2.0
/* A gate's decision as Markdown, and as workflow commands of GitHub. */
#include <string.h>

#include "analysis/words/words.h"
#include "runner/gate/decide/gate_parts.h"

#define markdown_add(text, ...) escape_format(text, ESCAPE_MARKDOWN, __VA_ARGS__)

/* A command to copy, as code after the word that says what it does. */
static void add_command(const char *line, struct text *text)
{
    const char *colon = strstr(line, ": "), *command = colon ? colon + 2 : line;
    text_add_bytes(text, line, (size_t)(command - line));
    escape_add_span(text, command);
}

/* The test and the outcome, which begin a line and end with two blanks each, as code; the rest as text. */
static void add_line(const struct gate_reason *reason, struct text *text)
{
    const struct finding *finding = reason->finding;
    const char *rest = reason->line, *end;
    const bool has_outcome = finding && finding->outcome && finding->outcome->of == SAMPLE_OUTCOME;
    int names = finding && finding->kind == FINDING_SHIFT ? 0 : has_outcome ? 2 : 1;
    for (; names > 0 && (end = strstr(rest, "  ")) != NULL; names--) {
        struct text name = {0};
        text_add_bytes(&name, rest, (size_t)(end - rest));
        escape_add_span(text, text_string(&name));
        text_add(text, " ");
        text_release(&name);
        rest = end + 2;
    }
    markdown_add(text, "$", rest);
}

static void add_row(const struct gate_entry *entry, struct text *text)
{
    const struct gate_reason *reason = entry->reason;
    struct text excuse = {0};
    gate_add_excuse(entry, &excuse);
    markdown_add(text, "| $ | $", gate_kind_name(reason->kind), text_string(&excuse));
    add_line(reason, text);
    markdown_add(text, " | $ | ", reason->evidence);
    if (entry->section != GATE_IN_EXCUSED)
        add_command(reason->command, text);
    text_add(text, " |\n");
    text_release(&excuse);
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
        markdown_add(text, "| $ | $ |  | ", gate_kind_name(gate->broken[i].kind), gate->broken[i].line);
        add_command(gate->broken[i].command, text);
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
    struct text answer = {0};
    gate_add_answer(gate, &answer);
    markdown_add(text, "## orchil gate: $\n\n", text_string(&answer));
    text_release(&answer);
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
        escape_add_span(text, gate->stale[i]->test);
        text_add(text, "\n");
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
        text_add(text, "::warning title=orchil::%s\n", gate->broken[i].line);
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
