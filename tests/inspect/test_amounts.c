// SPDX-License-Identifier: Apache-2.0
/* Protects the difference between a compiler's lawful change of a test and a fault: the tests that code amounts to, and
 * which of them are merged (amounts.txt). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inspect/inspect.h"
#include "tests/corpus.h"
#include "tests/kernel/fixture.h"

/* "2 ld.global.u32 %r1, [%rd1];" is an instruction of step 2; "- $L:" is of none. */
static void write_module(const struct kernel *kernel, const char *code, struct text *text)
{
    const struct backend *backend = backend_find("opencl");
    const unsigned helper = kernel_unit_line(backend, kernel->helpers_line);
    text_add(text, ".version 9.0\n.target sm_90\n.entry orchil()\n{\n");
    for (const char *at = code; *at; at += strcspn(at, "\n") + 1) {
        char *rest;
        const unsigned long step = strtoul(at, &rest, 10);
        if (*at == '-') {
            text_add(text, "\t%.*s\n", (int)strcspn(at + 2, "\n"), at + 2);
            continue;
        }
        assert_true(rest != at && step < kernel->step_count);
        const unsigned line = kernel_unit_line(backend, kernel->steps[step].line);
        text_add(text, "\t.loc\t1 %u 0\n\t.loc\t1 %u 0, function_name L, inlined_at 1 %u 0\n\t%.*s\n", line, helper,
                 line, (int)strcspn(rest + 1, "\n"), rest + 1);
    }
    text_add(text, "\tret;\n}\n");
}

static void print_threads(const struct litmus_test *test, struct text *found)
{
    struct text text = {0};
    litmus_print(test, &text);
    const char *from = strstr(text_string(&text), "\nP0"), *to = strstr(text_string(&text), "\nexists");
    assert_true(from && to && from < to);
    text_add(found, "amounts to:%.*s", (int)(to - from), from);
    text_release(&text);
}

static void check_case(struct corpus_case *one, void *context)
{
    struct litmus_test *test = fixture_parse(one->title, text_string(corpus_part(one, "")));
    struct backend_device device = fixture_device("c11");
    struct text module = {0}, found = {0};
    struct inspection inspection;
    struct kernel kernel;
    struct error error;
    (void)context;
    device.takes |= BACKEND_TAKES_PTX; /* compiled for a GPU: PTX decides */
    assert_int_equal(kernel_generate(test, &device, "c11", false, &kernel, &error), STATUS_OK);
    write_module(&kernel, text_string(corpus_part(one, "code")), &module);
    const struct inspect_code code = {.machine = INSPECT_PTX,
                                      .text = text_string(&module),
                                      .architecture = "",
                                      .first_line = kernel_unit_line(backend_find("opencl"), 1)};
    inspect_and_judge(&code, test, &kernel, &device, &inspection);
    text_add(&found, "%s\n", kept_word(inspection.kept));
    for (size_t i = 0; i < inspection.finding_count; i++)
        text_add(&found, "%s: %s\n", inspect_fault_word(inspection.findings[i].fault), inspection.findings[i].text);
    for (size_t i = 0; i < inspection.amounts_to_count; i++)
        print_threads(inspection.amounts_to[i], &found);
    corpus_expect(one, "found", text_string(&found));
    inspection_release(&inspection);
    kernel_release(&kernel);
    text_release(&module);
    text_release(&found);
    litmus_release(test);
}

static void merged_or_not_kept(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/amounts.txt", check_case, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(merged_or_not_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
