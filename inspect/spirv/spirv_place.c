// SPDX-License-Identifier: Apache-2.0
/*
 * Corrects the lines of calls in a statement of several steps. glslang gives all calls of a statement
 * one of its lines, although each step has a line of its own there. The helper that a call
 * leads to is known by its own lines, and its name is on the step's line: the k-th call of a helper in
 * a statement is the k-th step that names it.
 */
#include "inspect/spirv/spirv_place.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct placing {
    const struct inspect_subject *subject;
    const char **lines; /* of kernel->source: where each begins; the first is line 1 */
    unsigned count;
    unsigned *calls; /* per step: the calls that were placed there */
};

static void find_lines(struct placing *placing)
{
    const char *source = placing->subject->kernel->source;
    size_t room = 0, count = 0;
    for (const char *at = source; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        LIST_ADD(placing->lines, count, room) = at;
    placing->count = (unsigned)count;
}

static const char *line_at(const struct placing *placing, unsigned line)
{
    return line >= 1 && line <= placing->count ? placing->lines[line - 1] : "";
}

/* The function that a line of a helper is in: its name, as far as "(". */
static const char *name_of_helper(const struct placing *placing, unsigned line, size_t *size)
{
    static const char head[] = "FUNCTION ";
    while (line > 0 && strncmp(line_at(placing, line), head, strlen(head)) != 0)
        line--;
    const char *text = line_at(placing, line), *end = text + strcspn(text, "(\n"), *name = end;
    while (name > text && name[-1] != ' ')
        name--;
    *size = (size_t)(end - name);
    return name;
}

/* Whether a line names a function, up to "(". */
static bool names(const char *line, const char *name, size_t size)
{
    const char *const end = line + strcspn(line, "\n");
    for (const char *at = line; at + size < end; at++)
        if (at[size] == '(' && memcmp(at, name, size) == 0 && (at == line || strchr(" (!", at[-1])))
            return true;
    return false;
}

/* Whether a statement goes on after a line. */
static bool goes_on(const char *line)
{
    const size_t size = strcspn(line, "\n");
    return size > 0 && !strchr(";{}", line[size - 1]);
}

/* The step of the statement on a line that names the helper, and has had the fewest calls. */
static int find_step(const struct placing *placing, unsigned line, const char *name, size_t size)
{
    const struct kernel *kernel = placing->subject->kernel;
    unsigned first = line, last = line;
    int found = LITMUS_NONE;
    while (first > kernel->functions_line && goes_on(line_at(placing, first - 1)))
        first--;
    while (last < placing->count && goes_on(line_at(placing, last)))
        last++;
    for (unsigned i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].line >= first && kernel->steps[i].line <= last &&
            names(line_at(placing, kernel->steps[i].line), name, size) &&
            (found == LITMUS_NONE || placing->calls[i] < placing->calls[found]))
            found = (int)i;
    return found;
}

static void place_one(struct placing *placing, struct machine_instruction *instruction)
{
    const struct kernel *kernel = placing->subject->kernel;
    const unsigned before = placing->subject->first_line - 1;
    for (unsigned i = 1; i < instruction->line_count; i++) {
        const unsigned line = instruction->lines[i] - before, inner = instruction->lines[i - 1] - before;
        if (instruction->lines[i] <= before || line < kernel->functions_line || line >= kernel->functions_end)
            continue;
        if (instruction->lines[i - 1] <= before || inner < kernel->helpers_line || inner >= kernel->functions_line)
            return;
        size_t size;
        const char *name = name_of_helper(placing, inner, &size);
        const int step = find_step(placing, line, name, size);
        if (step == LITMUS_NONE)
            return;
        placing->calls[step]++;
        instruction->lines[i] = kernel->steps[step].line + before;
        return;
    }
}

void spirv_place(const struct inspect_subject *subject, struct listing *listing)
{
    struct placing placing = {.subject = subject,
                              .calls = memory_take(subject->kernel->step_count + 1, sizeof *placing.calls)};
    find_lines(&placing);
    for (size_t i = 0; i < listing->count; i++)
        if (listing->instructions[i].effect != MACHINE_NOTHING)
            place_one(&placing, &listing->instructions[i]);
    free(placing.lines);
    free(placing.calls);
}
