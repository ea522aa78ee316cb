// SPDX-License-Identifier: Apache-2.0
/* Protects the guard of test_emitted.c: a kernel's text that differs from the mapped test in one kind of word has other
 * verdicts. Each row is planted in the texts of tests that have its words, and one of them must show it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/selection.h"
#include "kernel/target.h"
#include "tests/kernel/fixture.h"
#include "tests/kernel/mapping/random_test.h"
#include "tests/kernel/mapping/read_kernel.h"

/* What is planted: words in place of others. A word that must be in the text as well narrows the tests. */
static const struct planted {
    enum litmus_dialect target;
    const char *words, *instead, *also;
} rows[] = {
    {LITMUS_PTX, "ld.acquire.", "ld.relaxed.", NULL},
    {LITMUS_PTX, ".weak.", ".relaxed.gpu.", NULL},
    {LITMUS_PTX, "ld.volatile.", "ld.weak.", NULL},
    {LITMUS_PTX, "st.release.", "st.relaxed.", NULL},
    {LITMUS_PTX, "st.relaxed.gpu.", "st.weak.", NULL},
    {LITMUS_PTX, "atom.acq_rel.", "atom.relaxed.", NULL},
    {LITMUS_PTX, "atom.acq_rel.", "atom.acquire.", NULL},
    {LITMUS_PTX, "atom.acq_rel.", "atom.release.", NULL},
    {LITMUS_PTX, "atom.relaxed.", "atom.acq_rel.", NULL},
    {LITMUS_PTX, "fence.sc.gpu;", "", "ld.acquire"},
    {LITMUS_PTX, "fence.sc.", "fence.acq_rel.", NULL},
    {LITMUS_PTX, "fence.acq_rel.", "fence.sc.", NULL},
    {LITMUS_PTX, "fence.acq_rel.gpu;", "", NULL},
    {LITMUS_PTX, "fence.sc.gpu", "fence.sc.cta", NULL},
    {LITMUS_PTX, "fence.acq_rel.gpu", "fence.acq_rel.cta", NULL},
    {LITMUS_PTX, ".gpu.global", ".cta.global", NULL},
    {LITMUS_PTX, ".cta.global", ".gpu.global", NULL},
    {LITMUS_PTX, "bar.sync 0;", "", NULL},
    {LITMUS_PTX, "asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\"); asm volatile(\"bar.sync 0;\"",
     "asm volatile(\"bar.sync 0;\"", NULL},
    {LITMUS_PTX, "value = (int)(0u - (u64)value); ", "", NULL},
    {LITMUS_PTX, ".global.or.b32", ".global.xor.b32", NULL},
    {LITMUS_PTX, ".global.exch.b32", ".global.or.b32", NULL},
    {LITMUS_PTX, ".global.b32", ".global.b64", NULL},
    {LITMUS_PTX, ".shared.b32", ".global.b32", NULL},
    {LITMUS_PTX, "*expected = result;", "", "cas.b32"},
    {LITMUS_VULKAN, "gl_SemanticsAcquireRelease |", "gl_SemanticsAcquire |", "atomicAdd("},
    {LITMUS_VULKAN,
     "gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquire | gl_SemanticsMakeVisible", "0, 0",
     NULL},
    {LITMUS_VULKAN,
     "gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsRelease | gl_SemanticsMakeAvailable", "0, 0",
     NULL},
    {LITMUS_VULKAN, " | gl_SemanticsMakeVisible", "", "= int(load_plain"},
    {LITMUS_VULKAN, " | gl_SemanticsMakeAvailable", "", "store_plain"},
    {LITMUS_VULKAN, "gl_StorageSemanticsBuffer | ", "", NULL},
    {LITMUS_VULKAN, "gl_ScopeDevice", "gl_ScopeWorkgroup", NULL},
    {LITMUS_VULKAN, "VIEW_AT(memory, p) = ", "VIEW_AT(memory_private, p) = ", NULL},
    {LITMUS_VULKAN, "memoryBarrier(", "(", NULL},
    {LITMUS_VULKAN, "gl_SemanticsAcquireRelease", "gl_SemanticsAcquire", "controlBarrier"},
};

enum { ROWS = sizeof rows / sizeof rows[0], MOST_TRIED = 400 };

struct planting {
    struct model *models[2]; /* of PTX and VULKAN */
    unsigned tried[ROWS];
    bool noticed[ROWS];
};

static struct model *model_of(const struct planting *planting, enum litmus_dialect target)
{
    return planting->models[target == LITMUS_VULKAN];
}

/* The verdicts as text; false if the model cannot judge the test quickly. */
static bool judge(const struct model *model, const struct litmus_test *test, struct text *text)
{
    static const struct judge_options options = {.maximum_candidates = 2000};
    struct judgement judgement;
    struct error error;
    if (model_judge(model, test, &options, &judgement, &error) != STATUS_OK)
        return false;
    text_add(text, "%s\n", judgement.racy ? "racy" : "");
    for (size_t i = 0; i < judgement.outcome_count; i++) {
        litmus_print_outcome(test, judgement.outcomes[i].values, text);
        text_add(text, " %s\n", verdict_word(judgement.outcomes[i].verdict));
    }
    judgement_release(&judgement);
    return true;
}

/* The threads' functions with the words planted. */
static char *plant(const struct kernel *kernel, const struct planted *row)
{
    struct text text = {0};
    const char *at = kernel->source + kernel->body, *end = at + kernel->body_size;
    const size_t size = strlen(row->words);
    while (at < end) {
        const bool found = (size_t)(end - at) >= size && memcmp(at, row->words, size) == 0;
        text_add_bytes(&text, found ? row->instead : at, found ? strlen(row->instead) : 1);
        at += found ? size : 1;
    }
    return text_take(&text);
}

/* Whether the planted text is read as another test, or as none. */
static bool notices(const struct planting *planting, const struct litmus_test *test, const struct planted *row,
                    const struct kernel *kernel, const char *verdicts)
{
    struct kernel planted = {.source = plant(kernel, row)};
    struct read_test read;
    struct text text = {0};
    planted.body_size = strlen(planted.source);
    bool differs = read_kernel(test, row->target, &planted, 1, &read) != NULL;
    if (!differs && judge(model_of(planting, row->target), read.test, &text))
        differs = strcmp(text_string(&text), verdicts) != 0;
    read_test_release(&read);
    text_release(&text);
    free(planted.source);
    return differs;
}

static bool has_words(const struct kernel *kernel, const char *words)
{
    return memmem(kernel->source + kernel->body, kernel->body_size, words, strlen(words)) != NULL;
}

static void plant_rows(struct planting *planting, const struct litmus_test *test, enum litmus_dialect target,
                       const struct kernel *kernel)
{
    struct kernel_target mapped;
    struct text verdicts = {0};
    struct error error;
    bool judged = false;
    for (size_t i = 0; i < ROWS; i++) {
        const struct planted *row = &rows[i];
        if (row->target != target || planting->noticed[i] || planting->tried[i] == MOST_TRIED ||
            !has_words(kernel, row->words) || (row->also && !has_words(kernel, row->also)))
            continue;
        if (!judged) {
            if (kernel_target_make(test, kernel_mapping_to(target), &mapped, &error) != STATUS_OK)
                break;
            judged = judge(model_of(planting, target), mapped.test, &verdicts);
            kernel_target_release(&mapped);
            if (!judged)
                break;
        }
        planting->tried[i]++;
        planting->noticed[i] = notices(planting, test, row, kernel, text_string(&verdicts));
    }
    text_release(&verdicts);
}

static void try_test(struct planting *planting, const struct litmus_test *test)
{
    static const enum litmus_dialect targets[] = {LITMUS_PTX, LITMUS_VULKAN};
    for (size_t t = 0; t < 2; t++) {
        const struct backend_device device = fixture_device(t == 0 ? "ptx" : "glsl");
        struct kernel kernel;
        struct error error;
        if (kernel_generate(test, &device, NULL, false, &kernel, &error) != STATUS_OK)
            continue;
        plant_rows(planting, test, targets[t], &kernel);
        kernel_release(&kernel);
    }
}

static void test_planted(void **state)
{
    struct planting planting = {0};
    struct selection selection;
    struct error error;
    unsigned missed = 0;
    (void)state;
    if (selection_all(&selection, &error) != STATUS_OK || model_load("ptx", &planting.models[0], &error) != STATUS_OK ||
        model_load("vulkan", &planting.models[1], &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (uint64_t number = 0; number < 100; number++) {
        struct litmus_test *test = random_test(number % 2 ? LITMUS_C : LITMUS_OPENCL, 1, number);
        try_test(&planting, test);
        litmus_release(test);
    }
    for (size_t i = 0; i < selection.count; i++)
        if (!litmus_has_columns(selection.tests[i].test->dialect))
            try_test(&planting, selection.tests[i].test);
    for (size_t i = 0; i < ROWS; i++)
        if (!planting.noticed[i]) {
            print_message("not noticed in %u tests: '%s' in place of '%s'\n", planting.tried[i], rows[i].instead,
                          rows[i].words);
            missed++;
        }
    model_release(planting.models[0]);
    model_release(planting.models[1]);
    selection_release(&selection);
    assert_int_equal(missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_planted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
