// SPDX-License-Identifier: Apache-2.0
/* Protects the models' meaning: published tests have the verdicts that were published for them, except those that
 * docs/reference/models.md argues about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "models/termination/termination.h"
#include "tests/models/judged.h"
#include "tests/parsed_file.h"

enum { SKIPPED = 77, LINE_SIZE = 512 };

/* A set of published verdicts: a line of FILE is PATH,VERDICT. */
struct set {
    const char *file, *model;
    bool race_free; /* VERDICT says whether the test has no race; else whether its condition holds */
    bool ends;      /* VERDICT says whether the test must end under `scheduler` */
    enum scheduler scheduler;
    unsigned absent, large; /* rows whose tests are nowhere; rows whose tests have more than 64 events */
};

static const struct set sets[] = {
    {.file = "PTXv6_0-expected.csv", .model = "ptx-6.0"},
    {.file = "PTXv7_5-expected.csv", .model = "ptx"},
    {.file = "OPENCL-expected.csv", .model = "opencl-scoped"},
    {.file = "OPENCL-DR-expected.csv", .model = "opencl-scoped", .race_free = true},
    {.file = "RC11-expected.csv", .model = "rc11"},
    {.file = "VULKAN-expected.csv", .model = "vulkan", .large = 5},
    {.file = "VULKAN-DR-expected.csv", .model = "vulkan", .race_free = true, .absent = 2},
    {.file = "VULKAN-NOCHAINS-expected.csv", .model = "vulkan-nochains"},
    {.file = "VULKAN-DR-NOCHAINS-expected.csv", .model = "vulkan-nochains", .race_free = true},
    {.file = "PTXv6_0-Liveness-expected.csv", .ends = true, .scheduler = SCHEDULER_FAIR},
    {.file = "PTXv7_5-Liveness-expected.csv", .ends = true, .scheduler = SCHEDULER_FAIR},
    {.file = "VULKAN-Liveness-Fair-expected.csv", .ends = true, .scheduler = SCHEDULER_FAIR},
    {.file = "VULKAN-Liveness-HSA-expected.csv", .ends = true, .scheduler = SCHEDULER_HSA},
    {.file = "VULKAN-Liveness-OBE-expected.csv", .ends = true, .scheduler = SCHEDULER_OBE},
    {.file = "VULKAN-Liveness-LOBE-expected.csv", .ends = true, .scheduler = SCHEDULER_LOBE},
    {.file = "VULKAN-Liveness-HSA_OBE-expected.csv", .ends = true, .scheduler = SCHEDULER_HSA_OBE},
};

/* Verdicts that docs/reference/models.md argues about ("Argued deviations"). */
static const struct argued {
    const char *file, *path;
} argued[] = {{"VULKAN-expected.csv", "litmus/VULKAN/Manual/CoWW-RR.litmus"},
              {"VULKAN-Liveness-Fair-expected.csv", "litmus/VULKAN/Barrier/quorum2-pass.litmus"},
              {"VULKAN-Liveness-Fair-expected.csv", "litmus/VULKAN/Barrier/quorum3-pass.litmus"},
              {"VULKAN-Liveness-Fair-expected.csv", "litmus/VULKAN/Barrier/quorum3-fail.litmus"},
              {"VULKAN-Liveness-Fair-expected.csv", "litmus/VULKAN/Barrier/quorum4-pass.litmus"},
#define ARGUED_PTX(file)                                                                                               \
    {file, "litmus/PTX/Manual/barrier-logical-id-exists.litmus"},                                                      \
        {file, "litmus/PTX/Manual/barrier-logical-id-forall.litmus"},                                                  \
        {file, "litmus/PTX/Barrier/quorum2-pass.litmus"}, {file, "litmus/PTX/Barrier/quorum3-pass.litmus"},            \
        {file, "litmus/PTX/Barrier/quorum4-pass.litmus"},
              ARGUED_PTX("PTXv6_0-Liveness-expected.csv") ARGUED_PTX("PTXv7_5-Liveness-expected.csv")};
enum { ARGUED = sizeof argued / sizeof argued[0] };

struct counts {
    unsigned agreed, argued, differed, unsupported, absent;
};

static bool is_argued(const struct set *set, const char *path)
{
    for (size_t i = 0; i < ARGUED; i++)
        if (strcmp(argued[i].file, set->file) == 0 && strcmp(argued[i].path, path) == 0)
            return true;
    return false;
}

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

/* The path of a test: next to the verdicts, or in the folder of more tests. False if it is in neither. */
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

/* The answer to whether a test must end. */
static void check_end_row(const struct set *set, const char *path, bool expected, struct counts *counts)
{
    struct text full = {0};
    struct litmus_test *test;
    struct termination answers[SCHEDULER_COUNT];
    struct error error = {0};
    assert_true(find_test(path, &full));
    if (parsed_file(text_string(&full), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    termination_find(test, 1u << set->scheduler, answers);
    const struct termination *answer = &answers[set->scheduler];
    if (answer->answer == (expected ? TERMINATION_ENDS : TERMINATION_DOES_NOT)) {
        counts->agreed++;
    } else if (is_argued(set, path)) {
        counts->argued++;
    } else {
        (void)printf("differs: %s: published %d, found '%s'\n", path, expected, termination_word(answer));
        counts->differed++;
    }
    termination_release(&answers[set->scheduler]);
    litmus_release(test);
    text_release(&full);
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
    if (parsed_file(text_string(&full), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    const enum status status = model_judge(model, test, &options, &judgement, &error);
    if (status != STATUS_OK) {
        assert_true(status == STATUS_UNSUPPORTED || status == STATUS_LIMIT);
        assert_non_null(strstr(error.text, "more than 64 events"));
        (void)printf("unsupported: %s: %s\n", path, error.text);
        counts->unsupported++;
    } else if ((set->race_free ? !judgement.racy : judgement.holds) == expected) {
        counts->agreed++;
    } else if (is_argued(set, path)) {
        counts->argued++;
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
    struct counts commented = {0};
    struct model *model = set->ends ? NULL : loaded(set->model);
    while (fgets(line, sizeof line, file)) {
        char *comma = strrchr(line, ',');
        /* Rows that are commented out are of programs that end, which Dat3M cannot show. */
        const bool is_comment = line[0] == ';' || strncmp(line, "//", 2) == 0;
        if (!comma || line[0] == '/' || (is_comment && !set->ends))
            continue;
        *comma = '\0';
        const char *name = line + strspn(line, "; ");
        if (set->ends)
            check_end_row(set, name, comma[1] == '1', is_comment ? &commented : &counts);
        else
            check_row(set, model, name, comma[1] == '1', &counts);
    }
    assert_int_equal(fclose(file), 0);
    (void)printf("%s, %s: %u agreed, %u argued, %u differed, %u unsupported, %u absent\n", set->file,
                 set->ends ? scheduler_word(set->scheduler) : set->model, counts.agreed, counts.argued, counts.differed,
                 counts.unsupported, counts.absent);
    if (set->ends)
        (void)printf("%s, rows that are commented out: %u agreed, %u differed\n", set->file, commented.agreed,
                     commented.differed);
    assert_int_equal(commented.differed, 0);
    model_release(model);
    text_release(&path);
    if (counts.absent > 0 && counts.agreed + counts.differed + counts.unsupported == 0) {
        (void)printf("skipped: the tests of %s are neither next to it nor under ORCHIL_VALIDATION_TESTS ('%s')\n",
                     set->file, folder_of("ORCHIL_VALIDATION_TESTS"));
        skip();
    }
    assert_int_equal(counts.absent, set->absent);
    assert_true(counts.agreed > 0);
    assert_int_equal(counts.differed, 0);
    assert_int_equal(counts.unsupported, set->large);
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
