// SPDX-License-Identifier: Apache-2.0
/*
 * Follows the value that a compare-and-swap or a load has read through the registers of a loop.
 *
 * All machines of the table write an instruction's result first. A register has a copy of the value, is
 * computed from it, or neither; memory (a stack) is not followed. So this may call a loop flawed that is
 * not, but not the other way round, except that it does not check what is computed.
 */
#include "runner/inspect/swap_loops.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runner/inspect/path_state.h"

enum {
    NO_OPERAND = -1,
    MAXIMUM_OPERANDS = 6,
    MAXIMUM_COPIES = 48,
    NEAR = 64,          /* instructions from a compare-and-swap to the test of its success */
    FAR = 256,          /* instructions of a path from a read to a compare-and-swap */
    ALL_STEPS = 1 << 18 /* of all paths */
};

/* What a register has, of the value that was read: its word number RESULT, RESULT + 1, ...; that of
 * the value which was expected; or something computed from it. */
enum { NOTHING = -2, COMPUTED = -1, RESULT = 0, EXPECTED = 16 };

/* Registers in a row: v[2:3] is "v", 2, 2; %rd7 is "rd", 7, 1. count 0: not a register. */
struct register_span {
    char name[8];
    unsigned first, count;
};

struct operand_list {
    struct register_span items[MAXIMUM_OPERANDS];
    size_t count;
};

/* The copies of a value at a place of the code. */
struct copies {
    struct {
        char name[8];
        unsigned number;
        int of;
    } items[MAXIMUM_COPIES];
    size_t count;
};

/* The operands of compare-and-swaps by their opcodes. halves: the value and what is expected are the
 * halves of that operand. returns: words of which the text has one if there is a result. */
static const struct {
    const char *start, *with;
    int result, expected, value;
    bool halves;
    const char *returns[3];
} opcodes[] = {
    {"global_atomic_cmpswap", "", 0, 2, 2, true, {" glc", " sc0", "RETURN"}},
    {"flat_atomic_cmpswap", "", 0, 2, 2, true, {" glc", " sc0", "RETURN"}},
    {"ds_cmpstore_rtn", "", 0, 3, 2, false, {""}},
    {"ds_cmpst_rtn", "", 0, 2, 3, false, {""}},
    {"lock cmpxchg", "", NO_OPERAND, NO_OPERAND, 1, false, {""}}, /* the accumulator, and the zero flag */
    {"cmpxchg", "", NO_OPERAND, NO_OPERAND, 1, false, {""}},
    {"atom.", ".cas.", 0, 2, 3, false, {""}},
};

/* ---- text ---- */

static struct register_span read_registers(const char *text)
{
    struct register_span found = {.count = 1};
    size_t length = 0;
    text += strspn(text, " \t%!-|@");
    while (isalpha((unsigned char)text[length]) || text[length] == '_')
        length++;
    if (length == 0 || length >= sizeof found.name)
        return (struct register_span){.count = 0};
    const bool wide = length == 3 && (text[0] == 'e' || text[0] == 'r'); /* eax, rax: the same register */
    memcpy(found.name, text + wide, length - wide);
    text += length;
    const bool range = *text == '[';
    char *end;
    found.first = (unsigned)strtoul(text + range, &end, 10);
    if (range && *end == ':') {
        const unsigned last = (unsigned)strtoul(end + 1, NULL, 10);
        found.count = last >= found.first && last - found.first < EXPECTED ? last - found.first + 1 : 0;
    }
    return found;
}

/* The text after a guard, or the next instruction of those that are issued together. */
static const char *opcode_of(const char *text)
{
    if (*text == '@')
        text += strcspn(text, " \t");
    return text + strspn(text, " \t:");
}

static struct operand_list read_operands(const char *text)
{
    struct operand_list operands = {.count = 0};
    if (strncmp(text, "lock ", 5) == 0)
        text += 5;
    text += strcspn(text, " \t");
    const char *const together = strstr(text, "::");
    while (*text && (!together || text < together) && operands.count < MAXIMUM_OPERANDS) {
        operands.items[operands.count++] = read_registers(text);
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return operands;
}

/* ---- copies ---- */

static int copy_of(const struct copies *copies, const struct register_span *registers, unsigned word)
{
    for (size_t i = 0; i < copies->count; i++)
        if (copies->items[i].number == registers->first + word && strcmp(copies->items[i].name, registers->name) == 0)
            return copies->items[i].of;
    return NOTHING;
}

static void set_copy(struct copies *copies, const struct register_span *registers, unsigned word, int of)
{
    size_t i = 0;
    while (i < copies->count &&
           (copies->items[i].number != registers->first + word || strcmp(copies->items[i].name, registers->name) != 0))
        i++;
    if (i == MAXIMUM_COPIES || (i == copies->count && of == NOTHING))
        return;
    copies->count += i == copies->count;
    memcpy(copies->items[i].name, registers->name, sizeof registers->name);
    copies->items[i].number = registers->first + word;
    copies->items[i].of = of;
}

static void set_copies(struct copies *copies, const struct register_span *registers, int of)
{
    for (unsigned word = 0; word < registers->count; word++)
        set_copy(copies, registers, word, of < 0 ? of : of + (int)word);
}

/* Whether the registers have all words of the value. */
static bool are_copies(const struct copies *copies, const struct register_span *registers, int of)
{
    for (unsigned word = 0; word < registers->count; word++)
        if (copy_of(copies, registers, word) != of + (int)word)
            return false;
    return registers->count > 0;
}

static bool are_computed(const struct copies *copies, const struct register_span *registers)
{
    for (unsigned word = 0; word < registers->count; word++) {
        const int of = copy_of(copies, registers, word);
        if (of != NOTHING && of < EXPECTED)
            return true;
    }
    return false;
}

static bool are_read(const struct copies *copies, const struct register_span *registers)
{
    return are_copies(copies, registers, RESULT);
}

/* The starts of opcodes whose first operand is only read. */
static const char *const comparisons[] = {"cmp", "test", "comis", "ucomis", "vcomis", "vucomis", "s_cmp", "v_cmpx"};

static bool writes_nothing(const char *opcode)
{
    bool found = false;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        found |= strncmp(opcode, comparisons[i], strlen(comparisons[i])) == 0;
    return found;
}

/* Follows an instruction. Its first operand may be read too. */
static void pass(const char *text, struct copies *copies)
{
    for (const char *at = opcode_of(text); at; at = strstr(at, "::") ? opcode_of(strstr(at, "::")) : NULL) {
        const struct operand_list operands = read_operands(at);
        const size_t opcode = strcspn(at, " \t");
        const char *const move = strncmp(at, "cmov", 4) == 0 ? NULL : strstr(at, "mov");
        /* Two words, the first and the second of these operands. */
        const bool packed = strncmp(at, "v_pk_mov_b32", 12) == 0 && strstr(at, "op_sel:[0,1]") && operands.count > 2;
        bool computed = false;
        if (operands.count == 0 || writes_nothing(at))
            continue;
        for (size_t i = 0; i < operands.count; i++)
            computed |= are_computed(copies, &operands.items[i]);
        const bool moves = packed || (move && move < at + opcode && operands.count == 2);
        const struct copies before = *copies;
        for (unsigned word = 0; word < operands.items[0].count; word++) {
            const struct register_span *from = &operands.items[packed && word < 2 ? 1 + word : operands.count - 1];
            const int moved = word < from->count ? copy_of(&before, from, word) : NOTHING;
            set_copy(copies, &operands.items[0], word, moves ? moved : computed ? COMPUTED : NOTHING);
        }
    }
}

/* ---- compare-and-swaps ---- */

struct swap_operands {
    struct register_span result, expected, value;
};

static bool read_swap(const char *text, struct swap_operands *swap)
{
    static const struct register_span accumulator = {"ax", 0, 1};
    const struct operand_list operands = read_operands(opcode_of(text));
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
        bool returns = false;
        for (size_t k = 0; k < 3 && opcodes[i].returns[k]; k++)
            returns |= strstr(text, opcodes[i].returns[k]) != NULL;
        if (strncmp(opcode_of(text), opcodes[i].start, strlen(opcodes[i].start)) != 0 || !strstr(text, opcodes[i].with))
            continue;
        *swap = (struct swap_operands){.result = {.count = 0}};
        if (!returns || opcodes[i].value >= (int)operands.count || opcodes[i].expected >= (int)operands.count)
            return true;
        swap->result = opcodes[i].result < 0 ? accumulator : operands.items[opcodes[i].result];
        swap->expected = opcodes[i].expected < 0 ? accumulator : operands.items[opcodes[i].expected];
        swap->value = operands.items[opcodes[i].value];
        if (opcodes[i].halves) {
            swap->value.count /= 2;
            swap->expected.count = swap->value.count;
            swap->expected.first += swap->value.count;
        }
        return true;
    }
    return false;
}

/* Makes the branch that depends on a comparison's predicate depend on the success. */
static void mark_branch(struct machine_instruction *branch, bool if_true)
{
    branch->predicated = true;
    branch->guard = MACHINE_MASK_SUCCESS;
    branch->guard_value = if_true;
    branch->guard_within = 0;
}

/* 1: an instruction that compares the value read with the one expected, by its bits, for equality; 0: for
 * the opposite; -1: none. */
static int compares(const char *text, const struct operand_list *operands, const struct copies *copies)
{
    bool result = false, expected = false;
    const size_t opcode = strcspn(text, " \t");
    for (size_t i = 0; i < operands->count; i++) {
        result |= are_copies(copies, &operands->items[i], RESULT);
        expected |= are_copies(copies, &operands->items[i], EXPECTED);
    }
    const char *const equal = strstr(text, "eq"), *const other = strstr(text, "ne"), *const real = strstr(text, "f");
    const bool of_bits = !real || real >= text + opcode;
    if (!result || !expected || !of_bits)
        return -1;
    return equal && equal < text + opcode ? 1 : other && other < text + opcode ? 0 : -1;
}

/* Makes the predicate of a comparison that of the success: of AMD GPUs in the masks, of PTX in the branch that
 * follows. */
static bool mark_comparison(struct listing *listing, size_t at, bool equal)
{
    struct machine_instruction *instruction = &listing->instructions[at];
    for (size_t i = 0; i < 2; i++)
        if (instruction->masks[i].operation == MACHINE_MASK_AND &&
            instruction->masks[i].right == MACHINE_MASK_UNKNOWN) {
            instruction->masks[i].right = MACHINE_MASK_SUCCESS;
            instruction->masks[i].operation = equal ? MACHINE_MASK_AND : MACHINE_MASK_AND_NOT;
        }
    if (listing->active != 0)
        return true;
    const struct operand_list written = read_operands(opcode_of(instruction->text));
    for (long i = instruction->next; i != MACHINE_NO_NEXT; i = listing->instructions[i].next) {
        struct machine_instruction *branch = &listing->instructions[i];
        const struct register_span guard = read_registers(branch->text);
        if (branch->branch == MACHINE_NO_NEXT)
            continue;
        if (strcmp(guard.name, written.items[0].name) != 0 || guard.first != written.items[0].first)
            return false;
        mark_branch(branch, equal == (branch->text[1] != '!'));
        return true;
    }
    return false;
}

/* Finds what tests the success, near after the compare-and-swap. Whether something does. */
static bool mark_test(struct listing *listing, size_t at, const struct swap_operands *swap)
{
    struct copies copies = {.count = 0};
    set_copies(&copies, &swap->expected, EXPECTED);
    set_copies(&copies, &swap->result, RESULT);
    long next = listing->instructions[at].next;
    for (unsigned i = 0; i < NEAR && next != MACHINE_NO_NEXT; i++) {
        struct machine_instruction *instruction = &listing->instructions[next];
        const char *const text = opcode_of(instruction->text);
        const bool flags = strstr(listing->instructions[at].text, "cmpxchg") != NULL;
        const struct operand_list operands = read_operands(text);
        const int equal = flags ? -1 : compares(text, &operands, &copies);
        if (equal >= 0)
            return mark_comparison(listing, (size_t)next, equal);
        if (flags && instruction->branch != MACHINE_NO_NEXT) {
            mark_branch(instruction, strncmp(text, "je", 2) == 0);
            return strncmp(text, "je", 2) == 0 || strncmp(text, "jne", 3) == 0;
        }
        if (instruction->branch != MACHINE_NO_NEXT || (flags && strncmp(text, "mov", 3) != 0))
            return false;
        pass(instruction->text, &copies);
        next = instruction->next;
    }
    return false;
}

void swap_loops_mark(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++) {
        struct machine_instruction *instruction = &listing->instructions[i];
        struct swap_operands swap;
        instruction->swaps = instruction->effect == MACHINE_UPDATE && read_swap(instruction->text, &swap);
        instruction->tested = instruction->swaps && swap.result.count > 0 && mark_test(listing, i, &swap);
        if (instruction->tested)
            instruction->writes |= (uint64_t)1 << (MACHINE_MASK_SUCCESS - 1);
    }
}

static bool is_compare(const struct litmus_access *access)
{
    return access->operation == LITMUS_CAS || access->operation == LITMUS_CAS_WEAK;
}

static bool may_do(const struct machine_instruction *instruction, const struct kernel_step *step)
{
    const struct litmus_access *access = step->access;
    return instruction->swaps && access && access->operation > LITMUS_STORE &&
           (!is_compare(access) || instruction->bytes > litmus_type_size(access->type));
}

bool swap_loops_do(const struct inspect_subject *subject, unsigned step)
{
    bool in_helper, found = false;
    for (size_t i = 0; subject->kernel->steps[step].access && i < subject->listing->count; i++)
        found |=
            may_do(&subject->listing->instructions[i], &subject->kernel->steps[step]) &&
            thread_line(subject, &subject->listing->instructions[i], &in_helper) == subject->kernel->steps[step].line;
    return found;
}

/* ---- what a compare-and-swap expects and stores ---- */

/* Paths from a read to the compare-and-swap. */
struct walk {
    const struct listing *listing;
    const bool *reads;
    size_t swap;
    struct swap_operands operands;
    bool exchanges; /* what is stored does not depend on what was read */
    bool is_part;   /* of what is compared: the rest is only what was read */
    unsigned steps;
    const char *flaw;
};

static void follow(struct walk *walk, struct path_state state, struct copies copies, unsigned length);

/* Follows the paths after an instruction, on which the predicates are those of the state. */
static void follow_next(struct walk *walk, struct path_state state, const struct copies *copies, unsigned length)
{
    const struct machine_instruction *instruction = &walk->listing->instructions[state.at];
    const bool tells = instruction->predicated && path_guard_tells(instruction, &state);
    struct path_state jump = state;
    jump.at = (size_t)instruction->branch;
    if (instruction->branch != MACHINE_NO_NEXT &&
        (!tells || path_assume(&jump, instruction->guard, instruction->guard_value)))
        follow(walk, jump, *copies, length);
    if (instruction->branch != MACHINE_NO_NEXT && tells &&
        !path_assume(&state, instruction->guard, !instruction->guard_value))
        return;
    state.at = (size_t)instruction->next;
    if (instruction->next != MACHINE_NO_NEXT)
        follow(walk, state, *copies, length);
}

/* Follows the paths from an instruction to the compare-and-swap, and no further than to the next read. */
static void follow(struct walk *walk, struct path_state state, struct copies copies, unsigned length)
{
    const struct machine_instruction *instruction = &walk->listing->instructions[state.at];
    const uint64_t active = path_bit(walk->listing->active);
    const bool takes_part = !(state.known & active) || (state.values & active);
    struct path_state other;
    if (length == FAR || walk->steps++ == ALL_STEPS || walk->flaw)
        return;
    if (state.at == walk->swap) {
        if (takes_part && !(walk->is_part ? are_computed : are_read)(&copies, &walk->operands.expected))
            walk->flaw = "what it expects may not be what was read last";
        else if (takes_part && !walk->exchanges && !are_computed(&copies, &walk->operands.value))
            walk->flaw = "what it stores may not be computed from what was read last";
        return;
    }
    if (walk->reads[state.at] || instruction->effect == MACHINE_STORE || instruction->effect == MACHINE_UPDATE ||
        instruction->effect == MACHINE_BARRIER)
        return;
    if (takes_part)
        pass(instruction->text, &copies);
    if (path_change(walk->listing, instruction, &state, &other))
        follow_next(walk, other, &copies, length + 1);
    follow_next(walk, state, &copies, length + 1);
}

/* Follows what an instruction has read: a load, or the compare-and-swap when it fails. */
static void follow_read(struct walk *walk, size_t at)
{
    const bool swap = at == walk->swap;
    const struct operand_list operands = read_operands(opcode_of(walk->listing->instructions[at].text));
    struct path_state state = {.at = at};
    struct copies copies = {.count = 0};
    set_copies(&copies, swap ? &walk->operands.result : &operands.items[0], RESULT);
    path_set(&state, walk->listing->active, 1);
    path_set(&state, MACHINE_MASK_SUCCESS, swap ? 0 : -1);
    follow_next(walk, state, &copies, 0);
}

const char *swap_loops_flaw(const struct listing *listing, const struct action *action, const bool *reads,
                            const struct kernel_step *step)
{
    const struct machine_instruction *swap = &listing->instructions[action->instruction];
    struct walk walk = {.listing = listing,
                        .reads = reads,
                        .swap = action->instruction,
                        .exchanges = step->access->operation == LITMUS_EXCHANGE,
                        .is_part = is_compare(step->access)};
    bool has_read = false;
    if (!swap->tested || !read_swap(swap->text, &walk.operands))
        return "nothing tests whether it succeeded";
    if (!action->repeats || (action->gives_up && !walk.is_part))
        return "the code may go on after it has failed";
    for (size_t i = 0; i < listing->count; i++) {
        has_read |= reads[i];
        if (reads[i] || i == walk.swap)
            follow_read(&walk, i);
    }
    return walk.flaw ? walk.flaw : has_read ? NULL : "nothing is read before it";
}
