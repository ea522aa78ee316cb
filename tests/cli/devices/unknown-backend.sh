# SPDX-License-Identifier: Apache-2.0
# A wrong backend is a usage error that names the right ones.
"$ORCHIL" devices opncl
