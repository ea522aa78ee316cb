# SPDX-License-Identifier: Apache-2.0
# The output of --help; the first line after the options summarizes what is inspected.
"$ORCHIL" inspect --help
