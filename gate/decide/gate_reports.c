// SPDX-License-Identifier: Apache-2.0
/* A gate's decision for other programs: as JUnit XML, as Markdown, and as workflow commands of GitHub. */
#include <string.h>

#include "analysis/words/words.h"
#include "base/escape/escape.h"
#include "base/text.h"
#include "gate/decide/gate_parts.h"

/* ---- JUnit XML, in the form that Jenkins' schema and GitLab accept ---- */

/* A test suite per backend and device, a test case per litmus test. Unsound results and changes are failures; faults
 * and doubts are errors, since the test could not be judged; unsupported and skipped tests are skipped, and so are
 * tests of which only what is expected was seen, as pytest does. Changes that do not count for the exit code are not
 * failures either, but output. */

#define xml_add(text, ...) escape_format(text, ESCAPE_XML, __VA_ARGS__)

enum result { RESULT_PASSED, RESULT_FAILURE, RESULT_ERROR, RESULT_SKIPPED, RESULT_COUNT };

static bool counts(const struct gate *gate, const struct gate_reason *reason)
{
    const enum gate_class class = gate_kind_class(reason->kind);
    return !reason->expected && class != GATE_NOTE &&
           !(class == GATE_BEHAVIOUR && gate->options->fail_on == GATE_FAIL_ON_SOUNDNESS);
}

/* The gravest reason that counts decides: reasons are in that order. If none counts, the first that would, if it were
 * not expected. */
static enum result result_of(const struct gate *gate, const struct gate_case *of, const struct gate_reason **first)
{
    enum result result = RESULT_PASSED;
    *first = NULL;
    if (of->skipped || job_state_class(of->sample->row.state) == JOB_CLASS_REFUSED)
        result = RESULT_SKIPPED;
    for (size_t i = 0; i < of->reason_count && !of->skipped && !*first; i++) {
        const struct gate_reason *reason = &of->reasons[i];
        if (!counts(gate, reason))
            continue;
        const bool is_error = gate_kind_class(reason->kind) == GATE_DOUBT || reason->kind == GATE_FAULT;
        result = is_error ? RESULT_ERROR : RESULT_FAILURE;
        *first = reason;
    }
    for (size_t i = 0; i < of->reason_count && result == RESULT_PASSED; i++) {
        if (!of->reasons[i].expected || gate_kind_class(of->reasons[i].kind) == GATE_NOTE)
            continue;
        result = RESULT_SKIPPED;
        *first = &of->reasons[i];
    }
    return result;
}

static void gate_reports_add_reason(const struct gate_reason *reason, struct text *text)
{
    struct text sentence = {0};
    gate_add_sentence(reason, &sentence);
    xml_add(text, "$: $$$\n", gate_kind_name(reason->kind), text_string(&sentence), *reason->command ? "; " : "",
            reason->command);
    text_release(&sentence);
}

static void add_result(const struct gate *gate, const struct gate_case *of, struct text *text)
{
    static const char *const elements[] = {[RESULT_FAILURE] = "failure", [RESULT_ERROR] = "error"};
    const struct gate_reason *first;
    const enum result result = result_of(gate, of, &first);
    if (result == RESULT_PASSED)
        return;
    if (result == RESULT_SKIPPED) {
        xml_add(text, "      <skipped message=\"$$\"/>\n", first ? "expected: " : "",
                of->skipped ? of->skipped->why
                : first     ? first->expected->why
                            : "the device does not support the test");
        return;
    }
    xml_add(text, "      <$ message=\"$\" type=\"$\">", elements[result], first->line, gate_kind_name(first->kind));
    for (size_t i = 0; i < of->reason_count; i++)
        if (counts(gate, &of->reasons[i]))
            gate_reports_add_reason(&of->reasons[i], text);
    text_add(text, "</%s>\n", elements[result]);
}

/* Reasons that do not count are not results, but should be read. */
static void add_output(const struct gate *gate, const struct gate_case *of, struct text *text)
{
    bool open = false;
    for (size_t i = 0; i < of->reason_count; i++) {
        const struct gate_reason *reason = &of->reasons[i];
        const struct expectation *why = of->skipped ? of->skipped : reason->expected;
        if (!why && counts(gate, reason))
            continue;
        text_add(text, "%s", open ? "" : "      <system-out>");
        if (why)
            xml_add(text, "expected ($): ", why->why);
        gate_reports_add_reason(reason, text);
        open = true;
    }
    if (open)
        text_add(text, "</system-out>\n");
}

static bool same_suite(const struct sample *a, const struct sample *b)
{
    return strcmp(a->row.backend, b->row.backend) == 0 && strcmp(a->row.device, b->row.device) == 0 &&
           strcmp(a->row.driver, b->row.driver) == 0;
}

struct sums {
    size_t tests, of[RESULT_COUNT];
    double seconds;
};

/* The sums of a suite, or of all if `of` is NULL. */
static struct sums sum_suite(const struct gate *gate, const struct sample *of)
{
    struct sums sums = {.tests = 0};
    if (!of)
        sums.of[RESULT_ERROR] = sums.tests = gate->broken_count;
    const struct gate_reason *ignored;
    for (size_t i = 0; i < gate->case_count; i++) {
        if (of && !same_suite(of, gate->cases[i].sample))
            continue;
        sums.tests++;
        sums.of[result_of(gate, &gate->cases[i], &ignored)]++;
        sums.seconds += gate->cases[i].sample->row.seconds;
    }
    return sums;
}

static void add_sums(const struct sums *sums, struct text *text)
{
    text_add(text, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", sums->tests,
             sums->of[RESULT_FAILURE], sums->of[RESULT_ERROR], sums->of[RESULT_SKIPPED], sums->seconds);
}

static void gate_reports_add_case(const struct gate *gate, const struct gate_case *of, struct text *text)
{
    const struct sample *sample = of->sample;
    xml_add(text, "    <testcase name=\"$", sample->row.test);
    if (*sample->row.controls)
        xml_add(text, " (control of $)", sample->row.controls);
    xml_add(text, "\" classname=\"$.$\"", sample->row.backend, sample->row.dialect);
    text_add(text, " time=\"%.3f\">\n", sample->row.seconds);
    add_result(gate, of, text);
    add_output(gate, of, text);
    text_add(text, "    </testcase>\n");
}

/* A problem that belongs to no test, as a case: without it, a reader who sees only skipped tests would think that all
 * is well. */
static void gate_reports_add_broken(const struct gate *gate, struct text *text)
{
    const struct sums sums = {.tests = gate->broken_count, .of = {[RESULT_ERROR] = gate->broken_count}};
    text_add(text, "  <testsuite name=\"orchil gate\"");
    add_sums(&sums, text);
    for (size_t i = 0; i < gate->broken_count; i++) {
        const char *kind = gate_kind_name(gate->broken[i].kind);
        xml_add(text, "    <testcase name=\"$\" classname=\"orchil.gate\" time=\"0.000\">\n", kind);
        xml_add(text, "      <error message=\"$\" type=\"$\"/>\n    </testcase>\n", gate->broken[i].line, kind);
    }
    text_add(text, "  </testsuite>\n");
}

void gate_print_junit(const struct gate *gate, struct text *text)
{
    struct sums sums = sum_suite(gate, NULL);
    text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"orchil gate: %s\"",
             gate_verdict_name(gate->verdict));
    add_sums(&sums, text);
    if (gate->broken_count > 0)
        gate_reports_add_broken(gate, text);
    for (size_t i = 0; i < gate->case_count; i++) {
        const struct sample *first = gate->cases[i].sample;
        bool known = false;
        for (size_t before = 0; before < i && !known; before++)
            known = same_suite(gate->cases[before].sample, first);
        if (known)
            continue;
        sums = sum_suite(gate, first);
        xml_add(text, "  <testsuite name=\"$ $ $\"", first->row.backend, first->row.device, first->row.driver);
        add_sums(&sums, text);
        for (size_t j = i; j < gate->case_count; j++)
            if (same_suite(gate->cases[j].sample, first))
                gate_reports_add_case(gate, &gate->cases[j], text);
        text_add(text, "  </testsuite>\n");
    }
    text_add(text, "</testsuites>\n");
}

/* ---- Markdown ---- */

#define markdown_add(text, ...) escape_format(text, ESCAPE_MARKDOWN, __VA_ARGS__)

/* A command to copy, as code after the word that says what it does. */
static void add_command(const char *line, struct text *text)
{
    const char *colon = strstr(line, ": "), *command = colon ? colon + 2 : line;
    text_add_bytes(text, line, (size_t)(command - line));
    escape_add_span(text, command);
}

/* The test and the outcome, which begin a line and end with two blanks each, as code; the rest as text. */
static void gate_reports_add_line(const struct gate_reason *reason, struct text *text)
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

static void gate_reports_add_row(const struct gate_entry *entry, struct text *text)
{
    const struct gate_reason *reason = entry->reason;
    struct text excuse = {0};
    gate_add_excuse(entry, &excuse);
    markdown_add(text, "| $ | $", gate_kind_name(reason->kind), text_string(&excuse));
    gate_reports_add_line(reason, text);
    markdown_add(text, " | $ | ", reason->evidence);
    if (entry->section != GATE_IN_EXCUSED)
        add_command(reason->command, text);
    text_add(text, " |\n");
    text_release(&excuse);
}

static void gate_reports_add_table(const struct gate *gate, enum gate_section section, struct text *text)
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
        gate_reports_add_row(&gate->entries[i], text);
        rows++;
    }
    if (size > rows)
        text_add(text, "\n%zu more are not shown.\n", size - rows);
}

static void gate_reports_add_side(const char *title, const struct side *side, struct text *text)
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
    gate_reports_add_side("Baseline (A)", gate->comparison->side[SIDE_A], text);
    gate_reports_add_side("Judged (B)", gate->comparison->side[SIDE_B], text);
    add_paragraph(gate, gate_add_facts, text);
    add_paragraph(gate, gate_add_confounders, text);
    add_paragraph(gate, gate_add_advice, text);
    for (enum gate_section section = 0; section < GATE_SECTION_COUNT; section++) {
        gate_reports_add_table(gate, section, text);
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

/* ---- workflow commands of GitHub ---- */

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
