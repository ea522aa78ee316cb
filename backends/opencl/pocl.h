// SPDX-License-Identifier: Apache-2.0
/*
 * What PoCL, the driver for processors, needs from a machine: a folder to write to, without which
 * it has no device, and /sys, without which hwloc finds no memory. No function here loads a driver.
 */
#ifndef ORCHIL_OPENCL_POCL_H
#define ORCHIL_OPENCL_POCL_H

#include <stdbool.h>

#include "base/text.h"

/* The folder that PoCL writes to unless the environment names one (POCL_CACHE_DIR): below the
 * user's cache folder or, without a home, below /tmp. */
void pocl_default_folder(struct text *folder);

/* Whether a folder can be written to, or could be created and then written to. If not, *why is an
 * errno. */
bool pocl_folder_is_usable(const char *folder, int *why);

/* Whether PoCL is registered, needs a folder, and has none that it can write to. */
bool pocl_lacks_folder(void);

/* Gives PoCL the folder of BACKEND_FOLDER_VARIABLE, if that is set and PoCL lacks its own. */
void pocl_take_folder(void);

/* What PoCL needs and this machine lacks, as parts of a sentence separated by "; "; nothing if PoCL
 * is not registered. */
void pocl_explain_lacks(struct text *causes);

#endif
