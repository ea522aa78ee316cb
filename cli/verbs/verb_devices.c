// SPDX-License-Identifier: Apache-2.0
/* orchil devices: the devices of this machine, and their capabilities. */
#include "base/field.h"
#include "base/terminal/table.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "runner/environment/environment.h"
#include "runner/protocol/device.h"
#include "runner/supervise/devices.h"

struct devices_request {
    bool json;
    struct verb_arguments backends;
};

static void devices_check_options(const struct argp_state *state, const void *data)
{
    const struct devices_request *request = data;
    if (request->backends.count > 1)
        options_error(state, "expected at most one BACKEND, found also '%s'", request->backends.list[1]);
}

#define AT(member) offsetof(struct devices_request, member)

static const struct option_row option_rows[] = {{ROW_JSON(AT(json))}, {0}};

/* The last word that applies: the strongest or widest. */
static const char *utmost(unsigned bits, const char *const *words)
{
    const char *found = "none";
    for (; *words; words++, bits >>= 1)
        if (bits & 1)
            found = *words;
    return found;
}

static void add_declared(struct table *table, unsigned orders, unsigned scopes)
{
    if (orders == 0)
        table_add(table, "-");
    else
        table_add(table, "%s, %s", utmost(orders, backend_orders_words), utmost(scopes, backend_scopes_words));
}

static void devices_add_device(struct table *table, const struct device_list *list, const struct backend_device *device)
{
    table_add_heading(table, "%s%s  %s%s%s%s%s", device_address(device).text,
                      devices_is_default(list, device) ? " *" : "", device->name, device->architecture[0] ? ", " : "",
                      device->architecture, device->driver[0] ? ", driver " : "", device->driver);
    table_add(table, "  %s", device->gpu ? "GPU" : "CPU");
    /* "c11", "ptx", "c11+ptx"; "nothing" for a device that cannot run tests. */
    LOCAL(text) text = {0};
    for (size_t i = 0; backend_takes_words[i]; i++)
        if (device->takes >> i & 1)
            text_add(&text, "%s%s", text.size > 0 ? "+" : "", backend_takes_words[i]);
    table_add_styled(table, device->takes ? TERMINAL_PLAIN : TERMINAL_WARNING, "%s",
                     device->takes ? text_string(&text) : "nothing");
    add_declared(table, device->atomic_orders, device->atomic_scopes);
    add_declared(table, device->fence_orders, device->fence_scopes);
    table_add(table, "%s", device->compute_units > 0 ? PRINTED(16, "%u", device->compute_units) : "-");
    static const double gibibyte = 1024.0 * 1024 * 1024;
    if (device->memory_bytes == 0)
        table_add(table, "-");
    else
        table_add(table, "%.1f GiB", (double)device->memory_bytes / gibibyte);
    struct environment environment;
    environment_default(device, &environment);
    table_add_heading(table, "  profile %s, %s", environment.name, environment.why);
}

/* Whether other devices may reach its memory: OpenCL drivers do not share a GPU's memory. */
static bool could_share(const struct backend_device *device)
{
    return device->takes != 0 && !(device->gpu && strcmp(device->backend, "opencl") == 0);
}

/* The first that could share memory with a device before it in the list: of the same backend. */
static const struct backend_device *find_partner(const struct device_list *list, size_t of)
{
    for (size_t i = of + 1; i < list->count; i++)
        if (could_share(&list->devices[of]) && could_share(&list->devices[i]) &&
            strcmp(list->devices[i].backend, list->devices[of].backend) == 0)
            return &list->devices[i];
    return NULL;
}

/* The first CUDA GPU, if a processor could run the host's threads with it. */
static const struct backend_device *find_beside_host(const struct device_list *list)
{
    const struct backend_device *gpu = NULL;
    bool processor = false;
    for (size_t i = list->count; i > 0; i--) {
        const struct backend_device *device = &list->devices[i - 1];
        processor |= !device->gpu && strcmp(device->backend, "opencl") == 0 && could_share(device);
        if (strcmp(device->backend, "cuda") == 0)
            gpu = device;
    }
    return processor ? gpu : NULL;
}

/* How to name devices that play a test together, if some could: whether they can is checked on request. */
static void print_joined(const struct device_list *list)
{
    const struct backend_device *partner = NULL, *host = find_beside_host(list);
    size_t first = 0;
    while (first < list->count && !(partner = find_partner(list, first)))
        first++;
    if (!partner && !host)
        return;
    terminal_print(stdout, "Several at once: --device ");
    if (partner)
        terminal_print(stdout, "%s+%s", device_address(&list->devices[first]).text, device_address(partner).text);
    if (host)
        terminal_print(stdout, "%s%s+host", partner ? ", " : "", device_address(host).text);
    terminal_print(stdout, "\n");
}

static void devices_print_table(const struct device_list *list)
{
    struct table table = {0};
    bool marked = false, older = false;
    const bool colours = terminal_has_colours(stdout);
    terminal_print(stdout, "%sAddress  Name, architecture, driver%s\n", terminal_style(colours, TERMINAL_STRONG),
                   terminal_style(colours, TERMINAL_PLAIN));
    table_columns(&table, "  Kind|Takes|~Atomics|~Fences|->Units|>Memory");
    for (size_t i = 0; i < list->count; i++) {
        devices_add_device(&table, list, &list->devices[i]);
        marked |= devices_is_default(list, &list->devices[i]);
        older |= list->devices[i].takes == BACKEND_TAKES_OPENCL1;
    }
    table_print(&table, stdout, 0);
    if (marked)
        terminal_print(stdout, "* is the default device\n");
    if (older)
        terminal_print(stdout, BACKEND_OPENCL1_NOTE "\n");
    print_joined(list);
}

#define PROFILE_MEMBERS(X)                                                                                             \
    X("name", text, "the profile that a run uses by default", environment->name)                                       \
    X("why", text, "why this profile was chosen", environment->why)
FIELD_RECORD(default_profile, PROFILE_MEMBERS, const struct environment *environment)
#define DEFAULT_MEMBER(X) X("profile", default_profile, "the profile that a run uses by default, and why", &environment)
FIELD_EXTENDED(document_devices, described_device, DEFAULT_MEMBER(FIELD_ROW){0})

static void devices_print_json(const struct device_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        struct environment environment;
        json_t *object = field_described_device(&list->devices[i]);
        environment_default(&list->devices[i], &environment);
        DEFAULT_MEMBER(FIELD_SET)
        json_append(array, object);
    }
    (void)json_print(JSON_DEVICES, array); /* main reports errors of standard output */
}

static enum status devices_execute(void *data, struct verb_call *call, struct error *error)
{
    const struct devices_request *request = data;
    struct device_list list;
    TRY(devices_find(request->backends.count > 0 ? request->backends.list[0] : NULL, &list, error));
    if (request->json)
        devices_print_json(&list);
    else if (list.count > 0)
        devices_print_table(&list);
    /* Why backends have no devices; for a backend that crashed, whatever the others have. */
    (void)fflush(stdout); /* the table comes first even if both streams are the same */
    FOR_EACH(const struct device_finding, finding, list.findings, list.finding_count)
        if (finding->status != STATUS_OK)
            terminal_print(stderr, "%s: %s\n", finding->backend->title, finding->text);
    if (list.count == 0)
        terminal_print(stderr, "no device found; `orchil doctor` says what is missing\n");
    call->code = list.count == 0 ? status_exit_code(STATUS_NO_DEVICE) : 0;
    devices_release(&list);
    return STATUS_OK;
}

VERB_ENTRY(devices, backends, (0), .check = devices_check_options);
