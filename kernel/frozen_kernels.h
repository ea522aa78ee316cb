// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen kernels: compiled code kept in a folder, to be replayed later or elsewhere without the compiler.
 *
 * A kernel is three files named BACKEND-DIALECT-TEST-HASH (DIALECT+source for this lowering), with the start of the
 * test's content hash, followed by a hash of the device's name if the code is for one kind of device:
 *   NAME.json   metadata: test, compiler, options, layout, and the SHA-256 of the other two
 *   NAME.cu     the text that was compiled (.cl for OpenCL, .txt for simulated devices)
 *   NAME.ptx    the compiled code (.bin for OpenCL, .code for simulated devices)
 * The .json is written last, each file atomically, so a kernel is either complete or absent.
 *
 * Unlike the kernel cache, the folder may belong to any user: it is given on the command line, and users copy kernels
 * between machines. Only regular files of a bounded size are read, and their hashes must match the .json.
 *
 * A replay compiles nothing. The host's half (the draw, the counters and their meaning) is made from the test, as for
 * any other job, so the frozen kernel must have the same layout of the draw and the counters (frozen_layout) and the
 * same numbers of the test (the counts and positions at the start of its text).
 */
#pragma once

#include "kernel/kernel.h"

enum frozen_use { FROZEN_NONE, FROZEN_SAVE, FROZEN_REPLAY };

/* What a run does with a folder of kernels. */
struct frozen_folder {
    enum frozen_use use;
    const char *path; /* NULL for FROZEN_NONE */
};

/* The option of `run`, and of a worker, for a use: "--save-kernels", "--kernels"; "" for FROZEN_NONE. And back;
 * FROZEN_NONE for any other word. */
const char *frozen_option(enum frozen_use use);
enum frozen_use frozen_use_of(const char *option);

/* A kernel read from a folder. Starts as {0}; frozen_release frees what it holds. */
struct frozen_kernel {
    struct text code;              /* for source->code */
    struct text source;            /* prelude and kernel, as compiled */
    char compiler[128];            /* as saved: "NVRTC 13.0" */
    char device[128], driver[128]; /* with which it was saved */
};

/* For saving, makes the folder and its parents; for a replay, checks that it has kernels. UNREADABLE, with what to do,
 * on failure. */
enum status frozen_open(const struct frozen_folder *folder, struct error *error);

/* Saves the portable part of code. BUILD_FAILED on failure. */
enum status frozen_save(const char *folder, const struct backend_device *device, const struct litmus_test *test,
                        const struct kernel *kernel, const struct backend_code *code, struct error *error);

/* Reads the kernel of a test for a device, preferably the kernel of an equal device. BUILD_FAILED, with what to do, if
 * there is none, if it is damaged, or if `kernel` has another layout or other numbers. */
enum status frozen_load(const char *folder, const struct backend_device *device, const struct litmus_test *test,
                        const struct kernel *kernel, struct frozen_kernel *frozen, struct error *error);
void frozen_release(struct frozen_kernel *frozen);

/* Writes the name of the compiler of the test's frozen kernel, cut to size bytes, for the records. False, with nothing
 * written, if nothing is replayed or there is no such kernel, which the job will then report. */
bool frozen_name_compiler(const struct frozen_folder *folder, const struct backend_device *device,
                          const struct litmus_test *test, const char *lowering, char *compiler, size_t size);

/* Appends the layout of the draw and the counters: its version and each word with its position, one per line. */
void frozen_layout(struct text *text);
