# SPDX-License-Identifier: Apache-2.0
# Several tests follow each other; each can be read again.
"$ORCHIL" generate --family MP --dialect ptx,opencl --tags relaxed,ra
