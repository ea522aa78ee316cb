// SPDX-License-Identifier: Apache-2.0
/* SHA-256 in hexadecimal, and numbers from it. */
#include "base/hash.h"
#include "base/base.h"

#include <sha2.h>

void hash_hex(const void *bytes, size_t size, char hex[HASH_HEX_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    SHA256Update(&context, bytes, size);
    SHA256Final(digest, &context);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[2 * sizeof digest] = '\0';
}

uint64_t hash_number(const char hex[HASH_HEX_SIZE])
{
    uint64_t number = 0;
    for (int i = 0; i < 16; i++) {
        const char c = hex[i];
        number = number << 4 | (uint64_t)(c >= 'a' ? c - 'a' + 10 : c - '0');
    }
    return number;
}

void hash_add_source(struct text *text, const char *of)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char hex[HASH_HEX_SIZE];
    hash_hex(of, strlen(of), hex);
    text_add(text, "'sha256-");
    for (size_t bit = 0; bit < 256; bit += 6) {
        unsigned value = 0;
        for (size_t i = bit; i < bit + 6; i++) {
            const char digit = hex[i < 256 ? i / 4 : 0];
            const unsigned nibble = (unsigned)(digit >= 'a' ? digit - 'a' + 10 : digit - '0');
            value = value << 1 | (i < 256 ? nibble >> (3 - i % 4) & 1U : 0U);
        }
        text_add(text, "%c", letters[value]);
    }
    text_add(text, "='");
}
