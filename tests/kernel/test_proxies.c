// SPDX-License-Identifier: Apache-2.0
/* Protects kernels that access their memory through textures, surfaces, the constant bank and aliases, on machines
 * without a GPU. NVRTC compiles those of golden/proxies.txt and of the published tests whose fences PTX has; ptxas, if
 * found, assembles them; and reads that ptxas treats as read-only keep their place, because they depend on a load after
 * the preceding instruction. Skipped without NVRTC. ORCHIL_VALIDATION_DIR names the folder of published tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>

#include "backends/cuda/cuda.h"
#include "tests/backends/ptx/assembler.h"
#include "tests/corpus.h"
#include "tests/kernel/fixture.h"

struct compiler {
    struct gpu_compiler nvrtc;
    const char *assembler; /* or NULL */
    unsigned compiled;
};

/* The next line of PTX, after a place, that contains a text; NULL if there is none. */
static const char *find_line(const char *from, const char *text, char line[256])
{
    const char *at = from ? strstr(from, text) : NULL;
    if (!at)
        return NULL;
    const char *start = at;
    while (start > from && start[-1] != '\n')
        start--;
    (void)snprintf(line, 256, "%.*s", (int)strcspn(start, "\n"), start);
    return at;
}

/* Compiles a test's kernel; the caller releases the PTX. */
static void compile(struct compiler *compiler, const struct litmus_test *test, struct text *ptx)
{
    const struct backend_device device = fixture_device("ptx");
    struct kernel kernel;
    struct text log = {0};
    struct error error = {0};
    char complaint[1024];
    if (kernel_generate(test, &device, NULL, false, &kernel, &error) != STATUS_OK)
        fail_msg("%s: %s", test->name, error.text);
    const struct cuda_request request = {.kernel = kernel.source, .architecture = "sm_90", .lines = true};
    if (cuda_compile(&compiler->nvrtc, &request, ptx, &log, &error) != STATUS_OK ||
        strstr(text_string(&log), "warning"))
        fail_msg("%s: %s\n%s", test->name, error.text, text_string(&log));
    if (compiler->assembler &&
        !assembler_accepts(compiler->assembler, "sm_90", text_string(ptx), complaint, sizeof complaint))
        fail_msg("%s: %s", test->name, complaint);
    compiler->compiled++;
    text_release(&log);
    kernel_release(&kernel);
}

static void check_shape(struct corpus_case *one, void *context)
{
    static const struct {
        const char *name, *instruction;
    } kinds[] = {{"alias", "fence.proxy.alias"},
                 {"constant", "ld.const.b32"},
                 {"surface", "sured.b.add.2d.u32.trap"},
                 {"texture", "tex.1d.v4.u32.s32"}};
    struct text ptx = {0};
    struct litmus_test *test = fixture_parse(one->title, text_string(&one->parts[0].text));
    compile(context, test, &ptx);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, one->title) == 0)
            assert_non_null(strstr(text_string(&ptx), kinds[i].instruction));
    text_release(&ptx);
    litmus_release(test);
}

static void shapes_are_accepted(void **state)
{
    assert_int_equal(corpus_each(ORCHIL_SOURCE_DIR "/tests/kernel/golden/proxies.txt", check_shape, *state), 4);
}

/* The register that an instruction's first operand names: "%r12". */
static void first_register(const char *line, char name[16])
{
    const char *at = strstr(line, "%r");
    assert_non_null(at);
    (void)snprintf(name, 16, "%.*s", (int)(2 + strspn(at + 2, "0123456789")), at);
}

/* The first line with this register, and not with one whose name is longer. */
static const char *find_use(const char *text, const char *name, char line[256])
{
    const char *found = text;
    while ((found = find_line(found + 1, name, line)) != NULL) {
        const char *at = strstr(line, name);
        if (at && strchr("0123456789", at[strlen(name)]) == NULL)
            return found;
    }
    return NULL;
}

/* Between the acquiring load and the fetch there is a weak load from which the fetch's coordinate is computed. */
static void a_fetch_depends_on_what_is_before_it(void **state)
{
    static const char text[] = "PTX t\n{ x = 0; f = 0; t @ texture aliases x; P0:r0=0; P0:r1=0; }\n P0@cta 0,gpu 0 ;\n"
                               " ld.acquire.gpu r0, f ;\n tld.weak r1, t ;\nexists (0:r1=0)\n";
    struct text ptx = {0};
    char line[256], loaded[16];
    struct litmus_test *test = fixture_parse("t", text);
    compile(*state, test, &ptx);
    /* The harness also acquires, before it plays; the test's own acquire is followed by a fetch. */
    const char *fetch = text_string(&ptx), *last = NULL;
    while ((fetch = strstr(fetch, "tex.1d")) != NULL)
        last = fetch++;
    assert_non_null(last);
    const char *acquire = text_string(&ptx), *before = NULL;
    while ((acquire = strstr(acquire, "ld.acquire.gpu.global.b32")) != NULL && acquire < last)
        before = acquire++;
    assert_non_null(before);
    const char *pin = find_line(before, "ld.weak.global.u32", line);
    assert_true(pin && pin < last);
    /* Follow the loaded value from one sum or product to the next, until it is the coordinate. */
    const char *use = pin;
    for (int steps = 0; steps < 4 && !strstr(line, "tex.1d"); steps++) {
        first_register(line, loaded);
        use = find_use(strchr(use, '\n'), loaded, line);
        assert_true(use && use <= strchr(last, '\n'));
        assert_true(strstr(line, "add") || strstr(line, "mad") || strstr(line, "tex.1d"));
    }
    assert_non_null(strstr(line, "tex.1d"));
    text_release(&ptx);
    litmus_release(test);
}

static void published_tests_are_accepted(void **state)
{
    struct compiler *compiler = *state;
    const char *folder = getenv("ORCHIL_VALIDATION_DIR");
    struct text pattern = {0};
    glob_t found;
    text_add(&pattern, "%s/litmus/PTX/Nvidia/proxy/*.litmus", folder ? folder : "");
    if (glob(text_string(&pattern), 0, NULL, &found) != 0) {
        text_release(&pattern);
        print_message("no published tests: ORCHIL_VALIDATION_DIR is '%s'\n", folder ? folder : "");
        skip();
    }
    const unsigned before = compiler->compiled;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct text ptx = {0}, unsupported = {0};
        char *source = fixture_read(found.gl_pathv[i]);
        struct litmus_test *test = fixture_parse(found.gl_pathv[i], source);
        if (!litmus_unsupported(test, &unsupported))
            compile(compiler, test, &ptx);
        litmus_release(test);
        free(source);
        text_release(&ptx);
        text_release(&unsupported);
    }
    globfree(&found);
    text_release(&pattern);
    assert_true(compiler->compiled - before >= 10);
}

int main(void)
{
    struct compiler compiler = {0};
    char path[256];
    struct error error;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(shapes_are_accepted, &compiler),
        cmocka_unit_test_prestate(a_fetch_depends_on_what_is_before_it, &compiler),
        cmocka_unit_test_prestate(published_tests_are_accepted, &compiler),
    };
    if (cuda_nvrtc_open(&compiler.nvrtc, 0, &error) != STATUS_OK) {
        (void)fprintf(stderr, "skipped: %s\n", error.text);
        return 77;
    }
    compiler.assembler = assembler_find(path);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
