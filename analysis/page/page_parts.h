// SPDX-License-Identifier: Apache-2.0
/* The parts that make a page. Private to the files page*.c. */
#ifndef ORCHIL_ANALYSIS_PAGE_PAGE_PARTS_H
#define ORCHIL_ANALYSIS_PAGE_PAGE_PARTS_H

#include "analysis/page/html.h"
#include "analysis/page/page.h"
#include "analysis/sides/side_job.h"

/* ---- making it ---- */

/* Sorts the jobs of all databases into columns, tests and parts, and adds them up. */
void page_gather(struct page *page, struct page_job *jobs, size_t count);

/* The order of jobs by test, dialect and hash: 0 where they are of one test. */
int page_compare_tests(const struct page_job *a, const struct page_job *b);

/* What follows from the sums and the text of a test: its claim, the marks of its parts and its own. */
void page_judge(struct page_test *test);

/* Orders the tests, names their places in the page and indexes them and the jobs, which
 * belong to the page. */
void page_order(struct page *page, const struct page_job *jobs, size_t count);

/* Puts the runs of all databases in order of time, where there are enough of them. */
void page_make_history(struct page *page);

/* ---- asking it ---- */

struct page_mark_words {
    const char *class, *glyph, *result, *meaning;
};
extern const struct page_mark_words page_marks[PAGE_MARK_COUNT];

/* The test of a dialect and name; NULL where the page has none. Of several, the first by hash. */
const struct page_test *page_find(const struct page *page, const char *dialect, const char *name);

/* Sums over parts: of a test in a column, or in all (column == SIZE_MAX). */
struct page_sum {
    size_t parts;
    uint64_t counted, voids, witnesses, forbidden, gave_up, draws;
    bool untested;       /* in no job did launches overlap that may */
    enum page_mark mark; /* the gravest; PAGE_NOTHING without a part */
};
struct page_sum page_sum_of(const struct page_test *test, size_t column);

/* What the controls of a test showed in its own draws, in a column or in all. */
struct page_control {
    size_t jobs;
    uint64_t counted, witnesses, draws;
    const struct page_test *test; /* one of them, the most telling; NULL where none was run */
};
struct page_control page_control_of(const struct page *page, const struct page_test *test, size_t column);

/* What the weakened siblings of a test showed in a column, or in all: its mutants, and the tests that it is a control of. */
struct page_mutants {
    size_t named, run, seen;
    const struct page_test *best; /* of those that were run, the one with the greatest rate; NULL where none was */
    double rate;
    uint64_t counted, witnesses, draws; /* of the best */
};
struct page_mutants page_mutants_of(const struct page *page, const struct page_test *test, size_t column);

/* The most mutants of a test that are looked at. */
enum { PAGE_MOST_MUTANTS = 64 };

/* Lists the tests of the page that page_mutants_of asks, and gives how many a test has, also those that were not run. */
size_t page_list_mutants(const struct page *page, const struct page_test *test,
                         const struct page_test *list[PAGE_MOST_MUTANTS], size_t *count);

/* What the silence of a test says in a column: the test asks for a forbidden outcome and has not shown it. */
enum page_silence {
    PAGE_SILENCE_NONE,   /* it is not such a test, counted nothing, or has no mutants */
    PAGE_SILENCE_LITTLE, /* no mutant was seen there */
    PAGE_SILENCE_TELLS   /* a mutant was: the stress brings out what the test asks for where it can be seen */
};
enum page_silence page_silence_of(const struct page *page, const struct page_test *test, size_t column);

/* The least that silence says in all columns where the test counted something. */
enum page_silence page_silence_anywhere(const struct page *page, const struct page_test *test);

/* ---- saying it ---- */

void page_print_overview(const struct page *page, struct text *text);
void page_print_findings(const struct page *page, struct text *text);
void page_print_map(const struct page *page, struct text *text);
void page_print_unseen(const struct page *page, struct text *text); /* nothing where there is none */
void page_print_tests(const struct page *page, struct text *text);
void page_print_history(const struct page *page, struct text *text); /* nothing where there is none */
void page_print_sources(const struct page *page, struct text *text);

/* The execution that an outcome of a test has, drawn, and why it has its verdict, folded; nothing where the model cannot
 * say. */
void page_print_explanation(const struct page *page, const struct page_test *test, const char *label,
                            const char *model_name, struct text *text);

/* Adds "NVIDIA H100, cuda 580.1", with the database where there are several: as it is, and escaped for the page. */
void page_name_column(const struct page *page, size_t column, struct text *name);
void page_add_column(const struct page *page, size_t column, struct text *text);

/* "12 of 1,000 instances, 0.012 per instance (95 % interval 0.0062 to 0.021)"; of zero both bounds, per draw and per
 * instance: batches differ by their draws, so the second holds only where all draws have the same chance. */
void page_add_count(uint64_t count, uint64_t n, uint64_t draws, struct text *text);

/* Whether this came of a test that ran: neither refused nor without a count. */
bool page_ran(enum page_mark mark);

/* A link to a test, with its name as text. */
void page_add_link(const struct page_test *test, struct text *text);

#endif
