// SPDX-License-Identifier: Apache-2.0
/* The tables of words, and names of values out of them. */
#include "litmus/language/words.h"

#include "litmus/dialects.h"
#include "litmus/language/vulkan_instructions.h"
#include "litmus/language/words_lists.h"

/* ---- the words of PTX: qualifiers, types, operations and instructions ---- */

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

const struct word ptx_order_words[] = {PTX_ORDER_LIST(ROW_OF){NULL, 0}};

const struct word ptx_scope_words[] = {PTX_SCOPE_LIST(ROW_OF){NULL, 0}};

const struct word ptx_membar_words[] = {PTX_MEMBAR_LIST(ROW_OF){NULL, 0}};

const struct word ptx_operation_words[] = {PTX_OPERATION_LIST(ROW_OF){NULL, 0}};

/* The b types have no sign; they count as signed so that a test's negative numbers read as written. */
const struct word ptx_type_words[] = {PTX_TYPE_LIST(ROW_OF){NULL, 0}};

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

const struct word ptx_comparison_words[] = {PTX_COMPARISON_LIST(ROW_OF){NULL, 0}};

const char *ptx_comparison_name(enum litmus_operator op)
{
    return op >= LITMUS_EQ && op <= LITMUS_GE ? word_name(ptx_comparison_words, (int)op) : NULL;
}

int ptx_find_cache(const char *text, size_t size)
{
    for (int cache = LITMUS_CACHE_NONE + 1; cache < (int)COUNT(cache_words); cache++)
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
    return cache > LITMUS_CACHE_NONE && (size_t)cache < COUNT(cache_words) ? cache_words[cache].text : "?";
}

bool litmus_cache_is_operator(enum litmus_cache cache)
{
    return cache > LITMUS_CACHE_NONE && cache <= LITMUS_CACHE_WRITE_THROUGH;
}

/* ---- the words of the other formats, and those of all ---- */

WORDS_OF(litmus_region_name,
         enum litmus_region, [LITMUS_GLOBAL] = "global", [LITMUS_LOCAL] = "local", [LITMUS_IMAGE] = "image")

const struct word c_order_words[] = {C_ORDER_LIST(ROW_OF){NULL, 0}};

const struct word c_scope_words[] = {C_SCOPE_LIST(ROW_OF){NULL, 0}};

/* The first of each is printed. */
const struct word cuda_order_words[] = {CUDA_ORDER_LIST(ROW_OF){NULL, 0}};

const struct word cuda_scope_words[] = {CUDA_SCOPE_LIST(ROW_OF){NULL, 0}};

const struct word type_words[] = {TYPE_LIST(ROW_OF){NULL, 0}};

const struct word proxy_words[] = {PROXY_LIST(ROW_OF){NULL, 0}};

const struct word region_words[] = {REGION_LIST(ROW_OF){NULL, 0}};

const struct word no_words[] = {{NULL, 0}};

const struct word relation_words[] = {RELATION_LIST(ROW_OF){NULL, 0}};

const struct word level_words[] = {LEVEL_LIST(ROW_OF){NULL, 0}};

/* VULKAN's are in the table of its instructions. */
static const struct word *const order_words[LITMUS_DIALECT_COUNT] = {
    [LITMUS_OPENCL] = c_order_words,
    [LITMUS_PTX] = ptx_order_words,
    [LITMUS_CUDA] = cuda_order_words,
    [LITMUS_C] = c_order_words,
};

/* The scope of C's operations, which name none. */
static const struct word herd_scope_words[] = {{"device", LITMUS_DEVICE}, {NULL, 0}};

static const struct word *const scope_words[LITMUS_DIALECT_COUNT] = {
    [LITMUS_OPENCL] = c_scope_words,
    [LITMUS_PTX] = ptx_scope_words,
    [LITMUS_CUDA] = cuda_scope_words,
    [LITMUS_C] = herd_scope_words,
};

static const char *const c_operation_names[LITMUS_OPERATION_COUNT] = {
    [LITMUS_LOAD] = "load",
    [LITMUS_STORE] = "store",
    [LITMUS_EXCHANGE] = "exchange",
    [LITMUS_CAS] = "compare_exchange_strong",
    [LITMUS_CAS_WEAK] = "compare_exchange_weak",
    [LITMUS_FETCH_ADD] = "fetch_add",
    [LITMUS_FETCH_SUB] = "fetch_sub",
    [LITMUS_FETCH_AND] = "fetch_and",
    [LITMUS_FETCH_OR] = "fetch_or",
    [LITMUS_FETCH_XOR] = "fetch_xor",
    [LITMUS_FETCH_MIN] = "fetch_min",
    [LITMUS_FETCH_MAX] = "fetch_max",
    [LITMUS_FETCH_INC] = "fetch_inc", /* CUDA's atomicInc */
    [LITMUS_FETCH_DEC] = "fetch_dec",
};

static const struct {
    const char *name;
    int level;
} operators[LITMUS_OPERATOR_COUNT] = {
    [LITMUS_NEGATE] = {"-", 11},   [LITMUS_NOT] = {"!", 11},         [LITMUS_COMPLEMENT] = {"~", 11},
    [LITMUS_ADD] = {"+", 9},       [LITMUS_SUB] = {"-", 9},          [LITMUS_MUL] = {"*", 10},
    [LITMUS_DIV] = {"/", 10},      [LITMUS_REM] = {"%", 10},         [LITMUS_AND] = {"&", 5},
    [LITMUS_OR] = {"|", 3},        [LITMUS_XOR] = {"^", 4},          [LITMUS_SHL] = {"<<", 8},
    [LITMUS_SHR] = {">>", 8},      [LITMUS_EQ] = {"==", 6},          [LITMUS_NE] = {"!=", 6},
    [LITMUS_LT] = {"<", 7},        [LITMUS_LE] = {"<=", 7},          [LITMUS_GT] = {">", 7},
    [LITMUS_GE] = {">=", 7},       [LITMUS_LOGICAL_AND] = {"&&", 2}, [LITMUS_LOGICAL_OR] = {"||", 1},
    [LITMUS_MINIMUM] = {"min", 0}, [LITMUS_MAXIMUM] = {"max", 0},
};

int operator_level(enum litmus_operator op)
{
    return operators[op].level;
}

/* Types that a dialect spells differently. */
static const char *const other_type_names[LITMUS_DIALECT_COUNT][LITMUS_TYPE_COUNT] = {
    [LITMUS_CUDA] = {[LITMUS_UCHAR] = "unsigned char",
                     [LITMUS_USHORT] = "unsigned short",
                     [LITMUS_UINT] = "unsigned",
                     [LITMUS_LONG] = "long long",
                     [LITMUS_ULONG] = "unsigned long long"},
    [LITMUS_C] = {[LITMUS_CHAR] = "int8_t",
                  [LITMUS_UCHAR] = "uint8_t",
                  [LITMUS_SHORT] = "int16_t",
                  [LITMUS_USHORT] = "uint16_t",
                  [LITMUS_UINT] = "uint32_t",
                  [LITMUS_LONG] = "int64_t",
                  [LITMUS_ULONG] = "uint64_t"},
};

WORDS_OF(litmus_order_word, enum litmus_order, [LITMUS_PLAIN] = "plain", [LITMUS_VOLATILE] = "volatile",
         [LITMUS_RELAXED] = "relaxed", [LITMUS_ACQUIRE] = "acquire", [LITMUS_RELEASE] = "release",
         [LITMUS_ACQ_REL] = "acq_rel", [LITMUS_SEQ_CST] = "seq_cst")

WORDS_OF(litmus_scope_word, enum litmus_scope, [LITMUS_SCOPE_NONE] = "", [LITMUS_WORK_ITEM] = "work_item",
         [LITMUS_SUB_GROUP] = "sub_group", [LITMUS_WORK_GROUP] = "work_group", [LITMUS_CLUSTER] = "cluster",
         [LITMUS_QUEUE_FAMILY] = "queue_family", [LITMUS_DEVICE] = "device", [LITMUS_ALL_DEVICES] = "all_devices")

const char *litmus_order_name(enum litmus_dialect dialect, enum litmus_order order)
{
    if ((unsigned)dialect >= LITMUS_DIALECT_COUNT)
        return "?";
    if (order == LITMUS_VOLATILE)
        return "volatile";
    if (order == LITMUS_PLAIN)
        return dialects[dialect].is_nvidia ? "weak" : "plain";
    return order_words[dialect] ? word_name(order_words[dialect], (int)order) : vulkan_word_name(VULKAN_ORDER, order);
}

const char *litmus_scope_name(enum litmus_dialect dialect, enum litmus_scope scope)
{
    if ((unsigned)dialect >= LITMUS_DIALECT_COUNT)
        return "?";
    if (scope == LITMUS_SCOPE_NONE)
        return "none";
    return scope_words[dialect] ? word_name(scope_words[dialect], (int)scope) : vulkan_word_name(VULKAN_SCOPE, scope);
}

const char *litmus_operation_name(enum litmus_dialect dialect, enum litmus_operation operation)
{
    if ((unsigned)dialect >= LITMUS_DIALECT_COUNT || (unsigned)operation >= LITMUS_OPERATION_COUNT)
        return "?";
    if ((dialect == LITMUS_C && operation >= LITMUS_FETCH_MIN) ||
        (dialect == LITMUS_OPENCL && operation >= LITMUS_FETCH_INC))
        return "?";
    if (dialect == LITMUS_PTX)
        return word_name(ptx_operation_words, (int)operation);
    if (dialect == LITMUS_VULKAN)
        return vulkan_operation_name(operation);
    return c_operation_names[operation] ? c_operation_names[operation] : "?";
}

const char *litmus_operator_name(enum litmus_operator op)
{
    return (unsigned)op < LITMUS_OPERATOR_COUNT ? operators[op].name : "?";
}

const char *litmus_type_word(enum litmus_dialect dialect, enum litmus_type type)
{
    const char *const other = other_type_names[dialect][type];
    return other ? other : litmus_type_name(type);
}

const char *litmus_proxy_name(enum litmus_proxy proxy)
{
    return word_name(proxy_words, (int)proxy);
}
