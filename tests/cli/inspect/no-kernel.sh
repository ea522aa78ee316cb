# SPDX-License-Identifier: Apache-2.0
# A test that has no kernel is not inspected, with the reason, in each form of output; that is not a failure.
"$ORCHIL" inspect ptx:XF-Barrier-weak
"$ORCHIL" inspect --json --junit results.xml ptx:XF-Barrier-weak
cat results.xml
