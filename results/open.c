// SPDX-License-Identifier: Apache-2.0
/* Opens a file: which files are refused, and with which message. */

#include <sys/stat.h>

#include "results/soundness.h"

/* Fields from the first bytes of a database (sqlite.org/fileformat2.html, 1.3). */
struct header {
    bool empty;
    bool wal;
    uint32_t application;
    int64_t version;
};

/* The folder part of a path, as text. */
static void add_folder(struct text *folder, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        text_add(folder, ".");
    else
        text_add_bytes(folder, path, slash == path ? 1 : (size_t)(slash - path));
}

static enum status refuse_folder(const char *path, struct error *error)
{
    LOCAL(text) folder = {0};
    struct stat about;
    const bool link = lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
    char *target = link ? realpath(path, NULL) : NULL; /* SQLite keeps its journal next to the target of a link */
    enum status status = STATUS_OK;
    add_folder(&folder, target ? target : path);
    if (access(text_string(&folder), F_OK) != 0)
        status = error_set(error, STATUS_UNREADABLE, "%s: the folder '%s' cannot be reached: %s", path,
                           text_string(&folder), strerror(errno));
    else if (access(text_string(&folder), W_OK) != 0)
        status = error_set(error, STATUS_UNREADABLE,
                           "%s: the folder '%s' cannot be written (%s), and SQLite keeps a journal next to the file: "
                           "name a file in another folder",
                           path, text_string(&folder), strerror(errno));
    free(target);
    return status;
}

/* SQLite reports every cause as "unable to open database file"; this function gives a better message for causes that
 * can be found beforehand. */
static enum status examine_path(const char *path, enum store_mode mode, struct error *error)
{
    struct stat about;
    if (!*path)
        return error_set(error, STATUS_USAGE, "the name of the database is empty: name a file");
    if (stat(path, &about) != 0) {
        if (errno != ENOENT || mode == STORE_READ)
            return error_set(error, STATUS_UNREADABLE, "%s: cannot be opened: %s%s", path, strerror(errno),
                             strcmp(path, "orchil.db") == 0 ? "; `orchil run` makes it in this folder" : "");
        return refuse_folder(path, error);
    }
    if (S_ISDIR(about.st_mode))
        return error_set(error, STATUS_UNREADABLE, "%s: is a folder; a database is one file", path);
    if (!S_ISREG(about.st_mode))
        return error_set(error, STATUS_UNREADABLE, "%s: is not a regular file", path);
    if (access(path, R_OK) != 0)
        return error_set(error, STATUS_UNREADABLE, "%s: cannot be read: %s", path, strerror(errno));
    if (mode == STORE_READ)
        return STATUS_OK;
    if (access(path, W_OK) != 0)
        return error_set(error, STATUS_UNREADABLE, "%s: cannot be written: %s", path, strerror(errno));
    return refuse_folder(path, error);
}

/* A name that SQLite reads only as a file: not ":memory:", not a "file:" URI. */
static void add_plain_name(struct text *name, const char *path)
{
    text_add(name, "%s%s", *path == '/' ? "" : "./", path);
}

void open_add_uri(struct text *uri, const char *path, const char *parameters)
{
    text_add(uri, "file:%s", *path == '/' ? "" : "./");
    for (const char *c = path; *c; c++)
        text_add(uri, strchr("%?#", *c) ? "%%%02x" : "%c", (unsigned char)*c);
    text_add(uri, "?%s", parameters);
}

static enum status connect(struct store *store, const char *path, bool immutable, struct error *error)
{
    LOCAL(text) name = {0};
    /* URIs are needed for ATTACH too; a plain name starts with a dot or a slash, so it is never read as a URI. */
    const int access = store->writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int locking =
        store->writable ? 0 : SQLITE_OPEN_NOMUTEX; /* only one thread reads; saves a twentieth of the time */
    const int flags = access | locking | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
    if (immutable)
        open_add_uri(&name, path, "immutable=1"); /* promises SQLite that nobody changes the file */
    else
        add_plain_name(&name, path);
    sql_doing(store, "opening it");
    const int code = sqlite3_open_v2(text_string(&name), &store->db, flags, NULL);
    return code == SQLITE_OK ? STATUS_OK : sql_fail(store, code, error);
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Reads the header before SQLite runs any statement, so that a foreign file is neither recovered nor checkpointed. It
 * is read through SQLite's own handle: closing a second descriptor of the file would drop this process's locks on
 * it. */
static enum status read_header(struct store *store, struct header *header, struct error *error)
{
    sqlite3_file *file = NULL;
    unsigned char bytes[100];
    sqlite3_int64 size = 0;
    sql_doing(store, "reading its header");
    int code = sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code == SQLITE_OK)
        code = file->pMethods->xFileSize(file, &size);
    if (code == SQLITE_OK && size >= (sqlite3_int64)sizeof bytes)
        code = file->pMethods->xRead(file, bytes, sizeof bytes, 0);
    if (code != SQLITE_OK)
        return sql_fail(store, code, error);

    *header = (struct header){.empty = size == 0};
    if (header->empty)
        return STATUS_OK;
    if (size < (sqlite3_int64)sizeof bytes || memcmp(bytes, "SQLite format 3", 16) != 0)
        return error_set(error, STATUS_UNREADABLE, "%s: is not a SQLite database; name another file", store->path);
    header->wal = bytes[18] == 2 || bytes[19] == 2;
    header->application = big_endian(bytes + 68);
    return STATUS_OK;
}

static enum status refuse_header(const struct store *store, const struct header *header, struct error *error)
{
    if (header->empty && !store->writable)
        return error_set(error, STATUS_UNREADABLE, "%s: is empty: no run was stored in it", store->path);
    if (!header->empty && header->application != SCHEMA_APPLICATION)
        return error_set(error, STATUS_UNREADABLE,
                         "%s: is a database of another application (application_id 0x%08x, orchil's is 0x%08x); "
                         "name another file",
                         store->path, header->application, (unsigned)SCHEMA_APPLICATION);
    return STATUS_OK;
}

/* Whether a WAL database must be read as immutable: its folder cannot be written to, so SQLite can create neither the
 * log nor its index there, and no log exists that would hold newer pages. Another user who may write there could still
 * start to; then this reader would see pages of different times. */
static bool must_be_immutable(const struct store *store, const struct header *header)
{
    LOCAL(text) folder = {0};
    const char *path = sqlite3_db_filename(store->db, "main");
    if (!header->wal || !path)
        return false;
    add_folder(&folder, path);
    return access(text_string(&folder), W_OK) != 0 && access(PRINTED(PATH_MAX, "%s-wal", path), F_OK) != 0 &&
           errno == ENOENT;
}

static enum status refuse_version(struct store *store, struct header *header, struct error *error)
{
    /* Reads again, under a lock, what read_header read without one. By now SQLite has rolled back what an interrupted
     * writer left unfinished (nothing remains of a file that was being created), or another process has created the
     * file. */
    int64_t pages = 0, application = 0;
    sql_doing(store, "reading its version");
    TRY(sql_do(store, NULL, error, "BEGIN", ""));
    enum status status = schema_read_version(store, &header->version, error);
    THEN(status, sql_do(store, &pages, error, "PRAGMA page_count", ""));
    THEN(status, sql_do(store, &application, error, "PRAGMA application_id", ""));
    header->empty = pages == 0;
    header->application = (uint32_t)application;
    TRY(sql_end(store, status, error));
    TRY(refuse_header(store, header, error));
    const int64_t version = header->version;
    if (header->empty || version == SCHEMA_VERSION || (version < SCHEMA_VERSION && schema_steps(version)))
        return STATUS_OK;
    if (version < 1)
        return error_set(error, STATUS_DATABASE, "%s: is damaged: it has orchil's application_id but no schema version",
                         store->path);
    return error_set(error, STATUS_UNREADABLE,
                     "%s: was written by %s orchil (its schema is version %" PRId64 ", this orchil's is %d): %s, or "
                     "name another file",
                     store->path, version > SCHEMA_VERSION ? "a newer" : "an older", version, SCHEMA_VERSION,
                     version > SCHEMA_VERSION ? "update orchil" : "read it with the orchil that wrote it");
}

/* ---- the settings of a connection (README.md gives the reasons) ---- */

enum {
    LONGEST_TEXT = 1 << 28
}; /* bytes of a row: more than a kernel or a build log needs, so that a file cannot demand more */

/* The settings needed before the first statement: waiting, foreign keys, and restrictions on what a file from elsewhere
 * may do (sqlite.org/security.html). */
static enum status apply_settings(struct store *store, struct error *error)
{
    static const struct {
        int option, value;
    } options[] = {
        {SQLITE_DBCONFIG_ENABLE_FKEY, 1},        {SQLITE_DBCONFIG_DQS_DML, 0},   {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},     {SQLITE_DBCONFIG_DEFENSIVE, 1}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1},
    };
    sql_doing(store, "setting its options");
    int code = sqlite3_busy_timeout(store->db, STORE_BUSY_SECONDS * 1000);
    for (size_t i = 0; i < COUNT(options) && code == SQLITE_OK; i++)
        code = sqlite3_db_config(store->db, options[i].option, options[i].value, NULL);
    if (code != SQLITE_OK)
        return sql_fail(store, code, error);
    (void)sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, LONGEST_TEXT);
    TRY(functions_install(store, error));
    TRY(sql_do(store, NULL, error, "PRAGMA cell_size_check = ON", ""));
    return sql_do(store, NULL, error, "PRAGMA mmap_size = 0", "");
}

enum { JOURNAL_RETRY_MS = 20 };

/* One attempt. The change is committed only after the row that reports it, so the statement is run to its end. */
static enum status change_journal(struct store *store, sqlite3_stmt *statement, bool *wal, struct error *error)
{
    bool row = false;
    enum status status = sql_next(store, statement, &row, error);
    *wal = row && strcmp(sql_text(statement, 0), "wal") == 0;
    while (row)
        status = sql_next(store, statement, &row, error);
    return status;
}

/* ---- opening ---- */

/* Replaces the connection by one to a copy, which may be changed. */
static enum status open_copy(struct store *store, struct error *error)
{
    TRY(temporary_folder_open("database", &store->folder, error));
    const char *const copy = PRINTED(PATH_MAX, "%.4000s/copy.db", store->folder.path);
    TRY(store_save(store, copy, error));
    sql_finalize(store);
    (void)sqlite3_close(store->db);
    store->db = NULL;
    store->writable = true;
    TRY(connect(store, copy, false, error));
    return apply_settings(store, error);
}

/* Brings a file of an older version, or the copy of it that a reader gets, to this one; neither if it is damaged. */
static enum status migrate(struct store *store, int64_t version, struct error *error)
{
    const bool in_place = store->writable && !store->resumes;
    TRY(soundness_expect_version(store, version, error));
    TRY(soundness_expect_pages(store, error));
    if (!in_place)
        TRY(open_copy(store, error));
    TRY(schema_create(store, error));
    store->writable = in_place;
    return STATUS_OK;
}

static enum status prepare_writing(struct store *store, open_shared *shared, struct error *error)
{
    TRY(schema_create(store, error));
    /* Uses DELETE if several machines may share the file, else WAL. With DELETE, EXTRA also syncs the folder after the
     * journal is removed: otherwise a power cut could bring the journal back, and it would roll back an acknowledged
     * transaction. */
    sqlite3_stmt *statement = NULL;
    bool wal = false;
    sql_doing(store, "choosing its journal");
    TRY(sql_open(store, &statement, error,
                 (shared(sqlite3_db_filename(store->db, "main"))) ? "PRAGMA journal_mode = DELETE"
                                                                  : "PRAGMA journal_mode = WAL",
                 ""));
    const double deadline = clock_seconds() + STORE_BUSY_SECONDS;
    enum status status = change_journal(store, statement, &wal, error);
    /* If two processes switch at once, SQLite refuses one immediately instead of waiting, because each holds what the
     * other needs. */
    while (status != STATUS_OK && (store->failure & 0xff) == SQLITE_BUSY && clock_seconds() < deadline) {
        (void)sqlite3_reset(statement);
        (void)sqlite3_sleep(JOURNAL_RETRY_MS);
        status = change_journal(store, statement, &wal, error);
    }
    sql_done(statement);
    TRY(status);
    store->journal = wal ? "wal" : "delete";
    TRY(sql_do(store, NULL, error, wal ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = EXTRA", ""));
    return presence_note_log(store, error);
}

static enum status open_connected(struct store *store, open_shared *shared, struct error *error)
{
    struct header header;
    TRY(connect(store, store->path, false, error));
    if (store->writable)
        TRY(presence_note_database(store, error));
    TRY(read_header(store, &header, error));
    TRY(refuse_header(store, &header, error));
    store->journal = header.wal ? "wal" : "delete";
    if (!store->writable && must_be_immutable(store, &header)) {
        (void)sqlite3_close(store->db);
        store->db = NULL;
        store->journal = "immutable";
        TRY(connect(store, store->path, true, error));
    }
    TRY(apply_settings(store, error));
    TRY(refuse_version(store, &header, error));
    if (!header.empty && header.version < SCHEMA_VERSION)
        TRY(migrate(store, header.version, error));
    if (!header.empty) {
        /* A reader has the whole file checked. A run must start in the same time whatever the size of the file: only
         * what it depends on is checked, and SQLite reports other damage when it meets it. */
        TRY(soundness_expect_schema(store, "main", store->path, error));
        TRY(store->writable ? soundness_expect_ends(store, error) : soundness_expect_pages(store, error));
    }
    return store->writable ? prepare_writing(store, shared, error) : columns_expect_references(store, error);
}

static enum status open_once(const char *path, enum store_mode mode, open_shared *shared, struct store **store,
                             int *failure, struct error *error)
{
    *store = NULL;
    *failure = 0;
    TRY(examine_path(path, mode, error));
    struct store *opened = memory_take(1, sizeof *opened);
    opened->path = memory_copy(path);
    opened->writable = mode != STORE_READ;
    opened->resumes = mode == STORE_RESUME;
    const enum status status = open_connected(opened, shared, error);
    if (status == STATUS_OK) {
        *store = opened;
    } else {
        *failure = opened->failure;
        store_close(opened);
    }
    return status;
}

enum status open_store(const char *path, enum store_mode mode, open_shared *shared, struct store **store,
                       struct error *error)
{
    enum { LONGEST_PAUSE_MS = 250 };
    const double deadline = clock_seconds() + STORE_BUSY_SECONDS;
    enum status status = STATUS_OK;
    int failure = 0;
    /* Two processes that both bring the file to this version wait for each other to close it. */
    do
        status = open_once(path, mode, shared, store, &failure, error);
    while ((failure & 0xff) == SQLITE_BUSY && clock_seconds() < deadline &&
           sqlite3_sleep(1 + (int)fmod(clock_seconds() * 1e6, LONGEST_PAUSE_MS)));
    if (failure != SQLITE_READONLY_ROLLBACK)
        return status;
    /* A writer was interrupted in the middle of a transaction; only a connection that may write can roll it back. */
    TRY(open_once(path, STORE_RESUME, shared, store, &failure, error));
    store_close(*store);
    return open_once(path, mode, shared, store, &failure, error);
}

enum status store_open(const char *path, enum store_mode mode, struct store **store, struct error *error)
{
    return open_store(path, mode, filesystem_holds_shared, store, error);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    sql_finalize(store);
    /* Acknowledged data is already on the disk: if closing fails, the next open handles the log. */
    (void)sqlite3_close(store->db);
    if (!store->writable) {
        /* A reader that closes a database last leaves its log behind, empty. A connection that may write takes it away,
         * unless others have the database open. */
        LOCAL(text) name = {0};
        struct stat about;
        sqlite3 *db = NULL;
        add_plain_name(&name, store->path);
        if (stat(PRINTED(PATH_MAX, "%s-wal", store->path), &about) == 0 && about.st_size == 0 &&
            access(store->path, W_OK) == 0 &&
            sqlite3_open_v2(text_string(&name), &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK)
            (void)sqlite3_exec(db, "PRAGMA schema_version", NULL, NULL, NULL);
        (void)sqlite3_close(db);
    }
    temporary_folder_close(&store->folder);
    presence_release(store);
    arena_release(&store->arena);
    free(store->path);
    free(store);
}

const char *store_journal(const struct store *store)
{
    return store->journal;
}
