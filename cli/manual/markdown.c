// SPDX-License-Identifier: Apache-2.0
/* A verb's page in Markdown: the build makes one for each verb, and the package installs them. */
#include <ctype.h>

#include "base/terminal/terminal.h"
#include "cli/manual/manual.h"

enum { COLUMNS = 100 };

/* ---- texts ---- */

/* The bytes of an option ("--no-cache") at `at`, which starts a word; 0 if there is none. */
static size_t option_size(const char *from, const char *at, const char *end)
{
    size_t size = 2;
    if (end - at < 3 || at[0] != '-' || at[1] != '-' || !islower((unsigned char)at[2]) ||
        (at > from && !strchr(" \n(", at[-1])))
        return 0;
    while (at + size < end && (islower((unsigned char)at[size]) || at[size] == '-'))
        size++;
    return size;
}

/* Appends prose as one paragraph. Options become code, Markdown characters are escaped. */
static void add_prose(struct text *line, const char *from, size_t size)
{
    const char *end = from + size;
    bool code = false;
    for (const char *at = from; at < end; at++) {
        const size_t option = code ? 0 : option_size(from, at, end);
        code = *at == '`' ? !code : code;
        if (option > 0) {
            text_add(line, "`%.*s`", (int)option, at);
            at += option - 1;
        } else if (!code && strchr("*_<>[]\\|#", *at)) {
            text_add(line, "\\%c", *at);
        } else {
            text_add_bytes(line, *at == '\n' ? " " : at, 1);
        }
    }
}

/* Appends a line wrapped at COLUMNS, continuation lines indented, and empties it. */
static void add_wrapped(struct text *page, struct text *line, size_t indent)
{
    terminal_wrap_line(page, text_string(line), line->size, COLUMNS, indent);
    text_add(page, "\n");
    text_clear(line);
}

static void add_paragraphs(struct text *page, const char *from, size_t size)
{
    struct text line = {0};
    const char *end = from + size;
    while (from < end) {
        const char *blank = strstr(from, "\n\n"), *stop = blank && blank < end ? blank : end;
        text_add(page, "\n");
        add_prose(&line, from, (size_t)(stop - from));
        add_wrapped(page, &line, 0);
        from = stop + strspn(stop, "\n");
    }
    text_release(&line);
}

/* ---- sections ---- */

static void add_synopsis(struct text *page, const char *name, const struct verb *verb)
{
    if (!verb->options)
        return;
    text_add(page, "\n```text\n");
    for (const char *usage = verb->usage ? verb->usage : ""; usage;) {
        const char *end = strchr(usage, '\n');
        const int size = (int)(end ? (size_t)(end - usage) : strlen(usage));
        text_add(page, "%s%s%s%.*s\n", name, verb->run ? " [OPTION...]" : "", size > 0 ? " " : "", size, usage);
        usage = end ? end + 1 : NULL;
    }
    text_add(page, "```\n");
}

static void add_rows(struct text *page, const struct option_row *rows)
{
    for (const struct option_row *row = rows; row && !option_ends(row); row++) {
        if (row->name) {
            struct text help = {0}, line = {0};
            const char letter = option_letter(row);
            text_add(&line, "- ");
            if (letter)
                text_add(&line, "`-%c`, ", letter);
            text_add(&line, "`--%s%s%s`: ", row->name, row->metavar ? "=" : "", row->metavar ? row->metavar : "");
            option_help(row, &help);
            add_prose(&line, text_string(&help), help.size);
            add_wrapped(page, &line, 2);
            text_release(&line);
            text_release(&help);
        } else
            text_add(page, "%s%s\n\n", row == rows ? "" : "\n", row->help);
    }
}

static void markdown_add_verbs(struct text *page, const char *name, const struct verb *verb)
{
    struct text line = {0};
    text_add(page, verb->below ? "\n## Verbs\n\n" : "");
    for (const struct verb *const *below = verb->below; below && *below; below++) {
        if (!(*below)->summary)
            continue;
        text_add(&line, "- [`%s %s`](", name, (*below)->name);
        manual_add_file(name, (*below)->name, &line);
        text_add(&line, "): ");
        add_prose(&line, (*below)->summary, strlen((*below)->summary));
        add_wrapped(page, &line, 2);
    }
    text_release(&line);
}

void manual_add_file(const char *name, const char *below, struct text *text)
{
    struct text full = {0}, title = {0};
    text_add(&full, "%s%s%s", name, below ? " " : "", below ? below : "");
    manual_add_title(text_string(&full), &title);
    const char *first = strchr(text_string(&title), '-');
    text_add(text, "%s.md", first ? first + 1 : "README");
    text_release(&title);
    text_release(&full);
}

void manual_add_markdown(const char *name, const struct verb *verb, struct text *page)
{
    const char *details = strchr(verb->documentation, '\v');
    text_add(page, "<!-- written by orchil manual --markdown from the verb's rows of options and texts -->\n# %s\n",
             name);
    add_synopsis(page, name, verb);
    add_paragraphs(page, verb->documentation,
                   details ? (size_t)(details - verb->documentation) : strlen(verb->documentation));
    add_paragraphs(page, details ? details + 1 : "", details ? strlen(details + 1) : 0);
    markdown_add_verbs(page, name, verb);
    text_add(page, verb->options ? "\n## Options\n\n" : "");
    add_rows(page, verb->options);
    if (verb->run) /* the program has its own --help */
        add_rows(page, options_common);
    text_add(page, verb->examples ? "\n## Examples\n\n```sh elsewhere\n" : "");
    for (const char *const *example = verb->examples; example && *example; example++)
        text_add(page, "%s\n", *example);
    text_add(page, verb->examples ? "```\n" : "");
    struct text line = {0};
    text_add(page, verb->exit_codes ? "\n## Exit status\n\n" : "");
    for (const struct exit_code *code = verb->exit_codes; code && code->codes; code++) {
        text_add(&line, "- `%s`: ", code->codes);
        add_prose(&line, code->meaning, strlen(code->meaning));
        add_wrapped(page, &line, 2);
    }
    text_release(&line);
}
