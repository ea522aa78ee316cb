// SPDX-License-Identifier: Apache-2.0
/* Saving and loading frozen kernels. */
#include "kernel/frozen_kernels.h"

#include <dirent.h>
#include <jansson.h>

#include "base/json.h"
#include "version.h"

enum { FORM = 1 }; /* version of the .json; incremented when earlier readers would misread it */

enum {
    MAXIMUM_HEAD = 1024 * 1024,      /* bytes of a .json */
    MAXIMUM_FILE = 32 * 1024 * 1024, /* bytes of any other file */
    MAXIMUM_ENTRIES = 1000000,       /* of a folder, examined */
    HASH_HEAD = 12,                  /* digits of the test's hash in a file's name */
    DEVICE_HEAD = 8,                 /* digits of the hash of the device's name */
    NAME_LENGTH = 120                /* of a test's name in a file's name */
};

static const char head_suffix[] = ".json";

static const char *const options[] = {
    [FROZEN_NONE] = "", [FROZEN_SAVE] = "--save-kernels", [FROZEN_REPLAY] = "--kernels"};

const char *frozen_option(enum frozen_use use)
{
    return options[use];
}

enum frozen_use frozen_use_of(const char *option)
{
    for (enum frozen_use use = FROZEN_SAVE; use <= FROZEN_REPLAY; use++)
        if (strcmp(option, options[use]) == 0)
            return use;
    return FROZEN_NONE;
}

/* ---- layout and numbers ---- */

void frozen_layout(struct text *text)
{
    static const char *const draw[] = {
#define LAYOUT_DRAW_TEXT(name) #name,
        DRAW_LIST(LAYOUT_DRAW_TEXT)};
    static const char *const counters[] = {
#define LAYOUT_COUNTER_TEXT(name, kind, label) #name " " #kind " " label,
        COUNTER_LIST(LAYOUT_COUNTER_TEXT)};
    static const char *const agents[] = {
#define LAYOUT_AGENT_TEXT(name) #name,
        AGENT_LIST(LAYOUT_AGENT_TEXT)};
    text_add(text, "version %d\n", LAYOUT_VERSION);
    for (size_t i = 0; i < COUNT(draw); i++)
        text_add(text, "draw %zu %s\n", i, draw[i]);
    for (size_t i = 0; i < COUNT(counters); i++)
        text_add(text, "counter %zu %s\n", i, counters[i]);
    for (size_t i = 0; i < COUNT(agents); i++)
        text_add(text, "agent %zu %s\n", i, agents[i]);
    text_add(text, "lane map of %d words\n", LANE_MAP_WORDS);
    text_add(text, "meeting line %d\n", MEETING_LINE);
    text_add(text, "local histogram %d, with delays %d\n", LOCAL_HISTOGRAM, LOCAL_HISTOGRAM_DELAYS);
#define LAYOUT_STEP_TEXT(name, bit) text_add(text, "step %d " #name "\n", STEP_##name);
    STEP_LIST(LAYOUT_STEP_TEXT)
}

static void layout_hash(char hex[HASH_HEX_SIZE])
{
    LOCAL(text) layout = {0};
    frozen_layout(&layout);
    hash_hex(text_string(&layout), layout.size, hex);
}

/* Adds the numbers of a kernel that the host's half shares. */
static void frozen_kernels_add_numbers(const struct kernel *kernel, struct text *text)
{
    text_add(text, "lowering=%s slots=%u cluster_groups=%u bodies=%u width=%u ", kernel_lowering_name(kernel),
             kernel->slots, kernel->cluster_groups, kernel->bodies, kernel->width);
    text_add(text, "sub_groups=%u sub_group_items=%u sub_group_size=%u ", kernel->sub_groups, kernel->sub_group_items,
             kernel->sub_groups > 0 ? kernel->sub_group_size : 0);
    text_add(text, "cell_words=%u locations=%u result_words=%u local_cells=%u words=%u ", kernel->cell_words,
             kernel->locations, kernel->result_words, kernel->local_cells, kernel->words);
    text_add(text, "outcomes=%u histogram_words=%u table_entries=%u counter_words=%u domains=", kernel->outcomes,
             kernel->histogram_words, kernel->table_entries, kernel->counter_words);
    for (unsigned v = 0; v < kernel->variables; v++)
        for (uint32_t i = 0; i < kernel->domains[v].count; i++)
            text_add(text, "%s%" PRId64, i > 0 ? "," : v > 0 ? ";" : "", kernel->domains[v].values[i]);
}

/* ---- names ---- */

/* Whether code is for one kind of device, and is saved for each kind. */
static bool is_tied(const struct backend_device *device)
{
    return strcmp(device->backend, "cuda") != 0;
}

/* Adds the prefix of the names of a backend's kernels in a dialect: "cuda-PTX-"; "cuda-CUDA+source-" for another
 * lowering than the usual one. */
static void add_start(const struct backend_device *device, const struct litmus_test *test, const char *lowering,
                      struct text *text)
{
    text_add(text, "%s-%s%s-", device->backend, litmus_dialect_name(test->dialect),
             strcmp(lowering, "source") == 0 ? "+source" : "");
}

/* Adds the name of a kernel's files: "cuda-PTX-MP+relaxed-0123456789ab". */
static void frozen_kernels_add_name(const struct backend_device *device, const struct litmus_test *test,
                                    const char *lowering, struct text *text)
{
    char hash[HASH_HEX_SIZE], of_device[HASH_HEX_SIZE];
    litmus_hash(test, hash);
    hash_hex(device->name, strlen(device->name), of_device);
    add_start(device, test, lowering, text);
    for (size_t i = 0; test->name[i] && i < NAME_LENGTH; i++) {
        const char c = test->name[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           (c && strchr("+_@.", c)) || c == '-';
        text_add(text, "%c", plain ? c : '_');
    }
    text_add(text, "-%.*s", HASH_HEAD, hash);
    if (is_tied(device))
        text_add(text, "-%.*s", DEVICE_HEAD, of_device);
}

static void add_path(const char *folder, const char *name, const char *suffix, struct text *path)
{
    text_clear(path);
    text_add(path, "%s/%s%s%s", folder, name, suffix[0] == '.' ? "" : ".", suffix);
}

/* Whether a file's name, which must begin with `start`, names a kernel of a test with this content, saved under any
 * test name and on any device. */
static bool is_candidate(const char *file, const char *start, const struct backend_device *device, const char *hash)
{
    char part[HASH_HEAD + 3];
    const size_t length = strlen(file), suffix = sizeof head_suffix - 1;
    if (length <= suffix || strcmp(file + length - suffix, head_suffix) != 0 ||
        strncmp(file, start, strlen(start)) != 0)
        return false;
    (void)snprintf(part, sizeof part, "-%.*s", HASH_HEAD, hash);
    const size_t tail = suffix + (is_tied(device) ? DEVICE_HEAD + 1 : 0);
    return length > tail + HASH_HEAD + 1 && strncmp(file + length - tail - HASH_HEAD - 1, part, HASH_HEAD + 1) == 0;
}

/* Finds the name of the kernel to load, without a suffix: the kernel with this test's name and device, else the first
 * with another name or device. Empty if there is none. */
static void find_name(const char *folder, const struct backend_device *device, const struct litmus_test *test,
                      const char *lowering, struct text *name)
{
    struct text path = {0}, start = {0};
    char hash[HASH_HEX_SIZE], first[NAME_MAX + 1] = "";
    frozen_kernels_add_name(device, test, lowering, name);
    add_path(folder, text_string(name), head_suffix, &path);
    const bool there = access(text_string(&path), F_OK) == 0; /* opening it could block if it is a pipe */
    text_release(&path);
    if (there)
        return;
    text_clear(name);
    litmus_hash(test, hash);
    add_start(device, test, lowering, &start);
    DIR *files = opendir(folder);
    const struct dirent *entry;
    for (int i = 0; files && i < MAXIMUM_ENTRIES && (entry = readdir(files)) != NULL; i++)
        if (is_candidate(entry->d_name, text_string(&start), device, hash) &&
            (first[0] == '\0' || strcmp(entry->d_name, first) < 0))
            (void)snprintf(first, sizeof first, "%s", entry->d_name);
    if (files)
        (void)closedir(files);
    text_release(&start);
    if (first[0] != '\0')
        text_add_bytes(name, first, strlen(first) - (sizeof head_suffix - 1));
}

/* ---- the folder ---- */

static bool has_kernels(DIR *files)
{
    const struct dirent *entry;
    for (int i = 0; i < MAXIMUM_ENTRIES && (entry = readdir(files)) != NULL; i++) {
        const size_t length = strlen(entry->d_name);
        if (length >= sizeof head_suffix && strcmp(entry->d_name + length - (sizeof head_suffix - 1), head_suffix) == 0)
            return true;
    }
    return false;
}

enum status frozen_open(const struct frozen_folder *folder, struct error *error)
{
    if (folder->use == FROZEN_NONE)
        return STATUS_OK;
    if (folder->use == FROZEN_SAVE && file_make_folders(folder->path, 0777, error) != STATUS_OK)
        return error_set(error, STATUS_UNREADABLE, "cannot create the folder %s to save kernels in: %s", folder->path,
                         strerror(errno == EEXIST ? ENOTDIR : errno));
    DIR *files = opendir(folder->path);
    if (!files)
        return error_set(error, STATUS_UNREADABLE,
                         folder->use == FROZEN_SAVE
                             ? "cannot open the folder %s to save kernels in: %s"
                             : "cannot open the folder of kernels %s: %s; make one with run --save-kernels",
                         folder->path, strerror(errno));
    const bool good = folder->use == FROZEN_SAVE || has_kernels(files);
    (void)closedir(files);
    return good ? STATUS_OK
                : error_set(error, STATUS_UNREADABLE,
                            "the folder %s has no saved kernels (.json); make them with run --save-kernels",
                            folder->path);
}

/* ---- saving ---- */

static json_t *pack_file(const char *bytes, size_t size)
{
    char hex[HASH_HEX_SIZE];
    hash_hex(bytes, size, hex);
    return json_pack("{s:s, s:I}", "sha256", hex, "bytes", (json_int_t)size);
}

static json_t *pack_head(const struct backend_device *device, const struct litmus_test *test,
                         const struct kernel *kernel, const struct backend_code *code, const struct text *source)
{
    char test_hash[HASH_HEX_SIZE], layout[HASH_HEX_SIZE];
    LOCAL(text) numbers = {0};
    frozen_kernels_add_numbers(kernel, &numbers);
    litmus_hash(test, test_hash);
    layout_hash(layout);
    json_t *head = json_pack(
        "{s:i, s:s, s:{s:s, s:s, s:s}, s:s, s:{s:o, s:o, s:o, s:s}, s:o, s:s, s:s, s:{s:i, s:s}, s:s, "
        "s:o, s:o}",
        "form", FORM, "orchil", ORCHIL_VERSION, "test", "dialect", litmus_dialect_name(test->dialect), "name",
        test->name, "hash", test_hash, "backend", device->backend, "saved_on", "device", json_text(device->name),
        "driver", json_text(device->driver), "platform", json_text(device->platform), "architecture",
        device->architecture, "compiler", json_text(code->compiler), "options", code->options, "target", code->target,
        "layout", "version", LAYOUT_VERSION, "sha256", layout, "numbers", text_string(&numbers), "source",
        pack_file(text_string(source), source->size), "code", pack_file(code->bytes.data, code->portable));
    return head;
}

enum status frozen_save(const char *folder, const struct backend_device *device, const struct litmus_test *test,
                        const struct kernel *kernel, const struct backend_code *code, struct error *error)
{
    const struct backend *backend = backend_find(device->backend);
    struct text name = {0}, path = {0}, source = {0};
    text_add(&source, "%s%s", backend->prelude, kernel->source);
    frozen_kernels_add_name(device, test, kernel_lowering_name(kernel), &name);
    json_t *head = pack_head(device, test, kernel, code, &source);
    char *line = json_dumps(head, JSON_INDENT(4));
    json_decref(head);
    add_path(folder, text_string(&name), backend->source_suffix, &path);
    enum status status = file_write_whole(text_string(&path), source.data, source.size, error);
    if (status == STATUS_OK) {
        add_path(folder, text_string(&name), backend->code_suffix, &path);
        status = file_write_whole(text_string(&path), code->bytes.data, code->portable, error);
    }
    if (status == STATUS_OK) {
        add_path(folder, text_string(&name), head_suffix, &path);
        status = file_write_whole(text_string(&path), line, strlen(line), error);
    }
    free(line);
    text_release(&name);
    text_release(&path);
    text_release(&source);
    if (status != STATUS_OK) { /* a failure of the build, not of the device */
        struct error cause = *error;
        status = error_set(error, STATUS_BUILD_FAILED, "cannot save the kernel of %s: %.900s", test->name, cause.text);
    }
    return status;
}

/* ---- replaying ---- */

/* The content of a kernel's .json; the strings point into *json. */
struct head {
    json_t *json;
    const char *test_hash, *backend, *device, *driver, *compiler, *layout, *numbers;
    const char *source_hash, *code_hash;
    int layout_version;
};

/* The strings of *head are valid as long as head->json, which the caller releases. */
static enum status parse_head(const char *path, const char *text, size_t size, struct head *head, struct error *error)
{
    json_error_t wrong = {.line = -1};
    int form = 0;
    head->json = json_loadb(text, size, 0, &wrong);
    if (!head->json || json_unpack_ex(head->json, &wrong, 0, "{s:i}", "form", &form) != 0)
        return error_set(error, STATUS_UNREADABLE, "%s:%d: %s; expected the JSON of a saved kernel", path, wrong.line,
                         wrong.text);
    if (form != FORM)
        return error_set(error, STATUS_UNREADABLE,
                         "%s has format %d, but this orchil reads format %d; save the kernel again", path, form, FORM);
    if (json_unpack_ex(head->json, &wrong, 0, "{s:{s:s}, s:s, s:{s:s, s:s}, s:s, s:{s:i, s:s}, s:s, s:{s:s}, s:{s:s}}",
                       "test", "hash", &head->test_hash, "backend", &head->backend, "saved_on", "device", &head->device,
                       "driver", &head->driver, "compiler", &head->compiler, "layout", "version", &head->layout_version,
                       "sha256", &head->layout, "numbers", &head->numbers, "source", "sha256", &head->source_hash,
                       "code", "sha256", &head->code_hash) != 0)
        return error_set(error, STATUS_UNREADABLE, "%s is not the JSON of a saved kernel: %s", path, wrong.text);
    return STATUS_OK;
}

static enum status read_head(const char *path, struct head *head, struct error *error)
{
    LOCAL(text) text = {0};
    enum status status = file_read_whole(path, MAXIMUM_HEAD, &text, error);
    THEN(status, parse_head(path, text_string(&text), text.size, head, error));
    return status;
}

/* Checks that a head describes a kernel of this test that fits the host's half. */
static enum status check_head(const char *path, const struct head *head, const struct backend_device *device,
                              const struct litmus_test *test, const struct kernel *kernel, struct error *error)
{
    char hash[HASH_HEX_SIZE], layout[HASH_HEX_SIZE];
    LOCAL(text) numbers = {0};
    enum status status = STATUS_OK;
    litmus_hash(test, hash);
    if (strcmp(head->test_hash, hash) != 0 || strcmp(head->backend, device->backend) != 0)
        return error_set(error, STATUS_UNREADABLE,
                         "%s does not belong to the test and backend in its name, so it was renamed: save the kernel "
                         "again",
                         path);
    layout_hash(layout);
    if (head->layout_version != LAYOUT_VERSION || strcmp(head->layout, layout) != 0)
        return error_set(error, STATUS_UNREADABLE,
                         "%s was saved with version %d (%.12s) of the argument layout, but this orchil has version %d "
                         "(%.12s); replay it with the orchil that saved it, or save it again with this one",
                         path, head->layout_version, head->layout, LAYOUT_VERSION, layout);
    frozen_kernels_add_numbers(kernel, &numbers);
    if (strcmp(head->numbers, text_string(&numbers)) != 0)
        status = error_set(error, STATUS_UNREADABLE,
                           "%s does not fit %s: the kernel was made with %.300s, but %.300s are needed (perhaps it "
                           "was made for a device with other sub-groups); save the kernel again for this device",
                           path, device->name, head->numbers, text_string(&numbers));
    return status;
}

/* Reads a file of a kernel, whose hash must match the head. */
static enum status read_part(const char *path, const char *expected, struct text *bytes, struct error *error)
{
    char hash[HASH_HEX_SIZE];
    TRY(file_read_whole(path, MAXIMUM_FILE, bytes, error));
    hash_hex(text_string(bytes), bytes->size, hash);
    if (bytes->size > 0 && strcmp(hash, expected) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_UNREADABLE,
                     "%s is damaged or was changed: its SHA-256 is %.12s..., expected %.12s... (%zu bytes); copy it "
                     "again, or save it again",
                     path, hash, expected, bytes->size);
}

static enum status load_named(const char *folder, const char *name, const struct backend_device *device,
                              const struct litmus_test *test, const struct kernel *kernel, struct frozen_kernel *frozen,
                              struct error *error)
{
    const struct backend *backend = backend_find(device->backend);
    LOCAL(text) path = {0};
    struct head head = {0};
    add_path(folder, name, head_suffix, &path);
    enum status status = read_head(text_string(&path), &head, error);
    THEN(status, check_head(text_string(&path), &head, device, test, kernel, error));
    if (status == STATUS_OK) {
        add_path(folder, name, backend->source_suffix, &path);
        status = read_part(text_string(&path), head.source_hash, &frozen->source, error);
    }
    if (status == STATUS_OK) {
        add_path(folder, name, backend->code_suffix, &path);
        status = read_part(text_string(&path), head.code_hash, &frozen->code, error);
    }
    if (status == STATUS_OK) {
        (void)snprintf(frozen->compiler, sizeof frozen->compiler, "%s", head.compiler);
        (void)snprintf(frozen->device, sizeof frozen->device, "%s", head.device);
        (void)snprintf(frozen->driver, sizeof frozen->driver, "%s", head.driver);
    }
    json_decref(head.json);
    return status;
}

enum status frozen_load(const char *folder, const struct backend_device *device, const struct litmus_test *test,
                        const struct kernel *kernel, struct frozen_kernel *frozen, struct error *error)
{
    struct text name = {0};
    char hash[HASH_HEX_SIZE];
    find_name(folder, device, test, kernel_lowering_name(kernel), &name);
    if (name.size == 0) {
        litmus_hash(test, hash);
        text_release(&name);
        return error_set(error, STATUS_BUILD_FAILED,
                         "the folder %s has no kernel of %s (%s, hash %.*s) for %s; save it with run --save-kernels",
                         folder, test->name, litmus_dialect_name(test->dialect), HASH_HEAD, hash, device->backend);
    }
    const enum status status = load_named(folder, text_string(&name), device, test, kernel, frozen, error);
    text_release(&name);
    if (status == STATUS_OK)
        return status;
    frozen_release(frozen);
    if (error)
        error->status = STATUS_BUILD_FAILED; /* a failure of this job, whatever is wrong with the file */
    return STATUS_BUILD_FAILED;
}

void frozen_release(struct frozen_kernel *frozen)
{
    text_release(&frozen->code);
    text_release(&frozen->source);
    *frozen = (struct frozen_kernel){0};
}

bool frozen_name_compiler(const struct frozen_folder *folder, const struct backend_device *device,
                          const struct litmus_test *test, const char *lowering, char *compiler, size_t size)
{
    LOCAL(text) name = {0}, path = {0};
    struct head head = {0};
    struct error ignored;
    bool named = false;
    if (folder->use != FROZEN_REPLAY)
        return false;
    find_name(folder->path, device, test, lowering, &name);
    if (name.size > 0) {
        add_path(folder->path, text_string(&name), head_suffix, &path);
        named = read_head(text_string(&path), &head, &ignored) == STATUS_OK;
    }
    if (named)
        (void)snprintf(compiler, size, "%s", head.compiler);
    json_decref(head.json);
    return named;
}
