// SPDX-License-Identifier: Apache-2.0
/* orchil web: a page that plays litmus tests in a browser. */
#include "web/web.h"

#include "base/random.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"

struct web_request {
    struct web_options options;
    const char *page;
    bool seeded;
    struct verb_arguments tests;
};

#define AT(member) offsetof(struct web_request, member)

static const struct option_row option_rows[] = {{ROW_PAGE(AT(page)), .usual = "orchil-web.html"},
                                                {ROW_TIME(AT(options.seconds)), .usual = "3"},
                                                {ROW_PROFILE(AT(options.profile))},
                                                {ROW_SEED(AT(options.seed), AT(seeded))},
                                                {"no-controls", 0, NULL, OPTION_CLEAR, .offset = AT(options.controls)},
                                                {"post", 0, "URL", OPTION_TEXT, .offset = AT(options.post)},
                                                {0}};

static void web_print_omissions(const char *verb, const struct web_page *page)
{
    FOR_EACH(const struct web_omission, omission, page->omissions, page->omission_count)
        terminal_print(stderr, "%s: %s is left out: %s\n", verb, omission->name, omission->reason);
}

static enum status web_write(const struct web_request *request, const struct web_page *page, struct error *error)
{
    TRY(page_file_write(request->page, &page->text, error));
    if (strcmp(request->page, "-") != 0)
        terminal_print(stdout, "%s: %s %s, %s %s, %sB\n", request->page, QUANTITY_COUNT(page->tests),
                       page->tests == 1 ? "test" : "tests", QUANTITY_COUNT(page->controls),
                       page->controls == 1 ? "control" : "controls", QUANTITY_SHORT((double)page->text.size));
    return STATUS_OK;
}

static enum status web_execute(void *data, struct verb_call *call, struct error *error)
{
    struct web_request *request = data;
    LOCAL(web_page) page = {.tests = 0};
    TRY(tests_take(call, &request->tests, NULL, error));
    if (!request->seeded)
        TRY(random_seed(&request->options.seed, error));
    enum status status = web_page_make(&call->selection, &request->options, &page, error);
    web_print_omissions(call->name, &page);
    return THEN(status, web_write(request, &page, error));
}

VERB_ENTRY(web, tests, (.seeded = false), .no_arguments = tests_none);
