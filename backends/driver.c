// SPDX-License-Identifier: Apache-2.0
/* Libraries, devices, buffers and texts of drivers. */
#include "backends/driver.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

const char *driver_library_path(void *handle)
{
    struct link_map *map = NULL;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
        return "";
    return map->l_name;
}

const char *driver_load_symbols(void *handle, void *functions, const struct driver_symbol *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(handle, symbols[i].name);
        if (!address)
            return symbols[i].name;
        memcpy((char *)functions + symbols[i].offset, &address, sizeof address);
    }
    return NULL;
}

void driver_set_default(const char *variable, const char *value)
{
    if (setenv(variable, value, 0) != 0)
        memory_fail(strlen(value)); /* the only possible failure if the name is correct */
}

void driver_disable_caches(void)
{
    driver_set_default("MESA_SHADER_CACHE_DISABLE", "true");
    driver_set_default("__GL_SHADER_DISK_CACHE", "0");
}

bool driver_explain_devices(const struct backend *backend, const char *unusable, struct text *text)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    if (backend->list(&devices, &count, &error) != STATUS_OK) {
        terminal_add(text, "  no device: %s\n", error.text);
        return false;
    }
    text_add(text, "  devices: %zu\n", count);
    for (size_t i = 0; i < count; i++) {
        text_add(text, "  %s:%zu %s; driver %s; ", backend->name, i, devices[i].name, devices[i].driver);
        if (devices[i].platform[0]) {
            /* Platforms list their parts after their name and version; a list that did not fit ends after its last
             * whole part. */
            const char *const platform = devices[i].platform, *end = platform + strlen(platform);
            const bool cut = strlen(platform) == sizeof devices[i].platform - 1;
            for (const char *comma = strchr(platform, ','); cut && comma; comma = strchr(comma + 1, ','))
                end = comma;
            text_add(text, "%.*s%s", (int)(end - platform), platform, cut ? ", ..." : "");
        } else
            text_add(text, "%s", devices[i].architecture);
        text_add(text, "%s%s\n", devices[i].takes ? "" : "; not usable: ", devices[i].takes ? "" : unusable);
        if (devices[i].takes == BACKEND_TAKES_OPENCL1)
            text_add(text, "    " BACKEND_OPENCL1_NOTE "\n");
    }
    free(devices);
    return true;
}

enum status driver_buffer_words(const struct backend_launch *launch, size_t words[DRIVER_BUFFERS], struct error *error)
{
    if (launch->read_words > launch->counter_words)
        return error_set(error, STATUS_INTERNAL, "a launch reads %zu of %zu counters", launch->read_words,
                         launch->counter_words);
    words[DRIVER_DRAW] = launch->draw_words;
    words[DRIVER_MEMORY] = launch->memory_words;
    words[DRIVER_SCRATCH] = launch->scratch_words;
    words[DRIVER_COUNTERS] = launch->counter_words;
    for (size_t i = 0; i < DRIVER_BUFFERS; i++)
        words[i] = words[i] > 0 ? words[i] : 1;
    if (launch->memory_address != 0)
        words[DRIVER_MEMORY] = 0;
    return STATUS_OK;
}

enum status driver_call_failed(const struct backend_device *device, const char *call, const char *said,
                               const char *lost, struct error *error)
{
    if (lost)
        return error_set(error, STATUS_DEVICE_LOST, "%s:%u (%s) was lost: %s returned %s; %s", device->backend,
                         device->index, device->name, call, said, lost);
    return error_set(error, STATUS_DEVICE_FAILED, "%s failed on %s:%u (%s): %s", call, device->backend, device->index,
                     device->name, said);
}

enum status driver_buffer_refused(const struct backend_device *device, enum driver_buffer buffer, size_t words,
                                  const char *said, struct error *error)
{
    static const char *const names[DRIVER_BUFFERS] = {"draw", "memory", "scratch", "counters"};
    return error_set(error, STATUS_DEVICE_FAILED, "%s:%u (%s) refused a buffer of %zu bytes for %s: %s",
                     device->backend, device->index, device->name, words * sizeof(uint32_t), names[buffer], said);
}

void driver_copy(char *to, size_t size, const char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    if (length > size - 1)
        length = size - 1;
    memcpy(to, text, length);
    to[length] = '\0';
}

void driver_uuid(char uuid[37], const unsigned char bytes[16])
{
    static const char digits[] = "0123456789abcdef";
    static const unsigned char none[16];
    char *to = uuid;
    for (size_t i = 0; i < 16 && memcmp(bytes, none, 16) != 0; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *to++ = '-';
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
    }
    *to = '\0';
}

bool driver_is_text(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if ((c < ' ' && !strchr("\t\r\n", c)) || c == 0 || c == 0x7f)
            return false;
    }
    return size > 0;
}

bool driver_describe_host_memory(struct backend_session *session, const struct backend_shared *shared,
                                 struct text *text)
{
    (void)session, (void)shared;
    text_add(text, "host memory");
    return true;
}

enum status driver_zero_host_memory(struct backend_session *session, uint64_t address, size_t words,
                                    struct error *error)
{
    (void)session, (void)error;
    memset((void *)(uintptr_t)address, 0, words * sizeof(uint32_t));
    return STATUS_OK;
}

const char *driver_refuses_launch(const struct backend_device *device, const struct backend_launch *launch,
                                  uint32_t most_groups)
{
    return launch->group_size > device->max_group_size ? "the device has no work-groups of that size"
           : launch->local_bytes > device->local_bytes ? "the device has less local memory"
           : launch->groups > most_groups              ? "the device accepts fewer work-groups"
                                                       : NULL;
}

uint32_t driver_local_words(size_t local_bytes)
{
    const size_t step = DRIVER_LOCAL_STEP * sizeof(uint32_t);
    return (uint32_t)(local_bytes > 0 ? (local_bytes + step - 1) / step : 1) * DRIVER_LOCAL_STEP;
}

bool driver_always(UNUSED const struct backend_device *device)
{
    return true;
}

bool driver_never(UNUSED const struct backend_device *device)
{
    return false;
}

bool driver_for_gpus(const struct backend_device *device)
{
    return device->gpu;
}

void driver_code_ahead(const char *code, size_t size, UNUSED struct text *ptx, struct text *machine_code)
{
    text_add_bytes(machine_code, code, size);
}

/* ---- memory of the host ---- */

size_t host_memory_size(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return bytes > 0 ? (bytes + page - 1) / page * page : page;
}

void *host_memory_take(size_t bytes)
{
    const size_t size = host_memory_size(bytes);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (void)mlock(memory, size); /* if this fails, swapping costs time but changes no result */
    return memory;
}

void host_memory_release(void *memory, size_t bytes)
{
    if (memory)
        (void)munmap(memory, host_memory_size(bytes));
}
