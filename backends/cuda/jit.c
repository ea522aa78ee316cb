// SPDX-License-Identifier: Apache-2.0
/* The driver's own compiler and loader, and why they refused PTX: its version, its target, or its
 * content. */
#include "backends/cuda/jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/ptx.h"
#include "base/memory.h"

enum { JIT_LOG_SIZE = 64 * 1024, CODE_ALIGNMENT = 16 /* bytes */ };

static unsigned capability_of(const struct backend_device *device)
{
    unsigned capability;
    return sscanf(device->architecture, "sm_%4u", &capability) == 1 ? capability : 0;
}

/* "a driver of CUDA 12.8 or later". */
static void name_driver(unsigned version, char words[64])
{
    const int release = cuda_ptx_release(version);
    if (release > 0)
        (void)snprintf(words, 64, "a driver of CUDA %d.%d or later", release / 1000, release % 1000 / 10);
    else
        (void)snprintf(words, 64, "a newer driver");
}

enum status cuda_refused(const struct cuda_refusal *refusal, struct error *error)
{
    const struct backend_device *device = refusal->device;
    unsigned version = cuda_ptx_version(refusal->ptx), target = cuda_ptx_target(refusal->ptx);
    const unsigned newest = cuda_ptx_newest(refusal->driver_version), capability = capability_of(device);
    char reads[64] = "older versions only", wanted[64];
    cuda_ptx_require(refusal->log, &version, &target);
    if (capability > 0 && target > capability)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the PTX of %s needs sm_%u or later, but cuda:%u (%s) is sm_%u (driver %s: %s)", refusal->test,
                         target, device->index, device->name, capability, device->driver, refusal->code_name);
    if (newest > 0)
        (void)snprintf(reads, sizeof reads, "PTX up to %u.%u", newest / 10, newest % 10);
    name_driver(version, wanted);
    if (refusal->code == CUDA_REFUSAL_OF_VERSION || (newest > 0 && version > newest))
        return error_set(error, STATUS_UNSUPPORTED,
                         "the PTX of %s needs version %u.%u, but the driver %s of cuda:%u (%s), CUDA %d.%d, reads %s "
                         "(%s); install %s",
                         refusal->test, version / 10, version % 10, device->driver, device->index, device->name,
                         refusal->driver_version / 1000, refusal->driver_version % 1000 / 10, reads, refusal->code_name,
                         wanted);
    return error_set(error, STATUS_BUILD_FAILED,
                     "the driver %s of cuda:%u (%s) refused the PTX of %s (version %u.%u, sm_%u): %s", device->driver,
                     device->index, device->name, refusal->test, version / 10, version % 10, target,
                     refusal->code_name);
}

/* The logs of the driver's compiler, and the options that request them and line information. */
struct jit_log {
    char *informed, *failed;
    unsigned options[5];
    void *values[5];
};

static void jit_log_open(struct jit_log *log)
{
    log->informed = memory_take(2, JIT_LOG_SIZE);
    log->failed = log->informed + JIT_LOG_SIZE;
    const unsigned options[] = {CUDA_JIT_INFO_LOG, CUDA_JIT_INFO_LOG_SIZE, CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_SIZE,
                                CUDA_JIT_LINES};
    /* The driver takes numbers in place of pointers. */
    void *const values[] = {log->informed, (void *)(size_t)(JIT_LOG_SIZE - 1), log->failed,
                            (void *)(size_t)(JIT_LOG_SIZE - 1), (void *)(size_t)1};
    memcpy(log->options, options, sizeof options);
    memcpy(log->values, values, sizeof values);
}

/* The result of a call of the driver's compiler or loader for that PTX. */
static enum status jit_status(const struct cuda_jit_of *of, const char *ptx, const char *call, unsigned code,
                              const struct jit_log *log, struct error *error)
{
    if (code == 0)
        return STATUS_OK;
    if (!cuda_error_is_refusal(code))
        return gpu_call_failed(of->driver, of->device, call, code, error);
    const struct cuda_refusal refusal = {.test = of->test,
                                         .ptx = ptx,
                                         .log = log->failed,
                                         .device = of->device,
                                         .driver_version = of->driver->version,
                                         .code = code,
                                         .code_name = gpu_error_name(of->driver, code)};
    const enum status status = cuda_refused(&refusal, error);
    error_set_detail(error, log->failed);
    return status;
}

/* After a NUL, and aligned, because drivers read it as words. */
size_t cuda_machine_code_offset(size_t ptx)
{
    return (ptx / CODE_ALIGNMENT + 1) * CODE_ALIGNMENT;
}

enum status cuda_assemble(const struct cuda_jit_of *of, struct text *code, struct text *log, struct error *error)
{
    struct CUlinkState_st *state = NULL;
    struct jit_log jit;
    void *machine_code = NULL;
    size_t size = 0;
    jit_log_open(&jit);
    unsigned result =
        of->driver->cuLinkCreate(sizeof jit.options / sizeof *jit.options, jit.options, jit.values, &state);
    if (result == 0)
        result =
            of->driver->cuLinkAddData(state, CUDA_JIT_INPUT_PTX, code->data, code->size + 1, of->test, 0, NULL, NULL);
    if (result == 0)
        result = of->driver->cuLinkComplete(state, &machine_code, &size);
    text_add(log, "%s%s", jit.informed, jit.failed);
    const enum status status = jit_status(of, text_string(code), "the PTX compiler", result, &jit, error);
    if (status == STATUS_OK) {
        static const char padding[CODE_ALIGNMENT] = {0};
        text_add_bytes(code, padding, cuda_machine_code_offset(code->size) - code->size);
        text_add_bytes(code, machine_code, size); /* it is freed with the state */
    }
    if (state)
        (void)of->driver->cuLinkDestroy(state);
    free(jit.informed);
    return status;
}

enum status cuda_load(const struct cuda_jit_of *of, const char *ptx, const char *image, struct CUmod_st **module,
                      struct text *log, struct error *error)
{
    struct jit_log jit;
    jit_log_open(&jit);
    const unsigned code = of->driver->cuModuleLoadDataEx(module, image, sizeof jit.options / sizeof *jit.options,
                                                         jit.options, jit.values);
    text_add(log, "%s%s", jit.informed, jit.failed);
    const enum status status = jit_status(of, ptx, "cuModuleLoadDataEx", code, &jit, error);
    if (status != STATUS_OK)
        *module = NULL;
    free(jit.informed);
    return status;
}
