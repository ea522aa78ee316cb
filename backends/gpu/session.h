// SPDX-License-Identifier: Apache-2.0
/* A session of CUDA or HIP, its programs and their launches: all functions of struct backend that do not compile. Each
 * session has the primary context and one stream, each program four buffers. */
#pragma once

#include "backends/gpu/paths.h"
#include "backends/gpu/play.h"

/* The first member of a backend's session. */
struct gpu_session {
    struct gpu_api api;
    struct backend_device device;
    int id; /* the driver's number of the device */
    struct CUctx_st *context;
    struct CUstream_st *stream;
    struct gpu_streams streams; /* of plays */
};

struct gpu_program {
    struct CUmod_st *module;
    struct CUfunc_st *function;
    size_t shared_allowed;
    unsigned long long buffers[DRIVER_BUFFERS]; /* device addresses; 0: none */
    size_t words[DRIVER_BUFFERS];
    /* Constant memory of the module that a kernel of one draw reads in place of the buffer; 0: none. */
    unsigned long long constant_draw;
    size_t constant_bytes;
    unsigned paths, aliases;  /* as in its source */
    struct gpu_memory mapped; /* buffers[DRIVER_MEMORY] is its first address, if it has several */
    struct text machine_code; /* the code that runs; empty if the driver compiled it while loading it */
    struct gpu_spare spare;
};

struct gpu_session *gpu_session(struct backend_session *opened);
struct gpu_program *gpu_program(struct backend_program *built);

/* The devices that a driver finds, as `list` in struct backend. */
enum status gpu_list(const struct gpu_driver *driver, struct backend_device **devices, size_t *count,
                     struct error *error);

/* Opens the driver and the parts of a session, as `start` in struct backend. gpu_close releases those that exist, and
 * the session. */
enum status gpu_start(const struct gpu_driver *driver, struct gpu_session *session, unsigned index,
                      struct error *error);
void gpu_close(struct backend_session *opened);

/* The end of `fill` in struct backend: finds the kernel in the program's module, and gives it its paths. */
enum status gpu_finish_program(struct gpu_session *session, const struct backend_source *source,
                               struct gpu_program *program, struct error *error);

/* As the members of struct backend with these names. */
void gpu_release(struct backend_session *opened, struct backend_program *built);
enum status gpu_reserve(struct backend_session *opened, struct backend_program *built,
                        const struct backend_launch *launch, struct error *error);
enum status gpu_launch(struct backend_session *opened, struct backend_program *built,
                       const struct backend_launch *launch, double *seconds, struct error *error);
enum status gpu_play_steps(struct backend_session *opened, struct backend_program *built,
                           const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                           double *seconds, struct error *error);
enum status gpu_share_memory(struct backend_session *opened, size_t bytes, struct backend_shared *shared,
                             struct error *error);
enum status gpu_reach_memory(struct backend_session *opened, const struct backend_shared *shared, uint64_t *address,
                             struct error *error);
void gpu_forget_memory(struct backend_session *opened, const struct backend_shared *shared);
bool gpu_describe_link_to(struct backend_session *opened, const struct backend_shared *shared, struct text *text);
enum status gpu_zero_memory(struct backend_session *opened, uint64_t address, size_t words, struct error *error);
unsigned gpu_resident(struct backend_session *opened, struct backend_program *built, unsigned member,
                      unsigned group_size, unsigned cluster_groups, size_t local_bytes);
void gpu_machine_code(struct backend_session *opened, struct backend_program *built, unsigned member,
                      struct text *code);

/* These members of struct backend. */
#define GPU_BACKEND_MEMBERS                                                                                            \
    .launch = gpu_launch, .play = gpu_play_steps, .relays_events = true, .share = gpu_share_memory,                    \
    .reach = gpu_reach_memory, .forget = gpu_forget_memory, .describe_link = gpu_describe_link_to,                     \
    .reserve = gpu_reserve, .zero_shared = gpu_zero_memory, .resident = gpu_resident,                                  \
    .machine_code = gpu_machine_code, .release = gpu_release
