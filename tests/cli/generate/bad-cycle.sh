# SPDX-License-Identifier: Apache-2.0
# Edges that do not form a cycle are refused; the message names the edge.
"$ORCHIL" generate "PodWW Rfe"
