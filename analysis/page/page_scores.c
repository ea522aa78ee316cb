// SPDX-License-Identifier: Apache-2.0
/* The mutation scores of runs, beside each other: of a database's page and of a history's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/history/history_parts.h"
#include "analysis/page/page_parts.h"
#include "base/quantity.h"

/* In full, so that a saved table has a number. */
static const char *write_rate(double rate, char buffer[QUANTITY_SIZE])
{
    if (rate >= 100)
        return quantity_count((uint64_t)llround(rate), buffer);
    (void)snprintf(buffer, QUANTITY_SIZE, "%.3g", rate);
    return buffer;
}

static void print_score(const struct history *history, const struct history_scored *of, struct text *text)
{
    const struct mutation_score *score = &of->score->score;
    struct text run = {0};
    char rate[QUANTITY_SIZE], share[16];
    history_add_run(history, of->device, of->device_run, &run);
    (void)snprintf(share, sizeof share, "%.1f %%", 100 * mutation_score_share(score));
    html_add(
        text,
        "<tr><th scope=row>$<td data-l=Device>$ ($)<td data-l=Driver>$<td data-l=Profile>$<td data-l=Dialect>$"
        "<td class=n data-l=\"Mutants killed\">$ of $<td class=n data-l=Score>$<td class=n data-l=\"Kills per second\">$\n",
        text_string(&run), of->device->device, of->device->backend,
        of->device->runs[of->device_run].facts[HISTORY_DRIVER], of->score->profile, of->score->dialect,
        QUANTITY_COUNT(score->killed), QUANTITY_COUNT(score->mutants), share,
        write_rate(mutation_score_death_rate(score), rate));
    text_release(&run);
}

void page_print_scores(const struct history *history, struct text *text)
{
    size_t count;
    struct history_scored *list = history_list_scores(history, &count);
    if (count > 0)
        text_add(
            text,
            "<section id=score>\n<h2>Mutation score</h2>\n<p>How well the stress brings out weak behaviour. A mutant is "
            "a weakened form of a forbidden test, and it is killed when its witness is seen. The score is the share of "
            "the mutants that were killed. Kills per second are the mean over all mutants, with 0 for those that were "
            "not killed.</p>\n<div class=wide><table class=\"stack data\" data-name=scores>\n<thead><tr><th>Run"
            "<th class=mid>Device<th>Driver<th>Profile<th>Dialect<th data-n>Mutants killed<th data-n>Score"
            "<th data-n>Kills per second</thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++)
        print_score(history, &list[i], text);
    if (count > 0)
        text_add(text, "</table></div>\n</section>\n");
    free(list);
}

void page_link_scores(const struct history *history, struct text *text)
{
    bool has = false;
    for (size_t d = 0; d < history->device_count; d++)
        for (size_t r = 0; r < history->devices[d]->run_count; r++)
            has |= history->devices[d]->runs[r].score_count > 0;
    text_add(text, "%s", has ? "<li><a href=\"#score\">Mutation score</a></li>" : "");
}
