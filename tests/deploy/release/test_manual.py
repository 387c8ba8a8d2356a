"""The manual pages name every command and every setting, and every man reads them."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from deploy.release import manual, roff
from deploy.release.setting_kinds import kind, models
from referee.cli import main
from referee.settings import Settings
from tests.live.servers import program

READERS = {
    "mandoc": ("mandoc", "-T", "lint"),
    "groff": ("groff", "-man", "-ww", "-z", "-Tutf8"),
    "man": ("man", "--warnings", "--local-file"),
}


def words(page: str) -> str:
    """Return a page without macros and escapes."""
    plain = re.sub(r"\\f[BR]|\\&", "", page).replace("\\-", "-").replace("\\(aq", "'")
    return re.sub(r"^\.\w+ ?", "", plain, flags=re.M)


def commands(
    command: click.Command = main, context: click.Context | None = None
) -> Iterator[tuple[click.Context, click.Command]]:
    """Yield each command that can be called."""
    here = context or click.Context(main, info_name="referee")
    if not isinstance(command, click.Group):
        yield here, command
        return
    for name in command.list_commands(here):
        found = command.get_command(here, name)
        assert found is not None
        yield from commands(found, click.Context(found, info_name=name, parent=here))


def test_the_page_names_every_command_with_its_options() -> None:
    page = words(manual.commands_page())
    found = list(commands())
    assert len(found) > 30
    assert [
        context.command_path
        for context, command in found
        for option in ["", *(each for part in command.params for each in part.opts)]
        if context.command_path not in page or (option.startswith("-") and option not in page)
    ] == []


def test_the_page_names_every_setting() -> None:
    page = words(manual.settings_page())
    fields = [(name, field) for name, field in Settings.model_fields.items()]
    inner = [
        (name, field)
        for _, section in fields
        for model in models(section.annotation)
        for name, field in model.model_fields.items()
    ]
    plain = [(name, each) for name, each in fields if not models(each.annotation)]
    named = [name for name, field in fields if models(field.annotation)]
    assert len(inner) > 40
    assert [name for name in named if f"[{name}]" not in page] == []
    assert [name for name, _ in (*plain, *inner) if f"\n{name} = " not in page] == []
    assert [
        name for name, each in (*plain, *inner) if f"Write {kind(each)}" not in flat(page)
    ] == []


def flat(page: str) -> str:
    return " ".join(page.split())


@pytest.mark.parametrize(
    ("section", "name", "expected"),
    [
        ("receiver", "port", "a number from 1 to 65535"),
        ("receiver", "protocol", '"smtp" or "lmtp"'),
        ("limits", "letters_an_hour", "a number of at least 1"),
        ("trust", "dns", "true or false"),
        ("site", "creators", "a list of texts"),
        ("database", "password_file", "a path"),
    ],
)
def test_what_can_be_written_for_a_setting(section: str, name: str, expected: str) -> None:
    (model,) = models(Settings.model_fields[section].annotation)
    assert kind(model.model_fields[name]) == expected


@pytest.mark.parametrize("name", sorted(manual.PAGES))
@pytest.mark.parametrize("reader", sorted(READERS))
def test_no_reader_of_manuals_warns(tmp_path: Path, reader: str, name: str) -> None:
    program(reader, reader, {"man": "man-db"}.get(reader, reader))
    manual.write(tmp_path)
    done = subprocess.run(
        [*READERS[reader], tmp_path / name],
        env={**os.environ, "LC_ALL": "C.UTF-8", "MANPAGER": "cat"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    told = done.stderr if reader == "man" else done.stdout + done.stderr
    assert (done.returncode, told) == (0, "")


def test_the_date_of_a_page_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert manual.settings_page().startswith(".TH REFEREE.TOML 5 1970-01-02 ")


def test_text_that_looks_like_a_request_is_text() -> None:
    assert roff.escaped(".SH 'x'\n'y \\z --w") == "\\&.SH \\(aqx\\(aq\n\\(aqy \\ez \\-\\-w"


def test_a_paragraph_that_is_not_wrapped_keeps_its_lines() -> None:
    assert list(roff.paragraphs("One\ntwo.\n\n\b\n  a\n  b")) == [
        "One two.",
        ".PP",
        ".nf",
        "  a\n  b",
        ".fi",
    ]


def test_a_sentence_that_ends_with_a_line_is_followed_by_one_blank() -> None:
    words = "x" * 60
    (shown,) = roff.paragraphs(f'{words} is one. {words} is "two". {words} ends.')
    assert shown == f'{words} is one.\\&\n{words} is "two".\\&\n{words} ends.'
