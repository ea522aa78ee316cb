# SPDX-License-Identifier: Apache-2.0
# The XML of hostile names, which tests/runner/gate/gate.txt holds, is valid by the schema; and the
# schema refuses other XML.
command -v xmllint >/dev/null || { echo "xmllint (libxml2-utils) is not installed" >&2; exit 77; }
schema=$ORCHIL_SOURCE_DIR/tests/runner/gate/junit.xsd
sed '/^----$/,$d' "$ORCHIL_SOURCE_DIR/tests/runner/gate/gate.txt" >names.xml
xmllint --noout --schema "$schema" names.xml 2>&1
sed 's/<failure message=/<failure note=/' names.xml >attribute.xml
sed 's/ errors="1"/ errors="one"/' names.xml >number.xml
sed 's/<testcase/<case/; s/<\/testcase/<\/case/' names.xml >element.xml
for file in attribute number element; do
    xmllint --noout --schema "$schema" $file.xml >/dev/null 2>&1 || echo "$file.xml is refused"
done
