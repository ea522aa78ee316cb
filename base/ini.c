// SPDX-License-Identifier: Apache-2.0
/* INI texts, read with inih. */
#include "base/ini.h"

#include <ini.h>

bool ini_refuse(struct ini_reader *reader, const char *format, ...)
{
    va_list arguments;
    if (reader->why[0] != '\0')
        return false;
    va_start(arguments, format);
    (void)vsnprintf(reader->why, sizeof reader->why, format, arguments);
    va_end(arguments);
    reader->wrong_line = reader->line;
    return false;
}

/* inih's reader of lines, like fgets. */
static char *ini_next_line(char *line, int size, void *context)
{
    struct ini_reader *reader = context;
    const size_t length = strcspn(reader->rest, "\n"), whole = length + (reader->rest[length] == '\n');
    const size_t taken = whole < (size_t)size ? whole : (size_t)size - 1;
    if (taken == 0)
        return NULL;
    reader->line++;
    memcpy(line, reader->rest, taken);
    line[taken] = '\0';
    reader->rest += taken;
    if (taken < whole) /* inih would take the rest as another line */
        (void)ini_refuse(reader, "expected at most %d characters in a line", size - 2);
    if (reader->begin_section && line[strspn(line, " \t")] == '[')
        reader->begin_section(reader);
    return line;
}

static int take_line(void *context, const char *section, const char *name, const char *value)
{
    struct ini_reader *reader = context;
    return reader->take(reader, section, name, value);
}

enum status ini_read(struct ini_reader *reader, const char *name, const char *text, const char *form,
                     struct error *error)
{
    reader->rest = text;
    const int wrong = ini_parse_stream(ini_next_line, reader, take_line, reader);
    if (reader->why[0] != '\0' && (wrong == 0 || reader->wrong_line <= wrong))
        return error_set(error, STATUS_SYNTAX, "%s:%d:1: %s", name, reader->wrong_line, reader->why);
    return wrong == 0 ? STATUS_OK : error_set(error, STATUS_SYNTAX, "%s:%d:1: %s", name, wrong, form);
}
