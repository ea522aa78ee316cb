// SPDX-License-Identifier: Apache-2.0
/*
 * The two syntaxes of kernel text: that of OpenCL C and CUDA C++, and that of GLSL, which has neither
 * pointers nor casts nor jumps, and whose conditions are not numbers. GLSL addresses a word by its
 * index in its array.
 */
#ifndef ORCHIL_KERNEL_SYNTAX_H
#define ORCHIL_KERNEL_SYNTAX_H

#include <stdbool.h>

#include "base/text.h"

/* What is written before an expression, with a type in the middle, and after it. */
struct syntax_around {
    const char *before, *type, *after; /* type: what follows the type; NULL: no type is written */
};

struct syntax {
    bool jumps;                 /* it has goto */
    bool converts;              /* a number becomes one of another type by itself where it is assigned or passed */
    const char *global, *local; /* the type of a place */
    struct syntax_around cast;  /* a number as one of the type */
    struct syntax_around read_global, read_local; /* what is at a place */
    struct syntax_around set_global, set_local;   /* the same, to be assigned */
    struct syntax_around read_long, set_long;     /* a global place of 64 bits */
    const char *long_suffix;                      /* after a number that may need 64 bits */
    struct syntax_around reference;               /* around a parameter's name: the function assigns it */
    const char *refer;                            /* before the argument for such a parameter */
    const char *drop;                             /* before a call whose result is not used */
    struct syntax_around condition;               /* a number as a condition */
    struct syntax_around number;                  /* a condition as a number */
    /* What a kernel says before it uses numbers of 64, 16 and 8 bits; NULL if the language has them all. */
    const char *longs, *shorts, *chars;
};

extern const struct syntax syntax_c, syntax_glsl;

/* Appends what is before the expression. */
void syntax_open(const struct syntax_around *around, const char *type, struct text *text);

#endif
