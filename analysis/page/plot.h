// SPDX-License-Identifier: Apache-2.0
/* Intervals and executions as pictures in a page: inline SVG without a script, in the page's colours (page.css). Texts
 * may have any origin and are escaped. Equal plots give equal bytes. Axes are logarithmic. */
#pragma once

#include "models/explain/explain.h"

/* The colour of something; text next to it must say the same. */
enum plot_tone { PLOT_PLAIN, PLOT_DOUBT, PLOT_BAD };

/* A row: a point with its interval, a label and a text with the value. */
struct plot_row {
    const char *label;
    const char *anchor;  /* the id of a place in the page that the label links to; NULL: none */
    const char *figures; /* the same in figures, as in "x1.67 (1.62 to 1.71)"; "": none */
    /* A value that is 0, infinite or NAN has no point. An end of the interval that is 0, infinite or NAN is open: it is
     * drawn as an arrow to the edge. */
    double value, low, high;
    enum plot_tone tone;
};

/* Intervals above each other on one axis: ratios, with a line at 1 and a band of tolerance, or rates, without. */
struct plot_intervals {
    const char *title; /* title: a line above the plot */
    const struct plot_row *rows;
    size_t row_count;           /* 0: nothing is printed */
    double reference;           /* where the line is drawn; 0: nowhere */
    double band_low, band_high; /* the shaded band, 0 < low < high; otherwise there is none */
    double most;                /* the axis ends there at the latest: 1 for rates; 0: nowhere */
};
void plot_print_intervals(const struct plot_intervals *plot, struct text *text);

/* A point of a series: a run, say. Value and interval are as in a row. */
struct plot_point {
    double value, low, high;
    const char *name;   /* short, for the axis: "12" */
    const char *hover;  /* a sentence shown on hover: "run 12, driver 580.1: 2.5e-4 per instance" */
    const char *anchor; /* the id of a place in the page that the point links to; NULL: none */
    bool outside;       /* outside the band: drawn in another colour */
    bool ringed;        /* a change begins here */
};

/* A line between two points: before the point of this index, counted from 0 (0: before the first). */
struct plot_mark {
    size_t before;
    const char *label; /* "driver 580.1"; long ones are cut in the picture and shown in full on
                        * hover */
};

/* A series over an index: points at equal distances from left to right. */
struct plot_series {
    const char *title; /* title: a line above the plot */
    const struct plot_point *points;
    size_t point_count;            /* 0: nothing is printed */
    double band_low, band_high;    /* as above */
    const struct plot_mark *marks; /* in order of `before` */
    size_t mark_count;
    double most;        /* as above */
    const char *anchor; /* the id of the plot; NULL: none */
};
void plot_print_series(const struct plot_series *plot, struct text *text);

/* ---- an execution ---- */

/* As inline SVG, which follows the page's colours, as a file of SVG, or as a picture of TikZ for a LaTeX document. */
enum plot_form { PLOT_IN_PAGE, PLOT_SVG, PLOT_TIKZ };

/* The execution: a column for each thread, its events from top to bottom, arrows between them; the cycle is heavy and
 * in the accent colour. title: the alternative text. */
void execution_plot(const struct execution_drawing *drawing, const char *title, enum plot_form form, struct text *text);
