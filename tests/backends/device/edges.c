// SPDX-License-Identifier: Apache-2.0
/* Values passed from launch to launch. */
#include "tests/backends/device/edges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* According to draw[0], a launch writes numbers from draw[1] on, adds 1 to each word, or counts the words that have the
 * expected value after draw[2] additions. The words belong to another group, so no group has them in its own cache. */
static const char kernel[] = "ENTRY(draw, memory, scratch, counters, local_memory)\n"
                             "{\n"
                             "    const u32 words = draw[3], me = GROUP * GROUP_SIZE + LANE, other = words - 1 - me;\n"
                             "    if (draw[0] == 0)\n"
                             "        memory[me] = draw[1] + me;\n"
                             "    else if (draw[0] == 1)\n"
                             "        memory[other] = memory[other] + 1;\n"
                             "    else if (memory[other] == draw[1] + other + draw[2])\n"
                             "        add(counters, 0, 1);\n"
                             "    add(counters, 1, 1);\n"
                             "}\n";

enum { GROUPS = 8, SIZE = 8, WORDS = GROUPS * SIZE, COUNTERS = 2, DRAW = 4 };
enum { WRITE, ADD, COUNT };

struct place {
    const struct backend *backend;
    const struct backend_device *device;
    struct backend_session *session;
    struct backend_program *program;
    uint32_t first; /* the next number to write: no play sees values of an earlier one */
};

static enum status play(struct place *place, const uint32_t *roles, const struct backend_step *edges, size_t count,
                        uint32_t *counters, struct error *error)
{
    uint32_t draws[BACKEND_MAXIMUM_STEPS][DRAW];
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    double seconds = -1;
    uint32_t additions = 0;
    place->first += 1000;
    for (size_t k = 0; k < count; k++) {
        const uint32_t draw[DRAW] = {roles[k], place->first, additions, WORDS};
        memcpy(draws[k], draw, sizeof draw);
        additions += roles[k] == ADD;
        steps[k] = edges[k];
        steps[k].draw = draws[k];
    }
    const struct backend_launch launch = {.groups = GROUPS,
                                          .group_size = SIZE,
                                          .draw_words = DRAW,
                                          .memory_words = WORDS,
                                          .counter_words = COUNTERS,
                                          .clear_counters = true,
                                          .counters = counters,
                                          .read_words = COUNTERS};
    memset(counters, 0xff, COUNTERS * sizeof *counters);
    const enum status status =
        place->backend->play(place->session, place->program, &launch, steps, count, &seconds, error);
    assert_true(seconds >= 0);
    return status;
}

static void expect(struct place *place, const uint32_t *roles, const struct backend_step *edges, size_t count)
{
    uint32_t counters[COUNTERS];
    struct error error = {0};
    if (play(place, roles, edges, count, counters, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    if (counters[0] != WORDS || counters[1] != count * WORDS)
        fail_msg("%zu launches, the last of them after %#x by %s: %u words are right of %d, by %u items", count,
                 edges[count - 1].after, launch_edge_word(edges[count - 1].edges[count - 2]), counters[0], WORDS,
                 counters[1]);
}

/* A pair, a chain, and an addition that both of its edges order between two launches. */
static void check_edge(struct place *place, enum launch_edge edge)
{
    static const uint32_t pair[] = {WRITE, COUNT}, chain[] = {WRITE, ADD, ADD, COUNT};
    const struct backend_step two[] = {{0}, {.after = 1, .edges = {edge}}};
    const struct backend_step four[] = {{0},
                                        {.after = 1, .edges = {edge}},
                                        {.after = 2, .edges = {[1] = edge}},
                                        {.after = 6, .edges = {[1] = edge, [2] = edge}}};
    uint32_t counters[COUNTERS];
    struct error error = {0};
    if (place->device->edges >> edge & 1) {
        for (int i = 0; i < 20; i++) {
            expect(place, pair, two, 2);
            expect(place, chain, four, 4);
        }
        return;
    }
    assert_int_equal(play(place, pair, two, 2, counters, &error), STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, launch_edge_word(edge)));
    assert_non_null(strstr(error.text, place->device->name));
}

/* Two unordered launches, and a third one after both. */
static void check_beside(struct place *place)
{
    static const uint32_t roles[] = {WRITE, WRITE, COUNT};
    const struct backend_step steps[] = {{0}, {0}, {.after = 3, .edges = {LAUNCH_EDGE_EVENT, LAUNCH_EDGE_HOST}}};
    assert_true(place->device->edges >> LAUNCH_EDGE_BESIDE & 1);
    for (int i = 0; i < 20; i++)
        expect(place, roles, steps, 3);
}

/* The draws of a play leave the program's own draw unchanged, and counters that are not cleared continue. */
static void check_launch_after(struct place *place)
{
    const uint32_t draw[DRAW] = {COUNT, place->first, 0, WORDS};
    uint32_t counters[COUNTERS];
    struct error error = {0};
    double seconds;
    const struct backend_launch launch = {.groups = GROUPS,
                                          .group_size = SIZE,
                                          .draw = draw,
                                          .draw_words = DRAW,
                                          .memory_words = WORDS,
                                          .counter_words = COUNTERS,
                                          .counters = counters,
                                          .read_words = COUNTERS};
    assert_int_equal(place->backend->launch(place->session, place->program, &launch, &seconds, &error), STATUS_OK);
    assert_int_equal(counters[0], 2 * WORDS);
    assert_int_equal(counters[1], 4 * WORDS);
}

void edges_check(const struct backend *backend, const struct backend_device *device, struct backend_session *session)
{
    const struct backend_source source = {.name = "T", .kernel = kernel};
    struct place place = {backend, device, session, NULL, 0};
    struct text log = {0}, binary = {0};
    struct error error = {0};
    if (backend_build(backend, session, &source, &place.program, &log, &binary, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(&log));
    for (unsigned edge = LAUNCH_EDGE_BESIDE + 1; edge < LAUNCH_EDGE_COUNT; edge++)
        check_edge(&place, (enum launch_edge)edge);
    check_beside(&place);
    check_launch_after(&place);
    backend->release(session, place.program);
    text_release(&log);
    text_release(&binary);
}
