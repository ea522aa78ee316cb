// SPDX-License-Identifier: Apache-2.0
/* The cases of a document as JUnit XML, in the form that Jenkins' schema and GitLab accept. */
#include "base/document/document.h"
#include "base/escape/escape.h"

/* A finding that counts is a failure of its case, or an error if the test could not be judged. A case is skipped if it
 * has no result, and if only what is excused was found, as pytest does. Findings that do not count are output. */

#define xml_add(text, ...) escape_format(text, ESCAPE_XML, __VA_ARGS__)

struct sums {
    size_t tests, failures, errors, skipped;
    double seconds;
};

/* The gravest finding that counts; they are in that order. NULL: none does. */
static const struct document_finding *find_counting(const struct document_case *of)
{
    const struct document_finding *finding = of->first;
    while (finding && !finding->counts)
        finding = finding->next;
    return finding;
}

/* Why a case is skipped: it has no result, or its first finding that would count is excused. NULL: it is not. expected:
 * set for an excuse. */
static const char *find_skip(const struct document_case *of, bool *expected)
{
    *expected = false;
    for (const struct document_finding *finding = of->first; finding && !of->skipped; finding = finding->next) {
        *expected = *finding->excuse && document_severities[finding->severity].junit;
        if (*expected)
            return finding->excuse;
    }
    return of->skipped;
}

static bool is_error(const struct document_finding *finding)
{
    return strcmp(document_severities[finding->severity].junit, "error") == 0;
}

/* The sums of a suite, or of all if it is NULL. */
static struct sums sum_suite(const struct document *document, const char *suite)
{
    struct sums sums = {.tests = 0};
    bool expected;
    for (size_t i = 0; i < document->case_count; i++) {
        const struct document_case *of = document->cases[i];
        if (suite && strcmp(suite, of->suite) != 0)
            continue;
        const struct document_finding *finding = find_counting(of);
        sums.tests++;
        sums.errors += finding && is_error(finding);
        sums.failures += finding && !is_error(finding);
        sums.skipped += !finding && find_skip(of, &expected);
        sums.seconds += of->seconds;
    }
    return sums;
}

static void add_sums(const struct sums *sums, struct text *text)
{
    text_add(text, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", sums->tests,
             sums->failures, sums->errors, sums->skipped, sums->seconds);
}

static void document_junit_add_finding(const struct document_finding *finding, struct text *text)
{
    LOCAL(text) sentence = {0};
    document_add_sentence(finding, &sentence);
    xml_add(text, "$: $$$\n", finding->kind, text_string(&sentence), *finding->command ? "; " : "", finding->command);
}

static void add_result(const struct document_case *of, struct text *text)
{
    const struct document_finding *first = find_counting(of);
    bool expected;
    const char *skip = find_skip(of, &expected);
    if (!first && skip)
        xml_add(text, "      <skipped message=\"$$\"/>\n", expected ? "expected: " : "", skip);
    if (!first)
        return;
    const char *element = document_severities[first->severity].junit;
    xml_add(text, "      <$ message=\"$\" type=\"$\">", element, first->line, first->kind);
    for (const struct document_finding *finding = first; finding; finding = finding->next)
        if (finding->counts)
            document_junit_add_finding(finding, text);
    text_add(text, "</%s>\n", element);
}

static void add_case(const struct document_case *of, struct text *text)
{
    xml_add(text, "    <testcase name=\"$\" classname=\"$\"", of->name, of->group);
    text_add(text, " time=\"%.3f\">\n", of->seconds);
    add_result(of, text);
    /* What does not count is no result, but should be read. */
    bool open = false;
    for (const struct document_finding *finding = of->first; finding; finding = finding->next) {
        if (finding->counts)
            continue;
        text_add(text, "%s", open ? "" : "      <system-out>");
        if (*finding->excuse)
            xml_add(text, "expected ($): ", finding->excuse);
        document_junit_add_finding(finding, text);
        open = true;
    }
    if (open)
        text_add(text, "</system-out>\n");
    text_add(text, "    </testcase>\n");
}

void document_print_junit(const struct document *document, struct text *text)
{
    struct sums sums = sum_suite(document, NULL);
    xml_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"$: $\"", document->title,
            document->verdict);
    add_sums(&sums, text);
    for (size_t i = 0; i < document->case_count; i++) {
        const char *suite = document->cases[i]->suite;
        if (ANY_OF(one, document->cases, i, strcmp((*one)->suite, document->cases[i]->suite) == 0))
            continue;
        sums = sum_suite(document, suite);
        xml_add(text, "  <testsuite name=\"$\"", suite);
        add_sums(&sums, text);
        if (document->page)
            xml_add(text, "    <properties><property name=\"page\" value=\"$\"/></properties>\n", document->page);
        for (size_t j = i; j < document->case_count; j++)
            if (strcmp(document->cases[j]->suite, suite) == 0)
                add_case(document->cases[j], text);
        text_add(text, "  </testsuite>\n");
    }
    text_add(text, "</testsuites>\n");
}
