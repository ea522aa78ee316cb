// SPDX-License-Identifier: Apache-2.0
/* Compares the files of one command line with each other. */
#include "cli/option_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/sides/place.h"

enum { MOST_LINKS = 40 };

/* What SQLite names the files beside a database, and orchil the one in which it makes a baseline. */
static const char *const side_names[] = {"-wal", "-shm", "-journal", ".part"};
enum { SIDE_NAMES = sizeof side_names / sizeof *side_names };

/* ---- places: the files that paths name, which need not exist yet ---- */

struct place {
    char path[PATH_MAX]; /* without links, "." and "..", as far as its folders exist */
    struct stat facts;
    bool exists;
};

static bool append(char path[PATH_MAX], const char *name, size_t length)
{
    const size_t old = strlen(path);
    const int added =
        snprintf(path + old, PATH_MAX - old, "%s%.*s", old > 0 && path[old - 1] == '/' ? "" : "/", (int)length, name);
    return added >= 0 && (size_t)added < PATH_MAX - old;
}

/* One step of a path from a folder. Sets *target to the path that a link names. */
static bool step(char path[PATH_MAX], const char *name, size_t length, char target[PATH_MAX])
{
    target[0] = '\0';
    if (length == 0 || (length == 1 && name[0] == '.'))
        return true;
    if (length == 2 && memcmp(name, "..", 2) == 0) {
        *strrchr(path, '/') = '\0';
        return path[0] != '\0' || append(path, "", 0);
    }
    const size_t folder = strlen(path);
    if (!append(path, name, length))
        return false;
    const ssize_t size = readlink(path, target, PATH_MAX - 1);
    target[size > 0 ? size : 0] = '\0';
    if (size > 0)
        path[folder] = '\0';
    return true;
}

/* realpath of a path that may not exist, or may be a link to a file that does not. */
static bool resolve(const char *path, unsigned links, char resolved[PATH_MAX])
{
    char target[PATH_MAX];
    if (*path == '/')
        (void)snprintf(resolved, PATH_MAX, "/");
    for (const char *at = path; *at;) {
        const size_t length = strcspn(at, "/");
        if (!step(resolved, at, length, target) || (target[0] && (links == 0 || !resolve(target, links - 1, resolved))))
            return false;
        at += length + (at[length] == '/');
    }
    return true;
}

/* False for a path that cannot be opened either, because it is too long or its links have no end. */
static bool find_place(const char *path, struct place *place)
{
    if (!getcwd(place->path, sizeof place->path))
        (void)snprintf(place->path, sizeof place->path, "/");
    if (path[0] == '\0' || !resolve(path, MOST_LINKS, place->path))
        return false;
    place->exists = stat(path, &place->facts) == 0 || stat(place->path, &place->facts) == 0;
    return true;
}

static bool is_same(const struct place *a, const struct place *b)
{
    if (a->exists && b->exists)
        return a->facts.st_dev == b->facts.st_dev && a->facts.st_ino == b->facts.st_ino;
    return !a->exists && !b->exists && strcmp(a->path, b->path) == 0;
}

/* Whether it is one of the files that are kept beside the database. */
static bool is_beside(const struct place *place, const struct place *database)
{
    for (size_t i = 0; i < SIDE_NAMES; i++) {
        struct place side;
        char path[PATH_MAX + 16];
        (void)snprintf(path, sizeof path, "%s%s", database->path, side_names[i]);
        if (find_place(path, &side) && is_same(place, &side))
            return true;
    }
    return false;
}

/* Whether its name is that of a file beside a database, which would be damaged. */
static bool is_beside_any(const struct place *place)
{
    const size_t length = strlen(place->path);
    for (size_t i = 0; i < SIDE_NAMES; i++) {
        char path[PATH_MAX];
        const size_t side = strlen(side_names[i]);
        if (length <= side || strcmp(place->path + length - side, side_names[i]) != 0)
            continue;
        (void)snprintf(path, sizeof path, "%.*s", (int)(length - side), place->path);
        if (stored_place_starts_database(path))
            return true;
    }
    return false;
}

/* ---- pairs ---- */

/* Nothing is lost if it is written twice. */
static bool is_special(const struct place *place)
{
    return place->exists && !S_ISREG(place->facts.st_mode) && !S_ISDIR(place->facts.st_mode);
}

/* Whether it is a test in a folder, all of whose tests are read. */
static bool is_test_in(const struct place *place, const struct place *folder)
{
    const size_t length = strlen(folder->path);
    const char *const ending = strrchr(place->path, '.');
    return place->exists && S_ISDIR(folder->facts.st_mode) && ending && strcmp(ending, ".litmus") == 0 &&
           strncmp(place->path, folder->path, length) == 0 && place->path[length] == '/';
}

/* Whether an output is the file of another path, or beside it. */
static bool takes(const struct place *output, const char *path, enum option_file kind)
{
    struct place other;
    if (!find_place(path, &other) || (kind == OPTION_FILE_READ && !other.exists))
        return false;
    return is_same(output, &other) || (kind == OPTION_FILE_READ && is_test_in(output, &other)) ||
           ((kind == OPTION_FILE_DATABASE || kind == OPTION_FILE_READ) && is_beside(output, &other));
}

/* The same for what is read: a file, a list of them, or runs of one, as in FILE:3-5. */
static bool takes_read(const struct place *output, const char *value)
{
    char path[PATH_MAX];
    for (const char *at = value; *at; at += strspn(at, ",")) {
        const size_t length = strcspn(at, ",");
        (void)snprintf(path, sizeof path, "%.*s", (int)length, at);
        at += length;
        char *runs = strrchr(path, ':');
        const bool found = takes(output, path, OPTION_FILE_READ);
        if (runs && runs[1 + strspn(runs + 1, "0123456789-")] == '\0')
            *runs = '\0';
        if (found || takes(output, path, OPTION_FILE_READ))
            return true;
    }
    return takes(output, value, OPTION_FILE_READ);
}

static bool may_share(const struct option_row *a, const struct option_row *b)
{
    return (a->replaces && strcmp(a->replaces, b->name) == 0) || (b->replaces && strcmp(b->replaces, a->name) == 0);
}

/* A database is added to, so what is read may be in it; its verb refuses what makes no sense. */
static bool is_compared(const struct option_value *output, const struct option_value *other)
{
    if (output->row == other->row || may_share(output->row, other->row))
        return false;
    return output->row->file == OPTION_FILE_WRITTEN ||
           (output->row->file == OPTION_FILE_DATABASE && other->row->file != OPTION_FILE_READ);
}

static enum status check_pair(const struct option_value *output, const struct place *place,
                              const struct option_value *other, struct error *error)
{
    const bool same = other->row->file == OPTION_FILE_READ ? takes_read(place, other->value)
                                                           : takes(place, other->value, other->row->file);
    return same ? error_set(error, STATUS_USAGE,
                            "--%s '%s' and --%s '%s' use the same file: choose another for one of them",
                            output->row->name, output->value, other->row->name, other->value)
                : STATUS_OK;
}

static enum status check_streams(const struct option_value *output, const struct place *place, struct error *error)
{
    static const char *const streams[] = {[STDOUT_FILENO] = "standard output", [STDERR_FILENO] = "standard error"};
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
        struct place other = {.exists = true};
        if (fstat(stream, &other.facts) == 0 && is_same(place, &other))
            return error_set(error, STATUS_USAGE, "--%s: '%s' is the file that %s goes to: choose another file",
                             output->row->name, output->value, streams[stream]);
    }
    return STATUS_OK;
}

static enum status check_output(const struct option_files *files, const struct option_value *output,
                                struct error *error)
{
    struct place place;
    if (!find_place(output->value, &place) || is_special(&place))
        return STATUS_OK;
    for (size_t i = 0; i < files->count; i++)
        if (is_compared(output, &files->list[i]))
            TRY(check_pair(output, &place, &files->list[i], error));
    TRY(check_streams(output, &place, error));
    if (is_beside_any(&place))
        return error_set(error, STATUS_USAGE, "--%s: '%s' belongs to a database: choose another file",
                         output->row->name, output->value);
    if (output->row->file != OPTION_FILE_WRITTEN)
        return STATUS_OK;
    if (stored_place_starts_database(place.path))
        return error_set(error, STATUS_USAGE, "--%s: '%s' is a database and would be overwritten: choose another file",
                         output->row->name, output->value);
    for (size_t i = 0; i < files->arguments.count; i++)
        if (takes_read(&place, files->arguments.list[i]))
            return error_set(error, STATUS_USAGE,
                             "--%s: '%s' is also read ('%s') and would be overwritten: choose another file",
                             output->row->name, output->value, files->arguments.list[i]);
    return STATUS_OK;
}

/* ---- standard output ---- */

static bool is_standard_output(const struct option_value *output)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; output->row->file == OPTION_FILE_WRITTEN && i < sizeof names / sizeof *names; i++)
        if (strcmp(output->value, names[i]) == 0)
            return true;
    return false;
}

static enum status check_standard_output(const struct option_files *files, const struct option_value *output,
                                         const struct option_value **before, struct error *error)
{
    if (files->json || *before)
        return error_set(error, STATUS_USAGE,
                         "--%s%s%s and --%s %s both go to standard output: expected a file for one of them",
                         *before ? (*before)->row->name : "json", *before ? " " : "", *before ? (*before)->value : "",
                         output->row->name, output->value);
    *before = output;
    return STATUS_OK;
}

enum status option_files_check(const struct option_files *files, struct error *error)
{
    const struct option_value *before = NULL;
    for (size_t i = 0; i < files->count; i++) {
        const struct option_value *value = &files->list[i];
        if (is_standard_output(value))
            TRY(check_standard_output(files, value, &before, error));
        else if (value->row->file == OPTION_FILE_WRITTEN || value->row->file == OPTION_FILE_DATABASE)
            TRY(check_output(files, value, error));
    }
    return STATUS_OK;
}

void option_files_add(struct option_files *files, const struct option_row *row, const char *value)
{
    size_t at = 0;
    while (at < files->count && (row->kind != OPTION_TEXT || files->list[at].row != row))
        at++;
    files->list[at] = (struct option_value){row, value};
    files->count += at == files->count;
}
