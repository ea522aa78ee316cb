// SPDX-License-Identifier: Apache-2.0
/* Protects the one rule for what fails: each case of it, and that nothing else decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models/ruling.h"

enum { ORDINARY, WITNESS, CONTROL, CLAIMED };

static const enum verdict SC = VERDICT_SC, WEAK = VERDICT_WEAK, FORBIDDEN = VERDICT_FORBIDDEN,
                          UNDEFINED = VERDICT_UNDEFINED, UNSPECIFIED = VERDICT_UNSPECIFIED, NONE = VERDICT_NONE;

/* `what`: ORDINARY: no witness, of a test that is a control and claims something; WITNESS: a witness that nothing but a
 * model speaks against; CONTROL, CLAIMED: the witness of such a test. */
struct row {
    const char *name;
    enum verdict source, target;
    int what;
    unsigned marks;
    bool strict;
    enum ruling_kind kind;
    bool fails, shows;
};

#define PLAIN 0, false
#define UNPROMISED MARK_UNDECLARED, false
#define APART MARK_NOT_OVERLAPPED, false
#define FAILS true
#define PASSES false
#define SHOWS true
#define SILENT false

static struct sighting sight(const struct row *row)
{
    return (struct sighting){.source = row->source,
                             .target = row->target,
                             .witness = row->what != ORDINARY,
                             .control = row->what == CONTROL || row->what == ORDINARY,
                             .claimed = row->what == CLAIMED || row->what == ORDINARY,
                             .marks = row->marks,
                             .strict = row->strict};
}

static void cases(void **state)
{
    const struct row rows[] = {
        /* one model */
        {"allowed", WEAK, NONE, WITNESS, PLAIN, RULING_NONE, PASSES, SHOWS},
        {"not a witness", SC, NONE, ORDINARY, PLAIN, RULING_NONE, PASSES, SILENT},
        {"forbidden", FORBIDDEN, NONE, WITNESS, PLAIN, RULING_FORBIDDEN, FAILS, SHOWS},
        {"forbidden, not a witness", FORBIDDEN, NONE, ORDINARY, PLAIN, RULING_FORBIDDEN, FAILS, SILENT},
        {"racy", UNDEFINED, NONE, WITNESS, PLAIN, RULING_NONE, PASSES, SHOWS},
        {"mixed sizes", UNSPECIFIED, NONE, WITNESS, PLAIN, RULING_NONE, PASSES, SHOWS},
        /* two models: the target's decides, if it says something */
        {"forbidden by both", FORBIDDEN, FORBIDDEN, WITNESS, PLAIN, RULING_FORBIDDEN, FAILS, SHOWS},
        {"forbidden by the target", WEAK, FORBIDDEN, WITNESS, PLAIN, RULING_FORBIDDEN, FAILS, SHOWS},
        {"forbidden by the target alone", NONE, FORBIDDEN, WITNESS, PLAIN, RULING_FORBIDDEN, FAILS, SHOWS},
        {"a limit", FORBIDDEN, WEAK, WITNESS, PLAIN, RULING_LIMIT, PASSES, SHOWS},
        {"a limit, sc", FORBIDDEN, SC, WITNESS, PLAIN, RULING_LIMIT, PASSES, SHOWS},
        {"a limit, racy as emitted", FORBIDDEN, UNDEFINED, WITNESS, PLAIN, RULING_LIMIT, PASSES, SHOWS},
        {"a limit of a control", FORBIDDEN, WEAK, CONTROL, PLAIN, RULING_LIMIT, PASSES, SHOWS},
        {"a limit of a claim", FORBIDDEN, WEAK, CLAIMED, PLAIN, RULING_LIMIT, PASSES, SHOWS},
        /* no model: 512 threads */
        {"unjudged", NONE, NONE, WITNESS, PLAIN, RULING_NONE, PASSES, SHOWS},
        {"unjudged, claimed", NONE, NONE, CLAIMED, PLAIN, RULING_CLAIM, FAILS, SHOWS},
        {"unjudged, a control", NONE, NONE, CONTROL, PLAIN, RULING_CONTROL, FAILS, SHOWS},
        {"unjudged, claimed, not a witness", NONE, NONE, ORDINARY, PLAIN, RULING_NONE, PASSES, SILENT},
        /* a claim or a control against a model that allows it */
        {"claimed, allowed", WEAK, NONE, CLAIMED, PLAIN, RULING_CLAIM, FAILS, SHOWS},
        {"claimed, racy", UNDEFINED, NONE, CLAIMED, PLAIN, RULING_CLAIM, FAILS, SHOWS},
        {"control, allowed", SC, WEAK, CONTROL, PLAIN, RULING_CONTROL, FAILS, SHOWS},
        {"control, forbidden", FORBIDDEN, NONE, CONTROL, PLAIN, RULING_FORBIDDEN, FAILS, SHOWS},
        /* the device does not declare what the test uses */
        {"unpromised", FORBIDDEN, NONE, WITNESS, UNPROMISED, RULING_FORBIDDEN, PASSES, SHOWS},
        {"unpromised control", NONE, NONE, CONTROL, UNPROMISED, RULING_CONTROL, PASSES, SHOWS},
        {"unpromised claim", NONE, NONE, CLAIMED, UNPROMISED, RULING_CLAIM, PASSES, SHOWS},
        {"unpromised, strict", FORBIDDEN, NONE, WITNESS, MARK_UNDECLARED, true, RULING_FORBIDDEN, FAILS, SHOWS},
        {"unpromised claim, strict", NONE, NONE, CLAIMED, MARK_UNDECLARED, true, RULING_CLAIM, FAILS, SHOWS},
        /* not the test that was asked for: no excuse, and no proof either */
        {"apart", WEAK, NONE, WITNESS, APART, RULING_NONE, PASSES, SILENT},
        {"apart, forbidden", FORBIDDEN, NONE, WITNESS, APART, RULING_FORBIDDEN, FAILS, SILENT},
        {"apart, claimed", NONE, NONE, CLAIMED, APART, RULING_CLAIM, FAILS, SILENT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sighting sighting = sight(&rows[i]);
        const struct ruling ruling = ruling_of(&sighting);
        const bool shows = ruling_shown(sighting.marks, sighting.witness) > 0;
        if (ruling.kind != rows[i].kind || ruling.fails != rows[i].fails || shows != rows[i].shows)
            fail_msg("%s: %s%s%s", rows[i].name, ruling_word(ruling.kind), ruling.fails ? ", fails" : "",
                     shows ? ", shows" : "");
    }
}

/* Over all sightings: what the device promises and whether launches overlapped never change what speaks against an
 * outcome, and only the first changes whether it fails. */
static void circumstances(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 8; bits++)
        for (unsigned source = 0; source <= VERDICT_NONE; source++)
            for (unsigned target = 0; target <= VERDICT_NONE; target++) {
                const struct sighting bare = {.source = (enum verdict)source,
                                              .target = (enum verdict)target,
                                              .witness = bits & 1U,
                                              .control = bits & 2U,
                                              .claimed = bits & 4U};
                const struct ruling ruling = ruling_of(&bare);
                assert_int_equal(ruling.fails, ruling_condemns(ruling.kind));
                for (unsigned marks = 0; marks < 1U << MARK_COUNT; marks++)
                    for (int strict = 0; strict < 2; strict++) {
                        struct sighting other = bare;
                        other.marks = marks;
                        other.strict = strict == 1;
                        const struct ruling of_other = ruling_of(&other);
                        assert_int_equal(of_other.kind, ruling.kind);
                        assert_int_equal(of_other.fails, ruling.fails && (other.strict || !(marks & MARK_UNDECLARED)));
                        assert_int_equal(ruling_shown(marks, 7), marks & MARK_NOT_OVERLAPPED ? 0 : 7);
                    }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(circumstances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
