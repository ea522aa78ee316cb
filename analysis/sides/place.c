// SPDX-License-Identifier: Apache-2.0
/* Reads the place of stored jobs. */
#include "analysis/sides/place.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/whole_file.h"

enum { MOST_RUNS = 100000 };

/* ---- runs ---- */

/* The number that a text starts with, from 1 on, with the text after it; 0 if there is none. */
static int64_t take_number(const char **text)
{
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)**text))
        return 0;
    const long long number = strtoll(*text, &end, 10);
    *text = end;
    return errno == 0 ? number : 0;
}

/* "3", "3,5" or "3-5,7": the runs, or 0 of them if the text is malformed. */
static size_t read_runs(struct arena *arena, const char *text, const int64_t **runs)
{
    int64_t *list = NULL;
    size_t count = 0;
    while (true) {
        const int64_t first = take_number(&text);
        int64_t last = first;
        if (*text == '-') {
            text++;
            last = take_number(&text);
        }
        if (first < 1 || last < first || last - first >= MOST_RUNS || count >= MOST_RUNS)
            return 0;
        for (int64_t run = first; run <= last; run++)
            ARENA_ADD(arena, list, count) = run;
        if (*text != ',')
            break;
        text++;
    }
    *runs = list;
    return *text == '\0' ? count : 0;
}

/* ---- folders ---- */

bool stored_place_starts_database(const char *path)
{
    static const char magic[] = "SQLite format 3"; /* with the NUL: SQLite's file format, 1.3.1 */
    char start[sizeof magic + 1];
    return file_read_start(path, start, sizeof start) == sizeof magic && memcmp(start, magic, sizeof magic) == 0;
}

/* A file *.db that is not a database is not skipped: opening it reports what is wrong. */
bool stored_place_is_database(const char *path)
{
    static const char end[] = ".db";
    const size_t length = strlen(path);
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    if (length >= sizeof end && strcmp(path + length - (sizeof end - 1), end) == 0)
        return true;
    return stored_place_starts_database(path);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static enum status read_folder(struct stored_place *place, struct error *error)
{
    struct dirent **entries;
    const size_t length = strlen(place->word);
    const char *slash = length > 0 && place->word[length - 1] == '/' ? "" : "/";
    const int count = scandir(place->word, &entries, is_shown, compare_names);
    if (count < 0)
        return error_set(error, STATUS_UNREADABLE, "%s: the folder cannot be read: %s", place->word, strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *path = arena_print(&place->arena, "%s%s%s", place->word, slash, entries[i]->d_name);
        if (stored_place_is_database(path))
            ARENA_ADD(&place->arena, place->files, place->count) = (struct stored_place_file){.file = path};
        free(entries[i]);
    }
    free(entries);
    return place->count > 0 ? STATUS_OK
                            : error_set(error, STATUS_USAGE, "%s: expected orchil databases in this folder, found none",
                                        place->word);
}

/* ---- words ---- */

/* Whether the text can only mean runs: digits, commas and hyphens, a digit first. */
static bool is_of_runs(const char *text)
{
    return isdigit((unsigned char)*text) && text[strspn(text, "0123456789,-")] == '\0';
}

/* Otherwise a typing error would be reported as a missing file. */
static enum status refuse_runs(const char *word, const char *usual_file, struct error *error)
{
    struct arena arena = {0};
    const int64_t *runs;
    const char *colon = strrchr(word, ':');
    const char *text = colon && colon > word ? colon + 1 : usual_file ? word : "";
    const bool wrong = is_of_runs(text) && read_runs(&arena, text, &runs) == 0;
    arena_release(&arena);
    return wrong ? error_set(error, STATUS_USAGE,
                             "%s: expected runs as 3, 3,5 or 3-5 (from 1, in ascending order, at most %d), "
                             "found '%s'",
                             word, MOST_RUNS, text)
                 : STATUS_OK;
}

enum status stored_place_read(const char *word, const char *usual_file, struct stored_place *place, struct error *error)
{
    struct stat there;
    const bool is_there = stat(word, &there) == 0;
    const char *colon = strrchr(word, ':');
    struct stored_place_file file = {.file = NULL};
    *place = (struct stored_place){.word = word, .is_folder = is_there && S_ISDIR(there.st_mode)};
    if (place->is_folder)
        return read_folder(place, error);
    if (!is_there)
        TRY(refuse_runs(word, usual_file, error));
    if (!is_there && usual_file)
        file.run_count = read_runs(&place->arena, word, &file.runs);
    if (file.run_count > 0)
        file.file = usual_file;
    else if (!is_there && colon && colon > word)
        file.run_count = read_runs(&place->arena, colon + 1, &file.runs);
    if (!file.file && file.run_count > 0)
        file.file = arena_copy_part(&place->arena, word, (size_t)(colon - word));
    else if (!file.file)
        file.file = arena_copy(&place->arena, word);
    if (file.run_count > 0 && stat(file.file, &there) == 0 && S_ISDIR(there.st_mode))
        return error_set(error, STATUS_USAGE,
                         "%s: expected a database before the ':', found a folder; runs of a folder cannot be selected",
                         word);
    ARENA_ADD(&place->arena, place->files, place->count) = file;
    return STATUS_OK;
}

void stored_place_release(struct stored_place *place)
{
    arena_release(&place->arena);
    *place = (struct stored_place){.word = ""};
}

struct selector *stored_place_select(struct stored_place *place)
{
    struct selector *selectors = arena_take(&place->arena, place->count, sizeof *selectors);
    for (size_t i = 0; i < place->count; i++) {
        const struct stored_place_file *file = &place->files[i];
        const bool is_one = file->run_count == 1;
        selectors[i] = (struct selector){.database = file->file,
                                         .run = is_one ? file->runs[0] : 0,
                                         .runs = is_one ? NULL : file->runs,
                                         .run_count = is_one ? 0 : file->run_count,
                                         .of_folder = place->is_folder};
    }
    return selectors;
}
