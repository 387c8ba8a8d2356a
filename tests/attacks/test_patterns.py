"""Every pattern of the package takes time that grows with its text, not with the square of it."""

import ast
import importlib
import pkgutil
import re
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from lark import Lark

import referee
from referee.parsing.fast_path import FLAGS
from referee.resources import folder
from tests.support.examples import is_few

PACKAGE: Final = Path(referee.__file__).parent
SEARCHES: Final = frozenset({"findall", "finditer", "search", "split", "sub", "subn"})
MATCHES: Final = frozenset({"fullmatch", "match"})
_CALL: Final = re.compile(rf"\b(\w+)\.({'|'.join(sorted(SEARCHES | MATCHES))})\b")
REPEATED: Final = (
    *" \t\n\u00a0\u3000\u200b\x00aAZ019éß",
    *"-_.,;:=/\\|+*#&%$!?@~^`'\"()[]{}<>",
    *(
        "\r\n",
        "()",
        "[]",
        "[a",
        "[SW-1",
        "[a T1 ",
        "[a]",
        "<a>",
        "<a",
        "(a",
        "(1",
        "(1,",
        "a ",
        " a",
        "1 ",
        "a1",
        "1a",
    ),
    *("1,", ", ", "A B ", "a.", "a@", "a-", "- ", "> ", ": ", "=?", "?=", '\\"', "\\a", '"a'),
    *("F1", "W1 ", "T1 ", "SW-1 ", "1T", "0.0", "12:00 ", "2026-09-01 ", "a=b;", "a; ", "On "),
    *("wrote:", "re: ", "&#1;", "<br", "<!--", "**", "* ", "__", "--", "=== ", "_ ", "''", "a/b/"),
    *("\n\n", "a\n", " \n", "\n ", ">\n", "\n> ", "-\n", "--\n", "=\n", "\n:", "a\n\n", "\n--"),
)
"""What an attacker repeats in a letter."""
AROUND: Final = (("", "\x01"), ("x", "!"), ("\n[", " x"))
"""The text before and after it, so that the pattern nearly fits."""


SHORT: Final = (12, 15, 18, 21, 24, 36, 54, 81, 122, 183, 275)
"""Lengths that grow slowly, so that a pattern without any limit is found before it never ends."""
LONG: Final = 2_500
"""The length at which the square of it is seen."""
MOST: Final = 10_000
NOISE: Final = 700_000
"""The nanoseconds that tell nothing: below them a pattern counts as linear."""
TOGETHER: Final = 20
"""How many texts are looked at together."""
ENOUGH: Final = 50_000_000
"""The nanoseconds after which growth is not measured any further."""


class Hostile(NamedTuple):
    """A text that is as long as one wants."""

    before: str
    repeated: str
    after: str

    def text(self, length: int) -> str:
        """Return the text with *length* characters between its ends."""
        return self.before + (self.repeated * length)[:length] + self.after


INPUTS: Final = tuple(
    Hostile(before, repeated, after) for repeated in REPEATED for before, after in AROUND
)

WORST: Final = tuple(
    Hostile("x", repeated, "!")
    for repeated in (*" a1[(.\n", "A B ", "[a", "1,", "> ", "a@", "a b: ")
    if repeated in REPEATED
)
"""The texts that patterns break at most often."""


class Use(NamedTuple):
    """A pattern, and the methods by which the package uses it."""

    pattern: "re.Pattern[Any]"
    methods: frozenset[str]


@cache
def sources() -> Mapping[str, str]:
    """Return the text of every module, by its name."""
    found = pkgutil.walk_packages([str(PACKAGE)], "referee.")
    names = [each.name for each in found if not each.name.endswith("__main__")]
    modules = {name: importlib.import_module(name) for name in names}
    return {name: Path(str(each.__file__)).read_text() for name, each in modules.items()}


@cache
def methods(module: str = "") -> Mapping[str, set[str]]:
    """Return the methods that are called on each name in a module, by default in all modules."""
    found: dict[str, set[str]] = defaultdict(set)
    for text in [sources()[module]] if module else sources().values():
        for owner, method in _CALL.findall(text):
            found[owner].add(method)
    return found


def uses() -> Iterator[tuple[str, Use]]:
    """Yield every pattern of the package with the place where it is."""
    for name, text in sources().items():
        for key, value in vars(importlib.import_module(name)).items():
            called = frozenset(methods(name if key.startswith("_") else "").get(key, ()))
            # A pattern that is only passed on is used by a scanner, at its place in the text.
            for pattern in patterns_in(value):
                yield f"{name}.{key}", Use(pattern, called or MATCHES)
        yield from ((f"{name}:{line}", use) for line, use in inline(text))
    yield from ((f"grammars: {name}", Use(each, MATCHES)) for name, each in terminals())


def patterns_in(value: object, depth: int = 4) -> Iterator["re.Pattern[Any]"]:
    """Yield the patterns in a value of a module, which can be in collections and dataclasses."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, type) or not depth:
        return
    elif isinstance(value, Mapping):
        yield from patterns_in((*value, *value.values()), depth)
    elif isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from patterns_in(each, depth - 1)
    elif hasattr(value, "__dataclass_fields__"):
        parts = tuple(getattr(value, name, None) for name in value.__dataclass_fields__)
        yield from patterns_in(parts, depth)


def inline(text: str) -> Iterator[tuple[int, Use]]:
    """Yield the patterns that are written in a call of ``re``, with their lines."""
    called = any(owner == "re" for owner, _ in _CALL.findall(text))
    for node in ast.walk(ast.parse(text)) if called else ():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if getattr(node.func.value, "id", "") != "re" or not isinstance(node.args[0], ast.Constant):
            continue
        flags = [
            each for each in ast.walk(node) if getattr(getattr(each, "value", 0), "id", "") == "re"
        ]
        named = [getattr(re, each.attr) for each in flags if isinstance(each, ast.Attribute)]
        flag = sum(each for each in named if isinstance(each, re.RegexFlag))
        name = node.func.attr
        if isinstance(node.args[0].value, str | bytes) and name in SEARCHES | MATCHES:
            yield node.lineno, Use(re.compile(node.args[0].value, flag), frozenset({name}))


def terminals() -> Iterator[tuple[str, "re.Pattern[str]"]]:
    """Yield every terminal of every grammar."""
    grammars = folder("grammars")
    for path in sorted(Path(str(grammars)).glob("*.lark")):
        rules = re.findall(r"(?m)^([a-z_]+)\s*:", path.read_text())
        if not rules:
            continue
        parser = Lark(path.read_text(), start=rules, import_paths=[str(grammars)])
        for each in parser.terminals:
            yield f"{path.stem} {each.name}", re.compile(each.pattern.to_regexp(), FLAGS)


def calls(use: Use) -> Iterator[Callable[[Any], object]]:
    """Yield the ways in which the package uses a pattern."""
    for name in use.methods & MATCHES:
        yield getattr(use.pattern, name)
    if use.methods & SEARCHES:
        yield lambda text: deque(use.pattern.finditer(text), maxlen=0)


def steep(use: Use, inputs: tuple[Hostile, ...] = INPUTS) -> list[Hostile]:
    """Return the first text, if any, for which the pattern takes too long.

    What takes much more than twice as long for twice the text, every time, is too long. A call that
    is done within the noise is not looked at again.
    """
    kind = type(use.pattern.pattern)
    for call in calls(use):
        for length in (*SHORT, LONG):
            for hostile in _slow(call, kind, inputs, length):
                # What slows the machine down for a moment does not do so twice.
                if all(_grows(call, partial(_text, hostile, kind), length) for _ in range(2)):
                    return [hostile]
    return []


def _slow(
    call: Callable[[Any], object], kind: type, inputs: tuple[Hostile, ...], length: int
) -> Iterator[Hostile]:
    """Yield the texts of a length that take more than the noise; most do not, even together."""
    texts = _texts(kind, inputs, length)
    for at in range(0, len(texts), TOGETHER):
        some = texts[at : at + TOGETHER]
        if cost(lambda each: deque(map(call, each), maxlen=0), some) > NOISE:
            yield from (inputs[at + n] for n, text in enumerate(some) if cost(call, text) > NOISE)


@cache
def _texts(kind: type, inputs: tuple[Hostile, ...], length: int) -> Sequence[Any]:
    return [_text(hostile, kind, length) for hostile in inputs]


def _text(hostile: Hostile, kind: type, length: int) -> Any:
    text = hostile.text(length)
    return text if kind is str else text.encode()


def _grows(call: Callable[[Any], object], text: Callable[[int], Any], length: int) -> bool:
    """Return whether the time grows faster than the text, from *length* on.

    A repeat with a bound grows like the square only up to its bound.
    """
    ends = text(length * 2 // 3), text(length)
    if growth(call, *ends, runs=1) > 8 and growth(call, *ends) > 8:
        return True
    while length < MOST:
        ends = text(length), text(2 * length)
        if growth(call, *ends, runs=1) < 2.3 or growth(call, *ends) < 2.7:
            return False
        length *= 2
        if cost(call, text(length)) > ENOUGH:
            return True
    return True


def growth(call: Callable[[Any], object], short: Any, long: Any, runs: int = 3) -> float:
    """Return by how much longer the call takes for *long*, by the shortest of several runs."""
    took = [min(cost(call, text) for _ in range(runs)) for text in (short, long)]
    return took[1] / max(took[0], 1)


def cost(call: Callable[[Any], object], text: Any) -> int:
    """Return the processor time of one call, in nanoseconds."""
    began = time.thread_time_ns()
    call(text)
    return time.thread_time_ns() - began


@cache
def every_use() -> Sequence[tuple[str, Use]]:
    """Return every pattern once, with the first place where it is."""
    each: dict[tuple[Any, int, frozenset[str]], tuple[str, Use]] = {}
    for place, use in uses():
        each.setdefault((use.pattern.pattern, use.pattern.flags, use.methods), (place, use))
    return tuple(each.values())


@pytest.mark.slow
def test_every_pattern_is_linear() -> None:
    assert len(every_use()) > 250
    faults = {
        place: found
        for number, (place, use) in enumerate(every_use())
        if (found := steep(use, hostile(number)))
    }
    assert faults == {}


def hostile(number: int) -> tuple[Hostile, ...]:
    """Return the inputs of a pattern: all, or with few examples each repeated text once."""
    return INPUTS[number % len(AROUND) :: len(AROUND)] if is_few() else INPUTS


def test_there_are_300_hostile_inputs() -> None:
    assert len(set(INPUTS)) >= 300
    assert set(WORST) <= set(INPUTS)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    "pattern",
    [r"\s*x", r"a*a*$", r"(a*)*$", r"(a+)+$", r"\[[^\]]*b", r"\s*x\s*y?\s*$", r"\s*\w+?\s*\]"],
)
def test_a_pattern_that_is_not_linear_is_found(pattern: str) -> None:
    # A busy machine can hide it at one look, but not at each.
    use = Use(re.compile(pattern), frozenset({"search"}))
    assert any(steep(use, WORST) for _ in range(5))


@pytest.mark.parametrize("pattern", [r"(?<!\s)\s*+x", r"[a-z]{1,40}x", r"\[[^\[\]]*b"])
def test_a_linear_pattern_is_not_found(pattern: str) -> None:
    assert steep(Use(re.compile(pattern), frozenset({"search"}))) == []
