// SPDX-License-Identifier: Apache-2.0
/* A comparison as JSON. */
#include "analysis/compare/compare.h"
#include "base/json.h"
#include "base/memory.h"

static json_t *pack_interval(struct interval interval)
{
    return json_pack("[oo]", json_number(interval.low), json_number(interval.high));
}

/* Who, without what was seen; null for no sample. */
static json_t *pack_sample(const struct sample *sample)
{
    if (!sample)
        return json_null();
    return json_pack("{so so so so so so so so so so so so so so so so}", "test", json_text(sample->row.test),
                     "dialect", json_text(sample->row.dialect), "test_hash", json_text(sample->row.test_hash),
                     "control_of", json_text(sample->row.controls), "backend", json_text(sample->row.backend), "device",
                     json_text(sample->row.device), "device_uuid", json_text(sample->row.device_uuid), "driver",
                     json_text(sample->row.driver), "compiler", json_text(sample->row.compiler), "environment_hash",
                     json_text(sample->row.environment_hash), "state", json_text(job_state_word(sample->row.state)),
                     "jobs", json_count(sample->jobs), "batches", json_count(sample_spread(sample, NULL).batches),
                     "counted", json_count(sample->counted), "void", json_count(sample->row.voids), "invalid_batches",
                     json_count(sample->row.invalid_batches));
}

static json_t *pack_rate(const struct rate *rate, double confidence)
{
    return json_pack("{so so sb so s[oo] s[oo] s[oo] s[oo] s[oo] so so ss so so so so}", "outcome",
                     json_text(rate->outcome->label), "verdict", json_text(verdict_word(rate->outcome->verdict)),
                     "witness", rate->outcome->witness, "result", json_text(rate_result_name(rate->result)), "count",
                     json_count(rate->count[SIDE_A]), json_count(rate->count[SIDE_B]), "counted",
                     json_count(rate->counted[SIDE_A]), json_count(rate->counted[SIDE_B]), "batches",
                     json_count(rate->spread[SIDE_A].batches), json_count(rate->spread[SIDE_B].batches),
                     "seen_in_batches", json_count(rate->spread[SIDE_A].seen_in),
                     json_count(rate->spread[SIDE_B].seen_in), "rate_interval",
                     pack_interval(statistics_binomial(rate->count[SIDE_A], rate->counted[SIDE_A], confidence)),
                     pack_interval(statistics_binomial(rate->count[SIDE_B], rate->counted[SIDE_B], confidence)),
                     "ratio", json_number(rate->ratio.ratio), "ratio_interval", pack_interval(rate->ratio.interval),
                     "method", rate->by_runs ? "moderated t over runs" : statistics_method_name(rate->within.method),
                     "p", json_number(rate->by_runs ? rate->decision.p : rate->within.p), "p_adjusted",
                     json_number(rate->by_runs ? rate->adjusted : rate->within_adjusted), "smallest_p",
                     json_number(rate->within.smallest_p), "expected", json_number(rate->expected));
}

static json_t *pack_findings(const struct comparison *comparison)
{
    json_t *array = json_array();
    struct text sentence = {0};
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        const struct sample *sample = finding->sample[finding->sample[SIDE_B] ? SIDE_B : SIDE_A];
        text_clear(&sentence);
        compare_describe(comparison, finding, &sentence);
        json_append(array,
                    json_pack("{ss so so so so so s[oo] s[oo] s[oo] sb sb}", "kind", finding_kind_name(finding->kind),
                              "sentence", json_text(text_string(&sentence)), "test", json_text(sample->row.test),
                              "backend", json_text(sample->row.backend), "device", json_text(sample->row.device),
                              "outcome", json_text(finding->outcome ? finding->outcome->label : NULL), "count",
                              json_count(finding->count[SIDE_A]), json_count(finding->count[SIDE_B]), "batches",
                              json_count(finding->spread[SIDE_A].batches), json_count(finding->spread[SIDE_B].batches),
                              "seen_in_batches", json_count(finding->spread[SIDE_A].seen_in),
                              json_count(finding->spread[SIDE_B].seen_in), "sure", finding->standing == STANDING_SURE,
                              "excused", finding->excused));
    }
    text_release(&sentence);
    return array;
}

static json_t *pack_pairs(const struct comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        json_t *rates = json_array();
        for (size_t r = 0; r < pair->rate_count; r++)
            json_append(rates, pack_rate(&pair->rates[r], comparison->options.confidence));
        json_append(array, json_pack("{so so si sb so so}", "a", pack_sample(pair->sample[SIDE_A]), "b",
                                     pack_sample(pair->sample[SIDE_B]), "equal_draws", (int)pair->equal_draws, "paired",
                                     pair->paired, "batch_size_ratio", json_number(pair->size_ratio), "rates", rates));
    }
    return array;
}

static json_t *pack_others(const struct comparison *comparison)
{
    json_t *unmatched = json_array(), *remarks = json_array(), *prints = json_array();
    for (size_t i = 0; i < comparison->unmatched_count; i++) {
        const struct unmatched *lone = &comparison->unmatched[i];
        json_append(unmatched, json_pack("{ss so so}", "side", lone->side == SIDE_A ? "a" : "b", "reason",
                                         json_text(lone->reason), "sample", pack_sample(lone->sample)));
    }
    for (size_t i = 0; i < comparison->remark_count; i++) {
        const struct remark *remark = &comparison->remarks[i];
        json_append(remarks, json_pack("{so so so so}", "differs", json_text(remark->what), "a",
                                       json_text(remark->value[SIDE_A]), "b", json_text(remark->value[SIDE_B]), "tests",
                                       json_count(remark->tests)));
    }
    for (size_t i = 0; i < comparison->fingerprint_count; i++) {
        const struct fingerprint *print = &comparison->fingerprints[i];
        json_append(prints,
                    json_pack("{so so so so so so so so}", "a", pack_sample(print->sample[SIDE_A]), "b",
                              pack_sample(print->sample[SIDE_B]), "similarity", json_number(print->similarity),
                              "outcomes", json_count(print->entries), "tests", json_count(print->tests),
                              "draw_similarity", json_number(print->draw_similarity), "equal_draws",
                              json_count(print->draws), "tests_in_equal_draws", json_count(print->equal_tests)));
    }
    return json_pack("{so so so}", "unmatched", unmatched, "differences", remarks, "fingerprints", prints);
}

static json_t *pack_dimensions(const struct comparison *comparison)
{
    static const char *const names[] = {"backend", "device", "driver"};
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        if (comparison->dimensions >> i & 1)
            json_append(array, json_string(names[i]));
    return array;
}

void compare_print_json(const struct comparison *comparison, struct text *text)
{
    const struct compare_options *options = &comparison->options;
    json_t *document = json_pack(
        "{so so so so s{so so so so} so so}", "a", json_text(comparison->side[SIDE_A]->title), "b",
        json_text(comparison->side[SIDE_B]->title), "compared_across", pack_dimensions(comparison),
        "jobs_on_both_sides", json_count(comparison->shared_jobs), "options", "alpha", json_number(options->alpha),
        "confidence", json_number(options->confidence), "tolerance", json_number(options->tolerance), "detect",
        json_number(options->detect), "findings", pack_findings(comparison), "pairs", pack_pairs(comparison));
    json_t *changes = json_pack("{s{so so}}", "models_changed", "a", side_pack_changes(comparison->side[SIDE_A]), "b",
                                side_pack_changes(comparison->side[SIDE_B]));
    if (json_object_update(document, changes) != 0)
        memory_fail(0);
    json_decref(changes);
    json_t *others = pack_others(comparison);
    if (json_object_update_missing(document, others) != 0)
        memory_fail(0);
    json_decref(others);
    json_add_document(document, text);
}
