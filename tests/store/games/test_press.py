"""Press: waiting and due messages, and their order of delivery."""

from datetime import timedelta

import pytest

from referee.domain.press import PressRule, PressRules
from referee.store import Session, Store, moments
from referee.store.games import press
from referee.store.games.press import Press
from referee.store.models import Game, GameStatus
from tests.store.rows import NOW, a_letter, a_person, a_running_game, a_seat


def a_message(session: Session, game: Game, text: str, **changes: object) -> Press:
    values = {
        "game_id": game.id,
        "turn": 1,
        "letter_id": a_letter(session).id,
        "sender": 1,
        "anonymous": False,
        "recipients": [2],
        "text": text,
    }
    message = Press(**{**values, **changes})
    session.add(message)
    session.flush()
    return message


@pytest.mark.parametrize("words", [("b", "a", "c"), ("c", "b", "a")])
def test_the_order_of_anonymous_messages_reveals_nothing(
    store: Store, words: tuple[str, ...]
) -> None:
    with store.write() as session:
        game = a_running_game(session)
        a_message(session, game, "z")
        for word in words:
            a_message(session, game, word, anonymous=True)
        a_message(session, game, "y")
        waiting = [message.text for message in press.undelivered(session, game)]
    assert waiting == ["z", "y", "a", "b", "c"]


def test_messages_for_the_report_are_not_due_and_vice_versa(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        a_message(session, game, "with the report")
        late = a_message(session, game, "later", due_at=NOW + timedelta(minutes=1))
        soon = a_message(session, game, "now", due_at=NOW)
        assert press.due(session, game, NOW) == [soon]
        assert press.due(session, game, NOW + timedelta(hours=1)) == [soon, late]
        assert press.games_due(session, NOW) == [game.id]
        assert moments.first(session, frozenset({"press.due_at"})) == NOW
        assert [message.text for message in press.undelivered(session, game)] == ["with the report"]
        soon.delivered_turn = late.delivered_turn = 1
        session.flush()
        assert press.games_due(session, NOW + timedelta(hours=1)) == []
        assert moments.first(session, frozenset({"press.due_at"})) is None


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, True),
        ({"text": "Meet me\n at  W13."}, True),
        ({"text": "Meet me at W14."}, False),
        ({"recipients": [2, 3]}, False),
        ({"turn": 2}, False),
        ({"delivered_turn": None}, False),
        ({"sender": 2}, False),
    ],
)
def test_a_message_repeats_a_delivered_one(
    store: Store, changes: dict[str, object], *, found: bool
) -> None:
    with store.write() as session:
        game = a_running_game(session)
        seat = a_seat(session, game)
        message = a_message(session, game, "Meet me at W13.", turn=3, delivered_turn=3)
        for name, value in changes.items():
            setattr(message, name, value)
        message.letter.holder_id = seat.person_id
        session.flush()
        twin = press.delivered_twin(session, seat, [2], "Meet me at W13.", 3)
        assert (twin is message) == found


def test_a_new_player_of_a_seat_repeats_no_message_of_the_player_before(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        message = a_message(session, game, "Hello.", delivered_turn=1)
        message.letter.holder_id = a_person(session, "smeagol@there").id
        session.flush()
        assert press.delivered_twin(session, a_seat(session, game), [2], "Hello.", 1) is None


def test_a_timed_message_follows_the_deadline_and_comes_with_the_report_at_the_latest(
    store: Store,
) -> None:
    with store.write() as session:
        game = a_running_game(session)
        game.press_rules = PressRules(PressRule.ALL, at_once=True)
        before = a_message(session, game, "before", lead_seconds=7200)
        at_noon = a_message(session, game, "at noon", wanted_at=NOW)
        unsigned = a_message(session, game, "unsigned", wanted_at=NOW, anonymous=True)
        press.follow(session, game)
        quarter = NOW.replace(minute=15)
        assert [each.due_at for each in (before, at_noon, unsigned)] == [
            NOW - timedelta(hours=2),
            NOW,
            quarter,
        ]
        game.deadline_at = NOW + timedelta(days=1)
        press.follow(session, game)
        assert before.due_at == NOW + timedelta(hours=22)
        assert len(press.undelivered(session, game)) == 3


@pytest.mark.parametrize("status", [GameStatus.HELD, GameStatus.ENDED])
def test_a_message_before_a_deadline_has_no_time_without_one(
    store: Store, status: GameStatus
) -> None:
    with store.write() as session:
        game = a_running_game(session)
        game.press_rules = PressRules(PressRule.ALL, at_once=True)
        message = a_message(session, game, "before", lead_seconds=7200, due_at=NOW)
        game.status = status
        press.follow(session, game)
        assert message.due_at is None


def test_a_timed_message_waits_for_the_report_if_all_do_except_one_to_the_gm(store: Store) -> None:
    with store.write() as session:
        game = a_running_game(session)
        game.press_rules = PressRules(PressRule.ALL)
        message = a_message(session, game, "noon", wanted_at=NOW, due_at=NOW)
        to_gm = a_message(session, game, "noon", wanted_at=NOW, due_at=NOW, recipients=[0])
        press.follow(session, game)
        assert (message.due_at, to_gm.due_at) == (None, NOW)
