// SPDX-License-Identifier: Apache-2.0
/* Protects the explanation of one outcome: the execution, its relations and its cycle, the axiom's sentence, the
 * drawing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/whole_file.h"
#include "models/explain/repair.h"
#include "tests/models/judged.h"

#define PLACES2 " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
#define PLACES4 " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n"

static const char mp[] = "PTX MP\n{ x=0; y=0; }\n" PLACES2 " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ;\n"
                         " st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";
static const char sb[] = "PTX SB\n{ x=0; y=0; }\n" PLACES2 " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\n"
                         " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\nexists (0:r0=0 /\\ 1:r0=0)\n";
static const char lb[] = "PTX LB\n{ x=0; y=0; }\n" PLACES2 " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n"
                         " st.relaxed.gpu y, 1 | st.relaxed.gpu x, 1 ;\nexists (0:r0=1 /\\ 1:r0=1)\n";
static const char two[] = "PTX 2+2W\n{ x=0; y=0; }\n" PLACES2 " st.relaxed.gpu x, 2 | st.relaxed.gpu y, 2 ;\n"
                          " st.relaxed.gpu y, 1 | st.relaxed.gpu x, 1 ;\nexists ([x]=2 /\\ [y]=2)\n";
static const char iriw[] =
    "PTX IRIW\n{ x=0; y=0; }\n" PLACES4
    " st.relaxed.gpu x, 1 | ld.acquire.gpu r0, x | st.relaxed.gpu y, 1 | ld.acquire.gpu r0, y ;\n"
    " | ld.relaxed.gpu r1, y | | ld.relaxed.gpu r1, x ;\n"
    "exists (1:r0=1 /\\ 1:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)\n";
static const char corr[] = "PTX CoRR\n{ x=0; }\n" PLACES2 " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n"
                           " | ld.relaxed.gpu r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";
static const char lock[] =
    "PTX lock\n{ x=0; m=1; }\n" PLACES2 " st.relaxed.gpu x, 1 | atom.relaxed.gpu.cas r0, m, 0, 1 ;\n"
    " fence.acq_rel.gpu | ld.relaxed.gpu r1, x ;\n"
    " atom.relaxed.gpu.exch r0, m, 0 | ;\nexists (1:r0=0 /\\ 1:r1=0)\n";
static const char lost[] =
    "PTX lost\n{ x=0; }\n" PLACES2 " red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1 ;\nexists ([x]=1)\n";
static const char whole[] =
    "PTX whole\n{ u64 x[2]={0,0}; }\n" PLACES2 " st.relaxed.gpu.b128 [x], {1, 1} | ld.weak.b128 {r0, r1}, [x] ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";
static const char halves[] = "PTX halves\n{ u64 x[2]={0,0}; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                             " st.weak.b128 [x], {1, 1} | st.weak.b128 [x], {2, 2} ;\n"
                             " bar.cta.sync 0 | bar.cta.sync 0 ;\n ld.weak.u64 r0, x[1] | ;\n"
                             "exists (x[0]=1 /\\ 0:r0=2)\n";
static const char launches[] =
    "PTX launches\n{ x=0; }\n" PLACES2 " st.weak x, 1 | ld.weak r0, x ;\nP1 after P0 by queue\n"
    "exists (1:r0=0)\n";
static const char around[] =
    "PTX around\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
    " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 | ld.relaxed.gpu r0, y ;\n | ld.relaxed.gpu r0, x | ;\n"
    "P2 after P0 by event\nexists (1:r0=0 /\\ 2:r0=0)\n";
static const char race[] = "C race\n{ x=0; }\nP0 (int* x) { *x = 1; }\nP1 (int* x) { int r0 = *x; }\nexists (1:r0=1)\n";

static struct judgement explained(const char *model_name, const char *text, struct litmus_test **test)
{
    struct model *model = loaded(model_name);
    struct judgement judgement;
    struct error error = {0};
    *test = parsed(text);
    if (model_judge(model, *test, &(struct judge_options){.explain = true}, &judgement, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    model_release(model);
    return judgement;
}

static const struct judged_outcome *witness_of(const struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->outcome_count; i++)
        if (judgement->outcomes[i].witness)
            return &judgement->outcomes[i];
    fail_msg("no outcome is a witness");
    return NULL;
}

/* "a -po-> b -fr-> ..." with the letters of the drawing. */
static void print_steps(const struct explanation *explanation, const struct execution_drawing *drawing,
                        struct text *text)
{
    for (size_t i = 0; i < explanation->cycle_count; i++) {
        const struct explained_edge *edge = &explanation->cycle[i];
        const int from = drawing_find(drawing, explanation, edge->from);
        text_add(text, "%s -%s%s-> ", from == LITMUS_NONE ? "init" : drawing->events[from].letter,
                 edge->relation ? edge->relation : "", edge->inverted ? "^-1" : "");
    }
    text_add(text, "%s", explanation->closed ? "back" : "end");
}

static const struct {
    const char *name, *model, *text;
    enum verdict verdict;
    const char *cycle;
} cycles[] = {
    {"MP", "ptx", mp, VERDICT_WEAK, "a -po-> b -rf-> c -po-> d -fr-> back"},
    {"SB", "ptx", sb, VERDICT_WEAK, "a -po-> b -fr-> c -po-> d -fr-> back"},
    {"LB", "ptx", lb, VERDICT_WEAK, "a -po-> b -rf-> c -po-> d -rf-> back"},
    {"2+2W: coherence that the model leaves partial is completed", "ptx", two, VERDICT_WEAK,
     "a -po-> b -co-> c -po-> d -co-> back"},
    {"IRIW", "ptx", iriw, VERDICT_WEAK, "a -rf-> b -po-> c -fr-> d -rf-> e -po-> f -fr-> back"},
    {"a lock with a fence too few", "ptx", lock, VERDICT_WEAK, "a -po-> c -rf-> d -po-> e -fr-> back"},
    {"coherence", "ptx", corr, VERDICT_FORBIDDEN, "a -rf-> b -po-place-> c -fr-> back"},
    {"SB under sc", "sc", sb, VERDICT_FORBIDDEN, "a -po-> b -fr-> c -po-> d -fr-> back"},
    {"128 bits are one access", "ptx", whole, VERDICT_FORBIDDEN, "a -rf-> c -whole-> d -fr-> b -whole-> back"},
    {"128 bits are one access of interleavings, too", "ptx", halves, VERDICT_WEAK,
     "b -co-> f -whole-> e -co-> a -whole-> back"},
    {"a launch that waited", "ptx", launches, VERDICT_FORBIDDEN, "b -fr-> a -launch-order-> back"},
    {"a launch that waited, of interleavings, too", "ptx", around, VERDICT_WEAK,
     "a -launch-order-> d -fr-> b -po-> c -fr-> back"},
    {"a lost update", "ptx", lost, VERDICT_FORBIDDEN, "b -fr-> a -co-> b -rmw^-1-> back"},
};

/* Protects: the shown execution has the outcome, and its cycle leads from each event to the next. */
static void cycles_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        struct litmus_test *test;
        struct execution_drawing drawing;
        struct text steps = {0};
        struct judgement judgement = explained(cycles[i].model, cycles[i].text, &test);
        const struct judged_outcome *outcome = witness_of(&judgement);
        assert_non_null(outcome->explanation);
        assert_int_equal(outcome->verdict, cycles[i].verdict);
        drawing_make(outcome->explanation, &drawing);
        print_steps(outcome->explanation, &drawing, &steps);
        if (strcmp(text_string(&steps), cycles[i].cycle) != 0)
            fail_msg("%s: %s", cycles[i].name, text_string(&steps));
        text_release(&steps);
        drawing_release(&drawing);
        judgement_release(&judgement);
        litmus_release(test);
    }
}

/* Protects: the description of an event: its place, its instruction, its value. */
static void events_are_described(void **state)
{
    struct litmus_test *test;
    struct judgement judgement = explained("ptx", mp, &test);
    const struct explanation *explanation = witness_of(&judgement)->explanation;
    (void)state;
    assert_int_equal(explanation->event_count, 6);
    assert_int_equal(explanation->events[0].thread, LITMUS_NONE);
    const struct explained_event *last = &explanation->events[5];
    assert_int_equal(last->kind, EXPLAINED_READ);
    assert_int_equal(last->thread, 1);
    assert_int_equal(last->place.line, 5);
    assert_int_equal(last->value, 0);
    assert_int_equal(last->order, LITMUS_RELAXED);
    assert_string_equal(last->location, "x");
    assert_string_equal(last->instruction, "ld.relaxed.gpu r1, x");
    assert_string_equal(last->what, "read x = 0, relaxed gpu");
    judgement_release(&judgement);
    litmus_release(test);
}

/* Protects: the text says that an access has 128 bits, or uses the read-only path. */
static void kinds_of_accesses_are_described(void **state)
{
    static const char text[] = "PTX kinds\n{ u64 x[2]={0,0}; }\n P0@cta 0,gpu 0 ;\n st.weak.b128 [x], {1, 2} ;\n"
                               " ld.global.nc.u64 r0, x[1] ;\nexists (0:r0=0)\n";
    struct litmus_test *test;
    struct judgement judgement = explained("ptx", text, &test);
    const struct explanation *explanation = witness_of(&judgement)->explanation;
    (void)state;
    assert_string_equal(explanation->events[3].what, "write x[1] = 2, of 128 bits");
    assert_string_equal(explanation->events[4].what, "read x[1] = 0, read-only path");
    judgement_release(&judgement);
    litmus_release(test);
}

/* Protects: columns, rows, letters and arrows; a read-modify-write and its halves are one event. */
static void updates_are_drawn_once(void **state)
{
    struct litmus_test *test;
    struct execution_drawing drawing;
    struct judgement judgement = explained("ptx", lock, &test);
    (void)state;
    drawing_make(witness_of(&judgement)->explanation, &drawing);
    assert_int_equal(drawing.column_count, 2);
    assert_int_equal(drawing.row_count, 3);
    assert_int_equal(drawing.event_count, 5);
    assert_string_equal(drawing.events[2].words, "update m: read 1, write 0");
    assert_string_equal(drawing.events[3].words, "update m: read 0, write 1");
    assert_int_equal(drawing.events[3].column, 1);
    assert_int_equal(drawing.events[3].row, 0);
    assert_true(drawing.events[0].po_in_cycle && drawing.events[1].po_in_cycle && !drawing.events[2].po_in_cycle);
    assert_int_equal(drawing.arrow_count, 2);
    assert_string_equal(drawing.arrows[0].label, "rf");
    assert_int_equal(drawing.arrows[0].from, 2);
    assert_int_equal(drawing.arrows[0].to, 3);
    assert_true(drawing.arrows[0].in_cycle);
    drawing_release(&drawing);
    judgement_release(&judgement);
    litmus_release(test);
}

/* Protects: a sequentially consistent outcome has an interleaving that keeps each thread's order and gives it. */
static void turns_are_given(void **state)
{
    struct litmus_test *test;
    struct judgement judgement = explained("ptx", mp, &test);
    (void)state;
    const struct explanation *explanation = judgement.outcomes[1].explanation; /* 1:r0=0; 1:r1=1; */
    static const unsigned turns[] = {2, 4, 3, 5};
    assert_int_equal(judgement.outcomes[1].verdict, VERDICT_SC);
    assert_int_equal(explanation->turn_count, 4);
    assert_memory_equal(explanation->turns, turns, sizeof turns);
    assert_int_equal(explanation->cycle_count, 0);
    judgement_release(&judgement);
    litmus_release(test);
}

/* Protects: the words of 128 bits are adjacent in the interleaving. */
static void words_of_one_access_follow_each_other(void **state)
{
    struct litmus_test *test;
    struct judgement judgement = explained("ptx", whole, &test);
    (void)state;
    const struct explanation *explanation = judgement.outcomes[0].explanation; /* 1:r0=0; 1:r1=0; */
    static const unsigned turns[] = {4, 5, 2, 3};
    assert_int_equal(explanation->turn_count, 4);
    assert_memory_equal(explanation->turns, turns, sizeof turns);
    judgement_release(&judgement);
    litmus_release(test);
}

/* Protects: for a race, its two accesses are reported, and nothing about single outcomes. */
static void races_are_told(void **state)
{
    struct litmus_test *test;
    struct judgement judgement = explained("rc11", race, &test);
    (void)state;
    assert_non_null(judgement.undefined);
    assert_string_equal(judgement.undefined->axiom, "data-race");
    assert_int_equal(judgement.undefined->cycle_count, 2);
    assert_string_equal(judgement.undefined->events[judgement.undefined->cycle[0].from].what, "write x = 1");
    assert_null(judgement.outcomes[0].explanation);
    judgement_release(&judgement);
    litmus_release(test);
}

/* Protects: nothing is explained unless requested. */
static void nothing_unasked(void **state)
{
    struct model *model = loaded("rc11");
    struct judgement judgement = judged(model, race);
    (void)state;
    assert_null(judgement.undefined);
    assert_null(judgement.outcomes[0].explanation);
    judgement_release(&judgement);
    model_release(model);
}

/* ---- sentences ---- */

static bool has_sentence(const char *model, const char *axiom)
{
    struct text sentence = {0};
    explanation_add_axiom(model, axiom, &sentence);
    const bool has = sentence.size > 0;
    text_release(&sentence);
    return has;
}

/* The names after " as " in a file and in those that it includes; each must have a sentence. */
static void check_axioms(const char *model, const char *file)
{
    static const char as[] = " as ", include[] = "include \"";
    struct text path = {0}, text = {0};
    text_add(&path, ORCHIL_SOURCE_DIR "/models/%s", file);
    assert_int_equal(file_read_whole(text_string(&path), 1 << 20, &text, NULL), STATUS_OK);
    for (const char *line = text_string(&text); *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        char *copy = strndup(line, strcspn(line, "\n")), *name = strstr(copy, as);
        const bool check = strncmp(copy, "acyclic ", 8) == 0 || strncmp(copy, "irreflexive ", 12) == 0 ||
                           strncmp(copy, "empty ", 6) == 0 || strncmp(copy, "flag ", 5) == 0;
        if (check && name && !has_sentence(model, name + strlen(as)))
            fail_msg("%s: the axiom %s has no sentence", model, name + strlen(as));
        if (strncmp(copy, include, strlen(include)) == 0) {
            copy[strcspn(copy + strlen(include), "\"") + strlen(include)] = '\0';
            check_axioms(model, copy + strlen(include));
        }
        free(copy);
    }
    text_release(&path);
    text_release(&text);
}

/* Protects: every axiom and flag of every built-in model has a sentence; a user's model has only names. */
static void axioms_have_sentences(void **state)
{
    (void)state;
    for (size_t i = 0; model_names[i]; i++) {
        struct text file = {0};
        text_add(&file, "%s.cat", model_names[i]);
        check_axioms(model_names[i], text_string(&file));
        text_release(&file);
    }
    assert_false(has_sentence("my.cat:0123", "order"));
    assert_false(has_sentence("ptx", "no-such-axiom"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_found),
        cmocka_unit_test(events_are_described),
        cmocka_unit_test(updates_are_drawn_once),
        cmocka_unit_test(turns_are_given),
        cmocka_unit_test(races_are_told),
        cmocka_unit_test(nothing_unasked),
        cmocka_unit_test(kinds_of_accesses_are_described),
        cmocka_unit_test(words_of_one_access_follow_each_other),
        cmocka_unit_test(axioms_have_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
