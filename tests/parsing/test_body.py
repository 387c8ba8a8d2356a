"""Whole letters as typed, with orders, commands and messages separated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain import commands as c
from referee.parsing.body import (
    MOST_ITEMS,
    NO_COMMAND,
    Body,
    Commanded,
    Heading,
    PressBlock,
    StandingBlock,
    read_body,
)
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import numbered
from referee.parsing.reader import Reader
from tests.parsing.toy import March, Rest, Song, language

READER = Reader(language())


def read(text: str) -> Body:
    return read_body(numbered(text), READER)


def test_a_whole_letter() -> None:
    body = read(
        "SW-555 T11 [CERES] Frodo Baggins, #1234, K7QX\n"
        "A1-ROM, REST\n"
        "\n"
        "PRESS TO HATYSA, MARS\n"
        "I shall not march.\n"
        "END\n"
        "FINAL\n"
    )
    assert body == Body(
        Heading("SW-555", "CERES", 11, "K7QX", 1234),
        (
            Parsed(March("A1", "ROM"), "A1-ROM", 2, 1),
            Parsed(Rest(), "REST", 2, 9),
            PressBlock(4, ("HATYSA", "MARS"), False, "I shall not march."),
            Commanded(7, "FINAL", c.Final()),
        ),
    )


def test_the_first_word_decides() -> None:
    assert read("  cancel A1-ROM\nREST # final\nfinal").items == (
        Commanded(1, "cancel A1-ROM", c.Cancel("A1-ROM")),
        Parsed(Rest(), "REST", 2, 1),
        Commanded(3, "final", c.Final()),
    )


def test_inside_a_message_nothing_is_a_command_but_end() -> None:
    text = "  Dear MARS,\n\nFINAL\nRESIGN\nA1-ROM # stays\nPRESS on\nSW-2 T1\n-- \n> END\n   Yours"
    assert read(f"PRESS ANONYMOUS TO MARS\n{text}\n  end \nREST").items == (
        PressBlock(1, ("MARS",), True, text),
        Parsed(Rest(), "REST", 13, 1),
    )


def test_a_message_without_end_is_never_sent() -> None:
    assert read("REST\nPRESS TO MARS\nA1-ROM\nFINAL\n").items == (
        Parsed(Rest(), "REST", 1, 1),
        Unparsed(
            "PRESS TO MARS",
            2,
            1,
            "the line END is missing after PRESS; it and all below it was left out.",
            "Send it again with END.",
        ),
    )


def test_a_message_that_runs_into_the_next_one_is_not_sent() -> None:
    text = "PRESS TO MARS\nhello\n  press anonymous to VENUS\nMARS is a fool\nEND\nREST"
    assert read(text).items == (
        Unparsed(
            "PRESS TO MARS",
            1,
            1,
            "the line END is missing after PRESS; it and all below it was left out.",
            "Send it again with END.",
        ),
    )


def test_a_message_with_a_bad_head_is_not_read_as_orders() -> None:
    assert read("PRESS MARS\nA1-ROM\nEND\nREST").items == (
        Unparsed(
            "PRESS MARS",
            1,
            7,
            "the word TO is missing.",
            "PRESS TO MARS, then the message, then END.",
            6,
        ),
        Parsed(Rest(), "REST", 4, 1),
    )


def test_standing_orders_can_contain_a_block() -> None:
    assert read("STANDING\nREST\nSING\nFINAL\nEND\nEND\nREST 2").items[0] == StandingBlock(
        1,
        (Parsed(Rest(), "REST", 2, 1), Parsed(Song(("FINAL",)), "SING", 3, 1)),
    )


def test_empty_standing_orders_withdraw() -> None:
    assert read("STANDING\nEND").items == (StandingBlock(1, ()),)


def test_a_broadcast_is_one_command() -> None:
    assert read("GM SW-1\nBROADCAST\nHello\n\nall.\nEND") == Body(
        Heading("SW-1", by_gm=True), (Commanded(2, "BROADCAST", c.Broadcast("Hello\n\nall.")),)
    )


def test_inside_a_block_of_orders_nothing_is_a_command() -> None:
    assert read("SING\nFINAL\nSW-2\nEND\nFINAL").items == (
        Parsed(Song(("FINAL", "SW-2")), "SING", 1, 1),
        Commanded(5, "FINAL", c.Final()),
    )


def test_the_players_own_count_can_end_a_line_of_orders() -> None:
    counted = Commanded(1, "<2>", c.CountOrders(2))
    orders = (Parsed(Rest(), "REST", 1, 1), Parsed(March("A1", "ROM"), "A1-ROM", 1, 6))
    assert read("REST A1-ROM <2>").items == (*orders, counted)
    assert read("<2>").items == (counted,)
    # Letters with wide characters contain counts in this form.
    assert read("REST A1-ROM\u3000\uff1c2\uff1e").items == (*orders, counted)


def test_a_wrapped_command_is_one() -> None:
    deadline = "every second Friday 18:00 America/Phoenix"
    assert read(
        'CREATE STARWEB SEATS 3 DEADLINE "every second Friday\n18:00 America/Phoenix"\n'
        "OPTION worlds=60\nREST"
    ).items == (
        Commanded(
            1,
            f'CREATE STARWEB SEATS 3 DEADLINE "{deadline}" OPTION worlds=60',
            c.Create("STARWEB", "", 3, deadline, (("worlds", "60"),)),
        ),
        Parsed(Rest(), "REST", 4, 1),
    )
    (joined,) = read("JOIN SW-1 FRODO\nAS Pirate\nZONE UTC").commanded(c.Join)
    assert joined.command == c.Join("SW-1", ("FRODO",), ("Pirate",), "", "UTC")


def test_a_mistake_in_a_wrapped_command_keeps_its_position() -> None:
    (item,) = read('CREATE STARWEB DEADLINE "14 days"\n  OPTION worlds').items
    assert isinstance(item, Unparsed)
    assert (item.line, item.column, item.reason) == (2, 10, "which option?")


def test_a_mistyped_command_is_not_an_order() -> None:
    assert read("finale\nREPRT 7\nRESTT").items == (
        Unparsed("finale", 1, 1, "there is no word finale.", "Did you mean FINAL?"),
        Unparsed("REPRT 7", 2, 1, "there is no word REPRT.", "Did you mean REPORT 7?"),
        Unparsed("RESTT", 3, 1, "Unknown word RESTT.", "Did you mean REST?"),
    )


def test_a_letter_is_about_one_game() -> None:
    assert read("SW-1 T3\nREST\nSW-1\nREST\nSW-2\nA1-ROM").items == (
        Parsed(Rest(), "REST", 2, 1),
        Parsed(Rest(), "REST", 4, 1),
        Unparsed(
            "SW-2",
            5,
            1,
            "a letter is about one game; from here on nothing was read of SW-2.",
            "Send it in a letter of its own.",
        ),
    )


def test_a_letter_is_about_one_turn() -> None:
    assert read("SW-1 T3\nREST\nSW-1 T4\nREST").items == (
        Parsed(Rest(), "REST", 2, 1),
        Unparsed(
            "SW-1 T4",
            3,
            1,
            "a letter is about one turn; from here on nothing was read of T4.",
            "Send it in a letter of its own.",
        ),
    )


@pytest.mark.parametrize("below", ["", "\n\nFINAL", "\nPRESS TO MARS\nHello.\nEND", "\nThanks!"])
def test_standing_without_orders_shows_the_standing_orders(below: str) -> None:
    first, *_ = read(f"STANDING{below}").items
    assert first == Commanded(1, "STANDING", c.ShowStanding())


def test_standing_above_orders_needs_its_end() -> None:
    (item,) = read("STANDING\nREST\nFINAL").items
    assert isinstance(item, Unparsed)
    assert (
        item.reason == "the line END is missing after STANDING; it and all below it was left out."
    )


def test_undo_takes_a_receipt_and_no_note() -> None:
    assert read("UNDO #12\nUNDO\nUNDO 7").items == (
        Commanded(1, "UNDO #12", c.Undo(12)),
        Commanded(2, "UNDO", c.Undo()),
        Commanded(3, "UNDO 7", c.Undo(7)),
    )
    (item,) = read("UNDO #my last").items
    assert isinstance(item, Unparsed)


def test_end_ends_the_letter_and_reports_what_it_left_out() -> None:
    assert read("REST\nEND\n\n").items == (Parsed(Rest(), "REST", 1, 1),)
    assert read("REST\nEND\n\nA1-ROM\nBilbo").items == (
        Parsed(Rest(), "REST", 1, 1),
        Unparsed("END", 2, 1, "END ends the letter; 2 lines below it were not read."),
    )


def test_without_a_game_only_commands_are_read() -> None:
    lines = numbered("Hi there\nF3W5\nHELP\nSTANDING\nF3L\nEND")
    assert read_body(lines, None).items == (
        Unparsed("Hi there", 1, 1, NO_COMMAND),
        Commanded(3, "HELP", c.Help()),
        Unparsed("STANDING", 4, 1, "there is no running game whose orders these could be."),
    )


def test_the_length_of_a_text_is_limited() -> None:
    body = read("FINAL\n" * (MOST_ITEMS + 9))
    assert len(body.items) == MOST_ITEMS + 1
    last = body.items[-1]
    assert isinstance(last, Unparsed)
    assert (last.line, last.reason) == (
        MOST_ITEMS + 1,
        "the letter is too long; from this line on nothing was read.",
    )


def test_a_body_returns_its_parts() -> None:
    body = read("REST\nCHECK\nPRESS TO MARS\nhi\nEND\nORDERS 1\n???")
    assert [item.line for item in body.orders] == [1, 7]
    assert [item.line for item in body.press] == [3]
    assert [item.line for item in body.commanded(c.CountOrders)] == [6]
    assert (body.has(c.Check), body.has(c.Add)) == (True, False)


WORDS = st.sampled_from(
    [
        "PRESS TO MARS",
        "END",
        "STANDING",
        "SING",
        "REST",
        "A1-ROM",
        "FINAL",
        "BROADCAST",
        "JOIN SW-1",
        "OR",
        "SW-1",
        "SW-2 [X]",
        'CREATE "',
        "CREATE X DEADLINE",
        "OPTION",
        "<3>",
        "REST <3>",
        "CANCEL",
        "#",
        "SET",
        "HELP me",
        "A1-",
    ]
)


@given(st.lists(st.text() | WORDS).map("\n".join), st.sampled_from([READER, None]))
def test_no_text_raises(text: str, reader: Reader | None) -> None:
    lines = numbered(text)
    for item in read_body(lines, reader).items:
        assert 1 <= item.line <= len(lines)
        if isinstance(item, Unparsed):
            assert 1 <= item.column <= len(lines[item.line - 1].text) + 1


def test_a_mistyped_block_of_a_gm_is_left_out_to_its_end() -> None:
    items = read("GM SW-1\nBRODCAST\nA1-ROM\nHOLD tight!\nEND\nRESUME").items
    reason = "there is no word BRODCAST; it and all down to END was left out."
    assert items == (
        Unparsed("BRODCAST", 2, 1, reason, "Did you mean BROADCAST?"),
        Commanded(6, "RESUME", c.Resume()),
    )


def test_a_word_like_press_costs_a_player_no_orders() -> None:
    assert read("Pressed for time.\nA1-ROM\nEND").orders[1:] == (
        Parsed(March("A1", "ROM"), "A1-ROM", 2, 1),
    )
