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

/* As backend.h says of launch and play. */
enum status ensemble_launch(struct backend_session *session, struct backend_program *program,
                            const struct backend_launch *launch, double *seconds, struct error *error);
enum status ensemble_play(struct backend_session *session, struct backend_program *program,
                          const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                          double *seconds, struct error *error);

/* Makes the memory that a launch needs, and zeroes the words of meetings. */
enum status ensemble_prepare(struct backend_session *session, struct backend_program *program,
                             const struct backend_launch *launch, struct error *error);

/* A launch as one member gets it, but for its draw, which ensemble_copy_draw makes of the ensemble's: draw_words of it, with the
 * homes where that member sees them. */
struct backend_launch ensemble_part_of(const struct backend_session *session, const struct backend_program *program,
                                       const struct backend_launch *launch, unsigned member);
void ensemble_copy_draw(const struct backend_session *session, const struct backend_program *program,
                        const struct backend_launch *launch, unsigned member, const uint32_t *from, uint32_t *to);

/* What a launch took that began at `start`, where members reported so many seconds. Where all members invent them, so does the ensemble:
 * the slowest tells. */
double ensemble_seconds(const struct backend_session *session, const double *seconds, double start);

/* What can stand between launches of different members; see backend_device. */
unsigned ensemble_edges(const struct backend_session *session);

#endif
