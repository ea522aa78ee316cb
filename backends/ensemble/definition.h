// SPDX-License-Identifier: Apache-2.0
/* Which members the ensemble of this process has. */
#ifndef ORCHIL_ENSEMBLE_DEFINITION_H
#define ORCHIL_ENSEMBLE_DEFINITION_H

#include "backends/backend.h"

struct ensemble_part {
    const struct backend *backend;
    unsigned index;
    bool host; /* the member plays the host's threads; index is found out later */
};

struct ensemble_definition {
    size_t count; /* 0: none is defined */
    struct ensemble_part parts[BACKEND_MAXIMUM_MEMBERS];
};

/* As ensemble_define has it. */
enum status ensemble_parse(const char *spec, struct ensemble_definition *definition, struct error *error);

/* The one of this process. */
const struct ensemble_definition *ensemble_defined(void);
/* Its members as they were described last; they outlive every list. */
struct backend_device *ensemble_member_devices(void);

#endif
