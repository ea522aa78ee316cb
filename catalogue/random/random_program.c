// SPDX-License-Identifier: Apache-2.0
/* Random programs: choices are drawn from the grammar in programs.txt, whose head says what it means. */
#include "catalogue/random/random_program.h"

#include "base/random.h"

extern const char random_programs[]; /* the grammar */

enum { MOST_THREADS = 4, SHARED = 3, FLAG = SHARED, DATA, OWN, LOCATIONS = OWN + 2 * MOST_THREADS, NOWHERE };

enum { MOST_READ = 32, USUALLY_OBSERVED = 6 }; /* registers: more have too many outcomes for a model */

static const char *const location_names[LOCATIONS] = {"x",  "y",  "z",  "f",  "d",  "p0", "p1",
                                                      "p2", "p3", "q0", "q1", "q2", "q3"};

struct program_draft {
    enum litmus_dialect dialect;
    struct random random;
    struct text text, condition, barrier, scope; /* the last two: what the whole test has alike */
    struct text threads[MOST_THREADS];
    unsigned thread_count, shared, groups[MOST_THREADS];
    bool wide, together, meets, met; /* met: the thread has passed the barrier */
    unsigned memory;                 /* 0: all locations are global, 1: local, 2: some are */
    bool local[LOCATIONS], used[LOCATIONS];
    unsigned thread, registers;      /* which one is written, and how many it has */
    unsigned read[MOST_READ], reads; /* the registers with a value from memory */
    unsigned last;                   /* the shared location that was drawn last */
    unsigned values, labels, observed;
};

/* The part of a text that comes from one choice of a rule. */
struct choice {
    unsigned location; /* or NOWHERE */
    unsigned registers[2], count, label;
};

static unsigned below(struct program_draft *draft, unsigned bound)
{
    return random_below(&draft->random, bound);
}

static bool chance(struct program_draft *draft, unsigned percent)
{
    return below(draft, 100) < percent;
}

/* ---- the grammar ---- */

/* A line's choice, if it is of the rule and of the dialect; and its weight. */
static const char *line_choice(const struct program_draft *draft, const char *line, struct text_part rule,
                               unsigned *weight)
{
    static const char letters[LITMUS_DIALECT_COUNT] = {'o', 'p', 'u', 'c', 'v'};
    const size_t dialects = strcspn(line, " \n");
    const char *at = line + dialects;
    if (*line == '#' || (*line != '*' && !memchr(line, letters[draft->dialect], dialects)))
        return NULL;
    at += strspn(at, " ");
    if (strncmp(at, rule.start, rule.size) != 0 || at[rule.size] != ' ')
        return NULL;
    char *end;
    *weight = (unsigned)strtoul(at + rule.size, &end, 10);
    return *end == '\n' ? end : end + 2;
}

/* One of the rule's choices, by weight: up to the end of its line. */
static const char *choose(struct program_draft *draft, struct text_part rule)
{
    unsigned total = 0, weight;
    for (unsigned drawn = 0, pass = 0; pass < 2; pass++) {
        if (pass > 0)
            drawn = below(draft, total > 0 ? total : 1);
        for (const char *line = random_programs; *line; line += strcspn(line, "\n"), line += *line == '\n') {
            const char *choice = line_choice(draft, line, rule, &weight);
            if (!choice)
                continue;
            if (pass == 0)
                total += weight;
            else if (drawn < weight)
                return choice;
            else
                drawn -= weight;
        }
    }
    return "";
}

static void expand(struct program_draft *draft, struct text *text, struct text_part rule, unsigned location);

static void expand_rule(struct program_draft *draft, struct text *text, const char *rule, unsigned location)
{
    expand(draft, text, (struct text_part){rule, strlen(rule)}, location);
}

/* ---- what stands after a dollar sign ---- */

/* Makes a location the choice's own; false: the letter is another. */
static bool take_location(struct program_draft *draft, char letter, struct choice *choice)
{
    const unsigned own = OWN + (draft->met ? MOST_THREADS : 0);
    if (letter == 'X' && choice->location != NOWHERE)
        return true;
    if (letter == 'X')
        choice->location = draft->last = chance(draft, 40) ? draft->last : below(draft, draft->shared);
    else if (letter == 'P')
        choice->location = own + draft->thread;
    else if (letter == 'Q')
        choice->location = OWN + below(draft, draft->thread_count);
    else if (letter == 'F' || letter == 'D')
        choice->location = letter == 'F' ? FLAG : DATA;
    else
        return false;
    draft->used[choice->location] = true;
    return true;
}

static void program_add_register(struct program_draft *draft, struct text *text, struct choice *choice, bool reads)
{
    if (reads && draft->reads < MOST_READ)
        draft->read[draft->reads++] = draft->registers;
    if (choice->count < 2)
        choice->registers[choice->count++] = draft->registers;
    text_add(text, "r%u", draft->registers++);
}

/* A value in each half of a wide word, so that a torn one shows. */
static void add_value(const struct program_draft *draft, struct text *text, unsigned value)
{
    text_add(text, "%llu", (unsigned long long)value * (draft->wide ? 0x100000001ULL : 1));
}

static void add_stored(struct program_draft *draft, struct text *text)
{
    if (draft->reads > 1 && chance(draft, 25)) /* the last one may be what the statement reads */
        text_add(text, "r%u", draft->read[below(draft, draft->reads - 1)]);
    else
        add_value(draft, text, chance(draft, 20) ? below(draft, 2) : ++draft->values);
}

/* What is drawn once for a test. */
static void add_common(struct program_draft *draft, struct text *text, struct text *common, const char *rule)
{
    if (common->size == 0)
        expand_rule(draft, common, rule, NOWHERE);
    text_add(text, "%s", text_string(common));
}

static void add_word(struct program_draft *draft, struct text *text, char letter, const struct choice *choice)
{
    static const char *const memories[] = {"memory0", "memory1", "memory2"};
    const char *const rule = letter == 'T'   ? draft->wide ? "wide" : "narrow"
                             : letter == 's' ? draft->together ? "together" : "apart"
                             : letter == 'm' ? memories[draft->memory]
                             : letter == 'c' ? draft->local[choice->location] ? "local" : "global"
                                             : NULL;
    if (rule)
        expand_rule(draft, text, rule, choice->location);
    else if (letter == 'x')
        text_add(text, "%s", location_names[choice->location]);
    else if (letter == 'e')
        add_value(draft, text, below(draft, draft->values + 1));
    else if (letter == 'v')
        add_stored(draft, text);
    else if (letter == 'S')
        add_common(draft, text, &draft->scope, draft->together ? "together" : "apart");
    else if (letter == 'B')
        add_common(draft, text, &draft->barrier, "barrier"), draft->met = true;
    else
        text_add(text, letter == 'a' || letter == 'q' ? "r%u" : "%u",
                 letter == 'a'   ? below(draft, draft->registers + (draft->registers == 0))
                 : letter == 'q' ? draft->reads > 0 ? draft->read[below(draft, draft->reads)] : 0
                 : letter == 'j' ? choice->label
                 : letter == 't' ? draft->thread
                                 : draft->groups[draft->thread]);
}

static void expand_word(struct program_draft *draft, struct text *text, char letter, struct choice *choice)
{
    if (letter == 'r' || letter == 'n')
        program_add_register(draft, text, choice, letter == 'r');
    else if (letter == '1' || letter == '2')
        text_add(text, "r%u", choice->registers[letter - '1']);
    else if (!take_location(draft, letter, choice))
        add_word(draft, text, letter, choice);
}

/* ---- the text of a choice ---- */

/* The start of one of the alternatives up to `]`. */
static const char *alternative(struct program_draft *draft, const char *at)
{
    unsigned count = 1;
    for (const char *c = at; *c != ']'; c++)
        count += *c == '/';
    for (unsigned skip = below(draft, count); skip > 0; skip--)
        at = strchr(at, '/') + 1;
    return at;
}

static const char *expand_reference(struct program_draft *draft, struct text *text, const char *at, unsigned location)
{
    const bool about = *at == '.';
    const size_t size = strcspn(at + about, "%");
    expand(draft, text, (struct text_part){at + about, size}, about ? location : NOWHERE);
    return at + about + size + 1;
}

static void expand(struct program_draft *draft, struct text *text, struct text_part rule, unsigned location)
{
    struct choice choice = {.location = location, .label = draft->labels++};
    bool within = false; /* an alternative */
    for (const char *at = choose(draft, rule); *at && *at != '\n';) {
        const char letter = *at++;
        if (letter == '[') {
            within = true;
            at = alternative(draft, at);
        } else if (within && letter == '/') {
            at = strchr(at, ']');
        } else if (within && letter == ']') {
            within = false;
        } else if (letter == '%') {
            at = expand_reference(draft, text, at, choice.location);
        } else if (letter == '$') {
            expand_word(draft, text, *at++, &choice);
        } else {
            const bool ends = letter == '\\';
            text_add_bytes(text, ends ? "\n" : &letter, 1);
            at += ends;
        }
    }
}

/* ---- threads and the test ---- */

static void draw_setting(struct program_draft *draft)
{
    const bool c = draft->dialect == LITMUS_C;
    const unsigned drawn = below(draft, 100);
    draft->thread_count = drawn < 20 ? 1 : drawn < 75 ? 2 : drawn < 93 ? 3 : MOST_THREADS;
    draft->shared = chance(draft, 12) ? 1 : 2 + below(draft, SHARED - 1);
    draft->wide = chance(draft, 25);
    draft->together = !c && chance(draft, 35);
    draft->meets = draft->together && chance(draft, 40);
    draft->memory = !draft->together || chance(draft, 60) ? 0 : 1 + below(draft, 2);
    for (unsigned i = 0; i < LOCATIONS; i++)
        draft->local[i] = draft->memory == 1 || (draft->memory == 2 && chance(draft, 50));
    for (unsigned t = 0; t < draft->thread_count; t++)
        draft->groups[t] = draft->together ? 0 : t;
}

static void write_threads(struct program_draft *draft)
{
    for (unsigned t = 0; t < draft->thread_count; t++) {
        draft->thread = t;
        draft->registers = draft->reads = 0;
        draft->met = false;
        expand_rule(draft, &draft->threads[t],
                    draft->meets ? "meeting"
                    : t == 0     ? "first"
                    : t < 2      ? "thread"
                                 : "later",
                    NOWHERE);
        const unsigned count = draft->registers + (draft->registers == 0); /* r0 may be used in any case */
        struct text declared = {0};
        for (draft->registers = 0; draft->registers < count;) {
            if (chance(draft, draft->observed < USUALLY_OBSERVED ? 85 : 10) && ++draft->observed)
                text_add(&draft->condition, "%u:r%u=0 /\\ ", t, draft->registers);
            expand_rule(draft, litmus_has_columns(draft->dialect) ? &draft->text : &declared, "register", NOWHERE);
        }
        text_add(&declared, "%s", text_string(&draft->threads[t]));
        text_release(&draft->threads[t]);
        draft->threads[t] = declared;
    }
}

/* The threads side by side: their first lines, then the cells of each row. */
static void write_columns(struct program_draft *draft)
{
    struct text heads[MOST_THREADS] = {0};
    const char *at[MOST_THREADS];
    for (unsigned t = draft->thread_count; t-- > 0; at[t] = text_string(&heads[t])) {
        draft->thread = t;
        expand_rule(draft, &heads[t], "head", NOWHERE);
        text_add(&heads[t], "%s", text_string(&draft->threads[t]));
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < draft->thread_count; t++) {
            const size_t size = strcspn(at[t], "\n");
            text_add(&draft->text, " %.*s %s", (int)size, at[t], t + 1 < draft->thread_count ? "|" : ";\n");
            at[t] += size + (at[t][size] == '\n');
            more |= *at[t] != '\0';
        }
    }
    for (unsigned t = 0; t < draft->thread_count; t++)
        text_release(&heads[t]);
}

static void write_functions(struct program_draft *draft)
{
    for (draft->thread = 0; draft->thread < draft->thread_count; draft->thread++) {
        const char *comma = "(";
        expand_rule(draft, &draft->text, "head", NOWHERE);
        for (unsigned i = 0; i < LOCATIONS; i++)
            if (draft->used[i]) {
                text_add(&draft->text, "%s", comma);
                comma = ", ";
                expand_rule(draft, &draft->text, i < DATA ? "parameter" : "unshared", i);
            }
        text_add(&draft->text, "%s) {\n%s}\n", *comma == '(' ? "(" : "", text_string(&draft->threads[draft->thread]));
    }
}

static void write_test(struct program_draft *draft, const char *name)
{
    const bool columns = litmus_has_columns(draft->dialect);
    draw_setting(draft);
    text_add(&draft->text, "%s %s\n{", litmus_dialect_name(draft->dialect), name);
    write_threads(draft);
    for (unsigned i = 0; i < LOCATIONS; i++) {
        if (draft->used[i] && columns)
            expand_rule(draft, &draft->text, "initial", i);
        if (draft->used[i] && i < FLAG)
            text_add(&draft->condition, "%s=0 /\\ ", location_names[i]);
    }
    text_add(&draft->text, "}\n");
    if (columns)
        write_columns(draft);
    else
        write_functions(draft);
    if (draft->condition.size == 0)
        text_add(&draft->condition, "0:r0=0 /\\ ");
    text_add(&draft->text, "exists (%.*s)\n", (int)draft->condition.size - 4, text_string(&draft->condition));
}

enum status random_program(enum litmus_dialect dialect, uint64_t seed, uint64_t number, struct litmus_test **test,
                           struct error *error)
{
    struct program_draft draft = {.dialect = dialect, .random = random_start(seed, number, dialect, 0)};
    const char *const name = PRINTED(64, "random-%llu-%llu", (unsigned long long)seed, (unsigned long long)number);
    write_test(&draft, name);
    const enum status status = litmus_parse(name, text_string(&draft.text), draft.text.size, test, error);
    text_release(&draft.text);
    text_release(&draft.barrier);
    text_release(&draft.scope);
    text_release(&draft.condition);
    for (unsigned t = 0; t < MOST_THREADS; t++)
        text_release(&draft.threads[t]);
    return status;
}
