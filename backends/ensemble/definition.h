// SPDX-License-Identifier: Apache-2.0
/* The members of this process's ensemble. */
#ifndef ORCHIL_ENSEMBLE_DEFINITION_H
#define ORCHIL_ENSEMBLE_DEFINITION_H

#include "backends/ensemble/ensemble.h"

/* The ensemble of this process. */
const struct ensemble_definition *ensemble_defined(void);
/* Its members as last described; they outlive every list. */
struct backend_device *ensemble_member_devices(void);

#endif
