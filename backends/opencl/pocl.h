// SPDX-License-Identifier: Apache-2.0
/* What PoCL, the driver for processors, needs from a machine: a folder to write to, without which it has no device, and
 * /sys, without which hwloc finds no memory. And the files that register drivers. No function here loads one. */
#pragma once

#include "base/base.h"

/* ---- registrations ---- */

struct opencl_registration {
    struct text path;    /* of the file */
    struct text library; /* the library that it names; empty: none, or the file cannot be read */
    int why;             /* an errno if it cannot be read; else 0 */
};

struct opencl_registrations {
    const char *folder; /* where the loader looks, or the one file that it reads; borrowed from the environment */
    struct opencl_registration *list;
    size_t count, room;
};

/* Finds them, in the order of their names. The caller releases them. */
void opencl_registrations_find(struct opencl_registrations *registrations);
void opencl_registrations_release(struct opencl_registrations *registrations);

/* Whether one of them names a library with `part` in its name. */
bool opencl_registrations_have(const struct opencl_registrations *registrations, const char *part);

/* The folder that PoCL writes to unless the environment names one (POCL_CACHE_DIR): below the user's cache folder or,
 * without a home, below /tmp. */
void pocl_default_folder(struct text *folder);

/* Whether a folder can be written to, or could be created and then written to. If not, *why is an errno. */
bool pocl_folder_is_usable(const char *folder, int *why);

/* Whether PoCL is registered, needs a folder, and has none that it can write to. */
bool pocl_lacks_folder(void);

/* Gives PoCL the folder of BACKEND_FOLDER_VARIABLE, if that is set and PoCL lacks its own. */
void pocl_take_folder(void);

/* What PoCL needs and this machine lacks, as parts of a sentence separated by "; "; nothing if PoCL is not
 * registered. */
void pocl_explain_lacks(struct text *causes);
