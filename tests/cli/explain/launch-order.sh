# SPDX-License-Identifier: Apache-2.0
# What the order of launches does: it holds an outcome, or forbids one of launches at the same time; also as JSON.
"$ORCHIL" explain "$TEST_DIR/launches.litmus" | sed -n '/^What forbids/,/Tried/p'
"$ORCHIL" explain opencl:handoff+beside | sed -n '/^The smallest/,/Tried/p'
"$ORCHIL" explain --json "$TEST_DIR/../check/racy.litmus" | sed -n '/"launches": /,/^    \]/p'
