// SPDX-License-Identifier: Apache-2.0
/* A program of two members that play rounds with each other: a round ends when each has seen that the other takes
 * part. */
#pragma once

#include "backends/ensemble/ensemble.h"

/* Words of the draw, of the memory and of each member's counters. */
enum {
    DRAW_ROUND_COUNT,
    DRAW_HOME_OF_X,
    DRAW_PLACES,
    DRAW_SIZE = DRAW_PLACES + BACKEND_HOME_WORDS(BACKEND_MAXIMUM_MEMBERS)
};
enum { MEETING_WORDS = 64, MEMORY_WORDS = 2 * MEETING_WORDS };
enum { MET, STALE, NOT_ZERO, FIRST_RESULT, FIRST_X, COUNTER_WORDS };
enum { ROUND_COUNT = 300 };

/* The ensemble that was opened last; the caller closes its session. */
extern struct backend_session *rounds_session;
extern struct backend_device rounds_device;

void rounds_open(const char *spec);
/* The same with another kernel for the second member, after its prelude. */
struct backend_program *rounds_try_build(const char *second, struct text *log, enum status expected,
                                         struct error *error);
struct backend_program *rounds_build(void);
/* A launch with one item for each member. */
struct backend_launch rounds_launch_of(const uint32_t *draw, uint32_t *counters);
void rounds_launch(struct backend_program *program, const struct backend_launch *how);
/* Makes a launch without rounds. */
void rounds_warm_up(struct backend_program *program);
/* Plays rounds with x in each home: both members meet in all of them, and the second sees what the first wrote. played:
 * how often the program has done so before. */
void rounds_play(struct backend_program *program, unsigned played);
/* Plays in which members follow each other by that edge, and twice in a row by an event: each adds to what the previous
 * one wrote. The session is open. */
void rounds_pass_on(enum launch_edge between);
