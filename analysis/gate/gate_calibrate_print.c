// SPDX-License-Identifier: Apache-2.0
/* A calibration for people, and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/gate/gate_calibrate.h"
#include "analysis/page/words.h"
#include "base/json.h"

static const char *const draws_names[DRAWS] = {[DRAWS_EQUAL] = "equal draws", [DRAWS_OTHER] = "other draws"};

/* ---- text ---- */

enum { CELL_SIZE = 24 };

static const char *factor_cell(double factor, char cell[CELL_SIZE])
{
    if (isnan(factor))
        (void)snprintf(cell, CELL_SIZE, "-");
    else if (isinf(factor))
        (void)snprintf(cell, CELL_SIZE, "none");
    else
        (void)snprintf(cell, CELL_SIZE, factor < 9.995 ? "%.2f" : "%.0f", factor);
    return cell;
}

static const char *percent_cell(double share, char cell[CELL_SIZE])
{
    if (isnan(share))
        (void)snprintf(cell, CELL_SIZE, "-");
    else
        (void)snprintf(cell, CELL_SIZE, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
    return cell;
}

static void print_rates(const struct calibration *calibration, struct text *text)
{
    size_t width = strlen("test");
    char cells[4][CELL_SIZE];
    for (size_t i = 0; i < calibration->rate_count; i++) {
        const size_t size =
            strlen(calibration->rates[i].sample->row.test) + strlen(calibration->rates[i].sample->row.dialect) + 1;
        width = size > width ? size : width;
    }
    text_add(text, "\n%-*s  %12s  %9s  %9s  %11s  %11s\n", (int)width, "test", "per instance", "batches", "runs",
             draws_names[DRAWS_EQUAL], draws_names[DRAWS_OTHER]);
    for (size_t i = 0; i < calibration->rate_count; i++) {
        const struct calibration_rate *rate = &calibration->rates[i];
        struct text name = {0};
        words_add(&name, "$:$", rate->sample->row.dialect, rate->sample->row.test);
        text_add(text, "%-*s  %12.2e  %9s  %9s  %11s  %11s\n", (int)width, text_string(&name), rate->rate,
                 percent_cell(rate->batch_variation, cells[0]), percent_cell(rate->run_variation, cells[1]),
                 factor_cell(rate->detectable[DRAWS_EQUAL], cells[2]),
                 factor_cell(rate->detectable[DRAWS_OTHER], cells[3]));
        text_release(&name);
    }
    text_add(text,
             "\nbatches: how much the rate varies between the batches of a run; runs: between runs of equal draws, "
             "counting noise included\n(one standard deviation). equal draws, other draws: the smallest factor by "
             "which the rate can change and be found with ");
    words_add_percent(text, calibration->options.power);
    text_add(text, ",\nwith --tolerance %.4g and --alpha %.4g for all rates together; \"none\": not even 100.\n",
             calibration->tolerance, calibration->options.compare.alpha);
}

static void print_pairs(const struct calibration *calibration, int draws, struct text *text)
{
    const struct calibration_pairs *pairs = &calibration->pairs[draws];
    char cells[2][CELL_SIZE];
    if (pairs->pairs == 0)
        return;
    text_add(text, "  %s: %zu of %zu pairs of runs (", draws_names[draws], pairs->alarms, pairs->pairs);
    words_add_percent(text, calibration->options.compare.confidence);
    text_add(text, " interval %s to %s), %zu of %zu rates", percent_cell(pairs->alarm_rate.low, cells[0]),
             percent_cell(pairs->alarm_rate.high, cells[1]), pairs->false_rates, pairs->rates);
    if (pairs->tolerance > calibration->options.compare.tolerance)
        text_add(text, "; no changed rate with --tolerance %.4g", pairs->tolerance);
    text_add(text, "\n");
}

static void print_answer(const struct calibration *calibration, struct text *text)
{
    char cells[2][CELL_SIZE];
    const int draws = calibration->pairs[DRAWS_EQUAL].pairs > 0 ? DRAWS_EQUAL : DRAWS_OTHER;
    if (calibration->rate_count == 0) {
        text_add(text, "\nNo witness was seen: nothing can be said of changes.\n");
        return;
    }
    text_add(text, "\nSmallest change that is found, %s: ", draws_names[draws]);
    if (isinf(calibration->median[draws]))
        text_add(text, "none at all in half of the tests or more: run longer.\n");
    else
        text_add(text, "a factor of %s in half of the tests, ", factor_cell(calibration->median[draws], cells[0]));
    if (!isinf(calibration->median[draws]) && isinf(calibration->largest[draws]))
        text_add(text, "and in some none at all: run longer.\n");
    else if (!isinf(calibration->median[draws]))
        text_add(text, "of %s in all.\n", factor_cell(calibration->largest[draws], cells[1]));
    text_add(text, "Suggested: orchil gate --tolerance %.4g\n", calibration->tolerance);
}

void calibration_print_text(const struct calibration *calibration, struct text *text)
{
    const struct calibration_pairs *pairs = calibration->pairs;
    const struct sample *sample = calibration->first->sample_count > 0 ? &calibration->first->samples[0] : NULL;
    text_add(text, "%zu runs", calibration->runs);
    if (sample)
        words_add(text, " on $, $, driver $", sample->row.backend, sample->row.device, sample->row.driver);
    text_add(text, ": %zu pairs of equal draws, %zu of other draws.\n", pairs[DRAWS_EQUAL].pairs,
             pairs[DRAWS_OTHER].pairs);
    if (calibration->rate_count > 0)
        print_rates(calibration, text);
    text_add(text, "\nFalse alarms with --tolerance %.4g:\n", calibration->options.compare.tolerance);
    for (int draws = 0; draws < DRAWS; draws++)
        print_pairs(calibration, draws, text);
    text_add(text, "Pairs share runs, so the intervals are somewhat too narrow: more runs say more.\n");
    if (calibration->unsound > 0)
        text_add(text, "\n%zu jobs showed what must never be seen, or ended in a fault: settle that first.\n",
                 calibration->unsound);
    print_answer(calibration, text);
}

/* ---- JSON ---- */

static json_t *pack_pairs(const struct calibration_pairs *pairs)
{
    return json_pack("{so so so so s[oo] so}", "pairs", json_count(pairs->pairs), "false_alarms",
                     json_count(pairs->alarms), "rates", json_count(pairs->rates), "false_rates",
                     json_count(pairs->false_rates), "false_alarm_rate", json_number(pairs->alarm_rate.low),
                     json_number(pairs->alarm_rate.high), "tolerance", json_number(pairs->tolerance));
}

static json_t *pack_rates(const struct calibration *calibration)
{
    json_t *array = json_array();
    for (size_t i = 0; i < calibration->rate_count; i++) {
        const struct calibration_rate *rate = &calibration->rates[i];
        json_append(array,
                    json_pack("{so so so so so so so so so so}", "test", json_text(rate->sample->row.test), "dialect",
                              json_text(rate->sample->row.dialect), "backend", json_text(rate->sample->row.backend),
                              "device", json_text(rate->sample->row.device), "outcome", json_text(rate->label), "rate",
                              json_number(rate->rate), "batch_variation", json_number(rate->batch_variation),
                              "run_variation", json_number(rate->run_variation), "detectable_equal_draws",
                              json_number(rate->detectable[DRAWS_EQUAL]), "detectable_other_draws",
                              json_number(rate->detectable[DRAWS_OTHER])));
    }
    return array;
}

void calibration_print_json(const struct calibration *calibration, struct text *text)
{
    const struct calibration_options *options = &calibration->options;
    json_t *document = json_pack(
        "{so so so so so so so so so so}", "runs", json_count(calibration->runs), "alpha",
        json_number(options->compare.alpha), "power", json_number(options->power), "tolerance",
        json_number(options->compare.tolerance), "suggested_tolerance", json_number(calibration->tolerance),
        "median_detectable", json_number(calibration->median[DRAWS_EQUAL]), "equal_draws",
        pack_pairs(&calibration->pairs[DRAWS_EQUAL]), "other_draws", pack_pairs(&calibration->pairs[DRAWS_OTHER]),
        "unsound_jobs", json_count(calibration->unsound), "rates", pack_rates(calibration));
    json_add_document(document, text);
}
