// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the stamps of PTX: each row of the table of needs is compared with ptxas, if it is
 * found; a text with unknown words keeps its stamp; and a refusal names both versions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/jit.h"
#include "backends/cuda/ptx.h"
#include "tests/backends/ptx/assembler.h"

/* Versions and targets, oldest first; ptxas of CUDA 13 assembles for sm_75 and later. */
static const unsigned releases[] = {60, 61, 62, 63, 64, 65, 70, 71, 72, 73, 74, 75, 76,
                                    77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90};
static const unsigned targets[] = {70, 75, 80, 90};

static unsigned before(const unsigned *list, size_t count, unsigned value)
{
    unsigned last = 0;
    for (size_t i = 0; i < count && list[i] < value; i++)
        last = list[i];
    return last;
}

/* A program of these statements with these stamps. */
static void write_program(const char *statements, unsigned version, unsigned target, struct text *text)
{
    text_clear(text);
    text_add(text, "//\n// head\n//\n.version %u.%u\n.target sm_%u\n.address_size 64\n", version / 10, version % 10,
             target);
    text_add(text,
             "\t// .globl\tk\n.extern .shared .align 16 .b8 l[];\n.file 1 \"k.cu\"\n"
             ".visible .entry k(\n\t.param .u64 k_0\n)\n.maxntid 1024, 1, 1\n"
             "{\n\t.reg .pred %%p<4>;\n\t.reg .b16 %%rs<4>;\n\t.reg .b32 %%r<4>;\n\t.reg .b64 %%rd<4>;\n"
             "\tld.param.u64 %%rd1, [k_0];\n$L__BB0_1:\n\t%s\n\tret;\n}\n",
             statements);
    assert_false(text->failed);
}

static bool accepts(const char *assembler, const char *statements, unsigned version, unsigned target)
{
    char gpu[16], complaint[512];
    struct text text = {0};
    write_program(statements, version, target, &text);
    (void)snprintf(gpu, sizeof gpu, "sm_%u", target < 75 ? 75 : target);
    const bool accepted = assembler_accepts(assembler, gpu, text_string(&text), complaint, sizeof complaint);
    if (!accepted)
        print_message("%s", complaint);
    text_release(&text);
    return accepted;
}

/* Checks with ptxas that the stamp is accepted and, if both, that one step older is not. */
static unsigned check_by_assembler(const char *assembler, const char *statements, unsigned version, unsigned target,
                                   bool both)
{
    const unsigned of_target = cuda_ptx_version_of_target(target);
    const unsigned stamped = version > of_target ? version : of_target;
    const unsigned older_version = before(releases, sizeof releases / sizeof *releases, version);
    const unsigned older_target = before(targets, sizeof targets / sizeof *targets, target);
    unsigned wrong = 0;
    if (!accepts(assembler, statements, stamped, target)) {
        print_error("ptxas refuses version %u, sm_%u: %s\n", stamped, target, statements);
        wrong++;
    }
    /* The older version only if it knows the target: the instructions must be the cause of the
     * refusal. */
    if (both && older_version > 0 && older_version >= of_target &&
        accepts(assembler, statements, older_version, target)) {
        print_error("ptxas takes version %u, too: %s\n", older_version, statements);
        wrong++;
    }
    if (both && older_target > 0 && accepts(assembler, statements, stamped, older_target)) {
        print_error("ptxas takes sm_%u, too: %s\n", older_target, statements);
        wrong++;
    }
    return wrong;
}

/* A line of needs.txt. */
static unsigned check_line(const char *line, const char *assembler)
{
    unsigned version, target, wrong = 0;
    char how[16];
    int length;
    struct cuda_ptx_needs needs;
    struct text text = {0};
    assert_int_equal(sscanf(line, "%u %u %15s %n", &version, &target, how, &length), 3);
    write_program(line + length, 90, 100, &text);
    cuda_ptx_examine(text_string(&text), &needs);
    if (needs.unknown[0] || needs.version != version || needs.target != target) {
        print_error("%s: found version %u, sm_%u, unknown '%s'\n", line, needs.version, needs.target, needs.unknown);
        wrong++;
    }
    text_release(&text);
    if (assembler && strcmp(how, "unasked") != 0)
        wrong += check_by_assembler(assembler, line + length, version, target, strcmp(how, "ptxas") == 0);
    return wrong;
}

static void test_needs(void **state)
{
    char line[512], path[256];
    unsigned wrong = 0, lines = 0;
    const char *assembler = assembler_find(path);
    FILE *file = fopen(ORCHIL_SOURCE_DIR "/tests/backends/ptx/needs.txt", "re");
    (void)state;
    assert_non_null(file);
    if (!assembler)
        print_message("no ptxas: the table is not compared\n");
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        wrong += check_line(line, assembler);
        lines++;
    }
    assert_int_equal(fclose(file), 0);
    assert_true(lines > 30);
    assert_int_equal(wrong, 0);
}

/* An unknown word, anywhere: the compiler's stamp stays. */
static void test_unknown(void **state)
{
    static const struct {
        const char *statements, *word;
    } cases[] = {
        {"tcgen05.fence;", "tcgen05"},
        {"ld.relaxed.gpu.global.b256 %r1, [%rd1];", "b256"},
        {"@%p1 frobnicate.u32 %r1;", "frobnicate"},
        {"L: frobnicate.u32 %r1;", "frobnicate"},
        {"mov.u32 %r1, %frobnication.x;", "%frobnication"},
        {"mov.u32 %r1, %frobnication7;", "%frobnication"},
        {".frobnicate 7;", ".frobnicate"},
        {"fence.sc.galaxy;", "galaxy"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text ptx = {0}, stamped = {0};
        struct cuda_ptx_needs needs;
        write_program(cases[i].statements, 90, 100, &ptx);
        cuda_ptx_stamp(text_string(&ptx), true, false, &stamped, &needs);
        assert_string_equal(needs.unknown, cases[i].word);
        assert_string_equal(text_string(&stamped), text_string(&ptx));
        text_release(&ptx);
        text_release(&stamped);
    }
}

static void check_stamp(const char *statements, unsigned target, bool lower, bool clusters, const char *expected)
{
    struct text ptx = {0}, stamped = {0};
    struct cuda_ptx_needs needs;
    char found[32];
    write_program(statements, 90, target, &ptx);
    cuda_ptx_stamp(text_string(&ptx), lower, clusters, &stamped, &needs);
    const unsigned version = cuda_ptx_version(text_string(&stamped));
    (void)snprintf(found, sizeof found, "%u sm_%u", version, cuda_ptx_target(text_string(&stamped)));
    assert_string_equal(found, expected);
    /* Only the stamps have changed. */
    assert_string_equal(strstr(text_string(&stamped), ".address_size"), strstr(text_string(&ptx), ".address_size"));
    assert_memory_equal(text_string(&stamped), "//\n// head\n//\n.version ", 23);
    text_release(&ptx);
    text_release(&stamped);
}

static void test_stamp(void **state)
{
    (void)state;
    check_stamp("fence.sc.gpu;", 75, false, false, "63 sm_75");
    check_stamp("fence.sc.gpu;", 80, false, false, "70 sm_80");
    check_stamp("fence.sc.gpu;", 90, false, false, "78 sm_90");
    check_stamp("fence.sc.gpu;", 120, false, false, "87 sm_120");
    check_stamp("fence.sc.gpu;", 90, true, false, "60 sm_70");
    check_stamp("fence.sc.gpu;", 75, true, true, "78 sm_90"); /* launched in clusters */
    check_stamp("fence.sc.cluster;", 75, true, false, "78 sm_90");
    check_stamp("fence.sc.cluster;", 75, false, false, "78 sm_90"); /* the original stamp would be refused */
    check_stamp("ld.mmio.relaxed.sys.global.u32 %r1, [%rd1];", 90, true, false, "82 sm_70");
}

/* A .loc ends with its line: the next line is an instruction again. Its inlined_at needs PTX
 * 7.2. */
static void test_locations(void **state)
{
    static const struct {
        const char *statements;
        unsigned version, target;
    } cases[] = {
        {".loc 1 5 5\n\tfence.sc.gpu;\n\tret;", 60, 70},
        {".loc 1 5 5, function_name $L__info_string0, inlined_at 1 9 9\n\tfence.sc.gpu;\n\tret;", 72, 70},
        {".loc 1 5 5, function_name $L__info_string0, inlined_at 1 9 9\n\tfence.sc.cluster;\n\tret;", 78, 90},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = {0};
        struct cuda_ptx_needs needs;
        write_program(cases[i].statements, 90, 90, &text);
        cuda_ptx_examine(text_string(&text), &needs);
        assert_string_equal(needs.unknown, "");
        assert_int_equal(needs.version, cases[i].version);
        assert_int_equal(needs.target, cases[i].target);
        text_release(&text);
    }
}

/* A hint of PTX 8.3 does not rule out older drivers, and only the hint is removed. */
static void test_hints_are_left_out(void **state)
{
    (void)state;
    struct text with = {0}, without = {0}, stamped = {0}, expected = {0};
    struct cuda_ptx_needs needs;
    write_program("fence.sc.gpu;\n\t.pragma \"used_bytes_mask 61695\";\n\tret;", 90, 90, &with);
    write_program("fence.sc.gpu;\n\tret;", 90, 90, &without);
    cuda_ptx_stamp(text_string(&with), true, false, &stamped, &needs);
    cuda_ptx_stamp(text_string(&without), true, false, &expected, &needs);
    assert_int_equal(cuda_ptx_version(text_string(&stamped)), 60);
    assert_string_equal(text_string(&stamped), text_string(&expected));
    text_release(&with);
    text_release(&without);
    text_release(&stamped);
    text_release(&expected);
}

static void test_no_stamp(void **state)
{
    static const char *const texts[] = {
        "",
        ".version 9.0\n",
        ".version 9.0\n.target sm_90a\n",
        ".version 9.0\n.target compute_x\n",
        ".target sm_90\n.version 9.0\n",
        "no PTX at all: \"an open string",
        "/* an open comment",
        ".version\n.target\n",
        "\177ELF\2\1",
        "@",
        ": ::: {}}{;%%.%",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text stamped = {0};
        struct cuda_ptx_needs needs;
        cuda_ptx_stamp(texts[i], true, false, &stamped, &needs);
        assert_string_equal(text_string(&stamped), texts[i]);
        text_release(&stamped);
    }
    assert_int_equal(cuda_ptx_version(""), 0);
    assert_int_equal(cuda_ptx_target(".target compute_x\n"), 0);
    assert_int_equal(cuda_ptx_version(".version 8.7\r\n"), 87);
    assert_int_equal(cuda_ptx_target(".target sm_90, debug\n"), 90);
}

static void test_newest(void **state)
{
    (void)state;
    assert_int_equal(cuda_ptx_newest(11040), 74);
    assert_int_equal(cuda_ptx_newest(11080), 78);
    assert_int_equal(cuda_ptx_newest(12000), 80);
    assert_int_equal(cuda_ptx_newest(12060), 85); /* CUDA 12.6 brought no version of its own */
    assert_int_equal(cuda_ptx_newest(12080), 87);
    assert_int_equal(cuda_ptx_newest(13000), 90);
    assert_int_equal(cuda_ptx_newest(99000), 0);
    assert_int_equal(cuda_ptx_newest(0), 0);
}

static void test_refusal(void **state)
{
    static const struct {
        const char *ptx, *architecture;
        int driver;
        unsigned code;
        enum status status;
        const char *text;
    } cases[] = {
        {".version 8.6\n.target sm_90\n", "sm_90", 12020, 222, STATUS_UNSUPPORTED,
         "the PTX of MP has version 8.6, but the driver 535.1 of cuda:3 (H100), CUDA 12.2, reads PTX up to 8.2 "
         "(CUDA_ERROR_X); install a newer driver"},
        {".version 8.6\n.target sm_90\n", "sm_90", 12020, 218, STATUS_UNSUPPORTED, "reads PTX up to 8.2"},
        {".version 9.9\n.target sm_90\n", "sm_90", 99000, 222, STATUS_UNSUPPORTED, "reads older versions only"},
        {".version 7.8\n.target sm_90\n", "sm_80", 12020, 209, STATUS_UNSUPPORTED,
         "the PTX of MP needs sm_90 or later, but cuda:3 (H100) is sm_80 (driver 535.1: CUDA_ERROR_X)"},
        {".version 7.8\n.target sm_90\n", "sm_90", 12020, 218, STATUS_BUILD_FAILED,
         "the driver 535.1 of cuda:3 (H100) refused the PTX of MP (version 7.8, sm_90): CUDA_ERROR_X"},
        {"nonsense", "sm_90", 12020, 200, STATUS_BUILD_FAILED, "refused the PTX of MP"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct backend_device device = {.backend = "cuda", .index = 3, .name = "H100", .driver = "535.1"};
        struct error error = {0};
        (void)snprintf(device.architecture, sizeof device.architecture, "%s", cases[i].architecture);
        const struct cuda_refusal refusal = {.test = "MP",
                                             .ptx = cases[i].ptx,
                                             .device = &device,
                                             .driver_version = cases[i].driver,
                                             .code = cases[i].code,
                                             .code_name = "CUDA_ERROR_X"};
        assert_int_equal(cuda_refused(&refusal, &error), cases[i].status);
        assert_non_null(strstr(error.text, cases[i].text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needs),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_stamp),
        cmocka_unit_test(test_locations),
        cmocka_unit_test(test_hints_are_left_out),
        cmocka_unit_test(test_no_stamp),
        cmocka_unit_test(test_newest),
        cmocka_unit_test(test_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
