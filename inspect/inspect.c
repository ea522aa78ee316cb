// SPDX-License-Identifier: Apache-2.0
/* The entry points of the inspection: choose the machine's reader and rules, and compare. */
#include <stdio.h>

#include "inspect/amdgcn/amdgcn.h"
#include "inspect/compare.h"
#include "inspect/inspect.h"
#include "inspect/spirv/spirv_place.h"
#include "inspect/swap_loops.h"

/* Reads SASS whose line information refers to the PTX. */
static enum status read_sass(const struct inspect_code *code, struct listing *listing, struct error *error)
{
    struct listing ptx = {0};
    enum status status = STATUS_OK;
    if (code->ptx)
        status = listing_read_ptx_lines(code->ptx, &ptx, error);
    if (status == STATUS_OK)
        status =
            listing_read_sass(code->text, code->ptx ? &ptx : NULL, code->ptx_line ? code->ptx_line : 1, listing, error);
    listing_release(&ptx);
    return status;
}

static enum status read_x86(const struct inspect_code *code, struct listing *listing, struct error *error)
{
    return listing_read_x86(code->text, listing, error);
}

static enum status read_amdgcn(const struct inspect_code *code, struct listing *listing, struct error *error)
{
    return listing_read_amdgcn(code->text, listing, error);
}

static enum status read_ptx(const struct inspect_code *code, struct listing *listing, struct error *error)
{
    return listing_read_ptx(code->text, listing, error);
}

static enum status read_spirv(const struct inspect_code *code, struct listing *listing, struct error *error)
{
    return listing_read_spirv(code->text, code->size, listing, error);
}

static enum status refuse_ptx(const struct inspect_subject *subject, struct error *error)
{
    const unsigned before = subject->first_line - 1;
    return listing_refuse_ptx(subject->listing, subject->kernel->helpers_line + before,
                              subject->kernel->functions_end + before, error);
}

/* The machines, with their readers and rules. */
static const struct {
    enum status (*read)(const struct inspect_code *code, struct listing *listing, struct error *error);
    inspect_rule *rule;
    /* Refuses more once the place of the test's code is known; or NULL. */
    enum status (*refuse)(const struct inspect_subject *subject, struct error *error);
    bool items_in_turn, lines_of_calls, unrolls; /* as in struct inspect_subject */
    inspect_orders *orders;                      /* or NULL */
    /* Corrects lines of the listing with knowledge of the test; or NULL. */
    void (*place)(const struct inspect_subject *subject, struct listing *listing);
} machines[INSPECT_MACHINE_COUNT] = {
    [INSPECT_SASS] = {.read = read_sass, .rule = rules_sass},
    [INSPECT_PTX] = {.read = read_ptx, .rule = rules_ptx, .refuse = refuse_ptx, .unrolls = true},
    [INSPECT_X86] = {.read = read_x86, .rule = rules_x86, .items_in_turn = true, .place = x86_place},
    [INSPECT_AMDGCN] = {.read = read_amdgcn,
                        .rule = rules_amdgcn,
                        .orders = amdgcn_check_orders,
                        .lines_of_calls = true},
    [INSPECT_SPIRV] = {.read = read_spirv, .rule = rules_spirv, .place = spirv_place},
};

void inspect_code(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                  struct inspection *inspection)
{
    struct listing listing = {0};
    struct error error;
    *inspection = (struct inspection){0};
    if (!machines[code->machine].read) {
        inspect_skip(inspection, "code of this machine cannot be read");
        return;
    }
    if (machines[code->machine].read(code, &listing, &error) != STATUS_OK) {
        inspect_skip(inspection, error.text);
    } else {
        if (code->architecture[0])
            (void)snprintf(listing.architecture, sizeof listing.architecture, "%s", code->architecture);
        const struct inspect_subject subject = {.test = test,
                                                .kernel = kernel,
                                                .listing = &listing,
                                                .items_in_turn = machines[code->machine].items_in_turn,
                                                .lines_of_calls = machines[code->machine].lines_of_calls,
                                                .unrolls = machines[code->machine].unrolls,
                                                .orders = machines[code->machine].orders,
                                                .first_line = code->first_line};
        if (machines[code->machine].place)
            machines[code->machine].place(&subject, &listing);
        swap_loops_mark(&listing);
        if (machines[code->machine].refuse && machines[code->machine].refuse(&subject, &error) != STATUS_OK)
            inspect_skip(inspection, error.text);
        else
            inspect_compare(&subject, machines[code->machine].rule, inspection);
    }
    listing_release(&listing);
}

enum status inspect_print(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                          struct text *text, struct error *error)
{
    struct listing listing = {0};
    const struct inspect_subject subject = {
        .test = test, .kernel = kernel, .listing = &listing, .first_line = code->first_line};
    const enum status status = machines[code->machine].read(code, &listing, error);
    if (status == STATUS_OK && machines[code->machine].place)
        machines[code->machine].place(&subject, &listing);
    if (status == STATUS_OK)
        print_listing(&subject, text);
    listing_release(&listing);
    return status;
}

const char *inspect_fault_word(enum inspect_fault fault)
{
    static const char *const words[] = {
#define INSPECT_FAULT_WORD(name, word, meaning) [INSPECT_##name] = (word),
        INSPECT_FAULT_LIST(INSPECT_FAULT_WORD)
#undef INSPECT_FAULT_WORD
    };
    return words[fault];
}

const char *inspect_fault_meaning(enum inspect_fault fault)
{
    static const char *const meanings[] = {
#define INSPECT_FAULT_MEANING(name, word, meaning) [INSPECT_##name] = (meaning),
        INSPECT_FAULT_LIST(INSPECT_FAULT_MEANING)
#undef INSPECT_FAULT_MEANING
    };
    return meanings[fault];
}
