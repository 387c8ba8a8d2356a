"""The reader with a small language: how orders are separated, and what is wrong with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.mail_transfer import Line
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.reader import MOST_ORDERS, Reader, read_orders, reader_of
from referee.rules.ruleset import Example, Grammar, Phase, Separator, UserError
from tests.parsing.toy import March, Rest, Shout, Song, language
from tests.support.rulesets import RULESETS

BLANKS = Reader(language())
LINES = Reader(language(Separator.LINES))
SPACES = Reader(
    Grammar(
        source="""
        order : call | rest
        call : "CALL" NAME ("," NAME)*
        rest : "REST"
        NAME : /[0-9]+/
        %ignore / +/
        """,
        orders={"call": lambda *names: names, "rest": Rest},
        separator=Separator.SPACES,
    )
)


NOT_READ = "Until it is fixed, the other order on this line is not read."


def test_blanks_and_commas_separate_orders() -> None:
    assert BLANKS.read("A1-ROM, rest  b2-par,,REST") == (
        Parsed(March("A1", "ROM"), "A1-ROM", 1, 1),
        Parsed(Rest(), "rest", 1, 9),
        Parsed(March("B2", "PAR"), "b2-par", 1, 15),
        Parsed(Rest(), "REST", 1, 23),
    )


def test_a_joined_word_takes_the_next() -> None:
    assert BLANKS.read("REST shout  hurrah REST") == (
        Parsed(Rest(), "REST", 1, 1),
        Parsed(Shout("HURRAH"), "shout  hurrah", 1, 6),
        Parsed(Rest(), "REST", 1, 20),
    )


def test_where_lines_separate_a_line_is_one_order() -> None:
    assert LINES.read("  A1 - ROM # to the pope\nREST 3\n# nothing\n\nREST REST") == (
        Parsed(March("A1", "ROM"), "A1 - ROM", 1, 3),
        Parsed(Rest(3), "REST 3", 2, 1),
        Unparsed(
            "REST REST", 5, 6, "Another order starts after REST.", "Write each on its own line.", 5
        ),
    )


def test_where_spaces_separate_a_comma_inside_belongs_to_an_order() -> None:
    assert SPACES.read("  CALL1,22 rest, call3\nREST ,CALL4,") == (
        Parsed(("1", "22"), "CALL1,22", 1, 3),
        Parsed(Rest(), "rest", 1, 12),
        Parsed(("3",), "call3", 1, 18),
        Parsed(Rest(), "REST", 2, 1),
        Parsed(("4",), "CALL4", 2, 7),
    )


def test_where_spaces_separate_a_broken_list_is_reported() -> None:
    advice = "Until it is fixed, the other 2 orders on this line are not read."
    assert SPACES.read("CALL1, 22 REST") == (
        Unparsed("22", 1, 8, "No order starts with 2.", advice, others=2),
    )


def test_where_spaces_separate_two_orders_with_only_a_comma_are_separated() -> None:
    assert SPACES.read("CALL1,REST") == (
        Unparsed(
            "CALL1,REST",
            1,
            7,
            "Another order starts after CALL1.",
            "Write CALL1 REST with a space.",
            6,
        ),
    )


def test_a_comment_ends_with_its_line() -> None:
    assert BLANKS.read("#A1-ROM\nREST#REST") == (Parsed(Rest(), "REST", 2, 1),)


def test_the_numbers_of_the_mail_are_kept() -> None:
    assert BLANKS.read_lines([Line(7, "> no"), Line(12, " REST")]) == (
        Unparsed("> no", 7, 1, "These words are not orders.", is_words=True),
        Parsed(Rest(), "REST", 12, 2),
    )


def test_columns_are_those_of_the_line_as_typed() -> None:
    (item,) = BLANKS.read("\u200b\uff21\u200b1-")
    assert item == Unparsed("A1-", 1, 6, "where to?", "", 3)


def test_a_block_reaches_to_its_end() -> None:
    assert BLANKS.read("SING\nA1-ROM\n  la # la\nEND\nREST") == (
        Parsed(Song(("A1-ROM", "  la # la")), "SING", 1, 1),
        Parsed(Rest(), "REST", 5, 1),
    )


def test_a_block_can_begin_on_the_line_of_its_key() -> None:
    assert BLANKS.read("sing  la la\nend") == (Parsed(Song(("la la",)), "SING", 1, 1),)


@pytest.mark.parametrize("inner", ["", "la\nla\nla\n"])
@pytest.mark.parametrize("order", ["REST", "- REST", "A1-ROM", "A1-", "FINAL"])
def test_a_block_that_cannot_be_leaves_out_only_its_own_lines(inner: str, order: str) -> None:
    first, second, *others = BLANKS.read(f"REST\nSING loud\n{inner}{order}")
    assert (first.text, second.line) == ("REST", 2)
    assert isinstance(second, Unparsed)
    below = f" and the {inner.count('la')} lines below it were" if inner else " was"
    assert second.reason == f"Expected END below SING, so SING{below} left out."
    assert second.advice == "Send it again with END."
    assert others[0].line == 3 + inner.count("la")


@pytest.mark.parametrize("below", ["REST", "- REST", "A1-ROM", "A1-", "FINAL"])
def test_a_block_without_end_ends_before_the_first_order(below: str) -> None:
    song, order = BLANKS.read(f"sing\nla\n{below}")
    assert song == Parsed(Song(("la",)), "SING", 1, 1)
    assert order.line == 3


@pytest.mark.parametrize("below", ["", "\n", "\n\nREST", "\n \n Bye,\n Ann"])
def test_a_block_without_end_goes_on_to_an_empty_line(below: str) -> None:
    first, *_ = BLANKS.read(f"SING\n la\nla{below}")
    assert first == Parsed(Song((" la", "la")), "SING", 1, 1)


def test_a_builder_can_reject_an_order() -> None:
    assert BLANKS.read("SING\nEND") == (Unparsed("SING", 1, 1, "a song has words."),)
    assert BLANKS.read("REST SHOUT DAMN") == (
        Unparsed(
            "SHOUT DAMN", 1, 6, "nobody swears here.", NOT_READ, others=1, to_send=("ADD REST",)
        ),
    )


def test_an_order_among_words_is_a_remark() -> None:
    text = "Yesterday all my troubles REST"
    (item,) = BLANKS.read(text)
    assert item == Unparsed(
        text, 1, 1, "These words are not orders.", is_words=True, to_send=("ADD REST",)
    )
    assert BLANKS.read(text.lower()) == (item._replace(text=text.lower(), to_send=()),)


def test_the_length_of_a_line_is_limited() -> None:
    assert BLANKS.read("REST " * 201 + "\nREST") == (
        Unparsed(
            ("REST " * 8),
            1,
            1,
            "A line of orders has at most 1000 characters.",
            "Split it into several lines.",
        ),
        Parsed(Rest(), "REST", 2, 1),
    )


def test_the_length_of_a_number_is_limited() -> None:
    assert BLANKS.read(f"A{'1' * 10}-ROM REST") == (
        Unparsed("A1111111111-ROM", 1, 2, "A number has at most 9 digits.", "", 1),
        Parsed(Rest(), "REST", 1, 17),
    )


def test_the_length_of_a_letter_is_limited() -> None:
    read = BLANKS.read("REST\n" * (MOST_ORDERS + 5))
    assert len(read) == MOST_ORDERS + 1
    assert read[-1] == Unparsed(
        "REST",
        MOST_ORDERS + 1,
        1,
        f"An email has at most {MOST_ORDERS} orders; nothing was read from this line on.",
    )


def test_orders_are_read_only_without_other_text() -> None:
    assert read_orders(language(), "A1-ROM\nREST") == (March("A1", "ROM"), Rest())
    with pytest.raises(UserError, match=r"^line 2, column 4: A1-: where to\?$"):
        read_orders(language(), "REST\nA1-")


def test_a_grammar_must_fit_its_orders_and_examples() -> None:
    with pytest.raises(ValueError, match="no order class for the rules march, rest"):
        Reader(Grammar(language().source, {"shout": Shout}))
    orders = {"march": March, "rest": Rest, "shout": Shout}
    examples = (Example("REST 3", "why?"),)
    with pytest.raises(ValueError, match="the example 'REST 3' is no mistake"):
        Reader(Grammar(language().source, orders, examples=examples))


@pytest.mark.parametrize("reader", [BLANKS, LINES])
@given(text=st.text() | st.text("AB12-ROM RESTSINGEND\n#,0"))
def test_no_text_raises_and_every_position_exists(reader: Reader, text: str) -> None:
    lines = text.splitlines()
    for item in reader.read(text):
        assert 1 <= item.column <= len(lines[item.line - 1]) + 1


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("starweb", "W36B5I", {"build_home_ships"}),
        ("starweb", "F2TX", {"transfer_to_fleet", "transfer_to_home"}),
        ("starweb", "W7BX", {"build_home_ships", "build_fleet_ships", "build_robots"}),
        ("starweb", "f2w5x", {"move_fleet"}),
        ("starweb", "Z", {"hold_ambush"}),
        ("starweb", "F2", set()),
        ("starweb", "XYZ1", set()),
        ("starweb", "NONSENSE", set()),
        ("starweb", "", set()),
        ("fistful", "W12B1C", {"build"}),
        ("fistful", "FAR12R", {"recon"}),
        ("singularity", "S17V2+", {"move"}),
        ("singularity", "FAC", set()),
        ("starfarers", "S3E9", {"explore"}),
        ("starfarers", "X2:2O>", {"offer"}),
        ("star_empires", "BUILD Earth 2 probe", {"build"}),
        ("star_empires", "MOVE p1 TO", {"move"}),
        ("star_empires", "DESIGN Sol x scout many", {"design"}),
    ],
)
def test_a_text_has_the_kinds_that_it_could_be(key: str, text: str, expected: set[str]) -> None:
    ruleset = RULESETS[key]
    phase = Phase(ruleset.info.phases[0], "", frozenset())
    assert reader_of(ruleset.grammar(phase)).advice.kinds(text) == expected


@pytest.mark.parametrize(("text", "number"), [("CALL 3", None), ("CALL 3 5", 5)])
def test_an_optional_part_in_brackets_is_none_if_it_is_not_typed(
    text: str, number: int | None
) -> None:
    source = 'order : call\ncall : "CALL" NAME [NAME]\nNAME : /[0-9]+/\n%ignore / +/'
    orders = {"call": lambda *names: names}
    reader = Reader(Grammar(source, orders, terminals={"NAME": int}, separator=Separator.LINES))
    (item,) = reader.read(text)
    assert isinstance(item, Parsed)
    assert item.order == (3, number)
