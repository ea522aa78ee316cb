// SPDX-License-Identifier: Apache-2.0
/* The files that register OpenCL drivers. */
#include "backends/opencl/registrations.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

static const char default_folder[] = "/etc/OpenCL/vendors";

/* The variables of ocl-icd and of Khronos' loader, then the usual folder. */
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
    char line[256] = "";
    FILE *file = fopen(text_string(&registration->path), "re");
    if (!file) {
        registration->why = errno;
        return;
    }
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    (void)fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    text_add(&registration->library, "%s", line);
}

static struct opencl_registration *add_registration(struct opencl_registrations *registrations)
{
    LIST_ADD(registrations->list, registrations->count, registrations->room) = (struct opencl_registration){0};
    return &registrations->list[registrations->count - 1];
}

static int is_registration(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".icd") == 0;
}

void opencl_registrations_find(struct opencl_registrations *registrations)
{
    struct dirent **entries = NULL;
    struct stat what;
    *registrations = (struct opencl_registrations){.folder = vendor_folder()};
    if (stat(registrations->folder, &what) == 0 && !S_ISDIR(what.st_mode)) {
        struct opencl_registration *registration = add_registration(registrations);
        text_add(&registration->path, "%s", registrations->folder);
        read_registration(registration);
        return;
    }
    const int count = scandir(registrations->folder, &entries, is_registration, alphasort);
    for (int i = 0; i < count; i++) {
        struct opencl_registration *registration = add_registration(registrations);
        text_add(&registration->path, "%s/%s", registrations->folder, entries[i]->d_name);
        read_registration(registration);
        free(entries[i]);
    }
    free(entries);
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
