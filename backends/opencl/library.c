// SPDX-License-Identifier: Apache-2.0
/* Opening the OpenCL loader; error codes. */
#include "backends/opencl/library.h"

#include <dlfcn.h>

#include "backends/driver.h"
#include "backends/opencl/pocl.h"

/* In no header: NVIDIA's driver returns it after an illegal address. */
enum { NVIDIA_ILLEGAL_ADDRESS = -9999 };

#define OPENCL_SYMBOL(function) {#function, offsetof(struct opencl_library, function)},
static const struct driver_symbol symbols[] = {OPENCL_FUNCTIONS(OPENCL_SYMBOL)};

enum status opencl_library_open(struct opencl_library *library, struct error *error)
{
    /* A kernel cached from an earlier driver would hide the new driver's compiler. */
    driver_set_default("POCL_KERNEL_CACHE", "0");
    driver_set_default("CUDA_CACHE_DISABLE", "1");
    pocl_take_folder();

    library->handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library->handle)
        return error_set(error, STATUS_NO_DEVICE,
                         "cannot open the OpenCL loader: %s; install ocl-icd-libopencl1 and a driver, such as "
                         "pocl-opencl-icd for the CPU",
                         dlerror());
    const char *missing = driver_load_symbols(library->handle, library, symbols, COUNT(symbols));
    if (missing)
        return error_set(error, STATUS_NO_DEVICE,
                         "%s has no %s: the OpenCL loader is older than OpenCL 2.0; install ocl-icd-libopencl1",
                         driver_library_path(library->handle), missing);
    return STATUS_OK;
}

static const struct {
    cl_int code;
    const char *name;
} error_names[] = {{NVIDIA_ILLEGAL_ADDRESS, "-9999 (NVIDIA: illegal address or another fault of the kernel)"},
#define OPENCL_ERROR(code) {code, #code},
                   OPENCL_ERRORS(OPENCL_ERROR)};

const char *opencl_error_name(cl_int code)
{
    return VALUE_OF(const char *, error_name, error_names, COUNT(error_names), error_name->code == code,
                    error_name->name, "an unknown OpenCL error");
}

bool opencl_error_is_loss(cl_int code, bool finishing, bool gpu)
{
    if (code == CL_DEVICE_NOT_AVAILABLE || code == NVIDIA_ILLEGAL_ADDRESS)
        return true;
    return finishing && gpu &&
           (code == CL_OUT_OF_RESOURCES || code == CL_INVALID_COMMAND_QUEUE ||
            code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

enum status opencl_call_failed(const struct backend_device *device, const char *call, cl_int code, bool finishing,
                               struct error *error)
{
    const char *lost = opencl_error_is_loss(code, finishing, device->gpu)
                           ? "a kernel accessed memory out of bounds, or the driver reset the device"
                           : NULL;
    return driver_call_failed(device, call, opencl_error_name(code), lost, error);
}
