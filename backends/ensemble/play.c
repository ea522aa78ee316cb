// SPDX-License-Identifier: Apache-2.0
/*
 * A play of an ensemble. Each member plays its own steps and their edges. If the host orders steps
 * of different members, it waits until the first has ended before it gives the next member its
 * steps. So the steps are split into phases that follow each other; in each phase all members play
 * at the same time, and relays pass events between them.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/ensemble/program.h"
#include "backends/relay.h"
#include "backends/steps.h"
#include "base/clock.h"
#include "base/memory.h"

/* The steps of one member in one phase. */
struct phase_share {
    struct backend_launch launch;
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    unsigned numbers[BACKEND_MAXIMUM_STEPS]; /* in the ensemble's play */
    size_t count;
};

struct phases {
    const struct backend_step *steps;
    unsigned count;                             /* of the steps */
    unsigned before[BACKEND_MAXIMUM_STEPS];     /* bit k: step k ends before this one begins */
    unsigned phase[BACKEND_MAXIMUM_STEPS];      /* of each step, from 0 */
    struct relay relays[BACKEND_MAXIMUM_STEPS]; /* for the event of each step */
    struct phase_share shares[BACKEND_MAXIMUM_STEPS][BACKEND_MAXIMUM_MEMBERS]; /* of each phase */
};

/* The work of the members in a phase. */
struct phase_work {
    struct ensemble_program *program;
    struct phases *phases;
    unsigned phase;
    double seconds[BACKEND_MAXIMUM_MEMBERS];
    pthread_mutex_t lock; /* of the fields below */
    struct error cause;   /* the failure that came first, or STATUS_OK */
};

unsigned ensemble_edges(const struct ensemble_session *session)
{
    const struct backend *first = session->members[0].backend;
    bool relay = first->relays_events;
    for (size_t i = 0; i < session->count; i++) {
        if (!session->members[i].backend->play)
            return 0;
        relay &= session->members[i].backend == first;
    }
    return relay ? STEPS_BESIDE | STEPS_HOST | STEPS_EVENT : STEPS_BESIDE | STEPS_HOST;
}

/* All members that steps name have groups, and the ensemble has the edges between them. */
static enum status check_steps(const struct ensemble_session *session, const struct backend_launch *launch,
                               const struct backend_step *steps, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (steps[i].member >= session->count || launch->member_groups[steps[i].member] == 0)
            return error_set(error, STATUS_INTERNAL, "step %zu of a play is for member %u, which has no groups", i,
                             steps[i].member);
        for (size_t k = 0; k < i; k++)
            if ((steps[i].after >> k & 1) && steps[i].member != steps[k].member &&
                !(session->device.edges >> steps[i].edges[k] & 1))
                return error_set(error, STATUS_UNSUPPORTED, "%s has no '%s' between launches of different members",
                                 session->device.name, launch_edge_word(steps[i].edges[k]));
    }
    return STATUS_OK;
}

/* A step is in a later phase than the steps of other members for which the host waits. */
static void find_phases(struct phases *phases)
{
    for (unsigned i = 0; i < phases->count; i++)
        for (unsigned k = 0; k < i; k++)
            if (phases->steps[i].after >> k & 1) {
                const bool waits =
                    phases->steps[i].member != phases->steps[k].member && phases->steps[i].edges[k] == LAUNCH_EDGE_HOST;
                const unsigned least = phases->phase[k] + waits;
                phases->phase[i] = phases->phase[i] > least ? phases->phase[i] : least;
            }
}

/* Phases are separated by host waits only. */
static enum status check_phases(const struct phases *phases, struct error *error)
{
    for (unsigned i = 0; i < phases->count; i++)
        for (unsigned k = 0; k < i; k++) {
            if (phases->phase[i] == phases->phase[k])
                continue;
            if (!(phases->before[i] >> k & 1))
                return error_set(
                    error, STATUS_UNSUPPORTED,
                    "nothing orders launches %u and %u, but the host waits for one of them before it starts the other",
                    k, i);
            if ((phases->steps[i].after >> k & 1) && phases->steps[i].edges[k] != LAUNCH_EDGE_HOST)
                return error_set(error, STATUS_UNSUPPORTED,
                                 "launch %u comes after launch %u by '%s', but the host waits for another member "
                                 "between them",
                                 i, k, launch_edge_word(phases->steps[i].edges[k]));
        }
    return STATUS_OK;
}

/* Whether the later step waits for an event of the earlier one, which belongs to another member and
 * the same phase. */
static bool awaits(const struct phases *phases, unsigned later, unsigned earlier)
{
    const struct backend_step *step = &phases->steps[later];
    return (step->after >> earlier & 1) && step->edges[earlier] == LAUNCH_EDGE_EVENT &&
           step->member != phases->steps[earlier].member;
}

static void fill_relays(struct phases *phases, unsigned number, struct backend_step *step)
{
    unsigned count = 0;
    for (unsigned k = 0; k < number; k++)
        if (awaits(phases, number, k))
            step->awaits[count++] = &phases->relays[k];
    for (unsigned later = number + 1; later < phases->count; later++)
        if (awaits(phases, later, number))
            step->gives = &phases->relays[number];
}

/* Edges between steps of one member in the same phase belong to that member's play. */
static void fill_share(struct phases *phases, unsigned phase, unsigned member, struct phase_share *share)
{
    for (unsigned i = 0; i < phases->count; i++) {
        if (phases->phase[i] != phase || phases->steps[i].member != member)
            continue;
        struct backend_step *step = &share->steps[share->count];
        step->draw = phases->steps[i].draw;
        for (unsigned k = 0; k < share->count; k++)
            if (phases->steps[i].after >> share->numbers[k] & 1) {
                step->after |= 1u << k;
                step->edges[k] = phases->steps[i].edges[share->numbers[k]];
            }
        fill_relays(phases, i, step);
        share->numbers[share->count++] = i;
    }
}

/* Whether some two steps of a member are unordered, even through steps of others. */
static bool has_beside(const struct phases *phases, unsigned member)
{
    for (unsigned i = 0; i < phases->count; i++)
        for (unsigned k = 0; k < i; k++)
            if (phases->steps[i].member == member && phases->steps[k].member == member && !(phases->before[i] >> k & 1))
                return true;
    return false;
}

/* Counters are cleared before a member's first step and read after its last. */
static void fill_launches(const struct ensemble_session *session, const struct ensemble_program *program,
                          const struct backend_launch *launch, struct phases *phases)
{
    for (unsigned member = 0; member < session->count; member++) {
        struct phase_share *last = NULL;
        for (unsigned phase = 0; phase < phases->count; phase++) {
            struct phase_share *share = &phases->shares[phase][member];
            fill_share(phases, phase, member, share);
            if (share->count == 0)
                continue;
            share->launch = ensemble_part_of(session, program, launch, member);
            share->launch.clear_counters = launch->clear_counters && !last;
            share->launch.beside = has_beside(phases, member);
            share->launch.read_words = 0;
            last = share;
        }
        if (last)
            last->launch.read_words = launch->read_words;
        else if (launch->read_words > 0)
            memset(launch->counters + member * launch->read_words, 0, launch->read_words * sizeof *launch->counters);
    }
}

/* Steps that a member would refuse are refused before anything runs. */
static enum status check_shares(const struct ensemble_session *session, const struct phases *phases,
                                struct error *error)
{
    for (unsigned phase = 0; phase < phases->count; phase++)
        for (unsigned member = 0; member < session->count; member++) {
            const struct phase_share *share = &phases->shares[phase][member];
            struct steps_plan plan;
            if (share->count > 0)
                TRY(steps_plan(&session->members[member].device, &share->launch, share->steps, share->count, &plan,
                               error));
        }
    return STATUS_OK;
}

/* A copy of each step's draw, with homes as its member sees them. The caller frees the copies,
 * which are one allocation. */
static uint32_t *copy_draws(const struct ensemble_session *session, const struct ensemble_program *program,
                            const struct backend_launch *launch, struct phases *phases)
{
    uint32_t *draws = memory_take(phases->count * launch->draw_words + 1, sizeof *draws), *to = draws;
    for (unsigned phase = 0; phase < phases->count; phase++)
        for (unsigned member = 0; member < session->count; member++) {
            struct phase_share *share = &phases->shares[phase][member];
            for (size_t i = 0; i < share->count; i++, to += launch->draw_words) {
                ensemble_copy_draw(session, program, launch, member, share->steps[i].draw, to);
                share->steps[i].draw = to;
            }
        }
    return draws;
}

/* Keeps the first failure: it caused the failures of members that waited for that member. */
static void note_failure(struct phase_work *work, enum status status, const struct error *error)
{
    (void)pthread_mutex_lock(&work->lock);
    if (work->cause.status == STATUS_OK) {
        work->cause = *error;
        work->cause.status = status;
    }
    (void)pthread_mutex_unlock(&work->lock);
}

/* Whatever the result, nobody is left waiting for this member. */
static enum status play_work(struct member *member, void *argument, struct error *error)
{
    struct phase_work *work = argument;
    const struct phase_share *share = &work->phases->shares[work->phase][member->number];
    if (share->count == 0)
        return STATUS_OK;
    const enum status status =
        member->backend->play(member->session, work->program->programs[member->number], &share->launch, share->steps,
                              share->count, &work->seconds[member->number], error);
    if (status != STATUS_OK)
        note_failure(work, status, error);
    for (size_t i = 0; i < share->count; i++)
        relay_give(&work->phases->relays[share->numbers[i]], NULL);
    return status;
}

/* A lost device takes precedence over all other failures. */
static enum status play_phase(struct ensemble_session *session, struct phase_work *work, struct error *error)
{
    (void)pthread_mutex_init(&work->lock, NULL);
    enum status status = members_do(session->members, session->count, play_work, work, error);
    (void)pthread_mutex_destroy(&work->lock);
    if (status != STATUS_OK && status != STATUS_DEVICE_LOST) {
        status = work->cause.status;
        if (error)
            *error = work->cause;
    }
    return status;
}

static enum status play_phases(struct ensemble_session *session, struct ensemble_program *program,
                               struct phases *phases, double *seconds, struct error *error)
{
    enum status status = STATUS_OK;
    for (unsigned phase = 0; phase < phases->count && status == STATUS_OK; phase++) {
        const double start = clock_seconds();
        struct phase_work work = {.program = program, .phases = phases, .phase = phase};
        status = play_phase(session, &work, error);
        *seconds += ensemble_seconds(session, work.seconds, start);
    }
    return status;
}

enum status ensemble_play(struct backend_session *opened, struct backend_program *built,
                          const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                          double *seconds, struct error *error)
{
    struct ensemble_session *session = ensemble_session(opened);
    struct ensemble_program *program = ensemble_program(built);
    struct phases phases = {.steps = steps, .count = (unsigned)count};
    *seconds = 0;
    TRY(steps_check(steps, count, error));
    TRY(check_steps(session, launch, steps, count, error));
    steps_find_orders(steps, count, phases.before);
    find_phases(&phases);
    TRY(check_phases(&phases, error));
    TRY(ensemble_prepare(session, program, launch, error));
    fill_launches(session, program, launch, &phases);
    TRY(check_shares(session, &phases, error));
    uint32_t *draws = copy_draws(session, program, launch, &phases);
    for (unsigned k = 0; k < phases.count; k++)
        relay_open(&phases.relays[k]);
    const enum status status = play_phases(session, program, &phases, seconds, error);
    for (unsigned k = 0; k < phases.count; k++)
        relay_close(&phases.relays[k]);
    free(draws);
    return status;
}
