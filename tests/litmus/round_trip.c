// SPDX-License-Identifier: Apache-2.0
/* A test printed and parsed again must be the same. */
#include "tests/litmus/round_trip.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/litmus/same.h"

enum { PATH_SIZE = 4096 };

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

long each_litmus_file(const char *folder, void (*visit)(const char *path, void *context), void *context)
{
    struct dirent **entries;
    const int entry_count = scandir(folder, &entries, NULL, alphasort);
    if (entry_count < 0)
        return -1;
    long count = 0;
    for (int i = 0; i < entry_count; i++) {
        char path[PATH_SIZE];
        struct stat status;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            const long inside = each_litmus_file(path, visit, context);
            count += inside > 0 ? inside : 0;
        } else if (ends_in(path, ".litmus")) {
            visit(path, context);
            count++;
        }
        free(entries[i]);
    }
    free(entries);
    return count;
}

void read_text(const char *path, struct text *text)
{
    char part[4096];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s: cannot be opened", path);
    while ((size = fread(part, 1, sizeof part, file)) > 0)
        text_add_bytes(text, part, size);
    assert_int_equal(fclose(file), 0);
    assert_false(text->failed);
}

void assert_round_trip(const struct litmus_test *test, const char *path)
{
    struct text once = {0}, twice = {0};
    struct litmus_test *again;
    struct error error = {0};
    litmus_print(test, &once);
    assert_false(once.failed);
    if (litmus_parse(path, text_string(&once), once.size, &again, &error) != STATUS_OK)
        fail_msg("printed and parsed again: %s\n%s", error.text, text_string(&once));
    const char *different = same_tests(test, again);
    if (different)
        fail_msg("%s: parsed again, the %s differs\n%s", path, different, text_string(&once));
    litmus_print(again, &twice);
    assert_string_equal(text_string(&once), text_string(&twice));
    char hashes[2][65];
    litmus_hash(test, hashes[0]);
    litmus_hash(again, hashes[1]);
    assert_string_equal(hashes[0], hashes[1]);
    litmus_release(again);
    text_release(&once);
    text_release(&twice);
}
