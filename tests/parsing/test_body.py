"""Whole letters as typed, with orders, commands and messages separated."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.parsing.body import (
    MOST_ITEMS,
    NO_COMMAND,
    Body,
    DiaryBlock,
    Heading,
    ParsedCommand,
    PressBlock,
    StandingBlock,
    read_body,
)
from referee.parsing.items import Parsed, Unparsed
from referee.parsing.lines import numbered
from referee.parsing.reader import Reader
from referee.rules.extras import Strength
from tests.parsing.toy import March, Rest, Song, language

READER = Reader(language())


Mistyped = partial(Unparsed, is_command=True)


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
        Heading("SW-555", "CERES", 11, "K7QX"),
        (
            Parsed(March("A1", "ROM"), "A1-ROM", 2, 1),
            Parsed(Rest(), "REST", 2, 9),
            PressBlock(4, ("HATYSA", "MARS"), False, "I shall not march."),
            ParsedCommand(7, "FINAL", c.Final()),
        ),
    )


def test_the_first_word_decides() -> None:
    assert read("  cancel A1-ROM\nREST # final\nfinal").items == (
        ParsedCommand(1, "cancel A1-ROM", c.Cancel("A1-ROM")),
        Parsed(Rest(), "REST", 2, 1),
        ParsedCommand(3, "final", c.Final()),
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
        Mistyped(
            "PRESS TO MARS",
            2,
            1,
            "Expected END below PRESS, so PRESS and all lines below it were left out.",
            "Send it again with END.",
            lost=3,
        ),
    )


def test_a_message_that_runs_into_the_next_one_is_not_sent() -> None:
    text = "PRESS TO MARS\nhello\n  press anonymous to VENUS\nMARS is a fool\nEND\nREST"
    assert read(text).items == (
        Mistyped(
            "PRESS TO MARS",
            1,
            1,
            "Expected END below PRESS, so PRESS and all lines below it were left out.",
            "Send it again with END.",
            lost=6,
        ),
    )


def test_a_message_with_a_bad_head_is_not_read_as_orders() -> None:
    assert read("PRESS MARS\nA1-ROM\nEND\nREST").items == (
        Mistyped(
            "PRESS MARS",
            1,
            7,
            "Expected TO after PRESS.",
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
        Heading("SW-1", by_gm=True), (ParsedCommand(2, "BROADCAST", gm.Broadcast("Hello\n\nall.")),)
    )


def test_inside_a_block_of_orders_nothing_is_a_command() -> None:
    assert read("SING\nFINAL\nSW-2\nEND\nFINAL").items == (
        Parsed(Song(("FINAL", "SW-2")), "SING", 1, 1),
        ParsedCommand(5, "FINAL", c.Final()),
    )


def test_the_players_own_count_can_end_a_line_of_orders() -> None:
    counted = ParsedCommand(1, "<2>", c.CountOrders(2))
    orders = (Parsed(Rest(), "REST", 1, 1), Parsed(March("A1", "ROM"), "A1-ROM", 1, 6))
    assert read("REST A1-ROM <2>").items == (*orders, counted)
    assert read("<2>").items == (counted,)
    typed = "Total orders: 2"
    in_words = ParsedCommand(1, typed, c.CountOrders(2))
    assert read(f"A1-ROM REST {typed}").items == (*read("A1-ROM REST").items, in_words)
    # Letters with wide characters contain counts in this form.
    assert read("REST A1-ROM\u3000\uff1c2\uff1e").items == (*orders, counted)


def test_a_wrapped_command_is_one() -> None:
    deadline = "every second Friday 18:00 America/Phoenix"
    assert read(
        'CREATE STARWEB SEATS 3 DEADLINE "every second Friday\n18:00 America/Phoenix"\n'
        "OPTION worlds=60\nREST"
    ).items == (
        ParsedCommand(
            1,
            f'CREATE STARWEB SEATS 3 DEADLINE "{deadline}" OPTION worlds=60',
            c.Create("STARWEB", "", 3, deadline, (("worlds", "60"),)),
        ),
        Parsed(Rest(), "REST", 4, 1),
    )
    (joined,) = read("JOIN SW-1 FRODO\nAS Pirate\nZONE UTC").commanded(c.Join)
    assert joined.command == c.Join("SW-1", ("FRODO",), ("Pirate",), "", "UTC")
    (joined,) = read("JOIN SW-1 FRODO\n\nAS Pirate\n\nAs we said").commanded(c.Join)
    assert joined.command == c.Join("SW-1", ("FRODO",), ("Pirate",))


def test_parts_above_a_command_are_read_like_those_below() -> None:
    whole = c.Join("SW-1", ("SAM",), ("Pirate", "Merchant"), "Sam Gamgee", "UTC")
    for typed in (
        "ZONE UTC\nREAL NAME Sam Gamgee\nAS Pirate OR Merchant\nJOIN SW-1 SAM",
        "As Pirate\nOr Merchant\nPlease JOIN SW-1 SAM\nReal name Sam Gamgee\nZone UTC",
        "ZONE UTC\n\nAS Pirate OR Merchant\n\n\nJOIN SW-1 SAM\n\nREAL NAME Sam Gamgee",
    ):
        (joined,) = read(typed).items
        assert isinstance(joined, ParsedCommand)
        assert joined.command == whole
    (play,) = read("HARD\nPLAY STARWEB\nWITHIN 3 days").commands
    assert play.command == c.Play("STARWEB", None, Strength.HARD, (), 3)


def test_a_mistake_in_parts_above_a_command_is_answered_with_it() -> None:
    (item,) = read("ZONE UTC\nAS Pirate OR\nJOIN SW-1 SAM").items
    assert isinstance(item, Unparsed)
    assert (item.line, item.text) == (2, "JOIN SW-1 SAM ZONE UTC AS Pirate OR")


@pytest.mark.parametrize(
    "above", ["As discussed,", "As I said before,", "As a Pirate\n", "ZONE UTC\nHELP", "REST"]
)
def test_other_lines_above_a_command_are_no_parts_of_it(above: str) -> None:
    (joined,) = read(f"{above}\nJOIN SW-1 SAM").commanded(c.Join)
    assert joined.command == c.Join("SW-1", ("SAM",))


def test_a_mistake_in_a_wrapped_command_keeps_its_position() -> None:
    (item,) = read('CREATE STARWEB DEADLINE "14 days"\n  OPTION worlds').items
    assert isinstance(item, Unparsed)
    assert (item.line, item.column, item.reason) == (2, 10, "Which option?")


def test_a_mistyped_command_is_not_an_order() -> None:
    assert read("finale\nREPRT 7\nRESTT").items == (
        Mistyped("finale", 1, 1, "Unknown word finale.", "Did you mean FINAL?"),
        Mistyped("REPRT 7", 2, 1, "Unknown word REPRT.", "Did you mean REPORT 7?"),
        Unparsed("RESTT", 3, 1, "Unknown word RESTT.", "Did you mean REST?"),
    )


@pytest.mark.parametrize("word", ["SIGN", "UNDER", "CLEANER"])
def test_no_command_that_gives_something_up_is_suggested(word: str) -> None:
    unread = [item for item in read(word).orders if isinstance(item, Unparsed)]
    assert not any("RESIGN" in item.advice or "UNDO" in item.advice for item in unread)


@pytest.mark.parametrize("word", ["RSIGN", "RESIGNN", "RESINGN", "RESIHN"])
def test_a_typo_of_one_letter_is_corrected(word: str) -> None:
    (item,) = read(word).orders
    assert isinstance(item, Unparsed)
    assert item.advice == "Did you mean RESIGN?"


def test_a_letter_is_about_one_game() -> None:
    assert read("SW-1 T3\nREST\nSW-1\nREST\nSW-2\nA1-ROM").items == (
        Parsed(Rest(), "REST", 2, 1),
        Parsed(Rest(), "REST", 4, 1),
        Mistyped(
            "SW-2",
            5,
            1,
            "An email is about one game, so nothing was read from here on for SW-2.",
            "Send it in an email of its own.",
            lost=2,
        ),
    )


def test_a_letter_is_about_one_turn() -> None:
    assert read("SW-1 T3\nREST\nSW-1 T4\nREST").items == (
        Parsed(Rest(), "REST", 2, 1),
        Mistyped(
            "SW-1 T4",
            3,
            1,
            "An email is about one turn, so nothing was read from here on for T4.",
            "Send it in an email of its own, with SW-1 T4 on its first line.",
            lost=2,
        ),
    )


def test_a_line_with_another_turn_is_not_read_for_this_one() -> None:
    *above, unread = read_body(
        numbered("REST\nT4 REST\nREST"), READER, Heading("SW-1", turn=3)
    ).items
    assert above == [Parsed(Rest(), "REST", 1, 1)]
    assert unread == Unparsed(
        "T4 REST",
        2,
        1,
        "An email is about one turn, so nothing was read from here on for T4.",
        "Send it in an email of its own, with SW-1 T4 on its first line.",
        is_command=True,
        lost=2,
    )


@pytest.mark.parametrize("line", ["T3 REST", "Turn 3: REST", "T3\nREST"])
def test_a_line_with_the_turn_of_the_email_is_read(line: str) -> None:
    about = Heading("SW-1", turn=3)
    assert [type(item) for item in read_body(numbered(line), READER, about).items] == [Parsed]


def test_a_turn_in_prose_is_prose() -> None:
    items = read_body(numbered("T4 comes soon\nREST"), READER, Heading("SW-1", turn=3)).items
    assert Parsed(Rest(), "REST", 2, 1) in items


@pytest.mark.parametrize(
    "line",
    [
        "For turn 4:",
        "These are for turn 4:\n",
        "Orders turn 4",
        "Next turn I will do this:",
        "Turn 4 orders:",
    ],
)
def test_orders_below_another_turn_are_not_read(line: str) -> None:
    about = Heading("SW-1", turn=3)
    (named,) = read_body(numbered(f"{line}\nREST\n\nREST"), READER, about).items
    assert isinstance(named, Unparsed)
    assert (named.reason, named.lost) == (
        "An email is about one turn, so nothing was read from here on for T4.",
        3,
    )


@pytest.mark.parametrize(
    "line",
    [
        "My orders for turn 3:",
        "See you next turn",
        "Thanks for turn 2. My orders:",
        "Here are my orders after turn 2:",
        "Orders T4",
    ],
)
def test_orders_below_other_words_about_turns_are_read(line: str) -> None:
    items = read_body(numbered(f"{line}\nREST"), READER, Heading("SW-1", turn=3)).items
    assert Parsed(Rest(), "REST", 2, 1) in items


@pytest.mark.parametrize("below", ["", "\n\nFINAL", "\nPRESS TO MARS\nHello.\nEND", "\nThanks!"])
def test_standing_without_orders_shows_the_standing_orders(below: str) -> None:
    first, *_ = read(f"STANDING{below}").items
    assert first == ParsedCommand(1, "STANDING", c.ShowStanding())


def test_standing_above_orders_needs_its_end() -> None:
    (item,) = read("STANDING\nREST\nFINAL").items
    assert isinstance(item, Unparsed)
    assert (
        item.reason
        == "Expected END below STANDING, so STANDING and all lines below it were left out."
    )


def test_undo_takes_a_receipt_and_no_note() -> None:
    assert read("UNDO #12\nUNDO\nUNDO 7").items == (
        ParsedCommand(1, "UNDO #12", c.Undo(12)),
        ParsedCommand(2, "UNDO", c.Undo()),
        ParsedCommand(3, "UNDO 7", c.Undo(7)),
    )
    (item,) = read("UNDO #my last").items
    assert isinstance(item, Unparsed)


def test_end_ends_the_letter_and_reports_what_it_left_out() -> None:
    assert read("REST\nEND\n\n").items == (Parsed(Rest(), "REST", 1, 1),)
    assert read("REST\nEND\n\nA1-ROM\nBilbo").items == (
        Parsed(Rest(), "REST", 1, 1),
        Mistyped("END", 2, 1, "END ends the email. Not read below it: 2 lines.", lost=2),
    )


def test_without_a_game_only_commands_are_read() -> None:
    lines = numbered("Hi there\nF3W5\nHELP\nSTANDING\nF3L\nEND")
    assert read_body(lines, None).items == (
        Unparsed("Hi there", 1, 1, NO_COMMAND, is_words=True),
        Unparsed("F3W5", 2, 1, NO_COMMAND),
        ParsedCommand(3, "HELP", c.Help()),
        Mistyped("STANDING", 4, 1, "There is no running game for these orders."),
    )


@pytest.mark.slow
def test_the_length_of_a_text_is_limited() -> None:
    body = read("F3W5\n" * (MOST_ITEMS + 9))
    assert len(body.items) == MOST_ITEMS + 1
    last = body.items[-1]
    assert isinstance(last, Unparsed)
    assert (last.line, last.reason) == (
        MOST_ITEMS + 1,
        "Your email is too long. Nothing was read from this line on.",
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
    reason = "Unknown word BRODCAST, so this line and all lines down to END were left out."
    assert items == (
        Mistyped("BRODCAST", 2, 1, reason, "Did you mean BROADCAST?"),
        ParsedCommand(6, "RESUME", gm.Resume()),
    )


@pytest.mark.parametrize("heading", [True, False])
def test_orders_for_a_seat_are_a_block_of_the_gm(heading: bool) -> None:
    typed = "ORDERS FOR CERES\nA1-ROM\nEND\norders for Mars undo"
    text, about = (f"GM SW-1\n{typed}", None) if heading else (typed, Heading("SW-1", by_gm=True))
    items = read_body(numbered(text), READER, about).items
    assert [item.command for item in items if isinstance(item, ParsedCommand)] == [
        gm.FileOrders("CERES", "A1-ROM"),
        gm.TakeBackOrders("Mars"),
    ]


def test_a_title_above_orders_of_a_player_is_no_block() -> None:
    remark, order = read("Orders for Ceres\nA1-ROM\nEND").items
    assert (isinstance(remark, Unparsed), isinstance(order, Parsed)) == (True, True)


@pytest.mark.parametrize("text", ["Orders: A1-ROM", "ORDERS: A1-ROM.", "- Orders: - A1-ROM"])
def test_a_label_that_is_a_command_alone_is_none_before_an_order(text: str) -> None:
    (order,) = read(text).items
    assert isinstance(order, Parsed)
    assert order.order == March("A1", "ROM")


def test_a_message_of_a_gm_does_not_run_into_orders_for_a_seat() -> None:
    (fault,) = read("GM SW-1\nPRESS TO MARS\nHello\nORDERS FOR CERES\nA1-ROM\nEND").items
    assert isinstance(fault, Unparsed)
    assert fault.reason.startswith("Expected END below PRESS")


def test_a_word_like_press_costs_a_player_no_orders() -> None:
    assert read("Pressed for time.\nA1-ROM\nEND").orders[1:] == (
        Parsed(March("A1", "ROM"), "A1-ROM", 2, 1),
    )


@pytest.mark.parametrize(
    "line",
    [
        "Press on.",
        "Standing by.",
        "Correct me if I am wrong.",
        "Final thoughts: a wonderful turn.",
        "Cancel my lunch, there is a war on.",
        "Wait, I forgot the rest.",
        "I love them all <3>",
    ],
)
def test_a_remark_that_begins_with_a_command_hides_nothing(line: str) -> None:
    remark, order = read(f"{line}\nA1-ROM").items
    assert isinstance(remark, Unparsed)
    assert (remark.is_words, remark.is_command) == (True, False)
    assert order == Parsed(March("A1", "ROM"), "A1-ROM", 2, 1)


@pytest.mark.parametrize("line", ["- FINAL", "1. FINAL", "**FINAL**", "`final`", "[x] FINAL"])
def test_a_command_is_read_in_a_list(line: str) -> None:
    (item,) = read(line).items
    assert isinstance(item, ParsedCommand)
    assert item.command == c.Final()


def test_a_block_that_is_a_remark_hides_nothing() -> None:
    items = read("Sing the song of the sea.\nA1-ROM\nREST").items
    assert items[1:] == (Parsed(March("A1", "ROM"), "A1-ROM", 2, 1), Parsed(Rest(), "REST", 3, 1))


def test_an_entry_of_a_diary_hides_orders_commands_and_headings() -> None:
    text = "REST\n\nSW-2 T7\nRESIGN\nFINAL"
    body = read(f"diary:\n{text}\nEND\nREST")
    assert body.items[0] == DiaryBlock(1, text)
    assert [item.text for item in body.orders] == ["REST"]
    assert body.heading is None


@pytest.mark.parametrize("below", ["", "\n\n", "\nSTATUS", "\nDIARY\nA secret.\nEND"])
def test_a_diary_with_nothing_below_it_is_a_question(below: str) -> None:
    assert read(f"DIARY{below}").items[0] == ParsedCommand(1, "DIARY", c.ShowDiary())


@pytest.mark.parametrize("text", ["DIARY\nREST", "DIARY\n\nMy plan.\nSTATUS"])
def test_an_entry_without_end_is_not_kept_and_nothing_below_it_is_read(text: str) -> None:
    (item,) = read(text).items
    assert isinstance(item, Unparsed)
    assert item.reason.startswith("Expected END below DIARY")


@pytest.mark.parametrize(
    "text",
    [
        "PRESS TO MARS\nNote to myself.\nEND\nREST",
        "\nPRESS TO MARS\nNote to myself.\nEND",
        "STATUS\nPRESS TO MARS\nNote to myself.\nEND",
        "Today I wrote:\nPRESS TO MARS\nFriends?\nEND\nNothing came back.\nEND\nFINAL\nREST",
        "STANDING\nREST\nEND",
        "PRESS TO MARS\nNo END.",
        "DIARY\nPRESS TO MARS\nNote to myself.\nEND",
    ],
)
def test_nothing_is_done_of_a_diary_with_another_block_before_its_end(text: str) -> None:
    first, *rest = read(f"REST\nDIARY\n{text}").items
    assert first == Parsed(Rest(), "REST", 1, 1)
    item = rest[-1]
    assert isinstance(item, Unparsed)
    assert "before the END of DIARY, so DIARY and all lines below it were left out" in item.reason
    assert all(isinstance(each, ParsedCommand) for each in rest[:-1])


def test_a_diary_keeps_another_block_behind_dashes() -> None:
    text = "Today I wrote:\n- PRESS TO MARS\nFriends?\n- END\nNothing came back."
    assert read(f"DIARY\n{text}\nEND\nREST").items == (
        DiaryBlock(1, text),
        Parsed(Rest(), "REST", 8, 1),
    )


def test_a_diary_is_shown_below_a_message() -> None:
    items = read("PRESS TO MARS\nHi.\nEND\nDIARY").items
    assert items[1:] == (ParsedCommand(4, "DIARY", c.ShowDiary()),)


def test_an_entry_ends_a_message_without_end_and_the_other_way_round() -> None:
    for text in ("PRESS TO MARS\nHi.\nDIARY\nSecret.\nEND", "DIARY\nHi.\nPRESS TO MARS\nNo.\nEND"):
        (item,) = read(text).items
        assert isinstance(item, Unparsed)
