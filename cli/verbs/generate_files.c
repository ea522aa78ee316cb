// SPDX-License-Identifier: Apache-2.0
/* A folder of tests, written file by file. */
#include "cli/verbs/generate_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "catalogue/catalogue.h"

static const char index_name[] = "@all", new_index_name[] = ".@all.new";

static enum status folder_cannot(const char *path, const char *what, struct error *error)
{
    return error_set(error, STATUS_UNREADABLE, "%s: cannot be %s: %s", path, what, strerror(errno));
}

/* Whether a file says exactly this. */
static bool file_is_equal(const char *path, const struct text *text)
{
    struct text found = {0};
    struct error ignored;
    const bool same = file_read_whole(path, TEXT_MAXIMUM, &found, &ignored) == STATUS_OK && found.size == text->size &&
                      (found.size == 0 || memcmp(found.data, text->data, found.size) == 0);
    text_release(&found);
    return same;
}

static enum status test_file_write(const char *path, const char *mode, const struct text *text, struct error *error)
{
    FILE *file = fopen(path, mode);
    if (!file)
        return folder_cannot(path, "created", error);
    const bool written = fwrite(text->data, 1, text->size, file) == text->size;
    const int why = errno;
    if (fclose(file) == 0 && written)
        return STATUS_OK;
    errno = written ? errno : why;
    return folder_cannot(path, "written", error);
}

enum status test_folder_open(const char *path, bool force, struct test_folder *folder, struct error *error)
{
    struct text name = {0};
    *folder = (struct test_folder){.path = path, .force = force};
    TRY(file_make_folders(path, 0777, error));
    text_add(&name, "%s/%s", path, new_index_name);
    folder->index = fopen(text_string(&name), "we");
    const enum status status = folder->index ? STATUS_OK : folder_cannot(text_string(&name), "created", error);
    text_release(&name);
    return status;
}

static enum status test_folder_put(struct test_folder *folder, const char *path, const struct text *text,
                                   struct error *error)
{
    if (access(path, F_OK) != 0) {
        folder->written++;
        return test_file_write(path, "wxe", text, error);
    }
    if (file_is_equal(path, text)) {
        folder->kept++;
        return STATUS_OK;
    }
    if (!folder->force)
        return error_set(error, STATUS_USAGE, "%s is there and says something else; --force overwrites it", path);
    folder->written++;
    return test_file_write(path, "we", text, error);
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
    if (status == STATUS_OK && fprintf(folder->index, "%s/%s.litmus\n", text_string(&below), test->name) < 0)
        status = folder_cannot(folder->path, "written to", error);
    text_release(&below);
    text_release(&path);
    text_release(&text);
    return status;
}

/* Whether two files say the same; a missing one says nothing. */
static bool files_are_equal(const char *left, const char *right)
{
    struct text text = {0};
    struct error ignored;
    const bool same = file_read_whole(left, TEXT_MAXIMUM, &text, &ignored) == STATUS_OK && file_is_equal(right, &text);
    text_release(&text);
    return same;
}

static enum status place_index(const struct test_folder *folder, const char *fresh, const char *path,
                               struct error *error)
{
    if (access(path, F_OK) == 0 && !folder->force && !files_are_equal(fresh, path))
        return error_set(error, STATUS_USAGE, "%s is there and names other tests; --force overwrites it", path);
    return rename(fresh, path) == 0 ? STATUS_OK : folder_cannot(path, "written", error);
}

enum status test_folder_close(struct test_folder *folder, bool complete, struct error *error)
{
    struct text fresh = {0}, path = {0};
    enum status status = STATUS_OK;
    if (!folder->index)
        return STATUS_OK;
    text_add(&fresh, "%s/%s", folder->path, new_index_name);
    text_add(&path, "%s/%s", folder->path, index_name);
    const bool written = !ferror(folder->index);
    if (fclose(folder->index) != 0 || !written)
        status = folder_cannot(text_string(&fresh), "written", error);
    folder->index = NULL;
    if (complete && status == STATUS_OK)
        status = place_index(folder, text_string(&fresh), text_string(&path), error);
    if (!complete || status != STATUS_OK)
        (void)unlink(text_string(&fresh)); /* what it was to say is not true */
    text_release(&fresh);
    text_release(&path);
    return status;
}
