// SPDX-License-Identifier: Apache-2.0
/* A shape in the words of the language that is emitted. */
#include "kernel/lower.h"

enum status lower_mapped(const struct mapping *mapping, const struct access_shape *shape, struct access_shape *mapped,
                         struct mapped_fences *fences, struct error *error)
{
    struct litmus_access access = {
        .operation = shape->operation, .ordering = shape->ordering, .failure = shape->failure};
    TRY(mapping->access(shape->region, shape->is_volatile, &access, fences, error));
    *mapped = *shape;
    mapped->operation = access.operation;
    mapped->ordering = access.ordering;
    mapped->failure = access.failure;
    return STATUS_OK;
}
