# SPDX-License-Identifier: Apache-2.0
# Its help: the files written, their purpose, examples and exit codes.
"$ORCHIL" reproduce --help
