// SPDX-License-Identifier: Apache-2.0
/*
 * Versions of PTX. A compiler stamps the newest version that it knows, and a driver refuses every version newer than
 * its own, even if the instructions are old. So orchil stamps its PTX again, with the version and the architecture of
 * the driver and the device that are to run it. The driver's assembler then refuses only the instructions that it does
 * not know.
 *
 * Versions are numbers here: 78 is PTX ISA 7.8, and 90 is also sm_90.
 */
#pragma once

#include "backends/cuda/library.h"

enum { CUDA_PTX_LINES = 72 }; /* the first version in which .loc says where a function was inlined */

/* The versions in the directives .version and .target of a PTX text; 0 if it has none. */
unsigned cuda_ptx_version(const char *ptx);
unsigned cuda_ptx_target(const char *ptx);

/* Appends the text without the .global variables that nothing in it uses: libcu++'s constants, hundreds of lines that
 * the driver would compile with every kernel. */
void cuda_ptx_drop_unused(const char *ptx, struct text *kept);

/* Appends the text stamped with the newest version that the driver reads, as in cuda_ptx_newest, and with the target.
 * The stamps stay as they are if the driver is unknown (0) or the text lacks one. Lines that only newer assemblers know
 * and that do not change the meaning are left out. */
void cuda_ptx_stamp(const char *ptx, int driver_version, unsigned target, struct text *stamped);

/* The newest version of PTX that a driver reads, given the version of CUDA that cuDriverGetVersion reports (12080); 0
 * for a driver newer than the table. */
unsigned cuda_ptx_newest(int driver_version);

/* The first CUDA whose driver reads that version of PTX (12080); 0 if the table ends before it. */
int cuda_ptx_release(unsigned version);

/* Raises both to the newest that an assembler's messages say some instruction requires. */
void cuda_ptx_require(const char *log, unsigned *version, unsigned *target);

/* ---- the driver's compiler ---- */

struct cuda_jit_of {
    const struct gpu_api *driver;
    const struct backend_device *device;
    const char *test; /* the test that the code belongs to */
};

/* The offset of machine code that follows PTX of that many bytes. */
size_t cuda_machine_code_offset(size_t ptx);

/* Compiles PTX to machine code and appends it at its offset; the compiler's output goes to the log. A refusal is
 * reported as by cuda_refused. */
enum status cuda_assemble(const struct cuda_jit_of *of, struct text *code, struct text *log, struct error *error);

/* Loads an image, which is the PTX itself or the machine code made from it. *module is NULL on failure. */
enum status cuda_load(const struct cuda_jit_of *of, const char *ptx, const char *image, struct CUmod_st **module,
                      struct text *log, struct error *error);

/* A driver's refusal of PTX. */
struct cuda_refusal {
    const char *test;                    /* the test that the PTX belongs to */
    const char *ptx;                     /* as the driver was given it */
    const char *log;                     /* what its compiler says about that */
    const struct backend_device *device; /* the device that was to run it */
    int driver_version;                  /* of cuDriverGetVersion; 0: unknown */
    unsigned code;                       /* of the refusal */
    const char *code_name;
};

/* UNSUPPORTED, naming both versions and the driver that is needed, if the device is older than the target of the PTX or
 * the driver older than its version, or than what its compiler says that instructions need. Else BUILD_FAILED. Needs no
 * driver. */
enum status cuda_refused(const struct cuda_refusal *refusal, struct error *error);
