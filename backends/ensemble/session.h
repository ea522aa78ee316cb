// SPDX-License-Identifier: Apache-2.0
/* Shared by the files of the ensemble: its session, and memory that its members reach. */
#ifndef ORCHIL_ENSEMBLE_SESSION_H
#define ORCHIL_ENSEMBLE_SESSION_H

#include "backends/backend.h"
#include "backends/ensemble/member.h"

struct ensemble_session {
    size_t count;
    struct member members[BACKEND_MAXIMUM_MEMBERS];
    struct backend_device device;
    unsigned meeting_home; /* home of the memory in which members meet: a member, or the host */
};

/* Memory that all members reach. */
struct region {
    unsigned home; /* a member's number, or their count: the host */
    size_t words;  /* 0: none yet */
    struct backend_shared shared;
    uint64_t addresses[BACKEND_MAXIMUM_MEMBERS]; /* at which the kernels of each member see it */
    unsigned reached;                            /* bit k: member k must forget it */
};

/* Gives a region at least that many words; new words are zero. UNSUPPORTED, with the reason, if a
 * member cannot reach them. After a failure the region has no memory. */
enum status region_grow(struct ensemble_session *session, struct region *region, size_t words, struct error *error);
void region_release(struct ensemble_session *session, struct region *region);
/* Zeroes its first words. */
enum status region_zero(struct ensemble_session *session, struct region *region, size_t words, struct error *error);
/* Appends how a member reaches it, and returns whether its read-modify-writes are atomic there, as
 * describe_link does. */
bool region_describe_link(struct ensemble_session *session, const struct region *region, unsigned member,
                          struct text *text);

/* Fills the members of the defined ensemble, except for their threads and sessions. */
enum status ensemble_find_members(struct ensemble_session *session, struct error *error);

/* Fills session->device from open members, with the homes that all of them reach. It is not a
 * failure if there is no such home: then the device takes no kernels, and links say why. */
void ensemble_describe(struct ensemble_session *session);

/* For `doctor`: which ensembles this machine could have. Lists devices of other backends without opening them, so it does not say whether they reach each
 * other's memory. */
void ensemble_explain(struct text *text);

#endif
