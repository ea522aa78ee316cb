// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen kernels: what a compiler produced, kept in a folder, to be replayed later or elsewhere without that compiler.
 *
 * A kernel is three files. Their common name is BACKEND-DIALECT-TEST-HASH (DIALECT+source for that lowering), with the
 * head of the test's content hash, followed by a hash of the device's name where the code is for one kind of device:
 *   NAME.json   what it is: test, compiler, options, layout, and the SHA-256 of the other two
 *   NAME.cu     the text that was compiled (.cl for OpenCL, .txt for simulated devices)
 *   NAME.ptx    what it was compiled to (.bin for OpenCL, .code for simulated devices)
 * The .json is written last, each file at once, so a kernel is there as a whole or not at all.
 *
 * Unlike the kernel cache, a folder may belong to anybody: a person has named it, and kernels are made to be copied
 * from one user and machine to another. What is read must be regular files of a bounded size with the hashes that the
 * .json names.
 *
 * A replay compiles nothing. The host's half (the draw, the counters and what they mean) is made from the test, as for
 * any other job; so the frozen kernel must have been made with the same layout of the draw and the counters
 * (frozen_layout) and with the same numbers of the test (the counts and positions that its text starts with).
 */
#ifndef ORCHIL_RUNNER_WORKER_FROZEN_KERNELS_H
#define ORCHIL_RUNNER_WORKER_FROZEN_KERNELS_H

#include <stdbool.h>

#include "backends/backend.h"
#include "runner/kernel/kernel.h"

enum frozen_use { FROZEN_NONE, FROZEN_SAVE, FROZEN_REPLAY };

/* What a run does with a folder of kernels. */
struct frozen_folder {
    enum frozen_use use;
    const char *path; /* NULL for FROZEN_NONE */
};

/* The option of run, and of a worker, that asks for a use: "--save-kernels", "--kernels"; "" for FROZEN_NONE. And back;
 * FROZEN_NONE for any other word. */
const char *frozen_option(enum frozen_use use);
enum frozen_use frozen_use_of(const char *option);

/* A kernel that was read. Starts as {0}; frozen_release frees what it holds. */
struct frozen_kernel {
    struct text code;              /* to be given as source->code */
    struct text source;            /* prelude and kernel, as they were compiled */
    char compiler[128];            /* as saved: "NVRTC 13.0" */
    char device[128], driver[128]; /* that it was saved with */
};

/* Makes the folder to save in, with those above it, or looks whether there are kernels in that to replay. UNREADABLE,
 * with what to do, if not. */
enum status frozen_open(const struct frozen_folder *folder, struct error *error);

/* Saves the portable part of code. BUILD_FAILED if that cannot be done. */
enum status frozen_save(const char *folder, const struct backend_device *device, const struct litmus_test *test,
                        const struct kernel *kernel, const struct backend_code *code, struct error *error);

/* Reads the kernel of a test for a device, that of an equal device where there is a choice. BUILD_FAILED, with what to
 * do, if there is none, if it is damaged or if it has another layout or other numbers than `kernel`. */
enum status frozen_load(const char *folder, const struct backend_device *device, const struct litmus_test *test,
                        const struct kernel *kernel, struct frozen_kernel *frozen, struct error *error);
void frozen_release(struct frozen_kernel *frozen);

/* Whether the text of a .json is of a kernel of this test that fits the host's half, and if not, what is wrong with it.
 * path is its name in errors. */
enum status frozen_check(const char *path, const char *json, size_t size, const struct backend_device *device,
                         const struct litmus_test *test, const struct kernel *kernel, struct error *error);

/* Writes the name of the compiler that made the test's frozen kernel, cut to size bytes, for the records. False, with
 * nothing written, where nothing is replayed or there is no such kernel: then the job will tell. */
bool frozen_name_compiler(const struct frozen_folder *folder, const struct backend_device *device,
                          const struct litmus_test *test, const char *lowering, char *compiler, size_t size);

/* Appends the layout of the draw and the counters: its version and every word in its place, one per line. */
void frozen_layout(struct text *text);

#endif
