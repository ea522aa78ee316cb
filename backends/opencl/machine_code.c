// SPDX-License-Identifier: Apache-2.0
/* ELF objects in a binary of unknown layout. */
#include "backends/opencl/machine_code.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PATH_REACH = 512 /* bytes before an object that are searched for its path */ };

/* The size of the object that starts here, from its ELF header: the section table comes last. 0 if
 * it is not an x86-64 object. */
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

/* The group size in the path before an object; 0 if it is for any size, SIZE_MAX if there is no
 * such path. */
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
