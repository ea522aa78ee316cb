// SPDX-License-Identifier: Apache-2.0
/* The canonical text of environments, and back. */
#include <jansson.h>

#include "base/hash.h"
#include "runner/environment/environment.h"

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
    struct text text = {0};
    environment_print(environment, &text);
    hash_hex(text_string(&text), text.size, hex);
    text_release(&text);
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
    json_t *object = json_loads(json, 0, &where);
    *environment = (struct environment){0};
    if (!object)
        return error_set(error, STATUS_SYNTAX, "environment:%d:%d: %s", where.line, where.column, where.text);
    enum status status = parse_ranges(object, environment->ranges, error);
    if (status == STATUS_OK)
        status = parse_others(object, environment, error);
    if (status == STATUS_OK)
        status = parse_homes(object, environment, error);
    json_decref(object);
    return status;
}
