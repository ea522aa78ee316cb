// SPDX-License-Identifier: Apache-2.0
/* A folder for drivers that have none to write to. */
#include "runner/supervise/devices.h"

#include <stdlib.h>

#include "backends/backend.h"
#include "base/memory.h"

static bool is_lacking(void)
{
    for (const struct backend *const *at = backends; *at; at++)
        if ((*at)->lacks_folder && (*at)->lacks_folder())
            return true;
    return false;
}

void driver_folder_open(struct temporary_folder *folder)
{
    struct error ignored;
    *folder = (struct temporary_folder){0};
    if (getenv(BACKEND_FOLDER_VARIABLE) || !is_lacking() ||
        temporary_folder_open("drivers", folder, &ignored) != STATUS_OK)
        return;
    if (setenv(BACKEND_FOLDER_VARIABLE, folder->path, 0) != 0)
        memory_fail(sizeof folder->path);
}

void driver_folder_close(struct temporary_folder *folder)
{
    if (folder->path[0] != '\0')
        (void)unsetenv(BACKEND_FOLDER_VARIABLE);
    temporary_folder_close(folder);
}
