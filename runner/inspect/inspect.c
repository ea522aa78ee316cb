// SPDX-License-Identifier: Apache-2.0
/* The door of the inspection: which machine's reader and rules, and the comparison. */
#include "runner/inspect/inspect.h"
