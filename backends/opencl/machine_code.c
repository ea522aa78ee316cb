// SPDX-License-Identifier: Apache-2.0
/* A processor's machine code: ELF objects in a binary of unknown layout, or loaded into this process. */
#include "backends/opencl/machine_code.h"

#include <elf.h>
#include <link.h>

#include "base/whole_file.h"

/* ---- in a program's binary ---- */

enum { PATH_REACH = 512 /* bytes before an object that are searched for its path */ };

/* The size of the object that starts here, from its ELF header: the section table comes last. 0 if it is not an x86-64
 * object. */
static size_t object_bytes(const char *start, size_t room)
{
    Elf64_Ehdr head;
    if (room < sizeof head)
        return 0;
    memcpy(&head, start, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_machine != EM_X86_64 || (head.e_type != ET_DYN && head.e_type != ET_REL))
        return 0;
    const size_t sections = (size_t)head.e_shnum * head.e_shentsize;
    return head.e_shoff <= room && sections <= room - head.e_shoff ? head.e_shoff + sections : 0;
}

/* The group size in the path before an object; 0 if it is for any size, SIZE_MAX if there is no such path. */
static size_t size_in_path(const char *binary, const char *object)
{
    const char *start = object - binary > PATH_REACH ? object - PATH_REACH : binary;
    for (const char *c = object - 3; c > start; c--) {
        unsigned x, y, z;
        char part[64];
        if (memcmp(c, ".so", 3) != 0)
            continue;
        for (c--; c > start && *c != '/'; c--)
            ;
        for (c--; c > start && *c != '/'; c--)
            ;
        (void)snprintf(part, sizeof part, "%.*s", (int)sizeof part - 1, c);
        return sscanf(part, "/%u-%u-%u", &x, &y, &z) == 3 ? (size_t)x * y * z : SIZE_MAX;
    }
    return SIZE_MAX;
}

bool opencl_find_object(const char *binary, size_t size, size_t group_size, const char **object, size_t *object_size)
{
    bool sizes = false; /* there is an object for a single size */
    *object = NULL;
    for (size_t at = 0; at + SELFMAG <= size;) {
        const char *found = memmem(binary + at, size - at, ELFMAG, SELFMAG);
        const size_t bytes = found ? object_bytes(found, size - (size_t)(found - binary)) : 0;
        if (!found)
            break;
        at = (size_t)(found - binary) + (bytes > 0 ? bytes : 1);
        const size_t made_for = bytes > 0 ? size_in_path(binary, found) : SIZE_MAX;
        sizes = sizes || (made_for != 0 && made_for != SIZE_MAX);
        if (made_for != group_size && (made_for != 0 || *object))
            continue;
        *object = found;
        *object_size = bytes;
        if (made_for == group_size)
            return true;
    }
    return *object != NULL && !sizes;
}

/* ---- in this process ---- */

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

static bool machine_code_is_known(const char *known, const char *path)
{
    const size_t size = strlen(path);
    for (const char *at = known, *end; (end = strchr(at, '\n')); at = end + 1)
        if ((size_t)(end - at) == size && memcmp(at, path, size) == 0)
            return true;
    return false;
}

void opencl_read_loaded(const struct text *paths, size_t group_size, struct text *code)
{
    struct text loaded = {0}, bytes = {0};
    const char *found = NULL;
    unsigned count = 0;
    struct error error;
    opencl_list_loaded(&loaded);
    for (char *at = loaded.data, *end; at && (end = strchr(at, '\n')); at = end + 1) {
        *end = '\0';
        if (size_of_object(at) != group_size || machine_code_is_known(text_string(paths), at))
            continue;
        found = at;
        count++;
    }
    if (count == 1 && file_read_whole(found, OBJECT_MAXIMUM, &bytes, &error) == STATUS_OK)
        text_add_bytes(code, bytes.data, bytes.size);
    text_release(&bytes);
    text_release(&loaded);
}
