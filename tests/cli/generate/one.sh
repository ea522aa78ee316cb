# SPDX-License-Identifier: Apache-2.0
# A single test is a plain .litmus file, with what the model says.
"$ORCHIL" generate --family MP --dialect ptx
