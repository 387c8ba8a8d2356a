"""Letters to the reply address of one game that name another: nothing is done in the wrong one."""

from collections.abc import Mapping
from typing import Any

import pytest

from referee.store.games import games
from referee.testing.conversation import ADDRESS
from referee.testing.correspondents import MAIL_SERVER
from tests.attacks.siege import FRODO, GM, MALLORY, SAM, Siege
from tests.letters.signing import COVERED, Names, signed

CREATE = 'CREATE STARWEB SEATS 2 DEADLINE "5 days" OPTION introduced=yes\n'
MERRY = "merry@buckland.example"
BEFORE = {("SW-1", "FRODO"): ["ENDING 8000"]}


class TwoGames(Siege):
    """SW-1 of the siege, and SW-2, in which its GM and Frodo play."""

    def __init__(self, names: Names | None = None) -> None:
        """Begin when the first reports of SW-2 have been sent."""
        super().__init__(names, authserv_ids=frozenset({MAIL_SERVER}))
        self.write(GM, CREATE)
        self.write(FRODO, "JOIN SW-2 BILBO AS Empire Builder\n")
        self.write(GM, "JOIN SW-2 OLORIN AS Empire Builder\n")
        self.before = {address: len(person.got) for address, person in self.people.items()}

    def filed(self) -> Mapping[tuple[str, str], list[Any]]:
        """Return all orders on file by game and seat."""
        with self.store.read() as session:
            return {
                (game.name, row.name): list(sheet.orders)
                for game in games.listing(session)
                for row in game.seats
                if (sheet := games.sheet_of(session, row, game.turn)) is not None
            }

    def statuses(self) -> list[str]:
        """Return whether the games run."""
        with self.store.read() as session:
            return [game.status.name for game in games.listing(session)]


@pytest.mark.slow
@pytest.mark.parametrize("heading", ["SW-2", "SW-2 T1", "sw-2 t1 [bilbo]", "Game SW-2", "\nSW-2,"])
def test_orders_for_another_game_wait_for_a_confirmation(heading: str) -> None:
    siege = TwoGames()
    answered = siege.last(FRODO, "T1 FRODO")
    raw = siege.person(FRODO).reply(answered, f"{heading}\nENDING 1000\n", siege.now, {})
    siege._arrive(raw, answered.reply_to)
    assert siege.filed() == BEFORE
    asked = siege.last(FRODO)
    assert asked.subject == "Re: [SW-2 T1 BILBO] confirm: orders"
    said = " ".join(asked.text.split())
    assert "You answered an email about SW-1, but your email names SW-2." in said
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.filed() == {**BEFORE, ("SW-2", "BILBO"): ["ENDING 1000"]}


def test_a_code_files_them_in_the_game_that_it_is_for() -> None:
    siege = TwoGames()
    account = siege.person(FRODO).got[0].text.partition("#")[2].split()[0].strip(".,")
    siege.reply(FRODO, f"SW-2, #{account}, {siege.code(FRODO)}\nENDING 1000\n", "T1 FRODO")
    assert siege.filed() == {**BEFORE, ("SW-2", "BILBO"): ["ENDING 1000"]}
    said = " ".join(siege.last(FRODO).text.split())
    assert "If you mean SW-1, send it again without SW-2." in said


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["SW-9", "FP-1"])
def test_orders_for_a_game_that_is_none_are_answered(game: str) -> None:
    siege = TwoGames()
    siege.reply(FRODO, f"{game} T1\nENDING 1000\nFINAL\n", "T1 FRODO")
    assert siege.filed() == BEFORE
    said = " ".join(siege.last(FRODO).text.split())
    assert f"There is no game {game}." in said
    assert f"You answered an email about SW-1, but your email names {game}." in said


@pytest.mark.sampled
@pytest.mark.parametrize("command", ["END GAME", "RESOLVE"])
def test_a_gms_command_acts_in_the_game_that_its_heading_names(command: str) -> None:
    siege = TwoGames()
    siege.reply(GM, f"GM SW-1\n{command}\n", "T1 OLORIN")
    assert siege.statuses() == ["RUNNING", "RUNNING"]
    assert "[SW-1" in siege.last(GM).subject
    siege.reply(GM, "GM SW-2\nCONFIRM\n", "confirm")
    assert siege.statuses() == ["RUNNING", "RUNNING"]
    said = " ".join(siege.last(GM).text.split())
    assert "Nothing was confirmed: the email that you answered is about another game." in said


@pytest.mark.slow
def test_end_game_ends_the_game_that_its_heading_names() -> None:
    siege = TwoGames()
    siege.reply(GM, "GM SW-1\nEND GAME\n", "T1 OLORIN")
    siege.reply(GM, "CONFIRM\n", "confirm: END GAME")
    assert siege.statuses() == ["ENDED", "RUNNING"]


@pytest.mark.slow
def test_a_deputy_of_one_game_has_no_say_in_another() -> None:
    siege = TwoGames()
    siege.reply(FRODO, f"DEPUTY {MERRY} TO 6 September\n", "T1 FRODO")
    siege.reply(FRODO, "CONFIRM\n", "confirm: DEPUTY")
    siege.reply(MERRY, "CONFIRM\n", "asks you to be")
    for heading in ("SW-2", "SW-2 T1 [BILBO]", "SW-9"):
        siege.reply(MERRY, f"{heading}\nENDING 1000\n", "you now send orders for")
        assert siege.filed() == BEFORE
        assert "accepted" not in siege.last(MERRY).subject


def test_one_email_to_two_reply_addresses_is_for_the_game_that_it_names() -> None:
    siege = TwoGames()
    both = [siege.last(FRODO, words).reply_to for words in ("T1 BILBO", "T1 FRODO")]
    raw = siege.person(FRODO).letter(", ".join(both), "", "SW-1\nENDING 2000\n", siege.now, {})
    for recipient in both:
        siege.arrive(raw, recipient)
    assert siege.filed() == {("SW-1", "FRODO"): ["ENDING 2000"]}
    assert [each for each in siege.got(FRODO) if "confirm" in each] == []


@pytest.mark.slow
def test_the_question_about_a_join_names_the_game_that_is_joined() -> None:
    siege = TwoGames()
    siege.write(GM, CREATE)
    unsigned = {"Authentication_Results": "mx.example; none"}
    siege.write(SAM, "JOIN SW-3 ROSIE\n", "Re: [SW-1 T1 SAM]", **unsigned)
    assert siege.last(SAM).subject == "Re: [SW-3] confirm: JOIN"
    # A reply to it is for no seat of another game.
    siege.reply(SAM, "ENDING 1000\n", "confirm: JOIN")
    assert siege.filed() == BEFORE
    siege.reply(SAM, "SW-3\nCONFIRM\n", "confirm: JOIN")
    assert siege.last(SAM).subject == "Re: [SW-3 ROSIE] welcome, you play ROSIE"


def test_the_question_about_orders_and_a_join_is_about_the_game_of_the_orders() -> None:
    siege = TwoGames()
    siege.write(GM, CREATE)
    unsigned = {"Authentication_Results": "mx.example; none"}
    siege.write(SAM, "JOIN SW-3 ROSIE\nENDING 1000\n", **unsigned)
    assert siege.last(SAM).subject == "Re: [SW-1 T1 SAM] confirm: JOIN, orders"


@pytest.mark.sampled
@pytest.mark.parametrize("subject", ["Re: [SW-1] the game has started", "urgent", "Re: your game"])
def test_a_gms_reply_is_about_the_game_that_it_answers(subject: str) -> None:
    siege = TwoGames()
    siege.reply(GM, "HOLD\n", "[SW-1] the game has started", Subject=subject)
    assert siege.last(GM).subject == "Re: [SW-1 T1] done: HOLD"
    assert siege.statuses() == ["HELD", "RUNNING"]


@pytest.mark.sampled
@pytest.mark.parametrize("body", ["HOLD\n", "GM\nHOLD\n", "RESUME\nEND GAME\n"])
def test_a_gm_who_names_none_of_their_games_is_asked_which(body: str) -> None:
    siege = TwoGames()
    siege.write(GM, body)
    assert "not done" in siege.last(GM).subject
    assert "Which game? Write its name on the first line" in " ".join(siege.last(GM).text.split())
    siege.reply(GM, "CONFIRM\n", "not done")
    assert siege.statuses() == ["RUNNING", "RUNNING"]


# ---- Signed letters --------------------------------------------------------------------------

SHIRE = "shire.example"
THREAD = (*COVERED, b"in-reply-to")


def letter(subject: str = "my orders", thread: str = "", body: str = "ENDING 1000\r\n") -> bytes:
    """Return a letter of Frodo to the plain address, before it is signed."""
    head = f"From: {FRODO}\r\nTo: {ADDRESS}\r\nDate: Tue, 01 Sep 2026 12:00:00 +0000\r\n"
    head += f"Subject: {subject}\r\nMessage-ID: <1@{SHIRE}>\r\n{thread}"
    return f"{head}\r\n{body}".encode()


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["References", "In-Reply-To"])
def test_what_is_added_to_a_signed_letter_moves_it_to_no_other_game(name: str) -> None:
    siege = TwoGames(Names().key(SHIRE))
    raw = signed(letter("[SW-1 T1 FRODO] orders"), SHIRE)
    other = siege.last(FRODO, "T1 BILBO").message_id
    siege.arrive(f"{name}: {other}\r\n".encode() + raw)
    assert siege.filed() == {("SW-1", "FRODO"): ["ENDING 1000"]}


def test_what_is_added_to_a_signed_letter_puts_it_into_no_game() -> None:
    siege = TwoGames(Names().key(SHIRE))
    other = siege.last(FRODO, "T1 BILBO").message_id
    siege.arrive(f"In-Reply-To: {other}\r\n".encode() + signed(letter(), SHIRE))
    assert siege.filed() == BEFORE
    assert "Which game?" in siege.last(FRODO).text


def test_what_is_added_to_a_signed_letter_does_not_push_it_aside() -> None:
    siege = TwoGames(Names().key(SHIRE))
    mine, other = (siege.last(FRODO, f"T1 {seat}").message_id for seat in ("FRODO", "BILBO"))
    raw = signed(letter(thread=f"In-Reply-To: {mine}\r\n"), SHIRE, covered=THREAD)
    siege.arrive(f"In-Reply-To: {other}\r\n".encode() + raw)
    siege.arrive(b"DKIM-Signature: v=1; d=shire.example; h=from; b=AAAA\r\n" + raw)
    siege.arrive(raw)
    assert siege.filed() == {("SW-1", "FRODO"): ["ENDING 1000"]}


def test_a_signed_letter_that_waits_is_about_the_same_game_when_it_is_confirmed() -> None:
    siege = TwoGames(Names().key(SHIRE))
    raw = signed(letter("[SW-1 T1 FRODO] orders", body="RESIGN\r\n"), SHIRE)
    other = siege.last(FRODO, "T1 BILBO").message_id
    siege.arrive(f"References: {other}\r\n".encode() + raw)
    assert siege.last(FRODO).subject == "Re: [SW-1 T1 FRODO] confirm: RESIGN"
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.last(FRODO).subject.startswith("Re: [SW-1 T1]")


def test_the_reply_address_of_another_gm_says_nothing_about_a_letter() -> None:
    siege = TwoGames()
    siege.write(GM, CREATE)
    answered = siege.last(GM, "SW-3")
    thread = f"In-Reply-To: {answered.message_id}\r\n"
    siege.arrive(letter(thread=thread), answered.reply_to)
    assert "Which game?" in siege.last(FRODO).text


@pytest.mark.slow
def test_an_answer_is_no_copy_of_one_to_another_question() -> None:
    siege = TwoGames()
    siege.write(GM, CREATE)
    for address in (MALLORY, MERRY):
        siege._arrive(siege.person(address).letter(ADDRESS, "", "JOIN SW-3\n", siege.now, {}), "")
    answered = siege.last(MERRY, "confirm")
    raw = siege.person(MERRY).reply(answered, "CONFIRM\n", siege.now, {})
    siege._arrive(raw, siege.last(MALLORY, "confirm").reply_to)
    siege._arrive(raw, answered.reply_to)
    assert "welcome" in siege.last(MERRY).subject
