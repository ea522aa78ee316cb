// SPDX-License-Identifier: Apache-2.0
/* orchil compare: what changed between two databases, runs, drivers, devices or backends. */
#include "analysis/compare/compare.h"
#include "analysis/page/page.h"
#include "analysis/sides/side.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/print/notices.h"
#include "cli/tests.h"
#include "cli/verb.h"

/* The meaning of A and B. */
enum subject { SUBJECT_GUESSED, SUBJECT_BACKEND, SUBJECT_DEVICE, SUBJECT_DRIVER, SUBJECT_LOWERING };

/* The member of a selector that a word is then, and what the sides differ in. */
static const struct {
    size_t member;
    unsigned dimension;
} subjects[] = {[SUBJECT_BACKEND] = {offsetof(struct selector, backend), DIMENSION_BACKEND},
                [SUBJECT_DEVICE] = {offsetof(struct selector, device), DIMENSION_DEVICE},
                [SUBJECT_DRIVER] = {offsetof(struct selector, driver), DIMENSION_DRIVER},
                [SUBJECT_LOWERING] = {offsetof(struct selector, lowering), DIMENSION_LOWERING}};

struct compare_request {
    enum subject subject;
    bool json, verbose;
    const char *page; /* a file, or NULL */
    struct compare_options options;
    struct verb_arguments sides;
};

static const struct option_word subject_words[] = {{"driver", SUBJECT_DRIVER},
                                                   {"device", SUBJECT_DEVICE},
                                                   {"backend", SUBJECT_BACKEND},
                                                   {"lowering", SUBJECT_LOWERING},
                                                   {0}};

static void compare_check_options(const struct argp_state *state, const void *data)
{
    const struct compare_request *request = data;
    if (request->sides.count < 2 || request->sides.count > 3)
        options_error(state, "expected A, B and, if neither is a database, a database (default: orchil.db)");
}

#define AT(member) offsetof(struct compare_request, member)

static const struct option_row option_rows[] = {
    {"by", 0, "WHAT", OPTION_WORD, .offset = AT(subject), .words = subject_words},
    {ROW_TOLERANCE(AT(options))},
    {ROW_ALPHA(AT(options))},
    {ROW_JSON(AT(json))},
    {ROW_VERBOSE(AT(verbose))},
    {ROW_PAGE(AT(page))},
    {0}};

/* A side as it was chosen: the selectors of a word that names databases or runs, else one. */
struct chosen_side {
    struct selector one;
    struct selector *selectors;
    size_t count;
};

static enum status choose_side(enum subject subject, const char *word, const char *database, struct arena *arena,
                               struct chosen_side *chosen, struct error *error)
{
    struct stored_place place;
    chosen->one = (struct selector){.database = database};
    chosen->selectors = &chosen->one;
    chosen->count = 1;
    if (subject != SUBJECT_GUESSED) {
        *(const char **)((char *)&chosen->one + subjects[subject].member) = word;
        return STATUS_OK;
    }
    TRY(stored_place_read(word, database, arena, &place, error));
    chosen->selectors = place.selectors;
    chosen->count = place.count;
    return STATUS_OK;
}

static enum status choose_sides(const struct compare_request *request, struct arena *arena,
                                struct chosen_side chosen[SIDES], struct error *error)
{
    const char *database = request->sides.count == 3 ? request->sides.list[2] : "orchil.db";
    bool uses_database = false;
    for (int side = 0; side < SIDES; side++) {
        const char *word = request->sides.list[side];
        TRY(choose_side(request->subject, word, database, arena, &chosen[side], error));
        uses_database |= strcmp(chosen[side].selectors[0].database, database) == 0 &&
                         (request->subject != SUBJECT_GUESSED || strcmp(word, database) != 0);
    }
    if (request->sides.count == 3 && !uses_database)
        return error_set(error, STATUS_USAGE,
                         "'%s' and '%s' are databases, so a third is not used; if they are something else, use --by",
                         request->sides.list[0], request->sides.list[1]);
    return STATUS_OK;
}

static enum status compare_read_side(const struct chosen_side *chosen, struct side *side, struct error *error)
{
    for (size_t i = 0; i < chosen->count; i++)
        chosen->selectors[i].prepare = judged_again_prepare;
    TRY(side_read_all(chosen->selectors, chosen->count, side, error));
    (void)complain_of_unread("orchil compare", side);
    return STATUS_OK;
}

/* 1, 3 or 0, as documented. */
static int exit_code_of(const struct comparison *comparison)
{
    if (ANY_OF(finding, comparison->findings, comparison->finding_count, finding_fails(finding)))
        return 1;
    const size_t unread = comparison->side[SIDE_A]->unread_count + comparison->side[SIDE_B]->unread_count;
    return tests_exit_code(unread, compare_extent(comparison).compared > 0 ? 0 : 3);
}

static enum status print_comparison(const struct compare_request *request, const struct comparison *comparison,
                                    struct error *error)
{
    struct output output = {.what = "the comparison", .source = request->json, .path = request->page};
    if (request->json)
        compare_print_json(comparison, &output.text);
    else
        compare_document(comparison, request->verbose, &output.document);
    if (request->page) {
        LOCAL(document) findings = {0};
        compare_document(comparison, true, &findings);
        compare_print_page(comparison, &findings, NULL, &output.page);
    }
    return output_end(&output, error);
}

static enum status compare_execute(void *data, struct verb_call *call, struct error *error)
{
    struct compare_request *request = data;
    struct chosen_side chosen[SIDES] = {{.count = 0}, {.count = 0}};
    struct side sides[SIDES] = {{.title = ""}, {.title = ""}};
    LOCAL(arena) arena = {0};
    LOCAL(comparison) comparison = {.pairs = NULL};
    request->options.dimensions = subjects[request->subject].dimension;
    enum status status = choose_sides(request, &arena, chosen, error);
    for (int side = 0; status == STATUS_OK && side < SIDES; side++)
        status = compare_read_side(&chosen[side], &sides[side], error);
    if (status == STATUS_OK) {
        compare_sides(&sides[SIDE_A], &sides[SIDE_B], &request->options, &comparison);
        status = print_comparison(request, &comparison, error);
    }
    if (status == STATUS_OK)
        call->code = exit_code_of(&comparison);
    side_release(&sides[SIDE_B]);
    side_release(&sides[SIDE_A]);
    return status;
}

VERB_ENTRY(compare, sides, (.options = {COMPARE_USUAL}), .check = compare_check_options);
