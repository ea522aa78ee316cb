// SPDX-License-Identifier: Apache-2.0
/* What must never be seen, and what gave no result. */
#include <string.h>

#include "analysis/page/page_parts.h"
#include "analysis/statistics/statistics.h"
#include "base/quantity.h"

enum { SHOWN_FINDINGS = 40, SHOWN_OUTCOMES = 3, SHOWN_TESTS = 8, SHOWN_GROUPS = 40 };

static const double confidence = 0.95;

static void print_place(const struct page *page, const struct page_test *test, const struct page_part *part,
                        struct text *text)
{
    text_add(text, "<tr><th scope=row>");
    page_add_link(test, text);
    html_add(text, "<td>$<td>", test->dialect);
    page_add_column(page, part->column, text);
}

static void print_count(uint64_t count, uint64_t n, struct text *text)
{
    const struct interval interval = statistics_binomial(count, n, confidence);
    html_add(text, "<td class=n>$ of $<td class=n>$<td class=n>$ to $<td>", QUANTITY_COUNT(count), QUANTITY_COUNT(n),
             HTML_RATE_OF(count, n), HTML_RATE(interval.low), HTML_RATE(interval.high));
}

static void print_forbidden(const struct page *page, const struct page_test *test, const struct page_part *part,
                            const struct sample_outcome *outcome, struct text *text)
{
    print_place(page, test, part, text);
    html_add(text, "<td><code>$</code>$", outcome->label, outcome->witness ? " *" : "");
    print_count(outcome->count, part->counted, text);
    html_add(text, "\u2716 forbidden by the model $$$", outcome->model, *outcome->axiom ? ": " : "", outcome->axiom);
    text_add(text, "\n");
}

static void print_control(const struct page *page, const struct page_test *test, const struct page_part *part,
                          const struct page_job *job, struct text *text)
{
    const struct page_test *controlled = page_find(page, test->dialect, job->job->row.controls);
    print_place(page, test, part, text);
    text_add(text, "<td>the witness");
    print_count(job->witnesses, job->counted, text);
    text_add(text, "\u2716 it is the control of ");
    if (controlled)
        page_add_link(controlled, text);
    else
        html_add(text, "$", job->job->row.controls);
    text_add(text, "\n");
}

/* The outcomes of a part that a model forbids, the most frequent by a row each and the others together. */
static void print_outcomes(const struct page *page, const struct page_test *test, const struct page_part *part,
                           struct text *text)
{
    size_t count = 0;
    uint64_t rest = 0;
    for (; count < part->outcome_count && part->outcomes[count].model && part->outcomes[count].count > 0; count++) {
        if (count < SHOWN_OUTCOMES)
            print_forbidden(page, test, part, &part->outcomes[count], text);
        else
            rest += part->outcomes[count].count;
    }
    if (count <= SHOWN_OUTCOMES)
        return;
    print_place(page, test, part, text);
    html_add(text, "<td>$ more outcomes", QUANTITY_COUNT(count - SHOWN_OUTCOMES));
    print_count(rest, part->counted, text);
    text_add(text, "\u2716 forbidden likewise\n");
}

/* Prints the findings of a part: all that is forbidden, or what it showed as a control. */
static void print_part(const struct page *page, const struct page_test *test, const struct page_part *part,
                       struct text *text)
{
    if (part->forbidden > 0)
        print_outcomes(page, test, part, text);
    for (size_t i = 0; i < part->job_count && part->forbidden == 0; i++)
        if (*part->jobs[i].job->row.controls && part->jobs[i].witnesses > 0)
            print_control(page, test, part, &part->jobs[i], text);
}

static void print_list_start(bool excused, struct text *text)
{
    if (excused)
        text_add(text,
                 "<h3>Not promised by the device</h3>\n<p>The model forbids these outcomes, but the device does not "
                 "declare the order or scope that the test uses. They are no fault.</p>\n");
    text_add(
        text,
        "<div class=wide><table>\n<thead><tr><th>Test<th>Dialect<th class=mid>Where<th>What was seen (* the witness)"
        "<th data-n>Instances<th data-n>Per instance<th data-n>95 %% interval<th class=long>Why it must not be</thead>\n<tbody>\n");
}

static size_t print_list(const struct page *page, bool excused, struct text *text)
{
    size_t found = 0;
    for (size_t i = 0; i < page->test_count; i++) {
        const struct page_test *test = page->by_gravity[i];
        for (size_t p = 0; p < test->part_count; p++) {
            const struct page_part *part = &test->parts[p];
            if (part->mark > PAGE_UNPROMISED || (part->mark == PAGE_UNPROMISED) != excused)
                continue;
            if (found == 0)
                print_list_start(excused, text);
            if (found++ < SHOWN_FINDINGS)
                print_part(page, test, part, text);
        }
    }
    if (found > 0)
        text_add(text, "</table></div>\n");
    if (found > SHOWN_FINDINGS)
        html_add(text, "<p>And $ more: the heat map has their tests first.</p>\n",
                 QUANTITY_COUNT(found - SHOWN_FINDINGS));
    return found;
}

/* ---- what gave no result ---- */

/* Jobs that ended in the same state for the same reason. */
struct group {
    enum job_state state;
    const char *reason;
    size_t jobs, log;
    const struct page_test *tests[SHOWN_TESTS];
    size_t test_count, all_tests;
};

static void add_to_group(struct group *groups, size_t *count, size_t *others, const struct page_test *test,
                         const struct page_job *job)
{
    size_t at = 0;
    while (at < *count &&
           (groups[at].state != job->job->row.state || strcmp(groups[at].reason, job->job->row.reason) != 0))
        at++;
    if (at == SHOWN_GROUPS) {
        ++*others;
        return;
    }
    if (at == *count)
        groups[(*count)++] = (struct group){.state = job->job->row.state, .reason = job->job->row.reason};
    struct group *group = &groups[at];
    group->jobs++;
    if (group->log == 0)
        group->log = job->detail > 0                                           ? job->detail
                     : job_state_class(job->job->row.state) == JOB_CLASS_FAULT ? job->log
                                                                               : 0;
    if (group->test_count == 0 || group->tests[(group->test_count - 1) % SHOWN_TESTS] != test) {
        if (group->test_count < SHOWN_TESTS)
            group->tests[group->test_count++] = test;
        group->all_tests++;
    }
}

static void print_group(const struct group *group, struct text *text)
{
    html_add(text, "<tr><td>$<td>$<td class=n>$<td>", job_state_word(group->state), group->reason,
             QUANTITY_COUNT(group->jobs));
    for (size_t i = 0; i < group->test_count; i++) {
        text_add(text, "%s", i > 0 ? ", " : "");
        page_add_link(group->tests[i], text);
    }
    if (group->all_tests > group->test_count)
        html_add(text, " and $ more", QUANTITY_COUNT(group->all_tests - group->test_count));
    text_add(text, "<td>");
    if (group->log > 0)
        text_add(text, "<a href=\"#log-%zu\">log %zu</a>", group->log, group->log);
    text_add(text, "\n");
}

static void print_unfinished(const struct page *page, struct text *text)
{
    struct group groups[SHOWN_GROUPS];
    size_t count = 0, others = 0;
    for (size_t i = 0; i < page->test_count; i++)
        for (size_t p = 0; p < page->by_gravity[i]->part_count; p++) {
            const struct page_part *part = &page->by_gravity[i]->parts[p];
            for (size_t j = 0; j < part->job_count; j++)
                if (part->jobs[j].job->row.state != JOB_COMPLETED)
                    add_to_group(groups, &count, &others, page->by_gravity[i], &part->jobs[j]);
        }
    if (count == 0)
        return;
    text_add(
        text,
        "<h3>Without a complete result</h3>\n<div class=wide><table>\n<thead><tr><th>State<th class=mid>Reason<th data-n>Jobs"
        "<th class=long>Tests<th>Log</thead>\n<tbody>\n");
    for (int state = JOB_STATE_COUNT - 1; state >= 0; state--)
        for (size_t i = 0; i < count; i++)
            if ((int)groups[i].state == state)
                print_group(&groups[i], text);
    text_add(text, "</table></div>\n");
    if (others > 0)
        html_add(text, "<p>And $ jobs for other reasons: see the database.</p>\n", QUANTITY_COUNT(others));
}

void page_print_findings(const struct page *page, struct text *text)
{
    text_add(text, "<section id=findings>\n<h2>What must never be seen</h2>\n");
    if (print_list(page, false, text) == 0)
        text_add(
            text,
            "<p>None was seen. What this says depends on how often each test was played: a bound in the heat map says "
            "how rare an outcome must be to have been missed. And on the stress: a clean forbidden test says "
            "something where its mutants were seen.</p>\n");
    (void)print_list(page, true, text);
    print_unfinished(page, text);
    text_add(text, "</section>\n");
}
