// SPDX-License-Identifier: Apache-2.0
/* The words of base/record.h, and parsing them. */
#include "base/record.h"

static const char *const verdict_words[] = {VERDICT_LIST(WORD_OF)};

#define JOB_CLASS(name, word, class) JOB_CLASS_##class,
static const enum job_class job_classes[] = {JOB_STATE_LIST(JOB_CLASS)};
#define VOID_MEANING(name, word, meaning) meaning,
static const char *const void_meanings[] = {VOID_REASON_LIST(VOID_MEANING)};

/* The index of a word in a list, or otherwise. */
static int record_find_word(const char *word, const char *const *words, size_t count, int otherwise)
{
    return VALUE_OF(int, each, words, count, strcmp(*each, word) == 0, (int)(each - words), otherwise);
}

WORDS_OF(job_state_word, enum job_state, JOB_STATE_LIST(WORD_OF))

enum job_class job_state_class(enum job_state state)
{
    return (unsigned)state < JOB_STATE_COUNT ? job_classes[state] : JOB_CLASS_FAULT;
}

enum job_state job_state_from_word(const char *word, enum job_state otherwise)
{
    return (enum job_state)record_find_word(word, job_state_words, JOB_STATE_COUNT, (int)otherwise);
}

WORDS_OF(run_state_word, enum run_state, RUN_STATE_LIST(WORD_OF))

enum run_state run_state_from_word(const char *word, enum run_state otherwise)
{
    return (enum run_state)record_find_word(word, run_state_words, RUN_STATE_COUNT, (int)otherwise);
}

WORDS_OF(mark_word, enum mark_number, MARK_LIST(WORD_OF))

unsigned marks_unite(unsigned a, unsigned b)
{
    const unsigned either = a | b;
    return a & b & MARK_NOT_OVERLAPPED ? either : either & ~(unsigned)MARK_NOT_OVERLAPPED;
}

void marks_print(unsigned marks, struct text *text)
{
    const char *between = "";
    text_add(text, "[");
    for (unsigned i = 0; i < MARK_COUNT; i++)
        if (marks >> i & 1) {
            text_add(text, "%s\"%s\"", between, mark_words[i]);
            between = ",";
        }
    text_add(text, "]");
}

unsigned marks_parse(const char *json)
{
    unsigned marks = 0;
    for (const char *start = strchr(json, '"'), *end; start && (end = strchr(start + 1, '"'));
         start = strchr(end + 1, '"'))
        for (unsigned i = 0; i < MARK_COUNT; i++)
            if (strlen(mark_words[i]) == (size_t)(end - start - 1) &&
                strncmp(mark_words[i], start + 1, (size_t)(end - start - 1)) == 0)
                marks |= 1u << i;
    return marks;
}

WORDS_OF(void_reason_word, enum void_reason, VOID_REASON_LIST(WORD_OF))

const char *void_reason_meaning(const char *word)
{
    const int found = record_find_word(word, void_reason_words, VOID_REASON_COUNT, -1);
    return found >= 0 ? void_meanings[found] : "";
}

const char *verdict_word(enum verdict verdict)
{
    return (unsigned)verdict < VERDICT_COUNT ? verdict_words[verdict] : NULL;
}

enum verdict verdict_permissive(enum verdict a, enum verdict b)
{
    static const unsigned char rank[VERDICT_COUNT + 1] = {
        [VERDICT_SC] = 0,          [VERDICT_WEAK] = 1,      [VERDICT_UNDEFINED] = 2,
        [VERDICT_UNSPECIFIED] = 3, [VERDICT_FORBIDDEN] = 4, [VERDICT_NONE] = 5};
    return rank[a] <= rank[b] ? a : b;
}

WORDS_OF(kept_word, enum kept, KEPT_LIST(WORD_OF))

bool kept_is_worse(enum kept kept, enum kept than)
{
    static const int ranks[] = {[TEST_KEPT] = 0, [TEST_MERGED] = 1, [TEST_NOT_INSPECTED] = 2, [TEST_NOT_KEPT] = 3};
    return ranks[kept] > ranks[than];
}

enum kept kept_join(enum kept a, enum kept b)
{
    if (a == TEST_MERGED && b == TEST_MERGED)
        return TEST_NOT_KEPT;
    return kept_is_worse(a, b) ? a : b;
}

enum kept kept_from_word(const char *word, enum kept otherwise)
{
    return (enum kept)record_find_word(word, kept_words, KEPT_COUNT, (int)otherwise);
}

WORDS_OF(launch_edge_word, enum launch_edge, LAUNCH_EDGE_LIST(WORD_OF))

bool launch_edge_shares_queue(enum launch_edge edge)
{
    return edge == LAUNCH_EDGE_QUEUE || edge == LAUNCH_EDGE_MAP || edge == LAUNCH_EDGE_COPY ||
           edge == LAUNCH_EDGE_PROGRAMMATIC;
}

enum verdict verdict_from_word(const char *word, enum verdict otherwise)
{
    return (enum verdict)record_find_word(word, verdict_words, VERDICT_COUNT, (int)otherwise);
}

const char *lowering_header(const char *lowering)
{
    const char *const plus = strchr(lowering, '+');
    return plus ? plus + 1 : NULL;
}

bool lowering_is(const char *lowering, const char *name)
{
    const size_t size = strcspn(lowering, "+");
    return strlen(name) == size && memcmp(lowering, name, size) == 0;
}
