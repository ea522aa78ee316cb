// SPDX-License-Identifier: Apache-2.0
/* The embedded files: their tests, the names of both, families, the nearest tests, and bugs. */
#include "catalogue/catalogue.h"

/* Called by catalogue_open and catalogue_release. */
static void catalogue_read_aliases(struct catalogue *catalogue)
{
    static const char blanks[] = " \t\r";
    size_t room = 0;
    for (const char *line = catalogue_aliases; *line;) {
        const size_t size = strcspn(line, "\n");
        /* A line without a dialect, or without a name after the alias, is ignored: a test checks the file. */
        FREED char *copy = memory_copy_part(line, strcspn(line, "#\n"));
        char *rest = NULL, *alias = strtok_r(copy, blanks, &rest), *test = strtok_r(NULL, blanks, &rest);
        int dialect = LITMUS_NONE;
        const char *name = alias && test ? catalogue_dialect(alias, &dialect) : NULL;
        if (dialect != LITMUS_NONE)
            LIST_ADD(catalogue->aliases, catalogue->alias_count, room) =
                (struct catalogue_alias){(enum litmus_dialect)dialect, memory_copy(name), memory_copy(test)};
        line += size + (line[size] == '\n');
    }
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

/* ---- contents of the files ---- */

void catalogue_open(struct catalogue *catalogue)
{
    size_t room = 0;
    *catalogue = (struct catalogue){.templates = memory_take(catalogue_file_count, sizeof *catalogue->templates)};
    /* An index has no head; a file whose head is wrong is reported when it is selected. */
    for (size_t i = 0; i < catalogue_file_count; i++) {
        const struct catalogue_file *file = &catalogue_files[i];
        struct error ignored;
        if (!catalogue_is_index(file->path))
            (void)template_parse(file->path, file->text, file->size, &catalogue->templates[i], &ignored);
    }
    catalogue_read_aliases(catalogue);
    for (size_t file = 0; file < catalogue_file_count; file++) {
        const struct template *template = catalogue->templates[file];
        for (size_t i = 0; template && i < template_count(template); i++) {
            const struct catalogue_entry entry = {.file = &catalogue_files[file],
                                                  .template = template,
                                                  .instance = i,
                                                  .dialect = template_dialect(template),
                                                  .name = template_name(template, i)};
            hash_index_add(&catalogue->names, hash_index_key(0, entry.name), catalogue->count);
            LIST_ADD(catalogue->entries, catalogue->count, room) = entry;
        }
    }
}

void catalogue_release(struct catalogue *catalogue)
{
    for (size_t i = 0; catalogue->templates && i < catalogue_file_count; i++)
        template_release(catalogue->templates[i]);
    free(catalogue->templates);
    free(catalogue->entries);
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        free(catalogue->aliases[i].name);
        free(catalogue->aliases[i].test);
    }
    free(catalogue->aliases);
    hash_index_release(&catalogue->names);
    *catalogue = (struct catalogue){0};
}

const struct catalogue_entry *catalogue_find(const struct catalogue *catalogue, const char *name, int dialect,
                                             size_t *step)
{
    size_t item;
    while (hash_index_next(&catalogue->names, hash_index_key(0, name), step, &item)) {
        const struct catalogue_entry *entry = &catalogue->entries[item];
        if (strcmp(entry->name, name) == 0 && (dialect == LITMUS_NONE || dialect == (int)entry->dialect))
            return entry;
    }
    return NULL;
}

/* ---- paths and dialects ---- */

static int dialect_of(const char *word, size_t size)
{
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        const char *name = litmus_dialect_name((enum litmus_dialect)dialect);
        if (strlen(name) == size && strncasecmp(name, word, size) == 0)
            return dialect;
    }
    return LITMUS_NONE;
}

bool catalogue_is_index(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (slash ? slash + 1 : path)[0] == '@';
}

void catalogue_add_suites(struct text *text)
{
    for (size_t i = 0; i < catalogue_file_count; i++)
        if (catalogue_is_index(catalogue_files[i].path))
            text_add(text, " %s", catalogue_files[i].path);
}

const struct catalogue_file *catalogue_at(const char *path)
{
    return FIRST_OF(file, catalogue_files, catalogue_file_count, strcmp(file->path, path) == 0);
}

const char *catalogue_dialect(const char *text, int *dialect)
{
    const char *colon = strchr(text, ':');
    *dialect = colon ? dialect_of(text, (size_t)(colon - text)) : LITMUS_NONE;
    return *dialect == LITMUS_NONE ? text : colon + 1;
}

void catalogue_add_dialect(enum litmus_dialect dialect, struct text *text)
{
    for (const char *c = litmus_dialect_name(dialect); *c; c++) {
        const char small = (char)tolower((unsigned char)*c);
        text_add_bytes(text, &small, 1);
    }
}

size_t catalogue_family(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        const char *name = litmus_dialect_name((enum litmus_dialect)dialect);
        const size_t size = strlen(name);
        if (length > size && path[length - size - 1] == '/' && strncasecmp(path + length - size, name, size) == 0)
            return length - size - 1;
    }
    return length;
}

/* ---- names ---- */

bool catalogue_same_family(const char *path, const char *other)
{
    const size_t length = catalogue_family(path);
    return length == catalogue_family(other) && strncmp(path, other, length) == 0;
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

int catalogue_compare_families(const char *left, size_t left_length, const char *right, size_t right_length)
{
    const size_t a = catalogue_family_line(left, left_length).order;
    const size_t b = catalogue_family_line(right, right_length).order;
    return ORDER(a, b)
               ?: catalogue_compare_names(PRINTED(512, "%.*s", (int)left_length, left),
                                          PRINTED(512, "%.*s", (int)right_length, right));
}

/* ---- the nearest tests: names are compared word by word ---- */

/* The names of variants of cycles and of the instances of templates describe them fully, so no test has to be read to
 * know what differs. */

/* The words of a name: FAMILY+WORD+WORD. */
enum { NEAREST_WORDS = 16 };

struct nearest_name {
    size_t count;
    struct text_part words[NEAREST_WORDS];
};

/* A longer name loses its last words, and is then near to none. */
static struct nearest_name name_split(const char *name)
{
    struct nearest_name split = {0};
    while (split.count < NEAREST_WORDS) {
        const size_t size = strcspn(name, "+");
        split.words[split.count++] = (struct text_part){name, size};
        if (!name[size])
            return split;
        name += size + 1;
    }
    return (struct nearest_name){0};
}

static bool words_equal(const struct text_part *one, const struct text_part *two)
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
    const struct text_part *old = &name->words[before], *new = &other->words[before];
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
    LOCAL(catalogue) catalogue = {0};
    struct nearest_lists lists = {.allowed = allowed};
    LOCAL(text) differs = {0};
    enum status status = STATUS_OK;
    const struct nearest_name name = name_split(test->name);
    catalogue_open(&catalogue);
    for (size_t i = 0; i < catalogue.count && status == STATUS_OK; i++) {
        const struct catalogue_entry *entry = &catalogue.entries[i];
        const struct nearest_name other = name_split(entry->name);
        text_clear(&differs);
        if (entry->dialect == test->dialect && name.count > 1 && name_difference(&name, &other, &differs))
            status = list_entry(entry, text_string(&differs), arena, &lists, error);
    }
    *nearest = arena_take(arena, NEAREST_MAXIMUM, sizeof **nearest);
    *count = 0;
    for (size_t list = 0; list < 2; list++)
        for (size_t i = 0; i < lists.counts[list] && *count < NEAREST_MAXIMUM; i++)
            (*nearest)[(*count)++] = lists.tests[list][i];
    return status;
}

/* ---- bugs that broke programs: reads tests-litmus/field/bugs.txt ---- */

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
    *bug = (struct bug){.name = {name, size}, .lines = {lines, end ? (size_t)(end - lines) : strlen(lines)}};
    return true;
}

bool bug_next_field(const struct bug *bug, struct text_part *key, struct text_part *value)
{
    const char *const end = bug->lines.start + bug->lines.size;
    const char *const start = key->start ? value->start + value->size : bug->lines.start;
    const char *const colon = start < end ? memchr(start, ':', (size_t)(end - start)) : NULL;
    if (!colon)
        return false;
    const char *const after = colon + 1 + (colon[1] == ' ');
    const char *stop = after;
    do {
        const char *const line_end = memchr(stop, '\n', (size_t)(end - stop));
        stop = line_end ? line_end + 1 : end;
    } while (stop < end && *stop == ' ');
    *key = (struct text_part){start, (size_t)(colon - start)};
    *value = (struct text_part){after, (size_t)(stop - after)};
    return true;
}

static struct text_part catalogue_find_value(const struct bug *bug, const char *key)
{
    struct text_part name = {0}, value = {0};
    while (bug_next_field(bug, &name, &value))
        if (name.size == strlen(key) && memcmp(name.start, key, name.size) == 0)
            return value;
    return (struct text_part){"", 0};
}

/* The next word of a value, without blanks and line ends. */
static bool next_word(const struct text_part *value, struct text_part *word)
{
    static const char separators[] = " \n";
    const char *const end = value->start + value->size;
    const char *at = word->start ? word->start + word->size : value->start;
    while (at < end && strchr(separators, *at))
        at++;
    const char *stop = at;
    while (stop < end && !strchr(separators, *stop))
        stop++;
    *word = (struct text_part){at, (size_t)(stop - at)};
    return at < stop;
}

void bug_add_value(const struct bug *bug, const char *key, struct text *text)
{
    const struct text_part value = catalogue_find_value(bug, key);
    struct text_part word = {0};
    for (const char *gap = ""; next_word(&value, &word); gap = " ") {
        text_add(text, "%s", gap);
        text_add_bytes(text, word.start, word.size);
    }
}

bool bug_next_test(const struct bug *bug, struct text_part *name)
{
    const struct text_part value = catalogue_find_value(bug, test_key);
    return next_word(&value, name);
}

bool bug_is_test(const struct text_part *name, const struct litmus_test *test)
{
    int dialect;
    const char *const own = catalogue_dialect(name->start, &dialect);
    const size_t size = (size_t)(name->start + name->size - own);
    return dialect == (int)test->dialect && strlen(test->name) == size && memcmp(test->name, own, size) == 0;
}
