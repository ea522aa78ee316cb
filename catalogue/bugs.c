// SPDX-License-Identifier: Apache-2.0
/* Bugs that broke programs: reads tests-litmus/field/bugs.txt. */
#include "catalogue/bugs.h"

#include <string.h>

/* tests-litmus/field/bugs.txt. A test checks its form. */
extern const char bugs_text[];

static const char mark[] = "\n==== ";
static const char test_key[] = "test";

bool bug_next(struct bug *bug)
{
    const char *const at = strstr(bug->lines.start ? bug->lines.start + bug->lines.size : bugs_text, mark);
    if (!at)
        return false;
    const char *const name = at + sizeof mark - 1;
    const size_t size = strcspn(name, "\n");
    const char *const lines = name + size + (name[size] == '\n');
    const char *const end = strstr(lines - 1, mark);
    *bug = (struct bug){{name, size}, {lines, end ? (size_t)(end - lines) : strlen(lines)}};
    return true;
}

bool bug_next_field(const struct bug *bug, struct bug_field *field)
{
    const char *const end = bug->lines.start + bug->lines.size;
    const char *const key = field->key.start ? field->value.start + field->value.size : bug->lines.start;
    const char *const colon = key < end ? memchr(key, ':', (size_t)(end - key)) : NULL;
    if (!colon)
        return false;
    const char *const value = colon + 1 + (colon[1] == ' ');
    const char *stop = value;
    do {
        const char *const line_end = memchr(stop, '\n', (size_t)(end - stop));
        stop = line_end ? line_end + 1 : end;
    } while (stop < end && *stop == ' ');
    *field = (struct bug_field){{key, (size_t)(colon - key)}, {value, (size_t)(stop - value)}};
    return true;
}

static struct catalogue_words find_value(const struct bug *bug, const char *key)
{
    struct bug_field field = {0};
    while (bug_next_field(bug, &field))
        if (field.key.size == strlen(key) && memcmp(field.key.start, key, field.key.size) == 0)
            return field.value;
    return (struct catalogue_words){"", 0};
}

/* The next word of a value, without blanks and line ends. */
static bool next_word(const struct catalogue_words *value, struct catalogue_words *word)
{
    static const char blanks[] = " \n";
    const char *const end = value->start + value->size;
    const char *at = word->start ? word->start + word->size : value->start;
    while (at < end && strchr(blanks, *at))
        at++;
    const char *stop = at;
    while (stop < end && !strchr(blanks, *stop))
        stop++;
    *word = (struct catalogue_words){at, (size_t)(stop - at)};
    return at < stop;
}

void bug_add_value(const struct bug *bug, const char *key, struct text *text)
{
    const struct catalogue_words value = find_value(bug, key);
    struct catalogue_words word = {0};
    for (const char *gap = ""; next_word(&value, &word); gap = " ") {
        text_add(text, "%s", gap);
        text_add_bytes(text, word.start, word.size);
    }
}

bool bug_next_test(const struct bug *bug, struct catalogue_words *name)
{
    const struct catalogue_words value = find_value(bug, test_key);
    return next_word(&value, name);
}

bool bug_is_test(const struct catalogue_words *name, const struct litmus_test *test)
{
    int dialect;
    const char *const own = catalogue_dialect(name->start, &dialect);
    const size_t size = (size_t)(name->start + name->size - own);
    return dialect == (int)test->dialect && strlen(test->name) == size && memcmp(test->name, own, size) == 0;
}
