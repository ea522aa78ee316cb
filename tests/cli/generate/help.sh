# SPDX-License-Identifier: Apache-2.0
# Every verb tells examples and exit codes.
"$ORCHIL" generate --help
