// SPDX-License-Identifier: Apache-2.0
/* orchil inspect: whether a compiler keeps tests, without a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/terminal/terminal.h"
#include "base/whole_file.h"
#include "catalogue/selection.h"
#include "cli/complaint.h"
#include "cli/exclude.h"
#include "cli/inspect/inspect_output.h"
#include "cli/output_path.h"
#include "cli/tests.h"
#include "cli/typical_device.h"
#include "cli/verb.h"
#include "runner/inspect/compile/inspect_many.h"
#include "runner/inspect/compile/judge_compiled.h"

enum { MAXIMUM_CODE = 16 * 1024 * 1024 }; /* bytes of a file */

struct inspect_request {
    const char *architecture; /* NULL: the typical device's */
    const char *lowering;     /* NULL: the usual one */
    const char *junit;        /* a path, or NULL */
    const char *code;         /* a path of PTX, or NULL */
    unsigned processes;       /* 0: as many as there are processors */
    bool json;
    struct verb_arguments tests;
    struct exclusions exclude;
};

#define AT(member) offsetof(struct inspect_request, member)

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

static const struct option_row inspect_rows[] = {
    {"architecture", 'a', "sm_NN", OPTION_OTHER, AT(architecture), .read = read_architecture,
     .expected = "a GPU architecture from sm_70, like sm_90",
     .help = "the GPU architecture to compile for (default: sm_90)"},
    {"lowering", 'l', "LOWERING", OPTION_OTHER, AT(lowering), .read = read_lowering, .expected = "source or ptx",
     .words = lowering_words,
     .help = "what to compile: inline PTX (ptx, the default) or the CUDA C++ of a CUDA test (source); with source, it "
             "is also a fault if the compiled PTX allows an outcome that the test forbids"},
    {"jobs", 'J', "N", OPTION_WHOLE, AT(processes), .low = 1, .high = 256,
     .help = "number of processes that compile at the same time (default: one per processor)"},
    {"code", 0, "FILE", OPTION_TEXT, AT(code),
     .help = "inspect this PTX, which NVIDIA's OpenCL compiled from the kernel of one OPENCL test with line "
             "information (`-nv-line-info`; `orchil show --kernel opencl TEST` prints the kernel)"},
    {"json", 'j', NULL, OPTION_SET, AT(json), .help = "print one JSON object per line and test, and nothing else"},
    {"junit", 0, "FILE", OPTION_TEXT, AT(junit), .help = "also write the results as JUnit XML"},
    {ROW_EXCLUDE(AT(exclude))},
    {0}};

static const char documentation[] =
    "Check whether NVIDIA's compilers keep a test: whether every access, fence and barrier of its threads is in "
    "the machine code exactly once, in order, and as wide and as strong as written. No device is needed.\v"
    "NVRTC and ptxas compile the kernel, and nvdisasm disassembles it. The last two are looked up on PATH, in "
    "$CUDA_HOME/bin, $CUDA_PATH/bin and /usr/local/cuda/bin. Without them a test is not inspected, and the reason "
    "says what to install; --lowering source does not need them. `orchil run` inspects the code that it runs.\n\n"
    "A test that is not kept does not mean that the compiler is wrong: memory models allow it, for example, to "
    "merge two weak loads of one location. But what runs is then not the test as written.";

static const char *const examples[] = {"orchil inspect ptx:MP+rel+acq",
                                       "orchil inspect --architecture sm_80 'ptx:*' 'cuda:*'",
                                       "orchil inspect --lowering source 'cuda:MP*'",
                                       "orchil inspect --json my-test.litmus | jq '.findings[].text'",
                                       "orchil inspect --code mp.ptx opencl:MP+rel+acq",
                                       "orchil show --kernel sass ptx:MP+rel+acq",
                                       NULL};

static const struct exit_code exit_codes[] = {
    {"0", "every test was kept or was not inspected"},
    {"1", "a test was not kept"},
    {"2", "wrong usage, or a test that cannot be read or parsed (of a folder, the rest is inspected)"},
    {"4", "the operating system failed"},
    {0}};

/* ---- the inspection ---- */

static bool show_progress(size_t done, size_t count, void *context)
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

static enum status write_junit(const struct inspect_request *request, const struct selection *selection,
                               const struct inspected *results, const char *architecture, struct error *error)
{
    struct text text = {0};
    if (!request->junit)
        return STATUS_OK;
    inspect_add_junit(selection, results, architecture, &text);
    const enum status status = file_write_whole(request->junit, text_string(&text), text.size, error);
    text_release(&text);
    return status;
}

static enum status print_results(const struct inspect_request *request, const struct selection *selection,
                                 const struct inspected *results, const char *architecture, struct error *error)
{
    if (!request->json)
        inspect_print_text(selection, results);
    else if (!inspect_print_json(selection, results, architecture))
        return error_set(error, STATUS_SYSTEM, "the results cannot be written to standard output");
    return write_junit(request, selection, results, architecture, error);
}

/* Inspects the given file instead of compiling. */
static enum status inspect_file(const struct inspect_request *request, const struct selection *selection,
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
    const enum status status = kernel_generate(test, device, &kernel, error);
    if (status == STATUS_OK) {
        const struct compiled_ptx ptx = {test, &kernel, kernel_unit_line(backend_find("opencl"), 1),
                                         text_string(&text)};
        judge_compiled(&ptx, device, &results[0].inspection);
        kernel_release(&kernel);
    }
    text_release(&text);
    return status;
}

static enum status inspect_tests(const struct inspect_request *request, const struct selection *selection,
                                 const struct backend_device *device, struct inspected *results, struct error *error)
{
    struct progress_line progress = {.last = clock_seconds()};
    const struct litmus_test **tests = memory_take(selection->count, sizeof *tests);
    for (size_t i = 0; i < selection->count; i++)
        tests[i] = selection->tests[i].test;
    const struct inspect_many_options wish = {.device = device,
                                         .lowering = request->lowering,
                                         .processes = request->processes ? request->processes : processor_count(),
                                         .go_on = show_progress,
                                         .context = &progress};
    const enum status status = inspect_many(&wish, tests, selection->count, results, error);
    progress_clear(&progress, stderr);
    free(tests);
    return status;
}

/* 1 if a test was not kept. */
static enum status inspect_all(const struct inspect_request *request, const struct selection *selection, int *code,
                               struct error *error)
{
    struct backend_device device = *typical_device("cuda", LITMUS_CUDA);
    struct inspected *results = memory_take(selection->count, sizeof *results);
    if (request->architecture)
        (void)snprintf(device.architecture, sizeof device.architecture, "%s", request->architecture);
    enum status status = request->code ? inspect_file(request, selection, results, error)
                                       : inspect_tests(request, selection, &device, results, error);
    if (status == STATUS_OK)
        status = print_results(request, selection, results, device.architecture, error);
    *code = inspect_tally(results, selection->count).states[TEST_NOT_KEPT] > 0 ? 1 : 0;
    for (size_t i = 0; i < selection->count; i++)
        inspection_release(&results[i].inspection);
    free(results);
    return status;
}

static int inspect_main(int argc, char **argv)
{
    struct inspect_request request = {0};
    struct selection selection;
    struct error error = {0};
    int code = 0;
    options_parse(&verb_inspect, argc, argv, &request);
    enum status status = request.junit ? output_path_check("junit", request.junit, NULL, &error) : STATUS_OK;
    if (status == STATUS_OK)
        status = tests_select(request.tests.list, request.tests.count, &selection, &error);
    if (status != STATUS_OK)
        return complain(argv[0], &error);
    if (exclude_tests(&request.exclude, &selection, &error) != STATUS_OK)
        return complain(argv[0], &error);
    status = inspect_all(&request, &selection, &code, &error);
    code = status == STATUS_OK ? tests_exit_code(selection.unread_count, code) : complain(argv[0], &error);
    selection_release(&selection);
    return code;
}

const struct verb verb_inspect = {.name = "inspect",
                                  .summary = "check whether NVIDIA's compilers keep a test",
                                  .usage = "TEST...",
                                  .documentation = documentation,
                                  .examples = examples,
                                  .exit_codes = exit_codes,
                                  .options = inspect_rows,
                                  .arguments = AT(tests),
                                  .no_arguments = tests_none,
                                  .run = inspect_main};
