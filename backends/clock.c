// SPDX-License-Identifier: Apache-2.0
/* Measures how wrong a reading of the clock that work-groups share may be. */
#include "backends/backend.h"

extern const char clock_probe[]; /* clock.cl, as text; its words of draw and counters are here in the same order */

enum { CLOCK_GROUPS = 64, CLOCK_EXCHANGES = 8, CLOCK_POLLS = 1 << 18, CLOCK_STEP = 2, CLOCK_ENDED, CLOCK_SPREADS };

static const double clock_least_seconds = 0.02; /* over which its rate is measured */
static const double clock_most_seconds = 1;     /* until all groups have run at once */
static const double clock_most_wrong = 4;       /* factor between its nanoseconds and the host's */

/* What the launches of the probe saw. */
struct clock_sight {
    uint32_t step, spread; /* the last and the largest; step is 0 until all groups met */
    uint32_t count;        /* the clock, which was read before... */
    double seconds;        /* ...this time of the host's clock */
};

static enum status clock_look(const struct backend *backend, struct backend_session *session,
                              struct backend_program *program, unsigned groups, struct clock_sight *sight,
                              struct error *error)
{
    const uint32_t exchanges = CLOCK_EXCHANGES * (groups - 1), draw[] = {CLOCK_POLLS, exchanges, groups - 1};
    uint32_t counters[CLOCK_SPREADS + CLOCK_GROUPS];
    const struct backend_launch launch = {.groups = groups,
                                          .group_size = 1,
                                          .draw = draw,
                                          .draw_words = COUNT(draw),
                                          .counter_words = CLOCK_SPREADS + groups + exchanges,
                                          .clear_counters = true,
                                          .counters = counters,
                                          .read_words = CLOCK_SPREADS + groups};
    double seconds;
    TRY(backend->launch(session, program, &launch, &seconds, error));
    sight->seconds = clock_seconds();
    sight->count = counters[CLOCK_ENDED];
    uint32_t spread = sight->spread;
    for (unsigned group = 1; group < groups; group++)
        if (counters[CLOCK_SPREADS + group] > spread)
            spread = counters[CLOCK_SPREADS + group];
    if (counters[CLOCK_STEP] > 0 && spread < UINT32_MAX) {
        sight->step = counters[CLOCK_STEP];
        sight->spread = spread;
    }
    return STATUS_OK;
}

enum status backend_measure_clock(const struct backend *backend, struct backend_session *session,
                                  struct backend_device *device, struct error *error)
{
    LOCAL(text) kernel = {0}, log = {0}, binary = {0};
    const unsigned units = device->compute_units > 0 ? device->compute_units : 2; /* not every driver says it */
    const unsigned groups = units < CLOCK_GROUPS ? units : CLOCK_GROUPS;
    struct backend_program *program;
    device->clock_grain = UINT32_MAX;
    text_add(&kernel, "%s%s", backend->clock ? backend->clock : "", clock_probe);
    const struct backend_source source = {.name = "the clock's probe", .kernel = text_string(&kernel)};
    if (groups < 2 || backend_build(backend, session, &source, &program, &log, &binary, error) != STATUS_OK)
        return STATUS_OK; /* without a compiler, or without groups that run at once, nothing is known of it */
    struct clock_sight sight = {0};
    enum status status = clock_look(backend, session, program, groups, &sight, error);
    const struct clock_sight first = sight;
    double passed = 0;
    for (; status == STATUS_OK && passed < (sight.step > 0 ? clock_least_seconds : clock_most_seconds);
         passed = sight.seconds - first.seconds)
        status = clock_look(backend, session, program, groups, &sight, error);
    const double counted = 1e-9 * (double)(uint32_t)(sight.count - first.count);
    if (status == STATUS_OK && sight.step > 0 && sight.spread < UINT32_MAX - sight.step &&
        counted < passed * clock_most_wrong && passed < counted * clock_most_wrong)
        device->clock_grain = sight.step + sight.spread;
    if (status != STATUS_DEVICE_LOST)
        backend->release(session, program);
    return status;
}
