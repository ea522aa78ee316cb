// SPDX-License-Identifier: Apache-2.0
/* Mutants that were not seen often enough: then it means nothing that a control was not seen. */
#include <math.h>
#include <string.h>

#include "analysis/words/words.h"
#include "base/quantity.h"
#include "runner/gate/decide/gate_parts.h"

/* A test with a control is relied on: seeing its witness proves that the stress works. */
bool gate_is_mutant(const struct comparison *comparison, const struct sample *sample)
{
    const struct side *side = comparison->side[SIDE_B];
    if (*sample->row.controls)
        return false;
    for (size_t i = 0; i < side->sample_count; i++)
        if (strcmp(side->samples[i].row.controls, sample->row.test) == 0 &&
            strcmp(side->samples[i].row.dialect, sample->row.dialect) == 0 &&
            strcmp(side->samples[i].row.device, sample->row.device) == 0)
            return true;
    return false;
}

/* Sightings and instances in all runs. */
struct witnesses {
    uint64_t seen, counted;
    double seconds;
    bool apart; /* launches that may run at the same time never did, in some run */
};

static void add_witnesses(const struct sample *sample, struct witnesses *sum)
{
    sum->seen += sample ? sample_shown(sample) : 0;
    sum->apart |= sample && sample->row.marks & MARK_NOT_OVERLAPPED;
    sum->counted += sample ? sample->counted : 0;
    sum->seconds += sample ? sample->row.seconds : 0;
}

/* Seconds of this test that give this many sightings on average; 0: more time would not help. */
static double seconds_for(double needed, const struct witnesses *now, const struct witnesses *before)
{
    double rate = 0;
    if (now->seen > 0)
        rate = (double)now->seen / (double)now->counted;
    else if (before->seen > 0)
        rate = (double)before->seen / (double)before->counted;
    const double speed = now->seconds > 0 ? (double)now->counted / now->seconds : 0;
    const double seconds = rate > 0 && speed > 0 ? needed / rate / speed : 0;
    return seconds <= now->seconds ? 0 : seconds;
}

static void describe_unseen(const struct gate_deciding *deciding, const struct sample *sample, double needed,
                            const struct witnesses *now, const struct witnesses *before, struct text *text)
{
    words_add_test(text, sample);
    text_add(text, ": the witness was seen %s time%s (%s in the baseline), and %.0f are needed (",
             QUANTITY_COUNT(now->seen), now->seen == 1 ? "" : "s", QUANTITY_COUNT(before->seen), needed);
    words_add_percent(text, deciding->options->assurance);
    text_add(text, " that a rerun sees it)");
    if (now->apart)
        text_add(text, "; its launches never overlapped, so it was not tested here");
}

static struct witnesses count_witnesses(const struct gate *gate, const struct sample *sample)
{
    struct witnesses now = {.seen = 0};
    add_witnesses(sample, &now);
    add_witnesses(gate_find_rerun(gate->passes.again, sample), &now);
    add_witnesses(gate_find_rerun(gate->passes.other, sample), &now);
    return now;
}

static double count_needed(const struct gate *gate)
{
    return ceil(statistics_count_for(gate->options->assurance));
}

bool gate_sees_mutant(const struct gate *gate, const struct sample *sample)
{
    const bool is_test = !sample->row.built || sample->row.kept != TEST_NOT_KEPT;
    return is_test && (double)count_witnesses(gate, sample).seen >= count_needed(gate);
}

void gate_add_doubts(struct gate_deciding *deciding, struct gate_case *of, const struct sample_pair *pair,
                     struct text *text)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    const double needed = count_needed(deciding->gate);
    struct witnesses before = {.seen = 0};
    if (job_state_class(of->sample->row.state) != JOB_CLASS_FINE || !gate_is_mutant(passes->first, of->sample))
        return;
    const struct witnesses now = count_witnesses(deciding->gate, of->sample);
    add_witnesses(pair ? pair->sample[SIDE_A] : NULL, &before);
    if ((double)now.seen >= needed)
        return;
    const char *line =
        arena_print(&deciding->gate->arena, "seen %s time%s, %s in the baseline; %.0f are needed",
                    QUANTITY_COUNT(now.seen), now.seen == 1 ? "" : "s", QUANTITY_COUNT(before.seen), needed);
    describe_unseen(deciding, of->sample, needed, &now, &before, text);
    if ((double)before.seen < needed) {
        text_add(text, "; the baseline did not show it either, so its controls prove nothing on this device");
        gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_BLIND, .line = line}, text);
        return;
    }
    const double suffices = seconds_for(needed, &now, &before);
    text_add(text, "; a control's silence means nothing before; ");
    if (suffices > 0)
        text_add(text, "%s of this test would do", QUANTITY_SECONDS(suffices));
    else
        text_add(text, "what time would do is not known");
    gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_UNSEEN, .line = line, .suffices = suffices}, text);
}
