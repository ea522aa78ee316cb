// SPDX-License-Identifier: Apache-2.0
/* Means of repeats and their intervals. */
#include "runner/hunt/tune/tune.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base/quantity.h"

/* The 97.5 % quantiles of Student's distribution, from one degree of freedom. */
static const double quantiles[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
                                   2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314};
enum { QUANTILES = sizeof quantiles / sizeof *quantiles };

static const char *const verdict_texts[TUNE_VERDICT_COUNT] = {
#define VERDICT_TEXT(name, text) text,
    TUNE_VERDICT_LIST(VERDICT_TEXT)
#undef VERDICT_TEXT
};

const char *tune_verdict_text(enum tune_verdict verdict)
{
    return (unsigned)verdict < TUNE_VERDICT_COUNT ? verdict_texts[verdict] : "?";
}

void tune_repeats_add(struct tune_repeats *repeats, double logarithm)
{
    const double distance = logarithm - repeats->mean;
    repeats->count++;
    repeats->mean += distance / (double)repeats->count;
    repeats->squares += distance * (logarithm - repeats->mean); /* Welford's update */
}

/* For more degrees of freedom than the table has, its last entry gives a slightly wider
 * interval. */
static double half_width(const struct tune_repeats *repeats)
{
    const unsigned freedom = repeats->count - 1;
    if (repeats->count < 2)
        return INFINITY;
    return quantiles[(freedom < QUANTILES ? freedom : QUANTILES) - 1] *
           sqrt(repeats->squares / freedom / repeats->count);
}

double tune_repeats_lower(const struct tune_repeats *repeats)
{
    return repeats->mean - half_width(repeats);
}

double tune_repeats_upper(const struct tune_repeats *repeats)
{
    return repeats->mean + half_width(repeats);
}

const char *tune_repeats_print(const struct tune_repeats *repeats, char buffer[TUNE_INTERVAL_SIZE])
{
    char mean[QUANTITY_SIZE], lower[QUANTITY_SIZE], upper[QUANTITY_SIZE];
    (void)quantity_short(exp(repeats->mean), mean);
    if (repeats->count < 2)
        (void)snprintf(buffer, TUNE_INTERVAL_SIZE, "%s", mean);
    else
        (void)snprintf(buffer, TUNE_INTERVAL_SIZE, "%s (%s to %s)", mean,
                       quantity_short(exp(tune_repeats_lower(repeats)), lower),
                       quantity_short(exp(tune_repeats_upper(repeats)), upper));
    return buffer;
}

enum tune_verdict tune_repeats_decide(const struct tune_repeats *ratio)
{
    if (ratio->count < TUNE_LEAST_REPEATS)
        return TUNE_VERDICT_SAME;
    if (tune_repeats_lower(ratio) > 0)
        return TUNE_VERDICT_BETTER;
    return tune_repeats_upper(ratio) < 0 ? TUNE_VERDICT_WORSE : TUNE_VERDICT_SAME;
}
