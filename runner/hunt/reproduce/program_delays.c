// SPDX-License-Identifier: Apache-2.0
/* A draw's delays in a reproducer: a call before each instruction that the draw chose. */
#include <stdlib.h>
#include <string.h>

#include "runner/hunt/reproduce/program.h"

static const char site_call[] = "delay(MEMORY_ARGUMENTS, delays, ";

/* Appends a line, which ends with a newline, unless it is a site that the draw did not choose. */
static void add_line(struct text *out, const char *line, size_t size, uint32_t chosen)
{
    const size_t blanks = strspn(line, " ");
    const bool site = strncmp(line + blanks, site_call, sizeof site_call - 1) == 0;
    if (!site)
        text_add_bytes(out, line, size);
    else if (chosen >> strtoul(line + blanks + sizeof site_call - 1, NULL, 10) & 1u)
        text_add(out, "%*srest();\n", (int)blanks, "");
}

void program_settle_delays(struct program *program)
{
    const uint32_t chosen = program->draw.words[DRAW_DELAY_SITES];
    for (unsigned slot = 0; slot < program->pieces.laid.slots; slot++) {
        struct text settled = {0};
        const char *line = text_string(&program->pieces.threads[slot]);
        while (*line) {
            const size_t length = strcspn(line, "\n"), size = length + (line[length] == '\n');
            add_line(&settled, line, size, chosen);
            line += size;
        }
        text_release(&program->pieces.threads[slot]);
        program->pieces.threads[slot] = settled;
    }
    values_note(&program->values, "delays", chosen != 0);
    values_set(&program->values, "delay_steps", "%u", program->draw.words[DRAW_DELAY_NANOSECONDS] / 4);
}
