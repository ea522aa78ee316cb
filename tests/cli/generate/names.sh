# SPDX-License-Identifier: Apache-2.0
# Names only, as `orchil list` and `orchil run` take them.
"$ORCHIL" generate --family SB --dialect ptx --tags relaxed,fencesc --scopes cta,gpu --placements all --names | tee names
"$ORCHIL" list ./names >/dev/null 2>&1 || echo "a file is an index by its name"
mv names @names
"$ORCHIL" list --json ./@names | grep -c '"name"'
