# SPDX-License-Identifier: Apache-2.0
# The effect of launch order: an outcome depends on it, or it would forbid an outcome of concurrent
# launches; also as JSON.
"$ORCHIL" explain "$TEST_DIR/launches.litmus" | sed -n '/^What forbids/,/Tried/p'
"$ORCHIL" explain opencl:handoff+beside | sed -n '/^The smallest/,/Tried/p'
"$ORCHIL" explain --json "$TEST_DIR/../check/racy.litmus" | sed -n '/"launches": /,/^    \]/p'
