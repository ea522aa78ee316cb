# SPDX-License-Identifier: Apache-2.0
# Entry and exit of a barrier are one event; what lies across it is one step of the cycle.
"$ORCHIL" explain opencl:MP+barrier+01
