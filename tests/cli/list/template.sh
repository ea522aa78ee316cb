# SPDX-License-Identifier: Apache-2.0
# A file with axes is listed by its instances, and a suite says its budget and its confidence.
cd "$TEST_DIR"
"$ORCHIL" list templates/@suite
"$ORCHIL" list --json templates/SB.litmus | grep -E '"(name|template|family|expect)"'
