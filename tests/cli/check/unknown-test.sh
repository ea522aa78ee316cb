# SPDX-License-Identifier: Apache-2.0
# A test that is not there.
"$ORCHIL" check no-such-test
