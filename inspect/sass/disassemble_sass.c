// SPDX-License-Identifier: Apache-2.0
/* Runs ptxas and nvdisasm. */
#include "inspect/sass/disassemble_sass.h"

#include "base/tool.h"
#include "listing/listing.h"

enum { SECONDS = 120, MAXIMUM_BYTES = 256 << 20 };

/* ---- the programs ---- */

enum status sass_find_tools(struct error *error)
{
    char path[PATH_MAX];
    TRY(tool_find_cuda("ptxas", path, error));
    return tool_find_cuda("nvdisasm", path, error);
}

enum status sass_of_code(const char *code, size_t size, struct text *sass, struct error *error)
{
    char program[PATH_MAX];
    struct memory_file file;
    TRY(tool_find_cuda("nvdisasm", program, error));
    TRY(memory_file_make(code, size, &file, error));
    const char *const arguments[] = {program, "-c", "-gp", file.path, NULL};
    const enum status status = tool_run(arguments, SECONDS, MAXIMUM_BYTES, sass, error);
    memory_file_close(&file);
    return status;
}

static enum status assemble(const struct text *ptx, const char *architecture, struct text *code, struct error *error)
{
    char program[PATH_MAX];
    LOCAL(text) output = {0};
    struct memory_file in, out;
    TRY(tool_find_cuda("ptxas", program, error));
    TRY(memory_file_make(text_string(ptx), ptx->size, &in, error));
    enum status status = memory_file_make("", 0, &out, error);
    if (status == STATUS_OK) {
        const char *const arguments[] = {
            program, "--generate-line-info", "-arch", architecture, "-o", out.path, in.path, NULL};
        status = tool_run(arguments, SECONDS, MAXIMUM_BYTES, &output, error);
        if (status == STATUS_SYSTEM)
            status = error_set(error, STATUS_BUILD_FAILED, "ptxas refuses the kernel for %s: run '%s -arch %s' on it",
                               architecture, program, architecture);
        THEN(status, memory_file_read(&out, MAXIMUM_BYTES, code, error));
        memory_file_close(&out);
    }
    memory_file_close(&in);
    return status;
}

/* ---- several kernels in one module ---- */

/* Where a module's list of files and its strings begin; readers of line information need them only once. */
static size_t code_length(const char *ptx)
{
    const char *end = strstr(ptx, "\n\t.file\t");
    return end ? (size_t)(end + 1 - ptx) : strlen(ptx);
}

/* Appends a line, whose strings are all replaced by the module's only one. */
static void add_code_line(const char *line, size_t length, size_t number, struct text *module)
{
    static const char entry[] = ".entry orchil(", string[] = "$L__info_string";
    for (size_t at = 0; at < length;) {
        const char *rest = line + at;
        if (listing_text_starts(rest, entry)) {
            text_add(module, ".entry orchil_%zu(", number);
            at += sizeof entry - 1;
        } else if (listing_text_starts(rest, string)) {
            text_add(module, "%s0", string);
            at += sizeof string - 1;
            at += strspn(line + at, "0123456789");
        } else {
            text_add_bytes(module, rest, 1);
            at++;
        }
    }
}

/* Whether a directive is already in the module: its version, target, address size and common local memory come once, as
 * do variables that kernels declare alike. Repeated ones become empty lines, so that line numbers stay right. */
static bool is_said_already(const char *line, size_t length, size_t number, const struct text *module)
{
    return number > 0 && (text_starts_with(".version .target .address_size .extern", line) > 0 ||
                          (text_starts_with(".const .global .visible", line) > 0 &&
                           memmem(module->data, module->size, line, length + 1)));
}

static unsigned version_of(const char *ptx)
{
    const char *at = strstr(ptx, ".version ");
    unsigned major = 0, minor = 0;
    return at && sscanf(at, ".version %3u.%1u", &major, &minor) == 2 ? 10 * major + minor : 0;
}

static void add_kernel(const struct sass_kernel *kernel, size_t number, unsigned version, struct text *module)
{
    const size_t end = code_length(kernel->ptx);
    for (size_t at = 0; at < end;) {
        const char *line = kernel->ptx + at;
        const size_t rest = strcspn(line, "\n"), length = rest < end - at ? rest : end - at;
        if (listing_text_starts(line, ".version") && number == 0)
            text_add(module, ".version %u.%u", version / 10, version % 10);
        else if (!is_said_already(line, length, number, module))
            add_code_line(line, length, number, module);
        text_add(module, "\n");
        at += length + 1;
    }
}

/* Gives each kernel its part of nvdisasm's output: "//------ .text.orchil_3 ------" and what follows. */
static enum status split(struct sass_kernel *kernels, size_t count, const struct text *all, struct error *error)
{
    static const char title[] = "\n//---------------------";
    for (size_t i = 0; i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, " .text.orchil_%zu ", i);
        const char *at = strstr(text_string(all), name);
        if (!at)
            return error_set(error, STATUS_SYNTAX, "nvdisasm printed nothing for kernel %zu of %zu", i, count);
        const char *end = strstr(at, title);
        at += strcspn(at, "\n");
        text_add_bytes(&kernels[i].sass, at, end ? (size_t)(end - at) : strlen(at));
        text_add(&kernels[i].sass, "\n");
    }
    return STATUS_OK;
}

enum status sass_of_ptx(struct sass_kernel *kernels, size_t count, const char *architecture, struct error *error)
{
    LOCAL(text) module = {0}, code = {0}, all = {0};
    unsigned line = 1, version = 0;
    for (size_t i = 0; i < count; i++)
        version = version_of(kernels[i].ptx) > version ? version_of(kernels[i].ptx) : version;
    size_t counted = 0;
    for (size_t i = 0; i < count; i++) {
        kernels[i].first_line = line;
        add_kernel(&kernels[i], i, version, &module);
        for (; counted < module.size; counted++)
            line += module.data[counted] == '\n';
    }
    text_add(&module, "\t.file\t1 \"/orchil.cu\"\n\t.section\t.debug_str\n\t{\n$L__info_string0:\n.b8 0\n\t}\n");
    enum status status = assemble(&module, architecture, &code, error);
    THEN(status, sass_of_code(text_string(&code), code.size, &all, error));
    THEN(status, split(kernels, count, &all, error));
    return status;
}
