// SPDX-License-Identifier: Apache-2.0
/* Assumptions as JSON: figures are numbers, unknown ones null. */
#include "analysis/statistics/statistics.h"
#include "base/json.h"
#include "runner/gate/assume/assumptions.h"

static json_t *pack_text(const char *text)
{
    return text && *text ? json_text(text) : json_null();
}

static json_t *pack_job(const struct assumption_job *job)
{
    return json_pack("{ss so so so so so so so}", "test", job->test, "state", json_text(job_state_word(job->state)),
                     "reason", pack_text(job->reason), "not_kept", pack_text(job->not_kept), "witnesses",
                     json_count(job->witnesses), "impossible", json_count(job->impossible), "instances",
                     json_count(job->instances), "seconds", json_number(job->seconds));
}

static json_t *pack_assumption(const struct assumption *assumption)
{
    const enum assumption_answer answer = assumption_answer(assumption);
    struct text figures = {0};
    json_t *object = pack_job(&assumption->itself);
    assumption_add_figures(assumption, &figures);
    (void)json_object_set_new(object, "answer", json_text(assumption_word(answer)));
    (void)json_object_set_new(object, "found", pack_text(text_string(&figures)));
    (void)json_object_set_new(object, "bound",
                              answer == ASSUMPTION_HOLDS ? json_number(assumption_bound(assumption)) : json_null());
    (void)json_object_set_new(object, "confidence", json_number(STATISTICS_CONFIDENCE));
    (void)json_object_set_new(object, "planted", pack_job(&assumption->planted));
    (void)json_object_set_new(object, "assumes", pack_text(assumption->assumes));
    (void)json_object_set_new(object, "relies", pack_text(assumption->relies));
    (void)json_object_set_new(object, "promised", json_boolean(assumption->promised));
    (void)json_object_set_new(object, "specification", pack_text(assumption->promises));
    (void)json_object_set_new(object, "instead", pack_text(assumption->instead));
    text_release(&figures);
    return object;
}

static json_t *pack_device(const struct assumptions *of)
{
    return json_pack("{so so so so so so so}", "backend", json_text(of->backend), "index", json_count(of->index),
                     "name", json_text(of->device), "architecture", pack_text(of->architecture), "driver",
                     pack_text(of->driver), "compiler", pack_text(of->compiler), "platform", pack_text(of->platform));
}

static json_t *pack_answers(const struct assumptions *of)
{
    json_t *object = json_object();
    for (enum assumption_answer answer = 0; answer < ASSUMPTION_ANSWERS; answer++)
        (void)json_object_set_new(object, assumption_word(answer), json_count(assumptions_count(of, answer)));
    return object;
}

void assumptions_print_json(const struct assumptions *assumptions, struct text *text)
{
    const struct assumptions *of = assumptions;
    json_t *list = json_array();
    for (size_t i = 0; i < of->count; i++)
        json_append(list, pack_assumption(&of->list[i]));
    json_add_document(JSON_ASSUME,
                      json_pack("{so so so so so so so so so so so so si}", "tool", json_text(of->tool), "when",
                                json_text(of->when), "device", pack_device(of), "seconds", json_number(of->seconds),
                                "seed", json_count(of->seed), "profile", json_text(of->profile), "environment",
                                pack_text(of->environment), "database", json_text(of->database), "run",
                                json_count((uint64_t)of->run), "planted_run", json_count((uint64_t)of->planted_run),
                                "answers", pack_answers(of), "assumptions", list, "exit_code",
                                assumptions_exit_code(of)),
                      text);
}
