// SPDX-License-Identifier: Apache-2.0
/* orchil report: a database as one HTML page. */
#include "analysis/page/page.h"
#include "analysis/sides/side.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/print/notices.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "runner/run/rejudge.h"

struct report_request {
    const char *page;
    int64_t run;
    const char *title;
    bool explain;
    struct verb_arguments places;
};

#define AT(member) offsetof(struct report_request, member)

static const struct option_row option_rows[] = {
    {ROW_PAGE(AT(page)), .usual = "orchil-report.html"},
    {"run", 0, "N", OPTION_COUNT, .offset = AT(run), .expected = "the number of a run"},
    {"title", 0, "TEXT", OPTION_TEXT, .offset = AT(title)},
    {"explain", 0, NULL, OPTION_SET, .offset = AT(explain)},
    {0}};

static enum status write_page(const struct report_request *request, const struct page *page, struct error *error)
{
    LOCAL(text) text = {0};
    page_print(page, &text);
    const enum status status = page_file_write(request->page, &text, error);
    if (status == STATUS_OK && strcmp(request->page, "-") != 0) {
        terminal_print(stdout, "%s: %s %s, %sB\n", request->page, QUANTITY_COUNT(page->test_count),
                       page->test_count == 1 ? "test" : "tests", QUANTITY_SHORT((double)text.size));
        if (page->unread_count > 0)
            terminal_print(stdout, "%zu database%s could not be read; standard error says why.\n", page->unread_count,
                           page->unread_count == 1 ? "" : "s");
    }
    return status;
}

/* A selector for each database of the words. */
struct report_reading {
    struct selector *selectors;
    size_t count;
    struct arena arena;
};

static enum status report_add_place(const struct report_request *request, const char *word,
                                    struct report_reading *reading, struct error *error)
{
    struct stored_place place;
    TRY(stored_place_read(word, NULL, &reading->arena, &place, error));
    struct selector *selectors = place.selectors;
    for (size_t i = 0; i < place.count; i++) {
        if (request->run > 0 && (selectors[i].run > 0 || selectors[i].runs))
            return error_set(error, STATUS_USAGE, "%s: selects runs, and so does --run", word);
        if (request->run > 0)
            selectors[i].run = request->run;
        selectors[i].prepare = judged_again_prepare;
        ARENA_ADD(&reading->arena, reading->selectors, reading->count) = selectors[i];
    }
    return STATUS_OK;
}

static enum status choose_report(const struct report_request *request, struct report_reading *reading,
                                 struct error *error)
{
    const size_t count = request->places.count;
    if (count == 0)
        return report_add_place(request, "orchil.db", reading, error);
    for (size_t i = 0; i < count; i++)
        TRY(report_add_place(request, request->places.list[i], reading, error));
    return STATUS_OK;
}

static enum status report_execute(void *data, struct verb_call *call, struct error *error)
{
    struct report_request *request = data;
    struct report_reading reading = {.count = 0};
    LOCAL(page) page = {.title = ""};
    enum status status = choose_report(request, &reading, error);
    const struct page_request wanted = {.selectors = reading.selectors,
                                        .count = reading.count,
                                        .title = request->title,
                                        .judging = kernel_judge,
                                        .judging_emitted = kernel_judge_emitted,
                                        .explain = request->explain};
    THEN(status, page_read(&wanted, &page, error));
    for (size_t i = 0; status == STATUS_OK && i < page.unread_count; i++)
        (void)complain(call->name, &page.unread[i].error);
    THEN(status, write_page(request, &page, error));
    call->unread = status == STATUS_OK ? page.unread_count : 0;
    arena_release(&reading.arena);
    return status;
}

VERB_ENTRY(report, places, (0));
