"""The two parts of a letter: which one is read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters.incoming.alternatives import PROGRAMS, Loss, added, loss
from referee.letters.incoming.decode import decode, leaves, whole
from referee.letters.incoming.html_text import _StyleSheet, text_of_markup

CORPUS = Path(__file__).parents[1] / "corpus"
PLAIN = "F3W5\nF4W6\nFINAL"


def parts(name: str) -> list[str]:
    """Return the text part and the HTML part of a letter, as they are shown."""
    raw = (CORPUS / f"alternative_{name}.eml").read_bytes()
    plain, markup = (leaf.payload.decode() for leaf in leaves(*whole(raw)))
    return [plain, text_of_markup(markup)]


def letter(plain: str, markup: str) -> bytes:
    head = 'Content-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain\n\n'
    return f"{head}{plain}\n--b\nContent-Type: text/html\n\n{markup}\n--b--\n".encode()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_each_program_loses_what_its_row_says(program: object) -> None:
    row = next(each for each in PROGRAMS if each is program)
    assert loss(*parts(row.name)) is row.loss


def test_the_html_part_is_read_only_if_the_text_part_has_lost_something() -> None:
    read = {each for each in Loss if each.reads_markup}
    assert read == {Loss.WORDS, Loss.LINES, Loss.STRIKES, Loss.TAGS}


@pytest.mark.parametrize(
    "markup",
    [
        '<p>F3W5</p><p>F4W6</p><p>FINAL</p><p style="display:none">F9W9</p>',
        "<p>F3W5</p><p>F4W6</p><p>F9W9</p><p>FINAL</p>",
        '<p>F3W5</p><p hidden>F4W6</p><p style="opacity:0">FINAL</p>',
        "<p>FINAL</p><p>F4W6</p><p>F3W5</p>",
        "<p>F3W5</p><p>F4W6</p><p>FINAL F9W9</p>",
        "<s>F9W9</s><p>F3W5</p><p>F4W6</p><p>FINAL</p>",
        "<blockquote type=cite>F3W5<br>F4W6</blockquote>FINAL",
        "<p>On 17 Sep 2026, Eve wrote:</p><blockquote type=cite>F3W5 F4W6 FINAL</blockquote>",
    ],
)
def test_html_that_hides_or_adds_words_changes_nothing(markup: str) -> None:
    assert decode(letter(PLAIN, markup)).text == PLAIN


WORDS = st.lists(st.sampled_from(["F3W5", "F4W6", "FINAL", "A=SAM", "> F1W1"]), min_size=1)
ELEMENTS = st.sampled_from(
    ["<p>{}</p>", "{} ", "<s>{}</s>", "<div hidden>{}</div>", "<blockquote>{}</blockquote>"]
)


@given(WORDS, st.lists(st.tuples(ELEMENTS, st.sampled_from(["F3W5", "F4W6", "FINAL", "F9W9"]))))
def test_no_html_adds_a_word_to_the_text(words: list[str], shown: list[tuple[str, str]]) -> None:
    markup = "".join(element.format(word) for element, word in shown)
    read = decode(letter("\n".join(words), markup)).text
    assert set(read.replace("~~", " ").split()) <= {*" ".join(words).split(), ">"}


def test_a_strike_in_the_quoted_sheet_is_read_from_the_html_part() -> None:
    plain = "FINAL\n\nOn Tue, 1 Sep 2026 at 12:00, games@referee.example wrote:\n> W7B3I F9W21"
    markup = (
        "<p>FINAL<p>On Tue, 1 Sep 2026 at 12:00, games@referee.example wrote:"
        "<blockquote>W7B3I <s>F9W21</s></blockquote>"
    )
    assert loss(plain, text_of_markup(markup)) is Loss.STRIKES


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>F3W5</p><p><s>F4W6</s></p><p>FINAL</p>", "F3W5\n~~F4W6~~\nFINAL"),
        ("<p>F3W5</p><p>F4<s>W6</s></p><p>FINAL</p>", "F3W5\nF4~~W6~~\nFINAL"),
        ("<p><s>F9W9</s></p><p>F3W5</p><p>F4W6</p>", PLAIN),
        ("<p><s>F3W5 F4W6</s></p><p>FINAL</p>", PLAIN),
    ],
)
def test_a_strike_counts_in_each_line_that_both_parts_have(markup: str, text: str) -> None:
    read = decode(letter(PLAIN, f"{markup}<p>Scanned. <a href=x>Report spam</a></p>"))
    assert read.text.strip() == text
    assert [part.name for part in read.refused] == ["The letter"]


def test_a_strike_counts_in_that_of_two_equal_lines_which_has_it() -> None:
    markup = "<p><s>F3W5</s></p><p>F3W5</p><p>Scanned. <a href=x>Report spam</a></p>"
    assert decode(letter("F3W5\nF3W5", markup)).text.strip() == "~~F3W5~~\nF3W5"


def test_each_line_below_a_strike_around_several_is_struck() -> None:
    markup = "<div>W7B10F6</div><s><div>F6W9</div><div>F6W21 <b>now</b></div></s>"
    assert text_of_markup(markup) == "W7B10F6\n~~F6W9~~\n~~F6W21~~ ~~now~~"


STYLES = """<style>/* .x {} */ @import url(a.css); .done, td.old { text-decoration: line-through }
@media (max-width: 400px) { .x { display: none } } .gone { display: none } s.not {}</style>"""


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('<div class="big done">F6W9</div><div>F7W9</div>', "~~F6W9~~\nF7W9"),
        ('<div>F6W9 <span class=gone>F7W9</span></div><div class="x">F8W9</div>', "F6W9\nF8W9"),
        ("<table><tr><td class=old>F6W9</table><div class=old>F7W9</div>", "~~F6W9~~\nF7W9"),
    ],
)
def test_a_style_sheet_strikes_and_hides_as_a_style_does(body: str, text: str) -> None:
    assert text_of_markup(f"<html><head>{STYLES}</head><body>{body}</body></html>") == text


def test_an_element_takes_little_of_a_long_style_sheet() -> None:
    many = "b{color:red;display:x}" * 5000 + ".a{opacity:" + "1" * 60_000 + "}"
    sheet = _StyleSheet.of(f"{many}.a{{color:blue;text-decoration:line-through}}")
    assert sheet.rules == {
        "b": "display:x",
        ".a": f"opacity:{'1' * 40};text-decoration:line-through",
    }


@pytest.mark.parametrize(
    "css",
    [
        "/* p{} */.a{display:none}/* open",
        "@import url(x);.a{display:none}",
        "@media print{.a{opacity:1} .b{display:none}}.a{display:none}",
        "}}.a{display:none}",
    ],
)
def test_comments_and_rules_for_other_screens_are_no_styles(css: str) -> None:
    assert _StyleSheet.of(css).rules == {".a": "display:none"}


def test_the_first_300_different_lines_of_html_are_looked_for_in_the_text() -> None:
    text = "".join(f"F{number}W6 and more\n" for number in range(300))
    for markup, lacks in (
        (text, (False, False)),
        (f"CLEAR\n{text}", (True, False)),
        (f"{text * 3}CLEAR\n", (False, False)),
        (text.replace("W6", "W7"), (True, True)),
    ):
        assert added(text, markup) == lacks
