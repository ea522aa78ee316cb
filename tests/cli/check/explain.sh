# SPDX-License-Identifier: Apache-2.0
# The cycle that forbids an outcome: events with their lines, and the relations between them.
"$ORCHIL" check --explain ptx:MP+rel+acq
