# SPDX-License-Identifier: Apache-2.0
# What is not a cycle is refused, with the edge.
"$ORCHIL" generate "PodWW Rfe"
