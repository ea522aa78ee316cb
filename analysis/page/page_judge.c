// SPDX-License-Identifier: Apache-2.0
/* Judges a test by its sums and text, and by related tests. */
#include "analysis/page/page_parts.h"

/* ---- the model's verdict on the witness ---- */

static const char *find_verdict(const struct page_test *test)
{
    enum verdict found = VERDICT_NONE;
    for (size_t p = 0; p < test->part_count; p++)
        for (size_t i = 0; i < test->parts[p].outcome_count; i++)
            if (test->parts[p].outcomes[i].witness)
                found = verdict_permissive(found, sample_verdict(&test->parts[p].outcomes[i]));
    if (found != VERDICT_NONE)
        return verdict_word(found);
    const char *expected = test->parsed ? litmus_metadata(test->parsed, "Expect") : NULL;
    return expected ? expected : "";
}

/* An outcome that programs rely on never seeing is "unpromised", unless the model forbids it. */
static const char *find_claim(const struct page_test *test)
{
    const char *verdict = find_verdict(test);
    const bool unpromised = test->parsed && litmus_claim(test->parsed) == LITMUS_CLAIM_UNPROMISED;
    return unpromised && strcmp(verdict, verdict_word(VERDICT_FORBIDDEN)) != 0 ? "unpromised" : verdict;
}

/* ---- results ---- */

static enum page_mark mark_of(const struct page_test *test, const struct page_part *part)
{
    static const enum page_mark ruled[RULING_COUNT] = {
        [RULING_CLAIM] = PAGE_CLAIM, [RULING_CONTROL] = PAGE_CONTROL, [RULING_FORBIDDEN] = PAGE_FORBIDDEN};
    struct ruling ruling = {.kind = RULING_NONE};
    for (size_t i = 0; i < part->outcome_count; i++)
        sample_add_ruling(&ruling, &part->outcomes[i].ruling);
    if (ruling_condemns(ruling.kind))
        return ruling.fails ? ruled[ruling.kind] : PAGE_UNPROMISED;
    const enum job_class class = job_state_class(part->state);
    if (class == JOB_CLASS_FAULT)
        return PAGE_FAULT;
    if (part->kept[TEST_NOT_KEPT] > 0)
        return PAGE_NOT_KEPT;
    if (test->progress && part->gave_up > 0)
        return PAGE_GAVE_UP;
    if (part->counted > 0)
        return part->witnesses > 0 ? PAGE_SEEN : PAGE_UNSEEN;
    return class == JOB_CLASS_REFUSED ? PAGE_REFUSED : class == JOB_CLASS_CUT_SHORT ? PAGE_CUT : PAGE_NOTHING;
}

void page_judge(struct page_test *test)
{
    test->progress = test->parsed && litmus_is_progress(test->parsed);
    test->mark = PAGE_NOTHING;
    FOR_EACH(struct page_part, part, test->parts, test->part_count) {
        /* A model also lists outcomes that were not seen: only the condition tells whether they are witnesses. */
        for (size_t i = 0; test->parsed && i < part->outcome_count; i++)
            part->outcomes[i].witness |= litmus_label_is_witness(test->parsed, part->outcomes[i].label);
        FOR_EACH(const struct sample_outcome, outcome, part->outcomes, part->outcome_count) {
            part->witnesses += outcome->witness ? outcome->count : 0;
            part->forbidden += outcome->ruling.kind == RULING_FORBIDDEN ? outcome->count : 0;
        }
        part->mark = mark_of(test, part);
        if (part->mark < test->mark)
            test->mark = part->mark;
    }
    test->claim = find_claim(test);
}

/* ---- order ---- */

POINTERS_BY(page_judge_compare_names, const struct page_test,
            strcmp(a->dialect, b->dialect) ?: strcmp(a->name, b->name) ?: strcmp(a->hash, b->hash))

bool page_ran(enum page_mark mark)
{
    return mark != PAGE_REFUSED && mark != PAGE_NOTHING;
}

POINTERS_BY(compare_gravity, const struct page_test,
            (a->mark <= PAGE_CUT || b->mark <= PAGE_CUT ? ORDER(a->mark, b->mark) : 0)
                ?: ORDER(page_ran(b->mark), page_ran(a->mark)) ?: strcmp(a->name, b->name)
                ?: page_judge_compare_names(left, right))

POINTERS_BY(compare_controllers, const struct page_job,
            strcmp(a->job->row.dialect, b->job->row.dialect) ?: strcmp(a->job->row.controls, b->job->row.controls)
                ?: strcmp(a->job->row.test, b->job->row.test) ?: ORDER(a, b))

/* "ptx-MP+relaxed"; with a number after `~`, which no name keeps, where another test could have the same. */
static const char *make_anchor(struct arena *arena, const struct page_test *test, const struct page_test *before,
                               size_t number)
{
    struct text anchor = {0};
    for (const char *at = test->dialect; *at; at++) {
        const char lower[] = {(char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at), '\0'};
        (void)html_add_anchor(&anchor, lower);
    }
    text_add(&anchor, "-");
    if (html_add_anchor(&anchor, test->name))
        text_add(&anchor, "~%zu", number);
    else if (before && strcmp(before->name, test->name) == 0 && strcmp(before->dialect, test->dialect) == 0)
        text_add(&anchor, "~%.8s", test->hash);
    return arena_keep(arena, &anchor);
}

void page_order(struct page *page, const struct page_job *jobs, size_t count)
{
    struct arena *arena = &page->arena;
    page->by_gravity = arena_take(arena, page->test_count, sizeof *page->by_gravity);
    page->by_name = arena_take(arena, page->test_count, sizeof *page->by_name);
    page->controllers = arena_take(arena, count, sizeof *page->controllers);
    for (size_t i = 0; i < count; i++)
        if (*jobs[i].job->row.controls)
            page->controllers[page->controller_count++] = &jobs[i];
    SORT(page->controllers, page->controller_count, compare_controllers);
    for (size_t i = 0; i < page->test_count; i++)
        page->by_name[i] = page->by_gravity[i] = &page->tests[i];
    SORT(page->by_name, page->test_count, page_judge_compare_names);
    SORT(page->by_gravity, page->test_count, compare_gravity);
    while (page->ran_count < page->test_count && page_ran(page->by_gravity[page->ran_count]->mark))
        page->ran_count++;
    for (size_t i = 0; i < page->test_count; i++) {
        struct page_test *test = &page->tests[page->by_name[i] - page->tests];
        test->anchor = make_anchor(arena, test, i > 0 ? page->by_name[i - 1] : NULL, i + 1);
    }
}

/* ---- asking ---- */

const struct page_test *page_find(const struct page *page, const char *dialect, const char *name)
{
    size_t low = 0, high = page->test_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct page_test *test = page->by_name[middle];
        const int order = strcmp(test->dialect, dialect) ? strcmp(test->dialect, dialect) : strcmp(test->name, name);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct page_test *found = low < page->test_count ? page->by_name[low] : NULL;
    return found && strcmp(found->dialect, dialect) == 0 && strcmp(found->name, name) == 0 ? found : NULL;
}

struct page_sum page_sum_of(const struct page_test *test, size_t column)
{
    struct page_sum sum = {.mark = PAGE_NOTHING};
    bool apart = false, together = false;
    FOR_EACH(const struct page_part, part, test->parts, test->part_count) {
        if (column != SIZE_MAX && column != part->column)
            continue;
        sum.parts++;
        sum.counted += part->counted;
        sum.voids += part->void_sum;
        sum.witnesses += part->witnesses;
        sum.forbidden += part->forbidden;
        sum.gave_up += part->gave_up;
        sum.draws += part->draws;
        apart |= part->apart;
        together |= part->together;
        if (part->mark < sum.mark)
            sum.mark = part->mark;
    }
    sum.untested = apart && !together;
    return sum;
}

struct page_control page_control_of(const struct page *page, const struct page_test *test, size_t column)
{
    struct page_control control = {0};
    size_t low = 0, high = page->controller_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct store_job_row *job = &page->controllers[middle]->job->row;
        int order = strcmp(job->dialect, test->dialect);
        if (order == 0)
            order = strcmp(job->controls, test->name);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < page->controller_count; low++) {
        const struct page_job *job = page->controllers[low];
        if (strcmp(job->job->row.dialect, test->dialect) != 0 || strcmp(job->job->row.controls, test->name) != 0)
            break;
        if (column != SIZE_MAX && column != job->column)
            continue;
        if (control.jobs == 0 || (job->witnesses > 0 && control.witnesses == 0))
            control.test = job->test;
        control.jobs++;
        control.counted += job->counted;
        control.witnesses += job->witnesses;
        control.draws += job->draws;
    }
    return control;
}

/* ---- mutants ---- */

static void page_judge_list_once(const struct page_test *list[PAGE_MOST_MUTANTS], size_t *count,
                                 const struct page_test *test)
{
    for (size_t i = 0; i < *count; i++)
        if (list[i] == test)
            return;
    if (test && *count < PAGE_MOST_MUTANTS)
        list[(*count)++] = test;
}

/* The mutants that the test's text names, and the tests that it controlled, which are also weaker. */
size_t page_list_mutants(const struct page *page, const struct page_test *test,
                         const struct page_test *list[PAGE_MOST_MUTANTS], size_t *count)
{
    char name[LITMUS_NAME_SIZE];
    size_t named = 0;
    *count = 0;
    for (const char *rest = NULL; litmus_next_name(test->parsed, litmus_mutants, &rest, name); named++)
        page_judge_list_once(list, count, page_find(page, test->dialect, name));
    for (size_t p = 0; p < test->part_count; p++)
        for (size_t i = 0; i < test->parts[p].job_count; i++)
            if (*test->parts[p].jobs[i].job->row.controls)
                page_judge_list_once(list, count,
                                     page_find(page, test->dialect, test->parts[p].jobs[i].job->row.controls));
    return named > *count ? named : *count;
}

struct page_mutants page_mutants_of(const struct page *page, const struct page_test *test, size_t column)
{
    struct page_mutants mutants = {0};
    const struct page_test *list[PAGE_MOST_MUTANTS];
    size_t count;
    mutants.named = page_list_mutants(page, test, list, &count);
    for (size_t i = 0; i < count; i++) {
        const struct page_sum sum = page_sum_of(list[i], column);
        const double rate = sum.counted > 0 ? (double)sum.witnesses / (double)sum.counted : 0;
        if (sum.untested)
            continue;
        mutants.run += sum.counted > 0;
        mutants.seen += sum.witnesses > 0;
        if (sum.counted > 0 && (!mutants.best || rate > mutants.rate)) {
            mutants.best = list[i];
            mutants.rate = rate;
            mutants.counted = sum.counted;
            mutants.witnesses = sum.witnesses;
            mutants.draws = sum.draws;
        }
    }
    return mutants;
}

/* ---- witnesses not seen ---- */

enum page_silence page_silence_of(const struct page *page, const struct page_test *test, size_t column)
{
    const struct page_sum sum = page_sum_of(test, column);
    if (*test->claim != 'f' || sum.mark != PAGE_UNSEEN || sum.counted == 0)
        return PAGE_SILENCE_NONE;
    const struct page_mutants mutants = page_mutants_of(page, test, column);
    return mutants.named == 0 ? PAGE_SILENCE_NONE : mutants.seen > 0 ? PAGE_SILENCE_TELLS : PAGE_SILENCE_LITTLE;
}

enum page_silence page_silence_anywhere(const struct page *page, const struct page_test *test)
{
    enum page_silence least = PAGE_SILENCE_NONE;
    for (size_t column = 0; column < page->column_count; column++) {
        const enum page_silence silence = page_silence_of(page, test, column);
        if (silence != PAGE_SILENCE_NONE && (least == PAGE_SILENCE_NONE || silence < least))
            least = silence;
    }
    return least;
}
