// SPDX-License-Identifier: Apache-2.0
/* A copy of a database without names of people, hosts, folders and paths. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/temporary_folder.h"
#include "catalogue/catalogue.h"
#include "cli/export/export.h"
#include "cli/output.h"
#include "cli/private_names.h"
#include "cli/verb.h"
#include "runner/run/provenance.h"

/* ---- command lines ---- */

/* A command line that is being cleaned: its verb, and the option whose value is next, or NULL. */
struct cleaning {
    struct catalogue catalogue;
    const struct verb *verb;
    const struct option_row *row;
    struct text line;
};

/* The row of an option by its letter, or by its name, which may be abbreviated; NULL: there is none. */
static const struct option_row *find_row(const struct verb *verb, char letter, const char *name, size_t length)
{
    for (const struct option_row *row = verb->options; row && !option_ends(row); row++)
        if (letter ? option_letter(row) == letter : row->name && strncmp(row->name, name, length) == 0)
            return row;
    return NULL;
}

/* The verb of a command line: "orchil gate baseline ...". *rest: what follows it. */
static const struct verb *find_verb(const char *command, const char **rest)
{
    const struct verb *verb = &verb_program;
    *rest = command + strcspn(command, " ");
    while (**rest == ' ') {
        const size_t length = strcspn(*rest + 1, " ");
        const struct verb *below = verb_below(verb, PRINTED(32, "%.*s", (int)length, *rest + 1));
        if (!below)
            break;
        verb = below;
        *rest += 1 + length;
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
static bool is_file(const char *word)
{
    static const char *const endings[] = {".db",  ".litmus", ".ini", ".cat", ".json", ".html",
                                          ".log", ".txt",    ".csv", ".xml", ".md"};
    if (strchr(word, '/') && word[strspn(word, "0123456789/")] != '\0')
        return true;
    return ANY_OF(ending, endings, COUNT(endings), strcasestr(word, *ending));
}

/* Whether a word for tests is one of the catalogue, or a pattern or a variant, which only the catalogue has. Others are
 * folders and indices. */
static bool is_of_catalogue(const struct catalogue *catalogue, const char *word)
{
    size_t test = 0, alias = 0;
    bool family = false;
    for (size_t i = 0; i < catalogue_file_count && !family; i++)
        family =
            strncmp(catalogue_files[i].path, word, strlen(word)) == 0 && catalogue_files[i].path[strlen(word)] == '/';
    return family || strpbrk(word, ":*?[") || catalogue_at(word) ||
           catalogue_find(catalogue, word, LITMUS_NONE, &test) ||
           catalogue_find_alias(catalogue, word, LITMUS_NONE, &alias);
}

/* Adds a word, which is a value of the option, or an argument if row is NULL. */
static void export_share_add_value(struct cleaning *cleaning, const struct option_row *row, const char *start,
                                   size_t length)
{
    FREED char *word = memory_copy_part(start, length);
    const bool tests = !row || strcmp(row->metavar, "TEST") == 0;
    const bool file =
        is_file(word) || (tests ? !is_of_catalogue(&cleaning->catalogue, word) : row->file != OPTION_FILE_NONE);
    text_add(&cleaning->line, "%s", file ? "(file)" : word);
}

/* Adds an option, from its dashes on, with the value that is part of its word. */
static void add_option(struct cleaning *cleaning, const char *option, size_t length)
{
    const size_t dashes = option[1] == '-' ? 2 : 1;
    const char *equals = dashes == 2 ? memchr(option, '=', length) : NULL;
    size_t size = equals ? (size_t)(equals - option) : length;
    const struct option_row *row = NULL;
    if (dashes == 2)
        row = find_row(cleaning->verb, '\0', option + 2, size - 2);
    for (size_t at = 1; dashes == 1 && at < length && !(row && row->metavar); at++) { /* -vd FILE, -vdFILE */
        row = find_row(cleaning->verb, option[at], NULL, 0);
        size = at + 1;
    }
    const size_t value = size + (equals != NULL);
    text_add_bytes(&cleaning->line, option, value);
    if (value < length)
        export_share_add_value(cleaning, row && row->metavar ? row : NULL, option + value, length - value);
    cleaning->row = row && row->metavar && value == length && !equals ? row : NULL;
}

static void clean_command(struct text *command)
{
    struct cleaning cleaning = {.row = NULL};
    const char *at = NULL;
    cleaning.verb = find_verb(text_string(command), &at);
    catalogue_open(&cleaning.catalogue);
    text_add_bytes(&cleaning.line, text_string(command), (size_t)(at - text_string(command)));
    while (*at++ == ' ') {
        const size_t length = word_length(at);
        text_add(&cleaning.line, " ");
        const size_t quote = *at == '\'' && at[1] == '-';
        if (!cleaning.row && at[quote] == '-' && strspn(at, "-") < length) {
            add_option(&cleaning, at + quote, length - 2 * quote);
        } else if (!cleaning.row && *at == '-') {
            text_add_bytes(&cleaning.line, at, length);
        } else {
            export_share_add_value(&cleaning, cleaning.row, at, length);
            cleaning.row = NULL;
        }
        at += length;
    }
    catalogue_release(&cleaning.catalogue);
    text_release(command);
    *command = cleaning.line;
}

/* ---- texts ---- */

static enum status find_names(enum store_text kind, UNUSED const char *place, struct text *text, void *data,
                              UNUSED struct error *error)
{
    struct private_names *names = data;
    private_names_find_in(names, text_string(text));
    if (kind != STORE_TEXT_HOST)
        return STATUS_OK;
    FREED char *host = strndup(text_string(text), strcspn(text_string(text), ","));
    private_names_add_host(names, host);
    return STATUS_OK;
}

static void export_share_replace(struct text *text, char *with)
{
    text_clear(text);
    text_add(text, "%s", with);
    free(with);
}

static enum status expect_none(const struct private_names *names, const char *place, const struct text *text,
                               struct error *error)
{
    const char *found = private_names_within(names, text_string(text), text->size, true);
    return found ? error_set(
                       error, STATUS_USAGE,
                       "the name '%s' is in a text that cannot change (%s: %.60s); nothing was written: choose runs "
                       "without it (--run), or rename the test",
                       found, place, text_string(text))
                 : STATUS_OK;
}

/* A profile of another name than the built-in ones is a file without an ending. */
static bool is_file_name(const char *place, const char *text)
{
    bool profile = strcmp(place, "job.profile") == 0 && strcmp(text, "rule") != 0 && strncmp(text, "trial ", 6) != 0;
    for (const char *const *name = environment_profile_names; *name && profile; name++)
        profile = strcmp(*name, text) != 0;
    return is_file(text) || (profile && strcmp(text, "(file)") != 0);
}

static enum status clean(enum store_text kind, const char *place, struct text *text, void *data, struct error *error)
{
    const struct private_names *names = data;
    if (kind == STORE_TEXT_FIXED)
        return expect_none(names, place, text, error);
    if (kind == STORE_TEXT_COMMAND)
        clean_command(text);
    else if (kind == STORE_TEXT_HOST)
        export_share_replace(text, provenance_without_name(text_string(text)));
    else if (kind == STORE_TEXT_VARIABLES)
        export_share_replace(text, provenance_without_values(text_string(text)));
    else if (kind == STORE_TEXT_PLACE || (kind == STORE_TEXT_NAME && is_file_name(place, text_string(text))))
        export_share_replace(text, strdup("(file)"));
    private_names_leave_out(names, text);
    private_paths_leave_out(text);
    if (kind == STORE_TEXT_VARIABLES)
        export_share_replace(
            text, provenance_without_values(text_string(text))); /* a name that was left out has changed their order */
    return STATUS_OK;
}

/* Nothing that is cleaned again may change. */
static enum status expect_clean(enum store_text kind, const char *place, struct text *text, void *data,
                                struct error *error)
{
    FREED char *before = strdup(text_string(text));
    TRY(clean(kind, place, text, data, error));
    if (strcmp(before, text_string(text)) != 0)
        return error_set(error, STATUS_INTERNAL, "a text of %s still has a name after it was left out", place);
    return STATUS_OK;
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
    THEN(status, store_forget(copy, error));
    THEN(status, store_visit_texts(copy, clean, names, error));
    return status == STATUS_OK ? store_visit_texts(copy, expect_clean, names, error) : status;
}

/* Maps a file, for munmap. */
static enum status map_file(const char *path, char **bytes, size_t *size, struct error *error)
{
    struct stat file;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    *bytes = MAP_FAILED;
    if (descriptor >= 0 && fstat(descriptor, &file) == 0)
        *bytes = mmap(NULL, *size = (size_t)file.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const enum status status =
        *bytes == MAP_FAILED ? error_set(error, STATUS_SYSTEM, "cannot read the copy %s: %s", path, strerror(errno))
                             : STATUS_OK;
    if (descriptor >= 0)
        (void)close(descriptor);
    return status;
}

/* A name that every database has, as a word of its tables, tells nothing, now that the texts are clean. */
static enum status forget_words_of_tables(struct private_names *names, const char *empty, struct error *error)
{
    struct store *store = NULL;
    char *bytes;
    size_t size;
    TRY(store_open(empty, STORE_WRITE, &store, error));
    store_close(store);
    TRY(map_file(empty, &bytes, &size, error));
    private_names_forget_within(names, bytes, size);
    (void)munmap(bytes, size);
    return STATUS_OK;
}

/* Searches every byte of the copy, and gives it its name. */
static enum status write_searched(const char *copy, const struct private_names *names, const char *path,
                                  struct error *error)
{
    char *bytes;
    size_t size;
    TRY(map_file(copy, &bytes, &size, error));
    const char *found = private_names_within(names, bytes, size, false);
    const enum status status =
        found ? error_set(error, STATUS_INTERNAL, "the name '%s' is still in the copy; nothing was written", found)
              : file_write_whole(path, bytes, size, error);
    (void)munmap(bytes, size);
    return status;
}

static enum status export_share_rows(const char *database, int64_t run_id, const char *path, const char *folder,
                                     struct private_names *names, struct error *error)
{
    struct store *copy = NULL;
    const char *const whole = PRINTED(PATH_MAX, "%.4000s/whole.db", folder);
    const char *const saved = PRINTED(PATH_MAX, "%.4000s/saved.db", folder);
    const char *const empty = PRINTED(PATH_MAX, "%.4000s/empty.db", folder);
    TRY(store_open(whole, STORE_WRITE, &copy, error));
    enum status status = make_copy(database, run_id, copy, names, error);
    THEN(status, store_save(copy, saved, error));
    store_close(copy);
    THEN(status, forget_words_of_tables(names, empty, error));
    return status == STATUS_OK ? write_searched(saved, names, path, error) : status;
}

enum status export_share(const char *database, int64_t run_id, const char *path, struct error *error)
{
    struct temporary_folder folder = {.path = ""};
    LOCAL(private_names) names = {0};
    TRY(temporary_folder_open("share", &folder, error));
    private_names_find(&names);
    const enum status status = export_share_rows(database, run_id, path, folder.path, &names, error);
    temporary_folder_close(&folder);
    return status;
}
