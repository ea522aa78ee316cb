// SPDX-License-Identifier: Apache-2.0
/* An execution as a graph in the DOT language of Graphviz. */
#include <string.h>

#include "cli/explain/execution.h"

/* A text in quotes: DOT knows only this escape, and a backslash before other characters has a meaning. */
static void add_quoted(struct text *text, const char *words)
{
    text_add(text, "\"");
    for (const char *c = words; *c; c++)
        text_add(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    text_add(text, "\"");
}

static void add_edge(const struct execution_drawing *drawing, size_t from, size_t to, const char *label, bool heavy,
                     struct text *text)
{
    static const struct {
        const char *label, *colour;
    } colours[] = {{"rf", "#1f5fa8"}, {"co", "#8a5a00"}, {"fr", "#b3262e"}, {"sync", "#2c7a3f"}};
    const char *colour = "black";
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (strcmp(colours[i].label, label) == 0)
            colour = colours[i].colour;
    text_add(text, "  %s -> %s [label=", drawing->events[from].letter, drawing->events[to].letter);
    add_quoted(text, label);
    text_add(text, ", color=\"%s\", fontcolor=\"%s\"%s%s];\n", colour, colour, heavy ? ", penwidth=2.4" : "",
             strcmp(label, "po") == 0 ? "" : ", constraint=false");
}

static void add_column(const struct execution_drawing *drawing, unsigned column, struct text *text)
{
    text_add(text, "  subgraph cluster_%u {\n    label=\"P%d\"; color=\"#cccccc\";\n", column,
             drawing->threads[column]);
    for (size_t i = 0; i < drawing->event_count; i++) {
        const struct drawn_event *event = &drawing->events[i];
        if (event->column != column)
            continue;
        text_add(text, "    %s [label=", event->letter);
        struct text label = {0};
        text_add(&label, "%s: %s", event->letter, event->sign);
        add_quoted(text, text_string(&label));
        text_add(text, "%s];\n", event->in_cycle ? ", penwidth=2" : "");
        text_release(&label);
    }
    text_add(text, "  }\n");
}

void execution_add_dot(const struct execution_drawing *drawing, const char *title, struct text *text)
{
    text_add(text, "digraph execution {\n  label=");
    add_quoted(text, title);
    text_add(text, ";\n  labelloc=t; nodesep=0.9; fontname=\"Helvetica\";\n"
                   "  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n"
                   "  edge [fontname=\"Helvetica\", fontsize=11];\n");
    for (unsigned column = 0; column < drawing->column_count; column++)
        add_column(drawing, column, text);
    for (size_t i = 0; i + 1 < drawing->event_count; i++)
        if (drawing->events[i].column == drawing->events[i + 1].column)
            add_edge(drawing, i, i + 1, "po", drawing->events[i].po_in_cycle, text);
    for (size_t i = 0; i < drawing->arrow_count; i++) {
        const struct drawn_arrow *arrow = &drawing->arrows[i];
        add_edge(drawing, arrow->from, arrow->to, arrow->label, arrow->in_cycle, text);
    }
    text_add(text, "}\n");
}
