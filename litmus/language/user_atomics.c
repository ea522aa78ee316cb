// SPDX-License-Identifier: Apache-2.0
/* Loads a user's header of atomics: its names, its hash, and what kernels have before their own text. */
#include "litmus/language/user_atomics.h"

#include <jansson.h>
#include <sys/stat.h>

#include "base/json.h"
#include "litmus/litmus.h"

enum {
    MAXIMUM_FILES = 4096, /* that it includes */
    MAXIMUM_BYTES = 32 * 1024 * 1024,
    NAME_DIGITS = 10 /* of the hash in its name */
};

/* What precedes the kernels of a backend. */
struct prologue {
    const char *prelude, *text;
};

/* The loaded header. */
static struct {
    struct arena arena;
    char *file;     /* NULL: none is loaded */
    char *name;     /* "my.h:1a2b3c4d5e" */
    char **folders; /* its own first; NULL-terminated */
    const char **definitions;
    size_t folder_count, definition_count;
    bool only, library;
    char *argument;
    const char *options; /* of a command that loads it */
    char hash[HASH_HEX_SIZE];
    const char **names;
    size_t name_count;
    struct prologue *prologues;
    size_t prologue_count;
} loaded;

/* ---- reading C as words ---- */

/* A place in a text whose comments, strings and numbers are skipped. */
struct word_reader {
    const char *at;
    unsigned line;
    bool directive; /* the word is the first after a # that begins a line */
    bool fresh;     /* nothing but blanks before it on its line */
};

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

/* Behind a comment or a literal that starts here; the same place if none does. */
static const char *skip_quoted(const char *at, unsigned *line)
{
    const bool block = at[0] == '/' && at[1] == '*';
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (!block && at[0] != '"' && at[0] != '\'')
        return at;
    const char quote = *at;
    for (at += block ? 2 : 1; *at; at++) {
        *line += *at == '\n';
        if (block ? at[0] == '*' && at[1] == '/' : *at == quote || *at == '\n')
            return at + (block ? 2 : *at == quote);
        at += !block && *at == '\\' && at[1] && at[1] != '\n';
    }
    return at;
}

/* The next word and its size; NULL at the end. */
static const char *words_next(struct word_reader *words, size_t *size)
{
    words->directive = false;
    while (*words->at) {
        const char *const start = words->at;
        if (*start == '\n') {
            words->line++;
            words->fresh = true;
            words->at++;
        } else if (is_word(*start)) {
            while (is_word(*words->at) || (isdigit((unsigned char)*start) && *words->at == '\''))
                words->at++;
            *size = (size_t)(words->at - start);
            words->fresh = false;
            if (!isdigit((unsigned char)*start))
                return start;
        } else if ((words->at = skip_quoted(start, &words->line)) == start) {
            words->directive = *start == '#' && words->fresh;
            words->fresh &= *start == ' ' || *start == '\t';
            words->at++;
            if (words->directive) {
                words->at += strspn(words->at, " \t");
                if (is_word(*words->at))
                    continue;
            }
        }
    }
    return NULL;
}

/* ---- names that kernels call ---- */

/* The i-th word of each list; NULL after the last. No header has functions of queue families. */
static const char *order_at(unsigned i)
{
    return LITMUS_RELAXED + i <= LITMUS_SEQ_CST ? litmus_order_word(LITMUS_RELAXED + i) : NULL;
}

static const char *scope_at(unsigned i)
{
    const unsigned scope = LITMUS_WORK_ITEM + i + (LITMUS_WORK_ITEM + i >= LITMUS_QUEUE_FAMILY);
    return scope < LITMUS_SCOPE_COUNT ? litmus_scope_word(scope) : NULL;
}

static const char *memory_at(unsigned i)
{
    return i == 0 ? "global" : i == 1 ? "local" : NULL;
}

/* By how many orders each takes. */
static const char *const operations[] = {"barrier sub_group_barrier",
                                         "load store exchange fetch_add fetch_sub fetch_and fetch_or fetch_xor "
                                         "fetch_min fetch_max fence",
                                         "compare_exchange_strong compare_exchange_weak"};

/* Skips "_WORD" if a word of the list follows, whole. */
static bool take_word(const char **rest, const char *words)
{
    const size_t size = **rest == '_' ? text_starts_with(words, *rest + 1) : 0;
    if (size == 0 || ((*rest)[size + 1] && (*rest)[size + 1] != '_'))
        return false;
    *rest += size + 1;
    return true;
}

static bool take_one(const char **rest, const char *(*at)(unsigned i))
{
    unsigned i = 0;
    while (at(i) && !take_word(rest, at(i)))
        i++;
    return at(i);
}

/* Whether it is the name of a function that kernels call: the operation alone, or with its orders and its scope. */
static bool is_function(const char *name)
{
    for (unsigned i = 0; i < COUNT(operations); i++) {
        const char *rest = name + strlen(USER_ATOMICS_PREFIX) - 1;
        if (!take_word(&rest, operations[i]))
            continue;
        if (!*rest)
            return true;
        bool all = true;
        for (unsigned orders = 0; orders < i; orders++)
            all = all && take_one(&rest, order_at);
        if (all && take_one(&rest, scope_at) && !*rest)
            return true;
    }
    return false;
}

static bool is_constant(const char *name)
{
    const char *rest = name + strlen(USER_ATOMICS_PREFIX) - 1;
    return (take_one(&rest, order_at) || take_one(&rest, scope_at) || take_one(&rest, memory_at) ||
            take_word(&rest, "order") || take_word(&rest, "scope") || take_word(&rest, "memory")) &&
           !*rest;
}

/* ---- the header and what it includes ---- */

struct reading {
    struct text all; /* each file under its name, for the hash */
    const char **paths;
    size_t count;
    struct arena arena;
    bool names; /* keep the names that it defines */
    struct error *error;
};

static enum status add_name(struct reading *reading, const char *path, unsigned line, const char *word, size_t size)
{
    const char *const name = arena_copy_part(&loaded.arena, word, size);
    if (is_constant(name) || user_atomics_define(name))
        return STATUS_OK;
    if (!is_function(name))
        return error_set(reading->error, STATUS_USAGE,
                         "%s:%u: kernels call no '%s'. They call %sOPERATION, or %sOPERATION_ORDER_SCOPE, as in "
                         "%sload_acquire_device; the operations are load, store, exchange, compare_exchange_strong, "
                         "compare_exchange_weak (with two orders), fetch_add, fetch_sub, fetch_and, fetch_or, "
                         "fetch_xor, fetch_min, fetch_max, fence, barrier and sub_group_barrier (without an order)",
                         path, line, name, USER_ATOMICS_PREFIX, USER_ATOMICS_PREFIX, USER_ATOMICS_PREFIX);
    ARENA_ADD(&loaded.arena, loaded.names, loaded.name_count) = name;
    return STATUS_OK;
}

static enum status read_file(struct reading *reading, const char *path);

/* Reads the file that a directive names, if it lies in the folder of the file or in one of the header's. */
static enum status read_include(struct reading *reading, const char *path, const char *directive)
{
    char found[PATH_MAX];
    directive += strspn(directive, " \t");
    const char close = *directive == '<' ? '>' : *directive == '"' ? '"' : '\0';
    const size_t size = close ? strcspn(directive + 1, close == '>' ? ">\n" : "\"\n") : 0;
    if (!close || directive[1 + size] != close)
        return STATUS_OK; /* a macro: the compiler finds it, and the hash does not cover it */
    const char *const slash = strrchr(path, '/');
    struct stat file;
    for (size_t i = close == '>'; i <= loaded.folder_count; i++) {
        const int own = slash ? (int)(slash - path) : 0;
        const int length =
            i == 0 ? snprintf(found, sizeof found, "%.*s/%.*s", own, path, (int)size, directive + 1)
                   : snprintf(found, sizeof found, "%s/%.*s", loaded.folders[i - 1], (int)size, directive + 1);
        char *const real = length > 0 && (size_t)length < sizeof found ? realpath(found, NULL) : NULL;
        if (!real || stat(real, &file) != 0 || S_ISDIR(file.st_mode)) {
            free(real);
            continue;
        }
        const enum status status = read_file(reading, arena_copy(&reading->arena, real));
        free(real);
        return status;
    }
    loaded.library |= strncmp(directive, "<cuda/", strlen("<cuda/")) == 0;
    return STATUS_OK; /* the compiler's own */
}

/* Adds a file, unless it was, and what it includes. */
static enum status read_file(struct reading *reading, const char *path)
{
    LOCAL(text) bytes = {0};
    if (ANY_OF(one, reading->paths, reading->count, strcmp(*one, path) == 0))
        return STATUS_OK;
    if (reading->count == MAXIMUM_FILES)
        return error_set(reading->error, STATUS_LIMIT, "%s includes more than %d files", loaded.file, MAXIMUM_FILES);
    ARENA_ADD(&reading->arena, reading->paths, reading->count) = path;
    TRY(file_read_whole(path, MAXIMUM_BYTES, &bytes, reading->error));
    if (reading->all.size + bytes.size > MAXIMUM_BYTES)
        return error_set(reading->error, STATUS_LIMIT, "%s and the files it includes exceed %d MiB", loaded.file,
                         MAXIMUM_BYTES >> 20);
    if (strlen(text_string(&bytes)) < bytes.size)
        return error_set(reading->error, STATUS_USAGE, "%s contains a null byte, so it is not a text file", path);
    text_add(&reading->all, "%zu %s\n", bytes.size, text_string(&bytes));
    struct word_reader words = {text_string(&bytes), 1, false, true};
    size_t size;
    for (const char *word; (word = words_next(&words, &size));) {
        if (words.directive && size == strlen("include") && strncmp(word, "include", size) == 0)
            TRY(read_include(reading, path, word + size));
        else if (reading->names && size > strlen(USER_ATOMICS_PREFIX) &&
                 strncmp(word, USER_ATOMICS_PREFIX, strlen(USER_ATOMICS_PREFIX)) == 0)
            TRY(add_name(reading, path, words.line, word, size));
    }
    return STATUS_OK;
}

/* The hash of the header, of what it includes, and of the definitions. */
static enum status read_all(bool names, char hash[HASH_HEX_SIZE], struct error *error)
{
    struct reading reading = {.names = names, .error = error};
    const enum status status = read_file(&reading, loaded.file);
    for (size_t i = 0; i < loaded.definition_count; i++)
        text_add(&reading.all, "%s\n", loaded.definitions[i]);
    text_add(&reading.all, "%d", loaded.only);
    hash_hex(text_string(&reading.all), reading.all.size, hash);
    text_release(&reading.all);
    arena_release(&reading.arena);
    return status;
}

/* ---- loading ---- */

/* A folder as compilers take it in one word, whatever their options: absolute, without blanks and quotes. */
static enum status add_folder(const char *path, struct error *error)
{
    FREED char *real = realpath(path, NULL);
    struct stat found;
    if (!real)
        return error_set(error, STATUS_UNREADABLE, "cannot open the folder %s: %s", path, strerror(errno));
    if (stat(real, &found) != 0 || !S_ISDIR(found.st_mode) || access(real, R_OK | X_OK) != 0)
        return error_set(error, STATUS_UNREADABLE, "%s: expected a folder that can be read", path);
    if (strpbrk(real, " \t\n\"'\\"))
        return error_set(error, STATUS_USAGE, "%s: expected a folder without blanks, quotes or backslashes in its name",
                         real);
    ARENA_ADD(&loaded.arena, loaded.folders, loaded.folder_count) = arena_copy(&loaded.arena, real);
    return STATUS_OK;
}

static enum status add_definition(const char *definition, struct error *error)
{
    const size_t size = strcspn(definition, "=");
    bool plain = size > 0 && !isdigit((unsigned char)definition[0]) && !strchr(definition, '\n');
    for (size_t i = 0; i < size; i++)
        plain = plain && is_word(definition[i]);
    if (!plain)
        return error_set(error, STATUS_USAGE, "expected a macro as NAME or NAME=VALUE, found '%s'", definition);
    ARENA_ADD(&loaded.arena, loaded.definitions, loaded.definition_count) = arena_copy(&loaded.arena, definition);
    return STATUS_OK;
}

/* Finds the file and its folder. Its name is in results, so it is a plain word. */
static enum status find_file(const char *file, struct error *error)
{
    FREED char *real = realpath(file, NULL);
    if (!real)
        return error_set(error, STATUS_UNREADABLE, "cannot read the header %s: %s", file, strerror(errno));
    loaded.file = arena_copy(&loaded.arena, real);
    char *const slash = strrchr(loaded.file, '/');
    for (const char *at = slash + 1; *at; at++)
        if (!is_word(*at) && !strchr(".-", *at))
            return error_set(error, STATUS_USAGE,
                             "%s: the name of a header consists of letters, digits, '_', '-' and '.'", file);
    const char *const folder = arena_copy_part(&loaded.arena, loaded.file, (size_t)(slash - loaded.file));
    return add_folder(*folder ? folder : "/", error);
}

static json_t *pack_list(const char *const *items, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_append(array, json_text(items[i]));
    return array;
}

static void make_argument(void)
{
    json_auto_t *object =
        json_pack("{s:s, s:s, s:b, s:o, s:o}", "file", loaded.file, "hash", loaded.hash, "only", (int)loaded.only,
                  "folders", pack_list((const char *const *)loaded.folders + 1, loaded.folder_count - 1), "definitions",
                  pack_list(loaded.definitions, loaded.definition_count));
    FREED char *text = json_dumps(object, JSON_COMPACT);
    loaded.argument = arena_copy(&loaded.arena, text);
}

enum status user_atomics_load(const struct user_atomics_request *request, struct error *error)
{
    if (!request->file)
        return STATUS_OK;
    struct text options = {0};
    text_add_option(&options, "atomics", request->file);
    for (size_t i = 0; request->folders && request->folders[i]; i++)
        text_add_option(&options, "atomics-include", request->folders[i]);
    for (size_t i = 0; request->definitions && request->definitions[i]; i++)
        text_add_option(&options, "atomics-define", request->definitions[i]);
    text_add(&options, "%s", request->only ? " --atomics-only" : "");
    loaded.options = arena_keep(&loaded.arena, &options);
    loaded.only = request->only;
    TRY(find_file(request->file, error));
    for (size_t i = 0; request->folders && request->folders[i]; i++)
        TRY(add_folder(request->folders[i], error));
    for (size_t i = 0; request->definitions && request->definitions[i]; i++)
        TRY(add_definition(request->definitions[i], error));
    TRY(read_all(true, loaded.hash, error));
    if (loaded.name_count == 0)
        return error_set(error, STATUS_USAGE,
                         "%s defines no function that kernels call, such as %sload or %sload_acquire_device; "
                         "`orchil manual your-own-atomics` lists them. Write each name in full, without ##",
                         request->file, USER_ATOMICS_PREFIX, USER_ATOMICS_PREFIX);
    loaded.name = arena_print(&loaded.arena, "%s:%.*s", user_atomics_file(), (int)NAME_DIGITS, loaded.hash);
    ARENA_ADD(&loaded.arena, loaded.folders, loaded.folder_count) = NULL;
    loaded.folder_count--;
    make_argument();
    return STATUS_OK;
}

const char *user_atomics_argument(void)
{
    return loaded.argument;
}

/* The strings of a JSON array, NULL-terminated. */
static const char *const *unpack_list(const json_t *array)
{
    const size_t count = json_array_size(array);
    const char **const items = arena_take(&loaded.arena, count + 1, sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = json_string_value(json_array_get(array, i));
    return items;
}

enum status user_atomics_load_argument(const char *argument, struct error *error)
{
    const char *file = NULL, *hash = "";
    int only = 0;
    json_t *folders = NULL, *definitions = NULL;
    json_auto_t *object = json_loads(argument, 0, NULL);
    enum status status = STATUS_OK;
    if (json_unpack(object, "{s:s, s:s, s:b, s:o, s:o}", "file", &file, "hash", &hash, "only", &only, "folders",
                    &folders, "definitions", &definitions) != 0)
        status = error_set(error, STATUS_USAGE, "expected a header of atomics, found '%s'", argument);
    else
        status = user_atomics_load(
            &(struct user_atomics_request){file, unpack_list(folders), unpack_list(definitions), only}, error);
    if (status == STATUS_OK && strcmp(hash, loaded.hash) != 0)
        status = error_set(error, STATUS_USAGE, "%s changed since the run began: start the run again", file);
    return status;
}

enum status user_atomics_check(struct error *error)
{
    char hash[HASH_HEX_SIZE];
    TRY(read_all(false, hash, error));
    return strcmp(hash, loaded.hash) == 0
               ? STATUS_OK
               : error_set(error, STATUS_UNSUPPORTED, "%s, or a file that it includes, changed since the run began",
                           loaded.file);
}

void user_atomics_add_options(struct text *text)
{
    text_add(text, "%s", loaded.options ? loaded.options : "");
}

bool user_atomics_loaded(void)
{
    return loaded.name;
}

bool user_atomics_only(void)
{
    return loaded.only;
}

bool user_atomics_need_library(void)
{
    return loaded.library;
}

bool user_atomics_define(const char *name)
{
    return ANY_OF(one, loaded.names, loaded.name_count, strcmp(*one, name) == 0);
}

const char *user_atomics_name(void)
{
    return loaded.name ? loaded.name : "";
}

const char *user_atomics_file(void)
{
    return strrchr(loaded.file, '/') + 1;
}

const char *const *user_atomics_folders(void)
{
    return loaded.name ? (const char *const *)loaded.folders : NULL;
}

void user_atomics_add_names(struct text *text)
{
    for (size_t i = 0; i < loaded.name_count; i++)
        text_add(text, "%s%s", i > 0 ? ", " : "", loaded.names[i] + strlen(USER_ATOMICS_PREFIX));
}

/* ---- the prologue ---- */

/* "enum orchil_order { orchil_relaxed = 0, ... };" */
static void add_constants(const char *kind, const char *(*at)(unsigned i), unsigned first, struct text *text)
{
    text_add(text, "enum %s%s {", USER_ATOMICS_PREFIX, kind);
    for (unsigned i = 0; at(i); i++)
        text_add(text, "%s %s%s = %u", i > 0 ? "," : "", USER_ATOMICS_PREFIX, at(i), first + i);
    text_add(text, " };\n");
}

/* The preprocessor's own words are no macros, and the compiler's cannot be the header's. */
static bool is_guarded(const char *word, size_t size)
{
    return strncmp(word, "__", 2) != 0 && !(size == strlen("defined") && strncmp(word, "defined", size) == 0);
}

ORDERED_BY(compare_words, const char *const, strcmp(*a, *b))

/* The words of two texts, sorted, each once. */
static size_t list_words(const char *const texts[2], struct arena *arena, const char ***list)
{
    size_t count = 0, unique = 0, size;
    *list = NULL;
    for (unsigned i = 0; i < 2; i++) {
        struct word_reader words = {texts[i], 1, false, true};
        for (const char *word; (word = words_next(&words, &size));)
            if (is_guarded(word, size))
                ARENA_ADD(arena, *list, count) = arena_copy_part(arena, word, size);
    }
    SORT(*list, count, compare_words);
    for (size_t i = 0; i < count; i++)
        if (unique == 0 || strcmp((*list)[unique - 1], (*list)[i]) != 0)
            (*list)[unique++] = (*list)[i];
    return unique;
}

/* file: as the header is included. */
static void add_include(const char *file, struct text *text)
{
    for (size_t i = 0; i < loaded.definition_count; i++) {
        const char *const value = strchr(loaded.definitions[i], '=');
        text_add(text, "#define %.*s %s\n", (int)strcspn(loaded.definitions[i], "="), loaded.definitions[i],
                 value ? value + 1 : "1");
    }
    add_constants("order", order_at, 0, text);
    add_constants("scope", scope_at, 0, text);
    add_constants("memory", memory_at, 1, text);
    text_add(text, "#include \"%s\"\n", file);
}

void user_atomics_add_include(struct text *text)
{
    add_include(user_atomics_file(), text);
}

enum status user_atomics_add_text(struct text *text, struct error *error)
{
    return file_read_whole(loaded.file, MAXIMUM_BYTES, text, error);
}

static void add_prologue(const char *prelude, const char *skeleton, struct text *text)
{
    LOCAL(arena) arena = {0};
    const char **words;
    const size_t count = list_words((const char *const[]){prelude, skeleton}, &arena, &words);
    text_add(text, "// %s\n", loaded.hash);
    for (size_t i = 0; i < count; i++)
        text_add(text, "#ifndef %s\n#define orchil_free_%s\n#endif\n", words[i], words[i]);
    /* Where code names innermost lines only, the header's would hide those of the calls: clang gives an instruction
     * without a line the line of its call. */
    text_add(text, "#ifdef __clang__\n#pragma clang attribute push(__attribute__((nodebug)), apply_to = "
                   "hasType(functionType))\n#endif\n");
    add_include(loaded.file, text); /* a compiler may look for its name in the working folder first */
    text_add(text, "#ifdef __clang__\n#pragma clang attribute pop\n#endif\n");
    /* A word that only the header makes a macro would change the kernel's own code without a message. */
    for (size_t i = 0; i < count; i++)
        text_add(text,
                 "#if defined(%s) && defined(orchil_free_%s)\n#error the header defines a macro %s, but orchil's "
                 "kernels use this word\n#endif\n",
                 words[i], words[i], words[i]);
    text_add(text, "#line 1\n");
}

const char *user_atomics_prologue(const char *prelude, const char *skeleton)
{
    for (size_t i = 0; i < loaded.prologue_count; i++)
        if (loaded.prologues[i].prelude == prelude)
            return loaded.prologues[i].text;
    struct text text = {0};
    add_prologue(prelude, skeleton, &text);
    const char *const made = arena_keep(&loaded.arena, &text);
    ARENA_ADD(&loaded.arena, loaded.prologues, loaded.prologue_count) = (struct prologue){prelude, made};
    return made;
}
