// SPDX-License-Identifier: Apache-2.0
/* The targets that compilers compile for; compilers that are libraries of backends, and those that are rows. */
#include "inspect/compile/compilers.h"

#include <sys/wait.h>

#include "base/process.h"
#include "inspect/amdgcn/disassemble_amdgcn.h"
#include "inspect/compile/compiler_rows.h"

/* ---- targets ---- */

#define SCOPES (BACKEND_ALL_SCOPES & ~BACKEND_SCOPE_CLUSTER)

/* A device of which nothing is known but what its code can say. */
#define ANY_GPU(driver, kernels, size)                                                                                 \
    {                                                                                                                  \
        .backend = (driver), .name = "a GPU that is compiled for", .takes = (kernels), .gpu = true,                    \
        .atomic_orders = BACKEND_ALL_ORDERS, .atomic_scopes = SCOPES, .fence_orders = BACKEND_ALL_ORDERS,              \
        .fence_scopes = SCOPES, .types = BACKEND_ALL_TYPES, .compute_units = 100, .max_group_size = 1024,              \
        .edges = (1u << LAUNCH_EDGE_COUNT) - 1, .sub_group_size = (size), .memory_bytes = (uint64_t)1 << 34,           \
        .local_bytes = 48 * 1024                                                                                       \
    }

/* CUDA tests are compiled as HIP C++. */
#define AMD_KERNELS (BACKEND_TAKES_C11 | BACKEND_TAKES_CUDA)

/* Machines, with how their processors begin and the sizes of their sub-groups. */
static const struct {
    const char *name, *start;
    const char *modes[3];
    struct backend_device device;
} machines[] = {
    {"amdgcn",
     "gfx1",
     {"cumode", "tgsplit", NULL},
     ANY_GPU("opencl", AMD_KERNELS, 32)}, /* gfx10 and later: waves of 32 */
    {"amdgcn", "gfx", {"cumode", "tgsplit", NULL}, ANY_GPU("opencl", AMD_KERNELS, 64)},
    {"nvptx", "sm_", {NULL}, ANY_GPU("opencl", BACKEND_TAKES_C11 | BACKEND_TAKES_CUDA, 32)},
    {"spirv", "", {NULL}, ANY_GPU("vulkan", BACKEND_TAKES_GLSL, 32)}, /* one for all processors */
};

static bool is_name(const char *word, size_t length)
{
    if (ANY_OF(one, word, length, !isalnum((unsigned char)*one) && *one != '_' && *one != '-'))
        return false;
    return length > 0;
}

static bool read_mode(const char *const modes[3], const char *word, struct inspect_target *target)
{
    for (size_t i = 0; i < 3 && modes[i]; i++)
        if (strcmp(modes[i], word) == 0) {
            (void)snprintf(target->mode, sizeof target->mode, "%s", word);
            return true;
        }
    return false;
}

enum status inspect_target_read(const char *word, struct inspect_target *target, struct error *error)
{
    const char *processor = strchr(word, ':');
    *target = (struct inspect_target){0};
    for (size_t i = 0; !processor && i < COUNT(machines); i++)
        if (!machines[i].start[0] && strcmp(machines[i].name, word) == 0) {
            target->machine = machines[i].name;
            return STATUS_OK;
        }
    for (size_t i = 0; processor && i < COUNT(machines); i++) {
        const char *name = processor + 1;
        const size_t length = strcspn(name, ":");
        if (strlen(machines[i].name) != (size_t)(processor - word) ||
            strncmp(word, machines[i].name, (size_t)(processor - word)) != 0 ||
            strncmp(name, machines[i].start, strlen(machines[i].start)) != 0 || length >= sizeof target->processor ||
            !is_name(name, length))
            continue;
        target->machine = machines[i].name;
        memcpy(target->processor, name, length);
        if (!name[length] || read_mode(machines[i].modes, name + length + 1, target))
            return STATUS_OK;
    }
    return error_set(error, STATUS_USAGE,
                     "'%s' is not a target; expected MACHINE:PROCESSOR, such as amdgcn:gfx90a, amdgcn:gfx1030:cumode "
                     "or nvptx:sm_80, or spirv",
                     word);
}

void inspect_target_add(const struct inspect_target *target, struct text *text)
{
    text_add(text, "%s%s%s%s%s", target->machine, target->processor[0] ? ":" : "", target->processor,
             target->mode[0] ? ":" : "", target->mode);
}

const struct backend_device *inspect_target_device(const struct inspect_target *target)
{
    for (size_t i = 0; i < COUNT(machines); i++)
        if (strcmp(machines[i].name, target->machine) == 0 &&
            strncmp(target->processor, machines[i].start, strlen(machines[i].start)) == 0)
            return &machines[i].device;
    return NULL;
}

/* ---- libraries that a backend uses too ---- */

/* Each with the architecture for which it is asked for its version. */
static const struct compiler_library {
    const char *word, *backend, *architecture, *targets;
} libraries[] = {{"nvrtc", "cuda", "sm_90", "sm_70 to sm_90, with ptxas and nvdisasm"},
                 {"hiprtc", "hip", "gfx90a", "amdgcn, with llvm-objdump and llvm-dwarfdump"}};

static enum status library_version(const struct compiler_library *library, char version[128], struct error *error)
{
    const struct backend_source source = {.name = "version", .kernel = ""};
    struct backend_code code = {0};
    const enum status status =
        backend_find(library->backend)->compile_for(library->architecture, &source, &code, error);
    if (code.compiler[0])
        (void)snprintf(version, 128, "%s", code.compiler);
    backend_code_release(&code);
    return code.compiler[0] ? STATUS_OK : status;
}

static int hiprtc_try(const void *processor, UNUSED int output)
{
    const struct backend_source source = {.name = "empty", .kernel = ""};
    struct backend_code code = {0};
    struct error ignored; /* the exit code says it */
    return backend_find("hip")->compile_for(processor, &source, &code, &ignored) == STATUS_OK ? 0 : 1;
}

static enum status library_check(const struct compiler_library *library, const struct inspect_target *target,
                                 struct error *error)
{
    struct process process;
    if (strcmp(library->backend, "hip") != 0)
        return error_set(error, STATUS_USAGE,
                         "nvrtc takes --target sm_NN without --compiler, and cannot be compared with others");
    if (strcmp(target->machine, "amdgcn") != 0 || target->mode[0])
        return error_set(error, STATUS_UNSUPPORTED, "HIPRTC compiles for amdgcn only, in a processor's usual mode");
    (void)fflush(NULL);
    /* HIPRTC 5.2 crashes for a processor that it does not know. */
    if (!process_start(hiprtc_try, target->processor, &process))
        return error_set(error, STATUS_SYSTEM, "cannot start a process: %s", strerror(errno));
    const int ended = process_wait(&process);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_BUILD_FAILED, "HIPRTC %s %s: this version may not know it",
                     WIFSIGNALED(ended) ? "crashed when it compiled for" : "did not compile for", target->processor);
}

/* The kernel that the HIP backend runs, for an AMD GPU that need not be there. The code object is disassembled. */
static enum status hiprtc_compile(const struct inspect_target *target, const struct kernel *kernel, bool all_lines,
                                  struct compiled_kernel *compiled, struct error *error)
{
    struct backend_source source = kernel_backend_source(kernel, "inspected");
    struct backend_code code = {0}, twin = {0};
    bool needs_twin = false;
    enum status status = backend_find("hip")->compile_for(target->processor, &source, &code, error);
    source.apart_line = kernel->helpers_line;
    if (status == STATUS_OK && all_lines)
        status = backend_find("hip")->compile_for(target->processor, &source, &twin, error);
    THEN(status, disassemble_amdgcn(&code.bytes, all_lines ? &twin.bytes : NULL, kernel, target->processor,
                                    &compiled->code, &needs_twin, error));
    backend_code_release(&code);
    backend_code_release(&twin);
    compiled->machine = INSPECT_AMDGCN;
    compiled->first_line = 1;
    compiled->has_all_lines = !needs_twin;
    return status;
}

/* ---- programs, which are rows ---- */

/* The row of the target and of that kind of tests; NULL if there is none. */
static const struct compiler_row *find_row(const struct inspect_compiler *compiler, const char *machine, bool is_cuda)
{
    return FIRST_OF(row, compiler->rows, compiler->count,
                    strcmp(row->name, compiler->rows->name) == 0 && strcmp(row->output->target, machine) == 0 &&
                        row->language->is_cuda == is_cuda);
}

static const struct compiler_row *find_any_row(const struct inspect_compiler *compiler, const char *machine)
{
    const struct compiler_row *row = find_row(compiler, machine, false);
    return row ? row : find_row(compiler, machine, true);
}

/* The code of an object, whose instructions have all their lines unless some are of one clause. */
static enum status read_object(const struct text *object, const struct inspect_target *target,
                               const struct kernel *kernel, bool all_lines, struct compiled_kernel *compiled,
                               struct error *error)
{
    bool shares_lines = false;
    const enum status status =
        disassemble_amdgcn(object, NULL, kernel, target->processor, &compiled->code, &shares_lines, error);
    compiled->has_all_lines = !shares_lines;
    return status == STATUS_OK && shares_lines && all_lines
               ? error_set(error, STATUS_UNSUPPORTED,
                           "the accesses of a clause share one line of the object: expected output = amdgcn-assembly")
               : status;
}

static enum status row_compile(const struct compiler_row *row, const char *program, const struct inspect_target *target,
                               const struct kernel *kernel, bool all_lines, struct compiled_kernel *compiled,
                               struct error *error)
{
    const bool is_object = strcmp(row->output->word, "amdgcn-object") == 0;
    LOCAL(text) unit = {0}, code = {0}, said = {0};
    compiler_clang_add_unit(row, kernel, &unit, &compiled->first_line);
    enum status status = compiler_row_run(row, program, target, &unit, all_lines, &code, &said, error);
    const char *const text = text_string(&code);
    compiled->machine = row->output->machine;
    compiled->has_all_lines = all_lines || !row->keys[COMPILER_LINES];
    if (status == STATUS_OK && !text[strspn(text, " \t\r\n")])
        status = error_set(error, STATUS_BUILD_FAILED, "the compiler printed no %s",
                           row->output->machine == INSPECT_SPIRV || is_object ? "code" : "assembly");
    if (status == STATUS_OK && all_lines && row->keys[COMPILER_LINES] && strstr(text, "orchil:") &&
        !strstr(text_string(&said), "# Machine code for function orchil:"))
        status = error_set(error, STATUS_UNSUPPORTED,
                           "the compiler did not print the lines of instructions: expected `lines` to make LLVM print "
                           "the kernel (-print-after)");
    if (status == STATUS_OK && is_object)
        status = read_object(&code, target, kernel, all_lines, compiled, error);
    else if (status == STATUS_OK && row->language->innermost)
        compiler_clang_add_code(row, kernel, text, text_string(&said), &compiled->code);
    else if (status == STATUS_OK)
        text_add_bytes(&compiled->code, code.data, code.size);
    return status;
}

/* ---- all ---- */

enum status inspect_compiler_version(const struct inspect_compiler *compiler, char version[128], struct error *error)
{
    return compiler->library ? library_version(compiler->library, version, error)
                             : compiler_row_version(compiler->rows, compiler->program, version, error);
}

enum status inspect_compiler_check(const struct inspect_compiler *compiler, const struct inspect_target *target,
                                   struct error *error)
{
    if (compiler->library)
        return library_check(compiler->library, target, error);
    const struct compiler_row *row = find_any_row(compiler, target->machine);
    if (!row)
        return error_set(error, STATUS_UNSUPPORTED, "%s does not compile for the target %s", compiler->word,
                         target->machine);
    LOCAL(text) empty = {0}, code = {0}, said = {0};
    text_add(&empty, "%s", row->language->empty);
    return compiler_row_run(row, compiler->program, target, &empty, false, &code, &said, error);
}

bool inspect_compiler_takes(const struct inspect_compiler *compiler, const struct inspect_target *target, bool is_cuda)
{
    return compiler->library || find_row(compiler, target->machine, is_cuda);
}

enum status inspect_compiler_compile(const struct inspect_compiler *compiler, const struct inspect_target *target,
                                     bool is_cuda, const struct kernel *kernel, bool all_lines,
                                     struct compiled_kernel *compiled, struct error *error)
{
    if (compiler->library)
        return hiprtc_compile(target, kernel, all_lines, compiled, error);
    return row_compile(find_row(compiler, target->machine, is_cuda), compiler->program, target, kernel, all_lines,
                       compiled, error);
}

enum status inspect_compiler_find(const struct inspect_compilers *compilers, const char *word,
                                  struct inspect_compiler *compiler, struct error *error)
{
    LOCAL(text) names = {0};
    *compiler = (struct inspect_compiler){.word = word, .program = word};
    for (size_t i = 0; i < COUNT(libraries); i++)
        if (strcmp(libraries[i].word, word) == 0) {
            compiler->library = &libraries[i];
            return STATUS_OK;
        }
    const struct compiler_row *row = compiler_row_named(compilers->rows, compilers->count, word);
    const char *const named = row && row->keys[COMPILER_VARIABLE] ? getenv(row->keys[COMPILER_VARIABLE]) : NULL;
    if (row) {
        compiler->rows = row;
        compiler->count = compilers->count - (size_t)(row - compilers->rows);
        if (strcmp(row->name, word) == 0 && row->keys[COMPILER_PROGRAM])
            compiler->program = row->keys[COMPILER_PROGRAM];
        if (named && named[0])
            compiler->program = named;
        return STATUS_OK;
    }
    for (size_t i = compilers->built_in; i < compilers->count; i++)
        text_add(&names, ", %s", compilers->rows[i].name);
    (void)error_set(error, STATUS_USAGE,
                    "'%s' is not a compiler that orchil knows; expected nvrtc, hiprtc, glslang%s, or a clang such as "
                    "clang-19 or /opt/llvm/bin/clang",
                    word, text_string(&names));
    return STATUS_USAGE;
}

/* The targets of a compiler that is there: "spirv", and those of its processors that it knows. */
static void add_targets(const struct inspect_compiler *compiler, struct text *text)
{
    struct error ignored;
    if (compiler->library)
        text_add(text, "%s", compiler->library->targets);
    for (size_t m = 0; m < COUNT(machines) && !compiler->library; m++) {
        struct inspect_target target = {.machine = machines[m].name};
        const struct compiler_row *row = find_any_row(compiler, target.machine);
        const char *at = row && row->keys[COMPILER_PROCESSORS] ? row->keys[COMPILER_PROCESSORS] : "";
        char separator = ':';
        if (!row || (m > 0 && strcmp(machines[m - 1].name, target.machine) == 0))
            continue;
        text_add(text, "%s%s", text->size > 0 ? " " : "", target.machine);
        for (size_t size; size = strcspn(at, " "), *at; at += size + strspn(at + size, " ")) {
            (void)snprintf(target.processor, sizeof target.processor, "%.*s", (int)size, at);
            if (inspect_compiler_check(compiler, &target, &ignored) != STATUS_OK)
                continue;
            text_add(text, "%c%s", separator, target.processor);
            separator = ',';
        }
    }
}

void inspect_compilers_list(const struct inspect_compilers *compilers, struct table *table)
{
    struct text words = {0};
    LOCAL(arena) arena = {0};
    for (size_t i = 0; i < COUNT(libraries); i++)
        text_add(&words, "%s ", libraries[i].word);
    FOR_EACH(const struct compiler_row, row, compilers->rows, compilers->count)
        if (!text_has_word(text_string(&words), row->name, strlen(row->name)) && row->keys[COMPILER_VERSION])
            text_add(&words, "%s ", row->keys[COMPILER_INSTALLED] ? row->keys[COMPILER_INSTALLED] : row->name);
    const char *at = arena_keep(&arena, &words);
    for (size_t size; (size = strcspn(at, " ")) > 0; at += size + strspn(at + size, " ")) {
        struct inspect_compiler compiler;
        char version[128] = "absent";
        struct text targets = {0};
        struct error error;
        enum status status = inspect_compiler_find(compilers, arena_copy_part(&arena, at, size), &compiler, &error);
        THEN(status, inspect_compiler_version(&compiler, version, &error));
        if (status == STATUS_OK)
            add_targets(&compiler, &targets);
        TABLE_ADD_TEXTS(table, compiler.word, version, status == STATUS_OK ? text_string(&targets) : error.text);
        text_release(&targets);
    }
}
