// SPDX-License-Identifier: Apache-2.0
/* Converts the circumstances of a job to JSON and back. */
#include "base/circumstances.h"

static const struct {
    const char *member;
    double highest;
} rows[CIRCUMSTANCE_COUNT] = {
#define CIRCUMSTANCE_ROW(name, member, highest) {(member), (highest)},
    CIRCUMSTANCE_LIST(CIRCUMSTANCE_ROW)
#undef CIRCUMSTANCE_ROW
};

static const char throttle_member[] = "throttle";

const char *circumstance_member(enum circumstance which)
{
    return rows[which].member;
}

bool circumstances_note(struct circumstances *circumstances, enum circumstance which, double number)
{
    if (!(number >= 0 && number <= rows[which].highest))
        return false;
    circumstances->known |= 1u << which;
    circumstances->numbers[which] = number;
    return true;
}

bool circumstances_note_throttle(struct circumstances *circumstances, const char *words)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
    const size_t length = strlen(words);
    if (length >= sizeof circumstances->throttle)
        return false;
    for (const char *at = words;; at++) {
        const size_t word = strspn(at, letters);
        at += word;
        if (word == 0 || (*at && *at != ' '))
            return false;
        if (!*at)
            break;
    }
    memcpy(circumstances->throttle, words, length + 1);
    return true;
}

void circumstances_print(const struct circumstances *circumstances, struct text *text)
{
    const char *between = "";
    text_add(text, "{");
    for (enum circumstance i = 0; i < CIRCUMSTANCE_COUNT; i++)
        if (circumstances->known >> i & 1) {
            text_add(text, "%s\"%s\":%.7g", between, rows[i].member, circumstances->numbers[i]);
            between = ",";
        }
    if (circumstances->throttle[0])
        text_add(text, "%s\"%s\":\"%s\"", between, throttle_member, circumstances->throttle);
    text_add(text, "}");
}

static bool read_member(const char *member, const json_t *value, struct circumstances *circumstances)
{
    if (strcmp(member, throttle_member) == 0)
        return json_is_string(value) && circumstances_note_throttle(circumstances, json_string_value(value));
    for (enum circumstance i = 0; i < CIRCUMSTANCE_COUNT; i++)
        if (strcmp(member, rows[i].member) == 0)
            return json_is_number(value) && circumstances_note(circumstances, i, json_number_value(value));
    return false;
}

bool circumstances_read(const json_t *object, struct circumstances *circumstances)
{
    const char *member;
    json_t *value;
    bool good = json_is_object(object);
    *circumstances = (struct circumstances){0};
    json_object_foreach((json_t *)(uintptr_t)object, member, value) good &= read_member(member, value, circumstances);
    if (!good)
        *circumstances = (struct circumstances){0};
    return good;
}
