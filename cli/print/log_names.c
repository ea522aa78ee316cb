// SPDX-License-Identifier: Apache-2.0
/* Names of tests in a litmus7 log. */
#include "cli/print/run_output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "catalogue/catalogue.h"

/* The test that has a name in the log, or NULL. */
static const struct log_name *find_name(const struct log_names *names, const char *name)
{
    size_t item;
    for (size_t step = 0; hash_index_next(&names->index, hash_index_key(0, name), &step, &item);)
        if (strcmp(names->names[item].name, name) == 0)
            return &names->names[item];
    return NULL;
}

static const char *add_name(struct log_names *names, const char *name, const char *hash)
{
    struct log_name *added = &LIST_ADD(names->names, names->count, names->room);
    hash_index_add(&names->index, hash_index_key(0, name), names->count - 1);
    *added = (struct log_name){.name = memory_copy(name)};
    (void)snprintf(added->hash, sizeof added->hash, "%s", hash);
    return added->name;
}

/* "Test NAME Allowed" and, after it, "Hash=..."; a line longer than the buffer is neither. */
void log_names_read(struct log_names *names, FILE *log)
{
    struct stat what;
    char line[4096], name[sizeof line] = "";
    if (fstat(fileno(log), &what) != 0 || !S_ISREG(what.st_mode) || fseek(log, 0, SEEK_SET) != 0)
        return;
    while (fgets(line, sizeof line, log)) {
        if (strncmp(line, "Test ", 5) == 0)
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 5, " \n"), line + 5);
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "Hash=", 5) == 0 && name[0] && !find_name(names, name))
            (void)add_name(names, name, line + 5);
    }
    (void)fseek(log, 0, SEEK_END); /* each block is appended, whatever the position */
}

const char *log_names_get(struct log_names *names, const struct litmus_test *test)
{
    char hash[65];
    struct text name = {0};
    const struct log_name *taken;
    litmus_hash(test, hash);
    text_add(&name, "%s", test->name);
    for (unsigned number = 1; (taken = find_name(names, text_string(&name))) && strcmp(taken->hash, hash) != 0;
         number++) {
        text_clear(&name);
        text_add(&name, "%s+", test->name);
        catalogue_add_dialect(test->dialect, &name);
        if (number > 1)
            text_add(&name, ".%u", number);
    }
    const char *result = taken ? taken->name : add_name(names, text_string(&name), hash);
    text_release(&name);
    return result;
}

void log_names_release(struct log_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->names[i].name);
    free(names->names);
    hash_index_release(&names->index);
    *names = (struct log_names){0};
}
