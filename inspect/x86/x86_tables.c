// SPDX-License-Identifier: Apache-2.0
/* Targets of jumps through tables. */
#include "inspect/x86/x86_tables.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/x86/x86_effect.h"

enum { MAXIMUM_TARGETS = 256 };

struct targets {
    unsigned long places[MAXIMUM_TARGETS];
    size_t count;
};

static bool read_byte(const char *text, unsigned char *byte)
{
    if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
        return false;
    const char digits[3] = {text[0], text[1], '\0'};
    *byte = (unsigned char)strtoul(digits, NULL, 16);
    return true;
}

void x86_read_constants(struct arena *arena, const char *line, struct x86_constants *constants)
{
    char *text;
    unsigned char byte;
    const unsigned long address = strtoul(line, &text, 16);
    if (line[0] != ' ' || text == line)
        return;
    if (constants->count == 0)
        constants->address = address;
    if (address != constants->address + constants->count)
        return; /* a gap: entries after it are ignored */
    while (text[0] == ' ' && isxdigit((unsigned char)text[1]))
        for (text++; read_byte(text, &byte); text += 2)
            ARENA_ADD(arena, constants->bytes, constants->count) = byte;
}

static bool is_place(const struct x86_function *function, unsigned long place)
{
    for (size_t i = 0; i < function->count; i++)
        if (function->instructions[i].place == place)
            return true;
    return false;
}

static bool has_target(const struct targets *targets, unsigned long place)
{
    for (size_t i = 0; i < targets->count; i++)
        if (targets->places[i] == place)
            return true;
    return false;
}

static void add_table(const struct x86_constants *constants, const struct x86_function *function, unsigned long table,
                      struct targets *targets)
{
    for (size_t at = table - constants->address; table >= constants->address && at + 4 <= constants->count; at += 4) {
        const unsigned char *bytes = constants->bytes + at;
        const uint32_t distance =
            (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        const unsigned long place = table + (unsigned long)(int32_t)distance;
        if (!is_place(function, place))
            return;
        if (!has_target(targets, place) && targets->count < MAXIMUM_TARGETS)
            targets->places[targets->count++] = place;
    }
}

void x86_open_tables(struct arena *arena, const struct x86_constants *constants, struct x86_function *function)
{
    struct x86_function opened = {.name = function->name};
    struct targets targets = {.count = 0};
    for (size_t i = 0; i < function->taken_count; i++)
        add_table(constants, function, function->taken[i], &targets);
    if (targets.count == 0 || targets.count == MAXIMUM_TARGETS)
        return;
    for (size_t i = 0; i < function->count; i++) {
        struct x86_flow flow = function->flows[i];
        const bool opens = flow.jumps && flow.target == X86_NO_TARGET;
        flow.jumps = flow.jumps && !opens;
        ARENA_ADD(arena, opened.flows, opened.flow_count) = flow;
        ARENA_ADD(arena, opened.instructions, opened.count) = function->instructions[i];
        for (size_t t = 0; opens && t < targets.count; t++) {
            ARENA_ADD(arena, opened.flows, opened.flow_count) = (struct x86_flow){false, true, (long)targets.places[t]};
            ARENA_ADD(arena, opened.instructions, opened.count) = function->instructions[i];
        }
    }
    *function = opened;
}
