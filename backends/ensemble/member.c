// SPDX-License-Identifier: Apache-2.0
/* The threads of members. */
#include "backends/ensemble/session.h"

static void *member_serve(void *argument)
{
    struct member *member = argument;
    (void)pthread_mutex_lock(&member->lock);
    while (member->state != MEMBER_ENDING) {
        if (member->state == MEMBER_BUSY) {
            struct error error = {0};
            (void)pthread_mutex_unlock(&member->lock);
            const enum status status = member->work(member, member->argument, &error);
            (void)pthread_mutex_lock(&member->lock);
            member->status = status;
            member->error = error;
            member->state = MEMBER_IDLE;
            (void)pthread_cond_broadcast(&member->changed);
        } else {
            (void)pthread_cond_wait(&member->changed, &member->lock);
        }
    }
    (void)pthread_mutex_unlock(&member->lock);
    return NULL;
}

enum status member_start(struct member *member, struct error *error)
{
    member->state = MEMBER_IDLE;
    (void)pthread_mutex_init(&member->lock, NULL);
    (void)pthread_cond_init(&member->changed, NULL);
    const int code = pthread_create(&member->thread, NULL, member_serve, member);
    if (code != 0) {
        (void)pthread_mutex_destroy(&member->lock);
        (void)pthread_cond_destroy(&member->changed);
        return error_set(error, STATUS_SYSTEM, "cannot start a thread for member %u of the ensemble: %s",
                         member->number, strerror(code));
    }
    member->started = true;
    return STATUS_OK;
}

static void set_state(struct member *member, enum member_state state)
{
    (void)pthread_mutex_lock(&member->lock);
    member->state = state;
    (void)pthread_cond_broadcast(&member->changed);
    (void)pthread_mutex_unlock(&member->lock);
}

void member_end(struct member *member)
{
    if (!member->started)
        return;
    set_state(member, MEMBER_ENDING);
    (void)pthread_join(member->thread, NULL);
    (void)pthread_mutex_destroy(&member->lock);
    (void)pthread_cond_destroy(&member->changed);
    member->started = false;
}

/* Hands over work; the member must be idle. */
static void member_begin(struct member *member, member_work *work, void *argument)
{
    member->work = work;
    member->argument = argument;
    set_state(member, MEMBER_BUSY);
}

/* Waits until the work ends. */
static enum status member_wait(struct member *member, struct error *error)
{
    (void)pthread_mutex_lock(&member->lock);
    while (member->state == MEMBER_BUSY)
        (void)pthread_cond_wait(&member->changed, &member->lock);
    const enum status status = member->status;
    if (status != STATUS_OK && error)
        *error = member->error;
    (void)pthread_mutex_unlock(&member->lock);
    return status;
}

enum status member_do(struct member *member, member_work *work, void *argument, struct error *error)
{
    member_begin(member, work, argument);
    return member_wait(member, error);
}

enum status members_do(struct member *members, size_t count, member_work *work, void *argument, struct error *error)
{
    enum status worst = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        member_begin(&members[i], work, argument);
    for (size_t i = 0; i < count; i++) {
        struct error own = {0};
        const enum status status = member_wait(&members[i], &own);
        if (status == STATUS_OK ||
            (worst != STATUS_OK && (status != STATUS_DEVICE_LOST || worst == STATUS_DEVICE_LOST)))
            continue;
        worst = status;
        if (error)
            *error = own;
    }
    return worst;
}
