// SPDX-License-Identifier: Apache-2.0
/* The functions that CUDA and HIP have in common: their addresses, names and errors. */
#include "backends/gpu/api.h"

/* As in NVIDIA's header: tests/backends/test_cuda_prototypes.c. */
_Static_assert(sizeof(struct CUlaunchAttribute_st) == 72 && offsetof(struct CUlaunchAttribute_st, value.cluster) == 8,
               "attribute");
_Static_assert(sizeof(struct CUlaunchConfig_st) == 56 && offsetof(struct CUlaunchConfig_st, stream) == 32 &&
                   offsetof(struct CUlaunchConfig_st, attributes) == 40 &&
                   offsetof(struct CUlaunchConfig_st, attribute_count) == 48,
               "configuration");
_Static_assert(sizeof(struct CUDA_KERNEL_NODE_PARAMS_v2_st) == 72 &&
                   offsetof(struct CUDA_KERNEL_NODE_PARAMS_v2_st, parameters) == 40 &&
                   offsetof(struct CUDA_KERNEL_NODE_PARAMS_v2_st, kernel) == 56,
               "node");

#define ERROR_ROW(name, value, loss) {(value), (loss)},
static const struct {
    unsigned code;
    bool loss;
} error_codes[] = {CUDA_ERRORS(ERROR_ROW)};

struct named_function {
    const char *cuda, *hip;
    size_t offset;
};
#define FUNCTION_ROW(result, name, cuda, hip, parameters) {#cuda, #hip, offsetof(struct gpu_api, name)},
#define NAME_ROW(result, name, cuda, hip, parameters) {#name, #hip, 0},
static const struct named_function usual[] = {GPU_FUNCTIONS(FUNCTION_ROW)};
static const struct named_function graphs[] = {GPU_GRAPH_FUNCTIONS(FUNCTION_ROW)};
static const struct named_function sharing[] = {GPU_SHARE_FUNCTIONS(FUNCTION_ROW)};
static const struct named_function maps[] = {GPU_MAP_FUNCTIONS(FUNCTION_ROW)};
static const struct named_function names[] = {GPU_FUNCTIONS(NAME_ROW) GPU_GRAPH_FUNCTIONS(NAME_ROW)
                                                  GPU_SHARE_FUNCTIONS(NAME_ROW) GPU_MAP_FUNCTIONS(NAME_ROW)};
#define COMPILER_ROW(result, name, cuda, hip, parameters) {#cuda, #hip, offsetof(struct gpu_compiler, name)},
static const struct named_function of_compilers[] = {GPU_COMPILER_FUNCTIONS(COMPILER_ROW)};

static const char *load(void *handle, void *table, bool is_hip, const struct named_function *functions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct driver_symbol symbol = {is_hip ? functions[i].hip : functions[i].cuda, functions[i].offset};
        const char *missing = driver_load_symbols(handle, table, &symbol, 1);
        if (missing)
            return missing;
    }
    return NULL;
}

static const char *api_load(struct gpu_api *api, const struct named_function *functions, size_t count)
{
    return load(api->handle, api, api->driver->is_hip, functions, count);
}

const char *gpu_load_functions(struct gpu_api *api)
{
    const char *missing = api_load(api, usual, COUNT(usual));
    if (api_load(api, graphs, COUNT(graphs)))
        api->cuGraphCreate = NULL;
    if (api_load(api, sharing, COUNT(sharing)))
        api->cuMemHostRegister = NULL;
    if (api_load(api, maps, COUNT(maps)))
        api->cuMemMap = NULL;
    return missing;
}

const char *gpu_function_name(const struct gpu_api *api, const char *call)
{
    for (size_t i = 0; api->driver->is_hip && i < COUNT(names); i++)
        if (strcmp(names[i].cuda, call) == 0)
            return names[i].hip;
    return call;
}

bool gpu_error_is_loss(unsigned code)
{
    return VALUE_OF(bool, error_code, error_codes, COUNT(error_codes), error_code->code == code, error_code->loss,
                    false);
}

const char *gpu_error_name(const struct gpu_api *api, unsigned code)
{
    const char *name = NULL;
    if (api->cuGetErrorName(code, &name) != 0 || !name)
        return api->driver->is_hip ? "an unknown HIP error" : "an unknown CUDA error";
    return name;
}

enum status gpu_call_failed(const struct gpu_api *api, const struct backend_device *device, const char *call,
                            unsigned code, struct error *error)
{
    const char *lost = gpu_error_is_loss(code) ? "this process can no longer use it" : NULL;
    return driver_call_failed(device, gpu_function_name(api, call), gpu_error_name(api, code), lost, error);
}

unsigned gpu_attribute(const struct gpu_api *api, int id, enum cuda_constant attribute)
{
    int value = 0;
    return api->cuDeviceGetAttribute(&value, (unsigned)attribute, id) == 0 && value > 0 ? (unsigned)value : 0;
}

/* ---- compilers ---- */

bool gpu_load_compiler(struct gpu_compiler *compiler)
{
    return !load(compiler->handle, compiler, compiler->is_hip, of_compilers, COUNT(of_compilers)) &&
           compiler->version(&compiler->major, &compiler->minor) == 0;
}

enum status gpu_compiler_failed(const struct gpu_compiler *compiler, const char *call, unsigned code,
                                struct error *error)
{
    for (size_t i = 0; compiler->is_hip && i < COUNT(of_compilers); i++)
        if (strcmp(of_compilers[i].cuda, call) == 0)
            call = of_compilers[i].hip;
    return error_set(error, STATUS_BUILD_FAILED, "%s of %s %d.%d failed: %s", call,
                     compiler->is_hip ? "HIPRTC" : "NVRTC", compiler->major, compiler->minor,
                     compiler->error_name(code));
}

/* Appends the code, or the output without its NUL. */
static enum status read_bytes(const struct gpu_compiler *compiler, gpu_unit unit, bool log, struct text *text,
                              struct error *error)
{
    size_t size = 0;
    unsigned code = (log ? compiler->log_size : compiler->code_size)(unit, &size);
    if (code != 0)
        return gpu_compiler_failed(compiler, log ? "nvrtcGetProgramLogSize" : "nvrtcGetPTXSize", code, error);
    FREED char *bytes = memory_take(size + 1, 1);
    if (size > 0)
        code = (log ? compiler->log : compiler->code)(unit, bytes);
    if (code == 0)
        text_add_bytes(text, bytes, log ? strlen(bytes) : size);
    return code == 0 ? STATUS_OK
                     : gpu_compiler_failed(compiler, log ? "nvrtcGetProgramLog" : "nvrtcGetPTX", code, error);
}

enum status gpu_compile(const struct gpu_compiler *compiler, const struct gpu_text *text, struct text *code,
                        struct text *log, struct error *error)
{
    gpu_unit unit = NULL;
    const size_t log_start = log->size;
    unsigned result =
        compiler->create(&unit, text->source, text->name, text->header != NULL, &text->header, &text->header_name);
    if (result != 0)
        return gpu_compiler_failed(compiler, "nvrtcCreateProgram", result, error);
    LOCAL(arena) arena = {0};
    const char **options = NULL;
    size_t count = 0;
    for (size_t i = 0; text->folders && text->folders[i]; i++) /* before those of libraries */
        ARENA_ADD(&arena, options, count) = arena_print(&arena, "-I%s", text->folders[i]);
    for (int i = 0; i < text->option_count; i++)
        ARENA_ADD(&arena, options, count) = text->options[i];
    result = compiler->compile(unit, (int)count, options);
    enum status status = read_bytes(compiler, unit, true, log, error);
    if (status == STATUS_OK && result != 0) {
        const char *const said = text_string(log) + log_start, *first = strstr(said, "error: ");
        while (first && first > said && first[-1] != '\n')
            first--;
        status = error_set(error, STATUS_BUILD_FAILED, "%s %d.%d refused the kernel for %s: %s%s%.*s",
                           compiler->is_hip ? "HIPRTC" : "NVRTC", compiler->major, compiler->minor, text->architecture,
                           compiler->error_name(result), first ? ": " : "", first ? (int)strcspn(first, "\n") : 0,
                           first ? first : "");
        error_set_detail(error, said);
    }
    THEN(status, read_bytes(compiler, unit, false, code, error));
    (void)compiler->destroy(&unit);
    return status;
}
