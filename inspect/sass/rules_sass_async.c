// SPDX-License-Identifier: Apache-2.0
/*
 * The SASS of asynchronous copies, mbarriers, clusters and proxies other than the generic one.
 *
 * Found as in rules_sass.c: each PTX instruction compiled alone by ptxas 13.0, for sm_80, 86 and 89
 * if they have it and for sm_90, and disassembled by nvdisasm 12.4.
 *
 *   cp.async.ca, .cg         LDGSTS.E, .64, .128; LDGSTS.E.BYPASS.128
 *   cp.async.commit_group    LDGDEPBAR
 *   cp.async.wait_group N    DEPBAR.LE SB0, N
 *   cp.async.wait_all        LDGDEPBAR ; DEPBAR.LE SB0, 0
 *   cp.async.mbarrier.arrive sm_80: ATOMS.ADD ; ARRIVES.LDGSTSBAR.64         sm_90: SYNCS...A0T1 ; ARRIVES...TRANSCNT
 *   ... .noinc               sm_80: ARRIVES.LDGSTSBAR.64                     sm_90: ARRIVES...ARVCNT
 *   cp.async.bulk            UBLKCP.S.G, .G.S, .S.S         of one item at a time: a loop with ELECT, or over unequal registers
 *   ... .multicast::cluster  UBLKCP.S.G.MULTICAST           the size and the mask are the halves of one register
 *   cp.reduce.async.bulk     UBLKRED.G.S.ADD, .S.S.ADD      .U64 for elements of 64 bits, .S32 and .S64 for min and max
 *   cp.async.bulk.commit     UTMACMDFLUSH
 *   ....wait_group N         DEPBAR.LE SB0, N ; CCTL.IVALL  .read: no CCTL
 *   st.async, red.async      STAS, STAS.64; REDAS.ADD
 *   mbarrier.arrive          sm_80: MEMBAR.ALL.CTA ; ATOMS.ARRIVE.64         sm_90: SYNCS.ARRIVE.TRANS64.A1T0; ART0 for a count
 *   ... .release.cluster     MEMBAR.ALL.CTA ; MEMBAR.ALL.GPU ; ...           release.cta as relaxed: SYNCS itself does it
 *   ... .expect_tx           SYNCS.ARRIVE.TRANS64; alone A0TR; complete_tx A0TX
 *   mbarrier.test_wait       sm_80: LDS of the high word                     sm_90: SYNCS.PHASECHK
 *   mbarrier.try_wait        SYNCS.PHASECHK.TRYWAIT         with a time ; @!P NANOSLEEP.SYNCS ; @!P SYNCS.PHASECHK
 *   ... .acquire.cluster     ... ; @P CCTL.IVALL            if the phase has ended
 *   barrier.cluster.arrive   MEMBAR.ALL.GPU ; UCGABAR_ARV   .relaxed: no MEMBAR; only if the launch has clusters
 *   barrier.cluster.wait     UCGABAR_WAIT ; CCTL.IVALL      else BAR.SYNC
 *   fence.proxy.async        MEMBAR.ALL.GPU ; FENCE.VIEW.ASYNC.S             the same for .shared::cluster
 *   ... .global              FENCE.VIEW.ASYNC.G
 *   ... .shared::cta         MEMBAR.ALL.CTA ; FENCE.VIEW.ASYNC.S
 *   fence.acquire.sync_restrict::shared::cluster        nothing; the same for fence.proxy.async::generic.acquire...
 *   fence.release.sync_restrict::shared::cta            MEMBAR.ALL.CTA ; FENCE.VIEW.ASYNC.S; the same for async::generic
 *   fence.proxy.alias        MEMBAR.SC.GPU, or by a launch parameter MEMBAR.SC.SYS, ; CCTL.IVALL
 *   ld.const                 LDC c[0x3][...]
 *   tex                      TLD with a mask of elements; suld, sust, sured: SULD, SUST, SURED
 */
#include "inspect/sass/rules_sass.h"
#include "litmus/language/order.h"

/* ---- mbarriers ---- */

static void need_barrier_update(struct sass_needs *needs, const struct litmus_access *access)
{
    const bool wide = access->scope > LITMUS_WORK_GROUP && access->order == LITMUS_RELEASE;
    const bool own_order = needs->architecture >= SASS_CLUSTERS && !wide;
    if (!own_order && access->order != LITMUS_RELAXED)
        sass_need_fence(needs, LITMUS_RELEASE, wide ? LITMUS_DEVICE : LITMUS_WORK_GROUP, true);
    sass_need(needs, (struct inspect_need){.effect = MACHINE_UPDATE, .bytes = 8, .operation = access->operation});
}

static void need_barrier_test(struct sass_needs *needs, const struct litmus_access *access)
{
    const bool syncs = needs->architecture >= SASS_CLUSTERS;
    sass_need(needs, (struct inspect_need){.effect = MACHINE_LOAD,
                                           .bytes = syncs ? 8 : 4,
                                           .operation = syncs ? access->operation : LITMUS_LOAD});
    if (access->operation == LITMUS_TRY_WAIT) /* it sleeps for the given time, and tests again */
        sass_need(needs, (struct inspect_need){
                             .effect = MACHINE_LOAD, .bytes = 8, .operation = LITMUS_TEST_WAIT, .optional = true});
    if (access->order == LITMUS_ACQUIRE && access->scope > LITMUS_WORK_GROUP)
        sass_need(needs, (struct inspect_need){
                             .effect = MACHINE_INVALIDATE, .optional = true, .required = true, .is_order = true});
}

enum status sass_need_mbarrier(struct sass_needs *needs, struct error *error)
{
    const struct litmus_access *access = needs->step->access;
    const bool tests = operation_is_wait(access->operation);
    if (needs->architecture < SASS_CLUSTERS && access->operation != LITMUS_ARRIVE &&
        access->operation != LITMUS_TEST_WAIT)
        return inspect_refuse(needs->subject->test, needs->step, "SASS before sm_90", error);
    if (tests)
        need_barrier_test(needs, access);
    else
        need_barrier_update(needs, access);
    return STATUS_OK;
}

/* ---- copies ---- */

static enum litmus_region region_of(const struct litmus_test *test, const struct litmus_expression *address)
{
    return test->locations[address->index].region;
}

enum status sass_need_copy(struct sass_needs *needs, struct error *error)
{
    const struct litmus_copy *copy = needs->step->copy;
    const struct litmus_test *test = needs->subject->test;
    const bool updates = copy->operation != LITMUS_STORE;
    (void)error;
    sass_need(needs,
              (struct inspect_need){.effect = MACHINE_ASYNC,
                                    .proxy = copy->bulk ? LITMUS_ASYNC : LITMUS_GENERIC,
                                    .region = region_of(test, copy->to),
                                    .from = copy->from ? region_of(test, copy->from) : LITMUS_GLOBAL,
                                    .operation = copy->operation,
                                    .bytes = copy->from ? copy->bytes : (unsigned)litmus_type_size(copy->type),
                                    .element = copy->bulk && updates ? (unsigned)litmus_type_size(copy->type) : 0,
                                    .multicast = copy->to->right != NULL,
                                    .elects = copy->bulk});
    return STATUS_OK;
}

static void need_wait(struct sass_needs *needs, unsigned pending)
{
    sass_need(needs, (struct inspect_need){.effect = MACHINE_WAIT, .pending = pending});
}

/* An arrival when copies complete. Without .noinc, a separate update makes the mbarrier expect one
 * more. */
static void need_arrival(struct sass_needs *needs, const struct litmus_group *group)
{
    const bool syncs = needs->architecture >= SASS_CLUSTERS;
    if (!group->no_increment)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_UPDATE,
                                               .operation = syncs ? LITMUS_EXPECT_TX : LITMUS_LOAD,
                                               .optional = !syncs,
                                               .required = true});
    sass_need(needs,
              (struct inspect_need){.effect = MACHINE_ASYNC,
                                    .region = LITMUS_LOCAL,
                                    .bytes = 8,
                                    .operation = syncs && !group->no_increment ? LITMUS_COMPLETE_TX : LITMUS_ARRIVE,
                                    .elects = true,
                                    .optional = true, /* in a loop that handles one item after another */
                                    .required = true});
}

enum status sass_need_group(struct sass_needs *needs, struct error *error)
{
    const struct litmus_group *group = needs->step->group;
    const enum litmus_proxy proxy = group->bulk ? LITMUS_ASYNC : LITMUS_GENERIC;
    (void)error;
    if (group->action == LITMUS_GROUP_ARRIVE) {
        need_arrival(needs, group);
        return STATUS_OK;
    }
    if (group->action == LITMUS_GROUP_COMMIT || group->action == LITMUS_GROUP_WAIT_ALL)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_COMMIT, .proxy = proxy});
    if (group->action == LITMUS_GROUP_WAIT || group->action == LITMUS_GROUP_WAIT_ALL)
        need_wait(needs, group->action == LITMUS_GROUP_WAIT ? group->pending : 0);
    if (group->action == LITMUS_GROUP_WAIT && group->bulk && !group->read)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_INVALIDATE, .is_order = true});
    return STATUS_OK;
}

/* ---- proxies ---- */

enum status sass_need_proxy(struct sass_needs *needs, struct error *error)
{
    const struct litmus_access *access = needs->step->access;
    const enum machine_effect effect = access->operation == LITMUS_LOAD    ? MACHINE_LOAD
                                       : access->operation == LITMUS_STORE ? MACHINE_STORE
                                                                           : MACHINE_UPDATE;
    if (access->proxy == LITMUS_ASYNC || access->proxy == LITMUS_ALIAS)
        return inspect_refuse(needs->subject->test, needs->step, "SASS", error);
    sass_need(needs, (struct inspect_need){.effect = effect,
                                           .proxy = access->proxy,
                                           .hints = sass_hints(access),
                                           .bytes = (unsigned)litmus_type_size(access->type)});
    return STATUS_OK;
}

/* A fence without a state space is for both memories. */
static void need_async_fence(struct sass_needs *needs, const struct litmus_fence *fence)
{
    const bool global_only = fence->flag_global && !fence->flag_local && !fence->cluster;
    const bool own_only = fence->flag_local && !fence->flag_global && !fence->cluster;
    if (!global_only)
        sass_need_fence(needs, LITMUS_RELEASE, own_only ? LITMUS_WORK_GROUP : LITMUS_DEVICE, true);
    sass_need(needs, (struct inspect_need){.effect = MACHINE_FENCE,
                                           .proxy = LITMUS_ASYNC,
                                           .region = global_only ? LITMUS_GLOBAL : LITMUS_LOCAL});
}

enum status sass_need_proxy_fence(struct sass_needs *needs, struct error *error)
{
    const struct litmus_fence *fence = needs->step->fence;
    if (fence->restriction != LITMUS_UNRESTRICTED && needs->architecture < SASS_CLUSTERS)
        return inspect_refuse(needs->subject->test, needs->step, "SASS before sm_90", error);
    if (fence->order == LITMUS_ACQUIRE)
        return STATUS_OK; /* no instruction */
    if ((fence->proxy == LITMUS_ASYNC || fence->restriction) && needs->architecture >= SASS_CLUSTERS)
        need_async_fence(needs, fence);
    else if (fence->proxy == LITMUS_ALIAS)
        sass_need_fence(needs, LITMUS_SEQ_CST, LITMUS_DEVICE, false);
    else
        return inspect_refuse(needs->subject->test, needs->step, "SASS", error);
    return STATUS_OK;
}

/* ---- clusters ---- */

/* Adds a need that is skipped if the kernel was launched without clusters. */
static void need_in_cluster(struct sass_needs *needs, struct inspect_need need)
{
    need.optional = need.required = true;
    sass_need(needs, need);
}

enum status sass_need_cluster_barrier(struct sass_needs *needs, struct error *error)
{
    const struct litmus_barrier *barrier = needs->step->barrier;
    if (barrier->arrive == barrier->wait)
        return inspect_refuse(needs->subject->test, needs->step, "SASS", error);
    if (barrier->arrive && !barrier->relaxed)
        need_in_cluster(
            needs, (struct inspect_need){
                       .effect = MACHINE_FENCE, .order = LITMUS_ACQ_REL, .scope = LITMUS_DEVICE, .is_order = true});
    need_in_cluster(needs, (struct inspect_need){.effect = MACHINE_BARRIER,
                                                 .operation = barrier->arrive ? LITMUS_ARRIVE : LITMUS_TRY_WAIT});
    if (barrier->wait)
        need_in_cluster(needs, (struct inspect_need){.effect = MACHINE_INVALIDATE, .is_order = true});
    return STATUS_OK;
}
