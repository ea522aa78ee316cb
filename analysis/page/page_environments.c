// SPDX-License-Identifier: Apache-2.0
/* Environments beside each other: a row for each parameter, with those that differ marked. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/page/page_parts.h"
#include "base/memory.h"
#include "base/quantity.h"

/* Columns of a table; digits of a hash, in full in the column's title. */
enum { MOST_COLUMNS = 6, HASH_DIGITS = 12, SHOWN_BYTES = 4000 };

void page_add_value(const json_t *value, struct text *text)
{
    char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const json_t *low = json_array_get(value, 0), *high = json_array_get(value, 1);
    if (json_array_size(value) == 2 && json_is_integer(low) && json_is_integer(high)) {
        text_add(text, "%" JSON_INTEGER_FORMAT, json_integer_value(low));
        if (json_integer_value(low) != json_integer_value(high))
            text_add(text, " to %" JSON_INTEGER_FORMAT, json_integer_value(high));
    } else if (json_is_string(value)) {
        html_add(text, "$", json_string_value(value));
    } else {
        html_add(text, "$", dumped ? dumped : "");
    }
    free(dumped);
}

/* ---- a table of some of them ---- */

/* The environments of a table, as JSON objects. A portfolio has a column for each of its members. */
struct shown_environments {
    const struct page_environment *list[MOST_COLUMNS];
    json_t *objects[MOST_COLUMNS];
    size_t members[MOST_COLUMNS]; /* which one of a portfolio, from 1; 0: the environment is none */
    size_t count;
};

static void print_column(const struct page_environment *environment, size_t member, struct text *text)
{
    char digits[HASH_DIGITS + 1], number[32] = "";
    (void)snprintf(digits, sizeof digits, "%s", environment->hash);
    if (member > 0)
        (void)snprintf(number, sizeof number, ", member %zu", member);
    text_add(text, "<th");
    if (member <= 1) {
        text_add(text, " id=\"environment-");
        (void)html_add_anchor(text, environment->hash);
        text_add(text, "\"");
    }
    html_add(text, " title=\"$\" data-name=\"$ $$\">$$<small><code>$</code></small>", environment->hash,
             environment->profiles, environment->hash, number, environment->profiles, number, digits);
}

static void print_head(const struct shown_environments *shown, struct text *text)
{
    text_add(text, "<div class=wide tabindex=0 role=region aria-label=\"Parameters of environments\"><table "
                   "class=\"params data\" data-name=environments>\n<thead><tr><th>Parameter");
    for (size_t i = 0; i < shown->count; i++)
        print_column(shown->list[i], shown->members[i], text);
    text_add(text, "</thead>\n<tbody>\n");
}

static bool is_earlier(const struct shown_environments *shown, size_t column, const char *name)
{
    for (size_t i = 0; i < column; i++)
        if (json_object_get(shown->objects[i], name))
            return true;
    return false;
}

static bool differs(const struct shown_environments *shown, const char *name)
{
    for (size_t i = 1; i < shown->count; i++)
        if (!json_equal(json_object_get(shown->objects[0], name), json_object_get(shown->objects[i], name)))
            return true;
    return false;
}

static void print_parameter(const struct shown_environments *shown, const char *name, struct text *text)
{
    const bool marked = differs(shown, name);
    html_add(text, "<tr$><th scope=row>$$", marked ? " class=differs" : "", name, marked ? " \u2260" : "");
    for (size_t i = 0; i < shown->count; i++) {
        const json_t *value = json_object_get(shown->objects[i], name);
        text_add(text, "<td>");
        if (value)
            page_add_value(value, text);
    }
    text_add(text, "\n");
}

static void print_table(const struct shown_environments *shown, struct text *text)
{
    const char *name;
    json_t *value;
    print_head(shown, text);
    for (size_t i = 0; i < shown->count; i++)
        json_object_foreach(shown->objects[i], name, value) if (!is_earlier(shown, i, name))
            print_parameter(shown, name, text);
    text_add(text, "</table></div>\n");
    for (size_t i = 0; i < shown->count; i++)
        json_decref(shown->objects[i]);
}

/* ---- the section ---- */

/* A text that is not an object, as it is. */
static void print_text(const struct page_environment *environment, struct text *text)
{
    html_add(text, "<h3 id=\"environment-");
    (void)html_add_anchor(text, environment->hash);
    html_add(text, "\">$ <code>$</code></h3>\n<pre>", environment->profiles, environment->hash);
    html_add_lines(text, environment->text, SHOWN_BYTES);
    text_add(text, "</pre>\n");
}

/* Takes over the object. A table that is full is printed. */
static void add_column(struct shown_environments *shown, const struct page_environment *environment, json_t *object,
                       size_t member, struct text *text)
{
    if (shown->count == MOST_COLUMNS) {
        print_table(shown, text);
        shown->count = 0;
    }
    shown->list[shown->count] = environment;
    shown->members[shown->count] = member;
    shown->objects[shown->count++] = object;
}

/* The first member of a portfolio has the others in it. */
static void add_environment(struct shown_environments *shown, const struct page_environment *environment,
                            json_t *object, struct text *text)
{
    json_t *others = json_incref(json_object_get(object, "others")), *other;
    size_t index;
    (void)json_object_del(object, "others");
    add_column(shown, environment, object, json_array_size(others) > 0 ? 1 : 0, text);
    json_array_foreach(others, index, other) add_column(shown, environment, json_incref(other), index + 2, text);
    json_decref(others);
}

static void print_all(const struct page *page, struct text *text)
{
    struct shown_environments shown = {.count = 0};
    for (size_t i = 0; i < page->environment_count; i++) {
        json_t *object = json_loads(page->environments[i].text, JSON_REJECT_DUPLICATES, NULL);
        if (json_is_object(object)) {
            add_environment(&shown, &page->environments[i], object, text);
        } else {
            json_decref(object);
            print_text(&page->environments[i], text);
        }
    }
    if (shown.count > 0)
        print_table(&shown, text);
}

void page_print_environments(const struct page *page, struct text *text)
{
    const size_t count = page->environment_count;
    text_add(text, "<section id=environments>\n<h2>Environments</h2>\n");
    html_add(text,
             "<p>An environment says from which ranges the stress and the placement of each batch are drawn.$</p>\n"
             "<details class=fold><summary>$ $</summary>\n",
             count > 1 ? " Parameters with \u2260 differ between environments." : "", QUANTITY_COUNT(count),
             count == 1 ? "environment" : "environments");
    print_all(page, text);
    text_add(text, "</details>\n</section>\n");
}
