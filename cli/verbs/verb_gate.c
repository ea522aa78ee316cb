// SPDX-License-Identifier: Apache-2.0
/* orchil gate: whether a device, or a stored run, passes against a baseline. gate decides. */
#include <sys/stat.h>

#include "base/document/document.h"
#include "cli/atomics.h"
#include "cli/output.h"
#include "cli/print/forecast.h"
#include "cli/print/metrics.h"
#include "cli/print/notices.h"
#include "cli/print/run_output.h"
#include "cli/verbs/verb_gate.h"
#include "gate/decide/gate.h"
#include "gate/gate_passes.h"

struct gate_files {
    const char *forms[DOCUMENT_PRINTER_COUNT]; /* of the document; NULL: none, as below */
    const char *metrics;
    const char *page;   /* with the decision and all rates, as HTML */
    const char *update; /* expectations to which findings are added as drafts */
    bool json;          /* instead of the text */
    bool verbose;       /* the text with counts, p and method */
    bool alone;         /* standard output gets nothing */
};

/* ---- writes the decision of a gate ---- */

/* Its folder is made if it is not there: a repository has no empty ones. */
static enum status check_file(const char *path, struct error *error)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    LOCAL(text) folder = {0};
    enum status status = STATUS_OK;
    if (slash && slash > path && strncmp(path, "/dev/", 5) != 0) {
        text_add_bytes(&folder, path, (size_t)(slash - path));
        status = file_make_folders(text_string(&folder), 0777, error);
    }
    return path && status == STATUS_OK ? file_check_writable(path, error) : status;
}

/* Checks before the run that the files can be written, so that no time is wasted. Creates missing files, empty. */
/* With `update`, also checks that this file can be read as expectations. */
static enum status gate_output_check(const struct gate_files *files, struct error *error)
{
    for (int i = 0; i < DOCUMENT_PRINTER_COUNT; i++)
        TRY(check_file(files->forms[i], error));
    TRY(check_file(files->metrics, error));
    TRY(check_file(files->page, error));
    LOCAL(expectations) there = {.entries = NULL};
    if (!files->update)
        return STATUS_OK;
    TRY(expectations_read(files->update, true, &there, error));
    return check_file(files->update, error);
}

/* For GitHub's summary, to which each step of a job adds: it is not replaced. */
static enum status append(const char *path, const struct text *text, struct error *error)
{
    TRY(page_text_check(text, "the gate's report", error));
    FILE *file = fopen(path, "ae");
    if (!file)
        return error_set(error, STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    const bool written = fputs(text_string(text), file) != EOF;
    const int why = errno;
    if (fclose(file) != 0 || !written)
        return error_set(error, STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(written ? errno : why));
    return STATUS_OK;
}

/* ---- GitHub ---- */

/* GitHub drops a whole summary that is too large, so it is cut, at the end of a line. */
static void cut_summary(const char *path, struct text *text)
{
    enum { MAXIMUM = 1024 * 1024, REST = 200 };
    static const char note[] = "\nThe rest is cut off, because a summary holds 1 MiB. The report file is complete.\n";
    struct stat there;
    const size_t used = stat(path, &there) == 0 && there.st_size > 0 ? (size_t)there.st_size : 0;
    const size_t room = used + REST < MAXIMUM ? MAXIMUM - used - REST : 0;
    struct text shorter = {0};
    if (text->failed || text->size <= room)
        return;
    size_t end = room;
    while (end > 0 && text->data[end - 1] != '\n')
        end--;
    text_add_bytes(&shorter, text->data, end);
    if (used + end + sizeof note < MAXIMUM)
        text_add(&shorter, "%s", note);
    text_release(text);
    *text = shorter;
}

static enum status add_summary(const struct document *document, struct error *error)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    LOCAL(text) markdown = {0};
    if (!terminal_obeys() || !path || !*path)
        return STATUS_OK;
    document_print_markdown(document, &markdown);
    cut_summary(path, &markdown);
    return append(path, &markdown, error);
}

/* ---- the report ---- */

/* json: takes the text's place if it is not empty. On GitHub, its commands too. */
static enum status gate_print(const struct document *document, const struct text *json, struct error *error)
{
    LOCAL(text) text = {.width = terminal_width(stdout), .colours = terminal_has_colours(stdout)}, commands = {0};
    document_print_text(document, &text);
    const enum status status = page_text_check(json->size > 0 ? json : &text, "the gate's report", error);
    /* main reports errors of standard output */
    if (status == STATUS_OK && json->size > 0)
        terminal_write_source(stdout, text_string(json));
    else if (status == STATUS_OK)
        terminal_write(stdout, text_string(&text));
    if (status == STATUS_OK && terminal_obeys()) {
        document_print_github(document, &commands);
        terminal_write_commands(json->size > 0 ? stderr : stdout, text_string(&commands));
    }
    return status;
}

/* The link to a page from a file, both as they were named: each folder of the file leads up, unless the page is in the
 * same. */
static void add_link(const char *file, const char *page, struct text *link)
{
    const char *slash = strrchr(file, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - file) : 0;
    if (*page != '/' && strncmp(file, page, folder) == 0)
        text_add(link, "%s", page + folder);
    else if (*page == '/' || *file == '/')
        text_add(link, "%s", page);
    else {
        for (size_t i = 0; i < folder; i++)
            text_add(link, "%s", file[i] == '/' ? "../" : "");
        text_add(link, "%s", page);
    }
}

static enum status write_page(const struct gate *gate, const struct document *document, const char *path,
                              struct error *error)
{
    LOCAL(text) text = {0};
    if (!path)
        return STATUS_OK;
    compare_print_page(gate ? gate->comparison : NULL, document,
                       "The ratios and rates below are those of the first run. A finding above has the figures of its "
                       "reruns, if there were any.",
                       &text);
    return page_file_write(path, &text, error);
}

/* All is written, whatever fails: the first failure is reported. */
static void note_failure(enum status status, const struct error *why, struct error *first)
{
    if (status != STATUS_OK && first->status == STATUS_OK)
        *first = *why;
}

/* Prints and writes all of it. Only on GitHub (GITHUB_ACTIONS is "true"), annotations go to standard output, or with
 * --json to standard error, and the Markdown is added to the file that GITHUB_STEP_SUMMARY names, within its limit of
 * 1 MiB. */
static void write_report(struct document *document, const struct text *json, const struct gate_files *files,
                         struct error *first)
{
    struct error error;
    if (!files->alone)
        note_failure(gate_print(document, json, &error), &error, first);
    for (int i = 0; i < DOCUMENT_PRINTER_COUNT; i++) {
        LOCAL(text) link = {0};
        if (files->page && files->forms[i])
            add_link(files->forms[i], files->page, &link);
        document->page = link.size > 0 ? text_string(&link) : NULL;
        note_failure(output_document(document, i, files->forms[i], &error), &error, first);
        document->page = NULL;
    }
    note_failure(add_summary(document, &error), &error, first);
}

/* ---- expectations ---- */

/* The file with lines added at its end. */
static enum status verb_gate_add_lines(const char *path, const struct text *lines, struct error *error)
{
    LOCAL(text) whole = {0};
    if (access(path, F_OK) == 0)
        TRY(file_read_whole(path, EXPECTATIONS_MAXIMUM_FILE, &whole, error));
    text_add_bytes(&whole, text_string(lines), lines->size);
    TRY(page_text_check(&whole, "the gate's report", error));
    return file_write_whole(path, text_string(&whole), whole.size, error);
}

static enum status update_expectations(const struct gate *gate, const char *path, struct error *error)
{
    LOCAL(expectations) known = {.entries = NULL};
    LOCAL(text) lines = {0};
    if (!path)
        return STATUS_OK;
    TRY(expectations_read(path, true, &known, error));
    const size_t count = expectations_draft(gate, &known, &lines);
    const enum status status = count > 0 ? verb_gate_add_lines(path, &lines, error) : STATUS_OK;
    if (status == STATUS_OK)
        terminal_print(stderr, "%s: %zu expectation%s added%s\n", path, count, count == 1 ? "" : "s",
                       count > 0 ? ": replace each " EXPECT_DRAFT " by a reason" : "");
    return status;
}

/* ---- all of it ---- */

/* Of a gate, or if it is NULL, of one that could not decide, which changes no expectations. */
static enum status gate_output_print(const struct gate *gate, const struct gate_stopped *stopped,
                                     const struct gate_files *files, struct error *error)
{
    struct error first = {.status = STATUS_OK}, next;
    LOCAL(document) document = {0};
    LOCAL(text) json = {0};
    if (gate)
        gate_document(gate, files->forms[DOCUMENT_AS_SARIF] != NULL, &document);
    else
        gate_stopped_document(stopped, &document);
    document.verbose = files->verbose;
    if (files->json && gate)
        gate_print_json(gate, &json);
    else if (files->json)
        gate_stopped_print_json(stopped, &json);
    write_report(&document, &json, files, &first);
    note_failure(write_page(gate, &document, files->page, &next), &next, &first);
    if (files->metrics)
        note_failure(metrics_write_gate(gate, gate ? gate->exit_code : stopped->exit_code, files->metrics, &next),
                     &next, &first);
    if (gate)
        note_failure(update_expectations(gate, files->update, &next), &next, &first);
    *error = first;
    return first.status;
}

/* ---- the terminal: what gate reports goes to standard error ---- */

static void gate_print_line(const char *line)
{
    terminal_write(stderr, line);
}

static int gate_run(const struct run_options *options, const struct run_plan *plan, struct run_result *result)
{
    struct run_output output = {.quiet = true};
    return run_output_run(&output, options, plan, result);
}

static void gate_read_side(const struct side *side)
{
    (void)complain_of_unread("orchil gate", side);
}

static const struct gate_listener terminal = {.message = gate_print_line,
                                              .select = tests_select,
                                              .planned = notices_print,
                                              .run = gate_run,
                                              .read = gate_read_side,
                                              .prepare = judged_again_prepare};

void verb_gate_attach(struct gate_request *request, const struct verb_arguments *tests, struct verb_call *call)
{
    request->tests = tests->list;
    request->test_count = tests->count;
    request->listener = &terminal;
    request->provenance = verb_provenance(call);
}

/* ---- options ---- */

struct verb_gate_request {
    struct gate_command command;
    struct gate_files files;
    struct verb_arguments tests;
};

/* An option that a gate without a decision has no use for; NULL: none is given. */
static const char *option_of_decision(const struct verb_gate_request *request)
{
    for (int i = 0; i < DOCUMENT_PRINTER_COUNT; i++)
        if (request->files.forms[i])
            return document_printers[i].word;
    return request->files.metrics  ? "metrics"
           : request->files.page   ? "page"
           : request->files.update ? "update-expectations"
                                   : NULL;
}

/* An option of a gate that runs its suite; NULL: none is given. */
static const char *option_of_run(const struct gate_command *command)
{
    const struct gate_request *request = &command->request;
    const struct {
        bool given;
        const char *name;
    } options[] = {{request->kernels != NULL, "kernels"},   {request->resume != NULL, "resume"},
                   {request->shards > 0, "shard"},          {request->last_failed, "last-failed"},
                   {request->exclude.count > 0, "exclude"}, {command->dry, "dry-run"}};
    return VALUE_OF(const char *, row, options, COUNT(options), row->given, row->name, NULL);
}

static void gate_check_options(const struct argp_state *state, const void *data)
{
    const struct verb_gate_request *request = data;
    const struct gate_command *command = &request->command;
    const char *const baselines = command->request.baselines;
    if (command->stored && (command->baseline || baselines))
        options_error(state, "--stored and --baseline%s exclude each other", command->baseline ? "" : "s");
    else if (command->baseline && baselines)
        options_error(state, "--baseline and --baselines exclude each other");
    else if (command->stored && request->tests.count != 2)
        options_error(state, "--stored: expected two arguments, A and B, found %zu", request->tests.count);
    else if (!command->stored && !command->baseline && !baselines)
        options_error(state, "expected --baseline FILE or --baselines DIR, which `orchil gate baseline` makes, or "
                             "--stored A B");
    else if (command->strict_expectations && !command->expect)
        options_error(state, "--strict-expectations: expected --expect FILE, whose entries must have an effect");
    else if (command->stored && option_of_run(command))
        options_error(state, "--stored runs nothing and takes no --%s", option_of_run(command));
    else if ((command->request.shards > 0 || command->dry) && option_of_decision(request))
        options_error(state, "%s decides nothing and takes no --%s",
                      command->dry ? "--dry-run" : "--shard plays a part,", option_of_decision(request));
}

static void read_confirm_budget(const struct argp_state *state, const struct option_row *row, const char *value,
                                void *request)
{
    double *seconds = &((struct verb_gate_request *)request)->command.confirm_budget;
    char *end;
    if (strtod(value, &end) <= 0 && end != value && *end == '\0')
        *seconds = 0;
    else if (!quantity_parse_seconds(value, seconds))
        options_refuse(state, row, "0, or a positive number of seconds, like 10, 2m or 1h", value);
}

static const struct option_word fail_on_words[] = {{"behaviour", GATE_FAIL_ON_BEHAVIOUR},
                                                   {"soundness", GATE_FAIL_ON_SOUNDNESS},
                                                   {"inconclusive", GATE_FAIL_ON_INCONCLUSIVE},
                                                   {0}};

#define AT(member) offsetof(struct verb_gate_request, command.member)
#define AT_FILES(member) offsetof(struct verb_gate_request, files.member)

#define FORM_ROW(name, word, meaning)                                                                                  \
    {#word,                                                                                                            \
     0,                                                                                                                \
     "FILE",                                                                                                           \
     OPTION_TEXT,                                                                                                      \
     AT_FILES(forms[DOCUMENT_AS_##name]),                                                                              \
     .file = OPTION_FILE_WRITTEN,                                                                                      \
     .project = " shard dry-run ",                                                                                     \
     .help = "also write " meaning},

static const struct option_row option_rows[] = {
    {"baseline", 0, "FILE", OPTION_TEXT, .offset = AT(baseline), .file = OPTION_FILE_READ,
     .project = " baselines stored "},
    {"baselines", 0, "DIR", OPTION_TEXT, .offset = AT(request.baselines), .file = OPTION_FILE_READ,
     .project = " baseline stored "},
    {"stored", 0, NULL, OPTION_SET, .offset = AT(stored)},
    {"expect", 0, "FILE", OPTION_TEXT, .offset = AT(expect), .file = OPTION_FILE_READ, .project = ""},
    {"update-expectations", 0, "FILE", OPTION_TEXT, .offset = AT_FILES(update), .file = OPTION_FILE_WRITTEN,
     .replaces = "expect"},
    {"strict-expectations", 0, NULL, OPTION_SET, .offset = AT(strict_expectations), .project = ""},
    {"fail-on", 0, "CLASS", OPTION_WORD, .offset = AT(fail_on), "behaviour", .words = fail_on_words, .project = ""},
    {"confirm-budget", 0, "S", OPTION_OTHER, .read = read_confirm_budget, .project = ""},
    {"kernels", 0, "DIR", OPTION_TEXT, .offset = AT(request.kernels), .file = OPTION_FILE_READ, .expected = "a folder"},
    {ROW_SHARD(AT(request.shard), AT(request.shards))},
    {"resume", 0, "RUN", OPTION_TEXT, .offset = AT(request.resume)},
    {ROW_LAST_FAILED(AT(request.last_failed))},
    {ROW_DRY_RUN(AT(dry))},
    {ROW_TOLERANCE(AT(compare)), .project = ""},
    {ROW_ALPHA(AT(compare)), .project = ""},
    {"confidence", 0, "C", OPTION_NUMBER, .offset = AT(request.confidence), .low = 0, .high = 1, .project = ""},
    {ROW_STRICT(AT(request.strict)), .project = ""},
    {ROW_VERBOSE(AT_FILES(verbose))},
    DOCUMENT_FILE_LIST(FORM_ROW) /* --junit, --markdown, --sarif */
    {ROW_PAGE(AT_FILES(page)), .project = " shard dry-run "},
    {ROW_METRICS(AT_FILES(metrics)), .project = " shard dry-run "},
    GATE_ROWS(AT),
    ATOMICS_ROWS,
    {0}};

/* A report that cannot be written does not hide a failure. */
static int gate_report(const struct gate_files *files, const struct gate_decision *decision)
{
    struct error error;
    const int code = decision->gate.exit_code;
    if (gate_output_print(&decision->gate, NULL, files, &error) == STATUS_OK)
        return code;
    const int failed = complain("orchil gate", &error);
    return code == 0 || code == 3 ? failed : code;
}

/* The same for a gate that could not decide: a pipeline shows the files, not standard error. */
static int report_stopped(const struct gate_files *files, int code, enum gate_verdict ending, int64_t played,
                          const struct error *why)
{
    LOCAL(text) line = {0};
    struct error error;
    if (ending == GATE_INTERRUPTED && played > 0)
        text_add(&line, "nothing is decided; with --resume %" PRId64 ", the same command goes on", played);
    else if (ending == GATE_INTERRUPTED)
        text_add(&line, "nothing is decided");
    else if (why->status == STATUS_OK)
        text_add(&line, "the suite could not be run or stored; the log of this gate says why");
    else
        text_add(&line, "%s", why->text);
    for (const char *from = why->detail; *from; from += strcspn(from, "\n") + (from[strcspn(from, "\n")] == '\n'))
        text_add(&line, "; %.*s", (int)strcspn(from, "\n"), from);
    const struct gate_stopped stopped = {.exit_code = code, .verdict = ending, .why = text_string(&line)};
    if (gate_output_print(NULL, &stopped, files, &error) != STATUS_OK)
        (void)complain("orchil gate", &error);
    return code;
}

#define PART_MEMBERS(X)                                                                                                \
    X("verdict", text, "the word `part`, because a part decides nothing", "part")                                      \
    X("exit_code", count, "the exit code", (uint64_t)code)                                                             \
    X("run", count, "the run that played the part", (uint64_t)decision->played)                                        \
    X("tests", count, "the number of tests in the part", decision->suite.plan->unit_count)                             \
    X("of", count, "the number of tests in the suite", decision->suite.units)
FIELD_DOCUMENT(document_gate_part, PART_MEMBERS, const struct gate_decision *decision, int code)

/* A part of the suite was played. Says how the parts become a decision. */
static int report_part(const struct verb_gate_request *request, const struct gate_decision *decision, int code)
{
    const struct gate_request *gate = &request->command.request;
    if (request->files.json)
        return json_print(JSON_GATE_PART, field_document_gate_part(decision, code)) ? code : 1;
    struct text line = {0};
    terminal_add(&line, "PART %u of %u: %zu of %zu tests played, stored as run %" PRId64 " in %s%s\n", gate->shard,
                 gate->shards, decision->suite.plan->unit_count, decision->suite.units, decision->played,
                 gate->database,
                 code == 0   ? ""
                 : code == 1 ? "; an outcome was seen that must never appear"
                             : "; some jobs did not end well");
    text_add(&line, "With all parts: orchil merge --into all.db --as-one-run PART.db...\n"
                    "                orchil gate");
    text_add_option(&line, "baseline", gate->baselines ? NULL : request->command.baseline);
    text_add_option(&line, "baselines", gate->baselines);
    text_add_option(&line, "device", gate->device);
    text_add(&line, " --resume 1 --db all.db\n");
    terminal_end_source(stdout, &line);
    return code;
}

/* A gate without a decision, which ended with this code for this reason. */
static int report_undecided(const struct verb_gate_request *request, const struct gate_decision *decision, int code,
                            const struct error *why)
{
    struct gate_files files = request->files;
    if (decision->has_no_baseline)
        return report_stopped(&files, request->command.fail_on == GATE_FAIL_ON_INCONCLUSIVE ? 1 : 3, GATE_INCONCLUSIVE,
                              0, why);
    files.alone = code < 128 && code != status_exit_code(STATUS_NO_DEVICE);
    return report_stopped(&files, code, code >= 128 ? GATE_INTERRUPTED : GATE_FAILED, decision->played, why);
}

static int gate_judge(const struct verb_gate_request *request, struct gate_decision *decision)
{
    const struct gate_command *command = &request->command;
    struct error error = {.status = STATUS_OK};
    int code = 0;
    enum status status = gate_output_check(&request->files, &error);
    if (status != STATUS_OK)
        return complain("orchil gate", &error);
    if (command->expect)
        status = expectations_read(command->expect, false, &decision->expectations, &error);
    THEN(status, gate_decision_reach(command, decision, &code, &error));
    if (status != STATUS_OK)
        code = complain("orchil gate", &error);
    const bool part = command->request.shards > 0 && decision->played > 0;
    if (status != STATUS_OK || code >= 128 || (code == status_exit_code(STATUS_NO_DEVICE) && !part))
        return report_undecided(request, decision, code, &error);
    if (command->dry)
        return forecast_print_plan(&(struct run_options){0}, decision->suite.plan, decision->suite.needed,
                                   request->files.json, &error) == STATUS_OK
                   ? 0
                   : complain("orchil gate", &error);
    if (part)
        return report_part(request, decision, code);
    return code != 0 ? code : gate_report(&request->files, decision);
}

static enum status gate_execute(void *data, struct verb_call *call, struct error *error)
{
    struct verb_gate_request *request = data;
    LOCAL(gate_decision) decision = {.source = {.file = ""}};
    (void)error; /* judge complains, because its files say the same */
    verb_gate_attach(&request->command.request, &request->tests, call);
    request->files.json = request->command.request.json;
    call->code = gate_judge(request, &decision);
    call->unread = decision.suite.selection.unread_count + decision.baseline.side.unread_count +
                   decision.judged[GATE_FIRST].side.unread_count;
    return STATUS_OK;
}

const struct verb *const verb_gate_family[] = {&verb_gate, &verb_gate_baseline, NULL};

const struct verb verb_gate = {
    .name = "gate",
    .options = option_rows,
    .arguments = offsetof(struct verb_gate_request, tests),
    .check = gate_check_options,
    .below = &verb_gate_family[1],
    .project = verb_gate_family,
    VERB_REQUEST(
        struct verb_gate_request,
        .command = {.request = {.limits = {.open = OPEN_SECONDS}}, .compare = {COMPARE_USUAL}, .confirm_budget = -1}),
    .run = gate_execute};
