// SPDX-License-Identifier: Apache-2.0
/* The findings of a document as SARIF 2.1.0 (OASIS), which code-scanning services show beside the tests' lines. */
#include <ctype.h>

#include "base/document/document.h"
#include "base/field.h"
#include "base/whole_file.h"
#include "version.h"

static json_t *message(json_t *text)
{
    return json_pack("{so}", "text", text);
}

/* GitHub requires a full description and a help text of each rule. */
static json_t *pack_rule(const struct document *document, const struct document_finding *finding)
{
    struct text full = {0}, help = {0};
    text_add(&full, "%c%s.", toupper((unsigned char)*finding->meaning), finding->meaning + (*finding->meaning != '\0'));
    text_add(&help, "%s For more, see %s --help.", text_string(&full), document->title);
    return json_pack("{so so so so}", "id", json_text(finding->kind), "shortDescription",
                     message(json_text(finding->meaning)), "fullDescription", message(field_made_text(full)), "help",
                     message(field_made_text(help)));
}

/* The index of the finding's rule, which is added if it is new. */
static size_t find_rule(json_t *rules, const struct document *document, const struct document_finding *finding)
{
    size_t i = 0;
    for (; i < json_array_size(rules); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(rules, i), "id")), finding->kind) == 0)
            return i;
    json_append(rules, pack_rule(document, finding));
    return i;
}

/* A path as a URI (RFC 3986): other characters than those of plain names are escaped. */
static json_t *uri_of(const char *path)
{
    struct text uri = {0};
    /* GitHub takes ./a.litmus for another file than a.litmus; a service reads the root of the repository here. */
    path = file_path_from_here(path);
    text_add(&uri, "%s", *path == '/' ? "file://" : "");
    for (; *path; path++)
        if (strchr("/-._~", *path) || (*path >= '0' && *path <= '9') || ((*path | 32) >= 'a' && (*path | 32) <= 'z'))
            text_add(&uri, "%c", *path);
        else
            text_add(&uri, "%%%02X", (unsigned char)*path);
    return field_made_text(uri);
}

/* From the place to the end of its line. A result about the whole test is at its first line, because GitHub requires
 * the start and the end of a region. */
static json_t *pack_region(const struct document_finding *finding)
{
    const unsigned line = finding->row > 0 ? finding->row : 1, column = finding->column > 0 ? finding->column : 1;
    const char *text = finding->source;
    for (unsigned before = line; before > 1 && *text; before--)
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
    const size_t width = strcspn(text, "\r\n");
    return json_pack("{si si si si}", "startLine", (int)line, "startColumn", (int)column, "endLine", (int)line,
                     "endColumn", (int)(width >= column ? width : column) + 1);
}

/* GitHub rejects a file with a result that has no physical location. */
static json_t *pack_location(const struct document_finding *finding)
{
    return json_pack("{s[{so ss}] s{s{so} so}}", "logicalLocations", "fullyQualifiedName", json_text(finding->name),
                     "kind", "module", "physicalLocation", "artifactLocation", "uri", uri_of(finding->file), "region",
                     pack_region(finding));
}

/* Equal for a finding of one run and the next: figures and lines are no part of it. GitHub reads only
 * primaryLocationLineHash, whose form is HASH:NUMBER. */
static json_t *pack_fingerprints(const struct document_finding *finding)
{
    LOCAL(text) text = {0};
    char hash[HASH_HEX_SIZE];
    text_add(&text, "%s\n%s\n%s\n%s", finding->kind, finding->name, finding->where, finding->outcome);
    hash_hex(text_string(&text), text.size, hash);
    return json_pack("{ss so}", "orchilFinding/v1", hash, "primaryLocationLineHash", json_sprintf("%.16s:1", hash));
}

static json_t *pack_result(json_t *rules, const struct document *document, const struct document_finding *finding)
{
    json_t *object = json_pack("{so sI ss so s[o] so}", "ruleId", json_text(finding->kind), "ruleIndex",
                               (json_int_t)find_rule(rules, document, finding), "level",
                               document_severities[finding->severity].sarif, "message",
                               message(field_made_text(FIELD_WRITTEN(document_add_sentence, finding))), "locations",
                               pack_location(finding), "partialFingerprints", pack_fingerprints(finding));
    if (*finding->excuse)
        (void)json_object_set_new(
            object, "suppressions",
            json_pack("[{ss so}]", "kind", "external", "justification", json_text(finding->excuse)));
    return object;
}

void document_print_sarif(const struct document *document, struct text *text)
{
    json_t *rules = json_array(), *results = json_array();
    for (size_t i = 0; i < document->block_count && !document->stopped; i++)
        if (document->blocks[i].finding && *document->blocks[i].finding->kind)
            json_append(results, pack_result(rules, document, document->blocks[i].finding));
    json_t *invocation = json_pack("{sb}", "executionSuccessful", !document->stopped);
    if (document->stopped)
        (void)json_object_set_new(
            invocation, "toolExecutionNotifications",
            json_pack("[{ss so}]", "level", "error", "message", message(json_text(document->blocks->finding->line))));
    /* GitHub reads a category before the '/': a file of another verb does not replace this one. */
    json_t *run = json_pack("{s{s{ss ss so}} s{so} s[o] so}", "tool", "driver", "name", "orchil", "semanticVersion",
                            ORCHIL_VERSION, "rules", rules, "automationDetails", "id",
                            json_sprintf("%s/", document->title), "invocations", invocation, "results", results);
    json_add_foreign(json_pack("{ss ss s[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version",
                               "2.1.0", "runs", run),
                     text);
}
