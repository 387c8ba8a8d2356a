"""A trial of a package in a process of its own, before the doctor itself imports the package.

What is imported can end the program without an exception, wait for ever, or close the streams that
the doctor writes to. In a process of its own it does this only to itself.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Final

LONGEST_SECONDS: Final = 30.0
"""The longest time the import and the checks of one package can take."""
_FORK: Final = multiprocessing.get_context("fork")
_SPARE_SECONDS: Final = 5.0
"""The time in which a package that hangs is named, before its process is killed."""


def fault_in(work: Callable[[], object], top: str) -> str:
    """Return how *work* ends or blocks a program, or "".

    *work* imports and checks the top-level package *top*, and does not raise.
    """
    here, there = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_run, args=(work, top, there))
    child.start()
    there.close()
    try:
        fault = here.recv() if here.poll(LONGEST_SECONDS + _SPARE_SECONDS) else _hung("")
    except EOFError:
        child.join(_SPARE_SECONDS)
        fault = f"it ended the program, with status {child.exitcode}, while it was checked"
    child.kill()
    child.join()
    return str(fault)


def _run(work: Callable[[], object], top: str, results: Connection) -> None:
    """Do the work in the child process, and send the fault."""

    def end(_number: int, frame: FrameType | None) -> None:
        results.send(_hung(_place(frame, top)))
        os._exit(1)

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)
    work()
    closed = [name for name in ("stdout", "stderr") if getattr(sys, name).closed]
    results.send(f"it closed sys.{closed[0]} while it was imported" if closed else "")
    # The exit of Python would flush what the parent has written, a second time.
    os._exit(0)


def _hung(place: str) -> str:
    return f"it has not returned after {LONGEST_SECONDS:g} seconds{place}, while it was checked"


def _place(frame: FrameType | None, top: str) -> str:
    """Return the innermost place of a stack that is in the package *top*, or ""."""
    while frame is not None:
        file = Path(frame.f_code.co_filename)
        if top in (*file.parts, file.stem):
            short = "/".join(file.parts[-2:])
            return f" ({short}, line {frame.f_lineno}, in {frame.f_code.co_name})"
        frame = frame.f_back
    return ""
