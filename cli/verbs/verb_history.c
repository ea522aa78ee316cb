// SPDX-License-Identifier: Apache-2.0
/* orchil history: when a rate changed, and which driver came with it. */
#include "analysis/compare/compare.h"
#include "analysis/history/history.h"
#include "analysis/page/page.h"
#include "analysis/sides/side.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/print/metrics.h"
#include "cli/print/notices.h"
#include "cli/verb.h"

struct history_request {
    bool json;
    const char *page, *metrics; /* files, or NULL */
    struct history_options options;
    struct verb_arguments places;
};

#define AT(member) offsetof(struct history_request, member)

static const struct option_row option_rows[] = {
    {"test", 0, "GLOB", OPTION_TEXT, .offset = AT(options.test)},
    {"device", 0, "NAME|UUID", OPTION_TEXT, .offset = AT(options.device)},
    {"tolerance", 0, "FACTOR", OPTION_NUMBER, .offset = AT(options.tolerance), "1.1", .low = 1, .high = 1000},
    {"alpha", 0, "P", OPTION_NUMBER, .offset = AT(options.alpha), "0.05", .low = 0, .high = 1},
    {ROW_JSON(AT(json))},
    {ROW_PAGE(AT(page))},
    {ROW_METRICS(AT(metrics))},
    {0}};

/* The sides that could be read; the worst exit code of the others. */
struct history_reading {
    const char *verb;
    struct side *sides;
    size_t count;
    struct side_unread *unread;
    size_t unread_count;
    int code;
    struct arena arena;
};

static void history_note(struct history_reading *reading, const struct error *error)
{
    const int code = complain(reading->verb, error);
    reading->code = code > reading->code ? code : reading->code;
}

static void read_selected(const struct selector *selectors, size_t count, struct history_reading *reading)
{
    struct error error = {0};
    for (size_t i = 0; i < count; i++) {
        struct side side;
        struct selector selector = selectors[i];
        selector.prepare = judged_again_prepare;
        if (side_read(&selector, &side, &error) == STATUS_OK)
            ARENA_ADD(&reading->arena, reading->sides, reading->count) = side;
        else {
            side_release(&side);
            history_note(reading, &error);
            ARENA_ADD(&reading->arena, reading->unread, reading->unread_count) =
                (struct side_unread){.database = selector.database, .error = error};
        }
    }
}

static void read_places(const struct verb_arguments *named, struct history_reading *reading)
{
    char *usual[] = {(char[]){"orchil.db"}};
    const struct verb_arguments places = named->count > 0 ? *named : (struct verb_arguments){usual, 1};
    struct error error = {0};
    for (size_t i = 0; i < places.count; i++) {
        struct stored_place place;
        if (stored_place_read(places.list[i], NULL, &reading->arena, &place, &error) == STATUS_OK)
            read_selected(place.selectors, place.count, reading);
        else
            history_note(reading, &error);
    }
}

static enum status print_history(const struct history_request *request, const struct history *history,
                                 struct error *error)
{
    struct output output = {.what = "the history", .source = request->json, .path = request->page};
    if (request->json)
        history_print_json(history, &output.text);
    else
        history_document(history, terminal_width(stdout), &output.document);
    if (request->page)
        history_print_page(history, &output.page);
    TRY(output_end(&output, error));
    return request->metrics ? metrics_write_history(history, request->metrics, error) : STATUS_OK;
}

static enum status show_history(const struct history_request *request, const struct history_reading *reading,
                                struct error *error)
{
    LOCAL(history) history = {0};
    history_make(reading->sides, reading->count, &request->options, &history);
    history.unread = reading->unread;
    history.unread_count = reading->unread_count;
    if (history.run_count == 0)
        return error_set(error, STATUS_USAGE,
                         "no job of the runs fits --test and --device; --test is a name or a glob, like 'SB*'");
    return print_history(request, &history, error);
}

static enum status history_execute(void *data, struct verb_call *call, struct error *error)
{
    struct history_request *request = data;
    struct history_reading reading = {.verb = call->name};
    read_places(&request->places, &reading);
    if (reading.count > 0 && show_history(request, &reading, error) != STATUS_OK)
        history_note(&reading, error);
    for (size_t i = 0; i < reading.count; i++)
        side_release(&reading.sides[i]);
    arena_release(&reading.arena);
    call->code = reading.code;
    return STATUS_OK;
}

VERB_ENTRY(history, places, (.options = {HISTORY_USUAL}));
