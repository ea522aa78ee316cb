// SPDX-License-Identifier: Apache-2.0
/* orchil import: what a page of `orchil web` counted in a browser becomes a run. */
#include <sys/stat.h>

#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/print/run_output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "results/results.h"
#include "runner/run/plan_store.h"
#include "web/import.h"

struct import_request {
    struct run_options run;
    bool verbose, json;
    struct verb_arguments files;
};

#define AT(member) offsetof(struct import_request, member)

static const struct option_row option_rows[] = {{ROW_DATABASE(AT(run.database))},
                                                {ROW_JSON(AT(json))},
                                                {ROW_VERBOSE(AT(verbose))},
                                                {ROW_STRICT(AT(run.strict))},
                                                {0}};

/* ---- files ---- */

static bool import_ends_in_json(const char *name)
{
    const size_t size = strlen(name);
    return size > 5 && strcmp(name + size - 5, ".json") == 0;
}

struct import_files {
    char **names;
    size_t count, room;
};

/* Adds a file, or those of a folder. */
static enum status import_add_files(const char *path, struct import_files *files, struct error *error)
{
    enum { MOST = 100000 };
    struct stat about;
    LOCAL(folder) folder = {0};
    const size_t first = files->count;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) {
        LIST_ADD(files->names, files->count, files->room) = memory_copy(path);
        return STATUS_OK;
    }
    TRY(folder_read(path, MOST, &folder, error));
    for (size_t i = 0; i < folder.count; i++) {
        LOCAL(text) name = {0};
        text_add(&name, "%s/%s", path, folder.names[i]);
        if (import_ends_in_json(folder.names[i]))
            LIST_ADD(files->names, files->count, files->room) = memory_copy(text_string(&name));
    }
    return files->count > first ? STATUS_OK : error_set(error, STATUS_USAGE, "%s contains no .json file", path);
}

/* ---- runs ---- */

/* *run: the run that this file has become before, or 0. */
static enum status import_find_run(const char *database, const char *command_line, int64_t *run, struct error *error)
{
    LOCAL(arena) arena = {0};
    struct store *store = NULL;
    struct begun_run *begun = NULL;
    size_t count = 0;
    *run = 0;
    if (access(database, F_OK) != 0)
        return STATUS_OK;
    enum status status = store_open(database, STORE_WRITE, &store, error);
    THEN(status, plan_list_begun(store, command_line, 0, &arena, &begun, &count, error));
    store_close(store);
    if (count > 0)
        *run = begun[count - 1].run_id;
    return status;
}

static void import_print(const char *path, const struct import *import)
{
    FOR_EACH(const struct import_refusal, refusal, import->refusals, import->refusal_count)
        terminal_print(stderr, "%s: %s is left out: %s\n", path, refusal->name, refusal->reason);
    terminal_print(stderr, "%s: %s, reported by %s at %.30s: %s %s, %s %s\n", path, import->own.name,
                   import->own.driver, import->began, QUANTITY_COUNT(import->plan.job_count),
                   import->plan.job_count == 1 ? "job" : "jobs", QUANTITY_COUNT(import->batches),
                   import->batches == 1 ? "batch" : "batches");
}

/* Stores a file as a run, which the file itself names. */
static enum status import_store(const struct import_request *request, const char *path, const struct import *import,
                                const struct provenance *who, int *code, struct error *error)
{
    struct run_output output = {.json = request->json, .verbose = request->verbose};
    struct run_options options = request->run;
    struct provenance provenance = *who;
    struct run_result result;
    LOCAL(text) command = {0};
    int64_t before;
    text_add(&command, "import %s", import->hash);
    TRY(import_find_run(options.database, text_string(&command), &before, error));
    if (before > 0) {
        terminal_print(stderr, "%s: it is run %" PRId64 " of %s already\n", path, before, options.database);
        return STATUS_OK;
    }
    provenance.command_line = command.data;
    options.provenance = &provenance;
    options.seed = import->seed;
    options.seeded = true;
    options.score = import->score;
    if (setenv(RECORDED_VARIABLE, path, 1) != 0)
        return error_set(error, STATUS_SYSTEM, "the environment has no room");
    *code = run_output_run(&output, &options, &import->plan, &result);
    if (*code == 1)
        terminal_print(stderr,
                       "%s: what must never appear was reported by a browser: suspect its compiler of WGSL before the "
                       "hardware, until a program without a browser shows it there\n",
                       path);
    return STATUS_OK;
}

/* Imports one file. What is wrong with it costs only itself. */
static int import_file(const struct import_request *request, const char *path, struct verb_call *call)
{
    LOCAL(import) import = {.seed = 0};
    struct error error = {0}, why;
    int code = 0;
    enum status status = import_read(path, &import, &error);
    if (status == STATUS_OK) {
        import_print(path, &import);
        status = import_store(request, path, &import, verb_provenance(call), &code, &error);
    } else {
        why = error;
        (void)error_set(&error, status, "%s: %.900s", path, why.text);
    }
    if (status != STATUS_OK)
        return complain(call->name, &error);
    return import.refusal_count > 0 ? tests_graver_code(code, 2) : code;
}

static enum status import_execute(void *data, struct verb_call *call, struct error *error)
{
    const struct import_request *request = data;
    struct import_files files = {.names = NULL};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < request->files.count && status == STATUS_OK; i++)
        status = import_add_files(request->files.list[i], &files, error);
    for (size_t i = 0; i < files.count && status == STATUS_OK && call->code < 128; i++)
        call->code = tests_graver_code(call->code, import_file(request, files.names[i], call));
    for (size_t i = 0; i < files.count; i++)
        free(files.names[i]);
    free(files.names);
    return status;
}

VERB_ENTRY(import, files,
           (.run = {.device = "webgpu:0",
                    .controls = true,
                    .builders = 0,
                    .limits = {.open = OPEN_SECONDS, .build = OPEN_SECONDS, .batch = OPEN_SECONDS}}),
           .no_arguments = "expected a results.json, or a folder of such files");
