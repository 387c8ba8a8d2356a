"""Letters as HTML: the words of their text, nothing that a value adds, and nothing from outside."""

import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, Final

import pytest

from referee.letters.incoming.html_text import text_of_markup
from referee.letters.outgoing.compose import Composer
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Notice
from referee.letters.outgoing.pairs import Drawn, html_of, pair, text_of
from tests.letters.notices import LETTERS, printed
from tests.support.strict_html import StrictHtml

COMPOSER: Final = Composer("games@referee.example")
SEAL: Final = "kmtwqzrb"
HOSTILE: Final = "\0<|</p></pre><script>x</script>&amp;\0\"'"


def words(text: str) -> list[str]:
    """Return what has a letter or figure in a text."""
    return [word for word in text.split() if any(map(str.isalnum, word))]


def hostile(value: Any) -> Any:
    """Return a value with markup in each of its texts."""
    match value:
        case str():
            return f"{value}{HOSTILE}"
        case Drawn(text, _):
            return printed(f"{text}{HOSTILE}")
        case tuple():
            return tuple(map(hostile, value))
        case Moment() | Enum() | type():
            return value
    if not is_dataclass(value):
        return value
    changed = {each.name: hostile(getattr(value, each.name)) for each in fields(value)}
    copy: Any = replace
    return copy(value, **changed)


@pytest.mark.parametrize("name", LETTERS)
def test_the_html_of_a_letter_has_the_words_of_its_text(name: str) -> None:
    said = COMPOSER.words(LETTERS[name], SEAL)
    assert words(text_of_markup(said.html)) == words(said.text)


@pytest.mark.parametrize("name", LETTERS)
def test_the_html_of_a_letter_is_strict_and_has_nothing_from_elsewhere(name: str) -> None:
    page = COMPOSER.page(COMPOSER.words(LETTERS[name], SEAL).html)
    read = StrictHtml(page)
    assert (read.links, read.pictures) == ([], [])
    assert page.count("<style>") == 1
    assert not re.search(r"url\(|@import|https?:", page.partition("</style>")[0])


@pytest.mark.parametrize("name", LETTERS)
def test_values_add_no_markup(name: str) -> None:
    notice: Notice = hostile(LETTERS[name])
    said = COMPOSER.words(notice, SEAL)
    StrictHtml(COMPOSER.page(said.html))
    assert words(text_of_markup(said.html)) == words(said.text)


def test_what_is_outside_of_pairs_is_lines_as_they_are() -> None:
    both = f"  Game: <SW-1>\n  Seat: A\n\n{pair('a', '<p>a</p>')}\nb"
    assert text_of(both) == "  Game: <SW-1>\n  Seat: A\n\na\nb"
    assert html_of(both) == "<p>Game: &lt;SW-1&gt;<br>Seat: A</p><p>a</p><p>b</p>"
    assert pair("", "<p></p>") == ""
