// SPDX-License-Identifier: Apache-2.0
/* Protects the reader of PTX: which lines an instruction gets from .loc directives, inlined or not, where jumps lead,
 * and what is refused (read_ptx/cases.txt); and that an opcode has the same meaning as in the parser of PTX tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "listing/listing.h"
#include "listing/read_ptx.h"
#include "litmus/litmus.h"
#include "tests/corpus.h"

static const char *const effects[] = {
    [MACHINE_NOTHING] = "-",       [MACHINE_LOAD] = "load",   [MACHINE_STORE] = "store",
    [MACHINE_UPDATE] = "update",   [MACHINE_FENCE] = "fence", [MACHINE_INVALIDATE] = "invalidate",
    [MACHINE_BARRIER] = "barrier",
};

/* "3 load 4 bytes relaxed gpu global [85 110] ? next 4, jump 7" */
static void print_instruction(const struct listing *listing, size_t index, struct text *text)
{
    const struct machine_instruction *one = &listing->instructions[index];
    text_add(text, "%zu %s: %s", index, one->text, effects[one->effect]);
    if (one->bytes > 0)
        text_add(text, " %u bytes in %u, %s", one->bytes, one->lanes,
                 one->region == LITMUS_LOCAL ? "shared" : "global");
    if (one->effect != MACHINE_NOTHING)
        text_add(text, ", %s %s", litmus_order_name(LITMUS_PTX, one->order), litmus_scope_name(LITMUS_PTX, one->scope));
    text_add(text, ", lines");
    for (unsigned i = 0; i < one->line_count; i++)
        text_add(text, " %u", one->lines[i]);
    if (one->predicated)
        text_add(text, ", predicated");
    if (one->next != (long)index + 1)
        text_add(text, ", no next");
    if (one->branch != MACHINE_NO_NEXT)
        text_add(text, ", jumps to %ld", one->branch);
    text_add(text, "\n");
}

static void check_case(struct corpus_case *one, void *context)
{
    struct listing listing;
    struct error error;
    struct text found = {0};
    (void)context;
    enum { TEST_END = 100 }; /* first line after a test's code */
    if (listing_read_ptx(text_string(corpus_part(one, "")), &listing, &error) == STATUS_OK &&
        listing_refuse_ptx(&listing, 1, TEST_END, &error) == STATUS_OK) {
        text_add(&found, "%s\n", listing.architecture);
        for (size_t i = 0; i < listing.count; i++)
            print_instruction(&listing, i, &found);
    } else
        text_add(&found, "%s: %s\n", status_name(error.status), error.text);
    corpus_expect(one, "listing", text_string(&found));
    text_release(&found);
    listing_release(&listing);
}

static void test_cases(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/read_ptx/cases.txt", check_case, NULL) > 0);
}

/* Instructions as in PTX tests. */
static const char *const instructions[] = {
    "ld.weak r0, x",
    "ld.volatile r0, x",
    "ld.relaxed.cta r0, x",
    "ld.acquire.gpu r0, x",
    "ld.acquire.sys.u64 r0, x",
    "ld r0, x",
    "st x, 1",
    "st.volatile x, 1",
    "st.relaxed.sys x, 1",
    "st.release.cluster x, 1",
    "atom.add r0, x, 1",
    "atom.acquire.cta.exch r0, x, 1",
    "atom.acq_rel.gpu.cas r0, x, 0, 1",
    "atom.release.sys.min r0, x, 1",
    "red.add x, 1",
    "red.release.gpu.or x, 1",
    "fence.sc.gpu",
    "fence.acq_rel.cta",
    "fence.cluster",
    "fence.acquire.sys",
    "membar.cta",
    "membar.gl",
    "membar.sys",
};

static const struct litmus_access *access_of(const struct litmus_test *test)
{
    const struct litmus_expression *value = test->threads[0].body.statements[0].value;
    return value ? value->access : NULL;
}

/* The litmus parser and the reader of modules agree. */
static void test_opcodes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        char text[256];
        struct litmus_test *test;
        struct error error;
        struct machine_instruction read;
        const int size = snprintf(
            text, sizeof text, "PTX T\n{ x=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n %s ;\nexists (x=0)\n", instructions[i]);
        assert_int_equal(litmus_parse("T", text, (size_t)size, &test, &error), STATUS_OK);
        assert_true(ptx_opcode_read(instructions[i], strcspn(instructions[i], " "), &read));
        const struct litmus_access *access = access_of(test);
        const struct litmus_fence *fence = &test->threads[0].body.statements[0].fence;
        assert_int_equal(read.effect, !access                             ? MACHINE_FENCE
                                      : access->operation == LITMUS_LOAD  ? MACHINE_LOAD
                                      : access->operation == LITMUS_STORE ? MACHINE_STORE
                                                                          : MACHINE_UPDATE);
        assert_int_equal(read.order, access ? access->order : fence->order);
        assert_int_equal(read.scope, access ? access->scope : fence->scope);
        if (read.effect == MACHINE_UPDATE)
            assert_int_equal(read.operation, access->operation);
        litmus_release(test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_opcodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
