// SPDX-License-Identifier: Apache-2.0
/* The findings of a document as workflow commands of GitHub. */
#include "base/document/document.h"
#include "base/escape/escape.h"

void document_print_github(const struct document *document, struct text *text)
{
    enum { COMMANDS = 3, MAXIMUM_OF_A_KIND = 10 }; /* more are dropped by GitHub, silently */
    static const char *const commands[COMMANDS] = {"error", "warning", "notice"};
    size_t counts[COMMANDS] = {0};
    for (size_t i = 0; i < document->block_count; i++) {
        const struct document_finding *finding = document->blocks[i].finding;
        const char *command = finding ? document_severities[finding->severity].github : NULL;
        if (!command || *finding->excuse)
            continue;
        size_t at = 0;
        while (strcmp(commands[at], command) != 0)
            at++;
        at += at == 0 && !finding->counts; /* it is no error then */
        if (++counts[at] > MAXIMUM_OF_A_KIND)
            continue;
        text_add(text, "::%s ", commands[at]);
        if (*finding->test)
            escape_format(text, ESCAPE_PROPERTY, "title=$ $::", finding->test, finding->kind);
        else if (finding->row > 0) {
            escape_format(text, ESCAPE_PROPERTY, "file=$", finding->file);
            text_add(text, ",line=%u::", finding->row);
        } else
            text_add(text, "title=%s::", document->title);
        const char *const parts[] = {finding->line, finding->evidence, finding->command};
        LOCAL(text) message = {0};
        for (size_t part = 0; part < COUNT(parts); part++)
            if (*parts[part])
                escape_format(&message, ESCAPE_COMMAND, part > 0 ? "; $" : "$", parts[part]);
        terminal_add_inert(text, text_string(&message)); /* names of devices may have "##[" */
        text_add(text, "\n");
    }
}
