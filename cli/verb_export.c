// SPDX-License-Identifier: Apache-2.0
/* orchil export: a database in the formats of other tools. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/complaint.h"
#include "cli/export/export.h"
#include "cli/output_path.h"
#include "cli/verb.h"

enum option_key { OPTION_DEVICE = 256, OPTION_DIALECT, OPTION_FORMAT, OPTION_OUT, OPTION_RUN, OPTION_WHAT };

enum format { FORMAT_NONE, FORMAT_CSV, FORMAT_JSON_LINES, FORMAT_LITMUS7 };

struct request {
    enum format format;
    bool what_chosen;
    struct store_wanted wanted;
    const char *device, *dialect, *out;
    const char *database;
};

static const struct argp_option option_list[] = {
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "csv, jsonl (a JSON object per line) or litmus7 (a log that mcompare7 reads)", 0},
    {"what", OPTION_WHAT, "WHAT", 0,
     "jobs (the default), outcomes, batches, voids, judgements, runs, parts, resumptions or merges; not of litmus7", 0},
    {"run", OPTION_RUN, "N", 0, "only the run with this number", 0},
    {"device", OPTION_DEVICE, "NAME", 0, "litmus7: only devices with this in their name, or of this UUID", 0},
    {"dialect", OPTION_DIALECT, "DIALECT", 0, "litmus7: only tests of OPENCL, PTX, CUDA or C", 0},
    {"out", OPTION_OUT, "FILE", 0, "write to FILE (default: standard output)", 0},
    {0}};

static error_t parse_format(const struct argp_state *state, const char *value, enum format *format)
{
    static const char *const words[] = {
        [FORMAT_CSV] = "csv", [FORMAT_JSON_LINES] = "jsonl", [FORMAT_LITMUS7] = "litmus7"};
    for (int i = FORMAT_CSV; i <= FORMAT_LITMUS7; i++) {
        if (strcmp(words[i], value) == 0) {
            *format = (enum format)i;
            return 0;
        }
    }
    return argument_bad(state, "format", "csv, jsonl or litmus7", value);
}

static error_t parse_what(const struct argp_state *state, const char *value, enum store_view *view)
{
    static const char *const words[STORE_VIEW_COUNT] = {
        [STORE_VIEW_RUNS] = "runs",         [STORE_VIEW_JOBS] = "jobs",
        [STORE_VIEW_OUTCOMES] = "outcomes", [STORE_VIEW_BATCHES] = "batches",
        [STORE_VIEW_VOIDS] = "voids",       [STORE_VIEW_JUDGEMENTS] = "judgements",
        [STORE_VIEW_PARTS] = "parts",       [STORE_VIEW_RESUMPTIONS] = "resumptions",
        [STORE_VIEW_MERGES] = "merges"};
    for (int i = 0; i < STORE_VIEW_COUNT; i++) {
        if (strcmp(words[i], value) == 0) {
            *view = (enum store_view)i;
            return 0;
        }
    }
    return argument_bad(state, "what", "jobs, outcomes, batches, voids, judgements, runs, parts, resumptions or merges",
                        value);
}

static error_t parse_run(const struct argp_state *state, const char *value, int64_t *run)
{
    char *end;
    errno = 0;
    *run = strtoll(value, &end, 10);
    return end == value || *end != '\0' || errno != 0 || *run <= 0
               ? argument_bad(state, "run", "the number of a run", value)
               : 0;
}

static error_t check_request(const struct argp_state *state, const struct request *request)
{
    if (request->format == FORMAT_NONE)
        argp_error(state, "expected --format csv, jsonl or litmus7");
    else if (request->format == FORMAT_LITMUS7 && request->what_chosen)
        argp_error(state, "--what: a litmus7 log has no choice of rows");
    else if (request->format != FORMAT_LITMUS7 && (request->device || request->dialect))
        argp_error(state, "--device and --dialect choose the tests of a litmus7 log");
    else
        return 0;
    return EINVAL;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_FORMAT:
        return parse_format(state, value, &request->format);
    case OPTION_WHAT:
        request->what_chosen = true;
        return parse_what(state, value, &request->wanted.view);
    case OPTION_RUN:
        return parse_run(state, value, &request->wanted.run_id);
    case OPTION_DEVICE:
        request->device = value;
        return 0;
    case OPTION_DIALECT:
        request->dialect = value;
        return 0;
    case OPTION_OUT:
        request->out = value;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "expected one DATABASE, found also '%s'", value);
        request->database = value;
        return 0;
    case ARGP_KEY_END:
        return check_request(state, request);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char documentation[] =
    "Writes what a database holds (default: orchil.db) for other tools.\v"
    "csv has the columns of the views that results/README.md describes, in that order, a line with their names first, and "
    "lines that end as RFC 4180 says. NULL is an empty field, an empty text is \"\". jsonl has the same names, except that "
    "jobs are as `orchil run --json` prints them, with what else the view says of them. litmus7 has a block per test and device, over all "
    "their jobs.\n\n"
    "Examples:\n"
    "  orchil export --format csv --what outcomes results.db >outcomes.csv\n"
    "  orchil export --format jsonl --run 3 --out jobs.jsonl results.db\n"
    "  orchil export --format litmus7 --device H100 --out h100.log results.db\n\n"
    "Exit codes: 0 written; 2 wrong usage, a file that cannot be opened or created, or there is no such run; 4 the "
    "database failed, or the output could not be written to its end.";

/* A run that is not there is a slip, not an empty result. */
static enum status expect_run(struct store *store, const struct request *request, struct error *error)
{
    struct store_cursor runs;
    store_query(store, STORE_RUNS, request->wanted.run_id, &runs, error);
    const bool there = store_next(&runs);
    TRY(store_end(&runs, STATUS_OK));
    return there || request->wanted.run_id == 0 ? STATUS_OK
                                                : error_set(error, STATUS_USAGE, "%s: there is no run %" PRId64,
                                                            request->database, request->wanted.run_id);
}

static enum status write_all(struct store *store, const struct request *request, FILE *out, struct error *error)
{
    const struct export_log_wanted log = {request->wanted.run_id, request->device, request->dialect};
    switch (request->format) {
    case FORMAT_CSV:
        return export_csv(store, &request->wanted, out, error);
    case FORMAT_JSON_LINES:
        return export_json_lines(store, &request->wanted, out, error);
    default:
        return export_log(store, &log, out, error);
    }
}

static enum status write_file(struct store *store, const struct request *request, struct error *error)
{
    TRY(output_path_check("out", request->out, request->database, error));
    FILE *out = fopen(request->out, "we");
    if (!out)
        return error_set(error, STATUS_UNREADABLE, "%s: cannot be created: %s", request->out, strerror(errno));
    enum status status = write_all(store, request, out, error);
    const bool failed = ferror(out) != 0;
    errno = failed ? errno : 0;
    if ((fclose(out) != 0 || failed) && status == STATUS_OK)
        status = error_set(error, STATUS_SYSTEM, "%s: cannot be written: %s", request->out,
                           errno ? strerror(errno) : "the disk is full, or the like");
    return status;
}

int verb_export(int argc, char **argv)
{
    const struct argp argp = {option_list, parse_option, "[DATABASE]", documentation, NULL, NULL, NULL};
    struct request request = {.wanted = {.view = STORE_VIEW_JOBS}, .database = "orchil.db"};
    struct store *store = NULL;
    struct error error;

    argp_err_exit_status = status_exit_code(STATUS_USAGE);
    if (argp_parse(&argp, argc, argv, 0, NULL, &request) != 0)
        return status_exit_code(STATUS_USAGE);
    enum status status = store_open(request.database, STORE_READ, &store, &error);
    if (status == STATUS_OK)
        status = expect_run(store, &request, &error);
    if (status == STATUS_OK)
        status = request.out ? write_file(store, &request, &error)
                             : write_all(store, &request, stdout, &error); /* main checks standard output */
    const int code = status == STATUS_OK ? 0 : complain(argv[0], &error);
    store_close(store);
    return code;
}
