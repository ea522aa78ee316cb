// SPDX-License-Identifier: Apache-2.0
/* What a gate tells on its way. */
#include "cli/gate/gate_terminal.h"

#include "base/terminal/terminal.h"
#include "cli/complaint.h"
#include "cli/judged_again.h"
#include "cli/print/notices.h"
#include "cli/print/run_output.h"
#include "cli/tests.h"

static void tell(const char *line)
{
    terminal_write(stderr, line);
}

static int run(const struct run_options *options, const struct run_plan *plan, struct run_result *result)
{
    struct run_output output = {.quiet = true};
    return run_output_run(&output, options, plan, result);
}

static void read_side(const struct side *side)
{
    (void)complain_of_unread("orchil gate", side);
}

const struct gate_listener gate_terminal = {.tell = tell,
                                            .select = tests_select,
                                            .planned = notices_print,
                                            .run = run,
                                            .read = read_side,
                                            .prepare = judged_again_prepare};

void gate_terminal_attach(struct gate_request *request, const struct verb_arguments *tests, int argc, char **argv,
                          struct provenance *provenance)
{
    provenance_find(argc, argv, provenance);
    request->tests = tests->list;
    request->test_count = tests->count;
    request->listener = &gate_terminal;
    request->provenance = provenance;
}
