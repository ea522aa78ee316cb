// SPDX-License-Identifier: Apache-2.0
/* Protects the generated part of a kernel as a whole: accepted texts for a few tests; that a test's own text never gets
 * into the kernel; and that the use of an undeclared order or scope is noted. With ORCHIL_UPDATE set, the accepted
 * texts are rewritten instead of compared: read the difference before accepting it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/corpus.h"
#include "tests/kernel/fixture.h"

/* ---- accepted texts ---- */

/* A part is named after what the device takes. */
static void check_golden(struct corpus_case *one, void *context)
{
    size_t *kernels = context;
    struct litmus_test *test = fixture_parse(one->title, text_string(&one->parts[0].text));
    for (size_t i = 1; i < one->count; i++) {
        const struct backend_device device = fixture_device(one->parts[i].name);
        char *generated = fixture_generate(test, &device);
        corpus_expect(one, one->parts[i].name, generated);
        free(generated);
        (*kernels)++;
    }
    litmus_release(test);
}

static void test_golden(void **state)
{
    size_t kernels = 0;
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/kernel/golden", check_golden, &kernels) >= 9);
    assert_true(kernels >= 14);
}

/* ---- no text of a test ---- */

/* '$' marks what differs between two tests that must have the same kernel. */
static const char opencl_template[] =
    "OPENCL $Test\n\"$Doc */ #define x\"\nKey$=$Value\n{ [$x]=0; long $a[2]={1,2}; 0:$q=7; $s=0; }\n"
    "P0@wg 0, dev 0 (global atomic_int* $x, global long* $a, local int* $s) {\n"
    "  int $r = atomic_load($x);\n  long $t = $a[$r] + $q;\n  $label: barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  while ($r < 1) { *$s = $r + 1; $r = *$s; }\n}\n"
    "P1@wg 0, dev 0 (global atomic_int* $x) { int $r; $label: barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  atomic_compare_exchange_weak($x, &$r, 3); }\n"
    "locations [$s; $a[1];]\nexists (0:$r=1 /\\ 0:$t=8 /\\ $x=3)\n";
static const char ptx_template[] = "PTX $Test\n\"$Doc\"\n{ $x=0; $a=1; P0:$r=0; P1:$r=0; }\n"
                                   " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n $l: | atom.acquire.gpu.cas $r, $x, 0, 1 ;\n"
                                   " ld.relaxed.gpu $r, $x | red.relaxed.gpu.add $a, 1 ;\n beq $r, 0, $l | ;\n"
                                   "exists (0:$r=1 /\\ $a=2)\n";

static struct litmus_test *fill(const char *form, const char *with)
{
    struct text text = {0};
    for (const char *c = form; *c; c++)
        if (*c == '$')
            text_add(&text, "%s", with);
        else
            text_add_bytes(&text, c, 1);
    struct litmus_test *test = fixture_parse("template", text_string(&text));
    text_release(&text);
    return test;
}

static void check_names(const char *form, const char *takes)
{
    const struct backend_device device = fixture_device(takes);
    struct litmus_test *plain = fill(form, "a"), *odd = fill(form, "Zqj_printf_"), *third = fill(form, "draw_p0_r0_");
    struct kernel kernel;
    struct error error;
    char *expected = fixture_generate(plain, &device);
    char *generated = fixture_generate(odd, &device);
    assert_string_equal(expected, generated);
    free(generated);
    generated = fixture_generate(third, &device);
    assert_string_equal(expected, generated);
    free(generated);
    free(expected);
    assert_int_equal(kernel_generate(odd, &device, NULL, false, &kernel, &error), STATUS_OK);
    assert_null(strcasestr(kernel.source, "zqj")); /* in the numbers before the skeleton, too */
    kernel_release(&kernel);
    litmus_release(plain);
    litmus_release(odd);
    litmus_release(third);
}

static void test_no_names(void **state)
{
    (void)state;
    check_names(opencl_template, "c11");
    check_names(opencl_template, "ptx");
    check_names(ptx_template, "ptx");
}

/* ---- declared orders and scopes ---- */

static const char relaxed_device[] = "  r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n";
static const char acquire_device[] = "  r0 = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);\n";
static const char relaxed_all[] =
    "  r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_all_svm_devices);\n";
static const char sc_default[] = "  r0 = atomic_load(x);\n";
static const char release_work_group[] =
    "  atomic_store_explicit(x, 1, memory_order_release, memory_scope_work_group);\n";
static const char fence_acquire[] =
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);\n";
static const char fence_sc[] =
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group);\n";
static const char legacy_add[] = "  r0 = atomic_add(y, 1);\n";
static const char legacy_fence[] = "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n";
static const char plain[] = "  r0 = *y;\n";

static const struct {
    const char *statement;
    unsigned atomic_orders, atomic_scopes, fence_orders, fence_scopes;
    bool undeclared;
} declarations[] = {
    {relaxed_device, BACKEND_ORDER_RELAXED, BACKEND_SCOPE_DEVICE, 0, 0, false},
    {relaxed_device, BACKEND_ORDER_RELAXED, BACKEND_SCOPE_WORK_GROUP, 0, 0, true},
    {relaxed_device, 0, BACKEND_SCOPE_DEVICE, 7, 0x3f, true},
    {acquire_device, BACKEND_ORDER_RELAXED, 0x3f, 7, 0x3f, true},
    {acquire_device, BACKEND_ORDER_ACQ_REL, BACKEND_SCOPE_DEVICE, 0, 0, false},
    {relaxed_all, 7, 0x3f & ~BACKEND_SCOPE_ALL_DEVICES, 7, 0x3f, true},
    {relaxed_all, 7, BACKEND_SCOPE_ALL_DEVICES, 0, 0, false},
    {sc_default, BACKEND_ORDER_RELAXED | BACKEND_ORDER_ACQ_REL, 0x3f, 7, 0x3f, true},
    {sc_default, BACKEND_ORDER_SEQ_CST, BACKEND_SCOPE_DEVICE, 0, 0, false},
    {release_work_group, BACKEND_ORDER_ACQ_REL, BACKEND_SCOPE_WORK_GROUP, 0, 0, false},
    {release_work_group, BACKEND_ORDER_ACQ_REL, BACKEND_SCOPE_DEVICE, 0, 0, true},
    {fence_acquire, 7, 0x3f, BACKEND_ORDER_ACQ_REL, BACKEND_SCOPE_DEVICE, false},
    {fence_acquire, 7, 0x3f, BACKEND_ORDER_ACQ_REL, BACKEND_SCOPE_WORK_GROUP, true},
    {fence_sc, 7, 0x3f, BACKEND_ORDER_ACQ_REL, 0x3f, true},
    {fence_sc, 0, 0, BACKEND_ORDER_SEQ_CST, BACKEND_SCOPE_WORK_GROUP, false},
    {legacy_add, BACKEND_ORDER_RELAXED, BACKEND_SCOPE_WORK_GROUP, 0, 0, false},
    {legacy_add, BACKEND_ORDER_RELAXED, BACKEND_SCOPE_DEVICE, 0, 0, true},
    {legacy_fence, 0, 0, BACKEND_ORDER_ACQ_REL, BACKEND_SCOPE_WORK_GROUP, false},
    {legacy_fence, 0, 0, BACKEND_ORDER_RELAXED, BACKEND_SCOPE_WORK_GROUP, true},
    {plain, 0, 0, 0, 0, false},
};

static bool is_undeclared(const char *statement, const struct backend_device *device)
{
    struct text text = {0};
    struct kernel kernel;
    struct error error;
    text_add(&text,
             "OPENCL t\n{ x=0; y=0; }\nP0@wg 0, dev 0 (global atomic_int* x, global int* y) {\n  int r0 = 0;\n%s}\n"
             "exists (0:r0=0)\n",
             statement);
    struct litmus_test *test = fixture_parse("declaration", text_string(&text));
    assert_int_equal(kernel_generate(test, device, NULL, false, &kernel, &error), STATUS_OK);
    const bool undeclared = kernel.undeclared;
    kernel_release(&kernel);
    litmus_release(test);
    text_release(&text);
    return undeclared;
}

static void test_undeclared(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++) {
        struct backend_device device = fixture_device("c11");
        device.atomic_orders = declarations[i].atomic_orders;
        device.atomic_scopes = declarations[i].atomic_scopes;
        device.fence_orders = declarations[i].fence_orders;
        device.fence_scopes = declarations[i].fence_scopes;
        if (is_undeclared(declarations[i].statement, &device) != declarations[i].undeclared)
            fail_msg("row %zu: %s", i, declarations[i].statement);
        device.takes = BACKEND_TAKES_PTX; /* PTX is guaranteed by the chip, whatever the OpenCL driver declares */
        assert_false(is_undeclared(declarations[i].statement, &device));
    }
}

/* OpenCL 1.x has no orders and scopes, so those of a test are not guaranteed; a plain access has none. */
static void test_opencl1_promises_nothing(void **state)
{
    const struct backend_device device = fixture_device("opencl1");
    static const char *const silent[] = {relaxed_device, acquire_device, sc_default,
                                         fence_sc,       legacy_add,     legacy_fence};
    (void)state;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        assert_true(is_undeclared(silent[i], &device));
    assert_false(is_undeclared(plain, &device));
}

/* ---- helpers ---- */

/* Protects a volatile expected value of a compare_exchange: it keeps its volatile accesses even if a non-volatile one
 * uses the same function. */
static void test_volatile_expected(void **state)
{
    static const char text[] = "C t\n{ x=0; y=0; z=0; }\n"
                               "P0(atomic_int* x, int* y, volatile int* z) {\n"
                               "  int r0 = atomic_compare_exchange_strong(x, y, 1);\n"
                               "  int r1 = atomic_compare_exchange_strong(x, z, 1);\n}\nexists (0:r0=1 /\\ 0:r1=1)\n";
    const struct backend_device device = fixture_device("c11");
    struct litmus_test *test = fixture_parse("expected", text);
    char *generated = fixture_generate(test, &device);
    (void)state;
    assert_non_null(strstr(generated, "p0_r0 = cas_default_global_int_through_global(p0_x0, p0_x1, 1);"));
    assert_non_null(strstr(generated, "p0_r1 = cas_default_global_int_through_kept_global(p0_x0, p0_x2, 1);"));
    assert_non_null(strstr(generated, "int old = load_kept_plain_global_int(expected);"));
    free(generated);
    litmus_release(test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_no_names),
        cmocka_unit_test(test_undeclared),
        cmocka_unit_test(test_opencl1_promises_nothing),
        cmocka_unit_test(test_volatile_expected),
    };
    if (chdir(ORCHIL_SOURCE_DIR "/tests/kernel") != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
