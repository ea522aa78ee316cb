// SPDX-License-Identifier: Apache-2.0
/* orchil report: a database as one HTML page. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/quantity.h"
#include "base/terminal.h"
#include "cli/complaint.h"
#include "cli/output_path.h"
#include "cli/page_file.h"
#include "cli/verb.h"

enum option_key { OPTION_RUN = 256, OPTION_TITLE };

struct request {
    const char *out;
    struct page_request page;
};

static const struct argp_option option_list[] = {
    {"out", 'o', "FILE", 0, "the page (default: orchil-report.html; -: standard output)", 0},
    {"run", OPTION_RUN, "N", 0, "this run alone (default: all)", 0},
    {"title", OPTION_TITLE, "TEXT", 0, "what the page is called", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct request *request = state->input;
    uint64_t run;
    switch (key) {
    case 'o':
        request->out = value;
        return 0;
    case OPTION_RUN:
        if (!quantity_parse_count(value, &run)) {
            argp_error(state, "--run: expected the number of a run, found '%s'", value);
            return EINVAL;
        }
        request->page.run = (int64_t)run;
        return 0;
    case OPTION_TITLE:
        request->page.title = value;
        return 0;
    case ARGP_KEY_ARGS:
        request->page.databases = (const char *const *)(state->argv + state->next);
        request->page.count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char documentation[] =
    "Writes a database as one HTML page: what was run on what, what must never be seen, a heat map of tests by device and "
    "driver, and every test with its outcomes and where they come from.\v"
    "The page needs nothing but itself: it loads nothing, works from a file, and prints. Several databases stand side by "
    "side, with columns of their own; 'orchil merge' makes one of them. DATABASE is orchil.db where none is named.\n\n"
    "Examples:\n"
    "  orchil report results.db\n"
    "  orchil report --run 3 --out nightly.html results.db\n"
    "  orchil report --title 'Driver 575 and 580' old.db new.db\n\n"
    "Exit codes: 0 written, whatever it says; 2 wrong usage, no job fits, or the page cannot be written; 4 the database "
    "failed.";

static enum status write_page(const struct request *request, const struct page *page, struct error *error)
{
    struct text text = {0};
    char size[QUANTITY_SIZE], tests[QUANTITY_SIZE];
    TRY(output_path_check("out", request->out, NULL, error));
    page_print(page, &text);
    const enum status status = page_file_write(request->out, &text, error);
    if (status == STATUS_OK && strcmp(request->out, "-") != 0) {
        struct text name = {0};
        terminal_add_safe(&name, request->out);
        (void)printf("%s: %s %s, %sB\n", text_string(&name), quantity_count(page->test_count, tests),
                     page->test_count == 1 ? "test" : "tests", quantity_short((double)text.size, size));
        text_release(&name);
    }
    text_release(&text);
    return status;
}

int verb_report(int argc, char **argv)
{
    static const char *const usual[] = {"orchil.db"};
    const struct argp argp = {option_list, parse_option, "[DATABASE...]", documentation, NULL, NULL, NULL};
    struct request request = {.out = "orchil-report.html", .page = {.databases = usual, .count = 1}};
    struct page page = {.title = ""};
    struct error error = {0};

    argp_err_exit_status = status_exit_code(STATUS_USAGE);
    if (argp_parse(&argp, argc, argv, 0, NULL, &request) != 0)
        return status_exit_code(STATUS_USAGE);
    enum status status = page_read(&request.page, &page, &error);
    if (status == STATUS_OK)
        status = write_page(&request, &page, &error);
    const int code = status == STATUS_OK ? 0 : complain(argv[0], &error);
    page_release(&page);
    return code;
}
