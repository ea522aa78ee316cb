// SPDX-License-Identifier: Apache-2.0
/* Environments: read from profiles, printed and hashed; their homes; portfolios; candidates for a search. */
#include "runner/environment/environment.h"

#include <jansson.h>

#include "base/ini.h"
#include "base/random.h"
#include "runner/environment/profiles_lists.h"

#define PROFILE_TEXT(name) extern const char profile_##name[];
PROFILE_LIST(PROFILE_TEXT)

/* ---- environments ---- */

/* Devices on which profiles were measured (docs/results/measurements.md). A name is a part of the driver's name. */
static const struct {
    const char *vendor, *name;
} measured[] = {{"NVIDIA", "H100"}, {"NVIDIA", "H200"}};

enum { RULE_ARCHITECTURE = 70 }; /* from here on threads of a warp proceed independently, as on the measured devices */

static void choose_load(const char *profile, const struct backend_device *device, struct environment *environment)
{
    (void)environment_load(profile, device, environment, NULL); /* a unit test reads every built-in profile */
}

static const struct profile {
    const char *name;
    const char *text;
} profiles[] = {
#define PROFILE_ROW(name) {#name, profile_##name},
    PROFILE_LIST(PROFILE_ROW)};
#define PROFILE_NAME(name) " " #name

static struct environment environment_of_profile(const struct profile *profile, const struct environment *device_base);

/* The profile "gpu" or "cpu", on top of which other profiles are read. */
static void environment_base(const struct backend_device *device, struct environment *environment)
{
    *environment = environment_of_profile(&profiles[device->gpu ? 0 : 1], NULL);
}

/* The profile `rule`, which does not depend on the device's name: for NVIDIA GPUs from sm_70 on, the parameters of
 * `h100`; for other devices, "gpu" or "cpu". It was measured only on Hopper. */
static void environment_by_rule(const struct backend_device *device, struct environment *environment)
{
    const bool like_measured = device->gpu && strstr(device->vendor, "NVIDIA") &&
                               strncmp(device->architecture, "sm_", 3) == 0 && /* "sm_90" or "sm_90a" */
                               strtoul(device->architecture + 3, NULL, 10) >= RULE_ARCHITECTURE;
    if (like_measured) {
        choose_load("h100", device, environment); /* the clocks of other GPUs have other steps */
        (void)snprintf(environment->name, sizeof environment->name, "rule");
    } else
        environment_base(device, environment);
    (void)snprintf(environment->why, sizeof environment->why, "the default for %s",
                   like_measured ? "NVIDIA GPUs from sm_70 on"
                   : device->gpu ? "GPUs"
                                 : "CPUs");
}

void environment_default(const struct backend_device *device, struct environment *environment)
{
    /* An interpreter needs minutes for a launch sized for a processor, and the job would end as a hang. */
    const bool interpreted = strstr(device->name, "Oclgrind"), web = strcmp(device->backend, "webgpu") == 0;
    if (interpreted || web) {
        choose_load(interpreted ? "oclgrind" : device->gpu ? "webgpu" : "webcpu", device, environment);
        (void)snprintf(environment->why, sizeof environment->why, "the default for %s",
                       interpreted ? "Oclgrind" : "WebGPU");
        return;
    }
    for (size_t i = 0; i < COUNT(measured); i++)
        if (strstr(device->vendor, measured[i].vendor) && strstr(device->name, measured[i].name)) {
            /* What `hopper` adds to `h100` needs a clock. */
            choose_load(device->shared_clock ? "hopper" : "h100", device, environment);
            (void)snprintf(environment->why, sizeof environment->why, "measured on %s %s%s", measured[i].vendor,
                           measured[i].name, device->member_count > 0 ? " alone" : ""); /* not with other devices */
            return;
        }
    environment_by_rule(device, environment);
}

/* Words of ENVIRONMENT_LIST. */
#define NAMED ENVIRONMENT_NAMED
#define BIT(name) ((parameter_set)1 << PARAMETER_##name)

const struct environment_parameter environment_parameters[PARAMETER_COUNT] = {
#define PARAMETER_ROW(name, kind, lowest, highest, neutral, unnamed, mechanism, title, ...)                            \
    {#name, PARAMETER_KIND_##kind, lowest, highest, neutral, unnamed, MECHANISM_GROUP_##mechanism, title, __VA_ARGS__},
    ENVIRONMENT_LIST(PARAMETER_ROW)};

#define PROFILE_WORD(name) #name,
const char *const environment_profile_names[] = {PROFILE_LIST(PROFILE_WORD) NULL};

/* PARAMETER_COUNT if there is none of that name. */
static enum parameter find_parameter(const char *name)
{
    return (enum parameter)INDEX_OF(row, environment_parameters, PARAMETER_COUNT, strcmp(row->name, name) == 0);
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
    return FIRST_OF(profile, profiles, COUNT(profiles), strcasecmp(profile->name, name) == 0);
}

struct profile_reader {
    struct ini_reader ini;
    struct environment *environment;
    const struct environment *device_base;    /* gpu or cpu */
    bool has_parameters, has_base, has_homes; /* lines gave them */
    /* The lines of the section [portfolio]. NULL: the file's own section [environment]. */
    const struct profile *members[1 + ENVIRONMENT_MAXIMUM_OTHERS];
    uint32_t batches[1 + ENVIRONMENT_MAXIMUM_OTHERS], member_count;
};

enum { BASE_PROFILES = 2 }; /* gpu and cpu, the first; the others are read on top of one */

static bool is_portfolio(const struct profile *profile)
{
    return strstr(profile->text, "\n[portfolio]") != NULL;
}

/* The environment that names no parameter. */
static struct environment environment_of_nothing(void)
{
    struct environment nothing = {0};
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        nothing.ranges[i].low = nothing.ranges[i].high = environment_parameters[i].unnamed;
    return nothing;
}

/* "base = gpu", once and before the parameters, which it would replace. */
static bool read_base(struct profile_reader *reader, const char *value)
{
    const struct profile *profile = find_profile(value);
    if (reader->has_base || reader->has_parameters)
        return ini_refuse(&reader->ini, "base: expected one line, before the parameters");
    if (!profile || is_portfolio(profile))
        return ini_refuse(&reader->ini, "base: expected a built-in profile that is not a portfolio, found '%.400s'",
                          value);
    const struct environment base = environment_of_profile(profile, reader->device_base);
    memcpy(reader->environment->ranges, base.ranges, sizeof base.ranges);
    return reader->has_base = true;
}

/* "home = x=1,y=host", once. */
static bool read_homes(struct profile_reader *reader, const char *value)
{
    struct error error = {0};
    if (reader->has_homes)
        return ini_refuse(&reader->ini, "home: expected one line for all locations");
    if (environment_set_homes(reader->environment, value, &error) != STATUS_OK)
        return ini_refuse(&reader->ini, "home: %.400s", error.text);
    return reader->has_homes = true;
}

static bool read_parameter(struct profile_reader *reader, const char *name, const char *value)
{
    const enum parameter parameter = find_parameter(name);
    const struct environment_parameter *bounds = &environment_parameters[parameter];
    reader->has_parameters = true;
    if (parameter == PARAMETER_COUNT)
        return ini_refuse(&reader->ini, "expected a parameter of an environment, found '%s'", name);
    return parse_range(bounds, value, &reader->environment->ranges[parameter]) ||
           ini_refuse(&reader->ini, "%s: expected a whole number or low..high between %u and %u, found '%s'", name,
                      bounds->lowest, bounds->highest, value);
}

static bool read_member(struct profile_reader *reader, const char *name, const char *value)
{
    const bool own = strcmp(name, "environment") == 0;
    const struct profile *profile = own ? NULL : find_profile(name);
    const char *rest = value;
    uint32_t batches = 0;
    if (!own && (!profile || is_portfolio(profile)))
        return ini_refuse(&reader->ini,
                          "expected `environment` or a built-in profile that is not a portfolio, found '%s'", name);
    if (!parse_number(&rest, &batches) || *rest != '\0' || batches < 1 || batches > ENVIRONMENT_MAXIMUM_BATCHES)
        return ini_refuse(&reader->ini, "%s: expected a number of batches between 1 and %d, found '%s'", name,
                          ENVIRONMENT_MAXIMUM_BATCHES, value);
    if (reader->member_count > ENVIRONMENT_MAXIMUM_OTHERS)
        return ini_refuse(&reader->ini, "%s: a portfolio has at most %d members", name, 1 + ENVIRONMENT_MAXIMUM_OTHERS);
    reader->members[reader->member_count] = profile;
    reader->batches[reader->member_count++] = batches;
    return true;
}

static bool read_line(struct ini_reader *ini, const char *section, const char *name, const char *value)
{
    struct profile_reader *reader = ini->context;
    if (strcmp(section, "portfolio") == 0)
        return read_member(reader, name, value);
    if (strcmp(section, "environment") != 0)
        return ini_refuse(ini, "expected the section [environment], found %s%s%s", section[0] ? "[" : "no section",
                          section, section[0] ? "]" : "");
    if (strcmp(name, "base") == 0)
        return read_base(reader, value);
    return strcmp(name, "home") == 0 ? read_homes(reader, value) : read_parameter(reader, name, value);
}

/* The environment of a built-in profile. A unit test reads each without an error. */
static struct environment environment_of_profile(const struct profile *profile, const struct environment *device_base)
{
    struct environment environment = profile < profiles + BASE_PROFILES ? environment_of_nothing() : *device_base;
    (void)environment_read(profile->name, profile->text, &environment, NULL);
    (void)snprintf(environment.name, sizeof environment.name, "%s", profile->name);
    return environment;
}

static struct environment environment_of_member(const struct profile *member, const struct environment *own,
                                                const struct environment *device_base)
{
    return member ? environment_of_profile(member, device_base) : *own;
}

/* Makes the portfolio of the lines. A portfolio with one member is that member. */
static void join_members(const struct profile_reader *reader)
{
    const struct environment own = *reader->environment;
    struct environment *joined = reader->environment;
    if (reader->member_count == 0)
        return;
    *joined = environment_of_member(reader->members[0], &own, reader->device_base);
    memcpy(joined->homes, own.homes, sizeof own.homes); /* one for all members */
    environment_drop_others(joined);
    for (uint32_t i = 1; i < reader->member_count; i++) {
        const struct environment other = environment_of_member(reader->members[i], &own, reader->device_base);
        joined->others[i - 1].batches = reader->batches[i];
        memcpy(joined->others[i - 1].ranges, other.ranges, sizeof other.ranges);
    }
    joined->other_count = reader->member_count - 1;
    joined->batches = joined->other_count > 0 ? reader->batches[0] : 0;
}

enum status environment_read(const char *name, const char *text, struct environment *environment, struct error *error)
{
    const struct environment before = *environment;
    struct profile_reader reader = {
        .ini = {.take = read_line, .context = &reader}, .environment = environment, .device_base = &before};
    TRY(ini_read(&reader.ini, name, text, "expected `parameter = value`", error));
    join_members(&reader);
    return STATUS_OK;
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
    LOCAL(text) text = {0};
    if (strcasecmp(name_or_path, "rule") == 0) {
        environment_by_rule(device, environment);
        return STATUS_OK;
    }
    environment_base(device, environment);
    if (profile) {
        *environment = environment_of_profile(profile, environment);
        return STATUS_OK;
    }
    (void)snprintf(environment->name, sizeof environment->name, "%s", slash ? slash + 1 : name_or_path);
    TRY(read_profile(name_or_path, &text, error));
    return environment_read(name_or_path, text_string(&text), environment, error);
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

/* ---- text ---- */

/* Whether the canonical text leaves the parameter out. */
static bool is_absent(enum parameter parameter, struct environment_range range)
{
    const uint32_t unnamed = environment_parameters[parameter].unnamed;
    return range.low == unnamed && range.high == unnamed;
}

/* Appends ranges without the brace that ends the object. */
static void print_ranges(const struct environment *environment, struct text *text)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range range = environment->ranges[i];
        if (!is_absent(i, range))
            text_add(text, "%s\"%s\":[%u,%u]", i == 0 ? "{" : ",", environment_parameters[i].name, range.low,
                     range.high);
    }
}

void environment_print(const struct environment *environment, struct text *text)
{
    print_ranges(environment, text);
    if (environment->other_count > 0)
        text_add(text, ",\"batches\":%u,\"others\":[", environment->batches);
    uint64_t batch = environment->batches;
    for (uint32_t i = 0; i < environment->other_count; i++) {
        const struct environment member = environment_of_batch(environment, batch);
        text_add(text, i > 0 ? "," : "");
        print_ranges(&member, text);
        text_add(text, ",\"batches\":%u}", environment->others[i].batches);
        batch += environment->others[i].batches;
    }
    text_add(text, environment->other_count > 0 ? "]" : "");
    if (environment->homes[0] != '\0')
        text_add(text, ",\"homes\":\"%s\"", environment->homes);
    text_add(text, "}");
}

void environment_hash(const struct environment *environment, char hex[65])
{
    LOCAL(text) text = {0};
    environment_print(environment, &text);
    hash_hex(text_string(&text), text.size, hex);
}

static enum status parse_ranges(const json_t *object, struct environment_range ranges[PARAMETER_COUNT],
                                struct error *error)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_parameter *bounds = &environment_parameters[i];
        const json_t *pair = json_object_get(object, bounds->name);
        const bool absent = !pair && bounds->unnamed != ENVIRONMENT_NAMED;
        const json_int_t low = absent ? bounds->unnamed : json_integer_value(json_array_get(pair, 0));
        const json_int_t high = absent ? bounds->unnamed : json_integer_value(json_array_get(pair, 1));
        if ((!absent && json_array_size(pair) != 2) || low < bounds->lowest || high > bounds->highest || low > high)
            return error_set(error, STATUS_SYNTAX, "environment: %s: expected [low, high] between %u and %u",
                             bounds->name, bounds->lowest, bounds->highest);
        ranges[i] = (struct environment_range){(uint32_t)low, (uint32_t)high};
    }
    return STATUS_OK;
}

static enum status parse_batches(const json_t *object, uint32_t *batches, struct error *error)
{
    const json_int_t value = json_integer_value(json_object_get(object, "batches"));
    *batches = (uint32_t)value;
    return value >= 1 && value <= ENVIRONMENT_MAXIMUM_BATCHES
               ? STATUS_OK
               : error_set(error, STATUS_SYNTAX, "environment: batches: expected a whole number between 1 and %d",
                           ENVIRONMENT_MAXIMUM_BATCHES);
}

/* Reads the members of a portfolio after the first. */
static enum status parse_others(const json_t *object, struct environment *environment, struct error *error)
{
    const json_t *others = json_object_get(object, "others");
    const size_t count = json_array_size(others);
    if (!others)
        return STATUS_OK;
    if (count < 1 || count > ENVIRONMENT_MAXIMUM_OTHERS)
        return error_set(error, STATUS_SYNTAX, "environment: others: expected a list of 1 to %d environments",
                         ENVIRONMENT_MAXIMUM_OTHERS);
    TRY(parse_batches(object, &environment->batches, error));
    for (size_t i = 0; i < count; i++) {
        const json_t *other = json_array_get(others, i);
        TRY(parse_ranges(other, environment->others[i].ranges, error));
        TRY(parse_batches(other, &environment->others[i].batches, error));
    }
    environment->other_count = (uint32_t)count;
    return STATUS_OK;
}

static enum status parse_homes(const json_t *object, struct environment *environment, struct error *error)
{
    const json_t *homes = json_object_get(object, "homes");
    if (!homes)
        return STATUS_OK;
    if (!json_is_string(homes))
        return error_set(error, STATUS_SYNTAX, "environment: homes: expected a string");
    return environment_set_homes(environment, json_string_value(homes), error);
}

enum status environment_parse(const char *json, struct environment *environment, struct error *error)
{
    json_error_t where;
    json_auto_t *object = json_loads(json, 0, &where);
    *environment = (struct environment){0};
    if (!object)
        return error_set(error, STATUS_SYNTAX, "environment:%d:%d: %s", where.line, where.column, where.text);
    TRY(parse_ranges(object, environment->ranges, error));
    TRY(parse_others(object, environment, error));
    return parse_homes(object, environment, error);
}

/* ---- homes ---- */

enum { MAXIMUM_NAMED = ENVIRONMENT_MAXIMUM_HOMES / 4 }; /* "x=1," is the shortest */

/* A home is "x=host" without blanks. */

/* Appends the word at *text, up to one of the ends and without blanks around it, to the home. False if there is no
 * valid word. */
static bool environment_take_word(const char **text, const char *ends, const char *others,
                                  char home[ENVIRONMENT_MAXIMUM_HOMES])
{
    size_t length = strlen(home);
    *text += strspn(*text, " \t");
    const char *from = *text;
    while (isalnum((unsigned char)**text) || (**text != '\0' && strchr(others, **text)))
        ++*text;
    const size_t size = (size_t)(*text - from);
    *text += strspn(*text, " \t");
    if (size == 0 || length + size >= ENVIRONMENT_MAXIMUM_HOMES - 1 || (**text != '\0' && !strchr(ends, **text)))
        return false;
    memcpy(home + length, from, size);
    home[length + size] = '\0';
    return true;
}

bool environment_is_home(const char *word)
{
    return strcmp(word, "host") == 0 || (word[0] >= '0' && word[0] < '0' + BACKEND_MAXIMUM_MEMBERS && word[1] == '\0');
}

/* Reads "x = 1" up to a comma or the end. */
static bool take_home(const char **text, char home[ENVIRONMENT_MAXIMUM_HOMES])
{
    home[0] = '\0';
    if (!environment_take_word(text, "=", "_*$.%", home) || **text != '=')
        return false;
    ++*text;
    const size_t name_length = strlen(home);
    if (strchr(home, '*') && name_length != 1)
        return false;
    home[name_length] = '='; /* environment_take_word left room for it */
    home[name_length + 1] = '\0';
    return environment_take_word(text, ",", "", home) && environment_is_home(home + name_length + 1);
}

ORDERED_BY(environment_compare_names, const char, strcmp(a, b))

static enum status join_homes(char (*list)[ENVIRONMENT_MAXIMUM_HOMES], size_t count, struct environment *environment,
                              struct error *error)
{
    char joined[ENVIRONMENT_MAXIMUM_HOMES] = "";
    size_t used = 0;
    qsort(list, count, sizeof *list, environment_compare_names);
    for (size_t i = 0; i < count; i++) {
        const size_t name_length = strcspn(list[i], "=");
        if (i > 0 && strncmp(list[i - 1], list[i], name_length + 1) == 0)
            return error_set(error, STATUS_SYNTAX, "homes: %.*s is given twice", (int)name_length, list[i]);
        const int wrote = snprintf(joined + used, sizeof joined - used, "%s%s", i > 0 ? "," : "", list[i]);
        used += (size_t)wrote;
        if (used >= sizeof joined)
            return error_set(error, STATUS_SYNTAX, "homes: expected less than %d bytes", ENVIRONMENT_MAXIMUM_HOMES);
    }
    memcpy(environment->homes, joined, sizeof joined);
    return STATUS_OK;
}

enum status environment_set_homes(struct environment *environment, const char *text, struct error *error)
{
    char(*list)[ENVIRONMENT_MAXIMUM_HOMES] = memory_take(MAXIMUM_NAMED, sizeof *list);
    const char *rest = text;
    size_t count = 0;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && rest[strspn(rest, " \t")] != '\0') {
        if (count == MAXIMUM_NAMED || !take_home(&rest, list[count++]))
            status = error_set(error, STATUS_SYNTAX,
                               "homes: expected LOCATION=MEMBER, a number from 0 to %d or 'host', separated by commas, "
                               "found '%.100s'",
                               BACKEND_MAXIMUM_MEMBERS - 1, text);
        else if (*rest == ',' && *++rest == '\0')
            status =
                error_set(error, STATUS_SYNTAX, "homes: expected a location after the last comma of '%.100s'", text);
    }
    THEN(status, join_homes(list, count, environment, error));
    free(list);
    return status;
}

int environment_home_of(const struct environment *environment, const char *location)
{
    int home = ENVIRONMENT_HOME_DRAWN;
    const size_t length = strlen(location);
    for (const char *at = environment->homes; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
        const char *equals = strchr(at, '=');
        const size_t name_length = (size_t)(equals - at);
        const bool named = name_length == length && memcmp(at, location, length) == 0;
        if (named || (at[0] == '*' && home == ENVIRONMENT_HOME_DRAWN))
            home = equals[1] == 'h' ? ENVIRONMENT_HOME_HOST : equals[1] - '0';
        if (named)
            return home;
    }
    return home;
}

/* ---- portfolios ---- */

void environment_drop_others(struct environment *environment)
{
    for (uint32_t i = 0; i < ENVIRONMENT_MAXIMUM_OTHERS; i++)
        environment->others[i] = (struct environment_other){0};
    environment->other_count = environment->batches = 0;
}

struct environment environment_of_batch(const struct environment *environment, uint64_t batch)
{
    struct environment member = *environment;
    uint64_t turn = environment->batches;
    environment_drop_others(&member);
    if (environment->other_count == 0)
        return member;
    for (uint32_t i = 0; i < environment->other_count; i++)
        turn += environment->others[i].batches;
    uint64_t place = batch % turn;
    if (place < environment->batches)
        return member;
    place -= environment->batches;
    uint32_t other = 0;
    while (place >= environment->others[other].batches)
        place -= environment->others[other++].batches;
    memcpy(member.ranges, environment->others[other].ranges, sizeof member.ranges);
    return member;
}

uint64_t environment_least_batches(const struct environment *environment, uint64_t each)
{
    uint64_t turn = environment->batches, least = environment->batches;
    if (environment->other_count == 0)
        return each;
    for (uint32_t i = 0; i < environment->other_count; i++) {
        const uint64_t batches = environment->others[i].batches;
        turn += batches;
        least = batches < least ? batches : least;
    }
    return least > 0 ? (each + least - 1) / least * turn : each;
}

uint64_t environment_pilot_repeats(const struct environment *environment, bool gpu)
{
    return gpu ? 1 : 2 * environment_least_batches(environment, 1);
}

uint64_t environment_batch(const struct environment *environment, uint64_t instances)
{
    const uint64_t members = environment_least_batches(environment, ENVIRONMENT_MEMBER_BATCHES);
    const uint64_t batches = members > ENVIRONMENT_BATCHES ? members : ENVIRONMENT_BATCHES;
    return instances > 0 && instances < batches ? 1 : instances / batches;
}

uint32_t environment_highest(const struct environment *environment, enum parameter parameter)
{
    uint32_t highest = environment->ranges[parameter].high;
    for (uint32_t i = 0; i < environment->other_count; i++)
        if (environment->others[i].ranges[parameter].high > highest)
            highest = environment->others[i].ranges[parameter].high;
    return highest;
}

/* ---- candidates ---- */

enum {
    MAXIMUM_CHANGES = 3,  /* in one step */
    MAXIMUM_ATTEMPTS = 64 /* to change something; the parameters that always matter can always change */
};

/* Purposes of random numbers; the key below separates them from the purposes of draws. */
enum { PURPOSE_NEAR = 1024 };

static const uint64_t search_key = 0x736561726368; /* "search": a job has this key only by chance */

/* The values of a parameter to choose from; NULL if it is not searched. */
static const char *choices_of(const struct environment_search *search, enum parameter parameter)
{
    return search->gpu ? environment_parameters[parameter].gpu : environment_parameters[parameter].cpu;
}

/* Reads one of the choices "4*1 2 1..8" and its weight, and returns where the next begins. */
static const char *read_choice(const char *choice, struct environment_range *range, uint32_t *weight)
{
    char *end;
    *weight = 1;
    range->low = (uint32_t)strtoul(choice, &end, 10);
    if (*end == '*') {
        *weight = range->low;
        range->low = (uint32_t)strtoul(end + 1, &end, 10);
    }
    range->high = *end == '.' ? (uint32_t)strtoul(end + 2, &end, 10) : range->low;
    return end;
}

static void environment_choose(const struct environment_search *search, enum parameter parameter, struct random *random,
                               struct environment *candidate)
{
    const char *choices = choices_of(search, parameter);
    struct environment_range *range = &candidate->ranges[parameter];
    uint32_t sum = 0, weight;
    if (!choices)
        return;
    for (const char *at = choices; *at; sum += weight)
        at = read_choice(at, range, &weight);
    uint32_t left = random_below(random, sum);
    for (const char *at = read_choice(choices, range, &weight); left >= weight; at = read_choice(at, range, &weight))
        left -= weight;
}

/* Whether the parameter has an effect: in these tests and devices, with what it needs. */
static bool environment_matters(const struct environment_search *search, enum parameter parameter,
                                const struct environment *candidate)
{
    const struct environment_parameter *row = &environment_parameters[parameter];
    bool has_needs = row->needs == 0;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        has_needs |= (row->needs >> i & 1) && candidate->ranges[i].high > 0;
    return has_needs && (row->searched_with & ~search->has) == 0;
}

/* A parameter without effect keeps the start's value, so that equivalent environments are equal. */
static void silence(const struct environment_search *search, struct environment *candidate)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if (!environment_matters(search, i, candidate))
            candidate->ranges[i] = search->start->ranges[i];
}

void search_draw(const struct environment_search *search, uint64_t number, struct environment *candidate)
{
    *candidate = *search->start;
    environment_drop_others(candidate);
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        struct random random = random_start(search->seed, search_key, number, i); /* a new one changes no other */
        environment_choose(search, i, &random, candidate);
    }
    silence(search, candidate);
}

static uint32_t step_value(const struct environment_parameter *bound, uint32_t value, struct random *random)
{
    const bool up = random_below(random, 2) == 1;
    uint64_t stepped;
    if (bound->step == SEARCH_STEP_ANY)
        return random_between(random, bound->lowest, bound->highest);
    const uint32_t by = bound->step == SEARCH_STEP_SHIFT ? 1 + random_below(random, 8) : up ? value : (value + 1) / 2;
    if (up)
        stepped = (uint64_t)value + by;
    else
        stepped = value > by ? value - by : 0;
    if (stepped < bound->lowest)
        return bound->lowest;
    return stepped > bound->highest ? bound->highest : (uint32_t)stepped;
}

static void change(const struct environment_search *search, enum parameter parameter, struct random *random,
                   struct environment *candidate)
{
    struct environment_range *range = &candidate->ranges[parameter];
    if (random_below(random, 2) == 0) {
        environment_choose(search, parameter, random, candidate);
        return;
    }
    if (range->low == range->high)
        range->low = step_value(&environment_parameters[parameter], range->low, random);
    else
        range->low = random_between(random, range->low, range->high);
    range->high = range->low;
}

static bool differ(const struct environment *a, const struct environment *b)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range x = a->ranges[i], y = b->ranges[i];
        if (x.low != y.low || x.high != y.high)
            return true;
    }
    return false;
}

void search_near(const struct environment_search *search, uint64_t number, const struct environment *parent,
                 struct environment *candidate)
{
    struct random random = random_start(search->seed, search_key, number, PURPOSE_NEAR);
    *candidate = *parent;
    environment_drop_others(candidate);
    for (uint32_t left = 1 + random_below(&random, MAXIMUM_CHANGES), attempt = 0;
         attempt < MAXIMUM_ATTEMPTS && (left > 0 || !differ(candidate, parent)); attempt++) {
        const enum parameter parameter = random_below(&random, PARAMETER_COUNT);
        const char *choices = choices_of(search, parameter);
        if (!choices || !strchr(choices, ' ') || !environment_matters(search, parameter, candidate))
            continue;
        change(search, parameter, &random, candidate);
        silence(search, candidate);
        left -= left > 0;
    }
}
