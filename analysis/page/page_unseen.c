// SPDX-License-Identifier: Apache-2.0
/* Witnesses that a model allows and that a device never showed, with their bounds, most instances
 * first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/page/page_parts.h"
#include "analysis/statistics/statistics.h"
#include "base/memory.h"
#include "base/quantity.h"

enum { OPEN_UNSEEN = 5, MOST_UNSEEN = 2000 };

/* A test on a device and driver that never showed its witness. */
struct unseen {
    const struct page_test *test;
    size_t column, place; /* place: in the order of the page, to break ties of instances */
    struct page_sum sum;
};

struct unseen_list {
    struct unseen *of;
    size_t count, room;
};

/* Whether a model, or else the text, says that the witness may be seen. */
static bool is_allowed(const struct page_test *test)
{
    static const char *const claims[] = {"sc", "weak", "allowed"};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        if (strcmp(test->claim, claims[i]) == 0)
            return !test->progress;
    return false;
}

static void gather_unseen(const struct page *page, struct unseen_list *list)
{
    for (size_t i = 0; i < page->ran_count; i++)
        for (size_t column = 0; column < page->column_count && is_allowed(page->by_gravity[i]); column++) {
            const struct page_sum sum = page_sum_of(page->by_gravity[i], column);
            if (sum.counted == 0 || sum.witnesses > 0)
                continue;
            const size_t place = list->count;
            LIST_ADD(list->of, list->count, list->room) = (struct unseen){page->by_gravity[i], column, place, sum};
        }
}

static int compare_unseen(const void *a, const void *b)
{
    const struct unseen *first = a, *second = b;
    if (first->sum.counted != second->sum.counted)
        return first->sum.counted > second->sum.counted ? -1 : 1;
    return first->place < second->place ? -1 : 1;
}

/* The outcome that was not seen, or how many if there are several. */
static void add_witness(const struct page_test *test, struct text *text)
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

static void print_unseen_row(const struct page *page, const struct unseen *unseen, struct text *text)
{
    char share[HTML_NUMBER_SIZE];
    (void)snprintf(share, sizeof share, "%.2g", 100 * statistics_zero_bound(unseen->sum.draws, STATISTICS_CONFIDENCE));
    text_add(text, "<tr><th scope=row>");
    page_add_link(unseen->test, text);
    html_add(text, "<td data-l=Dialect>$<td data-l=Where>", unseen->test->dialect);
    page_add_place(page, unseen->column, text);
    text_add(text, "<td data-l=Witness>");
    add_witness(unseen->test, text);
    html_add(text,
             "<td data-l=\"The model says\">$<td class=n data-l=Instances>0 of $<td class=n data-l=\"Per instance\">$"
             "<td class=n data-l=Draws>$<td class=n data-l=\"Of draws\">&lt; $ %",
             unseen->test->claim, QUANTITY_COUNT(unseen->sum.counted), HTML_RATE_OF(0, unseen->sum.counted),
             QUANTITY_COUNT(unseen->sum.draws), share);
    if (page->column_count > 1)
        text_add(text, "<td data-l=Elsewhere>%s",
                 page_sum_of(unseen->test, SIZE_MAX).witnesses > 0 ? "seen" : "not seen");
    text_add(text, "\n");
}

static void print_unseen_rows(const struct page *page, const struct unseen_list *list, size_t first, size_t end,
                              struct text *text)
{
    text_add(text,
             "<div class=wide><table class=stack>\n<thead><tr><th>Test<th>Dialect<th class=mid>Where<th>Witness"
             "<th>The model says<th data-n>Instances<th data-n>Per instance<th data-n>Draws<th data-n>Of draws"
             "%s</thead>\n<tbody>\n",
             page->column_count > 1 ? "<th>Elsewhere" : "");
    for (size_t i = first; i < list->count && i < end; i++)
        print_unseen_row(page, &list->of[i], text);
    text_add(text, "</table></div>\n");
}

/* What zero means for the row with the most instances, and what it leaves open. */
static void print_unseen_meaning(const struct unseen_list *list, struct text *text)
{
    const struct unseen *most = &list->of[0];
    text_add(text, "<p>A model allows these witnesses, and a device never showed them. The most was asked of ");
    page_add_link(most->test, text);
    html_add(text,
             ": 0 of $ instances, so its rate there is below $ (95 %, if the chance is the same in every draw of the "
             "stress). ",
             QUANTITY_COUNT(most->sum.counted), HTML_RATE_OF(0, most->sum.counted) + strlen("< "));
    text_add(
        text,
        "Either the device promises more than the model, or the stress does not bring the outcome out: if "
        "the same outcome appeared on another device, the stress is probably adequate. <code>orchil check --model ptx,ptx-strengthened "
        "--differ</code> says which of them a model forbids that is stronger than PTX.</p>\n");
}

void page_print_unseen(const struct page *page, struct text *text)
{
    struct unseen_list list = {0};
    gather_unseen(page, &list);
    if (list.count > 0) {
        qsort(list.of, list.count, sizeof *list.of, compare_unseen);
        text_add(text, "<section id=unseen>\n<h2>Allowed, never seen</h2>\n");
        print_unseen_meaning(&list, text);
        print_unseen_rows(page, &list, 0, OPEN_UNSEEN, text);
        if (list.count > OPEN_UNSEEN) {
            html_add(text, "<details class=fold><summary>$ more</summary>\n", QUANTITY_COUNT(list.count - OPEN_UNSEEN));
            print_unseen_rows(page, &list, OPEN_UNSEEN, MOST_UNSEEN, text);
            if (list.count > MOST_UNSEEN)
                html_add(text, "<p>And $ more with fewer instances: the heat map has them.</p>\n",
                         QUANTITY_COUNT(list.count - MOST_UNSEEN));
            text_add(text, "</details>\n");
        }
        text_add(text, "</section>\n");
    }
    free(list.of);
}
