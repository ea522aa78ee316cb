# SPDX-License-Identifier: Apache-2.0
# A description in Chinese, by option and by the locale; English where a test has none; 80 columns hold 40 characters.
test=book-A4-release+rel+acq
"$ORCHIL" show --lang zh "opencl:$test" >zh.litmus
head -6 zh.litmus
LC_ALL=zh_CN.UTF-8 "$ORCHIL" show "opencl:$test" | cmp - zh.litmus
LC_ALL= LC_MESSAGES=zh_CN.UTF-8 LC_CTYPE=C.UTF-8 "$ORCHIL" show "opencl:$test" | cmp - zh.litmus && echo "unicode by LC_MESSAGES alone"
LC_ALL=zh_CN.UTF-8 "$ORCHIL" show --lang en "opencl:$test" | head -2
LC_ALL=zh_CN.GB18030 "$ORCHIL" show "opencl:$test" | head -2
echo "at 80 columns:"
COLUMNS=80 "$ORCHIL" show --lang zh "opencl:$test" | sed -n '/^"/p'
echo "without a description in Chinese:"
LC_ALL=zh_CN.UTF-8 "$ORCHIL" show "$TEST_DIR/MP.litmus" | head -2
"$ORCHIL" check ./zh.litmus | head -1
