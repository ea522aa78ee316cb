// SPDX-License-Identifier: Apache-2.0
/* A gate's decision for people, as Markdown, and as workflow commands of GitHub. */
#include <string.h>

#include "analysis/gate.h"
#include "analysis/words.h"
#include "base/quantity.h"

static const char *verdict_sentence(enum gate_verdict verdict)
{
    static const char *const sentences[] = {"passed", "FAILED", "INCONCLUSIVE: a pass would mean nothing"};
    return sentences[verdict];
}

/* Whether a reason belongs under a heading: those that decide, or those that are excused. */
static bool belongs(const struct gate_case *of, const struct gate_reason *reason, enum gate_verdict verdict,
                    bool excused)
{
    if (of->skipped || reason->expected)
        return excused;
    return !excused && gate_kind_verdict(reason->kind) == verdict;
}

static size_t count_reasons(const struct gate *gate, enum gate_verdict verdict, bool excused)
{
    size_t count = 0;
    for (size_t i = 0; i < gate->case_count; i++)
        for (size_t r = 0; r < gate->cases[i].reason_count; r++)
            count += belongs(&gate->cases[i], &gate->cases[i].reasons[r], verdict, excused);
    return count;
}

static void add_excuse(const struct gate_case *of, const struct gate_reason *reason, struct text *text)
{
    static const char *const words[] = {"known", "flaky", "skipped"};
    const struct expectation *entry = of->skipped ? of->skipped : reason->expected;
    text_add(text, "%s: ", words[entry->effect]);
    words_add_plain(text, entry->why);
    text_add(text, ": ");
}

static void print_reasons(const struct gate *gate, const char *title, enum gate_verdict verdict, bool excused,
                          struct text *text)
{
    if (count_reasons(gate, verdict, excused) == 0)
        return;
    text_add(text, "\n%s:\n", title);
    for (size_t i = 0; i < gate->case_count; i++) {
        const struct gate_case *of = &gate->cases[i];
        for (size_t r = 0; r < of->reason_count; r++) {
            if (!belongs(of, &of->reasons[r], verdict, excused))
                continue;
            text_add(text, "  %s: ", gate_kind_name(of->reasons[r].kind));
            if (excused)
                add_excuse(of, &of->reasons[r], text);
            text_add(text, "%s\n", of->reasons[r].sentence);
        }
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
    text_add(text, "Gate %s.\nA, the baseline: ", verdict_sentence(gate->verdict));
    words_add_plain(text, gate->comparison->side[SIDE_A]->title);
    words_add_devices(text, gate->comparison->side[SIDE_A]);
    text_add(text, "\nB, judged: ");
    words_add_plain(text, gate->comparison->side[SIDE_B]->title);
    words_add_devices(text, gate->comparison->side[SIDE_B]);
    text_add(text, "\n");
    add_facts(gate, text);
    if (gate->nothing.sentence)
        text_add(text, "\n  %s: %s\n", gate_kind_name(gate->nothing.kind), gate->nothing.sentence);
    print_reasons(gate, "Failures", GATE_FAIL, false, text);
    print_reasons(gate, "Doubts", GATE_INCONCLUSIVE, false, text);
    print_suffices(gate, text);
    print_reasons(gate, "Within what the baseline's own runs differ by, and not counted", GATE_PASS, false, text);
    print_reasons(gate, "Expected, and not counted", GATE_PASS, true, text);
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

static void add_markdown_rows(const struct gate *gate, enum gate_verdict verdict, bool excused, struct text *text)
{
    enum { MAXIMUM_ROWS = 500 }; /* a summary holds 1 MiB */
    size_t rows = 0;
    for (size_t i = 0; i < gate->case_count; i++) {
        const struct gate_case *of = &gate->cases[i];
        for (size_t r = 0; r < of->reason_count; r++) {
            if (!belongs(of, &of->reasons[r], verdict, excused) || ++rows > MAXIMUM_ROWS)
                continue;
            struct text excuse = {0};
            if (excused)
                add_excuse(of, &of->reasons[r], &excuse);
            text_add(text, "| ");
            add_markdown(text, of->sample->test);
            text_add(text, " | ");
            add_markdown(text, of->sample->device);
            text_add(text, " | %s | ", gate_kind_name(of->reasons[r].kind));
            add_markdown(text, text_string(&excuse));
            add_markdown(text, of->reasons[r].sentence);
            text_add(text, " |\n");
            text_release(&excuse);
        }
    }
    if (rows > MAXIMUM_ROWS)
        text_add(text, "\n%zu more are not shown.\n", rows - MAXIMUM_ROWS);
}

static void add_markdown_table(const struct gate *gate, const char *title, enum gate_verdict verdict, bool excused,
                               struct text *text)
{
    if (count_reasons(gate, verdict, excused) == 0)
        return;
    text_add(text, "\n### %s\n\n| test | device | reason | what was seen |\n| --- | --- | --- | --- |\n", title);
    add_markdown_rows(gate, verdict, excused, text);
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
    text_add(text, "## orchil gate: %s\n\nBaseline (A): ", gate_verdict_name(gate->verdict));
    add_markdown_side(text, gate->comparison->side[SIDE_A]);
    text_add(text, "  \nJudged (B): ");
    add_markdown_side(text, gate->comparison->side[SIDE_B]);
    text_add(text, "  \n");
    add_facts(gate, text);
    if (gate->nothing.sentence)
        text_add(text, "\nInconclusive: %s.\n", gate->nothing.sentence);
    add_markdown_table(gate, "Failures", GATE_FAIL, false, text);
    add_markdown_table(gate, "Doubts", GATE_INCONCLUSIVE, false, text);
    print_suffices(gate, text);
    add_markdown_table(gate, "Within what the baseline's own runs differ by, and not counted", GATE_PASS, false, text);
    add_markdown_table(gate, "Expected, and not counted", GATE_PASS, true, text);
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
    static const char *const commands[] = {[GATE_FAIL] = "error", [GATE_INCONCLUSIVE] = "warning"};
    size_t counts[GATE_INCONCLUSIVE + 1] = {0};
    if (gate->nothing.sentence && counts[GATE_INCONCLUSIVE]++ == 0)
        text_add(text, "::warning title=orchil::%s\n", gate->nothing.sentence);
    for (enum gate_verdict verdict = GATE_FAIL; verdict <= GATE_INCONCLUSIVE; verdict++) {
        for (size_t i = 0; i < gate->case_count; i++) {
            const struct gate_case *of = &gate->cases[i];
            for (size_t r = 0; r < of->reason_count; r++) {
                if (!belongs(of, &of->reasons[r], verdict, false) || ++counts[verdict] > MAXIMUM_OF_A_KIND)
                    continue;
                text_add(text, "::%s title=", commands[verdict]);
                add_command_text(text, of->sample->test, true);
                text_add(text, " %s::", gate_kind_name(of->reasons[r].kind));
                add_command_text(text, of->reasons[r].sentence, false);
                text_add(text, "\n");
            }
        }
    }
    for (size_t i = 0; i < gate->stale_count && ++counts[GATE_INCONCLUSIVE] <= MAXIMUM_OF_A_KIND; i++) {
        text_add(text, "::warning file=");
        add_command_text(text, gate->expectations->path, true);
        text_add(text, ",line=%d::this expectation of ", gate->stale[i]->line);
        add_command_text(text, gate->stale[i]->test, false);
        text_add(text, " has no effect\n");
    }
}
