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

const struct word ptx_cache_words[] = {
    {"ca", LITMUS_CACHE_ALL},
    {"cg", LITMUS_CACHE_GLOBAL},
    {"cs", LITMUS_CACHE_STREAMING},
    {"cv", LITMUS_CACHE_VOLATILE},
    {"lu", LITMUS_CACHE_LAST_USE},
    {"wb", LITMUS_CACHE_WRITE_BACK},
    {"wt", LITMUS_CACHE_WRITE_THROUGH},
    {"L1::no_allocate", LITMUS_CACHE_NO_ALLOCATE},
    {"L1::evict_normal", LITMUS_CACHE_EVICT_NORMAL},
    {"L1::evict_unchanged", LITMUS_CACHE_EVICT_UNCHANGED},
    {"L1::evict_first", LITMUS_CACHE_EVICT_FIRST},
    {"L1::evict_last", LITMUS_CACHE_EVICT_LAST},
    {"L2::64B", LITMUS_CACHE_PREFETCH_64},
    {"L2::128B", LITMUS_CACHE_PREFETCH_128},
    {"L2::256B", LITMUS_CACHE_PREFETCH_256},
    {NULL, 0},
};

const struct word ptx_comparison_words[] = {
    {"eq", LITMUS_EQ}, {"ne", LITMUS_NE}, {"lt", LITMUS_LT}, {"le", LITMUS_LE},
    {"gt", LITMUS_GT}, {"ge", LITMUS_GE}, {NULL, 0},
};

const struct ptx_instruction ptx_instructions[] = {
    {"ld", PTX_LOAD, LITMUS_GENERIC, 0},
    {"st", PTX_STORE, LITMUS_GENERIC, 0},
    {"atom", PTX_ATOM, LITMUS_GENERIC, 0},
    {"red", PTX_RED, LITMUS_GENERIC, 0},
    {"tld", PTX_LOAD, LITMUS_TEXTURE, 0},
    {"suld", PTX_LOAD, LITMUS_SURFACE, 0},
    {"cold", PTX_LOAD, LITMUS_CONSTANT, 0},
    {"sust", PTX_STORE, LITMUS_SURFACE, 0},
    {"suatom", PTX_ATOM, LITMUS_SURFACE, 0},
    {"sured", PTX_RED, LITMUS_SURFACE, 0},
    {"fence", PTX_FENCE, LITMUS_GENERIC, 0},
    {"membar", PTX_MEMBAR, LITMUS_GENERIC, 0},
    {"bar", PTX_BAR, LITMUS_GENERIC, 0},
    {"mov", PTX_MOVE, LITMUS_GENERIC, 0},
    {"add", PTX_COMPUTE, 0, LITMUS_ADD},
    {"sub", PTX_COMPUTE, 0, LITMUS_SUB},
    {"mul", PTX_COMPUTE, 0, LITMUS_MUL},
    {"div", PTX_COMPUTE, 0, LITMUS_DIV},
    {"rem", PTX_COMPUTE, 0, LITMUS_REM},
    {"and", PTX_COMPUTE, 0, LITMUS_AND},
    {"or", PTX_COMPUTE, 0, LITMUS_OR},
    {"xor", PTX_COMPUTE, 0, LITMUS_XOR},
    {"shl", PTX_COMPUTE, 0, LITMUS_SHL},
    {"shr", PTX_COMPUTE, 0, LITMUS_SHR},
    {"min", PTX_COMPUTE, 0, LITMUS_MINIMUM},
    {"max", PTX_COMPUTE, 0, LITMUS_MAXIMUM},
    {"beq", PTX_BRANCH, 0, LITMUS_EQ},
    {"bne", PTX_BRANCH, 0, LITMUS_NE},
    {"blt", PTX_BRANCH, 0, LITMUS_LT},
    {"ble", PTX_BRANCH, 0, LITMUS_LE},
    {"bgt", PTX_BRANCH, 0, LITMUS_GT},
    {"bge", PTX_BRANCH, 0, LITMUS_GE},
    {"setp", PTX_COMPARE, 0, 0},
    {"goto", PTX_JUMP, 0, 0},
    {"bra", PTX_JUMP, 0, 0},
    {NULL, PTX_LOAD, 0, 0},
};

const char *ptx_operator_name(enum ptx_shape shape, enum litmus_operator op)
{
    for (const struct ptx_instruction *row = ptx_instructions; row->name; row++)
        if (row->shape == shape && row->op == op)
            return row->name;
    return NULL;
}

const char *ptx_access_name(enum ptx_shape shape, enum litmus_proxy proxy)
{
    for (const struct ptx_instruction *row = ptx_instructions; row->name; row++)
        if (row->shape == shape && row->proxy == proxy)
            return row->name;
    return NULL;
}

const char *ptx_comparison_name(enum litmus_operator op)
{
    return op >= LITMUS_EQ && op <= LITMUS_GE ? word_name(ptx_comparison_words, (int)op) : NULL;
}

const char *litmus_cache_name(enum litmus_cache cache)
{
    return word_name(ptx_cache_words, (int)cache);
}

bool litmus_cache_is_operator(enum litmus_cache cache)
{
    return cache > LITMUS_CACHE_NONE && cache <= LITMUS_CACHE_WRITE_THROUGH;
}
