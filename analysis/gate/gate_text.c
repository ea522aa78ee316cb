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
    text_add(text, "%s: ", words[why->effect]);
    words_add_plain(text, why->why);
    text_add(text, ": ");
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

static void add_stale(const struct gate *gate, const struct expectation *entry, struct text *text)
{
    words_add_plain(text, gate->expectations->path);
    text_add(text, ":%d: ", entry->line);
}

static void print_stale(const struct gate *gate, struct text *text)
{
    if (gate->stale_count > 0)
        text_add(text, "\nExpectations without an effect (take them out):\n");
    for (size_t i = 0; i < gate->stale_count; i++) {
        text_add(text, "  ");
        add_stale(gate, gate->stale[i], text);
        words_add_plain(text, gate->stale[i]->test);
        text_add(text, ": ");
        words_add_plain(text, gate->stale[i]->why);
        text_add(text, "\n");
    }
}

static void print_suffices(const struct gate *gate, struct text *text)
{
    char buffer[QUANTITY_SIZE];
    if (gate->suffices > 0)
        text_add(text, "\n%s for each test would do%s.\n", quantity_seconds(gate->suffices, buffer),
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
    text_add(text, ".\nA, the baseline: ");
    words_add_plain(text, gate->comparison->side[SIDE_A]->title);
    words_add_devices(text, gate->comparison->side[SIDE_A]);
    text_add(text, "\nB, judged: ");
    words_add_plain(text, gate->comparison->side[SIDE_B]->title);
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

/* Text of any origin in a table's cell: what could be markup is a character reference. */
static void add_markdown(struct text *text, const char *from)
{
    struct text plain = {0};
    words_add_plain(&plain, from);
    for (const char *at = text_string(&plain); *at; at++) {
        if (strchr("\\`*_{}[]()<>#+!|&~@:", *at))
            text_add(text, "&#%d;", *at);
        else
            text_add_bytes(text, at, 1);
    }
    text_release(&plain);
}

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
        text_add(text, "| ");
        add_markdown(text, entry->of->sample->test);
        text_add(text, " | ");
        add_markdown(text, entry->of->sample->device);
        text_add(text, " | %s | ", gate_kind_name(entry->reason->kind));
        add_markdown(text, text_string(&excuse));
        add_markdown(text, entry->reason->sentence);
        text_add(text, " |\n");
        text_release(&excuse);
    }
    if (size > rows)
        text_add(text, "\n%zu more are not shown.\n", size - rows);
}

static void add_markdown_side(struct text *text, const struct side *side)
{
    struct text devices = {0};
    words_add_devices(&devices, side);
    add_markdown(text, side->title);
    add_markdown(text, text_string(&devices));
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
    text_add(text, "Baseline (A): ");
    add_markdown_side(text, gate->comparison->side[SIDE_A]);
    text_add(text, "  \nJudged (B): ");
    add_markdown_side(text, gate->comparison->side[SIDE_B]);
    text_add(text, "  \n");
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
        text_add(text, "- ");
        add_markdown(text, gate->expectations->path);
        text_add(text, ", line %d: ", gate->stale[i]->line);
        add_markdown(text, gate->stale[i]->test);
        text_add(text, "\n");
    }
}

/* ---- GitHub ---- */

/* The escapes of workflow commands; in a property ':' and ',' too. */
static void add_command_text(struct text *text, const char *from, bool property)
{
    struct text plain = {0};
    words_add_plain(&plain, from);
    for (const char *at = text_string(&plain); *at; at++) {
        if (*at == '%' || (property && (*at == ':' || *at == ',')))
            text_add(text, "%%%02X", (unsigned)*at);
        else
            text_add_bytes(text, at, 1);
    }
    text_release(&plain);
}

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
        add_command_text(text, entry->of->sample->test, true);
        text_add(text, " %s::", gate_kind_name(entry->reason->kind));
        add_command_text(text, entry->reason->sentence, false);
        text_add(text, "\n");
    }
    for (size_t i = 0; i < gate->stale_count && ++counts[GATE_DOUBTS] <= MAXIMUM_OF_A_KIND; i++) {
        text_add(text, "::warning file=");
        add_command_text(text, gate->expectations->path, true);
        text_add(text, ",line=%d::this expectation of ", gate->stale[i]->line);
        add_command_text(text, gate->stale[i]->test, false);
        text_add(text, " has no effect\n");
    }
}
