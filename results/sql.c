// SPDX-License-Identifier: Apache-2.0
/* This room's interface to SQLite, and what it asks of the file system. */
#include "results/sql.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

/* ---- file systems: which are shared between machines, and how much space is free ---- */

/* Magic numbers of statfs(2) and linux/magic.h; several are not in the headers of the C library. */
static const unsigned long shared_types[] = {
    0x6969,     /* NFS */
    0x517b,     /* SMB */
    0xff534d42, /* CIFS */
    0xfe534d42, /* SMB2 and later */
    0x564c,     /* NCP */
    0x73757245, /* Coda */
    0x5346414f, /* AFS, OpenAFS */
    0x6b414653, /* the kernel's AFS */
    0x01021997, /* 9P */
    0x00c36400, /* Ceph */
    0x0bd00bd0, /* Lustre */
    0x47504653, /* GPFS */
    0x19830326, /* BeeGFS */
    0x7461636f, /* OCFS2 */
    0x01161970, /* GFS2 */
    0x786f4256, /* VirtualBox shared folders */
    0xbacbacbc, /* VMware shared folders */
    0x65735546, /* FUSE: sshfs, virtiofs, s3fs and others, which cannot be distinguished */
};

bool filesystem_shared(unsigned long type)
{
    return ANY_OF(shared, shared_types, COUNT(shared_types), *shared == type);
}

bool filesystem_holds_shared(const char *path)
{
    struct statfs about;
    /* f_type is signed on some machines: CIFS would be negative. */
    return statfs(path, &about) != 0 || filesystem_shared((uint32_t)about.f_type);
}

/* ---- presence: whether the files of an open store are still where they were opened ---- */

/* SQLite's own answer: whether the full name that it made from the path, with all links followed, now leads elsewhere.
 * If so, it looks for the log and the journal in the wrong place, even if the path leads to the file again. */
static bool has_moved(const struct store *store)
{
    int moved = 0;
    return sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

static enum status fail_database(const struct store *store, bool replaced, struct error *error)
{
    const char *log = store->files[PRESENCE_LOG].name ? " (the newest results are in the -wal that it left)" : "";
    return error_set(error, STATUS_DATABASE,
                     "%s: %s failed: %s while orchil was writing to it, so nothing more is stored; move %s back%s "
                     "before anything opens it, or start again with another file (--db)",
                     store->path, store->doing,
                     replaced ? "another file took its place" : "the file was moved or removed",
                     replaced ? "the first one" : "it", log);
}

/* STATUS_OK if every noted file is still found under its name; else DATABASE, with what happened to which file, and
 * what to do. If nothing was noted, STATUS_OK. */
static enum status presence_expect(const struct store *store, struct error *error)
{
    for (int i = 0; i < PRESENCE_FILES; i++) {
        const struct presence_file *file = &store->files[i];
        struct stat about;
        if (!file->name)
            continue;
        const bool found = stat(file->name, &about) == 0;
        if (!found && errno != ENOENT && errno != ENOTDIR)
            return error_set(error, STATUS_DATABASE, "%s: %s failed: %s cannot be reached any more: %s", store->path,
                             store->doing, file->name, strerror(errno));
        const bool replaced = found && (about.st_dev != file->device || about.st_ino != file->inode);
        if (i == PRESENCE_DATABASE && (!found || replaced || has_moved(store)))
            return fail_database(store, replaced, error);
        if (!found || replaced)
            return error_set(
                error, STATUS_DATABASE,
                "%s: %s failed: %s, which is part of the database, %s while orchil was writing to it, so nothing "
                "more is stored; leave the -wal and the -shm where they are until orchil has ended",
                store->path, store->doing, file->name, replaced ? "was replaced" : "was moved or removed");
    }
    return STATUS_OK;
}

/* Takes ownership of name. */
static enum status sql_note(struct store *store, enum presence number, char *name, struct error *error)
{
    struct presence_file *file = &store->files[number];
    struct stat about = {0};
    file->name = name;
    /* A file that is already gone gets a number that no file has, so that presence_expect reports it. */
    if (stat(name, &about) == 0) {
        file->device = about.st_dev;
        file->inode = about.st_ino;
    }
    return presence_expect(store, error);
}

/* The path, made independent of the working folder. Links are not followed, because their targets may change. */
static char *absolute_name(const char *path)
{
    struct text name = {0};
    char folder[PATH_MAX];
    if (*path != '/' && getcwd(folder, sizeof folder))
        text_add(&name, "%s/", folder);
    text_add(&name, "%s", path);
    return text_take(&name);
}

enum status presence_note_database(struct store *store, struct error *error)
{
    return sql_note(store, PRESENCE_DATABASE, absolute_name(store->path), error);
}

static enum status note_beside(struct store *store, enum presence number, const char *ending, struct error *error)
{
    const char *const path = sqlite3_db_filename(store->db, "main");
    return sql_note(store, number, memory_copy(PRINTED(PATH_MAX, "%s%s", path, ending)), error);
}

enum status presence_note_log(struct store *store, struct error *error)
{
    if (strcmp(store->journal, "wal") != 0)
        return STATUS_OK;
    /* SQLite opens them at the first statement that reads. */
    TRY(sql_do(store, NULL, error, "SELECT 1 FROM run LIMIT 1", ""));
    TRY(note_beside(store, PRESENCE_LOG, "-wal", error));
    return note_beside(store, PRESENCE_INDEX, "-shm", error);
}

void presence_release(struct store *store)
{
    for (int i = 0; i < PRESENCE_FILES; i++) {
        free(store->files[i].name);
        store->files[i].name = NULL;
    }
}

void sql_doing(struct store *store, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    store->reader = NULL;
    (void)vsnprintf(store->doing, sizeof store->doing, format, arguments);
    va_end(arguments);
}

/* The status of each primary result code, and X in "FILE: storing ... failed: X". */
static const struct {
    int code;
    enum status status;
    const char *text;
} causes[] = {
    {SQLITE_CONSTRAINT, STATUS_INTERNAL, "it contradicts what is stored"},
    {SQLITE_TOOBIG, STATUS_LIMIT, "a text is longer than SQLite allows"},
    {SQLITE_BUSY, STATUS_DATABASE, "another process has kept the file locked for 10 s; try again when it has ended"},
    {SQLITE_READONLY, STATUS_DATABASE, "the file or its folder cannot be written; check their permissions"},
    {SQLITE_CANTOPEN, STATUS_DATABASE,
     "the file, or the -wal or -shm next to it, cannot be opened; "
     "in a folder that cannot be written, copy it with its -wal to another"},
};

/* The system's error when it last failed to read or write a file of the store; 0: it never failed. */
static int file_errno(const struct store *store, int operation)
{
    sqlite3_file *file = NULL;
    int cause = 0;
    if (sqlite3_file_control(store->db, "main", operation, &file) == SQLITE_OK && file && file->pMethods)
        (void)file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &cause);
    return cause;
}

static int disk_errno(const struct store *store)
{
    const int cause = file_errno(store, SQLITE_FCNTL_FILE_POINTER);
    return cause ? cause : file_errno(store, SQLITE_FCNTL_JOURNAL_POINTER);
}

static enum status read_fail(const struct store *store, int cause, struct error *error)
{
    return error_set(
        error, STATUS_DATABASE,
        "%s: %s failed: the disk returned a read error (%s); the file itself may be intact: check the disk (dmesg), and "
        "copy the file to another one",
        store->path, store->doing, strerror(cause ? cause : EIO));
}

/* Why a disk accepts no more data, and what helps; NULL: free some space. */
static const struct {
    int cause;
    const char *why, *advice;
} refusals[] = {
    {ENOSPC, "the disk is full", NULL},
    {EDQUOT, "your disk quota is used up", NULL},
    {EFBIG, "the file has reached the largest size that it may have", "raise the limit (ulimit -f)"},
    {0, "the disk reported an error", NULL},
};

/* The disk refused a write: reports that nothing is stored by half, and how much space is free. */
static enum status write_fail(const struct store *store, int code, int cause, struct error *error)
{
    struct statvfs about;
    const char *const room =
        statvfs(store->path, &about) != 0
            ? "the free space there is unknown"
            : PRINTED(64, "%.0f MiB are free there", (double)about.f_bavail * (double)about.f_frsize / (1024 * 1024));
    size_t i = 0;
    while (refusals[i].cause && refusals[i].cause != ((code & 0xff) == SQLITE_FULL ? ENOSPC : cause))
        i++;
    return error_set(error, STATUS_DATABASE,
                     "%s: %s failed: %s (%s); nothing of this step was stored, and earlier results stay readable; "
                     "%s%s, or name another file",
                     store->path, store->doing, refusals[i].why, cause ? strerror(cause) : sqlite3_errstr(code),
                     refusals[i].advice ? refusals[i].advice : room, refusals[i].advice ? "" : ": make room");
}

static enum status disk_fail(const struct store *store, int code, struct error *error)
{
    if (code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ || code == SQLITE_IOERR_CORRUPTFS ||
        code == SQLITE_IOERR_DATA || code == SQLITE_IOERR_FSTAT)
        return read_fail(store, disk_errno(store), error);
    const int cause = sqlite3_system_errno(store->db);
    return write_fail(store, code, cause ? cause : disk_errno(store), error);
}

enum status sql_damaged(const struct store *store, const char *finding, struct error *error)
{
    /* If the disk fails to read a page, SQLite reports it as damaged. */
    const int cause = disk_errno(store);
    if (cause)
        return read_fail(store, cause, error);
    (void)error_set(error, STATUS_DATABASE,
                    "%s: is damaged; save what sqlite3's .recover reads from it, and name another file", store->path);
    error_set_detail(error, finding);
    return STATUS_DATABASE;
}

enum status sql_fail(struct store *store, int code, struct error *error)
{
    const int primary = code & 0xff;
    store->failure = code;
    if (primary == SQLITE_NOMEM)
        memory_fail(0);
    TRY(presence_expect(store, error)); /* if a file is gone SQLite reports many things, but rarely that */
    if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB)
        return sql_damaged(store, sqlite3_errmsg(store->db), error);
    if (primary == SQLITE_FULL || primary == SQLITE_IOERR)
        return disk_fail(store, code, error);
    for (size_t i = 0; i < COUNT(causes); i++) {
        if (causes[i].code == primary)
            return error_set(error, causes[i].status, "%s: %s failed: %s (%s)", store->path, store->doing,
                             causes[i].text, sqlite3_errmsg(store->db));
    }
    return error_set(error, STATUS_DATABASE, "%s: %s failed: %s", store->path, store->doing, sqlite3_errmsg(store->db));
}

/* A statement with this text that is not in use; prepared now if there is none. */
static int sql_find(struct store *store, const char *sql, sqlite3_stmt **statement)
{
    for (sqlite3_stmt *s = sqlite3_next_stmt(store->db, NULL); s; s = sqlite3_next_stmt(store->db, s)) {
        if (!sqlite3_stmt_busy(s) && strcmp(sqlite3_sql(s), sql) == 0) {
            *statement = s;
            return SQLITE_OK;
        }
    }
    return sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static int sql_bind(sqlite3_stmt *statement, const char *types, va_list arguments)
{
    int code = SQLITE_OK;
    for (int i = 0; types[i] && code == SQLITE_OK; i++) {
        if (types[i] == 't') {
            const char *text = va_arg(arguments, const char *);
            code = text ? sqlite3_bind_text64(statement, i + 1, text, strlen(text), SQLITE_STATIC, SQLITE_UTF8)
                        : sqlite3_bind_null(statement, i + 1);
        } else if (types[i] == 'd') {
            code = sqlite3_bind_double(statement, i + 1, va_arg(arguments, double));
        } else if (types[i] == 'u') {
            code = sqlite3_bind_int64(statement, i + 1, (sqlite3_int64)va_arg(arguments, uint64_t));
        } else {
            code = sqlite3_bind_int64(statement, i + 1, va_arg(arguments, int64_t));
        }
    }
    return code;
}

static enum status open_list(struct store *store, sqlite3_stmt **statement, struct error *error, const char *sql,
                             const char *types, va_list arguments)
{
    *statement = NULL;
    int code = sql_find(store, sql, statement);
    if (code == SQLITE_OK)
        code = sql_bind(*statement, types, arguments);
    if (code == SQLITE_OK)
        return STATUS_OK;
    const enum status status = sql_fail(store, code, error);
    sql_done(*statement);
    *statement = NULL;
    return status;
}

enum status sql_open(struct store *store, sqlite3_stmt **statement, struct error *error, const char *sql,
                     const char *types, ...)
{
    va_list arguments;
    va_start(arguments, types);
    const enum status status = open_list(store, statement, error, sql, types, arguments);
    va_end(arguments);
    return status;
}

enum status sql_next(struct store *store, sqlite3_stmt *statement, bool *row, struct error *error)
{
    const int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? STATUS_OK : sql_fail(store, code, error);
}

void sql_done(sqlite3_stmt *statement)
{
    /* Both repeat or clear the result of the last step, which was handled at that step. */
    (void)sqlite3_reset(statement);
    if (statement)
        (void)sqlite3_clear_bindings(statement);
}

struct sql_rows sql_rows(struct store *store, struct error *error, const char *sql, const char *types, ...)
{
    struct sql_rows rows = {.store = store, .error = error};
    va_list arguments;
    va_start(arguments, types);
    rows.status = open_list(store, &rows.statement, error, sql, types, arguments);
    va_end(arguments);
    return rows;
}

bool sql_row(struct sql_rows *rows)
{
    bool row = false;
    if (rows->status == STATUS_OK)
        rows->status = sql_next(rows->store, rows->statement, &row, rows->error);
    return row;
}

enum status sql_end_rows(struct sql_rows *rows)
{
    sql_done(rows->statement);
    return rows->status;
}

static enum status run_list(struct store *store, int64_t *value, int64_t *id, struct error *error, const char *sql,
                            const char *types, va_list arguments)
{
    struct sql_rows rows = {.store = store, .error = error};
    int64_t ignored;
    int64_t *const first = value ? value : &ignored;
    rows.status = open_list(store, &rows.statement, error, sql, types, arguments);
    *first = 0;
    for (bool is_first = true; sql_row(&rows); is_first = false)
        *first = is_first ? sqlite3_column_int64(rows.statement, 0) : *first;
    const enum status status = sql_end_rows(&rows);
    /* RETURNING would make SQLite keep what it can roll back of this one statement in a file. */
    if (id)
        *id = status == STATUS_OK ? sqlite3_last_insert_rowid(store->db) : 0;
    return status;
}

enum status sql_run(struct store *store, int64_t *value, int64_t *id, const char *why, struct error *error,
                    const char *sql, const char *types, ...)
{
    int64_t found = 0;
    va_list arguments;
    va_start(arguments, types);
    const enum status status = run_list(store, why ? &found : value, id, error, sql, types, arguments);
    va_end(arguments);
    return status == STATUS_OK && why && !found ? sql_refuse(store, error, "%s", why) : status;
}

enum status sql_keep(struct store *store, int64_t *id, struct error *error, const char *table, const char *columns,
                     const char *types, ...)
{
    enum status status = STATUS_OK;
    *id = 0;
    for (int insert = 0; insert < 2 && *id == 0 && status == STATUS_OK; insert++) {
        LOCAL(text) sql = {0};
        va_list arguments;
        text_add(&sql, insert ? "INSERT INTO %s (%s) VALUES (?" : "SELECT id FROM %s WHERE (%s) = (?", table, columns);
        for (size_t i = 1; types[i]; i++)
            text_add(&sql, ", ?");
        text_add(&sql, ")");
        va_start(arguments, types);
        status = run_list(store, insert ? NULL : id, insert ? id : NULL, error, text_string(&sql), types, arguments);
        va_end(arguments);
    }
    return status;
}

enum status sql_refuse(const struct store *store, struct error *error, const char *format, ...)
{
    char why[300];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return error_set(error, STATUS_INTERNAL, "%s: %s failed: %s", store->path, store->doing, why);
}

enum status sql_expect_json(struct store *store, const char *name, const char *text, struct error *error)
{
    int64_t valid = 0;
    TRY(sql_do(store, &valid, error, "SELECT json_valid(?)", "t", text));
    return valid ? STATUS_OK : sql_refuse(store, error, "%s is not JSON", name);
}

void sql_finalize(struct store *store)
{
    while (store->db && sqlite3_next_stmt(store->db, NULL))
        (void)sqlite3_finalize(sqlite3_next_stmt(store->db, NULL));
}

const char *sql_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

enum status sql_begin(struct store *store, struct error *error)
{
    if (!store->writable)
        return sql_refuse(store, error, "the database was opened for reading only");
    if (store->joined)
        return STATUS_OK;
    TRY(presence_expect(store, error));
    return sql_do(store, NULL, error, "BEGIN IMMEDIATE", "");
}

enum status sql_end(struct store *store, enum status status, struct error *error)
{
    if (store->joined)
        return status;
    THEN(status, sql_do(store, NULL, error, "COMMIT", ""));
    THEN(status, presence_expect(store, error));
    /* After some failures SQLite has already rolled back; if a rollback fails, the next open does it. */
    if (status != STATUS_OK && !sqlite3_get_autocommit(store->db))
        (void)sql_do(store, NULL, NULL, "ROLLBACK", "");
    return status;
}

/* ---- functions for SQL: sums of counts that cannot exceed SQLite's integers, and hashes ---- */

struct saturating {
    int64_t sum;
    bool some; /* the sum of nothing is NULL */
};

static void saturating_step(sqlite3_context *context, UNUSED int count, sqlite3_value **values)
{
    struct saturating *state = sqlite3_aggregate_context(context, (int)sizeof *state);
    if (!state || sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    const int64_t value = sqlite3_value_int64(values[0]);
    state->some = true;
    if (__builtin_add_overflow(state->sum, value, &state->sum))
        state->sum = INT64_MAX;
}

static void saturating_final(sqlite3_context *context)
{
    const struct saturating *state = sqlite3_aggregate_context(context, 0);
    if (state && state->some)
        sqlite3_result_int64(context, state->sum);
    else
        sqlite3_result_null(context);
}

/* The hash of a text, as the table `content` has it. A text with a NUL in it, which is cut there, has another. */
static void hash_text(sqlite3_context *context, UNUSED int count, sqlite3_value **values)
{
    char hash[HASH_HEX_SIZE];
    const char *const text = (const char *)sqlite3_value_text(values[0]);
    hash_hex(text ? text : "", text ? strlen(text) : 0, hash);
    sqlite3_result_text(context, hash, -1, SQLITE_TRANSIENT);
}

enum status functions_install(struct store *store, struct error *error)
{
    /* Innocuous: the views may call it although the schema is not trusted. */
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int code =
        sqlite3_create_function_v2(store->db, "sum", 1, flags, NULL, NULL, saturating_step, saturating_final, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(store->db, "sha256", 1, flags, NULL, hash_text, NULL, NULL, NULL);
    return code == SQLITE_OK ? STATUS_OK : sql_fail(store, code, error);
}
