// SPDX-License-Identifier: Apache-2.0
/* The words of PTX: qualifiers, types, operations and instructions. */
#include "litmus/language/ptx_words.h"

#include <string.h>

int word_value(const struct word *table, const char *text, size_t size)
{
    for (; table->text; table++)
        if (strlen(table->text) == size && memcmp(table->text, text, size) == 0)
            return table->value;
    return LITMUS_NONE;
}

const char *word_name(const struct word *table, int value)
{
    for (; table->text; table++)
        if (table->value == value)
            return table->text;
    return "?";
}

const struct word ptx_order_words[] = {
    {"weak", LITMUS_PLAIN},      {"volatile", LITMUS_VOLATILE},
    {"relaxed", LITMUS_RELAXED}, {"acquire", LITMUS_ACQUIRE},
    {"release", LITMUS_RELEASE}, {"acq_rel", LITMUS_ACQ_REL},
    {"sc", LITMUS_SEQ_CST},      {NULL, 0},
};

const struct word ptx_scope_words[] = {
    {"cta", LITMUS_WORK_GROUP},
    {"cluster", LITMUS_CLUSTER},
    {"gpu", LITMUS_DEVICE},
    {"sys", LITMUS_ALL_DEVICES},
    {NULL, 0},
};

const struct word ptx_membar_words[] = {
    {"cta", LITMUS_WORK_GROUP},
    {"gl", LITMUS_DEVICE},
    {"sys", LITMUS_ALL_DEVICES},
    {NULL, 0},
};

const struct word ptx_operation_words[] = {
    {"ld", LITMUS_LOAD},
    {"st", LITMUS_STORE},
    {"exch", LITMUS_EXCHANGE},
    {"cas", LITMUS_CAS},
    {"add", LITMUS_FETCH_ADD},
    {"sub", LITMUS_FETCH_SUB},
    {"mul", LITMUS_FETCH_MUL},
    {"div", LITMUS_FETCH_DIV},
    {"and", LITMUS_FETCH_AND},
    {"or", LITMUS_FETCH_OR},
    {"xor", LITMUS_FETCH_XOR},
    {"min", LITMUS_FETCH_MIN},
    {"max", LITMUS_FETCH_MAX},
    {"inc", LITMUS_FETCH_INC},
    {"dec", LITMUS_FETCH_DEC},
    {"mbarrier.arrive", LITMUS_ARRIVE},
    {"mbarrier.expect_tx", LITMUS_EXPECT_TX},
    {"mbarrier.arrive.expect_tx", LITMUS_ARRIVE_EXPECT_TX},
    {"mbarrier.complete_tx", LITMUS_COMPLETE_TX},
    {"mbarrier.test_wait.parity", LITMUS_TEST_WAIT},
    {"mbarrier.try_wait.parity", LITMUS_TRY_WAIT},
    {"mbarrier.init", LITMUS_MBARRIER_INIT},
    {NULL, 0},
};

/* The b types have no sign; they count as signed so that a test's negative numbers read as
 * written. */
const struct word ptx_type_words[] = {
    {"s8", LITMUS_CHAR},   {"u8", LITMUS_UCHAR}, {"s16", LITMUS_SHORT}, {"u16", LITMUS_USHORT}, {"b8", LITMUS_CHAR},
    {"b16", LITMUS_SHORT}, {"s32", LITMUS_INT},  {"u32", LITMUS_UINT},  {"s64", LITMUS_LONG},   {"u64", LITMUS_ULONG},
    {"b32", LITMUS_INT},   {"b64", LITMUS_LONG}, {"f32", LITMUS_FLOAT}, {"f64", LITMUS_DOUBLE}, {NULL, 0},
};

/* PTX ISA, ld and st: .v8 and 32 bytes since 8.8. */
const struct word ptx_lane_words[] = {{"v2", 2}, {"v4", 4}, {"v8", 8}, {NULL, 0}};

enum { ON_LOADS = PTX_ON_LOADS | PTX_ON_READ_ONLY };

/* PTX ISA, "Cache Operators", "Cache Eviction Priority Hints", ld, st. */
static const struct {
    const char *text;
    unsigned instructions;
    unsigned since; /* the architecture, 75 for sm_75; 0: all that have PTX's memory model */
} cache_words[] = {
    [LITMUS_CACHE_ALL] = {"ca", ON_LOADS, 0},
    [LITMUS_CACHE_GLOBAL] = {"cg", ON_LOADS | PTX_ON_STORES, 0},
    [LITMUS_CACHE_STREAMING] = {"cs", ON_LOADS | PTX_ON_STORES, 0},
    [LITMUS_CACHE_VOLATILE] = {"cv", PTX_ON_LOADS, 0},
    [LITMUS_CACHE_LAST_USE] = {"lu", PTX_ON_LOADS, 0},
    [LITMUS_CACHE_WRITE_BACK] = {"wb", PTX_ON_STORES, 0},
    [LITMUS_CACHE_WRITE_THROUGH] = {"wt", PTX_ON_STORES, 0},
    [LITMUS_CACHE_NO_ALLOCATE] = {"L1::no_allocate", ON_LOADS | PTX_ON_STORES, 0},
    [LITMUS_CACHE_EVICT_NORMAL] = {"L1::evict_normal", ON_LOADS | PTX_ON_STORES, 0},
    [LITMUS_CACHE_EVICT_UNCHANGED] = {"L1::evict_unchanged", ON_LOADS | PTX_ON_STORES, 0},
    [LITMUS_CACHE_EVICT_FIRST] = {"L1::evict_first", ON_LOADS | PTX_ON_STORES, 0},
    [LITMUS_CACHE_EVICT_LAST] = {"L1::evict_last", ON_LOADS | PTX_ON_STORES, 0},
    [LITMUS_CACHE_PREFETCH_64] = {"L2::64B", ON_LOADS, 75},
    [LITMUS_CACHE_PREFETCH_128] = {"L2::128B", ON_LOADS, 75},
    [LITMUS_CACHE_PREFETCH_256] = {"L2::256B", ON_LOADS, 80},
};

enum { CACHE_WORDS = sizeof cache_words / sizeof *cache_words };

const struct word ptx_comparison_words[] = {
    {"eq", LITMUS_EQ}, {"ne", LITMUS_NE}, {"lt", LITMUS_LT}, {"le", LITMUS_LE},
    {"gt", LITMUS_GT}, {"ge", LITMUS_GE}, {NULL, 0},
};

const char *ptx_comparison_name(enum litmus_operator op)
{
    return op >= LITMUS_EQ && op <= LITMUS_GE ? word_name(ptx_comparison_words, (int)op) : NULL;
}

int ptx_find_cache(const char *text, size_t size)
{
    for (int cache = LITMUS_CACHE_NONE + 1; cache < CACHE_WORDS; cache++)
        if (strlen(cache_words[cache].text) == size && memcmp(cache_words[cache].text, text, size) == 0)
            return cache;
    return LITMUS_NONE;
}

bool ptx_has_cache(unsigned instructions, enum litmus_cache cache)
{
    return cache == LITMUS_CACHE_NONE || (cache_words[cache].instructions & instructions) != 0;
}

unsigned ptx_cache_since(enum litmus_cache cache)
{
    return cache_words[cache].since;
}

const char *litmus_cache_name(enum litmus_cache cache)
{
    return cache > LITMUS_CACHE_NONE && (int)cache < CACHE_WORDS ? cache_words[cache].text : "?";
}

bool litmus_cache_is_operator(enum litmus_cache cache)
{
    return cache > LITMUS_CACHE_NONE && cache <= LITMUS_CACHE_WRITE_THROUGH;
}
