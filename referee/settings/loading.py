"""Loading of settings: all errors at once, each with its line and a fix."""

import difflib
import os
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError as BadVariable

from referee.errors import Finding, ResourceError, SettingsError
from referee.settings.model import DatabaseSettings, Settings

KeyPath = tuple[str | int, ...]
"""The path of a setting: ``("imap", 0, "host")``."""

_HEADER = re.compile(r"\s*+(\[\[?+)([^\]]++)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*=""")


def lines_of(text: str) -> Mapping[KeyPath, int]:
    """Return the line, counted from 1, of every section and key of a valid TOML text.

    Keys inside inline tables and lists are left out; ``line_of`` returns the line of the whole
    value for them.
    """
    places: dict[KeyPath, int] = {}
    tables: Counter[str] = Counter()
    section: KeyPath = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            name = header[2].strip()
            section = _names(name)
            if header[1] == "[[":
                tables[name] += 1
                section = (*section, tables[name] - 1)
            places.setdefault(section, number)
        elif key := _KEY.match(line):
            places.setdefault((*section, *_names(key[1])), number)
    return places


def line_of(places: Mapping[KeyPath, int], path: KeyPath) -> int | None:
    """Return the line of *path*, or of the nearest section around it, or None."""
    for length in range(len(path), 0, -1):
        if path[:length] in places:
            return places[path[:length]]
    return None


def _names(dotted: str) -> KeyPath:
    return tuple(name.strip().strip("\"'") for name in dotted.split("."))


M = TypeVar("M", bound=BaseModel)

SECRETS = frozenset({"password_file", "secret_file", "url_file"})
COMMAND = "token_command"
_KINDS = ("smtp", "maildir")
_PREFIX = "REFEREE_"
# These belong to the command line and the tests; every other REFEREE_ name is a setting.
_OTHER_NAMES = frozenset({"REFEREE_SETTINGS", "REFEREE_REQUIRE_SERVERS"})


@dataclass(frozen=True, slots=True)
class _Source:
    """The settings file as read, for error messages."""

    file: Path
    values: dict[str, Any]
    lines: Mapping[KeyPath, int]


def load(file: Path) -> Settings:
    """Load the settings from *file* and the environment, which takes precedence.

    Relative paths start at the file's folder; files of secrets first at
    ``$CREDENTIALS_DIRECTORY``. Raises SettingsError with all errors.
    """
    source = _read(_absolute(file))
    findings = _unknown_names()
    try:
        settings = Settings(**source.values)
    except BadVariable as error:
        findings.append(Finding(f"environment variable: cannot be read: {error}", "use JSON"))
    except ValidationError as error:
        findings += [_finding(source, detail) for detail in error.errors()]
    if findings:
        raise SettingsError(*findings)
    return _anchored(settings, source.file.parent)


def _absolute(file: Path) -> Path:
    """Return the absolute path. Raises SettingsError if the working folder was deleted."""
    try:
        return file.absolute()
    except OSError as error:
        what, remedy = "settings: the working folder does not exist", "go to another one (cd /)"
        raise SettingsError(Finding(what, remedy, "file", str(file))) from error


def with_database(settings: Settings, url: str, password_file: Path | None) -> Settings:
    """Return the settings with another database. Raises SettingsError unless it is PostgreSQL."""
    remedy = "write postgresql+psycopg://USER@HOST/DATABASE, the password in --password-file"
    file = None if password_file is None else password_file.absolute()
    try:
        database = DatabaseSettings(url=url, password_file=file)
    except ValidationError as error:
        # The error message would repeat the URL, which may contain a password.
        what = f"database URL: {_reason(error.errors()[0])}"
        raise SettingsError(Finding(what, remedy)) from None
    if not url.startswith("postgresql"):
        raise SettingsError(Finding("database URL: only PostgreSQL is supported here", remedy))
    return settings.model_copy(update={"database": database})


def read_secret(file: Path, setting: str) -> str:
    """Return the first line of a password file. Raises ResourceError, which names *setting*."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise _secret_fault(f"cannot be read: {reason}", file, setting) from error
    if not lines or not lines[0]:
        raise _secret_fault("empty", file, setting)
    return lines[0]


def _secret_fault(problem: str, file: Path, setting: str) -> ResourceError:
    remedy = "write the password on its first line, readable only for the referee (chmod 600)"
    return ResourceError(Finding(f"{file}: {problem}", remedy, "setting", setting))


def _read(file: Path) -> _Source:
    try:
        text = file.read_text(encoding="utf-8")
        return _Source(file, tomllib.loads(text), lines_of(text))
    except OSError as error:
        remedy = "create one with `referee init`, or name yours with --settings"
        if isinstance(error, PermissionError):
            remedy = "run this as the referee's user (sudo -u referee), or name another one"
        what = f"settings: cannot be read: {error.strerror}"
        raise SettingsError(Finding(what, remedy, "file", str(file))) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        what, remedy = f"settings: line {line} is not UTF-8 text", "save the file as UTF-8"
        raise SettingsError(Finding(what, remedy, "file", str(file))) from error
    except tomllib.TOMLDecodeError as error:
        what = f"settings: not valid TOML: {error}"
        remedy = "fix that line; put text values in double quotes"
        raise SettingsError(Finding(what, remedy, "file", str(file))) from error


def _unknown_names() -> list[Finding]:
    known = [_PREFIX + name.upper() for name in Settings.model_fields]
    names = [name for name in os.environ if name.startswith(_PREFIX)]
    return [
        Finding(
            f"environment variable {name}: no such setting",
            _nearest(name, known) or "unset it",
            "setting",
            f"{name} in the environment",
        )
        for name in sorted(names)
        if name not in _OTHER_NAMES and name.partition("__")[0] not in known
    ]


def _nearest(wrong: str, names: list[str]) -> str:
    close = difflib.get_close_matches(wrong, names, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else ""


def _finding(source: _Source, detail: ErrorDetails) -> Finding:
    path = _without_tags(detail["loc"])
    name = _dotted(path, source.values)
    return Finding(
        _what(name, path, detail), _remedy(path, detail), "setting", _place(source, path, name)
    )


def _without_tags(loc: KeyPath) -> KeyPath:
    """Remove the kind of the table, which is not part of the setting's name."""
    tagged = len(loc) > 1 and loc[0] == "sending" and loc[1] in _KINDS
    return (loc[0], *loc[2:]) if tagged else loc


def _dotted(path: KeyPath, values: dict[str, Any]) -> str:
    """Return the name of a setting for messages; a repeated section appears by its own name."""
    words: list[str] = []
    here: Any = values
    for part in path:
        try:
            here = here[part]
        except (LookupError, TypeError):
            here = None
        if isinstance(part, int):
            named = here.get("name") if isinstance(here, dict) else None
            words.append(named if isinstance(named, str) else str(part + 1))
        else:
            words.append(part)
    return ".".join(words)


def _what(name: str, path: KeyPath, detail: ErrorDetails) -> str:
    if not path:
        return f"settings: {_reason(detail)}"
    if detail["type"] == "missing":
        return f"{name}: missing"
    if detail["type"] == "extra_forbidden":
        return f"{name}: no such setting"
    value = detail["input"]
    # The URL of a database may contain a password by mistake.
    if isinstance(value, (str, int, float)) and path[-1] != "url":
        return f"{name}: {value!r} is not valid: {_reason(detail)}"
    return f"{name}: not valid: {_reason(detail)}"


def _reason(detail: ErrorDetails) -> str:
    if detail["type"].startswith("union_tag"):
        return "use one of these kinds: " + ", ".join(_KINDS)
    if detail["type"] == "path_type":
        return "not the name of a file or folder"
    text = detail["msg"].removeprefix("Value error, ")
    return text[:1].lower() + text[1:]


def _remedy(path: KeyPath, detail: ErrorDetails) -> str:
    if detail["type"] == "extra_forbidden":
        names = sorted(_fields(path[:-1]).keys() - {path[-1]})
        near = _nearest(str(path[-1]), names)
        return near or f"remove it; the settings here are {', '.join(names)}"
    field = _field(path)
    if field is None:
        return "change one of them"
    if field.examples:
        example = str(field.examples[0]).replace("'", '"')
        quoted = f'"{example}"' if isinstance(field.examples[0], str) else example
        name = [part for part in path if isinstance(part, str)][-1]
        return f"set {field.description}; for example: {name} = {quoted}"
    return f"set {field.description}; see the file that `referee init` writes"


def _field(path: KeyPath) -> FieldInfo | None:
    names = [part for part in path if isinstance(part, str)]
    fields = _fields(tuple(names[:-1]))
    return fields.get(names[-1]) if names else None


def _fields(path: KeyPath) -> dict[str, FieldInfo]:
    """Return the settings of the section at *path*, including all its kinds."""
    models: list[type[BaseModel]] = [Settings]
    for name in path:
        if isinstance(name, str):
            fields = [model.model_fields[name] for model in models if name in model.model_fields]
            models = [found for field in fields for found in _models(field.annotation)]
    return {name: field for model in models for name, field in model.model_fields.items()}


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]


def _place(source: _Source, path: KeyPath, name: str) -> str:
    variable = _PREFIX + "__".join(str(part) for part in path).upper()
    if variable in os.environ:
        return f"{variable} in the environment"
    line = line_of(source.lines, path)
    return f"{name} in {source.file}" + (f", line {line}" if line else "")


def _anchored(model: M, folder: Path) -> M:
    """Make every relative path of *model* absolute."""
    changed: dict[str, Any] = {}
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            changed[name] = _anchored(value, folder)
        elif name == COMMAND and value is not None:
            changed[name] = _anchored_command(value, folder)
        elif isinstance(value, tuple):
            changed[name] = tuple(
                _anchored(item, folder) if isinstance(item, BaseModel) else item for item in value
            )
        elif isinstance(value, Path):
            changed[name] = _credential(folder, value) if name in SECRETS else folder / value
    return model.model_copy(update=changed)


def _anchored_command(words: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Return a command whose program does not depend on the working folder, which may be anyone's.

    A program without a slash is looked for in PATH.
    """
    program, *arguments = words
    return (str(folder / program) if "/" in program else program, *arguments)


def _credential(folder: Path, file: Path) -> Path:
    """Return the path of a password: in the credentials directory, or else in *folder*."""
    handed = Path(os.environ.get("CREDENTIALS_DIRECTORY", folder)) / file
    try:
        return handed if handed.exists() else folder / file
    except OSError:
        # The function that reads the password finds out that this user cannot.
        return handed
