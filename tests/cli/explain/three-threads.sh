# SPDX-License-Identifier: Apache-2.0
# Three threads, and an arrow between the outer two.
"$ORCHIL" explain opencl:WRC+relaxed
