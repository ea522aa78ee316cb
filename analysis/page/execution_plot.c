// SPDX-License-Identifier: Apache-2.0
/* An execution in SVG, or in TikZ, which reads the paths of SVG. Places are in pixels. */
#include "analysis/page/plot.h"

#include "analysis/page/html.h"

enum {
    HEAD = 26,    /* the names of threads */
    ROW = 62,     /* from one event of a column to the next */
    BOX = 30,     /* an event's height */
    GUTTER = 130, /* between columns */
    LETTER = 7,   /* a character's width, at most */
    MARGIN = 4,
    LANE = 20,  /* between arrows below all events */
    TIP = 7,    /* an arrow's head */
    SPREAD = 5, /* half the distance between arrows at one side of an event */
    STEPS = 40, /* of an arrow, where it may meet a label */
    LABEL_LETTER = 8,
    LABEL_HEIGHT = 14
};

/* Where an arrow runs, and where its label is. */
struct course {
    int x[STEPS + 1], y[STEPS + 1];
    int label_x, label_y;
    int width; /* of the label; 0: it has no place yet */
};

struct picture {
    const struct execution_drawing *drawing;
    int box_width, width, height, bottom; /* bottom: of the last event */
    int far_count;                        /* arrows below all events, so far */
    struct course *courses;               /* of each arrow */
    enum plot_form form;
    struct text *text;
};

/* The side of an event where an arrow has an end: 0 is the left, 1 the right. */
static int side_of(const struct picture *picture, unsigned event, unsigned other)
{
    return picture->drawing->events[event].column <= picture->drawing->events[other].column;
}

/* From the middle of the event: the ends on one side are spread over it, in the order of the rows that they lead to. */
static int end_place(const struct picture *picture, const struct drawn_arrow *arrow, bool at_start)
{
    const struct execution_drawing *drawing = picture->drawing;
    const unsigned event = at_start ? arrow->from : arrow->to, other = at_start ? arrow->to : arrow->from;
    const int side = side_of(picture, event, other);
    int count = 0, before = 0;
    FOR_EACH(const struct drawn_arrow, each, drawing->arrows, drawing->arrow_count)
        for (int start = 0; start < 2; start++) {
            const unsigned own = start ? each->from : each->to, far = start ? each->to : each->from;
            if (own != event || side_of(picture, own, far) != side)
                continue;
            const bool same = each == arrow && start == at_start;
            const unsigned row = drawing->events[far].row, present = drawing->events[other].row;
            before += !same && (row < present || (row == present && each < arrow));
            count++;
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

static void execution_plot_measure(struct picture *picture)
{
    const struct execution_drawing *drawing = picture->drawing;
    size_t longest = 0;
    for (size_t i = 0; i < drawing->event_count; i++) {
        const size_t length = strlen(drawing->events[i].words) + 3;
        longest = length > longest ? length : longest;
    }
    const int far = SUM_OF(int, arrow, drawing->arrows, drawing->arrow_count, is_far(picture, arrow));
    picture->box_width = (int)longest * LETTER + 16;
    picture->width = (int)drawing->column_count * (picture->box_width + GUTTER) - GUTTER + 2 * MARGIN + GUTTER / 2;
    picture->bottom = HEAD + ((int)drawing->row_count - 1) * ROW + BOX;
    picture->height = picture->bottom + MARGIN + LANE * far + (far > 0 ? LANE / 2 : 0);
}

/* ---- what it is drawn with ---- */

static void draw_path(const struct picture *picture, const char *class, bool in_cycle, const char *path)
{
    text_add(picture->text, picture->form == PLOT_TIKZ ? "\\path[%s%s] svg {%s};\n" : "<path class=\"%s%s\" d=\"%s\"/>",
             class, in_cycle ? " xcycle" : "", path);
}

/* hover: NULL: there is none. */
static void draw_words(const struct picture *picture, const char *class, int x, int y, const char *words,
                       const char *hover)
{
    const bool tikz = picture->form == PLOT_TIKZ;
    text_add(picture->text, tikz ? "\\node[%s] at (%d,%d) {" : "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
    escape_format(picture->text, tikz ? ESCAPE_LATEX : ESCAPE_HTML, "$", words);
    if (hover && !tikz)
        html_add(picture->text, "<title>$</title>", hover);
    text_add(picture->text, tikz ? "};\n" : "</text>");
}

static void execution_plot_add_event(const struct picture *picture, const struct drawn_event *event)
{
    const int x = column_place(picture, event), y = row_place(event);
    text_add(picture->text,
             picture->form == PLOT_TIKZ
                 ? "\\path[xevent%s] (%d,%d) rectangle ++(%d,%d);\n"
                 : "<rect class=\"xevent%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>",
             event->in_cycle ? " xcycle" : "", x, y - BOX / 2, picture->box_width, BOX);
    draw_words(picture, "xwords", x + 8, y + 5, PRINTED(256, "%s: %s", event->letter, event->words),
               event->event->instruction);
}

/* A line, and the head of an arrow at this place. */
static void draw_arrow(const struct picture *picture, bool in_cycle, const char *path, int x, int y, int way)
{
    draw_path(picture, "xline", in_cycle, path);
    draw_path(picture, "xtip", in_cycle, PRINTED(64, "M%d %dl%d -5v10z", x, y, -way * TIP));
}

static void add_program_order(const struct picture *picture)
{
    const struct execution_drawing *drawing = picture->drawing;
    for (size_t i = 0; i + 1 < drawing->event_count; i++) {
        const struct drawn_event *event = &drawing->events[i], *next = event + 1;
        const int x = column_place(picture, event) + 20, end = row_place(next) - BOX / 2;
        if (next->column != event->column)
            continue;
        draw_path(picture, "xline", event->po_in_cycle,
                  PRINTED(64, "M%d %dV%d", x, row_place(event) + BOX / 2, end - TIP));
        draw_path(picture, "xtip", event->po_in_cycle, PRINTED(64, "M%d %dl-5 -7h10z", x, end));
        if (event->po_in_cycle)
            draw_words(picture, "xlabel", x + 8, end - (ROW - BOX) / 2 + 4, "po", NULL);
    }
}

/* ---- arrows ---- */

static struct course *course_of(const struct picture *picture, const struct drawn_arrow *arrow)
{
    return &picture->courses[arrow - picture->drawing->arrows];
}

/* A curve with these four points. */
static void note_curve(struct course *course, const int x[4], const int y[4])
{
    for (int i = 0; i <= STEPS; i++) {
        const double t = (double)i / STEPS, u = 1 - t;
        const double weights[] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
        double at_x = 0, at_y = 0;
        for (int k = 0; k < 4; k++) {
            at_x += weights[k] * x[k];
            at_y += weights[k] * y[k];
        }
        course->x[i] = (int)lround(at_x);
        course->y[i] = (int)lround(at_y);
    }
}

/* Lines between six points, each as many steps long. */
static void note_lines(struct course *course, const int x[6], const int y[6])
{
    enum { EACH = STEPS / 5 };
    for (int i = 0; i <= STEPS; i++) {
        const int line = i == STEPS ? 4 : i / EACH, part = i - line * EACH;
        course->x[i] = x[line] + (x[line + 1] - x[line]) * part / EACH;
        course->y[i] = y[line] + (y[line + 1] - y[line]) * part / EACH;
    }
}

/* Below all events, round the columns between. */
static void add_far(struct picture *picture, const struct drawn_arrow *arrow)
{
    const struct drawn_event *from = &picture->drawing->events[arrow->from], *to = &picture->drawing->events[arrow->to];
    const int way = from->column < to->column ? 1 : -1, lane = picture->bottom + LANE * ++picture->far_count;
    const int out = column_place(picture, from) + (way > 0 ? picture->box_width : 0),
              in = column_place(picture, to) + (way > 0 ? 0 : picture->box_width);
    const int start = row_place(from) + end_place(picture, arrow, true),
              end = row_place(to) + end_place(picture, arrow, false);
    const int down = out + way * (GUTTER / 4 + 6 * picture->far_count),
              up = in - way * (GUTTER / 4 + 6 * picture->far_count);
    draw_arrow(picture, arrow->in_cycle,
               PRINTED(128, "M%d %dH%dV%dH%dV%dH%d", out, start, down, lane, up, end, in - way * TIP), in, end, way);
    note_lines(course_of(picture, arrow), (const int[]){out, down, down, up, up, in},
               (const int[]){start, start, lane, lane, end, end});
}

/* Between neighbours, or round the right of one column. */
static void add_near(struct picture *picture, const struct drawn_arrow *arrow)
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
    const int x[] = {out, out + reach, same ? tip + reach : tip - reach, tip}, y[] = {start, start, end, end};
    draw_arrow(picture, arrow->in_cycle,
               PRINTED(128, "M%d %dC%d %d %d %d %d %d", x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3]), in, end, into);
    note_curve(course_of(picture, arrow), x, y);
}

/* ---- labels ---- */

/* Whether a place is within a label and the space around it. */
static bool execution_plot_covers(const struct course *label, int x, int y, int space)
{
    return abs(x - label->label_x) < label->width / 2 + space && abs(y - label->label_y) < LABEL_HEIGHT / 2 + space;
}

static bool overlaps(const struct course *a, const struct course *b)
{
    return a->width > 0 && b->width > 0 && abs(a->label_x - b->label_x) < (a->width + b->width) / 2 &&
           abs(a->label_y - b->label_y) < LABEL_HEIGHT;
}

/* How much a label covers at its place: other labels above all, then points of other arrows. */
static int cost_of(const struct picture *picture, const struct course *label)
{
    enum { OTHER_LABEL = 1000, SPACE = 2 };
    int cost = 0;
    FOR_EACH(const struct course, other, picture->courses, picture->drawing->arrow_count) {
        if (other == label)
            continue;
        cost += overlaps(label, other) ? OTHER_LABEL : 0;
        for (int step = 0; step <= STEPS; step++)
            cost += execution_plot_covers(label, other->x[step], other->y[step], SPACE);
    }
    return cost;
}

/* On its arrow, where it covers least: near the quarter of its way where nothing is, since arrows cross in the
 * middle. */
static void place_label(const struct picture *picture, const struct drawn_arrow *arrow)
{
    static const int near[] = {11, 13, 9, 15, 17, 29, 27, 25, 31, 20}, far[] = {20, 18, 22, 17, 23};
    const bool below = is_far(picture, arrow);
    const int *steps = below ? far : near;
    const size_t count = below ? COUNT(far) : COUNT(near);
    struct course *course = course_of(picture, arrow);
    int best = INT_MAX, best_step = steps[0];
    course->width = (int)strlen(arrow->label) * LABEL_LETTER;
    for (size_t i = 0; i < count; i++) {
        course->label_x = course->x[steps[i]];
        course->label_y = course->y[steps[i]];
        const int cost = cost_of(picture, course);
        if (cost < best) {
            best = cost;
            best_step = steps[i];
        }
    }
    course->label_x = course->x[best_step];
    course->label_y = course->y[best_step];
}

/* After all arrows, so that none of them crosses a label. */
static void add_labels(const struct picture *picture)
{
    for (size_t i = 0; i < picture->drawing->arrow_count; i++) {
        const struct drawn_arrow *arrow = &picture->drawing->arrows[i];
        place_label(picture, arrow);
        draw_words(picture, "xlabel xmiddle", picture->courses[i].label_x, picture->courses[i].label_y + 4,
                   arrow->label, NULL);
    }
}

extern const char execution_style[], execution_tikz[];

static void begin_picture(const struct picture *picture, const char *title)
{
    const bool alone = picture->form == PLOT_SVG;
    if (picture->form == PLOT_TIKZ) {
        text_add(picture->text, "%% ");
        (void)escape_add_line(picture->text, ESCAPE_COMMENT, title);
        text_add(picture->text, "\n%s", execution_tikz);
        return;
    }
    text_add(picture->text, "<svg %sclass=\"execution\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" ",
             alone ? "xmlns=\"http://www.w3.org/2000/svg\" " : "", picture->width, picture->height, picture->width,
             picture->height);
    html_add(picture->text, "aria-label=\"$\">", title);
    if (alone)
        text_add(picture->text, "<style>%s</style>\n<rect class=\"xpaper\" width=\"100%%\" height=\"100%%\"/>\n",
                 execution_style);
}

void execution_plot(const struct execution_drawing *drawing, const char *title, enum plot_form form, struct text *text)
{
    struct picture picture = {.drawing = drawing, .text = text, .form = form};
    if (drawing->event_count == 0)
        return;
    picture.courses = memory_take(drawing->arrow_count, sizeof *picture.courses);
    execution_plot_measure(&picture);
    begin_picture(&picture, title);
    for (unsigned i = 0; i < drawing->column_count; i++)
        draw_words(&picture, "xhead", MARGIN + (int)i * (picture.box_width + GUTTER), 14,
                   PRINTED(32, "P%d", drawing->threads[i]), NULL);
    add_program_order(&picture);
    for (int heavy = 0; heavy < 2; heavy++)
        FOR_EACH(const struct drawn_arrow, arrow, drawing->arrows, drawing->arrow_count) {
            if (arrow->in_cycle == (heavy == 1))
                (is_far(&picture, arrow) ? add_far : add_near)(&picture, arrow);
        }
    add_labels(&picture);
    free(picture.courses);
    for (size_t i = 0; i < drawing->event_count; i++)
        execution_plot_add_event(&picture, &drawing->events[i]);
    text_add(text, form == PLOT_TIKZ ? "\\end{tikzpicture}\n" : "</svg>\n");
}
