// SPDX-License-Identifier: Apache-2.0
/* Protects the plan of a play: launches share a queue only if their edges ask for one, the host waits last, and steps
 * are refused if no queues can order them as they say, or if the device lacks an edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/steps.h"
#include "base/text.h"

/* The edge of a word; BESIDE if there is none. */
static enum launch_edge edge_of(const char *word)
{
    for (unsigned edge = LAUNCH_EDGE_BESIDE + 1; edge < LAUNCH_EDGE_COUNT; edge++)
        if (strcmp(launch_edge_word((enum launch_edge)edge), word) == 0)
            return (enum launch_edge)edge;
    return LAUNCH_EDGE_BESIDE;
}

/* The steps of "0>1 queue, 0>2 event"; the digit before them is their number. */
static size_t read_steps(const char *text, struct backend_step *steps)
{
    const size_t count = (size_t)(text[0] - '0');
    memset(steps, 0, count * sizeof *steps);
    for (const char *at = strchr(text, '>'); at; at = strchr(at + 1, '>')) {
        char word[16];
        const unsigned from = (unsigned)(at[-1] - '0'), to = (unsigned)(at[1] - '0');
        assert_int_equal(sscanf(at + 3, "%15[a-z]", word), 1);
        steps[to].after |= 1u << from;
        steps[to].edges[from] = edge_of(word);
        assert_int_not_equal(steps[to].edges[from], LAUNCH_EDGE_BESIDE);
    }
    return count;
}

/* "queues a a b; given 0 1 2; beside": X and Y are out of order. */
static void describe(const struct steps_plan *plan, struct text *text)
{
    unsigned given = 0;
    text_add(text, "queues");
    for (unsigned k = 0; k < plan->count; k++)
        text_add(text, " %c", (plan->out_of_order >> plan->queue[k] & 1 ? 'X' : 'a') + (char)plan->queue[k]);
    text_add(text, "; given");
    for (unsigned i = 0; i < plan->count; i++) {
        const unsigned next = steps_next(plan, given);
        assert_true(next < plan->count && !(given >> next & 1));
        text_add(text, " %u", next);
        given |= 1u << next;
    }
    text_add(text, "%s%s", plan->beside ? "; beside" : "", plan->graph ? "; graph" : "");
}

static const struct backend_device device = {.backend = "opencl", .name = "D", .edges = STEPS_ALL};

static void test_plans(void **state)
{
    static const struct {
        const char *steps, *expected;
    } cases[] = {
        {"1:", "queues a; given 0"},
        {"2:", "queues a b; given 0 1; beside"},
        {"2: 0>1 queue", "queues a a; given 0 1"},
        {"2: 0>1 event", "queues a b; given 0 1"},
        {"2: 0>1 host", "queues a b; given 0 1"},
        {"2: 0>1 map", "queues a a; given 0 1"},
        {"2: 0>1 copy", "queues a a; given 0 1"},
        {"2: 0>1 barrier", "queues X X; given 0 1"},
        {"2: 0>1 graph", "queues a b; given 0 1; graph"},
        {"2: 0>1 programmatic", "queues a a; given 0 1; beside"},
        {"3: 0>1 programmatic, 1>2 queue", "queues a a a; given 0 1 2; beside"},
        {"3: 0>1 queue, 1>2 event", "queues a a b; given 0 1 2"},
        {"3: 0>2 event, 1>2 event", "queues a b c; given 0 1 2; beside"},
        {"3: 0>2 queue, 1>2 event", "queues a b a; given 0 1 2; beside"},
        {"3: 0>1 host", "queues a b c; given 0 2 1; beside"}, /* the driver gets 2 before the host waits */
        {"4: 0>1 host, 0>2 map", "queues a b a c; given 0 3 1 2; beside"},
        {"3: 0>1 host, 1>2 queue", "queues a b b; given 0 1 2"},
        {"3: 0>1 barrier, 0>2 barrier", "queues X X X; given 0 1 2; beside"},
        {"4: 0>1 barrier, 2>3 barrier", "queues X X Y Y; given 0 1 2 3; beside"},
        {"3: 0>1 graph", "queues a b c; given 0 1 2; beside; graph"},
        {"4: 0>1 queue, 2>3 queue, 1>3 event", "queues a a b b; given 0 1 2 3; beside"},
        {"4: 1>3 queue, 0>3 copy, 0>1 host", "queues a a b a; given 0 2 1 3; beside"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct backend_step steps[BACKEND_MAXIMUM_STEPS];
        struct steps_plan plan;
        struct error error = {0};
        struct text text = {0};
        const size_t count = read_steps(cases[i].steps, steps);
        if (steps_plan(&device, &(struct backend_launch){0}, steps, count, &plan, &error) != STATUS_OK)
            fail_msg("%s: %s", cases[i].steps, error.text);
        describe(&plan, &text);
        if (strcmp(text_string(&text), cases[i].expected) != 0)
            fail_msg("%s: %s", cases[i].steps, text_string(&text));
        text_release(&text);
    }
}

static void test_refused(void **state)
{
    static const struct {
        const char *steps;
        unsigned edges;
        uint64_t memory_address;
        const char *expected;
    } cases[] = {
        {"2: 0>1 map", STEPS_QUEUE | STEPS_HOST, 0, "opencl:0 (D) has no 'map' between launches; it has: queue, host"},
        {"3: 0>1 map, 0>2 copy", STEPS_BESIDE, 0, "opencl:0 (D) has no 'map, copy' between launches; it has: beside"},
        {"2:", 0, 0, "opencl:0 (D) has no 'beside' between launches; it has: nothing"},
        {"2: 0>1 copy", STEPS_QUEUE | STEPS_COPY, 4096,
         "opencl:0 (D) has no 'copy' between launches on memory that members share; it has: queue"},
        {"3: 0>1 graph, 1>2 queue", STEPS_ALL, 0, "a graph has either all edges of a play or none"},
        {"3: 0>1 queue, 1>2 queue, 0>2 event", STEPS_ALL, 0,
         "the edges of the test put launches 0 and 2 into one queue, but an event is between two queues"},
        {"3: 0>1 queue, 0>2 queue", STEPS_ALL, 0,
         "the edges of the test put launches 1 and 2 into one queue, but nothing orders them"},
        {"3: 0>1 barrier, 1>2 queue", STEPS_ALL, 0,
         "the edges of the test put launches 1 and 2 into one queue, but that queue is out of order, and the edge between them is not a barrier"},
        {"4: 0>2 barrier, 1>2 barrier, 1>3 barrier", STEPS_ALL, 0,
         "the edges of the test put launches 0 and 3 into one queue, but the barrier of one launch would order the "
         "other"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct backend_step steps[BACKEND_MAXIMUM_STEPS];
        struct steps_plan plan;
        struct error error = {0};
        struct backend_device lacking = device;
        const struct backend_launch launch = {.memory_address = cases[i].memory_address};
        const size_t count = read_steps(cases[i].steps, steps);
        lacking.edges = cases[i].edges;
        assert_int_equal(steps_plan(&lacking, &launch, steps, count, &plan, &error), STATUS_UNSUPPORTED);
        assert_string_equal(error.text, cases[i].expected);
    }
}

/* If events are relayed, steps come in their order, even those for which the host waits; a graph has no such events. */
static void test_relayed(void **state)
{
    static struct relay *const some = (struct relay *)(uintptr_t)&device; /* nobody reads it */
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    struct steps_plan plan;
    struct error error = {0};
    struct text text = {0};
    (void)state;
    size_t count = read_steps("3: 0>1 host", steps);
    steps[2].awaits[0] = some;
    assert_int_equal(steps_plan(&device, &(struct backend_launch){0}, steps, count, &plan, &error), STATUS_OK);
    describe(&plan, &text);
    assert_string_equal(text_string(&text), "queues a b c; given 0 1 2; beside");
    text_release(&text);
    count = read_steps("2: 0>1 graph", steps);
    steps[1].gives = some;
    assert_int_equal(steps_plan(&device, &(struct backend_launch){0}, steps, count, &plan, &error), STATUS_UNSUPPORTED);
    assert_string_equal(error.text, "a graph has no events between members");
}

/* Requests that a caller must not make. */
static void test_contradictions(void **state)
{
    static const struct {
        struct backend_step second;
        size_t count;
        const char *expected;
    } cases[] = {
        {{0}, 0, "a play has 0 steps; expected 1 to 8"},
        {{0}, 9, "a play has 9 steps; expected 1 to 8"},
        {{.after = 2}, 2, "step 1 of a play comes after itself or a later one"},
        {{.after = 4}, 3, "step 1 of a play comes after itself or a later one"},
        {{.after = 1}, 2, "step 1 of a play comes after step 0 without an edge"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct backend_step steps[9] = {{0}, cases[i].second};
        struct steps_plan plan;
        struct error error = {0};
        assert_int_equal(steps_plan(&device, &(struct backend_launch){0}, steps, cases[i].count, &plan, &error),
                         STATUS_INTERNAL);
        assert_string_equal(error.text, cases[i].expected);
    }
}

/* The reader of tests and the player of steps agree on which calls share a queue. */
static void queues_are_shared_by_the_same_calls(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < LAUNCH_EDGE_COUNT; kind++)
        assert_int_equal(launch_edge_shares_queue((enum launch_edge)kind), STEPS_SAME_QUEUE >> kind & 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),          cmocka_unit_test(test_refused),
        cmocka_unit_test(test_relayed),        cmocka_unit_test(queues_are_shared_by_the_same_calls),
        cmocka_unit_test(test_contradictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
