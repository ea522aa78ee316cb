// SPDX-License-Identifier: Apache-2.0
/*
 * Builds a thread's control flow as a graph of its needs and of points between them, and derives which need may follow
 * which.
 *
 * C does not specify which operand of an operator or which argument of a call is evaluated first. Here any may be; with
 * three unordered accesses in one expression, some orders are allowed that C forbids. Loops and labels may also end
 * because the thread's budget of iterations is spent, as in the kernel (kernel/body.c).
 *
 * Consecutive weak loads may come in any order if no other thread can write their locations while they run, as in a
 * launch that comes after all launches that write: no outcome can show their order.
 */
#include "inspect/follows.h"

#include "litmus/language/walk.h"

enum { NO_PIECE = -1 };

struct node {
    long piece; /* or NO_PIECE for a point */
    size_t *next;
    size_t next_count;
};

/* A point on a loop's back edge, and the pieces of the loop. */
struct way_back {
    size_t point;
    size_t head;
    size_t first, end;
};

struct graph {
    const struct inspect_subject *subject;
    unsigned body;
    struct follows *follows;
    struct node *nodes;
    size_t node_count;
    size_t end;
    size_t *labels;      /* points of the thread's labels */
    bool *label_written; /* the label has been read: a jump to it goes backwards */
    size_t *label_piece; /* how many pieces were before it then */
    struct way_back *ways;
    size_t way_count;
    bool late;                            /* as in follows_build */
    const struct litmus_statement *ended; /* the end of a group that was deferred */
    enum status status;
    struct error *error;
};

static size_t add_node(struct graph *graph, long piece)
{
    struct node *node = &ARENA_ADD(&graph->follows->arena, graph->nodes, graph->node_count);
    *node = (struct node){.piece = piece};
    return graph->node_count - 1;
}

static size_t add_point(struct graph *graph)
{
    return add_node(graph, NO_PIECE);
}

static void add_edge(struct graph *graph, size_t from, size_t to)
{
    struct node *node = &graph->nodes[from];
    ARENA_ADD(&graph->follows->arena, node->next, node->next_count) = to;
}

/* ---- steps ---- */

/* Adds the needs of a step in order; one that repeats may be followed by any before it. Returns the node after them. */
static size_t follows_add_step(struct graph *graph, size_t from, unsigned number)
{
    struct inspect_needs needs = {.count = 0};
    size_t nodes[INSPECT_MAXIMUM_NEEDS];
    if (graph->status != STATUS_OK || inspect_ignores(graph->subject, number))
        return from;
    graph->status = graph->subject->rule(graph->subject, &graph->subject->kernel->steps[number], &needs, graph->error);
    if (graph->status != STATUS_OK)
        return from;
    for (size_t i = 0; i < needs.count; i++) {
        struct follows *follows = graph->follows;
        if (graph->subject->needless[number])
            needs.items[i].optional = true, needs.items[i].required = false;
        ARENA_ADD(&follows->arena, follows->pieces, follows->count) = (struct piece){number, needs.items[i]};
        nodes[i] = add_node(graph, (long)follows->count - 1);
        add_edge(graph, from, nodes[i]);
        for (size_t j = 0; needs.items[i].repeats && j <= i; j++)
            add_edge(graph, nodes[i], nodes[j]);
        const size_t after = add_point(graph);
        add_edge(graph, nodes[i], after);
        if (needs.items[i].optional)
            add_edge(graph, from, after);
        from = after;
    }
    return from;
}

/* A statement that this file does not handle, or that is not a step of the kernel: the test cannot be inspected. */
static size_t follows_refuse(struct graph *graph, size_t from, struct litmus_place place, const char *what)
{
    LOCAL(text) text = {0};
    if (graph->status == STATUS_OK) {
        const bool printed = litmus_print_instruction(graph->subject->test, place, &text);
        graph->status = error_set(graph->error, STATUS_UNSUPPORTED, "%s '%s' of P%u", what,
                                  printed ? text_string(&text) : "an instruction",
                                  graph->subject->test->threads[graph->body].first);
    }
    return from;
}

/* Adds the step of the body for `part`: an access, or of a statement what is no access. */
static size_t add_step_of(struct graph *graph, size_t from, const void *part, struct litmus_place place)
{
    const struct kernel *kernel = graph->subject->kernel;
    for (unsigned i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].body == graph->body && inspect_is_step(&kernel->steps[i], part))
            return follows_add_step(graph, from, i);
    return follows_refuse(graph, from, place, "the kernel has no line for");
}

/* ---- expressions ---- */

static size_t add_expression(struct graph *graph, size_t from, const struct litmus_expression *expression);

/* Adds two expressions in either order. */
static size_t add_either(struct graph *graph, size_t from, const struct litmus_expression *a,
                         const struct litmus_expression *b)
{
    if (!litmus_has_access(a))
        return add_expression(graph, from, b);
    if (!litmus_has_access(b))
        return add_expression(graph, from, a);
    const size_t start_a = add_point(graph), start_b = add_point(graph), after = add_point(graph);
    const size_t end_a = add_expression(graph, start_a, a), end_b = add_expression(graph, start_b, b);
    add_edge(graph, from, start_a);
    add_edge(graph, from, start_b);
    add_edge(graph, end_a, start_b);
    add_edge(graph, end_b, start_a);
    add_edge(graph, end_a, after);
    add_edge(graph, end_b, after);
    return after;
}

static size_t follows_add_access(struct graph *graph, size_t from, const struct litmus_access *access,
                                 struct litmus_place place)
{
    from = add_either(graph, from, access->address, access->operand);
    from = add_expression(graph, from, access->expected);
    from = add_expression(graph, from, access->expected_address);
    return add_step_of(graph, from, access, place);
}

static size_t add_expression(struct graph *graph, size_t from, const struct litmus_expression *expression)
{
    if (!litmus_has_access(expression))
        return from;
    if (expression->kind == LITMUS_EXPRESSION_ACCESS)
        return follows_add_access(graph, from, expression->access, expression->place);
    if (expression->kind == LITMUS_EXPRESSION_BINARY &&
        (expression->op == LITMUS_LOGICAL_AND || expression->op == LITMUS_LOGICAL_OR)) {
        /* `a && b`, `a || b`: the second is not always evaluated. */
        const size_t left = add_expression(graph, from, expression->left);
        const size_t right = add_expression(graph, left, expression->right);
        if (left == right)
            return left;
        const size_t after = add_point(graph);
        add_edge(graph, left, after);
        add_edge(graph, right, after);
        return after;
    }
    return add_either(graph, from, expression->left, expression->right);
}

/* ---- statements ---- */

static size_t add_block(struct graph *graph, size_t from, const struct litmus_block *block);

static size_t add_if(struct graph *graph, size_t from, const struct litmus_statement *statement)
{
    const size_t condition = add_expression(graph, from, statement->value);
    const size_t then = add_point(graph), otherwise = add_point(graph), after = add_point(graph);
    add_edge(graph, condition, then);
    add_edge(graph, condition, otherwise);
    add_edge(graph, add_block(graph, then, &statement->body), after);
    add_edge(graph, add_block(graph, otherwise, &statement->otherwise), after);
    return after;
}

/* Adds the back edge from a loop's end, or from a jump, to a point before it, after which piece `first` comes. */
static void add_way_back(struct graph *graph, size_t from, size_t head, size_t first)
{
    const size_t point = add_point(graph);
    add_edge(graph, from, point);
    add_edge(graph, point, head);
    ARENA_ADD(&graph->follows->arena, graph->ways, graph->way_count) =
        (struct way_back){point, head, first, graph->follows->count};
}

static size_t add_loop(struct graph *graph, size_t from, const struct litmus_statement *statement)
{
    const size_t pieces = graph->follows->count;
    const size_t head = add_point(graph), after = add_point(graph);
    size_t at = head;
    add_edge(graph, from, head);
    if (statement->kind == LITMUS_WHILE) {
        at = add_expression(graph, at, statement->value);
        add_edge(graph, at, after);
    }
    const size_t budget = add_point(graph);
    add_edge(graph, at, budget);
    add_edge(graph, budget, after);
    at = add_block(graph, budget, &statement->body);
    if (statement->kind == LITMUS_DO_WHILE) {
        at = add_expression(graph, at, statement->value);
        add_edge(graph, at, after);
    }
    if (graph->follows->count > pieces)
        add_way_back(graph, at, head, pieces);
    else
        add_edge(graph, at, head);
    return after;
}

static size_t add_label(struct graph *graph, size_t from, int label)
{
    add_edge(graph, from, graph->labels[label]);
    add_edge(graph, graph->labels[label], graph->end);
    graph->label_written[label] = true;
    graph->label_piece[label] = graph->follows->count;
    const size_t after = add_point(graph);
    add_edge(graph, graph->labels[label], after);
    return after;
}

static size_t add_goto(struct graph *graph, size_t from, const struct litmus_statement *statement)
{
    const size_t label = graph->labels[statement->label];
    from = add_expression(graph, from, statement->value);
    if (graph->label_written[statement->label])
        add_way_back(graph, from, label, graph->label_piece[statement->label]);
    else
        add_edge(graph, from, label);
    const size_t after = add_point(graph);
    if (statement->value)
        add_edge(graph, from, after);
    return after;
}

/* Adds the deferred end of a group. */
static size_t add_ended(struct graph *graph, size_t from)
{
    const struct litmus_statement *ended = graph->ended;
    graph->ended = NULL;
    return ended ? add_step_of(graph, from, &ended->group, ended->place) : from;
}

static size_t follows_add_statement(struct graph *graph, size_t from, const struct litmus_statement *statement)
{
    if (statement->kind != LITMUS_ASSIGN && statement->kind != LITMUS_PERFORM)
        from = add_ended(graph, from);
    switch (statement->kind) {
    case LITMUS_IDLE:
        return from;
    case LITMUS_ASSIGN:
    case LITMUS_PERFORM:
        return add_expression(graph, from, statement->value);
    case LITMUS_COPY: /* its value is computed before it begins */
        from = add_expression(graph, from, statement->copy.value);
        return add_step_of(graph, from, &statement->copy, statement->place);
    case LITMUS_COLLECTIVE:
        from = add_expression(graph, from, statement->value);
        from = add_either(graph, from, statement->collective.lane, statement->collective.mask);
        return add_step_of(graph, from, &statement->collective, statement->place);
    case LITMUS_FENCE:
    case LITMUS_BARRIER:
    case LITMUS_VECTOR:
        return add_step_of(graph, from, &statement->fence, statement->place);
    case LITMUS_GROUP:
        if (statement->group.action != LITMUS_GROUP_COMMIT)
            return add_step_of(graph, from, &statement->group, statement->place);
        graph->follows->has_late = true;
        graph->ended = statement;
        return graph->late ? from : add_ended(graph, from);
    case LITMUS_IF:
        return add_if(graph, from, statement);
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        return add_loop(graph, from, statement);
    case LITMUS_LABEL:
        return add_label(graph, from, statement->label);
    case LITMUS_GOTO:
        return add_goto(graph, from, statement);
    case LITMUS_UNSUPPORTED:
        break;
    }
    return follows_refuse(graph, from, statement->place, "nothing follows");
}

/* Whether the statement is a weak load of a location that no other thread can write meanwhile. */
static bool is_undisturbed_load(const struct graph *graph, const struct litmus_statement *statement)
{
    if (statement->kind != LITMUS_ASSIGN || statement->value->kind != LITMUS_EXPRESSION_ACCESS)
        return false;
    const struct litmus_access *access = statement->value->access;
    return access->operation == LITMUS_LOAD && access->order == LITMUS_PLAIN && access->proxy == LITMUS_GENERIC &&
           access->address->kind == LITMUS_EXPRESSION_ADDRESS && !litmus_has_access(access->address) &&
           !litmus_may_change(graph->subject->test, &graph->subject->kernel->launches, graph->body,
                              (unsigned)access->address->index);
}

/* Adds statements in any order. */
static size_t add_any_order(struct graph *graph, size_t from, const struct litmus_statement *statements, size_t count)
{
    const size_t after = add_point(graph);
    size_t *starts = arena_take(&graph->follows->arena, count, sizeof *starts);
    for (size_t i = 0; i < count; i++)
        add_edge(graph, from, starts[i] = add_point(graph));
    for (size_t i = 0; i < count; i++) {
        const size_t end = follows_add_statement(graph, starts[i], &statements[i]);
        add_edge(graph, end, after);
        for (size_t j = 0; j < count; j++)
            if (j != i)
                add_edge(graph, end, starts[j]);
    }
    return after;
}

/* Adds statement *next of a block, or several unordered ones; advances *next past them. */
static size_t add_next(struct graph *graph, size_t from, const struct litmus_block *block, size_t *next)
{
    const struct litmus_statement *statements = &block->statements[*next];
    /* The number of consecutive statements, from this one on, that are such loads. */
    size_t loads = 0;
    while (!graph->subject->alone && *next + loads < block->count &&
           is_undisturbed_load(graph, &block->statements[*next + loads]))
        loads++;
    *next += loads > 1 ? loads : 1;
    return loads > 1 ? add_any_order(graph, from, statements, loads) : follows_add_statement(graph, from, statements);
}

static size_t add_block(struct graph *graph, size_t from, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count;)
        from = add_next(graph, from, block, &i);
    return add_ended(graph, from);
}

/* ---- the relation ---- */

/* Marks all pieces, and the bounds, that come next after a node. */
static void mark_next(const struct graph *graph, size_t node, bool *visited, bool *next, size_t count)
{
    for (size_t i = 0; i < graph->nodes[node].next_count; i++) {
        const size_t to = graph->nodes[node].next[i];
        if (graph->nodes[to].piece != NO_PIECE) {
            next[graph->nodes[to].piece] = true;
        } else if (!visited[to]) {
            visited[to] = true;
            if (to == graph->end)
                next[count + FOLLOWS_END] = true;
            mark_next(graph, to, visited, next, count);
        }
    }
}

static void fill_allowed(struct graph *graph, size_t start)
{
    struct follows *follows = graph->follows;
    const size_t row = follows->count + FOLLOWS_BOUNDS;
    bool *visited = arena_take(&follows->arena, graph->node_count, sizeof *visited);
    follows->allowed = arena_take(&follows->arena, row * row, sizeof *follows->allowed);
    for (size_t node = 0; node < graph->node_count; node++) {
        const long piece = graph->nodes[node].piece;
        if (piece == NO_PIECE && node != start)
            continue;
        const size_t from = piece == NO_PIECE ? follows->count + FOLLOWS_START : (size_t)piece;
        memset(visited, 0, graph->node_count * sizeof *visited);
        mark_next(graph, node, visited, follows->allowed + from * row, follows->count);
    }
}

/* Finds the pieces directly before a point, and those directly after it. */
static void fill_loop(struct graph *graph, const struct way_back *way)
{
    struct follows *follows = graph->follows;
    const size_t count = follows->count;
    bool *before = arena_take(&follows->arena, count + FOLLOWS_BOUNDS, sizeof *before);
    bool *after = arena_take(&follows->arena, count + FOLLOWS_BOUNDS, sizeof *after);
    bool *visited = arena_take(&follows->arena, graph->node_count, sizeof *visited);
    bool *ignored = arena_take(&follows->arena, count + FOLLOWS_BOUNDS, sizeof *ignored);
    mark_next(graph, way->head, visited, after, count);
    for (size_t piece = 0; piece < count; piece++) /* others follow if the loop ends */
        after[piece] &= piece >= way->first && piece < way->end;
    for (size_t node = 0; node < graph->node_count; node++) {
        if (graph->nodes[node].piece == NO_PIECE)
            continue;
        memset(visited, 0, graph->node_count * sizeof *visited);
        mark_next(graph, node, visited, ignored, count);
        before[graph->nodes[node].piece] = visited[way->point];
    }
    size_t first = 0;
    while (first < count && !after[first])
        first++;
    if (first < count)
        ARENA_ADD(&follows->arena, follows->loops, follows->loop_count) =
            (struct follows_loop){follows->pieces[first].step, before, after};
}

/* Adds a whole body. If an item plays one thread of many, items that play no thread skip each part between barriers,
 * but not the barriers. */
static void add_body(struct graph *graph, size_t from)
{
    const struct litmus_block *block = &graph->subject->test->threads[graph->body].body;
    const bool skips = graph->subject->kernel->width > 1;
    size_t part = from;
    for (size_t i = 0; i < block->count;) {
        const bool barrier = block->statements[i].kind == LITMUS_BARRIER;
        if (barrier)
            from = add_ended(graph, from);
        if (barrier && skips && from != part)
            add_edge(graph, part, from);
        from = add_next(graph, from, block, &i);
        if (barrier)
            part = from;
    }
    from = add_ended(graph, from);
    if (skips && from != part)
        add_edge(graph, part, from);
    add_edge(graph, from, graph->end);
}

enum status follows_build(const struct inspect_subject *subject, unsigned body, bool late, struct follows *follows,
                          struct error *error)
{
    *follows = (struct follows){0};
    struct graph graph = {.subject = subject, .body = body, .follows = follows, .late = late, .error = error};
    const size_t labels = subject->test->threads[body].label_count;
    const size_t start = add_point(&graph);
    graph.end = add_point(&graph);
    graph.labels = arena_take(&follows->arena, labels + 1, sizeof *graph.labels);
    graph.label_piece = arena_take(&follows->arena, labels + 1, sizeof *graph.label_piece);
    graph.label_written = arena_take(&follows->arena, labels + 1, sizeof *graph.label_written);
    for (size_t i = 0; i < labels; i++)
        graph.labels[i] = add_point(&graph);
    add_body(&graph, start);
    if (graph.status != STATUS_OK)
        return graph.status;
    fill_allowed(&graph, start);
    for (size_t i = 0; i < graph.way_count; i++)
        fill_loop(&graph, &graph.ways[i]);
    return STATUS_OK;
}

ARENA_RELEASES(, follows)
