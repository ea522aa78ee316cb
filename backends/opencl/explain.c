// SPDX-License-Identifier: Apache-2.0
/* What `doctor` prints about OpenCL. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "backends/driver.h"
#include "backends/opencl/devices.h"
#include "backends/opencl/library.h"
#include "backends/opencl/opencl.h"
#include "backends/opencl/pocl.h"
#include "backends/opencl/registrations.h"
#include "base/terminal/terminal.h"

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

static void explain_registrations(const struct opencl_registrations *registrations, struct text *text)
{
    if (registrations->count == 0)
        text_add(text, "  no driver is registered in %s\n", registrations->folder);
    for (size_t i = 0; i < registrations->count; i++)
        explain_registration(&registrations->list[i], text);
}

/* Reports that PoCL was given a folder because it cannot write to its own. */
static void explain_folder(struct text *text)
{
    const char *given = getenv(BACKEND_FOLDER_VARIABLE), *used = getenv("POCL_CACHE_DIR");
    struct text folder = {0};
    int why;
    if (!given || !used || strcmp(given, used) != 0)
        return;
    pocl_default_folder(&folder);
    if (!pocl_folder_is_usable(text_string(&folder), &why))
        text_add(text, "  PoCL cannot write to its folder %s (%s): it uses a temporary one\n", text_string(&folder),
                 strerror(why));
    text_release(&folder);
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
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (!opencl_registrations_have(registrations, drivers[i].library))
            text_add(text, "    apt-get install %-33s%s\n", drivers[i].packages, drivers[i].purpose);
}

/* The loader's own version, if it has the extension cl_loader_info, as ocl-icd and the Khronos
 * loader do. */
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
    struct opencl_registrations registrations;
    struct opencl_library library;
    struct error error = {0};
    text_add(text, "OpenCL\n");
    if (opencl_library_open(&library, &error) != STATUS_OK) {
        terminal_add(text, "  missing: %s\n", error.text);
        return;
    }
    opencl_registrations_find(&registrations);
    explain_loader(&library, text);
    explain_registrations(&registrations, text);
    explain_folder(text);
    if (!driver_explain_devices(&opencl_backend, "it has only OpenCL 1.0 or 1.1", text))
        explain_packages(&registrations, text);
    opencl_registrations_release(&registrations);
}
