// SPDX-License-Identifier: Apache-2.0
/* orchil show: a test as orchil understands it, or the kernel that plays it. */
#include "catalogue/cycles/variant.h"
#include "catalogue/selection.h"
#include "cli/atomics.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "inspect/compile/inspect_many.h"

/* The backends whose bodies are shown if none is named; hip's are those of opencl, or of CUDA C++. */
static const char *const show_backends[] = {"opencl", "cuda", "vulkan", NULL};

/* ---- the command line ---- */

struct show_request {
    const char *backend;  /* whose kernel is shown; NULL: none, or with `body` each backend's */
    const char *lowering; /* by which; NULL: the default one */
    const char *language; /* of descriptions; NULL: the locale's */
    bool body, emitted, json;
    struct verb_arguments tests;
};

static const struct option_word language_words[] = {{"en", 0}, {"zh", 0}, {0}};

#define AT(member) offsetof(struct show_request, member)

static const struct option_word kernel_words[] = {{"opencl", 0}, {"cuda", 0},  {"hip", 0},  {"vulkan", 0},
                                                  {"sass", 0},   {"spirv", 0}, {"wgsl", 0}, {0}};
static const struct option_word lowering_words[] = {{"source", 0}, {"ptx", 0}, {0}};

static const struct option_row option_rows[] = {
    {"kernel", 0, "BACKEND", OPTION_TEXT, .offset = AT(backend), .words = kernel_words},
    {"body", 0, NULL, OPTION_SET, .offset = AT(body)},
    {"emitted", 0, NULL, OPTION_SET, .offset = AT(emitted)},
    {"lowering", 0, "LOWERING", OPTION_TEXT, .offset = AT(lowering), .words = lowering_words},
    {"lang", 0, "LANGUAGE", OPTION_TEXT, .offset = AT(language), .words = language_words},
    {ROW_JSON(AT(json))},
    ATOMICS_ROWS,
    {0}};

/* ---- printing ---- */

/* The code for one backend. */
struct shown_kernel {
    const char *backend,
        *lowering;    /* "opencl" and "c11", "cuda" and "ptx" or "source", ...; or both "sass" or "spirv" */
    struct text text; /* the kernel, whole or its body */
};

static void show_release_kernels(struct shown_kernel *shown, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_release(&shown[i].text);
}

/* The requested kernels; for bodies, each lowering once. UNSUPPORTED, with the last reason, if there is none. The
 * caller releases them. */
static enum status show_make_kernels(const struct litmus_test *test, const struct show_request *request,
                                     struct shown_kernel shown[COUNT(show_backends)], size_t *count,
                                     struct error *error)
{
    const char *const named[] = {request->backend, NULL};
    enum status status = STATUS_OK;
    *count = 0;
    for (const char *const *backend = request->backend ? named : show_backends; *backend; backend++) {
        struct shown_kernel *next = &shown[*count];
        *next = (struct shown_kernel){.backend = *backend, .lowering = request->lowering};
        status = inspect_show_kernel(*backend, test, request->body, &next->lowering, &next->text, error);
        if (status == STATUS_OK && (*count == 0 || strcmp(shown[0].lowering, next->lowering) != 0))
            ++*count;
        else
            text_release(&next->text);
    }
    return *count > 0 ? STATUS_OK : status;
}

static int show_no_kernel(const char *verb, const struct litmus_test *test, const char *backend,
                          const struct error *why)
{
    struct error error = {0};
    (void)error_set(&error, why->status == STATUS_UNSUPPORTED ? STATUS_USAGE : why->status, "%s has no kernel%s%s: %s",
                    test->name, backend ? " for " : "", backend ? backend : "", why->text);
    return complain(verb, &error);
}

static int show_kernels(const char *verb, const struct litmus_test *test, const struct show_request *request)
{
    struct shown_kernel shown[COUNT(show_backends)];
    struct error error = {0};
    size_t count;
    if (show_make_kernels(test, request, shown, &count, &error) != STATUS_OK)
        return show_no_kernel(verb, test, request->backend, &error);
    for (size_t i = 0; i < count; i++) {
        if (request->body && i > 0)
            terminal_write_source(stdout, "\n");
        if (request->body)
            terminal_print(stdout, "// %s (%s) in %s\n\n", test->name, litmus_dialect_name(test->dialect),
                           strcmp(shown[i].lowering, "ptx") == 0      ? "PTX"
                           : strcmp(shown[i].lowering, "glsl") == 0   ? "GLSL"
                           : strcmp(shown[i].lowering, "wgsl") == 0   ? "WGSL"
                           : strcmp(shown[i].lowering, "source") == 0 ? "CUDA C++"
                                                                      : "OpenCL C");
        terminal_write_source(stdout, text_string(&shown[i].text));
    }
    show_release_kernels(shown, count);
    return 0;
}

/* ---- the test that is emitted ---- */

static enum status show_add_emitted(const struct litmus_test *test, const struct show_request *request,
                                    struct text *text, struct error *error)
{
    const bool vulkan = request->backend && strcmp(request->backend, "vulkan") == 0;
    if (request->backend && !vulkan && strcmp(request->backend, "cuda") != 0)
        return error_set(error, STATUS_UNSUPPORTED, "only cuda and vulkan get an emitted test");
    return inspect_show_emitted(test, vulkan, text, error);
}

static int show_not_emitted(const char *verb, const struct litmus_test *test, const struct error *why)
{
    struct error error = {0};
    (void)error_set(&error, why->status == STATUS_UNSUPPORTED ? STATUS_USAGE : why->status,
                    "%s has no emitted form: %s", test->name, why->text);
    return complain(verb, &error);
}

static int show_emitted(const char *verb, const struct litmus_test *test, const struct show_request *request)
{
    struct text text = {0};
    struct error error = {0};
    const enum status status = show_add_emitted(test, request, &text, &error);
    if (status == STATUS_OK)
        terminal_end_source(stdout, &text);
    return status == STATUS_OK ? 0 : show_not_emitted(verb, test, &error);
}

/* ---- descriptions ---- */

enum { SHOWN_WIDTH = 110 }; /* columns of a description if the terminal has no width, or a larger one */

/* Appends wrapped lines, without the quotes that are added later. */
static void show_wrap_doc(const char *lines, struct text *doc)
{
    enum { QUOTES = 2 };
    const unsigned terminal = terminal_width(stdout);
    const unsigned width = (terminal > 0 && terminal < SHOWN_WIDTH ? terminal : SHOWN_WIDTH) - QUOTES;
    while (*lines) {
        const size_t size = strcspn(lines, "\n");
        terminal_wrap_line(doc, lines, size, width, 0);
        text_add(doc, "%s", lines[size] ? "\n" : "");
        lines += size + (lines[size] == '\n');
    }
}

/* The test with its description in the requested language only. */
static void show_described(const struct litmus_test *test, const char *language, struct text *text)
{
    struct litmus_test shown = *test;
    LOCAL(text) doc = {0}, translated = {0};
    /* Appends the description in another language than English: the test's own, or a composed one for a variant of a
     * cycle. */
    const char *own = strcmp(language, "en") == 0 ? NULL : litmus_text(test, language);
    if (own)
        text_add(&translated, "%s", own);
    else if (strcmp(language, "zh") == 0)
        (void)variant_describe_in_chinese(test, &translated);
    if (translated.size > 0) {
        show_wrap_doc(text_string(&translated), &doc);
        shown.doc = doc.data;
    }
    shown.metadata = memory_take(test->metadata_count + 1, sizeof *shown.metadata);
    shown.metadata_count = 0;
    for (size_t i = 0; i < test->metadata_count; i++)
        if (strncmp(test->metadata[i].key, litmus_text_key, strlen(litmus_text_key)) != 0)
            shown.metadata[shown.metadata_count++] = test->metadata[i];
    litmus_print(&shown, text);
    free(shown.metadata);
}

/* A person is shown the first few, as many as a name has dialects; a file or a pipe gets all. */
static int show_text(const char *verb, const struct selection *selection, const struct show_request *request)
{
    int code = 0;
    const size_t count =
        isatty(STDOUT_FILENO) && selection->count > LITMUS_DIALECT_COUNT ? LITMUS_DIALECT_COUNT : selection->count;
    for (size_t i = 0; i < count && code == 0; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        LOCAL(text) text = {0};
        if (i > 0)
            terminal_write_source(stdout, "\n");
        if (request->emitted) {
            code = show_emitted(verb, test, request);
        } else if (request->backend || request->body) {
            code = show_kernels(verb, test, request);
        } else {
            show_described(test, request->language ? request->language : terminal_wants("zh") ? "zh" : "en", &text);
            terminal_write_source(stdout, text_string(&text));
        }
    }
    if (count < selection->count)
        terminal_print(stderr, "note: %zu more tests are not shown: `orchil list` lists them, and a pipe gets all\n",
                       selection->count - count);
    return code;
}

#define MADE_MEMBERS(X)                                                                                                \
    X("backend", text, "the backend that the body was made for", shown->backend)                                       \
    X("lowering", text, "the lowering that the body was made for", shown->lowering)
#define BODY_MEMBERS(X)                                                                                                \
    MADE_MEMBERS(X)                                                                                                    \
    X("body", text, "the part of the kernel's text that the threads of the test run", text_string(&shown->text))
FIELD_RECORD(shown_body, BODY_MEMBERS, const struct shown_kernel *shown)
FIELD_LIST(shown_bodies, shown_body, (const struct shown_kernel *shown, size_t count), count, &shown[i])

#define TEXT_MEMBER(X) X("text", made_text, "the text of the test", FIELD_WRITTEN(litmus_print, test))
#define EMITTED_MEMBER(X)                                                                                              \
    X("emitted?", made_text, "the test that devices get, in PTX or VULKAN (with `--emitted`)", text)
#define BODIES_MEMBER(X) X("bodies?", shown_bodies, "the bodies of the kernels (with `--body`)", shown, count)
#define KERNEL_MEMBERS(X)                                                                                              \
    X("backend?", text, "the backend that the kernel was made for (with `--kernel`)", shown->backend)                  \
    X("lowering?", text, "the lowering that the kernel was made for (with `--kernel`)", shown->lowering)               \
    X("kernel?", text, "the text of the kernel (with `--kernel`)", text_string(&shown->text))
FIELD_EXTENDED(document_show, catalogue_test,
               TEXT_MEMBER(FIELD_ROW) BODIES_MEMBER(FIELD_ROW) KERNEL_MEMBERS(FIELD_ROW) EMITTED_MEMBER(FIELD_ROW){0})

static enum status shown_to_json(const struct litmus_test *test, const struct show_request *request, json_t *object,
                                 struct error *error)
{
    struct shown_kernel shown[COUNT(show_backends)];
    struct text text = {0};
    size_t count;
    TEXT_MEMBER(FIELD_SET)
    if (request->emitted) {
        TRY(show_add_emitted(test, request, &text, error));
        EMITTED_MEMBER(FIELD_SET)
        return STATUS_OK;
    }
    if (!request->backend && !request->body)
        return STATUS_OK;
    TRY(show_make_kernels(test, request, shown, &count, error));
    if (request->body) {
        BODIES_MEMBER(FIELD_SET)
    } else {
        KERNEL_MEMBERS(FIELD_SET)
    }
    show_release_kernels(shown, count);
    return STATUS_OK;
}

static int show_json(const char *verb, const struct selection *selection, const struct show_request *request)
{
    struct error error;
    json_t *array = json_array();
    for (size_t i = 0; i < selection->count; i++) {
        json_t *json = field_catalogue_test(&selection->tests[i], selection->tests[i].test);
        (void)json_array_append_new(array, json);
        if (shown_to_json(selection->tests[i].test, request, json, &error) != STATUS_OK) {
            json_decref(array);
            return request->emitted ? show_not_emitted(verb, selection->tests[i].test, &error)
                                    : show_no_kernel(verb, selection->tests[i].test, request->backend, &error);
        }
    }
    (void)json_print(JSON_SHOW, array); /* main reports errors of standard output */
    return 0;
}

static enum status show_execute(void *data, struct verb_call *call, struct error *error)
{
    const struct show_request *request = data;
    TRY(tests_take(call, &request->tests, NULL, error));
    call->code = request->json ? show_json(call->name, &call->selection, request)
                               : show_text(call->name, &call->selection, request);
    return STATUS_OK;
}

VERB_ENTRY(show, tests, (0),
           .no_arguments = "no test was named; expected a name of the catalogue, a glob or a .litmus file");
