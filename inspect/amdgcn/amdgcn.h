// SPDX-License-Identifier: Apache-2.0
/* Code of AMD GPUs as clang prints it, and whether it keeps the orders of a test. */
#ifndef ORCHIL_INSPECT_AMDGCN_AMDGCN_H
#define ORCHIL_INSPECT_AMDGCN_AMDGCN_H

#include "inspect/amdgcn/amdgcn_generation.h"
#include "inspect/compare.h"

/* The name of the kernel's text in the line information. */
#define AMDGCN_KERNEL_FILE "orchil-kernel"

/* What follows the processor in a listing's architecture if waves of a work-group are apart (WGP
 * mode, tgsplit). */
#define AMDGCN_APART_SUFFIX " apart"

enum amdgcn_mode amdgcn_mode_of(const char *architecture);

/*
 * Appends findings for orders of a body that the code does not keep: an access that may not be
 * complete or written back, or whose caches may not be invalidated, where a later step needs that.
 */
inspect_orders amdgcn_check_orders;

/* Gives the instructions their predicates (amdgcn_masks.c). */
void amdgcn_find_masks(struct listing *listing);

#endif
