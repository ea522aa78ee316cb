// SPDX-License-Identifier: Apache-2.0
/* Runs objdump on an object in memory. */
#include "inspect/x86/disassemble_x86.h"

#include "base/memory_file.h"
#include "base/tool.h"

enum { SECONDS = 20, MAXIMUM_BYTES = 32 << 20 };

enum status disassemble_x86(const struct text *object, struct text *text, struct error *error)
{
    struct memory_file file;
    TRY(memory_file_make(object->data, object->size, &file, error));
    const char *const arguments[] = {
        "objdump", "-d",      "-l", "--inlines", "--no-show-raw-insn", "-M", "intel", "--dwarf=decodedline",
        "-s",      file.path, NULL};
    const enum status status = tool_run(arguments, SECONDS, MAXIMUM_BYTES, text, error);
    memory_file_close(&file);
    return status;
}
