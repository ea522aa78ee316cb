// SPDX-License-Identifier: Apache-2.0
/* A copy of a test: what is printed of it, read again. */
#include "litmus/litmus.h"

enum status litmus_reread(const struct litmus_test *test, struct litmus_test **copy, struct error *error)
{
    LOCAL(text) text = {0};
    litmus_print(test, &text);
    return litmus_parse(test->name, text_string(&text), text.size, copy, error);
}
