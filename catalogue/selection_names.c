// SPDX-License-Identifier: Apache-2.0
/* Tests of the catalogue by name, by family and by path. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/terminal/resemblance.h"
#include "catalogue/selection_parts.h"

static const char *family_title(const struct template *template)
{
    return template_is_family(template) ? template_title(template) : NULL;
}

static enum status add_entry(struct maker *maker, const struct catalogue_entry *entry)
{
    struct litmus_test *test;
    TRY(selection_count(maker, 1, 0));
    TRY(template_test(entry->template, entry->instance, &test, maker->error));
    struct selected_test *added = selection_add(maker, test, entry->file->path, family_title(entry->template));
    if (added) {
        added->source = entry->template;
        added->instance = entry->instance;
    }
    return STATUS_OK;
}

/* A file without entries does not parse; reading it reports the error. */
static enum status add_embedded_file(struct maker *maker, size_t number)
{
    const struct catalogue *catalogue = &maker->selection->catalogue;
    const struct catalogue_file *file = &catalogue_files[number];
    struct template *template = catalogue->templates[number];
    if (!template) {
        const enum status status = template_parse(file->path, file->text, file->size, &template, maker->error);
        template_release(template);
        return status;
    }
    for (size_t i = 0; i < template_count(template); i++) {
        const struct catalogue_entry entry = {.file = file, .template = template, .instance = i};
        TRY(add_entry(maker, &entry));
    }
    return STATUS_OK;
}

/* ---- names ---- */

static bool is_glob(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

/* A name after a mistyped dialect, "opncl:SB+relaxed": appends the right one. False if there is none. */
static bool suggest_dialect(const struct catalogue *catalogue, const char *name, struct text *text)
{
    const char *colon = strchr(name, ':');
    char typed[16];
    if (!colon || (size_t)(colon - name) >= sizeof typed)
        return false;
    (void)snprintf(typed, sizeof typed, "%.*s", (int)(colon - name), name);
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        const char *right = litmus_dialect_name((enum litmus_dialect)dialect);
        size_t step = 0;
        if (2 * resemblance_distance(typed, right) >= strlen(right) ||
            !catalogue_find(catalogue, colon + 1, dialect, &step))
            continue;
        text_add(text, " (did you mean ");
        catalogue_add_dialect((enum litmus_dialect)dialect, text);
        text_add(text, ":%s?)", colon + 1);
        return true;
    }
    return false;
}

static enum status no_such_name(const struct catalogue *catalogue, const char *word, const char *name, int dialect,
                                struct error *error)
{
    struct text text = {0};
    text_add(&text, "no test%s of the catalogue%s%s %s '%s'", is_glob(name) ? "" : " or family",
             dialect == LITMUS_NONE ? "" : " in ",
             dialect == LITMUS_NONE ? "" : litmus_dialect_name((enum litmus_dialect)dialect),
             is_glob(name) ? "matches" : "is called", name);
    if (dialect != LITMUS_NONE || !suggest_dialect(catalogue, name, &text))
        catalogue_suggest(catalogue, name, dialect, &text);
    if (!is_glob(name))
        selection_hint_variant(name, dialect, &text);
    if (access(word, F_OK) == 0)
        text_add(&text, "; to mean the file of that name, write ./%s", word);
    text_add(&text, "; 'orchil list' shows all names");
    const enum status status = error_set(error, STATUS_USAGE, "%s", text_string(&text));
    text_release(&text);
    return status;
}

/* Adds the test that an alias names, with a note. */
static enum status add_alias(struct maker *maker, const struct catalogue_alias *alias, bool noted)
{
    size_t step = 0;
    const struct catalogue_entry *entry =
        catalogue_find(&maker->selection->catalogue, alias->test, (int)alias->dialect, &step);
    if (noted)
        selection_note(maker, "'%s' is an alias of the %s test %s", alias->name, litmus_dialect_name(alias->dialect),
                       alias->test);
    return entry ? add_entry(maker, entry) : selection_add_variant(maker, alias->test, alias->dialect);
}

static enum status add_named(struct maker *maker, const char *name, int dialect, bool noted)
{
    const struct catalogue *catalogue = &maker->selection->catalogue;
    const struct catalogue_entry *entry;
    const struct catalogue_alias *alias;
    for (size_t step = 0; (entry = catalogue_find(catalogue, name, dialect, &step));)
        TRY(add_entry(maker, entry));
    for (size_t step = 0; (alias = catalogue_find_alias(catalogue, name, dialect, &step));)
        TRY(add_alias(maker, alias, noted));
    return STATUS_OK;
}

static enum status add_matches(struct maker *maker, const char *glob, int dialect)
{
    const struct catalogue *catalogue = &maker->selection->catalogue;
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct catalogue_entry *entry = &catalogue->entries[i];
        if ((dialect == LITMUS_NONE || dialect == (int)entry->dialect) && fnmatch(glob, entry->name, 0) == 0)
            TRY(selection_pass_over(maker, add_entry(maker, entry)));
    }
    return STATUS_OK;
}

/* ---- families ---- */

/* Is the file one of the family, in that dialect, if one is given? A file that does not parse has
 * no dialect. */
static bool is_of_family(const struct catalogue *catalogue, size_t file, const char *name, size_t length, int dialect)
{
    const char *path = catalogue_files[file].path;
    const struct template *template = catalogue->templates[file];
    return strncmp(path, name, length) == 0 && path[length] == '/' && selection_ends_in(path, ".litmus") &&
           (dialect == LITMUS_NONE || (template && dialect == (int)template_dialect(template)));
}

static enum status add_family(struct maker *maker, const char *name, size_t length, int dialect)
{
    for (size_t i = 0; i < catalogue_file_count; i++)
        if (is_of_family(&maker->selection->catalogue, i, name, length, dialect))
            TRY(selection_pass_over(maker, add_embedded_file(maker, i)));
    return STATUS_OK;
}

static bool is_family(const struct catalogue *catalogue, const char *name, size_t length, int dialect)
{
    for (size_t i = 0; length > 0 && i < catalogue_file_count; i++)
        if (is_of_family(catalogue, i, name, length, dialect))
            return true;
    return false;
}

/* ---- words ---- */

/* The folder of that name at the word's place, owned by the caller; or NULL. */
static char *find_folder(const char *word, const struct origin *origin)
{
    struct stat what;
    struct text path = {0};
    text_add(&path, "%s%s", origin->folder, word);
    if (!origin->embedded && stat(text_string(&path), &what) == 0 && S_ISDIR(what.st_mode))
        return text_take(&path);
    text_release(&path);
    return NULL;
}

/* For a word of the command line that was taken as a test or a family: notes what else it could
 * mean. */
static void note_others(struct maker *maker, const char *word, bool test, bool family, const char *folder)
{
    const char *taken = test ? "test" : "family";
    if (test && family)
        selection_note(maker, "'%s' is taken as the test of that name; for the family, write %s/", word, word);
    if ((test || family) && folder)
        selection_note(maker, "'%s' is taken as the %s of the catalogue; for the folder of that name here, write ./%s",
                       word, taken, word);
}

/* A name: of tests, of a family, of a folder, or of a variant. */
static enum status add_name(struct maker *maker, const char *word, const char *name, int dialect,
                            const struct origin *origin)
{
    const size_t length = strcspn(name, "/"); /* "ptx:MP/" is a family, too */
    const bool family = is_family(&maker->selection->catalogue, name, length, dialect);
    TRY(add_named(maker, name, dialect, origin->depth == 0));
    const bool test = maker->matched > 0;
    char *folder = find_folder(word, origin);
    enum status status = STATUS_OK;
    if (origin->depth == 0)
        note_others(maker, word, test, family, folder);
    if (!test && family)
        status = add_family(maker, name, length, dialect);
    else if (!test && folder)
        status = selection_add_path(maker, folder, origin->depth > 0);
    else if (!test && dialect != LITMUS_NONE)
        status = selection_add_variant(maker, name, (enum litmus_dialect)dialect);
    free(folder);
    return status;
}

enum status selection_add_names(struct maker *maker, const char *word, const struct origin *origin)
{
    int dialect;
    const char *name = catalogue_dialect(word, &dialect);
    if (is_glob(name))
        TRY(add_named(maker, name, dialect, origin->depth == 0)); /* "R9+[a]" is one */
    if (is_glob(name) && maker->matched == 0)
        TRY(add_matches(maker, name, dialect));
    if (!is_glob(name))
        TRY(add_name(maker, word, name, dialect, origin));
    return maker->matched > 0 ? STATUS_OK
                              : no_such_name(&maker->selection->catalogue, word, name, dialect, maker->error);
}

enum status selection_find(const struct selection *selection, const char *name, enum litmus_dialect dialect,
                           struct selected_test *found, struct error *error)
{
    size_t step = 0;
    const struct catalogue_entry *entry = catalogue_find(&selection->catalogue, name, (int)dialect, &step);
    *found = (struct selected_test){0};
    if (!entry) {
        size_t alias_step = 0, test_step = 0;
        const struct catalogue_alias *alias =
            catalogue_find_alias(&selection->catalogue, name, (int)dialect, &alias_step);
        name = alias ? alias->test : name;
        entry = alias ? catalogue_find(&selection->catalogue, name, (int)dialect, &test_step) : NULL;
    }
    if (!entry)
        TRY(selection_find_variant(name, dialect, found, error));
    if (!entry)
        return found->test ? STATUS_OK : no_such_name(&selection->catalogue, name, name, (int)dialect, error);
    TRY(template_test(entry->template, entry->instance, &found->test, error));
    const char *title = family_title(entry->template);
    found->file = memory_copy(entry->file->path);
    found->template = title ? memory_copy(title) : NULL;
    return STATUS_OK;
}

bool selection_would_find(const struct selection *selection, const struct selected_test *test)
{
    size_t step = 0;
    const struct catalogue_entry *entry =
        catalogue_find(&selection->catalogue, test->test->name, (int)test->test->dialect, &step);
    return test->source && entry && entry->template == test->source && entry->instance == test->instance;
}

/* ---- paths ---- */

/* Is the file at the path, which has no '/' at its end, or below it? */
static bool lies_at(const struct catalogue_file *file, const char *path, size_t length)
{
    return selection_ends_in(file->path, ".litmus") && strncmp(file->path, path, length) == 0 &&
           (file->path[length] == '/' || file->path[length] == '\0' || length == 0);
}

static size_t length_of(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    return length;
}

bool selection_means_embedded(const char *path)
{
    const size_t length = length_of(path);
    if (length == 0 || access(path, F_OK) == 0)
        return false;
    for (size_t i = 0; i < catalogue_file_count; i++)
        if (lies_at(&catalogue_files[i], path, length))
            return true;
    return false;
}

/* A file, or all tests below a folder. */
enum status selection_add_embedded(struct maker *maker, const char *path)
{
    const size_t length = length_of(path);
    for (size_t i = 0; i < catalogue_file_count; i++) {
        if (!lies_at(&catalogue_files[i], path, length))
            continue;
        const enum status status = add_embedded_file(maker, i);
        TRY(strlen(catalogue_files[i].path) > length ? selection_pass_over(maker, status) : status);
    }
    if (maker->matched == 0)
        return error_set(maker->error, STATUS_USAGE, "the catalogue has no test at %s", path);
    return STATUS_OK;
}
