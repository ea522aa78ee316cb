// SPDX-License-Identifier: Apache-2.0
/* Instructions of PTX whose words have a fixed order, each a row of a table. Private to the
 * files of that parser. */
#ifndef ORCHIL_LITMUS_LANGUAGE_PTX_FORM_H
#define ORCHIL_LITMUS_LANGUAGE_PTX_FORM_H

#include "litmus/language/ptx_cell.h"

enum {
    PTX_BULK = 1 << 0,
    PTX_NOTIFIES = 1 << 1, /* the last operand is the mbarrier that is notified when the copy ends */
    PTX_THROUGH_L2 = 1 << 2,
    PTX_READ = 1 << 3,
    PTX_NO_INCREMENT = 1 << 4,
    PTX_SINK = 1 << 5, /* the first operand is "_", which drops the result; with a register it is not read */
    PTX_ARRIVES = 1 << 6
};

struct ptx_form {
    /* Its words, as "a.b|c.d?": b or c in one place, d or nothing. ORDER, SCOPE, TYPE and
     * OPERATION are words of those tables. */
    const char *words;
    enum status (*parse)(struct ptx_cell *cell, const struct ptx_form *form);
    unsigned flags;
    enum litmus_region to, from;     /* of copies */
    enum litmus_group_action action; /* of groups */
    enum litmus_operation operation; /* of mbarriers */
    enum litmus_order order;         /* the default, or the only one */
    unsigned unread;                 /* with this many operands it is an unsupported form; 0: there is none */
};

/* The form of the cell, with its words in cell->modifiers; NULL if it is not supported. */
const struct ptx_form *ptx_find_form(struct ptx_cell *cell);

enum status ptx_parse_copy(struct ptx_cell *cell, const struct ptx_form *form);
enum status ptx_parse_value_copy(struct ptx_cell *cell, const struct ptx_form *form);
enum status ptx_parse_group(struct ptx_cell *cell, const struct ptx_form *form);
enum status ptx_parse_arrival(struct ptx_cell *cell, const struct ptx_form *form);
enum status ptx_parse_test(struct ptx_cell *cell, const struct ptx_form *form);
enum status ptx_parse_cluster(struct ptx_cell *cell, const struct ptx_form *form);

/* "[m]" of an mbarrier. */
enum status ptx_take_mbarrier(struct ptx_cell *cell, struct litmus_expression **result);

#endif
