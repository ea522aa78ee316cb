// SPDX-License-Identifier: Apache-2.0
/* orchil export: a database in the formats of other tools. */
#include "cli/common_rows.h"
#include "cli/export/export.h"
#include "cli/output.h"
#include "cli/print/notices.h"
#include "cli/verb.h"

enum format { FORMAT_NONE, FORMAT_CSV, FORMAT_JSON_LINES, FORMAT_LITMUS7 };

struct export_request {
    enum format format;
    bool what_chosen;
    struct store_wanted wanted;
    const char *device, *dialect, *out, *share;
    struct verb_arguments databases;
};

static const struct option_word format_words[] = {
    {"csv", FORMAT_CSV}, {"jsonl", FORMAT_JSON_LINES}, {"litmus7", FORMAT_LITMUS7}, {0}};

static const struct option_word view_words[] = {{"jobs", STORE_VIEW_JOBS},
                                                {"outcomes", STORE_VIEW_OUTCOMES},
                                                {"batches", STORE_VIEW_BATCHES},
                                                {"voids", STORE_VIEW_VOIDS},
                                                {"judgements", STORE_VIEW_JUDGEMENTS},
                                                {"runs", STORE_VIEW_RUNS},
                                                {"parts", STORE_VIEW_PARTS},
                                                {"resumptions", STORE_VIEW_RESUMPTIONS},
                                                {"merges", STORE_VIEW_MERGES},
                                                {0}};

static const struct option_word dialect_words[] = {{"OPENCL", 0}, {"PTX", 0},    {"CUDA", 0},
                                                   {"C", 0},      {"VULKAN", 0}, {0}};

static void export_check_options(const struct argp_state *state, const void *data)
{
    const struct export_request *request = data;
    if (request->databases.count > 1)
        options_error(state, "expected one DATABASE, found also '%s'", request->databases.list[1]);
    else if (request->share && (request->format != FORMAT_NONE || request->what_chosen || request->device ||
                                request->dialect || request->out))
        options_error(state, "--share writes a database and can be combined only with --run");
    else if (request->format == FORMAT_NONE && !request->share)
        options_error(state, "expected --format csv, jsonl or litmus7, or --share FILE");
    else if (request->format == FORMAT_LITMUS7 && request->what_chosen)
        options_error(state, "--what does not apply to litmus7 logs");
    else if (request->format != FORMAT_LITMUS7 && (request->device || request->dialect))
        options_error(state, "--device and --dialect apply only to litmus7 logs");
}

#define AT(member) offsetof(struct export_request, member)

static const struct option_row option_rows[] = {
    {"format", 0, "FORMAT", OPTION_WORD, .offset = AT(format), .words = format_words},
    {"what", 0, "WHAT", OPTION_WORD, .offset = AT(wanted.view), "jobs", .words = view_words, .given = AT(what_chosen)},
    {"run", 0, "N", OPTION_COUNT, .offset = AT(wanted.run_id), .expected = "the number of a run"},
    {"device", 0, "NAME", OPTION_TEXT, .offset = AT(device)},
    {"dialect", 0, "DIALECT", OPTION_TEXT, .offset = AT(dialect), .words = dialect_words},
    {"share", 0, "FILE", OPTION_TEXT, .offset = AT(share), .file = OPTION_FILE_WRITTEN},
    {ROW_OUT("FILE", AT(out)), .file = OPTION_FILE_WRITTEN},
    {0}};

/* A missing run is an error, not an empty result. */
static enum status export_expect_run(struct store *store, const char *database, int64_t run, struct error *error)
{
    struct store_cursor runs;
    store_query(store, STORE_RUNS, run, &runs, error);
    const bool there = store_next(&runs);
    TRY(store_end(&runs, STATUS_OK));
    return there || run == 0 ? STATUS_OK
                             : error_set(error, STATUS_USAGE, "%s: there is no run %" PRId64, database, run);
}

static enum status export_write_all(struct store *store, const struct export_request *request, FILE *out,
                                    struct error *error)
{
    const struct export_log_wanted log = {request->wanted.run_id, request->device, request->dialect};
    return request->format == FORMAT_CSV          ? export_csv(store, &request->wanted, out, error)
           : request->format == FORMAT_JSON_LINES ? export_json_lines(store, &request->wanted, out, error)
                                                  : export_log(store, &log, out, error);
}

static enum status export_write_file(struct store *store, const struct export_request *request, struct error *error)
{
    struct file_writer writer;
    TRY(file_writer_open(&writer, request->out, error));
    const enum status status = export_write_all(store, request, writer.file, error);
    const enum status closed = file_writer_close(&writer, status == STATUS_OK, status == STATUS_OK ? error : NULL);
    return status == STATUS_OK ? closed : status;
}

static enum status export_execute(void *data, UNUSED struct verb_call *call, struct error *error)
{
    const struct export_request *request = data;
    struct store *store = NULL;
    const char *database = request->databases.count > 0 ? request->databases.list[0] : "orchil.db";
    enum status status = store_open(database, STORE_READ, &store, error);
    THEN(status, export_expect_run(store, database, request->wanted.run_id, error));
    if (status == STATUS_OK && !request->share && request->format != FORMAT_LITMUS7)
        status = judged_again_prepare(store, request->wanted.run_id, error);
    if (status == STATUS_OK && request->share)
        status = export_share(database, request->wanted.run_id, request->share, error);
    else if (status == STATUS_OK)
        status = request->out ? export_write_file(store, request, error)
                              : export_write_all(store, request, stdout, error); /* main checks standard output */
    store_close(store);
    return status;
}

VERB_ENTRY(export, databases, (.format = FORMAT_NONE), .check = export_check_options);
