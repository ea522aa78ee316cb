// SPDX-License-Identifier: Apache-2.0
/* What `doctor` prints of OpenCL. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backends/driver.h"
#include "backends/opencl/devices.h"
#include "backends/opencl/library.h"
#include "backends/opencl/opencl.h"

static const char default_folder[] = "/etc/OpenCL/vendors";

/* Where the loader looks for registrations: the variables of ocl-icd and of Khronos' loader, then the usual folder. */
static const char *vendor_folder(void)
{
    static const char *const variables[] = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && value[0])
            return value;
    }
    return default_folder;
}

static void explain_registration(const char *path, struct text *text)
{
    char line[256] = "";
    FILE *file = fopen(path, "re");
    if (!file) {
        text_add(text, "  driver file %s cannot be read: %s\n", path, strerror(errno));
        return;
    }
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    (void)fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    text_add(text, "  driver file %s names %s\n", path, line[0] ? line : "nothing");
    const char *enabled = getenv("RUSTICL_ENABLE");
    if (strstr(line, "RusticlOpenCL") && !(enabled && enabled[0]))
        text_add(text,
                 "    Mesa's rusticl has no device unless RUSTICL_ENABLE names one of its drivers, such as llvmpipe "
                 "(the processor), radeonsi, iris\n");
}

static int is_registration(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".icd") == 0;
}

static void explain_registrations(struct text *text)
{
    const char *folder = vendor_folder();
    struct dirent **entries = NULL;
    struct stat what;
    if (stat(folder, &what) == 0 && !S_ISDIR(what.st_mode)) {
        explain_registration(folder, text);
        return;
    }
    const int count = scandir(folder, &entries, is_registration, alphasort);
    if (count <= 0)
        text_add(text, "  no driver is registered in %s\n", folder);
    for (int i = 0; i < count; i++) {
        struct text path = {0};
        text_add(&path, "%s/%s", folder, entries[i]->d_name);
        explain_registration(text_string(&path), text);
        text_release(&path);
        free(entries[i]);
    }
    free(entries);
}

/* The loader's own version, where it has the extension cl_loader_info, as ocl-icd and Khronos' loader do. */
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
    struct opencl_library library;
    struct error error = {0};
    text_add(text, "OpenCL\n");
    if (opencl_library_open(&library, &error) != STATUS_OK) {
        text_add(text, "  missing: %s\n", error.text);
        return;
    }
    explain_loader(&library, text);
    explain_registrations(text);
    if (!driver_explain_devices(&opencl_backend, "it has only OpenCL C 1.x", text))
        text_add(text,
                 "  drivers come in packages: pocl-opencl-icd (the processor), mesa-opencl-icd and intel-opencl-icd "
                 "(AMD and Intel GPUs), or with NVIDIA's and AMD's own drivers\n");
}
