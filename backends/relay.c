// SPDX-License-Identifier: Apache-2.0
/* Events between sessions. */
#include "backends/relay.h"

#include <stddef.h>

void relay_open(struct relay *relay)
{
    relay->ended = false;
    relay->event = NULL;
    (void)pthread_mutex_init(&relay->lock, NULL);
    (void)pthread_cond_init(&relay->changed, NULL);
}

void relay_close(struct relay *relay)
{
    (void)pthread_cond_destroy(&relay->changed);
    (void)pthread_mutex_destroy(&relay->lock);
}

void relay_give(struct relay *relay, void *event)
{
    (void)pthread_mutex_lock(&relay->lock);
    if (!relay->ended)
        relay->event = event;
    relay->ended = true;
    (void)pthread_cond_broadcast(&relay->changed);
    (void)pthread_mutex_unlock(&relay->lock);
}

void *relay_await(struct relay *relay)
{
    (void)pthread_mutex_lock(&relay->lock);
    while (!relay->ended)
        (void)pthread_cond_wait(&relay->changed, &relay->lock);
    void *event = relay->event;
    (void)pthread_mutex_unlock(&relay->lock);
    return event;
}
