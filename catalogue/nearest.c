// SPDX-License-Identifier: Apache-2.0
/* Names are compared word by word. The names of variants of cycles and of the instances of templates describe them
 * fully, so no test has to be read to know what differs. */
#include "catalogue/nearest.h"

#include <string.h>

#include "catalogue/catalogue.h"

/* The words of a name: FAMILY+WORD+WORD. */
enum { NEAREST_WORDS = 16 };

struct nearest_name {
    size_t count;
    struct catalogue_words words[NEAREST_WORDS];
};

/* A longer name loses its last words, and is then near to none. */
static struct nearest_name name_split(const char *name)
{
    struct nearest_name split = {0};
    while (split.count < NEAREST_WORDS) {
        const size_t size = strcspn(name, "+");
        split.words[split.count++] = (struct catalogue_words){name, size};
        if (!name[size])
            return split;
        name += size + 1;
    }
    return (struct nearest_name){0};
}

static bool words_equal(const struct catalogue_words *one, const struct catalogue_words *two)
{
    return one->size == two->size && memcmp(one->start, two->start, one->size) == 0;
}

/* Appends how `other` differs from `name`; false if not in exactly one word after the family. */
static bool name_difference(const struct nearest_name *name, const struct nearest_name *other, struct text *words)
{
    const size_t fewer = name->count < other->count ? name->count : other->count;
    size_t before = 0, after = 0;
    while (before < fewer && words_equal(&name->words[before], &other->words[before]))
        before++;
    while (after < fewer - before &&
           words_equal(&name->words[name->count - 1 - after], &other->words[other->count - 1 - after]))
        after++;
    const size_t lost = name->count - before - after, added = other->count - before - after;
    if (before == 0 || lost > 1 || added > 1 || lost + added == 0)
        return false;
    const struct catalogue_words *old = &name->words[before], *new = &other->words[before];
    if (added == 0)
        text_add(words, "without %.*s", (int)old->size, old->start);
    else
        text_add(words, "%s%.*s", lost == 0 ? "with " : "", (int)new->size, new->start);
    if (added > 0 && lost > 0)
        text_add(words, " instead of %.*s", (int)old->size, old->start);
    return true;
}

/* Tests with the other verdict, and the others. */
struct nearest_lists {
    bool allowed; /* the given test's witness */
    struct nearest_test tests[2][NEAREST_MAXIMUM];
    size_t counts[2];
};

/* A test without a claim has no meaning in its model, and neither verdict. */
static enum status list_entry(const struct catalogue_entry *entry, const char *differs, struct arena *arena,
                              struct nearest_lists *lists, struct error *error)
{
    struct litmus_test *test;
    TRY(template_test(entry->template, entry->instance, &test, error));
    const char *expect = litmus_metadata(test, "Expect");
    const bool forbidden = litmus_claim(test) == LITMUS_CLAIM_FORBIDDEN;
    const size_t list = expect && forbidden == lists->allowed ? 0 : 1;
    if (lists->counts[list] < NEAREST_MAXIMUM)
        lists->tests[list][lists->counts[list]++] =
            (struct nearest_test){.name = arena_copy(arena, entry->name),
                                  .expect = arena_copy(arena, expect ? expect : ""),
                                  .differs = arena_copy(arena, differs)};
    litmus_release(test);
    return STATUS_OK;
}

enum status nearest_find(const struct litmus_test *test, bool allowed, struct arena *arena,
                         struct nearest_test **nearest, size_t *count, struct error *error)
{
    struct catalogue catalogue;
    struct nearest_lists lists = {.allowed = allowed};
    struct text differs = {0};
    enum status status = STATUS_OK;
    const struct nearest_name name = name_split(test->name);
    catalogue_open(&catalogue);
    for (size_t i = 0; i < catalogue.count && status == STATUS_OK; i++) {
        const struct catalogue_entry *entry = &catalogue.entries[i];
        const struct nearest_name other = name_split(entry->name);
        text_clear(&differs);
        if (entry->dialect == test->dialect && name_difference(&name, &other, &differs))
            status = list_entry(entry, text_string(&differs), arena, &lists, error);
    }
    catalogue_release(&catalogue);
    text_release(&differs);
    *nearest = arena_take(arena, NEAREST_MAXIMUM, sizeof **nearest);
    *count = 0;
    for (size_t list = 0; list < 2; list++)
        for (size_t i = 0; i < lists.counts[list] && *count < NEAREST_MAXIMUM; i++)
            (*nearest)[(*count)++] = lists.tests[list][i];
    return status;
}
