// SPDX-License-Identifier: Apache-2.0
/* What sentences have in common: rates, ratios, devices and tests. */
#include "analysis/page/words.h"

#include <math.h>
#include <string.h>

#include "base/quantity.h"

void words_add_percent(struct text *text, double share)
{
    text_add(text, "%.10g %%", 100 * share);
}

/* As many digits as it takes to tell the ends of an interval apart, and three at least. */
static int digits_for(struct interval interval)
{
    const double width = (interval.high - interval.low) / interval.high;
    return width > 0.005 ? 3 : width > 0 ? (int)fmin(15, ceil(1 - log10(width))) : 15;
}

void words_add_rate(struct text *text, uint64_t count, uint64_t counted, double confidence)
{
    text_add(text, "%s of %s (", QUANTITY_COUNT(count), QUANTITY_COUNT(counted));
    if (count == 0) {
        text_add(text, "less than %.2g per instance, ", statistics_zero_bound(counted, confidence));
        words_add_percent(text, confidence);
    } else {
        const struct interval interval = statistics_binomial(count, counted, confidence);
        const int digits = digits_for(interval);
        text_add(text, "%.*g per instance, ", digits, (double)count / (double)counted);
        words_add_percent(text, confidence);
        text_add(text, " interval %.*g to %.*g", digits, interval.low, digits, interval.high);
    }
    text_add(text, ")");
}

void words_add_ratio(struct text *text, const struct statistics_ratio *ratio, double confidence)
{
    text_add(text, "ratio %.3g, ", ratio->ratio);
    words_add_percent(text, confidence);
    if (isinf(ratio->interval.high))
        text_add(text, " interval from %.3g up", ratio->interval.low);
    else
        text_add(text, " interval %.3g to %.3g", ratio->interval.low, ratio->interval.high);
}

void words_add_device(struct text *text, const struct sample *sample)
{
    words_add(text, "$", sample->row.device);
    if (sample->has_namesake && *sample->row.device_uuid)
        words_add(text, " $", sample->row.device_uuid);
}

void words_add_test(struct text *text, const struct sample *sample)
{
    words_add(text, "$ (", sample->row.test);
    if (*sample->row.controls)
        words_add(text, "control of $, ", sample->row.controls);
    words_add(text, "$ on $, ", sample->row.dialect, sample->row.backend);
    words_add_device(text, sample);
    text_add(text, ")");
}

void words_add_devices(struct text *text, const struct side *side)
{
    enum { MOST = 4 };
    const struct sample *shown[MOST];
    size_t count = 0, more = 0;
    for (size_t i = 0; i < side->sample_count; i++) {
        const struct sample *sample = &side->samples[i];
        bool known = false;
        for (size_t at = 0; at < count; at++)
            known |= sample_same_device(shown[at], sample);
        if (known)
            continue;
        if (count == MOST) {
            more = 1;
            continue;
        }
        words_add(text, "$$: ", count == 0 ? "; " : ", ", sample->row.backend);
        words_add_device(text, sample);
        words_add(text, "$$", *sample->row.driver ? " with driver " : " with a driver without a name",
                  sample->row.driver);
        shown[count++] = sample;
    }
    text_add(text, "%s", more > 0 ? " and others" : "");
}
