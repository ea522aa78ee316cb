// SPDX-License-Identifier: Apache-2.0
/*
 * Judges tests by memory models. A model is text in the cat language (a built-in *.cat file or a user's own). A test is
 * enumerated into candidate executions; the model decides which of them are consistent; each outcome of a candidate
 * gets one verdict.
 *
 * Ownership: a model and a judgement belong to the caller, who releases them. Nothing here is shared or global.
 */
#pragma once

#include "base/record.h"
#include "litmus/litmus.h"

struct model;
struct explanation; /* models/explain/explain.h */

/* A built-in model by name ("ptx", "opencl", "sc", ...), or a file whose name ends in ".cat" (its `include`s are
 * searched next to it, in herd7's library and among the built-in files; a few names are always orchil's own, see
 * docs/reference/models.md). SYNTAX with FILE:LINE:COLUMN for anything outside orchil's subset of cat. */
enum status model_load(const char *name_or_path, struct model **model, struct error *error);
void model_release(struct model *model);

/* The id that results are stored under: the built-in name, or the file's name with a part of its hash. */
const char *model_id(const struct model *model);

/* The version of everything else on which a verdict depends: the interpreter, the search and the parsers. Increment it
 * on every change that gives some test another verdict, or its first one. */
enum { MODEL_MEANING = 9 };

/* The SHA-256 of MODEL_MEANING, of the model's text, of everything it includes, and of the texts that every model is
 * read with (prelude.cat and sc.cat), as 64 hexadecimal digits: models with equal hashes give a test the same
 * judgement. Valid as long as the model. */
const char *model_hash(const struct model *model);

/* The built-in models' names, NULL-terminated; and the default model of a dialect. */
extern const char *const model_names[];
const char *model_default(enum litmus_dialect dialect);

struct judged_outcome {
    int64_t *values; /* one per variable of the test */
    enum verdict verdict;
    bool witness;
    bool consistent; /* an execution that the model allows has it, whatever flags it raises */
    char *axiom;     /* forbidden: the axiom that the least inconsistent candidate breaks; else NULL */
    /* On request, for a forbidden, weak or sc outcome: an execution that has it, and the reason; else NULL. */
    struct explanation *explanation;
};

struct judgement {
    struct judged_outcome *outcomes; /* in order of their values; forbidden candidates too */
    size_t outcome_count;
    bool holds;                      /* the quantified condition over the consistent executions, races ignored */
    bool racy;                       /* a flag is raised: a race, or something else without a meaning in the language */
    const char *empty;               /* NULL: the test has no filter, or the model allows executions that pass it. Else
                                      * that it allows none, in words: then no outcome was asked about */
    struct explanation *undefined;   /* racy or unspecified, on request: an execution with the race; else NULL */
    char *undefined_by;              /* racy or unspecified: the flags that say why, as "data-race,
                                      * barrier-divergence"; else NULL */
    bool never_ends;                 /* there is no complete execution: in all, a thread waits for ever */
    bool open;                       /* ... and the verdicts are those of executions in which no barrier waits for the
                                      * end of threads that do not come to it */
    char *cut;                       /* NULL: the search was complete. Else the bound that cut executions off, in words:
                                      * then no outcome is forbidden, unlisted outcomes may be allowed, and weak ones
                                      * may be sc */
    uint64_t candidates, consistent; /* executions looked at, and those that the model allows */
};

enum { MODEL_DEFAULT_UNROLL = 2, MODEL_MAXIMUM_UNROLL = 64, MODEL_DEFAULT_CANDIDATES = 500000 };

struct judge_options {
    unsigned unroll;             /* iterations of each loop; 0: MODEL_DEFAULT_UNROLL */
    bool explain;                /* fill in the explanations */
    uint64_t maximum_candidates; /* 0: MODEL_DEFAULT_CANDIDATES; with more, the test is unjudged */
    /* For a test with at most this many, all are made, which lists every forbidden outcome with the last axiom that any
     * of its candidates breaks; for a larger test, only the allowed outcomes are sure to be listed. 0: the default. */
    uint64_t listed_candidates;
    double deadline; /* by clock_seconds; 0: none. After it the test is unjudged */
    /* Called now and then during the search; true: stop, the test is unjudged. Or NULL. */
    bool (*stopped)(void *context);
    void *context;
};

/* UNSUPPORTED, with the reason, if the model cannot judge the test (more than 64 events, an instruction that it does
 * not know), the time is up or it was stopped; LIMIT if there are too many candidates. Such a test is unjudged. */
enum status model_judge(const struct model *model, const struct litmus_test *test, const struct judge_options *options,
                        struct judgement *judgement, struct error *error);
void judgement_release(struct judgement *judgement);

/* If the test never ends: that it does not, as a sentence. Else nothing. */
void judgement_describe_end(const struct judgement *judgement, struct text *text);

/* A replacement for model_judge, passed by a caller: a CUDA test has no model of its own and is judged as the PTX
 * emitted for it, which only the runner knows. */
typedef enum status model_judging(const struct model *model, const struct litmus_test *test,
                                  const struct judge_options *options, struct judgement *judgement,
                                  struct error *error);
