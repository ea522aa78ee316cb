# SPDX-License-Identifier: Apache-2.0
# What breaks the atomicity of a read-modify-write is a cycle too: it returns to the event that it starts with.
"$ORCHIL" check --explain ptx:RMW-add+red
