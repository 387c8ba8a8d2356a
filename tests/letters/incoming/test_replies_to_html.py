"""Replies made from the HTML of our letters are read as well as replies to their text.

Three kinds of programs, with the text part that they make of the HTML or without one, and what
people do: orders above, and edits of the order sheet in the quote.
"""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP, default
from html import escape
from typing import Final

import pytest

from referee.letters.incoming.decode import decode, text_in
from referee.letters.incoming.html_text import text_of_markup
from referee.letters.incoming.quoting import OwnText, own_text
from referee.letters.incoming.sheet_edits import EditedSheet, EditState, edited
from referee.letters.outgoing.compose import Composer
from referee.letters.outgoing.notices import PressItem, Report
from tests.letters.notices import LETTERS, printed
from tests.letters.outgoing.test_compose import ENVELOPE

SEAL: Final = "kmtwqzrb"
SHEET: Final = ("# F9W       # 3 ships at W7; gates: W9 W21", "F17W66", "W75B2F119")
MESSAGE: Final = f"F36W105\nFINAL\n{'I shall take all of it from you, ' * 6}F1W2\n\nF3W4"
COMPOSER: Final = Composer("games@referee.example")
ORDERS: Final = ("F3W5", "W7B30I")
SAYS: Final = "On Fri, 18 Sep 2026 at 04:04, The Referee <games@referee.example> wrote:"
HEAD: Final = (
    "From: The Referee <games@referee.example>",
    "Sent: Friday, September 18, 2026 4:04 AM",
    "To: Frodo <frodo@shire.example>",
    "Subject: [SW-7 T11 CERES] report",
)


def our_letter() -> bytes:
    """Return a report with a hostile message and an order sheet, as text and HTML."""
    report = LETTERS["report"]
    assert isinstance(report, Report)
    view = printed("W5 (18,75) [CERES] (Metal=10)\n   F9[CERES]=3\n   F36[HATYSA]=2 (Moved)")
    message = PressItem("HATYSA", "CERES", MESSAGE)
    notice = replace(report, view=view, press=(message,), template=SHEET)
    return COMPOSER.compose(notice, replace(ENVELOPE, html=True, seal=SEAL))


OURS: Final = our_letter()


def body() -> str:
    """Return what a program quotes of our HTML: the content of its body."""
    part = BytesParser(policy=default).parsebytes(OURS).get_body(("html",))
    assert part is not None
    page: str = part.get_content().replace("\r\n", "\n")
    return page.partition("<body>")[2].partition("</body>")[0]


@dataclass(frozen=True)
class Way:
    """A way of a program to quote: its HTML around the quote, and its text part."""

    html: Callable[[str, str], str]
    text: Callable[[str, list[str]], str]


def gmail(typed: str, quote: str) -> str:
    return (
        f'<div dir="ltr">{typed}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{escape(SAYS)}<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid">'
        f"{quote}</blockquote></div>"
    )


def gmail_text(typed: str, lines: list[str]) -> str:
    wrapped = [part for line in lines for part in textwrap.wrap(line, 76) or [""]]
    return "\n".join((typed, "", SAYS, "", *(f"> {line}".rstrip() for line in wrapped)))


def apple(typed: str, quote: str) -> str:
    return (
        f'<html><body dir="auto"><div>{typed}</div><br><blockquote type="cite">{escape(SAYS)}'
        f'<br><br></blockquote><blockquote type="cite">{quote}</blockquote></body></html>'
    )


def apple_text(typed: str, lines: list[str]) -> str:
    return "\n".join((typed, "", f"> {SAYS}", "> ", *(f"> {line}".rstrip() for line in lines)))


def outlook(typed: str, quote: str) -> str:
    named = (line.partition(":") for line in HEAD)
    head = "<br>".join(f"<b>{name}:</b>{escape(rest)}" for name, _, rest in named)
    return (
        f'<div class="WordSection1"><p class="MsoNormal">{typed}</p>'
        f'<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f'<p class="MsoNormal">{head}</p></div>{quote}</div>'
    )


def outlook_text(typed: str, lines: list[str]) -> str:
    return "\n".join((typed, "", *HEAD, "", *lines))


WAYS: Final = {
    "gmail": Way(gmail, gmail_text),
    "apple": Way(apple, apple_text),
    "outlook": Way(outlook, outlook_text),
}
CHANGED: Final = "F17W67"
ADDED: Final = "F9W21"
EDITS: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "orders above": ("", "", ()),
    "a line changed": ("F17W66", CHANGED, (SHEET[0], CHANGED, SHEET[2])),
    "a line added": ("W75B2F119", f"W75B2F119\n  {ADDED}", (*SHEET, ADDED)),
    "a line added as div": ("W75B2F119", f"W75B2F119<div>{ADDED}</div>", (*SHEET, ADDED)),
    "a line added behind br": ("W75B2F119", f"W75B2F119<br>{ADDED}", (*SHEET, ADDED)),
}


def reply(way: Way, old: str, new: str, *, both: bool) -> bytes:
    """Return a reply to our letter, with orders above unless the sheet is edited."""
    quote = body().replace(old, new, 1) if old else body()
    typed = () if old else ORDERS
    html = way.html("<br>".join(map(escape, typed)), quote)
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = "frodo@shire.example", ENVELOPE.reply_to
    message["Subject"] = "Re: [SW-7 T11 CERES] report"
    if both:
        message.set_content(way.text("\n".join(typed), text_of_markup(quote).split("\n")))
        message.add_alternative(html, subtype="html")
    else:
        message.set_content(html, subtype="html")
    return message.as_bytes()


def read(raw: bytes) -> tuple[OwnText, EditedSheet | None]:
    """Return what the sender of a reply typed, and the sheet if they edited it."""
    letter, ours = decode(raw), text_in(OURS)
    own = own_text(letter.text, ours)
    return own, edited(letter.text, ours, SEAL, own.blocks)


@pytest.mark.parametrize("both", [True, False], ids=["both parts", "html alone"])
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("way", WAYS)
def test_a_reply_is_read_as_its_sender_meant_it(way: str, edit: str, both: bool) -> None:
    old, new, wanted = EDITS[edit]
    own, found = read(reply(WAYS[way], old, new, both=both))
    typed = [line.text for line in own.lines if line.text.strip()]
    if not wanted:
        assert (typed, found) == (list(ORDERS), None)
        return
    assert found is not None
    assert (found.editing, found.turn) == (EditState.CHANGED, 11)
    assert [line.text for line in found.lines] == list(wanted)
    assert not [line for line in own.lines if line.text and line.number < found.first]


def test_nothing_of_our_html_is_the_senders_without_quote_marks() -> None:
    own, found = read(f"From: frodo@shire.example\n\n{text_of_markup(body())}".encode())
    head = text_in(OURS).partition("\n\n--- Reply")[0]
    said = " ".join(line.text for line in own.lines).split()
    assert (said, found) == (head.split(), None)
