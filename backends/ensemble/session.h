// SPDX-License-Identifier: Apache-2.0
/* Shared by the files of the ensemble: its session, and memory that its members reach. */
#pragma once

#include <pthread.h>

#include "backends/backend.h"

/* ---- a member, and the thread that makes all calls of its backend: some drivers tie a session to a thread ---- */

struct member;

/* Work for a member's thread. The error is the member's own. */
typedef enum status member_work(struct member *member, void *argument, struct error *error);

enum member_state { MEMBER_IDLE, MEMBER_BUSY, MEMBER_ENDING };

struct member {
    const struct backend *backend;
    unsigned number; /* in the ensemble */
    bool host;       /* it plays the host's threads */
    struct backend_device device;
    struct backend_session *session; /* NULL: not open */

    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* of the fields below */
    pthread_cond_t changed;
    enum member_state state;
    member_work *work;
    void *argument;
    enum status status; /* of the last work */
    struct error error;
};

/* Starts the thread of a member, whose first fields are set. */
enum status member_start(struct member *member, struct error *error);
/* Ends the thread when its work is done. */
void member_end(struct member *member);

/* Hands over work, and waits until it ends; the member must be idle. */
enum status member_do(struct member *member, member_work *work, void *argument, struct error *error);

/* Lets several members do the same work at the same time, and waits for all. If several fail, reports the first by
 * number, but a lost device first. */
enum status members_do(struct member *members, size_t count, member_work *work, void *argument, struct error *error);

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

/* Gives a region at least that many words; new words are zero. UNSUPPORTED, with the reason, if a member cannot reach
 * them. After a failure the region has no memory. */
enum status region_grow(struct ensemble_session *session, struct region *region, size_t words, struct error *error);
void region_release(struct ensemble_session *session, struct region *region);
/* Appends how a member reaches it, and returns whether its read-modify-writes are atomic there, as describe_link
 * does. */
bool region_describe_link(struct ensemble_session *session, const struct region *region, unsigned member,
                          struct text *text);

/* ---- programs ---- */

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

/* The edges between launches of different members; see backend_device. */
unsigned ensemble_edges(const struct ensemble_session *session);

/* Fills the members of the defined ensemble, except for their threads and sessions. */
enum status ensemble_find_members(struct ensemble_session *session, struct error *error);

/* Fills session->device from open members, with the homes that all of them reach. It is not a failure if there is no
 * such home: then the device takes no kernels, and links say why. */
void ensemble_describe(struct ensemble_session *session);

/* For `doctor`: which ensembles this machine could have. Lists devices of other backends without opening them, so it
 * does not say whether they reach each other's memory. */
void ensemble_explain(struct text *text);
