// SPDX-License-Identifier: Apache-2.0
/*
 * Makes the tests of the cycle families when orchil is built: orchil_expand INDEX FOLDER
 *
 * Writes each test that the `generate` lines of the index ask for to FOLDER/FAMILY/DIALECT/NAME.litmus, and prints one
 * line for each, in the order of strcmp: its path, what the model says of its witness, and the first digits of the
 * SHA-256 of its text. The program has no catalogue of its own, which it helps to make.
 */
#include <sys/stat.h>

#include "catalogue/catalogue_files.h"
#include "catalogue/selection.h"
#include "kernel/target.h"

enum { SHOWN_DIGITS = 16 };

const struct catalogue_file catalogue_files[] = {{0}};
const size_t catalogue_file_count = 0;

/* Makes the folders that the path of a file names. */
static enum status expand_folders(char *path, struct error *error)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return error_set(error, STATUS_SYSTEM, "%s: the folder cannot be made: %s", path, strerror(errno));
        *slash = '/';
    }
    return STATUS_OK;
}

static enum status expand_write(const char *path, const struct text *text, struct error *error)
{
    FILE *file = fopen(path, "we");
    const bool written = file && fwrite(text->data, 1, text->size, file) == text->size;
    const bool closed = file && fclose(file) == 0;
    if (written && closed)
        return STATUS_OK;
    return error_set(error, STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
}

static enum status expand_test(const struct selected_test *selected, const char *folder, struct error *error)
{
    LOCAL(text) path = {0}, text = {0};
    char hex[HASH_HEX_SIZE];
    const char *verdict = litmus_metadata(selected->test, "Expect");
    const char *name = strchr(selected->file, '/') + 1; /* after "generated" */
    text_add(&path, "%s/%s", folder, name);
    litmus_print(selected->test, &text);
    enum status status = expand_folders(path.data, error);
    THEN(status, expand_write(text_string(&path), &text, error));
    hash_hex(text_string(&text), text.size, hex);
    if (status == STATUS_OK && printf("%s %s %.*s\n", name, verdict ? verdict : "undefined", SHOWN_DIGITS, hex) < 0)
        status = error_set(error, STATUS_SYSTEM, "standard output cannot be written: %s", strerror(errno));
    return status;
}

ORDERED_BY(expand_compare, const struct selected_test, strcmp(a->file, b->file))

static enum status expand_index(char *index, const char *folder, struct error *error)
{
    LOCAL(selection) selection;
    enum status status = selection_make(&index, 1, kernel_judge, &selection, error);
    if (status == STATUS_OK && selection.unread_count > 0)
        status = error_set(error, STATUS_SYNTAX, "%s", selection.unread[0]);
    if (status == STATUS_OK)
        SORT(selection.tests, selection.count, expand_compare);
    for (size_t i = 0; status == STATUS_OK && i < selection.count; i++)
        status = expand_test(&selection.tests[i], folder, error);
    return status;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    if (argc != 3) {
        (void)fprintf(stderr, "usage: orchil_expand INDEX FOLDER\n");
        return 2;
    }
    enum status status = expand_index(argv[1], argv[2], &error);
    if (status == STATUS_OK && fflush(stdout) != 0)
        status = error_set(&error, STATUS_SYSTEM, "standard output cannot be written: %s", strerror(errno));
    if (status != STATUS_OK)
        (void)fprintf(stderr, "orchil_expand: %s\n", error.text);
    return status_exit_code(status);
}
