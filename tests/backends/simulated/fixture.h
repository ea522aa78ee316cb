// SPDX-License-Identifier: Apache-2.0
/* Shared by the tests of the simulated backend: the counters of a small kernel, and sessions with the scripts in this
 * folder. */
#pragma once

#include "backends/driver.h"

/* Counters of every test program, in this order in the buffer. */
enum { OUTCOME_A, OUTCOME_B, OUTCOME_C, GAVE_UP, STALE, STRESS_ROUNDS, ROUNDS, OVERLAPPED, COUNTERS };

/* Points ORCHIL_SIMULATED at a script in this folder. */
void fixture_use(const char *script);

/* Opens a device and builds a test's program; the calling test fails if either fails. */
struct backend_session *fixture_open(unsigned device);
struct backend_program *fixture_build(struct backend_session *session, const char *test);
enum status fixture_try_build(struct backend_session *session, const char *test, struct backend_program **program,
                              struct text *log, struct error *error);

/* Runs one batch. */
enum status fixture_try(struct backend_session *session, struct backend_program *program, uint64_t batch,
                        uint64_t instances, uint32_t counters[COUNTERS], struct error *error);
void fixture_run(struct backend_session *session, struct backend_program *program, uint64_t batch, uint64_t instances,
                 uint32_t counters[COUNTERS]);

/* The sum of outcomes and voids. */
uint64_t fixture_sum(const uint32_t counters[COUNTERS]);
