// SPDX-License-Identifier: Apache-2.0
/* Protects what vector accesses, 128 bits at once, cache operators and numbered registers become in the structure of a
 * test, and how a range of numbered threads becomes separate threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"

static struct litmus_test *parse(const char *text)
{
    struct litmus_test *test;
    struct error error = {0};
    if (litmus_parse("t.litmus", text, strlen(text), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return test;
}

/* The only statement of a PTX thread. */
static const struct litmus_statement *ptx(const char *cell, struct litmus_test **test)
{
    struct text text = {0};
    text_add(&text,
             "PTX T\n{ u64 x[4]; s64 s[2]; u32 w=0; f32 f[4]; u32 e[8]; }\n P0@cta 0,gpu 0 ;\n  %s ;\nexists (w=0)",
             cell);
    *test = parse(text_string(&text));
    text_release(&text);
    assert_int_equal((*test)->threads[0].body.count, 1);
    return &(*test)->threads[0].body.statements[0];
}

static void vectors_have_words_and_places(void **state)
{
    static const struct {
        const char *cell;
        enum litmus_operation operation;
        enum litmus_type type;
        enum litmus_order order;
        enum litmus_scope scope;
        unsigned lanes;
        bool whole, no_result;
        int64_t first; /* element */
    } rows[] = {
        {"ld.v2.u64 {r0, r1}, [x]", LITMUS_LOAD, LITMUS_ULONG, LITMUS_PLAIN, 0, 2, false, false, 0},
        {"ld.acquire.sys.v2 {r0, r1}, x[2]", LITMUS_LOAD, LITMUS_ULONG, LITMUS_ACQUIRE, LITMUS_ALL_DEVICES, 2, false,
         false, 2},
        {"st.release.gpu.v4.u64 [x], {1,2,3,4}", LITMUS_STORE, LITMUS_ULONG, LITMUS_RELEASE, LITMUS_DEVICE, 4, false,
         false, 0},
        {"ld.volatile.v8.u32 {a,b,c,d,_,_,_,_}, [e]", LITMUS_LOAD, LITMUS_UINT, LITMUS_VOLATILE, LITMUS_ALL_DEVICES, 8,
         false, false, 0},
        {"red.relaxed.gpu.global.add.v4.f32 [f], {1,2,3,4}", LITMUS_FETCH_ADD, LITMUS_FLOAT, LITMUS_RELAXED,
         LITMUS_DEVICE, 4, false, true, 0},
        {"atom.add.v2.f32 {r0, _}, [f[2]], {1,2}", LITMUS_FETCH_ADD, LITMUS_FLOAT, LITMUS_RELAXED, LITMUS_DEVICE, 2,
         false, false, 2},
        {"ld.relaxed.cta.b128 {r0, r1}, [x[2]]", LITMUS_LOAD, LITMUS_ULONG, LITMUS_RELAXED, LITMUS_WORK_GROUP, 2, true,
         false, 2},
        {"st.weak.b128 [s], {-1, 2}", LITMUS_STORE, LITMUS_LONG, LITMUS_PLAIN, 0, 2, true, false, 0},
        {"atom.cas.b128 {_, _}, [x], {0, 1}, {2, 3}", LITMUS_CAS, LITMUS_ULONG, LITMUS_RELAXED, LITMUS_DEVICE, 2, true,
         false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test;
        const struct litmus_statement *statement = ptx(rows[i].cell, &test);
        const struct litmus_vector *vector = &statement->vector;
        const struct litmus_expression *element = vector->access.address->left;
        assert_int_equal(statement->kind, LITMUS_VECTOR);
        assert_int_equal(vector->access.operation, rows[i].operation);
        assert_int_equal(vector->access.type, rows[i].type);
        assert_int_equal(vector->access.order, rows[i].order);
        assert_int_equal(vector->access.scope, rows[i].scope);
        assert_int_equal(vector->access.no_result, rows[i].no_result);
        assert_int_equal(vector->lanes, rows[i].lanes);
        assert_int_equal(vector->whole, rows[i].whole);
        assert_int_equal(element ? element->value : 0, rows[i].first);
        assert_true((vector->values[0] == NULL) == (rows[i].operation == LITMUS_LOAD));
        assert_true((vector->expected[0] != NULL) == (rows[i].operation == LITMUS_CAS));
        litmus_release(test);
    }
}

static void lanes_keep_their_order(void **state)
{
    (void)state;
    struct litmus_test *test;
    const struct litmus_vector *vector = &ptx("ld.v4.u64 {b, _, a, _}, [x]", &test)->vector;
    const struct litmus_register *registers = test->threads[0].registers;
    assert_string_equal(registers[vector->registers[0]].name, "b");
    assert_int_equal(vector->registers[1], LITMUS_NONE);
    assert_string_equal(registers[vector->registers[2]].name, "a");
    assert_int_equal(registers[vector->registers[2]].type, LITMUS_ULONG);
    litmus_release(test);
    vector = &ptx("atom.cas.b128 {r0, r1}, [x], {5, 6}, {7, 8}", &test)->vector;
    assert_int_equal(vector->expected[0]->value, 5);
    assert_int_equal(vector->expected[1]->value, 6);
    assert_int_equal(vector->values[0]->value, 7);
    assert_int_equal(vector->values[1]->value, 8);
    litmus_release(test);
}

static void caches_are_kept(void **state)
{
    static const struct {
        const char *cell;
        enum litmus_cache cache, prefetch;
        bool read_only, mmio;
    } rows[] = {
        {"ld.cv.u32 r0, [w]", LITMUS_CACHE_VOLATILE, 0, false, false},
        {"st.wt.u32 [w], 1", LITMUS_CACHE_WRITE_THROUGH, 0, false, false},
        {"ld.relaxed.gpu.L1::evict_last.L2::64B.u32 r0, [w]", LITMUS_CACHE_EVICT_LAST, LITMUS_CACHE_PREFETCH_64, false,
         false},
        {"ld.global.cs.nc.u32 r0, [w]", LITMUS_CACHE_STREAMING, 0, true, false},
        {"ld.global.nc.L2::256B.u32 r0, [w]", 0, LITMUS_CACHE_PREFETCH_256, true, false},
        {"st.mmio.relaxed.sys.u32 [w], 1", 0, 0, false, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test;
        const struct litmus_access *access = ptx(rows[i].cell, &test)->value->access;
        assert_int_equal(access->cache, rows[i].cache);
        assert_int_equal(access->prefetch, rows[i].prefetch);
        assert_int_equal(access->read_only, rows[i].read_only);
        assert_int_equal(access->mmio, rows[i].mmio);
        assert_int_equal(access->proxy, rows[i].read_only ? LITMUS_TEXTURE : LITMUS_GENERIC);
        litmus_release(test);
    }
}

static void vectors_of_opencl_say_how_they_are_aligned(void **state)
{
    (void)state;
    struct litmus_test *test = parse("OPENCL T\n{ x[8]; }\nP0 (global int *x) {\n"
                                     "  int3 r = vload3(1, x + 1);\n  *(global int4 *)&x[4] = (int4)(r.y);\n}\n"
                                     "exists (0:r.z=0)");
    const struct litmus_statement *statements = test->threads[0].body.statements;
    assert_int_equal(test->threads[0].register_count, 3);
    assert_string_equal(test->threads[0].registers[1].name, "r.s1");
    assert_int_equal(test->variables[0].index, 2);
    assert_true(statements[0].vector.unaligned);
    assert_int_equal(statements[0].vector.access.address->left->value, 4);
    assert_int_equal(statements[0].vector.registers[2], 2);
    assert_false(statements[1].vector.unaligned);
    assert_int_equal(statements[1].vector.access.operation, LITMUS_STORE);
    assert_int_equal(statements[1].vector.values[3]->index, 1);
    litmus_release(test);
}

static void numbered_ranges_become_threads(void **state)
{
    (void)state;
    struct litmus_test *test = parse("PTX T\n{ x[4]; P1:r0=9; u32 P1:i=%tid; }\n"
                                     " P0@cta 0,gpu 0 | P1..P3@cta 1,gpu 0 ;\n mov r0, 1 | st.weak x[i], r0 ;\n"
                                     "exists (0:r0=1 /\\ 1:r0=0 /\\ 3:r0=0 /\\ x[2]=0)");
    assert_true(test->threads[1].registers[1].numbered);
    struct litmus_test *expanded = litmus_expand(test);
    assert_non_null(expanded);
    assert_int_equal(expanded->body_count, 4);
    assert_int_equal(expanded->thread_count, 4);
    for (unsigned i = 1; i < 4; i++) {
        const struct litmus_thread *thread = &expanded->threads[i];
        assert_int_equal(thread->first, i);
        assert_int_equal(thread->count, 1);
        assert_int_equal(thread->placement.work_group, 1);
        assert_int_equal(thread->registers[0].initial, 9);
        assert_int_equal(thread->registers[1].initial, i - 1);
        assert_false(thread->registers[1].numbered);
    }
    static const int bodies[] = {0, 1, 3, LITMUS_NONE};
    assert_int_equal(expanded->variable_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(expanded->variables[i].body, bodies[i]);
    litmus_release(expanded);
    litmus_release(test);
    test = parse("PTX T\n{ x=0; }\n P0..P3@cta 0,gpu 0 ;\n st.weak x, 1 ;\nexists (x=0)");
    assert_null(litmus_expand(test));
    litmus_release(test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_have_words_and_places),
        cmocka_unit_test(lanes_keep_their_order),
        cmocka_unit_test(caches_are_kept),
        cmocka_unit_test(vectors_of_opencl_say_how_they_are_aligned),
        cmocka_unit_test(numbered_ranges_become_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
