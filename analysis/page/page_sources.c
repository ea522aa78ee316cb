// SPDX-License-Identifier: Apache-2.0
/* The sources of results: devices and drivers, runs, environments, and the logs of compilers and drivers. */

#include "analysis/page/page_parts.h"

/* ---- environments beside each other: a row for each parameter, with those that differ marked ---- */

/* Columns of a table; digits of a hash, in full in the column's title. */
enum { MOST_COLUMNS = 6, SHOWN_BYTES = 4000 };

/* A value of JSON: "1 to 4" for a range of whole numbers. */
static void page_sources_add_value(const json_t *value, struct text *text)
{
    FREED char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
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
}

/* ---- a table of some environments ---- */

/* The environments of a table, as JSON objects. A portfolio has a column for each of its members. */
struct shown_environments {
    const struct page_environment *list[MOST_COLUMNS];
    json_t *objects[MOST_COLUMNS];
    size_t members[MOST_COLUMNS]; /* which one of a portfolio, from 1; 0: the environment is none */
    size_t count;
};

static bool page_sources_differs(const struct shown_environments *shown, const char *name)
{
    return ANY_NUMBER(size_t, i, 1, shown->count,
                      !json_equal(json_object_get(shown->objects[0], name), json_object_get(shown->objects[i], name)));
}

static void print_parameter(const struct shown_environments *shown, const char *name, struct text *text)
{
    const bool marked = page_sources_differs(shown, name);
    html_add(text, "<tr$><th scope=row>$$", marked ? " class=differs" : "", name, marked ? " \u2260" : "");
    for (size_t i = 0; i < shown->count; i++) {
        const json_t *value = json_object_get(shown->objects[i], name);
        text_add(text, "<td>");
        if (value)
            page_sources_add_value(value, text);
    }
    text_add(text, "\n");
}

static void page_sources_print_table(const struct shown_environments *shown, struct text *text)
{
    const char *name;
    json_t *value;
    text_add(text, "<div class=wide tabindex=0 role=region aria-label=\"Parameters of environments\"><table "
                   "class=\"params data\" data-name=environments>\n<thead><tr><th>Parameter");
    for (size_t i = 0; i < shown->count; i++) {
        const struct page_environment *environment = shown->list[i];
        const size_t member = shown->members[i];
        char digits[PAGE_HASH_DIGITS + 1], number[32] = "";
        (void)snprintf(digits, sizeof digits, "%s", environment->hash);
        if (member > 0)
            (void)snprintf(number, sizeof number, ", member %zu", member);
        text_add(text, "<th");
        if (member <= 1) {
            text_add(text, " id=\"environment-");
            (void)html_add_anchor(text, digits);
            text_add(text, "\"");
        }
        html_add(text, " title=\"$\" data-name=\"$ $$\">$$<small><code>$</code></small>", environment->hash,
                 environment->profiles, environment->hash, number, environment->profiles, number, digits);
    }
    text_add(text, "</thead>\n<tbody>\n");
    for (size_t i = 0; i < shown->count; i++)
        json_object_foreach(shown->objects[i], name,
                            value) if (!ANY_OF(object, shown->objects, i, json_object_get(*object, name)))
            print_parameter(shown, name, text);
    text_add(text, "</table></div>\n");
    for (size_t i = 0; i < shown->count; i++)
        json_decref(shown->objects[i]);
}

/* ---- all environments ---- */

/* Takes over the object. A table that is full is printed. */
static void add_column(struct shown_environments *shown, const struct page_environment *environment, json_t *object,
                       size_t member, struct text *text)
{
    if (shown->count == MOST_COLUMNS) {
        page_sources_print_table(shown, text);
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

static void print_environments(const struct page *page, struct text *text)
{
    const size_t count = page->environment_count;
    struct shown_environments shown = {.count = 0};
    text_add(text, "<section id=environments>\n<h2>Environments</h2>\n");
    html_add(text,
             "<p>An environment says from which ranges the stress and the placement of each batch are drawn.$</p>\n"
             "<details class=fold><summary>$</summary>\n",
             count > 1 ? " Parameters with \u2260 differ between environments." : "",
             WORDS_COUNTED(count, "environment", "environments"));
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_loads(page->environments[i].text, JSON_REJECT_DUPLICATES, NULL);
        if (json_is_object(object)) {
            add_environment(&shown, &page->environments[i], object, text);
        } else {
            json_decref(object);
            /* A text that is not an object, as it is. */
            html_add(text, "<h3 id=\"environment-");
            (void)html_add_anchor(text, PRINTED(PAGE_HASH_DIGITS + 1, "%s", page->environments[i].hash));
            html_add(text, "\">$ <code>$</code></h3>\n<pre>", page->environments[i].profiles,
                     page->environments[i].hash);
            html_add_lines(text, page->environments[i].text, SHOWN_BYTES);
            text_add(text, "</pre>\n");
        }
    }
    if (shown.count > 0)
        page_sources_print_table(&shown, text);
    text_add(text, "</details>\n</section>\n");
}

static void print_device(const struct page_column *column, struct text *text)
{
    bool first = true;
    html_add(
        text,
        "<tr><th scope=row>$<td data-l=Driver>$ $<td data-l=Platform>$<td data-l=Compiler>$<td data-l=Hardware>$$$$, "
        "$ compute units<td data-l=UUID><code>$</code><td class=n data-l=Instances>$<td class=n data-l=Void>$"
        "<td class=n data-l=Time>$<td data-l=Jobs>",
        column->device, column->backend, column->driver, column->platform, column->compiler, column->vendor,
        *column->architecture ? ", " : "", column->architecture, column->gpu ? ", GPU" : "",
        QUANTITY_COUNT(column->compute_units), column->device_uuid, QUANTITY_COUNT(column->counted),
        QUANTITY_COUNT(column->voids), QUANTITY_SECONDS(column->seconds));
    for (int state = 0; state < JOB_STATE_COUNT; state++) {
        if (column->states[state] == 0)
            continue;
        html_add(text, "$$ $", first ? "" : ", ", QUANTITY_COUNT(column->states[state]),
                 job_state_word((enum job_state)state));
        first = false;
    }
    text_add(text, "\n");
}

/* ---- variables of a run ---- */

/* A flat JSON object as a list; any other text as it is. */
static void print_object(const char *source, struct text *text)
{
    json_auto_t *object = json_loads(source, JSON_REJECT_DUPLICATES, NULL);
    const char *name;
    json_t *value;
    if (json_is_object(object)) {
        text_add(text, "<dl class=facts>");
        json_object_foreach(object, name, value)
        {
            html_add(text, "<dt>$<dd>", name);
            page_sources_add_value(value, text);
        }
        text_add(text, "</dl>\n");
    } else if (*source) {
        text_add(text, "<pre>");
        html_add_lines(text, source, SHOWN_BYTES);
        text_add(text, "</pre>\n");
    }
}

/* ---- models that have changed ---- */

/* ---- runs and logs ---- */

/* In order of time, which is the order of their numbers; runs without one come last. */
static void print_runs_of(const struct page *page, size_t number, struct text *text)
{
    for (size_t i = 0; i < page->source_count; i++)
        for (size_t r = 0; r < page->sources[i].run_count; r++)
            if (page->sources[i].runs[r].number == number) {
                const struct page_run *run = &page->sources[i].runs[r];
                html_add(
                    text,
                    "<tr id=\"run-$-$\"><th scope=row>$<td data-l=Started>$<td data-l=\"In its database\">$:$<td data-l=Command>"
                    "<code class=command>$</code><td data-l=State>$<td class=n data-l=Jobs>$<td data-l=Host>$<td data-l=orchil>$"
                    "<td class=n data-l=Seed>$<td data-l=Variables>",
                    HTML_NUMBER(i + 1), HTML_NUMBER(run->row.run_id),
                    run->number > 0 ? QUANTITY_COUNT(run->number) : "", run->row.started_at, page->sources[i].name,
                    HTML_NUMBER(run->row.run_id), run->row.run.command_line, run_state_word(run->row.state),
                    QUANTITY_COUNT(run->jobs), run->row.run.host, run->row.run.tool_version,
                    HTML_NUMBER(run->row.run.seed));
                if (strcmp(run->row.run.environment_variables, "{}") != 0)
                    print_object(run->row.run.environment_variables, text);
                text_add(text, "\n");
            }
}

static void print_runs(const struct page *page, struct text *text)
{
    enum { OPEN_RUNS = 8 };
    const size_t count = SUM_OF(size_t, source, page->sources, page->source_count, source->run_count);
    html_add(text,
             "<section id=runs>\n<h2>Runs</h2>\n<details class=fold$><summary>$, numbered in order of time</summary>\n",
             count <= OPEN_RUNS ? " open" : "", WORDS_COUNTED(count, "run", "runs"));
    text_add(text, "<div class=wide><table class=\"stack data\" data-name=runs>\n<thead><tr><th>Run<th>Started (UTC)"
                   "<th>In its database<th class=long>Command<th>State<th data-n>Jobs<th>Host<th>orchil<th data-n>Seed"
                   "<th>Variables</thead>\n<tbody>\n");
    for (size_t number = 1; number <= page->history->run_count; number++)
        print_runs_of(page, number, text);
    print_runs_of(page, 0, text);
    text_add(text, "</table></div>\n</details>\n</section>\n");
}

static void print_logs(const struct page *page, struct text *text)
{
    if (page->log_count == 0)
        return;
    text_add(text, "<section id=logs>\n<h2>What compilers and drivers said</h2>\n");
    for (size_t i = 0; i < page->log_count; i++) {
        html_add(text, "<details><summary>Log $ ($ jobs)</summary><pre id=\"log-$\">", HTML_NUMBER(i + 1),
                 QUANTITY_COUNT(page->logs[i].jobs), HTML_NUMBER(i + 1));
        html_add_lines(text, page->logs[i].text, SHOWN_BYTES);
        text_add(text, "</pre></details>\n");
    }
    text_add(text, "</section>\n");
}

void page_print_sources(const struct page *page, struct text *text)
{
    text_add(text, "<section id=devices>\n<h2>Devices and drivers</h2>\n<div class=wide><table class=stack>\n"
                   "<thead><tr><th>Device<th>Driver<th>Platform<th>Compiler<th>Hardware<th>UUID<th data-n>Instances"
                   "<th data-n>Void<th data-n>Time<th>Jobs</thead>\n<tbody>\n");
    for (size_t i = 0; i < page->column_count; i++)
        print_device(&page->columns[i], text);
    text_add(text, "</table></div>\n</section>\n");
    print_environments(page, text);
    bool first = true;
    FOR_EACH(const struct page_source, source, page->sources, page->source_count)
        for (size_t c = 0; c < source->side.change_count; c++) {
            text_add(text, "%s", first ? "<section id=models>\n<h2>Models that have changed</h2>\n" : "");
            html_add(text, "<p>$: ", source->name);
            HTML_SAY(text, side_describe_change(&source->side.changes[c], "", text));
            html_add(text, " The model's hash was <code>$</code>", source->side.changes[c].stored_hash);
            html_add(text, *source->side.changes[c].hash ? " and is <code>$</code>.</p>\n" : ".</p>\n",
                     source->side.changes[c].hash);
            first = false;
        }
    text_add(text, "%s", first ? "" : "</section>\n");
    print_runs(page, text);
    print_logs(page, text);
}
