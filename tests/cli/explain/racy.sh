# SPDX-License-Identifier: Apache-2.0
# A race: the two accesses, and why nothing that is tried gives it a meaning.
"$ORCHIL" explain "$TEST_DIR/../check/racy.litmus"
