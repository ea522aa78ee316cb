// SPDX-License-Identifier: Apache-2.0
/* What several parts of a page print: columns, counts, links. */
#include <stdio.h>
#include <string.h>

#include "analysis/page/page_parts.h"
#include "analysis/statistics/statistics.h"
#include "base/quantity.h"

/* How two columns differ if their devices and drivers have the same names. */
static bool are_alike(const struct page_column *a, const struct page_column *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->backend, b->backend) == 0 &&
           strcmp(a->driver, b->driver) == 0;
}

void page_name_column(const struct page *page, size_t column, struct text *name)
{
    const struct page_column *of = &page->columns[column];
    bool same_uuid = true, same_platform = true;
    for (size_t i = 0; i < page->column_count; i++) {
        if (!are_alike(of, &page->columns[i]))
            continue;
        same_uuid &= strcmp(page->columns[i].device_uuid, of->device_uuid) == 0;
        same_platform &= strcmp(page->columns[i].platform, of->platform) == 0;
    }
    text_add(name, "%s, %s %s", of->device, of->backend, of->driver);
    if (!same_platform)
        text_add(name, ", %s", of->platform);
    if (!same_uuid)
        text_add(name, ", %s", of->device_uuid);
}

void page_add_column(const struct page *page, size_t column, struct text *text)
{
    struct text name = {0};
    page_name_column(page, column, &name);
    html_add(text, "$", text_string(&name));
    text_release(&name);
}

void page_add_place(const struct page *page, size_t column, struct text *text)
{
    const struct page_column *of = &page->columns[column];
    html_add(text, "<span class=cut>$</span><small class=cut>$ $</small>", of->device, of->backend, of->driver);
}

/* The bound for 0 of n draws: "7.2 %". */
static void add_zero(uint64_t n, uint64_t draws, struct text *text)
{
    char share[HTML_NUMBER_SIZE];
    (void)snprintf(share, sizeof share, "%.2g", 100 * statistics_zero_bound(draws, STATISTICS_CONFIDENCE));
    html_add(
        text,
        "0 of $ instances, in $ $ of the stress. With 95 % confidence, fewer than $ % of draws show it at all; and "
        "if the chance is the same everywhere, it is below $ per instance",
        QUANTITY_COUNT(n), QUANTITY_COUNT(draws), draws == 1 ? "draw" : "draws", share,
        HTML_RATE_OF(0, n) + strlen("< "));
}

void page_add_count(uint64_t count, uint64_t n, uint64_t draws, struct text *text)
{
    if (count == 0 && n > 0) {
        add_zero(n, draws, text);
        return;
    }
    html_add(text, "$ of $ instances, $ per instance", QUANTITY_COUNT(count), QUANTITY_COUNT(n),
             HTML_RATE_OF(count, n));
}

void page_add_link(const struct page_test *test, struct text *text)
{
    html_add(text, "<a href=\"#$\">$</a>", test->anchor, test->name);
}
