"""Checks of plug-ins: rulesets, and casts that play them."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Final

from referee import plugins
from referee.doctor.report import CheckResult, fault, well
from referee.errors import Finding
from referee.plugins import thorough
from referee.plugins.loading import Loaded
from referee.plugins.origin import Kind, Origin
from referee.testing.casts import installed

Load = Callable[[Iterable[EntryPoint]], Loaded]


def look_at_rulesets(_settings: object = None) -> Iterator[CheckResult]:
    """Check every ruleset and every cast; each one from another package gets its own line."""
    yield from _found("rulesets", plugins.KIND, thorough.look)
    yield from _found("casts", installed.KIND, installed.casts_of)


def _found(word: str, kind: Kind, load: Load) -> Iterator[CheckResult]:
    points = [*entry_points(group=kind.group)]
    violent = [*_violent(kind, points, load)]
    places = {finding.place for finding in violent}
    loaded = load(point for point in points if Origin(kind, point).place not in places)
    findings = (*violent, *loaded.findings)
    # A fault and its plug-in have the entry point in common.
    faulty = {finding.place for finding in findings}
    sound = [each.origin for each in loaded.plugins if each.origin.place not in faulty]
    ours = [origin.key for origin in sound if origin.is_ours]
    yield well(f"{len(ours)} {word} included: {', '.join(ours)}")
    yield from (well(f"{origin}: usable") for origin in sound if not origin.is_ours)
    yield from (fault(f.what, f.remedy, f.label, f.place) for f in findings)


def _violent(kind: Kind, points: Iterable[EntryPoint], load: Load) -> Iterator[Finding]:
    """Yield the faults of plug-ins that would end or block the doctor."""
    for origin in (Origin(kind, point) for point in points):
        if origin.is_ours:
            continue
        top = origin.point.module.partition(".")[0]
        if words := _fault_in(partial(load, [origin.point]), top):
            yield origin.finding(words)


LONGEST_SECONDS: Final = 30.0
"""The longest time the import and the checks of one package can take."""
_FORK: Final = multiprocessing.get_context("fork")
_SPARE_SECONDS: Final = 5.0
"""The time in which a package that hangs is named, before its process is killed."""


def _fault_in(work: Callable[[], object], top: str) -> str:
    """Return how *work* ends or blocks a program, or "".

    *work* imports and checks the top-level package *top*, and does not raise. An import can end a
    program without an exception, wait for ever, or close the streams that the doctor writes to: in
    a process of its own, it does this only to itself.
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
