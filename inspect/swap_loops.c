// SPDX-License-Identifier: Apache-2.0
/*
 * Finds loops of compare-and-swaps, and judges whether each is one read-modify-write.
 *
 * From each load of a step, and from each compare-and-swap that fails, all paths are followed to the next
 * compare-and-swap, with the copies of what was read. So this may call a loop flawed that is not. It calls a flawed
 * loop right in three cases: it does not check what is computed; a path ends at a store, an update or a barrier, so
 * what the first try expects is not checked beyond these; and a path ends after FAR instructions.
 */
#include "inspect/swap_loops.h"

#include "inspect/paths.h"
#include "litmus/language/order.h"

enum { COPIES_MAXIMUM = 48, COPIES_MAXIMUM_OPERANDS = 6 };

/* What a register has, of the value that was read: its word number COPIES_RESULT, COPIES_RESULT + 1, ...; that of the
 * value which was expected; or something computed from it. */
enum { COPIES_NOTHING = -2, COPIES_COMPUTED = -1, COPIES_RESULT = 0, COPIES_EXPECTED = 16 };

/* Registers in a row: v[2:3], %rd7. count 0: not a register. changed: negated, or without its sign. */
struct register_span {
    uint64_t first; /* its name and its number */
    unsigned count;
    bool changed;
};

/* What an instruction's registers are, its result first. */
struct operand_list {
    struct register_span items[COPIES_MAXIMUM_OPERANDS];
    size_t count;
};

/* The copies of a value at a place of the code. */
struct copies {
    struct {
        uint64_t name;
        int of;
    } items[COPIES_MAXIMUM];
    size_t count;
};

/*
 * Follows a value through the registers of a path, by the text of its instructions.
 *
 * All machines write an instruction's result first. An instruction that only moves whole registers makes a copy; any
 * other result is computed from the value if an operand is. Memory (a stack) is not followed, and an instruction that
 * may write more than its first operand ends all knowledge.
 */

/* The starts of opcodes whose first operand is only read, and of those that write more than it. */
static const char comparisons[] = "s_cmp v_cmpx", clobbers[] = "call v_swap s_swap";

/* ---- text ---- */

static struct register_span copies_registers(const char *text)
{
    struct register_span found = {.count = 1};
    char name[6] = "", *end;
    size_t length = 0;
    text += strspn(text, " \t%!@");
    found.changed = *text == '-' || *text == '|';
    text += found.changed;
    while (isalpha((unsigned char)text[length]) || text[length] == '_')
        length++;
    if (length == 0 || length >= sizeof name)
        return (struct register_span){.count = 0};
    memcpy(name, text, length);
    const bool range = text[length] == '[';
    const unsigned number = (unsigned)strtoul(text + length + range, &end, 10);
    if (range && *end == ':') {
        const unsigned last = (unsigned)strtoul(end + 1, NULL, 10);
        found.count = last >= number && last - number < COPIES_EXPECTED ? last - number + 1 : 0;
    }
    memcpy(&found.first, name, sizeof name - 1);
    found.first = found.first << 24 | number;
    return found;
}

/* The text after a guard, or the next instruction of those that are issued together. */
static const char *copies_opcode(const char *text)
{
    if (*text == '@')
        text += strcspn(text, " \t");
    return text + strspn(text, " \t:");
}

/* The operands of an instruction without a guard; of those that are issued together, of the first. */
static struct operand_list copies_operands(const char *text)
{
    struct operand_list operands = {.count = 0};
    text += strcspn(text, " \t");
    const char *const together = strstr(text, "::");
    while (*text && (!together || text < together) && operands.count < COPIES_MAXIMUM_OPERANDS) {
        operands.items[operands.count++] = copies_registers(text);
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return operands;
}

/* ---- copies ---- */

static size_t find_copy(const struct copies *copies, uint64_t name)
{
    size_t i = 0;
    while (i < copies->count && copies->items[i].name != name)
        i++;
    return i;
}

static int copy_of(const struct copies *copies, uint64_t name)
{
    const size_t i = find_copy(copies, name);
    return i < copies->count ? copies->items[i].of : COPIES_NOTHING;
}

static void set_copy(struct copies *copies, uint64_t name, int of)
{
    const size_t i = find_copy(copies, name);
    if (i == COPIES_MAXIMUM || (i == copies->count && of == COPIES_NOTHING))
        return;
    copies->count += i == copies->count;
    copies->items[i].name = name;
    copies->items[i].of = of;
}

/* Gives the registers the words of a value, from this one. */
static void copies_set(struct copies *copies, const struct register_span *registers, int of)
{
    for (unsigned word = 0; word < registers->count; word++)
        set_copy(copies, registers->first + word, of + (int)word);
}

/* Whether the registers have all words of the value. */
static bool copies_are(const struct copies *copies, const struct register_span *registers, int of)
{
    return !ANY_NUMBER(unsigned, word, 0, registers->count,
                       copy_of(copies, registers->first + word) != of + (int)word) &&
           registers->count > 0 && !registers->changed;
}

/* How many words depend on the value that was read. */
static unsigned copies_computed(const struct copies *copies, const struct register_span *registers)
{
    unsigned count = 0;
    for (unsigned word = 0; word < registers->count; word++) {
        const int of = copy_of(copies, registers->first + word);
        count += of != COPIES_NOTHING && of < COPIES_EXPECTED;
    }
    return count;
}

/* Whether an instruction only moves whole registers. */
static bool moves(const char *text, const struct operand_list *operands)
{
    const char *const move = strstr(text, "mov");
    return move && move < text + strcspn(text, " \t") && !listing_text_starts(move, "mov_b16") &&
           !strstr(text, "_sel:") && operands->count == 2 && !operands->items[1].changed;
}

/* Follows an instruction, or those that are issued together. */
static void copies_pass(const char *text, struct copies *copies)
{
    for (const char *at = copies_opcode(text); at; at = strstr(at, "::") ? copies_opcode(strstr(at, "::")) : NULL)
        if (text_starts_with(clobbers, at))
            copies->count = 0;
        else if (!text_starts_with(comparisons, at)) {
            /* Follows one instruction. Its first operand may be read too. */
            const struct operand_list operands = copies_operands(at);
            /* Two words, the first and the second of these operands. */
            const bool packed =
                listing_text_starts(at, "v_pk_mov_b32") && strstr(at, "op_sel:[0,1]") && operands.count > 2;
            const bool moved = packed || moves(at, &operands);
            const struct copies before = *copies;
            const bool computed = ANY_OF(item, operands.items, operands.count, copies_computed(copies, item) > 0);
            for (unsigned word = 0; word < operands.items[0].count; word++) {
                const struct register_span *from = &operands.items[packed && word < 2 ? 1 + word : operands.count - 1];
                const int of = word < from->count ? copy_of(&before, from->first + word) : COPIES_NOTHING;
                set_copy(copies, operands.items[0].first + word,
                         moved      ? of
                         : computed ? COPIES_COMPUTED
                                    : COPIES_NOTHING);
            }
        }
}

/* ---- loops ---- */

enum {
    NEAR = 64,          /* instructions from a compare-and-swap to the test of its success */
    FAR = 256,          /* instructions of a path from a read to a compare-and-swap */
    ALL_STEPS = 1 << 18 /* of all paths */
};

/* The operands of compare-and-swaps by their opcodes. halves: the value and what is expected are the halves of that
 * operand. returns: words of which the text has one if there is a result. */
static const struct {
    const char *start, *with;
    size_t result, expected, value;
    bool halves;
    const char *returns[3];
} swaps[] = {
    {"global_atomic_cmpswap", "", 0, 2, 2, true, {" glc", " sc0", "RETURN"}},
    {"flat_atomic_cmpswap", "", 0, 2, 2, true, {" glc", " sc0", "RETURN"}},
    {"ds_cmpstore_rtn", "", 0, 3, 2, false, {""}},
    {"ds_cmpst_rtn", "", 0, 2, 3, false, {""}},
    {"atom.", ".cas.", 0, 2, 3, false, {""}},
};

/* ---- compare-and-swaps ---- */

struct swap_operands {
    struct register_span result, expected, value;
};

static bool read_swap(const char *text, struct swap_operands *swap)
{
    const char *const opcode = copies_opcode(text);
    const struct operand_list operands = copies_operands(opcode);
    size_t i = 0;
    while (i < COUNT(swaps) && !(listing_text_starts(opcode, swaps[i].start) && strstr(text, swaps[i].with)))
        i++;
    *swap = (struct swap_operands){.result = {.count = 0}};
    if (i == COUNT(swaps))
        return false;
    bool returns = false;
    for (size_t k = 0; k < 3 && swaps[i].returns[k]; k++)
        returns |= strstr(text, swaps[i].returns[k]) != NULL;
    if (!returns || swaps[i].value >= operands.count || swaps[i].expected >= operands.count)
        return true;
    swap->result = operands.items[swaps[i].result];
    swap->expected = operands.items[swaps[i].expected];
    swap->value = operands.items[swaps[i].value];
    if (swaps[i].halves) {
        swap->value.count /= 2;
        swap->expected.count = swap->value.count;
        swap->expected.first += swap->value.count;
    }
    return true;
}

/* 1: an instruction that compares all bits of the value read with those of the one expected, for equality; 0: for the
 * opposite; -1: none. */
static int compares(const char *text, const struct copies *copies, const struct swap_operands *swap, unsigned bytes)
{
    const struct operand_list operands = copies_operands(text);
    bool result = false, expected = false;
    for (size_t i = 0; i < operands.count; i++) {
        const bool whole = operands.items[i].count == swap->result.count;
        result |= whole && copies_are(copies, &operands.items[i], COPIES_RESULT);
        expected |= whole && copies_are(copies, &operands.items[i], COPIES_EXPECTED);
    }
    for (int equal = 0; equal < 2 && result && expected; equal++) {
        const char *const at = strstr(text, equal ? "eq" : "ne"); /* eq_u32, ne.s64 */
        if (at && at[2] && at[3] && strchr("uisb", at[3]) && strtoul(at + 4, NULL, 10) == 8ul * bytes)
            return equal;
    }
    return -1;
}

/* Makes a branch depend on the success if it depends on this predicate. */
static bool mark_branch(struct machine_instruction *branch, const struct register_span *predicate, bool equal)
{
    const char *const text = branch->text;
    if (predicate->count == 0 || copies_registers(text).first != predicate->first)
        return false;
    branch->predicated = true;
    branch->guard = MACHINE_MASK_SUCCESS;
    branch->guard_value = equal == (text[1] != '!');
    branch->guard_within = 0;
    return true;
}

/* Makes the predicate of a comparison that of the success, in the masks of an AMD GPU. */
static void mark_masks(struct machine_instruction *instruction, bool equal)
{
    for (size_t i = 0; i < 2; i++)
        if (instruction->masks[i].operation == MACHINE_MASK_AND &&
            instruction->masks[i].right == MACHINE_MASK_UNKNOWN) {
            instruction->masks[i].right = MACHINE_MASK_SUCCESS;
            instruction->masks[i].operation = equal ? MACHINE_MASK_AND : MACHINE_MASK_AND_NOT;
        }
}

/* Finds what tests the success, near after the compare-and-swap and before the next one: a branch or, on an AMD GPU,
 * all comparisons, as their masks may be used later. Whether something does. */
static bool mark_test(struct listing *listing, size_t at, const struct swap_operands *swap)
{
    const bool masks = listing->active != 0;
    struct copies copies = {.count = 0};
    struct register_span predicate = {.count = 0};
    int equal = -1;
    bool marked = false;
    copies_set(&copies, &swap->expected, COPIES_EXPECTED);
    copies_set(&copies, &swap->result, COPIES_RESULT);
    long next = listing->instructions[at].next;
    for (unsigned i = 0; i < NEAR && next != MACHINE_NO_NEXT; i++) {
        struct machine_instruction *instruction = &listing->instructions[next];
        const char *const text = copies_opcode(instruction->text);
        const struct register_span written = copies_operands(text).items[0];
        if (instruction->effect == MACHINE_UPDATE)
            break;
        if (instruction->branch != MACHINE_NO_NEXT)
            return marked || (equal >= 0 && mark_branch(instruction, &predicate, equal > 0));
        if (equal >= 0 && !masks && written.first == predicate.first)
            return false;
        if (equal < 0 || masks) {
            equal = compares(text, &copies, swap, listing->instructions[at].bytes);
            predicate = written;
        }
        if (equal >= 0 && masks) {
            mark_masks(instruction, equal > 0);
            marked = true;
        }
        copies_pass(instruction->text, &copies);
        next = instruction->next;
    }
    return marked;
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

static bool may_do(const struct machine_instruction *instruction, const struct kernel_step *step)
{
    const struct litmus_access *access = step->access;
    return instruction->swaps && access && access->operation > LITMUS_STORE &&
           (!operation_compares(access->operation) || instruction->bytes > litmus_type_size(access->type));
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
    const struct litmus_access *access;
    bool is_part; /* of the word: the rest is stored as it was read */
    bool reaches;
    unsigned steps;
    const char *flaw;
    bool has_head; /* after a failure, a path jumps back: where to, and the copies there */
    struct path_state head;
    struct copies at_head;
};

/* Whether what is stored may be the operation's result, as far as its words depend on what was read. */
static bool may_store(const struct walk *walk, const struct copies *copies)
{
    const enum litmus_operation operation = walk->access->operation;
    const struct litmus_expression *operand = walk->access->operand;
    const struct register_span *value = &walk->operands.value;
    const unsigned computed = copies_computed(copies, value);
    const bool same = copies_are(copies, value, COPIES_RESULT);
    if (operation == LITMUS_EXCHANGE)
        return !same && (computed > 0 || !walk->is_part);
    if (operation != LITMUS_FETCH_ADD && operation != LITMUS_FETCH_SUB && operation != LITMUS_FETCH_XOR)
        return computed > 0;
    return computed == value->count && computed > 0 &&
           !(same && operand->kind == LITMUS_EXPRESSION_CONSTANT && operand->value != 0);
}

static void swap_loops_follow(struct walk *walk, struct path_state state, struct copies copies, unsigned length);

/* Follows the paths after an instruction, on which the predicates are those of the state. */
static void follow_next(struct walk *walk, const struct path_state *state, const struct copies *copies, unsigned length)
{
    struct path_state next[2];
    const size_t count = path_next(&walk->listing->instructions[state->at], state, next);
    for (size_t i = 0; i < count; i++) {
        if (!walk->has_head && next[i].at <= walk->swap && walk->swap <= state->at) {
            walk->has_head = true;
            walk->head = next[i];
            walk->at_head = *copies;
        }
        swap_loops_follow(walk, next[i], *copies, length);
    }
}

/* Follows the paths from an instruction to the compare-and-swap, and no further than to the next read. */
static void swap_loops_follow(struct walk *walk, struct path_state state, struct copies copies, unsigned length)
{
    const struct machine_instruction *instruction = &walk->listing->instructions[state.at];
    const uint64_t active = path_bit(walk->listing->active);
    const bool takes_part = !(state.known & active) || (state.values & active);
    struct path_state other;
    if (length == FAR || walk->steps++ == ALL_STEPS || walk->flaw || walk->reads[state.at])
        return;
    if (state.at == walk->swap) {
        const struct register_span *expected = &walk->operands.expected;
        walk->reaches = true;
        if (takes_part && !(walk->is_part && operation_compares(walk->access->operation)
                                ? copies_computed(&copies, expected) > 0
                                : copies_are(&copies, expected, COPIES_RESULT)))
            walk->flaw = "the expected value may not be the value read last";
        else if (takes_part && !may_store(walk, &copies))
            walk->flaw = "the stored value may not be computed from the value read last";
        return;
    }
    if (instruction->effect == MACHINE_STORE || instruction->effect == MACHINE_UPDATE ||
        instruction->effect == MACHINE_BARRIER)
        return;
    if (takes_part)
        copies_pass(instruction->text, &copies);
    if (path_change(walk->listing, instruction, &state, &other))
        follow_next(walk, &other, &copies, length + 1);
    follow_next(walk, &state, &copies, length + 1);
}

/* Follows what an instruction has read: a load, or the compare-and-swap when it fails. */
static void follow_read(struct walk *walk, size_t at)
{
    const bool swap = at == walk->swap;
    const struct operand_list operands = copies_operands(copies_opcode(walk->listing->instructions[at].text));
    struct path_state state = {.at = at};
    struct copies copies = {.count = 0};
    copies_set(&copies, swap ? &walk->operands.result : &operands.items[0], COPIES_RESULT);
    path_set(&state, walk->listing->active, 1);
    path_set(&state, MACHINE_MASK_SUCCESS, swap ? 0 : -1);
    walk->reaches = false;
    follow_next(walk, &state, &copies, 0);
}

/* Whether the first try, too, stores what is computed from what it expects: the instructions of the loop make both of
 * one value that it begins with. Then that may be any, as the compare-and-swap fails if it is another. */
static bool begins_with_any(struct walk *walk)
{
    bool begins = false;
    for (size_t i = 0; walk->has_head && i < walk->at_head.count && !begins; i++) {
        const struct register_span first = {.first = walk->at_head.items[i].name,
                                            .count = walk->operands.expected.count};
        struct copies copies = {.count = 0};
        if (!copies_are(&walk->at_head, &first, COPIES_RESULT))
            continue;
        copies_set(&copies, &first, COPIES_RESULT);
        walk->reaches = false;
        swap_loops_follow(walk, walk->head, copies, 0);
        begins = walk->reaches && !walk->flaw;
        walk->flaw = NULL;
    }
    return begins;
}

const char *swap_loops_flaw(const struct listing *listing, const struct action *action, const bool *reads,
                            const struct kernel_step *step)
{
    const struct machine_instruction *swap = &listing->instructions[action->instruction];
    struct walk walk = {.listing = listing,
                        .reads = reads,
                        .swap = action->instruction,
                        .access = step->access,
                        .is_part = swap->bytes > litmus_type_size(step->access->type)};
    bool has_read = false;
    if (!swap->tested || !read_swap(swap->text, &walk.operands))
        return "its success is not tested";
    if (!action->repeats || (action->gives_up && !operation_compares(step->access->operation)))
        return "the code may continue after a failure";
    for (size_t i = 0; i < listing->count; i++)
        if (reads[i] || i == walk.swap) {
            follow_read(&walk, i);
            has_read |= reads[i] && walk.reaches;
        }
    return walk.flaw ? walk.flaw : has_read || begins_with_any(&walk) ? NULL : "no value is read before it";
}
