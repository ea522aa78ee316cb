// SPDX-License-Identifier: Apache-2.0
/* A baseline: how it was measured, and its file. */
#include <sys/stat.h>

#include "gate/decide/gate.h"
#include "gate/gate_suite.h"

/* ---- jobs ---- */

struct source_job {
    struct store_job_row row;
    const char *text, *environment; /* of the test, NULL where an earlier job has the same; canonical */
    const char *ensemble;           /* the address of the ensemble that it was run on, or NULL */
    struct job_extent extent;       /* what was to be played; the work-groups are those that it had */
    double build_seconds;
};

static bool same_test(const struct source_job *a, const struct source_job *b)
{
    return strcmp(a->row.test_hash, b->row.test_hash) == 0 && strcmp(a->row.test, b->row.test) == 0 &&
           strcmp(a->row.dialect, b->row.dialect) == 0;
}

/* The address of the ensemble that a job was run on; none if its description is damaged. */
static enum status read_ensemble(struct store *store, struct gate_source *source, struct source_job *job,
                                 struct error *error)
{
    struct store_text_row text;
    struct backend_device device;
    struct error damaged;
    TRY(store_load_text(store, STORE_CAPABILITIES, job->row.job_id, &source->arena, &text, error));
    json_auto_t *json = json_loads(text.text ? text.text : "", 0, NULL);
    if (json && device_from_json(json, &device, &damaged) == STATUS_OK) {
        job->ensemble = arena_copy(&source->arena, device_address(&device).text);
        device_release(&device);
    }
    return STATUS_OK;
}

/* For the jobs of the store, which start at `first`. */
static enum status read_texts(struct store *store, size_t first, struct gate_source *source, struct error *error)
{
    for (size_t i = first; i < source->count; i++) {
        struct source_job *job = &source->jobs[i];
        struct store_text_row text = {NULL, NULL}, environment;
        TRY(store_load_text(store, STORE_ENVIRONMENT, job->row.job_id, &source->arena, &environment, error));
        if (!*job->row.controls && !ANY_OF(before, source->jobs, i, !*before->row.controls && same_test(before, job)))
            TRY(store_load_text(store, STORE_TEST, job->row.job_id, &source->arena, &text, error));
        job->text = text.text;
        job->environment = environment.text ? environment.text : "";
        struct store_cursor cursor;
        store_query(store, STORE_FACTS, job->row.job_id, &cursor, error);
        if (store_next(&cursor)) {
            job->extent = cursor.facts.extent;
            job->extent.resident_groups = cursor.facts.resident_groups;
            job->build_seconds = cursor.facts.build_seconds;
        }
        TRY(store_end(&cursor, STATUS_OK));
        if (strcmp(job->row.backend, DEVICES_ENSEMBLE) == 0)
            TRY(read_ensemble(store, source, job, error));
    }
    return STATUS_OK;
}

static bool is_meant(const struct selector *file, const struct store_job_row *row)
{
    const bool meant = file->run_count == 0 || ANY_OF(run, file->runs, file->run_count, *run == row->run_id);
    return meant && (!file->backend || strcmp(file->backend, row->backend) == 0) &&
           (!file->device || strcasecmp(file->device, row->device_uuid) == 0 || strcmp(file->device, row->device) == 0);
}

static enum status read_jobs(struct store *store, const struct selector *file, struct gate_source *source,
                             struct error *error)
{
    struct store_cursor jobs;
    const size_t first = source->count;
    store_query(store, STORE_JOBS, file->run_count == 1 ? file->runs[0] : 0, &jobs, error);
    while (store_next(&jobs))
        if (is_meant(file, &jobs.job))
            ARENA_ADD(&source->arena, source->jobs, source->count) =
                (struct source_job){.row = store_keep_job(&source->arena, &jobs.job)};
    TRY(store_end(&jobs, STATUS_OK));
    if (source->count == first)
        return error_set(error, STATUS_USAGE, "%s: has no jobs%s", file->database,
                         file->run_count == 1  ? " under that run"
                         : file->run_count > 1 ? " under those runs"
                                               : "");
    return read_texts(store, first, source, error);
}

static enum status gate_source_read_file(const struct selector *file, struct gate_source *source, struct error *error)
{
    struct store *store = NULL;
    const size_t before = source->count;
    TRY(store_open(file->database, STORE_READ, &store, error));
    const enum status status = read_jobs(store, file, source, error);
    store_close(store);
    if (status != STATUS_OK)
        source->count = before;
    return status;
}

enum status gate_source_read(const struct stored_place *place, struct gate_source *source, struct error *error)
{
    *source = (struct gate_source){.file = place->selectors[0].database};
    for (size_t i = 0; i < place->count; i++) {
        const enum status status = gate_source_read_file(&place->selectors[i], source, error);
        if (status != STATUS_OK && (!place->is_folder || (i + 1 == place->count && source->count == 0)))
            return status;
    }
    return STATUS_OK;
}

ARENA_RELEASES(, gate_source)

/* ---- devices ---- */

bool gate_source_is_row_of(const struct store_job_row *row, const struct backend_device *device)
{
    return strcmp(row->backend, device->backend) == 0 &&
           (*row->device_uuid && device->uuid[0] ? strcasecmp(row->device_uuid, device->uuid) == 0
                                                 : strcmp(row->device, device->name) == 0);
}

bool gate_source_has(const struct gate_source *source, const struct backend_device *device)
{
    return ANY_OF(job, source->jobs, source->count, gate_source_is_row_of(&job->row, device));
}

void gate_source_add_devices(const struct gate_source *source, struct text *text)
{
    for (size_t i = 0; i < source->count; i++) {
        const struct store_job_row *row = &source->jobs[i].row;
        bool known = false;
        for (size_t j = 0; j < i && !known; j++)
            known = strcmp(source->jobs[j].row.device, row->device) == 0 &&
                    strcmp(source->jobs[j].row.device_uuid, row->device_uuid) == 0 &&
                    strcmp(source->jobs[j].row.backend, row->backend) == 0;
        if (!known)
            text_add(text, "%s%s (%s%s%s)", i > 0 ? ", " : "", row->device, row->backend,
                     *row->device_uuid ? ", UUID " : "", row->device_uuid);
    }
}

/* The one device of a backend that the source has, by a job of it; NULL if it has none or several. */
static const struct source_job *only_of(const struct gate_source *source, const char *backend)
{
    const struct source_job *only = NULL;
    FOR_EACH(const struct source_job, job, source->jobs, source->count) {
        if (strcmp(job->row.backend, backend) != 0)
            continue;
        if (only && (strcmp(job->row.device_uuid, only->row.device_uuid) != 0 ||
                     (!*job->row.device_uuid && strcmp(job->row.device, only->row.device) != 0)))
            return NULL;
        only = only ? only : job;
    }
    return only;
}

/* Drivers put their version into the name of a processor, or into its UUID. A GPU of another name may be another. */
bool gate_source_may_be_row_of(const struct store_job_row *row, const struct backend_device *device)
{
    unsigned units;
    return !device->gpu && store_is_processor(row, &units) && units == device->compute_units;
}

const char *gate_source_adopt(struct gate_source *source, const struct backend_device *device, bool named)
{
    const struct source_job *only = only_of(source, device->backend);
    if (device->member_count > 0 || !only || gate_source_has(source, device) ||
        !(named || gate_source_may_be_row_of(&only->row, device)))
        return NULL;
    const char *before = only->row.device;
    const char *name = arena_copy(&source->arena, device->name), *uuid = arena_copy(&source->arena, device->uuid);
    for (size_t i = 0; i < source->count; i++)
        if (strcmp(source->jobs[i].row.backend, device->backend) == 0) {
            source->jobs[i].row.device = name;
            source->jobs[i].row.device_uuid = uuid;
        }
    return before;
}

/* The request that finds the device of a job. */
static const char *spec_of(const struct source_job *job)
{
    return job->ensemble ? job->ensemble : job->row.backend;
}

void gate_source_specs(const struct gate_source *source, struct text *specs)
{
    for (size_t i = 0; i < source->count; i++) {
        bool known = false;
        for (size_t j = 0; j < i && !known; j++)
            known = strcmp(spec_of(&source->jobs[j]), spec_of(&source->jobs[i])) == 0;
        if (!known)
            text_add(specs, "%s%s", specs->size > 0 ? "," : "", spec_of(&source->jobs[i]));
    }
}

void gate_source_narrow(const struct gate_source *source, const struct backend_device *const *chosen, size_t count,
                        struct selector *selectors, size_t selector_count)
{
    if (count != 1 || !gate_source_has(source, chosen[0]))
        return;
    for (size_t i = 0; i < source->count; i++) {
        const bool is_other = strcmp(source->jobs[i].row.backend, chosen[0]->backend) != 0;
        for (size_t s = 0; s < selector_count; s++) {
            if (is_other)
                selectors[s].backend = chosen[0]->backend;
            else if (!gate_source_is_row_of(&source->jobs[i].row, chosen[0]))
                selectors[s].device = chosen[0]->uuid[0] ? chosen[0]->uuid : chosen[0]->name;
        }
    }
}

/* ---- how it was measured ---- */

uint64_t gate_source_seed(const struct gate_source *source, const struct backend_device *const *chosen, size_t count)
{
    uint64_t best = 0;
    size_t most = 0;
    for (size_t i = 0; i < source->count; i++) {
        if (i > 0 && source->jobs[i].row.seed == source->jobs[i - 1].row.seed)
            continue; /* counted already */
        const size_t equal = SUM_OF(size_t, job, source->jobs, source->count,
                                    job->row.seed == source->jobs[i].row.seed &&
                                        ANY_OF(one, chosen, count, gate_source_is_row_of(&job->row, *one)));
        if (equal > most) {
            most = equal;
            best = source->jobs[i].row.seed;
        }
    }
    if (most == 0 && source->count > 0) /* a device that it has not */
        best = source->jobs[0].row.seed;
    return best;
}

/* "NAME" or "DIALECT:NAME". */
static bool gate_source_is_named(const struct source_job *job, const char *word)
{
    const size_t size = strlen(job->row.dialect);
    const bool has_dialect = strncasecmp(word, job->row.dialect, size) == 0 && word[size] == ':';
    return job->text && strcmp(has_dialect ? word + size + 1 : word, job->row.test) == 0;
}

enum run_lowering gate_source_lowering(const struct gate_source *source)
{
    bool by_name = false, usual = source->count == 0;
    for (size_t i = 0; i < source->count; i++)
        *(lowering_is(source->jobs[i].row.lowering, "source") ? &by_name : &usual) = true;
    return !by_name ? RUN_LOWERING_USUAL : usual ? RUN_LOWERING_BOTH : RUN_LOWERING_SOURCE;
}

/* Whether both are of one lowering and, if of a header of the user's, of the same file, whatever it has now. */
static bool is_lowering(const char *stored, const char *planned)
{
    const size_t size = strcspn(stored, ":");
    return size == strcspn(planned, ":") && memcmp(stored, planned, size) == 0;
}

static bool is_job(const struct source_job *job, const struct planned_job *planned)
{
    const struct litmus_test *test = planned->test->test;
    return gate_source_is_row_of(&job->row, planned->device) && strcmp(job->row.test, test->name) == 0 &&
           strcmp(job->row.dialect, litmus_dialect_name(test->dialect)) == 0 &&
           strcmp(job->row.controls, planned->controlled ? planned->controlled->name : "") == 0 &&
           is_lowering(job->row.lowering, planned->lowering);
}

/* A job that was ended by time alone is repeated in full: as many instances as its longest run, in batches as they are
 * drawn. */
static void add_extent(const struct source_job *job, struct source_extent *sum)
{
    const uint64_t launched = job->row.instances;
    if (job->row.batches == 0)
        return;
    const uint32_t groups = job->extent.resident_groups, known = sum->extent.resident_groups;
    if (job->extent.instances > 0 && sum->extent.instances == 0) {
        sum->extent.instances = job->extent.instances;
        sum->extent.batch_instances = job->extent.batch_instances;
    }
    if (groups > 0 && (known == 0 || groups < known))
        sum->extent.resident_groups = groups;
    sum->launched = launched > sum->launched ? launched : sum->launched;
    sum->seconds = fmax(sum->seconds, job->row.seconds);
    sum->build_seconds = fmax(sum->build_seconds, job->build_seconds);
}

bool gate_source_extent(const struct gate_source *source, const struct planned_job *planned,
                        struct source_extent *found)
{
    *found = (struct source_extent){.seconds = 0};
    /* Of the same test and environment, by their key; in another environment it has no equal draws, but a length. */
    for (int any_key = 0; any_key < 2 && found->launched == 0; any_key++)
        for (size_t i = 0; i < source->count; i++)
            if (is_job(&source->jobs[i], planned) && (any_key || strcmp(source->jobs[i].row.key, planned->key) == 0))
                add_extent(&source->jobs[i], found);
    if (found->extent.instances == 0)
        found->extent.instances = found->launched;
    return found->launched > 0;
}

bool gate_source_names(const struct gate_source *source, char *const *names, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        bool found = false;
        for (size_t i = 0; i < source->count && !found; i++)
            found = gate_source_is_named(&source->jobs[i], names[n]);
        if (!found)
            return false;
    }
    return true;
}

static bool is_asked_for(const struct source_job *job, char *const *names, size_t count)
{
    if (ANY_OF(name, names, count, gate_source_is_named(job, *name)))
        return true;
    return count == 0;
}

enum status gate_source_select(const struct gate_source *source, char *const *names, size_t count,
                               struct selection *selection, struct error *error)
{
    *selection = (struct selection){.count = 0};
    catalogue_open(&selection->catalogue);
    selection->tests = memory_take(source->count, sizeof *selection->tests);
    FOR_EACH(const struct source_job, job, source->jobs, source->count) {
        struct selected_test *test = &selection->tests[selection->count];
        struct text file = {0};
        if (!job->text || !is_asked_for(job, names, count))
            continue;
        text_add(&file, "%s/%s", source->file, job->row.test);
        test->file = text_take(&file);
        selection->count++;
        TRY(litmus_parse(test->file, job->text, strlen(job->text), &test->test, error));
    }
    return selection->count > 0 ? STATUS_OK
                                : error_set(error, STATUS_USAGE, "%s has no tests other than controls", source->file);
}

enum status gate_source_environment(const struct gate_source *source, const struct backend_device *device,
                                    struct environment *environment, struct error *error)
{
    const size_t at = INDEX_OF(job, source->jobs, source->count, gate_source_is_row_of(&job->row, device));
    const struct source_job *found = &source->jobs[at < source->count ? at : 0];
    TRY(environment_parse(found->environment, environment, error));
    (void)snprintf(environment->name, sizeof environment->name, "%s", found->row.profile);
    return STATUS_OK;
}

/* ---- the file of a baseline: its runs without the parts that a gate does not need ---- */

enum status baseline_file_check(const char *path, struct error *error)
{
    if (access(path, F_OK) == 0)
        return error_set(error, STATUS_USAGE, "%s already exists; choose another name, or remove the file", path);
    return STATUS_OK;
}

static enum status write_part(const char *path, const struct baseline_content *content, struct store_merge_tally *tally,
                              struct error *error)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return error_set(error, STATUS_UNREADABLE, "%s: cannot be replaced: %s", path, strerror(errno));
    struct store *store = NULL;
    const struct store_merge_options options = {.runs = content->runs,
                                                .run_count = content->run_count,
                                                .leave_out = STORE_LEAVE_KERNELS | STORE_LEAVE_BINARIES |
                                                             STORE_LEAVE_LOGS | STORE_LEAVE_DRAWS,
                                                .tool_version = content->provenance->tool_version,
                                                .host = content->provenance->host};
    enum status status = store_open(path, STORE_WRITE, &store, error);
    THEN(status, store_merge(store, content->from, &options, tally, error));
    store_close(store);
    TRY(status);
    if (tally->jobs == 0)
        return error_set(error, STATUS_USAGE, "%s has no finished runs", content->from);
    if (tally->batches == 0) /* a failed device, most likely */
        return error_set(error, STATUS_DEVICE_FAILED,
                         "no job has a batch, so there is nothing to compare with; see the runs in %s", content->from);
    return STATUS_OK;
}

enum status baseline_file_write(const char *path, const struct baseline_content *content,
                                struct store_merge_tally *tally, struct error *error)
{
    LOCAL(text) part = {0};
    text_add(&part, "%s.part", path);
    enum status status = write_part(text_string(&part), content, tally, error);
    if (status == STATUS_OK && rename(text_string(&part), path) != 0)
        status = error_set(error, STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    if (status != STATUS_OK)
        (void)unlink(text_string(&part));
    return status;
}

enum status baseline_file_describe(const char *path, const struct store_merge_tally *tally, struct text *text,
                                   struct error *error)
{
    struct stat there;
    if (stat(path, &there) != 0)
        return error_set(error, STATUS_SYSTEM, "%s: cannot be read: %s", path, strerror(errno));
    text_add(text, "%s: %" PRIu64 " run%s, %" PRIu64 " jobs, %s batches, %s bytes.\n", path, tally->runs_new,
             tally->runs_new == 1 ? "" : "s", tally->jobs, QUANTITY_COUNT(tally->batches),
             QUANTITY_COUNT((uint64_t)there.st_size));
    return STATUS_OK;
}
