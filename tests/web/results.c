// SPDX-License-Identifier: Apache-2.0
/* Prints a results.json in which all instances of each test end in one outcome.
 * usage: results SEED BATCHES BIN FILE.litmus... */
#include <stdlib.h>

#include "base/json.h"
#include "tests/parsed_file.h"
#include "tests/web/import/browser.h"

int main(int argc, char **argv)
{
    struct litmus_test *tests[16];
    struct error error;
    size_t count = 0;
    json_start();
    if (argc < 5 || argc > 4 + (int)COUNT(tests))
        return 2;
    for (int i = 4; i < argc; i++)
        if (parsed_file(argv[i], &tests[count], &error) == STATUS_OK)
            count++;
        else
            fprintf(stderr, "%s\n", error.text);
    const struct browser browser = {.seed = strtoull(argv[1], NULL, 10),
                                    .batches = (unsigned)strtoul(argv[2], NULL, 10),
                                    .bin = (unsigned)strtoul(argv[3], NULL, 10)};
    struct text text = {0};
    json_add_foreign(browser_play(&browser, tests, count), &text);
    fputs(text_string(&text), stdout);
    text_release(&text);
    for (size_t i = 0; i < count; i++)
        litmus_release(tests[i]);
    return 0;
}
