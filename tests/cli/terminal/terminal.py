# SPDX-License-Identifier: Apache-2.0
"""Runs the program with its output in a pipe or on a pseudo-terminal."""
import fcntl
import os
import pty
import struct
import subprocess
import termios

STYLES = [b"\033[0m", b"\033[1m", b"\033[2m", b"\033[31m", b"\033[32m", b"\033[33m"]
REDRAW = b"\r\033[K"  # of the line of progress


def piped(command, **variables):
    """The exit code, standard output and standard error."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                          env={**os.environ, **variables}, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def on_terminal(command, columns=80, **variables):
    """The exit code and all that a terminal of that width gets, without what it adds to the ends of lines. None where this
    machine gives no terminals."""
    try:
        ours, theirs = pty.openpty()
    except OSError:
        return None
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm", **variables}
    environment.pop("COLUMNS", None)
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
                          start_new_session=True) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        code = process.wait()
    os.close(ours)
    return code, shown.replace(b"\r\n", b"\n")


def without_styles(shown):
    """What a terminal got, without the program's own escape sequences."""
    lines = [line.split(REDRAW)[-1] if REDRAW in line else line for line in shown.split(b"\n")]
    shown = b"\n".join(lines)
    for style in STYLES:
        shown = shown.replace(style, b"")
    return shown
