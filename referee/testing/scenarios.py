"""The scenario runner: test cases of a ruleset as TOML files, run and reported."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from referee.parsing.items import Parsed, Unparsed
from referee.parsing.reader import reader_of
from referee.rules.extras import extras_of
from referee.rules.ruleset import Grammar, ReadOrders, Ruleset, UserError

Rulesets = Mapping[str, Ruleset[Any, Any]]
"""The available rulesets by their keys."""

_FILE_KEYS: Final = frozenset({"ruleset", "case"})
_CASE: Final = "case"


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a file; *fault* is the reason if it cannot be run."""

    file: Path
    name: str
    ruleset: str
    content: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""
    table: str = _CASE
    """The table of the case in the file: ``case``, or one of the ruleset's own."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a case: one line for each difference, none if it passed."""

    case: Case
    differences: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether the case passed."""
        return not self.differences


def cases(paths: Sequence[Path], rulesets: Rulesets) -> tuple[Case, ...]:
    """Return the cases of scenario files, and of all ``*.toml`` files in folders.

    A file names its ruleset, or is in a folder named after it, or else is for the only ruleset that
    knows such cases. A fault of a path or a file becomes a case with that fault.
    """
    found: list[Case] = []
    for path in paths:
        files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        if not files:
            found.append(Case(path, "is empty", "", fault="this folder has no *.toml file"))
        for file in files:
            found += _cases_of(file, rulesets)
    return tuple(found)


def run_cases(paths: Sequence[Path], rulesets: Rulesets) -> tuple[Result, ...]:
    """Run all cases under *paths* and return their results in the same sequence."""
    return tuple(run_case(case, rulesets) for case in cases(paths, rulesets))


def run_case(case: Case, rulesets: Rulesets, reading: ReadOrders | None = None) -> Result:
    """Run one case; a fault of the case itself is among the differences."""
    if case.fault:
        return Result(case, (case.fault,))
    rules = rulesets[case.ruleset]
    scenarios = extras_of(rules).scenarios
    if scenarios is None:
        return Result(case, (f"the ruleset {case.ruleset} runs no scenarios",))
    read = reading or OrderReading()
    try:
        if case.table != _CASE:
            return Result(case, tuple(scenarios.tables[case.table](case.content)))
        return Result(case, tuple(scenarios.run(case.content, rules, read)))
    # Scripted dice that do not fit raise a plain ValueError, the base class of UserError.
    except ValueError as mistake:
        return Result(case, (str(mistake),))


def report(results: Sequence[Result], write: Callable[[str], None]) -> bool:
    """Write every failure with its differences, and last ``N passed, M failed``, line by line.

    Return True if all cases passed.
    """
    for result in results:
        if not result.passed:
            write(f"{result.case.file}: {result.case.name}")
            cite = result.case.content.get("cite")
            if cite:
                write(f"  rule: {cite}")
            for difference in result.differences:
                write(f"  {difference}")
    failed = sum(not result.passed for result in results)
    write(f"{len(results) - failed} passed, {failed} failed")
    return failed == 0


class OrderReading:
    """A reader of order texts with any grammar."""

    def __call__(self, grammar: Grammar, text: str) -> tuple[Any, ...]:
        """Return the orders in *text*. Raises UserError, with line and column, if it cannot."""
        return tuple(item.order for item in self.parsed(grammar, text))

    def parsed(self, grammar: Grammar, text: str) -> Iterator[Parsed]:
        """Yield the orders in *text* with their own texts. Raises the same as a call."""
        for item in reader_of(grammar).read(text):
            if isinstance(item, Unparsed):
                raise UserError(
                    f'line {item.line}, column {item.column}: "{item.text}": {item.reason} To '
                    "test that, list the text under unparsed."
                )
            yield item


def _cases_of(file: Path, rulesets: Rulesets) -> Iterator[Case]:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        ruleset = _ruleset(file, content, rulesets)
        tables = {key: _parts(content, key) for key in _tables(content, rulesets[ruleset])}
    except OSError as error:
        yield Case(file, "cannot be read", "", fault=str(error.strerror))
    except UnicodeDecodeError as error:
        yield Case(file, "cannot be read", "", fault=f"byte {error.start} is not UTF-8")
    except ValueError as error:
        yield Case(file, "is not a scenario file", "", fault=str(error))
    else:
        for table, parts in tables.items():
            for number, part in enumerate(parts, 1):
                yield _case(file, ruleset, f"{table} {number}", part, table)


def _case(file: Path, ruleset: str, place: str, content: Mapping[str, Any], table: str) -> Case:
    name = content.get("name")
    if name is None and table != _CASE:
        name = place
    if not isinstance(name, str) or not name:
        return Case(file, place, ruleset, fault="name: a case needs a name, in quotes")
    return Case(file, name, ruleset, content, table=table)


def _tables(content: Mapping[str, Any], rules: Ruleset[Any, Any]) -> list[str]:
    """Return the tables of a file. Raises UserError if one is unknown or all are empty."""
    own = frozenset(getattr(extras_of(rules).scenarios, "tables", ()))
    for key in content:
        if key not in _FILE_KEYS | own:
            keys = _listed(_FILE_KEYS | own)
            raise UserError(f'"{key}" is not a key of a file; the keys are {keys}')
    found = [key for key in content if key in own | {_CASE} and content[key] != []]
    if not found:
        raise UserError("expected a case: each begins with the line [[case]]")
    return found


def _parts(content: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the tables of one kind in a file. Raises UserError if they are not tables."""
    parts = content[key]
    if not isinstance(parts, list) or not all(isinstance(part, Mapping) for part in parts):
        raise UserError(f"{key}: each {key} begins with the line [[{key}]]")
    return parts


def _ruleset(file: Path, content: Mapping[str, Any], rulesets: Rulesets) -> str:
    """Return the key of a file's ruleset. Raises UserError if it cannot be determined."""
    named = content.get("ruleset")
    if named is not None:
        if isinstance(named, str) and named in rulesets:
            return named
        raise UserError(
            f"ruleset: {named!r} is not installed; the rulesets are {_listed(rulesets)}"
        )
    for folder in file.absolute().parents:
        if folder.name.replace("-", "_") in rulesets:
            return folder.name.replace("-", "_")
    if len(rulesets) == 1:
        return next(iter(rulesets))
    fitting = [key for key, rules in rulesets.items() if _fits(content, rules)]
    if len(fitting) == 1:
        return fitting[0]
    raise UserError(
        f'ruleset: name one, such as ruleset = "starweb"; the rulesets are {_listed(rulesets)}'
    )


def _fits(content: Mapping[str, Any], rules: Ruleset[Any, Any]) -> bool:
    """Return whether the cases or tables of a file have the form of this ruleset's."""
    scenarios = extras_of(rules).scenarios
    if scenarios is None:
        return False
    parts = content.get(_CASE)
    if isinstance(parts, list) and parts and isinstance(parts[0], Mapping):
        return bool(scenarios.fits(parts[0]))
    return bool(content.keys() & scenarios.tables.keys())


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
