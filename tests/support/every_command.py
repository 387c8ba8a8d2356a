"""Every command, run in a process of its own, as a user who has few rights."""

import codecs
import importlib
import multiprocessing
import os
import pkgutil
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from click.testing import CliRunner

import referee
from referee.cli import main
from referee.plugins import installed_rulesets

NOBODY: Final = 65534
SECONDS: Final = 60
_LETTER: Final = b"From: a@example.org\r\n\r\nHELP\r\n"
_FORK: Final = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: status, output, and the traceback that a user would have seen."""

    command: tuple[str, ...]
    status: int
    output: str
    trace: str


def is_root() -> bool:
    """Return whether commands can be run as another user."""
    return os.geteuid() == 0


def run_all(
    commands: Sequence[Sequence[str]], folder: Path, *, and_delete: bool = False
) -> list[Ended]:
    """Run the commands one after the other in *folder*, as nobody if this is root.

    With *and_delete*, the empty folder is deleted before.
    """
    _import_everything()
    here, there = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_serve, args=(there, commands, folder, and_delete))
    child.start()
    there.close()
    try:
        assert here.poll(SECONDS), "a command did not end"
        ended: list[Ended] = here.recv()
    finally:
        child.kill()
        child.join()
    return ended


def _serve(
    results: Connection,
    commands: Sequence[Sequence[str]],
    folder: Path,
    and_delete: bool,
) -> None:
    os.chdir(folder)
    if and_delete:
        folder.rmdir()
    for name in [name for name in os.environ if name.startswith("REFEREE_")]:
        del os.environ[name]
    if is_root():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    results.send([_run(tuple(command)) for command in commands])


@cache
def _import_everything() -> None:
    """Import what commands import when they are called: root's Python can be closed to others."""
    for module in pkgutil.walk_packages(referee.__path__, "referee."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    installed_rulesets()
    for name in ("ascii", "unicode-escape", "idna", "latin-1", "utf-16"):
        codecs.lookup(name)
    datetime.strptime("2026-09-01", "%Y-%m-%d").replace(tzinfo=UTC)


def _run(command: tuple[str, ...]) -> Ended:
    result = CliRunner().invoke(main, command, input=_LETTER)
    trace = ""
    if result.exc_info is not None and not isinstance(result.exception, SystemExit | None):
        trace = "".join(traceback.format_exception(*result.exc_info))
    return Ended(command, result.exit_code, result.output, trace)
