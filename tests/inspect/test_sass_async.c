// SPDX-License-Identifier: Apache-2.0
/* Protects the inspection of asynchronous copies, mbarriers, clusters, proxies, vectors and hints in SASS: the output
 * of ptxas 13.0 is kept, and each fault planted in it is found. If the loss of a copy, a proxy fence or a wait went
 * unnoticed, a run would judge the device by another test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "inspect/inspect.h"
#include "tests/corpus.h"
#include "tests/inspect/planted_faults.h"
#include "tests/kernel/fixture.h"

/* A GPU of that architecture, with all that a kernel may ask for. */
static struct backend_device device_of(const char *architecture)
{
    struct backend_device device = fixture_device("ptx");
    (void)snprintf(device.architecture, sizeof device.architecture, "%s", architecture);
    device.max_cluster_groups = 8;
    device.paths = BACKEND_ALL_PATHS;
    return device;
}

/* ---- code ---- */

static const struct kernel_step *find_step(const struct litmus_test *test, const struct kernel *kernel, unsigned thread,
                                           unsigned line)
{
    for (size_t i = 0; i < kernel->step_count; i++)
        if (test->threads[kernel->steps[i].body].first == thread && kernel->steps[i].place.line == line)
            return &kernel->steps[i];
    fail_msg("P%u has no step at line %u", thread, line);
    return NULL;
}

/* Adds nvdisasm's place lines for an instruction "P0.7 ...", "P0.7+1 ..." or "- ...". */
static void add_place(const struct litmus_test *test, const struct kernel *kernel, const char *line, struct text *text)
{
    unsigned thread, at, more = 0;
    if (sscanf(line, "P%u.%u+%u", &thread, &at, &more) < 2) {
        text_add(text, "\t//## File \"k.cu\", line 1\n");
        return;
    }
    const struct kernel_step *step = find_step(test, kernel, thread, at);
    if (more == 0 && !step->barrier)
        text_add(text, "\t//## File \"k.cu\", line %u inlined at \"k.cu\", line %u\n", kernel->helpers_line + 1,
                 step->line);
    text_add(text, "\t//## File \"k.cu\", line %u inlined at \"k.cu\", line 2\n\t//## File \"k.cu\", line 2\n",
             step->line + more);
}

static const char frame[] = "orchil:\n\t//## File \"k.cu\", line 1\n        /*0008*/ BAR.SYNC.DEFER_BLOCKING 0x0 ;\n";

/* Lines of code -> what nvdisasm prints, between two barriers of the kernel. */
static void expand(const struct litmus_test *test, const struct kernel *kernel, const char *code, struct text *text)
{
    unsigned address = 0x10;
    char *rest, *copy = memory_copy(code);
    text_add(text, "%s", frame);
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), address += 0x10) {
        if (line[0] == '.') {
            text_add(text, "%s\n", line);
            continue;
        }
        add_place(test, kernel, line, text);
        text_add(text, "        /*%04x*/ %s ;\n", address, strchr(line, ' ') + 1);
    }
    text_add(text,
             "\t//## File \"k.cu\", line 1\n        /*%04x*/ BAR.SYNC.DEFER_BLOCKING 0x0 ;\n        /*%04x*/ EXIT ;\n",
             address, address + 0x10);
    free(copy);
}

/* Copies lines of code up to a given number; *done counts the lines read. */
static const char *copy_until(const char *code, unsigned *done, unsigned until, struct text *text)
{
    for (; *done < until && *code; (*done)++) {
        const size_t length = strcspn(code, "\n") + 1;
        text_add_bytes(text, code, length);
        code += length;
    }
    return code;
}

/* "@ 3": after three lines of the code; there "-LINE" is removed and "+LINE" inserted. */
static void apply(const char *code, const char *change, struct text *text)
{
    unsigned done = 0;
    for (const char *line = change; *line; line += strcspn(line, "\n") + 1) {
        const size_t length = strcspn(line, "\n");
        if (*line == '@')
            code = copy_until(code, &done, (unsigned)strtoul(line + 1, NULL, 10), text);
        else if (*line == '+')
            text_add(text, "%.*s\n", (int)length - 1, line + 1);
        else if (strncmp(code, line + 1, length - 1) != 0 || code[length - 1] != '\n')
            fail_msg("line %u of the code is not '%.*s'", done + 1, (int)length - 1, line + 1);
        else {
            code += length;
            done++;
        }
    }
    (void)copy_until(code, &done, (unsigned)-1, text);
}

/* ---- cases ---- */

struct base {
    struct litmus_test *test;
    struct kernel kernel;
    char *code;
    struct planted_faults planted;
};

static void base_release(struct base *base)
{
    kernel_release(&base->kernel);
    litmus_release(base->test);
    free(base->code);
}

static void take_base(struct base *base, const struct corpus_case *one)
{
    const struct backend_device device = device_of("sm_90");
    struct error error;
    base_release(base);
    base->test = fixture_parse(one->title, text_string(corpus_part(one, "")));
    base->code = memory_copy(text_string(corpus_part(one, "code")));
    if (kernel_generate(base->test, &device, NULL, false, &base->kernel, &error) != STATUS_OK)
        fail_msg("%s: %s", one->title, error.text);
}

static void inspect(const struct base *base, const char *code, struct inspection *inspection)
{
    struct text text = {0};
    expand(base->test, &base->kernel, code, &text);
    inspect_code(
        &(struct inspect_code){
            .machine = INSPECT_SASS, .text = text_string(&text), .architecture = "sm_90", .first_line = 1},
        base->test, &base->kernel, inspection);
    text_release(&text);
}

static void check_case(struct corpus_case *one, void *context)
{
    struct base *base = context;
    struct text code = {0}, found = {0};
    struct inspection inspection;
    const struct text *change = corpus_part(one, "change"), *planted = corpus_part(one, "planted");
    if (corpus_part(one, "code"))
        take_base(base, one);
    apply(base->code, change ? text_string(change) : "", &code);
    inspect(base, text_string(&code), &inspection);
    text_add(&found, "%s%s%s\n", kept_word(inspection.kept), inspection.kept == TEST_NOT_INSPECTED ? ": " : "",
             inspection.kept == TEST_NOT_INSPECTED ? inspection.reason : "");
    for (size_t i = 0; i < inspection.finding_count; i++)
        text_add(&found, "%s: %s\n", inspect_fault_word(inspection.findings[i].fault), inspection.findings[i].text);
    planted_faults_add(&base->planted, one->title, planted ? text_string(planted) : NULL, inspection.kept);
    corpus_expect(one, "found", text_string(&found));
    inspection_release(&inspection);
    text_release(&code);
    text_release(&found);
}

static void test_recorded(void **state)
{
    struct base base = {.test = NULL};
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/sass-async.txt", check_case, &base) > 50);
    planted_faults_check(&base.planted, "SASS of copies and proxies");
    base_release(&base);
}

/* A vector in pieces, a vector narrowed to its used words, and a lost hint are not what the test asks for. */
static void test_recorded_vectors(void **state)
{
    struct base base = {.test = NULL};
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/sass-vectors.txt", check_case, &base) >= 12);
    planted_faults_check(&base.planted, "SASS of vectors and hints");
    base_release(&base);
}

/* ---- what has no rule ---- */

/* Code for each machine with one instruction attributed to the step. */
static void write_code(enum inspect_machine machine, const struct kernel *kernel, const struct kernel_step *step,
                       struct text *text)
{
    const unsigned helper = kernel->helpers_line + 1;
    if (machine == INSPECT_PTX)
        text_add(text,
                 ".version 9.0\n.target sm_90\n.entry orchil()\n{\n\t.loc\t1 1 0\n\t.loc\t1 %u 0, function_name L, "
                 "inlined_at 1 %u 0\n\tst.global.u32 [%%rd1], %%r1;\n\tret;\n}\n",
                 helper, step->line);
    else
        text_add(text,
                 "orchil:\n\t//## File \"k.cu\", line %u inlined at \"k.cu\", line %u\n\t//## File \"k.cu\", line %u\n"
                 "        /*0010*/ STS [R1], R2 ;\n        /*0020*/ EXIT ;\n",
                 helper, step->line, step->line);
}

/* Inspects code of one step; the result must be not inspected, with a reason that contains `reason`, or not kept if
 * that is NULL. */
static void check_refused(enum inspect_machine machine, const char *architecture, const struct litmus_test *test,
                          const struct kernel *kernel, const char *reason)
{
    struct text text = {0};
    struct inspection inspection;
    write_code(machine, kernel, &kernel->steps[0], &text);
    inspect_code(
        &(struct inspect_code){
            .machine = machine, .text = text_string(&text), .architecture = architecture, .first_line = 1},
        test, kernel, &inspection);
    if (inspection.kept != (reason ? TEST_NOT_INSPECTED : TEST_NOT_KEPT) ||
        (reason && !strstr(inspection.reason, reason)))
        fail_msg("machine %d says %s, %s; expected '%s'", machine, kept_word(inspection.kept), inspection.reason,
                 reason ? reason : "a fault");
    inspection_release(&inspection);
    text_release(&text);
}

/* One instruction of each kind of step that has rules only for some machines. */
static const char *const special[] = {
    "cp.async.ca.shared.global [s], [x], 4",
    "cp.async.commit_group",
    "cp.async.mbarrier.arrive.shared.b64 [m]",
    "mbarrier.arrive.shared.b64 _, [m]",
    "mbarrier.test_wait.parity.shared.b64 r0, [m], 0",
    "fence.proxy.async",
    "fence.proxy.alias",
    "barrier.cluster.arrive",
    "tld.weak r0, t",
    "sust.weak u, 1",
    "cold.weak r0, c",
};

static struct litmus_test *test_of(const char *instruction, struct kernel *kernel)
{
    const struct backend_device device = device_of("sm_90");
    struct text text = {0};
    struct error error;
    text_add(
        &text,
        "PTX special\n{ x=0; z=0; t @ texture aliases x; u @ surface aliases x; c @ constant aliases z; s=0; mbarrier m=1; P0:r0=0; }\n"
        " P0@cta 0,cluster 0,gpu 0 ;\n %s ;\n%sregions: s: shared\nexists ([x]=0)\n",
        instruction, strcmp(instruction, "barrier.cluster.arrive") == 0 ? " barrier.cluster.wait ;\n" : "");
    struct litmus_test *test = fixture_parse(instruction, text_string(&text));
    if (kernel_generate(test, &device, NULL, false, kernel, &error) != STATUS_OK)
        fail_msg("%s: %s", instruction, error.text);
    text_release(&text);
    return test;
}

/* PTX that is another instruction, a kind of step without a row in a machine's table, an unknown architecture, and a
 * statement without a line in the kernel: none of them may pass as kept. */
static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        struct kernel kernel;
        struct litmus_test *test = test_of(special[i], &kernel);
        check_refused(INSPECT_PTX, "sm_90", test, &kernel, NULL);
        check_refused(INSPECT_SASS, "sm_100", test, &kernel, "not sm_100");
        kernel.step_count--;
        check_refused(INSPECT_SASS, "sm_90", test, &kernel, "the kernel has no line for");
        kernel_release(&kernel);
        litmus_release(test);
    }
}

/* Operations that sm_80 lacks have no rule there: mbarriers that count bytes, and fences of the async proxy. */
static void test_before_sm_90(void **state)
{
    static const char *const newer[] = {"mbarrier.expect_tx.relaxed.cta.shared.b64 [m], 16",
                                        "mbarrier.try_wait.parity.shared.b64 r0, [m], 0", "fence.proxy.async",
                                        "griddepcontrol.launch_dependents"};
    (void)state;
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        struct kernel kernel;
        struct litmus_test *test = test_of(newer[i], &kernel);
        check_refused(INSPECT_SASS, "sm_80", test, &kernel, "there are no rules for SASS");
        kernel_release(&kernel);
        litmus_release(test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_recorded_vectors),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_before_sm_90),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
