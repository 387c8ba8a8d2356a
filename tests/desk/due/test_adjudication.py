"""Why a turn was resolved when it was, in the letter to its GMs."""

from datetime import UTC, datetime, timedelta

from referee.desk.due.adjudication import reason
from referee.store.models import LONG_AGO, Game

DUE = datetime(2026, 9, 6, 12, 0, tzinfo=UTC)


def _game(ready: datetime | None = None, grace: int = 0, stalls: int = 0) -> Game:
    closes = DUE + timedelta(seconds=grace)
    return Game(closes_at=closes, ready_at=ready, grace_seconds=grace, stalls=stalls)


def test_a_turn_is_resolved_at_its_deadline_or_at_the_end_of_the_grace() -> None:
    assert reason(_game(), DUE) == "at its deadline"
    assert reason(_game(grace=7200), DUE + timedelta(hours=2)) == "at the end of the grace"


def test_a_turn_is_resolved_early() -> None:
    early = DUE - timedelta(days=1)
    assert reason(_game(early), early) == "because everyone with orders to send had sent FINAL"
    assert reason(_game(LONG_AGO), early) == "because a GM sent RESOLVE"


def test_a_turn_is_resolved_late() -> None:
    late = DUE + timedelta(hours=5)
    down = "5 hours late, because the referee or its mail was down"
    assert reason(_game(), late) == down
    assert reason(_game(stalls=2), late) == "5 hours late, because of a fault on our side"
    assert reason(_game(grace=7200), late + timedelta(hours=2)) == down
