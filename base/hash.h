// SPDX-License-Identifier: Apache-2.0
/* Content hashes: SHA-256, from libmd. */
#pragma once

#include "base/text.h"

enum { HASH_HEX_SIZE = 65 }; /* 64 hexadecimal digits and a NUL */

/* Writes the SHA-256 of size bytes as lower-case hexadecimal. */
void hash_hex(const void *bytes, size_t size, char hex[HASH_HEX_SIZE]);

/* The first 64 bits of a hash written by hash_hex, as a number: the form of the job key that random draws use. */
uint64_t hash_number(const char hex[HASH_HEX_SIZE]);

/* Adds the SHA-256 of a text as a content policy writes it (Content Security Policy Level 3, "hash-source"). */
void hash_add_source(struct text *text, const char *of);
