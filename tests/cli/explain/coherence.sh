# SPDX-License-Identifier: Apache-2.0
# The cycle of one location, whose relation the model calls by a name of its own.
"$ORCHIL" explain ptx:CoRR+relaxed
