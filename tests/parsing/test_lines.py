"""Lines as typed, with typography undone, and orders in lists, tables and comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.mail_transfer import Line
from referee.parsing.body import read_body
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import Foreign, fold, foreign, latinised, numbered
from referee.parsing.reader import Reader, reader_of
from referee.rulesets.fistful.language import GRAMMAR as FISTFUL
from referee.rulesets.singularity.language import GRAMMAR as SINGULARITY
from referee.rulesets.star_empires.language import GRAMMAR as STAR_EMPIRES
from referee.rulesets.starfarers.language import GRAMMAR as STARFARERS
from referee.rulesets.starweb.language import GRAMMAR as STARWEB


@pytest.mark.parametrize(
    ("typed", "text", "columns"),
    [
        ("F3W5", "F3W5", (1, 2, 3, 4, 5)),
        ("F3\u00a0W5", "F3 W5", (1, 2, 3, 4, 5, 6)),
        ("F3\u2009\tW5", "F3  W5", (1, 2, 3, 4, 5, 6, 7)),
        ("\ufeffF\u200b3\u202eW5", "F3W5", (2, 4, 6, 7, 8)),
        ("\uff26\uff13\uff37\uff15", "F3W5", (1, 2, 3, 4, 5)),
        ("\U0001d405\U0001d7d1", "F3", (1, 2, 3)),
        ("A\uff1dHATYSA", "A=HATYSA", (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("\u201cSW\u2011555\u201d", '"SW-555"', (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("a\x00b\x1b", "ab", (1, 3, 5)),
        ("F3\ufe0f", "F3", (1, 2, 4)),
        ("", "", (1,)),
    ],
)
def test_typography_folds_and_columns_stay(typed: str, text: str, columns: tuple[int, ...]) -> None:
    folded = fold(typed)
    assert (folded.text, tuple(folded.columns)) == (text, columns)


def test_a_footnote_does_not_become_a_number() -> None:
    assert fold("F3\u00b2").text == "F3\u00b2"


@given(st.text())
def test_every_character_keeps_a_column_in_the_line(typed: str) -> None:
    folded = fold(typed)
    assert len(folded.columns) == len(folded.text) + 1
    assert list(folded.columns) == sorted(folded.columns)
    assert folded.columns[-1] == len(typed) + 1


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("F3W5", None),
        ("J\u00fcrgen", None),
        ("\u042075", Foreign(0, "Cyrillic letter Er", "P")),
        ("W\u0395", Foreign(1, "Greek letter Epsilon", "E")),
        ("F\u0416", Foreign(1, "Cyrillic letter Zhe", "")),
    ],
)
def test_a_letter_of_another_alphabet_is_named(text: str, letter: Foreign | None) -> None:
    assert foreign(text) == letter


def test_look_alikes_become_latin() -> None:
    assert latinised("\u042075\u04223\u0406") == "P75T3I"


def test_lines_are_numbered_from_one() -> None:
    assert numbered("a\r\nb\n\nc") == (Line(1, "a"), Line(2, "b"), Line(3, ""), Line(4, "c"))


WEB = reader_of(STARWEB)
BEFORE = ("", "- ", "* ", "1. ", "(2) ", "a) ", "[x] ", "| ", "> ", "\u2022\t", "**", '"', "`")
BEHIND = (
    "",
    ".",
    ";",
    ",",
    "**",
    '"',
    "`",
    " |",
    " # to Vega",
    " -- scouting",
    " (Vega)",
    ": east",
)


def texts(reader: Reader, line: str) -> list[str]:
    """Return the orders that are read in a line."""
    items = reader.read_lines([Line(1, line)])
    return [item.text for item in items if isinstance(item, Parsed)]


@given(
    st.sampled_from(BEFORE),
    st.lists(st.sampled_from(["F3W75", "W75B2F119", "A=SAM", "F3L"]), min_size=1, max_size=4),
    st.sampled_from(BEHIND),
)
def test_an_order_keeps_its_column_in_every_layout(
    before: str, orders: list[str], behind: str
) -> None:
    line = before + ", ".join(orders) + behind
    items = WEB.read_lines([Line(1, line)])
    assert [item.text for item in items] == orders
    assert all(line.startswith(item.text, item.column - 1) for item in items)


@pytest.mark.parametrize(
    "line",
    [
        "W7B10F6; F3TX; A=SAM",
        "| F3W75 | F3TX |",
        "F3W75 -- F8W9 -- A=SAM",
        "F3W75: F8W9",
        "~ F3W75 ~ or F8W9",
    ],
)
def test_nothing_of_a_line_is_read_if_not_all_of_it_is_clear(line: str) -> None:
    assert texts(WEB, line) == []


def test_the_orders_next_to_a_mistake_are_named() -> None:
    *_, wrong = WEB.read("F3W75 F8W9 F3TX please")
    assert isinstance(wrong, Unparsed)
    assert wrong.advice == "Until it is fixed, the other 2 orders on this line are not read."


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("S17W2- -- down", "S17W2-"),
        ("S40W2-.", "S40W2-"),
        ("1. 12DKP3", "12DKP3"),
        ('"KP3,P2"', "KP3,P2"),
    ],
)
def test_a_mark_that_ends_an_order_stays(line: str, order: str) -> None:
    assert texts(reader_of(SINGULARITY), line) == [order]


@pytest.mark.parametrize(
    "line",
    [
        "DEPLOY hammer1 [scouting]",
        "DEPLOY hammer1\tscouting",
        "- DEPLOY hammer1 (scouting)",
        "DEPLOY hammer1 -> scouting",
    ],
)
def test_a_comment_is_not_read_as_the_name_of_a_ship(line: str) -> None:
    assert texts(reader_of(STAR_EMPIRES), line) == ["DEPLOY hammer1"]


@pytest.mark.parametrize(
    "line",
    [
        "1) W7B10F6 2) F6W9",
        "(1) W7B10F6, (2) F6W9",
        "1: W7B10F6 2: F6W9",
        "1.W7B10F6 2.F6W9",
        "a) W7B10F6 b) F6W9",
        "- W7B10F6 - F6W9",
    ],
)
def test_a_list_can_be_on_one_line(line: str) -> None:
    assert texts(WEB, line) == ["W7B10F6", "F6W9"]


@pytest.mark.parametrize(
    "line",
    [
        "BUILD Earth 2 probe a and BUILD Earth 1 scout",
        "1) BUILD Earth 2 probe a 2) Build Earth 1 scout",
        "BUILD Earth 2 probe a, BUILD Earth 1 scout.",
        "BUILD Earth 2 probe a, and then build Earth 1 scout",
    ],
)
def test_names_end_at_the_next_order_on_the_line(line: str) -> None:
    orders = [text.upper() for text in texts(reader_of(STAR_EMPIRES), line)]
    assert orders == ["BUILD EARTH 2 PROBE A", "BUILD EARTH 1 SCOUT"]


@pytest.mark.parametrize("line", ["UNLOAD and fire", "FIRE and AT move"])
def test_a_ship_can_have_the_name_of_an_order(line: str) -> None:
    assert texts(reader_of(STAR_EMPIRES), line) == [line]


def test_two_numbers_are_not_joined_to_an_order_to_send() -> None:
    (words,) = WEB.read("I mean W7B10F6 2 times")
    assert isinstance(words, Unparsed)
    assert words.to_send == ("ADD W7B10F6",)


def test_a_star_behind_a_name_stays_in_a_list() -> None:
    line = "* **BUILD Earth max probe p***"
    assert texts(reader_of(STAR_EMPIRES), line) == ["BUILD Earth max probe p*"]


@pytest.mark.parametrize(
    "line",
    ["F3W75 (no)", "F3W75 -- never!", "F3W75 (ok?)", "F3W75 please", "Please, F3W75 (not sure)"],
)
def test_a_comment_or_a_polite_word_takes_no_order_back(line: str) -> None:
    assert texts(WEB, line) == ["F3W75"]


@pytest.mark.parametrize(
    "line",
    [
        *("F3W75 F8W9 please", "F3W75 and F8W9", "F3W75, and F8W9 (why?)", "F3W75. F8W9."),
        *("F3W75. F8W9", "1. F3W75. 2. F8W9."),
    ],
)
def test_polite_words_and_full_stops_stand_between_orders(line: str) -> None:
    assert texts(WEB, line) == ["F3W75", "F8W9"]


@pytest.mark.parametrize(
    "line", ["No. F8W9 is lost. F3W75 too.", "Not now. F8W9.", "F3W75. F8W9 or not."]
)
def test_full_stops_make_no_orders_of_a_sentence(line: str) -> None:
    assert texts(WEB, line) == []


@pytest.mark.parametrize(
    ("reader", "line", "orders"),
    [
        (WEB, "F3W75 (or F3W76)", "F3W75 or F3W76"),
        (WEB, "F3W75 F8W9 -- sorry, F8W7", "F8W9 or F8W7"),
        (WEB, "F3W75 // not F3W76, as I wrote", "F3W75 or F3W76"),
        (
            reader_of(STAR_EMPIRES),
            "MOVE p1 TO (1,0) // or MOVE p1 TO (0,1)!",
            "MOVE p1 TO (1,0) or MOVE p1 TO (0,1)",
        ),
        (WEB, "F3L (F3W75 comes later)", "F3L or F3W75"),
        (WEB, "W 7 B 10 F 6 (or W 7 B 20 F 6)", "W7B10F6 or W7B20F6"),
        (reader_of(FISTFUL), "FAD (or FAW10)", "FAD or FAW10"),
        (reader_of(SINGULARITY), "KF (or KC)", "KF or KC"),
        (reader_of(STARFARERS), "X2:1O>1C (or X2:1G>1F)", "X2:1O>1C or X2:1G>1F"),
    ],
)
def test_of_two_orders_for_a_unit_in_a_line_neither_counts(
    reader: Reader, line: str, orders: str
) -> None:
    (item,) = reader.read(line)
    assert isinstance(item, Unparsed)
    assert item.reason == f"{orders}? The line has both, so neither is filed."
    assert not item.is_words


def test_the_other_orders_next_to_two_for_a_unit_are_named() -> None:
    (item,) = WEB.read("F3L F8W9 (not F8W7)")
    assert isinstance(item, Unparsed)
    assert item.others == 1
    assert item.advice == (
        "Send ADD and below it the one that you mean, and F3L, not filed either."
    )


@pytest.mark.parametrize("line", ["F3W75 (as F3W75)", "F3W75 (then F8W9)"])
def test_another_order_in_a_comment_is_a_comment(line: str) -> None:
    assert len(texts(WEB, line)) == 1


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("F 6 W 9", ["F6W9"]),
        ("W 7 B 10 F 6", ["W7B10F6"]),
        ("f6 w9, F 8 W 10", ["F6W9", "F8W10"]),
        ("F3L 5", ["F3L5"]),
        ("F6W9 F8 W10 W 12", ["F6W9", "F8W10W12"]),
        ("F3 G = HATYSA", ["F3G=HATYSA"]),
        ("A = SAM", ["A=SAM"]),
        ("A = SAM please", ["A=SAM"]),
    ],
)
def test_codes_that_are_typed_apart_are_read(line: str, orders: list[str]) -> None:
    assert [text.upper() for text in texts(WEB, line)] == orders
    assert {item.column for item in WEB.read(line)[:1]} == {1}


@pytest.mark.parametrize(
    "line",
    [
        "F6W9 later F 8 W 10",
        "F 6 W 9 later",
        "F 6 W",
        "W 7",
        "F3W7, 5",
        "F 6 W 9 " * 7,
        "A = SAM FINAL",
    ],
)
def test_codes_that_can_be_read_in_two_ways_or_in_none_are_not_read(line: str) -> None:
    assert texts(WEB, line) == []


@pytest.mark.parametrize("before", BEFORE)
def test_codes_that_are_typed_apart_are_read_in_every_layout(before: str) -> None:
    for behind in [*BEHIND, " please", " :-)"]:
        line = f"{before}W 7 B 10 F 6{behind}"
        (item,) = WEB.read(line)
        assert isinstance(item, Parsed), line
        assert (line, item.text) == (line, "W7B10F6")
        assert line[item.column - 1] == "W", line


@pytest.mark.parametrize(
    "line", ["F 6 W 9 W", "W7 B 5 I 9", "F 6 (W 9)", "F 6 and W 9", "F 6  W 9"]
)
def test_codes_that_cannot_be_joined_are_a_mistake(line: str) -> None:
    assert texts(WEB, line) == []
    assert not any(item.is_words for item in WEB.read(line) if isinstance(item, Unparsed))


@pytest.mark.parametrize(
    ("reader", "line", "order"),
    [
        (WEB, "Is W 7 B 20 F 6 what I should order here?", "ADD W7B20F6"),
        (reader_of(STARFARERS), "I think of X2:1O>1C, what else?", "ADD X2:1O>1C"),
    ],
)
def test_an_order_among_words_is_a_line_to_send(reader: Reader, line: str, order: str) -> None:
    (item,) = reader.read(line)
    assert isinstance(item, Unparsed)
    assert item.to_send == (order,)


@pytest.mark.parametrize("line", ["~F3W75~", "~~F3W75~~", "- ~F3W75 F8W9~"])
def test_an_order_that_is_struck_out_is_a_remark(line: str) -> None:
    (item,) = WEB.read(line)
    assert isinstance(item, Unparsed)
    assert item.is_words
    assert item.to_send == ()


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("W7B~~5~~6I", "W7B6I"),
        ("ENDING ~~1111~~ 2222", "ENDING 2222"),
        ("~~F4W7~~ W7B5I", "W7B5I"),
        ("~~ENDING 1025~~ ENDING 1026", "ENDING 1026"),
        ("F3W75 ~F8W9~", "F3W75"),
    ],
)
def test_what_is_struck_out_of_a_line_is_not_there(line: str, order: str) -> None:
    assert [" ".join(text.split()) for text in texts(WEB, line)] == [order]


@pytest.mark.parametrize("emoji", [" 🙂", " 👍👍", "🙂", " ❤️", " 👍🏽 ", " 🙂 # go", " 👩‍🚀"])
def test_emoji_behind_an_order_do_not_matter(emoji: str) -> None:
    assert texts(WEB, f"F3W75{emoji}") == ["F3W75"]
    assert texts(WEB, f"- F3W75, F8W9{emoji}") == ["F3W75", "F8W9"]


@pytest.mark.parametrize("line", ["F3W75 ❌", "F3W75 🙂❓", "F3W75 👎", "F3W75 ok? 🙂", "🙂 👍"])
def test_emoji_that_cast_doubt_on_an_order_do_matter(line: str) -> None:
    assert texts(WEB, line) == []
    assert len(WEB.read(line)) > 0


@pytest.mark.parametrize("line", ["# F3W75", "#3 F3W75", "#4: F3W75", " #5. F3W75"])
def test_a_line_of_notes_is_not_read(line: str) -> None:
    assert WEB.read(line) == ()


@pytest.mark.parametrize("note", ["# later, BUILD Ruby 3 probe", "#and BUILD Ruby 3 probe"])
def test_an_order_of_words_in_a_note_is_not_read(note: str) -> None:
    empires = reader_of(STAR_EMPIRES)
    assert empires.read(note) == ()
    assert texts(empires, f"BUILD Obsidian 6 probe {note}") == ["BUILD Obsidian 6 probe"]


def test_a_tilde_before_an_order_is_the_mark_of_a_list() -> None:
    assert texts(WEB, "~ F3W75 ~") == ["F3W75"]


@pytest.mark.parametrize(
    "line",
    ["Ally with the devil if you must", "Give peace a chance to grow.", "Deny it all to them."],
)
def test_a_sentence_in_the_form_of_an_order_is_read_and_called_a_sentence(line: str) -> None:
    reader = reader_of(STAR_EMPIRES)
    (item,) = reader.read(line)
    assert isinstance(item, Parsed)
    assert reader.advice.is_sentence(item.text)


@pytest.mark.parametrize("line", ["FIRE b1 AT BEN", "BUILD Obsidian 6 probe co*", "ALLY HOBBES"])
def test_a_figure_or_a_star_makes_no_sentence(line: str) -> None:
    assert not reader_of(STAR_EMPIRES).advice.is_sentence(line)


@pytest.mark.parametrize(("text", "count"), [("- Build: ...", 1), ("- Ships for you", 0), ("-", 0)])
def test_the_mark_of_a_list_counts_as_no_order(text: str, count: int) -> None:
    items = [item for item in WEB.read(text) if not getattr(item, "is_words", False)]
    assert len(items) == count


@pytest.mark.parametrize("text", ["- Build: W7B5I", "* Move: F3W5", "1. Build: W7B5I"])
def test_a_label_can_follow_the_mark_of_a_list(text: str) -> None:
    assert [type(item) for item in WEB.read(text)] == [Parsed]


@pytest.mark.parametrize("smiley", [":)", ":-)", ";)", "=D", ":("])
def test_a_smiley_between_two_orders_hides_none(smiley: str) -> None:
    assert texts(WEB, f"F14W25 {smiley} F35W27") == ["F14W25", "F35W27"]


@pytest.mark.parametrize(
    ("text", "orders", "commands"),
    [
        ("W7B10F6. F6W9. FINAL.", ["W7B10F6", "F6W9"], ["FINAL"]),
        ("W7B10F6. F6W9. Thanks. FINAL", ["W7B10F6", "F6W9"], ["FINAL"]),
        ("F6W9. Final. Thanks.", ["F6W9"], ["Final"]),
        ("F6W9. STATUS", ["F6W9"], ["STATUS"]),
        ("F6W9. Wait for me.", ["F6W9"], []),
        ("F6W9. # FINAL", ["F6W9"], []),
        ("Z. FINAL", ["Z"], ["FINAL"]),
        ("Z. Smith", [], []),
        ("I shall wait. FINAL", [], []),
        ("Never. F6W9", [], []),
        ("F6W9. No, F6W21.", [], []),
        ("F6W9. No, rather not F6W21.", [], []),
    ],
)
def test_what_is_between_full_stops_is_read_by_itself_behind_an_order(
    text: str, orders: list[str], commands: list[str]
) -> None:
    body = read_body(numbered(text), WEB)
    assert [item.text for item in body.parsed] == orders
    assert [item.text.rstrip(".") for item in body.commands] == commands
