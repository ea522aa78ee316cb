// SPDX-License-Identifier: Apache-2.0
/* Kernel text for ways to a cell other than its address: aliases, textures, surfaces, the constant
 * bank. Private to this folder. */
#ifndef ORCHIL_KERNEL_PATHS_H
#define ORCHIL_KERNEL_PATHS_H

#include "kernel/allocation.h"

/* The module's variables that the backend fills (backends/backend.h), and the functions that
 * compute places from them; nothing for a kernel without paths. */
void write_path_words(const struct allocation *allocation, struct text *text);

/* Appends the pointer to a word of a location of an instance. offset: in the instance's cells; instance: the variable
 * that holds its number, "p0_i". */
void write_cell(const struct allocation *allocation, unsigned l, unsigned offset, const char *instance,
                struct text *out);

/* Declares the names by which a body's accesses reach a global location: p<body>_x<l>, its address;
 * p<body>_t<l>, a texture or surface, and p<body>_c<l>, the place in it; p<body>_k<l>, the place in
 * the constant bank. */
void write_location_names(const struct allocation *allocation, unsigned body, unsigned l, struct text *out);

/* Appends "CELL(local_memory, ...)", or "(CELL(local_memory, ...) + step)", of the lane's instance. */
void write_local_cell(const struct allocation *allocation, unsigned location, uint32_t element, struct text *out);

#endif
