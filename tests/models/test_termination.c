// SPDX-License-Identifier: Apache-2.0
/* Protects the answers to whether programs must end: each scheduler's promise, lanes in lock step, barriers, every kind
 * of statement, and that what is not followed is unknown, with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models/termination/termination.h"
#include "tests/models/judged.h"

/* Two threads of PTX at one place each, and of OpenCL. */
#define PTX_APART "PTX t\n{ [x]=0; [y]=0; }\n P0@cta 0, gpu 0 | P1@cta 1, gpu 0 ;\n"
#define PTX_WARP "PTX t\n{ [x]=0; [y]=0; }\n P0@warp 0, cta 0, gpu 0 | P1@warp 0, cta 0, gpu 0 ;\n"
#define PTX_RANGE "PTX t\n{ [x]=0; [y]=0; }\n P0..P1@cta 0, gpu 0 ;\n"
#define PTX_LANES "PTX t\n{ [x]=0; }\n P0..P1@warp 0, cta 0, gpu 0 ;\n"
#define TEN(a, z)                                                                                                      \
    " " a "0" z " | " a "1" z " | " a "2" z " | " a "3" z " | " a "4" z " | " a "5" z " | " a "6" z " | " a "7" z      \
    " | " a "8" z " | " a "9" z " ;\n"
#define OPENCL(body) "OPENCL t\n{ x=0; y=0; }\n" body "exists (x=0)\n"
#define P0_APART "P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) "
#define P1_APART "P1@wg 1, dev 0 (global atomic_int* x, global atomic_int* y) "
#define P2_APART "P2@wg 2, dev 0 (global atomic_int* x, global atomic_int* y) "
#define RANGE "P0..P1@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) "

/* A letter for each scheduler, in order of SCHEDULER_LIST: fair, hsa, obe, lobe, hsa-obe, lockstep. Y: ends, n: does
 * not, ?: unknown. reason: of the first that does not end or is unknown, or a part of it. */
static const struct row {
    const char *name, *text, *answers, *reason;
} rows[] = {
    {"no loop", PTX_APART " st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 ;\nexists ([x]=1)\n", "YYYYYY", NULL},
    {"a lower thread's flag",
     PTX_APART " st.relaxed.gpu x, 1 | L: ;\n | ld.relaxed.gpu r0, x ;\n | bne r0, 1, L ;\nexists ([x]=1)\n", "YYnYYY",
     "P1 runs for ever; P0 gets no step"},
    {"a higher thread's flag",
     PTX_APART " L: | st.relaxed.gpu x, 1 ;\n ld.relaxed.gpu r0, x | ;\n bne r0, 1, L | ;\nexists ([x]=1)\n", "YnnnnY",
     "P0 runs for ever; P1 gets no step"},
    {"a flag that nobody raises",
     PTX_APART " L: | st.relaxed.gpu y, 1 ;\n ld.relaxed.gpu r0, x | ;\n bne r0, 1, L | ;\nexists ([x]=1)\n", "nnnnnn",
     "P0 runs for ever"},
    {"a flag within a warp",
     PTX_WARP " st.relaxed.gpu x, 1 | L: ;\n | ld.relaxed.gpu r0, x ;\n | bne r0, 1, L ;\nexists ([x]=1)\n", "YYnYYn",
     "P1 runs for ever; P0 gets no step"},
    {"a lock of threads that have begun",
     PTX_APART " L: | M: ;\n atom.relaxed.gpu.cas r0, x, 0, 1 | atom.relaxed.gpu.cas r0, x, 0, 1 ;\n"
               " bne r0, 0, L | bne r0, 0, M ;\n st.relaxed.gpu x, 0 | st.relaxed.gpu x, 0 ;\nexists ([x]=1)\n",
     "YnYYYY", "P0 runs for ever; P1 gets no step"},
    {"a lock in lock step: the holder waits for its warp",
     PTX_RANGE " L: ;\n atom.relaxed.gpu.cas r0, x, 0, 1 ;\n bne r0, 0, L ;\n st.relaxed.gpu x, 0 ;\n"
               "exists ([x]=1)\n",
     "YnYYYn", "P0 runs for ever; P1 gets no step"},
    {"a lock that is released within the loop",
     PTX_RANGE " L: ;\n atom.relaxed.gpu.cas r0, x, 0, 1 ;\n bne r0, 0, M ;\n st.relaxed.gpu x, 0 ;\n M: ;\n"
               " bne r0, 0, L ;\nexists ([x]=1)\n",
     "YnYYYY", "P0 runs for ever; P1 gets no step"},
    {"two that take what the other gives, for ever",
     PTX_APART " L: | M: ;\n atom.relaxed.gpu.exch r0, x, 1 | atom.relaxed.gpu.exch r0, x, 0 ;\n"
               " bne r0, 0, N | bne r0, 1, O ;\n goto L | goto M ;\n N: | O: ;\nexists ([x]=1)\n",
     "nnnnnn", NULL},
    {"a loop that only computes",
     PTX_APART " mov r0, 0 | st.relaxed.gpu x, 1 ;\n L: | ;\n add r0, r0, 2 | ;\n bne r0, 1, L | ;\n"
               "exists ([x]=1)\n",
     "??????", "it has more than"},
    {"a loop that never changes anything", PTX_APART " L: | st.relaxed.gpu x, 1 ;\n goto L | ;\nexists ([x]=1)\n",
     "nnnnnn", "P0 runs for ever"},
    {"a barrier that all reach",
     PTX_RANGE " st.relaxed.gpu x, 1 ;\n bar.sync 0 ;\n ld.relaxed.gpu r0, x ;\n"
               "exists ([x]=1)\n",
     "YYYYYY", NULL},
    {"a barrier opens when the others have ended",
     "PTX t\n{ [x]=0; }\n P0@cta 0, gpu 0 | P1@cta 0, gpu 0 ;\n bar.sync 0 | st.relaxed.gpu x, 1 ;\nexists ([x]=1)\n",
     "YYYYYY", NULL},
    {"a barrier of more threads than there are",
     "PTX t\n{ [x]=0; }\n P0@cta 0, gpu 0 | P1@cta 0, gpu 0 ;\n bar.sync 0, 3 | bar.sync 0, 3 ;\nexists ([x]=1)\n",
     "nnnnnn", "P0 and P1 wait at a barrier"},
    {"two barriers",
     "PTX t\n{ [x]=0; }\n P0@cta 0, gpu 0 | P1@cta 0, gpu 0 ;\n bar.sync 0 | bar.sync 1 ;\nexists ([x]=1)\n", "nnnnnn",
     "P0 and P1 wait at a barrier"},
    {"a barrier in one side of a branch, in lock step",
     OPENCL(RANGE "{ int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
                  "if (r0 == 0) { barrier(CLK_LOCAL_MEM_FENCE); } }\n"),
     "YYYYYn", "P0 and P1 wait at a barrier"},
    {"while, and the right side of &&",
     OPENCL(P0_APART "{ atomic_store(y, 1); atomic_store(x, 1); }\n" P1_APART
                     "{ while (!(atomic_load(x) == 1 && atomic_load(y) == 1)) { } }\n"),
     "YYnYYY", "P1 runs for ever; P0 gets no step"},
    {"|| does not read what it need not",
     OPENCL(P0_APART "{ do { } while (atomic_load(x) == 0 || atomic_load(y) == 0); }\n" P1_APART
                     "{ atomic_store(y, 1); atomic_store(x, 1); }\n"),
     "YnnnnY", "P0 runs for ever; P1 gets no step"},
    {"else",
     OPENCL(P0_APART "{ int r0 = 1; while (r0) { if (atomic_load(x)) { r0 = 0; } else { r0 = 2; } } }\n" P1_APART
                     "{ atomic_store(x, 1); }\n"),
     "YnnnnY", "P0 runs for ever; P1 gets no step"},
    {"a compare-and-swap that gives back what it found",
     OPENCL(
         P0_APART
         "{ int e = 0; while (!atomic_compare_exchange_strong(x, &e, 1)) { e = 0; }\natomic_store(x, 0); }\n" P1_APART
         "{ int e = 0; while (!atomic_compare_exchange_strong(x, &e, 1)) { e = 0; }\natomic_store(x, 0); }\n"),
     "YnYYYY", "P0 runs for ever; P1 gets no step"},
    {"and the value that it found is not expected next",
     OPENCL(P0_APART "{ int e = 0; while (!atomic_compare_exchange_strong(x, &e, 1)) { } }\n" P1_APART
                     "{ int e = 0; while (!atomic_compare_exchange_strong(x, &e, 1)) { } }\n"),
     "YYYYYY", NULL},
    {"hsa promises nothing to higher threads, though they have begun",
     OPENCL(P0_APART "{ while (atomic_load(x) == 0) { } }\n" P1_APART
                     "{ atomic_store(y, 1); atomic_store(x, 1); }\n" P2_APART "{ while (atomic_load(y) == 0) { } }\n"),
     "YnnnnY", "P0 runs for ever; P1 and P2 get no step"},
    {"lobe: a thread below one that has begun",
     OPENCL(P0_APART "{ atomic_store(x, 1); }\n" P1_APART
                     "{ while (atomic_load(x) == 0) { }\natomic_store(y, 1); }\n" P2_APART
                     "{ while (atomic_load(y) == 0) { } }\n"),
     "YYnYYY", "P1 runs for ever; P0 and P2 get no step"},
    {"a vote at two places: lock step does not let the second lane come",
     PTX_WARP " vote.sync.any.pred r2, 1, 3 | vote.sync.any.pred r2, 0, 3 ;\nexists ([x]=1)\n", "YYYYYn",
     "P0 and P1 wait at a barrier"},
    {"a vote that a lane of its mask never calls: nobody waits for one that has ended",
     PTX_WARP " vote.sync.any.pred r2, 1, 3 | st.relaxed.gpu x, 1 ;\nexists ([x]=1)\n", "YYYYYn",
     "P0 and P1 wait at a barrier"},
    {"nor does it vote",
     PTX_WARP " L: | st.relaxed.gpu x, 1 ;\n vote.sync.ballot.b32 r2, 1, 3 | ;\n bne r2, 1, L | ;\nexists ([x]=1)\n",
     "YYYYYn", "P0 and P1 wait at a barrier"},
    {"a vote of lanes that wait elsewhere",
     PTX_WARP " vote.sync.any.pred r2, 1, 3 | bar.warp.sync 0, 3 ;\nexists ([x]=1)\n", "nnnnnn",
     "P0 and P1 wait at a barrier"},
    {"active lanes: in lock step those that come together, else any",
     PTX_LANES " activemask.b32 r1 ;\n L: ;\n bne r1, 3, L ;\nexists ([x]=1)\n", "nnnnnY", "for ever"},
    {"active lanes: the own one always", PTX_LANES " activemask.b32 r1 ;\n L: ;\n beq r1, 0, L ;\nexists ([x]=1)\n",
     "YYYYYY", NULL},
    {"active lanes: none that has ended",
     PTX_WARP " L: | st.relaxed.gpu x, 1 ;\n activemask.b32 r1 | ;\n ld.relaxed.gpu r0, x | ;\n bne r0, 1, L | ;\n"
              " vote.sync.any.pred r2, 1, r1 | ;\nexists ([x]=1)\n",
     "Ynnnnn", "P0 runs for ever"},
    {"a vote among lanes that saw different masks",
     PTX_LANES " activemask.b32 r1 ;\n vote.sync.any.pred r2, 1, r1 ;\n bar.warp.sync 0, 3 ;\nexists ([x]=1)\n",
     "nnnnnY", "P0 and P1 wait at a barrier"},
    {"a vote of a part of the lanes", PTX_WARP " vote.sync.any.pred r2, 1, 1 | st.relaxed.gpu x, 1 ;\nexists ([x]=1)\n",
     "YYYYYY", NULL},
    {"a loop until a vote says that both have had the lock",
     PTX_LANES " mov r3, 0 ;\n L: ;\n beq r3, 1, M ;\n atom.relaxed.gpu.cas r0, x, 0, 1 ;\n bne r0, 0, M ;\n"
               " st.relaxed.gpu x, 0 ;\n mov r3, 1 ;\n M: ;\n vote.sync.all.pred r2, r3, 3 ;\n bne r2, 1, L ;\n"
               "exists ([x]=1)\n",
     "YYYYYY", NULL},
    {"a loop until a shuffle gives another lane's value",
     PTX_LANES " mov r3, 0 ;\n L: ;\n add r3, r3, 1 ;\n shfl.sync.idx.b32 r2, r3, 1, 31, 3 ;\n bne r2, 3, L ;\n"
               "exists ([x]=1)\n",
     "YYYYYY", NULL},
    {"and one that no lane ever gives",
     PTX_LANES " L: ;\n shfl.sync.idx.b32 r2, 2, 1, 31, 3 ;\n bne r2, 3, L ;\nexists ([x]=1)\n", "nnnnnn",
     "P0 and P1 run for ever"},
    {"launches",
     "OPENCL t\n{ x=0; }\nP0@dev 0 (global atomic_int* x) { atomic_store(x, 1); }\n"
     "P1@dev 0 (global atomic_int* x) { while (atomic_load(x) == 0) { } }\nP1 after P0 by queue\nexists (x=0)\n",
     "YYYYYY", NULL},
    {"a launch that waits for a later one",
     "OPENCL t\n{ x=0; }\nP0@dev 0 (global atomic_int* x) { while (atomic_load(x) == 0) { } }\n"
     "P1@dev 0 (global atomic_int* x) { atomic_store(x, 1); }\nP1 after P0 by queue\nexists (x=0)\n",
     "nnnnnn", "P0 runs for ever; P1 gets no step"},
    {"more ways for lanes of different code to part than there are states",
     "PTX t\n{ [x]=0; }\n" TEN("P", "@warp 0, cta 0, gpu 0") TEN("mov r0, ", "") "exists ([x]=1)\n", "YYYYY?",
     "it has more than 200000 states"},
    {"copies", "PTX t\n{ shared uint64_t x[2]; [y]=0; }\n P0@cta 0, gpu 0 ;\n cp.async.wait_all ;\nexists ([y]=1)\n",
     "??????", "asynchronous copies are not followed"},
    {"arrivals",
     "PTX t\n{ [x]=0; }\n P0@cta 0, gpu 0 | P1@cta 0, gpu 0 ;\n bar.arrive 0, 2 | bar.sync 0, 2 ;\nexists ([x]=1)\n",
     "??????", "arrive and wait separately"},
};

static void answers(void **state)
{
    const struct row *row = *state;
    struct litmus_test *test = parsed(row->text);
    struct termination found[SCHEDULER_COUNT];
    char letters[SCHEDULER_COUNT + 1] = "";
    const char *reason = NULL;
    termination_find(test, (1u << SCHEDULER_COUNT) - 1, found);
    for (unsigned i = 0; i < SCHEDULER_COUNT; i++) {
        letters[i] = "?Yn"[found[i].answer];
        reason = reason ? reason : found[i].reason;
        assert_true((found[i].reason == NULL) == (found[i].answer == TERMINATION_ENDS));
        assert_true(found[i].repeated <= found[i].step_count);
    }
    assert_string_equal(letters, row->answers);
    if (row->reason && !strstr(reason, row->reason))
        fail_msg("expected '%s', found '%s'", row->reason, reason);
    for (unsigned i = 0; i < SCHEDULER_COUNT; i++)
        termination_release(&found[i]);
    litmus_release(test);
}

/* A schedule leads from the first state to where its steps repeat: what a step finds is what the one before left. */
static void schedules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct litmus_test *test = parsed(rows[i].text);
        struct termination found[SCHEDULER_COUNT];
        termination_find(test, (1u << SCHEDULER_COUNT) - 1, found);
        for (unsigned s = 0; s < SCHEDULER_COUNT; s++) {
            int64_t memory[2] = {0}, repeated[2] = {0};
            for (size_t k = 0; k < found[s].step_count; k++) {
                const struct termination_step *step = &found[s].steps[k];
                if (k == found[s].repeated)
                    memcpy(repeated, memory, sizeof memory);
                if (step->location == LITMUS_NONE)
                    continue;
                assert_int_equal(step->before, memory[step->location]);
                memory[step->location] = step->after;
            }
            if (found[s].repeated < found[s].step_count)
                assert_memory_equal(memory, repeated, sizeof memory);
            termination_release(&found[s]);
        }
        litmus_release(test);
    }
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof rows[0] };
    struct CMUnitTest tests[ROWS + 1] = {cmocka_unit_test(schedules)};
    static struct row copies[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        copies[i] = rows[i];
        tests[i + 1] = (struct CMUnitTest){.name = rows[i].name, .test_func = answers, .initial_state = &copies[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
