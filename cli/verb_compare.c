// SPDX-License-Identifier: Apache-2.0
/* orchil compare: what changed between two databases, runs, drivers, devices or backends. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "cli/complaint.h"
#include "cli/output_path.h"
#include "cli/page_file.h"
#include "cli/verb.h"

enum option_key {
    OPTION_ALPHA = 256,
    OPTION_BACKEND,
    OPTION_DEVICE,
    OPTION_DRIVER,
    OPTION_JSON,
    OPTION_PAGE,
    OPTION_RUN,
    OPTION_TOLERANCE
};

/* What A and B are. */
enum subject { SUBJECT_GUESSED, SUBJECT_RUN, SUBJECT_BACKEND, SUBJECT_DEVICE, SUBJECT_DRIVER };

struct request {
    enum subject subject;
    bool json;
    const char *page; /* a file, or NULL */
    struct compare_options options;
    char **words;
    size_t count;
};

static const struct argp_option option_list[] = {
    {"driver", OPTION_DRIVER, NULL, 0, "A and B are versions of drivers, or parts of them", 0},
    {"device", OPTION_DEVICE, NULL, 0, "A and B are UUIDs of devices, or parts of their names", 0},
    {"backend", OPTION_BACKEND, NULL, 0, "A and B are backends: cuda, opencl, simulated", 0},
    {"run", OPTION_RUN, NULL, 0, "A and B are numbers of runs", 0},
    {"tolerance", OPTION_TOLERANCE, "FACTOR", 0, "changes of a rate within this factor do not count (default: 1.1)", 0},
    {"alpha", OPTION_ALPHA, "P", 0, "the chance of any false alarm among the rates (default: 0.05)", 0},
    {"json", OPTION_JSON, NULL, 0, "print one JSON object and nothing else", 0},
    {"page", OPTION_PAGE, "FILE", 0, "also write the comparison as an HTML page", 0},
    {0}};

static error_t parse_number(const struct argp_state *state, const char *option, const char *value, double low,
                            double high, double *number)
{
    char *end;
    errno = 0;
    const double parsed = strtod(value, &end);
    if (end == value || *end != '\0' || errno != 0 || !isfinite(parsed) || parsed <= low || parsed >= high) {
        argp_error(state, "--%s: expected a number between %g and %g, found '%s'", option, low, high, value);
        return EINVAL;
    }
    *number = parsed;
    return 0;
}

static error_t choose_subject(const struct argp_state *state, struct request *request, enum subject subject)
{
    if (request->subject != SUBJECT_GUESSED && request->subject != subject) {
        argp_error(state, "--driver, --device, --backend and --run exclude each other");
        return EINVAL;
    }
    request->subject = subject;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_DRIVER:
        return choose_subject(state, request, SUBJECT_DRIVER);
    case OPTION_DEVICE:
        return choose_subject(state, request, SUBJECT_DEVICE);
    case OPTION_BACKEND:
        return choose_subject(state, request, SUBJECT_BACKEND);
    case OPTION_RUN:
        return choose_subject(state, request, SUBJECT_RUN);
    case OPTION_TOLERANCE:
        return parse_number(state, "tolerance", value, 1, 1000, &request->options.tolerance);
    case OPTION_ALPHA:
        return parse_number(state, "alpha", value, 0, 1, &request->options.alpha);
    case OPTION_JSON:
        request->json = true;
        return 0;
    case OPTION_PAGE:
        request->page = value;
        return 0;
    case ARGP_KEY_ARGS:
        request->words = state->argv + state->next;
        request->count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_END:
        if (request->count < 2 || request->count > 3)
            argp_error(state, "expected A, B and, where neither is a database, a database (default: orchil.db)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char documentation[] =
    "Compares two sides, A and B, batch by batch: what must never be seen, new and lost outcomes, changed states, changed "
    "rates.\v"
    "A and B are databases or numbers of runs, or, with an option, drivers, devices or backends of one database. Jobs are "
    "matched on the test's content, the environment, the models, and on backend, device and driver unless these are what "
    "is compared. What has no match is listed.\n\n"
    "Examples:\n"
    "  orchil compare before.db after.db\n"
    "  orchil compare 3 4 results.db\n"
    "  orchil compare --driver 575.57 580.159 results.db\n"
    "  orchil compare --page changes.html before.db after.db\n\n"
    "Exit codes: 0 compared, whatever changed; 1 an outcome was seen that must never appear; 2 wrong usage, nothing fits, "
    "or a file that cannot be read; 3 no test could be compared; 4 the database failed.";

/* Which side a word chooses; false where it is none. */
static bool choose(enum subject subject, const char *word, const char *database, struct selector *selector)
{
    char *end;
    *selector = (struct selector){.database = database};
    errno = 0;
    const long long run = strtoll(word, &end, 10);
    const bool is_run = isdigit((unsigned char)word[0]) && *end == '\0' && errno == 0 && run > 0;
    switch (subject) {
    case SUBJECT_BACKEND:
        selector->backend = word;
        return true;
    case SUBJECT_DEVICE:
        selector->device = word;
        return true;
    case SUBJECT_DRIVER:
        selector->driver = word;
        return true;
    case SUBJECT_RUN:
        selector->run = run;
        return is_run;
    case SUBJECT_GUESSED:
        break;
    }
    if (is_run && access(word, F_OK) != 0)
        selector->run = run;
    else
        selector->database = word;
    return true;
}

static enum status choose_sides(const struct request *request, struct selector selectors[SIDES], struct error *error)
{
    const char *database = request->count == 3 ? request->words[2] : "orchil.db";
    bool uses_database = false;
    for (int side = 0; side < SIDES; side++) {
        if (!choose(request->subject, request->words[side], database, &selectors[side]))
            return error_set(error, STATUS_USAGE, "expected the number of a run, found '%s'", request->words[side]);
        uses_database |= selectors[side].database == database;
    }
    if (request->count == 3 && !uses_database)
        return error_set(
            error, STATUS_USAGE,
            "'%s' and '%s' are databases, so a third is not needed; --driver, --device, --backend or --run "
            "says what else they are",
            request->words[0], request->words[1]);
    return STATUS_OK;
}

/* 1, 3 or 0, as the documentation says. */
static int exit_code(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->finding_count; i++)
        if (comparison->findings[i].kind <= FINDING_CONTROL && !comparison->findings[i].excused)
            return 1;
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (comparison->pairs[i].sample[SIDE_A]->counted > 0 && comparison->pairs[i].sample[SIDE_B]->counted > 0)
            return 0;
    return 3;
}

static enum status print(const struct request *request, const struct comparison *comparison, struct error *error)
{
    struct text text = {0};
    enum status status = STATUS_OK;
    if (request->json)
        compare_print_json(comparison, &text);
    else
        compare_print_text(comparison, &text);
    if (status == STATUS_OK && text.failed)
        status = error_set(error, STATUS_MEMORY, "no memory for the comparison's text");
    const bool page_alone = request->page && strcmp(request->page, "-") == 0;
    if (status == STATUS_OK && !page_alone)
        (void)fputs(text_string(&text), stdout); /* main says what is wrong with standard output */
    if (status == STATUS_OK && request->page) {
        text_clear(&text);
        compare_print_page(comparison, &text);
        status = output_path_check("page", request->page, NULL, error);
        if (status == STATUS_OK)
            status = page_file_write(request->page, &text, error);
    }
    text_release(&text);
    return status;
}

int verb_compare(int argc, char **argv)
{
    const struct argp argp = {option_list, parse_option, "A B [DATABASE]", documentation, NULL, NULL, NULL};
    struct request request = {.options = compare_usual_options()};
    struct selector selectors[SIDES];
    struct side sides[SIDES] = {{.title = ""}, {.title = ""}};
    struct comparison comparison = {.pairs = NULL};
    struct error error = {0};

    argp_err_exit_status = status_exit_code(STATUS_USAGE);
    if (argp_parse(&argp, argc, argv, 0, NULL, &request) != 0)
        return status_exit_code(STATUS_USAGE);
    static const unsigned dimensions[] = {[SUBJECT_BACKEND] = DIMENSION_BACKEND,
                                          [SUBJECT_DEVICE] = DIMENSION_DEVICE,
                                          [SUBJECT_DRIVER] = DIMENSION_DRIVER};
    request.options.dimensions = dimensions[request.subject];
    enum status status = choose_sides(&request, selectors, &error);
    for (int side = 0; status == STATUS_OK && side < SIDES; side++)
        status = side_read(&selectors[side], &sides[side], &error);
    if (status == STATUS_OK) {
        compare_sides(&sides[SIDE_A], &sides[SIDE_B], &request.options, &comparison);
        status = print(&request, &comparison, &error);
    }
    const int code = status == STATUS_OK ? exit_code(&comparison) : complain(argv[0], &error);
    comparison_release(&comparison);
    side_release(&sides[SIDE_B]);
    side_release(&sides[SIDE_A]);
    return code;
}
