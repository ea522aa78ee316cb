// SPDX-License-Identifier: Apache-2.0
/*
 * The comparison of two sides: what changed, in the order in which it matters. It is data alone; compare_text.c and
 * compare_json.c print it, and the gate decides on it.
 *
 * How a change is decided. Samples are matched on everything but what is compared. The unit is the batch. Where nearly all
 * batches of the smaller side have a partner with an equal draw, those pairs are tested; else all batches are, side
 * against side. The p values of all outcomes of all tests are corrected together (Holm, with weights). A rate has changed where its
 * adjusted p is at most `alpha` and the whole interval of the ratio lies beyond `tolerance`. An outcome that one side has
 * not seen is lost or new beyond doubt where so many were expected that none would be seen with a chance of at
 * most `alpha`, and its adjusted p says the same.
 *
 * What is not known here: how a device differs from itself on another day. Batches of one run share that, so a gate is
 * calibrated with runs of the same driver.
 *
 * Ownership: a comparison borrows its sides, which must outlive it, and owns the rest.
 */
#ifndef ORCHIL_ANALYSIS_COMPARE_COMPARE_H
#define ORCHIL_ANALYSIS_COMPARE_COMPARE_H

#include "analysis/sides/side.h"
#include "analysis/statistics/statistics.h"
#include "base/arena.h"
#include "base/text.h"

struct compare_options {
    double alpha;      /* the chance of any false alarm among the rates, 0.05 */
    double confidence; /* of the intervals, 0.95 */
    double tolerance;  /* a factor, 1.1: changes within it do not count */
    double
        weak_weight; /* in the correction, of an outcome that is not sequentially consistent, where one that is has 1: 20 */
    double detect;       /* a factor, 2: a rate is known well enough where its ratio's interval lies within it */
    unsigned dimensions; /* what may differ; side_find_dimensions adds to them */
    uint64_t seed;       /* of the thinning of unequal batches */
};
struct compare_options compare_usual_options(void);

enum { SIDE_A, SIDE_B, SIDES };

enum rate_result {
    RATE_SIMILAR,   /* the interval of the ratio lies within `detect`, and it has not changed */
    RATE_CHANGED,   /* significant, and the whole interval lies beyond `tolerance` */
    RATE_NEW,       /* seen in B alone, beyond doubt */
    RATE_LOST,      /* seen in A alone, beyond doubt */
    RATE_NEW_RARE,  /* seen in B alone, which chance may explain */
    RATE_LOST_RARE, /* seen in A alone, which chance may explain */
    RATE_UNDECIDED  /* seen on both sides, with too little data */
};

/* One outcome of one pair that at least one side has seen. Counts and rates are of all valid batches. */
struct rate {
    const struct sample_outcome *outcome; /* of a side that has seen it, B first */
    uint64_t count[SIDES], counted[SIDES];
    struct sample_spread spread[SIDES];
    struct statistics_test test;
    double adjusted; /* p, corrected for all rates of the comparison */
    struct statistics_ratio ratio;
    double expected; /* where one side saw none: how many it would have seen at the other's rate; else 0 */
    enum rate_result result;
};

struct pair {
    const struct sample *sample[SIDES];
    size_t equal_draws;      /* that both sides have */
    size_t *partners[SIDES]; /* of each, its batch on either side, by position in the sample */
    bool all_equal;          /* nearly all batches of the smaller side have one */
    bool paired;             /* they were tested as pairs: all_equal, and not too few to say anything */
    double size_ratio;       /* of the mean batch of B to that of A, in counted instances; 0 where a side has none */
    struct rate *rates;      /* in order of the labels */
    size_t rate_count;
};

/* From grave to harmless: findings are listed in this order. */
enum finding_kind {
    FINDING_FORBIDDEN, /* a model forbids an outcome that was seen */
    FINDING_CONTROL,   /* a control showed what it must never show */
    FINDING_STATE,     /* a job ended otherwise */
    FINDING_NEW,
    FINDING_LOST,
    FINDING_RATE,
    FINDING_UNDECIDED, /* seen on both sides, with too little data to compare the rates */
    FINDING_KIND_COUNT
};

struct finding {
    enum finding_kind kind;
    const struct sample *sample[SIDES];   /* NULL where the other side has no match */
    const struct rate *rate;              /* of NEW, LOST, RATE and UNDECIDED */
    const struct sample_outcome *outcome; /* NULL of STATE */
    uint64_t count[SIDES];
    struct sample_spread spread[SIDES]; /* of the outcome over the batches */
    bool excused;                       /* of a forbidden outcome: the device does not promise what the test uses */
    bool sure;                          /* of NEW and LOST: beyond doubt. False of UNDECIDED, true of others */
};

struct unmatched {
    const struct sample *sample;
    int side;
    const char *reason;
};

/*
 * How alike two sides behave, over the matched tests of one device and driver: the cosine between the vectors of the rates of
 * all outcomes that are not sequentially consistent (as Levine et al., "GPUHarbor", ISSTA 2023, compare devices under
 * equal configurations). Every test weighs the same, or the most frequent one would decide alone; tests of fewer than 12
 * sightings are left out. An entry of `similarity` is an outcome; one of `draw_similarity` is an outcome in one draw, of
 * batches with equal draws.
 */
struct fingerprint {
    const struct sample *sample[SIDES]; /* one of each, for the names */
    size_t tests, entries;
    size_t equal_tests, draws; /* tests whose batches have equal draws; how many such batches on either side */
    double similarity;         /* NAN where a side has seen no such outcome */
    double draw_similarity;    /* NAN, too, where no draws are equal */
};

/* A difference of circumstances that is listed and not judged: the compiler, say. */
struct remark {
    const char *what, *value[SIDES];
    size_t tests;
};

struct comparison {
    const struct side *side[SIDES];
    struct compare_options options;
    unsigned dimensions; /* what the sides differ in */
    size_t shared_jobs;  /* that are on both sides */
    struct pair *pairs;
    size_t pair_count;
    struct unmatched *unmatched;
    size_t unmatched_count;
    struct finding *findings; /* in the order of their kinds; of a kind the sure and the largest first, then by test */
    size_t finding_count;
    struct fingerprint *fingerprints;
    size_t fingerprint_count;
    struct remark *remarks;
    size_t remark_count;
    size_t results[RATE_UNDECIDED + 1]; /* rates by result */
    struct arena arena;
};

/* Gathers the samples of both sides and compares them. The caller calls comparison_release. */
void compare_sides(struct side *a, struct side *b, const struct compare_options *options,
                   struct comparison *comparison);
void comparison_release(struct comparison *comparison);

/* Kinds of findings that are listed together, in the order in which they are. */
enum { COMPARE_FORBIDDEN, COMPARE_STATES, COMPARE_SEEN, COMPARE_RATES, COMPARE_UNDECIDED, COMPARE_SECTIONS };
extern const struct compare_section {
    const char *title;
    enum finding_kind first, last;
} compare_sections[COMPARE_SECTIONS];

/* How many findings are of these kinds. */
size_t compare_count(const struct comparison *comparison, enum finding_kind first, enum finding_kind last);

/* "forbidden", "new" and the like. */
const char *finding_kind_name(enum finding_kind kind);
const char *rate_result_name(enum rate_result result);

/* One finding as a sentence, with direction and units in words; bytes that could steer a terminal become '?'. */
void compare_describe(const struct comparison *comparison, const struct finding *finding, struct text *text);

/* The whole comparison for people, and as one JSON object. Equal comparisons give equal bytes. */
void compare_print_text(const struct comparison *comparison, struct text *text);
void compare_print_json(const struct comparison *comparison, struct text *text);

/* The comparison as one HTML page, which needs nothing but itself. Equal comparisons give equal bytes. */
void compare_print_page(const struct comparison *comparison, struct text *text);

/* Whether an outcome is not sequentially consistent: so the model says, or, where none judged, the test's condition. */
bool compare_shows_weakness(const struct sample_outcome *outcome);

#endif
