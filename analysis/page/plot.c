// SPDX-License-Identifier: Apache-2.0
/* Plots in SVG. Horizontal places are percentages, so a plot fills the available width and its texts keep their
 * size. */
#include "analysis/page/plot.h"

#include "analysis/page/html.h"

enum { PLOT_MOST_TICKS = 8 };

/* A range of logarithms to base ten, and the places of its ends in a picture. */
struct plot_axis {
    double low, high, first, last;
    double ticks[PLOT_MOST_TICKS];
    size_t tick_count;
};

enum { NUMBER_SIZE = 40 };

static const char *const tones[] = {[PLOT_PLAIN] = "", [PLOT_DOUBT] = " pdoubt", [PLOT_BAD] = " pbad"};

/* ---- axes ---- */

static bool is_placed(double value)
{
    return isfinite(value) && value > 0;
}

static bool is_band(double low, double high)
{
    return is_placed(low) && is_placed(high) && low < high;
}

/* A value that is 0, infinite or NAN has no place. */
static void axis_include(struct plot_axis *axis, double value)
{
    if (!is_placed(value))
        return;
    axis->low = fmin(axis->low, log10(value));
    axis->high = fmax(axis->high, log10(value));
}

static void include_band(struct plot_axis *axis, double low, double high)
{
    axis_include(axis, is_band(low, high) ? low : NAN);
    axis_include(axis, is_band(low, high) ? high : NAN);
}

/* Values beyond an end are placed there. */
static double plot_axis_place(const struct plot_axis *axis, double value)
{
    const double share = (log10(value) - axis->low) / (axis->high - axis->low);
    return axis->first + fmin(1, fmax(0, share)) * (axis->last - axis->first);
}

/* Adds the ticks that are a mantissa by a power of ten, every `step` powers. Returns whether there was room for all. */
static bool add_ticks(struct plot_axis *axis, const double *mantissas, size_t count, int step)
{
    axis->tick_count = 0;
    for (int power = (int)floor(axis->low); power <= (int)ceil(axis->high); power++)
        for (size_t i = 0; i < count && power % step == 0; i++) {
            const double tick = mantissas[i] * pow(10, power);
            if (log10(tick) < axis->low || log10(tick) > axis->high)
                continue;
            if (axis->tick_count == PLOT_MOST_TICKS)
                return false;
            axis->ticks[axis->tick_count++] = tick;
        }
    return true;
}

/* The finest ticks for which there is room. */
static void choose_ticks(struct plot_axis *axis)
{
    double finest[90]; /* a nearly flat series needs them */
    static const double fine[] = {1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 7, 8, 9},
                        middle[] = {1, 1.5, 2, 3, 5, 7}, coarse[] = {1, 2, 5}, powers[] = {1};
    for (size_t i = 0; i < COUNT(finest); i++)
        finest[i] = (10 + (double)i) / 10;
    if (add_ticks(axis, finest, COUNT(finest), 1) || add_ticks(axis, fine, COUNT(fine), 1) ||
        add_ticks(axis, middle, COUNT(middle), 1) || add_ticks(axis, coarse, COUNT(coarse), 1))
        return;
    for (int step = 1; !add_ticks(axis, powers, 1, step);)
        step++;
}

/* Leaves room at the ends and chooses ticks. If nothing has a place, the axis shows values around 1. most: where the
 * axis ends at the latest, or 0. */
static void axis_finish(struct plot_axis *axis, double first, double last, double most)
{
    const double least = 0.1; /* the fewest powers of ten on an axis, so that nearly equal values stay together */
    if (axis->low > axis->high)
        axis->low = axis->high = 0;
    const double room = fmax(0.06 * (axis->high - axis->low), (least - (axis->high - axis->low)) / 2);
    axis->low -= room;
    axis->high += room;
    if (is_placed(most))
        axis->high = fmin(axis->high, log10(most));
    axis->low = fmin(axis->low, axis->high - least);
    axis->first = first;
    axis->last = last;
    choose_ticks(axis);
}

static struct plot_axis plot_axis_empty(void)
{
    return (struct plot_axis){.low = INFINITY, .high = -INFINITY};
}

/* "0.05", "1.5e-5", "2e6": short, since there is little room next to an axis. */
static const char *print_tick(double tick, char buffer[NUMBER_SIZE])
{
    if (tick < 0.00999 || tick > 99999) {
        const int power = (int)floor(log10(tick) + 1e-9);
        (void)snprintf(buffer, NUMBER_SIZE, "%.2ge%d", tick / pow(10, power), power);
    } else {
        (void)snprintf(buffer, NUMBER_SIZE, "%.4g", tick);
    }
    return buffer;
}

/* ---- rows of intervals ---- */

/* A vertical line at a value, for an axis in percent from left to right. */
static void axis_add_line(const struct plot_axis *axis, const char *class, double value, struct text *text)
{
    const double place = plot_axis_place(axis, value);
    text_add(text, "<line class=%s x1=\"%.2f%%\" x2=\"%.2f%%\" y1=0 y2=\"100%%\"/>", class, place, place);
}

/* The end of a whisker: a bar, or an arrow if it is open. way: -1 for the low end, 1 for the high one. */
static void add_end(struct text *text, double place, bool open, int way)
{
    text_add(text, "<svg x=\"%.2f%%\" y=\"50%%\" overflow=visible><path class=pwhisker d=\"", place);
    if (open)
        text_add(text, "M%d -5L0 0L%d 5\"/></svg>", -7 * way, -7 * way);
    else
        text_add(text, "M0 -5V5\"/></svg>");
}

/* The numbers of the ticks, for an axis in percent from left to right. */
static void print_scale(const struct plot_axis *axis, struct text *text)
{
    text_add(text, "<li class=\"prow pscale\" aria-hidden=true><span class=plabel></span><span class=pfield>"
                   "<svg height=20>");
    char number[NUMBER_SIZE];
    for (size_t i = 0; i < axis->tick_count; i++)
        text_add(text, "<text x=\"%.2f%%\" y=14 text-anchor=middle>%s</text>", plot_axis_place(axis, axis->ticks[i]),
                 print_tick(axis->ticks[i], number));
    text_add(text, "</svg></span><span class=pfigures></span></li>\n");
}

void plot_print_intervals(const struct plot_intervals *plot, struct text *text)
{
    struct plot_axis axis = plot_axis_empty();
    if (plot->row_count == 0)
        return;
    for (size_t i = 0; i < plot->row_count; i++) {
        axis_include(&axis, plot->rows[i].value);
        axis_include(&axis, plot->rows[i].low);
        axis_include(&axis, plot->rows[i].high);
    }
    axis_include(&axis, plot->reference);
    include_band(&axis, plot->band_low, plot->band_high);
    axis_finish(&axis, 2, 98, plot->most);
    html_add(text, "<figure class=plot>\n<figcaption>$</figcaption>\n<ul class=prows>\n", plot->title);
    FOR_EACH(const struct plot_row, row, plot->rows, plot->row_count) {
        text_add(text, "<li class=\"prow%s\"><span class=plabel>", tones[row->tone]);
        if (row->anchor)
            html_add(text, "<a href=\"#$\">$</a>", row->anchor, row->label);
        else
            html_add(text, "$", row->label);
        html_add(text, "</span><span class=pfield><svg role=img aria-label=\"$\"><title>$$$</title>",
                 *row->figures ? row->figures : row->label, row->label, *row->figures ? ": " : "", row->figures);
        if (is_band(plot->band_low, plot->band_high)) {
            const double low = plot_axis_place(&axis, plot->band_low), high = plot_axis_place(&axis, plot->band_high);
            text_add(text, "<rect class=pband x=\"%.2f%%\" y=0 width=\"%.2f%%\" height=\"100%%\"/>", low, high - low);
        }
        for (size_t tick = 0; tick < axis.tick_count; tick++)
            axis_add_line(&axis, "ptick", axis.ticks[tick], text);
        if (is_placed(plot->reference))
            axis_add_line(&axis, "pline", plot->reference, text);
        const bool open_low = !is_placed(row->low), open_high = !is_placed(row->high);
        const double low = open_low ? 0.5 : plot_axis_place(&axis, row->low),
                     high = open_high ? 99.5 : plot_axis_place(&axis, row->high);
        text_add(text, "<line class=pwhisker x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"50%%\" y2=\"50%%\"/>", low, high);
        add_end(text, low, open_low, -1);
        add_end(text, high, open_high, 1);
        if (is_placed(row->value))
            text_add(text, "<circle cx=\"%.2f%%\" cy=\"50%%\" r=4.5 />", plot_axis_place(&axis, row->value));
        html_add(text, "</svg></span><span class=pfigures>$</span></li>\n", row->figures);
    }
    print_scale(&axis, text);
    text_add(text, "</ul>\n</figure>\n");
}

/* ---- series ---- */

/* Pixels vertically, percentages horizontally. */
enum { FIELD_HEIGHT = 170, LINE_HEIGHT = 15, LABEL_LINES = 4, LABEL_LENGTH = 24, NAMED_POINTS = 4 };
static const double field_left = 12, field_right = 97;

struct series {
    const struct plot_series *plot;
    struct plot_axis axis; /* upwards: from the bottom of the field to its top */
    size_t lines;          /* of labels above the field */
    double top, bottom;
};

static double place_of(const struct plot_series *plot, double index)
{
    const double steps = (double)plot->point_count;
    return field_left + (index + 0.5) / steps * (field_right - field_left);
}

/* The most bytes, and characters, of a label in the picture. */
static size_t cut_label(const char *label, size_t *characters)
{
    size_t bytes = 0;
    for (*characters = 0; label[bytes] && *characters < LABEL_LENGTH; ++*characters)
        for (bytes++; ((unsigned char)label[bytes] & 0xc0U) == 0x80;)
            bytes++;
    return bytes;
}

/* The position of a label: in the first line with room for it. A character is taken as 2 % wide, which holds from a
 * width of 340 pixels on. */
struct label_place {
    size_t line;
    bool left; /* it ends at its line instead of starting there */
    bool fits;
};

static struct label_place place_label(double place, size_t characters, double taken[LABEL_LINES])
{
    const double width = 2.0 * (double)characters + 2;
    struct label_place found = {.left = place + width > 100 && place - width > 0};
    const double start = found.left ? place - width : place;
    while (found.line < LABEL_LINES && taken[found.line] > start)
        found.line++;
    found.fits = found.line < LABEL_LINES;
    if (found.fits)
        taken[found.line] = start + width;
    return found;
}

static void add_label(const struct series *series, const struct plot_mark *mark, double place, struct label_place at,
                      struct text *text)
{
    size_t characters;
    const size_t bytes = cut_label(mark->label, &characters);
    const char *const shown = PRINTED(4 * LABEL_LENGTH + 1, "%.*s", (int)bytes, mark->label);
    text_add(text, "<text class=pmark x=\"%.2f%%\" dx=%d y=%zu text-anchor=%s>", place, at.left ? -4 : 4,
             LINE_HEIGHT * (series->lines - at.line) - 3, at.left ? "end" : "start");
    html_add(text, "$$</text>", shown, mark->label[bytes] ? "\u2026" : "");
}

/* The marks, with the labels for which there is room. draws: if false, only their lines are counted. */
static void place_marks(struct series *series, bool draws, struct text *text)
{
    double taken[LABEL_LINES] = {0};
    const struct plot_series *plot = series->plot;
    FOR_EACH(const struct plot_mark, mark, plot->marks, plot->mark_count) {
        const double place = place_of(plot, (double)mark->before - 0.5);
        size_t characters;
        (void)cut_label(mark->label, &characters);
        const struct label_place at = place_label(place, characters, taken);
        if (!draws && at.fits && at.line + 1 > series->lines)
            series->lines = at.line + 1;
        if (!draws)
            continue;
        const double top = at.fits ? LINE_HEIGHT * (double)(series->lines - at.line - 1) + 2 : series->top;
        html_add(text, "<g><title>$</title>", mark->label);
        text_add(text, "<line class=pmarkline x1=\"%.2f%%\" x2=\"%.2f%%\" y1=%.1f y2=%.1f />", place, place, top,
                 series->bottom);
        if (at.fits)
            add_label(series, mark, place, at, text);
        text_add(text, "</g>\n");
    }
}

static void add_field(const struct series *series, struct text *text)
{
    const struct plot_series *plot = series->plot;
    char number[NUMBER_SIZE];
    if (is_band(plot->band_low, plot->band_high)) {
        const double low = plot_axis_place(&series->axis, plot->band_low),
                     high = plot_axis_place(&series->axis, plot->band_high);
        text_add(text, "<rect class=pband x=\"%.2f%%\" y=%.1f width=\"%.2f%%\" height=%.1f />\n", field_left, high,
                 field_right - field_left, low - high);
    }
    for (size_t i = 0; i < series->axis.tick_count; i++) {
        const double place = plot_axis_place(&series->axis, series->axis.ticks[i]);
        text_add(text,
                 "<line class=ptick x1=\"%.2f%%\" x2=\"%.2f%%\" y1=%.1f y2=%.1f /><text x=\"%.2f%%\" dx=-4 y=%.1f "
                 "text-anchor=end>%s</text>\n",
                 field_left, field_right, place, place, field_left, place + 4,
                 print_tick(series->axis.ticks[i], number));
    }
}

/* An arrow if an interval is open, else a bar. way: 1 downwards, -1 upwards. */
static void add_point_end(double height, bool open, int way, double place, struct text *text)
{
    text_add(text, "<svg x=\"%.2f%%\" overflow=visible><path class=pwhisker d=\"", place);
    if (open)
        text_add(text, "M-4 %.1fL0 %.1fL4 %.1f\"/></svg>", height - 6 * way, height, height - 6 * way);
    else
        text_add(text, "M-3 %.1fH3\"/></svg>", height);
}

static void add_point(const struct series *series, size_t index, struct text *text)
{
    const struct plot_point *point = &series->plot->points[index];
    const double place = place_of(series->plot, (double)index);
    const double radius = series->plot->point_count > 80 ? 2 : 3.5;
    const bool open_low = !is_placed(point->low), open_high = !is_placed(point->high);
    const double low = open_low ? series->bottom : plot_axis_place(&series->axis, point->low);
    const double high = open_high ? series->top : plot_axis_place(&series->axis, point->high);
    if (point->anchor)
        html_add(text, "<a href=\"#$\">", point->anchor);
    html_add(text, "<g$><title>$</title>", point->outside || point->ringed ? " class=pbad" : "", point->hover);
    text_add(text, "<line class=pwhisker x1=\"%.2f%%\" x2=\"%.2f%%\" y1=%.1f y2=%.1f />", place, place, low, high);
    add_point_end(low, open_low, 1, place, text);
    add_point_end(high, open_high, -1, place, text);
    if (is_placed(point->value))
        text_add(text, "<circle cx=\"%.2f%%\" cy=%.1f r=%.1f />", place, plot_axis_place(&series->axis, point->value),
                 radius);
    if (point->ringed)
        text_add(text, "<circle class=pring cx=\"%.2f%%\" cy=%.1f r=%.1f />", place,
                 is_placed(point->value) ? plot_axis_place(&series->axis, point->value) : (low + high) / 2, radius + 5);
    text_add(text, "</g>%s\n", point->anchor ? "</a>" : "");
}

/* The names of a few points at equal distances, including the first and the last. */
static void add_names(const struct series *series, struct text *text)
{
    const size_t count = series->plot->point_count, named = count < NAMED_POINTS ? count : NAMED_POINTS;
    for (size_t i = 0; i < named; i++) {
        const size_t index = named > 1 ? i * (count - 1) / (named - 1) : 0;
        const double place = place_of(series->plot, (double)index);
        text_add(text, "<text x=\"%.2f%%\" y=%.1f text-anchor=%s>", place, series->bottom + 16,
                 place > 90 ? "end" : "middle");
        html_add(text, "$</text>\n", series->plot->points[index].name);
    }
}

void plot_print_series(const struct plot_series *plot, struct text *text)
{
    struct series series = {.plot = plot, .axis = plot_axis_empty()};
    if (plot->point_count == 0)
        return;
    for (size_t i = 0; i < plot->point_count; i++) {
        axis_include(&series.axis, plot->points[i].value);
        axis_include(&series.axis, plot->points[i].low);
        axis_include(&series.axis, plot->points[i].high);
    }
    include_band(&series.axis, plot->band_low, plot->band_high);
    place_marks(&series, false, text);
    series.top = (double)(LINE_HEIGHT * series.lines) + 6;
    series.bottom = series.top + FIELD_HEIGHT;
    axis_finish(&series.axis, series.bottom, series.top, plot->most);
    text_add(text, "<figure class=plot");
    if (plot->anchor)
        html_add(text, " id=\"$\"", plot->anchor);
    html_add(text, ">\n<figcaption>$</figcaption>\n", plot->title);
    text_add(text, "<svg class=pseries height=%.0f role=img", series.bottom + 22);
    /* The alternative text: the title, and the first point with a ring. */
    const struct plot_point *ringed = FIRST_OF(point, plot->points, plot->point_count, point->ringed);
    html_add(text, " aria-label=\"$$$\"><title>$</title>\n", plot->title, ringed ? "; with a ring: " : "",
             ringed ? ringed->hover : "", plot->title);
    add_field(&series, text);
    place_marks(&series, true, text);
    for (size_t i = 0; i < plot->point_count; i++)
        add_point(&series, i, text);
    add_names(&series, text);
    text_add(text, "</svg>\n</figure>\n");
}
