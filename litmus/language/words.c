// SPDX-License-Identifier: Apache-2.0
#include "litmus/language/words.h"

#include <string.h>

int word_find(const struct word *table, const struct token *token)
{
    for (; table->text; table++)
        if (token_is(token, table->text))
            return table->value;
    return LITMUS_NONE;
}

const struct word c_order_words[] = {
    {"memory_order_relaxed", LITMUS_RELAXED},
    {"memory_order_acquire", LITMUS_ACQUIRE},
    {"memory_order_release", LITMUS_RELEASE},
    {"memory_order_acq_rel", LITMUS_ACQ_REL},
    {"memory_order_seq_cst", LITMUS_SEQ_CST},
    {"mo_rlx", LITMUS_RELAXED},
    {"mo_acq", LITMUS_ACQUIRE},
    {"mo_rel", LITMUS_RELEASE},
    {"mo_ar", LITMUS_ACQ_REL},
    {"mo_acq_rel", LITMUS_ACQ_REL},
    {"mo_sc", LITMUS_SEQ_CST},
    {NULL, 0},
};

const struct word c_scope_words[] = {
    {"memory_scope_work_item", LITMUS_WORK_ITEM},
    {"memory_scope_sub_group", LITMUS_SUB_GROUP},
    {"memory_scope_work_group", LITMUS_WORK_GROUP},
    {"memory_scope_device", LITMUS_DEVICE},
    {"memory_scope_all_svm_devices", LITMUS_ALL_DEVICES},
    {"memory_scope_all_devices", LITMUS_ALL_DEVICES},
    {"s_wi", LITMUS_WORK_ITEM},
    {"s_sg", LITMUS_SUB_GROUP},
    {"s_wg", LITMUS_WORK_GROUP},
    {"s_dev", LITMUS_DEVICE},
    {"s_all", LITMUS_ALL_DEVICES},
    {NULL, 0},
};

const struct word cuda_order_words[] = {
    {"cuda::memory_order_relaxed", LITMUS_RELAXED},
    {"cuda::memory_order_acquire", LITMUS_ACQUIRE},
    {"cuda::memory_order_release", LITMUS_RELEASE},
    {"cuda::memory_order_acq_rel", LITMUS_ACQ_REL},
    {"cuda::memory_order_seq_cst", LITMUS_SEQ_CST},
    {"cuda::std::memory_order_relaxed", LITMUS_RELAXED},
    {"cuda::std::memory_order_acquire", LITMUS_ACQUIRE},
    {"cuda::std::memory_order_release", LITMUS_RELEASE},
    {"cuda::std::memory_order_acq_rel", LITMUS_ACQ_REL},
    {"cuda::std::memory_order_seq_cst", LITMUS_SEQ_CST},
    {NULL, 0},
};

const struct word cuda_scope_words[] = {
    {"cuda::thread_scope_thread", LITMUS_WORK_ITEM},   {"cuda::thread_scope_block", LITMUS_WORK_GROUP},
    {"cuda::thread_scope_cluster", LITMUS_CLUSTER},    {"cuda::thread_scope_device", LITMUS_DEVICE},
    {"cuda::thread_scope_system", LITMUS_ALL_DEVICES}, {NULL, 0},
};

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

/* b32 and b64 name bits without a sign; they count as signed so that a test's negative numbers read as written. */
const struct word ptx_type_words[] = {
    {"s32", LITMUS_INT},   {"u32", LITMUS_UINT},   {"s64", LITMUS_LONG},
    {"u64", LITMUS_ULONG}, {"b32", LITMUS_INT},    {"b64", LITMUS_LONG},
    {"f32", LITMUS_FLOAT}, {"f64", LITMUS_DOUBLE}, {NULL, 0},
};

const struct word proxy_words[] = {
    {"generic", LITMUS_GENERIC},   {"texture", LITMUS_TEXTURE}, {"surface", LITMUS_SURFACE},
    {"constant", LITMUS_CONSTANT}, {"alias", LITMUS_ALIAS},     {NULL, 0},
};

const struct word region_words[] = {
    {"global", LITMUS_GLOBAL}, {"local", LITMUS_LOCAL},      {"shared", LITMUS_LOCAL},      {"__global", LITMUS_GLOBAL},
    {"__local", LITMUS_LOCAL}, {"__shared__", LITMUS_LOCAL}, {"global_fga", LITMUS_GLOBAL}, {NULL, 0},
};

const struct word level_words[] = {
    {"sys", LEVEL_SYSTEM},
    {"system", LEVEL_SYSTEM},
    {"dev", LEVEL_DEVICE},
    {"device", LEVEL_DEVICE},
    {"gpu", LEVEL_DEVICE},
    {"kernel", LEVEL_KERNEL},
    {"cluster", LEVEL_CLUSTER},
    {"wg", LEVEL_WORK_GROUP},
    {"work_group", LEVEL_WORK_GROUP},
    {"cta", LEVEL_WORK_GROUP},
    {"block", LEVEL_WORK_GROUP},
    {"sg", LEVEL_SUB_GROUP},
    {"sub_group", LEVEL_SUB_GROUP},
    {"warp", LEVEL_SUB_GROUP},
    {"thread", LEVEL_THREAD},
    {"work_item", LEVEL_THREAD},
    {NULL, 0},
};

static const char *const reserved_words[] = {
    "if",          "else",        "while",        "do",       "for",          "return",
    "break",       "continue",    "goto",         "switch",   "case",         "int",
    "uint",        "long",        "ulong",        "unsigned", "_Atomic",      "atomic_int",
    "const",       "volatile",    "global",       "__global", "local",        "__local",
    "atomic_uint", "atomic_long", "atomic_ulong", "true",     "false",        "not",
    "exists",      "forall",      "float",        "double",   "atomic_float", "atomic_double",
    "filter",      "locations",   "regions",      "scopes",   "scopeTree",    "int32_t",
    "uint32_t",    "int64_t",     "uint64_t",
};

bool word_is_reserved(const struct token *token)
{
    for (size_t i = 0; i < sizeof reserved_words / sizeof *reserved_words; i++)
        if (token_is(token, reserved_words[i]))
            return true;
    return false;
}

/* Names by value, for printing. A missing row is an idea that the dialect cannot spell. */
static const char *const order_names[LITMUS_DIALECT_COUNT][LITMUS_ORDER_COUNT] = {
    [LITMUS_OPENCL] = {[LITMUS_PLAIN] = "plain",
                       [LITMUS_VOLATILE] = "volatile",
                       [LITMUS_RELAXED] = "memory_order_relaxed",
                       [LITMUS_ACQUIRE] = "memory_order_acquire",
                       [LITMUS_RELEASE] = "memory_order_release",
                       [LITMUS_ACQ_REL] = "memory_order_acq_rel",
                       [LITMUS_SEQ_CST] = "memory_order_seq_cst"},
    [LITMUS_PTX] = {[LITMUS_PLAIN] = "weak",
                    [LITMUS_VOLATILE] = "volatile",
                    [LITMUS_RELAXED] = "relaxed",
                    [LITMUS_ACQUIRE] = "acquire",
                    [LITMUS_RELEASE] = "release",
                    [LITMUS_ACQ_REL] = "acq_rel",
                    [LITMUS_SEQ_CST] = "sc"},
    [LITMUS_CUDA] = {[LITMUS_PLAIN] = "weak",
                     [LITMUS_VOLATILE] = "volatile",
                     [LITMUS_RELAXED] = "cuda::memory_order_relaxed",
                     [LITMUS_ACQUIRE] = "cuda::memory_order_acquire",
                     [LITMUS_RELEASE] = "cuda::memory_order_release",
                     [LITMUS_ACQ_REL] = "cuda::memory_order_acq_rel",
                     [LITMUS_SEQ_CST] = "cuda::memory_order_seq_cst"},
    [LITMUS_C] = {[LITMUS_PLAIN] = "plain",
                  [LITMUS_VOLATILE] = "volatile",
                  [LITMUS_RELAXED] = "memory_order_relaxed",
                  [LITMUS_ACQUIRE] = "memory_order_acquire",
                  [LITMUS_RELEASE] = "memory_order_release",
                  [LITMUS_ACQ_REL] = "memory_order_acq_rel",
                  [LITMUS_SEQ_CST] = "memory_order_seq_cst"},
};

static const char *const scope_names[LITMUS_DIALECT_COUNT][LITMUS_SCOPE_COUNT] = {
    [LITMUS_OPENCL] = {[LITMUS_SCOPE_NONE] = "none",
                       [LITMUS_WORK_ITEM] = "memory_scope_work_item",
                       [LITMUS_SUB_GROUP] = "memory_scope_sub_group",
                       [LITMUS_WORK_GROUP] = "memory_scope_work_group",
                       [LITMUS_DEVICE] = "memory_scope_device",
                       [LITMUS_ALL_DEVICES] = "memory_scope_all_svm_devices"},
    [LITMUS_PTX] = {[LITMUS_SCOPE_NONE] = "none",
                    [LITMUS_WORK_GROUP] = "cta",
                    [LITMUS_CLUSTER] = "cluster",
                    [LITMUS_DEVICE] = "gpu",
                    [LITMUS_ALL_DEVICES] = "sys"},
    [LITMUS_CUDA] = {[LITMUS_SCOPE_NONE] = "none",
                     [LITMUS_WORK_ITEM] = "cuda::thread_scope_thread",
                     [LITMUS_WORK_GROUP] = "cuda::thread_scope_block",
                     [LITMUS_CLUSTER] = "cuda::thread_scope_cluster",
                     [LITMUS_DEVICE] = "cuda::thread_scope_device",
                     [LITMUS_ALL_DEVICES] = "cuda::thread_scope_system"},
    /* What C writes without a scope is done at this one. */
    [LITMUS_C] = {[LITMUS_SCOPE_NONE] = "none", [LITMUS_DEVICE] = "device"},
};

static const char *const operation_names[LITMUS_DIALECT_COUNT][LITMUS_OPERATION_COUNT] = {
    [LITMUS_OPENCL] = {[LITMUS_LOAD] = "load",
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
                       [LITMUS_FETCH_MAX] = "fetch_max"},
    [LITMUS_PTX] = {[LITMUS_LOAD] = "ld",
                    [LITMUS_STORE] = "st",
                    [LITMUS_EXCHANGE] = "exch",
                    [LITMUS_CAS] = "cas",
                    [LITMUS_FETCH_ADD] = "add",
                    [LITMUS_FETCH_SUB] = "sub",
                    [LITMUS_FETCH_MUL] = "mul",
                    [LITMUS_FETCH_DIV] = "div",
                    [LITMUS_FETCH_AND] = "and",
                    [LITMUS_FETCH_OR] = "or",
                    [LITMUS_FETCH_XOR] = "xor",
                    [LITMUS_FETCH_MIN] = "min",
                    [LITMUS_FETCH_MAX] = "max"},
    [LITMUS_CUDA] = {[LITMUS_LOAD] = "load",
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
                     [LITMUS_FETCH_MAX] = "fetch_max"},
    [LITMUS_C] = {[LITMUS_LOAD] = "load",
                  [LITMUS_STORE] = "store",
                  [LITMUS_EXCHANGE] = "exchange",
                  [LITMUS_CAS] = "compare_exchange_strong",
                  [LITMUS_CAS_WEAK] = "compare_exchange_weak",
                  [LITMUS_FETCH_ADD] = "fetch_add",
                  [LITMUS_FETCH_SUB] = "fetch_sub",
                  [LITMUS_FETCH_AND] = "fetch_and",
                  [LITMUS_FETCH_OR] = "fetch_or",
                  [LITMUS_FETCH_XOR] = "fetch_xor"},
};

static const char *const operator_names[LITMUS_OPERATOR_COUNT] = {
    [LITMUS_NEGATE] = "-",      [LITMUS_NOT] = "!",       [LITMUS_COMPLEMENT] = "~", [LITMUS_ADD] = "+",
    [LITMUS_SUB] = "-",         [LITMUS_MUL] = "*",       [LITMUS_DIV] = "/",        [LITMUS_REM] = "%",
    [LITMUS_AND] = "&",         [LITMUS_OR] = "|",        [LITMUS_XOR] = "^",        [LITMUS_SHL] = "<<",
    [LITMUS_SHR] = ">>",        [LITMUS_EQ] = "==",       [LITMUS_NE] = "!=",        [LITMUS_LT] = "<",
    [LITMUS_LE] = "<=",         [LITMUS_GT] = ">",        [LITMUS_GE] = ">=",        [LITMUS_LOGICAL_AND] = "&&",
    [LITMUS_LOGICAL_OR] = "||", [LITMUS_MINIMUM] = "min", [LITMUS_MAXIMUM] = "max",
};

static const char *const type_names[LITMUS_TYPE_COUNT] = {
    [LITMUS_INT] = "int",     [LITMUS_UINT] = "uint",   [LITMUS_LONG] = "long",
    [LITMUS_ULONG] = "ulong", [LITMUS_FLOAT] = "float", [LITMUS_DOUBLE] = "double"};

/* Where a dialect spells a type otherwise. */
static const char *const other_type_names[LITMUS_DIALECT_COUNT][LITMUS_TYPE_COUNT] = {
    [LITMUS_CUDA] = {[LITMUS_UINT] = "unsigned", [LITMUS_LONG] = "long long", [LITMUS_ULONG] = "unsigned long long"},
    [LITMUS_C] = {[LITMUS_UINT] = "uint32_t", [LITMUS_LONG] = "int64_t", [LITMUS_ULONG] = "uint64_t"},
};

static const char *const proxy_names[LITMUS_PROXY_COUNT] = {[LITMUS_GENERIC] = "generic",
                                                            [LITMUS_TEXTURE] = "texture",
                                                            [LITMUS_SURFACE] = "surface",
                                                            [LITMUS_CONSTANT] = "constant",
                                                            [LITMUS_ALIAS] = "alias"};

static const char *name_at(const char *const *names, unsigned count, unsigned index)
{
    return index < count && names[index] ? names[index] : "?";
}

const char *litmus_order_name(enum litmus_dialect dialect, enum litmus_order order)
{
    return (unsigned)dialect < LITMUS_DIALECT_COUNT ? name_at(order_names[dialect], LITMUS_ORDER_COUNT, order) : "?";
}

const char *litmus_scope_name(enum litmus_dialect dialect, enum litmus_scope scope)
{
    return (unsigned)dialect < LITMUS_DIALECT_COUNT ? name_at(scope_names[dialect], LITMUS_SCOPE_COUNT, scope) : "?";
}

const char *litmus_operation_name(enum litmus_dialect dialect, enum litmus_operation operation)
{
    return (unsigned)dialect < LITMUS_DIALECT_COUNT
               ? name_at(operation_names[dialect], LITMUS_OPERATION_COUNT, operation)
               : "?";
}

const char *litmus_operator_name(enum litmus_operator op)
{
    return name_at(operator_names, LITMUS_OPERATOR_COUNT, op);
}

const char *litmus_type_name(enum litmus_type type)
{
    return name_at(type_names, LITMUS_TYPE_COUNT, type);
}

const char *type_word(enum litmus_dialect dialect, enum litmus_type type)
{
    const char *const other = other_type_names[dialect][type];
    return other ? other : litmus_type_name(type);
}

const char *proxy_name(enum litmus_proxy proxy)
{
    return name_at(proxy_names, LITMUS_PROXY_COUNT, proxy);
}
