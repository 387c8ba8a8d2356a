"""``python -m deploy.release.manual FOLDER`` writes the pages referee(1) and referee.toml(5).

They are made from the commands and the settings themselves, so they name every one of them.
click-man would write a page for each command, and none for the settings.
"""

import inspect
import json
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

import click
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from deploy.release import release_date, roff
from deploy.release.setting_kinds import Section, kind, sections
from referee.cli import GROUPS, main

_ENVIRONMENT: Final = (
    ("REFEREE_SETTINGS", "The settings file, as by --settings."),
    ("REFEREE_SITE__ZONE", "The setting zone under [site]. Every setting can be given like this."),
    ("EDITOR", "The editor in which referee play lets you write your emails."),
    ("CREDENTIALS_DIRECTORY", "The folder with the passwords that systemd passes on."),
)
_FILES: Final = (
    ("./referee.toml, /etc/referee/referee.toml", "The settings; the first that exists is read."),
    ("/etc/credstore/referee.NAME", "The passwords for the service; only root can read them."),
    ("/var/lib/referee", "The database and the secret of the service."),
    ("/usr/share/doc/referee", "The guides for players, GMs, operators and authors of rulesets."),
)
_STATUSES: Final = (
    ("0", "Success."),
    ("1", "Something is wrong, and the message says what to do."),
    ("2", "The command was not understood."),
    ("75", "referee mail in could not store the email, and the mail server must keep it."),
)
_ABOUT_SETTINGS: Final = """\
The referee reads one file of settings, in TOML. The sections [site] and [sending] are necessary. \
Each section and setting is explained below, with what can be written and what is used if it is \
left out. `referee init` writes a file with all of them.

Relative paths start at the folder of the file, and no path starts with ~. Passwords are never in \
it: password_file names a file with the password on its first line. It is looked for in \
$CREDENTIALS_DIRECTORY, which systemd sets, or else in the folder of the settings.

Each setting can also come from the environment, which takes precedence: REFEREE_ and its name, \
with two underscores between section and setting. A list is written as JSON.

`referee doctor settings` reports all faults of the file together, each with its line."""


def commands_page() -> str:
    """Return referee(1)."""
    context = click.Context(main, info_name="referee")
    lines = [
        _title("referee", 1, "User Commands"),
        *_name("referee", "run play-by-email games"),
        roff.heading("Synopsis"),
        f"{roff.bold('referee')} {roff.escaped(' '.join(main.collect_usage_pieces(context)))}",
        roff.heading("Description"),
        *roff.paragraphs(main.help or ""),
        roff.heading("Options"),
        *_options(main, context),
    ]
    for title, names in GROUPS.items():
        lines.append(roff.heading(title))
        for name in names:
            command = main.get_command(context, name)
            assert command is not None
            lines.extend(_command(command, name, context))
    for title, rows in (
        ("Environment", _ENVIRONMENT),
        ("Files", _FILES),
        ("Exit status", _STATUSES),
    ):
        lines.extend((roff.heading(title), *roff.definitions(rows)))
    return _page([*lines, *_see_also("referee.toml", 5)])


def _command(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    yield roff.subheading(usage)
    yield from roff.paragraphs(inspect.cleandoc(command.help or ""))
    yield from _options(command, context)
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            if found is not None and not found.hidden:
                yield from _command(found, each, context)


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the options of a command, without --help, which all have."""
    records = [
        each.get_help_record(context) for each in command.params if isinstance(each, click.Option)
    ]
    return roff.definitions(row for row in records if row is not None)


def settings_page() -> str:
    """Return referee.toml(5)."""
    lines = [
        _title("referee.toml", 5, "File Formats"),
        *_name("referee.toml", "settings of the referee of play-by-email games"),
        roff.heading("Description"),
        *roff.paragraphs(_ABOUT_SETTINGS),
        roff.heading("Settings"),
    ]
    for section in sections():
        lines.extend(_section(section))
    return _page([*lines, *_see_also("referee", 1)])


def _section(section: Section) -> Iterator[str]:
    if section.heading:
        yield roff.subheading(section.heading)
        yield from roff.paragraphs(_sentence(section.about))
    else:
        yield roff.subheading("At the beginning of the file")
    for name, field in section.settings:
        term = f"{name} = {_toml(field)}"
        yield from roff.definitions([(term, f"{_sentence(field.description or '')} {_use(field)}")])


def _use(field: FieldInfo) -> str:
    """Return what can be written for a setting, and its default."""
    can_be = f"Write {kind(field)}."
    if field.is_required():
        return f"{can_be} It must be set."
    if field.default in (None, (), ""):
        return f"{can_be} It can be left out."
    return f"{can_be} The default is {json.dumps(field.default, default=str)}."


def _toml(field: FieldInfo) -> str:
    """Return the example of a setting, or its default."""
    default = None if field.default is PydanticUndefined else field.default
    example = field.examples[0] if field.examples else default
    return json.dumps(example, default=str)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def _title(name: str, section: int, manual: str) -> str:
    source = f"referee {metadata.version('referee')}"
    return roff.title(name, section, release_date().isoformat(), source, manual)


def _name(name: str, about: str) -> tuple[str, str]:
    return roff.heading("Name"), f"{roff.escaped(name)} \\- {roff.escaped(about)}"


def _see_also(name: str, section: int) -> tuple[str, str]:
    return roff.heading("See also"), f"{roff.bold(name)}({section})"


def _page(lines: list[str]) -> str:
    return "\n".join((*lines, ""))


PAGES: Final = {"referee.1": commands_page, "referee.toml.5": settings_page}


def write(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
