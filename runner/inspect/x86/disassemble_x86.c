// SPDX-License-Identifier: Apache-2.0
/* Running objdump on an object in memory. */
#include "runner/inspect/x86/disassemble_x86.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runner/inspect/tool.h"

enum { SECONDS = 20, MAXIMUM_BYTES = 32 << 20 };

/* A file without a name, which leaves nothing on a disk when this process is killed. */
static int make_file(const struct text *object)
{
    const int file = memfd_create("orchil-inspect", MFD_CLOEXEC);
    size_t written = 0;
    while (file >= 0 && written < object->size) {
        const ssize_t count = write(file, object->data + written, object->size - written);
        if (count < 0 && errno != EINTR) {
            close(file);
            return -1;
        }
        written += count > 0 ? (size_t)count : 0;
    }
    return file;
}

enum status disassemble_x86(const struct text *object, struct text *text, struct error *error)
{
    char path[64];
    const int file = make_file(object);
    if (file < 0)
        return error_set(error, STATUS_SYSTEM, "the machine code cannot be handed to objdump: %s", strerror(errno));
    (void)snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), file);
    const char *const arguments[] = {
        "objdump", "-d", "-l", "--inlines", "--no-show-raw-insn", "-M", "intel", "--dwarf=decodedline",
        "-s",      path, NULL};
    const enum status status = tool_run(arguments, SECONDS, MAXIMUM_BYTES, text, error);
    close(file);
    return status;
}
