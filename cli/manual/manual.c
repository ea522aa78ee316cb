// SPDX-License-Identifier: Apache-2.0
/* A manual page in the macros of man(7), for groff and mandoc; the page of an environment's parameters. */
#include "cli/manual/manual.h"

#include <ctype.h>

#include "base/terminal/terminal.h"
#include "runner/environment/environment.h"
#include "version.h"

/* ---- the page of an environment's parameters, from their list ---- */

static void add_range(struct text *text, const struct environment_range *range)
{
    text_add(text, range->low == range->high ? "%u" : "%u..%u", range->low, range->high);
}

void manual_add_parameters(struct text *text)
{
    static const char *const mechanisms[] = {
#define MECHANISM_WORDS(name, words) words,
        MECHANISM_GROUP_LIST(MECHANISM_WORDS)};
    struct environment gpu, cpu;
    environment_default(&(const struct backend_device){.gpu = true}, &gpu);
    environment_default(&(const struct backend_device){.gpu = false}, &cpu);
    text_add(text,
             "The parameters of an environment, which profiles set.\v"
             "Each has a range, from which every batch draws a value. A parameter whose name ends in `_chance` is "
             "a probability in percent, of which a batch decides once whether the mechanism is on. With each are "
             "the values that it may have, and its ranges in the built-in profiles gpu and cpu.\n\n");
    for (enum mechanism_group mechanism = 0; mechanism < MECHANISM_GROUP_COUNT; mechanism++) {
        text_add(text, "%c%s:\n\n", toupper((unsigned char)mechanisms[mechanism][0]), mechanisms[mechanism] + 1);
        for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
            if (environment_parameters[i].mechanism == mechanism) {
                /* "`stride` (1 to 1024; gpu 1..2, cpu 1..16): words from ..." */
                const struct environment_parameter *row = &environment_parameters[i];
                text_add(text, "`%s` (%u to %u%s; gpu ", row->name, row->lowest, row->highest,
                         row->kind == PARAMETER_KIND_CHANCE ? " percent" : "");
                add_range(text, &gpu.ranges[i]);
                text_add(text, ", cpu ");
                add_range(text, &cpu.ranges[i]);
                text_add(text, "): %s.\n\n", row->meaning);
            }
    }
}

/* ---- texts ---- */

/* Characters that groff would interpret: as a command, or as a typographic character that cannot be pasted into a shell
 * (groff_man_style(7), "Portability"). */
static const char *escape_of(char character, bool starts_line)
{
    switch (character) {
    case '\\':
        return "\\e";
    case '-':
        return "\\-";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    case '.':
        return starts_line ? "\\&." : NULL;
    default:
        return NULL;
    }
}

static void add_plain(struct text *page, const char *from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char *escape = escape_of(from[i], i == 0 || from[i - 1] == '\n');
        if (escape)
            text_add(page, "%s", escape);
        else
            text_add_bytes(page, from + i, 1);
    }
}

static void add_bold(struct text *page, const char *from)
{
    text_add(page, "\\fB");
    add_plain(page, from, strlen(from));
    text_add(page, "\\fR");
}

/* Adds prose. Text in backticks is printed in bold, without them. */
static void add_prose(struct text *page, const char *from, size_t size)
{
    const char *end = from + size;
    bool code = false;
    while (from < end) {
        const char *tick = memchr(from, '`', (size_t)(end - from));
        const char *stop = tick ? tick : end;
        add_plain(page, from, (size_t)(stop - from));
        if (tick)
            text_add(page, "%s", (code = !code) ? "\\fB" : "\\fR");
        from = tick ? tick + 1 : end;
    }
    text_add(page, "%s\n", code ? "\\fR" : "");
}

static void add_paragraphs(struct text *page, const char *from)
{
    while (*from) {
        const char *blank = strstr(from, "\n\n");
        text_add(page, ".PP\n");
        add_prose(page, from, blank ? (size_t)(blank - from) : strlen(from));
        from = blank ? blank + strspn(blank, "\n") : from + strlen(from);
    }
}

/* Adds a word of a usage line: an option in bold, the name of a value underlined. */
static void add_usage_word(struct text *page, const char *word, size_t size)
{
    const bool option = word[0] == '-', value = isupper((unsigned char)word[0]);
    text_add(page, "%s", option ? "\\fB" : value ? "\\fI" : "");
    add_plain(page, word, size);
    text_add(page, "%s", option || value ? "\\fR" : "");
}

static void add_usage(struct text *page, const char *usage, size_t size)
{
    static const char in_words[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-";
    for (size_t i = 0; i < size;) {
        size_t length = strspn(usage + i, in_words);
        if (length > size - i)
            length = size - i;
        if (length > 0)
            add_usage_word(page, usage + i, length);
        else
            add_plain(page, usage + i, length = 1);
        i += length;
    }
}

void manual_add_title(const char *name, struct text *text)
{
    for (; *name; name++)
        text_add(text, "%c", *name == ' ' ? '-' : *name);
}

/* ---- sections ---- */

static void manual_add_head(struct text *page, const char *name, const struct verb *verb)
{
    struct text title = {0};
    manual_add_title(name, &title);
    text_add(page, ".\\\" Made by `orchil manual`: what it says is in the verb's rows of options and texts.\n.TH ");
    for (const char *at = text_string(&title); *at; at++)
        text_add(page, "%s", *at == '-' ? "\\-" : (char[]){(char)toupper((unsigned char)*at), '\0'});
    text_add(page, " 1 \"\" \"orchil %s\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n", ORCHIL_VERSION);
    add_plain(page, text_string(&title), title.size);
    text_add(page, " \\- ");
    add_plain(page, verb->summary, strlen(verb->summary));
    text_add(page, "\n");
    text_release(&title);
}

static void add_synopsis(struct text *page, const char *name, const struct verb *verb)
{
    static const char options[] = "[OPTION...] ";
    text_add(page, verb->options ? ".SH SYNOPSIS\n" : "");
    for (const char *usage = verb->usage ? verb->usage : ""; usage && verb->options;) {
        const char *end = strchr(usage, '\n');
        text_add(page, "%s", usage == verb->usage || !verb->usage ? "" : ".br\n");
        add_bold(page, name);
        text_add(page, " ");
        if (verb->run)
            add_usage(page, options, sizeof options - 1);
        add_usage(page, usage, end ? (size_t)(end - usage) : strlen(usage));
        text_add(page, "\n");
        usage = end ? end + 1 : NULL;
    }
}

static void add_rows(struct text *page, const struct option_row *rows)
{
    for (const struct option_row *row = rows; row && !option_ends(row); row++) {
        if (row->name) {
            struct text help = {0};
            const char letter[] = {'-', option_letter(row), '\0'};
            text_add(page, ".TP\n");
            if (letter[1]) {
                add_bold(page, letter);
                text_add(page, ", ");
            }
            text_add(page, "\\fB\\-\\-");
            add_plain(page, row->name, strlen(row->name));
            text_add(page, "\\fR%s", row->metavar ? "=\\fI" : "");
            if (row->metavar) {
                add_plain(page, row->metavar, strlen(row->metavar));
                text_add(page, "\\fR");
            }
            text_add(page, "\n");
            option_help(row, &help);
            add_prose(page, text_string(&help), help.size);
            text_release(&help);
        } else {
            text_add(page, ".SS ");
            add_prose(page, row->help, strlen(row->help));
        }
    }
}

/* "orchil-gate-baseline(1)" */
static void add_reference(struct text *page, const char *name, size_t size, const char *below)
{
    struct text full = {0}, title = {0};
    text_add(&full, "%.*s%s%s", (int)size, name, below ? " " : "", below ? below : "");
    manual_add_title(text_string(&full), &title);
    add_bold(page, text_string(&title));
    text_add(page, "(1)");
    text_release(&title);
    text_release(&full);
}

static void manual_add_verbs(struct text *page, const char *name, const struct verb *verb)
{
    text_add(page, verb->below ? ".SH VERBS\n" : "");
    for (const struct verb *const *below = verb->below; below && *below; below++) {
        if (!(*below)->summary)
            continue;
        text_add(page, ".TP\n");
        add_reference(page, name, strlen(name), (*below)->name);
        text_add(page, "\n");
        add_prose(page, (*below)->summary, strlen((*below)->summary));
    }
}

void manual_add(const char *name, const struct verb *verb, struct text *page)
{
    const char *details = strchr(verb->documentation, '\v');
    manual_add_head(page, name, verb);
    add_synopsis(page, name, verb);
    text_add(page, ".SH DESCRIPTION\n");
    add_prose(page, verb->documentation,
              details ? (size_t)(details - verb->documentation) : strlen(verb->documentation));
    add_paragraphs(page, details ? details + 1 : "");
    manual_add_verbs(page, name, verb);
    text_add(page, verb->options ? ".SH OPTIONS\n" : "");
    add_rows(page, verb->options);
    if (verb->run) /* the program has its own --help */
        add_rows(page, options_common);
    text_add(page, verb->examples ? ".SH EXAMPLES\n.nf\n" : "");
    for (const char *const *example = verb->examples; example && *example; example++) {
        add_plain(page, *example, strlen(*example));
        text_add(page, "\n");
    }
    text_add(page, verb->examples ? ".fi\n" : "");
    text_add(page, verb->exit_codes ? ".SH EXIT STATUS\n" : "");
    for (const struct exit_code *code = verb->exit_codes; code && code->codes; code++) {
        text_add(page, ".TP\n");
        add_bold(page, code->codes);
        text_add(page, "\n");
        add_prose(page, code->meaning, strlen(code->meaning));
    }
    /* The parent pages; child pages are under VERBS. */
    const char *space = strchr(name, ' ');
    text_add(page, space ? ".SH SEE ALSO\n" : "");
    for (; space; space = strchr(space + 1, ' ')) {
        add_reference(page, name, (size_t)(space - name), NULL);
        text_add(page, "%s\n", strchr(space + 1, ' ') ? "," : "");
    }
}
