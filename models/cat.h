// SPDX-License-Identifier: Apache-2.0
/*
 * The cat language: parsing a model, and asking it about one execution. Private to this room.
 *
 * A statement may be a check (acyclic, irreflexive, empty, with ~ and `as NAME`) or a flag (`flag ~empty r as NAME`).
 * How a model has its coherence order enumerated is declared by a comment-like pragma of ours that other tools skip:
 *     (* orchil: coherence total *)     or     (* orchil: coherence partial *)
 */
#ifndef ORCHIL_MODELS_CAT_H
#define ORCHIL_MODELS_CAT_H

#include "base/status.h"
#include "models/execution.h"

struct cat;

enum cat_coherence { CAT_COHERENCE_TOTAL, CAT_COHERENCE_PARTIAL };

/* file names the text in errors (FILE:LINE:COLUMN). read_include gives the text of an included file, allocated, or NULL. */
enum status cat_parse(const char *file, const char *text, char *(*read_include)(const char *name, void *context),
                      void *context, struct cat **cat, struct error *error);
void cat_release(struct cat *cat);

enum cat_coherence cat_coherence(const struct cat *cat);

/* Does the model use this base name (so that the enumerator need not make what nobody asks for)? */
bool cat_uses(const struct cat *cat, const char *base_name);

struct cat_answer {
    bool consistent;         /* every check holds */
    const char *broken;      /* name of the first check that does not; lives as long as the cat */
    uint64_t flags;          /* bit i: flag i was raised */
    unsigned cycle_length;   /* of the broken check's shortest offending cycle (1 for an irreflexive one; 2 for a pair
                                that should not be related) */
    unsigned cycle[EVENTS_MAXIMUM];
};

/* Evaluates the model on an execution. The names that a model may use without defining them are the base names: see
 * base.c, which holds them in one table with what each means. */
enum status cat_ask(const struct cat *cat, const struct execution *execution, struct cat_answer *answer,
                    struct error *error);

/* The value of a relation that the model defines, on this execution: what the enumerator needs of a model with partial
 * coherence (its `cause`, say). False if the model does not define it. */
bool cat_relation(const struct cat *cat, const struct execution *execution, const char *name, struct relation *relation);

const char *cat_flag_name(const struct cat *cat, unsigned flag); /* NULL beyond the last */

#endif
