// SPDX-License-Identifier: Apache-2.0
/* Parts of sentences: rates, ratios, devices and tests. */
#include "analysis/words/words.h"

#include <math.h>
#include <string.h>

#include "base/quantity.h"

void words_add_percent(struct text *text, double share)
{
    text_add(text, "%.10g %%", 100 * share);
}

void words_add_counts(struct text *text, const struct words_count *counts, size_t size)
{
    bool open = false;
    for (size_t i = 0; i < size; i++) {
        if (counts[i].count == 0)
            continue;
        text_add(text, "%s%zu %s", open ? ", " : " (", counts[i].count, counts[i].what);
        open = true;
    }
    text_add(text, "%s", open ? ")" : "");
}

/* ---- figures and names ---- */

const char *words_ratio_bound(const struct statistics_ratio *ratio)
{
    return ratio->kind == STATISTICS_RATIO_AT_LEAST  ? "at least "
           : ratio->kind == STATISTICS_RATIO_AT_MOST ? "at most "
                                                     : "";
}

json_t *words_pack_counts(uint64_t a, uint64_t b)
{
    return json_pack("[oo]", json_count(a), json_count(b));
}

json_t *words_pack_interval(struct interval interval)
{
    return json_pack("[oo]", json_number(interval.low), json_number(interval.high));
}

json_t *words_pack_ratio_interval(const struct statistics_ratio *ratio)
{
    return statistics_has_interval(ratio) ? words_pack_interval(ratio->interval) : json_null();
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
    if (*store_requested_lowering(&sample->row))
        words_add(text, ", lowering $", store_requested_lowering(&sample->row));
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
