// SPDX-License-Identifier: Apache-2.0
/* Other names of tests: the lines of tests-litmus/aliases.txt. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "catalogue/catalogue.h"

static const char blanks[] = " \t\r";

/* A line without a dialect, or without a name after the alias, is ignored: a test checks the
 * file. */
static void add_alias(struct catalogue *catalogue, size_t *room, const char *line, size_t size)
{
    char *copy = memory_copy_part(line, size);
    char *rest = NULL, *alias = strtok_r(copy, blanks, &rest), *test = strtok_r(NULL, blanks, &rest);
    int dialect = LITMUS_NONE;
    const char *name = alias && test ? catalogue_dialect(alias, &dialect) : NULL;
    if (dialect != LITMUS_NONE)
        LIST_ADD(catalogue->aliases, catalogue->alias_count, *room) =
            (struct catalogue_alias){(enum litmus_dialect)dialect, memory_copy(name), memory_copy(test)};
    free(copy);
}

void catalogue_read_aliases(struct catalogue *catalogue)
{
    size_t room = 0;
    for (const char *line = catalogue_aliases; *line;) {
        const size_t size = strcspn(line, "\n");
        add_alias(catalogue, &room, line, strcspn(line, "#\n"));
        line += size + (line[size] == '\n');
    }
}

void catalogue_release_aliases(struct catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        free(catalogue->aliases[i].name);
        free(catalogue->aliases[i].test);
    }
    free(catalogue->aliases);
}

const struct catalogue_alias *catalogue_find_alias(const struct catalogue *catalogue, const char *name, int dialect,
                                                   size_t *step)
{
    while (*step < catalogue->alias_count) {
        const struct catalogue_alias *alias = &catalogue->aliases[(*step)++];
        if (strcmp(alias->name, name) == 0 && (dialect == LITMUS_NONE || dialect == (int)alias->dialect))
            return alias;
    }
    return NULL;
}
