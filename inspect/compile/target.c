// SPDX-License-Identifier: Apache-2.0
/* Targets of compilers: how they are written, and the devices that they stand for. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "inspect/compile/compilers.h"

#define SCOPES (BACKEND_ALL_SCOPES & ~BACKEND_SCOPE_CLUSTER)

/* A device of which nothing is known but what its code can say. */
#define ANY_GPU(driver, kernels, size)                                                                                 \
    {                                                                                                                  \
        .backend = (driver), .name = "a GPU that is compiled for", .takes = (kernels), .gpu = true,                    \
        .atomic_orders = BACKEND_ALL_ORDERS, .atomic_scopes = SCOPES, .fence_orders = BACKEND_ALL_ORDERS,              \
        .fence_scopes = SCOPES, .types = BACKEND_ALL_TYPES, .compute_units = 100, .max_group_size = 1024,              \
        .edges = (1u << LAUNCH_EDGE_COUNT) - 1, .sub_group_size = (size), .memory_bytes = (uint64_t)1 << 34,           \
        .local_bytes = 48 * 1024                                                                                       \
    }

/* CUDA tests are compiled as HIP C++. */
#define AMD_KERNELS (BACKEND_TAKES_C11 | BACKEND_TAKES_CUDA)

/* Machines, with how their processors begin and the sizes of their sub-groups. */
static const struct {
    const char *name, *start;
    const char *modes[3];
    struct backend_device device;
} machines[] = {
    {"amdgcn",
     "gfx1",
     {"cumode", "tgsplit", NULL},
     ANY_GPU("opencl", AMD_KERNELS, 32)}, /* gfx10 and later: waves of 32 */
    {"amdgcn", "gfx", {"cumode", "tgsplit", NULL}, ANY_GPU("opencl", AMD_KERNELS, 64)},
    {"nvptx", "sm_", {NULL}, ANY_GPU("opencl", BACKEND_TAKES_C11, 32)},
    {"spirv", "", {NULL}, ANY_GPU("vulkan", BACKEND_TAKES_GLSL, 32)}, /* one for all processors */
};

static bool is_name(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)word[i]) && word[i] != '_' && word[i] != '-')
            return false;
    return length > 0;
}

static bool read_mode(const char *const modes[3], const char *word, struct inspect_target *target)
{
    for (size_t i = 0; i < 3 && modes[i]; i++)
        if (strcmp(modes[i], word) == 0) {
            (void)snprintf(target->mode, sizeof target->mode, "%s", word);
            return true;
        }
    return false;
}

enum status inspect_target_read(const char *word, struct inspect_target *target, struct error *error)
{
    const char *processor = strchr(word, ':');
    *target = (struct inspect_target){0};
    for (size_t i = 0; !processor && i < sizeof machines / sizeof *machines; i++)
        if (!machines[i].start[0] && strcmp(machines[i].name, word) == 0) {
            target->machine = machines[i].name;
            return STATUS_OK;
        }
    for (size_t i = 0; processor && i < sizeof machines / sizeof *machines; i++) {
        const char *name = processor + 1;
        const size_t length = strcspn(name, ":");
        if (strlen(machines[i].name) != (size_t)(processor - word) ||
            strncmp(word, machines[i].name, (size_t)(processor - word)) != 0 ||
            strncmp(name, machines[i].start, strlen(machines[i].start)) != 0 || length >= sizeof target->processor ||
            !is_name(name, length))
            continue;
        target->machine = machines[i].name;
        memcpy(target->processor, name, length);
        if (!name[length] || read_mode(machines[i].modes, name + length + 1, target))
            return STATUS_OK;
    }
    return error_set(error, STATUS_USAGE,
                     "'%s' is no target; expected a machine and a processor: amdgcn:gfx90a, amdgcn:gfx1030:cumode, "
                     "nvptx:sm_80; or spirv",
                     word);
}

void inspect_target_add(const struct inspect_target *target, struct text *text)
{
    text_add(text, "%s%s%s%s%s", target->machine, target->processor[0] ? ":" : "", target->processor,
             target->mode[0] ? ":" : "", target->mode);
}

const struct backend_device *inspect_target_device(const struct inspect_target *target)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (strcmp(machines[i].name, target->machine) == 0 &&
            strncmp(target->processor, machines[i].start, strlen(machines[i].start)) == 0)
            return &machines[i].device;
    return NULL;
}
