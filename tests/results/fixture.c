// SPDX-License-Identifier: Apache-2.0
/* Shared by the tests of the store. */
#include "tests/results/fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folders {
    int back; /* the working folder to return to */
    char scratch[64];
};

int fixture_enter(void **state)
{
    struct folders *folders = malloc(sizeof *folders);
    if (!folders)
        return -1;
    /* In memory if possible: syncing to a disk would take most of these tests' time and show nothing more. */
    (void)snprintf(folders->scratch, sizeof folders->scratch, "%s/orchil-test-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    folders->back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *state = folders;
    if (folders->back < 0 || !mkdtemp(folders->scratch) || chmod(folders->scratch, 0755) != 0)
        return -1;
    return chdir(folders->scratch);
}

/* Removes the contents of a folder, and of the folders in it. */
static void empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char name[512];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (unlink(name) != 0) {
            (void)chmod(name, 0755);
            empty_folder(name);
            (void)rmdir(name);
        }
    }
    (void)closedir(folder);
}

int fixture_leave(void **state)
{
    struct folders *folders = *state;
    empty_folder(".");
    const int left = fchdir(folders->back) | rmdir(folders->scratch) | close(folders->back);
    free(folders);
    return left;
}

void fixture_ok(enum status status, const struct error *error)
{
    if (status != STATUS_OK)
        fail_msg("%s [%s]\n%s", error->text, status_name(status), error->detail);
}

struct store *fixture_open(enum store_mode mode)
{
    struct store *store = NULL;
    struct error error;
    fixture_ok(store_open(FIXTURE_DB, mode, &store, &error), &error);
    return store;
}

struct store_job fixture_job(int64_t run_id, uint64_t seed, const char *test)
{
    return (struct store_job){
        .run_id = run_id,
        .device = {.backend = "simulated",
                   .name = "Simulated GPU",
                   .vendor = "nobody",
                   .uuid = "00000000-0000-0000-0000-00000000000a",
                   .architecture = "weak",
                   .gpu = true,
                   .compute_units = 132,
                   .platform = "simulated platform",
                   .driver = "1.0",
                   .compiler = "2.0",
                   .capabilities = "{\"subgroups\":true}"},
        .test = {.dialect = "OPENCL",
                 .name = test,
                 .hash = "8f14e45fceea167a",
                 .text = "OPENCL SB+relaxed\n...",
                 .condition = "exists (0:r0=0 /\\ 1:r1=0)",
                 .doc = "store buffering"},
        .environment = {.hash = "c9f0f895fb98ab91", .text = "{\"stress\":[0,100]}", .profile = "portable"},
        .key = "45c48cce2e2d7fbd",
        .seed = seed,
        .replicate = 2,
        .controls = "",
    };
}

int64_t fixture_begin_run(struct store *store, uint64_t seed)
{
    const struct store_run run = {.tool_version = "0.1.0",
                                  .command_line = "orchil run SB+relaxed",
                                  .host = "somewhere, Linux 6.1, x86_64",
                                  .environment_variables = "{\"CUDA_CACHE_DISABLE\":\"1\"}",
                                  .seed = seed};
    struct error error;
    int64_t id = 0;
    fixture_ok(store_begin_run(store, &run, &id, &error), &error);
    assert_true(id > 0);
    return id;
}

int64_t fixture_begin_job(struct store *store, int64_t run_id, const char *test)
{
    const struct store_job job = fixture_job(run_id, 7, test);
    struct error error;
    int64_t id = 0;
    fixture_ok(store_begin_job(store, &job, &id, &error), &error);
    assert_true(id > 0);
    return id;
}

void fixture_batch(struct fixture_batch *sample, uint64_t number)
{
    *sample = (struct fixture_batch){
        .outcomes = {{"0:r0=1; 1:r1=1;", 1000 + number, false},
                     {"0:r0=0; 1:r1=0;", 3, true},
                     {"0:r0=0; 1:r1=1;", 500, false}},
        .voids = {{"gave_up", 2 + number % 5, false}},
    };
    sample->batch = (struct batch){
        .number = number,
        .draw = "{\"groups\":128,\"stress\":[1,2,3]}",
        .instances = 1000 + number + 3 + 500 + 2 + number % 5,
        .seconds = 0.25,
        .started = 0.5 * (double)number,
        .liveness = "{\"memory_stress\":64}",
        .outcomes = sample->outcomes,
        .outcome_count = 3,
        .voids = sample->voids,
        .void_count = 1,
    };
}

enum status fixture_add(struct store *store, int64_t job_id, uint64_t number, size_t count, struct error *error)
{
    struct fixture_batch samples[FIXTURE_GROUP];
    struct batch batches[FIXTURE_GROUP];
    assert_true(count <= FIXTURE_GROUP);
    for (size_t i = 0; i < count; i++) {
        fixture_batch(&samples[i], number + i);
        batches[i] = samples[i].batch;
    }
    return store_add_batches(store, job_id, batches, count, error);
}

struct store_judgement fixture_judgement(const char *role)
{
    static const struct store_verdict source[] = {{"0:r0=0; 1:r1=0;", VERDICT_WEAK, ""},
                                                  {"0:r0=1; 1:r1=1;", VERDICT_SC, ""},
                                                  {"0:r0=7; 1:r1=7;", VERDICT_FORBIDDEN, "thin-air"}};
    static const struct store_verdict target[] = {{"0:r0=0; 1:r1=0;", VERDICT_FORBIDDEN, "causality"},
                                                  {"0:r0=1; 1:r1=1;", VERDICT_SC, ""},
                                                  {"0:r0=7; 1:r1=7;", VERDICT_FORBIDDEN, "thin-air"}};
    const bool of_source = strcmp(role, "source") == 0;
    return (struct store_judgement){.role = role,
                                    .model = of_source ? "opencl" : "ptx",
                                    .model_hash = FIXTURE_MODEL_HASH,
                                    .mapping = of_source ? 0 : 1,
                                    .unjudged = "",
                                    .cut = "",
                                    .verdicts = of_source ? source : target,
                                    .verdict_count = 3};
}

static sqlite3 *connect(const char *path)
{
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK || sqlite3_busy_timeout(db, 10000) != SQLITE_OK)
        fail_msg("%s: %s", path, sqlite3_errmsg(db));
    return db;
}

static sqlite3_stmt *first_row(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK || sqlite3_step(statement) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    return statement;
}

int64_t fixture_number(const char *path, const char *sql)
{
    sqlite3 *db = connect(path);
    sqlite3_stmt *statement = first_row(db, sql);
    const int64_t number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return number;
}

void fixture_text(const char *path, const char *sql, char *buffer, size_t size)
{
    sqlite3 *db = connect(path);
    sqlite3_stmt *statement = first_row(db, sql);
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    (void)snprintf(buffer, size, "%s", text ? text : "(null)");
    (void)sqlite3_finalize(statement);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

void fixture_execute(const char *path, const char *sql)
{
    sqlite3 *db = connect(path);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

bool fixture_refuses(const char *path, const char *sql)
{
    sqlite3 *db = connect(path);
    const int result = sqlite3_exec(db, sql, NULL, NULL, NULL);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return result == SQLITE_CONSTRAINT;
}

int64_t fixture_unequal_jobs(const char *path)
{
    return fixture_number(path, "SELECT count(*) FROM v_job j WHERE instances <> voids + "
                                "coalesce((SELECT sum(count) FROM v_outcome WHERE job = j.job), 0)");
}

void fixture_sound(const char *path)
{
    struct store *store = NULL;
    struct text findings = {0};
    struct error error;
    fixture_ok(store_open(path, STORE_READ, &store, &error), &error);
    fixture_ok(store_check(store, &findings, &error), &error);
    assert_string_equal(text_string(&findings), "");
    text_release(&findings);
    store_close(store);
}
