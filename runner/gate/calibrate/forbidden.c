// SPDX-License-Identifier: Apache-2.0
/* Tests whose witness a model forbids: it should never be seen, so there is no rate to gate. */
#include <string.h>

#include "litmus/litmus.h"
#include "runner/gate/calibrate/calibrate_parts.h"

/* True if a model forbids all witnesses of the test. parsed: NULL if the sample has seen them; else
 * the test, because only its condition tells whether an outcome that was not seen is a witness. */
static bool has_forbidden_witness(const struct sample *sample, const struct litmus_test *parsed)
{
    bool forbidden = false;
    for (size_t i = 0; i < sample->outcome_count; i++) {
        const struct sample_outcome *outcome = &sample->outcomes[i];
        if (!outcome->witness && !(parsed && litmus_label_is_witness(parsed, outcome->label)))
            continue;
        if (sample_verdict(outcome) != VERDICT_FORBIDDEN)
            return false;
        forbidden = true;
    }
    return forbidden;
}

static enum status read_test(struct store *store, struct calibration *calibration, struct calibration_test *test,
                             struct error *error)
{
    struct store_text_row text;
    struct litmus_test *parsed = NULL;
    struct error ignored; /* a test that cannot be read stays as it is */
    TRY(store_load_text(store, STORE_TEST, test->sample->runs[0].row->job_id, &calibration->arena, &text, error));
    if (text.text &&
        litmus_parse(test->sample->row.test, text.text, strlen(text.text), &parsed, &ignored) == STATUS_OK &&
        has_forbidden_witness(test->sample, parsed))
        test->standing = CALIBRATION_FORBIDDEN;
    litmus_release(parsed);
    return STATUS_OK;
}

enum status calibrate_forbid(struct calibration *calibration, struct error *error)
{
    const char *database = calibration->all->database;
    struct store *store = NULL;
    enum status status = database ? store_open(database, STORE_READ, &store, error) : STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < calibration->test_count; i++) {
        struct calibration_test *test = &calibration->tests[i];
        if (test->is_control)
            continue;
        if (has_forbidden_witness(test->sample, NULL))
            test->standing = CALIBRATION_FORBIDDEN;
        else if (store && test->sightings <= 0)
            status = read_test(store, calibration, test, error);
    }
    store_close(store);
    return status;
}
