// SPDX-License-Identifier: Apache-2.0
/* The place of stored jobs; choosing and reading the jobs of a side; reports models that have changed, and databases
 * that could not be read. */
#include <sys/stat.h>

#include "analysis/sides/side_job.h"
#include "base/json.h"

/* ---- the place of stored jobs ---- */

enum { MOST_RUNS = 100000 };

/* ---- runs of a place ---- */

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

/* ---- folders of databases ---- */

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

static enum status read_folder(struct stored_place *place, struct error *error)
{
    LOCAL(folder) folder = {0};
    const size_t length = strlen(place->word);
    const char *slash = length > 0 && place->word[length - 1] == '/' ? "" : "/";
    TRY(folder_read(place->word, SIZE_MAX, &folder, error));
    for (size_t i = 0; i < folder.count; i++) {
        const char *path = arena_print(place->arena, "%s%s%s", place->word, slash, folder.names[i]);
        if (folder.names[i][0] != '.' && stored_place_is_database(path))
            ARENA_ADD(place->arena, place->selectors, place->count) =
                (struct selector){.database = path, .of_folder = true};
    }
    return place->count > 0 ? STATUS_OK
                            : error_set(error, STATUS_USAGE, "%s: expected orchil databases in this folder, found none",
                                        place->word);
}

/* ---- the word of a place ---- */

/* Otherwise a typing error would be reported as a missing file. */
static enum status refuse_runs(const char *word, const char *usual_file, struct error *error)
{
    LOCAL(arena) arena = {0};
    const int64_t *runs;
    const char *colon = strrchr(word, ':');
    const char *text = colon && colon > word ? colon + 1 : usual_file ? word : "";
    /* Digits, commas and hyphens, a digit first, can only mean runs. */
    const bool wrong = isdigit((unsigned char)*text) && text[strspn(text, "0123456789,-")] == '\0' &&
                       read_runs(&arena, text, &runs) == 0;
    return wrong ? error_set(error, STATUS_USAGE,
                             "%s: expected runs as 3, 3,5 or 3-5 (from 1, in ascending order, at most %d), "
                             "found '%s'",
                             word, MOST_RUNS, text)
                 : STATUS_OK;
}

enum status stored_place_read(const char *word, const char *usual_file, struct arena *arena, struct stored_place *place,
                              struct error *error)
{
    struct stat there;
    const bool is_there = stat(word, &there) == 0;
    const char *colon = strrchr(word, ':');
    struct selector file = {.database = NULL};
    *place = (struct stored_place){.word = word, .is_folder = is_there && S_ISDIR(there.st_mode), .arena = arena};
    if (place->is_folder)
        return read_folder(place, error);
    if (!is_there)
        TRY(refuse_runs(word, usual_file, error));
    if (!is_there && usual_file)
        file.run_count = read_runs(place->arena, word, &file.runs);
    if (file.run_count > 0)
        file.database = usual_file;
    else if (!is_there && colon && colon > word)
        file.run_count = read_runs(place->arena, colon + 1, &file.runs);
    if (!file.database && file.run_count > 0)
        file.database = arena_copy_part(place->arena, word, (size_t)(colon - word));
    else if (!file.database)
        file.database = arena_copy(place->arena, word);
    if (file.run_count > 0 && stat(file.database, &there) == 0 && S_ISDIR(there.st_mode))
        return error_set(error, STATUS_USAGE,
                         "%s: expected a database before the ':', found a folder; runs of a folder cannot be selected",
                         word);
    file.run = file.run_count == 1 ? file.runs[0] : 0;
    ARENA_ADD(place->arena, place->selectors, place->count) = file;
    return STATUS_OK;
}

/* Adds an item to a list for people, once. */
static void side_read_list_once(struct text *list, const char *item)
{
    const size_t length = strlen(item);
    for (const char *at = text_string(list); *at;) {
        const size_t size = strcspn(at, ";");
        if (size == length && strncmp(at, item, length) == 0)
            return;
        at += size;
        at += strspn(at, "; ");
    }
    text_add(list, "%s%s", list->size > 0 ? "; " : "", item);
}

static bool side_read_fits(const char *wanted, const char *text)
{
    return !wanted || strcasestr(text, wanted);
}

static bool is_chosen(const struct selector *selector, const struct store_job_row *row)
{
    bool of_runs = selector->run > 0 || !selector->runs;
    for (size_t i = 0; !of_runs && i < selector->run_count; i++)
        of_runs = selector->runs[i] == row->run_id;
    return of_runs && (!selector->backend || strcmp(selector->backend, row->backend) == 0) &&
           side_read_fits(selector->driver, row->driver) &&
           (!selector->lowering || strcmp(selector->lowering, row->lowering) == 0) &&
           (side_read_fits(selector->device, row->device) || strcasecmp(selector->device, row->device_uuid) == 0);
}

/* The first 64 bits of a job's key, or a hash of a key that is not a hexadecimal number. */
static uint64_t key_number(const char *key)
{
    char hex[HASH_HEX_SIZE];
    if (strlen(key) >= 16 && strspn(key, "0123456789abcdef") >= 16) {
        (void)snprintf(hex, sizeof hex, "%s", key);
        return hash_number(hex);
    }
    hash_hex(key, strlen(key), hex);
    return hash_number(hex);
}

static char *make_title(struct arena *arena, const struct selector *selector)
{
    struct text title = {0};
    text_add(&title, "%s", selector->database);
    if (selector->run > 0)
        text_add(&title, ", run %" PRId64, selector->run);
    for (size_t i = 0; selector->run == 0 && selector->runs && i < selector->run_count; i++)
        text_add(&title, "%s%" PRId64, i > 0 ? ", " : ", runs ", selector->runs[i]);
    if (selector->backend)
        text_add(&title, ", backend %s", selector->backend);
    if (selector->device)
        text_add(&title, ", device %s", selector->device);
    if (selector->driver)
        text_add(&title, ", driver %s", selector->driver);
    if (selector->lowering)
        text_add(&title, ", lowering %s", selector->lowering);
    return arena_keep(arena, &title);
}

static enum status read_jobs(struct store *store, const struct selector *selector, struct side *side,
                             struct error *error)
{
    enum { BACKENDS, DEVICES, DRIVERS, LOWERINGS, LISTS };
    struct text lists[LISTS] = {{0}}; /* of all in the run, for a message */
    struct store_cursor jobs;
    store_query(store, STORE_JOBS, selector->run, &jobs, error);
    while (store_next(&jobs)) {
        const struct store_job_row *row = &jobs.job;
        const char *const items[LISTS] = {row->backend, row->device, row->driver,
                                          *row->lowering ? row->lowering : "none"};
        for (int i = 0; i < LISTS; i++)
            side_read_list_once(&lists[i], items[i]);
        if (is_chosen(selector, row))
            ARENA_ADD(&side->arena, side->jobs, side->job_count) =
                (struct side_job){.row = store_keep_job(&side->arena, row),
                                  .database = side->database,
                                  .run = {.key = key_number(row->key)}};
    }
    enum status status = store_end(&jobs, STATUS_OK);
    if (status == STATUS_OK && lists[BACKENDS].size == 0)
        status = error_set(error, STATUS_USAGE, "%s: has no jobs", side->title);
    else if (status == STATUS_OK && side->job_count == 0)
        status = error_set(
            error, STATUS_USAGE, "%s: no job matches; available: backends %s; devices %.300s; drivers %.300s%s%s",
            side->title, text_string(&lists[BACKENDS]), text_string(&lists[DEVICES]), text_string(&lists[DRIVERS]),
            selector->lowering ? "; lowerings " : "", selector->lowering ? text_string(&lists[LOWERINGS]) : "");
    for (int i = 0; i < LISTS; i++)
        text_release(&lists[i]);
    return status;
}

static void keep_changes(const struct store *store, struct side *side)
{
    size_t count;
    const struct store_change *changes = store_changes(store, &count);
    struct store_change *kept = arena_take(&side->arena, count, sizeof *kept);
    for (size_t i = 0; i < count; i++) {
        kept[i] = changes[i];
        kept[i].model = arena_copy(&side->arena, changes[i].model);
        kept[i].stored_hash = arena_copy(&side->arena, changes[i].stored_hash);
        kept[i].hash = arena_copy(&side->arena, changes[i].hash);
        kept[i].why = arena_copy(&side->arena, changes[i].why);
    }
    side->changes = kept;
    side->change_count = count;
}

/* A command that can be given again: a shard's part would be of another run. */
static enum status read_command(struct store *store, struct side *side, struct error *error)
{
    struct store_cursor runs;
    for (size_t i = 1; i < side->job_count; i++)
        if (side->jobs[i].row.run_id != side->jobs[0].row.run_id)
            return STATUS_OK;
    store_query(store, STORE_RUNS, side->jobs[0].row.run_id, &runs, error);
    while (store_next(&runs)) {
        const char *line = runs.run.run.command_line;
        if (strncmp(line, "orchil run ", strlen("orchil run ")) == 0 && !strstr(line, " --shard"))
            side->command = arena_copy(&side->arena, line);
    }
    return store_end(&runs, STATUS_OK);
}

enum status side_read_store(struct store *store, const struct selector *selector, struct side *side,
                            struct error *error)
{
    *side = (struct side){.title = ""};
    side->title = make_title(&side->arena, selector);
    side->database = arena_copy(&side->arena, selector->database);
    if (selector->prepare)
        TRY(selector->prepare(store, selector->run, error));
    keep_changes(store, side);
    TRY(read_jobs(store, selector, side, error));
    if (selector->driver) {
        /* If a version equals the text, versions that only contain it are left out. */
        size_t exact = 0;
        for (size_t i = 0; i < side->job_count; i++)
            if (strcmp(side->jobs[i].row.driver, selector->driver) == 0)
                side->jobs[exact++] = side->jobs[i];
        if (exact > 0)
            side->job_count = exact;
    }
    struct side_claims claims = {0};
    enum status status = read_command(store, side, error);
    for (size_t i = 0; i < side->job_count && status == STATUS_OK; i++)
        status = side_read_details(store, &side->arena, &claims, &side->jobs[i], error);
    THEN(status, side_mark_mutants(store, &claims, side, error));
    side_release_claims(&claims);
    return status;
}

enum status side_read(const struct selector *selector, struct side *side, struct error *error)
{
    struct store *store = NULL;
    *side = (struct side){.title = ""};
    TRY(store_open(selector->database, STORE_READ, &store, error));
    const enum status status = side_read_store(store, selector, side, error);
    store_close(store);
    return status;
}

static enum status read_part(const struct selector *selector, struct side *side, struct error *error)
{
    struct side *part = &side->parts[side->part_count];
    struct error why = {0};
    const enum status status = side_read(selector, part, &why);
    if (status == STATUS_OK) {
        side->part_count++;
        /* Moves the content of a part into a side, whose arena owns it. */
        struct store_change *changes = (struct store_change *)(uintptr_t)side->changes;
        for (size_t i = 0; i < part->job_count; i++)
            ARENA_ADD(&side->arena, side->jobs, side->job_count) = part->jobs[i];
        for (size_t i = 0; i < part->change_count; i++)
            ARENA_ADD(&side->arena, changes, side->change_count) = part->changes[i];
        side->changes = changes;
        return STATUS_OK;
    }
    side_release(part);
    if (selector->of_folder && status == STATUS_USAGE && (selector->device || selector->backend))
        return STATUS_OK; /* it is of other devices */
    if (selector->of_folder) {
        /* Adds a database to those that could not be read. */
        ARENA_ADD(&side->arena, side->unread, side->unread_count) =
            (struct side_unread){.database = arena_copy(&side->arena, selector->database), .error = why};
        return STATUS_OK;
    }
    if (error)
        *error = why;
    return status;
}

enum status side_read_all(const struct selector *selectors, size_t count, struct side *side, struct error *error)
{
    if (count == 1)
        return side_read(selectors, side, error);
    *side = (struct side){.title = ""};
    side->parts = arena_take(&side->arena, count, sizeof *side->parts);
    for (size_t i = 0; i < count; i++)
        TRY(read_part(&selectors[i], side, error));
    if (side->part_count == 0 && side->unread_count == 0)
        return error_set(error, STATUS_USAGE, "no job of these databases is of that device");
    if (side->part_count == 0) { /* of all reasons, the first */
        *error = side->unread[0].error;
        return error->status;
    }
    struct text title = {0};
    text_add(&title, "%s", side->parts[0].title);
    if (side->part_count > 1)
        text_add(&title, " and %zu more", side->part_count - 1);
    if (side->unread_count > 0)
        text_add(&title, " (%zu could not be read)", side->unread_count);
    side->title = arena_keep(&side->arena, &title);
    return STATUS_OK;
}

void side_release(struct side *side)
{
    for (size_t i = 0; i < side->part_count; i++)
        side_release(&side->parts[i]);
    arena_release(&side->arena);
    *side = (struct side){.title = ""};
}

/* ---- models that have changed since they judged ---- */

void side_describe_change(const struct store_change *change, const char *start, struct text *text)
{
    LOCAL(text) model = {0};
    terminal_add_safe(&model, change->model);
    if (change->judged > 0)
        text_add(text, "%s%" PRIu64 " %s judged again: the model %s has changed since run %" PRId64 ".\n", start,
                 change->judged, change->judged == 1 ? "test was" : "tests were", text_string(&model), change->run_id);
    if (change->kept > 0) {
        text_add(text, "%s%" PRIu64 " %s the verdicts that the model %s gave%s.\n%s", start, change->kept,
                 change->kept == 1 ? "test keeps" : "tests keep", text_string(&model),
                 *change->hash ? " before it changed" : "", start);
        terminal_add_safe(text, change->why);
        text_add(text, ".\n");
    }
}
