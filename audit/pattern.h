// SPDX-License-Identifier: Apache-2.0
/* Patterns of communication, one file each. A pattern looks at one kernel and adds what it finds as candidates: two
 * instructions, the sentence about them, and the test of them. What the model then forbids is dropped. */
#pragma once

#include "audit/audit.h"
#include "audit/outline.h"

enum { CANDIDATE_MOST_ASSUMPTIONS = 4 };

struct audit_candidate {
    enum audit_pattern pattern;
    enum audit_grade grade;
    unsigned at, other; /* instructions; FLOW_NONE: there is no such one */
    const char *says;   /* "%1" and "%2" stand for the lines of the two */
    const char *test;   /* outline_text's */
    /* The same with fences where this form is commonly believed to need none: if the model forbids its outcome and
     * allows the test's, the grade is LETTER. NULL: there is no such form. */
    const char *lenient;
    unsigned ideal;                                      /* as in struct outline */
    const char *assumptions[CANDIDATE_MOST_ASSUMPTIONS]; /* the rest are NULL */
};

void audit_add_candidate(struct audit *audit, const struct audit_candidate *candidate);

/* X(function, in which order): the patterns. */
#define PATTERN_LIST(X)                                                                                                \
    X(pattern_launch)                                                                                                  \
    X(pattern_flag)                                                                                                    \
    X(pattern_proxy)                                                                                                   \
    X(pattern_shared)

#define PATTERN_DECLARE(function) void function(struct audit *audit, struct audited *audited);
PATTERN_LIST(PATTERN_DECLARE)
