// SPDX-License-Identifier: Apache-2.0
/*
 * Hand-over between ordinary accesses and bulk copies or wgmma, which access memory by the async proxy (PTX ISA, "Async
 * proxy"): shared memory that is stored to and then copied out or multiplied; global memory that is copied in after a
 * flag was seen; and arrivals at the mbarrier of another block, after stores to its memory.
 *
 * Not looked at: whether the next copy may overwrite what is still being read. The model allows that in nearly every
 * pipeline of copies that has no fence of the proxy, and nothing of the kind is known to have failed.
 */
#include "audit/pattern.h"

/* The operand in the n-th pair of brackets. */
static const char *bracket(const struct flow_instruction *instruction, unsigned n)
{
    return VALUE_OF(const char *, row, instruction->operands, instruction->operand_count, (*row)[0] == '[' && n-- == 0,
                    *row, NULL);
}

/* What reads shared memory through the async proxy, as rows of a test that end with the value in r0. */
struct reader {
    const char *title, *says, *initial;
    const char *rows[4];
};
static const struct reader copy_out = {"a store, then a bulk copy",
                                       "The copy at %1 may read shared memory from before the store at %2.",
                                       "{ x=0; shared s=0; }",
                                       {"cp.async.bulk.global.shared::cta.bulk_group [x], [s], 16",
                                        "cp.async.bulk.commit_group", "cp.async.bulk.wait_group 0", "ld.weak r0, x"}};
static const struct reader multiplication = {
    "a store, then wgmma",
    "The multiplication at %1 may read shared memory from before the store at %2.",
    "{ shared s=0; }",
    {"wgmma.fence.sync.aligned", "wgmma.mma_async.sync.aligned r0, [s]", "wgmma.commit_group.sync.aligned",
     "wgmma.wait_group.sync.aligned 0"}};

/* A store to shared memory, then what reads from there. */
static void look_at_reader(struct audit *audit, struct audited *audited, const struct sync *sync,
                           const struct form *source, const struct reader *reader)
{
    enum { FAR = 1 << 16, ROWS = COUNT(reader->rows) };
    for (size_t i = 0; i < audited->access_count && !audited->late; i++) {
        const struct access *store = &audited->accesses[i];
        struct outline outline = {.arena = &audit->arena};
        struct outline_steps steps;
        if (store->kind != ACCESS_STORE || store->space != SPACE_SHARED ||
            !ANY_OF(part, source->parts, source->count,
                    ANY_OF(buffer, store->buffers, store->buffer_count, part->term == *buffer)) ||
            !audited_reaches(audited, store->instruction, sync->instruction, NULL))
            continue;
        const struct form *distance = value_add(&audited->values, store->address, source, -1);
        if (distance->count == 0 && (distance->constant < 0 || distance->constant >= FAR))
            continue;
        outline_find_steps(outline.arena, audited, store->instruction, store->role, sync->instruction, sync->role,
                           &steps);
        outline_chain(&outline, outline_store(outline.arena, audited, store, "s"), &steps, reader->rows[0], 0, false);
        const unsigned last = outline.columns - 1;
        for (unsigned k = 1; k < ROWS; k++)
            outline_add(&outline, last, "%s", reader->rows[k]);
        const struct audit_candidate found = {.pattern = AUDIT_PROXY,
                                              .grade = AUDIT_ALLOWED,
                                              .at = sync->instruction,
                                              .other = store->instruction,
                                              .says = reader->says,
                                              .test = outline_text(&outline, reader->title, reader->initial, "",
                                                                   arena_print(outline.arena, "%u:r0=0", last)),
                                              .assumptions = {"it reads the buffer that is stored to"}};
        audit_add_candidate(audit, &found);
    }
}

static void look_at_copy_out(struct audit *audit, struct audited *audited, const struct sync *copy)
{
    const struct flow_instruction *instruction = &audited->flow.instructions[copy->instruction];
    const char *operand = bracket(instruction, 1);
    if (operand)
        look_at_reader(audit, audited, copy, value_of(&audited->values, instruction, operand), &copy_out);
}

/* The operands after the result are registers or descriptors, which have bits of an address and constants (PTX ISA,
 * "Matrix Descriptor Format"). */
static void look_at_multiplication(struct audit *audit, struct audited *audited, const struct sync *sync)
{
    const struct flow_instruction *instruction = &audited->flow.instructions[sync->instruction];
    for (unsigned i = 1; i < 3 && i < instruction->operand_count; i++) {
        const struct form *address = value_of(&audited->values, instruction, instruction->operands[i]);
        while (address->count == 1 && address->parts[0].term->kind == TERM_OPERATION &&
               address->parts[0].term->argument_count > 0)
            address = address->parts[0].term->arguments[0];
        look_at_reader(audit, audited, sync, address, &multiplication);
    }
}

/* A flag that was waited for, then a copy of global memory. */
static void look_at_copy_in(struct audit *audit, struct audited *audited, const struct sync *copy)
{
    const struct flow_instruction *instructions = audited->flow.instructions;
    for (size_t i = 0; i < audited->poll_count; i++) {
        const struct access *flag = &audited->accesses[audited->polls[i].access];
        struct outline outline = {.arena = &audit->arena};
        struct outline_steps steps;
        if (flag->space == SPACE_SHARED ||
            !flow_dominates(&audited->flow, instructions[flag->instruction].block,
                            instructions[copy->instruction].block) ||
            !audited_reaches(audited, flag->instruction, copy->instruction, NULL))
            continue;
        const unsigned writer = outline_column(&outline, "cta 0,gpu 0", true);
        outline_add(&outline, writer, "st.weak x, 1");
        outline_add(&outline, writer, "fence.proxy.async");
        outline_add(&outline, writer, "st.release.%s y, 1", outline_partner_scope(flag));
        outline_find_steps(outline.arena, audited, flag->instruction, flag->role, copy->instruction, copy->role,
                           &steps);
        steps.hands_over &= steps.meets;
        outline_chain(&outline, outline_load(outline.arena, audited, flag, "r0", "y"), &steps,
                      "mbarrier.arrive.expect_tx.shared.b64 _, [m], 16", 1, false);
        const unsigned last = outline.columns - 1;
        outline_add(&outline, last, "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [x], 16, [m]");
        outline_add(&outline, last, "mbarrier.try_wait.parity.shared.b64 r2, [m], 0");
        outline_add(&outline, last, "ld.weak r1, s");
        const struct audit_candidate found = {
            .pattern = AUDIT_PROXY,
            .grade = AUDIT_ALLOWED,
            .at = copy->instruction,
            .other = flag->instruction,
            .says = "The copy at %1 may read data from before the flag was set that %2 has seen.",
            .test = outline_text(&outline, "a flag, then a bulk copy",
                                 "{ x=0; y=0; shared s@cta 1=0; mbarrier m@cta 1=1; }", "",
                                 arena_print(outline.arena, "1:r0=1 /\\ %u:r2=1 /\\ %u:r1=0", last, last)),
            .ideal = outline.ideal,
            .assumptions = {"the flag guards the memory that is copied"}};
        audit_add_candidate(audit, &found);
    }
}

/* A store to another block's memory, then an arrival at its mbarrier. */
static void look_at_arrival(struct audit *audit, struct audited *audited, const struct sync *arrival)
{
    const struct flow_instruction *instruction = &audited->flow.instructions[arrival->instruction];
    const char *order = flow_has(instruction, "relaxed") ? "relaxed" : "release";
    const char *scope = flow_has(instruction, "cluster") ? "cluster" : "cta";
    if (strstr(instruction->opcode, "shared::cluster") == NULL)
        return;
    FOR_EACH(const struct access, store, audited->accesses, audited->access_count) {
        struct outline outline = {.arena = &audit->arena};
        if (store->kind != ACCESS_STORE || store->space != SPACE_SHARED ||
            strstr(audited->flow.instructions[store->instruction].opcode, "shared::cluster") == NULL ||
            !audited_reaches(audited, store->instruction, arrival->instruction, NULL))
            continue;
        outline_add(&outline, outline_column(&outline, "cta 0,cluster 0,gpu 0", false), "st.weak s, 1");
        outline_add(&outline, 0, "mbarrier.arrive.%s.%s.shared::cluster.b64 _, [m]", order, scope);
        (void)outline_column(&outline, "cta 1,cluster 0,gpu 0", true);
        outline_add(&outline, 1, "mbarrier.try_wait.parity.acquire.cluster.shared.b64 r0, [m], 0");
        outline_add(&outline, 1, "ld.weak r1, s");
        const struct audit_candidate found = {
            .pattern = AUDIT_PUBLISH,
            .grade = AUDIT_ALLOWED,
            .at = arrival->instruction,
            .other = store->instruction,
            .says = "A thread of the other block that waits for the arrival at %1 may still read the data from before "
                    "%2.",
            .test = outline_text(&outline, "an arrival at the mbarrier of another block",
                                 "{ shared s@cta 1=0; mbarrier m@cta 1=1; }", "", "1:r0=1 /\\ 1:r1=0"),
            .ideal = outline.ideal,
            .assumptions = {"the mbarrier guards the memory that is stored to"}};
        audit_add_candidate(audit, &found);
    }
}

void pattern_proxy(struct audit *audit, struct audited *audited)
{
    for (size_t i = 0; i < audited->sync_count && !audited->late; i++) {
        const struct sync *sync = &audited->syncs[i];
        const struct flow_instruction *instruction = &audited->flow.instructions[sync->instruction];
        if (sync->kind == SYNC_ARRIVE)
            look_at_arrival(audit, audited, sync);
        else if (sync->kind == SYNC_BULK && flow_starts(instruction, "wgmma"))
            look_at_multiplication(audit, audited, sync);
        else if (sync->kind == SYNC_BULK && strstr(instruction->opcode, "global.shared::cta"))
            look_at_copy_out(audit, audited, sync);
        else if (sync->kind == SYNC_BULK && flow_has(instruction, "global") && !flow_has(instruction, "tensor"))
            look_at_copy_in(audit, audited, sync);
    }
}
