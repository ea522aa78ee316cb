// SPDX-License-Identifier: Apache-2.0
/* Protects the kernels of a test for several agents: each has only the functions of its own slots, in the language of
 * its own device; all lay out an instance the same way and share one numbering of delays; and an unsuitable device is
 * refused with a message that gives the right options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/kernel/fixture.h"

static const char two_devices[] =
    "OPENCL MP\n"
    "{ x = 0; y = 0; }\n"
    "P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
    "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_all_svm_devices);\n"
    "  atomic_store_explicit(y, 1, memory_order_release, memory_scope_all_svm_devices);\n"
    "}\n"
    "P1@wg 0, dev 1 (global atomic_int* x, global atomic_int* y) {\n"
    "  int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_all_svm_devices);\n"
    "  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_all_svm_devices);\n"
    "}\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

static const char two_gpus[] = "PTX MP\n"
                               "{ x = 0; y = 0; }\n"
                               "P0@cta 0,gpu 0     | P1@cta 0,gpu 1         | P2@cta 1,gpu 0        ;\n"
                               "st.relaxed.sys x,1 | ld.acquire.sys r0,y    | ld.relaxed.sys r0,x   ;\n"
                               "fence.acq_rel.sys  | fence.sc.sys           |                       ;\n"
                               "st.relaxed.sys y,1 | ld.relaxed.sys r1,x    |                       ;\n"
                               "exists (1:r0=1 /\\ 1:r1=0 /\\ 2:r0=1)\n";

/* An ensemble of two devices that take these lowerings. */
struct ensemble {
    struct backend_device members[BACKEND_MAXIMUM_MEMBERS], device;
};

static void make_ensemble(const char *first, const char *second, bool host, struct ensemble *ensemble)
{
    *ensemble = (struct ensemble){.members = {fixture_device(first), fixture_device(second)}};
    ensemble->members[1].index = 1;
    if (host) {
        ensemble->members[1].gpu = false;
        ensemble->members[1].sub_group_size = 1;
    }
    ensemble->device = (struct backend_device){.backend = "ensemble",
                                               .gpu = true,
                                               .member_count = 2,
                                               .members = ensemble->members,
                                               .host = host,
                                               .homes = 7,
                                               .atomic_homes = 7,
                                               .links = "pinned memory, no native atomics"};
    (void)snprintf(ensemble->device.name, sizeof ensemble->device.name, "fixture + fixture");
}

static void generate(const struct litmus_test *test, const struct backend_device *device, bool delays,
                     struct kernel kernels[LITMUS_MAXIMUM_AGENTS], unsigned expected)
{
    struct error error;
    unsigned agents;
    if (kernel_generate_agents(test, device, NULL, delays, kernels, &agents, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(agents, expected);
}

static void release(struct kernel kernels[LITMUS_MAXIMUM_AGENTS])
{
    for (unsigned agent = 0; agent < LITMUS_MAXIMUM_AGENTS; agent++)
        kernel_release(&kernels[agent]);
}

static bool has(const struct kernel *kernel, const char *words)
{
    return strstr(kernel->source, words) != NULL;
}

static void each_agent_has_its_own_slots(void **state)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct litmus_test *test = fixture_parse("MP", two_gpus);
    struct ensemble ensemble;
    (void)state;
    make_ensemble("ptx", "ptx", false, &ensemble);
    ensemble.members[1].driver[0] = 'x'; /* equal devices would share a kernel */
    generate(test, &ensemble.device, false, kernels, 2);
    assert_true(has(&kernels[0], "#define AGENTS 2u\n#define AGENT 0u\n"));
    assert_true(has(&kernels[1], "#define AGENTS 2u\n#define AGENT 1u\n"));
    for (unsigned agent = 0; agent < 2; agent++) {
        assert_true(has(&kernels[agent], "#define SLOTS_OF(agent) ((agent) == 0u ? 2u : 1u)\n"
                                         "#define MEMBERS_BEFORE(agent) ((agent) == 0u ? 0u : 2u)\n"
                                         "#define AGENT_OF(member) ((member) < 2u ? 0u : 1u)\n"));
        assert_int_equal(has(&kernels[agent], "void play_0("), agent == 0);
        assert_int_equal(has(&kernels[agent], "void play_1("), agent == 1);
        assert_int_equal(has(&kernels[agent], "void play_2("), agent == 0);
        assert_int_equal(kernels[agent].agent, agent);
        assert_int_equal(kernels[agent].agents, 2);
        assert_int_equal(kernels[agent].slots, 3);
        assert_int_equal(kernels[agent].agent_of_slot[1], 1);
        assert_int_equal(kernels[agent].counter_words, kernels[0].counter_words);
        assert_string_equal(kernels[agent].location_names[1], "y");
        assert_int_equal(kernels[agent].step_count, agent == 0 ? 4 : 3);
    }
    /* The first agent's slots come first. */
    assert_true(has(&kernels[0], "if (slot == 0)\n        play_0(") &&
                has(&kernels[0], "if (slot == 1)\n        play_2("));
    assert_true(has(&kernels[1], "if (slot == 2)\n        play_1("));
    release(kernels);
    litmus_release(test);
}

/* Agents on equal devices have the same text, so that it is compiled once; it has the threads of both. */
static void equal_devices_share_a_kernel(void **state)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct litmus_test *test = fixture_parse("MP", two_gpus);
    struct ensemble ensemble;
    (void)state;
    make_ensemble("ptx", "ptx", false, &ensemble);
    generate(test, &ensemble.device, false, kernels, 2);
    assert_string_equal(kernels[0].source, kernels[1].source);
    assert_int_equal(kernels[0].agent + 2 * kernels[1].agent, 2);
    assert_true(has(&kernels[0], "#define AGENTS 2u\n#define AGENT draw[draw[DRAW_DISTANCES]]\n"));
    assert_true(has(&kernels[0], "if (slot == 0)\n        play_0(") &&
                has(&kernels[0], "if (slot == 2)\n        play_1(") &&
                has(&kernels[0], "if (slot == 1)\n        play_2("));
    assert_int_equal(kernels[0].step_count, 7);
    release(kernels);
    litmus_release(test);
}

static void one_agent_has_the_kernel_that_it_had(void **state)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS], alone;
    const struct backend_device device = fixture_device("ptx");
    struct litmus_test *test = fixture_parse("SB", "PTX SB\n{ x = 0; y = 0; }\nP0@cta 0 | P1@cta 1 ;\n"
                                                   "st.relaxed.gpu x,1 | st.relaxed.gpu y,1 ;\n"
                                                   "ld.relaxed.gpu r0,y | ld.relaxed.gpu r0,x ;\n"
                                                   "exists (0:r0=0 /\\ 1:r0=0)\n");
    struct error error;
    (void)state;
    generate(test, &device, true, kernels, 1);
    assert_int_equal(kernel_generate(test, &device, NULL, true, &alone, &error), STATUS_OK);
    assert_string_equal(kernels[0].source, alone.source);
    assert_true(has(&alone, "#define AGENTS 1u\n"));
    assert_false(has(&alone, "#define SEVERAL_AGENTS"));
    assert_int_equal(alone.agents, 1);
    assert_null(alone.location_names);
    kernel_release(&alone);
    release(kernels);
    litmus_release(test);
}

/* A host thread of a PTX test is C11 at system scope, on a device that does not take PTX; the other thread is PTX. */
static void the_host_is_c11_in_any_language(void **state)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct litmus_test *test = fixture_parse("MP", two_gpus);
    struct ensemble ensemble;
    (void)state;
    test->threads[1].placement =
        (struct litmus_placement){LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, true};
    make_ensemble("ptx", "c11", true, &ensemble);
    generate(test, &ensemble.device, false, kernels, 2);
    assert_string_equal(kernel_lowering_name(&kernels[0]), "ptx");
    assert_string_equal(kernel_lowering_name(&kernels[1]), "c11");
    assert_true(has(&kernels[0], "st.relaxed.sys"));
    assert_true(has(&kernels[1], "memory_order_acquire, memory_scope_all_svm_devices)"));
    assert_true(has(&kernels[1], "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
                                 "memory_scope_all_svm_devices)"));
    assert_false(has(&kernels[1], "asm"));
    assert_string_equal(kernel_usual_lowering(test, &ensemble.device), "ptx");
    release(kernels);
    litmus_release(test);
}

static void delays_have_one_numbering(void **state)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct litmus_test *test = fixture_parse("MP", two_gpus);
    struct ensemble ensemble;
    (void)state;
    make_ensemble("ptx", "ptx", false, &ensemble);
    ensemble.members[1].driver[0] = 'x';
    generate(test, &ensemble.device, true, kernels, 2);
    for (unsigned agent = 0; agent < 2; agent++) {
        assert_int_equal(kernels[agent].delay_sites, 7);
        assert_int_equal(kernels[agent].certain_sites, 0x7f);
        for (unsigned site = 0; site < 7; site++) {
            char call[48];
            (void)snprintf(call, sizeof call, "delay(MEMORY_ARGUMENTS, delays, %uu);", site);
            assert_int_equal(has(&kernels[agent], call), agent == (site >= 3 && site < 6));
        }
    }
    release(kernels);
    litmus_release(test);
}

/* Without system scope, the meetings of the agents use undeclared orders. */
static void meetings_need_system_scope(void **state)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct litmus_test *test = fixture_parse("MP", two_devices);
    struct ensemble ensemble;
    (void)state;
    make_ensemble("c11", "c11", false, &ensemble);
    ensemble.members[1].atomic_scopes &= ~(unsigned)BACKEND_SCOPE_ALL_DEVICES;
    generate(test, &ensemble.device, false, kernels, 2);
    assert_false(kernels[0].undeclared);
    assert_true(kernels[1].undeclared);
    release(kernels);
    litmus_release(test);
}

static void check_refused(const struct litmus_test *test, const struct backend_device *device, const char *reason)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct error error;
    unsigned agents;
    assert_int_equal(kernel_generate_agents(test, device, NULL, false, kernels, &agents, &error), STATUS_UNSUPPORTED);
    assert_string_equal(error.text, reason);
    for (unsigned agent = 0; agent < LITMUS_MAXIMUM_AGENTS; agent++)
        assert_null(kernels[agent].source);
}

static void wrong_devices_are_refused(void **state)
{
    struct litmus_test *test = fixture_parse("MP", two_devices);
    struct backend_device device = fixture_device("c11");
    struct ensemble ensemble;
    (void)state;
    check_refused(test, &device, "the test needs 2 devices at once: --device simulated:0+simulated:1");
    make_ensemble("c11", "c11", true, &ensemble);
    check_refused(test, &ensemble.device, "the test needs 2 devices at once: --device simulated:0+simulated:1");
    ensemble.device.host = false;
    ensemble.device.member_count = 3;
    check_refused(test, &ensemble.device, "the test needs 2 devices at once: --device simulated:0+simulated:1");
    make_ensemble("c11", "none", false, &ensemble);
    check_refused(test, &ensemble.device,
                  "an OPENCL test cannot run on fixture: the device takes neither OpenCL C nor inline PTX");

    test->threads[1].placement =
        (struct litmus_placement){LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, false};
    check_refused(test, &device, "P1 is placed on no device, but P0 is: write, for example, P1@wg 1, dev 0");
    test->threads[1].placement.work_group = 3;
    check_refused(test, &device, "P1 is placed on no device, but P0 is: write, for example, P1@wg 3, dev 0");
    test->threads[1].placement =
        (struct litmus_placement){LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, true};
    check_refused(test, &device, "the test needs 1 device and the host: --device simulated:0+host");
    make_ensemble("c11", "ptx", true, &ensemble);
    check_refused(test, &ensemble.device,
                  "the test's host threads cannot run on fixture: they need OpenCL C 2.0 or later");
    test->threads[0].placement.host = true;
    check_refused(test, &device, "all threads of the test belong to the host, but fixture is a GPU");
    test->threads[0].placement.host = test->threads[1].placement.host = false;
    test->threads[1].placement = test->threads[0].placement;
    check_refused(test, &ensemble.device, "the test names one device: run the test with --device simulated:0");
    litmus_release(test);
}

/* What several agents cannot have is refused, and what they can have is not: groups with an item for each thread,
 * asynchronous copies between devices, and the read-only path in launches of their own. */
static void what_one_device_alone_has_is_refused(void **state)
{
#define BULK "cp.async.bulk.global.shared::cta.bulk_group [x], [s], 16"
    static const struct {
        bool host;
        const char *text, *reason;
    } cases[] = {
        {false,
         "OPENCL t\n{ x = 0; }\nP0@sg 0, wg 0, dev 0 (global int* x) { *x = 1; }\n"
         "P1@sg 1, wg 0, dev 0 (global int* x) { *x = 1; }\n"
         "P2@wg 0, dev 1 (global int* x) { int r0 = *x; }\nexists (2:r0=1)\n",
         "the test places threads in sub-groups, which have 32 items on fixture and 1 on fixture: devices can run a "
         "test together only if their sub-groups have the same size"},
        {false,
         "OPENCL t\n{ x = 0; }\nP0..P3@wg 0, dev 0 (global int* x) { *x = 1; }\n"
         "P4@wg 0, dev 1 (global int* x) { int r0 = *x; }\nexists (4:r0=1)\n",
         NULL},
        {false,
         "PTX t\n{ unsigned x = 0; }\nP0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\nst.weak x,1 | ld.global.nc.u32 r0,[x] ;\n"
         "exists (1:r0=1)\n",
         "the test needs paths to memory other than its address, which threads of several devices cannot have"},
        {false,
         "PTX t\n{ unsigned x = 0; }\nP0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\nst.weak x,1 | ld.global.nc.u32 r0,[x] ;\n"
         "P1 beside P0\nexists (1:r0=1)\n",
         NULL},
        {false,
         "PTX t\n{ unsigned x = 0; shared unsigned s = 1; }\nP0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\n" BULK
         " | ld.relaxed.sys r0,x ;\nexists (1:r0=1)\n",
         NULL},
        {true,
         "PTX t\n{ unsigned x = 0; shared unsigned s = 1; }\nP0@cta 0,gpu 0 | P1@host ;\n" BULK
         " | r0 = *x ;\nexists (1:r0=1)\n",
         "the test needs asynchronous operations, which threads of a device and the host cannot have"},
    };
#undef BULK
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct ensemble ensemble;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct litmus_test *test = fixture_parse("t", cases[i].text);
        const char *lowering = test->dialect == LITMUS_PTX ? "ptx" : "c11";
        make_ensemble(lowering, cases[i].host ? "c11" : lowering, cases[i].host, &ensemble);
        ensemble.members[1].sub_group_size = 1;
        ensemble.device.edges = 1U << LAUNCH_EDGE_BESIDE;
        if (cases[i].reason) {
            check_refused(test, &ensemble.device, cases[i].reason);
        } else {
            generate(test, &ensemble.device, false, kernels, 2);
            /* The first agent's slots come first, also in what warms caches. */
            assert_int_equal(has(&kernels[1], "if (slot == 1)\n        cells = warm_1("),
                             has(&kernels[1], "#define WARMS"));
            release(kernels);
        }
        litmus_release(test);
    }
    struct litmus_test *test = fixture_parse("t", cases[0].text);
    make_ensemble("c11", "c11", false, &ensemble);
    ensemble.members[1].sub_group_size = 64; /* of which the test's threads need no more than of 32 */
    check_refused(
        test, &ensemble.device,
        "the test places threads in sub-groups, which have 32 items on fixture and 64 on fixture: devices can "
        "run a test together only if their sub-groups have the same size");
    litmus_release(test);
}

/* Devices that count in the same location need memory where both are atomic. With the host, the model does not treat
 * them as atomic. */
static void counts_need_native_atomics(void **state)
{
    static const char text[] = "PTX counts\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@%s ;\n"
                               " atom.relaxed.sys.add r0, x, 1 | %s ;\n st.relaxed.sys y, 1 | ;\nexists (x=1)\n";
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct ensemble ensemble;
    struct text gpus = {0}, host = {0};
    (void)state;
    text_add(&gpus, text, "cta 0,gpu 1", "red.relaxed.sys.add x, 1");
    text_add(&host, text, "host", "atomic_fetch_add_explicit(x, 1, memory_order_relaxed)");
    struct litmus_test *test = fixture_parse("counts", text_string(&gpus));
    make_ensemble("ptx", "ptx", false, &ensemble);
    generate(test, &ensemble.device, false, kernels, 2);
    assert_true(kernels[0].atomic_locations[0]);
    assert_false(kernels[0].atomic_locations[1]);
    release(kernels);
    ensemble.device.atomic_homes = 0;
    check_refused(test, &ensemble.device,
                  "x needs read-modify-writes that are atomic between devices, and the links of fixture + fixture "
                  "lack them (pinned memory, no native atomics)");
    litmus_release(test);
    test = fixture_parse("counts", text_string(&host));
    make_ensemble("ptx", "c11", true, &ensemble);
    ensemble.device.atomic_homes = 0;
    generate(test, &ensemble.device, false, kernels, 2);
    assert_false(kernels[0].atomic_locations[0]);
    release(kernels);
    litmus_release(test);
    text_release(&gpus);
    text_release(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_agent_has_its_own_slots),
        cmocka_unit_test(equal_devices_share_a_kernel),
        cmocka_unit_test(one_agent_has_the_kernel_that_it_had),
        cmocka_unit_test(the_host_is_c11_in_any_language),
        cmocka_unit_test(delays_have_one_numbering),
        cmocka_unit_test(meetings_need_system_scope),
        cmocka_unit_test(wrong_devices_are_refused),
        cmocka_unit_test(what_one_device_alone_has_is_refused),
        cmocka_unit_test(counts_need_native_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
