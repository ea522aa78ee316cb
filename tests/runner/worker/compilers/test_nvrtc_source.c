// SPDX-License-Identifier: Apache-2.0
/* Protects CUDA tests as CUDA C++ (`--lowering source`), on machines without a GPU: NVRTC and libcu++ make PTX of each,
 * the PTX is read back into a PTX test, and that allows no outcome that the mapping of CUDA to PTX forbids; an acquire
 * that was lost is found by that. Goes through the CUDA tests of the sample (sample.h). Skipped where there is no NVRTC
 * or no libcu++. ORCHIL_TELLS names each test that was not kept or not read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/cuda.h"
#include "catalogue/selection.h"
#include "inspect/compile/inspect_many.h"
#include "inspect/rebuild/rebuild_test.h"
#include "tests/kernel/fixture.h"
#include "tests/runner/worker/compilers/sample.h"
#include "verdicts/verdicts.h"

struct totals {
    struct gpu_compiler nvrtc;
    bool tells; /* of each test that is not kept, for a person who reads along */
    unsigned compiled, kept, judged, unread, weaker, failed;
};

static const struct backend_device *device_of(struct backend_device *device)
{
    *device = fixture_device("source");
    device->max_group_size = 1024;
    return device;
}

static void add_limit(const char *label, void *context)
{
    text_add(context, " %s", label);
}

static void judge(struct totals *totals, const struct litmus_test *test, struct kernel_target *compiled)
{
    const struct judge_options limits = {.maximum_candidates = 100000};
    struct backend_device device;
    struct verdicts verdicts;
    struct text allows = {0};
    struct error error;
    assert_int_equal(verdicts_make(test, device_of(&device), &limits, &verdicts, &error), STATUS_OK);
    assert_int_equal(verdicts_add_compiled(&verdicts, compiled, &limits, &error), STATUS_OK);
    if (!verdicts.source.unjudged[0] && !verdicts.target.unjudged[0]) {
        totals->judged++;
        verdicts_list_limits(&verdicts, add_limit, &allows);
    }
    if (allows.size > 0) {
        print_error("%s: what was compiled allows what the mapping forbids:%s\n", test->name, text_string(&allows));
        totals->weaker++;
    }
    text_release(&allows);
    verdicts_release(&verdicts);
}

static void read_back(struct totals *totals, const struct litmus_test *test, const struct kernel *kernel,
                      const char *code)
{
    const struct compiled_ptx ptx = {test, kernel, kernel_unit_line(backend_find("cuda"), 1), code};
    struct inspection inspection;
    struct kernel_target compiled;
    struct error error;
    assert_true(compiled_ptx_is(kernel, code));
    const enum status status = compiled_ptx_read(&ptx, &inspection, &compiled, &error);
    totals->kept += inspection.kept == TEST_KEPT;
    if (totals->tells && inspection.kept != TEST_KEPT)
        print_message("%s: %s: %s\n", test->name, kept_word(inspection.kept), inspection.reason);
    if (status == STATUS_OK)
        judge(totals, test, &compiled);
    else {
        totals->unread++;
        if (totals->tells)
            print_message("%s: unread: %s\n", test->name, error.text);
    }
    kernel_target_release(&compiled);
    inspection_release(&inspection);
}

static void compile(struct totals *totals, const struct litmus_test *test)
{
    struct backend_device device;
    struct kernel kernel;
    struct text ptx = {0}, log = {0};
    struct error error = {0};
    assert_int_equal(kernel_generate(test, device_of(&device), "source", false, &kernel, &error), STATUS_OK);
    const struct cuda_request request = {
        .kernel = kernel.source, .architecture = "sm_90", .includes = kernel.includes, .lines = true};
    if (cuda_compile(&totals->nvrtc, &request, &ptx, &log, &error) != STATUS_OK) {
        print_error("%s: %s\n%s\n", test->name, error.text, error.detail);
        totals->failed++;
    } else {
        totals->compiled++;
        read_back(totals, test, &kernel, text_string(&ptx));
    }
    text_release(&ptx);
    text_release(&log);
    kernel_release(&kernel);
}

/* Each agent has a kernel of its own, and what was compiled is one test only where there is one kernel. */
static bool is_of_one_agent(const struct litmus_test *test)
{
    struct litmus_agents agents;
    struct error error;
    assert_int_equal(litmus_find_agents(test, &agents, &error), STATUS_OK);
    return agents.count == 1;
}

static void test_catalogue(void **state)
{
    struct totals *totals = *state;
    struct selection selection;
    struct error error;
    assert_int_equal(selection_all(&selection, &error), STATUS_OK);
    bool *chosen = sample_choose(&selection, true);
    for (size_t i = 0; i < selection.count; i++)
        if (selection.tests[i].test->dialect == LITMUS_CUDA && chosen[i] && is_of_one_agent(selection.tests[i].test))
            compile(totals, selection.tests[i].test);
    print_message("%u compiled, %u kept, %u read back and judged, %u not read back, %u weaker, %u failed\n",
                  totals->compiled, totals->kept, totals->judged, totals->unread, totals->weaker, totals->failed);
    assert_int_equal(totals->failed, 0);
    assert_int_equal(totals->weaker, 0);
    assert_true(totals->judged > 0);
    free(chosen);
    selection_release(&selection);
}

/* ---- a compiler that loses an acquire ---- */

static const char passing[] =
    "CUDA MP\n{ x=0; y=0; }\n"
    "P0@cta 0, gpu 0 (int* x, int* y) {\n"
    "  cuda::atomic_ref<int, cuda::thread_scope_device>(*x).store(1, cuda::memory_order_relaxed);\n"
    "  cuda::atomic_ref<int, cuda::thread_scope_device>(*y).store(1, cuda::memory_order_release);\n"
    "}\n"
    "P1@cta 1, gpu 0 (int* x, int* y) {\n"
    "  int r0 = cuda::atomic_ref<int, cuda::thread_scope_device>(*y).load(cuda::memory_order_acquire);\n"
    "  int r1 = cuda::atomic_ref<int, cuda::thread_scope_device>(*x).load(cuda::memory_order_relaxed);\n"
    "}\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

/* Compiles it, puts one opcode in the place of another of the same length, and inspects that. */
static void inspect_with(const struct gpu_compiler *nvrtc, const char *was, const char *becomes,
                         struct inspection *inspection)
{
    struct backend_device device;
    struct kernel kernel;
    struct text ptx = {0}, log = {0};
    struct error error;
    struct litmus_test *test = fixture_parse("passing", passing);
    assert_int_equal(kernel_generate(test, device_of(&device), "source", false, &kernel, &error), STATUS_OK);
    const struct cuda_request request = {
        .kernel = kernel.source, .architecture = "sm_90", .includes = kernel.includes, .lines = true};
    assert_int_equal(cuda_compile(nvrtc, &request, &ptx, &log, &error), STATUS_OK);
    char *at = memmem(ptx.data, ptx.size, was, strlen(was));
    assert_non_null(at);
    memcpy(at, becomes, strlen(was));
    const struct compiled_ptx compiled = {test, &kernel, kernel_unit_line(backend_find("cuda"), 1), text_string(&ptx)};
    inspect_skip(inspection, "nobody has read it");
    judge_compiled(&compiled, &device, inspection);
    text_release(&ptx);
    text_release(&log);
    kernel_release(&kernel);
    litmus_release(test);
}

static void test_lost_acquire(void **state)
{
    const struct totals *totals = *state;
    struct inspection inspection;
    bool allows = false, weakened = false;
    inspect_with(&totals->nvrtc, "ld.acquire.gpu.b32", "ld.acquire.gpu.b32", &inspection);
    assert_int_equal(inspection.kept, TEST_KEPT);
    inspection_release(&inspection);
    inspect_with(&totals->nvrtc, "ld.acquire.gpu.b32", "ld.relaxed.gpu.b32", &inspection);
    assert_int_equal(inspection.kept, TEST_NOT_KEPT);
    for (size_t i = 0; i < inspection.finding_count; i++) {
        weakened |= inspection.findings[i].fault == INSPECT_WEAKENED;
        allows |= inspection.findings[i].fault == INSPECT_ALLOWS &&
                  strstr(inspection.findings[i].text, "allows 1:r0=1; 1:r1=0;, which");
    }
    assert_true(weakened);
    assert_true(allows);
    inspection_release(&inspection);
}

/* libcu++'s constants, which no instruction uses, are left out of the PTX. */
static void test_unused_constants(void **state)
{
    struct totals *totals = *state;
    struct text ptx = {0}, log = {0};
    struct error error;
    const struct cuda_request request = {.kernel =
                                             "#include <cuda/atomic>\n__device__ int kept = 5;\n"
                                             "ENTRY(draw, memory, scratch, counters, local_memory)\n"
                                             "{\n    cuda::atomic_ref<u32>(counters[0]).fetch_add((u32)kept);\n}\n",
                                         .architecture = "sm_90",
                                         .includes = true};
    assert_int_equal(cuda_compile(&totals->nvrtc, &request, &ptx, &log, &error), STATUS_OK);
    assert_non_null(strstr(text_string(&ptx), " kept = 5;"));
    assert_non_null(strstr(text_string(&ptx), ".acquire.sys."));
    assert_null(strstr(text_string(&ptx), "numeric_limits"));
    text_release(&ptx);
    text_release(&log);
}

int main(void)
{
    struct totals totals = {.tells = getenv("ORCHIL_TELLS") != NULL};
    struct cuda_headers headers;
    struct error error;
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(test_lost_acquire, &totals),
                                       cmocka_unit_test_prestate(test_unused_constants, &totals),
                                       cmocka_unit_test_prestate(test_catalogue, &totals)};
    if (cuda_nvrtc_open(&totals.nvrtc, 0, &error) != STATUS_OK ||
        cuda_headers_find(&totals.nvrtc, &headers, &error) != STATUS_OK) {
        (void)fprintf(stderr, "skipped: %s\n", error.text);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
