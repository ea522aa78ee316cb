// SPDX-License-Identifier: Apache-2.0
/*
 * Templates: a litmus file that declares axes is a family of tests. Between the header and the initial state:
 *
 *   vary order = relaxed, acq_rel
 *   vary (tag, before, expect) = (unfenced, "", allowed), (fenced, "fence.$order.gpu", forbidden)
 *   exclude order=relaxed, tag=fenced
 *   exclude tag!=fenced, order=acq_rel
 *
 * and $order or ${order} anywhere else, including the name, is replaced by the value; "$$" is a dollar. The values of a
 * vary line may name the axes of the lines above it. A value is a word, or any text of one line in quotes; quotes are
 * required if it contains a blank, a comma, '=' or a parenthesis. A vary or exclude line continues on the next one
 * while a parenthesis is open, and after a comma or '='. An instance is one combination that no exclude line matches;
 * all terms of such a line have to hold. A file without axes is a family of one, and keeps its dollar signs. Instances
 * are numbered with the last axis running fastest.
 */
#pragma once

#include "litmus/litmus.h"

enum { TEMPLATE_MAXIMUM_INSTANCES = 4096, TEMPLATE_MAXIMUM_AXES = 16 };

struct template;
struct origin_map;

/* Reads the axes; checks that each is used, that each $name is an axis, that each exclude line excludes something, and
 * that no two instances share a name. SYNTAX and LIMIT, with FILE:LINE:COLUMN. Text and file are copied. The caller
 * releases *result; it is NULL on failure. */
enum status template_parse(const char *file, const char *text, size_t size, struct template **result,
                           struct error *error);
void template_release(struct template *template);

size_t template_count(const struct template *template);   /* of instances, at least 1 */
bool template_is_family(const struct template *template); /* has it axes */

/* The head of an instance without parsing its rest. The name is the template's. */
enum litmus_dialect template_dialect(const struct template *template);
const char *template_name(const struct template *template, size_t instance);

/* The name of the whole family, for folded lists: the header with the axes as written ("lock-$kind+$tag"). */
const char *template_title(const struct template *template);

/* Parses an instance. Errors point at the template's own line and column and name the instance. */
enum status template_test(const struct template *template, size_t instance, struct litmus_test **test,
                          struct error *error);

/* Appends the text of an instance, with the lines of the template that declare axes left empty. map: gets where each
 * part of it stands in the template; or NULL. */
enum status template_text(const struct template *template, size_t instance, struct text *text, struct origin_map *map,
                          struct error *error);
