# SPDX-License-Identifier: Apache-2.0
# What is no cycle is refused, with the edge.
"$ORCHIL" generate "PodWW Rfe"
