// SPDX-License-Identifier: Apache-2.0
/* Whether the files of an open store are still where they were opened. */
#include "results/presence.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static bool is_same(const struct presence_file *file, const struct stat *about)
{
    return about->st_dev == file->device && about->st_ino == file->inode;
}

/* SQLite's own answer: whether the full name that it made from the path, with all links followed,
 * now leads elsewhere. If so, it looks for the log and the journal in the wrong place, even if the
 * path leads to the file again. */
static bool has_moved(const struct store *store)
{
    int moved = 0;
    return sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

static enum status fail_database(const struct store *store, bool replaced, struct error *error)
{
    const char *log = store->files[PRESENCE_LOG].name ? " (the -wal that it left has what was stored last)" : "";
    return error_set(error, STATUS_DATABASE,
                     "%s: %s failed: %s while orchil was writing to it, so nothing more is stored; move %s back%s "
                     "before anything opens it, or start again with another file (--db)",
                     store->path, store->doing,
                     replaced ? "another file took its place" : "the file was moved or removed",
                     replaced ? "the first one" : "it", log);
}

static enum status fail_log(const struct store *store, const char *name, const char *what, struct error *error)
{
    return error_set(error, STATUS_DATABASE,
                     "%s: %s failed: %s, which is part of the database, %s while orchil was writing to it, so nothing "
                     "more is stored; leave the -wal and the -shm where they are until orchil has ended",
                     store->path, store->doing, name, what);
}

enum status presence_expect(const struct store *store, struct error *error)
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
        const bool replaced = found && !is_same(file, &about);
        if (i == PRESENCE_DATABASE && (!found || replaced || has_moved(store)))
            return fail_database(store, replaced, error);
        if (!found || replaced)
            return fail_log(store, file->name, replaced ? "was replaced" : "was moved or removed", error);
    }
    return STATUS_OK;
}

/* Takes ownership of name. */
static enum status note(struct store *store, enum presence number, char *name, struct error *error)
{
    struct presence_file *file = &store->files[number];
    struct stat about = {0};
    file->name = name;
    /* A file that is already gone gets a number that no file has, so that presence_expect reports
     * it. */
    if (stat(name, &about) == 0) {
        file->device = about.st_dev;
        file->inode = about.st_ino;
    }
    return presence_expect(store, error);
}

/* The path, made independent of the working folder. Links are not followed, because their targets
 * may change. */
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
    return note(store, PRESENCE_DATABASE, absolute_name(store->path), error);
}

static enum status note_beside(struct store *store, enum presence number, const char *ending, struct error *error)
{
    struct text name = {0};
    text_add(&name, "%s%s", sqlite3_db_filename(store->db, "main"), ending);
    return note(store, number, text_take(&name), error);
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
