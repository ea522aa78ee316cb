// SPDX-License-Identifier: Apache-2.0
/* orchil check --differ: where models differ, gathered test by test. */
#include "cli/verbs/check_differ.h"

#include "base/field.h"
#include "base/terminal/terminal.h"
#include "cli/tests.h"

static const char *witness_word(enum verdict verdict)
{
    return verdict == VERDICT_NONE ? "unjudged" : verdict_word(verdict);
}

enum verdict differences_witness(const struct judgement *judgement)
{
    enum verdict found = VERDICT_FORBIDDEN;
    for (size_t i = 0; i < judgement->outcome_count; i++)
        if (judgement->outcomes[i].witness)
            found = verdict_permissive(found, judgement->outcomes[i].verdict);
    return found == VERDICT_FORBIDDEN && judgement->cut ? VERDICT_NONE : found;
}

void differences_note(struct differences *differences, const struct model *model, enum verdict verdict)
{
    struct compared_model *compared = &differences->models[differences->present++];
    if (!compared->id) {
        compared->id = memory_copy(model_id(model));
        differences->model_count++;
    }
    compared->verdict = verdict;
}

/* The first row has the titles: file names may contain characters that are special in table_columns. */
static void begin_table(struct differences *differences)
{
    struct text columns = {0};
    for (size_t m = 0; m <= differences->model_count; m++)
        text_add(&columns, "|");
    table_columns(&differences->table, text_string(&columns));
    text_release(&columns);
    table_add_styled(&differences->table, TERMINAL_STRONG, "test");
    table_add_styled(&differences->table, TERMINAL_STRONG, "dialect");
    for (size_t m = 0; m < differences->model_count; m++)
        table_add_styled(&differences->table, TERMINAL_STRONG, "%s", differences->models[m].id);
}

bool differences_end_test(struct differences *differences, const struct litmus_test *test)
{
    bool differ = false, unjudged = false;
    for (size_t m = 0; m < differences->model_count; m++) {
        unjudged |= differences->models[m].verdict == VERDICT_NONE;
        differ |= differences->models[m].verdict != differences->models[0].verdict;
    }
    differ &= !unjudged;
    differences->present = 0;
    differences->tests++;
    differences->unjudged += unjudged;
    for (size_t m = 0; m < differences->model_count && !unjudged; m++)
        differences->models[m].counts[differences->models[m].verdict]++;
    if (differ) {
        if (differences->differing == 0)
            begin_table(differences);
        TABLE_ADD_TEXTS(&differences->table, test->name, litmus_dialect_name(test->dialect));
        for (size_t m = 0; m < differences->model_count; m++)
            table_add(&differences->table, "%s", witness_word(differences->models[m].verdict));
        differences->differing++;
    }
    return differ;
}

void differences_print(struct differences *differences)
{
    if (differences->differing > 0) {
        table_print(&differences->table, stdout, 0);
        terminal_print(stdout, "\n");
    }
    terminal_print(stdout, "The models differ on %s of %s tests.", QUANTITY_COUNT(differences->differing),
                   QUANTITY_COUNT(differences->tests));
    if (differences->unjudged > 0)
        terminal_print(stdout, " Not compared, because some model could not judge it: %s.",
                       QUANTITY_COUNT(differences->unjudged));
    terminal_print(stdout, "\n");
    for (size_t m = 0; m < differences->model_count; m++) {
        struct text line = {0};
        bool first = true;
        text_add(&line, "%s: ", differences->models[m].id);
        for (unsigned v = 0; v < VERDICT_COUNT; v++)
            if (differences->models[m].counts[v] > 0) {
                text_add(&line, "%s%s %s", first ? "" : ", ", QUANTITY_COUNT(differences->models[m].counts[v]),
                         verdict_word((enum verdict)v));
                first = false;
            }
        text_add(&line, "%s", first ? "none judged" : "");
        terminal_print(stdout, "  %s\n", text_string(&line));
        text_release(&line);
    }
}

FIELD_MAP(witness_verdicts, text, (const struct differences *differences), differences->model_count,
          differences->models[i].id, witness_word(differences->models[i].verdict))

#define DIFFER_MEMBERS(X)                                                                                              \
    X("test", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, litmus_dialect_name(test->dialect))                                                    \
    X("condition", condition_of, NULL, test)                                                                           \
    X("verdicts", witness_verdicts, "the verdict of the witness, for each model", differences)
FIELD_DOCUMENT(document_check_differ, DIFFER_MEMBERS, const struct differences *differences,
               const struct litmus_test *test)

bool differences_print_json(const struct differences *differences, const struct litmus_test *test)
{
    return json_write_line(JSON_CHECK_DIFFER, field_document_check_differ(differences, test), stdout);
}

void differences_release(struct differences *differences)
{
    for (size_t m = 0; m < differences->model_count; m++)
        free(differences->models[m].id);
    table_release(&differences->table);
}
