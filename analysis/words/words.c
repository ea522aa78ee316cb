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

/* ---- lines ---- */

size_t words_columns(const char *from, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)from[i] & 0xC0U) != 0x80;
    return columns;
}

size_t words_width(const struct text *text)
{
    enum { USUAL = 80 };
    return text->width > 0 && text->width < USUAL ? text->width : USUAL;
}

/* A line that is being filled. */
struct filling {
    struct text *text;
    size_t used, indent, width;
    bool fresh; /* it is empty, or ends with a blank */
};

static void break_line(struct filling *filling)
{
    text_add(filling->text, "\n%*s", (int)filling->indent, "");
    filling->used = filling->indent;
    filling->fresh = true;
}

/* Adds bytes that stay together, `gap` blanks after what is there. */
static void words_fill(struct filling *filling, const char *from, size_t bytes, size_t gap)
{
    const size_t columns = words_columns(from, bytes);
    if (!filling->fresh && filling->used + gap + columns > filling->width)
        break_line(filling);
    if (!filling->fresh)
        text_add(filling->text, "%*s", (int)gap, "");
    filling->used += (filling->fresh ? 0 : gap) + columns;
    text_add_bytes(filling->text, from, bytes);
    filling->fresh = false;
}

void words_add_wrapped(struct text *text, const char *line, size_t used, size_t indent)
{
    struct filling filling = {.text = text, .used = used, .indent = indent, .width = words_width(text), .fresh = true};
    while (*line) {
        const char *gap = strstr(line, "  ");
        const size_t size = gap ? (size_t)(gap - line) : strlen(line);
        size_t before = filling.fresh ? 0 : 2;
        const size_t columns = words_columns(line, size);
        if (!filling.fresh && filling.used + before + columns > filling.width && indent + columns <= filling.width)
            break_line(&filling);
        for (size_t at = 0; at < size;) {
            const size_t word = strcspn(line + at, " ");
            const size_t bytes = word < size - at ? word : size - at;
            words_fill(&filling, line + at, bytes, before);
            before = 1;
            at += bytes + 1;
        }
        line += size;
        line += strspn(line, " ");
    }
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
