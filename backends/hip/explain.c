// SPDX-License-Identifier: Apache-2.0
/* What `doctor` prints about HIP. */
#include "backends/driver.h"
#include "backends/hip/devices.h"
#include "backends/hip/hip.h"
#include "base/terminal/terminal.h"

static void explain_compiler(struct text *text)
{
    struct hiprtc hiprtc;
    struct error error = {0};
    if (hiprtc_open(&hiprtc, &error) == STATUS_OK)
        text_add(text, "  compiler: %s (HIPRTC %d.%d)\n", driver_library_path(hiprtc.handle), hiprtc.major,
                 hiprtc.minor);
    else
        terminal_add(text, "  missing: %s\n", error.text);
}

void hip_explain(struct text *text)
{
    struct gpu_api api;
    struct hip_software software;
    struct error error = {0};
    text_add(text, "HIP\n");
    if (hip_open(&api, &error) != STATUS_OK) {
        terminal_add(text, "  missing: %s\n", error.text);
        explain_compiler(text);
        return;
    }
    hip_describe_software(&api, &software);
    text_add(text, "  runtime: %s (%s%s%s)\n", driver_library_path(api.handle), software.driver,
             software.platform[0] ? ", " : "", software.platform);
    explain_compiler(text);
    if (!driver_explain_devices(&hip_backend, "HIP does not name its processor", text)) {
        struct text causes = {0};
        hip_explain_lacks(&causes);
        if (causes.size > 0)
            terminal_add(text, "    %s\n", text_string(&causes));
        text_release(&causes);
    }
}
