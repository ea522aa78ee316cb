# SPDX-License-Identifier: Apache-2.0
# Launches that the host orders: an arrow from the end of one to the start of the next, and a sentence; and, of an outcome that
# is allowed, the instructions in an order that keeps to the launches.
"$ORCHIL" explain "$TEST_DIR/launches.litmus" | sed '/^What forbids/,$d'
"$ORCHIL" explain -o '1:r0=1; 1:r1=1;' "$TEST_DIR/launches.litmus" | sed -n '/^  Nothing is/,/^$/p'
