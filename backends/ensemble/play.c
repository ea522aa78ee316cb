// SPDX-License-Identifier: Apache-2.0
/*
 * Launches and plays of an ensemble, on memory that all members reach.
 *
 * In a play each member plays its own steps and their edges. If the host orders steps of different members, it waits
 * until the first has ended before it gives the next member its steps. So the steps are split into phases that follow
 * each other; in each phase all members play at the same time, and relays pass events between them.
 */
#include "backends/driver.h"
#include "backends/ensemble/session.h"
#include "backends/steps.h"
#include "base/random.h"

/* ---- memory that all members reach ---- */

static enum status share_work(struct member *member, void *argument, struct error *error)
{
    struct region *region = argument;
    if (!member->backend->share)
        return error_set(error, STATUS_UNSUPPORTED, "%s devices cannot share memory with other devices",
                         member->backend->title);
    TRY(member->backend->share(member->session, region->words * sizeof(uint32_t), &region->shared, error));
    region->addresses[member->number] = region->shared.address;
    return STATUS_OK;
}

static enum status reach_work(struct member *member, void *argument, struct error *error)
{
    struct region *region = argument;
    if (!member->backend->reach)
        return error_set(error, STATUS_UNSUPPORTED, "%s devices cannot reach memory of other devices",
                         member->backend->title);
    return member->backend->reach(member->session, &region->shared, &region->addresses[member->number], error);
}

static enum status forget_work(struct member *member, void *argument, UNUSED struct error *error)
{
    const struct region *region = argument;
    member->backend->forget(member->session, &region->shared);
    return STATUS_OK;
}

static enum status make_home(struct ensemble_session *session, struct region *region, struct error *error)
{
    const size_t bytes = region->words * sizeof(uint32_t);
    if (region->home < session->count) {
        TRY(member_do(&session->members[region->home], share_work, region, error));
        region->reached |= 1u << region->home;
        return STATUS_OK;
    }
    region->shared = (struct backend_shared){.host = host_memory_take(bytes), .bytes = bytes};
    return region->shared.host ? STATUS_OK
                               : error_set(error, STATUS_SYSTEM, "the host has no memory left for %zu bytes", bytes);
}

static enum status make_region(struct ensemble_session *session, struct region *region, struct error *error)
{
    TRY(make_home(session, region, error));
    for (unsigned i = 0; i < session->count; i++) {
        if (i == region->home)
            continue;
        TRY(member_do(&session->members[i], reach_work, region, error));
        region->reached |= 1u << i;
    }
    return STATUS_OK;
}

/* The owner forgets last. */
void region_release(struct ensemble_session *session, struct region *region)
{
    for (unsigned i = 0; i < session->count; i++)
        if (i != region->home && (region->reached >> i & 1))
            (void)member_do(&session->members[i], forget_work, region, NULL);
    if (region->home < session->count && (region->reached >> region->home & 1))
        (void)member_do(&session->members[region->home], forget_work, region, NULL);
    if (region->home == session->count)
        host_memory_release(region->shared.host, region->shared.bytes);
    *region = (struct region){.home = region->home};
}

enum status region_grow(struct ensemble_session *session, struct region *region, size_t words, struct error *error)
{
    if (words <= region->words)
        return STATUS_OK;
    region_release(session, region);
    region->words = words;
    const enum status status = make_region(session, region, error);
    if (status != STATUS_OK)
        region_release(session, region);
    return status;
}

struct zeroing {
    uint64_t address;
    size_t words;
};

static enum status zero_work(struct member *member, void *argument, struct error *error)
{
    const struct zeroing *zeroing = argument;
    return member->backend->zero_shared(member->session, zeroing->address, zeroing->words, error);
}

struct description {
    const struct region *region;
    struct text *text;
    bool atomic;
};

static enum status describe_work(struct member *member, void *argument, UNUSED struct error *error)
{
    struct description *description = argument;
    description->atomic =
        member->backend->describe_link(member->session, &description->region->shared, description->text);
    return STATUS_OK;
}

bool region_describe_link(struct ensemble_session *session, const struct region *region, unsigned member,
                          struct text *text)
{
    struct description description = {.region = region, .text = text};
    (void)member_do(&session->members[member], describe_work, &description, NULL);
    return description.atomic;
}

/* ---- a launch ---- */

/* The work of each member. */
struct parts {
    struct ensemble_program *program;
    struct backend_launch launches[BACKEND_MAXIMUM_MEMBERS];
    double seconds[BACKEND_MAXIMUM_MEMBERS];
};

/* Fills in the member's number, and the position of each home as its kernels see it: members may see the same memory
 * at different addresses. */
static void fill_home_words(const struct ensemble_session *session, const struct ensemble_program *program,
                            const struct backend_launch *launch, unsigned member, uint32_t *draw)
{
    uint32_t *to = draw + launch->homes_place;
    if (launch->draw_words == 0)
        return;
    *to++ = member;
    for (unsigned home = 0; home <= session->count; home++) {
        const bool used = launch->homes >> home & 1;
        const int64_t bytes =
            used ? (int64_t)(program->homes[home].addresses[member] - program->memory.addresses[member]) : 0;
        const uint64_t words = (uint64_t)(bytes / (int64_t)sizeof(uint32_t));
        *to++ = (uint32_t)words;
        *to++ = (uint32_t)(words >> 32);
    }
}

/* How many of the batch's instances belong to groups of earlier members: for backends that count by instances, so that
 * all parts add up. */
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

static void ensemble_copy_draw(const struct ensemble_session *session, const struct ensemble_program *program,
                               const struct backend_launch *launch, unsigned member, const uint32_t *from, uint32_t *to)
{
    if (launch->draw_words > 0)
        memcpy(to, from, launch->draw_words * sizeof *to);
    fill_home_words(session, program, launch, member, to);
}

/* The launch that one member gets, without its draw. ensemble_copy_draw makes the draw from the ensemble's: draw_words
 * of it, with the homes at that member's addresses. */
static struct backend_launch ensemble_part_of(const struct ensemble_session *session,
                                              const struct ensemble_program *program,
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

/* The duration of a launch that began at `start`, given the seconds that its members reported. If all members invent
 * them, so does the ensemble: it is the longest. */
static double ensemble_seconds(const struct ensemble_session *session, const double *seconds, double start)
{
    double longest = 0;
    bool invented = true;
    for (size_t i = 0; i < session->count; i++) {
        invented &= session->members[i].backend->invents_seconds;
        longest = seconds[i] > longest ? seconds[i] : longest;
    }
    return invented ? longest : clock_seconds() - start;
}

/* Creates the memory that a launch needs, and zeroes the words where members meet. */
static enum status ensemble_prepare(struct ensemble_session *session, struct ensemble_program *program,
                                    const struct backend_launch *launch, struct error *error)
{
    const size_t places = BACKEND_HOME_WORDS(session->count);
    if (launch->homes & ~session->device.homes)
        return error_set(error, STATUS_INTERNAL, "a launch names homes %#x of an ensemble that has %#x", launch->homes,
                         session->device.homes);
    if (launch->meeting_words > launch->memory_words)
        return error_set(error, STATUS_INTERNAL, "a launch uses %zu words for meetings, but its memory has only %zu",
                         launch->meeting_words, launch->memory_words);
    if (launch->draw_words > 0 &&
        (launch->homes_place > launch->draw_words || launch->draw_words - launch->homes_place < places))
        return error_set(error, STATUS_INTERNAL,
                         "a draw of %zu words has no room for %zu words about homes from word %zu on",
                         launch->draw_words, places, launch->homes_place);
    program->memory.home = session->meeting_home;
    TRY(region_grow(session, &program->memory, launch->memory_words > 0 ? launch->memory_words : 1, error));
    for (unsigned home = 0; home <= session->count; home++) {
        program->homes[home].home = home;
        if (launch->homes >> home & 1)
            TRY(region_grow(session, &program->homes[home], launch->home_words, error));
    }
    struct zeroing zeroing = {.words = launch->meeting_words};
    if (launch->meeting_words == 0)
        return STATUS_OK;
    if (program->memory.shared.host) {
        memset(program->memory.shared.host, 0, launch->meeting_words * sizeof(uint32_t));
        return STATUS_OK;
    }
    zeroing.address = program->memory.shared.address;
    return member_do(&session->members[program->memory.home], zero_work, &zeroing, error);
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
    FREED uint32_t *draws = memory_take(session->count * (launch->draw_words + 1), sizeof *draws);
    for (unsigned i = 0; i < session->count; i++) {
        uint32_t *draw = draws + i * launch->draw_words;
        ensemble_copy_draw(session, program, launch, i, launch->draw, draw);
        parts.launches[i] = ensemble_part_of(session, program, launch, i);
        parts.launches[i].draw = draw;
    }
    enum status status = members_do(session->members, session->count, reserve_work, &parts, error);
    THEN(status, members_do(session->members, session->count, launch_work, &parts, error));
    *seconds = ensemble_seconds(session, parts.seconds, start);
    return status;
}

/* ---- a play ---- */

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

/* Whether the later step waits for an event of the earlier one, which belongs to another member and the same phase. */
static bool awaits(const struct phases *phases, unsigned later, unsigned earlier)
{
    const struct backend_step *step = &phases->steps[later];
    return (step->after >> earlier & 1) && step->edges[earlier] == LAUNCH_EDGE_EVENT &&
           step->member != phases->steps[earlier].member;
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
        unsigned count = 0;
        for (unsigned k = 0; k < i; k++)
            if (awaits(phases, i, k))
                step->awaits[count++] = &phases->relays[k];
        for (unsigned later = i + 1; later < phases->count; later++)
            if (awaits(phases, later, i))
                step->gives = &phases->relays[i];
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

/* A copy of each step's draw, with homes as its member sees them. The caller frees the copies, which are one
 * allocation. */
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
    if (status != STATUS_OK) {
        /* The first failure is kept: it caused the failures of members that waited for that member. */
        (void)pthread_mutex_lock(&work->lock);
        if (work->cause.status == STATUS_OK) {
            work->cause = *error;
            work->cause.status = status;
        }
        (void)pthread_mutex_unlock(&work->lock);
    }
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
    /* A step is in a later phase than the steps of other members for which the host waits. */
    for (unsigned i = 0; i < phases.count; i++)
        for (unsigned k = 0; k < i; k++)
            if (phases.steps[i].after >> k & 1) {
                const bool waits =
                    phases.steps[i].member != phases.steps[k].member && phases.steps[i].edges[k] == LAUNCH_EDGE_HOST;
                const unsigned least = phases.phase[k] + waits;
                phases.phase[i] = phases.phase[i] > least ? phases.phase[i] : least;
            }
    TRY(check_phases(&phases, error));
    TRY(ensemble_prepare(session, program, launch, error));
    fill_launches(session, program, launch, &phases);
    TRY(check_shares(session, &phases, error));
    FREED uint32_t *draws = copy_draws(session, program, launch, &phases);
    for (unsigned k = 0; k < phases.count; k++)
        relay_open(&phases.relays[k]);
    const enum status status = play_phases(session, program, &phases, seconds, error);
    for (unsigned k = 0; k < phases.count; k++)
        relay_close(&phases.relays[k]);
    return status;
}
