// SPDX-License-Identifier: Apache-2.0
/* The workers that run no jobs: they list a backend's devices, or explain the backend. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/ensemble/ensemble.h"
#include "base/json.h"
#include "runner/protocol/device_json.h"
#include "runner/worker/worker.h"

int worker_list(const struct backend *backend, const char *ensemble)
{
    struct backend_device *devices = NULL;
    struct error error = {0};
    size_t count = 0;
    json_t *answer;
    enum status status = ensemble ? ensemble_define(ensemble, &error) : STATUS_OK;
    if (status == STATUS_OK)
        status = backend->list(&devices, &count, &error);
    if (status == STATUS_OK) {
        json_t *list = json_array();
        for (size_t i = 0; i < count; i++)
            (void)json_array_append_new(list, device_to_json(&devices[i]));
        answer = json_pack("{s:o}", "devices", list);
    } else
        answer = json_pack("{s:o, s:s}", "error", json_text(error.text), "status",
                           status == STATUS_NO_DEVICE ? "none" : "failed");
    free(devices);
    /* The leading newline ends any line that a driver has printed. */
    const bool told = putchar('\n') != EOF && json_dumpf(answer, stdout, JSON_COMPACT) == 0 && putchar('\n') != EOF &&
                      fflush(stdout) == 0;
    json_decref(answer);
    return told ? 0 : status_exit_code(STATUS_SYSTEM);
}

int worker_explain(const struct backend *backend)
{
    struct text text = {0};
    backend->explain(&text);
    const bool told = fputs(text_string(&text), stdout) >= 0 && fflush(stdout) == 0;
    text_release(&text);
    return told ? 0 : status_exit_code(STATUS_SYSTEM);
}
