// SPDX-License-Identifier: Apache-2.0
/* A page, written to its file or to standard output. */
#include "cli/page_file.h"

#include <stdio.h>
#include <string.h>

#include "base/whole_file.h"

enum status page_text_check(const struct text *text, const char *what, struct error *error)
{
    return text->failed ? error_set(error, STATUS_LIMIT, "%s is larger than %d MiB: select fewer tests", what,
                                    TEXT_MAXIMUM >> 20)
                        : STATUS_OK;
}

enum status page_file_write(const char *path, const struct text *text, struct error *error)
{
    TRY(page_text_check(text, "the page", error));
    if (strcmp(path, "-") == 0) {
        (void)fwrite(text_string(text), 1, text->size, stdout); /* main reports errors of standard output */
        return STATUS_OK;
    }
    return file_write_whole(path, text_string(text), text->size, error);
}
