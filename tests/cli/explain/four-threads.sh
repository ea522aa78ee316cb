# SPDX-License-Identifier: Apache-2.0
# Four threads: the short words of events, an arrow from the first column to the last, and what no reordering makes.
"$ORCHIL" explain c:IRIW+acq
