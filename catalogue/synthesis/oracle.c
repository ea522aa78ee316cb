// SPDX-License-Identifier: Apache-2.0
/* Judges sketches in this process, as tests, and remembers the answers by the normal form of the sketch. */
#include "catalogue/synthesis/oracle.h"

#include <string.h>

#include "catalogue/synthesis/sketch_test.h"

/* The number of a judged outcome, whose values are those of the reads and then of the locations; false if it has a value
 * that nobody writes. */
static bool find_number(const struct sketch *sketch, const int64_t *values, size_t *number)
{
    size_t unit = 1;
    *number = 0;
    for (unsigned i = 0; i < sketch->count; i++) {
        const unsigned radix = sketch_write_count(sketch, sketch->location[i]) + 1;
        if (!sketch_reads(sketch, i))
            continue;
        if (*values < 0 || *values >= radix)
            return false;
        *number += unit * (size_t)*values++;
        unit *= radix;
    }
    for (unsigned i = 0; i < sketch->locations; i++) {
        const unsigned radix = sketch_write_count(sketch, i);
        if (radix < 2)
            continue;
        if (*values < 1 || *values > radix)
            return false;
        *number += unit * (size_t)(*values++ - 1);
        unit *= radix;
    }
    return true;
}

static bool is_allowed(const struct judged_outcome *outcome)
{
    return outcome->verdict == VERDICT_SC || outcome->verdict == VERDICT_WEAK;
}

struct oracle_answer oracle_ask(struct oracle *oracle, const struct sketch *sketch, struct arena *arena)
{
    static const struct judge_options options = {0};
    struct oracle_answer answer = {.sketch = *sketch};
    struct judgement judgement;
    struct outcome first;
    struct error error;
    outcome_of_number(sketch, 0, &first);
    struct litmus_test *test = sketch_test(oracle->dialect, sketch, &first);
    oracle->judged++;
    if (model_judge(oracle->model, test, &options, &judgement, &error) != STATUS_OK) {
        oracle->unjudged++;
        answer.any = true;
        litmus_release(test);
        return answer;
    }
    uint32_t *allowed = arena_take(arena, judgement.outcome_count + 1, sizeof *allowed);
    answer.any = judgement.racy;
    for (size_t i = 0; i < judgement.outcome_count; i++) {
        size_t number;
        if (judgement.outcomes[i].verdict == VERDICT_UNSPECIFIED)
            answer.any = true;
        if (is_allowed(&judgement.outcomes[i]) && find_number(sketch, judgement.outcomes[i].values, &number))
            allowed[answer.count++] = (uint32_t)number;
    }
    answer.allowed = allowed;
    judgement_release(&judgement);
    litmus_release(test);
    return answer;
}

static uint64_t key_of(const struct sketch *sketch)
{
    uint64_t key = UINT64_C(0xcbf29ce484222325); /* 64-bit FNV-1a */
    for (size_t i = 0; i < sizeof *sketch; i++)
        key = (key ^ ((const unsigned char *)sketch)[i]) * UINT64_C(0x100000001b3);
    return key;
}

static const struct oracle_answer *recall(struct oracle *oracle, const struct sketch *sketch)
{
    const uint64_t key = key_of(sketch);
    size_t step = 0, item;
    while (hash_index_next(&oracle->index, key, &step, &item))
        if (memcmp(&oracle->answers[item].sketch, sketch, sizeof *sketch) == 0)
            return &oracle->answers[item];
    const struct oracle_answer answer = oracle_ask(oracle, sketch, &oracle->arena);
    ARENA_ADD(&oracle->arena, oracle->answers, oracle->count) = answer;
    hash_index_add(&oracle->index, key, oracle->count - 1);
    return &oracle->answers[oracle->count - 1];
}

bool oracle_forbids(struct oracle *oracle, const struct sketch *sketch, const struct outcome *outcome)
{
    struct sketch normal = *sketch;
    struct outcome wanted = *outcome, found;
    if (sketch->count == 0)
        return false;
    sketch_normalise(&normal, &wanted);
    const struct oracle_answer *answer = recall(oracle, &normal);
    for (size_t i = 0; i < answer->count; i++) {
        outcome_of_number(&normal, answer->allowed[i], &found);
        if (outcome_matches(&normal, &found, &wanted))
            return false;
    }
    return !answer->any;
}

void oracle_release(struct oracle *oracle)
{
    arena_release(&oracle->arena);
    hash_index_release(&oracle->index);
}
