// SPDX-License-Identifier: Apache-2.0
/*
 * Hand-over by a flag or a counter within one kernel. A flag is what a loop waits for (a poll); a counter is an atomic
 * whose result decides who goes on (a ticket: the last block). Data is what is read after it, in a buffer that the
 * kernel also writes.
 *
 * The reading half (TAKE: flag, data) is judged with an ideal writer, the writing half (PUBLISH: data, flag) with an
 * ideal reader. Not looked at: flags that only other kernels set or read; words that carry their own value, which need
 * no order; resets to 0.
 */
#include "audit/pattern.h"

enum { MOST_DATA = 60, MOST_SUBJECTS = 256 };

/* A flag or a counter, and the reads of data after it. */
struct hand_over {
    const struct access *flag;
    bool set_here;                /* the kernel sets it, too */
    const struct flow_loop *loop; /* of a poll; NULL: a ticket */
    const bool *marked;           /* of a ticket: registers that depend on it */
    const struct access *reads[MOST_DATA];
    unsigned read_count;
};

/* ---- what is data ---- */

static bool is_poll(const struct audited *audited, const struct access *access)
{
    return ANY_OF(poll, audited->polls, audited->poll_count, &audited->accesses[poll->access] == access);
}

static bool is_same_space(const struct access *one, const struct access *two)
{
    return (one->space == SPACE_SHARED) == (two->space == SPACE_SHARED);
}

/* Whether a thread's own number and its block's, in all axes that the kernel asks for, are in the address: it is the
 * thread's own. */
static bool is_own(const struct audited *audited, const struct form *address)
{
    const unsigned own = VALUE_THREAD | (audited->values.depends & VALUE_BLOCK);
    return (own & VALUE_BLOCK) && (address->depends & own) == own;
}

static uint64_t magnitude(int64_t number)
{
    return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

/* Whether two addresses are different words whoever asks, as are members of structures: a constant apart that no step
 * between elements makes up for. In an allocation that is known by a loaded pointer, any constant is enough. */
static bool are_apart(struct audited *audited, const struct access *one, const struct access *two)
{
    const struct form *difference = value_add(&audited->values, one->address, two->address, -1);
    const int64_t distance = difference->constant;
    uint64_t step = 0;
    if (one->buffer_count == 1 && one->buffers[0]->kind == TERM_LOAD && distance != 0)
        return true;
    FOR_EACH(const struct form_part, part, one->address->parts, one->address->count) {
        uint64_t times = magnitude(part->times);
        const bool steps = part->term != one->buffers[0] && part->term->depends != 0;
        while (steps && times != 0) { /* the greatest common divisor */
            const uint64_t rest = step % times;
            step = times;
            times = rest;
        }
    }
    const uint64_t away = magnitude(distance), rest = step ? away % step : away;
    const uint64_t after = step && distance < 0 && rest ? step - rest : rest;
    return difference->count == 0 && one->buffer_count == 1 && after >= (distance < 0 && !step ? one : two)->bytes &&
           (step == 0 || step - after >= one->bytes);
}

/* Whether an access writes data: weakly, or by an update whose result nobody uses. Others are flags and counters. */
static bool writes_data(const struct audited *audited, const struct access *access)
{
    if (access->kind == ACCESS_STORE)
        return access->order == LITMUS_PLAIN || access->order == LITMUS_VOLATILE;
    return access->kind != ACCESS_LOAD && access->order == LITMUS_RELAXED &&
           !ANY_OF(result, audited->flow.instructions[access->instruction].results,
                   audited->flow.instructions[access->instruction].result_count, audited->flow.registers[*result].used);
}

/* Whether other threads may write what is read: a write of data to the same buffer, other than of the thread's own
 * element; with a counter, before counting; with a lock, after taking it. */
static const struct access *find_writer(struct audited *audited, const struct access *read,
                                        const struct access *counter, const struct flow_loop *lock)
{
    const struct flow_instruction *instructions = audited->flow.instructions;
    const struct access *found = NULL;
    bool others = false;
    FOR_EACH(const struct access, access, audited->accesses, audited->access_count) {
        if (!is_same_space(access, read) || !access_shares_buffer(access, read) || !writes_data(audited, access) ||
            are_apart(audited, access, read) ||
            (counter && !audited_reaches(audited, access->instruction, counter->instruction, NULL)) ||
            (lock && !flow_dominates(&audited->flow, lock->blocks[0], instructions[access->instruction].block)))
            continue;
        found = found ? found : access;
        others |= access->address != read->address;
    }
    return found && (others || !is_own(audited, read->address)) ? found : NULL;
}

/* Whether what is written is a 0: a reset. A lock is released by one, but not by a compare-and-swap. */
static bool resets(struct audited *audited, const struct access *access, bool lock)
{
    const struct flow_instruction *instruction = &audited->flow.instructions[access->instruction];
    const bool swaps = access->kind == ACCESS_ATOM && access_is(audited, access, "cas");
    if (instruction->operand_count < 2 || (!swaps && (lock || access->kind != ACCESS_STORE)))
        return false;
    const char *value = instruction->operands[instruction->operand_count - 1];
    return value[0] != '{' && value_of(&audited->values, instruction, value) == audited->values.zero;
}

/* Is what a loop waits for a lock? A compare-and-swap that leaves a 0 waits for a flag, and takes it away. */
static bool is_lock(struct audited *audited, const struct access *flag)
{
    return flag->kind == ACCESS_ATOM && !resets(audited, flag, true);
}

/* Data is read by ordinary loads: strong ones read words that carry their own value. What a lock or a counter guards
 * may be volatile. */
static bool is_data(struct audited *audited, const struct hand_over *over, const struct access *read)
{
    const struct access *flag = over->flag;
    const bool ordered = read->order != LITMUS_PLAIN;
    return read->kind == ACCESS_LOAD && is_same_space(read, flag) && read->address != flag->address &&
           (!ordered || (flag->kind == ACCESS_ATOM && read->order == LITMUS_VOLATILE)) && !is_poll(audited, read) &&
           !(access_shares_buffer(read, flag) && flag->space == SPACE_SHARED) &&
           find_writer(audited, read, over->loop ? NULL : flag, is_lock(audited, flag) ? over->loop : NULL) != NULL;
}

/* Whether a fact says that a marked value is some number, or is not; not what is at an index that it gives. */
static bool asks_number(const struct value_fact *fact, const bool *marked)
{
    bool scaled = false;
    FOR_EACH(const struct form_part, part, fact->form->parts, fact->form->count)
        scaled |=
            part->term->kind == TERM_REGISTER && marked[part->term->identity] && part->times != 1 && part->times != -1;
    return (fact->comparison == FACT_EQ || fact->comparison == FACT_NE) && !scaled;
}

/* Whether the branches around an instruction ask for a marked value. */
static bool is_decided_by(struct audited *audited, unsigned instruction, const bool *marked)
{
    const struct flow_instruction *branch;
    struct value_fact facts[FACT_MOST];
    unsigned block = audited->flow.instructions[instruction].block;
    bool truth;
    while ((branch = audited_next_branch(audited, &block, &truth))) {
        if (!marked[branch->guard])
            continue;
        const unsigned count = facts_of(&audited->values, branch->guard, truth, facts);
        if (ANY_OF(fact, facts, count, asks_number(fact, marked)))
            return true;
        if (count == 0) /* votes of a warp or a block */
            return true;
    }
    return false;
}

/* The reads that follow on every way, or behind a barrier, after the loop that waits. */
static void find_reads(struct audited *audited, struct hand_over *over)
{
    const struct flow *flow = &audited->flow;
    const unsigned at = over->flag->instruction;
    for (size_t i = 0; i < audited->access_count && over->read_count < MOST_DATA && !audited_is_late(audited); i++) {
        const struct access *read = &audited->accesses[i];
        const struct sync *met;
        const unsigned block = flow->instructions[read->instruction].block;
        if (read == over->flag || !is_data(audited, over, read))
            continue;
        if (over->marked ? !is_decided_by(audited, read->instruction, over->marked)
                         : flow_loop_has(over->loop, block) || !audited_reaches(audited, at, read->instruction, NULL) ||
                               (!flow_dominates(flow, over->loop->blocks[0], block) &&
                                audited_between(audited, at, read->instruction, SYNC_BLOCK | SYNC_WARP, &met, 1) == 0))
            continue;
        over->reads[over->read_count++] = read;
    }
}

/* ---- the reading half ---- */

/* An acquiring load of another flag on every way is as good as a fence. */
static const struct access *find_acquiring(struct audited *audited, const struct access *flag,
                                           const struct access *read)
{
    FOR_EACH(const struct access, access, audited->accesses, audited->access_count) {
        const struct way without = {.avoid = &access->instruction, .avoid_count = 1};
        if ((access->order == LITMUS_ACQUIRE || access->order == LITMUS_ACQ_REL) && access != flag && access != read &&
            (access->kind == ACCESS_LOAD || access->kind == ACCESS_ATOM) &&
            !audited_reaches(audited, flag->instruction, read->instruction, &without))
            return access;
    }
    return NULL;
}

/* before: a fence that the kernel has before the flag; after: one directly after it. Either may be NULL. */
static const char *take_test(struct audit *audit, struct audited *audited, const struct access *flag,
                             const struct access *read, const struct outline_steps *steps, const struct sync *before,
                             const char *after, unsigned *ideal)
{
    struct outline outline = {.arena = &audit->arena};
    const struct access *writer = find_writer(audited, read, NULL, NULL);
    const unsigned first = outline_column(&outline, "cta 0,gpu 0", true), own = first + 1;
    const char *fence = before ? outline_fence(outline.arena, audited, before) : NULL;
    outline_add(&outline, first, "%s",
                writer->order == LITMUS_PLAIN ? "st.weak x, 1" : outline_store(outline.arena, audited, writer, "x"));
    outline_add(&outline, first, "st.release.%s y, 1", outline_partner_scope(flag));
    outline_chain(&outline, outline_load(outline.arena, audited, flag, "r0", "y"), steps,
                  outline_load(outline.arena, audited, read, "r1", "x"), flag->space == SPACE_SHARED ? 0 : 1, false);
    if (after)
        outline_insert(&outline, own, 1, after);
    for (unsigned i = own; fence && i < (before->role == ROLE_ALL ? outline.columns : own + 1); i++)
        outline_insert(&outline, i, 0, fence);
    *ideal = outline.ideal;
    return outline_text(&outline, "data that is read after a flag was seen", "{ x=0; y=0; }", "",
                        arena_print(outline.arena, "1:r0=1 /\\ %u:r1=0", outline.columns - 1));
}

/* A fence on every way to the counter, as is common in programs that have none after it. */
static const struct sync *find_fence_before(struct audited *audited, const struct access *flag)
{
    const struct sync *fence;
    return flag->instruction > 0 && audited_between(audited, 0, flag->instruction, SYNC_FENCE, &fence, 1) > 0 ? fence
                                                                                                              : NULL;
}

static void add_take(struct audit *audit, struct audited *audited, const struct hand_over *over,
                     const struct access *read)
{
    const struct access *flag = over->flag, *acquiring = find_acquiring(audited, flag, read);
    struct outline_steps steps;
    outline_find_steps(&audit->arena, audited, flag->instruction, flag->role, read->instruction, read->role, &steps);
    if (!steps.meets)
        steps.hands_over = false; /* who reads has seen the flag */
    const char *more =
        acquiring ? arena_print(&audit->arena, "fence.acq_rel.%s", litmus_scope_name(LITMUS_PTX, acquiring->scope))
                  : NULL;
    const struct sync *before = over->marked && !more ? find_fence_before(audited, flag) : NULL;
    const char *common = before ? outline_fence(&audit->arena, audited, before) : NULL; /* what is believed to do */
    for (unsigned i = 0; over->loop && !more && i < steps.count; i++)
        if (steps.steps[i].kind == SYNC_FENCE)
            common = steps.steps[i].text; /* of other threads, behind a barrier */
    struct audit_candidate found = {
        .pattern = AUDIT_TAKE,
        .grade = over->set_here ? AUDIT_ALLOWED : AUDIT_DEPENDS,
        .at = flag->instruction,
        .other = read->instruction,
        .says = over->loop ? "After %1 has seen the flag, %2 may still read older data than that of "
                             "the thread that has set it."
                           : "After %1 has drawn its number, %2 may still read older data than "
                             "that of the threads that have counted before.",
        .assumptions = {"different parameters are different buffers",
                        over->set_here ? NULL : "another kernel or GPU sets this flag after it has written this data"}};
    found.test = take_test(audit, audited, flag, read, &steps, before, more, &found.ideal);
    if (common)
        found.lenient = take_test(audit, audited, flag, read, &steps, before, common, &found.ideal);
    audit_add_candidate(audit, &found);
}

/* ---- the writing half ---- */

/* Whether all parts of one address are in the other. */
static bool is_within(const struct form *one, const struct form *two)
{
    unsigned found = 0;
    for (unsigned i = 0; i < one->count; i++)
        for (unsigned j = 0; j < two->count; j++)
            found += one->parts[i].term == two->parts[j].term && one->parts[i].times == two->parts[j].times;
    return found == one->count;
}

/* Whether an address has a register in it that several instructions write: it may be another at each place. */
static bool changes(const struct form *address)
{
    return ANY_OF(part, address->parts, address->count,
                  part->term->kind == TERM_JOIN || part->term->kind == TERM_REGISTER);
}

/* May the access set what the flag's access waits for? A flag that is one word is not set by an access to elements
 * of the same buffer. Parts of one allocation, which is known by a loaded pointer or stored to weakly, need equal
 * addresses up to the numbers of threads and blocks. */
static bool sets_flag(struct audited *audited, const struct access *access, const struct access *flag)
{
    if (access->kind == ACCESS_LOAD || access == flag || !is_same_space(access, flag) ||
        !access_shares_buffer(access, flag))
        return false;
    const bool lock = is_lock(audited, flag); /* whose release may be a 0 */
    const bool own = flag->buffers[0]->kind != TERM_LOAD;
    const struct form *difference = value_add(&audited->values, access->address, flag->address, -1);
    if (resets(audited, access, lock) || (!changes(flag->address) && is_within(flag->address, access->address) &&
                                          (difference->count > 0 || difference->constant != 0)))
        return false;
    if (own && (access->kind != ACCESS_STORE || access->order != LITMUS_PLAIN || lock))
        return true;
    bool alike = difference->constant == 0;
    for (unsigned i = 0; i < difference->count; i++)
        alike &=
            difference->parts[i].term->kind == TERM_SPECIAL || (own && difference->parts[i].term->kind == TERM_JOIN);
    return alike;
}

/* Adds an ideal reader: it acquires the flag y, then reads the data x. Returns its column. */
static unsigned add_reader(struct outline *outline, const struct audited *audited, const char *place,
                           const struct access *flag, const struct access *read)
{
    const unsigned reader = outline_column(outline, place, true);
    outline_add(outline, reader, "ld.acquire.%s r0, y", outline_partner_scope(flag));
    outline_add(outline, reader, "%s",
                read->order == LITMUS_PLAIN ? "ld.weak r1, x" : outline_load(outline->arena, audited, read, "r1", "x"));
    return reader;
}

static const char *publish_test(struct audit *audit, struct audited *audited, const struct access *write,
                                const struct access *flag, const struct access *read, const struct outline_steps *steps,
                                bool again, unsigned *ideal)
{
    struct outline outline = {.arena = &audit->arena};
    outline_chain(&outline, outline_store(outline.arena, audited, write, "x"), steps,
                  outline_store(outline.arena, audited, flag, "y"), 0, again);
    const unsigned reader =
        add_reader(&outline, audited, flag->space == SPACE_SHARED ? "cta 0,gpu 0" : "cta 1,gpu 0", flag, read);
    *ideal = outline.ideal;
    return outline_text(&outline, "data that is written before a flag is set", "{ x=0; y=0; }", "",
                        arena_print(outline.arena, "%u:r0=1 /\\ %u:r1=0", reader, reader));
}

static void add_publish(struct audit *audit, struct audited *audited, const struct access *write,
                        const struct access *flag, const struct access *read)
{
    struct outline_steps steps;
    outline_find_steps(&audit->arena, audited, write->instruction, write->role, flag->instruction, flag->role, &steps);
    const bool fences = ANY_OF(step, steps.steps, steps.count, step->kind == SYNC_FENCE);
    struct audit_candidate found = {.pattern = AUDIT_PUBLISH,
                                    .grade = AUDIT_ALLOWED,
                                    .at = flag->instruction,
                                    .other = write->instruction,
                                    .says =
                                        "A thread that has seen what %1 sets may still read the data from before %2.",
                                    .assumptions = {"different parameters are different buffers"}};
    found.test = publish_test(audit, audited, write, flag, read, &steps, false, &found.ideal);
    if (fences && steps.hands_over && steps.meets)
        found.lenient = publish_test(audit, audited, write, flag, read, &steps, true, &found.ideal);
    audit_add_candidate(audit, &found);
}

/* The last of several threads sets the flag for the others: data, counter | counter, flag | flag, data. */
static void add_relay(struct audit *audit, struct audited *audited, const struct access *write,
                      const struct access *counter, const struct access *flag, const struct access *read)
{
    struct outline outline = {.arena = &audit->arena};
    struct outline_steps first, second;
    outline_find_steps(outline.arena, audited, write->instruction, write->role, counter->instruction, counter->role,
                       &first);
    outline_find_steps(outline.arena, audited, counter->instruction, counter->role, flag->instruction, flag->role,
                       &second);
    second.hands_over &= second.meets;
    outline_chain(&outline, outline_store(outline.arena, audited, write, "x"), &first,
                  outline_store(outline.arena, audited, counter, "z"), 0, false);
    const unsigned last = outline.columns;
    const bool swaps = access_is(audited, counter, "cas") || access_is(audited, counter, "exch");
    outline_chain(&outline, outline_load(outline.arena, audited, counter, "r8", "z"), &second,
                  outline_store(outline.arena, audited, flag, "y"), 1, false);
    const unsigned reader = add_reader(&outline, audited, "cta 2,gpu 0", flag, read);
    struct audit_candidate found = {
        .pattern = AUDIT_PUBLISH,
        .grade = AUDIT_ALLOWED,
        .at = flag->instruction,
        .other = counter->instruction,
        .says = "A thread that has seen what %1 sets may still read data from before other threads "
                "wrote it and counted at %2.",
        .ideal = outline.ideal,
        .assumptions = {"different parameters are different buffers"}};
    found.test = outline_text(&outline, "a counter, then a flag", "{ x=0; y=0; z=0; }", "",
                              arena_print(outline.arena, "%u:r8=1 /\\ %u:r0=1 /\\ %u:r1=0", last, reader, reader));
    if (!swaps)
        audit_add_candidate(audit, &found);
}

/* ---- hand-overs ---- */

/* Whether a comparison for equality asks for a marked value: a work queue asks for less or more. */
static bool asks_equality(const struct audited *audited, const bool *marked)
{
    return ANY_OF(instruction, audited->flow.instructions, audited->flow.count,
                  (flow_starts(instruction, "setp.eq") || flow_starts(instruction, "setp.ne")) &&
                      instruction->result_count > 0 && marked[instruction->results[0]]);
}

/* Is the access a ticket that decides whether the flag is set? */
static bool decides(struct audited *audited, const struct access *counter, const struct access *flag)
{
    if (counter->kind != ACCESS_ATOM || counter == flag || counter->space == SPACE_SHARED)
        return false;
    const bool *marked = audited_depending(audited, counter->instruction, NULL);
    return is_decided_by(audited, flag->instruction, marked) && asks_equality(audited, marked);
}

static void look_at_setter(struct audit *audit, struct audited *audited, const struct hand_over *over,
                           const struct access *flag)
{
    enum { MOST_COUNTERS = 4 };
    const struct access *counters[MOST_COUNTERS];
    unsigned subjects = 0, counter_count = 0;
    for (size_t i = 0; over->loop && i < audited->access_count && counter_count < MOST_COUNTERS && !audited->late; i++)
        if (decides(audited, &audited->accesses[i], flag))
            counters[counter_count++] = &audited->accesses[i];
    for (size_t i = 0; i < audited->access_count && subjects < MOST_SUBJECTS && !audited_is_late(audited); i++) {
        const struct access *write = &audited->accesses[i];
        const struct access *read =
            VALUE_OF(const struct access *, each, over->reads, over->read_count,
                     access_shares_buffer(*each, write) && !are_apart(audited, *each, write), *each, NULL);
        if (write == flag || !is_same_space(write, flag) || !read || !writes_data(audited, write) ||
            write->address == flag->address || sets_flag(audited, write, over->flag) ||
            !audited_reaches(audited, write->instruction, flag->instruction, NULL))
            continue;
        subjects++;
        add_publish(audit, audited, write, flag, read);
        for (unsigned j = 0; j < counter_count; j++)
            if (audited_reaches(audited, write->instruction, counters[j]->instruction, NULL))
                add_relay(audit, audited, write, counters[j], flag, read);
    }
}

static void look_at(struct audit *audit, struct audited *audited, struct hand_over *over)
{
    over->set_here = !over->loop;
    for (size_t i = 0; i < audited->access_count && !over->set_here; i++)
        over->set_here = sets_flag(audited, &audited->accesses[i], over->flag);
    if (!over->set_here && !audit->options.all)
        return;
    find_reads(audited, over);
    for (unsigned i = 0; i < over->read_count; i++)
        add_take(audit, audited, over, over->reads[i]);
    if (!over->loop)
        look_at_setter(audit, audited, over, over->flag);
    for (size_t i = 0; over->loop && i < audited->access_count; i++)
        if (sets_flag(audited, &audited->accesses[i], over->flag))
            look_at_setter(audit, audited, over, &audited->accesses[i]);
}

/* The instruction that reads memory for a register, by way of what it is computed from; FLOW_NONE: none does. */
static unsigned find_reading(const struct audited *audited, unsigned of)
{
    enum { MOST = 64 };
    const struct flow *flow = &audited->flow;
    unsigned waiting[MOST] = {of}, count = 1;
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < flow->registers[waiting[i]].definition_count; j++) {
            const unsigned index = flow->registers[waiting[i]].definitions[j];
            const struct flow_instruction *instruction = &flow->instructions[index];
            if (instruction->machine->effect != MACHINE_NOTHING || instruction->machine->unread)
                return index;
            for (unsigned k = 0; k < instruction->source_count && count < MOST; k++)
                waiting[count++] = instruction->sources[k];
        }
    return FLOW_NONE;
}

/* Whether control can leave the loop, or something in it reads or writes memory. */
static bool is_alive(const struct audited *audited, const struct flow_loop *loop)
{
    const struct flow *flow = &audited->flow;
    for (unsigned i = 0; i < loop->block_count; i++) {
        const struct flow_block *block = &flow->blocks[loop->blocks[i]];
        if ((block->next != FLOW_NONE && !flow_loop_has(loop, block->next)) ||
            (block->branch != FLOW_NONE && !flow_loop_has(loop, block->branch)))
            return true;
        for (unsigned j = block->first; j < block->end; j++)
            if (flow->instructions[j].machine->effect != MACHINE_NOTHING || flow->instructions[j].machine->unread ||
                flow_starts(&flow->instructions[j], "call"))
                return true;
    }
    return false;
}

/* A loop that nothing ends and that reads nothing: the compiler has taken what it waits for out of it. */
static void look_at_dead_loops(struct audit *audit, struct audited *audited)
{
    FOR_EACH(const struct flow_loop, loop, audited->flow.loops, audited->flow.loop_count) {
        unsigned block = loop->blocks[0];
        bool truth;
        const struct flow_instruction *branch =
            is_alive(audited, loop) ? NULL : audited_next_branch(audited, &block, &truth);
        const unsigned reading = branch ? find_reading(audited, branch->guard) : FLOW_NONE;
        struct outline outline = {.arena = &audit->arena};
        if (reading == FLOW_NONE)
            continue;
        outline_add(&outline, outline_column(&outline, "cta 0,gpu 0", true), "st.weak x, 1");
        outline_add(&outline, 0, "st.release.gpu y, 1");
        outline_add(&outline, outline_column(&outline, "cta 1,gpu 0", false), "ld.weak r0, y");
        outline_add(&outline, 1, "ld.weak r1, x");
        const struct audit_candidate found = {
            .pattern = AUDIT_TAKE,
            .grade = AUDIT_ALLOWED,
            .at = audited->flow.blocks[loop->blocks[0]].first,
            .other = reading,
            .says = "The loop at %1 never ends and reads nothing: what it waits for is read once, at %2, because the "
                    "compiler was free to take that out of the loop.",
            .test = outline_text(&outline, "a flag that is read by an ordinary load", "{ x=0; y=0; }", "",
                                 "1:r0=1 /\\ 1:r1=0"),
            .ideal = outline.ideal};
        audit_add_candidate(audit, &found);
    }
}

void pattern_flag(struct audit *audit, struct audited *audited)
{
    for (size_t i = 0; i < audited->poll_count && !audited->late; i++) {
        struct hand_over over = {.flag = &audited->accesses[audited->polls[i].access], .loop = audited->polls[i].loop};
        look_at(audit, audited, &over);
    }
    for (size_t i = 0; i < audited->access_count && !audited_is_late(audited); i++) {
        const struct access *access = &audited->accesses[i];
        if (access->kind != ACCESS_ATOM || access->space == SPACE_SHARED || is_poll(audited, access))
            continue;
        struct hand_over over = {.flag = access, .marked = audited_depending(audited, access->instruction, NULL)};
        if (asks_equality(audited, over.marked))
            look_at(audit, audited, &over);
    }
    look_at_dead_loops(audit, audited);
}
