"""A GM who plays, and wants a seat, a secret or a turn for themselves or for a friend."""

from datetime import UTC, datetime, timedelta
from typing import ClassVar

import pytest

from referee.store.games import games
from tests.attacks.siege import FRODO, GM, MALLORY, SAM, Siege

GANDALF = "gandalf@grey.example"


def command(siege: Siege, words: str) -> str:
    """Send a command of the GM, confirm it if it can be done, and return the answer as a line."""
    siege.now += timedelta(hours=1)
    siege.write(GM, f"GM SW-1\n{words}\n")
    if "confirm" in siege.last(GM).subject:
        siege.reply(GM, "CONFIRM\n", "confirm")
    return " ".join(siege.last(GM).text.split())


class Played(Siege):
    """The siege of a game that its GM has joined as SAM."""

    begins: ClassVar[str] = Siege.begins.replace(SAM, GM)


class PlayedByOne(Played):
    """The same with another GM, Gandalf, who has no seat."""

    begins: ClassVar[str] = Played.begins.replace(
        "=== frodo@shire.example writes",
        f"""=== gm@example.org replies
PROMOTE {GANDALF}
=== gm@example.org replies to confirm
CONFIRM
=== frodo@shire.example writes""",
        1,
    )


def besieged(*, other: bool = False) -> Siege:
    """Return a game whose GM has a seat of it, with an *other* GM who has none."""
    return PlayedByOne() if other else Played()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        f"PROMOTE {MALLORY}",
        f"DEPUTY FRODO {FRODO.replace('frodo', 'merry')} FROM today TO tomorrow",
        f"REPLACE FRODO {MALLORY}",
        "VACATE FRODO",
        "RESOLVE",
        "OPTION EXTENSIONS 15 days",
        "OPTION BANK 15 days",
        "SCHEDULE 3 days, at least 365 days apart",
        "SCHEDULE 29 days",
        "SCHEDULE 3 days, except 2028-01-01 to 2028-06-30",
        "SCHEDULE daily 20:00 UTC, except 1 March to 31 May",
        "OPTION trust=address",
        "OPTION vote_draw=majority",
        "SCHEDULE 1 hour",
        "OPTION MISSED 1",
        "ELIMINATE FRODO",
        "DEADLINE 1 September 2026 20:00 UTC",
    ],
)
def test_a_gm_who_plays_is_refused(words: str) -> None:
    siege = besieged()
    before = siege.picture()
    answer = command(siege, words)
    assert "You play in SW-1, so you cannot" in answer
    assert "The operator can appoint a GM who does not play." in answer
    assert siege.picture() == before
    assert siege.got(MALLORY) == []


@pytest.mark.slow
def test_a_gm_who_plays_moves_the_deadline_of_a_game_on_hold_as_extend_does() -> None:
    siege = besieged()
    assert "on hold" in command(siege, "HOLD")
    assert "can be extended by at most" in command(siege, "DEADLINE 30 September 2026 12:00 UTC")
    refused = command(siege, "DEADLINE 1 September 2026 20:00 UTC")
    assert "You play in SW-1, so you cannot leave less than 1 day for a turn" in refused
    assert "12 Sep" in command(siege, "DEADLINE 12 September 2026 12:00 UTC")
    assert "can be extended by at most" in command(siege, "EXTEND 2 days")
    # The hold ends by itself, and the deadline is then the one that was named.
    siege.later(days=8)
    with siege.store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        assert game.due_at == datetime(2026, 9, 12, 12, tzinfo=UTC)


@pytest.mark.slow
def test_a_gm_who_plays_makes_a_schedule_with_holidays() -> None:
    answer = command(besieged(), "SCHEDULE every Friday 18:00 UTC, except 24 December to 2 January")
    assert "Now: Turns are due every Friday 18:00 UTC, except 24 December" in answer


@pytest.mark.slow
def test_a_gm_who_plays_cannot_roll_back() -> None:
    siege = besieged()
    siege.later(days=10)
    assert "You play in SW-1, so you cannot undo turns." in command(siege, "ROLLBACK")


def test_a_gm_who_plays_is_referred_to_the_gm_who_does_not() -> None:
    siege = besieged(other=True)
    answer = command(siege, f"PROMOTE {MALLORY}")
    assert "Ask the other GM, who does not play." in answer


@pytest.mark.slow
def test_a_gm_who_plays_moves_a_deadline_back_only_as_extend_does() -> None:
    siege = besieged()
    refused = command(siege, "DEADLINE 30 September 2026 12:00 UTC")
    assert "can be extended by at most" in refused
    assert "to Sat 12 Sep" in command(siege, "DEADLINE 12 September 2026 12:00 UTC")
    refused = command(siege, "DEADLINE 17 September 2026 12:00 UTC")
    assert "can be extended by at most" in refused
    with siege.store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        assert game.deadline_at is not None
        assert (game.deadline_at.month, game.deadline_at.day) == (9, 12)


@pytest.mark.slow
def test_a_gm_who_plays_replaces_the_player_of_an_inactive_seat() -> None:
    siege = besieged()
    siege.write(MALLORY, "STANDBY SW-1\n")
    siege.later(days=17)
    assert "You play" not in command(siege, f"REPLACE FRODO {MALLORY}")


@pytest.mark.slow
def test_a_gm_who_plays_is_answered_alike_whether_orders_are_missing_or_not() -> None:
    missing, complete = besieged(), besieged()
    complete.reply(GM, "ENDING 1000\n", "T1")
    assert complete.orders("SAM") == ["ENDING 1000"]
    shown = []
    for siege in (missing, complete):
        siege.write(GM, "GM SW-1\nREMIND NOW\n")
        asked = siege.last(GM).text
        siege.reply(GM, "CONFIRM\n", "confirm")
        # The player of SAM, who is the GM, may be reminded, too.
        told = [got.text for got in siege.person(GM).got if "Reminded of turn 1" in got.text]
        shown.append((asked, told))
    assert shown[0] == shown[1]
    assert len(shown[0][1]) == 1
    assert "goes to: those who still have to send orders" in " ".join(shown[0][0].split())


@pytest.mark.slow
def test_a_gm_who_plays_reads_nothing_that_another_gm_keeps_from_the_players() -> None:
    siege = besieged(other=True)
    before = len(siege.got(GM))
    siege.write(GANDALF, f"GM SW-1\nALLOW {MALLORY}\n")
    siege.reply(GANDALF, "CONFIRM\n", "confirm")
    assert "done: ALLOW" in siege.last(GANDALF).subject
    assert len(siege.got(GM)) == before
    assert MALLORY not in command(siege, "AUDIT")


@pytest.mark.parametrize("whom", [GM, GANDALF])
def test_a_gm_who_gave_up_their_seat_and_saw_the_secrets_gets_none_again(whom: str) -> None:
    siege = besieged(other=True)
    siege.reply(GM, "RESIGN\n", "T1")
    siege.reply(GM, "CONFIRM\n", "confirm")
    assert "ENDING 8000" in command(siege, "SHEETS")
    refused = "could see the secrets of SW-1 as GM, so nobody can give them"
    assert refused in command(siege, f"REPLACE SAM {whom}")
    siege.write(whom, "TAKEOVER SW-1\n")
    assert "you cannot take a seat" in " ".join(siege.last(whom).text.split())
    siege.write(whom, "STANDBY SW-1\n")
    siege.later(days=1)
    assert not [subject for subject in siege.got(whom) if "play SAM" in subject]


def test_nobody_gets_a_second_seat_of_a_game_from_its_gm() -> None:
    siege = Siege()
    siege.reply(SAM, "RESIGN\n", "T1")
    siege.reply(SAM, "CONFIRM\n", "confirm")
    command(siege, "VACATE FRODO")
    refused = command(siege, f"REPLACE FRODO {SAM}")
    assert "played another seat of SW-1, so nobody can give them" in refused
