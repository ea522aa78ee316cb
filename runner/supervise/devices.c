// SPDX-License-Identifier: Apache-2.0
/* Finding the devices: each backend is asked in a separate process; selecting them by a SPEC. */
#include "runner/supervise/devices.h"

#include "backends/ensemble/ensemble.h"
#include "base/terminal/resemblance.h"
#include "runner/supervise/child.h"

/* ---- a folder for drivers that have no other to write to ---- */

static bool is_lacking(void)
{
    for (const struct backend *const *at = backends; *at; at++)
        if ((*at)->lacks_folder && (*at)->lacks_folder())
            return true;
    return false;
}

/* Makes a folder if a backend's driver lacks one, and names it to the workers started from now on
 * (BACKEND_FOLDER_VARIABLE). Does nothing if that variable is already set. If the folder cannot be made, the backend's
 * explain_lacks says where the driver could not write. */
static void driver_folder_open(struct temporary_folder *folder)
{
    struct error ignored;
    *folder = (struct temporary_folder){0};
    if (getenv(BACKEND_FOLDER_VARIABLE) || !is_lacking() ||
        temporary_folder_open("drivers", folder, &ignored) != STATUS_OK)
        return;
    if (setenv(BACKEND_FOLDER_VARIABLE, folder->path, 0) != 0)
        memory_fail(sizeof folder->path);
}

/* Removes the folder with its content. */
static void driver_folder_close(struct temporary_folder *folder)
{
    if (folder->path[0] != '\0')
        (void)unsetenv(BACKEND_FOLDER_VARIABLE);
    temporary_folder_close(folder);
}

/* ---- finding ---- */

/* A driver's first start may build kernels of its own and wake hardware. */
static const double answer_seconds = 60;
static const double leave_seconds = 2;

/* ---- asking a process ---- */

/* ensemble: the address of the requested ensemble, or empty. */
static enum status start_worker(struct child *child, const char *option, const char *backend_name, const char *ensemble,
                                struct error *error)
{
    char name[32], what[16], address[DEVICE_ADDRESS_SIZE];
    (void)snprintf(name, sizeof name, "%s", backend_name);
    (void)snprintf(what, sizeof what, "%s", option);
    (void)snprintf(address, sizeof address, "%s", ensemble);
    char orchil[] = "orchil", worker[] = "worker";
    char *const arguments[] = {orchil, worker, what, name, address[0] ? address : NULL, NULL};
    return child_start(child, arguments, error);
}

/* The last line of a process's standard error, without its newline; cut to size. */
static void last_words(const struct text *tail, char *words, size_t size)
{
    const char *text = text_string(tail);
    size_t end = tail->size;
    while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == '\r'))
        end--;
    size_t start = end;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    (void)snprintf(words, size, "%.*s", (int)(end - start < size ? end - start : size - 1), text + start);
}

static enum child_event next_answer(struct child *child, double end, const char **line)
{
    const double left = end - clock_seconds();
    return left > 0 ? child_next(child, -1, left, line) : CHILD_TIMEOUT;
}

/* How a process ended. */
struct ending {
    bool in_time, reaped;
    int wait_status;
};

static struct ending finish_child(struct child *child, bool in_time)
{
    struct ending ending = {.in_time = in_time};
    ending.reaped = child_finish(child, in_time ? leave_seconds : 0, &ending.wait_status);
    return ending;
}

/* As "the process that asked OpenCL was killed by SIGSEGV (Segmentation fault); its last words: ...". */
static void describe_ending(const struct ending *ending, const struct child *child, const struct backend *backend,
                            char *text, size_t size)
{
    char fate[96], words[512];
    if (!ending->reaped)
        (void)snprintf(text, size, "the driver hangs and its process cannot be killed");
    else if (!ending->in_time)
        (void)snprintf(text, size, "the driver did not answer within %.0f s", answer_seconds);
    else if (child->too_long)
        (void)snprintf(text, size, "the driver answered with more than %d MiB", CHILD_LINE_MAXIMUM / (1024 * 1024));
    else
        (void)snprintf(text, size, "the process that listed devices of %s %s", backend->title,
                       child_fate(ending->wait_status, fate));
    size_t length = strlen(text);
    last_words(&child->error_tail, words, sizeof words);
    if (words[0] != '\0')
        (void)snprintf(text + length, size - length, "; its last output: %s", words);
    length = strlen(text);
    LOCAL(text) causes = {0};
    if (backend->explain_lacks)
        backend->explain_lacks(&causes);
    if (causes.size > 0)
        (void)snprintf(text + length, size - length, "; %s", text_string(&causes));
}

/* ---- listing ---- */

/* Appends a device of the backend asked, with a number of its own, or the ensemble. */
static enum status append_device(struct device_list *list, const struct device_finding *finding, const json_t *json,
                                 struct error *error)
{
    struct backend_device device;
    TRY(device_from_json(json, &device, error));
    bool known = strcmp(device.backend, finding->backend->name) != 0 ||
                 strcmp(device.member_count > 0 ? device_address(&device).text : "", finding->ensemble.text) != 0;
    /* Each ensemble is the first of its process: here they are numbered in the order of the requests. */
    for (size_t i = 0; i < list->count && device.member_count > 0; i++)
        device.index += list->devices[i].member_count > 0;
    for (size_t i = 0; i < list->count; i++)
        known |= strcmp(list->devices[i].backend, device.backend) == 0 && list->devices[i].index == device.index;
    if (known) {
        device_release(&device);
        return error_set(error, STATUS_INTERNAL, "the description of a device is damaged: it describes another device");
    }
    LIST_ADD(list->devices, list->count, list->room) = device;
    return STATUS_OK;
}

static void find_nothing(struct device_finding *finding, enum status status, const char *why)
{
    finding->status = status;
    (void)snprintf(finding->text, sizeof finding->text, "%s", why);
}

/* Reads {"devices": [...]} or {"error": "...", "status": "..."}; false if the line is neither. A list with an invalid
 * device is not accepted. */
static bool take_answer(const char *line, size_t size, struct device_list *list, struct device_finding *finding)
{
    json_auto_t *answer = json_loadb(line, size, JSON_REJECT_DUPLICATES, NULL);
    const json_t *devices = json_object_get(answer, "devices");
    const char *problem = json_string_value(json_object_get(answer, "error"));
    const char *kind = json_string_value(json_object_get(answer, "status"));
    const size_t before = list->count;
    struct error error = {.status = STATUS_OK};
    for (size_t i = 0; error.status == STATUS_OK && i < json_array_size(devices); i++)
        (void)append_device(list, finding, json_array_get(devices, i), &error);
    if (error.status != STATUS_OK) {
        while (list->count > before)
            device_release(&list->devices[--list->count]);
        find_nothing(finding, STATUS_DEVICE_FAILED, error.text);
    } else if (problem)
        find_nothing(finding, kind && strcmp(kind, "none") == 0 ? STATUS_NO_DEVICE : STATUS_DEVICE_FAILED, problem);
    return json_is_array(devices) || problem;
}

static enum status devices_ask(const struct backend *backend, const char *ensemble, struct device_list *list,
                               struct error *error)
{
    struct device_finding *finding = &list->findings[list->finding_count++];
    struct child child;
    const char *line;
    bool answered = false;
    enum child_event event = CHILD_TIMEOUT;
    *finding = (struct device_finding){.backend = backend};
    (void)snprintf(finding->ensemble.text, sizeof finding->ensemble.text, "%s", ensemble);
    TRY(start_worker(&child, "--list", backend->name, ensemble, error));
    const double end = clock_seconds() + answer_seconds;
    /* A driver may print its own lines between. */
    while (!answered && (event = next_answer(&child, end, &line)) == CHILD_LINE)
        answered = take_answer(line, child.line_size, list, finding);
    const struct ending ending = finish_child(&child, event != CHILD_TIMEOUT);
    if (!answered) {
        finding->status = STATUS_DEVICE_FAILED;
        describe_ending(&ending, &child, backend, finding->text, sizeof finding->text);
    }
    child_release(&child);
    return STATUS_OK;
}

/* Whether a backend can list all its devices: ensembles are requested one by one. */
static bool has_list(const struct backend *backend)
{
    return strcmp(backend->name, DEVICES_ENSEMBLE) != 0;
}

static enum status unknown_backend(const char *name, struct error *error)
{
    struct resemblance best = {0};
    LOCAL(text) text = {0};
    for (const struct backend *const *at = backends; *at; at++)
        if (has_list(*at))
            resemblance_offer(&best, name, (*at)->name);
    text_add(&text, "unknown backend '%s'", name);
    resemblance_print(&best, &text);
    text_add(&text, "; backends are");
    for (const struct backend *const *at = backends; *at; at++)
        if (has_list(*at))
            text_add(&text, "%s %s", at == backends ? "" : ",", (*at)->name);
    return error_set(error, STATUS_USAGE, "%s", text_string(&text));
}

enum status devices_find(const char *backend_name, struct device_list *list, struct error *error)
{
    enum status status = STATUS_OK;
    *list = (struct device_list){0};
    const struct backend *named = backend_name ? backend_find(backend_name) : NULL;
    if (backend_name && (!named || !has_list(named)))
        return unknown_backend(backend_name, error);
    driver_folder_open(&list->folder);
    for (const struct backend *const *at = backends; *at && status == STATUS_OK; at++)
        if (list->finding_count < DEVICES_MAXIMUM_FINDINGS && has_list(*at) &&
            (named ? *at == named : backend_offered(*at)))
            status = devices_ask(*at, "", list, error);
    if (status != STATUS_OK)
        devices_release(list);
    return status;
}

/* Asks for one ensemble, once. */
static enum status ask_ensemble(const char *spec, struct device_list *list, struct error *error)
{
    const struct backend *backend = backend_find(DEVICES_ENSEMBLE);
    struct device_address address;
    TRY(device_address_read(spec, &address, error));
    if (ANY_OF(finding, list->findings, list->finding_count, strcmp(finding->ensemble.text, address.text) == 0))
        return STATUS_OK;
    if (list->finding_count == DEVICES_MAXIMUM_FINDINGS || !backend)
        return error_set(error, STATUS_USAGE, "--device: too many ensembles for one run; leave out %s", address.text);
    return devices_ask(backend, address.text, list, error);
}

/* The next of several SPECs separated by commas, from *rest, which may be NULL; false after the last, or if it is too
 * long for a device. */
static bool next_spec(const char **rest, char spec[256])
{
    enum { SIZE = 256 };
    if (!*rest)
        return false;
    const size_t length = strcspn(*rest, ",");
    (void)snprintf(spec, SIZE, "%.*s", (int)length, *rest);
    *rest = (*rest)[length] == ',' ? *rest + length + 1 : NULL;
    return length < SIZE;
}

enum status devices_find_for(const char *spec, struct device_list *list, struct error *error)
{
    LOCAL(text) others = {0};
    char one[256];
    bool joins = false;
    for (const char *rest = spec; next_spec(&rest, one);) {
        joins |= ensemble_is_address(one);
        if (!ensemble_is_address(one))
            text_add(&others, "%s%s", others.size > 0 ? "," : "", one);
    }
    *list = (struct device_list){0};
    enum status status = STATUS_OK;
    if (!joins || others.size > 0)
        status = devices_find(devices_backend(joins ? text_string(&others) : spec), list, error);
    else
        driver_folder_open(&list->folder);
    for (const char *rest = joins ? spec : NULL; status == STATUS_OK && next_spec(&rest, one);)
        if (ensemble_is_address(one) && (status = ask_ensemble(one, list, error)) != STATUS_OK)
            devices_release(list);
    return status;
}

void devices_release(struct device_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        device_release(&list->devices[i]);
    free(list->devices);
    driver_folder_close(&list->folder);
    *list = (struct device_list){0};
}

/* ---- explaining ---- */

static enum status devices_explain_absence(const struct backend *backend, struct text *text, struct error *error)
{
    struct child child;
    const char *line;
    enum child_event event;
    const size_t before = text->size;
    TRY(start_worker(&child, "--explain", backend->name, "", error));
    const double end = clock_seconds() + answer_seconds;
    while ((event = next_answer(&child, end, &line)) == CHILD_LINE)
        text_add(text, "%s\n", line);
    const struct ending ending = finish_child(&child, event != CHILD_TIMEOUT);
    if (!ending.in_time || !ending.reaped || ending.wait_status != 0) {
        char fault[1024];
        if (text->size == before)
            text_add(text, "%s\n", backend->title);
        describe_ending(&ending, &child, backend, fault, sizeof fault);
        text_add(text, "  %s\n", fault);
    }
    child_release(&child);
    return STATUS_OK;
}

enum status devices_explain(const struct backend *backend, struct text *text, struct error *error)
{
    struct temporary_folder folder;
    driver_folder_open(&folder);
    const enum status status = devices_explain_absence(backend, text, error);
    driver_folder_close(&folder);
    return status;
}

/* ---- selecting ---- */

/* "cuda", "cuda:0", "cuda:all" or "cuda:H200". */
struct address {
    const struct backend *backend;
    bool indexed, all;
    unsigned index;
    const char *part; /* of a device's name; in the SPEC */
};

static bool read_address(const char *spec, struct address *address)
{
    char name[16];
    const size_t length = spec ? strcspn(spec, ":") : sizeof name;
    *address = (struct address){0};
    if (length >= sizeof name)
        return false;
    (void)snprintf(name, sizeof name, "%.*s", (int)length, spec);
    address->backend = backend_find(name);
    if (!address->backend || spec[length] == '\0')
        return address->backend != NULL;
    address->all = strcasecmp(spec + length + 1, "all") == 0;
    if (address->all)
        return true;
    const char *digits = spec + length + 1;
    const size_t count = strspn(digits, "0123456789");
    address->indexed = count > 0 && count < 10 && digits[count] == '\0';
    if (address->indexed)
        address->index = (unsigned)strtoul(digits, NULL, 10);
    else
        address->part = digits;
    return *digits != '\0';
}

bool devices_shared(const char *spec)
{
    struct address address;
    return spec && (strcasecmp(spec, "all") == 0 || (read_address(spec, &address) && address.all));
}

const char *devices_backend(const char *spec)
{
    struct address address;
    char one[256];
    const char *name = NULL;
    for (const char *rest = spec; next_spec(&rest, one); name = address.backend->name)
        if (!read_address(one, &address) || (name && name != address.backend->name))
            return NULL;
    return name;
}

/* The first device of a backend, or of all devices that need not be named. */
static const struct backend_device *first_device(const struct device_list *list, const struct backend *backend)
{
    const struct backend_device *first = NULL;
    FOR_EACH(const struct backend_device, device, list->devices, list->count) {
        const struct backend *its = backend_find(device->backend);
        if (!its || (backend ? its != backend : !backend_offered(its)))
            continue;
        if (device->gpu)
            return device;
        if (!first)
            first = device;
    }
    return first;
}

bool devices_is_default(const struct device_list *list, const struct backend_device *device)
{
    return first_device(list, NULL) == device;
}

void devices_add_findings(const struct device_list *list, struct text *text)
{
    for (size_t i = 0; i < list->finding_count; i++)
        if (list->findings[i].status != STATUS_OK)
            text_add(text, "%s%s: %s", text->size > 0 ? "\n" : "", list->findings[i].backend->title,
                     list->findings[i].text);
}

/* Whether a SPEC selects a device: by its backend and index or name (address, NULL for none), or by a part of its
 * name. */
static bool devices_means(const char *spec, const struct address *address, const struct backend_device *device)
{
    if (address)
        return strcmp(device->backend, address->backend->name) == 0 &&
               (address->all || (address->indexed && device->index == address->index) ||
                (address->part && (strcasestr(device->name, address->part) ||
                                   (device->uuid[0] && strcasecmp(device->uuid, address->part) == 0))));
    return devices_shared(spec) || (spec[0] != '\0' && strcasestr(device->name, spec));
}

/* Adds the devices that a SPEC selects, or all. */
static void devices_add_devices(const struct device_list *list, const char *spec, struct text *text)
{
    struct address address;
    const bool by_address = spec && read_address(spec, &address);
    bool first = true;
    FOR_EACH(const struct backend_device, device, list->devices, list->count) {
        if (spec && !devices_means(spec, by_address ? &address : NULL, device))
            continue;
        text_add(text, "%s%s (%s)", first ? "" : ", ", device_address(device).text, device->name);
        first = false;
    }
}

void devices_add_names(const struct device_list *list, struct text *text)
{
    if (list->count == 0)
        text_add(text, "none");
    devices_add_devices(list, NULL, text);
}

/* The error for a missing device, with the available devices and the reasons of backends without any. */
static enum status no_device(const struct device_list *list, const char *spec, struct error *error)
{
    LOCAL(text) text = {0}, findings = {0};
    if (spec && list->count > 0) {
        text_add(&text, "no device matches '%s'; available: ", spec);
        devices_add_devices(list, NULL, &text);
    } else {
        text_add(&text, "no device was found");
        if (spec)
            text_add(&text, " for '%s'", spec);
        text_add(&text, "; 'orchil doctor' says what is missing");
    }
    devices_add_findings(list, &findings);
    const enum status status = error_set(error, STATUS_NO_DEVICE, "%s", text_string(&text));
    if (findings.size > 0)
        error_set_detail(error, text_string(&findings));
    return status;
}

static enum status several_devices(const struct device_list *list, const char *spec, struct error *error)
{
    LOCAL(text) text = {0};
    text_add(&text, "several devices match '%s': ", spec);
    devices_add_devices(list, spec, &text);
    text_add(&text, "; give the number of one device, a list with commas, or 'all'");
    return error_set(error, STATUS_USAGE, "%s", text_string(&text));
}

static void add_once(const struct backend_device *device, const struct backend_device **chosen, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (chosen[i] == device)
            return;
    chosen[(*count)++] = device;
}

static enum status choose_ensemble(const struct device_list *list, const char *spec,
                                   const struct backend_device **chosen, size_t *count, struct error *error)
{
    struct device_address address;
    TRY(device_address_read(spec, &address, error));
    for (size_t i = 0; i < list->count; i++)
        if (list->devices[i].member_count > 0 && strcmp(device_address(&list->devices[i]).text, address.text) == 0) {
            add_once(&list->devices[i], chosen, count);
            return STATUS_OK;
        }
    for (size_t i = 0; i < list->finding_count; i++)
        if (strcmp(list->findings[i].ensemble.text, address.text) == 0 && list->findings[i].status != STATUS_OK)
            return error_set(error, STATUS_NO_DEVICE, "--device %s: %s", address.text, list->findings[i].text);
    return error_set(error, STATUS_NO_DEVICE, "--device %s: not found", address.text);
}

/* Adds the devices of one SPEC to chosen, which has room for all devices. */
static enum status devices_choose(const struct device_list *list, const char *spec,
                                  const struct backend_device **chosen, size_t *count, struct error *error)
{
    struct address address;
    size_t found = 0;
    if (ensemble_is_address(spec))
        return choose_ensemble(list, spec, chosen, count, error);
    const bool by_address = read_address(spec, &address);
    if (!spec || (by_address && !address.indexed && !address.all && !address.part)) {
        const struct backend_device *device = first_device(list, address.backend);
        if (device)
            add_once(device, chosen, count);
        return device ? STATUS_OK : no_device(list, spec, error);
    }
    FOR_EACH(const struct backend_device, device, list->devices, list->count) {
        if (!devices_means(spec, by_address ? &address : NULL, device))
            continue;
        add_once(device, chosen, count);
        found++;
    }
    if (found > 1 && !devices_shared(spec))
        return several_devices(list, spec, error);
    return found > 0 ? STATUS_OK : no_device(list, spec, error);
}

static enum status choose_all(const struct device_list *list, const char *spec, const struct backend_device **chosen,
                              size_t *count, struct error *error)
{
    char one[256];
    if (!spec || !strchr(spec, ',') || ANY_OF(device, list->devices, list->count, strcasestr(device->name, spec)))
        return devices_choose(list, spec, chosen, count, error);
    for (const char *rest = spec; rest;) {
        if (!next_spec(&rest, one))
            return no_device(list, spec, error);
        if (devices_shared(one))
            return error_set(error, STATUS_USAGE,
                             "--device %s: '%s' cannot be part of a list, because it makes equal devices share the "
                             "tests, while each device of a list runs all tests",
                             spec, one);
        TRY(devices_choose(list, one, chosen, count, error));
    }
    return STATUS_OK;
}

enum status devices_select(const struct device_list *list, const char *spec, const struct backend_device ***chosen,
                           size_t *count, struct error *error)
{
    *count = 0;
    *chosen = memory_take(list->count, sizeof **chosen);
    const enum status status = choose_all(list, spec, *chosen, count, error);
    if (status != STATUS_OK) {
        free(*chosen);
        *chosen = NULL;
        *count = 0;
    }
    return status;
}

enum status devices_find_one(const char *spec, struct device_list *list, const struct backend_device **device,
                             struct error *error)
{
    const struct backend_device **chosen;
    size_t count;
    TRY(devices_find_for(spec, list, error));
    TRY(devices_select(list, spec, &chosen, &count, error));
    *device = chosen[0];
    free(chosen);
    return count == 1 ? STATUS_OK : error_set(error, STATUS_USAGE, "--device selects %zu devices, expected one", count);
}
