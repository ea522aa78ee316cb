# SPDX-License-Identifier: Apache-2.0
# Threads have a limit.
"$ORCHIL" generate --critical --threads 9
