// SPDX-License-Identifier: Apache-2.0
/* Tests of files and folders. */
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "catalogue/selection_parts.h"

static enum status add_instance(struct maker *maker, const char *path, const struct template *template, size_t instance)
{
    struct litmus_test *test;
    TRY(template_test(template, instance, &test, maker->error));
    selection_add(maker, test, path, template_is_family(template) ? template_title(template) : NULL);
    return STATUS_OK;
}

/* Of many files, those instances that can be read; the first that cannot is listed for its file. */
static enum status add_instances(struct maker *maker, const char *path, const struct template *template, bool of_many)
{
    bool listed = false;
    for (size_t i = 0; i < template_count(template); i++) {
        enum status status = add_instance(maker, path, template, i);
        const bool fault = of_many && selection_is_fault(status);
        if (fault)
            status = listed ? STATUS_OK : selection_pass_over(maker, status);
        listed |= fault;
        TRY(status);
    }
    return STATUS_OK;
}

static enum status add_file(struct maker *maker, const char *path, bool of_many)
{
    struct text text = {0};
    struct template *template = NULL;
    enum status status = litmus_read_file(path, &text, maker->error);
    if (status == STATUS_OK)
        status = template_parse(path, text_string(&text), text.size, &template, maker->error);
    if (status == STATUS_OK)
        status = add_instances(maker, path, template, of_many);
    template_release(template);
    text_release(&text);
    return status;
}

static int compare_entries(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

static enum status read_entry(struct maker *maker, const FTSENT *entry)
{
    switch (entry->fts_info) {
    case FTS_F:
        return selection_ends_in(entry->fts_name, ".litmus") ? add_file(maker, entry->fts_path, true) : STATUS_OK;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return error_set(maker->error, STATUS_UNREADABLE, "%s: cannot be read: %s", entry->fts_path,
                         strerror(entry->fts_errno));
    case FTS_SLNONE:
        if (selection_ends_in(entry->fts_name, ".litmus"))
            return error_set(maker->error, STATUS_UNREADABLE, "%s: the link leads nowhere", entry->fts_path);
        return STATUS_OK;
    default:
        return STATUS_OK;
    }
}

/* The folder itself is named: that it cannot be read is an error. */
static enum status add_entry(struct maker *maker, const FTSENT *entry)
{
    const enum status status = read_entry(maker, entry);
    return entry->fts_level > FTS_ROOTLEVEL ? selection_pass_over(maker, status) : status;
}

static enum status add_folder(struct maker *maker, const char *path)
{
    enum status status = STATUS_OK;
    char *copy = memory_copy(path);
    for (size_t length = strlen(copy); length > 1 && copy[length - 1] == '/'; length--)
        copy[length - 1] = '\0';
    char *const roots[] = {copy, NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, compare_entries);
    if (!tree)
        status = error_set(maker->error, STATUS_UNREADABLE, "%s: cannot be read: %s", path, strerror(errno));
    for (const FTSENT *entry; status == STATUS_OK && (errno = 0, entry = fts_read(tree)) != NULL;)
        status = add_entry(maker, entry);
    if (status == STATUS_OK && errno != 0)
        status = error_set(maker->error, STATUS_UNREADABLE, "%s: cannot be read to its end: %s", path, strerror(errno));
    if (tree)
        (void)fts_close(tree); /* nothing was changed below it */
    free(copy);
    if (status == STATUS_OK && maker->matched == 0)
        status = error_set(maker->error, STATUS_USAGE, "%s: no .litmus file lies below this folder", path);
    return status;
}

enum status selection_add_path(struct maker *maker, const char *path, bool of_many)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode) ? add_folder(maker, path) : add_file(maker, path, of_many);
}
