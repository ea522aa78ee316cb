// SPDX-License-Identifier: Apache-2.0
/* Prints the instructions of a test's threads, each after the instruction of the test that it comes
 * from. */
#include "inspect/compare.h"

/* The next step on that line of the kernel, or LITMUS_NONE. */
static int find_step(const struct kernel *kernel, unsigned line, unsigned from)
{
    for (unsigned i = from; i < kernel->step_count; i++)
        if (kernel->steps[i].line == line)
            return (int)i;
    return LITMUS_NONE;
}

static void print_step(const struct inspect_subject *subject, unsigned step, struct text *text)
{
    const struct kernel_step *own = &subject->kernel->steps[step];
    struct text instruction = {0};
    if (!litmus_print_instruction(subject->test, own->place, &instruction))
        text_add(&instruction, "%s", own->access ? "access" : own->fence ? "fence" : "barrier");
    text_add(text, "// P%u line %u: %s\n", subject->test->threads[own->body].first, own->place.line,
             text_string(&instruction));
    text_release(&instruction);
}

void print_listing(const struct inspect_subject *subject, struct text *text)
{
    unsigned printed = 0; /* the line whose steps were printed last */
    for (size_t i = 0; i < subject->listing->count; i++) {
        const struct machine_instruction *instruction = &subject->listing->instructions[i];
        bool in_helper;
        const unsigned line = thread_line(subject, instruction, &in_helper);
        int step = line > 0 ? find_step(subject->kernel, line, 0) : LITMUS_NONE;
        if (step == LITMUS_NONE || instruction->text[0] == '\0')
            continue;
        for (; line != printed && step != LITMUS_NONE; step = find_step(subject->kernel, line, (unsigned)step + 1))
            print_step(subject, (unsigned)step, text);
        printed = line;
        text_add(text, "    /*%04lx*/  %s\n", instruction->place, instruction->text);
    }
}
