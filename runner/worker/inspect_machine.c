// SPDX-License-Identifier: Apache-2.0
/* From a built program to what its code says of the test. */
#include "runner/worker/inspect_machine.h"

#include "runner/inspect/inspect.h"
#include "runner/inspect/x86/disassemble_x86.h"

static enum kept take_result(struct inspection *inspection, struct text *reason)
{
    const enum kept kept = inspection->kept;
    text_add(reason, "%s", inspection->reason);
    inspection_release(inspection);
    return kept;
}

enum kept inspect_machine_code(const struct backend *backend, struct backend_session *session,
                               struct backend_program *program, const struct litmus_test *test,
                               const struct kernel *kernel, struct text *reason)
{
    struct text object = {0}, text = {0};
    struct inspection inspection;
    struct error error;
    backend->machine_code(session, program, &object);
    if (object.size == 0)
        inspect_skip(&inspection, "the driver gives no machine code of the kernel");
    else if (disassemble_x86(&object, &text, &error) != STATUS_OK)
        inspect_skip(&inspection, error.text);
    else
        inspect_code(&(struct inspect_code){.machine = INSPECT_X86,
                                            .text = text_string(&text),
                                            .architecture = "",
                                            .first_line = kernel_unit_line(backend, 1)},
                     test, kernel, &inspection);
    text_release(&object);
    text_release(&text);
    return take_result(&inspection, reason);
}

enum kept inspect_machine_ptx(const struct backend *backend, const char *ptx, const struct litmus_test *test,
                              const struct kernel *kernel, struct text *reason)
{
    struct inspection inspection;
    inspect_code(
        &(struct inspect_code){
            .machine = INSPECT_PTX, .text = ptx, .architecture = "", .first_line = kernel_unit_line(backend, 1)},
        test, kernel, &inspection);
    return take_result(&inspection, reason);
}
