// SPDX-License-Identifier: Apache-2.0
/* The HIP backend: its devices, compiling for a session, and loading what was compiled. backends/gpu/ does the rest. */
#include "backends/hip/hip.h"

#include <dlfcn.h>
#include <fcntl.h>

#include "backends/gpu/paths.h"
#include "backends/gpu/play.h"
#include "backends/gpu/session.h"

/* Through which HIP reaches every GPU. */
#define HIP_KERNEL_DEVICE "/dev/kfd"

enum { HIP_PROPERTIES_BYTES = 4096 };

/* ---- the libraries ---- */

#define HIP_MEMBER(result, name, parameters) result(*name) parameters;
/* One runtime is opened per process. */
static struct hip_functions {
    HIP_OWN_FUNCTIONS(HIP_MEMBER)
    HIP_PROPERTIES_FUNCTIONS(HIP_MEMBER)
    unsigned (*device_attribute)(int *value, unsigned attribute, int device);
    unsigned (*peer_attribute)(int *value, unsigned attribute, int device, int peer);
} hip;
#undef HIP_MEMBER

#define HIP_ENUM(name, value) name = (value),
enum hip_constant { HIP_CONSTANTS(HIP_ENUM) };

#define HIP_SYMBOL(result, name, parameters) {#name, offsetof(struct hip_functions, name)},

/* As in AMD's header: tests/backends/test_hip_prototypes.c. */
_Static_assert(sizeof(struct hip_node) == 64 && offsetof(struct hip_node, function) == 24 &&
                   offsetof(struct hip_node, parameters) == 48,
               "node");

/* ---- what HIP has in another form ---- */

static unsigned name_error(unsigned code, const char **name)
{
    *name = hip.hipGetErrorName(code);
    return 0;
}

#define ATTRIBUTE_ROW(cuda, name, value) {(cuda), (value)},
static unsigned read_attribute(int *value, unsigned attribute, int device)
{
    static const struct {
        unsigned cuda, hip;
    } numbers[] = {HIP_ATTRIBUTES(ATTRIBUTE_ROW) HIP_LATER_ATTRIBUTES(ATTRIBUTE_ROW)};
    *value = 0;
    for (size_t i = 0; i < COUNT(numbers); i++)
        if (numbers[i].cuda == attribute)
            return hip.device_attribute(value, numbers[i].hip, device);
    return 0; /* HIP has no such attribute */
}

static unsigned read_peer_attribute(int *value, unsigned attribute, int device, int peer)
{
    (void)attribute; /* the only one that is asked for */
    return hip.peer_attribute(value, hipDevP2PAttrNativeAtomicSupported, device, peer);
}

/* Other devices see what a kernel writes before it ends only in fine-grained memory (HIP, "Coherence control"). */
static unsigned allocate_shared(unsigned long long *address, size_t bytes)
{
    void *memory = NULL;
    const unsigned code = hip.hipExtMallocWithFlags(&memory, bytes, hipDeviceMallocFinegrained);
    *address = (unsigned long long)(uintptr_t)memory;
    return code;
}

static unsigned add_node(struct CUgraphNode_st **node, struct CUgraph_st *graph, struct CUgraphNode_st *const *after,
                         size_t count, const struct CUDA_KERNEL_NODE_PARAMS_v2_st *kernel)
{
    const struct hip_node own = {.block_x = kernel->block_x,
                                 .block_y = kernel->block_y,
                                 .block_z = kernel->block_z,
                                 .function = kernel->function,
                                 .grid_x = kernel->grid_x,
                                 .grid_y = kernel->grid_y,
                                 .grid_z = kernel->grid_z,
                                 .parameters = kernel->parameters,
                                 .shared_bytes = kernel->shared_bytes};
    return hip.hipGraphAddKernelNode(node, graph, after, count, &own);
}

/* ---- the runtime ---- */

/* Newest first; only development packages install a file without a version. */
static const char *const runtime_names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                            "libamdhip64.so"};
static const char *const hiprtc_names[] = {"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "libhiprtc.so"};

/* Where ROCm installs itself; the library path comes first. */
static const char *const rocm_folders[] = {"", "/opt/rocm/lib/"};

/* Opens the file that the variable names, else the first of the names that is found. */
static void *open_any(const char *variable, const char *const *names, size_t count)
{
    const char *named = getenv(variable);
    void *handle = NULL;
    if (named && named[0])
        return dlopen(named, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    for (size_t i = 0; i < count && !handle; i++)
        for (size_t k = 0; k < COUNT(rocm_folders) && !handle; k++) {
            handle = dlopen(PRINTED(128, "%s%s", rocm_folders[k], names[i]), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        }
    return handle;
}

static enum status refuse_runtime(const struct gpu_api *api, const char *missing, struct error *error)
{
    return error_set(error, STATUS_NO_DEVICE, "%s has no %s: it is older than HIP 5; install ROCm 5 or later",
                     driver_library_path(api->handle), missing);
}

/* As explain_lacks in backend.h: /dev/kfd, and who may open it. */
static void hip_explain_lacks(struct text *causes)
{
    const int file = open(HIP_KERNEL_DEVICE, O_RDWR | O_CLOEXEC);
    const int why = errno;
    const char *separator = causes->size > 0 ? "; " : "";
    if (file >= 0)
        (void)close(file);
    else if (why == ENOENT)
        text_add(causes,
                 "%sthere is no %s: the kernel driver amdgpu has no GPU for computing, or the container lacks the "
                 "device (docker run --device %s --device /dev/dri)",
                 separator, HIP_KERNEL_DEVICE, HIP_KERNEL_DEVICE);
    else
        text_add(causes,
                 "%s%s cannot be opened: %s; only the groups render and video may use it: usermod -aG render,video "
                 "NAME, and log in again",
                 separator, HIP_KERNEL_DEVICE, strerror(why));
}

enum status hip_open(struct gpu_api *api, struct error *error)
{
    static const struct driver_symbol own[] = {HIP_OWN_FUNCTIONS(HIP_SYMBOL)};
    static const struct driver_symbol properties[] = {HIP_PROPERTIES_FUNCTIONS(HIP_SYMBOL)};
    *api = (struct gpu_api){.driver = &hip_driver};
    api->handle = open_any("ORCHIL_HIP", runtime_names, COUNT(runtime_names));
    if (!api->handle)
        return error_set(error, STATUS_NO_DEVICE,
                         "cannot open HIP's runtime: looked for libamdhip64.so.7, .6 and .5 in the library path and "
                         "/opt/rocm/lib (%s); install ROCm (Debian and Ubuntu: libamdhip64-5), or set ORCHIL_HIP to "
                         "the file",
                         dlerror());
    const char *missing = gpu_load_functions(api);
    if (!missing)
        missing = driver_load_symbols(api->handle, &hip, own, COUNT(own));
    if (missing)
        return refuse_runtime(api, missing, error);
    for (size_t i = 0; i < COUNT(properties); i++)
        (void)driver_load_symbols(api->handle, &hip, &properties[i], 1);
    hip.device_attribute = api->cuDeviceGetAttribute;
    hip.peer_attribute = api->cuDeviceGetP2PAttribute;
    api->cuGetErrorName = name_error;
    api->cuDeviceGetAttribute = read_attribute;
    api->cuDeviceGetP2PAttribute = read_peer_attribute;
    api->cuGraphAddKernelNode = add_node;
    api->allocate_shared = allocate_shared;
    const unsigned code = api->cuInit(0);
    if (code != 0) {
        LOCAL(text) causes = {0};
        hip_explain_lacks(&causes);
        (void)error_set(error, STATUS_NO_DEVICE, "%s was found, but hipInit failed: %s; %s",
                        driver_library_path(api->handle), gpu_error_name(api, code),
                        causes.size > 0 ? text_string(&causes) : "check that rocminfo shows an AMD GPU");
        return STATUS_NO_DEVICE;
    }
    if (api->cuDriverGetVersion(&api->version) != 0)
        api->version = 0;
    return STATUS_OK;
}

/* gcnArchName in hipDeviceProp_t (hip_runtime_api.h of ROCm 5.0 to 5.7, and of 6.0 and later). */
enum { NAME_IN_R0000 = 396, NAME_IN_R0600 = 1160, NAME_BYTES = 256 };

/* The processor of a device with its features, "gfx90a:sramecc+:xnack-", and its place on the bus, "0000:83:00.0";
 * empty if HIP does not say. Of the runtime that hip_open opened. */
static void read_processor(int device, char processor[64])
{
    char properties[HIP_PROPERTIES_BYTES] = "";
    const bool newer = hip.hipGetDevicePropertiesR0600 != NULL;
    unsigned (*const read)(hip_properties *, int) =
        newer ? hip.hipGetDevicePropertiesR0600 : hip.hipGetDeviceProperties;
    processor[0] = '\0';
    if (!read || read(properties, device) != 0)
        return;
    char *const name = properties + (newer ? NAME_IN_R0600 : NAME_IN_R0000);
    name[NAME_BYTES - 1] = '\0';
    driver_copy(processor, 64, name);
}

enum status hiprtc_open(struct gpu_compiler *hiprtc, struct error *error)
{
    *hiprtc =
        (struct gpu_compiler){.handle = open_any("ORCHIL_HIPRTC", hiprtc_names, COUNT(hiprtc_names)), .is_hip = true};
    const char *named = getenv("ORCHIL_HIPRTC");
    if (!hiprtc->handle && !(named && named[0]))
        hiprtc->handle = open_any("ORCHIL_HIP", runtime_names, COUNT(runtime_names));
    if (hiprtc->handle && gpu_load_compiler(hiprtc))
        return STATUS_OK;
    return error_set(error, STATUS_BUILD_FAILED,
                     "HIPRTC, HIP's compiler, was not found: looked for libhiprtc.so.7, .6 and .5, and for "
                     "libamdhip64.so, which contains it, too, in the library path and /opt/rocm/lib; install ROCm "
                     "(Debian and Ubuntu: libamdhip64-5 and libhiprtc-builtins5), or set ORCHIL_HIPRTC to the file");
}

/* ---- HIPRTC ---- */

/* HIPRTC names the file of a program only in its messages. */
#define SOURCE_NAME "orchil.hip"

static const char *hip_find_line(const char *text, unsigned line)
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

/* Appends the kernel's text with its own lines. The prelude's FUNCTION has no line information; that of the threads'
 * functions has. */
static void add_kernel(const struct backend_source *source, struct text *text)
{
    const char *kernel = source->kernel, *functions = hip_find_line(kernel, source->functions_line);
    const char *helpers = source->apart_line > 0 ? hip_find_line(kernel, source->apart_line) : functions;
    text_add(text, "#line 1 \"orchil-kernel\"\n");
    text_add_bytes(text, kernel, (size_t)(helpers - kernel));
    add_helpers(helpers, functions, text);
    if (functions > kernel)
        text_add(text,
                 "#undef FUNCTION\n#define FUNCTION static DEVICE inline __attribute__((always_inline))\n#line %u\n",
                 source->functions_line);
    /* Appends the threads' functions and the rest of the kernel. Each thread is called on a line of its own. */
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

enum status hip_compile(const struct gpu_compiler *hiprtc, const char *processor, const struct backend_source *source,
                        struct backend_code *code, struct error *error)
{
    LOCAL(text) unit = {0};
    const char *const target = PRINTED(80, "--offload-arch=%s", processor);
    /* The last two: no instruction is of two threads, which are branches of one kernel. */
    const char *options[] = {target,   source->prologue ? "-std=c++20" : "-std=c++17",
                             "-O3",    "-gline-tables-only",
                             "-mllvm", "-use-unknown-locations=Enable",
                             "-mllvm", "-sink-common-insts=false",
                             "-mllvm", "-enable-tail-merge=false"};
    const int option_count = COUNT(options);
    for (int i = 0, length = 0; i < option_count; i++)
        length += snprintf(code->options + length, sizeof code->options - (size_t)length, "%s%s", i > 0 ? " " : "",
                           options[i]);
    (void)snprintf(code->compiler, sizeof code->compiler, "HIPRTC %d.%d", hiprtc->major, hiprtc->minor);
    (void)snprintf(code->target, sizeof code->target, "%.63s", processor);
    text_add(&unit, "%s%s", source->prologue ? source->prologue : "", hip_prelude);
    add_kernel(source, &unit);
    /* The prelude has libcu++'s words: the header that kernels include for CUDA is empty. */
    const struct gpu_text text = {.source = text_string(&unit),
                                  .name = SOURCE_NAME,
                                  .architecture = processor,
                                  .options = options,
                                  .option_count = option_count,
                                  .folders = source->folders,
                                  .header = "// the prelude has its words\n",
                                  .header_name = "cuda/atomic"};
    const enum status status = gpu_compile(hiprtc, &text, &code->bytes, &code->log, error);
    code->portable = code->bytes.size;
    return status;
}

/* ---- devices ---- */

/* The first word of a file; false if it cannot be read. */
static bool read_word(const char *path, char *word, size_t size)
{
    char line[128];
    if (file_read_start(path, line, sizeof line) == 0)
        return false;
    line[strcspn(line, " \n")] = '\0';
    driver_copy(word, size, line);
    return word[0] != '\0';
}

/* driver: "HIP 6.2.41134, amdgpu 6.8.5", the runtime and the kernel's driver, if it says its version; platform: "ROCm
 * 6.2.2", or empty; compiler: "HIPRTC 6.2", or empty without HIPRTC. */
static void describe_software(const struct gpu_api *api, struct gpu_software *software)
{
    char version[64];
    struct gpu_compiler hiprtc;
    const bool module = read_word("/sys/module/amdgpu/version", version, sizeof version);
    (void)snprintf(software->driver, sizeof software->driver, "HIP %d.%d.%d%s%s", api->version / 10000000,
                   api->version / 100000 % 100, api->version % 100000, module ? ", amdgpu " : "",
                   module ? version : "");
    if (read_word("/opt/rocm/.info/version", version, sizeof version))
        (void)snprintf(software->platform, sizeof software->platform, "ROCm %s", version);
    if (hiprtc_open(&hiprtc, NULL) == STATUS_OK)
        (void)snprintf(software->compiler, sizeof software->compiler, "HIPRTC %d.%d", hiprtc.major, hiprtc.minor);
}

/* A value in a file of names and values, one pair to a line; -1 if it lacks the name. */
static long long hip_find_value(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, name, length) == 0 && at[length] == ' ')
            return strtoll(at + length, NULL, 10);
    return -1;
}

unsigned hip_count_dies(const char *folder, const char *place)
{
    enum { MOST_NODES = 64 };
    unsigned domain, bus, slot, function;
    if (sscanf(place, "%4x:%2x:%2x.%1x", &domain, &bus, &slot, &function) != 4)
        return 0;
    for (int node = 0; node < MOST_NODES; node++) {
        char text[8192];
        const char *const path = PRINTED(256, "%s/%d/properties", folder, node);
        if (file_read_start(path, text, sizeof text) > 0 &&
            hip_find_value(text, "location_id") == (long long)(bus << 8 | slot << 3 | function) &&
            hip_find_value(text, "domain") == (long long)domain && hip_find_value(text, "simd_count") > 0) {
            const long long dies = hip_find_value(text, "num_xcc");
            return dies > 0 ? (unsigned)dies : 0;
        }
    }
    return 0;
}

static void hip_describe(const struct gpu_api *api, const struct gpu_software *software, int id,
                         struct backend_device *device)
{
    char processor[64];
    read_processor(id, processor);
    driver_copy(device->architecture, sizeof device->architecture, processor);
    char place[32];
    if (hip.hipDeviceGetPCIBusId(place, sizeof place, id) != 0)
        place[0] = '\0';
    place[sizeof place - 1] = '\0';
    const unsigned dies = hip_count_dies("/sys/class/kfd/kfd/topology/nodes", place);
    if (dies > 0)
        (void)snprintf(device->platform, sizeof device->platform, "%s%s%u XCD%s", software->platform,
                       software->platform[0] ? ", " : "", dies, dies == 1 ? "" : "s");
    else
        driver_copy(device->platform, sizeof device->platform, software->platform);
    device->local_bytes = gpu_attribute(api, id, CUDA_SHARED_PER_BLOCK);
    if (gpu_paths_describe(api, id) & BACKEND_PATH_ALIAS)
        device->paths = BACKEND_PATH_ALIAS; /* the others are words of PTX */
    device->edges = gpu_edges(api);
    if (strncmp(processor, "gfx", 3) == 0) {
        /* The atomic builtins of HIP C++ have all orders, and all scopes but clusters. */
        device->takes = BACKEND_TAKES_C11 | BACKEND_TAKES_CUDA;
        device->shared_clock = processor[3] != '6' && processor[3] != '7';
        device->clock_grain = 10;
        device->types = BACKEND_ALL_TYPES;
        device->atomic_orders = device->fence_orders = BACKEND_ALL_ORDERS;
        device->atomic_scopes = device->fence_scopes = BACKEND_ALL_SCOPES & ~(unsigned)BACKEND_SCOPE_CLUSTER;
    }
}

const struct gpu_driver hip_driver = {
    .backend = &hip_backend,
    .title = "HIP",
    .call = "HIP",
    .vendor = "AMD",
    .hiding_variable = "HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES",
    .is_hip = true,
    .shared_unasked = SIZE_MAX, /* a kernel may use all */
    .open = hip_open,
    .describe_software = describe_software,
    .describe = hip_describe,
    .lacks = "orchil needs the processor name as HIP gives it, such as gfx90a",
};

/* ---- for doctor ---- */

static void explain_compiler(struct text *text)
{
    struct gpu_compiler hiprtc;
    struct error error = {0};
    if (hiprtc_open(&hiprtc, &error) == STATUS_OK)
        text_add(text, "  compiler: %s (HIPRTC %d.%d)\n", driver_library_path(hiprtc.handle), hiprtc.major,
                 hiprtc.minor);
    else
        terminal_add(text, "  missing: %s\n", error.text);
}

static void hip_explain(struct text *text)
{
    struct gpu_api api;
    struct gpu_software software = {0};
    struct error error = {0};
    text_add(text, "HIP\n");
    if (hip_open(&api, &error) != STATUS_OK) {
        terminal_add(text, "  missing: %s\n", error.text);
        explain_compiler(text);
        return;
    }
    describe_software(&api, &software);
    text_add(text, "  runtime: %s (%s%s%s)\n", driver_library_path(api.handle), software.driver,
             software.platform[0] ? ", " : "", software.platform);
    explain_compiler(text);
    if (!driver_explain_devices(&hip_backend, "HIP does not name the processor", text)) {
        LOCAL(text) causes = {0};
        hip_explain_lacks(&causes);
        if (causes.size > 0)
            terminal_add(text, "    %s\n", text_string(&causes));
    }
}

/* ---- sessions ---- */

struct hip_session {
    struct gpu_session gpu;
    struct gpu_compiler hiprtc; /* opened by the first build that needs it */
};

static struct hip_session *hip_session(struct backend_session *opened)
{
    return (struct hip_session *)opened;
}

static enum status list_devices(struct backend_device **devices, size_t *count, struct error *error)
{
    return gpu_list(&hip_driver, devices, count, error);
}

static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    return gpu_start(&hip_driver, gpu_session(opened), index, error);
}

/* Code is an ELF object for a processor, which every driver of that processor takes. */
static enum status compile_kernel(struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
    struct hip_session *session = hip_session(opened);
    if (source->code) {
        text_add_bytes(&code->bytes, source->code, source->code_size);
        code->portable = code->bytes.size;
        return STATUS_OK;
    }
    if (!session->hiprtc.handle)
        TRY(hiprtc_open(&session->hiprtc, error));
    TRY(hip_compile(&session->hiprtc, session->gpu.device.architecture, source, code, error));
    return code->bytes.failed
               ? error_set(error, STATUS_LIMIT, "the code of %s is larger than %d bytes", source->name, TEXT_MAXIMUM)
               : STATUS_OK;
}

/* Without a device. */
static enum status hip_compile_for(const char *architecture, const struct backend_source *source,
                                   struct backend_code *code, struct error *error)
{
    struct gpu_compiler hiprtc;
    TRY(hiprtc_open(&hiprtc, error));
    return hip_compile(&hiprtc, architecture, source, code, error);
}

static enum status hip_load(struct gpu_session *session, const struct backend_source *source, const char *code,
                            struct gpu_program *program, struct error *error)
{
    const unsigned result = session->api.cuModuleLoadDataEx(&program->module, code, 0, NULL, NULL);
    if (result == 0)
        return STATUS_OK;
    program->module = NULL;
    if (result != CUDA_ERROR_INVALID_IMAGE && result != CUDA_ERROR_NO_BINARY_FOR_GPU &&
        result != CUDA_ERROR_INVALID_PTX)
        return gpu_call_failed(&session->api, &session->device, "cuModuleLoadDataEx", result, error);
    return error_set(
        error, source->code ? STATUS_UNSUPPORTED : STATUS_BUILD_FAILED,
        "the driver %s of hip:%u (%s, %s) refused the code of %s, which runs on only one kind of processor: %s",
        session->device.driver, session->device.index, session->device.name, session->device.architecture, source->name,
        gpu_error_name(&session->api, result));
}

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, struct text *binary,
                                struct error *error)
{
    struct gpu_session *session = gpu_session(opened);
    struct gpu_program *program = gpu_program(built);
    LOCAL(backend_code) made = {0};
    (void)binary; /* code objects are no text */
    enum status status = compile_kernel(opened, source, &made, error);
    text_add(log, "%s", text_string(&made.log));
    THEN(status, hip_load(session, source, text_string(&made.bytes), program, error));
    program->machine_code = made.bytes;
    made.bytes = (struct text){0};
    TRY(status);
    return gpu_finish_program(session, source, program, error);
}

const struct backend hip_backend = {
    .name = "hip",
    .title = "HIP",
    .prelude = hip_prelude,
    .source_suffix = "hip",
    .code_suffix = "hsaco",
    .list = list_devices,
    .session_size = sizeof(struct hip_session),
    .start = start_session,
    .compile = compile_kernel,
    .compile_for = hip_compile_for,
    .compiles_ahead = driver_always,
    .program_size = sizeof(struct gpu_program),
    .fill = fill_program,
    GPU_BACKEND_MEMBERS,
    .machine_code_ahead = driver_code_ahead,
    .close = gpu_close,
    .explain = hip_explain,
    .explain_lacks = hip_explain_lacks,
};
