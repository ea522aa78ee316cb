// SPDX-License-Identifier: Apache-2.0
/*
 * The comparison of two sides: what changed, in the order in which it matters. It is data alone; compare_document.c and
 * compare_json.c print it, and the gate decides on it.
 *
 * How a change is decided. Samples are matched on everything but what is compared. The unit is the run
 * (statistics/runs.h): a rate has changed if the p of its moderated t, corrected for all questions of the comparison
 * (Holm, with weights), is at most `alpha` and the whole interval of the ratio lies beyond `tolerance`. An outcome that
 * only one side has seen is new or lost if the same p is significant, every run of that side has seen it and no run of
 * the other has. This takes `fewest_runs` of A, the baseline. With fewer, it is unknown how much two runs differ:
 * findings of the tests over batches are then unconfirmed. So is a rate that has probably changed: it is beyond the
 * tolerance and significant but its interval is not beyond, or it changed by more than a factor of `detect` and p is at
 * most `suspect`.
 *
 * Void instances and the time of an instance are questions too (shares): for each reason, how many of the launched
 * instances are void; and how many nanoseconds one takes, which has a tolerance of its own. What is not sure about them
 * is not a finding.
 *
 * A comparison may be the second look at what a first one chose (`first`): then B holds reruns, and p is the chance to
 * be chosen and decided.
 *
 * Ownership: a comparison borrows its sides, which must outlive it, and owns the rest.
 */
#pragma once

#include "analysis/sides/side.h"
#include "analysis/statistics/runs.h"
#include "analysis/statistics/statistics.h"
#include "base/document/document.h"

struct compare_options {
    double alpha;                   /* the chance of any false alarm among the rates, 0.05 */
    double confidence;              /* of the intervals, 0.95 */
    double tolerance;               /* a factor, 1.1: changes within it do not count */
    double time_tolerance;          /* the same for the time of an instance, 2 */
    double least_share;             /* void instances that are fewer on both sides decide nothing, 0.001 */
    double weak_weight;             /* weight in the correction of an outcome that is not sequentially consistent;
                                     * others have 1: 20 */
    double detect;                  /* a factor, 2: a rate is known well enough if its ratio's interval lies within
                                     * it */
    double suspect, suspect_other;  /* the largest p of a question for which a rerun is worth its time: 0.15 for
                                     * outcomes that are not sequentially consistent, 0.01 for others */
    size_t fewest_runs;             /* of A, needed to decide on rates: 3 */
    const struct comparison *first; /* the pass that chose the reruns in B; NULL: this is the only pass */
    unsigned dimensions;            /* what may differ; side_find_dimensions adds to them */
    uint64_t seed;                  /* for thinning unequal batches */
};

/* The usual options, as an initialiser's members. */
#define COMPARE_USUAL                                                                                                  \
    .alpha = 0.05, .confidence = STATISTICS_CONFIDENCE, .tolerance = 1.1, .time_tolerance = 2, .least_share = 0.001,   \
    .weak_weight = 20, .detect = 2, .suspect = 0.15, .suspect_other = 0.01, .fewest_runs = 3, .seed = 1

enum { SIDE_A, SIDE_B, SIDES };

enum rate_result {
    RATE_SIMILAR,     /* the interval of the ratio lies within `detect`, and it has not changed */
    RATE_CHANGED,     /* significant, and the whole interval lies beyond `tolerance` */
    RATE_NEW,         /* seen in every run of B and in none of A, and significant */
    RATE_LOST,        /* seen in every run of A and in none of B, and significant */
    RATE_UNCONFIRMED, /* probably changed: either A has too few runs to say whether they differ as much, or the ratio is
                       * beyond `tolerance` and significant but its interval is not beyond, or it is beyond `detect` at
                       * the loose level `suspect` */
    RATE_NEW_UNCONFIRMED,
    RATE_LOST_UNCONFIRMED,
    RATE_NEW_RARE,     /* seen in B alone, which chance may explain */
    RATE_LOST_RARE,    /* seen in A alone, which chance may explain */
    RATE_UNDECIDED,    /* seen on both sides, with too little data */
    RATE_NOT_COMPARED, /* seen on both sides, by different kernels */
    RATE_MOVED,        /* changed, as all of B did: the shift reports it */
    RATE_RESULT_COUNT
};

/* One outcome or share of one pair that at least one side has seen: a question. Counts and rates cover all valid
 * batches. */
struct rate {
    const struct sample_outcome *outcome;  /* of a side that has seen it, B first */
    uint64_t count[SIDES], counted[SIDES]; /* of a share: of all launched instances */
    struct sample_spread spread[SIDES];
    struct statistics_measure measure;   /* of its runs */
    const double *residuals;             /* of A's runs, then of B's */
    struct statistics_decision decision; /* over runs */
    double adjusted;                     /* its p, corrected for all questions of the comparison */
    struct statistics_test within;       /* over batches: describes these runs only */
    double within_adjusted;              /* its p, corrected the same way */
    bool by_runs;                        /* runs decide and `ratio` has their interval; else batches */
    struct statistics_ratio ratio;       /* if one side has seen none: the bound on it */
    double expected;                     /* if one side saw none: how many it would have seen at the other's rate; else
                                          * 0 */
    bool suspect;                        /* worth running again */
    double suspect_p;                    /* the level at which the first pass chose it; 1: chosen for another reason */
    enum rate_result result;
};

/* Whether only one side has seen it. */
bool rate_is_one_sided(const struct rate *rate);

/* Whether both sides of a pair ran the same kernel: by the hashes of its text, if known. */
enum pair_kernels {
    KERNELS_EQUAL,
    KERNELS_OF_DEVICES, /* different because backends, devices or lowerings differ */
    KERNELS_REPLAYED,   /* different, and one is a saved kernel, chosen on purpose */
    KERNELS_DIFFER      /* different, perhaps because orchil changed: no rate is compared */
};

struct sample_pair {
    const struct sample *sample[SIDES];
    enum pair_kernels kernels;
    size_t equal_draws; /* that both sides have, in any runs */
    bool paired; /* within runs, batches were tested draw by draw: nearly all of the smaller side have a partner */
    double load; /* of the processor that ran it, on the busier side, if others kept it busy; else 0 */
    double size_ratio;                 /* mean batch of B over mean batch of A, in counted instances; 0 if a side has
                                        * none */
    struct rate *rates;                /* of outcomes in order of the labels, then those of shares */
    size_t rate_count, question_count; /* of outcomes; of both */
};

/* From grave to harmless. */
enum finding_kind {
    FINDING_FORBIDDEN, /* an outcome was seen that a model forbids */
    FINDING_CONTROL,   /* a control showed its witness */
    FINDING_CLAIM,     /* a witness was seen that must never appear, as the test's file says */
    FINDING_STATE,     /* a job ended in another state */
    FINDING_KEPT,      /* the compiled code is known not to be the test, on one side only */
    FINDING_SHIFT,     /* all rates of B differ from A's by one factor */
    FINDING_NEW,
    FINDING_LOST,
    FINDING_RATE,
    FINDING_VOIDS,     /* another share of the instances is void, for one reason */
    FINDING_TIME,      /* an instance takes another time */
    FINDING_UNDECIDED, /* seen on both sides, with too little data to compare the rates */
    FINDING_KIND_COUNT
};

/* How certain a finding is. */
enum finding_standing {
    STANDING_SURE,
    STANDING_UNCONFIRMED, /* probably changed, but there are too few runs to be sure */
    STANDING_UNDECIDED    /* chance may explain it */
};

struct finding {
    enum finding_kind kind;
    enum finding_standing standing;       /* from SHIFT on; others are sure */
    const struct sample *sample[SIDES];   /* NULL if the other side has no match; for SHIFT, the first pair */
    const struct sample_pair *pair;       /* from NEW on */
    const struct rate *rate;              /* of the same */
    const struct sample_outcome *outcome; /* of VOIDS and TIME, a share; NULL for STATE, KEPT and SHIFT */
    uint64_t count[SIDES];
    struct sample_spread spread[SIDES]; /* of the outcome over the batches */
    size_t position;                    /* in which it was found */
    bool excused;                       /* of what must never be seen: the device does not support an order or scope of
                                         * the test */
};

/* A finding on a question of a pair. */
struct finding finding_on(const struct sample_pair *pair, const struct rate *rate, enum finding_kind kind,
                          enum finding_standing standing);

/* Whether a finding is an outcome that must never be seen, by the rule of models/ruling.h; whether it also fails. */
bool finding_is_alarm(const struct finding *finding);
bool finding_fails(const struct finding *finding);

/* The kind of a finding on a changed rate, whose outcome or share this is. */
enum finding_kind finding_of_measure(enum sample_measure of);

/* Where an outcome that must never be seen was seen, from grave to harmless. */
enum finding_age { FINDING_NEW_IN_B, FINDING_IN_BOTH, FINDING_IN_A_ALONE, FINDING_AGES };
enum finding_age finding_age(const struct finding *finding);

struct unmatched {
    const struct sample *sample;
    int side;
    const char *reason;
};

/* A difference of circumstances that is listed and not judged: the compiler, say. */
struct remark {
    const char *what, *value[SIDES]; /* values: empty if there is none to show */
    size_t tests;
    bool confounds; /* it is not what is compared, but may explain different rates */
    const char *so; /* the consequence: "rates are not compared"; NULL: none */
};

/* Whether all weak outcomes of B are more or less frequent by one factor: another clock, load or chip. */
struct shift {
    double log_ratio;
    struct statistics_decision decision;
    double adjusted; /* p, corrected together with the questions */
    bool suspect;    /* worth running the suite again */
    bool found;      /* significant, and the whole interval lies beyond `tolerance`: rates that moved with it are not
                      * findings */
    size_t moved;    /* rates that moved with it and would otherwise be findings */
};

/* The questions that learn from each other how much runs differ. */
enum compare_suite { COMPARE_OTHER, COMPARE_WEAK, COMPARE_VOIDS, COMPARE_TIMES, COMPARE_SUITES };
enum compare_suite compare_suite_of(const struct sample_outcome *outcome);

struct comparison {
    const struct side *side[SIDES];
    struct compare_options options;
    unsigned dimensions; /* what the sides differ in */
    size_t shared_jobs;  /* that are on both sides */
    struct sample_pair *pairs;
    size_t pair_count;
    struct unmatched *unmatched;
    size_t unmatched_count;
    struct finding *findings; /* by section, then by kind; the largest first, then by test */
    size_t finding_count;
    struct remark *remarks;
    size_t remark_count;
    size_t results[RATE_RESULT_COUNT];              /* number of rates of outcomes by result */
    struct statistics_suite suites[COMPARE_SUITES]; /* how much runs differ */
    struct shift shift;
    size_t runs[SIDES]; /* of the test that has most */
    struct arena arena;
};

/* Gathers the samples of both sides and compares them. The caller calls comparison_release. */
void compare_sides(struct side *a, struct side *b, const struct compare_options *options,
                   struct comparison *comparison);
void comparison_release(struct comparison *comparison);

/* Findings that are listed together, from grave to harmless. */
enum compare_section {
    COMPARE_FORBIDDEN,   /* forbidden outcomes and witnesses of controls */
    COMPARE_STATES,      /* jobs that ended in another state */
    COMPARE_KEPT,        /* tests kept on one side only */
    COMPARE_CHANGED,     /* sure changes of behaviour: shift, new and lost outcomes, rates */
    COMPARE_UNCONFIRMED, /* probable changes: too few runs to be sure */
    COMPARE_UNDECIDED,   /* findings that chance may explain, first those that only one side has seen */
    COMPARE_SECTIONS
};
extern const char *const compare_titles[COMPARE_SECTIONS];
enum compare_section compare_section_of(const struct finding *finding);

/* How many findings a section has. */
size_t compare_count(const struct comparison *comparison, enum compare_section section);

/* How grave a finding is, in a word: "FORBIDDEN", "CONTROL", "NOT PROMISED", "STATE", "KEPT", "CHANGED", "UNCONFIRMED",
 * "UNDECIDED". */
const char *compare_severity(const struct finding *finding);

/* How many pairs have counts on both sides, by kernels that may be compared and by others; and how many have not: a
 * side does not support the test, or another reason. */
struct compare_extent {
    size_t compared, unsupported, without_data, other_kernels;
};
struct compare_extent compare_extent(const struct comparison *comparison);

/* The pair whose sample on this side is the same; NULL for none, or without a comparison. The question of a pair about
 * this outcome or share, and the same of the pair of a sample of B; NULL for none. */
struct sample_pair *compare_find_pair(const struct comparison *comparison, int side, const struct sample *sample);
struct rate *compare_find_in_pair(const struct sample_pair *pair, const char *label);
const struct rate *compare_find_rate(const struct comparison *comparison, const struct sample *sample,
                                     const char *label);

/* "forbidden", "new" and the like. */
const char *finding_kind_name(enum finding_kind kind);
const char *rate_result_name(enum rate_result result);

/* What follows from a result. */
extern const struct rate_result_row {
    const char *word;
    bool decides, listed; /* it says something of a change; which is a finding */
    enum finding_kind kind;
    enum finding_standing standing;
} rate_results[RATE_RESULT_COUNT];

/*
 * A finding without a line break; bytes that could steer a terminal become
 * '?'. The line says what happened: "SB+relaxed 0:r0=0; 1:r0=0; rate x1.67 (1.62 to 1.71) 1.50e-5 ->
 * 2.50e-5"; its parts are two blanks apart. The details say how strong the evidence is: "runs of A
 * span x1.1; 3 against 3 runs, draw by draw"; they may be empty. The sentence is both, and what decided: p and the
 * method. None of them says how grave it is.
 */
void compare_line(const struct comparison *comparison, const struct finding *finding, struct text *text);
void compare_details(const struct comparison *comparison, const struct finding *finding, struct text *text);
void compare_describe(const struct comparison *comparison, const struct finding *finding, struct text *text);

/* Adds what decided, which ends the sentence: how often a side would have seen an outcome at the other's rate, p, and
 * the method; nothing for a finding that no statistic decided. */
void compare_add_decision(const struct comparison *comparison, const struct finding *finding, struct text *text);

/* The whole comparison as a document, which the caller releases, and as one JSON object. Equal comparisons give equal
 * bytes. verbose: with the figures of undecided rates, and how the comparison was made. */
void compare_document(const struct comparison *comparison, bool verbose, struct document *document);
void compare_print_json(const struct comparison *comparison, struct text *text);

/* Adds "x1.67 (1.62 to 1.71)"; without an interval "at least x1.67", "at most x1.67", "x1.67 in 1 draw". */
void compare_add_factor(struct text *text, const struct statistics_ratio *ratio);

/* The ratio by which all weak rates moved. */
struct statistics_ratio shift_ratio(const struct shift *shift);

/* The rate of an outcome, of either side, in a run of a sample; false if the run has no instances. The least and the
 * most of the rates of those that have, and their number. */
bool compare_run_rate(const struct sample *sample, const struct sample_outcome *as, size_t run, double *rate);
size_t compare_range(const struct sample *sample, const struct sample_outcome *as, double *least, double *most);

/* The answer, in a line: "2 changes, 1 unconfirmed, 3 undecided in 42 tests (29 unsupported)". */
void compare_print_answer(const struct comparison *comparison, struct text *text);

/* Sentences that a page shares: a difference of circumstances; a test without a match. */
void compare_add_remark(const struct remark *remark, struct text *text);
void compare_add_unmatched(const struct unmatched *lone, struct text *text);

/* A comparison as one self-contained HTML page. Equal comparisons give equal bytes. document: what was found, of the
 * comparison itself or of a gate, whose page has more than that: note is then what its rates are of, else NULL. A gate
 * that has compared nothing has its document alone. */
void compare_print_page(const struct comparison *comparison, const struct document *document, const char *note,
                        struct text *text);

/* Whether an outcome is weak (not sequentially consistent), by the model or, if none judged it, by the test's
 * condition. */
bool compare_shows_weakness(const struct sample_outcome *outcome);
