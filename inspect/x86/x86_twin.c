// SPDX-License-Identifier: Apache-2.0
/*
 * Takes lines for a function from its twin. Instructions match if they are the same except for
 * registers, places on the stack and jump targets. The longest common subsequence of both functions
 * is matched first, where an access of shared memory counts as much as ACCESS_WEIGHT other
 * instructions; then moved blocks, run by run, then single accesses between two matches.
 */
#include "inspect/x86/x86_twin.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "inspect/x86/x86_effect.h"

enum { MAXIMUM_CELLS = 1 << 26, MAXIMUM_COUNT = 8000, ACCESS_WEIGHT = 8, LEAST_RUN = 3 };

/* One function in the matching: its instructions without padding, as hashes of their normalised
 * text. */
struct twin_side {
    const struct x86_function *function;
    uint32_t *keys;
    size_t *index;   /* in the function */
    size_t *partner; /* position on the other side, or SIZE_MAX */
    size_t count;
};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A register's class, the same for all registers of a width: "r" and the letter of the width. */
static const char *register_class(const char *word, size_t length)
{
    static const char *const low[] = {"al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl", "ah", "bh", "ch", "dh"};
    static const char *const words[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};
    for (size_t i = 0; i < sizeof low / sizeof *low; i++)
        if (strlen(low[i]) == length && strncmp(word, low[i], length) == 0)
            return "r8";
    if (word[0] == 'r' && length > 1 && isdigit((unsigned char)word[1]))
        return word[length - 1] == 'd'   ? "r32"
               : word[length - 1] == 'w' ? "r16"
               : word[length - 1] == 'b' ? "r8"
                                         : "r64";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (length == 2 && strncmp(word, words[i], 2) == 0)
            return "r16";
        if (length == 3 && strncmp(word + 1, words[i], 2) == 0 && (word[0] == 'e' || word[0] == 'r'))
            return word[0] == 'e' ? "r32" : "r64";
    }
    if (length > 3 && length < 6 && strchr("xyz", word[0]) && word[1] == 'm' && word[2] == 'm')
        return word[0] == 'x' ? "xmm" : word[0] == 'y' ? "ymm" : "zmm";
    return NULL;
}

/* Whether it is an address on the stack or of a constant, whose number is meaningless. */
static bool is_hidden(const char *address, const struct x86_stack *stack)
{
    const size_t length = strcspn(address, "]");
    const char *const registers[] = {"rsp", "rbp", "rip", stack->rbx ? "rbx" : "rsp"};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        const char *found = strstr(address, registers[i]);
        if (found && found < address + length)
            return true;
    }
    return false;
}

static uint32_t hash_byte(uint32_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * 16777619u;
}

/* FNV-1a of the normalised text. */
static uint32_t key_of(const char *text, const struct x86_stack *stack)
{
    uint32_t hash = 2166136261u;
    const bool jumps = text[0] == 'j';
    for (const char *c = text; *c;) {
        if (jumps && *c == ' ')
            break;
        if (*c == '[' && is_hidden(c, stack)) {
            hash = hash_byte(hash, 'S');
            c += strcspn(c, "]");
            continue;
        }
        if (strncmp(c, "+0x0]", 5) == 0) { /* written only for rbp and r13 */
            c += 4;
            continue;
        }
        size_t length = 0;
        while (is_name(c[length]))
            length++;
        const char *class = length > 0 ? register_class(c, length) : NULL;
        for (const char *d = class; d && *d; d++)
            hash = hash_byte(hash, *d);
        for (size_t i = 0; !class && i < (length > 0 ? length : 1); i++)
            hash = hash_byte(hash, c[i]);
        c += length > 0 ? length : 1;
    }
    return hash;
}

static struct twin_side side_of(const struct x86_function *function)
{
    struct twin_side side = {
        .function = function,
        .keys = memory_take(function->count, sizeof *side.keys),
        .index = memory_take(function->count, sizeof *side.index),
        .partner = memory_take(function->count, sizeof *side.partner),
    };
    struct x86_stack stack = {0};
    for (size_t i = 0; i < function->count; i++) {
        const char *text = function->instructions[i].text;
        if (x86_is_padding(text))
            continue;
        side.keys[side.count] = key_of(text, &stack);
        x86_note_stack(text, &stack);
        side.index[side.count] = i;
        side.partner[side.count++] = SIZE_MAX;
    }
    return side;
}

static void side_release(struct twin_side *side)
{
    free(side->keys);
    free(side->index);
    free(side->partner);
}

static void match(struct twin_side *left, struct twin_side *right, size_t i, size_t k)
{
    left->partner[i] = k;
    right->partner[k] = i;
}

static uint16_t weight_of(const struct twin_side *side, size_t i)
{
    return side->function->instructions[side->index[i]].effect == MACHINE_NOTHING ? 1 : ACCESS_WEIGHT;
}

/* Matches the heaviest common subsequence; does nothing if the table would be too large. */
static void match_subsequence(struct twin_side *left, struct twin_side *right)
{
    const size_t width = right->count + 1;
    if (left->count > MAXIMUM_COUNT || right->count > MAXIMUM_COUNT || (left->count + 1) * width > MAXIMUM_CELLS)
        return;
    uint16_t *heaviest = memory_take((left->count + 1) * width, sizeof *heaviest);
    for (size_t i = left->count; i-- > 0;)
        for (size_t k = right->count; k-- > 0;) {
            const uint16_t below = heaviest[(i + 1) * width + k], beside = heaviest[i * width + k + 1];
            const uint16_t both = heaviest[(i + 1) * width + k + 1];
            heaviest[i * width + k] = left->keys[i] == right->keys[k] ? (uint16_t)(both + weight_of(left, i))
                                      : below > beside                ? below
                                                                      : beside;
        }
    for (size_t i = 0, k = 0; i < left->count && k < right->count;) {
        if (left->keys[i] == right->keys[k])
            match(left, right, i++, k++);
        else if (heaviest[(i + 1) * width + k] >= heaviest[i * width + k + 1])
            i++;
        else
            k++;
    }
    free(heaviest);
}

/* The number of instructions from there on that match and are not yet taken. */
static size_t run_length(const struct twin_side *left, const struct twin_side *right, size_t i, size_t k)
{
    size_t length = 0;
    while (i + length < left->count && k + length < right->count && left->partner[i + length] == SIZE_MAX &&
           right->partner[k + length] == SIZE_MAX && left->keys[i + length] == right->keys[k + length])
        length++;
    return length;
}

/* Matches moved blocks: each unmatched instruction takes the longest run that it starts. */
static void match_moved(struct twin_side *left, struct twin_side *right)
{
    for (size_t i = 0; i < left->count; i++) {
        size_t best = 0, at = 0;
        for (size_t k = 0; left->partner[i] == SIZE_MAX && k < right->count; k++) {
            const size_t length = run_length(left, right, i, k);
            if (length > best) {
                best = length;
                at = k;
            }
        }
        for (size_t n = 0; best >= LEAST_RUN && n < best; n++)
            match(left, right, i + n, at + n);
    }
}

/* The places of the nearest matched instructions and of their partners. */
struct gap {
    size_t from, to, partner_from, partner_to;
};

static bool find_gap(const struct twin_side *side, size_t i, struct gap *gap)
{
    for (gap->from = i; gap->from > 0 && side->partner[gap->from] == SIZE_MAX;)
        gap->from--;
    for (gap->to = i; gap->to + 1 < side->count && side->partner[gap->to] == SIZE_MAX;)
        gap->to++;
    gap->partner_from = side->partner[gap->from];
    gap->partner_to = side->partner[gap->to];
    return gap->partner_from != SIZE_MAX && gap->partner_to != SIZE_MAX && gap->partner_from < gap->partner_to;
}

/* The number of unmatched accesses and fences with that key between two places; *first: the first
 * of them. */
static size_t count_between(const struct twin_side *side, size_t from, size_t to, uint32_t key, size_t *first)
{
    size_t count = 0;
    for (size_t i = to; i-- > from;) {
        if (side->partner[i] != SIZE_MAX || side->keys[i] != key ||
            side->function->instructions[side->index[i]].effect == MACHINE_NOTHING)
            continue;
        count++;
        *first = i;
    }
    return count;
}

/* Matches scattered accesses and fences in order, if both functions have equally many with the same
 * key between two matches. */
static void match_scattered(struct twin_side *left, struct twin_side *right)
{
    for (size_t i = 0; i < left->count; i++) {
        struct gap gap;
        size_t first = i, k = 0;
        if (left->partner[i] != SIZE_MAX || !find_gap(left, i, &gap))
            continue;
        const size_t count = count_between(left, gap.from, gap.to, left->keys[i], &first);
        if (count > 0 && first == i &&
            count == count_between(right, gap.partner_from, gap.partner_to, left->keys[i], &k))
            match(left, right, i, k);
    }
}

static void copy_lines(struct machine_instruction *to, const struct machine_instruction *from)
{
    memcpy(to->lines, from->lines, sizeof to->lines);
    to->line_count = from->line_count;
}

void x86_take_lines(struct x86_function *function, const struct x86_function *twin, struct listing *listing)
{
    struct twin_side left = side_of(twin), right = side_of(function);
    match_subsequence(&left, &right);
    match_moved(&left, &right);
    match_scattered(&left, &right);
    for (size_t i = 0; i < left.count; i++) {
        const struct machine_instruction *from = &twin->instructions[left.index[i]];
        if (left.partner[i] != SIZE_MAX)
            copy_lines(&function->instructions[right.index[left.partner[i]]], from);
        else if (from->effect != MACHINE_NOTHING && from->line_count > 0)
            ARENA_ADD(&listing->arena, listing->lost, listing->lost_count) = *from;
    }
    side_release(&left);
    side_release(&right);
}
