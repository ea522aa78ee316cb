// SPDX-License-Identifier: Apache-2.0
/* Makes the program of a kernel: operands, registers, blocks, dominators (Cooper, Harvey and Kennedy, "A simple, fast
 * dominance algorithm", 2001) and short loops. */
#include "audit/flow.h"

/* ---- words ---- */

static const char *const name_bytes = "$_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

size_t flow_name_size(const char *at)
{
    const bool percent = *at == '%';
    size_t size = percent + strspn(at + percent, name_bytes);
    if (size == (size_t)percent || (at[0] >= '0' && at[0] <= '9'))
        return 0;
    if (percent && at[size] == '.' && strchr("xyzw", at[size + 1]) && at[size + 1])
        size += 2;
    return size;
}

bool flow_starts(const struct flow_instruction *instruction, const char *words)
{
    const size_t size = strlen(words);
    const char end = strncmp(instruction->opcode, words, size) == 0 ? instruction->opcode[size] : 'x';
    return end == '.' || end == ' ' || end == '\0';
}

bool flow_starts_with_any(const struct flow_instruction *instruction, const char *list)
{
    const char *opcode = instruction->opcode;
    size_t size = strcspn(opcode, ". ");
    while (!text_has_word(list, opcode, size)) {
        if (opcode[size] != '.')
            return false;
        size += 1 + strcspn(opcode + size + 1, ". ");
    }
    return true;
}

bool flow_has(const struct flow_instruction *instruction, const char *words)
{
    for (const char *at = strpbrk(instruction->opcode, ". "); at && *at == '.'; at = strpbrk(at + 1, ". "))
        if (text_has_word(words, at + 1, strcspn(at + 1, ". ")))
            return true;
    return false;
}

/* ---- registers ---- */

/* The register of a name in a scope of names, if it is declared there. */
static unsigned find_register(const struct flow *flow, unsigned scope, const char *name)
{
    size_t step = 0, item;
    while (hash_index_next(&flow->register_index, hash_index_key((int)scope, name), &step, &item))
        if (strcmp(flow->registers[item].name, name) == 0)
            return (unsigned)item;
    return 0;
}

static unsigned add_register(struct flow *flow, unsigned scope, const char *name)
{
    const unsigned found = find_register(flow, scope, name);
    if (found)
        return found;
    hash_index_add(&flow->register_index, hash_index_key((int)scope, name), flow->register_count);
    ARENA_ADD(&flow->arena, flow->registers, flow->register_count) = (struct flow_register){.name = name};
    return (unsigned)flow->register_count - 1;
}

unsigned flow_register(const struct flow *flow, const struct flow_instruction *instruction, const char *name,
                       size_t size)
{
    enum { LONGEST = 256 };
    char copy[LONGEST];
    if (size >= sizeof copy || memchr(name, '.', size))
        return 0;
    (void)snprintf(copy, sizeof copy, "%.*s", (int)size, name);
    const struct listing *listing = &flow->kernel->listing;
    for (unsigned scope = instruction->machine->scope_of_names;; scope = listing->scopes[scope]) {
        const unsigned found = find_register(flow, scope, copy);
        if (found || scope == 0)
            return found;
    }
}

/* The same; a name that no braces declare, as "%r1", is one of the whole body. */
static unsigned name_register(struct flow *flow, const struct flow_instruction *instruction, const char *name,
                              size_t size)
{
    const unsigned found = flow_register(flow, instruction, name, size);
    if (found || *name != '%' || memchr(name, '.', size))
        return found;
    return add_register(flow, 0, arena_copy_part(&flow->arena, name, size));
}

/* Adds the registers that an operand names. */
static void add_registers(struct flow *flow, const struct flow_instruction *instruction, const char *operand,
                          unsigned **registers, unsigned *count)
{
    for (const char *at = operand; *at;) {
        const size_t size = flow_name_size(at);
        const unsigned found = size ? name_register(flow, instruction, at, size) : 0;
        if (found)
            ARENA_ADD(&flow->arena, *registers, *count) = found;
        at += size ? size : 1;
        while (size == 0 && at[-1] != '%' && strchr(name_bytes, at[-1]) && *at && strchr(name_bytes, *at))
            at++; /* the rest of a number */
    }
}

/* ---- operands ---- */

/* Instructions whose first operand is not a result. */
static const char without_result[] =
    "st red bar.sync bar.arrive bar.cta bar.warp barrier fence membar bra ret exit trap brx cp prefetch prefetchu "
    "nanosleep griddepcontrol sust sured discard brkpt pmevent applypriority stmatrix setmaxnreg wgmma multimem.st "
    "multimem.red mbarrier.init mbarrier.inval mbarrier.expect_tx mbarrier.complete_tx tcgen05.st tcgen05.cp "
    "tcgen05.mma tcgen05.commit tcgen05.wait tcgen05.fence";

static bool has_result(const struct flow_instruction *instruction)
{
    if (flow_starts_with_any(instruction, without_result))
        return flow_starts(instruction, "barrier") && flow_has(instruction, "red");
    return instruction->operand_count > 0 && instruction->operands[0][0] != '[';
}

/* Splits "a, {b, c}, [d+4]" at the commas outside of brackets. */
static bool split_operands(struct flow *flow, const char *text, struct flow_instruction *instruction)
{
    int depth = 0;
    const char *start = text;
    for (const char *at = text;; at++) {
        depth += *at == '{' || *at == '[' || *at == '(';
        depth -= *at == '}' || *at == ']' || *at == ')';
        if (*at && (*at != ',' || depth > 0))
            continue;
        start += strspn(start, " ");
        size_t size = (size_t)(at - start);
        while (size > 0 && start[size - 1] == ' ')
            size--;
        if (size > 0)
            ARENA_ADD(&flow->arena, instruction->operands, instruction->operand_count) =
                arena_copy_part(&flow->arena, start, size);
        if (!*at || instruction->operand_count > FLOW_MOST_OPERANDS)
            return !*at;
        start = at + 1;
    }
}

static const char *read_address(struct flow *flow, const struct flow_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i][0] == '[')
            return arena_copy_part(&flow->arena, instruction->operands[i] + 1,
                                   strcspn(instruction->operands[i] + 1, ",]"));
    return NULL;
}

static bool read_instruction(struct flow *flow, const struct machine_instruction *machine,
                             struct flow_instruction *instruction)
{
    const char *text = machine->text;
    *instruction = (struct flow_instruction){.machine = machine};
    if (*text == '@') {
        instruction->guard_not = text[1] == '!';
        text += 1 + instruction->guard_not;
        const size_t size = flow_name_size(text);
        instruction->guard = name_register(flow, instruction, text, size);
        text += size + strspn(text + size, " ");
    }
    instruction->opcode = text;
    const char *operands = text + strcspn(text, " ");
    if (!split_operands(flow, operands, instruction))
        return false;
    const bool calls = flow_starts(instruction, "call");
    const bool first =
        calls ? instruction->operand_count > 0 && instruction->operands[0][0] == '(' : has_result(instruction);
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (i == 0 && first)
            add_registers(flow, instruction, instruction->operands[i], &instruction->results,
                          &instruction->result_count);
        else
            add_registers(flow, instruction, instruction->operands[i], &instruction->sources,
                          &instruction->source_count);
    for (unsigned i = 0; i < instruction->source_count; i++)
        flow->registers[instruction->sources[i]].used = true;
    instruction->address = calls ? NULL : read_address(flow, instruction);
    return true;
}

/* ---- blocks ---- */

static void make_blocks(struct flow *flow)
{
    bool *starts = arena_take(&flow->arena, flow->count + 1, sizeof *starts);
    starts[0] = true;
    for (unsigned i = 0; i < flow->count; i++) {
        const struct machine_instruction *machine = flow->instructions[i].machine;
        const bool ends = machine->branch != MACHINE_NO_NEXT || machine->next != (long)i + 1;
        if (machine->branch != MACHINE_NO_NEXT)
            starts[machine->branch] = true;
        if (ends)
            starts[i + 1] = true;
    }
    for (unsigned i = 0; i < flow->count; i++) {
        if (starts[i])
            ARENA_ADD(&flow->arena, flow->blocks, flow->block_count) =
                (struct flow_block){.first = i, .next = FLOW_NONE, .branch = FLOW_NONE, .dominator = FLOW_NONE};
        flow->blocks[flow->block_count - 1].end = i + 1;
        flow->instructions[i].block = flow->block_count - 1;
    }
}

static void join(struct flow *flow, unsigned from, long instruction, unsigned *slot)
{
    if (instruction == MACHINE_NO_NEXT || instruction >= (long)flow->count)
        return;
    *slot = flow->instructions[instruction].block;
    struct flow_block *to = &flow->blocks[*slot];
    ARENA_ADD(&flow->arena, to->before, to->before_count) = from;
}

static void join_blocks(struct flow *flow)
{
    for (unsigned i = 0; i < flow->block_count; i++) {
        struct flow_block *block = &flow->blocks[i];
        const struct machine_instruction *last = flow->instructions[block->end - 1].machine;
        join(flow, i, last->next, &block->next);
        if (last->branch != last->next)
            join(flow, i, last->branch, &block->branch);
    }
}

/* ---- dominators ---- */

/* Numbers the blocks in reverse postorder and returns them in that order; *count: those that are reached. */
static unsigned *order_blocks(struct flow *flow, unsigned *count)
{
    struct flow_block *blocks = flow->blocks;
    unsigned *stack = arena_take(&flow->arena, flow->block_count, sizeof *stack);
    unsigned *order = arena_take(&flow->arena, flow->block_count, sizeof *order);
    unsigned char *step = arena_take(&flow->arena, flow->block_count, 1); /* 1: found, 2 and 3: followed */
    unsigned depth = 1, left = flow->block_count;
    step[0] = 1;
    while (depth > 0) {
        const unsigned block = stack[depth - 1];
        const unsigned to = step[block] == 1 ? blocks[block].next : blocks[block].branch;
        if (step[block] == 3) {
            order[--left] = block;
            depth--;
            continue;
        }
        step[block]++;
        if (to != FLOW_NONE && step[to] == 0) {
            step[to] = 1;
            stack[depth++] = to;
        }
    }
    *count = flow->block_count - left;
    for (unsigned i = 0; i < *count; i++)
        blocks[order[left + i]].order = i;
    return order + left;
}

static unsigned meet(const struct flow_block *blocks, unsigned one, unsigned two, unsigned long *steps)
{
    for (; one != two; ++*steps)
        if (blocks[one].order > blocks[two].order)
            one = blocks[one].dominator;
        else
            two = blocks[two].dominator;
    return one;
}

/* Numbers the tree of dominators: blocks before those that they dominate. */
static void number_tree(struct flow *flow, const unsigned *order, unsigned count)
{
    struct flow_block *blocks = flow->blocks;
    unsigned *sizes = arena_take(&flow->arena, flow->block_count, sizeof *sizes);
    for (unsigned i = count - 1; i > 0; i--)
        sizes[blocks[order[i]].dominator] += ++sizes[order[i]];
    blocks[0].leave = count;
    for (unsigned i = 1; i < count; i++) { /* a block takes the start of what is left of its dominator's range */
        struct flow_block *block = &blocks[order[i]], *above = &blocks[block->dominator];
        block->leave = above->leave - sizes[block->dominator] + sizes[order[i]];
        block->enter = block->leave - sizes[order[i]];
        sizes[block->dominator] -= sizes[order[i]];
        sizes[order[i]]--;
    }
}

/* False if that takes too many steps, as it does only for code that no compiler makes. */
static bool find_dominators(struct flow *flow)
{
    enum { MOST_STEPS = 1000000000 };
    struct flow_block *blocks = flow->blocks;
    unsigned count;
    unsigned long steps = 0;
    const unsigned *order = order_blocks(flow, &count);
    blocks[0].dominator = 0;
    for (bool changed = true; changed && steps < MOST_STEPS;) {
        changed = false;
        for (unsigned i = 1; i < count && steps < MOST_STEPS; i++) {
            struct flow_block *block = &blocks[order[i]];
            unsigned dominator = FLOW_NONE;
            for (unsigned j = 0; j < block->before_count && steps < MOST_STEPS; j++)
                if (blocks[block->before[j]].dominator != FLOW_NONE)
                    dominator =
                        dominator == FLOW_NONE ? block->before[j] : meet(blocks, dominator, block->before[j], &steps);
            changed |= dominator != block->dominator;
            block->dominator = dominator;
            steps += block->before_count;
        }
    }
    if (steps < MOST_STEPS)
        number_tree(flow, order, count);
    return steps < MOST_STEPS;
}

bool flow_dominates(const struct flow *flow, unsigned block, unsigned of)
{
    const struct flow_block *blocks = flow->blocks;
    if (blocks[of].dominator == FLOW_NONE || blocks[block].dominator == FLOW_NONE)
        return false;
    return blocks[block].enter <= blocks[of].enter && blocks[of].leave <= blocks[block].leave;
}

/* ---- loops ---- */

bool flow_loop_has(const struct flow_loop *loop, unsigned block)
{
    return ANY_OF(one, loop->blocks, loop->block_count, *one == block);
}

/* Adds a block to a loop, unless that would make it longer than loops are that wait. */
static bool add_to_loop(struct flow *flow, struct flow_loop *loop, unsigned block, unsigned *instructions)
{
    enum { LONGEST = 64 };
    if (flow_loop_has(loop, block))
        return true;
    *instructions += flow->blocks[block].end - flow->blocks[block].first;
    ARENA_ADD(&flow->arena, loop->blocks, loop->block_count) = block;
    return *instructions <= LONGEST;
}

/* The loop of a jump back to its header: all that reaches the jump without the header. */
static void find_loop(struct flow *flow, unsigned header, unsigned last)
{
    struct flow_loop loop = {0};
    unsigned instructions = 0;
    bool fits = add_to_loop(flow, &loop, header, &instructions) && add_to_loop(flow, &loop, last, &instructions);
    for (unsigned i = 1; fits && i < loop.block_count; i++) {
        const struct flow_block *block = &flow->blocks[loop.blocks[i]];
        for (unsigned j = 0; fits && j < block->before_count; j++)
            fits = add_to_loop(flow, &loop, block->before[j], &instructions);
    }
    if (fits)
        ARENA_ADD(&flow->arena, flow->loops, flow->loop_count) = loop;
}

static void find_loops(struct flow *flow)
{
    for (unsigned i = 0; i < flow->block_count; i++) {
        const struct flow_block *block = &flow->blocks[i];
        if (block->next != FLOW_NONE && flow_dominates(flow, block->next, i))
            find_loop(flow, block->next, i);
        if (block->branch != FLOW_NONE && flow_dominates(flow, block->branch, i))
            find_loop(flow, block->branch, i);
    }
}

/* ---- the whole ---- */

static void define_registers(struct flow *flow)
{
    for (unsigned i = 0; i < flow->count; i++)
        for (unsigned j = 0; j < flow->instructions[i].result_count; j++) {
            struct flow_register *defined = &flow->registers[flow->instructions[i].results[j]];
            ARENA_ADD(&flow->arena, defined->definitions, defined->definition_count) = i;
        }
}

bool flow_read(const struct ptx_module *module, const struct ptx_kernel *kernel, struct flow *flow, const char **reason)
{
    const struct listing *listing = &kernel->listing;
    *flow = (struct flow){.module = module, .kernel = kernel};
    ARENA_ADD(&flow->arena, flow->registers, flow->register_count) = (struct flow_register){.name = ""};
    *reason = kernel->problem                           ? kernel->problem
              : listing->count == 0                     ? "it has no instructions"
              : listing->count > FLOW_MOST_INSTRUCTIONS ? "the kernel has more than 200,000 instructions"
                                                        : NULL;
    if (*reason)
        return false;
    for (size_t i = 0; i < listing->name_count; i++)
        (void)add_register(flow, listing->names[i].scope, listing->names[i].name);
    flow->count = (unsigned)listing->count;
    flow->instructions = arena_take(&flow->arena, listing->count, sizeof *flow->instructions);
    for (size_t i = 0; i < listing->count; i++)
        if (!read_instruction(flow, &listing->instructions[i], &flow->instructions[i])) {
            *reason = "an instruction has more than 64 operands";
            return false;
        }
    define_registers(flow);
    make_blocks(flow);
    join_blocks(flow);
    if (!find_dominators(flow)) {
        *reason = "the jumps of the kernel take too long to follow";
        return false;
    }
    find_loops(flow);
    return true;
}

void flow_release(struct flow *flow)
{
    hash_index_release(&flow->register_index);
    arena_release(&flow->arena);
    *flow = (struct flow){0};
}
