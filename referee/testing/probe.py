"""A probe around a ruleset, which ends functions that hang and records exceptions and changes."""

import dataclasses
import linecache
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

from referee.domain.ruleset_results import WrongResult, checked_result
from referee.errors import StateUnreadable
from referee.plugins.thorough import checked_rulesets
from referee.rules.extras import Extras
from referee.rules.ruleset import Resolution, Ruleset, UserError
from referee.store.database.codec import decode, encode

LONGEST_SECONDS: Final = 30.0
"""The longest time a function of a ruleset can take before it counts as hanging."""
_SHOWN: Final = 60
_REMEDY: Final = (
    "annotate the fields of the state with full types, such as dict[Seat, Player] or "
    'frozenset[int]; "What a state may hold" in docs/ruleset-reference.md lists what can be stored'
)

Rules = Ruleset[Any, Any]


class RulesHung(KeyboardInterrupt):
    """A function of a ruleset did not return. The supervisor lets an interrupt pass.

    Its text is its note, too.
    """

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.add_note(words)


class Noting:
    """A context that adds a note to an exception: what raised it, and where.

    A UserError gets no note, because it already has a message. *record* is called with the note,
    too.
    """

    def __init__(self, what: str, rules: Rules, record: Callable[[str], object] = bool) -> None:
        self._what, self._rules, self._record = what, rules, record

    def __enter__(self) -> None:
        """Begin to wait for an exception."""

    def __exit__(self, _kind: object, error: BaseException | None, _frames: object) -> None:
        """Add the note to the exception."""
        if isinstance(error, Exception | SystemExit) and not isinstance(error, UserError):
            # A wrong result already names the function, and was found outside of the package.
            found = isinstance(error, WrongResult)
            note = str(error) if found else f"{self._what} raised {raised(error, self._rules)}"
            error.add_note(note)
            self._record(note)


class RulesProbe:
    """A ruleset with a time limit for each function, and a record of its exceptions.

    An exception is raised again, with a note that says which function raised it, and where. It also
    records that the store does not return the state of a new game unchanged; with *checks_states*,
    of every turn, and a function that changes the state it was given.
    """

    def __init__(self, rules: Rules, *, checks_states: bool = False) -> None:
        self._rules: Rules = rules._rules if isinstance(rules, RulesProbe) else rules
        self._checks_states = checks_states
        self.faults: list[str] = []
        """The faults, one line each and each once, in the sequence in which they occurred."""

    # Python's own property has a setter, which nobody needs here.
    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        """The class of the ruleset, which is named in reports of its faults."""
        return type(self._rules)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._rules, name)
        if name == "extras":
            return self._watched(found)
        if name.startswith("_") or isinstance(found, type) or not callable(found):
            return found
        return lambda *args: self._call(name, found, args)

    def _watched(self, extras: Extras) -> Extras:
        """Return the extras with a robot that has the same time limit and record."""
        robot = extras.robot
        if robot is None:
            return extras
        return dataclasses.replace(extras, robot=lambda *args: self._call("robot", robot, args))

    def _call(self, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        state = args[0] if args and isinstance(args[0], self._rules.state_type) else None
        before = self._digest(state)
        result = self._result(name, function, args)
        if before != self._digest(state):
            self._record(f"{name} changed the state that it was given; it must return a new one")
        if self._checks_states or name == "setup":
            for made in _states(result, self._rules.state_type):
                for fault in storing(self._rules, made):
                    self._record(f"the state that {name} returns: {fault}")
        return result

    def _result(self, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        what = f"{name} of the ruleset {self._rules.info.key}"
        with Noting(what, self._rules, self._record), _time_limit(what, self._rules):
            return checked_result(self._rules, name, function(*args), args)

    def _digest(self, state: Any) -> str:
        if state is None or not self._checks_states:
            return ""
        try:
            return encode(state).digest
        except TypeError:
            return ""

    def _record(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)


def tried_rulesets() -> dict[str, Any]:
    """Return the installed rulesets by their keys, checked like at a start, each in a probe.

    They are for the commands that an author tries them with: a note on an exception is the error
    of the command. Raises PluginError with all faults.
    """
    return dict(probed(checked_rulesets()))


def probed(rulesets: Mapping[str, Rules]) -> dict[str, RulesProbe]:
    """Return a probe around each of the rulesets, by their keys."""
    return {
        key: rules if isinstance(rules, RulesProbe) else RulesProbe(rules)
        for key, rules in rulesets.items()
    }


def storing(rules: Rules, state: Any) -> Iterator[str]:
    """Yield the differences of a state after it was stored and read again."""
    try:
        stored = encode(state)
        again = decode(stored.content, rules.state_type)
    except TypeError as error:
        yield f"it cannot be stored: {error}; {_REMEDY}"
        return
    except StateUnreadable as error:
        yield f"it cannot be read from the store: {error}; {_REMEDY}"
        return
    if again != state:
        yield from differences("the state", state, again, _as_stored)
    elif encode(again).digest != stored.digest:
        yield "the same state, stored twice, has two digests"


def raised(error: BaseException, rules: Rules) -> str:
    """Return an exception in words: its type and text, and its place in the package of *rules*."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_own(frame.filename, rules)] or frames
    words = f"{type(error).__name__}: {error}".removesuffix(": ")
    if not own:
        return words
    last = own[-1]
    return f"{words} ({_place(last.filename, last.lineno or 0, last.name)})"


def running_in(rules: Rules) -> list[str]:
    """Return the places in the package of *rules*, which hangs, where threads are now."""
    return [found for frame in sys._current_frames().values() if (found := _at(frame, rules))]


@contextmanager
def _time_limit(what: str, rules: Rules) -> Iterator[None]:
    """Raise RulesHung in code that takes too long, which works only in the main thread.

    The time on the wall counts, because code that waits hangs as well as code that computes.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def end(_number: int, frame: FrameType | None) -> None:
        at = _at(frame, rules)
        raise RulesHung(
            f"{what} has not returned after {LONGEST_SECONDS:g} seconds"
            f"{f' ({at})' if at else ''}; check there for a loop or a wait that never ends"
        )

    usual = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


def _at(frame: FrameType | None, rules: Rules) -> str:
    """Return the innermost place of a stack that is in the package of *rules*, or ""."""
    while frame is not None:
        if _is_own(frame.f_code.co_filename, rules):
            return _place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        frame = frame.f_back
    return ""


def _is_own(file: str, rules: Rules) -> bool:
    """Return whether a file is in the package of the class of *rules*."""
    module = sys.modules[rules.__class__.__module__]
    home = Path(getattr(module, "__file__", None) or "?")
    if module.__package__:
        return Path(file).is_relative_to(home.parent)
    return Path(file) == home


def _place(file: str, line: int, function: str) -> str:
    code = linecache.getline(file, line).strip()
    short = "/".join(Path(file).parts[-2:])
    return f"{short}, line {line}, in {function}: {code}" if code else f"{short}, line {line}"


def _states(result: Any, state_type: type[Any]) -> Iterator[Any]:
    """Yield the states in a function's result: itself, of a turn, or of a correction."""
    made = result.state if isinstance(result, Resolution) else result
    for each in made if isinstance(made, tuple) else (made,):
        if isinstance(each, state_type):
            yield each


Compared = Callable[[str, str, str], str]
"""Returns a difference in words, from its path and the two values."""


def _as_stored(path: str, before: str, after: str) -> str:
    return f"{path} is stored as {before} and read as {after}; {_REMEDY}"


def differences(path: str, before: Any, after: Any, words: Compared) -> Iterator[str]:
    """Yield the fields in which two states differ that should be equal."""
    if dataclasses.is_dataclass(before) and type(before) is type(after):
        names = [field.name for field in dataclasses.fields(before)]
        pairs = [(f"{path}.{n}", getattr(before, n), getattr(after, n)) for n in names]
        unequal = [pair for pair in pairs if pair[1] != pair[2]]
        inner = [each for pair in unequal for each in differences(*pair, words)]
        yield from inner or [f"{path}: two {type(before).__name__} with equal fields are not equal"]
    elif isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        for key, value in before.items():
            if value != after[key]:
                yield from differences(f"{path}[{key!r}]", value, after[key], words)
    else:
        yield words(path, _short(before), _short(after))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
