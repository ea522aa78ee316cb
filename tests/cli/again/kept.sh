# SPDX-License-Identifier: Apache-2.0
# Stored verdicts are kept, with the reason, if the model is gone, if other instructions would be emitted, and where the text
# would be read in another way.
. "$TEST_DIR/database"
look() {
    "$ORCHIL" export --format csv --what outcomes old.db 2>stderr | awk -F, '/SB.relaxed/ {print $16, $17, $20}' | sort -u
    cat stderr
}
ask old.db "UPDATE judgement SET model = 'mine.cat:0123456789ab'"
look
ask old.db "UPDATE judgement SET model = 'opencl', mapping = 1000"
look
ask old.db "UPDATE judgement SET mapping = 0; UPDATE content SET text = replace(text, 'relaxed', 'seq_cst')"
look
ask old.db "UPDATE content SET text = 'OPENCL nothing' WHERE id IN (SELECT text_id FROM test)"
look
