// SPDX-License-Identifier: Apache-2.0
/* What every file has: C's own types, texts and output, and base's memory, texts, errors and quantities. */
#pragma once

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/status.h"
#include "base/text.h"
