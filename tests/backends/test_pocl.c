// SPDX-License-Identifier: Apache-2.0
/* Protects what orchil knows about PoCL's needs without loading it: which folder it writes to, whether it can, and when
 * it is given another. A wrong answer hides every device from a user without a home, or names a wrong cause. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/backend.h"
#include "backends/opencl/pocl.h"
#include "base/temporary_folder.h"

/* NULL: unset. */
static void set(const char *name, const char *value)
{
    assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

static int start(void **state)
{
    static char folder[256]; /* for one test at a time */
    struct error error;
    char path[300];
    if (temporary_folder_make("pocl", folder, sizeof folder, &error) != STATUS_OK)
        return -1;
    (void)snprintf(path, sizeof path, "%s/any.icd", folder);
    FILE *file = fopen(path, "we");
    if (!file || fputs("libpocl.so.2\n", file) < 0 || fclose(file) != 0)
        return -1;
    set("OCL_ICD_VENDORS", folder);
    set("POCL_CACHE_DIR", NULL);
    set("XDG_CACHE_HOME", NULL);
    set("HOME", folder);
    set(BACKEND_FOLDER_VARIABLE, NULL);
    *state = folder;
    return 0;
}

static int finish(void **state)
{
    temporary_folder_remove(*state);
    return 0;
}

static void expect_default(const char *expected)
{
    struct text folder = {0};
    pocl_default_folder(&folder);
    assert_string_equal(text_string(&folder), expected);
    text_release(&folder);
}

static void the_default_folder_is_pocls(void **state)
{
    (void)state;
    set("HOME", "/home/a");
    expect_default("/home/a/.cache/pocl/kcache");
    set("XDG_CACHE_HOME", "");
    expect_default("/home/a/.cache/pocl/kcache");
    set("XDG_CACHE_HOME", "/cache");
    expect_default("/cache/pocl/kcache");
    set("XDG_CACHE_HOME", NULL);
    set("HOME", NULL);
    expect_default("/tmp/pocl/kcache");
}

static void expect_usable(const char *above, const char *below, int expected)
{
    char path[600];
    int why = -1;
    (void)snprintf(path, sizeof path, "%s%s", above, below);
    assert_int_equal(pocl_folder_is_usable(path, &why), expected == 0);
    assert_int_equal(why, expected);
}

static void a_folder_is_usable_where_it_could_be_made(void **state)
{
    const char *folder = *state;
    expect_usable(folder, "", 0);
    expect_usable(folder, "/a/b/c", 0);
    expect_usable(folder, "/any.icd", ENOTDIR);
    expect_usable(folder, "/any.icd/a/b", ENOTDIR);
    expect_usable("", "", ENOENT);
    if (geteuid() != 0) { /* root may write anywhere */
        assert_int_equal(chmod(folder, 0500), 0);
        expect_usable(folder, "/a/b/c", EACCES);
        assert_int_equal(chmod(folder, 0700), 0);
    }
}

static void expect_causes(const char *part)
{
    struct text causes = {0};
    pocl_explain_lacks(&causes);
    if (part)
        assert_non_null(strstr(text_string(&causes), part));
    else
        assert_null(strstr(text_string(&causes), "PoCL cannot write"));
    text_release(&causes);
}

static void a_home_that_can_be_written_is_enough(void **state)
{
    (void)state;
    assert_false(pocl_lacks_folder());
    set(BACKEND_FOLDER_VARIABLE, "/given");
    pocl_take_folder();
    assert_null(getenv("POCL_CACHE_DIR"));
    expect_causes(NULL);
}

static void without_one_pocl_takes_the_folder_that_it_is_given(void **state)
{
    (void)state;
    set("HOME", "/dev/null");
    assert_true(pocl_lacks_folder());
    expect_causes("PoCL cannot write to its folder /dev/null/.cache/pocl/kcache (Not a directory)");
    pocl_take_folder();
    assert_null(getenv("POCL_CACHE_DIR"));
    set(BACKEND_FOLDER_VARIABLE, "/given");
    expect_causes(NULL);
    pocl_take_folder();
    assert_string_equal(getenv("POCL_CACHE_DIR"), "/given");
}

static void what_the_user_names_stays(void **state)
{
    (void)state;
    set("HOME", "/dev/null");
    set("POCL_CACHE_DIR", "/dev/null/mine");
    set(BACKEND_FOLDER_VARIABLE, "/given");
    assert_false(pocl_lacks_folder());
    pocl_take_folder();
    assert_string_equal(getenv("POCL_CACHE_DIR"), "/dev/null/mine");
    expect_causes("/dev/null/mine, which POCL_CACHE_DIR names (Not a directory)");
}

static void without_pocl_nothing_is_needed(void **state)
{
    struct text causes = {0};
    (void)state;
    set("HOME", "/dev/null");
    set("OCL_ICD_VENDORS", "/dev/null/nothing");
    assert_false(pocl_lacks_folder());
    pocl_explain_lacks(&causes);
    assert_int_equal(causes.size, 0);
    text_release(&causes);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, start, finish)
    static const struct CMUnitTest tests[] = {
        CASE(the_default_folder_is_pocls),
        CASE(a_folder_is_usable_where_it_could_be_made),
        CASE(a_home_that_can_be_written_is_enough),
        CASE(without_one_pocl_takes_the_folder_that_it_is_given),
        CASE(what_the_user_names_stays),
        CASE(without_pocl_nothing_is_needed),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
