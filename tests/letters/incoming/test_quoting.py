"""The player's own text in replies of all layouts, and what only looks like an attribution."""

import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from referee.domain.effort import Effort
from referee.errors import LetterTooCostly
from referee.letters.incoming import quoting
from referee.letters.incoming.html_text import text_of_markup
from tests.support.seen import foreign_quotes, own_text

FILE: Final = Path(__file__).parent / "reply_layouts.txt"
OWN: Final = ["A=SAM", "W7B5I", "F3W7 F4W8"]
QUOTED: Final = ["Please send your orders.", "", "F1W1", "F2W2", "The deadline is near."]
LAYOUTS: Final = {
    name: text.strip("\n")
    for name, _, text in (
        each.partition("\n") for each in re.split(r"(?m)^=== ", FILE.read_text("utf-8"))[1:]
    )
}
SMALL: Final = ["a=sam", "to w7 f3 with 5", "on 5 build 2"]
"""Own lines that begin like attributions."""


def letter(name: str, *, tight: bool = False, own: Sequence[str] = OWN) -> str:
    """Return a reply in the layout; *tight* without empty lines around the own text."""
    layout = LAYOUTS[name]
    layout = re.sub(r"\n*\(own\)\n*", "\n(own)\n", layout) if tight else layout
    end = "<br>\n" if name.startswith("HTML") else "\n"
    parts = {
        "(own)": end.join(own),
        "(quote)": "\n".join(f"> {line}".rstrip() for line in QUOTED),
        "(bare)": end.join(QUOTED),
    }
    text = re.sub(r"\((?:own|quote|bare)\)", lambda found: parts[found[0]], layout)
    return text_of_markup(text) if name.startswith("HTML") else text


def read(text: str) -> list[str]:
    """Return the own lines of *text* that are not empty."""
    return [line.text.strip() for line in own_text(text).lines if line.text.strip()]


@pytest.mark.parametrize("own", [OWN, SMALL], ids=["orders", "lines like attributions"])
@pytest.mark.parametrize("tight", [False, True], ids=["apart", "directly at the quote"])
def test_the_own_text_of_each_layout_is_found_exactly(own: list[str], tight: bool) -> None:
    found = {name: read(letter(name, tight=tight, own=own)) for name in LAYOUTS}
    assert found == dict.fromkeys(LAYOUTS, own)


@pytest.mark.parametrize(
    "line",
    [
        "On 17 Sep 2026 at 10:00 I wrote:",
        "On Thu, Sep 17, 2026, as I wrote to you:",
        "In 2026 Sam wrote this to me:",
        "My orders for 2026-09-17, 10:00:",
        "A 2026 b: 10:00",
        "To Sam, at 10:00:",
        "As I wrote:",
        "What Sam wrote to me:",
        "Sam said on Monday:",
        "From my point of view all is lost",
        "On tour from mobile base 5",
        "Sent F3 to W7",
        "Quoting the rulebook:",
        "Posted by the gate: F3",
        "---- F3W7 ----",
    ],
)
def test_a_sentence_hides_no_orders_below_it(line: str) -> None:
    assert read("\n".join([line, *OWN])) == [line, *OWN]


@pytest.mark.parametrize(
    "lines",
    [
        ["From: W7", "F3W7 F4W8", "To: W9", "W7B5I"],
        ["From: W7", "some thoughts on this", "To: W9", "W7B5I"],
        ["Date: now", "From: W7", "F3W7", "To: W9", "Subject: all", "W7B5I"],
    ],
)
def test_orders_between_lines_that_look_like_a_header_are_found(lines: list[str]) -> None:
    assert read("\n".join(lines)) == lines


@pytest.mark.parametrize(
    "line",
    [
        "Eve wrote:",
        "eve wrote:",
        "Eve of the Shire wrote:",
        "Eve schrieb:",
        "Eve a écrit :",
        "Eve escribió:",
        "Eve ha scritto:",
        "Eve napisała:",
        "Eve schreef:",
        "*Eve* wrote:",
    ],
)
def test_a_name_alone_begins_a_quote_without_marks(line: str) -> None:
    text = f"F9W21\n{line}\nF3W7\n\nW75B5I\n"
    own = own_text(text)
    assert ([each.text for each in own.lines], own.named) == (["F9W21"], 2)


def test_below_a_name_and_a_quote_with_marks_orders_are_read() -> None:
    own = own_text("F9W21\nEve wrote:\n> F3W7\nF8W2\n\nW75B5I")
    typed = [line.text for line in own.lines if line.text]
    assert (typed, own.named) == (["F9W21", "F8W2", "W75B5I"], 0)


def test_a_name_in_a_message_or_at_the_end_is_the_senders() -> None:
    message = "PRESS TO SAM\nEve wrote:\nattack\nEND\nF3W7\nEve wrote:"
    assert read(message) == message.split("\n")


def test_only_the_nearest_line_that_opens_one_begins_an_attribution() -> None:
    text = "On 16 Sep 2026 I was away\nF3W7\nAt 10:00 I came back\n"
    attribution = "On Thu, Sep 17, 2026 at 10:00 AM Referee\n<games@referee.example> wrote:\n\nF1W1"
    assert read(text + attribution) == text.splitlines()


@pytest.mark.parametrize(
    "attribution",
    [
        " On Thu, Sep 17, 2026 at 3:59 PM, games@referee.example wrote:",
        "--- On Thu, 9/17/2026, Referee <games@referee.example> wrote:",
        "    Am 17.09.2026 um 10:00 schrieb Referee <games@referee.example>:",
    ],
)
@pytest.mark.parametrize("quote", ["> F1W1", "\nF1W1\nF2W2"])
def test_words_before_an_attribution_on_its_line_are_the_senders(
    attribution: str, quote: str
) -> None:
    assert read(f"F3W7\nF4W8{attribution}\n{quote}") == ["F3W7", "F4W8"]


@pytest.mark.parametrize(
    "line", ["F4W8 On turn 5 I wrote:", "At 2026 On 5 Sep I was away:", "Sam wrote: On 17 Sep"]
)
def test_words_that_only_look_like_an_attribution_stay_whole(line: str) -> None:
    assert read(f"{line}\nF3W7") == [line, "F3W7"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> F9W9\n> Please send\n> your orders.", [(1, "F9W9")]),
        (">> F1W1\n> : F9W9", []),
        ("> F1W1 <tel:11>\n| F2W2\n> *F1W1*", []),
        ("F9W9\n> \n", []),
        ("On 17 Sep 2026, Sam <s@x.example> wrote:\n> F9W9\nyes\n> F8W8", []),
        ("On 17 Sep 2026, R <r@x.example> wrote:\n> F9W9\n> F1W1", [(2, "F9W9")]),
        ("On 17 Sep 2026, R <r@x.example> wrote:\nF1W1\nF2W2\n\nF9W9", [(5, "F9W9")]),
        ("On 17 Sep 2026, Sam <s@x.example> wrote:\nF9W9\nF8W8\nF1W1", []),
    ],
)
def test_quoted_lines_that_are_not_ours_are_found(
    text: str, expected: list[tuple[int, str]]
) -> None:
    found = foreign_quotes(text, own_text(text), "\n".join(QUOTED))
    assert [(line.number, line.text) for line in found] == expected


@pytest.mark.parametrize(
    "markup",
    [
        '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">F3W7</blockquote>',
        "<p>Orders:</p><blockquote>F3W7</blockquote>",
        "<blockquote><blockquote>F3W7</blockquote></blockquote>",
        "<blockquote dir=ltr>F3W7</blockquote><blockquote type=cite>F1W1</blockquote>",
    ],
)
def test_words_that_are_only_indented_are_the_senders(markup: str) -> None:
    assert "F3W7" in read(text_of_markup(markup))


@pytest.mark.parametrize(
    "markup",
    [
        '<blockquote type="cite">F1W1</blockquote>',
        '<blockquote cite="mid:1@x.example">F1W1</blockquote>',
        '<blockquote class="gmail_quote">F1W1</blockquote>',
        '<blockquote style="border-left:1px solid rgb(204,204,204)">F1W1</blockquote>',
        '<div id="yahoo_quoted_1"><blockquote>F1W1</blockquote></div>',
        '<div id="divRplyFwdMsg"></div><blockquote>F1W1</blockquote>',
        "<p>On 17 Sep 2026, Eve wrote:</p><blockquote>F1W1</blockquote>",
        "<p>Eve &lt;eve@x.example&gt; đã viết</p><blockquote>F1W1</blockquote>",
        "<p>-----Original Message-----</p><blockquote>F1W1</blockquote>",
        "<p>From: Eve<br>Sent: Monday<br>Subject: x</p><blockquote>F1W1</blockquote>",
        "<blockquote>F1W1<p>--- Reply above this line ---</p>F2W2</blockquote>",
        '<blockquote type="cite">x<blockquote>F1W1</blockquote></blockquote>',
    ],
)
def test_a_quote_in_html_is_not_the_senders(markup: str) -> None:
    assert not [line for line in read(text_of_markup(markup)) if line == "F1W1"]


def test_there_are_as_many_layouts_as_we_say() -> None:
    assert len(LAYOUTS) == 212


def test_the_text_of_a_letter_that_costs_too_much_is_not_read_to_its_end() -> None:
    ticks = itertools.count()
    effort = Effort(lambda: next(ticks) / 1000, lambda: 0)
    with pytest.raises(LetterTooCostly):
        own_text("F3W7\nDIARY\n" * 9_000, effort=effort)


def test_no_line_with_a_quote_mark_is_tried_as_the_beginning_of_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begins, tried = quoting._BEGINS, list[str]()

    class Heard:
        @staticmethod
        def match(line: str) -> re.Match[str] | None:
            tried.append(line)
            return begins.match(line)

    monkeypatch.setattr(quoting, "_BEGINS", Heard)
    assert read("F9W21\n" + "> F3W7\n" * 99) == ["F9W21"]
    assert tried == ["f9w21", ""]


@pytest.mark.parametrize(
    "line",
    [
        *("iPhone-ról küldve", "iPhone készülékemről küldve", "Az iPhone-omból küldve"),
        *("iPhone'umdan gönderildi", "Samsung cep telefonumdan gönderildi"),
        *("iPhoneから送信", "私のiPhoneから送信", "Yahoo!メールアプリから送信"),
    ],
)
def test_footers_of_languages_that_end_with_the_verb_are_not_typed(line: str) -> None:
    assert read(f"F9W21\n\n{line}\n") == ["F9W21"]


HEADERS: Final = {
    "Korean": "보낸 사람: %s\n보낸 날짜: 2026년 9월 1일 오후 12:00\n받는 사람: Frodo\n제목: report",
    "Hebrew": "מאת: %s\nנשלח: יום שלישי 01 ספטמבר 2026 12:00\nאל: Frodo\nנושא: report",
    "Arabic": "من: %s\nتم الإرسال: الثلاثاء، 1 سبتمبر 2026 12:00\nإلى: Frodo\nالموضوع: report",
    "Romanian": "De la: %s\nTrimis: marți, 1 septembrie 2026 12:00\nCătre: Frodo\nSubiect: report",
    "Croatian": "Šalje: %s\nPoslano: utorak, 1. rujna 2026. 12:00\nPrima: Frodo\nPredmet: report",
    "Catalan": "De: %s\nEnviat: dimarts, 1 de setembre de 2026 12:00\nPer a: Frodo\nTema: report",
    "Bulgarian": "От: %s\nИзпратено: 1 септември 2026 г. 12:00 ч.\nДо: Frodo\nОтносно: report",
}
"""Headers above an unmarked quote, in languages whose names of fields are in no table of ours."""


@pytest.mark.parametrize("name", ["Referee <games@referee.example>", "Referee"])
@pytest.mark.parametrize("language", HEADERS)
def test_a_header_in_any_language_begins_a_quote(language: str, name: str) -> None:
    header = HEADERS[language] % name
    assert read(f"F9W21\nW7B5I\n\n{header}\n\nF1W1\n") == ["F9W21", "W7B5I"]


@pytest.mark.parametrize(
    "form",
    [
        ["Player: Frodo", "Date: 1 Sep 2026 20:00", "Orders:", "F9W21"],
        ["Note: hello", "Time: on 5 May 2026 at 20:00", "F9W21"],
        ["Turn: 2", "Orders: these", "For: Sam", "Until: 2026, 20:00", "F9W21"],
    ],
)
def test_a_form_that_a_player_fills_in_is_no_header(form: list[str]) -> None:
    assert read("\n".join(form)) == form


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_title_above_a_header_is_no_part_of_it(between: str) -> None:
    header = "From: Referee\nSent: Tuesday, September 1, 2026\nTo: Frodo\nSubject: report"
    assert read(f"Orders: F9W21{between}{header}\n\nF1W1\n") == ["Orders: F9W21"]


def test_the_words_of_beginnings_are_in_small_letters() -> None:
    capitals = re.compile(r"(?<!\\)[A-Z\u00c0-\u00de\u0410-\u042f]")
    assert [each.pattern for each in quoting.BEGINNINGS if capitals.search(each.pattern)] == []
