// SPDX-License-Identifier: Apache-2.0
/* The source of a merge: attached to the target's connection for reading only. */
#include "results/merge/merge.h"
#include "results/open.h"
#include "results/soundness.h"

enum status merge_attach(struct merge *merge, const struct store *source, struct error *error)
{
    struct text uri = {0};
    const bool immutable = source->journal[0] == 'i';
    sql_doing(merge->into, "opening %.100s to merge it", merge->from);
    open_add_uri(&uri, source->path, immutable ? "mode=ro&immutable=1" : "mode=ro");
    enum status status = sql_do(merge->into, NULL, error, "ATTACH ? AS source", "t", text_string(&uri));
    text_release(&uri);
    TRY(status);
    status = soundness_expect_schema(merge->into, "source", merge->from, error);
    if (status != STATUS_OK)
        merge_detach(merge);
    return status;
}

void merge_detach(struct merge *merge)
{
    /* It was only read, so a failure loses nothing, and the next attachment would report it. */
    (void)sql_do(merge->into, NULL, NULL, "DETACH source", "");
}
