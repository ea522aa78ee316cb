// SPDX-License-Identifier: Apache-2.0
/* Reads a generation from one line of an index. */
#include "catalogue/cycles/generate_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

/* Cuts the next word off; quotes hold blanks together. *word is NULL at the end. */
static enum status take_word(char **rest, char **word, struct error *error)
{
    char *at = *rest + strspn(*rest, blanks);
    const char quote = *at == '"' || *at == '\'' ? *at : '\0';
    *word = NULL;
    *rest = at;
    if (!*at)
        return STATUS_OK;
    if (quote)
        at++;
    char *end = quote ? strchr(at, quote) : at + strcspn(at, blanks);
    if (!end)
        return error_set(error, STATUS_SYNTAX, "expected %c after %c%.80s", quote, quote, at);
    *word = at;
    *rest = *end ? end + 1 : end;
    if (quote && **rest && !strchr(blanks, **rest))
        return error_set(error, STATUS_SYNTAX, "expected a space after %c%.80s", quote, at);
    *end = '\0';
    return STATUS_OK;
}

static enum status read_number(const char *option, const char *value, unsigned long most, unsigned long *number,
                               struct error *error)
{
    char *end;
    errno = 0;
    *number = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno || *number > most)
        return error_set(error, STATUS_SYNTAX, "%s: expected a whole number up to %lu, found '%s'", option, most,
                         value);
    return STATUS_OK;
}

struct generation_line {
    struct generation *generation;
    unsigned long threads;
    bool critical;
};

static enum status read_value(struct generation_line *line, const char *option, char *value, struct error *error)
{
    const char **text = axis_text(line->generation, option);
    if (text && *text)
        return error_set(error, STATUS_SYNTAX, "%s: expected once, found twice", option);
    if (text) {
        *text = value;
        return STATUS_OK;
    }
    if (strcmp(option, "--threads") == 0)
        return read_number(option, value, CYCLE_MAXIMUM_THREADS, &line->threads, error);
    return read_number(option, value, ~0UL, &line->generation->limit, error);
}

static enum status add_cycle(struct generation *generation, const char *cycle, struct error *error)
{
    const size_t room = sizeof generation->cycles / sizeof *generation->cycles;
    if (generation->cycle_count == room)
        return error_set(error, STATUS_LIMIT, "expected at most %zu cycles", room);
    generation->cycles[generation->cycle_count++] = cycle;
    return STATUS_OK;
}

static enum status read_word(struct generation_line *line, char *word, char **rest, struct error *error)
{
    char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    if (equals)
        *equals = '\0';
    const bool has_value =
        axis_text(line->generation, word) || strcmp(word, "--threads") == 0 || strcmp(word, "--limit") == 0;
    if (strcmp(word, "--mix") == 0)
        line->generation->mix = true;
    else if (strcmp(word, "--critical") == 0)
        line->critical = true;
    else if (!has_value && word[0] != '-')
        return add_cycle(line->generation, word, error);
    else if (!has_value)
        return error_set(
            error, STATUS_SYNTAX,
            "expected a cycle in quotes, --family, --critical, --threads, --dialect, --tags, --mix, "
            "--scopes, --fence-scopes, --placements, --regions, --rmw, --plain, --semantics or --limit, found '%s'",
            word);
    else {
        char *value = equals ? equals + 1 : NULL;
        if (!equals)
            TRY(take_word(rest, &value, error));
        if (!value)
            return error_set(error, STATUS_SYNTAX, "%s: expected a value after it", word);
        return read_value(line, word, value, error);
    }
    return STATUS_OK;
}

enum status generation_parse(char *words, struct generation *generation, struct error *error)
{
    enum { STANDARD_THREADS = 3 };
    struct generation_line line = {.generation = generation};
    *generation = (struct generation){0};
    for (char *word;;) {
        TRY(take_word(&words, &word, error));
        if (!word)
            break;
        TRY(read_word(&line, word, &words, error));
    }
    if (line.threads > 0 && !line.critical)
        return error_set(error, STATUS_SYNTAX, "--threads: expected --critical, whose cycles it bounds");
    if (line.critical)
        generation->critical_threads = line.threads > 0 ? (unsigned)line.threads : STANDARD_THREADS;
    return STATUS_OK;
}
