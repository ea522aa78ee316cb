// SPDX-License-Identifier: Apache-2.0
/* What every file has: C's own types, texts, numbers and output, POSIX's calls, and base's memory, texts, errors,
 * quantities, clock, files and terminal. */
#pragma once

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/status.h"
#include "base/terminal/terminal.h"
#include "base/text.h"
#include "base/whole_file.h"
