// SPDX-License-Identifier: Apache-2.0
/* Sides with known properties, planted in memory: every job has one device, one driver and a witness whose counts are
 * drawn from a Poisson distribution, at a rate that varies between batches by a factor of mean 1. */
#pragma once

#include "analysis/compare/compare.h"
#include "analysis/sides/side.h"
#include "analysis/sides/side_job.h"
#include "analysis/statistics/runs.h"
#include "analysis/statistics/statistics.h"
#include "base/random.h"
#include "gate/decide/gate.h"

/* The distribution of the factors of batches, whose mean is 1: the gamma distribution has more batches of nearly no
 * witnesses, the log-normal one more of very many; Pareto's, of shape 1.1, has no variance; of the bimodal one half of
 * the batches see ten times as much as the others; of the zero-inflated one, one in five sees anything. */
enum planted_law { PLANTED_LOG_NORMAL, PLANTED_GAMMA, PLANTED_PARETO, PLANTED_BIMODAL, PLANTED_ZERO_INFLATED };

/* A number of the standard normal distribution; of a Poisson distribution; the factor of a batch, with standard
 * deviation `variation`. */
double planted_normal(struct random *random);
uint64_t planted_poisson(struct random *random, double mean);
double planted_factor(struct random *random, enum planted_law law,
                      double variation); /* of the last three laws: ignored */

struct planted_test {
    const char *name, *controls; /* controls may be NULL */
    enum job_state state;
    size_t batches;
    uint64_t instances;     /* of a batch */
    double rate;            /* of the witness, per instance; what is left is another outcome */
    double variation;       /* of the rate between batches: standard deviation over mean */
    enum planted_law law;   /* of that variation */
    double lag, wander;     /* in addition, the log rate wanders: correlation of successive batches, standard
                             * deviation */
    int64_t run;            /* its run; 0: as many as the side has jobs, plus 1 */
    bool spread;            /* the rest is three outcomes, whose shares vary in the same way */
    bool claimed;           /* its file says that its witness must never appear */
    const char *verdict;    /* of the witness, "weak" if NULL; "forbidden" is what the model ptx says */
    double voids;           /* void instances of a batch, in addition; they gave up */
    double batch_seconds;   /* of a batch, varying in the same way; 0: too short to be timed */
    uint64_t arguments;     /* of the launches of its batches: another number, other arguments */
    double seconds;         /* of the job */
    uint64_t draws, noise;  /* equal draws give equal batch factors and partners; noise is that of counting */
    uint64_t factors;       /* seed of the factors of the batches if the draws do not decide them; else 0 */
    bool even;              /* counts follow a fixed pattern instead of chance: the same on any machine */
    const char *hardware;   /* of its device; NULL: that of all others */
    bool run_failed;        /* its run did not end well */
    bool undeclared, apart; /* marks: apart is that launches never overlapped */
    const char *kernel, *circumstances;    /* the hash of its kernel, "" if NULL; a JSON object, "{}" if NULL */
    const char *compiler, *reason, *label; /* may be NULL; label: of the witness instead of PLANTED_WITNESS */
    uint64_t invalid_batches;
    const char *kept; /* the state of the test in the compiled code, with a reason if needed; NULL: no code */
};

#define PLANTED_WITNESS "1:r0=1; 1:r1=0;"

/* A side of no jobs, to which jobs are added. side_release frees it. */
struct side planted_side(const char *driver);
void planted_add(struct side *side, const char *driver, const struct planted_test *test);

/* Appends a document as its text, and releases it. */
void planted_print(struct document *document, struct text *text);

/* A file of tests/analysis as a text that the caller frees. */
char *planted_read_file(const char *name);
