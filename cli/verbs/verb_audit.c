// SPDX-License-Identifier: Apache-2.0
/* orchil audit: what the memory model allows where the kernels of a program communicate. */

#include "audit/audit.h"
#include "base/tool.h"
#include "cli/audit/audit_report.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"

enum { MAXIMUM_MODULE = TEXT_MAXIMUM - 1, MAXIMUM_FOLDER = 1000000, EXTRACT_SECONDS = 120 };

struct audit_request {
    struct audit_options audit;
    const char *folder;                        /* for tests, or NULL */
    const char *expect, *update;               /* paths, or NULL */
    const char *forms[DOCUMENT_PRINTER_COUNT]; /* the same */
    bool json, source, verbose, force;
    struct verb_arguments files;
};

#define AT(member) offsetof(struct audit_request, member)

static void read_block(const struct argp_state *state, const struct option_row *row, const char *value, void *request)
{
    unsigned *block = ((struct audit_request *)request)->audit.block;
    int end = 0;
    block[0] = block[1] = block[2] = 1;
    const int count = sscanf(value, "%4u%n,%4u%n,%4u%n", &block[0], &end, &block[1], &end, &block[2], &end);
    if (count < 1 || value[end] != '\0' || block[0] < 1 || block[1] < 1 || block[2] < 1 ||
        (uint64_t)block[0] * block[1] * block[2] > 1024)
        options_refuse(state, row, row->expected, value);
}

static const struct option_row option_rows[] = {
    {"block", 0, "X[,Y[,Z]]", OPTION_OTHER, .read = read_block,
     .expected = "the shape of a block of at most 1024 threads, like 256 or 32,8"},
    {"time", 0, "S", OPTION_SECONDS, .offset = AT(audit.seconds), "5"},
    {ROW_OUT("DIR", AT(folder)), .file = OPTION_FILE_FOLDER},
    {"force", 0, NULL, OPTION_SET, .offset = AT(force)},
    {"source", 0, NULL, OPTION_SET, .offset = AT(source)},
    {"expect", 0, "FILE", OPTION_TEXT, .offset = AT(expect), .file = OPTION_FILE_READ},
    {"update-expectations", 0, "FILE", OPTION_TEXT, .offset = AT(update), .file = OPTION_FILE_WRITTEN,
     .replaces = "expect"},
    {"all", 0, NULL, OPTION_SET, .offset = AT(audit.all)},
    {ROW_VERBOSE(AT(verbose))},
    {ROW_JSON(AT(json))},
    {ROW_SARIF(AT(forms[DOCUMENT_AS_SARIF]))},
    {"markdown", 0, "FILE", OPTION_TEXT, .offset = AT(forms[DOCUMENT_AS_MARKDOWN]), .file = OPTION_FILE_WRITTEN},
    {0}};

#define WORD_AND_MEANING(name, word, meaning, ...) " " word ": " meaning "."

/* ---- reading ---- */

/* An audit in progress. */
struct audit_reading {
    struct audit audit;
    size_t files;
    struct progress_line progress;
};

/* A file that has no module to read. */
static void audit_add_unread(struct audit *audit, const char *path, const char *reason)
{
    const size_t size = strlen(path);
    reason += strncmp(reason, path, size) == 0 && strncmp(reason + size, ": ", 2) == 0 ? size + 2 : 0;
    ARENA_ADD(&audit->arena, audit->gaps, audit->gap_count) =
        (struct audit_gap){.path = path, .reason = arena_copy(&audit->arena, reason)};
}

/* Whether it is an ELF file or a fatbin, whose PTX may be compressed. */
static bool holds_modules(const struct text *bytes)
{
    return bytes->size >= 4 && (memcmp(bytes->data, "\177ELF", 4) == 0 || memcmp(bytes->data, "P\xED\x55\xBA", 4) == 0);
}

/* Adds each module that cuobjdump prints: a heading, "Fatbin ptx code:" or "Fatbin elf code:", and from .version on the
 * module. */
static enum status add_modules_within(struct audit *audit, const char *path, const struct text *bytes,
                                      struct error *error)
{
    static const char heading[] = "\nFatbin ";
    LOCAL(text) all = {0};
    struct memory_file file;
    char program[PATH_MAX];
    size_t count = 0;
    TRY(tool_find_cuda("cuobjdump", program, error));
    TRY(memory_file_make(bytes->data, bytes->size, &file, error));
    const char *const arguments[] = {program, "-ptx", file.path, NULL};
    const enum status status = tool_run(arguments, EXTRACT_SECONDS, MAXIMUM_MODULE, &all, error);
    for (char *at = all.data; at && status == STATUS_OK;) {
        char *begin = strstr(at, "\n.version"), *end = begin ? strstr(begin, heading) : NULL;
        if (end)
            *end = '\0';
        if (begin)
            audit_add(audit, path, begin + 1, end ? (size_t)(end - begin - 1) : strlen(begin + 1));
        count += begin != NULL;
        at = end ? end + 1 : NULL;
    }
    memory_file_close(&file);
    if (status == STATUS_OK && count == 0)
        return error_set(error, STATUS_UNREADABLE,
                         "it has no PTX: build it with -gencode arch=compute_90,code=compute_90");
    return status;
}

static void audit_read_file(struct audit_reading *reading, const char *path)
{
    LOCAL(text) bytes = {0};
    struct error error = {0};
    progress_say(&reading->progress, stderr, "%zu files read, now %s", reading->files, path);
    reading->files++;
    enum status status = file_read_input(strcmp(path, "-") == 0 ? "/dev/stdin" : path, MAXIMUM_MODULE, &bytes, &error);
    if (status == STATUS_OK && holds_modules(&bytes))
        status = add_modules_within(&reading->audit, path, &bytes, &error);
    else if (status == STATUS_OK)
        audit_add(&reading->audit, path, text_string(&bytes), bytes.size);
    if (status != STATUS_OK)
        audit_add_unread(&reading->audit, path, error.text);
}

/* The modules of a folder and of those in it, in the order of their names. False, with errno, if it is none. */
static bool audit_read_folder(struct audit_reading *reading, const char *path, unsigned depth)
{
    enum { DEEPEST = 16 }; /* a link may lead back */
    LOCAL(folder) folder = {0};
    struct error error;
    if (folder_read(path, MAXIMUM_FOLDER, &folder, &error) != STATUS_OK)
        return false;
    for (size_t i = 0; i < folder.count; i++) {
        const char *dot = strrchr(folder.names[i], '.');
        const char *inner = arena_print(&reading->audit.arena, "%s/%s", path, folder.names[i]);
        if (dot && strcmp(dot, ".ptx") == 0)
            audit_read_file(reading, inner);
        else if (depth < DEEPEST)
            (void)audit_read_folder(reading, inner, depth + 1);
    }
    return true;
}

static void audit_read_argument(struct audit_reading *reading, const char *path)
{
    const size_t before = reading->files;
    if (!audit_read_folder(reading, path, 0))
        audit_read_file(reading, path);
    else if (reading->files == before) {
        reading->files++;
        audit_add_unread(&reading->audit, path, "it is a folder without .ptx files");
    }
}

/* ---- results ---- */

static void print_unread(const struct audit *audit)
{
    for (size_t i = 0; i < audit->gap_count; i++)
        if (!audit->gaps[i].kernel)
            terminal_print(stderr, "%s: %s\n", audit->gaps[i].path, audit->gaps[i].reason);
}

static enum status write_tests(const struct audit *audit, const char *path, bool force, struct error *error)
{
    struct test_folder folder = {.path = path, .force = force};
    enum status status = file_make_folders(path, 0777, error);
    for (size_t i = 0; i < audit->finding_count && status == STATUS_OK; i++) {
        const struct audit_test *test = audit->findings[i].test;
        LOCAL(text) name = {0}, text = {0};
        if (!test)
            continue;
        text_add(&name, "%s/%s.litmus", path, test->name);
        text_add(&text, "%s", test->text);
        status = test_folder_put(&folder, text_string(&name), &text, error);
    }
    return status;
}

static enum status audit_write(const struct audit_request *request, const struct audit_report *report,
                               struct error *error)
{
    struct output output = {.what = "the audit", .source = true};
    LOCAL(document) forms = {0};
    if (request->folder)
        TRY(write_tests(report->audit, request->folder, request->force, error));
    audit_report_document(report, false, &forms);
    enum status status = STATUS_OK;
    for (int form = 0; form < DOCUMENT_PRINTER_COUNT && status == STATUS_OK; form++)
        status = output_document(&forms, form, request->forms[form], error);
    if (status == STATUS_OK && request->update)
        status = audit_report_write_expectations(report, request->update, error);
    TRY(status);
    if (request->json)
        audit_report_print_json(report, &output.text);
    else
        audit_report_document(report, true, &output.document);
    return output_end(&output, error);
}

static void audit_check_options(const struct argp_state *state, const void *data)
{
    const struct audit_request *request = data;
    if (request->force && !request->folder)
        options_error(state, "--force needs --out");
}

static enum status audit_execute(void *data, struct verb_call *call, struct error *error)
{
    struct audit_request *request = data;
    struct audit_reading reading = {.progress = {.last = clock_seconds()}};
    struct audit *audit = &reading.audit;
    audit_begin(audit, &request->audit);
    for (size_t i = 0; i < request->files.count; i++)
        audit_read_argument(&reading, request->files.list[i]);
    progress_clear(&reading.progress, stderr);
    enum status status = audit_judge(audit, error);
    struct audit_report report = {
        .audit = audit, .files = reading.files, .source = request->source, .verbose = request->verbose};
    print_unread(audit);
    THEN(status, audit_report_expect(&report, request->expect, error));
    THEN(status, audit_write(request, &report, error));
    if (status == STATUS_OK) {
        call->unread = audit_report_gaps(&report, true);
        call->code = audit_report_failures(&report) > 0                    ? 1
                     : audit_report_gaps(&report, false) == audit->kernels ? 3
                                                                           : 0;
    }
    audit_release(audit);
    return status;
}

VERB_ENTRY(audit, files, (.audit = {.repairs = true}),
           .inserted = (const char *const[]){AUDIT_PATTERN_LIST(WORD_AND_MEANING), AUDIT_GRADE_LIST(WORD_AND_MEANING)},
           .no_arguments = "expected a FILE of PTX, such as kernel.ptx", .check = audit_check_options);
