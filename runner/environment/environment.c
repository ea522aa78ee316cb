// SPDX-License-Identifier: Apache-2.0
/* Environments: read from profiles, printed and hashed. */
#include "runner/environment/environment.h"

#include <errno.h>
#include <ini.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
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

struct environment_range *environment_range_of(struct environment *environment, enum parameter parameter)
{
    return (struct environment_range *)((char *)environment + environment_parameters[parameter].offset);
}

struct environment_range environment_range_in(const struct environment *environment, enum parameter parameter)
{
    return *(const struct environment_range *)((const char *)environment + environment_parameters[parameter].offset);
}

/* PARAMETER_COUNT where there is none of that name. */
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

struct reading {
    struct environment *environment;
    const char *rest; /* of the text */
    int line;         /* lines of the text so far */
    int wrong_line;   /* the first whose parameter is wrong; a line that is none is seen by inih alone */
    char why[512];    /* what is wrong with it */
};

static int read_line(void *context, const char *section, const char *name, const char *value)
{
    struct reading *reading = context;
    const enum parameter parameter = find_parameter(name);
    const struct environment_parameter *bounds = &environment_parameters[parameter];
    const bool known = strcmp(section, "environment") == 0 && parameter < PARAMETER_COUNT;
    if (known && parse_range(bounds, value, environment_range_of(reading->environment, parameter)))
        return 1;
    if (reading->why[0] != '\0')
        return 0;
    reading->wrong_line = reading->line;
    if (strcmp(section, "environment") != 0)
        (void)snprintf(reading->why, sizeof reading->why, "expected the section [environment], found %s%s%s",
                       section[0] ? "[" : "no section", section, section[0] ? "]" : "");
    else if (!known)
        (void)snprintf(reading->why, sizeof reading->why, "expected a parameter of an environment, found '%s'", name);
    else
        (void)snprintf(reading->why, sizeof reading->why,
                       "%s: expected a whole number or low..high between %u and %u, found '%s'", name, bounds->lowest,
                       bounds->highest, value);
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

enum status environment_read(const char *name, const char *text, struct environment *environment, struct error *error)
{
    struct reading reading = {.environment = environment, .rest = text};
    const int line = ini_parse_stream(next_line, &reading, read_line, &reading);
    if (line == 0)
        return STATUS_OK;
    return error_set(error, STATUS_SYNTAX, "%s:%d:1: %s", name, line,
                     line == reading.wrong_line ? reading.why : "expected `parameter = value`");
}

/* "gpu" or "cpu", which name every parameter: other profiles are read on top of them. */
static void environment_base(const struct backend_device *device, struct environment *environment)
{
    const struct profile *profile = &profiles[device->gpu ? 0 : 1];
    *environment = (struct environment){0};
    (void)snprintf(environment->name, sizeof environment->name, "%s", profile->name);
    (void)environment_read(profile->name, profile->text, environment,
                           NULL); /* a unit test reads every built-in profile */
}

static const struct profile *find_profile(const char *name)
{
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++)
        if (strcasecmp(profiles[i].name, name) == 0)
            return &profiles[i];
    return NULL;
}

/* The text of a profile's file; its error says what else a profile could be. */
static enum status read_profile(const char *path, struct text *text, struct error *error)
{
    struct error why = {0};
    const enum status status = file_read_input(path, ENVIRONMENT_MAXIMUM_FILE, text, &why);
    if (status == STATUS_OK && memchr(text_string(text), '\0', text->size))
        return error_set(error, STATUS_SYNTAX, "%s:1:1: expected a profile, found a file with NUL bytes", path);
    if (status == STATUS_OK && text->size == 0) /* as a pipe is when it is read for the second device */
        return error_set(error, STATUS_SYNTAX, "%s:1:1: expected the section [environment], found nothing", path);
    if (status == STATUS_OK)
        return STATUS_OK;
    return error_set(error, status,
                     "profile %.600s; expected a built-in profile (one of" PROFILE_LIST(PROFILE_NAME) ") or a file",
                     why.text);
}

enum status environment_load(const char *name_or_path, const struct backend_device *device,
                             struct environment *environment, struct error *error)
{
    const char *slash = strrchr(name_or_path, '/');
    const struct profile *profile = find_profile(name_or_path);
    struct text text = {0};
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

/* An interpreter needs minutes for a launch of the size that suits a processor, and the job ends as a hang. */
void environment_default(const struct backend_device *device, struct environment *environment)
{
    if (strstr(device->name, "Oclgrind"))
        (void)environment_load("oclgrind", device, environment, NULL); /* a unit test reads every built-in profile */
    else
        environment_base(device, environment);
}

/* What an environment from before there was the parameter had of it: nothing. What warm_chance does, it does to tests that there
 * were not either, so there that is what profiles have. */
static uint32_t value_before(enum parameter parameter)
{
    enum { WARM_CHANCE = 50 };
    return parameter == PARAMETER_warm_chance ? WARM_CHANCE : environment_parameters[parameter].lowest;
}

/* Whether the canonical text leaves the parameter out. */
static bool is_absent(enum parameter parameter, struct environment_range range)
{
    const uint32_t before = value_before(parameter);
    return parameter >= ENVIRONMENT_FIRST_LATER && range.low == before && range.high == before;
}

void environment_print(const struct environment *environment, struct text *text)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range range = environment_range_in(environment, i);
        if (!is_absent(i, range))
            text_add(text, "%s\"%s\":[%u,%u]", i == 0 ? "{" : ",", environment_parameters[i].name, range.low,
                     range.high);
    }
    text_add(text, "}");
}

void environment_hash(const struct environment *environment, char hex[65])
{
    struct text text = {0};
    environment_print(environment, &text);
    hash_hex(text_string(&text), text.size, hex);
    text_release(&text);
}

enum status environment_parse(const char *json, struct environment *environment, struct error *error)
{
    json_error_t where;
    enum status status = STATUS_OK;
    json_t *object = json_loads(json, 0, &where);
    *environment = (struct environment){0};
    if (!object)
        return error_set(error, STATUS_SYNTAX, "environment:%d:%d: %s", where.line, where.column, where.text);
    for (enum parameter i = 0; i < PARAMETER_COUNT && status == STATUS_OK; i++) {
        const struct environment_parameter *bounds = &environment_parameters[i];
        const json_t *pair = json_object_get(object, bounds->name);
        const bool absent = !pair && i >= ENVIRONMENT_FIRST_LATER;
        const json_int_t low = absent ? value_before(i) : json_integer_value(json_array_get(pair, 0));
        const json_int_t high = absent ? value_before(i) : json_integer_value(json_array_get(pair, 1));
        if ((!absent && json_array_size(pair) != 2) || low < bounds->lowest || high > bounds->highest || low > high)
            status = error_set(error, STATUS_SYNTAX, "environment: %s: expected [low, high] between %u and %u",
                               bounds->name, bounds->lowest, bounds->highest);
        *environment_range_of(environment, i) = (struct environment_range){(uint32_t)low, (uint32_t)high};
    }
    json_decref(object);
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
