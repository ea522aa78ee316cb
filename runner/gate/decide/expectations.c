// SPDX-License-Identifier: Apache-2.0
/* Reading what a gate should expect. */
#include "runner/gate/decide/expectations.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "runner/gate/decide/gate.h"

struct reading {
    struct expectations *expectations;
    bool takes_drafts;
    const char *rest; /* of the text */
    int line;
    size_t first; /* first entry of the section: its traits are given to all entries from here on */
    const char *device, *driver, *backend; /* of the section */
    int wrong_line;
    char why[512];
};

/* inih's reader of lines. A line that is too long for inih is refused, because inih would take the
 * rest as another line. */
static char *next_line(char *line, int size, void *context)
{
    struct reading *reading = context;
    const size_t length = strcspn(reading->rest, "\n"), whole = length + (reading->rest[length] == '\n');
    const size_t taken = whole < (size_t)size ? whole : (size_t)size - 1;
    if (taken == 0)
        return NULL;
    reading->line++;
    memcpy(line, reading->rest, taken);
    line[taken] = '\0';
    reading->rest += taken;
    if (taken < whole && reading->why[0] == '\0') {
        reading->wrong_line = reading->line;
        (void)snprintf(reading->why, sizeof reading->why, "expected at most %d characters in a line", size - 2);
    }
    if (line[strspn(line, " \t")] == '[') {
        reading->device = reading->driver = reading->backend = NULL;
        reading->first = reading->expectations->count;
    }
    return line;
}

static void refuse_line(struct reading *reading, const char *expected, const char *found)
{
    if (reading->why[0] != '\0')
        return;
    reading->wrong_line = reading->line;
    (void)snprintf(reading->why, sizeof reading->why, "expected %s, found '%.100s'", expected, found);
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
static bool take_trait(struct reading *reading, const char *name, const char *value)
{
    const char **const traits[] = {&reading->device, &reading->driver, &reading->backend};
    static const char *const names[] = {"device", "driver", "backend"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *traits[i] = arena_copy(&reading->expectations->arena, value);
        for (size_t e = reading->first; e < reading->expectations->count; e++) {
            struct expectation *entry = &reading->expectations->entries[e];
            entry->device = reading->device;
            entry->driver = reading->driver;
            entry->backend = reading->backend;
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
            strcmp(entry->kind, gate_kind_name(GATE_SHIFT)) == 0);
}

static int take_line(void *context, const char *section, const char *name, const char *value)
{
    struct reading *reading = context;
    struct expectations *expectations = reading->expectations;
    struct expectation entry = {.line = reading->line};
    bool known = true;
    if (!*section) {
        refuse_line(reading, "a section with a test's name, like [MP+relaxed]", name);
        return 0;
    }
    if (*value && take_trait(reading, name, value))
        return 1;
    if (strncmp(name, "known.", 6) == 0 || strncmp(name, "flaky.", 6) == 0) {
        entry.effect = name[0] == 'k' ? EXPECT_KNOWN : EXPECT_FLAKY;
        entry.kind = find_kind(name + 6, &known);
        if (!known)
            refuse_line(reading,
                        "a kind of reason (forbidden, control, fault, not-kept, refused, new, lost, shift, rate, "
                        "unconfirmed, unseen, other-kernel, not-kept-unknown, not-inspected, invalid, cut-short, "
                        "missing or any)",
                        name + 6);
    } else if (strcmp(name, "skip") == 0) {
        entry.effect = EXPECT_SKIP;
    } else {
        refuse_line(reading, "known.KIND, flaky.KIND, skip, device, driver or backend", name);
        return 0;
    }
    const bool is_sized = known && needs_size(&entry) && take_size(&value, &entry.size);
    const bool is_draft = !reading->takes_drafts && strncmp(value, EXPECT_DRAFT, strlen(EXPECT_DRAFT)) == 0;
    if (!*value)
        refuse_line(reading, "a reason after the '='", "nothing");
    else if (is_draft)
        refuse_line(reading, "the reason to be filled in", value);
    else if (known && needs_size(&entry) && !is_sized)
        refuse_line(reading, "the size of the change before the reason, like x2 or x1.5-3", value);
    if (!known || !*value || is_draft || (needs_size(&entry) && !is_sized))
        return 0;
    entry.test = arena_copy(&expectations->arena, section);
    entry.why = arena_copy(&expectations->arena, value);
    entry.device = reading->device;
    entry.driver = reading->driver;
    entry.backend = reading->backend;
    ARENA_ADD(&expectations->arena, expectations->entries, expectations->count) = entry;
    return 1;
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

static enum status read_lines(const char *path, struct reading *reading, struct error *error)
{
    const int line = ini_parse_stream(next_line, reading, take_line, reading);
    if (reading->why[0] != '\0' && (line == 0 || reading->wrong_line <= line))
        return error_set(error, STATUS_SYNTAX, "%s:%d:1: %s", path, reading->wrong_line, reading->why);
    if (line != 0)
        return error_set(error, STATUS_SYNTAX, "%s:%d:1: expected [TEST], KEY = REASON or a comment", path, line);
    return STATUS_OK;
}

static enum status read_file(const char *path, bool drafts, struct expectations *expectations, struct error *error)
{
    struct text text = {0};
    *expectations = (struct expectations){.entries = NULL};
    enum status status = read_text(path, drafts, &text, error);
    struct reading reading = {.expectations = expectations, .takes_drafts = drafts, .rest = text_string(&text)};
    if (status == STATUS_OK)
        status = read_lines(path, &reading, error);
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
