// SPDX-License-Identifier: Apache-2.0
/*
 * PTX's accesses through the texture, surface and constant proxies. Litmus tests write them with names of their own (Lustig,
 * Cooksey and Giroux, ISCA 2022): tld is tex.1d over plain memory, suld, sust and sured are the ISA's, on elements of 32 bits,
 * cold is ld.const.
 */
#include "kernel/lower.h"
#include "litmus/language/order.h"

static enum status lower_texture(const struct access_shape *shape, struct text *text)
{
    text_add(
        text,
        "u32 result, second, third, fourth; asm volatile(\"tex.1d.v4.u32.s32 {%%0, %%1, %%2, %%3}, [%%4, {%%5}];\" : "
        "\"=r\"(result), \"=r\"(second), \"=r\"(third), \"=r\"(fourth) : \"l\"(texture), \"r\"(word) : \"memory\"); "
        "return (%s)result;",
        lower_type(shape->type));
    return STATUS_OK;
}

static enum status lower_constant(const struct access_shape *shape, struct text *text)
{
    text_add(text,
             "u32 result; asm volatile(\"{ .reg .u64 a; cvta.to.const.u64 a, %%1; ld.const.b32 %%0, [a]; }\" : "
             "\"=r\"(result) : \"l\"(orchil_bank + word) : \"memory\"); return (%s)result;",
             lower_type(shape->type));
    return STATUS_OK;
}

/* The type of a sured; NULL if the ISA does not have the operation. */
static const char *reduced_type(const struct access_shape *shape)
{
    const enum litmus_operation operation = shape->operation;
    const bool has = operation == LITMUS_FETCH_ADD || operation == LITMUS_FETCH_MIN || operation == LITMUS_FETCH_MAX ||
                     operation == LITMUS_FETCH_AND || operation == LITMUS_FETCH_OR;
    return !has ? NULL : operation == LITMUS_FETCH_ADD ? "u32" : lower_ptx_type(operation, shape->type);
}

static enum status lower_surface(const struct access_shape *shape, struct text *text, struct error *error)
{
    static const char operands[] = "\"l\"(surface), \"r\"((place & 65535u) * 4u), \"r\"(place >> 16)";
    const char *const type = reduced_type(shape), *const word = litmus_operation_name(LITMUS_PTX, shape->operation);
    if (shape->operation == LITMUS_LOAD) {
        text_add(text,
                 "u32 result; asm volatile(\"suld.b.2d.b32.trap {%%0}, [%%1, {%%2, %%3}];\" : \"=r\"(result) : %s : "
                 "\"memory\"); return (%s)result;",
                 operands, lower_type(shape->type));
    } else if (shape->operation == LITMUS_STORE) {
        text_add(text,
                 "asm volatile(\"sust.b.2d.b32.trap [%%0, {%%1, %%2}], {%%3};\" :: %s, \"r\"(value) : \"memory\");",
                 operands);
    } else if (shape->no_result && type) {
        text_add(text,
                 "asm volatile(\"sured.b.%s.2d.%s.trap [%%0, {%%1, %%2}], %%3;\" :: %s, \"r\"(value) : \"memory\");",
                 word, type, operands);
    } else if (shape->no_result) {
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no sured.%s", word);
    } else {
        return error_set(error, STATUS_UNSUPPORTED, "PTX has no surface atomic that returns the old value, only sured");
    }
    return STATUS_OK;
}

enum status lower_ptx_proxy(const struct access_shape *shape, struct text *text, struct error *error)
{
    const bool moves = operation_moves(shape->operation);
    if (moves && shape->order != LITMUS_PLAIN)
        return error_set(error, STATUS_UNSUPPORTED, "an access through a proxy that is not weak");
    if (shape->proxy == LITMUS_SURFACE)
        return lower_surface(shape, text, error);
    if (shape->operation != LITMUS_LOAD)
        return error_set(error, STATUS_UNSUPPORTED, "a %s is only read",
                         shape->proxy == LITMUS_TEXTURE ? "texture" : "constant bank");
    return shape->proxy == LITMUS_TEXTURE ? lower_texture(shape, text) : lower_constant(shape, text);
}
