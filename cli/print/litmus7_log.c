// SPDX-License-Identifier: Apache-2.0
/* Writing the log of litmus7, for `run` and `export`. */
#include "cli/print/litmus7_log.h"

#include <errno.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/terminal/terminal.h"
#include "catalogue/catalogue.h"
#include "runner/protocol/device.h"

/* ---- a block ---- */

void litmus7_log_block(const struct job_report *report, const char *name, struct text *text)
{
    static const char *const kinds[] = {[LITMUS_EXISTS] = "Allowed",
                                        [LITMUS_NOT_EXISTS] = "Forbidden",
                                        [LITMUS_FORALL] = "Required",
                                        [LITMUS_NO_CONDITION] = "Allowed"};
    const struct litmus_test *test = report->test;
    const struct tally *tally = report->tally;
    const uint64_t all = tally->instances - tally->void_instances;
    const uint64_t positive = test->quantifier == LITMUS_FORALL ? all - tally->witnesses : tally->witnesses;
    const uint64_t negative = all - positive;
    const bool holds = test->quantifier == LITMUS_EXISTS       ? positive > 0
                       : test->quantifier == LITMUS_NOT_EXISTS ? positive == 0
                                                               : negative == 0;
    char hash[65];
    if (tally->batches == 0)
        return; /* an empty histogram would be read as one without witnesses */
    litmus_hash(test, hash);
    terminal_add(text, "Test %s %s\nHistogram (%zu states)\n", name, kinds[test->quantifier], tally->outcome_count);
    for (size_t i = 0; i < tally->outcome_count; i++)
        terminal_add(text, "%-8" PRIu64 "%c>%s\n", tally->outcomes[i].count, tally->outcomes[i].witness ? '*' : ':',
                     test->variable_count > 0 ? tally->outcomes[i].label : ""); /* mcompare7 cannot read "-" */
    terminal_add(text, "%s\n\nWitnesses\nPositive: %" PRIu64 ", Negative: %" PRIu64 "\n", holds ? "Ok" : "No", positive,
                 negative);
    terminal_add(text, "Condition ");
    litmus_print_condition(test, text);
    terminal_add(text, " is %svalidated\nHash=%s\n", holds ? "" : "NOT ", hash);
    terminal_add(text, "Observation %s %s %" PRIu64 " %" PRIu64 "\n", name,
                 positive == 0   ? "Never"
                 : negative == 0 ? "Always"
                                 : "Sometimes",
                 positive, negative);
    terminal_add(text, "Device=%s\nTime %s %.2f\n\n", device_address(report->device).text, name, tally->seconds);
}

/* ---- names ---- */

/* The test that has a name in the log, or NULL. */
static const struct litmus7_name *litmus7_find(const struct litmus7_log *log, const char *name)
{
    size_t item;
    for (size_t step = 0; hash_index_next(&log->index, hash_index_key(0, name), &step, &item);)
        if (strcmp(log->names[item].name, name) == 0)
            return &log->names[item];
    return NULL;
}

static const struct litmus7_name *litmus7_add_name(struct litmus7_log *log, const char *name, const char *hash)
{
    hash_index_add(&log->index, hash_index_key(0, name), log->count);
    ARENA_ADD(&log->arena, log->names, log->count) =
        (struct litmus7_name){arena_copy(&log->arena, name), arena_copy(&log->arena, hash)};
    return &log->names[log->count - 1];
}

const char *litmus7_log_name(struct litmus7_log *log, const struct litmus_test *test)
{
    char hash[HASH_HEX_SIZE];
    struct text name = {0};
    const struct litmus7_name *taken;
    litmus_hash(test, hash);
    text_add(&name, "%s", test->name);
    for (unsigned number = 1; (taken = litmus7_find(log, text_string(&name))) && strcmp(taken->hash, hash) != 0;
         number++) {
        text_clear(&name);
        text_add(&name, "%s+", test->name);
        catalogue_add_dialect(test->dialect, &name);
        if (number > 1)
            text_add(&name, ".%u", number);
    }
    if (!taken)
        taken = litmus7_add_name(log, text_string(&name), hash);
    text_release(&name);
    return taken->name;
}

/* "Test NAME Allowed" and, after it, "Hash=..."; a line longer than the buffer is neither. A file that is not regular
 * has no names. */
static void litmus7_read_names(struct litmus7_log *log)
{
    struct stat what;
    char line[4096], name[sizeof line] = "";
    if (fstat(fileno(log->file), &what) != 0 || !S_ISREG(what.st_mode) || fseek(log->file, 0, SEEK_SET) != 0)
        return;
    while (fgets(line, sizeof line, log->file)) {
        if (strncmp(line, "Test ", 5) == 0)
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 5, " \n"), line + 5);
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "Hash=", 5) == 0 && name[0] && !litmus7_find(log, name))
            (void)litmus7_add_name(log, name, line + 5);
    }
    (void)fseek(log->file, 0, SEEK_END); /* each block is appended, whatever the position */
}

/* ---- the file ---- */

enum status litmus7_log_open(struct litmus7_log *log, const char *path, struct error *error)
{
    log->path = path;
    log->file = fopen(path, "a+e");
    if (!log->file)
        log->file = fopen(path, "ae"); /* of a file that may be unreadable */
    if (!log->file)
        return error_set(error, STATUS_UNREADABLE, "the log %s cannot be created: %s", path, strerror(errno));
    litmus7_read_names(log);
    return STATUS_OK;
}

static bool litmus7_write(FILE *file, const struct text *text)
{
    const off_t end = lseek(fileno(file), 0, SEEK_END);
    if (fwrite(text_string(text), 1, text->size, file) == text->size && fflush(file) == 0)
        return true;
    const int why = errno;
    __fpurge(file);
    const bool cut = end >= 0 && ftruncate(fileno(file), end) == 0;
    (void)cut; /* a device has no size */
    errno = why;
    return false;
}

enum status litmus7_log_add(struct litmus7_log *log, const struct job_report *report, struct error *error)
{
    struct text text = {0};
    litmus7_log_block(report, litmus7_log_name(log, report->test), &text);
    const bool written = litmus7_write(log->file, &text);
    text_release(&text);
    return written ? STATUS_OK
                   : error_set(error, STATUS_SYSTEM, "the log %s cannot be written: %s", log->path, strerror(errno));
}

bool litmus7_log_close(struct litmus7_log *log)
{
    const bool closed = !log->file || fclose(log->file) == 0;
    hash_index_release(&log->index);
    arena_release(&log->arena);
    return closed;
}
