// SPDX-License-Identifier: Apache-2.0
/* Protects: the store opens the right files, refuses others with clear messages, and does not change files that it
 * refuses. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/soundness.h"
#include "results/sql.h"
#include "tests/between.h"
#include "tests/results/fault_vfs.h"
#include "tests/results/fixture.h"

#ifndef ORCHIL_SOURCE_DIR
#define ORCHIL_SOURCE_DIR "."
#endif

static const char *const data_folder = ORCHIL_SOURCE_DIR "/tests/results";
static int data_descriptor; /* of that folder, because tests change the working folder */

static int open_data(void **state)
{
    (void)state;
    data_descriptor = open(data_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (data_descriptor < 0)
        perror(data_folder);
    return data_descriptor < 0 ? -1 : 0;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, size), size);
    assert_int_equal(close(file), 0);
}

/* The hash of the first MiB of a file; of nothing if it cannot be read. */
static void hash_file(const char *path, char hash[HASH_HEX_SIZE])
{
    static char bytes[1 << 20];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : read(file, bytes, sizeof bytes);
    hash_hex(bytes, size < 0 ? 0 : (size_t)size, hash);
    if (file >= 0)
        (void)close(file);
}

/* Stores a little in a new file. */
static void make_store(const char *path)
{
    struct store *store = NULL;
    struct error error;
    fixture_ok(store_open(path, STORE_WRITE, &store, &error), &error);
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    for (uint64_t i = 0; i < 50; i++)
        fixture_ok(fixture_add(store, job, 4 * i, 4, &error), &error);
    store_close(store);
}

/* One file of each kind that is refused. */
static void make_refused(void)
{
    static const char zeros[4096]; /* longer than a header */
    write_file("text", zeros, sizeof zeros);
    write_file("short", "SQLite format 3", 16);
    write_file("empty", "", 0);
    fixture_execute("foreign", "PRAGMA journal_mode = WAL; CREATE TABLE run (id INTEGER)");
    fixture_execute("other", "PRAGMA application_id = 0x0f055112; CREATE TABLE run (id INTEGER)");
    make_store("newer");
    fixture_execute("newer", "PRAGMA user_version = 1000");
    make_store("older");
    fixture_execute("older", "PRAGMA user_version = 4");
    make_store("unversioned");
    fixture_execute("unversioned", "PRAGMA user_version = 0");
    make_store("damaged");
    const int64_t page = fixture_number("damaged", "SELECT rootpage FROM sqlite_schema WHERE name = 'batch'");
    const int file = open("damaged", O_WRONLY | O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, zeros, sizeof zeros, (page - 1) * 4096), sizeof zeros);
    assert_int_equal(close(file), 0);
    make_store("cut");
    assert_int_equal(truncate("cut", 3 * 4096 + 100), 0);
    assert_int_equal(mkdir("folder", 0755), 0);
    assert_int_equal(mkfifo("pipe", 0644), 0);
}

/* Opens each file in a list of "PATH: text" lines. Returns how many were not refused with that line and left unchanged.
 * It prints those and asserts nothing, so that a child process can call it. */
static int count_differences(const char *list, enum store_mode mode)
{
    char line[512], before[HASH_HEX_SIZE] = "", after[HASH_HEX_SIZE] = "";
    const int file = openat(data_descriptor, list, O_RDONLY | O_CLOEXEC);
    FILE *lines = file < 0 ? NULL : fdopen(file, "r");
    int count = 0, differences = 0;
    while (lines && fgets(line, sizeof line, lines)) {
        struct store *store = NULL;
        struct error error = {.text = "(accepted)"};
        struct stat about;
        char path[512];
        line[strcspn(line, "\n")] = '\0';
        (void)snprintf(path, sizeof path, "%.*s", (int)strcspn(line, ":"), line);
        const bool plain = stat(path, &about) == 0 && S_ISREG(about.st_mode);
        if (plain)
            hash_file(path, before);
        const enum status status = store_open(path, mode, &store, &error);
        const bool damaged = strstr(line, ": is damaged") || strstr(line, ": reading its version failed");
        const enum status expected = damaged ? STATUS_DATABASE : STATUS_UNREADABLE; /* which is the user's to change */
        if (plain)
            hash_file(path, after);
        if (status != expected || store || strcmp(error.text, line) != 0 || strcmp(before, after) != 0) {
            (void)fprintf(stderr, "expected %s\n     got %s [%s]%s\n", line, error.text, status_name(status),
                          strcmp(before, after) == 0 ? "" : " and the file has changed");
            differences++;
        }
        store_close(store);
        count++;
    }
    if (lines)
        (void)fclose(lines);
    return count > 0 ? differences : -1;
}

static void test_refusals(void **state)
{
    (void)state;
    make_refused();
    assert_int_equal(count_differences("refusals.txt", STORE_WRITE), 0);
    assert_int_equal(count_differences("refusals_reading.txt", STORE_READ), 0);
    assert_int_not_equal(access("missing", F_OK), 0);
    assert_int_not_equal(access("foreign-wal", F_OK), 0);

    struct store *store = NULL;
    struct error error;
    assert_int_equal(store_open("", STORE_WRITE, &store, &error), STATUS_USAGE);
    assert_string_equal(error.text, "the name of the database is empty: name a file");
}

#define REDEFINED                                                                                                      \
    "results.db: its view 'v_job' differs from orchil's schema: the file was changed or is damaged; name another file"
#define REDEFINE_JOB(view)                                                                                             \
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE VIEW v_job AS " view "' WHERE name = 'v_job'"
#define FOREIGN(kind, name)                                                                                            \
    "results.db: has the " kind " '" name "', which is not part of orchil's schema: drop it (DROP " kind               \
    ", in a copy of the "                                                                                              \
    "file), or name another file"

/* A file's schema decides what SQLite does: only a file with orchil's schema is opened, for reading or writing. */
static void test_schema_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *change, *refusal; /* NULL: it is opened */
    } cases[] = {
        {REDEFINE_JOB("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n"), REDEFINED},
        {REDEFINE_JOB("SELECT * FROM job"), REDEFINED},
        {"CREATE TRIGGER late AFTER INSERT ON batch BEGIN DELETE FROM run; END", FOREIGN("trigger", "late")},
        {"CREATE TABLE mine (text CHECK (text LIKE '%a%a%a%b'))", FOREIGN("table", "mine")},
        {"CREATE INDEX mine ON batch (hex(zeroblob(number)))", FOREIGN("index", "mine")},
        {"ANALYZE", FOREIGN("table", "sqlite_stat1")},
        {"DROP INDEX job_by_key", "results.db: is damaged: it has no index 'job_by_key'; name another file"},
        {"ALTER TABLE job ADD COLUMN mine TEXT",
         "results.db: its table 'job' differs from orchil's schema: the file was changed or is damaged; name another file"},
        {"CREATE VIEW mine AS SELECT count(*) FROM v_job", NULL},
        {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, ', ', ',\n\t ')", NULL},
        {"VACUUM", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)unlink(FIXTURE_DB);
        make_store(FIXTURE_DB);
        fixture_execute(FIXTURE_DB, cases[i].change);
        for (int mode = 0; mode < 2; mode++) {
            struct store *store = NULL;
            struct error error = {.text = ""};
            const enum status status = store_open(FIXTURE_DB, mode ? STORE_WRITE : STORE_READ, &store, &error);
            assert_string_equal(error.text, cases[i].refusal ? cases[i].refusal : "");
            assert_int_equal(status, cases[i].refusal ? STATUS_DATABASE : STATUS_OK);
            store_close(store);
        }
    }
}

/* A run starts in the same time whatever its database holds: it reads a few pages out of thousands. */
static void test_writing_reads_little(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const int64_t run = fixture_begin_run(store, 1);
    for (int i = 0; i < 20; i++) {
        const int64_t job = fixture_begin_job(store, run, "SB");
        fixture_ok(sql_begin(store, &error), &error);
        fixture_ok(
            sql_do(store, NULL, &error,
                   "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 10000) INSERT INTO batch "
                   "(job_id, number, draw, arguments, instances, seconds, started, valid, invalid, liveness) "
                   "SELECT ?, i, '{}', 0, 0, 0.0, 0.0, 1, '', '{}' FROM n",
                   "i", job),
            &error);
        fixture_ok(sql_end(store, STATUS_OK, &error), &error);
    }
    store_close(store);
    struct fault_plan plan = {.fail_at = 1 << 30};
    for (int mode = 0; mode < 2; mode++) {
        plan.reads = 0;
        fault_begin(&plan);
        store_close(fixture_open(mode ? STORE_WRITE : STORE_READ));
        fault_end();
        if (mode == 0)
            assert_true(plan.reads > 1000); /* a reader checks all of it */
        else
            assert_between(plan.reads, 1, 150);
    }
}

static void test_empty_file_is_new(void **state)
{
    (void)state;
    write_file(FIXTURE_DB, "", 0);
    make_store(FIXTURE_DB);
    fixture_sound(FIXTURE_DB);
    make_store(FIXTURE_DB);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_job"), 2);
}

/* Names that SQLite would read as an in-memory database or a URI are file names here. */
static void test_names_are_plain(void **state)
{
    (void)state;
    static const char *const names[] = {":memory:", "file:x.db?mode=memory", "a b%20#?.db"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        make_store(names[i]);
        assert_int_equal(access(names[i], F_OK), 0);
        fixture_sound(names[i]);
    }
}

static void test_settings(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const struct {
        const char *sql;
        int64_t value;
    } settings[] = {
        {"PRAGMA synchronous", 2},
        {"PRAGMA foreign_keys", 1},
        {"PRAGMA trusted_schema", 0},
        {"PRAGMA busy_timeout", 10000},
        {"PRAGMA cell_size_check", 1},
        {"PRAGMA application_id", 0x6f726368},
        {"PRAGMA user_version", SCHEMA_VERSION},
        {"SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND NOT strict "
         "AND name NOT LIKE 'sqlite_%'",
         0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        int64_t value = -1;
        fixture_ok(sql_do(store, &value, &error, settings[i].sql, ""), &error);
        assert_int_equal(value, settings[i].value);
    }
    assert_string_equal(store_journal(store), "wal");
    sql_doing(store, "asking");
    assert_int_equal(sql_do(store, NULL, &error, "SELECT absent FROM run", ""), STATUS_DATABASE);
    assert_string_equal(error.text, "results.db: asking failed: no such column: absent");
    store_close(store);
}

static bool always(const char *path)
{
    assert_non_null(path);
    return true;
}

static bool never(const char *path)
{
    assert_non_null(path);
    return false;
}

static void test_shared_file_system_has_no_log(void **state)
{
    (void)state;
    struct store *store = NULL;
    struct error error;
    int64_t value = 0;
    for (int i = 0; i < 3; i++) {
        const bool shared = i != 1; /* a file that was in WAL is switched back */
        fixture_ok(open_store(FIXTURE_DB, STORE_WRITE, shared ? always : never, &store, &error), &error);
        assert_string_equal(store_journal(store), shared ? "delete" : "wal");
        fixture_ok(sql_do(store, &value, &error, "PRAGMA synchronous", ""), &error);
        assert_int_equal(value, shared ? 3 : 2);
        (void)fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
        assert_int_equal(access(FIXTURE_DB "-wal", F_OK), shared ? -1 : 0);
        store_close(store);
    }
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_job"), 3);
}

/* Later versions bring files of this one to theirs, so they must know its tables. If this fails because schema.sql was
 * changed: results/migrations.sql says what to do. */
static void test_version_is_known(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    assert_true(schema_steps(SCHEMA_VERSION) != NULL);
    fixture_ok(soundness_expect_version(store, SCHEMA_VERSION, &error), &error);
    store_close(store);
}

static void test_detector(void **state)
{
    (void)state;
    static const unsigned long shared[] = {0x6969, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x0bd00bd0};
    static const unsigned long own[] = {0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        assert_true(filesystem_shared(shared[i]));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_false(filesystem_shared(own[i]));
    assert_true(filesystem_holds_shared("no/such/file"));
    assert_false(filesystem_holds_shared("/proc"));
}

static void test_reading_writes_nothing(void **state)
{
    (void)state;
    make_store(FIXTURE_DB);
    struct store *store = fixture_open(STORE_READ);
    struct store_run run = {"", "", "", "{}", 0, false};
    struct error error;
    int64_t id = 0;
    assert_int_equal(store_begin_run(store, &run, &id, &error), STATUS_INTERNAL);
    assert_string_equal(error.text, "results.db: storing a new run failed: the database was opened for reading only");
    store_close(store);
}

/* The last reader leaves the database alone in its folder, and one that is not the last takes nothing away from a
 * writer. */
static void test_reading_leaves_no_log(void **state)
{
    (void)state;
    struct store *writer = NULL, *reader = NULL;
    struct error error;
    make_store("a.db");
    fixture_ok(store_open("a.db", STORE_READ, &reader, &error), &error);
    store_close(reader);
    assert_int_equal(access("a.db-wal", F_OK), -1);
    assert_int_equal(access("a.db-shm", F_OK), -1);
    fixture_ok(store_open("a.db", STORE_WRITE, &writer, &error), &error);
    fixture_ok(store_open("a.db", STORE_READ, &reader, &error), &error);
    const int64_t job = fixture_begin_job(writer, fixture_begin_run(writer, 2), "MP");
    store_close(reader);
    fixture_ok(fixture_add(writer, job, 1, 4, &error), &error);
    store_close(writer);
    assert_int_equal(access("a.db-wal", F_OK), -1);
}

static void test_waiting_ends(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE), *other = fixture_open(STORE_WRITE);
    const struct store_run run = {"", "", "", "{}", 0, false};
    struct error error;
    int64_t id = 0;
    fixture_ok(sql_begin(other, &error), &error);
    assert_int_equal(sqlite3_busy_timeout(store->db, 20), SQLITE_OK);
    assert_int_equal(store_begin_run(store, &run, &id, &error), STATUS_DATABASE);
    assert_string_equal(error.text,
                        "results.db: storing a new run failed: another process has kept the file locked for "
                        "10 s; try again when it has ended (database is locked)");
    (void)sql_end(other, STATUS_INTERNAL, &error);
    fixture_ok(store_begin_run(store, &run, &id, &error), &error);
    store_close(other);
    store_close(store);
}

/* Copies a file as it is on the disk. */
static void copy_file(const char *from, const char *to)
{
    static char bytes[1 << 20];
    const int file = open(from, O_RDONLY | O_CLOEXEC);
    const ssize_t size = read(file, bytes, sizeof bytes);
    assert_true(size > 0 && size < (ssize_t)sizeof bytes);
    assert_int_equal(close(file), 0);
    write_file(to, bytes, (size_t)size);
}

/* Runs body in a child, as a user who is subject to permissions. body counts failures; it must not assert, since a
 * failed assertion would continue with the other tests in the child. */
static void as_nobody(int (*body)(void))
{
    (void)fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0) ? 99 : body());
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

/* 0 if the file opens for reading, with that journal and one job in it. */
static int read_one_job(const char *path, const char *journal)
{
    struct store *store = NULL;
    struct error error = {0};
    int jobs = 0;
    if (store_open(path, STORE_READ, &store, &error) == STATUS_OK) {
        struct store_cursor cursor;
        store_query(store, STORE_JOBS, 0, &cursor, &error);
        while (store_next(&cursor))
            jobs += cursor.job.batches == 200;
        (void)store_end(&cursor, STATUS_OK);
    }
    const bool good = store && jobs == 1 && strcmp(store_journal(store), journal) == 0;
    if (!good)
        (void)fprintf(stderr, "%s: %d jobs, %s, %s\n", path, jobs, store ? store_journal(store) : "-", error.text);
    store_close(store);
    return good ? 0 : 1;
}

static int read_in_closed_folder(void)
{
    return read_one_job("closed/old.db", "immutable") + read_one_job("closed/hot.db", "wal") +
           (count_differences("refusals_closed.txt", STORE_READ) != 0);
}

static int write_in_closed_folder(void)
{
    return count_differences("refusals_permissions.txt", STORE_WRITE) != 0;
}

static void test_permissions(void **state)
{
    (void)state;
    struct store *store = NULL;
    struct error error;
    make_store(FIXTURE_DB);
    assert_int_equal(mkdir("closed", 0755), 0);
    copy_file(FIXTURE_DB, "closed/old.db");
    copy_file(FIXTURE_DB, "fixed.db");
    copy_file(FIXTURE_DB, "secret.db");
    /* As a killed writer leaves a file: with a log, and with or without the log's index. */
    fixture_ok(store_open(FIXTURE_DB, STORE_WRITE, &store, &error), &error);
    (void)fixture_begin_run(store, 2);
    copy_file(FIXTURE_DB, "closed/hot.db");
    copy_file(FIXTURE_DB "-wal", "closed/hot.db-wal");
    copy_file(FIXTURE_DB "-shm", "closed/hot.db-shm");
    copy_file(FIXTURE_DB, "closed/log.db");
    copy_file(FIXTURE_DB "-wal", "closed/log.db-wal");
    store_close(store);
    assert_int_equal(
        chmod("closed/old.db", 0666) | chmod("fixed.db", 0444) | chmod("secret.db", 0) | chmod("closed", 0555), 0);
    as_nobody(write_in_closed_folder);
    as_nobody(read_in_closed_folder);
    assert_int_equal(chmod("closed", 0755), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_refusals, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_schema_is_known, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_writing_reads_little, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_empty_file_is_new, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_names_are_plain, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_settings, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_shared_file_system_has_no_log, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_version_is_known, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_detector, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_reading_writes_nothing, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_reading_leaves_no_log, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_waiting_ends, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_permissions, fixture_enter, fixture_leave),
    };
    return cmocka_run_group_tests_name("open", tests, open_data, NULL);
}
