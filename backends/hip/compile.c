// SPDX-License-Identifier: Apache-2.0
/* HIPRTC: its options, its output, the code object. */
#include "backends/hip/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* HIPRTC names the file of a program only in its messages. */
#define SOURCE_NAME "orchil.hip"

static enum status hiprtc_failed(const struct hiprtc *hiprtc, const char *call, unsigned code, struct error *error)
{
    return error_set(error, STATUS_BUILD_FAILED, "%s of HIPRTC %d.%d failed: %s", call, hiprtc->major, hiprtc->minor,
                     hiprtc->hiprtcGetErrorString(code));
}

/* Appends what two functions of HIPRTC give: the size, and that many bytes. */
static enum status read_bytes(const struct hiprtc *hiprtc, struct _hiprtcProgram *program, const char *call,
                              unsigned (*read_size)(struct _hiprtcProgram *, size_t *),
                              unsigned (*read)(struct _hiprtcProgram *, char *), struct text *text, struct error *error)
{
    size_t size = 0;
    unsigned code = read_size(program, &size);
    if (code == 0 && size == 0)
        return STATUS_OK;
    char *bytes = memory_take(size + 1, 1);
    if (code == 0)
        code = read(program, bytes);
    if (code == 0)
        text_add_bytes(text, bytes, size);
    free(bytes);
    return code == 0 ? STATUS_OK : hiprtc_failed(hiprtc, call, code, error);
}

static enum status read_log(const struct hiprtc *hiprtc, struct _hiprtcProgram *program, struct text *log,
                            struct error *error)
{
    struct text said = {0};
    const enum status status = read_bytes(hiprtc, program, "hiprtcGetProgramLog", hiprtc->hiprtcGetProgramLogSize,
                                          hiprtc->hiprtcGetProgramLog, &said, error);
    text_add(log, "%s", text_string(&said)); /* without its NUL */
    text_release(&said);
    return status;
}

static const char *find_line(const char *text, unsigned line)
{
    for (unsigned i = 1; i < line && *text; i++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

/* Appends the test's helpers. The body of each starts with "{" on a line of its own. */
static void add_helpers(const char *helpers, const char *end, struct text *text)
{
    while (helpers < end) {
        const size_t length = strcspn(helpers, "\n");
        text_add_bytes(text, helpers, length);
        text_add(text, length == 1 && *helpers == '{' ? " struct access_ends ends;\n" : "\n");
        helpers += length + 1;
    }
}

/* Appends the threads' functions and the rest of the kernel. Each thread is called on a line of its own. */
static void add_threads(const char *functions, struct text *text)
{
    static const char call[] = "        play_";
    unsigned slot = 0;
    for (const char *at = functions; *at;) {
        const size_t length = strcspn(at, "\n");
        const bool calls = length > sizeof call && memcmp(at, call, sizeof call - 1) == 0 && at[length - 1] == ';';
        text_add_bytes(text, at, calls ? length - 1 : length);
        if (calls)
            text_add(text, ", thread_ends<%u>();", slot++);
        text_add(text, "\n");
        at += length + (at[length] == '\n');
    }
}

/* Appends the kernel's text with its own lines. The prelude's FUNCTION has no line information; that of
 * the threads' functions has. */
static void add_kernel(const struct backend_source *source, struct text *text)
{
    const char *kernel = source->kernel, *functions = find_line(kernel, source->functions_line);
    const char *helpers = source->apart_line > 0 ? find_line(kernel, source->apart_line) : functions;
    text_add(text, "#line 1 \"orchil-kernel\"\n");
    text_add_bytes(text, kernel, (size_t)(helpers - kernel));
    add_helpers(helpers, functions, text);
    if (functions > kernel)
        text_add(text,
                 "#undef FUNCTION\n#define FUNCTION static DEVICE inline __attribute__((always_inline))\n#line %u\n",
                 source->functions_line);
    add_threads(functions, text);
}

enum status hip_compile(const struct hiprtc *hiprtc, const char *processor, const struct backend_source *source,
                        struct backend_code *code, struct error *error)
{
    char target[80];
    struct text unit = {0};
    struct _hiprtcProgram *program = NULL;
    const size_t log_start = code->log.size;
    (void)snprintf(target, sizeof target, "--offload-arch=%s", processor);
    /* The last two: no instruction is of two threads, which are branches of one kernel. */
    const char *options[] = {target,   "-std=c++17",
                             "-O3",    "-gline-tables-only",
                             "-mllvm", "-use-unknown-locations=Enable",
                             "-mllvm", "-sink-common-insts=false",
                             "-mllvm", "-enable-tail-merge=false"};
    const int option_count = sizeof options / sizeof *options;
    for (int i = 0, length = 0; i < option_count; i++)
        length += snprintf(code->options + length, sizeof code->options - (size_t)length, "%s%s", i > 0 ? " " : "",
                           options[i]);
    (void)snprintf(code->compiler, sizeof code->compiler, "HIPRTC %d.%d", hiprtc->major, hiprtc->minor);
    (void)snprintf(code->target, sizeof code->target, "%.63s", processor);
    text_add(&unit, "%s", hip_prelude);
    add_kernel(source, &unit);
    /* The prelude has libcu++'s words: the header that kernels include for CUDA is empty. */
    const char *headers[] = {"// the prelude has its words\n"}, *header_names[] = {"cuda/atomic"};
    unsigned result = hiprtc->hiprtcCreateProgram(&program, text_string(&unit), SOURCE_NAME, 1, headers, header_names);
    text_release(&unit);
    if (result != 0)
        return hiprtc_failed(hiprtc, "hiprtcCreateProgram", result, error);
    result = hiprtc->hiprtcCompileProgram(program, option_count, options);
    enum status status = read_log(hiprtc, program, &code->log, error);
    if (status == STATUS_OK && result != 0) {
        status = error_set(error, STATUS_BUILD_FAILED, "HIPRTC %d.%d refused the kernel for %s: %s", hiprtc->major,
                           hiprtc->minor, processor, hiprtc->hiprtcGetErrorString(result));
        error_set_detail(error, text_string(&code->log) + log_start);
    }
    if (status == STATUS_OK)
        status = read_bytes(hiprtc, program, "hiprtcGetCode", hiprtc->hiprtcGetCodeSize, hiprtc->hiprtcGetCode,
                            &code->bytes, error);
    (void)hiprtc->hiprtcDestroyProgram(&program);
    code->portable = code->bytes.size;
    return status;
}
