// SPDX-License-Identifier: Apache-2.0
/* Protects the tables of options: each can be walked and has all that a manual page needs, options accept their default
 * values, help texts only name existing options, and requests get the right values from a command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/whole_file.h"
#include "cli/help.h"
#include "cli/verbs/verb_gate.h"

#define VERB_ROW(name, group) &verb_##name,
static const struct verb *const verbs[] = {&verb_gate_baseline, VERB_LIST(VERB_ROW)};

/* ---- the tables ---- */

/* A value that its word calls a file is compared with the other files of the command line. */
static void expect_file(const struct verb *verb, const struct option_row *row)
{
    static const char *const words[] = {"FILE", "DIR", "FOLDER", "DB"};
    const struct option_row *replaced = verb->options;
    for (size_t i = 0; row->metavar && i < sizeof words / sizeof *words; i++)
        if (strstr(row->metavar, words[i]) && row->file == OPTION_FILE_NONE)
            fail_msg("%s --%s: its row does not say what happens with the file", verb->name, row->name);
    while (row->replaces && (!replaced->name || strcmp(replaced->name, row->replaces) != 0))
        replaced++;
    assert_true(!row->replaces || replaced->file == OPTION_FILE_READ);
}

static void expect_row(const struct verb *verb, const struct option_row *row)
{
    const bool valueless = row->kind == OPTION_SET || row->kind == OPTION_CLEAR;
    struct text help = {0};
    if (!row->name) {
        assert_int_equal(row->kind, OPTION_HEADING);
        return;
    }
    help_add_option(verb, row, &help);
    if (help.size == 0)
        fail_msg("%s --%s: no help", verb->name, row->name);
    if (row->kind != OPTION_OTHER && valueless != (row->metavar == NULL))
        fail_msg("%s --%s: a value, and no word for it, or a word for none", verb->name, row->name);
    if (row->usual && valueless)
        fail_msg("%s --%s: a usual value of what has none", verb->name, row->name);
    if (strstr(text_string(&help), "%s"))
        fail_msg("%s --%s: the help has a place for a usual value that the row lacks", verb->name, row->name);
    text_release(&help);
    expect_file(verb, row);
    assert_true((row->kind == OPTION_OTHER) == (row->read != NULL));
    assert_true(row->kind == OPTION_OTHER || row->kind == OPTION_TEXT ||
                (row->kind == OPTION_WORD || row->kind == OPTION_WORDS) == (row->words != NULL));
    for (const struct option_row *other = verb->options; other != row; other++)
        if (other->name && strcmp(other->name, row->name) == 0)
            fail_msg("%s --%s: there twice", verb->name, row->name);
}

static void every_row_says_what_it_needs_to(void **state)
{
    size_t rows = 0;
    (void)state;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        for (const struct option_row *row = verbs[i]->options; row && (row->name || row->help); row++, rows++)
            expect_row(verbs[i], row);
    assert_true(rows > 100);
}

static bool has_option(const struct verb *verb, const char *word, size_t size)
{
    for (const struct option_row *row = verb->options; row && (row->name || row->help); row++)
        if (row->name && strlen(row->name) == size && strncmp(row->name, word, size) == 0)
            return true;
    return size == 4 && strncmp(word, "help", size) == 0;
}

/* An option has the same letter in all verbs, and a letter is of one option. */
static void a_letter_means_one_option(void **state)
{
    const char *owners[256] = {NULL};
    size_t letters = 0;
    (void)state;
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
            for (const struct option_row *row = verbs[i]->options; row && (row->name || row->help); row++) {
                const int letter = option_letter(row);
                for (int other = 1; row->name && again && other < 256; other++)
                    if (owners[other] && strcmp(owners[other], row->name) == 0 && other != letter)
                        fail_msg("%s --%s: elsewhere it has the letter %c", verbs[i]->name, row->name, other);
                if (letter && owners[letter] && strcmp(owners[letter], row->name) != 0)
                    fail_msg("%s -%c: --%s here, and --%s elsewhere", verbs[i]->name, letter, row->name,
                             owners[letter]);
                letters += letter && !owners[letter];
                owners[letter] = letter ? row->name : NULL;
            }
    assert_true(letters >= 3);
}

/* What is said of a word that users of other tools type names verbs and options that there are. */
static void habits_name_options_that_there_are(void **state)
{
    struct text file = {0};
    struct error error;
    size_t count = 0;
    (void)state;
    assert_int_equal(file_read_whole(ORCHIL_SOURCE_DIR "/cli/help.txt", 1 << 20, &file, &error), STATUS_OK);
    for (const char *line = text_string(&file); (line = strstr(line, "\ntyped ")) != NULL;) {
        const char *at = strstr(++line, " = ") + 3, *end = strchr(line, '\n');
        const bool is_option = line[6] == '-';
        if (!is_option) {
            const struct verb *verb = NULL;
            for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
                verb = strncmp(at, verbs[i]->name, strcspn(at, " \n")) == 0 ? verbs[i] : verb;
            assert_non_null(verb);
        }
        for (; is_option && (at = strstr(at, "--")) != NULL && at < end; at += 2, count++) {
            bool known = strncmp(at, "--version", 9) == 0;
            for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
                known |= has_option(verbs[i], at + 2, strcspn(at + 2, " |\n"));
            if (!known)
                fail_msg("help.txt: no verb has %.*s", (int)strcspn(at, " |\n"), at);
        }
    }
    assert_true(count > 40);
    text_release(&file);
}

static void every_verb_for_people_explains_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        assert_non_null(verbs[i]->run);
        if (verbs[i] == &verb_worker)
            continue;
        const char *const parts[] = {"summary", "usage", "about", "details", "example", "exit"};
        struct text text = {0};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (!help_next(verbs[i], parts[k], &(const char *){NULL}, &text))
                fail_msg("%s: no '%s'", verbs[i]->name, parts[k]);
        assert_int_equal(strncmp("0: ", text_string(&text), 3), 0);
        text_release(&text);
    }
}

/* ---- options that help texts name ---- */

static const struct verb *verb_named(const struct verb *const *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count && list[i]; i++) {
        const size_t size = strlen(list[i]->name);
        if (strncmp(text, list[i]->name, size) == 0 && strchr(" `'\n", text[size]))
            return list[i];
    }
    return NULL;
}

/* The verb of the last "orchil VERB" between the start of a sentence or a line and `at`; NULL: none. */
static const struct verb *verb_before(const char *text, const char *at)
{
    static const struct verb *const all[] = {VERB_LIST(VERB_ROW)};
    static const char program[] = "orchil ";
    const struct verb *found = NULL;
    for (const char *c = text; c < at; c++) {
        if (*c == '\n' || (c[0] == '.' && c[1] == ' '))
            found = NULL;
        if (strncmp(c, program, strlen(program)) != 0)
            continue;
        const char *word = c + strlen(program);
        found = verb_named(all, sizeof all / sizeof *all, word);
        const struct verb *below =
            found && found->below ? verb_named(found->below, SIZE_MAX, word + strlen(found->name) + 1) : NULL;
        found = below ? below : found;
    }
    return found;
}

static size_t expect_known_options(const struct verb *verb, const char *text)
{
    size_t count = 0;
    for (const char *at = text; at && (at = strstr(at, "--")); at += 2) {
        const size_t size = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
        const struct verb *named = verb_before(text, at);
        count++;
        if (size > 0 && !has_option(named ? named : verb, at + 2, size))
            fail_msg("the help of '%s' names --%.*s, which '%s' lacks", verb->name, (int)size, at + 2,
                     named ? named->name : verb->name);
    }
    return count;
}

static void help_names_options_that_there_are(void **state)
{
    size_t count = 0;
    (void)state;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        static const char *const parts[] = {"usage", "about", "details", "example", "exit"};
        struct text text = {0};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            for (const char *at = NULL; help_next(verbs[i], parts[k], &at, &text);)
                count += expect_known_options(verbs[i], text_string(&text));
        count += expect_known_options(verbs[i], verbs[i]->no_arguments);
        for (const struct option_row *row = verbs[i]->options; row && (row->name || row->help); row++) {
            text_clear(&text);
            if (row->name)
                help_add_option(verbs[i], row, &text);
            count += expect_known_options(verbs[i], text_string(&text));
            count += expect_known_options(verbs[i], row->expected);
        }
        text_release(&text);
    }
    assert_true(count > 50);
}

/* ---- keys of project files ---- */

static bool is_key(const char *name)
{
    for (const struct verb *const *verb = verb_gate_family; *verb; verb++)
        for (const struct option_row *row = (*verb)->options; row->name || row->help; row++)
            if (row->project && strcmp(row->name, name) == 0)
                return true;
    return strcmp(name, "tests") == 0;
}

/* The page has a row for each key, and no others. */
static void keys_of_project_files_are_documented(void **state)
{
    struct text page = {0};
    struct error error;
    (void)state;
    assert_int_equal(file_read_whole(ORCHIL_SOURCE_DIR "/docs/reference/project-file.md", 1 << 20, &page, &error),
                     STATUS_OK);
    for (const char *at = text_string(&page); (at = strstr(at, "\n| `")) != NULL; at++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 4, "`"), at + 4);
        if (!is_key(name))
            fail_msg("'%s' is no key", name);
    }
    for (const struct verb *const *verb = verb_gate_family; *verb; verb++)
        for (const struct option_row *row = (*verb)->options; row->name || row->help; row++) {
            char line[96];
            (void)snprintf(line, sizeof line, "\n| `%s` |", row->name ? row->name : "");
            if (row->project && !strstr(text_string(&page), line))
                fail_msg("the key '%s' is not on the page", row->name);
        }
    text_release(&page);
}

/* ---- entries of help.txt ---- */

/* Each entry is of a verb, and of an option that one of the verbs has that read it. */
static void help_has_no_entry_that_nobody_reads(void **state)
{
    struct text file = {0};
    struct error error;
    const struct verb *verb = NULL;
    size_t count = 0;
    (void)state;
    assert_int_equal(file_read_whole(ORCHIL_SOURCE_DIR "/cli/help.txt", 1 << 20, &file, &error), STATUS_OK);
    for (const char *line = text_string(&file); *line; line = strchr(line, '\n') + 1) {
        if (*line == '[') {
            verb = NULL;
            for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
                verb = strncmp(line + 1, verbs[i]->name, strcspn(line + 1, "]")) == 0 ? verbs[i] : verb;
            if (!verb && strncmp(line, "[every verb]", 12) != 0 && strncmp(line, "[orchil]", 8) != 0)
                fail_msg("help.txt: no verb of the section %.*s", (int)strcspn(line, "\n"), line);
        }
        if (line[0] != '-' || !verb)
            continue;
        count++;
        if (!has_option(verb, line + 2, strcspn(line + 2, " ")) &&
            !(verb == &verb_gate && has_option(&verb_gate_baseline, line + 2, strcspn(line + 2, " "))))
            fail_msg("help.txt: '%s' has no option %.*s", verb->name, (int)strcspn(line, " "), line);
    }
    assert_true(count > 100);
    text_release(&file);
}

/* ---- values of a request ---- */

enum colour { RED = 3, GREEN = 5 };

struct option_sample {
    struct verb_arguments words;
    bool set, clear, given;
    const char *text;
    uint64_t count, seed;
    unsigned whole;
    double number, seconds;
    enum colour colour;
    char letter;
};

#define AT(member) offsetof(struct option_sample, member)

static void read_letter(const struct argp_state *state, const struct option_row *row, const char *value, void *request)
{
    (void)state;
    assert_string_equal(row->name, "letter");
    ((struct option_sample *)request)->letter = value[0];
}

static void keep_decided(const struct argp_state *state, const void *request)
{
    ((const struct option_sample *)request)->words.list[0][0] =
        options_decided(state) ? options_decided(state)[0] : '-';
}

static const struct option_word colours[] = {{"red", RED}, {"green", GREEN}, {0}};

static const struct option_row sample_rows[] = {
    {"set", 's', NULL, OPTION_SET, .offset = AT(set)},
    {"clear", 0, NULL, OPTION_CLEAR, .offset = AT(clear)},
    {.kind = OPTION_HEADING, .help = "Others:"},
    {"text", 0, "T", OPTION_TEXT, .offset = AT(text), "usual"},
    {"count", 0, "N", OPTION_COUNT, .offset = AT(count), "2k"},
    {"whole", 0, "N", OPTION_WHOLE, .offset = AT(whole), "7", .low = 0, .high = 9},
    {"number", 0, "N", OPTION_NUMBER, .offset = AT(number), "1.5", .low = 1, .high = 2},
    {"seconds", 0, "S", OPTION_SECONDS, .offset = AT(seconds), "2m", .decided = true},
    {"seed", 0, "N", OPTION_SEED, .offset = AT(seed), .given = AT(given), .decided = true},
    {"colour", 0, "C", OPTION_WORD, .offset = AT(colour), "green", .words = colours},
    {"letter", 0, "L", OPTION_OTHER, .read = read_letter},
    {0}};

static const struct verb sample_verb = {
    .name = "sample", .options = sample_rows, .arguments = AT(words), .check = keep_decided};

static struct option_sample parsed(const char *line)
{
    static char bytes[256];
    static char *words[16];
    struct option_sample sample = {.letter = '-'};
    int count = 0;
    assert_true(strlen(line) < sizeof bytes);
    memcpy(bytes, line, strlen(line) + 1);
    for (char *at = bytes; at && count < 15; count++) {
        words[count] = at;
        at = strchr(at, ' ');
        if (at)
            *at++ = '\0';
    }
    words[count] = NULL;
    options_parse(&sample_verb, count, words, &sample, NULL);
    return sample;
}

static void what_is_not_given_is_as_usual(void **state)
{
    (void)state;
    const struct option_sample sample = parsed("sample w");
    assert_false(sample.set);
    assert_true(sample.clear);
    assert_false(sample.given);
    assert_string_equal(sample.text, "usual");
    assert_int_equal(sample.count, 2000);
    assert_int_equal(sample.whole, 7);
    assert_true(sample.number == 1.5);
    assert_true(sample.seconds == 120);
    assert_int_equal(sample.colour, GREEN);
    assert_int_equal(sample.letter, '-');
    assert_int_equal(sample.words.list[0][0], '-'); /* not a decided option */
}

static void what_is_given_arrives(void **state)
{
    (void)state;
    const struct option_sample sample =
        parsed("sample first -s --clear --text= --count=3M --whole 0 --number=1.25 --seed 0 --seconds=1h "
               "--colour=red second --letter=q");
    assert_true(sample.set);
    assert_false(sample.clear);
    assert_true(sample.given);
    assert_string_equal(sample.text, "");
    assert_int_equal(sample.count, 3000000);
    assert_int_equal(sample.whole, 0);
    assert_true(sample.number == 1.25);
    assert_true(sample.seconds == 3600);
    assert_int_equal(sample.seed, 0);
    assert_int_equal(sample.colour, RED);
    assert_int_equal(sample.letter, 'q');
    assert_int_equal(sample.words.count, 2);
    assert_string_equal(sample.words.list[1], "second");
    assert_string_equal(sample.words.list[0] + 1, "irst");
    assert_int_equal(sample.words.list[0][0], 's'); /* --seconds was the last decided one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_says_what_it_needs_to),
        cmocka_unit_test(a_letter_means_one_option),
        cmocka_unit_test(habits_name_options_that_there_are),
        cmocka_unit_test(every_verb_for_people_explains_itself),
        cmocka_unit_test(help_names_options_that_there_are),
        cmocka_unit_test(help_has_no_entry_that_nobody_reads),
        cmocka_unit_test(keys_of_project_files_are_documented),
        cmocka_unit_test(what_is_not_given_is_as_usual),
        cmocka_unit_test(what_is_given_arrives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
