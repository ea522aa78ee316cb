// SPDX-License-Identifier: Apache-2.0
/* Finds and names the baselines of a folder. */
#include "gate/baselines.h"

#include <sys/stat.h>

/* ---- names ---- */

/* Letters, digits, '.', '_' and '+'; a '-' stands for all between them. */
static void add_safe(struct text *text, const char *word, size_t most)
{
    bool gap = text->size > 0;
    for (size_t i = 0; word[i] && i < most; i++) {
        const bool safe =
            isascii((unsigned char)word[i]) && (isalnum((unsigned char)word[i]) || strchr("._+", word[i]));
        if (safe)
            text_add(text, "%s%c", gap ? "-" : "", word[i]);
        gap = !safe;
    }
}

void baselines_add_path(const char *folder, const struct backend_device *device, struct text *text)
{
    enum { MOST = 64, UUID_START = 8 };
    LOCAL(text) name = {0};
    add_safe(&name, device->backend, MOST);
    add_safe(&name, device->name, MOST);
    add_safe(&name, device->uuid, UUID_START);
    add_safe(&name, device->driver, MOST);
    text_add(text, "%s/%s.db", folder, text_string(&name));
}

/* ---- the newest of each device ---- */

struct baseline_pick {
    enum { NO_FIT, RENAMED, SAME } fit; /* a device of its name or UUID comes before one that may have been renamed */
    const char *database;
    const char *started; /* the last of its jobs */
    const char *name, *uuid, *driver;
    bool is_shared; /* it has other devices too */
};

struct baselines_search {
    struct device_list devices; /* of this machine */
    const char *host;           /* "name, kernel, machine" */
    const struct backend_device **chosen;
    size_t count;
    struct baseline_pick *picks; /* one for each of them */
    struct arena arena;
};

static bool is_better(const struct baseline_pick *pick, const struct baseline_pick *than)
{
    return pick->fit > than->fit ||
           (pick->fit != NO_FIT && pick->fit == than->fit && strcmp(pick->started, than->started) > 0);
}

/* Whether this may be a device that the machine had before an update of its driver gave it another name. */
static bool may_be(const struct store_job_row *row, const struct backend_device *device,
                   const struct baselines_search *search)
{
    if (ANY_OF(one, search->devices.devices, search->devices.count, gate_source_is_row_of(row, one)))
        return false;
    return strcmp(row->backend, device->backend) == 0 &&
           strncmp(row->host, search->host, strcspn(search->host, ",") + 1) == 0 &&
           gate_source_may_be_row_of(row, device);
}

static void take_job(const struct store_job_row *row, const struct backend_device *device,
                     struct baselines_search *search, struct baseline_pick *found)
{
    struct arena *const arena = &search->arena;
    const struct baseline_pick pick = {.fit = gate_source_is_row_of(row, device) ? SAME
                                              : may_be(row, device, search)      ? RENAMED
                                                                                 : NO_FIT,
                                       .started = row->started_at};
    const bool is_shared = found->is_shared || pick.fit == NO_FIT || (found->fit != NO_FIT && found->fit != pick.fit);
    if (is_better(&pick, found))
        *found = (struct baseline_pick){.fit = pick.fit,
                                        .started = arena_copy(arena, row->started_at),
                                        .name = arena_copy(arena, row->device),
                                        .uuid = arena_copy(arena, row->device_uuid),
                                        .driver = arena_copy(arena, row->driver)};
    found->is_shared = is_shared;
}

static enum status read_database(struct store *store, const char *database, struct baselines_search *search,
                                 struct error *error)
{
    struct baseline_pick *found = arena_take(&search->arena, search->count, sizeof *found);
    struct store_cursor jobs;
    store_query(store, STORE_JOBS, 0, &jobs, error);
    while (store_next(&jobs))
        for (size_t i = 0; i < search->count; i++)
            take_job(&jobs.job, search->chosen[i], search, &found[i]);
    TRY(store_end(&jobs, STATUS_OK));
    for (size_t i = 0; i < search->count; i++) {
        found[i].database = database;
        if (is_better(&found[i], &search->picks[i]))
            search->picks[i] = found[i];
    }
    return STATUS_OK;
}

/* Leaves the databases that cannot be read in the place. */
static void read_folder(struct stored_place *place, struct baselines_search *search)
{
    size_t unread = 0;
    for (size_t i = 0; i < place->count; i++) {
        struct store *store = NULL;
        struct error ignored;
        enum status status = store_open(place->selectors[i].database, STORE_READ, &store, &ignored);
        THEN(status, read_database(store, place->selectors[i].database, search, &ignored));
        store_close(store);
        if (status != STATUS_OK)
            place->selectors[unread++] = place->selectors[i];
    }
    place->count = unread;
}

static enum status refuse_missing(const struct gate_request *request, const struct baselines_search *search,
                                  struct error *error)
{
    LOCAL(text) text = {0};
    for (size_t i = 0; i < search->count; i++) {
        const struct backend_device *device = search->chosen[i];
        if (search->picks[i].database)
            continue;
        text_add(&text, "%s%s has no baseline of %s (%s%s%s): make one with `orchil gate baseline",
                 text.size > 0 ? "; " : "", request->baselines, device->name, device->backend,
                 device->uuid[0] ? ", UUID " : "", device->uuid);
        text_add_option(&text, "device", device_address(device).text);
        text_add_option(&text, "baselines", request->baselines);
        text_add_option(&text, "db", request->database);
        text_add(&text, "`");
    }
    return error_set(error, STATUS_USAGE, "%s", text_string(&text));
}

/* The picked databases, before those that cannot be read. */
static void choose(const struct gate_request *request, const struct baselines_search *search,
                   struct stored_place *place)
{
    struct selector *const selectors = arena_take(place->arena, search->count + place->count, sizeof *selectors);
    for (size_t i = 0; i < search->count; i++) {
        const struct baseline_pick *pick = &search->picks[i];
        const struct backend_device *device = search->chosen[i];
        selectors[i] = (struct selector){.database = pick->database, .of_folder = true};
        if (pick->is_shared) {
            selectors[i].backend = arena_copy(place->arena, device->backend);
            selectors[i].device = arena_copy(place->arena, *pick->uuid ? pick->uuid : pick->name);
        }
        gate_message(request->listener, "baseline: %s: %s, driver %s, of %.19s\n", pick->database, pick->name,
                     pick->driver, pick->started);
    }
    for (size_t i = 0; i < place->count; i++)
        selectors[search->count + i] = place->selectors[i];
    place->selectors = selectors;
    place->count += search->count;
}

enum status baselines_find(const struct gate_request *request, struct arena *arena, struct stored_place *place,
                           bool *missing, struct error *error)
{
    struct baselines_search search = {.host = request->provenance->host};
    struct stat there;
    const bool is_there = stat(request->baselines, &there) == 0;
    *place = (struct stored_place){.word = request->baselines, .is_folder = true, .arena = arena};
    if (is_there && !S_ISDIR(there.st_mode))
        return error_set(error, STATUS_USAGE, "--baselines %s: expected a folder", request->baselines);
    if (is_there) { /* that it has no database is said below, for each device */
        const enum status status = stored_place_read(request->baselines, NULL, arena, place, error);
        if (status != STATUS_OK && status != STATUS_USAGE)
            return status;
    }
    TRY(devices_find_for(request->device, &search.devices, error));
    enum status status = devices_select(&search.devices, request->device, &search.chosen, &search.count, error);
    if (status == STATUS_OK) {
        search.picks = arena_take(&search.arena, search.count, sizeof *search.picks);
        read_folder(place, &search);
        for (size_t i = 0; i < search.count; i++)
            *missing |= !search.picks[i].database;
        if (*missing)
            status = refuse_missing(request, &search, error);
        else
            choose(request, &search, place);
        free(search.chosen);
    }
    arena_release(&search.arena);
    devices_release(&search.devices);
    return status;
}
