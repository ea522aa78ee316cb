// SPDX-License-Identifier: Apache-2.0
/* A gate's decision as a document. */
#include "analysis/words/words.h"
#include "catalogue/selection.h"
#include "gate/decide/gate_parts.h"

/* ---- sentences ---- */

/* "no soundness findings", "1 new unexpected soundness finding". */
static void add_number(struct text *text, size_t count, const char *age, const char *unexpected, const char *what)
{
    text_add(text, "%s %s%s%s%s", count > 0 ? QUANTITY_COUNT(count) : "no", age, unexpected, what,
             count == 1 ? "" : "s");
}

/* "1 new soundness finding (MP+rel+acq); 8 known since the baseline". */
static void add_soundness(const struct gate *gate, const char *unexpected, struct text *text)
{
    const size_t known = gate->counts.known, fresh = gate->counts.of_class[GATE_SOUNDNESS] - known;
    struct gate_names names = {.count = 0};
    add_number(text, fresh > 0 ? fresh : known, fresh > 0 ? "new " : "", unexpected, "soundness finding");
    for (size_t i = 0; i < gate->entry_count; i++)
        if (gate->entries[i].section == GATE_IN_SOUNDNESS && !gate->entries[i].reason->known)
            gate_names_take(&names, gate->entries[i].of->sample);
    if (fresh == 0 && known > 0)
        text_add(text, ", %sknown since the baseline", known > 1 ? "all " : "");
    if (fresh == 0)
        return;
    text_add(text, " (");
    gate_names_add(&names, text);
    text_add(text, ")");
    if (known > 0)
        text_add(text, "; %s known since the baseline", QUANTITY_COUNT(known));
}

/* "1 expectation has no effect (expect.ini:12), ", if that fails. */
static void add_strictness(const struct gate *gate, struct text *text)
{
    const size_t count = gate->options->strict_expectations ? gate->stale_count : 0;
    if (count == 0)
        return;
    words_add(text, count == 1 ? "$ expectation has no effect ($:" : "$ expectations have no effect ($:",
              QUANTITY_COUNT(count), gate->expectations->path);
    text_add(text, "%d%s), ", gate->stale[0]->line, count > 1 ? ", ..." : "");
}

static void add_answer(const struct gate *gate, struct text *text)
{
    const struct gate_counts *counts = &gate->counts;
    const struct gate_supply *rates = &gate->needs[GATE_NEED_RATES];
    const char *unexpected = counts->expected > 0 ? "unexpected " : "";
    const struct words_count besides[] = {{counts->unsupported, "unsupported"},
                                          {counts->of_kind[GATE_NOT_CONFIRMED], "not confirmed"},
                                          {counts->of_kind[GATE_BLIND], "blind"},
                                          {counts->expected, "expected"}};
    const bool has_failed = gate->verdict == GATE_FAILED; /* what has failed comes first, else how much is decided */
    text_add(text, "%s%s: ", gate_verdicts[gate->verdict].title,
             gate->verdict == GATE_INCONCLUSIVE && gate->exit_code == 1 ? ", which --fail-on inconclusive fails" : "");
    add_strictness(gate, text);
    if (rates->of > 0 && !has_failed)
        text_add(text, "%s of %s rates decided, ", QUANTITY_COUNT(rates->have), QUANTITY_COUNT(rates->of));
    add_soundness(gate, unexpected, text);
    text_add(text, ", ");
    add_number(text, counts->of_class[GATE_BEHAVIOUR], "", unexpected, "behaviour change");
    if (rates->of > 0 && has_failed)
        text_add(text, ", %s of %s rates decided", QUANTITY_COUNT(rates->have), QUANTITY_COUNT(rates->of));
    if (counts->of_class[GATE_DOUBT] > 0)
        text_add(text, ", %zu doubt%s", counts->of_class[GATE_DOUBT], counts->of_class[GATE_DOUBT] == 1 ? "" : "s");
    words_add_counts(text, besides, COUNT(besides));
}

/* Tests that both sides ran but whose rates cannot be decided: the baseline has too few runs of them. */
static size_t count_scarce(const struct comparison *comparison)
{
    size_t count = 0;
    FOR_EACH(const struct sample_pair, pair, comparison->pairs, comparison->pair_count) {
        const bool scarce =
            ANY_OF(rate, pair->rates, pair->rate_count, rate->measure.runs[SIDE_A] < comparison->options.fewest_runs);
        count += scarce;
    }
    return count;
}

/* A test that both sides have is one, even if it could not be compared. */
static size_t count_tests(const struct gate *gate)
{
    const struct comparison *first = gate->comparison;
    size_t count = gate->case_count;
    for (size_t i = 0; i < gate->case_count; i++)
        count -= !gate->cases[i].side[SIDE_B] && side_find_test(first->side[SIDE_B], gate->cases[i].sample);
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
    FOR_EACH(const struct sample_pair, pair, comparison->pairs, comparison->pair_count) {
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

static void add_scarcity(const struct comparison *comparison, size_t runs, struct text *text)
{
    const size_t fewest = comparison->options.fewest_runs, scarce = count_scarce(comparison);
    if (runs < fewest)
        text_add(text, " Without at least %zu baseline runs, no change of a rate can be confirmed.", fewest);
    else if (scarce > 0)
        text_add(text,
                 " For %zu test%s, the baseline has fewer than %zu runs, so no change of their rates can be confirmed.",
                 scarce, scarce == 1 ? "" : "s", fewest);
}

static void add_facts(const struct gate *gate, struct text *text)
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
    add_scarcity(first, runs[SIDE_A], text);
    if (first->shared_jobs > 0)
        text_add(text, " %zu jobs are on both sides and are compared with themselves.", first->shared_jobs);
    if (gate->options->fail_on == GATE_FAIL_ON_SOUNDNESS && gate->verdict == GATE_CHANGED)
        text_add(text, " With --fail-on soundness, changes do not affect the exit code, %d.", gate->exit_code);
    if (draws->of > 0 && has_same_drivers(first))
        text_add(text, " Both sides have the same driver, so nothing was updated.");
}

/* Differences that are not compared, but may explain different rates. */
static void add_confounders(const struct gate *gate, struct text *text)
{
    bool open = false;
    FOR_EACH(const struct remark, remark, gate->comparison->remarks, gate->comparison->remark_count) {
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

/* ---- findings ---- */

/* How many of a kind are listed without --verbose: reasons that many tests share are printed for a few. */
static int most_of(enum gate_kind kind)
{
    enum { SOME = 5 };
    switch (kind) {
    case GATE_UNDECIDED:
        return -1;
    case GATE_OTHER_KERNEL:
    case GATE_CUT_SHORT:
    case GATE_MISSING:
    case GATE_NO_BASELINE:
    case GATE_NOT_JUDGED:
    case GATE_NOTHING:
    case GATE_BLIND:
        return SOME;
    default:
        return 0;
    }
}

static bool counts(const struct gate *gate, enum gate_section section)
{
    return section == GATE_IN_SOUNDNESS || section == GATE_IN_DOUBTS ||
           (section == GATE_IN_BEHAVIOUR && gate->options->fail_on != GATE_FAIL_ON_SOUNDNESS);
}

/* What every finding has of its reason. */
static struct document_finding finding_of(const struct gate_reason *reason)
{
    static const enum document_severity severities[GATE_CLASS_COUNT] = {[GATE_SOUNDNESS] = DOCUMENT_UNSOUND,
                                                                        [GATE_BEHAVIOUR] = DOCUMENT_CHANGE,
                                                                        [GATE_DOUBT] = DOCUMENT_DOUBT,
                                                                        [GATE_NOTE] = DOCUMENT_NOTE};
    static const char *const marks[GATE_CLASS_COUNT] = {"FAILED", "CHANGED", "DOUBT", ""};
    const enum gate_class class = gate_kinds[reason->kind].of;
    return (struct document_finding){.kind = gate_kinds[reason->kind].word,
                                     .meaning = gate_kinds[reason->kind].meaning,
                                     .mark = marks[class],
                                     .line = reason->line,
                                     .evidence = reason->evidence,
                                     .decision = reason->decision,
                                     .command = reason->command,
                                     .severity = reason->kind == GATE_FAULT ? DOCUMENT_FAULT : severities[class],
                                     .most = most_of(reason->kind)};
}

/* Where findings are: at their tests' files, or in the database of the baseline, which may have tests that no file
 * has. */
struct places {
    bool wanted;
    const char *baseline;
};

/* The first parts of a line that are names: none of one about all tests, else the test, and the outcome. */
static unsigned count_names(const struct finding *finding)
{
    const bool has_outcome = finding && finding->outcome && finding->outcome->of == SAMPLE_OUTCOME;
    return finding && finding->kind == FINDING_SHIFT ? 0 : has_outcome ? 2 : 1;
}

static void add_entry(struct document *document, const struct gate *gate, const struct places *places,
                      const struct gate_entry *entry)
{
    static const char *const words[] = {"known", "flaky", "skipped"};
    const struct expectation *why = entry->of->skipped ? entry->of->skipped : entry->reason->expected;
    const struct store_job_row *row = &entry->of->sample->row;
    struct document_finding finding = finding_of(entry->reason);
    struct selection selection = {0};
    struct error none;
    struct arena *arena = &document->arena;
    char *name = arena_print(arena, "%s:%s", row->dialect, row->test);
    finding.of = document->cases[gate->broken_count + (size_t)(entry->of - gate->cases)];
    finding.test = row->test;
    finding.name = name;
    finding.where = arena_print(arena, "%s %s", row->backend, row->device);
    finding.outcome =
        entry->reason->finding && entry->reason->finding->outcome ? entry->reason->finding->outcome->label : "";
    finding.names = count_names(entry->reason->finding);
    finding.counts = counts(gate, entry->section);
    finding.plain = entry->section == GATE_IN_BEHAVIOUR;
    if (entry->section == GATE_IN_ONE_SIDED)
        finding.severity = DOCUMENT_NOTICE;
    if (why) {
        finding.mark = "";
        finding.excuse = why->why;
        finding.excused_as = words[why->effect];
    }
    const bool found = places->wanted && selection_make(&name, 1, NULL, &selection, &none) == STATUS_OK;
    finding.file = places->wanted ? places->baseline : NULL;
    if (found && selection.count > 0) {
        finding.file = selection.tests[0].file;
        finding.source = selection.tests[0].test->text;
    }
    document_find(document, &finding);
    if (found)
        selection_release(&selection);
}

/* Of the gate, and of a test. */
static struct document_case *add_own_case(struct document *document, const char *name)
{
    return document_add_case(document,
                             &(struct document_case){.suite = document->title, .group = "orchil.gate", .name = name});
}

static void add_case(struct document *document, const struct gate *gate, const struct gate_case *of)
{
    const struct gate_device *device = &gate->devices[of->device];
    const struct store_job_row *row = &of->sample->row;
    struct arena *arena = &document->arena;
    (void)document_add_case(
        document,
        &(struct document_case){
            .suite = arena_print(arena, "%s %s %s", row->backend, row->device, row->driver),
            .group = arena_print(arena, "%s.%s", row->backend, row->dialect),
            .name = arena_print(arena, *row->controls ? "%s (control of %s)" : "%s", row->test, row->controls),
            .skipped = of->skipped                                        ? of->skipped->why
                       : !device->driver[SIDE_A]                          ? gate_kinds[GATE_NO_BASELINE].meaning
                       : !device->driver[SIDE_B]                          ? gate_kinds[GATE_NOT_JUDGED].meaning
                       : job_state_class(row->state) == JOB_CLASS_REFUSED ? "the device does not support the test"
                                                                          : NULL,
            .seconds = row->seconds});
}

/* ---- the document ---- */

/* With its devices, unless there is a table of them. */
static void add_side(struct document *document, const struct gate *gate, int side)
{
    const struct side *of = gate->comparison->side[side];
    words_add(&document->line, "$", of->title);
    const size_t devices = SUM_OF(size_t, one, gate->devices, gate->device_count, one->driver[side] != NULL);
    if (gate->device_count > 1)
        text_add(&document->line, "; %s", WORDS_COUNTED(devices, "device", "devices"));
    else
        words_add_devices(&document->line, of);
    document_line(document, side == SIDE_A ? "A, the baseline: " : "B, judged: ", 2);
}

/* What a row of the table calls the verdict on a device. */
static const char *word_of(const struct gate_device *device)
{
    const bool lacks = device->verdict == GATE_INCONCLUSIVE && device->lacking > 0;
    return lacks ? device->driver[SIDE_A] ? "not judged" : "no baseline" : gate_verdicts[device->verdict].title;
}

/* "1 unsound, 2 changes, 1 doubt, 1 expected": those that are there. */
static void add_numbers(const struct gate_counts *counts, struct text *text)
{
    const struct {
        size_t count;
        const char *one, *many;
    } numbers[] = {{counts->of_class[GATE_SOUNDNESS], "unsound", "unsound"},
                   {counts->of_class[GATE_BEHAVIOUR], "change", "changes"},
                   {counts->of_class[GATE_DOUBT], "doubt", "doubts"},
                   {counts->expected, "expected", "expected"}};
    for (size_t i = 0; i < COUNT(numbers); i++)
        if (numbers[i].count > 0)
            text_add(text, "%s%s", text->size > 0 ? ", " : "",
                     WORDS_COUNTED(numbers[i].count, numbers[i].one, numbers[i].many));
}

/* The devices by verdict, if there are several. A text has all that have not passed. */
static void add_devices(struct document *document, const struct gate *gate)
{
    enum { MOST = 20 };
    size_t failed = 0;
    if (gate->device_count < 2)
        return;
    document_section(document, "Devices");
    struct table *table = document_table(document, "Verdict|~Device|~Driver|>Compared|~Findings", 2);
    struct document_block *block = &document->blocks[document->block_count - 1];
    for (size_t i = 0; i < gate->device_count; i++) {
        const struct gate_device *device = gate->by_verdict[i];
        LOCAL(text) text = {0};
        table_add_styled(table, gate_verdicts[device->verdict].tone, "%s", word_of(device));
        words_add(&text, "$ ", device->sample->row.backend);
        words_add_device(&text, device->sample);
        table_add(table, "%s", text_string(&text));
        text_clear(&text);
        for (int side = 0; side < SIDES; side++)
            words_add(&text, "$$", side == SIDE_A ? "" : " -> ",
                      !device->driver[side]   ? "none"
                      : *device->driver[side] ? device->driver[side]
                                              : "unnamed");
        table_add(table, "%s", text_string(&text));
        table_add(table, "%zu of %zu", device->compared, device->tests);
        text_clear(&text);
        add_numbers(&device->counts, &text);
        table_add(table, "%s", text_string(&text));
        failed += device->verdict != GATE_PASSED;
    }
    block->most = failed > MOST ? failed : MOST;
    if (block->most < gate->device_count)
        block->rest = arena_print(&document->arena, "and %zu more PASSED (--verbose lists them)",
                                  gate->device_count - block->most);
}

static void add_slowest(const struct gate *gate, struct text *text)
{
    LOCAL(arena) scratch = {0};
    struct words_job *jobs = arena_take(&scratch, gate->case_count, sizeof *jobs);
    for (size_t i = 0; i < gate->case_count; i++)
        jobs[i] = (struct words_job){gate->cases[i].sample->row.test, gate->cases[i].sample->row.seconds};
    words_add_slowest(text, jobs, gate->case_count);
}

static void add_lead(struct document *document, const struct gate *gate)
{
    struct text *line = &document->line;
    const size_t *count = gate->counts.of_kind;
    add_answer(gate, line);
    document_answer(document, gate_verdicts[gate->verdict].tone);
    add_side(document, gate, SIDE_A);
    side_describe_drivers(gate->comparison->side[SIDE_A], "", line);
    side_describe_machines(gate->comparison->side[SIDE_A], "", line);
    document_line(document, "  ", 2);
    add_side(document, gate, SIDE_B);
    side_describe_machines(gate->comparison->side[SIDE_B], "", line);
    document_line(document, "  ", 2);
    add_facts(gate, line);
    document_line(document, "", 2);
    add_confounders(gate, line);
    document_line(document, "", 2);
    add_slowest(gate, line);
    document_line(document, "", 2);
    if (count[GATE_FORBIDDEN] + count[GATE_CONTROL] + count[GATE_CLAIM] > 0)
        text_add(line, "What to do: 'orchil manual forbidden'.");
    document_line(document, "", 2);
}

/* That the baseline is unsound itself: its findings come back in every gate. */
static void add_flaws(struct document *document, const struct gate *gate, const struct places *places)
{
    struct gate_names names = {.count = 0};
    LOCAL(text) line = {0};
    if (gate->flaw_count == 0)
        return;
    for (size_t i = 0; i < gate->flaw_count; i++)
        gate_names_take(&names, gate->flaws[i].sample);
    text_add(&line, "The baseline itself has ");
    add_number(&line, gate->flaw_count, "", "", "soundness finding");
    text_add(&line, " (");
    gate_names_add(&names, &line);
    text_add(&line, "): make one without, or list what is known with --expect");
    document_section(document, "Baseline");
    document_find(document, &(struct document_finding){.of = add_own_case(document, "baseline"),
                                                       .kind = "baseline",
                                                       .meaning = "the baseline itself is unsound",
                                                       .name = "gate",
                                                       .line = text_string(&line),
                                                       .file = places->wanted ? places->baseline : NULL,
                                                       .severity = DOCUMENT_NOTICE,
                                                       .plain = true});
}

/* Changes that come and go, and where to list them. */
static void add_flaky(struct document *document, const struct gate *gate)
{
    struct gate_names names = {.count = 0};
    for (size_t i = 0; i < gate->entry_count; i++)
        if (gate->entries[i].section != GATE_IN_EXCUSED && gate_is_flaky(gate->entries[i].reason))
            gate_names_take(&names, gate->entries[i].of->sample);
    if (names.count == 0)
        return;
    text_add(&document->line, "Changed in the first run but not in all reruns, so perhaps flaky: ");
    gate_names_add(&names, &document->line);
    text_add(&document->line, ". To expect these changes, use --update-expectations FILE.");
    document_section(document, "");
    document_line(document, "", 2);
}

/* The time that would resolve the doubts, if any is known. */
static void add_suffices(struct document *document, const struct gate *gate)
{
    if (!(gate->suffices > 0))
        return;
    document_section(document, "");
    text_add(&document->line, "%s for each test would do%s.", QUANTITY_SECONDS(gate->suffices),
             gate->all_known ? "" : " for those doubts whose time is known");
    document_line(document, "", 2);
}

static void add_stale(struct document *document, const struct gate *gate)
{
    const bool fails = gate->options->strict_expectations;
    struct arena *arena = &document->arena;
    if (gate->stale_count > 0)
        document_section(document, "Expectations without an effect (remove them)");
    for (size_t i = 0; i < gate->stale_count; i++)
        document_find(document,
                      &(struct document_finding){
                          .severity = fails ? DOCUMENT_CHANGE : DOCUMENT_DOUBT,
                          .kind = fails ? "stale" : "",
                          .meaning = "an expectation that has no effect",
                          .mark = fails ? "FAILED" : "",
                          .name = gate->stale[i]->test,
                          .counts = fails,
                          .plain = true,
                          .file = gate->expectations->path,
                          .row = (unsigned)gate->stale[i]->line,
                          .line = arena_print(arena, "this expectation of %s has no effect", gate->stale[i]->test),
                          .evidence = gate->stale[i]->why,
                          .of = fails ? add_own_case(document, arena_print(arena, "%s:%d", gate->expectations->path,
                                                                           gate->stale[i]->line))
                                      : NULL});
}

static void add_broken(struct document *document, const struct gate_reason *broken, const struct places *places,
                       struct document_case *of)
{
    struct document_finding finding = finding_of(broken);
    finding.of = of;
    finding.name = broken->device ? broken->device->sample->row.device : "gate";
    finding.file = places->wanted ? places->baseline : NULL;
    finding.counts = true;
    document_find(document, &finding);
}

void gate_document(const struct gate *gate, bool with_places, struct document *document)
{
    static const char *const titles[GATE_SECTION_COUNT] = {
        [GATE_IN_SOUNDNESS] = "Soundness", [GATE_IN_BEHAVIOUR] = "Behaviour",
        [GATE_IN_DOUBTS] = "Doubts",       [GATE_IN_ONE_SIDED] = "Seen on one side only, and not certain",
        [GATE_IN_NOTES] = "Notes",         [GATE_IN_EXCUSED] = "Expected, and not counted"};
    const struct side *a = gate->comparison->side[SIDE_A];
    const struct places places = {with_places, a->part_count > 0 ? a->parts[0].database : a->database};
    *document = (struct document){
        .title = "orchil gate", .verdict = gate_verdict_name(gate->verdict), .hanging = 2, .indent = 2};
    add_lead(document, gate);
    add_devices(document, gate);
    /* A problem that belongs to no test is a case too: without it, a reader who sees only skipped tests would think
     * that all is well. */
    for (size_t i = 0; i < gate->broken_count; i++) {
        const struct gate_device *device = gate->broken[i].device;
        (void)add_own_case(document,
                           !device ? gate_kinds[gate->broken[i].kind].word
                                   : arena_print(&document->arena, "%s %s %s", gate_kinds[gate->broken[i].kind].word,
                                                 device->sample->row.backend, device->sample->row.device));
    }
    for (size_t i = 0; i < gate->case_count; i++)
        add_case(document, gate, &gate->cases[i]);
    for (enum gate_section section = 0; section < GATE_SECTION_COUNT; section++) {
        const size_t broken = section == GATE_IN_DOUBTS ? gate->broken_count : 0;
        if (titles[section] && gate_section_size(gate, section) + broken > 0)
            document_section(document, titles[section]);
        for (size_t i = 0; i < broken; i++)
            add_broken(document, &gate->broken[i], &places, document->cases[i]);
        for (size_t i = 0; i < gate->entry_count && titles[section]; i++)
            if (gate->entries[i].section == section)
                add_entry(document, gate, &places, &gate->entries[i]);
        if (section == GATE_IN_DOUBTS)
            add_suffices(document, gate);
    }
    add_flaky(document, gate);
    add_flaws(document, gate, &places);
    add_stale(document, gate);
}

void gate_stopped_document(const struct gate_stopped *stopped, struct document *document)
{
    static const char *const kinds[] = {
        [GATE_FAILED] = "infrastructure", [GATE_INTERRUPTED] = "interrupted", [GATE_INCONCLUSIVE] = "no-baseline"};
    *document =
        (struct document){.title = "orchil gate", .verdict = gate_verdict_name(stopped->verdict), .stopped = true};
    (void)add_own_case(document, "gate");
    words_add(&document->line, "$: $", gate_verdicts[stopped->verdict].title, stopped->why);
    document_answer(document, TERMINAL_BAD);
    document_find(document, &(struct document_finding){.kind = kinds[stopped->verdict],
                                                       .line = document->answer,
                                                       .severity = DOCUMENT_FAULT,
                                                       .counts = true,
                                                       .of = document->cases[0]});
}
