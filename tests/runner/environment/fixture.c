// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/environment/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *fixture_read(const char *path)
{
    enum { SIZE = 4096 };
    FILE *file = fopen(path, "re");
    if (!file)
        fail_msg("%s cannot be read", path);
    char *text = calloc(1, SIZE);
    assert_non_null(text);
    const size_t size = fread(text, 1, SIZE - 1, file);
    assert_int_equal(fclose(file), 0);
    if (size > 0 && text[size - 1] == '\n')
        text[size - 1] = '\0';
    return text;
}
