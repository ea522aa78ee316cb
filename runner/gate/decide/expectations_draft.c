// SPDX-License-Identifier: Apache-2.0
/* Drafts expectations from a decision; a person fills in the reasons. */
#include <math.h>
#include <string.h>

#include "runner/gate/decide/gate_parts.h"

/* A glob that matches the name: characters that are special in a glob or a section become `?`. */
static void add_glob(const char *name, struct text *text)
{
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        text_add(text, "%c", *c <= ' ' || *c == 0x7F || strchr("*?[]\\;", *c) ? '?' : *c);
}

/* Values end at a comment, and blanks at their ends are dropped. */
static bool is_value(const char *value)
{
    const size_t size = strlen(value);
    if (size == 0 || size > 100 || value[0] == ' ' || value[size - 1] == ' ' || value[0] == ';')
        return false;
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F || (c > value && *c == ';' && c[-1] == ' '))
            return false;
    return true;
}

static bool is_known(const struct gate *gate, const struct expectations *known, const struct sample *sample,
                     const struct gate_reason *reason)
{
    for (size_t i = 0; i < known->count; i++)
        if (gate_speaks_of(&known->entries[i], sample) && gate_excuses(gate, &known->entries[i], reason))
            return true;
    return false;
}

static bool same_names(const struct sample *a, const struct sample *b)
{
    return strcmp(a->row.test, b->row.test) == 0 && strcmp(a->row.device, b->row.device) == 0 &&
           strcmp(a->row.backend, b->row.backend) == 0;
}

static bool is_unexpected(const struct gate_case *of, const struct gate_reason *reason)
{
    return !of->skipped && !reason->expected && gate_kind_class(reason->kind) != GATE_NOTE;
}

/* Whether an earlier case with the same names, in another dialect, has this kind. */
static bool is_drafted(const struct gate *gate, const struct gate_case *of, enum gate_kind kind)
{
    for (const struct gate_case *before = gate->cases; before < of; before++)
        for (size_t i = 0; i < before->reason_count && same_names(before->sample, of->sample); i++)
            if (is_unexpected(before, &before->reasons[i]) && gate_kind_if_sure(&before->reasons[i]) == kind)
                return true;
    return false;
}

/* The kinds of a case that count and are not expected, each once. */
static size_t list_kinds(const struct gate *gate, const struct gate_case *of, const struct expectations *known,
                         enum gate_kind kinds[GATE_KIND_COUNT])
{
    bool listed[GATE_KIND_COUNT] = {false};
    size_t count = 0;
    for (size_t i = 0; i < of->reason_count; i++) {
        const struct gate_reason *reason = &of->reasons[i];
        const enum gate_kind kind = gate_kind_if_sure(reason);
        if (!is_unexpected(of, reason) || listed[kind] || is_known(gate, known, of->sample, reason) ||
            is_drafted(gate, of, kind))
            continue;
        listed[kind] = true;
        kinds[count++] = kind;
    }
    return count;
}

/* "x2 " or "x0.5-2 ": the ratios of all reasons of a case that are of this kind; nothing if it has no size. */
static void add_size(const struct gate *gate, const struct gate_case *of, enum gate_kind kind, struct text *text)
{
    struct interval size = {INFINITY, 0};
    for (size_t i = 0; i < of->reason_count && (kind == GATE_RATE || kind == GATE_TIME || kind == GATE_SHIFT); i++) {
        const double ratio = gate_ratio(gate, &of->reasons[i]).ratio;
        if (ratio <= 0 || !is_unexpected(of, &of->reasons[i]) || gate_kind_if_sure(&of->reasons[i]) != kind)
            continue;
        size = (struct interval){fmin(size.low, ratio), fmax(size.high, ratio)};
    }
    if (size.high > size.low)
        text_add(text, "x%.3g-%.3g ", size.low, size.high);
    else if (size.high > 0)
        text_add(text, "x%.3g ", size.high);
}

size_t expectations_draft(const struct gate *gate, const struct expectations *known, struct text *text)
{
    size_t written = 0;
    for (size_t i = 0; i < gate->case_count; i++) {
        const struct gate_case *of = &gate->cases[i];
        const struct store_job_row *row = &of->sample->row;
        enum gate_kind kinds[GATE_KIND_COUNT];
        const size_t count = list_kinds(gate, of, known, kinds);
        if (count == 0)
            continue;
        text_add(text, "\n[");
        add_glob(row->test, text);
        text_add(text, "]\n");
        if (is_value(row->device))
            text_add(text, "device = %s\n", row->device);
        if (is_value(row->backend))
            text_add(text, "backend = %s\n", row->backend);
        for (size_t k = 0; k < count; k++) {
            text_add(text, "known.%s = ", gate_kind_name(kinds[k]));
            add_size(gate, of, kinds[k], text);
            text_add(text, EXPECT_DRAFT "\n");
        }
        written += count;
    }
    return written;
}
