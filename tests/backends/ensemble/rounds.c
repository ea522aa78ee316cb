// SPDX-License-Identifier: Apache-2.0
/* The kernels of rounds.h, for all preludes. */
#include "tests/backends/ensemble/rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* Each member's round ends when it has seen the other member. Member 0 writes x before it announces itself, and member
 * 1 then reads x. */
static const char head[] =
    "ENTRY(draw, memory, scratch, counters, local_memory)\n"
    "{\n"
    "    const u32 home = 3 + 2 * draw[1];\n"
    "    volatile GLOBAL u32 *x = memory + (LONG)(draw[home] | (u64)draw[home + 1] << 32) + 70;\n"
    "    if (LANE != 0 || GROUP != 0)\n"
    "        return;\n"
    "    counters[2] = memory[32 * AGENT] != 0;\n"
    "    counters[3] = memory[64 + AGENT]++;\n"
    "    if (AGENT == 0)\n"
    "        counters[4] = *x;\n"
    "    for (u32 round = 1; round <= draw[0]; round++) {\n"
    "        u32 polls = 0;\n"
    "        if (AGENT == 0)\n"
    "            *x = round;\n"
    "        signal(memory, 32 * AGENT, round);\n"
    "        while (signalled(memory, 32 * (1 - AGENT)) < round)\n"
    "            if (++polls == (1 << 28))\n"
    "                return;\n"
    "        counters[0]++;\n"
    "        counters[1] += AGENT == 1 && *x < round;\n"
    "    }\n"
    "}\n";

static const struct backend *const backend = &ensemble_backend;
struct backend_session *rounds_session;
struct backend_device rounds_device;

void rounds_open(const char *spec)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    if (ensemble_define(spec, &error) != STATUS_OK || backend->list(&devices, &count, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(count, 1);
    rounds_device = devices[0];
    free(devices);
    if (backend_open(backend, 0, &rounds_session, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

struct backend_program *rounds_try_build(const char *second, struct text *log, enum status expected,
                                         struct error *error)
{
    struct text kernels[2] = {{0}}, binary = {0};
    struct backend_program *program;
    text_add(&kernels[0], "#define AGENT 0\n%s", head);
    text_add(&kernels[1], "#define AGENT 1\n%s", second);
    const struct backend_source members[] = {{.name = "T", .kernel = text_string(&kernels[0])},
                                             {.name = "T", .kernel = text_string(&kernels[1])}};
    const struct backend_source source = {.name = "T", .members = members, .member_count = 2};
    const enum status status = backend_build(backend, rounds_session, &source, &program, log, &binary, error);
    if (status != expected)
        fail_msg("%s\n%s", error->text, text_string(log));
    text_release(&kernels[0]);
    text_release(&kernels[1]);
    text_release(&binary);
    return program;
}

struct backend_program *rounds_build(void)
{
    struct text log = {0};
    struct error error = {0};
    struct backend_program *program = rounds_try_build(head, &log, STATUS_OK, &error);
    text_release(&log);
    return program;
}

struct backend_launch rounds_launch_of(const uint32_t *draw, uint32_t *counters)
{
    return (struct backend_launch){.group_size = 1,
                                   .member_groups = {1, 1},
                                   .draw = draw,
                                   .draw_words = DRAW_SIZE,
                                   .memory_words = MEMORY_WORDS,
                                   .meeting_words = MEETING_WORDS,
                                   .home_words = 1024,
                                   .homes = rounds_device.homes,
                                   .homes_place = DRAW_PLACES,
                                   .counter_words = COUNTER_WORDS,
                                   .clear_counters = true,
                                   .counters = counters,
                                   .read_words = COUNTER_WORDS};
}

void rounds_launch(struct backend_program *program, const struct backend_launch *how)
{
    struct error error = {0};
    double seconds = -1;
    if (backend->launch(rounds_session, program, how, &seconds, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_true(seconds > 0);
}

/* PoCL compiles for a group size at its first launch, which may take longer than the other member polls. */
void rounds_warm_up(struct backend_program *program)
{
    static const uint32_t draw[DRAW_SIZE];
    uint32_t counters[2][COUNTER_WORDS];
    const struct backend_launch how = rounds_launch_of(draw, counters[0]);
    rounds_launch(program, &how);
}

/* Rounds with x in each home: both members meet in every round, and the second sees what the first wrote. */
void rounds_play(struct backend_program *program, unsigned played)
{
    for (unsigned home = 0, launches = 0; home <= rounds_device.member_count; home++) {
        const uint32_t draw[DRAW_SIZE] = {[DRAW_ROUND_COUNT] = ROUND_COUNT, [DRAW_HOME_OF_X] = home};
        uint32_t counters[2][COUNTER_WORDS];
        if (!(rounds_device.homes >> home & 1))
            continue;
        const struct backend_launch how = rounds_launch_of(draw, counters[0]);
        memset(counters, 0xff, sizeof counters);
        rounds_launch(program, &how);
        for (int member = 0; member < 2; member++) {
            assert_int_equal(counters[member][MET], ROUND_COUNT);
            assert_int_equal(counters[member][STALE], 0);
            assert_int_equal(counters[member][NOT_ZERO], 0);
        }
        /* The words after those where members meet are kept, and each home has its own x. */
        assert_true(counters[0][FIRST_RESULT] >= launches && counters[1][FIRST_RESULT] >= launches);
        assert_int_equal(counters[0][FIRST_X], played > 0 ? ROUND_COUNT : 0);
        launches++;
    }
}

void rounds_pass_on(enum launch_edge between)
{
    static const char kernel[] = "ENTRY(draw, memory, scratch, counters, local_memory)\n"
                                 "{\n"
                                 "    if (memory[70] == draw[0])\n"
                                 "        counters[0]++;\n"
                                 "    memory[70] = draw[1];\n"
                                 "}\n";
    const struct backend_source own = {.name = "T", .kernel = kernel};
    const struct backend_source members[] = {own, own};
    const struct backend_source source = {.name = "T", .members = members, .member_count = 2};
    uint32_t draws[4][DRAW_SIZE] = {{0}}, counters[2][COUNTER_WORDS];
    const struct backend_step steps[] = {
        {.draw = draws[0], .member = 0},
        {.draw = draws[1], .member = 1, .after = 1, .edges = {between}},
        {.draw = draws[2], .member = 1, .after = 2, .edges = {[1] = LAUNCH_EDGE_EVENT}},
        {.draw = draws[3], .member = 0, .after = 4, .edges = {[2] = between}}};
    struct text log = {0}, binary = {0};
    struct error error = {0};
    struct backend_program *program;
    double seconds;
    if (backend_build(backend, rounds_session, &source, &program, &log, &binary, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(&log));
    const struct backend_launch how = rounds_launch_of(NULL, counters[0]);
    for (uint32_t value = 0; value < 200; value += 4) {
        for (uint32_t k = 0; k < 4; k++) {
            draws[k][0] = value + k;
            draws[k][1] = value + k + 1;
        }
        if (backend->play(rounds_session, program, &how, steps, 4, &seconds, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(counters[0][0], 2);
        assert_int_equal(counters[1][0], 2);
    }
    text_release(&log);
    text_release(&binary);
    backend->release(rounds_session, program);
}
