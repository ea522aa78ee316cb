// SPDX-License-Identifier: Apache-2.0
/* Reading what a gate should expect. */

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ini.h"
#include "base/whole_file.h"
#include "runner/gate/decide/gate.h"

struct expectations_reader {
    struct ini_reader ini;
    struct expectations *expectations;
    bool takes_drafts;
    size_t first; /* first entry of the section: its traits are given to all entries from here on */
    const char *device, *driver, *backend; /* of the section */
};

static void begin_section(struct ini_reader *ini)
{
    struct expectations_reader *reader = ini->context;
    reader->device = reader->driver = reader->backend = NULL;
    reader->first = reader->expectations->count;
}

static bool refuse_line(struct expectations_reader *reader, const char *expected, const char *found)
{
    return ini_refuse(&reader->ini, "expected %s, found '%.100s'", expected, found);
}

/* The kind's own word; NULL, with *known false, for an unknown word. */
static const char *find_kind(const char *word, bool *known)
{
    *known = true;
    if (strcmp(word, "any") == 0)
        return NULL;
    for (int kind = 0; kind < GATE_KIND_COUNT; kind++)
        if (strcmp(gate_kind_name((enum gate_kind)kind), word) == 0)
            return gate_kind_name((enum gate_kind)kind);
    *known = false;
    return NULL;
}

/* device, driver or backend: of all entries of the section, including those above it. */
static bool take_trait(struct expectations_reader *reader, const char *name, const char *value)
{
    const char **const traits[] = {&reader->device, &reader->driver, &reader->backend};
    static const char *const names[] = {"device", "driver", "backend"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *traits[i] = arena_copy(&reader->expectations->arena, value);
        for (size_t e = reader->first; e < reader->expectations->count; e++) {
            struct expectation *entry = &reader->expectations->entries[e];
            entry->device = reader->device;
            entry->driver = reader->driver;
            entry->backend = reader->backend;
        }
        return true;
    }
    return false;
}

/* "x2 " or "x1.5-3 " at the start of *value, which is moved past it; false for anything else. */
static bool take_size(const char **value, struct interval *size)
{
    char *end;
    if (**value != 'x' || !isdigit((unsigned char)(*value)[1]))
        return false;
    size->low = size->high = strtod(*value + 1, &end);
    if (*end == '-' && isdigit((unsigned char)end[1]))
        size->high = strtod(end + 1, &end);
    if (*end != ' ' || !(size->low > 0) || !(size->high >= size->low) || isinf(size->high))
        return false;
    *value = end + strspn(end, " ");
    return true;
}

/* Whether an entry must say how large its change is. */
static bool needs_size(const struct expectation *entry)
{
    return entry->effect == EXPECT_KNOWN && entry->kind &&
           (strcmp(entry->kind, gate_kind_name(GATE_RATE)) == 0 ||
            strcmp(entry->kind, gate_kind_name(GATE_TIME)) == 0 ||
            strcmp(entry->kind, gate_kind_name(GATE_SHIFT)) == 0);
}

static bool take_line(struct ini_reader *ini, const char *section, const char *name, const char *value)
{
    struct expectations_reader *reader = ini->context;
    struct expectations *expectations = reader->expectations;
    struct expectation entry = {.line = ini->line};
    bool known = true;
    if (!*section)
        return refuse_line(reader, "a section with a test's name, like [MP+relaxed]", name);
    if (*value && take_trait(reader, name, value))
        return true;
    if (strncmp(name, "known.", 6) == 0 || strncmp(name, "flaky.", 6) == 0) {
        entry.effect = name[0] == 'k' ? EXPECT_KNOWN : EXPECT_FLAKY;
        entry.kind = find_kind(name + 6, &known);
        if (!known)
            return refuse_line(
                reader,
                "a kind of reason (forbidden, control, fault, not-kept, refused, new, lost, shift, "
                "rate, voids, time, unconfirmed, unseen, other-kernel, not-kept-unknown, not-inspected, invalid, "
                "cut-short, missing or any)",
                name + 6);
    } else if (strcmp(name, "skip") == 0) {
        entry.effect = EXPECT_SKIP;
    } else {
        return refuse_line(reader, "known.KIND, flaky.KIND, skip, device, driver or backend", name);
    }
    const bool is_sized = needs_size(&entry) && take_size(&value, &entry.size);
    if (!*value)
        return refuse_line(reader, "a reason after the '='", "nothing");
    if (!reader->takes_drafts && strncmp(value, EXPECT_DRAFT, strlen(EXPECT_DRAFT)) == 0)
        return refuse_line(reader, "the reason to be filled in", value);
    if (needs_size(&entry) && !is_sized)
        return refuse_line(reader, "the size of the change before the reason, like x2 or x1.5-3", value);
    entry.test = arena_copy(&expectations->arena, section);
    entry.why = arena_copy(&expectations->arena, value);
    entry.device = reader->device;
    entry.driver = reader->driver;
    entry.backend = reader->backend;
    ARENA_ADD(&expectations->arena, expectations->entries, expectations->count) = entry;
    return true;
}

/* The text of a file. It may be missing if drafts will be added to it. */
static enum status read_text(const char *path, bool drafts, struct text *text, struct error *error)
{
    if (drafts && access(path, F_OK) != 0 && errno == ENOENT)
        return STATUS_OK;
    TRY(drafts ? file_read_whole(path, EXPECTATIONS_MAXIMUM_FILE, text, error)
               : file_read_input(path, EXPECTATIONS_MAXIMUM_FILE, text, error));
    return memchr(text_string(text), '\0', text->size)
               ? error_set(error, STATUS_SYNTAX, "%s:1:1: expected a text, found NUL bytes", path)
               : STATUS_OK;
}

static enum status read_file(const char *path, bool drafts, struct expectations *expectations, struct error *error)
{
    struct text text = {0};
    *expectations = (struct expectations){.entries = NULL};
    enum status status = read_text(path, drafts, &text, error);
    struct expectations_reader reader = {.ini = {.take = take_line, .begin_section = begin_section, .context = &reader},
                                         .expectations = expectations,
                                         .takes_drafts = drafts};
    if (status == STATUS_OK)
        status = ini_read(&reader.ini, path, text_string(&text), "expected [TEST], KEY = REASON or a comment", error);
    expectations->path = arena_copy(&expectations->arena, path);
    text_release(&text);
    if (status != STATUS_OK)
        expectations_release(expectations);
    return status;
}

enum status expectations_read(const char *path, struct expectations *expectations, struct error *error)
{
    return read_file(path, false, expectations, error);
}

enum status expectations_read_drafts(const char *path, struct expectations *expectations, struct error *error)
{
    return read_file(path, true, expectations, error);
}

void expectations_release(struct expectations *expectations)
{
    arena_release(&expectations->arena);
    *expectations = (struct expectations){.entries = NULL};
}
