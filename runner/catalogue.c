// SPDX-License-Identifier: Apache-2.0
#include "runner/catalogue.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "runner/resemblance.h"

/* ---- the head of a text ---- */

/* Behind the comment that starts at text, or text where none does. Comments are those of the language: see litmus/. */
static const char *skip_comment(const char *text)
{
    if (strncmp(text, "//", 2) == 0)
        return text + strcspn(text, "\n");
    if (strncmp(text, "/*", 2) == 0) {
        const char *end = strstr(text + 2, "*/");
        return end ? end + 2 : text + strlen(text);
    }
    if (strncmp(text, "(*", 2) != 0)
        return text;
    size_t open = 0;
    do {
        const bool opens = strncmp(text, "(*", 2) == 0, closes = strncmp(text, "*)", 2) == 0;
        if (opens)
            open++;
        else if (closes)
            open--;
        text += opens || closes ? 2 : 1;
    } while (open > 0 && *text);
    return text;
}

static const char *skip_blanks_and_comments(const char *text)
{
    for (const char *before = NULL; before != text;) {
        before = text;
        text += strspn(text, " \t\r\n");
        text = skip_comment(text);
    }
    return text;
}

static int dialect_of(const char *word, size_t size)
{
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        const char *name = litmus_dialect_name((enum litmus_dialect)dialect);
        if (strlen(name) == size && strncasecmp(name, word, size) == 0)
            return dialect;
    }
    return LITMUS_NONE;
}

bool catalogue_entry(const struct catalogue_file *file, struct catalogue_entry *entry)
{
    const char *head = skip_blanks_and_comments(file->text);
    const size_t word = strcspn(head, " \t\r\n");
    const int dialect = dialect_of(head, word);
    if (dialect == LITMUS_NONE)
        return false;
    const char *name = head + word + strspn(head + word, " \t");
    size_t size = strcspn(name, "\n");
    while (size > 0 && isspace((unsigned char)name[size - 1]))
        size--;
    if (size >= sizeof entry->name)
        size = sizeof entry->name - 1;
    entry->file = file;
    entry->dialect = (enum litmus_dialect)dialect;
    memcpy(entry->name, name, size);
    entry->name[size] = '\0';
    return size > 0;
}

const struct catalogue_file *catalogue_at(const char *path)
{
    for (size_t i = 0; i < catalogue_file_count; i++)
        if (strcmp(catalogue_files[i].path, path) == 0)
            return &catalogue_files[i];
    return NULL;
}

const char *catalogue_dialect(const char *text, int *dialect)
{
    const char *colon = strchr(text, ':');
    *dialect = colon ? dialect_of(text, (size_t)(colon - text)) : LITMUS_NONE;
    return *dialect == LITMUS_NONE ? text : colon + 1;
}

/* ---- names ---- */

void catalogue_suggest(const char *word, int dialect, struct text *text)
{
    struct resemblance best = {0};
    for (size_t i = 0; i < catalogue_file_count; i++) {
        struct catalogue_entry entry;
        if (catalogue_entry(&catalogue_files[i], &entry) && (dialect == LITMUS_NONE || dialect == (int)entry.dialect))
            resemblance_offer(&best, word, entry.name);
    }
    resemblance_print(&best, text);
}

int catalogue_compare_names(const char *left, const char *right)
{
    const char *a = left, *b = right;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0");
            b += strspn(b, "0");
            const size_t digits_a = strspn(a, "0123456789"), digits_b = strspn(b, "0123456789");
            const int order = digits_a != digits_b ? (digits_a < digits_b ? -1 : 1) : strncmp(a, b, digits_a);
            if (order != 0)
                return order;
            a += digits_a;
            b += digits_b;
        } else if (*a != *b)
            break;
        else {
            a++;
            b++;
        }
    }
    const int order = (unsigned char)*a - (unsigned char)*b;
    return order != 0 ? order : strcmp(left, right);
}
