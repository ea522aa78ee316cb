// SPDX-License-Identifier: Apache-2.0
/* The instructions of a test for which orchil has no kernel. */
#include <stdio.h>
#include <string.h>

#include "litmus/language/visit.h"
#include "litmus/parse/ptx_cell.h"

enum { NAME_SIZE = 160 };

/* The names found so far, each once. The test has few, so they are looked for in the text itself. */
struct unsupported_names {
    struct text names; /* " a, b," */
    bool fence;        /* one is a fence that no PTX has */
};

static void add_name(struct unsupported_names *found, const char *name)
{
    char wanted[NAME_SIZE + 4];
    (void)snprintf(wanted, sizeof wanted, " %s,", name);
    if (!strstr(text_string(&found->names), wanted))
        text_add(&found->names, "%s", wanted);
}

static void note_access(const struct litmus_expression *expression, void *context)
{
    const struct litmus_access *access = expression->access;
    if (!access)
        return;
    if (access->operation != LITMUS_FETCH_MUL && access->operation != LITMUS_FETCH_DIV)
        return; /* MUL and DIV are Dat3M's */
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%s.%s", ptx_access_name(access->no_result ? PTX_RED : PTX_ATOM, access->proxy),
                   litmus_operation_name(LITMUS_PTX, access->operation));
    add_name(context, name);
}

/* PTX has proxy fences of alias and async. The others are from the paper. */
static bool is_paper_fence(const struct litmus_fence *fence)
{
    return fence->order == LITMUS_PLAIN && fence->proxy != LITMUS_ALIAS && fence->proxy != LITMUS_ASYNC;
}

static void note_statement(const struct litmus_statement *statement, void *context)
{
    struct unsupported_names *found = context;
    char name[NAME_SIZE];
    if (statement->kind == LITMUS_UNSUPPORTED)
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(statement->text, " "), statement->text);
    else if (litmus_is_fence(statement) && is_paper_fence(&statement->fence)) {
        (void)snprintf(name, sizeof name, "fence.proxy.%s", litmus_proxy_name(statement->fence.proxy));
        found->fence = true;
    } else
        return;
    add_name(context, name);
}

bool litmus_unsupported(const struct litmus_test *test, struct text *text)
{
    struct unsupported_names found = {0};
    const struct visitor visitor = {note_statement, note_access, &found};
    for (size_t i = 0; i < test->body_count; i++)
        litmus_visit_block(&test->threads[i].body, &visitor);
    const bool any = found.names.size > 0;
    if (any)
        text_add_bytes(text, found.names.data + 1, found.names.size - 2);
    if (found.fence)
        text_add(text, "; PTX has no fence for that proxy, and only the end of a kernel orders its accesses");
    text_release(&found.names);
    return any;
}
