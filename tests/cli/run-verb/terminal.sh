# SPDX-License-Identifier: Apache-2.0
# On a terminal one line says how far a run is: drawn again while nothing else happens, as here in a build of three seconds,
# shorter than the terminal is wide, and gone at the end. What it prints to a file is not touched by it.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
python3 -c "import pty; pty.openpty()" 2>/dev/null || { echo "there is no pseudo-terminal, see /dev/pts" >&2; exit 77; }
cat >terminal.py <<'PYTHON'
import fcntl, os, pty, struct, sys, termios

def drawn(width, command):
    """What the command draws on a terminal that is so wide; its standard output goes to a file."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        os.dup2(os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), 1)
        os.environ["TERM"] = "xterm"
        os.execv(command[0], command)
    data = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError: # the end, on Linux
            part = b""
        if not part:
            break
        data += part
    os.waitpid(child, 0)
    return data.decode().split("\r\x1b[K")

width = int(sys.argv[1])
lines = drawn(width, sys.argv[2:])
building = [line for line in lines if "building" in line or "opening" in line]
print("first:", building[0])
print("drawn again while it builds:", len(building) >= 3)
print("percent and time:", any("%" in line and " left: " in line for line in building))
print("too wide:", [line for line in lines[1:] if len(line) >= width])
print("last:", repr(lines[-1]))
PYTHON
cat >slow.json <<'JSON'
{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}, "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}},
 "faults": [{"test": "SB+relaxed", "phase": "build", "do": "slow", "milliseconds": 3000}]}
JSON
export ORCHIL_SIMULATED=slow.json
python3 terminal.py 70 "$ORCHIL" run --device simulated --builders 0 --time 20 --instances 10k --seed 1 --json opencl:SB+relaxed
grep -o '"test":"[^"]*"' out
