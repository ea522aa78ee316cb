# SPDX-License-Identifier: Apache-2.0
# Without a verb the help is an error message: nothing on stdout.
"$ORCHIL"
