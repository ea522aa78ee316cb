// SPDX-License-Identifier: Apache-2.0
/*
 * Local variables that only ever hold constants, as predicates. GLSL has no goto, so a kernel says in
 * a variable which part of a thread comes next (lower/, body.c), and asks it in each part. Whether it
 * is one of the constants that it is compared with is a predicate of the listing, so that no path goes
 * where it says otherwise.
 */
#ifndef ORCHIL_INSPECT_SPIRV_SPIRV_FLAGS_H
#define ORCHIL_INSPECT_SPIRV_SPIRV_FLAGS_H

#include "inspect/spirv/spirv_module.h"

enum { SPIRV_MAXIMUM_FLAGS = 64 /* predicates of a listing; others are not known */ };

struct spirv_flags {
    struct arena arena;
    const bool *holds_constants; /* per id */
    /* Predicate i + 1: the variable has the value. */
    struct {
        uint32_t variable, value;
    } flags[SPIRV_MAXIMUM_FLAGS];
    unsigned count;
};

/* Finds them in the module. The caller releases *flags. */
void spirv_flags_find(const struct spirv_module *module, struct spirv_flags *flags);
void spirv_flags_release(struct spirv_flags *flags);

/* The predicate on which a conditional branch depends, and the value with which the condition is
 * true; 0 if it depends on something else. */
unsigned spirv_flags_guard(const struct spirv_module *module, const struct spirv_flags *flags, size_t branch,
                           bool *value);

/* Whether the instruction stores a constant in such a variable, and which. */
bool spirv_flags_store(const struct spirv_module *module, const struct spirv_flags *flags, size_t at,
                       uint32_t *variable, uint32_t *value);

#endif
