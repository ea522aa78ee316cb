// SPDX-License-Identifier: Apache-2.0
/*
 * Versions of PTX. A compiler stamps the newest version that it knows, and a driver refuses every version that is newer
 * than its own, even where the instructions are old. So the PTX of orchil is stamped again, with the lowest version that
 * its instructions and its target need. Versions are numbers here: 78 is PTX ISA 7.8, and 90 is also sm_90.
 *
 * Which version an instruction needs is in tables made from the "PTX ISA Notes" and "Target ISA Notes" of each instruction in
 * NVIDIA's PTX ISA. Where PTX holds a word that the tables do not have, its stamp stays as the compiler made it.
 */
#ifndef ORCHIL_CUDA_PTX_H
#define ORCHIL_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { CUDA_PTX_WORD = 128 };

/* What a text of PTX needs. */
struct cuda_ptx_needs {
    unsigned version;            /* of the PTX ISA, its target left aside */
    unsigned target;             /* the oldest architecture with all its instructions */
    char unknown[CUDA_PTX_WORD]; /* the first word that is in no table; or empty */
};

enum { CUDA_PTX_LINES = 72 }; /* the version since which .loc says where a function was inlined */

/* The versions that a text of PTX bears in its directives .version and .target; 0 where it has none. */
unsigned cuda_ptx_version(const char *ptx);
unsigned cuda_ptx_target(const char *ptx);

/* What it needs by its instructions: at least version 6.0 and sm_70, where the memory model begins. */
void cuda_ptx_examine(const char *ptx, struct cuda_ptx_needs *needs);

/* The oldest version of PTX that knows a target. */
unsigned cuda_ptx_version_of_target(unsigned target);

/* Appends the text without the variables of .global that nothing in it names: libcu++'s constants, hundreds of lines that the driver
 * would compile with every kernel. */
void cuda_ptx_drop_unused(const char *ptx, struct text *kept);

/*
 * Appends the text with the lowest .version that it needs and, if lower_target, with the lowest .target. clusters: its
 * groups are launched in clusters, so its target must have them. A need above what the text says is stamped, too. Where the
 * text holds an unknown word or no stamp, its stamps stay as they are; *needs says which word. Pragmas that only newer
 * assemblers know and that change no meaning are left out in any case.
 */
void cuda_ptx_stamp(const char *ptx, bool lower_target, bool clusters, struct text *stamped,
                    struct cuda_ptx_needs *needs);

/* The newest version of PTX that a driver reads, by the version of CUDA that cuDriverGetVersion tells (12080); 0 for a
 * driver that is newer than the table. */
unsigned cuda_ptx_newest(int driver_version);

#endif
