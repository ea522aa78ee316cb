# SPDX-License-Identifier: Apache-2.0
# Every test that a test of the catalogue names is there.
"$ORCHIL" list --pairs --json '*' >pairs.json
if grep -B1 '"found": false' pairs.json; then echo "is named, and is not there"; fi
