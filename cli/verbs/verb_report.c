// SPDX-License-Identifier: Apache-2.0
/* orchil report: a database as one HTML page. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/quantity.h"
#include "base/terminal/terminal.h"
#include "cli/complaint.h"
#include "cli/judged_again.h"
#include "cli/output_path.h"
#include "cli/page_file.h"
#include "cli/verbs/verb.h"

struct report_request {
    const char *out;
    struct page_request page;
    struct arguments databases;
};

#define AT(member) offsetof(struct report_request, member)

static const struct option_row report_rows[] = {
    {"out", 'o', "FILE", OPTION_TEXT, AT(out), "orchil-report.html",
     .help = "the page (default: %s; -: standard output)"},
    {"run", 0, "N", OPTION_COUNT, AT(page.run), .expected = "the number of a run",
     .help = "this run alone (default: all)"},
    {"title", 0, "TEXT", OPTION_TEXT, AT(page.title), .help = "what the page is called"},
    {0}};

static const char documentation[] =
    "Writes a database as one HTML page: what was run on what, what must never be seen, a heat map of tests by device and "
    "driver, and every test with its outcomes and where they come from.\v"
    "The page needs nothing but itself: it loads nothing, works from a file, and prints. Several databases stand side by "
    "side, with columns of their own; 'orchil merge' makes one of them. DATABASE is orchil.db where none is named.\n\n" HELP_JUDGED_AGAIN
    "Examples:\n"
    "  orchil report results.db\n"
    "  orchil report --run 3 --out nightly.html results.db\n"
    "  orchil report --title 'Driver 575 and 580' old.db new.db\n\n"
    "Exit codes: 0 written, whatever it says; 2 wrong usage, no job fits, or the page cannot be written; 4 the database "
    "failed.";

static enum status write_page(const struct report_request *request, const struct page *page, struct error *error)
{
    struct text text = {0};
    char size[QUANTITY_SIZE], tests[QUANTITY_SIZE];
    TRY(output_path_check("out", request->out, NULL, error));
    page_print(page, &text);
    const enum status status = page_file_write(request->out, &text, error);
    if (status == STATUS_OK && strcmp(request->out, "-") != 0)
        terminal_print(stdout, "%s: %s %s, %sB\n", request->out, quantity_count(page->test_count, tests),
                       page->test_count == 1 ? "test" : "tests", quantity_short((double)text.size, size));
    text_release(&text);
    return status;
}

static int report_main(int argc, char **argv)
{
    static const char *const usual[] = {"orchil.db"};
    struct report_request request = {.page = {.databases = usual, .count = 1, .prepare = judged_again_prepare}};
    struct page page = {.title = ""};
    struct error error = {0};
    options_parse(&verb_report, argc, argv, &request);
    if (request.databases.count > 0) {
        request.page.databases = (const char *const *)request.databases.list;
        request.page.count = request.databases.count;
    }
    enum status status = page_read(&request.page, &page, &error);
    if (status == STATUS_OK)
        status = write_page(&request, &page, &error);
    const int code = status == STATUS_OK ? 0 : complain(argv[0], &error);
    page_release(&page);
    return code;
}

const struct verb verb_report = {.name = "report",
                                 .summary = "writes a database as one HTML page",
                                 .usage = "[DATABASE...]",
                                 .documentation = documentation,
                                 .options = report_rows,
                                 .arguments = AT(databases),
                                 .run = report_main};
