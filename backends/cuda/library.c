// SPDX-License-Identifier: Apache-2.0
/* Opening the CUDA driver, NVRTC and NVML. */
#include "backends/cuda/library.h"

#include <dlfcn.h>

_Static_assert((unsigned)CUDA_REFUSAL_OF_VERSION == CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "refusal");

bool cuda_error_is_refusal(unsigned code)
{
    return code == CUDA_ERROR_INVALID_IMAGE || code == CUDA_ERROR_NO_BINARY_FOR_GPU || code == CUDA_ERROR_INVALID_PTX ||
           code == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

#define CUDA_SYMBOL(result, member, symbol, parameters) {#symbol, offsetof(struct CUDA_TABLE, member)},

#define CUDA_TABLE gpu_api
static const struct driver_symbol own_symbols[] = {CUDA_OWN_FUNCTIONS(CUDA_SYMBOL)};
static const struct driver_symbol cluster_symbols[] = {CUDA_CLUSTER_FUNCTIONS(CUDA_SYMBOL)};
static const struct driver_symbol node_symbols[] = {CUDA_NODE_FUNCTION(CUDA_SYMBOL, cuGraphAddKernelNode_v2)
                                                        CUDA_NODE_FUNCTION(CUDA_SYMBOL, cuGraphAddKernelNode)
                                                            CUDA_NODE_FUNCTIONS(CUDA_SYMBOL)};
static const struct driver_symbol path_symbols[] = {CUDA_PATH_FUNCTIONS(CUDA_SYMBOL)};
#undef CUDA_TABLE
#define CUDA_TABLE gpu_compiler
static const struct driver_symbol nvrtc_symbols[] = {CUDA_NVRTC_FUNCTIONS(CUDA_SYMBOL)};
#undef CUDA_TABLE
#define CUDA_TABLE cuda_nvml
static const struct driver_symbol nvml_symbols[] = {CUDA_NVML_FUNCTIONS(CUDA_SYMBOL)};
static const struct driver_symbol nvml_device_symbols[] = {CUDA_NVML_DEVICE_FUNCTIONS(CUDA_SYMBOL)};
#undef CUDA_TABLE

enum status cuda_driver_open(struct gpu_api *driver, struct error *error)
{
    *driver = (struct gpu_api){.driver = &cuda_driver};
    /* Device code cached from an earlier driver would hide the new driver's compiler. */
    driver_set_default("CUDA_CACHE_DISABLE", "1");
    driver->handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!driver->handle)
        return error_set(error, STATUS_NO_DEVICE,
                         "cannot open the CUDA driver: %s; install NVIDIA's display driver (Debian: nvidia-driver and "
                         "libcuda1); a container needs access to the GPU",
                         dlerror());
    const char *missing = gpu_load_functions(driver);
    if (!missing)
        missing = driver_load_symbols(driver->handle, driver, own_symbols, COUNT(own_symbols));
    if (missing)
        return error_set(error, STATUS_NO_DEVICE,
                         "%s has no %s because the NVIDIA driver is older than CUDA 11.4; install a newer driver",
                         driver_library_path(driver->handle), missing);
    if (driver_load_symbols(driver->handle, driver, cluster_symbols, COUNT(cluster_symbols)))
        driver->cuLaunchKernelEx = NULL, driver->cuOccupancyMaxActiveClusters = NULL;
    if (driver_load_symbols(driver->handle, driver, &node_symbols[2], 1) ||
        (driver_load_symbols(driver->handle, driver, &node_symbols[0], 1) &&
         driver_load_symbols(driver->handle, driver, &node_symbols[1], 1)))
        driver->cuGraphCreate = NULL;
    if (!driver->cuMemMap || driver_load_symbols(driver->handle, driver, path_symbols, COUNT(path_symbols)))
        driver->cuMemMap = NULL, driver->cuTexObjectCreate = NULL;
    const unsigned code = driver->cuInit(0);
    if (code != 0)
        return error_set(error, STATUS_NO_DEVICE,
                         "%s was found, but cuInit failed: %s; check that nvidia-smi shows an NVIDIA GPU",
                         driver_library_path(driver->handle), gpu_error_name(driver, code));
    if (driver->cuDriverGetVersion(&driver->version) != 0)
        driver->version = 0;
    return STATUS_OK;
}

bool cuda_nvml_open(struct cuda_nvml *nvml)
{
    *nvml = (struct cuda_nvml){.handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)};
    if (!nvml->handle || driver_load_symbols(nvml->handle, nvml, nvml_symbols, COUNT(nvml_symbols)))
        return false;
    for (size_t i = 0; i < COUNT(nvml_device_symbols); i++)
        (void)driver_load_symbols(nvml->handle, nvml, &nvml_device_symbols[i], 1);
    return true;
}

/* Newest first; only development packages install a file without a version. */
static const char *const nvrtc_names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};

static const struct {
    const char *variable; /* NULL: only the folder */
    const char *folder;
} nvrtc_places[] = {
    {NULL, ""}, /* the library path */
    {"CUDA_HOME", "/lib64/"},
    {"CUDA_PATH", "/lib64/"},
    {"CUDA_PATH", "/"},
    {NULL, "/usr/local/cuda/lib64/"},
    {NULL, "/usr/local/cuda/targets/x86_64-linux/lib/"},
    {NULL, "/usr/local/cuda/targets/sbsa-linux/lib/"},
};

/* Opens one file as NVRTC. */
static bool nvrtc_open_file(struct gpu_compiler *nvrtc, const char *path)
{
    *nvrtc = (struct gpu_compiler){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!nvrtc->handle)
        return false;
    if (!driver_load_symbols(nvrtc->handle, nvrtc, nvrtc_symbols, COUNT(nvrtc_symbols)) && gpu_load_compiler(nvrtc))
        return true;
    (void)dlclose(nvrtc->handle);
    *nvrtc = (struct gpu_compiler){0};
    return false;
}

/* Opens a name in a place, and keeps it if it is the first one found or the first one that suits the driver. */
static bool nvrtc_consider(struct gpu_compiler *nvrtc, size_t place, const char *name, int driver_version)
{
    struct gpu_compiler found;
    LOCAL(text) path = {0};
    const char *prefix = "";
    if (nvrtc_places[place].variable && !(prefix = getenv(nvrtc_places[place].variable)))
        return false;
    text_add(&path, "%s%s%s", prefix, nvrtc_places[place].folder, name);
    const bool opened = nvrtc_open_file(&found, text_string(&path));
    if (!opened)
        return false;
    const bool suits = driver_version == 0 || found.major * 1000 + found.minor * 10 <= driver_version;
    void *unused = nvrtc->handle && !suits ? found.handle : nvrtc->handle;
    if (!nvrtc->handle || suits)
        *nvrtc = found;
    if (unused)
        (void)dlclose(unused);
    return suits;
}

enum status cuda_nvrtc_open(struct gpu_compiler *nvrtc, int driver_version, struct error *error)
{
    const char *named = getenv("ORCHIL_NVRTC");
    *nvrtc = (struct gpu_compiler){0};
    if (named && named[0]) {
        if (nvrtc_open_file(nvrtc, named))
            return STATUS_OK;
        const char *reason = dlerror();
        return error_set(error, STATUS_BUILD_FAILED,
                         "cannot open %s, named by ORCHIL_NVRTC, as NVRTC 11.2 or later: %s", named,
                         reason ? reason : "a function is missing");
    }
    for (size_t name = 0; name < COUNT(nvrtc_names); name++)
        for (size_t place = 0; place < COUNT(nvrtc_places); place++)
            if (nvrtc_consider(nvrtc, place, nvrtc_names[name], driver_version))
                return STATUS_OK;
    if (nvrtc->handle)
        return STATUS_OK;
    return error_set(
        error, STATUS_BUILD_FAILED,
        "NVRTC, the CUDA compiler, was not found: looked for libnvrtc.so.13, .12, .11.2 and libnvrtc.so in the library "
        "path, CUDA_HOME, CUDA_PATH and /usr/local/cuda; install the CUDA Toolkit (package cuda-nvrtc or "
        "nvidia-cuda-toolkit), or pip's nvidia-cuda-nvrtc and set ORCHIL_NVRTC to the file");
}
