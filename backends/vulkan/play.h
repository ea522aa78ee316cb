// SPDX-License-Identifier: Apache-2.0
/* Several launches with edges between them. */
#ifndef ORCHIL_VULKAN_PLAY_H
#define ORCHIL_VULKAN_PLAY_H

#include "backends/steps.h"
#include "backends/vulkan/session.h"

/*
 * What Vulkan has for edges. Nothing orders the launches of a queue by itself, so there is no edge
 * QUEUE. BARRIER: vkCmdPipelineBarrier, before the later launch, in the same queue. EVENT: a timeline
 * semaphore. HOST: the host waits for that semaphore before it submits the later launch.
 */
enum { VULKAN_EDGES = STEPS_BESIDE | STEPS_BARRIER | STEPS_EVENT | STEPS_HOST };

/* Runs the launch once for each step of the plan, and waits for all. UNSUPPORTED if a barrier would
 * order launches of several queues of the plan, because the device has too few. */
enum status vulkan_run_play(struct vulkan_session *session, struct vulkan_program *program,
                            const struct backend_launch *launch, const struct steps_plan *plan, struct error *error);

void vulkan_play_release(const struct vulkan_session *session, struct vulkan_play *play);

#endif
