// SPDX-License-Identifier: Apache-2.0
/*
 * Runs glslang. Its library has no stable interface in C, and shaderc's library, which has one,
 * cannot be opened in Debian 12: it lacks the functions of glslang that it calls.
 */
#include "backends/vulkan/glsl.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tool.h"

enum { MOST_BYTES = 16 << 20, MOST_SAID = 1 << 20 };

static const double most_seconds = 120;

/* Debian's and Ubuntu's name; ORCHIL_GLSLANG is another program. */
static const char *program(void)
{
    const char *named = getenv("ORCHIL_GLSLANG");
    return named && named[0] ? named : "glslangValidator";
}

static pthread_once_t described = PTHREAD_ONCE_INIT;
static char description[64];

static void describe(void)
{
    static const char label[] = "Glslang Version: ";
    const char *const arguments[] = {program(), "--version", NULL};
    struct text said = {0};
    struct error ignored; /* then there is no compiler, which glsl_compile reports */
    if (tool_run(arguments, 10, MOST_SAID, &said, &ignored) == STATUS_OK) {
        const char *version = strstr(text_string(&said), label);
        version = version ? version + strlen(label) : "";
        (void)snprintf(description, sizeof description, "glslang %.*s", (int)strcspn(version, "\n"), version);
    }
    text_release(&said);
}

void glsl_describe(char *compiler, size_t size)
{
    (void)pthread_once(&described, describe);
    (void)snprintf(compiler, size, "%s", description);
}

/* With GLSL_OPTIONS. */
static enum status run(const struct memory_file *source, const struct memory_file *binary, struct text *log,
                       struct error *error)
{
    const char *const arguments[] = {program(), "--target-env", "vulkan1.2",  "-S",         "comp", "-g",
                                     "-Od",     "-o",           binary->path, source->path, NULL};
    return tool_run_heard(arguments, most_seconds, MOST_BYTES, log, log, error);
}

/*
 * GLSL lets buffers be the same memory; glslang does not say so. Without the decoration Aliased, a driver may take variables for
 * separate memory (SPIR-V, "Aliasing"), and the names of test memory are one. Adds it where a variable gets its binding.
 */
static void mark_aliased(const struct text *module, struct text *marked)
{
    enum { HEAD = 5, DECORATE = 71, ALIASED = 20, BINDING = 33 };
    uint32_t words[4];
    for (size_t at = 0, count; module->size - at >= sizeof *words; at += count * sizeof *words) {
        memcpy(words, module->data + at, sizeof *words);
        count = at == 0 ? HEAD : words[0] >> 16;
        if (count == 0 || count > (module->size - at) / sizeof *words)
            count = (module->size - at) / sizeof *words; /* no instruction: what is left stays as it is */
        text_add_bytes(marked, module->data + at, count * sizeof *words);
        if (count != 4 || (words[0] & 0xffff) != DECORATE)
            continue;
        memcpy(words, module->data + at, sizeof words);
        if (words[2] == BINDING) {
            const uint32_t decoration[] = {3U << 16 | DECORATE, words[1], ALIASED};
            text_add_bytes(marked, (const char *)decoration, sizeof decoration);
        }
    }
}

static enum status read_module(const struct memory_file *binary, struct text *bytes, struct error *error)
{
    struct text module = {0}, marked = {0};
    const enum status status = memory_file_read(binary, MOST_BYTES, &module, error);
    if (status == STATUS_OK)
        mark_aliased(&module, &marked);
    if (status == STATUS_OK)
        text_add_bytes(bytes, marked.data, marked.size);
    text_release(&module);
    text_release(&marked);
    return status;
}

static enum status compile(const char *name, const struct memory_file *source, struct text *bytes, struct text *log,
                           struct error *error)
{
    struct memory_file binary;
    const size_t start = log->size;
    TRY(memory_file_make("", 0, &binary, error));
    enum status status = run(source, &binary, log, error);
    if (status == STATUS_OK)
        status = read_module(&binary, bytes, error);
    else if (status == STATUS_UNSUPPORTED)
        (void)error_set(error, status,
                        "there is no %s on PATH to compile kernels for Vulkan: install glslang-tools, or replay saved "
                        "kernels (--kernels)",
                        program());
    else if (status == STATUS_SYSTEM) {
        status = error_set(error, STATUS_BUILD_FAILED, "%s refused the kernel of %s", program(), name);
        error_set_detail(error, text_string(log) + start);
    }
    memory_file_close(&binary);
    return status;
}

enum status glsl_compile(const char *name, const char *text, size_t size, struct text *bytes, struct text *log,
                         struct error *error)
{
    struct memory_file source;
    TRY(memory_file_make(text, size, &source, error));
    const enum status status = compile(name, &source, bytes, log, error);
    memory_file_close(&source);
    return status;
}
