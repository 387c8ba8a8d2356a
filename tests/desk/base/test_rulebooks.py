"""Rulebooks as chapters and as plain text."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from referee.desk.base.rulebooks import parted, plain, rulebook
from referee.rules.extras import Extras
from referee.rules.ruleset import Ruleset

BOOK = """
# Go

Two players put stones down.

## 1. Moves: one stone each

1.1 Black begins.

## 2. Ko

Not at once.
"""


def test_a_rulebook_has_an_overview_and_chapters() -> None:
    book = parted(BOOK)
    assert book.overview == "# Go\n\nTwo players put stones down."
    assert [(each.word, each.about) for each in book.chapters] == [
        ("MOVES", "one stone each"),
        ("KO", "2. Ko"),
    ]
    moves = book.chapter("moves")
    assert moves is not None
    assert (moves.title, moves.text.strip()) == ("1. Moves: one stone each", "1.1 Black begins.")
    assert book.chapter("pass") is None


def test_a_ruleset_without_a_rulebook_has_none() -> None:
    assert rulebook(cast("Ruleset[Any, Any]", object())) is None


def test_a_rulebook_lies_in_the_package_of_its_ruleset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "game_of_go"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "rulebook.md").write_text(BOOK)
    monkeypatch.syspath_prepend(tmp_path)
    go = SimpleNamespace(extras=Extras(rulebook="game_of_go:rulebook.md"))
    assert rulebook(cast("Ruleset[Any, Any]", go)) == parted(BOOK)


def test_paragraphs_are_filled_and_their_numbers_stand_out() -> None:
    text = "# Go\n\n1.1 A stone without a **breath** is\ntaken off the board, " + "and so on " * 6
    assert plain(text).split("\n") == [
        "GO",
        "",
        "1.1 A stone without a breath is taken off the board, and so on and so on and",
        "    so on and so on and so on and so on",
    ]


def test_text_between_fences_is_unchanged() -> None:
    assert plain("Look:\n\n```\nO  .\n\n .  `X`\n```\nNow you.") == (
        "Look:\n\n    O  .\n\n     .  `X`\n\nNow you."
    )


def test_a_table_with_too_little_room_for_the_last_column_becomes_paragraphs() -> None:
    cell = "the messages that you signed, and to whom they went"
    table = (
        "| command | what others read | if you decide nothing |\n|---|---|---|\n"
        f"| `SHARE PRESS` | {cell} | none of your messages |\n| `SHARE NAME` | your seat | |"
    )
    assert plain(table).split("\n") == [
        "  SHARE PRESS",
        "    what others read: the messages that you signed, and to whom they went",
        "    if you decide nothing: none of your messages",
        "",
        "  SHARE NAME",
        "    what others read: your seat",
        "    if you decide nothing: -",
    ]


def test_a_table_becomes_columns_and_the_last_is_filled() -> None:
    table = (
        "| stone | colour | said |\n|---|---|---|\n| `X` | black | " + "word " * 13 + "|\n| O | | |"
    )
    assert plain(table).split("\n") == [
        "  stone  colour  said",
        "  X      black   word word word word word word word word word word word word",
        "                 word",
        "  O              -",
    ]
