// SPDX-License-Identifier: Apache-2.0
/* Protects: all names in a folder are returned in order, or the folder is refused for having too many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/temporary_folder.h"
#include "base/whole_file.h"

static void names_are_sorted_and_bounded(void **state)
{
    static const char *const names[] = {"b", ".hidden", "a10", "a9"};
    static const char *const sorted[] = {".hidden", "a10", "a9", "b"};
    char path[256], file[300];
    struct folder folder;
    struct error error;
    (void)state;
    assert_int_equal(temporary_folder_make("folder", path, sizeof path, &error), STATUS_OK);
    assert_int_equal(folder_read(path, 0, &folder, &error), STATUS_OK);
    assert_int_equal(folder.count, 0);
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(file, sizeof file, "%s/%s", path, names[i]);
        assert_int_equal(file_write_whole(file, "", 0, &error), STATUS_OK);
    }
    assert_int_equal(folder_read(path, 3, &folder, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.text, "expected a folder of at most 3 entries, found more"));
    assert_int_equal(folder_read(path, 4, &folder, &error), STATUS_OK);
    assert_int_equal(folder.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(folder.names[i], sorted[i]);
    folder_release(&folder);
    assert_int_equal(folder_read(file, 4, &folder, &error), STATUS_UNREADABLE);
    temporary_folder_remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_sorted_and_bounded)};
    return cmocka_run_group_tests_name("folder", tests, NULL, NULL);
}
