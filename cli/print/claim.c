// SPDX-License-Identifier: Apache-2.0
/* A test's claim against a model's, in a sentence. */
#include "cli/print/claim.h"

#include <string.h>

#include "base/terminal/terminal.h"
#include "base/whole_file.h"

/* The last line of the file that begins, after blanks, with one of the words; 0 if the file cannot
 * be read or has none. Files of the catalogue are built in, so they give 0. */
static unsigned find_line(const char *file, const char *const *words)
{
    struct text text = {0};
    unsigned number = 0, found = 0;
    if (!file || file_read_whole(file, LITMUS_MAXIMUM_FILE, &text, NULL) != STATUS_OK)
        text_clear(&text);
    for (const char *line = text_string(&text); *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *start = line + strspn(line, " \t");
        number++;
        for (const char *const *word = words; *word; word++)
            if (strncmp(start, *word, strlen(*word)) == 0)
                found = number;
    }
    text_release(&text);
    return found;
}

void claim_describe(const struct job_report *report, const struct opinion *by, struct text *text)
{
    static const char *const expect_words[] = {"Expect=", NULL};
    static const char *const condition_words[] = {"~exists", "~ exists", "forall", NULL};
    const char *expect = litmus_metadata(report->test, "Expect");
    const unsigned line = find_line(report->file, expect ? expect_words : condition_words);
    if (report->controlled) {
        terminal_add(text,
                     "%s names %s as a control (Control=), whose witness must never appear; but the model %s allows it",
                     report->controlled->name, report->test->name, by->model);
    } else {
        terminal_add(text, "%s", report->file ? report->file : report->test->name);
        if (line > 0)
            terminal_add(text, ":%u", line);
        terminal_add(text, ": %s%s says that this outcome must never appear; but the model %s allows it",
                     expect ? "Expect=" : "the condition ",
                     expect                                          ? expect
                     : report->test->quantifier == LITMUS_NOT_EXISTS ? "(~exists)"
                                                                     : "(forall)",
                     by->model);
    }
    terminal_add(text, ". One of the two is wrong, and the device may be right.");
}
