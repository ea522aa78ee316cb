// SPDX-License-Identifier: Apache-2.0
/* The texts of --help, manual pages and completion. */
#include "cli/help.h"

extern const char help_texts[];

static const struct verb every_verb = {.name = "every verb"};

/* The first entry of the verb's section. */
static const char *find_section(const struct verb *verb)
{
    LOCAL(text) title = {0};
    text_add(&title, "\n[%s]\n", verb->name);
    const char *found = strstr(help_texts, text_string(&title));
    return found ? found + title.size : "";
}

/* Appends a text as it is in the file, with its lines joined and what stands in braces inserted. */
static void add_value(const struct verb *verb, const char *from, const char *end, struct text *text)
{
    while (from < end) {
        const size_t plain = strcspn(from, "\n{");
        text_add_bytes(text, from, plain);
        from += plain + 1;
        if (from[-1] == '\n') {
            from += strspn(from, " ");
            text_add(text, "%s", from < end ? " " : "");
            continue;
        }
        LOCAL(text) name = {0};
        const size_t size = strcspn(from, "}");
        text_add(&name, "%.*s", (int)size, from);
        from += size + 1;
        if (isdigit((unsigned char)name.data[0]))
            text_add(text, "%s", verb->inserted[name.data[0] - '0']);
        else
            help_add(&every_verb, name.data, "", text);
    }
}

bool help_next(const struct verb *verb, const char *name, const char **at, struct text *value)
{
    static const char is[] = " =";
    const size_t size = strlen(name);
    for (const char *entry = *at ? *at : find_section(verb); *entry && *entry != '\n'; entry = *at) {
        const char *end = strchr(entry, '\n') + 1;
        while (*end == ' ')
            end = strchr(end, '\n') + 1;
        *at = end;
        if (strncmp(entry, name, size) == 0 && strncmp(entry + size, is, strlen(is)) == 0) {
            text_clear(value);
            add_value(verb, entry + size + strlen(is) + (entry[size + strlen(is)] == ' '), end, value);
            return true;
        }
    }
    return false;
}

void help_add(const struct verb *verb, const char *name, const char *between, struct text *text)
{
    LOCAL(text) value = {0};
    for (const char *at = NULL, *before = ""; help_next(verb, name, &at, &value); before = between)
        text_add(text, "%s%s", before, text_string(&value));
}

void help_add_of(const struct verb *verb, const char *name, struct text *text)
{
    const size_t before = text->size;
    for (const struct verb *of = verb; of && text->size == before; of = of == &every_verb ? NULL
                                                                        : of->like        ? of->like
                                                                                          : &every_verb)
        help_add(of, name, "", text);
}

void help_add_option(const struct verb *verb, const struct option_row *row, struct text *text)
{
    LOCAL(text) name = {0}, help = {0};
    text_add(&name, "--%s", row->name);
    text_add(&help, "%s", row->help ? row->help : "");
    if (help.size == 0)
        help_add_of(verb, text_string(&name), &help);
    const char *place = row->usual ? strstr(text_string(&help), "%s") : NULL;
    if (place)
        text_add(text, "%.*s%s%s", (int)(place - help.data), help.data, row->usual, place + 2);
    else
        text_add(text, "%s", text_string(&help));
}
