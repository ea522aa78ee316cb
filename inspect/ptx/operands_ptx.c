// SPDX-License-Identifier: Apache-2.0
/* Whether the code gives a step the address of another location, or the mask of other lanes: the register that another
 * step of its thread has for these. Where a register differs, the code may have computed the same value twice. */
#include "inspect/compare.h"
#include "litmus/language/collective.h"
#include "litmus/language/walk.h"

/* An operand of an instruction, and what it is in the test. */
struct named_operand {
    const char *name; /* in a text */
    int64_t is;       /* the number of a location; or less than 0: the lanes of a mask */
    unsigned step;
    const struct machine_instruction *instruction;
};

enum { MOST_OPERANDS = 3 }; /* of an instruction */

static bool operands_is_same(const char *a, const char *b)
{
    const size_t size = strcspn(a, " ,]+");
    return strncmp(a, b, size) == 0 && strcspn(b, " ,]+") == size;
}

static const char *operand_after(const char *text)
{
    text += strcspn(text, " ");
    return text + strspn(text, " ");
}

/* The register from which others copy its value, or make a descriptor of it (lower_ptx.c). */
static const char *find_origin(const struct listing *listing, const char *name)
{
    enum { LONGEST = 8 };
    for (unsigned i = 0; i < LONGEST; i++) {
        const char *writer = NULL;
        unsigned writers = 0;
        FOR_EACH(const struct machine_instruction, one, listing->instructions, listing->count) {
            const char *const opcode = one->text[0] == '@' ? operand_after(one->text) : one->text;
            if (!operands_is_same(name, operand_after(opcode)))
                continue;
            writer = opcode;
            writers++;
        }
        const char *const from = writer ? operand_after(operand_after(writer)) : "", *const by = operand_after(from);
        const size_t word = writer ? strcspn(writer, ".") : 0;
        const bool copies = text_has_word(*by ? "shr and" : "mov cvt cvta", writer, word) &&
                            (!*by || text_has_word("4 16383", by, strlen(by)));
        if (writers != 1 || *from != '%' || !copies)
            break;
        name = from;
    }
    return name;
}

/* Returns how many there are. */
static size_t find_operands(const struct inspect_subject *subject, unsigned number,
                            const struct machine_instruction *instruction, struct named_operand found[MOST_OPERANDS])
{
    const struct kernel_step *step = &subject->kernel->steps[number];
    const struct litmus_access *access = step->vector ? &step->vector->access : step->access;
    const struct litmus_expression *const places[MOST_OPERANDS] = {access && !access->expected_address ? access->address
                                                                   : step->copy                        ? step->copy->to
                                                                                                       : NULL,
                                                                   step->copy ? step->copy->from : NULL,
                                                                   step->copy ? step->copy->mbarrier : NULL};
    const char *at = instruction->text;
    const char *const matrix = strstr(at, "}, "), *const mask = strrchr(at, ' ');
    unsigned own;
    size_t count = 0;
    if (step->collective && step->collective->mask && step->collective->mask->kind == LITMUS_EXPRESSION_CONSTANT &&
        mask)
        found[count++] =
            (struct named_operand){mask + 1,
                                   -1 - (int64_t)litmus_lanes_of_mask(step->collective->mask->value,
                                                                      litmus_lanes(subject->test, step->body, &own)),
                                   number, instruction};
    for (size_t i = 0; i < MOST_OPERANDS && places[i]; i++) {
        at = access && access->proxy == LITMUS_ASYNC ? matrix : strchr(at, '[');
        if (!at)
            break;
        at += strspn(at, "[}, ");
        if (places[i]->kind == LITMUS_EXPRESSION_ADDRESS)
            found[count++] = (struct named_operand){at, litmus_storage(subject->test, (unsigned)places[i]->index),
                                                    number, instruction};
    }
    return count;
}

/* Where steps disagree, the fewer are wrong, or the later. */
static void compare_operands(const struct inspect_subject *subject, const struct named_operand *all, size_t count,
                             struct inspection *inspection)
{
    for (size_t i = 0; i < count; i++) {
        const struct named_operand *other = NULL;
        int excess = 0; /* of those that disagree */
        FOR_EACH(const struct named_operand, one, all, count)
            if (operands_is_same(one->name, all[i].name)) {
                excess += one->is != all[i].is ? 1 : -1;
                other = !other && one->is != all[i].is ? one : other;
            }
        if (other && (excess > 0 || (excess == 0 && other < &all[i])))
            findings_add(subject, inspection, INSPECT_CHANGED, all[i].step,
                         "uses in '%s' at 0x%lx the %s of '%s' at 0x%lx", all[i].instruction->text,
                         all[i].instruction->place, all[i].is < 0 ? "mask" : "address", other->instruction->text,
                         other->instruction->place);
    }
}

enum status ptx_check_operands(const struct inspect_subject *subject, unsigned body, struct inspection *inspection,
                               UNUSED struct error *error)
{
    LOCAL(arena) arena = {0};
    struct named_operand *all = NULL;
    size_t count = 0;
    FOR_EACH(const struct machine_instruction, instruction, subject->listing->instructions, subject->listing->count) {
        struct named_operand found[MOST_OPERANDS];
        bool in_helper;
        const unsigned line =
            instruction->effect == MACHINE_NOTHING ? 0 : thread_line(subject, instruction, &in_helper);
        for (unsigned s = 0; s < subject->kernel->step_count && line != 0; s++) {
            if (subject->kernel->steps[s].body != body || subject->kernel->steps[s].line != line || !in_helper)
                continue;
            for (size_t i = find_operands(subject, s, instruction, found); i-- > 0;) {
                found[i].name = find_origin(subject->listing, found[i].name);
                ARENA_ADD(&arena, all, count) = found[i];
            }
        }
    }
    compare_operands(subject, all, count, inspection);
    return STATUS_OK;
}
