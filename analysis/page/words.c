// SPDX-License-Identifier: Apache-2.0
#include "analysis/page/words.h"

#include <math.h>
#include <string.h>

#include "base/quantity.h"

size_t words_character(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    const size_t size = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 : at[0] >= 0xe0 && at[0] < 0xf0 ? 3 : 4;
    unsigned long code = size == 1 ? at[0] : at[0] & (0xffU >> (size + 1));
    if ((at[0] >= 0x80 && at[0] < 0xc2) || at[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < size; i++) {
        if ((at[i] & 0xc0U) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3fU);
    }
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool taken = (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code < 0xd800) ||
                       (code >= 0xe000 && code < 0xfffe) || (code >= 0x10000 && code < 0x110000);
    return taken && code >= least[size] ? size : 0;
}

void words_add_plain(struct text *text, const char *from)
{
    for (const char *at = from; *at;) {
        const size_t size = words_character(at);
        text_add_bytes(text, size > 0 ? at : "?", size > 0 ? size : 1);
        at += size > 0 ? size : 1;
    }
}

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
    char buffer[2][QUANTITY_SIZE];
    text_add(text, "%s of %s (", quantity_count(count, buffer[0]), quantity_count(counted, buffer[1]));
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
    words_add_plain(text, sample->device);
    if (sample->has_namesake && *sample->device_uuid) {
        text_add(text, " ");
        words_add_plain(text, sample->device_uuid);
    }
}

void words_add_test(struct text *text, const struct sample *sample)
{
    words_add_plain(text, sample->test);
    text_add(text, " (");
    if (*sample->controls) {
        text_add(text, "control of ");
        words_add_plain(text, sample->controls);
        text_add(text, ", ");
    }
    words_add_plain(text, sample->dialect);
    text_add(text, " on ");
    words_add_plain(text, sample->backend);
    text_add(text, ", ");
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
            known |= strcmp(shown[at]->device, sample->device) == 0 && strcmp(shown[at]->driver, sample->driver) == 0 &&
                     strcmp(shown[at]->backend, sample->backend) == 0 &&
                     strcmp(shown[at]->device_uuid, sample->device_uuid) == 0;
        if (known)
            continue;
        if (count == MOST) {
            more = 1;
            continue;
        }
        text_add(text, "%s", count == 0 ? "; " : ", ");
        words_add_plain(text, sample->backend);
        text_add(text, ": ");
        words_add_device(text, sample);
        text_add(text, *sample->driver ? " with driver " : " with a driver without a name");
        words_add_plain(text, sample->driver);
        shown[count++] = sample;
    }
    text_add(text, "%s", more > 0 ? " and others" : "");
}
