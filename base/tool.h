// SPDX-License-Identifier: Apache-2.0
/* External programs that may not be installed, compilers and disassemblers, and files in memory for them. */
#pragma once

#include <limits.h>

#include "base/base.h"

/* ---- files in memory ---- */

struct memory_file {
    int descriptor;
    char path[64]; /* for programs of this user, while the file is open */
};

/* Makes a file with these bytes. After a failure there is nothing to close. */
enum status memory_file_make(const char *bytes, size_t size, struct memory_file *file, struct error *error);

/* Appends its current contents. LIMIT if there are more than `maximum` bytes. */
enum status memory_file_read(const struct memory_file *file, size_t maximum, struct text *text, struct error *error);
void memory_file_close(struct memory_file *file);

/* Runs a program found on PATH, in an English locale, and appends its standard output. It is killed with the processes
 * that it started after `seconds`, or after `maximum` bytes, or if this process dies. A file that it writes may not be
 * larger either. arguments: its name first, NULL last. UNSUPPORTED if there is no such program; LIMIT beyond either
 * limit; SYSTEM if it fails. */
enum status tool_run(const char *const *arguments, double seconds, size_t maximum, struct text *output,
                     struct error *error);

/* The same, but after `seconds` it is interrupted, and killed only if it has not ended `grace` seconds later. */
enum status tool_run_interrupted(const char *const *arguments, double seconds, double grace, size_t maximum,
                                 struct text *output, struct error *error);

/* As tool_run, and appends its standard error, up to `maximum` bytes, to *said. Its address space may not exceed
 * TOOL_MEMORY bytes. */
#define TOOL_MEMORY ((size_t)8 << 30)
enum status tool_run_heard(const char *const *arguments, double seconds, size_t maximum, struct text *output,
                           struct text *said, struct error *error);

/* Finds a program on PATH. */
bool tool_is_on_path(const char *name, char path[PATH_MAX]);

/* Finds the file of this program. */
enum status tool_find_self(char path[PATH_MAX], struct error *error);

/* Finds a program of the CUDA Toolkit: on PATH, in $CUDA_HOME/bin, $CUDA_PATH/bin or /usr/local/cuda/bin. UNSUPPORTED,
 * with what to install, if there is none. */
enum status tool_find_cuda(const char *name, char path[PATH_MAX], struct error *error);
