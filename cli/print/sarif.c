// SPDX-License-Identifier: Apache-2.0
/* Findings about tests as SARIF 2.1.0. */
#include "cli/print/sarif.h"

#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/whole_file.h"
#include "catalogue/selection.h"
#include "cli/output.h"
#include "runner/gate/decide/gate.h"
#include "version.h"

static json_t *message(const char *text)
{
    return json_pack("{so}", "text", json_text(text));
}

/* The index of the rule, which is added if it is new. */
static size_t find_rule(struct sarif *sarif, const struct sarif_result *result)
{
    size_t i = 0;
    for (; i < json_array_size(sarif->rules); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(sarif->rules, i), "id")), result->rule) == 0)
            return i;
    json_append(sarif->rules, json_pack("{ss so}", "id", result->rule, "shortDescription", message(result->meaning)));
    return i;
}

/* A path as a URI (RFC 3986): other characters than those of plain names are escaped. */
static json_t *uri_of(const char *path)
{
    struct text uri = {0};
    text_add(&uri, "%s", *path == '/' ? "file://" : "");
    for (; *path; path++)
        if (strchr("/-._~", *path) || (*path >= '0' && *path <= '9') || ((*path | 32) >= 'a' && (*path | 32) <= 'z'))
            text_add(&uri, "%c", *path);
        else
            text_add(&uri, "%%%02X", (unsigned char)*path);
    json_t *json = json_text(text_string(&uri));
    text_release(&uri);
    return json;
}

/* Services want a line, so a result about the whole test is at the first. */
static json_t *pack_location(const struct sarif_result *result)
{
    json_t *location =
        json_pack("{s[{so ss}]}", "logicalLocations", "fullyQualifiedName", json_text(result->test), "kind", "module");
    json_t *region = json_pack("{si}", "startLine", result->line > 0 ? (int)result->line : 1);
    if (result->column > 0)
        (void)json_object_set_new(region, "startColumn", json_integer(result->column));
    if (result->file)
        (void)json_object_set_new(
            location, "physicalLocation",
            json_pack("{s{so} so}", "artifactLocation", "uri", uri_of(result->file), "region", json_incref(region)));
    json_decref(region);
    return location;
}

/* Equal for a finding of one run and the next: figures and lines are no part of it. */
static json_t *pack_fingerprint(const struct sarif_result *result)
{
    struct text text = {0};
    char hash[HASH_HEX_SIZE];
    text_add(&text, "%s\n%s\n%s\n%s", result->rule, result->test, result->where, result->what);
    hash_hex(text_string(&text), text.size, hash);
    text_release(&text);
    return json_pack("{ss}", "orchilFinding/v1", hash);
}

void sarif_add(struct sarif *sarif, const struct sarif_result *result)
{
    if (!sarif)
        return;
    if (!sarif->rules) {
        sarif->rules = json_array();
        sarif->results = json_array();
    }
    json_t *object =
        json_pack("{ss sI ss so s[o] so}", "ruleId", result->rule, "ruleIndex", (json_int_t)find_rule(sarif, result),
                  "level", result->level, "message", message(result->message), "locations", pack_location(result),
                  "partialFingerprints", pack_fingerprint(result));
    if (result->suppressed)
        (void)json_object_set_new(
            object, "suppressions",
            json_pack("[{ss so}]", "kind", "external", "justification", json_text(result->suppressed)));
    json_append(sarif->results, object);
}

/* ---- a gate ---- */

static void add_reason(struct sarif *sarif, const struct gate_case *of, const struct gate_reason *reason)
{
    static const char *const levels[GATE_CLASS_COUNT] = {
        [GATE_SOUNDNESS] = "error", [GATE_BEHAVIOUR] = "warning", [GATE_DOUBT] = "warning", [GATE_NOTE] = "note"};
    const struct store_job_row *row = of ? &of->sample->row : NULL;
    struct text name = {0}, where = {0};
    struct selection selection = {0};
    struct error none;
    if (row) {
        text_add(&name, "%s:%s", row->dialect, row->test);
        text_add(&where, "%s %s", row->backend, row->device);
    }
    char *const argument = name.data;
    const bool found = row && selection_make(&argument, 1, NULL, &selection, &none) == STATUS_OK;
    const struct finding *finding = reason->finding;
    const struct expectation *expected = reason->expected ? reason->expected : of ? of->skipped : NULL;
    sarif_add(sarif, &(struct sarif_result){
                         .rule = gate_kind_name(reason->kind),
                         .meaning = gate_kind_meaning(reason->kind),
                         .level = levels[gate_kind_class(reason->kind)],
                         .message = reason->sentence,
                         .test = row ? text_string(&name) : "gate",
                         .file = found && selection.count > 0 ? selection.tests[0].file : NULL,
                         .where = text_string(&where),
                         .what = finding && finding->outcome ? finding->outcome->label : "",
                         .suppressed = expected ? expected->why : NULL,
                     });
    if (found)
        selection_release(&selection);
    text_release(&name);
    text_release(&where);
}

void sarif_add_gate(struct sarif *sarif, const struct gate *gate)
{
    if (gate->nothing.sentence)
        add_reason(sarif, NULL, &gate->nothing);
    for (size_t i = 0; i < gate->case_count; i++)
        for (size_t r = 0; r < gate->cases[i].reason_count; r++)
            add_reason(sarif, &gate->cases[i], &gate->cases[i].reasons[r]);
}

void sarif_add_stopped(struct sarif *sarif, const struct gate_stopped *stopped)
{
    sarif->notification = json_pack("{ss so}", "level", "error", "message", message(stopped->why));
}

/* ---- the file ---- */

enum status sarif_write(struct sarif *sarif, const char *verb, const char *path, struct error *error)
{
    struct text text = {0};
    json_t *invocation = json_pack("{sb}", "executionSuccessful", sarif->notification == NULL);
    if (sarif->notification)
        (void)json_object_set_new(invocation, "toolExecutionNotifications", json_pack("[o]", sarif->notification));
    json_t *driver = json_pack("{ss ss so}", "name", "orchil", "semanticVersion", ORCHIL_VERSION, "rules",
                               sarif->rules ? sarif->rules : json_array());
    json_t *run = json_pack("{s{so} s{ss} s[o] so}", "tool", "driver", driver, "automationDetails", "id", verb,
                            "invocations", invocation, "results", sarif->results ? sarif->results : json_array());
    json_add_foreign(json_pack("{ss ss s[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version",
                               "2.1.0", "runs", run),
                     &text);
    *sarif = (struct sarif){0};
    enum status status = STATUS_OK;
    if (path)
        status = page_file_write(path, &text, error);
    text_release(&text);
    return status;
}
