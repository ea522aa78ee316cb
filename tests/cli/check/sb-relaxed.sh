# SPDX-License-Identifier: Apache-2.0
# Verdicts for people: an outcome that only weak memory has, and the order of the rows.
"$ORCHIL" check opencl:SB+relaxed
