# SPDX-License-Identifier: Apache-2.0
# A spinlock with one fence: the other one is what it lacks.
"$ORCHIL" explain ptx:cas-sl+fence0
