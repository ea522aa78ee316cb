// SPDX-License-Identifier: Apache-2.0
/* Writes generated tests into a folder, without overwriting others. */
#include "cli/test_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

enum status test_folder_open(const char *path, bool force, struct test_folder *folder, struct error *error)
{
    struct text name = {0};
    *folder = (struct test_folder){.path = path, .force = force};
    TRY(file_make_folders(path, 0777, error));
    text_add(&name, "%s/%s", path, index_name);
    const enum status status = file_writer_open(&folder->index, text_string(&name), error);
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
    text_add(&path, "/%s.litmus", test->name);
    if (status == STATUS_OK)
        status = test_folder_put(folder, text_string(&path), &text, error);
    if (status == STATUS_OK)
        (void)fprintf(folder->index.file, "%s/%s.litmus\n", text_string(&below), test->name); /* closing asks ferror */
    text_release(&below);
    text_release(&path);
    text_release(&text);
    return status;
}

/* Whether two files have the same content; a missing file is empty. */
static bool files_are_equal(const char *left, const char *right)
{
    struct text text = {0};
    struct error ignored;
    const bool same = file_read_whole(left, TEXT_MAXIMUM, &text, &ignored) == STATUS_OK && file_is_equal(right, &text);
    text_release(&text);
    return same;
}

/* Compares the index so far with the existing one. */
static enum status check_index(const struct test_folder *folder, struct error *error)
{
    const char *path = folder->index.name;
    if (access(path, F_OK) != 0 || folder->force)
        return STATUS_OK;
    if (fflush(folder->index.file) != 0 || files_are_equal(folder->index.unfinished, path))
        return STATUS_OK; /* closing reports write errors */
    return error_set(error, STATUS_USAGE, "%s already exists with other tests; use --force to overwrite it", path);
}

enum status test_folder_close(struct test_folder *folder, bool complete, struct error *error)
{
    if (!folder->index.file)
        return STATUS_OK;
    const enum status status = complete ? check_index(folder, error) : STATUS_OK;
    const enum status closed =
        file_writer_close(&folder->index, complete && status == STATUS_OK, status == STATUS_OK ? error : NULL);
    return status == STATUS_OK ? closed : status;
}
