// SPDX-License-Identifier: Apache-2.0
/* Reads the rows of compilers, and runs their commands within limits. */
#include "inspect/compile/compiler_rows.h"

#include <sys/stat.h>

#include "base/ini.h"
#include "base/temporary_folder.h"
#include "base/tool.h"
#include "litmus/language/user_atomics.h"

extern const char compilers_ini[];

/* ---- the keys' values ---- */

#define COMPILER_KEY_WORD(name, word) word,
#define COMPILER_KEY_NAME(name, word) " " word
static const char *const key_words[] = {COMPILER_KEY_LIST(COMPILER_KEY_WORD)};
static const char all_keys[] = COMPILER_KEY_LIST(COMPILER_KEY_NAME);

static const struct compiler_language languages[] = {
    {"opencl", "opencl", "kernel void orchil(void) {}\n", true, false, false},
    {"opencl-clang", "opencl", "kernel void orchil(void) {}\n", true, true, false},
    {"hip", "hip", "__attribute__((global)) void orchil() {}\n", true, false, true},
    {"cuda", "cuda", "__global__ void orchil() {}\n", false, false, true},
    {"glsl", "vulkan", "#version 450\nvoid main() {}\n", false, false, false},
    {0}};

static const struct compiler_output outputs[] = {
    {"spirv", "spirv", INSPECT_SPIRV, "glsl"},
    {"ptx", "nvptx", INSPECT_PTX, "cuda opencl opencl-clang"},
    {"amdgcn-assembly", "amdgcn", INSPECT_AMDGCN, "hip opencl opencl-clang"},
    {"amdgcn-object", "amdgcn", INSPECT_AMDGCN, "hip opencl opencl-clang"},
    {0}};

/* In the order in which keys may have them: a version the first, the options of a mode or of lines the first four. The
 * last two are words of their own. */
enum { COMPILER, FOLDER, PROCESSOR, TARGET, SOURCE, OUTPUT, MODE, LINES, PLACEHOLDERS };
static const char *const placeholders[PLACEHOLDERS] = {"{compiler}", "{folder}", "{processor}", "{target}",
                                                       "{source}",   "{output}", "{mode}",      "{lines}"};

enum { MAXIMUM_WORDS = 45, MAXIMUM_FILE = 64 << 10, MAXIMUM_BYTES = 32 << 20, SECONDS = 60 };

/* The placeholder that a text starts with; PLACEHOLDERS: none. */
static size_t placeholder_at(const char *text)
{
    size_t i = 0;
    while (i < PLACEHOLDERS && strncmp(text, placeholders[i], strlen(placeholders[i])) != 0)
        i++;
    return i;
}

/* The next word of a text, in the arena; NULL at its end. Between quotes, blanks are part of a word; *quote: the one
 * that is not closed, or NUL. */
static char *next_word(struct arena *arena, const char **text, char *quote)
{
    const char *at = *text + strspn(*text, " \t");
    struct text word = {0};
    if (!*at)
        return NULL;
    for (; *at && (*quote || !isblank((unsigned char)*at)); at++)
        if (*quote ? *at == *quote : *at == '"' || *at == '\'')
            *quote = *quote ? '\0' : *at;
        else
            text_add_bytes(&word, at, 1);
    *text = at;
    return arena_keep(arena, &word);
}

/* ---- reading ---- */

static const char libraries[] = "nvrtc hiprtc"; /* compilers that are no rows */

struct row_reader {
    struct ini_reader ini;
    const char *path;
    struct inspect_compilers *compilers;
    bool is_open; /* the last row is of this section */
};

static void compiler_rows_begin(struct ini_reader *ini)
{
    ((struct row_reader *)ini->context)->is_open = false;
}

static bool compiler_rows_take(struct ini_reader *ini, const char *section, const char *name, const char *value)
{
    static const char start[] = "compiler ", letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_.+";
    struct row_reader *reader = ini->context;
    struct inspect_compilers *all = reader->compilers;
    const char *word = section + strlen(start);
    size_t key = 0;
    if (strncmp(section, start, strlen(start)) != 0 || !*word || strlen(word) > 32 || word[strspn(word, letters)])
        return ini_refuse(ini,
                          "expected a section [compiler NAME] before '%.100s'; a NAME has up to 32 of a to z, 0 to 9 "
                          "and -_.+",
                          name);
    while (key < COMPILER_KEY_COUNT && strcmp(key_words[key], name) != 0)
        key++;
    if (key == COMPILER_KEY_COUNT || !*value)
        return ini_refuse(ini, "%s '%.100s'; the keys are%s", *value ? "unknown key" : "no value for", name, all_keys);
    if (!reader->is_open)
        ARENA_ADD(&all->arena, all->rows, all->count) =
            (struct compiler_row){.name = arena_copy(&all->arena, word),
                                  .place = arena_print(&all->arena, "%s:%d:1", reader->path, ini->line)};
    reader->is_open = true;
    const char **of = &all->rows[all->count - 1].keys[key]; /* inih gives each line of a value by itself */
    *of = arena_print(&all->arena, "%s%s%s", *of ? *of : "", *of ? " " : "", value);
    return true;
}

__attribute__((format(printf, 3, 4))) static enum status row_refuse(const struct compiler_row *row, struct error *error,
                                                                    const char *format, ...)
{
    va_list arguments;
    char why[400];
    va_start(arguments, format);
    (void)vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return error_set(error, STATUS_SYNTAX, "%s: [compiler %s]: %s", row->place, row->name, why);
}

/* allowed: how many of the placeholders the key may have. */
static enum status check_word(const struct compiler_row *row, size_t key, const char *word, size_t allowed,
                              struct error *error)
{
    for (const char *at = strchr(word, '{'); at; at = strchr(at + 1, '{')) {
        const size_t found = placeholder_at(at);
        if (found >= allowed || (found >= MODE && strcmp(word, placeholders[found]) != 0))
            return row_refuse(row, error,
                              "%s: '%.100s' is not a placeholder that may be used here; expected {compiler}, "
                              "{folder}, {processor}, {target}, {source}, {output}, or as words {mode} and {lines}",
                              key_words[key], at);
    }
    return STATUS_OK;
}

static enum status check_words(const struct compiler_row *row, size_t key, size_t allowed, struct error *error)
{
    LOCAL(arena) arena = {0};
    const char *at = row->keys[key] ? row->keys[key] : "", *program = NULL;
    char quote = '\0';
    size_t count = 0;
    enum status status = STATUS_OK;
    for (char *word; status == STATUS_OK && (word = next_word(&arena, &at, &quote)) != NULL; count++) {
        program = program ? program : word;
        status = check_word(row, key, word, allowed, error);
    }
    if (status == STATUS_OK && quote)
        status = row_refuse(row, error, "%s: expected another %c at the end", key_words[key], quote);
    else if (status == STATUS_OK && count > MAXIMUM_WORDS)
        status = row_refuse(row, error, "%s: expected up to %d words, found %zu", key_words[key], MAXIMUM_WORDS, count);
    else if (status == STATUS_OK && program && allowed != SOURCE && program[0] != '/' && strchr(program, '/'))
        status = row_refuse(row, error, "%s: expected a program on PATH or an absolute path, found '%.100s'",
                            key_words[key], program);
    else if (status == STATUS_OK && program && allowed == PLACEHOLDERS && !strstr(row->keys[key], "{source}"))
        status = row_refuse(row, error, "%s: expected {source}, the file to compile, among its words", key_words[key]);
    return status;
}

/* Finds what language and output name, and the limit of time. */
static enum status find_words(struct compiler_row *row, struct error *error)
{
    const char *const seconds = row->keys[COMPILER_SECONDS], *const language = row->keys[COMPILER_LANGUAGE];
    char *end = NULL;
    for (row->language = languages; row->language->word && strcmp(row->language->word, language) != 0;)
        row->language++;
    for (row->output = outputs; row->output->word && strcmp(row->output->word, row->keys[COMPILER_OUTPUT]) != 0;)
        row->output++;
    if (!row->language->word || !row->output->word)
        return row_refuse(row, error,
                          "expected a language (opencl, opencl-clang, hip, cuda, glsl) and an output (spirv, ptx, "
                          "amdgcn-assembly, amdgcn-object), found '%.60s' and '%.60s'",
                          language, row->keys[COMPILER_OUTPUT]);
    if (!text_has_word(row->output->languages, language, strlen(language)))
        return row_refuse(row, error, "there are no rules for %s from %s; expected one of: %s", row->output->word,
                          language, row->output->languages);
    if ((strcmp(row->output->word, "amdgcn-assembly") == 0) != (row->keys[COMPILER_LINES] != NULL))
        return row_refuse(row, error,
                          "amdgcn-assembly, and no other output, needs `lines`, which replaces {lines}: options that "
                          "make LLVM print what its assembly lacks, -mllvm -print-after=branch-relaxation");
    row->seconds = seconds ? (double)strtoul(seconds, &end, 10) : SECONDS;
    if (seconds && (*end || !isdigit((unsigned char)*seconds) || row->seconds < 1 || row->seconds > 600))
        return row_refuse(row, error, "seconds: expected 1 to 600, found '%.60s'", seconds);
    return STATUS_OK;
}

const struct compiler_row *compiler_row_named(const struct compiler_row *rows, size_t count, const char *word)
{
    const char *const slash = strrchr(word, '/'), *const file = slash ? slash + 1 : word;
    for (size_t i = 0; i < 2 * count; i++) {
        const struct compiler_row *row = &rows[i % count];
        if (i < count ? strcmp(row->name, word) == 0
                      : !row->keys[COMPILER_PROGRAM] && strncmp(file, row->name, strlen(row->name)) == 0 &&
                            strncmp(row->keys[COMPILER_COMMAND], placeholders[COMPILER], 10) == 0)
            return row;
    }
    return NULL;
}

static enum status row_check(const struct inspect_compilers *all, struct compiler_row *row, struct error *error)
{
    static const size_t needed[] = {COMPILER_COMMAND, COMPILER_LANGUAGE, COMPILER_OUTPUT, COMPILER_VERSION};
    const struct compiler_row *first = all->rows;
    while (strcmp(first->name, row->name) != 0)
        first++;
    for (size_t i = 0; i < COUNT(needed); i++)
        if (!row->keys[needed[i]] && !(needed[i] == COMPILER_VERSION && first != row))
            return row_refuse(row, error, "it has no %s; expected command, language, output and version",
                              key_words[needed[i]]);
    TRY(find_words(row, error));
    for (size_t key = 0; key <= COMPILER_LINES; key++)
        TRY(check_words(row, key, key <= COMPILER_THEN ? PLACEHOLDERS : key == COMPILER_VERSION ? 1 : SOURCE, error));
    if (text_has_word(libraries, row->name, strlen(row->name)) ||
        (all->built_in > 0 && compiler_row_named(all->rows, all->built_in, row->name)))
        return row_refuse(row, error, "orchil already knows a compiler of this name: choose another name");
    for (; first < row; first++)
        if (strcmp(first->name, row->name) == 0 && first->output->machine == row->output->machine &&
            first->language->is_cuda == row->language->is_cuda)
            return row_refuse(row, error, "%s describes this compiler, too, for the same target and tests",
                              first->place);
    return STATUS_OK;
}

static enum status read_rows(const char *path, const char *text, struct inspect_compilers *compilers,
                             struct error *error)
{
    struct row_reader reader = {.ini = {.take = compiler_rows_take, .begin_section = compiler_rows_begin},
                                .path = path,
                                .compilers = compilers};
    const size_t first = compilers->count;
    reader.ini.context = &reader;
    TRY(ini_read(&reader.ini, path, text, "expected [compiler NAME], KEY = VALUE or a comment", error));
    for (size_t i = first; i < compilers->count; i++)
        TRY(row_check(compilers, &compilers->rows[i], error));
    return STATUS_OK;
}

static enum status read_file(const char *path, bool trusted, struct inspect_compilers *compilers, struct error *error)
{
    const struct file_terms terms = {MAXIMUM_FILE, FILE_INPUT_SECONDS, trusted};
    LOCAL(text) text = {0};
    enum status status = file_read(path, &terms, &text, error);
    THEN(status, read_rows(path, text_string(&text), compilers, error));
    return status;
}

enum status inspect_compilers_read(bool own, const char *path, struct inspect_compilers *compilers, struct error *error)
{
    const char *const base = getenv("XDG_CONFIG_HOME"), *const home = getenv("HOME");
    char ours[PATH_MAX];
    struct stat facts;
    TRY(read_rows("compilers.ini", compilers_ini, compilers, error));
    compilers->built_in = compilers->count;
    (void)snprintf(ours, sizeof ours, "%s%s/orchil/compilers.ini",
                   base && base[0] == '/' ? base
                   : home                 ? home
                                          : ".",
                   base && base[0] == '/' ? "" : "/.config");
    if (own && ours[0] == '/' && stat(ours, &facts) == 0)
        TRY(read_file(ours, true, compilers, error));
    return path ? read_file(path, false, compilers, error) : STATUS_OK;
}

/* ---- running ---- */

struct row_run {
    const struct compiler_row *row;
    const char *values[PLACEHOLDERS]; /* of the last two the words, or "" */
    struct arena arena;
    const char *arguments[MAXIMUM_WORDS + 2];
    size_t count;               /* beyond MAXIMUM_WORDS if there are too many */
    const char *const *folders; /* of a user's header, in which the first command searches; or NULL */
};

static void run_add_words(struct row_run *run, const char *text)
{
    char quote = '\0';
    for (char *word; (word = next_word(&run->arena, &text, &quote)) != NULL;) {
        const size_t whole = placeholder_at(word);
        struct text made = {0};
        if (whole == MODE || whole == LINES) {
            run_add_words(run, run->values[whole]);
            continue;
        }
        for (size_t i = 0; whole == SOURCE && run->folders && run->folders[i] && run->count + 1 < MAXIMUM_WORDS; i++) {
            run->arguments[run->count++] = "-I";
            run->arguments[run->count++] = run->folders[i];
        }
        for (const char *at = word; *at;) {
            const size_t found = placeholder_at(at);
            text_add(&made, found < PLACEHOLDERS ? "%s" : "%.1s", found < PLACEHOLDERS ? run->values[found] : at);
            at += found < PLACEHOLDERS ? strlen(placeholders[found]) : 1;
        }
        run->arguments[run->count] = arena_keep(&run->arena, &made);
        run->count += run->count <= MAXIMUM_WORDS;
    }
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The first error among what the compiler said, or its first line, without the path of its input. */
static void find_error(const char *said, const char *folder, char found[256])
{
    const char *at = strstr(said, "error: ");
    at = at ? at + strlen("error: ") : said + strspn(said, " \t\r\n");
    (void)snprintf(found, 256, "%.*s", (int)strcspn(at, "\n"), at);
    char *address = strstr(found, "0x"), *node = address ? strstr(address, "ch = ") : NULL;
    if (node) /* "Cannot select: 0x55c9...: ch = AtomicFence 0x55...": other numbers in each run */
        memmove(address, node + 5, strlen(node + 5) + 1);
    if (address)
        address[strcspn(address, " <")] = '\0';
    for (char *path; folder[0] && (path = strstr(found, folder)) != NULL;)
        memmove(path, path + strlen(folder), strlen(path + strlen(folder)) + 1);
}

/* Runs one command, and appends what it wrote to {output}, or else to its standard output. */
static enum status run_command(struct row_run *run, const char *command, struct text *output, struct text *said,
                               struct error *error)
{
    const bool to_file = strstr(command, placeholders[OUTPUT]) != NULL;
    const char *const package = run->row->keys[COMPILER_PACKAGE], *const name = last_part(run->values[COMPILER]);
    const size_t start = said->size;
    char found[256];
    struct error why;
    run->count = 0;
    run_add_words(run, command);
    if (run->count > MAXIMUM_WORDS)
        return error_set(error, STATUS_LIMIT, "%s: expected at most %d words in its command, found more", name,
                         MAXIMUM_WORDS);
    run->arguments[run->count] = NULL;
    const enum status status =
        tool_run_heard(run->arguments, run->row->seconds, MAXIMUM_BYTES, to_file ? said : output, said, error);
    if (status == STATUS_UNSUPPORTED && run->arguments[0] && strncmp(command, "{compiler}", 10) == 0)
        return error_set(error, status, "there is no %s on PATH; Debian's package is %s", run->arguments[0],
                         package ? package : name);
    find_error(text_string(said) + start, run->values[FOLDER], found);
    if (status == STATUS_SYSTEM && found[0])
        return error_set(error, STATUS_BUILD_FAILED, "%s: %s", name, found);
    if (status == STATUS_LIMIT)
        return error->status = STATUS_SYSTEM; /* the compiler's fault */
    TRY(status);
    if (to_file && file_read_whole(run->values[OUTPUT], MAXIMUM_BYTES, output, &why) != STATUS_OK)
        return error_set(error, STATUS_BUILD_FAILED,
                         "%s reported no error, but left no file of at most %d MiB where {output} said", name,
                         MAXIMUM_BYTES >> 20);
    return STATUS_OK;
}

/* Runs what follows on what the command wrote. */
static enum status run_then(struct row_run *run, struct text *code, struct text *said, struct error *error)
{
    const char *const folder = run->values[FOLDER], *const then = run->row->keys[COMPILER_THEN];
    LOCAL(text) between = {0};
    enum status status = run_command(run, run->row->keys[COMPILER_COMMAND], then ? &between : code, said, error);
    run->values[SOURCE] = arena_print(&run->arena, "%s/between", folder);
    run->values[OUTPUT] = arena_print(&run->arena, "%s/result", folder);
    run->folders = NULL;
    if (status == STATUS_OK && then)
        status = file_write_quick(run->values[SOURCE], text_string(&between), between.size, error);
    if (status == STATUS_OK && then)
        status = run_command(run, then, code, said, error);
    return status;
}

enum status compiler_row_run(const struct compiler_row *row, const char *program, const struct inspect_target *target,
                             const struct text *source, bool all_lines, struct text *code, struct text *said,
                             struct error *error)
{
    const char *const suffix = backend_find(row->language->backend)->source_suffix;
    const char *const mode = !target->mode[0]                      ? ""
                             : strcmp(target->mode, "cumode") == 0 ? row->keys[COMPILER_CUMODE]
                                                                   : row->keys[COMPILER_TGSPLIT];
    struct temporary_folder folder = {0};
    if (!mode)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no options for the mode %s", row->name, target->mode);
    TRY(temporary_folder_open("compile", &folder, error));
    struct row_run run = {
        .row = row,
        .values = {[COMPILER] = program,
                   [FOLDER] = folder.path,
                   [PROCESSOR] = target->processor,
                   [MODE] = mode,
                   [LINES] = all_lines && row->keys[COMPILER_LINES] ? row->keys[COMPILER_LINES] : ""}};
    run.folders = user_atomics_folders();
    run.values[SOURCE] = arena_print(&run.arena, "%s/source.%s", folder.path, suffix);
    run.values[OUTPUT] = arena_print(&run.arena, "%s/output", folder.path);
    enum status status = file_write_quick(run.values[SOURCE], text_string(source), source->size, error);
    THEN(status, run_then(&run, code, said, error));
    temporary_folder_close(&folder);
    arena_release(&run.arena);
    return status;
}

enum status compiler_row_version(const struct compiler_row *row, const char *program, char version[128],
                                 struct error *error)
{
    const char *const after = row->keys[COMPILER_VERSION_AFTER];
    struct row_run run = {.row = row, .values = {[COMPILER] = program, [FOLDER] = "", [MODE] = "", [LINES] = ""}};
    struct text said = {0};
    enum status status = run_command(&run, row->keys[COMPILER_VERSION], &said, &said, error);
    const char *at = strstr(text_string(&said), after ? after : "");
    at = at ? at + (after ? strlen(after) : 0) : "";
    at += strspn(at, " \t\r\n");
    if (status == STATUS_OK && !*at)
        status = error_set(error, STATUS_UNSUPPORTED, "%s does not say its version: expected %s%s%s", program,
                           after ? "'" : "a line", after ? after : "", after ? "'" : "");
    if (status == STATUS_OK) {
        (void)snprintf(version, 128, "%s %.*s", row->name, (int)strcspn(at, after ? " (,\r\n" : "\r\n"), at);
        for (char *letter = version; *letter; letter++)
            *letter = isprint((unsigned char)*letter) && isascii((unsigned char)*letter) ? *letter : '?';
    }
    text_release(&said);
    arena_release(&run.arena);
    return status;
}
