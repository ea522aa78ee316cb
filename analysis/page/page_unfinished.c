// SPDX-License-Identifier: Apache-2.0
/* Jobs without a complete result, and unsupported ones, by the reason. */
#include <string.h>

#include "analysis/page/page_parts.h"
#include "base/quantity.h"

enum { SHOWN_TESTS = 8, SHOWN_GROUPS = 40 };

/* Jobs that ended in the same state for the same reason. */
struct reason_group {
    enum job_state state;
    const char *reason;
    size_t jobs, log;
    const struct page_test *tests[SHOWN_TESTS];
    size_t test_count, all_tests;
};

static void add_to_group(struct reason_group *groups, size_t *count, size_t *others, const struct page_test *test,
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
        groups[(*count)++] = (struct reason_group){.state = job->job->row.state, .reason = job->job->row.reason};
    struct reason_group *group = &groups[at];
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

static void print_group(const struct reason_group *group, struct text *text)
{
    html_add(text, "<tr><th scope=row>$<td data-l=Reason>$<td class=n data-l=Jobs>$<td data-l=Tests>",
             job_state_word(group->state), group->reason, QUANTITY_COUNT(group->jobs));
    for (size_t i = 0; i < group->test_count; i++) {
        text_add(text, "%s", i > 0 ? ", " : "");
        page_add_link(group->tests[i], text);
    }
    if (group->all_tests > group->test_count)
        html_add(text, " and $ more", QUANTITY_COUNT(group->all_tests - group->test_count));
    text_add(text, "<td data-l=Log>");
    if (group->log > 0)
        text_add(text, "<a href=\"#log-%zu\">log %zu</a>", group->log, group->log);
    text_add(text, "\n");
}

struct reason_groups {
    struct reason_group of[SHOWN_GROUPS];
    size_t count, jobs, others; /* jobs: in all; others: in groups that are too many */
};

static void gather_groups(const struct page *page, bool refused, struct reason_groups *groups)
{
    for (size_t i = 0; i < page->test_count; i++)
        for (size_t p = 0; p < page->by_gravity[i]->part_count; p++) {
            const struct page_part *part = &page->by_gravity[i]->parts[p];
            for (size_t j = 0; j < part->job_count; j++) {
                const enum job_class class = job_state_class(part->jobs[j].job->row.state);
                if (class == JOB_CLASS_FINE || (class == JOB_CLASS_REFUSED) != refused)
                    continue;
                groups->jobs++;
                add_to_group(groups->of, &groups->count, &groups->others, page->by_gravity[i], &part->jobs[j]);
            }
        }
}

static void print_groups(const struct reason_groups *groups, struct text *text)
{
    text_add(text, "<div class=wide><table class=stack>\n<thead><tr><th>State<th class=mid>Reason<th data-n>Jobs"
                   "<th class=long>Tests<th>Log</thead>\n<tbody>\n");
    for (int state = JOB_STATE_COUNT - 1; state >= 0; state--)
        for (size_t i = 0; i < groups->count; i++)
            if ((int)groups->of[i].state == state)
                print_group(&groups->of[i], text);
    text_add(text, "</table></div>\n");
    if (groups->others > 0)
        html_add(text, "<p>And $ jobs for other reasons: see the database.</p>\n", QUANTITY_COUNT(groups->others));
}

static void print_unfinished(const struct page *page, struct text *text)
{
    struct reason_groups groups = {.count = 0};
    gather_groups(page, false, &groups);
    if (groups.count == 0)
        return;
    text_add(text, "<h3>Without a complete result</h3>\n");
    print_groups(&groups, text);
}

/* Unsupported tests are not findings: they are folded, after the others. */
static void print_refused(const struct page *page, struct text *text)
{
    struct reason_groups groups = {.count = 0};
    gather_groups(page, true, &groups);
    if (groups.count == 0)
        return;
    html_add(text, "<details class=fold><summary>Unsupported: $ $, and why</summary>\n", QUANTITY_COUNT(groups.jobs),
             groups.jobs == 1 ? "job" : "jobs");
    print_groups(&groups, text);
    text_add(text, "</details>\n");
}

void page_print_unfinished(const struct page *page, struct text *text)
{
    print_unfinished(page, text);
    print_refused(page, text);
}
