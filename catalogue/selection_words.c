// SPDX-License-Identifier: Apache-2.0
/* The meanings of a word: tests of files and folders, of the catalogue by name, family and path, and the words of an
 * index. */
#include <fnmatch.h>

#include "base/terminal/resemblance.h"
#include "catalogue/selection_parts.h"

/* ---- the tests of a file ---- */

static const char *family_title(const struct template *template)
{
    return template_is_family(template) ? template_title(template) : NULL;
}

static enum status add_instance(struct maker *maker, const char *path, const struct template *template, size_t instance)
{
    struct litmus_test *test;
    TRY(template_test(template, instance, &test, maker->error));
    (void)selection_add(maker, test, path, family_title(template));
    return STATUS_OK;
}

/* With many files, adds the instances that can be read; the first that cannot is listed for its file. */
static enum status add_instances(struct maker *maker, const char *path, const struct template *template, size_t size,
                                 bool of_many)
{
    bool listed = false;
    for (size_t i = 0; i < template_count(template); i++) {
        TRY(selection_count(maker, 1, size)); /* an instance is parsed as a file of about this size */
        enum status status = add_instance(maker, path, template, i);
        const bool fault = of_many && selection_is_fault(status);
        if (fault)
            status = listed ? STATUS_OK : selection_pass_over(maker, status);
        listed |= fault;
        TRY(status);
    }
    return STATUS_OK;
}

/* Only a file that the command line names may be a pipe. */
static enum status selection_words_read_test(struct maker *maker, const char *path, bool of_many, struct text *text)
{
    TRY(of_many ? file_read_whole(path, LITMUS_MAXIMUM_FILE, text, maker->error)
                : litmus_read_file(path, text, maker->error));
    return selection_count(maker, 0, text->size);
}

/* The tests of a file. of_many: instances that cannot be read are skipped. */
static enum status selection_add_file(struct maker *maker, const char *path, bool of_many)
{
    LOCAL(text) text = {0};
    struct template *template = NULL;
    enum status status = selection_words_read_test(maker, path, of_many, &text);
    THEN(status, template_parse(path, text_string(&text), text.size, &template, maker->error));
    THEN(status, add_instances(maker, path, template, text.size, of_many));
    template_release(template);
    return status;
}

/* ---- the tests below a folder, within bounds: links may form cycles, and entries need not be files ---- */

enum { MAXIMUM_DEPTH = 64 }; /* of folders */

/* Whether a folder is new: links may lead to it in many ways, all with the same files. */
static bool walk_enter(struct maker *maker, const struct stat *what)
{
    const uint64_t key = selection_file_key(what);
    size_t item;
    for (size_t step = 0; hash_index_next(&maker->folder_keys, key, &step, &item);)
        if (maker->folders[item].st_dev == what->st_dev && maker->folders[item].st_ino == what->st_ino)
            return false;
    hash_index_add(&maker->folder_keys, key, maker->folder_count);
    LIST_ADD(maker->folders, maker->folder_count, maker->folder_room) = *what;
    return true;
}

static enum status walk_folder(struct maker *maker, const char *path, const struct stat *what, unsigned depth);

/* The caller skips errors that concern only this entry. */
static enum status walk_entry(struct maker *maker, const char *path, unsigned depth)
{
    struct stat what;
    const bool is_test = selection_ends_in(path, ".litmus");
    if (stat(path, &what) == 0)
        return S_ISDIR(what.st_mode) ? walk_folder(maker, path, &what, depth + 1)
               : is_test             ? selection_add_file(maker, path, true)
                                     : STATUS_OK;
    if (!is_test)
        return STATUS_OK;
    return error_set(maker->error, STATUS_UNREADABLE, "%s: %s%s", path,
                     errno == ENOENT ? "broken link" : "cannot be read: ", errno == ENOENT ? "" : strerror(errno));
}

static enum status walk_folder(struct maker *maker, const char *path, const struct stat *what, unsigned depth)
{
    LOCAL(folder) folder = {0};
    LOCAL(text) child = {0};
    if (!walk_enter(maker, what))
        return STATUS_OK;
    if (depth > MAXIMUM_DEPTH)
        return error_set(maker->error, STATUS_LIMIT, "%s: more than %d folders deep", path, MAXIMUM_DEPTH);
    TRY(folder_read(path, SELECTION_MAXIMUM_ENTRIES, &folder, maker->error));
    for (size_t i = 0; i < folder.count; i++) {
        text_clear(&child);
        text_add(&child, "%s%s%s", path, selection_ends_in(path, "/") ? "" : "/", folder.names[i]);
        TRY(selection_count_entry(maker));
        TRY(selection_pass_over(maker, walk_entry(maker, text_string(&child), depth)));
    }
    return STATUS_OK;
}

static enum status selection_add_folder(struct maker *maker, const char *path, const struct stat *what)
{
    FREED char *copy = memory_copy(path);
    for (size_t length = strlen(copy); length > 1 && copy[length - 1] == '/'; length--)
        copy[length - 1] = '\0';
    enum status status = walk_folder(maker, copy, what, 0);
    if (status == STATUS_OK && maker->matched == 0)
        status = error_set(maker->error, STATUS_USAGE, "%s: no .litmus file below this folder", path);
    hash_index_release(&maker->folder_keys);
    free(maker->folders);
    maker->folders = NULL;
    maker->folder_count = maker->folder_room = 0;
    return status;
}

/* Tests of a file or of all files below a folder. Files below a folder may be skipped; so may instances of a file that
 * is one of many, as in an index. */
static enum status selection_add_path(struct maker *maker, const char *path, bool of_many)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode) ? selection_add_folder(maker, path, &what)
                                                           : selection_add_file(maker, path, of_many);
}

/* ---- tests of the catalogue ---- */

static enum status add_entry(struct maker *maker, const struct catalogue_entry *entry)
{
    struct litmus_test *test;
    TRY(selection_count(maker, 1, 0));
    TRY(template_test(entry->template, entry->instance, &test, maker->error));
    struct selected_test *added = selection_add(maker, test, entry->file->path, family_title(entry->template));
    if (added) {
        added->source = entry->template;
        added->instance = entry->instance;
    }
    return STATUS_OK;
}

/* A file without entries does not parse; reading it reports the error. */
static enum status add_embedded_file(struct maker *maker, size_t number)
{
    const struct catalogue *catalogue = &maker->selection->catalogue;
    const struct catalogue_file *file = &catalogue_files[number];
    struct template *template = catalogue->templates[number];
    if (!template) {
        const enum status status = template_parse(file->path, file->text, file->size, &template, maker->error);
        template_release(template);
        return status;
    }
    for (size_t i = 0; i < template_count(template); i++) {
        const struct catalogue_entry entry = {.file = file, .template = template, .instance = i};
        TRY(add_entry(maker, &entry));
    }
    return STATUS_OK;
}

/* ---- names ---- */

static bool is_glob(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

static enum status no_such_name(const struct catalogue *catalogue, const char *word, const char *name, int dialect,
                                struct error *error)
{
    LOCAL(text) text = {0};
    text_add(&text, "no test%s of the catalogue%s%s %s '%s'", is_glob(name) ? "" : " or family",
             dialect == LITMUS_NONE ? "" : " in ",
             dialect == LITMUS_NONE ? "" : litmus_dialect_name((enum litmus_dialect)dialect),
             is_glob(name) ? "matches" : "is called", name);
    const bool ptx = selection_ends_in(word, ".ptx");
    if (!ptx)
        catalogue_suggest(catalogue, name + (strchr(name, ':') ? strcspn(name, ":") + 1 : 0), dialect, &text);
    if (!is_glob(name))
        selection_hint_variant(name, dialect, &text);
    if (ptx)
        text_add(&text, "; 'orchil audit %s' reads the PTX of programs", word);
    else if (access(word, F_OK) == 0)
        text_add(&text, "; to mean the file of that name, write ./%s", word);
    text_add(&text, "; 'orchil list --search WORD' searches");
    return error_set(error, STATUS_USAGE, "%s", text_string(&text));
}

/* Adds the test that an alias names, with a note. */
static enum status add_alias(struct maker *maker, const struct catalogue_alias *alias, bool noted)
{
    size_t step = 0;
    const struct catalogue_entry *entry =
        catalogue_find(&maker->selection->catalogue, alias->test, (int)alias->dialect, &step);
    if (noted)
        selection_note(maker, "'%s' is an alias of the %s test %s", alias->name, litmus_dialect_name(alias->dialect),
                       alias->test);
    return entry ? add_entry(maker, entry) : selection_add_variant(maker, alias->test, alias->dialect);
}

static enum status add_named(struct maker *maker, const char *name, int dialect, bool noted)
{
    const struct catalogue *catalogue = &maker->selection->catalogue;
    const struct catalogue_entry *entry;
    const struct catalogue_alias *alias;
    for (size_t step = 0; (entry = catalogue_find(catalogue, name, dialect, &step));)
        TRY(add_entry(maker, entry));
    for (size_t step = 0; (alias = catalogue_find_alias(catalogue, name, dialect, &step));)
        TRY(add_alias(maker, alias, noted));
    return STATUS_OK;
}

static enum status add_matches(struct maker *maker, const char *glob, int dialect)
{
    const struct catalogue *catalogue = &maker->selection->catalogue;
    FOR_EACH(const struct catalogue_entry, entry, catalogue->entries, catalogue->count)
        if ((dialect == LITMUS_NONE || dialect == (int)entry->dialect) && fnmatch(glob, entry->name, 0) == 0)
            TRY(selection_pass_over(maker, add_entry(maker, entry)));
    return STATUS_OK;
}

/* ---- families ---- */

/* Is the file one of the family, in that dialect, if one is given? A file that does not parse has no dialect. */
static bool is_of_family(const struct catalogue *catalogue, size_t file, const char *name, size_t length, int dialect)
{
    const char *path = catalogue_files[file].path;
    const struct template *template = catalogue->templates[file];
    return strncmp(path, name, length) == 0 && path[length] == '/' && selection_ends_in(path, ".litmus") &&
           (dialect == LITMUS_NONE || (template && dialect == (int)template_dialect(template)));
}

static enum status selection_words_add_family(struct maker *maker, const char *name, size_t length, int dialect)
{
    for (size_t i = 0; i < catalogue_file_count; i++)
        if (is_of_family(&maker->selection->catalogue, i, name, length, dialect))
            TRY(selection_pass_over(maker, add_embedded_file(maker, i)));
    return STATUS_OK;
}

static bool is_family(const struct catalogue *catalogue, const char *name, size_t length, int dialect)
{
    return length > 0 &&
           ANY_NUMBER(size_t, i, 0, catalogue_file_count, is_of_family(catalogue, i, name, length, dialect));
}

/* ---- what a name means ---- */

/* The folder of that name at the word's place, owned by the caller; or NULL. */
static char *find_folder(const char *word, const struct origin *origin)
{
    struct stat what;
    LOCAL(text) path = {0};
    text_add(&path, "%s%s", origin->folder, word);
    if (!origin->embedded && stat(text_string(&path), &what) == 0 && S_ISDIR(what.st_mode))
        return text_take(&path);
    return NULL;
}

/* A name: of tests, of a family, of a folder, or of a variant. */
static enum status selection_words_add_name(struct maker *maker, const char *word, const char *name, int dialect,
                                            const struct origin *origin)
{
    const size_t length = strcspn(name, "/"); /* "ptx:MP/" is a family, too */
    const bool family = is_family(&maker->selection->catalogue, name, length, dialect);
    TRY(add_named(maker, name, dialect, origin->depth == 0));
    const bool test = maker->matched > 0;
    FREED char *folder = find_folder(word, origin);
    enum status status = STATUS_OK;
    if (origin->depth == 0) {
        /* For a word of the command line that was taken as a test or a family: notes what else it could mean. */
        const char *taken = test ? "test" : "family";
        if (test && family)
            selection_note(maker, "'%s' means the test of that name; for the family, write %s/", word, word);
        if ((test || family) && folder)
            selection_note(maker, "'%s' means the %s of the catalogue; for the folder of that name here, write ./%s",
                           word, taken, word);
    }
    if (!test && family)
        status = selection_words_add_family(maker, name, length, dialect);
    else if (!test && folder)
        status = selection_add_path(maker, folder, origin->depth > 0);
    else if (!test && dialect != LITMUS_NONE)
        status = selection_add_variant(maker, name, (enum litmus_dialect)dialect);
    return status;
}

/* Tests of the catalogue: by name or glob, by the name of a family, and by the path of a file or folder. The name may
 * also name a folder at the origin. */
static enum status selection_add_names(struct maker *maker, const char *word, const struct origin *origin)
{
    int dialect;
    const char *name = catalogue_dialect(word, &dialect);
    if (is_glob(name))
        TRY(add_named(maker, name, dialect, origin->depth == 0)); /* "R9+[a]" is one */
    if (is_glob(name) && maker->matched == 0)
        TRY(add_matches(maker, name, dialect));
    if (!is_glob(name))
        TRY(selection_words_add_name(maker, word, name, dialect, origin));
    return maker->matched > 0 ? STATUS_OK
                              : no_such_name(&maker->selection->catalogue, word, name, dialect, maker->error);
}

enum status selection_find(const struct selection *selection, const char *name, enum litmus_dialect dialect,
                           struct selected_test *found, struct error *error)
{
    size_t step = 0;
    const struct catalogue_entry *entry = catalogue_find(&selection->catalogue, name, (int)dialect, &step);
    *found = (struct selected_test){0};
    if (!entry) {
        size_t alias_step = 0, test_step = 0;
        const struct catalogue_alias *alias =
            catalogue_find_alias(&selection->catalogue, name, (int)dialect, &alias_step);
        name = alias ? alias->test : name;
        entry = alias ? catalogue_find(&selection->catalogue, name, (int)dialect, &test_step) : NULL;
    }
    if (!entry)
        TRY(selection_find_variant(name, dialect, found, error));
    if (!entry)
        return found->test ? STATUS_OK : no_such_name(&selection->catalogue, name, name, (int)dialect, error);
    TRY(template_test(entry->template, entry->instance, &found->test, error));
    const char *title = family_title(entry->template);
    found->file = memory_copy(entry->file->path);
    found->template = title ? memory_copy(title) : NULL;
    return STATUS_OK;
}

const struct selected_test *selection_get(const struct selection *selection, const char *name,
                                          enum litmus_dialect dialect)
{
    return FIRST_OF(test, selection->tests, selection->count,
                    test->test->dialect == dialect && strcmp(test->test->name, name) == 0);
}

bool selection_would_find(const struct selection *selection, const struct selected_test *test)
{
    size_t step = 0;
    const struct catalogue_entry *entry =
        catalogue_find(&selection->catalogue, test->test->name, (int)test->test->dialect, &step);
    return test->source && entry && entry->template == test->source && entry->instance == test->instance;
}

/* ---- paths of the catalogue ---- */

/* Is the file at the path, which has no '/' at its end, or below it? */
static bool lies_at(const struct catalogue_file *file, const char *path, size_t length)
{
    return selection_ends_in(file->path, ".litmus") && strncmp(file->path, path, length) == 0 &&
           (file->path[length] == '/' || file->path[length] == '\0' || length == 0);
}

static size_t length_of(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    return length;
}

/* Whether a path is missing in the working directory but exists in the catalogue. */
static bool selection_means_embedded(const char *path)
{
    const size_t length = length_of(path);
    if (length == 0 || access(path, F_OK) == 0)
        return false;
    return ANY_OF(file, catalogue_files, catalogue_file_count, lies_at(file, path, length));
}

/* A file, or all tests below a folder. */
enum status selection_add_embedded(struct maker *maker, const char *path)
{
    const size_t length = length_of(path);
    for (size_t i = 0; i < catalogue_file_count; i++) {
        if (!lies_at(&catalogue_files[i], path, length))
            continue;
        const enum status status = add_embedded_file(maker, i);
        TRY(strlen(catalogue_files[i].path) > length ? selection_pass_over(maker, status) : status);
    }
    if (maker->matched == 0)
        return error_set(maker->error, STATUS_USAGE, "the catalogue has no test at %s", path);
    return STATUS_OK;
}

/* ---- the settings of a suite, in an index ---- */

enum { SETTING_BUDGET, SETTING_CONFIDENCE, SETTING_SCORE, SETTING_COUNT };

static bool read_confidence(const char *value, double *confidence)
{
    char *end;
    *confidence = strtod(value, &end);
    return isdigit((unsigned char)*value) && *end == '\0' && *confidence > 0 && *confidence < 1;
}

static bool read_score(const char *value, double *score)
{
    *score = strcmp(value, "mutants") == 0       ? SELECTION_SCORES_MUTANTS
             : strcmp(value, "assumptions") == 0 ? SELECTION_SCORES_ASSUMPTIONS
                                                 : SELECTION_SCORES_NOTHING;
    return *score > 0;
}

static const struct {
    const char *name;
    bool (*read)(const char *value, double *result);
    const char *expected;
} settings[SETTING_COUNT] = {
    [SETTING_BUDGET] = {"budget", quantity_parse_seconds, "a positive number of seconds, such as 90, 2m or 1h"},
    [SETTING_CONFIDENCE] = {"confidence", read_confidence, "a number between 0 and 1 (exclusive), such as 0.95"},
    [SETTING_SCORE] = {"score", read_score, "mutants or assumptions"},
};

/* "NAME = VALUE", where NAME has only letters: a test's name or a path may contain '='. */
static bool is_setting(const char *line, size_t *name, const char **value)
{
    *name = 0;
    while (isalpha((unsigned char)line[*name]) || line[*name] == '_')
        ++*name;
    *value = line + *name + strspn(line + *name, " \t");
    if (*name == 0 || **value != '=')
        return false;
    *value += 1 + strspn(*value + 1, " \t");
    return true;
}

/* suite: the value of each setting; 0: not set. */
static enum status read_setting(double suite[SETTING_COUNT], const char *line, size_t size, const char *value,
                                const char *place, struct error *error)
{
    LOCAL(text) known = {0};
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        text_add(&known, "%s%s", i > 0 ? " or " : "", settings[i].name);
        if (strlen(settings[i].name) != size || strncmp(settings[i].name, line, size) != 0)
            continue;
        if (suite[i] > 0)
            return error_set(error, STATUS_SYNTAX, "%s: expected one line for %s, found a second one", place,
                             settings[i].name);
        if (!settings[i].read(value, &suite[i]))
            return error_set(error, STATUS_SYNTAX, "%s: %s: expected %s, found '%s'", place, settings[i].name,
                             settings[i].expected, value);
        return STATUS_OK;
    }
    (void)error_set(error, STATUS_SYNTAX, "%s: expected the setting %s, found '%.*s'", place, text_string(&known),
                    (int)size, line);
    return STATUS_SYNTAX;
}

/* ---- the lines of an index ---- */

/* The word of a line without surrounding spaces and without a comment (from '#' on). */
static char *word_of_line(const char *line, size_t size)
{
    const char *comment = memchr(line, '#', size);
    if (comment)
        size = (size_t)(comment - line);
    while (size > 0 && strchr(" \t\r", line[size - 1]))
        size--;
    while (size > 0 && strchr(" \t", *line)) {
        line++;
        size--;
    }
    return memory_copy_part(line, size);
}

/* Adds the place of a word that selected nothing; an error in a test's file has its own place. */
static enum status selection_words_add_place(enum status status, const char *place, struct error *error)
{
    if (!error || (status != STATUS_USAGE && status != STATUS_UNREADABLE))
        return status;
    const struct error inner = *error;
    return error_set(error, STATUS_SYNTAX, "%s: %s", place, inner.text);
}

static const char generate_word[] = "generate";

static bool is_generation(const char *line)
{
    const size_t size = strlen(generate_word);
    return strncmp(line, generate_word, size) == 0 && (line[size] == '\0' || strchr(" \t", line[size]));
}

/* One line; its paths are relative to the index. */
static enum status selection_words_add_line(struct maker *maker, double suite[SETTING_COUNT], char *line,
                                            const char *place, const struct origin *origin)
{
    size_t size;
    const char *value;
    if (line[0] == '\0')
        return STATUS_OK;
    if (is_setting(line, &size, &value))
        return read_setting(suite, line, size, value, place, maker->error);
    if (is_generation(line))
        return selection_words_add_place(selection_add_generated(maker, line + strlen(generate_word)), place,
                                         maker->error);
    /* A test's file that cannot be read is listed as unread; an unknown name or a bad index is an error of this
     * index. */
    const enum status status = selection_add_word(maker, line, origin);
    const enum status placed = selection_words_add_place(status, place, maker->error);
    return catalogue_is_index(line) || status == STATUS_USAGE ? placed : selection_pass_over(maker, placed);
}

static enum status selection_words_add_lines(struct maker *maker, const char *path, const char *text,
                                             const struct origin *origin)
{
    double suite[SETTING_COUNT] = {0};
    LOCAL(text) place = {0};
    size_t matched = 0;
    unsigned number = 1;
    enum status status = STATUS_OK;
    for (const char *line = text; *line && status == STATUS_OK; number++) {
        const size_t size = strcspn(line, "\n");
        FREED char *word = word_of_line(line, size);
        text_clear(&place);
        text_add(&place, "%s:%u:1", path, number);
        maker->matched = 0;
        status = selection_words_add_line(maker, suite, word, text_string(&place), origin);
        matched += maker->matched;
        line += size + (line[size] == '\n' ? 1 : 0);
    }
    maker->matched = matched;
    if (status == STATUS_OK && matched == 0)
        status = error_set(maker->error, STATUS_USAGE, "%s: the index names no test", path);
    if (status == STATUS_OK && origin->depth == 1) {
        /* Suites of one command line share one run. */
        maker->selection->budget += suite[SETTING_BUDGET];
        if (suite[SETTING_CONFIDENCE] > maker->selection->confidence)
            maker->selection->confidence = suite[SETTING_CONFIDENCE];
        if (maker->selection->score == SELECTION_SCORES_NOTHING)
            maker->selection->score = (enum selection_score)suite[SETTING_SCORE];
    }
    return status;
}

/* ---- index files ---- */

static bool is_same_index(const struct origin *left, const struct origin *right)
{
    if (left->embedded != right->embedded)
        return false;
    return left->embedded ? strcmp(left->index, right->index) == 0
                          : left->device == right->device && left->file == right->file;
}

/* "@a names @b, which names @a". */
static enum status check_circle(const struct origin *index, struct error *error)
{
    const struct origin *same = index->above;
    LOCAL(text) names = {0}, chain = {0};
    while (same && (!same->index || !is_same_index(same, index)))
        same = same->above;
    if (!same)
        return STATUS_OK;
    for (const struct origin *link = index->above; link != same; link = link->above) {
        text_clear(&chain);
        text_add(&chain, " names %s, which%s", link->index, text_string(&names));
        text_clear(&names);
        text_add(&names, "%s", text_string(&chain));
    }
    return error_set(error, STATUS_USAGE, "the index names itself: %s%s names %s", same->index, text_string(&names),
                     index->index);
}

static uint64_t index_key(const struct origin *index)
{
    const char *const identity = PRINTED(64, "%" PRIu64 ":%" PRIu64, index->device, index->file);
    return index->embedded ? hash_index_key(1, index->index) : hash_index_key(0, identity);
}

/* Reading a nested index twice would add nothing: its tests are selected, and its settings do not count. */
static bool is_read(const struct maker *maker, const struct origin *index)
{
    size_t item;
    for (size_t step = 0; index->depth > 1 && hash_index_next(&maker->index_keys, index_key(index), &step, &item);)
        if (is_same_index(&maker->indices[item], index))
            return true;
    return false;
}

static enum status read_index(struct maker *maker, struct origin *index, struct text *text)
{
    struct stat what;
    const struct catalogue_file *file = index->embedded ? catalogue_at(index->index) : NULL;
    if (index->embedded && !file)
        return error_set(maker->error, STATUS_USAGE, "the catalogue has no index %s", index->index);
    if (!index->embedded && stat(index->index, &what) == 0) {
        index->device = (uint64_t)what.st_dev;
        index->file = (uint64_t)what.st_ino;
    }
    TRY(check_circle(index, maker->error));
    if (index->depth > SELECTION_MAXIMUM_NESTING)
        return error_set(maker->error, STATUS_USAGE, "indices nest deeper than %d", SELECTION_MAXIMUM_NESTING);
    if (is_read(maker, index))
        return STATUS_OK;
    if (file)
        text_add(text, "%s", file->text);
    else
        TRY(file_read_whole(index->index, LITMUS_MAXIMUM_FILE, text, maker->error));
    if (strlen(text_string(text)) != text->size)
        return error_set(maker->error, STATUS_SYNTAX, "%s:1:1: expected text, found NUL bytes", index->index);
    return selection_count(maker, 0, text->size);
}

/* Adds the tests of an index, and its settings if it is on the command line. */
static enum status selection_add_index(struct maker *maker, const char *path, bool embedded, const struct origin *above)
{
    LOCAL(text) text = {0};
    const char *slash = strrchr(path, '/');
    FREED char *folder = memory_copy_part(path, slash ? (size_t)(slash - path) + 1 : 0);
    struct origin index = {
        .folder = folder, .embedded = embedded, .depth = above->depth + 1, .above = above, .index = path};
    enum status status = read_index(maker, &index, &text);
    if (status == STATUS_OK && is_read(maker, &index)) {
        maker->matched++;
    } else if (status == STATUS_OK) {
        status = selection_words_add_lines(maker, path, text_string(&text), &index);
        if (status == STATUS_OK) {
            struct origin *noted = &LIST_ADD(maker->indices, maker->index_count, maker->index_room);
            *noted = (struct origin){.embedded = index.embedded, .device = index.device, .file = index.file};
            if (index.embedded)
                noted->index = catalogue_at(index.index)->path; /* which lives as long as the program */
            hash_index_add(&maker->index_keys, index_key(&index), maker->index_count - 1);
        }
    }
    return status;
}

/* ---- a word ---- */

static bool is_path(const char *word)
{
    return strchr(word, '/') || selection_ends_in(word, ".litmus") || selection_ends_in(word, ".cu") ||
           selection_ends_in(word, ".cl") || strcmp(word, ".") == 0 || strcmp(word, "..") == 0;
}

/* "ptx:MP/": not a path, unless it exists. */
static bool is_family_of_dialect(const char *word)
{
    int dialect;
    const char *name = catalogue_dialect(word, &dialect);
    const char *slash = strchr(name, '/');
    return dialect != LITMUS_NONE && slash && slash > name && slash[1] == '\0' && access(word, F_OK) != 0;
}

static enum status selection_words_add_path(struct maker *maker, const char *path, const struct origin *origin)
{
    if (catalogue_is_index(path))
        return selection_add_index(maker, path, origin->embedded, origin);
    if (origin->embedded || (origin->depth == 0 && selection_means_embedded(path)))
        return selection_add_embedded(maker, path);
    return selection_add_path(maker, path, origin->depth > 0);
}

/* "@quik", which is neither a file nor an index of the catalogue. */
static enum status no_such_index(const char *word, struct error *error)
{
    struct resemblance best = {0};
    LOCAL(text) close = {0}, suites = {0};
    for (size_t i = 0; i < catalogue_file_count; i++)
        if (catalogue_is_index(catalogue_files[i].path))
            resemblance_offer(&best, word, catalogue_files[i].path);
    resemblance_print(&best, &close);
    catalogue_add_suites(&suites);
    return error_set(error, STATUS_UNREADABLE,
                     "no suite of the catalogue and no file is called '%s'%s; the suites are%s", word,
                     text_string(&close), text_string(&suites));
}

/* Sorts the tests of a word by name, unless it is an index, which has its own order. */
enum status selection_add_word(struct maker *maker, const char *word, const struct origin *origin)
{
    const size_t first = maker->selection->count;
    TRY(selection_count(maker, 1, 0));
    if ((!is_path(word) && word[0] != '@') || is_family_of_dialect(word)) {
        TRY(selection_add_names(maker, word, origin));
        selection_sort(maker->selection, first);
        return STATUS_OK;
    }
    /* On the command line, the catalogue's @quick takes precedence over a file of the working directory. */
    if (origin->depth == 0 && !is_path(word) && catalogue_at(word))
        return selection_add_index(maker, word, true, origin);
    if (origin->depth == 0 && !is_path(word) && access(word, F_OK) != 0)
        return no_such_index(word, maker->error);
    LOCAL(text) path = {0};
    while (word[0] == '.' && word[1] == '/' && origin->embedded)
        word += 2;
    text_add(&path, "%s%s", word[0] == '/' ? "" : origin->folder, word);
    const enum status status = selection_words_add_path(maker, text_string(&path), origin);
    if (status == STATUS_OK && !catalogue_is_index(word))
        selection_sort(maker->selection, first);
    return status;
}
