// SPDX-License-Identifier: Apache-2.0
/* The heat map: a row for each test, a column for each device and driver, the rate of the witness in the cells. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analysis/page/page_parts.h"
#include "base/quantity.h"

/* Colours go by powers of ten: k7 from 0.1 up, k6 from 0.01, ..., k1 below 1e-6. */
static int step_of(double rate)
{
    const int step = 8 + (int)floor(log10(rate));
    return step < 1 ? 1 : step > 7 ? 7 : step;
}

/* ---- legend ---- */

static void print_legend(const struct page *page, struct text *text)
{
    static const char *const steps[] = {"below 1e-6", "1e-6", "1e-5", "1e-4", "1e-3", "0.01", "from 0.1 up"};
    bool used[PAGE_MARK_COUNT] = {false};
    for (size_t i = 0; i < page->test_count; i++)
        for (size_t p = 0; p < page->tests[i].part_count; p++)
            used[page->tests[i].parts[p].mark] = true;
    text_add(text, "<ul class=legend aria-label=\"Signs and colours\">\n");
    for (int mark = 0; mark < PAGE_MARK_COUNT; mark++) {
        const struct page_mark_words *words = &page_marks[mark];
        if (used[mark] && *words->glyph)
            html_add(text, "<li class=$>$$: $</li>\n", words->class, words->glyph, words->result, words->meaning);
    }
    text_add(text, "<li class=kz>&lt; 3.0e-6: not seen, so rarer than this</li>\n");
    for (int step = 0; step < 7; step++)
        html_add(text, "<li class=\"$\">$</li>\n",
                 (const char *const[]){"k1", "k2", "k3", "k4", "k5", "k6", "k7"}[step], steps[step]);
    text_add(text, "</ul>\n");
}

/* ---- cells ---- */

static void print_cell(const struct page_test *test, size_t column, struct text *text)
{
    const struct page_sum sum = page_sum_of(test, column);
    const struct page_mark_words *words = &page_marks[sum.mark];
    const bool plain = sum.mark == PAGE_SEEN;
    char class[8];
    if (sum.parts == 0) {
        text_add(text, "<td>");
        return;
    }
    uint64_t count = sum.witnesses, n = sum.counted;
    if (sum.mark == PAGE_FORBIDDEN || (sum.mark == PAGE_UNPROMISED && sum.forbidden > 0))
        count = sum.forbidden;
    if (sum.mark == PAGE_GAVE_UP) {
        count = sum.gave_up;
        n = sum.counted + sum.voids;
    }
    (void)snprintf(class, sizeof class, "k%d", plain ? step_of((double)count / (double)n) : 0);
    const bool silent = sum.mark == PAGE_FAULT || sum.mark == PAGE_CUT || n == 0;
    html_add(text, "<td class=\"n $\">$$", plain ? class : words->class, words->glyph,
             silent ? words->result : HTML_RATE_OF(count, n));
}

/* What stands beside the result: the controls of an allowed test, the mutants of a forbidden one. */
static void print_beside(const struct page *page, const struct page_test *test, struct text *text)
{
    const struct page_control control = page_control_of(page, test, SIZE_MAX);
    const struct page_mutants mutants = page_mutants_of(page, test, SIZE_MAX);
    text_add(text, "<td class=n>");
    if (control.counted > 0)
        html_add(text, "$control $", control.witnesses > 0 ? page_marks[PAGE_CONTROL].glyph : "",
                 HTML_RATE_OF(control.witnesses, control.counted));
    else if (mutants.run > 0)
        html_add(text, "mutant $", HTML_RATE_OF(mutants.witnesses, mutants.counted));
}

/* The first line of the test's explanation. */
static void print_question(const struct page_test *test, struct text *text)
{
    char line[240];
    size_t length = strcspn(test->doc, "\n");
    if (length >= sizeof line)
        for (length = sizeof line - 1; length > 0 && ((unsigned char)test->doc[length] & 0xc0U) == 0x80;)
            length--; /* no half of a character */
    (void)snprintf(line, sizeof line, "%.*s", (int)length, test->doc);
    html_add(text, "<td>$\n", line);
}

static void print_row(const struct page *page, const struct page_test *test, struct text *text)
{
    text_add(text, "<tr><th scope=row>");
    page_add_link(test, text);
    html_add(text, "<td>$", test->dialect);
    for (size_t column = 0; column < page->column_count; column++)
        print_cell(test, column, text);
    html_add(text, "<td>$<td>$", test->claim, page_marks[test->mark].result);
    print_beside(page, test, text);
    html_add(text, "<td class=n>$", QUANTITY_COUNT(page_sum_of(test, SIZE_MAX).counted));
    print_question(test, text);
}

static void print_head(const struct page *page, struct text *text)
{
    text_add(text, "<thead><tr><th data-f=Family>Test<th data-f=Dialect>Dialect");
    for (size_t i = 0; i < page->column_count; i++) {
        text_add(text, "<th data-n>");
        page_add_column(page, i, text);
    }
    text_add(text, "<th data-f=\"The model says\">The model says<th data-f=Result>Result<th data-n>Control or mutant"
                   "<th data-n>Instances<th class=asks>What it asks</thead>\n<tbody>\n");
}

void page_print_map(const struct page *page, struct text *text)
{
    text_add(
        text,
        "<section id=map>\n<h2>Heat map: tests by device and driver</h2>\n"
        "<p>A cell is the rate of the test's witness per instance, over all runs together. A cell with a sign is the "
        "rate of what the sign says. Follow a test's name for its text, its outcomes and where they come from.</p>\n");
    print_legend(page, text);
    text_add(text, "<div class=\"wide tall\" tabindex=0 role=region aria-label=\"Heat map\"><table class=rows>\n");
    print_head(page, text);
    for (size_t i = 0; i < page->test_count; i++)
        print_row(page, page->by_gravity[i], text);
    text_add(text, "</table></div>\n</section>\n");
}
