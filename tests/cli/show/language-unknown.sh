# SPDX-License-Identifier: Apache-2.0
# There are descriptions in two languages.
"$ORCHIL" show --lang fr MP+relaxed
