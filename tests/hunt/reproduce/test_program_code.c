// SPDX-License-Identifier: Apache-2.0
/* Protects the threads' code in a reproducer: a call is replaced by the statement of its function only where the
 * meaning is the same; and every function that is still called is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hunt/reproduce/program.h"

static struct backend_device device_of(unsigned takes)
{
    return (struct backend_device){.name = "Test device",
                                   .architecture = "sm_90",
                                   .gpu = true,
                                   .takes = takes,
                                   .atomic_orders = BACKEND_ALL_ORDERS,
                                   .atomic_scopes = BACKEND_ALL_SCOPES,
                                   .fence_orders = BACKEND_ALL_ORDERS,
                                   .fence_scopes = BACKEND_ALL_SCOPES,
                                   .types = BACKEND_ALL_TYPES,
                                   .max_group_size = 1024,
                                   .sub_group_size = 32};
}

/* Prints the only thread of an OPENCL test with this statement, and the functions that it calls. */
static void print(const char *statement, unsigned takes, struct text *code, struct text *functions)
{
    struct text source = {0};
    struct litmus_test *test = NULL;
    struct error error;
    struct program program = {.cuda = takes == BACKEND_TAKES_PTX};
    uint32_t words[DRAW_FIXED_WORDS] = {0};
    const struct backend_device device = device_of(takes);
    text_add(&source,
             "OPENCL t\n{ x=0; y=0; }\nP0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y, global int* z) {\n"
             "  %s\n}\nexists ([x]=1)\n",
             statement);
    if (litmus_parse("t", text_string(&source), source.size, &test, &error) != STATUS_OK)
        fail_msg("%s: %s", statement, error.text);
    if (kernel_pieces_make(test, &device, NULL, false, &program.pieces, &error) != STATUS_OK)
        fail_msg("%s: %s", statement, error.text);
    program.test = test;
    program.draw.words = words;
    program.called = arena_take(&program.pieces.kernel.arena, program.pieces.writer.function_count + 1, sizeof(bool));
    program_print_code(&program, &program.pieces.threads[0], true, code);
    program_print_functions(&program, functions);
    kernel_pieces_release(&program.pieces);
    litmus_release(test);
    text_release(&source);
}

/* kept: the start of a function that is printed; NULL: none is. */
static void expect(unsigned takes, const char *statement, const char *expected, const char *kept)
{
    struct text code = {0}, functions = {0};
    print(statement, takes, &code, &functions);
    assert_string_equal(text_string(&code), expected);
    assert_int_equal(functions.size > 0, kept != NULL);
    if (kept)
        assert_non_null(strstr(text_string(&functions), kept));
    text_release(&code);
    text_release(&functions);
}

static void test_calls(void **state)
{
    (void)state;
    expect(BACKEND_TAKES_C11, "atomic_store(x, 1);", "    atomic_store((volatile GLOBAL atomic_int *)P0_x, 1);\n",
           NULL);
    expect(BACKEND_TAKES_C11, "atomic_store(x, atomic_load(y));",
           "    atomic_store((volatile GLOBAL atomic_int *)P0_x, (int)(\n"
           "            atomic_load((volatile GLOBAL atomic_int *)P0_y)));\n",
           NULL);
    expect(BACKEND_TAKES_PTX,
           "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);",
           "    asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\");\n", NULL);
}

/* Inline PTX sets only a variable of its own type, and cannot be part of an expression. */
static void test_results(void **state)
{
    static const char load[] = "FUNCTION int load_acquire_device_global_int(";
    (void)state;
    expect(BACKEND_TAKES_PTX, "int r0 = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);",
           "    asm volatile(\"ld.acquire.gpu.global.b32 %0, [%1];\" : \"=r\"(P0_r0) : "
           "GLOBAL_OPERAND(global_address(P0_x)) : \"memory\");\n",
           NULL);
    expect(BACKEND_TAKES_PTX, "uint r0 = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);",
           "    P0_r0 = load_acquire_device_global_int(P0_x);\n", load);
    expect(BACKEND_TAKES_PTX,
           "if (atomic_load_explicit(x, memory_order_acquire, memory_scope_device) == 1) atomic_store_explicit(y, 1, "
           "memory_order_relaxed, memory_scope_device);",
           "    if ((load_acquire_device_global_int(P0_x) == 1)) {\n"
           "        asm volatile(\"st.relaxed.gpu.global.b32 [%0], %1;\" :: GLOBAL_OPERAND(global_address(P0_y)), "
           "\"r\"(1) : \"memory\");\n    }\n",
           load);
}

/* A function of several statements stays, with the functions that it calls. */
static void test_functions(void **state)
{
    static const char *const called[] = {"FUNCTION int cas_", "FUNCTION int load_plain_", "FUNCTION void store_plain_"};
    struct text code = {0}, functions = {0};
    (void)state;
    print("int r0 = atomic_compare_exchange_strong(x, z, 1);", BACKEND_TAKES_C11, &code, &functions);
    assert_non_null(strstr(text_string(&code), "_through_global(P0_x, P0_z, 1);"));
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        assert_non_null(strstr(text_string(&functions), called[i]));
    assert_non_null(strstr(text_string(&functions), "_through_global("));
    text_release(&code);
    text_release(&functions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls), cmocka_unit_test(test_results),
                                       cmocka_unit_test(test_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
