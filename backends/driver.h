// SPDX-License-Identifier: Apache-2.0
/* What the backends of real drivers share. Private to this room. */
#ifndef ORCHIL_BACKENDS_DRIVER_H
#define ORCHIL_BACKENDS_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* The file of a library opened with dlopen, or "" where the system does not tell. Valid while it stays loaded. */
const char *driver_library_path(void *handle);

/* Sets an environment variable that a driver reads, unless the user has set it. */
enum status driver_set_default(const char *variable, const char *value, struct error *error);

/* Copies text without the blanks round it, cut to size bytes with the NUL. */
void driver_copy(char *to, size_t size, const char *text);

/* Writes 16 bytes as 8-4-4-4-12 hexadecimal; as an empty text where they are all zero. */
void driver_uuid(char uuid[37], const unsigned char bytes[16]);

/* Whether bytes are text that a person can read: no control bytes but blanks and line ends, not empty. */
bool driver_is_text(const char *bytes, size_t size);

/* Seconds of the monotonic clock. */
double driver_clock(void);

#endif
