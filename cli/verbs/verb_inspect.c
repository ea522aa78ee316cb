// SPDX-License-Identifier: Apache-2.0
/* orchil inspect: whether a compiler keeps tests, without a device. */
#include <jansson.h>

#include "base/field.h"
#include "base/terminal/table.h"
#include "catalogue/selection.h"
#include "cli/atomics.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "inspect/compile/columns.h"

enum { MAXIMUM_CODE = 16 * 1024 * 1024 }; /* bytes of a file */

struct inspect_request {
    const char *targets;   /* "amdgcn:gfx90a,gfx942"; without compilers, an architecture; NULL: the typical device's */
    const char *compilers; /* "clang-15,clang-19"; NULL: NVRTC */
    const char *rows;      /* a path of compilers; NULL: none */
    struct inspect_compilers known;
    const char *baseline, *write_baseline, *markdown; /* paths, or NULL */
    bool list;                                        /* print the compilers */
    const char *lowering;                             /* NULL: the usual one */
    const char *sarif;                                /* a path, or NULL */
    struct document findings;
    const char *junit;  /* a path, or NULL */
    const char *code;   /* a path of PTX, or NULL */
    unsigned processes; /* 0: as many as there are processors */
    bool json;
    struct verb_arguments tests;
    struct exclusions exclude;
};

#define AT(member) offsetof(struct inspect_request, member)

static const struct option_word lowering_words[] = {{"source", 0}, {"ptx", 0}, {0}};

static const struct option_row option_rows[] = {
    {"target", 0, "TARGET[,...]", OPTION_TEXT, .offset = AT(targets)},
    {"compiler", 0, "COMPILER[,...]", OPTION_TEXT, .offset = AT(compilers)},
    {"compilers", 0, NULL, OPTION_SET, .offset = AT(list)},
    {"compilers-file", 0, "FILE", OPTION_TEXT, .offset = AT(rows), .file = OPTION_FILE_READ},
    {"baseline", 0, "FILE", OPTION_TEXT, .offset = AT(baseline), .file = OPTION_FILE_READ},
    {"write-baseline", 0, "FILE", OPTION_TEXT, .offset = AT(write_baseline), .file = OPTION_FILE_WRITTEN,
     .replaces = "baseline"},
    {"markdown", 0, "FILE", OPTION_TEXT, .offset = AT(markdown), .file = OPTION_FILE_WRITTEN},
    {"lowering", 0, "LOWERING", OPTION_TEXT, .offset = AT(lowering), .words = lowering_words},
    {"builders", 0, "N", OPTION_WHOLE, .offset = AT(processes), .low = 1, .high = 256},
    {"code", 0, "FILE", OPTION_TEXT, .offset = AT(code), .file = OPTION_FILE_READ},
    {ROW_JSON(AT(json))},
    {"junit", 0, "FILE", OPTION_TEXT, .offset = AT(junit), .file = OPTION_FILE_WRITTEN},
    {ROW_SARIF(AT(sarif))},
    {ROW_EXCLUDE(AT(exclude))},
    ATOMICS_ROWS,
    {0}};

/* ---- the inspection ---- */

static bool inspect_show_progress(size_t done, size_t count, void *context)
{
    progress_say(context, stderr, "%zu of %zu tests inspected", done, count);
    return true;
}

static unsigned processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

/* ---- the results ---- */

/* The states in the order in which they are counted, and their words. */
static const struct {
    enum kept kept;
    const char *word;
} inspect_states[] = {
    {TEST_KEPT, "kept"}, {TEST_MERGED, "merged"}, {TEST_NOT_KEPT, "not kept"}, {TEST_NOT_INSPECTED, "not inspected"}};

#define STATE_COLUMNS "|>kept|>merged|>not kept|>not inspected"

static void add_state_cells(const size_t counts[KEPT_COUNT], struct table *table)
{
    for (size_t i = 0; i < COUNT(inspect_states); i++)
        table_add(table, "%zu", counts[inspect_states[i].kept]);
}

static const char *kept_phrase(enum kept kept)
{
    size_t i = 0;
    while (inspect_states[i].kept != kept)
        i++;
    return inspect_states[i].word;
}

static void print_findings(const struct inspection *inspection)
{
    for (size_t i = 0; i < inspection->finding_count; i++)
        terminal_print(stdout, "  %s: %s\n", inspect_fault_word(inspection->findings[i].fault),
                       inspection->findings[i].text);
}

/* Tests that were not inspected, as a line for each reason. */
static void print_reasons(const struct selection *selection, const struct inspected *results)
{
    FREED bool *is_printed = memory_take(selection->count, sizeof *is_printed);
    for (size_t i = 0; i < selection->count; i++) {
        size_t same = 0;
        if (is_printed[i] || results[i].inspection.kept != TEST_NOT_INSPECTED)
            continue;
        for (size_t j = i; j < selection->count; j++)
            if (results[j].inspection.kept == TEST_NOT_INSPECTED &&
                strcmp(results[j].inspection.reason, results[i].inspection.reason) == 0) {
                is_printed[j] = true;
                same++;
            }
        struct text line = {0};
        terminal_add(&line, "not inspected: %s", selection->tests[i].test->name);
        if (same > 1)
            terminal_add(&line, " and %zu more", same - 1);
        terminal_add(&line, ": %s\n", results[i].inspection.reason);
        terminal_end(stdout, &line);
    }
}

static void print_families(const struct selection *selection, const struct inspected *results)
{
    struct table table = {0};
    FREED bool *is_printed = memory_take(selection->count, sizeof *is_printed);
    table_columns(&table, "~family" STATE_COLUMNS);
    for (size_t i = 0; i < selection->count; i++) {
        const char *file = selection->tests[i].file;
        size_t counts[KEPT_COUNT] = {0};
        if (is_printed[i])
            continue;
        for (size_t j = i; j < selection->count; j++)
            if (catalogue_same_family(file, selection->tests[j].file)) {
                counts[results[j].inspection.kept]++;
                is_printed[j] = true;
            }
        table_add(&table, "%.*s", (int)catalogue_family(file), file);
        add_state_cells(counts, &table);
    }
    table_print(&table, stdout, 2);
}

/* "1 of 2 tests was kept, 1 not inspected; NVRTC 13.0". */
static void print_sum(const size_t counts[KEPT_COUNT], size_t count, const char *compilers)
{
    const size_t kept = counts[TEST_KEPT];
    struct text line = {0};
    terminal_add(&line, "%zu of %zu test%s %s kept", kept, count, count == 1 ? "" : "s",
                 kept == 1 || count == 1 ? "was" : "were");
    for (size_t i = 1; i < COUNT(inspect_states); i++)
        if (counts[inspect_states[i].kept] > 0)
            terminal_add(&line, ", %zu %s", counts[inspect_states[i].kept], inspect_states[i].word);
    terminal_add(&line, "%s\n", compilers);
    terminal_end(stdout, &line);
}

/* Whether an earlier step of the results is of the same function, with the same code and the same fault. */
static bool is_listed(const struct inspected *results, size_t test, size_t step)
{
    const struct inspect_became *const own = &results[test].inspection.became[step];
    return ANY_NUMBER(size_t, i, 0, test + 1,
                      ANY_OF(other, results[i].inspection.became,
                             (i == test ? step : results[i].inspection.became_count),
                             own->fault == other->fault && strcmp(own->function, other->function) == 0 &&
                                 strcmp(own->code, other->code) == 0));
}

/* What each function of a user's header became, and which is weaker than its name. */
static void print_became(const struct selection *selection, const struct inspected *results)
{
    LOCAL(table) table = {0};
    size_t rows = 0;
    table_columns(&table, "function|compiled to|fault");
    for (size_t i = 0; i < selection->count; i++)
        for (size_t k = 0; k < results[i].inspection.became_count; k++) {
            const struct inspect_became *const became = &results[i].inspection.became[k];
            if (is_listed(results, i, k))
                continue;
            table_add(&table, "%s", became->function);
            table_add(&table, "%s", became->code[0] ? became->code : "nothing");
            table_add(&table, "%s", became->fault < INSPECT_FAULT_COUNT ? inspect_fault_word(became->fault) : "none");
            rows++;
        }
    if (rows > 0)
        terminal_print(stdout, "\n");
    if (rows > 0)
        table_print(&table, stdout, 2);
}

/* Prints to standard output the tests that were not kept, each with its findings, and those that were not inspected, by
 * reason; then a table of families and a line for all. */
static void inspect_print_text(const struct selection *selection, const struct inspect_column *column)
{
    const struct inspected *results = column->results;
    LOCAL(text) compilers = {0};
    for (size_t i = 0; i < selection->count; i++)
        if (results[i].inspection.kept == TEST_NOT_KEPT) {
            const bool colours = terminal_has_colours(stdout);
            terminal_print(stdout, "%s%s%s (%s): %snot kept%s\n", terminal_style(colours, TERMINAL_STRONG),
                           selection->tests[i].test->name, terminal_style(colours, TERMINAL_PLAIN),
                           litmus_dialect_name(selection->tests[i].test->dialect),
                           terminal_style(colours, TERMINAL_WARNING), terminal_style(colours, TERMINAL_PLAIN));
            print_findings(&results[i].inspection);
        }
    print_reasons(selection, results);
    print_became(selection, results);
    if (selection->count > 1) {
        terminal_print(stdout, "\n");
        print_families(selection, results);
        terminal_print(stdout, "\n");
    }
    /* Appends each compiler once: "; NVRTC 13.0, glslang 11:12.0.0". */
    for (size_t i = 0; i < selection->count; i++) {
        const size_t before = INDEX_OF(result, results, i, strcmp(result->compiler, results[i].compiler) == 0);
        if (before == i && results[i].compiler[0])
            text_add(&compilers, "%s%s", compilers.size == 0 ? "; " : ", ", results[i].compiler);
    }
    print_sum(column->counts, selection->count, text_string(&compilers));
}

/* ---- for programs ---- */

FIELD_NAMES(inspect_fault, enum inspect_fault, INSPECT_FAULT_COUNT, inspect_fault_word)
#define FINDING_MEMBERS(X)                                                                                             \
    X("fault", inspect_fault, "what is wrong with the instruction", finding->fault)                                    \
    X("line", count, "the line in the text of the test; 0 for `allows`", finding->place.line)                          \
    X("column", count, "the column in the text of the test; 0 for `allows`", finding->place.column)                    \
    X("text", text, "the finding as a sentence", finding->text)
FIELD_RECORD(inspect_finding, FINDING_MEMBERS, const struct inspect_finding *finding)
FIELD_LIST(inspect_findings, inspect_finding, (const struct inspection *inspection), inspection->finding_count,
           &inspection->findings[i])

#define BECAME_MEMBERS(X)                                                                                              \
    X("function", text, "the orders and scope of a function of the header", became->function)                          \
    X("code", text, "the instructions of the function, without operands", became->code)                                \
    X("fault?", inspect_fault, "how the instructions are weaker than the name promises", became->fault)
FIELD_RECORD(inspect_became, BECAME_MEMBERS, const struct inspect_became *became)
FIELD_LIST(inspect_became_list, inspect_became, (const struct inspection *inspection), inspection->became_count,
           &inspection->became[i])
#define field_became_type field_inspect_became_list_type
static json_t *field_became(const struct inspection *inspection)
{
    return inspection->became_count > 0 ? field_inspect_became_list(inspection) : NULL;
}

#define INSPECTED_MEMBERS(X)                                                                                           \
    X("test", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, litmus_dialect_name(test->dialect))                                                    \
    X("architecture", text,                                                                                            \
      "the architecture of the code; `spirv` for VULKAN tests; for a file, its kind, such as `ptx`", architecture)     \
    X("compiler", compiler, NULL, inspected->compiler)                                                                 \
    X("kept", kept, NULL, kept_word(inspected->inspection.kept))                                                       \
    X("reason", text, "why the code does not match, or was not inspected; else empty", inspected->inspection.reason)   \
    X("findings", inspect_findings, "how the compiled code differs from the test", &inspected->inspection)             \
    X("became?", became, "what the functions of the header became (with `--atomics`)", &inspected->inspection)
FIELD_DOCUMENT(document_inspect, INSPECTED_MEMBERS, const struct litmus_test *test, const struct inspected *inspected,
               const char *architecture)

/* Prints one line of JSON for each test. False if standard output fails. */
static bool inspect_print_json(const struct selection *selection, const struct inspect_column *column)
{
    bool printed = true;
    for (size_t i = 0; i < selection->count && printed; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        json_t *object = field_document_inspect(test, &column->results[i], inspect_column_place(column, test));
        printed = json_write_line(JSON_INSPECT, object, stdout);
    }
    return printed;
}

static void add_findings(const struct inspection *inspection, struct document_finding *found, struct document *document)
{
    FOR_EACH(const struct inspect_finding, finding, inspection->findings, inspection->finding_count) {
        LOCAL(text) what = {0};
        text_add(&what, "%u:%u", finding->place.line, finding->place.column);
        found->kind = inspect_fault_word(finding->fault);
        found->meaning = inspect_fault_meaning(finding->fault);
        found->line = finding->text;
        found->row = finding->place.line;
        found->column = finding->place.column;
        found->outcome = text_string(&what);
        document_find(document, found);
    }
}

/* A case for each test, with each difference between the test and its code. One that the model allows is no error. */
static void add_to_document(struct document *document, const struct selection *selection,
                            const struct inspect_column *column)
{
    for (size_t i = 0; i < selection->count; i++) {
        const struct selected_test *selected = &selection->tests[i];
        const struct inspection *inspection = &column->results[i].inspection;
        const bool unknown = inspection->kept == TEST_NOT_INSPECTED, fails = inspection->kept == TEST_NOT_KEPT;
        const char *const dialect = litmus_dialect_name(selected->test->dialect);
        LOCAL(text) name = {0}, suite = {0}, group = {0};
        text_add(&name, "%s:%s", dialect, selected->test->name);
        text_add(&suite, "inspect %s", column->place);
        text_add(&group, "%s.%.*s", dialect, (int)catalogue_family(selected->file), selected->file);
        const struct document_case of = {.suite = text_string(&suite),
                                         .group = text_string(&group),
                                         .name = selected->test->name,
                                         .skipped = unknown ? inspection->reason : NULL};
        struct document_finding found = {.kind = unknown ? "not-inspected" : "not-kept",
                                         .meaning = "the compiled code cannot be compared with the test",
                                         .severity = unknown ? DOCUMENT_DOUBT
                                                     : fails ? DOCUMENT_UNSOUND
                                                             : DOCUMENT_NOTE,
                                         .counts = fails,
                                         .line = inspection->reason,
                                         .name = text_string(&name),
                                         .file = selected->file,
                                         .source = selected->test->text,
                                         .where = inspect_column_place(column, selected->test),
                                         .of = document_add_case(document, &of)};
        if (unknown || (fails && inspection->finding_count == 0))
            document_find(document, &found);
        add_findings(inspection, &found, document);
    }
}

/* Prints the results of each column, or of all together if there are several. */
static enum status inspect_print_results(struct inspect_request *request, const struct inspect_columns *columns,
                                         struct error *error)
{
    const struct selection *selection = columns->selection;
    enum status status = STATUS_OK;
    for (size_t c = 0; c < columns->count && status == STATUS_OK; c++) {
        const struct inspect_column *column = &columns->items[c];
        add_to_document(&request->findings, selection, column);
        if (request->json && !inspect_print_json(selection, column))
            status = error_set(error, STATUS_SYSTEM, "the results cannot be written to standard output");
        if (!request->json && columns->count > 1 && inspect_column_is_unknown(column, columns)) {
            terminal_print(stdout, "%s, %s:\n", column->place, column->version);
            print_reasons(selection, column->results);
        }
    }
    if (!request->json && columns->count == 1)
        inspect_print_text(selection, &columns->items[0]);
    return status;
}

/* ---- what is not as before ---- */

static enum kept kept_by(const struct inspect_column *column, size_t test)
{
    return column->results[test].inspection.kept;
}

static void print_change(const struct selection *selection, const struct inspect_change *change)
{
    const struct litmus_test *test = selection->tests[change->test].test;
    const struct inspect_column *before = change->before, *now = change->now;
    const struct inspection *inspection = &now->results[change->test].inspection;
    LOCAL(text) line = {0};
    if (before) {
        terminal_add(&line, "%s: %s (%s): %s by %s", now->place, test->name, litmus_dialect_name(test->dialect),
                     kept_phrase(kept_by(before, change->test)), before->version);
    } else {
        terminal_add(&line, "%s ", now->name);
        catalogue_add_dialect(test->dialect, &line);
        terminal_add(&line, ":%s: kept or merged in the baseline", test->name);
    }
    terminal_add(&line, ", %s by %s\n", kept_phrase(inspection->kept), now->version);
    terminal_write(stdout, text_string(&line));
    if (inspection->kept == TEST_NOT_INSPECTED)
        terminal_print(stdout, "  %s\n", inspection->reason);
    print_findings(inspection);
}

static enum status write_markdown(const char *path, const struct inspect_columns *columns, struct error *error)
{
    LOCAL(text) text = {0};
    text_add(&text, "| target | test | before | now | why |\n| --- | --- | --- | --- | --- |\n");
    FOR_EACH(const struct inspect_change, change, columns->changes, columns->change_count) {
        const struct litmus_test *test = columns->selection->tests[change->test].test;
        const struct inspect_column *before = change->before, *now = change->now;
        if (!before)
            continue;
        text_add(&text, "| %s | `", now->place);
        catalogue_add_dialect(test->dialect, &text);
        text_add(&text, ":%s` | %s, %s | %s, %s | ", test->name, before->version,
                 kept_phrase(kept_by(before, change->test)), now->version, kept_phrase(kept_by(now, change->test)));
        for (const char *at = now->results[change->test].inspection.reason; *at; at++) /* a cell has no | */
            text_add(&text, *at == '|' || (unsigned char)*at < ' ' ? " " : "%.1s", at);
        text_add(&text, " |\n");
    }
    return file_write_whole(path, text_string(&text), text.size, error);
}

/* ---- what is installed ---- */

static void inspect_print_compilers(const struct inspect_compilers *compilers)
{
    struct table table = {0};
    table_columns(&table, "~compiler|~version|~targets");
    inspect_compilers_list(compilers, &table);
    table_print(&table, stdout, 0);
}

/* ---- the verb ---- */

/* Inspects the given file, or what the compilers make of the tests. */
static enum status inspect_tests(const struct inspect_request *request, const struct selection *selection,
                                 struct inspect_columns *columns, struct error *error)
{
    struct backend_device device = *typical_device("cuda", LITMUS_CUDA);
    struct progress_line progress = {.last = clock_seconds()};
    LOCAL(text) code = {0};
    if (request->targets && !request->compilers)
        (void)snprintf(device.architecture, sizeof device.architecture, "%s", request->targets);
    const struct inspect_many_options options = {.device = &device,
                                                 .known = &request->known,
                                                 .lowering = request->lowering,
                                                 .processes =
                                                     request->processes ? request->processes : processor_count(),
                                                 .go_on = inspect_show_progress,
                                                 .context = &progress};
    if (request->code && !request->compilers) {
        TRY(file_read_whole(request->code, MAXIMUM_CODE, &code, error));
        return inspect_columns_make_of_code(&code, selection, columns, error);
    }
    const enum status status = inspect_columns_make(request->compilers, request->compilers ? request->targets : NULL,
                                                    &options, selection, columns, error);
    progress_clear(&progress, stderr);
    return status;
}

static enum status inspect_compare(const struct inspect_request *request, struct inspect_columns *columns,
                                   struct error *error)
{
    if (request->baseline)
        TRY(inspect_baseline_compare(request->baseline, columns, error));
    if (!request->json) {
        size_t i = 0;
        for (; i < columns->change_count && columns->changes[i].before; i++)
            print_change(columns->selection, &columns->changes[i]);
        if (columns->count > 1) {
            struct table table = {0};
            table_columns(&table, "~target|~compiler" STATE_COLUMNS);
            for (size_t c = 0; c < columns->count; c++) {
                TABLE_ADD_TEXTS(&table, columns->items[c].place, columns->items[c].version);
                add_state_cells(columns->items[c].counts, &table);
            }
            table_print(&table, stdout, 0);
        }
        for (; i < columns->change_count; i++)
            print_change(columns->selection, &columns->changes[i]);
        if (request->baseline || columns->count > 1)
            terminal_print(stdout, "%zu kept before, but not now\n", columns->lost);
    }
    if (request->write_baseline)
        TRY(inspect_baseline_write(request->write_baseline, columns, error));
    return request->markdown ? write_markdown(request->markdown, columns, error) : STATUS_OK;
}

static void inspect_check_options(const struct argp_state *state, const void *data)
{
    const struct inspect_request *request = data;
    if (!request->list && request->tests.count == 0)
        options_error(state, "%s", tests_none);
    unsigned number = 0;
    int size = 0;
    const char *const target = request->targets && !request->compilers ? request->targets : "sm_90";
    (void)sscanf(target, "sm_%3u%n", &number, &size);
    if (number < 70 || (target[size] && strcmp(target + size, "a") != 0))
        options_error(state,
                      "--target: expected --compiler with it, or a GPU architecture from sm_70, like sm_90, or sm_90a, "
                      "found '%s'",
                      target);
}

static enum status inspect_execute(void *data, struct verb_call *call, struct error *error)
{
    struct inspect_request *request = data;
    LOCAL(inspect_columns) columns = {.count = 0};
    enum status status =
        inspect_compilers_read(request->compilers || request->list, request->rows, &request->known, error);
    if (status != STATUS_OK || request->list) {
        if (status == STATUS_OK)
            inspect_print_compilers(&request->known);
        arena_release(&request->known.arena);
        return status;
    }
    status = tests_take(call, &request->tests, &request->exclude, error);
    THEN(status, inspect_tests(request, &call->selection, &columns, error));
    const bool lacks = status == STATUS_UNSUPPORTED; /* a compiler or a target: no test was inspected */
    if (lacks)
        (void)complain(call->name, error);
    THEN(status, inspect_print_results(request, &columns, error));
    THEN(status, inspect_compare(request, &columns, error));
    if (status == STATUS_OK) {
        call->code = inspect_columns_exit_code(&columns, request->baseline != NULL);
        request->findings.title = call->name;
        request->findings.verdict = call->code == 0 ? "kept" : call->code == 1 ? "not kept" : "not inspected";
        status = output_document(&request->findings, DOCUMENT_AS_JUNIT, request->junit, error);
    }
    THEN(status, output_document(&request->findings, DOCUMENT_AS_SARIF, request->sarif, error));
    document_release(&request->findings);
    arena_release(&request->known.arena);
    if (lacks)
        call->code = 3;
    return lacks ? STATUS_OK : status;
}

VERB_ENTRY(inspect, tests, (0), .check = inspect_check_options);
