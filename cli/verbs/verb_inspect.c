// SPDX-License-Identifier: Apache-2.0
/* orchil inspect: whether a compiler keeps tests, without a device. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/escape/escape.h"
#include "base/field.h"
#include "base/memory.h"
#include "base/terminal/table.h"
#include "base/terminal/terminal.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "catalogue/selection.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "cli/verbs/verb_inspect.h"
#include "inspect/compile/inspect_many.h"
#include "kernel/typical_device.h"

enum {
    MAXIMUM_CODE = 16 * 1024 * 1024, /* bytes of a file */
    EXIT_UNKNOWN = 3
};

struct inspect_request {
    const char *architecture;                         /* NULL: the typical device's */
    const char *targets;                              /* "amdgcn:gfx90a,gfx942"; NULL: the architecture */
    const char *compilers;                            /* "clang-15,clang-19"; NULL: NVRTC */
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

static const char spirv[] = "spirv"; /* the target of VULKAN tests */

static void read_architecture(const struct argp_state *state, const struct option_row *row, const char *value,
                              void *request)
{
    unsigned number;
    char end;
    if (sscanf(value, "sm_%3u%c", &number, &end) != 1 || number < 70)
        options_refuse(state, row, row->expected, value);
    ((struct inspect_request *)request)->architecture = value;
}

static void read_lowering(const struct argp_state *state, const struct option_row *row, const char *value,
                          void *request)
{
    if (strcmp(value, "source") != 0 && strcmp(value, "ptx") != 0)
        options_refuse(state, row, row->expected, value);
    ((struct inspect_request *)request)->lowering = value;
}

static const struct option_word lowering_words[] = {{"source", 0}, {"ptx", 0}, {0}};

static const struct option_row option_rows[] = {
    {"architecture", 'a', "sm_NN", OPTION_OTHER, AT(architecture), .read = read_architecture,
     .expected = "a GPU architecture from sm_70, like sm_90",
     .help = "the GPU architecture to compile for (default: sm_90)"},
    {"target", 't', "TARGET[,...]", OPTION_TEXT, AT(targets),
     .help = "with --compiler: what to compile for, a machine and a processor, as in amdgcn:gfx90a,gfx942, "
             "amdgcn:gfx1030:cumode or nvptx:sm_90; or spirv"},
    {"compiler", 'c', "COMPILER[,...]", OPTION_TEXT, AT(compilers),
     .help =
         "with --target: glslang, or a clang by name or path. If there are several, also print the tests in which each "
         "differs from the one before it"},
    {"compilers", 0, NULL, OPTION_SET, AT(list), .help = "list compilers with their versions and targets"},
    {"baseline", 0, "FILE", OPTION_TEXT, AT(baseline), .file = OPTION_FILE_READ,
     .help = "fail only if a test that this file names is neither kept nor merged"},
    {"write-baseline", 0, "FILE", OPTION_TEXT, AT(write_baseline), .file = OPTION_FILE_WRITTEN, .replaces = "baseline",
     .help = "write the tests that are kept or merged to this file"},
    {"markdown", 0, "FILE", OPTION_TEXT, AT(markdown), .file = OPTION_FILE_WRITTEN,
     .help = "with --compiler: also write the differences between compilers as Markdown"},
    {"lowering", 'l', "LOWERING", OPTION_OTHER, AT(lowering), .read = read_lowering, .expected = "source or ptx",
     .words = lowering_words,
     .help = "what to compile: inline PTX (ptx, the default) or the CUDA C++ of a CUDA test (source); with source, it "
             "is also a fault if the compiled PTX allows an outcome that the test forbids"},
    {"jobs", 'J', "N", OPTION_WHOLE, AT(processes), .low = 1, .high = 256,
     .help = "number of processes that compile at the same time (default: one per processor)"},
    {"code", 0, "FILE", OPTION_TEXT, AT(code), .file = OPTION_FILE_READ,
     .help = "inspect this PTX, which NVIDIA's OpenCL compiled from the kernel of one OPENCL test with line "
             "information (`-nv-line-info`; `orchil show --kernel opencl TEST` prints the kernel)"},
    {"json", 'j', NULL, OPTION_SET, AT(json), .help = "print one JSON object per line and test, and nothing else"},
    {"junit", 0, "FILE", OPTION_TEXT, AT(junit), .file = OPTION_FILE_WRITTEN,
     .help = "also write the results as JUnit XML"},
    {ROW_SARIF(AT(sarif))},
    {ROW_EXCLUDE(AT(exclude))},
    {0}};

static const char documentation[] =
    "Check whether a compiler keeps a test: whether every access, fence and barrier of its threads is in "
    "the machine code exactly once, in order, and as wide and as strong as written. No device is needed.\v"
    "With --compiler and --target, clang compiles OPENCL and C tests for AMD GPUs or to PTX, and CUDA tests, as HIP C++, "
    "for AMD GPUs. It needs no library and no device. glslang compiles VULKAN, OPENCL and C tests for Vulkan, whose target "
    "is spirv; it is looked up on PATH as glslangValidator, or is what $ORCHIL_GLSLANG names.\n\n"
    "Otherwise glslang compiles VULKAN tests, and NVRTC and ptxas all others, whose code nvdisasm disassembles. The last two are looked up on PATH, in "
    "$CUDA_HOME/bin, $CUDA_PATH/bin and /usr/local/cuda/bin. Without them a test is not inspected, and the reason "
    "says what to install; --lowering source does not need them. `orchil run` inspects the code that it runs.\n\n"
    "A test is merged if the compiler left out or moved accesses, as it may, for example, load a location once for two "
    "weak loads in a row: the code is then another test, and the model allows nothing there that it forbids in the test "
    "as written. If that cannot be shown, the test is not kept.";

static const char *const examples[] = {"orchil inspect ptx:MP+rel+acq",
                                       "orchil inspect --architecture sm_80 'ptx:*' 'cuda:*'",
                                       "orchil inspect --lowering source 'cuda:MP*'",
                                       "orchil inspect --json my-test.litmus | jq '.findings[].text'",
                                       "orchil inspect --code mp.ptx opencl:MP+rel+acq",
                                       "orchil inspect --compiler clang-15 --target amdgcn:gfx90a opencl:MP+rel+acq",
                                       "orchil inspect --compiler clang-16,clang-19 --target amdgcn:gfx1100 'opencl:*'",
                                       "orchil inspect 'vulkan:*'",
                                       "orchil inspect --compiler glslang --target spirv 'c:*'",
                                       "orchil show --kernel sass ptx:MP+rel+acq",
                                       NULL};

static const struct exit_code exit_codes[] = {
    {"0", "every test that was inspected was kept or merged"},
    {"1", "a test was not kept; with several compilers or a baseline: it was kept or merged before"},
    {"2", "wrong usage, or a test that cannot be read or parsed (of a folder, the rest is inspected)"},
    {"3", "no test was inspected, or none of a compiler for a target"},
    {"4", "the operating system or a compiler failed"},
    {0}};

/* ---- the inspection ---- */

static bool inspect_show_progress(size_t done, size_t count, void *context)
{
    struct progress_line *progress = context;
    struct text line = {0};
    if (!progress_due(progress, stderr))
        return true;
    text_add(&line, "%zu of %zu tests inspected", done, count);
    progress_show(progress, stderr, text_string(&line));
    text_release(&line);
    return true;
}

static unsigned processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

/* ---- the results ---- */

/* The number of tests in each state. */
struct state_counts {
    size_t states[KEPT_COUNT];
};

static struct state_counts count_states(const struct inspected *results, size_t count)
{
    struct state_counts tally = {0};
    for (size_t i = 0; i < count; i++)
        tally.states[results[i].inspection.kept]++;
    return tally;
}

static void print_not_kept(const struct selected_test *selected, const struct inspected *result)
{
    const bool colours = terminal_has_colours(stdout);
    terminal_print(stdout, "%s%s%s (%s): %snot kept%s\n", terminal_style(colours, TERMINAL_STRONG),
                   selected->test->name, terminal_style(colours, TERMINAL_PLAIN),
                   litmus_dialect_name(selected->test->dialect), terminal_style(colours, TERMINAL_WARNING),
                   terminal_style(colours, TERMINAL_PLAIN));
    inspect_print_findings(&result->inspection);
}

/* Tests that were not inspected, as a line for each reason. */
static void print_reasons(const struct selection *selection, const struct inspected *results)
{
    bool *is_printed = memory_take(selection->count, sizeof *is_printed);
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
        terminal_write(stdout, text_string(&line));
        text_release(&line);
    }
    free(is_printed);
}

static bool same_family(const struct selected_test *a, const struct selected_test *b)
{
    const size_t length = catalogue_family(a->file);
    return length == catalogue_family(b->file) && memcmp(a->file, b->file, length) == 0;
}

static void print_families(const struct selection *selection, const struct inspected *results)
{
    struct table table = {0};
    bool *is_printed = memory_take(selection->count, sizeof *is_printed);
    table_columns(&table, "~family|>kept|>merged|>not kept|>not inspected");
    for (size_t i = 0; i < selection->count; i++) {
        struct state_counts tally = {0};
        for (size_t j = i; j < selection->count && !is_printed[i]; j++)
            if (same_family(&selection->tests[i], &selection->tests[j])) {
                tally.states[results[j].inspection.kept]++;
                is_printed[j] = j > i;
            }
        if (is_printed[i])
            continue;
        table_add(&table, "%.*s", (int)catalogue_family(selection->tests[i].file), selection->tests[i].file);
        table_add(&table, "%zu", tally.states[TEST_KEPT]);
        table_add(&table, "%zu", tally.states[TEST_MERGED]);
        table_add(&table, "%zu", tally.states[TEST_NOT_KEPT]);
        table_add(&table, "%zu", tally.states[TEST_NOT_INSPECTED]);
    }
    table_print(&table, stdout, 2);
    table_release(&table);
    free(is_printed);
}

/* Appends each compiler once: "; NVRTC 13.0, glslang 11:12.0.0". */
static void add_compilers(const struct inspected *results, size_t count, struct text *text)
{
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        while (before < i && strcmp(results[before].compiler, results[i].compiler) != 0)
            before++;
        if (before == i && results[i].compiler[0])
            text_add(text, "%s%s", text->size == 0 ? "; " : ", ", results[i].compiler);
    }
}

/* "1 of 2 tests was kept, 1 not inspected; NVRTC 13.0". */
static void print_sum(const struct state_counts *tally, size_t count, const char *compilers)
{
    static const struct {
        enum kept kept;
        const char *words;
    } others[] = {{TEST_MERGED, "merged"}, {TEST_NOT_KEPT, "not kept"}, {TEST_NOT_INSPECTED, "not inspected"}};
    const size_t kept = tally->states[TEST_KEPT];
    struct text line = {0};
    terminal_add(&line, "%zu of %zu test%s %s kept", kept, count, count == 1 ? "" : "s",
                 kept == 1 || count == 1 ? "was" : "were");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tally->states[others[i].kept] > 0)
            terminal_add(&line, ", %zu %s", tally->states[others[i].kept], others[i].words);
    terminal_add(&line, "%s\n", compilers);
    terminal_write(stdout, text_string(&line));
    text_release(&line);
}

/* Prints to standard output the tests that were not kept, each with its findings, and those that were not inspected, by
 * reason; then a table of families and a line for all. */
static void inspect_print_text(const struct selection *selection, const struct inspected *results)
{
    const struct state_counts tally = count_states(results, selection->count);
    struct text compilers = {0};
    for (size_t i = 0; i < selection->count; i++)
        if (results[i].inspection.kept == TEST_NOT_KEPT)
            print_not_kept(&selection->tests[i], &results[i]);
    print_reasons(selection, results);
    if (selection->count > 1) {
        terminal_print(stdout, "\n");
        print_families(selection, results);
        terminal_print(stdout, "\n");
    }
    add_compilers(results, selection->count, &compilers);
    print_sum(&tally, selection->count, text_string(&compilers));
    text_release(&compilers);
}

/* ---- for programs ---- */

FIELD_NAMES(inspect_fault, enum inspect_fault, INSPECT_FAULT_COUNT, inspect_fault_word)
#define FINDING_MEMBERS(X)                                                                                             \
    X("fault", inspect_fault, "what is wrong with the instruction", finding->fault)                                    \
    X("line", count, "the place in the test's text; 0 for `allows`", finding->place.line)                              \
    X("column", count, "the place in the test's text; 0 for `allows`", finding->place.column)                          \
    X("text", text, "a sentence", finding->text)
FIELD_RECORD(inspect_finding, FINDING_MEMBERS, const struct inspect_finding *finding)
FIELD_LIST(inspect_findings, inspect_finding, (const struct inspection *inspection), inspection->finding_count,
           &inspection->findings[i])

#define INSPECTED_MEMBERS(X)                                                                                           \
    X("test", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, litmus_dialect_name(test->dialect))                                                    \
    X("architecture", text, "the code's architecture; `spirv` for VULKAN tests", architecture)                         \
    X("compiler", compiler, NULL, inspected->compiler)                                                                 \
    X("kept", kept, NULL, kept_word(inspected->inspection.kept))                                                       \
    X("reason", text, "why the code is not the test, or was not inspected; else empty", inspected->inspection.reason)  \
    X("findings", inspect_findings, "how the compiled code differs from the test", &inspected->inspection)
FIELD_DOCUMENT(document_inspect, INSPECTED_MEMBERS, const struct litmus_test *test, const struct inspected *inspected,
               const char *architecture)

/* VULKAN tests have no other compiler. */
static bool is_by_glslang(const struct selected_test *selected)
{
    return selected->test->dialect == LITMUS_VULKAN;
}

/* Prints one line of JSON for each test. of_vulkan: the architecture of VULKAN tests. False if standard output
 * fails. */
static bool inspect_print_json(const struct selection *selection, const struct inspected *results,
                               const char *architecture, const char *of_vulkan)
{
    bool printed = true;
    for (size_t i = 0; i < selection->count && printed; i++) {
        const char *own = is_by_glslang(&selection->tests[i]) ? of_vulkan : architecture;
        json_t *object = field_document_inspect(selection->tests[i].test, &results[i], own);
        printed = json_write_line(JSON_INSPECT, object, stdout);
    }
    return printed;
}

/* Adds each difference between a test and its code. A difference that the model allows is no error. */
static void add_to_document(struct document *document, const struct selection *selection,
                            const struct inspected *results, const char *architecture, const char *of_vulkan)
{
    for (size_t i = 0; i < selection->count; i++) {
        const struct selected_test *selected = &selection->tests[i];
        const struct inspection *inspection = &results[i].inspection;
        struct text name = {0};
        text_add(&name, "%s:%s", litmus_dialect_name(selected->test->dialect), selected->test->name);
        struct document_finding found = {.kind = "not-inspected",
                                         .meaning = "the compiled code cannot be compared with the test",
                                         .severity = DOCUMENT_DOUBT,
                                         .line = inspection->reason,
                                         .name = text_string(&name),
                                         .file = selected->file,
                                         .source = selected->test->text,
                                         .where = is_by_glslang(selected) ? of_vulkan : architecture};
        if (inspection->kept == TEST_NOT_INSPECTED)
            document_find(document, &found);
        for (size_t f = 0; f < inspection->finding_count; f++) {
            const struct inspect_finding *finding = &inspection->findings[f];
            struct text what = {0};
            text_add(&what, "%u:%u", finding->place.line, finding->place.column);
            found.kind = inspect_fault_word(finding->fault);
            found.meaning = inspect_fault_meaning(finding->fault);
            found.severity = inspection->kept == TEST_NOT_KEPT ? DOCUMENT_UNSOUND : DOCUMENT_NOTE;
            found.line = finding->text;
            found.row = finding->place.line;
            found.column = finding->place.column;
            found.outcome = text_string(&what);
            document_find(document, &found);
            text_release(&what);
        }
        text_release(&name);
    }
}

#define xml_add(text, ...) escape_format(text, ESCAPE_XML, __VA_ARGS__)

static void add_findings(const struct inspection *inspection, struct text *text)
{
    for (size_t i = 0; i < inspection->finding_count; i++)
        xml_add(text, "$\n", inspection->findings[i].text);
}

/* Appends the element that says why a test did not pass. */
static void inspect_add_part(const char *element, const struct inspection *inspection, struct text *text)
{
    xml_add(text, ">\n      <$ message=\"$\"", element, inspection->reason);
    if (inspection->finding_count == 0) {
        text_add(text, "/>\n    </testcase>\n");
        return;
    }
    text_add(text, ">");
    add_findings(inspection, text);
    text_add(text, "</%s>\n    </testcase>\n", element);
}

static void inspect_add_case(const struct selected_test *selected, const struct inspection *inspection,
                             struct text *text)
{
    text_add(text, "    <testcase classname=\"%s.%.*s\"", litmus_dialect_name(selected->test->dialect),
             (int)catalogue_family(selected->file), selected->file);
    xml_add(text, " name=\"$\"", selected->test->name);
    switch (inspection->kept) {
    case TEST_NOT_INSPECTED:
        inspect_add_part("skipped", inspection, text);
        break;
    case TEST_NOT_KEPT:
        inspect_add_part("failure", inspection, text);
        break;
    case TEST_MERGED:
        text_add(text, ">\n      <system-out>merged\n");
        add_findings(inspection, text);
        text_add(text, "</system-out>\n    </testcase>\n");
        break;
    default:
        text_add(text, "/>\n");
    }
}

/* Appends a test suite of JUnit XML, with a case for each test. */
static void add_junit(const struct selection *selection, const struct inspected *results, const char *architecture,
                      struct text *text)
{
    const struct state_counts tally = count_states(results, selection->count);
    text_add(text,
             "  <testsuite name=\"inspect %s\" tests=\"%zu\" "
             "failures=\"%zu\" skipped=\"%zu\">\n",
             architecture, selection->count, tally.states[TEST_NOT_KEPT], tally.states[TEST_NOT_INSPECTED]);
    for (size_t i = 0; i < selection->count; i++)
        inspect_add_case(&selection->tests[i], &results[i].inspection, text);
    text_add(text, "  </testsuite>\n");
}

/* Writes the suites, if that is asked for. */
static enum status write_junit(const struct inspect_request *request, const struct text *suites, struct error *error)
{
    struct text text = {0};
    if (!request->junit)
        return STATUS_OK;
    text_add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n%s</testsuites>\n", text_string(suites));
    const enum status status = file_write_whole(request->junit, text_string(&text), text.size, error);
    text_release(&text);
    return status;
}

static enum status inspect_print_results(struct inspect_request *request, const struct selection *selection,
                                         const struct inspected *results, const char *architecture, struct error *error)
{
    struct text junit = {0};
    add_to_document(&request->findings, selection, results, architecture, spirv);
    if (!request->json)
        inspect_print_text(selection, results);
    else if (!inspect_print_json(selection, results, architecture, spirv))
        return error_set(error, STATUS_SYSTEM, "the results cannot be written to standard output");
    add_junit(selection, results, architecture, &junit);
    const enum status status = write_junit(request, &junit, error);
    text_release(&junit);
    return status;
}

/* Inspects the given file instead of compiling. */
static enum status inspect_one_file(const struct inspect_request *request, const struct selection *selection,
                                    struct inspected *results, struct error *error)
{
    const struct litmus_test *test = selection->tests[0].test;
    const struct backend_device *device = typical_device("opencl", test->dialect);
    struct kernel kernel;
    struct text text = {0};
    if (selection->count != 1 || test->dialect != LITMUS_OPENCL)
        return error_set(error, STATUS_USAGE, "--code: expected one OPENCL test, found %zu test%s%s", selection->count,
                         selection->count == 1 ? "" : "s", selection->count == 1 ? " of another dialect" : "");
    TRY(file_read_whole(request->code, MAXIMUM_CODE, &text, error));
    const enum status status = kernel_generate(test, device, NULL, false, &kernel, error);
    if (status == STATUS_OK) {
        const struct compiled_ptx ptx = {test, &kernel, kernel_unit_line(backend_find("opencl"), 1),
                                         text_string(&text)};
        judge_compiled(&ptx, device, &results[0].inspection);
        kernel_release(&kernel);
    }
    text_release(&text);
    return status;
}

/* column: a compiler and a target; NULL: NVRTC for the device. */
static enum status inspect_tests(const struct inspect_request *request, const struct selection *selection,
                                 const struct inspect_column *column, const struct backend_device *device,
                                 struct inspected *results, struct error *error)
{
    struct progress_line progress = {.last = clock_seconds()};
    const struct litmus_test **tests = memory_take(selection->count, sizeof *tests);
    for (size_t i = 0; i < selection->count; i++)
        tests[i] = selection->tests[i].test;
    const struct inspect_many_options options = {.device = device,
                                                 .compiler = column ? column->kind : NULL,
                                                 .compiler_word = column ? column->compiler : NULL,
                                                 .target = column ? &column->target : NULL,
                                                 .version = column ? column->version : NULL,
                                                 .lowering = request->lowering,
                                                 .processes =
                                                     request->processes ? request->processes : processor_count(),
                                                 .go_on = inspect_show_progress,
                                                 .context = &progress};
    const enum status status = inspect_many(&options, tests, selection->count, results, error);
    progress_clear(&progress, stderr);
    free(tests);
    return status;
}

/* ---- by the compiler of each test's dialect ---- */

/* Inspects the VULKAN tests with glslang, or says why not. */
static enum status inspect_by_glslang(const struct inspect_request *request, const struct selection *selection,
                                      struct inspected *results, struct error *error)
{
    static char word[] = INSPECT_GLSLANG;
    struct inspect_column column = {.compiler = word};
    struct error why;
    TRY(inspect_compiler_find(word, &column.kind, error));
    TRY(inspect_target_read(spirv, &column.target, error));
    if (column.kind->version(word, column.version, &why) == STATUS_OK)
        return inspect_tests(request, selection, &column, inspect_target_device(&column.target), results, error);
    for (size_t i = 0; i < selection->count; i++)
        inspect_skip(&results[i].inspection, why.text);
    return STATUS_OK;
}

/* Inspects those tests of the selection that glslang compiles, or the others. */
static enum status inspect_part(const struct inspect_request *request, const struct selection *selection,
                                const struct backend_device *device, bool by_glslang, struct inspected *results,
                                struct error *error)
{
    struct selection part = {.tests = memory_take(selection->count, sizeof *part.tests)};
    struct inspected *of_part = memory_take(selection->count, sizeof *of_part);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < selection->count; i++)
        if (is_by_glslang(&selection->tests[i]) == by_glslang)
            part.tests[part.count++] = selection->tests[i];
    if (part.count > 0)
        status = by_glslang ? inspect_by_glslang(request, &part, of_part, error)
                            : inspect_tests(request, &part, NULL, device, of_part, error);
    for (size_t i = 0, k = 0; i < selection->count; i++)
        if (is_by_glslang(&selection->tests[i]) == by_glslang)
            results[i] = of_part[k++];
    free(part.tests);
    free(of_part);
    return status;
}

/* ---- by the compilers of --compiler ---- */

static size_t count_not_kept(const struct inspect_columns *columns, const struct selection *selection)
{
    size_t count = 0;
    for (size_t c = 0; c < columns->count; c++)
        count += count_states(columns->items[c].results, selection->count).states[TEST_NOT_KEPT];
    return count;
}

/* Whether no test was inspected: nothing is known of what the compiler makes. */
static bool is_unknown(const struct inspect_column *column, const struct selection *selection)
{
    return count_states(column->results, selection->count).states[TEST_NOT_INSPECTED] == selection->count;
}

/* Prints the results of each compiler and target, or of all together if there are several. */
static enum status print_columns(struct inspect_request *request, const struct selection *selection,
                                 const struct inspect_columns *columns, struct error *error)
{
    struct text junit = {0};
    enum status status = STATUS_OK;
    for (size_t c = 0; c < columns->count && status == STATUS_OK; c++) {
        struct text target = {0};
        inspect_target_add(&columns->items[c].target, &target);
        const char *const word = text_string(&target);
        add_junit(selection, columns->items[c].results, word, &junit);
        add_to_document(&request->findings, selection, columns->items[c].results, word, word);
        if (!request->json && columns->count > 1 && is_unknown(&columns->items[c], selection)) {
            terminal_print(stdout, "%s, %s:\n", word, columns->items[c].version);
            print_reasons(selection, columns->items[c].results);
        }
        if (request->json && !inspect_print_json(selection, columns->items[c].results, word, word))
            status = error_set(error, STATUS_SYSTEM, "the results cannot be written to standard output");
        text_release(&target);
    }
    if (!request->json && columns->count == 1)
        inspect_print_text(selection, columns->items[0].results);
    if (status == STATUS_OK)
        status = write_junit(request, &junit, error);
    text_release(&junit);
    return status;
}

/* Compares the compilers, and with the baseline. *code: 1 if something was lost, else 3 if nothing was inspected. */
static enum status compare_columns(const struct inspect_request *request, const struct selection *selection,
                                   const struct inspect_columns *columns, int *code, struct error *error)
{
    struct text markdown = {0};
    size_t lost = 0, of_baseline = 0;
    enum status status = STATUS_OK;
    if (columns->count > 1)
        lost = inspect_columns_compare(columns, selection, !request->json);
    if (request->baseline)
        status = inspect_baseline_compare(request->baseline, columns, selection, !request->json, &of_baseline, error);
    if (status == STATUS_OK && request->write_baseline)
        status = inspect_baseline_write(request->write_baseline, columns, selection, error);
    if (status == STATUS_OK && request->markdown) {
        inspect_columns_add_markdown(columns, selection, &markdown);
        status = file_write_whole(request->markdown, text_string(&markdown), markdown.size, error);
        text_release(&markdown);
    }
    if (!request->json && (request->baseline || columns->count > 1))
        terminal_print(stdout, "%zu kept before and not now\n", lost + of_baseline);
    *code = request->baseline || columns->count > 1 ? lost + of_baseline > 0 : count_not_kept(columns, selection) > 0;
    for (size_t c = 0; c < columns->count && *code == 0; c++)
        *code = is_unknown(&columns->items[c], selection) ? EXIT_UNKNOWN : 0;
    return status;
}

static enum status inspect_by_compilers(struct inspect_request *request, const struct selection *selection, int *code,
                                        struct error *error)
{
    struct inspect_columns columns;
    enum status status = inspect_columns_read(request->compilers ? request->compilers : "",
                                              request->targets ? request->targets : "", &columns, error);
    for (size_t c = 0; c < columns.count && status == STATUS_OK; c++) {
        struct inspect_column *column = &columns.items[c];
        column->results = memory_take(selection->count, sizeof *column->results);
        status =
            inspect_tests(request, selection, column, inspect_target_device(&column->target), column->results, error);
    }
    if (status == STATUS_OK)
        status = print_columns(request, selection, &columns, error);
    if (status == STATUS_OK)
        status = compare_columns(request, selection, &columns, code, error);
    inspect_columns_release(&columns, selection->count);
    return status;
}

/* The same for NVRTC, which is one column. */
static enum status compare_with_baseline(const struct inspect_request *request, const struct selection *selection,
                                         const struct backend_device *device, struct inspected *results, int *code,
                                         struct error *error)
{
    struct inspect_column column = {.target = {.machine = "nvidia"}, .results = results};
    const struct inspect_columns columns = {&column, 1};
    (void)snprintf(column.target.processor, sizeof column.target.processor, "%s", device->architecture);
    for (size_t i = 0; i < selection->count; i++)
        if (results[i].compiler[0])
            (void)snprintf(column.version, sizeof column.version, "%s", results[i].compiler);
    return compare_columns(request, selection, &columns, code, error);
}

/* *code as of compare_columns. */
static enum status inspect_all(struct inspect_request *request, const struct selection *selection, int *code,
                               struct error *error)
{
    struct backend_device device = *typical_device("cuda", LITMUS_CUDA);
    struct inspected *results = memory_take(selection->count, sizeof *results);
    if (request->architecture)
        (void)snprintf(device.architecture, sizeof device.architecture, "%s", request->architecture);
    enum status status = request->code ? inspect_one_file(request, selection, results, error)
                                       : inspect_part(request, selection, &device, false, results, error);
    if (status == STATUS_OK && !request->code)
        status = inspect_part(request, selection, &device, true, results, error);
    if (status == STATUS_OK)
        status = inspect_print_results(request, selection, results, device.architecture, error);
    if (status == STATUS_OK)
        status = compare_with_baseline(request, selection, &device, results, code, error);
    for (size_t i = 0; i < selection->count; i++)
        inspection_release(&results[i].inspection);
    free(results);
    return status;
}

static void inspect_check_options(const struct argp_state *state, const void *data)
{
    const struct inspect_request *request = data;
    if (!request->list && request->tests.count == 0)
        options_error(state, "%s", tests_none);
}

static enum status inspect_execute(void *data, struct verb_call *call, struct error *error)
{
    struct inspect_request *request = data;
    if (request->list) {
        inspect_compilers_print();
        return STATUS_OK;
    }
    TRY(tests_take(call, &request->tests, &request->exclude, error));
    TRY(request->compilers || request->targets ? inspect_by_compilers(request, &call->selection, &call->code, error)
                                               : inspect_all(request, &call->selection, &call->code, error));
    request->findings.title = call->name;
    const enum status status = output_document(&request->findings, DOCUMENT_AS_SARIF, request->sarif, error);
    document_release(&request->findings);
    return status;
}

const struct verb verb_inspect = {.name = "inspect",
                                  .summary = "check whether a compiler keeps a test",
                                  .usage = "TEST...",
                                  VERB_PARTS,
                                  .arguments = AT(tests),
                                  .check = inspect_check_options,
                                  VERB_REQUEST(struct inspect_request, 0),
                                  .run = inspect_execute};
