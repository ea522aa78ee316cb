// SPDX-License-Identifier: Apache-2.0
/* JSON values and documents. */
#include "base/json.h"

#include <math.h>

#include "base/terminal/character.h"

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

bool json_read_u64(const json_t *json, uint64_t *value)
{
    const char *digits = json_string_value(json);
    char *end;
    if (!digits || *digits < '0' || *digits > '9')
        return false;
    errno = 0;
    *value = strtoull(digits, &end, 10);
    return errno == 0 && *end == '\0';
}

void json_append(json_t *array, json_t *item)
{
    if (json_array_append_new(array, item) != 0)
        memory_fail(0);
}

/* ---- documents ---- */

/* Appends a part of a dumped document; parts end between characters. Only strings contain characters beyond ASCII and
 * DEL, so each may be written by number. */
static int add_dumped(const char *dumped, size_t size, void *data)
{
    struct text *text = data;
    for (size_t at = 0; at < size;) {
        const unsigned char byte = (unsigned char)dumped[at];
        uint32_t code = byte;
        size_t bytes = byte < 0x80 ? 1 : character_read(dumped + at, &code);
        if (bytes == 0 && byte == 0xc2) { /* a control character, C1 */
            code = (unsigned char)dumped[at + 1];
            bytes = 2;
        }
        const bool command = byte == '[' && at >= 2 && memcmp(dumped + at - 2, "##", 2) == 0; /* of GitHub Actions */
        if (command || code == 0x7f || (bytes == 2 && code < 0xa0) || (bytes > 1 && character_deceives(code))) {
            if (code > UINT16_MAX)
                text_add(text, "\\u%04" PRIX32 "\\u%04" PRIX32, 0xd800 + ((code - 0x10000) >> 10),
                         0xdc00 + ((code - 0x10000) & 0x3ff));
            else
                text_add(text, "\\u%04" PRIX32, code);
        } else
            text_add_bytes(text, dumped + at, bytes > 0 ? bytes : 1);
        at += bytes > 0 ? bytes : 1;
    }
    return 0; /* the owner of the text checks .failed */
}

/* The object, after the name and version of its schema, or an array of such objects. Drops the document. */
static json_t *with_schema(enum json_schema schema, json_t *document)
{
#define JSON_SCHEMA_HEAD(name, kind, word, version, verb, about) {"orchil/" word, version},
    static const struct {
        const char *name;
        int version;
    } heads[] = {JSON_SCHEMA_LIST(JSON_SCHEMA_HEAD)};
    json_t *result = document;
    if (json_is_array(document))
        for (size_t i = 0; i < json_array_size(document); i++)
            (void)json_array_set_new(document, i, with_schema(schema, json_incref(json_array_get(document, i))));
    if (json_is_object(document)) {
        result = json_pack("{s:s, s:i}", "schema", heads[schema].name, "version", heads[schema].version);
        if (json_object_update_missing(result, document) != 0)
            memory_fail(0);
        json_decref(document);
    }
    return result;
}

void json_add_foreign(json_t *document, struct text *text)
{
    if (!document || json_dump_callback(document, add_dumped, text, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0)
        memory_fail(0);
    json_decref(document);
    text_add(text, "\n");
}

void json_add_document(enum json_schema schema, json_t *document, struct text *text)
{
    json_add_foreign(with_schema(schema, document), text);
}

/* Writes directly, because a document may be longer than a text can be. */
static int write_dumped(const char *dumped, size_t size, void *data)
{
    LOCAL(text) text = {0};
    (void)add_dumped(dumped, size, &text);
    const bool written = fwrite(text_string(&text), 1, text.size, data) == text.size;
    return written ? 0 : -1;
}

static bool json_write(enum json_schema schema, json_t *document, size_t flags, FILE *stream)
{
    document = with_schema(schema, document);
    const bool written =
        document && json_dump_callback(document, write_dumped, stream, flags) == 0 && putc('\n', stream) != EOF;
    json_decref(document);
    return written;
}

bool json_print(enum json_schema schema, json_t *document)
{
    return json_write(schema, document, JSON_INDENT(2), stdout);
}

bool json_write_line(enum json_schema schema, json_t *document, FILE *stream)
{
    return json_write(schema, document, JSON_COMPACT, stream);
}
