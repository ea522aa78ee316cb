// SPDX-License-Identifier: Apache-2.0
/* The words of the skeleton for types and conversions, in the preludes of unit tests. */
#pragma once

#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;
#define LONG int64_t

#define TO_U32(n) ((u32)(n))
#define TO_U64(n) ((u64)(n))
#define TO_LONG(n) ((LONG)(n))
#define TO_INDEX(n) ((INDEX)(n))
#define STRUCT(name) struct name
#define OUT
#define FUNCTION __attribute__((unused)) static
