// SPDX-License-Identifier: Apache-2.0
/* Reads PTX: the effect of an opcode on memory, by the PTX ISA, and modules with all their kernels. */
#pragma once

#include "base/hash_index.h"
#include "listing/listing.h"

/* Sets the effect, bytes, lanes, region, order, scope, operation and flaw of a new instruction, as far as its opcode
 * gives them: size bytes of text with its qualifiers ("atom.global.exch.b32"). False if it accesses memory in a way
 * that a listing cannot express (cp.async, mbarrier). */
bool ptx_opcode_read(const char *opcode, size_t size, struct machine_instruction *instruction);

struct ptx_variable {
    const char *name;
    bool shared;         /* in a block's shared memory; else in global, constant or local memory */
    unsigned long bytes; /* of an array of .b8; 0: unknown, or given at the launch */
};

struct ptx_file {
    unsigned number; /* as in .loc */
    const char *path;
};

struct ptx_kernel {
    const char *name;    /* mangled */
    const char *head;    /* from its first directive up to its body: parameters, .maxntid; on one line */
    const char *problem; /* why it could not be read, with the line of the PTX; NULL: it was */
    struct listing listing;
};

struct ptx_module {
    struct arena arena;
    char architecture[48];
    unsigned lines;
    struct ptx_kernel *kernels;
    size_t count, room;
    struct ptx_variable *variables; /* of the module and of its kernels, whose names differ */
    size_t variable_count;
    struct hash_index variable_index; /* by name */
    struct ptx_file *files;
    size_t file_count;
};

/* Reads a text, NUL-terminated, of any origin. Functions that are no kernels are skipped. The caller releases
 * *module. */
void ptx_module_read(const char *text, struct ptx_module *module);
/* The variable of a name, or NULL. */
const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name);
void ptx_module_release(struct ptx_module *module);
