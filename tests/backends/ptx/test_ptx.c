// SPDX-License-Identifier: Apache-2.0
/* Protects the stamps of PTX: they are those of the driver and the device, nothing else changes, and a refusal names
 * both versions and the driver that is needed, in the words of ptxas, if it is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/ptx.h"
#include "tests/backends/ptx/assembler.h"

static const char entry[] = ".address_size 64\n.visible .entry k()\n{\n\tret;\n}\n";

/* The stamps of the driver and the device, in place of older and of newer ones; nothing else changes. */
static void test_stamp(void **state)
{
    static const struct {
        const char *from;
        int driver;
        unsigned target;
        const char *to;
    } cases[] = {
        {".version 9.0\n.target sm_90\n", 12000, 90, ".version 8.0\n.target sm_90\n"},
        {".version 7.4\n.target sm_75\n", 12080, 90, ".version 8.7\n.target sm_90\n"},
        {".version 9.0\n.target sm_90, debug\r\n", 12000, 120, ".version 8.0\n.target sm_120, debug\r\n"},
        {".version 7.4\n.target sm_75\n", 99000, 75, ".version 9.1\n.target sm_75\n"}, /* newer than the table */
        {".version 9.9\n.target sm_75\n", 99000, 75, ".version 9.9\n.target sm_75\n"},
        {".version 7.4\n.target sm_75\n", 0, 90, ".version 7.4\n.target sm_75\n"}, /* unknown */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text ptx = {0}, stamped = {0}, expected = {0};
        text_add(&ptx, "//\n// head\n//\n%s%s", cases[i].from, entry);
        text_add(&expected, "//\n// head\n//\n%s%s", cases[i].to, entry);
        cuda_ptx_stamp(text_string(&ptx), cases[i].driver, cases[i].target, &stamped);
        assert_string_equal(text_string(&stamped), text_string(&expected));
        text_release(&ptx);
        text_release(&stamped);
        text_release(&expected);
    }
}

/* A hint of PTX 8.3 does not rule out older drivers, and only the hint is removed. */
static void test_hints_are_left_out(void **state)
{
    (void)state;
    struct text stamped = {0};
    cuda_ptx_stamp(".version 9.0\n.target sm_90\n\tfence.sc.gpu;\n\t.pragma \"used_bytes_mask 61695\";\n\tret;\n",
                   12000, 90, &stamped);
    assert_string_equal(text_string(&stamped), ".version 8.0\n.target sm_90\n\tfence.sc.gpu;\n\tret;\n");
    text_release(&stamped);
}

static void test_no_stamp(void **state)
{
    static const char *const texts[] = {
        "",
        ".version 9.0\n",
        ".version 9.0\n.target compute_x\n",
        ".target sm_90\n.version 9.0\n",
        "no PTX at all: \"an open string",
        ".version\n.target\n",
        "\177ELF\2\1",
        "@",
        ": ::: {}}{;%%.%",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text stamped = {0};
        cuda_ptx_stamp(texts[i], 12000, 90, &stamped);
        assert_string_equal(text_string(&stamped), texts[i]);
        text_release(&stamped);
    }
    assert_int_equal(cuda_ptx_version(""), 0);
    assert_int_equal(cuda_ptx_target(".target compute_x\n"), 0);
    assert_int_equal(cuda_ptx_version(".version 8.7\r\n"), 87);
    assert_int_equal(cuda_ptx_target(".target sm_90, debug\n"), 90);
}

static void test_release(void **state)
{
    (void)state;
    assert_int_equal(cuda_ptx_release(60), 11000);
    assert_int_equal(cuda_ptx_release(82), 12020);
    assert_int_equal(cuda_ptx_release(87), 12080);
    assert_int_equal(cuda_ptx_release(99), 0);
}

/* What an assembler names as required. */
static void test_required(void **state)
{
    static const char log[] = "ptxas t, line 8; error   : Feature '.mmio' requires PTX ISA .version 8.2 or later\n"
                              "ptxas t, line 9; error   : Feature '.x' requires PTX ISA .version 8.6 or later\n"
                              "ptxas t, line 9; error   : Feature '.x' requires .target sm_100 or higher\n";
    unsigned version = 78, target = 90;
    (void)state;
    cuda_ptx_require(log, &version, &target);
    assert_int_equal(version, 86);
    assert_int_equal(target, 100);
    version = 90;
    target = 120;
    cuda_ptx_require(log, &version, &target);
    assert_int_equal(version, 90);
    assert_int_equal(target, 120);
    cuda_ptx_require("requires PTX ISA .version ", &version, &target);
    assert_int_equal(version, 90);
}

/* The assembler at hand names the version and the target that instructions need in these words. */
static void test_assembler(void **state)
{
    static const struct {
        const char *statement;
        unsigned version, target;
    } cases[] = {
        {"ld.mmio.relaxed.sys.global.u32 %r1, [%rd1];", 82, 75},
        {"fence.acquire.sync_restrict::shared::cluster.cluster;", 86, 90},
        {"fence.sc.cluster;", 78, 90},
        {"ld.global.L2::256B.u32 %r1, [%rd1];", 74, 80},
    };
    char path[256], complaint[4096];
    const char *assembler = assembler_find(path);
    (void)state;
    if (!assembler)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text ptx = {0};
        unsigned version = 63, target = 75;
        text_add(&ptx,
                 ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %%r<4>;\n.reg .b64 "
                 "%%rd<4>;\n%s\nret;\n}\n",
                 cases[i].statement);
        assert_false(assembler_accepts(assembler, "sm_75", text_string(&ptx), complaint, sizeof complaint));
        cuda_ptx_require(complaint, &version, &target);
        assert_int_equal(version, cases[i].version);
        assert_int_equal(target, cases[i].target);
        text_release(&ptx);
    }
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
        const char *ptx, *log, *architecture;
        int driver;
        unsigned code;
        enum status status;
        const char *text;
    } cases[] = {
        {".version 8.6\n.target sm_90\n", "", "sm_90", 12020, 222, STATUS_UNSUPPORTED,
         "the PTX of MP needs version 8.6, but the driver 535.1 of cuda:3 (H100), CUDA 12.2, reads PTX up to 8.2 "
         "(CUDA_ERROR_X); install a driver of CUDA 12.7 or later"},
        {".version 8.6\n.target sm_90\n", "", "sm_90", 12020, 218, STATUS_UNSUPPORTED, "reads PTX up to 8.2"},
        {".version 9.9\n.target sm_90\n", "", "sm_90", 99000, 222, STATUS_UNSUPPORTED,
         "reads older versions only (CUDA_ERROR_X); install a newer driver"},
        {".version 7.8\n.target sm_90\n", "", "sm_80", 12020, 209, STATUS_UNSUPPORTED,
         "the PTX of MP needs sm_90 or later, but cuda:3 (H100) is sm_80 (driver 535.1: CUDA_ERROR_X)"},
        {".version 7.8\n.target sm_90\n", "", "sm_90", 12020, 218, STATUS_BUILD_FAILED,
         "the driver 535.1 of cuda:3 (H100) refused the PTX of MP (version 7.8, sm_90): CUDA_ERROR_X"},
        {".version 8.2\n.target sm_90\n", "Feature 'x' requires PTX ISA .version 8.6 or later", "sm_90", 12020, 218,
         STATUS_UNSUPPORTED, "needs version 8.6, but the driver 535.1"},
        {".version 8.7\n.target sm_90\n", "Feature 'x' requires .target sm_100 or higher", "sm_90", 12080, 218,
         STATUS_UNSUPPORTED, "needs sm_100 or later"},
        {"nonsense", "", "sm_90", 12020, 200, STATUS_BUILD_FAILED, "refused the PTX of MP"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct backend_device device = {.backend = "cuda", .index = 3, .name = "H100", .driver = "535.1"};
        struct error error = {0};
        (void)snprintf(device.architecture, sizeof device.architecture, "%s", cases[i].architecture);
        const struct cuda_refusal refusal = {.test = "MP",
                                             .ptx = cases[i].ptx,
                                             .log = cases[i].log,
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
        cmocka_unit_test(test_stamp),     cmocka_unit_test(test_hints_are_left_out),
        cmocka_unit_test(test_no_stamp),  cmocka_unit_test(test_newest),
        cmocka_unit_test(test_release),   cmocka_unit_test(test_required),
        cmocka_unit_test(test_assembler), cmocka_unit_test(test_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
