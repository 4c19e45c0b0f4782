"""Runs a command on a pseudo-terminal of a size, and prints what it wrote there.

in-terminal.py COLUMNS LINES WIDTH HEIGHT COMMAND...    the width and height are in pixels, 0 where it knows none
"""
import fcntl
import os
import pty
import struct
import sys
import termios

columns, lines, width, height = (int(argument) for argument in sys.argv[1:5])
process, terminal = pty.fork()
if process == 0:
    size = struct.pack("HHHH", lines, columns, width, height)
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.execvp(sys.argv[5], sys.argv[5:])
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    # The terminal begins each line at its start.
    sys.stdout.buffer.write(data.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
