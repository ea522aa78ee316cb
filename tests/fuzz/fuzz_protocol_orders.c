// SPDX-License-Identifier: Apache-2.0
/* Any line that a worker gets is refused with a reason, or is an order for a job that ends. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/protocol/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

/* An order that was read and is sent again is the same order. */
static void check_order(uint64_t order, const struct job *job)
{
    struct text text = {0};
    struct litmus_test *test = NULL;
    struct job again;
    struct error error;
    uint64_t order_again;
    demand(job->extent.instances > 0 || job->extent.seconds > 0 || job->deadline > 0);
    demand(job->extent.seconds >= 0 && job->deadline >= 0 && job->done_seconds >= 0);
    litmus_print(job->test, &text);
    char *line = protocol_request(order, job, text_string(&text), "again");
    demand(protocol_read_request(line, strlen(line), &order_again, &again, &test, &error) == STATUS_OK);
    demand(order_again == order && again.seed == job->seed && again.key == job->key);
    demand(again.extent.instances == job->extent.instances && again.done_instances == job->done_instances);
    demand(again.extent.resident_groups == job->extent.resident_groups && again.done_batches == job->done_batches);
    litmus_release(test);
    text_release(&text);
    free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct litmus_test *test = NULL;
    struct job job;
    struct error error = {.text = ""};
    uint64_t order;
    if (protocol_read_request((const char *)bytes, size, &order, &job, &test, &error) == STATUS_OK)
        check_order(order, &job);
    else
        demand(error.text[0] && !test);
    litmus_release(test);
    return 0;
}
