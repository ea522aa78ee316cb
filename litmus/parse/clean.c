// SPDX-License-Identifier: Apache-2.0
/* Which bytes the text of a test may have. */
#include <string.h>

#include "litmus/parse/tokens.h"

static bool is_control(unsigned char c)
{
    return (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

/* "FILE:LINE:COLUMN: expected ..., found ...", for the byte at a place. */
static enum status refuse_byte(const char *file, const char *text, size_t at, struct error *error)
{
    const struct litmus_place place = scanner_place(text, at);
    const unsigned char byte = (unsigned char)text[at];
    if (byte == '\0')
        return error_set(error, STATUS_SYNTAX, "%s:%u:%u: expected text, found a NUL byte", file, place.line,
                         place.column);
    if (byte == '\r')
        return error_set(error, STATUS_SYNTAX,
                         "%s:%u:%u: expected a line feed after the carriage return: end lines with LF or CR LF", file,
                         place.line, place.column);
    return error_set(error, STATUS_SYNTAX, "%s:%u:%u: expected text, found the control character 0x%02x: remove it",
                     file, place.line, place.column, byte);
}

enum status litmus_clean(const char *file, const char **text, size_t *size, struct error *error)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    if (*size >= 2 && (memcmp(*text, "\xff\xfe", 2) == 0 || memcmp(*text, "\xfe\xff", 2) == 0))
        return error_set(error, STATUS_SYNTAX, "%s:1:1: expected UTF-8, found UTF-16: save the file as UTF-8", file);
    if (*size >= sizeof mark && memcmp(*text, mark, sizeof mark) == 0) {
        *text += sizeof mark;
        *size -= sizeof mark;
    }
    for (size_t i = 0; i < *size; i++) {
        const bool alone = (*text)[i] == '\r' && (i + 1 == *size || (*text)[i + 1] != '\n');
        if (alone || is_control((unsigned char)(*text)[i]))
            return refuse_byte(file, *text, i, error);
    }
    return STATUS_OK;
}
