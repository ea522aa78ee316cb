// SPDX-License-Identifier: Apache-2.0
/* What `doctor` prints about Vulkan. */
#include "backends/driver.h"
#include "backends/vulkan/glsl.h"
#include "backends/vulkan/library.h"
#include "backends/vulkan/vulkan.h"
#include "base/terminal/terminal.h"

void vulkan_explain(struct text *text)
{
    struct vulkan_library library = {0};
    struct error error = {0};
    text_add(text, "Vulkan\n");
    const enum status status = vulkan_library_open(&library, &error);
    if (status != STATUS_OK)
        terminal_add(text, "  missing: %s\n", error.text);
    else
        text_add(text, "  loader: %s (Vulkan %u.%u.%u)\n", driver_library_path(library.handle),
                 VK_API_VERSION_MAJOR(library.version), VK_API_VERSION_MINOR(library.version),
                 VK_API_VERSION_PATCH(library.version));
    vulkan_library_close(&library);
    char compiler[64];
    glsl_describe(compiler, sizeof compiler);
    if (compiler[0])
        text_add(text, "  compiler: %s\n", compiler);
    else
        text_add(text, "  no compiler: apt-get install glslang-tools (saved kernels need none)\n");
    if (status == STATUS_OK && !driver_explain_devices(&vulkan_backend, "it lacks a feature that kernels need", text))
        text_add(text, "    apt-get install mesa-vulkan-drivers      for AMD, Intel and other GPUs, and the CPU\n");
}
