// SPDX-License-Identifier: Apache-2.0
/* What the files of the ensemble share: its session, and memory that its members reach. */
#ifndef ORCHIL_ENSEMBLE_SESSION_H
#define ORCHIL_ENSEMBLE_SESSION_H

#include "backends/backend.h"
#include "backends/ensemble/member.h"

struct backend_session {
    size_t count;
    struct member members[BACKEND_MAXIMUM_MEMBERS];
    struct backend_device device;
    unsigned meeting_home; /* where the memory lies over which members meet: a member, or the host */
};

/* Memory that all members reach. */
struct region {
    unsigned home; /* a member's number, or their count: the host */
    size_t words;  /* 0: not made yet */
    struct backend_shared shared;
    uint64_t addresses[BACKEND_MAXIMUM_MEMBERS]; /* at which each member's kernels see it */
    unsigned reached;                            /* bit k: member k has to forget it */
};

/* Gives a region that many words at least, zero where they are new. UNSUPPORTED, with the reason, where a member does
 * not reach them. A region that failed has no memory. */
enum status region_grow(struct backend_session *session, struct region *region, size_t words, struct error *error);
void region_release(struct backend_session *session, struct region *region);
/* Sets its first words to 0. */
enum status region_zero(struct backend_session *session, struct region *region, size_t words, struct error *error);
/* Appends how a member reaches it; whether its read-modify-writes are atomic there, as describe_link says. */
bool region_describe_link(struct backend_session *session, const struct region *region, unsigned member,
                          struct text *text);

/* Fills the members, but for their threads and sessions, of the ensemble that is defined. */
enum status ensemble_find_members(struct backend_session *session, struct error *error);

/* Fills session->device of open members, and the homes that all of them reach. No home at all is not a failure: then the
 * device takes no kernels, and links say why. */
void ensemble_describe(struct backend_session *session);

#endif
