// SPDX-License-Identifier: Apache-2.0
/* orchil export: a database in the formats of other tools. */
#include "base/whole_file.h"
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
        options_error(state, "--share writes a database: of the other options, only --run applies");
    else if (request->format == FORMAT_NONE && !request->share)
        options_error(state, "expected --format csv, jsonl or litmus7, or --share FILE");
    else if (request->format == FORMAT_LITMUS7 && request->what_chosen)
        options_error(state, "--what does not apply to litmus7 logs");
    else if (request->format != FORMAT_LITMUS7 && (request->device || request->dialect))
        options_error(state, "--device and --dialect apply only to litmus7 logs");
}

#define AT(member) offsetof(struct export_request, member)

static const struct option_row option_rows[] = {
    {"format", 0, "FORMAT", OPTION_WORD, AT(format), .words = format_words,
     .help = "csv, jsonl (a JSON object per line) or litmus7 (a log that mcompare7 reads)"},
    {"what", 0, "WHAT", OPTION_WORD, AT(wanted.view), "jobs", .words = view_words, .given = AT(what_chosen),
     .help = "jobs (the default), outcomes, batches, voids, judgements, runs, parts, resumptions or merges; not for "
             "litmus7"},
    {"run", 0, "N", OPTION_COUNT, AT(wanted.run_id), .expected = "the number of a run",
     .help = "only the run with this number"},
    {"device", 0, "NAME", OPTION_TEXT, AT(device),
     .help = "only devices with this in their name, or with this UUID; for litmus7"},
    {"dialect", 0, "DIALECT", OPTION_TEXT, AT(dialect), .words = dialect_words,
     .help = "only tests of OPENCL, PTX, CUDA, C or VULKAN; for litmus7"},
    {"share", 0, "FILE", OPTION_TEXT, AT(share), .file = OPTION_FILE_WRITTEN,
     .help = "write FILE, a copy of the database without names of people, hosts, folders and files"},
    {"out", 0, "FILE", OPTION_TEXT, AT(out), .file = OPTION_FILE_WRITTEN,
     .help = "write to FILE (default: standard output)"},
    {0}};

static const char documentation[] =
    "Write the contents of a database (default: orchil.db) for other tools.\v"
    "csv has the columns of the views in docs/reference/database.md, in that order, after a line with their names, "
    "with the line ends of RFC 4180. NULL is an empty field; an empty text is \"\". A text that starts with `=`, "
    "`+`, `-`, `@`, a tab or a line end is preceded by an apostrophe, so that a spreadsheet does not take it for a "
    "formula. jsonl has the same names, except that jobs are as `orchil run --json` prints them, with the other "
    "columns of the view added. litmus7 has a block per test and device, summed over all jobs.\n\n"
    "--share makes a database to publish or to send to others, which `orchil merge` and `orchil report` read. It has no "
    "kernels, device code and build logs, no values of environment variables, no name of a host, a user or a folder, and no "
    "path. Names that drivers wrote into texts are left out if they are those of this machine, its user, a host that is "
    "stored or the owner of a home folder in a stored path, in upper or lower case. The copy is searched for all these names before FILE is "
    "written. It keeps the tests, the drivers, the times, and the devices with their UUIDs.\n\n" HELP_JUDGED_AGAIN;

static const char *const examples[] = {"orchil export --format csv --what outcomes results.db >outcomes.csv",
                                       "orchil export --format jsonl --run 3 --out jobs.jsonl results.db",
                                       "orchil export --format litmus7 --device H100 --out h100.log results.db",
                                       "orchil export --share h100-580.db results.db", NULL};

static const struct exit_code exit_codes[] = {
    {"0", "written"},
    {"2", "wrong usage, a file that cannot be opened or created, or a run that does not exist"},
    {"4", "the database failed, or the output could not be written completely"},
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
    switch (request->format) {
    case FORMAT_CSV:
        return export_csv(store, &request->wanted, out, error);
    case FORMAT_JSON_LINES:
        return export_json_lines(store, &request->wanted, out, error);
    default:
        return export_log(store, &log, out, error);
    }
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

const struct verb verb_export = {.name = "export",
                                 .summary = "write a database as CSV, JSON lines, a litmus7 log or a copy to share",
                                 .usage = "[DATABASE]",
                                 VERB_PARTS,
                                 .arguments = AT(databases),
                                 .check = export_check_options,
                                 VERB_REQUEST(struct export_request, .format = FORMAT_NONE),
                                 .run = export_execute};
