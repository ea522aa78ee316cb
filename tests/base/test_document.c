// SPDX-License-Identifier: Apache-2.0
/* Protects: every printer writes every kind of block, and escapes texts of any origin; colours are only where they are
 * asked for, and without them the text is the same; a text that is not verbose lists few findings of a kind that has
 * many; a document that could not be decided is its answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/document/document.h"

#define HOSTILE "<b>`|\x1b[31m"

/* A document of one block of each kind, of which the finding is hostile. */
static struct document planted(void)
{
    struct document document = {.title = "orchil test", .verdict = "failed", .hanging = 2, .indent = 2};
    text_add(&document.line, "FAILED: 1 finding\nfrom a rest");
    document_answer(&document, TERMINAL_BAD);
    document_line(&document, "A: ", 4);
    text_add(&document.line, "a paragraph");
    document_line(&document, "", 2);
    document_section(&document, "Findings");
    struct document_case *const of = document_add_case(
        &document, &(struct document_case){.suite = "suite", .group = "group", .name = HOSTILE, .seconds = 1});
    document_find(&document, &(struct document_finding){.kind = "forbidden",
                                                        .meaning = "an outcome was seen",
                                                        .mark = "FAILED",
                                                        .test = HOSTILE,
                                                        .name = "PTX:" HOSTILE,
                                                        .line = HOSTILE "  seen",
                                                        .evidence = "5 of 9",
                                                        .decision = "; p = 1",
                                                        .command = "repeat: run it",
                                                        .file = "a b.litmus",
                                                        .names = 1,
                                                        .counts = true,
                                                        .severity = DOCUMENT_UNSOUND,
                                                        .of = of});
    struct table *table = document_table(&document, "name|>count", 4);
    table_add(table, "%s", "MP|");
    table_add(table, "%d", 7);
    return document;
}

static void assert_prints(const struct document *document, int printer, bool colours, const char *expected)
{
    struct text text = {.colours = colours};
    document_printers[printer].print(document, &text);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void forms_are_complete(void **state)
{
    (void)state;
    struct document document = planted();
    document.verbose = true;
    assert_prints(&document, DOCUMENT_AS_TEXT, false,
                  "FAILED: 1 finding\nA: from a rest\na paragraph\n\nFindings:\n"
                  "  FAILED  forbidden: " HOSTILE "  seen\n      5 of 9; p = 1\n      repeat: run it\n"
                  "    name  count\n    MP|       7\n");
    assert_prints(&document, DOCUMENT_AS_MARKDOWN, false,
                  "## orchil test: FAILED: 1 finding\n\nA: from a rest  \n\na paragraph\n\n### Findings\n\n"
                  "| reason | what was seen | evidence | command |\n| --- | --- | --- | --- |\n"
                  "| forbidden | &#60;b>&#96;&#124;?&#91;31m seen | 5 of 9 | repeat: `run it` |\n"
                  "\n| name | count |\n| --- | ---: |\n| MP&#124; | 7 |\n");
    assert_prints(&document, DOCUMENT_AS_GITHUB, false,
                  "::error title=<b>`|?[31m forbidden::<b>`|?[31m  seen; 5 of 9; repeat: run it\n");
    assert_prints(&document, DOCUMENT_AS_JUNIT, false,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuites name=\"orchil test: failed\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" "
                  "time=\"1.000\">\n"
                  "  <testsuite name=\"suite\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"1.000\">\n"
                  "    <testcase name=\"&lt;b&gt;`|?[31m\" classname=\"group\" time=\"1.000\">\n"
                  "      <failure message=\"&lt;b&gt;`|?[31m  seen\" type=\"forbidden\">"
                  "forbidden: &lt;b&gt;`|?[31m  seen; 5 of 9; p = 1; repeat: run it\n</failure>\n"
                  "    </testcase>\n  </testsuite>\n</testsuites>\n");
    document_release(&document);
}

static void colours_add_nothing_else(void **state)
{
    (void)state;
    struct document document = planted();
    assert_prints(&document, DOCUMENT_AS_TEXT, true,
                  "\x1b[31mFAILED\x1b[0m: 1 finding\nA: from a rest\na paragraph\n\n\x1b[1mFindings\x1b[0m:\n"
                  "  \x1b[31mFAILED\x1b[0m  forbidden: " HOSTILE "  seen\n      5 of 9\n      repeat: run it\n"
                  "    \x1b[1mname\x1b[0m  \x1b[1mcount\x1b[0m\n    MP|       7\n");
    document_release(&document);
}

static void few_of_many_are_listed(void **state)
{
    (void)state;
    struct document document = {.title = "orchil test", .answer = "answer"};
    for (int i = 0; i < 5; i++)
        document_find(&document,
                      &(struct document_finding){
                          .kind = i < 3 ? "many" : "none", .meaning = "why", .line = "one", .most = i < 3 ? 2 : -1});
    document_find(&document, &(struct document_finding){.kind = "all", .line = "last"});
    assert_prints(&document, DOCUMENT_AS_TEXT, false,
                  "answer\nmany: one\nmany: one\n1 more many (--verbose lists them): why\n"
                  "2 none (--verbose lists them): why\nall: last\n");
    document.verbose = true;
    assert_prints(&document, DOCUMENT_AS_TEXT, false,
                  "answer\nmany: one\nmany: one\nmany: one\nnone: one\nnone: one\nall: last\n");
    document_release(&document);
}

/* What only is excused is skipped, and an excuse is no command. */
static void excused_findings_do_not_count(void **state)
{
    (void)state;
    struct document document = {.title = "orchil test", .verdict = "passed", .answer = "answer"};
    struct document_case *const of =
        document_add_case(&document, &(struct document_case){.suite = "s", .group = "g", .name = "n"});
    document_find(&document, &(struct document_finding){.kind = "lost",
                                                        .line = "gone",
                                                        .command = "repeat: it",
                                                        .excuse = "bug 7",
                                                        .excused_as = "known",
                                                        .severity = DOCUMENT_CHANGE,
                                                        .of = of});
    assert_prints(&document, DOCUMENT_AS_TEXT, false, "answer\nlost: known: bug 7: gone\n");
    assert_prints(&document, DOCUMENT_AS_GITHUB, false, "");
    struct text junit = {0};
    document_print_junit(&document, &junit);
    assert_non_null(strstr(text_string(&junit),
                           "<skipped message=\"expected: bug 7\"/>\n      <system-out>expected (bug 7): "
                           "lost: gone; repeat: it\n</system-out>"));
    text_release(&junit);
    document_release(&document);
}

static void a_stopped_document_is_its_answer(void **state)
{
    (void)state;
    struct document document = {.title = "orchil test", .verdict = "failed", .stopped = true};
    text_add(&document.line, "FAILED: no <device>");
    document_answer(&document, TERMINAL_BAD);
    document_find(&document,
                  &(struct document_finding){
                      .kind = "infrastructure", .line = document.answer, .counts = true, .severity = DOCUMENT_FAULT});
    assert_prints(&document, DOCUMENT_AS_TEXT, false, "FAILED: no <device>\n");
    assert_prints(&document, DOCUMENT_AS_MARKDOWN, false, "## orchil test: FAILED: no &#60;device>\n");
    assert_prints(&document, DOCUMENT_AS_GITHUB, false, "::error title=orchil test::FAILED: no <device>\n");
    struct text sarif = {0};
    document_print_sarif(&document, &sarif);
    assert_non_null(strstr(text_string(&sarif), "\"executionSuccessful\": false"));
    assert_non_null(strstr(text_string(&sarif), "\"text\": \"FAILED: no <device>\""));
    assert_non_null(strstr(text_string(&sarif), "\"results\": []"));
    text_release(&sarif);
    document_release(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_complete),
        cmocka_unit_test(colours_add_nothing_else),
        cmocka_unit_test(few_of_many_are_listed),
        cmocka_unit_test(excused_findings_do_not_count),
        cmocka_unit_test(a_stopped_document_is_its_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
