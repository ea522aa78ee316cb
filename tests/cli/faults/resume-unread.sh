# SPDX-License-Identifier: Apache-2.0
# A run keeps which files of a folder could not be read, as they were when it was begun. A run that is taken up lists and
# counts them, and ends with their exit code.
. "$TEST_DIR/store"
mkdir folder
cp "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" folder
printf 'no test\n' >folder/broken.litmus
echo '{"tests": {"two": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}}}' >script.json
export ORCHIL_SIMULATED=script.json
"$ORCHIL" run --device simulated --instances 6k --seed 5 folder/ >out 2>err || echo "ended with $?"
grep 'could not' out
ask orchil.db "SELECT json_extract(options, '$.unread') FROM plan"
rm folder/broken.litmus
"$ORCHIL" run --resume last >out 2>err || echo "ended with $?"
cat err
grep 'could not' out
