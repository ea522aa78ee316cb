// SPDX-License-Identifier: Apache-2.0
/* Which instructions of a test have no meaning to orchil. */
#include <stdio.h>
#include <string.h>

#include "litmus/language/ptx.h"
#include "litmus/language/visit.h"

enum { NAME_SIZE = 96 };

/* The names found so far, each once. The test has few, so they are looked for in the text itself. */
struct found {
    struct text names; /* ", a, b," */
};

static void add_name(struct found *found, const char *name)
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
    const bool no_device = access->operation == LITMUS_FETCH_MUL || access->operation == LITMUS_FETCH_DIV;
    if (access->proxy == LITMUS_GENERIC && !no_device)
        return;
    const enum ptx_shape shape = access->operation == LITMUS_LOAD    ? PTX_LOAD
                                 : access->operation == LITMUS_STORE ? PTX_STORE
                                 : access->no_result                 ? PTX_RED
                                                                     : PTX_ATOM;
    char name[NAME_SIZE];
    const char *const base = ptx_access_name(shape, access->proxy);
    if (shape == PTX_LOAD || shape == PTX_STORE)
        (void)snprintf(name, sizeof name, "%s.%s", base, litmus_order_name(LITMUS_PTX, access->order));
    else
        (void)snprintf(name, sizeof name, "%s.%s", base, litmus_operation_name(LITMUS_PTX, access->operation));
    add_name(context, name);
}

static void note_statement(const struct litmus_statement *statement, void *context)
{
    char name[NAME_SIZE];
    if (statement->kind == LITMUS_UNSUPPORTED)
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(statement->text, " "), statement->text);
    else if (statement->kind == LITMUS_FENCE && statement->fence.order == LITMUS_PLAIN &&
             statement->fence.proxy != LITMUS_ASYNC)
        (void)snprintf(name, sizeof name, "fence.proxy.%s", proxy_name(statement->fence.proxy));
    else
        return;
    add_name(context, name);
}

bool litmus_unsupported(const struct litmus_test *test, struct text *text)
{
    struct found found = {0};
    const struct visitor visitor = {note_statement, note_access, &found};
    for (size_t i = 0; i < test->body_count; i++)
        litmus_visit_block(&test->threads[i].body, &visitor);
    const bool any = found.names.size > 0;
    if (any)
        text_add_bytes(text, found.names.data + 1, found.names.size - 2);
    text_release(&found.names);
    return any;
}
