// SPDX-License-Identifier: Apache-2.0
/* Sets of variants: lists of values along axes, multiplied out one by one. The options of `orchil generate` and the
 * `generate` lines of an index describe such a set. */
#pragma once

#include "catalogue/cycles/variant.h"

/* Each list is a text of words joined by commas; NULL is the default. */
struct generation {
    const char *cycles[64]; /* "PodWW Rfe PodRR Fre", each as written on the command line */
    size_t cycle_count;
    const char *families;      /* "MP,SB" */
    unsigned critical_threads; /* all critical cycles of 2 up to this many threads; 0: none */
    const char *dialects;      /* "ptx,opencl"; default opencl */
    const char *tags;          /* "relaxed,ra,fencear+acq"; default: the annotations of the cycle, else relaxed */
    bool mix;                  /* every combination of the tags over the edges, not one tag for all */
    const char *scopes;        /* "cta,gpu"; default: device */
    const char *fence_scopes;  /* default: the accesses' scope */
    const char *placements;    /* "0-1,01", "all" (every set partition), "each", "together", "warp"; default each */
    const char *regions;       /* "global,local,localx"; default global */
    const char *rmw;           /* "none,writes,reads,all"; default none */
    const char *plain;         /* VULKAN: "shown,semav,novis,noav,nonpriv,private"; default shown */
    const char *semantics;     /* VULKAN: "own,semsc0,semsc1,semsc01"; default own */
    unsigned long limit;       /* refuse more variants than that; 0: no limit */
};

/* Refuses unknown words, lists that yield nothing (with the first reason), and products beyond the limit; counts the
 * variants that generation_each will make. Without a limit, more than 100,000 are not counted one by one: *count is
 * then the product of the axes, at least as much, and ULONG_MAX where that overflows. USAGE; LIMIT also where a million
 * combinations of tags were tried and too few have a test. */
enum status generation_check(const struct generation *generation, unsigned long *count, struct error *error);

/* Calls take for each variant, in the order of cycles, dialects, tags, rmw, regions, plain, semantics, scopes, fence
 * scopes, placements; a combination that has no test (a tag that does not fit the edge, local memory across
 * work-groups) is skipped. Memory is bounded, whatever the count. Ends early with the status of take. */
enum status generation_each(const struct generation *generation,
                            enum status (*take)(const struct variant *variant, void *context, struct error *error),
                            void *context, struct error *error);

/* Reads "--family MP --tags relaxed,ra": the options of `orchil generate` that select variants, as on one line of an
 * index (--family --critical --threads --dialect --tags --mix --scopes
 * --fence-scopes --placements --regions --rmw --plain --semantics
 * --limit, and cycles in quotes). The texts in *generation point into words, which is changed. SYNTAX with the word. */
enum status generation_parse(char *words, struct generation *generation, struct error *error);
