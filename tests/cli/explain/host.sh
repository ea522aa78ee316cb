# SPDX-License-Identifier: Apache-2.0
# A change of a host thread is in the words that a host thread has.
"$ORCHIL" explain "$TEST_DIR/host.litmus" | sed -n '/^The smallest/,/^  Tried/p'
