// SPDX-License-Identifier: Apache-2.0
/* Protects the structure of PTX's asynchronous instructions for other rooms: every member that the text sets, and
 * different hashes for tests that differ in one word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/language/walk.h"
#include "tests/litmus/round_trip.h"

/* The only statement of a body whose cluster has two work-groups; d and n lie in the other one. */
static const struct litmus_statement *ptx(const char *cell, struct litmus_test **test)
{
    struct text text = {0};
    struct error error = {0};
    text_add(&text,
             "PTX T\n{ x=0; shared s=0; mbarrier m=2; uint y[4]; shared uint t[4]; shared d@cta 1=0; shared uint e@cta "
             "1[4]; mbarrier n@cta 1=1; P0:r0=0; }\n P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n %s | ;\n"
             "exists (x=0)",
             cell);
    if (litmus_parse("test", text_string(&text), text.size, test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_release(&text);
    assert_int_equal((*test)->threads[0].body.count, 1);
    return &(*test)->threads[0].body.statements[0];
}

static const char *named(const struct litmus_test *test, const struct litmus_expression *address)
{
    return address ? test->locations[address->index].name : "";
}

#define NOTIFIES "mbarrier::complete_tx::bytes"

static const struct {
    const char *cell, *to, *from, *mbarrier;
    struct litmus_copy copy;
} copies[] = {
    {"cp.async.ca.shared.global [s], [x], 4",
     "s",
     "x",
     "",
     {.operation = LITMUS_STORE, .type = LITMUS_INT, .bytes = 4}},
    {"cp.async.ca.shared.global [t], [y], 8",
     "t",
     "y",
     "",
     {.operation = LITMUS_STORE, .type = LITMUS_UINT, .bytes = 8}},
    {"cp.async.cg.shared.global [t], [y], 16",
     "t",
     "y",
     "",
     {.operation = LITMUS_STORE, .type = LITMUS_UINT, .bytes = 16, .through_l2 = true}},
    {"cp.async.bulk.shared::cta.global." NOTIFIES " [s], [x], 16, [m]",
     "s",
     "x",
     "m",
     {.bulk = true, .operation = LITMUS_STORE, .type = LITMUS_INT, .bytes = 16}},
    {"cp.async.bulk.shared::cluster.global." NOTIFIES " [d], [x], 16, [n]",
     "d",
     "x",
     "n",
     {.bulk = true, .operation = LITMUS_STORE, .type = LITMUS_INT, .bytes = 16, .cluster = true}},
    {"cp.async.bulk.global.shared::cta.bulk_group [x], [s], 16",
     "x",
     "s",
     "",
     {.bulk = true, .operation = LITMUS_STORE, .type = LITMUS_INT, .bytes = 16}},
    {"cp.async.bulk.shared::cluster.shared::cta." NOTIFIES " [d], [s], 16, [n]",
     "d",
     "s",
     "n",
     {.bulk = true, .operation = LITMUS_STORE, .type = LITMUS_INT, .bytes = 16, .cluster = true}},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [x], [s], 16",
     "x",
     "s",
     "",
     {.bulk = true,
      .operation = LITMUS_FETCH_MIN,
      .type = LITMUS_INT,
      .order = LITMUS_RELAXED,
      .scope = LITMUS_DEVICE,
      .bytes = 16}},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta." NOTIFIES ".inc [e], [t], 16, [n]",
     "e",
     "t",
     "n",
     {.bulk = true,
      .operation = LITMUS_FETCH_INC,
      .type = LITMUS_UINT,
      .order = LITMUS_RELAXED,
      .scope = LITMUS_DEVICE,
      .bytes = 16,
      .cluster = true}},
    {"st.async.weak.shared::cluster." NOTIFIES ".u32 [d], 1, [n]",
     "d",
     "",
     "n",
     {.operation = LITMUS_STORE, .type = LITMUS_UINT, .cluster = true}},
    {"red.async.relaxed.cluster.shared::cluster." NOTIFIES ".xor.b32 [d], 1, [n]",
     "d",
     "",
     "n",
     {.operation = LITMUS_FETCH_XOR,
      .type = LITMUS_INT,
      .order = LITMUS_RELAXED,
      .scope = LITMUS_CLUSTER,
      .cluster = true}},
    {"st.async.release.gpu.global.u32 [y], 1",
     "y",
     "",
     "",
     {.operation = LITMUS_STORE, .type = LITMUS_UINT, .order = LITMUS_RELEASE, .scope = LITMUS_DEVICE}},
    {"red.async.release.sys.add.s32 [x], 1",
     "x",
     "",
     "",
     {.operation = LITMUS_FETCH_ADD, .type = LITMUS_INT, .order = LITMUS_RELEASE, .scope = LITMUS_ALL_DEVICES}},
};

static void copies_keep_their_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        struct litmus_test *test;
        const struct litmus_statement *statement = ptx(copies[i].cell, &test);
        const struct litmus_copy *found = &statement->copy, *wanted = &copies[i].copy;
        assert_int_equal(statement->kind, LITMUS_COPY);
        assert_string_equal(named(test, found->to), copies[i].to);
        assert_string_equal(named(test, found->from), copies[i].from);
        assert_string_equal(named(test, found->mbarrier), copies[i].mbarrier);
        assert_int_equal(found->value != NULL, found->from == NULL);
        assert_int_equal(found->bulk, wanted->bulk);
        assert_int_equal(found->operation, wanted->operation);
        assert_int_equal(found->type, wanted->type);
        assert_int_equal(found->order, wanted->order);
        assert_int_equal(found->scope, wanted->scope);
        assert_int_equal(found->bytes, wanted->bytes);
        assert_int_equal(found->cluster, wanted->cluster);
        assert_int_equal(found->through_l2, wanted->through_l2);
        litmus_release(test);
    }
}

/* A search for the names in a test finds a copy's. */
static void a_walk_comes_to_all_that_a_copy_names(void **state)
{
    static const struct {
        const char *cell, *names;
    } rows[] = {
        {"cp.async.bulk.shared::cta.global." NOTIFIES " [s], [x], 16, [m]", "s x m "},
        {"st.async.weak.shared::cluster." NOTIFIES ".u32 [d], r0, [n]", "d r0 n "},
        {"cp.async.mbarrier.arrive.shared.b64 [m]", "m "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test;
        const struct litmus_statement *statement = ptx(rows[i].cell, &test);
        struct text names = {0};
        for (struct litmus_walk walk = litmus_walk_statement(statement); litmus_walk_next(&walk);)
            if (walk.expression && walk.expression->kind == LITMUS_EXPRESSION_ADDRESS)
                text_add(&names, "%s ", test->locations[walk.expression->index].name);
            else if (walk.expression)
                text_add(&names, "%s ", test->threads[0].registers[walk.expression->index].name);
        assert_string_equal(text_string(&names), rows[i].names);
        text_release(&names);
        litmus_release(test);
    }
}

static const struct {
    const char *cell, *mbarrier;
    struct litmus_group group;
} groups[] = {
    {"cp.async.commit_group", "", {.action = LITMUS_GROUP_COMMIT}},
    {"cp.async.wait_group 2", "", {.action = LITMUS_GROUP_WAIT, .pending = 2}},
    {"cp.async.wait_all", "", {.action = LITMUS_GROUP_WAIT_ALL}},
    {"cp.async.bulk.commit_group", "", {.action = LITMUS_GROUP_COMMIT, .bulk = true}},
    {"cp.async.bulk.wait_group 0", "", {.action = LITMUS_GROUP_WAIT, .bulk = true}},
    {"cp.async.bulk.wait_group.read 1", "", {.action = LITMUS_GROUP_WAIT, .bulk = true, .pending = 1, .read = true}},
    {"wgmma.fence.sync.aligned", "", {.action = LITMUS_GROUP_FENCE, .matrix = true}},
    {"wgmma.commit_group.sync.aligned", "", {.action = LITMUS_GROUP_COMMIT, .matrix = true}},
    {"wgmma.wait_group.sync.aligned 3", "", {.action = LITMUS_GROUP_WAIT, .matrix = true, .pending = 3}},
    {"cp.async.mbarrier.arrive.shared.b64 [m]", "m", {.action = LITMUS_GROUP_ARRIVE}},
    {"cp.async.mbarrier.arrive.noinc.shared.b64 [m]", "m", {.action = LITMUS_GROUP_ARRIVE, .no_increment = true}},
};

static void groups_keep_their_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        struct litmus_test *test;
        const struct litmus_statement *statement = ptx(groups[i].cell, &test);
        const struct litmus_group *found = &statement->group, *wanted = &groups[i].group;
        assert_int_equal(statement->kind, LITMUS_GROUP);
        assert_string_equal(named(test, found->mbarrier), groups[i].mbarrier);
        assert_int_equal(found->action, wanted->action);
        assert_int_equal(found->bulk, wanted->bulk);
        assert_int_equal(found->matrix, wanted->matrix);
        assert_int_equal(found->pending, wanted->pending);
        assert_int_equal(found->read, wanted->read);
        assert_int_equal(found->no_increment, wanted->no_increment);
        litmus_release(test);
    }
}

static const struct {
    const char *cell;
    enum litmus_operation operation;
    enum litmus_order order;
    enum litmus_scope scope;
    int64_t operand;
} operations[] = {
    {"mbarrier.arrive.shared.b64 _, [m]", LITMUS_ARRIVE, LITMUS_RELEASE, LITMUS_WORK_GROUP, 1},
    {"mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [n], 3", LITMUS_ARRIVE, LITMUS_RELAXED, LITMUS_CLUSTER, 3},
    {"mbarrier.arrive.expect_tx.shared.b64 _, [m], 16", LITMUS_ARRIVE_EXPECT_TX, LITMUS_RELEASE, LITMUS_WORK_GROUP, 16},
    {"mbarrier.expect_tx.relaxed.cluster.shared.b64 [m], 32", LITMUS_EXPECT_TX, LITMUS_RELAXED, LITMUS_CLUSTER, 32},
    {"mbarrier.complete_tx.shared.b64 [m], 16", LITMUS_COMPLETE_TX, LITMUS_RELAXED, LITMUS_WORK_GROUP, 16},
    {"mbarrier.init.b64 [m], 2", LITMUS_MBARRIER_INIT, LITMUS_PLAIN, LITMUS_SCOPE_NONE, 2},
    {"mbarrier.test_wait.parity.shared.b64 r0, [m], 0", LITMUS_TEST_WAIT, LITMUS_ACQUIRE, LITMUS_WORK_GROUP, 0},
    {"mbarrier.try_wait.parity.relaxed.cluster.b64 r0, [m], 1", LITMUS_TRY_WAIT, LITMUS_RELAXED, LITMUS_CLUSTER, 1},
};

static void operations_of_mbarriers_keep_their_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        struct litmus_test *test;
        const struct litmus_statement *statement = ptx(operations[i].cell, &test);
        const struct litmus_access *access = statement->value->access;
        const bool waits = operations[i].operation == LITMUS_TEST_WAIT || operations[i].operation == LITMUS_TRY_WAIT;
        assert_int_equal(statement->kind, waits ? LITMUS_ASSIGN : LITMUS_PERFORM);
        assert_int_equal(access->operation, operations[i].operation);
        assert_int_equal(access->type, LITMUS_MBARRIER);
        assert_int_equal(access->order, operations[i].order);
        assert_int_equal(access->scope, operations[i].scope);
        assert_int_equal(access->operand->value, operations[i].operand);
        assert_int_equal(access->no_result, !waits);
        assert_int_equal(test->threads[0].registers[0].type, LITMUS_INT); /* 1 or 0, whatever the mbarrier holds */
        litmus_release(test);
    }
}

static void proxy_fences_know_their_memory(void **state)
{
    static const struct {
        const char *cell;
        bool global, local, cluster;
    } rows[] = {
        {"fence.proxy.async", true, true, false},
        {"fence.proxy.async.global", true, false, false},
        {"fence.proxy.async.shared::cta", false, true, false},
        {"fence.proxy.async.shared::cluster", false, true, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test;
        const struct litmus_fence *fence = &ptx(rows[i].cell, &test)->fence;
        assert_int_equal(fence->proxy, LITMUS_ASYNC);
        assert_int_equal(fence->flag_global, rows[i].global);
        assert_int_equal(fence->flag_local, rows[i].local);
        assert_int_equal(fence->cluster, rows[i].cluster);
        litmus_release(test);
    }
}

static struct litmus_test *parse(const char *text)
{
    struct litmus_test *test;
    struct error error = {0};
    if (litmus_parse("test", text, strlen(text), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return test;
}

static void barriers_of_clusters_have_two_halves(void **state)
{
    struct litmus_test *test = parse("PTX T\n{ x; }\n P0;\n barrier.cluster.arrive;\n barrier.cluster.wait;\n"
                                     "barrier.cluster.arrive.relaxed;\n barrier.cluster.wait;\nexists x=0");
    const struct litmus_statement *statements = test->threads[0].body.statements;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const struct litmus_barrier *barrier = &statements[i].barrier;
        assert_int_equal(statements[i].kind, LITMUS_BARRIER);
        assert_int_equal(barrier->scope, LITMUS_CLUSTER);
        assert_int_equal(barrier->arrive, i % 2 == 0);
        assert_int_equal(barrier->wait, i % 2 == 1);
        assert_int_equal(barrier->relaxed, i == 2);
    }
    litmus_release(test);
}

static void locations_say_whose_memory_they_lie_in(void **state)
{
    struct litmus_test *test;
    (void)state;
    (void)ptx("cp.async.wait_all", &test);
    static const struct {
        const char *name;
        enum litmus_region region;
        enum litmus_type type;
        int home;
        int64_t initial;
    } rows[] = {
        {"x", LITMUS_GLOBAL, LITMUS_INT, LITMUS_NONE, 0},
        {"s", LITMUS_LOCAL, LITMUS_INT, LITMUS_NONE, 0},
        {"m", LITMUS_LOCAL, LITMUS_MBARRIER, LITMUS_NONE, 2},
        {"y", LITMUS_GLOBAL, LITMUS_UINT, LITMUS_NONE, 0},
        {"t", LITMUS_LOCAL, LITMUS_UINT, LITMUS_NONE, 0},
        {"d", LITMUS_LOCAL, LITMUS_INT, 1, 0},
        {"e", LITMUS_LOCAL, LITMUS_UINT, 1, 0},
        {"n", LITMUS_LOCAL, LITMUS_MBARRIER, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(test->locations[i].name, rows[i].name);
        assert_int_equal(test->locations[i].region, rows[i].region);
        assert_int_equal(test->locations[i].type, rows[i].type);
        assert_int_equal(test->locations[i].home, rows[i].home);
        assert_int_equal(test->locations[i].initial[0], rows[i].initial);
    }
    litmus_release(test);
}

/* A location that nobody declared has the type that a copy or a reduction gives it. */
static void copies_give_types(void **state)
{
    struct litmus_test *test =
        parse("PTX T\n{ }\n P0;\n cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [x], "
              "[s], 16;\n cp.async.ca.shared.global [t], [y], 4;\nexists x=0");
    (void)state;
    static const enum litmus_type types[] = {LITMUS_ULONG, LITMUS_ULONG, LITMUS_INT, LITMUS_INT};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(test->locations[i].type, types[i]);
    assert_int_equal(test->threads[0].body.statements[1].copy.type, LITMUS_INT);
    litmus_release(test);
}

/* A test without a condition shows everything that has a value to show: no mbarrier. */
static void mbarriers_are_not_observed(void **state)
{
    struct litmus_test *test = parse("PTX T\n{ x=0; mbarrier m=1; }\n P0;\n mbarrier.arrive.shared.b64 _, [m];\n");
    (void)state;
    assert_int_equal(test->variable_count, 1);
    assert_string_equal(test->locations[test->variables[0].index].name, "x");
    litmus_release(test);
}

/* Everything in a test is in its hash: no two of these are the same test. */
static void each_word_is_in_the_hash(void **state)
{
    enum { COPIES = sizeof copies / sizeof *copies, GROUPS = sizeof groups / sizeof *groups, ALL = COPIES + GROUPS };
    char hashes[ALL][65];
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        struct litmus_test *test;
        (void)ptx(i < COPIES ? copies[i].cell : groups[i - COPIES].cell, &test);
        litmus_hash(test, hashes[i]);
        litmus_release(test);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(hashes[i], hashes[k]);
    }
}

static void homes_are_in_the_hash(void **state)
{
    static const char *const declarations[] = {"shared s=0",   "s=0",          "shared s@cta 0=0",  "shared s@cta 1=0",
                                               "mbarrier s=1", "mbarrier s=2", "mbarrier s@cta 0=1"};
    enum { COUNT = sizeof declarations / sizeof *declarations };
    char hashes[COUNT][65];
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        struct text text = {0};
        text_add(&text, "PTX T\n{ x=0; %s; }\n P0;\n st.weak x, 1;\nexists x=0", declarations[i]);
        struct litmus_test *test = parse(text_string(&text));
        litmus_hash(test, hashes[i]);
        litmus_release(test);
        text_release(&text);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(hashes[i], hashes[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_keep_their_words),
        cmocka_unit_test(a_walk_comes_to_all_that_a_copy_names),
        cmocka_unit_test(groups_keep_their_words),
        cmocka_unit_test(operations_of_mbarriers_keep_their_words),
        cmocka_unit_test(proxy_fences_know_their_memory),
        cmocka_unit_test(barriers_of_clusters_have_two_halves),
        cmocka_unit_test(locations_say_whose_memory_they_lie_in),
        cmocka_unit_test(copies_give_types),
        cmocka_unit_test(mbarriers_are_not_observed),
        cmocka_unit_test(each_word_is_in_the_hash),
        cmocka_unit_test(homes_are_in_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
