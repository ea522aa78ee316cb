// SPDX-License-Identifier: Apache-2.0
/* The readers of machine code, one file each (read_NAME.c) and one row of the table in inspect.c; that of PTX is in
 * listing/. Each reads a whole text and fills *listing, which listing_release frees whatever the result. SYNTAX, with
 * the line, if the text is malformed or truncated. */
#pragma once

#include "listing/listing.h"

/* Output of nvdisasm -c -gp, which refers to lines of the assembled PTX. ptx is the listing of that PTX; its first line
 * is line ptx_line there, from 1. If ptx is NULL, output of nvdisasm -c -gi. */
enum status listing_read_sass(const char *text, const struct listing *ptx, unsigned ptx_line, struct listing *listing,
                              struct error *error);

/* Assembly of an AMD GPU that clang -S printed, with .loc directives. */
enum status listing_read_amdgcn(const char *text, struct listing *listing, struct error *error);

/* A module of SPIR-V, which is words and no text, with OpLine. */
enum status listing_read_spirv(const char *bytes, size_t size, struct listing *listing, struct error *error);
