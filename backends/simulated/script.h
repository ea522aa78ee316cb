// SPDX-License-Identifier: Apache-2.0
/*
 * The script of the simulated backend: which devices there are, how often each outcome comes, what goes wrong. README.md
 * in this folder is the definition of the format.
 *
 * A struct script owns everything in it; all texts in it belong to its JSON tree.
 */
#ifndef ORCHIL_SIMULATED_SCRIPT_H
#define ORCHIL_SIMULATED_SCRIPT_H

#include <jansson.h>
#include <stdbool.h>

#include "backends/backend.h"
#include "base/circumstances.h"

/* What a test's instances do. The maps go from a label to a number; NULL where the script has none. */
struct script_test {
    const char *pattern;     /* of test names, as fnmatch reads it */
    const json_t *outcomes;  /* rate of each outcome, per instance */
    const json_t *weights;   /* of the outcomes without a rate, when they share the rest */
    const json_t *voids;     /* rate of each reason, per instance */
    const json_t *dead;      /* labels of liveness counters that stay 0 */
    double variation;        /* from batch to batch: coefficient of variation of each rate in outcomes */
    unsigned kept;           /* enum kept: what an inspection of its code finds */
    const char *kept_reason; /* or NULL */
};

struct script_tests {
    struct script_test *list;
    size_t count;
};

struct script_device {
    struct backend_device device;
    unsigned resident;                  /* work-groups at once */
    unsigned group_limit;               /* what programs say of their largest work-group; 0: nothing */
    struct circumstances circumstances; /* of every job */
    bool shares;                        /* memory with other sessions */
    bool native_atomics;                /* on memory that it shares */
    double instances_per_second;        /* what launches claim to have reached; 0: they report the real time */
    struct script_tests tests;          /* of this device; they come before those of the script */
    const json_t *tests_object;         /* the same in the tree, or NULL */
};

enum { SCRIPT_MAXIMUM_FILE = 16 * 1024 * 1024 }; /* bytes */

enum script_phase { SCRIPT_LIST, SCRIPT_OPEN, SCRIPT_BUILD, SCRIPT_BATCH };
enum script_action {
    SCRIPT_HANG,
    SCRIPT_CRASH,
    SCRIPT_LOST,
    SCRIPT_WRONG,
    SCRIPT_BUILD_ERROR,
    SCRIPT_SLOW,
    SCRIPT_STDERR,
    SCRIPT_AWAIT,
    SCRIPT_STARVE,
    SCRIPT_RATES,
    SCRIPT_EXEC,
    SCRIPT_ACTION_COUNT
};
enum script_how { SCRIPT_HOW_DEFAULT, SCRIPT_SEGV, SCRIPT_ABORT, SCRIPT_EXIT, SCRIPT_SUM, SCRIPT_ZERO, SCRIPT_OVERLAP };

struct script_fault {
    const char *test; /* pattern; NULL: every test */
    int64_t device;   /* -1: every device */
    int64_t batch;    /* -1: every batch */
    int64_t after;    /* how often it is passed over before; 0: not at all */
    int64_t times;    /* how often it happens; -1: always */
    unsigned phase;   /* enum script_phase */
    unsigned action;  /* enum script_action */
    unsigned how;     /* enum script_how */
    unsigned milliseconds;
    unsigned devices;       /* that must have come; 0: does not say */
    bool wedged;            /* the device answers wrongly ever after */
    const char *text;       /* the log of a refused build, or NULL */
    const json_t *lines;    /* what is printed to standard error, or NULL */
    const json_t *outcomes; /* rates that this batch has instead, or NULL */
    const json_t *command;  /* a program that takes the place of the process, and its arguments, or NULL */
};

struct script {
    json_t *root;
    char *state; /* path of the state file, or NULL */
    struct script_device *devices;
    size_t device_count;
    struct script_tests tests;
    struct script_fault *faults;
    size_t fault_count;
};

/*
 * Reads a script and checks all of it; a path that is NULL or empty gives one default device and nothing else.
 * UNREADABLE, or SYNTAX with the file and the place in it. The caller releases *script, which is empty on failure.
 */
enum status script_read(const char *path, struct script *script, struct error *error);
void script_release(struct script *script);

/*
 * What the script says of a test on a device; NULL where it says nothing. The device's own entries come first, and among
 * those of one list an entry with exactly this name before the first pattern that fits.
 */
const struct script_test *script_find(const struct script *script, const struct script_device *device,
                                      const char *name);

#endif
