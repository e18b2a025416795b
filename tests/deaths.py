"""Bodies of processes that come to an end, for tests; imported by those processes, so it needs nothing of Django."""

import os
import signal
import struct


def die(send):
    os.kill(os.getpid(), signal.SIGKILL)


def die_in_the_middle_of_a_message(send):
    os.write(send.__self__.fileno(), struct.pack("!i", 1000) + b"not a thousand bytes")
    os.kill(os.getpid(), signal.SIGKILL)


def survive_stops(send):
    os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGINT)
    send(b"alive")
