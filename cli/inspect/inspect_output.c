// SPDX-License-Identifier: Apache-2.0
/* The results of an inspection: for people, as JSON and as JUnit XML. */
#include "cli/inspect/inspect_output.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/terminal/table.h"

struct inspect_tally inspect_tally(const struct inspected *results, size_t count)
{
    struct inspect_tally tally = {0};
    for (size_t i = 0; i < count; i++)
        tally.states[results[i].inspection.kept]++;
    return tally;
}

/* ---- for people ---- */

static void print_findings(const struct selected_test *selected, const struct inspected *result)
{
    const bool colours = terminal_has_colours(stdout);
    terminal_print(stdout, "%s%s%s (%s): %snot kept%s\n", terminal_style(colours, TERMINAL_STRONG),
                   selected->test->name, terminal_style(colours, TERMINAL_PLAIN),
                   litmus_dialect_name(selected->test->dialect), terminal_style(colours, TERMINAL_WARNING),
                   terminal_style(colours, TERMINAL_PLAIN));
    for (size_t i = 0; i < result->inspection.finding_count; i++)
        terminal_print(stdout, "  %s: %s\n", inspect_fault_word(result->inspection.findings[i].fault),
                       result->inspection.findings[i].text);
}

/* Tests that were not inspected, as a line for each reason. */
static void print_reasons(const struct selection *selection, const struct inspected *results)
{
    bool *is_printed = memory_take(selection->count, sizeof *is_printed);
    for (size_t i = 0; i < selection->count; i++) {
        size_t same = 0;
        if (is_printed[i] || results[i].inspection.kept != TEST_NOT_INSPECTED)
            continue;
        for (size_t j = i; j < selection->count; j++)
            if (results[j].inspection.kept == TEST_NOT_INSPECTED &&
                strcmp(results[j].inspection.reason, results[i].inspection.reason) == 0) {
                is_printed[j] = true;
                same++;
            }
        terminal_print(stdout, "not inspected: %s", selection->tests[i].test->name);
        if (same > 1)
            terminal_print(stdout, " and %zu more", same - 1);
        terminal_print(stdout, ": %s\n", results[i].inspection.reason);
    }
    free(is_printed);
}

static bool same_family(const struct selected_test *a, const struct selected_test *b)
{
    const size_t length = catalogue_family(a->file);
    return length == catalogue_family(b->file) && memcmp(a->file, b->file, length) == 0;
}

static void print_families(const struct selection *selection, const struct inspected *results)
{
    struct table table = {0};
    bool *is_printed = memory_take(selection->count, sizeof *is_printed);
    table_columns(&table, "~family|>kept|>not kept|>not inspected");
    for (size_t i = 0; i < selection->count; i++) {
        struct inspect_tally tally = {0};
        for (size_t j = i; j < selection->count && !is_printed[i]; j++)
            if (same_family(&selection->tests[i], &selection->tests[j])) {
                tally.states[results[j].inspection.kept]++;
                is_printed[j] = j > i;
            }
        if (is_printed[i])
            continue;
        table_add(&table, "%.*s", (int)catalogue_family(selection->tests[i].file), selection->tests[i].file);
        table_add(&table, "%zu", tally.states[TEST_KEPT]);
        table_add(&table, "%zu", tally.states[TEST_NOT_KEPT]);
        table_add(&table, "%zu", tally.states[TEST_NOT_INSPECTED]);
    }
    table_print(&table, stdout, 2);
    table_release(&table);
    free(is_printed);
}

void inspect_print_text(const struct selection *selection, const struct inspected *results)
{
    const struct inspect_tally tally = inspect_tally(results, selection->count);
    const char *compiler = "";
    for (size_t i = 0; i < selection->count; i++) {
        if (results[i].inspection.kept == TEST_NOT_KEPT)
            print_findings(&selection->tests[i], &results[i]);
        compiler = results[i].compiler[0] ? results[i].compiler : compiler;
    }
    print_reasons(selection, results);
    if (selection->count > 1) {
        terminal_print(stdout, "\n");
        print_families(selection, results);
        terminal_print(stdout, "\n");
    }
    terminal_print(stdout, "%zu of %zu %s kept, %zu not kept, %zu not inspected%s%s\n", tally.states[TEST_KEPT],
                   selection->count, selection->count == 1 ? "test" : "tests", tally.states[TEST_NOT_KEPT],
                   tally.states[TEST_NOT_INSPECTED], *compiler ? "; " : "", compiler);
}

/* ---- for programs ---- */

static json_t *pack_findings(const struct inspection *inspection)
{
    json_t *array = json_array();
    for (size_t i = 0; i < inspection->finding_count; i++) {
        const struct inspect_finding *finding = &inspection->findings[i];
        (void)json_array_append_new(array,
                                    json_pack("{s:s, s:i, s:i, s:o}", "fault", inspect_fault_word(finding->fault),
                                              "line", (int)finding->place.line, "column", (int)finding->place.column,
                                              "text", json_text(finding->text)));
    }
    return array;
}

bool inspect_print_json(const struct selection *selection, const struct inspected *results, const char *architecture)
{
    bool printed = true;
    for (size_t i = 0; i < selection->count && printed; i++) {
        const struct inspection *inspection = &results[i].inspection;
        json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "test", selection->tests[i].test->name,
                                   "dialect", litmus_dialect_name(selection->tests[i].test->dialect), "architecture",
                                   architecture, "compiler", results[i].compiler, "kept", kept_word(inspection->kept),
                                   "reason", json_text(inspection->reason), "findings", pack_findings(inspection));
        printed = json_write_line(object, stdout);
    }
    return printed;
}

static void add_xml(struct text *text, const char *from)
{
    static const struct {
        char sign;
        const char *as;
    } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    for (; *from; from++) {
        const char *as = NULL;
        for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
            if (*from == escapes[i].sign)
                as = escapes[i].as;
        text_add(text, as ? "%s" : "%.1s", as ? as : ((unsigned char)*from < ' ' && *from != '\n' ? "?" : from));
    }
}

static void add_case(const struct selected_test *selected, const struct inspection *inspection, struct text *text)
{
    text_add(text, "    <testcase classname=\"%s.%.*s\" name=\"", litmus_dialect_name(selected->test->dialect),
             (int)catalogue_family(selected->file), selected->file);
    add_xml(text, selected->test->name);
    text_add(text, "\"");
    if (inspection->kept == TEST_KEPT) {
        text_add(text, "/>\n");
        return;
    }
    text_add(text, inspection->kept == TEST_NOT_KEPT ? ">\n      <failure message=\"" : ">\n      <skipped message=\"");
    add_xml(text, inspection->reason);
    text_add(text, "\"");
    if (inspection->kept == TEST_NOT_KEPT) {
        text_add(text, ">");
        for (size_t i = 0; i < inspection->finding_count; i++) {
            add_xml(text, inspection->findings[i].text);
            text_add(text, "\n");
        }
        text_add(text, "</failure>\n    </testcase>\n");
    } else {
        text_add(text, "/>\n    </testcase>\n");
    }
}

void inspect_add_junit(const struct selection *selection, const struct inspected *results, const char *architecture,
                       struct text *text)
{
    const struct inspect_tally tally = inspect_tally(results, selection->count);
    text_add(text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"inspect %s\" tests=\"%zu\" "
             "failures=\"%zu\" skipped=\"%zu\">\n",
             architecture, selection->count, tally.states[TEST_NOT_KEPT], tally.states[TEST_NOT_INSPECTED]);
    for (size_t i = 0; i < selection->count; i++)
        add_case(&selection->tests[i], &results[i].inspection, text);
    text_add(text, "  </testsuite>\n</testsuites>\n");
}
