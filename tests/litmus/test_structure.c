// SPDX-License-Identifier: Apache-2.0
/* Protects the structure that other rooms use: all that the parser fills in, including defaults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/litmus/round_trip.h"

static struct litmus_test *parse(const char *text)
{
    struct litmus_test *test;
    struct error error = {0};
    if (litmus_parse("test", text, strlen(text), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return test;
}

static void assert_placed(const struct litmus_thread *thread, int sub_group, int work_group, int cluster, int device)
{
    assert_int_equal(thread->placement.sub_group, sub_group);
    assert_int_equal(thread->placement.work_group, work_group);
    assert_int_equal(thread->placement.cluster, cluster);
    assert_int_equal(thread->placement.device, device);
    assert_false(thread->placement.host);
}

/* The only statement of an OPENCL body over an atomic x and a plain y, and the test that owns it. */
static const struct litmus_statement *opencl(const char *body, struct litmus_test **test)
{
    struct text text = {0};
    text_add(&text, "OPENCL T\n{ 0:r0=0; }\nP0 (global atomic_int* x, local int* y) {\n  %s\n}\nexists (x=0)", body);
    *test = parse(text_string(&text));
    text_release(&text);
    assert_int_equal((*test)->threads[0].body.count, 1);
    return &(*test)->threads[0].body.statements[0];
}

static const struct litmus_statement *ptx(const char *cell, struct litmus_test **test)
{
    struct text text = {0};
    text_add(&text, "PTX T\n{ x=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n  %s ;\nexists (x=0)", cell);
    *test = parse(text_string(&text));
    text_release(&text);
    assert_int_equal((*test)->threads[0].body.count, 1);
    return &(*test)->threads[0].body.statements[0];
}

static void opencl_accesses_have_defaults(void **state)
{
    static const struct {
        const char *body;
        enum litmus_operation operation;
        enum litmus_order order, failure;
        enum litmus_scope scope;
        bool explicit_order, explicit_scope;
    } rows[] = {
        {"atomic_store(x, 1);", LITMUS_STORE, LITMUS_SEQ_CST, LITMUS_SEQ_CST, LITMUS_DEVICE, false, false},
        {"r0 = atomic_load_explicit(x, memory_order_acquire);", LITMUS_LOAD, LITMUS_ACQUIRE, LITMUS_ACQUIRE,
         LITMUS_DEVICE, true, false},
        {"r0 = atomic_load_explicit(x, mo_rlx, s_wg);", LITMUS_LOAD, LITMUS_RELAXED, LITMUS_RELAXED, LITMUS_WORK_GROUP,
         true, true},
        {"r0 = *y;", LITMUS_LOAD, LITMUS_PLAIN, LITMUS_PLAIN, LITMUS_SCOPE_NONE, false, false},
        {"*x = 1;", LITMUS_STORE, LITMUS_PLAIN, LITMUS_PLAIN, LITMUS_SCOPE_NONE, false, false},
        {"r0 = atomic_compare_exchange_weak(x, &r0, 1);", LITMUS_CAS_WEAK, LITMUS_SEQ_CST, LITMUS_SEQ_CST,
         LITMUS_DEVICE, false, false},
        {"r0 = atomic_compare_exchange_strong_explicit(x, y, 1, memory_order_acq_rel, memory_order_relaxed, "
         "memory_scope_sub_group);",
         LITMUS_CAS, LITMUS_ACQ_REL, LITMUS_RELAXED, LITMUS_SUB_GROUP, true, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test;
        const struct litmus_access *access = opencl(rows[i].body, &test)->value->access;
        assert_non_null(access);
        assert_int_equal(access->operation, rows[i].operation);
        assert_int_equal(access->order, rows[i].order);
        assert_int_equal(access->failure, rows[i].failure);
        assert_int_equal(access->scope, rows[i].scope);
        assert_int_equal(access->spelling.explicit_order, rows[i].explicit_order);
        assert_int_equal(access->spelling.explicit_scope, rows[i].explicit_scope);
        assert_int_equal(access->proxy, LITMUS_GENERIC);
        litmus_release(test);
    }
}

static void ptx_accesses_have_defaults(void **state)
{
    static const struct {
        const char *cell;
        enum litmus_operation operation;
        enum litmus_order order;
        enum litmus_scope scope;
        enum litmus_type type;
        bool no_result;
    } rows[] = {
        {"st x, 1", LITMUS_STORE, LITMUS_PLAIN, LITMUS_SCOPE_NONE, LITMUS_INT, false},
        {"ld.weak.u32 r0, x", LITMUS_LOAD, LITMUS_PLAIN, LITMUS_SCOPE_NONE, LITMUS_UINT, false},
        {"ld r0, x", LITMUS_LOAD, LITMUS_PLAIN, LITMUS_SCOPE_NONE, LITMUS_INT, false},
        {"ld.volatile r0, x", LITMUS_LOAD, LITMUS_VOLATILE, LITMUS_ALL_DEVICES, LITMUS_INT, false},
        {"ld.acquire.cluster.s64 r0, x", LITMUS_LOAD, LITMUS_ACQUIRE, LITMUS_CLUSTER, LITMUS_LONG, false},
        {"atom.add.b64 r0, x, 1", LITMUS_FETCH_ADD, LITMUS_RELAXED, LITMUS_DEVICE, LITMUS_LONG, false},
        {"red.release.sys.max.u64 x, r0", LITMUS_FETCH_MAX, LITMUS_RELEASE, LITMUS_ALL_DEVICES, LITMUS_ULONG, true},
        {"atom.acq_rel.cta.cas r0, x, 0, 1", LITMUS_CAS, LITMUS_ACQ_REL, LITMUS_WORK_GROUP, LITMUS_INT, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test;
        const struct litmus_access *access = ptx(rows[i].cell, &test)->value->access;
        assert_non_null(access);
        assert_int_equal(access->operation, rows[i].operation);
        assert_int_equal(access->order, rows[i].order);
        assert_int_equal(access->scope, rows[i].scope);
        assert_int_equal(access->type, rows[i].type);
        assert_int_equal(access->no_result, rows[i].no_result);
        assert_int_equal(access->expected != NULL, rows[i].operation == LITMUS_CAS);
        assert_int_equal(test->locations[0].type, rows[i].type);
        assert_int_equal(test->threads[0].registers[0].type,
                         rows[i].operation == LITMUS_STORE ? LITMUS_INT : rows[i].type);
        litmus_release(test);
    }
}

/* The only statement of a CUDA body over x, a volatile y and an array a. */
static const struct litmus_statement *cuda(const char *body, struct litmus_test **test)
{
    struct text text = {0};
    text_add(&text,
             "CUDA T\n{ 0:r0=0; int a[2]; }\nP0@cta 0, gpu 0 (int* x, volatile int* y, __shared__ int* a) {\n  %s\n}\n"
             "exists (x=0)",
             body);
    *test = parse(text_string(&text));
    text_release(&text);
    assert_int_equal((*test)->threads[0].body.count, 1);
    return &(*test)->threads[0].body.statements[0];
}

#define REF "cuda::atomic_ref<int>(*x)."

static void cuda_accesses_have_defaults(void **state)
{
    static const struct {
        const char *body;
        enum litmus_operation operation;
        enum litmus_order order, failure;
        enum litmus_scope scope;
        bool value; /* is the expected value an expression */
    } rows[] = {
        {"r0 = *x;", LITMUS_LOAD, LITMUS_PLAIN, LITMUS_PLAIN, LITMUS_SCOPE_NONE, false},
        {"*y = 1;", LITMUS_STORE, LITMUS_VOLATILE, LITMUS_VOLATILE, LITMUS_ALL_DEVICES, false},
        {"*(volatile int*)x = 1;", LITMUS_STORE, LITMUS_VOLATILE, LITMUS_VOLATILE, LITMUS_ALL_DEVICES, false},
        {"r0 = y[0];", LITMUS_LOAD, LITMUS_VOLATILE, LITMUS_VOLATILE, LITMUS_ALL_DEVICES, false},
        {"atomicAdd(y, 1);", LITMUS_FETCH_ADD, LITMUS_RELAXED, LITMUS_RELAXED, LITMUS_DEVICE, false},
        {"atomicSub_block(x, 1);", LITMUS_FETCH_SUB, LITMUS_RELAXED, LITMUS_RELAXED, LITMUS_WORK_GROUP, false},
        {"atomicCAS_system(x, 0, 1);", LITMUS_CAS, LITMUS_RELAXED, LITMUS_RELAXED, LITMUS_ALL_DEVICES, true},
        {REF "store(1);", LITMUS_STORE, LITMUS_SEQ_CST, LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, false},
        {"cuda::atomic_ref<int, cuda::thread_scope_cluster>(a[1]).load(cuda::memory_order_acquire);", LITMUS_LOAD,
         LITMUS_ACQUIRE, LITMUS_ACQUIRE, LITMUS_CLUSTER, false},
        {REF "compare_exchange_strong(r0, 1);", LITMUS_CAS, LITMUS_SEQ_CST, LITMUS_SEQ_CST, LITMUS_ALL_DEVICES, false},
        {REF "compare_exchange_weak(r0, 1, cuda::memory_order_acq_rel);", LITMUS_CAS_WEAK, LITMUS_ACQ_REL,
         LITMUS_ACQUIRE, LITMUS_ALL_DEVICES, false},
        {REF "compare_exchange_weak(*a, 1, cuda::memory_order_release);", LITMUS_CAS_WEAK, LITMUS_RELEASE,
         LITMUS_RELAXED, LITMUS_ALL_DEVICES, false},
        {REF "compare_exchange_weak(r0, 1, cuda::memory_order_relaxed, cuda::memory_order_acquire);", LITMUS_CAS_WEAK,
         LITMUS_RELAXED, LITMUS_ACQUIRE, LITMUS_ALL_DEVICES, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test;
        const struct litmus_access *access = cuda(rows[i].body, &test)->value->access;
        assert_non_null(access);
        assert_int_equal(access->operation, rows[i].operation);
        assert_int_equal(access->order, rows[i].order);
        assert_int_equal(access->failure, rows[i].failure);
        assert_int_equal(access->scope, rows[i].scope);
        assert_int_equal(access->expected != NULL, rows[i].value);
        assert_false(access->spelling.explicit_order || access->spelling.explicit_scope);
        assert_false(test->locations[2].is_volatile || test->locations[2].atomic);
        assert_int_equal(test->locations[0].region, LITMUS_LOCAL); /* a, which the initial state names */
        litmus_release(test);
    }
}

static void cuda_fences_and_barriers_have_an_order_and_a_scope(void **state)
{
    static const struct {
        const char *body;
        enum litmus_statement_kind kind;
        enum litmus_order order;
        enum litmus_scope scope;
    } rows[] = {
        {"__threadfence();", LITMUS_FENCE, LITMUS_SEQ_CST, LITMUS_DEVICE},
        {"__threadfence_block();", LITMUS_FENCE, LITMUS_SEQ_CST, LITMUS_WORK_GROUP},
        {"__threadfence_system();", LITMUS_FENCE, LITMUS_SEQ_CST, LITMUS_ALL_DEVICES},
        {"cuda::atomic_thread_fence(cuda::memory_order_release);", LITMUS_FENCE, LITMUS_RELEASE, LITMUS_ALL_DEVICES},
        {"cuda::atomic_thread_fence(cuda::std::memory_order_acquire, cuda::thread_scope_thread);", LITMUS_FENCE,
         LITMUS_ACQUIRE, LITMUS_WORK_ITEM},
        {"__syncthreads();", LITMUS_BARRIER, LITMUS_PLAIN, LITMUS_WORK_GROUP},
        {"L: __syncwarp();", LITMUS_BARRIER, LITMUS_PLAIN, LITMUS_SUB_GROUP},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test;
        const struct litmus_statement *statement = cuda(rows[i].body, &test);
        const bool fence = rows[i].kind == LITMUS_FENCE;
        assert_int_equal(statement->kind, rows[i].kind);
        assert_int_equal(fence ? statement->fence.scope : statement->barrier.scope, rows[i].scope);
        if (fence)
            assert_int_equal(statement->fence.order, rows[i].order);
        else
            assert_int_equal(statement->barrier.instance != NULL, rows[i].body[0] == 'L');
        litmus_release(test);
    }
}

static void c_threads_are_work_groups_of_one_device(void **state)
{
    struct litmus_test *test =
        parse("C T\n{ }\nP1 (atomic_int* x) { atomic_store(x, 1); }\n"
              "P0 (atomic_int* x, volatile int* y) { atomic_thread_fence(memory_order_seq_cst);\n"
              " *y = atomic_load_explicit(x, memory_order_relaxed); }\nexists x=0");
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_placed(&test->threads[i], LITMUS_NONE, i, LITMUS_NONE, 0);
    const struct litmus_access *store = test->threads[1].body.statements[0].value->access;
    assert_int_equal(store->order, LITMUS_SEQ_CST);
    assert_int_equal(store->scope, LITMUS_DEVICE);
    assert_false(store->spelling.explicit_order || store->spelling.explicit_scope);
    const struct litmus_fence *fence = &test->threads[0].body.statements[0].fence;
    assert_int_equal(fence->scope, LITMUS_DEVICE);
    assert_false(fence->flag_global || fence->flag_local);
    assert_true(test->locations[0].atomic && test->locations[1].is_volatile);
    assert_int_equal(test->threads[0].body.statements[1].value->access->order, LITMUS_PLAIN);
    litmus_release(test);
}

static void a_plain_ld_moves_or_loads_by_its_operand(void **state)
{
    struct litmus_test *test;
    (void)state;
    assert_int_equal(ptx("ld r1, r0", &test)->value->kind, LITMUS_EXPRESSION_REGISTER);
    litmus_release(test);
    assert_int_equal(ptx("ld r1, -1", &test)->value->kind, LITMUS_EXPRESSION_CONSTANT);
    litmus_release(test);
    assert_int_equal(ptx("ld r1, [r0]", &test)->value->access->address->kind, LITMUS_EXPRESSION_REGISTER);
    litmus_release(test);
    assert_int_equal(ptx("ld r1, y", &test)->value->access->address->kind, LITMUS_EXPRESSION_ADDRESS);
    assert_int_equal(test->location_count, 2);
    litmus_release(test);
}

static void the_expected_value_of_a_cas_lies_in_one_place(void **state)
{
    struct litmus_test *test;
    (void)state;
    const struct litmus_access *access = opencl("atomic_compare_exchange_strong(x, &r0, 1);", &test)->value->access;
    assert_int_equal(access->expected_register, 0);
    assert_null(access->expected_address);
    litmus_release(test);
    access = opencl("atomic_compare_exchange_strong(x, y, 1);", &test)->value->access;
    assert_int_equal(access->expected_register, LITMUS_NONE);
    assert_int_equal(access->expected_address->index, 1);
    litmus_release(test);
}

static void element_zero_has_no_index(void **state)
{
    static const char *const bodies[] = {"*y = 1;", "y[0] = 1;", "*(y + 0) = 1;", "*((y)) = 1;"};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct litmus_test *test;
        assert_null(opencl(bodies[i], &test)->value->access->address->left);
        litmus_release(test);
    }
    struct litmus_test *test;
    const struct litmus_expression *address = opencl("*(y + r0) = 1;", &test)->value->access->address;
    assert_int_equal(address->left->kind, LITMUS_EXPRESSION_REGISTER);
    litmus_release(test);
}

static void fences_and_barriers_keep_their_words(void **state)
{
    struct litmus_test *test;
    (void)state;
    const struct litmus_statement *statement =
        opencl("atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, mo_acq, s_all);", &test);
    assert_int_equal(statement->fence.order, LITMUS_ACQUIRE);
    assert_int_equal(statement->fence.scope, LITMUS_ALL_DEVICES);
    assert_true(statement->fence.flag_local && !statement->fence.flag_global);
    litmus_release(test);
    statement = opencl("L: work_group_barrier(CLK_GLOBAL_MEM_FENCE);", &test);
    assert_string_equal(statement->barrier.instance, "L");
    assert_int_equal(statement->barrier.scope, LITMUS_WORK_GROUP);
    assert_true(statement->barrier.flag_global && !statement->barrier.flag_local);
    litmus_release(test);
    statement = ptx("bar.cta.arrive 3, r0, 64", &test);
    assert_true(statement->barrier.arrive);
    assert_string_equal(statement->barrier.instance, "3");
    assert_int_equal(statement->barrier.resource->kind, LITMUS_EXPRESSION_REGISTER);
    assert_int_equal(statement->barrier.quorum->value, 64);
    litmus_release(test);
    statement = ptx("membar.gl", &test);
    assert_int_equal(statement->fence.order, LITMUS_SEQ_CST);
    assert_int_equal(statement->fence.scope, LITMUS_DEVICE);
    litmus_release(test);
    statement = ptx("fence.proxy.alias", &test);
    assert_int_equal(statement->fence.proxy, LITMUS_ALIAS);
    litmus_release(test);
}

static void expressions_bind_as_in_c(void **state)
{
    struct litmus_test *test;
    (void)state;
    const struct litmus_expression *value = opencl("r0 = 1 + 2 * 3 == 7 && 1 << 2 - 1;", &test)->value;
    assert_int_equal(value->op, LITMUS_LOGICAL_AND);
    assert_int_equal(value->left->op, LITMUS_EQ);
    assert_int_equal(value->left->left->op, LITMUS_ADD);
    assert_int_equal(value->left->left->right->op, LITMUS_MUL);
    assert_int_equal(value->right->op, LITMUS_SHL);
    assert_int_equal(value->right->right->op, LITMUS_SUB);
    litmus_release(test);
    value = opencl("r0 = 8 - 4 - 2;", &test)->value;
    assert_int_equal(value->left->op, LITMUS_SUB);
    assert_int_equal(value->right->value, 2);
    litmus_release(test);
    value = opencl("r0 = -5;", &test)->value;
    assert_int_equal(value->kind, LITMUS_EXPRESSION_CONSTANT);
    assert_int_equal(value->value, -5);
    litmus_release(test);
}

static void placements_come_from_lines_and_trees(void **state)
{
    struct litmus_test *test = parse(
        "OPENCL T\n{ }\nP0 () { }\nP1 () { }\nP2 () { }\nP3 () { }\n"
        "scopeTree (device (kernel (cta (warp P0) (warp P1)) (cta P2))) (device (work_group P3))\nlocations [ ]\nexists true");
    (void)state;
    assert_placed(&test->threads[0], 0, 0, LITMUS_NONE, 0);
    assert_placed(&test->threads[1], 1, 0, LITMUS_NONE, 0);
    assert_placed(&test->threads[2], LITMUS_NONE, 1, LITMUS_NONE, 0);
    assert_placed(&test->threads[3], LITMUS_NONE, 0, LITMUS_NONE, 1);
    litmus_release(test);
    test = parse("PTX T\n{ x; }\n P2..P9@warp 1, cta 2,cluster 3,gpu 4 | P0..P1 ;\n st x, 1 | ;\nexists x=0");
    assert_int_equal(test->thread_count, 10);
    assert_int_equal(test->body_count, 2);
    assert_int_equal(test->threads[1].first, 2);
    assert_int_equal(test->threads[1].count, 8);
    assert_placed(&test->threads[0], LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, LITMUS_NONE);
    assert_placed(&test->threads[1], 1, 2, 3, 4);
    litmus_release(test);
}

static void hosts_are_in_no_device(void **state)
{
    struct litmus_test *test = parse("PTX T\n{ u64 x; }\n P0@host | P1@cta 0,gpu 0 ;\n"
                                     " r0 = atomic_load_explicit(x, memory_order_acquire) | ;\n"
                                     " atomic_thread_fence(memory_order_seq_cst) | ;\n *x = 1 | ;\nexists x=0");
    (void)state;
    const struct litmus_placement *placement = &test->threads[0].placement;
    assert_true(placement->host);
    assert_int_equal(placement->device, LITMUS_NONE);
    assert_int_equal(placement->work_group, LITMUS_NONE);
    assert_placed(&test->threads[1], LITMUS_NONE, 0, LITMUS_NONE, 0);
    const struct litmus_statement *statements = test->threads[0].body.statements;
    assert_int_equal(test->threads[0].body.count, 3);
    assert_int_equal(statements[0].kind, LITMUS_ASSIGN);
    assert_int_equal(statements[0].value->access->operation, LITMUS_LOAD);
    assert_int_equal(statements[0].value->access->order, LITMUS_ACQUIRE);
    assert_int_equal(statements[0].value->access->scope, LITMUS_ALL_DEVICES);
    assert_int_equal(statements[0].value->access->type, LITMUS_ULONG);
    assert_int_equal(test->threads[0].registers[0].type, LITMUS_ULONG);
    assert_int_equal(statements[1].fence.order, LITMUS_SEQ_CST);
    assert_int_equal(statements[1].fence.scope, LITMUS_ALL_DEVICES);
    assert_int_equal(statements[2].value->access->operation, LITMUS_STORE);
    assert_int_equal(statements[2].value->access->order, LITMUS_PLAIN);
    litmus_release(test);
}

static void locations_gather_what_threads_declare(void **state)
{
    struct litmus_test *test = parse("OPENCL T\n{ x=-1; uint y=-1; p=&q; }\nP0 (local int* x, uint* y) { }\n"
                                     "P1 (volatile local atomic_int* x, global atomic_long* z) { }\nexists x=0");
    (void)state;
    assert_int_equal(test->location_count, 5);
    assert_true(test->locations[0].atomic && test->locations[0].is_volatile);
    assert_int_equal(test->locations[0].region, LITMUS_LOCAL);
    assert_int_equal(test->locations[0].initial[0], -1);
    assert_int_equal(test->locations[1].type, LITMUS_UINT);
    assert_int_equal(test->locations[1].initial[0], 0xffffffff);
    assert_int_equal(test->locations[1].region, LITMUS_GLOBAL);
    assert_string_equal(test->locations[2].name, "p");
    assert_int_equal(test->locations[2].points_to, 3);
    assert_int_equal(test->locations[2].type, LITMUS_ULONG);
    assert_string_equal(test->locations[4].name, "z");
    assert_int_equal(test->locations[4].type, LITMUS_LONG);
    litmus_release(test);
}

static void an_alias_looks_like_what_it_names(void **state)
{
    struct litmus_test *test = parse(
        "PTX T\n{ t @ texture aliases y; y @ generic aliases x; long x=7; }\n P0 ;\n ld.weak r0, t ;\nexists x=0");
    (void)state;
    assert_int_equal(test->locations[0].alias_of, 1);
    assert_int_equal(test->locations[0].proxy, LITMUS_TEXTURE);
    assert_int_equal(test->locations[0].initial[0], 7);
    assert_int_equal(test->locations[0].type, LITMUS_LONG);
    assert_int_equal(test->locations[1].alias_of, 2);
    assert_int_equal(test->threads[0].registers[0].type, LITMUS_LONG);
    litmus_release(test);
}

static void statements_know_their_places(void **state)
{
    struct litmus_test *test = parse("PTX T\n{ x; }\n P0 | P1 ;\n | ld.weak r0, x ;\nexists x=0");
    (void)state;
    const struct litmus_statement *statement = &test->threads[1].body.statements[0];
    assert_int_equal(statement->place.line, 4);
    assert_int_equal(statement->place.column, 4);
    assert_int_equal(statement->value->access->address->place.column, 16);
    assert_int_equal(test->threads[1].place.column, 7);
    assert_int_equal(test->locations[0].place.line, 2);
    litmus_release(test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opencl_accesses_have_defaults),
        cmocka_unit_test(ptx_accesses_have_defaults),
        cmocka_unit_test(cuda_accesses_have_defaults),
        cmocka_unit_test(cuda_fences_and_barriers_have_an_order_and_a_scope),
        cmocka_unit_test(c_threads_are_work_groups_of_one_device),
        cmocka_unit_test(a_plain_ld_moves_or_loads_by_its_operand),
        cmocka_unit_test(the_expected_value_of_a_cas_lies_in_one_place),
        cmocka_unit_test(element_zero_has_no_index),
        cmocka_unit_test(fences_and_barriers_keep_their_words),
        cmocka_unit_test(expressions_bind_as_in_c),
        cmocka_unit_test(placements_come_from_lines_and_trees),
        cmocka_unit_test(hosts_are_in_no_device),
        cmocka_unit_test(locations_gather_what_threads_declare),
        cmocka_unit_test(an_alias_looks_like_what_it_names),
        cmocka_unit_test(statements_know_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
