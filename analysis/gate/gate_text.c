// SPDX-License-Identifier: Apache-2.0
/* A gate's decision for people, as Markdown, and as workflow commands of GitHub. */
#include <string.h>

#include "analysis/gate/gate.h"
#include "analysis/page/words.h"
#include "base/quantity.h"

static const char *verdict_sentence(enum gate_verdict verdict)
{
    static const char *const sentences[] = {"passed", "FAILED", "INCONCLUSIVE: a pass would mean nothing"};
    return sentences[verdict];
}

static const char *section_title(enum gate_section section)
{
    static const char *const titles[GATE_SECTION_COUNT] = {
        [GATE_FAILURES] = "Failures",
        [GATE_DOUBTS] = "Doubts",
        [GATE_ONE_SIDED] = "Seen on one side only (does not fail the gate)",
        [GATE_VARIATION] = "Within what the baseline's own runs differ by, and not counted",
        [GATE_EXCUSED] = "Expected, and not counted"};
    return titles[section];
}

static bool has_one_sided(const struct gate *gate)
{
    return gate->one_sided.seen_in[SIDE_A] + gate->one_sided.seen_in[SIDE_B] > 0;
}

/* "1 new, 0 lost (1 undecided)", of the outcomes that are seen on one side only: no pass hides one. */
static void add_one_sided(const struct gate *gate, struct text *text)
{
    const struct gate_one_sided *counts = &gate->one_sided;
    text_add(text, "%zu new, %zu lost", counts->seen_in[SIDE_B], counts->seen_in[SIDE_A]);
    if (counts->undecided > 0)
        text_add(text, " (%zu undecided", counts->undecided);
    if (counts->expected > 0)
        text_add(text, "%s%zu expected", counts->undecided > 0 ? ", " : " (", counts->expected);
    text_add(text, "%s", counts->undecided + counts->expected > 0 ? ")" : "");
}

static void add_excuse(const struct gate_entry *entry, struct text *text)
{
    static const char *const words[] = {"known", "flaky", "skipped"};
    const struct expectation *why = entry->of->skipped ? entry->of->skipped : entry->reason->expected;
    if (!why)
        return;
    words_add(text, "$: $: ", words[why->effect], why->why);
}

/* A sentence in lines of at most 80 columns where its words allow that; `used` of the first line are taken. */
static void add_wrapped(struct text *text, const char *sentence, size_t used)
{
    enum { COLUMNS = 80, INDENT = 6 };
    const char *word = sentence;
    while (true) {
        size_t bytes = 0, columns = 0;
        for (; word[bytes] && word[bytes] != ' '; bytes++)
            columns += ((unsigned char)word[bytes] & 0xC0) != 0x80; /* the first byte of a character of UTF-8 */
        if (word > sentence && used + 1 + columns > COLUMNS) {
            text_add(text, "\n%*s", INDENT, "");
            used = INDENT;
        } else if (word > sentence) {
            text_add(text, " ");
            used++;
        }
        text_add_bytes(text, word, bytes);
        used += columns;
        if (!word[bytes])
            return;
        word += bytes + 1;
    }
}

static void print_section(const struct gate *gate, enum gate_section section, struct text *text)
{
    if (gate_section_size(gate, section) == 0)
        return;
    text_add(text, "\n%s:\n", section_title(section));
    for (size_t i = 0; i < gate->entry_count; i++) {
        const struct gate_entry *entry = &gate->entries[i];
        if (entry->section != section)
            continue;
        const char *kind = gate_kind_name(entry->reason->kind);
        text_add(text, "  %s: ", kind);
        add_excuse(entry, text);
        if (section == GATE_ONE_SIDED)
            add_wrapped(text, entry->reason->sentence, strlen(kind) + 4);
        else
            text_add(text, "%s", entry->reason->sentence);
        text_add(text, "\n");
    }
}

static void print_stale(const struct gate *gate, struct text *text)
{
    if (gate->stale_count > 0)
        text_add(text, "\nExpectations without an effect (take them out):\n");
    for (size_t i = 0; i < gate->stale_count; i++) {
        words_add(text, "  $", gate->expectations->path);
        text_add(text, ":%d: ", gate->stale[i]->line);
        words_add(text, "$: $\n", gate->stale[i]->test, gate->stale[i]->why);
    }
}

static void print_suffices(const struct gate *gate, struct text *text)
{
    if (gate->suffices > 0)
        text_add(text, "\n%s for each test would do%s.\n", QUANTITY_SECONDS(gate->suffices),
                 gate->all_known ? "" : " for those doubts whose time is known");
}

/* What a reader needs to weigh the decision. */
static void add_facts(const struct gate *gate, struct text *text)
{
    text_add(text, "Tests: %zu; compared with the baseline: %zu", gate->case_count, gate->compared);
    if (gate->compared > 0 && gate->paired == gate->compared)
        text_add(text, ", draw by draw (equal seeds)");
    else if (gate->compared > 0)
        text_add(text,
                 ", of these draw by draw: %zu (the others have other seeds, or too few batches with equal draws)",
                 gate->paired);
    if (gate->baseline_runs > 0 && gate->baseline_runs < 3)
        text_add(text, ". Runs in the baseline: %zu; from 3 on it is known how much runs differ by themselves",
                 gate->baseline_runs);
    else if (gate->baseline_runs > 0)
        text_add(text, ". Runs in the baseline: %zu", gate->baseline_runs);
    text_add(text, ".\n");
}

void gate_print_text(const struct gate *gate, struct text *text)
{
    text_add(text, "Gate %s", verdict_sentence(gate->verdict));
    if (has_one_sided(gate)) {
        text_add(text, ";%soutcomes seen on one side only: ", gate->verdict == GATE_INCONCLUSIVE ? "\n  " : " ");
        add_one_sided(gate, text);
    }
    words_add(text, ".\nA, the baseline: $", gate->comparison->side[SIDE_A]->title);
    words_add_devices(text, gate->comparison->side[SIDE_A]);
    words_add(text, "\nB, judged: $", gate->comparison->side[SIDE_B]->title);
    words_add_devices(text, gate->comparison->side[SIDE_B]);
    text_add(text, "\n");
    add_facts(gate, text);
    if (gate->nothing.sentence)
        text_add(text, "\n  %s: %s\n", gate_kind_name(gate->nothing.kind), gate->nothing.sentence);
    for (enum gate_section section = GATE_FAILURES; section < GATE_SECTION_COUNT; section++) {
        print_section(gate, section, text);
        if (section == GATE_DOUBTS)
            print_suffices(gate, text);
    }
    print_stale(gate, text);
}

/* ---- Markdown ---- */

#define markdown_add(text, ...) escape_format(text, ESCAPE_MARKDOWN, __VA_ARGS__)

static void add_markdown_table(const struct gate *gate, enum gate_section section, struct text *text)
{
    enum { MAXIMUM_ROWS = 500 }; /* a summary holds 1 MiB */
    const size_t size = gate_section_size(gate, section);
    size_t rows = 0;
    if (size == 0)
        return;
    text_add(text, "\n### %s\n\n| test | device | reason | what was seen |\n| --- | --- | --- | --- |\n",
             section_title(section));
    for (size_t i = 0; i < gate->entry_count && rows < MAXIMUM_ROWS; i++) {
        const struct gate_entry *entry = &gate->entries[i];
        struct text excuse = {0};
        if (entry->section != section)
            continue;
        rows++;
        add_excuse(entry, &excuse);
        markdown_add(text, "| $ | $ | $ | $$ |\n", entry->of->sample->row.test, entry->of->sample->row.device,
                     gate_kind_name(entry->reason->kind), text_string(&excuse), entry->reason->sentence);
        text_release(&excuse);
    }
    if (size > rows)
        text_add(text, "\n%zu more are not shown.\n", size - rows);
}

static void add_markdown_side(const char *title, const struct side *side, struct text *text)
{
    struct text devices = {0};
    words_add_devices(&devices, side);
    text_add(text, "%s: ", title);
    markdown_add(text, "$$  \n", side->title, text_string(&devices));
    text_release(&devices);
}

void gate_print_markdown(const struct gate *gate, struct text *text)
{
    text_add(text, "## orchil gate: %s\n\n", gate_verdict_name(gate->verdict));
    if (has_one_sided(gate)) {
        text_add(text, "Outcomes seen on one side only: ");
        add_one_sided(gate, text);
        text_add(text, ".\n\n");
    }
    add_markdown_side("Baseline (A)", gate->comparison->side[SIDE_A], text);
    add_markdown_side("Judged (B)", gate->comparison->side[SIDE_B], text);
    add_facts(gate, text);
    if (gate->nothing.sentence)
        text_add(text, "\nInconclusive: %s.\n", gate->nothing.sentence);
    for (enum gate_section section = GATE_FAILURES; section < GATE_SECTION_COUNT; section++) {
        add_markdown_table(gate, section, text);
        if (section == GATE_DOUBTS)
            print_suffices(gate, text);
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

void gate_print_github(const struct gate *gate, struct text *text)
{
    enum { MAXIMUM_OF_A_KIND = 10 }; /* more are dropped by GitHub, silently */
    static const char *const commands[GATE_SECTION_COUNT] = {
        [GATE_FAILURES] = "error", [GATE_DOUBTS] = "warning", [GATE_ONE_SIDED] = "notice"};
    size_t counts[GATE_SECTION_COUNT] = {0};
    if (gate->nothing.sentence && counts[GATE_DOUBTS]++ == 0)
        text_add(text, "::warning title=orchil::%s\n", gate->nothing.sentence);
    for (size_t i = 0; i < gate->entry_count; i++) {
        const struct gate_entry *entry = &gate->entries[i];
        if (!commands[entry->section] || ++counts[entry->section] > MAXIMUM_OF_A_KIND)
            continue;
        text_add(text, "::%s title=", commands[entry->section]);
        escape_format(text, ESCAPE_PROPERTY, "$ $::", entry->of->sample->row.test, gate_kind_name(entry->reason->kind));
        escape_format(text, ESCAPE_COMMAND, "$\n", entry->reason->sentence);
    }
    for (size_t i = 0; i < gate->stale_count && ++counts[GATE_DOUBTS] <= MAXIMUM_OF_A_KIND; i++) {
        escape_format(text, ESCAPE_PROPERTY, "::warning file=$", gate->expectations->path);
        text_add(text, ",line=%d::", gate->stale[i]->line);
        escape_format(text, ESCAPE_COMMAND, "this expectation of $ has no effect\n", gate->stale[i]->test);
    }
}
