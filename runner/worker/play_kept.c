// SPDX-License-Identifier: Apache-2.0
/* Whether the test is kept in the code that was built. */
#include <stdlib.h>

#include "base/memory.h"
#include "inspect/ptx/compiled_ptx.h"
#include "runner/worker/inspect_machine.h"
#include "runner/worker/job_play.h"

/* Inspects the code for one device: the job's, or a member of its ensemble. ptx: the build's output
 * for it. */
static enum kept find_part(const struct job_play *running, const struct backend_device *device, unsigned member,
                           const char *ptx, struct text *reason)
{
    const struct job_session *session = running->session;
    const struct backend *backend = session->backend, *its = backend_find(device->backend);
    const struct litmus_test *test = running->job->test;
    const struct kernel *kernel = &running->kernels[member];
    struct text object = {0};
    if (its->invent_kept)
        return backend->invent_kept(session->session, running->program, member, reason);
    if (!job_play_is_replay(running) && compiled_ptx_is(kernel, ptx))
        return inspect_machine_ptx(its, device, ptx, test, kernel, reason);
    if (its->machine_code && job_play_is_replay(running)) { /* its lines may be of another text */
        text_add(reason, "the kernel is replayed");
        return TEST_NOT_INSPECTED;
    }
    if (its->machine_code) {
        backend->machine_code(session->session, running->program, member, &object);
        const struct inspected_machine machine = {its, device, test, kernel, ptx, &object};
        const enum kept kept = inspect_machine_code(&machine, session->cache, reason);
        text_release(&object);
        return kept;
    }
    text_add(reason, "orchil cannot read the code of %s", its->title);
    return TEST_NOT_INSPECTED;
}

enum kept job_play_find_kept(const struct job_play *running, const char *binary, struct text *reason)
{
    const struct backend_device *device = &running->session->device;
    enum kept worst = TEST_KEPT;
    if (running->agents < 2)
        return find_part(running, device, 0, binary, reason);
    for (unsigned k = 0; k < running->agents; k++) {
        size_t size = 0;
        const char *part = backend_member_part(binary, k, &size);
        char *ptx = memory_copy_part(part ? part : "", size);
        struct text why = {0};
        const enum kept kept = find_part(running, &device->members[k], k, ptx, &why);
        if (kept != TEST_KEPT && (k == 0 || kept_join(kept, worst) != worst)) {
            worst = kept_join(kept, worst);
            text_clear(reason);
            text_add(reason, "member %u, %s: %s", k, device->members[k].name, text_string(&why));
        }
        text_release(&why);
        free(ptx);
    }
    return worst;
}
