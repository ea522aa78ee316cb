// SPDX-License-Identifier: Apache-2.0
/* The table of compilers, the targets that they compile for, and the compilers that backends use too. */
#include "inspect/compile/compilers.h"

#include <ctype.h>
#include <errno.h>
#include <sys/wait.h>

#include "base/process.h"
#include "inspect/amdgcn/disassemble_amdgcn.h"

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
    {"nvptx", "sm_", {NULL}, ANY_GPU("opencl", BACKEND_TAKES_C11, 32)},
    {"spirv", "", {NULL}, ANY_GPU("vulkan", BACKEND_TAKES_GLSL, 32)}, /* one for all processors */
};

static bool compilers_is_name(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)word[i]) && word[i] != '_' && word[i] != '-')
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
    for (size_t i = 0; !processor && i < sizeof machines / sizeof *machines; i++)
        if (!machines[i].start[0] && strcmp(machines[i].name, word) == 0) {
            target->machine = machines[i].name;
            return STATUS_OK;
        }
    for (size_t i = 0; processor && i < sizeof machines / sizeof *machines; i++) {
        const char *name = processor + 1;
        const size_t length = strcspn(name, ":");
        if (strlen(machines[i].name) != (size_t)(processor - word) ||
            strncmp(word, machines[i].name, (size_t)(processor - word)) != 0 ||
            strncmp(name, machines[i].start, strlen(machines[i].start)) != 0 || length >= sizeof target->processor ||
            !compilers_is_name(name, length))
            continue;
        target->machine = machines[i].name;
        memcpy(target->processor, name, length);
        if (!name[length] || read_mode(machines[i].modes, name + length + 1, target))
            return STATUS_OK;
    }
    return error_set(error, STATUS_USAGE,
                     "'%s' is no target; expected a machine and a processor: amdgcn:gfx90a, amdgcn:gfx1030:cumode, "
                     "nvptx:sm_80; or spirv",
                     word);
}

void inspect_target_add(const struct inspect_target *target, struct text *text)
{
    text_add(text, "%s%s%s%s%s", target->machine, target->processor[0] ? ":" : "", target->processor,
             target->mode[0] ? ":" : "", target->mode);
}

const struct backend_device *inspect_target_device(const struct inspect_target *target)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (strcmp(machines[i].name, target->machine) == 0 &&
            strncmp(target->processor, machines[i].start, strlen(machines[i].start)) == 0)
            return &machines[i].device;
    return NULL;
}

/* ---- compilers that a backend uses too ---- */

/* Each with the empty kernel that it compiles to be asked for its version. */
static const struct library {
    const char *word, *backend, *architecture, *empty;
} libraries[] = {
    {"nvrtc", "cuda", "sm_90", ""},
    {"hiprtc", "hip", "gfx90a", ""},
    {INSPECT_GLSLANG, "vulkan", "", "void main() {}\n"},
};

static enum status library_version(const char *word, char version[128], struct error *error)
{
    const struct library *library = libraries;
    while (strcmp(library->word, word) != 0)
        library++;
    const struct backend_source source = {.name = "version", .kernel = library->empty};
    struct backend_code code = {0};
    const enum status status =
        backend_find(library->backend)->compile_for(library->architecture, &source, &code, error);
    if (code.compiler[0])
        (void)snprintf(version, 128, "%s", code.compiler);
    backend_code_release(&code);
    return code.compiler[0] ? STATUS_OK : status;
}

static enum status nvrtc_check(const char *word, const struct inspect_target *target, struct error *error)
{
    (void)word;
    (void)target;
    return error_set(error, STATUS_USAGE,
                     "nvrtc takes --architecture sm_NN instead of --target, and is not compared with others");
}

static const struct inspect_compiler_kind nvrtc = {.words = {"nvrtc"},
                                                   .version = library_version,
                                                   .targets = "sm_70 to sm_90, with ptxas and nvdisasm",
                                                   .check = nvrtc_check};

static int hiprtc_try(const void *processor, int output)
{
    const struct backend_source source = {.name = "empty", .kernel = ""};
    struct backend_code code = {0};
    struct error ignored; /* the exit code says it */
    (void)output;
    return backend_find("hip")->compile_for(processor, &source, &code, &ignored) == STATUS_OK ? 0 : 1;
}

static enum status hiprtc_check(const char *word, const struct inspect_target *target, struct error *error)
{
    struct process process;
    (void)word;
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
static enum status hiprtc_compile(const char *word, const struct inspect_target *target, const struct kernel *kernel,
                                  bool all_lines, struct compiled_kernel *compiled, struct error *error)
{
    struct backend_source source = {
        .name = "inspected", .kernel = kernel->source, .functions_line = kernel->functions_line};
    struct backend_code code = {0}, twin = {0};
    bool needs_twin = false;
    (void)word;
    enum status status = backend_find("hip")->compile_for(target->processor, &source, &code, error);
    source.apart_line = kernel->helpers_line;
    if (status == STATUS_OK && all_lines)
        status = backend_find("hip")->compile_for(target->processor, &source, &twin, error);
    if (status == STATUS_OK)
        status = disassemble_amdgcn(&code.bytes, all_lines ? &twin.bytes : NULL, kernel, target->processor,
                                    &compiled->code, &needs_twin, error);
    backend_code_release(&code);
    backend_code_release(&twin);
    compiled->machine = INSPECT_AMDGCN;
    compiled->first_line = 1;
    compiled->has_all_lines = !needs_twin;
    return status;
}

static const struct inspect_compiler_kind hiprtc = {.words = {"hiprtc"},
                                                    .version = library_version,
                                                    .targets = "amdgcn, with llvm-objdump and llvm-dwarfdump",
                                                    .check = hiprtc_check,
                                                    .compile = hiprtc_compile};

static enum status glslang_check(const char *word, const struct inspect_target *target, struct error *error)
{
    return strcmp(target->machine, "spirv") == 0
               ? STATUS_OK
               : error_set(error, STATUS_UNSUPPORTED, "%s compiles for the target spirv alone", word);
}

/* -g gives every instruction its line. */
static enum status glslang_compile(const char *word, const struct inspect_target *target, const struct kernel *kernel,
                                   bool all_lines, struct compiled_kernel *compiled, struct error *error)
{
    const struct backend_source source = {.name = "the test", .kernel = kernel->source};
    struct backend_code code = {0};
    (void)word, (void)target, (void)all_lines;
    enum status status = backend_find("vulkan")->compile_for("", &source, &code, error);
    if (status == STATUS_OK)
        text_add_bytes(&compiled->code, code.bytes.data, code.bytes.size);
    backend_code_release(&code);
    compiled->machine = INSPECT_SPIRV;
    compiled->first_line = kernel_unit_line(backend_find("vulkan"), 1);
    compiled->has_all_lines = true;
    return status;
}

const struct inspect_compiler_kind inspect_compiler_glslang = {.words = {INSPECT_GLSLANG},
                                                               .version = library_version,
                                                               .targets = "spirv",
                                                               .check = glslang_check,
                                                               .compile = glslang_compile};

/* ---- the table ---- */

const struct inspect_compiler_kind *const inspect_compiler_kinds[] = {&nvrtc, &hiprtc, &inspect_compiler_clang,
                                                                      &inspect_compiler_glslang, NULL};

enum status inspect_compiler_find(const char *word, const struct inspect_compiler_kind **kind, struct error *error)
{
    for (size_t i = 0; inspect_compiler_kinds[i]; i++) {
        *kind = inspect_compiler_kinds[i];
        if ((*kind)->owns ? (*kind)->owns(word) : strcmp((*kind)->words[0], word) == 0)
            return STATUS_OK;
    }
    return error_set(
        error, STATUS_USAGE,
        "'%s' is no compiler that orchil knows; expected nvrtc, hiprtc, glslang, or a clang such as clang-19 "
        "or /opt/llvm/bin/clang",
        word);
}
