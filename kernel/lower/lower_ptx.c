// SPDX-License-Identifier: Apache-2.0
/*
 * Inline PTX. An instruction of a PTX test is emitted as written, one of an OPENCL, CUDA or C test as map_ptx.c maps it.
 */
#include <inttypes.h>
#include <string.h>

#include "kernel/lower.h"
#include "litmus/language/order.h"
#include "litmus/language/ptx_instructions.h"

static bool applies(enum litmus_dialect dialect)
{
    return dialect != LITMUS_VULKAN;
}

/* ---- instructions that have all their words in a row of the table ---- */

/* Time limit of an mbarrier.try_wait, in nanoseconds. Without it, the chip chooses the time, and a
 * bounded loop around it would not end in time if a phase does not. */
enum { TRY_WAIT_NANOSECONDS = 1000 };

/* What the operands of a row are in a helper: parameters, or numbers in its text. */
struct parameters {
    const char *mbarrier; /* "mbarrier" or "p" */
    bool remote;          /* it and `to` lie in the memory of another work-group of the cluster */
    bool single;          /* one arrival, which needs no operand */
    uint32_t bytes, pending;
    enum litmus_type type; /* of the value */
};

static const char *address_of(enum litmus_region region, bool remote)
{
    return region == LITMUS_GLOBAL ? "GLOBAL_OPERAND(global_address"
           : remote                ? "LOCAL_OPERAND(remote_address"
                                   : "LOCAL_OPERAND(local_address";
}

/* Adds the input of a letter of the table; nothing for an operand that is no input. */
static void add_input(const struct ptx_meaning *meaning, const struct parameters *parameters, char letter,
                      struct text *inputs)
{
    const char *const comma = inputs->size > 0 ? ", " : "";
    if (strchr("tT", letter))
        text_add(inputs, "%s%s(to))", comma, address_of(meaning->to, parameters->remote));
    else if (letter == 'f')
        text_add(inputs, "%s%s(from))", comma, address_of(meaning->from, false));
    else if (strchr("mM", letter))
        text_add(inputs, "%s%s(%s))", comma, address_of(LITMUS_LOCAL, parameters->remote), parameters->mbarrier);
    else if (letter == 'k')
        text_add(inputs, "%s\"h\"((unsigned short)mask)", comma);
    else if (letter == 'v')
        text_add(inputs, "%s\"%s\"(value)", comma, lower_ptx_constraint(parameters->type));
    else if (strchr("cxp", letter))
        text_add(inputs, "%s\"r\"(value)", comma);
}

/* "ended", "[%0]", "16": number is that of the next input, and the result that an input is one. */
static bool add_operand(const struct parameters *parameters, char letter, unsigned number, struct text *text)
{
    const bool place = strchr("tTfmM", letter) != NULL;
    if (letter == '_' || letter == 'r')
        text_add(text, letter == 'r' ? "ended" : "_");
    else if (letter == 'b' || letter == 'n')
        text_add(text, "%" PRIu32, letter == 'b' ? parameters->bytes : parameters->pending);
    else
        text_add(text, place ? "[%%%u]" : "%%%u", number);
    return !strchr("_rbn", letter);
}

/* "cp.async.ca.shared.global [%0], [%1], 4", and its inputs. */
static void add_form(const struct ptx_meaning *meaning, const struct parameters *parameters, struct text *text,
                     struct text *inputs)
{
    const struct ptx_instruction *row = ptx_find_meaning(meaning);
    unsigned number = row->operands[0] == 'r' ? 1 : 0;
    ptx_add_words(meaning, lower_ptx_type(meaning->operation, meaning->type), text);
    for (const char *letter = row->operands; *letter && !(*letter == 'c' && parameters->single); letter++) {
        text_add(text, letter == row->operands ? " " : ", ");
        add_input(meaning, parameters, *letter, inputs);
        number += add_operand(parameters, *letter, number, text);
    }
}

static void lower_form(const struct ptx_meaning *meaning, const struct parameters *parameters, struct text *text)
{
    struct text inputs = {0};
    text_add(text, "asm volatile(\"");
    add_form(meaning, parameters, text, &inputs);
    text_add(text, ";\" ::%s%s%s: \"memory\");", inputs.size > 0 ? " " : "", text_string(&inputs),
             inputs.size > 0 ? " " : "");
    text_release(&inputs);
}

static void lower_copy(const struct copy_shape *shape, struct text *text)
{
    lower_form(
        &shape->meaning,
        &(struct parameters){
            .mbarrier = "mbarrier", .remote = shape->remote, .bytes = shape->copy->bytes, .type = shape->copy->type},
        text);
}

static void lower_group(const struct litmus_group *group, struct text *text)
{
    const struct litmus_statement statement = {.kind = LITMUS_GROUP, .group = *group};
    const struct ptx_meaning meaning = ptx_meaning_of(NULL, NULL, &statement);
    lower_form(&meaning, &(struct parameters){.mbarrier = "mbarrier", .pending = group->pending}, text);
}

/* The default order and scope, release or acquire at cta, are not written, so that sm_80 accepts it. They are written with a
 * number of arrivals, so that the PTX shows what it needs. */
static enum status lower_mbarrier(const struct access_shape *shape, struct text *text)
{
    const bool changes_bytes = shape->operation == LITMUS_EXPECT_TX || shape->operation == LITMUS_COMPLETE_TX;
    const bool counted = shape->operation == LITMUS_ARRIVE && !shape->single;
    const bool brief =
        !changes_bytes && !counted && shape->order != LITMUS_RELAXED && shape->scope <= LITMUS_WORK_GROUP;
    const struct ptx_meaning meaning = {.shape = PTX_MBARRIER,
                                        .flags = (shape->remote ? PTX_CLUSTER : 0u) | (brief ? PTX_BRIEF : 0u),
                                        .operation = shape->operation,
                                        .order = shape->order,
                                        .scope = shape->scope};
    const struct parameters parameters = {.mbarrier = "p", .remote = shape->remote, .single = shape->single};
    struct text inputs = {0};
    if (!operation_is_wait(shape->operation)) {
        lower_form(&meaning, &parameters, text);
        return STATUS_OK;
    }
    text_add(text, "int result; asm volatile(\"{ .reg .pred ended; ");
    add_form(&meaning, &parameters, text, &inputs);
    if (shape->operation == LITMUS_TRY_WAIT)
        text_add(text, ", %d", TRY_WAIT_NANOSECONDS);
    text_add(text, "; selp.s32 %%0, 1, 0, ended; }\" : \"=r\"(result) : %s : \"memory\"); return result;",
             text_string(&inputs));
    text_release(&inputs);
    return STATUS_OK;
}

/* ---- accesses, fences and barriers ---- */

static enum status lower_access(const struct access_shape *shape, struct text *text, struct error *error)
{
    if (operation_is_mbarrier(shape->operation))
        return lower_mbarrier(shape, text);
    if (shape->constant)
        return error_set(error, STATUS_UNSUPPORTED, "constant memory, which inline PTX cannot access here");
    if (shape->proxy == LITMUS_GENERIC || shape->read_only)
        return lower_ptx_access(shape, text, error);
    if (shape->lanes > 0)
        return error_set(error, STATUS_UNSUPPORTED, "a vector access through a proxy");
    return lower_ptx_proxy(shape, text, error);
}

static enum status lower_fence(const struct litmus_fence *fence, enum litmus_dialect dialect, struct text *text,
                               struct error *error)
{
    struct litmus_fence mapped = *fence;
    TRY(mapping_ptx.fence(dialect, &mapped, error));
    if (mapped.order == LITMUS_RELAXED)
        text_add(text, "/* a relaxed fence orders nothing */");
    else
        lower_ptx_fence(&mapped, text);
    return STATUS_OK;
}

static enum status lower_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect, struct text *text,
                                 struct error *error)
{
    struct litmus_barrier mapped = *barrier;
    struct mapped_fences fences;
    TRY(mapping_ptx.barrier(dialect, &mapped, &fences, error));
    if (mapped.scope == LITMUS_CLUSTER) {
        const struct litmus_statement statement = {.kind = LITMUS_BARRIER, .barrier = mapped};
        const struct ptx_meaning meaning = ptx_meaning_of(NULL, NULL, &statement);
        lower_form(&meaning, &(struct parameters){0}, text);
        return STATUS_OK;
    }
    if (barrier->arrive || barrier->quorum)
        return error_set(error, STATUS_UNSUPPORTED, "a barrier on which only some threads of the work-group wait");
    if (barrier->resource && barrier->resource->kind != LITMUS_EXPRESSION_CONSTANT)
        return error_set(error, STATUS_UNSUPPORTED, "a barrier whose number is computed");
    if (fences.before) {
        lower_ptx_fence(&fences.fence, text);
        text_add(text, " ");
    }
    /* All items of the group or sub-group come here. */
    text_add(text, "asm volatile(\"%s;\" ::: \"memory\");",
             mapped.scope == LITMUS_SUB_GROUP ? "bar.warp.sync 0xffffffff" : "bar.sync 0");
    if (fences.after) {
        text_add(text, " ");
        lower_ptx_fence(&fences.fence, text);
    }
    return STATUS_OK;
}

const struct lowering lowering_ptx = {
    .name = "ptx",
    .syntax = &syntax_c,
    .takes = BACKEND_TAKES_PTX,
    .one_spelling = true,
    .applies = applies,
    .access = lower_access,
    .fence = lower_fence,
    .barrier = lower_barrier,
    .copy = lower_copy,
    .group = lower_group,
    .vector = lower_access,
    .use = lower_ptx_use,
};
