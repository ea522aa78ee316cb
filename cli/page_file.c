// SPDX-License-Identifier: Apache-2.0
/* A page, written to its file or to standard output. */
#include "cli/page_file.h"

#include <stdio.h>
#include <string.h>

#include "base/terminal/terminal.h"
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
        struct text inert = {0};
        terminal_add_inert(&inert, text_string(text));
        (void)fwrite(text_string(&inert), 1, inert.size, stdout); /* main reports errors of standard output */
        text_release(&inert);
        return STATUS_OK;
    }
    return file_write_whole(path, text_string(text), text->size, error);
}
