// SPDX-License-Identifier: Apache-2.0
/* The provenance of a run's results. */
#include "runner/run/provenance.h"

#include <jansson.h>
#include <sys/utsname.h>

#include "backends/backend.h"
#include "version.h"

/* Prefixes of variables read by the OpenCL and Vulkan loaders, PoCL, CUDA, Mesa, AMD's and Intel's drivers, the linker
 * and orchil. */
static const char *const steering[] = {
    "OCL_ICD_", "OPENCL_", "POCL_", "CUDA_", "NVIDIA_", "RUSTICL_", "MESA_",           "LP_",        "GALLIUM_", "HSA_",
    "ROCR_",    "HIP_",    "AMD_",  "GPU_",  "NEO",     "ONEAPI_",  "LD_LIBRARY_PATH", "LD_PRELOAD", "ORCHIL_",  "VK_"};

/* Set by orchil itself, to a different value each time. */
static const char own[] = BACKEND_FOLDER_VARIABLE "=", nameless[] = PROVENANCE_NAMELESS "=";

bool provenance_steers(const char *variable)
{
    if (strncmp(variable, own, strlen(own)) == 0 || strncmp(variable, nameless, strlen(nameless)) == 0)
        return false;
    return ANY_OF(one, steering, COUNT(steering), strncmp(variable, *one, strlen(*one)) == 0);
}

char *provenance_without_values(const char *variables)
{
    json_auto_t *object = json_loads(variables, 0, NULL);
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)(void) json_object_set_new(object, name, json_string("(set)"));
    return json_is_object(object) ? json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS) : memory_copy("{}");
}

char *provenance_without_name(const char *host)
{
    const char *system = strchr(host, ',');
    struct text line = {0};
    text_add(&line, "(host)%s", system ? system : "");
    return text_take(&line);
}

static char *find_variables(void)
{
    json_auto_t *object = json_object();
    for (char **variable = environ; variable && *variable; variable++) {
        const char *equals = strchr(*variable, '=');
        if (!equals || !provenance_steers(*variable))
            continue;
        FREED char *name = memory_copy_part(*variable, (size_t)(equals - *variable));
        json_t *value = json_string(equals + 1);
        /* JSON cannot hold a value that is not UTF-8: only store that it was set. */
        (void)json_object_set_new(object, name, value ? value : json_string("(not UTF-8)"));
    }
    return json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
}

static char *join_arguments(int argc, char *const *argv)
{
    struct text line = {0};
    for (int i = 0; i < argc; i++) {
        text_add(&line, "%s", i > 0 ? " " : "");
        if (i == 0)
            text_add(&line, "%s", argv[i]); /* "orchil VERB" */
        else
            text_add_shell_word(&line, argv[i]);
    }
    return text_take(&line);
}

static char *find_host(void)
{
    struct utsname system;
    struct text line = {0};
    if (uname(&system) == 0)
        text_add(&line, "%s, %s %s, %s", system.nodename, system.sysname, system.release, system.machine);
    return text_take(&line);
}

char *provenance_tool_version(void)
{
    struct text version = {0};
    text_add(&version, "%s%s%s%s", ORCHIL_VERSION, ORCHIL_COMMIT[0] ? " (" : "", ORCHIL_COMMIT,
             ORCHIL_COMMIT[0] ? ")" : "");
    return text_take(&version);
}

static void provenance_replace(char **text, char *with)
{
    free(*text);
    *text = with;
}

void provenance_find(int argc, char *const *argv, struct provenance *provenance)
{
    *provenance = (struct provenance){
        .tool_version = provenance_tool_version(),
        .command_line = join_arguments(argc, argv),
        .host = find_host(),
        .environment_variables = find_variables(),
    };
    if (getenv(PROVENANCE_NAMELESS)) {
        provenance_replace(&provenance->host, provenance_without_name(provenance->host));
        provenance_replace(&provenance->environment_variables,
                           provenance_without_values(provenance->environment_variables));
    }
}

void provenance_release(struct provenance *provenance)
{
    free(provenance->tool_version);
    free(provenance->command_line);
    free(provenance->host);
    free(provenance->environment_variables);
    *provenance = (struct provenance){0};
}
