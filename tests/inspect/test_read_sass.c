// SPDX-License-Identifier: Apache-2.0
/* Protects the reader of SASS: the effect on memory of each instruction that ptxas makes from asynchronous copies,
 * mbarriers, clusters and other proxies. An instruction that is overlooked or mistaken for another would let a lost or
 * weakened step pass as kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "inspect/readers.h"
#include "listing/listing.h"
#include "tests/corpus.h"

static const char *const effects[] = {
    [MACHINE_NOTHING] = "nothing", [MACHINE_LOAD] = "load",   [MACHINE_STORE] = "store",
    [MACHINE_UPDATE] = "update",   [MACHINE_ASYNC] = "async", [MACHINE_COMMIT] = "commit",
    [MACHINE_WAIT] = "wait",       [MACHINE_FENCE] = "fence", [MACHINE_INVALIDATE] = "invalidate",
    [MACHINE_BARRIER] = "barrier",
};
static const char *const proxies[LITMUS_PROXY_COUNT] = {
    [LITMUS_TEXTURE] = "texture",   [LITMUS_SURFACE] = "surface",   [LITMUS_CONSTANT] = "constant",
    [LITMUS_ALIAS] = "alias proxy", [LITMUS_ASYNC] = "async proxy",
};
static const char *const operations[LITMUS_OPERATION_COUNT] = {
    [LITMUS_STORE] = "store",
    [LITMUS_FETCH_ADD] = "add",
    [LITMUS_FETCH_AND] = "and",
    [LITMUS_FETCH_OR] = "or",
    [LITMUS_FETCH_XOR] = "xor",
    [LITMUS_FETCH_MIN] = "min",
    [LITMUS_FETCH_MAX] = "max",
    [LITMUS_FETCH_INC] = "inc",
    [LITMUS_FETCH_DEC] = "dec",
    [LITMUS_ARRIVE] = "arrive",
    [LITMUS_EXPECT_TX] = "expect_tx",
    [LITMUS_ARRIVE_EXPECT_TX] = "arrive.expect_tx",
    [LITMUS_COMPLETE_TX] = "complete_tx",
    [LITMUS_TEST_WAIT] = "test_wait",
    [LITMUS_TRY_WAIT] = "try_wait",
};

static void print_instruction(const struct machine_instruction *instruction, struct text *text)
{
    const bool memory = instruction->effect == MACHINE_ASYNC ||
                        (instruction->effect == MACHINE_FENCE && instruction->proxy != LITMUS_GENERIC);
    text_add(text, "%-55s %s", instruction->text, effects[instruction->effect]);
    if (instruction->bytes > 0)
        text_add(text, " %u", instruction->bytes);
    if (instruction->element > 0)
        text_add(text, " of %u each", instruction->element);
    if (operations[instruction->operation])
        text_add(text, " %s", operations[instruction->operation]);
    if (memory)
        text_add(text, " %s", instruction->region == LITMUS_LOCAL ? "shared" : "global");
    if (instruction->effect == MACHINE_ASYNC)
        text_add(text, " from %s", instruction->from == LITMUS_LOCAL ? "shared" : "global");
    if (instruction->multicast)
        text_add(text, " of several groups");
    if (instruction->effect != MACHINE_NOTHING && proxies[instruction->proxy])
        text_add(text, ", %s", proxies[instruction->proxy]);
    if (instruction->effect == MACHINE_WAIT)
        text_add(text, " %u", instruction->pending);
    if (instruction->unread)
        text_add(text, ", not said: %s", instruction->unread);
    text_add(text, "%s\n", instruction->predicated ? ", or nothing" : "");
}

static void check(struct corpus_case *one, void *context)
{
    struct listing listing;
    struct error error;
    struct text found = {0};
    (void)context;
    if (listing_read_sass(text_string(corpus_part(one, "")), NULL, 1, &listing, &error) != STATUS_OK)
        fail_msg("%s: %s", one->title, error.text);
    for (size_t i = 0; i < listing.count; i++)
        print_instruction(&listing.instructions[i], &found);
    corpus_expect(one, "expected", text_string(&found));
    listing_release(&listing);
    text_release(&found);
}

static void test_effects(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/sass-effects.txt", check, NULL) >= 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_effects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
