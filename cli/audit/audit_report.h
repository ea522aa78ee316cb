// SPDX-License-Identifier: Apache-2.0
/* What an audit has found, for people and for machines, and which of it a file of expectations has. */
#pragma once

#include "audit/audit.h"
#include "base/document/document.h"

/* Starts as {.audit = ...}, in whose arena it has what it needs. */
struct audit_report {
    struct audit *audit;
    size_t files;         /* that were read or could not be; the modules of one are several */
    bool source, verbose; /* for people: the program's lines and the text of tests, every gap */
    bool *expected;       /* for each finding, whether the file of expectations has it */
    const char **lines;   /* for each: its line there, with its comment, or what it would be */
    const char **stale;   /* lines of the file that no finding has */
    size_t stale_count;
    const char *expectations; /* the file; NULL: none */
};

/* Reads the file of expectations. */
enum status audit_report_expect(struct audit_report *report, const char *path, struct error *error);

/* Writes one that has all findings, and the comments of those that the file before had. */
enum status audit_report_write_expectations(const struct audit_report *report, const char *path, struct error *error);

/* Gaps that are kernels, or whole modules. */
size_t audit_report_gaps(const struct audit_report *report, bool modules);

/* Findings of the first grade that were not expected. */
size_t audit_report_failures(const struct audit_report *report);

/* for_people: with what only a text has room for; else for forms of findings. */
void audit_report_document(const struct audit_report *report, bool for_people, struct document *document);
void audit_report_print_json(const struct audit_report *report, struct text *text);
