# SPDX-License-Identifier: Apache-2.0
# All critical cycles: 6 of two threads, 23 of two and three.
"$ORCHIL" generate --critical --threads 2 --names
"$ORCHIL" generate --critical --threads 3 --names | wc -l
