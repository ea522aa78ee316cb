// SPDX-License-Identifier: Apache-2.0
/* Guides of docs/ that `orchil manual NAME` prints as they are, in Markdown. Private to this room. */
#ifndef ORCHIL_CLI_MANUAL_GUIDES_H
#define ORCHIL_CLI_MANUAL_GUIDES_H

/* X(the file's symbol in CMakeLists.txt, its name on the command line, what it is about) */
#define GUIDE_LIST(X)                                                                                                  \
    X(forbidden, "forbidden", "what to do about a forbidden outcome")                                                  \
    X(troubleshooting, "troubleshooting", "symptoms and their causes, and frequent questions")                         \
    X(cheat_sheet, "cheat-sheet", "commands, symbols and exit codes on one page")

/* The text of a guide; NULL if there is none of that name. */
const char *manual_guide(const char *name);

#endif
