// SPDX-License-Identifier: Apache-2.0
/* Tests of the catalogue, by name and by path. */
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
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
    selection_add(maker, test, entry->file->path, family_title(entry->template));
    return STATUS_OK;
}

/* ---- names ---- */

static bool is_glob(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

static enum status no_such_name(const struct catalogue *catalogue, const char *word, const char *name, int dialect,
                                struct error *error)
{
    struct text text = {0};
    text_add(&text, "no test of the catalogue%s%s %s '%s'", dialect == LITMUS_NONE ? "" : " in ",
             dialect == LITMUS_NONE ? "" : litmus_dialect_name((enum litmus_dialect)dialect),
             is_glob(name) ? "matches" : "is called", name);
    catalogue_suggest(catalogue, name, dialect, &text);
    if (!is_glob(name))
        selection_hint_variant(name, dialect, &text);
    if (access(word, F_OK) == 0)
        text_add(&text, "; to mean the file or folder of that name, write ./%s", word);
    else if (selection_means_embedded(word))
        text_add(&text, "; to mean all tests of that folder, write %s/", word);
    text_add(&text, "; 'orchil list' shows all names");
    const enum status status = error_set(error, STATUS_USAGE, "%s", text_string(&text));
    text_release(&text);
    return status;
}

enum status selection_add_names(struct maker *maker, const char *word)
{
    const struct catalogue *catalogue = &maker->selection->catalogue;
    const struct catalogue_entry *entry;
    int dialect;
    const char *name = catalogue_dialect(word, &dialect);
    for (size_t step = 0; (entry = catalogue_find(catalogue, name, dialect, &step));)
        TRY(add_entry(maker, entry));
    const bool named = maker->matched > 0;
    for (size_t i = 0; !named && is_glob(name) && i < catalogue->count; i++) {
        entry = &catalogue->entries[i];
        if ((dialect == LITMUS_NONE || dialect == (int)entry->dialect) && fnmatch(name, entry->name, 0) == 0)
            TRY(selection_pass_over(maker, add_entry(maker, entry)));
    }
    if (maker->matched == 0 && dialect != LITMUS_NONE && !is_glob(name))
        TRY(selection_add_variant(maker, name, (enum litmus_dialect)dialect));
    return maker->matched > 0 ? STATUS_OK : no_such_name(catalogue, word, name, dialect, maker->error);
}

enum status selection_find(const struct selection *selection, const char *name, enum litmus_dialect dialect,
                           struct selected_test *found, struct error *error)
{
    size_t step = 0;
    const struct catalogue_entry *entry = catalogue_find(&selection->catalogue, name, (int)dialect, &step);
    *found = (struct selected_test){0};
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

/* ---- paths ---- */

/* A file that has no entries does not parse, and says so. */
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
        return error_set(maker->error, STATUS_USAGE, "the catalogue holds no test at %s", path);
    return STATUS_OK;
}
