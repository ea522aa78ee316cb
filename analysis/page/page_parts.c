// SPDX-License-Identifier: Apache-2.0
/* What several parts of a page print: columns, counts, links, and its runs, with their numbers in order of time and
 * rates run by run. */
#include "analysis/page/page_parts.h"

/* ---- columns, counts, links ---- */

/* How two columns differ if their devices and drivers have the same names. */
static bool are_alike(const struct page_column *a, const struct page_column *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->backend, b->backend) == 0 &&
           strcmp(a->driver, b->driver) == 0;
}

void page_name_column(const struct page *page, size_t column, struct text *name)
{
    const struct page_column *of = &page->columns[column];
    bool same_uuid = true, same_machine = true, same_platform = true;
    for (size_t i = 0; i < page->column_count; i++) {
        if (!are_alike(of, &page->columns[i]))
            continue;
        same_uuid &= strcmp(page->columns[i].device_uuid, of->device_uuid) == 0;
        same_machine &= strcmp(page->columns[i].machine, of->machine) == 0;
        same_platform &= strcmp(page->columns[i].platform, of->platform) == 0;
    }
    text_add(name, "%s, %s %s", of->device, of->backend, of->driver);
    if (!same_platform)
        text_add(name, ", %s", of->platform);
    if (!same_uuid)
        text_add(name, ", %s", of->device_uuid);
    if (!same_machine)
        text_add(name, ", %s", *of->machine ? of->machine : "unnamed machine");
}

void page_add_column(const struct page *page, size_t column, struct text *text)
{
    HTML_SAY(text, page_name_column(page, column, text));
}

void page_add_place(const struct page *page, size_t column, struct text *text)
{
    const struct page_column *of = &page->columns[column];
    html_add(text, "<span class=cut>$</span><small class=cut>$ $</small>", of->device, of->backend, of->driver);
}

void page_add_count(uint64_t count, uint64_t n, uint64_t draws, struct text *text)
{
    if (count == 0 && n > 0) {
        const char *const share =
            PRINTED(HTML_NUMBER_SIZE, "%.2g", 100 * statistics_zero_bound(draws, STATISTICS_CONFIDENCE));
        html_add(text,
                 "0 of $ instances, below $ per instance if the chance is the same everywhere; none of $ showed it, so "
                 "fewer than $ % do (95 % confidence)",
                 QUANTITY_COUNT(n), HTML_RATE_OF(0, n) + strlen("< "), WORDS_COUNTED(draws, "draw", "draws"), share);
        return;
    }
    html_add(text, "$ of $ instances, $ per instance", QUANTITY_COUNT(count), QUANTITY_COUNT(n),
             HTML_RATE_OF(count, n));
}

void page_add_link(const struct page_test *test, struct text *text)
{
    html_add(text, "<a href=\"#$\">$</a>", test->anchor, test->name);
}

const struct page_mark_words page_marks[PAGE_MARK_COUNT] = {
    [PAGE_FORBIDDEN] = {"kx", "\u2716 ", "forbidden seen", "an outcome that the model forbids was seen"},
    [PAGE_CONTROL] = {"kx", "\u2716 ", "control broken",
                      "as a control the test showed the outcome that it should rule out"},
    [PAGE_CLAIM] = {"kx", "\u2716 ", "must not appear",
                    "the test's file says that its witness must never appear, and it was seen"},
    [PAGE_UNPROMISED] = {"kp", "\u25b2 ", "not promised",
                         "a forbidden outcome was seen, but the device does not promise what the test uses"},
    [PAGE_FAULT] = {"kf", "! ", "fault", "a hang, a crash, a failed build or a lost device"},
    [PAGE_NOT_KEPT] = {"kp", "\u25b2 ", "not kept",
                       "the compiled code is not the test, so this proves nothing about the device"},
    [PAGE_CUT] = {"kf", "", "no result", "not run, interrupted or invalid"},
    [PAGE_GAVE_UP] = {"kp", "\u25b2 ", "gave up", "threads waited in vain for others to go on"},
    [PAGE_SEEN] = {"", "", "seen", "the witness was seen"},
    [PAGE_UNSEEN] = {"kz", "", "not seen", "the witness was not seen"},
    [PAGE_REFUSED] = {"kz", "", "unsupported", "the device does not support what the test uses"},
    [PAGE_NOTHING] = {"kz", "", "nothing counted", "no instance was counted"},
};

/* ---- numbers of runs ---- */

void page_number_runs(struct page *page)
{
    FOR_EACH(const struct page_source, source, page->sources, page->source_count)
        for (size_t j = 0; j < source->side.job_count; j++) {
            const struct store_job_row *row = &source->side.jobs[j].row;
            const size_t at = INDEX_OF(run, page->history->runs, page->history->run_count,
                                       row->run_uuid && strcmp(run->uuid, row->run_uuid) == 0);
            for (size_t r = 0; r < source->run_count && at < page->history->run_count; r++)
                if (source->runs[r].row.run_id == row->run_id)
                    source->runs[r].number = at + 1;
        }
}

void page_add_run(const struct page *page, size_t source, int64_t run_id, struct text *text)
{
    const struct page_run *run =
        FIRST_OF(one, page->sources[source].runs, page->sources[source].run_count, one->row.run_id == run_id);
    html_add(text, "<a href=\"#run-$-$\">", HTML_NUMBER(source + 1), HTML_NUMBER(run_id));
    if (run && run->number > 0)
        text_add(text, "run %zu", run->number);
    else
        text_add(text, "a run");
    if (run && *run->row.started_at)
        HTML_SAY(text, text_add(text, " (%.10s)", run->row.started_at));
    if (page->source_count > 1)
        html_add(text, " in $", page->sources[source].name);
    text_add(text, "</a>");
}

/* ---- what is new ---- */

const struct history_alarm *page_new_alarm(const struct page *page, const struct page_part *part)
{
    const struct store_job_row *row = &part->jobs[0].job->row;
    FOR_EACH(const struct history_alarm, alarm, page->history->alarms, page->history->alarm_count) {
        const struct history_test *test = alarm->series->segment->test;
        if (alarm->began && strcmp(test->name, row->test) == 0 && strcmp(test->dialect, row->dialect) == 0 &&
            strcmp(alarm->device->backend, row->backend) == 0 && strcmp(alarm->device->device, row->device) == 0 &&
            strcmp(alarm->device->uuid, row->device_uuid) == 0 &&
            ANY_OF(outcome, part->outcomes, part->outcome_count,
                   outcome->count > 0 && strcmp(outcome->label, alarm->series->label) == 0))
            return alarm;
    }
    return NULL;
}

/* ---- rates ---- */

/* What a part's sign is about: forbidden outcomes, threads that gave up, else the witness. */
static struct statistics_batch count_of_mark(const struct page_part *part, const struct page_job *job)
{
    struct statistics_batch count = {job->witnesses, job->counted};
    if (part->mark == PAGE_FORBIDDEN || (part->mark == PAGE_UNPROMISED && part->forbidden > 0))
        count.count = job->forbidden;
    if (part->mark != PAGE_GAVE_UP)
        return count;
    count.count = 0;
    for (size_t i = 0; i < job->void_count; i++) {
        count.n += job->voids[i].count;
        if (strcmp(job->voids[i].label, void_reason_word(VOID_GAVE_UP)) == 0)
            count.count += job->voids[i].count;
    }
    return count;
}

static struct statistics_batch count_of_label(const struct page_job *job, const char *label)
{
    for (size_t i = 0; i < job->job->outcome_count; i++)
        if (strcmp(job->job->outcomes[i].label, label) == 0)
            return (struct statistics_batch){job->job->outcomes[i].count, job->counted};
    return (struct statistics_batch){0, job->counted};
}

static bool is_same_run(const struct page_job *a, const struct page_job *b)
{
    const char *uuid = a->job->row.run_uuid, *other = b->job->row.run_uuid;
    if (a->source == b->source)
        return a->job->row.run_id == b->job->row.run_id;
    return uuid && *uuid && other && strcmp(uuid, other) == 0; /* parts of a run, in two databases */
}

void page_add_run_counts(const struct page_part *part, const char *label, struct page_run_counts *runs)
{
    const size_t first = runs->count;
    FOR_EACH(const struct page_job, job, part->jobs, part->job_count) {
        const struct statistics_batch count = label ? count_of_label(job, label) : count_of_mark(part, job);
        size_t at = first;
        if (count.n == 0)
            continue;
        while (at < runs->count && !is_same_run(runs->jobs[at], job))
            at++;
        if (at == runs->count) {
            runs->counts = memory_grow(runs->counts, at, &runs->room, sizeof *runs->counts);
            runs->jobs = memory_grow(runs->jobs, at, &runs->job_room, sizeof *runs->jobs);
            runs->counts[at] = (struct statistics_batch){0};
            runs->jobs[at] = job;
            runs->count++;
        }
        runs->counts[at].count += count.count;
        runs->counts[at].n += count.n;
    }
}

void page_release_run_counts(struct page_run_counts *runs)
{
    free(runs->counts);
    free(runs->jobs);
    *runs = (struct page_run_counts){.count = 0};
}

/* The rate over the runs, which are released. */
static struct statistics_run_rate rate_of_runs(struct page_run_counts *runs)
{
    struct statistics_run_rate rate;
    statistics_rate_over_runs(runs->counts, runs->count, STATISTICS_CONFIDENCE, &rate);
    page_release_run_counts(runs);
    return rate;
}

struct statistics_run_rate page_rate_of(const struct page_part *part, const char *label)
{
    struct page_run_counts runs = {0};
    page_add_run_counts(part, label, &runs);
    return rate_of_runs(&runs);
}

struct statistics_run_rate page_witness_rate(const struct page_part *part)
{
    struct page_part alone = *part;
    alone.mark = PAGE_SEEN;
    return page_rate_of(&alone, NULL);
}

struct statistics_run_rate page_rate_in(const struct page_test *test, size_t column)
{
    struct page_run_counts runs = {0};
    const enum page_mark mark = page_sum_of(test, column).mark;
    for (size_t p = 0; p < test->part_count; p++)
        if (test->parts[p].column == column && test->parts[p].mark == mark)
            page_add_run_counts(&test->parts[p], NULL, &runs);
    return rate_of_runs(&runs);
}

void page_add_spread(const struct statistics_run_rate *rate, struct text *text)
{
    if (rate->runs == 1)
        html_add(text, "$ <small>one run</small>", HTML_INTERVAL(rate->interval));
    else
        html_add(text, "$ <small>over $ runs, seen in $</small>", HTML_INTERVAL(rate->interval),
                 QUANTITY_COUNT(rate->runs), rate->seen_in == rate->runs ? "all" : QUANTITY_COUNT(rate->seen_in));
}

void page_describe_rate(const struct statistics_run_rate *rate, struct text *text)
{
    if (rate->runs == 1) {
        html_add(text, ", $ per instance (95 % interval $, from counting in one run)", HTML_RATE(rate->rate),
                 HTML_INTERVAL(rate->interval));
        return;
    }
    html_add(text, " in $ runs. A typical run has $ per instance (95 % interval $ over runs), and ",
             QUANTITY_COUNT(rate->runs), HTML_RATE(rate->rate), HTML_INTERVAL(rate->interval));
    html_add(text, rate->range.low == rate->range.high ? "all runs have $" : "the runs range from $",
             HTML_INTERVAL(rate->range));
}

/* ---- the title ---- */

static size_t count_different(const struct page *page, bool drivers)
{
    size_t count = 0;
    for (size_t i = 0; i < page->column_count; i++) {
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first &= strcmp(page->columns[k].device, page->columns[i].device) != 0 ||
                     (drivers && strcmp(page->columns[k].driver, page->columns[i].driver) != 0);
        count += first;
    }
    return count;
}

void page_add_title(const struct page *page, struct text *title)
{
    char first[11] = "", last[11] = "";
    const size_t devices = count_different(page, false), drivers = count_different(page, true);
    if (*page->title || page->column_count == 0) {
        text_add(title, "%s", *page->title ? page->title : "Litmus tests");
        return;
    }
    /* The first and the last day of the runs; empty if no time is known. */
    for (size_t s = 0; s < page->source_count; s++)
        for (size_t r = 0; r < page->sources[s].run_count; r++) {
            const char *started = page->sources[s].runs[r].row.started_at;
            if (!*started || page->sources[s].runs[r].jobs == 0)
                continue;
            if (!*first || strncmp(started, first, 10) < 0)
                (void)snprintf(first, 11, "%.10s", started);
            if (strncmp(started, last, 10) > 0)
                (void)snprintf(last, 11, "%.10s", started);
        }
    if (page->test_count == 1)
        text_add(title, "%s on %s", page->tests->name, page->columns[0].device);
    else
        text_add(title, "%s litmus tests on %s", QUANTITY_COUNT(page->test_count), page->columns[0].device);
    if (devices > 1)
        text_add(title, " and %zu more", devices - 1);
    if (drivers > devices)
        text_add(title, ", %zu drivers", drivers);
    if (*first)
        text_add(title, ", %s%s%s", first, strcmp(first, last) != 0 ? " to " : "",
                 strcmp(first, last) != 0 ? last : "");
}
