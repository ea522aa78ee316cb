// SPDX-License-Identifier: Apache-2.0
/*
 * Follows a value through the registers of a path, by the text of its instructions.
 *
 * All machines write an instruction's result first. An instruction that only moves whole registers makes a
 * copy; any other result is computed from the value if an operand is. Memory (a stack) is not followed, and
 * an instruction that may write more than its first operand ends all knowledge.
 */
#include "inspect/copies.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/listing.h"

/* The starts of opcodes whose first operand is only read, and of those that write more than it. */
static const char *const comparisons[] = {"cmp", "test", "comis", "ucomis", "vcomis", "vucomis", "s_cmp", "v_cmpx"};
static const char *const clobbers[] = {"mul",  "imul", "div",  "idiv", "cdq",   "cqo",    "cwd",   "cbw",
                                       "lods", "call", "xchg", "xadd", "cpuid", "v_swap", "s_swap"};

/* ---- text ---- */

static bool starts_with_any(const char *text, const char *const *starts, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found |= listing_text_starts(text, starts[i]);
    return found;
}

/* eax, rax, al and ah change the same register. */
struct register_span copies_registers(const char *text)
{
    struct register_span found = {.count = 1};
    char name[6] = "", *end;
    size_t length = 0;
    text += strspn(text, " \t%!@");
    found.changed = *text == '-' || *text == '|';
    text += found.changed;
    while (isalpha((unsigned char)text[length]) || text[length] == '_')
        length++;
    if (length == 0 || length >= sizeof name || listing_text_starts(text + length, " PTR"))
        return (struct register_span){.count = 0};
    const bool wide = length == 3 && (text[0] == 'e' || text[0] == 'r');
    memcpy(name, text + wide, length - wide);
    if (length == 2 && strchr("abcd", name[0]) && strchr("lh", name[1]))
        name[1] = 'x';
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

const char *copies_opcode(const char *text)
{
    if (*text == '@')
        text += strcspn(text, " \t");
    return text + strspn(text, " \t:");
}

struct operand_list copies_operands(const char *text)
{
    struct operand_list operands = {.count = 0};
    text += listing_text_starts(text, "lock ") ? 5 : 0;
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

void copies_set(struct copies *copies, const struct register_span *registers, int of)
{
    for (unsigned word = 0; word < registers->count; word++)
        set_copy(copies, registers->first + word, of + (int)word);
}

bool copies_are(const struct copies *copies, const struct register_span *registers, int of)
{
    for (unsigned word = 0; word < registers->count; word++)
        if (copy_of(copies, registers->first + word) != of + (int)word)
            return false;
    return registers->count > 0 && !registers->changed;
}

unsigned copies_computed(const struct copies *copies, const struct register_span *registers)
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
    return move && move < text + strcspn(text, " \t") && !strchr("szc", move[3]) &&
           !listing_text_starts(text, "cmov") && !listing_text_starts(move, "mov_b16") && !strstr(text, "_sel:") &&
           operands->count == 2 && !operands->items[1].changed;
}

/* Follows one instruction. Its first operand may be read too. */
static void pass_one(const char *text, struct copies *copies)
{
    const struct operand_list operands = copies_operands(text);
    /* Two words, the first and the second of these operands. */
    const bool packed = listing_text_starts(text, "v_pk_mov_b32") && strstr(text, "op_sel:[0,1]") && operands.count > 2;
    const bool moved = packed || moves(text, &operands);
    const struct copies before = *copies;
    bool computed = false;
    for (size_t i = 0; i < operands.count; i++)
        computed |= copies_computed(copies, &operands.items[i]) > 0;
    for (unsigned word = 0; word < operands.items[0].count; word++) {
        const struct register_span *from = &operands.items[packed && word < 2 ? 1 + word : operands.count - 1];
        const int of = word < from->count ? copy_of(&before, from->first + word) : COPIES_NOTHING;
        set_copy(copies, operands.items[0].first + word, moved ? of : computed ? COPIES_COMPUTED : COPIES_NOTHING);
    }
}

void copies_pass(const char *text, struct copies *copies)
{
    for (const char *at = copies_opcode(text); at; at = strstr(at, "::") ? copies_opcode(strstr(at, "::")) : NULL)
        if (starts_with_any(at, clobbers, sizeof clobbers / sizeof *clobbers))
            copies->count = 0;
        else if (!starts_with_any(at, comparisons, sizeof comparisons / sizeof *comparisons))
            pass_one(at, copies);
}
