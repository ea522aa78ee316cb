// SPDX-License-Identifier: Apache-2.0
/* The types of values: their sizes, and C's conversions. */
#include "litmus/language/words.h"
#include "litmus/litmus.h"

static const struct {
    const char *name;
    unsigned char size; /* bytes */
    bool is_unsigned, is_float;
    enum litmus_type promoted;
} types[LITMUS_TYPE_COUNT] = {
    [LITMUS_CHAR] = {"char", 1, false, false, LITMUS_INT},
    [LITMUS_UCHAR] = {"uchar", 1, true, false, LITMUS_INT},
    [LITMUS_SHORT] = {"short", 2, false, false, LITMUS_INT},
    [LITMUS_USHORT] = {"ushort", 2, true, false, LITMUS_INT},
    [LITMUS_INT] = {"int", 4, false, false, LITMUS_INT},
    [LITMUS_UINT] = {"uint", 4, true, false, LITMUS_UINT},
    [LITMUS_LONG] = {"long", 8, false, false, LITMUS_LONG},
    [LITMUS_ULONG] = {"ulong", 8, true, false, LITMUS_ULONG},
    [LITMUS_SIZE] = {"size_t", 8, true, false, LITMUS_ULONG},
    [LITMUS_PTRDIFF] = {"ptrdiff_t", 8, false, false, LITMUS_LONG},
    [LITMUS_INTPTR] = {"intptr_t", 8, false, false, LITMUS_LONG},
    [LITMUS_UINTPTR] = {"uintptr_t", 8, true, false, LITMUS_ULONG},
    [LITMUS_FLOAT] = {"float", 4, false, true, LITMUS_FLOAT},
    [LITMUS_DOUBLE] = {"double", 8, false, true, LITMUS_DOUBLE},
    [LITMUS_FLAG] = {"atomic_flag", 4, false, false, LITMUS_INT},
    [LITMUS_MBARRIER] = {"mbarrier", 8, true, false, LITMUS_ULONG},
    [LITMUS_TENSORMAP] = {"tensormap", 8, true, false, LITMUS_ULONG},
};

const char *litmus_type_name(enum litmus_type type)
{
    return (unsigned)type < LITMUS_TYPE_COUNT ? types[type].name : "?";
}

size_t litmus_type_size(enum litmus_type type)
{
    return types[type].size;
}

bool litmus_type_is_float(enum litmus_type type)
{
    return types[type].is_float;
}

bool litmus_type_is_unsigned(enum litmus_type type)
{
    return types[type].is_unsigned;
}

enum litmus_type litmus_type_promoted(enum litmus_type type)
{
    return types[type].promoted;
}

enum litmus_type litmus_type_common(enum litmus_type left, enum litmus_type right)
{
    const enum litmus_type a = types[left].promoted, b = types[right].promoted;
    return a > b ? a : b; /* the enumeration is in order of rank */
}

int64_t litmus_wrap(enum litmus_type type, int64_t value)
{
    const unsigned unused = 64 - 8 * (unsigned)types[type].size;
    if (types[type].is_float || unused == 0)
        return value;
    const uint64_t high = (uint64_t)value << unused;
    return types[type].is_unsigned ? (int64_t)(high >> unused) : (int64_t)high >> unused;
}
