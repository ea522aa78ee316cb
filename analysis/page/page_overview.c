// SPDX-License-Identifier: Apache-2.0
/* The first screen: what was tested on what, and what came of it, for people who have never seen a litmus test. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/page/page_parts.h"
#include "base/quantity.h"

extern const char page_guide[]; /* analysis/page/guide.html */

struct overview {
    uint64_t counted, voids, jobs, finished;
    size_t marks[PAGE_MARK_COUNT]; /* tests by their gravest mark */
    size_t allowed, weak_seen;     /* tests whose witness the model allows; of these, seen */
    size_t controls, broken;       /* tests that had controls; of these, with a control that showed its witness */
    size_t forbidden, proven;      /* clean tests of a forbidden witness; of these, with a mutant that was seen */
};

/* A clean result of a forbidden test means something on a device where a mutant was seen. */
static bool is_proven(const struct page *page, const struct page_test *test)
{
    for (size_t column = 0; column < page->column_count; column++)
        if (page_sum_of(test, column).counted > 0 && page_mutants_of(page, test, column).seen == 0)
            return false;
    return true;
}

static void add_test(const struct page *page, const struct page_test *test, struct overview *overview)
{
    const struct page_sum sum = page_sum_of(test, SIZE_MAX);
    const struct page_control control = page_control_of(page, test, SIZE_MAX);
    const char first = *test->claim;
    const bool allowed = first == 'w' || first == 'a'; /* weak; allowed, where only the text says so */
    overview->marks[test->mark]++;
    if (sum.counted > 0 && allowed) {
        overview->allowed++;
        overview->weak_seen += sum.witnesses > 0;
    }
    if (control.counted > 0) {
        overview->controls++;
        overview->broken += control.witnesses > 0;
    }
    if (sum.counted > 0 && first == 'f' && sum.witnesses == 0 && page_mutants_of(page, test, SIZE_MAX).named > 0) {
        overview->forbidden++;
        overview->proven += is_proven(page, test);
    }
}

static struct overview survey_page(const struct page *page)
{
    struct overview overview = {0};
    for (size_t i = 0; i < page->test_count; i++)
        add_test(page, &page->tests[i], &overview);
    for (size_t i = 0; i < page->column_count; i++) {
        overview.counted += page->columns[i].counted;
        overview.voids += page->columns[i].voids;
        overview.jobs += page->columns[i].jobs;
        overview.finished += page->columns[i].states[JOB_COMPLETED];
    }
    return overview;
}

/* ---- the sentence ---- */

static void add_number(struct text *text, uint64_t count, const char *one, const char *many)
{
    html_add(text, "$ $", QUANTITY_COUNT(count), count == 1 ? one : many);
}

static void add_where(const struct page *page, struct text *text)
{
    enum { NAMED = 3 };
    for (size_t i = 0; i < page->column_count && page->column_count <= NAMED; i++) {
        text_add(text, "%s", i == 0 ? "" : i + 1 < page->column_count ? "; " : "; and ");
        page_add_column(page, i, text);
    }
    if (page->column_count > NAMED)
        add_number(text, page->column_count, "device and driver", "pairs of device and driver");
}

static void add_result(const struct overview *overview, struct text *text)
{
    const size_t forbidden = overview->marks[PAGE_FORBIDDEN], control = overview->marks[PAGE_CONTROL];
    if (forbidden > 0)
        html_add(
            text,
            "<b>Forbidden outcomes were seen, in $ of the tests.</b> One is enough: suspect orchil first, then the "
            "compiler and the driver, then the device.",
            QUANTITY_COUNT(forbidden));
    if (control > 0)
        html_add(text, "$<b>$ $ showed a witness that must never appear.</b> Do not trust the numbers beside $.",
                 forbidden > 0 ? " " : "", QUANTITY_COUNT(control), control == 1 ? "control" : "controls",
                 control == 1 ? "it" : "them");
    if (forbidden + control > 0)
        return;
    if (overview->counted == 0)
        text_add(text, "<b>Nothing was counted, so nothing is shown.</b>");
    else
        text_add(text, "<b>No outcome was seen that must never appear.</b>");
    if (overview->marks[PAGE_UNPROMISED] > 0)
        html_add(text,
                 " In $ of the tests a forbidden outcome was seen where the device does not promise the order or scope "
                 "that the test uses; that is no fault.",
                 QUANTITY_COUNT(overview->marks[PAGE_UNPROMISED]));
}

static void print_lead(const struct page *page, const struct overview *overview, struct text *text)
{
    const bool bad = overview->marks[PAGE_FORBIDDEN] + overview->marks[PAGE_CONTROL] > 0;
    const bool doubt = overview->counted == 0 || overview->marks[PAGE_UNPROMISED] > 0;
    html_add(text, "<p class=\"lead $\">", bad ? "bad" : doubt ? "doubt" : "good");
    add_number(text, page->test_count, "litmus test", "litmus tests");
    text_add(text, " asked in what order threads see each other's writes, on ");
    add_where(page, text);
    html_add(text, ": $ plays in all", HTML_COUNT_IN_WORDS(overview->counted));
    if (overview->counted >= 1000000)
        html_add(text, " ($)", QUANTITY_COUNT(overview->counted));
    text_add(text, ". ");
    add_result(overview, text);
    text_add(text, "</p>\n");
}

/* ---- tiles ---- */

static void print_tile(const char *class, const char *value, const char *what, struct text *text)
{
    html_add(text, "<li$$><b>$</b>$</li>\n", *class ? " class=" : "", class, value, what);
}

static void print_share(size_t part, size_t whole, const char *class, const char *what, struct text *text)
{
    char value[2 * QUANTITY_SIZE + 8];
    (void)snprintf(value, sizeof value, "%s of %s", QUANTITY_COUNT(part), QUANTITY_COUNT(whole));
    if (whole > 0)
        print_tile(class, value, what, text);
}

static void print_tiles(const struct overview *overview, struct text *text)
{
    const size_t alarms = overview->marks[PAGE_FORBIDDEN] + overview->marks[PAGE_CONTROL];
    text_add(text, "<ul class=tiles>\n");
    print_tile(alarms > 0              ? "bad"
               : overview->counted > 0 ? "good"
                                       : "doubt",
               QUANTITY_COUNT(alarms), "tests with an outcome that must never appear", text);
    if (overview->controls > 0) {
        const size_t clean = overview->controls - overview->broken;
        print_share(clean, overview->controls, overview->broken > 0 ? "bad" : "good",
                    "tests whose controls stayed clean", text);
    }
    print_share(overview->proven, overview->forbidden, overview->proven == overview->forbidden ? "good" : "doubt",
                "clean forbidden tests with a mutant that was seen on each device: their result means something", text);
    print_share(overview->weak_seen, overview->allowed, "", "tests of a weak outcome that was seen; this is allowed",
                text);
    const uint64_t open = overview->jobs - overview->finished;
    if (open > 0)
        print_tile("doubt", QUANTITY_COUNT(open), "jobs without a complete result: see below", text);
    text_add(text, "</ul>\n");
}

void page_print_overview(const struct page *page, struct text *text)
{
    const struct overview overview = survey_page(page);
    html_add(text, "<header>\n<h1>$</h1>\n", *page->title ? page->title : "Litmus tests: what was seen");
    print_lead(page, &overview, text);
    print_tiles(&overview, text);
    text_add(text,
             "</header>\n%s"
             "<nav aria-label=\"Parts of this page\"><ul>"
             "<li><a href=\"#findings\">What must never be seen</a></li><li><a href=\"#map\">Heat map</a></li>"
             "<li><a href=\"#tests\">Tests in detail</a></li><li><a href=\"#devices\">Devices and drivers</a></li>"
             "<li><a href=\"#environments\">Environments</a></li><li><a href=\"#runs\">Runs</a></li></ul></nav>\n",
             page_guide);
}
