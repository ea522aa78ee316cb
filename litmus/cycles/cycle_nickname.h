// SPDX-License-Identifier: Apache-2.0
/* The families that have a name of their own. Private to the room. */
#ifndef ORCHIL_LITMUS_CYCLES_CYCLE_NICKNAME_H
#define ORCHIL_LITMUS_CYCLES_CYCLE_NICKNAME_H

#include <stdbool.h>

/* The names are those of diy (herdtools7); IRIW, WRC, RWC, ISA2, Z6 and the others come from "Understanding POWER
 * multiprocessors" (Sarkar et al., PLDI 2011) and its test suite. */
struct nickname {
    const char *name, *key;
    bool coherence; /* all edges stay at one location */
    const char *title, *question;
};

extern const struct nickname nicknames[]; /* ends with a row without a name */

#endif
