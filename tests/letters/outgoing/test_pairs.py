"""Letters as HTML: the words of their text, nothing that a value adds, and nothing from outside."""

import re
from dataclasses import fields, is_dataclass, replace
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from enum import Enum
from typing import Any, Final

import pytest

from referee.domain.tokens import Kind, Place, Token, sign
from referee.letters.incoming.decode import decode, text_in
from referee.letters.incoming.html_text import text_of_markup
from referee.letters.outgoing.compose import MOST_HTML, Composer, sent
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Report, ReportAgain
from referee.letters.outgoing.pairs import Drawn, html_of, markup, pair, text_of
from referee.rules.ruleset import Event, Weight
from tests.letters.notices import LETTERS, printed
from tests.letters.outgoing.test_attachments import FILES
from tests.letters.outgoing.test_compose import ENVELOPE
from tests.support.strict_html import StrictHtml

COMPOSER: Final = Composer("games@referee.example")
SEAL: Final = "kmtwqzrb"
WITH_HTML: Final = replace(ENVELOPE, html=True)
WITH_SEAL: Final = replace(WITH_HTML, seal=SEAL)
TOKEN: Final = sign(Token(Kind.SEAT, 1, 1, 1, "report1"), Place.REPLY_TO, b"k" * 32)
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


def test_the_html_of_letters_has_the_words_of_their_text() -> None:
    for name, notice in LETTERS.items():
        said = COMPOSER.words(notice, SEAL)
        assert words(text_of_markup(said.html)) == words(said.text), name


def test_the_html_of_letters_is_strict_and_has_nothing_from_elsewhere() -> None:
    for name, notice in LETTERS.items():
        page = COMPOSER.page(COMPOSER.words(notice, SEAL).html)
        read = StrictHtml(page)
        assert (name, read.links, read.pictures) == (name, [], [])
        assert (name, page.count("<style>")) == (name, 1)
        assert not re.search(r"url\(|@import|https?:", page.partition("</style>")[0]), name


def test_values_add_no_markup() -> None:
    for name, notice in LETTERS.items():
        said = COMPOSER.words(hostile(notice), SEAL)
        StrictHtml(COMPOSER.page(said.html))
        assert words(text_of_markup(said.html)) == words(said.text), name


@pytest.mark.parametrize("name", ["report", "public_report", "turn_summary"])
def test_each_piece_of_news_has_its_weight(name: str) -> None:
    news = [Event(f"a {weight.name}", None, weight) for weight in Weight]
    letter: Any = LETTERS[name]
    drawn = COMPOSER.words(replace(letter, news=tuple(news))).html
    for weight in Weight:
        assert f'<li class="{weight.name.lower()}"><p>a {weight.name}</p></li>' in drawn


def test_what_is_outside_of_pairs_is_lines_as_they_are() -> None:
    both = f"  Game: <SW-1>\n  Seat: A\n\n{pair('a', '<p>a</p>')}\nb"
    assert text_of(both) == "  Game: <SW-1>\n  Seat: A\n\na\nb"
    assert html_of(both) == "<p>Game: &lt;SW-1&gt;<br>Seat: A</p><p>a</p><p>b</p>"
    assert pair("", "<p></p>") == ""


def parts(raw: bytes) -> list[EmailMessage]:
    """Return the parts of a letter that have no parts themselves."""
    message = BytesParser(policy=policy.default).parsebytes(raw)
    assert not any(part.defects for part in message.walk())
    return [part for part in message.walk() if not part.is_multipart()]


def test_the_text_of_letters_is_the_same_with_html_and_without() -> None:
    for name, notice in LETTERS.items():
        plain = COMPOSER.compose(notice, ENVELOPE)
        raw = COMPOSER.compose(notice, WITH_HTML)
        (alone,), (text, html) = parts(plain), parts(raw)
        said = COMPOSER.words(notice, ENVELOPE.seal)
        page = COMPOSER.page(said.html).rstrip("\n")
        assert (name, text["Content-Type"]) == (name, alone["Content-Type"])
        assert (name, text.get_content()) == (name, alone.get_content())
        assert (name, html.get_content().replace("\r\n", "\n")) == (name, page)
        assert (name, text_in(raw)) == (name, decode(plain).text)
        assert (name, words(decode(raw).text)) == (name, words(said.text))
        assert max(map(len, raw.split(b"\r\n"))) <= 78, name
        assert raw == COMPOSER.compose(notice, WITH_HTML), name


def test_a_picture_is_shown_in_the_html_and_other_files_are_attached() -> None:
    raw = COMPOSER.compose(LETTERS["report"], WITH_HTML, FILES)
    text, html, picture, *files = parts(raw)
    kinds = [part.get_content_type() for part in (text, html, picture)]
    assert kinds == ["text/plain", "text/html", "image/png"]
    assert picture["Content-ID"] == "<map.png>"
    page = html.get_content().replace("\r\n", "\n")
    assert StrictHtml(page).pictures == ["cid:map.png"]
    assert page.index("<h2>NEWS") < page.index("<summary><img") < page.index("W5")
    assert [file.get_filename() for file in files] == ["map.svg", "report.json"]
    alone = parts(COMPOSER.compose(LETTERS["report"], ENVELOPE, FILES))
    assert [file.get_filename() for file in alone] == [None, "map.svg", "map.png", "report.json"]


def test_a_letter_with_too_much_html_is_text_only() -> None:
    report = LETTERS["report"]
    assert isinstance(report, Report)
    long = replace(report, view=printed("W1 &\n" * (MOST_HTML // 10)))
    assert len(parts(COMPOSER.compose(long, WITH_HTML, FILES))) == 1 + len(FILES)


def test_no_token_is_in_the_html() -> None:
    address = ENVELOPE.reply_to.replace("s1-1-ack3041-sig", TOKEN)
    notice = replace(LETTERS["press_letter"], text=f"Write to {address}", sender=address)  # type: ignore[call-arg]
    _, html = parts(COMPOSER.compose(notice, replace(WITH_HTML, reply_to=address)))
    assert TOKEN not in html.get_content()
    assert "(token)" in html.get_content()


def test_a_letter_that_is_sent_again_keeps_its_html_but_not_its_pictures_and_seal() -> None:
    again = sent(COMPOSER.compose(LETTERS["report"], WITH_SEAL, FILES))
    said = COMPOSER.words(LETTERS["report"], SEAL)
    assert again == Drawn(said.text, said.html)
    repeated = COMPOSER.words(ReportAgain("SW-7", 10, "CERES", again), "bcdfghjk")
    assert (SEAL in repeated.html, repeated.html.count("bcdfghjk")) == (False, 2)
    plain = COMPOSER.compose(LETTERS["report"], replace(WITH_SEAL, html=False))
    assert sent(plain).html == f"<pre>{markup(again.text)}</pre>"
