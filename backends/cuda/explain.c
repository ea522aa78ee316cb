// SPDX-License-Identifier: Apache-2.0
/* What `doctor` prints about CUDA. */
#include "backends/cuda/cuda.h"
#include "backends/cuda/devices.h"
#include "backends/cuda/headers.h"
#include "backends/cuda/library.h"
#include "backends/driver.h"
#include "base/terminal/terminal.h"

static void explain_headers(const struct cuda_nvrtc *nvrtc, struct text *text)
{
    struct cuda_headers headers;
    struct error error = {0};
    if (cuda_headers_find(nvrtc, &headers, &error) == STATUS_OK)
        text_add(text, "  headers: %s (libcu++ %s), for --lowering source\n", headers.folder, headers.version);
    else
        terminal_add(text, "  missing, for --lowering source: %s\n", error.text);
}

static void explain_compiler(int driver_version, struct text *text)
{
    struct cuda_nvrtc nvrtc;
    struct error error = {0};
    if (cuda_nvrtc_open(&nvrtc, driver_version, &error) != STATUS_OK) {
        terminal_add(text, "  missing: %s\n", error.text);
        return;
    }
    text_add(text, "  compiler: %s (NVRTC %d.%d)\n", driver_library_path(nvrtc.handle), nvrtc.major, nvrtc.minor);
    explain_headers(&nvrtc, text);
    if (driver_version > 0 && nvrtc.major * 1000 + nvrtc.minor * 10 > driver_version)
        text_add(text,
                 "  note: NVRTC is newer than the driver; orchil stamps its PTX with the driver's version; if the "
                 "driver refuses it, set ORCHIL_NVRTC to the libnvrtc.so of an older CUDA Toolkit\n");
}

void cuda_explain(struct text *text)
{
    struct gpu_api driver;
    struct cuda_nvml nvml;
    struct error error = {0};
    text_add(text, "CUDA\n");
    if (cuda_driver_open(&driver, &error) != STATUS_OK) {
        terminal_add(text, "  missing: %s\n", error.text);
        explain_compiler(0, text);
        return;
    }
    text_add(text, "  driver: %s (CUDA %d.%d)\n", driver_library_path(driver.handle), driver.version / 1000,
             driver.version % 1000 / 10);
    if (cuda_nvml_open(&nvml))
        text_add(text, "  NVML: %s\n", driver_library_path(nvml.handle));
    else
        text_add(text, "  missing: libnvidia-ml.so.1; the driver's version is read from /proc/driver/nvidia/version "
                       "instead\n");
    explain_compiler(driver.version, text);
    (void)driver_explain_devices(&cuda_backend, "older than sm_70", text);
}
