// SPDX-License-Identifier: Apache-2.0
/* A copy of a database without names of people, hosts, folders and paths. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temporary_folder.h"
#include "base/whole_file.h"
#include "cli/export/export.h"
#include "cli/output.h"
#include "cli/private_names.h"
#include "cli/verb.h"
#include "runner/run/provenance.h"

/* ---- command lines ---- */

/* Whether the value of an option, whose name may be abbreviated, is the path of a file or a folder. */
static bool takes_path(const struct verb *verb, const char *name, size_t length)
{
    for (const struct option_row *row = verb ? verb->options : NULL; row && !option_ends(row); row++) {
        const bool same =
            length == 1 ? option_letter(row) == *name : row->name && strncmp(row->name, name, length) == 0;
        if (same && row->metavar &&
            (strstr(row->metavar, "FILE") || strstr(row->metavar, "DIR") || strstr(row->metavar, "FOLDER")))
            return true;
    }
    return false;
}

/* The verb of a command line: "orchil gate baseline ...". */
static const struct verb *find_verb(const char *command)
{
    const struct verb *verb = &verb_program;
    for (const char *at = strchr(command, ' '); at && *++at; at = strchr(at, ' ')) {
        char name[32];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
        const struct verb *below = verb_below(verb, name);
        if (!below)
            break;
        verb = below;
    }
    return verb;
}

/* The bytes of the first word, with its quotes. */
static size_t word_length(const char *command)
{
    bool quoted = false;
    size_t length = 0;
    for (; command[length] && (quoted || command[length] != ' '); length++) {
        if (command[length] == '\'')
            quoted = !quoted;
        else if (!quoted && command[length] == '\\' && command[length + 1])
            length++;
    }
    return length;
}

/* Whether a word is the name of a file. A shard, I/N, is none. */
static bool is_file(const char *word, size_t length)
{
    static const char *const endings[] = {".db",  ".litmus", ".ini", ".cat", ".json", ".html",
                                          ".log", ".txt",    ".csv", ".xml", ".md"};
    const bool shard = strspn(word, "0123456789/") == length;
    if (!shard && memchr(word, '/', length))
        return true;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (memmem(word, length, endings[i], strlen(endings[i])))
            return true;
    return false;
}

/* Adds a word: an option stays without the path that is its value. */
static void add_word(const struct verb *verb, const char *word, size_t length, bool is_value, struct text *line)
{
    const char *equals = memchr(word, '=', length);
    const size_t name = strspn(word, "-'");
    if (is_value)
        text_add(line, "(file)");
    else if (*word == '-' && equals && takes_path(verb, word + name, (size_t)(equals - word) - name))
        text_add(line, "%.*s=(file)", (int)(equals - word), word);
    else if (is_file(word, length))
        text_add(line, "(file)");
    else
        text_add_bytes(line, word, length);
}

static void clean_command(struct text *command)
{
    struct text line = {0};
    const struct verb *verb = find_verb(text_string(command));
    bool value = false; /* of the option before */
    for (const char *at = text_string(command); *at; at += *at == ' ') {
        const size_t length = word_length(at), dashes = strspn(at, "-");
        text_add(&line, "%s", line.size > 0 ? " " : "");
        add_word(verb, at, length, value, &line);
        value = !value && dashes > 0 && dashes < length && takes_path(verb, at + dashes, length - dashes);
        at += length;
    }
    text_release(command);
    *command = line;
}

/* ---- texts ---- */

static enum status find_names(enum store_text kind, const char *place, struct text *text, void *data,
                              struct error *error)
{
    struct private_names *names = data;
    (void)place;
    (void)error;
    private_names_find_in(names, text_string(text));
    if (kind != STORE_TEXT_HOST)
        return STATUS_OK;
    char *host = strndup(text_string(text), strcspn(text_string(text), ","));
    private_names_add_host(names, host);
    free(host);
    return STATUS_OK;
}

static void replace(struct text *text, char *with)
{
    text_clear(text);
    text_add(text, "%s", with);
    free(with);
}

static enum status expect_none(const struct private_names *names, const char *place, const struct text *text,
                               struct error *error)
{
    const char *found = private_names_within(names, text_string(text), text->size);
    return found ? error_set(
                       error, STATUS_USAGE,
                       "the name '%s' is in a text that cannot change (%s: %.60s); nothing was written: choose runs "
                       "without it (--run), or rename the test",
                       found, place, text_string(text))
                 : STATUS_OK;
}

static enum status clean(enum store_text kind, const char *place, struct text *text, void *data, struct error *error)
{
    const struct private_names *names = data;
    if (kind == STORE_TEXT_FIXED)
        return expect_none(names, place, text, error);
    if (kind == STORE_TEXT_COMMAND)
        clean_command(text);
    else if (kind == STORE_TEXT_HOST)
        replace(text, provenance_without_name(text_string(text)));
    else if (kind == STORE_TEXT_VARIABLES)
        replace(text, provenance_without_values(text_string(text)));
    else if (kind == STORE_TEXT_PLACE || (kind == STORE_TEXT_NAME && is_file(text_string(text), text->size)))
        replace(text, strdup("(file)"));
    private_names_leave_out(names, text);
    private_paths_leave_out(text);
    return STATUS_OK;
}

/* Nothing that is cleaned again may change. */
static enum status expect_clean(enum store_text kind, const char *place, struct text *text, void *data,
                                struct error *error)
{
    char *before = strdup(text_string(text));
    enum status status = clean(kind, place, text, data, error);
    if (status == STATUS_OK && strcmp(before, text_string(text)) != 0)
        status = error_set(error, STATUS_INTERNAL, "a text of %s still has a name after it was left out", place);
    free(before);
    return status;
}

/* ---- the file ---- */

/* Copies the runs, then leaves names out: no run is changed in the database itself. */
static enum status make_copy(const char *database, int64_t run_id, struct store *copy, struct private_names *names,
                             struct error *error)
{
    char *version = provenance_tool_version();
    struct store_merge_tally tally = {0};
    const struct store_merge_options options = {.runs = &run_id,
                                                .run_count = run_id > 0,
                                                .leave_out =
                                                    STORE_LEAVE_KERNELS | STORE_LEAVE_BINARIES | STORE_LEAVE_LOGS,
                                                .unfinished = true,
                                                .tool_version = version,
                                                .host = ""};
    enum status status = store_merge(copy, database, &options, &tally, error);
    free(version);
    if (status == STATUS_OK)
        status = store_visit_texts(copy, find_names, names, error); /* also of the merges that are forgotten next */
    if (status == STATUS_OK)
        status = store_forget_merges(copy, error);
    if (status == STATUS_OK)
        status = store_visit_texts(copy, clean, names, error);
    return status == STATUS_OK ? store_visit_texts(copy, expect_clean, names, error) : status;
}

static enum status write_bytes(const char *bytes, size_t size, const struct private_names *names, const char *path,
                               struct error *error)
{
    const char *found = private_names_within(names, bytes, size);
    return found ? error_set(error, STATUS_INTERNAL, "the name '%s' is still in the copy; nothing was written", found)
                 : file_write_whole(path, bytes, size, error);
}

/* Searches every byte of the copy, and gives it its name. */
static enum status write_searched(const char *copy, const struct private_names *names, const char *path,
                                  struct error *error)
{
    struct stat file;
    enum status status = STATUS_OK;
    const int descriptor = open(copy, O_RDONLY | O_CLOEXEC);
    char *bytes = MAP_FAILED;
    if (descriptor >= 0 && fstat(descriptor, &file) == 0)
        bytes = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes == MAP_FAILED)
        status = error_set(error, STATUS_SYSTEM, "cannot read the copy %s: %s", copy, strerror(errno));
    else {
        status = write_bytes(bytes, (size_t)file.st_size, names, path, error);
        (void)munmap(bytes, (size_t)file.st_size);
    }
    if (descriptor >= 0)
        (void)close(descriptor);
    return status;
}

static enum status share(const char *database, int64_t run_id, const char *path, const char *folder,
                         struct private_names *names, struct error *error)
{
    char whole[PATH_MAX], saved[PATH_MAX];
    struct store *copy = NULL;
    (void)snprintf(whole, sizeof whole, "%.4000s/whole.db", folder);
    (void)snprintf(saved, sizeof saved, "%.4000s/saved.db", folder);
    TRY(store_open(whole, STORE_WRITE, &copy, error));
    enum status status = make_copy(database, run_id, copy, names, error);
    if (status == STATUS_OK)
        status = store_save(copy, saved, error);
    store_close(copy);
    return status == STATUS_OK ? write_searched(saved, names, path, error) : status;
}

enum status export_share(const char *database, int64_t run_id, const char *path, struct error *error)
{
    char folder[PATH_MAX];
    struct private_names names = {0};
    TRY(temporary_folder_make("share", folder, sizeof folder, error));
    private_names_find(&names);
    const enum status status = share(database, run_id, path, folder, &names, error);
    temporary_folder_remove(folder);
    private_names_release(&names);
    return status;
}
