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

/* Looks for the objects of one group size that are not on a list. */
struct search {
    const char *known; /* as opencl_list_loaded makes it */
    size_t group_size;
    struct text path; /* of one of them; owned */
    unsigned count;
};

static bool is_known(const char *known, const char *path)
{
    const size_t size = strlen(path);
    for (const char *at = known, *end; (end = strchr(at, '\n')); at = end + 1)
        if ((size_t)(end - at) == size && memcmp(at, path, size) == 0)
            return true;
    return false;
}

static int search_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;
    (void)size;
    if (size_of_object(info->dlpi_name) == search->group_size && !is_known(search->known, info->dlpi_name) &&
        search->count++ == 0)
        text_add(&search->path, "%s", info->dlpi_name);
    return 0;
}

void opencl_read_loaded(const struct text *paths, size_t group_size, struct text *code)
{
    struct search search = {.known = text_string(paths), .group_size = group_size};
    struct text bytes = {0};
    struct error error;
    (void)dl_iterate_phdr(search_object, &search);
    if (search.count == 1 && file_read_whole(text_string(&search.path), OBJECT_MAXIMUM, &bytes, &error) == STATUS_OK)
        text_add_bytes(code, bytes.data, bytes.size);
    text_release(&bytes);
    text_release(&search.path);
}
