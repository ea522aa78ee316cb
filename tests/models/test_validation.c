// SPDX-License-Identifier: Apache-2.0
/* Protects the models' meaning: published tests have the verdicts that were published for them,
 * except those that docs/reference/models.md argues about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/models/judged.h"

enum { SKIPPED = 77, LINE_SIZE = 512 };

/* A set of published verdicts: a line of FILE is PATH,VERDICT. */
struct set {
    const char *file, *model;
    bool race_free; /* VERDICT says whether the test has no race; else whether its condition
                     * holds */
};

static const struct set sets[] = {
    {"PTXv6_0-expected.csv", "ptx-6.0", false},
    {"PTXv7_5-expected.csv", "ptx", false},
    {"OPENCL-expected.csv", "opencl-scoped", false},
    {"OPENCL-DR-expected.csv", "opencl-scoped", true},
    {"RC11-expected.csv", "rc11", false},
};

struct counts {
    unsigned agreed, differed, unsupported, absent;
};

/* CMake hands its settings of the same names over. */
static const char *folder_of(const char *setting)
{
    const char *folder = getenv(setting);
    return folder ? folder : "";
}

static const char *validation_folder(void)
{
    return folder_of("ORCHIL_VALIDATION_DIR");
}

/* The path of a test: next to the verdicts, or in the folder of more tests. False if it is in
 * neither. */
static bool find_test(const char *path, struct text *full)
{
    const char *const folders[] = {validation_folder(), folder_of("ORCHIL_VALIDATION_TESTS")};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        text_clear(full);
        text_add(full, "%s/%s", folders[i], path);
        if (access(text_string(full), R_OK) == 0)
            return true;
    }
    return false;
}

static void check_row(const struct set *set, const struct model *model, const char *path, bool expected,
                      struct counts *counts)
{
    struct text full = {0};
    if (!find_test(path, &full)) {
        text_release(&full);
        counts->absent++;
        return;
    }
    struct litmus_test *test;
    struct judgement judgement;
    struct error error = {0};
    /* The published verdicts are of executions that leave each loop at once. */
    const struct judge_options options = {.unroll = 1};
    if (litmus_parse_file(text_string(&full), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    const enum status status = model_judge(model, test, &options, &judgement, &error);
    if (status != STATUS_OK) {
        assert_true(status == STATUS_UNSUPPORTED || status == STATUS_LIMIT);
        (void)printf("unsupported: %s: %s\n", path, error.text);
        counts->unsupported++;
    } else if ((set->race_free ? !judgement.racy : judgement.holds) == expected) {
        counts->agreed++;
    } else {
        (void)printf("differs: %s: published %d\n", path, expected);
        counts->differed++;
    }
    if (status == STATUS_OK)
        judgement_release(&judgement);
    litmus_release(test);
    text_release(&full);
}

static void check_set(void **state)
{
    const struct set *set = *state;
    struct text path = {0};
    struct counts counts = {0};
    char line[LINE_SIZE];
    text_add(&path, "%s/%s", validation_folder(), set->file);
    FILE *file = fopen(text_string(&path), "r");
    assert_non_null(file);
    struct model *model = loaded(set->model);
    while (fgets(line, sizeof line, file)) {
        char *comma = strrchr(line, ',');
        if (!comma || line[0] == ';' || strncmp(line, "//", 2) == 0)
            continue;
        *comma = '\0';
        check_row(set, model, line, comma[1] == '1', &counts);
    }
    assert_int_equal(fclose(file), 0);
    (void)printf("%s, %s: %u agreed, %u differed, %u unsupported, %u absent\n", set->file, set->model, counts.agreed,
                 counts.differed, counts.unsupported, counts.absent);
    model_release(model);
    text_release(&path);
    if (counts.absent > 0 && counts.agreed + counts.differed + counts.unsupported == 0) {
        (void)printf("skipped: the tests of %s are neither next to it nor under ORCHIL_VALIDATION_TESTS ('%s')\n",
                     set->file, folder_of("ORCHIL_VALIDATION_TESTS"));
        skip();
    }
    assert_int_equal(counts.absent, 0);
    assert_true(counts.agreed > 0);
    assert_int_equal(counts.differed, 0);
    assert_int_equal(counts.unsupported, 0);
}

int main(void)
{
    struct text path = {0};
    text_add(&path, "%s/%s", validation_folder(), sets[0].file);
    FILE *file = fopen(text_string(&path), "r");
    text_release(&path);
    if (!file) {
        (void)fprintf(stderr, "skipped: no published verdicts under ORCHIL_VALIDATION_DIR ('%s')\n",
                      validation_folder());
        return SKIPPED;
    }
    (void)fclose(file);
    struct CMUnitTest tests[sizeof sets / sizeof sets[0]];
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        /* cmocka hands a test's state over as a pointer to data that is not constant; nobody writes it. */
        static struct set copies[sizeof sets / sizeof sets[0]];
        copies[i] = sets[i];
        tests[i] = (struct CMUnitTest){.name = sets[i].file, .test_func = check_set, .initial_state = &copies[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
