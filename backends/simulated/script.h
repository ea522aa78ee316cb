// SPDX-License-Identifier: Apache-2.0
/*
 * The script of the simulated backend: its devices, the rates of outcomes, and the faults. README.md in this folder
 * defines the format.
 *
 * A struct script owns everything in it; all its texts belong to its JSON tree.
 */
#pragma once

#include <jansson.h>

#include "backends/backend.h"
#include "base/circumstances.h"

/* The behaviour of a test's instances. The maps go from a label to a number; NULL if the script has none. */
struct script_test {
    const char *pattern;     /* of test names, as fnmatch reads it */
    const json_t *outcomes;  /* rate of each outcome, per instance */
    const json_t *weights;   /* of the outcomes without a rate, which share the rest in this proportion */
    const json_t *voids;     /* rate of each reason, per instance */
    const json_t *dead;      /* labels of liveness counters that stay 0 */
    double variation;        /* from batch to batch: coefficient of variation of each rate in outcomes */
    unsigned kept;           /* enum kept: the result of inspecting its code */
    const char *kept_reason; /* or NULL */
};

struct script_tests {
    struct script_test *list;
    size_t count;
};

struct script_device {
    struct backend_device device;
    unsigned resident;                  /* work-groups that can run at once */
    unsigned group_limit;               /* the largest work-group that programs report; 0: none */
    struct circumstances circumstances; /* of every job */
    bool shares;                        /* can share memory with other sessions */
    bool native_atomics;                /* on memory that it shares */
    double instances_per_second;        /* reported speed of launches; 0: they report the real time */
    struct script_tests tests;          /* of this device; they take precedence over the script's */
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
    int64_t after;    /* how often it is skipped before it happens; 0: never */
    int64_t times;    /* how often it happens; -1: always */
    unsigned phase;   /* enum script_phase */
    unsigned action;  /* enum script_action */
    unsigned how;     /* enum script_how */
    unsigned milliseconds;
    unsigned devices;       /* devices that must have arrived; 0: not specified */
    bool wedged;            /* the device gives wrong results from then on */
    const char *text;       /* the log of a refused build, or NULL */
    const json_t *lines;    /* printed to standard error, or NULL */
    const json_t *outcomes; /* rates that this batch has instead, or NULL */
    const json_t *command;  /* a program, with its arguments, that replaces the process, or NULL */
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

/* Reads and checks a script; a path that is NULL or empty gives one default device and nothing else. UNREADABLE, or
 * SYNTAX with the file and the place in it. The caller releases *script, which is empty on failure. */
enum status script_read(const char *path, struct script *script, struct error *error);
void script_release(struct script *script);

/* The script's entry for a test on a device; NULL if there is none. The device's own entries come first; in each list
 * an entry with exactly this name comes before the first pattern that fits. */
const struct script_test *script_find(const struct script *script, const struct script_device *device,
                                      const char *name);
