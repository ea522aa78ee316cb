// SPDX-License-Identifier: Apache-2.0
/*
 * An instruction in the dump is a line with its opcode in capitals, its operands, and after the last
 * "; " its place, the innermost first: "orchil-kernel:828:9 @[ orchil-kernel:806:5 ]".
 */
#include "inspect/compile/clang_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "inspect/amdgcn/amdgcn.h"

/* Beginnings of memory instructions; the dump has them in capitals. */
static const char *const beginnings[] = {"global_", "flat_", "buffer_", "ds_", "scratch_"};

struct dumped {
    const char *beginning;
    unsigned line; /* of the kernel's text; 0: none */
};

struct line_list {
    struct dumped *items;
    size_t count, room;
};

static const char *beginning_of(const char *word, bool capitals)
{
    for (size_t b = 0; b < sizeof beginnings / sizeof *beginnings; b++) {
        size_t i = 0;
        while (beginnings[b][i] &&
               word[i] == (capitals ? (char)toupper((unsigned char)beginnings[b][i]) : beginnings[b][i]))
            i++;
        if (!beginnings[b][i])
            return beginnings[b];
    }
    return NULL;
}

/* The memory instruction in a line of the dump: after the indent, or after "$vgpr1 = ". */
static const char *find_opcode(const char *line, size_t length)
{
    const size_t indent = strspn(line, " ");
    if (indent >= length || indent == 0)
        return NULL;
    if (isupper((unsigned char)line[indent]))
        return beginning_of(line + indent, true);
    for (size_t i = indent; i + 3 < length; i++)
        if (memcmp(line + i, " = ", 3) == 0) {
            for (i += 3; i < length && islower((unsigned char)line[i]); i++) /* "nofpexcept " */
                i += strcspn(line + i, " \n");
            return i < length ? beginning_of(line + i, true) : NULL;
        }
    return NULL;
}

/* The line in the kernel's text of the innermost place there, at the end of a line of the dump. */
static unsigned find_place(const char *line, size_t length)
{
    static const char name[] = AMDGCN_KERNEL_FILE ":";
    const char *comment = NULL;
    for (size_t i = 0; i + 1 < length; i++)
        if (line[i] == ';' && line[i + 1] == ' ')
            comment = line + i;
    const char *found = comment ? strstr(comment, name) : NULL;
    return found && found < line + length ? (unsigned)strtoul(found + strlen(name), NULL, 10) : 0;
}

/* Reads the kernel's function, "# Machine code for function orchil:" to "# End machine code". */
static void read_dump(const char *dump, struct line_list *list)
{
    const char *at = strstr(dump, "# Machine code for function orchil:");
    while (at && *at && strncmp(at, "# End machine code", 18) != 0) {
        const size_t length = strcspn(at, "\n");
        const char *beginning = find_opcode(at, length);
        if (beginning)
            LIST_ADD(list->items, list->count, list->room) = (struct dumped){beginning, find_place(at, length)};
        at += length + (at[length] == '\n');
    }
}

/* The beginning of the memory instruction in a line of the assembly; or NULL. *inside: whether the
 * line is in the kernel's function, which may have a copy that is not called. */
static const char *memory_instruction(const char *line, bool *inside)
{
    if (strncmp(line, "orchil:", 7) == 0)
        *inside = true;
    if (strncmp(line, ".Lfunc_end", 10) == 0)
        *inside = false;
    return *inside && *line == '\t' ? beginning_of(line + 1, false) : NULL;
}

static bool is_same_code(const char *assembly, const struct line_list *list)
{
    size_t count = 0;
    bool inside = false;
    for (const char *at = assembly; *at;) {
        const char *beginning = memory_instruction(at, &inside);
        if (beginning && (count == list->count || list->items[count].beginning != beginning))
            return false;
        count += beginning != NULL;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return count == list->count;
}

/* The number of the kernel's file in the assembly, or -1. */
static long kernel_file(const char *assembly)
{
    const char *name = strstr(assembly, "\"" AMDGCN_KERNEL_FILE "\"");
    while (name && name > assembly && name[-1] != '\n')
        name--;
    return name && strncmp(name, "\t.file\t", 7) == 0 ? strtol(name + 7, NULL, 10) : -1;
}

static void add_lines(const char *assembly, const struct line_list *list, long file, struct text *text)
{
    const char *place = NULL; /* the last .loc */
    size_t count = 0;
    bool inside = false;
    for (const char *at = assembly; *at;) {
        const size_t length = strcspn(at, "\n");
        const bool memory = memory_instruction(at, &inside) != NULL;
        if (strncmp(at, "\t.loc\t", 6) == 0)
            place = at;
        if (memory)
            text_add(text, "\t.loc\t%ld %u 0\n", file, list->items[count++].line);
        text_add_bytes(text, at, length);
        text_add(text, "\n");
        if (memory && place) {
            text_add_bytes(text, place, strcspn(place, "\n"));
            text_add(text, "\n");
        }
        at += length + (at[length] == '\n');
    }
}

void clang_lines_add(const char *assembly, const char *dump, struct text *text)
{
    struct line_list list = {0};
    const long file = kernel_file(assembly);
    read_dump(dump, &list);
    if (file >= 0 && list.count > 0 && is_same_code(assembly, &list))
        add_lines(assembly, &list, file, text);
    else
        text_add(text, "%s", assembly);
    free(list.items);
}
