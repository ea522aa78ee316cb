// SPDX-License-Identifier: Apache-2.0
/* The known values: tests, models, profiles, words; for files, a directive to the shell. */
#include "cli/completion/values.h"

#include <string.h>

#include "catalogue/catalogue.h"
#include "cli/verb.h"
#include "models/models.h"
#include "runner/environment/environment.h"

void values_offer(const struct typed *typed, const char *word, const char *description, struct text *lines)
{
    if (strncmp(word, typed->start, strlen(typed->start)) == 0)
        text_add(lines, "%.*s%s\t%s\n", (int)(typed->start - typed->word), typed->word, word,
                 description ? description : "");
}

static void offer_words(const struct typed *typed, const char *const *words, struct text *lines)
{
    for (; *words; words++)
        values_offer(typed, *words, NULL, lines);
}

/* Families and indices; tests only once something is typed, since there are thousands. */
static void add_tests(const struct typed *typed, struct text *lines)
{
    struct catalogue catalogue;
    int dialect;
    const char *start = catalogue_dialect(typed->start, &dialect);
    const struct typed rest = {typed->word, start};
    struct text last = {0};
    catalogue_open(&catalogue);
    for (size_t i = 0; i < catalogue_file_count && dialect == LITMUS_NONE; i++)
        if (catalogue_files[i].path[0] == '@')
            values_offer(&rest, catalogue_files[i].path, NULL, lines);
    for (size_t i = 0; i < catalogue.count; i++) {
        const struct catalogue_entry *entry = &catalogue.entries[i];
        const int size = (int)catalogue_family(entry->file->path);
        if (dialect != LITMUS_NONE && dialect != (int)entry->dialect)
            continue;
        if (strlen(text_string(&last)) != (size_t)size ||
            strncmp(text_string(&last), entry->file->path, (size_t)size) != 0) {
            text_clear(&last);
            text_add(&last, "%.*s", size, entry->file->path);
            values_offer(&rest, text_string(&last), "a family", lines);
        }
        if (*start)
            values_offer(&rest, entry->name, NULL, lines);
    }
    catalogue_release(&catalogue);
    text_release(&last);
    text_add(lines, ":tests\n");
}

static void add_models(const struct typed *typed, struct text *lines)
{
    offer_words(typed, model_names, lines);
    text_add(lines, ":files\n");
}

static void add_profiles(const struct typed *typed, struct text *lines)
{
    offer_words(typed, environment_profile_names, lines);
    values_offer(typed, "rule", NULL, lines);
    text_add(lines, ":files\n");
}

/* Does not look for devices: a driver may take seconds. */
static void add_devices(const struct typed *typed, struct text *lines)
{
    static const char *const words[] = {"all", "cuda", "cuda:0", "cuda:all", "opencl", "opencl:0", "simulated", NULL};
    offer_words(typed, words, lines);
}

static void add_backends(const struct typed *typed, struct text *lines)
{
    static const char *const words[] = {"cuda", "opencl", "simulated", NULL};
    offer_words(typed, words, lines);
}

static void add_dialects(const struct typed *typed, struct text *lines)
{
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        struct text word = {0};
        catalogue_add_dialect((enum litmus_dialect)dialect, &word);
        values_offer(typed, text_string(&word), NULL, lines);
        text_release(&word);
    }
}

static void add_shells(const struct typed *typed, struct text *lines)
{
    static const char *const words[] = {"bash", "fish", "zsh", NULL};
    offer_words(typed, words, lines);
}

static void add_verbs(const struct typed *typed, struct text *lines)
{
    for (const struct verb *const *verb = verb_program.below; *verb; verb++)
        if ((*verb)->summary)
            values_offer(typed, (*verb)->name, (*verb)->summary, lines);
}

static void add_files(const struct typed *typed, struct text *lines)
{
    (void)typed;
    text_add(lines, ":files\n");
}

static void add_folders(const struct typed *typed, struct text *lines)
{
    (void)typed;
    text_add(lines, ":folders\n");
}

static const struct value_row {
    const char *metavar;
    value_source *add;
} value_rows[] = {{"TEST", add_tests},
                  {"SPEC", add_devices},
                  {"BACKEND", add_backends},
                  {"NAME|FILE.cat", add_models},
                  {"NAME|FILE", add_profiles},
                  {"DIALECT", add_dialects},
                  {"D,...", add_dialects},
                  {"SHELL", add_shells},
                  {"VERB", add_verbs},
                  {"FILE", add_files},
                  {"FILE[:RUNS]", add_files},
                  {"DATABASE", add_files},
                  {"A", add_files},
                  {"B", add_files},
                  {"DIR", add_folders},
                  {"FOLDER", add_folders}};

value_source *values_find(const char *metavar, size_t size)
{
    for (size_t i = 0; i < sizeof value_rows / sizeof *value_rows; i++)
        if (strlen(value_rows[i].metavar) == size && strncmp(value_rows[i].metavar, metavar, size) == 0)
            return value_rows[i].add;
    return NULL;
}
