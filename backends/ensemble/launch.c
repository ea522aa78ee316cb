// SPDX-License-Identifier: Apache-2.0
/* A launch of an ensemble: all members at the same time, on shared memory. */
#include <stdlib.h>
#include <string.h>

#include "backends/ensemble/program.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"

/* The work of each member. */
struct parts {
    struct ensemble_program *program;
    struct backend_launch launches[BACKEND_MAXIMUM_MEMBERS];
    double seconds[BACKEND_MAXIMUM_MEMBERS];
};

static enum status check_launch(const struct ensemble_session *session, const struct backend_launch *launch,
                                struct error *error)
{
    const size_t places = 2 * (session->count + 1);
    if (launch->homes & ~session->device.homes)
        return error_set(error, STATUS_INTERNAL, "a launch names homes %#x of an ensemble that has %#x", launch->homes,
                         session->device.homes);
    if (launch->meeting_words > launch->memory_words)
        return error_set(error, STATUS_INTERNAL, "a launch uses %zu words for meetings, but its memory has only %zu",
                         launch->meeting_words, launch->memory_words);
    if (launch->home_words > 0 &&
        (launch->homes_place > launch->draw_words || launch->draw_words - launch->homes_place < places))
        return error_set(error, STATUS_INTERNAL,
                         "a draw of %zu words has no room for %zu words of homes from word %zu on", launch->draw_words,
                         places, launch->homes_place);
    return STATUS_OK;
}

static enum status grow_memory(struct ensemble_session *session, struct ensemble_program *program,
                               const struct backend_launch *launch, struct error *error)
{
    program->memory.home = session->meeting_home;
    TRY(region_grow(session, &program->memory, launch->memory_words > 0 ? launch->memory_words : 1, error));
    for (unsigned home = 0; home <= session->count; home++) {
        program->homes[home].home = home;
        if (launch->homes >> home & 1)
            TRY(region_grow(session, &program->homes[home], launch->home_words, error));
    }
    return STATUS_OK;
}

/* Fills in the position of each home as that member's kernels see it; members may see the same
 * memory at different addresses. */
static void place_homes(const struct ensemble_session *session, const struct ensemble_program *program,
                        const struct backend_launch *launch, unsigned member, uint32_t *draw)
{
    if (launch->home_words == 0)
        return;
    uint32_t *to = draw + launch->homes_place;
    for (unsigned home = 0; home <= session->count; home++) {
        const bool used = launch->homes >> home & 1;
        const int64_t bytes =
            used ? (int64_t)(program->homes[home].addresses[member] - program->memory.addresses[member]) : 0;
        const uint64_t words = (uint64_t)(bytes / (int64_t)sizeof(uint32_t));
        *to++ = (uint32_t)words;
        *to++ = (uint32_t)(words >> 32);
    }
}

/* How many of the batch's instances belong to groups of earlier members: for backends that count by
 * instances, so that all parts add up. */
static uint64_t instances_before(const struct ensemble_session *session, const struct backend_launch *launch,
                                 unsigned member)
{
    uint64_t before = 0, all = 0;
    for (unsigned i = 0; i < session->count; i++) {
        all += launch->member_groups[i];
        before += i < member ? launch->member_groups[i] : 0;
    }
    return all > 0 ? launch->instances / all * before + launch->instances % all * before / all : 0;
}

void ensemble_copy_draw(const struct ensemble_session *session, const struct ensemble_program *program,
                        const struct backend_launch *launch, unsigned member, const uint32_t *from, uint32_t *to)
{
    if (launch->draw_words > 0)
        memcpy(to, from, launch->draw_words * sizeof *to);
    place_homes(session, program, launch, member, to);
}

struct backend_launch ensemble_part_of(const struct ensemble_session *session, const struct ensemble_program *program,
                                       const struct backend_launch *launch, unsigned member)
{
    struct backend_launch part = *launch;
    part.groups = launch->member_groups[member];
    part.memory_address = program->memory.addresses[member];
    part.counters = launch->read_words > 0 ? launch->counters + member * launch->read_words : launch->counters;
    part.instances = instances_before(session, launch, member + 1) - instances_before(session, launch, member);
    if (member > 0)
        part.seed = random_mix(launch->seed ^ member); /* so that equal members draw differently */
    return part;
}

static enum status reserve_work(struct member *member, void *argument, struct error *error)
{
    const struct parts *parts = argument;
    return member->backend->reserve
               ? member->backend->reserve(member->session, parts->program->programs[member->number],
                                          &parts->launches[member->number], error)
               : STATUS_OK;
}

static enum status launch_work(struct member *member, void *argument, struct error *error)
{
    struct parts *parts = argument;
    const struct backend_launch *launch = &parts->launches[member->number];
    if (launch->groups == 0) {
        if (launch->read_words > 0)
            memset(launch->counters, 0, launch->read_words * sizeof *launch->counters);
        return STATUS_OK;
    }
    return member->backend->launch(member->session, parts->program->programs[member->number], launch,
                                   &parts->seconds[member->number], error);
}

double ensemble_seconds(const struct ensemble_session *session, const double *seconds, double start)
{
    double longest = 0;
    bool invented = true;
    for (size_t i = 0; i < session->count; i++) {
        invented &= session->members[i].backend->invents_seconds;
        longest = seconds[i] > longest ? seconds[i] : longest;
    }
    return invented ? longest : clock_seconds() - start;
}

enum status ensemble_prepare(struct ensemble_session *session, struct ensemble_program *program,
                             const struct backend_launch *launch, struct error *error)
{
    TRY(check_launch(session, launch, error));
    TRY(grow_memory(session, program, launch, error));
    return region_zero(session, &program->memory, launch->meeting_words, error);
}

enum status ensemble_launch(struct backend_session *opened, struct backend_program *built,
                            const struct backend_launch *launch, double *seconds, struct error *error)
{
    struct ensemble_session *session = ensemble_session(opened);
    struct ensemble_program *program = ensemble_program(built);
    const double start = clock_seconds();
    struct parts parts = {.program = program};
    *seconds = 0;
    TRY(ensemble_prepare(session, program, launch, error));
    uint32_t *draws = memory_take(session->count * (launch->draw_words + 1), sizeof *draws);
    for (unsigned i = 0; i < session->count; i++) {
        uint32_t *draw = draws + i * launch->draw_words;
        ensemble_copy_draw(session, program, launch, i, launch->draw, draw);
        parts.launches[i] = ensemble_part_of(session, program, launch, i);
        parts.launches[i].draw = draw;
    }
    enum status status = members_do(session->members, session->count, reserve_work, &parts, error);
    if (status == STATUS_OK)
        status = members_do(session->members, session->count, launch_work, &parts, error);
    *seconds = ensemble_seconds(session, parts.seconds, start);
    free(draws);
    return status;
}
