// SPDX-License-Identifier: Apache-2.0
/* Properties of OpenCL devices, and what they promise for atomics; what `doctor` prints about them. */
#include "backends/opencl/devices.h"

#include <dlfcn.h>

#include "backends/opencl/play.h"
#include "backends/opencl/pocl.h"

/* ---- properties ---- */

enum {
    VENDOR_NVIDIA = 0x10de,
    WAVEFRONT_WIDTH_AMD = 0x4043,  /* cl_amd_device_attribute_query */
    SUB_GROUP_SIZES_INTEL = 0x4108 /* cl_intel_required_subgroup_size */
};

/* A driver without its hardware adds none. */
static void add_places(const struct opencl_library *library, cl_platform_id platform, struct opencl_place **places,
                       size_t *count, size_t *room)
{
    cl_uint found = 0;
    if (library->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &found) != CL_SUCCESS || found == 0)
        return;
    FREED cl_device_id *devices = memory_take(found, sizeof(cl_device_id));
    const cl_int code = library->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, found, devices, NULL);
    for (cl_uint i = 0; code == CL_SUCCESS && i < found; i++)
        LIST_ADD(*places, *count, *room) = (struct opencl_place){platform, devices[i]};
}

static enum status no_places(cl_uint platform_count, struct error *error)
{
    LOCAL(text) causes = {0};
    pocl_explain_lacks(&causes);
    if (causes.size == 0)
        text_add(&causes, "check that this user (groups render and video) and this container can see the hardware");
    const enum status status =
        error_set(error, STATUS_NO_DEVICE, "%u OpenCL driver%s registered, but none has a device on this machine; %s",
                  platform_count, platform_count == 1 ? " is" : "s are", text_string(&causes));
    return status;
}

enum status opencl_places(const struct opencl_library *library, struct opencl_place **places, size_t *count,
                          struct error *error)
{
    cl_uint platform_count = 0;
    size_t room = 0;
    *places = NULL;
    *count = 0;
    cl_int code = library->clGetPlatformIDs(0, NULL, &platform_count);
    if (code != CL_SUCCESS || platform_count == 0)
        return error_set(error, STATUS_NO_DEVICE,
                         "the OpenCL loader %s knows no driver (%s); install the device's driver, which registers "
                         "itself in /etc/OpenCL/vendors, or pocl-opencl-icd for the CPU",
                         driver_library_path(library->handle), opencl_error_name(code));
    FREED cl_platform_id *platforms = memory_take(platform_count, sizeof(cl_platform_id));
    code = library->clGetPlatformIDs(platform_count, platforms, NULL);
    for (cl_uint i = 0; code == CL_SUCCESS && i < platform_count; i++)
        add_places(library, platforms[i], places, count, &room);
    if (code != CL_SUCCESS)
        return error_set(error, STATUS_DEVICE_FAILED, "clGetPlatformIDs failed: %s", opencl_error_name(code));
    return *count > 0 ? STATUS_OK : no_places(platform_count, error);
}

/* A text property of a device, or of a platform if device is NULL. Empty if the driver does not report it. */
static void devices_read_text(const struct opencl_library *library, struct opencl_place place, cl_uint property,
                              char *to, size_t size)
{
    size_t length = 0;
    to[0] = '\0';
    const cl_int code = place.device ? library->clGetDeviceInfo(place.device, property, 0, NULL, &length)
                                     : library->clGetPlatformInfo(place.platform, property, 0, NULL, &length);
    if (code != CL_SUCCESS || length == 0)
        return;
    FREED char *text = memory_take(length + 1, 1);
    if ((place.device ? library->clGetDeviceInfo(place.device, property, length, text, NULL)
                      : library->clGetPlatformInfo(place.platform, property, length, text, NULL)) == CL_SUCCESS)
        driver_copy(to, size, text);
}

/* A number property of 4 or 8 bytes, or 0 if the driver does not know it. */
static uint64_t read_number(const struct opencl_library *library, cl_device_id device, cl_uint property)
{
    union {
        uint32_t small;
        uint64_t large;
    } value = {.large = 0};
    size_t size = 0;
    if (library->clGetDeviceInfo(device, property, sizeof value, &value, &size) != CL_SUCCESS)
        return 0;
    return size == sizeof value.small ? value.small : size == sizeof value.large ? value.large : 0;
}

static bool has_extension(const struct opencl_library *library, cl_device_id device, const char *extension)
{
    char list[16384]; /* separated by blanks */
    devices_read_text(library, (struct opencl_place){.device = device}, CL_DEVICE_EXTENSIONS, list, sizeof list);
    const size_t length = strlen(extension);
    for (const char *at = strstr(list, extension); at; at = strstr(at + length, extension))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* "OpenCL 3.0 ..." as 300; 0 for a text of another form. */
static unsigned read_version(const struct opencl_library *library, cl_device_id device)
{
    char text[128];
    unsigned major, minor;
    devices_read_text(library, (struct opencl_place){.device = device}, CL_DEVICE_VERSION, text, sizeof text);
    return sscanf(text, "OpenCL %2u.%1u", &major, &minor) == 2 ? major * 100 + minor * 10 : 0;
}

unsigned opencl_language(const struct opencl_library *library, cl_device_id device)
{
    /* Every device with OpenCL 3.0 has OpenCL C 3.0, and every device with 2.x has OpenCL C 2.0.
     * CL_DEVICE_OPENCL_C_VERSION does not help: for 3.0 it is 1.2 if optional parts of 2.0 are missing. */
    const unsigned version = read_version(library, device);
    return version >= 300 ? 300 : version >= 200 ? 200 : version >= 120 ? 120 : 0;
}

static const struct {
    cl_device_atomic_capabilities theirs;
    unsigned ours;
} order_bits[] =
    {
        {CL_DEVICE_ATOMIC_ORDER_RELAXED, BACKEND_ORDER_RELAXED},
        {CL_DEVICE_ATOMIC_ORDER_ACQ_REL, BACKEND_ORDER_ACQ_REL},
        {CL_DEVICE_ATOMIC_ORDER_SEQ_CST, BACKEND_ORDER_SEQ_CST},
},
  scope_bits[] = {
      {CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM, BACKEND_SCOPE_WORK_ITEM},
      {CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP, BACKEND_SCOPE_WORK_GROUP},
      {CL_DEVICE_ATOMIC_SCOPE_DEVICE, BACKEND_SCOPE_DEVICE},
      {CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES, BACKEND_SCOPE_ALL_DEVICES},
};

static void read_capabilities(const struct opencl_library *library, cl_device_id device, cl_uint property,
                              unsigned *orders, unsigned *scopes)
{
    const uint64_t bits = read_number(library, device, property);
    for (size_t i = 0; i < COUNT(order_bits); i++)
        if (bits & order_bits[i].theirs)
            *orders |= order_bits[i].ours;
    for (size_t i = 0; i < COUNT(scope_bits); i++)
        if (bits & scope_bits[i].theirs)
            *scopes |= scope_bits[i].ours;
}

/* The device's promises for atomics. OpenCL 2.x must offer all of them. OpenCL 1.x promises neither orders nor
 * scopes. */
static void describe_atomics(const struct opencl_library *library, cl_device_id id, unsigned language,
                             struct backend_device *device)
{
    if (language >= 300) {
        read_capabilities(library, id, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, &device->atomic_orders,
                          &device->atomic_scopes);
        read_capabilities(library, id, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, &device->fence_orders,
                          &device->fence_scopes);
    } else if (language >= 200) {
        device->atomic_orders = device->fence_orders = BACKEND_ALL_ORDERS;
        device->atomic_scopes = device->fence_scopes =
            BACKEND_SCOPE_WORK_ITEM | BACKEND_SCOPE_WORK_GROUP | BACKEND_SCOPE_DEVICE | BACKEND_SCOPE_ALL_DEVICES;
    }
    /* There is no capability bit for the sub-group scope: it comes with sub-groups. */
    if (language >= 200 && (read_number(library, id, CL_DEVICE_MAX_NUM_SUB_GROUPS) > 0 ||
                            has_extension(library, id, "cl_khr_subgroups"))) {
        device->atomic_scopes |= BACKEND_SCOPE_SUB_GROUP;
        device->fence_scopes |= BACKEND_SCOPE_SUB_GROUP;
    }
}

static unsigned read_types(const struct opencl_library *library, cl_device_id id, unsigned language)
{
    unsigned types = BACKEND_TYPE_LONG | BACKEND_TYPE_SHORT | BACKEND_TYPE_CHAR; /* the language has them */
    if (has_extension(library, id, "cl_khr_int64_base_atomics") &&
        has_extension(library, id, "cl_khr_int64_extended_atomics"))
        types |= BACKEND_TYPE_LONG_ATOMICS;
    if (read_number(library, id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0)
        types |= BACKEND_TYPE_DOUBLE;
    if (read_number(library, id, CL_DEVICE_ADDRESS_BITS) == 64)
        types |= BACKEND_TYPE_LONG_POINTERS;
    /* OpenCL 3.0 made features of OpenCL 2.0 optional. */
    if (language == 200 || (language >= 300 && read_number(library, id, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT)))
        types |= BACKEND_TYPE_GENERIC;
    return types;
}

static unsigned lock_step(const struct opencl_library *library, cl_device_id id, bool cpu)
{
    size_t sizes[16], size = 0;
    if (cpu)
        return 1;
    if (has_extension(library, id, "cl_nv_device_attribute_query"))
        return (unsigned)read_number(library, id, CL_DEVICE_WARP_SIZE_NV);
    if (has_extension(library, id, "cl_amd_device_attribute_query"))
        return (unsigned)read_number(library, id, WAVEFRONT_WIDTH_AMD);
    /* If a device has several sizes, the compiler chooses one for each kernel. */
    if (has_extension(library, id, "cl_intel_required_subgroup_size") &&
        library->clGetDeviceInfo(id, SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &size) == CL_SUCCESS &&
        size == sizeof *sizes)
        return (unsigned)sizes[0];
    return 0;
}

static void describe_uuid(const struct opencl_library *library, cl_device_id id, struct backend_device *device)
{
    cl_uchar uuid[CL_UUID_SIZE_KHR];
    if (has_extension(library, id, "cl_khr_device_uuid") &&
        library->clGetDeviceInfo(id, CL_DEVICE_UUID_KHR, sizeof uuid, uuid, NULL) == CL_SUCCESS)
        driver_uuid(device->uuid, uuid);
}

/* NVIDIA's compiler takes PTX in asm statements. */
static void describe_nvidia(const struct opencl_library *library, cl_device_id id, struct backend_device *device)
{
    if (!has_extension(library, id, "cl_nv_device_attribute_query"))
        return;
    const unsigned major = (unsigned)read_number(library, id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV);
    const unsigned minor = (unsigned)read_number(library, id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
    (void)snprintf(device->architecture, sizeof device->architecture, "sm_%u%u", major, minor);
    if (read_number(library, id, CL_DEVICE_VENDOR_ID) == VENDOR_NVIDIA && major >= 7) {
        device->takes |= BACKEND_TAKES_PTX; /* the PTX memory model begins with sm_70 */
        device->shared_clock = true;
    }
}

void opencl_describe(const struct opencl_library *library, struct opencl_place place, unsigned index,
                     struct backend_device *device)
{
    const cl_device_id id = place.device;
    const struct opencl_place platform = {.platform = place.platform};
    const unsigned language = opencl_language(library, id);
    const uint64_t type = read_number(library, id, CL_DEVICE_TYPE);
    char name[64], version[128];

    *device = (struct backend_device){.backend = "opencl", .index = index};
    devices_read_text(library, place, CL_DEVICE_NAME, device->name, sizeof device->name);
    devices_read_text(library, place, CL_DEVICE_VENDOR, device->vendor, sizeof device->vendor);
    devices_read_text(library, place, CL_DRIVER_VERSION, device->driver, sizeof device->driver);
    devices_read_text(library, platform, CL_PLATFORM_NAME, name, sizeof name);
    devices_read_text(library, platform, CL_PLATFORM_VERSION, version, sizeof version);
    (void)snprintf(device->platform, sizeof device->platform, "%s, %s", name, version);
    device->gpu = (type & CL_DEVICE_TYPE_GPU) && !(type & CL_DEVICE_TYPE_CPU); /* a simulator claims to be both */
    device->compute_units = (unsigned)read_number(library, id, CL_DEVICE_MAX_COMPUTE_UNITS);
    device->max_group_size = (unsigned)read_number(library, id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    device->memory_bytes = read_number(library, id, CL_DEVICE_GLOBAL_MEM_SIZE);
    device->local_bytes = read_number(library, id, CL_DEVICE_LOCAL_MEM_SIZE);
    device->sub_group_size = lock_step(library, id, type & CL_DEVICE_TYPE_CPU);
    describe_uuid(library, id, device);
    if (language == 0) {
        devices_read_text(library, place, CL_DEVICE_OPENCL_C_VERSION, device->compiler, sizeof device->compiler);
        return;
    }
    (void)snprintf(device->compiler, sizeof device->compiler, "OpenCL C %u.%u", language / 100, language % 100 / 10);
    device->takes = language >= 200 ? BACKEND_TAKES_C11 : BACKEND_TAKES_OPENCL1;
    device->types = read_types(library, id, language);
    device->edges = opencl_edges(read_number(library, id, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES));
    if (language < 200)
        return;
    describe_atomics(library, id, language, device);
    describe_nvidia(library, id, device);
#ifdef __x86_64__
    device->shared_clock |= (type & CL_DEVICE_TYPE_CPU) && strcmp(name, "Portable Computing Language") == 0;
#endif
}

/* ---- for doctor ---- */

static void explain_registration(const struct opencl_registration *registration, struct text *text)
{
    const char *path = text_string(&registration->path), *library = text_string(&registration->library);
    if (registration->why != 0) {
        text_add(text, "  driver file %s cannot be read: %s\n", path, strerror(registration->why));
        return;
    }
    text_add(text, "  driver file %s names %s\n", path, library[0] ? library : "nothing");
    const char *enabled = getenv("RUSTICL_ENABLE");
    if (strstr(library, "RusticlOpenCL") && !(enabled && enabled[0]))
        text_add(text,
                 "    Mesa's rusticl has no device unless RUSTICL_ENABLE names one of its drivers, such as llvmpipe "
                 "(the CPU), radeonsi, iris\n");
}

/* Reports that PoCL was given a folder because it cannot write to its own. */
static void explain_folder(struct text *text)
{
    const char *given = getenv(BACKEND_FOLDER_VARIABLE), *used = getenv("POCL_CACHE_DIR");
    LOCAL(text) folder = {0};
    int why;
    if (!given || !used || strcmp(given, used) != 0)
        return;
    pocl_default_folder(&folder);
    if (!pocl_folder_is_usable(text_string(&folder), &why))
        text_add(text, "  PoCL cannot write to its folder %s (%s) and uses a temporary folder\n", text_string(&folder),
                 strerror(why));
}

/* The Debian and Ubuntu packages whose drivers are not registered. */
static void explain_packages(const struct opencl_registrations *registrations, struct text *text)
{
    static const struct {
        const char *library, *packages, *purpose;
    } drivers[] = {
        {"pocl", "pocl-opencl-icd", "runs tests on the CPU"},
        {"nvidia", "nvidia-driver nvidia-opencl-icd", "for an NVIDIA GPU (Debian: non-free)"},
        {"MesaOpenCL", "mesa-opencl-icd", "for an AMD GPU"},
        {"igdrcl", "intel-opencl-icd", "for an Intel GPU"},
    };
    text_add(text, "  drivers that are not installed, with their packages in Debian and Ubuntu:\n");
    for (size_t i = 0; i < COUNT(drivers); i++)
        if (!opencl_registrations_have(registrations, drivers[i].library))
            text_add(text, "    apt-get install %-33s%s\n", drivers[i].packages, drivers[i].purpose);
}

/* The loader's own version, if it has the extension cl_loader_info, as ocl-icd and the Khronos loader do. */
static void explain_loader(const struct opencl_library *library, struct text *text)
{
    enum { LOADER_VERSION = 2, LOADER_NAME = 3 };
    typedef void *find_function(const char *name);
    typedef cl_int loader_info(cl_uint property, size_t size, void *value, size_t *written);
    char name[64] = "", version[64] = "";
    loader_info *info = NULL;
    find_function *find = (find_function *)dlsym(library->handle, "clGetExtensionFunctionAddress");
    if (find)
        info = (loader_info *)find("clGetICDLoaderInfoOCLICD");
    text_add(text, "  loader: %s", driver_library_path(library->handle));
    if (info && info(LOADER_NAME, sizeof name - 1, name, NULL) == CL_SUCCESS &&
        info(LOADER_VERSION, sizeof version - 1, version, NULL) == CL_SUCCESS)
        text_add(text, " (%s %s)", name, version);
    text_add(text, "\n");
}

void opencl_explain(struct text *text)
{
    LOCAL(opencl_registrations) registrations = {0};
    struct opencl_library library;
    struct error error = {0};
    text_add(text, "OpenCL\n");
    if (opencl_library_open(&library, &error) != STATUS_OK) {
        terminal_add(text, "  missing: %s\n", error.text);
        return;
    }
    opencl_registrations_find(&registrations);
    explain_loader(&library, text);
    if (registrations.count == 0)
        text_add(text, "  no driver is registered in %s\n", registrations.folder);
    for (size_t i = 0; i < registrations.count; i++)
        explain_registration(&registrations.list[i], text);
    explain_folder(text);
    if (!driver_explain_devices(&opencl_backend, "it supports only OpenCL 1.0 or 1.1", text))
        explain_packages(&registrations, text);
}
