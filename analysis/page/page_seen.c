// SPDX-License-Identifier: Apache-2.0
/* What was seen at a glance: a sentence for each question that devices answered with yes, and a heat map. */
#include "analysis/page/page_parts.h"

/* Tests are sorted by name, so the other one is adjacent. */
bool page_has_namesake(const struct page *page, const struct page_test *test)
{
    const size_t at = (size_t)(test - page->tests);
    return (at > 0 && strcmp(test[-1].name, test->name) == 0) ||
           (at + 1 < page->test_count && strcmp(test[1].name, test->name) == 0);
}

/* ---- sentences: what was seen and is no fault ---- */

/* From the second line of a test's description to its question, as one line; NULL if it asks nothing. */
static const char *question_of(struct arena *arena, const char *doc)
{
    const char *mark = strrchr(doc, '?'), *line = strchr(doc, '\n');
    if (!mark)
        return NULL;
    const char *first = line && line < mark ? line + 1 : doc;
    char *question = arena_print(arena, "%.*s", (int)(mark + 1 - first), first);
    for (char *at = question; (at = strchr(at, '\n'));)
        *at = ' ';
    return question;
}

/* The title without the verdict that ends it ("...: allowed."). */
static const char *title_of(struct arena *arena, const char *doc)
{
    const char *title = arena_print(arena, "%.*s", (int)strcspn(doc, "\n"), doc), *colon = strrchr(title, ':');
    return colon ? arena_print(arena, "%.*s.", (int)(colon - title), title) : title;
}

static void find_words(struct arena *arena, struct page_seen *seen)
{
    const struct page_test *test = seen->test;
    const char *assumed = seen->kind == SEEN_UNPROMISED ? litmus_metadata(test->parsed, "Assumes") : NULL;
    const char *question = question_of(arena, test->doc);
    seen->answer = assumed ? "Broken " : question ? "Yes, " : "Seen ";
    seen->words = assumed      ? arena_print(arena, "%s.", assumed)
                  : question   ? question
                  : *test->doc ? title_of(arena, test->doc)
                               : test->condition;
}

/* Where a test showed its witness most often; false if that is a fault, needs no reordering, or proves nothing. */
static bool find_seen(const struct page *page, const struct page_test *test, struct page_seen *seen)
{
    *seen = (struct page_seen){.test = test, .kind = SEEN_ALLOWED};
    if (!*test->condition || test->progress || strcmp(test->claim, "sc") == 0 || *test->claim == 'f')
        return false;
    for (size_t column = 0; column < page->column_count; column++) {
        const struct page_sum sum = page_sum_of(test, column);
        const double rate = sum.mark == PAGE_SEEN ? (double)sum.witnesses / (double)sum.counted : 0;
        if (rate > seen->rate) {
            seen->rate = rate;
            seen->sum = sum;
            seen->column = column;
        }
    }
    if (strcmp(test->claim, "unpromised") == 0)
        seen->kind = SEEN_UNPROMISED;
    else if (strcmp(page->columns[seen->column].backend, "ensemble") == 0)
        seen->kind = SEEN_BETWEEN;
    return seen->rate > 0;
}

static bool is_same_line(const struct page_seen *a, const struct page_seen *b)
{
    return a->kind == b->kind && strcmp(a->words, b->words) == 0;
}

ORDERED_BY(compare_words, const struct page_seen,
           ORDER(a->kind, b->kind) ?: strcmp(a->words, b->words) ?: ORDER(b->rate, a->rate) ?: ORDER(a->test, b->test))
ORDERED_BY(compare_seen, const struct page_seen,
           ORDER(a->kind, b->kind) ?: ORDER(b->most, a->most) ?: compare_words(a, b))

void page_list_seen(struct page *page)
{
    struct page_seen *const list = page->seen = arena_take(&page->arena, page->test_count, sizeof *list);
    for (size_t i = 0; i < page->test_count; i++)
        if (find_seen(page, &page->tests[i], &list[page->seen_count]))
            find_words(&page->arena, &list[page->seen_count++]);
    SORT(list, page->seen_count, compare_words);
    for (size_t i = 0; i < page->seen_count; i++)
        list[i].most = i > 0 && is_same_line(&list[i - 1], &list[i]) ? list[i - 1].most : list[i].rate;
    SORT(list, page->seen_count, compare_seen);
}

void page_add_share(const struct page_seen *seen, struct text *text)
{
    const uint64_t count = seen->sum.witnesses, counted = seen->sum.counted;
    if (count == counted)
        text_add(text, "in all instances");
    else if (count == 1)
        html_add(text, "once in $ instances", HTML_COUNT_IN_WORDS(counted));
    else if (seen->rate >= 0.1)
        text_add(text, "in %.3g %% of the instances", 100 * seen->rate);
    else
        html_add(text, "in 1 of $ instances", HTML_COUNT_IN_WORDS((uint64_t)round(1 / seen->rate)));
}

static void add_seen_test(const struct page *page, const struct page_seen *seen, struct text *text)
{
    page_add_link(seen->test, text);
    if (page_has_namesake(page, seen->test))
        html_add(text, " ($)", seen->test->dialect);
}

/* The line of the first of `count` tests with the same words; the others follow it by name. alike: all lines have one
 * place. */
static void print_seen_line(const struct page *page, const struct page_seen *list, size_t count, bool alike,
                            struct text *text)
{
    enum { NAMED = 4 };
    const bool code = list->words == list->test->condition;
    text_add(text, "<li>");
    add_seen_test(page, list, text);
    html_add(text, code ? ": <code>$</code> <b>$" : ": $ <b>$", list->words, list->answer);
    page_add_share(list, text);
    text_add(text, "</b>");
    if (!alike) {
        text_add(text, " on ");
        page_add_column(page, list->column, text);
    }
    const bool racy = strcmp(list->test->claim, verdict_word(VERDICT_UNDEFINED)) == 0;
    text_add(text, "%s", racy ? "; the test has a data race, so anything may happen." : ".");
    for (size_t i = 1; i < count && i <= NAMED; i++) {
        text_add(text, "%s", i == 1 ? " <small>Also " : ", ");
        add_seen_test(page, &list[i], text);
        text_add(text, " ");
        page_add_share(&list[i], text);
    }
    if (count > NAMED + 1)
        html_add(text, ", and $ more tests", QUANTITY_COUNT(count - NAMED - 1));
    text_add(text, "%s", count > 1 ? ".</small>" : "");
    const char *instead = list->kind == SEEN_UNPROMISED ? litmus_metadata(list->test->parsed, "Instead") : NULL;
    if (instead)
        html_add(text, " <small>Promised instead: $</small>", instead);
    text_add(text, "</li>\n");
}

static size_t end_of_line(const struct page_seen *list, size_t count, size_t first)
{
    size_t end = first + 1;
    while (end < count && is_same_line(&list[first], &list[end]))
        end++;
    return end;
}

static void print_seen_kind(const struct page *page, const struct page_seen *list, size_t count, struct text *text)
{
    enum { OPEN_LINES = 5 };
    static const char *const titles[SEEN_KINDS][2] = {
        {"Assumptions that do not hold", "Programs rely on them, and no specification promises them."},
        {"Seen between devices", "No model forbids these outcomes, so none is a fault."},
        {"Weak outcomes that were seen", "No model forbids these outcomes, so none is a fault."}};
    size_t lines = 0;
    const bool alike = !ANY_OF(one, list, count, one->column != list->column);
    html_add(text, "<h3>$</h3>\n<p>$", titles[list->kind][0], titles[list->kind][1]);
    if (alike && page->column_count > 1) {
        text_add(text, " Each was seen most often on ");
        page_add_column(page, list->column, text);
    }
    text_add(text, "%s</p>\n<ul class=seen>\n", alike && page->column_count > 1 ? "." : "");
    for (size_t i = 0, end; i < count; i = end, lines++) {
        end = end_of_line(list, count, i);
        if (lines == OPEN_LINES)
            html_add(text, "</ul>\n<details class=fold><summary>$</summary>\n<ul class=seen>\n",
                     WORDS_COUNTED(count - i, "more test", "more tests"));
        print_seen_line(page, &list[i], end - i, alike, text);
    }
    text_add(text, "</ul>\n%s", lines > OPEN_LINES ? "</details>\n" : "");
}

void page_print_seen(const struct page *page, struct text *text)
{
    for (size_t i = 0, end; i < page->seen_count; i = end) {
        for (end = i + 1; end < page->seen_count && page->seen[end].kind == page->seen[i].kind;)
            end++;
        print_seen_kind(page, &page->seen[i], end - i, text);
    }
}

/* ---- the heat map: a row for each test, a column for each device and driver, rates of witnesses in cells ---- */

/* Colours follow powers of ten: k7 from 0.1 up, k6 from 0.01, ..., k1 below 1e-6. */
static int step_of(double rate)
{
    const int step = 8 + (int)floor(log10(rate));
    return step < 1 ? 1 : step > 7 ? 7 : step;
}

/* ---- legend ---- */

struct silence_words {
    const char *class, *glyph, *meaning;
};
static const struct silence_words silences[] = {
    [PAGE_SILENCE_NONE] = {"kz", "", "not seen; rarer than this, if the chance is the same everywhere"},
    [PAGE_SILENCE_LITTLE] = {"kq", "? ", "forbidden and not seen, but no mutant was seen either: says little"},
    [PAGE_SILENCE_TELLS] = {"kg", "\u2713 ", "forbidden and not seen, while a mutant was: the silence means something"},
};

static void print_silences(const struct page *page, struct text *text)
{
    bool used[COUNT(silences)] = {false};
    for (size_t i = 0; i < page->ran_count; i++)
        for (size_t column = 0; column < page->column_count; column++)
            if (page_sum_of(page->by_gravity[i], column).mark == PAGE_UNSEEN)
                used[page_silence_of(page, page->by_gravity[i], column)] = true;
    for (size_t i = COUNT(silences); i-- > 0;)
        if (used[i])
            html_add(text, "<li class=$>$&lt; 3.0e-6: $</li>\n", silences[i].class, silences[i].glyph,
                     silences[i].meaning);
}

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
    print_silences(page, text);
    for (int step = 0; step < 7; step++)
        html_add(text, "<li class=\"k$\">$</li>\n", HTML_NUMBER(step + 1), steps[step]);
    text_add(text, "</ul>\n");
}

/* ---- cells ---- */

static void page_seen_print_cell(const struct page *page, const struct page_test *test, size_t column,
                                 struct text *text)
{
    const struct page_sum sum = page_sum_of(test, column);
    const struct page_mark_words *words = &page_marks[sum.mark];
    const bool plain = sum.mark == PAGE_SEEN;
    if (sum.parts == 0) {
        text_add(text, "<td>");
        return;
    }
    const struct statistics_run_rate rate = page_rate_in(test, column);
    const uint64_t n = sum.counted + (sum.mark == PAGE_GAVE_UP ? sum.voids : 0);
    const char *const class = PRINTED(8, "k%d", plain ? step_of(rate.rate) : 0);
    const struct silence_words *silence = &silences[page_silence_of(page, test, column)];
    const bool unseen = sum.mark == PAGE_UNSEEN;
    const bool silent = sum.mark == PAGE_FAULT || sum.mark == PAGE_CUT || n == 0;
    html_add(text, "<td class=\"n $\">$$",
             plain    ? class
             : unseen ? silence->class
                      : words->class,
             unseen ? silence->glyph : words->glyph,
             silent          ? words->result
             : rate.rate > 0 ? HTML_RATE(rate.rate)
                             : HTML_RATE_OF(0, n));
}

static void print_row(const struct page *page, const struct page_test *test, struct text *text)
{
    text_add(text, "<tr><th scope=row>");
    page_add_link(test, text);
    if (page_has_namesake(page, test))
        html_add(text, " <small>$</small>", test->dialect);
    for (size_t column = 0; column < page->column_count; column++)
        page_seen_print_cell(page, test, column, text);
    html_add(text, "<td>$<td>$", test->claim, page_marks[test->mark].result);
    /* The line below the result: the controls of an allowed test, the mutants of a forbidden one. */
    const struct page_control control = page_control_of(page, test, SIZE_MAX);
    const struct page_mutants mutants = page_mutants_of(page, test, SIZE_MAX);
    text_add(text, "<td class=n>");
    if (control.counted > 0)
        html_add(text, "$control $", control.witnesses > 0 ? page_marks[PAGE_CONTROL].glyph : "",
                 HTML_RATE_OF(control.witnesses, control.counted));
    else if (mutants.run > 0)
        html_add(text, "mutant $", HTML_RATE_OF(mutants.witnesses, mutants.counted));
    html_add(text, "<td>$<td class=n>$", test->dialect, QUANTITY_COUNT(page_sum_of(test, SIZE_MAX).counted));
    /* The first line of the test's explanation. */
    char line[240];
    size_t length = strcspn(test->doc, "\n");
    if (length >= sizeof line)
        for (length = sizeof line - 1; length > 0 && ((unsigned char)test->doc[length] & 0xc0U) == 0x80;)
            length--; /* do not cut a character in half */
    (void)snprintf(line, sizeof line, "%.*s", (int)length, test->doc);
    html_add(text, "<td>$\n", line);
}

static bool has_one_device(const struct page_column *a, const struct page_column *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->device_uuid, b->device_uuid) == 0 &&
           strcmp(a->machine, b->machine) == 0;
}

/* The headings of two rows: the device above, the driver below it; the rest of a name only where columns would be alike
 * without it. Those with rowspan come before and after the devices. */
static void print_head(const struct page *page, struct text *text)
{
    text_add(text, "<thead><tr><th data-f=Family rowspan=2>Test");
    for (size_t i = 0, end; i < page->column_count; i = end) {
        for (end = i + 1; end < page->column_count && has_one_device(&page->columns[end], &page->columns[i]);)
            end++;
        html_add(text, "<th class=device colspan=$><span class=cut>$</span>", HTML_NUMBER(end - i),
                 page->columns[i].device);
    }
    text_add(text, "<th data-f=\"The model says\" rowspan=2>The model says<th data-f=Result rowspan=2>Result"
                   "<th data-n rowspan=2>Control or mutant<th data-f=Dialect rowspan=2>Dialect"
                   "<th data-n rowspan=2>Instances<th rowspan=2>What it asks<tr>");
    for (size_t i = 0; i < page->column_count; i++) {
        text_add(text, "<th data-n class=col data-name=\"");
        page_add_column(page, i, text);
        text_add(text, "\" title=\"");
        page_add_column(page, i, text);
        html_add(text, "\"><span class=cut>$ $</span>", page->columns[i].backend, page->columns[i].driver);
    }
    text_add(text, "</thead>\n<tbody>\n");
}

/* Tests that ran nowhere: names only. The reason is above the map and in their cards. */
static void print_others(const struct page *page, struct text *text)
{
    const size_t count = page->test_count - page->ran_count;
    if (count == 0)
        return;
    html_add(text, "<details class=fold><summary>$ unsupported here, or counted nothing</summary>\n<p>",
             WORDS_COUNTED(count, "test is", "tests are"));
    for (size_t i = page->ran_count; i < page->test_count; i++) {
        text_add(text, "%s", i > page->ran_count ? ", " : "");
        page_add_link(page->by_gravity[i], text);
    }
    text_add(text, "</p></details>\n");
}

void page_print_map(const struct page *page, struct text *text)
{
    text_add(text, "<section id=map>\n<h2>Heat map: tests by device and driver</h2>\n");
    if (page->ran_count > 0) {
        text_add(
            text,
            "<p class=hint>The table scrolls sideways.</p>\n"
            "<div class=\"wide tall\" tabindex=0 role=region aria-label=\"Heat map\"><table class=\"rows data\" data-name=rates>\n");
        print_head(page, text);
        for (size_t i = 0; i < page->ran_count; i++)
            print_row(page, page->by_gravity[i], text);
        text_add(text, "</table></div>\n");
        print_legend(page, text);
        text_add(text, "<p class=dim>A cell is the rate of the test's witness per instance in a typical run (the "
                       "geometric mean of the runs). A "
                       "cell with a sign is the rate of what the sign says. A test's name leads to its text, its "
                       "outcomes and where they come from.</p>\n");
    }
    print_others(page, text);
    text_add(text, "</section>\n");
}
