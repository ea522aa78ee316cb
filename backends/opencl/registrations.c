// SPDX-License-Identifier: Apache-2.0
/* The files that register OpenCL drivers. */
#include "backends/opencl/registrations.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/whole_file.h"

static const char default_folder[] = "/etc/OpenCL/vendors";

/* The variables of ocl-icd and of the Khronos loader, then the usual folder. */
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

static void read_registration(struct opencl_registration *registration)
{
    char line[256];
    if (file_read_start(text_string(&registration->path), line, sizeof line) == 0 && errno != 0) {
        registration->why = errno;
        return;
    }
    line[strcspn(line, "\r\n")] = '\0';
    text_add(&registration->library, "%s", line);
}

static struct opencl_registration *add_registration(struct opencl_registrations *registrations)
{
    LIST_ADD(registrations->list, registrations->count, registrations->room) = (struct opencl_registration){0};
    return &registrations->list[registrations->count - 1];
}

static bool is_registration(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".icd") == 0;
}

void opencl_registrations_find(struct opencl_registrations *registrations)
{
    enum { MAXIMUM_FILES = 10000 };
    struct folder files;
    struct stat what;
    *registrations = (struct opencl_registrations){.folder = vendor_folder()};
    if (stat(registrations->folder, &what) == 0 && !S_ISDIR(what.st_mode)) {
        struct opencl_registration *registration = add_registration(registrations);
        text_add(&registration->path, "%s", registrations->folder);
        read_registration(registration);
        return;
    }
    if (folder_read(registrations->folder, MAXIMUM_FILES, &files, NULL) != STATUS_OK)
        return; /* an unreadable file has none */
    for (size_t i = 0; i < files.count; i++) {
        if (!is_registration(files.names[i]))
            continue;
        struct opencl_registration *registration = add_registration(registrations);
        text_add(&registration->path, "%s/%s", registrations->folder, files.names[i]);
        read_registration(registration);
    }
    folder_release(&files);
}

void opencl_registrations_release(struct opencl_registrations *registrations)
{
    for (size_t i = 0; i < registrations->count; i++) {
        text_release(&registrations->list[i].path);
        text_release(&registrations->list[i].library);
    }
    free(registrations->list);
    *registrations = (struct opencl_registrations){0};
}

bool opencl_registrations_have(const struct opencl_registrations *registrations, const char *part)
{
    for (size_t i = 0; i < registrations->count; i++)
        if (strcasestr(text_string(&registrations->list[i].library), part))
            return true;
    return false;
}
