# SPDX-License-Identifier: Apache-2.0
# Both halves of a read-modify-write are one event.
"$ORCHIL" explain ptx:RMW-add+red
