// SPDX-License-Identifier: Apache-2.0
/* The end of the program: whether all that was printed has arrived. */
#include "cli/print/finish.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal/terminal.h"

int finish_output(int code)
{
    const int why = fflush(stdout) == 0 ? 0 : errno;
    if (why == 0 && !ferror(stdout))
        return code;
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR)) {
        /* The reader has seen enough, like `head`: the usual end of a filter, without a message. */
        (void)signal(SIGPIPE, SIG_DFL);
        (void)raise(SIGPIPE);
    }
    terminal_print(stderr, "orchil: standard output cannot be written: %s\n",
                   why ? strerror(why) : "some of it was lost");
    return code != 0 ? code : EXIT_OUTPUT;
}
