// SPDX-License-Identifier: Apache-2.0
#include "backends/driver.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *driver_library_path(void *handle)
{
    struct link_map *map = NULL;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
        return "";
    return map->l_name;
}

enum status driver_set_default(const char *variable, const char *value, struct error *error)
{
    if (setenv(variable, value, 0) != 0)
        return error_set(error, STATUS_MEMORY, "no memory to set the environment variable %s", variable);
    return STATUS_OK;
}

void driver_copy(char *to, size_t size, const char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    if (length > size - 1)
        length = size - 1;
    memcpy(to, text, length);
    to[length] = '\0';
}

void driver_uuid(char uuid[37], const unsigned char bytes[16])
{
    static const char digits[] = "0123456789abcdef";
    static const unsigned char none[16];
    char *to = uuid;
    for (size_t i = 0; i < 16 && memcmp(bytes, none, 16) != 0; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *to++ = '-';
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
    }
    *to = '\0';
}

bool driver_is_text(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if ((c < ' ' && !strchr("\t\r\n", c)) || c == 0 || c == 0x7f)
            return false;
    }
    return size > 0;
}

double driver_clock(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
