// SPDX-License-Identifier: Apache-2.0
/* The mutation score of a suite: the share of its mutants that were killed, and how often. */
#include "analysis/statistics/mutation_score.h"

bool mutation_score_has(bool control, bool forbidden, enum job_state state)
{
    return !control && !forbidden && state != JOB_UNSUPPORTED && state != JOB_NOT_RUN;
}

void mutation_score_add(struct mutation_score *score, uint64_t witnesses, double seconds)
{
    score->mutants++;
    score->killed += witnesses > 0;
    score->rates += seconds > 0 ? (double)witnesses / seconds : 0;
}

double mutation_score_share(const struct mutation_score *score)
{
    return (double)score->killed / (double)score->mutants;
}

double mutation_score_death_rate(const struct mutation_score *score)
{
    return score->rates / (double)score->mutants;
}
