// SPDX-License-Identifier: Apache-2.0
/* The keys of a script, and the combinations that are not allowed. */
#include <fnmatch.h>

#include "backends/simulated/script.h"
#include "backends/steps.h"

enum field_kind {
    FIELD_CHARS,        /* char[size]: a text that fits */
    FIELD_TEXT,         /* const char *: a text, owned by the tree */
    FIELD_BOOLEAN,      /* bool */
    FIELD_UNSIGNED,     /* unsigned: a whole number from low to high */
    FIELD_INTEGER,      /* int64_t: likewise */
    FIELD_SIZE,         /* uint64_t: likewise */
    FIELD_REAL,         /* double: a number from low to high */
    FIELD_CHOICE,       /* unsigned: one of the words, as its position */
    FIELD_MASK,         /* unsigned: an array of words, as bits by position */
    FIELD_NUMBERS,      /* const json_t *: an object of numbers from low to high */
    FIELD_TEXTS,        /* const json_t *: an array of texts */
    FIELD_ARRAY,        /* const json_t *: an array of objects */
    FIELD_OBJECT,       /* const json_t *: an object of objects */
    FIELD_CIRCUMSTANCES /* struct circumstances: an object as in base/circumstances.h */
};

struct script_field {
    const char *name;
    enum field_kind kind;
    size_t offset;            /* in the struct */
    size_t size;              /* FIELD_CHARS */
    double low, high;         /* numbers */
    const char *const *words; /* FIELD_CHOICE and FIELD_MASK: ends with NULL; an empty word cannot be written */
};

/* ---- checks JSON values and stores them in structs ---- */

/* The place of a value, for messages. */
struct spot {
    const char *file, *place;
    const struct script_field *field;
    struct error *error;
};

static enum status refuse_value(const struct spot *spot, const char *expected)
{
    return error_set(spot->error, STATUS_SYNTAX, "%s: %s%s%s: expected %s", spot->file, spot->place,
                     spot->place[0] ? "." : "", spot->field->name, expected);
}

static enum status refuse_range(const struct spot *spot, const char *what)
{
    const char *const expected = PRINTED(128, "%s from %.16g to %.16g", what, spot->field->low, spot->field->high);
    return refuse_value(spot, expected);
}

static enum status refuse_word(const struct spot *spot, const char *what)
{
    LOCAL(text) list = {0};
    const char *separator = what;
    for (const char *const *word = spot->field->words; *word; word++) {
        if (!**word)
            continue;
        text_add(&list, "%s%s", separator, *word);
        separator = ", ";
    }
    return refuse_value(spot, text_string(&list));
}

static bool in_range(const struct spot *spot, const json_t *value)
{
    return json_is_number(value) && json_number_value(value) >= spot->field->low &&
           json_number_value(value) <= spot->field->high;
}

/* The position of a text among the field's words, or -1. */
static int script_find_word(const struct spot *spot, const json_t *value)
{
    const char *text = json_string_value(value);
    for (int i = 0; text && text[0] && spot->field->words[i]; i++)
        if (strcmp(spot->field->words[i], text) == 0)
            return i;
    return -1;
}

static enum status read_chars(const struct spot *spot, const json_t *value, char *to)
{
    const char *text = json_string_value(value);
    if (!text || strlen(text) >= spot->field->size) {
        return refuse_value(spot, PRINTED(64, "a text of less than %zu bytes", spot->field->size));
    }
    memcpy(to, text, strlen(text) + 1);
    return STATUS_OK;
}

static enum status read_whole(const struct spot *spot, const json_t *value, void *to)
{
    const json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || !in_range(spot, value))
        return refuse_range(spot, "a whole number");
    if (spot->field->kind == FIELD_UNSIGNED)
        *(unsigned *)to = (unsigned)number;
    else if (spot->field->kind == FIELD_SIZE)
        *(uint64_t *)to = (uint64_t)number;
    else
        *(int64_t *)to = number;
    return STATUS_OK;
}

static enum status script_read_words(const struct spot *spot, const json_t *value, unsigned *to)
{
    if (spot->field->kind == FIELD_CHOICE) {
        const int word = script_find_word(spot, value);
        if (word < 0)
            return refuse_word(spot, "one of ");
        *to = (unsigned)word;
        return STATUS_OK;
    }
    unsigned mask = 0;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const int word = script_find_word(spot, json_array_get(value, i));
        if (word < 0)
            return refuse_word(spot, "an array of ");
        mask |= 1u << word;
    }
    if (!json_is_array(value))
        return refuse_word(spot, "an array of ");
    *to = mask;
    return STATUS_OK;
}

/* Whether a value is an object or an array whose members are all as the field says. */
static bool members_fit(const struct spot *spot, json_t *value)
{
    const bool array = spot->field->kind == FIELD_TEXTS || spot->field->kind == FIELD_ARRAY;
    const char *key;
    json_t *member;
    if (array ? !json_is_array(value) : !json_is_object(value))
        return false;
    for (size_t i = 0; array && i < json_array_size(value); i++) {
        member = json_array_get(value, i);
        if (spot->field->kind == FIELD_TEXTS ? !json_is_string(member) : !json_is_object(member))
            return false;
    }
    if (!array)
        json_object_foreach(value, key, member) if (spot->field->kind == FIELD_NUMBERS
                                                        ? !in_range(spot, member)
                                                        : !json_is_object(member)) return false;
    return true;
}

static enum status read_members(const struct spot *spot, json_t *value, const json_t **to)
{
    if (members_fit(spot, value)) {
        *to = value;
        return STATUS_OK;
    }
    switch (spot->field->kind) {
    case FIELD_NUMBERS:
        return refuse_range(spot, "an object whose values are numbers");
    case FIELD_TEXTS:
        return refuse_value(spot, "an array of texts");
    case FIELD_ARRAY:
        return refuse_value(spot, "an array of objects");
    default:
        return refuse_value(spot, "an object of objects");
    }
}

static enum status read_value(const struct spot *spot, json_t *value, void *to)
{
    switch (spot->field->kind) {
    case FIELD_CHARS:
        return read_chars(spot, value, to);
    case FIELD_TEXT:
        if (!json_is_string(value))
            return refuse_value(spot, "a text");
        *(const char **)to = json_string_value(value);
        return STATUS_OK;
    case FIELD_BOOLEAN:
        if (!json_is_boolean(value))
            return refuse_value(spot, "true or false");
        *(bool *)to = json_is_true(value);
        return STATUS_OK;
    case FIELD_UNSIGNED:
    case FIELD_INTEGER:
    case FIELD_SIZE:
        return read_whole(spot, value, to);
    case FIELD_REAL:
        if (!in_range(spot, value))
            return refuse_range(spot, "a number");
        *(double *)to = json_number_value(value);
        return STATUS_OK;
    case FIELD_CHOICE:
    case FIELD_MASK:
        return script_read_words(spot, value, to);
    case FIELD_CIRCUMSTANCES:
        return circumstances_read(value, to) ? STATUS_OK : refuse_value(spot, "the recorded circumstances of a job");
    default:
        return read_members(spot, value, to);
    }
}

static enum status refuse_key(const char *file, const char *place, const char *key, const struct script_field *fields,
                              size_t count, struct error *error)
{
    LOCAL(text) known = {0};
    for (size_t i = 0; i < count; i++)
        text_add(&known, "%s%s", i > 0 ? ", " : "", fields[i].name);
    return error_set(error, STATUS_SYNTAX, "%s: %s%sunknown key '%s'; known are %s", file, place, place[0] ? ": " : "",
                     key, text_string(&known));
}

/* Reads object into the struct at `to`; missing keys leave it unchanged. place names the object in messages. SYNTAX,
 * with file, place and what was expected. */
static enum status fields_read(const char *file, const char *place, const json_t *object,
                               const struct script_field *fields, size_t count, void *to, struct error *error)
{
    /* jansson does not change the object that it iterates over, but takes a pointer to non-const */
    void *iterator = json_object_iter((json_t *)(uintptr_t)object);
    while (iterator) {
        const char *key = json_object_iter_key(iterator);
        const size_t i = INDEX_OF(field, fields, count, strcmp(field->name, key) == 0);
        if (i == count)
            return refuse_key(file, place, key, fields, count, error);
        const struct spot spot = {file, place, &fields[i], error};
        TRY(read_value(&spot, json_object_iter_value(iterator), (char *)to + fields[i].offset));
        iterator = json_object_iter_next((json_t *)(uintptr_t)object, iterator);
    }
    return STATUS_OK;
}

#define WORD(name, word) word,
static const char *const kept_words[] = {KEPT_LIST(WORD) NULL};
#undef WORD

/* In the order of the enumerations in script.h. */
static const char *const phase_words[] = {"list", "open", "build", "batch", NULL};
static const char *const action_words[] = {"hang",   "crash", "device-lost", "wrong", "build-error", "slow",
                                           "stderr", "await", "starve",      "rates", "exec",        NULL};
static const char *const how_words[] = {"", "segv", "abort", "exit", "sum", "zero", "overlap", NULL};

#define CHARS(member) FIELD_CHARS, offsetof(struct script_device, member), sizeof((struct script_device *)0)->member
#define AT(type, member) offsetof(struct script_##type, member)

static const struct script_field device_fields[] = {
    {"name", CHARS(device.name), 0, 0, NULL},
    {"vendor", CHARS(device.vendor), 0, 0, NULL},
    {"driver", CHARS(device.driver), 0, 0, NULL},
    {"platform", CHARS(device.platform), 0, 0, NULL},
    {"compiler", CHARS(device.compiler), 0, 0, NULL},
    {"uuid", CHARS(device.uuid), 0, 0, NULL},
    {"architecture", CHARS(device.architecture), 0, 0, NULL},
    {"gpu", FIELD_BOOLEAN, AT(device, device.gpu), 0, 0, 0, NULL},
    {"shares", FIELD_BOOLEAN, AT(device, shares), 0, 0, 0, NULL},
    {"native_atomics", FIELD_BOOLEAN, AT(device, native_atomics), 0, 0, 0, NULL},
    {"takes", FIELD_MASK, AT(device, device.takes), 0, 0, 0, backend_takes_words},
    {"atomic_orders", FIELD_MASK, AT(device, device.atomic_orders), 0, 0, 0, backend_orders_words},
    {"atomic_scopes", FIELD_MASK, AT(device, device.atomic_scopes), 0, 0, 0, backend_scopes_words},
    {"fence_orders", FIELD_MASK, AT(device, device.fence_orders), 0, 0, 0, backend_orders_words},
    {"fence_scopes", FIELD_MASK, AT(device, device.fence_scopes), 0, 0, 0, backend_scopes_words},
    {"types", FIELD_MASK, AT(device, device.types), 0, 0, 0, backend_types_words},
    {"paths", FIELD_MASK, AT(device, device.paths), 0, 0, 0, backend_paths_words},
    {"edges", FIELD_MASK, AT(device, device.edges), 0, 0, 0, backend_edges_words},
    {"compute_units", FIELD_UNSIGNED, AT(device, device.compute_units), 0, 1, 1e6, NULL},
    {"max_group_size", FIELD_UNSIGNED, AT(device, device.max_group_size), 0, 1, 1e6, NULL},
    {"sub_group_size", FIELD_UNSIGNED, AT(device, device.sub_group_size), 0, 0, 1024, NULL},
    {"max_cluster_groups", FIELD_UNSIGNED, AT(device, device.max_cluster_groups), 0, 0, 1024, NULL},
    {"shared_clock", FIELD_BOOLEAN, AT(device, device.shared_clock), 0, 0, 0, NULL},
    {"clock_grain", FIELD_UNSIGNED, AT(device, device.clock_grain), 0, 0, UINT32_MAX, NULL},
    {"memory_bytes", FIELD_SIZE, AT(device, device.memory_bytes), 0, 1, 0x1p50, NULL},
    {"l2_bytes", FIELD_SIZE, AT(device, device.l2_bytes), 0, 1, 0x1p50, NULL},
    {"local_bytes", FIELD_SIZE, AT(device, device.local_bytes), 0, 1, 0x1p50, NULL},
    {"resident", FIELD_UNSIGNED, AT(device, resident), 0, 0, 1e6, NULL},
    {"group_limit", FIELD_UNSIGNED, AT(device, group_limit), 0, 0, 1e6, NULL},
    {"instances_per_second", FIELD_REAL, AT(device, instances_per_second), 0, 0, 1e15, NULL},
    {"circumstances", FIELD_CIRCUMSTANCES, AT(device, circumstances), 0, 0, 0, NULL},
    {"tests", FIELD_OBJECT, AT(device, tests_object), 0, 0, 0, NULL},
};

static const struct script_field test_fields[] = {
    {"outcomes", FIELD_NUMBERS, AT(test, outcomes), 0, 0, 1, NULL},
    {"weights", FIELD_NUMBERS, AT(test, weights), 0, 0, 1e9, NULL},
    {"voids", FIELD_NUMBERS, AT(test, voids), 0, 0, 1, NULL},
    {"dead", FIELD_TEXTS, AT(test, dead), 0, 0, 0, NULL},
    {"variation", FIELD_REAL, AT(test, variation), 0, 0, 10, NULL},
    {"kept", FIELD_CHOICE, AT(test, kept), 0, 0, 0, kept_words},
    {"kept_reason", FIELD_TEXT, AT(test, kept_reason), 0, 0, 0, NULL},
};

static const struct script_field fault_fields[] = {
    {"test", FIELD_TEXT, AT(fault, test), 0, 0, 0, NULL},
    {"device", FIELD_INTEGER, AT(fault, device), 0, 0, 1e6, NULL},
    {"phase", FIELD_CHOICE, AT(fault, phase), 0, 0, 0, phase_words},
    {"batch", FIELD_INTEGER, AT(fault, batch), 0, 0, 1e15, NULL},
    {"do", FIELD_CHOICE, AT(fault, action), 0, 0, 0, action_words},
    {"how", FIELD_CHOICE, AT(fault, how), 0, 0, 0, how_words},
    {"after", FIELD_INTEGER, AT(fault, after), 0, 0, 1e15, NULL},
    {"times", FIELD_INTEGER, AT(fault, times), 0, 1, 1e15, NULL},
    {"wedged", FIELD_BOOLEAN, AT(fault, wedged), 0, 0, 0, NULL},
    {"milliseconds", FIELD_UNSIGNED, AT(fault, milliseconds), 0, 0, 1e9, NULL},
    {"devices", FIELD_UNSIGNED, AT(fault, devices), 0, 1, 1e6, NULL},
    {"text", FIELD_TEXT, AT(fault, text), 0, 0, 0, NULL},
    {"lines", FIELD_TEXTS, AT(fault, lines), 0, 0, 0, NULL},
    {"outcomes", FIELD_NUMBERS, AT(fault, outcomes), 0, 0, 1, NULL},
    {"command", FIELD_TEXTS, AT(fault, command), 0, 0, 0, NULL},
};

/* The top level of a script. */
struct script_top {
    const char *state;
    const json_t *devices, *tests, *faults;
};

static const struct script_field top_fields[] = {
    {"state", FIELD_TEXT, AT(top, state), 0, 0, 0, NULL},
    {"devices", FIELD_ARRAY, AT(top, devices), 0, 0, 0, NULL},
    {"tests", FIELD_OBJECT, AT(top, tests), 0, 0, 0, NULL},
    {"faults", FIELD_ARRAY, AT(top, faults), 0, 0, 0, NULL},
};

/* The phases and the values of `how` that an action allows, as bits of their enumerations. */
#define BIT(name) (1u << SCRIPT_##name)
static const struct {
    unsigned phases, hows;
} action_rules[SCRIPT_ACTION_COUNT] = {
    [SCRIPT_HANG] = {~0u, 0},
    [SCRIPT_CRASH] = {~0u, BIT(SEGV) | BIT(ABORT) | BIT(EXIT)},
    [SCRIPT_LOST] = {~0u, 0},
    [SCRIPT_WRONG] = {BIT(BATCH), BIT(SUM) | BIT(ZERO) | BIT(OVERLAP)},
    [SCRIPT_BUILD_ERROR] = {BIT(BUILD), 0},
    [SCRIPT_SLOW] = {~0u, 0},
    [SCRIPT_STDERR] = {~0u, BIT(SEGV) | BIT(ABORT) | BIT(EXIT)},
    [SCRIPT_STARVE] = {~0u, 0},
    [SCRIPT_RATES] = {BIT(BATCH), 0},
    [SCRIPT_EXEC] = {~0u, 0},
    [SCRIPT_AWAIT] = {BIT(OPEN) | BIT(BUILD) | BIT(BATCH), 0},
};

static const struct script_device default_device = {
    .device = {.backend = "simulated",
               .name = "Simulated device",
               .vendor = "orchil",
               .driver = "1.0",
               .architecture = "",
               .gpu = true,
               .takes = BACKEND_TAKES_C11 | BACKEND_TAKES_PTX | BACKEND_TAKES_CUDA,
               .atomic_orders = BACKEND_ALL_ORDERS,
               .atomic_scopes = BACKEND_ALL_SCOPES,
               .fence_orders = BACKEND_ALL_ORDERS,
               .fence_scopes = BACKEND_ALL_SCOPES,
               .types = BACKEND_ALL_TYPES,
               .paths = BACKEND_ALL_PATHS,
               .edges = STEPS_ALL,
               .compute_units = 16,
               .max_group_size = 1024,
               .max_cluster_groups = 8,
               .sub_group_size = 32,
               .memory_bytes = UINT64_C(1) << 30,
               .local_bytes = 48 * 1024},
    .resident = 256,
    .instances_per_second = 1e7,
    .shares = true,
    .native_atomics = true,
};

static enum status refuse_script(const char *file, const char *place, const char *reason, struct error *error)
{
    return error_set(error, STATUS_SYNTAX, "%s: %s: %s", file, place, reason);
}

static double sum_of(const json_t *numbers)
{
    double sum = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)numbers, key, value) sum += json_number_value(value);
    return sum;
}

static enum status read_tests(const char *file, const char *place, const json_t *object, struct script_tests *tests,
                              struct error *error)
{
    const char *key;
    json_t *value;
    tests->list = memory_take(json_object_size(object), sizeof *tests->list);
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        struct script_test *test = &tests->list[tests->count++];
        test->pattern = key;
        const char *const at = PRINTED(256, "%stests.%s", place, key);
        TRY(fields_read(file, at, value, test_fields, COUNT(test_fields), test, error));
        if (sum_of(test->outcomes) + sum_of(test->voids) > 1 + 1e-9)
            return refuse_script(file, at, "the rates of outcomes and voids add up to more than 1", error);
        if (test->kept == TEST_KEPT && test->kept_reason)
            return refuse_script(file, at, "a test that is kept has no 'kept_reason'", error);
        if ((test->kept == TEST_MERGED || test->kept == TEST_NOT_KEPT) && (!test->kept_reason || !test->kept_reason[0]))
            return refuse_script(file, at, "a test that is merged or not kept needs a 'kept_reason'", error);
    }
    return STATUS_OK;
}

static enum status read_devices(const char *file, const json_t *array, struct script *script, struct error *error)
{
    const size_t count = array ? json_array_size(array) : 1;
    script->devices = memory_take(count, sizeof *script->devices);
    for (size_t i = 0; i < count; i++) {
        char place[64];
        struct script_device *device = &script->devices[script->device_count++];
        *device = default_device;
        device->device.index = (unsigned)i;
        if (!array)
            continue;
        (void)snprintf(place, sizeof place, "devices[%zu]", i);
        TRY(fields_read(file, place, json_array_get(array, i), device_fields, COUNT(device_fields), device, error));
        (void)snprintf(place, sizeof place, "devices[%zu].", i);
        TRY(read_tests(file, place, device->tests_object, &device->tests, error));
    }
    return STATUS_OK;
}

/* Finds keys of a fault that contradict each other. */
static const char *find_objection(const struct script_fault *fault, const char *state)
{
    if (fault->phase == UINT32_MAX)
        return "'phase' is missing: one of list, open, build, batch";
    if (fault->action == UINT32_MAX)
        return "'do' is missing: one of hang, crash, device-lost, wrong, build-error, slow, stderr, await, starve, rates, "
               "exec";
    const bool lists = fault->phase == SCRIPT_LIST, waits = fault->action == SCRIPT_AWAIT;
    const bool outlives = fault->times >= 0 || fault->after > 0 || fault->wedged;
    const unsigned hows = action_rules[fault->action].hows | BIT(HOW_DEFAULT);
    const struct {
        bool applies;
        const char *objection;
    } rules[] = {
        {!(action_rules[fault->action].phases >> fault->phase & 1), "this 'do' does not happen in this 'phase'"},
        {!(hows >> fault->how & 1), "this 'do' does not have this 'how'"},
        {fault->batch >= 0 && fault->phase != SCRIPT_BATCH, "'batch' requires the phase batch"},
        {fault->test && fault->phase < SCRIPT_BUILD, "'test' requires the phase build or batch"},
        {fault->device >= 0 && lists, "'device' requires another phase than list"},
        {fault->wedged && lists, "'wedged' requires another phase than list"},
        {waits != (fault->devices > 0), "'devices' (how many must arrive) and the 'do' await must be used together"},
        {waits && !state, "the 'do' await works between processes and requires the script's 'state'"},
        {outlives && !state, "'after', 'times' and 'wedged' outlive a process and require the script's 'state'"},
        {(fault->action == SCRIPT_RATES) != (fault->outcomes != NULL),
         "'outcomes' (the batch's rates) and the 'do' rates must be used together"},
        {(fault->action == SCRIPT_EXEC) != (json_array_size(fault->command) > 0),
         "'command' (a program and its arguments) and the 'do' exec must be used together"},
    };
    return VALUE_OF(const char *, rule, rules, COUNT(rules), rule->applies, rule->objection, NULL);
}

static enum status read_faults(const char *file, const json_t *array, struct script *script, const char *state,
                               struct error *error)
{
    script->faults = memory_take(json_array_size(array), sizeof *script->faults);
    for (size_t i = 0; i < json_array_size(array); i++) {
        struct script_fault *fault = &script->faults[script->fault_count++];
        *fault =
            (struct script_fault){.device = -1, .batch = -1, .times = -1, .phase = UINT32_MAX, .action = UINT32_MAX};
        const char *const place = PRINTED(64, "faults[%zu]", i);
        TRY(fields_read(file, place, json_array_get(array, i), fault_fields, COUNT(fault_fields), fault, error));
        const char *reason = find_objection(fault, state);
        if (reason)
            return refuse_script(file, place, reason, error);
        if (fault->device >= (int64_t)script->device_count)
            return refuse_script(file, place, "there is no such 'device'", error);
    }
    return STATUS_OK;
}

/* The state file's path; a relative one starts at the script's folder. */
static char *state_path(const char *file, const char *state)
{
    struct text path = {0};
    const char *slash = strrchr(file, '/');
    if (slash && state[0] != '/')
        text_add_bytes(&path, file, (size_t)(slash - file) + 1);
    text_add(&path, "%s", state);
    return text_take(&path);
}

static enum status read_root(const char *file, struct script *script, struct error *error)
{
    json_error_t parse_error;
    struct script_top top = {0};
    LOCAL(text) text = {0};
    const enum status status = file_read_whole(file, SCRIPT_MAXIMUM_FILE, &text, error);
    if (status == STATUS_OK)
        script->root = json_loadb(text_string(&text), text.size, JSON_REJECT_DUPLICATES, &parse_error);
    if (status != STATUS_OK) {
        const struct error why = *error;
        return error_set(error, status, "the simulated devices' script %.900s", why.text);
    }
    if (!script->root)
        return error_set(error, STATUS_SYNTAX, "%s:%d:%d: %s", file, parse_error.line, parse_error.column,
                         parse_error.text);
    if (!json_is_object(script->root))
        return error_set(error, STATUS_SYNTAX, "%s:1:1: expected an object", file);
    TRY(fields_read(file, "", script->root, top_fields, COUNT(top_fields), &top, error));
    if (top.state)
        script->state = state_path(file, top.state);
    TRY(read_devices(file, top.devices, script, error));
    TRY(read_tests(file, "", top.tests, &script->tests, error));
    return read_faults(file, top.faults, script, top.state, error);
}

enum status script_read(const char *path, struct script *script, struct error *error)
{
    *script = (struct script){0};
    const enum status status =
        path && path[0] ? read_root(path, script, error) : read_devices("the default script", NULL, script, error);
    if (status != STATUS_OK)
        script_release(script);
    return status;
}

void script_release(struct script *script)
{
    for (size_t i = 0; i < script->device_count; i++)
        free(script->devices[i].tests.list);
    free(script->devices);
    free(script->tests.list);
    free(script->faults);
    free(script->state);
    json_decref(script->root);
    *script = (struct script){0};
}

static const struct script_test *find_in(const struct script_tests *tests, const char *name)
{
    return FIRST_OF(one, tests->list, tests->count, strcmp(one->pattern, name) == 0)
               ?: FIRST_OF(one, tests->list, tests->count, fnmatch(one->pattern, name, 0) == 0);
}

const struct script_test *script_find(const struct script *script, const struct script_device *device, const char *name)
{
    const struct script_test *test = find_in(&device->tests, name);
    return test ? test : find_in(&script->tests, name);
}
