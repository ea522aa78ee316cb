// SPDX-License-Identifier: Apache-2.0
/* Finds accesses, synchronisation, and loops that wait. */
#include "audit/access.h"

bool audited_is_late(struct audited *audited)
{
    audited->late = audited->late || clock_seconds() > audited->deadline;
    return audited->late;
}

/* ---- ways ---- */

static bool is_blocked(const struct audited *audited, unsigned block, long after, unsigned before,
                       const struct way *way)
{
    for (unsigned i = 0; way && i < way->avoid_count; i++) {
        const struct flow_instruction *instruction = &audited->flow.instructions[way->avoid[i]];
        if (instruction->block == block && (long)way->avoid[i] > after && way->avoid[i] < before && !instruction->guard)
            return true;
    }
    return false;
}

/* Whether the facts of a way exclude that a block ends with its jump, or without it. */
static bool excludes(struct audited *audited, const struct flow_block *block, bool jumps, const struct way *way)
{
    const struct flow_instruction *last = &audited->flow.instructions[block->end - 1];
    struct value_fact facts[FACT_MOST];
    if (!way || way->fact_count == 0 || !last->guard || block->branch == FLOW_NONE || block->next == FLOW_NONE)
        return false;
    const unsigned count = facts_of(&audited->values, last->guard, jumps != last->guard_not, facts);
    if (ANY_OF(one, facts, count, ANY_OF(fact, way->facts, way->fact_count, facts_exclude(one, fact))))
        return true;
    return false;
}

static void push(struct audited *audited, unsigned block, unsigned *depth)
{
    if (block != FLOW_NONE && audited->seen[block] != audited->stamp) {
        audited->seen[block] = audited->stamp;
        audited->stack[(*depth)++] = block;
    }
}

static void push_next(struct audited *audited, unsigned block, unsigned *depth, const struct way *way)
{
    const struct flow_block *from = &audited->flow.blocks[block];
    if (!excludes(audited, from, false, way))
        push(audited, from->next, depth);
    if (!excludes(audited, from, true, way))
        push(audited, from->branch, depth);
}

bool audited_reaches(struct audited *audited, unsigned from, unsigned to, const struct way *way)
{
    const struct flow_instruction *instructions = audited->flow.instructions;
    const unsigned first = instructions[from].block, last = instructions[to].block;
    if (first == last && from < to)
        return !is_blocked(audited, first, from, to, way);
    if (is_blocked(audited, first, from, FLOW_NONE, way))
        return false;
    if (audited_is_late(audited))
        return true;
    unsigned depth = 0;
    audited->stamp++;
    push_next(audited, first, &depth, way);
    while (depth > 0) {
        const unsigned block = audited->stack[--depth];
        if (block == last && !is_blocked(audited, block, -1, to, way))
            return true;
        if (!is_blocked(audited, block, -1, FLOW_NONE, way))
            push_next(audited, block, &depth, way);
    }
    return false;
}

unsigned audited_between(struct audited *audited, unsigned from, unsigned to, unsigned kinds, const struct sync **syncs,
                         unsigned most)
{
    unsigned count = 0;
    /* Those after `from` in the text first: a way back to an earlier one goes through a loop. */
    for (unsigned turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < audited->sync_count && count < most; i++) {
            const struct sync *sync = &audited->syncs[i];
            const struct way without = {.avoid = &sync->instruction, .avoid_count = 1};
            if ((sync->kind & kinds) && sync->instruction != from && sync->instruction != to &&
                (sync->instruction > from) == (turn == 0) && !audited->flow.instructions[sync->instruction].guard &&
                !audited_reaches(audited, from, to, &without))
                syncs[count++] = sync;
        }
    return count;
}

/* ---- facts ---- */

/* The only block before this one that is no way back to it; FLOW_NONE: there are several, or none. */
static unsigned entry_of(const struct flow *flow, unsigned block)
{
    unsigned from = FLOW_NONE, entries = 0;
    for (unsigned i = 0; i < flow->blocks[block].before_count; i++)
        if (!flow_dominates(flow, block, flow->blocks[block].before[i])) {
            from = flow->blocks[block].before[i];
            entries++;
        }
    return entries == 1 ? from : FLOW_NONE;
}

const struct flow_instruction *audited_next_branch(const struct audited *audited, unsigned *block, bool *truth)
{
    const struct flow *flow = &audited->flow;
    while (*block != FLOW_NONE && flow->blocks[*block].dominator != FLOW_NONE) {
        const unsigned own = *block, from = entry_of(flow, own), above = flow->blocks[own].dominator;
        const struct flow_block *before = from != FLOW_NONE ? &flow->blocks[from] : NULL;
        const struct flow_instruction *last = before ? &flow->instructions[before->end - 1] : NULL;
        *block = above == own ? FLOW_NONE : above;
        if (last && last->guard && before->next != before->branch && before->branch != FLOW_NONE &&
            before->next != FLOW_NONE) {
            *truth = (before->branch == own) != last->guard_not;
            return last;
        }
    }
    return NULL;
}

unsigned audited_facts(struct audited *audited, unsigned instruction, struct value_fact *facts)
{
    const struct flow_instruction *own = &audited->flow.instructions[instruction], *branch;
    const bool branches = own->machine->branch != MACHINE_NO_NEXT;
    unsigned count = 0, block = own->block;
    bool truth;
    if (own->guard && !branches)
        count = facts_of(&audited->values, own->guard, !own->guard_not, facts);
    while (count + FACT_MOST <= FACTS_MOST_AROUND && (branch = audited_next_branch(audited, &block, &truth)))
        count += facts_of(&audited->values, branch->guard, truth, facts + count);
    return count;
}

/* ---- roles ---- */

static bool all_are(const struct form *form, const char *one, const char *two)
{
    return !ANY_OF(part, form->parts, form->count,
                   part->term->kind != TERM_OPERATION ||
                       (strcmp(part->term->name, one) != 0 && strcmp(part->term->name, two) != 0)) &&
           form->count > 0;
}

/* Which threads satisfy the fact; ROLE_ALL if that is not one of the others. */
static enum access_role role_of_fact(const struct value_fact *fact)
{
    const struct form *form = fact->form;
    const bool first = fact->comparison == FACT_LT && form->constant == -1 && form->count == 1 &&
                       form->parts[0].times == 1; /* tid < 1 */
    if (fact->comparison == FACT_ELECTED)
        return ROLE_LANE;
    if ((fact->comparison != FACT_EQ && !first) || !(form->depends & VALUE_THREAD) || (form->depends & VALUE_OPAQUE))
        return ROLE_ALL;
    if (ANY_OF(part, form->parts, form->count,
               part->term->kind == TERM_SPECIAL && listing_text_starts(part->term->name, "%tid")))
        return ROLE_ONE;
    if (form->depends & VALUE_LANE)
        return ROLE_LANE;
    if (all_are(form, "or", "or"))
        return ROLE_ONE;
    if (all_are(form, "and", "rem"))
        return ROLE_LANE;
    return all_are(form, "shr", "div") ? ROLE_WARP : ROLE_ALL;
}

static enum access_role role_of(struct audited *audited, unsigned instruction)
{
    struct value_fact facts[FACTS_MOST_AROUND];
    const unsigned count = audited_facts(audited, instruction, facts);
    bool has[ROLE_ONE + 1] = {false};
    for (unsigned i = 0; i < count; i++)
        has[role_of_fact(&facts[i])] = true;
    return has[ROLE_ONE] || (has[ROLE_LANE] && has[ROLE_WARP]) ? ROLE_ONE
           : has[ROLE_LANE]                                    ? ROLE_LANE
           : has[ROLE_WARP]                                    ? ROLE_WARP
                                                               : ROLE_ALL;
}

/* ---- buffers ---- */

static void add_buffer(struct access *access, const struct form_term *buffer, bool *known)
{
    for (unsigned i = 0; i < access->buffer_count; i++)
        if (access->buffers[i] == buffer)
            return;
    if (access->buffer_count < ACCESS_MOST_BUFFERS)
        access->buffers[access->buffer_count++] = buffer;
    else
        *known = false;
}

/* How sure it is that a term is what an address is based on; 0: it is not. */
static unsigned base_rank(const struct form_part *part)
{
    const struct form_term *term = part->term;
    if (part->times != 1)
        return 0;
    switch (term->kind) {
    case TERM_SHARED:
        return 6;
    case TERM_OPERATION:
        return strcmp(term->name, "mapa") == 0 ? 6 : 0;
    case TERM_GLOBAL:
        return 4;
    case TERM_JOIN:
        return term->argument_count > 0 ? 1 : 0;
    case TERM_LOAD:
    case TERM_PARAMETER:
        return term->pointer ? 5 : !term->wide ? 0 : term->kind == TERM_LOAD ? 3 : 2;
    default:
        return 0;
    }
}

/* Adds what a form is based on: the one term of the highest rank. */
static void find_buffers(struct audited *audited, struct access *access, const struct form *form, unsigned depth,
                         bool *known)
{
    enum { DEEPEST_JOIN = 6 };
    const struct form_term *base = NULL;
    unsigned best = 0;
    bool several = false;
    for (unsigned i = 0; i < form->count; i++) {
        const unsigned rank = base_rank(&form->parts[i]);
        several = rank > best ? false : several || (rank == best && rank > 0);
        base = rank > best ? form->parts[i].term : base;
        best = rank > best ? rank : best;
    }
    if (!base || several || depth > DEEPEST_JOIN)
        *known = false;
    else if (base->kind == TERM_JOIN || base->kind == TERM_OPERATION)
        for (unsigned i = 0; i < (base->kind == TERM_JOIN ? base->argument_count : 1); i++)
            find_buffers(audited, access, base->arguments[i], depth + 1, known);
    else
        add_buffer(access, base->kind == TERM_LOAD && audited->tables ? value_table(&audited->values, base) : base,
                   known);
}

bool access_shares_buffer(const struct access *one, const struct access *two)
{
    return ANY_OF(each, one->buffers, one->buffer_count,
                  ANY_OF(buffer, two->buffers, two->buffer_count, *each == *buffer));
}

bool access_is(const struct audited *audited, const struct access *access, const char *word)
{
    return flow_has(&audited->flow.instructions[access->instruction], word);
}

/* Parameters and loaded values of which cvta makes addresses are pointers. */
static void mark_pointers(struct audited *audited)
{
    FOR_EACH(const struct flow_instruction, instruction, audited->flow.instructions, audited->flow.count) {
        if (!flow_starts(instruction, "cvta") || instruction->operand_count < 2)
            continue;
        const struct form *form = value_of(&audited->values, instruction, instruction->operands[1]);
        for (unsigned j = 0; j < form->count; j++) {
            struct form_term *term = audited->values.terms[form->parts[j].term->number];
            term->pointer |= (term->kind == TERM_PARAMETER || term->kind == TERM_LOAD) && form->parts[j].times == 1;
        }
    }
}

/* ---- accesses and synchronisation ---- */

/* Whether an instruction is an asynchronous copy of a thread, which writes shared memory until the thread waits for
 * it. */
static bool is_copy(const struct flow_instruction *instruction)
{
    return (flow_starts(instruction, "cp.async.ca") || flow_starts(instruction, "cp.async.cg")) &&
           instruction->operand_count >= 3;
}

static void add_access(struct audited *audited, unsigned index)
{
    const struct flow_instruction *instruction = &audited->flow.instructions[index];
    const struct machine_instruction *machine = instruction->machine;
    const bool copies = is_copy(instruction);
    struct access access = {.instruction = index,
                            .kind = machine->effect == MACHINE_LOAD              ? ACCESS_LOAD
                                    : machine->effect == MACHINE_STORE || copies ? ACCESS_STORE
                                    : machine->no_result                         ? ACCESS_RED
                                                                                 : ACCESS_ATOM,
                            .order = machine->order,
                            .scope = machine->scope == LITMUS_SCOPE_NONE ? LITMUS_DEVICE : machine->scope,
                            .bytes = copies ? (unsigned)strtoul(instruction->operands[2], NULL, 0) : machine->bytes,
                            .read_only = flow_has(instruction, "nc")};
    bool known = true;
    access.address = value_of(&audited->values, instruction, instruction->address);
    find_buffers(audited, &access, access.address, 0, &known);
    if (!known)
        access.buffer_count = 0;
    const struct form_term *buffer = access.buffer_count ? access.buffers[0] : NULL;
    if (buffer && buffer->kind == TERM_GLOBAL && listing_text_starts(buffer->name, "__local_depot"))
        return;
    access.space = machine->region == LITMUS_LOCAL             ? SPACE_SHARED
                   : buffer && buffer->kind == TERM_SHARED     ? SPACE_SHARED
                   : flow_has(instruction, "global") || buffer ? SPACE_GLOBAL
                                                               : SPACE_GENERIC;
    access.bytes = access.bytes ? access.bytes : 4;
    access.space = copies ? SPACE_SHARED : access.space;
    access.role = role_of(audited, index);
    ARENA_ADD(&audited->arena, audited->accesses, audited->access_count) = access;
    audited->of_instruction[index] = (unsigned)audited->access_count;
}

/* What orders, by the first words of opcodes; the first row that fits. */
static const struct {
    const char *opcodes;
    unsigned kind; /* of enum sync_kind; 0: nothing */
} sync_rows[] = {{"bar.warp", SYNC_WARP},
                 {"bar.arrive bar.cta.arrive barrier.arrive barrier.cta.arrive barrier.cluster.arrive", 0},
                 {"bar barrier mbarrier.test_wait mbarrier.try_wait", SYNC_BLOCK},
                 {"fence.proxy membar.proxy", SYNC_PROXY},
                 {"fence membar", SYNC_FENCE},
                 {"mbarrier.arrive", SYNC_ARRIVE},
                 {"griddepcontrol.wait", SYNC_GRID_WAIT},
                 {"griddepcontrol.launch_dependents", SYNC_TRIGGER},
                 {"cp.async.bulk.commit_group cp.async.bulk.wait_group cp.async.bulk.prefetch", 0},
                 {"cp.async.bulk cp.reduce.async.bulk wgmma.mma_async", SYNC_BULK},
                 {"shfl.sync redux.sync vote.sync match.any.sync match.all.sync", SYNC_SHUFFLE}};

static void add_sync(struct audited *audited, unsigned index)
{
    const struct flow_instruction *instruction = &audited->flow.instructions[index];
    const size_t row =
        INDEX_OF(sync_row, sync_rows, COUNT(sync_rows), flow_starts_with_any(instruction, sync_row->opcodes));
    if (row < COUNT(sync_rows) && sync_rows[row].kind)
        ARENA_ADD(&audited->arena, audited->syncs, audited->sync_count) =
            (struct sync){(enum sync_kind)sync_rows[row].kind, index, role_of(audited, index)};
}

static void find_accesses(struct audited *audited)
{
    for (unsigned i = 0; i < audited->flow.count && !audited_is_late(audited); i++) {
        const struct flow_instruction *instruction = &audited->flow.instructions[i];
        const enum machine_effect effect = instruction->machine->effect;
        const bool reached = audited->flow.blocks[instruction->block].dominator != FLOW_NONE;
        if (reached && instruction->address &&
            (effect == MACHINE_LOAD || effect == MACHINE_STORE || effect == MACHINE_UPDATE || is_copy(instruction)))
            add_access(audited, i);
        else if (reached)
            add_sync(audited, i);
    }
}

/* ---- dependence ---- */

static bool depends_on(const struct flow_instruction *instruction, const bool *marked)
{
    bool depends = instruction->guard && marked[instruction->guard];
    for (unsigned i = 0; i < instruction->source_count; i++)
        depends |= marked[instruction->sources[i]];
    return depends;
}

/* Whether a load reads an address in shared memory that a marked value was stored to. */
static bool reads_marked(const struct audited *audited, unsigned index, const bool *marked)
{
    const unsigned own = audited->of_instruction[index];
    const struct access *load = own ? &audited->accesses[own - 1] : NULL;
    if (!load || load->kind != ACCESS_LOAD || load->space != SPACE_SHARED)
        return false;
    return ANY_OF(store, audited->accesses, audited->access_count,
                  store->kind == ACCESS_STORE && store->space == SPACE_SHARED && store->address == load->address &&
                      depends_on(&audited->flow.instructions[store->instruction], marked));
}

static bool mark(const struct audited *audited, unsigned index, bool in_loop, bool *marked)
{
    const struct flow_instruction *instruction = &audited->flow.instructions[index];
    const bool loads = instruction->machine->effect == MACHINE_LOAD && !flow_has(instruction, "param");
    const bool depends = loads ? !in_loop && reads_marked(audited, index, marked)
                               : depends_on(instruction, marked) && !flow_starts(instruction, "call");
    bool changed = false;
    for (unsigned i = 0; depends && i < instruction->result_count; i++) {
        changed |= !marked[instruction->results[i]];
        marked[instruction->results[i]] = true;
    }
    return changed;
}

const bool *audited_depending(struct audited *audited, unsigned instruction, const struct flow_loop *loop)
{
    const struct flow *flow = &audited->flow;
    bool *marked = audited->marked;
    memset(marked, 0, flow->register_count * sizeof *marked);
    for (unsigned i = 0; i < flow->instructions[instruction].result_count; i++)
        marked[flow->instructions[instruction].results[i]] = true;
    for (bool changed = true; changed && !audited_is_late(audited);) {
        changed = false;
        for (unsigned i = 0; loop && i < loop->block_count; i++)
            for (unsigned j = flow->blocks[loop->blocks[i]].first; j < flow->blocks[loop->blocks[i]].end; j++)
                changed |= mark(audited, j, true, marked);
        for (unsigned i = 0; !loop && i < flow->count; i++)
            changed |= mark(audited, i, false, marked);
    }
    return marked;
}

/* ---- loops that wait ---- */

static bool loop_leaves(const struct audited *audited, const struct flow_loop *loop, const bool *marked)
{
    for (unsigned i = 0; i < loop->block_count; i++) {
        const struct flow_block *block = &audited->flow.blocks[loop->blocks[i]];
        const struct flow_instruction *last = &audited->flow.instructions[block->end - 1];
        const bool leaves = (block->next != FLOW_NONE && !flow_loop_has(loop, block->next)) ||
                            (block->branch != FLOW_NONE && !flow_loop_has(loop, block->branch));
        if (leaves && last->guard && marked[last->guard])
            return true;
    }
    return false;
}

/* Whether the address changes in the loop: a list that is walked, not a flag. */
static bool changes_in(const struct audited *audited, const struct flow_loop *loop, const struct form *address)
{
    for (unsigned i = 0; i < address->count; i++) {
        const struct form_term *term = address->parts[i].term;
        const struct flow_register *written =
            term->kind == TERM_JOIN || term->kind == TERM_REGISTER ? &audited->flow.registers[term->identity] : NULL;
        if (written && ANY_OF(definition, written->definitions, written->definition_count,
                              flow_loop_has(loop, audited->flow.instructions[*definition].block)))
            return true;
    }
    return false;
}

/* Whether the loop writes memory: in the access's buffer, or any by a store. */
static bool loop_writes(const struct audited *audited, const struct flow_loop *loop, const struct access *access,
                        bool same_buffer)
{
    FOR_EACH(const struct access, other, audited->accesses, audited->access_count) {
        const bool writes =
            same_buffer ? other->kind == ACCESS_STORE || other->kind == ACCESS_ATOM : other->kind == ACCESS_STORE;
        if (other != access && writes && flow_loop_has(loop, audited->flow.instructions[other->instruction].block) &&
            (!same_buffer || access_shares_buffer(other, access)))
            return true;
    }
    return false;
}

/* A loop of compare-and-swaps whose expected value comes from the loop changes a value; it does not wait. Nor does one
 * that adds and stores. */
static bool is_poll(struct audited *audited, const struct access *access, const struct flow_loop *loop)
{
    const struct flow_instruction *instruction = &audited->flow.instructions[access->instruction];
    if (access->kind == ACCESS_STORE || access->kind == ACCESS_RED || instruction->result_count == 0 ||
        changes_in(audited, loop, access->address))
        return false;
    const bool *marked = audited_depending(audited, access->instruction, loop);
    if (!loop_leaves(audited, loop, marked))
        return false;
    if (access->kind == ACCESS_LOAD)
        return !loop_writes(audited, loop, access, true) &&
               !(access->order == LITMUS_PLAIN && loop_writes(audited, loop, access, false));
    if (access_is(audited, access, "cas") && instruction->operand_count > 2) {
        const struct form *expected = value_of(&audited->values, instruction, instruction->operands[2]);
        const unsigned of =
            flow_register(&audited->flow, instruction, instruction->operands[2], strlen(instruction->operands[2]));
        return !(of && marked[of]) && !changes_in(audited, loop, expected);
    }
    return access_is(audited, access, "exch") || !loop_writes(audited, loop, access, false);
}

static void find_polls(struct audited *audited)
{
    for (size_t i = 0; i < audited->flow.loop_count && !audited_is_late(audited); i++) {
        const struct flow_loop *loop = &audited->flow.loops[i];
        for (unsigned j = 0; j < loop->block_count; j++)
            for (unsigned k = audited->flow.blocks[loop->blocks[j]].first;
                 k < audited->flow.blocks[loop->blocks[j]].end; k++) {
                const unsigned own = audited->of_instruction[k];
                if (own && is_poll(audited, &audited->accesses[own - 1], loop))
                    ARENA_ADD(&audited->arena, audited->polls, audited->poll_count) = (struct poll){own - 1, loop};
            }
    }
}

/* ---- the whole ---- */

bool audited_read(const struct ptx_module *module, const struct ptx_kernel *kernel, double deadline, bool tables,
                  struct audited *audited, const char **reason)
{
    *audited = (struct audited){.deadline = deadline, .tables = tables};
    const bool read = flow_read(module, kernel, &audited->flow, reason);
    values_begin(&audited->flow, &audited->values);
    if (!read)
        return false;
    audited->of_instruction = arena_take(&audited->arena, audited->flow.count, sizeof(unsigned));
    audited->seen = arena_take(&audited->arena, audited->flow.block_count, sizeof(unsigned));
    audited->stack = arena_take(&audited->arena, audited->flow.block_count, sizeof(unsigned));
    audited->marked = arena_take(&audited->arena, audited->flow.register_count, sizeof *audited->marked);
    mark_pointers(audited);
    find_accesses(audited);
    find_polls(audited);
    return true;
}

void audited_release(struct audited *audited)
{
    values_release(&audited->values);
    flow_release(&audited->flow);
    arena_release(&audited->arena);
}
