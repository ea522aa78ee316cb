# SPDX-License-Identifier: Apache-2.0
# Protects: examples/hunt/hunt.sh passes the name of a test as one argument, with its blanks and stars.
command -v sqlite3 >/dev/null || { echo "sqlite3 is not installed" >&2; exit 77; }
echo '{"tests": {"*": {"outcomes": {"0:r0=1; 1:r0=1;": 1}}}}' >script.json
export ORCHIL_SIMULATED="$PWD/script.json"
mkdir bin
cat >bin/orchil <<END
#!/bin/sh
for argument do echo "<\$argument>"; done >>arguments
exec "$ORCHIL" "\$@"
END
chmod +x bin/orchil
"$ORCHIL" show opencl:SB+relaxed | sed '1s/ .*/ x --log planted *.json/; /^Control/d; /^Expect/d' >t.litmus
PATH="$PWD/bin:$PATH" TIMES='0.05 0.05' sh "$ORCHIL_SOURCE_DIR/examples/hunt/hunt.sh" simulated ./t.litmus >out 2>&1 || true
grep -c '^<opencl:x --log planted \*.json>$' arguments
ls planted 2>/dev/null || echo "no log"
