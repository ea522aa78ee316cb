// SPDX-License-Identifier: Apache-2.0
/* Protects the reader of x86-64 code: the effect on memory of each instruction, its lines, and what may run after it.
 * An access that is overlooked or attributed to another line would let a lost or moved instruction pass as kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "inspect/x86/x86_effect.h"
#include "tests/corpus.h"

static const char *const effects[] = {
    [MACHINE_NOTHING] = "nothing", [MACHINE_LOAD] = "load",   [MACHINE_STORE] = "store",
    [MACHINE_UPDATE] = "update",   [MACHINE_ASYNC] = "async", [MACHINE_COMMIT] = "commit",
    [MACHINE_WAIT] = "wait",       [MACHINE_FENCE] = "fence", [MACHINE_INVALIDATE] = "invalidate",
    [MACHINE_BARRIER] = "barrier",
};
static const char *const orders[LITMUS_ORDER_COUNT] = {
    [LITMUS_PLAIN] = "plain",     [LITMUS_RELAXED] = "relaxed", [LITMUS_ACQUIRE] = "acquire",
    [LITMUS_RELEASE] = "release", [LITMUS_ACQ_REL] = "acq_rel", [LITMUS_SEQ_CST] = "seq_cst",
};

static void print_effect(const char *line, struct x86_stack *stack, struct text *text)
{
    struct x86_effect effect;
    struct error error;
    text_add(text, "%-49s ", line);
    const enum status status = x86_effect_read(line, stack, &effect, &error);
    x86_note_stack(line, stack);
    if (status != STATUS_OK) {
        text_add(text, "%s\n", error.text);
        return;
    }
    text_add(text, "%s", effects[effect.effect]);
    if (effect.bytes > 0)
        text_add(text, " %u", effect.bytes);
    if (effect.effect != MACHINE_NOTHING)
        text_add(text, " %s", orders[effect.order]);
    if (effect.lanes > 1)
        text_add(text, ", %u elements", effect.lanes);
    text_add(text, "%s%s", effect.also_stores ? ", then a store" : "", effect.predicated ? ", or nothing" : "");
    if (effect.jumps && effect.target == X86_NO_TARGET)
        text_add(text, ", goes nobody knows where");
    else if (effect.jumps)
        text_add(text, ", goes to %lx", (unsigned long)effect.target);
    text_add(text, "%s\n", effect.falls ? "" : ", ends here");
}

static void check_effects(struct corpus_case *one, void *context)
{
    struct text found = {0};
    char *rest, *all = strdup(text_string(corpus_part(one, "")));
    struct x86_stack stack = {.rbp = true};
    (void)context;
    for (char *line = strtok_r(all, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        print_effect(line, &stack, &found);
    corpus_expect(one, "expected", text_string(&found));
    text_release(&found);
    free(all);
}

static void test_effects(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/x86-effects.txt", check_effects, NULL) >= 5);
}

static void print_lines(const struct machine_instruction *instruction, struct text *text)
{
    for (unsigned i = 0; i < instruction->line_count; i++)
        text_add(text, "%s%u", i == 0 ? " lines " : "<", instruction->lines[i]);
}

static void print_listing(const struct listing *listing, struct text *text)
{
    for (size_t i = 0; i < listing->count; i++) {
        const struct machine_instruction *instruction = &listing->instructions[i];
        text_add(text, "%zu %s, %s", i, instruction->text, effects[instruction->effect]);
        print_lines(instruction, text);
        if (instruction->next != MACHINE_NO_NEXT)
            text_add(text, " next %ld", instruction->next);
        if (instruction->branch != MACHINE_NO_NEXT)
            text_add(text, " branch %ld", instruction->branch);
        text_add(text, "\n");
    }
    for (size_t i = 0; i < listing->lost_count; i++) {
        text_add(text, "lost: %s", listing->lost[i].text);
        print_lines(&listing->lost[i], text);
        text_add(text, "\n");
    }
}

static void check_listing(struct corpus_case *one, void *context)
{
    struct listing listing;
    struct error error;
    struct text found = {0};
    (void)context;
    if (listing_read_x86(text_string(corpus_part(one, "")), &listing, &error) == STATUS_OK)
        print_listing(&listing, &found);
    else
        text_add(&found, "%s\n", error.text);
    corpus_expect(one, "expected", text_string(&found));
    listing_release(&listing);
    text_release(&found);
}

static void test_listings(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/x86-listings.txt", check_listing, NULL) >= 6);
}

/* A text that ends in the middle of a line was cut off by a limit: what is missing in it proves nothing. */
static void test_cut(void **state)
{
    struct listing listing;
    struct error error;
    (void)state;
    assert_int_equal(listing_read_x86("Disassembly of section .text:\n\n0000000000001000 <k_workgroup>:\n    1000:\tre",
                                      &listing, &error),
                     STATUS_SYNTAX);
    assert_non_null(strstr(error.text, "line 4"));
    listing_release(&listing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_listings),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
