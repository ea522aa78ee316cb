// SPDX-License-Identifier: Apache-2.0
#include "base/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
    json_t *json = json_string(text);
    if (json)
        return json;
    char *plain = strdup(text);
    if (!plain)
        return NULL;
    for (char *at = plain; *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    json = json_string(plain);
    free(plain);
    return json;
}

bool json_print(json_t *document)
{
    const bool printed = document && json_dumpf(document, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(document);
    return printed;
}
