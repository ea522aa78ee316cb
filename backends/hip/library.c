// SPDX-License-Identifier: Apache-2.0
/* Opening HIP's runtime and HIPRTC; what HIP has in another form than CUDA. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/driver.h"
#include "backends/hip/hip.h"
#include "backends/hip/library.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

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
#undef HIP_ENUM

#define HIP_SYMBOL(result, name, parameters) {#name, offsetof(struct hip_functions, name)},
#define HIPRTC_SYMBOL(result, name, parameters) {#name, offsetof(struct hiprtc, name)},

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

/* Other devices see what a kernel writes before it ends only in fine-grained memory (HIP, "Coherence
 * control"). */
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
            char path[128];
            (void)snprintf(path, sizeof path, "%s%s", rocm_folders[k], names[i]);
            handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        }
    return handle;
}

static enum status refuse_runtime(const struct gpu_api *api, const char *missing, struct error *error)
{
    return error_set(error, STATUS_NO_DEVICE, "%s has no %s: it is older than HIP 5; install ROCm 5 or later",
                     driver_library_path(api->handle), missing);
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
        struct text causes = {0};
        hip_explain_lacks(&causes);
        (void)error_set(error, STATUS_NO_DEVICE, "%s was found, but hipInit failed: %s; %s",
                        driver_library_path(api->handle), gpu_error_name(api, code),
                        causes.size > 0 ? text_string(&causes) : "check that rocminfo shows an AMD GPU");
        text_release(&causes);
        return STATUS_NO_DEVICE;
    }
    if (api->cuDriverGetVersion(&api->version) != 0)
        api->version = 0;
    return STATUS_OK;
}

/* gcnArchName in hipDeviceProp_t (hip_runtime_api.h of ROCm 5.0 to 5.7, and of 6.0 and later). */
enum { NAME_IN_R0000 = 396, NAME_IN_R0600 = 1160, NAME_BYTES = 256 };

void hip_read_processor(int device, char processor[64])
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

void hip_read_place(int device, char place[32])
{
    if (hip.hipDeviceGetPCIBusId(place, 32, device) != 0)
        place[0] = '\0';
    place[31] = '\0';
}

enum status hiprtc_open(struct hiprtc *hiprtc, struct error *error)
{
    static const struct driver_symbol symbols[] = {HIP_HIPRTC_FUNCTIONS(HIPRTC_SYMBOL)};
    *hiprtc = (struct hiprtc){.handle = open_any("ORCHIL_HIPRTC", hiprtc_names, COUNT(hiprtc_names))};
    const char *named = getenv("ORCHIL_HIPRTC");
    if (!hiprtc->handle && !(named && named[0]))
        hiprtc->handle = open_any("ORCHIL_HIP", runtime_names, COUNT(runtime_names));
    if (hiprtc->handle && !driver_load_symbols(hiprtc->handle, hiprtc, symbols, COUNT(symbols)) &&
        hiprtc->hiprtcVersion(&hiprtc->major, &hiprtc->minor) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_BUILD_FAILED,
                     "HIPRTC, HIP's compiler, was not found: looked for libhiprtc.so.7, .6 and .5 and for "
                     "libamdhip64.so, which has it too, in the library path and /opt/rocm/lib; install ROCm (Debian "
                     "and Ubuntu: libamdhip64-5 and libhiprtc-builtins5), or set ORCHIL_HIPRTC to the file");
}

void hip_explain_lacks(struct text *causes)
{
    const int file = open(HIP_KERNEL_DEVICE, O_RDWR | O_CLOEXEC);
    const int why = errno;
    const char *separator = causes->size > 0 ? "; " : "";
    if (file >= 0)
        (void)close(file);
    else if (why == ENOENT)
        text_add(causes,
                 "%sthere is no %s: the kernel's driver amdgpu has no GPU for computing, or a container lacks it "
                 "(docker run --device %s --device /dev/dri)",
                 separator, HIP_KERNEL_DEVICE, HIP_KERNEL_DEVICE);
    else
        text_add(causes,
                 "%s%s cannot be opened: %s; its users are the groups render and video: usermod -aG "
                 "render,video NAME, and log in again",
                 separator, HIP_KERNEL_DEVICE, strerror(why));
}
