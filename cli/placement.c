// SPDX-License-Identifier: Apache-2.0
/* The placement of a test's threads, as test names write it. */
#include "cli/placement.h"

/* Two threads of the same instance of a level. Threads without a placement share the device, but
 * not a work-group. */
static bool same_device(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return a->host == b->host && a->device == b->device;
}

static bool same_cluster(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return same_device(a, b) && a->cluster == b->cluster;
}

static bool same_group(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return same_cluster(a, b) && a->work_group != LITMUS_NONE && a->work_group == b->work_group;
}

static bool same_sub_group(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return same_group(a, b) && a->sub_group != LITMUS_NONE && a->sub_group == b->sub_group;
}

typedef bool sameness(const struct litmus_placement *a, const struct litmus_placement *b);

/* Is the body the first of those equal to it? */
static bool is_first(const struct litmus_test *test, size_t body, sameness *same)
{
    for (size_t i = 0; i < body; i++)
        if (same(&test->threads[i].placement, &test->threads[body].placement))
            return false;
    return true;
}

struct printer {
    const struct litmus_test *test;
    struct text *text;
    bool wide; /* some numbers have two digits, or are ranges */
};

static void print_threads(const struct printer *printer, size_t leader)
{
    const struct litmus_test *test = printer->test;
    unsigned members = 0;
    size_t before = printer->text->size;
    for (size_t i = leader; i < test->body_count; i++)
        if (i == leader || same_sub_group(&test->threads[i].placement, &test->threads[leader].placement))
            members += test->threads[i].count;
    if (members > 1 && test->threads[leader].placement.sub_group != LITMUS_NONE) {
        text_add(printer->text, "w");
        before++;
    }
    for (size_t i = leader; i < test->body_count; i++) {
        const struct litmus_thread *thread = &test->threads[i];
        if (i != leader && !same_sub_group(&thread->placement, &test->threads[leader].placement))
            continue;
        text_add(printer->text, "%s%u", printer->wide && printer->text->size > before ? "," : "", thread->first);
        if (thread->count > 1)
            text_add(printer->text, "..%u", thread->first + thread->count - 1);
    }
}

static void print_group(const struct printer *printer, size_t leader)
{
    const struct litmus_test *test = printer->test;
    bool first = true;
    for (size_t i = leader; i < test->body_count; i++) {
        if (i != leader && !same_group(&test->threads[i].placement, &test->threads[leader].placement))
            continue;
        if (!is_first(test, i, same_sub_group))
            continue;
        text_add(printer->text, "%s", printer->wide && !first ? "," : "");
        print_threads(printer, i);
        first = false;
    }
}

static void print_cluster(const struct printer *printer, size_t leader)
{
    const struct litmus_test *test = printer->test;
    const bool named = test->threads[leader].placement.cluster != LITMUS_NONE;
    bool first = true;
    text_add(printer->text, "%s", named ? "[" : "");
    for (size_t i = leader; i < test->body_count; i++) {
        if (!same_cluster(&test->threads[i].placement, &test->threads[leader].placement) ||
            !is_first(test, i, same_group))
            continue;
        text_add(printer->text, "%s", first ? "" : "-");
        print_group(printer, i);
        first = false;
    }
    text_add(printer->text, "%s", named ? "]" : "");
}

void placement_print(const struct litmus_test *test, struct text *text)
{
    struct printer printer = {.test = test, .text = text};
    const char *between = "";
    for (size_t i = 0; i < test->body_count; i++)
        printer.wide |= test->threads[i].count > 1 || test->threads[i].first > 9;
    for (size_t device = 0; device < test->body_count; device++) {
        if (!is_first(test, device, same_device))
            continue;
        for (size_t i = device; i < test->body_count; i++) {
            if (!same_device(&test->threads[i].placement, &test->threads[device].placement) ||
                !is_first(test, i, same_cluster))
                continue;
            text_add(text, "%s%s", between, test->threads[i].placement.host ? "h" : "");
            print_cluster(&printer, i);
            between = "-";
        }
        between = "|";
    }
}
