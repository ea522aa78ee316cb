// SPDX-License-Identifier: Apache-2.0
/* Protects delays: a kernel has delay sites only if requested, and otherwise unchanged text; a site is on its own line
 * before an instruction; a draw's choice of sites can be drawn again; and a batch is not called inert because its
 * threads took another branch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/environment/environment.h"
#include "tests/between.h"
#include "tests/kernel/fixture.h"

static const char branches[] = "PTX delays\n{ x=0; y=0; P1:r0=0; P1:r1=0; }\n"
                               " P0@cta 0,gpu 0      | P1@cta 1,gpu 0      ;\n"
                               " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ;\n"
                               " fence.sc.gpu        | beq r0, 0, LC0       ;\n"
                               " st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;\n"
                               "                     | LC0:                 ;\n"
                               "exists (1:r0=1 /\\ 1:r1=0)\n";

static void generate(const char *takes, const char *text, bool delays, struct kernel *kernel)
{
    const struct backend_device device = fixture_device(takes);
    struct litmus_test *test = fixture_parse("delays", text);
    struct error error = {.text = ""};
    if (kernel_generate(test, &device, NULL, delays, kernel, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    litmus_release(test);
}

/* The functions of the threads without their delay sites. */
static char *without_sites(const struct kernel *kernel, unsigned *sites)
{
    struct text text = {0};
    *sites = 0;
    for (const char *line = kernel->source + kernel->body; line < kernel->source + kernel->body + kernel->body_size;) {
        const size_t size = strcspn(line, "\n") + 1;
        const char *start = line + strspn(line, " ");
        if (strncmp(start, "delay(MEMORY_ARGUMENTS, delays, ", 32) == 0)
            assert_int_equal(strtoul(start + 32, NULL, 10), (*sites)++);
        else if (strncmp(start, "const u32 delays = ", 19) != 0)
            text_add_bytes(&text, line, size);
        line += size;
    }
    return text_take(&text);
}

static const char locked[] =
    "OPENCL delays\n{ x=0; y=0; }\n"
    "P0@wg 0,dev 0 (global atomic_int* x, global int* y) {\n"
    "  while (atomic_exchange_explicit(x, 1, memory_order_acquire, memory_scope_device) == 1) {\n"
    "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);\n"
    "  }\n"
    "  int r0 = *y;\n"
    "  if (r0 == 1) {\n    *y = 2;\n  }\n"
    "}\n"
    "P1@wg 1,dev 0 (global atomic_int* x, global int* y) {\n"
    "  int r1 = 5;\n"
    "  *y = r1 + 1;\n"
    "}\n"
    "exists (y=2)\n";

static void check_sites(const char *takes, const char *text, unsigned sites, uint32_t certain)
{
    struct kernel plain, delayed;
    unsigned none, found;
    generate(takes, text, false, &plain);
    generate(takes, text, true, &delayed);
    char *before = without_sites(&plain, &none), *after = without_sites(&delayed, &found);
    assert_string_equal(before, after);
    assert_int_equal(none, 0);
    assert_int_equal(found, sites);
    assert_int_equal(plain.delay_sites, 0);
    assert_int_equal(delayed.delay_sites, sites);
    assert_int_equal(delayed.certain_sites, certain);
    assert_null(strstr(plain.source, "#define DELAYS\n"));
    assert_non_null(strstr(delayed.source, "#define DELAYS\n"));
    assert_true(kernel_local_words(&delayed, 32, 1) > kernel_local_words(&plain, 32, 1));
    free(before);
    free(after);
    kernel_release(&plain);
    kernel_release(&delayed);
}

/* Sites of a thread with jumps, and sites in a loop or a branch, are not certain. Computing is not a memory
 * instruction. */
static void test_sites(void **state)
{
    (void)state;
    check_sites("ptx", branches, 5, 1u | 2u | 4u);
    check_sites("c11", locked, 4, 2u | 8u);
}

static void draw(const struct kernel *kernel, uint64_t batch, uint32_t sites, struct draw *draw)
{
    const struct backend_device device = {.gpu = true};
    const struct draw_limits limits = {
        .resident_groups = 64, .max_group_size = 1024, .sub_group_size = 32, .local_bytes = 64 * 1024};
    struct environment environment;
    struct error error;
    assert_int_equal(environment_load("gpu", &device, &environment, &error), STATUS_OK);
    environment.delay_chance = (struct environment_range){50, 50};
    environment.delay_sites = (struct environment_range){sites, sites};
    environment.delay_nanoseconds = (struct environment_range){100, 900};
    assert_int_equal(draw_make(&environment, kernel, &limits, 7, 8, batch, draw, &error), STATUS_OK);
}

static void test_draws(void **state)
{
    struct kernel plain, delayed;
    uint32_t all = 0;
    unsigned delays = 0;
    (void)state;
    generate("ptx", branches, false, &plain);
    generate("ptx", branches, true, &delayed);
    for (uint64_t batch = 0; batch < 64; batch++) {
        struct draw first, again, none, more;
        draw(&delayed, batch, 2, &first);
        draw(&delayed, batch, 2, &again);
        draw(&plain, batch, 2, &none);
        draw(&delayed, batch, 32, &more);
        const uint32_t chosen = first.words[DRAW_DELAY_SITES];
        const bool some = chosen != 0;
        assert_int_equal(chosen, again.words[DRAW_DELAY_SITES]);
        assert_int_equal(first.words[DRAW_DELAY_NANOSECONDS], again.words[DRAW_DELAY_NANOSECONDS]);
        assert_int_equal(__builtin_popcount(chosen), some ? 2 : 0);
        assert_int_equal(chosen >> delayed.delay_sites, 0);
        assert_int_equal(first.requested[DRAW_DELAYS_REQUESTED], (chosen & delayed.certain_sites) != 0);
        assert_int_equal(none.words[DRAW_DELAY_SITES], 0);
        assert_false(none.requested[DRAW_DELAYS_REQUESTED]);
        assert_int_equal(more.words[DRAW_DELAY_SITES], some ? 31 : 0);
        if (some)
            assert_between(first.words[DRAW_DELAY_NANOSECONDS], 100, 900);
        all |= chosen;
        delays += some;
        draw_release(&first);
        draw_release(&again);
        draw_release(&none);
        draw_release(&more);
    }
    assert_int_equal(all, 31);
    assert_between(delays, 16, 48); /* a chance of 1/2 */
    kernel_release(&plain);
    kernel_release(&delayed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sites), cmocka_unit_test(test_draws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
