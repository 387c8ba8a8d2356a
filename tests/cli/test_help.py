"""The help: grouped by its readers, with whole words and whole sentences."""

import click
import pytest
from click.testing import CliRunner

from referee.cli import COMMANDS, GROUPS, main
from referee.cli.help_format import WholeWords, summary
from referee.doctor import PARTS
from tests.deploy.release.test_manual import commands

NESTED = ("game", "mail", "person", "site")


def paths() -> list[list[str]]:
    """Return the words of each command that can be called, without the program's name."""
    return [context.command_path.split()[1:] for context, _ in commands()]


def told(*arguments: str, columns: int = 80) -> str:
    return CliRunner().invoke(main, [*arguments, "--help"], env={"COLUMNS": str(columns)}).output


def test_the_help_has_a_group_for_each_reader() -> None:
    lines = told().splitlines()
    headings = [line.rstrip(":") for line in lines if line and not line.startswith(" ")]
    assert headings == ["Usage: referee [OPTIONS] COMMAND [ARGS]...", "Options", *GROUPS]
    rows = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    assert [name for name in COMMANDS if name not in rows] == []


@pytest.mark.parametrize("columns", [60, 80])
def test_every_help_keeps_its_words_whole(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    narrow = {" ".join(path): told(*path, columns=columns).split() for path in [[], *paths()]}
    # So wide that nothing is wrapped.
    monkeypatch.setattr("click.formatting.FORCED_WIDTH", 2000)
    assert narrow == {path: told(*path.split()).split() for path in narrow}


@pytest.mark.parametrize("name", NESTED)
def test_a_group_shows_whole_sentences(name: str) -> None:
    group = main.get_command(click.Context(main), name)
    assert isinstance(group, click.Group)
    text = " ".join(told(name).split())
    assert [each for each, command in group.commands.items() if summary(command) not in text] == []
    assert all(summary(command).endswith(".") for command in group.commands.values())


def test_no_help_shows_marks_of_the_source() -> None:
    assert [path for path in paths() if "``" in told(*path)] == []


def test_the_help_of_the_doctor_names_every_part() -> None:
    text = told("doctor")
    assert [part for part in PARTS if part not in text] == []


def test_a_word_with_hyphens_is_never_broken() -> None:
    formatter = WholeWords(width=30)
    formatter.write_usage("referee", "[--password-file FILE] [--state-dir DIRECTORY]")
    formatter.write_text("Write the file with --password-file FILE, as said.")
    formatter.write_dl([("--state-dir", "The folder of a well-known-service-name here.")])
    lines = formatter.getvalue().splitlines()
    assert [line for line in lines if line.endswith("-")] == []
    assert "--password-file" in formatter.getvalue()
