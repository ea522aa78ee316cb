// SPDX-License-Identifier: Apache-2.0
/* Checking a worker's messages. */
#include "runner/supervise/claims.h"

#include "kernel/kernel.h"
#include "runner/environment/environment.h"

/* The clocks of two processes agree; a device's timer and rounding add less than this. */
static const double clock_slack = 1;     /* seconds */
static const double invented_most = 1e6; /* seconds: eleven days */
static const double order_slack = 1e-3;  /* seconds by which a batch may seem to begin early */

enum {
    BATCH_INSTANCES_MAXIMUM = INT32_MAX, /* the limit of a draw's rounds: a device counts in words of 32 bits */
    BATCH_OUTCOMES_MAXIMUM = 64 * 1024,  /* more than the bins and the table of any kernel hold */
    INVALID_MAXIMUM = 1024,              /* bytes of the reason why a batch is invalid */
    OBJECT_MAXIMUM = 64 * 1024           /* bytes of a draw or a liveness */
};

/* INTERNAL; *error says why the message is invalid. */
#define DISBELIEVE(error, ...) error_set((error), STATUS_INTERNAL, "invalid message from the worker: " __VA_ARGS__)

/* ---- numbers ---- */

static bool is_count(const json_t *json)
{
    return json_is_integer(json) && json_integer_value(json) >= 0 && json_integer_value(json) <= UINT32_MAX;
}

/* Whether something can have taken this many seconds since the order was given. */
static bool is_possible(const struct claims *claims, double seconds, double now)
{
    return seconds >= 0 && seconds <= now - claims->since + clock_slack;
}

/* The same of a batch, whose seconds a backend may invent. */
static bool is_possible_batch(const struct claims *claims, double seconds, double now)
{
    return claims->invents_seconds ? seconds >= 0 && seconds <= invented_most : is_possible(claims, seconds, now);
}

/* ---- the objects in a batch ---- */

static json_t *read_object(const char *text)
{
    json_t *object = strlen(text) <= OBJECT_MAXIMUM ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (json_is_object(object))
        return object;
    json_decref(object);
    return NULL;
}

/* Whether the object has these members, each a count, and `others` other members. */
static bool has_counts(const json_t *object, const char *const *members, size_t count, size_t others)
{
    if (ANY_OF(member, members, count, !is_count(json_object_get(object, *member))))
        return false;
    return json_object_size(object) == count + others;
}

static bool is_hash(const char *text)
{
    return text && strlen(text) == HASH_HEX_SIZE - 1 && strspn(text, "0123456789abcdef") == HASH_HEX_SIZE - 1;
}

/* Whether these are the homes of the test's locations, each a member's number or the host. */
static bool are_homes(const json_t *homes, const struct litmus_test *test)
{
    void *at = json_object_iter((json_t *)(uintptr_t)homes);
    bool good = at != NULL;
    for (; at && good; at = json_object_iter_next((json_t *)(uintptr_t)homes, at)) {
        const char *name = json_object_iter_key(at), *home = json_string_value(json_object_iter_value(at));
        const bool known = ANY_OF(location, test->locations, test->location_count, strcmp(location->name, name) == 0);
        good = known && home && environment_is_home(home);
    }
    return good;
}

/* Whether this is an order of the test's launches, each launch once. */
static bool is_order(const json_t *order, const struct litmus_test *test)
{
    struct litmus_launches launches;
    struct error ignored;
    unsigned seen = 0;
    if (litmus_find_launches(test, &launches, &ignored) != STATUS_OK || json_array_size(order) != launches.count)
        return false;
    for (size_t i = 0; i < launches.count; i++) {
        const json_t *launch = json_array_get(order, i);
        if (!is_count(launch) || json_integer_value(launch) >= launches.count)
            return false;
        seen |= 1U << json_integer_value(launch);
    }
    return seen == (1U << launches.count) - 1;
}

/* Reads a batch's launch arguments; *instances: the most instances that they allow. */
static bool read_draw(const char *text, const struct litmus_test *test, uint64_t *instances)
{
#define NAME(name, ...) #name,
    static const char *const members[] = {"groups", "testing_groups", "items", "played_rounds", ENVIRONMENT_LIST(NAME)};
#undef NAME
    static const char *const factors[] = {"testing_groups", "items", "played_rounds", "item_instances"};
    json_auto_t *draw = read_object(text);
    const json_t *homes = json_object_get(draw, "homes"), *order = json_object_get(draw, "order");
    const size_t others = 2U + (homes != NULL) + (order != NULL);
    const bool good = draw && has_counts(draw, members, COUNT(members), others) && (!homes || are_homes(homes, test)) &&
                      (order != NULL) == (test->edge_count > 0) && (!order || is_order(order, test)) &&
                      json_is_boolean(json_object_get(draw, "detached")) &&
                      is_hash(json_string_value(json_object_get(draw, "arguments_hash")));
    *instances = 1;
    for (size_t i = 0; i < COUNT(factors); i++) {
        const uint64_t factor = (uint64_t)json_integer_value(json_object_get(draw, factors[i]));
        if (__builtin_mul_overflow(*instances, factor, instances))
            *instances = UINT64_MAX;
    }
    return good;
}

static bool is_liveness(const char *text, const struct litmus_test *test)
{
#define LABEL(name, counter, parameter, title, label) label,
    static const char *const members[] = {"rounds", "left", MECHANISM_LIST(LABEL)};
#undef LABEL
    json_auto_t *liveness = read_object(text);
    const bool launches = test->edge_count > 0;
    return liveness && has_counts(liveness, members, COUNT(members), launches) &&
           (!launches || is_count(json_object_get(liveness, BATCH_OVERLAPPED)));
}

/* ---- counts ---- */

ORDERED_BY(by_label, const char *const, strcmp(*a, *b))

static bool are_distinct(const struct count *counts, size_t count)
{
    bool distinct = true;
    FREED const char **labels = memory_take(count, sizeof *labels);
    for (size_t i = 0; i < count; i++)
        labels[i] = counts[i].label;
    qsort(labels, count, sizeof *labels, by_label);
    for (size_t i = 1; i < count && distinct; i++)
        distinct = strcmp(labels[i - 1], labels[i]) != 0;
    return distinct;
}

/* Adds up the counts; false if one is 0 or the sum overflows. */
static bool add_up(const struct count *counts, size_t count, uint64_t *sum)
{
    return !ANY_OF(one, counts, count, one->count == 0 || __builtin_add_overflow(*sum, one->count, sum));
}

/* Whether each value is in the range of its variable's type. */
static bool are_values(const struct litmus_test *test, const int64_t *values)
{
    for (size_t i = 0; i < test->variable_count; i++) {
        const enum litmus_type type = litmus_variable_type(test, &test->variables[i]);
        if (!litmus_type_is_float(type) && litmus_wrap(type, values[i]) != values[i])
            return false;
    }
    return true;
}

static enum status check_outcomes(const struct litmus_test *test, const struct batch *batch, struct error *error)
{
    enum status status = STATUS_OK;
    if (batch->outcome_count > BATCH_OUTCOMES_MAXIMUM || !are_distinct(batch->outcomes, batch->outcome_count))
        return DISBELIEVE(error, "batch %" PRIu64 " has an outcome twice, or more outcomes than a kernel can count",
                          batch->number);
    FREED int64_t *values = memory_take(test->variable_count, sizeof *values);
    for (size_t i = 0; i < batch->outcome_count && status == STATUS_OK; i++) {
        const struct count *outcome = &batch->outcomes[i];
        if (!litmus_label_read(test, outcome->label, values) || !are_values(test, values) ||
            !litmus_passes_filter(test, values))
            status = DISBELIEVE(error, "batch %" PRIu64 " has an outcome that the test does not have", batch->number);
        else if (outcome->witness != litmus_is_witness(test, values))
            status = DISBELIEVE(error, "batch %" PRIu64 " marks an outcome wrongly as a witness, or misses a witness",
                                batch->number);
    }
    return status;
}

/* ---- a batch ---- */

static enum status check_place(const struct claims *claims, const struct batch *batch, struct error *error)
{
    if (batch->number != claims->batches)
        return DISBELIEVE(error, "found batch %" PRIu64 ", expected batch %" PRIu64, batch->number, claims->batches);
    if (claims->job->extent.instances > 0 && claims->instances >= claims->job->extent.instances)
        return DISBELIEVE(error, "batch %" PRIu64 " is one batch too many: the job already had all its instances",
                          batch->number);
    return STATUS_OK;
}

static enum status check_instances(const struct claims *claims, const struct batch *batch, struct error *error)
{
    uint64_t room, all;
    if (!read_draw(batch->draw, claims->job->test, &room) || !is_liveness(batch->liveness, claims->job->test))
        return DISBELIEVE(error, "the draw or the liveness of batch %" PRIu64 " is malformed", batch->number);
    if (batch->instances == 0 || batch->instances > BATCH_INSTANCES_MAXIMUM || batch->instances > room ||
        __builtin_add_overflow(claims->instances, batch->instances, &all) || all > INT64_MAX)
        return DISBELIEVE(error, "batch %" PRIu64 " cannot have %" PRIu64 " instances", batch->number,
                          batch->instances);
    return STATUS_OK;
}

static enum status check_times(const struct claims *claims, const struct batch *batch, double now, struct error *error)
{
    if (!is_possible_batch(claims, batch->seconds, now))
        return DISBELIEVE(error, "batch %" PRIu64 " cannot have taken %g s", batch->number, batch->seconds);
    if (batch->started < claims->started - order_slack ||
        !is_possible_batch(claims, fmax(0, batch->started - claims->job->done_seconds), now))
        return DISBELIEVE(error, "batch %" PRIu64 " cannot have begun after %g s", batch->number, batch->started);
    return STATUS_OK;
}

static enum status check_batch(const struct claims *claims, const struct batch *batch, double now, struct error *error)
{
    TRY(check_place(claims, batch, error));
    TRY(check_instances(claims, batch, error));
    TRY(check_times(claims, batch, now, error));
    if (batch->invalid && (batch->invalid[0] == '\0' || strlen(batch->invalid) > INVALID_MAXIMUM))
        return DISBELIEVE(error, "batch %" PRIu64 " is invalid without a reason, or with one too long", batch->number);
    TRY(check_outcomes(claims->job->test, batch, error));
    bool known = batch->void_count <= VOID_REASON_COUNT && are_distinct(batch->voids, batch->void_count);
    for (size_t i = 0; i < batch->void_count && known; i++)
        known = void_reason_meaning(batch->voids[i].label)[0] != '\0' && !batch->voids[i].witness;
    if (!known)
        return DISBELIEVE(error, "batch %" PRIu64 " has void instances for an unknown reason", batch->number);
    /* An invalid batch, whose device miscounted, may have any sum. */
    uint64_t sum = 0;
    if (!add_up(batch->outcomes, batch->outcome_count, &sum) || !add_up(batch->voids, batch->void_count, &sum))
        return DISBELIEVE(error, "a count of batch %" PRIu64 " is 0, or too large", batch->number);
    if (!batch->invalid && sum != batch->instances)
        return DISBELIEVE(error,
                          "batch %" PRIu64 " does not add up: its counts are %" PRIu64 ", its instances %" PRIu64,
                          batch->number, sum, batch->instances);
    return STATUS_OK;
}

/* ---- the other events ---- */

/* Whether the reason that a test was not kept or not inspected is one line. */
static bool is_kept_reason(const struct build *build)
{
    const size_t size = strlen(build->kept_reason);
    return build->kept == TEST_KEPT ? size == 0
                                    : size > 0 && size < KEPT_REASON_SIZE && !strchr(build->kept_reason, '\n');
}

static enum status check_built(const struct claims *claims, const struct build *build, double now, struct error *error)
{
    const unsigned marks = (1u << MARK_COUNT) - 1;
    if (!is_possible(claims, build->seconds, now))
        return DISBELIEVE(error, "its build cannot have taken %g s", build->seconds);
    const char *const asked = claims->job->lowering;
    if (build->kernel[0] == '\0' || build->lowering[0] == '\0')
        return DISBELIEVE(error, "a build without a kernel");
    if (asked && asked[0] && strcmp(asked, build->lowering) != 0)
        return DISBELIEVE(error, "a kernel of another lowering than %s", asked);
    if (build->resident_groups == 0 || build->resident_groups > INT32_MAX)
        return DISBELIEVE(error, "%" PRIu32 " work-groups cannot be resident", build->resident_groups);
    if (build->marks & ~marks)
        return DISBELIEVE(error, "a build with an unknown mark");
    return is_kept_reason(build)
               ? STATUS_OK
               : DISBELIEVE(error, "a missing or malformed reason for a test that is %s", kept_word(build->kept));
}

/* Whether a job has reached one of its limits, so that its worker may end it. The worker starts counting its seconds
 * after the order was given. */
static bool is_at_end(const struct claims *claims, double now)
{
    const struct job *job = claims->job;
    return claims->stopping || (job->extent.instances > 0 && claims->instances >= job->extent.instances) ||
           (job->extent.seconds > 0 && now - claims->since + job->done_seconds >= job->extent.seconds) ||
           (job->deadline > 0 && now >= job->deadline);
}

/* ---- events ---- */

static enum status out_of_place(const struct claims *claims, const char *kind, struct error *error)
{
    static const char *const phases[] = {
        [CLAIMS_OPENING] = "it was opening the device",
        [CLAIMS_COMPILING] = "it was compiling a kernel",
        [CLAIMS_BUILDING] = "it was building the kernel",
        [CLAIMS_RUNNING] = "it was running batches",
    };
    return DISBELIEVE(error, "'%s' while %s", kind, phases[claims->phase]);
}

static enum status hear_opened(struct claims *claims, struct worker_event *event, UNUSED double now,
                               struct error *error)
{
    event->kind = WORKER_OPENED;
    if (claims->phase != CLAIMS_OPENING)
        return out_of_place(claims, "opened", error);
    return protocol_read_opened(event->json, error);
}

static enum status hear_built(struct claims *claims, struct worker_event *event, double now, struct error *error)
{
    event->kind = WORKER_BUILT;
    if (claims->phase != CLAIMS_BUILDING)
        return out_of_place(claims, "built", error);
    TRY(protocol_read_built(event->json, &event->build, error));
    TRY(check_built(claims, &event->build, now, error));
    claims->phase = CLAIMS_RUNNING;
    return STATUS_OK;
}

static enum status hear_batch(struct claims *claims, struct worker_event *event, double now, struct error *error)
{
    const struct batch *batch = &event->batch;
    event->kind = WORKER_BATCH;
    if (claims->phase != CLAIMS_RUNNING)
        return out_of_place(claims, "batch", error);
    TRY(protocol_read_batch(event->json, &event->batch, error));
    TRY(check_batch(claims, batch, now, error));
    claims->batches++;
    claims->instances += batch->instances;
    claims->started = batch->started;
    return STATUS_OK;
}

static enum status hear_ended(struct claims *claims, struct worker_event *event, double now, struct error *error)
{
    event->kind = WORKER_ENDED;
    TRY(protocol_read_ended(event->json, &event->ending, &event->circumstances, error));
    if (event->ending.status == STATUS_OK && claims->phase == CLAIMS_OPENING)
        return DISBELIEVE(error, "the job ended without an opened device and without a reason");
    if (event->ending.status == STATUS_OK && claims->phase == CLAIMS_BUILDING)
        return DISBELIEVE(error, "the job ended before its kernel was built");
    if (event->ending.status == STATUS_OK && claims->phase == CLAIMS_RUNNING && !is_at_end(claims, now))
        return DISBELIEVE(error, "the job ended after %" PRIu64 " instances, before any of its limits",
                          claims->instances);
    return STATUS_OK;
}

static const struct {
    const char *kind;
    enum status (*hear)(struct claims *claims, struct worker_event *event, double now, struct error *error);
} hearers[] = {{"opened", hear_opened}, {"built", hear_built}, {"batch", hear_batch}, {"ended", hear_ended}};

static enum status claims_hear_event(struct claims *claims, struct worker_event *event, double now, struct error *error)
{
    for (size_t i = 0; i < COUNT(hearers); i++)
        if (strcmp(protocol_kind(event->json), hearers[i].kind) == 0)
            return hearers[i].hear(claims, event, now, error);
    return DISBELIEVE(error, "unknown event");
}

enum claims_verdict claims_hear(struct claims *claims, const char *line, size_t size, double now,
                                struct worker_event *event, struct error *error)
{
    *event = (struct worker_event){.json = protocol_read_event(line, size)};
    enum claims_verdict verdict = CLAIMS_WRONG;
    if (!event->json)
        (void)error_set(error, STATUS_INTERNAL, "malformed message from the worker: not an event");
    else if (protocol_order(event->json) != claims->order) {
        verdict = protocol_order(event->json) < claims->order ? CLAIMS_STALE : CLAIMS_WRONG;
        (void)DISBELIEVE(error, "found an answer to request %" PRIu64 ", expected one to request %" PRIu64,
                         protocol_order(event->json), claims->order);
    } else if (claims_hear_event(claims, event, now, error) == STATUS_OK)
        return CLAIMS_FINE;
    worker_event_release(event);
    return verdict;
}

void worker_event_release(struct worker_event *event)
{
    protocol_release_batch(&event->batch);
    json_decref(event->json);
    *event = (struct worker_event){0};
}

/* ---- orders ---- */

struct claims claims_of_opening(void)
{
    return (struct claims){.phase = CLAIMS_OPENING};
}

struct claims claims_of_compiling(uint64_t order)
{
    return (struct claims){.phase = CLAIMS_COMPILING, .order = order};
}

struct claims claims_of_job(uint64_t order, const struct job *job, double now, bool invents_seconds)
{
    return (struct claims){.phase = CLAIMS_BUILDING,
                           .order = order,
                           .job = job,
                           .since = now,
                           .invents_seconds = invents_seconds,
                           .batches = job->done_batches,
                           .instances = job->done_instances,
                           .started = job->done_seconds};
}
