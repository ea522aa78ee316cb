// SPDX-License-Identifier: Apache-2.0
/* A program of an ensemble: one of each member, and the memory that they share. */
#ifndef ORCHIL_ENSEMBLE_PROGRAM_H
#define ORCHIL_ENSEMBLE_PROGRAM_H

#include "backends/ensemble/session.h"

struct backend_program {
    struct backend_program *programs[BACKEND_MAXIMUM_MEMBERS];
    struct region memory;
    struct region homes[BACKEND_MAXIMUM_MEMBERS + 1];
};

/* As backend.h says of launch. */
enum status ensemble_launch(struct backend_session *session, struct backend_program *program,
                            const struct backend_launch *launch, double *seconds, struct error *error);

#endif
