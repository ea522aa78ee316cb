// SPDX-License-Identifier: Apache-2.0
/* Protects how an ensemble plays, with members that record what they are given: a member gets its own steps with the
 * edges between them; steps of different members that nothing orders run at the same time; the host waits for one
 * member before it gives the next its steps; events go from member to member; a member that fails leaves nobody
 * waiting; and unsupported plays are refused before anything runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/ensemble/session.h"
#include "backends/steps.h"
#include "base/text.h"

enum { MEMBERS = 2, DRAW_WORDS = 9, PLACES = 2, COUNTERS = 3 };

static struct {
    pthread_mutex_t lock;
    struct text text;          /* what members were given, in the order in which they began */
    unsigned running, at_once; /* plays running now, and the most so far */
    unsigned wanted;           /* plays that have to run at once: each waits for the others, or gives up */
    unsigned cleared[MEMBERS], read[MEMBERS], beside[MEMBERS];
    unsigned failing; /* the member that fails; MEMBERS: none */
} noted = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Members are recognised by their number of groups, 1 and 2. */
static enum status fake_play(struct backend_session *fake, struct backend_program *program,
                             const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                             double *seconds, struct error *error)
{
    const unsigned member = launch->groups - 1;
    const struct timespec rest = {.tv_nsec = 30 * 1000000L};
    (void)fake, (void)program;
    *seconds = 0;
    (void)pthread_mutex_lock(&noted.lock);
    text_add(&noted.text, "%s%c:", noted.text.size > 0 ? "; " : "", (char)('A' + member));
    for (size_t i = 0; i < count; i++) {
        text_add(&noted.text, " %u", (unsigned)steps[i].draw[0]);
        for (size_t k = 0; k < i; k++)
            if (steps[i].after >> k & 1)
                text_add(&noted.text, " after %u by %s", (unsigned)steps[k].draw[0],
                         launch_edge_word(steps[i].edges[k]));
        assert_true(launch->draw_words == DRAW_WORDS && steps[i].draw[1] == 77 && steps[i].draw[PLACES] == member &&
                    steps[i].draw[PLACES + 1] == 0);
    }
    noted.at_once = ++noted.running > noted.at_once ? noted.running : noted.at_once;
    noted.cleared[member] += launch->clear_counters;
    noted.read[member] += launch->read_words > 0;
    noted.beside[member] += launch->beside;
    for (size_t i = 0; i < launch->read_words; i++)
        launch->counters[i] = 10 * member + (uint32_t)i;
    for (int tries = 0; tries == 0 || (tries < 2000 && noted.at_once < noted.wanted); tries++) {
        (void)pthread_mutex_unlock(&noted.lock);
        (void)nanosleep(&rest, NULL);
        (void)pthread_mutex_lock(&noted.lock);
    }
    noted.running--;
    (void)pthread_mutex_unlock(&noted.lock);
    return member == noted.failing ? error_set(error, STATUS_DEVICE_FAILED, "member %u failed", member) : STATUS_OK;
}

static enum status fake_reach(struct backend_session *fake, const struct backend_shared *shared, uint64_t *address,
                              struct error *error)
{
    (void)fake, (void)error;
    *address = shared->address + 4096;
    return STATUS_OK;
}

static void fake_forget(struct backend_session *fake, const struct backend_shared *shared)
{
    (void)fake, (void)shared;
}

/* Gives the number of each step as its event, and records the numbers that others have given. Does not begin with a
 * failing member. */
static enum status relay_play(struct backend_session *session, struct backend_program *program,
                              const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                              double *seconds, struct error *error)
{
    static const char numbers[] = "0123";
    const unsigned member = launch->groups - 1;
    (void)session, (void)program;
    *seconds = 0;
    for (size_t i = 0; i < count; i++) {
        if (member == noted.failing)
            return error_set(error, STATUS_DEVICE_FAILED, "member %u failed", member);
        struct text line = {0};
        text_add(&line, "%c: %u", (char)('A' + member), (unsigned)steps[i].draw[0]);
        for (unsigned k = 0; k < BACKEND_MAXIMUM_STEPS && steps[i].awaits[k]; k++) {
            const char *event = relay_await(steps[i].awaits[k]);
            if (!event) {
                text_release(&line);
                return error_set(error, STATUS_DEVICE_FAILED, "member %u is left alone", member);
            }
            text_add(&line, " awaits %c", *event);
        }
        (void)pthread_mutex_lock(&noted.lock);
        text_add(&noted.text, "%s%s", noted.text.size > 0 ? "; " : "", text_string(&line));
        (void)pthread_mutex_unlock(&noted.lock);
        text_release(&line);
        if (steps[i].gives)
            relay_give(steps[i].gives, (void *)(uintptr_t)&numbers[steps[i].draw[0]]);
    }
    return STATUS_OK;
}

static const struct backend relaying = {
    .name = "fake", .play = relay_play, .relays_events = true, .reach = fake_reach, .forget = fake_forget};
static const struct backend fake = {.name = "fake", .play = fake_play, .reach = fake_reach, .forget = fake_forget};

static void open_fakes(struct ensemble_session *session, const struct backend *backend)
{
    struct error error = {0};
    *session = (struct ensemble_session){
        .count = MEMBERS, .device = {.name = "both", .homes = 1 << MEMBERS}, .meeting_home = MEMBERS};
    for (unsigned i = 0; i < MEMBERS; i++) {
        struct member *member = &session->members[i];
        member->backend = backend;
        member->number = i;
        member->device = (struct backend_device){
            .backend = "fake", .index = i, .name = "F", .edges = STEPS_ALL & ~(STEPS_GRAPH | STEPS_PROGRAMMATIC)};
        assert_int_equal(member_start(member, &error), STATUS_OK);
    }
    session->device.edges = ensemble_edges(session);
    assert_int_equal(session->device.edges, STEPS_BESIDE | STEPS_HOST | (backend->relays_events ? STEPS_EVENT : 0));
}

static enum status play_with(const struct backend *backend, const struct backend_step *edges, size_t count,
                             uint32_t counters[MEMBERS][COUNTERS], struct error *error)
{
    static const uint32_t draws[BACKEND_MAXIMUM_STEPS][DRAW_WORDS] = {{0, 77, 1}, {1, 77, 1}, {2, 77, 1}, {3, 77, 1}};
    struct ensemble_session session;
    struct ensemble_program program = {.programs = {NULL}};
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    double seconds = -1;
    const struct backend_launch launch = {.member_groups = {1, 2},
                                          .draw_words = DRAW_WORDS,
                                          .memory_words = 4,
                                          .home_words = 4,
                                          .homes_place = PLACES,
                                          .counter_words = COUNTERS,
                                          .clear_counters = true,
                                          .counters = counters[0],
                                          .read_words = COUNTERS};
    text_release(&noted.text);
    noted.at_once = 0;
    memset(noted.cleared, 0, sizeof noted.cleared);
    memset(noted.read, 0, sizeof noted.read);
    memset(noted.beside, 0, sizeof noted.beside);
    for (size_t k = 0; k < count; k++) {
        steps[k] = edges[k];
        steps[k].draw = draws[k];
    }
    open_fakes(&session, backend);
    const enum status status = ensemble_play((struct backend_session *)&session, (struct backend_program *)&program,
                                             &launch, steps, count, &seconds, error);
    assert_true(seconds >= 0);
    region_release(&session, &program.memory);
    for (unsigned i = 0; i < MEMBERS; i++)
        member_end(&session.members[i]);
    return status;
}

static enum status play(const struct backend_step *edges, size_t count, uint32_t counters[MEMBERS][COUNTERS],
                        struct error *error)
{
    return play_with(&fake, edges, count, counters, error);
}

#define HOST LAUNCH_EDGE_HOST
#define QUEUE LAUNCH_EDGE_QUEUE
#define EVENT LAUNCH_EDGE_EVENT
#define BARRIER LAUNCH_EDGE_BARRIER

static void test_orders(void **state)
{
    static const struct {
        size_t count;
        struct backend_step steps[BACKEND_MAXIMUM_STEPS];
        const char *played, *or_played; /* the latter if two begin at once */
        unsigned at_once;
    } cases[] = {
        {2, {{.member = 0}, {.member = 1, .after = 1, .edges = {HOST}}}, "A: 0; B: 1", NULL, 1},
        {2, {{.member = 1}, {.member = 0, .after = 1, .edges = {HOST}}}, "B: 0; A: 1", NULL, 1},
        {2, {{.member = 1}, {.member = 0}}, "A: 1; B: 0", "B: 0; A: 1", 2},
        {2, {{.member = 0}, {.member = 0, .after = 1, .edges = {QUEUE}}}, "A: 0 1 after 0 by queue", NULL, 1},
        {3,
         {{.member = 0}, {.member = 1, .after = 1, .edges = {HOST}}, {.member = 0, .after = 2, .edges = {[1] = HOST}}},
         "A: 0; B: 1; A: 2",
         NULL,
         1},
        {4,
         {{.member = 0},
          {.member = 0, .after = 1, .edges = {EVENT}},
          {.member = 1, .after = 2, .edges = {[1] = HOST}},
          {.member = 1, .after = 6, .edges = {[1] = HOST, [2] = BARRIER}}},
         "A: 0 1 after 0 by event; B: 2 3 after 2 by barrier",
         NULL,
         1},
        /* A HOST edge within a member may lead through another member. */
        {3,
         {{.member = 0}, {.member = 1, .after = 1, .edges = {HOST}}, {.member = 0, .after = 3, .edges = {HOST, HOST}}},
         "A: 0; B: 1; A: 2",
         NULL,
         1},
    };
    (void)state;
    noted.failing = MEMBERS;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t counters[MEMBERS][COUNTERS];
        struct error error = {0};
        memset(counters, 0xff, sizeof counters);
        noted.wanted = cases[i].at_once;
        if (play(cases[i].steps, cases[i].count, counters, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        const char *played = text_string(&noted.text);
        if (strcmp(played, cases[i].played) != 0 && (!cases[i].or_played || strcmp(played, cases[i].or_played) != 0))
            fail_msg("%s, not %s", played, cases[i].played);
        assert_int_equal(noted.at_once, cases[i].at_once);
        for (unsigned member = 0; member < MEMBERS; member++) {
            const bool plays = strchr(played, (char)('A' + member)) != NULL;
            assert_int_equal(noted.cleared[member], plays);
            assert_int_equal(noted.read[member], plays);
            assert_int_equal(noted.beside[member], 0); /* nothing is said about edges of other members */
            for (uint32_t k = 0; k < COUNTERS; k++)
                assert_int_equal(counters[member][k], plays ? 10 * member + k : 0);
        }
    }
}

/* A member learns which of its steps are unordered; steps of others may order what its own edges do not. */
static void test_beside(void **state)
{
    static const struct backend_step beside[] = {
        {.member = 0}, {.member = 0}, {.member = 1, .after = 3, .edges = {HOST, HOST}}};
    static const struct backend_step ordered[] = {
        {.member = 0}, {.member = 1, .after = 1, .edges = {HOST}}, {.member = 0, .after = 2, .edges = {[1] = HOST}}};
    uint32_t counters[MEMBERS][COUNTERS];
    struct error error = {0};
    (void)state;
    assert_int_equal(play(beside, 3, counters, &error), STATUS_OK);
    assert_string_equal(text_string(&noted.text), "A: 0 1; B: 2");
    assert_true(noted.beside[0] == 1 && noted.beside[1] == 0);
    assert_int_equal(play(ordered, 3, counters, &error), STATUS_OK);
    assert_true(noted.beside[0] == 0 && noted.beside[1] == 0);
}

static void test_refused(void **state)
{
    static const struct {
        size_t count;
        struct backend_step steps[BACKEND_MAXIMUM_STEPS];
        enum status status;
        const char *expected;
    } cases[] = {
        {2,
         {{.member = 0}, {.member = 1, .after = 1, .edges = {EVENT}}},
         STATUS_UNSUPPORTED,
         "both has no 'event' between launches of different members"},
        {2,
         {{.member = 0}, {.member = 0, .after = 1, .edges = {LAUNCH_EDGE_MAP}}},
         STATUS_UNSUPPORTED,
         "fake:0 (F) has no 'map' between launches on memory that members share; it has: beside, queue, event, barrier, "
         "host"},
        {3,
         {{.member = 0}, {.member = 1, .after = 1, .edges = {HOST}}, {.member = 0}},
         STATUS_UNSUPPORTED,
         "nothing orders launches 1 and 2, but the host waits for one of them before it starts the other"},
        {3,
         {{.member = 0}, {.member = 1, .after = 1, .edges = {HOST}}, {.member = 0, .after = 3, .edges = {QUEUE, HOST}}},
         STATUS_UNSUPPORTED,
         "launch 2 comes after launch 0 by 'queue', but the host waits for another member between them"},
        {1, {{.member = 2}}, STATUS_INTERNAL, "step 0 of a play is for member 2, which has no groups"},
        {2, {{.member = 0}, {.after = 2}}, STATUS_INTERNAL, "step 1 of a play comes after itself or a later one"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t counters[MEMBERS][COUNTERS];
        struct error error = {0};
        assert_int_equal(play(cases[i].steps, cases[i].count, counters, &error), cases[i].status);
        assert_string_equal(error.text, cases[i].expected);
        assert_string_equal(text_string(&noted.text), "");
    }
}

/* Nothing after a failure is played. */
static void test_failure(void **state)
{
    static const struct backend_step steps[] = {{.member = 0}, {.member = 1, .after = 1, .edges = {HOST}}};
    uint32_t counters[MEMBERS][COUNTERS];
    struct error error = {0};
    (void)state;
    noted.failing = 0;
    assert_int_equal(play(steps, 2, counters, &error), STATUS_DEVICE_FAILED);
    assert_string_equal(error.text, "member 0 failed");
    assert_string_equal(text_string(&noted.text), "A: 0");
    noted.failing = MEMBERS;
}

/* Steps that wait for each other across members come in one order, even if a member's host would prefer another. */
static const struct backend_step crossing[] = {{.member = 0},
                                               {.member = 1, .after = 1, .edges = {EVENT}},
                                               {.member = 0, .after = 2, .edges = {[1] = EVENT}},
                                               {.member = 1, .after = 5, .edges = {[0] = EVENT, [2] = EVENT}}};

static void test_relays(void **state)
{
    uint32_t counters[MEMBERS][COUNTERS];
    struct error error = {0};
    (void)state;
    noted.failing = MEMBERS;
    for (int i = 0; i < 50; i++) {
        if (play_with(&relaying, crossing, 4, counters, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_string_equal(text_string(&noted.text), "A: 0; B: 1 awaits 0; A: 2 awaits 1; B: 3 awaits 0 awaits 2");
    }
    static const struct backend_step over_host[] = {
        {.member = 0}, {.member = 1, .after = 1, .edges = {HOST}}, {.member = 0, .after = 2, .edges = {[1] = EVENT}}};
    assert_int_equal(play_with(&relaying, over_host, 3, counters, &error), STATUS_OK);
    assert_string_equal(text_string(&noted.text), "A: 0; B: 1; A: 2 awaits 1");
}

/* Both fail, one only because the other did; the real cause is reported. */
static void test_left_alone(void **state)
{
    uint32_t counters[MEMBERS][COUNTERS];
    (void)state;
    for (noted.failing = 0; noted.failing < MEMBERS; noted.failing++)
        for (int i = 0; i < 20; i++) {
            struct error error = {0};
            assert_int_equal(play_with(&relaying, crossing, 4, counters, &error), STATUS_DEVICE_FAILED);
            assert_string_equal(error.text, noted.failing == 0 ? "member 0 failed" : "member 1 failed");
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),  cmocka_unit_test(test_beside), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_failure), cmocka_unit_test(test_relays), cmocka_unit_test(test_left_alone),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_release(&noted.text);
    return failed;
}
