// SPDX-License-Identifier: Apache-2.0
/* orchil web: a page that plays litmus tests in a browser. */
#include "web/web.h"

#include "base/random.h"
#include "base/terminal/terminal.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"

struct web_request {
    struct web_options options;
    const char *out;
    bool seeded;
    struct verb_arguments tests;
};

#define AT(member) offsetof(struct web_request, member)

static const struct option_row option_rows[] = {
    {"out", 'o', "FILE", OPTION_TEXT, AT(out), "orchil-web.html", .file = OPTION_FILE_WRITTEN,
     .help = "the page (default: %s; -: standard output)"},
    {"seconds", 0, "S", OPTION_SECONDS, AT(options.seconds), "3",
     .help = "how long the page plays each test (default: %s)"},
    {ROW_PROFILE(AT(options.profile)),
     .help = "the distributions of launch arguments (default: gpu, or cpu if the browser has no GPU)"},
    {ROW_SEED(AT(options.seed), AT(seeded)), .help = "the seed of the draws (default: a new one)"},
    {"no-controls", 0, NULL, OPTION_CLEAR, AT(options.controls), .help = "leave out the controls of the tests"},
    {"post", 0, "URL", OPTION_TEXT, AT(options.post),
     .help = "the page has a button that sends its results to this address; without it, the page can send nothing"},
    {0}};

static const char documentation[] =
    "Write one HTML page that plays litmus tests in any browser with WebGPU: on phones, Macs and Windows, where orchil "
    "itself does not run.\v"
    "The page is self-contained: it loads nothing, and on computers it works from a file. Phones need it from a server "
    "with https; any host of static files will do. It plays each test for some seconds, shows what it has counted and "
    "what the model of Vulkan, which WGSL follows, says of it, and gives the results as a file, results.json.\n\n"
    "A test that cannot be written in WGSL is named with the reason and left out. WGSL has relaxed atomics of 32 bits "
    "only, and barriers of a work-group.\n\n"
    "The same tests, seed and profile give the same launches on every device.";

static const char *const examples[] = {"orchil web vulkan:SB+relaxed vulkan:CoRR+relaxed",
                                       "orchil web --seconds 10 --out phones.html @mcmutants",
                                       "orchil web --post https://example.org/results 'opencl:*+relaxed'", NULL};

static const struct exit_code exit_codes[] = {
    {"0", "written"},
    {"2",
     "wrong usage, nothing selected, no test that can be written in WGSL, a file that cannot be read or parsed, or "
     "a place where the page cannot be written"},
    {"4", "the disk failed"},
    {0}};

static void web_print_omissions(const char *verb, const struct web_page *page)
{
    FOR_EACH(const struct web_omission, omission, page->omissions, page->omission_count)
        terminal_print(stderr, "%s: %s is left out: %s\n", verb, omission->name, omission->reason);
}

static enum status web_write(const struct web_request *request, const struct web_page *page, struct error *error)
{
    TRY(page_file_write(request->out, &page->text, error));
    if (strcmp(request->out, "-") != 0)
        terminal_print(stdout, "%s: %s %s, %s %s, %sB\n", request->out, QUANTITY_COUNT(page->tests),
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

const struct verb verb_web = {.name = "web",
                              .summary = "write a page that plays litmus tests in a browser",
                              .usage = "TEST...",
                              VERB_PARTS,
                              .arguments = AT(tests),
                              .no_arguments = tests_none,
                              VERB_REQUEST(struct web_request, .seeded = false),
                              .run = web_execute};
