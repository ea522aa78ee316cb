// SPDX-License-Identifier: Apache-2.0
/*
 * Threads as kernel text.
 *
 * One function plays one slot. If each item plays every thread of the slot (width 1), the instructions of one thread
 * follow those of another, each for a different instance. If a thread is one of a range, each item plays one thread.
 * Barriers cut the threads of a slot into segments; between two segments the whole group, or each of its sub-groups,
 * meets once, which is the barrier of every instance that the group plays.
 */
#include "kernel/body.h"

#include "litmus/language/order.h"
#include "litmus/language/walk.h"

enum { DEPTH_OF_THREAD = 2 }; /* of statements outside branches and loops */

static void write_statement(struct writer *writer, const struct litmus_statement *statement);

static void write_block(struct writer *writer, const struct litmus_block *block)
{
    writer->depth++;
    for (size_t i = 0; i < block->count; i++)
        write_statement(writer, &block->statements[i]);
    writer->depth--;
}

static void write_if(struct writer *writer, const struct litmus_statement *statement)
{
    write_text(writer, "if (");
    write_condition(writer, statement->value);
    write_text(writer, ") {\n");
    write_block(writer, &statement->body);
    write_text(writer, "\t}");
    if (statement->otherwise.count > 0) {
        write_text(writer, " else {\n");
        write_block(writer, &statement->otherwise);
        write_text(writer, "\t}");
    }
    write_text(writer, "\n");
}

/* A loop ends at its condition, or when the thread's budget of iterations is spent; the instance is then void. */
static void write_loop(struct writer *writer, const struct litmus_statement *statement)
{
    const bool test_first = statement->kind == LITMUS_WHILE;
    write_text(writer, test_first ? "while (" : "do {\n");
    if (test_first) {
        write_condition(writer, statement->value);
        write_text(writer, ") {\n");
    }
    writer->depth++;
    write_piece(writer, CODE_BUDGET, CODE_LEAVES_LOOP);
    writer->depth--;
    write_block(writer, &statement->body);
    write_text(writer, test_first ? "\t}\n" : "\t} while (");
    if (!test_first) {
        write_condition(writer, statement->value);
        write_text(writer, ");\n");
    }
}

/* In a language without jumps, a thread that has some is a loop over its parts: the first one, and one from each label
 * to the next. p0_next is the part that is played next: 0, one more than the number of the label, or NO_PART. */
enum { FIRST_PART = 0, NO_PART = 0xffff };

static void write_part_start(struct writer *writer, unsigned part)
{
    write_text(writer, "\tif (@next == %uu) {\n", part);
    writer->depth++;
}

/* On a line that has its indentation. */
static void write_part_end(struct writer *writer, unsigned next)
{
    write_text(writer, "@next = %uu;\n", next);
    writer->depth--;
    write_text(writer, "\t}\n");
}

/* Labels also take from the budget, so that a backward jump cannot repeat for ever. */
static void write_label(struct writer *writer, int label)
{
    if (!writer->lowering->syntax->jumps) {
        write_part_end(writer, (unsigned)label + 1);
        write_part_start(writer, (unsigned)label + 1);
        write_piece(writer, CODE_BUDGET, CODE_LEAVES_LOOP);
        return;
    }
    write_text(writer, "@l%d:;\n", label);
    write_piece(writer, CODE_BUDGET, CODE_LEAVES_THREAD);
}

static void write_parts(struct writer *writer, const struct litmus_block *block)
{
    writer->depth++;
    write_text(writer, "\tu32 @next = %uu;\n\twhile (@next != %uu) {\n", FIRST_PART, NO_PART);
    writer->depth++;
    write_part_start(writer, FIRST_PART);
    writer->depth--; /* write_block adds it */
    write_block(writer, block);
    writer->depth++;
    write_text(writer, "\t");
    write_part_end(writer, NO_PART);
    writer->depth--;
    write_text(writer, "\t}\n");
    writer->depth--;
}

static void write_goto(struct writer *writer, const struct litmus_statement *statement)
{
    const bool jumps = writer->lowering->syntax->jumps;
    if (statement->value) {
        write_text(writer, "if (");
        write_condition(writer, statement->value);
        write_text(writer, jumps ? ")\n\t    " : ") {\n\t    ");
    }
    if (jumps)
        write_text(writer, "goto @l%d;\n", statement->label);
    else
        write_text(writer, statement->value ? "@next = %du;\n\t    continue;\n\t}\n" : "@next = %du;\n\tcontinue;\n",
                   statement->label + 1);
}

/* Whether a statement, without those inside it, is an instruction of the test. */
static bool is_instruction(const struct litmus_statement *statement)
{
    switch (statement->kind) {
    case LITMUS_ASSIGN:
    case LITMUS_PERFORM:
        return litmus_has_access(statement->value);
    case LITMUS_FENCE:
    case LITMUS_COPY:
    case LITMUS_GROUP:
    case LITMUS_VECTOR:
        return true;
    default:
        return false;
    }
}

/* Writes a delay site on its own line: the instruction's line contains nothing else. */
static void write_site(struct writer *writer, const struct litmus_statement *statement)
{
    struct kernel *kernel = writer->allocation->kernel;
    const struct litmus_thread *thread = &writer->allocation->test->threads[writer->body];
    if (!kernel->delays || kernel->delay_sites == KERNEL_MAXIMUM_SITES || !is_instruction(statement))
        return;
    if (writer->depth == DEPTH_OF_THREAD && !litmus_any_statement(&thread->body, allocation_jumps))
        kernel->certain_sites |= 1u << kernel->delay_sites;
    write_piece(writer, CODE_SITE, kernel->delay_sites++);
}

static unsigned count_instructions(const struct litmus_block *block)
{
    unsigned count = 0;
    for (size_t i = 0; i < block->count; i++)
        count += is_instruction(&block->statements[i]) + count_instructions(&block->statements[i].body) +
                 count_instructions(&block->statements[i].otherwise);
    return count;
}

void write_skip_sites(struct writer *writer, unsigned slot)
{
    struct kernel *kernel = writer->allocation->kernel;
    for (unsigned body = 0; body < kernel->bodies && kernel->delays; body++)
        if (allocation_in_slot(writer->allocation, body, slot))
            kernel->delay_sites += count_instructions(&writer->allocation->test->threads[body].body);
    if (kernel->delay_sites > KERNEL_MAXIMUM_SITES)
        kernel->delay_sites = KERNEL_MAXIMUM_SITES;
}

static void write_statement(struct writer *writer, const struct litmus_statement *statement)
{
    const unsigned body = writer->body;
    write_site(writer, statement);
    write_text(writer, "\t");
    switch (statement->kind) {
    case LITMUS_ASSIGN:
        write_piece(writer, CODE_TARGET, (unsigned)statement->target);
        write_typed(writer, statement->value,
                    writer->allocation->test->threads[body].registers[statement->target].type);
        write_text(writer, ";\n");
        break;
    case LITMUS_PERFORM:
        if (!access_gives_nothing(statement->value->access->operation, statement->value->access->no_result))
            write_text(writer, "%s", writer->lowering->syntax->drop);
        write_expression(writer, statement->value);
        write_text(writer, ";\n");
        write_account(writer, statement->value->access);
        break;
    case LITMUS_FENCE:
        write_fence(writer, &statement->fence, statement->place);
        write_text(writer, "\n");
        break;
    case LITMUS_IF:
        write_if(writer, statement);
        break;
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        write_loop(writer, statement);
        break;
    case LITMUS_LABEL:
        write_label(writer, statement->label);
        break;
    case LITMUS_GOTO:
        write_goto(writer, statement);
        break;
    case LITMUS_BARRIER:
        write_refuse(writer, "a barrier inside a branch or a loop");
        break;
    case LITMUS_COPY:
        write_copy(writer, &statement->copy, statement->place);
        break;
    case LITMUS_GROUP:
        write_group(writer, &statement->group, statement->place);
        break;
    case LITMUS_VECTOR:
        write_vector(writer, &statement->vector, statement->place);
        break;
    case LITMUS_COLLECTIVE:
        write_collective(writer, statement);
        break;
    case LITMUS_IDLE:
        break;
    case LITMUS_UNSUPPORTED:
        write_refuse(writer, statement->text);
        break;
    }
}

/* An initial value as kernel text. */
static void write_initial(const struct allocation *allocation, enum litmus_type type, int64_t value, struct text *out)
{
    const struct syntax *syntax = allocation->kernel->lowering->syntax;
    const bool casts = !syntax->converts && litmus_type_size(type) != 4;
    if (casts)
        syntax_open(&syntax->cast, lower_type(type), out);
    if (litmus_type_is_float(type) || casts)
        text_add(out, "0x%llx%s", (unsigned long long)litmus_value_bits(type, value),
                 litmus_type_size(type) == 8 ? syntax->long_suffix : "u");
    else
        text_add(out, "%lld", (long long)value);
    text_add(out, "%s", casts ? syntax->cast.after : "");
}

static void write_register(const struct allocation *allocation, unsigned body, unsigned number, struct text *out)
{
    const struct litmus_register *own = &allocation->test->threads[body].registers[number];
    text_add(out, "    %s p%u_r%u = ", lower_type(own->type), body, number);
    if (own->numbered && allocation->kernel->width > 1) {
        syntax_open(&allocation->kernel->lowering->syntax->cast, lower_type(own->type), out);
        text_add(out, "(thread - %uu)%s", allocation->first_thread[body],
                 allocation->kernel->lowering->syntax->cast.after);
    } else
        write_initial(allocation, own->type, own->initial, out);
    text_add(out, ";\n");
}

void write_items(struct writer *writer)
{
    const struct kernel *kernel = writer->allocation->kernel;
    struct text *out = &writer->code.text;
    if (kernel->sub_groups > 0)
        text_add(out,
                 "    const u32 item = permuted(MEMORY_ARGUMENTS, %u, lane);\n"
                 "    const u32 row = item / (SUB_GROUP_SIZE * SUB_GROUPS);\n"
                 "    const u32 place = item %% SUB_GROUP_SIZE;\n"
                 "    const u32 instance = row * (SUB_GROUP_SIZE / SUB_GROUP_ITEMS) + place / SUB_GROUP_ITEMS;\n"
                 "    const u32 thread = item / SUB_GROUP_SIZE %% SUB_GROUPS * SUB_GROUP_ITEMS + place %% "
                 "SUB_GROUP_ITEMS;\n",
                 writer->body);
    else if (kernel->width > 1)
        text_add(out,
                 "    const u32 item = permuted(MEMORY_ARGUMENTS, %u, lane);\n"
                 "    const u32 instance = item / WIDTH;\n    const u32 thread = item %% WIDTH;\n",
                 writer->body);
}

void write_instance(const struct allocation *allocation, unsigned body, struct text *out)
{
    if (allocation->kernel->width > 1)
        text_add(out,
                 "    const u32 p%u_i = instance < instances ? instance : 0;\n"
                 "    const u32 p%u_plays = TO_U32(instance < instances && thread - %uu < %uu);\n",
                 body, body, allocation->first_thread[body], allocation->test->threads[body].count);
    else
        text_add(out, "    const u32 p%u_i = permuted(MEMORY_ARGUMENTS, %u, lane);\n", body, body);
}

/* The pointers, registers and budgets of a slot's threads. They outlive barriers, so all are declared at the start of
 * the function. */
static void write_declarations(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    const struct litmus_test *test = allocation->test;
    const struct kernel *kernel = allocation->kernel;
    struct text *out = &writer->code.text;

    write_items(writer);
    write_lanes(writer, slot);
    for (unsigned body = 0; body < kernel->bodies; body++) {
        if (!allocation_in_slot(writer->allocation, body, slot))
            continue;
        const struct litmus_thread *thread = &test->threads[body];
        write_instance(allocation, body, out);
        for (unsigned l = 0; l < test->location_count; l++)
            if (test->locations[l].constant)
                text_add(out, "    CONSTANT %s *p%u_x%u = constant_%u;\n", lower_type(test->locations[l].type), body, l,
                         l);
            else if (allocation->region_of[l] == LITMUS_GLOBAL)
                write_location_names(allocation, body, l, out);
            else if (allocation->local_slot[l] == (int)slot)
                text_add(out, "    %sp%u_x%u = CELL(local_memory, local_cell(MEMORY_ARGUMENTS, %u, p%u_i));\n",
                         kernel->lowering->syntax->local, body, l, allocation->cell_of[l], body);
            else if (allocation->local_slot[l] != LITMUS_NONE && kernel->in_clusters)
                write_remote(writer, slot, body, l);
        write_accounts(writer, body);
        for (unsigned r = 0; r < thread->register_count; r++)
            write_register(allocation, body, r, out);
        if (allocation_spins(&thread->body))
            text_add(out, "    u32 p%u_spins = local_memory[LOCAL_SPINS];\n    u32 p%u_gave_up = 0;\n", body, body);
    }
}

/* Appends the addresses of the global locations that a body accesses, joined by |: "(u64)p0_x0 | (u64)p0_x1". Returns
 * how many. */
static unsigned add_addresses(const struct allocation *allocation, unsigned body, struct text *addresses)
{
    unsigned count = 0;
    const struct syntax_around *cast = &allocation->kernel->lowering->syntax->cast;
    for (unsigned l = 0; l < allocation->test->location_count; l++) {
        const struct litmus_location *location = &allocation->test->locations[l];
        if (!allocation_names(allocation->test, body, l) || allocation->region_of[l] != LITMUS_GLOBAL ||
            location->constant || location->proxy != LITMUS_GENERIC)
            continue;
        text_add(addresses, "%s", addresses->size > 0 ? " | " : "");
        syntax_open(cast, allocation->kernel->lowering->syntax->address, addresses);
        text_add(addresses, "p%u_x%u%s", body, l, cast->after);
        count++;
    }
    return count;
}

/* While an access is on its way, a kernel of ptxas computes the address of the next one, or of a result, and the next
 * access then comes late: on an H200, LB+relaxed shows its witness 40 times less often than with addresses that are
 * computed before the first access. */
static void write_addresses_first(struct writer *writer, unsigned slot)
{
    LOCAL(text) addresses = {0};
    unsigned count = 0;
    for (unsigned body = 0; body < writer->allocation->kernel->bodies; body++)
        if (allocation_in_slot(writer->allocation, body, slot))
            count += add_addresses(writer->allocation, body, &addresses);
    if (count > 0) {
        write_result_addresses(writer->allocation, slot, &addresses);
        write_text(writer, "    COMPUTED(%s);\n", text_string(&addresses));
    }
}

/* Each item initialises and exports the local locations of one instance. */
static void write_local_start(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    const struct syntax *syntax = writer->lowering->syntax;
    struct text *out = &writer->code.text;
    text_add(out, "    if (lane < instances) {\n");
    for (unsigned l = 0; l < allocation->test->location_count; l++) {
        const struct litmus_location *location = &allocation->test->locations[l];
        if (allocation->local_slot[l] != (int)slot)
            continue;
        for (uint32_t e = 0; e < location->elements && location->type != LITMUS_MBARRIER; e++) {
            text_add(out, "        ");
            const struct syntax_around *set = &syntax->set[allocation_place(allocation, l)];
            syntax_open(set, lower_type(location->type), out);
            write_local_cell(allocation, l, e, out);
            text_add(out, "%s = ", set->after);
            write_initial(allocation, location->type, location->initial[e], out);
            text_add(out, ";\n");
        }
    }
    write_mbarrier_starts(writer, slot);
    text_add(out, "    }\n");
}

/* The segment-th run of statements between top-level barriers. Returns the barrier statement that ends it, or NULL. */
static const struct litmus_statement *segment_of(const struct litmus_block *block, unsigned segment,
                                                 struct litmus_block *part)
{
    size_t from = 0;
    for (size_t i = 0; i < block->count; i++) {
        if (block->statements[i].kind != LITMUS_BARRIER)
            continue;
        if (segment == 0) {
            *part = (struct litmus_block){block->statements + from, i - from};
            return &block->statements[i];
        }
        segment--;
        from = i + 1;
    }
    /* A thread without statements has no array of them. */
    *part = segment == 0 && from < block->count ? (struct litmus_block){block->statements + from, block->count - from}
                                                : (struct litmus_block){NULL, 0};
    return NULL;
}

static bool same_number(const struct litmus_expression *a, const struct litmus_expression *b)
{
    return (!a && !b) || (a && b && a->kind == LITMUS_EXPRESSION_CONSTANT && b->kind == LITMUS_EXPRESSION_CONSTANT &&
                          a->value == b->value);
}

/* Whether two barriers order the same. */
static bool same_order(const struct litmus_barrier *a, const struct litmus_barrier *b)
{
    return a->flag_global == b->flag_global && a->flag_local == b->flag_local && a->flag_image == b->flag_image &&
           ordering_same(a->ordering, b->ordering);
}

static bool same_spelling(const struct litmus_barrier *a, const struct litmus_barrier *b)
{
    return memcmp(&a->spelling, &b->spelling, sizeof a->spelling) == 0 && a->unaligned == b->unaligned;
}

static bool same_barrier(const struct litmus_barrier *a, const struct litmus_barrier *b)
{
    return a->arrive == b->arrive && a->wait == b->wait && a->relaxed == b->relaxed && a->sub_group == b->sub_group &&
           same_order(a, b) && same_spelling(a, b) && !a->quorum == !b->quorum &&
           same_number(a->resource, b->resource) &&
           (a->instance == b->instance || (a->instance && b->instance && strcmp(a->instance, b->instance) == 0));
}

/* Refuses two threads that should meet but do not: each is at its barrier or, if NULL, at none. */
static void fail_split(struct writer *writer, const struct litmus_barrier *a, const struct litmus_barrier *b,
                       enum litmus_scope level)
{
    const enum litmus_dialect dialect = writer->allocation->test->dialect;
    const bool one_level = a && b && litmus_barrier_level(dialect, a) == litmus_barrier_level(dialect, b);
    if (one_level && !same_order(a, b))
        write_refuse(writer, "threads of one group reach a barrier with different flags or scopes, which is undefined");
    else if (one_level && !same_spelling(a, b))
        write_refuse(writer, "threads of one group write their barrier in different ways, but a kernel needs one form");
    else if (level == LITMUS_SUB_GROUP)
        write_refuse(writer, "threads of one sub-group do not all reach the same barrier, which is undefined");
    else if (dialect == LITMUS_PTX)
        write_refuse(writer, "threads of one work-group do not all reach the same barrier, but in a kernel they must");
    else
        write_refuse(writer, "threads of one work-group do not all reach the same barrier, which is undefined");
}

/* How far the threads of a slot have been written. */
struct slot_progress {
    unsigned segment[LITMUS_MAXIMUM_BODIES];                   /* the next one */
    bool ended[LITMUS_MAXIMUM_BODIES];                         /* there is no next segment */
    const struct litmus_barrier *waits[LITMUS_MAXIMUM_BODIES]; /* barrier at which the body waits, or NULL */
    struct litmus_place places[LITMUS_MAXIMUM_BODIES];         /* the barrier's place in the test's text */
};

/* Whether a branch or a loop has a jump inside it. */
static bool jumps_inside(const struct litmus_block *part)
{
    return ANY_OF(statement, part->statements, part->count,
                  litmus_any_statement(&statement->body, allocation_jumps) ||
                      litmus_any_statement(&statement->otherwise, allocation_jumps));
}

/* Writes a thread's next segment. */
static void write_segment(struct writer *writer, unsigned body, struct slot_progress *progress)
{
    const struct allocation *allocation = writer->allocation;
    const struct litmus_thread *thread = &allocation->test->threads[body];
    struct litmus_block part;
    const struct litmus_statement *end = segment_of(&thread->body, progress->segment[body], &part);
    progress->waits[body] = end ? &end->barrier : NULL;
    progress->places[body] = end ? end->place : (struct litmus_place){0};
    progress->ended[body] = !progress->waits[body];
    if (litmus_any_statement(&thread->body, allocation_jumps) && (progress->waits[body] || progress->segment[body] > 0))
        write_refuse(writer, "a thread with both barriers and jumps");
    progress->segment[body]++;
    writer->body = body;
    if (allocation->kernel->width > 1)
        write_text(writer, "    if (@plays != 0u) { // P%u to P%u\n", thread->first, thread->first + thread->count - 1);
    else
        write_piece(writer, CODE_OPEN, thread->first);
    writer->depth = DEPTH_OF_THREAD - 1;
    write_unkept(writer, &part);
    const bool jumps = litmus_any_statement(&thread->body, allocation_jumps),
               structured = jumps && !writer->lowering->syntax->jumps;
    if (structured && jumps_inside(&part))
        write_refuse(writer, "a jump out of a branch or a loop (GLSL has no goto)");
    (structured ? write_parts : write_block)(writer, &part);
    if (jumps && !structured)
        write_text(writer, "    @end:;\n");
    write_uses(writer, &part);
    write_piece(writer, CODE_CLOSE, 0);
}

static bool at_sub_group(const struct writer *writer, const struct litmus_barrier *barrier)
{
    return barrier && litmus_barrier_level(writer->allocation->test->dialect, barrier) == LITMUS_SUB_GROUP;
}

/* Notes that the next barrier is a step of this thread. */
static void note_barrier(struct writer *writer, unsigned body, const struct slot_progress *progress)
{
    write_step(writer,
               (struct kernel_step){.body = body, .place = progress->places[body], .barrier = progress->waits[body]});
}

/* A barrier of sub-groups: every item passes it; for a sub-group without one it has no effect. Threads that wait at one
 * go on; the others of their sub-group must also wait there. True if there was one. */
static bool pass_sub_groups(struct writer *writer, unsigned slot, struct slot_progress *progress)
{
    const struct kernel *kernel = writer->allocation->kernel;
    const struct litmus_barrier *meeting = NULL;
    for (unsigned body = 0; body < kernel->bodies; body++) {
        if (!allocation_in_slot(writer->allocation, body, slot) || !at_sub_group(writer, progress->waits[body]))
            continue;
        if (writer->allocation->device->sub_group_size < 2)
            write_refuse(writer, "a sub-group barrier (the device does not run or report sub-groups)");
        if (kernel->sub_group_of[body] == LITMUS_NONE)
            write_refuse(writer, "a sub-group barrier in a thread that is not placed in a sub-group");
        for (unsigned other = 0; other < kernel->bodies; other++)
            if (allocation_in_slot(writer->allocation, other, slot) &&
                kernel->sub_group_of[other] == kernel->sub_group_of[body] &&
                (!at_sub_group(writer, progress->waits[other]) ||
                 !same_barrier(progress->waits[body], progress->waits[other])))
                fail_split(writer, progress->waits[body], progress->waits[other], LITMUS_SUB_GROUP);
        meeting = progress->waits[body];
    }
    for (unsigned body = 0; body < kernel->bodies; body++) {
        if (!allocation_in_slot(writer->allocation, body, slot) || !at_sub_group(writer, progress->waits[body]))
            continue;
        note_barrier(writer, body, progress);
        progress->waits[body] = NULL;
    }
    if (meeting)
        write_barrier(writer, meeting);
    return meeting != NULL;
}

/* The barrier of the work-group, at which all the slot's threads must wait. True if there was one. */
static bool pass_work_group(struct writer *writer, unsigned slot, struct slot_progress *progress)
{
    const struct litmus_barrier *meeting = NULL;
    bool first = true;
    for (unsigned body = 0; body < writer->allocation->kernel->bodies; body++) {
        const struct litmus_barrier *barrier = progress->waits[body];
        if (!allocation_in_slot(writer->allocation, body, slot))
            continue;
        if (!first && (!meeting != !barrier || (meeting && !same_barrier(meeting, barrier))))
            fail_split(writer, meeting, barrier, LITMUS_WORK_GROUP);
        meeting = barrier;
        first = false;
        if (barrier)
            note_barrier(writer, body, progress);
        progress->waits[body] = NULL;
    }
    if (meeting)
        write_barrier(writer, meeting);
    return meeting != NULL;
}

void write_threads(struct writer *writer, unsigned slot)
{
    struct slot_progress progress = {0};
    do {
        for (unsigned body = 0; body < writer->allocation->kernel->bodies; body++)
            if (allocation_in_slot(writer->allocation, body, slot) && !progress.waits[body] && !progress.ended[body])
                write_segment(writer, body, &progress);
    } while ((pass_sub_groups(writer, slot, &progress) || pass_work_group(writer, slot, &progress)) &&
             writer->status == STATUS_OK);
}

void write_enter_slot(struct writer *writer, unsigned slot)
{
    const struct kernel *kernel = writer->allocation->kernel;
    for (unsigned body = 0; body < kernel->bodies; body++)
        if (allocation_in_slot(writer->allocation, body, slot) && kernel->first_of_slot[body])
            writer->body = body;
}

void write_slot(struct writer *writer, unsigned slot)
{
    write_enter_slot(writer, slot);
    write_text(writer,
               "FUNCTION void play_%u(MEMORY_PARAMETERS, u32 owner, u32 lane, u32 instances, u32 stamp, u32 team)\n{\n",
               slot);
    write_declarations(writer, slot);
    write_text(writer, "    const u32 all = draw[DRAW_REGIONS] * instances;\n");
    write_result_places(writer, slot);
    if (writer->allocation->kernel->delays)
        write_text(writer, "    const u32 delays = draw[DRAW_DELAY_SITES];\n");
    const bool locals = allocation_has_locals(writer->allocation, slot);
    if (locals)
        write_local_start(writer, slot);
    write_async_start(writer, locals);
    write_addresses_first(writer, slot);
    /* Stores must be on their way when another slot makes its first load, to come between it and the next one. */
    if (kernel_starts_at_ticks(writer->allocation->kernel))
        write_text(writer, "    START_AT_TICK(team, %s);\n",
                   writer->allocation->kernel->loading_slots >> slot & 1 ? "draw[DRAW_LOAD_LAG]" : "0u");
    write_threads(writer, slot);
    write_async_end(writer, slot);
    write_results(writer, slot);
    write_text(writer, "}\n\n");
}
