"""The terms under which a letter waits for a confirmation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.desk.base.identity import Identity
from referee.domain.trust import Trust
from referee.store import Session
from referee.store.models import InboxLetter
from referee.store.people import people


@dataclass(frozen=True, slots=True)
class ConfirmationTerms:
    """The terms of a pending letter: who was asked, for which seat and epoch, in which turn.

    *shown* is a hash of the preview they were shown, or "" if it was left out because the GM was
    not verified. *moves* counts their changes of address until then. *deputy* is the deputy who
    wrote the letter. *lines* are those that wait, if the rest of the letter was done; if there are
    none, nothing of it was done.
    """

    person: int | None
    seat: int | None
    epoch: int | None
    turn: int | None
    shown: str = ""
    moves: int = 0
    deputy: int | None = None
    lines: Sequence[int] = ()

    @classmethod
    def of(
        cls, identity: Identity, shown: str = "", lines: Sequence[int] = ()
    ) -> "ConfirmationTerms":
        """Return the terms under which a letter would be pending now."""
        seat, game = identity.seat, identity.game
        deputy = identity.deputy
        asked = seat.person if seat is not None and deputy is None else identity.person
        return cls(
            person=asked.id if asked is not None else None,
            seat=seat.id if seat is not None else None,
            epoch=seat.epoch if seat is not None else None,
            turn=game.turn if game is not None and game.turn else None,
            shown=shown,
            moves=asked.moves if asked is not None else 0,
            deputy=deputy.id if deputy is not None else None,
            lines=[*lines],
        )

    @classmethod
    def kept_with(cls, row: InboxLetter) -> "ConfirmationTerms | None":
        """Return the terms stored with the letter, or None if it was never pending."""
        return cls(**row.asked) if row.asked is not None else None

    def stored(self) -> dict[str, Any]:
        """Return the terms as they are stored with the letter."""
        return {
            "person": self.person,
            "seat": self.seat,
            "epoch": self.epoch,
            "turn": self.turn,
            "shown": self.shown,
            "moves": self.moves,
            "deputy": self.deputy,
            "lines": self.lines,
        }


def confirmed(
    session: Session, row: InboxLetter, claimed: Identity, terms: ConfirmationTerms
) -> Identity | None:
    """Return the identity in whose name a confirmed letter is carried out.

    None if the seat, its player or their address has changed since the question. The letter's
    orders are for the turn in which it came.
    """
    if terms.person is None:
        # The address was unknown when it was asked, so a seat acquired since does not count.
        return replace(claimed.told(seat=None, claims_seat=False), trust=Trust.CONFIRMED)
    if terms.seat is None:
        claimed = claimed.told(seat=None, claims_seat=False)
    now = ConfirmationTerms.of(claimed, lines=terms.lines)
    if replace(now, turn=terms.turn, shown=terms.shown) != terms:
        return None
    deputy = claimed.deputy
    if deputy is not None and not deputy.may_order(row.arrived_at):
        return None
    asked = people.by_id(session, terms.person)
    turn = claimed.turn if claimed.turn is not None else terms.turn
    # The person asked holds the seat, so a letter that names it no longer only claims it.
    return replace(claimed.told(turn=turn, claims_seat=False), trust=Trust.CONFIRMED, person=asked)
