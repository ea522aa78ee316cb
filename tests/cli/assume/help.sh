# SPDX-License-Identifier: Apache-2.0
# What can be asked for, what the answers mean and which exit codes there are.
"$ORCHIL" assume --help
