// SPDX-License-Identifier: Apache-2.0
/* What an access, a fence or a barrier becomes in the language of the code that is emitted: the only place that decides
 * its order, scope, width and fences. target.c makes from it the test that the models judge, and the lowerings print
 * it. C, OPENCL and CUDA are mapped to PTX, C and OPENCL to VULKAN; what is in the target's words already stays as it
 * is. */
#pragma once

#include "litmus/litmus.h"

/* A fence that is emitted in the same place as an access or a barrier, before it or on both sides. */
struct mapped_fences {
    bool before, after;
    struct litmus_fence fence;
};

struct mapping {
    enum litmus_dialect to;
    /* The words of an instruction, in place; UNSUPPORTED, with the reason, if the target has none. A fence that is
     * RELAXED afterwards orders nothing and is not emitted. access: to a location of the region, declared volatile. */
    enum status (*access)(enum litmus_region region, bool is_volatile, struct litmus_access *access,
                          struct mapped_fences *fences, struct error *error);
    enum status (*fence)(enum litmus_dialect from, struct litmus_fence *fence, struct error *error);
    enum status (*barrier)(enum litmus_dialect from, struct litmus_barrier *barrier, struct mapped_fences *fences,
                           struct error *error);
    /* Why there is no vector access, and no compare_exchange with an expected value in a location; NULL: there is. */
    const char *no_vector, *no_expected_place;
    /* What the host does before and after a launch of a test with edges; NULL: nothing. */
    const struct litmus_fence *host_before, *host_after;
};

extern const struct mapping mapping_ptx, mapping_vulkan;
