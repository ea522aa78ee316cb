// SPDX-License-Identifier: Apache-2.0
/* The words of VULKAN tests, for all who read or write them. */
#ifndef ORCHIL_LITMUS_LANGUAGE_VULKAN_WORDS_H
#define ORCHIL_LITMUS_LANGUAGE_VULKAN_WORDS_H

#include "litmus/language/ptx_words.h"

extern const struct word vulkan_order_words[];     /* atom, acq, rel, acq_rel */
extern const struct word vulkan_scope_words[];     /* sg, wg, qf, dv */
extern const struct word vulkan_operation_words[]; /* ld, st, rmw, and what follows in rmw.atom.dv.sc0.add */
extern const struct word vulkan_semantics_words[]; /* sc0, semsc0, semav, av, nonpriv, avdevice, ...: single bits */

#endif
