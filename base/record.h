// SPDX-License-Identifier: Apache-2.0
/*
 * The words that all rooms share, each in one list of record.txt: how jobs and runs end, marks of jobs, why instances
 * are void, verdicts of models, counts of outcomes, builds and batches.
 */
#pragma once

#include "base/base.h"
#include "base/record_lists.h"

/* Defines the function that gives the word of each of an enumeration, and "?" for what is none of it:
 * WORDS_OF(kept_word, enum kept, KEPT_LIST(WORD_OF)). */
#define WORDS_OF(function, type, ...)                                                                                  \
    static const char *const function##s[] = {__VA_ARGS__};                                                            \
    const char *function(type number)                                                                                  \
    {                                                                                                                  \
        return (unsigned)number < COUNT(function##s) ? function##s[number] : "?";                                      \
    }
#define WORD_OF(name, word, ...) word,

#define JOB_STATE_ENUM(name, word, class) JOB_##name,
enum job_state { JOB_STATE_LIST(JOB_STATE_ENUM) JOB_STATE_COUNT };
enum job_class { JOB_CLASS_FINE, JOB_CLASS_REFUSED, JOB_CLASS_CUT_SHORT, JOB_CLASS_FAULT };

const char *job_state_word(enum job_state state);
enum job_class job_state_class(enum job_state state);
enum job_state job_state_from_word(const char *word, enum job_state otherwise); /* otherwise: for any other word */

#define RUN_STATE_ENUM(name, word) RUN_##name,
enum run_state { RUN_STATE_LIST(RUN_STATE_ENUM) RUN_STATE_COUNT };

/* The name of a lowering (kernel/lower.h), as jobs have it: "ptx", or with a user's header "ptx+my.h:1a2b3c4d5e". */

/* What follows the +; NULL: there is none. */
const char *lowering_header(const char *lowering);
/* Whether the part before it is this one. */
bool lowering_is(const char *lowering, const char *name);

const char *run_state_word(enum run_state state);
enum run_state run_state_from_word(const char *word, enum run_state otherwise);

#define MARK_NUMBER(name, word) MARK_NUMBER_##name,
enum mark_number { MARK_LIST(MARK_NUMBER) MARK_COUNT };
#define MARK_BIT(name, word) MARK_##name = 1u << MARK_NUMBER_##name,
enum mark { MARK_LIST(MARK_BIT) };

const char *mark_word(enum mark_number number);
unsigned marks_unite(unsigned a, unsigned b);        /* of two jobs of one test; NOT_OVERLAPPED only if both have it */
void marks_print(unsigned marks, struct text *text); /* appends ["undeclared","frozen"] */
unsigned marks_parse(const char *json);              /* of such an array; unknown words are skipped */

/* How much of a job is played. Jobs of one extent on devices that hold as many work-groups have equal draws, whatever
 * their speed. */
struct job_extent {
    uint64_t instances;       /* to reach; 0: no such limit */
    uint64_t batch_instances; /* the most of one batch, but at least one round; 0: as many as are drawn */
    uint32_t resident_groups; /* the most work-groups at once; 0: as many as the device holds */
    double seconds;           /* in batches, after which it is cut short; 0: no such limit */
};

#define VOID_REASON_ENUM(name, word, meaning) VOID_##name,
enum void_reason { VOID_REASON_LIST(VOID_REASON_ENUM) VOID_REASON_COUNT };

const char *void_reason_word(enum void_reason reason);
const char *void_reason_meaning(const char *word); /* "" for any other word */

#define LAUNCH_EDGE_ENUM(name, word) LAUNCH_EDGE_##name,
enum launch_edge { LAUNCH_EDGE_LIST(LAUNCH_EDGE_ENUM) LAUNCH_EDGE_COUNT };

const char *launch_edge_word(enum launch_edge edge);
/* QUEUE, MAP, COPY, PROGRAMMATIC: both launches are in one in-order queue. */
bool launch_edge_shares_queue(enum launch_edge edge);

/* The profile of a job that a page of `orchil web` played. */
#define RECORD_PAGE_PROFILE "of the page"

#define VERDICT_ENUM(name, word) VERDICT_##name,
enum verdict {
    VERDICT_LIST(VERDICT_ENUM) VERDICT_COUNT,
    VERDICT_NONE = VERDICT_COUNT /* no model was asked, it cannot judge the test, or its search was cut */
};

const char *verdict_word(enum verdict verdict); /* NULL for VERDICT_NONE */
enum verdict verdict_from_word(const char *word, enum verdict otherwise);

/* A witness may be several outcomes: the verdict that permits more is that of the witness. From most to least: sc,
 * weak, undefined, unspecified, forbidden, VERDICT_NONE. */
enum verdict verdict_permissive(enum verdict a, enum verdict b);

#define KEPT_ENUM(name, word) TEST_##name,
enum kept { KEPT_LIST(KEPT_ENUM) KEPT_COUNT };

const char *kept_word(enum kept kept);
enum kept kept_from_word(const char *word, enum kept otherwise);

/* If code was compiled or inspected more than once, the worst result counts: kept, then merged, then not-inspected,
 * then not-kept. */
bool kept_is_worse(enum kept kept, enum kept than);

/* The result for a test of which two devices play parts: the worse one. Two merged parts are not kept, because each was
 * judged with the other as written. */
enum kept kept_join(enum kept a, enum kept b);

enum { KEPT_REASON_SIZE = 1024 }; /* bytes of a reason, with its NUL */

/* How often an outcome was seen ("0:r0=1; 1:r1=0;"), or how many instances were void for a reason ("gave_up"). */
struct count {
    const char *label;
    uint64_t count;
    bool witness; /* of outcomes */
};

/* The result of building a job's kernel. */
struct build {
    const char *kernel; /* prelude and generated text, as compiled */
    const char *binary; /* device code as text, or empty */
    const char *log;
    double seconds;
    uint32_t resident_groups; /* work-groups of this program that the device holds at once */
    unsigned marks;           /* of enum mark */
    const char *lowering;     /* the name of the lowering of kernel.h that made it; not stored */
    enum kept kept;
    const char *kept_reason; /* one line. Merged, not kept: the first finding, with its place. Not inspected: why. Kept:
                              * empty */
};

/* In a batch's liveness, and the label of that counter: how many work-groups began while another launch, unordered with
 * theirs, was running. */
#define BATCH_OVERLAPPED "overlapped"

/* One launch of a job's kernel. */
struct batch {
    uint64_t number;      /* in its job, from 0 */
    uint64_t instances;   /* launched: equal to the sum of outcomes and voids */
    double seconds;       /* from launch to read-back */
    double started;       /* seconds since the job's first launch, by the monotonic clock */
    const char *invalid;  /* why the batch must not be counted, such as requested stress that did nothing; or NULL */
    const char *draw;     /* JSON: the launch arguments drawn for it */
    const char *liveness; /* JSON object: mechanism -> rounds. Of a test of several launches also BATCH_OVERLAPPED */
    bool overlapped;      /* its liveness counts more than 0 for BATCH_OVERLAPPED */
    const struct count *outcomes;
    size_t outcome_count;
    const struct count *voids;
    size_t void_count;
};
