// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the promise that a test which cannot be played as it is written is refused with the reason, never played in
 * another way. unsupported/DEVICE-SUBJECT.litmus is such a test for a device that takes DEVICE ("c11", "ptx", "both",
 * "none"; "small" has no sub-groups, "bare" is one for OpenCL C without any option), and the reason stands beside it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>
#include <unistd.h>

#include "tests/runner/kernel/fixture.h"

static void check_refused(const char *path)
{
    char takes[8], expected_path[256];
    struct kernel kernel;
    struct error error = {0};
    (void)snprintf(takes, sizeof takes, "%.*s", (int)strcspn(path, "-"), path);
    (void)snprintf(expected_path, sizeof expected_path, "%.*s.expected", (int)(strlen(path) - strlen(".litmus")), path);
    struct backend_device device = fixture_device(strcmp(takes, "small") == 0  ? "both"
                                                  : strcmp(takes, "bare") == 0 ? "c11"
                                                                               : takes);
    if (strcmp(takes, "bare") == 0) {
        device.types = 0;
        device.max_cluster_groups = 0;
    }
    if (strcmp(takes, "small") == 0)
        device.sub_group_size = 0;
    char *text = fixture_read(path);
    char *expected = fixture_read(expected_path);
    expected[strcspn(expected, "\n")] = '\0';
    struct litmus_test *test = fixture_parse(path, text);
    const enum status status = kernel_generate(test, &device, &kernel, &error);
    if (status != STATUS_UNSUPPORTED || strcmp(error.text, expected) != 0)
        fail_msg("%s:\n  expected %s\n  found    %s", path, expected,
                 status == STATUS_UNSUPPORTED ? error.text : status_text(status));
    assert_null(kernel.source);
    assert_null(kernel.domains);
    litmus_release(test);
    free(text);
    free(expected);
}

static void test_reasons(void **state)
{
    glob_t files;
    (void)state;
    assert_int_equal(glob("*.litmus", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        check_refused(files.gl_pathv[i]);
    assert_true(files.gl_pathc >= 30);
    globfree(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reasons)};
    if (chdir(ORCHIL_SOURCE_DIR "/tests/runner/kernel/unsupported") != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
