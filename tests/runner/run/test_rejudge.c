// SPDX-License-Identifier: Apache-2.0
/* Protects judging again: it judges like a run (also the emitted instructions, and with more iterations of loops until
 * each outcome seen has a verdict), within its time, and only if the model has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/temporary_folder.h"
#include "kernel/target.h"
#include "litmus/litmus.h"
#include "models/models.h"
#include "results/results.h"
#include "runner/run/rejudge.h"

enum { PATH_SIZE = 4096 };

#define must(expression) assert_int_equal(expression, STATUS_OK)
#define OLDER "0000000000000000000000000000000000000000000000000000000000000001"

static const char store_buffering[] = "OPENCL SB\n{ x=0; y=0; }\n"
                                      "P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
                                      "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
                                      "  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);\n"
                                      "}\n"
                                      "P1@wg 1, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
                                      "  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n"
                                      "  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
                                      "}\nexists (0:r0=0 /\\ 1:r0=0)\n";
#define WEAK "0:r0=0; 1:r0=0;"

/* Its third iteration is beyond the default bound. */
static const char counting[] = "OPENCL counting\n{ x=0; }\n"
                               "P0@wg 0, dev 0 (global atomic_int* x) {\n"
                               "  int r0 = 0;\n"
                               "  while (r0 < 4) {\n"
                               "    r0 = r0 + 1;\n"
                               "  }\n"
                               "}\nexists (0:r0=4)\n";

/* It may run forever, and every iteration differs, so every bound cuts the search. */
static const char endless[] = "OPENCL endless\n{ x=0; }\n"
                              "P0@wg 0, dev 0 (global atomic_int* x) {\n"
                              "  int r0 = 0;\n"
                              "  int r1 = 0;\n"
                              "  while (r0 == 0) {\n"
                              "    r1 = r1 + 1;\n"
                              "    r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
                              "  }\n"
                              "}\n"
                              "P1@wg 1, dev 0 (global atomic_int* x) {\n"
                              "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
                              "}\nexists (0:r0=1 /\\ 0:r1=1)\n";

struct place {
    char folder[PATH_SIZE], path[PATH_SIZE + 16];
    struct store *store;
    int64_t run;
    struct error error;
};

static void open_place(struct place *place)
{
    const struct store_run run = {"0.1", "orchil run", "host", "{}", 7, false};
    must(temporary_folder_make("again", place->folder, sizeof place->folder, &place->error));
    (void)snprintf(place->path, sizeof place->path, "%s/results.db", place->folder);
    must(store_open(place->path, STORE_WRITE, &place->store, &place->error));
    must(store_begin_run(place->store, &run, &place->run, &place->error));
}

/* Adds a job that has seen one outcome, as a run would store it. */
static int64_t add_job(struct place *place, const char *text, const char *seen)
{
    struct litmus_test *test;
    struct text printed = {0};
    char hash[65];
    int64_t id = 0;
    must(litmus_parse("test", text, strlen(text), &test, &place->error));
    litmus_print(test, &printed);
    litmus_hash(test, hash);
    const struct store_job job = {
        .run_id = place->run,
        .device = {"simulated", "Device", "Vendor", "u", "arch", true, 4, "", "1.0", "", "{}"},
        .test = {litmus_dialect_name(test->dialect), test->name, hash, text_string(&printed), "exists", ""},
        .environment = {"e0", "{}", "gpu"},
        .key = "0123456789abcdef",
        .controls = ""};
    must(store_begin_job(place->store, &job, &id, &place->error));
    const struct count counts[] = {{seen, 5, true}};
    const struct batch batch = {.draw = "{}", .instances = 5, .liveness = "{}", .outcomes = counts, .outcome_count = 1};
    must(store_add_batches(place->store, id, &batch, 1, &place->error));
    text_release(&printed);
    litmus_release(test);
    return id;
}

static void judge(struct place *place, int64_t job, const char *role, const char *model, const char *hash,
                  const char *seen)
{
    const struct store_verdict verdicts[] = {{seen, VERDICT_FORBIDDEN, "Older"}};
    const struct store_judgement judgement = {.role = role,
                                              .model = model,
                                              .model_hash = hash,
                                              .mapping = strcmp(role, "target") == 0 ? KERNEL_MAPPING_PTX : 0,
                                              .unjudged = "",
                                              .cut = "",
                                              .verdicts = verdicts,
                                              .verdict_count = 1};
    must(store_put_judgement(place->store, job, &judgement, &place->error));
}

static void judge_place(struct place *place, double test_seconds, double seconds)
{
    const struct rejudge options = {.test_seconds = test_seconds, .seconds = seconds};
    store_close(place->store);
    must(store_open(place->path, STORE_READ, &place->store, &place->error));
    must(rejudge(place->store, &options, &place->error));
}

static void close_place(struct place *place)
{
    store_close(place->store);
    temporary_folder_remove(place->folder);
}

static enum verdict verdict_on(const struct store_judgement *judgement, const char *label)
{
    for (size_t i = 0; i < judgement->verdict_count; i++)
        if (strcmp(judgement->verdicts[i].label, label) == 0)
            return judgement->verdicts[i].verdict;
    return VERDICT_NONE;
}

static void expect(struct place *place, int64_t job, const char *label, enum verdict source, enum verdict target)
{
    struct arena arena = {0};
    struct store_judgements judgements;
    must(store_load_judgements(place->store, job, &arena, &judgements, &place->error));
    assert_int_equal(verdict_on(&judgements.source, label), source);
    assert_int_equal(verdict_on(&judgements.target, label), target);
    arena_release(&arena);
}

static const struct store_change *change_of(const struct place *place, const char *model)
{
    size_t count;
    const struct store_change *changes = store_changes(place->store, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(changes[i].model, model) == 0)
            return &changes[i];
    return NULL;
}

/* Two jobs of one test are judged once; the target judges the emitted instructions. */
static void test_both_roles(void **state)
{
    (void)state;
    struct place place = {.path = ""};
    open_place(&place);
    const int64_t first = add_job(&place, store_buffering, WEAK), second = add_job(&place, store_buffering, WEAK);
    judge(&place, first, "source", "opencl", OLDER, WEAK);
    judge(&place, first, "target", "ptx", OLDER, WEAK);
    judge(&place, second, "source", "opencl", OLDER, WEAK);
    judge_place(&place, 60, 60);
    expect(&place, first, WEAK, VERDICT_WEAK, VERDICT_WEAK);
    expect(&place, second, WEAK, VERDICT_WEAK, VERDICT_NONE);
    assert_int_equal(change_of(&place, "opencl")->judged, 1);
    assert_int_equal(change_of(&place, "ptx")->judged, 1);
    assert_int_equal(change_of(&place, "ptx")->run_id, place.run);
    close_place(&place);
}

/* An unchanged model is not asked, nor a model without a stored hash. */
static void test_unchanged(void **state)
{
    (void)state;
    struct place place = {.path = ""};
    struct model *model;
    open_place(&place);
    must(model_load("opencl", &model, &place.error));
    const int64_t first = add_job(&place, store_buffering, WEAK), second = add_job(&place, store_buffering, WEAK);
    judge(&place, first, "source", "opencl", model_hash(model), WEAK);
    judge(&place, second, "source", "opencl", "", WEAK);
    judge_place(&place, 60, 60);
    expect(&place, first, WEAK, VERDICT_FORBIDDEN, VERDICT_NONE);
    expect(&place, second, WEAK, VERDICT_FORBIDDEN, VERDICT_NONE);
    assert_null(change_of(&place, "opencl"));
    model_release(model);
    close_place(&place);
}

/* An outcome that was seen and that no execution has is forbidden by the current model too, in both roles. */
static void test_unlisted(void **state)
{
    (void)state;
    static const char unlisted[] = "0:r0=7; 1:r0=7;";
    struct place place = {.path = ""};
    open_place(&place);
    const int64_t job = add_job(&place, store_buffering, unlisted);
    judge(&place, job, "source", "opencl", OLDER, WEAK);
    judge(&place, job, "target", "ptx", OLDER, WEAK);
    judge_place(&place, 60, 60);
    expect(&place, job, unlisted, VERDICT_FORBIDDEN, VERDICT_FORBIDDEN);
    expect(&place, job, WEAK, VERDICT_WEAK, VERDICT_WEAK);
    close_place(&place);
}

/* If a bound on loops cut the search, outcomes that it did not list stay without a verdict. */
static void test_unlisted_behind_a_cut(void **state)
{
    (void)state;
    struct place place = {.path = ""};
    open_place(&place);
    const int64_t job = add_job(&place, endless, "0:r0=7; 0:r1=1;");
    judge(&place, job, "source", "opencl", OLDER, "0:r0=1; 0:r1=1;");
    judge_place(&place, 60, 60);
    expect(&place, job, "0:r0=7; 0:r1=1;", VERDICT_NONE, VERDICT_NONE);
    expect(&place, job, "0:r0=1; 0:r1=1;", VERDICT_SC, VERDICT_NONE);
    close_place(&place);
}

static void test_loops(void **state)
{
    (void)state;
    struct place place = {.path = ""};
    open_place(&place);
    const int64_t job = add_job(&place, counting, "0:r0=4;");
    judge(&place, job, "source", "opencl", OLDER, "0:r0=4;");
    judge_place(&place, 60, 60);
    if (change_of(&place, "opencl")->kept > 0)
        fail_msg("%s", change_of(&place, "opencl")->why);
    expect(&place, job, "0:r0=4;", VERDICT_SC, VERDICT_NONE);
    close_place(&place);
}

/* If time is up, the stored verdict is kept, and the change says so. */
static void test_time(void **state)
{
    (void)state;
    struct place place = {.path = ""};
    open_place(&place);
    const int64_t job = add_job(&place, store_buffering, WEAK);
    judge(&place, job, "source", "opencl", OLDER, WEAK);
    judge_place(&place, 60, 0);
    expect(&place, job, WEAK, VERDICT_FORBIDDEN, VERDICT_NONE);
    assert_int_equal(change_of(&place, "opencl")->kept, 1);
    assert_string_equal(change_of(&place, "opencl")->why, "SB: there was no time left to judge it again");
    close_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_roles), cmocka_unit_test(test_unchanged),
                                       cmocka_unit_test(test_loops),      cmocka_unit_test(test_time),
                                       cmocka_unit_test(test_unlisted),   cmocka_unit_test(test_unlisted_behind_a_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
