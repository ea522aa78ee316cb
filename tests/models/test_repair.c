// SPDX-License-Identifier: Apache-2.0
/* Protects the search for changes: the smallest that forbids an outcome, the instructions that a forbidden outcome
 * depends on, the causes of a weak one. The models' specifications and the literature give the answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "models/explain/repair.h"
#include "tests/models/judged.h"

#define PTX2(a, b) "PTX T\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n " a " ;\n " b " ;\n"
#define C2(a, b, c, d)                                                                                                 \
    "C T\n{ x=0; y=0; }\nP0 (atomic_int* x, atomic_int* y) {\n" a ";\n" b                                              \
    ";\n}\nP1 (atomic_int* x, atomic_int* y) {\n" c ";\n" d ";\n}\n"
#define STORE(x) "atomic_store_explicit(" x ", 1, memory_order_relaxed)"
#define LOAD(r, x) "int " r " = atomic_load_explicit(" x ", memory_order_relaxed)"
#define CL2(a, b, c, d)                                                                                                \
    "OPENCL T\n{ x=0; y=0; }\nP0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n" a ";\n" b               \
    ";\n}\nP1@wg 1, dev 0 (global atomic_int* x, global atomic_int* y) {\n" c ";\n" d ";\n}\n"
#define CL_STORE(x) "atomic_store_explicit(" x ", 1, memory_order_relaxed, memory_scope_device)"
#define CL_LOAD(r, x) "int " r " = atomic_load_explicit(" x ", memory_order_relaxed, memory_scope_device)"
#define MP "exists (1:r0=1 /\\ 1:r1=0)\n"
#define SB "exists (0:r0=0 /\\ 1:r0=0)\n"
#define LB "exists (0:r0=1 /\\ 1:r0=1)\n"
#define IRIW(order)                                                                                                    \
    "PTX T\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n"                     \
    " st.relaxed.gpu x, 1 | ld." order ".gpu r0, x | st.relaxed.gpu y, 1 | ld." order ".gpu r0, y ;\n"                 \
    " | ld.relaxed.gpu r1, y | | ld.relaxed.gpu r1, x ;\nexists (1:r0=1 /\\ 1:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)\n"
#define LOCK(fence)                                                                                                    \
    "PTX T\n{ x=0; m=1; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"                                                       \
    " st.relaxed.gpu x, 1 | atom.relaxed.gpu.cas r0, m, 0, 1 ;\n fence.acq_rel.gpu | " fence " ;\n"                    \
    " atom.relaxed.gpu.exch r0, m, 0 | ld.relaxed.gpu r1, x ;\nexists (1:r0=0 /\\ 1:r1=0)\n"

static const char ptx_mp[] =
    PTX2("st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y", "st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x") MP;
static const char ptx_sb[] =
    PTX2("st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1", "ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x") SB;
static const char ptx_sb_strong[] =
    PTX2("st.relaxed.sys x, 1 | st.relaxed.sys y, 1", "ld.acquire.sys r0, y | ld.acquire.sys r0, x") SB;
static const char ptx_sb_fenced[] =
    PTX2("st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1",
         "fence.acq_rel.gpu | fence.acq_rel.gpu") " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n" SB;
static const char ptx_lb[] =
    PTX2("ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y", "st.relaxed.gpu y, 1 | st.relaxed.gpu x, 1") LB;
static const char ptx_2w[] = PTX2("st.relaxed.gpu x, 2 | st.relaxed.gpu y, 2",
                                  "st.relaxed.gpu y, 1 | st.relaxed.gpu x, 1") "exists ([x]=2 /\\ [y]=2)\n";
static const char ptx_narrow[] =
    PTX2("st.relaxed.gpu x, 1 | ld.acquire.cta r0, y", "st.release.cta y, 1 | ld.relaxed.gpu r1, x") MP;
static const char ptx_half[] =
    PTX2("st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y", "st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x") MP;
static const char ptx_held[] =
    PTX2("st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y", "st.release.gpu y, 1 | ld.relaxed.gpu r1, x") MP;
static const char ptx_weak[] = PTX2("st.weak x, 1 | ld.weak r0, y",
                                    "fence.acq_rel.gpu | fence.acq_rel.gpu") " st.weak y, 1 | ld.weak r1, x ;\n" MP;
#define HOST_STORE(x, order) "atomic_store_explicit(" x ", 1, memory_order_" order ")"
#define HOST_LOAD(r, x) r " = atomic_load_explicit(" x ", memory_order_relaxed)"
#define HOST_AND_GPU(a, b) "PTX T\n{ x=0; y=0; }\n P0@host | P1@cta 0,gpu 0 ;\n " a " ;\n " b " ;\n"
static const char host_mp[] = HOST_AND_GPU(HOST_STORE("x", "relaxed") " | ld.relaxed.sys r0, y",
                                           HOST_STORE("y", "relaxed") " | ld.relaxed.sys r1, x") MP;
static const char host_half[] = HOST_AND_GPU(HOST_STORE("x", "relaxed") " | ld.acquire.sys r0, y",
                                             HOST_STORE("y", "relaxed") " | ld.relaxed.sys r1, x") MP;
static const char host_held[] = HOST_AND_GPU(HOST_STORE("x", "relaxed") " | ld.acquire.sys r0, y",
                                             HOST_STORE("y", "release") " | ld.relaxed.sys r1, x") MP;
static const char host_sb[] = HOST_AND_GPU(HOST_STORE("x", "relaxed") " | st.relaxed.sys y, 1",
                                           HOST_LOAD("r0", "y") " | ld.relaxed.sys r0, x") SB;
static const char gpus_mp[] = "PTX T\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\n"
                              " st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y ;\n"
                              " st.release.gpu y, 1 | ld.relaxed.sys r1, x ;\n" MP;
static const char c_mp[] = C2(STORE("x"), STORE("y"), LOAD("r0", "y"), LOAD("r1", "x")) MP;
static const char c_sb[] = C2(STORE("x"), LOAD("r0", "y"), STORE("y"), LOAD("r0", "x")) SB;
static const char c_race[] = "C T\n{ x=0; y=0; }\nP0 (int* x, atomic_int* y) {\n*x = 1;\n" STORE(
    "y") ";\n}\n"
         "P1 (int* x, atomic_int* y) {\n" LOAD("r0", "y") ";\nif (r0) {\nint r1 = *x;\n}\n}\n"
                                                          "exists (1:r0=1)\n";
static const char cl_mp[] = CL2(CL_STORE("x"), CL_STORE("y"), CL_LOAD("r0", "y"), CL_LOAD("r1", "x")) MP;
static const char cl_sb[] = CL2(CL_STORE("x"), CL_LOAD("r0", "y"), CL_STORE("y"), CL_LOAD("r0", "x")) SB;
static const char iriw_acquire[] = IRIW("acquire");
static const char lock_half[] = LOCK(""), lock_held[] = LOCK("fence.acq_rel.gpu");

#define COPIED(fence)                                                                                                  \
    "PTX T\n{ x=0; s=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n st.weak s, 1 ;\n" fence                                        \
    " cp.async.bulk.global.shared::cta.bulk_group [x], [s], 16 ;\n cp.async.bulk.commit_group ;\n"                     \
    " cp.async.bulk.wait_group 0 ;\n ld.weak r0, x ;\nregions: s: shared\nexists (P0:r0=0)\n"
#define ALIASED(fence)                                                                                                 \
    "PTX T\n{ x=0; y @ generic aliases x; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n" fence                      \
    " ld.weak r0, y ;\nexists (P0:r0=0)\n"
#define ARRIVED(order)                                                                                                 \
    "PTX T\n{ x=0; mbarrier m@cta 1=1; P1:r0=0; P1:r1=0; }\n P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n"  \
    " st.weak x, 1 | mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 r0, [m], 0 ;\n"                         \
    " mbarrier.arrive." order ".shared::cluster.b64 _, [m] | ld.weak r1, x ;\n"                                        \
    "exists (P1:r0=1 /\\ P1:r1=0)\n"

static const char copied_bare[] = COPIED(""), copied_held[] = COPIED(" fence.proxy.async ;\n"),
                  aliased_bare[] = ALIASED(""), arrived_relaxed[] = ARRIVED("relaxed.cluster"),
                  arrived_held[] = ARRIVED("release.cluster");

static const char vector_mp[] = "PTX T\n{ u32 x[2]={0,0}; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                                " st.weak y, 1 | ld.relaxed.gpu.v2.u32 {r0, _}, [x] ;\n"
                                " st.relaxed.gpu.v2.u32 [x], {1, 1} | ld.weak r1, y ;\n" MP;
#define HINTED(store, load)                                                                                            \
    "PTX T\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | " load " ;\n fence.acq_rel.gpu | "      \
    "fence.acq_rel.gpu ;\n " store " | ld.weak r1, x ;\n" MP
static const char cached_flag[] = HINTED("st.relaxed.gpu y, 1", "ld.cv.u32 r0, y"),
                  mmio_flag[] = HINTED("st.relaxed.cta y, 1", "ld.mmio.relaxed.sys.u32 r0, y");

/* Two threads take a ticket each, so either may come first: two executions have each outcome. */
#define TICKET                                                                                                                     \
    " atom.relaxed.gpu.add t, n, 1 | atom.relaxed.gpu.add t, n, 1 ;\n L: ld.relaxed.gpu s, m | L: ld.relaxed.gpu s, m ;\n"         \
    " bne s, t, L | bne s, t, L ;\n ld.weak r, c | ld.weak r, c ;\n st.weak c, 1 | st.weak c, 1 ;\n add t, t, 1 | add t, t, 1 ;\n" \
    " st.relaxed.gpu m, t | st.relaxed.gpu m, t ;\n"
static const char ticket[] =
    "PTX T\n{ n=0; m=0; c=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n" TICKET "exists (0:r=0 /\\ 1:r=0)\n";

/* The outcome to ask about: the test's witness. */
struct asked {
    struct litmus_test *test;
    struct model *model;
    struct judgement judgement;
    struct repair_wanted wanted;
};

static void ask(struct asked *asked, const char *model, const char *text, double seconds)
{
    struct error error = {0};
    *asked = (struct asked){.test = parsed(text), .model = loaded(model)};
    if (model_judge(asked->model, asked->test, &(struct judge_options){.explain = true}, &asked->judgement, &error) !=
        STATUS_OK)
        fail_msg("%s", error.text);
    asked->wanted = (struct repair_wanted){.model = asked->model,
                                           .test = asked->test,
                                           .undefined = asked->judgement.racy,
                                           .cause = asked->judgement.undefined,
                                           .judging = model_judge,
                                           .deadline = clock_seconds() + seconds};
    for (size_t i = 0; i < asked->judgement.outcome_count; i++)
        if (asked->judgement.outcomes[i].witness) {
            asked->wanted.values = asked->judgement.outcomes[i].values;
            if (!asked->judgement.racy)
                asked->wanted.cause = asked->judgement.outcomes[i].explanation;
        }
}

static void release(struct asked *asked)
{
    judgement_release(&asked->judgement);
    litmus_release(asked->test);
    model_release(asked->model);
}

/* "P0 4: BEFORE -> AFTER, P1 +4: NEW | ..." */
static void print_repairs(const struct repairs *repairs, struct text *text)
{
    for (size_t i = 0; i < repairs->count; i++) {
        text_add(text, "%s", i > 0 ? " | " : "");
        for (size_t k = 0; k < repairs->items[i].count; k++) {
            const struct repair_change *change = &repairs->items[i].changes[k];
            text_add(text, "%sP%d %s%u: %s%s%s", k > 0 ? ", " : "", change->thread, change->before ? "" : "+",
                     change->line, change->before ? change->before : "", change->before ? " -> " : "",
                     change->after ? change->after : "nothing");
        }
    }
}

#define SC_FENCE "atomic_thread_fence(memory_order_seq_cst)"

static const struct {
    const char *name, *model, *text, *repairs;
} smallest[] = {
    {"MP takes a release and an acquire", "ptx", ptx_mp,
     "P0 5: st.relaxed.gpu y, 1 -> st.release.gpu y, 1, P1 4: ld.relaxed.gpu r0, y -> ld.acquire.gpu r0, y"},
    {"SB takes an sc fence in each thread", "ptx", ptx_sb, "P0 +4: fence.sc.gpu, P1 +4: fence.sc.gpu"},
    {"LB takes a release that an acquire sees, in either direction", "ptx", ptx_lb,
     "P0 4: ld.relaxed.gpu r0, x -> ld.acquire.gpu r0, x, P1 5: st.relaxed.gpu x, 1 -> st.release.gpu x, 1 | "
     "P0 5: st.relaxed.gpu y, 1 -> st.release.gpu y, 1, P1 4: ld.relaxed.gpu r0, y -> ld.acquire.gpu r0, y"},
    {"a fence before a load that cannot be stronger", "ptx", ptx_sb_strong, "P0 +4: fence.sc.gpu, P1 +4: fence.sc.gpu"},
    {"an acq_rel fence becomes an sc one, rather than getting one beside it", "ptx", ptx_sb_fenced,
     "P0 5: fence.acq_rel.gpu -> fence.sc.gpu, P1 5: fence.acq_rel.gpu -> fence.sc.gpu"},
    {"2+2W takes sc fences", "ptx", ptx_2w, "P0 +4: fence.sc.gpu, P1 +4: fence.sc.gpu"},
    {"IRIW with acquires takes sc fences in the readers", "ptx", iriw_acquire,
     "P1 +4: fence.sc.gpu, P3 +4: fence.sc.gpu"},
    {"half of MP is one change", "ptx", ptx_half, "P0 5: st.relaxed.gpu y, 1 -> st.release.gpu y, 1"},
    {"scopes are widened, and no order raised", "ptx", ptx_narrow,
     "P0 5: st.release.cta y, 1 -> st.release.gpu y, 1, P1 4: ld.acquire.cta r0, y -> ld.acquire.gpu r0, y"},
    {"a lock with one fence lacks an acquire", "ptx", lock_half,
     "P1 4: atom.relaxed.gpu.cas r0, m, 0, 1 -> atom.acquire.gpu.cas r0, m, 0, 1 | P1 +4: fence.acq_rel.gpu"},
    {"a bulk copy takes a fence of its proxy", "ptx", copied_bare, "P0 +4: fence.proxy.async"},
    {"another address takes a fence of aliases", "ptx", aliased_bare, "P0 +4: fence.proxy.alias"},
    {"an arrival that is relaxed takes a release", "ptx", arrived_relaxed,
     "P0 5: mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [m] -> "
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [m]"},
    {"vectors take a release and an acquire", "ptx", vector_mp,
     "P0 5: st.relaxed.gpu.v2.u32 [x], {1, 1} -> st.release.gpu.v2.u32 [x], {1, 1}, "
     "P1 4: ld.relaxed.gpu.v2.u32 {r0, _}, [x] -> ld.acquire.gpu.v2.u32 {r0, _}, [x]"},
    {"an access with a cache operator stays weak", "ptx", cached_flag,
     "P0 5: fence.acq_rel.gpu -> fence.sc.gpu, P1 5: fence.acq_rel.gpu -> fence.sc.gpu"},
    {"one of .mmio stays relaxed", "ptx", mmio_flag,
     "P0 6: st.relaxed.cta y, 1 -> st.relaxed.gpu y, 1 | "
     "P0 5: fence.acq_rel.gpu -> fence.sc.gpu, P1 5: fence.acq_rel.gpu -> fence.sc.gpu"},
    {"the host takes a release", "ptx", host_half,
     "P0 5: " HOST_STORE("y", "relaxed") " -> " HOST_STORE("y", "release")},
    {"the host and a GPU", "ptx", host_mp,
     "P0 5: " HOST_STORE("y", "relaxed") " -> " HOST_STORE(
         "y", "release") ", P1 4: ld.relaxed.sys r0, y -> ld.acquire.sys r0, y"},
    {"a fence in each, in their words", "ptx", host_sb, "P0 +4: " SC_FENCE ", P1 +4: fence.sc.sys"},
    {"between GPUs scopes are widened to the system's", "ptx", gpus_mp,
     "P0 5: st.release.gpu y, 1 -> st.release.sys y, 1, P1 4: ld.acquire.gpu r0, y -> ld.acquire.sys r0, y"},
    {"MP in C", "rc11", c_mp,
     "P0 5: " STORE("y") " -> atomic_store_explicit(y, 1, memory_order_release), P1 8: " LOAD(
         "r0", "y") " -> int r0 = "
                    "atomic_load_explicit(y, memory_order_acquire)"},
    {"SB in C: release and acquire are not enough, two fences are", "rc11", c_sb,
     "P0 +4: " SC_FENCE ", P1 +8: " SC_FENCE},
    {"SB on x86 takes a fence in each thread", "tso", c_sb, "P0 +4: " SC_FENCE ", P1 +8: " SC_FENCE},
    {"MP in OpenCL", "opencl", cl_mp,
     "P0 5: " CL_STORE("y") " -> atomic_store_explicit(y, 1, memory_order_release, memory_scope_device), P1 8: " CL_LOAD(
         "r0", "y") " -> int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device)"},
    {"SB in OpenCL", "opencl", cl_sb,
     "P0 +4: atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device), "
     "P1 +8: atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device)"},
    {"a race of a plain access ends with a release and an acquire", "rc11", c_race,
     "P0 5: " STORE("y") " -> atomic_store_explicit(y, 1, memory_order_release), P1 8: " LOAD(
         "r0", "y") " -> int r0 = "
                    "atomic_load_explicit(y, memory_order_acquire)"},
};

/* Protects: the fewest and cheapest changes are found, with the old and new instructions and the outcome's new verdict,
 * even if the test had no meaning before. */
static void smallest_changes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof smallest / sizeof *smallest; i++) {
        struct asked asked;
        struct repairs repairs = {0};
        struct error error = {0};
        struct text text = {0};
        ask(&asked, smallest[i].model, smallest[i].text, 60);
        assert_int_equal(repairs_find(&asked.wanted, &repairs, &error), STATUS_OK);
        print_repairs(&repairs, &text);
        if (strcmp(text_string(&text), smallest[i].repairs) != 0)
            fail_msg("%s: %s", smallest[i].name, text_string(&text));
        for (size_t k = 0; k < repairs.count; k++)
            if (repairs.items[k].then != (asked.wanted.undefined ? VERDICT_SC : VERDICT_FORBIDDEN))
                fail_msg("%s: %d", smallest[i].name, repairs.items[k].then);
        assert_true(repairs.is_fewest);
        assert_false(repairs.cut);
        text_release(&text);
        repairs_release(&repairs);
        release(&asked);
    }
}

/* Threads of one work-group. */
#define BLOCK2(place, a, b) "PTX T\n{ x=0; y=0; }\n P0@" place " | P1@" place " ;\n " a " ;\n " b " ;\n"
#define CL_GROUP(region, a, b)                                                                                         \
    "OPENCL T\n{ x=0; }\nP0@sg 0, wg 0, dev 0 (" region " int* x) {\n" a "}\nP1@sg 1, wg 0, dev 0 (" region            \
    " int* x) {\n" b "}\nexists (1:r0=0)\n"
#define VK_GROUP(a, b)                                                                                                 \
    "VULKAN T\n{ x=0; }\n P0@sg 0,wg 0,qf 0 | P1@sg 1,wg 0,qf 0 ;\n " a " ;\n " b " ;\nexists (1:r0=0)\n"

static const struct {
    const char *name, *model, *text, *barriers;
} meetings[] = {
    {"between the write and the read, though nothing is reordered", "ptx",
     BLOCK2("cta 0,gpu 0", "st.weak x, 1 | ld.weak r0, x", " | ") "exists (1:r0=0)\n",
     "P0 +4: bar.cta.sync 0, P1 +3: bar.cta.sync 0"},
    {"of the warp, if it has both threads", "ptx",
     BLOCK2("warp 0,cta 0,gpu 0", "st.weak x, 1 | ld.weak r0, x", " | ") "exists (1:r0=0)\n",
     "P0 +4: bar.warp.sync 0, P1 +3: bar.warp.sync 0"},
    {"of the cluster, if only that has both", "ptx",
     "PTX T\n{ x=0; }\n P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x ;\n"
     "exists (1:r0=0)\n",
     "P0 +4: barrier.cluster.arrive.release, P0 +4: barrier.cluster.wait.acquire, "
     "P1 +3: barrier.cluster.arrive.release, P1 +3: barrier.cluster.wait.acquire"},
    {"one that lets the message through", "ptx",
     BLOCK2("cta 0,gpu 0", "st.weak x, 1 | ld.weak r0, y", "st.weak y, 1 | ld.weak r1, x") MP,
     "P0 +4: bar.cta.sync 0, P1 +3: bar.cta.sync 0"},
    {"in every thread of the group, also those that take no part", "ptx",
     "PTX T\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n st.weak x, 1 | st.weak y, 1 | "
     "ld.weak r0, x ;\nexists (2:r0=0)\n",
     "P0 +4: bar.cta.sync 0, P1 +3: bar.cta.sync 0, P2 +3: bar.cta.sync 0"},
    {"before the loop, not in it", "ptx",
     "PTX T\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | L: ld.relaxed.cta r0, y ;\n "
     "st.relaxed.cta y, 1 | bne r0, 1, L ;\n | ld.weak r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n",
     "P0 +4: bar.cta.sync 0, P1 +3: bar.cta.sync 0"},
    {"not between work-groups", "ptx", ptx_mp, ""},
    {"with the memory that is used", "opencl", CL_GROUP("global", "*x = 1;\n", "int r0 = *x;\n"),
     "P0 +4: barrier(CLK_GLOBAL_MEM_FENCE), P1 +6: barrier(CLK_GLOBAL_MEM_FENCE)"},
    {"the one that is there, for the memory that it leaves out", "opencl",
     CL_GROUP("global", "*x = 1;\nbarrier(CLK_LOCAL_MEM_FENCE);\n", "barrier(CLK_LOCAL_MEM_FENCE);\nint r0 = *x;\n"),
     "P0 5: barrier(CLK_LOCAL_MEM_FENCE) -> barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE), "
     "P1 8: barrier(CLK_LOCAL_MEM_FENCE) -> barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)"},
    {"after a branch, not in it", "opencl", CL_GROUP("local", "if (1 == 1) {\n*x = 1;\n}\n", "int r0 = *x;\n"),
     "P0 +6: barrier(CLK_LOCAL_MEM_FENCE), P1 +8: barrier(CLK_LOCAL_MEM_FENCE)"},
    {"a control barrier without semantics gets them", "vulkan",
     VK_GROUP("st.nonpriv.sc1 x, 1 | cbar.wg 0", "cbar.wg 0 | ld.nonpriv.sc1 r0, x"),
     "P0 5: cbar.wg 0 -> cbar.acq_rel.wg.semsc1.semav.semvis 0, "
     "P1 4: cbar.wg 0 -> cbar.acq_rel.wg.semsc1.semav.semvis 0"},
};

/* Protects: the barriers that are proposed, each of which the model confirmed. */
static void barriers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof meetings / sizeof *meetings; i++) {
        struct asked asked;
        struct repairs repairs = {0};
        struct error error = {0};
        struct text text = {0};
        ask(&asked, meetings[i].model, meetings[i].text, 60);
        assert_int_equal(barriers_can_meet(asked.test), *meetings[i].barriers != '\0');
        assert_int_equal(barriers_find(&asked.wanted, &repairs, &error), STATUS_OK);
        print_repairs(&repairs, &text);
        if (strcmp(text_string(&text), meetings[i].barriers) != 0)
            fail_msg("%s: %s", meetings[i].name, text_string(&text));
        if (repairs.count > 0 && !asked.wanted.undefined)
            assert_int_equal(repairs.items[0].then, VERDICT_FORBIDDEN);
        text_release(&text);
        repairs_release(&repairs);
        release(&asked);
    }
}

static const struct {
    const char *name, *model, *text, *held;
} held[] = {
    {"the release and the acquire of MP, neither of the data", "ptx", ptx_held,
     "P0 5: st.release.gpu y, 1 -> st.relaxed.gpu y, 1 | P1 4: ld.acquire.gpu r0, y -> ld.relaxed.gpu r0, y"},
    {"both fences of a lock and both updates, in their scope", "ptx", lock_held,
     "P0 5: fence.acq_rel.gpu -> fence.acq_rel.cta | P0 6: atom.relaxed.gpu.exch r0, m, 0 -> atom.relaxed.cta.exch r0, m, 0 | "
     "P1 4: atom.relaxed.gpu.cas r0, m, 0, 1 -> atom.relaxed.cta.cas r0, m, 0, 1 | P1 5: fence.acq_rel.gpu -> fence.acq_rel.cta"},
    {"the host's release and the GPU's acquire", "ptx", host_held,
     "P0 5: " HOST_STORE("y", "release") " -> " HOST_STORE(
         "y", "relaxed") " | "
                         "P1 4: ld.acquire.sys r0, y -> ld.relaxed.sys r0, y"},
    {"the fence of a proxy", "ptx", copied_held, "P0 5: fence.proxy.async -> nothing"},
    {"both orders of an mbarrier", "ptx", arrived_held,
     "P0 5: mbarrier.arrive.release.cluster.shared::cluster.b64 _, [m] -> "
     "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [m] | "
     "P1 4: mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 r0, [m], 0 -> "
     "mbarrier.test_wait.parity.relaxed.cluster.shared.b64 r0, [m], 0"},
    {"nothing, where x86 forbids it", "tso", c_mp, ""},
};

/* Protects: the instructions that forbid an outcome are reported, with the mildest change that allows it. */
static void what_holds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        struct asked asked;
        struct repairs repairs = {0};
        struct error error = {0};
        struct text text = {0};
        ask(&asked, held[i].model, held[i].text, 60);
        assert_int_equal(weakenings_find(&asked.wanted, &repairs, &error), STATUS_OK);
        print_repairs(&repairs, &text);
        if (strcmp(text_string(&text), held[i].held) != 0)
            fail_msg("%s: %s", held[i].name, text_string(&text));
        for (size_t k = 0; k < repairs.count; k++)
            assert_true(repairs.items[k].then == VERDICT_WEAK || repairs.items[k].then == VERDICT_SC);
        text_release(&text);
        repairs_release(&repairs);
        release(&asked);
    }
}

static const struct {
    const char *name, *model, *text;
    enum weak_reason reason;
    const char *alone; /* a digit for each edge of the cycle */
} weak[] = {
    {"MP: either side", "ptx", ptx_mp, WEAK_REORDERED, "1010"},
    {"MP with an acquire: the writes alone", "ptx", ptx_half, WEAK_REORDERED, "1000"},
    {"SB: either side", "ptx", ptx_sb, WEAK_REORDERED, "1010"},
    {"2+2W: fences of acq_rel leave it", "ptx", ptx_2w, WEAK_PROPAGATION, NULL},
    {"IRIW: no reader reorders", "ptx", iriw_acquire, WEAK_PROPAGATION, NULL},
    {"scopes that leave a thread out", "ptx", ptx_narrow, WEAK_SCOPES, NULL},
    {"weak accesses between fences", "ptx", ptx_weak, WEAK_ACCESSES, NULL},
    {"the host's writes alone", "ptx", host_half, WEAK_REORDERED, "1000"},
    {"two GPUs, and scopes that end at one", "ptx", gpus_mp, WEAK_SCOPES, NULL},
    {"SB on x86", "tso", c_sb, WEAK_REORDERED, "1010"},
    {"a lock whose turns are symmetric: the other turn has the outcome, too", "ptx", ticket, WEAK_REORDERED, "1010"},
};

/* Protects: the reported causes of a weak outcome. */
static void what_makes_it_weak(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof weak / sizeof *weak; i++) {
        struct asked asked;
        struct error error = {0};
        struct weakness weakness = {.reason = WEAK_UNKNOWN};
        ask(&asked, weak[i].model, weak[i].text, 60);
        assert_int_equal(weakness_find(&asked.wanted, &weakness, &error), STATUS_OK);
        if (weakness.reason != weak[i].reason)
            fail_msg("%s: %d", weak[i].name, weakness.reason);
        for (size_t k = 0; weak[i].alone && k < asked.wanted.cause->cycle_count; k++)
            if (weakness.alone[k] != (weak[i].alone[k] == '1'))
                fail_msg("%s: edge %zu", weak[i].name, k);
        weakness_release(&weakness);
        release(&asked);
    }
}

/* Tests of threads that run at once, or in launches by these lines. */
#define CL_PLAIN(lines)                                                                                                \
    "OPENCL T\n{ x=0; y=0; }\nP0@wg 0, dev 0 (global int* x, global int* y) {\n*x = 1;\n*y = 1;\n}\n"                  \
    "P1@wg 1, dev 0 (global int* x, global int* y) {\nint r0 = *y;\nint r1 = *x;\n}\n" lines MP
#define PTX_FORK(lines, condition)                                                                                       \
    "PTX T\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x " \
    "| ld.relaxed.gpu r0, x ;\n" lines "exists (" condition ")\n"
#define PTX_CHAIN(places, lines)                                                                                       \
    "PTX T\n{ x=0; y=0; }\n " places " ;\n st.weak x, 1 | ld.weak r0, x | ld.weak r0, y ;\n | st.weak y, 1 | ld.weak " \
    "r1, x ;\n" lines "exists (1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0)\n"
#define PTX_APART "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0"
#define HANDED(lines)                                                                                                   \
    "PTX T\n{ x=0; }\n P0@host | P1@cta 0,gpu 0 ;\n atomic_store_explicit(x, 1, memory_order_relaxed) | ld.weak r0, x " \
    ";\n" lines "exists (1:r0=0)\n"
#define SPINS                                                                                                          \
    "PTX T\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n L: | st.relaxed.gpu x, 1 ;\n ld.relaxed.gpu r0, x | ;\n "   \
    "bne r0, 1, L | ;\nP1 beside P0\nexists (0:r0=1)\n"

struct launch_row {
    const char *name, *model, *text, *repairs; /* "SAYS [P1 11: BEFORE -> AFTER, P2 +: NEW]" */
    enum verdict then;
};

static const struct launch_row orders[] = {
    {"a race of plain accesses ends with the kernel that writes", "opencl", CL_PLAIN(""),
     "launch P1's kernel after P0's has ended [P1 +0: P1 after P0 by queue]", VERDICT_FORBIDDEN},
    {"so does one of launches beside each other", "opencl", CL_PLAIN("P1 beside P0\n"),
     "launch P1's kernel after P0's has ended [P1 11: P1 beside P0 -> P1 after P0 by queue]", VERDICT_FORBIDDEN},
    {"an event, where a queue would order others", "ptx",
     PTX_FORK("P1 after P0 by queue\nP2 beside P0\nP2 beside P1\n", "1:r0=1 /\\ 2:r0=0"),
     "launch P2's kernel after P0's has ended [P2 6: P2 beside P0 -> P2 after P0 by event]", VERDICT_FORBIDDEN},
    {"two kernels after one: one launch", "ptx", PTX_FORK("P1 beside P0\nP2 beside P0\n", "1:r0=0 /\\ 2:r0=0"),
     "launch P1's kernel after P0's has ended [P1 5: P1 beside P0 -> P1 after P0 by queue] | "
     "launch P2's kernel after P0's has ended [P2 6: P2 beside P0 -> P2 after P0 by queue]",
     VERDICT_FORBIDDEN},
    {"against the order of the threads' numbers, where the other does not", "ptx",
     PTX_FORK("P2 beside P0\nP2 beside P1\n", "2:r0=1"),
     "launch P0's kernel after P2's has ended [P0 5: P2 beside P0 -> P0 after P2 by queue]", VERDICT_FORBIDDEN},
    {"work-groups stay whole", "ptx",
     PTX_CHAIN("P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 1,gpu 0", "P1 beside P0\nP2 beside P0\n"),
     "launch P1's and P2's kernel after P0's has ended "
     "[P1 6: P1 beside P0 -> P1 after P0 by queue, P2 7: P2 beside P0 -> P2 after P0 by queue]",
     VERDICT_FORBIDDEN},
    {"two kernels, of what writes and of what reads", "opencl",
     "OPENCL T\n{ x=0; y=0; }\nP0@wg 0, dev 0 (global int* x) {\n*x = 1;\n}\n"
     "P1@wg 1, dev 0 (global int* x, global int* y) {\nint r0 = *x;\nint r1 = *y;\n}\n"
     "P2@wg 2, dev 0 (global int* y) {\n*y = 1;\n}\n"
     "P3@wg 3, dev 0 (global int* x, global int* y) {\nint r0 = *y;\nint r1 = *x;\n}\n"
     "exists (1:r0=1 /\\ 1:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)\n",
     "launch P1's and P3's kernel after P0's and P2's has ended [P1 +0: P1 after P0 by queue, P3 +0: P3 after P0 by queue, "
     "P3 +0: P3 after P2 by queue, P1 +0: P1 after P2 by queue]",
     VERDICT_FORBIDDEN},
    {"three kernels, where two are not enough", "opencl",
     "OPENCL T\n{ x=0; y=0; }\nP0@wg 0, dev 0 (global int* x) {\n*x = 1;\n}\n"
     "P1@wg 1, dev 0 (global int* x, global int* y) {\nint r0 = *x;\n*y = 1;\n}\n"
     "P2@wg 2, dev 0 (global int* x, global int* y) {\nint r0 = *y;\nint r1 = *x;\n}\n"
     "exists (1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0)\n",
     "launch P1's kernel after P0's has ended, and P2's after P1's has ended "
     "[P1 +0: P1 after P0 by queue, P2 +0: P2 after P1 by queue]",
     VERDICT_FORBIDDEN},
    {"the host's part before the kernel", "ptx", HANDED(""),
     "launch P1's kernel after P0's has ended [P1 +0: P1 after P0 by host]", VERDICT_FORBIDDEN},
    {"none, where a kernel would wait for one that comes after it", "ptx", SPINS, "", VERDICT_NONE},
    {"none in C, whose tests have no launches", "rc11", c_mp, "", VERDICT_NONE},
};

static void print_launches(const struct repairs *repairs, struct text *text)
{
    for (size_t i = 0; i < repairs->launch_count; i++) {
        struct repairs one = {.items = &repairs->launches[i], .count = 1};
        text_add(text, "%s%s [", i > 0 ? " | " : "", repairs->launches[i].says);
        print_repairs(&one, text);
        text_add(text, "]");
    }
}

static void check_launches(const struct launch_row *row,
                           void (*find)(const struct repair_wanted *wanted, struct repairs *repairs))
{
    struct asked asked;
    struct repairs repairs = {0};
    struct text text = {0};
    ask(&asked, row->model, row->text, 60);
    find(&asked.wanted, &repairs);
    print_launches(&repairs, &text);
    if (strcmp(text_string(&text), row->repairs) != 0)
        fail_msg("%s: %s", row->name, text_string(&text));
    for (size_t k = 0; k < repairs.launch_count; k++)
        assert_int_equal(repairs.launches[k].then, row->then);
    assert_false(repairs.cut);
    text_release(&text);
    repairs_release(&repairs);
    release(&asked);
}

/* Protects: the order of launches that forbids an outcome is found, by a call that the test can have. */
static void launches_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        check_launches(&orders[i], launch_repairs_find);
}

static const struct launch_row disorders[] = {
    {"one queue", "opencl", CL_PLAIN("P1 after P0 by queue\n"),
     "launch P1's kernel beside P0's [P1 11: P1 after P0 by queue -> P1 beside P0]", VERDICT_UNDEFINED},
    {"either of two in a chain", "ptx", PTX_CHAIN(PTX_APART, "P1 after P0 by queue\nP2 after P1 by event\n"),
     "launch P1's kernel beside P0's [P1 6: P1 after P0 by queue -> P1 beside P0] | "
     "launch P2's kernel beside P1's [P2 7: P2 after P1 by event -> P2 beside P1]",
     VERDICT_WEAK},
    {"both lines of a work-group", "ptx",
     PTX_CHAIN("P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 1,gpu 0", "P1 after P0 by queue\nP2 after P0 by queue\n"),
     "launch P1's and P2's kernel beside P0's "
     "[P1 6: P1 after P0 by queue -> P1 beside P0, P2 7: P2 after P0 by queue -> P2 beside P0]",
     VERDICT_WEAK},
    {"the host and a kernel, which no line puts beside each other", "ptx", HANDED("P1 after P0 by host\n"),
     "launch P1's kernel beside P0's [P1 5: P1 after P0 by host -> nothing]", VERDICT_SC},
    {"none, where instructions forbid it", "ptx", ptx_held, "", VERDICT_NONE},
};

/* Protects: the orders of launches that forbid an outcome are reported, with its new verdict. */
static void launches_that_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof disorders / sizeof *disorders; i++)
        check_launches(&disorders[i], launch_weakenings_find);
}

/* Protects: a search whose time is up says so, and does not claim that its result is the fewest. */
static void time_is_up(void **state)
{
    struct asked asked;
    struct repairs repairs = {0};
    struct error error = {0};
    (void)state;
    ask(&asked, "ptx", ptx_sb, -1);
    assert_int_equal(repairs_find(&asked.wanted, &repairs, &error), STATUS_OK);
    assert_true(repairs.cut);
    assert_false(repairs.is_fewest);
    assert_int_equal(repairs.count, 0);
    assert_int_equal(repairs.tried, 0);
    repairs_release(&repairs);
    release(&asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smallest_changes),   cmocka_unit_test(barriers),          cmocka_unit_test(what_holds),
        cmocka_unit_test(what_makes_it_weak), cmocka_unit_test(launches_in_order), cmocka_unit_test(launches_that_hold),
        cmocka_unit_test(time_is_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
