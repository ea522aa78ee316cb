// SPDX-License-Identifier: Apache-2.0
/* Inspects tests without a device: compiles their kernels with NVRTC for an architecture that need not be present,
 * assembles them with ptxas, and reads the SASS. Several processes share the work; tests with the same kernel share one
 * compilation. */
#ifndef ORCHIL_INSPECT_COMPILE_INSPECT_MANY_H
#define ORCHIL_INSPECT_COMPILE_INSPECT_MANY_H

#include "inspect/compile/compilers.h"
#include "inspect/rebuild/rebuild_test.h"

/* ---- outcomes that the compiled test allows and the test forbids ---- */

/* Reads the PTX back and judges it: each outcome that the test's model, or for a CUDA test the mapping to PTX, forbids
 * and the compiled test allows becomes a finding of *inspection, which is then not kept. PTX that cannot be read back
 * or judged adds nothing. If the machine code was not inspected, *inspection becomes the inspection of the PTX. device:
 * the kernel's target. */
void judge_compiled(const struct compiled_ptx *ptx, const struct backend_device *device, struct inspection *inspection);

struct inspect_many_options {
    const struct backend_device *device; /* of the backend "cuda", with the architecture; it need not exist */
    /* NULL: NVRTC, ptxas and nvdisasm compile for the device's architecture. Else the device is the target's. */
    const struct inspect_compiler_kind *compiler;
    const char *compiler_word; /* "clang-15" */
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

/* Appends the SASS of one test's kernel, or of each GPU's if the device is an ensemble: the lines of the disassembly
 * with its threads' instructions, each thread's after its name. */
enum status inspect_show_sass(const struct backend_device *device, const struct litmus_test *test, const char *lowering,
                              struct text *text, struct error *error);

/* The same for the SPIR-V of one test's kernel, which glslang makes. lowering: NULL. */
enum status inspect_show_spirv(const struct backend_device *device, const struct litmus_test *test,
                               const char *lowering, struct text *text, struct error *error);

#endif
