// SPDX-License-Identifier: Apache-2.0
/* Writes generated tests into a folder, without overwriting others. */
#include "cli/test_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "catalogue/catalogue.h"

static const char index_name[] = "@all";

/* Whether a file has exactly this content. */
static bool file_is_equal(const char *path, const struct text *text)
{
    struct text found = {0};
    struct error ignored;
    const bool same = file_read_whole(path, TEXT_MAXIMUM, &found, &ignored) == STATUS_OK && found.size == text->size &&
                      (found.size == 0 || memcmp(found.data, text->data, found.size) == 0);
    text_release(&found);
    return same;
}

static void add_index_path(const struct test_folder *folder, struct text *path)
{
    text_add(path, "%s/%s", folder->path, index_name);
}

enum status test_folder_open(const char *path, bool force, struct test_folder *folder, struct error *error)
{
    struct text name = {0};
    *folder = (struct test_folder){.path = path, .force = force};
    TRY(file_make_folders(path, 0777, error));
    add_index_path(folder, &name);
    const enum status status = file_check_writable(text_string(&name), error);
    text_release(&name);
    return status;
}

static enum status test_folder_put(struct test_folder *folder, const char *path, const struct text *text,
                                   struct error *error)
{
    if (access(path, F_OK) == 0 && file_is_equal(path, text)) {
        folder->kept++;
        return STATUS_OK;
    }
    if (access(path, F_OK) == 0 && !folder->force)
        return error_set(error, STATUS_USAGE, "%s already exists with other contents; use --force to overwrite it",
                         path);
    folder->written++;
    return file_write_quick(path, text->data, text->size, error);
}

enum status test_folder_add(struct test_folder *folder, const char *family, const struct litmus_test *test,
                            struct error *error)
{
    struct text below = {0}, path = {0}, text = {0};
    text_add(&below, "%s/", family);
    catalogue_add_dialect(test->dialect, &below);
    text_add(&path, "%s/%s", folder->path, text_string(&below));
    litmus_print(test, &text);
    enum status status = file_make_folders(text_string(&path), 0777, error);
    text_add(&below, "/%s.litmus", test->name);
    text_add(&path, "/%s.litmus", test->name);
    if (status == STATUS_OK)
        status = test_folder_put(folder, text_string(&path), &text, error);
    if (status == STATUS_OK)
        ARENA_ADD(&folder->arena, folder->listed, folder->listed_count) =
            arena_copy(&folder->arena, text_string(&below));
    text_release(&below);
    text_release(&path);
    text_release(&text);
    return status;
}

/* May the index take the place of the existing one? */
static enum status check_index(const struct test_folder *folder, const char *path, const struct text *index,
                               struct error *error)
{
    if (access(path, F_OK) != 0 || folder->force || file_is_equal(path, index))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "%s already exists with other tests; use --force to overwrite it", path);
}

enum status test_folder_close(struct test_folder *folder, bool complete, struct error *error)
{
    struct text path = {0}, index = {0};
    enum status status = STATUS_OK;
    if (folder->path && complete) {
        add_index_path(folder, &path);
        for (size_t i = 0; i < folder->listed_count; i++)
            text_add(&index, "%s\n", folder->listed[i]);
        status = check_index(folder, text_string(&path), &index, error);
        if (status == STATUS_OK)
            status = file_write_whole(text_string(&path), text_string(&index), index.size, error);
    }
    text_release(&path);
    text_release(&index);
    arena_release(&folder->arena);
    return status;
}
