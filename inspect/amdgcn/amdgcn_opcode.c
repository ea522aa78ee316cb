// SPDX-License-Identifier: Apache-2.0
/* Opcodes of AMD GPUs, gfx6 to gfx12. Sources: AMD's instruction set documents for each generation; AMDGPUUsage,
 * "Memory Model", for counters and cache instructions; and LLVM's names, which changed with gfx11 (global_load_dword
 * became global_load_b32, ds_read_b32 became ds_load_b32). */
#include "inspect/amdgcn/amdgcn_opcode.h"
#include "inspect/amdgcn/amdgcn_opcode_lists.h"

#include "litmus/language/words.h"

static bool contains(const char *text, size_t length, const char *part)
{
    const size_t size = strlen(part);
    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(text + i, part, size) == 0)
            return true;
    return false;
}

/* ---- sizes ---- */

/* Endings of the names of loads and stores. Longer ones first. */
static const struct {
    const char *end;
    unsigned bytes;
} sizes[] = {
    {"_dwordx4", 16}, {"_dwordx3", 12}, {"_dwordx2", 8}, {"_dword", 4}, {"_ubyte", 1}, {"_sbyte", 1}, {"_byte", 1},
    {"_ushort", 2},   {"_sshort", 2},   {"_short", 2},   {"_b128", 16}, {"_b96", 12},  {"_b64", 8},   {"_b32", 4},
    {"_b16", 2},      {"_b8", 1},       {"_u8", 1},      {"_i8", 1},    {"_u16", 2},   {"_i16", 2},
};

static bool ends_with(const char *name, size_t length, const char *end)
{
    const size_t size = strlen(end);
    return length >= size && memcmp(name + length - size, end, size) == 0;
}

static size_t without_end(const char *name, size_t length, const char *end)
{
    return ends_with(name, length, end) ? length - strlen(end) : length;
}

/* Of a load or a store: "global_load_ubyte_d16_hi", "ds_read2st64_b64". */
static void read_size(const char *name, size_t length, struct amdgcn_instruction *instruction)
{
    length = without_end(name, length, "_hi");
    length = without_end(name, length, "_d16");
    length = without_end(name, length, "_st64");
    if (contains(name, length, "_d16_"))
        instruction->bytes = ends_with(name, length, "8") ? 1 : 2;
    for (size_t i = 0; i < COUNT(sizes) && instruction->bytes == 0; i++)
        if (ends_with(name, length, sizes[i].end))
            instruction->bytes = sizes[i].bytes;
    const bool twice = contains(name, length, "read2") || contains(name, length, "write2") ||
                       contains(name, length, "load_2addr") || contains(name, length, "store_2addr");
    if (twice) {
        instruction->bytes *= 2;
        instruction->lanes = 2;
    }
}

/* Of an update. Before gfx11, a name without a type has 32 bits, and one that ends in _x2 has 64. */
static unsigned size_of_update(const char *name, size_t length)
{
    return ends_with(name, length, "_x2") || ends_with(name, length, "64") ? 8 : 4;
}

/* ---- modifiers ---- */

static const struct word modifiers[] = {AMDGCN_MODIFIER_LIST(ROW_OF){NULL, 0}};

static void read_modifiers(const char *text, struct amdgcn_instruction *instruction)
{
    while (*text) {
        text += strspn(text, " \t,");
        const size_t length = strcspn(text, " \t,");
        const int bits = word_value(modifiers, text, length);
        instruction->modifiers |= bits == LITMUS_NONE ? 0 : (unsigned)bits;
        instruction->to_local |= text_has_word("lds", text, length);
        instruction->returns |= listing_text_starts(text, "th:") && contains(text, length, "_RETURN");
        text += length;
    }
}

/* ---- vector memory and local memory ---- */

/* "global_", "flat_", "buffer_", "scratch_" and their rests. */
static void read_vector(const char *text, size_t length, const char *rest, const struct amdgcn_generation *generation,
                        struct amdgcn_instruction *instruction)
{
    const size_t left = length - (size_t)(rest - text);
    /* Whether a buffer_ instruction accesses the stack: its resource is the one that the compiler keeps for that, in
     * registers 0 to 3, or after a copy any other, with an offset from the stack pointer or from none. On gfx6 and
     * later, accesses of global memory by buffer_ have addr64. */
    const bool stack =
        listing_text_starts(text, "scratch_") || (listing_text_starts(text, "buffer_") && !strstr(text, "addr64"));
    instruction->is_flat = listing_text_starts(text, "flat_");
    read_modifiers(text + length, instruction);
    if (listing_text_starts(rest, "load"))
        instruction->effect = MACHINE_LOAD;
    else if (listing_text_starts(rest, "store"))
        instruction->effect = MACHINE_STORE;
    else if (listing_text_starts(rest, "atomic"))
        instruction->effect = MACHINE_UPDATE;
    else
        return;
    if (instruction->effect == MACHINE_UPDATE) {
        instruction->bytes = size_of_update(rest, left);
        instruction->returns |= (instruction->modifiers & (AMDGCN_GLC | AMDGCN_SC0)) != 0;
    } else {
        read_size(rest, left, instruction);
    }
    const bool stores =
        instruction->effect == MACHINE_STORE || (instruction->effect == MACHINE_UPDATE && !instruction->returns);
    instruction->counters |= 1u << (generation->counts_stores && stores ? AMDGCN_STORES : AMDGCN_VECTOR);
    if (instruction->is_flat)
        instruction->counters |= 1u << AMDGCN_LOCAL;
    if (stack) {
        instruction->effect = MACHINE_NOTHING;
        instruction->bytes = 0;
        instruction->lanes = 1;
    }
}

/* Instructions of "ds_" that do not access memory. */
static const char local_others[] = "swizzle permute bpermute nop gws_ ordered_count";

static void read_local(const char *text, size_t length, struct amdgcn_instruction *instruction)
{
    const char *rest = text + strlen("ds_");
    const size_t left = length - strlen("ds_");
    instruction->counters = 1u << AMDGCN_LOCAL;
    if (text_starts_with(local_others, rest))
        return;
    instruction->region = LITMUS_LOCAL;
    if (listing_text_starts(rest, "read") || listing_text_starts(rest, "load"))
        instruction->effect = MACHINE_LOAD;
    else if (listing_text_starts(rest, "write") ||
             (listing_text_starts(rest, "store") && !listing_text_starts(rest, "storexchg")))
        instruction->effect = MACHINE_STORE;
    else
        instruction->effect = MACHINE_UPDATE;
    instruction->returns = instruction->effect == MACHINE_UPDATE && contains(rest, left, "_rtn");
    if (instruction->effect == MACHINE_UPDATE)
        instruction->bytes = size_of_update(rest, left);
    else
        read_size(rest, left, instruction);
}

/* ---- waits ---- */

/* Counters by the names of waits: a bit for each. */
static const struct word counter_words[] = {AMDGCN_COUNTER_LIST(ROW_OF){NULL, 0}};

static void wait_for(const char *word, size_t length, unsigned most, struct amdgcn_instruction *instruction)
{
    const int counters = word_value(counter_words, word, length);
    for (unsigned c = 0; counters != LITMUS_NONE && c < AMDGCN_COUNTER_COUNT; c++)
        if ((unsigned)counters & 1u << c)
            instruction->waits[c] = (unsigned char)(most < AMDGCN_NO_WAIT ? most : AMDGCN_NO_WAIT);
}

/* s_waitcnt's operand as a number: vmcnt in bits 3:0 and 15:14, lgkmcnt in 11:8 (gfx10: 13:8). */
static void read_coded_wait(const struct amdgcn_generation *generation, unsigned code,
                            struct amdgcn_instruction *instruction)
{
    if (strcmp(generation->name, "gfx11") == 0) {
        wait_for("vmcnt", 5, code >> 10 & 63, instruction);
        wait_for("lgkmcnt", 7, code >> 4 & 63, instruction);
        return;
    }
    wait_for("vmcnt", 5, (code & 15) | (code >> 10 & 48), instruction);
    wait_for("lgkmcnt", 7, code >> 8 & (generation->counts_stores ? 63 : 15), instruction);
}

/* "s_waitcnt vmcnt(0) lgkmcnt(1)", "s_waitcnt_vscnt null, 0x0", "s_wait_loadcnt_dscnt 0x101". */
static void read_wait(const char *text, size_t length, const struct amdgcn_generation *generation,
                      struct amdgcn_instruction *instruction)
{
    const char *operands = text + length + strspn(text + length, " \t");
    const char *number = strrchr(operands, ',');
    const unsigned most = (unsigned)strtoul(number ? number + 1 : operands, NULL, 0);
    if (text_has_word("s_wait_loadcnt_dscnt s_wait_storecnt_dscnt", text, length)) {
        wait_for(text + strlen("s_wait_"), length - strlen("s_wait_") - strlen("_dscnt"), most >> 8 & 63, instruction);
        wait_for("dscnt", 5, most & 63, instruction);
    } else if (listing_text_starts(text, "s_wait_")) {
        wait_for(text + strlen("s_wait_"), length - strlen("s_wait_"), most, instruction);
    } else if (listing_text_starts(text, "s_waitcnt_")) {
        wait_for(text + strlen("s_waitcnt_"), length - strlen("s_waitcnt_"), most, instruction);
    } else if (*operands >= '0' && *operands <= '9') {
        read_coded_wait(generation, most, instruction);
    } else {
        for (const char *at = operands; *at;) {
            const size_t size = strcspn(at, "( \t&");
            if (at[size] == '(')
                wait_for(at, size, (unsigned)strtoul(at + size + 1, NULL, 0), instruction);
            at += size;
            at += strcspn(at, ") ");
            at += strspn(at, ") \t&");
        }
    }
}

/* ---- the rest ---- */

static const struct {
    const char *word;
    enum amdgcn_cache cache;
    enum machine_effect effect;
    unsigned counters;
} cache_words[] = {AMDGCN_CACHE_LIST(ROW_OF)};

static const struct word flows[] = {AMDGCN_FLOW_LIST(ROW_OF){NULL, 0}};

static bool read_cache(const char *text, size_t length, struct amdgcn_instruction *instruction)
{
    for (size_t i = 0; i < COUNT(cache_words); i++)
        if (text_has_word(cache_words[i].word, text, length)) {
            instruction->cache = cache_words[i].cache;
            instruction->effect = cache_words[i].effect;
            instruction->counters = cache_words[i].counters;
            read_modifiers(text + length, instruction);
            return true;
        }
    return false;
}

void amdgcn_opcode(const char *text, const struct amdgcn_generation *generation, struct amdgcn_instruction *instruction)
{
    const size_t length = strcspn(text, " \t");
    *instruction = (struct amdgcn_instruction){.operation = LITMUS_LOAD, .lanes = 1};
    memset(instruction->waits, AMDGCN_NO_WAIT, sizeof instruction->waits);
    if (read_cache(text, length, instruction))
        return;
    if (listing_text_starts(text, "s_")) {
        const int flow = word_value(flows, text, length);
        instruction->flow = flow == LITMUS_NONE ? instruction->flow : (enum amdgcn_flow)flow;
        if (listing_text_starts(text, "s_wait"))
            read_wait(text, length, generation, instruction);
        else if (listing_text_starts(text, "s_load_") || listing_text_starts(text, "s_buffer_load_"))
            instruction->counters = 1u << AMDGCN_SCALAR;
        else if (text_has_word("s_barrier", text, length))
            instruction->effect = MACHINE_BARRIER;
        else if (text_has_word("s_barrier_signal s_barrier_wait", text, length)) {
            instruction->effect = MACHINE_BARRIER;
            instruction->operation = text_has_word("s_barrier_wait", text, length) ? LITMUS_TRY_WAIT : LITMUS_ARRIVE;
        }
    } else if (listing_text_starts(text, "ds_"))
        read_local(text, length, instruction);
    const size_t start = text_starts_with("global_ flat_ buffer_ scratch_", text);
    if (start > 0)
        read_vector(text, length, text + start, generation, instruction);
}
