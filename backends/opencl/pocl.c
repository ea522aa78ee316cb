// SPDX-License-Identifier: Apache-2.0
/* What PoCL needs from a machine, and the files that register drivers. */
#include "backends/opencl/pocl.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "backends/backend.h"
#include "backends/driver.h"

/* ---- registrations ---- */

static const char default_folder[] = "/etc/OpenCL/vendors";

/* The variables of ocl-icd and of the Khronos loader, then the usual folder. */
static const char *vendor_folder(void)
{
    static const char *const variables[] = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"};
    for (size_t i = 0; i < COUNT(variables); i++) {
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
    LOCAL(folder) files = {0};
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
    return ANY_OF(one, registrations->list, registrations->count, strcasestr(text_string(&one->library), part));
}

/* ---- PoCL ---- */

static const char processors[] = "/sys/devices/system/cpu";

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

void pocl_default_folder(struct text *folder)
{
    const char *cache = variable("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache)
        text_add(folder, "%s/pocl/kcache", cache);
    else if (home)
        text_add(folder, "%s/.cache/pocl/kcache", home);
    else
        text_add(folder, "/tmp/pocl/kcache");
}

/* Removes the last part of a path; false if nothing is left above it. */
static bool go_up(struct text *path)
{
    const char *slash = strrchr(text_string(path), '/');
    if (!slash || path->size == 1)
        return false;
    const size_t kept = slash == path->data ? 1 : (size_t)(slash - path->data);
    path->data[kept] = '\0';
    path->size = kept;
    return true;
}

bool pocl_folder_is_usable(const char *folder, int *why)
{
    LOCAL(text) path = {0};
    struct stat what;
    text_add(&path, "%s", folder);
    int found = stat(text_string(&path), &what);
    while (found != 0 && errno == ENOENT && go_up(&path))
        found = stat(text_string(&path), &what);
    *why = 0;
    if (found == 0 && !S_ISDIR(what.st_mode))
        *why = ENOTDIR;
    else if (found != 0 || faccessat(AT_FDCWD, text_string(&path), W_OK | X_OK, AT_EACCESS) != 0)
        *why = errno;
    return *why == 0;
}

static bool is_registered(void)
{
    LOCAL(opencl_registrations) registrations;
    opencl_registrations_find(&registrations);
    return opencl_registrations_have(&registrations, "pocl");
}

static bool default_is_usable(void)
{
    LOCAL(text) folder = {0};
    int why;
    pocl_default_folder(&folder);
    return pocl_folder_is_usable(text_string(&folder), &why);
}

bool pocl_lacks_folder(void)
{
    return !getenv("POCL_CACHE_DIR") && !default_is_usable() && is_registered();
}

void pocl_take_folder(void)
{
    const char *folder = variable(BACKEND_FOLDER_VARIABLE);
    if (folder && pocl_lacks_folder())
        driver_set_default("POCL_CACHE_DIR", folder);
}

static void explain_folder(struct text *causes)
{
    const char *named = getenv("POCL_CACHE_DIR");
    LOCAL(text) folder = {0};
    int why;
    if (!named && variable(BACKEND_FOLDER_VARIABLE))
        return;
    if (named)
        text_add(&folder, "%s", named);
    else
        pocl_default_folder(&folder);
    if (!pocl_folder_is_usable(text_string(&folder), &why))
        text_add(causes, "%sPoCL cannot write to its folder %s%s (%s): set POCL_CACHE_DIR to a writable folder",
                 causes->size > 0 ? "; " : "", text_string(&folder), named ? ", which POCL_CACHE_DIR names" : "",
                 strerror(why));
}

void pocl_explain_lacks(struct text *causes)
{
    if (!is_registered())
        return;
    if (access(processors, F_OK) != 0)
        text_add(causes,
                 "/sys is not mounted (%s does not exist), and without it PoCL finds no CPU; run 'mount -t sysfs sysfs "
                 "/sys', or start the container with /sys",
                 processors);
    explain_folder(causes);
}
