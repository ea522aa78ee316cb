// SPDX-License-Identifier: Apache-2.0
/* orchil gate baseline: a small file of what a gate compares with. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quantity.h"
#include "cli/complaint.h"
#include "cli/gate/gate_suite.h"
#include "cli/gate/gate_verbs.h"
#include "cli/tests.h"
#include "results/results.h"
#include "runner/run/provenance.h"

enum { MOST_RUNS = 100 };

struct baseline_command {
    struct gate_request request;
    const char *out, *from;
    uint64_t runs;
};

static void baseline_check(const struct argp_state *state, const void *data)
{
    const struct baseline_command *command = data;
    if (!command->out)
        argp_error(state, "expected --out FILE, the baseline to write");
    else if (command->from && command->request.tests.count > 0)
        argp_error(state, "--from takes what is stored: TEST does not go with it");
}

#define AT(member) offsetof(struct baseline_command, member)

static const struct option_row baseline_rows[] = {
    {"out", 0, "FILE", OPTION_TEXT, AT(out), .help = "the baseline to write, which must not be there"},
    {"runs", 0, "N", OPTION_COUNT, AT(runs), "3", .low = 1, .high = MOST_RUNS,
     .help = "how often the suite runs, each within the budget (default: %s)"},
    {"from", 0, "FILE[:RUN]", OPTION_TEXT, AT(from), .help = "run nothing: take what is stored"},
#include "cli/gate/gate_rows.inc"
    {0}};

static const char documentation[] =
    "Writes a baseline for orchil gate: an orchil database with the counts of every batch and all that identifies its "
    "jobs, and without kernels, device code, logs and launch arguments. Every verb reads it.\v"
    "Runs the suite (default: @ci) several times from one seed, so that the baseline says how much runs of one driver "
    "differ: a rate that has changed by no more does not fail the gate. The runs are stored whole with --db.\n\n"
    "Examples:\n"
    "  orchil gate baseline --device cuda --out base.db\n"
    "  orchil gate baseline --runs 5 --budget 2m --out base.db 'ptx:*+relaxed'\n"
    "  orchil gate baseline --from results.db:7 --out base.db\n\n"
    "Exit codes: 0 written; 1 written, though an outcome was seen that must never appear; 2 wrong usage, or a file that "
    "cannot be read, parsed or written; 3 written, though nothing completed or a batch was invalid; 4 no device, or the "
    "database failed, or, with the file written, a job did not end well; 130, 143 interrupted: nothing is written.";

/* ---- runs ---- */

/* What was stored, and is to be copied. */
struct stored {
    struct gate_place place;
    int64_t runs[MOST_RUNS];
    size_t run_count;    /* 0: all */
    int code;            /* of the first run that did not end well */
    size_t unread_count; /* files of the selection that cannot be read */
};

/* False where there is nothing to copy: stored->code says what the process ends with. */
static enum status baseline_run(const struct baseline_command *command, int argc, char **argv, struct stored *stored,
                                bool *done, struct error *error)
{
    struct gate_suite suite;
    int64_t run;
    int code;
    enum status status = gate_suite_make(&command->request, NULL, &suite, error);
    *done = status == STATUS_OK;
    if (status == STATUS_OK)
        gate_suite_share(&suite);
    while (*done && stored->run_count < command->runs) {
        (void)fprintf(stderr, "run %zu of %" PRIu64 "\n", stored->run_count + 1, command->runs);
        *done = gate_suite_run(&suite, suite.request.seed, argc, argv, &run, &code);
        stored->runs[stored->run_count++] = run;
        if (stored->code == 0 || !*done)
            stored->code = code;
    }
    stored->unread_count = suite.selection.unread_count;
    gate_suite_release(&suite);
    return status;
}

/* ---- the file ---- */

static enum status baseline_copy(const struct stored *stored, const char *out, struct store_merge_tally *tally,
                                 struct error *error)
{
    struct store *store = NULL;
    struct provenance provenance;
    char program[] = "orchil";
    char *arguments[] = {program, NULL};
    provenance_find(1, arguments, &provenance);
    const struct store_merge_options options = {.runs = stored->runs,
                                                .run_count = stored->run_count,
                                                .leave_out = STORE_LEAVE_KERNELS | STORE_LEAVE_BINARIES |
                                                             STORE_LEAVE_LOGS | STORE_LEAVE_DRAWS,
                                                .tool_version = provenance.tool_version,
                                                .host = provenance.host};
    enum status status = store_open(out, STORE_WRITE, &store, error);
    if (status == STATUS_OK)
        status = store_merge(store, stored->place.file, &options, tally, error);
    store_close(store);
    provenance_release(&provenance);
    return status;
}

/* The file gets its name when it is whole. */
static enum status baseline_write(const struct stored *stored, const char *out, struct store_merge_tally *tally,
                                  struct error *error)
{
    struct text part = {0};
    text_add(&part, "%s.part", out);
    const char *path = text_string(&part);
    enum status status = unlink(path) == 0 || errno == ENOENT
                             ? baseline_copy(stored, path, tally, error)
                             : error_set(error, STATUS_UNREADABLE, "%s: cannot be replaced: %s", path, strerror(errno));
    if (status == STATUS_OK && tally->jobs == 0)
        status = error_set(error, STATUS_USAGE, "%s: there are no finished runs in it", stored->place.file);
    else if (status == STATUS_OK && tally->batches == 0) /* a failed device, most likely */
        status = error_set(error, STATUS_DEVICE_FAILED,
                           "no job has a single batch, so there is nothing to compare with; see the runs in %s",
                           stored->place.file);
    if (status == STATUS_OK && rename(path, out) != 0)
        status = error_set(error, STATUS_SYSTEM, "%s: cannot be written: %s", out, strerror(errno));
    if (status != STATUS_OK)
        (void)unlink(path);
    text_release(&part);
    return status;
}

static enum status baseline_print(const struct baseline_command *command, const struct store_merge_tally *tally,
                                  struct error *error)
{
    char buffer[2][QUANTITY_SIZE];
    struct stat there;
    if (stat(command->out, &there) != 0)
        return error_set(error, STATUS_SYSTEM, "%s: cannot be read: %s", command->out, strerror(errno));
    if (!command->request.json) {
        (void)printf("%s: %" PRIu64 " run%s, %" PRIu64 " jobs, %s batches, %s bytes.\n", command->out, tally->runs_new,
                     tally->runs_new == 1 ? "" : "s", tally->jobs, quantity_count(tally->batches, buffer[0]),
                     quantity_count((uint64_t)there.st_size, buffer[1]));
        return STATUS_OK;
    }
    json_t *object = json_pack("{ss% sI sI sI sI}", "file", command->out, strlen(command->out), "runs",
                               (json_int_t)tally->runs_new, "jobs", (json_int_t)tally->jobs, "batches",
                               (json_int_t)tally->batches, "bytes", (json_int_t)there.st_size);
    const bool printed = object && json_dumpf(object, stdout, JSON_COMPACT) == 0;
    json_decref(object);
    (void)putchar('\n');
    return printed ? STATUS_OK : error_set(error, STATUS_SYSTEM, "the result cannot be printed as JSON");
}

static enum status baseline_make(const struct baseline_command *command, int argc, char **argv, int *code,
                                 struct error *error)
{
    struct stored stored = {.code = 0};
    struct store_merge_tally tally = {0};
    bool done = true;
    if (access(command->out, F_OK) == 0)
        return error_set(error, STATUS_USAGE, "%s: is there already; choose another name, or remove it", command->out);
    enum status status = STATUS_OK;
    gate_place_read(command->from ? command->from : command->request.database, NULL, &stored.place);
    if (command->from && stored.place.run > 0)
        stored.runs[stored.run_count++] = stored.place.run;
    if (!command->from)
        status = baseline_run(command, argc, argv, &stored, &done, error);
    if (status == STATUS_OK && done)
        status = baseline_write(&stored, command->out, &tally, error);
    if (status == STATUS_OK && done)
        status = baseline_print(command, &tally, error);
    if (status == STATUS_OK && done && stored.code != 0)
        (void)fprintf(stderr,
                      "orchil gate baseline: a run ended with exit code %d: see what it stored before you rely on "
                      "the file\n",
                      stored.code);
    *code = tests_exit_code(stored.unread_count, stored.code);
    gate_place_release(&stored.place);
    return status;
}

static int baseline_main(int argc, char **argv)
{
    struct baseline_command command = {.request = {.limits = {.open = OPEN_SECONDS}}};
    struct error error = {0};
    int code = 0;
    options_parse(&verb_gate_baseline, argc, argv, &command);
    const enum status status = baseline_make(&command, argc, argv, &code, &error);
    return status == STATUS_OK ? code : complain(argv[0], &error);
}

const struct verb verb_gate_baseline = {.name = "baseline",
                                        .usage = "--out FILE [TEST...]\n--out FILE --from FILE[:RUN]",
                                        .documentation = documentation,
                                        .options = baseline_rows,
                                        .arguments = AT(request.tests),
                                        .check = baseline_check,
                                        .run = baseline_main};
