# SPDX-License-Identifier: Apache-2.0
# What --help says; the first line after the options is the summary of what is inspected.
"$ORCHIL" inspect --help
