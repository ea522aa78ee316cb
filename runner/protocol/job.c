// SPDX-License-Identifier: Apache-2.0
/* What follows from a job's order, on both sides of the protocol. */
#include "runner/protocol/job.h"

bool job_has_delays(const struct environment *environment, enum frozen_use use)
{
    return use == FROZEN_NONE && environment_highest(environment, PARAMETER_delay_chance) > 0;
}
