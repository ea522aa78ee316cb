// SPDX-License-Identifier: Apache-2.0
/* Protects the kernels of the catalogue (sample.h) and of nvrtc.txt for CUDA, on machines without a GPU: NVRTC compiles
 * each to PTX, and ptxas, where it is found, assembles that for sm_90. The PTX is read back into a test, which ptx must
 * judge as it judges the one that was meant: so are the reader of PTX and its rules protected. Skipped where there is
 * no NVRTC. ORCHIL_PTXAS names ptxas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/cuda.h"
#include "backends/cuda/ptx.h"
#include "catalogue/selection.h"
#include "inspect/rebuild/rebuild_test.h"
#include "kernel/target.h"
#include "litmus/language/walk.h"
#include "tests/backends/ptx/assembler.h"
#include "tests/corpus.h"
#include "tests/kernel/fixture.h"
#include "tests/kernel/types/sweep.h"
#include "tests/runner/worker/compilers/sample.h"

/* The first with clusters; wgmma is for sm_90a alone. */
static const char *architecture_of(const struct litmus_test *test)
{
    return strncmp(test->name, "async-wgmma", strlen("async-wgmma")) == 0 ? "sm_90a" : "sm_90";
}

struct totals {
    struct gpu_compiler nvrtc;
    const char *assembler; /* or NULL */
    bool judges;           /* what is read back */
    unsigned compiled, read_back, assembled, unsupported, failed;
};

/* A test is made again of what compilers make of C. Asynchronous operations and proxies, vectors and cache hints are
 * not in that: their code is compared, and not judged. */
static bool is_read_statement(const struct litmus_statement *statement)
{
    return statement->kind != LITMUS_VECTOR && statement->kind != LITMUS_COPY && statement->kind != LITMUS_GROUP &&
           (statement->kind != LITMUS_BARRIER || statement->barrier.scope != LITMUS_CLUSTER) &&
           (statement->kind != LITMUS_FENCE || statement->fence.proxy == LITMUS_GENERIC);
}

static bool is_read(const struct litmus_test *test)
{
    bool read = !litmus_metadata(test, "Instruction"); /* of @async and @proxies */
    for (unsigned body = 0; read && body < test->body_count; body++) {
        const struct litmus_block *block = &test->threads[body].body;
        for (struct litmus_walk walk = litmus_walk_block(block); litmus_walk_next(&walk);)
            read &= !walk.access || (walk.access->cache == LITMUS_CACHE_NONE && walk.access->prefetch == 0 &&
                                     !walk.access->read_only && !walk.access->mmio);
        for (size_t i = 0; i < block->count; i++)
            read &= is_read_statement(&block->statements[i]);
    }
    for (unsigned l = 0; l < test->location_count; l++)
        read &= test->locations[l].type != LITMUS_MBARRIER;
    return read;
}

static void assemble(struct totals *totals, const char *name, const char *gpu, const char *ptx)
{
    char complaint[1024];
    if (assembler_accepts(totals->assembler, gpu, ptx, complaint, sizeof complaint)) {
        totals->assembled++;
        return;
    }
    print_error("%s: ptxas refuses its PTX (version %u, sm_%u) for %s: %s\n", name, cuda_ptx_version(ptx),
                cuda_ptx_target(ptx), gpu, complaint);
    totals->failed++;
}

/* ---- reading back ---- */

static const double reading_seconds = 0.1; /* that a test may be judged for; others are not compared */

/* An outcome and its verdict a line; false where the model cannot judge the test in time. */
static bool add_verdicts(const struct model *model, const struct litmus_test *test, struct text *text)
{
    const struct judge_options limits = {.deadline = clock_seconds() + reading_seconds};
    struct judgement judgement = {0};
    struct error error;
    if (model_judge(model, test, &limits, &judgement, &error) != STATUS_OK)
        return false;
    const bool judged = !judgement.cut;
    for (size_t i = 0; i < judgement.outcome_count; i++) {
        litmus_print_outcome(test, judgement.outcomes[i].values, text);
        text_add(text, " %d\n", judgement.outcomes[i].verdict);
    }
    judgement_release(&judgement);
    return judged;
}

/* Whether both tests have the same verdicts; a test that cannot be judged in time differs from none. */
static bool same_verdicts(const struct litmus_test *a, const struct litmus_test *b)
{
    struct model *model;
    struct error error;
    struct text of_a = {0}, of_b = {0};
    assert_int_equal(model_load("ptx", &model, &error), STATUS_OK);
    const bool same = !add_verdicts(model, a, &of_a) || !add_verdicts(model, b, &of_b) ||
                      strcmp(text_string(&of_a), text_string(&of_b)) == 0;
    model_release(model);
    text_release(&of_a);
    text_release(&of_b);
    return same;
}

/* The test in text, where it has one, is the same test. */
static bool same_printed(const struct kernel_target *compiled)
{
    struct text text = {0};
    struct litmus_test *parsed = NULL;
    struct error error;
    bool same = true;
    if (kernel_print_instructions(compiled->test, &text, &error) == STATUS_OK) {
        same = litmus_parse("printed", text_string(&text), text.size, &parsed, &error) == STATUS_OK &&
               same_verdicts(compiled->test, parsed);
        litmus_release(parsed);
    }
    text_release(&text);
    return same;
}

static void compare_with_target(struct totals *totals, const struct litmus_test *test,
                                const struct kernel_target *compiled)
{
    struct kernel_target target;
    struct error error;
    if (kernel_target_make(test, KERNEL_MAPPING_PTX, &target, &error) != STATUS_OK)
        return;
    if (!same_verdicts(compiled->test, target.test)) {
        print_error("%s (%s): ptx judges what was compiled in another way\n", test->name,
                    litmus_dialect_name(test->dialect));
        totals->failed++;
    } else if (!same_printed(compiled)) {
        print_error("%s (%s): what was compiled is another test when it is printed\n", test->name,
                    litmus_dialect_name(test->dialect));
        totals->failed++;
    } else
        totals->read_back++;
    kernel_target_release(&target);
}

/* Every access, fence and barrier is where the test has it, and the test that is read back is the one that was
 * meant. */
static void read_back(struct totals *totals, const struct litmus_test *test, const struct kernel *kernel,
                      const char *ptx)
{
    const struct compiled_ptx code = {test, kernel, kernel_unit_line(backend_find("cuda"), 1), ptx};
    struct inspection inspection;
    struct kernel_target compiled;
    struct error error;
    const enum status status = compiled_ptx_read(&code, &inspection, &compiled, &error);
    if (inspection.kept != TEST_KEPT || (status != STATUS_OK && is_read(test))) {
        print_error("%s (%s): %s, %s; %s\n", test->name, litmus_dialect_name(test->dialect), kept_word(inspection.kept),
                    inspection.reason, status == STATUS_OK ? "" : error.text);
        totals->failed++;
    } else if (totals->judges && test->dialect != LITMUS_PTX && is_read(test))
        compare_with_target(totals, test, &compiled);
    kernel_target_release(&compiled);
    inspection_release(&inspection);
}

static void compile_kernel(struct totals *totals, const struct litmus_test *test, const struct kernel *kernel)
{
    struct text ptx = {0}, log = {0};
    struct error error = {0};
    const struct cuda_request request = {
        .kernel = kernel->source, .architecture = architecture_of(test), .lines = true};
    if (cuda_compile(&totals->nvrtc, &request, &ptx, &log, &error) != STATUS_OK) {
        print_error("%s (%s): %s\n%s\n", test->name, litmus_dialect_name(test->dialect), error.text, error.detail);
        totals->failed++;
    } else if (strstr(text_string(&log), "warning") || strstr(text_string(&log), "error")) {
        print_error("%s (%s): NVRTC is not content:\n%s\n", test->name, litmus_dialect_name(test->dialect),
                    text_string(&log));
        totals->failed++;
    } else {
        totals->compiled++;
        if (kernel->agents == 1)
            read_back(totals, test, kernel, text_string(&ptx));
        if (totals->assembler)
            assemble(totals, test->name, architecture_of(test), text_string(&ptx));
    }
    text_release(&ptx);
    text_release(&log);
}

/* A test of several agents is for an ensemble of such devices, with a CPU for the host's threads, which NVRTC has
 * nothing to do with. */
static void compile(struct totals *totals, const struct litmus_test *test)
{
    struct backend_device members[LITMUS_MAXIMUM_AGENTS], device = fixture_device("ptx");
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct litmus_agents agents;
    struct error error = {0};
    unsigned count;
    (void)snprintf(device.architecture, sizeof device.architecture, "%s", architecture_of(test));
    device.max_group_size = 1024;
    device.paths |= BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_CONSTANT;
    assert_int_equal(litmus_find_agents(test, &agents, &error), STATUS_OK);
    for (unsigned agent = 0; agent < agents.count; agent++)
        members[agent] = agents.host && agent == agents.count - 1 ? fixture_device("c11") : device;
    if (agents.count > 1)
        device = (struct backend_device){.backend = "ensemble",
                                         .members = members,
                                         .member_count = agents.count,
                                         .host = agents.host,
                                         .edges = device.edges,
                                         .homes = (2u << agents.count) - 1,
                                         .atomic_homes = (2u << agents.count) - 1};
    if (kernel_generate_agents(test, &device, NULL, false, kernels, &count, &error) != STATUS_OK) {
        assert_int_equal(error.status, STATUS_UNSUPPORTED);
        assert_true(error.text[0] != '\0');
        print_message("unsupported: %s: %s\n", test->name, error.text);
        totals->unsupported++;
        return;
    }
    for (unsigned agent = 0; agent < count; agent++) {
        if (strcmp(kernel_lowering_name(&kernels[agent]), "ptx") == 0 && !kernel_is_shared(&kernels[agent]))
            compile_kernel(totals, test, &kernels[agent]);
        kernel_release(&kernels[agent]);
    }
}

static void test_catalogue(void **state)
{
    struct totals *totals = *state;
    struct selection selection;
    struct error error;
    totals->compiled = totals->read_back = totals->assembled = totals->unsupported = totals->failed = 0;
    assert_int_equal(selection_all(&selection, &error), STATUS_OK);
    bool *chosen = sample_choose(&selection, true);
    totals->judges = true;
    for (size_t i = 0; i < selection.count; i++)
        if (chosen[i])
            compile(totals, selection.tests[i].test);
    print_message("%u compiled with NVRTC %d.%d, %u read back, %u assembled, %u unsupported, %u failed\n",
                  totals->compiled, totals->nvrtc.major, totals->nvrtc.minor, totals->read_back, totals->assembled,
                  totals->unsupported, totals->failed);
    assert_int_equal(totals->failed, 0);
    assert_true(totals->compiled > totals->unsupported);
    assert_true(totals->read_back > 0);
    free(chosen);
    selection_release(&selection);
}

static void check_shape(struct corpus_case *one, void *context)
{
    struct litmus_test *test = fixture_parse(one->title, text_string(corpus_part(one, "")));
    compile(context, test);
    litmus_release(test);
}

/* Shapes that the catalogue need not have; none of them may be unsupported. */
static void test_shapes(void **state)
{
    struct totals *totals = *state;
    const struct totals before = *totals;
    const size_t count = corpus_each(ORCHIL_SOURCE_DIR "/tests/runner/worker/compilers/nvrtc.txt", check_shape, totals);
    assert_int_equal(totals->failed, before.failed);
    assert_int_equal(totals->compiled - before.compiled, count);
}

/* ---- asynchronous operations ---- */

/* The test of some rows: one work-group; or two of a cluster, where names with an r lie in the other's memory. */
static const char async_start[] =
    "PTX row\n{ uint x[8]; int y[4]; ulong z[2]; long a[2]; float b[4]; double c[2]; uint h; P0:r0=0; uint s[8]; uint t[4]; "
    "int i[4]; ulong w[2]; long l[2]; float f[4]; double d[2]; mbarrier m=2; ";
static const char async_shared[] =
    "regions: s: shared, t: shared, i: shared, w: shared, l: shared, f: shared, d: shared\n"
    "exists (x[0]=0)\n";

static const char async_cluster[] =
    "shared uint rs@cta 1[4]; shared int ri@cta 1[4]; shared ulong rw@cta 1[2]; mbarrier rm@cta 1=2; ";

/* Rows that are compiled as one test; a kernel takes a second or two. */
struct async_rows {
    struct text text; /* the test's instructions so far */
    unsigned count, first;
    bool cluster;
};

enum { ROWS_PER_TEST = 8 };

static void add_row(struct async_rows *rows, const char *statement)
{
    const bool barrier = strstr(statement, "barrier.cluster") != NULL;
    if (!rows->cluster)
        text_add(&rows->text, " %s ;\n", statement);
    else
        text_add(&rows->text, " %s | %s ;\n", statement, barrier ? statement : "");
    if (barrier)
        text_add(&rows->text, " barrier.cluster.wait | barrier.cluster.wait.acquire ;\n");
    rows->count++;
}

static void compile_rows(struct totals *totals, struct async_rows *rows)
{
    struct text text = {0};
    char name[64];
    if (rows->count == 0)
        return;
    (void)snprintf(name, sizeof name, "async-instructions from %u", rows->first);
    text_add(&text, "%s%s}\n%s%s%s", async_start, rows->cluster ? async_cluster : "",
             rows->cluster ? " P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n" : " P0@cta 0,gpu 0 ;\n",
             text_string(&rows->text), async_shared);
    struct litmus_test *test = fixture_parse(name, text_string(&text));
    compile(totals, test);
    litmus_release(test);
    text_release(&text);
    text_release(&rows->text);
    *rows = (struct async_rows){0};
}

/* Every asynchronous instruction in a kernel: NVRTC and ptxas accept the text, with all that such a kernel does before
 * and after its threads. */
static void test_async(void **state)
{
    struct totals *totals = *state;
    const unsigned compiled = totals->compiled, assembled = totals->assembled;
    char line[512];
    unsigned number = 0, count = 0, tests = 0;
    struct async_rows rows = {0};
    FILE *file = fopen(ORCHIL_SOURCE_DIR "/tests/runner/worker/compilers/async-instructions", "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        const bool cluster = strncmp(line, "two: ", 5) == 0;
        assert_true(cluster || strncmp(line, "one: ", 5) == 0);
        if (rows.count == ROWS_PER_TEST || (rows.count > 0 && rows.cluster != cluster))
            compile_rows(totals, &rows);
        tests += rows.count == 0;
        rows.first = rows.count == 0 ? number : rows.first;
        rows.cluster = cluster;
        add_row(&rows, line + 5);
        count++;
    }
    compile_rows(totals, &rows);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(totals->failed, 0);
    assert_true(count >= 60);
    assert_int_equal(totals->compiled - compiled, tests);
    if (totals->assembler)
        assert_int_equal(totals->assembled - assembled, tests);
}

/* Of OPENCL, what is lowered to other instructions at each scope is left to PTX. */
static void compile_type(struct litmus_test *test, void *context)
{
    if (test->dialect != LITMUS_OPENCL || strstr(test->name, "memory_scope_device"))
        compile(context, test);
    litmus_release(test);
}

/* Every legal access of every type. */
static void test_types(void **state)
{
    struct totals *totals = *state;
    const unsigned before = totals->compiled;
    (void)sweep_orders(LITMUS_PTX, compile_type, totals);
    (void)sweep_orders(LITMUS_CUDA, compile_type, totals);
    (void)sweep_orders(LITMUS_OPENCL, compile_type, totals);
    assert_int_equal(totals->failed, 0);
    assert_int_equal(totals->compiled - before, 8 + 6 + 4);
}

/* Whether a typical device cannot run the test: it lacks surfaces, sm_100 or the compiler of PTX ISA 9.4; or no kernel
 * can have it: threads that initialise an mbarrier, and tensor maps. */
static bool is_beyond(const struct litmus_test *test)
{
    static const char *const starts[] = {"surface",        "async-st-release", "async-red-release",
                                         "proxy-readonly", "async-init",       "async-tensormap"};
    bool beyond = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        beyond |= strncmp(test->name, starts[i], strlen(starts[i])) == 0;
    return beyond;
}

/* Tests of @async, @proxies and @assumptions. */
static void test_suites(void **state)
{
    struct totals *totals = *state;
    const unsigned compiled = totals->compiled, assembled = totals->assembled, unsupported = totals->unsupported;
    char async[] = "@async", proxies[] = "@proxies", assumptions[] = "@assumptions";
    char *words[] = {async, proxies, assumptions};
    struct selection suites;
    struct error error;
    assert_int_equal(selection_make(words, sizeof words / sizeof *words, kernel_judge, &suites, &error), STATUS_OK);
    unsigned taken = 0;
    for (size_t i = 0; i < suites.count; i++) {
        const unsigned before = totals->unsupported;
        if (!sample_takes(i))
            continue;
        taken++;
        compile(totals, suites.tests[i].test);
        if (totals->unsupported > before && !is_beyond(suites.tests[i].test)) {
            print_error("%s is not listed as beyond a typical device\n", suites.tests[i].test->name);
            totals->failed++;
        }
    }
    assert_int_equal(totals->failed, 0);
    assert_true(suites.count >= 250 && taken >= suites.count / SAMPLE_EVERY);
    assert_int_equal(totals->compiled - compiled + totals->unsupported - unsupported, taken);
    if (totals->assembler)
        assert_int_equal(totals->assembled - assembled, totals->compiled - compiled);
    selection_release(&suites);
}

int main(void)
{
    struct totals totals = {0};
    char assembler[256];
    struct error error;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_shapes, &totals), cmocka_unit_test_prestate(test_types, &totals),
        cmocka_unit_test_prestate(test_async, &totals), cmocka_unit_test_prestate(test_suites, &totals),
        cmocka_unit_test_prestate(test_catalogue, &totals)};
    if (cuda_nvrtc_open(&totals.nvrtc, 0, &error) != STATUS_OK) {
        (void)fprintf(stderr, "skipped: %s\n", error.text);
        return 77;
    }
    totals.assembler = assembler_find(assembler);
    if (!totals.assembler)
        print_message("no ptxas: the PTX is not assembled\n");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
