// SPDX-License-Identifier: Apache-2.0
/* Writes tests of a kernel's instructions: what they are in a PTX test, who executes them, and the table. */
#include "audit/outline.h"

#include "litmus/language/words.h"

unsigned outline_column(struct outline *outline, const char *place, bool ideal)
{
    const unsigned column = outline->columns++;
    outline->places[column] = place;
    outline->ideal |= (unsigned)ideal << column;
    return column;
}

void outline_add(struct outline *outline, unsigned column, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    if (outline->rows[column] < OUTLINE_ROWS)
        outline->cells[column][outline->rows[column]++] = arena_keep(outline->arena, &text);
    else
        text_release(&text);
}

void outline_insert(struct outline *outline, unsigned column, unsigned row, const char *instruction)
{
    const char **cells = outline->cells[column];
    if (outline->rows[column] == OUTLINE_ROWS)
        return;
    memmove(cells + row + 1, cells + row, (outline->rows[column] - row) * sizeof *cells);
    cells[row] = instruction;
    outline->rows[column]++;
}

/* ---- steps ---- */

const char *outline_fence(struct arena *arena, const struct audited *audited, const struct sync *sync)
{
    const struct flow_instruction *instruction = &audited->flow.instructions[sync->instruction];
    const struct machine_instruction *machine = instruction->machine;
    if (sync->kind == SYNC_PROXY)
        return flow_has(instruction, "async") && instruction->operand_count == 0 ? instruction->opcode : NULL;
    if (machine->effect != MACHINE_FENCE || machine->scope == LITMUS_SCOPE_NONE)
        return NULL;
    return arena_print(arena, "fence.%s.%s",
                       machine->order == LITMUS_SEQ_CST ? "sc" : litmus_order_name(LITMUS_PTX, machine->order),
                       litmus_scope_name(LITMUS_PTX, machine->scope));
}

void outline_find_steps(struct arena *arena, struct audited *audited, unsigned from, enum access_role from_role,
                        unsigned to, enum access_role to_role, struct outline_steps *steps)
{
    enum { MOST_FOUND = 128 };
    const struct sync *found[MOST_FOUND];
    const unsigned count =
        audited_between(audited, from, to, SYNC_FENCE | SYNC_PROXY | SYNC_BLOCK | SYNC_WARP, found, MOST_FOUND);
    unsigned kinds = 0;
    *steps = (struct outline_steps){.count = 0};
    for (unsigned i = 0; i < count; i++)
        kinds |= found[i]->kind;
    for (unsigned i = 0; i < count; i++) {
        const bool meets = (found[i]->kind & (SYNC_BLOCK | SYNC_WARP)) != 0;
        const struct outline_step step = {found[i]->kind, meets ? NULL : outline_fence(arena, audited, found[i]),
                                          found[i]->role == ROLE_ALL};
        const struct outline_step *last = steps->count > 0 ? &steps->steps[steps->count - 1] : NULL;
        const bool again =
            last && (meets ? !last->text : last->text && step.text && strcmp(last->text, step.text) == 0);
        if (again || (meets ? found[i]->kind != SYNC_BLOCK && (kinds & SYNC_BLOCK) : step.text == NULL))
            continue; /* a second one, and a warp's barrier where a block's is, say nothing more */
        if (steps->count == OUTLINE_MOST_STEPS) /* the last ones matter most */
            memmove(steps->steps, steps->steps + 1, --steps->count * sizeof *steps->steps);
        steps->steps[steps->count++] = step;
    }
    steps->meets = (kinds & (SYNC_BLOCK | SYNC_WARP)) != 0;
    steps->hands_over =
        steps->meets ? from_role != ROLE_ONE || to_role != ROLE_ONE : from_role == ROLE_ALL && to_role == ROLE_ONE;
}

/* The first thread hands over at the first barrier; fences that all threads execute after it are its own too. */
void outline_chain(struct outline *outline, const char *first, const struct outline_steps *steps, const char *last,
                   unsigned block, bool again)
{
    const bool warp =
        steps->hands_over && steps->meets && !ANY_OF(one, steps->steps, steps->count, one->kind == SYNC_BLOCK);
    const char *place = arena_print(outline->arena, "%scta %u,gpu 0", warp ? "warp 0," : "", block);
    const unsigned own = outline_column(outline, place, false);
    const unsigned other = steps->hands_over ? outline_column(outline, place, false) : own;
    bool met = !steps->meets;
    outline_add(outline, own, "%s", first);
    FOR_EACH(const struct outline_step, step, steps->steps, steps->count) {
        if (step->text)
            outline_add(outline, met ? other : own, "%s", step->text);
        if (step->text && met && step->by_all && other != own && steps->meets)
            outline_add(outline, own, "%s", step->text);
        if (step->text || !steps->hands_over)
            continue;
        outline_add(outline, own, "bar.%s.sync 0", step->kind == SYNC_BLOCK ? "cta" : "warp");
        outline_add(outline, other, "bar.%s.sync 0", step->kind == SYNC_BLOCK ? "cta" : "warp");
        met = true;
    }
    for (unsigned i = 0; again && i < steps->count; i++)
        if (steps->steps[i].text)
            outline_add(outline, other, "%s", steps->steps[i].text);
    outline_add(outline, other, "%s", last);
}

/* ---- accesses ---- */

static const char *order_words(struct arena *arena, const struct access *access)
{
    if (access->order == LITMUS_PLAIN || access->order == LITMUS_VOLATILE)
        return litmus_order_name(LITMUS_PTX, access->order);
    return arena_print(arena, "%s.%s", litmus_order_name(LITMUS_PTX, access->order),
                       litmus_scope_name(LITMUS_PTX, access->scope));
}

const char *outline_load(struct arena *arena, const struct audited *audited, const struct access *access,
                         const char *target, const char *location)
{
    const char *order = order_words(arena, access);
    if (access->kind == ACCESS_ATOM && access_is(audited, access, "cas"))
        return arena_print(arena, "atom.%s.cas %s, %s, 1, 2", order, target, location);
    if (access->kind == ACCESS_ATOM)
        return arena_print(arena, "atom.%s.%s %s, %s, %d", order, access_is(audited, access, "exch") ? "exch" : "add",
                           target, location, access_is(audited, access, "exch") ? 2 : 1);
    if (access->read_only)
        return arena_print(arena, "ld.global.nc.u32 %s, [%s]", target, location);
    return arena_print(arena, "ld.%s %s, %s", order, target, location);
}

const char *outline_store(struct arena *arena, const struct audited *audited, const struct access *access,
                          const char *location)
{
    const char *order = order_words(arena, access);
    if (access->kind == ACCESS_RED)
        return arena_print(arena, "red.%s.add %s, 1", order, location);
    if (access->kind == ACCESS_ATOM)
        return arena_print(arena, "atom.%s.%s r9, %s, 1", order, access_is(audited, access, "exch") ? "exch" : "add",
                           location);
    return arena_print(arena, "st.%s %s, 1", order, location);
}

const char *outline_partner_scope(const struct access *flag)
{
    return flag->space == SPACE_SHARED ? "cta"
           : flag->scope == LITMUS_WORK_GROUP || flag->order == LITMUS_PLAIN
               ? "gpu"
               : litmus_scope_name(LITMUS_PTX, flag->scope);
}

/* ---- the table ---- */

const char *outline_text(const struct outline *outline, const char *title, const char *initial, const char *lines,
                         const char *condition)
{
    struct text text = {0};
    int width[OUTLINE_COLUMNS];
    unsigned rows = 0;
    text_add(&text, "\"%s\"\n%s\n", title, initial);
    for (unsigned i = 0; i < outline->columns; i++) {
        width[i] = (int)strlen(outline->places[i]) + 3;
        for (unsigned j = 0; j < outline->rows[i]; j++)
            width[i] = (int)strlen(outline->cells[i][j]) > width[i] ? (int)strlen(outline->cells[i][j]) : width[i];
        rows = outline->rows[i] > rows ? outline->rows[i] : rows;
    }
    for (unsigned i = 0; i < outline->columns; i++)
        text_add(&text, "%s P%u@%-*s", i > 0 ? " |" : "", i, width[i] - 3, outline->places[i]);
    text_add(&text, " ;\n");
    for (unsigned j = 0; j < rows; j++) {
        for (unsigned i = 0; i < outline->columns; i++)
            text_add(&text, "%s %-*s", i > 0 ? " |" : "", width[i], j < outline->rows[i] ? outline->cells[i][j] : "");
        text_add(&text, " ;\n");
    }
    text_add(&text, "%sexists (%s)\n", lines, condition);
    return arena_keep(outline->arena, &text);
}
