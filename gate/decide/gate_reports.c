// SPDX-License-Identifier: Apache-2.0
/* A gate's decision for other programs: as JSON, in which figures are numbers and unknown ones null, as JUnit XML, as
 * Markdown, and as workflow commands of GitHub. */
#include <math.h>
#include <string.h>

#include "analysis/words/words.h"
#include "base/escape/escape.h"
#include "base/json.h"
#include "base/text.h"
#include "gate/decide/gate_parts.h"

static json_t *gate_reports_pack_text(const char *text)
{
    return text && *text ? json_text(text) : json_null();
}

static json_t *pack_expectation(const struct expectation *entry)
{
    static const char *const effects[] = {"known", "flaky", "skip"};
    if (!entry)
        return json_null();
    return json_pack("{ss so so si}", "effect", effects[entry->effect], "test", json_text(entry->test), "why",
                     json_text(entry->why), "line", entry->line);
}

static uint64_t counted_on(const struct finding *finding, int side)
{
    return finding->sample[side] ? sample_size(finding->sample[side], finding->outcome->of) : 0;
}

static json_t *pack_ratio(const struct statistics_ratio *ratio)
{
    const bool known = statistics_has_interval(ratio);
    return json_pack("{so ss so so}", "ratio", json_number(ratio->ratio), "kind",
                     statistics_ratio_kind_name(ratio->kind), "low",
                     known ? json_number(ratio->interval.low) : json_null(), "high",
                     known ? json_number(ratio->interval.high) : json_null());
}

/* The decision on a question, and how it was made. */
static json_t *pack_rate(const struct rate *rate)
{
    if (!rate)
        return json_null();
    return json_pack(
        "{so so so so sb so so so so}", "count", words_pack_counts(rate->count[SIDE_A], rate->count[SIDE_B]), "counted",
        words_pack_counts(rate->counted[SIDE_A], rate->counted[SIDE_B]), "runs",
        words_pack_counts(rate->spread[SIDE_A].runs, rate->spread[SIDE_B].runs), "seen_in_runs",
        words_pack_counts(rate->spread[SIDE_A].seen_in_runs, rate->spread[SIDE_B].seen_in_runs), "by_runs",
        rate->by_runs, "change", pack_ratio(&rate->ratio), "p",
        json_number(rate->by_runs ? rate->adjusted : rate->within_adjusted), "degrees_of_freedom",
        rate->by_runs ? json_number(rate->decision.freedom) : json_null(), "baseline_span",
        rate->measure.runs[STATISTICS_A] > 1 ? json_number(rate->measure.span[STATISTICS_A]) : json_null());
}

/* The figures of a line, A first; null if a reason is not about an outcome. */
static json_t *pack_figures(const struct finding *finding)
{
    if (!finding || !finding->outcome)
        return json_null();
    const struct sample_spread *a = &finding->spread[SIDE_A], *b = &finding->spread[SIDE_B];
    return json_pack("{so so so so so so so so}", "outcome", json_text(finding->outcome->label), "count",
                     words_pack_counts(finding->count[SIDE_A], finding->count[SIDE_B]), "counted",
                     words_pack_counts(counted_on(finding, SIDE_A), counted_on(finding, SIDE_B)), "batches",
                     words_pack_counts(a->batches, b->batches), "seen_in_batches",
                     words_pack_counts(a->seen_in, b->seen_in), "runs", words_pack_counts(a->runs, b->runs),
                     "seen_in_runs", words_pack_counts(a->seen_in_runs, b->seen_in_runs), "rate",
                     pack_rate(finding->rate));
}

/* The command itself, without the word before it. */
static json_t *pack_command(const char *command)
{
    const char *colon = strstr(command, ": ");
    return colon ? json_text(colon + 2) : json_null();
}

static json_t *pack_reason(const struct gate_reason *reason)
{
    struct text sentence = {0};
    gate_add_sentence(reason, &sentence);
    json_t *object = json_pack("{ss ss so so so so so so so so so}", "kind", gate_kind_name(reason->kind), "class",
                               gate_class_name(gate_kind_class(reason->kind)), "line", json_text(reason->line),
                               "evidence", gate_reports_pack_text(reason->evidence), "sentence",
                               json_text(text_string(&sentence)), "figures", pack_figures(reason->finding), "reruns",
                               pack_rate(reason->again), "other_draws", pack_rate(reason->other), "seconds_needed",
                               reason->suffices > 0 ? json_real(reason->suffices) : json_null(), "command",
                               pack_command(reason->command), "expected", pack_expectation(reason->expected));
    text_release(&sentence);
    return object;
}

static json_t *pack_cases(const struct gate *gate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < gate->case_count; i++) {
        const struct gate_case *of = &gate->cases[i];
        const struct sample *sample = of->sample;
        json_t *reasons = json_array();
        for (size_t r = 0; r < of->reason_count; r++)
            json_append(reasons, pack_reason(&of->reasons[r]));
        json_append(array, json_pack("{so so so so so so sb ss so so}", "test", json_text(sample->row.test), "dialect",
                                     json_text(sample->row.dialect), "backend", json_text(sample->row.backend),
                                     "device", json_text(sample->row.device), "driver", json_text(sample->row.driver),
                                     "control_of", json_text(sample->row.controls), "compared", of->compared, "verdict",
                                     gate_verdict_name(of->verdict), "skipped", pack_expectation(of->skipped),
                                     "reasons", reasons));
    }
    return array;
}

static json_t *pack_counts(const struct gate *gate)
{
    const struct gate_counts *counts = &gate->counts;
    json_t *kinds = json_object();
    for (enum gate_kind kind = 0; kind < GATE_KIND_COUNT; kind++)
        (void)json_object_set_new(kinds, gate_kind_name(kind), json_count(counts->of_kind[kind]));
    return json_pack("{so so so so so so so so so so so}", "soundness", json_count(counts->of_class[GATE_SOUNDNESS]),
                     "behaviour", json_count(counts->of_class[GATE_BEHAVIOUR]), "doubts",
                     json_count(counts->of_class[GATE_DOUBT]), "undecided", json_count(counts->undecided),
                     "unsupported", json_count(counts->unsupported), "expected", json_count(counts->expected), "new",
                     json_count(counts->seen_in[SIDE_B]), "lost", json_count(counts->seen_in[SIDE_A]), "mutants",
                     json_count(gate->needs[GATE_NEED_MUTANTS].of), "mutants_seen",
                     json_count(gate->needs[GATE_NEED_MUTANTS].have), "kinds", kinds);
}

static json_t *pack_needs(const struct gate *gate)
{
    json_t *array = json_array();
    for (enum gate_need need = 0; need < GATE_NEED_COUNT; need++)
        json_append(array,
                    json_pack("{ss so so sb}", "need", gate_need_name(need), "have", json_count(gate->needs[need].have),
                              "of", json_count(gate->needs[need].of), "met", gate->needs[need].met));
    return array;
}

static json_t *pack_broken(const struct gate *gate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < gate->broken_count; i++)
        json_append(array,
                    json_pack("{ss so so}", "kind", gate_kind_name(gate->broken[i].kind), "sentence",
                              json_text(gate->broken[i].line), "command", pack_command(gate->broken[i].command)));
    return array;
}

static json_t *pack_remarks(const struct gate *gate)
{
    json_t *array = json_array();
    for (size_t i = 0; i < gate->comparison->remark_count; i++) {
        const struct remark *remark = &gate->comparison->remarks[i];
        json_append(array, json_pack("{ss so so so}", "what", remark->what, "a", json_text(remark->value[SIDE_A]), "b",
                                     json_text(remark->value[SIDE_B]), "tests", json_count(remark->tests)));
    }
    return array;
}

static json_t *pack_runs(const struct gate *gate)
{
    return json_pack("{so so so sb}", "baseline", json_count(gate->comparison->runs[SIDE_A]), "judged",
                     json_count(gate->comparison->runs[SIDE_B]), "reruns", json_count(gate->reruns), "other_draws",
                     gate->passes.other != NULL);
}

void gate_print_json(const struct gate *gate, struct text *text)
{
    const struct side *a = gate->comparison->side[SIDE_A], *b = gate->comparison->side[SIDE_B];
    json_t *stale = json_array();
    for (size_t i = 0; i < gate->stale_count; i++)
        json_append(stale, pack_expectation(gate->stale[i]));
    json_t *document = json_pack(
        "{ss si ss so so so s{so so} s{so so} so so so so so so so so so}", "verdict", gate_verdict_name(gate->verdict),
        "exit_code", gate->exit_code, "fail_on",
        gate->options->fail_on == GATE_FAIL_ON_SOUNDNESS ? "soundness" : "behaviour", "counts", pack_counts(gate), "a",
        json_text(a->title), "b", json_text(b->title), "models_changed", "a", side_pack_changes(a), "b",
        side_pack_changes(b), "unread", "a", side_pack_unread(a->unread, a->unread_count), "b",
        side_pack_unread(b->unread, b->unread_count), "needs", pack_needs(gate), "broken", pack_broken(gate),
        "compared", json_count(gate->needs[GATE_NEED_DRAWS].of), "draw_by_draw",
        json_count(gate->needs[GATE_NEED_DRAWS].have), "runs", pack_runs(gate), "differs", pack_remarks(gate),
        "seconds_needed", gate->suffices > 0 ? json_real(gate->suffices) : json_null(), "cases", pack_cases(gate),
        "stale", stale);
    json_add_document(JSON_GATE, document, text);
}

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
