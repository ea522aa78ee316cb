// SPDX-License-Identifier: Apache-2.0
/* A member of an ensemble, and the thread that makes all calls of its backend: some drivers tie a
 * session to a thread. */
#ifndef ORCHIL_ENSEMBLE_MEMBER_H
#define ORCHIL_ENSEMBLE_MEMBER_H

#include <pthread.h>

#include "backends/backend.h"

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

/* Hands over work; the member must be idle. */
void member_begin(struct member *member, member_work *work, void *argument);
/* Waits until the work ends. */
enum status member_wait(struct member *member, struct error *error);
/* member_begin and member_wait. */
enum status member_do(struct member *member, member_work *work, void *argument, struct error *error);

/* Lets several members do the same work at the same time, and waits for all. If several fail,
 * reports the first by number, but a lost device first. */
enum status members_do(struct member *members, size_t count, member_work *work, void *argument, struct error *error);

#endif
