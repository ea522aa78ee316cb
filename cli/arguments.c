// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/quantity.h"

error_t argument_bad(const struct argp_state *state, const char *option, const char *expected, const char *value)
{
    argp_error(state, "--%s: expected %s, found '%s'", option, expected, value);
    return EINVAL;
}

error_t argument_seconds(const struct argp_state *state, const char *option, const char *value, double *seconds)
{
    return quantity_parse_seconds(value, seconds)
               ? 0
               : argument_bad(state, option, "a positive number of seconds, like 10, 2m or 1h", value);
}

error_t argument_number(const struct argp_state *state, const char *option, const char *value, double low, double high,
                        double *number)
{
    char *end;
    *number = strtod(value, &end);
    if (end != value && *end == '\0' && *number > low && *number < high)
        return 0;
    argp_error(state, "--%s: expected a number between %g and %g, found '%s'", option, low, high, value);
    return EINVAL;
}

error_t argument_seed(const struct argp_state *state, const char *value, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || errno != 0 || *seed > INT64_MAX)
        return argument_bad(state, "seed", "a whole number from 0 to 9223372036854775807", value);
    return 0;
}

error_t argument_tests(const struct argp_state *state, char ***tests, size_t *count)
{
    *tests = state->argv + state->next;
    *count = (size_t)(state->argc - state->next);
    return 0;
}

error_t argument_no_tests(const struct argp_state *state)
{
    argp_error(state, "expected a TEST, such as 'SB*' or a path to a .litmus file");
    return EINVAL;
}

enum status argument_new_seed(uint64_t *seed, struct error *error)
{
    if (getrandom(seed, sizeof *seed, 0) != (ssize_t)sizeof *seed)
        return error_set(error, STATUS_SYSTEM, "no random seed: %s; choose one with --seed", strerror(errno));
    *seed &= UINT32_MAX;
    return STATUS_OK;
}
