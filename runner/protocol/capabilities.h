// SPDX-License-Identifier: Apache-2.0
/* The words for a device's capabilities, in output and JSON. */
#ifndef ORCHIL_RUNNER_PROTOCOL_CAPABILITIES_H
#define ORCHIL_RUNNER_PROTOCOL_CAPABILITIES_H

#include <stddef.h>

/* A word for a bit of struct backend_device. */
struct capability_word {
    unsigned bit;
    const char *word;
};

/* Each ends with a row of 0 and NULL; narrow to wide, weak to strong. */
extern const struct capability_word capability_takes[];  /* "c11", "ptx" */
extern const struct capability_word capability_orders[]; /* "relaxed", "acq_rel", "seq_cst" */
extern const struct capability_word capability_scopes[]; /* "work_item" .. "all_devices" */
extern const struct capability_word capability_types[];  /* "long_atomics", "double" */
extern const struct capability_word capability_paths[];  /* "alias", "texture", .. "async" */
extern const struct capability_word capability_edges[];  /* "beside", "queue", .. "copy" */

#endif
