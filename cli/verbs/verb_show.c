// SPDX-License-Identifier: Apache-2.0
/* orchil show: a test as orchil understands it, or the kernel that plays it. */
#include <stdio.h>
#include <string.h>

#include "base/terminal/terminal.h"
#include "catalogue/selection.h"
#include "cli/complaint.h"
#include "cli/test_json.h"
#include "cli/tests.h"
#include "cli/verbs/verb.h"
#include "runner/kernel/kernel.h"

/* ---- the devices that kernels are shown for ---- */

enum { ALL_DIALECTS = (1 << LITMUS_DIALECT_COUNT) - 1 };

#define ATOMICS(scopes)                                                                                                \
    .atomic_orders = BACKEND_ALL_ORDERS, .atomic_scopes = (scopes), .fence_orders = BACKEND_ALL_ORDERS,                \
    .fence_scopes = (scopes), .types = BACKEND_TYPE_LONG_ATOMICS | BACKEND_TYPE_DOUBLE

/* The same GPU, whichever driver shows it. */
#define NVIDIA_GPU                                                                                                     \
    .name = "a typical NVIDIA GPU", .gpu = true, ATOMICS(BACKEND_ALL_SCOPES), .compute_units = 100,                    \
    .max_group_size = 1024, .sub_group_size = 32, .memory_bytes = (uint64_t)1 << 34, .local_bytes = 48 * 1024

/* The first of a backend that takes what the test's dialect needs is meant. */
static const struct typical {
    unsigned dialects; /* bits, by enum litmus_dialect */
    struct backend_device device;
} typical_devices[] = {
    {1 << LITMUS_OPENCL | 1 << LITMUS_C,
     {.backend = "opencl",
      .name = "a typical CPU",
      .takes = BACKEND_TAKES_C11,
      ATOMICS(BACKEND_ALL_SCOPES & ~BACKEND_SCOPE_CLUSTER),
      .compute_units = 8,
      .max_group_size = 4096,
      .sub_group_size = 1,
      .memory_bytes = (uint64_t)1 << 32,
      .local_bytes = 48 * 1024}},
    {1 << LITMUS_PTX | 1 << LITMUS_CUDA,
     {.backend = "opencl", .takes = BACKEND_TAKES_C11 | BACKEND_TAKES_PTX, NVIDIA_GPU}},
    {ALL_DIALECTS,
     {.backend = "cuda", .architecture = "sm_90", .takes = BACKEND_TAKES_PTX, .max_cluster_groups = 8, NVIDIA_GPU}},
};

static const struct backend_device *typical_device(const char *backend, enum litmus_dialect dialect)
{
    for (size_t i = 0; i < sizeof typical_devices / sizeof *typical_devices; i++) {
        const struct typical *typical = &typical_devices[i];
        if (strcmp(typical->device.backend, backend) == 0 && (typical->dialects & 1u << dialect))
            return &typical->device;
    }
    return NULL;
}

static bool has_kernels(const char *backend)
{
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
        if (typical_device(backend, (enum litmus_dialect)dialect))
            return true;
    return false;
}

/* ---- the command line ---- */

struct show_request {
    const char *backend; /* whose kernel is shown; NULL: none */
    bool json;
    struct arguments tests;
};

static void read_kernel(const struct argp_state *state, const struct option_row *row, const char *value, void *request)
{
    (void)row;
    if (!has_kernels(value))
        options_error(state, "there are no kernels for '%s'; expected opencl or cuda", value);
    ((struct show_request *)request)->backend = value;
}

#define AT(member) offsetof(struct show_request, member)

static const struct option_row show_rows[] = {
    {"kernel", 'k', "BACKEND", OPTION_OTHER, .read = read_kernel,
     .help = "Print the kernel that plays the test, whole, as it is given to the compiler: opencl or cuda"},
    {"json", 'j', NULL, OPTION_SET, AT(json), .help = "Print a JSON array with one object per test"},
    {0}};

static const char documentation[] =
    "Shows litmus tests as orchil understands them: read, and written anew."
    "\vWhat is printed is a litmus test again, with its doc lines, its control and its condition. --kernel needs "
    "no device: it prints the kernel for a typical one, which declares all orders and scopes. That is a CPU "
    "that takes C11 for opencl (an NVIDIA GPU where the test is in PTX), and an sm_90 GPU for cuda. A real "
    "device may get another text; 'orchil run' stores the one that it used.\n"
    "\nExamples:\n"
    "  orchil show MP+relaxed\n"
    "  orchil show --kernel cuda ptx:SB+fencesc\n"
    "  orchil show --json 'SB*' | jq -r '.[].condition'\n"
    "\nExit codes: 0 shown; 2 wrong usage, nothing selected, a file that cannot be read or parsed (of a folder, the "
    "rest is shown), or a test that has no kernel for the backend.";

/* ---- printing ---- */

/* UNSUPPORTED where the backend's devices cannot run the test. */
static enum status show_make_kernel(const struct litmus_test *test, const char *backend, struct text *text,
                                    const char **lowering, struct error *error)
{
    struct kernel kernel;
    TRY(kernel_generate(test, typical_device(backend, test->dialect), &kernel, error));
    text_add(text, "%s%s", backend_find(backend)->prelude, kernel.source);
    *lowering = kernel_lowering_name(&kernel);
    kernel_release(&kernel);
    return STATUS_OK;
}

static int show_no_kernel(const char *verb, const struct litmus_test *test, const char *backend,
                          const struct error *why)
{
    struct error error = {0};
    (void)error_set(&error, why->status == STATUS_UNSUPPORTED ? STATUS_USAGE : why->status,
                    "%s has no kernel for %s: %s", test->name, backend, why->text);
    return complain(verb, &error);
}

static int show_text(const char *verb, const struct selection *selection, const char *backend)
{
    struct error error = {0};
    const char *lowering;
    int code = 0;
    for (size_t i = 0; i < selection->count && code == 0; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        struct text text = {0};
        if (!backend)
            litmus_print(test, &text);
        else if (show_make_kernel(test, backend, &text, &lowering, &error) != STATUS_OK)
            code = show_no_kernel(verb, test, backend, &error);
        if (code == 0) {
            terminal_write_source(stdout, i > 0 ? "\n" : "");
            terminal_write_source(stdout, text_string(&text));
        }
        text_release(&text);
    }
    return code;
}

static enum status shown_to_json(const struct selected_test *selected, const char *backend, json_t *json,
                                 struct error *error)
{
    struct text text = {0};
    const char *lowering = NULL;
    enum status status = STATUS_OK;
    litmus_print(selected->test, &text);
    (void)json_object_set_new(json, "text", json_text(text_string(&text)));
    text_clear(&text);
    if (backend)
        status = show_make_kernel(selected->test, backend, &text, &lowering, error);
    if (backend && status == STATUS_OK) {
        (void)json_object_set_new(json, "backend", json_string(backend));
        (void)json_object_set_new(json, "lowering", json_string(lowering));
        (void)json_object_set_new(json, "kernel", json_text(text_string(&text)));
    }
    text_release(&text);
    return status;
}

static int show_json(const char *verb, const struct selection *selection, const char *backend)
{
    struct error error;
    json_t *array = json_array();
    for (size_t i = 0; i < selection->count; i++) {
        json_t *json = test_to_json(&selection->tests[i]);
        (void)json_array_append_new(array, json);
        if (shown_to_json(&selection->tests[i], backend, json, &error) != STATUS_OK) {
            json_decref(array);
            return show_no_kernel(verb, selection->tests[i].test, backend, &error);
        }
    }
    (void)json_print(array); /* main says what is wrong with standard output */
    return 0;
}

static int show_main(int argc, char **argv)
{
    struct show_request request = {0};
    struct selection selection;
    struct error error = {0};
    options_parse(&verb_show, argc, argv, &request);
    if (tests_select(&request.tests, &selection, &error) != STATUS_OK)
        return complain(argv[0], &error);
    const int code = request.json ? show_json(argv[0], &selection, request.backend)
                                  : show_text(argv[0], &selection, request.backend);
    const int result = tests_exit_code(selection.unread_count, code);
    selection_release(&selection);
    return result;
}

const struct verb verb_show = {.name = "show",
                               .summary = "shows a litmus test, or the kernel that plays it",
                               .usage = "TEST...",
                               .documentation = documentation,
                               .options = show_rows,
                               .arguments = AT(tests),
                               .no_arguments =
                                   "no test was named; expected a name of the catalogue, a glob or a .litmus file",
                               .run = show_main};
