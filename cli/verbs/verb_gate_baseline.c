// SPDX-License-Identifier: Apache-2.0
/* orchil gate baseline: a small file for a gate to compare with. */
#include <sys/stat.h>

#include "analysis/compare/compare.h"
#include "cli/atomics.h"
#include "cli/output.h"
#include "cli/print/notices.h"
#include "cli/verbs/verb_gate.h"
#include "gate/baselines.h"
#include "gate/health.h"

enum { MOST_RUNS = 100 };

struct baseline_command {
    struct gate_request request;
    struct verb_arguments tests;
    const char *out, *from;
    char path[PATH_MAX]; /* of a baseline in a folder */
    uint64_t runs;
};

static void gate_baseline_check_options(const struct argp_state *state, const void *data)
{
    const struct baseline_command *command = data;
    if (command->out && command->request.baselines)
        options_error(state, "--out and --baselines exclude each other");
    else if (!command->out && (!command->request.baselines || command->from))
        options_error(state, "expected --out FILE, the baseline to write%s",
                      command->from ? "" : ", or --baselines DIR");
    else if (command->from && (command->tests.count > 0 || command->request.exclude.count > 0))
        options_error(state, "--from uses stored runs and takes no TEST and no --exclude");
}

#define AT(member) offsetof(struct baseline_command, member)

static const struct option_row option_rows[] = {
    {ROW_OUT("FILE", AT(out)), .file = OPTION_FILE_DATABASE},
    {"baselines", 0, "DIR", OPTION_TEXT, .offset = AT(request.baselines), .file = OPTION_FILE_FOLDER,
     .project = " out from "},
    {"runs", 0, "N", OPTION_COUNT, .offset = AT(runs), "3", .low = 1, .high = MOST_RUNS, .project = ""},
    {"from", 0, "FILE[:RUNS]", OPTION_TEXT, .offset = AT(from), .file = OPTION_FILE_READ},
    GATE_ROWS(AT),
    ATOMICS_ROWS,
    {0}};

/* ---- runs ---- */

/* The stored runs to copy. */
struct stored_runs {
    struct stored_place place;
    struct arena arena; /* of the place */
    int64_t runs[MOST_RUNS];
    size_t run_count;    /* 0: all */
    int code;            /* of the first run that did not end well */
    size_t unread_count; /* files of the selection that cannot be read */
};

static bool is_grave(int code)
{
    return code == 1 || code == status_exit_code(STATUS_DEVICE_FAILED);
}

/* With --baselines, the file follows from the device. */
static enum status gate_baseline_name_file(struct baseline_command *command, const struct gate_suite *suite,
                                           struct error *error)
{
    LOCAL(text) path = {0};
    if (command->out)
        return STATUS_OK;
    if (suite->chosen_count != 1)
        return error_set(error, STATUS_USAGE,
                         "--device selects %zu devices, each of which gets a file of its own in --baselines: make "
                         "their baselines one by one",
                         suite->chosen_count);
    TRY(file_make_folders(command->request.baselines, 0777, error));
    baselines_add_path(command->request.baselines, suite->chosen[0], &path);
    (void)snprintf(command->path, sizeof command->path, "%s", text_string(&path));
    command->out = command->path;
    return baseline_file_check(command->out, error);
}

/* False if there is nothing to copy: stored->code is the exit code of the process. */
static enum status gate_baseline_run_suite(struct baseline_command *command, struct stored_runs *stored, bool *done,
                                           struct error *error)
{
    LOCAL(gate_suite) suite;
    int64_t run;
    int code = 0;
    enum status status = gate_suite_make(&command->request, NULL, &suite, error);
    THEN(status, gate_baseline_name_file(command, &suite, error));
    *done = status == STATUS_OK;
    THEN(status, gate_suite_pilot(&suite, done, &code, error));
    if (status == STATUS_OK && (!*done || is_grave(code)))
        stored->code = code;
    *done &= status == STATUS_OK;
    for (bool again = false; *done && stored->run_count < command->runs;) {
        const double began = clock_seconds();
        terminal_print(stderr, "run %zu of %" PRIu64 "\n", stored->run_count + 1, command->runs);
        *done = gate_suite_run(&suite, suite.request.seed, &run, &code);
        const bool shrinks =
            *done && stored->run_count == 0 && !again && gate_suite_shrink(&suite, clock_seconds() - began);
        again |= shrinks;
        if (!shrinks)
            stored->runs[stored->run_count++] = run;
        if (!*done)
            stored->code = code;
        else if (!shrinks || is_grave(code))
            stored->code = tests_graver_code(stored->code, code);
    }
    stored->unread_count = suite.selection.unread_count;
    return status;
}

/* ---- its contents ---- */

/* The file as a gate reads it. The caller calls side_release, whatever the result. */
static enum status gate_baseline_read_file(const char *path, struct side *side, struct health *health,
                                           struct error *error)
{
    const struct selector selector = {.database = path, .prepare = judged_again_prepare};
    TRY(side_read(&selector, side, error));
    side_lend_models(side, side); /* a job that had no time belongs to the sample of those that had */
    side_gather(side, DIMENSION_DRIVER);
    health_read(side, health);
    return STATUS_OK;
}

static enum status gate_baseline_print_text(const struct baseline_command *command,
                                            const struct store_merge_tally *tally, const struct side *side,
                                            const struct health *health, struct error *error)
{
    struct output output = {.what = "the report", .document = {.title = "orchil gate baseline"}};
    struct document *document = &output.document;
    TRY(baseline_file_describe(command->out, tally, &document->line, error));
    document_answer(document, TERMINAL_PLAIN);
    if (tally->runs_new < ((struct compare_options){COMPARE_USUAL}).fewest_runs) /* which show how much two differ */
        text_add(&document->line,
                 "A gate needs 3 runs to decide about rates; with fewer, a changed rate stays unconfirmed.\n");
    document_line(document, "", DOCUMENT_RAW);
    health_document(health, document);
    health_document_incomplete(side, document);
    return output_end(&output, error);
}

#define BASELINE_MEMBERS(X)                                                                                            \
    X("file", text, "the path of the baseline", path)                                                                  \
    X("runs", count, "the number of runs in the baseline", tally->runs_new)                                            \
    X("jobs", count, "the number of jobs in the baseline", tally->jobs)                                                \
    X("batches", count, "the number of batches in the baseline", tally->batches)                                       \
    X("bytes", count, "the size of the file in bytes", bytes)                                                          \
    HEALTH_MEMBERS(X, health)
FIELD_DOCUMENT(document_gate_baseline, BASELINE_MEMBERS, const char *path, const struct store_merge_tally *tally,
               uint64_t bytes, const struct health *health)

static enum status gate_baseline_print_json(const struct baseline_command *command,
                                            const struct store_merge_tally *tally, const struct health *health,
                                            struct error *error)
{
    struct stat there;
    if (stat(command->out, &there) != 0)
        return error_set(error, STATUS_SYSTEM, "%s: cannot be read: %s", command->out, strerror(errno));
    json_t *object = field_document_gate_baseline(command->out, tally, (uint64_t)there.st_size, health);
    return json_print(JSON_GATE_BASELINE, object)
               ? STATUS_OK
               : error_set(error, STATUS_SYSTEM, "the result cannot be printed as JSON");
}

/* With --from, the exit code follows from the stored jobs, since nothing was run. */
static int baseline_code(const struct stored_runs *stored, const struct health *health)
{
    if (stored->code != 0 || health->alarm_count == 0)
        return stored->code;
    return health->alarms[0].kind == HEALTH_FAULT ? status_exit_code(STATUS_DEVICE_FAILED) : 1;
}

static enum status baseline_report(const struct baseline_command *command, struct stored_runs *stored,
                                   const struct store_merge_tally *tally, struct error *error)
{
    LOCAL(side) side = {.title = ""};
    struct health health = {.alarms = NULL};
    enum status status = gate_baseline_read_file(command->out, &side, &health, error);
    THEN(status, command->request.json ? gate_baseline_print_json(command, tally, &health, error)
                                       : gate_baseline_print_text(command, tally, &side, &health, error));
    if (status == STATUS_OK && stored->code != 0 && health.alarm_count == 0)
        terminal_print(
            stderr,
            "orchil gate baseline: a run ended with exit code %d: check what it stored before relying on the file\n",
            stored->code);
    stored->code = baseline_code(stored, &health);
    return status;
}

/* One database, all of it or some of its runs. */
static enum status baseline_find(const struct baseline_command *command, struct stored_runs *stored,
                                 struct error *error)
{
    TRY(stored_place_read(command->from ? command->from : command->request.database, NULL, &stored->arena,
                          &stored->place, error));
    const struct selector *file = &stored->place.selectors[0];
    if (stored->place.count > 1 || (command->from && file->run_count > MOST_RUNS))
        return error_set(error, STATUS_USAGE, "%s: expected one database, or up to %d runs of it", stored->place.word,
                         MOST_RUNS);
    for (size_t i = 0; command->from && i < file->run_count; i++)
        stored->runs[stored->run_count++] = file->runs[i];
    return STATUS_OK;
}

static enum status baseline_make(struct baseline_command *command, int *code, struct error *error)
{
    struct stored_runs stored = {.code = 0};
    struct store_merge_tally tally = {0};
    bool done = true;
    if (command->out)
        TRY(baseline_file_check(command->out, error));
    enum status status = baseline_find(command, &stored, error);
    if (status == STATUS_OK && !command->from)
        status = gate_baseline_run_suite(command, &stored, &done, error);
    const struct baseline_content content = {.from = status == STATUS_OK ? stored.place.selectors[0].database : NULL,
                                             .runs = stored.runs,
                                             .run_count = stored.run_count,
                                             .provenance = command->request.provenance};
    if (status == STATUS_OK && done)
        status = baseline_file_write(command->out, &content, &tally, error);
    if (status == STATUS_OK && done)
        status = baseline_report(command, &stored, &tally, error);
    if (status == STATUS_OK && !done)
        terminal_print(stderr, "orchil gate baseline: %s was not written; finished runs are stored in %s\n",
                       command->out, command->request.database);
    *code = tests_exit_code(stored.unread_count, stored.code);
    arena_release(&stored.arena);
    return status;
}

static enum status gate_baseline_execute(void *data, struct verb_call *call, struct error *error)
{
    struct baseline_command *command = data;
    verb_gate_attach(&command->request, &command->tests, call);
    return baseline_make(command, &call->code, error);
}

const struct verb verb_gate_baseline = {
    .name = "baseline",
    .like = &verb_gate,
    .options = option_rows,
    .arguments = AT(tests),
    .check = gate_baseline_check_options,
    .project = verb_gate_family,
    VERB_REQUEST(struct baseline_command, .request = {.limits = {.open = OPEN_SECONDS}}),
    .run = gate_baseline_execute};
