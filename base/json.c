// SPDX-License-Identifier: Apache-2.0
/* JSON values and documents. */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

static void *json_memory(size_t size)
{
    void *bytes = malloc(size);
    if (!bytes)
        memory_fail(size);
    return bytes;
}

void json_start(void)
{
    json_set_alloc_funcs(json_memory, free);
}

json_t *json_text(const char *text)
{
    if (!text)
        return json_null();
    json_t *json = json_string(text);
    if (json)
        return json;
    char *plain = memory_copy(text);
    for (char *at = plain; *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    json = json_string(plain);
    free(plain);
    return json;
}

json_t *json_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *json_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

void json_append(json_t *array, json_t *item)
{
    if (json_array_append_new(array, item) != 0)
        memory_fail(0);
}

void json_add_document(json_t *document, struct text *text)
{
    char *dumped = document ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(document);
    if (!dumped)
        memory_fail(0);
    text_add(text, "%s\n", dumped);
    free(dumped);
}

bool json_print(json_t *document)
{
    const bool printed = document && json_dumpf(document, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(document);
    return printed;
}
