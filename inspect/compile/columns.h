// SPDX-License-Identifier: Apache-2.0
/* What compilers make of a selection of tests: a column for each pair of a compiler and a target, and in which tests a
 * column differs from the compiler before it or from a baseline. */
#pragma once

#include "catalogue/selection.h"
#include "inspect/compile/inspect_many.h"

/* One compiler for one target, with its results. */
struct inspect_column {
    /* Its word is NULL: the usual one of each test: glslang for VULKAN tests, else NVRTC. */
    struct inspect_compiler compiler;
    char version[128]; /* of several usual ones, the last */
    struct inspect_target target;
    const char *place;         /* the target: "amdgcn:gfx90a"; of usual compilers the architecture, "sm_90" */
    const char *name;          /* the target in a baseline: of usual compilers "nvidia:sm_90" */
    struct inspected *results; /* one per test of the selection */
    size_t counts[KEPT_COUNT]; /* of these */
};

/* A test that a column does not treat as before. */
struct inspect_change {
    const struct inspect_column *before; /* an earlier compiler of the target; NULL: the baseline */
    const struct inspect_column *now;
    size_t test;
};

/* Starts as {0}; inspect_columns_release frees its contents. */
struct inspect_columns {
    const struct selection *selection; /* borrowed */
    struct inspect_column *items;      /* for each target, the compilers in the order of the command line */
    size_t count;
    struct inspect_change *changes; /* between compilers, then from the baseline */
    size_t change_count;
    size_t lost; /* changes of tests that were kept or merged before and are not now */
    struct arena arena;
};

/* Inspects the tests by each compiler for each target, which are lists separated by commas; a later target may leave
 * out the machine ("amdgcn:gfx90a,gfx942"). Both NULL: by the usual compilers, in one column. options: what all columns
 * have in common; its device is the one of NVRTC. UNSUPPORTED, with the reason, for a pair that cannot compile. The
 * caller calls inspect_columns_release, whatever the result. */
enum status inspect_columns_make(const char *compilers, const char *targets, const struct inspect_many_options *options,
                                 const struct selection *selection, struct inspect_columns *columns,
                                 struct error *error);

/* The same for a file of code that another compiler made of the kernel of the one test (given_code.h). USAGE if there
 * are several. */
enum status inspect_columns_make_of_code(const struct text *bytes, const struct selection *selection,
                                         struct inspect_columns *columns, struct error *error);

void inspect_columns_release(struct inspect_columns *columns);

/* What a test was compiled for: the column's place, but "spirv" for a VULKAN test of the usual compilers. */
const char *inspect_column_place(const struct inspect_column *column, const struct litmus_test *test);

/* Adds to the changes the tests of a baseline that a column of the same target does not keep. Tests that were not
 * selected are left out. */
enum status inspect_baseline_compare(const char *path, struct inspect_columns *columns, struct error *error);

/* Writes the tests that each column kept, as a baseline. */
enum status inspect_baseline_write(const char *path, const struct inspect_columns *columns, struct error *error);

/* Whether a column inspected no test: nothing is known of what its compiler makes. */
bool inspect_column_is_unknown(const struct inspect_column *column, const struct inspect_columns *columns);

/* 1 if something was lost or, without anything to compare with, not kept; 3 if a column is unknown; else 0. */
int inspect_columns_exit_code(const struct inspect_columns *columns, bool with_baseline);
