// SPDX-License-Identifier: Apache-2.0
/* Which members the ensemble of this process has. */
#ifndef ORCHIL_ENSEMBLE_DEFINITION_H
#define ORCHIL_ENSEMBLE_DEFINITION_H

#include "backends/ensemble/ensemble.h"

/* The one of this process. */
const struct ensemble_definition *ensemble_defined(void);
/* Its members as they were described last; they outlive every list. */
struct backend_device *ensemble_member_devices(void);

#endif
