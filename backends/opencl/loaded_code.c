// SPDX-License-Identifier: Apache-2.0
/* The machine code that PoCL loaded for a launch: shared objects, which the dynamic linker lists. */
#include "backends/opencl/loaded_code.h"

#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/whole_file.h"

enum { OBJECT_MAXIMUM = 64 << 20 /* bytes */ };

/* The group size that an object was compiled for; 0 if it is none of PoCL's for a single size. */
static size_t size_of_object(const char *path)
{
    static const char file[] = "/orchil.so", folder[] = "/orchil";
    const char *end = path + strlen(path);
    unsigned x, y, z;
    if ((size_t)(end - path) < sizeof file || strcmp(end - (sizeof file - 1), file) != 0)
        return 0;
    const char *size = end - sizeof file;
    while (size > path && *size != '/')
        size--;
    if ((size_t)(size - path) < sizeof folder - 1 ||
        strncmp(size - (sizeof folder - 1), folder, sizeof folder - 1) != 0 ||
        sscanf(size, "/%u-%u-%u", &x, &y, &z) != 3)
        return 0;
    return (size_t)x * y * z;
}

static int list_object(struct dl_phdr_info *info, size_t size, void *paths)
{
    (void)size;
    if (size_of_object(info->dlpi_name) > 0)
        text_add(paths, "%s\n", info->dlpi_name);
    return 0;
}

void opencl_list_loaded(struct text *paths)
{
    text_release(paths);
    (void)dl_iterate_phdr(list_object, paths);
}

/* Whether the lines contain this one. */
static bool has_line(const struct text *lines, const char *line, size_t size)
{
    for (const char *at = text_string(lines), *end; (end = strchr(at, '\n')); at = end + 1)
        if ((size_t)(end - at) == size && memcmp(at, line, size) == 0)
            return true;
    return false;
}

void opencl_read_loaded(const struct text *paths, size_t group_size, struct text *code)
{
    struct text now = {0}, found = {0};
    unsigned count = 0;
    opencl_list_loaded(&now);
    for (const char *at = text_string(&now), *end; (end = strchr(at, '\n')); at = end + 1) {
        if (has_line(paths, at, (size_t)(end - at)))
            continue;
        struct text path = {0};
        text_add_bytes(&path, at, (size_t)(end - at));
        if (size_of_object(text_string(&path)) == group_size && count++ == 0)
            text_add(&found, "%s", text_string(&path));
        text_release(&path);
    }
    struct error error;
    struct text bytes = {0};
    if (count == 1 && file_read_whole(text_string(&found), OBJECT_MAXIMUM, &bytes, &error) == STATUS_OK)
        text_add_bytes(code, bytes.data, bytes.size);
    text_release(&bytes);
    text_release(&found);
    text_release(&now);
}
