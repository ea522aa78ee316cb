// SPDX-License-Identifier: Apache-2.0
/* An execution in SVG. Places are in pixels; the picture shrinks with the page. */
#include "analysis/page/plot.h"

#include <string.h>

#include "analysis/page/html.h"

enum {
    HEAD = 26,    /* the names of threads */
    ROW = 62,     /* from one event of a column to the next */
    BOX = 30,     /* an event's height */
    GUTTER = 130, /* between columns */
    LETTER = 7,   /* a character's width, at most */
    MARGIN = 4,
    LANE = 20, /* between arrows below all events */
    TIP = 7,   /* an arrow's head */
    SPREAD = 5 /* half the distance between arrows at one side of an event */
};

struct picture {
    const struct execution_drawing *drawing;
    int box_width, width, height, bottom; /* bottom: of the last event */
    int far_count;                        /* arrows below all events, so far */
    struct text *text;
};

/* The side of an event where an arrow has an end: 0 is the left, 1 the right. */
static int side_of(const struct picture *picture, unsigned event, unsigned other)
{
    return picture->drawing->events[event].column <= picture->drawing->events[other].column;
}

/* From the middle of the event: the ends on one side are spread over it, in the order of the rows
 * that they lead to. */
static int end_place(const struct picture *picture, const struct drawn_arrow *arrow, bool at_start)
{
    const struct execution_drawing *drawing = picture->drawing;
    const unsigned event = at_start ? arrow->from : arrow->to, other = at_start ? arrow->to : arrow->from;
    const int side = side_of(picture, event, other);
    int count = 0, before = 0;
    for (size_t i = 0; i < drawing->arrow_count; i++) {
        const struct drawn_arrow *each = &drawing->arrows[i];
        for (int start = 0; start < 2; start++) {
            const unsigned own = start ? each->from : each->to, far = start ? each->to : each->from;
            if (own != event || side_of(picture, own, far) != side)
                continue;
            const bool same = each == arrow && start == at_start;
            const unsigned row = drawing->events[far].row, present = drawing->events[other].row;
            before += !same && (row < present || (row == present && each < arrow));
            count++;
        }
    }
    return 2 * SPREAD * before - SPREAD * (count - 1);
}

static int column_place(const struct picture *picture, const struct drawn_event *event)
{
    return MARGIN + (int)event->column * (picture->box_width + GUTTER);
}

static int row_place(const struct drawn_event *event)
{
    return HEAD + (int)event->row * ROW + BOX / 2;
}

static bool is_far(const struct picture *picture, const struct drawn_arrow *arrow)
{
    const unsigned from = picture->drawing->events[arrow->from].column, to = picture->drawing->events[arrow->to].column;
    return from > to + 1 || to > from + 1;
}

static void measure(struct picture *picture)
{
    const struct execution_drawing *drawing = picture->drawing;
    size_t longest = 0;
    int far = 0;
    for (size_t i = 0; i < drawing->event_count; i++) {
        const size_t length = strlen(drawing->events[i].words) + 3;
        longest = length > longest ? length : longest;
    }
    for (size_t i = 0; i < drawing->arrow_count; i++)
        far += is_far(picture, &drawing->arrows[i]);
    picture->box_width = (int)longest * LETTER + 16;
    picture->width = (int)drawing->column_count * (picture->box_width + GUTTER) - GUTTER + 2 * MARGIN + GUTTER / 2;
    picture->bottom = HEAD + ((int)drawing->row_count - 1) * ROW + BOX;
    picture->height = picture->bottom + MARGIN + LANE * far + (far > 0 ? LANE / 2 : 0);
}

/* ---- events ---- */

static void add_heads(const struct picture *picture)
{
    for (unsigned i = 0; i < picture->drawing->column_count; i++)
        text_add(picture->text, "<text class=xhead x=%d y=14>P%d</text>",
                 MARGIN + (int)i * (picture->box_width + GUTTER), picture->drawing->threads[i]);
}

static void add_event(const struct picture *picture, const struct drawn_event *event)
{
    const int x = column_place(picture, event), y = row_place(event);
    text_add(picture->text, "<rect class=\"xevent%s\" x=%d y=%d width=%d height=%d rx=5 />",
             event->in_cycle ? " xcycle" : "", x, y - BOX / 2, picture->box_width, BOX);
    text_add(picture->text, "<text x=%d y=%d>", x + 8, y + 5);
    html_add(picture->text, "$: $", event->letter, event->words);
    if (event->event->instruction)
        html_add(picture->text, "<title>$</title>", event->event->instruction);
    text_add(picture->text, "</text>");
}

static void add_head(const struct picture *picture, const char *class, int x, int y, int way)
{
    text_add(picture->text, "<path class=\"xtip%s\" d=\"M%d %dl%d -5v10z\"/>", class, x, y, -way * TIP);
}

static void add_program_order(const struct picture *picture)
{
    const struct execution_drawing *drawing = picture->drawing;
    for (size_t i = 0; i + 1 < drawing->event_count; i++) {
        const struct drawn_event *event = &drawing->events[i], *next = event + 1;
        const int x = column_place(picture, event) + 20, end = row_place(next) - BOX / 2;
        const char *class = event->po_in_cycle ? " xcycle" : "";
        if (next->column != event->column)
            continue;
        text_add(picture->text,
                 "<path class=\"xline%s\" d=\"M%d %dV%d\"/><path class=\"xtip%s\" d=\"M%d %dl-5 -7h10z\"/>", class, x,
                 row_place(event) + BOX / 2, end - TIP, class, x, end);
        if (event->po_in_cycle)
            text_add(picture->text, "<text class=xlabel x=%d y=%d>po</text>", x + 8, end - (ROW - BOX) / 2 + 4);
    }
}

/* ---- arrows ---- */

static void add_label(const struct picture *picture, const struct drawn_arrow *arrow, int x, int y)
{
    text_add(picture->text, "<text class=\"xlabel xmiddle\" x=%d y=%d>", x, y);
    html_add(picture->text, "$</text>", arrow->label);
}

/* Below all events, round the columns between. */
static void add_far(struct picture *picture, const struct drawn_arrow *arrow, const char *class)
{
    const struct drawn_event *from = &picture->drawing->events[arrow->from], *to = &picture->drawing->events[arrow->to];
    const int way = from->column < to->column ? 1 : -1, lane = picture->bottom + LANE * ++picture->far_count;
    const int out = column_place(picture, from) + (way > 0 ? picture->box_width : 0),
              in = column_place(picture, to) + (way > 0 ? 0 : picture->box_width);
    const int start = row_place(from) + end_place(picture, arrow, true),
              end = row_place(to) + end_place(picture, arrow, false);
    const int down = out + way * (GUTTER / 4 + 6 * picture->far_count),
              up = in - way * (GUTTER / 4 + 6 * picture->far_count);
    text_add(picture->text, "<path class=\"xline%s\" d=\"M%d %dH%dV%dH%dV%dH%d\"/>", class, out, start, down, lane, up,
             end, in - way * TIP);
    add_head(picture, class, in, end, way);
    add_label(picture, arrow, (down + up) / 2, lane + 4);
}

/* Between neighbours, or round the right of one column. */
static void add_near(struct picture *picture, const struct drawn_arrow *arrow, const char *class)
{
    const struct drawn_event *from = &picture->drawing->events[arrow->from], *to = &picture->drawing->events[arrow->to];
    const bool same = from->column == to->column;
    const int way = from->column <= to->column ? 1 : -1, into = same ? -1 : way;
    const int out = column_place(picture, from) + (way > 0 ? picture->box_width : 0),
              in = column_place(picture, to) + (into > 0 ? 0 : picture->box_width);
    const int start = row_place(from) + end_place(picture, arrow, true),
              end = row_place(to) + end_place(picture, arrow, false);
    const int reach = same ? GUTTER / 2 : GUTTER / 2 * way;
    const int tip = in - into * TIP;
    text_add(picture->text, "<path class=\"xline%s\" d=\"M%d %dC%d %d %d %d %d %d\"/>", class, out, start, out + reach,
             start, same ? tip + reach : tip - reach, end, tip, end);
    add_head(picture, class, in, end, into);
    /* The point of the curve at a quarter of its way: two arrows that cross have their labels in different places. */
    const int x = same ? out + reach * 3 / 4 : out + (tip - out) * 22 / 100;
    add_label(picture, arrow, x, start + (end - start) * 16 / 100 + 4);
}

void execution_plot(const struct execution_drawing *drawing, const char *title, struct text *text)
{
    struct picture picture = {.drawing = drawing, .text = text};
    if (drawing->event_count == 0)
        return;
    measure(&picture);
    text_add(text, "<svg class=execution width=%d height=%d viewBox=\"0 0 %d %d\" role=img ", picture.width,
             picture.height, picture.width, picture.height);
    html_add(text, "aria-label=\"$\">", title);
    add_heads(&picture);
    add_program_order(&picture);
    for (int heavy = 0; heavy < 2; heavy++)
        for (size_t i = 0; i < drawing->arrow_count; i++) {
            const struct drawn_arrow *arrow = &drawing->arrows[i];
            if (arrow->in_cycle != (heavy == 1))
                continue;
            (is_far(&picture, arrow) ? add_far : add_near)(&picture, arrow, heavy ? " xcycle" : "");
        }
    for (size_t i = 0; i < drawing->event_count; i++)
        add_event(&picture, &drawing->events[i]);
    text_add(text, "</svg>\n");
}
