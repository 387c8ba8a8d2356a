"""The deadline of a turn as a letter names it, with an earlier end if everybody is ready."""

from datetime import datetime

from referee.letters.outgoing.local_time import Deadline, Moment
from referee.store.models import Game


def current_deadline(game: Game, zone: str, now: datetime) -> Deadline | None:
    """Return the deadline of the current turn for a reader in *zone*; None if it has none now."""
    if game.due_at is None:
        return None
    return Deadline(game.due_at, zone, early_end_in_words(game.ready_at, zone, now))


def early_end_in_words(early: datetime | None, zone: str, now: datetime) -> str:
    """Return the sentence after the deadline of a turn that ends *early*, or ""."""
    if early is None:
        return ""
    if early <= now:
        return "But the turn is resolved now."
    return (
        f"Everyone is ready, so the turn is resolved on {Moment(early, zone)} unless somebody "
        "sends WAIT or new orders without FINAL."
    )
