// SPDX-License-Identifier: Apache-2.0
/* Pages of the host. */
#include "backends/host_memory.h"

#include <sys/mman.h>
#include <unistd.h>

size_t host_memory_size(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return bytes > 0 ? (bytes + page - 1) / page * page : page;
}

void *host_memory_take(size_t bytes)
{
    const size_t size = host_memory_size(bytes);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (void)mlock(memory, size); /* if this fails, swapping costs time but changes no result */
    return memory;
}

void host_memory_release(void *memory, size_t bytes)
{
    if (memory)
        (void)munmap(memory, host_memory_size(bytes));
}
