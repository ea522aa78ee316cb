// SPDX-License-Identifier: Apache-2.0
/*
 * C and OPENCL tests in the words of VULKAN: what lower_glsl.c emits, and what `vulkan` judges. An
 * atomic access keeps its order, scope and operation. A release makes available and an acquire makes
 * visible, in buffers and in the work-group's memory; a plain access is non-private. What has no such
 * words is UNSUPPORTED, with the reason.
 */
#ifndef ORCHIL_KERNEL_TARGET_VULKAN_H
#define ORCHIL_KERNEL_TARGET_VULKAN_H

#include "base/arena.h"
#include "base/status.h"
#include "litmus/litmus.h"

/* The statements of a thread of the test. If the test has edges, what a launch wrote is made available
 * to the device at its end, and what it reads was made visible at its start: the host's operations
 * avdevice and visdevice, which are part of an edge. New lists are the arena's. */
enum status target_vulkan_thread(const struct litmus_test *test, struct litmus_block *block, struct arena *arena,
                                 struct error *error);

/* One access to a location of the region; one fence; one barrier. */
enum status target_vulkan_access(struct litmus_access *access, enum litmus_region region, struct error *error);
enum status target_vulkan_fence(enum litmus_dialect dialect, struct litmus_fence *fence, struct error *error);
enum status target_vulkan_barrier(enum litmus_dialect dialect, struct litmus_barrier *barrier, struct error *error);

#endif
