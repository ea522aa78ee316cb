// SPDX-License-Identifier: Apache-2.0
/* The words and exit codes of statuses, and filling in errors. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int exit_code;
} statuses[STATUS_COUNT] = {
#define STATUS_ROW(name, text, exit_code) {#name, exit_code},
    STATUS_LIST(STATUS_ROW)};

const char *status_name(enum status status)
{
    return (unsigned)status < STATUS_COUNT ? statuses[status].name : "UNKNOWN";
}

bool status_from_name(const char *name, enum status *status)
{
    for (unsigned i = 0; i < STATUS_COUNT; i++) {
        if (strcmp(statuses[i].name, name) != 0)
            continue;
        *status = (enum status)i;
        return true;
    }
    return false;
}

int status_exit_code(enum status status)
{
    return (unsigned)status < STATUS_COUNT ? statuses[status].exit_code : 4;
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        error->detail[0] = '\0';
        va_end(arguments);
    }
    return status;
}

void error_set_detail(struct error *error, const char *text)
{
    if (!error)
        return;
    size_t length = strlen(text);
    const size_t room = sizeof error->detail - 1;
    if (length > room) {
        text += length - room;
        const char *line = strchr(text, '\n');
        if (line && line[1])
            text = line + 1;
        length = strlen(text);
    }
    memcpy(error->detail, text, length + 1);
}
