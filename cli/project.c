// SPDX-License-Identifier: Apache-2.0
/* Finds, checks and reads a project file. */
#include "cli/project.h"

#include "base/ini.h"
#include "base/terminal/character.h"
#include "base/terminal/resemblance.h"
#include "cli/place.h"
#include "cli/verb.h"

static const char section_name[] = "gate", key_of_tests[] = "tests";

/* ---- finds it ---- */

static bool project_is_own(const struct stat *facts)
{
    return facts->st_uid == geteuid() || facts->st_uid == 0;
}

/* A file that nobody named decides what is run and written: it must be the work of this user. */
static enum status check_found(const char *path, const struct stat *facts, const char *folder, struct error *error)
{
    struct stat around;
    const char *const why = !S_ISREG(facts->st_mode)                                 ? "is not a regular file"
                            : !project_is_own(facts)                                 ? "belongs to another user"
                            : (facts->st_mode & S_IWOTH) != 0                        ? "may be changed by every user"
                            : stat(folder, &around) != 0 || !project_is_own(&around) ? "is in a folder of another user"
                                                                                     : NULL;
    return why ? error_set(error, STATUS_USAGE,
                           "%s: this project file %s: to use it, name it with --project %s; to do without, add "
                           "--no-project",
                           path, why, path)
               : STATUS_OK;
}

/* *path is NULL if there is none. */
static enum status find(struct arena *arena, const char **path, struct error *error)
{
    struct stat facts, folder, above;
    for (const char *start = "";;) {
        const char *const here = *start ? start : ".", *const next = arena_print(arena, "%s../", start);
        *path = arena_print(arena, "%s" PROJECT_FILE, start);
        if (lstat(*path, &facts) == 0)
            return check_found(*path, &facts, here, error);
        if (errno != ENOENT || stat(here, &folder) != 0 || stat(next, &above) != 0)
            return error_set(error, STATUS_UNREADABLE,
                             "%s: cannot be looked for: %s; to do without a project file, add --no-project", *path,
                             strerror(errno));
        *path = NULL;
        if (folder.st_dev == above.st_dev && folder.st_ino == above.st_ino)
            return STATUS_OK;
        start = next;
    }
}

/* ---- its text ---- */

/* What inih would cut, take for something else, or pass over. */
static enum status check_text(const char *path, const struct text *text, struct error *error)
{
    static const char section[] = "[gate]";
    const char *line = text_string(text), *at = line;
    size_t number = 1;
    for (uint32_t code; at < text_string(text) + text->size;) {
        const size_t size =
            *at == '\n' || *at == '\t' || (at[0] == '\r' && at[1] == '\n') ? 1 : character_read(at, &code);
        if (size == 0 || (size > 1 && character_deceives(code)))
            return error_set(error, STATUS_SYNTAX, "%s:%zu:%zu: expected UTF-8 text without control characters", path,
                             number, (size_t)(at - line) + 1);
        if (at == line && at[strspn(at, " \t")] == '[' && strncmp(at + strspn(at, " \t"), section, 6) != 0)
            return error_set(error, STATUS_SYNTAX, "%s:%zu:%zu: expected [gate], the only section", path, number,
                             strspn(at, " \t") + 1);
        at += size;
        if (at[-1] == '\n') {
            line = at;
            number++;
        }
    }
    return STATUS_OK;
}

/* ---- its lines ---- */

const struct option_row *project_find_row(const struct verb *verb, const char *name)
{
    for (const struct option_row *row = verb->options; row->name || row->help; row++)
        if (row->name && strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

struct project_reader {
    struct ini_reader ini;
    const struct verb *verb;
    struct arena *arena;
    struct project *project;
    const char *folder; /* "", or with a '/' at its end */
};

static bool refuse_key(struct project_reader *reader, const char *name)
{
    struct resemblance best = {0};
    LOCAL(text) text = {0};
    bool is_option = false;
    for (const struct verb *const *verb = reader->verb->project; *verb; verb++) {
        is_option |= project_find_row(*verb, name) != NULL;
        for (const struct option_row *row = (*verb)->options; row->name || row->help; row++)
            if (row->project)
                resemblance_offer(&best, name, row->name);
    }
    if (!is_option)
        resemblance_print(&best, &text);
    (void)ini_refuse(&reader->ini, "%s '%.100s'%s", is_option ? "only the command line may have" : "unknown key", name,
                     text_string(&text));
    return false;
}

/* The row of a key: of this verb, else of one that has it; NULL: none. */
static const struct option_row *find_key(const struct verb *verb, const char *name, bool *of_verb)
{
    const struct option_row *row = project_find_row(verb, name);
    *of_verb = row && row->project;
    for (const struct verb *const *other = verb->project; *other && !(row && row->project); other++)
        row = project_find_row(*other, name);
    return row && row->project ? row : NULL;
}

/* Whether a path is that of an output below the folder, by its parts and after all links. */
static bool is_below(const struct project_reader *reader, const char *value)
{
    static const char *const parts[] = {"..", ".git"};
    struct place folder, place;
    bool fits = value[0] != '/' && strcmp(value, "-") != 0;
    for (const char *at = value; *at && fits; at += strspn(at, "/")) {
        const size_t size = strcspn(at, "/");
        for (size_t i = 0; i < COUNT(parts); i++)
            fits &= size != strlen(parts[i]) || memcmp(at, parts[i], size) != 0;
        at += size;
    }
    return fits && place_find(*reader->folder ? reader->folder : ".", &folder) &&
           place_find(arena_print(reader->arena, "%s%s", reader->folder, value), &place) &&
           place_is_below(&place, &folder);
}

/* A word from the working folder, if it is a path of the folder. may_be_name: it may also be a name, so it is only a
 * path if there is such a file. */
static char *from_here(const struct project_reader *reader, const char *word, size_t size, bool may_be_name)
{
    const size_t mark = word[0] == '@'; /* of an index of tests */
    char *const path =
        arena_print(reader->arena, "%.*s%s%.*s", (int)mark, word, reader->folder, (int)(size - mark), word + mark);
    struct stat facts;
    const bool is_path = word[mark] != '/' && (!may_be_name || stat(path + mark, &facts) == 0);
    return is_path ? path : arena_copy_part(reader->arena, word, size);
}

static void take_tests(struct project_reader *reader, const char *value)
{
    struct verb_arguments *tests = &reader->project->tests;
    for (const char *at = value + strspn(value, " \t"); *at; at += strspn(at, " \t")) {
        const size_t size = strcspn(at, " \t");
        ARENA_ADD(reader->arena, tests->list, tests->count) = from_here(reader, at, size, true);
        at += size;
    }
}

static bool take_line(struct ini_reader *ini, const char *section, const char *name, const char *value)
{
    struct project_reader *reader = ini->context;
    struct project *project = reader->project;
    const bool is_tests = strcmp(name, key_of_tests) == 0;
    bool is_given = is_tests && project->tests.count > 0;
    struct project_line line = {.place = arena_print(reader->arena, "%s:%d:1", project->path, ini->line)};
    if (strcmp(section, section_name) != 0)
        return ini_refuse(ini, "expected [gate] before '%.100s'", name);
    for (size_t i = 0; i < project->count; i++)
        is_given |= strcmp(project->lines[i].row->name, name) == 0;
    if (is_given) /* inih also continues a value so */
        return ini_refuse(ini, "'%.100s' is given twice, or this line begins with a blank", name);
    line.row = is_tests ? NULL : find_key(reader->verb, name, &line.of_verb);
    if (!is_tests && !line.row)
        return refuse_key(reader, name);
    if (!*value)
        return ini_refuse(ini, "expected a value after '%.100s ='", name);
    if (is_tests) {
        take_tests(reader, value);
        return true;
    }
    const enum option_file file = line.row->file;
    if (file > OPTION_FILE_READ && !is_below(reader, value))
        return ini_refuse(ini, "%s: expected a path below the folder of this file, found '%.200s'", name, value);
    const bool may_be_name = line.row->metavar && strncmp(line.row->metavar, "NAME|", 5) == 0;
    line.value = file == OPTION_FILE_NONE ? arena_copy(reader->arena, value)
                                          : from_here(reader, value, strlen(value), may_be_name);
    ARENA_ADD(reader->arena, project->lines, project->count) = line;
    return true;
}

enum status project_read(const char *named, const struct verb *verb, struct arena *arena, struct project *project,
                         struct error *error)
{
    enum { MAXIMUM = 64 * 1024 };
    LOCAL(text) text = {0};
    *project = (struct project){.path = named};
    if (!named)
        TRY(find(arena, &project->path, error));
    if (!project->path)
        return STATUS_OK;
    const char *const slash = strrchr(project->path, '/');
    struct project_reader reader = {
        .ini = {.take = take_line, .context = &reader},
        .verb = verb,
        .arena = arena,
        .project = project,
        .folder = arena_copy_part(arena, project->path, slash ? (size_t)(slash - project->path) + 1 : 0)};
    TRY(file_read_whole(project->path, MAXIMUM, &text, error));
    TRY(check_text(project->path, &text, error));
    return ini_read(&reader.ini, project->path, text_string(&text), "expected [gate], KEY = VALUE or a comment", error);
}
