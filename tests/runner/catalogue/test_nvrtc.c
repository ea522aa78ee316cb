// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the kernels of the catalogue (sample.h) and of nvrtc/ for CUDA, on machines without a GPU: NVRTC compiles each to
 * PTX, and ptxas, where it is found, assembles that for sm_90. Skipped where there is no NVRTC. ORCHIL_PTXAS names ptxas.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/cuda/compile.h"
#include "runner/selection.h"
#include "tests/runner/catalogue/sample.h"
#include "tests/runner/kernel/fixture.h"

static const char architecture[] = "sm_90"; /* the first with clusters */

struct totals {
    struct cuda_nvrtc nvrtc;
    const char *assembler; /* or NULL */
    char folder[64];       /* for PTX files */
    unsigned compiled, assembled, unsupported, failed;
};

/* ptxas by ORCHIL_PTXAS, along PATH, or where the CUDA Toolkit puts itself; or NULL. */
static const char *find_assembler(char path[256])
{
    const char *named = getenv("ORCHIL_PTXAS"), *places = getenv("PATH");
    if (named)
        return named;
    for (const char *at = places; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        (void)snprintf(path, 256, "%.*s/ptxas", (int)strcspn(at, ":"), at);
        if (access(path, X_OK) == 0)
            return path;
    }
    (void)snprintf(path, 256, "/usr/local/cuda/bin/ptxas");
    return access(path, X_OK) == 0 ? path : NULL;
}

/* Starts ptxas on a file; its process. */
static pid_t start_assembler(const char *assembler, const char *path)
{
    const pid_t pid = fork();
    if (pid == 0) {
        (void)execl(assembler, "ptxas", "--gpu-name", architecture, "--output-file", "/dev/null", path, (char *)NULL);
        _exit(127);
    }
    return pid;
}

static void assemble(struct totals *totals, const char *name, const struct text *ptx)
{
    char path[128];
    int status = -1;
    (void)snprintf(path, sizeof path, "%s/kernel.ptx", totals->folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(ptx->data, 1, ptx->size, file), ptx->size);
    assert_int_equal(fclose(file), 0);
    const pid_t pid = start_assembler(totals->assembler, path);
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (status == 0)
        totals->assembled++;
    else
        print_error("%s: ptxas refuses its PTX\n", name);
    totals->failed += status != 0;
    assert_int_equal(unlink(path), 0);
}

static void compile(struct totals *totals, const struct litmus_test *test)
{
    struct backend_device device = fixture_device("ptx");
    struct kernel kernel;
    struct text ptx = {0}, log = {0};
    struct error error = {0};
    device.max_group_size = 1024;
    if (kernel_generate(test, &device, &kernel, &error) != STATUS_OK) {
        assert_int_equal(error.status, STATUS_UNSUPPORTED);
        assert_true(error.text[0] != '\0');
        print_message("unsupported: %s: %s\n", test->name, error.text);
        totals->unsupported++;
        return;
    }
    if (cuda_compile_with(&totals->nvrtc, kernel.source, architecture, &ptx, &log, &error) != STATUS_OK) {
        print_error("%s (%s): %s\n%s\n", test->name, litmus_dialect_name(test->dialect), error.text, error.detail);
        totals->failed++;
    } else if (strstr(text_string(&log), "warning") || strstr(text_string(&log), "error")) {
        print_error("%s (%s): NVRTC is not content:\n%s\n", test->name, litmus_dialect_name(test->dialect),
                    text_string(&log));
        totals->failed++;
    } else {
        totals->compiled++;
        if (totals->assembler)
            assemble(totals, test->name, &ptx);
    }
    text_release(&ptx);
    text_release(&log);
    kernel_release(&kernel);
}

static void test_catalogue(void **state)
{
    struct totals *totals = *state;
    struct selection selection;
    struct error error;
    totals->compiled = totals->assembled = totals->unsupported = totals->failed = 0;
    assert_int_equal(selection_all(&selection, &error), STATUS_OK);
    bool *chosen = sample_choose(&selection, true);
    for (size_t i = 0; i < selection.count; i++)
        if (chosen[i])
            compile(totals, selection.tests[i].test);
    print_message("%u compiled with NVRTC %d.%d, %u assembled, %u unsupported, %u failed\n", totals->compiled,
                  totals->nvrtc.major, totals->nvrtc.minor, totals->assembled, totals->unsupported, totals->failed);
    assert_int_equal(totals->failed, 0);
    assert_true(totals->compiled > totals->unsupported);
    free(chosen);
    selection_release(&selection);
}

/* Shapes that the catalogue need not have; none of them may be unsupported. */
static void test_shapes(void **state)
{
    struct totals *totals = *state;
    const struct totals before = *totals;
    glob_t files;
    assert_int_equal(glob(ORCHIL_SOURCE_DIR "/tests/runner/catalogue/nvrtc/*.litmus", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = fixture_read(files.gl_pathv[i]);
        struct litmus_test *test = fixture_parse(files.gl_pathv[i], text);
        compile(totals, test);
        litmus_release(test);
        free(text);
    }
    assert_int_equal(totals->failed, before.failed);
    assert_int_equal(totals->compiled - before.compiled, files.gl_pathc);
    globfree(&files);
}

int main(void)
{
    struct totals totals = {.folder = "/tmp/orchil-ptx.XXXXXX"};
    char assembler[256];
    struct error error;
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(test_shapes, &totals),
                                       cmocka_unit_test_prestate(test_catalogue, &totals)};
    if (cuda_nvrtc_open(&totals.nvrtc, 0, &error) != STATUS_OK) {
        (void)fprintf(stderr, "skipped: %s\n", error.text);
        return 77;
    }
    totals.assembler = find_assembler(assembler);
    if (!totals.assembler)
        print_message("no ptxas: the PTX is not assembled\n");
    if (!mkdtemp(totals.folder))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(totals.folder) == 0 ? failed : 1;
}
