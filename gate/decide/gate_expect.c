// SPDX-License-Identifier: Apache-2.0
/* Expectations: read, drafted, and what they excuse of the reasons of a case; doubts about mutants that were hardly
 * seen. */
#include <fnmatch.h>

#include "base/ini.h"
#include "gate/decide/gate_parts.h"

/* ---- reading what a gate should expect ---- */

struct expectations_reader {
    struct ini_reader ini;
    struct expectations *expectations;
    bool takes_drafts;
    size_t first; /* first entry of the section: its traits are given to all entries from here on */
    const char *traits[EXPECT_TRAITS]; /* of the section */
};

static void begin_section(struct ini_reader *ini)
{
    struct expectations_reader *reader = ini->context;
    memset(reader->traits, 0, sizeof reader->traits);
    reader->first = reader->expectations->count;
}

static bool refuse_line(struct expectations_reader *reader, const char *expected, const char *found)
{
    return ini_refuse(&reader->ini, "expected %s, found '%.100s'", expected, found);
}

/* False for an unknown word. */
static bool find_kind(const char *word, enum gate_kind *kind)
{
    for (*kind = 0; *kind < GATE_KIND_COUNT; ++*kind)
        if (strcmp(gate_kinds[*kind].word, word) == 0)
            return true;
    return strcmp(word, "any") == 0;
}

/* device, driver or backend: of all entries of the section, including those above it. */
static bool take_trait(struct expectations_reader *reader, const char *name, const char *value)
{
    static const char *const names[EXPECT_TRAITS] = {"device", "driver", "backend"};
    for (int i = 0; i < EXPECT_TRAITS; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        reader->traits[i] = arena_copy(&reader->expectations->arena, value);
        for (size_t e = reader->first; e < reader->expectations->count; e++)
            reader->expectations->entries[e].traits[i] = reader->traits[i];
        return true;
    }
    return false;
}

/* "x2 " or "x1.5-3 " at the start of *value, which is moved past it; false for anything else. */
static bool take_size(const char **value, struct interval *size)
{
    char *end;
    if (**value != 'x' || !isdigit((unsigned char)(*value)[1]))
        return false;
    size->low = size->high = strtod(*value + 1, &end);
    if (*end == '-' && isdigit((unsigned char)end[1]))
        size->high = strtod(end + 1, &end);
    if (*end != ' ' || !(size->low > 0) || !(size->high >= size->low) || isinf(size->high))
        return false;
    *value = end + strspn(end, " ");
    return true;
}

/* Whether changes of this kind have a size. */
static bool is_sized(enum gate_kind kind)
{
    return kind == GATE_RATE || kind == GATE_TIME || kind == GATE_SHIFT;
}

/* known.KIND, flaky.KIND or skip. */
static bool take_effect(struct expectations_reader *reader, const char *name, struct expectation *entry)
{
    entry->effect = *name == 's' ? EXPECT_SKIP : *name == 'k' ? EXPECT_KNOWN : EXPECT_FLAKY;
    if (strcmp(name, "skip") == 0)
        return true;
    if (strncmp(name, "known.", 6) != 0 && strncmp(name, "flaky.", 6) != 0)
        return refuse_line(reader, "known.KIND, flaky.KIND, skip, device, driver or backend", name);
    return find_kind(name + 6, &entry->kind) ||
           refuse_line(
               reader,
               "a kind of reason (forbidden, control, fault, not-kept, refused, new, lost, shift, "
               "rate, voids, time, unconfirmed, unseen, other-kernel, not-kept-unknown, not-inspected, invalid, "
               "cut-short, missing, no-baseline or any)",
               name + 6);
}

static bool gate_expect_take_line(struct ini_reader *ini, const char *section, const char *name, const char *value)
{
    struct expectations_reader *reader = ini->context;
    struct expectations *expectations = reader->expectations;
    struct expectation entry = {.line = ini->line, .kind = GATE_KIND_COUNT};
    if (!*section)
        return refuse_line(reader, "a section with a test's name, like [MP+relaxed]", name);
    if (*value && take_trait(reader, name, value))
        return true;
    if (!take_effect(reader, name, &entry))
        return false;
    const bool needs_size = entry.effect == EXPECT_KNOWN && is_sized(entry.kind);
    const bool has_size = needs_size && take_size(&value, &entry.size);
    if (!*value)
        return refuse_line(reader, "a reason after the '='", "nothing");
    if (!reader->takes_drafts && strncmp(value, EXPECT_DRAFT, strlen(EXPECT_DRAFT)) == 0)
        return refuse_line(reader, "the reason to be filled in", value);
    if (needs_size && !has_size)
        return refuse_line(reader, "the size of the change before the reason, like x2 or x1.5-3", value);
    entry.test = arena_copy(&expectations->arena, section);
    entry.why = arena_copy(&expectations->arena, value);
    memcpy(entry.traits, reader->traits, sizeof entry.traits);
    ARENA_ADD(&expectations->arena, expectations->entries, expectations->count) = entry;
    return true;
}

/* The text of a file. It may be missing if drafts will be added to it. */
static enum status gate_expect_read_text(const char *path, bool drafts, struct text *text, struct error *error)
{
    if (drafts && access(path, F_OK) != 0 && errno == ENOENT)
        return STATUS_OK;
    TRY(drafts ? file_read_whole(path, EXPECTATIONS_MAXIMUM_FILE, text, error)
               : file_read_input(path, EXPECTATIONS_MAXIMUM_FILE, text, error));
    return memchr(text_string(text), '\0', text->size)
               ? error_set(error, STATUS_SYNTAX, "%s:1:1: expected a text, found NUL bytes", path)
               : STATUS_OK;
}

enum status expectations_read(const char *path, bool drafts, struct expectations *expectations, struct error *error)
{
    LOCAL(text) text = {0};
    *expectations = (struct expectations){.entries = NULL};
    enum status status = gate_expect_read_text(path, drafts, &text, error);
    struct expectations_reader reader = {
        .ini = {.take = gate_expect_take_line, .begin_section = begin_section, .context = &reader},
        .expectations = expectations,
        .takes_drafts = drafts};
    THEN(status, ini_read(&reader.ini, path, text_string(&text), "expected [TEST], KEY = REASON or a comment", error));
    expectations->path = arena_copy(&expectations->arena, path);
    if (status != STATUS_OK)
        expectations_release(expectations);
    return status;
}

ARENA_RELEASES(, expectations)

static bool is_of_device(const struct expectation *entry, const struct sample *sample)
{
    const char *device = entry->traits[EXPECT_DEVICE], *driver = entry->traits[EXPECT_DRIVER];
    const char *backend = entry->traits[EXPECT_BACKEND];
    return (!device || strcasestr(sample->row.device, device)) && (!driver || strstr(sample->row.driver, driver)) &&
           (!backend || strcmp(sample->row.backend, backend) == 0);
}

static bool gate_speaks_of(const struct expectation *entry, const struct sample *sample)
{
    return fnmatch(entry->test, sample->row.test, 0) == 0 && is_of_device(entry, sample);
}

/* The kind that an unsure reason would have if it were sure: an entry for `rate` also excuses an unconfirmed rate. */
static enum gate_kind gate_kind_if_sure(const struct gate_reason *reason)
{
    const bool unsure = reason->kind == GATE_NEW_UNDECIDED || reason->kind == GATE_LOST_UNDECIDED ||
                        reason->kind == GATE_UNCONFIRMED || reason->kind == GATE_NOT_CONFIRMED;
    const enum gate_kind sure = reason->finding ? gate_kind_of_finding(reason->finding->kind) : GATE_FORBIDDEN;
    return unsure && sure != GATE_FORBIDDEN ? sure : reason->kind;
}

/* The ratio of the rates, or of the times, that a reason of the kind rate, time or shift is about; of others it is
 * 0. */
static struct statistics_ratio gate_ratio(const struct gate *gate, const struct gate_reason *reason)
{
    const struct finding *finding = reason->finding;
    if (!finding || (finding->kind != FINDING_RATE && finding->kind != FINDING_TIME && finding->kind != FINDING_SHIFT))
        return (struct statistics_ratio){.ratio = 0};
    if (finding->rate)
        return finding->rate->ratio;
    return shift_ratio(&gate_pass_of(gate, finding)->shift);
}

static bool is_of_kind(const struct expectation *entry, const struct gate_reason *reason)
{
    return entry->kind == GATE_KIND_COUNT || entry->kind == reason->kind || entry->kind == gate_kind_if_sure(reason);
}

/* Whether a change may be as small as the entry says: its interval is not beyond. */
static bool is_within(const struct gate *gate, const struct expectation *entry, const struct gate_reason *reason)
{
    const struct statistics_ratio found = gate_ratio(gate, reason);
    const double tolerance = gate->comparison->options.tolerance;
    return entry->size.high <= 0 || found.ratio <= 0 ||
           (found.interval.low <= entry->size.high * tolerance && found.interval.high >= entry->size.low / tolerance);
}

const struct expectation *gate_find_skip(const struct gate_deciding *deciding, const struct sample *sample)
{
    const struct expectations *expectations = deciding->gate->expectations;
    const struct expectation *first = NULL;
    for (size_t i = 0; expectations && i < expectations->count; i++) {
        if (!gate_speaks_of(&expectations->entries[i], sample))
            continue;
        deciding->live[i] |= job_state_class(sample->row.state) == JOB_CLASS_FINE || deciding->met[i];
        if (expectations->entries[i].effect != EXPECT_SKIP)
            continue;
        deciding->met[i] = true;
        if (!first)
            first = &expectations->entries[i];
    }
    return first;
}

bool gate_would_excuse(const struct gate *gate, const struct sample *sample, enum gate_kind kind)
{
    for (size_t i = 0; gate->expectations && i < gate->expectations->count; i++) {
        const struct expectation *entry = &gate->expectations->entries[i];
        if ((entry->kind == GATE_KIND_COUNT || entry->kind == kind) && gate_speaks_of(entry, sample))
            return true;
    }
    return false;
}

bool gate_is_shielded(const struct gate *gate, const struct sample *sample)
{
    return ANY_NUMBER(enum gate_kind, kind, 0, GATE_KIND_COUNT,
                      gate_kinds[kind].of == GATE_SOUNDNESS && gate_would_excuse(gate, sample, kind));
}

void gate_find_stale(struct gate_deciding *deciding)
{
    struct gate *gate = deciding->gate;
    const size_t count = gate->expectations ? gate->expectations->count : 0;
    gate->stale = arena_take(&gate->arena, count, sizeof *gate->stale);
    for (size_t i = 0; i < count; i++) {
        const struct expectation *entry = &gate->expectations->entries[i];
        const struct side *baseline = gate->comparison->side[SIDE_A];
        bool is_of_this = false, spoken_of = false; /* an entry of other devices says nothing here */
        for (size_t c = 0; c < gate->case_count; c++) {
            is_of_this |= is_of_device(entry, gate->cases[c].sample);
            spoken_of |= gate_speaks_of(entry, gate->cases[c].sample);
        }
        for (size_t s = 0; gate->left_out > 0 && s < baseline->sample_count; s++)
            spoken_of |= gate_speaks_of(entry, &baseline->samples[s]);
        if (is_of_this && (!spoken_of || (entry->effect == EXPECT_KNOWN && !deciding->met[i] && deciding->live[i])))
            gate->stale[gate->stale_count++] = entry;
    }
}

void gate_add_reason(struct gate_deciding *deciding, struct gate_case *of, struct gate_reason reason)
{
    struct arena *arena = &deciding->gate->arena;
    /* Sets what excuses a reason, or what would if the change were smaller. Marks all such entries as met. */
    const struct expectations *expectations = deciding->gate->expectations;
    for (size_t i = 0; expectations && i < expectations->count; i++) {
        const struct expectation *entry = &expectations->entries[i];
        if (entry->effect == EXPECT_SKIP || !gate_speaks_of(entry, of->sample) || !is_of_kind(entry, &reason))
            continue;
        deciding->met[i] = true;
        if (is_within(deciding->gate, entry, &reason))
            reason.expected = reason.expected ? reason.expected : entry;
        else
            reason.exceeds = reason.exceeds ? reason.exceeds : entry;
    }
    gate_add_lines(deciding->gate, of, &reason);
    ARENA_ADD(arena, of->reasons, of->reason_count) = reason;
}

const struct sample *gate_find_rerun(const struct comparison *pass, const struct sample *sample)
{
    for (size_t i = 0; pass && i < pass->side[SIDE_B]->sample_count; i++)
        if (sample_compare(&pass->side[SIDE_B]->samples[i], sample, pass->dimensions) == 0)
            return &pass->side[SIDE_B]->samples[i];
    return NULL;
}

/* ---- doubts ---- */

/* Whether it ran to its end and counted something, or asks how often it gives up. */
bool gate_is_counted(const struct sample *sample)
{
    return sample->counted > 0 || (sample->row.state == JOB_COMPLETED && sample->row.instances > 0);
}

/* Sightings and instances in all runs. */
struct witnesses {
    uint64_t seen, counted;
    double seconds;
    bool apart; /* launches that may run at the same time never did, in some run */
};

static void add_witnesses(const struct sample *sample, struct witnesses *sum)
{
    sum->seen += sample ? sample_shown(sample) : 0;
    sum->apart |= sample && sample->row.marks & MARK_NOT_OVERLAPPED;
    sum->counted += sample ? sample->counted : 0;
    sum->seconds += sample ? sample->row.seconds : 0;
}

/* Seconds of this test that give this many sightings on average; 0: more time would not help. */
static double seconds_for(double needed, const struct witnesses *now, const struct witnesses *before)
{
    double rate = 0;
    if (now->seen > 0)
        rate = (double)now->seen / (double)now->counted;
    else if (before->seen > 0)
        rate = (double)before->seen / (double)before->counted;
    const double speed = now->seconds > 0 ? (double)now->counted / now->seconds : 0;
    const double seconds = rate > 0 && speed > 0 ? needed / rate / speed : 0;
    return seconds <= now->seconds ? 0 : seconds;
}

static struct witnesses count_witnesses(const struct gate *gate, const struct sample *sample)
{
    struct witnesses now = {.seen = 0};
    add_witnesses(sample, &now);
    add_witnesses(gate_find_rerun(gate->passes.again, sample), &now);
    add_witnesses(gate_find_rerun(gate->passes.other, sample), &now);
    return now;
}

static double count_needed(const struct gate *gate)
{
    return ceil(statistics_count_for(gate->options->assurance));
}

bool gate_sees_mutant(const struct gate *gate, const struct sample *sample)
{
    return sample_is_test(sample) && (double)count_witnesses(gate, sample).seen >= count_needed(gate);
}

/* That the witness is lost, as a change that counts; NULL if there is none. */
static struct gate_reason *find_lost(const struct gate_deciding *deciding, const struct gate_case *of)
{
    return FIRST_OF(reason, of->reasons, of->reason_count,
                    deciding->options->fail_on != GATE_FAIL_ON_SOUNDNESS && reason->kind == GATE_LOST &&
                        !reason->expected && reason->finding->outcome->witness);
}

void gate_add_doubts(struct gate_deciding *deciding, struct gate_case *of, const struct sample_pair *pair)
{
    const struct gate_passes *passes = &deciding->gate->passes;
    const double needed = count_needed(deciding->gate);
    struct witnesses before = {.seen = 0};
    if (job_state_class(of->sample->row.state) != JOB_CLASS_FINE ||
        !side_is_mutant(passes->first->side[SIDE_B], of->sample, passes->first->dimensions))
        return;
    const struct witnesses now = count_witnesses(deciding->gate, of->sample);
    add_witnesses(pair ? pair->sample[SIDE_A] : NULL, &before);
    if ((double)now.seen >= needed)
        return;
    struct text line = {0};
    text_add(&line, "seen %s time%s, %s in the baseline; %.0f are needed%s", QUANTITY_COUNT(now.seen),
             now.seen == 1 ? "" : "s", QUANTITY_COUNT(before.seen), needed,
             now.apart ? "; its launches never overlapped, so nothing was tested here" : "");
    const bool blind = (double)before.seen < needed;
    struct gate_reason *lost = blind ? NULL : find_lost(deciding, of);
    if (lost)
        lost->evidence = arena_print(&deciding->gate->arena,
                                     "%s; while this mutant is not seen, its controls prove nothing", lost->evidence);
    gate_add_reason(deciding, of,
                    (struct gate_reason){.kind = blind ? GATE_BLIND : GATE_UNSEEN,
                                         .line = arena_keep(&deciding->gate->arena, &line),
                                         .is_told = lost != NULL,
                                         .suffices = blind ? 0 : seconds_for(needed, &now, &before)});
}

/* ---- drafts expectations from a decision; a person fills in the reasons ---- */

/* Values end at a comment, and blanks at their ends are dropped. */
static bool is_value(const char *value)
{
    const size_t size = strlen(value);
    if (size == 0 || size > 100 || value[0] == ' ' || value[size - 1] == ' ' || value[0] == ';')
        return false;
    for (const char *c = value; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F || (c > value && *c == ';' && c[-1] == ' '))
            return false;
    return true;
}

static bool gate_expect_is_known(const struct gate *gate, const struct expectations *known, const struct sample *sample,
                                 const struct gate_reason *reason)
{
    return ANY_OF(entry, known->entries, known->count,
                  gate_speaks_of(entry, sample) && is_of_kind(entry, reason) && is_within(gate, entry, reason));
}

static bool same_names(const struct sample *a, const struct sample *b)
{
    return strcmp(a->row.test, b->row.test) == 0 && strcmp(a->row.device, b->row.device) == 0 &&
           strcmp(a->row.backend, b->row.backend) == 0;
}

static bool is_unexpected(const struct gate_case *of, const struct gate_reason *reason)
{
    return !of->skipped && !reason->expected && (gate_kinds[reason->kind].of != GATE_NOTE || gate_is_flaky(reason));
}

/* Whether an earlier case with the same names, in another dialect, has this kind. */
static bool is_drafted(const struct gate *gate, const struct gate_case *of, enum gate_kind kind)
{
    for (const struct gate_case *before = gate->cases; before < of; before++)
        for (size_t i = 0; i < before->reason_count && same_names(before->sample, of->sample); i++)
            if (is_unexpected(before, &before->reasons[i]) && gate_kind_if_sure(&before->reasons[i]) == kind)
                return true;
    return false;
}

/* The reasons of a case that are not expected and count, or come and go: the gravest of each kind. */
static size_t list_kinds(const struct gate *gate, const struct gate_case *of, const struct expectations *known,
                         const struct gate_reason *of_kind[GATE_KIND_COUNT])
{
    bool listed[GATE_KIND_COUNT] = {false};
    size_t count = 0;
    FOR_EACH(const struct gate_reason, reason, of->reasons, of->reason_count) {
        const enum gate_kind kind = gate_kind_if_sure(reason);
        if (!is_unexpected(of, reason) || listed[kind] || gate_expect_is_known(gate, known, of->sample, reason) ||
            is_drafted(gate, of, kind))
            continue;
        listed[kind] = true;
        of_kind[count++] = reason;
    }
    return count;
}

/* "x2 " or "x0.5-2 ": the ratios of all reasons of a case that are of this kind; nothing if it has no size. */
static void add_size(const struct gate *gate, const struct gate_case *of, enum gate_kind kind, struct text *text)
{
    struct interval size = {INFINITY, 0};
    for (size_t i = 0; i < of->reason_count && is_sized(kind); i++) {
        const double ratio = gate_ratio(gate, &of->reasons[i]).ratio;
        if (ratio <= 0 || !is_unexpected(of, &of->reasons[i]) || gate_kind_if_sure(&of->reasons[i]) != kind)
            continue;
        size = (struct interval){fmin(size.low, ratio), fmax(size.high, ratio)};
    }
    if (size.high > size.low)
        text_add(text, "x%.3g-%.3g ", size.low, size.high);
    else if (size.high > 0)
        text_add(text, "x%.3g ", size.high);
}

size_t expectations_draft(const struct gate *gate, const struct expectations *known, struct text *text)
{
    size_t written = 0;
    FOR_EACH(const struct gate_case, of, gate->cases, gate->case_count) {
        const struct store_job_row *row = &of->sample->row;
        const struct gate_reason *of_kind[GATE_KIND_COUNT];
        const size_t count = list_kinds(gate, of, known, of_kind);
        if (count == 0)
            continue;
        text_add(text, "\n[");
        /* A glob that matches the name: characters that are special in a glob or a section become `?`. */
        for (const unsigned char *c = (const unsigned char *)row->test; *c; c++)
            text_add(text, "%c", *c <= ' ' || *c == 0x7F || strchr("*?[]\\;", *c) ? '?' : *c);
        text_add(text, "]\n");
        if (is_value(row->device))
            text_add(text, "device = %s\n", row->device);
        if (is_value(row->backend))
            text_add(text, "backend = %s\n", row->backend);
        if (is_value(row->driver))
            text_add(text, "driver = %s\n", row->driver);
        for (size_t k = 0; k < count; k++) {
            const enum gate_kind kind = gate_kind_if_sure(of_kind[k]);
            const bool is_flaky = gate_is_flaky(of_kind[k]);
            text_add(text, "%s.%s = ", is_flaky ? "flaky" : "known", gate_kinds[kind].word);
            if (!is_flaky)
                add_size(gate, of, kind, text);
            text_add(text, EXPECT_DRAFT "%s\n", is_flaky ? " not all reruns confirmed it" : "");
        }
        written += count;
    }
    return written;
}
