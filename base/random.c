// SPDX-License-Identifier: Apache-2.0
/* splitmix64, by index. */
#include "base/random.h"

#include <errno.h>
#include <sys/random.h>

static const uint64_t golden_gamma = UINT64_C(0x9e3779b97f4a7c15);

uint64_t random_mix(uint64_t state)
{
    uint64_t z = state + golden_gamma;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t random_at(uint64_t seed, uint64_t job_key, uint64_t batch, uint64_t purpose)
{
    return random_mix(random_mix(random_mix(random_mix(seed) ^ job_key) ^ batch) ^ purpose);
}

struct random random_start(uint64_t seed, uint64_t job_key, uint64_t batch, uint64_t purpose)
{
    return (struct random){.base = random_at(seed, job_key, batch, purpose)};
}

uint64_t random_next(struct random *random)
{
    return random_mix(random->base + golden_gamma * random->position++);
}

uint32_t random_below(struct random *random, uint32_t bound)
{
    const uint32_t reject = (uint32_t)-bound % bound;
    for (;;) {
        const uint64_t product = (random_next(random) >> 32) * bound;
        if ((uint32_t)product >= reject)
            return (uint32_t)(product >> 32);
    }
}

uint32_t random_between(struct random *random, uint32_t low, uint32_t high)
{
    const uint64_t span = (uint64_t)high - low + 1;
    return span > UINT32_MAX ? (uint32_t)random_next(random) : low + random_below(random, (uint32_t)span);
}

enum status random_seed(uint64_t *seed, struct error *error)
{
    if (getrandom(seed, sizeof *seed, 0) != (ssize_t)sizeof *seed)
        return error_set(error, STATUS_SYSTEM, "cannot get a random seed: %s; choose one with --seed", strerror(errno));
    *seed &= UINT32_MAX;
    return STATUS_OK;
}
