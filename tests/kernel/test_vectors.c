// SPDX-License-Identifier: Apache-2.0
/* Protects kernels with vector accesses, 128 bits at once, cache operators and ld.global.nc on machines without a GPU:
 * NVRTC compiles those of golden/vectors.txt; ptxas, if found, assembles them; and the PTX has the instruction that the
 * test names. If a vector became scalars, or a hint was lost, a run would be of another test. Skipped without NVRTC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/cuda.h"
#include "tests/backends/ptx/assembler.h"
#include "tests/corpus.h"
#include "tests/kernel/fixture.h"

struct compiler {
    struct gpu_compiler nvrtc;
    const char *assembler; /* or NULL */
};

/* Compiles a test's kernel for an architecture; the caller releases the PTX. */
static void compile(const struct compiler *compiler, const struct litmus_test *test, const char *architecture,
                    struct text *ptx)
{
    struct backend_device device = fixture_device("ptx");
    struct kernel kernel;
    struct text log = {0};
    struct error error = {0};
    char complaint[1024];
    (void)snprintf(device.architecture, sizeof device.architecture, "%s", architecture);
    if (kernel_generate(test, &device, NULL, false, &kernel, &error) != STATUS_OK)
        fail_msg("%s: %s", test->name, error.text);
    const struct cuda_request request = {.kernel = kernel.source, .architecture = architecture, .lines = true};
    if (cuda_compile(&compiler->nvrtc, &request, ptx, &log, &error) != STATUS_OK ||
        strstr(text_string(&log), "warning"))
        fail_msg("%s: %s\n%s", test->name, error.text, text_string(&log));
    if (compiler->assembler &&
        !assembler_accepts(compiler->assembler, architecture, text_string(ptx), complaint, sizeof complaint))
        fail_msg("%s: %s", test->name, complaint);
    text_release(&log);
    kernel_release(&kernel);
}

static void check_shape(struct corpus_case *one, void *context)
{
    static const struct {
        const char *name, *instruction;
    } wanted[] = {
        {"vectors", "st.weak.global.v2.b64 "},
        {"vectors", "ld.acquire.gpu.global.v2.b64 "},
        {"vectors", "st.release.gpu.global.v4.b32 "},
        {"vectors", "ld.volatile.global.v2.b32 "},
        {"vectors", "red.relaxed.gpu.global.add.v2.f32 "},
        {"vectors", "atom.acq_rel.gpu.global.add.v4.f32 "},
        {"whole", "st.relaxed.gpu.global.b128 "},
        {"whole", "ld.acquire.gpu.global.b128 "},
        {"whole", "atom.relaxed.gpu.global.exch.b128 "},
        {"whole", "atom.acq_rel.gpu.global.cas.b128 "},
        {"caches", "st.weak.global.wt.b32 "},
        {"caches", "ld.weak.global.cg.b32 "},
        {"caches", "st.relaxed.gpu.global.L1::no_allocate.b32 "},
        {"caches", "ld.acquire.gpu.global.L1::no_allocate.L2::128B.b32 "},
        {"caches", "st.mmio.relaxed.sys.global.b32 "},
        {"caches", "ld.mmio.relaxed.sys.global.b32 "},
        {"read-only", "ld.global.nc.L1::no_allocate.v4.b32 "},
        {"read-only", "ld.global.nc.b64 "},
        {"shared", "st.weak.shared.v4.b32 "},
        {"opencl", "st.weak.global.v4.b32 "},
        {"opencl", "st.weak.global.v2.b64 "},
    };
    struct text ptx = {0};
    struct litmus_test *test = fixture_parse(one->title, text_string(&one->parts[0].text));
    compile(context, test, "sm_90", &ptx);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (strcmp(wanted[i].name, one->title) == 0 && !strstr(text_string(&ptx), wanted[i].instruction))
            fail_msg("%s: the PTX has no '%s'", one->title, wanted[i].instruction);
    text_release(&ptx);
    litmus_release(test);
}

static void shapes_are_accepted(void **state)
{
    assert_int_equal(corpus_each(ORCHIL_SOURCE_DIR "/tests/kernel/golden/vectors.txt", check_shape, *state), 6);
}

/* Vectors of 32 bytes need sm_100, which has both forms. */
static void wide_vectors_are_accepted(void **state)
{
    static const char text[] = "PTX t\n{ u32 x[8]; u64 y[4]; }\n P0@cta 0,gpu 0 ;\n"
                               " st.weak.v8.b32 [x], {1, 1, 1, 1, 1, 1, 1, 1} ;\n"
                               " ld.relaxed.gpu.v4.u64 {r0, _, _, r1}, [y] ;\nexists (0:r0=1)\n";
    struct text ptx = {0};
    struct litmus_test *test = fixture_parse("t", text);
    compile(*state, test, "sm_100", &ptx);
    assert_non_null(strstr(text_string(&ptx), "st.weak.global.v8.b32 "));
    assert_non_null(strstr(text_string(&ptx), "ld.relaxed.gpu.global.v4.b64 "));
    text_release(&ptx);
    litmus_release(test);
}

int main(void)
{
    struct compiler compiler = {0};
    char path[256];
    struct error error;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(shapes_are_accepted, &compiler),
        cmocka_unit_test_prestate(wide_vectors_are_accepted, &compiler),
    };
    if (cuda_nvrtc_open(&compiler.nvrtc, 0, &error) != STATUS_OK) {
        (void)fprintf(stderr, "skipped: %s\n", error.text);
        return 77;
    }
    compiler.assembler = assembler_find(path);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
