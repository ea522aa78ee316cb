// SPDX-License-Identifier: Apache-2.0
/*
 * Versions of PTX. A compiler stamps the newest version that it knows, and a driver refuses every
 * version newer than its own, even if the instructions are old. So orchil stamps its PTX again,
 * with the lowest version that its instructions and target need.
 *
 * Versions are numbers here: 78 is PTX ISA 7.8, and 90 is also sm_90. Tables, made from the "PTX
 * ISA Notes" and "Target ISA Notes" of each instruction in NVIDIA's PTX ISA, give the version that
 * each instruction needs. If PTX contains a word that is not in the tables, it keeps the compiler's
 * stamp.
 */
#ifndef ORCHIL_CUDA_PTX_H
#define ORCHIL_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { CUDA_PTX_WORD = 128 };

/* The needs of a PTX text. */
struct cuda_ptx_needs {
    unsigned version;            /* of the PTX ISA, regardless of its target */
    unsigned target;             /* the oldest architecture with all its instructions */
    char unknown[CUDA_PTX_WORD]; /* the first word that is in no table; or empty */
};

enum { CUDA_PTX_LINES = 72 }; /* the first version in which .loc says where a function was inlined */

/* The versions in the directives .version and .target of a PTX text; 0 if it has none. */
unsigned cuda_ptx_version(const char *ptx);
unsigned cuda_ptx_target(const char *ptx);

/* The needs of its instructions: at least version 6.0 and sm_70, where the memory model begins. */
void cuda_ptx_examine(const char *ptx, struct cuda_ptx_needs *needs);

/* The oldest version of PTX that knows a target. */
unsigned cuda_ptx_version_of_target(unsigned target);

/* Appends the text without the .global variables that nothing in it uses: libcu++'s constants,
 * hundreds of lines that the driver would compile with every kernel. */
void cuda_ptx_drop_unused(const char *ptx, struct text *kept);

/*
 * Appends the text with the lowest .version that it needs and, if lower_target, the lowest .target.
 * clusters: its groups are launched in clusters, so its target must have them. If the text needs
 * more than its stamp says, the higher version is stamped. If the text contains an unknown word or
 * has no stamp, its stamps stay as they are; *needs names the word. Pragmas that only newer
 * assemblers know and that do not change the meaning are always left out.
 */
void cuda_ptx_stamp(const char *ptx, bool lower_target, bool clusters, struct text *stamped,
                    struct cuda_ptx_needs *needs);

/* The newest version of PTX that a driver reads, given the version of CUDA that cuDriverGetVersion
 * reports (12080); 0 for a driver newer than the table. */
unsigned cuda_ptx_newest(int driver_version);

#endif
