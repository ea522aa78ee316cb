// SPDX-License-Identifier: Apache-2.0
/* Each test of the catalogue has a kernel in WGSL, or a reason why it has none. With ORCHIL_KERNELS set, the kernels
 * are written into that file for tests/web/compile: an object of JSON a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "catalogue/selection.h"
#include "web/web.h"

enum { KERNELS_AT_LEAST = 1100, NESTED_AT_MOST = 64 };

/* Whether brackets close in the order in which they opened. WGSL as it is printed has neither texts nor comments. */
static bool is_balanced(const char *wgsl)
{
    static const char brackets[] = "(){}[]";
    char open[NESTED_AT_MOST];
    size_t depth = 0;
    for (const char *at = wgsl + strcspn(wgsl, brackets); *at; at += 1 + strcspn(at + 1, brackets)) {
        const char *const kind = strchr(brackets, *at);
        const bool closes = (kind - brackets) % 2 != 0;
        if (closes ? depth == 0 || open[--depth] != kind[-1] : depth == NESTED_AT_MOST)
            return false;
        if (!closes)
            open[depth++] = *at;
    }
    return depth == 0;
}

static void write_kernel(FILE *file, const struct litmus_test *test, const char *wgsl)
{
    json_t *json =
        json_pack("{s:s,s:s,s:s}", "dialect", litmus_dialect_name(test->dialect), "name", test->name, "wgsl", wgsl);
    assert_non_null(json);
    assert_int_equal(json_dumpf(json, file, JSON_COMPACT), 0);
    assert_int_equal(fputc('\n', file), '\n');
    json_decref(json);
}

/* Whether the test has a kernel. */
static bool examine(const struct litmus_test *test, FILE *file)
{
    struct kernel kernel;
    struct text wgsl = {0};
    struct error error = {0};
    const enum status status = web_kernel_make(test, &kernel, &error);
    if (status != STATUS_OK) {
        if (status != STATUS_UNSUPPORTED || error.text[0] == '\0')
            fail_msg("%s: refused without a reason: '%s'", test->name, error.text);
        return false;
    }
    if (kernel_print_wgsl(&kernel, &wgsl, &error) != STATUS_OK)
        fail_msg("%s: %s", test->name, error.text);
    if (strchr(text_string(&wgsl), '#'))
        fail_msg("%s: a '#' in its kernel: %.60s", test->name, strchr(text_string(&wgsl), '#'));
    if (!is_balanced(text_string(&wgsl)))
        fail_msg("%s: the brackets of its kernel do not match", test->name);
    if (file)
        write_kernel(file, test, text_string(&wgsl));
    text_release(&wgsl);
    kernel_release(&kernel);
    return true;
}

static void test_catalogue(void **state)
{
    const char *const path = getenv("ORCHIL_KERNELS");
    FILE *const file = path ? fopen(path, "w") : NULL;
    struct selection selection;
    struct error error;
    size_t translated = 0;
    (void)state;
    assert_true(!path || file);
    if (selection_all(&selection, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < selection.count; i++)
        translated += examine(selection.tests[i].test, file);
    print_message("%zu of %zu tests have a kernel in WGSL\n", translated, selection.count);
    assert_true(translated >= KERNELS_AT_LEAST);
    assert_true(translated < selection.count); /* or no refusal was examined */
    selection_release(&selection);
    if (file)
        assert_int_equal(fclose(file), 0);
}

static void test_balanced(void **state)
{
    (void)state;
    assert_true(is_balanced("") && is_balanced("fn f(a : array<u32, 2>) { a[(1)] = 0; }"));
    assert_false(is_balanced("{") || is_balanced("}") || is_balanced("{(})") || is_balanced("a)("));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_balanced), cmocka_unit_test(test_catalogue)};
    json_start();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
