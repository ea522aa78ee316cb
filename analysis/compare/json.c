// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_of_text(const char *text)
{
    if (!text)
        return json_null();
    json_t *json = json_string(text);
    char *plain = json ? NULL : strdup(text);
    for (char *at = plain; at && *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    if (plain)
        json = json_string(plain);
    free(plain);
    return json;
}

json_t *json_of_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *json_of_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

enum status json_add_document(json_t *document, const char *what, struct text *text, struct error *error)
{
    char *dumped = document ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(document);
    if (!dumped)
        return error_set(error, STATUS_MEMORY, "no memory for %s as JSON", what);
    text_add(text, "%s\n", dumped);
    free(dumped);
    return STATUS_OK;
}
