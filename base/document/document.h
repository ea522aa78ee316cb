// SPDX-License-Identifier: Apache-2.0
/* What a verb has to say, as data: an answer, and below it lines, sections, findings and tables, in the order in which
 * they are read. A verb fills a document once, and a printer writes it in one form (DOCUMENT_PRINTER_LIST). Texts are
 * of any origin: printers escape them, and nothing else does. */
#pragma once

#include "base/terminal/table.h"

enum { DOCUMENT_RAW = 1U << 16 }; /* in the place of an indentation: the line is not broken, and keeps its blanks */

/* How grave a finding is: X(name, style of its mark, element of JUnit, level of SARIF, command of GitHub). NULL: the
 * form does not have it. */
#define DOCUMENT_SEVERITY_LIST(X)                                                                                      \
    X(UNSOUND, TERMINAL_BAD, "failure", "error", "error")                                                              \
    X(FAULT, TERMINAL_BAD, "error", "error", "error") /* a test that could not be judged */                            \
    X(CHANGE, TERMINAL_WARNING, "failure", "warning", "error")                                                         \
    X(DOUBT, TERMINAL_WARNING, "error", "warning", "warning")                                                          \
    X(NOTICE, TERMINAL_PLAIN, NULL, "note", "notice")                                                                  \
    X(NOTE, TERMINAL_PLAIN, NULL, "note", NULL)

#define DOCUMENT_SEVERITY_ENUM(name, style, junit, sarif, github) DOCUMENT_##name,
enum document_severity { DOCUMENT_SEVERITY_LIST(DOCUMENT_SEVERITY_ENUM) };

struct document_severity_row {
    enum terminal_style style;
    const char *junit, *sarif, *github;
};
extern const struct document_severity_row document_severities[];

/* The words of a finding: X(name, meaning). In a document none is NULL, and "" is none. */
#define DOCUMENT_WORD_LIST(X)                                                                                          \
    X(kind, "its kind, such as \"rate\"")                                                                              \
    X(meaning, "what findings of this kind are")                                                                       \
    X(mark, "what its line begins with in a text, such as \"FAILED\"")                                                 \
    X(test, "the test's name")                                                                                         \
    X(name, "the same with its dialect, \"PTX:MP+relaxed\"")                                                           \
    X(outcome, "what tells it from others of its kind and test, and stays the same")                                   \
    X(where, "the device, compiler or model")                                                                          \
    X(line, "what happened; parts that are two blanks apart stay whole")                                               \
    X(evidence, "how strong the evidence is")                                                                          \
    X(decision, "what decided, to add to the evidence; begins with \"; \"")                                            \
    X(command, "what repeats it: a word, a colon and a command")                                                       \
    X(excuse, "why it does not count, although it would")                                                              \
    X(excused_as, "a word for the excuse, such as \"known\"")                                                          \
    X(file, "the file that it is about")                                                                               \
    X(source, "that file's text")

struct document_finding {
#define DOCUMENT_WORD_MEMBER(name, meaning) const char *name;
    DOCUMENT_WORD_LIST(DOCUMENT_WORD_MEMBER)
    enum document_severity severity;
    unsigned names;       /* how many parts of the line, from its start, are names: of the test, of the outcome */
    unsigned row, column; /* in the file; 0 if it is about all of it */
    int most;             /* how many of its kind a text lists if it is not verbose; 0: all; -1: none */
    bool counts;          /* for the verdict */
    bool plain;           /* its line says of which kind it is */
    struct document_case *of;
    struct document_finding *next; /* of this case */
};

/* A result of a test: it has failed if one of its findings counts. */
struct document_case {
    const char *suite, *group, *name; /* the suite and, in it, the group that it belongs to */
    const char *skipped;              /* why it has no result if nothing counts; NULL: it has passed */
    double seconds;
    struct document_finding *first, *last;
};

enum document_kind { DOCUMENT_LINE, DOCUMENT_SECTION, DOCUMENT_FINDING, DOCUMENT_TABLE };

struct document_block {
    enum document_kind kind;
    unsigned indent;   /* of a table, and of the lines but the first that a text breaks a line into */
    const char *label; /* what a line begins with, its blanks too */
    const char *text;  /* of a line; a section's title */
    const struct document_finding *finding;
    struct table *table;
    size_t most;      /* rows of the table that a text has if it is not verbose; 0: all */
    const char *rest; /* the line that is there in place of the other rows */
};

/* Starts as {.title = ...}; the caller calls document_release. One without an answer and a verdict, which has findings
 * alone, is only for forms of findings: SARIF, GitHub's commands. */
struct document {
    const char *title;        /* whose document it is: "orchil gate" */
    const char *verdict;      /* in a word */
    const char *answer;       /* in a line */
    enum terminal_style tone; /* of its verdict */
    unsigned hanging;         /* the indentation of what does not fit into the answer's first line */
    unsigned indent;          /* of findings */
    bool verbose;             /* a text has every finding, and what decided it */
    bool stopped;             /* nothing was decided: the answer says why, and is the only finding */
    const char *page;         /* where the details are, as a link from the form that is printed; NULL: nowhere */
    struct document_block *blocks;
    size_t block_count;
    struct document_case **cases;
    size_t case_count;
    struct text line; /* that is being written: document_line ends it */
    struct arena arena;
};

/* Takes the first line that was written to `line` as the answer. */
void document_answer(struct document *document, enum terminal_style tone);

/* Takes what was written to `line` as lines; none if it is empty. label must outlive the document. */
void document_line(struct document *document, const char *label, unsigned indent);

/* Begins a section; without a title, in a text it is only apart from what is before it. */
void document_section(struct document *document, const char *title);

/* Adds a copy of a finding or a case, with its words. */
void document_find(struct document *document, const struct document_finding *finding);
struct document_case *document_add_case(struct document *document, const struct document_case *of);

/* Adds a table, which the caller fills; titles as for table_columns. */
struct table *document_table(struct document *document, const char *titles, unsigned indent);

void document_release(struct document *document);

/* ---- printing ---- */

/* The forms that are written to files, and all forms: X(name, word, meaning). */
#define DOCUMENT_FILE_LIST(X)                                                                                          \
    X(JUNIT, junit, "JUnit XML")                                                                                       \
    X(MARKDOWN, markdown, "Markdown")                                                                                  \
    X(SARIF, sarif, "the findings as SARIF 2.1.0, for code scanning")
#define DOCUMENT_PRINTER_LIST(X)                                                                                       \
    X(TEXT, text, "lines of at most 80 columns, if their words allow it, for people")                                  \
    X(GITHUB, github, "workflow commands of GitHub, ten of each at most")                                              \
    DOCUMENT_FILE_LIST(X)

/* document_print_WORD appends the document in that form. */
#define DOCUMENT_PRINTER(name, word, meaning)                                                                          \
    void document_print_##word(const struct document *document, struct text *text);
DOCUMENT_PRINTER_LIST(DOCUMENT_PRINTER)

#define DOCUMENT_PRINTER_ENUM(name, word, meaning) DOCUMENT_AS_##name,
enum { DOCUMENT_PRINTER_LIST(DOCUMENT_PRINTER_ENUM) DOCUMENT_PRINTER_COUNT };

extern const struct document_printer {
    const char *word, *meaning;
    void (*print)(const struct document *document, struct text *text);
} document_printers[DOCUMENT_PRINTER_COUNT];

/* Appends a finding in one line: the line, the evidence, and what decided. */
void document_add_sentence(const struct document_finding *finding, struct text *text);
