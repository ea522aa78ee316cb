// SPDX-License-Identifier: Apache-2.0
/*
 * The gate: whether B may replace A, the baseline. A decision depends on comparisons and expectations, and on nothing
 * else: no clock, no device, no environment.
 *
 * Soundness and behaviour are separate. FAILED: a forbidden outcome, a control's witness or a fault was seen, or the
 * compiler no longer keeps a test that the baseline's kept. CHANGED: sound, but B behaves differently: an outcome is
 * new or lost, a rate or all of them changed, support is gone. INCONCLUSIVE: neither, but something leaves the question
 * open. PASSED: none of these. The first that applies is the verdict.
 *
 * A change counts when it is confirmed. If the suite can be run again, its first run only chooses the tests to rerun,
 * and the reruns decide (compare.h); unsound results count from every run. Stored runs decide as they are.
 *
 * Every outcome that only one side has seen is a reason, even if it decides nothing.
 */
#pragma once

#include "analysis/compare/compare.h"
#include "analysis/statistics/statistics.h"
#include "gate/decide/gate_lists.h"

/*
 * What a gate should expect: an INI file with a section per glob of test names.
 *
 *   [MP+relaxed]
 *   device = H100                    ; optional, a part of the device's name; driver and backend work the same way
 *   known.rate = x0.5 slower since the clocks are capped, https://tracker/123
 *   flaky.lost = seen in every tenth run only
 *
 *   [lock-*]
 *   skip = the test needs two devices
 *
 * known: a reason of this kind exists and does not count; the entry is stale once the reason is gone. flaky: the reason
 * comes and goes and does not count. skip: nothing about the test counts. Every entry says why. The kinds, as in
 * gate.h:
 *
 *   soundness   forbidden, control, fault
 *   behaviour   refused (support that is gone), new, lost, shift, rate, voids, time
 *   doubts      unconfirmed, unseen, other-kernel, invalid, cut-short, missing, no-baseline
 *   any         all of them
 *
 * known.rate, known.time and known.shift begin with the size of the change: a factor, as x2, or a range, as x1.5-3. A
 * change beyond it, by more than the gate's tolerance, counts.
 *
 * new, lost, shift, rate, voids and time also excuse reasons that would be of that kind but are unconfirmed or
 * undecided.
 *
 * `orchil gate --update-expectations FILE` writes entries for the reasons that it sees, with `WHY?` as explanation
 * (EXPECT_DRAFT). Such an entry is a draft: it is refused until a person has filled in the explanation.
 */

enum expectation_effect { EXPECT_KNOWN, EXPECT_FLAKY, EXPECT_SKIP };
enum { EXPECT_DEVICE, EXPECT_DRIVER, EXPECT_BACKEND, EXPECT_TRAITS };

enum { EXPECTATIONS_MAXIMUM_FILE = 1024 * 1024 }; /* bytes */

/* The start of a draft's reason. */
#define EXPECT_DRAFT "WHY?"

struct expectations {
    const char *path;
    struct expectation *entries;
    size_t count;
    struct arena arena;
};

/* Reads a file. SYNTAX, as FILE:LINE:COLUMN, for a key, a kind, an empty reason, or a draft. drafts: for a file that
 * will be added to, drafts are accepted, and a missing file has no entries. After a failure there is nothing to
 * release. */
enum status expectations_read(const char *path, bool drafts, struct expectations *expectations, struct error *error);
void expectations_release(struct expectations *expectations);

struct gate;

/* Appends a section for each test with a reason that counts and that no entry of `known` (which may be empty) excuses:
 * known.KIND for each kind, with the size of a changed rate, and an explanation to be filled in; flaky.KIND for what
 * reruns did not confirm. Returns the number of these lines. In a test's name, characters that are special in a glob
 * are written as `?`; a name of a device, backend or driver that cannot be a value is
 * left out. */
size_t expectations_draft(const struct gate *gate, const struct expectations *known, struct text *text);

/* INTERRUPTED: only of a gate that was stopped. */
enum gate_verdict { GATE_PASSED, GATE_FAILED, GATE_CHANGED, GATE_INCONCLUSIVE, GATE_INTERRUPTED };

/* The class of a reason; each leads to a verdict. */
enum gate_class {
    GATE_SOUNDNESS, /* FAILED */
    GATE_BEHAVIOUR, /* CHANGED */
    GATE_DOUBT,     /* INCONCLUSIVE */
    GATE_NOTE,      /* PASSED: for information only */
    GATE_CLASS_COUNT
};

#define GATE_KIND_ENUM(name, word, class, meaning) GATE_##name,
enum gate_kind { GATE_KIND_LIST(GATE_KIND_ENUM) GATE_KIND_COUNT };
/* An entry of a file. */
struct expectation {
    const char *test;                  /* a glob */
    const char *traits[EXPECT_TRAITS]; /* NULL: any */
    enum expectation_effect effect;
    enum gate_kind kind;  /* GATE_KIND_COUNT: any */
    struct interval size; /* of a ratio of rates or times; high is 0 if the entry says none */
    const char *why;
    int line;
};

extern const struct gate_kind_row {
    const char *word, *meaning;
    enum gate_class of;
} gate_kinds[GATE_KIND_COUNT];
const char *gate_class_name(enum gate_class of);          /* "soundness", "behaviour", "doubt", "note" */
const char *gate_verdict_name(enum gate_verdict verdict); /* "passed", "failed", "changed", ... */

#define GATE_NEED_ENUM(name, word, rule, kind, what) GATE_NEED_##name,
enum gate_need { GATE_NEED_LIST(GATE_NEED_ENUM) GATE_NEED_COUNT };
enum gate_need_rule { GATE_NEEDS_ALL, GATE_NEEDS_HALF, GATE_NEEDS_SOME, GATE_NEEDS_EACH, GATE_NEEDS_FACT };
extern const struct gate_need_row {
    const char *word;
    enum gate_need_rule rule;
    enum gate_kind kind;
} gate_need_rows[GATE_NEED_COUNT];

/* How far a need is met. */
struct gate_supply {
    size_t have, of;
    bool met; /* always, if its rule is EACH or FACT, or nothing is needed */
};

/* Whether a doubt is about behaviour, and says nothing against soundness. */
bool gate_kind_is_of_behaviour(enum gate_kind kind);

/* Commands to paste, each without the device, the database and the TEST, which are added at the end; NULL: no
 * command. */
struct gate_commands {
    const char *from;     /* " --baseline FILE", or of a folder */
    const char *repeat;   /* the other options of a gate that runs and judges a test again */
    bool has_length;      /* it already says how long the test runs */
    const char *baseline; /* makes a baseline */
    size_t runs;          /* enough of it, where A has too few */
    const char *device;   /* as it was named; NULL: that of the reason */
    const char *database; /* into which runs go; NULL: a new one */
    const char *folder;   /* of the baselines; NULL: it is one file */
};

/* What determines the exit code. SOUNDNESS: changes are reported but do not count. INCONCLUSIVE: as BEHAVIOUR, and a
 * gate that is inconclusive ends with 1. */
enum gate_fail_on { GATE_FAIL_ON_BEHAVIOUR, GATE_FAIL_ON_SOUNDNESS, GATE_FAIL_ON_INCONCLUSIVE };

struct gate_options {
    bool strict;              /* also judge by orders and scopes that a device does not declare */
    double assurance;         /* with which a rerun must see a mutant again, 0.99999: 12 sightings */
    bool chosen;              /* the tests were chosen: other tests of the baseline may be missing */
    bool strict_expectations; /* an expectation without an effect fails */
    enum gate_fail_on fail_on;
    struct gate_commands commands;
};

/* The runs that are judged, each compared with the same baseline. Borrowed. */
struct gate_passes {
    const struct comparison *first; /* the whole suite */
    const struct comparison *again; /* the reruns that the first chose, with it as options.first; NULL: none */
    const struct comparison *other; /* a rerun with other draws: reported, and counts if unsound; NULL: none */
    /* The first run only chooses: a change without a deciding rerun is unconfirmed. False: it decides what was not
     * rerun. */
    bool chooses;
};

struct gate_reason {
    enum gate_kind kind;
    const struct finding *finding;       /* the finding that it comes from, for its figures; NULL for none */
    const struct rate *first;            /* the first run's finding on the outcome, if `finding` is from reruns; else
                                          * NULL */
    const struct rate *again;            /* the reruns' finding on it; NULL if there are no reruns or they did not see
                                          * it */
    const struct rate *other;            /* the same with other draws */
    bool was_rerun, was_rerun_otherwise; /* the test was rerun; again and other may still be NULL */
    bool known;                          /* unsound, and the baseline showed the same */
    bool is_told;         /* a change of the same test says the same, and counts: it is neither listed nor counted */
    enum job_state state; /* of B, if kind is FAULT, REFUSED or CUT_SHORT */
    const char *line;     /* short: outcome and figures, or what happened; plain: no control bytes */
    const char *evidence; /* the evidence, short; "" for none */
    const char *decision; /* what decided, to add to the evidence: "; p = 0.034 after correction (...)", or "" */
    const char *command;  /* command that repeats or would confirm it; "" for none */
    double suffices;      /* seconds of this test that would suffice; 0 if not known */
    const struct gate_device *device;   /* that it is about; NULL: it is about a test or the gate */
    const struct expectation *expected; /* why it does not count; NULL if it counts */
    const struct expectation *exceeds;  /* an entry of this kind, whose size the change is beyond; else NULL */
};

/* All that the gate says about one test on one device. */
struct gate_case {
    const struct sample *sample;      /* of B's first run, or of A if B has not run it */
    const struct sample *side[SIDES]; /* of the first pass; NULL if there is none */
    bool compared;                    /* has a match */
    size_t device;                    /* its place in the gate's list */
    enum gate_verdict verdict;
    const struct expectation *skipped; /* nothing about it counts */
    struct gate_reason *reasons;
    size_t reason_count;
};

/* The section that lists a reason. */
enum gate_section {
    GATE_IN_SOUNDNESS,
    GATE_IN_BEHAVIOUR,
    GATE_IN_DOUBTS,
    GATE_IN_ONE_SIDED, /* an outcome that one side alone has seen, if it decides nothing */
    GATE_IN_NOTES,
    GATE_IN_EXCUSED, /* expected, or of a test that is skipped */
    GATE_IN_NONE,    /* told by another reason */
    GATE_SECTION_COUNT
};

struct gate_entry {
    const struct gate_case *of;
    const struct gate_reason *reason;
    enum gate_section section;
};

/* The counts of the first line. Only unexpected reasons count. */
struct gate_counts {
    size_t of_class[GATE_CLASS_COUNT], of_kind[GATE_KIND_COUNT];
    size_t undecided;   /* rates, new and lost outcomes that chance may explain */
    size_t unsupported; /* tests that the device refuses, as in the baseline or without one there */
    size_t expected;    /* reasons that do not count */
    size_t known;       /* unsound results that the baseline showed too */
    /* Outcomes that one side alone has seen, including expected ones: new in B, lost from A. */
    size_t seen_in[SIDES];
};

/* An unsound result that the baseline itself shows. */
struct gate_flaw {
    const struct sample *sample; /* of B if it has the test */
    enum gate_kind kind;
};

/* All that the gate says about one device. */
struct gate_device {
    const struct sample *sample; /* of its first case */
    const char *driver[SIDES];   /* of its jobs there, separated by commas; NULL if the side has none of it */
    enum gate_verdict verdict;   /* by its own reasons */
    int exit_code;               /* of a gate that judges it alone, by these reasons */
    size_t tests, compared;      /* its cases; of these, those of which both sides counted instances */
    enum gate_kind doubt;        /* about the device as a whole; GATE_KIND_COUNT for none */
    struct gate_supply needs[GATE_NEED_COUNT]; /* of its cases alone; `met` is not set */
    size_t lacking; /* unexpected reasons of its cases that one doubt about the device replaces */
    struct gate_counts counts;
};

struct gate {
    struct gate_passes passes;
    const struct comparison *comparison; /* the first pass */
    const struct gate_options *options;
    const struct expectations *expectations; /* or NULL */
    enum gate_verdict verdict;
    int exit_code;           /* 0 PASSED, 1 FAILED, 5 CHANGED, 3 INCONCLUSIVE; see fail_on */
    struct gate_flaw *flaws; /* unsound results of the baseline, other than expected ones */
    size_t flaw_count;
    struct gate_case *cases; /* those with the gravest reasons first, then by test */
    size_t case_count;
    struct gate_device *devices;                 /* in the order of their first cases */
    const struct gate_device *const *by_verdict; /* the worst verdicts first, then by name */
    size_t device_count;
    struct gate_entry *entries; /* every reason of every case, by section, kind and test */
    size_t entry_count;
    struct gate_counts counts;
    size_t left_out; /* tests of the baseline that were not asked for */
    struct gate_supply needs[GATE_NEED_COUNT];
    struct gate_reason *broken; /* the needs whose rules are broken, and doubts about devices, as reasons of no test */
    size_t broken_count;
    size_t reruns;                          /* of the test that has most */
    bool several_dialects, several_devices; /* so a test's name alone is ambiguous */
    double suffices;                  /* seconds for each test that would end all doubts of known size; 0 for none */
    bool all_known;                   /* whether every doubt has such a time */
    const struct expectation **stale; /* of no test, or of tests that ran to their end without a sighting */
    size_t stale_count;
    struct arena arena;
};

/* Decides. expectations may be NULL. The gate borrows what it is given. The caller calls gate_release. */
void gate_decide(const struct gate_passes *passes, const struct gate_options *options,
                 const struct expectations *expectations, struct gate *gate);
void gate_release(struct gate *gate);

/* How many entries a section has. */
size_t gate_section_size(const struct gate *gate, enum gate_section section);

/* The decision as a document, which the caller releases; all texts are copied. places: with the files of tests, which
 * takes a while. As one JSON object. */
void gate_document(const struct gate *gate, bool places, struct document *document);
void gate_print_json(const struct gate *gate, struct text *text);

/* A gate that ended before it could decide, and the same reports of it: FAILED, since there is no device or the
 * database failed; INTERRUPTED; or INCONCLUSIVE, since a device has no baseline. Borrowed. */
struct gate_stopped {
    int exit_code;
    enum gate_verdict verdict;
    const char *why; /* in one line */
};
void gate_stopped_document(const struct gate_stopped *stopped, struct document *document);
void gate_stopped_print_json(const struct gate_stopped *stopped, struct text *text);

/* Adds a reason in one line: the line, the evidence, and what decided. */
void gate_add_sentence(const struct gate_reason *reason, struct text *text);
