// SPDX-License-Identifier: Apache-2.0
/*
 * Programmatic launches: stores after the trigger of the next launch, and accesses of global memory on a way from a
 * kernel's entry to no griddepcontrol.wait. "If the prerequisite grid [...] is using griddepcontrol.launch_dependents
 * [...], the dependent grid must use griddepcontrol.wait to ensure correct functional execution" (PTX ISA,
 * griddepcontrol).
 *
 * A wait of some threads covers the others of their block after the next barrier that they all reach.
 */
#include "audit/pattern.h"

enum { MOST_WAITS = 64 };

/* Barriers after which all threads of a block know of a wait that some of them executed. */
static unsigned find_covering(struct audited *audited, const struct sync *wait, unsigned *covering, unsigned most)
{
    const struct flow *flow = &audited->flow;
    unsigned count = 0;
    unsigned block = flow->instructions[wait->instruction].block;
    bool truth;
    const struct flow_instruction *branch = audited_next_branch(audited, &block, &truth);
    for (size_t i = 0; branch && i < audited->sync_count && count < most; i++) {
        const struct sync *barrier = &audited->syncs[i];
        const unsigned kinds = wait->role == ROLE_LANE ? SYNC_BLOCK | SYNC_WARP : SYNC_BLOCK;
        if ((barrier->kind & kinds) && audited_reaches(audited, wait->instruction, barrier->instruction, NULL) &&
            flow_dominates(flow, branch->block, flow->instructions[barrier->instruction].block))
            covering[count++] = barrier->instruction;
    }
    return count;
}

/* Whether some threads of a block may pass a wait by. */
static bool is_partial(struct audited *audited, const struct sync *wait)
{
    struct value_fact facts[FACTS_MOST_AROUND];
    const unsigned count = audited_facts(audited, wait->instruction, facts);
    return ANY_OF(fact, facts, count, fact->comparison == FACT_ELECTED || (fact->form->depends & VALUE_THREAD));
}

static void add_early(struct audit *audit, struct audited *audited, const struct access *access, unsigned wait)
{
    struct outline outline = {.arena = &audit->arena};
    const bool loads = access->kind == ACCESS_LOAD, likely = loads && !access->read_only;
    if (!likely && !audit->options.all)
        return;
    outline_add(&outline, outline_column(&outline, "cta 0,gpu 0", true), "griddepcontrol.launch_dependents");
    outline_add(&outline, 0, loads ? "st.weak x, 1" : "ld.weak r0, x");
    (void)outline_column(&outline, "cta 1,gpu 0", false);
    outline_add(&outline, 1, "%s",
                loads ? outline_load(outline.arena, audited, access, "r0", "x")
                      : outline_store(outline.arena, audited, access, "x"));
    outline_add(&outline, 1, "griddepcontrol.wait");
    struct audit_candidate found = {
        .pattern = AUDIT_LAUNCH,
        .grade = likely ? AUDIT_ALLOWED : AUDIT_DEPENDS,
        .at = access->instruction,
        .other = wait,
        .says = loads ? "The read at %1 may come before an earlier kernel of the stream has written the data: this "
                        "kernel waits for that one (griddepcontrol.wait) only at %2."
                      : "The write at %1 may come while an earlier kernel of the stream still uses the data: this "
                        "kernel waits for that one (griddepcontrol.wait) only at %2.",
        .test = outline_text(&outline, "an access before the wait for the launch before", "{ x=0; }",
                             "P1 after P0 by programmatic\n", loads ? "1:r0=0" : "0:r0=1"),
        .ideal = outline.ideal,
        .assumptions = {loads ? "an earlier kernel of the stream writes this memory, and lets this one start early"
                              : "an earlier kernel of the stream uses this memory, and lets this one start early"}};
    audit_add_candidate(audit, &found);
}

/* What is stored after the trigger of the next launch, which may then run: only its wait orders that. */
static void add_late(struct audit *audit, struct audited *audited, unsigned trigger)
{
    FOR_EACH(const struct access, store, audited->accesses, audited->access_count) {
        struct outline outline = {.arena = &audit->arena};
        if (store->kind != ACCESS_STORE || store->space != SPACE_GLOBAL ||
            !audited_reaches(audited, trigger, store->instruction, NULL))
            continue;
        outline_add(&outline, outline_column(&outline, "cta 0,gpu 0", false), "griddepcontrol.launch_dependents");
        outline_add(&outline, 0, "%s", outline_store(outline.arena, audited, store, "x"));
        outline_add(&outline, outline_column(&outline, "cta 1,gpu 0", true), "ld.weak r0, x");
        const struct audit_candidate found = {
            .pattern = AUDIT_LAUNCH,
            .grade = AUDIT_DEPENDS,
            .at = trigger,
            .other = store->instruction,
            .says =
                "The kernel lets the next one start at %1, which sees what %2 writes only after it has waited for it "
                "(griddepcontrol.wait).",
            .test = outline_text(&outline, "a store after the trigger of the next launch", "{ x=0; }",
                                 "P1 after P0 by programmatic\n", "1:r0=0"),
            .ideal = outline.ideal,
            .assumptions = {"the next kernel of the stream reads this memory without waiting"}};
        audit_add_candidate(audit, &found);
        return;
    }
}

void pattern_launch(struct audit *audit, struct audited *audited)
{
    for (size_t i = 0; audit->options.all && i < audited->sync_count; i++)
        if (audited->syncs[i].kind == SYNC_TRIGGER)
            add_late(audit, audited, audited->syncs[i].instruction);
    unsigned waits[2 * MOST_WAITS], count = 0, covered, partial = FLOW_NONE;
    for (size_t i = 0; i < audited->sync_count && count < MOST_WAITS; i++)
        if (audited->syncs[i].kind == SYNC_GRID_WAIT)
            waits[count++] = audited->syncs[i].instruction;
    covered = count;
    for (size_t i = 0; count > 0 && i < audited->sync_count; i++)
        if (audited->syncs[i].kind == SYNC_GRID_WAIT && is_partial(audited, &audited->syncs[i])) {
            partial = audited->syncs[i].instruction;
            covered += find_covering(audited, &audited->syncs[i], waits + covered, 2 * MOST_WAITS - covered);
        }
    const struct way way = {.avoid = waits, .avoid_count = covered};
    audit->communications[AUDIT_LAUNCH] += count > 0;
    for (size_t i = 0; count > 0 && i < audited->access_count && !audited->late; i++) {
        const struct access *access = &audited->accesses[i];
        if (access->space != SPACE_GLOBAL || waits[0] == 0 ||
            (access->instruction > 0 && !audited_reaches(audited, 0, access->instruction, &way)))
            continue;
        unsigned wait = partial; /* threads that take no part in it go on without */
        for (unsigned j = count; j > 0; j--)
            if (audited_reaches(audited, access->instruction, waits[j - 1], NULL))
                wait = waits[j - 1];
        if (wait != FLOW_NONE)
            add_early(audit, audited, access, wait);
    }
}
