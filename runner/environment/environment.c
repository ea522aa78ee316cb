// SPDX-License-Identifier: Apache-2.0
/* Environments: read from profiles, printed and hashed. */
#include "runner/environment/environment.h"

#include <errno.h>
#include <ini.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/whole_file.h"
#include "runner/environment/profiles.h"

const struct environment_parameter environment_parameters[PARAMETER_COUNT] = {
#define PARAMETER_ROW(name, kind, lowest, highest, meaning)                                                            \
    {#name, offsetof(struct environment, name), lowest, highest},
    ENVIRONMENT_LIST(PARAMETER_ROW)
#undef PARAMETER_ROW
};

static const struct profile {
    const char *name;
    const char *text;
} profiles[] = {
#define PROFILE_ROW(name) {#name, profile_##name},
    PROFILE_LIST(PROFILE_ROW)
#undef PROFILE_ROW
};
#define PROFILE_NAME(name) " " #name

#define PROFILE_WORD(name) #name,
const char *const environment_profile_names[] = {PROFILE_LIST(PROFILE_WORD) NULL};
#undef PROFILE_WORD

struct environment_range *environment_range_of(struct environment *environment, enum parameter parameter)
{
    return (struct environment_range *)((char *)environment + environment_parameters[parameter].offset);
}

struct environment_range environment_range_in(const struct environment *environment, enum parameter parameter)
{
    return *(const struct environment_range *)((const char *)environment + environment_parameters[parameter].offset);
}

/* PARAMETER_COUNT if there is none of that name. */
static enum parameter find_parameter(const char *name)
{
    enum parameter parameter = 0;
    while (parameter < PARAMETER_COUNT && strcmp(environment_parameters[parameter].name, name) != 0)
        parameter++;
    return parameter;
}

static bool parse_number(const char **text, uint32_t *number)
{
    char *end;
    errno = 0;
    while (**text == ' ')
        (*text)++;
    if (**text < '0' || **text > '9')
        return false;
    const unsigned long value = strtoul(*text, &end, 10);
    if (errno != 0 || value > UINT32_MAX)
        return false;
    *text = end;
    *number = (uint32_t)value;
    return true;
}

/* "7" or "3..9" within the parameter's bounds. */
static bool parse_range(const struct environment_parameter *parameter, const char *text,
                        struct environment_range *range)
{
    struct environment_range parsed;
    if (!parse_number(&text, &parsed.low))
        return false;
    parsed.high = parsed.low;
    if (strncmp(text, "..", 2) == 0) {
        text += 2;
        if (!parse_number(&text, &parsed.high))
            return false;
    }
    if (*text != '\0' || parsed.low > parsed.high || parsed.low < parameter->lowest || parsed.high > parameter->highest)
        return false;
    *range = parsed;
    return true;
}

static const struct profile *find_profile(const char *name)
{
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++)
        if (strcasecmp(profiles[i].name, name) == 0)
            return &profiles[i];
    return NULL;
}

/* A line of the section [portfolio]. */
struct share {
    const struct profile *profile; /* NULL: the file's own section [environment] */
    uint32_t batches;
};

struct reading {
    struct environment *environment;
    const char *rest; /* of the text */
    int line;         /* lines of the text so far */
    int wrong_line;   /* the first with a wrong parameter; only inih reports malformed lines */
    char why[512];    /* what is wrong with it */
    bool has_homes;   /* a line gave them */
    struct share shares[1 + ENVIRONMENT_MAXIMUM_OTHERS];
    uint32_t share_count;
};

static void refuse_parameter(struct reading *reading, const char *section, const char *name, const char *value)
{
    const enum parameter parameter = find_parameter(name);
    const struct environment_parameter *bounds = &environment_parameters[parameter];
    if (strcmp(section, "environment") != 0)
        (void)snprintf(reading->why, sizeof reading->why, "expected the section [environment], found %s%s%s",
                       section[0] ? "[" : "no section", section, section[0] ? "]" : "");
    else if (parameter == PARAMETER_COUNT)
        (void)snprintf(reading->why, sizeof reading->why, "expected a parameter of an environment, found '%s'", name);
    else
        (void)snprintf(reading->why, sizeof reading->why,
                       "%s: expected a whole number or low..high between %u and %u, found '%s'", name, bounds->lowest,
                       bounds->highest, value);
}

/* "home = x=1,y=host", once. */
static bool read_homes(struct reading *reading, const char *value)
{
    struct error error = {0};
    if (!reading->has_homes && environment_set_homes(reading->environment, value, &error) == STATUS_OK)
        return reading->has_homes = true;
    if (reading->why[0] == '\0') {
        reading->wrong_line = reading->line;
        (void)snprintf(reading->why, sizeof reading->why, "home: %.400s",
                       reading->has_homes ? "expected one line for all locations" : error.text);
    }
    return false;
}

static bool read_parameter(struct reading *reading, const char *section, const char *name, const char *value)
{
    const enum parameter parameter = find_parameter(name);
    return strcmp(section, "environment") == 0 && parameter < PARAMETER_COUNT &&
           parse_range(&environment_parameters[parameter], value,
                       environment_range_of(reading->environment, parameter));
}

static bool is_portfolio(const struct profile *profile)
{
    return strstr(profile->text, "\n[portfolio]") != NULL;
}

static bool read_share(struct reading *reading, const char *name, const char *value)
{
    const bool own = strcmp(name, "environment") == 0;
    const struct profile *profile = own ? NULL : find_profile(name);
    const char *rest = value;
    uint32_t batches = 0;
    const bool number =
        parse_number(&rest, &batches) && *rest == '\0' && batches >= 1 && batches <= ENVIRONMENT_MAXIMUM_BATCHES;
    if (number && (own || (profile && !is_portfolio(profile))) && reading->share_count <= ENVIRONMENT_MAXIMUM_OTHERS) {
        reading->shares[reading->share_count++] = (struct share){profile, batches};
        return true;
    }
    if (reading->why[0] != '\0')
        return false;
    if (!own && (!profile || is_portfolio(profile)))
        (void)snprintf(reading->why, sizeof reading->why,
                       "expected `environment` or a built-in profile that is not a portfolio, found '%s'", name);
    else if (!number)
        (void)snprintf(reading->why, sizeof reading->why,
                       "%s: expected a number of batches between 1 and %d, found '%s'", name,
                       ENVIRONMENT_MAXIMUM_BATCHES, value);
    else
        (void)snprintf(reading->why, sizeof reading->why, "%s: a portfolio has at most %d members", name,
                       1 + ENVIRONMENT_MAXIMUM_OTHERS);
    reading->wrong_line = reading->line;
    return false;
}

static int read_line(void *context, const char *section, const char *name, const char *value)
{
    struct reading *reading = context;
    if (strcmp(section, "portfolio") == 0)
        return read_share(reading, name, value);
    if (strcmp(section, "environment") == 0 && strcmp(name, "home") == 0)
        return read_homes(reading, value);
    if (read_parameter(reading, section, name, value))
        return 1;
    if (reading->why[0] == '\0') {
        reading->wrong_line = reading->line;
        refuse_parameter(reading, section, name, value);
    }
    return 0;
}

/* inih's reader of lines, like fgets. */
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
    return line;
}

static int parse_text(struct reading *reading)
{
    return ini_parse_stream(next_line, reading, read_line, reading);
}

/* The environment of a line of [portfolio]: the profile, read on top of `before`, or the file's
 * own. */
static struct environment share_of(const struct share *share, const struct environment *own,
                                   const struct environment *before)
{
    struct environment environment = share->profile ? *before : *own;
    struct reading reading = {.environment = &environment, .rest = share->profile ? share->profile->text : ""};
    (void)parse_text(&reading); /* a unit test reads every built-in profile */
    return environment;
}

/* Makes the portfolio of the lines. A portfolio with one member is that member. */
static void join_shares(const struct reading *reading, const struct environment *before)
{
    const struct environment own = *reading->environment;
    struct environment *joined = reading->environment;
    if (reading->share_count == 0)
        return;
    *joined = share_of(&reading->shares[0], &own, before);
    memcpy(joined->homes, own.homes, sizeof own.homes); /* one for all members */
    environment_drop_others(joined);
    for (uint32_t i = 1; i < reading->share_count; i++) {
        const struct environment other = share_of(&reading->shares[i], &own, before);
        joined->others[i - 1].batches = reading->shares[i].batches;
        for (enum parameter p = 0; p < PARAMETER_COUNT; p++)
            joined->others[i - 1].ranges[p] = environment_range_in(&other, p);
    }
    joined->other_count = reading->share_count - 1;
    joined->batches = joined->other_count > 0 ? reading->shares[0].batches : 0;
}

enum status environment_read(const char *name, const char *text, struct environment *environment, struct error *error)
{
    const struct environment before = *environment;
    struct reading reading = {.environment = environment, .rest = text};
    const int line = parse_text(&reading);
    if (line == 0) {
        join_shares(&reading, &before);
        return STATUS_OK;
    }
    return error_set(error, STATUS_SYNTAX, "%s:%d:1: %s", name, line,
                     line == reading.wrong_line ? reading.why : "expected `parameter = value`");
}

void environment_base(const struct backend_device *device, struct environment *environment)
{
    const struct profile *profile = &profiles[device->gpu ? 0 : 1];
    *environment = (struct environment){0};
    (void)snprintf(environment->name, sizeof environment->name, "%s", profile->name);
    (void)environment_read(profile->name, profile->text, environment,
                           NULL); /* a unit test reads every built-in profile */
}

/* Reads the text of a profile's file; the error lists the other kinds of profiles. */
static enum status read_profile(const char *path, struct text *text, struct error *error)
{
    struct error why = {0};
    const enum status status = file_read_input(path, ENVIRONMENT_MAXIMUM_FILE, text, &why);
    if (status == STATUS_OK && memchr(text_string(text), '\0', text->size))
        return error_set(error, STATUS_SYNTAX, "%s:1:1: expected a profile, found a file with NUL bytes", path);
    if (status == STATUS_OK && text->size == 0) /* like a pipe when it is read for the second device */
        return error_set(error, STATUS_SYNTAX, "%s:1:1: expected the section [environment], found nothing", path);
    if (status == STATUS_OK)
        return STATUS_OK;
    return error_set(
        error, status,
        "profile %.600s; expected a built-in profile (one of" PROFILE_LIST(PROFILE_NAME) " rule) or a file", why.text);
}

enum status environment_load(const char *name_or_path, const struct backend_device *device,
                             struct environment *environment, struct error *error)
{
    const char *slash = strrchr(name_or_path, '/');
    const struct profile *profile = find_profile(name_or_path);
    struct text text = {0};
    if (strcasecmp(name_or_path, "rule") == 0) {
        environment_by_rule(device, environment);
        return STATUS_OK;
    }
    environment_base(device, environment);
    (void)snprintf(environment->name, sizeof environment->name, "%s",
                   profile ? profile->name
                   : slash ? slash + 1
                           : name_or_path);
    enum status status = profile ? STATUS_OK : read_profile(name_or_path, &text, error);
    if (status == STATUS_OK)
        status = environment_read(name_or_path, profile ? profile->text : text_string(&text), environment, error);
    text_release(&text);
    return status;
}

void environment_pattern(uint32_t n, uint32_t *bits, uint32_t *length)
{
    uint32_t of_length = 2;
    for (*length = 1; n >= of_length && *length < 5; (*length)++) {
        n -= of_length;
        of_length *= 2;
    }
    *bits = n;
}
