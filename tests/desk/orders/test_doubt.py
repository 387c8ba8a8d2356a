"""Why orders are not filed and FINAL does not count; orders in the subject."""

from pathlib import Path

import pytest

from referee.desk.orders.doubt import (
    in_subject,
    orders_in,
    refusal_of_final,
    with_final_last,
    with_named,
)
from referee.parsing.body import Body, read_body
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import numbered
from referee.parsing.reader import Reader, reader_of
from referee.rules.ruleset import Phase
from tests.support.rulesets import RULESETS

ORDERS = {
    "fistful": "W12F",
    "singularity": "S17X",
    "star_empires": "DESTRUCT f1",
    "starfarers": "S3E2",
    "starweb": "W75B5I",
}
OWN_LINE = "FINAL goes on a line of its own."


def reader(key: str) -> Reader:
    """Return the reader of a game's orders."""
    ruleset = RULESETS[key]
    return reader_of(ruleset.grammar(Phase(ruleset.info.phases[0], "", frozenset())))


def read(text: str, key: str = "starweb") -> Body:
    """Return the text as it is read, with a FINAL behind an order named."""
    return with_named(read_body(numbered(text), reader(key)))


@pytest.mark.parametrize(("key", "order"), ORDERS.items())
@pytest.mark.parametrize("end", ["FINAL", "final", ", FINAL", "; FINAL", "and FINAL"])
def test_no_final_behind_an_order_is_lost(key: str, order: str, end: str) -> None:
    """It is answered by its reason, or in the words of an order that was not read."""
    body = read(f"{order} {end}", key)
    unread = [item for item in body.orders if isinstance(item, Unparsed)]
    assert any("FINAL" in f"{item.text} {item.reason}".upper() for item in unread)
    named = [item for item in unread if OWN_LINE in item.reason]
    assert all(item.is_command and not item.is_words for item in named)


@pytest.mark.parametrize("key", ["fistful", "singularity", "starfarers", "starweb"])
def test_an_order_before_final_is_read(key: str) -> None:
    order, final = read(f"{ORDERS[key]} FINAL", key).items
    assert isinstance(order, Parsed)
    assert isinstance(final, Unparsed)
    assert (final.text, final.reason) == ("FINAL", OWN_LINE)


def test_final_is_named_if_it_was_read_as_a_part_of_an_order() -> None:
    order, final = read("BUILD Earth 2 probe alpha FINAL", "star_empires").items
    assert isinstance(order, Parsed)
    assert isinstance(final, Unparsed)
    assert final.reason == f"FINAL was read as a part of this order. {OWN_LINE}"


@pytest.mark.parametrize("text", ["Is this final?", "final thoughts", "W75B5I", "Hello\nW75B5I"])
def test_other_words_are_no_final(text: str) -> None:
    assert read(text) == read_body(numbered(text), reader("starweb"))


def test_the_word_is_not_named_if_final_has_a_line_of_its_own() -> None:
    text = "BUILD Earth 1 probe FINAL\nFINAL"
    assert read(text, "star_empires") == read_body(numbered(text), reader("star_empires"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("FINAL", ""),
        ("W75B5I\nFINAL", ""),
        ("Hello Gandalf\nW75B5I\nFINAL", ""),
        ("STATUS\nPRESS TO MARS\nHello.\nEND\nFINAL", ""),
        ("W75B5X\nFINAL", "W75B5X was not done"),
        ("W75B5I\nW75B5X\nFINAL", "W75B5X was not done"),
        ("W75B5I\nSTATSU\nFINAL", "STATSU was not done"),
        ("FINAL\nPRESS TO MARS\nHello.", "PRESS TO MARS was not done"),
        ("W75B5I\nBuild 10 ships on F11.\nFINAL", "Build 10 ships on F11 was not done"),
        ("FINAL\n\nFrodo B.", ""),
        ("FINAL\nno thanks", ""),
        ("Hello Gandalf\nFINAL", ""),
        ("I know little yet:\nFINAL\nViele Grüße", ""),
        ("W75B5I\nFINAL - good night", "FINAL - good night was not done"),
    ],
)
def test_final_is_put_aside_for_what_is_not_read(text: str, why: str) -> None:
    again = "To say it, send an email with only FINAL."
    assert refusal_of_final(read(text), (), refused=False) == (
        f"Not carried out, because {why}. {again}" * bool(why)
    )


def test_final_is_put_aside_if_orders_are_not_possible() -> None:
    assert refusal_of_final(read("W75B5I\nFINAL"), (), refused=True).startswith("Not carried out")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("FINAL\nW75B5I\nSTATUS", [2, 3], [1]),
        ("WAIT\nSTATUS", [1, 2], []),
        ("WAIT\nFINAL\nW75B5I", [1, 3], [2]),
        ("FINAL\nWAIT\nW75B5I", [3], [1, 2]),
    ],
)
def test_final_comes_last_with_a_wait_below_it(
    text: str, first: list[int], last: list[int]
) -> None:
    items = with_final_last(read(text))
    assert ([item.line for item in items[0]], [item.line for item in items[1]]) == (first, last)


GOLDEN = Path(__file__).parents[2] / "letters" / "golden"


def readers() -> list[Reader]:
    """Return the reader of every phase of every game."""
    return [
        reader_of(ruleset.grammar(Phase(key, "", frozenset())))
        for ruleset in RULESETS.values()
        for key in ruleset.info.phases
    ]


def starweb() -> Reader:
    """Return the reader of StarWeb."""
    return reader_of(RULESETS["starweb"].grammar(Phase("orders", "", frozenset())))


def found_in(subject: str, reader: Reader) -> list[str]:
    """Return the orders of a subject, as they are written."""
    return [str(order) for line in in_subject(subject) for order in orders_in(reader, line)]


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("F3W5 W7B5I", "F3W5 W7B5I"),
        ("Re: [SW-1 T6 FRODO] F3W5", "F3W5"),
        ("SW-1 T6 [FRODO]: F3W5", "F3W5"),
        ("CHECK F3W5", "F3W5"),
        ("GM SW-1 HOLD", "HOLD"),
        ("AW:\tF3W5\n W7B5I", "F3W5 W7B5I"),
        ("Re: [SW-1 T6 FRODO] not done: F3W5", "not done: F3W5"),
        ("Re: ADD", "ADD"),
        ("[SW-1 T1 FRODO] ADD", "ADD"),
        ("SW-1 T6", ""),
        ("", ""),
    ],
)
def test_a_subject_is_a_line_without_prefixes_a_tag_and_a_heading(subject: str, words: str) -> None:
    assert [line.text for line in in_subject(subject)] == [words] * bool(words)


@pytest.mark.parametrize(
    ("subject", "count"),
    [
        ("T1 orders: F8W35 F10W2", 2),
        ("my orders F8W35", 1),
        ("Re: T1 orders: F8W35", 1),
        ("please do F8W35 instead", 1),
        ("T7 F8W2", 1),
        ("Re: [SW-1 T6 FRODO] orders:F8W35,f10w2.", 2),
        ("not done: F8W35", 1),
        ("Re: [SW-1 T6 F8W35] my orders", 0),
        ("T1 orders", 0),
        ("F8 and W35 are mine", 0),
        ("Z and so on", 0),
        ("HELP", 0),
    ],
)
def test_orders_in_a_subject_are_found(subject: str, count: int) -> None:
    assert len(found_in(subject, starweb())) == count
