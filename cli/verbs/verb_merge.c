// SPDX-License-Identifier: Apache-2.0
/* orchil merge: the runs of several databases into one. */
#include <jansson.h>

#include "base/field.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "results/results.h"
#include "runner/run/provenance.h"

enum { RUNS_AT_MOST = 1000 };

struct merge_request {
    const char *into;
    struct verb_arguments sources;
    int64_t runs[RUNS_AT_MOST];
    int64_t one_run; /* in the target */
    bool as_one_run;
    struct store_merge_options options;
    bool json;
};

static void read_run(const struct argp_state *state, const struct option_row *row, const char *value, void *data)
{
    struct merge_request *request = data;
    uint64_t run;
    if (!quantity_parse_count(value, &run))
        options_refuse(state, row, "the number of a run", value);
    if (request->options.run_count == RUNS_AT_MOST)
        options_error(state, "--%s: at most %d runs can be named", row->name, RUNS_AT_MOST);
    request->runs[request->options.run_count++] = (int64_t)run;
}

static const struct option_word leave_words[] = {{"kernels", STORE_LEAVE_KERNELS},
                                                 {"binaries", STORE_LEAVE_BINARIES},
                                                 {"logs", STORE_LEAVE_LOGS},
                                                 {"draws", STORE_LEAVE_DRAWS},
                                                 {0}};

static void merge_check_options(const struct argp_state *state, const void *data)
{
    const struct merge_request *request = data;
    if (!request->into)
        options_error(state, "expected --into FILE, the database that gets the runs");
    else if (request->sources.count == 0)
        options_error(state, "expected the databases to merge after --into %s", request->into);
    else if (request->options.run_count > 0 && request->sources.count > 1)
        options_error(state, "--run needs exactly one DATABASE, found %zu", request->sources.count);
}

#define AT(member) offsetof(struct merge_request, member)

static const struct option_row option_rows[] = {
    {"into", 0, "FILE", OPTION_TEXT, .offset = AT(into), .file = OPTION_FILE_DATABASE},
    {"run", 0, "N", OPTION_OTHER, .read = read_run},
    {"as-one-run", 0, NULL, OPTION_SET, .offset = AT(as_one_run)},
    {"unfinished", 0, NULL, OPTION_SET, .offset = AT(options.unfinished)},
    {"leave-out", 0, "WHAT,...", OPTION_WORDS, .offset = AT(options.leave_out), .words = leave_words},
    {ROW_JSON(AT(json))},
    {0}};

/* ---- output ---- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_tally(const char *name, const struct store_merge_tally *tally)
{
    LOCAL(text) line = {0};
    const struct {
        uint64_t count;
        const char *what;
    } parts[] = {
        {tally->runs_new, " new"}, {tally->runs_grown, " brought up to date"}, {tally->runs_same, " there before"}};
    terminal_add_safe(&line, name);
    text_add(&line, ": ");
    size_t said = 0;
    for (size_t i = 0; i < COUNT(parts); i++)
        if (parts[i].count > 0)
            text_add(&line, "%s%s run%s%s", said++ > 0 ? ", " : "", QUANTITY_COUNT(parts[i].count),
                     plural(parts[i].count), parts[i].what);
    if (said == 0)
        text_add(&line, "no run");
    if (tally->runs_new + tally->runs_grown > 0) {
        text_add(&line, ": %s job%s", QUANTITY_COUNT(tally->jobs), plural(tally->jobs));
        text_add(&line, " and %s batch%s", QUANTITY_COUNT(tally->batches), tally->batches == 1 ? "" : "es");
    }
    terminal_print(stdout, "%s\n", text_string(&line));
}

#define TALLY_MEMBERS(X)                                                                                               \
    X("runs_new", count, "the number of runs added", tally->runs_new)                                                  \
    X("runs_grown", count, "the number of runs brought up to date", tally->runs_grown)                                 \
    X("runs_same", count, "the number of runs that were already there", tally->runs_same)                              \
    X("jobs", count, "the number of jobs added", tally->jobs)                                                          \
    X("batches", count, "the number of batches added", tally->batches)
#define SOURCE_MEMBERS(X)                                                                                              \
    X("source", text, "the path of the database", source)                                                              \
    TALLY_MEMBERS(X)                                                                                                   \
    X("error", text_or_null, "why the database was not merged", failure ? failure->text : NULL)
FIELD_RECORD(merge_source, SOURCE_MEMBERS, const char *source, const struct store_merge_tally *tally,
             const struct error *failure)

static const struct field_type field_merge_sources_type = {.shape = FIELD_IS_ARRAY, .of = &field_merge_source_type};
static json_t *field_merge_sources(json_t *list)
{
    return json_incref(list);
}
#define MERGE_MEMBERS(X)                                                                                               \
    X("into", text, "the path of the target database", request->into)                                                  \
    TALLY_MEMBERS(X)                                                                                                   \
    X("run?", count_if, "the number of the single run (with `--as-one-run`)", request->one_run > 0,                    \
      (uint64_t)request->one_run)                                                                                      \
    X("sources", merge_sources, "the result for each database", list)
FIELD_DOCUMENT(document_merge, MERGE_MEMBERS, const struct merge_request *request,
               const struct store_merge_tally *tally, json_t *list)

static void report_source(const struct merge_request *request, const char *source,
                          const struct store_merge_tally *tally, const struct error *failure, json_t *list)
{
    if (!request->json) {
        if (!failure || tally->runs_new + tally->runs_grown + tally->runs_same > 0)
            print_tally(source, tally);
        return;
    }
    json_append(list, field_merge_source(source, tally, failure));
}

static void report_all(const struct merge_request *request, const struct store_merge_tally *sum, json_t *list)
{
    if (!request->json) {
        if (request->sources.count > 1)
            print_tally("all together", sum);
        if (request->one_run)
            terminal_print(stdout, "They are run %" PRId64 " of the target.\n", request->one_run);
        return;
    }
    (void)json_write_line(JSON_MERGE, field_document_merge(request, sum, list), stdout); /* main reports errors */
}

/* ---- the merge ---- */

/* Later shards join the run that earlier ones became. */
static void find_one_run(struct merge_request *request, struct store *into)
{
    struct error error;
    for (size_t i = 0; i < request->sources.count && request->one_run == 0; i++) {
        /* Errors of a file are reported when it is merged. */
        if (store_merge_find(into, request->sources.list[i], &request->options, &request->one_run, &error) != STATUS_OK)
            request->one_run = 0;
    }
}

/* Says which shards of the one run are not in it, by the command lines of those that are. */
static enum status report_missing(struct merge_request *request, struct store *into, struct error *error)
{
    enum { MOST = 10000 };
    const struct store_wanted wanted = {.view = STORE_VIEW_PARTS, .run_id = request->one_run};
    FREED bool *there = memory_take(MOST + 1, sizeof *there);
    unsigned shard, shards = 0, missing = 0;
    struct store_cursor parts;
    LOCAL(text) list = {0};
    store_query_view(into, &wanted, &parts, error);
    while (store_next(&parts))
        FOR_EACH(const struct store_cell, cell, parts.row.cells, parts.row.count) {
            const char *at = strcmp(cell->column, "command_line") == 0 ? strstr(cell->text, " --shard") : NULL;
            if (at && sscanf(at, " --shard%*[ =]%u/%u", &shard, &shards) == 2 && shard <= shards && shards <= MOST)
                there[shard] = true;
        }
    for (shard = 1; shard <= shards && shards <= MOST; shard++)
        if (!there[shard] && missing++ < 8)
            text_add(&list, "%s%u", missing > 1 ? ", " : "", shard);
    if (missing > 0)
        terminal_print(stderr, "orchil merge: of %u shards, %u %s not there yet: %s%s\n", shards, missing,
                       missing == 1 ? "is" : "are", text_string(&list), missing > 8 ? ", ..." : "");
    return store_end(&parts, STATUS_OK);
}

static int merge_all(struct merge_request *request, struct store *into)
{
    struct store_merge_tally sum = {0};
    json_auto_t *list = json_array();
    int code = 0;
    if (request->as_one_run) {
        request->options.one_run = &request->one_run;
        find_one_run(request, into);
    }
    for (size_t i = 0; i < request->sources.count; i++) {
        struct store_merge_tally tally = {0};
        struct error error = {0};
        const enum status status = store_merge(into, request->sources.list[i], &request->options, &tally, &error);
        store_merge_tally_add(&sum, &tally);
        if (status != STATUS_OK) {
            (void)fflush(stdout);
            const int failed = complain("orchil merge", &error);
            code = code ? code : failed;
        }
        report_source(request, request->sources.list[i], &tally, status == STATUS_OK ? NULL : &error, list);
    }
    report_all(request, &sum, list);
    struct error error = {0};
    if (request->one_run > 0 && report_missing(request, into, &error) != STATUS_OK)
        code = complain("orchil merge", &error);
    return code;
}

static enum status merge_execute(void *data, struct verb_call *call, struct error *error)
{
    struct merge_request *request = data;
    struct store *into = NULL;
    request->options.runs = request->runs;
    request->options.tool_version = verb_provenance(call)->tool_version;
    request->options.host = verb_provenance(call)->host;
    /* Checked before the target is made or changed: a missing file is most likely a typing error. */
    for (size_t i = 0; i < request->sources.count; i++)
        if (access(request->sources.list[i], F_OK) != 0)
            return error_set(error, STATUS_UNREADABLE, "%s: cannot be opened: %s; nothing was merged",
                             request->sources.list[i], strerror(errno));
    TRY(store_open(request->into, STORE_WRITE, &into, error));
    call->code = merge_all(request, into);
    store_close(into);
    return STATUS_OK;
}

VERB_ENTRY(merge, sources, (0), .check = merge_check_options);
