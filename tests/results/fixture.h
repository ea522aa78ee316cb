// SPDX-License-Identifier: Apache-2.0
/* Shared by the tests of the store: a scratch folder, sample rows, and plain SQL on a file. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/results.h"

#define FIXTURE_MODEL_HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define FIXTURE_DB "results.db" /* in the scratch folder, which is the working folder of a test */

/* cmocka's setup and teardown: enter a new, empty folder; leave it and remove it with its contents. */
int fixture_enter(void **state);
int fixture_leave(void **state);

/* Fails the test with the error's text unless status is STATUS_OK. */
void fixture_ok(enum status status, const struct error *error);

struct store *fixture_open(enum store_mode mode);

/* A job that differs from others only in its seed and the name of its test. */
struct store_job fixture_job(int64_t run_id, uint64_t seed, const char *test);

int64_t fixture_begin_run(struct store *store, uint64_t seed);
int64_t fixture_begin_job(struct store *store, int64_t run_id, const char *test);

/* A batch of three outcomes (the second is the witness) and one void, with counts that depend on its number. */
struct fixture_batch {
    struct count outcomes[3];
    struct count voids[1];
    struct batch batch; /* points into this struct */
};
void fixture_batch(struct fixture_batch *sample, uint64_t number);

/* Stores `count` samples, numbered from `number`, in one transaction. */
enum { FIXTURE_GROUP = 4 };
enum status fixture_add(struct store *store, int64_t job_id, uint64_t number, size_t count, struct error *error);

/* The judgement of one role on the outcomes of fixture_batch: as source, the witness is weak, the first outcome is sc
 * and the last is not listed; as target, the witness is forbidden. An outcome that is in no batch is forbidden too. */
struct store_judgement fixture_judgement(const char *role);

/* The single number, or text (cut to size), that a query returns through its own connection. */
int64_t fixture_number(const char *path, const char *sql);
void fixture_text(const char *path, const char *sql, char *buffer, size_t size);

/* Runs statements on a file directly, without the checks of the store. */
void fixture_execute(const char *path, const char *sql);

/* Whether a CHECK or another constraint of the file's schema refuses a statement. */
bool fixture_refuses(const char *path, const char *sql);

/* How many jobs of the file do not add up, judging only by the published views. */
int64_t fixture_unequal_jobs(const char *path);

/* Fails the test unless store_check finds nothing in the file. */
void fixture_sound(const char *path);
