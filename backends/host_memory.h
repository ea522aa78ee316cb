// SPDX-License-Identifier: Apache-2.0
/* Memory of the host in whole pages, which several sessions of one process can reach. */
#ifndef ORCHIL_BACKENDS_HOST_MEMORY_H
#define ORCHIL_BACKENDS_HOST_MEMORY_H

#include <stddef.h>

/* Zeroed pages for at least that many bytes, locked if the system allows it; NULL if memory ran
 * out. */
void *host_memory_take(size_t bytes);
/* bytes: as given to host_memory_take. NULL is ignored. */
void host_memory_release(void *memory, size_t bytes);

/* The size of the pages that hold that many bytes: for a driver that pins them. */
size_t host_memory_size(size_t bytes);

#endif
