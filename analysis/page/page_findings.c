// SPDX-License-Identifier: Apache-2.0
/* Forbidden outcomes, witnesses of controls, and jobs without a result. */
#include <string.h>

#include "analysis/history/history_parts.h"
#include "analysis/page/page_parts.h"
#include "analysis/statistics/statistics.h"
#include "base/quantity.h"

enum { OPEN_FINDINGS = 3, SHOWN_FINDINGS = 40, SHOWN_OUTCOMES = 2, SHOWN_TESTS = 8, SHOWN_GROUPS = 40 };

static void print_place(const struct page *page, const struct page_test *test, const struct page_part *part,
                        struct text *text)
{
    page_add_link(test, text);
    html_add(text, "<td data-l=Dialect>$<td data-l=Where>", test->dialect);
    page_add_place(page, part->column, text);
}

static void print_count(uint64_t count, uint64_t n, const struct statistics_run_rate *rate, struct text *text)
{
    html_add(text,
             "<td class=n data-l=Instances>$ of $<td class=n data-l=\"Per instance\">$"
             "<td class=n data-l=\"95 % interval\">",
             QUANTITY_COUNT(count), QUANTITY_COUNT(n), HTML_RATE(rate->rate));
    page_add_spread(rate, text);
    text_add(text, "<td data-l=Why>");
}

/* The suspect if the compiled code is not the test. */
static void print_kept(const struct page_part *part, struct text *text)
{
    if (part->kept[TEST_NOT_KEPT] > 0)
        html_add(text, "; suspect the compiler first: the compiled code is not the test: $", part->kept_reason);
}

/* The first row of a part has the id of the finding, and says since when it is new. */
static void print_row_start(const struct page *page, const struct page_test *test, const struct page_part *part,
                            bool is_first, struct text *text)
{
    if (is_first)
        html_add(text, "<tr id=\"found-$-", test->anchor);
    if (is_first)
        text_add(text, "%zu\"><th scope=row data-link>", (size_t)(part - test->parts) + 1);
    else
        text_add(text, "<tr><th scope=row>");
    print_place(page, test, part, text);
    text_add(text, "<td data-l=Seen>");
}

static void add_since(const struct page *page, const struct page_part *part, struct text *text)
{
    const struct history_alarm *alarm = page_new_alarm(page, part);
    struct text run = {0};
    if (!alarm)
        return;
    history_add_run(page->history, alarm->device, alarm->first, &run);
    html_add(text, "<b class=new>new since run $</b>, ", text_string(&run));
    text_release(&run);
}

static void print_forbidden(const struct page *page, const struct page_test *test, const struct page_part *part,
                            size_t index, struct text *text)
{
    const struct sample_outcome *outcome = &part->outcomes[index];
    const struct statistics_run_rate rate = page_rate_of(part, outcome->label);
    print_row_start(page, test, part, index == 0, text);
    html_add(text, "<code>$</code>$", outcome->label, outcome->witness ? " *" : "");
    print_count(outcome->count, part->counted, &rate, text);
    const struct sample_opinion *by = sample_deciding(outcome);
    if (index == 0)
        add_since(page, part, text);
    html_add(text, "\u2716 forbidden by the model $: $", by->model, by->axiom);
    print_kept(part, text);
    text_add(text, "\n");
}

/* The witness of a job that must not show it: as a control, or because its file says so. */
static void print_witness(const struct page *page, const struct page_test *test, const struct page_part *part,
                          size_t index, bool is_first, struct text *text)
{
    const struct page_job *job = &part->jobs[index];
    const char *of = job->job->row.controls;
    const struct page_test *controlled = *of ? page_find(page, test->dialect, of) : NULL;
    const struct statistics_run_count count = {job->witnesses, job->counted};
    struct statistics_run_rate rate;
    statistics_rate_over_runs(&count, 1, STATISTICS_CONFIDENCE, &rate);
    print_row_start(page, test, part, is_first, text);
    text_add(text, "the witness");
    print_count(job->witnesses, job->counted, &rate, text);
    if (is_first)
        add_since(page, part, text);
    html_add(text, "\u2716 $", *of ? "it is the control of " : "the test's file says that it must never appear");
    if (controlled)
        page_add_link(controlled, text);
    else
        html_add(text, "$", of);
    print_kept(part, text);
    text_add(text, "\n");
}

/* The forbidden outcomes of a part: a row for each of the most frequent, and one for the others. */
static void print_outcomes(const struct page *page, const struct page_test *test, const struct page_part *part,
                           struct text *text)
{
    size_t count = 0;
    uint64_t rest = 0;
    for (; count < part->outcome_count && part->outcomes[count].ruling.kind == RULING_FORBIDDEN; count++) {
        if (count < SHOWN_OUTCOMES)
            print_forbidden(page, test, part, count, text);
        else
            rest += part->outcomes[count].count;
    }
    if (count <= SHOWN_OUTCOMES)
        return;
    print_row_start(page, test, part, false, text);
    html_add(text, "$ more outcomes<td class=n data-l=Instances>$ of $<td><td><td data-l=Why>\u2716 also forbidden\n",
             QUANTITY_COUNT(count - SHOWN_OUTCOMES), QUANTITY_COUNT(rest), QUANTITY_COUNT(part->counted));
}

/* Prints the findings of a part: all forbidden outcomes, or the witness that must not appear. */
static void print_part(const struct page *page, const struct page_test *test, const struct page_part *part,
                       struct text *text)
{
    bool is_first = true;
    if (part->forbidden > 0)
        print_outcomes(page, test, part, text);
    for (size_t i = 0; i < part->job_count && part->forbidden == 0; i++) {
        if (!ruling_condemns(part->jobs[i].ruling))
            continue;
        print_witness(page, test, part, i, is_first, text);
        is_first = false;
    }
}

static void print_list_head(struct text *text)
{
    text_add(
        text,
        "<div class=wide><table class=\"stack data\" data-name=findings>\n<thead><tr><th>Test<th>Dialect<th class=mid>Where"
        "<th>Outcome (* the witness)<th data-n>Instances<th data-n>Per instance<th data-n>95 %% interval"
        "<th class=long>Why it is forbidden</thead>\n<tbody>\n");
}

/* A part that is a finding, excused or not. */
static bool is_found(const struct page_part *part, bool excused)
{
    return part->mark <= PAGE_UNPROMISED && (part->mark == PAGE_UNPROMISED) == excused;
}

static size_t count_found(const struct page *page, bool excused)
{
    size_t count = 0;
    for (size_t i = 0; i < page->test_count; i++)
        for (size_t p = 0; p < page->tests[i].part_count; p++)
            count += is_found(&page->tests[i].parts[p], excused);
    return count;
}

/* Prints those with a number from first to end: new ones first, each in order of gravity. */
static void print_found(const struct page *page, bool excused, size_t first, size_t end, struct text *text)
{
    size_t number = 0;
    print_list_head(text);
    for (int old = 0; old < 2; old++)
        for (size_t i = 0; i < page->test_count && number < end; i++) {
            const struct page_test *test = page->by_gravity[i];
            for (size_t p = 0; p < test->part_count; p++) {
                const struct page_part *part = &test->parts[p];
                if (!is_found(part, excused) || (page_new_alarm(page, part) == NULL) != (old == 1))
                    continue;
                if (number >= first && number < end)
                    print_part(page, test, part, text);
                number++;
            }
        }
    text_add(text, "</table></div>\n");
}

/* The first outcome of a test that a model forbids and the device showed; new: and had not shown before. NULL: there is
 * none. */
static const struct sample_outcome *first_forbidden(const struct page *page, const struct page_test *test, bool new)
{
    for (size_t p = 0; p < test->part_count; p++)
        for (size_t i = 0; i < test->parts[p].outcome_count; i++) {
            const struct sample_outcome *outcome = &test->parts[p].outcomes[i];
            if (outcome->ruling.kind == RULING_FORBIDDEN && (!new || page_new_alarm(page, &test->parts[p])))
                return outcome;
        }
    return NULL;
}

/* Below the list, for one outcome of each test, in the same order; the first is open. */
static void print_explanations(const struct page *page, struct text *text)
{
    size_t shown = 0;
    for (int old = 0; old < 2; old++)
        for (size_t i = 0; i < page->test_count && shown < SHOWN_FINDINGS; i++) {
            const struct page_test *test = page->by_gravity[i];
            const struct sample_outcome *outcome = NULL;
            if (test->mark == PAGE_FORBIDDEN && (old == 0 || !first_forbidden(page, test, true)))
                outcome = first_forbidden(page, test, old == 0);
            if (!outcome)
                continue;
            page_print_explanation(page, test, outcome->label, sample_deciding(outcome)->model, shown == 0, text);
            shown++;
        }
}

/* The first few are open, the others folded, so that the map is near. */
static size_t print_list(const struct page *page, bool excused, struct text *text)
{
    const size_t found = count_found(page, excused);
    if (found == 0)
        return 0;
    if (excused)
        text_add(text,
                 "<h3>Not promised by the device</h3>\n<p>These outcomes must never appear, but the device does not "
                 "declare the order or scope that the test uses. They are not faults.</p>\n");
    print_found(page, excused, 0, OPEN_FINDINGS, text);
    if (found > OPEN_FINDINGS) {
        html_add(text, "<details class=fold><summary>$ more</summary>\n", QUANTITY_COUNT(found - OPEN_FINDINGS));
        print_found(page, excused, OPEN_FINDINGS, SHOWN_FINDINGS, text);
        if (found > SHOWN_FINDINGS)
            html_add(text, "<p>And $ more: the heat map has their tests first.</p>\n",
                     QUANTITY_COUNT(found - SHOWN_FINDINGS));
        text_add(text, "</details>\n");
    }
    return found;
}

/* ---- jobs without a result ---- */

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

void page_print_findings(const struct page *page, struct text *text)
{
    text_add(text, "<section id=findings>\n<h2>What was found</h2>\n");
    if (print_list(page, false, text) == 0)
        text_add(text, "<p>No forbidden outcome, and no witness of a control.</p>\n");
    print_explanations(page, text);
    (void)print_list(page, true, text);
    print_unfinished(page, text);
    print_refused(page, text);
    text_add(text, "</section>\n");
}
