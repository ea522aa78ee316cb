# SPDX-License-Identifier: Apache-2.0
# Broken atomicity of a read-modify-write is also a cycle: it returns to the event that it starts
# with.
"$ORCHIL" check --explain ptx:RMW-add+red
