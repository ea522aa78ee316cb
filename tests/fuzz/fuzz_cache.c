// SPDX-License-Identifier: Apache-2.0
/* Any bytes are either refused as an entry of the kernel cache, or give code that an entry written from it gives again.
 * Each input is tried as it is, and again after its correct hash. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

static bool is_equal(const struct text *left, const struct text *right)
{
    return left->size == right->size && memcmp(text_string(left), text_string(right), left->size) == 0;
}

static void check_entry(const char *bytes, size_t size)
{
    struct backend_code code = {0}, again = {0};
    struct text entry = {0};
    if (!kernel_cache_unpack(bytes, size, &code)) {
        demand(!code.bytes.data && !code.log.data && !code.compiler[0]);
        return;
    }
    demand(code.portable <= code.bytes.size);
    kernel_cache_pack(&code, &entry);
    demand(kernel_cache_unpack(entry.data, entry.size, &again));
    demand(is_equal(&code.bytes, &again.bytes) && is_equal(&code.log, &again.log) && code.portable == again.portable);
    demand(strcmp(code.compiler, again.compiler) == 0 && strcmp(code.options, again.options) == 0);
    text_release(&entry);
    backend_code_release(&code);
    backend_code_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char hex[HASH_HEX_SIZE];
    struct text entry = {0};
    check_entry((const char *)bytes, size);
    hash_hex((const char *)bytes, size, hex);
    text_add(&entry, "%s", hex);
    text_add_bytes(&entry, (const char *)bytes, size);
    check_entry(entry.data, entry.size);
    text_release(&entry);
    return 0;
}
