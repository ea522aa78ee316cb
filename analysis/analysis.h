// SPDX-License-Identifier: Apache-2.0
/*
 * The door of the room: the headers that other rooms may use.
 *
 *   statistics.h  intervals of rare events, tests over batches, corrections
 *   side.h        jobs of a database, gathered into samples
 *   compare.h     what changed between two sides
 *   calibrate.h   what can be gated on a machine, and what a set of runs says by itself
 *   gate.h        whether a run passes against a baseline
 *   history.h     runs in order of time: since when a rate is another
 *   page.h        a database as an HTML page
 *   assumptions.h assumptions of programs that no specification promises
 */
#ifndef ORCHIL_ANALYSIS_H
#define ORCHIL_ANALYSIS_H

#include "analysis/assumptions/assumptions.h"
#include "analysis/calibrate/calibrate.h"
#include "analysis/compare/compare.h"
#include "analysis/gate/gate.h"
#include "analysis/history/history.h"
#include "analysis/page/page.h"
#include "analysis/sides/side.h"
#include "analysis/statistics/runs.h"
#include "analysis/statistics/statistics.h"

#endif
