// SPDX-License-Identifier: Apache-2.0
/* Forbidden outcomes and witnesses of controls: a row for each test, divided by outcome and by device and driver. Then
 * witnesses that never appeared. */
#include "analysis/history/history.h"
#include "analysis/page/page_parts.h"
#include "analysis/statistics/statistics.h"

/* ---- jobs without a complete result, and unsupported ones, by the reason ---- */

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
    const size_t at = INDEX_OF(one, groups, *count,
                               one->state == job->job->row.state && strcmp(one->reason, job->job->row.reason) == 0);
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
    if (group->log > 0)
        html_add(text, "<td data-l=Log><a href=\"#log-$\">log $</a>", HTML_NUMBER(group->log), HTML_NUMBER(group->log));
    text_add(text, "\n");
}

struct reason_groups {
    struct reason_group of[SHOWN_GROUPS];
    size_t count, jobs, others; /* jobs: in all; others: in groups that are too many */
};

/* The jobs without a complete result; or the unsupported ones, which are not findings: they are folded. */
static void print_jobs(const struct page *page, bool refused, struct text *text)
{
    struct reason_groups groups = {.count = 0};
    for (size_t i = 0; i < page->test_count; i++)
        FOR_EACH(const struct page_part, part, page->by_gravity[i]->parts, page->by_gravity[i]->part_count)
            for (size_t j = 0; j < part->job_count; j++) {
                const enum job_class class = job_state_class(part->jobs[j].job->row.state);
                if (class == JOB_CLASS_FINE || (class == JOB_CLASS_REFUSED) != refused)
                    continue;
                groups.jobs++;
                add_to_group(groups.of, &groups.count, &groups.others, page->by_gravity[i], &part->jobs[j]);
            }
    if (groups.count == 0)
        return;
    html_add(text,
             refused ? "<details class=fold><summary>Unsupported: $, and why</summary>\n"
                     : "<h3>Without a complete result</h3>\n",
             WORDS_COUNTED(groups.jobs, "job", "jobs"));
    text_add(text, "<div class=wide><table class=stack>\n<thead><tr><th>State<th class=mid>Reason<th data-n>Jobs"
                   "<th class=long>Tests<th>Log</thead>\n<tbody>\n");
    for (int state = JOB_STATE_COUNT - 1; state >= 0; state--)
        for (size_t i = 0; i < groups.count; i++)
            if ((int)groups.of[i].state == state)
                print_group(&groups.of[i], text);
    text_add(text, "</table></div>\n");
    if (groups.others > 0)
        html_add(text, "<p>And $ jobs for other reasons: see the database.</p>\n", QUANTITY_COUNT(groups.others));
    text_add(text, "%s", refused ? "</details>\n" : "");
}

/* Tests that are open, and that are shown at all; outcomes of a test in one place, and lines of a test. */
enum { OPEN_FINDINGS = 3, SHOWN_FINDINGS = 40, SHOWN_OUTCOMES = 2, SHOWN_LINES = 8 };

/* A line of a test's row: an outcome in one place, as the markup of its cells. */
enum found_cell { FOUND_OUTCOME, FOUND_WHY, FOUND_WHERE, FOUND_NUMBERS, FOUND_CELLS };

struct found_line {
    const struct page_part *part;
    struct text cells[FOUND_CELLS];
};

struct found_lines {
    struct found_line *list;
    size_t count, room;
};

static void print_where(const struct page *page, const struct page_part *part, struct text *text)
{
    const struct history_alarm *alarm = page_new_alarm(page, part);
    page_add_place(page, part->column, text);
    if (!alarm)
        return;
    text_add(text, "<b class=new>new since run ");
    HTML_SAY(text, history_add_run(page->history, alarm->device, alarm->first, text));
    text_add(text, "</b>");
}

/* Returns the cells of another line. */
static struct text *add_line(const struct page *page, const struct page_part *part, struct found_lines *lines)
{
    struct found_line *line = &LIST_ADD(lines->list, lines->count, lines->room);
    *line = (struct found_line){.part = part};
    print_where(page, part, &line->cells[FOUND_WHERE]);
    return line->cells;
}

/* ---- gathering ---- */

static void page_findings_add_numbers(uint64_t count, uint64_t n, const struct statistics_run_rate *rate,
                                      struct text *text)
{
    html_add(text,
             "<td class=n data-l=Instances>$ of $<td class=n data-l=\"Per instance\">$"
             "<td class=n data-l=\"95 % interval\">",
             QUANTITY_COUNT(count), QUANTITY_COUNT(n), HTML_RATE(rate->rate));
    page_add_spread(rate, text);
}

/* The suspect if the compiled code is not the test. */
static void add_kept(const struct page_part *part, struct text *text)
{
    if (part->kept[TEST_NOT_KEPT] > 0)
        html_add(text, "; suspect the compiler first: the compiled code is not the test: $", part->kept_reason);
}

static void add_forbidden(const struct page *page, const struct page_part *part, const struct sample_outcome *outcome,
                          struct found_lines *lines)
{
    const struct statistics_run_rate rate = page_rate_of(part, outcome->label);
    const struct sample_opinion *by = sample_deciding(outcome);
    struct text *cells = add_line(page, part, lines);
    html_add(&cells[FOUND_OUTCOME], "<code>$</code>$", outcome->label, outcome->witness ? " *" : "");
    html_add(&cells[FOUND_WHY], "\u2716 forbidden by the model $: $", by->model, by->axiom);
    add_kept(part, &cells[FOUND_WHY]);
    page_findings_add_numbers(outcome->count, part->counted, &rate, &cells[FOUND_NUMBERS]);
}

/* The forbidden outcomes of a part: a line for each of the most frequent, and one for the others. */
static void add_outcomes(const struct page *page, const struct page_part *part, struct found_lines *lines)
{
    size_t count = 0;
    uint64_t rest = 0;
    for (; count < part->outcome_count && part->outcomes[count].ruling.kind == RULING_FORBIDDEN; count++) {
        if (count < SHOWN_OUTCOMES)
            add_forbidden(page, part, &part->outcomes[count], lines);
        else
            rest += part->outcomes[count].count;
    }
    if (count <= SHOWN_OUTCOMES)
        return;
    struct text *cells = add_line(page, part, lines);
    html_add(&cells[FOUND_OUTCOME], "$", WORDS_COUNTED(count - SHOWN_OUTCOMES, "more outcome", "more outcomes"));
    text_add(&cells[FOUND_WHY], "\u2716 also forbidden");
    html_add(&cells[FOUND_NUMBERS], "<td class=n data-l=Instances>$ of $<td><td>", QUANTITY_COUNT(rest),
             QUANTITY_COUNT(part->counted));
}

/* The jobs of a part that control the same test, as a part; the caller frees its jobs. */
static struct page_part jobs_that_control(const struct page_part *part, const char *of)
{
    struct page_part group = *part;
    group.jobs = memory_take(part->job_count, sizeof *group.jobs);
    group.job_count = group.counted = group.witnesses = 0;
    for (size_t i = 0; i < part->job_count; i++) {
        if (strcmp(part->jobs[i].job->row.controls, of) != 0)
            continue;
        group.jobs[group.job_count++] = part->jobs[i];
        group.counted += part->jobs[i].counted;
        group.witnesses += part->jobs[i].witnesses;
    }
    return group;
}

/* The witness of jobs that must not show it: as controls, or because its file says so. */
static void add_witness(const struct page *page, const struct page_test *test, const struct page_part *part,
                        const char *of, struct found_lines *lines)
{
    const struct page_test *controlled = *of ? page_find(page, test->dialect, of) : NULL;
    struct page_part group = jobs_that_control(part, of);
    const struct statistics_run_rate rate = page_rate_of(&group, NULL);
    struct text *cells = add_line(page, part, lines), *why = &cells[FOUND_WHY];
    text_add(&cells[FOUND_OUTCOME], "the witness");
    html_add(why, "\u2716 $", *of ? "it is the control of " : "the test's file says that it must never appear");
    if (controlled)
        page_add_link(controlled, why);
    else
        html_add(why, "$", of);
    add_kept(part, why);
    page_findings_add_numbers(group.witnesses, group.counted, &rate, &cells[FOUND_NUMBERS]);
    free(group.jobs);
}

/* Whether an earlier job that must not show the witness did, as a control of the same test. */
static bool is_listed(const struct page_part *part, size_t job)
{
    return ANY_OF(one, part->jobs, job,
                  ruling_condemns(one->ruling) &&
                      strcmp(one->job->row.controls, part->jobs[job].job->row.controls) == 0);
}

/* A part that is a finding, excused or not. */
static bool is_found(const struct page_part *part, bool excused)
{
    return part->mark <= PAGE_UNPROMISED && (part->mark == PAGE_UNPROMISED) == excused;
}

/* Whether a test has a finding, and whether one of them is new. */
static bool has_found(const struct page *page, const struct page_test *test, bool excused, bool *new)
{
    bool found = false;
    *new = false;
    for (size_t p = 0; p < test->part_count; p++) {
        if (!is_found(&test->parts[p], excused))
            continue;
        found = true;
        *new |= page_new_alarm(page, &test->parts[p]) != NULL;
    }
    return found;
}

/* Those that are new first. */
static struct found_lines gather_lines(const struct page *page, const struct page_test *test, bool excused)
{
    struct found_lines lines = {.count = 0};
    for (int old = 0; old < 2; old++)
        FOR_EACH(const struct page_part, part, test->parts, test->part_count) {
            if (is_found(part, excused) && (page_new_alarm(page, part) == NULL) == (old == 1)) {
                /* All forbidden outcomes of a part, or the witness that must not appear. */
                if (part->forbidden > 0)
                    add_outcomes(page, part, &lines);
                for (size_t i = 0; i < part->job_count && part->forbidden == 0; i++)
                    if (ruling_condemns(part->jobs[i].ruling) && !is_listed(part, i))
                        add_witness(page, test, part, part->jobs[i].job->row.controls, &lines);
            }
        }
    return lines;
}

const struct page_test **page_list_found(const struct page *page, bool excused, size_t *count)
{
    const struct page_test **list = memory_take(page->test_count, sizeof *list);
    *count = 0;
    for (int old = 0; old < 2; old++)
        for (size_t i = 0; i < page->test_count; i++) {
            bool new;
            if (has_found(page, page->by_gravity[i], excused, &new) && new == (old == 0))
                list[(*count)++] = page->by_gravity[i];
        }
    return list;
}

/* ---- printing ---- */

static bool equal_cells(const struct found_line *a, const struct found_line *b, enum found_cell cell)
{
    return cell == FOUND_WHERE ? a->part == b->part
                               : strcmp(text_string(&a->cells[cell]), text_string(&b->cells[cell])) == 0;
}

/* A cell that is equal to that of the lines after it spans them. */
static void print_line(const struct found_lines *lines, size_t shown, size_t line, struct text *text)
{
    static const char *const labels[FOUND_NUMBERS] = {"Outcome", "Why", "Where"};
    const struct found_line *list = lines->list;
    for (enum found_cell cell = 0; cell < FOUND_NUMBERS; cell++) {
        size_t end = line + 1;
        if (line > 0 && equal_cells(&list[line - 1], &list[line], cell))
            continue;
        while (end < shown && equal_cells(&list[line], &list[end], cell))
            end++;
        html_add(text, "<td data-l=$ rowspan=$>", labels[cell], HTML_NUMBER(end - line));
        text_add(text, "%s", text_string(&list[line].cells[cell]));
    }
    text_add(text, "%s\n", text_string(&list[line].cells[FOUND_NUMBERS]));
}

/* The row of a test: as many rows of the table as it has lines, with cells that span them. */
static void print_test(const struct page *page, const struct page_test *test, bool excused, struct text *text)
{
    struct found_lines lines = gather_lines(page, test, excused);
    const size_t shown = lines.count > SHOWN_LINES ? SHOWN_LINES : lines.count;
    const size_t rows = shown + (lines.count > shown);
    for (size_t i = 0; i < shown; i++) {
        if (i == 0) {
            html_add(text, "<tr id=\"found-$\"><th scope=row data-link rowspan=$>", test->anchor, HTML_NUMBER(rows));
            page_add_link(test, text);
            html_add(text, "<td data-l=Dialect rowspan=$>$", HTML_NUMBER(rows), test->dialect);
        } else {
            text_add(text, "<tr class=same>");
        }
        print_line(&lines, shown, i, text);
    }
    if (lines.count > shown)
        html_add(
            text,
            "<tr class=same><td><td><td data-l=Where>and $ more: <a href=\"#$\">the test in detail</a><td><td><td>\n",
            QUANTITY_COUNT(lines.count - shown), test->anchor);
    for (size_t i = 0; i < lines.count; i++)
        for (enum found_cell cell = 0; cell < FOUND_CELLS; cell++)
            text_release(&lines.list[i].cells[cell]);
    free(lines.list);
}

static void print_found(const struct page *page, const struct page_test *const *tests, size_t count, bool excused,
                        struct text *text)
{
    text_add(text, "<div class=wide><table class=\"stack data\" data-name=findings>\n<thead><tr><th>Test<th>Dialect"
                   "<th>Outcome (* the witness)<th class=mid>Why it is forbidden<th class=mid>Where<th data-n>Instances"
                   "<th data-n>Per instance<th data-n>95 %% interval</thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++)
        print_test(page, tests[i], excused, text);
    text_add(text, "</table></div>\n");
}

/* ---- why ---- */

/* The first outcome of a test that a model forbids and the device showed; new: and had not shown before. NULL: there is
 * none. */
static const struct sample_outcome *first_forbidden(const struct page *page, const struct page_test *test, bool new)
{
    for (size_t p = 0; p < test->part_count; p++)
        FOR_EACH(const struct sample_outcome, outcome, test->parts[p].outcomes, test->parts[p].outcome_count)
            if (outcome->ruling.kind == RULING_FORBIDDEN && (!new || page_new_alarm(page, &test->parts[p])))
                return outcome;
    return NULL;
}

/* For one outcome of each test: the first is open, the others are in one fold. */
static void print_reasons(const struct page *page, struct text *text)
{
    LOCAL(text) others = {0};
    size_t count;
    FREED const struct page_test **tests = page_list_found(page, false, &count);
    bool shown = false;
    for (size_t i = 0; i < count && i < SHOWN_FINDINGS; i++) {
        const struct sample_outcome *outcome =
            first_forbidden(page, tests[i], true) ?: first_forbidden(page, tests[i], false);
        struct text *to = shown ? &others : text;
        const size_t size = to->size;
        if (outcome)
            page_print_explanation(page, tests[i], outcome->label, sample_deciding(outcome)->model, !shown, to);
        shown |= to->size > size;
    }
    if (others.size > 0)
        text_add(text, "<details class=fold><summary>Why, for the other tests</summary>\n%s</details>\n",
                 text_string(&others));
}

/* ---- the section ---- */

/* The first few are open, the others folded, so that the map is near. */
static size_t print_list(const struct page *page, bool excused, struct text *text)
{
    size_t found;
    FREED const struct page_test **tests = page_list_found(page, excused, &found);
    const size_t open = found > OPEN_FINDINGS ? OPEN_FINDINGS : found;
    const size_t shown = found > SHOWN_FINDINGS ? SHOWN_FINDINGS : found;
    if (found > 0 && excused)
        text_add(text,
                 "<h3>Not promised by the device</h3>\n<p>These outcomes must never appear, but the device does not "
                 "declare the order or scope that the test uses. They are not faults.</p>\n");
    if (found > 0)
        print_found(page, tests, open, excused, text);
    if (found > open) {
        html_add(text, "<details class=fold><summary>$</summary>\n",
                 WORDS_COUNTED(found - open, "more test", "more tests"));
        print_found(page, tests + open, shown - open, excused, text);
        if (found > shown)
            html_add(text, "<p>And $ more: the heat map has their tests first.</p>\n", QUANTITY_COUNT(found - shown));
        text_add(text, "</details>\n");
    }
    return found;
}

void page_print_findings(const struct page *page, struct text *text)
{
    text_add(text, "<section id=findings>\n<h2>What was found</h2>\n");
    if (print_list(page, false, text) == 0)
        text_add(text, "<p>No forbidden outcome, and no witness of a control.</p>\n");
    print_reasons(page, text);
    page_print_seen(page, text);
    (void)print_list(page, true, text);
    print_jobs(page, false, text);
    print_jobs(page, true, text);
    text_add(text, "</section>\n");
}

/* ---- witnesses that a model allows and that a device never showed, with their bounds, most instances first ---- */

enum { OPEN_UNSEEN = 5, MOST_UNSEEN = 2000 };

/* A test on a device and driver that never showed its witness. */
struct unseen {
    const struct page_test *test;
    size_t column, place; /* place: in the order of the page, to break ties of instances */
    struct page_sum sum;
};

/* Whether a model, or else the text, says that the witness may be seen. */
static bool is_allowed(const struct page_test *test)
{
    static const char *const claims[] = {"sc", "weak", "allowed"};
    if (ANY_OF(claim, claims, COUNT(claims), strcmp(test->claim, *claim) == 0))
        return !test->progress;
    return false;
}

ORDERED_BY(compare_unseen, const struct unseen, ORDER(b->sum.counted, a->sum.counted) ?: ORDER(a->place, b->place))

static struct unseen *list_unseen(const struct page *page, size_t *count)
{
    struct unseen *list = NULL;
    size_t room = 0;
    *count = 0;
    for (size_t i = 0; i < page->ran_count; i++)
        for (size_t column = 0; column < page->column_count && is_allowed(page->by_gravity[i]); column++) {
            const struct page_sum sum = page_sum_of(page->by_gravity[i], column);
            if (sum.counted == 0 || sum.witnesses > 0)
                continue;
            const size_t place = *count;
            LIST_ADD(list, *count, room) = (struct unseen){page->by_gravity[i], column, place, sum};
        }
    SORT(list, *count, compare_unseen);
    return list;
}

/* The outcome that was not seen, or how many if there are several. */
static void add_unseen_witness(const struct page_test *test, struct text *text)
{
    const char *label = NULL;
    size_t most = 0;
    for (size_t p = 0; p < test->part_count; p++) {
        size_t count = 0;
        for (size_t i = 0; i < test->parts[p].outcome_count; i++)
            if (test->parts[p].outcomes[i].witness) {
                label = test->parts[p].outcomes[i].label;
                count++;
            }
        most = count > most ? count : most;
    }
    if (most == 1)
        html_add(text, "<code>$</code>", label);
    else if (most > 1)
        html_add(text, "$ outcomes", QUANTITY_COUNT(most));
    else
        html_add(text, "<code>$</code>", test->condition);
}

static void print_unseen_rows(const struct page *page, const struct unseen *list, size_t count, struct text *text)
{
    text_add(text,
             "<div class=wide><table class=stack>\n<thead><tr><th>Test<th>Dialect<th class=mid>Where<th>Witness"
             "<th>The model says<th data-n>Instances<th data-n>Per instance<th data-n>Draws<th data-n>Of draws"
             "%s</thead>\n<tbody>\n",
             page->column_count > 1 ? "<th>Elsewhere" : "");
    for (size_t i = 0; i < count; i++) {
        const char *const share =
            PRINTED(HTML_NUMBER_SIZE, "%.2g", 100 * statistics_zero_bound(list[i].sum.draws, STATISTICS_CONFIDENCE));
        text_add(text, "<tr><th scope=row>");
        page_add_link(list[i].test, text);
        html_add(text, "<td data-l=Dialect>$<td data-l=Where>", list[i].test->dialect);
        page_add_place(page, list[i].column, text);
        text_add(text, "<td data-l=Witness>");
        add_unseen_witness(list[i].test, text);
        html_add(
            text,
            "<td data-l=\"The model says\">$<td class=n data-l=Instances>0 of $<td class=n data-l=\"Per instance\">$"
            "<td class=n data-l=Draws>$<td class=n data-l=\"Of draws\">&lt; $ %",
            list[i].test->claim, QUANTITY_COUNT(list[i].sum.counted), HTML_RATE_OF(0, list[i].sum.counted),
            QUANTITY_COUNT(list[i].sum.draws), share);
        if (page->column_count > 1)
            text_add(text, "<td data-l=Elsewhere>%s",
                     page_sum_of(list[i].test, SIZE_MAX).witnesses > 0 ? "seen" : "not seen");
        text_add(text, "\n");
    }
    text_add(text, "</table></div>\n");
}

void page_print_unseen(const struct page *page, struct text *text)
{
    size_t count;
    FREED struct unseen *list = list_unseen(page, &count);
    const size_t open = count < OPEN_UNSEEN ? count : OPEN_UNSEEN, shown = count < MOST_UNSEEN ? count : MOST_UNSEEN;
    if (count == 0)
        return;
    text_add(text, "<section id=unseen>\n<h2>Allowed, never seen</h2>\n");
    /* What zero means for the row with the most instances, and what it leaves open. */
    text_add(text, "<p>A model allows these witnesses, and a device never showed them. The most was asked of ");
    page_add_link(list->test, text);
    html_add(text,
             ": 0 of $ instances, so its rate there is below $ (95 %, if the chance is the same in every draw of the "
             "stress). ",
             QUANTITY_COUNT(list->sum.counted), HTML_RATE_OF(0, list->sum.counted) + strlen("< "));
    text_add(text, "Either the device promises more than the model, or the stress does not bring the outcome out: if "
                   "the same outcome appeared on another device, the stress is probably adequate.</p>\n");
    print_unseen_rows(page, list, open, text);
    if (count > open) {
        html_add(text, "<details class=fold><summary>$ more</summary>\n", QUANTITY_COUNT(count - open));
        print_unseen_rows(page, list + open, shown - open, text);
        if (count > shown)
            html_add(text, "<p>And $ more with fewer instances: the heat map has them.</p>\n",
                     QUANTITY_COUNT(count - shown));
        text_add(text, "</details>\n");
    }
    text_add(text, "</section>\n");
}
