// SPDX-License-Identifier: Apache-2.0
/* The families of tests with one critical cycle, written out with any strength of access. */
#pragma once

#include <stddef.h>

#include "base/text.h"

/* The models that forbid a family depend on its place in this list. */
enum shape_group {
    SHAPE_CAUSAL,     /* release and acquire forbid it */
    SHAPE_LOADS_ONLY, /* as CAUSAL, and all edges between threads are reads-from */
    SHAPE_FENCED,     /* sc fences on all edges forbid it */
    SHAPE_LONE_WRITER /* as FENCED, but a thread with a single write has no edge for a fence */
};

struct shape {
    const char *name, *cycle;
    enum shape_group group;
};
extern const struct shape shapes[];
extern const size_t shape_count;

/* A dialect's load, store and separator of a thread's accesses ("" for none). In PTX's: scope. */
struct strength {
    const char *name, *load, *store, *fence;
};

/* Appends the test; every thread in a CTA or work-group of its own on one device. */
void shape_print_ptx(const struct shape *shape, const struct strength *strength, const char *scope, struct text *text);
void shape_print_opencl(const struct shape *shape, const struct strength *strength, struct text *text);
