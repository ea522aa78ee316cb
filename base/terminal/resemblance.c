// SPDX-License-Identifier: Apache-2.0
/* Finds known words that are close to a mistyped one. */
#include "base/terminal/resemblance.h"

#include <ctype.h>

static size_t resemblance_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Three rows of the usual table (optimal string alignment): for the letter before the last one, the last one, and this
 * one. */
size_t resemblance_distance(const char *left, const char *right)
{
    size_t rows[3][RESEMBLANCE_SIZE];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    const size_t columns = resemblance_smaller(strlen(right), RESEMBLANCE_SIZE - 1);
    const size_t letters = resemblance_smaller(strlen(left), RESEMBLANCE_SIZE - 1);
    for (size_t j = 0; j <= columns; j++)
        last[j] = j;
    for (size_t i = 1; i <= letters; i++) {
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            const size_t changed = last[j - 1] + (same_letter(left[i - 1], right[j - 1]) ? 0 : 1);
            row[j] = resemblance_smaller(changed, resemblance_smaller(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(left[i - 1], right[j - 2]) && same_letter(left[i - 2], right[j - 1]))
                row[j] = resemblance_smaller(row[j], before[j - 2] + 1);
        }
        size_t *const oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[columns];
}

/* The word without wildcards, which match no particular letter. */
static void without_wildcards(const char *word, char plain[RESEMBLANCE_SIZE])
{
    size_t size = 0;
    for (; *word && size < RESEMBLANCE_SIZE - 1; word++)
        if (!strchr("*?[]", *word))
            plain[size++] = *word;
    plain[size] = '\0';
}

void resemblance_offer(struct resemblance *resemblance, const char *word, const char *known)
{
    char plain[RESEMBLANCE_SIZE];
    without_wildcards(word, plain);
    const size_t length = strlen(plain);
    size_t distance = resemblance_distance(plain, known);
    if (length > 1 && distance > 1 && strcasestr(known, plain))
        distance = 1; /* people often remember only a part of a name */
    const size_t most = length < 6 ? 1 : length / 3;
    if (length == 0 || distance > most || distance >= length)
        return;
    size_t at = resemblance->count;
    for (size_t i = 0; i < resemblance->count; i++)
        if (strcmp(resemblance->best[i].word, known) == 0)
            return;
    while (at > 0 && resemblance->best[at - 1].distance > distance)
        at--;
    if (at == RESEMBLANCE_KEPT)
        return;
    if (resemblance->count < RESEMBLANCE_KEPT)
        resemblance->count++;
    memmove(&resemblance->best[at + 1], &resemblance->best[at],
            (resemblance->count - 1 - at) * sizeof resemblance->best[0]);
    const size_t size = resemblance_smaller(strlen(known), RESEMBLANCE_SIZE - 1);
    memcpy(resemblance->best[at].word, known, size);
    resemblance->best[at].word[size] = '\0';
    resemblance->best[at].distance = distance;
}

void resemblance_print(const struct resemblance *resemblance, struct text *text)
{
    for (size_t i = 0; i < resemblance->count; i++) {
        const char *between = i == 0 ? " (did you mean " : i + 1 < resemblance->count ? ", " : " or ";
        text_add(text, "%s%s", between, resemblance->best[i].word);
    }
    if (resemblance->count > 0)
        text_add(text, "?)");
}
