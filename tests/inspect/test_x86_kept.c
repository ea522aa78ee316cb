// SPDX-License-Identifier: Apache-2.0
/* Protects the inspection of x86-64 code: PoCL's code is kept, and each planted compiler fault is reported at its
 * place. If one were missed, a weak outcome of the compiler could be attributed to the processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect.h"
#include "tests/corpus.h"
#include "tests/inspect/planted_faults.h"
#include "tests/kernel/fixture.h"

enum { FIRST_ADDRESS = 0x1000, INSTRUCTION_BYTES = 4 };

/* Adds the lines of an instruction, outermost last: in a step's helper; for "=STEP", in the thread's function; for "-",
 * in the kernel around the threads. Returns the innermost. */
static unsigned add_chain(const struct kernel *kernel, const char *step, struct text *code)
{
    if (step[0] == '-') {
        text_add(code, "a.cl:1 (k)\n");
        return 1;
    }
    const bool in_thread = step[0] == '=';
    const unsigned line = kernel->steps[strtoul(step + in_thread, NULL, 10)].line;
    const unsigned innermost = in_thread ? line : kernel->helpers_line;
    text_add(code, "a.cl:%u\n", innermost);
    if (!in_thread)
        text_add(code, "inlined by a.cl:%u (play_0)\n", line);
    text_add(code, "inlined by a.cl:1 (k)\n");
    return innermost;
}

/* Lines "STEP INSTRUCTION" -> objdump's output; the i-th instruction is at 0x1000 + 4i. */
static void expand(const struct kernel *kernel, const char *lines, struct text *all)
{
    struct text code = {0};
    char *rest, *copy = strdup(lines);
    unsigned long address = FIRST_ADDRESS;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        text_add(all, "a.cl %u 0x%lx x\n", add_chain(kernel, line, &code), address);
        text_add(&code, "    %lx:\t%s\n", address, strchr(line, ' ') + 1);
        address += INSTRUCTION_BYTES;
    }
    text_add(all, "a.cl - 0x%lx\n\nDisassembly of section .text:\n\n0000000000001000 <k_workgroup>:\n%s", address,
             text_string(&code));
    text_release(&code);
    free(copy);
}

static void print_inspection(const struct inspection *inspection, struct text *text)
{
    text_add(text, "%s\n", kept_word(inspection->kept));
    for (size_t i = 0; i < inspection->finding_count; i++)
        text_add(text, "%s\n", inspection->findings[i].text);
    if (inspection->kept == TEST_NOT_INSPECTED)
        text_add(text, "%s\n", inspection->reason);
}

/* The test whose code the next cases have, and the faults planted in them. */
struct cases {
    struct litmus_test *test;
    struct kernel kernel;
    struct planted_faults planted;
};

static void check_case(struct corpus_case *one, void *context)
{
    struct cases *cases = context;
    const struct backend_device device = fixture_device("c11");
    struct error error;
    struct text code = {0}, found = {0};
    struct inspection inspection;
    const struct text *planted = corpus_part(one, "planted");
    if (corpus_part(one, "test")) {
        kernel_release(&cases->kernel);
        litmus_release(cases->test);
        cases->test = fixture_parse(one->title, text_string(corpus_part(one, "test")));
        assert_int_equal(kernel_generate(cases->test, &device, NULL, false, &cases->kernel, &error), STATUS_OK);
    }
    expand(&cases->kernel, text_string(corpus_part(one, "code")), &code);
    inspect_code(
        &(struct inspect_code){.machine = INSPECT_X86, .text = text_string(&code), .architecture = "", .first_line = 1},
        cases->test, &cases->kernel, &inspection);
    print_inspection(&inspection, &found);
    planted_faults_add(&cases->planted, one->title, planted ? text_string(planted) : NULL, inspection.kept);
    corpus_expect(one, "expected", text_string(&found));
    inspection_release(&inspection);
    text_release(&code);
    text_release(&found);
}

static void test_cases(void **state)
{
    struct cases cases = {0};
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/x86-kept.txt", check_case, &cases) >= 20);
    planted_faults_check(&cases.planted, "x86-64", false);
    kernel_release(&cases.kernel);
    litmus_release(cases.test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
