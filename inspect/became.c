// SPDX-License-Identifier: Apache-2.0
/* What each function of a user's header became: the instructions of the steps that call it. */
#include "inspect/compare.h"
#include "kernel/lower.h"

/* Whether a word of an instruction is an operand: a register, a number, a place. */
static bool is_operand(const char *word, size_t size)
{
    return memchr(word, '%', size) || memchr(word, '[', size) || memchr(word, '@', size) ||
           !islower((unsigned char)word[0]) || (size == 3 && memcmp(word, "off", size) == 0) ||
           (size > 1 && strchr("vsa", word[0]) && isdigit((unsigned char)word[1]) &&
            isdigit((unsigned char)word[size - 1]));
}

/* "ld.acquire.gpu.global.u32", "global_load_dword sc1": the instruction without its operands. */
static void add_instruction(const char *instruction, struct text *text)
{
    const char *before = text->size > 0 ? "; " : "";
    for (const char *at = instruction; *at; at += strspn(at, " ,;\t{}")) {
        const size_t size = strcspn(at, " ,;\t{}");
        if (size > 0 && !is_operand(at, size)) {
            text_add(text, "%s%.*s", before, (int)size, at);
            before = " ";
        }
        at += size;
    }
}

void inspect_list_became(const struct inspect_subject *subject, struct inspection *inspection)
{
    const struct kernel *kernel = subject->kernel;
    for (unsigned s = 0; s < kernel->step_count; s++) {
        struct text name = {0}, code = {0};
        const struct inspect_finding *fault = NULL;
        if (!lower_user_name(&kernel->steps[s], subject->test->dialect, &name))
            continue;
        FOR_EACH(const struct machine_instruction, instruction, subject->listing->instructions,
                 subject->listing->count) {
            bool in_helper;
            if (instruction->effect != MACHINE_NOTHING &&
                thread_line(subject, instruction, &in_helper) == kernel->steps[s].line)
                add_instruction(instruction->text, &code);
        }
        for (size_t f = 0; !fault && f < inspection->finding_count; f++)
            if (inspection->findings[f].step == s && inspection->findings[f].fault != INSPECT_ALLOWS)
                fault = &inspection->findings[f];
        ARENA_ADD(&inspection->arena, inspection->became, inspection->became_count) = (struct inspect_became){
            arena_keep(&inspection->arena, &name), code.size > 0 ? arena_keep(&inspection->arena, &code) : "",
            fault ? fault->fault : INSPECT_FAULT_COUNT};
        text_release(&code);
    }
}
