// SPDX-License-Identifier: Apache-2.0
/* A program of an ensemble: one program per member, and the memory that they share. */
#ifndef ORCHIL_ENSEMBLE_PROGRAM_H
#define ORCHIL_ENSEMBLE_PROGRAM_H

#include "backends/ensemble/session.h"

struct ensemble_program {
    struct backend_program *programs[BACKEND_MAXIMUM_MEMBERS];
    struct region memory;
    struct region homes[BACKEND_MAXIMUM_MEMBERS + 1];
};

static inline struct ensemble_session *ensemble_session(struct backend_session *opened)
{
    return (struct ensemble_session *)opened;
}

static inline struct ensemble_program *ensemble_program(struct backend_program *built)
{
    return (struct ensemble_program *)built;
}

/* As launch and play in backend.h. */
enum status ensemble_launch(struct backend_session *opened, struct backend_program *built,
                            const struct backend_launch *launch, double *seconds, struct error *error);
enum status ensemble_play(struct backend_session *opened, struct backend_program *built,
                          const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                          double *seconds, struct error *error);

/* Creates the memory that a launch needs, and zeroes the words where members meet. */
enum status ensemble_prepare(struct ensemble_session *session, struct ensemble_program *program,
                             const struct backend_launch *launch, struct error *error);

/* The launch that one member gets, without its draw. ensemble_copy_draw makes the draw from the
 * ensemble's: draw_words of it, with the homes at that member's addresses. */
struct backend_launch ensemble_part_of(const struct ensemble_session *session, const struct ensemble_program *program,
                                       const struct backend_launch *launch, unsigned member);
void ensemble_copy_draw(const struct ensemble_session *session, const struct ensemble_program *program,
                        const struct backend_launch *launch, unsigned member, const uint32_t *from, uint32_t *to);

/* The duration of a launch that began at `start`, given the seconds that its members reported. If
 * all members invent them, so does the ensemble: it is the longest. */
double ensemble_seconds(const struct ensemble_session *session, const double *seconds, double start);

/* The edges between launches of different members; see backend_device. */
unsigned ensemble_edges(const struct ensemble_session *session);

#endif
