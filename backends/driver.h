// SPDX-License-Identifier: Apache-2.0
/* Code shared by the backends of real drivers. */
#pragma once

#include "backends/backend.h"

/* The rows of the table in backends.c, but for the ensemble. */
extern const struct backend cuda_backend, hip_backend, opencl_backend, simulated_backend, vulkan_backend,
    webgpu_backend;
extern const struct backend replay_backend; /* of webgpu_backend: what a browser counted */

/* The kernel's global buffers, in the order of its parameters. */
enum driver_buffer { DRIVER_DRAW, DRIVER_MEMORY, DRIVER_SCRATCH, DRIVER_COUNTERS, DRIVER_BUFFERS };

/* Begins the part of one member in a log or binary that an ensemble joins; the name of its device follows.
 * backend_member_part reads it. */
#define BACKEND_MEMBER_LINE "// member %u: "

/* The words of each buffer that a launch needs, at least one; 0 for memory that it shares with others. INTERNAL for a
 * launch that reads more counters than there are. */
enum status driver_buffer_words(const struct backend_launch *launch, size_t words[DRIVER_BUFFERS], struct error *error);

/* Reports a failed call of a driver with its name for the error. DEVICE_LOST if `lost` is given: it says what the loss
 * comes from or means. Else DEVICE_FAILED. */
enum status driver_call_failed(const struct backend_device *device, const char *call, const char *said,
                               const char *lost, struct error *error);

/* DEVICE_FAILED: the device refused a buffer of that many words, with the driver's error in `said`. */
enum status driver_buffer_refused(const struct backend_device *device, enum driver_buffer buffer, size_t words,
                                  const char *said, struct error *error);

/* The name of a library's function, and where its address goes in a struct. */
struct driver_symbol {
    const char *name;
    size_t offset;
};

/* Fills the function pointers of a struct. Returns the name of the first function that the library lacks, or NULL. */
const char *driver_load_symbols(void *handle, void *functions, const struct driver_symbol *symbols, size_t count);

/* For `doctor`: the devices that a backend lists, one per line; unusable: why a device that takes no kernel is of no
 * use. False, with the reason printed, if the backend lists none. */
bool driver_explain_devices(const struct backend *backend, const char *unusable, struct text *text);

/* The file of a library opened with dlopen, or "" if the system does not know it. Valid while the library stays
 * loaded. */
const char *driver_library_path(void *handle);

/* Sets an environment variable that a driver reads, unless the user has set it. */
void driver_set_default(const char *variable, const char *value);

/* Lets no driver of Vulkan keep pipelines: one of an earlier driver would hide the new driver's compiler. */
void driver_disable_caches(void);

/* describe_link and zero_shared for backends whose shared memory belongs to the host. */
bool driver_describe_host_memory(struct backend_session *session, const struct backend_shared *shared,
                                 struct text *text);
enum status driver_zero_host_memory(struct backend_session *session, uint64_t address, size_t words,
                                    struct error *error);

/* compiles_ahead for backends whose kernels are always compiled ahead, or never, and for those that do it only for
 * GPUs: on a CPU other processes would take the cores that are tested. */
bool driver_always(const struct backend_device *device);
bool driver_never(const struct backend_device *device);
bool driver_for_gpus(const struct backend_device *device);

/* Why the device cannot run a launch of that size, of at most so many groups; NULL: it can. Vulkan and WebGPU give a
 * launch beyond their limits no meaning. */
const char *driver_refuses_launch(const struct backend_device *device, const struct backend_launch *launch,
                                  uint32_t most_groups);

/* The words of local memory of a pipeline for so many bytes: a multiple, so that launches share pipelines, and never 0,
 * because no array is empty. */
enum { DRIVER_LOCAL_STEP = 64 };
uint32_t driver_local_words(size_t local_bytes);

/* machine_code_ahead for code without a portable part as text. */
void driver_code_ahead(const char *code, size_t size, struct text *ptx, struct text *machine_code);

/* Copies text without leading and trailing blanks, cut to size bytes including the NUL. */
void driver_copy(char *to, size_t size, const char *text);

/* Writes 16 bytes as 8-4-4-4-12 hexadecimal, or an empty text if all are zero. */
void driver_uuid(char uuid[37], const unsigned char bytes[16]);

/* Whether bytes are text that a person can read: not empty, and no control bytes except blanks and line ends. */
bool driver_is_text(const char *bytes, size_t size);

/* ---- memory of the host ---- */

/* Zeroed pages for at least that many bytes, locked if the system allows it; NULL if memory ran out. */
void *host_memory_take(size_t bytes);
/* bytes: as given to host_memory_take. NULL is ignored. */
void host_memory_release(void *memory, size_t bytes);

/* The size of the pages that hold that many bytes: for a driver that pins them. */
size_t host_memory_size(size_t bytes);
