// SPDX-License-Identifier: Apache-2.0
/*
 * Passes the event of a step of one session to steps of other sessions, in the same play and in
 * other threads. The giving session keeps the event until it is closed.
 */
#ifndef ORCHIL_BACKENDS_RELAY_H
#define ORCHIL_BACKENDS_RELAY_H

#include <pthread.h>
#include <stdbool.h>

struct relay {
    pthread_mutex_t lock; /* of the fields below */
    pthread_cond_t changed;
    bool ended;  /* given, or known never to come */
    void *event; /* the driver's, recorded after the step; NULL if none was given */
};

void relay_open(struct relay *relay);
void relay_close(struct relay *relay);

/* Hands over the event; NULL: none will come. Only the first call counts. */
void relay_give(struct relay *relay, void *event);

/* Waits until the event is handed over; NULL: none came. */
void *relay_await(struct relay *relay);

#endif
