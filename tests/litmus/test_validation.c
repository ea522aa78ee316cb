// SPDX-License-Identifier: Apache-2.0
/* Protects the formats themselves: every published test of the validation folder in a dialect that orchil reads parses,
 * prints, and parses to the same test; instructions without a meaning are named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/litmus/round_trip.h"
#include "tests/parsed_file.h"

enum { SKIPPED = 77 };

struct counts {
    unsigned parsed[LITMUS_DIALECT_COUNT], unsupported;
};

/* CMake hands its setting of the same name over. */
static const char *validation_folder(void)
{
    const char *folder = getenv("ORCHIL_VALIDATION_DIR");
    return folder ? folder : "";
}

/* Calls use for each published test in a dialect that orchil reads; returns their number. */
static long each_published(void (*use)(const char *path, void *context), void *context)
{
    long files = 0;
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        struct text folder = {0};
        text_add(&folder, "%s/litmus/%s", validation_folder(), litmus_dialect_name((enum litmus_dialect)dialect));
        const long found = each_litmus_file(text_string(&folder), use, context);
        files += found > 0 ? found : 0;
        text_release(&folder);
    }
    return files;
}

static void check_file(const char *path, void *context)
{
    struct counts *counts = context;
    struct litmus_test *test;
    struct error error = {0};
    struct text names = {0};
    if (parsed_file(path, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_round_trip(test, path);
    counts->parsed[test->dialect]++;
    counts->unsupported += litmus_unsupported(test, &names);
    text_release(&names);
    litmus_release(test);
}

static void published_tests_round_trip(void **state)
{
    struct counts counts = {0};
    (void)state;
    const long files = each_published(check_file, &counts);
    (void)printf("%ld files: %u OPENCL, %u PTX, %u VULKAN, %u of them with unsupported instructions\n", files,
                 counts.parsed[LITMUS_OPENCL], counts.parsed[LITMUS_PTX], counts.parsed[LITMUS_VULKAN],
                 counts.unsupported);
    assert_true(counts.parsed[LITMUS_OPENCL] > 0);
    assert_true(counts.parsed[LITMUS_PTX] > 0);
    assert_true(counts.parsed[LITMUS_VULKAN] > 0);
    assert_true(counts.unsupported > 0);
}

static void ignore_file(const char *path, void *context)
{
    (void)path;
    (void)context;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_tests_round_trip)};
    if (each_published(ignore_file, NULL) == 0) {
        (void)fprintf(stderr, "skipped: no litmus tests under ORCHIL_VALIDATION_DIR ('%s')\n", validation_folder());
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
