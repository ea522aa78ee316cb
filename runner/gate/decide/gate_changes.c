// SPDX-License-Identifier: Apache-2.0
/* What changed, from the first run together with the reruns that it chose. */
#include <string.h>

#include "runner/gate/decide/gate_parts.h"

/* One test in one pass. */
struct view {
    const struct comparison *pass;
    const struct sample_pair *pair; /* NULL: the pass has not run it, or launched nothing */
    const struct finding **of_rate; /* per question of the pair; NULL if it is not a finding */
};

static const struct sample_pair *find_pair(const struct comparison *pass, const struct sample *sample)
{
    for (size_t i = 0; pass && i < pass->pair_count; i++)
        if (sample_compare(pass->pairs[i].sample[SIDE_B], sample, pass->dimensions) == 0)
            return pass->pairs[i].sample[SIDE_B]->launched > 0 ? &pass->pairs[i] : NULL;
    return NULL;
}

static struct view look(const struct comparison *pass, const struct sample_pair *pair, struct arena *arena)
{
    struct view view = {.pass = pass, .pair = pair};
    view.of_rate = arena_take(arena, pair ? pair->question_count : 0, sizeof *view.of_rate);
    for (size_t i = 0; pair && i < pass->finding_count; i++) {
        const struct finding *finding = &pass->findings[i];
        if (finding->rate && finding->sample[SIDE_B] == pair->sample[SIDE_B])
            view.of_rate[finding->rate - pair->rates] = finding;
    }
    return view;
}

static const struct rate *rate_in(const struct view *view, const char *label)
{
    for (size_t i = 0; view->pair && i < view->pair->question_count; i++)
        if (strcmp(view->pair->rates[i].outcome->label, label) == 0)
            return &view->pair->rates[i];
    return NULL;
}

static const struct finding *finding_in(const struct view *view, const struct rate *rate)
{
    return rate ? view->of_rate[rate - view->pair->rates] : NULL;
}

/* All findings on one outcome. */
struct outcome_findings {
    const char *label;
    const struct rate *first, *again;      /* NULL if neither the baseline nor those runs saw it */
    const struct finding *found, *decided; /* of first and again */
    bool was_rerun;
};

static enum gate_kind undecided_kind(const struct finding *finding)
{
    if (finding->rate->result == RATE_UNGATED)
        return GATE_UNGATED;
    return finding->kind == FINDING_NEW    ? GATE_NEW_UNDECIDED
           : finding->kind == FINDING_LOST ? GATE_LOST_UNDECIDED
                                           : GATE_UNDECIDED;
}

/* The kind of a finding of a deciding pass. */
static enum gate_kind kind_of(const struct finding *finding, bool decides)
{
    switch (finding->standing) {
    case STANDING_SURE:
        return decides ? gate_kind_of_finding(finding->kind) : GATE_UNCONFIRMED;
    case STANDING_UNCONFIRMED:
        return GATE_UNCONFIRMED;
    case STANDING_UNDECIDED:
        break;
    }
    return undecided_kind(finding);
}

/* Whether the first run and the reruns have seen the outcome on the same sides. */
static bool same_sides(const struct outcome_findings *question)
{
    const bool now = gate_is_one_sided(question->decided);
    return !question->found ||
           (now ? question->found->kind == question->decided->kind : !gate_is_one_sided(question->found));
}

/* Reruns decide the questions that the first run chose. Other findings of theirs are reported if
 * only one side has seen the outcome, and do not count: they were not selected.
 *
 * Returns the finding that settles the question, and its kind of reason; NULL if there is nothing
 * to report. */
static const struct finding *settle(const struct outcome_findings *question, bool chooses, enum gate_kind *kind)
{
    const struct finding *decided = question->decided;
    const bool is_suspect = question->first && question->first->suspect;
    if (decided && is_suspect && decided->standing != STANDING_UNDECIDED) {
        *kind = kind_of(decided, true);
        return decided;
    }
    if (decided && same_sides(question) && (gate_is_one_sided(decided) || is_suspect)) {
        *kind = undecided_kind(decided);
        return decided;
    }
    if (!question->found)
        return NULL;
    *kind = question->was_rerun && is_suspect ? GATE_NOT_CONFIRMED : kind_of(question->found, !chooses);
    return question->found;
}

/* Whether the pass has instances that an outcome or share refers to. */
static bool has_run(const struct view *view, const struct rate *rate)
{
    return view->pair && sample_size(view->pair->sample[SIDE_B], rate->outcome->of) > 0;
}

/* A rate that was far enough off to be run again but is not a finding by itself. A rate within the
 * tolerance would not have counted, and one that moved with all others is reported with them. */
static const struct finding *suspicion(struct gate *gate, const struct sample_pair *pair, const struct rate *rate)
{
    const double tolerance = gate->comparison->options.tolerance;
    const bool is_shifted = gate->passes.again && gate->passes.again->shift.found;
    if (!rate->suspect || is_shifted || (rate->ratio.ratio <= tolerance && rate->ratio.ratio >= 1 / tolerance) ||
        (rate_is_one_sided(rate) && ruling_condemns(rate->outcome->ruling.kind)))
        return NULL;
    struct finding *finding = arena_take(&gate->arena, 1, sizeof *finding);
    *finding = (struct finding){.kind = finding_of_measure(rate->outcome->of),
                                .standing = STANDING_UNDECIDED,
                                .sample = {pair->sample[SIDE_A], pair->sample[SIDE_B]},
                                .pair = pair,
                                .rate = rate,
                                .outcome = rate->outcome,
                                .count = {rate->count[SIDE_A], rate->count[SIDE_B]},
                                .spread = {rate->spread[SIDE_A], rate->spread[SIDE_B]}};
    return finding;
}

static void add_change(struct gate_deciding *deciding, struct gate_case *of, const struct outcome_findings *question,
                       const struct view *other, struct text *text)
{
    struct gate *gate = deciding->gate;
    enum gate_kind kind;
    const struct finding *finding = settle(question, gate->passes.chooses, &kind);
    if (!finding)
        return;
    const bool of_reruns = finding == question->decided;
    compare_describe(of_reruns ? gate->passes.again : gate->passes.first, finding, text);
    gate_add_reason(deciding, of,
                    (struct gate_reason){.kind = kind,
                                         .finding = finding,
                                         .first = of_reruns ? question->first : NULL,
                                         .again = question->again,
                                         .other = rate_in(other, question->label),
                                         .was_rerun = question->was_rerun,
                                         .was_rerun_otherwise = other->pair != NULL},
                    text);
}

/* A shift concerns all tests. It is reported with the first. */
static void add_shift(struct gate_deciding *deciding, struct gate_case *of, struct text *text)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    const struct comparison *const in_order[] = {passes->again, passes->first};
    for (size_t p = 0; p < sizeof in_order / sizeof *in_order; p++) {
        for (size_t i = 0; in_order[p] && i < in_order[p]->finding_count; i++) {
            const struct finding *finding = &in_order[p]->findings[i];
            if (finding->kind != FINDING_SHIFT)
                continue;
            const bool of_first = p == 1;
            const enum gate_kind kind = !of_first || !passes->chooses ? GATE_SHIFT
                                        : passes->again               ? GATE_NOT_CONFIRMED
                                                                      : GATE_UNCONFIRMED;
            compare_describe(in_order[p], finding, text);
            gate_add_reason(deciding, of,
                            (struct gate_reason){.kind = kind, .finding = finding, .was_rerun = passes->again != NULL},
                            text);
            return;
        }
    }
}

void gate_add_changes(struct gate_deciding *deciding, struct gate_case *of, const struct sample_pair *pair,
                      struct text *text)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    struct arena scratch = {0};
    const struct view first = look(passes->first, pair, &scratch);
    const struct view again = look(passes->again, find_pair(passes->again, of->sample), &scratch);
    const struct view other = {.pass = passes->other, .pair = find_pair(passes->other, of->sample)};
    if (pair == passes->first->pairs)
        add_shift(deciding, of, text);
    for (size_t i = 0; i < pair->question_count; i++) {
        const struct rate *rate = &pair->rates[i];
        struct outcome_findings question = {
            .label = rate->outcome->label, .first = rate, .was_rerun = has_run(&again, rate)};
        question.found = first.of_rate[i];
        question.again = rate_in(&again, question.label);
        question.decided = finding_in(&again, question.again);
        const bool is_unclear = !question.found || question.found->kind == FINDING_UNDECIDED;
        if (is_unclear && question.was_rerun && rate->suspect)
            question.found = suspicion(deciding->gate, pair, rate);
        add_change(deciding, of, &question, &other, text);
    }
    for (size_t i = 0; again.pair && i < again.pair->question_count; i++) {
        const struct rate *rate = &again.pair->rates[i];
        const struct outcome_findings question = {
            .label = rate->outcome->label, .again = rate, .decided = again.of_rate[i], .was_rerun = true};
        if (!rate_in(&first, question.label))
            add_change(deciding, of, &question, &other, text);
    }
    arena_release(&scratch);
}
