// SPDX-License-Identifier: Apache-2.0
/* The CUDA backend: its devices, compiling for a session, and loading what was compiled. backends/gpu/ does the
 * rest. */
#include "backends/cuda/cuda.h"

#include "backends/cuda/nvml.h"
#include "backends/cuda/ptx.h"
#include "backends/gpu/paths.h"
#include "backends/gpu/play.h"
#include "backends/gpu/session.h"

/* The oldest architectures with the PTX memory model and with clusters. */
enum { CUDA_OLDEST = 70, CUDA_CLUSTERS = 90 };

enum { CUDA_CLUSTER_GROUPS = 8 }; /* blocks in a cluster that all devices with clusters support (CUDA C++ guide) */

/* ---- libcu++ ---- */

static const struct {
    const char *variable; /* NULL: none; "": the folder of NVRTC */
    const char *folder;   /* below it: the headers of a toolkit */
} places[] = {
    {"CUDA_INC_PATH", ""},
    {"CUDA_HOME", "/include"},
    {"CUDA_PATH", "/include"},
    {"", "/../include"},              /* a toolkit, or targets/x86_64-linux in one */
    {"", "/../../cuda_cccl/include"}, /* pip's nvidia-cuda-cccl, installed next to its nvidia-cuda-nvrtc */
    {NULL, "/usr/local/cuda/include"},
    {NULL, "/usr/include"},
};

/* Subfolders that may contain libcu++ in a folder of headers: since CUDA 13 it has its own. */
static const char *const parts[] = {"/cccl", ""};

/* Writes the start of a place's path; false if it has none. */
static bool place_start(size_t place, const struct gpu_compiler *nvrtc, char start[CUDA_HEADERS_PATH])
{
    const char *const variable = places[place].variable;
    const char *value = !variable ? "" : *variable ? getenv(variable) : driver_library_path(nvrtc->handle);
    if (!value || (variable && !*value))
        return false;
    (void)snprintf(start, CUDA_HEADERS_PATH, "%s", value);
    char *const slash = strrchr(start, '/');
    if (variable && !*variable && slash)
        *slash = '\0';
    return true;
}

static bool is_here(const char *start, const char *folder, const char *part, struct cuda_headers *headers)
{
    int length = snprintf(headers->folder, sizeof headers->folder, "%s%s%s", start, folder, part);
    if (length < 0 || (size_t)length >= sizeof headers->folder)
        return false;
    const char *const file = PRINTED(CUDA_HEADERS_PATH + 16, "%s/cuda/atomic", headers->folder);
    if (access(file, R_OK) != 0)
        return false;
    (void)snprintf(headers->options[0], sizeof headers->options[0], "-I%s", headers->folder);
    (void)snprintf(headers->options[1], sizeof headers->options[1], "-I%s%s", start, folder);
    /* The library's own version: CCCL_VERSION is 3000001 for 3.0.1. */
    char bytes[4096];
    static const char name[] = "#define CCCL_VERSION ";
    const char *const path = PRINTED(CUDA_HEADERS_PATH + 64, "%s/cuda/std/__cccl/version.h", headers->folder);
    const char *const line = file_read_start(path, bytes, sizeof bytes) > 0 ? strstr(bytes, name) : NULL;
    const long number = line ? strtol(line + strlen(name), NULL, 10) : 0;
    if (number > 0)
        (void)snprintf(headers->version, sizeof headers->version, "%ld.%ld.%ld", number / 1000000, number / 1000 % 1000,
                       number % 1000);
    else
        (void)snprintf(headers->version, sizeof headers->version, "of unknown version");
    return true;
}

enum status cuda_headers_find(const struct gpu_compiler *nvrtc, struct cuda_headers *headers, struct error *error)
{
    char start[CUDA_HEADERS_PATH];
    for (size_t place = 0; place < COUNT(places); place++)
        for (size_t part = 0; place_start(place, nvrtc, start) && part < COUNT(parts); part++)
            if (is_here(start, places[place].folder, parts[part], headers))
                return STATUS_OK;
    return error_set(error, STATUS_BUILD_FAILED,
                     "libcu++ was not found, and the kernel includes its header <cuda/atomic>: looked in "
                     "CUDA_INC_PATH, in include and include/cccl of CUDA_HOME, CUDA_PATH, the toolkit of %s and "
                     "/usr/local/cuda, and in /usr/include; install the CUDA Toolkit (package cuda-cccl or "
                     "libcu++-dev), or pip's nvidia-cuda-cccl and set CUDA_INC_PATH to its folder include",
                     driver_library_path(nvrtc->handle));
}

/* ---- NVRTC ---- */

/* An absolute name: NVRTC prepends the working folder to any other, and the code would depend on it. */
#define SOURCE_NAME "/orchil.cu"

/* The newest architecture that both the compiler and the device support; the driver translates the PTX for the
 * device. */
static enum status choose_architecture(const struct gpu_compiler *nvrtc, const char *name, int wanted, int *chosen,
                                       struct error *error)
{
    int count = 0;
    *chosen = 0;
    unsigned code = nvrtc->nvrtcGetNumSupportedArchs(&count);
    if (code != 0 || count <= 0)
        return gpu_compiler_failed(nvrtc, "nvrtcGetNumSupportedArchs", code, error);
    FREED int *known = memory_take((size_t)count, sizeof *known);
    code = nvrtc->nvrtcGetSupportedArchs(known);
    int oldest = known[0];
    for (int i = 0; code == 0 && i < count; i++) {
        if (known[i] <= wanted && known[i] >= CUDA_OLDEST && known[i] > *chosen)
            *chosen = known[i];
        if (known[i] < oldest)
            oldest = known[i];
    }
    if (code != 0)
        return gpu_compiler_failed(nvrtc, "nvrtcGetSupportedArchs", code, error);
    if (*chosen == 0)
        return error_set(error, STATUS_BUILD_FAILED,
                         "NVRTC %d.%d compiles for sm_%d and later, but the device is %s; set ORCHIL_NVRTC to the "
                         "libnvrtc.so of an older CUDA Toolkit",
                         nvrtc->major, nvrtc->minor, oldest, name);
    return STATUS_OK;
}

/* Appends the PTX, stamped for its driver and device. */
static void add_ptx(const struct cuda_request *request, const char *code, int target, struct text *ptx)
{
    LOCAL(text) used = {0};
    if (request->includes)
        cuda_ptx_drop_unused(code, &used);
    cuda_ptx_stamp(request->includes ? text_string(&used) : code, request->driver_version, (unsigned)target, ptx);
}

enum status cuda_compile(const struct gpu_compiler *nvrtc, const struct cuda_request *request, struct text *ptx,
                         struct text *log, struct error *error)
{
    int wanted = 0, chosen;
    char alone[2] = ""; /* "a" of sm_90a */
    struct cuda_headers headers = {0};
    LOCAL(text) source = {0}, code = {0};
    if (sscanf(request->architecture, "sm_%4d%1[af]", &wanted, alone) < 1)
        return error_set(error, STATUS_USAGE, "expected an architecture like sm_90, found '%s'", request->architecture);
    TRY(choose_architecture(nvrtc, request->architecture, wanted, &chosen, error));
    const char *const target = PRINTED(40, "--gpu-architecture=compute_%d%s", chosen, chosen == wanted ? alone : "");
    if (request->includes)
        TRY(cuda_headers_find(nvrtc, &headers, error));
    /* A user's header may have C++20; NVRTC 11 has not. */
    const char *const standard = request->prologue && nvrtc->major > 11 ? "--std=c++20" : "--std=c++17";
    const char *options[6] = {target, standard, "--device-as-default-execution-space"};
    int option_count = 3;
    if (request->lines)
        options[option_count++] = "--generate-line-info";
    for (size_t i = 0; request->includes && i < 2; i++)
        options[option_count++] = headers.options[i];

    if (request->options) {
        text_clear(request->options);
        for (int i = 0; i < option_count; i++)
            text_add(request->options, "%s%s", i > 0 ? " " : "", options[i]);
    }
    text_add(&source, "%s%s%s", request->prologue ? request->prologue : "", cuda_prelude, request->kernel);
    const struct gpu_text text = {.source = text_string(&source),
                                  .name = SOURCE_NAME,
                                  .architecture = request->architecture,
                                  .options = options,
                                  .option_count = option_count,
                                  .folders = request->folders};
    TRY(gpu_compile(nvrtc, &text, &code, log, error));
    add_ptx(request, text_string(&code), wanted, ptx);
    return STATUS_OK;
}

/* ---- devices ---- */

bool cuda_read_version(const char *text, char *version, size_t size)
{
    /* The first word of digits and at least one dot; the words before it name the module and the machine. */
    while (*text) {
        text += strspn(text, " \t\n");
        const size_t length = strcspn(text, " \t\n");
        const size_t digits = strspn(text, "0123456789");
        if (digits > 0 && text[digits] == '.' && strspn(text, "0123456789.") == length && length < size) {
            memcpy(version, text, length);
            version[length] = '\0';
            return true;
        }
        text += length;
    }
    return false;
}

static bool read_module_version(char *version, size_t size)
{
    char line[256];
    if (file_read_start("/proc/driver/nvidia/version", line, sizeof line) == 0)
        return false;
    line[strcspn(line, "\n")] = '\0';
    return cuda_read_version(line, version, size);
}

static bool read_nvml_version(char *version, unsigned size)
{
    struct cuda_nvml nvml;
    if (!cuda_nvml_open(&nvml) || nvml.nvmlInit() != 0)
        return false;
    const bool read = nvml.nvmlSystemGetDriverVersion(version, size) == 0;
    (void)nvml.nvmlShutdown();
    return read;
}

/* driver: the version of the kernel driver as nvidia-smi prints it ("580.159.04"), else the version of CUDA that the
 * driver offers ("CUDA 13.0"). compiler: "NVRTC 13.0", or empty without NVRTC. */
static void describe_software(const struct gpu_api *driver, struct gpu_software *software)
{
    struct gpu_compiler nvrtc;
    if (!read_nvml_version(software->driver, sizeof software->driver) &&
        !read_module_version(software->driver, sizeof software->driver))
        (void)snprintf(software->driver, sizeof software->driver, "CUDA %d.%d", driver->version / 1000,
                       driver->version % 1000 / 10);
    if (cuda_nvrtc_open(&nvrtc, driver->version, NULL) == STATUS_OK)
        (void)snprintf(software->compiler, sizeof software->compiler, "NVRTC %d.%d", nvrtc.major, nvrtc.minor);
}

/* PTX has all orders at all scopes from sm_70 on; clusters need sm_90. */
static void describe_atomics(unsigned capability, struct backend_device *device)
{
    if (capability < CUDA_OLDEST)
        return;
    device->takes = BACKEND_TAKES_PTX | BACKEND_TAKES_CUDA;
    device->types = BACKEND_ALL_TYPES;
    device->atomic_orders = BACKEND_ALL_ORDERS;
    device->atomic_scopes = BACKEND_ALL_SCOPES;
    if (capability < CUDA_CLUSTERS)
        device->atomic_scopes &= ~(unsigned)BACKEND_SCOPE_CLUSTER;
    device->fence_orders = device->atomic_orders;
    device->fence_scopes = device->atomic_scopes;
}

static void cuda_describe(const struct gpu_api *driver, UNUSED const struct gpu_software *software, int id,
                          struct backend_device *device)
{
    const unsigned capability =
        gpu_attribute(driver, id, CUDA_CAPABILITY_MAJOR) * 10 + gpu_attribute(driver, id, CUDA_CAPABILITY_MINOR);
    (void)snprintf(device->architecture, sizeof device->architecture, "sm_%u", capability);
    describe_atomics(capability, device);
    /* For these two the architecture's number is enough. */
    device->paths |= BACKEND_PATH_ASYNC | BACKEND_PATH_READ_ONLY;
    device->shared_clock = true;
    if (capability >= CUDA_CLUSTERS && driver->cuLaunchKernelEx && gpu_attribute(driver, id, CUDA_CLUSTER_LAUNCH))
        device->max_cluster_groups = CUDA_CLUSTER_GROUPS;
    if (device->takes) {
        device->paths |= gpu_paths_describe(driver, id);
        device->edges = gpu_edges(driver);
        if (capability >= CUDA_CLUSTERS && driver->cuLaunchKernelEx) /* griddepcontrol needs sm_90, too */
            device->edges |= STEPS_PROGRAMMATIC;
    }
    device->local_bytes = gpu_attribute(driver, id, CUDA_SHARED_PER_BLOCK_OPTIN);
    if (device->local_bytes == 0)
        device->local_bytes = gpu_attribute(driver, id, CUDA_SHARED_PER_BLOCK);
}

const struct gpu_driver cuda_driver = {
    .backend = &cuda_backend,
    .title = "CUDA",
    .call = "the CUDA driver",
    .vendor = "NVIDIA Corporation",
    .hiding_variable = "CUDA_VISIBLE_DEVICES",
    .shared_unasked = 48 * 1024,
    .open = cuda_driver_open,
    .describe_software = describe_software,
    .describe = cuda_describe,
    .lacks = "orchil needs sm_70 or later, where the PTX memory model begins",
};

/* ---- for doctor ---- */

static void explain_headers(const struct gpu_compiler *nvrtc, struct text *text)
{
    struct cuda_headers headers;
    struct error error = {0};
    if (cuda_headers_find(nvrtc, &headers, &error) == STATUS_OK)
        text_add(text, "  headers: %s (libcu++ %s), for --lowering source\n", headers.folder, headers.version);
    else
        terminal_add(text, "  missing, for --lowering source: %s\n", error.text);
}

static void explain_compiler(int driver_version, struct text *text)
{
    struct gpu_compiler nvrtc;
    struct error error = {0};
    if (cuda_nvrtc_open(&nvrtc, driver_version, &error) != STATUS_OK) {
        terminal_add(text, "  missing: %s\n", error.text);
        return;
    }
    text_add(text, "  compiler: %s (NVRTC %d.%d)\n", driver_library_path(nvrtc.handle), nvrtc.major, nvrtc.minor);
    explain_headers(&nvrtc, text);
    if (driver_version > 0 && nvrtc.major * 1000 + nvrtc.minor * 10 > driver_version)
        text_add(text,
                 "  note: NVRTC is newer than the driver, so orchil marks the PTX with the driver's version; if the "
                 "driver refuses the PTX, set ORCHIL_NVRTC to the libnvrtc.so of an older CUDA Toolkit\n");
}

/* What `doctor` prints about CUDA: the driver, NVRTC, NVML, the devices, and what is missing. */
static void cuda_explain(struct text *text)
{
    struct gpu_api driver;
    struct cuda_nvml nvml;
    struct error error = {0};
    text_add(text, "CUDA\n");
    if (cuda_driver_open(&driver, &error) != STATUS_OK) {
        terminal_add(text, "  missing: %s\n", error.text);
        explain_compiler(0, text);
        return;
    }
    text_add(text, "  driver: %s (CUDA %d.%d)\n", driver_library_path(driver.handle), driver.version / 1000,
             driver.version % 1000 / 10);
    if (cuda_nvml_open(&nvml))
        text_add(text, "  NVML: %s\n", driver_library_path(nvml.handle));
    else
        text_add(text, "  missing: libnvidia-ml.so.1; the driver's version is read from /proc/driver/nvidia/version "
                       "instead\n");
    explain_compiler(driver.version, text);
    (void)driver_explain_devices(&cuda_backend, "older than sm_70", text);
}

/* ---- sessions ---- */

struct cuda_session {
    struct gpu_session gpu;
    struct gpu_compiler nvrtc; /* opened by the first build that needs it */
    struct nvml_device nvml;
};

static struct cuda_session *cuda_session(struct backend_session *opened)
{
    return (struct cuda_session *)opened;
}

static enum status list_devices(struct backend_device **devices, size_t *count, struct error *error)
{
    return gpu_list(&cuda_driver, devices, count, error);
}

static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    TRY(gpu_start(&cuda_driver, &session->gpu, index, error));
    nvml_device_open(session->gpu.device.uuid, &session->nvml);
    return STATUS_OK;
}

static void close_session(struct backend_session *opened)
{
    if (opened)
        nvml_device_close(&cuda_session(opened)->nvml);
    gpu_close(opened);
}

static struct cuda_jit_of jit_of(const struct cuda_session *session, const struct backend_source *source)
{
    return (struct cuda_jit_of){.driver = &session->gpu.api, .device = &session->gpu.device, .test = source->name};
}

/* Whether PTX contains line information, which is needed to inspect its code. Drivers before CUDA
 * 11.2 do not read it. */
static bool says_lines(int driver_version)
{
    const unsigned newest = cuda_ptx_newest(driver_version);
    return newest == 0 || newest >= CUDA_PTX_LINES;
}

/* Kernel text to PTX. */
static enum status compile_ptx(struct cuda_session *session, const struct backend_source *source,
                               struct backend_code *code, struct error *error)
{
    LOCAL(text) options = {0};
    const struct cuda_request request = {.kernel = source->kernel,
                                         .prologue = source->prologue,
                                         .folders = source->folders,
                                         .architecture = session->gpu.device.architecture,
                                         .driver_version = session->gpu.api.version,
                                         .includes = source->headers != NULL,
                                         .lines = says_lines(session->gpu.api.version),
                                         .options = &options};
    if (!session->nvrtc.handle)
        TRY(cuda_nvrtc_open(&session->nvrtc, session->gpu.api.version, error));
    const enum status status = cuda_compile(&session->nvrtc, &request, &code->bytes, &code->log, error);
    (void)snprintf(code->options, sizeof code->options, "%s", text_string(&options));
    (void)snprintf(code->compiler, sizeof code->compiler, "NVRTC %d.%d", session->nvrtc.major, session->nvrtc.minor);
    return status;
}

static void cuda_name_headers(struct backend_session *opened, UNUSED unsigned member, struct text *text)
{
    struct cuda_session *session = cuda_session(opened);
    struct cuda_headers headers;
    struct error error = {0};
    enum status status = STATUS_OK;
    if (!session->nvrtc.handle)
        status = cuda_nvrtc_open(&session->nvrtc, session->gpu.api.version, &error);
    THEN(status, cuda_headers_find(&session->nvrtc, &headers, &error));
    if (status == STATUS_OK)
        text_add(text, "%s, libcu++ %s", headers.folder, headers.version);
    else
        text_add(text, "%s", error.text);
}

/* The code of a program is its PTX, which is the portable part, followed by the machine code that the driver made from
 * it. */
static enum status compile_kernel(struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    if (source->code)
        text_add(&code->bytes, "%s", source->code);
    else
        TRY(compile_ptx(session, source, code, error));
    const char *ptx = text_string(&code->bytes);
    const unsigned version = cuda_ptx_version(ptx);
    code->portable = code->bytes.size;
    (void)snprintf(code->target, sizeof code->target, "PTX %u.%u, sm_%u", version / 10, version % 10,
                   cuda_ptx_target(ptx));
    if (!code->bytes.failed) {
        const struct cuda_jit_of of = jit_of(session, source);
        TRY(cuda_assemble(&of, &code->bytes, &code->log, error));
    }
    return code->bytes.failed
               ? error_set(error, STATUS_LIMIT, "the code of %s is larger than %d bytes", source->name, TEXT_MAXIMUM)
               : STATUS_OK;
}

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, struct text *binary,
                                struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    struct gpu_program *program = gpu_program(built);
    LOCAL(backend_code) made = {0};
    const char *code = source->code;
    size_t size = source->code_size;
    enum status status = STATUS_OK;
    if (!code) {
        status = compile_kernel(opened, source, &made, error);
        text_add(log, "%s", text_string(&made.log));
        code = text_string(&made.bytes);
        size = made.bytes.size;
    }
    const size_t ptx = strlen(code);
    if (status == STATUS_OK) {
        const struct cuda_jit_of of = jit_of(session, source);
        text_add_bytes(binary, code, ptx);
        status =
            cuda_load(&of, code, cuda_machine_code_offset(ptx) < size ? code + cuda_machine_code_offset(ptx) : code,
                      &program->module, log, error);
    }
    if (status == STATUS_OK && cuda_machine_code_offset(ptx) < size)
        text_add_bytes(&program->machine_code, code + cuda_machine_code_offset(ptx),
                       size - cuda_machine_code_offset(ptx));
    TRY(status);
    return gpu_finish_program(&session->gpu, source, program, error);
}

static void machine_code_ahead(const char *code, size_t size, struct text *ptx, struct text *machine_code)
{
    const size_t offset = cuda_machine_code_offset(strlen(code));
    text_add(ptx, "%s", code);
    if (offset < size)
        text_add_bytes(machine_code, code + offset, size - offset);
}

/* Without a device: PTX for an architecture that this machine need not have. */
static enum status cuda_compile_for(const char *architecture, const struct backend_source *source,
                                    struct backend_code *code, struct error *error)
{
    struct gpu_compiler nvrtc = {0};
    const struct cuda_request request = {.kernel = source->kernel,
                                         .prologue = source->prologue,
                                         .folders = source->folders,
                                         .architecture = architecture,
                                         .includes = source->headers != NULL,
                                         .lines = true};
    TRY(cuda_nvrtc_open(&nvrtc, 0, error));
    const enum status status = cuda_compile(&nvrtc, &request, &code->bytes, &code->log, error);
    code->portable = code->bytes.size;
    (void)snprintf(code->compiler, sizeof code->compiler, "NVRTC %d.%d", nvrtc.major, nvrtc.minor);
    return status;
}

static void observe_device(struct backend_session *opened, struct circumstances *circumstances)
{
    nvml_device_observe(&cuda_session(opened)->nvml, circumstances);
}

const struct backend cuda_backend = {
    .name = "cuda",
    .title = "CUDA",
    .prelude = cuda_prelude,
    .source_suffix = "cu",
    .code_suffix = "ptx",
    .list = list_devices,
    .session_size = sizeof(struct cuda_session),
    .start = start_session,
    .compile = compile_kernel,
    .compile_for = cuda_compile_for,
    .name_headers = cuda_name_headers,
    .compiles_ahead = driver_always,
    .program_size = sizeof(struct gpu_program),
    .fill = fill_program,
    GPU_BACKEND_MEMBERS,
    .machine_code_ahead = machine_code_ahead,
    .observe = observe_device,
    .close = close_session,
    .explain = cuda_explain,
};
