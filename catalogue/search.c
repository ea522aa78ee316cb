// SPDX-License-Identifier: Apache-2.0
/* Finds families, tests and bugs by words of their texts; what an unknown name may have meant. */
#include "base/terminal/resemblance.h"
#include "catalogue/catalogue.h"
#include "catalogue/search_lists.h"

/* ---- words ---- */

static bool is_letter(char byte)
{
    return isalnum((unsigned char)byte) || (unsigned char)byte >= 0x80;
}

/* The length of a word without an ending: of "fences" and "locking", those of "fence" and "lock". */
static size_t search_stem(const char *word, size_t size)
{
    if (size > 5 && strncasecmp(word + size - 3, "ing", 3) == 0)
        return size - 3;
    return size - (size > 3 && strncasecmp(word + size - 1, "s", 1) == 0 && strncasecmp(word + size - 2, "ss", 2) != 0);
}

struct search search_start(const char *text)
{
    struct search search = {.count = 1};
    char *const all = search.words[0];
    for (size_t size; search.count < SEARCH_WORDS; text += size) {
        while (*text && !is_letter(*text))
            text++;
        for (size = 0; is_letter(text[size]) && size < SEARCH_WORD - 1;)
            size++;
        if (size == 0)
            break;
        const size_t used = strlen(all);
        (void)snprintf(all + used, SEARCH_WORD - used, "%.*s", (int)size, text);
        (void)snprintf(search.words[search.count++], SEARCH_WORD, "%.*s", (int)search_stem(text, size), text);
    }
    all[search_stem(all, strlen(all))] = '\0';
    for (char *at = all; at < all + sizeof search.words; at++)
        *at = (char)tolower((unsigned char)*at);
    return search;
}

/* 0: no; 2: yes; 3: but for an ending, the word is the whole text. */
static unsigned search_is_in(const char *word, const struct text_part *text)
{
    enum { ENDING = 3, CASE_BIT = 0x20 }; /* letters; of ASCII */
    for (const char *start = text->start, *end = start + text->size; start < end; start++) {
        const char *at = start, *left = word;
        /* Any Chinese character starts a word. */
        if (((*at ^ *word) & ~CASE_BIT) != 0 || !is_letter(*at) ||
            (at > text->start && is_letter(at[-1]) && (unsigned char)*at < 0xc0))
            continue;
        for (; *left && at < end; at++)
            if ((char)tolower((unsigned char)*at) == *left)
                left++;
            else if (is_letter(*at) || !is_letter(at[-1]))
                break;
        if (!*left)
            return start == text->start && end - at <= ENDING ? 3 : 2;
    }
    return 0;
}

/* The same, but 1: a word that says the same is in the text. */
static unsigned search_fits(const char *word, const struct text_part *text)
{
    static const char *synonyms[][2] = {
#define SYNONYM_ROW(said, written) {said, written},
        SEARCH_SYNONYM_LIST(SYNONYM_ROW)};
    return search_is_in(word, text)
               ?: ANY_OF(row, synonyms, COUNT(synonyms),
                         *word == *(*row)[0] && strncmp(word, (*row)[0], strlen((*row)[0])) == 0 &&
                             search_is_in((*row)[1], text) > 0);
}

/* ---- scores ---- */

/* How well a text fits, whose parts end with '\v' and begin with what a word in them counts: by the best part for each
 * word, or for all of them in one; 0 if a word is in none. */
static unsigned search_score(const struct search *search, const struct text *text)
{
    unsigned sum = 0, whole = 0;
    for (size_t i = 0; i < search->count; i++) {
        unsigned best = 0;
        for (const char *part = text_string(text); *part; part += strcspn(part, "\v") + 1) {
            const unsigned score =
                (unsigned)(*part - '0') *
                search_fits(search->words[i], &(struct text_part){part + 1, strcspn(part + 1, "\v")});
            best = score > best ? score : best;
        }
        if (i == 0)
            whole = best * (unsigned)search->count;
        else if (best == 0)
            return whole;
        else
            sum += best;
    }
    return whole > sum ? whole : sum;
}

#define PART(part) (int)(part).size, (part).start

static unsigned search_family(const struct search *search, const char *path, size_t length)
{
    const struct catalogue_family_line line = catalogue_family_line(path, length);
    LOCAL(text) text = {0};
    text_add(&text, "8%.*s\v6%.*s\v4%.*s\v6%.*s\v4%.*s\v", (int)length, path, PART(line.title), PART(line.question),
             PART(line.chinese_title), PART(line.chinese_question));
    return search_score(search, &text);
}

ORDERED_BY(compare_families, const struct catalogue_family,
           ORDER(b->score, a->score) ?: catalogue_compare_families(a->path, a->length, b->path, b->length))

struct catalogue_family *catalogue_list_families(const struct catalogue *catalogue, const struct search *search,
                                                 size_t *count)
{
    struct catalogue_family *families = memory_take(catalogue->count, sizeof *families);
    size_t all = 0;
    FOR_EACH(const struct catalogue_entry, entry, catalogue->entries, catalogue->count) {
        const char *const path = entry->file->path;
        const size_t at = INDEX_OF(known, families, all, catalogue_same_family(known->path, path));
        if (at == all)
            families[all++] = (struct catalogue_family){.path = path, .length = catalogue_family(path)};
        families[at].counts[entry->dialect]++;
        families[at].total++;
    }
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        families[*count] = families[i];
        families[*count].score = search ? search_family(search, families[i].path, families[i].length) : 1;
        *count += families[*count].score > 0;
    }
    SORT(families, *count, compare_families);
    return families;
}

unsigned search_bug(const struct search *search, const struct bug *bug)
{
    LOCAL(text) text = {0};
    text_add(&text, "8%.*s\v8", PART(bug->name));
    bug_add_value(bug, "project", &text);
    text_add(&text, "\v4");
    bug_add_value(bug, "what", &text);
    text_add(&text, "\v1%.*s\v", PART(bug->lines));
    return search_score(search, &text);
}

/* The name and the dialect count most, then the title and the other lines of the description, then what the test shares
 * with its family, then the rest of its text, such as instructions. */
static unsigned search_test(const struct search *search, const struct catalogue_entry *entry)
{
    LOCAL(text) own = {0}, text = {0};
    (void)template_text(entry->template, entry->instance, &own, NULL, NULL); /* of the catalogue: it has one */
    const struct text_part whole = {text_string(&own), own.size};
    if (!ANY_OF(word, search->words, search->count, search_fits(*word, &whole) > 0))
        return 0;
    const char *const path = entry->file->path, *const state = strstr(whole.start, "\n{");
    const char *const doc = whole.start + strcspn(whole.start, "\"");
    const char *const end = state > doc ? memrchr(doc, '"', (size_t)(state - doc)) : doc;
    const size_t length = catalogue_family(path);
    const struct catalogue_family_line line = catalogue_family_line(path, length);
    text_add(&text, "8%s\v8%s\v6%.*s\v4%.*s\v2%.*s %.*s %.*s\v1%s\v", entry->name, litmus_dialect_name(entry->dialect),
             (int)strcspn(doc, "\n"), doc, (int)(end - doc), doc, (int)length, path, PART(line.title),
             PART(line.question), whole.start);
    return search_score(search, &text);
}

/* Of equal ones, the shape that most people know comes first, and a simple name before a long one. */
ORDERED_BY(search_compare_hits, const struct search_hit,
           ORDER(b->score, a->score) ?: ORDER(strncmp(a->entry->name, "MP+", 3) != 0, strncmp(b->entry->name, "MP+", 3) != 0)
               ?: ORDER(strlen(a->entry->name), strlen(b->entry->name)) ?: ORDER(a->entry, b->entry))

struct search_hit *search_tests(const struct search *search, const struct catalogue *catalogue, size_t *count)
{
    struct search_hit *hits = memory_take(catalogue->count, sizeof *hits);
    *count = 0;
    FOR_EACH(const struct catalogue_entry, entry, catalogue->entries, catalogue->count) {
        hits[*count] = (struct search_hit){entry, search_test(search, entry)};
        *count += hits[*count].score > 0;
    }
    SORT(hits, *count, search_compare_hits);
    return hits;
}

/* ---- unknown names ---- */

/* What resembles the word among the families; without a word, each. */
static void catalogue_offer_families(const struct catalogue *catalogue, const struct search *search, const char *word,
                                     int dialect, struct resemblance *best)
{
    size_t count;
    FREED struct catalogue_family *families = catalogue_list_families(catalogue, search, &count);
    FOR_EACH(const struct catalogue_family, family, families, count) {
        const char *const name = PRINTED(RESEMBLANCE_SIZE, "%.*s", (int)family->length, family->path);
        if (*name && (dialect == LITMUS_NONE || family->counts[dialect] > 0))
            resemblance_offer(best, word ? word : name, name);
    }
}

void catalogue_suggest(const struct catalogue *catalogue, const char *word, int dialect, struct text *text)
{
    struct resemblance best = {0};
    catalogue_offer_families(catalogue, NULL, word, dialect, &best);
    for (size_t i = 0; i < catalogue->count; i++)
        if (dialect == LITMUS_NONE || dialect == (int)catalogue->entries[i].dialect)
            resemblance_offer(&best, word, catalogue->entries[i].name);
    for (size_t i = 0; i < catalogue->alias_count; i++)
        if (dialect == LITMUS_NONE || dialect == (int)catalogue->aliases[i].dialect)
            resemblance_offer(&best, word, catalogue->aliases[i].name);
    if (best.count == 0) {
        const struct search search = search_start(word);
        size_t count; /* names and titles count, not words of the rest of a text */
        FREED struct search_hit *hits = search_tests(&search, catalogue, &count);
        catalogue_offer_families(catalogue, &search, NULL, dialect, &best);
        for (size_t i = 0; i < count && best.count < RESEMBLANCE_KEPT && hits[i].score >= 12 * (search.count - 1); i++)
            if (dialect == LITMUS_NONE || dialect == (int)hits[i].entry->dialect)
                resemblance_offer(&best, hits[i].entry->name, hits[i].entry->name);
    }
    resemblance_print(&best, text);
}
