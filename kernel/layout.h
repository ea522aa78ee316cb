// SPDX-License-Identifier: Apache-2.0
/* What host and kernel know by one name: the parameters of an environment, the words of the draw and counters buffers,
 * and the steps of a launch, which environment.txt and layout.txt list. The generated kernel text starts with a #define
 * for each word and step, so the two cannot disagree. Increment LAYOUT_VERSION with every change of these: kernels kept
 * from an earlier version must not be replayed. */
#pragma once

#include "base/record.h"
#include "kernel/environment_lists.h"
#include "kernel/layout_lists.h"

enum { LAYOUT_VERSION = 13 };

#define LAYOUT_DRAW_ENUM(name) DRAW_##name,
enum draw_word { DRAW_LIST(LAYOUT_DRAW_ENUM) DRAW_FIXED_WORDS };
enum { LANE_MAP_WORDS = 5 /* of each body, at DRAW_LANE_MAPS */ };

#define LAYOUT_COUNTER_ENUM(name, kind, label) COUNTER_##name,
enum counter_word { COUNTER_LIST(LAYOUT_COUNTER_ENUM) COUNTER_HISTOGRAM };

#define LAYOUT_AGENT_ENUM(name) AGENT_##name,
enum agent_word { AGENT_LIST(LAYOUT_AGENT_ENUM) AGENT_WORDS };

/* Layout of the shared memory in which agents meet, in words: first a word for each agent, on a line of its own, which
 * reports that one of its groups has left; then a word for each round, phase, team and member, which only that member
 * writes. */
enum { MEETING_LINE = 32 };

/* Where the histogram lies in local memory, in words; in a kernel with delays the skeleton keeps more words before
 * it. */
enum { LOCAL_HISTOGRAM = 4, LOCAL_HISTOGRAM_DELAYS = 8 };

#define LAYOUT_STEP_ENUM(name, bit) STEP_##name = (bit),
enum step_bit { STEP_LIST(LAYOUT_STEP_ENUM) };
