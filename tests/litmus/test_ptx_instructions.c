// SPDX-License-Identifier: Apache-2.0
/* Protects the table of PTX's instructions: each row that is printed is the one that its meaning finds, its words and
 * those of its operands are read again, and rows of compiled code are found by their first words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/language/ptx_instructions.h"

/* Other words for an instruction that is printed in those of another row. */
static bool is_synonym(const struct ptx_instruction *row)
{
    static const char *const synonyms[] = {
        "fence.SCOPE.FENCE_ORDER",
        "membar.MEMBAR_SCOPE",
        "bar.sync",
        "bar.arrive",
        "barrier.cta?.sync.aligned",
        "barrier.cta?.arrive.aligned",
        "barrier.cluster.arrive.release?.aligned",
        "barrier.cluster.arrive.relaxed.aligned",
        "barrier.cluster.wait.acquire?.aligned",
        "red.async.release.global.WIDE_SCOPE.add.TYPE?",
    };
    bool found = false;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        found |= strcmp(row->words, synonyms[i]) == 0;
    return found;
}

/* The meaning of a row, with something for each word that stands for those of a table. */
static struct ptx_meaning meaning_of(const struct ptx_instruction *row)
{
    struct ptx_meaning meaning = row->means;
    const char *words = row->words;
    struct ptx_word word;
    while (ptx_next_word(&words, &word)) {
        if (word.slot == PTX_SCOPE || word.slot == PTX_WIDE_SCOPE)
            meaning.scope = LITMUS_DEVICE;
        if (word.slot == PTX_OPERATION)
            meaning.operation = LITMUS_FETCH_XOR;
        if (word.slot == PTX_TYPE)
            meaning.type = LITMUS_INT;
        if (word.slot == PTX_PROXY)
            meaning.proxy = LITMUS_ALIAS;
        if (word.slot == PTX_FENCE_ORDER)
            meaning.order = LITMUS_SEQ_CST;
    }
    return meaning;
}

static void test_meanings(void **state)
{
    unsigned count = 0;
    (void)state;
    for (const struct ptx_instruction *row = ptx_instructions; row->words; row++) {
        if (ptx_is_start(row) || row->means.shape == PTX_REFUSED || row->means.shape == PTX_IDLE || is_synonym(row))
            continue;
        const struct ptx_meaning meaning = meaning_of(row);
        struct text text = {0};
        assert_ptr_equal(ptx_find_meaning(&meaning), row);
        ptx_add_words(&meaning, NULL, &text);
        assert_null(strpbrk(text_string(&text), "?|ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
        assert_non_null(row->operands);
        text_release(&text);
        count++;
    }
    assert_true(count > 50);
}

/* Rows with messages have them, and no row stands behind one that takes all its instructions. */
static void test_starts(void **state)
{
    (void)state;
    for (const struct ptx_instruction *row = ptx_instructions; row->words; row++) {
        const enum ptx_shape shape = row->means.shape;
        if (shape == PTX_WRONG || shape == PTX_REFUSED || shape <= PTX_RED)
            assert_non_null(row->expected);
        assert_int_equal(shape <= PTX_RED, row->orders != 0);
        for (const struct ptx_instruction *before = ptx_instructions; before < row; before++) {
            const size_t size = strlen(before->words);
            assert_false(ptx_is_start(before) && strncmp(row->words, before->words, size) == 0 &&
                         (row->words[size] == '.' || row->words[size] == '\0'));
        }
    }
}

static void test_words(void **state)
{
    static const struct {
        struct ptx_meaning meaning;
        const char *words;
    } cases[] = {
        {{PTX_FENCE, .order = LITMUS_SEQ_CST, .scope = LITMUS_CLUSTER}, "fence.sc.cluster"},
        {{PTX_FENCE, .proxy = LITMUS_GENERIC}, "fence.proxy.generic"},
        {{PTX_MBARRIER, PTX_CLUSTER, LITMUS_ARRIVE, LITMUS_RELAXED, .scope = LITMUS_CLUSTER},
         "mbarrier.arrive.relaxed.cluster.shared::cluster.b64"},
        {{PTX_COPY, PTX_BULK, LITMUS_FETCH_OR, LITMUS_RELAXED, LITMUS_DEVICE, LITMUS_LONG, .from = LITMUS_LOCAL},
         "cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b64"},
        {{PTX_GROUP, .action = LITMUS_GROUP_ARRIVE, .flags = PTX_BULK}, "?"},
        {{PTX_GROUP, .action = LITMUS_GROUP_COMMIT, .flags = PTX_MATRIX}, "wgmma.commit_group.sync.aligned"},
        {{PTX_GROUP, .action = LITMUS_GROUP_FENCE}, "?"},
        {{PTX_MULTIPLY, .proxy = LITMUS_ASYNC}, "wgmma.mma_async.sync.aligned"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = {0};
        ptx_add_words(&cases[i].meaning, NULL, &text);
        assert_string_equal(text_string(&text), cases[i].words);
        text_release(&text);
    }
}

static void test_in_code(void **state)
{
    static const struct {
        const char *opcode;
        enum ptx_in_code reading;
    } cases[] = {
        {"ld.acquire.gpu.global.u32", PTX_ACCESSES},
        {"st.async.weak.shared::cluster.u32", PTX_UNREAD},
        {"red.add.u32", PTX_UPDATES},
        {"fence.acq_rel.gpu", PTX_FENCES},
        {"fence.proxy.alias", PTX_UNREAD},
        {"membar.gl", PTX_MEMBARS},
        {"barrier.sync", PTX_MEETS},
        {"ldmatrix.sync", PTX_UNREAD},
        {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32", PTX_UNREAD},
        {"fence.alias.sync_restrict::read.release.sys", PTX_UNREAD},
        {"add.u32", PTX_COMPUTES},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ptx_instruction *row = ptx_find_in_code(cases[i].opcode, strlen(cases[i].opcode));
        assert_non_null(row);
        assert_int_equal(row->in_code, cases[i].reading);
    }
    assert_null(ptx_find_in_code("fma.rn.f32", strlen("fma.rn.f32")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_meanings), cmocka_unit_test(test_starts),
                                       cmocka_unit_test(test_words), cmocka_unit_test(test_in_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
