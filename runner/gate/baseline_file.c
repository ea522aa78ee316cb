// SPDX-License-Identifier: Apache-2.0
/* Writing the file of a baseline: the runs without the parts that a gate does not need, and what
 * was learned about them. */
#include "runner/gate/baseline_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quantity.h"

enum status baseline_file_check(const char *path, struct error *error)
{
    if (access(path, F_OK) == 0)
        return error_set(error, STATUS_USAGE, "%s: already exists; choose another name or remove it", path);
    return STATUS_OK;
}

static enum status copy_runs(const struct baseline_content *content, const char *path, struct store_merge_tally *tally,
                             struct error *error)
{
    struct store *store = NULL;
    const struct store_merge_options options = {.runs = content->runs,
                                                .run_count = content->run_count,
                                                .leave_out = STORE_LEAVE_KERNELS | STORE_LEAVE_BINARIES |
                                                             STORE_LEAVE_LOGS | STORE_LEAVE_DRAWS,
                                                .tool_version = content->provenance->tool_version,
                                                .host = content->provenance->host};
    enum status status = store_open(path, STORE_WRITE, &store, error);
    if (status == STATUS_OK)
        status = store_merge(store, content->from, &options, tally, error);
    store_close(store);
    return status;
}

static enum status write_part(const char *path, const struct baseline_content *content, struct store_merge_tally *tally,
                              struct error *error)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return error_set(error, STATUS_UNREADABLE, "%s: cannot be replaced: %s", path, strerror(errno));
    TRY(copy_runs(content, path, tally, error));
    if (tally->jobs == 0)
        return error_set(error, STATUS_USAGE, "%s: has no finished runs", content->from);
    if (tally->batches == 0) /* a failed device, most likely */
        return error_set(error, STATUS_DEVICE_FAILED,
                         "no job has a batch, so there is nothing to compare with; see the runs in %s", content->from);
    return content->notes ? notes_write(path, content->notes, error) : STATUS_OK;
}

enum status baseline_file_write(const char *path, const struct baseline_content *content,
                                struct store_merge_tally *tally, struct error *error)
{
    struct text part = {0};
    text_add(&part, "%s.part", path);
    enum status status = write_part(text_string(&part), content, tally, error);
    if (status == STATUS_OK && rename(text_string(&part), path) != 0)
        status = error_set(error, STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    if (status != STATUS_OK)
        (void)unlink(text_string(&part));
    text_release(&part);
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
