// SPDX-License-Identifier: Apache-2.0
/* The state of an unfinished search in its output folder: written now and then, and read by the call that goes on. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/whole_file.h"
#include "cli/verbs/verb_synthesise.h"
#include "version.h"

#define FILE_NAME "unfinished.json"
static const char part_start[] = FILE_NAME "."; /* base/whole_file.h */
enum { FOLDER_MOST = 10000 };

static const char begin_again[] = "use --force to begin again";

/* A kill loses at most this much. A stop signal loses the present skeleton. */
static const double seconds_between = 2;

static const struct {
    const char *key;
    size_t offset;
} count_members[] = {{"skeletons", offsetof(struct synthesis_counts, skeletons)},
                     {"programs", offsetof(struct synthesis_counts, programs)},
                     {"judged", offsetof(struct synthesis_counts, judged)},
                     {"unjudged", offsetof(struct synthesis_counts, unjudged)},
                     {"contradictions", offsetof(struct synthesis_counts, contradictions)},
                     {"tests", offsetof(struct synthesis_counts, tests)}};
enum { COUNT_MEMBERS = sizeof count_members / sizeof *count_members };

static uint64_t *count_at(struct synthesis_counts *counts, size_t member)
{
    return (uint64_t *)((char *)counts + count_members[member].offset);
}

/* All that decides what a search finds. Searches are the same if each of these is. */
static json_t *describe_search(const struct synthesise_request *request, const struct model *forbid,
                               const struct model *allow)
{
    const struct synthesis_bound *bound = &request->bound;
    json_t *shard =
        request->shards > 1 ? json_sprintf("%u/%u", request->shard + 1, request->shards) : json_string("1/1");
    return json_pack("{so so so so* so* ss so so so so so so so so sb}", "version",
                     json_sprintf("orchil %s %s", ORCHIL_VERSION, ORCHIL_COMMIT), "model", json_text(model_id(forbid)),
                     "model_hash", json_text(model_hash(forbid)), "allow", allow ? json_text(model_id(allow)) : NULL,
                     "allow_hash", allow ? json_text(model_hash(allow)) : NULL, "dialect",
                     litmus_dialect_name(synthesis_dialect(model_id(forbid), request->dialect)), "threads",
                     json_count(bound->threads), "accesses", json_count(bound->accesses), "fences",
                     json_count(bound->fences), "rmw", json_count(bound->updates), "dependencies",
                     json_count(bound->dependencies), "barriers", json_count(bound->barriers), "local",
                     json_count(bound->local), "shard", shard, "new", request->fresh);
}

/* ---- reading ---- */

static enum status refuse(const struct synthesise_state *state, const char *key, const json_t *there,
                          const json_t *here, struct error *error)
{
    char *old = there ? json_dumps(there, JSON_ENCODE_ANY) : NULL,
         *new = here ? json_dumps(here, JSON_ENCODE_ANY) : NULL;
    const enum status status = error_set(
        error, STATUS_USAGE,
        "%s is the state of another search: expected %s %s, found %s; repeat that search, use another folder, or %s",
        state->path, key, new ? new : "to be absent", old ? old : "none", begin_again);
    free(old);
    free(new);
    return status;
}

static enum status compare_searches(const struct synthesise_state *state, struct error *error)
{
    json_t *there = json_object_get(state->document, "search"), *value;
    const char *key;
    json_object_foreach(state->search, key, value) if (!json_equal(value, json_object_get(there, key))) return refuse(
        state, key, json_object_get(there, key), value, error);
    json_object_foreach(there, key, value) if (!json_object_get(state->search, key)) return refuse(state, key, value,
                                                                                                   NULL, error);
    return STATUS_OK;
}

static bool read_count(const json_t *object, const char *key, uint64_t *count)
{
    const json_t *number = json_object_get(object, key);
    *count = (uint64_t)json_integer_value(number);
    return json_is_integer(number) && json_integer_value(number) >= 0;
}

/* The strings of an array, which live as long as the document. */
static bool read_strings(const json_t *array, const char ***strings, size_t *count)
{
    *count = json_array_size(array);
    *strings = memory_take(*count + 1, sizeof **strings);
    for (size_t i = 0; i < *count; i++)
        if (!((*strings)[i] = json_string_value(json_array_get(array, i))))
            return false;
    return json_is_array(array);
}

static bool read_position(struct synthesise_state *state)
{
    const json_t *counts = json_object_get(state->document, "counts");
    uint64_t accesses;
    bool read = read_count(state->document, "accesses", &accesses) && accesses > 0 &&
                accesses <= SYNTHESIS_MAXIMUM_ACCESSES + 1 &&
                read_count(state->document, "skeletons", &state->from.skeletons) &&
                read_count(state->document, "not_in_catalogue", &state->new_tests);
    for (size_t i = 0; i < COUNT_MEMBERS; i++)
        read = read && read_count(counts, count_members[i].key, count_at(&state->from.counts, i));
    state->from.accesses = (unsigned)accesses;
    state->seconds = json_number_value(json_object_get(state->document, "seconds"));
    read = read_strings(json_object_get(state->document, "held"), &state->held, &state->from.held_count) && read;
    state->from.held = state->held;
    return read_strings(json_object_get(state->document, "tests"), &state->tests, &state->test_count) && read;
}

static enum status read_state(struct synthesise_state *state, struct error *error)
{
    struct text text = {0};
    json_error_t where;
    TRY(file_read_whole(state->path, TEXT_MAXIMUM, &text, error));
    state->document = json_loadb(text.size > 0 ? text.data : "", text.size, 0, &where);
    text_release(&text);
    if (state->document && json_is_object(json_object_get(state->document, "search")))
        TRY(compare_searches(state, error));
    if (!state->document || !read_position(state))
        return error_set(error, STATUS_USAGE, "%s: expected the state of an interrupted search, found other text; %s",
                         state->path, begin_again);
    state->found = true;
    return STATUS_OK;
}

enum status synthesise_state_open(const struct synthesise_request *request, const struct model *forbid,
                                  const struct model *allow, struct synthesise_state *state, struct error *error)
{
    struct text path = {0};
    text_add(&path, "%s/%s", request->folder, FILE_NAME);
    state->folder = request->folder;
    state->path = text_take(&path);
    state->search = describe_search(request, forbid, allow);
    state->saved = clock_seconds();
    if (access(state->path, F_OK) != 0)
        return STATUS_OK;
    const enum status status = read_state(state, error);
    return request->force ? STATUS_OK : status;
}

/* ---- writing ---- */

bool synthesise_state_due(const struct synthesise_state *state)
{
    return clock_seconds() - state->saved >= seconds_between;
}

static json_t *strings_of(const char *const *strings, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_append(array, json_text(strings[i]));
    return array;
}

enum status synthesise_state_save(struct synthesise_state *state, const struct synthesis_position *position,
                                  const struct test_folder *folder, struct error *error)
{
    struct synthesis_counts counts = position->counts;
    struct text text = {0};
    json_t *numbers = json_object();
    for (size_t i = 0; i < COUNT_MEMBERS; i++)
        json_object_set_new(numbers, count_members[i].key, json_count(*count_at(&counts, i)));
    json_add_foreign(json_pack("{sO so so so so so so so}", "search", state->search, "accesses",
                               json_count(position->accesses), "skeletons", json_count(position->skeletons), "counts",
                               numbers, "not_in_catalogue", json_count(state->new_tests), "seconds",
                               json_number(state->seconds), "tests", strings_of(folder->listed, folder->listed_count),
                               "held", strings_of(position->held, position->held_count)),
                     &text);
    const enum status status = file_write_whole(state->path, text.data, text.size, error);
    text_release(&text);
    state->saved = clock_seconds();
    return status;
}

/* A kill while the state was written has left a part of it. */
static void remove_parts(const struct synthesise_state *state)
{
    struct folder folder;
    struct error ignored;
    struct text path = {0};
    if (folder_read(state->folder, FOLDER_MOST, &folder, &ignored) != STATUS_OK)
        return;
    for (size_t i = 0; i < folder.count; i++)
        if (strncmp(folder.names[i], part_start, sizeof part_start - 1) == 0) {
            text_clear(&path);
            text_add(&path, "%s/%s", state->folder, folder.names[i]);
            (void)unlink(text_string(&path));
        }
    text_release(&path);
    folder_release(&folder);
}

enum status synthesise_state_remove(const struct synthesise_state *state, struct error *error)
{
    if (state->found)
        remove_parts(state);
    if (!state->path || unlink(state->path) == 0 || errno == ENOENT)
        return STATUS_OK;
    return error_set(error, file_write_status(errno), "%s cannot be removed: %s", state->path, strerror(errno));
}

void synthesise_state_release(struct synthesise_state *state)
{
    json_decref(state->search);
    json_decref(state->document);
    free(state->path);
    free(state->held);
    free(state->tests);
}
