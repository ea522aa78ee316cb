// SPDX-License-Identifier: Apache-2.0
/* The reports of a gate that ended before it could decide: a pipeline reads them, not the log. */
#include "base/escape/escape.h"
#include "base/json.h"
#include "runner/gate/decide/gate.h"

static const char *word_of(const struct gate_stopped *stopped)
{
    return stopped->interrupted ? "INTERRUPTED" : "FAILED";
}

void gate_stopped_print_text(const struct gate_stopped *stopped, struct text *text)
{
    escape_format(text, ESCAPE_PLAIN, "$: $\n", word_of(stopped), stopped->why);
}

void gate_stopped_print_json(const struct gate_stopped *stopped, struct text *text)
{
    json_add_document(JSON_GATE,
                      json_pack("{ss si so}", "verdict", stopped->interrupted ? "interrupted" : "failed", "exit_code",
                                stopped->exit_code, "error", json_text(stopped->why)),
                      text);
}

void gate_stopped_print_junit(const struct gate_stopped *stopped, struct text *text)
{
    static const char sums[] = "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.000\"";
    text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"orchil gate: %s\" %s>\n",
             stopped->interrupted ? "interrupted" : "failed", sums);
    text_add(text,
             "  <testsuite name=\"orchil gate\" %s>\n"
             "    <testcase name=\"gate\" classname=\"orchil.gate\" time=\"0.000\">\n",
             sums);
    escape_format(text, ESCAPE_XML,
                  "      <error message=\"$: $\" type=\"$\"/>\n    </testcase>\n  </testsuite>\n</testsuites>\n",
                  word_of(stopped), stopped->why, stopped->interrupted ? "interrupted" : "infrastructure");
}

void gate_stopped_print_markdown(const struct gate_stopped *stopped, struct text *text)
{
    escape_format(text, ESCAPE_MARKDOWN, "## orchil gate: $: $\n", word_of(stopped), stopped->why);
}

void gate_stopped_print_github(const struct gate_stopped *stopped, struct text *text)
{
    escape_format(text, ESCAPE_COMMAND, "::error title=orchil gate::$: $\n", word_of(stopped), stopped->why);
}
