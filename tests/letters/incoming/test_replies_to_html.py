"""Replies made from the HTML of our letters are read as well as replies to their text.

In every layout of replies, with each text part that programs make of HTML, and without one: orders
above, and edits of the order sheet in the quote.
"""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP, default
from functools import cache
from html import escape, unescape
from typing import Final

import pytest

from referee.letters.incoming.decode import decode, text_in
from referee.letters.incoming.html_text import text_of_markup
from referee.letters.incoming.press_marks import is_press
from referee.letters.incoming.sheet_edits import EditedSheet, EditState
from referee.letters.outgoing.compose import Composer
from referee.letters.outgoing.notices import PressItem, Report
from tests.letters.incoming.test_quoting import LAYOUTS, OWN
from tests.letters.notices import LETTERS, printed
from tests.letters.outgoing.test_compose import ENVELOPE
from tests.support.examples import is_few
from tests.support.seen import edited, own_text

SEAL: Final = "kmtwqzrb"
SHEET: Final = ("# F9W       # 3 ships at W7; gates: W9 W21", "F17W66", "W75B2F119")
MESSAGE: Final = f"F36W105\nFINAL\n{'I shall take all of it from you, ' * 6}F1W2\n\nF3W4"
COMPOSER: Final = Composer("games@referee.example")
CHANGED: Final = "F17W67"
ADDED: Final = "F9W21"
EDITS: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "a line changed": ("F17W66", CHANGED, (SHEET[0], CHANGED, SHEET[2])),
    "a line added": ("W75B2F119", f"W75B2F119\n{ADDED}", (*SHEET, ADDED)),
    "a line added as div": ("W75B2F119", f"W75B2F119<div>{ADDED}</div>", (*SHEET, ADDED)),
    "a line added behind br": ("W75B2F119", f"W75B2F119<br>{ADDED}", (*SHEET, ADDED)),
}
"""Edits of the sheet in our HTML, with the lines that are read."""
KINDS: Final = (
    *(
        "hostile",
        "acknowledgement",
        "command_answers_with_a_page",
        "confirmation",
        "diary",
        "joined",
    ),
    *("help_page_on_an_order", "press_letter", "public_report", "reminder_with_standing_orders"),
    *("turn_summary", "vote_opened"),
)
TEXT_ONLY: Final = ("A bold header, an address broken", "GroupWise", "Links that leave the quote")
"""Layouts of which no program makes HTML."""
ANSWERED: Final = {
    name: layout
    for name, layout in LAYOUTS.items()
    if name not in TEXT_ONLY and not name.startswith("Footers")
}
QUOTING: Final = {
    name: layout for name, layout in ANSWERED.items() if re.search(r"\((quote|bare)\)", layout)
}


def hostile() -> bytes:
    """Return a report with a hostile message and an order sheet, as text and HTML."""
    report = LETTERS["report"]
    assert isinstance(report, Report)
    view = printed("W5 (18,75) [CERES] (Metal=10)\n   F9[CERES]=3\n   F36[HATYSA]=2 (Moved)")
    message = PressItem("HATYSA", "CERES", MESSAGE)
    notice = replace(report, view=view, press=(message,), template=SHEET)
    return COMPOSER.compose(notice, replace(ENVELOPE, html=True, seal=SEAL))


OURS: Final = hostile()


@cache
def body(ours: bytes = OURS) -> str:
    """Return what a program quotes of our HTML: the content of its body."""
    part = BytesParser(policy=default).parsebytes(ours).get_body(("html",))
    assert part is not None
    page: str = part.get_content().replace("\r\n", "\n")
    return page.partition("<body>")[2].partition("</body>")[0]


def marked(markup: str, item: str, *marks: tuple[str, str]) -> list[str]:
    """Return the lines of HTML with marks: of an item of a list, and of tags."""
    markup = re.sub("(<li[^>]*>(?:<p>)?)", rf"\1{item}", markup)
    for tags, mark in marks:
        markup = re.sub(rf"</?(?:{tags})\b[^>]*>", mark, markup)
    return text_of_markup(markup).split("\n")


def broken(lines: Sequence[str], width: int = 72) -> list[str]:
    """Return lines that are not too long; each part of a quoted one has its mark."""
    return [
        part
        for line in lines
        for part in textwrap.wrap(line, width, subsequent_indent=quoting(line)) or [""]
    ]


def quoting(line: str) -> str:
    """Return the marks of a quote at the beginning of a line."""
    return line[: len(line) - len(line.lstrip("> "))] if line.startswith(">") else ""


BREAK: Final = "\ue000"


def spaced(lines: Sequence[str]) -> list[str]:
    """Return lines with an empty line below each that is no part of the one above it."""
    both = ((line.replace(BREAK, f"\n{quoting(line)}"), quoting(line)) for line in lines)
    return [part for line, mark in both for part in (*line.split("\n"), mark)]


def underlined(markup: str) -> list[str]:
    """Return HTML in Markdown, with a line below each heading."""
    line = "<p>{0}<br>{1}</p>"
    markup = re.sub("<h2>(.*?)</h2>", lambda h: line.format(h[1], "-" * len(h[1])), markup)
    return marked(markup, "-   ", ("i|em", "_"), ("code", "`"))


TEXTS: Final[dict[str, Callable[[str], list[str]]]] = {
    "as a browser shows it": lambda markup: text_of_markup(markup).split("\n"),
    "Gmail": lambda markup: broken(marked(markup, "   - ", ("b|i|code|h2|h3", "*")), 76),
    "Thunderbird": lambda markup: broken(marked(markup, " * ", ("i", "/"), ("code", "|"))),
    "Apple Mail": lambda markup: marked(markup, "&#9;•&#9;"),
    "Outlook": lambda markup: spaced(marked(markup, "  *   ", ("br", BREAK), ("td|th", BREAK))),
    "Proton": underlined,
    "Samsung": lambda markup: [" ".join(unescape(re.sub("<[^>]*>", "", markup)).split())],
}
"""How programs make text of HTML; what marks it as a quote is not in them."""


@cache
def shown(program: str, markup: str) -> Sequence[str]:
    """Return the lines that a program makes of HTML."""
    return TEXTS[program](markup)


@cache
def sent_text(ours: bytes) -> str:
    """Return the text of a letter of ours, as the reader of its replies knows it."""
    return text_in(ours)


def as_text(layout: str, own: Sequence[str], quote: Sequence[str]) -> str:
    """Return a layout of text with its parts."""
    parts = {
        "own": "\n".join(own),
        "quote": "\n".join(f"> {line}".rstrip() for line in quote),
        "bare": "\n".join(quote),
    }
    return re.sub(r"\((own|quote|bare)\)", lambda found: parts[found[1]], layout)


def as_html(layout: str, own: Sequence[str], quote: str) -> str:
    """Return a layout as HTML, of which it can be already; what is marked is in a blockquote."""
    if not layout.startswith(("<", "(own)<")):
        lines = re.sub(r"(?m)^\(quote\)$", "> (bare)", layout).split("\n")
        layout = "".join(
            f"<blockquote type=cite>{_line(line[1:].strip())}</blockquote>"
            if line.startswith(">")
            else f"<div>{_line(line)}</div>"
            for line in lines
        ).replace("</blockquote><blockquote type=cite>", "")
    parts = {"own": "<br>".join(map(escape, own)), "bare": quote}
    return re.sub(r"\((own|bare)\)", lambda found: parts[found[1]], layout)


def _line(line: str) -> str:
    return f"{escape(line)}<br>"


def letter(text: str, html: str) -> bytes:
    """Return a letter of a text part, of an HTML part, or of both."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = "frodo@shire.example", ENVELOPE.reply_to
    message["Subject"] = "Re: [SW-7 T11 CERES] report"
    message.set_content(text or html, subtype="plain" if text else "html")
    if text and html:
        message.add_alternative(html, subtype="html")
    return message.as_bytes()


def replies(
    name: str, own: Sequence[str], quote: str, *, every: bool
) -> Iterator[tuple[str, bytes]]:
    """Yield replies in a layout, each with the names of the layout and of its text part."""
    layout = ANSWERED[name]
    page = as_html(layout, own, quote)
    yield f"{name}: HTML alone", letter("", page)
    programs = [*TEXTS]
    one = [*ANSWERED].index(name) % len(programs)
    for program in programs if every else programs[one : one + 1]:
        lines = shown(program, quote)
        text = as_text(layout, own, lines)
        if layout.startswith("<"):
            text = "\n".join(TEXTS[program](page))
        elif program == "Samsung":
            text = " ".join(text.split())
        elif own:
            yield f"{name}: text of {program}", letter(text, "")
        yield f"{name}: text of {program}, and HTML", letter(text, page)


def some(layouts: Mapping[str, str]) -> Sequence[str]:
    """Return the names of all layouts, or of every third one in a run with few examples."""
    return [*layouts][:: 3 if is_few() else 1]


def read(reply: bytes, ours: bytes) -> tuple[list[str], EditedSheet | None]:
    """Return the lines that the sender typed outside of a sheet, and the sheet if it is edited."""
    text, sent = decode(reply).text, sent_text(ours)
    own = own_text(text, sent)
    sheet = edited(text, sent, SEAL, own.blocks)
    within = range(sheet.first, sheet.last + 1) if sheet is not None else ()
    typed = (line for line in own.lines if line.number not in within)
    return [line.text.strip() for line in typed if line.text.strip()], sheet


@pytest.mark.parametrize(
    ("kind", "every"),
    [
        ("hostile", False),
        pytest.param("hostile", True, marks=pytest.mark.slow),
        *(pytest.param(kind, False, marks=pytest.mark.slow) for kind in KINDS),
    ],
)
def test_orders_above_are_all_that_is_typed(kind: str, every: bool) -> None:
    sealed = replace(ENVELOPE, html=True, seal=SEAL)
    ours = OURS if kind == "hostile" else COMPOSER.compose(LETTERS[kind], sealed)
    for name in some(ANSWERED):
        for form, reply in replies(name, OWN, body(ours), every=every):
            assert read(reply, ours) == (OWN, None), form


@pytest.mark.parametrize(
    ("edit", "every"),
    [
        ("a line changed", False),
        *(pytest.param(edit, True, marks=pytest.mark.slow) for edit in EDITS),
    ],
)
def test_an_edit_of_the_quoted_sheet_is_read(edit: str, every: bool) -> None:
    old, new, wanted = EDITS[edit]
    assert old in body()
    for name in some(QUOTING):
        for form, reply in replies(name, (), body().replace(old, new, 1), every=every):
            typed, sheet = read(reply, OURS)
            assert typed == [], form
            assert sheet is not None, form
            assert (sheet.editing, sheet.turn) == (EditState.CHANGED, 11), form
            assert [line.text.strip() for line in sheet.lines] == list(wanted), form


@pytest.mark.parametrize("program", [program for program in TEXTS if program != "Samsung"])
def test_press_keeps_its_mark_in_a_text_part(program: str) -> None:
    lines = [line.strip() for line in TEXTS[program](body())]
    kept = {line.removeprefix(": ") for line in lines if is_press(line)}
    assert {"F36W105", "FINAL", "F3W4"} <= kept


def test_nothing_of_our_html_is_the_senders_without_quote_marks() -> None:
    typed, found = read(f"From: frodo@shire.example\n\n{text_of_markup(body())}".encode(), OURS)
    head = text_in(OURS).partition("\n\n--- Reply")[0]
    assert (" ".join(typed).split(), found) == (head.split(), None)
