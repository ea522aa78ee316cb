// SPDX-License-Identifier: Apache-2.0
/* A gate's decision for people at a terminal, and the sentences that its reports share. Reports of a gate that could
 * not decide. */
#include <stdint.h>
#include <string.h>

#include "analysis/words/words.h"
#include "base/escape/escape.h"
#include "base/quantity.h"
#include "gate/decide/gate.h"
#include "gate/decide/gate_parts.h"

enum { INDENT = 6 };

/* ---- what reports share ---- */

/* The verdict in capitals. */
static const char *gate_verdict_word(enum gate_verdict verdict)
{
    static const char *const words[] = {[GATE_PASSED] = "PASSED",
                                        [GATE_FAILED] = "FAILED",
                                        [GATE_CHANGED] = "CHANGED",
                                        [GATE_INCONCLUSIVE] = "INCONCLUSIVE"};
    return words[verdict];
}

const char *gate_section_title(enum gate_section section)
{
    static const char *const titles[GATE_SECTION_COUNT] = {
        [GATE_IN_SOUNDNESS] = "Soundness", [GATE_IN_BEHAVIOUR] = "Behaviour",
        [GATE_IN_DOUBTS] = "Doubts",       [GATE_IN_ONE_SIDED] = "Seen on one side only, and not sure",
        [GATE_IN_NOTES] = "Notes",         [GATE_IN_EXCUSED] = "Expected, and not counted"};
    return titles[section];
}

/* "no soundness findings", "1 soundness finding". */
static void gate_text_add_number(struct text *text, size_t count, const char *what)
{
    text_add(text, "%s %s%s", count > 0 ? QUANTITY_COUNT(count) : "no", what, count == 1 ? "" : "s");
}

void gate_add_answer(const struct gate *gate, struct text *text)
{
    const struct gate_counts *counts = &gate->counts;
    const struct gate_supply *rates = &gate->needs[GATE_NEED_RATES];
    const char *unexpected = counts->expected > 0 ? "unexpected " : "";
    struct text soundness = {0}, behaviour = {0};
    const struct words_count besides[] = {{counts->unsupported, "unsupported"},
                                          {counts->of_kind[GATE_NOT_CONFIRMED], "not confirmed"},
                                          {counts->of_kind[GATE_UNGATED], "not gated"},
                                          {counts->of_kind[GATE_BLIND], "blind"},
                                          {counts->expected, "expected"}};
    text_add(&soundness, "%ssoundness finding", unexpected);
    text_add(&behaviour, "%sbehaviour change", unexpected);
    text_add(text, "%s: ", gate_verdict_word(gate->verdict));
    if (rates->of > 0)
        text_add(text, "%s of %s rates decided, ", QUANTITY_COUNT(rates->have), QUANTITY_COUNT(rates->of));
    gate_text_add_number(text, counts->of_class[GATE_SOUNDNESS], text_string(&soundness));
    text_add(text, ", ");
    gate_text_add_number(text, counts->of_class[GATE_BEHAVIOUR], text_string(&behaviour));
    text_release(&soundness);
    text_release(&behaviour);
    if (counts->of_class[GATE_DOUBT] > 0)
        text_add(text, ", %zu doubt%s", counts->of_class[GATE_DOUBT], counts->of_class[GATE_DOUBT] == 1 ? "" : "s");
    words_add_counts(text, besides, sizeof besides / sizeof *besides);
}

void gate_add_excuse(const struct gate_entry *entry, struct text *text)
{
    static const char *const words[] = {"known", "flaky", "skipped"};
    const struct expectation *why = entry->of->skipped ? entry->of->skipped : entry->reason->expected;
    if (why)
        words_add(text, "$: $: ", words[why->effect], why->why);
}

/* Tests that both sides ran but whose rates cannot be decided: the baseline has too few runs of them. */
static size_t count_scarce(const struct comparison *comparison)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct sample_pair *pair = &comparison->pairs[i];
        bool scarce = false;
        for (size_t r = 0; r < pair->rate_count; r++)
            scarce |= pair->rates[r].measure.runs[SIDE_A] < comparison->options.fewest_runs;
        count += scarce;
    }
    return count;
}

static void add_scarce(const struct comparison *comparison, struct text *text)
{
    const size_t scarce = count_scarce(comparison);
    if (scarce > 0)
        text_add(text,
                 " Of %zu test%s the baseline has fewer than %zu runs, so no change of their rates can be confirmed.",
                 scarce, scarce == 1 ? "" : "s", comparison->options.fewest_runs);
}

/* A test that both sides have is one, even if it could not be compared. */
static size_t count_tests(const struct gate *gate)
{
    const struct comparison *first = gate->comparison;
    size_t count = gate->case_count;
    for (size_t i = 0; i < first->unmatched_count; i++)
        count -= first->unmatched[i].side == SIDE_A && count > 0 &&
                 side_find_test(first->side[SIDE_B], first->unmatched[i].sample);
    return count;
}

/* Of the test that has most. */
static size_t count_runs(const struct comparison *comparison, int side)
{
    size_t most = 0;
    for (size_t i = 0; i < comparison->side[side]->sample_count; i++)
        most =
            comparison->side[side]->samples[i].run_count > most ? comparison->side[side]->samples[i].run_count : most;
    return most;
}

static bool has_same_drivers(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct store_job_row *a = &comparison->pairs[i].sample[SIDE_A]->row,
                                   *b = &comparison->pairs[i].sample[SIDE_B]->row;
        if (strcmp(a->driver, b->driver) != 0 || strcmp(a->platform, b->platform) != 0 ||
            strcmp(a->compiler, b->compiler) != 0)
            return false;
    }
    return true;
}

/* Draws depend on how many work-groups the device holds at once. Of the first test for which it holds fewer now. */
static void add_residents(const struct comparison *comparison, struct text *text)
{
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct sample_pair *pair = &comparison->pairs[i];
        const unsigned before = pair->sample[SIDE_A]->row.resident_groups,
                       now = pair->sample[SIDE_B]->row.resident_groups;
        if (now == 0 || now >= before)
            continue;
        text_add(text, " (the device now holds fewer work-groups at once, for ");
        words_add(text, "$", pair->sample[SIDE_B]->row.test);
        text_add(text, " %u and not %u, so its draws are others)", now, before);
        return;
    }
}

void gate_add_facts(const struct gate *gate, struct text *text)
{
    const struct comparison *first = gate->comparison;
    const size_t runs[SIDES] = {count_runs(first, SIDE_A), count_runs(first, SIDE_B)};
    const struct gate_supply *draws = &gate->needs[GATE_NEED_DRAWS], *mutants = &gate->needs[GATE_NEED_MUTANTS];
    const size_t tests = count_tests(gate), all = tests + gate->left_out;
    text_add(text, "Tests: %zu", tests);
    if (gate->left_out > 0)
        text_add(text, " of %zu of the baseline", all);
    text_add(text, ", %zu compared", draws->of);
    if (draws->of > 0 && draws->have == draws->of)
        text_add(text, " draw by draw");
    else if (draws->of > 0)
        text_add(text, ", %zu of them draw by draw", draws->have);
    add_residents(first, text);
    if (mutants->of > 0)
        text_add(text, ". Mutants seen: %zu of %zu", mutants->have, mutants->of);
    else
        text_add(text, ". No mutant ran, so nothing shows that a control would fail here");
    text_add(text, ". Runs: %zu of the baseline, %zu judged", runs[SIDE_A], runs[SIDE_B]);
    if (gate->reruns > 0)
        text_add(text, ", %zu rerun%s", gate->reruns, gate->reruns == 1 ? "" : "s");
    text_add(text, ".");
    if (runs[SIDE_A] < first->options.fewest_runs)
        text_add(text, " With fewer than %zu runs of the baseline, no change of a rate can be confirmed.",
                 first->options.fewest_runs);
    else
        add_scarce(first, text);
    if (first->shared_jobs > 0)
        text_add(text, " %zu jobs are on both sides, and are compared with themselves.", first->shared_jobs);
    if (gate->options->fail_on == GATE_FAIL_ON_SOUNDNESS && gate->verdict == GATE_CHANGED)
        text_add(text, " Changes do not count for the exit code, %d: --fail-on soundness.", gate->exit_code);
    if (draws->of > 0 && has_same_drivers(first))
        text_add(text, " Both sides have the same driver: nothing was updated.");
}

void gate_add_advice(const struct gate *gate, struct text *text)
{
    const size_t *count = gate->counts.of_kind;
    if (count[GATE_FORBIDDEN] + count[GATE_CONTROL] + count[GATE_CLAIM] > 0)
        text_add(text, "What to do: 'orchil manual forbidden'.");
}

/* Differences that are not compared, but may explain different rates. */
void gate_add_confounders(const struct gate *gate, struct text *text)
{
    bool open = false;
    for (size_t i = 0; i < gate->comparison->remark_count; i++) {
        const struct remark *remark = &gate->comparison->remarks[i];
        if (!remark->confounds)
            continue;
        words_add(text, "$$", open ? "; " : "Differs besides: ", remark->what);
        if (*remark->value[SIDE_A] || *remark->value[SIDE_B])
            words_add(text, " $ -> $", *remark->value[SIDE_A] ? remark->value[SIDE_A] : "none",
                      *remark->value[SIDE_B] ? remark->value[SIDE_B] : "none");
        text_add(text, " (%zu test%s", remark->tests, remark->tests == 1 ? "" : "s");
        words_add(text, remark->so ? ": $)" : "$)", remark->so ? remark->so : "");
        open = true;
    }
    text_add(text, "%s", open ? "." : "");
}

void gate_add_suffices(const struct gate *gate, struct text *text)
{
    if (gate->suffices > 0)
        text_add(text, "%s for each test would do%s.", QUANTITY_SECONDS(gate->suffices),
                 gate->all_known ? "" : " for those doubts whose time is known");
}

/* ---- lines ---- */

static void gate_text_add_line(struct text *text, const char *start, const char *sentence, size_t indent)
{
    text_add(text, "%s", start);
    words_add_wrapped(text, sentence, strlen(start), indent);
    text_add(text, "\n");
}

static const char *mark_of(enum gate_section section)
{
    static const char *const marks[GATE_SECTION_COUNT] = {
        [GATE_IN_SOUNDNESS] = "FAILED  ", [GATE_IN_BEHAVIOUR] = "CHANGED  ", [GATE_IN_DOUBTS] = "DOUBT  "};
    return marks[section] ? marks[section] : "";
}

static void print_entry(const struct gate_entry *entry, bool verbose, struct text *text)
{
    const struct gate_reason *reason = entry->reason;
    struct text line = {0};
    text_add(&line, "%s", mark_of(entry->section));
    if (entry->section != GATE_IN_BEHAVIOUR)
        text_add(&line, "%s: ", gate_kind_name(reason->kind));
    gate_add_excuse(entry, &line);
    text_add(&line, "%s", reason->line);
    gate_text_add_line(text, "  ", text_string(&line), INDENT);
    text_clear(&line);
    text_add(&line, "%s%s", reason->evidence, verbose ? reason->decision : "");
    if (line.size > 0)
        gate_text_add_line(text, "      ", text_string(&line), INDENT);
    if (*reason->command && entry->section != GATE_IN_EXCUSED)
        text_add(text, "      %s\n", reason->command);
    text_release(&line);
}

/* How many of a kind are listed without --verbose: reasons that many tests share are printed for a few. */
static size_t most_of(enum gate_kind kind)
{
    enum { SOME = 5 };
    switch (kind) {
    case GATE_UNDECIDED:
        return 0;
    case GATE_OTHER_KERNEL:
    case GATE_CUT_SHORT:
    case GATE_MISSING:
    case GATE_BLIND:
        return SOME;
    default:
        return SIZE_MAX;
    }
}

static void print_hidden(enum gate_kind kind, size_t shown, size_t hidden, struct text *text)
{
    if (hidden > 0)
        text_add(text, "  %zu%s %s (--verbose lists them): %s\n", hidden, shown > 0 ? " more" : "",
                 gate_kind_name(kind), gate_kind_meaning(kind));
}

static void print_broken(const struct gate *gate, struct text *text)
{
    struct text line = {0};
    for (size_t i = 0; i < gate->broken_count; i++) {
        text_clear(&line);
        text_add(&line, "DOUBT  %s: %s", gate_kind_name(gate->broken[i].kind), gate->broken[i].line);
        gate_text_add_line(text, "  ", text_string(&line), INDENT);
        if (*gate->broken[i].command)
            text_add(text, "      %s\n", gate->broken[i].command);
    }
    text_release(&line);
}

/* Entries of a kind are adjacent. */
static void gate_text_print_section(const struct gate *gate, enum gate_section section, bool verbose, struct text *text)
{
    enum gate_kind kind = GATE_KIND_COUNT;
    size_t shown = 0, hidden = 0;
    const bool has_broken = section == GATE_IN_DOUBTS && gate->broken_count > 0;
    if (gate_section_size(gate, section) == 0 && !has_broken)
        return;
    text_add(text, "\n%s:\n", gate_section_title(section));
    if (has_broken)
        print_broken(gate, text);
    for (size_t i = 0; i < gate->entry_count; i++) {
        const struct gate_entry *entry = &gate->entries[i];
        if (entry->section != section)
            continue;
        if (entry->reason->kind != kind) {
            print_hidden(kind, shown, hidden, text);
            shown = hidden = 0;
            kind = entry->reason->kind;
        }
        if (verbose || shown < most_of(kind)) {
            print_entry(entry, verbose, text);
            shown++;
        } else {
            hidden++;
        }
    }
    print_hidden(kind, shown, hidden, text);
}

static void print_stale(const struct gate *gate, struct text *text)
{
    if (gate->stale_count > 0)
        text_add(text, "\nExpectations without an effect (take them out):\n");
    for (size_t i = 0; i < gate->stale_count; i++) {
        words_add(text, "  $", gate->expectations->path);
        text_add(text, ":%d: ", gate->stale[i]->line);
        words_add(text, "$: $\n", gate->stale[i]->test, gate->stale[i]->why);
    }
}

static void gate_text_print_side(const char *start, const struct side *side, struct text *text)
{
    struct text line = {0};
    words_add(&line, "$", side->title);
    words_add_devices(&line, side);
    gate_text_add_line(text, start, text_string(&line), 2);
    text_release(&line);
}

static void gate_text_print_drivers(const struct side *side, struct text *text)
{
    struct text line = {0};
    side_describe_drivers(side, "", &line);
    if (line.size > 0)
        line.data[--line.size] = '\0';
    if (line.size > 0)
        gate_text_add_line(text, "  ", text_string(&line), 2);
    text_release(&line);
}

static void print_paragraph(const struct gate *gate, void (*add)(const struct gate *gate, struct text *text),
                            const char *before, struct text *text)
{
    struct text line = {0};
    add(gate, &line);
    if (line.size > 0) {
        text_add(text, "%s", before);
        gate_text_add_line(text, "", text_string(&line), 2);
    }
    text_release(&line);
}

void gate_print_text(const struct gate *gate, bool verbose, struct text *text)
{
    print_paragraph(gate, gate_add_answer, "", text);
    gate_text_print_side("A, the baseline: ", gate->comparison->side[SIDE_A], text);
    gate_text_print_drivers(gate->comparison->side[SIDE_A], text);
    gate_text_print_side("B, judged: ", gate->comparison->side[SIDE_B], text);
    print_paragraph(gate, gate_add_facts, "", text);
    print_paragraph(gate, gate_add_confounders, "", text);
    print_paragraph(gate, gate_add_advice, "", text);
    for (enum gate_section section = 0; section < GATE_SECTION_COUNT; section++) {
        gate_text_print_section(gate, section, verbose, text);
        if (section == GATE_IN_DOUBTS)
            print_paragraph(gate, gate_add_suffices, "\n", text);
    }
    print_stale(gate, text);
}

/* ---- the reports of a gate that ended before it could decide: a pipeline reads them, not the log ---- */

static const char *gate_text_word_of(const struct gate_stopped *stopped)
{
    return stopped->interrupted ? "INTERRUPTED" : "FAILED";
}

void gate_stopped_print_text(const struct gate_stopped *stopped, struct text *text)
{
    escape_format(text, ESCAPE_PLAIN, "$: $\n", gate_text_word_of(stopped), stopped->why);
}

void gate_stopped_print_junit(const struct gate_stopped *stopped, struct text *text)
{
    static const char sums[] = "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.000\"";
    text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"orchil gate: %s\" %s>\n",
             stopped->interrupted ? "interrupted" : "failed", sums);
    text_add(text,
             "  <testsuite name=\"orchil gate\" %s>\n"
             "    <testcase name=\"gate\" classname=\"orchil.gate\" time=\"0.000\">\n",
             sums);
    escape_format(text, ESCAPE_XML,
                  "      <error message=\"$: $\" type=\"$\"/>\n    </testcase>\n  </testsuite>\n</testsuites>\n",
                  gate_text_word_of(stopped), stopped->why, stopped->interrupted ? "interrupted" : "infrastructure");
}

void gate_stopped_print_markdown(const struct gate_stopped *stopped, struct text *text)
{
    escape_format(text, ESCAPE_MARKDOWN, "## orchil gate: $: $\n", gate_text_word_of(stopped), stopped->why);
}

void gate_stopped_print_github(const struct gate_stopped *stopped, struct text *text)
{
    escape_format(text, ESCAPE_COMMAND, "::error title=orchil gate::$: $\n", gate_text_word_of(stopped), stopped->why);
}
