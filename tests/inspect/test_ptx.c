// SPDX-License-Identifier: Apache-2.0
/* Protects the inspection of PTX from a compiler: which tests recorded drivers compiled, and that each of many faults
 * planted in that text is found, with its place and the outcome that it allows (ptx/). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "inspect/rebuild/rebuild_test.h"
#include "kernel/target.h"
#include "tests/corpus.h"
#include "tests/inspect/planted_faults.h"
#include "tests/kernel/fixture.h"
#include "verdicts/verdicts.h"

/* A case with all its parts; cases with only a "change" take the rest from the last complete one. */
struct base {
    char *test, *lines, *ptx;
    struct planted_faults planted; /* over all cases */
};

static void keep(char **slot, const struct text *part)
{
    if (!part)
        return;
    free(*slot);
    *slot = memory_copy(text_string(part));
}

/* "657 677 713: 685 686 704 705": the first lines of the helpers and of the threads' functions, the line where these
 * end, as recorded, and the lines of the steps. */
static void set_lines(struct kernel *kernel, const char *lines)
{
    char *at;
    kernel->helpers_line = (unsigned)strtoul(lines, &at, 10);
    kernel->functions_line = (unsigned)strtoul(at, &at, 10);
    kernel->functions_end = (unsigned)strtoul(at, &at, 10);
    assert_int_equal(*at++, ':');
    for (size_t i = 0; i < kernel->step_count; i++) {
        kernel->steps[i].line = (unsigned)strtoul(at, &at, 10);
        assert_int_not_equal(kernel->steps[i].line, 0);
    }
}

/* Takes the next lines that begin with a mark, and removes it. */
static void take_marked(const char **at, char mark, struct text *text)
{
    for (; **at == mark; *at += strcspn(*at, "\n") + 1)
        text_add(text, "%.*s\n", (int)strcspn(*at + 1, "\n"), *at + 1);
}

/* Replaces lines: "-" marks the old ones, which must occur once; "+" the new ones. Further changes follow after an
 * empty line. */
static void apply(const char *change, struct text *ptx)
{
    while (*change) {
        struct text old = {0}, new = {0}, changed = {0};
        take_marked(&change, '-', &old);
        take_marked(&change, '+', &new);
        change += *change == '\n';
        const char *found = strstr(text_string(ptx), text_string(&old));
        assert_non_null(found);
        assert_null(strstr(found + 1, text_string(&old)));
        text_add_bytes(&changed, ptx->data, (size_t)(found - ptx->data));
        text_add(&changed, "%s%s", text_string(&new), found + old.size);
        text_release(ptx);
        text_release(&old);
        text_release(&new);
        *ptx = changed;
    }
}

static void add_limit(const char *label, void *context)
{
    text_add(context, "allows %s, which the test's model forbids\n", label);
}

/* Appends the findings of the models. */
static void judge(const struct litmus_test *test, const struct backend_device *device, struct kernel_target *compiled,
                  struct text *found)
{
    const struct judge_options limits = {0};
    struct verdicts verdicts;
    struct error error;
    struct backend_device nvidia = *device;
    nvidia.takes |= BACKEND_TAKES_PTX; /* a device that takes CUDA C++ alone has no model of PTX */
    assert_int_equal(verdicts_make(test, &nvidia, &limits, &verdicts, &error), STATUS_OK);
    assert_int_equal(verdicts_add_compiled(&verdicts, compiled, &limits, &error), STATUS_OK);
    verdicts_list_limits(&verdicts, add_limit, found);
    if (verdicts.target.judgement.racy && !verdicts.source.judgement.racy)
        text_add(found, "racy, and the test is not\n");
    verdicts_release(&verdicts);
}

/* From the threads to the end. */
static void print_threads(const struct kernel_target *compiled, struct text *found)
{
    struct text text = {0};
    struct error error;
    if (kernel_print_instructions(compiled->test, &text, &error) == STATUS_OK) {
        const char *end = strstr(text_string(&text), "}\n");
        assert_non_null(end);
        text_add(found, "%s", end + 2);
    }
    text_release(&text);
}

static enum kept inspect(const struct base *base, const char *text, struct text *found)
{
    struct litmus_test *test = fixture_parse("recorded", base->test);
    struct backend_device device = fixture_device(test->dialect == LITMUS_CUDA  ? "source"
                                                  : test->dialect == LITMUS_PTX ? "ptx"
                                                                                : "c11");
    struct kernel kernel;
    struct error error;
    struct inspection inspection;
    struct kernel_target compiled;
    if (strstr(text, ".target sm_90a"))
        (void)snprintf(device.architecture, sizeof device.architecture, "sm_90a");
    assert_int_equal(kernel_generate(test, &device, fixture_lowering(&device), false, &kernel, &error), STATUS_OK);
    set_lines(&kernel, base->lines);
    const struct compiled_ptx ptx = {test, &kernel, 1, text};
    assert_int_equal(compiled_ptx_is(&kernel, text), test->dialect != LITMUS_PTX);
    const enum status status = compiled_ptx_read(&ptx, &inspection, &compiled, &error);
    const enum kept kept = inspection.kept;
    text_add(found, "%s\n", kept_word(kept));
    for (size_t i = 0; i < inspection.finding_count; i++)
        text_add(found, "%s: %s\n", inspect_fault_word(inspection.findings[i].fault), inspection.findings[i].text);
    if (status == STATUS_OK) {
        print_threads(&compiled, found);
        judge(test, &device, &compiled, found);
    } else
        text_add(found, "%s\n", error.text);
    kernel_target_release(&compiled);
    inspection_release(&inspection);
    kernel_release(&kernel);
    litmus_release(test);
    return kept;
}

static void check_case(struct corpus_case *one, void *context)
{
    struct base *base = context;
    struct text ptx = {0}, found = {0};
    const struct text *change = corpus_part(one, "change"), *planted = corpus_part(one, "planted");
    if (!change) {
        keep(&base->test, corpus_part(one, ""));
        keep(&base->lines, corpus_part(one, "lines"));
        keep(&base->ptx, corpus_part(one, "ptx"));
    }
    text_add(&ptx, "%s", base->ptx);
    if (change)
        apply(text_string(change), &ptx);
    const enum kept kept = inspect(base, text_string(&ptx), &found);
    planted_faults_add(&base->planted, one->title, planted ? text_string(planted) : NULL, kept);
    corpus_expect(one, "found", text_string(&found));
    text_release(&ptx);
    text_release(&found);
}

static void test_recorded(void **state)
{
    struct base base = {0};
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/ptx", check_case, &base) > 10);
    planted_faults_check(&base.planted, "PTX");
    free(base.test);
    free(base.lines);
    free(base.ptx);
}

/* ---- a worker's report ---- */

static const char message_passing[] =
    "OPENCL MP\n{ x=0; y=0; }\n"
    "P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
    "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
    "  atomic_store_explicit(y, 1, memory_order_release, memory_scope_device);\n}\n"
    "P1@wg 1, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
    "  int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);\n"
    "  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n}\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

/* PTX with one instruction for each step, in a helper that is called in the step's line, of a kernel after its
 * backend's prelude. */
static void write_module(const struct kernel *kernel, const char *const *instructions, struct text *text)
{
    const struct backend *backend = backend_find("opencl");
    const unsigned helper = kernel_unit_line(backend, kernel->helpers_line);
    text_add(text, ".version 9.0\n.target sm_90\n.entry orchil()\n{\n");
    for (size_t i = 0; i < kernel->step_count; i++) {
        const unsigned line = kernel_unit_line(backend, kernel->steps[i].line);
        text_add(text, "\t.loc\t1 %u 0\n\t.loc\t1 %u 0, function_name L, inlined_at 1 %u 0\n\t%s\n", line, helper, line,
                 instructions[i]);
    }
    text_add(text, "\tret;\n}\n");
}

struct told {
    struct litmus_test *test;
    struct backend_device device;
    struct text module;
};

static void tell(struct told *told, const char *const *instructions)
{
    struct kernel kernel;
    struct error error;
    *told = (struct told){.test = fixture_parse("MP", message_passing), .device = fixture_device("c11")};
    (void)snprintf(told->device.backend, sizeof told->device.backend, "opencl");
    assert_int_equal(kernel_generate(told->test, &told->device, NULL, false, &kernel, &error), STATUS_OK);
    write_module(&kernel, instructions, &told->module);
    kernel_release(&kernel);
}

static void release_told(struct told *told)
{
    litmus_release(told->test);
    text_release(&told->module);
}

static void count_limit(const char *label, void *context)
{
    assert_string_equal(label, "1:r0=1; 1:r1=0;");
    ++*(unsigned *)context;
}

/* The job's target is the compiled test, here without the fences that the source's model requires. */
static void test_target(void **state)
{
    static const char *const without_fences[] = {
        "atom.global.exch.b32 %r1, [%rd1], 1;", "atom.global.exch.b32 %r2, [%rd2], 1;",
        "ld.volatile.global.u32 %r3, [%rd2];", "ld.volatile.global.u32 %r4, [%rd1];"};
    const struct judge_options limits = {0};
    struct told told;
    struct kernel_target compiled;
    struct verdicts verdicts;
    struct error error;
    unsigned limit_count = 0;
    (void)state;
    tell(&told, without_fences);
    const struct build build = {.kernel = "", .binary = text_string(&told.module), .log = "", .lowering = "c11"};
    assert_int_equal(compiled_ptx_of_build(told.test, &told.device, "", false, &build, &compiled, &error), STATUS_OK);
    assert_int_equal(verdicts_make(told.test, &told.device, &limits, &verdicts, &error), STATUS_OK);
    assert_string_equal(verdicts.target.model, "");
    assert_non_null(verdicts_forbid(&verdicts, "1:r0=1; 1:r1=0;"));
    assert_int_equal(verdicts_add_compiled(&verdicts, &compiled, &limits, &error), STATUS_OK);
    assert_string_equal(verdicts.target.model, "ptx");
    assert_int_equal(verdicts.target.mapping, KERNEL_COMPILED);
    assert_null(verdicts_forbid(&verdicts, "1:r0=1; 1:r1=0;"));
    verdicts_list_limits(&verdicts, count_limit, &limit_count);
    assert_int_equal(limit_count, 1);
    verdicts_release(&verdicts);
    release_told(&told);
}

/* Saved kernels have other lines, and other drivers do not give PTX. */
static void test_no_target(void **state)
{
    static const char *const instructions[] = {"membar.gl;", "membar.gl;", "membar.gl;", "membar.gl;"};
    struct told told;
    struct kernel_target compiled;
    struct error error;
    (void)state;
    tell(&told, instructions);
    struct build build = {
        .kernel = "", .binary = text_string(&told.module), .log = "", .lowering = "c11", .marks = MARK_FROZEN};
    assert_int_equal(compiled_ptx_of_build(told.test, &told.device, "", false, &build, &compiled, &error),
                     STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "saved"));
    build = (struct build){.kernel = "", .binary = "\177ELF", .log = "", .lowering = "c11"};
    assert_int_equal(compiled_ptx_of_build(told.test, &told.device, "", false, &build, &compiled, &error),
                     STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "no compiler made PTX"));
    build.binary = text_string(&told.module);
    assert_int_equal(compiled_ptx_of_build(told.test, &told.device, "", false, &build, &compiled, &error),
                     STATUS_UNSUPPORTED);
    assert_null(compiled.test);
    release_told(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_target),
        cmocka_unit_test(test_no_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
