// SPDX-License-Identifier: Apache-2.0
/* Which tests of the catalogue are compiled. */
#include "tests/runner/worker/compilers/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "kernel/target.h"

/* The folder of the family and the dialect: what one test is chosen of. Templates of several dialects lie together. */
static bool same_kind(const struct selected_test *left, const struct selected_test *right)
{
    const size_t family = strcspn(left->file, "/");
    return left->test->dialect == right->test->dialect && strncmp(left->file, right->file, family + 1) == 0;
}

static bool is_first(const struct selection *selection, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_kind(&selection->tests[i], &selection->tests[index]))
            return false;
    return true;
}

static void choose_one_like(const struct selection *selection, size_t like, uint64_t seed, bool *chosen)
{
    size_t count = 0, wanted;
    for (size_t i = like; i < selection->count; i++)
        count += same_kind(&selection->tests[i], &selection->tests[like]);
    wanted = (size_t)(random_mix(seed + like) % count);
    for (size_t i = like; i < selection->count; i++)
        if (same_kind(&selection->tests[i], &selection->tests[like]) && wanted-- == 0)
            chosen[i] = true;
}

static bool is_whole(void)
{
    return getenv("ORCHIL_WHOLE_CATALOGUE") != NULL;
}

static uint64_t sample_seed(void)
{
    const char *given = getenv("ORCHIL_SAMPLE_SEED");
    return given ? strtoull(given, NULL, 10) : 1;
}

bool sample_takes(size_t number)
{
    return is_whole() || (number + sample_seed()) % SAMPLE_EVERY == 1;
}

static void choose_quick(const struct selection *selection, bool *chosen)
{
    char quick[] = "@quick";
    char *words[] = {quick};
    struct selection suite;
    struct error error;
    if (selection_make(words, 1, kernel_judge, &suite, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t q = 0; q < suite.count; q++)
        for (size_t i = 0; i < selection->count && sample_takes(q); i++)
            if (suite.tests[q].test->dialect == selection->tests[i].test->dialect &&
                strcmp(suite.tests[q].test->name, selection->tests[i].test->name) == 0)
                chosen[i] = true;
    selection_release(&suite);
}

/* One test of some families of each dialect. */
static void choose_sample(const struct selection *selection, uint64_t seed, bool *chosen)
{
    uint64_t families[LITMUS_DIALECT_COUNT] = {0};
    for (size_t i = 0; i < selection->count; i++)
        if (is_first(selection, i) && (families[selection->tests[i].test->dialect]++ + seed) % SAMPLE_EVERY == 1)
            choose_one_like(selection, i, seed, chosen);
}

bool *sample_choose(const struct selection *selection, bool with_quick)
{
    const bool whole = is_whole();
    size_t count = 0;
    bool *chosen = calloc(selection->count, sizeof *chosen);
    assert_non_null(chosen);
    if (!whole && with_quick)
        choose_quick(selection, chosen);
    if (!whole)
        choose_sample(selection, sample_seed(), chosen);
    for (size_t i = 0; i < selection->count; i++) {
        chosen[i] |= whole;
        count += chosen[i];
    }
    print_message("%zu of %zu tests%s\n", count, selection->count, whole ? "" : ", chosen by ORCHIL_SAMPLE_SEED");
    return chosen;
}
