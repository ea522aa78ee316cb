// SPDX-License-Identifier: Apache-2.0
/* Any text is either refused as the .json of a frozen kernel, with a message, or has the values of the kernel's own
 * .json. In an input @TEST@, @LAYOUT@ and @NUMBERS@ are replaced by values of a kernel of this binary, so that most of
 * the file can be right. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/temporary_folder.h"
#include "base/whole_file.h"
#include "kernel/frozen_kernels.h"

#include <jansson.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char test_text[] = "OPENCL T\n{ x=0; }\n"
                                "P0@wg 0, dev 0 (global atomic_int* x) { int r0 = atomic_load(x); }\n"
                                "exists (0:r0=0)\n";

static const struct backend_device device = {
    .backend = "simulated",
    .name = "Device",
    .takes = BACKEND_TAKES_C11,
    .atomic_orders = BACKEND_ORDER_RELAXED | BACKEND_ORDER_ACQ_REL | BACKEND_ORDER_SEQ_CST,
    .fence_orders = BACKEND_ORDER_RELAXED | BACKEND_ORDER_ACQ_REL | BACKEND_ORDER_SEQ_CST,
    .atomic_scopes = 0x3f,
    .fence_scopes = 0x3f,
    .compute_units = 4,
    .max_group_size = 256,
    .local_bytes = 32768,
};
static struct litmus_test *test;
static struct kernel kernel;
static char folder[256], json_path[4096]; /* of the saved kernel, whose .json is each input in turn */
static char test_hash[65], layout[65], numbers[4096];

static void demand(bool condition)
{
    if (!condition)
        abort();
}

/* The values come from a saved kernel. */
static void read_values(void)
{
    struct folder files;
    struct text text = {0};
    const char *values[3];
    demand(folder_read(folder, 16, &files, NULL) == STATUS_OK);
    for (size_t i = 0; i < files.count; i++)
        if (strstr(files.names[i], ".json"))
            (void)snprintf(json_path, sizeof json_path, "%s/%s", folder, files.names[i]);
    demand(file_read_whole(json_path, 1 << 20, &text, NULL) == STATUS_OK);
    json_t *json = json_loads(text_string(&text), 0, NULL);
    demand(json_unpack(json, "{s:{s:s}, s:{s:s}, s:s}", "test", "hash", &values[0], "layout", "sha256", &values[1],
                       "numbers", &values[2]) == 0);
    (void)snprintf(test_hash, sizeof test_hash, "%s", values[0]);
    (void)snprintf(layout, sizeof layout, "%s", values[1]);
    (void)snprintf(numbers, sizeof numbers, "%s", values[2]);
    json_decref(json);
    text_release(&text);
    folder_release(&files);
}

static void remove_folder(void)
{
    temporary_folder_remove(folder);
}

static void prepare(void)
{
    struct backend_code code = {.portable = 4};
    text_add(&code.bytes, "code");
    demand(litmus_parse("T", test_text, strlen(test_text), &test, NULL) == STATUS_OK);
    demand(kernel_generate(test, &device, NULL, false, &kernel, NULL) == STATUS_OK);
    demand(temporary_folder_make("fuzz", folder, sizeof folder, NULL) == STATUS_OK);
    demand(frozen_save(folder, &device, test, &kernel, &code, NULL) == STATUS_OK);
    read_values();
    demand(atexit(remove_folder) == 0);
    backend_code_release(&code);
}

/* Appends the input, with the names replaced by their values. */
static void fill_in(const char *bytes, size_t size, struct text *text)
{
    static const struct {
        const char *name, *value;
    } values[] = {{"@TEST@", test_hash}, {"@LAYOUT@", layout}, {"@NUMBERS@", numbers}};
    for (size_t i = 0; i < size;) {
        size_t taken = 1;
        for (size_t v = 0; v < sizeof values / sizeof *values && taken == 1; v++) {
            const size_t length = strlen(values[v].name);
            if (size - i >= length && memcmp(bytes + i, values[v].name, length) == 0) {
                text_add(text, "%s", values[v].value);
                taken = length;
            }
        }
        if (taken == 1)
            text_add_bytes(text, bytes + i, 1);
        i += taken;
    }
}

/* The accepted values are the values of this kernel. */
static void check_values(const struct text *text)
{
    const char *hash, *of_layout, *of_kernel;
    json_t *json = json_loadb(text->data, text->size, 0, NULL);
    demand(json_unpack(json, "{s:{s:s}, s:{s:s}, s:s}", "test", "hash", &hash, "layout", "sha256", &of_layout,
                       "numbers", &of_kernel) == 0);
    demand(strcmp(hash, test_hash) == 0 && strcmp(of_layout, layout) == 0 && strcmp(of_kernel, numbers) == 0);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct text text = {0};
    struct error error = {0};
    struct frozen_kernel frozen = {0};
    if (!test)
        prepare();
    fill_in((const char *)bytes, size, &text);
    demand(file_write_whole(json_path, text_string(&text), text.size, NULL) == STATUS_OK);
    const enum status status = frozen_load(folder, &device, test, &kernel, &frozen, &error);
    demand(status == STATUS_OK || (status == STATUS_BUILD_FAILED && strncmp(error.text, folder, strlen(folder)) == 0));
    if (status == STATUS_OK || strstr(error.text, " is damaged or was changed")) /* other files, of accepted values */
        check_values(&text);
    frozen_release(&frozen);
    text_release(&text);
    return 0;
}
