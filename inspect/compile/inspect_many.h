// SPDX-License-Identifier: Apache-2.0
/* Inspects tests without a device: compiles their kernels with NVRTC for an architecture that need not be present,
 * assembles them with ptxas, and reads the SASS. Several processes share the work; tests with the same kernel share one
 * compilation. */
#pragma once

#include "inspect/compile/compilers.h"
#include "kernel/typical_device.h" /* for the device of the options */

struct inspect_many_options {
    const struct backend_device *device; /* of the backend "cuda", with the architecture; it need not exist */
    /* NULL: NVRTC, ptxas and nvdisasm compile for the device's architecture. Else the device is the target's. */
    const struct inspect_compiler *compiler;
    const struct inspect_compilers *known; /* of which the compiler of VULKAN tests is taken */
    const struct inspect_target *target;
    const char *version;  /* "clang 15.0.6" */
    const char *lowering; /* of kernel.h; NULL: the usual one. the output of "source" is also judged */
    unsigned processes;
    /* Called now and then with the number of tests done; if it returns false, the rest are not inspected. */
    bool (*go_on)(size_t done, size_t count, void *context);
    void *context;
};

/* The result for one test. */
struct inspected {
    struct inspection inspection;
    char compiler[128]; /* "NVRTC 13.0"; empty if nothing was compiled */
};

/* Inspects each test; for a test of several devices, each GPU's kernel but not the host's. The caller releases each
 * inspection. A test that cannot be compiled, assembled or read is not inspected, with the reason. SYSTEM if no process
 * can be started. The calling process must have one thread and no NVRTC loaded. */
enum status inspect_many(const struct inspect_many_options *options, const struct litmus_test *const *tests,
                         size_t count, struct inspected *results, struct error *error);

/* ---- the code of one test, for people ---- */

/* Appends the kernel of a test for a typical device of the backend, or only the part of its threads; for several
 * agents, each kernel under its device. For "sass" and "spirv" in place of a backend, the lines that a compiler makes
 * of them: each thread's instructions after its name. *lowering: the kernel's, NULL for the usual one; becomes the name
 * of the one that was used. UNSUPPORTED, with the reason, if no such device takes the test. */
enum status inspect_show_kernel(const char *backend, const struct litmus_test *test, bool body, const char **lowering,
                                struct text *text, struct error *error);

/* Appends the test that devices get for it, in PTX or VULKAN, without the source's claims and pairs. A test in the
 * words of the code is emitted as it is. UNSUPPORTED, with the reason, as kernel_target_print. */
enum status inspect_show_emitted(const struct litmus_test *test, bool vulkan, struct text *text, struct error *error);
