// SPDX-License-Identifier: Apache-2.0
/* Findings about tests as SARIF 2.1.0. */
#include "cli/print/sarif.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "catalogue/selection.h"
#include "cli/output.h"
#include "gate/decide/gate.h"
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

/* The path from the working directory, which is the root of the repository where a service reads it. It is the same for
 * every way to name a file there: GitHub takes ./a.litmus for another file than a.litmus. */
static const char *path_from_here(const char *path)
{
    char here[PATH_MAX];
    if (*path == '/' && getcwd(here, sizeof here)) {
        const size_t size = strlen(here);
        if (strncmp(path, here, size) == 0 && path[size] == '/')
            path += size + strspn(path + size, "/");
    }
    while (strncmp(path, "./", 2) == 0)
        path += 1 + strspn(path + 1, "/");
    return path;
}

/* A path as a URI (RFC 3986): other characters than those of plain names are escaped. */
static json_t *uri_of(const char *path)
{
    struct text uri = {0};
    path = path_from_here(path);
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

/* From the place to the end of its line. A result about the whole test is at its first line, because GitHub requires
 * the start and the end of a region. */
static json_t *pack_region(const struct sarif_result *result)
{
    const unsigned line = result->line > 0 ? result->line : 1, column = result->column > 0 ? result->column : 1;
    const char *text = result->text ? result->text : "";
    for (unsigned before = line; before > 1 && *text; before--)
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
    const size_t width = strcspn(text, "\r\n");
    return json_pack("{si si si si}", "startLine", (int)line, "startColumn", (int)column, "endLine", (int)line,
                     "endColumn", (int)(width >= column ? width : column) + 1);
}

/* GitHub rejects a file with a result that has no physical location. */
static json_t *pack_location(const struct sarif_result *result)
{
    return json_pack("{s[{so ss}] s{s{so} so}}", "logicalLocations", "fullyQualifiedName", json_text(result->test),
                     "kind", "module", "physicalLocation", "artifactLocation", "uri", uri_of(result->file), "region",
                     pack_region(result));
}

/* Equal for a finding of one run and the next: figures and lines are no part of it. GitHub reads only
 * primaryLocationLineHash, whose form is HASH:NUMBER. */
static json_t *pack_fingerprints(const struct sarif_result *result)
{
    struct text text = {0}, of_github = {0};
    char hash[HASH_HEX_SIZE];
    text_add(&text, "%s\n%s\n%s\n%s", result->rule, result->test, result->where, result->what);
    hash_hex(text_string(&text), text.size, hash);
    text_add(&of_github, "%.16s:1", hash);
    json_t *json =
        json_pack("{ss so}", "orchilFinding/v1", hash, "primaryLocationLineHash", json_text(text_string(&of_github)));
    text_release(&of_github);
    text_release(&text);
    return json;
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
                  "partialFingerprints", pack_fingerprints(result));
    if (result->suppressed)
        (void)json_object_set_new(
            object, "suppressions",
            json_pack("[{ss so}]", "kind", "external", "justification", json_text(result->suppressed)));
    json_append(sarif->results, object);
}

/* ---- a gate ---- */

/* baseline: the place of what no file has, such as a test that only the baseline's database stores. */
static void sarif_add_reason(struct sarif *sarif, const char *baseline, const struct gate_case *of,
                             const struct gate_reason *reason)
{
    static const char *const levels[GATE_CLASS_COUNT] = {
        [GATE_SOUNDNESS] = "error", [GATE_BEHAVIOUR] = "warning", [GATE_DOUBT] = "warning", [GATE_NOTE] = "note"};
    const struct store_job_row *row = of ? &of->sample->row : NULL;
    struct text name = {0}, where = {0}, sentence = {0};
    struct selection selection = {0};
    struct error none;
    if (row) {
        text_add(&name, "%s:%s", row->dialect, row->test);
        text_add(&where, "%s %s", row->backend, row->device);
    }
    gate_add_sentence(reason, &sentence);
    char *const argument = name.data;
    const bool found = row && selection_make(&argument, 1, NULL, &selection, &none) == STATUS_OK;
    const struct selected_test *selected = found && selection.count > 0 ? &selection.tests[0] : NULL;
    const struct finding *finding = reason->finding;
    const struct expectation *expected = reason->expected ? reason->expected : of ? of->skipped : NULL;
    sarif_add(sarif, &(struct sarif_result){
                         .rule = gate_kind_name(reason->kind),
                         .meaning = gate_kind_meaning(reason->kind),
                         .level = levels[gate_kind_class(reason->kind)],
                         .message = text_string(&sentence),
                         .test = row ? text_string(&name) : "gate",
                         .file = selected ? selected->file : baseline,
                         .text = selected ? selected->test->text : NULL,
                         .where = text_string(&where),
                         .what = finding && finding->outcome ? finding->outcome->label : "",
                         .suppressed = expected ? expected->why : NULL,
                     });
    if (found)
        selection_release(&selection);
    text_release(&sentence);
    text_release(&where);
    text_release(&name);
}

void sarif_add_gate(struct sarif *sarif, const struct gate *gate)
{
    const struct side *side = gate->comparison->side[SIDE_A];
    const char *baseline = side->part_count > 0 ? side->parts[0].database : side->database;
    for (size_t i = 0; i < gate->broken_count; i++)
        sarif_add_reason(sarif, baseline, NULL, &gate->broken[i]);
    for (size_t i = 0; i < gate->case_count; i++)
        for (size_t r = 0; r < gate->cases[i].reason_count; r++)
            sarif_add_reason(sarif, baseline, &gate->cases[i], &gate->cases[i].reasons[r]);
}

void sarif_add_stopped(struct sarif *sarif, const struct gate_stopped *stopped)
{
    sarif->notification = json_pack("{ss so}", "level", "error", "message", message(stopped->why));
}

/* ---- the file ---- */

/* GitHub requires a full description and a help text of each rule. */
static void describe_rules(json_t *rules, const char *verb)
{
    for (size_t i = 0; i < json_array_size(rules); i++) {
        json_t *rule = json_array_get(rules, i);
        struct text full = {0}, help = {0};
        text_add(&full, "%s.", json_string_value(json_object_get(json_object_get(rule, "shortDescription"), "text")));
        full.data[0] = (char)toupper((unsigned char)full.data[0]);
        text_add(&help, "%s For more, see %s --help.", text_string(&full), verb);
        (void)json_object_set_new(rule, "fullDescription", message(text_string(&full)));
        (void)json_object_set_new(rule, "help", message(text_string(&help)));
        text_release(&help);
        text_release(&full);
    }
}

enum status sarif_write(struct sarif *sarif, const char *verb, const char *path, struct error *error)
{
    struct text text = {0};
    describe_rules(sarif->rules, verb);
    json_t *invocation = json_pack("{sb}", "executionSuccessful", sarif->notification == NULL);
    if (sarif->notification)
        (void)json_object_set_new(invocation, "toolExecutionNotifications", json_pack("[o]", sarif->notification));
    json_t *driver = json_pack("{ss ss so}", "name", "orchil", "semanticVersion", ORCHIL_VERSION, "rules",
                               sarif->rules ? sarif->rules : json_array());
    struct text id = {0};
    text_add(&id, "%s/",
             verb); /* GitHub reads a category before the '/': a file of another verb does not replace this one */
    json_t *run = json_pack("{s{so} s{so} s[o] so}", "tool", "driver", driver, "automationDetails", "id",
                            json_text(text_string(&id)), "invocations", invocation, "results",
                            sarif->results ? sarif->results : json_array());
    json_add_foreign(json_pack("{ss ss s[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version",
                               "2.1.0", "runs", run),
                     &text);
    text_release(&id);
    *sarif = (struct sarif){0};
    enum status status = STATUS_OK;
    if (path)
        status = page_file_write(path, &text, error);
    text_release(&text);
    return status;
}
