// SPDX-License-Identifier: Apache-2.0
/*
 * How a step of one session gives its event to steps of another, in the same play and in another thread. The session that gives keeps
 * the event until it is closed. Private to this room.
 */
#ifndef ORCHIL_BACKENDS_RELAY_H
#define ORCHIL_BACKENDS_RELAY_H

#include <pthread.h>
#include <stdbool.h>

struct relay {
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    bool ended;  /* given, or never to be given */
    void *event; /* the driver's, recorded after the step; NULL where it was not given */
};

void relay_open(struct relay *relay);
void relay_close(struct relay *relay);

/* Hands the event over; NULL: none will come. What was given first stays. */
void relay_give(struct relay *relay, void *event);

/* Waits until it was handed over; NULL: none came. */
void *relay_await(struct relay *relay);

#endif
