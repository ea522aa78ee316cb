// SPDX-License-Identifier: Apache-2.0
/* The parts that make a page. */
#pragma once

#include "analysis/page/html.h"
#include "analysis/page/page.h"
#include "analysis/sides/side_job.h"
#include "analysis/statistics/runs.h"

/* ---- making it ---- */

/* Derives from a test's sums and text: its claim, the marks of its parts and its own. */
void page_judge(struct page_test *test);

/* Sorts the tests, names their places in the page, and indexes them and the jobs. The indexes belong to the page. */
void page_order(struct page *page, const struct page_job *jobs, size_t count);

/* Makes the history of all databases' runs. */
void page_make_history(struct page *page);

/* Numbers the runs of all databases in order of time, as the history does. */
void page_number_runs(struct page *page);

/* ---- asking it ---- */

struct page_mark_words {
    const char *class, *glyph, *result, *meaning;
};
extern const struct page_mark_words page_marks[PAGE_MARK_COUNT];

/* The test of a dialect and name; NULL if the page has none. Of several, the first by hash. */
const struct page_test *page_find(const struct page *page, const char *dialect, const char *name);

/* Sums over parts: of a test in a column, or in all (column == SIZE_MAX). */
struct page_sum {
    size_t parts;
    uint64_t counted, voids, witnesses, forbidden, gave_up, draws;
    bool untested;       /* launches that may overlap did so in no job */
    enum page_mark mark; /* the gravest; PAGE_NOTHING without a part */
};
struct page_sum page_sum_of(const struct page_test *test, size_t column);

/* The results of a test's controls, which run in its own draws, in a column or in all. */
struct page_control {
    size_t jobs;
    uint64_t counted, witnesses, draws;
    const struct page_test *test; /* the most informative of them; NULL if none was run */
};
struct page_control page_control_of(const struct page *page, const struct page_test *test, size_t column);

/* The results of a test's weakened siblings in a column, or in all: its mutants, and the tests that it controls. */
struct page_mutants {
    size_t named, run, seen;
    const struct page_test *best; /* of those that were run, the one with the highest rate; NULL if none was run */
    double rate;
    uint64_t counted, witnesses, draws; /* of the best */
};
struct page_mutants page_mutants_of(const struct page *page, const struct page_test *test, size_t column);

/* The largest number of a test's mutants that are considered. */
enum { PAGE_MOST_MUTANTS = 64 };

/* Lists the tests of the page that page_mutants_of considers; returns how many a test has, including those that were
 * not run. */
size_t page_list_mutants(const struct page *page, const struct page_test *test,
                         const struct page_test *list[PAGE_MOST_MUTANTS], size_t *count);

/* What it means in a column that a test has not shown its forbidden witness. */
enum page_silence {
    PAGE_SILENCE_NONE,   /* not such a test, or it has no counts or no mutants */
    PAGE_SILENCE_LITTLE, /* no mutant was seen there */
    PAGE_SILENCE_TELLS   /* a mutant was seen: the stress brings out the behaviour where it is possible */
};
enum page_silence page_silence_of(const struct page *page, const struct page_test *test, size_t column);

/* The weakest of these over all columns where the test has counts. */
enum page_silence page_silence_anywhere(const struct page *page, const struct page_test *test);

/* The counts of what a part shows in each of its runs, in order of jobs: of an outcome; or of what its mark says (label
 * NULL). Starts as {0}; parts are added to it, and page_release_run_counts frees it. */
struct page_run_counts {
    struct statistics_batch *counts;
    const struct page_job **jobs; /* the first of each run */
    size_t count, room, job_room;
};
void page_add_run_counts(const struct page_part *part, const char *label, struct page_run_counts *runs);
void page_release_run_counts(struct page_run_counts *runs);

/* The rates of these over runs. */
struct statistics_run_rate page_rate_of(const struct page_part *part, const char *label);
struct statistics_run_rate page_witness_rate(const struct page_part *part); /* whatever the part's mark is about */
struct statistics_run_rate page_rate_in(const struct page_test *test, size_t column);

/* The outcome that must never appear and that an earlier run of the device did not show; NULL: not of this part. */
const struct history_alarm *page_new_alarm(const struct page *page, const struct page_part *part);

/* The tests with findings, excused by their device or not: those with new ones first, each in order of gravity. The
 * list belongs to the caller. */
const struct page_test **page_list_found(const struct page *page, bool excused, size_t *count);

/* ---- saying it ---- */

/* A test whose witness was seen and is no fault, with the device and driver that showed it most often. */
struct page_seen {
    enum page_seen_kind { SEEN_UNPROMISED, SEEN_BETWEEN, SEEN_ALLOWED, SEEN_KINDS } kind; /* BETWEEN: devices */
    const struct page_test *test;
    const char *words, *answer; /* "Can both reads miss the other thread's write?", "Yes, " */
    struct page_sum sum;
    size_t column;
    double rate, most; /* most: of the tests with these words */
};

/* Makes the page's list of them, by kind; in a kind, tests with the same words follow each other, and the most frequent
 * come first. */
void page_list_seen(struct page *page);
void page_add_share(const struct page_seen *seen, struct text *text); /* "in 1 of 473 instances" */
void page_print_seen(const struct page *page, struct text *text);     /* a sentence for each; nothing if none is */
void page_print_findings(const struct page *page, struct text *text);
void page_print_map(const struct page *page, struct text *text);
void page_print_unseen(const struct page *page, struct text *text); /* nothing if there is none */
void page_print_tests(const struct page *page, struct text *text);
void page_print_history(const struct page *page, struct text *text); /* nothing if there is none */
/* The mutation scores of runs, and a link to them; nothing if no run has one. */
void page_print_scores(const struct history *history, struct text *text);
void page_link_scores(const struct history *history, struct text *text);

void page_print_sources(const struct page *page, struct text *text);

/* The execution of an outcome as a drawing, and the reason for its verdict, folded unless it is open; nothing if the
 * model cannot say. */
void page_print_explanation(const struct page *page, const struct page_test *test, const char *label,
                            const char *model_name, bool open, struct text *text);

/* Adds "NVIDIA H100, cuda 580.1", with the database if there are several: unescaped, and escaped for the page. */
void page_name_column(const struct page *page, size_t column, struct text *name);
void page_add_column(const struct page *page, size_t column, struct text *text);

/* The title of the page: the one that was given, or devices, drivers and days. Unescaped. */
void page_add_title(const struct page *page, struct text *title);

/* "run 12 (2026-11-19)", with the database if there are several, as a link. The number is the run's in order of
 * time. */
void page_add_run(const struct page *page, size_t source, int64_t run_id, struct text *text);

/* "0.116 to 0.129 over 4 runs, seen in all"; and as the end of a sentence that begins with a count. */
void page_add_spread(const struct statistics_run_rate *rate, struct text *text);
void page_describe_rate(const struct statistics_run_rate *rate, struct text *text);

/* "12 of 1,000 instances, 0.0120 per instance"; of zero both bounds,
 * per draw and per instance: batches differ by their draws, so the second holds only if all draws have the same
 * chance. */
void page_add_count(uint64_t count, uint64_t n, uint64_t draws, struct text *text);

/* The same in a cell of a table: the device, and below it the driver. */
void page_add_place(const struct page *page, size_t column, struct text *text);

/* Whether this is the result of a test that ran: neither refused nor without counts. */
bool page_ran(enum page_mark mark);

/* Whether the page has another test of this name, in another dialect. */
bool page_has_namesake(const struct page *page, const struct page_test *test);

/* The first digits of a hash, which tell tests and environments of a page apart. */
enum { PAGE_HASH_DIGITS = 12 };

/* A link to a test, with its name as text. */
void page_add_link(const struct page_test *test, struct text *text);
