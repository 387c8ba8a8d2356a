"""Press in our letters: no words of another player change what is read from a reply."""

import textwrap
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from html import escape
from itertools import takewhile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.letters.incoming.html_text import text_of_markup
from referee.letters.incoming.press_marks import marked, shows_press
from referee.letters.incoming.sheet_edits import LAST_LINE
from referee.letters.outgoing.address_notices import DailyDigest, DigestItem
from referee.letters.outgoing.compose import Composer
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Confirmation, PressItem, Report, ReportAgain
from referee.letters.outgoing.pairs import as_lines
from referee.letters.outgoing.press_notices import PressLetter
from referee.letters.outgoing.seat_notices import PublicReport
from tests.letters.notices import LETTERS
from tests.support.examples import examples
from tests.support.seen import edited, own_text

SEAL = "kmtwqzrb"
GUESS = "bcdfghjk"
REPORT = LETTERS["report"]
assert isinstance(REPORT, Report)
HEAD = "YOUR ORDERS FOR TURN 11: fill in here, or write above"
LONG = "I have thought about this for quite a while now, and my answer to you is this: "

EVIL = (
    HEAD, f"{HEAD} ({GUESS})", f"# End of orders ({GUESS})", LAST_LINE,
    "F3W7", "RESIGN", "FINAL", "Q", "END", "PRESS TO HATYSA", "STANDING", "CLEAR", "> F3W7",
    ">> RESIGN", "| F3W7", ": F3W7", "AB> F3W7", "-- ", "--", "", "___________________",
    "--- Reply above this line ---", "Reply above this line", "On Mon, 7 Sep 2026, Frodo wrote:",
    "On 7 Sep 2026 at 10:00 frodo@shire.example wrote:", "wrote:", "-----Original Message-----",
    "From: Frodo", "Sent: Monday", "To: Sam", "Subject: orders", "Sent from my iPhone",
    "This e-mail is confidential and intended only for you.", "Disclaimer",
    f"{LONG}RESIGN", f"{LONG}F3W7 F4W8", f"{LONG}END", f"{LONG}{HEAD}", LONG, "\u2028RESIGN",
    "<b>RESIGN</b>", "</blockquote><p>RESIGN", "PRESS FROM SAM TO FRODO", "EVENTS",
)  # fmt: skip
PRESS = st.lists(st.sampled_from(EVIL) | st.text(max_size=90), max_size=12).map("\n".join)
TYPED = st.sampled_from(
    ((), ("F9W21",), ("ADD", "F9W21 F8W2"), ("PRESS TO SAM", "Hello.", "END"), ("PRESS TO SAM",),
     ("Thank you.", "", "FINAL"))
)  # fmt: skip


@dataclass(frozen=True)
class Program:
    """What an email program does to the letter that it quotes, and where its user types."""

    mark: str
    attribution: str
    width: int
    bare: bool
    """Whether the rest of a line that is broken has no quote mark."""
    spaced: bool
    """Whether empty lines are around such a rest."""
    dropped: frozenset[int]
    """The lines that are lost, counted from the top, without those of press."""
    lost: int
    """The line of press that is lost, or -1."""
    top: tuple[str, ...]
    inline: tuple[str, ...]
    at: int
    """The line below which the inline text is typed, counted as in *dropped*."""
    below: bool
    """Whether the inline text is directly below the press instead."""
    bottom: tuple[str, ...]
    colon: str
    """What becomes of the mark of press."""
    edit: str
    """What becomes of F17, an order in the sheet to fill in."""
    markup: str

    def reply(self, text: str) -> str:
        """Return a reply to the letter with *text*."""
        lines, number, press = [*self.top, self.attribution], 0, 0
        sent = text.split("\n")
        for at, line in enumerate(sent):
            if shows_press(line):
                lines += [] if press == self.lost else self.quoted(self.marked(line))
                press += 1
                if self.below and not shows_press(sent[at + 1]):
                    lines += self.inline
                continue
            if number not in self.dropped:
                lines += self.quoted(line.replace("F17", self.edit) if at > 20 else line)
            if number == self.at and not self.below:
                lines += self.inline
            number += 1
        return self.sent([*lines, *self.bottom])

    def marked(self, line: str) -> str:
        """Return a line of press with the mark as the program leaves it."""
        blanks, _, words = line.partition(":")
        return f"{blanks}{self.colon}{words[1:]}".rstrip()

    def quoted(self, line: str) -> list[str]:
        """Return a quoted line, broken into as many as fit the width."""
        # No program makes a paragraph of every part of a broken line, or breaks HTML at 20.
        narrowest = {"<p>{}</p>": 1000, "": 20}.get(self.markup, 24)
        width = max(self.width, narrowest)
        first, *rest = textwrap.wrap(
            self.mark + line, width, break_on_hyphens=False, break_long_words=False
        ) or [self.mark.rstrip()]
        # No program leaves a quote mark alone on its line either.
        if rest and self.mark and first == self.mark.rstrip():
            first = f"{self.mark}{rest.pop(0)}"
        if not self.bare:
            return [first, *(self.mark + part for part in rest)]
        spaces = [""] if self.spaced and rest else []
        return [first, *(line for part in rest for line in (*spaces, part)), *spaces]

    def sent(self, lines: list[str]) -> str:
        """Return the text as we decode it, from plain text or from HTML."""
        if not self.markup:
            return "\n".join(lines)
        page = "\n".join(self.markup.format(escape(line) or "<br>") for line in lines)
        return text_of_markup(f"<html><body>{page}</body></html>")


PROGRAMS = st.builds(
    Program,
    mark=st.sampled_from(["> ", ">", "", "| ", "FB> ", "> > "]),
    attribution=st.sampled_from(
        [
            "",
            "On Mon, 7 Sep 2026 at 10:00, Referee <games@referee.example> wrote:",
            "-----Original Message-----",
        ]
    ),
    width=st.sampled_from([20, 24, 30, 40, 60, 66, 72, 76, 80, 1000]),
    bare=st.booleans(),
    spaced=st.booleans(),
    dropped=st.frozensets(st.integers(0, 30), max_size=4),
    lost=st.integers(-1, 4),
    top=TYPED,
    inline=st.sampled_from([(), ("F9W21",), ("", "F9W21", ""), ("Yes.",), ("PRESS TO SAM",)]),
    at=st.integers(0, 30),
    below=st.booleans(),
    bottom=TYPED,
    colon=st.sampled_from([": ", ": ", ":", ":\u00a0", "\uff1a", "\uff1a ", "\ufe55"]),
    edit=st.sampled_from(["F17", "F17W3", "F9W21"]),
    markup=st.sampled_from(["", "", "{}<br>", "<div>{}</div>", "<p>{}</p>"]),
)


def sent(press: str) -> str:
    """Return the text of a report with the message *press*."""
    assert isinstance(REPORT, Report)
    item = PressItem("SAM", "FRODO", press)
    return Composer("games@referee.example").words(replace(REPORT, press=(item,)), SEAL).text


def read(program: Program, press: str) -> tuple[list[str], object]:
    """Return the own text in a reply to the report, and the edited sheet."""
    ours = sent(press)
    reply = program.reply(ours)
    own = own_text(reply, ours)
    found = edited(reply, ours, SEAL, own.blocks)
    typed = [line.text for line in own.lines if line.text.strip() and not shows_press(line.text)]
    if found is None:
        return typed, None
    return typed, (found.editing, found.turn, [line.text for line in found.lines])


@pytest.mark.slow
@examples(600)
@given(PRESS, PROGRAMS)
def test_no_press_changes_what_is_read_from_any_reply(press: str, program: Program) -> None:
    assert read(program, press) == read(program, "Hello.")


def test_an_empty_line_of_press_hides_no_line_of_ours() -> None:
    typed = [HEAD[:30], f"{HEAD[30:]} ({SEAL})"]
    own = own_text("\n".join((":", *typed)), sent("")).lines
    assert [line.text for line in own] == typed


def test_what_was_broken_off_at_many_blanks_is_not_read() -> None:
    press = "Meet me at          F3W7"
    narrow = Program(
        mark="> ",
        attribution="",
        width=20,
        bare=True,
        spaced=False,
        dropped=frozenset(),
        lost=-1,
        top=(),
        inline=(),
        at=0,
        below=False,
        bottom=(),
        colon=": ",
        edit="F17",
        markup="",
    )
    assert "F3W7" in narrow.reply(sent(press)).split("\n")
    assert read(narrow, press) == read(narrow, "Hello.")


BAIT = st.sampled_from(("S2E3", "FINAL", "RESIGN", "F3W7 F4W8", "xF3W7", "F3W7xF4W8"))
FILLED = st.builds(
    lambda words, at, bait: f"{words[:at].ljust(at, 'o')} {bait}",
    st.lists(st.text("abc:> ", max_size=9) | BAIT, max_size=30).map(" ".join),
    st.integers(20, 90),
    BAIT,
)
"""A line of press that ends in a bait, just where an email program breaks it."""


@examples(600)
@given(
    st.lists(PRESS | FILLED, max_size=4).map("\n".join),
    st.integers(40, 80),
    st.sampled_from(["> ", ">> ", ">", "> > ", "| "]),
    st.lists(st.sampled_from(["", "", " ", ">", ">>"]), max_size=3),
    st.booleans(),
    st.booleans(),
)
@example(press=f"a>:{'o' * 33} S2E3", width=40, mark=">> ", gap=[""], cut=False, twice=False)
def test_nothing_of_a_quoted_letter_is_read_however_its_lines_are_broken(
    press: str, width: int, mark: str, gap: list[str], cut: bool, twice: bool
) -> None:
    ours = sent(press)
    reply = []
    for line in ours.split("\n"):
        first, *rest = textwrap.wrap(
            mark + line, width, break_on_hyphens=False, break_long_words=cut
        ) or [mark]
        reply += [first, *(each for part in rest for each in (*gap, part))]
        reply += [*gap] if rest or twice else []
    own = own_text("\n".join(reply), ours)
    assert [line.text for line in own.lines if line.text.strip("| ")] == []


@pytest.mark.parametrize("mark", ["> ", ">> ", "", "> > "])
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n\n\n", "\n>\n"])
@pytest.mark.parametrize("rest", [("S2E3",), ("all of us FINAL",), ("all of", "us", "F3W7 F4W8")])
def test_what_was_broken_off_press_over_empty_lines_is_not_read(
    mark: str, gap: str, rest: tuple[str, ...]
) -> None:
    begun = ": please consider that we have been at war far too long for"
    ours = "\n".join((f"{begun} {' '.join(rest)}", ": and more", "CHECK"))
    broken = gap.join((f"{mark}{begun}", *rest, f"{mark}: and more"))
    text = f"W7B5I\n\n{broken}\n\nF9W21"
    read_lines = [line.text for line in own_text(text, ours).lines if line.text.strip("> ")]
    assert read_lines == ["W7B5I", "F9W21"]


def test_what_was_broken_off_at_an_invisible_character_is_not_read() -> None:
    begun = ": please consider that we have been at war far too long to c"
    text = f"> {begun}\n\nS2E3\n\n> : and more"
    own = own_text(text, f"{begun}\u200c S2E3\n: and more")
    assert [line.text for line in own.lines if line.text] == []


def test_an_order_typed_below_a_broken_line_of_press_is_read() -> None:
    ours = ": please consider that we have been at war far too long to c S2E3\n: and more"
    begun = "> : please consider that we have been at war far too long to c"
    for typed in ("S2E4", "S2E3 S4E5", "S2", "F9W21"):
        for text in (f"{begun}\n\n{typed}\n\n> : and more", f"{begun} S2E3\n\n{typed}"):
            assert [line.text for line in own_text(text, ours).lines if line.text] == [typed]


def test_one_line_between_long_lines_of_press_of_another_letter_is_not_read() -> None:
    long = "> : please consider that we have been at war far too long to c"
    text = f"W7B5I\n\n{long}\n\nS2E3\n\n{long}\n\nF9W21\nF8W7\n\n{long}\n\nF7W6"
    own = own_text(text)
    assert [line.text for line in own.lines if line.text] == ["W7B5I", "F9W21", "F8W7", "F7W6"]
    assert own.below_press == (5,)


def shown(press: str) -> list[list[str]]:
    """Return the lines of the letters that show a message, up to the end of the message."""
    composer = Composer("games@referee.example")
    letter = composer.words(PressLetter("SW-7", "SAM", "FRODO", press, ())).text
    kept = DigestItem("message", Moment(datetime(2026, 9, 7, tzinfo=UTC), "UTC"), as_lines(letter))
    public = LETTERS["public_report"]
    assert isinstance(public, PublicReport)
    letters = (
        ReportAgain("SW-7", 11, "FRODO", as_lines(sent(press))),
        DailyDigest((kept,)),
        replace(public, press=(PressItem("SAM", "FRODO", press),)),
    )
    texts = [letter, *(composer.words(notice).text for notice in letters)]
    ends = ("To answer", "YOUR ORDERS FOR TURN 11", "You get this as an observer")
    return [
        [*takewhile(lambda line: not line.startswith(ends), below.split("\n"))]
        for below in (text.partition("PRESS FROM SAM TO FRODO\n")[2] for text in texts)
    ]


@given(PRESS)
def test_every_line_of_press_is_marked_in_every_letter(press: str) -> None:
    for lines in shown(press):
        assert [line for line in lines if line.strip() and not shows_press(line)] == []
        assert max(map(len, lines)) <= 78


def test_a_message_in_a_preview_is_marked() -> None:
    preview = (f"This goes to SAM at once, from the GM:\nCONFIRM\n{HEAD}",)
    notice = Confirmation(
        "SW-7", "PRESS", Moment(datetime(2026, 9, 7, tzinfo=UTC), "UTC"), preview, ""
    )
    text = Composer("games@referee.example").words(notice).text
    assert f"from the GM:\n    : CONFIRM\n    : {HEAD}\n" in text


@pytest.mark.parametrize(
    "line",
    [
        ": F3W7",
        "> : F3W7",
        "  : F3W7",
        ":",
        "| : F3W7",
        "AB> : F3W7",
        ":F3W7",
        ":W7B5I",
        "\uff1aF3W7",
        "\uff1a F3W7",
        "> \uff1aW7B5I",
        "  :F3W7",
        "\ufe55F3W7",
        "::",
        ":-)",
    ],
)
def test_a_marked_line_is_never_an_order(line: str) -> None:
    assert [own.text for own in own_text(f"F9W21\n{line}").lines] == ["F9W21"]


@pytest.mark.parametrize("line", ["SAM: F3W7", "F3W7 : a comment", "F3W7\uff1aW9", "F3W7 :-)"])
def test_a_colon_elsewhere_marks_nothing(line: str) -> None:
    assert [own.text for own in own_text(f"F9W21\n{line}").lines] == ["F9W21", line]


def test_a_player_can_quote_press_in_their_own_message() -> None:
    message = "PRESS TO MERRY\nThey wrote:\n" + marked("I shall not move.\n\nDo you?") + "\nEND"
    assert "\n".join(line.text for line in own_text(message).lines) == message


@pytest.mark.parametrize("smiley", [":-)", ":)", ":D", ":-P", ":-))", ":'(", ":-/", " :*"])
def test_a_smiley_at_the_start_of_a_line_is_no_mark_of_press(smiley: str) -> None:
    text = f"PRESS TO MARS\n{smiley} I am so glad that you wrote to me\nand see you soon\nEND\nF1W2"
    assert "\n".join(line.text for line in own_text(text).lines) == text


def test_a_word_broken_off_the_mark_of_press_is_not_read() -> None:
    ours = sent("_" * 70)
    reply = "\n".join(f"> {line}" for line in ours.split("\n")).replace("> : __", "> :\n__")
    assert own_text(reply, ours).lines == ()


def test_orders_below_a_whole_line_of_press_are_read() -> None:
    ours = sent(f"{LONG}yes.\nF3W7")
    reply = "\n".join(f"> {line}" for line in ours.split("\n")).replace("yes.", "yes.\nF9W21")
    assert [line.text for line in own_text(reply, ours).lines] == ["F9W21"]


def test_lines_broken_off_a_long_letter_are_found_soon() -> None:
    ours = "\n".join(f": line {number} of a message that says nothing" for number in range(3_000))
    start = time.perf_counter()
    own_text(f"> : line\n{'x' * 40}\n" * 5_000, ours)
    # It takes a tenth of a second; comparing all with all would need minutes.
    assert time.perf_counter() - start < 30


@given(
    st.lists(st.sampled_from(EVIL), min_size=1, max_size=3).map(lambda parts: " ".join(parts)[:78]),
    PROGRAMS.filter(lambda program: bool(program.mark)),
)
def test_no_title_changes_what_is_read_below_quote_marks(title: str, program: Program) -> None:
    assert isinstance(REPORT, Report)
    read_from = []
    for each in ("Autumn", title):
        ours = Composer("games@referee.example").words(replace(REPORT, title=each), SEAL).text
        reply = replace(program, dropped=frozenset(), at=30, below=False).reply(ours)
        own = own_text(reply, ours)
        found = edited(reply, ours, SEAL, own.blocks)
        read_from.append(([line.text for line in own.lines if line.text.strip()], found is None))
    assert read_from[0] == read_from[1]


@pytest.mark.parametrize("mark", ["> : ", ": ", ">> : "])
def test_what_a_program_broke_off_press_of_another_letter_is_not_read(mark: str) -> None:
    long = f"{mark}I have thought about all that you wrote to me in the course of this"
    text = f"W23B2F9\n\n{long}\nW23G=MARS\n{long}\nFINAL\n\nF9W21"
    for ours in ("", "Your 2 orders are on file.\n"):
        assert [own.text for own in own_text(text, ours).lines if own.text] == ["W23B2F9", "F9W21"]


def test_what_a_program_broke_off_press_that_lost_its_mark_is_not_read() -> None:
    ours = ": I have thought about all that you wrote to me in the course of this W23G=MARS"
    text = (
        "> I have thought about all that you wrote to me in the course of this\nW23G=MARS\n\nF9W21"
    )
    assert [own.text for own in own_text(text, ours).lines if own.text] == ["F9W21"]
