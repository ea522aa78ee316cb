// SPDX-License-Identifier: Apache-2.0
/* NVRTC: the architecture, the log, the PTX. */
#include "backends/cuda/compile.h"

#include <stdio.h>
#include <stdlib.h>

#include "backends/cuda/devices.h"
#include "backends/cuda/headers.h"
#include "backends/cuda/ptx.h"
#include "base/memory.h"

/* An absolute name: NVRTC prepends the working folder to any other, and the code would depend on
 * it. */
#define SOURCE_NAME "/orchil.cu"

static enum status nvrtc_failed(const struct cuda_nvrtc *nvrtc, const char *call, unsigned code, struct error *error)
{
    return error_set(error, STATUS_BUILD_FAILED, "%s of NVRTC %d.%d failed: %s", call, nvrtc->major, nvrtc->minor,
                     nvrtc->nvrtcGetErrorString(code));
}

/* The newest architecture that both the compiler and the device support; the driver translates the
 * PTX for the device. */
static enum status choose_architecture(const struct cuda_nvrtc *nvrtc, const char *name, int wanted, int *chosen,
                                       struct error *error)
{
    int count = 0;
    *chosen = 0;
    unsigned code = nvrtc->nvrtcGetNumSupportedArchs(&count);
    if (code != 0 || count <= 0)
        return nvrtc_failed(nvrtc, "nvrtcGetNumSupportedArchs", code, error);
    int *known = memory_take((size_t)count, sizeof *known);
    code = nvrtc->nvrtcGetSupportedArchs(known);
    int oldest = known[0];
    for (int i = 0; code == 0 && i < count; i++) {
        if (known[i] <= wanted && known[i] >= CUDA_OLDEST && known[i] > *chosen)
            *chosen = known[i];
        if (known[i] < oldest)
            oldest = known[i];
    }
    free(known);
    if (code != 0)
        return nvrtc_failed(nvrtc, "nvrtcGetSupportedArchs", code, error);
    if (*chosen == 0)
        return error_set(error, STATUS_BUILD_FAILED,
                         "NVRTC %d.%d compiles for sm_%d and later, but the device is %s; set ORCHIL_NVRTC to the "
                         "libnvrtc.so of an older CUDA Toolkit",
                         nvrtc->major, nvrtc->minor, oldest, name);
    return STATUS_OK;
}

/* Appends the compiler's output. */
static enum status read_log(const struct cuda_nvrtc *nvrtc, struct _nvrtcProgram *program, struct text *log,
                            struct error *error)
{
    size_t size = 0;
    unsigned code = nvrtc->nvrtcGetProgramLogSize(program, &size);
    if (code != 0 || size <= 1)
        return code == 0 ? STATUS_OK : nvrtc_failed(nvrtc, "nvrtcGetProgramLogSize", code, error);
    char *said = memory_take(size + 1, 1);
    code = nvrtc->nvrtcGetProgramLog(program, said);
    if (code == 0)
        text_add(log, "%s", said);
    free(said);
    return code == 0 ? STATUS_OK : nvrtc_failed(nvrtc, "nvrtcGetProgramLog", code, error);
}

/* Fetches the PTX and appends it, stamped for its driver and device. */
static enum status read_ptx(const struct cuda_nvrtc *nvrtc, struct _nvrtcProgram *program,
                            const struct cuda_request *request, int target, struct text *ptx, struct error *error)
{
    size_t size = 0;
    unsigned code = nvrtc->nvrtcGetPTXSize(program, &size);
    if (code != 0)
        return nvrtc_failed(nvrtc, "nvrtcGetPTXSize", code, error);
    char *code_text = memory_take(size + 1, 1);
    code = nvrtc->nvrtcGetPTX(program, code_text);
    if (code == 0) {
        struct text used = {0};
        if (request->includes)
            cuda_ptx_drop_unused(code_text, &used);
        else
            text_add(&used, "%s", code_text);
        cuda_ptx_stamp(text_string(&used), request->driver_version, (unsigned)target, ptx);
        text_release(&used);
    }
    free(code_text);
    return code == 0 ? STATUS_OK : nvrtc_failed(nvrtc, "nvrtcGetPTX", code, error);
}

enum status cuda_compile(const struct cuda_nvrtc *nvrtc, const struct cuda_request *request, struct text *ptx,
                         struct text *log, struct error *error)
{
    int wanted = 0, chosen;
    char target[40];
    struct cuda_headers headers = {0};
    struct text source = {0};
    struct _nvrtcProgram *program = NULL;
    const size_t log_start = log->size;
    if (sscanf(request->architecture, "sm_%4d", &wanted) != 1)
        return error_set(error, STATUS_USAGE, "expected an architecture like sm_90, found '%s'", request->architecture);
    TRY(choose_architecture(nvrtc, request->architecture, wanted, &chosen, error));
    (void)snprintf(target, sizeof target, "--gpu-architecture=compute_%d", chosen);
    if (request->includes)
        TRY(cuda_headers_find(nvrtc, &headers, error));
    const char *options[6] = {target, "--std=c++17", "--device-as-default-execution-space"};
    int option_count = 3;
    if (request->lines)
        options[option_count++] = "--generate-line-info";
    for (size_t i = 0; request->includes && i < 2; i++)
        options[option_count++] = headers.options[i];

    if (request->options) {
        text_clear(request->options);
        for (int i = 0; i < option_count; i++)
            text_add(request->options, "%s%s", i > 0 ? " " : "", options[i]);
    }
    text_add(&source, "%s%s", cuda_prelude, request->kernel);
    unsigned code = nvrtc->nvrtcCreateProgram(&program, text_string(&source), SOURCE_NAME, 0, NULL, NULL);
    if (code != 0) {
        text_release(&source);
        return nvrtc_failed(nvrtc, "nvrtcCreateProgram", code, error);
    }
    code = nvrtc->nvrtcCompileProgram(program, option_count, options);
    enum status status = read_log(nvrtc, program, log, error);
    if (status == STATUS_OK && code != 0) {
        status = error_set(error, STATUS_BUILD_FAILED, "NVRTC %d.%d refused the kernel for %s: %s", nvrtc->major,
                           nvrtc->minor, request->architecture, nvrtc->nvrtcGetErrorString(code));
        error_set_detail(error, text_string(log) + log_start);
    }
    if (status == STATUS_OK)
        status = read_ptx(nvrtc, program, request, wanted, ptx, error);
    (void)nvrtc->nvrtcDestroyProgram(&program);
    text_release(&source);
    return status;
}
