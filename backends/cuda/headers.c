// SPDX-License-Identifier: Apache-2.0
/* Finds libcu++. */
#include "backends/cuda/headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/driver.h"
#include "base/whole_file.h"

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
static bool place_start(size_t place, const struct cuda_nvrtc *nvrtc, char start[CUDA_HEADERS_PATH])
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

/* The library's own version: CCCL_VERSION is 3000001 for 3.0.1. */
static void read_version(struct cuda_headers *headers)
{
    char path[CUDA_HEADERS_PATH + 64], bytes[4096];
    static const char name[] = "#define CCCL_VERSION ";
    (void)snprintf(path, sizeof path, "%s/cuda/std/__cccl/version.h", headers->folder);
    const char *const line = file_read_start(path, bytes, sizeof bytes) > 0 ? strstr(bytes, name) : NULL;
    const long number = line ? strtol(line + strlen(name), NULL, 10) : 0;
    if (number > 0)
        (void)snprintf(headers->version, sizeof headers->version, "%ld.%ld.%ld", number / 1000000, number / 1000 % 1000,
                       number % 1000);
    else
        (void)snprintf(headers->version, sizeof headers->version, "of unknown version");
}

static bool is_here(const char *start, const char *folder, const char *part, struct cuda_headers *headers)
{
    char file[CUDA_HEADERS_PATH + 16];
    int length = snprintf(headers->folder, sizeof headers->folder, "%s%s%s", start, folder, part);
    if (length < 0 || (size_t)length >= sizeof headers->folder)
        return false;
    (void)snprintf(file, sizeof file, "%s/cuda/atomic", headers->folder);
    if (access(file, R_OK) != 0)
        return false;
    (void)snprintf(headers->options[0], sizeof headers->options[0], "-I%s", headers->folder);
    (void)snprintf(headers->options[1], sizeof headers->options[1], "-I%s%s", start, folder);
    read_version(headers);
    return true;
}

enum status cuda_headers_find(const struct cuda_nvrtc *nvrtc, struct cuda_headers *headers, struct error *error)
{
    char start[CUDA_HEADERS_PATH];
    for (size_t place = 0; place < sizeof places / sizeof *places; place++)
        for (size_t part = 0; place_start(place, nvrtc, start) && part < sizeof parts / sizeof *parts; part++)
            if (is_here(start, places[place].folder, parts[part], headers))
                return STATUS_OK;
    return error_set(error, STATUS_BUILD_FAILED,
                     "libcu++ was not found, and the kernel includes its header <cuda/atomic>: looked in "
                     "CUDA_INC_PATH, in include and include/cccl of CUDA_HOME, CUDA_PATH, the toolkit of %s and "
                     "/usr/local/cuda, and in /usr/include; install the CUDA Toolkit (package cuda-cccl or "
                     "libcu++-dev), or pip's nvidia-cuda-cccl and set CUDA_INC_PATH to its folder include",
                     driver_library_path(nvrtc->handle));
}
