// SPDX-License-Identifier: Apache-2.0
/*
 * Vector accesses in OpenCL C, as the test writes them: vloadn and vstoren, or an access of a vector type. Source: The OpenCL C
 * Specification, "Vector Data Load and Store Functions", "Alignment of Types".
 */
#include "kernel/lower.h"
#include "litmus/language/order.h"

/* A word's type in OpenCL C, and the conversions to the helper's value (for a float, its bits) and
 * back. */
static const struct element {
    const char *type, *in, *out, *close;
} elements[LITMUS_TYPE_COUNT] = {
    [LITMUS_CHAR] = {"char", "", "", ""},
    [LITMUS_UCHAR] = {"uchar", "", "", ""},
    [LITMUS_SHORT] = {"short", "", "", ""},
    [LITMUS_USHORT] = {"ushort", "", "", ""},
    [LITMUS_INT] = {"int", "", "", ""},
    [LITMUS_UINT] = {"uint", "", "", ""},
    [LITMUS_LONG] = {"long", "", "", ""},
    [LITMUS_ULONG] = {"ulong", "", "", ""},
    [LITMUS_FLOAT] = {"float", "as_float(", "as_uint(", ")"},
    [LITMUS_DOUBLE] = {"double", "as_double(", "as_ulong(", ")"},
};

static const char *space_word(const struct access_shape *shape)
{
    if (shape->generic)
        return "";
    return shape->constant ? "CONSTANT " : shape->region == LITMUS_LOCAL ? "LOCAL " : "GLOBAL ";
}

/* "*(volatile GLOBAL int4 *)p" */
static void add_object(const struct access_shape *shape, const char *type, struct text *text)
{
    text_add(text, "*(%s%s%s%u *)p", shape->is_volatile ? "volatile " : "", space_word(shape), type, shape->lanes);
}

static void lower_load(const struct access_shape *shape, const struct element *element, struct text *text)
{
    text_add(text, "const %s%u all = ", element->type, shape->lanes);
    if (shape->unaligned)
        text_add(text, "vload%u(0, (%s%s *)p)", shape->lanes, space_word(shape), element->type);
    else
        add_object(shape, element->type, text);
    text_add(text, ";");
    for (unsigned lane = 0; lane < shape->lanes; lane++)
        text_add(text, " *r%u = %sall.s%u%s;", lane, element->out, lane, element->close);
}

static void lower_store(const struct access_shape *shape, const struct element *element, struct text *text)
{
    text_add(text, "const %s%u all = (%s%u)(", element->type, shape->lanes, element->type, shape->lanes);
    for (unsigned lane = 0; lane < shape->lanes; lane++)
        text_add(text, "%s%sv%u%s", lane > 0 ? ", " : "", element->in, lane, element->close);
    text_add(text, "); ");
    if (shape->unaligned)
        text_add(text, "vstore%u(all, 0, (%s%s *)p);", shape->lanes, space_word(shape), element->type);
    else {
        add_object(shape, element->type, text);
        text_add(text, " = all;");
    }
}

enum status lower_opencl_vector(const struct access_shape *shape, struct text *text, struct error *error)
{
    const struct element *element = &elements[shape->type];
    if (!element->type)
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C has no vector of %s", litmus_type_name(shape->type));
    if (shape->order != LITMUS_PLAIN || !operation_moves(shape->operation))
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C has no atomic operation on vectors");
    if (shape->unaligned && shape->is_volatile)
        return error_set(error, STATUS_UNSUPPORTED, "%s%u of volatile memory: OpenCL C has none",
                         shape->operation == LITMUS_LOAD ? "vload" : "vstore", shape->lanes);
    if (shape->operation == LITMUS_LOAD)
        lower_load(shape, element, text);
    else
        lower_store(shape, element, text);
    return STATUS_OK;
}
