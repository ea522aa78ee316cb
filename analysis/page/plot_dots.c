// SPDX-License-Identifier: Apache-2.0
/* A dot plot: tests under each other on one axis, and for each device and driver a dot for each run and an interval over
 * runs. Lanes keep their order and their shape in every row, so no lane depends on a colour. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/page/html.h"
#include "analysis/page/plot.h"
#include "analysis/page/plot_parts.h"

/* Pixels vertically; a lane, and what a row adds to its lanes. */
enum { LANE_HEIGHT = 11, ROW_ROOM = 6, SHAPE_COUNT = 5 };

static const char *const shapes[SHAPE_COUNT] = {
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", /* disc */
    "M-4 -4h8v8h-8z",                      /* square */
    "M0 -5l5 9h-10z",                      /* triangle */
    "M0 -5l5 5l-5 5l-5 -5z",               /* diamond */
    "M0 5l5 -9h-10z",                      /* triangle on its tip */
};

static void add_shape(size_t lane, const char *class, struct text *text)
{
    text_add(text, "<path class=\"%s\" d=\"%s\"/>", class, shapes[lane % SHAPE_COUNT]);
}

static bool is_shown(const struct plot_lane *lane)
{
    return lane->run_count > 0;
}

/* Ends of intervals stretch the axis by a factor of ten at most: two runs that differ have very wide ones. */
static void include_lane(struct plot_axis *axis, const struct plot_lane *lane)
{
    plot_axis_include(axis, lane->value);
    for (size_t i = 0; i < lane->run_count; i++)
        plot_axis_include(axis, lane->runs[i]);
    if (lane->value > 0) {
        plot_axis_include(axis, fmax(lane->low, lane->value / 10));
        plot_axis_include(axis, fmin(lane->high, lane->value * 10));
    } else if (is_shown(lane)) {
        plot_axis_include(axis, lane->high);
    }
}

/* Not seen: an arrow from the bound to the left, since the rate is below it. */
static void add_bound(const struct plot_axis *axis, const struct plot_lane *lane, size_t number, int y,
                      struct text *text)
{
    text_add(text, "<svg x=\"%.2f%%\" y=%d overflow=visible><path class=pwhisker d=\"M0 0H-16M-11 -4L-16 0L-11 4\"/>",
             plot_axis_place(axis, lane->high), y);
    add_shape(number, "pempty", text);
    text_add(text, "</svg>");
}

static void add_runs(const struct plot_axis *axis, const struct plot_lane *lane, size_t number, int y,
                     struct text *text)
{
    const double low = plot_axis_place(axis, lane->low), high = plot_axis_place(axis, lane->high);
    text_add(text, "<line class=pwhisker x1=\"%.2f%%\" x2=\"%.2f%%\" y1=%d y2=%d />", low, high, y, y);
    for (size_t i = 0; i < lane->run_count && lane->run_count > 1; i++)
        if (lane->runs[i] > 0)
            text_add(text, "<circle class=prun cx=\"%.2f%%\" cy=%d r=3 />", plot_axis_place(axis, lane->runs[i]), y);
    text_add(text, "<svg x=\"%.2f%%\" y=%d overflow=visible>", plot_axis_place(axis, lane->value), y);
    add_shape(number, lane->run_count == 1 ? "palone" : "ptypical", text);
    text_add(text, "</svg>");
}

static void add_lane(const struct plot_axis *axis, const struct plot_lane *lane, size_t number, struct text *text)
{
    static const char *const tones[] = {
        [PLOT_PLAIN] = "", [PLOT_GOOD] = " class=pgood", [PLOT_DOUBT] = " class=pdoubt", [PLOT_BAD] = " class=pbad"};
    const int y = (int)(ROW_ROOM / 2 + number * LANE_HEIGHT + LANE_HEIGHT / 2 + 1);
    html_add(text, "<g$><title>$</title>", tones[lane->tone], lane->figures);
    (lane->value > 0 ? add_runs : add_bound)(axis, lane, number, y, text);
    text_add(text, "</g>\n");
}

static void print_dots_row(const struct plot_dots *plot, const struct plot_dots_row *row, const struct plot_axis *axis,
                           struct text *text)
{
    const size_t height = plot->lane_count * LANE_HEIGHT + ROW_ROOM;
    html_add(text, "<li class=drow><span class=plabel><a href=\"#$\">$</a></span><span class=pfield>", row->anchor,
             row->label);
    text_add(text, "<svg height=%zu role=img", height > 22 ? height : 22);
    html_add(text, " aria-label=\"$:", row->label);
    for (size_t i = 0; i < plot->lane_count; i++)
        if (is_shown(&row->lanes[i]))
            html_add(text, " $.", row->lanes[i].figures);
    text_add(text, "\">\n");
    for (size_t i = 0; i < axis->tick_count; i++)
        plot_axis_add_line(axis, "ptick", axis->ticks[i], text);
    for (size_t i = 0; i < plot->lane_count; i++)
        if (is_shown(&row->lanes[i]))
            add_lane(axis, &row->lanes[i], i, text);
    text_add(text, "</svg></span></li>\n");
}

static void print_scale(const struct plot_axis *axis, struct text *text)
{
    text_add(text,
             "<li class=\"drow pscale\" aria-hidden=true><span class=plabel></span><span class=pfield><svg height=20>");
    plot_axis_add_numbers(axis, text);
    text_add(text, "</svg></span></li>\n");
}

static void print_legend(const struct plot_dots *plot, struct text *text)
{
    text_add(text, "<ul class=plegend>\n");
    for (size_t i = 0; i < plot->lane_count; i++) {
        text_add(text, "<li><svg width=14 height=14><svg x=7 y=7 overflow=visible>");
        add_shape(i, "palone", text);
        html_add(text, "</svg></svg> $</li>\n", plot->lane_names[i]);
    }
    text_add(text, "</ul>\n");
}

static void print_list(const struct plot_dots *plot, size_t first, size_t end, const struct plot_axis *axis,
                       struct text *text)
{
    text_add(text, "<ul class=drows>\n");
    for (size_t i = first; i < end; i++)
        print_dots_row(plot, &plot->rows[i], axis, text);
    print_scale(axis, text);
    text_add(text, "</ul>\n");
}

void plot_print_dots(const struct plot_dots *plot, struct text *text)
{
    struct plot_axis axis = plot_axis_empty();
    const size_t open = plot->open_rows < plot->row_count ? plot->open_rows : plot->row_count;
    for (size_t i = 0; i < plot->row_count; i++)
        for (size_t lane = 0; lane < plot->lane_count; lane++)
            include_lane(&axis, &plot->rows[i].lanes[lane]);
    if (plot->row_count == 0)
        return;
    plot_axis_finish(&axis, 3, 97, 1);
    html_add(text, "<figure class=plot>\n<figcaption>$</figcaption>\n", plot->title);
    print_legend(plot, text);
    print_list(plot, 0, open, &axis, text);
    if (open < plot->row_count) {
        char number[32];
        (void)snprintf(number, sizeof number, "%zu", plot->row_count - open);
        html_add(text, "<details class=fold><summary>$ more</summary>\n", number);
        print_list(plot, open, plot->row_count, &axis, text);
        text_add(text, "</details>\n");
    }
    text_add(text, "</figure>\n");
}
